/* SPDX-License-Identifier: MIT */
#include "util/half.h"

#include <math.h>

#include "util/macros.h"

uint16_t util_float_to_half(float f)
{
    uint32_t u = fui(f);
    uint16_t sign = u >> 16 & 0x8000;
    u &= 0x7fffffff;
    if (u > 0x7f800000)
        return sign | 0x7e00 | (u >> 13 & 0x3ff);
    if (u >= 0x477ff000) /* rounds to 65536 or more */
        return sign | 0x7c00;
    if (u < 0x33000001) /* half the smallest denormal, which rounds to even, or less */
        return sign;
    if (u < 0x38800000) { /* denormal result: value = mantissa * 2^(exponent - 150) */
        unsigned shift = 126 - (u >> 23);
        uint32_t mantissa = (u & 0x7fffff) | 0x800000;
        uint32_t half = mantissa >> shift;
        uint32_t rest = mantissa & ((1u << shift) - 1), tie = 1u << (shift - 1);
        return sign | (half + (rest > tie || (rest == tie && (half & 1))));
    }
    u += 0xc8000fff + (u >> 13 & 1); /* rebias the exponent by -112 and round */
    return sign | u >> 13;
}

float util_half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16;
    uint32_t exponent = h >> 10 & 0x1f, mantissa = h & 0x3ff;
    if (exponent == 0x1f)
        return uif(sign | 0x7f800000 | (mantissa ? 0x400000 : 0) | mantissa << 13);
    if (exponent == 0)
        return uif(sign | fui((float)mantissa * 0x1p-24f));
    return uif(sign | (exponent + 112) << 23 | mantissa << 13);
}

float util_round_to_half(double x)
{
    float f = (float)x;
    /* Rounds to odd first, so that a tie of halves is only found if it is one. */
    if (x == x && (double)f != x && !(fui(f) & 1))
        f = uif(fui(f) + (!signbit(x - (double)f) == !signbit(f) ? 1u : -1u));
    return util_half_to_float(util_float_to_half(f));
}
