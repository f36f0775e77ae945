/* SPDX-License-Identifier: MIT */
/* Tests of reserves (jit_reserve.h) and of the heaps of the thread pool's workers. */
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "jit/jit_reserve.h"
#include "util/macros.h"
#include "util/thread_heap.h"
#include "util/thread_pool.h"

#define LARGE ((size_t)64 << 20) /* more than malloc has in free blocks */

/* Forbids the process to map more address space, or allows it again. */
static void refuse_more(bool refuse)
{
    static struct rlimit before;
    if (refuse)
        getrlimit(RLIMIT_AS, &before);
    struct rlimit limit = {refuse ? 0 : before.rlim_cur, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

/* Allocated blocks; volatile, since compilers may remove unused allocations. */
static void *volatile p[200];

static void fill(unsigned i, size_t size)
{
    assert_non_null(p[i]);
    assert_int_equal((uintptr_t)p[i] % 16, 0);
    memset(p[i], (int)i, size);
}

static void check(unsigned i, size_t size)
{
    for (size_t at = 0; at < size; at += 1 + size / 1000)
        assert_int_equal(((uint8_t *)p[i])[at], (uint8_t)i);
}

static void test_pieces(void **state)
{
    struct jit_reserve *reserve = jit_reserve_open(4 * LARGE);
    assert_non_null(reserve);
    refuse_more(true);
    p[0] = malloc(LARGE);
    fill(0, LARGE);
    p[1] = calloc(LARGE / 8, 8);
    assert_non_null(p[1]);
    for (size_t i = 0; i < LARGE; i += 999)
        assert_int_equal(((uint8_t *)p[1])[i], 0);
    fill(1, LARGE);
    free(p[1]);
    p[1] = aligned_alloc(4096, LARGE); /* reuses the freed piece */
    assert_int_equal((uintptr_t)p[1] % 4096, 0);
    fill(1, LARGE);
    check(0, LARGE);
    assert_null(malloc(4 * LARGE));
    jit_reserve_close(reserve);
    assert_null(malloc(LARGE));
    refuse_more(false);
    check(0, LARGE);
    check(1, LARGE);
    p[0] = realloc(p[0], LARGE + 1); /* moves to malloc's memory */
    check(0, LARGE);
    free(p[0]);
    free(p[1]);
}

/* Pieces of all sizes, freed in another order. Freed memory must be reused. */
static void test_sizes(void **state)
{
    const size_t count = ARRAY_SIZE(p), bytes = 3 << 20;
    struct jit_reserve *reserve = jit_reserve_open(bytes);
    assert_non_null(reserve);
    refuse_more(true);
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned i = 0; i < count; i++) {
            p[i] = malloc(i * i / 4); /* malloc succeeds for some sizes */
            fill(i, i * i / 4);
        }
        for (unsigned i = 0; i < count; i++) {
            unsigned other = (unsigned)(i * 7 % count);
            check(other, other * other / 4);
            p[other] = realloc(p[other], other * other / 2);
            check(other, other * other / 4);
            free(p[other]);
        }
    }
    refuse_more(false);
    jit_reserve_close(reserve);
}

static void test_last(void **state)
{
    refuse_more(true);
    assert_null(malloc(LARGE));
    jit_reserve_open_last();
    p[0] = realloc(NULL, 300 << 10);
    fill(0, 300 << 10);
    jit_reserve_close_last();
    refuse_more(false);
    free(p[0]);
}

/* --- workers of the thread pool --- */

#define PIECES 400

static struct share {
    void *mine[PIECES];   /* allocated by the job, freed by other threads */
    void *theirs[PIECES]; /* allocated by the main thread, freed by the job */
    bool good;
} shares[16];

static size_t piece_size(unsigned i)
{
    return i % 50 == 49 ? (size_t)i << 10 : i * i / 8; /* large ones get their own segments */
}

static bool is_filled(const uint8_t *bytes, unsigned i, size_t size)
{
    for (size_t at = 0; at < size; at++)
        if (bytes[at] != (uint8_t)i)
            return false;
    return true;
}

struct element {
    int key, place;
};

static int by_key(const void *a, const void *b)
{
    return ((const struct element *)a)->key - ((const struct element *)b)->key;
}

