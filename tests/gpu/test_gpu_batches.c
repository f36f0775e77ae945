/* SPDX-License-Identifier: MIT */
/* Execbuffers: arguments, addresses, relocations, fences, and what batches store. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu_client.h"

enum { UNKNOWN_COMMAND = 0x7fff0000 };

static void test_arguments(void **state)
{
    int fd = open_render();
    struct drm_i915_gem_exec_object2 object = {
        .handle = create_batch(fd, (uint32_t[]){MI_BATCH_BUFFER_END}, 1)};
    struct drm_i915_gem_exec_object2 twice[2] = {object, object};
    struct drm_i915_gem_execbuffer2 args = {.buffers_ptr = (uintptr_t)&object, .buffer_count = 1};

    assert_int_equal(try_exec(fd, &object, 1, 0, 0), 0);
    assert_int_equal(try_exec(fd, &object, 0, 0, 0), EINVAL);
    assert_int_equal(try_exec(fd, twice, 2, 0, 0), EINVAL);
    assert_int_equal(try_exec(fd, (void *)16, 1, 0, 0), EFAULT);
    assert_int_equal(try_exec(fd, &object, 1, 0, 1234), ENOENT);
    assert_int_equal(try_exec(fd, &object, 1, 5, 0), EINVAL); /* no such engine */
    assert_int_equal(try_exec(fd, &object, 1, 1ull << 40, 0), EINVAL);
    args.batch_start_offset = 4; /* not a multiple of 8 */
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args), EINVAL);
    args.batch_start_offset = PAGE;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args), EINVAL);
    object.handle = 1000;
    assert_int_equal(try_exec(fd, &object, 1, 0, 0), ENOENT);
    close(fd);
}

static void test_pinned(void **state)
{
    const uint64_t address = 0x123456789000;
    int fd = open_render();
    uint32_t batch[] = {MI_STORE_DATA_IMM, 0x56789010, 0x1234, 0xcafe, MI_BATCH_BUFFER_END};
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.handle = create_buffer(fd, PAGE),
         .offset = address,
         .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_WRITE},
        {.handle = create_batch(fd, batch, 5),
         .offset = 0x200000,
         .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS},
    };

    if (has_ppgtt(fd) && get_param(fd, I915_PARAM_CHIPSET_ID) != 0x4571) {
        assert_int_equal(try_exec(fd, objects, 2, 0, 0), 0);
        assert_int_equal(objects[0].offset, address);
        assert_int_equal(wait_for(fd, objects[0].handle), 0);
        if (has_model(fd))
            assert_int_equal(read_dword(fd, objects[0].handle, 0x10), 0xcafe);
        objects[1].offset = address; /* both at one address */
        assert_int_equal(try_exec(fd, objects, 2, 0, 0), ENOSPC);
        objects[1].offset = 0x200010;
        assert_int_equal(try_exec(fd, objects, 2, 0, 0), EINVAL);
        objects[1].offset = 0xffff800000000000; /* canonical */
        assert_int_equal(try_exec(fd, objects, 2, 0, 0), 0);
        objects[1].offset = 0x800000000000; /* not canonical */
        assert_int_equal(try_exec(fd, objects, 2, 0, 0), EINVAL);
        objects[1].offset = 1ull << 32; /* without EXEC_OBJECT_SUPPORTS_48B_ADDRESS */
        objects[1].flags = EXEC_OBJECT_PINNED;
        assert_int_equal(try_exec(fd, objects, 2, 0, 0), EINVAL);
    }
    close(fd);
}

