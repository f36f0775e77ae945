/* SPDX-License-Identifier: MIT */
/*
 * Converts task and mesh shaders (EXT_mesh_shader) to compute shaders that read and write buffers,
 * and generates the vertex shader that draws the meshes. gl_mesh.c has the dispatches and draws.
 *
 * A dispatch runs a chunk of at most GL_MESH_CHUNK workgroups. Its buffer starts with an array of
 * GL_MESH_CHUNK struct gl_mesh_group, the inputs of the workgroups. A record per workgroup follows
 * with the outputs: struct gl_mesh_counts, and then the payload of a task shader, or the indices,
 * cull flags, vertices and primitives of a mesh shader (struct gl_mesh_layout).
 */
#ifndef GL_LOWER_MESH_H
#define GL_LOWER_MESH_H

#include "nir/nir.h"

#define GL_MESH_CHUNK 256u /* workgroups */

/* Inputs of a workgroup. */
struct gl_mesh_group {
    uint32_t id[3];    /* gl_WorkGroupID */
    uint32_t draw_id;  /* gl_DrawID */
    uint32_t count[3]; /* gl_NumWorkGroups */
    uint32_t payload;  /* mesh shaders: byte offset of the payload in the buffer of the tasks */
};

/* First part of an output record. */
struct gl_mesh_counts {
    /* Task shaders: numbers of workgroups in x, y and z. Mesh shaders: numbers of vertices and
     * primitives. The values come from the shader and may exceed the limits. */
    uint32_t count[4];
    uint32_t ignored[4]; /* where all invocations but the first of the workgroup store theirs */
};

/* Layout of an output record of a mesh shader. Offsets and sizes are in bytes. */
struct gl_mesh_layout {
    /* Masks of the varying slots that the shader writes. The slots of a vertex or primitive are
     * consecutive, in ascending order, with 16 bytes each. */
    uint64_t vertex_slots, primitive_slots;
    unsigned max_vertices, max_primitives;
    unsigned corners; /* vertices of a primitive: 1, 2 or 3 */
    bool culls;       /* the shader writes gl_CullPrimitiveEXT */
    /* Offsets in the record. indices: `corners` 32-bit words per primitive. cull_flags: a word per
     * primitive, only if `culls`. vertices, primitives: their slots. */
    unsigned indices, cull_flags, vertices, primitives;
    unsigned stride; /* size of a record in bytes, a multiple of 16 */
};

/* Computes the layout of a linked mesh shader's records. */
void gl_mesh_layout_of(const nir_shader *nir, struct gl_mesh_layout *layout);
/* Returns the size of the payload of a linked task or mesh shader in bytes; 0: it has none. */
unsigned gl_payload_bytes(const nir_shader *nir);
/* Returns the size of an output record of a linked task shader in bytes, a multiple of 16. */
unsigned gl_task_stride(const nir_shader *nir);
/* Converts a linked task or mesh shader to a compute shader. The buffer of the dispatch has the
 * first storage buffer slot after those of the shader's storage blocks and atomic counters. A mesh
 * shader reads its payload from the next slot, the buffer of the task shader's dispatch. Call
 * this in an attempt (util/memory.h). Returns true. */
bool gl_lower_mesh(nir_shader *nir);
/* Creates the vertex shader that draws the meshes of a linked mesh shader from storage buffer 0,
 * the buffer of the dispatch. The caller owns it. Call this in an attempt (util/memory.h). Without
 * per-primitive outputs, 16 * gl_VertexID is the byte offset of the vertex. Otherwise, generic
 * attribute 0 is a uvec2 with the byte offsets of the vertex and the primitive. */
nir_shader *gl_mesh_vertex_shader(const nir_shader *mesh,
                                  const nir_shader_compiler_options *options);

#endif
