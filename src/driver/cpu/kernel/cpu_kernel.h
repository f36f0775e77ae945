/* SPDX-License-Identifier: MIT */
/*
 * What the CPU driver's C code and its generated code share: memory layout of images and of the
 * structs that kernels read. Kernels are NIR (cpu_*_kernel.c) compiled by
 * src/jit; they reach fields by offsetof, so each struct is declared here and nowhere else.
 *
 * Images are tiled as cpu_layout.h describes.
 *
 * Lanes. A kernel of L lanes handles a 4×4 block as 16/L vectors, lane i of vector s being texel
 * s*L + i of the block: memory order.
 */
#ifndef CPU_KERNEL_H
#define CPU_KERNEL_H

#include "driver/cpu/resource/cpu_layout.h"
#include "indium/driver.h"

#define CPU_MAX_SAMPLES 8

/* Numbers of a framebuffer's buffers: colors, then depth and stencil. */
#define CPU_ZS_TARGET   DRV_MAX_COLOR_BUFS
#define CPU_NUM_TARGETS (DRV_MAX_COLOR_BUFS + 1)

/* Vertices of a batch, shaded together; also the distance, in floats, from one component of a
 * vertex's outputs to the next. */
#define CPU_BATCH_VERTICES 256

/* What the loops of one invocation may do, all together, before they are taken for endless:
 * iterations of up to CPU_WORK_INSTRS instructions each; longer ones count for several. */
#define CPU_MAX_WORK    (1 << 24)
#define CPU_WORK_INSTRS 64

struct cpu_level {
    const uint8_t *base;            /* layer 0 (first layer of a view) */
    uint64_t layer_stride;          /* bytes; slices of 3D likewise */
    uint64_t sample_stride;         /* bytes, inside of a layer */
    uint32_t width, height, depth;  /* texels */
    uint32_t tile_w;                /* blocks in a row of a tile */
    uint32_t tiles_x;               /* tiles in a row */
    float scale[2];                 /* width and height in 256ths of texels */
    const uint32_t *rows, *columns; /* of sampler views: as cpu_offsets.h has them */
};

/* A bound sampler view. level[0] is the view's first level. */
struct cpu_texture {
    struct cpu_level level[DRV_MAX_TEXTURE_LEVELS];
    uint32_t num_levels;
    uint32_t num_layers;  /* of arrays; cube arrays: 6 per cube */
    uint32_t num_samples; /* 1: single-sampled */
};

/* What a sampler has that is not in the variant's key. */
struct cpu_sampler {
    float lod_bias, min_lod, max_lod, max_anisotropy;
    uint32_t border_color[4]; /* bits, in the order of the view's components, swizzled */
};

struct cpu_buffer {
    const uint8_t *base; /* readable (and for storage buffers writable) for size bytes */
    uint64_t size;       /* bytes; base of an empty buffer points to 16 readable zero bytes */
};

struct cpu_image { /* a bound shader image */
    struct cpu_level level;
    uint32_t num_layers;
    uint32_t num_samples; /* 1: single-sampled */
    uint16_t format;      /* enum drv_format; 0: unbound */
    uint8_t target;       /* enum drv_target */
};

/* Number of the coordinate that chooses a layer, a face or a slice of an image; 0: none does. */
static inline unsigned cpu_layer_coordinate(enum drv_target target)
{
    switch (target) {
    case DRV_TEXTURE_1D_ARRAY:
        return 1;
    case DRV_TEXTURE_3D:
    case DRV_TEXTURE_CUBE:
    case DRV_TEXTURE_2D_ARRAY:
    case DRV_TEXTURE_CUBE_ARRAY:
        return 2;
    default:
        return 0;
    }
}

/* What every stage's kernel may read; constant during a draw. Behind `storage` it is there only as far
 * as the shader reads it (cpu_validate.c). */
struct cpu_stage_state {
    uint32_t *overrun; /* of the scene: set when a loop was left (cpu_nir_loops.c) */
    struct cpu_buffer constant[DRV_MAX_CONSTANT_BUFFERS];
    const struct cpu_texture
        *texture[DRV_MAX_SAMPLERS]; /* never NULL: a 1×1 black one if unbound */
    struct cpu_sampler sampler[DRV_MAX_SAMPLERS];
    struct cpu_buffer storage[DRV_MAX_STORAGE_BUFFERS];
    struct cpu_image image[DRV_MAX_IMAGES];
};

