/* SPDX-License-Identifier: MIT */
/* Converts vertex shaders to compute shaders that write each vertex to a record in memory. */
#ifndef GL_LOWER_CAPTURE_H
#define GL_LOWER_CAPTURE_H

#include "gl/context/gl_types.h"
#include "indium/shader_enums.h"
#include "nir/nir.h"

/* Unprocessed attributes of a vertex. */
struct gl_sw_input {
    uint32_t vertex_id;
    float attrib[VERT_ATTRIB_COUNT][4];
};

/* Memory that a converted shader reads and writes per vertex. Both arrays are indexed by
 * location. */
struct gl_capture_record {
    struct gl_sw_input in;
    float out[VARYING_SLOT_PATCH0][4];
};

/* Converts a vertex shader to a compute shader. It reads vertices from the last storage buffer and
 * writes the results there. */
bool gl_lower_capture(nir_shader *nir);

#endif
