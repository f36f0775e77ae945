/* SPDX-License-Identifier: MIT */
/* Shader outputs as local variables, a scalar per component, made when they are first written. */
#ifndef CPU_NIR_IO_H
#define CPU_NIR_IO_H

#include "driver/cpu/kernel/cpu_nir.h"

#define CPU_IO_SLOTS 64

struct cpu_outputs {
    nir_variable *var[CPU_IO_SLOTS][4];
};

/* A scalar as outputs hold it. */
nir_def *cpu_io_word(nir_builder *b, nir_def *value);
/* Lowers store_output and load_output; `slot` is the instruction's first slot. */
void cpu_lower_store_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                            unsigned slot, nir_intrinsic_instr *intr);
void cpu_lower_load_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                           unsigned slot, nir_intrinsic_instr *intr);
/* Lowers what is lowered alike in every stage: textures, memory, images and, where the stage keeps its
 * outputs in variables (else NULL), store_output and load_output. `value` is what the stage itself has
 * in place of the instruction; NULL: nothing. */
void cpu_lower_instr(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs, nir_instr *instr,
                     nir_def *value);
/* Makes the variables that a store_output writes. */
void cpu_declare_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                        nir_intrinsic_instr *intr);
/* Value of a component at the cursor; NULL: never written. */
nir_def *cpu_output_value(nir_builder *b, const struct cpu_outputs *outputs, unsigned slot,
                          unsigned component);
/* The variable, made if it is not there. Its initial value is set before the body, at `start`. */
nir_variable *cpu_output_variable(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                                  unsigned slot, unsigned component);

/* A component of a vertex that the stage before left, as struct cpu_vs_args has them from `in` on.
 * input_slot: of the key. What that stage does not write is (0, 0, 0, 1). */
nir_def *cpu_load_vertex_input(nir_builder *b, const uint8_t input_slot[CPU_IO_SLOTS],
                               unsigned slot, unsigned component, nir_def *in, nir_def *vertex);

/* Of num slots' values, the one that the intrinsic's offset source selects. get returns component
 * `component` of a slot. The result has the intrinsic's shape. */
nir_def *cpu_select_input(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *offset,
                          unsigned slot, unsigned num_slots,
                          nir_def *(*get)(void *data, unsigned slot, unsigned component),
                          void *data);

#endif
