/* SPDX-License-Identifier: MIT */
/* Conversion between float and IEEE half precision. */
#ifndef UTIL_HALF_H
#define UTIL_HALF_H

#include <stdint.h>

/* Returns the half-precision bits of f, as the F16C instructions compute them: rounds to nearest
 * even; overflow becomes infinity; a NaN becomes quiet and keeps the upper bits of its payload. */
uint16_t util_float_to_half(float f);
/* Returns the exact value of the half-precision bits h. */
float util_half_to_float(uint16_t h);
/* Returns the half-precision value nearest to x, rounded once, to nearest even. */
float util_round_to_half(double x);

#endif
