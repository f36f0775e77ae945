/* SPDX-License-Identifier: MIT */
/*
 * Setup, rasterization and output of pixels. Private to the pixel half.
 * Coordinates are in pixels; y points down. The upper left corner of a pixel has integer
 * coordinates.
 */
#ifndef MODEL_RASTER_H
#define MODEL_RASTER_H

#include "model_pixel.h"
#include "model_surface.h"

#define MODEL_MAX_SAMPLES    16
#define MODEL_MAX_ATTRIBUTES 32
#define MODEL_MAX_TARGETS    8
#define MODEL_VIEWPORTS      16
#define MODEL_SUBPIXELS      256 /* Per pixel: vertices are rounded to 1/256 pixel. */
#define MODEL_TILE           64  /* Pixels per side of the areas that threads shade. */

/* Pixels [x0, x1) by [y0, y1). */
struct model_window {
    int32_t x0, y0, x1, y1;
};

/* A pixel shader kernel of one SIMD width. */
struct model_ps_kernel {
    const struct sim_program *program; /* NULL: this width is not enabled. */
    unsigned grf_start;                /* First register of the push constants and attributes. */
};

/* The pixel half's part of a context: state derived from the packets at each draw. */
struct model_pixel {
    unsigned samples;                            /* Number of samples per pixel: 1 to 16. */
    float sample_position[MODEL_MAX_SAMPLES][2]; /* From the pixel's upper left corner. */
    bool pattern; /* Samples are tested at sample_position, not at the pixel location. */
    uint32_t sample_mask;
    float pixel_offset; /* x and y of the pixel location, from the upper left corner: 0.5 or 0. */
    unsigned num_viewports;
    struct i965_sf_clip_viewport viewport[MODEL_VIEWPORTS];
    struct i965_cc_viewport depth_range[MODEL_VIEWPORTS];
    struct model_window window[MODEL_VIEWPORTS]; /* Scissor ∩ viewport ∩ drawing rectangle. */
    struct model_surface depth, stencil, hiz;
    bool depth_test, depth_write, stencil_test, stencil_write;
    struct i965_blend_state blend;
    struct i965_blend_state_entry target[MODEL_MAX_TARGETS];
    /* Errors in the states of targets, which are reported only if the target is written. */
    struct i965_packet_error target_error[MODEL_MAX_TARGETS];
    struct i965_color_calc_state color_calc;
    /* shades: there is a pixel shader. early: depth and stencil are tested before it runs.
     * per_sample: it runs for each sample. */
    bool shades, early, per_sample, kills, alpha_test, alpha_to_coverage;
    struct model_ps_kernel kernel[3]; /* SIMD8, SIMD16, SIMD32 */
    unsigned read_offset;             /* VUE slot of attribute 0. */
    unsigned stipple; /* Length in pixels of the lines since the stipple pattern started. */
    /* Pixels of the current draw may be shaded by several threads: no pixel shader writes memory
     * other than render targets. */
    bool parallel;
    bool keeps_denormals; /* As in struct model_env. */
    struct model_env env;
    struct model_constants constants;
    uint8_t *scratch;          /* Scratch memory of the threads, MODEL_MAX_SCRATCH bytes. */
    struct model_queue *queue; /* Polygons that wait to be shaded. */
};

/* A primitive after setup. */
struct model_setup {
    const struct model_primitive *primitive; /* Valid during setup only. */
    enum model_primitive_kind kind;
    uint8_t topology; /* enum PRIMITIVE_TOPOLOGY_TYPE */
    uint32_t primitive_id;
    bool front, point; /* It is front-facing; it is a point. */
    bool affine;       /* inverse_w is the same at all vertices. */
    /* The weight of vertex i + 1 at (x, y), for i = 0 and 1, is weight[i][0]·(x - origin[0]) +
     * weight[i][1]·(y - origin[1]). Points: the coordinates on the sprite. */
    double origin[2], weight[2][2];
    double inverse_w[3], z[3];
    double z_offset; /* Depth offset. */
    bool clipped;    /* The attributes are those of a larger primitive: clip_weight is used. */
    float clip_weight[2][3][2]; /* As weight in struct model_primitive. */
    unsigned num_attributes;
    uint32_t viewport, layer;
    bool smooth;             /* Alpha is multiplied by the coverage of the point or line. */
    float center[2], radius; /* Smooth points; lines: radius is half the width. */
    /* Smooth lines: line[0] · (x, y, 1) is the distance from the line; line[1] · (x, y, 1) is the
     * distance from its start along it, from 0 to reach. */
    float line[2][3], reach;
    /* Stippled lines: stipple · (x, y, 1) is the position in the stipple pattern, in pixels. */
    bool stippled;
    float stipple[3];
    /* Payload of each component: its differences at vertices 1 and 2 from vertex 0, 0, and its
     * value at vertex 0. Must be last: elements from num_attributes · 4 on may have no memory. */
    uint32_t attribute[MODEL_MAX_ATTRIBUTES * 4][4];
};

