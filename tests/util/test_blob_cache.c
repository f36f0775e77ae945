/* SPDX-License-Identifier: MIT */
/* The cache that an application provides: a fork while another thread runs one of its functions. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/blob_cache.h"

static const int owner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static bool blocks, entered, leave;
static unsigned stored;

static void set(const void *key, ptrdiff_t key_size, const void *value, ptrdiff_t value_size)
{
    pthread_mutex_lock(&lock);
    stored++;
    if (blocks) {
        entered = true;
        pthread_cond_broadcast(&change);
    }
    while (blocks && !leave)
        pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
}

static ptrdiff_t get(const void *key, ptrdiff_t key_size, void *value, ptrdiff_t value_size)
{
    if (value)
        memcpy(value, "word", 4);
    return 4;
}

static void *store(void *unused)
{
    util_blob_cache_store("k", 1, "v", 1);
    return NULL;
}

/* A call that runs in another thread during a fork doesn't run in the child. */
static void test_fork(void **state)
{
    pthread_t thread;
    int status;

    util_blob_cache_provide(&owner, set, get);
    blocks = true;
    assert_int_equal(pthread_create(&thread, NULL, store, NULL), 0);
    pthread_mutex_lock(&lock);
    while (!entered)
        pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
    pid_t child = fork();
    if (!child) {
        size_t size;
        alarm(20); /* ends a child that waits forever */
        blocks = false;
        util_blob_cache_store("k", 1, "v", 1);
        const char *value = util_blob_cache_load("k", 1, 100, &size);
        const bool right = stored == 2 && size == 4 && !memcmp(value, "word", 4);
        util_blob_cache_withdraw(&owner);
        _exit(right && !util_blob_cache_exists() ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    pthread_mutex_lock(&lock);
    leave = true;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    util_blob_cache_withdraw(&owner);
    assert_int_equal(stored, 1);
    assert_false(util_blob_cache_exists());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fork)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
