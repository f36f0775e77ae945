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
    /* distances to the user clip planes; 1 for disabled planes */
    float clip_distance[DRV_MAX_CLIP_PLANES];
    float edge_flag;    /* 1 if a boundary edge starts at the vertex, else 0 */
    float fog_distance; /* fog coordinate, or distance from the eye */
    float color[4], secondary[4];
    float back_color[4]; /* primary color of back faces, if coloring is two-sided */
    float texcoord[GL_MAX_TEXTURE_COORD_UNITS][4];
};

/* Bit mask: optional outputs of fixed-function vertices. Positions, clip distances and edge flags
 * are always computed. */
enum gl_sw_outputs {
    GL_SW_COLORS = 1,
    GL_SW_TEXCOORDS = 2,
    GL_SW_FOG = 4,
    GL_SW_ALL = 7,
};

/* State between gl_sw_begin and gl_sw_end. Fixed function processes each vertex immediately.
 * Vertex programs process batches: inputs are collected in records, and the program runs when all
 * records are in use. */
struct gl_sw_pipeline {
    struct gl_context *ctx;
    const char *call;          /* command name for errors */
    struct gl_sw_vertex *next; /* destination of the next result */
    unsigned outputs;          /* fixed function: enum gl_sw_outputs; other outputs are undefined */
    bool clamp;                /* fixed function: colors are clamped */
    /* Fixed function: inverse of the modelview matrix, computed when the first normal is
     * transformed; `inverted` is then set. */
    float inverse[16];
    bool inverted;
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
/* Starts processing vertices, until gl_sw_end. The results are stored in v, an array of count (at
 * least 1) elements. GL state must not change before gl_sw_end. outputs: enum gl_sw_outputs. call:
 * command name for errors. Returns false if an error was raised; don't call gl_sw_end then. */
bool gl_sw_begin(struct gl_context *ctx, struct gl_sw_pipeline *p, unsigned count,
                 struct gl_sw_vertex *v, unsigned outputs, const char *call);
/* Processes the next vertex. Its result may not be available before gl_sw_flush or gl_sw_end. */
void gl_sw_transform(struct gl_sw_pipeline *p, const struct gl_sw_input *in);
/* Makes all results available. Later results are stored in v, an array as large as that of
 * gl_sw_begin. Returns false if an error was raised; the results are then undefined, and gl_sw_end
 * must still be called. */
bool gl_sw_flush(struct gl_sw_pipeline *p, struct gl_sw_vertex *v);
/* Makes all results available and frees the pipeline's resources. Returns false if an error was
 * raised since gl_sw_begin; the results are then undefined. */
bool gl_sw_end(struct gl_sw_pipeline *p);
/* Computes the clip distances, the edge flag and the outputs in p->outputs of a fixed-function
 * vertex. v->eye must be set if lighting, texture coordinates, fog or user clip planes need it. */
void gl_sw_complete(struct gl_sw_pipeline *p, const struct gl_sw_input *in, struct gl_sw_vertex *v);
/* Returns whether back faces have their own colors (GL 4.6 compatibility §12.2.1.1): by two-sided
 * lighting, or by GL_VERTEX_PROGRAM_TWO_SIDE if a vertex program is in use. */
bool gl_sw_two_sided(const struct gl_sw_pipeline *p);
/* Returns the number of clip planes: the six planes of the view volume, followed by the user clip
 * planes. */
unsigned gl_sw_num_planes(const struct gl_context *ctx);
/* Returns the distance of a vertex to clip plane i, negative outside: in clip coordinates for the
 * view volume, v->clip_distance[i - 6] for user clip planes. Returns 1 for planes that don't clip:
 * disabled user planes, and the near or far plane with depth clamping. */
float gl_sw_plane_distance(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned i);
/* Returns whether a vertex is inside of all clip planes with indices from `first` on. */
bool gl_sw_inside(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned first);
/* Converts clip coordinates to window coordinates of viewport 0 (GL 4.6 §13.8): stores x, y, z and
 * the clip coordinate w in win. */
void gl_sw_window(const struct gl_context *ctx, const float clip[4], float win[4]);
/* Returns the window coordinate z, as gl_sw_window computes it, of a clip z that was divided by w.
 * The result is monotonic in z. */
float gl_sw_window_z(const struct gl_context *ctx, float z);

#endif
