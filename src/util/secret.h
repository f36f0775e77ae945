/* SPDX-License-Identifier: MIT */
/*
 * Message authentication for files that only drivers of this user may have written. The key is the
 * file `key` in the cache directory. Without a cache directory, the key is derived from a random
 * value of this process, so tags are valid only within the process.
 */
#ifndef UTIL_SECRET_H
#define UTIL_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Computes SipHash-2-4 of the bytes with the user's key. Returns false if there is no key. Callable
 * from any thread. */
bool util_tag(const void *data, size_t size, uint64_t *tag);

/* Returns SipHash-2-4 of the bytes with the given key. */
uint64_t util_siphash(const uint8_t key[16], const void *data, size_t size);

#endif
