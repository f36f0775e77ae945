/* SPDX-License-Identifier: MIT */
#include "util/arena.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <talloc.h>

#include "util/check.h"
#include "util/dynarray.h"
#include "util/mapping.h"
#include "util/memory.h"
#include "util/sanitize.h"

#define FIRST_CHUNK (4u << 10)
/* Chunks grow up to the size of a huge page, and are huge pages where the system has them. This
 * reduces TLB misses of code that walks megabytes of small objects. */
#define MAX_CHUNK (2u << 20)
/* Size of a pool's chunks, slightly above 128 KiB. It is not a power of two, so that chunk starts
 * map to different cache sets. */
#define POOLED_CHUNK (MAX_CHUNK / 15 & ~(size_t)63)
#define POOLED_ROOM  (POOLED_CHUNK - sizeof(struct chunk) - 64) /* fits at any alignment */
/* Number of pages in use up to which free pages are unmapped instead of kept. */
#define MANY_PAGES 32

/* With AddressSanitizer, memory that is not allocated is poisoned, including a gap after each
 * allocation. */
#if SANITIZED_ADDRESS
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>
#define GAP 32
#else
#define GAP                                 0
#define ASAN_POISON_MEMORY_REGION(p, n)     ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(p, n)   ((void)0)
#define __lsan_register_root_region(p, n)   ((void)0)
#define __lsan_unregister_root_region(p, n) ((void)0)
#endif

struct chunk {
    struct chunk *next;
    size_t size, used; /* bytes after the header */
    bool pooled;
};

struct arena_pool {
    pthread_mutex_t lock;
    struct chunk *free; /* LIFO: the last released chunk may still be cached */
    DYNARRAY(char *) pages;
    size_t carved; /* bytes of the last page used for chunks */
};

struct arena {
    struct arena_pool *pool; /* may be NULL */
    struct chunk *first, *current;
    size_t used_before; /* bytes in the chunks before current */
};

/* ---------------------------------------------------------------------------------- memory --- */

/* A free page kept for reuse: compilers of large shaders repeatedly free and allocate hundreds of
 * megabytes, and the system would zero each new page. At most as many pages are kept as are in use
 * beyond MANY_PAGES. */
struct kept_page {
    struct kept_page *next;
};

static struct {
    /* only tried: a thread that finds it taken (e.g. after a fork) skips the cache */
    pthread_mutex_t lock;
    struct kept_page *first;
    size_t kept;
    size_t used; /* atomic */
} pages = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Returns the last kept page or NULL. Requires the lock. */
static void *take_kept_page(void)
{
    struct kept_page *page = pages.first;
    if (page) {
        pages.first = page->next;
        pages.kept--;
    }
    return page;
}

/* Returns MAX_CHUNK bytes, a huge page if possible, uninitialized; NULL if out of memory. */
static void *page_create(void)
{
    void *page = NULL;
    if (!pthread_mutex_trylock(&pages.lock)) {
        page = take_kept_page();
        pthread_mutex_unlock(&pages.lock);
    }
    if (!page) {
        page = map_aligned(MAX_CHUNK, MAX_CHUNK);
        if (!page)
            return NULL;
        (void)madvise(page, MAX_CHUNK, MADV_HUGEPAGE);
    }
    __atomic_add_fetch(&pages.used, 1, __ATOMIC_RELAXED);
    __lsan_register_root_region(page, MAX_CHUNK);
    return page;
}

static void page_free(void *page)
{
    size_t used = __atomic_sub_fetch(&pages.used, 1, __ATOMIC_RELAXED);
    size_t most = used > MANY_PAGES ? used - MANY_PAGES : 0;

    ASAN_UNPOISON_MEMORY_REGION(page, MAX_CHUNK);
    __lsan_unregister_root_region(page, MAX_CHUNK);
    if (pthread_mutex_trylock(&pages.lock)) {
        munmap(page, MAX_CHUNK);
        return;
    }
    struct kept_page *kept = page;
    kept->next = pages.first;
    pages.first = kept;
    pages.kept++;
    while (pages.kept > most)
        munmap(take_kept_page(), MAX_CHUNK);
    pthread_mutex_unlock(&pages.lock);
}

/* Returns a chunk of `bytes` including its header; NULL if out of memory. */
static struct chunk *chunk_create(size_t bytes)
{
    struct chunk *c = bytes == MAX_CHUNK ? page_create() : malloc(bytes);
    if (!c)
        return NULL;
    *c = (struct chunk){.size = bytes - sizeof *c};
    ASAN_POISON_MEMORY_REGION(c + 1, c->size);
    return c;
}

static void chunk_free(struct chunk *c)
{
    if (c->size == MAX_CHUNK - sizeof *c) {
        page_free(c);
        return;
    }
    ASAN_UNPOISON_MEMORY_REGION(c + 1, c->size);
    free(c);
}

