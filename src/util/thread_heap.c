/* SPDX-License-Identifier: MIT */
/*
 * Blocks have size classes (size_class.h) and a header. Each heap keeps free blocks in one list per
 * class and cuts new blocks from its current segment; only the owner accesses these. Other threads
 * push blocks that they free onto a lock-free stack, which the owner takes as a whole when a list
 * runs out. Segments are aligned to their size and count their used blocks. Trimming unmaps
 * segments without used blocks. In the other segments, it releases pages without used blocks
 * (MADV_DONTNEED). New blocks may be cut from those pages again. Pages are counted in units of 4
 * KiB. If the system's pages are larger, those that lie in a run of free units are released.
 *
 * A two-level bitmap with one bit per 64 KB records which addresses belong to heaps. Segments
 * consist of such granules.
 */
#include "util/thread_heap.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/macros.h"
#include "util/mapping.h"
#include "util/sanitize.h"
#include "util/size_class.h"

#define GRANULE    ((size_t)1 << THREAD_HEAP_GRANULE_BITS)
#define SEGMENT    ((size_t)2 << 20)
#define LARGEST    (SEGMENT / 8)    /* largest size class; a larger block has its own segment */
#define LARGE      SIZE_CLASS_COUNT /* stands for the class of a larger block */
#define MOST_ALIGN SEGMENT
#define PAGE       ((size_t)4096)
#define PAGES      (SEGMENT / PAGE)
#define LEAST_RUN  (3 * PAGE) /* minimum number of adjacent bytes to release */
#define MAX_HEAPS  4096
#define LEAF_BITS  THREAD_HEAP_LEAF_BITS

/* Header directly before the memory that the caller gets. It is also the start of a block; a block
 * has at least this size. */
struct header {
    _Alignas(SIZE_CLASS_GRANULE) struct header *next; /* next free block */
    uint32_t offset; /* distance from the block's start; nonzero if alignment moved the header */
    uint16_t heap, size_class;
};

/* Start of a segment of small blocks. */
struct segment {
    struct segment *next; /* next segment of the heap */
    size_t pieces;        /* blocks that are not in the heap's free lists */
    /* The next fields are valid only during a trim. */
    bool unused;
    uint16_t free[PAGES]; /* bytes of each page that belong to free blocks */
};

/* Start of a range of free memory whose whole pages after this struct have been released. */
struct range {
    struct range *next; /* next range of the heap */
    char *end;
    size_t unmapped; /* bytes of the released pages */
};

struct thread_heap {
    struct segment first; /* segment that contains this struct */
    uint16_t number;
    size_t bytes;   /* bytes of segments of small blocks, minus released pages */
    char *at, *end; /* uncut part of the current segment or range */
    struct range *ranges;
    struct header *freed[SIZE_CLASS_COUNT];
    /* atomic: blocks freed by other threads */
    struct header *returned __attribute__((aligned(64)));
};

_Thread_local struct thread_heap *thread_heap;
uint64_t *thread_heap_leaves[THREAD_HEAP_LEAVES];
static struct thread_heap *heaps[MAX_HEAPS];
static unsigned num_heaps;       /* atomic */
static struct header *left_over; /* atomic: list of the C library's memory, linked by `next` */

/* --- segments --- */

/* Creates a leaf of the bitmap unless it exists. Returns false if out of memory. */
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
        munmap(leaf, bytes); /* another thread created it first */
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

/* Sets or clears the bits of a segment whose leaves exist. */
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

/* Maps a segment. `bytes` is a multiple of the granule; align is a power of two and a multiple of
 * it. */
static char *map_segment(size_t bytes, size_t align)
{
    char *segment = map_aligned(bytes, align);
    if (!segment)
        return NULL;
    if (!make_leaves(segment, bytes)) {
        munmap(segment, bytes);
        return NULL;
    }
    mark(segment, bytes, true);
    return segment;
}

/* --- pieces --- */

