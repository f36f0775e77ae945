/* SPDX-License-Identifier: MIT */
/*
 * The structs that the CPU driver's C code and its kernels share. A kernel is a compiled function
 * that executes a shader stage for many vertices, fragments or invocations: NIR built by
 * cpu_*_kernel.c and compiled by src/jit. Kernels access fields by offsetof, so that each struct is
 * declared only here. Argument 0 of a kernel is the struct of its stage. Argument 1 is the calling
 * thread's progress counter (watchdog_progress()), which kernels with long loops increment for each
 * vector. The kernels of cpu_build_finish_vertices() have argument 0 only.
 *
 * Images are tiled as cpu_layout.h describes. A kernel with vectors of L lanes handles a 4×4 block
 * as 16 / L vectors; lane i of vector v is the texel with index v * L + i in the block. A batch is
 * a number of primitives whose vertices are shaded together (front/cpu_batch.h).
 */
#ifndef CPU_KERNEL_H
#define CPU_KERNEL_H

#include "driver/cpu/resource/cpu_layout.h"
#include "indium/driver.h"
#include "util/watchdog.h"

#define CPU_MAX_SAMPLES DRV_MAX_SAMPLES

/* Targets of a framebuffer: index i is color buffer i; CPU_ZS_TARGET is the depth-stencil
 * buffer. */
#define CPU_ZS_TARGET   DRV_MAX_COLOR_BUFS
#define CPU_NUM_TARGETS (DRV_MAX_COLOR_BUFS + 1)

/* Maximum number of vertices of a batch. Vertex outputs are stored as a structure of arrays with
 * this stride: component c of vec4 output o of vertex v is
 * out[(o * 4 + c) * CPU_BATCH_VERTICES + v]. */
#define CPU_BATCH_VERTICES 256

/* A level of a texture or image. */
struct cpu_level {
    const uint8_t *base;            /* first layer of the view */
    uint64_t layer_stride;          /* bytes from one layer or 3D slice to the next */
    uint64_t sample_stride;         /* bytes from one sample's plane of a layer to the next */
    uint32_t width, height, depth;  /* texels */
    uint32_t tile_w;                /* blocks in a row of a tile */
    uint32_t tiles_x;               /* tiles in a row of the level */
    float scale[2];                 /* width and height in units of 1/256 texel: 256 * size */
    const uint32_t *rows, *columns; /* offset tables (cpu_offsets.h); sampler views only */
};

/* Which texels of an image are in committed memory (resource/cpu_sparse.h). */
struct cpu_residency {
    /* A byte per unit of 1 << CPU_RESIDENCY_SHIFT bytes: 1 if it is committed, else 0. NULL: the
     * image is not sparse. */
    const uint8_t *resident;
    const uint8_t *memory; /* address that the first unit starts at */
};
#define CPU_RESIDENCY_SHIFT 12

/* A bound sampler view. level[0] is the view's first level. */
struct cpu_texture {
    struct cpu_level level[DRV_MAX_TEXTURE_LEVELS];
    uint32_t num_levels;  /* used elements of level */
    uint32_t num_layers;  /* array layers of the view, 6 per cube; 1 for 3D */
    uint32_t num_samples; /* 1 without multisampling */
    struct cpu_residency residency;
};

/* Sampler state that is not part of the variant key. */
struct cpu_sampler {
    float lod_bias, min_lod, max_lod, max_anisotropy; /* as in drv_sampler_state */
    uint32_t border_color[4]; /* bits of the components, after the view's swizzle */
};

/* A bound constant or storage buffer. */
struct cpu_buffer {
    const uint8_t *base; /* readable for size bytes; in storage buffers also writable */
    uint64_t size;       /* bytes; if 0, base points to 16 readable zero bytes */
};

/* A bound shader image. */
struct cpu_image {
    struct cpu_level level; /* the view's level; its base is that of the view's first layer */
    uint32_t num_layers;    /* layers of the view, or slices of a 3D image; 6 per cube */
    uint32_t num_samples;   /* 1 without multisampling */
    uint16_t format;        /* enum drv_format; 0: nothing bound */
    uint8_t target;         /* enum drv_target */
    struct cpu_residency residency;
};

/* A texture or image that shaders access through a handle (ARB_bindless_texture). The low half of a
 * handle is the index of its entry. Neither pointer is NULL: if the entry has no texture or image,
 * the pointer refers to an empty one. */
struct cpu_handle {
    uint32_t generation; /* must equal the high half of the handle, else the handle is invalid */
    uint32_t class;      /* index in struct cpu_handle_classes; CPU_NO_CLASS: not resident */
    const struct cpu_texture *texture;
    const struct cpu_image *image;
    struct cpu_sampler sampler;
};
#define CPU_NO_CLASS UINT32_MAX

