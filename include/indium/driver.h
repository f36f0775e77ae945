/* SPDX-License-Identifier: MIT */
/*
 * The driver contract: what a driver gives to the API layer (src/gl). After Gallium's idea, in
 * plain structs. A new driver implements drv_screen_ops and drv_context_ops in full: an entry is
 * never NULL unless its comment says so; what is not supported is a cap that says no, and the
 * caller then never comes. The caller validates (the GL's rules, ranges, formats that were asked
 * for); a driver may trust its arguments, but not the contents of buffers and shaders: indices,
 * offsets and loops in them are the application's.
 *
 * Threads: a screen may be used by any number of threads at once; a context by one at a time.
 * Resources are shared between the contexts of a screen; ordering between contexts is by flush and
 * fence, as the GL has it.
 *
 * Coordinates: window space has its origin at the lower left for rendering (GL); rows of a resource
 * are numbered from 0 at y = 0. src/target flips when it shows a window.
 */
#ifndef INDIUM_DRIVER_H
#define INDIUM_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"
#include "indium/limits.h"
#include "indium/shader_enums.h"

struct nir_shader;
struct nir_shader_compiler_options;
struct drv_context;
struct drv_fence;
struct drv_query;
struct drv_screen;

/* ------------------------------------------------------------------------------ enumerations --- */

enum drv_primitive { /* the GL's values */
                     DRV_PRIM_POINTS,
                     DRV_PRIM_LINES,
                     DRV_PRIM_LINE_LOOP,
                     DRV_PRIM_LINE_STRIP,
                     DRV_PRIM_TRIANGLES,
                     DRV_PRIM_TRIANGLE_STRIP,
                     DRV_PRIM_TRIANGLE_FAN,
                     DRV_PRIM_QUADS,
                     DRV_PRIM_QUAD_STRIP,
                     DRV_PRIM_POLYGON,
                     DRV_PRIM_LINES_ADJACENCY,
                     DRV_PRIM_LINE_STRIP_ADJACENCY,
                     DRV_PRIM_TRIANGLES_ADJACENCY,
                     DRV_PRIM_TRIANGLE_STRIP_ADJACENCY,
                     DRV_PRIM_PATCHES,
                     DRV_PRIM_COUNT,
};

enum drv_compare_func { /* GL_NEVER + n */
                        DRV_FUNC_NEVER,
                        DRV_FUNC_LESS,
                        DRV_FUNC_EQUAL,
                        DRV_FUNC_LEQUAL,
                        DRV_FUNC_GREATER,
                        DRV_FUNC_NOTEQUAL,
                        DRV_FUNC_GEQUAL,
                        DRV_FUNC_ALWAYS,
};

enum drv_stencil_op {
    DRV_STENCIL_KEEP,
    DRV_STENCIL_ZERO,
    DRV_STENCIL_REPLACE,
    DRV_STENCIL_INCR, /* clamps */
    DRV_STENCIL_DECR,
    DRV_STENCIL_INCR_WRAP,
    DRV_STENCIL_DECR_WRAP,
    DRV_STENCIL_INVERT,
};

enum drv_blend_func {
    DRV_BLEND_ADD,
    DRV_BLEND_SUBTRACT,         /* src - dst */
    DRV_BLEND_REVERSE_SUBTRACT, /* dst - src */
    DRV_BLEND_MIN,
    DRV_BLEND_MAX,
};

enum drv_blend_factor {
    DRV_FACTOR_ZERO,
    DRV_FACTOR_ONE,
    DRV_FACTOR_SRC_COLOR,
    DRV_FACTOR_INV_SRC_COLOR,
    DRV_FACTOR_SRC_ALPHA,
    DRV_FACTOR_INV_SRC_ALPHA,
    DRV_FACTOR_DST_COLOR,
    DRV_FACTOR_INV_DST_COLOR,
    DRV_FACTOR_DST_ALPHA,
    DRV_FACTOR_INV_DST_ALPHA,
    DRV_FACTOR_CONST_COLOR,
    DRV_FACTOR_INV_CONST_COLOR,
    DRV_FACTOR_CONST_ALPHA,
    DRV_FACTOR_INV_CONST_ALPHA,
    DRV_FACTOR_SRC_ALPHA_SATURATE,
    DRV_FACTOR_SRC1_COLOR,
    DRV_FACTOR_INV_SRC1_COLOR,
    DRV_FACTOR_SRC1_ALPHA,
    DRV_FACTOR_INV_SRC1_ALPHA,
};

