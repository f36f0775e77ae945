/* SPDX-License-Identifier: MIT */
/* Vertex shaders as compute shaders, which write each vertex to a record in memory. */
#ifndef GL_LOWER_CAPTURE_H
#define GL_LOWER_CAPTURE_H

#include "gl/context/gl_types.h"
#include "indium/shader_enums.h"
#include "nir/nir.h"

/* A vertex's attributes as they come. */
struct gl_sw_input {
    uint32_t vertex_id;
    float attrib[VERT_ATTRIB_COUNT][4];
};

/* What a captured shader reads and writes for a vertex, by locations. */
struct gl_capture_record {
    struct gl_sw_input in;
    float out[VARYING_SLOT_PATCH0][4];
};

/* A vertex shader → a compute shader, which reads vertices from the last of the storage buffers and
 * writes what they become there. */
bool gl_lower_capture(nir_shader *nir);

#endif