static void test_relocations(void **state)
{
    int fd = open_render();
    uint32_t batch[] = {MI_STORE_DATA_IMM, 0, 0, 0xbeef, MI_BATCH_BUFFER_END};
    struct drm_i915_gem_exec_object2 objects[2] = {{.handle = create_buffer(fd, PAGE)},
                                                   {.handle = create_batch(fd, batch, 5)}};
    struct drm_i915_gem_relocation_entry entry = {.target_handle = objects[0].handle,
                                                  .offset = 4,
                                                  .delta = 0x20,
                                                  .presumed_offset = ~0ull,
                                                  .read_domains = I915_GEM_DOMAIN_RENDER,
                                                  .write_domain = I915_GEM_DOMAIN_RENDER};

    objects[1].relocs_ptr = (uintptr_t)&entry;
    objects[1].relocation_count = 1;
    if (get_param(fd, I915_PARAM_CHIPSET_ID) == 0x46a6) { /* relocations are gone */
        assert_int_equal(try_exec(fd, objects, 2, 0, 0), EINVAL);
        close(fd);
        return;
    }
    assert_int_equal(try_exec(fd, objects, 2, 0, 0), 0);
    assert_int_equal(entry.presumed_offset, objects[0].offset);
    assert_int_equal(read_dword(fd, objects[1].handle, 4), (uint32_t)objects[0].offset + 0x20);
    assert_int_equal(wait_for(fd, objects[0].handle), 0);
    if (has_model(fd))
        assert_int_equal(read_dword(fd, objects[0].handle, 0x20), 0xbeef);
    entry.presumed_offset = ~0ull;
    entry.offset = PAGE - 2;
    assert_int_equal(try_exec(fd, objects, 2, 0, 0), EINVAL);
    entry.offset = 2;
    assert_int_equal(try_exec(fd, objects, 2, 0, 0), EINVAL);
    entry.offset = 4;
    entry.target_handle = 999;
    assert_int_equal(try_exec(fd, objects, 2, 0, 0), ENOENT);
    entry.target_handle = 0; /* an index */
    assert_int_equal(try_exec(fd, objects, 2, I915_EXEC_HANDLE_LUT, 0), 0);
    objects[1].relocs_ptr = 16;
    assert_int_equal(try_exec(fd, objects, 2, 0, 0), EFAULT);
    close(fd);
}

/* More relocations than are copied at once. The last one is invalid at first; those before it are
 * performed, and the program sees their addresses. */
static void test_many_relocations(void **state)
{
    enum { COUNT = 9000 };
    static struct drm_i915_gem_relocation_entry entries[COUNT];
    const uint32_t end = MI_BATCH_BUFFER_END;
    int fd = open_render();
    struct drm_i915_gem_exec_object2 object = {.handle = create_buffer(fd, 32 * PAGE),
                                               .relocation_count = COUNT,
                                               .relocs_ptr = (uintptr_t)entries};

    assert_int_equal(try_pwrite(fd, object.handle, 0, &end, sizeof end), 0);
    for (unsigned i = 0; i < COUNT; i++)
        entries[i] = (struct drm_i915_gem_relocation_entry){.target_handle = object.handle,
                                                            .offset = 8 + 8 * i,
                                                            .delta = 16 * i,
                                                            .presumed_offset = ~0ull,
                                                            .read_domains = I915_GEM_DOMAIN_RENDER};
    entries[COUNT - 1].target_handle = 999;
    if (get_param(fd, I915_PARAM_CHIPSET_ID) != 0x46a6) {
        assert_int_equal(try_exec(fd, &object, 1, 0, 0), ENOENT);
        assert_int_equal(entries[COUNT - 1].presumed_offset, ~0ull);
        entries[COUNT - 1].target_handle = object.handle;
        assert_int_equal(try_exec(fd, &object, 1, 0, 0), 0);
        for (unsigned i = 0; i < COUNT; i++) {
            assert_int_equal(entries[i].presumed_offset, object.offset);
            assert_int_equal(entries[i].delta, 16 * i);
            assert_int_equal(read_dword(fd, object.handle, 8 + 8 * i),
                             (uint32_t)object.offset + 16 * i);
        }
    }
    close(fd);
}

static void test_userptr(void **state)
{
    int fd = open_render();
    uint32_t *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct drm_i915_gem_userptr user = {.user_ptr = (uintptr_t)memory, .user_size = PAGE};
    uint32_t batch[] = {MI_STORE_DATA_IMM, 0x10000000, 0, 0xf00d, MI_BATCH_BUFFER_END};
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.offset = 0x10000000, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
        {.handle = create_batch(fd, batch, 5)},
    };

    do_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user);
    objects[0].handle = user.handle;
    assert_int_equal(try_exec(fd, objects, 2, 0, 0), 0);
    assert_int_equal(wait_for(fd, user.handle), 0);
    if (has_model(fd))
        assert_int_equal(memory[0], 0xf00d);
    munmap(memory, PAGE);
    assert_int_equal(try_exec(fd, objects, 2, 0, 0), EFAULT);
    user.user_ptr = 1;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user), EINVAL);
    close(fd);
}