/* --- Vertex kernel: argument 0 is a struct cpu_vs_args. --- */

struct cpu_vertex_stream { /* of each vertex element, in the order of the vertex elements */
    const uint8_t *base;   /* of vertex 0, offsets of buffer and element added */
    uint32_t stride;       /* bytes */
    uint32_t max_index;    /* highest index whose element lies inside the buffer */
    uint32_t valid;        /* 0: nothing can be read; the attribute is 0, 0, 0, 1 */
    uint32_t
        divisor_index; /* index for elements with a divisor: base_instance + instance / divisor */
    uint32_t divisor;  /* where each vertex has its instance; else it does not matter */
};

struct cpu_vs_args {
    const struct cpu_stage_state *state;
    const uint32_t
        *index; /* per vertex: number for fetching (bias added), count rounded up to 16 */
    const uint32_t *instance; /* likewise: its instance, if the key says instances_share_vectors */
    float *out; /* component c of output o of vertex v: out[(o*4 + c) * CPU_BATCH_VERTICES + v] */
    /* Of the last stage before rasterization, else NULL: */
    uint32_t *clip_code;    /* per vertex, see enum cpu_clip_bit */
    float *window;          /* [0..3][CPU_BATCH_VERTICES]: window x, y, z and 1/w; undefined where a
                                clip code forbids dividing (w <= 0 side) */
    uint32_t count;         /* vertices, <= CPU_BATCH_VERTICES */
    uint32_t num_vectors;   /* for the kernel that leaves out positions, see cpu_vs_parts: */
    const uint32_t *vector; /* the first vertex of each vector that it shades */
    uint32_t instance_id, base_instance, draw_id;
    int32_t first_vertex;                /* of the draw; gl_VertexID = index */
    uint32_t indexed;                    /* all ones, or 0: then gl_BaseVertex is 0 */
    const struct drv_viewport *viewport; /* DRV_MAX_VIEWPORTS of them */
    struct cpu_vertex_stream stream[DRV_MAX_ATTRIBS];
};

/* clip_code bits: the vertex is outside of … . */
enum cpu_clip_bit {
    CPU_CLIP_NEAR = 1 << 0,
    CPU_CLIP_FAR = 1 << 1,
    CPU_CLIP_LEFT = 1 << 2, /* the view volume: for trivial rejection */
    CPU_CLIP_RIGHT = 1 << 3,
    CPU_CLIP_BOTTOM = 1 << 4,
    CPU_CLIP_TOP = 1 << 5,
    CPU_CLIP_W = 1 << 6,          /* w is not positive */
    CPU_CLIP_GUARD_BAND = 1 << 7, /* ±16384 pixels around: must be clipped in x or y */
    CPU_CLIP_NAN = 1 << 8,        /* a position is no number: drop the primitive */
    CPU_CLIP_USER0 = 1 << 16,     /* enabled clip distance n < 0: CPU_CLIP_USER0 << n */
    CPU_CLIP_CULL0 = 1 << 24,     /* cull distance n < 0: only rejects */
};

/* --- Patches --- */

#define CPU_MAX_PATCH_VERTICES 32
#define CPU_BATCH_PATCHES      32 /* of a batch */
/* Invocations of a batch's control shaders, with lanes that are left out. */
#define CPU_MAX_TCS_ITEMS (CPU_BATCH_PATCHES * CPU_MAX_PATCH_VERTICES)

/* What evaluation shaders read of a patch is a record: the levels, vec4s of the patch, and behind them
 * those of each vertex. In words: */
enum {
    CPU_PATCH_OUTER = 0,
    CPU_PATCH_INNER = 4,
    CPU_PATCH_FIRST = 8, /* vec4 of the patch, then the vertices' */
};

/* --- Tessellation control kernel: argument 0 is a struct cpu_tcs_args. --- */

/* A lane is an item: one invocation for one patch. Items are in the order of patches, and of
 * invocations in a patch. Where invocations of a patch wait for each other, either they all are in one
 * vector, or each patch begins with a vector. */
