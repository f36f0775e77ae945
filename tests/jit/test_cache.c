/* SPDX-License-Identifier: MIT */
/*
 * Tests of the cache on disk: damaged entries don't change what a kernel does, unsafe files and
 * directories aren't used, and each instruction set level has its own entries. A cache that the
 * application provides replaces the directory.
 */
#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "jit/jit.h"
#include "nir/nir.h"
#include "nir/nir_builder.h"
#include "util/blob_cache.h"
#include "util/cpu_isa.h"

#define LANES    4
#define DAMAGES  200
#define MAX_FILE (1 << 16)

static char directory[] = "/tmp/indium-cache-XXXXXX";

/* Compiles and runs a kernel: out[lane] = 3 * x[lane]. */
static void run_kernel(struct jit_engine *engine)
{
    static const nir_shader_compiler_options options;
    nir_builder b = nir_builder_init_simple_shader(NULL, SHADER_COMPUTE, &options, "test");
    nir_def *zero = nir_imm_int(&b, 0);
    nir_def *out = nir_load_kernel_arg(&b, .base = 0), *in = nir_load_kernel_arg(&b, .base = 1);
    nir_def *x = nir_load_global_block(&b, 1, 32, in, zero);
    nir_store_global_block(&b, nir_imul(&b, x, nir_imm_int(&b, 3)), out, zero, nir_imm_true(&b));
    struct jit_kernel *kernel = jit_kernel_create(engine, b.shader, "test");
    assert_non_null(kernel);
    uint32_t result[16] = {0}, value[16] = {1, 20, 300, 4000};
    jit_run(jit_kernel_function(kernel), (const void *[]){result, value});
    for (unsigned i = 0; i < LANES; i++)
        assert_int_equal(result[i], 3 * value[i]);
    jit_kernel_destroy(kernel);
    nir_shader_destroy(b.shader);
}

/* Returns the path of the only file in the directory. */
static const char *find_entry(void)
{
    static char path[sizeof directory + NAME_MAX + 1];
    unsigned count = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, e->d_name);
        count++;
    }
    closedir(d);
    assert_int_equal(count, 1);
    return path;
}

static size_t read_entry(uint8_t *bytes)
{
    FILE *file = fopen(find_entry(), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, MAX_FILE, file);
    fclose(file);
    assert_in_range(size, 100, MAX_FILE - 1);
    return size;
}

