/* SPDX-License-Identifier: MIT */
/* Files, rights, buffers and queries of the emulated device, including errors that the kernel's
 * headers document. The library is preloaded. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_client.h"

#define BAD_POINTER ((void *)16)

/* ------------------------------------------------------------------------------- files --- */

static void test_nodes(void **state)
{
    int card = open_card(), render = open_render();
    char name[16] = "";
    struct drm_version version = {.name = name, .name_len = sizeof name};
    struct stat st;
    char path[64], target[64] = "";

    do_ioctl(card, DRM_IOCTL_VERSION, &version);
    assert_string_equal(name, "i915");
    assert_int_equal(version.name_len, 4);
    assert_int_equal(fstat(card, &st), 0);
    assert_true(S_ISCHR(st.st_mode) && major(st.st_rdev) == 226 && minor(st.st_rdev) == 0);
    assert_int_equal(stat("/dev/dri/renderD128", &st), 0);
    assert_true(S_ISCHR(st.st_mode) && minor(st.st_rdev) == 128);
    snprintf(path, sizeof path, "/proc/self/fd/%d", render);
    assert_int_equal(readlink(path, target, sizeof target - 1), strlen("/dev/dri/renderD128"));
    assert_string_equal(target, "/dev/dri/renderD128");
    close(card);
    assert_int_equal(try_ioctl(card, DRM_IOCTL_VERSION, &version), EBADF);
    close(render);
}

static void test_pci_files(void **state)
{
    int fd = open_render();
    unsigned vendor = 0, device = 0;
    FILE *file = fopen("/sys/dev/char/226:128/device/vendor", "r");

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%x", &vendor), 1);
    fclose(file);
    file = fopen("/sys/dev/char/226:128/device/device", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%x", &device), 1);
    fclose(file);
    assert_int_equal(vendor, 0x8086);
    assert_int_equal(device, get_param(fd, I915_PARAM_CHIPSET_ID));
    close(fd);
}

static void test_rights(void **state)
{
    int first = open_card(), second = open_card(), render = open_render();
    struct drm_gem_flink flink = {.handle = create_buffer(render, PAGE)};

    assert_int_equal(try_ioctl(render, DRM_IOCTL_GEM_FLINK, &flink), EACCES);
    assert_int_equal(
        try_ioctl(render, DRM_IOCTL_MODE_CREATE_DUMB, &(struct drm_mode_create_dumb){0}), EACCES);
    assert_int_equal(try_ioctl(second, DRM_IOCTL_AUTH_MAGIC, &(struct drm_auth){.magic = 1}),
                     EACCES);
    assert_int_equal(try_ioctl(first, DRM_IOCTL_AUTH_MAGIC, &(struct drm_auth){.magic = 12345}),
                     EINVAL);
    assert_int_equal(try_ioctl(second, DRM_IOCTL_DROP_MASTER, NULL), EINVAL);
    assert_int_equal(try_ioctl(first, DRM_IOCTL_DROP_MASTER, NULL), 0);
    close(first);
    close(second);
    close(render);
}

static void test_bad_requests(void **state)
{
    int fd = open_render();
    struct drm_i915_gem_create *create =
        mmap(NULL, PAGE, PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_int_equal(try_ioctl(fd, _IOWR('d', 0xff, int), &(int){0}), EINVAL);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_VERSION, BAD_POINTER), EFAULT);
    create->size = 1;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, create), 0);
    mprotect(create, PAGE, PROT_READ);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, create), EFAULT);
    munmap(create, PAGE);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GETPARAM,
                               &(struct drm_i915_getparam){.param = I915_PARAM_CHIPSET_ID,
                                                           .value = BAD_POINTER}),
                     EFAULT);
    assert_int_equal(
        try_ioctl(fd, DRM_IOCTL_I915_GETPARAM, &(struct drm_i915_getparam){.param = 9999}), EINVAL);
    close(fd);
}

/* A shorter struct, as of an old program, and a longer one, as of a new program. */
static void test_struct_sizes(void **state)
{
    struct {
        struct drm_i915_gem_create create;
        uint64_t unknown;
    } longer = {.create.size = 1, .unknown = 7};
    int fd = open_render();

    do_ioctl(fd, _IOWR('d', DRM_COMMAND_BASE + DRM_I915_GEM_CREATE, __typeof__(longer)), &longer);
    assert_int_equal(longer.create.size, PAGE);
    assert_int_equal(longer.unknown, 7);
    /* Context creation before it had extensions. */
    struct drm_i915_gem_context_create old = {.pad = 0};
    do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &old);
    assert_true(old.ctx_id > 0);
    close(fd);
}

/* ----------------------------------------------------------------------------- buffers --- */