enum drv_logic_op { /* GL_CLEAR + n */
                    DRV_LOGICOP_CLEAR,
                    DRV_LOGICOP_AND,
                    DRV_LOGICOP_AND_REVERSE,
                    DRV_LOGICOP_COPY,
                    DRV_LOGICOP_AND_INVERTED,
                    DRV_LOGICOP_NOOP,
                    DRV_LOGICOP_XOR,
                    DRV_LOGICOP_OR,
                    DRV_LOGICOP_NOR,
                    DRV_LOGICOP_EQUIV,
                    DRV_LOGICOP_INVERT,
                    DRV_LOGICOP_OR_REVERSE,
                    DRV_LOGICOP_COPY_INVERTED,
                    DRV_LOGICOP_OR_INVERTED,
                    DRV_LOGICOP_NAND,
                    DRV_LOGICOP_SET,
};

enum drv_polygon_mode { DRV_POLYGON_FILL, DRV_POLYGON_LINE, DRV_POLYGON_POINT };

enum drv_tex_wrap {
    DRV_WRAP_REPEAT,
    DRV_WRAP_CLAMP, /* GL_CLAMP: coordinates to [0,1], so that linear filtering meets the border */
    DRV_WRAP_CLAMP_TO_EDGE,
    DRV_WRAP_CLAMP_TO_BORDER,
    DRV_WRAP_MIRROR_REPEAT,
    DRV_WRAP_MIRROR_CLAMP,
    DRV_WRAP_MIRROR_CLAMP_TO_EDGE,
    DRV_WRAP_MIRROR_CLAMP_TO_BORDER,
};

enum drv_tex_filter { DRV_FILTER_NEAREST, DRV_FILTER_LINEAR };
enum drv_tex_reduction { DRV_REDUCTION_AVERAGE, DRV_REDUCTION_MIN, DRV_REDUCTION_MAX };
enum drv_mip_filter { DRV_MIP_NONE, DRV_MIP_NEAREST, DRV_MIP_LINEAR };

enum drv_target {
    DRV_BUFFER,
    DRV_TEXTURE_1D,
    DRV_TEXTURE_2D,
    DRV_TEXTURE_3D,
    DRV_TEXTURE_CUBE, /* array_size 6 */
    DRV_TEXTURE_RECT,
    DRV_TEXTURE_1D_ARRAY,
    DRV_TEXTURE_2D_ARRAY,
    DRV_TEXTURE_CUBE_ARRAY, /* array_size 6 * n */
};

enum drv_bind { /* what a resource will be used for; format queries take these too */
                DRV_BIND_VERTEX_BUFFER = 1 << 0,
                DRV_BIND_INDEX_BUFFER = 1 << 1,
                DRV_BIND_CONSTANT_BUFFER = 1 << 2,
                DRV_BIND_STORAGE_BUFFER = 1 << 3,
                DRV_BIND_STREAM_OUTPUT = 1 << 4,
                DRV_BIND_INDIRECT = 1 << 5,
                DRV_BIND_SAMPLER_VIEW = 1 << 6,
                DRV_BIND_RENDER_TARGET = 1 << 7,
                DRV_BIND_DEPTH_STENCIL = 1 << 8,
                DRV_BIND_IMAGE = 1 << 9,
                DRV_BIND_BLENDABLE = 1 << 10,  /* query only */
                DRV_BIND_FILTERABLE = 1 << 11, /* query only: linear filters */
                DRV_BIND_DISPLAY = 1 << 12,    /* resolved to a window */
};

enum drv_map_flags {
    DRV_MAP_READ = 1 << 0,
    DRV_MAP_WRITE = 1 << 1,
    DRV_MAP_DISCARD_RANGE = 1 << 2,  /* what is in the box is not needed any more */
    DRV_MAP_DISCARD_WHOLE = 1 << 3,  /* of the whole resource; never waits: storage is renamed */
    DRV_MAP_UNSYNCHRONIZED = 1 << 4, /* the caller orders accesses; never waits */
    DRV_MAP_PERSISTENT = 1 << 5,
    DRV_MAP_COHERENT = 1 << 6,
    DRV_MAP_FLUSH_EXPLICIT = 1 << 7, /* only flush_region'ed bytes are written */
    DRV_MAP_DONTBLOCK = 1 << 8,      /* NULL instead of waiting */
};

enum drv_clear_buffers {
    DRV_CLEAR_COLOR0 = 1 << 0, /* … color buffer n: DRV_CLEAR_COLOR0 << n */
    DRV_CLEAR_DEPTH = 1 << 8,
    DRV_CLEAR_STENCIL = 1 << 9,
};