/* I915_USERPTR_PROBE refuses memory that isn't mapped, and mappings of buffers. */
static void test_userptr_probe(void **state)
{
    int fd = open_render();
    uint32_t handle = create_buffer(fd, PAGE);
    uint8_t *memory =
        mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct drm_i915_gem_userptr user = {
        .user_ptr = (uintptr_t)memory, .user_size = 2 * PAGE, .flags = I915_USERPTR_PROBE};

    assert_ptr_not_equal(memory, MAP_FAILED);
    do_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user);
    assert_ptr_equal(mmap(memory + 2 * PAGE, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, fd,
                          (off_t)mmap_offset(fd, handle)),
                     memory + 2 * PAGE);
    do_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user); /* The buffer follows the range. */
    assert_ptr_equal(mmap(memory + PAGE, PAGE, PROT_READ, MAP_SHARED | MAP_FIXED, fd,
                          (off_t)mmap_offset(fd, handle)),
                     memory + PAGE);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user), EFAULT);
    munmap(memory + PAGE, PAGE);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user), EFAULT);
    munmap(memory, 3 * PAGE);
    close(fd);
}

/* Writes to a semaphore after a while. */
static void *release(void *semaphore)
{
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    __atomic_store_n((uint32_t *)semaphore, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* Submits a batch that waits until a dword at 0x20000000 is 1, and then stores a value in userptr
 * memory at 0x10000000. */
static void exec_waiting(int fd, uint32_t user, uint32_t semaphore)
{
    const uint32_t batch[] = {
        0x1c << 23 | 1 << 15 | 1 << 12 | 2, /* MI_SEMAPHORE_WAIT until the value is at least 1 */
        1,
        0x20000000,
        0,
        MI_STORE_DATA_IMM,
        0x10000000,
        0,
        0xf00d,
        MI_BATCH_BUFFER_END,
    };
    struct drm_i915_gem_exec_object2 objects[3] = {
        {.handle = user, .offset = 0x10000000, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
        {.handle = semaphore, .offset = 0x20000000, .flags = EXEC_OBJECT_PINNED},
        {.handle = create_batch(fd, batch, 9)},
    };

    assert_int_equal(try_exec(fd, objects, 3, 0, 0), 0);
}

static uint32_t create_userptr(int fd, void *memory)
{
    struct drm_i915_gem_userptr user = {.user_ptr = (uintptr_t)memory, .user_size = PAGE};

    do_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user);
    return user.handle;
}

static void *map_page(void)
{
    void *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_ptr_not_equal(memory, MAP_FAILED);
    return memory;
}

/* The program unmaps memory while a batch uses it. munmap() waits for the batch, which the kernel
 * does, too. A system call can't wait; what the batch stores is lost. */
static void test_unmapped_userptr(void **state)
{
    int fd = open_render();

    if (!has_model(fd)) {
        close(fd);
        skip();
    }
    for (unsigned direct = 0; direct < 2; direct++) {
        void *memory = map_page();
        uint32_t user = create_userptr(fd, memory), semaphore = create_buffer(fd, PAGE);
        uint32_t *map = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                             (off_t)mmap_offset(fd, semaphore));
        pthread_t thread;

        assert_ptr_not_equal(map, MAP_FAILED);
        exec_waiting(fd, user, semaphore);
        assert_int_equal(pthread_create(&thread, NULL, release, map), 0);
        if (direct) {
            assert_int_equal(syscall(SYS_munmap, memory, PAGE), 0);
        } else {
            assert_int_equal(munmap(memory, PAGE), 0);
            assert_int_equal(*map, 1);
        }
        assert_int_equal(wait_for(fd, user), 0);
        pthread_join(thread, NULL);
        close_buffer(fd, user);
        munmap(map, PAGE);
    }
    close(fd);
}

/* A batch waits for the program's write to userptr memory, and the program for the batch's. */
static void test_coherent_userptr(void **state)
{
    int fd = open_render();
    uint32_t *memory = map_page(), *semaphore = map_page();
    uint32_t user = create_userptr(fd, memory);

    if (has_model(fd)) {
        memory[1] = 1;
        exec_waiting(fd, user, create_userptr(fd, semaphore));
        release(semaphore);
        memory[1] = 2; /* after the batch began */
        assert_int_equal(wait_for(fd, user), 0);
        assert_int_equal(memory[0], 0xf00d);
        assert_int_equal(memory[1], 2);
    }
    close(fd);
}

static void test_fences(void **state)
{
    int fd = open_render();
    struct drm_syncobj_create syncobj = {0};
    struct drm_i915_gem_exec_object2 object = {
        .handle = create_batch(fd, (uint32_t[]){MI_BATCH_BUFFER_END}, 1)};
    struct drm_i915_gem_exec_fence fence = {.flags = I915_EXEC_FENCE_SIGNAL};
    struct drm_i915_gem_execbuffer2 args = {.buffers_ptr = (uintptr_t)&object,
                                            .buffer_count = 1,
                                            .num_cliprects = 1,
                                            .cliprects_ptr = (uintptr_t)&fence,
                                            .flags = I915_EXEC_FENCE_ARRAY | I915_EXEC_FENCE_OUT};
    struct drm_syncobj_wait wait = {.count_handles = 1, .timeout_nsec = INT64_MAX};

    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj);
    fence.handle = syncobj.handle;
    do_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &args);
    wait.handles = (uintptr_t)&syncobj.handle;
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
    assert_true((int)(args.rsvd2 >> 32) > 2);
    args.rsvd2 >>= 32; /* the new sync file is the next batch's in-fence */
    args.flags = I915_EXEC_FENCE_IN;
    args.num_cliprects = 0;
    args.cliprects_ptr = 0;
    do_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args);
    close((int)args.rsvd2);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args), EINVAL);
    close(fd);
}

