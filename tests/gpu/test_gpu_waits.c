/* SPDX-License-Identifier: MIT */
/* Batches that wait for the program. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpu_client.h"

enum {
    MI_ARB_CHECK = 0x05 << 23,
    MI_SEMAPHORE_WAIT = 0x1c << 23 | 1 << 15 | 4 << 12 | 2, /* poll until memory equals the data */
    DATA = 0x100000,
    BATCH = 0x200000,
};

#define MS INT64_C(1000000) /* in nanoseconds */

static int64_t read_clock(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return time.tv_sec * 1000 * MS + time.tv_nsec;
}

static int wait_until(int fd, uint32_t handle, int64_t timeout)
{
    return try_ioctl(fd, DRM_IOCTL_I915_GEM_WAIT,
                     &(struct drm_i915_gem_wait){.bo_handle = handle, .timeout_ns = timeout});
}

/* Returns memory of a buffer, which a batch can read at the same time. */
static volatile uint32_t *map_buffer(int fd, uint32_t handle)
{
    void *map =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)mmap_offset(fd, handle));

    assert_ptr_not_equal(map, MAP_FAILED);
    return map;
}

static uint32_t count_failed(int fd, uint32_t context)
{
    struct drm_i915_reset_stats stats = {.ctx_id = context};

    do_ioctl(fd, DRM_IOCTL_I915_GET_RESET_STATS, &stats);
    return stats.batch_active;
}

/* Starts a batch that jumps to itself. Returns its buffer. */
static uint32_t start_loop(int fd, uint32_t context)
{
    const uint32_t loop[] = {MI_ARB_CHECK, MI_BATCH_BUFFER_START, BATCH, 0};
    struct drm_i915_gem_exec_object2 object = {
        .handle = create_batch(fd, loop, 4), .offset = BATCH, .flags = EXEC_OBJECT_PINNED};

    assert_int_equal(try_exec(fd, &object, 1, 0, context), 0);
    return object.handle;
}

/* The program ends a loop after more time than a million jumps would take, most of which the CPU
 * is idle. */
static void test_loop(void **state)
{
    int fd = open_render();

    if (has_model(fd)) {
        int64_t cpu = read_clock(CLOCK_PROCESS_CPUTIME_ID);
        uint32_t handle = start_loop(fd, 0);

        assert_int_equal(wait_until(fd, handle, 2000 * MS), ETIME);
        assert_in_range(read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu, 0, 500 * MS);
        map_buffer(fd, handle)[0] = MI_BATCH_BUFFER_END;
        assert_int_equal(wait_until(fd, handle, 5000 * MS), 0);
        assert_int_equal(count_failed(fd, 0), 0);
    }
    close(fd);
}

/* A batch waits until the program writes a dword; the next commands see what it wrote before. */
static void test_semaphore(void **state)
{
    const uint32_t batch[] = {
        MI_SEMAPHORE_WAIT, 7, DATA,     0, 0x2e << 23 | 3 /* MI_COPY_MEM_MEM */,
        DATA + 8,          0, DATA + 4, 0, MI_BATCH_BUFFER_END};
    int fd = open_render();

    if (has_model(fd)) {
        uint32_t data = create_buffer(fd, PAGE);
        volatile uint32_t *map = map_buffer(fd, data);
        struct drm_i915_gem_exec_object2 objects[2] = {
            {.handle = data, .offset = DATA, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
            {.handle = create_batch(fd, batch, 10), .offset = BATCH, .flags = EXEC_OBJECT_PINNED},
        };

        assert_int_equal(try_exec(fd, objects, 2, 0, 0), 0);
        assert_int_equal(wait_until(fd, data, 100 * MS), ETIME);
        map[1] = 0xabcd;
        map[0] = 7;
        assert_int_equal(wait_until(fd, data, 5000 * MS), 0);
        assert_int_equal(map[2], 0xabcd);
        assert_int_equal(count_failed(fd, 0), 0);
    }
    close(fd);
}

static void set_hang_checks(const char *text)
{
    int file = open("/sys/module/i915/parameters/enable_hangcheck", O_WRONLY | O_TRUNC);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, 2), 2);
    close(file);
}

/* Batches of a context that isn't persistent end with it; so do all batches while there are no hang
 * checks. Others go on. */