struct arena_pool *arena_pool_create(void)
{
    struct arena_pool *pool = calloc(1, sizeof *pool);
    if (pool)
        pthread_mutex_init(&pool->lock, NULL);
    return pool;
}

void arena_pool_destroy(struct arena_pool *pool)
{
    if (!pool)
        return;
    for (unsigned i = 0; i < pool->pages.count; i++)
        page_free(pool->pages.data[i]);
    dynarray_finish(&pool->pages);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

/* Returns a new chunk cut from the last page; NULL if out of memory. Requires the lock. */
static struct chunk *pool_carve(struct arena_pool *pool)
{
    if (!pool->pages.count || pool->carved + POOLED_CHUNK > MAX_CHUNK) {
        char *page = dynarray_reserve(&pool->pages, 1) ? page_create() : NULL;
        if (!page)
            return NULL;
        NEXT_WITHIN(pool->pages.data, pool->pages.count, pool->pages.capacity) = page;
        pool->carved = 0;
    }
    struct chunk *c = (void *)(pool->pages.data[pool->pages.count - 1] + pool->carved);
    pool->carved += POOLED_CHUNK;
    *c = (struct chunk){.size = POOLED_CHUNK - sizeof *c, .pooled = true};
    ASAN_POISON_MEMORY_REGION(c + 1, c->size);
    return c;
}

static struct chunk *pool_take(struct arena_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct chunk *c = pool->free;
    if (c)
        pool->free = c->next;
    else
        c = pool_carve(pool);
    pthread_mutex_unlock(&pool->lock);
    if (c)
        c->next = NULL;
    return c;
}

/* Empties the chunks. Those of the pool return to it; the arena keeps the others. */
static void give_back(struct arena *a)
{
    struct chunk **kept = &a->first, *pooled = NULL, *last = NULL;
    for (struct chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        c->used = 0;
        ASAN_POISON_MEMORY_REGION(c + 1, c->size);
        if (c->pooled) {
            last = pooled ? last : c;
            c->next = pooled;
            pooled = c;
        } else {
            *kept = c;
            kept = &c->next;
        }
    }
    *kept = NULL;
    if (!pooled)
        return;
    pthread_mutex_lock(&a->pool->lock);
    last->next = a->pool->free;
    a->pool->free = pooled;
    pthread_mutex_unlock(&a->pool->lock);
}

/* ---------------------------------------------------------------------------------- arenas --- */

static int free_chunks(void *block)
{
    struct arena *a = block;
    give_back(a);
    for (struct chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        chunk_free(c);
    }
    return 0;
}

struct arena *arena_create_in(void *mem_ctx, struct arena_pool *pool)
{
    struct arena *a = talloc_zero(mem_ctx, struct arena);
    if (!a)
        return NULL;
    a->pool = pool;
    talloc_set_destructor(a, free_chunks);
    return a;
}

void arena_destroy(struct arena *a)
{
    talloc_free(a);
}

void arena_reset(struct arena *a)
{
    give_back(a);
    a->current = a->first;
    a->used_before = 0;
}

static void *chunk_take(struct chunk *c, size_t size, size_t align)
{
    uintptr_t base = (uintptr_t)(c + 1);
    size_t start = ALIGN_POT(base + c->used, align) - base;
    if (start > c->size || size > c->size - start)
        return NULL;
    c->used = start + MIN2(size + GAP, c->size - start);
    ASAN_UNPOISON_MEMORY_REGION((void *)(base + start), size);
    return (void *)(base + start);
}

/* Returns a chunk for an allocation that does not fit in the current one; NULL if out of memory. */
static struct chunk *new_chunk(const struct arena *a, size_t size, size_t align)
{
    if (a->pool && size <= POOLED_ROOM)
        return pool_take(a->pool);
    size_t want =
        a->current ? MIN2(sizeof *a->current + a->current->size, MAX_CHUNK / 2) * 2 : FIRST_CHUNK;
    return chunk_create(MAX2(want, sizeof(struct chunk) + size + align));
}

void *arena_alloc_aligned(struct arena *a, size_t size, size_t align)
{
    assert(util_is_power_of_two(align) && align <= 64);
    while (a->current) {
        void *p = chunk_take(a->current, size, align);
        if (p)
            return p;
        if (!a->current->next)
            break;
        a->used_before += a->current->used;
        a->current = a->current->next;
    }
    if (size > SIZE_MAX / 2) {
        util_out_of_memory();
        return NULL;
    }
    struct chunk *c = new_chunk(a, size, align);
    if (!c) {
        util_out_of_memory();
        return NULL;
    }
    if (a->current) {
        a->used_before += a->current->used;
        a->current->next = c;
    } else {
        a->first = c;
    }
    a->current = c;
    return chunk_take(c, size, align);
}

void *arena_zalloc(struct arena *a, size_t size)
{
    void *p = arena_alloc(a, size);
    return p ? memset(p, 0, size) : NULL;
}

size_t arena_used(const struct arena *a)
{
    return a->used_before + (a->current ? a->current->used : 0);
}
