/* SPDX-License-Identifier: MIT */
/* nir_metadata_loop_analysis: what nir_loop.info points to. */
#ifndef NIR_LOOP_ANALYZE_H
#define NIR_LOOP_ANALYZE_H

#include "nir.h"

/* An if of the loop's own list of which one branch ends in a break, and nothing else in it jumps. */
struct nir_loop_terminator {
    nir_if *nif;
    bool break_if; /* value of the condition that leaves */
    /* Complete iterations before the condition leaves, from constants alone; -1: not known. Other
     * exits may come first. */
    int trips;
};

/* A phi of the head that starts at init and becomes update; step is the constant that is added to it
 * (iadd, isub as negative; 32 bits at most), if has_step. */
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
    bool complex;      /* something else leaves or continues */
    bool has_indirect; /* a deref of a variable with an index that is not constant */
    /* Complete iterations at most: the smallest of the terminators'; -1: not known. */
    int max_trips;
    const struct nir_loop_terminator *limiting; /* the terminator that says so, or NULL */
    bool exact_trips; /* no other terminator leaves earlier: their conditions are known too */
    struct nir_loop_induction *inductions;
    unsigned num_inductions;
};

/* Fills the info of every loop; called by nir_metadata_require. Trip counts are looked for up to
 * options->max_unroll_iterations. */
void nir_loop_analyze_impl(nir_function_impl *impl);

#endif