/* Returns the index of the image coordinate that selects the layer, face or slice (1: y, 2: z), or
 * 0 if there is none. */
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

/* State of a stage, constant during a draw or dispatch. The memory may be shorter than the struct:
 * unused texture, sampler, storage and image elements at the end may be missing (state_size() in
 * cpu_validate.c). */
struct cpu_stage_state {
    struct watchdog_stop *stop;      /* if its flag is set, long loops are left (cpu_nir_loops.c) */
    const struct cpu_handle *handle; /* num_handles entries, at least one; entry 0 is never valid */
    uint64_t num_handles;
    struct cpu_buffer constant[DRV_MAX_CONSTANT_BUFFERS];
    /* Set for the samplers that the shader uses: a black 1×1 texture if no view is bound. NULL or
     * missing for others. */
    const struct cpu_texture *texture[DRV_MAX_SAMPLERS];
    struct cpu_sampler sampler[DRV_MAX_SAMPLERS];
    struct cpu_buffer storage[DRV_MAX_STORAGE_BUFFERS];
    struct cpu_image image[DRV_MAX_IMAGES];
};

/* --- Vertex kernel: argument 0 is a struct cpu_vs_args. --- */

/* The array of an attribute, i.e. a vertex element (driver.h) and its buffer. */
struct cpu_vertex_stream {
    const uint8_t *base;    /* address of the attribute of vertex 0 */
    uint32_t stride;        /* bytes from one vertex to the next */
    uint32_t max_index;     /* highest index whose attribute lies inside the buffer */
    uint32_t valid;         /* 0: nothing can be read, and the attribute is 0, 0, 0, 1 */
    uint32_t divisor_index; /* index to read with a divisor: base_instance + instance / divisor */
    uint32_t divisor;       /* instance divisor; used if the key has instances_share_vectors */
};

struct cpu_vs_args {
    const struct cpu_stage_state *state;
    /* Index of each vertex (gl_VertexID), padded to a multiple of 16. */
    const uint32_t *index;
    /* Instance of each vertex, padded to a multiple of 16, if the key has
     * instances_share_vectors. */
    const uint32_t *instance;
    float *out; /* receives the outputs; CPU_BATCH_VERTICES describes the layout */
    /* clip_code and window receive results of the last stage before rasterization. Unused in other
     * stages. */
    uint32_t *clip_code; /* per vertex: bits of enum cpu_clip_bit */
    /* Window x, y, z and 1/w: [component * CPU_BATCH_VERTICES + vertex]. Undefined for vertices
     * whose clip code has CPU_CLIP_W. */
    float *window;
    uint32_t count; /* number of vertices, at most CPU_BATCH_VERTICES */
    /* Only for kernels of CPU_VS_REST (cpu_vs_parts): number of vectors to shade, and the index of
     * each vector's first vertex. */
    uint32_t num_vectors;
    const uint32_t *vector;
    uint32_t instance_id, base_instance, draw_id, view_index; /* the built-in variables */
    int32_t first_vertex; /* index of the first vertex; for indexed draws, the base vertex */
    uint32_t indexed;     /* mask for gl_BaseVertex: ~0 for indexed draws, otherwise 0 */
    const struct drv_viewport *viewport;              /* DRV_MAX_VIEWPORTS elements */
    struct cpu_vertex_stream stream[DRV_MAX_ATTRIBS]; /* one per vertex element */
};

/* Bits of clip codes. Unless noted, a bit is set if the vertex is outside that clip plane. NEAR and
 * FAR are only set if depth clipping is enabled at that plane. */
enum cpu_clip_bit {
    CPU_CLIP_NEAR = 1 << 0,
    CPU_CLIP_FAR = 1 << 1,
    CPU_CLIP_LEFT = 1 << 2, /* LEFT to TOP only serve to reject primitives */
    CPU_CLIP_RIGHT = 1 << 3,
    CPU_CLIP_BOTTOM = 1 << 4,
    CPU_CLIP_TOP = 1 << 5,
    CPU_CLIP_W = 1 << 6,          /* w is not positive */
    CPU_CLIP_GUARD_BAND = 1 << 7, /* window x or y is beyond ±16384 pixels and must be clipped */
    CPU_CLIP_NAN = 1 << 8,        /* the position is NaN: the primitive is dropped */
    CPU_CLIP_USER0 = 1 << 16,     /* CPU_CLIP_USER0 << n: enabled clip distance n < 0 or NaN */
    CPU_CLIP_CULL0 = 1 << 24,     /* CPU_CLIP_CULL0 << n: cull distance n is negative or NaN */
};

