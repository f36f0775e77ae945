/* SPDX-License-Identifier: MIT */
/* Batches of one process write to a buffer that another process reads. */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu_client.h"

enum { VALUE = 0x12345678 };

static void send_fd(int to, int fd)
{
    char byte = 0, space[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    if (sendmsg(to, &message, 0) != 1)
        _exit(1);
}

static int receive_fd(int from)
{
    char byte, space[CMSG_SPACE(sizeof(int))];
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    int fd = -1;

    assert_int_equal(recvmsg(from, &message, MSG_CMSG_CLOEXEC), 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

/* A process that exports a buffer and submits a batch, which waits for a semaphore and then stores
 * a value in the buffer. It releases the semaphore when it receives a byte, and ends after another
 * one. share_late: exports the buffer after the batch is submitted. */
static void run_writer(int channel, bool share_late)
{
    int fd = open_render();
    uint32_t target = create_buffer(fd, PAGE), semaphore = create_buffer(fd, PAGE);
    const uint32_t commands[] = {
        0x1c << 23 | 1 << 15 | 1 << 12 | 2, /* MI_SEMAPHORE_WAIT until the value is at least 1 */
        1,
        0,
        0,
        MI_STORE_DATA_IMM,
        0,
        0,
        VALUE,
        MI_BATCH_BUFFER_END,
    };
    struct drm_i915_gem_relocation_entry relocations[2] = {
        {.target_handle = semaphore, .offset = 8},
        {.target_handle = target, .offset = 20, .write_domain = I915_GEM_DOMAIN_RENDER},
    };
    struct drm_i915_gem_exec_object2 objects[3] = {
        {.handle = target, .flags = EXEC_OBJECT_WRITE},
        {.handle = semaphore},
        {.handle = create_batch(fd, commands, 9),
         .relocs_ptr = (uintptr_t)relocations,
         .relocation_count = 2},
    };
    struct drm_prime_handle prime = {.handle = target, .flags = DRM_CLOEXEC | DRM_RDWR};
    uint32_t *map =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)mmap_offset(fd, semaphore));
    char byte;

    if (!share_late && ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) != 0)
        _exit(2);
    if (map == MAP_FAILED || try_exec(fd, objects, 3, 0, 0) != 0)
        _exit(3);
    if (share_late && ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) != 0)
        _exit(2);
    send_fd(channel, prime.fd);
    if (read(channel, &byte, 1) != 1)
        _exit(4);
    __atomic_store_n(map, 1, __ATOMIC_RELEASE);
    if (read(channel, &byte, 1) != 1)
        _exit(5);
    _exit(0);
}

static pid_t start_writer(int *channel, bool share_late)
{
    int pair[2];
    pid_t child;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    child = fork();
    if (child == 0) {
        close(pair[0]);
        run_writer(pair[1], share_late);
    }
    assert_true(child > 0);
    close(pair[1]);
    *channel = pair[0];
    return child;
}

static bool skips(void)
{
    int fd = open_render();
    bool has = has_model(fd);

    close(fd);
    return !has;
}

static int try_timed_wait(int fd, uint32_t handle, int64_t ns)
{
    struct drm_i915_gem_wait wait = {.bo_handle = handle, .timeout_ns = ns};

    return try_ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
}

