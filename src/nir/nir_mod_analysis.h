/* SPDX-License-Identifier: MIT */
/* Analysis of the constants that integers are multiples of. */
#ifndef NIR_MOD_ANALYSIS_H
#define NIR_MOD_ANALYSIS_H

#include "nir.h"

/* Returns a number that divides the component if its computation doesn't wrap around; powers of
 * two among its factors divide it even then. Returns 1 if nothing is known and 0 for a constant
 * zero. */
uint64_t nir_known_factor(nir_def *def, unsigned component);

#endif