/* --- Patches --- */

#define CPU_MAX_PATCH_VERTICES 32 /* maximum number of vertices of an input or output patch */
#define CPU_BATCH_PATCHES      32 /* maximum number of patches of a batch */
/* Maximum number of control shader invocations of a batch, including idle lanes. */
#define CPU_MAX_TCS_ITEMS (CPU_BATCH_PATCHES * CPU_MAX_PATCH_VERTICES)

/* A patch record holds what evaluation shaders read of a patch: the tessellation levels, then the
 * patch's vec4 outputs, then the vec4 outputs of each vertex. These are offsets in 32-bit words. */
enum {
    CPU_PATCH_OUTER = 0, /* four outer levels */
    CPU_PATCH_INNER = 4, /* two inner levels */
    CPU_PATCH_FIRST = 8, /* first vec4 output of the patch */
};

/* --- Tessellation control kernel: argument 0 is a struct cpu_tcs_args. --- */

/* A lane executes an item, which is one invocation of the shader for one patch. Items are ordered
 * by patch, then by invocation. If the shader has barriers, a vector contains whole patches; if the
 * invocations of a patch don't fit into a vector, its first one is in the first lane of a
 * vector. */
struct cpu_tcs_args {
    const struct cpu_stage_state *state;
    const float *in; /* outputs of the vertex stage; CPU_BATCH_VERTICES describes the layout */
    /* gl_in[i] of patch p is vertex[p * CPU_MAX_PATCH_VERTICES + i] of `in`. */
    const uint32_t *vertex;
    /* One element per item, padded to a multiple of 16. Idle lanes repeat another item. */
    const uint32_t *patch;
    const uint32_t *invocation;
    const uint32_t *live;    /* 0: idle lane */
    uint32_t count;          /* number of items */
    uint32_t patch_vertices; /* gl_PatchVerticesIn */
    uint32_t primitive_id;   /* gl_PrimitiveID of patch 0 */
    uint32_t record_words;   /* size of a patch record in words */
    uint32_t *out;           /* receives the patch records */
    /* Scratch memory for values that live across barriers: cpu_tcs_variant.spill_words rows of
     * CPU_MAX_TCS_ITEMS words. */
    uint32_t *spill;
};

/* --- Tessellation evaluation kernel: argument 0 is a struct cpu_tes_args. --- */

/* A lane executes the shader for a vertex. All vertices of a vector belong to one patch. */
struct cpu_tes_args {
    const struct cpu_stage_state *state;
    const uint32_t *records; /* patch records */
    const float *coord;      /* gl_TessCoord: [component * CPU_BATCH_VERTICES + vertex] */
    const uint32_t *patch;   /* index of each vertex's record */
    const uint32_t *live;    /* per vertex; 0: idle lane, which repeats another vertex */
    uint32_t count;          /* vertices including idle lanes: a multiple of the vector width */
    uint32_t patch_vertices; /* gl_PatchVerticesIn */
    uint32_t primitive_id;   /* gl_PrimitiveID of record 0 */
    uint32_t record_words;   /* size of a record in words */
    uint32_t vertex_base;    /* word offset of a record's first vertex */
    uint32_t vertex_words;   /* words per vertex */
    /* Results, and the viewports for `window`, as in struct cpu_vs_args. */
    float *out;
    uint32_t *clip_code;
    float *window;
    const struct drv_viewport *viewport;
};

/* --- Geometry kernel: argument 0 is a struct cpu_gs_args. --- */

/* Bits of the last word of an emitted vertex. */
enum cpu_gs_control {
    CPU_GS_STREAM = 3, /* mask of the bits that hold the index of the vertex stream */
    CPU_GS_END = 4,    /* the vertex is the last of its primitive strip */
};

/* A lane executes an item, which is one invocation of the shader for one primitive. Items are
 * ordered by primitive, then by invocation. */
struct cpu_gs_args {
    const struct cpu_stage_state *state;
    const float *in; /* outputs of the previous stage; CPU_BATCH_VERTICES describes the layout */
    const uint32_t *vertex;        /* gl_in[i] of an item is vertex[i * stride + item] of `in` */
    const uint32_t *primitive_id;  /* gl_PrimitiveIDIn of each item */
    const uint32_t *invocation_id; /* gl_InvocationID of each item */
    uint32_t count;  /* number of items; the arrays above are padded to a multiple of 16 items */
    uint32_t stride; /* stride of `vertex` and `out` in items, a multiple of 16 */
    /* Receives the emitted vertices: word w of vertex v of an item is
     * out[(v * words + w) * stride + item], where words is cpu_gs_variant.words. The last word of a
     * vertex has the bits of enum cpu_gs_control. */
    uint32_t *out;
    /* Receives the number of vertices that each item emits, in all streams. */
    uint32_t *num_vertices;
};

