/* SPDX-License-Identifier: MIT */
/*
 * The memory of resources. Large pieces come from the kernel, and the last ones that were released
 * are kept for the next of the same size: an application that streams textures would spend its time
 * in page faults otherwise.
 */
#ifndef CPU_STORAGE_H
#define CPU_STORAGE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/driver.h"

#define CPU_STORAGE_PADDING 64 /* kernels may load whole words behind the last texel */

struct cpu_level_offsets;
struct cpu_uniform_levels;

struct cpu_storage {
    int refcount;              /* atomic: resource and scenes */
    int users;                 /* atomic: scenes, recorded or running */
    uint64_t scene_id;         /* atomic: the last scene that lists it */
    size_t size;               /* bytes; CPU_STORAGE_PADDING zero bytes follow */
    uint8_t *data;             /* aligned to 64 bytes */
    bool mapped;               /* data is an anonymous mapping */
    bool orphan;               /* no resource has it any more */
    struct drv_memory *memory; /* that data lies in, referenced; NULL: its own */
    struct cpu_storage_cache *cache;
    struct cpu_uniform_levels *uniform; /* atomic; of cpu_uniform.c, NULL: none */
    unsigned uniform_tiles;             /* atomic: that are known or deferred */
    unsigned deferred_tiles;            /* atomic */
    struct cpu_level_offsets *offsets;  /* atomic; of cpu_offsets.c, NULL: none yet */
};

enum { CPU_STORAGE_CACHE_ENTRIES = 16 };

/* Released mappings, the oldest first. Any thread. */
struct cpu_storage_cache {
    pthread_mutex_t mutex;
    struct {
        uint8_t *data;
        size_t bytes;
    } entry[CPU_STORAGE_CACHE_ENTRIES];
    unsigned count;
    size_t bytes;    /* of all entries */
    size_t orphaned; /* atomic: bytes of storages that only scenes hold */
};

void cpu_storage_cache_init(struct cpu_storage_cache *cache);
void cpu_storage_cache_finish(struct cpu_storage_cache *cache);

/* Zero-filled. NULL: no memory. */
struct cpu_storage *cpu_storage_create(struct cpu_storage_cache *cache, size_t size);
/* In memory of others, of which size bytes from offset on are there. NULL: no memory. */
struct cpu_storage *cpu_storage_create_in(struct cpu_storage_cache *cache,
                                          struct drv_memory *memory, uint64_t offset, size_t size);
/* Another with the same contents. NULL: no memory. */
struct cpu_storage *cpu_storage_clone(const struct cpu_storage *s);
void cpu_storage_reference(struct cpu_storage *s);
void cpu_storage_release(struct cpu_storage *s); /* NULL is fine */
/* The same for a resource that gives its storage up; scenes may hold it yet. */
void cpu_storage_abandon(struct cpu_storage *s); /* NULL is fine */

#endif
