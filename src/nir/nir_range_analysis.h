/* SPDX-License-Identifier: MIT */
/*
 * Range analysis: properties of values that follow from the instructions that compute them. Each
 * query looks back a bounded number of instructions; results are not cached.
 */
#ifndef NIR_RANGE_ANALYSIS_H
#define NIR_RANGE_ANALYSIS_H

#include "nir.h"

typedef enum {
    NIR_FLOAT_NOT_NEGATIVE = 1 << 0, /* NaN, or the sign bit is clear (+0 and above) */
    NIR_FLOAT_NUMBER = 1 << 1,       /* not NaN */
    NIR_FLOAT_FINITE = 1 << 2,       /* neither NaN nor infinite */
    NIR_FLOAT_AT_MOST_ONE = 1 << 3,  /* NaN, or the absolute value is at most 1 */
    NIR_FLOAT_INTEGRAL = 1 << 4,     /* NaN, infinite or an integer */
} nir_float_facts;

/* Returns a mask of nir_float_facts that hold for the component. */
unsigned nir_analyze_float(nir_def *def, unsigned component);

/* Returns an upper bound of the component as an unsigned integer of its bit size. */
uint64_t nir_unsigned_upper_bound(nir_def *def, unsigned component);

#endif