static void check_reader(bool share_late)
{
    int channel, fd, buffer, sync;
    pid_t writer = start_writer(&channel, share_late);
    struct drm_prime_handle prime = {0};
    struct drm_i915_gem_busy busy = {0};
    struct dma_buf_export_sync_file export = {.flags = DMA_BUF_SYNC_READ};
    struct pollfd poll_fd = {.events = POLLIN};
    int status;

    buffer = receive_fd(channel);
    /* The descriptor alone, before this process imports the buffer. */
    assert_int_equal(lseek(buffer, 0, SEEK_END), PAGE);
    poll_fd.fd = buffer;
    assert_int_equal(poll(&poll_fd, 1, 20), 0);
    assert_int_equal(ioctl(buffer, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &export), 0);
    sync = export.fd;
    fd = open_render();
    prime.fd = buffer;
    do_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
    busy.handle = prime.handle;
    do_ioctl(fd, DRM_IOCTL_I915_GEM_BUSY, &busy);
    assert_int_not_equal(busy.busy & 0xffff, 0); /* a batch writes to it */
    assert_int_equal(try_timed_wait(fd, prime.handle, 20000000), ETIME);
    poll_fd.fd = sync;
    assert_int_equal(poll(&poll_fd, 1, 20), 0);
    assert_int_equal(write(channel, "", 1), 1);
    assert_int_equal(poll(&poll_fd, 1, 10000), 1);
    poll_fd.fd = buffer;
    assert_int_equal(poll(&poll_fd, 1, 10000), 1);
    assert_int_equal(poll_fd.revents, POLLIN);
    assert_int_equal(try_timed_wait(fd, prime.handle, -1), 0);
    assert_int_equal(read_dword(fd, prime.handle, 0), VALUE);
    assert_int_equal(write(channel, "", 1), 1);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    close(sync);
    close(buffer);
    close(channel);
    close(fd);
}

static void test_reader(void **state)
{
    if (skips())
        skip();
    check_reader(false);
    check_reader(true);
}

/* A batch that reads the buffer runs after the other process's batch. */
static void test_reading_batch(void **state)
{
    const uint32_t commands[] = {
        0x2e << 23 | 3, /* MI_COPY_MEM_MEM: destination, source */
        0,
        0,
        0,
        0,
        MI_BATCH_BUFFER_END,
    };
    int channel, fd, buffer;
    uint32_t copy;
    pid_t writer;
    struct drm_prime_handle prime = {0};
    struct drm_i915_gem_relocation_entry relocations[2] = {
        {.offset = 4, .write_domain = I915_GEM_DOMAIN_RENDER}, {.offset = 12}};
    struct drm_i915_gem_exec_object2 objects[3] = {{.flags = EXEC_OBJECT_WRITE}};

    if (skips())
        skip();
    writer = start_writer(&channel, false);
    buffer = receive_fd(channel);
    fd = open_render();
    prime.fd = buffer;
    do_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
    copy = create_buffer(fd, PAGE);
    relocations[0].target_handle = objects[0].handle = copy;
    relocations[1].target_handle = objects[1].handle = prime.handle;
    objects[2] = (struct drm_i915_gem_exec_object2){.handle = create_batch(fd, commands, 6),
                                                    .relocs_ptr = (uintptr_t)relocations,
                                                    .relocation_count = 2};
    assert_int_equal(try_exec(fd, objects, 3, 0, 0), 0);
    assert_int_equal(try_timed_wait(fd, copy, 20000000), ETIME);
    assert_int_equal(write(channel, "", 1), 1);
    assert_int_equal(wait_for(fd, copy), 0);
    assert_int_equal(read_dword(fd, copy, 0), VALUE);
    assert_int_equal(write(channel, "", 1), 1);
    waitpid(writer, NULL, 0);
    close(buffer);
    close(channel);
    close(fd);
}

