/* SPDX-License-Identifier: MIT */
/* Compiler options of the CPU driver, and lowering that doesn't depend on state. */
#include "driver/cpu/kernel/cpu_lower.h"

const struct nir_shader_compiler_options cpu_nir_options = {
    .lower_flrp = true,
    .lower_fmod = true,
    .lower_ldexp = true,
    .lower_frexp = true,
    .lower_to_scalar = true,
    .max_unroll_iterations = 32,
    .texture_size = 128,
};

/* Dynamically indexed arrays of up to this length become trees of selections; longer ones go to
 * scratch memory. */
#define MAX_SELECTED_ARRAY 8
/* Constant arrays of at least this many bytes are loaded from memory. */
#define MIN_CONSTANT_DATA 16

void cpu_lower_shader(nir_shader *nir, unsigned lanes)
{
    const nir_lower_subgroups_options subgroups = {.size = lanes, .inactive_compute = true};
    static const nir_lower_tex_options tex_options = {
        .lower_txp = true, .lower_tg4_offsets = true, .lower_txs_cube_array = true};

    nir_prepare_for_driver(nir);
    NIR_PASS_V(nir, nir_lower_system_values);
    NIR_PASS_V(nir, nir_lower_subgroups, &subgroups);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    NIR_PASS_V(nir, nir_lower_alu);
    nir_optimize(nir);
    NIR_PASS_V(nir, nir_opt_tex_gradients);
    NIR_PASS_V(nir, nir_lower_samplers);
    NIR_PASS_V(nir, nir_lower_atomic_counters);
    NIR_PASS_V(nir, nir_lower_tex, &tex_options);
    NIR_PASS_V(nir, nir_lower_image);
    NIR_PASS_V(nir, nir_lower_io, nir_var_shader_in | nir_var_shader_out | nir_var_uniform);
    NIR_PASS_V(nir, nir_lower_64bit_io);
    NIR_PASS_V(nir, nir_lower_explicit_io, nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_shared);
    NIR_PASS_V(nir, nir_opt_access);
    NIR_PASS_V(nir, nir_opt_large_constants, MIN_CONSTANT_DATA);
    NIR_PASS_V(nir, nir_lower_indirect_derefs, nir_var_function_temp, MAX_SELECTED_ARRAY);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    NIR_PASS_V(nir, nir_lower_vars_to_scratch);
    NIR_PASS_V(nir, nir_opt_shrink_vectors);
    NIR_PASS_V(nir, nir_lower_alu_to_scalar);
    NIR_PASS_V(nir, nir_opt_range);
    nir_optimize(nir);
    NIR_PASS_V(nir, nir_order_min_max);
    NIR_PASS_V(nir, nir_remove_dead_variables, nir_var_function_temp | nir_var_shader_temp);
    nir_shader_gather_info(nir);
    nir_sweep(nir);
}
