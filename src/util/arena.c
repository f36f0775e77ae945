/* SPDX-License-Identifier: MIT */
#include "util/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <talloc.h>

#include "util/memory.h"
#include "util/sanitize.h"

#define FIRST_CHUNK (4u << 10)
/* Chunks grow to the size of a huge page, and then are one where the system has them: what walks
 * through megabytes of small objects waits for translations of addresses otherwise. */
#define MAX_CHUNK (2u << 20)

/* Under AddressSanitizer what is not handed out cannot be touched, a gap behind each piece included. */
#if SANITIZED_ADDRESS
#include <sanitizer/asan_interface.h>
#define GAP 32
#else
#define GAP                               0
#define ASAN_POISON_MEMORY_REGION(p, n)   ((void)0)
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)0)
#endif

struct chunk {
    struct chunk *next;
    size_t size, used; /* bytes behind the header */
};

struct arena {
    struct chunk *first, *current;
    size_t used_before; /* bytes in the chunks before current */
};

static int free_chunks(struct arena *a)
{
    for (struct chunk *c = a->first, *next; c; c = next) {
        next = c->next;
        ASAN_UNPOISON_MEMORY_REGION(c + 1, c->size);
        free(c);
    }
    return 0;
}

struct arena *arena_create(void *mem_ctx)
{
    struct arena *a = talloc_zero(mem_ctx, struct arena);
    if (a)
        talloc_set_destructor(a, free_chunks);
    return a;
}

void arena_destroy(struct arena *a)
{
    talloc_free(a);
}

void arena_reset(struct arena *a)
{
    for (struct chunk *c = a->first; c; c = c->next) {
        c->used = 0;
        ASAN_POISON_MEMORY_REGION(c + 1, c->size);
    }
    a->current = a->first;
    a->used_before = 0;
}

/* bytes: with the header. */
static struct chunk *chunk_create(size_t bytes)
{
    bool huge = bytes == MAX_CHUNK;
    struct chunk *c = huge ? aligned_alloc(MAX_CHUNK, MAX_CHUNK) : malloc(bytes);
    if (!c) {
        util_out_of_memory();
        return NULL;
    }
    if (huge)
        (void)madvise(c, MAX_CHUNK, MADV_HUGEPAGE);
    *c = (struct chunk){.size = bytes - sizeof *c};
    ASAN_POISON_MEMORY_REGION(c + 1, c->size);
    return c;
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
    size_t want =
        a->current ? MIN2(sizeof *a->current + a->current->size, MAX_CHUNK / 2) * 2 : FIRST_CHUNK;
    struct chunk *c = chunk_create(MAX2(want, sizeof *c + size + align));
    if (!c)
        return NULL;
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
