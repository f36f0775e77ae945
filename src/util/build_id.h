/* SPDX-License-Identifier: MIT */
/* Which build of the driver this is: for keys of what other processes may have written. */
#ifndef UTIL_BUILD_ID_H
#define UTIL_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

/* A number that changes with the file that this code is in, with any rebuild. False: it is not
 * known. */
bool util_build_id(uint64_t *id);

#endif