/* Four pixels: (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1). */
struct model_quad {
    int32_t x, y;
    uint16_t mask[4]; /* Samples of each pixel that are covered and pass early tests. */
    float alpha[4];   /* Coverage of each pixel by smooth primitives, 0 to 1. */
};

/* Four channels of a pixel shader thread: the pixels of a quad, or one sample of each. */
struct model_slot {
    struct model_quad quad;
    int sample; /* -1: the whole pixel. */
};

#define MODEL_MAX_SLOTS 8

/* Quads of one primitive, collected for a pixel shader thread. */
struct model_fragments {
    struct model_context *ctx;
    const struct model_setup *setup;
    struct model_slot slot[MODEL_MAX_SLOTS];
    unsigned count; /* Number of slots in use. */
    /* Channels whose late tests are done; their masks have the samples that passed. */
    bool tested[MODEL_MAX_SLOTS * 4];
};

/* Weights of vertices 1 and 2 at a position, with and without perspective. */
struct model_weights {
    float perspective[2], linear[2];
};

/* A convex polygon with 3 or 4 corners, in subpixels, and the pixels that it may cover. */
struct model_polygon {
    int32_t corner[4][2];
    unsigned corners;
    struct model_window window;
};

/* model_setup.c */
/* Sets a primitive up and rasterizes it. Returns false after model_error(). */
bool model_setup_primitive(struct model_context *ctx, const struct model_primitive *primitive);
/* Computes the weights, or the depth, or w at a position. */
void model_weights_at(const struct model_setup *s, double x, double y, struct model_weights *w);
float model_depth_at(const struct model_setup *s, double x, double y);
float model_w_at(const struct model_setup *s, double x, double y);

/* model_tiles.c */
/* Allocates and frees p->queue. Returns false if memory is exhausted. */
bool model_queue_create(struct model_pixel *p);
void model_queue_destroy(struct model_pixel *p);
/* Shades a polygon, now or when model_queue_flush() is called. Copies its arguments. Returns false
 * after model_error(). */
bool model_queue_polygon(struct model_context *ctx, const struct model_setup *s,
                         const int32_t (*corner)[2], unsigned corners);
/* Shades the polygons that wait. The pixels of a tile are shaded in the order of the polygons by one
 * thread, so that the result doesn't depend on the number of threads. Returns false after
 * model_error(). */
bool model_queue_flush(struct model_context *ctx);

/* model_scan.c */
/* Stores the corners of a polygon and the pixels that it may cover. */
void model_polygon_init(struct model_polygon *polygon, const struct model_pixel *pixel,
                        const struct model_setup *s, const int32_t (*corner)[2], unsigned corners);
/* Rasterizes the tiles of a polygon whose number (model_tile_owner()) is `owner`, and shades its
 * quads. f: collects the quads; they don't wait in it when the function returns. tile: stores the
 * tile that was scanned last. Returns false after model_error(). */
bool model_scan_polygon(struct model_fragments *f, const struct model_polygon *polygon,
                        unsigned owners, unsigned owner, uint32_t *tile);

/* model_shade.c */
/* Tests and shades a quad. Shading may wait until there are quads for a full thread;
 * model_shade_flush() shades those that wait. Return false after model_error(). */
bool model_shade_quad(struct model_fragments *f, const struct model_quad *quad);
bool model_shade_flush(struct model_fragments *f);
/* Sets the callbacks for render targets and interpolation. */
void model_shade_init_env(struct model_env *env);

/* model_depth.c */
/* Tests depth and stencil of the samples of pixel x, y that are in `mask`, and updates the buffers.
 * depth: indexed by sample. Returns the mask of the samples that pass. */
uint32_t model_depth_test(struct model_context *ctx, const struct model_setup *s, int32_t x,
                          int32_t y, uint32_t mask, const float depth[MODEL_MAX_SAMPLES],
                          unsigned stencil_reference);
/* Computes the depths of the samples of pixel x, y that are in `mask`. */
void model_depth_interpolate(struct model_context *ctx, const struct model_setup *s, int32_t x,
                             int32_t y, uint32_t mask, float depth[MODEL_MAX_SAMPLES]);
/* Returns the stencil reference value for the primitive. */
unsigned model_stencil_reference(struct model_context *ctx, const struct model_setup *s);

/* model_merge.c */
/* Callbacks of pixel shader threads: write to and read from render targets. Return false after
 * model_error(). */
bool model_merge_write(struct sim_env *env, const struct sim_render_write *write);
bool model_merge_read(struct sim_env *env, struct sim_render_read *read);

#endif
