/* SPDX-License-Identifier: MIT */
/*
 * What is known of values from the instructions that make them, a few steps back. Nothing is kept:
 * an answer costs a bounded number of steps.
 */
#ifndef NIR_RANGE_ANALYSIS_H
#define NIR_RANGE_ANALYSIS_H

#include "nir.h"

typedef enum {
    NIR_FLOAT_NOT_NEGATIVE = 1 << 0, /* NaN, or its sign is clear: +0 and above */
    NIR_FLOAT_NUMBER = 1 << 1,       /* never NaN */
    NIR_FLOAT_FINITE = 1 << 2,       /* neither NaN nor infinite */
    NIR_FLOAT_AT_MOST_ONE = 1 << 3,  /* NaN, or its absolute value is 1 at most */
    NIR_FLOAT_INTEGRAL = 1 << 4,     /* NaN, infinite, or an integer */
} nir_float_facts;

/* Facts (nir_float_facts) that hold of one component of a float. */
unsigned nir_analyze_float(nir_def *def, unsigned component);

/* No value of the component, as an unsigned integer of its size, is above it. */
uint64_t nir_unsigned_upper_bound(nir_def *def, unsigned component);

#endif