_Static_assert(sizeof(struct header) == SIZE_CLASS_GRANULE, "pieces lie side by side");

static struct header *header_of(const void *p)
{
    return (struct header *)p - 1;
}

static char *align(char *p)
{
    return (char *)ALIGN_POT((uintptr_t)p, SIZE_CLASS_GRANULE);
}

static struct segment *segment_of(const void *p)
{
    return (struct segment *)((uintptr_t)p & ~(SEGMENT - 1));
}

static void put_into_list(struct thread_heap *heap, struct header *piece)
{
    struct header **list = &heap->freed[piece->size_class];
    piece->next = *list;
    *list = piece;
}

/* Moves blocks freed by other threads to the free lists. */
static void collect(struct thread_heap *heap)
{
    struct header *piece = __atomic_exchange_n(&heap->returned, NULL, __ATOMIC_ACQUIRE), *next;
    for (; piece; piece = next) {
        next = piece->next;
        put_into_list(heap, piece);
        segment_of(piece)->pieces--;
    }
}

static struct header *take_freed(struct thread_heap *heap, unsigned size_class)
{
    struct header **list = &heap->freed[size_class], *piece;
    if (!*list && __atomic_load_n(&heap->returned, __ATOMIC_RELAXED))
        collect(heap);
    piece = *list;
    if (piece)
        *list = piece->next;
    return piece;
}

/* Splits the range between two multiples of SIZE_CLASS_GRANULE into free blocks. */
static void add_free(struct thread_heap *heap, char *from, char *to)
{
    while (from < to) {
        size_t bytes = MIN2((size_t)(to - from), LARGEST);
        unsigned size_class = size_class_of(bytes);
        size_class -= size_class_bytes(size_class) > bytes;
        struct header *piece = (struct header *)from;
        piece->size_class = (uint16_t)size_class;
        put_into_list(heap, piece);
        from += size_class_bytes(size_class);
    }
}

static bool add_segment(struct thread_heap *heap)
{
    struct segment *segment = (struct segment *)map_segment(SEGMENT, SEGMENT);
    if (!segment)
        return false;
    segment->next = heap->first.next;
    heap->first.next = segment;
    heap->bytes += SEGMENT;
    heap->at = align((char *)(segment + 1));
    heap->end = (char *)segment + SEGMENT;
    return true;
}

/* Makes a range of at least that many bytes the current one. Returns false if there is none. */
static bool take_range(struct thread_heap *heap, size_t bytes)
{
    struct range *range = heap->ranges;
    if (!range || bytes > (size_t)(range->end - (char *)range))
        return false;
    heap->ranges = range->next;
    heap->at = (char *)range;
    heap->end = range->end;
    heap->bytes += range->unmapped;
    return true;
}

static struct header *cut(struct thread_heap *heap, size_t bytes)
{
    char *at = heap->at, *end = heap->end;
    if (bytes > (size_t)(end - at)) {
        if (!take_range(heap, bytes) && !add_segment(heap))
            return NULL;
        add_free(heap, at, end);
    }
    char *piece = heap->at;
    heap->at += bytes;
    return (struct header *)piece;
}

/* Creates a block with its own segment, which starts with its size. */
static struct header *make_large(size_t bytes)
{
    bytes = ALIGN_POT(bytes + SIZE_CLASS_GRANULE, GRANULE);
    char *segment = map_segment(bytes, GRANULE);
    if (!segment)
        return NULL;
    *(size_t *)segment = bytes;
    return (struct header *)align(segment + sizeof(size_t));
}

static size_t *large_bytes(struct header *piece)
{
    return (size_t *)((uintptr_t)piece & ~(GRANULE - 1));
}