static uint64_t query_point(int fd, uint32_t handle)
{
    uint64_t point = 0;
    struct drm_syncobj_timeline_array args = {
        .handles = (uintptr_t)&handle, .points = (uintptr_t)&point, .count_handles = 1};

    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_QUERY, &args);
    return point;
}

/* Two lists of timeline fences: the batch signals a point of each syncobj. */
static void test_timeline_fences(void **state)
{
    int fd = open_render();
    struct drm_syncobj_create first = {0}, second = {0};
    struct drm_i915_gem_exec_object2 object = {
        .handle = create_batch(fd, (uint32_t[]){MI_BATCH_BUFFER_END}, 1)};
    uint64_t points[2] = {3, 4};
    struct drm_i915_gem_exec_fence fences[2] = {{.flags = I915_EXEC_FENCE_SIGNAL},
                                                {.flags = I915_EXEC_FENCE_SIGNAL}};
    struct drm_i915_gem_execbuffer_ext_timeline_fences lists[2];
    struct drm_i915_gem_execbuffer2 args = {.buffers_ptr = (uintptr_t)&object,
                                            .buffer_count = 1,
                                            .cliprects_ptr = (uintptr_t)&lists[0],
                                            .flags = I915_EXEC_USE_EXTENSIONS};

    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &first);
    do_ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &second);
    fences[0].handle = first.handle;
    fences[1].handle = second.handle;
    memset(lists, 0, sizeof lists);
    for (unsigned i = 0; i < 2; i++) {
        lists[i].base.name = DRM_I915_GEM_EXECBUFFER_EXT_TIMELINE_FENCES;
        lists[i].fence_count = 1;
        lists[i].handles_ptr = (uintptr_t)&fences[i];
        lists[i].values_ptr = (uintptr_t)&points[i];
    }
    lists[0].base.next_extension = (uintptr_t)&lists[1];
    do_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args);
    assert_int_equal(wait_for(fd, object.handle), 0);
    assert_int_equal(query_point(fd, first.handle), 3);
    assert_int_equal(query_point(fd, second.handle), 4);
    points[0] = 9;
    fences[0].flags |= I915_EXEC_FENCE_WAIT; /* it would wait for itself */
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args), EINVAL);
    lists[1].base.next_extension = (uintptr_t)&lists[0]; /* a loop */
    fences[0].flags = I915_EXEC_FENCE_SIGNAL;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args), E2BIG);
    close(fd);
}

