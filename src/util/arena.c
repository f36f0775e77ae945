/* SPDX-License-Identifier: MIT */
#include "util/arena.h"

#include <assert.h>
#include <talloc.h>

#define FIRST_CHUNK (4u << 10)
#define MAX_CHUNK   (1u << 20)

struct chunk {
    struct chunk *next;
    size_t size, used; /* bytes behind the header */
};

struct arena {
    struct chunk *first, *current;
    size_t used_before; /* bytes in the chunks before current */
};

struct arena *arena_create(void *mem_ctx)
{
    return talloc_zero(mem_ctx, struct arena);
}

void arena_destroy(struct arena *a)
{
    talloc_free(a);
}

void arena_reset(struct arena *a)
{
    for (struct chunk *c = a->first; c; c = c->next)
        c->used = 0;
    a->current = a->first;
    a->used_before = 0;
}

static void *chunk_take(struct chunk *c, size_t size, size_t align)
{
    uintptr_t base = (uintptr_t)(c + 1);
    size_t start = ALIGN_POT(base + c->used, align) - base;
    if (start > c->size || size > c->size - start)
        return NULL;
    c->used = start + size;
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
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t bytes = a->current ? MIN2(a->current->size * 2, MAX_CHUNK) : FIRST_CHUNK;
    bytes = MAX2(bytes, size + align);
    struct chunk *c = talloc_size(a, sizeof *c + bytes);
    if (!c)
        return NULL;
    *c = (struct chunk){.size = bytes};
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
