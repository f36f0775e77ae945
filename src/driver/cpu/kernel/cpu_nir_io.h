/* SPDX-License-Identifier: MIT */
/* Shader inputs and outputs in kernels. During a shader's body, outputs are kept in local
 * variables: one 32-bit scalar per component, created on first use. */
#ifndef CPU_NIR_IO_H
#define CPU_NIR_IO_H

#include "driver/cpu/kernel/cpu_nir.h"

#define CPU_IO_SLOTS 64 /* slots of inputs and outputs: enum varying_slot below this value */

/* The variables of a shader's outputs, by slot and component; NULL if not created. */
struct cpu_outputs {
    nir_variable *var[CPU_IO_SLOTS][4];
};

/* Converts a scalar to the 32-bit form in which outputs are stored: booleans to 0 or 1; values of 8
 * or 16 bits are zero-extended. */
nir_def *cpu_output_to_u32(nir_builder *b, nir_def *value);
/* Lowers a store_output to stores to the variables. slot: the slot at offset 0 of the
 * instruction. */
void cpu_lower_store_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                            unsigned slot, nir_intrinsic_instr *intr);
/* Lowers a load_output to loads of the variables. slot: as for cpu_lower_store_output(). */
void cpu_lower_load_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                           unsigned slot, nir_intrinsic_instr *intr);
/* If `value` isn't NULL, replaces the result of the intrinsic `instr` by it. Otherwise lowers the
 * instructions that all stages handle in the same way: textures, memory, images and, if `outputs`
 * isn't NULL, store_output and load_output. Leaves other instructions unchanged. */
void cpu_lower_common_instr(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                            nir_instr *instr, nir_def *value);
/* Creates the variables that a store_output may write; needed where a variable must exist before
 * the store is lowered. */
void cpu_declare_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                        nir_intrinsic_instr *intr);
/* Emits a load of an output component at the cursor. Returns NULL if it has no variable, because
 * the shader never writes or reads it. */
nir_def *cpu_output_value(nir_builder *b, const struct cpu_outputs *outputs, unsigned slot,
                          unsigned component);
/* Returns the variable of an output component. Creates it, without an initial value, on first
 * use. */
nir_variable *cpu_output_variable(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                                  unsigned slot, unsigned component);

/* Loads a component of an input from the outputs of the previous stage. in: address of these
 * outputs (CPU_BATCH_VERTICES describes the layout). vertex: index of the vertex in them.
 * input_slot: the field of the stage's key. Inputs that the previous stage doesn't write are (0, 0,
 * 0, 1). */
nir_def *cpu_load_vertex_input(nir_builder *b, const uint8_t input_slot[CPU_IO_SLOTS],
                               unsigned slot, unsigned component, nir_def *in, nir_def *vertex);

/* Returns the value of a load from slot + offset, where `offset` may be variable and is less than
 * num_slots; a variable offset outside that range reads `slot`. Calls `get` for the 32-bit value of
 * each component of each slot that may be read. The result has the bit size and the components of
 * the intrinsic's result. */
nir_def *cpu_select_slot(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *offset,
                         unsigned slot, unsigned num_slots,
                         nir_def *(*get)(void *data, unsigned slot, unsigned component),
                         void *data);

#endif