static void test_persistence(void **state)
{
    int fd = open_render();

    for (unsigned i = 0; i < 3 && has_model(fd); i++) {
        const bool persists = i > 0, goes_on = i == 1;
        struct drm_i915_gem_context_create create = {0};
        struct drm_i915_gem_context_param param = {.param = I915_CONTEXT_PARAM_PERSISTENCE,
                                                   .value = persists};
        uint32_t handle;

        do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create);
        param.ctx_id = create.ctx_id;
        do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
        handle = start_loop(fd, create.ctx_id);
        assert_int_equal(wait_until(fd, handle, 50 * MS), ETIME);
        if (persists && !goes_on)
            set_hang_checks("N\n");
        do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
                 &(struct drm_i915_gem_context_destroy){.ctx_id = create.ctx_id});
        set_hang_checks("Y\n");
        if (goes_on) {
            assert_int_equal(wait_until(fd, handle, 100 * MS), ETIME);
            map_buffer(fd, handle)[0] = MI_BATCH_BUFFER_END;
        }
        assert_int_equal(wait_until(fd, handle, 5000 * MS), 0);
    }
    close(fd);
}

static int exit_pipe[2];

static void report_exit(void)
{
    if (write(exit_pipe[1], "", 1) != 1)
        _exit(2);
}

/* A process submits a batch that waits for a dword, and calls exit(). Another process writes the
 * dword then. The batch completes as if the kernel ran it. */
static void test_exit(void **state)
{
    const uint32_t batch[] = {
        MI_SEMAPHORE_WAIT, 7, DATA, 0, MI_STORE_DATA_IMM, DATA + 4, 0, 0xabcd, MI_BATCH_BUFFER_END};
    int fd = open_render();

    if (has_model(fd)) {
        uint32_t data = create_buffer(fd, PAGE);
        volatile uint32_t *map = map_buffer(fd, data);
        struct drm_i915_gem_exec_object2 objects[2] = {
            {.handle = data, .offset = DATA, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
            {.handle = create_batch(fd, batch, 9), .offset = BATCH, .flags = EXEC_OBJECT_PINNED},
        };
        char byte;
        int status;
        pid_t child;

        assert_int_equal(pipe(exit_pipe), 0);
        child = fork();
        if (child == 0)
            exit(atexit(report_exit) || try_exec(fd, objects, 2, 0, 0));
        assert_int_equal(read(exit_pipe[0], &byte, 1), 1);
        map[0] = 7;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(map[1], 0xabcd);
        close(exit_pipe[0]);
        close(exit_pipe[1]);
    }
    close(fd);
}

static void write_limit(const char *ms)
{
    int file = open("/sys/module/i915/parameters/request_timeout_ms", O_WRONLY | O_TRUNC);

    assert_true(file >= 0);
    assert_int_equal(write(file, ms, strlen(ms)), strlen(ms));
    close(file);
}

/* The module parameter limits how long a batch of a new context may make no progress. */
static void test_limit(void **state)
{
    int fd = open_render();

    if (has_model(fd)) {
        struct drm_i915_gem_context_create create = {0};
        int64_t start = read_clock(CLOCK_MONOTONIC);
        uint32_t handle;

        write_limit("300\n");
        do_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create);
        write_limit("20000\n");
        handle = start_loop(fd, create.ctx_id);
        assert_int_equal(wait_until(fd, handle, 15000 * MS), 0);
        assert_true(read_clock(CLOCK_MONOTONIC) - start >= 300 * MS);
        assert_int_equal(count_failed(fd, create.ctx_id), 1);
    }
    close(fd);
}

/* With I915_EXEC_FENCE_SUBMIT, a batch of another engine starts when the first one does, and not
 * before. */
static void test_start(void **state)
{
    const uint32_t wait[] = {MI_SEMAPHORE_WAIT, 7, DATA, 0, MI_BATCH_BUFFER_END},
                   store[] = {MI_STORE_DATA_IMM, DATA, 0, 7, MI_BATCH_BUFFER_END};
    int fd = open_render();

    for (unsigned blocked = 0; blocked < 2 && has_model(fd); blocked++) {
        uint32_t data = create_buffer(fd, PAGE), other = blocked ? start_loop(fd, 0) : 0;
        struct drm_i915_gem_exec_object2 objects[2] = {
            {.handle = data, .offset = DATA, .flags = EXEC_OBJECT_PINNED},
            {.handle = create_batch(fd, wait, 5),
             .offset = BATCH + PAGE,
             .flags = EXEC_OBJECT_PINNED},
        };
        struct drm_i915_gem_execbuffer2 args = {
            .buffers_ptr = (uintptr_t)objects, .buffer_count = 2, .flags = I915_EXEC_FENCE_OUT};

        do_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2_WR, &args);
        args.rsvd2 >>= 32;
        objects[1].handle = create_batch(fd, store, 5);
        objects[1].offset += PAGE;
        args.flags = I915_EXEC_FENCE_SUBMIT | I915_EXEC_BLT;
        do_ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args);
        if (blocked) {
            assert_int_equal(wait_until(fd, objects[1].handle, 100 * MS), ETIME);
            assert_int_equal(map_buffer(fd, data)[0], 0);
            map_buffer(fd, other)[0] = MI_BATCH_BUFFER_END;
        }
        assert_int_equal(wait_until(fd, data, 10000 * MS), 0);
        assert_int_equal(map_buffer(fd, data)[0], 7);
        assert_int_equal(count_failed(fd, 0), 0);
        close((int)args.rsvd2);
    }
    close(fd);
}

