/* SPDX-License-Identifier: MIT */
/*
 * Pieces come in classes of size (size_class.h), each behind a header; freed ones wait in a list of their
 * class, new ones are cut from the current segment. All of that is the owner's alone. Pieces that other
 * threads free go onto a stack, which the owner takes as a whole when a list has run out.
 *
 * Which addresses are heaps' is in a map of two levels with a bit for each 64 KB: segments are made of
 * such granules.
 */
#include "util/thread_heap.h"

#include <stdint.h>
#include <sys/mman.h>

#include "util/macros.h"
#include "util/sanitize.h"
#include "util/size_class.h"

#define GRANULE    ((size_t)1 << THREAD_HEAP_GRANULE_BITS)
#define SEGMENT    ((size_t)2 << 20)
#define LARGEST    (SEGMENT / 8)    /* of a class; beyond, a piece has a segment for itself */
#define LARGE      SIZE_CLASS_COUNT /* in place of its class */
#define MOST_ALIGN SEGMENT
#define MAX_HEAPS  4096
#define LEAF_BITS  THREAD_HEAP_LEAF_BITS

/* Right before what is handed out. */
struct header {
    uint32_t offset; /* of what is handed out from the piece, to align it */
    uint16_t heap, size_class;
};

/* A piece is handed out as it is, or from the next aligned address on. Its first header lies before it:
 * that of a free one, and at the time that one that is not aligned further. */
struct piece {
    struct piece *next; /* of those that are free */
};

struct thread_heap {
    uint16_t number;
    char *at, *end; /* what is left of the segment */
    struct piece *freed[SIZE_CLASS_COUNT];
    struct piece *returned __attribute__((aligned(64))); /* atomic, by other threads */
};

_Thread_local struct thread_heap *thread_heap;
uint64_t *thread_heap_leaves[THREAD_HEAP_LEAVES];
static struct thread_heap *heaps[MAX_HEAPS];
static unsigned num_heaps;      /* atomic */
static struct piece *left_over; /* atomic: the C library's memory */

/* --- segments --- */

