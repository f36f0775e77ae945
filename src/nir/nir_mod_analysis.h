/* SPDX-License-Identifier: MIT */
/* Divisibility analysis: finds constants that divide an integer value. */
#ifndef NIR_MOD_ANALYSIS_H
#define NIR_MOD_ANALYSIS_H

#include "nir.h"

/* Returns a number that divides the component as a signed integer, provided that its computation
 * doesn't wrap around. The largest power of two that divides the number divides the component in
 * any case. Returns 1 if nothing is known, and 0 for the constant 0. */
uint64_t nir_known_factor(nir_def *def, unsigned component);

#endif
