/* SPDX-License-Identifier: MIT */
/* Allocation of storages and the cache of released mappings. */
#include "driver/cpu/resource/cpu_storage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/cpu/resource/cpu_offsets.h"
#include "driver/cpu/resource/cpu_fast_clear.h"
#include "util/check.h"
#include "util/fork_lock.h"
#include "util/macros.h"
#include "util/options.h"
#include "util/refcount.h"

/* Larger storages are mapped; the system zeroes their pages on first use. */
#define MAP_THRESHOLD (256u << 10)
#define CACHE_BYTES   (64u << 20) /* limit of the mappings that the cache keeps */

static uint64_t changes = 1; /* atomic */

uint64_t cpu_storage_changes(void)
{
    return __atomic_load_n(&changes, __ATOMIC_ACQUIRE);
}

void cpu_storage_note_change(void)
{
    __atomic_add_fetch(&changes, 1, __ATOMIC_RELEASE);
}

static pthread_mutex_t caches_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_head caches = {&caches, &caches}; /* all screens' caches; requires the lock */

/* Frees the mutexes of all caches in the child of a fork. Entries that another thread was changing
 * are lost. What it was decoding will be decoded again. */
static void reset_caches(void)
{
    list_for_each_entry (struct cpu_storage_cache, c, &caches, link) {
        if (util_fork_free_lock(&c->mutex)) {
            c->count = 0;
            c->bytes = 0;
        }
        util_fork_free_lock(&c->decode);
    }
}

UTIL_FORK_LOCK_RESET(caches_lock, reset_caches());

void cpu_storage_cache_init(struct cpu_storage_cache *cache)
{
    *cache = (struct cpu_storage_cache){0};
    pthread_mutex_init(&cache->mutex, NULL);
    pthread_mutex_init(&cache->decode, NULL);
    pthread_mutex_lock(&caches_lock);
    list_add(&cache->link, &caches);
    pthread_mutex_unlock(&caches_lock);
}

void cpu_storage_cache_finish(struct cpu_storage_cache *cache)
{
    pthread_mutex_lock(&caches_lock);
    list_del(&cache->link);
    pthread_mutex_unlock(&caches_lock);
    for (unsigned i = 0; i < cache->count; i++)
        munmap(cache->entry[i].data, cache->entry[i].bytes);
    pthread_mutex_destroy(&cache->mutex);
    pthread_mutex_destroy(&cache->decode);
}

/* Removes entry i and returns its memory. The mutex is held. */
static uint8_t *take(struct cpu_storage_cache *cache, unsigned i)
{
    uint8_t *data = cache->entry[i].data;
    cache->bytes -= cache->entry[i].bytes;
    cache->count--;
    memmove(&cache->entry[i], &cache->entry[i + 1], (cache->count - i) * sizeof cache->entry[0]);
    return data;
}