enum drv_query_type {
    DRV_QUERY_OCCLUSION_COUNTER,
    DRV_QUERY_OCCLUSION_PREDICATE,
    DRV_QUERY_TIMESTAMP,
    DRV_QUERY_TIME_ELAPSED,
    DRV_QUERY_PRIMITIVES_GENERATED,
    DRV_QUERY_PRIMITIVES_EMITTED, /* written by transform feedback */
    DRV_QUERY_SO_OVERFLOW,
    DRV_QUERY_SO_OVERFLOW_ANY,
    DRV_QUERY_STATISTIC, /* index: enum drv_statistic */
};

/* What happens in the pipeline, counted (GL 4.6 §4.2, ARB_pipeline_statistics_query). */
enum drv_statistic {
    DRV_STAT_VERTICES_SUBMITTED,
    DRV_STAT_PRIMITIVES_SUBMITTED,
    DRV_STAT_VS_INVOCATIONS,
    DRV_STAT_TCS_PATCHES,
    DRV_STAT_TES_INVOCATIONS,
    DRV_STAT_GS_INVOCATIONS,
    DRV_STAT_GS_PRIMITIVES,
    DRV_STAT_FS_INVOCATIONS,
    DRV_STAT_CS_INVOCATIONS,
    DRV_STAT_CLIPPING_INPUT,
    DRV_STAT_CLIPPING_OUTPUT,
    DRV_STAT_COUNT,
};

/* GL_RESET_STATUS */
enum drv_reset_status { DRV_NO_RESET, DRV_GUILTY_RESET, DRV_INNOCENT_RESET, DRV_UNKNOWN_RESET };

/* --------------------------------------------------------------------------- capabilities --- */

struct drv_stage_caps {
    bool supported;
    unsigned max_const_buffers;     /* with slot 0 */
    unsigned max_const_buffer_size; /* bytes */
    unsigned max_samplers, max_images, max_storage_buffers;
};

/* Filled once by the screen, constant afterwards. */
struct drv_caps {
    struct drv_stage_caps stage[SHADER_STAGES];
    unsigned max_texture_2d_size, max_texture_3d_size, max_texture_cube_size; /* texels */
    unsigned max_texture_array_layers, max_texture_buffer_texels;
    unsigned max_render_targets, max_dual_source_render_targets, max_viewports;
    unsigned max_samples;  /* 0 or 1: no multisampling */
    unsigned max_varyings; /* generic slots */
    unsigned max_vertex_attrib_stride;
    float max_point_size, max_line_width, max_anisotropy, max_lod_bias;
    unsigned subpixel_bits;
    unsigned constant_buffer_offset_alignment, storage_buffer_offset_alignment,
        texture_buffer_offset_alignment, min_map_alignment; /* bytes */
    unsigned max_compute_workgroup_count[3], max_compute_workgroup_size[3],
        max_compute_workgroup_invocations, max_compute_shared_memory;
    unsigned subgroup_size; /* invocations, in all stages; 0: there are no subgroups */
    unsigned max_stream_output_buffers, max_stream_output_components;
    unsigned max_gs_output_vertices, max_gs_total_output_components, max_gs_invocations;
    int min_texel_offset, max_texel_offset, min_gather_offset, max_gather_offset;
    bool vertex_shader_layer_viewport, primitive_restart, instance_divisor, base_instance;
    bool depth_clamp, polygon_offset_clamp, clip_halfz;
    bool framebuffer_fetch; /* shaders read the buffers that they draw to, in order */
    bool zs_fetch;          /* and what depth and stencil are there */
    bool sampler_reduction, post_depth_coverage;
    bool indep_blend_enable, indep_blend_func, dual_source_blend, blend_minmax;
    bool seamless_cube_map, texture_swizzle, texture_shadow, cube_map_array, texture_gather,
        texture_query_lod, texture_multisample, texture_buffer_objects, texture_rect;
    bool occlusion_query, timer_query, statistics_query, conditional_render, stream_output_pause;
    bool flatshade_first, quads_follow_provoking_vertex;
    bool shader_storage, shader_images, compute, doubles, int64, sample_shading, point_sprite;
};

/* ------------------------------------------------------------------------------- resources --- */

/* What the API layer keeps with a resource; destroyed before it. */
struct drv_backing {
    void (*destroy)(struct drv_backing *backing);
};

/* A buffer or image. The driver derives from it. Reference-counted: drv_resource_reference. */
struct drv_resource {
    int refcount; /* atomic */
    struct drv_screen *screen;
    enum drv_target target;
    enum drv_format format;      /* DRV_FORMAT_R8_UNORM for buffers */
    uint32_t width;              /* texels of level 0, bytes of buffers */
    uint32_t height, depth;      /* 1 where the target has none */
    uint32_t array_size;         /* layers, cube faces counted; 1 for no array */
    uint8_t last_level;          /* levels 0 … last_level */
    uint8_t nr_samples;          /* 0 or 1: single-sampled */
    uint32_t bind;               /* enum drv_bind */
    uint8_t map_flags;           /* PERSISTENT, COHERENT: may be mapped so */
    struct drv_backing *backing; /* NULL: none */
};

