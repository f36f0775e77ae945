/* SPDX-License-Identifier: MIT */
/*
 * Hierarchical memory. A block has a header in front of it with its place in the tree: children are
 * a doubly linked list, newest first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <talloc.h>

#include "util/check.h"
#include "util/memory.h"

#define MAX_SIZE ((size_t)256 << 20) /* blocks are smaller */

struct header {
    _Alignas(16) struct header *parent; /* NULL: none */
    struct header *first;               /* child */
    struct header *previous, *next;
    int (*destructor)(void *);
    size_t size;
};
_Static_assert(sizeof(struct header) % 16 == 0, "blocks are aligned to 16 bytes");

static struct header *header_of(const void *block)
{
    return (struct header *)block - 1;
}

static void *block_of(struct header *h)
{
    return h ? h + 1 : NULL;
}

/* Returns the parent for new blocks of a context: NULL stands for the attempt's, if there is
 * one. */
static struct header *parent_of(const void *context)
{
    if (!context)
        context = util_attempt_root();
    return context ? header_of(context) : NULL;
}

/* --- tree --- */

static void link_block(struct header *h, struct header *parent)
{
    h->parent = parent;
    h->previous = NULL;
    h->next = parent ? parent->first : NULL;
    if (h->next)
        h->next->previous = h;
    if (parent)
        parent->first = h;
}

static void unlink_block(struct header *h)
{
    if (h->next)
        h->next->previous = h->previous;
    if (h->previous)
        h->previous->next = h->next;
    else if (h->parent)
        h->parent->first = h->next;
}

void *talloc_move_block(const void *parent, const void *block)
{
    if (!block)
        return NULL;
    unlink_block(header_of(block));
    link_block(header_of(block), parent_of(parent));
    return (void *)block;
}

void talloc_move_children(const void *to, const void *from)
{
    while (header_of(from)->first)
        talloc_move_block(to, block_of(header_of(from)->first));
}

void *talloc_parent(const void *block)
{
    return block_of(header_of(block)->parent);
}

size_t talloc_get_size(const void *block)
{
    return block ? header_of(block)->size : 0;
}

size_t talloc_total_blocks(const void *block)
{
    size_t count = 1;

    for (struct header *h = header_of(block)->first; h; h = h->next)
        count += talloc_total_blocks(block_of(h));
    return count;
}

/* --- allocating and freeing --- */

/* Fails the attempt, if there is one. */
static void *out_of_memory(void)
{
    util_out_of_memory();
    return NULL;
}

/* Allocates at least one byte: leak checkers don't recognize a pointer to the end of a header. */
static void *allocate(const void *context, size_t size, bool zero)
{
    struct header *parent = parent_of(context);
    struct header *h = NULL;
    const size_t bytes = sizeof *h + (size ? size : 1);

    if (size < MAX_SIZE)
        h = zero ? calloc(1, bytes) : malloc(bytes);
    if (!h)
        return out_of_memory();
    h->first = NULL;
    h->destructor = NULL;
    h->size = size;
    link_block(h, parent);
    return block_of(h);
}

/* Returns size * count, or a size that is too large if it overflows. */
static size_t total(size_t size, size_t count)
{
    size_t bytes;

    return __builtin_mul_overflow(size, count, &bytes) ? SIZE_MAX : bytes;
}

void *talloc_size(const void *context, size_t size)
{
    return allocate(context, size, false);
}

void *talloc_zero_size(const void *context, size_t size)
{
    return allocate(context, size, true);
}

void *talloc_elements(const void *context, size_t size, size_t count, bool zero)
{
    return allocate(context, total(size, count), zero);
}

void *talloc_memdup(const void *context, const void *data, size_t size)
{
    void *block = data ? allocate(context, size, false) : NULL;

    return block ? memcpy(block, data, size) : NULL;
}

void *talloc_realloc_size(const void *context, void *old, size_t size)
{
    struct header *h;

    if (size == 0) {
        talloc_free(old);
        return NULL;
    }
    if (!old)
        return allocate(context, size, false);
    h = size < MAX_SIZE ? realloc(header_of(old), sizeof *h + size) : NULL;
    if (!h)
        return out_of_memory();
    h->size = size;
    /* The block may have moved. */
    if (h->next)
        h->next->previous = h;
    if (h->previous)
        h->previous->next = h;
    else if (h->parent)
        h->parent->first = h;
    for (struct header *child = h->first; child; child = child->next)
        child->parent = h;
    return block_of(h);
}

void *talloc_realloc_elements(const void *context, void *old, size_t size, size_t count)
{
    return talloc_realloc_size(context, old, total(size, count));
}

void talloc_set_destructor(const void *block, int (*destructor)(void *block))
{
    header_of(block)->destructor = destructor;
}

static void destruct(struct header *h)
{
    int (*destructor)(void *) = h->destructor;

    if (!destructor)
        return;
    h->destructor = NULL;
    CHECK(destructor(block_of(h)) == 0);
}

/* Frees the blocks below h: descends to a block without children, frees it, and returns to its
 * parent. Trees may be deep, so there is no recursion. */
static void free_below(struct header *top)
{
    struct header *h = top;

    for (;;) {
        if (h->first) {
            h = h->first;
            destruct(h);
        } else if (h != top) {
            struct header *parent = h->parent;

            unlink_block(h);
            free(h);
            h = parent;
        } else {
            return;
        }
    }
}

void talloc_free(const void *block)
{
    struct header *h;

    if (!block)
        return;
    h = header_of(block);
    destruct(h);
    free_below(h);
    unlink_block(h);
    free(h);
}

void talloc_free_children(const void *block)
{
    if (block)
        free_below(header_of(block));
}

/* --- strings --- */

char *talloc_strndup(const void *context, const char *text, size_t n)
{
    const size_t length = text ? strnlen(text, n) : 0;
    char *copy = text ? allocate(context, length + 1, false) : NULL;

    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *talloc_strdup(const void *context, const char *text)
{
    return talloc_memdup(context, text, text ? strlen(text) + 1 : 0);
}

/* Appends formatted text to a string of `length` characters, or to a new one if text is NULL. */
static char *append_formatted(const void *context, char *text, size_t length, const char *format,
                              va_list args)
{
    va_list again;
    int more;

    va_copy(again, args);
    more = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (more < 0)
        return out_of_memory();
    text = talloc_realloc_size(context, text, length + more + 1);
    if (text)
        vsnprintf(text + length, (size_t)more + 1, format, args);
    return text;
}

char *talloc_vasprintf(const void *context, const char *format, va_list args)
{
    return append_formatted(context, NULL, 0, format, args);
}

char *talloc_asprintf(const void *context, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = talloc_vasprintf(context, format, args);
    va_end(args);
    return text;
}

char *talloc_asprintf_append(char *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text = append_formatted(NULL, text, text ? strlen(text) : 0, format, args);
    va_end(args);
    return text;
}

char *talloc_strdup_append(char *text, const char *more)
{
    return talloc_asprintf_append(text, "%s", more);
}
