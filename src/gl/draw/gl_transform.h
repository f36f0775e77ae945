/* SPDX-License-Identifier: MIT */
/*
 * Vertex processing for the API layer, without a draw: raster position, feedback and selection.
 * Fixed function is implemented in C. GLSL and assembly vertex programs run in the driver as
 * compute shaders, which gives the same results as draws without affecting queries and transform
 * feedback.
 */
#ifndef GL_TRANSFORM_H
#define GL_TRANSFORM_H

#include "gl/context/gl_context.h"
#include "gl/program/gl_lower_capture.h"

struct gl_executable;

/* A processed vertex. */
struct gl_sw_vertex {
    float eye[4], clip[4]; /* position in eye space (fixed function only) and in clip space */
    float color[4], secondary[4];
    float back_color[4]; /* primary color of back faces, if coloring is two-sided */
    float texcoord[GL_MAX_TEXTURE_COORD_UNITS][4];
    float fog_distance; /* fog coordinate, or distance from the eye */
    float edge_flag;    /* 1 if a boundary edge starts at the vertex, else 0 */
    /* distances to the user clip planes; 1 for disabled planes */
    float clip_distance[DRV_MAX_CLIP_PLANES];
};

/* State between gl_sw_begin and gl_sw_end. Fixed function processes each vertex at once. Vertex
 * programs process batches: inputs are collected in records, and the program runs when all records
 * are in use. */
struct gl_sw_pipeline {
    struct gl_context *ctx;
    const char *call;          /* command name for errors */
    struct gl_sw_vertex *next; /* destination of the next result */
    /* vertex program (a reference); NULL: fixed function, which also replaces vertex programs if
     * the driver lacks compute shaders */
    struct gl_executable *program;
    /* Buffer of the records and its mapping (record, transfer). NULL for fixed function. */
    struct gl_capture_record *record;
    struct drv_resource *records;
    struct drv_transfer *transfer;
    unsigned filled, capacity; /* records in use, and in total; capacity is 0 after an error */
};

/* Sets the attributes of *in to the context's current values and all other inputs (gl_VertexID and
 * so on) to 0. */
void gl_sw_input_current(const struct gl_context *ctx, struct gl_sw_input *in);
/* Starts processing count vertices (at least 1), until gl_sw_end. The results are stored in v, an
 * array of count elements. GL state must not change before gl_sw_end. call: command name for
 * errors. Returns false if an error was raised; don't call gl_sw_end then. */
bool gl_sw_begin(struct gl_context *ctx, struct gl_sw_pipeline *p, unsigned count,
                 struct gl_sw_vertex *v, const char *call);
/* Processes the next vertex. Its result may not be available before gl_sw_end. */
void gl_sw_transform(struct gl_sw_pipeline *p, const struct gl_sw_input *in);
/* Ends the processing. Returns false if an error was raised; the results are then undefined. */
bool gl_sw_end(struct gl_sw_pipeline *p);
/* Returns whether back faces have their own colors (GL 4.6 compatibility §12.2.1.1): by two-sided
 * lighting, or by GL_VERTEX_PROGRAM_TWO_SIDE if a vertex program is in use. */
bool gl_sw_two_sided(const struct gl_sw_pipeline *p);
/* Returns the number of clip planes: the six planes of the view volume, followed by the user clip
 * planes. */
unsigned gl_sw_num_planes(const struct gl_context *ctx);
/* Returns the distance of a vertex to clip plane i, negative outside. Returns 1 for planes that
 * don't clip: disabled user planes, and the near or far plane with depth clamping. */
float gl_sw_plane_distance(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned i);
/* Stores window coordinates x, y and z (GL 4.6 §13.8) and the clip coordinate w in win. Uses
 * viewport 0. */
void gl_sw_window(const struct gl_context *ctx, const struct gl_sw_vertex *v, float win[4]);

#endif
