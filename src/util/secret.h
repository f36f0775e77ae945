/* SPDX-License-Identifier: MIT */
/*
 * Message authentication codes (tags). A valid tag shows that a driver of the same user wrote a
 * file. The key is in the file `key` in the cache directory. If the directory is missing, belongs
 * to another user or is writable by others, or if the file can't be created or read, belongs to
 * another user or is accessible to others, the key is derived from a random value of this process.
 * Tags are then valid only within the process.
 */
#ifndef UTIL_SECRET_H
#define UTIL_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stores in *tag the SipHash-2-4 of the bytes with the user's key. Returns false if there is no
 * key. Thread-safe. */
bool util_tag(const void *data, size_t size, uint64_t *tag);

/* Returns SipHash-2-4 of the bytes with the given key. */
uint64_t util_siphash(const uint8_t key[16], const void *data, size_t size);

#endif
