/* SPDX-License-Identifier: MIT */
/*
 * Setup, rasterization and output of pixels. Private to the pixel half.
 * Coordinates are in pixels, y downwards, the upper left corner of a pixel having integers.
 */
#ifndef MODEL_RASTER_H
#define MODEL_RASTER_H

#include "model_pixel.h"
#include "model_surface.h"

#define MODEL_MAX_SAMPLES    16
#define MODEL_MAX_ATTRIBUTES 32
#define MODEL_MAX_TARGETS    8
#define MODEL_VIEWPORTS      16
#define MODEL_SUBPIXELS      256 /* Positions are rounded to this fraction of a pixel. */

/* Pixels [x0, x1) by [y0, y1). */
struct model_window {
    int32_t x0, y0, x1, y1;
};

/* A kernel of 3DSTATE_PS. */
struct model_ps_kernel {
    const struct sim_program *program; /* NULL: this width is not enabled. */
    unsigned grf_start;
};

/* The pixel half's part of a context: state derived from the packets at each draw. */
struct model_pixel {
    unsigned samples;                            /* Per pixel: 1 to 16. */
    float sample_position[MODEL_MAX_SAMPLES][2]; /* From the pixel's upper left corner. */
    bool pattern;                                /* Samples are covered at their own positions. */
    uint32_t sample_mask;
    float pixel_offset; /* Of the pixel location: 0.5 or 0. */
    unsigned num_viewports;
    struct i965_sf_clip_viewport viewport[MODEL_VIEWPORTS];
    struct i965_cc_viewport depth_range[MODEL_VIEWPORTS];
    struct model_window window[MODEL_VIEWPORTS]; /* Of scissor, viewport, drawing rectangle. */
    struct model_surface depth, stencil, hiz;
    bool depth_test, depth_write, stencil_test, stencil_write;
    struct i965_blend_state blend;
    struct i965_blend_state_entry target[MODEL_MAX_TARGETS];
    /* Why the state of a target is invalid. It is an error only if the target is written. */
    struct i965_packet_error target_error[MODEL_MAX_TARGETS];
    struct i965_color_calc_state color_calc;
    bool shades, early, per_sample, kills, alpha_test, alpha_to_coverage;
    struct model_ps_kernel kernel[3]; /* SIMD8, SIMD16, SIMD32 */
    unsigned read_offset;             /* First slot of the VUE that attributes use. */
    unsigned stipple;                 /* Pixels since the line stipple's start. */
    struct model_env env;
    struct model_constants constants;
};

/* A primitive after setup. */
struct model_setup {
    const struct model_primitive *primitive;
    bool front, point;
    /* Weights of vertices 1 and 2 at (x, y): weight[i][0]·(x - origin[0]) + weight[i][1]·(y -
     * origin[1]). Points: coordinates on the sprite. */
    double origin[2], weight[2][2];
    double inverse_w[3], z[3];
    double z_offset;
    uint32_t attribute[MODEL_MAX_ATTRIBUTES * 4][4]; /* For the payload: d1, d2, 0, value. */
    unsigned num_attributes;
    uint32_t viewport, layer;
    bool smooth;             /* Alpha is multiplied by the coverage. */
    float center[2], radius; /* Smooth points. */
    float line[2][3], reach; /* Smooth lines: distances from their axes are line · (x, y, 1). */
    bool stippled;           /* Line stipple; the distance from the start is stipple · (x, y, 1). */
    float stipple[3];
};

/* Four pixels: (0, 0), (1, 0), (0, 1), (1, 1) from x, y. */
struct model_quad {
    int32_t x, y;
    uint16_t mask[4]; /* Samples that are covered, and pass early tests. */
    float alpha[4];   /* Coverage of smooth primitives. */
};

/* Four channels of a pixel shader thread: the pixels of a quad, or one sample of each. */
struct model_slot {
    struct model_quad quad;
    int sample; /* -1: the whole pixel. */
};

#define MODEL_MAX_SLOTS 8

/* A thread of pixels of one primitive. */
struct model_fragments {
    struct model_context *ctx;
    const struct model_setup *setup;
    struct model_slot slot[MODEL_MAX_SLOTS];
    unsigned count;
    bool tested[MODEL_MAX_SLOTS * 4]; /* Late tests are done; mask has the samples that passed. */
};

/* The weights at a position, as shaders use them. */
struct model_weights {
    float perspective[2], linear[2];
    float w, z;
};

/* model_setup.c: sets a primitive up and rasterizes it. Returns false after model_error(). */
bool model_setup_primitive(struct model_context *ctx, const struct model_primitive *primitive);
void model_weights_at(const struct model_setup *s, double x, double y, struct model_weights *w);

/* model_scan.c: rasterizes a convex polygon of up to 4 corners, in subpixels, and sends its quads to
 * f. Returns false after model_error(). */
bool model_scan_polygon(struct model_fragments *f, const int32_t (*corner)[2], unsigned corners);

/* model_shade.c: shades quads. model_shade_flush() shades those that still wait for a full thread. */
bool model_shade_quad(struct model_fragments *f, const struct model_quad *quad);
bool model_shade_flush(struct model_fragments *f);
/* Sets the callbacks of pixel shader threads. */
void model_shade_init_env(struct model_env *env);

/* model_depth.c: tests depth and stencil of the samples in mask, and updates the buffers. depth: of
 * each sample. Returns the samples that pass. */
uint32_t model_depth_test(struct model_context *ctx, const struct model_setup *s, int32_t x,
                          int32_t y, uint32_t mask, const float depth[MODEL_MAX_SAMPLES],
                          unsigned stencil_reference);
/* Computes the depths of a pixel's samples. */
void model_depth_interpolate(struct model_context *ctx, const struct model_setup *s, int32_t x,
                             int32_t y, uint32_t mask, float depth[MODEL_MAX_SAMPLES]);
/* Returns the stencil reference value for the primitive. */
unsigned model_stencil_reference(struct model_context *ctx, const struct model_setup *s);

/* model_merge.c: callbacks of threads. */
bool model_merge_write(struct sim_env *env, const struct sim_render_write *write);
bool model_merge_read(struct sim_env *env, struct sim_render_read *read);

#endif
