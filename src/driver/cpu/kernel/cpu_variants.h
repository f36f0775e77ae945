/* SPDX-License-Identifier: MIT */
/* The list of a shader's variants: the interface between cpu_shader.c and cpu_variant.c. */
#ifndef CPU_VARIANTS_H
#define CPU_VARIANTS_H

struct cpu_variant_list;

/* Creates an empty list. Returns NULL if out of memory. */
struct cpu_variant_list *cpu_variant_list_create(void);
/* Destroys the variants in the list, and the list. NULL does nothing. */
void cpu_variant_list_destroy(struct cpu_variant_list *variants);

#endif
