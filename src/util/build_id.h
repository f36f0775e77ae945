/* SPDX-License-Identifier: MIT */
/* Identity of this build of the driver, for keys of data that other processes may have written. */
#ifndef UTIL_BUILD_ID_H
#define UTIL_BUILD_ID_H

#include <stdbool.h>
#include <stdint.h>

/* Stores a number that identifies the shared object that contains this code; it changes with every
 * rebuild. Returns false if the number is unknown. */
bool util_build_id(uint64_t *id);

#endif
