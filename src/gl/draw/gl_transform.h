/* SPDX-License-Identifier: MIT */
/*
 * Vertex processing outside of draws: raster position, feedback and selection. Fixed function is
 * implemented in C. Vertex programs run in the driver as compute shaders, which gives the same
 * results as draws without affecting queries and transform feedback.
 */
#ifndef GL_TRANSFORM_H
#define GL_TRANSFORM_H

#include "gl/context/gl_context.h"
#include "gl/program/gl_lower_capture.h"

struct gl_executable;

/* A transformed vertex. */
struct gl_sw_vertex {
    float eye[4], clip[4];
    float color[4], secondary[4];
    float texcoord[GL_MAX_TEXTURE_COORD_UNITS][4];
    float fog_distance;
    /* distances to the user clip planes; 1 for disabled planes */
    float clip_distance[DRV_MAX_CLIP_PLANES];
};

/* State of transforming a number of vertices. */
struct gl_sw_pipeline {
    struct gl_context *ctx;
    const char *call;              /* command name for errors */
    struct gl_sw_vertex *next;     /* destination of the next vertex */
    struct gl_executable *program; /* referenced; NULL: fixed function */
    /* mapped records of `program`; the first `filled` ones are in use */
    struct gl_capture_record *record;
    struct drv_resource *records;
    struct drv_transfer *transfer;
    unsigned filled, room;
};

/* Fills in the current values of attributes that vertices don't contain. */
void gl_sw_input_current(const struct gl_context *ctx, struct gl_sw_input *in);
/* Starts transforming count vertices (at least 1) with the current state, which must not change
 * until gl_sw_end stores the results in v. call: command name for errors. Returns false if an error
 * was raised; don't call gl_sw_end then. */
bool gl_sw_begin(struct gl_context *ctx, struct gl_sw_pipeline *p, unsigned count,
                 struct gl_sw_vertex *v, const char *call);
/* Adds a vertex. Its results may not be available before gl_sw_end. */
void gl_sw_transform(struct gl_sw_pipeline *p, const struct gl_sw_input *in);
/* Finishes the vertices. Returns false if an error was raised; v is then undefined. */
bool gl_sw_end(struct gl_sw_pipeline *p);
/* Return the number of clip planes, and the distance to plane i: six planes of the view volume,
 * then the user clip planes. The distance is >= 0 inside. */
unsigned gl_sw_num_planes(const struct gl_context *ctx);
float gl_sw_plane_distance(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned i);
/* Computes window coordinates x, y, z, and clip w. */
void gl_sw_window(const struct gl_context *ctx, const struct gl_sw_vertex *v, float win[4]);

#endif
