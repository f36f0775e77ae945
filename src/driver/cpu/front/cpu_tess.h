/* SPDX-License-Identifier: MIT */
/* The tessellation stages of a batch: replace its patches by vertices and primitives. */
#ifndef CPU_TESS_H
#define CPU_TESS_H

#include "driver/cpu/front/cpu_tessellator.h"
#include "driver/cpu/kernel/cpu_variant.h"

struct cpu_batch;
struct cpu_tess;

/* The tessellation stages of a draw. */
struct cpu_tess_draw {
    const struct cpu_tcs_variant *tcs; /* NULL: `outer` and `inner` are the levels */
    const struct cpu_tes_variant *tes; /* NULL: no tessellation */
    struct jit_function control;       /* run is NULL if the variant's runner shades */
    struct jit_function evaluate;      /* run is NULL if the variant's runner shades */
    struct jit_function
        finish_vertices; /* run is NULL if `evaluate` does it, or another stage follows */
    const struct cpu_stage_state *control_state, *evaluation_state;
    struct cpu_tess_layout layout;
    float outer[4], inner[2];
    unsigned lanes;        /* vector width; the vertices of a patch are padded to a multiple */
    uint32_t vertices_in;  /* vertices of an input patch */
    uint32_t vertices_out; /* vertices of a patch that the evaluation shader reads */
    uint32_t num_inputs;   /* vec4 outputs of the vertex stage */
    uint32_t record_words; /* size of a patch record in words */
    struct cpu_patch_outputs patch;
    bool must_evaluate;        /* the evaluation shader writes memory or is counted */
    uint32_t *max_patch_prims; /* atomic: maximum number of primitives of a patch */
};

/* Creates the memory that a batch needs for the stages. Returns NULL if memory is short. */
struct cpu_tess *cpu_tess_create(void);
/* NULL does nothing. */
void cpu_tess_destroy(struct cpu_tess *t);

/* Returns memory for the outputs of the vertex stage (cpu_vs_args.out), or NULL if memory is short.
 * */
float *cpu_tess_input_buffer(struct cpu_tess *t, const struct cpu_tess_draw *draw);
/* Runs the stages on the patches of the batch, whose vertices are shaded, and passes the resulting
 * primitives to the next stage in order. */
void cpu_tess_process(struct cpu_tess *t, struct cpu_batch *b);

#endif