/* Memory that the driver did not make, in which resources may lie: the application's, or shared with
 * other processes. Reference-counted: drv_memory_reference. */
struct drv_memory {
    int refcount; /* atomic */
    uint8_t *data;
    uint64_t size; /* bytes */
    void (*destroy)(struct drv_memory *memory);
};

/* Texels, or bytes in x for buffers. z: slice of 3D, layer (cube face) of arrays. Of maps of
 * multisampled images: layer * nr_samples + sample. */
struct drv_box {
    int32_t x, y, z;
    int32_t width, height, depth;
};

/* One mapping. */
struct drv_transfer {
    struct drv_resource *resource; /* referenced */
    uint8_t level;
    uint32_t flags; /* enum drv_map_flags */
    struct drv_box box;
    uint32_t stride;       /* bytes between rows (of blocks, in compressed formats) */
    uint64_t layer_stride; /* bytes between slices or layers */
};

/* ------------------------------------------------------------------------- state objects --- */
/* Descriptions; the driver's create_* turns one into an object of its own (void *). */

struct drv_blend_state {
    bool independent; /* rt[n] for each target; else rt[0] for all */
    bool logicop_enable;
    bool alpha_to_coverage, alpha_to_one;
    uint8_t logicop_func; /* enum drv_logic_op */
    struct drv_rt_blend {
        bool blend_enable;
        uint8_t rgb_func, rgb_src_factor, rgb_dst_factor;
        uint8_t alpha_func, alpha_src_factor, alpha_dst_factor;
        uint8_t colormask; /* bit 0 red … bit 3 alpha */
    } rt[DRV_MAX_COLOR_BUFS];
};

struct drv_rasterizer_state {
    bool front_ccw; /* counterclockwise in window space (y up) is front */
    bool cull_front, cull_back;
    uint8_t fill_front, fill_back; /* enum drv_polygon_mode */
    bool offset_point, offset_line, offset_tri;
    float offset_units, offset_scale,
        offset_clamp;     /* units in r of the depth format (GL 4.6 §14.6.5) */
    uint16_t scissor;     /* bit per viewport */
    bool flatshade_first; /* provoking vertex: the first, else the last */
    bool multisample, line_smooth, line_stipple_enable, point_smooth, poly_stipple_enable,
        poly_smooth;
    uint16_t line_stipple_pattern;
    uint8_t line_stipple_factor;  /* 0 stands for 1 */
    float line_width, point_size; /* pixels */
    bool point_size_per_vertex;   /* VARYING_SLOT_PSIZ, if written */
    bool
        point_quad_rasterization; /* squares (sprites, ES, core); else GL's non-antialiased points */
    bool point_sprite_origin_upper_left;
    bool point_clip_to_viewport; /* a point is drawn as far as it reaches into the viewport, also if
                                    its center is outside (OpenGL ES); else in full, or not at all */
    bool depth_clip_near, depth_clip_far; /* false: clamped */
    bool clip_halfz;                      /* z in [0, w], else [-w, w] */
    uint8_t clip_plane_enable;            /* bit per VARYING_SLOT_CLIP_DISTn component */
    bool rasterizer_discard;
};

struct drv_stencil_face {
    bool enabled;
    uint8_t func;                        /* enum drv_compare_func */
    uint8_t fail_op, zfail_op, zpass_op; /* enum drv_stencil_op */
    uint8_t valuemask, writemask;
};

struct drv_depth_stencil_state {
    bool depth_enabled, depth_writemask;
    uint8_t depth_func;
    struct drv_stencil_face stencil[2]; /* front; back if enabled, else as front */
};

struct drv_sampler_state {
    uint8_t wrap_s, wrap_t, wrap_r; /* enum drv_tex_wrap */
    uint8_t min_filter, mag_filter; /* enum drv_tex_filter */
    uint8_t mip_filter;             /* enum drv_mip_filter */
    uint8_t reduction;              /* enum drv_tex_reduction: what becomes of a filter's texels */
    bool compare_enabled;           /* GL_COMPARE_REF_TO_TEXTURE */
    uint8_t compare_func;
    bool unnormalized_coords; /* rectangles */
    bool seamless_cube_map;
    float lod_bias, min_lod, max_lod, max_anisotropy;
    union {
        float f[4];
        int32_t i[4];
        uint32_t u[4];
    } border_color; /* in the view's component order, before its swizzle */
};

