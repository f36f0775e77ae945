/* SPDX-License-Identifier: MIT */
/*
 * Selection of the vector width for C code. Vector code is in headers whose names end in
 * `_lanes.h`. util/simd_each.h compiles such a header once per width, and SIMD_CALL selects a
 * version at run time. Results have the same bits at every width.
 */
#ifndef UTIL_SIMD_H
#define UTIL_SIMD_H

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Attributes of functions compiled for 8 and for 16 lanes of 32 bits. */
#define SIMD_TARGET_8  __attribute__((target("avx2")))
#define SIMD_TARGET_16 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))

extern unsigned simd_known_lanes; /* atomic: result of simd_find_lanes; 0: not called yet */
/* Determines the number of lanes from the CPU, INDIUM_ISA and INDIUM_LANES, stores it in
 * simd_known_lanes and returns it. Only simd_lanes() calls it. */
unsigned simd_find_lanes(void);

/* Returns the number of 32-bit lanes that C code may use: 4, 8 or 16. Functions with SIMD_TARGET_8
 * need at least 8, functions with SIMD_TARGET_16 need 16. Thread-safe. */
static inline unsigned simd_lanes(void)
{
    unsigned lanes = __atomic_load_n(&simd_known_lanes, __ATOMIC_RELAXED);
    return lanes ? lanes : simd_find_lanes();
}

/* Calls name_4, name_8 or name_16, according to simd_lanes(), and evaluates to its value. Only
 * x86-64 has name_8 and name_16. */
#ifdef __x86_64__
#define SIMD_CALL(name, ...)                                                                       \
    (simd_lanes() == 16  ? name##_16(__VA_ARGS__)                                                  \
     : simd_lanes() == 8 ? name##_8(__VA_ARGS__)                                                   \
                         : name##_4(__VA_ARGS__))
#else
#define SIMD_CALL(name, ...) name##_4(__VA_ARGS__)
#endif

#endif
