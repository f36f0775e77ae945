/* SPDX-License-Identifier: MIT */
/* The passes that the fuzzer runs, and the complete lowering of the drivers. */
#include "driver/cpu/kernel/cpu_lower.h"
#include "driver/i965/compiler/from_nir.h"
#include "jit/jit.h"
#include "nir_fuzz.h"

#define WRAP(name, call)                                                                           \
    static bool run_##name(nir_shader *s)                                                          \
    {                                                                                              \
        return call;                                                                               \
    }

WRAP(select, nir_opt_peephole_select(s, 16))
WRAP(split_structs, nir_split_struct_vars(s, nir_var_function_temp))
WRAP(indirect, nir_lower_indirect_derefs(s, nir_var_function_temp, 16))
WRAP(from_ssa, nir_convert_from_ssa(s, false))
WRAP(phi_webs, nir_convert_from_ssa(s, true))
WRAP(io_temps, nir_lower_io_to_temporaries(s, true, true))
WRAP(io, nir_lower_io(s, nir_var_shader_in | nir_var_shader_out | nir_var_uniform))
WRAP(dead_vars, nir_remove_dead_variables(s, nir_var_function_temp | nir_var_shader_temp))
WRAP(large_constants, nir_opt_large_constants(s, 8))
WRAP(int64, nir_lower_int64(s, NIR_INT64_ALL))
WRAP(int64_some, nir_lower_int64(s, NIR_INT64_MULTIPLY | NIR_INT64_DIVIDE | NIR_INT64_BITS))
WRAP(vectorize,
     nir_opt_load_store_vectorize(s, nir_var_uniform | nir_var_mem_ssbo | nir_var_mem_shared, 16))
WRAP(array_deref_of_vec, nir_lower_array_deref_of_vec(s, nir_var_function_temp))

static bool run_sweep(nir_shader *s)
{
    nir_sweep(s);
    return true;
}

#define STEP(f) {#f, f}

/* Requires functions and global variables. */
static const struct fuzz_step early[] = {
    STEP(nir_split_var_copies),
    STEP(nir_lower_var_copies),
    STEP(nir_opt_copy_prop_vars),
    STEP(nir_opt_dead_write_vars),
    STEP(run_split_structs),
    STEP(nir_lower_vars_to_ssa),
    STEP(nir_opt_dce),
    STEP(nir_opt_cse),
    STEP(nir_copy_prop),
    STEP(nir_opt_algebraic),
    STEP(nir_opt_constant_folding),
    STEP(nir_opt_dead_cf),
    STEP(nir_opt_if),
    STEP(run_sweep),
    STEP(nir_lower_returns),
    STEP(run_dead_vars),
    STEP(nir_remove_dead_derefs),
    STEP(run_array_deref_of_vec),
};

static const struct fuzz_step functions_away[] = {
    STEP(nir_lower_returns),
    STEP(nir_inline_functions),
    STEP(nir_lower_global_vars_to_local),
};

/* Passes that simplify branches and loops, and passes that enable these. */
#define FLOW                                                                                       \
    STEP(nir_opt_if), STEP(nir_opt_dead_cf), STEP(run_select), STEP(nir_opt_algebraic),            \
        STEP(nir_opt_constant_folding), STEP(nir_opt_undef), STEP(nir_opt_loop_unroll),            \
        STEP(nir_opt_hoist_invariants), STEP(nir_convert_to_lcssa)

