/* SPDX-License-Identifier: MIT */
/*
 * Temporary directories, one of each program that runs with an emulated GPU.
 *
 * Processes that use a directory hold a lock on it, and the name contains the id of the process that
 * created it: indium-gpu-PID-XXXXXX. So directories that programs leave behind when they crash or
 * call _exit() can be told from those in use.
 */
#ifndef GPU_DIRECTORY_H
#define GPU_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Creates a directory in TMPDIR or /tmp, and stores its path. Returns false if that fails. */
bool gpu_directory_create(char *path, size_t size);
/* Locks a directory until no process has descriptors of this one anymore. */
void gpu_directory_use(const char *path);
/* Returns the process that created a directory, or 0 if its name contains none. */
pid_t gpu_directory_creator(const char *path);
/* Removes a directory with its contents. */
void gpu_directory_remove(const char *path);
/* Removes this user's directories next to one that no process uses. */
void gpu_directory_remove_unused(const char *path);

#endif
