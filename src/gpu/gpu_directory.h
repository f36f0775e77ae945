/* SPDX-License-Identifier: MIT */
/*
 * Temporary directories, one for each program that runs with an emulated GPU.
 *
 * Processes that use a directory hold a shared flock() on it. The name contains the id of the
 * process that created it: indium-gpu-PID-XXXXXX. Programs that crash or call _exit() leave their
 * directory behind. It is unused if nothing locks it and its creator is gone.
 */
#ifndef GPU_DIRECTORY_H
#define GPU_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Creates a directory in TMPDIR or /tmp, and stores its path. size: bytes of `path`. Returns false
 * if that fails; `path` is then unspecified. */
bool gpu_directory_create(char *path, size_t size);
/* Takes a shared lock on a directory. It lasts until this process and its children by fork() have
 * exited or called exec(). Ignores errors. */
void gpu_directory_use(const char *path);
/* Returns the id of the process that created a directory, or 0 if the directory's name contains
 * none. The directory need not exist. */
pid_t gpu_directory_creator(const char *path);
/* Removes a directory with its contents. Ignores errors. */
void gpu_directory_remove(const char *path);
/* Removes the unused directories of this user in the directory that contains `path`. Ignores
 * errors. */
void gpu_directory_remove_unused(const char *path);

#endif
