/* SPDX-License-Identifier: MIT */
/* Divisibility analysis: finds constants that divide an integer value. */
#ifndef NIR_MOD_ANALYSIS_H
#define NIR_MOD_ANALYSIS_H

#include "nir.h"

/* Returns a factor of the component, read as a signed integer. If the computation of the component
 * wraps around, only the power of two in the factor is certain to divide the component. Returns 1
 * if nothing is known, and 0 if the component is certainly 0. */
uint64_t nir_known_factor(nir_def *def, unsigned component);

#endif
