/* SPDX-License-Identifier: MIT */
/*
 * The optimization loop. A pass runs again only if another pass made a change of a kind that it
 * depends on; the loop ends when no pass is triggered. Loops are unrolled last, when their bodies
 * cannot shrink any further.
 */
#include "nir.h"

/* Every pass shrinks or simplifies the code; the limit guards against two passes that undo each
 * other. */
#define MAX_ROUNDS 64

enum change {
    VALUES = 1 << 0, /* sources read other values, or instructions were added */
    LESS = 1 << 1,   /* instructions or uses of values were removed */
    DEAD = 1 << 2,   /* some instructions are now unused */
    FLOW = 1 << 3,   /* control flow changed */
    ACCESS = 1 << 4, /* loads or stores of variables, or their indices, changed */
    ANYTHING = VALUES | LESS | DEAD | FLOW | ACCESS,
};

struct step {
    const char *name;
    bool (*run)(nir_shader *shader);
    unsigned triggers, makes; /* masks of enum change: triggers of the step, and what it causes */
    bool thorough;            /* a second run in a row has nothing to do */
    /* If nonzero: the step applies only to functions with instructions of these types, with derefs
     * of these modes, or with mov or vec. */
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

#define STEP(pass, ...) {.name = #pass, .run = pass, __VA_ARGS__}

static const struct step steps[NUM_STEPS] = {
    [VARS_TO_SSA] = STEP(nir_lower_vars_to_ssa, .triggers = ACCESS | LESS,
                         .makes = VALUES | LESS | DEAD | ACCESS, .modes = nir_var_function_temp,
                         .thorough = true),
    [COPY_PROP_VARS] =
        STEP(nir_opt_copy_prop_vars, .triggers = ACCESS | FLOW,
             .makes = VALUES | LESS | DEAD | ACCESS, .modes = nir_var_all, .thorough = true),
    [DEAD_WRITE_VARS] = STEP(nir_opt_dead_write_vars, .triggers = ACCESS | FLOW,
                             .makes = LESS | DEAD, .modes = nir_var_all, .thorough = true),
    [COPY_PROP] = STEP(nir_copy_prop, .triggers = VALUES, .makes = VALUES | LESS, .copies = true,
                       .thorough = true),
    [REMOVE_PHIS] = STEP(nir_opt_remove_phis, .triggers = VALUES | FLOW, .makes = VALUES | LESS,
                         .types = 1 << nir_instr_type_phi),
    [DCE] = STEP(nir_opt_dce, .triggers = DEAD, .makes = LESS, .thorough = true),
    [TRIVIAL_CONTINUES] = STEP(nir_opt_trivial_continues, .triggers = LESS | FLOW, .makes = FLOW),
    [CONDITIONAL_DISCARD] =
        STEP(nir_opt_conditional_discard, .triggers = ANYTHING, .makes = ANYTHING),
    [IF] = STEP(nir_opt_if, .triggers = ANYTHING, .makes = ANYTHING),
    [DEAD_CF] = STEP(nir_opt_dead_cf, .triggers = ANYTHING, .makes = ANYTHING),
    [PEEPHOLE_SELECT] = {.name = "nir_opt_peephole_select",
                         .run = peephole_select,
                         .triggers = ANYTHING,
                         .makes = ANYTHING & ~DEAD},
    [ALGEBRAIC] = STEP(nir_opt_algebraic, .triggers = VALUES | LESS, .makes = VALUES | LESS,
                       .thorough = true),
    [UNDEF] = STEP(nir_opt_undef, .triggers = VALUES, .makes = VALUES | LESS | ACCESS,
                   .types = 1 << nir_instr_type_undef),
    [CSE] = STEP(nir_opt_cse, .triggers = VALUES | FLOW, .makes = VALUES | LESS, .thorough = true),
};

/* Order within a round: promote variables to values, simplify control flow that depends on them,
 * then the values, which may simplify control flow again. CSE comes last, when no other step is
 * pending. */
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

/* Returns true if the shader contains what the step requires. */
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

/* A changed value may be an array index. */
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

/* Returns the steps that are triggered by changes of step `from`. */
static unsigned steps_after(const struct step *from, unsigned changes)
{
    unsigned set = 0;
    for (unsigned k = 0; k < NUM_STEPS; k++) {
        if ((changes & steps[k].triggers) && !(&steps[k] == from && from->thorough))
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
        /* Removes cycles of loop phis that only use each other. */
        NIR_PASS(more, shader, nir_opt_dce);
        if (!more)
            NIR_PASS(more, shader, nir_opt_loop_unroll);
        any |= more;
    }
    return any;
}