struct drv_vertex_element {
    uint32_t src_offset;        /* bytes from the vertex in its buffer */
    uint8_t vertex_buffer;      /* index of set_vertex_buffers */
    uint8_t attrib;             /* enum vert_attrib: data.location of the shader's input */
    enum drv_format src_format; /* missing components are 0, 0, 0, 1 */
    uint32_t instance_divisor;  /* 0: per vertex */
};

struct drv_sampler_view { /* by value; the driver makes its own object */
    struct drv_resource *texture;
    enum drv_format format; /* compatible with the texture's */
    enum drv_target target;
    uint8_t first_level, last_level;
    uint16_t first_layer, last_layer;
    uint32_t buffer_offset, buffer_size; /* DRV_BUFFER: bytes */
    uint8_t swizzle[4];                  /* enum drv_swizzle of components R … A, 0, 1 */
    bool sample_stencil; /* of a depth-stencil format: stencil as unsigned integers */
};

struct drv_surface {              /* one level and a range of layers to render to; by value */
    struct drv_resource *texture; /* NULL: none */
    enum drv_format format;
    uint8_t level;
    uint16_t first_layer, last_layer;
};

struct drv_stream_output { /* of a shader's outputs; in drv_shader_desc */
    unsigned num_outputs;
    uint16_t stride[DRV_MAX_SO_BUFFERS]; /* in 32-bit words */
    struct {
        uint8_t slot; /* enum varying_slot */
        uint8_t start_component, num_components;
        uint8_t buffer, stream;
        uint16_t dst_offset; /* in 32-bit words */
    } output[DRV_MAX_SO_OUTPUTS];
};

struct drv_shader_desc {
    struct nir_shader *nir;                        /* becomes the driver's, also on failure */
    const struct drv_stream_output *stream_output; /* NULL: none; copied */
};

/* --------------------------------------------------------------------------- plain state --- */

struct drv_framebuffer {
    uint32_t width, height; /* pixels; rendering is clipped to them */
    uint16_t layers;        /* 0: not layered */
    uint8_t samples;
    bool window; /* a window's buffers: what is shown has its last row on top */
    uint8_t nr_cbufs;
    struct drv_surface cbufs[DRV_MAX_COLOR_BUFS];
    struct drv_surface zsbuf;
};

struct drv_viewport { /* window = scale * ndc + translate */
    float scale[3], translate[3];
};

struct drv_scissor { /* pixels, max exclusive; empty when min >= max */
    uint16_t minx, miny, maxx, maxy;
};

struct drv_vertex_buffer {
    uint32_t stride;             /* bytes; 0: the same for all vertices */
    uint32_t offset;             /* bytes to the first vertex */
    struct drv_resource *buffer; /* NULL: user memory, or nothing bound (reads give 0, 0, 0, 1) */
    const void *user;            /* user memory at offset 0; read before draw returns */
    size_t user_size;            /* bytes of it that may be read */
};

struct drv_constant_buffer {
    struct drv_resource *buffer; /* NULL: user memory, or nothing bound */
    uint32_t offset, size;       /* bytes */
    const void *user;            /* copied when it is needed; must stay until the next set */
};

struct drv_storage_buffer {
    struct drv_resource *buffer;
    uint32_t offset, size;
};

struct drv_image_view {
    struct drv_resource *resource; /* NULL: loads and atomics give 0, stores do nothing */
    enum drv_format format;        /* of the size of the resource's */
    enum drv_target target;        /* as the shader has it: one layer of an array is no array */
    uint8_t level;
    uint16_t first_layer, last_layer;
    uint32_t buffer_offset, buffer_size; /* DRV_BUFFER: bytes */
};

union drv_color {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};

struct drv_draw_info {
    uint8_t mode;       /* enum drv_primitive */
    uint8_t index_size; /* bytes: 0 not indexed, 1, 2, 4 */
    bool primitive_restart;
    bool internal; /* pixels' rectangle: its vertices and primitives are not counted in queries */
    bool compiled; /* of a display list: quads are divided like those of indices */
    uint32_t restart_index;
    uint8_t vertices_per_patch;
    uint32_t start_instance, instance_count;
    uint32_t first_draw_id;            /* gl_DrawID of the first range */
    struct drv_resource *index_buffer; /* NULL: index_user */
    const void *index_user;            /* read before draw returns */
};

/* One of several draws that differ in nothing else. */
struct drv_draw_range {
    uint32_t start; /* first vertex, or first index */
    uint32_t count;
    int32_t index_bias;
};

