/* SPDX-License-Identifier: MIT */
/* Storages next to inaccessible pages (INDIUM_DEBUG=guard): they are zero-filled and copied
 * correctly, reads before or after them fault, and so do reads after their last reference was
 * dropped. A fork while another thread uses their cache. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "driver/cpu/resource/cpu_storage.h"
#include "util/macros.h"

#define FAULTED 9

static void on_fault(int signal)
{
    _exit(FAULTED);
}

static bool faults(const volatile uint8_t *at)
{
    int status = 0;
    pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, on_fault);
        (void)*at;
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == FAULTED;
}

static void check_size(struct cpu_storage_cache *cache, size_t size)
{
    struct cpu_storage *s = cpu_storage_create(cache, size);
    assert_non_null(s);
    assert_int_equal((uintptr_t)s->data % 64, 0);
    size_t end = ALIGN_POT(size + CPU_STORAGE_PADDING, 64);
    for (size_t i = 0; i < end; i++)
        assert_int_equal(s->data[i], 0);
    assert_true(faults(s->data + end));
    assert_false(faults(s->data + end - 1));
    assert_false(faults(s->data));
    /* reads before the data in its first page are not detected */
    assert_true(faults((uint8_t *)((uintptr_t)s->data & -(uintptr_t)sysconf(_SC_PAGESIZE)) - 1));
    memset(s->data, 5, size);
    struct cpu_storage *clone = cpu_storage_clone(s);
    assert_non_null(clone);
    assert_memory_equal(clone->data, s->data, end);
    cpu_storage_release(s);
    cpu_storage_release(clone);
}

static void test_guards(void **state)
{
    static const size_t sizes[] = {0, 1, 63, 64, 4096 - 64, 4096, 100000, 1 << 20, (1 << 20) + 1};
    struct cpu_storage_cache cache;
    cpu_storage_cache_init(&cache);
    for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
        check_size(&cache, sizes[i]);
    cpu_storage_cache_finish(&cache);
}

/* A storage stays until its last reference is dropped. Then, with guards, its pages are
 * unmapped. */
static void test_references(void **state)
{
    struct cpu_storage_cache cache;
    cpu_storage_cache_init(&cache);
    struct cpu_storage *s = cpu_storage_create(&cache, 100000);
    assert_non_null(s);
    const uint8_t *data = s->data;
    cpu_storage_reference(s);
    cpu_storage_reference(s);
    cpu_storage_release(s);
    assert_false(faults(data));
    cpu_storage_release(s);
    assert_false(faults(data));
    cpu_storage_release(s);
    assert_true(faults(data));
    cpu_storage_release(NULL);
    cpu_storage_cache_finish(&cache);
}

/* A cache, and the state of a thread that holds its mutexes. */
struct holder {
    struct cpu_storage_cache cache;
    bool held, done; /* atomic */
};

static void *hold(void *data)
{
    struct holder *h = data;
    pthread_mutex_lock(&h->cache.mutex);
    pthread_mutex_lock(&h->cache.decode);
    __atomic_store_n(&h->held, true, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&h->done, __ATOMIC_SEQ_CST))
        usleep(1000);
    pthread_mutex_unlock(&h->cache.decode);
    pthread_mutex_unlock(&h->cache.mutex);
    return NULL;
}

/* The mutexes of a cache that another thread holds during a fork are free in the child. The fork
 * doesn't wait for them. */
static void test_fork(void **state)
{
    static struct holder h;
    pthread_t thread;
    int status;
    cpu_storage_cache_init(&h.cache);
    assert_int_equal(pthread_create(&thread, NULL, hold, &h), 0);
    while (!__atomic_load_n(&h.held, __ATOMIC_SEQ_CST))
        usleep(1000);
    alarm(30); /* ends a fork() that waits forever */
    pid_t child = fork();
    if (!child) {
        alarm(30);
        pthread_mutex_lock(&h.cache.mutex);
        pthread_mutex_lock(&h.cache.decode);
        _exit(h.cache.count ? 1 : 0);
    }
    alarm(0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    __atomic_store_n(&h.done, true, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    cpu_storage_cache_finish(&h.cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guards),
                                       cmocka_unit_test(test_references),
                                       cmocka_unit_test(test_fork)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
