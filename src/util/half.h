/* SPDX-License-Identifier: MIT */
/* IEEE half floats and the small unsigned floats of packed formats. */
#ifndef UTIL_HALF_H
#define UTIL_HALF_H

#include <stdint.h>

/* Round to nearest even; overflow becomes infinity. A NaN keeps the upper bits of its payload and becomes quiet,
 * as x86 (F16C) does it. */
uint16_t util_float_to_half(float f);
float util_half_to_float(uint16_t h);

#endif
