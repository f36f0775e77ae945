/* SPDX-License-Identifier: MIT */
/* Tags: the SipHash function, whose key is used, and which key files are accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/secret.h"

static char directory[64], path[80];

static int setup(void **state)
{
    snprintf(directory, sizeof directory, "/tmp/indium-secret-XXXXXX");
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/key", directory);
    return 0;
}

static int teardown(void **state)
{
    unlink(path);
    return rmdir(directory);
}

/* Test vectors of appendix A of the paper: bytes of key and input count up. */
static void test_function(void **state)
{
    uint8_t key[16], input[64];
    for (unsigned i = 0; i < sizeof input; i++)
        input[i] = (uint8_t)i;
    for (unsigned i = 0; i < sizeof key; i++)
        key[i] = (uint8_t)i;
    assert_int_equal(util_siphash(key, input, 15), 0xa129ca6149be45e5);
    assert_int_not_equal(util_siphash(key, input, 14), util_siphash(key, input, 15));
    assert_int_not_equal(util_siphash(key, input, 16), util_siphash(key, input, 15));
}

/* Returns the tag computed by a new process with that cache directory. file_size limits the size of
 * files that it can write. */
static uint64_t tag_limited(const char *cache, const char *bytes, rlim_t file_size)
{
    int ends[2];
    uint64_t tag = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        setenv("INDIUM_CACHE_DIR", cache, 1);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){file_size, file_size});
        _exit(!util_tag(bytes, strlen(bytes), &tag) ||
              write(ends[1], &tag, sizeof tag) != sizeof tag);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read(ends[0], &tag, sizeof tag), sizeof tag);
    close(ends[0]);
    close(ends[1]);
    return tag;
}

static uint64_t tag_of(const char *cache, const char *bytes)
{
    return tag_limited(cache, bytes, RLIM_INFINITY);
}

static void test_key(void **state)
{
    struct stat st;
    uint64_t none = tag_of("", "bytes");

    /* a key that cannot be written leaves no file behind and raises no signal */
    for (rlim_t size = 0; size < 16; size += 8)
        assert_int_equal(tag_limited(directory, "bytes", size), none);
    assert_int_equal(rmdir(directory), 0);
    assert_int_equal(mkdir(directory, 0700), 0);

    uint64_t first = tag_of(directory, "bytes");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(st.st_size, 16);
    assert_int_equal(tag_of(directory, "bytes"), first);
    assert_int_not_equal(tag_of(directory, "byte"), first);
    assert_int_not_equal(none, first);
    assert_int_equal(tag_of("/nowhere", "bytes"), none);

    /* readable by others; truncated; another key */
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(tag_of(directory, "bytes"), none);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(truncate(path, 15), 0);
    assert_int_equal(tag_of(directory, "bytes"), none);
    unlink(path);
    uint64_t second = tag_of(directory, "bytes");
    assert_true(second != first && second != none);

    /* others may write to the directory */
    assert_int_equal(chmod(directory, 0777), 0);
    assert_int_equal(tag_of(directory, "bytes"), none);
    assert_int_equal(chmod(directory, 0700), 0);
    assert_int_equal(tag_of(directory, "bytes"), second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_function),
        cmocka_unit_test_setup_teardown(test_key, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