static bool sorts(unsigned count)
{
    struct element *e = calloc(count + 1, sizeof *e);
    bool good = e;
    for (unsigned i = 0; e && i < count; i++)
        e[i] = (struct element){(int)(i * 7919 % 101), (int)i};
    qsort(e, count, sizeof *e, by_key);
    for (unsigned i = 1; good && i < count; i++)
        good = e[i - 1].key < e[i].key ||
               (e[i - 1].key == e[i].key && e[i - 1].place < e[i].place); /* stable */
    free(e);
    return good;
}

static void use_heap(void *data, unsigned index)
{
    struct share *share = &((struct share *)data)[index];
    bool good = thread_heap_is_used();
    for (unsigned i = 0; i < PIECES; i++) {
        const size_t size = piece_size(i), align = (size_t)16 << i % 18;
        void *zeroed = calloc(size + 1, 1);
        void *aligned = i % 9 ? NULL : aligned_alloc(align, size);
        good = good && zeroed && is_filled(zeroed, 0, size) && (uintptr_t)aligned % align == 0;
        if (aligned)
            memset(aligned, 0xee, size);
        free(share->mine[i]);
        share->mine[i] = malloc(size / 2);
        good = good && share->mine[i] && (uintptr_t)share->mine[i] % 16 == 0;
        memset(share->mine[i], (int)i, size / 2);
        share->mine[i] = realloc(share->mine[i], size);
        good = good && is_filled(share->mine[i], i, size / 2);
        memset(share->mine[i], (int)i, size);
        free(aligned);
        memset(zeroed, 0xdd, size);
        free(zeroed);
        good = good && is_filled(share->theirs[i], i, size);
        share->theirs[i] = realloc(share->theirs[i], size + i + 1);
        good = good && is_filled(share->theirs[i], i, size);
        free(share->theirs[i]);
        share->theirs[i] = NULL;
        if (i % 16 == index % 16)
            thread_heap_trim();
    }
    for (unsigned count = 0; count < 3000; count = count * 2 + 1)
        good = good && sorts(count);
    char *copy = strdup("some text");
    good = good && copy && !strcmp(copy, "some text");
    free(copy);
    volatile size_t too_much = SIZE_MAX / 2;
    /* volatile, because compilers assume that memory that is not used was available */
    void *volatile plain = malloc(too_much), *volatile zeroed = calloc(too_much, 3);
    share->good = good && !plain && !zeroed;
}

/* Runs jobs on workers only; thread_pool_wait would run some on this thread. */
static void run_jobs(struct job_group *group, void (*job)(void *data, unsigned index),
                     unsigned count)
{
    thread_pool_submit(group, THREAD_PRIORITY_NORMAL, job, shares, count);
    while (!thread_pool_done(group))
        sched_yield();
}

/* Returns whether the process has large inaccessible mappings, as glibc's per-thread arenas do. */
static bool has_arenas(void)
{
    char line[512], protection[8];
    unsigned long from, to;
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        assert_int_equal(sscanf(line, "%lx-%lx %7s", &from, &to, protection), 3);
        found |= !strncmp(protection, "---p", 4) && to - from > 16u << 20;
    }
    fclose(maps);
    return found;
}

static void test_threads(void **state)
{
    struct job_group group = {0};
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned j = 0; j < ARRAY_SIZE(shares); j++)
            for (unsigned i = 0; i < PIECES; i++) {
                shares[j].theirs[i] = malloc(piece_size(i));
                assert_non_null(shares[j].theirs[i]);
                memset(shares[j].theirs[i], (int)i, piece_size(i));
            }
        run_jobs(&group, use_heap, ARRAY_SIZE(shares));
        for (unsigned j = 0; j < ARRAY_SIZE(shares); j++) {
            assert_true(shares[j].good);
            /* Reallocate half of the blocks; the next worker with this share frees all of them. */
            for (unsigned i = round % 2; i < PIECES; i += 2) {
                assert_true(is_filled(shares[j].mine[i], i, piece_size(i)));
                shares[j].mine[i] = realloc(shares[j].mine[i], 2 * piece_size(i) + 1);
                assert_true(is_filled(shares[j].mine[i], i, piece_size(i)));
            }
        }
    }
    for (unsigned j = 0; j < ARRAY_SIZE(shares); j++)
        for (unsigned i = 0; i < PIECES; i++)
            free(shares[j].mine[i]);
    assert_false(has_arenas());
}

/* thread_heap_trim returns freed memory to the system, except for pages with live blocks. Freed
 * memory is reused. */
