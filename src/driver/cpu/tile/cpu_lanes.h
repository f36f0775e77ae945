/* SPDX-License-Identifier: MIT */
/* C code of the width of the processor's vectors, which kernels have too: compiled for each. */
#ifndef CPU_LANES_H
#define CPU_LANES_H

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define CPU_TARGET_8  __attribute__((target("avx2")))
#define CPU_TARGET_16 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))

extern unsigned cpu_known_lanes; /* atomic; 0: cpu_find_lanes was not called yet */
unsigned cpu_find_lanes(void);

/* Of 32 bits each: 16 means that functions of CPU_TARGET_16 run, 8 those of CPU_TARGET_8. Any thread. */
static inline unsigned cpu_lanes(void)
{
    unsigned lanes = __atomic_load_n(&cpu_known_lanes, __ATOMIC_RELAXED);
    return lanes ? lanes : cpu_find_lanes();
}

/* Calls that of name_4, name_8, name_16 which is for cpu_lanes(). */
#ifdef __x86_64__
#define CPU_BY_LANES(name, ...)                                                                    \
    (cpu_lanes() == 16  ? name##_16(__VA_ARGS__)                                                   \
     : cpu_lanes() == 8 ? name##_8(__VA_ARGS__)                                                    \
                        : name##_4(__VA_ARGS__))
#else
#define CPU_BY_LANES(name, ...) name##_4(__VA_ARGS__)
#endif

#endif
