/* SPDX-License-Identifier: MIT */
/*
 * Range analysis: derives properties of a value from the instructions that compute it. A query
 * follows sources to a fixed depth and is conservative beyond it. Results are not cached.
 */
#ifndef NIR_RANGE_ANALYSIS_H
#define NIR_RANGE_ANALYSIS_H

#include "nir.h"

/* Properties of a float value. All but NIR_FLOAT_NUMBER and _FINITE allow NaN. */
typedef enum {
    NIR_FLOAT_NOT_NEGATIVE = 1 << 0, /* NaN, or the sign bit is clear (+0 and above) */
    NIR_FLOAT_NUMBER = 1 << 1,       /* not NaN */
    NIR_FLOAT_FINITE = 1 << 2,       /* neither NaN nor infinite */
    NIR_FLOAT_AT_MOST_ONE = 1 << 3,  /* NaN, or the absolute value is at most 1 */
    NIR_FLOAT_INTEGRAL = 1 << 4,     /* NaN, infinite or an integer */
} nir_float_facts;

/* Returns a mask of the nir_float_facts that are known to hold for the component. */
unsigned nir_analyze_float(nir_def *def, unsigned component);

/* Returns an inclusive upper bound of the component, read as an unsigned integer. */
uint64_t nir_unsigned_upper_bound(nir_def *def, unsigned component);

#endif
