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
    DEAD = 1 << 2,   /* some of what is left nobody reads */
    FLOW = 1 << 3,   /* control flow is different */
    ACCESS = 1 << 4, /* loads or stores of variables, or the indices they go by */
    ANYTHING = VALUES | LESS | DEAD | FLOW | ACCESS,
};

struct step {
    const char *name;
    bool (*run)(nir_shader *shader);
    unsigned cares_for, makes; /* enum change */
    bool thorough;             /* leaves nothing for a second run to do */
    /* If not 0: it does nothing where no instruction is of such a type, no deref of such a mode, no
     * mov or vec. */
    unsigned types; /* 1 << nir_instr_type */
    nir_variable_mode modes;
    bool copies;
};

enum {
    VARS_TO_SSA,
    COPY_PROP_VARS,
    DEAD_WRITE_VARS,
    COPY_PROP,
    REMOVE_PHIS,
    DCE,
    TRIVIAL_CONTINUES,
    CONDITIONAL_DISCARD,
    IF,
    DEAD_CF,
    PEEPHOLE_SELECT,
    ALGEBRAIC,
    UNDEF,
    CSE,
    NUM_STEPS,
};

static bool peephole_select(nir_shader *shader)
{
    return nir_opt_peephole_select(shader, 8);
}

#define STEP(pass, ...)                                                                            \
    {                                                                                              \
        .name = #pass, .run = pass, __VA_ARGS__                                                    \
    }

static const struct step steps[NUM_STEPS] = {
    [VARS_TO_SSA] = STEP(nir_lower_vars_to_ssa, .cares_for = ACCESS | LESS,
                         .makes = VALUES | LESS | DEAD | ACCESS, .modes = nir_var_function_temp,
                         .thorough = true),
    [COPY_PROP_VARS] =
        STEP(nir_opt_copy_prop_vars, .cares_for = ACCESS | FLOW,
             .makes = VALUES | LESS | DEAD | ACCESS, .modes = nir_var_all, .thorough = true),
    [DEAD_WRITE_VARS] = STEP(nir_opt_dead_write_vars, .cares_for = ACCESS | FLOW,
                             .makes = LESS | DEAD, .modes = nir_var_all, .thorough = true),
    [COPY_PROP] = STEP(nir_copy_prop, .cares_for = VALUES, .makes = VALUES | LESS, .copies = true,
                       .thorough = true),
    [REMOVE_PHIS] = STEP(nir_opt_remove_phis, .cares_for = VALUES | FLOW, .makes = VALUES | LESS,
                         .types = 1 << nir_instr_type_phi),
    [DCE] = STEP(nir_opt_dce, .cares_for = DEAD, .makes = LESS, .thorough = true),
    [TRIVIAL_CONTINUES] = STEP(nir_opt_trivial_continues, .cares_for = LESS | FLOW, .makes = FLOW),
    [CONDITIONAL_DISCARD] =
        STEP(nir_opt_conditional_discard, .cares_for = ANYTHING, .makes = ANYTHING),
    [IF] = STEP(nir_opt_if, .cares_for = ANYTHING, .makes = ANYTHING),
    [DEAD_CF] = STEP(nir_opt_dead_cf, .cares_for = ANYTHING, .makes = ANYTHING),
    [PEEPHOLE_SELECT] = {.name = "nir_opt_peephole_select",
                         .run = peephole_select,
                         .cares_for = ANYTHING,
                         .makes = ANYTHING & ~DEAD},
    [ALGEBRAIC] = STEP(nir_opt_algebraic, .cares_for = VALUES | LESS, .makes = VALUES | LESS,
                       .thorough = true),
    [UNDEF] = STEP(nir_opt_undef, .cares_for = VALUES, .makes = VALUES | LESS | ACCESS,
                   .types = 1 << nir_instr_type_undef),
    [CSE] = STEP(nir_opt_cse, .cares_for = VALUES | FLOW, .makes = VALUES | LESS, .thorough = true),
};

/* A round: variables become values, control flow with values for conditions gets simpler, then the
 * values do, which may leave less of control flow; last, when no others come, equal values are
 * found. */
static const uint8_t order[] = {
    VARS_TO_SSA,
    COPY_PROP_VARS,
    DEAD_WRITE_VARS,
    COPY_PROP,
    REMOVE_PHIS,
    DCE,
    TRIVIAL_CONTINUES,
    CONDITIONAL_DISCARD,
    IF,
    DEAD_CF,
    PEEPHOLE_SELECT,
    ALGEBRAIC,
    UNDEF,
    TRIVIAL_CONTINUES,
    CONDITIONAL_DISCARD,
    IF,
    DEAD_CF,
    PEEPHOLE_SELECT,
    CSE,
};

/* Whether the shader has what the step is about. */
static bool step_applies(const struct step *step, nir_shader *shader)
{
    if (!step->types && !step->modes && !step->copies)
        return true;
    nir_foreach_function_impl (impl, shader) {
        if ((step->types & impl->instr_types) || (step->modes & impl->deref_modes) ||
            (step->copies && impl->has_copies))
            return true;
    }
    return false;
}

/* Values may be indices. */
static unsigned changes_made(const struct step *step, nir_shader *shader)
{
    if (!(step->makes & VALUES))
        return step->makes;
    nir_foreach_function_impl (impl, shader) {
        if (impl->has_indirect_derefs)
            return step->makes | ACCESS;
    }
    return step->makes;
}

/* Steps that a change by `from` gives a reason to run. */
static unsigned steps_after(const struct step *from, unsigned changes)
{
    unsigned set = 0;
    for (unsigned k = 0; k < NUM_STEPS; k++) {
        if ((changes & steps[k].cares_for) && !(&steps[k] == from && from->thorough))
            set |= 1u << k;
    }
    return set;
}

static bool run_steps(nir_shader *shader)
{
    bool any = false;
    unsigned waiting = BITFIELD_MASK(NUM_STEPS);
    for (unsigned i = 0; waiting && i < MAX_ROUNDS * ARRAY_SIZE(order); i++) {
        unsigned k = order[i % ARRAY_SIZE(order)];
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

static bool has_loop(struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_loop)
            return true;
        if (node->type == nir_cf_node_if && (has_loop(&nir_cf_node_as_if(node)->then_list) ||
                                             has_loop(&nir_cf_node_as_if(node)->else_list)))
            return true;
    }
    return false;
}

static bool has_loops(nir_shader *shader)
{
    nir_foreach_function_impl (impl, shader) {
        if (has_loop(&impl->body))
            return true;
    }
    return false;
}

bool nir_optimize(nir_shader *shader)
{
    bool any = false, more = true;
    for (unsigned round = 0; round < MAX_ROUNDS && more; round++) {
        any |= run_steps(shader);
        more = false;
        if (!has_loops(shader))
            break;
        /* Phis of loops that read each other and nobody else does. */
        NIR_PASS(more, shader, nir_opt_dce);
        if (!more)
            NIR_PASS(more, shader, nir_opt_loop_unroll);
        any |= more;
    }
    return any;
}
