/* SPDX-License-Identifier: MIT */
/* The list of a shader's variants, between cpu_shader.c and cpu_variant.c. */
#ifndef CPU_SHADER_H
#define CPU_SHADER_H

struct cpu_variants;

struct cpu_variants *cpu_variants_create(void);           /* NULL: no memory */
void cpu_variants_destroy(struct cpu_variants *variants); /* NULL is fine */

#endif
