/* SPDX-License-Identifier: MIT */
/*
 * Allocation from reserves, and the wrappers of the C library's allocation functions.
 *
 * Each block of a reserve ("piece") has a header. Its size is one of the size classes, four per
 * power of two. Freed pieces are kept in a list per class. One lock protects all reserves, because
 * they are used only in emergencies.
 */
#include "jit/jit_reserve.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "jit/jit_guard.h"
#include "util/fork_lock.h"
#include "util/size_class.h"
#include "util/thread_heap.h"

/* A free piece. */
struct freed {
    struct freed *next;
};

/* Header directly before the memory that the caller gets. */
struct header {
    uint32_t size_class;
    uint32_t offset; /* bytes from the piece's start to the memory that the caller gets */
};

struct jit_reserve {
    /* Next reserve of the process; next outer reserve of the thread. */
    struct jit_reserve *next, *outer;
    char *start, *at, *end; /* memory; the part from `at` on has never been used */
    size_t pieces;          /* number of allocated pieces */
    bool open;
    struct freed *freed[SIZE_CLASS_COUNT]; /* free pieces by size class */
};

static char last_memory[1 << 20];
static struct jit_reserve last = {
    .start = last_memory,
    .at = last_memory,
    .end = last_memory + sizeof last_memory,
    .open = true,
};
static struct jit_reserve *all = &last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_LOCK(lock);
static size_t pieces; /* allocated pieces of all reserves; atomic */
static _Thread_local struct jit_reserve *current __attribute__((tls_model("initial-exec")));
static _Thread_local unsigned uses_last __attribute__((tls_model("initial-exec")));

/* --- pieces; the lock must be held --- */

static void *take(struct jit_reserve *r, size_t size, size_t align)
{
    if (size > (size_t)1 << 40 || align > 1u << 20)
        return NULL;
    unsigned size_class = size_class_of(sizeof(struct header) + size + align);
    size_t bytes = size_class_bytes(size_class);
    char *piece = (char *)r->freed[size_class];
    if (piece) {
        r->freed[size_class] = r->freed[size_class]->next;
    } else if (bytes <= (size_t)(r->end - r->at)) {
        piece = r->at;
        r->at += bytes;
    } else {
        return NULL;
    }
    char *p = (char *)ALIGN_POT((uintptr_t)piece + sizeof(struct header), align);
    ((struct header *)p)[-1] = (struct header){size_class, (uint32_t)(p - piece)};
    r->pieces++;
    __atomic_add_fetch(&pieces, 1, __ATOMIC_RELAXED);
    return p;
}

/* Returns the reserve that contains p, or NULL. */
static struct jit_reserve *owner_of(const void *p)
{
    for (struct jit_reserve *r = all; r; r = r->next)
        if ((const char *)p >= r->start && (const char *)p < r->end)
            return r;
    return NULL;
}

/* Returns the usable size of a piece. */
static size_t room_of(const void *p)
{
    const struct header *h = (const struct header *)p - 1;
    return size_class_bytes(h->size_class) - h->offset;
}

static void unmap(struct jit_reserve *r)
{
    struct jit_reserve **link = &all;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    munmap(r, (size_t)(r->end - (char *)r));
}

static void give_back(struct jit_reserve *r, void *p)
{
    const struct header *h = (const struct header *)p - 1;
    unsigned size_class = h->size_class;
    struct freed *piece = (struct freed *)((char *)p - h->offset);
    piece->next = r->freed[size_class];
    r->freed[size_class] = piece;
    __atomic_sub_fetch(&pieces, 1, __ATOMIC_RELAXED);
    if (!--r->pieces && !r->open)
        unmap(r);
}

/* --- pieces; these functions take the lock --- */

/* Allocates from the thread's reserve, else from the last one, if the thread has a reserve or may
 * use the last one. Otherwise reports that memory is exhausted and returns NULL. */
