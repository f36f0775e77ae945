/* SPDX-License-Identifier: MIT */
/*
 * Which vector width the C code uses. Files that contain vector code are headers named `_lanes.h`;
 * util/simd_each.h compiles each of them once per width, and SIMD_CALL selects one at run time.
 * Results have the same bits at every width.
 */
#ifndef UTIL_SIMD_H
#define UTIL_SIMD_H

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Attributes of functions compiled for 8 and for 16 lanes of 32 bits. */
#define SIMD_TARGET_8  __attribute__((target("avx2")))
#define SIMD_TARGET_16 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))

extern unsigned simd_known_lanes; /* atomic; 0 until simd_find_lanes has run */
unsigned simd_find_lanes(void);

/* Returns the number of 32-bit lanes that C code may use: 16 allows functions with SIMD_TARGET_16,
 * 8 those with SIMD_TARGET_8, 4 neither. Any thread. */
static inline unsigned simd_lanes(void)
{
    unsigned lanes = __atomic_load_n(&simd_known_lanes, __ATOMIC_RELAXED);
    return lanes ? lanes : simd_find_lanes();
}

/* Calls name_4, name_8 or name_16, whichever simd_lanes() allows. */
#ifdef __x86_64__
#define SIMD_CALL(name, ...)                                                                       \
    (simd_lanes() == 16  ? name##_16(__VA_ARGS__)                                                  \
     : simd_lanes() == 8 ? name##_8(__VA_ARGS__)                                                   \
                         : name##_4(__VA_ARGS__))
#else
#define SIMD_CALL(name, ...) name##_4(__VA_ARGS__)
#endif

#endif