struct cpu_tcs_args {
    const struct cpu_stage_state *state;
    const float *in; /* outputs of the vertex stage, as in struct cpu_vs_args */
    const uint32_t
        *vertex; /* gl_in[i] of patch p is vertex[p * CPU_MAX_PATCH_VERTICES + i] of in */
    /* Of each item, with items that repeat others in lanes that are left out: up to a multiple of
     * 16. */
    const uint32_t *patch;
    const uint32_t *invocation;
    const uint32_t *live; /* 0: left out */
    uint32_t count;       /* items */
    uint32_t patch_vertices;
    uint32_t primitive_id; /* of patch 0 */
    uint32_t record_words;
    uint32_t *out;   /* records */
    uint32_t *spill; /* struct cpu_tcs_variant's spill_words rows of CPU_MAX_TCS_ITEMS */
};

/* --- Tessellation evaluation kernel: argument 0 is a struct cpu_tes_args. --- */

/* A lane is a vertex. All of a vector are of one patch. */
struct cpu_tes_args {
    const struct cpu_stage_state *state;
    const uint32_t *records;
    const float *coord;    /* gl_TessCoord: [3][CPU_BATCH_VERTICES] */
    const uint32_t *patch; /* of each vertex: which record */
    const uint32_t *live;  /* likewise; 0: the lane is left out, and repeats another */
    uint32_t count;        /* vertices, <= CPU_BATCH_VERTICES, with those left out; a multiple of
                              the lanes */
    uint32_t patch_vertices;
    uint32_t primitive_id; /* of record 0 */
    uint32_t record_words;
    uint32_t vertex_base, vertex_words; /* of a record's vertices */
    /* Results, as in struct cpu_vs_args. */
    float *out;
    uint32_t *clip_code;
    float *window;
    const struct drv_viewport *viewport;
};

/* --- Geometry kernel: argument 0 is a struct cpu_gs_args. --- */

/* The last word of an emitted vertex. */
enum cpu_gs_control {
    CPU_GS_STREAM = 3, /* bits of the vertex stream's number */
    CPU_GS_END = 4,    /* a primitive ends with the vertex */
};

/* A lane is an item: one invocation of one primitive. Items are in the order of primitives, and of
 * invocations in a primitive. */
struct cpu_gs_args {
    const struct cpu_stage_state *state;
    const float *in; /* outputs of the stage before, as in struct cpu_vs_args: component c of output
                        o of vertex v: in[(o*4 + c) * CPU_BATCH_VERTICES + v] */
    const uint32_t *vertex;        /* gl_in[i] of an item is vertex[i * stride + item] of `in` */
    const uint32_t *primitive_id;  /* of each item: gl_PrimitiveIDIn */
    const uint32_t *invocation_id; /* likewise */
    uint32_t count;  /* items; the arrays above repeat the last up to a multiple of 16 */
    uint32_t stride; /* that there is room for, a multiple of 16 */
    /* Results. A vertex has struct cpu_gs_variant's words, the last of which is an enum
     * cpu_gs_control: word w of vertex v of an item is out[(v * words + w) * stride + item]. */
    uint32_t *out;
    uint32_t *num_vertices; /* of each item, of all streams: at most max_vertices */
};

/* --- Compute kernel: argument 0 is a struct cpu_cs_args. --- */

struct cpu_cs_args {
    const struct cpu_stage_state *state;
    uint8_t *shared;        /* memory of a group: the shader's shared_size bytes */
    uint8_t *frames;        /* of the vectors, struct cpu_cs_variant's frame_bytes each; or NULL */
    uint32_t group[3];      /* the first group to run */
    uint32_t count;         /* groups from there on, in x */
    uint32_t num_groups[3]; /* gl_NumWorkGroups */
    uint32_t group_size[3]; /* gl_WorkGroupSize, as invocations */
    uint64_t longest_vector[16]; /* what loads read that lie outside of everything */
};

/* --- Fragment kernel: argument 0 is a struct cpu_fs_args. --- */

/* One primitive, as setup leaves it. Planes: value(x, y) = c + dx * (x - x_ref) + dy * (y - y_ref)
 * at pixel centers (x = column + 0.5). */