static void *emergency(size_t size, size_t align)
{
    void *p = NULL;
    if (current || uses_last) {
        pthread_mutex_lock(&lock);
        p = current ? take(current, size, align) : NULL;
        if (!p)
            p = take(&last, size, align);
        pthread_mutex_unlock(&lock);
    }
    if (!p)
        jit_guard_out_of_memory();
    return p;
}

/* Frees p if it is a piece; otherwise returns false. */
static bool free_piece(void *p)
{
    pthread_mutex_lock(&lock);
    struct jit_reserve *r = owner_of(p);
    if (r)
        give_back(r, p);
    pthread_mutex_unlock(&lock);
    return r;
}

/* Returns the usable size of p if it is a piece, otherwise 0. */
static size_t piece_room(const void *p)
{
    pthread_mutex_lock(&lock);
    size_t room = owner_of(p) ? room_of(p) : 0;
    pthread_mutex_unlock(&lock);
    return room;
}

static bool any_pieces(void)
{
    return __builtin_expect(__atomic_load_n(&pieces, __ATOMIC_RELAXED) != 0, false);
}

/* --- reserves --- */

struct jit_reserve *jit_reserve_open(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    bytes = ALIGN_POT(bytes + sizeof(struct jit_reserve), page);
    struct jit_reserve *r =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (r == MAP_FAILED)
        return NULL;
    r->start = r->at = (char *)(r + 1);
    r->end = (char *)r + bytes;
    r->open = true;
    r->outer = current;
    current = r;
    pthread_mutex_lock(&lock);
    r->next = all;
    all = r;
    pthread_mutex_unlock(&lock);
    return r;
}

void jit_reserve_close(struct jit_reserve *r)
{
    current = r->outer;
    pthread_mutex_lock(&lock);
    r->open = false;
    if (!r->pieces) {
        unmap(r);
    } else { /* LLVM keeps some pieces: unmap only the unused pages */
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        char *unused = (char *)ALIGN_POT((uintptr_t)r->at, page);
        if (unused < r->end && !munmap(unused, (size_t)(r->end - unused)))
            r->end = unused;
    }
    pthread_mutex_unlock(&lock);
}

void jit_reserve_open_last(void)
{
    uses_last++;
}

void jit_reserve_close_last(void)
{
    uses_last--;
}

/* --- the C library's functions (--wrap) --- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
int __real_posix_memalign(void **p, size_t align, size_t size);
void __real_free(void *p);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
int __wrap_posix_memalign(void **p, size_t align, size_t size);
void __wrap_free(void *p);

/* Allocates from the thread's heap if it has one, otherwise by malloc. */
static void *ordinary(size_t size)
{
    return thread_heap_is_used() ? thread_heap_alloc(size, SIZE_CLASS_GRANULE)
                                 : __real_malloc(size);
}

static void *ordinary_zeroed(size_t count, size_t size)
{
    size_t bytes;
    if (!thread_heap_is_used())
        return __real_calloc(count, size);
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *p = thread_heap_alloc(bytes, SIZE_CLASS_GRANULE);
    return p ? memset(p, 0, bytes) : NULL;
}

static void *ordinary_aligned(size_t align, size_t size)
{
    return thread_heap_is_used() ? thread_heap_alloc(size, MAX2(align, SIZE_CLASS_GRANULE))
                                 : __real_aligned_alloc(align, size);
}

void *__wrap_malloc(size_t size)
{
    void *p = ordinary(size);
    return p ? p : emergency(size, SIZE_CLASS_GRANULE);
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes;
    void *p = ordinary_zeroed(count, size);
    if (p || __builtin_mul_overflow(count, size, &bytes))
        return p;
    p = emergency(bytes, SIZE_CLASS_GRANULE);
    return p ? memset(p, 0, bytes) : NULL;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    void *p = ordinary_aligned(align, size);
    return p ? p : emergency(size, MAX2(align, SIZE_CLASS_GRANULE));
}