static void ignore(int signal)
{
}

/* Execbuffers wait while the ring buffer is full, until a signal arrives. Files with O_NONBLOCK
 * don't wait. */
static void test_full_ring(void **state)
{
    int fd = open_render();

    if (has_model(fd)) {
        const uint32_t end = MI_BATCH_BUFFER_END;
        const struct itimerval timer = {{0, 20000}, {0, 20000}}, stop = {{0, 0}, {0, 0}};
        struct sigaction old, action = {.sa_handler = ignore};
        uint32_t loop = start_loop(fd, 0);
        struct drm_i915_gem_exec_object2 object = {.handle = create_batch(fd, &end, 1)};
        unsigned count = 0;
        int error;

        assert_int_equal(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
        while ((error = try_exec(fd, &object, 1, 0, 0)) == 0)
            count++;
        assert_int_equal(error, EWOULDBLOCK);
        assert_in_range(count, 16, 512);
        assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
        assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
        assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
        assert_int_equal(try_exec(fd, &object, 1, 0, 0), EINTR);
        assert_int_equal(setitimer(ITIMER_REAL, &stop, NULL), 0);
        assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
        map_buffer(fd, loop)[0] = MI_BATCH_BUFFER_END;
        assert_int_equal(try_exec(fd, &object, 1, 0, 0), 0);
        assert_int_equal(wait_until(fd, object.handle, 10000 * MS), 0);
        assert_int_equal(count_failed(fd, 0), 0);
    }
    close(fd);
}

static int try_user_store(int fd, void *memory)
{
    const uint32_t store[] = {MI_STORE_DATA_IMM, DATA + PAGE, 0, 9, MI_BATCH_BUFFER_END};
    static uint32_t handle;
    struct drm_i915_gem_userptr user = {.user_ptr = (uintptr_t)memory, .user_size = 2 * PAGE};
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.offset = DATA, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
        {.handle = create_batch(fd, store, 5), .offset = BATCH, .flags = EXEC_OBJECT_PINNED},
    };
    int error;

    if (!handle) {
        do_ioctl(fd, DRM_IOCTL_I915_GEM_USERPTR, &user);
        handle = user.handle;
    }
    objects[0].handle = handle;
    error = try_exec(fd, objects, 2, 0, 0);
    return error ? error : wait_for(fd, handle);
}

/* A batch can use userptr memory again after the program has changed the mapping, but only if it is
 * accessible. */
static void test_user_memory(void **state)
{
    int fd = open_render();

    if (has_model(fd)) {
        uint32_t *memory =
            mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        assert_ptr_not_equal(memory, MAP_FAILED);
        for (unsigned i = 0; i < 2; i++) {
            memory[PAGE / 4] = 0;
            assert_int_equal(try_user_store(fd, memory), 0);
            assert_int_equal(memory[PAGE / 4], 9);
        }
        assert_int_equal(mprotect(memory, PAGE, PROT_NONE), 0);
        assert_int_equal(try_user_store(fd, memory), EFAULT);
        assert_int_equal(mprotect(memory, PAGE, PROT_READ | PROT_WRITE), 0);
        memory[PAGE / 4] = 0;
        assert_int_equal(try_user_store(fd, memory), 0);
        assert_int_equal(memory[PAGE / 4], 9);
        assert_int_equal(munmap((uint8_t *)memory + PAGE, PAGE), 0);
        assert_int_equal(try_user_store(fd, memory), EFAULT);
        munmap(memory, PAGE);
    }
    close(fd);
}

const struct CMUnitTest wait_tests[] = {
    cmocka_unit_test(test_loop),
    cmocka_unit_test(test_semaphore),
    cmocka_unit_test(test_persistence),
    cmocka_unit_test(test_exit),
    cmocka_unit_test(test_limit),
    cmocka_unit_test(test_start),
    cmocka_unit_test(test_full_ring),
    cmocka_unit_test(test_user_memory),
    {0},
};
