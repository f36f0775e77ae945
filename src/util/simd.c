/* SPDX-License-Identifier: MIT */
/* Finds the vector width for C code from the CPU and INDIUM_LANES. */
#include "util/simd.h"

#include "util/cpu_isa.h"
#include "util/macros.h"
#include "util/options.h"

unsigned simd_known_lanes;

unsigned simd_find_lanes(void)
{
    const unsigned most = util_get_options()->lanes ? util_get_options()->lanes : 16;
    const unsigned lanes = MIN2(util_isa_lanes(util_cpu_isa()), most);
    __atomic_store_n(&simd_known_lanes, lanes, __ATOMIC_RELAXED);
    return lanes;
}