int __wrap_posix_memalign(void **p, size_t align, size_t size)
{
    void *piece = NULL;
    if (!thread_heap_is_used()) {
        int error = __real_posix_memalign(p, align, size);
        if (error != ENOMEM)
            return error;
    } else {
        piece = thread_heap_alloc(size, MAX2(align, SIZE_CLASS_GRANULE));
    }
    if (!piece)
        piece = emergency(size, MAX2(align, SIZE_CLASS_GRANULE));
    if (piece)
        *p = piece;
    return piece ? 0 : ENOMEM;
}

/* Returns the usable size of p if it belongs to a reserve or a thread heap; 0 if it is the C
 * library's. p isn't NULL. */
static size_t own_room(const void *p)
{
    size_t room = any_pieces() ? piece_room(p) : 0;
    return room || !thread_heap_contains(p) ? room : thread_heap_usable_size(p);
}

void *__wrap_realloc(void *old, size_t size)
{
    size_t room = old ? own_room(old) : 0;
    void *p;
    if (room >= size && room / 2 <= size && size)
        return old;
    if (!room && !thread_heap_is_used()) {
        p = __real_realloc(old, size);
        if (p || !size)
            return p;
        p = emergency(size, SIZE_CLASS_GRANULE);
    } else {
        p = __wrap_malloc(size);
    }
    if (p && old) {
        memcpy(p, old, MIN2(room ? room : malloc_usable_size(old), size));
        __wrap_free(old);
    }
    return p;
}

/* Frees the C library's blocks that threads with their own heaps have deferred to this thread. */
static void free_left(void)
{
    for (void *p = thread_heap_take_deferred(), *next; p; p = next) {
        memcpy(&next, p, sizeof next);
        __real_free(p);
    }
}

void __wrap_free(void *p)
{
    if (!p || (any_pieces() && free_piece(p)))
        return;
    if (thread_heap_contains(p)) {
        thread_heap_free(p);
    } else if (thread_heap_is_used()) {
        thread_heap_defer_free(p);
    } else {
        __real_free(p);
        free_left();
    }
}

/* --- the C library's functions that allocate themselves (--wrap) --- */

typedef int compare_fn(const void *a, const void *b);
void __real_qsort(void *array, size_t count, size_t size, compare_fn *compare);
void __wrap_qsort(void *array, size_t count, size_t size, compare_fn *compare);
char *__wrap_strdup(const char *text);

char *__wrap_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = __wrap_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

/* Merges the sorted ranges [from, middle) and [middle, to) to `out`. The merge is stable. */
static void merge(char *out, const char *from, const char *middle, const char *to, size_t size,
                  compare_fn *compare)
{
    const char *a = from, *b = middle;
    while (a < middle && b < to) {
        const char **next = compare(a, b) <= 0 ? &a : &b;
        memcpy(out, *next, size);
        *next += size;
        out += size;
    }
    memcpy(out, a, (size_t)(middle - a));
    memcpy(out + (middle - a), b, (size_t)(to - b));
}

/* Sorts stably, like the C library's merge sort, which allocates memory for large arrays. On a
 * thread with its own heap, this function takes that memory from the heap. */
void __wrap_qsort(void *array, size_t count, size_t size, compare_fn *compare)
{
    size_t bytes;
    char *from = array, *to = NULL;
    if (thread_heap_is_used() && !__builtin_mul_overflow(count, size, &bytes) && bytes >= 1024)
        to = __wrap_malloc(bytes);
    if (!to) {
        __real_qsort(array, count, size, compare);
        return;
    }
    char *room = to;
    for (size_t run = size; run < bytes; run *= 2) {
        for (size_t at = 0; at < bytes; at += 2 * run)
            merge(to + at, from + at, from + MIN2(at + run, bytes),
                  from + MIN2(at + 2 * run, bytes), size, compare);
        char *sorted = to;
        to = from;
        from = sorted;
    }
    if (from == room)
        memcpy(array, room, bytes);
    __wrap_free(room);
}
