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
    ACCESS = 1 << 3, /* loads or stores of variables, or the indices they go by */
    ANYTHING = VALUES | LESS | FLOW | ACCESS,
};

struct step {
    const char *name;
    bool (*run)(nir_shader *shader);
    unsigned cares_for, makes; /* enum change */
    bool thorough;             /* leaves nothing for a second run to do */
    /* If not 0: it does nothing where no instruction is of such a type, no deref of such a mode. */
    unsigned types; /* 1 << nir_instr_type */
    nir_variable_mode modes;
};

static bool peephole_select(nir_shader *shader)
{
    return nir_opt_peephole_select(shader, 8);
}

#define STEP(pass, ...) {.name = #pass, .run = pass, __VA_ARGS__}

static const struct step steps[] = {
    STEP(nir_lower_vars_to_ssa, .cares_for = ACCESS | LESS, .makes = VALUES | LESS | ACCESS,
         .modes = nir_var_function_temp, .thorough = true),
    STEP(nir_opt_copy_prop_vars, .cares_for = ACCESS | FLOW, .makes = VALUES | LESS | ACCESS,
         .modes = nir_var_all, .thorough = true),
    STEP(nir_copy_prop, .cares_for = VALUES, .makes = VALUES | LESS, .thorough = true),
    STEP(nir_opt_remove_phis, .cares_for = VALUES | FLOW, .makes = VALUES | LESS,
         .types = 1 << nir_instr_type_phi),
    STEP(nir_opt_dce, .cares_for = VALUES | LESS | FLOW, .makes = LESS, .thorough = true),
    STEP(nir_opt_dead_write_vars, .cares_for = ACCESS | FLOW, .makes = LESS,
         .modes = nir_var_all, .thorough = true),
    STEP(nir_opt_trivial_continues, .cares_for = LESS | FLOW, .makes = FLOW),
    STEP(nir_opt_conditional_discard, .cares_for = ANYTHING, .makes = ANYTHING),
    STEP(nir_opt_if, .cares_for = ANYTHING, .makes = ANYTHING),
    STEP(nir_opt_dead_cf, .cares_for = ANYTHING, .makes = ANYTHING),
    STEP(nir_opt_cse, .cares_for = VALUES | FLOW, .makes = VALUES | LESS, .thorough = true),
    {.name = "nir_opt_peephole_select", .run = peephole_select, .cares_for = ANYTHING,
     .makes = ANYTHING},
    STEP(nir_opt_algebraic, .cares_for = VALUES | LESS, .makes = VALUES | LESS),
    STEP(nir_opt_constant_folding, .cares_for = VALUES, .makes = VALUES | LESS, .thorough = true),
    STEP(nir_opt_undef, .cares_for = VALUES, .makes = VALUES | LESS | ACCESS,
         .types = 1 << nir_instr_type_undef),
};

#define ALL_STEPS BITFIELD_MASK(ARRAY_SIZE(steps))

/* Whether the shader has what the step is about. */
static bool step_applies(const struct step *step, nir_shader *shader)
{
    if (!step->types && !step->modes)
        return true;
    nir_foreach_function_impl(impl, shader) {
        if ((step->types & impl->instr_types) || (step->modes & impl->deref_modes))
            return true;
    }
    return false;
}

/* Values may be indices. */
static unsigned changes_made(const struct step *step, nir_shader *shader)
{
    if (!(step->makes & VALUES))
        return step->makes;
    nir_foreach_function_impl(impl, shader) {
        if (impl->has_indirect_derefs)
            return step->makes | ACCESS;
    }
    return step->makes;
}

/* Steps that a change by `from` gives a reason to run. */
static unsigned steps_after(const struct step *from, unsigned changes)
{
    unsigned set = 0;
    for (unsigned k = 0; k < ARRAY_SIZE(steps); k++) {
        if ((changes & steps[k].cares_for) && !(&steps[k] == from && from->thorough))
            set |= 1u << k;
    }
    return set;
}

static bool run_steps(nir_shader *shader)
{
    bool any = false;
    unsigned waiting = ALL_STEPS;
    for (unsigned i = 0; waiting && i < MAX_ROUNDS * ARRAY_SIZE(steps); i++) {
        unsigned k = i % ARRAY_SIZE(steps);
        const struct step *step = &steps[k];
        if (!(waiting & 1u << k))
            continue;
        waiting &= ~(1u << k);
        if (!step_applies(step, shader))
            continue;
        nir_pass_begin(shader, step->name);
        if (!nir_pass_end(shader, step->name, step->run(shader)))
            continue;
        any = true;
        waiting |= steps_after(step, changes_made(step, shader));
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
