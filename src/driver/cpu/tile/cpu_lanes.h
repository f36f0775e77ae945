/* SPDX-License-Identifier: MIT */
/* C code of the width of the processor's vectors, which kernels have too: compiled for each. */
#ifndef CPU_LANES_H
#define CPU_LANES_H

#include "util/options.h"

#define CPU_TARGET_8  __attribute__((target("avx2")))
#define CPU_TARGET_16 __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw")))

/* Of 32 bits each: 16 means that functions of CPU_TARGET_16 run, 8 those of CPU_TARGET_8. */
static inline unsigned cpu_lanes(void)
{
#ifdef __x86_64__
    const unsigned lanes = util_get_options()->lanes ? util_get_options()->lanes : 16;
    if (lanes >= 16 && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return 16;
    if (lanes >= 8 && __builtin_cpu_supports("avx2"))
        return 8;
#endif
    return 4;
}

#endif
