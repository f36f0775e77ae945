/* SPDX-License-Identifier: MIT */
/* The geometry stage: replaces the primitives of a batch by those that the geometry shader
 * emits. */
#ifndef CPU_GEOMETRY_H
#define CPU_GEOMETRY_H

#include "driver/cpu/kernel/cpu_variant.h"

struct cpu_batch;
struct cpu_batch_prim;
struct cpu_geometry;

/* The geometry stage of a draw. */
struct cpu_geometry_draw {
    const struct cpu_gs_variant *variant;
    struct jit_function shade;           /* kernel; run is NULL if variant->runner replaces it */
    struct jit_function finish_vertices; /* cpu_gs_variant.finish_vertices */
    const struct cpu_stage_state *state;
    uint32_t max_vertices, invocations; /* from the shader's layout qualifiers */
    uint32_t vertices_in;               /* vertices of an input primitive */
    uint32_t num_inputs;                /* vec4 outputs of the previous stage */
};

/* Allocates the scratch memory that a batch needs for the stage. Returns NULL if out of memory. */
struct cpu_geometry *cpu_geometry_create(void);
/* Frees the memory; NULL does nothing. */
void cpu_geometry_destroy(struct cpu_geometry *g);

/* Returns the buffer for the outputs of the previous stage (cpu_vs_args.out), which g owns. It has
 * space for CPU_BATCH_VERTICES vertices and is valid until the next call. Returns NULL if out of
 * memory. */
float *cpu_geometry_input_buffer(struct cpu_geometry *g, const struct cpu_geometry_draw *draw);
/* Runs the stage on `count` primitives of the batch, whose vertices the previous stage has shaded.
 * Passes the emitted primitives to cpu_batch_emit() in order, and adds their numbers to the batch's
 * counters. id[] has the gl_PrimitiveIDIn of each input primitive; if it is NULL, they are numbered
 * from the batch's primitive_id. When out of memory, sets out_of_memory in the segment. */
void cpu_geometry_process(struct cpu_geometry *g, struct cpu_batch *b,
                          const struct cpu_batch_prim *prim, const uint32_t *id, uint32_t count);

#endif