void *thread_heap_alloc(size_t size, size_t align)
{
    struct thread_heap *heap = thread_heap;
    if (!heap || size > SIZE_MAX / 4 || align > MOST_ALIGN)
        return NULL;
    size_t bytes = sizeof(struct header) + MAX2(size, 1) + (align > SIZE_CLASS_GRANULE ? align : 0);
    unsigned size_class = LARGE;
    struct header *piece;
    if (bytes <= LARGEST) {
        size_class = size_class_of(bytes);
        piece = take_freed(heap, size_class);
        if (!piece)
            piece = cut(heap, size_class_bytes(size_class));
        if (piece)
            segment_of(piece)->pieces++;
    } else {
        piece = make_large(bytes);
    }
    if (!piece)
        return NULL;
    char *p = (char *)ALIGN_POT((uintptr_t)(piece + 1), MAX2(align, SIZE_CLASS_GRANULE));
    *header_of(p) = (struct header){
        .offset = (uint32_t)(p - (char *)(piece + 1)),
        .heap = heap->number,
        .size_class = (uint16_t)size_class,
    };
    return p;
}

static struct header *piece_of(const void *p)
{
    return header_of((const char *)p - header_of(p)->offset);
}

size_t thread_heap_usable_size(const void *p)
{
    struct header *piece = piece_of(p);
    const char *end = (char *)piece;
    if (header_of(p)->size_class == LARGE)
        end = (char *)large_bytes(piece) + *large_bytes(piece);
    else
        end += size_class_bytes(header_of(p)->size_class);
    return (size_t)(end - (const char *)p);
}

