/* SPDX-License-Identifier: MIT */
/*
 * Includes CPU_LANES_FILE, a header named `_lanes.h`, once for each width of the processor's vectors
 * (cpu_lanes.h). There NAME(x) is x_4, x_8 or x_16, TARGET the attribute of functions, and LANES that
 * width divided by CPU_LANES_SHARE: 1, or 2 for what has numbers of 64 bits; then WIDEN makes doubles of
 * LANES floats (of __builtin_convertvector compilers make two halves where one instruction does).
 */
#define LANES   (4 / CPU_LANES_SHARE)
#define NAME(x) x##_4
#define TARGET
#define WIDEN(x) __builtin_convertvector(x, double __attribute__((vector_size(16))))
#include CPU_LANES_FILE
#undef LANES
#undef NAME
#undef TARGET
#undef WIDEN

#ifdef __x86_64__
#define LANES    (8 / CPU_LANES_SHARE)
#define NAME(x)  x##_8
#define TARGET   CPU_TARGET_8
#define WIDEN(x) _mm256_cvtps_pd((__m128)(x))
#include CPU_LANES_FILE
#undef LANES
#undef NAME
#undef TARGET
#undef WIDEN

#define LANES    (16 / CPU_LANES_SHARE)
#define NAME(x)  x##_16
#define TARGET   CPU_TARGET_16
#define WIDEN(x) _mm512_cvtps_pd((__m256)(x))
#include CPU_LANES_FILE
#undef LANES
#undef NAME
#undef TARGET
#undef WIDEN
#endif

#undef CPU_LANES_FILE
#undef CPU_LANES_SHARE
