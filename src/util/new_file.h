/* SPDX-License-Identifier: MIT */
/* Atomic creation of files: other processes see the complete file or none. */
#ifndef UTIL_NEW_FILE_H
#define UTIL_NEW_FILE_H

#include <stdbool.h>
#include <sys/uio.h>

/* Writes `count` pieces in order into a new file of the directory (mode 0600), then renames it to
 * `name`. If a file with this name exists, it is replaced if `replace` is true; otherwise the
 * function fails. Returns false on failure; an existing file is then unchanged. If the file would
 * exceed the size limit (setrlimit), the function fails and suppresses SIGXFSZ, which would end the
 * application. Thread-safe; doesn't use the heap. */
bool util_new_file(const char *directory, const char *name, const struct iovec *pieces,
                   unsigned count, bool replace);

#endif