static void write_entry(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(find_entry(), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_damaged(void **state)
{
    static uint8_t good[MAX_FILE], bad[MAX_FILE];
    struct jit_engine *engine = jit_engine_create(LANES);
    assert_non_null(engine);
    run_kernel(engine);
    size_t size = read_entry(good);
    for (unsigned i = 0; i < DAMAGES; i++) {
        /* Damage every byte of the header, then others. Truncate every fifth file. */
        size_t at = i < 64 ? i : (i * 7919u) % size;
        memcpy(bad, good, size);
        bad[at] ^= (uint8_t)(1u << i % 8);
        write_entry(bad, i % 5 == 4 ? at : size);
        run_kernel(engine);
        /* The engine has replaced the damaged entry. */
        assert_int_equal(read_entry(bad), size);
        assert_memory_equal(good, bad, size);
    }
    assert_int_equal(unlink(find_entry()), 0);
    jit_engine_destroy(engine);
}

static unsigned count_entries(void)
{
    unsigned count = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

/* Runs the kernel with a new engine, which checks the directory again. */
static void run_new_engine(void)
{
    struct jit_engine *engine = jit_engine_create(LANES);
    assert_non_null(engine);
    run_kernel(engine);
    jit_engine_destroy(engine);
}

/* A directory that other users can write to isn't used, because they could plant code. */
static void test_directory_mode(void **state)
{
    static const mode_t unsafe[] = {0777, 0720, 0702, 01777};
    for (unsigned i = 0; i < sizeof unsafe / sizeof *unsafe; i++) {
        assert_int_equal(chmod(directory, unsafe[i]), 0);
        run_new_engine();
        assert_int_equal(count_entries(), 0);
    }
    assert_int_equal(chmod(directory, 0755), 0);
    run_new_engine();
    assert_int_equal(count_entries(), 1);
    assert_int_equal(chmod(directory, 0700), 0);
    assert_int_equal(unlink(find_entry()), 0);
}

/* A directory that another user owns isn't used. Only root can change the owner. */
static void test_directory_owner(void **state)
{
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(directory, 1, (gid_t)-1), 0);
    run_new_engine();
    assert_int_equal(count_entries(), 0);
    assert_int_equal(chown(directory, 0, (gid_t)-1), 0);
}

/* Checks that an engine replaces the entry instead of reading it. */
static void expect_replaced(void)
{
    struct stat before, after;
    assert_int_equal(lstat(find_entry(), &before), 0);
    run_new_engine();
    assert_int_equal(lstat(find_entry(), &after), 0);
    assert_true(S_ISREG(after.st_mode));
    assert_int_equal(after.st_uid, geteuid());
    assert_int_equal(after.st_mode & 022, 0);
    assert_int_not_equal(after.st_ino, before.st_ino);
}

/* A file that others own or can write to isn't read, nor is the target of a symbolic link. */
static void test_entry(void **state)
{
    struct stat before, after;
    char path[sizeof directory + NAME_MAX + 1], elsewhere[sizeof path + 2];
    run_new_engine();
    assert_int_equal(stat(find_entry(), &before), 0);
    run_new_engine();
    assert_int_equal(stat(find_entry(), &after), 0);
    assert_int_equal(after.st_ino, before.st_ino); /* not replaced */
    assert_int_equal(chmod(find_entry(), 0620), 0);
    expect_replaced();
    assert_int_equal(chmod(find_entry(), 0602), 0);
    expect_replaced();
    if (geteuid() == 0) {
        assert_int_equal(chown(find_entry(), 1, (gid_t)-1), 0);
        expect_replaced();
    }
    snprintf(path, sizeof path, "%s", find_entry());
    snprintf(elsewhere, sizeof elsewhere, "%s/.x", directory);
    assert_int_equal(rename(path, elsewhere), 0);
    assert_int_equal(symlink(".x", path), 0);
    expect_replaced();
    assert_int_equal(unlink(elsewhere), 0);
    assert_int_equal(unlink(find_entry()), 0);
}

/* Compiles the kernel for 16 lanes in a child process with that INDIUM_ISA. Leaves the entry. */
static void run_at(const char *isa)
{
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (!child) {
        setenv("INDIUM_ISA", isa, 1);
        struct jit_engine *engine = jit_engine_create(16);
        if (engine)
            run_kernel(engine);
        jit_engine_destroy(engine);
        _exit(!engine);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Each level has its own key. This test must run before the parent process creates an engine,
 * because the environment is read once per process. */
static void test_levels(void **state)
{
    enum { KEY = 8, KEY_SIZE = 16 }; /* offset and size of the key in an entry */
    static uint8_t entry[UTIL_NUM_ISAS][MAX_FILE];
    for (unsigned isa = UTIL_ISA_SSE41; isa < UTIL_NUM_ISAS; isa++) {
        run_at(util_isa_name(isa));
        read_entry(entry[isa]);
        assert_int_equal(unlink(find_entry()), 0);
        for (unsigned lower = UTIL_ISA_SSE41; lower < isa; lower++) {
            const bool same = lower >= util_cpu_host_isa(); /* both are the host's level */
            assert_int_equal(!memcmp(entry[lower] + KEY, entry[isa] + KEY, KEY_SIZE), same);
        }
    }
}

/* A cache of the application with one entry. */
static struct {
    uint8_t key[64], value[MAX_FILE];
    ptrdiff_t key_size, size;
    unsigned sets, gets, hits;
} blob;

static void set_blob(const void *key, ptrdiff_t key_size, const void *value, ptrdiff_t size)
{
    assert_in_range(key_size, 1, sizeof blob.key);
    assert_in_range(size, 1, sizeof blob.value);
    memcpy(blob.key, key, (size_t)key_size);
    memcpy(blob.value, value, (size_t)size);
    blob.key_size = key_size;
    blob.size = size;
    blob.sets++;
}

static ptrdiff_t get_blob(const void *key, ptrdiff_t key_size, void *value, ptrdiff_t size)
{
    blob.gets++;
    if (key_size != blob.key_size || memcmp(key, blob.key, (size_t)key_size) != 0)
        return 0;
    if (size >= blob.size) {
        memcpy(value, blob.value, (size_t)blob.size);
        blob.hits++;
    }
    return blob.size;
}

/* The application's cache replaces the directory, and its damaged values are rejected. */
static void test_blobs(void **state)
{
    static uint8_t good[MAX_FILE];

    util_blob_cache_provide(&blob, set_blob, get_blob);
    run_new_engine();
    assert_int_equal(count_entries(), 0);
    assert_int_equal(blob.sets, 1);
    assert_int_equal(blob.hits, 0);
    run_new_engine();
    assert_int_equal(blob.sets, 1);
    assert_int_equal(blob.hits, 1);
    const ptrdiff_t size = blob.size;
    memcpy(good, blob.value, (size_t)size);
    for (unsigned i = 0; i < 40; i++) {
        const unsigned sets = blob.sets;

        blob.value[i < 20 ? i * 3 : i * 7919u % (size_t)size] ^= 1u << i % 8;
        blob.size = i % 3 == 2 ? (ptrdiff_t)i : size;
        run_new_engine();
        assert_int_equal(blob.sets, sets + 1);
        assert_int_equal(blob.size, size);
        assert_memory_equal(blob.value, good, size);
    }
    util_blob_cache_withdraw(&size); /* others' functions stay */
    assert_true(util_blob_cache_exists());
    util_blob_cache_withdraw(&blob);
    assert_false(util_blob_cache_exists());
    const unsigned calls = blob.sets + blob.gets;
    run_new_engine();
    assert_int_equal(blob.sets + blob.gets, calls);
    assert_int_equal(count_entries(), 1);
    assert_int_equal(unlink(find_entry()), 0);
}

int main(void)
{
    if (!mkdtemp(directory))
        return 1;
    setenv("INDIUM_CACHE_DIR", directory, 1);
    unsetenv("INDIUM_DEBUG");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),         cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_directory_mode), cmocka_unit_test(test_directory_owner),
        cmocka_unit_test(test_entry),          cmocka_unit_test(test_blobs),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(directory);
    return failed;
}