/* --- Compute kernel: argument 0 is a struct cpu_cs_args. --- */

struct cpu_cs_args {
    const struct cpu_stage_state *state;
    /* Shared memory of a work group: cpu_cs_variant.shared_bytes bytes, zeroed by the caller. */
    uint8_t *shared;
    /* Scratch memory for values that live across barriers: cpu_cs_variant.frame_bytes bytes for
     * each vector of a work group; zeroed by the caller if cpu_cs_variant.clear_frames is set.
     * Unused if frame_bytes is 0. */
    uint8_t *frames;
    uint32_t group[3]; /* gl_WorkGroupID of the first work group to execute */
    uint32_t count;    /* work groups to execute, consecutive in x; 1 if memory must be zeroed */
    uint32_t num_groups[3]; /* gl_NumWorkGroups */
    uint32_t group_size[3]; /* gl_WorkGroupSize */
};

/* --- Fragment kernel: argument 0 is a struct cpu_fs_args. --- */

/* A plane equation of a primitive: value(x, y) = c + dx * (x - x_ref) + dy * (y - y_ref), where x
 * and y are window coordinates (column + 0.5 at a pixel center) and the reference point is that of
 * struct cpu_primitive. */
struct cpu_plane {
    float c, dx, dy;
};

/* Relates the vertices of a primitive after setup to those of the primitive before clipping, in the
 * order of the API (NV_fragment_shader_barycentric). */
struct cpu_barycentrics {
    /* Outputs of the vertices before clipping; lines and points repeat one. */
    const float *vertex[3];
    /* [0]: with perspective, [1]: without. Row i has the barycentric coordinates of vertex i of the
     * primitive after setup. */
    float weight[2][3][3];
};

/* A primitive after setup. Vertex 0 of a triangle has the smallest 1/w, vertex 1 the largest. */
struct cpu_primitive {
    /* The reference point: window coordinates of vertex 0 of a triangle, of the center of a point,
     * or of the end of a line with the smaller x (with equal x, the smaller y). They may be
     * snapped. That of a smooth line lies outside of the end. */
    float x_ref, y_ref;
    struct cpu_plane z; /* depth, with polygon offset, before clamping */
    /* Linear barycentric coordinates of vertices 1 and 2; that of vertex 0 is 1 - b1 - b2. For
     * lines, b1 increases along the line and b2 is zero. For points, both are zero. */
    struct cpu_plane b1, b2;
    float inv_w[3]; /* 1/w of the vertices */
    /* Outputs of the vertices: component c of output o is at [(o * 4 + c) * CPU_BATCH_VERTICES]. */
    const float *vertex[3];
    const float *provoking; /* outputs of the provoking vertex, for flat varyings */
    union {
        struct {
            struct cpu_plane point_s, point_t; /* x and y of gl_PointCoord */
        };
        /* Only for kernels with cpu_fs_key.barycentrics, if they don't draw points. */
        const struct cpu_barycentrics *barycentrics;
    };
    uint32_t front_facing;                  /* 0 or 1 */
    uint32_t primitive_id, layer, viewport; /* gl_PrimitiveID, gl_Layer, gl_ViewportIndex */
};

/* Return the column and the row, 0 to 3, of the texel with index i in its block. */
static inline unsigned cpu_texel_x(unsigned i)
{
    return (i & 1) + (i >> 2 & 1) * 2;
}

static inline unsigned cpu_texel_y(unsigned i)
{
    return (i >> 1 & 1) + (i >> 3 & 1) * 2;
}

/* The pixels of a 4×4 block that a primitive covers. */
struct cpu_block {
    uint16_t x, y; /* the block's first pixel, multiples of 4 */
    /* Bit i: the pixel with index i, or a sample of it, is covered; at least one of these bits is
     * set. Bit 16 + i, for kernels with cpu_fs_key.inner_coverage: all of the pixel is covered. */
    uint32_t mask;
};

/* Coverage of a block's pixels; element i is for the pixel with index i. In multisampled draws, bit
 * s is set if sample s is covered. In draws with smooth primitives, the byte is the covered part of
 * the pixel in units of 1/255. */
struct cpu_block_samples {
    uint8_t pixel[16];
};

