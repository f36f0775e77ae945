/* SPDX-License-Identifier: MIT */
/* What integers are multiples of. */
#ifndef NIR_MOD_ANALYSIS_H
#define NIR_MOD_ANALYSIS_H

#include "nir.h"

/* A number that the integer is a multiple of, as long as its computation does not wrap around; 1 if
 * nothing is known, 0 of zero. A power of two divides it even if it wraps. */
uint64_t nir_known_factor(nir_def *def, unsigned component);

#endif
