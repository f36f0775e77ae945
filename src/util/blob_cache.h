/* SPDX-License-Identifier: MIT */
/*
 * A cache that the application provides (EGL_ANDROID_blob_cache). The process has at most one, as
 * kernels are shared by all displays. Any thread may call these functions.
 */
#ifndef UTIL_BLOB_CACHE_H
#define UTIL_BLOB_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Inserts a value for a key; the cache may ignore it. Sizes are in bytes. */
typedef void (*util_blob_set)(const void *key, ptrdiff_t key_size, const void *value,
                              ptrdiff_t value_size);
/* Returns the size of the value for a key, or 0 if there is none. Copies the value to `value` if it
 * has at most value_size bytes. */
typedef ptrdiff_t (*util_blob_get)(const void *key, ptrdiff_t key_size, void *value,
                                   ptrdiff_t value_size);

/* Registers handlers that hold the cache's lock during fork(), unless they are registered already.
 * The thread pool calls this before it registers its own handlers. As fork() calls handlers in the
 * reverse order, it first waits for the pool's jobs, which may need the lock, and then takes it. */
void util_blob_cache_handle_fork(void);
/* Makes `set` and `get`, which are not NULL, the functions of the process's cache. They replace
 * earlier ones. `owner` identifies them, and is not dereferenced. */
void util_blob_cache_provide(const void *owner, util_blob_set set, util_blob_get get);
/* Removes the owner's functions, unless those of another owner have replaced them. In both cases,
 * waits until no other thread runs functions of a cache. */
void util_blob_cache_withdraw(const void *owner);
/* Returns whether the process has a cache. */
bool util_blob_cache_exists(void);
/* Passes a value to the cache, if there is one. */
void util_blob_cache_store(const void *key, size_t key_size, const void *value, size_t value_size);
/* Returns the value for a key, which the caller must free(), and stores its size in *value_size.
 * Returns NULL and stores 0 if there is none, it has more than `most` bytes, or when out of
 * memory. */
void *util_blob_cache_load(const void *key, size_t key_size, size_t most, size_t *value_size);

#endif
