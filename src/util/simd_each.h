/* SPDX-License-Identifier: MIT */
/*
 * Includes SIMD_FILE, a header named `_lanes.h`, once for each vector width (util/simd.h). The file
 * sees these macros:
 *     NAME(x)   x_4, x_8 or x_16
 *     TARGET    the attribute of its functions
 *     LANES     the number of 32-bit lanes divided by SIMD_LANES_DIVISOR: 1, or 2 for 64-bit lanes
 *     WIDEN(x)  converts LANES floats to doubles (with SIMD_LANES_DIVISOR 2); compilers split
 *               __builtin_convertvector in two where one instruction does it
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
