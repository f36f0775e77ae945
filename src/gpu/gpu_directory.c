/* SPDX-License-Identifier: MIT */
/* Creates and removes temporary directories. */
#include "gpu/gpu_directory.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

#include "gpu/gpu_system.h"

#define PREFIX "indium-gpu-"

enum { HIDDEN_FDS = 900 }; /* the first number of descriptors that programs don't notice */

bool gpu_directory_create(char *path, size_t size)
{
    const char *parent = getenv("TMPDIR");

    return snprintf(path, size, "%s/" PREFIX "%d-XXXXXX", parent && *parent ? parent : "/tmp",
                    (int)getpid()) < (int)size &&
           mkdtemp(path);
}

static int open_directory(int parent, const char *name)
{
    return (int)syscall(SYS_openat, parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
                        0);
}

void gpu_directory_use(const char *path)
{
    int fd = open_directory(AT_FDCWD, path), hidden;

    if (fd < 0)
        return;
    hidden = fcntl(fd, F_DUPFD_CLOEXEC, HIDDEN_FDS);
    if (hidden >= 0) {
        gpu_sys_close(fd);
        fd = hidden;
    }
    if (flock(fd, LOCK_SH | LOCK_NB) != 0)
        gpu_sys_close(fd);
}

pid_t gpu_directory_creator(const char *path)
{
    const char *name = strrchr(path, '/');
    long pid;
    char *end;

    name = name ? name + 1 : path;
    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
        return 0;
    name += strlen(PREFIX);
    if (*name < '0' || *name > '9')
        return 0;
    pid = strtol(name, &end, 10);
    return *end == '-' && pid > 0 && pid <= INT_MAX ? (pid_t)pid : 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *where)
{
    return remove(path);
}

void gpu_directory_remove(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* Removes parent/name if it is this user's and no process uses it. */
static void remove_if_unused(int parent_fd, const char *parent, const char *name)
{
    int fd = open_directory(parent_fd, name);
    char path[PATH_MAX];
    struct stat st;

    if (fd < 0)
        return;
    if (gpu_sys_fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
        snprintf(path, sizeof path, "%s/%s", parent, name) < (int)sizeof path &&
        flock(fd, LOCK_EX | LOCK_NB) == 0)
        gpu_directory_remove(path);
    gpu_sys_close(fd);
}

void gpu_directory_remove_unused(const char *path)
{
    char parent[PATH_MAX];
    const char *slash = strrchr(path, '/');
    struct dirent *entry;
    DIR *stream = NULL;
    int fd;

    if (!slash || slash == path || (size_t)(slash - path) >= sizeof parent)
        return;
    memcpy(parent, path, (size_t)(slash - path));
    parent[slash - path] = 0;
    fd = gpu_sys_open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd >= 0)
        stream = fdopendir(fd);
    if (!stream) {
        if (fd >= 0)
            gpu_sys_close(fd);
        return;
    }
    while ((entry = readdir(stream))) {
        pid_t creator = gpu_directory_creator(entry->d_name);

        if (creator && kill(creator, 0) != 0 && errno == ESRCH)
            remove_if_unused(fd, parent, entry->d_name);
    }
    closedir(stream);
}
