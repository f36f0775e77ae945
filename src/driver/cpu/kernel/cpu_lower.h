/* SPDX-License-Identifier: MIT */
/* Shader lowering that depends only on NIR, not on the rest of the driver, so that tools can use
 * it. */
#ifndef CPU_LOWER_H
#define CPU_LOWER_H

#include "nir/nir.h"

/* The driver's compiler options (drv_screen.nir_options). */
extern const struct nir_shader_compiler_options cpu_nir_options;

/* Lowers and optimizes a shader in place. The result is a single function in SSA form that accesses
 * inputs, outputs and memory by slots and offsets. lanes: vector width, which is also the subgroup
 * size. Call it in an attempt (util/memory.h), which fails if out of memory; the shader is then
 * unusable. */
void cpu_lower_shader(nir_shader *nir, unsigned lanes);

#endif