/* A malformed batch fails; the process and other contexts go on. */
static void test_malformed(void **state)
{
    int fd = open_render();
    struct drm_i915_gem_context_create create = {0};
    struct drm_i915_gem_context_param recoverable = {.param = I915_CONTEXT_PARAM_RECOVERABLE};
    struct drm_i915_reset_stats stats = {0};
    struct drm_i915_gem_exec_object2 bad = {
        .handle = create_batch(fd, (uint32_t[]){UNKNOWN_COMMAND, 0, 0, 0}, 4)};
    struct drm_i915_gem_exec_object2 good = {
        .handle = create_batch(fd, (uint32_t[]){MI_BATCH_BUFFER_END}, 1)};

    do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create);
    recoverable.ctx_id = stats.ctx_id = create.ctx_id;
    do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &recoverable);
    assert_int_equal(try_exec(fd, &bad, 1, 0, create.ctx_id), 0);
    assert_int_equal(wait_for(fd, bad.handle), 0);
    do_ioctl(fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats);
    assert_int_equal(stats.batch_active, has_model(fd) ? 1 : 0);
    assert_int_equal(try_exec(fd, &good, 1, 0, create.ctx_id), has_model(fd) ? EIO : 0);
    assert_int_equal(try_exec(fd, &good, 1, 0, 0), 0);
    close(fd);
}

static void test_contexts(void **state)
{
    int fd = open_render();
    struct drm_i915_gem_context_create create = {0};
    struct drm_i915_gem_context_param param = {.param = I915_CONTEXT_PARAM_PRIORITY, .value = 2000};
    struct drm_i915_gem_vm_control vm = {0};

    do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create);
    param.ctx_id = create.ctx_id;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param),
                     get_param(fd, I915_PARAM_HAS_SCHEDULER) ? EINVAL : ENODEV);
    param.param = 999;
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param), EINVAL);
    param.param = I915_CONTEXT_PARAM_GTT_SIZE;
    do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param);
    assert_int_equal(param.value, has_ppgtt(fd) ? 1ull << 48 : 1ull << 31);
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_VM_CREATE, &vm), has_ppgtt(fd) ? 0 : ENODEV);
    do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
             &(struct drm_i915_gem_context_destroy){.ctx_id = create.ctx_id});
    assert_int_equal(try_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
                               &(struct drm_i915_gem_context_destroy){.ctx_id = 0}),
                     ENOENT);
    close(fd);
}

/* Buffers that don't fit into the address space of the process are too large for this GPU. */
static void test_large_buffers(void **state)
{
    const struct rlimit limit = {1ul << 30, 1ul << 30};
    int fd = open_render(), status;
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.handle = create_buffer(fd, 2ul << 30)},
        {.handle = create_batch(fd, (uint32_t[]){MI_BATCH_BUFFER_END}, 1)},
    };
    pid_t child = fork();

    if (child == 0)
        _exit(setrlimit(RLIMIT_AS, &limit) ? 255 : try_exec(fd, objects, 2, 0, 0));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), ENOSPC);
    close(fd);
}

/* Uses two buffers one after another. */
static int use_buffers(int fd, const uint32_t handles[2], uint32_t batch)
{
    int error = 0;

    for (unsigned i = 0; i < 2 && !error; i++) {
        struct drm_i915_gem_exec_object2 objects[2] = {{.handle = handles[i]}, {.handle = batch}};

        error = try_exec(fd, objects, 2, 0, 0);
        if (!error)
            error = wait_for(fd, handles[i]);
    }
    return error;
}

/* Buffers that no batch uses take no address space from others. */
static void test_idle_buffers(void **state)
{
    const struct rlimit limit = {1ul << 30, 1ul << 30};
    int fd = open_render(), status;
    const uint32_t handles[2] = {create_buffer(fd, 500ul << 20), create_buffer(fd, 500ul << 20)};
    uint32_t batch = create_batch(fd, (uint32_t[]){MI_BATCH_BUFFER_END}, 1);
    pid_t child = fork();

    if (child == 0)
        _exit(setrlimit(RLIMIT_AS, &limit) ? 255 : use_buffers(fd, handles, batch));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    close(fd);
}

const struct CMUnitTest batch_tests[] = {
    cmocka_unit_test(test_arguments),
    cmocka_unit_test(test_pinned),
    cmocka_unit_test(test_relocations),
    cmocka_unit_test(test_many_relocations),
    cmocka_unit_test(test_userptr),
    cmocka_unit_test(test_userptr_probe),
    cmocka_unit_test(test_unmapped_userptr),
    cmocka_unit_test(test_coherent_userptr),
    cmocka_unit_test(test_fences),
    cmocka_unit_test(test_timeline_fences),
    cmocka_unit_test(test_malformed),
    cmocka_unit_test(test_contexts),
    cmocka_unit_test(test_large_buffers),
    cmocka_unit_test(test_idle_buffers),
    {0},
};