static void push(struct header **stack, struct header *piece)
{
    piece->next = __atomic_load_n(stack, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(stack, &piece->next, piece, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
        ;
}

void thread_heap_free(void *p)
{
    const struct header h = *header_of(p);
    struct header *piece = piece_of(p);
    if (h.size_class == LARGE) {
        size_t *segment = large_bytes(piece);
        unmap_segment((char *)segment, *segment);
        return;
    }
    struct thread_heap *heap = heaps[h.heap];
    piece->size_class = h.size_class;
    if (heap == thread_heap) {
        put_into_list(heap, piece);
        segment_of(piece)->pieces--;
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
    char *segment = number < MAX_HEAPS ? map_segment(SEGMENT, SEGMENT) : NULL;
    if (!segment)
        return;
    struct thread_heap *heap = (struct thread_heap *)segment;
    heap->number = (uint16_t)number;
    heap->bytes = SEGMENT;
    heap->at = align((char *)(heap + 1));
    heap->end = segment + SEGMENT;
    heaps[number] = heap;
    thread_heap = heap;
}

size_t thread_heap_bytes(void)
{
    return thread_heap ? thread_heap->bytes : 0;
}

/* --- Trimming --- */

/* Location of a block, in bytes from the start of its segment. */
struct extent {
    struct segment *segment;
    size_t from, to;
};

static struct extent extent_of(const struct header *piece, unsigned size_class)
{
    struct segment *segment = segment_of(piece);
    size_t from = (size_t)((const char *)piece - (char *)segment);
    return (struct extent){segment, from, from + size_class_bytes(size_class)};
}

static void count_free_bytes(struct thread_heap *heap)
{
    for (struct segment *s = &heap->first; s; s = s->next)
        memset(s->free, 0, sizeof s->free);
    for (unsigned i = 0; i < ARRAY_SIZE(heap->freed); i++)
        for (const struct header *piece = heap->freed[i]; piece; piece = piece->next) {
            const struct extent e = extent_of(piece, i);
            for (size_t at = e.from, end; at < e.to; at = end) {
                end = MIN2(ALIGN_POT(at + 1, PAGE), e.to);
                e.segment->free[at / PAGE] += (uint16_t)(end - at);
            }
        }
}

static bool is_given_back(const struct segment *s, size_t page)
{
    return s->unused || s->free[page] == PAGE;
}

/* Returns the bytes of the system's pages that lie between the unit after `page` and the unit
 * `end`, and sets *from to their start. The unit `page` holds the struct range. */
static size_t whole_pages(struct segment *s, size_t page, size_t end, char **from)
{
    const uintptr_t system_page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ALIGN_POT((uintptr_t)s + (page + 1) * PAGE, system_page),
                    last = ((uintptr_t)s + end * PAGE) & ~(system_page - 1);
    *from = (char *)first;
    return first < last ? last - first : 0;
}

/* Marks pages as not free, so that they are kept, if their run has less than LEAST_RUN bytes to
 * release. */
static void keep_short_runs(struct segment *s)
{
    char *from;
    for (size_t page = 0, end; page < PAGES; page = end + 1) {
        for (end = page; end < PAGES && s->free[end] == PAGE; end++)
            ;
        if (whole_pages(s, page, end, &from) < LEAST_RUN)
            memset(&s->free[page], 0, (end - page) * sizeof *s->free);
    }
}

/* Removes the blocks of a list that lie on pages to unmap or release. Their parts on other pages
 * become free blocks. */
static void forget_pieces(struct thread_heap *heap, unsigned size_class)
{
    for (struct header **list = &heap->freed[size_class]; *list;) {
        const struct extent e = extent_of(*list, size_class);
        const size_t pages = DIV_ROUND_UP(e.to, PAGE);
        size_t first = e.from / PAGE, end;
        while (first < pages && !is_given_back(e.segment, first))
            first++;
        for (end = first; end < pages && is_given_back(e.segment, end); end++)
            ;
        if (first == end) {
            list = &(*list)->next;
            continue;
        }
        char *base = (char *)e.segment;
        *list = (*list)->next;
        add_free(heap, base + e.from, base + first * PAGE);
        add_free(heap, base + end * PAGE, base + e.to);
    }
}

/* Removes ranges in segments that are unmapped as a whole. */
static void forget_ranges(struct thread_heap *heap)
{
    for (struct range **list = &heap->ranges, *range; (range = *list);) {
        if (segment_of(range)->unused) {
            *list = range->next;
            heap->bytes += range->unmapped;
        } else {
            list = &range->next;
        }
    }
}

static void give_back_runs(struct thread_heap *heap, struct segment *s)
{
    for (size_t page = 0, end; page < PAGES; page = end + 1) {
        for (end = page; end < PAGES && s->free[end] == PAGE; end++)
            ;
        if (end == page)
            continue;
        char *from;
        const size_t bytes = whole_pages(s, page, end, &from);
        struct range *range = (struct range *)((char *)s + page * PAGE);
        *range = (struct range){heap->ranges, (char *)s + end * PAGE, bytes};
        madvise(from, bytes, MADV_DONTNEED);
        heap->ranges = range;
        heap->bytes -= bytes;
    }
}

static void give_back_segments(struct thread_heap *heap)
{
    for (struct segment **link = &heap->first.next, *s; (s = *link);) {
        if (s->unused) {
            *link = s->next;
            heap->bytes -= SEGMENT;
            unmap_segment((char *)s, SEGMENT);
        } else {
            link = &s->next;
        }
    }
}

void thread_heap_trim(void)
{
    struct thread_heap *heap = thread_heap;
    if (!heap)
        return;
    collect(heap);
    for (struct segment *s = heap->first.next; s; s = s->next)
        s->unused = !s->pieces && s != segment_of(heap->end - 1);
    count_free_bytes(heap);
    for (struct segment *s = &heap->first; s; s = s->next)
        keep_short_runs(s);
    for (unsigned i = 0; i < ARRAY_SIZE(heap->freed); i++)
        forget_pieces(heap, i);
    forget_ranges(heap);
    give_back_segments(heap);
    for (struct segment *s = &heap->first; s; s = s->next)
        give_back_runs(heap, s);
}

void thread_heap_defer_free(void *p)
{
    push(&left_over, p);
}

void *thread_heap_take_deferred(void)
{
    if (!__atomic_load_n(&left_over, __ATOMIC_RELAXED))
        return NULL;
    return __atomic_exchange_n(&left_over, NULL, __ATOMIC_ACQUIRE);
}
