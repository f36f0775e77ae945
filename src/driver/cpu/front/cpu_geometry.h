/* SPDX-License-Identifier: MIT */
/* The geometry stage of a batch: its primitives become those that the shader emits. */
#ifndef CPU_GEOMETRY_H
#define CPU_GEOMETRY_H

#include "driver/cpu/kernel/cpu_variant.h"

struct cpu_batch;
struct cpu_batch_prim;
struct cpu_geometry;

/* The geometry stage of a draw. */
struct cpu_geometry_draw {
    const struct cpu_gs_variant *variant;
    struct jit_function shade; /* NULL: variant->runner shades */
    struct jit_function tail;
    const struct cpu_stage_state *state;
    uint32_t max_vertices, invocations;
    uint32_t vertices_in; /* of a primitive that it reads */
    uint32_t num_inputs;  /* vec4 outputs of the stage before */
};

/* A batch's memory for the stage. */
struct cpu_geometry *cpu_geometry_create(void);    /* NULL: no memory */
void cpu_geometry_destroy(struct cpu_geometry *g); /* NULL is fine */

/* Room for what the stage reads: cpu_vs_args.out of the one before. NULL: no memory. */
float *cpu_geometry_inputs(struct cpu_geometry *g, const struct cpu_geometry_draw *draw);
/* Runs the stage on primitives of the batch, whose vertices are there, and hands on what is emitted, in
 * order. id: gl_PrimitiveIDIn of each; NULL: from the batch's on. */
void cpu_geometry_process(struct cpu_geometry *g, struct cpu_batch *b,
                          const struct cpu_batch_prim *prim, const uint32_t *id, uint32_t count);

#endif
