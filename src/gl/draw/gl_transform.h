/* SPDX-License-Identifier: MIT */
/*
 * The vertex pipeline for what happens outside the driver: raster position, feedback and selection.
 * Fixed function is C; vertex programs run in the driver as compute shaders, so that they are what
 * they are in draws, and leave no trace in queries and transform feedback.
 */
#ifndef GL_TRANSFORM_H
#define GL_TRANSFORM_H

#include "gl/context/gl_context.h"
#include "gl/program/gl_lower_capture.h"

struct gl_executable;

struct gl_sw_vertex {
    float eye[4], clip[4];
    float color[4], secondary[4];
    float texcoord[GL_MAX_TEXTURE_COORD_UNITS][4];
    float fog_distance;
    float clip_distance[DRV_MAX_CLIP_PLANES]; /* to the user's planes, 1 for those that are off */
};

/* What transforms vertices. */
struct gl_sw_pipeline {
    struct gl_context *ctx;
    const char *call;                 /* for errors */
    struct gl_sw_vertex *next;        /* where the next vertex goes */
    struct gl_executable *program;    /* referenced; NULL: fixed function */
    struct gl_capture_record *record; /* of program: mapped, those before `filled` are in use */
    struct drv_resource *records;
    struct drv_transfer *transfer;
    unsigned filled, room;
};

/* Attributes that vertices don't have keep the current values. */
void gl_sw_input_current(const struct gl_context *ctx, struct gl_sw_input *in);
/* By the current state, until it changes: count vertices (at least 1), which gl_sw_end leaves in v.
 * False: an error was raised (call: the command) and there is nothing to end. */
bool gl_sw_begin(struct gl_context *ctx, struct gl_sw_pipeline *p, unsigned count,
                 struct gl_sw_vertex *v, const char *call);
void gl_sw_transform(struct gl_sw_pipeline *p, const struct gl_sw_input *in);
/* False: an error was raised, and v is undefined. */
bool gl_sw_end(struct gl_sw_pipeline *p);
/* Distance to clip plane i: six of the view volume, then the user's; inside is >= 0. */
unsigned gl_sw_num_planes(const struct gl_context *ctx);
float gl_sw_plane_distance(const struct gl_context *ctx, const struct gl_sw_vertex *v, unsigned i);
/* Window coordinates and 1/w … w: x, y, z, clip w. */
void gl_sw_window(const struct gl_context *ctx, const struct gl_sw_vertex *v, float win[4]);

#endif
