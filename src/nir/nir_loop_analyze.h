/* SPDX-License-Identifier: MIT */
/* Loop analysis: the contents of nir_loop.info, valid with nir_metadata_loop_analysis. */
#ifndef NIR_LOOP_ANALYZE_H
#define NIR_LOOP_ANALYZE_H

#include "nir.h"

/* An if directly in the loop's body with a branch that ends in a break. Nothing else in the if
 * jumps. */
struct nir_loop_terminator {
    nir_if *nif;
    bool break_if; /* value of the condition for which the loop is left */
    /* Complete iterations before this condition leaves the loop, if constants determine it;
     * otherwise -1. Other exits may be taken earlier. */
    int trips;
};

/* A phi of the loop header with the initial value init and the value update after each iteration.
 * If has_step, step is the constant added in each iteration (for isub, its negation); at most 32
 * bits. */
struct nir_loop_induction {
    nir_phi_instr *phi;
    nir_def *init, *update;
    bool has_step;
    int64_t step;
};

struct nir_loop_info {
    unsigned num_instrs;                     /* in all blocks of the loop */
    struct nir_loop_terminator *terminators; /* in program order */
    unsigned num_terminators;
    bool complex;      /* other jumps leave or continue the loop */
    bool has_indirect; /* a variable is indexed with a value that is not constant */
    /* Upper bound of the complete iterations: the minimum over all terminators; -1: unknown. */
    int max_trips;
    const struct nir_loop_terminator *limiting; /* terminator with that minimum, or NULL */
    /* The loop runs exactly max_trips iterations, because the trips of all terminators are
     * known. */
    bool exact_trips;
    struct nir_loop_induction *inductions;
    unsigned num_inductions;
};

/* Fills nir_loop.info of every loop. Called by nir_metadata_require. Searches trip counts up to
 * options->max_unroll_iterations. */
void nir_loop_analyze_impl(nir_function_impl *impl);

#endif