struct cpu_plane {
    float c, dx, dy;
};

struct cpu_primitive {
    float x_ref, y_ref;      /* window coordinates of vertex 0 */
    struct cpu_plane z;      /* depth, polygon offset included, not clamped */
    struct cpu_plane b1, b2; /* linear barycentrics of vertices 1 and 2 (b0 = 1 - b1 - b2);
                                     points: zero planes; lines: b1 runs along it */
    float inv_w[3];          /* 1/w of the vertices */
    const float
        *vertex[3]; /* outputs: component c of output o at [(o*4 + c) * CPU_BATCH_VERTICES] */
    const float *provoking;            /* the vertex that flat varyings come from */
    struct cpu_plane point_s, point_t; /* gl_PointCoord */
    uint32_t front_facing;             /* 0 or 1 */
    uint32_t primitive_id, layer, viewport;
};

/* Where texel i of a block is in it. */
static inline unsigned cpu_texel_x(unsigned i)
{
    return (i & 1) + (i >> 2 & 1) * 2;
}

static inline unsigned cpu_texel_y(unsigned i)
{
    return (i >> 1 & 1) + (i >> 3 & 1) * 2;
}

struct cpu_block { /* a 4×4 block with a bit per pixel, bit = index in the block */
    uint16_t x, y; /* of its first pixel, multiples of 4 */
    uint32_t mask; /* 16 bits, never 0; multisampled: pixels of which any sample is covered */
};

/* The covered samples of a block's pixels: bit s of pixel[i] is sample s of the pixel whose index in
 * the block is i. Of draws with smooth primitives it is how much of the pixel is covered, in 1/255. A
 * vector of lanes loads its bytes as it loads texels. */
struct cpu_block_samples {
    uint8_t pixel[16];
};

/* A 2×2 quad of a primitive, to be shaded together with quads of others. Quads of one vector that
 * are the same place have no pixel in common. */
struct cpu_quad {
    const struct cpu_primitive *primitive;
    uint16_t x, y; /* of its first pixel, multiples of 2 */
    uint32_t mask; /* 4 bits; 0 in what fills up a vector, where only the place must be valid */
};

struct cpu_target_tile { /* of one color or depth-stencil buffer */
    uint8_t *base;       /* first texel of the tile */
    uint32_t tile_w;     /* blocks in a row of the tile */
    uint32_t pad;
    uint64_t sample_stride; /* bytes from a sample's texel to the next sample's */
};

struct cpu_fs_state { /* constant during a draw, beside cpu_stage_state */
    float blend_color[4];
    uint32_t stencil_ref[2]; /* front, back */
    uint32_t stencil_valuemask[2], stencil_writemask[2];
    float fb_height;
    struct {
        float min, max;
    } depth_range[DRV_MAX_VIEWPORTS]; /* for clamping */
    /* Multisampling. */
    uint32_t sample_mask;                    /* samples that may be covered */
    float sample_offset[2][CPU_MAX_SAMPLES]; /* x and y of each sample from the pixel's center, in
                                                pixels; 0 where rasterization is by pixels */
};

/* Room for what kernels find of blocks before the first of them: for the most planes that there may be
 * (of 64 varyings' components and five others), values at 16 blocks, and shares of 16 lanes. */
#define CPU_PLANE_WORDS ((64 * 4 + 5) * 2 * 16)

struct cpu_fs_args {
    const struct cpu_stage_state *state;
    const struct cpu_fs_state *fs;
    const struct cpu_primitive *primitive;
    const struct cpu_block *block;
    const struct cpu_block_samples *block_samples; /* of each block; multisampled or smooth */
    const struct cpu_quad *quad; /* instead of primitive and block, for a kernel of quads */
    uint32_t *planes;            /* CPU_PLANE_WORDS for a kernel of blocks to work with */
    uint32_t count; /* blocks, which up to a multiple of 16 can be read, and no more than
                                    the variant's max_blocks; or quads, a multiple of lanes / 4 */
    uint32_t pad;
    /* What the variant counts is added; else NULL. */
    uint64_t *samples_passed, *invocations;
    struct cpu_target_tile color[DRV_MAX_COLOR_BUFS];
    struct cpu_target_tile zs;
};

#endif
