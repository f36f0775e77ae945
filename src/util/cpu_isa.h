/* SPDX-License-Identifier: MIT */
/*
 * The instruction set level of this process: the host's level, capped by INDIUM_ISA. It limits the
 * C code's dispatch, LLVM's target features and the baseline JIT, but not libc's own dispatch.
 */
#ifndef UTIL_CPU_ISA_H
#define UTIL_CPU_ISA_H

#include <stdbool.h>

/* Each level includes the ones before it. */
enum util_isa {
    UTIL_ISA_BASE,   /* x86-64 without SSE4.1, or another architecture */
    UTIL_ISA_SSE41,  /* SSE4.1 and SSSE3 */
    UTIL_ISA_AVX2,   /* x86-64-v3: AVX2, FMA, F16C, BMI1, BMI2, LZCNT, and MOVBE */
    UTIL_ISA_AVX512, /* x86-64-v4: AVX-512 F, BW, CD, DQ, and VL */
    UTIL_NUM_ISAS,
};

/* Returns the level in use. It never changes during the life of the process. Thread-safe. */
enum util_isa util_cpu_isa(void);

/* Returns the host's level, ignoring INDIUM_ISA. Thread-safe. */
enum util_isa util_cpu_host_isa(void);

/* Returns whether AVX-512 VBMI may be used: the host has it and the level in use is
 * UTIL_ISA_AVX512. Thread-safe. */
bool util_cpu_has_vbmi(void);

/* Returns the number of 32-bit lanes of the level's vector registers: 4, 8, or 16. */
unsigned util_isa_lanes(enum util_isa isa);

/* Returns the level's name: "base", or a value of INDIUM_ISA ("sse4.1", "avx2" or "avx512"). */
const char *util_isa_name(enum util_isa isa);

#endif
