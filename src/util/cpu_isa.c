/* SPDX-License-Identifier: MIT */
/* Detects the host's instruction set level and caps it by INDIUM_ISA. */
#include "util/cpu_isa.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "util/macros.h"
#include "util/options.h"

static const struct {
    const char *name;
    unsigned lanes;
} levels[UTIL_NUM_ISAS] = {
    [UTIL_ISA_BASE] = {"base", 4},
    [UTIL_ISA_SSE41] = {"sse4.1", 4},
    [UTIL_ISA_AVX2] = {"avx2", 8},
    [UTIL_ISA_AVX512] = {"avx512", 16},
};

#if defined(__x86_64__)
/* F16C, MOVBE, and LZCNT: clang 14's __builtin_cpu_supports doesn't know them. */
static bool has_cpuid_features(void)
{
    unsigned eax, ebx, ecx, edx, extended_ecx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) &&
           __get_cpuid(0x80000001, &eax, &ebx, &extended_ecx, &edx) && ecx & bit_F16C &&
           ecx & bit_MOVBE && extended_ecx & bit_LZCNT;
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_cpuid_features();
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

enum util_isa util_cpu_host_isa(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("sse4.1") || !__builtin_cpu_supports("ssse3"))
        return UTIL_ISA_BASE;
    if (!has_avx2())
        return UTIL_ISA_SSE41;
    return has_avx512() ? UTIL_ISA_AVX512 : UTIL_ISA_AVX2;
#else
    return UTIL_ISA_BASE;
#endif
}

enum util_isa util_cpu_isa(void)
{
    static unsigned known; /* atomic: the level + 1, or 0; CPUID is slow in virtual machines */
    unsigned isa = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!isa) {
        isa = MIN2(util_cpu_host_isa(), util_get_options()->isa) + 1;
        __atomic_store_n(&known, isa, __ATOMIC_RELAXED);
    }
    return (enum util_isa)(isa - 1);
}

bool util_cpu_has_vbmi(void)
{
#if defined(__x86_64__)
    return util_cpu_isa() == UTIL_ISA_AVX512 && __builtin_cpu_supports("avx512vbmi");
#else
    return false;
#endif
}

unsigned util_isa_lanes(enum util_isa isa)
{
    return levels[isa].lanes;
}

const char *util_isa_name(enum util_isa isa)
{
    return levels[isa].name;
}