struct drv_grid_info {
    uint32_t block[3], grid[3];
    struct drv_resource *indirect; /* NULL: grid counts */
    uint32_t indirect_offset;
};

/* Pixels in the caller's memory, as a source or a destination: component c (R … A) of the
 * destination's format is component swizzle[c] of the source's. */
struct drv_pixels {
    enum drv_format format;
    uint8_t swizzle[4]; /* enum drv_swizzle; X … W are R … A as the source's format has them */
    void *data;         /* of the box's first texel; only read by image_write */
    ptrdiff_t stride;   /* bytes to the next row; may be negative, need not be aligned */
    int64_t layer_stride; /* bytes to the next slice or layer */
};

struct drv_blit_info {
    struct {
        struct drv_resource *resource;
        uint8_t level;
        enum drv_format format;
        struct drv_box box; /* negative width or height: mirrored */
    } src, dst;
    uint8_t mask;   /* 1: color, 2: depth, 4: stencil */
    uint8_t filter; /* enum drv_tex_filter */
    bool scissor_enable;
    struct drv_scissor scissor;
};

union drv_query_result {
    uint64_t u64;
    bool b;
};

/* ------------------------------------------------------------------------------- screen --- */

struct drv_screen_ops {
    void (*destroy)(struct drv_screen *screen);

    /* Whether resources of that target, format and samples can be made for all of `bind`. */
    bool (*is_format_supported)(struct drv_screen *screen, enum drv_format format,
                                enum drv_target target, unsigned samples, unsigned bind);

    /* Whether images of that size can be made where there is memory: what proxies answer. */
    bool (*resource_fits)(struct drv_screen *screen, const struct drv_resource *templ);
    /* templ: all but refcount and screen. Contents are undefined (never another process's or
     * freed memory's: zero). NULL: no memory, or it does not fit. */
    struct drv_resource *(*resource_create)(struct drv_screen *screen,
                                            const struct drv_resource *templ);
    /* Bytes of memory that such a resource takes in struct drv_memory; 0: it cannot lie there. */
    uint64_t (*resource_bytes)(struct drv_screen *screen, const struct drv_resource *templ);
    /* The same as resource_create in others' memory, with what is there: resource_bytes from offset
     * on, which is a multiple of DRV_MEMORY_ALIGNMENT for images. It stays there. Images have one
     * layout in all screens of a device_id. The memory is referenced. */
    struct drv_resource *(*resource_create_in)(struct drv_screen *screen,
                                               const struct drv_resource *templ,
                                               struct drv_memory *memory, uint64_t offset);
    /* Called when the last reference goes; pending work keeps what it needs. */
    void (*resource_destroy)(struct drv_screen *screen, struct drv_resource *resource);

    /* NULL: no memory. */
    struct drv_context *(*context_create)(struct drv_screen *screen);

    /* Waits at most timeout_ns (0: polls, UINT64_MAX: forever); true when the fence has passed. */
    bool (*fence_finish)(struct drv_screen *screen, struct drv_fence *fence, uint64_t timeout_ns);
    void (*fence_reference)(struct drv_screen *screen, struct drv_fence **dst,
                            struct drv_fence *src);

    uint64_t (*get_timestamp)(struct drv_screen *screen); /* nanoseconds, monotonic */

    /* Where sample `index` of images of so many samples lies in its pixel: 0 … 1, y up; in windows
     * (struct drv_framebuffer) y is 1 less that. */
    void (*sample_position)(struct drv_screen *screen, unsigned samples, unsigned index,
                            float xy[2]);

    /* Optional. Whether the device can run a shader as the linker made it, which stays the caller's.
     * False: it exceeds a limit that caps do not tell; *error names it (malloc'ed; NULL: no memory). */
    bool (*check_shader)(struct drv_screen *screen, const struct nir_shader *nir, char **error);
};

struct drv_screen {
    const struct drv_screen_ops *ops;
    const char *name;   /* of the device: GL_RENDERER shows it */
    uint64_t device_id; /* stable; part of cache keys */
    struct drv_caps caps;
    const struct nir_shader_compiler_options *nir_options[SHADER_STAGES];
};

/* ------------------------------------------------------------------------------ context --- */

struct drv_context_ops {
    void (*destroy)(struct drv_context *ctx);