/* Makes a leaf of the map, if there is none. False: no memory. */
static bool make_leaf(uintptr_t number)
{
    const size_t bytes = (1u << LEAF_BITS) / 8;
    if (number >= THREAD_HEAP_LEAVES)
        return false;
    uint64_t **place = &thread_heap_leaves[number], *none = NULL;
    if (__atomic_load_n(place, __ATOMIC_ACQUIRE))
        return true;
    uint64_t *leaf = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (leaf == MAP_FAILED)
        return false;
    if (!__atomic_compare_exchange_n(place, &none, leaf, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        munmap(leaf, bytes); /* another thread was first */
    return true;
}

static bool make_leaves(const char *segment, size_t bytes)
{
    uintptr_t last = (uintptr_t)(segment + bytes - 1) / GRANULE >> LEAF_BITS;
    for (uintptr_t i = (uintptr_t)segment / GRANULE >> LEAF_BITS; i <= last; i++)
        if (!make_leaf(i))
            return false;
    return true;
}

/* What has leaves. */
static void mark(const char *segment, size_t bytes, bool heaps_own)
{
    for (size_t at = 0; at < bytes; at += GRANULE) {
        uintptr_t granule = (uintptr_t)(segment + at) / GRANULE;
        uint64_t *leaf =
            __atomic_load_n(&thread_heap_leaves[granule >> LEAF_BITS], __ATOMIC_ACQUIRE);
        uint64_t *word = &leaf[(granule & BITFIELD_MASK(LEAF_BITS)) / 64];
        if (heaps_own)
            __atomic_fetch_or(word, BITFIELD64_BIT(granule % 64), __ATOMIC_RELAXED);
        else
            __atomic_fetch_and(word, ~BITFIELD64_BIT(granule % 64), __ATOMIC_RELAXED);
    }
}

static void unmap_segment(char *segment, size_t bytes)
{
    mark(segment, bytes, false);
    munmap(segment, bytes);
}

/* bytes: whole granules. */
static char *map_segment(size_t bytes)
{
    const int protection = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
    char *segment = mmap(NULL, bytes, protection, flags, -1, 0);
    if (segment == MAP_FAILED)
        return NULL;
    if ((uintptr_t)segment % GRANULE) { /* with more, so that there are whole granules */
        munmap(segment, bytes);
        char *more = mmap(NULL, bytes + GRANULE, protection, flags, -1, 0);
        if (more == MAP_FAILED)
            return NULL;
        segment = (char *)ALIGN_POT((uintptr_t)more, GRANULE);
        if (segment > more)
            munmap(more, (size_t)(segment - more));
        if (segment < more + GRANULE)
            munmap(segment + bytes, (size_t)(more + GRANULE - segment));
    }
    if (!make_leaves(segment, bytes)) {
        munmap(segment, bytes);
        return NULL;
    }
    mark(segment, bytes, true);
    return segment;
}

/* --- pieces --- */

static struct header *header_of(const void *p)
{
    return (struct header *)p - 1;
}

/* Where pieces may begin behind p: with room for a header, and aligned. */
static char *first_piece(char *p)
{
    return (char *)ALIGN_POT((uintptr_t)p + sizeof(struct header), SIZE_CLASS_GRANULE);
}

/* Takes what other threads have freed. */
static void collect(struct thread_heap *heap)
{
    struct piece *piece = __atomic_exchange_n(&heap->returned, NULL, __ATOMIC_ACQUIRE), *next;
    for (; piece; piece = next) {
        struct piece **list = &heap->freed[header_of(piece)->size_class];
        next = piece->next;
        piece->next = *list;
        *list = piece;
    }
}

static struct piece *take_freed(struct thread_heap *heap, unsigned size_class)
{
    struct piece **list = &heap->freed[size_class], *piece;
    if (!*list && __atomic_load_n(&heap->returned, __ATOMIC_RELAXED))
        collect(heap);
    piece = *list;
    if (piece)
        *list = piece->next;
    return piece;
}

static struct piece *cut(struct thread_heap *heap, size_t bytes)
{
    if (bytes > (size_t)(heap->end - heap->at)) {
        char *segment = map_segment(SEGMENT);
        if (!segment)
            return NULL;
        heap->at = first_piece(segment);
        heap->end = segment + SEGMENT;
    }
    char *piece = heap->at;
    heap->at += bytes;
    return (struct piece *)piece;
}

/* The segment's size is at its start. */
static struct piece *make_large(size_t bytes)
{
    bytes = ALIGN_POT(bytes + 2 * SIZE_CLASS_GRANULE, GRANULE);
    char *segment = map_segment(bytes);
    if (!segment)
        return NULL;
    *(size_t *)segment = bytes;
    return (struct piece *)first_piece(segment + sizeof(size_t));
}

static size_t *large_bytes(struct piece *piece)
{
    return (size_t *)((uintptr_t)piece & ~(GRANULE - 1));
}

void *thread_heap_alloc(size_t size, size_t align)
{
    struct thread_heap *heap = thread_heap;
    if (!heap || size > SIZE_MAX / 4 || align > MOST_ALIGN)
        return NULL;
    size_t bytes = sizeof(struct header) + size + (align > SIZE_CLASS_GRANULE ? align : 0);
    unsigned size_class = LARGE;
    struct piece *piece;
    if (bytes <= LARGEST) {
        size_class = size_class_of(bytes);
        piece = take_freed(heap, size_class);
        if (!piece)
            piece = cut(heap, size_class_bytes(size_class));
    } else {
        piece = make_large(bytes);
    }
    if (!piece)
        return NULL;
    char *p = (char *)ALIGN_POT((uintptr_t)piece, MAX2(align, SIZE_CLASS_GRANULE));
    *header_of(p) = (struct header){
        .offset = (uint32_t)(p - (char *)piece),
        .heap = heap->number,
        .size_class = (uint16_t)size_class,
    };
    return p;
}

size_t thread_heap_room(const void *p)
{
    const struct header *h = header_of(p);
    if (h->size_class != LARGE)
        return size_class_bytes(h->size_class) - sizeof *h - h->offset;
    const size_t *segment = large_bytes((struct piece *)((char *)p - h->offset));
    return *segment - (size_t)((const char *)p - (const char *)segment);
}

static void push(struct piece **stack, struct piece *piece)
{
    piece->next = __atomic_load_n(stack, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(stack, &piece->next, piece, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        ;
}

void thread_heap_free(void *p)
{
    struct header h = *header_of(p);
    struct piece *piece = (struct piece *)((char *)p - h.offset);
    if (h.size_class == LARGE) {
        size_t *segment = large_bytes(piece);
        unmap_segment((char *)segment, *segment);
        return;
    }
    *header_of(piece) = (struct header){.heap = h.heap, .size_class = h.size_class};
    struct thread_heap *heap = heaps[h.heap];
    if (heap == thread_heap) {
        piece->next = heap->freed[h.size_class];
        heap->freed[h.size_class] = piece;
    } else {
        push(&heap->returned, piece);
    }
}

/* --- threads --- */

void thread_heap_begin(void)
{
    if (SANITIZED_ADDRESS || SANITIZED_THREAD)
        return;
    unsigned number = __atomic_fetch_add(&num_heaps, 1, __ATOMIC_RELAXED);
    char *segment = number < MAX_HEAPS ? map_segment(SEGMENT) : NULL;
    if (!segment)
        return;
    struct thread_heap *heap = (struct thread_heap *)segment;
    heap->number = (uint16_t)number;
    heap->at = first_piece((char *)(heap + 1));
    heap->end = segment + SEGMENT;
    heaps[number] = heap;
    thread_heap = heap;
}

void thread_heap_leave(void *p)
{
    push(&left_over, p);
}

void *thread_heap_left(void)
{
    if (!__atomic_load_n(&left_over, __ATOMIC_RELAXED))
        return NULL;
    return __atomic_exchange_n(&left_over, NULL, __ATOMIC_ACQUIRE);
}
