/* SPDX-License-Identifier: MIT */
/*
 * Includes a header whose name ends in `_lanes.h` once for each vector width (util/simd.h). The
 * includer defines SIMD_FILE, the header's path, and SIMD_LANES_DIVISOR: 1 if its vectors have
 * 32-bit lanes, 2 if they have 64-bit lanes. The header uses these macros:
 *     NAME(x)   a function's name with the width: x_4, x_8 or x_16
 *     TARGET    the attribute of its functions
 *     LANES     the number of lanes: 4, 8 or 16, divided by SIMD_LANES_DIVISOR
 *     WIDEN(x)  converts a vector of LANES floats to doubles, if SIMD_LANES_DIVISOR is 2. It is one
 *               instruction; from 4 lanes on, compilers split __builtin_convertvector in two.
 */
#define LANES   (4 / SIMD_LANES_DIVISOR)
#define NAME(x) x##_4
#define TARGET
#define WIDEN(x) __builtin_convertvector(x, double __attribute__((vector_size(16))))
#include SIMD_FILE
#undef LANES
#undef NAME
#undef TARGET
#undef WIDEN

#ifdef __x86_64__
#define LANES    (8 / SIMD_LANES_DIVISOR)
#define NAME(x)  x##_8
#define TARGET   SIMD_TARGET_8
#define WIDEN(x) _mm256_cvtps_pd((__m128)(x))
#include SIMD_FILE
#undef LANES
#undef NAME
#undef TARGET
#undef WIDEN

#define LANES    (16 / SIMD_LANES_DIVISOR)
#define NAME(x)  x##_16
#define TARGET   SIMD_TARGET_16
#define WIDEN(x) _mm512_cvtps_pd((__m256)(x))
#include SIMD_FILE
#undef LANES
#undef NAME
#undef TARGET
#undef WIDEN
#endif

#undef SIMD_FILE
#undef SIMD_LANES_DIVISOR
