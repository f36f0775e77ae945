/* SPDX-License-Identifier: MIT */
/* process_vm_readv and process_vm_writev access the memory of this process like a kernel does. */
#include "gpu/gpu_user.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "gpu/gpu_system.h"

static pid_t pid; /* ID of this process; 0: not known yet */

void gpu_user_after_fork(void)
{
    pid = 0;
}

typedef ssize_t (*move_function)(pid_t, const struct iovec *, unsigned long, const struct iovec *,
                                 unsigned long, unsigned long);

static int move(move_function function, void *local, uint64_t remote, size_t size)
{
    if (!pid)
        pid = getpid();
    while (size) {
        struct iovec here = {local, size}, there = {(void *)(uintptr_t)remote, size};
        ssize_t moved = function(pid, &here, 1, &there, 1, 0);

        if (moved <= 0)
            return -EFAULT;
        local = (char *)local + moved;
        remote += (size_t)moved;
        size -= (size_t)moved;
    }
    return 0;
}

/* Reads memory that is mapped for writing only. process_vm_readv refuses that, but programs and
 * write() can read the memory, because page tables have no write-only pages. */
static int read_by_write(void *to, uint64_t from, size_t size)
{
    int fd = memfd_create("i915-copy", MFD_CLOEXEC), result = -EFAULT;

    if (fd < 0)
        return -EFAULT;
    if (pwrite(fd, (const void *)(uintptr_t)from, size, 0) == (ssize_t)size &&
        pread(fd, to, size, 0) == (ssize_t)size)
        result = 0;
    gpu_sys_close(fd);
    return result;
}

int gpu_read_user(void *to, uint64_t from, size_t size)
{
    return move(process_vm_readv, to, from, size) == 0 ? 0 : read_by_write(to, from, size);
}

int gpu_write_user(uint64_t to, const void *from, size_t size)
{
    return move(process_vm_writev, (void *)from, to, size);
}

bool gpu_user_maps_buffer(uint64_t address, uint64_t size)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    bool found = false;

    while (maps && !found && fgets(line, sizeof line, maps)) {
        uint64_t start, end;

        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2 && start < address + size &&
            end > address)
            found = strstr(line, "/memfd:i915 ") != NULL; /* as gpu_bo_create names them */
    }
    if (maps)
        fclose(maps);
    return found;
}

int gpu_read_user_array(void **array, uint64_t from, size_t count, size_t element)
{
    int error;

    *array = NULL;
    if (!count)
        return 0;
    if (count > INT_MAX / element) /* more than the kernel allocates */
        return -ENOMEM;
    *array = calloc(count, element);
    if (!*array)
        return -ENOMEM;
    error = gpu_read_user(*array, from, count * element);
    if (error) {
        free(*array);
        *array = NULL;
    }
    return error;
}