/* Run in any order. */
static const struct fuzz_step middle[] = {
    STEP(nir_lower_vars_to_ssa),
    STEP(nir_opt_copy_prop_vars),
    STEP(nir_opt_dead_write_vars),
    STEP(nir_copy_prop),
    STEP(nir_opt_remove_phis),
    STEP(nir_opt_dce),
    STEP(nir_opt_cse),
    STEP(nir_opt_trivial_continues),
    FLOW,
    STEP(nir_repair_ssa),
    STEP(run_phi_webs),
    STEP(nir_lower_regs_to_ssa),
    STEP(nir_lower_alu_to_scalar),
    STEP(nir_lower_phis_to_scalar),
    STEP(nir_lower_load_const_to_scalar),
    STEP(run_sweep),
    STEP(run_from_ssa),
    STEP(nir_lower_regs_to_ssa),
    STEP(nir_lower_alu),
    STEP(nir_canonicalize_nans),
    STEP(run_indirect),
    STEP(run_split_structs),
    STEP(run_dead_vars),
    STEP(run_io_temps),
    STEP(nir_split_var_copies),
    STEP(nir_lower_var_copies),
    STEP(nir_opt_algebraic_late),
    STEP(nir_remove_dead_derefs),
    STEP(run_array_deref_of_vec),
    STEP(run_large_constants),
    STEP(nir_opt_conditional_discard),
    STEP(nir_opt_shrink_vectors),
    STEP(nir_opt_range),
    STEP(nir_order_min_max),
    STEP(nir_opt_idiv_const),
    STEP(run_int64),
    STEP(run_int64_some),
    STEP(nir_lower_double_ops),
    STEP(nir_lower_doubles),
    STEP(nir_lower_64bit_values),
    STEP(nir_opt_gcm),
    STEP(nir_lower_bit_size),
};

/* Lowering for a driver, in this order, with random steps of `after` in between. */
static const struct fuzz_step lowering[] = {
    STEP(nir_split_var_copies),
    STEP(nir_lower_var_copies),
    STEP(run_io),
    STEP(nir_lower_64bit_io),
    STEP(run_indirect),
    STEP(nir_lower_vars_to_ssa),
    STEP(nir_lower_vars_to_scratch),
    STEP(nir_lower_alu_to_scalar),
    STEP(nir_lower_phis_to_scalar),
    STEP(nir_optimize),
    STEP(nir_opt_algebraic_late),
};

static const struct fuzz_step after[] = {
    STEP(nir_copy_prop),
    STEP(nir_opt_remove_phis),
    STEP(nir_opt_dce),
    STEP(nir_opt_cse),
    FLOW,
    STEP(nir_lower_regs_to_ssa),
    STEP(nir_repair_ssa),
    STEP(run_phi_webs),
    STEP(run_sweep),
    STEP(nir_opt_shrink_vectors),
    STEP(nir_opt_conditional_discard),
    STEP(nir_opt_range),
    STEP(nir_order_min_max),
    STEP(run_vectorize),
    STEP(nir_opt_gcm),
};

/* Each for one kind of driver only. */
static const struct fuzz_step last[] = {
    STEP(nir_lower_bool_to_int32),
    STEP(nir_opt_dce),
    STEP(run_from_ssa),
};

#define STEPS(list) {list, ARRAY_SIZE(list)}

const struct fuzz_steps fuzz_early = STEPS(early), fuzz_inline_functions = STEPS(functions_away),
                        fuzz_middle = STEPS(middle), fuzz_lowering = STEPS(lowering),
                        fuzz_after = STEPS(after), fuzz_last = STEPS(last);

static void lower_for_cpu(nir_shader *s)
{
    cpu_lower_shader(s, 1);
    jit_lower_nir(s);
}

static void lower_for_i965(nir_shader *s)
{
    i965_lower_nir(s, i965_device_by_name("skl"));
}

static void lower_for_i965_without_64bit(nir_shader *s)
{
    i965_lower_nir(s, i965_device_by_name("icl"));
}

/* The complete lowering of a driver; the results are compared after each pass. */
const struct fuzz_driver fuzz_drivers[FUZZ_DRIVERS] = {
    {"the CPU driver", lower_for_cpu},
    {"the i965 driver", lower_for_i965},
    {"the i965 driver without 64-bit types", lower_for_i965_without_64bit},
};

/* This pass computes functions without exact results in a different way. */
bool fuzz_is_approximate(const char *pass)
{
    return !strcmp(pass, "i965_lower_doubles");
}
