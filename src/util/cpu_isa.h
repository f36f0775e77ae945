/* SPDX-License-Identifier: MIT */
/*
 * The instruction set level of this process: the host's, capped by INDIUM_ISA. The C code's
 * dispatch, LLVM's target features, and the baseline code generator all obey it. libc's own
 * dispatch doesn't.
 */
#ifndef UTIL_CPU_ISA_H
#define UTIL_CPU_ISA_H

#include <stdbool.h>

/* Each level includes the ones before it. */
enum util_isa {
    UTIL_ISA_BASE,   /* the C compiler's target: x86-64 without SSE4.1, other architectures */
    UTIL_ISA_SSE41,  /* SSE4.1 and SSSE3 */
    UTIL_ISA_AVX2,   /* x86-64-v3: AVX2, FMA, F16C, BMI1, BMI2, LZCNT, and MOVBE */
    UTIL_ISA_AVX512, /* x86-64-v4: AVX-512 F, BW, CD, DQ, and VL */
    UTIL_NUM_ISAS,
};

/* Returns the level in force, which never changes during the life of the process. Any thread. */
enum util_isa util_cpu_isa(void);

/* Returns the host's level, whatever INDIUM_ISA says. Any thread. */
enum util_isa util_cpu_host_isa(void);

/* Returns whether AVX-512 VBMI may be used: the host has it and the level in force is
 * UTIL_ISA_AVX512. */
bool util_cpu_has_vbmi(void);

/* Returns the number of 32-bit lanes of the level's vector registers: 4, 8, or 16. */
unsigned util_isa_lanes(enum util_isa isa);

/* Returns the level's name in INDIUM_ISA: "sse4.1", "avx2", "avx512", or "base". */
const char *util_isa_name(enum util_isa isa);

#endif
