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
#define MODEL_SUBPIXELS      256 /* Per pixel in x and y. Vertices are rounded to subpixels. */
#define MODEL_TILE           64  /* Width and height of a tile in pixels. */

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
    bool pattern; /* Coverage is tested for each sample, not only at the pixel location. */
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
    /* Errors in `target`, which are only reported if the target is written. */
    struct i965_packet_error target_error[MODEL_MAX_TARGETS];
    struct i965_color_calc_state color_calc;
    /* shades: a pixel shader is enabled. early: depth and stencil are tested before it runs.
     * per_sample: it runs once for each sample. */
    bool shades, early, per_sample, alpha_test, alpha_to_coverage;
    struct model_ps_kernel kernel[3]; /* SIMD8, SIMD16, SIMD32 */
    unsigned read_offset;             /* VUE slot that the first attribute is read from. */
    unsigned stipple; /* Total length in pixels of the lines since the stipple pattern started. */
    /* Several host threads may shade the current draw, because no pixel shader writes memory other
     * than render targets. */
    bool parallel;
    bool keeps_denormals; /* As in struct model_env. */
    struct model_env env;
    struct model_constants constants;
    uint8_t *scratch;          /* 2 MiB that threads use one after another; NULL until needed. */
    struct model_queue *queue; /* Polygons to shade; NULL in a worker's copy. */
};

/* A primitive after setup. */
struct model_setup {
    const struct model_primitive *primitive; /* Valid during setup only. */
    enum model_primitive_kind kind;
    uint8_t topology; /* enum i965_primitive_topology_type */
    uint32_t primitive_id;
    bool front, point; /* Whether it is front-facing, and whether it is a point. */
    bool affine;       /* inverse_w is the same at all vertices. */
    /* Screen-space weights: vertex i + 1 (i = 0, 1) has the weight weight[i][0]·(x - origin[0]) +
     * weight[i][1]·(y - origin[1]) at (x, y). For points, they are the sprite coordinates. */
    double origin[2], weight[2][2];
    double inverse_w[3], z[3];
    double z_offset; /* Depth offset. */
    bool clipped;    /* Attributes are those of the primitive before clipping; see clip_weight. */
    float clip_weight[2][3][2]; /* The same as model_primitive.weight. */
    unsigned num_attributes;
    uint32_t viewport, layer;
    bool smooth; /* Alpha is multiplied by the coverage of the point or line. */
    /* center: of a smooth point. radius: half the width of a smooth point or line. In pixels. */
    float center[2], radius;
    /* Smooth lines: line[0] · (x, y, 1) is the distance from the line; line[1] · (x, y, 1) is the
     * distance from its start along it, from 0 to reach. */
    float line[2][3], reach;
    /* Stippled lines: stipple · (x, y, 1) is the position in the stipple pattern, in pixels. */
    bool stippled;
    float stipple[3];
    /* Setup data of component c of attribute i, in attribute[4·i + c]: [0] and [1] are the
     * differences of vertices 1 and 2 from vertex 0, [2] is 0, [3] is the value at vertex 0. Must
     * be the last member: the queue stores only 4·num_attributes elements. */
    uint32_t attribute[MODEL_MAX_ATTRIBUTES * 4][4];
};

/* Four pixels: (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1). */
struct model_quad {
    int32_t x, y;
    uint16_t mask[4]; /* Samples of each pixel that are covered and pass early tests. */
    float alpha[4];   /* Coverage of each pixel by smooth primitives, 0 to 1. */
};

/* Four channels of a pixel shader thread: the pixels of a quad, or one sample of each pixel. */
struct model_slot {
    struct model_quad quad;
    int sample; /* -1: the whole pixel. */
};

#define MODEL_MAX_SLOTS 8 /* Slots of the widest thread, SIMD32. */

/* Quads of one primitive, collected for a pixel shader thread. */
struct model_fragments {
    struct model_context *ctx;
    const struct model_setup *setup;
    struct model_slot slot[MODEL_MAX_SLOTS];
    unsigned count; /* Number of slots in use. */
    /* Channels whose late tests are done: quad.mask then has only the samples that passed. */
    bool tested[MODEL_MAX_SLOTS * 4];
};

/* Weights of vertices 1 and 2 at a position, with and without perspective correction. */
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
/* Stores the pixels whose centers a rectangle covers, without those outside of the scissor, the
 * viewport or the drawing rectangle. Returns false if a position is not a number. */
bool model_setup_window(struct model_context *ctx, const struct model_primitive *rectangle,
                        struct model_window *window);
/* Interpolate the weights, depth or w at a position. They extrapolate outside of the primitive. */
void model_weights_at(const struct model_setup *s, double x, double y, struct model_weights *w);
float model_depth_at(const struct model_setup *s, double x, double y);
float model_w_at(const struct model_setup *s, double x, double y);

/* model_clear.c */
/* Performs the operation that 3DSTATE_PS enables, a fast clear or a resolve, on the region of
 * render target 0 that the rectangle stands for (model_clear.c). Returns false after
 * model_error(). */
bool model_clear_primitive(struct model_context *ctx, const struct model_primitive *rectangle);

/* model_tiles.c */
/* Allocate and free p->queue. model_queue_create() returns false if memory is exhausted. */
bool model_queue_create(struct model_pixel *p);
void model_queue_destroy(struct model_pixel *p);
/* Adds a polygon to the queue. Flushes the queue first if it is full. Copies its arguments. Returns
 * false after model_error(). */
bool model_queue_polygon(struct model_context *ctx, const struct model_setup *s,
                         const int32_t (*corner)[2], unsigned corners);
/* Shades the polygons of the queue, on several host threads if that is worthwhile. One thread
 * shades all polygons of a tile in order, so the result doesn't depend on the number of threads.
 * Returns false after model_error(). */
bool model_queue_flush(struct model_context *ctx);

/* model_scan.c */
/* Stores the corners of a polygon and the pixels that it may cover. */
void model_polygon_init(struct model_polygon *polygon, const struct model_pixel *pixel,
                        const struct model_setup *s, const int32_t (*corner)[2], unsigned corners);
/* Rasterizes a polygon in the tiles where (column + row) % owners is `owner`, and shades its quads.
 * f: collects quads for threads; empty at the start and at the end of each tile. Returns false
 * after model_error(). *tile is then the tile in which the error occurred: its row in bits 31:16,
 * its column in bits 15:0. */
bool model_scan_polygon(struct model_fragments *f, const struct model_polygon *polygon,
                        unsigned owners, unsigned owner, uint32_t *tile);

/* model_shade.c */
/* model_shade_quad() tests a quad and adds it to a pixel shader thread, which runs when it is full.
 * model_shade_flush() runs a thread that isn't full. They return false after model_error(). */
bool model_shade_quad(struct model_fragments *f, const struct model_quad *quad);
bool model_shade_flush(struct model_fragments *f);
/* Sets the callbacks of `env` for render targets and interpolation. */
void model_shade_init_env(struct model_env *env);

/* model_depth.c */
/* Tests depth and stencil of the samples of pixel x, y that are in `mask`, and updates the buffers
 * and the statistics. depth: depths indexed by sample, which the function clamps to the viewport's
 * depth range. Returns the mask of the samples that pass. */
uint32_t model_depth_test(struct model_context *ctx, const struct model_setup *s, int32_t x,
                          int32_t y, uint32_t mask, const float depth[MODEL_MAX_SAMPLES],
                          unsigned stencil_reference);
/* Computes the depths of the samples of pixel x, y that are in `mask`: 0 if depth is neither tested
 * nor written. */
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
