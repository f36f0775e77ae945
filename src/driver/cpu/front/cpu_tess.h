/* SPDX-License-Identifier: MIT */
/* The tessellation stages: replace the patches of a batch by vertices and primitives. */
#ifndef CPU_TESS_H
#define CPU_TESS_H

#include "driver/cpu/front/cpu_tessellator.h"
#include "driver/cpu/kernel/cpu_variant.h"

struct cpu_batch;
struct cpu_tess;

/* The tessellation stages of a draw. */
struct cpu_tess_draw {
    const struct cpu_tcs_variant *tcs; /* NULL: no control shader; the levels are outer and inner */
    const struct cpu_tes_variant *tes; /* NULL: no tessellation */
    struct jit_function control;       /* kernel; run is NULL if the variant's runner replaces it */
    struct jit_function evaluate;      /* kernel; run is NULL if the variant's runner replaces it */
    /* Computes window coordinates and clip codes. run is NULL if `evaluate` computes them, or if
     * they are not needed because a geometry stage follows. */
    struct jit_function finish_vertices;
    const struct cpu_stage_state *control_state, *evaluation_state;
    struct cpu_tess_layout layout;
    float outer[4], inner[2]; /* levels of patches without a control shader */
    unsigned lanes;       /* vector width; the vertices of a patch are padded to a multiple of it */
    uint32_t vertices_in; /* vertices of an input patch */
    uint32_t vertices_out;          /* vertices of a patch that the evaluation shader reads */
    uint32_t num_inputs;            /* vec4 outputs of the vertex stage */
    uint32_t record_words;          /* size of a patch record in words */
    struct cpu_patch_outputs patch; /* contents of a patch record */
    /* Evaluate all vertices, even if no primitive is needed: the shader writes memory, or a query
     * counts its invocations. */
    bool must_evaluate;
    uint32_t *max_patch_prims; /* atomic: largest number of primitives of the draw's patches */
};

/* Allocates the scratch memory that a batch needs for the stages. Returns NULL if out of memory. */
struct cpu_tess *cpu_tess_create(void);
/* Frees the memory; NULL does nothing. */
void cpu_tess_destroy(struct cpu_tess *t);

/* Returns the buffer for the outputs of the vertex stage (cpu_vs_args.out), which t owns. It has
 * space for CPU_BATCH_VERTICES vertices and is valid until the next call. Returns NULL if out of
 * memory. */
float *cpu_tess_input_buffer(struct cpu_tess *t, const struct cpu_tess_draw *draw);
/* Runs the stages on the patches of the batch, whose vertices the vertex shader has shaded. Passes
 * the resulting primitives, in order, to the geometry stage or to cpu_batch_emit(). Adds their
 * number to the batch's counters unless the geometry stage does that. When out of memory, sets
 * out_of_memory in the segment. */
void cpu_tess_process(struct cpu_tess *t, struct cpu_batch *b);

#endif