static void test_buffers(void **state)
{
    int fd = open_render();
    uint32_t first = create_buffer(fd, 5000), second = create_buffer(fd, 1);
    uint32_t data[4] = {1, 2, 3, 4};
    uint64_t zero = 0;

    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &(struct drm_i915_gem_create){0}),
                     EINVAL);
    assert_int_equal(
        try_ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &(struct drm_i915_gem_create){.size = ~0ull}),
        EINVAL);
    assert_int_equal(try_pwrite(fd, first, 8188, data, 4), 0);
    assert_int_equal(try_pwrite(fd, first, 8188, data, 8), EINVAL);
    assert_int_equal(try_pwrite(fd, first, ~0ull, data, 8), EINVAL);
    assert_int_equal(try_pwrite(fd, first, 0, BAD_POINTER, 8), EFAULT);
    assert_int_equal(try_pwrite(fd, 77, 0, data, 8), ENOENT);
    assert_int_equal(try_pread(fd, second, 0, BAD_POINTER, 8), EFAULT);
    assert_int_equal(try_pread(fd, second, 0, &zero, 8), 0);
    assert_int_equal(zero, 0);
    assert_int_equal(read_dword(fd, first, 8188), 1);
    close_buffer(fd, first);
    assert_int_equal(try_pread(fd, first, 0, data, 4), ENOENT);
    assert_int_equal(create_buffer(fd, PAGE), 1); /* the lowest free handle */
    assert_int_equal(
        try_ioctl(fd, DRM_IOCTL_GEM_CLOSE, &(struct drm_gem_close){.handle = first + 100}), EINVAL);
    close(fd);
}

static void test_mappings(void **state)
{
    int fd = open_render(), other = open_render();
    uint32_t handle = create_buffer(fd, 4 * PAGE), value = 0x12345678;
    uint64_t offset = mmap_offset(fd, handle);
    uint32_t *map = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    uint32_t *part = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, (off_t)offset + 2 * PAGE);

    assert_true(map != MAP_FAILED && part != MAP_FAILED);
    map[2 * PAGE / 4] = value;
    assert_int_equal(part[0], value);
    assert_int_equal(read_dword(fd, handle, 2 * PAGE), value);
    assert_true(mmap(NULL, 5 * PAGE, PROT_READ, MAP_SHARED, fd, (off_t)offset) == MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    assert_true(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, other, (off_t)offset) == MAP_FAILED);
    assert_int_equal(errno, EACCES); /* another file's buffer */
    close_buffer(fd, handle);
    assert_int_equal(map[2 * PAGE / 4], value); /* mappings outlive handles */
    munmap(map, 4 * PAGE);
    munmap(part, PAGE);
    close(fd);
    close(other);
}

static void test_tiling(void **state)
{
    int fd = open_render();
    struct drm_i915_gem_set_tiling set = {
        .handle = create_buffer(fd, 16 * PAGE), .tiling_mode = I915_TILING_X, .stride = 512};
    struct drm_i915_gem_get_tiling get = {.handle = set.handle};

    do_ioctl(fd, DRM_IOCTL_I915_GEM_SET_TILING, &set);
    do_ioctl(fd, DRM_IOCTL_I915_GEM_GET_TILING, &get);
    assert_int_equal(get.tiling_mode, I915_TILING_X);
    set.stride = 100;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_SET_TILING, &set), EINVAL);
    set.tiling_mode = 3;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_SET_TILING, &set), EINVAL);
    close(fd);
}

static void test_prime(void **state)
{
    int fd = open_render(), other = open_render();
    uint32_t handle = create_buffer(fd, 2 * PAGE), data = 0xabcdef01;
    struct drm_prime_handle prime = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    struct drm_prime_handle imported = {0};

    do_ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
    assert_int_equal(lseek(prime.fd, 0, SEEK_END), 2 * PAGE);
    assert_int_equal(lseek(prime.fd, -1, SEEK_END), -1);
    assert_int_equal(errno, EINVAL);
    imported.fd = prime.fd;
    do_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &imported);
    assert_int_equal(imported.handle, handle); /* the file has the buffer */
    do_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &imported);
    assert_int_equal(try_pwrite(fd, handle, 4, &data, 4), 0);
    assert_int_equal(read_dword(other, imported.handle, 4), data);
    close(fd);
    assert_int_equal(read_dword(other, imported.handle, 4), data);
    imported.fd = other; /* not a dma-buf */
    assert_int_equal(try_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &imported), EINVAL);
    imported.fd = -1;
    assert_int_equal(try_ioctl(other, DRM_IOCTL_PRIME_FD_TO_HANDLE, &imported), EBADF);
    close(prime.fd);
    close(other);
}

