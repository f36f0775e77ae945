/* SPDX-License-Identifier: MIT */
/* What needs NIR alone of the CPU driver's compiler: tools use it without the driver. */
#ifndef CPU_LOWER_H
#define CPU_LOWER_H

#include "nir/nir.h"

/* The compiler options (screen->nir_options). */
extern const struct nir_shader_compiler_options cpu_nir_options;

/* To one function whose variables are values, with explicit inputs, outputs and memory. In place.
 * lanes: of a vector, which is a subgroup. */
void cpu_lower_shader(nir_shader *nir, unsigned lanes);

#endif