static void trim(void *data, unsigned index)
{
    enum { COUNT = 20000, LEFT = 1000, BYTES = 1000 };
    static uint8_t *piece[ARRAY_SIZE(shares)][COUNT];
    struct share *share = &((struct share *)data)[index];
    size_t most = 0;
    bool good = true;
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            if (i % LEFT == 0 && round)
                continue;
            piece[index][i] = malloc(BYTES);
            good = good && piece[index][i];
            if (piece[index][i])
                memset(piece[index][i], (int)i, BYTES);
        }
        good = good && thread_heap_bytes() > (size_t)COUNT * BYTES;
        good = good && (!round || thread_heap_bytes() < most + most / 4);
        most = MAX2(most, thread_heap_bytes());
        for (unsigned i = 0; i < COUNT; i++)
            if (i % LEFT)
                free(piece[index][i]);
        thread_heap_trim();
        good = good && thread_heap_bytes() < most / 4;
        for (unsigned i = 0; i < COUNT; i += LEFT)
            good = good && is_filled(piece[index][i], i, BYTES);
    }
    for (unsigned i = 0; i < COUNT; i += LEFT)
        free(piece[index][i]);
    thread_heap_trim();
    share->good = good;
}

static size_t page_bytes; /* a page size to pretend; 0: the system's */
static bool unmapped;     /* atomic: memory was returned to the system */

/* Replaces the C library's function. */
long sysconf(int name)
{
    if (name == _SC_PAGESIZE)
        return page_bytes ? (long)page_bytes : (long)getauxval(AT_PAGESZ);
    long (*next)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");
    return next(name);
}

/* Replaces the C library's function by one for such pages (madvise(2)): the start must be
 * aligned, and the size is rounded up to whole pages. */
int madvise(void *start, size_t bytes, int advice)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if ((uintptr_t)start % page) {
        errno = EINVAL;
        return -1;
    }
    __atomic_store_n(&unmapped, true, __ATOMIC_RELAXED);
    return (int)syscall(SYS_madvise, start, ALIGN_POT(bytes, page), advice);
}

static void test_trim(void **state)
{
    for (page_bytes = getauxval(AT_PAGESZ); page_bytes <= 65536; page_bytes *= 4) {
        struct job_group group = {0};
        unmapped = false;
        run_jobs(&group, trim, 4);
        for (unsigned i = 0; i < 4; i++)
            assert_true(shares[i].good);
        assert_true(unmapped);
    }
    page_bytes = 0;
}

/* Replaces the C library's function by a clock that stands still, like libraries preloaded to make
 * programs deterministic. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    *t = (struct timespec){.tv_sec = 1};
    return 0;
}

static void leave_pieces(void *data, unsigned index)
{
    enum { COUNT = 8000, BYTES = 1000 };
    static uint8_t *piece[COUNT];
    struct share *share = &((struct share *)data)[index];
    for (unsigned i = 0; i < COUNT; i++)
        piece[i] = malloc(BYTES);
    share->good = thread_heap_bytes() >= COUNT * BYTES;
    for (unsigned i = 0; i < COUNT; i++)
        free(piece[i]);
}

/* Returns how often threads of the process have begun to wait. */
static long waits(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
}

/* A worker that waits to trim its heap sleeps, even if the clock stands still. */
static void test_stopped_clock(void **state)
{
    struct job_group group = {0};
    run_jobs(&group, leave_pieces, 1);
    assert_true(shares[0].good);
    long before = waits();
    usleep(300000);
    assert_true(waits() - before < 20);
}

static void use_reserve(void *data, unsigned index)
{
    struct share *share = &((struct share *)data)[index];
    struct jit_reserve *reserve = jit_reserve_open(3 * LARGE);
    share->good = reserve;
    refuse_more(true);
    /* volatile as above */
    void *volatile first = malloc(LARGE), *volatile second = calloc(LARGE, 1);
    void *volatile third = malloc(LARGE);
    refuse_more(false);
    share->good = share->good && first && second && !third;
    free(first);
    free(second);
    if (reserve)
        jit_reserve_close(reserve);
}

/* Reserves work on threads with their own heaps, too. */
static void test_thread_reserve(void **state)
{
    struct job_group group = {0};
    run_jobs(&group, use_reserve, 1);
    assert_true(shares[0].good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_last),
        cmocka_unit_test(test_threads), /* after the tests that need a small malloc heap */
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_stopped_clock),
        cmocka_unit_test(test_thread_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
