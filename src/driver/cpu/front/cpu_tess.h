/* SPDX-License-Identifier: MIT */
/* Tessellation of a batch: its patches become vertices and primitives between them. */
#ifndef CPU_TESS_H
#define CPU_TESS_H

#include "driver/cpu/front/cpu_tessellator.h"
#include "driver/cpu/kernel/cpu_variant.h"

struct cpu_batch;
struct cpu_tess;

/* The tessellation stages of a draw. */
struct cpu_tess_draw {
    const struct cpu_tcs_variant *tcs; /* NULL: levels are outer and inner */
    const struct cpu_tes_variant *tes; /* NULL: there is no tessellation */
    /* NULL: the variants' runners shade. */
    struct jit_function control;
    struct jit_function evaluate;
    struct jit_function tail; /* NULL: evaluate does it, or another stage follows */
    const struct cpu_stage_state *control_state, *evaluation_state;
    struct cpu_tess_layout layout;
    float outer[4], inner[2];
    unsigned lanes;                     /* that vertices of a patch fill up */
    uint32_t vertices_in, vertices_out; /* of a patch: assembled, evaluated */
    uint32_t num_inputs;                /* vec4 outputs of the vertex stage */
    uint32_t record_words;
    struct cpu_patch_outputs patch;
    bool evaluates_always; /* the evaluation shader does more than leave vertices, or is counted */
    uint32_t *most_prims;  /* atomic: that a patch became */
};

/* A batch's memory for the stages. */
struct cpu_tess *cpu_tess_create(void);    /* NULL: no memory */
void cpu_tess_destroy(struct cpu_tess *t); /* NULL is fine */

/* Room for what the stages read: cpu_vs_args.out of the vertex stage. NULL: no memory. */
float *cpu_tess_inputs(struct cpu_tess *t, const struct cpu_tess_draw *draw);
/* Runs the stages on the patches of the batch, whose vertices are there, and hands on what they become,
 * in order. */
void cpu_tess_process(struct cpu_tess *t, struct cpu_batch *b);

#endif
