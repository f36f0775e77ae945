/* SPDX-License-Identifier: MIT */
/*
 * Preloaded for IGT.
 *
 * IGT's processes ask one of them for GPU addresses through a System V message queue. IGT enlarges
 * the queue, which needs rights that containers don't have, and fails if that fails. A queue of the
 * default size only makes processes wait.
 *
 * Before tests that need much memory, IGT makes the kernel drop its caches of files. That doesn't
 * free memory of the emulated GPU, takes many seconds, and slows down all other programs. Therefore
 * these writes have no effect.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/msg.h>

__attribute__((visibility("default"))) int msgctl(int queue, int command, struct msqid_ds *data)
{
    int (*real)(int, int, struct msqid_ds *) =
        (int (*)(int, int, struct msqid_ds *))dlsym(RTLD_NEXT, "msgctl");
    int result = real(queue, command, data);

    return result < 0 && command == IPC_SET && errno == EPERM ? 0 : result;
}

__attribute__((visibility("default"))) int open64(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...) =
        (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    mode_t mode = 0;
    va_list list;

    va_start(list, flags);
    if (flags & (O_CREAT | O_TMPFILE))
        mode = va_arg(list, mode_t);
    va_end(list);
    return real(strcmp(path, "/proc/sys/vm/drop_caches") == 0 ? "/dev/null" : path, flags, mode);
}
