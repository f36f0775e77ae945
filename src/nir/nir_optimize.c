/* SPDX-License-Identifier: MIT */
/*
 * The usual loop over the optimizations. A pass runs again when another has changed something of a
 * kind that it cares for; the loop ends when none has a reason to. Loops are unrolled only when
 * nothing else is left to do: their bodies are as small as they get.
 */
#include "nir.h"

/* Every pass shrinks or simplifies; the bound is against two that undo each other's work. */
#define MAX_ROUNDS 64

enum change {
    VALUES = 1 << 0, /* sources read other values, or there are new instructions */
    LESS = 1 << 1,   /* instructions or uses of values are gone */
    FLOW = 1 << 2,   /* control flow is different */
    ANYTHING = VALUES | LESS | FLOW,
};

struct step {
    const char *name;
    bool (*run)(nir_shader *shader);
    unsigned cares_for, makes; /* enum change */
    nir_variable_mode modes;   /* if not 0: it does nothing where no deref has one of these */
    bool thorough;             /* leaves nothing for a second run to do */
};

static bool peephole_select(nir_shader *shader)
{
    return nir_opt_peephole_select(shader, 8);
}

#define STEP(pass, ...) {.name = #pass, .run = pass, __VA_ARGS__}

static const struct step steps[] = {
    STEP(nir_lower_vars_to_ssa, .cares_for = ANYTHING, .makes = VALUES | LESS,
         .modes = nir_var_function_temp,
         .thorough = true),
    STEP(nir_opt_copy_prop_vars, .cares_for = VALUES | FLOW, .makes = VALUES | LESS,
         .modes = nir_var_all),
    STEP(nir_opt_dead_write_vars, .cares_for = ANYTHING, .makes = VALUES | LESS,
         .modes = nir_var_all),
    STEP(nir_copy_prop, .cares_for = VALUES, .makes = VALUES | LESS),
    STEP(nir_opt_remove_phis, .cares_for = VALUES | FLOW, .makes = VALUES | LESS),
    STEP(nir_opt_dce, .cares_for = ANYTHING, .makes = LESS,
         .thorough = true),
    STEP(nir_opt_trivial_continues, .cares_for = LESS | FLOW, .makes = FLOW),
    STEP(nir_opt_conditional_discard, .cares_for = ANYTHING, .makes = ANYTHING),
    STEP(nir_opt_if, .cares_for = ANYTHING, .makes = ANYTHING),
    STEP(nir_opt_dead_cf, .cares_for = ANYTHING, .makes = ANYTHING),
    STEP(nir_opt_cse, .cares_for = VALUES | FLOW, .makes = VALUES | LESS),
    {.name = "nir_opt_peephole_select", .run = peephole_select, .cares_for = ANYTHING,
     .makes = ANYTHING},
    STEP(nir_opt_algebraic, .cares_for = VALUES | LESS, .makes = VALUES | LESS),
    STEP(nir_opt_constant_folding, .cares_for = VALUES, .makes = VALUES | LESS),
    STEP(nir_opt_undef, .cares_for = VALUES, .makes = VALUES | LESS),
};

#define ALL_STEPS BITFIELD_MASK(ARRAY_SIZE(steps))

/* Steps that a change by step i gives a reason to run. */
static unsigned steps_after(unsigned i)
{
    unsigned set = 0;
    for (unsigned k = 0; k < ARRAY_SIZE(steps); k++) {
        if ((steps[i].makes & steps[k].cares_for) && !(k == i && steps[i].thorough))
            set |= 1u << k;
    }
    return set;
}

static nir_variable_mode find_deref_modes(nir_shader *shader)
{
    nir_variable_mode modes = 0;
    nir_foreach_function_impl(impl, shader) {
        nir_foreach_block(block, impl) {
            nir_foreach_instr(instr, block) {
                if (instr->type == nir_instr_type_deref)
                    modes |= nir_instr_as_deref(instr)->modes;
            }
        }
    }
    return modes;
}

static bool run_steps(nir_shader *shader)
{
    bool any = false;
    unsigned waiting = ALL_STEPS;
    nir_variable_mode modes = find_deref_modes(shader);
    for (unsigned i = 0; waiting && i < MAX_ROUNDS * ARRAY_SIZE(steps); i++) {
        unsigned k = i % ARRAY_SIZE(steps);
        const struct step *step = &steps[k];
        if (!(waiting & 1u << k))
            continue;
        waiting &= ~(1u << k);
        if (step->modes && !(step->modes & modes))
            continue;
        nir_pass_begin(shader, step->name);
        if (!nir_pass_end(shader, step->name, step->run(shader)))
            continue;
        any = true;
        waiting |= steps_after(k);
        /* Derefs of variables that became values are gone, and nothing here makes new ones. */
        if (step->run == nir_lower_vars_to_ssa)
            modes = find_deref_modes(shader);
    }
    return any;
}

bool nir_optimize(nir_shader *shader)
{
    bool any = run_steps(shader), unrolled;
    for (unsigned round = 0; round < MAX_ROUNDS; round++) {
        unrolled = false;
        NIR_PASS(unrolled, shader, nir_opt_loop_unroll);
        if (!unrolled)
            break;
        run_steps(shader);
        any = true;
    }
    return any;
}
