/* SPDX-License-Identifier: MIT */
/* Shader inputs and outputs. Outputs are local variables, one 32-bit scalar per component, created
 * on first use. */
#ifndef CPU_NIR_IO_H
#define CPU_NIR_IO_H

#include "driver/cpu/kernel/cpu_nir.h"

#define CPU_IO_SLOTS 64

struct cpu_outputs {
    nir_variable *var[CPU_IO_SLOTS][4];
};

/* Converts a scalar to the 32-bit form in which outputs are stored. */
nir_def *cpu_output_to_u32(nir_builder *b, nir_def *value);
/* Lowers a store_output. slot: the first slot of the instruction. */
void cpu_lower_store_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                            unsigned slot, nir_intrinsic_instr *intr);
/* Lowers a load_output in the same way. */
void cpu_lower_load_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                           unsigned slot, nir_intrinsic_instr *intr);
/* Lowers an instruction that all stages handle alike: textures, memory, images and, if `outputs`
 * isn't NULL, store_output and load_output. If `value` isn't NULL, replaces the instruction by
 * it. */
void cpu_lower_common_instr(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                            nir_instr *instr, nir_def *value);
/* Creates the variables that a store_output writes. */
void cpu_declare_output(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                        nir_intrinsic_instr *intr);
/* Emits a load of an output component at the cursor. Returns NULL if it has no variable, i.e. is
 * never written or read. */
nir_def *cpu_output_value(nir_builder *b, const struct cpu_outputs *outputs, unsigned slot,
                          unsigned component);
/* Returns the variable of an output component, creating it on first use. It has no initial
 * value. */
nir_variable *cpu_output_variable(struct cpu_kernel_builder *kb, struct cpu_outputs *outputs,
                                  unsigned slot, unsigned component);

/* Loads an input component of a vertex that the previous stage stored in `in` (CPU_BATCH_VERTICES
 * describes the layout). input_slot: from the key. Inputs that the previous stage doesn't write are
 * (0, 0, 0, 1). */
nir_def *cpu_load_vertex_input(nir_builder *b, const uint8_t input_slot[CPU_IO_SLOTS],
                               unsigned slot, unsigned component, nir_def *in, nir_def *vertex);

/* Returns the value of the slot that the intrinsic's offset source selects among num_slots slots.
 * `get` returns a component of a slot. The result has the intrinsic's size and component count. */
nir_def *cpu_select_slot(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *offset,
                         unsigned slot, unsigned num_slots,
                         nir_def *(*get)(void *data, unsigned slot, unsigned component),
                         void *data);

#endif