    /* State objects. create: NULL on no memory; the description is copied. bind NULL unbinds.
     * delete: never of a bound object; work that uses it may still be pending. */
    void *(*create_blend_state)(struct drv_context *ctx, const struct drv_blend_state *state);
    void (*bind_blend_state)(struct drv_context *ctx, void *state);
    void (*delete_blend_state)(struct drv_context *ctx, void *state);
    void *(*create_rasterizer_state)(struct drv_context *ctx,
                                     const struct drv_rasterizer_state *state);
    void (*bind_rasterizer_state)(struct drv_context *ctx, void *state);
    void (*delete_rasterizer_state)(struct drv_context *ctx, void *state);
    void *(*create_depth_stencil_state)(struct drv_context *ctx,
                                        const struct drv_depth_stencil_state *state);
    void (*bind_depth_stencil_state)(struct drv_context *ctx, void *state);
    void (*delete_depth_stencil_state)(struct drv_context *ctx, void *state);
    void *(*create_sampler_state)(struct drv_context *ctx, const struct drv_sampler_state *state);
    void (*bind_sampler_states)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                                unsigned count, void *const *states);
    void (*delete_sampler_state)(struct drv_context *ctx, void *state);
    void *(*create_vertex_elements)(struct drv_context *ctx, unsigned count,
                                    const struct drv_vertex_element *elements);
    void (*bind_vertex_elements)(struct drv_context *ctx, void *state);
    void (*delete_vertex_elements)(struct drv_context *ctx, void *state);
    /* Views hold a reference on their resource. */
    void *(*create_sampler_view)(struct drv_context *ctx, const struct drv_sampler_view *view);
    void (*set_sampler_views)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                              unsigned count, void *const *views);
    void (*delete_sampler_view)(struct drv_context *ctx, void *view);

    /* The stage is the NIR's. NULL: no memory, or beyond the caps (with a message in the log). */
    void *(*create_shader)(struct drv_context *ctx, const struct drv_shader_desc *desc);
    void (*bind_shader)(struct drv_context *ctx, enum shader_stage stage, void *shader);
    void (*delete_shader)(struct drv_context *ctx, enum shader_stage stage, void *shader);

    /* Plain state, copied; resources are referenced while set. */
    void (*set_framebuffer)(struct drv_context *ctx, const struct drv_framebuffer *fb);
    void (*set_viewports)(struct drv_context *ctx, unsigned first, unsigned count,
                          const struct drv_viewport *viewports);
    void (*set_scissors)(struct drv_context *ctx, unsigned first, unsigned count,
                         const struct drv_scissor *scissors);
    void (*set_vertex_buffers)(struct drv_context *ctx, unsigned count,
                               const struct drv_vertex_buffer *buffers);
    void (*set_constant_buffer)(struct drv_context *ctx, enum shader_stage stage, unsigned index,
                                const struct drv_constant_buffer *buffer); /* NULL unbinds */
    void (*set_storage_buffers)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                                unsigned count, const struct drv_storage_buffer *buffers);
    void (*set_images)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                       unsigned count, const struct drv_image_view *images);
    void (*set_blend_color)(struct drv_context *ctx, const float color[4]);
    void (*set_stencil_ref)(struct drv_context *ctx, uint8_t front, uint8_t back);
    void (*set_sample_mask)(struct drv_context *ctx, uint32_t mask);
    /* More than 1: fragment shaders run for each sample, and all inputs are interpolated there. */
    void (*set_min_samples)(struct drv_context *ctx, unsigned samples);
    void (*set_polygon_stipple)(struct drv_context *ctx,
                                const uint32_t pattern[32]); /* row 0 lowest */
    /* offsets: bytes at which to start, ~0: append. */
    void (*set_stream_output_targets)(struct drv_context *ctx, unsigned count,
                                      const struct drv_storage_buffer *targets,
                                      const uint32_t *offsets);
    /* Bytes from each target's start to where the next vertex goes. Waits for draws. */
    void (*get_stream_output_offsets)(struct drv_context *ctx,
                                      uint32_t offsets[DRV_MAX_SO_BUFFERS]);
    void (*set_patch_levels)(struct drv_context *ctx, const float outer[4], const float inner[2]);

    /* Work. It may run later and on other threads; effects are as if in order. */
    void (*draw)(struct drv_context *ctx, const struct drv_draw_info *info,
                 const struct drv_draw_range *draws, unsigned num_draws);
    void (*launch_grid)(struct drv_context *ctx,
                        const struct drv_grid_info *info); /* caps.compute */
    /* Of the bound framebuffer, ignoring scissor when NULL, color masks always. */
    void (*clear)(struct drv_context *ctx, unsigned buffers, const struct drv_scissor *scissor,
                  const union drv_color *color, double depth, unsigned stencil);
    /* Texel-wise copy between levels of formats of the same block size; no overlap. */
    void (*copy_region)(struct drv_context *ctx, struct drv_resource *dst, unsigned dst_level,
                        unsigned dst_x, unsigned dst_y, unsigned dst_z, struct drv_resource *src,
                        unsigned src_level, const struct drv_box *src_box);
    void (*blit)(struct drv_context *ctx, const struct drv_blit_info *info);
    /* Levels first+1 … last of the layers from level `first`, by a box filter (GL 4.6 §8.14.4). */
    void (*generate_mipmap)(struct drv_context *ctx, struct drv_resource *resource,
                            enum drv_format format, unsigned first_level, unsigned last_level,
                            unsigned first_layer, unsigned last_layer);

    /* Linear memory that shows the box, *transfer describing it; reading waits for pending work.
     * NULL: no memory, lost, or DONTBLOCK. */
    void *(*map)(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
                 unsigned flags, const struct drv_box *box, struct drv_transfer **transfer);
    void (*flush_region)(struct drv_context *ctx, struct drv_transfer *transfer,
                         const struct drv_box *box); /* relative to the transfer's box */
    void (*unmap)(struct drv_context *ctx, struct drv_transfer *transfer);

    /* Moves a box of a level, seen as texels of `view` (linear where the resource is sRGB), from or
     * to client memory, on all workers; done when they return. False: nothing happened, because the
     * formats want a conversion of values, or for lack of memory: the caller maps and converts. */
    bool (*image_write)(struct drv_context *ctx, struct drv_resource *resource,
                        enum drv_format view, unsigned level, const struct drv_box *box,
                        const struct drv_pixels *src);
    bool (*image_read)(struct drv_context *ctx, struct drv_resource *resource, enum drv_format view,
                       unsigned level, const struct drv_box *box, const struct drv_pixels *dst);

    void (*memory_barrier)(struct drv_context *ctx);
    void (*texture_barrier)(struct drv_context *ctx);

    struct drv_query *(*create_query)(struct drv_context *ctx, enum drv_query_type type,
                                      unsigned index);
    void (*destroy_query)(struct drv_context *ctx, struct drv_query *query);
    bool (*begin_query)(struct drv_context *ctx, struct drv_query *query); /* false: no memory */
    void (*end_query)(struct drv_context *ctx, struct drv_query *query); /* timestamps: only this */
    /* False: not there yet (wait is false). */
    bool (*get_query_result)(struct drv_context *ctx, struct drv_query *query, bool wait,
                             union drv_query_result *result);
    /* Draws, clears and blits happen only if the query passed (condition: inverted). NULL ends. */
    void (*render_condition)(struct drv_context *ctx, struct drv_query *query, bool condition,
                             bool wait);

    /* Starts all recorded work; *fence (may be NULL) passes when it is done; the caller's to drop. */
    void (*flush)(struct drv_context *ctx, struct drv_fence **fence);
    enum drv_reset_status (*reset_status)(struct drv_context *ctx);
};

