/* SPDX-License-Identifier: MIT */
/* The part of the CPU driver's compiler that depends only on NIR. Tools use it without the
 * driver. */
#ifndef CPU_LOWER_H
#define CPU_LOWER_H

#include "nir/nir.h"

/* Compiler options (screen->nir_options). */
extern const struct nir_shader_compiler_options cpu_nir_options;

/* Lowers a shader in place to a single function in SSA form, with explicit inputs, outputs and
 * memory accesses. lanes: vector width, which is the subgroup size. */
void cpu_lower_shader(nir_shader *nir, unsigned lanes);

#endif