/* An element of cpu_block_samples.pixel has bits for CPU_LOW_SAMPLES samples. In draws with more
 * samples, arrays of cpu_block_samples have two parts. If element i has samples 0 to 7 of a block,
 * element i + CPU_HIGH_SAMPLES has samples 8 to 15: bit s - 8 is set if sample s is covered. */
#define CPU_LOW_SAMPLES  8
#define CPU_HIGH_SAMPLES (CPU_TILE_BLOCKS * CPU_TILE_BLOCKS)

/* Returns the mask of the covered samples of a pixel. `samples` is the element of its block, in a
 * draw with num_samples samples. */
static inline uint32_t cpu_covered_samples(const struct cpu_block_samples *samples, unsigned pixel,
                                           unsigned num_samples)
{
    const uint32_t low = samples->pixel[pixel];
    return num_samples > CPU_LOW_SAMPLES
               ? low | (uint32_t)samples[CPU_HIGH_SAMPLES].pixel[pixel] << CPU_LOW_SAMPLES
               : low;
}

/* Sets the mask of the covered samples of a pixel to `covered`. The other parameters are those of
 * cpu_covered_samples(). */
static inline void cpu_set_covered_samples(struct cpu_block_samples *samples, unsigned pixel,
                                           unsigned num_samples, uint32_t covered)
{
    samples->pixel[pixel] = (uint8_t)covered;
    if (num_samples > CPU_LOW_SAMPLES)
        samples[CPU_HIGH_SAMPLES].pixel[pixel] = (uint8_t)(covered >> CPU_LOW_SAMPLES);
}

/* The pixels of a 2×2 quad that a primitive covers. A vector may contain quads of several
 * primitives, but no two quads of a vector cover the same pixel. */
struct cpu_quad {
    const struct cpu_primitive *primitive;
    uint16_t x, y; /* the quad's first pixel, multiples of 2 */
    /* Four bits in the order of the quad's texels; 0: padding, a copy of another quad. */
    uint32_t mask;
};

/* A tile of a color or depth-stencil buffer. */
struct cpu_target_tile {
    uint8_t *base;   /* first texel of the tile */
    uint32_t tile_w; /* blocks in a row of the tile */
    uint32_t pad;
    uint64_t sample_stride; /* bytes from one sample's plane to the next */
};

/* State of per-fragment operations, constant during a draw. */
struct cpu_fs_state {
    float blend_color[4];
    uint32_t stencil_ref[2];                             /* front, back */
    uint32_t stencil_valuemask[2], stencil_writemask[2]; /* front, back */
    float depth_bounds[2]; /* minimum and maximum of the depth bounds test */
    float fb_height;       /* height of the framebuffer in pixels */
    struct {
        float min, max;
    } depth_range[DRV_MAX_VIEWPORTS]; /* limits of depth clamping, per viewport */
    uint32_t sample_mask;             /* mask of the samples that may be covered */
    /* [0]: x, [1]: y offset of each sample from the pixel center in pixels; 0 without
     * multisampling. */
    float sample_offset[2][CPU_MAX_SAMPLES];
};

/* Size in words of the table in which a kernel stores the values of planes before it shades blocks.
 * A kernel has at most 64 * 4 + 5 planes: the components of 64 varyings, and five others. The table
 * holds, for each plane, the values at the first pixels of 16 blocks and the increments from there
 * to the 16 pixels of a block. If a kernel has fewer planes, the table holds the values at more
 * blocks (cpu_fs_variant.max_blocks). */
#define CPU_PLANE_WORDS ((64 * 4 + 5) * 2 * 16)

struct cpu_fs_args {
    const struct cpu_stage_state *state;
    const struct cpu_fs_state *fs;
    const struct cpu_primitive *primitive;         /* only for kernels of blocks, like block */
    const struct cpu_block *block;                 /* `count` elements */
    const struct cpu_block_samples *block_samples; /* per block; in multisampled or smooth draws */
    const struct cpu_quad *quad; /* only for kernels of quads; replaces primitive and block */
    uint32_t *planes; /* for kernels of blocks: scratch memory of CPU_PLANE_WORDS words */
    /* For kernels of blocks: number of blocks, at most cpu_fs_variant.max_blocks (unless that is
     * 0); the arrays are readable up to the next multiple of 16. For kernels of quads: number of
     * quads, a multiple of lanes / 4. */
    uint32_t count;
    uint32_t pad;
    uint64_t *samples_passed, *invocations; /* counters that the kernel adds to, or NULL */
    struct cpu_target_tile color[DRV_MAX_COLOR_BUFS]; /* the tile in each color buffer */
    struct cpu_target_tile zs;                        /* the tile in the depth-stencil buffer */
};

#endif
