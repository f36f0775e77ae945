/* SPDX-License-Identifier: MIT */
/*
 * The vertex pipeline in C, for what happens outside the driver: raster position, feedback and
 * selection. Vertex programs are run by the evaluator of NIR.
 */
#ifndef GL_TRANSFORM_H
#define GL_TRANSFORM_H

#include "gl/draw/gl_draw.h"

/* A vertex's attributes as they come. */
struct gl_sw_input {
    float attrib[VERT_ATTRIB_COUNT][4];
};

struct gl_sw_vertex {
    float eye[4], clip[4];
    float color[4], secondary[4];
    float texcoord[GL_MAX_TEXTURE_COORD_UNITS][4];
    float fog_distance;
    float clip_distance[DRV_MAX_CLIP_PLANES]; /* to the user's planes, 1 for those that are off */
};

/* What transforms vertices. */
struct gl_sw_pipeline {
    const struct gl_context *ctx;
    const struct gl_variant *variant; /* of the vertex program */
    nir_shader *program;              /* NULL: fixed function */
};

/* Attributes that vertices don't have keep the current values. */
void gl_sw_input_current(const struct gl_context *ctx, struct gl_sw_input *in);
/* By the current state, until it changes. False: an error was raised (name: the call). */
bool gl_sw_begin(struct gl_context *ctx, struct gl_sw_pipeline *p, const char *name);
void gl_sw_transform(const struct gl_sw_pipeline *p, const struct gl_sw_input *in,
                     struct gl_sw_vertex *out);
/* Distance to clip plane i: six of the view volume, then the user's; inside is >= 0. */
unsigned gl_sw_num_planes(const struct gl_context *ctx);
float gl_sw_plane_distance(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned i);
/* Window coordinates and 1/w … w: x, y, z, clip w. */
void gl_sw_window(const struct gl_context *ctx, const struct gl_sw_vertex *v, float win[4]);

#endif
