/* SPDX-License-Identifier: MIT */
/*
 * Message authentication codes (tags). A valid tag shows that a driver of the same user wrote a
 * file. The key is the file `key` in the cache directory. If the directory is missing or writable
 * by other users, or the file can't be created or read, the key is derived from a random value of
 * this process; tags are then valid only within the process.
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
