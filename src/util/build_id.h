/* SPDX-License-Identifier: MIT */
/* Identity of this build of the driver. It is part of the keys of cached data, because another
 * build may have written the data. */
#ifndef UTIL_BUILD_ID_H
#define UTIL_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

/* Stores in *id a hash of the size, modification time and inode of the shared object that contains
 * this code, so a rebuild changes it. Returns false, with *id unchanged, if the file cannot be
 * found. Thread-safe. */
bool util_build_id(uint64_t *id);

#endif
