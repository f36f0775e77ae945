/* SPDX-License-Identifier: MIT */
/*
 * Storages: the memory of resources. Large storages are anonymous mappings. A cache keeps the last
 * released mappings for new storages of the same size, so that applications that stream textures
 * don't spend their time in page faults.
 */
#ifndef CPU_STORAGE_H
#define CPU_STORAGE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/driver.h"
#include "util/list.h"

#define CPU_STORAGE_PADDING 64 /* bytes past the end of an image that kernels may load */
#define CPU_SPARSE_SHIFT    12 /* log2 of the bytes of a unit (cpu_sparse.h) */

struct cpu_level_offsets;
struct cpu_fast_clear_levels;
struct cpu_resource;

struct cpu_storage {
    int refcount;      /* atomic: references by the resource and by scenes */
    int users;         /* atomic: number of scenes, recorded or running, that use it */
    uint64_t scene_id; /* atomic: id of the last scene that added it to its uses */
    size_t size;       /* bytes, without padding */
    /* Aligned to 64 bytes, and followed by CPU_STORAGE_PADDING bytes of zeros. Data in `memory` may
     * be followed by other bytes, and buffers in it need not be aligned. */
    uint8_t *data;
    bool mapped;               /* data is an anonymous mapping that the storage owns */
    bool orphan;               /* dropped by its resource (cpu_storage_abandon); scenes use it */
    struct drv_memory *memory; /* memory object that contains data, referenced; NULL: none */
    /* Map of a sparse image (cpu_sparse.h): one byte per unit of data, 1 if it is committed, else
     * 0; atomic. 3 bytes of padding follow. NULL: not sparse. */
    uint8_t *resident;
    struct cpu_storage_cache *cache;
    struct cpu_fast_clear_levels *fast_clear; /* atomic; may be NULL (cpu_fast_clear.h) */
    unsigned cleared_tiles;                   /* atomic: number of tiles in state SAME or CLEARED */
    unsigned deferred_tiles;                  /* atomic: number of tiles in state CLEARED */
    struct cpu_level_offsets *offsets;        /* atomic; may be NULL (cpu_offsets.h) */
    /* atomic: the compressed resource with blocks that were written after they had been decoded to
     * this storage (cpu_resource.h); NULL: the texels are up to date */
    struct cpu_resource *undecoded;
};

enum { CPU_STORAGE_CACHE_ENTRIES = 256 };

/* Released mappings, the oldest first. Any thread may use the cache. If other threads held its
 * mutexes during a fork, the child can still take them. */
struct cpu_storage_cache {
    struct list_head link; /* in the list of all caches */
    pthread_mutex_t mutex; /* protects entry, count and bytes */
    struct {
        uint8_t *data;
        size_t bytes;
    } entry[CPU_STORAGE_CACHE_ENTRIES];
    unsigned count;  /* used elements of entry */
    size_t bytes;    /* sum of the sizes of the entries */
    size_t orphaned; /* atomic: bytes of all orphans (cpu_storage.orphan) */
    /* protects undecoded of all storages, and what it points to; held while blocks are decoded */
    pthread_mutex_t decode;
};

/* Initializes an empty cache, which must not move in memory. */
void cpu_storage_cache_init(struct cpu_storage_cache *cache);
/* Unmaps the entries. All storages created with the cache must have been freed. */
void cpu_storage_cache_finish(struct cpu_storage_cache *cache);

/* Creates a storage of `size` bytes, all zero, with one reference. Returns NULL if out of
 * memory. */
struct cpu_storage *cpu_storage_create(struct cpu_storage_cache *cache, size_t size);
/* Creates a storage whose data starts at byte `offset` of a memory object, to which it adds a
 * reference. At least `size` bytes must exist there, for images size + CPU_STORAGE_PADDING. Returns
 * NULL if out of memory. */
struct cpu_storage *cpu_storage_create_in(struct cpu_storage_cache *cache,
                                          struct drv_memory *memory, uint64_t offset, size_t size);
/* Creates the storage of a sparse image, all of whose units are uncommitted. Takes address space
 * but almost no memory. Returns NULL if out of address space or memory. */
struct cpu_storage *cpu_storage_create_sparse(struct cpu_storage_cache *cache, size_t size);
/* Creates a storage, with one reference, that has a copy of the data of s. s must be neither sparse
 * nor in a memory object, and its tiles must all be resolved. Returns NULL if out of memory. */
struct cpu_storage *cpu_storage_clone(const struct cpu_storage *s);
void cpu_storage_reference(struct cpu_storage *s); /* adds a reference; any thread */
/* Drops a reference and frees the storage with the last one; NULL does nothing. Any thread. */
void cpu_storage_release(struct cpu_storage *s);
/* Drops the reference that the resource holds. If scenes still hold references, the storage becomes
 * an orphan. NULL does nothing. */
void cpu_storage_abandon(struct cpu_storage *s);

/* Returns how often cpu_storage_note_change() has been called, in all screens, plus one. A thread
 * may read it before it synchronizes storages for reading. As long as the value stays the same, no
 * scene has begun to write these storages, and none of them needs to be resolved. Any thread. */
uint64_t cpu_storage_changes(void);
/* Reports a change that may make threads synchronize again. Call it after a scene that writes
 * storages was begun or submitted, when a recorded scene begins to write another storage, and after
 * any other event that makes a storage need cpu_storage_resolve(). Any thread. */
void cpu_storage_note_change(void);

#endif
