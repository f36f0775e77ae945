/* SPDX-License-Identifier: MIT */
/* Conversion between float and IEEE half precision. */
#ifndef UTIL_HALF_H
#define UTIL_HALF_H

#include <stdint.h>

/* Rounds to nearest even. Overflow becomes infinity. A NaN keeps the upper bits of its payload and
 * becomes quiet, as F16C instructions do it. */
uint16_t util_float_to_half(float f);
float util_half_to_float(uint16_t h);

#endif