struct drv_context {
    const struct drv_context_ops *ops;
    struct drv_screen *screen;
    bool
        out_of_memory; /* the driver sets it: work (a draw, clear, copy, blit, mipmaps) was not done
                           in full; the API layer takes it back */
};

/* --------------------------------------------------------------------------------- helpers --- */

/* *dst = src with reference counts; destroys what nobody refers to any more. */
static inline void drv_resource_reference(struct drv_resource **dst, struct drv_resource *src)
{
    struct drv_resource *old = *dst;
    if (old == src)
        return;
    if (src)
        __atomic_add_fetch(&src->refcount, 1, __ATOMIC_RELAXED);
    *dst = src;
    if (old && __atomic_sub_fetch(&old->refcount, 1, __ATOMIC_ACQ_REL) == 0) {
        if (old->backing)
            old->backing->destroy(old->backing);
        old->screen->ops->resource_destroy(old->screen, old);
    }
}

/* The same of memory. */
static inline void drv_memory_reference(struct drv_memory **dst, struct drv_memory *src)
{
    struct drv_memory *old = *dst;
    if (old == src)
        return;
    if (src)
        __atomic_add_fetch(&src->refcount, 1, __ATOMIC_RELAXED);
    *dst = src;
    if (old && __atomic_sub_fetch(&old->refcount, 1, __ATOMIC_ACQ_REL) == 0)
        old->destroy(old);
}

/* Size of a level's dimension. */
static inline uint32_t drv_minify(uint32_t size, unsigned level)
{
    size >>= level;
    return size ? size : 1;
}

/* The drivers of this tree. NULL: no memory or not usable on this machine. */
struct drv_screen *cpu_screen_create(void);
/* The driver of that name ("cpu", "i965", "noop"); an unknown name is reported and gives the
 * default. */
struct drv_screen *drv_screen_create(const char *name);

#endif
