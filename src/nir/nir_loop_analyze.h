/* SPDX-License-Identifier: MIT */
/* Loop analysis: the contents of nir_loop.info, valid with nir_metadata_loop_analysis. */
#ifndef NIR_LOOP_ANALYZE_H
#define NIR_LOOP_ANALYZE_H

#include "nir.h"

/* An exit of a loop: an if at the top level of the loop's body with one branch that ends in a break
 * and no other jumps. */
struct nir_loop_terminator {
    nir_if *nif;
    bool break_if; /* the loop is left if the condition has this value */
    /* For nir_loop_info.limiting, the number of complete iterations before this exit is taken; -1
     * for all other terminators. */
    int trips;
};

/* A loop variable: a phi of the loop header. */
struct nir_loop_induction {
    nir_phi_instr *phi;
    nir_def *init, *update; /* values in the first iteration and in the next one */
    /* update is phi + step; only detected for integer scalars of at most 32 bits. */
    bool has_step;
    int64_t step; /* valid if has_step */
};

/* What is known about a loop: a talloc child of the nir_loop. */
struct nir_loop_info {
    unsigned num_instrs; /* in all blocks of the loop */
    /* size: scalar ALU instructions of the body (nir_instr_size). known_size: the part of it that
     * becomes constant when the loop is unrolled. These and has_known_index are only set if
     * limiting isn't NULL. */
    unsigned size, known_size;
    struct nir_loop_terminator *terminators; /* in program order */
    unsigned num_terminators;
    bool complex;         /* jumps other than those of the terminators leave or continue the loop */
    bool has_indirect;    /* a variable is accessed with an index that is not constant */
    bool has_known_index; /* an index of a local variable or a sampler is known in each iteration */
    /* Upper bound of the number of complete iterations: after that many, the terminator `limiting`
     * certainly leaves the loop. -1: no bound is known. */
    int max_trips;
    const struct nir_loop_terminator *limiting; /* NULL if no bound is known */
    /* The conditions of all terminators are known in each iteration. So the loop runs exactly
     * max_trips iterations, unless it is complex. */
    bool exact_trips;
    struct nir_loop_induction *inductions; /* none if several blocks jump to the header */
    unsigned num_inductions;
};

/* Returns the size of an instruction for size limits, in scalar ALU instructions. For example, an
 * fadd of vec4s has size 4, and a texture instruction has size options->texture_size. Intrinsics,
 * calls and phis have size 1, all others 0. options may be NULL. */
unsigned nir_instr_size(const nir_shader_compiler_options *options, const nir_instr *instr);

/* Fills nir_loop.info of every loop; called by nir_metadata_require. Doesn't find bounds above
 * options->max_unroll_iterations. */
void nir_loop_analyze_impl(nir_function_impl *impl);

#endif