static uint8_t *recycle(struct cpu_storage_cache *cache, size_t bytes, bool clear)
{
    uint8_t *data = NULL;
    pthread_mutex_lock(&cache->mutex);
    for (unsigned i = cache->count; i-- && !data;) {
        if (cache->entry[i].bytes == bytes)
            data = take(cache, i);
    }
    pthread_mutex_unlock(&cache->mutex);
    if (data && clear)
        memset(data, 0, bytes);
    return data;
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* INDIUM_DEBUG=guard: maps memory between two inaccessible pages. `bytes`, a multiple of 64, end
 * where the second one begins. */
static uint8_t *map_guarded(size_t bytes)
{
    const size_t page = page_bytes(), inside = ALIGN_POT(bytes, page);
    uint8_t *start = mmap(NULL, inside + 2 * page, PROT_NONE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    if (mprotect(start + page, inside, PROT_READ | PROT_WRITE)) {
        munmap(start, inside + 2 * page);
        return NULL;
    }
    return start + page + inside - bytes;
}

static void unmap_guarded(uint8_t *data, size_t bytes)
{
    const size_t page = page_bytes(), inside = ALIGN_POT(bytes, page);
    munmap(data + bytes - inside - page, inside + 2 * page);
}

static uint8_t *map(struct cpu_storage_cache *cache, size_t bytes, bool clear)
{
    if (util_debug(DEBUG_GUARD))
        return map_guarded(bytes);
    uint8_t *data = recycle(cache, bytes, clear);
    if (data)
        return data;
    data = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED ? NULL : data;
}

static void unmap(struct cpu_storage_cache *cache, uint8_t *data, size_t bytes)
{
    if (util_debug(DEBUG_GUARD)) {
        unmap_guarded(data, bytes);
        return;
    }
    if (bytes > CACHE_BYTES / 2) {
        munmap(data, bytes);
        return;
    }
    pthread_mutex_lock(&cache->mutex);
    while (cache->count == CPU_STORAGE_CACHE_ENTRIES ||
           (cache->count && cache->bytes + bytes > CACHE_BYTES)) {
        size_t oldest = cache->entry[0].bytes;
        munmap(take(cache, 0), oldest);
    }
    cache->entry[cache->count].data = data;
    NEXT_OF(cache->entry, cache->count).bytes = bytes;
    cache->bytes += bytes;
    pthread_mutex_unlock(&cache->mutex);
}

/* Creates a storage. Small storages, many of which live only for a scene, take a single
 * allocation. */
static struct cpu_storage *create(struct cpu_storage_cache *cache, size_t size, bool clear)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t bytes = ALIGN_POT(size + CPU_STORAGE_PADDING, 64);
    bool mapped = bytes >= MAP_THRESHOLD || util_debug(DEBUG_GUARD);
    struct cpu_storage *s = malloc(sizeof *s + (mapped ? 0 : 63 + bytes));
    if (!s)
        return NULL;
    *s = (struct cpu_storage){.refcount = 1, .size = size, .mapped = mapped, .cache = cache};
    s->data = mapped ? map(cache, bytes, clear) : (uint8_t *)ALIGN_POT((uintptr_t)(s + 1), 64);
    if (!s->data) {
        free(s);
        return NULL;
    }
    if (clear && !mapped)
        memset(s->data, 0, bytes);
    return s;
}

struct cpu_storage *cpu_storage_create(struct cpu_storage_cache *cache, size_t size)
{
    return create(cache, size, true);
}

struct cpu_storage *cpu_storage_create_in(struct cpu_storage_cache *cache,
                                          struct drv_memory *memory, uint64_t offset, size_t size)
{
    struct cpu_storage *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    *s = (struct cpu_storage){
        .refcount = 1, .size = size, .data = memory->data + offset, .cache = cache};
    drv_memory_reference(&s->memory, memory);
    return s;
}

static uint8_t *reserve(size_t bytes)
{
    uint8_t *data = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
        return NULL;
    /* small pages, which are allocated and released one by one */
    (void)!madvise(data, bytes, MADV_NOHUGEPAGE);
    return data;
}

/* The size of the reservation of a sparse storage, and that of its map. */
static size_t reserved_bytes(size_t size)
{
    return ALIGN_POT(size + CPU_STORAGE_PADDING, (size_t)1 << CPU_SPARSE_SHIFT);
}

static size_t map_bytes(size_t size)
{
    return (reserved_bytes(size) >> CPU_SPARSE_SHIFT) + 3;
}

static void release_reserved(struct drv_memory *memory)
{
    munmap(memory->data, memory->size);
    free(memory);
}

struct cpu_storage *cpu_storage_create_sparse(struct cpu_storage_cache *cache, size_t size)
{
    struct drv_memory *memory = malloc(sizeof *memory);
    uint8_t *data = memory ? reserve(reserved_bytes(size)) : NULL;
    if (!data) {
        free(memory);
        return NULL;
    }
    *memory = (struct drv_memory){1, data, reserved_bytes(size), release_reserved};
    struct cpu_storage *s = cpu_storage_create_in(cache, memory, 0, size);
    drv_memory_reference(&memory, NULL); /* the storage has its own reference */
    if (!s)
        return NULL;
    s->resident = reserve(map_bytes(size));
    if (s->resident)
        return s;
    cpu_storage_release(s);
    return NULL;
}

struct cpu_storage *cpu_storage_clone(const struct cpu_storage *s)
{
    struct cpu_storage *clone = create(s->cache, s->size, false);
    if (clone)
        memcpy(clone->data, s->data, ALIGN_POT(s->size + CPU_STORAGE_PADDING, 64));
    return clone;
}

void cpu_storage_reference(struct cpu_storage *s)
{
    ref_take(&s->refcount);
}

void cpu_storage_release(struct cpu_storage *s)
{
    if (!s || !ref_drop(&s->refcount))
        return;
    if (s->orphan)
        __atomic_sub_fetch(&s->cache->orphaned, s->size, __ATOMIC_RELAXED);
    if (s->mapped)
        unmap(s->cache, s->data, ALIGN_POT(s->size + CPU_STORAGE_PADDING, 64));
    if (s->resident)
        munmap(s->resident, map_bytes(s->size));
    drv_memory_reference(&s->memory, NULL);
    cpu_fast_clear_destroy(s);
    cpu_offsets_destroy(s);
    free(s);
}

void cpu_storage_abandon(struct cpu_storage *s)
{
    if (!s)
        return;
    s->orphan = true;
    __atomic_add_fetch(&s->cache->orphaned, s->size, __ATOMIC_RELAXED);
    cpu_storage_release(s);
}
