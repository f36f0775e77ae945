/* SPDX-License-Identifier: MIT */
/*
 * Which bytes come from this user's drivers: a tag that nobody makes who does not know the user's key.
 * The key is a file, `key`, in the directory of the cache. Without one it is the process's own, so that
 * tags hold as long as the process.
 */
#ifndef UTIL_SECRET_H
#define UTIL_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SipHash-2-4 of the bytes, by the user's key. False: there is none. Any thread. */
bool util_tag(const void *data, size_t size, uint64_t *tag);

/* The same with a key that is given. */
uint64_t util_siphash(const uint8_t key[16], const void *data, size_t size);

#endif
