/* SPDX-License-Identifier: MIT */
/*
 * Message authentication codes (tags). A valid tag shows that a driver of the same user wrote a
 * file. The key is in the file `key` in the cache directory, and created on first use. Both must
 * belong to the user; others must not be able to write to the directory or access the file. If that
 * isn't so, or the file can't be created or read, the key is derived from a random value of this
 * process. Tags are then valid only within the process.
 */
#ifndef UTIL_SECRET_H
#define UTIL_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stores in *tag the SipHash-2-4 of the bytes with the key described above. Returns false if there
 * is no key, not even one of the process; *tag is then no valid tag. Thread-safe. */
bool util_tag(const void *data, size_t size, uint64_t *tag);

/* Returns SipHash-2-4 of the bytes with the given key. */
uint64_t util_siphash(const uint8_t key[16], const void *data, size_t size);

#endif
