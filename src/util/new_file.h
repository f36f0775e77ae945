/* SPDX-License-Identifier: MIT */
/* Atomic creation of files: other processes see the complete file or none. */
#ifndef UTIL_NEW_FILE_H
#define UTIL_NEW_FILE_H

#include <stdbool.h>
#include <sys/uio.h>

/* Writes `count` pieces in order into a new file of the directory (mode 0600), then renames it to
 * `name`. With `replace`, it replaces an existing file; without, it fails if one exists. Returns
 * false on failure; an existing file is then unchanged. Exceeding the file size limit (setrlimit)
 * is a failure too: SIGXFSZ, which would end the application, is suppressed. Callable from any
 * thread; doesn't use the heap. */
bool util_new_file(const char *directory, const char *name, const struct iovec *pieces,
                   unsigned count, bool replace);

#endif
