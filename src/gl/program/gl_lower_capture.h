/* SPDX-License-Identifier: MIT */
/* Converts vertex shaders to compute shaders that read and write vertices in memory, so that the
 * API layer can run them without a draw (gl_transform.h). Runs in an attempt (util/memory.h). */
#ifndef GL_LOWER_CAPTURE_H
#define GL_LOWER_CAPTURE_H

#include "gl/context/gl_types.h"
#include "indium/shader_enums.h"
#include "nir/nir.h"

/* Inputs of a vertex shader for one vertex. */
struct gl_sw_input {
    uint32_t vertex_id;                  /* gl_VertexID */
    uint32_t instance_id, base_instance; /* gl_InstanceID, gl_BaseInstance */
    uint32_t draw_id, base_vertex;       /* gl_DrawID, gl_BaseVertex */
    /* By enum vert_attrib; integers as bit patterns. Doubles are converted from these floats. */
    float attrib[VERT_ATTRIB_COUNT][4];
};

/* Record of a vertex: memory that a converted shader reads and writes. */
struct gl_capture_record {
    struct gl_sw_input in;
    float out[VARYING_SLOT_PATCH0][4]; /* outputs by enum varying_slot */
};

/* Converts a vertex shader to a compute shader with work groups of one invocation. Work group x
 * processes record x of an array of gl_capture_record, which is in one more storage buffer after
 * the shader's own. Returns true. */
bool gl_lower_capture(nir_shader *nir);

#endif