/* The writer closes everything that it has of the buffer while its batch runs. */
static void run_forgetful_writer(int channel)
{
    int fd = open_render(), fence;
    uint32_t target = create_buffer(fd, PAGE);
    struct drm_syncobj_create syncobj = {0};
    struct drm_syncobj_handle handle = {.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE};
    struct drm_prime_handle prime = {.handle = target, .flags = DRM_CLOEXEC | DRM_RDWR};
    struct dma_buf_import_sync_file import = {.flags = DMA_BUF_SYNC_WRITE};
    const uint32_t commands[] = {0x1c << 23 | 1 << 15 | 1 << 12 | 2, 1, 0, 0, MI_BATCH_BUFFER_END};
    uint32_t semaphore = create_buffer(fd, PAGE);
    struct drm_i915_gem_relocation_entry relocation = {.target_handle = semaphore, .offset = 8};
    struct drm_i915_gem_exec_object2 objects[2] = {
        {.handle = semaphore},
        {.handle = create_batch(fd, commands, 5),
         .relocs_ptr = (uintptr_t)&relocation,
         .relocation_count = 1},
    };
    struct drm_i915_gem_exec_fence signal = {.flags = I915_EXEC_FENCE_SIGNAL};
    struct drm_i915_gem_execbuffer2 args = {.buffers_ptr = (uintptr_t)objects,
                                            .buffer_count = 2,
                                            .num_cliprects = 1,
                                            .cliprects_ptr = (uintptr_t)&signal,
                                            .flags = I915_EXEC_FENCE_ARRAY};
    uint32_t *map =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)mmap_offset(fd, semaphore));
    char byte;

    ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj);
    signal.handle = handle.handle = syncobj.handle;
    if (map == MAP_FAILED || ioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime) != 0 ||
        ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &args) != 0 ||
        ioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &handle) != 0)
        _exit(1);
    fence = import.fd = handle.fd;
    close_buffer(fd, target);
    if (ioctl(prime.fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &import) != 0)
        _exit(2);
    send_fd(channel, prime.fd);
    close(prime.fd);
    close(fence);
    if (read(channel, &byte, 1) != 1)
        _exit(3);
    __atomic_store_n(map, 1, __ATOMIC_RELEASE);
    _exit(read(channel, &byte, 1) == 1 ? 0 : 4);
}

static void test_forgetful_writer(void **state)
{
    int pair[2], buffer, status;
    struct pollfd poll_fd = {.events = POLLIN};
    pid_t writer;

    if (skips())
        skip();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    writer = fork();
    if (writer == 0)
        run_forgetful_writer(pair[1]);
    buffer = receive_fd(pair[0]);
    poll_fd.fd = buffer;
    assert_int_equal(poll(&poll_fd, 1, 20), 0);
    assert_int_equal(write(pair[0], "", 1), 1);
    assert_int_equal(poll(&poll_fd, 1, 10000), 1);
    assert_int_equal(write(pair[0], "", 1), 1);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    close(buffer);
    close(pair[0]);
    close(pair[1]);
}

/* The batches of a process end with it, and nothing waits for them. */
static void test_killed_writer(void **state)
{
    struct drm_prime_handle prime = {0};
    int channel, fd, buffer;
    pid_t writer;

    if (skips())
        skip();
    writer = start_writer(&channel, false);
    buffer = receive_fd(channel);
    fd = open_render();
    prime.fd = buffer;
    do_ioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
    assert_int_equal(try_timed_wait(fd, prime.handle, 20000000), ETIME);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    assert_int_equal(try_timed_wait(fd, prime.handle, 10000000000ll), 0);
    close(buffer);
    close(channel);
    close(fd);
}

/* A process receives an open device from another process, as clients of X servers do. */
static void test_received_device(void **state)
{
    struct drm_i915_gem_create create = {.size = PAGE};
    int pair[2], fd, status;
    pid_t child;

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    child = fork();
    if (child == 0) {
        char byte;

        send_fd(pair[1], open_render());
        _exit(read(pair[1], &byte, 1) == 1 ? 0 : 1);
    }
    fd = receive_fd(pair[0]);
    do_ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create);
    assert_int_equal(create.handle, 1);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    assert_int_equal(write(pair[0], "", 1), 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(fd);
    close(pair[0]);
    close(pair[1]);
}

const struct CMUnitTest shared_tests[] = {
    cmocka_unit_test(test_reader),           cmocka_unit_test(test_reading_batch),
    cmocka_unit_test(test_forgetful_writer), cmocka_unit_test(test_killed_writer),
    cmocka_unit_test(test_received_device),  {0},
};
