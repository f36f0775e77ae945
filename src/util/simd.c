/* SPDX-License-Identifier: MIT */
/* Finds the vector width for C code from the CPU and INDIUM_LANES. */
#include "util/simd.h"

#include "util/options.h"

unsigned simd_known_lanes;

unsigned simd_find_lanes(void)
{
    unsigned lanes = 4;
#ifdef __x86_64__
    const unsigned most = util_get_options()->lanes ? util_get_options()->lanes : 16;
    if (most >= 16 && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        lanes = 16;
    else if (most >= 8 && __builtin_cpu_supports("avx2"))
        lanes = 8;
#endif
    __atomic_store_n(&simd_known_lanes, lanes, __ATOMIC_RELAXED);
    return lanes;
}
