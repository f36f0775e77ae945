/* SPDX-License-Identifier: MIT */
/* Files that others see complete or not at all. */
#ifndef UTIL_NEW_FILE_H
#define UTIL_NEW_FILE_H

#include <stdbool.h>
#include <sys/uio.h>

/* Writes count pieces, one behind the other, into a new file of the directory (mode 0600) and then
 * names it `name`: in place of what has that name, or, without `replace`, unless something has it.
 * A limit of file sizes (setrlimit) makes it fail; SIGXFSZ, which would end the application, is held
 * back. False: what had the name has it still. Any thread; no heap. */
bool util_new_file(const char *directory, const char *name, const struct iovec *pieces,
                   unsigned count, bool replace);

#endif