static void test_names(void **state)
{
    int fd = open_card(), other = open_card();
    struct drm_gem_flink flink = {.handle = create_buffer(fd, PAGE)};
    struct drm_gem_open opened = {0};

    if (geteuid() == 0) { /* otherwise the second file isn't authenticated */
        do_ioctl(fd, DRM_IOCTL_GEM_FLINK, &flink);
        opened.name = flink.name;
        do_ioctl(other, DRM_IOCTL_GEM_OPEN, &opened);
        assert_int_equal(opened.size, PAGE);
        close_buffer(fd, flink.handle);
        close_buffer(other, opened.handle);
        assert_int_equal(try_ioctl(other, DRM_IOCTL_GEM_OPEN, &opened), ENOENT);
    }
    close(fd);
    close(other);
}

/* ----------------------------------------------------------------------------- queries --- */

static int query(int fd, uint64_t id, void *data, int length)
{
    struct drm_i915_query_item item = {
        .query_id = id, .length = length, .data_ptr = (uintptr_t)data};

    do_ioctl(fd, DRM_IOCTL_I915_QUERY,
             &(struct drm_i915_query){.num_items = 1, .items_ptr = (uintptr_t)&item});
    return item.length;
}

static void test_queries(void **state)
{
    int fd = open_render(), size = query(fd, DRM_I915_QUERY_ENGINE_INFO, NULL, 0);
    struct drm_i915_query_engine_info *engines = calloc(1, 4096);
    bool has_render = false;

    assert_true(size > (int)sizeof *engines && size < 4096);
    assert_int_equal(query(fd, DRM_I915_QUERY_ENGINE_INFO, engines, size - 1), -EINVAL);
    assert_int_equal(query(fd, DRM_I915_QUERY_ENGINE_INFO, BAD_POINTER, size), -EFAULT);
    assert_int_equal(query(fd, DRM_I915_QUERY_ENGINE_INFO, engines, size), size);
    for (unsigned i = 0; i < engines->num_engines; i++) {
        if (engines->engines[i].engine.engine_class == I915_ENGINE_CLASS_RENDER)
            has_render = true;
    }
    assert_true(has_render);
    assert_int_equal(query(fd, 9999, NULL, 0), -EINVAL);
    free(engines);
    close(fd);
}

/* --------------------------------------------------------------------- forks and threads --- */

static void test_fork(void **state)
{
    int fd = open_render(), status = -1;
    uint32_t handle = create_buffer(fd, PAGE), value = 42;
    pid_t child = fork();

    if (child == 0) {
        uint32_t own = create_buffer(fd, PAGE);

        _exit(own != handle && try_pwrite(fd, handle, 0, &value, 4) == 0 ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(read_dword(fd, handle, 0), 42);
    assert_int_equal(create_buffer(fd, PAGE), handle + 1); /* the child's handle is its own */
    close(fd);
}

static void *run_thread(void *data)
{
    int fd = *(int *)data;

    for (uint32_t i = 0; i < 200; i++) {
        uint32_t handle = create_buffer(fd, PAGE), read = 0;
        int own = open_render();

        if (try_pwrite(fd, handle, 8, &i, 4) || try_pread(fd, handle, 8, &read, 4) || read != i)
            return data;
        close_buffer(fd, handle);
        close(own);
    }
    return NULL;
}

static void test_threads(void **state)
{
    int fd = open_render();
    pthread_t threads[4];

    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &fd), 0);
    for (unsigned i = 0; i < 4; i++) {
        void *failed;

        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    assert_int_equal(create_buffer(fd, PAGE), 1);
    close(fd);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_nodes),        cmocka_unit_test(test_pci_files),
    cmocka_unit_test(test_rights),       cmocka_unit_test(test_bad_requests),
    cmocka_unit_test(test_struct_sizes), cmocka_unit_test(test_buffers),
    cmocka_unit_test(test_mappings),     cmocka_unit_test(test_tiling),
    cmocka_unit_test(test_prime),        cmocka_unit_test(test_names),
    cmocka_unit_test(test_queries),      cmocka_unit_test(test_fork),
    cmocka_unit_test(test_threads),      {0},
};

static unsigned append(struct CMUnitTest *list, unsigned count, const struct CMUnitTest *added)
{
    while (added->name)
        list[count++] = *added++;
    return count;
}

int main(void)
{
    static struct CMUnitTest all[64];
    unsigned count = append(all, 0, tests);

    count = append(all, count, sync_tests);
    count = append(all, count, batch_tests);
    count = append(all, count, directory_tests);
    count = append(all, count, engine_tests);
    count = append(all, count, wait_tests);
    count = append(all, count, kms_tests);
    count = append(all, count, shared_tests);
    return _cmocka_run_group_tests("gpu", all, count, NULL, NULL);
}
