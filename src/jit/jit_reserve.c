/* SPDX-License-Identifier: MIT */
/*
 * Pieces come in classes of size, four to a doubling, each with a header; freed ones wait in a list of
 * their class. All of it is under one lock: it is for emergencies.
 */
#include "jit/jit_reserve.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/macros.h"

#define GRANULE 16u
#define CLASSES 160

struct freed {
    struct freed *next;
};

/* Right before what is handed out. */
struct header {
    uint32_t size_class;
    uint32_t offset; /* of what is handed out from the piece's start */
};

struct jit_reserve {
    struct jit_reserve *next, *outer; /* of all; of the thread */
    char *start, *at, *end;           /* memory from `at` on has never been used */
    size_t pieces;                    /* that are not freed */
    bool open;
    struct freed *freed[CLASSES];
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
static size_t pieces; /* of all reserves; atomic */
static _Thread_local struct jit_reserve *current __attribute__((tls_model("initial-exec")));
static _Thread_local unsigned uses_last __attribute__((tls_model("initial-exec")));

/* --- classes --- */

static unsigned class_of(size_t size)
{
    if (size <= 8 * GRANULE)
        return (unsigned)(MAX2(size, 1) - 1) / GRANULE;
    unsigned shift = 61 - (unsigned)__builtin_clzl(size - 1); /* 4 << shift < size <= 8 << shift */
    return 8 + (shift - 5) * 4 + (unsigned)((size - 1) >> shift) - 4;
}

static size_t class_size(unsigned size_class)
{
    if (size_class < 8)
        return (size_class + 1) * GRANULE;
    return (size_t)(5 + (size_class - 8) % 4) << ((size_class - 8) / 4 + 5);
}

/* --- pieces; under the lock --- */

static void *take(struct jit_reserve *r, size_t size, size_t align)
{
    if (size > (size_t)1 << 40 || align > 1u << 20)
        return NULL;
    unsigned size_class = class_of(sizeof(struct header) + size + align);
    size_t bytes = class_size(size_class);
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

static struct jit_reserve *owner_of(const void *p)
{
    for (struct jit_reserve *r = all; r; r = r->next)
        if ((const char *)p >= r->start && (const char *)p < r->end)
            return r;
    return NULL;
}

static size_t room_of(const void *p)
{
    const struct header *h = (const struct header *)p - 1;
    return class_size(h->size_class) - h->offset;
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

/* --- what is under the lock for the functions below --- */

static void *emergency(size_t size, size_t align)
{
    if (!current && !uses_last)
        return NULL;
    pthread_mutex_lock(&lock);
    void *p = current ? take(current, size, align) : NULL;
    if (!p)
        p = take(&last, size, align);
    pthread_mutex_unlock(&lock);
    return p;
}

/* False: p is none of the pieces. */
static bool free_piece(void *p)
{
    pthread_mutex_lock(&lock);
    struct jit_reserve *r = owner_of(p);
    if (r)
        give_back(r, p);
    pthread_mutex_unlock(&lock);
    return r;
}

/* Bytes at p if that is a piece, else 0. */
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
    } else { /* what LLVM keeps: without the pages that were not used */
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

void *__wrap_malloc(size_t size)
{
    void *p = __real_malloc(size);
    return p ? p : emergency(size, GRANULE);
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes;
    void *p = __real_calloc(count, size);
    if (p || __builtin_mul_overflow(count, size, &bytes))
        return p;
    p = emergency(bytes, GRANULE);
    return p ? memset(p, 0, bytes) : NULL;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    void *p = __real_aligned_alloc(align, size);
    return p ? p : emergency(size, MAX2(align, GRANULE));
}

int __wrap_posix_memalign(void **p, size_t align, size_t size)
{
    int error = __real_posix_memalign(p, align, size);
    if (error != ENOMEM)
        return error;
    void *piece = emergency(size, MAX2(align, GRANULE));
    if (piece)
        *p = piece;
    return piece ? 0 : error;
}

void *__wrap_realloc(void *old, size_t size)
{
    size_t room = old && any_pieces() ? piece_room(old) : 0;
    void *p;
    if (!room) {
        p = __real_realloc(old, size);
        if (p || !size)
            return p;
        room = old ? malloc_usable_size(old) : 0;
        p = emergency(size, GRANULE);
    } else {
        p = __wrap_malloc(size);
    }
    if (p && old) {
        memcpy(p, old, MIN2(room, size));
        __wrap_free(old);
    }
    return p;
}

void __wrap_free(void *p)
{
    if (p && any_pieces() && free_piece(p))
        return;
    __real_free(p);
}
