/* SPDX-License-Identifier: MIT */
/*
 * The pixel half of the model: surfaces, samplers, setup, rasterization, pixel shaders, output
 * merging. The geometry half calls these functions.
 */
#ifndef MODEL_PIXEL_H
#define MODEL_PIXEL_H

#include "model_private.h"

/*
 * A vertex: its VUE, an array of slots of four dwords. Slot 0 is the header (dword 1: render target
 * array index, 2: viewport index, 3: point width), slot 1 the position in clip space, or in
 * screen space if 3DSTATE_CLIP disables the perspective divide. Slots from num_slots on read as 0.
 * Vertices of clipped primitives only have the header, the position and the clip distances.
 */
struct model_vertex {
    const uint32_t (*slot)[4];
    unsigned num_slots;
};

/* Kinds of primitives. */
enum model_primitive_kind {
    MODEL_POINT,
    MODEL_LINE,
    MODEL_TRIANGLE,
    MODEL_RECTANGLE, /* RECTLIST: three corners. */
};

/* A primitive that the clipper passes to setup. */
struct model_primitive {
    enum model_primitive_kind kind;
    struct model_vertex v[3]; /* In winding order. */
    /* The attributes of a clipped primitive are interpolated from `source`, the vertices before
     * clipping. weight[0][i] has the weights of source[1] and source[2] at vertex i with
     * perspective correction, weight[1][i] without. If not clipped, source equals v and weight is
     * unused. */
    bool clipped;
    struct model_vertex source[3];
    float weight[2][3][2];
    /* Provoking vertex of the primitive before clipping, for constant interpolation. */
    struct model_vertex provoking;
    uint32_t primitive_id;
    uint8_t topology; /* enum i965_primitive_topology_type of the primitive before clipping. */
    uint32_t viewport, layer; /* Of the provoking vertex, checked and clamped. */
    /* Whether the edge that starts at vertex i is a boundary edge, for polygon modes line and
     * point. Points: edge[0] is the vertex's flag. */
    bool edge[3];
    bool line_start; /* MODEL_LINE: first segment of a line or strip; the stipple restarts. */
};

/* Allocate and free ctx->pixel, the pixel half's part of a context. Returns false if memory is
 * exhausted. */
bool model_pixel_create(struct model_context *ctx);
void model_pixel_destroy(struct model_context *ctx);

/* Validates and prepares the pixel state at a 3DPRIMITIVE. Returns false after model_error(). */
bool model_draw_begin(struct model_context *ctx);
/* Initializes the environment of pixel shader threads, ctx->pixel->env. Returns false after
 * model_error(). */
bool model_pixel_env_init(struct model_context *ctx);
/* Sets up a primitive and queues its pixels. They are shaded in model_draw_end() or earlier. If
 * 3DSTATE_PS enables a fast clear or a resolve of the render target, performs that instead. Doesn't
 * keep the vertices. Returns false after model_error(). */
bool model_emit_primitive(struct model_context *ctx, const struct model_primitive *primitive);
/* Completes a draw: writes all pixels to memory. Call it after each successful model_draw_begin(),
 * even if a primitive failed. Returns false after model_error(). */
bool model_draw_end(struct model_context *ctx);
/* Executes the 3DSTATE_WM_HZ_OP in ctx->state.wm_hz_op. Returns false after model_error(). */
bool model_hz_op(struct model_context *ctx);

/*
 * Initializes the environment of a stage's threads. The caller then sets, as far as the stage has
 * them, keeps_denormals, `shared`, `pixel`, base.urb, base.scratch and base.render_parts, and for
 * pixel shaders calls model_shade_init_env().
 * binding_table: offset from the surface state base. samplers: offset from the dynamic state base,
 * which the caller also stores in r0.3 of the threads.
 * Returns false after model_error().
 */
bool model_env_init(struct model_env *env, struct model_context *ctx, enum model_stage stage,
                    uint64_t binding_table, uint64_t samplers);
/* Frees the decoded surfaces and samplers. Surfaces of model_env_surface() become invalid. */
void model_env_finish(struct model_env *env);

#endif
