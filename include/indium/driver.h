/* SPDX-License-Identifier: MIT */
/*
 * The driver interface: the functions that a driver provides to the API layer (src/gl). It follows
 * the ideas of Gallium, but uses plain structs.
 *
 * A driver implements all functions of drv_screen_ops and drv_context_ops. A function pointer may
 * be NULL only if its comment says so. Unsupported features are reported through struct drv_caps;
 * the API layer then never calls the corresponding function.
 *
 * The API layer validates all arguments against the GL specification, the caps and the supported
 * formats, so a driver may trust them. A driver must not trust the contents of buffers and shaders:
 * the indices, offsets and loop counts in them come from the application.
 *
 * Threads: any number of threads may use a screen at once. Only one thread at a time may use a
 * context. The contexts of a screen share its resources; flushes and fences order work between
 * contexts, as in GL.
 *
 * Coordinates: the origin of window space is at the lower left (GL). Row 0 of a resource is the row
 * at y = 0. src/target flips the image when it presents a window.
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

/* ----------------------------------------------------------------------------- enumerations --- */

/* Primitive types; the values equal the GL enums (GL_POINTS and so on). */
enum drv_primitive {
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

/* Comparison functions; the value is the GL enum minus GL_NEVER. */
enum drv_compare_func {
    DRV_FUNC_NEVER,
    DRV_FUNC_LESS,
    DRV_FUNC_EQUAL,
    DRV_FUNC_LEQUAL,
    DRV_FUNC_GREATER,
    DRV_FUNC_NOTEQUAL,
    DRV_FUNC_GEQUAL,
    DRV_FUNC_ALWAYS,
};

/* Stencil operations (GL 4.6 §17.3.3); stencil values have 8 bits. */
enum drv_stencil_op {
    DRV_STENCIL_KEEP,
    DRV_STENCIL_ZERO,
    DRV_STENCIL_REPLACE,
    DRV_STENCIL_INCR, /* clamps to 255 */
    DRV_STENCIL_DECR, /* clamps to 0 */
    DRV_STENCIL_INCR_WRAP,
    DRV_STENCIL_DECR_WRAP,
    DRV_STENCIL_INVERT,
};

/* Blend equations (GL 4.6 §17.3.6.1). */
enum drv_blend_func {
    DRV_BLEND_ADD,
    DRV_BLEND_SUBTRACT,         /* src - dst */
    DRV_BLEND_REVERSE_SUBTRACT, /* dst - src */
    DRV_BLEND_MIN,
    DRV_BLEND_MAX,
};

/* Blend factors; INV means 1 minus the value. SRC1 is the second color of dual-source blending. */
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

/* Logic operations; the value is the GL enum minus GL_CLEAR. */
enum drv_logic_op {
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

/* How polygons are drawn (glPolygonMode). */
enum drv_polygon_mode { DRV_POLYGON_FILL, DRV_POLYGON_LINE, DRV_POLYGON_POINT };

/* Wrap modes of texture coordinates (GL 4.6 §8.14.2). */
enum drv_tex_wrap {
    DRV_WRAP_REPEAT,
    DRV_WRAP_CLAMP, /* GL_CLAMP: clamps to [0, 1], so linear filters blend in the border */
    DRV_WRAP_CLAMP_TO_EDGE,
    DRV_WRAP_CLAMP_TO_BORDER,
    DRV_WRAP_MIRROR_REPEAT,
    DRV_WRAP_MIRROR_CLAMP,
    DRV_WRAP_MIRROR_CLAMP_TO_EDGE,
    DRV_WRAP_MIRROR_CLAMP_TO_BORDER,
};

/* Minification or magnification filter. */
enum drv_tex_filter { DRV_FILTER_NEAREST, DRV_FILTER_LINEAR };
/* How the texels of a filter footprint are combined (GL_TEXTURE_REDUCTION_MODE). */
enum drv_tex_reduction { DRV_REDUCTION_AVERAGE, DRV_REDUCTION_MIN, DRV_REDUCTION_MAX };
/* How levels are selected. NONE: only the base level is sampled. */
enum drv_mip_filter { DRV_MIP_NONE, DRV_MIP_NEAREST, DRV_MIP_LINEAR };

/* Type of a resource. */
enum drv_target {
    DRV_BUFFER,
    DRV_TEXTURE_1D,
    DRV_TEXTURE_2D,
    DRV_TEXTURE_3D,
    DRV_TEXTURE_CUBE, /* array_size is 6 */
    DRV_TEXTURE_RECT,
    DRV_TEXTURE_1D_ARRAY,
    DRV_TEXTURE_2D_ARRAY,
    DRV_TEXTURE_CUBE_ARRAY, /* array_size is 6 times the number of cubes */
};

/* Bits of a mask of the uses of a resource; is_format_supported takes such a mask, too. */
enum drv_bind {
    DRV_BIND_VERTEX_BUFFER = 1 << 0,
    DRV_BIND_INDEX_BUFFER = 1 << 1,
    DRV_BIND_CONSTANT_BUFFER = 1 << 2,
    DRV_BIND_STORAGE_BUFFER = 1 << 3,
    DRV_BIND_STREAM_OUTPUT = 1 << 4, /* transform feedback */
    DRV_BIND_INDIRECT = 1 << 5,      /* parameters of indirect dispatches */
    DRV_BIND_SAMPLER_VIEW = 1 << 6,
    DRV_BIND_RENDER_TARGET = 1 << 7,
    DRV_BIND_DEPTH_STENCIL = 1 << 8,
    DRV_BIND_IMAGE = 1 << 9,
    DRV_BIND_BLENDABLE = 1 << 10,  /* blending; only in is_format_supported */
    DRV_BIND_FILTERABLE = 1 << 11, /* linear filtering; only in is_format_supported */
    DRV_BIND_DISPLAY = 1 << 12,    /* color buffer of a window */
};

/* Bits of the flags of drv_context_ops.map. */
enum drv_map_flags {
    DRV_MAP_READ = 1 << 0,
    DRV_MAP_WRITE = 1 << 1,
    DRV_MAP_DISCARD_RANGE = 1 << 2, /* the old contents of the box are not needed */
    /* The old contents of the resource are not needed; the driver may give it new storage instead
     * of waiting. */
    DRV_MAP_DISCARD_WHOLE = 1 << 3,
    DRV_MAP_UNSYNCHRONIZED = 1 << 4, /* never waits; the caller synchronizes accesses */
    DRV_MAP_PERSISTENT = 1 << 5,     /* commands may use the resource while it is mapped */
    DRV_MAP_COHERENT = 1 << 6,       /* writes become visible without memory_barrier */
    DRV_MAP_FLUSH_EXPLICIT = 1 << 7, /* only ranges passed to flush_region are written */
    DRV_MAP_DONTBLOCK = 1 << 8,      /* map returns NULL instead of waiting */
};

/* Bits of the mask of buffers for drv_context_ops.clear. */
enum drv_clear_buffers {
    DRV_CLEAR_COLOR0 = 1 << 0, /* color buffer 0; DRV_CLEAR_COLOR0 << n is color buffer n */
    DRV_CLEAR_DEPTH = 1 << 8,
    DRV_CLEAR_STENCIL = 1 << 9,
};

/* What a query counts or records, and the unit of its result. */
enum drv_query_type {
    DRV_QUERY_OCCLUSION_COUNTER,   /* samples that pass the depth and stencil tests */
    DRV_QUERY_OCCLUSION_PREDICATE, /* whether any sample passes */
    DRV_QUERY_TIMESTAMP,           /* nanoseconds, on the clock of get_timestamp */
    DRV_QUERY_TIME_ELAPSED,        /* nanoseconds */
    /* These three queries count for one vertex stream; the index is its number. */
    DRV_QUERY_PRIMITIVES_GENERATED, /* primitives that leave the last stage before rasterization */
    DRV_QUERY_PRIMITIVES_EMITTED,   /* primitives written by transform feedback */
    DRV_QUERY_SO_OVERFLOW,          /* whether a primitive didn't fit in transform feedback */
    DRV_QUERY_SO_OVERFLOW_ANY,      /* whether that occurred in any stream; the index is unused */
    DRV_QUERY_STATISTIC,            /* a statistics counter; the index is an enum drv_statistic */
};

/* Pipeline statistics counters (GL 4.6 §4.2, ARB_pipeline_statistics_query). */
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
    /* These two count invocations in dispatches that have them as drv_grid_info.statistic. */
    DRV_STAT_TASK_INVOCATIONS,
    DRV_STAT_MESH_INVOCATIONS,
    /* Primitives of draws with drv_draw_info.mesh, except those that are culled or clipped away. */
    DRV_STAT_MESH_PRIMITIVES,
    DRV_STAT_COUNT,
};

/* Return values of glGetGraphicsResetStatus: no reset, or a reset caused by this context (GUILTY),
 * by another one (INNOCENT) or by something unknown. */
enum drv_reset_status { DRV_NO_RESET, DRV_GUILTY_RESET, DRV_INNOCENT_RESET, DRV_UNKNOWN_RESET };

/* --------------------------------------------------------------------------- capabilities --- */

/* Limits of one shader stage. */
struct drv_stage_caps {
    bool supported;
    unsigned max_const_buffers;     /* including buffer 0, the default uniform block */
    unsigned max_const_buffer_size; /* bytes */
    unsigned max_samplers, max_images, max_storage_buffers;
};

/* Limits and features of a device. The driver fills them in when it creates the screen; they never
 * change afterwards. A feature that is false or a limit of 0 means "not supported". Limits without
 * a comment are those of the GL constant with a similar name (GL 4.6, chapter 23). Features without
 * a comment allow what their name says: a field, function or value of this header, or a function of
 * shaders. src/gl/api/gl_extensions.py lists the extensions that need them. */
struct drv_caps {
    struct drv_stage_caps stage[SHADER_STAGE_COUNT];
    unsigned max_texture_2d_size, max_texture_3d_size, max_texture_cube_size; /* texels */
    unsigned max_texture_array_layers, max_texture_buffer_texels;
    uint32_t max_buffer_size; /* bytes of a DRV_BUFFER resource */
    unsigned max_render_targets, max_dual_source_render_targets, max_viewports;
    unsigned max_views;                /* views of a draw (drv_draw_info); 0 or 1: no multiview */
    unsigned max_samples;              /* 0 or 1: no multisampling */
    unsigned max_varyings;             /* vec4 slots for user-defined varyings */
    unsigned max_vertex_attrib_stride; /* bytes */
    /* Sizes and widths in pixels, the anisotropy as a ratio, the bias in levels. */
    float max_point_size, max_line_width, max_anisotropy, max_lod_bias;
    unsigned subpixel_bits;     /* fractional bits of window coordinates */
    unsigned max_subpixel_bias; /* maximum of drv_rasterizer_state.subpixel_bias */
    unsigned constant_buffer_offset_alignment, storage_buffer_offset_alignment,
        texture_buffer_offset_alignment, min_map_alignment; /* bytes */
    /* Numbers of workgroups or invocations; the shared memory is in bytes. */
    unsigned max_compute_workgroup_count[3], max_compute_workgroup_size[3],
        max_compute_workgroup_invocations, max_compute_shared_memory;
    unsigned subgroup_size; /* invocations per subgroup in every stage; 0: no subgroups */
    /* Transform feedback buffers, and 32-bit components per vertex in each of them. */
    unsigned max_stream_output_buffers, max_stream_output_components;
    unsigned max_gs_output_vertices, max_gs_total_output_components, max_gs_invocations;
    int min_texel_offset, max_texel_offset, min_gather_offset, max_gather_offset;
    /* vertex_shader_layer_viewport: not only geometry shaders, but also vertex and tessellation
     * shaders can write VARYING_SLOT_LAYER and VARYING_SLOT_VIEWPORT. */
    bool vertex_shader_layer_viewport, primitive_restart, instance_divisor, base_instance;
    bool depth_clamp, polygon_offset_clamp, clip_halfz;
    bool depth_bounds_test;
    /* Shaders can read the color buffers they draw to, in primitive order. */
    bool framebuffer_fetch;
    bool zs_fetch;         /* shaders can read the depth and stencil values of their pixel */
    bool sample_locations; /* sample positions can be changed (set_sample_locations) */
    bool stencil_export;   /* fragment shaders can write stencil values */
    bool sampler_reduction, post_depth_coverage;
    bool alpha_to_coverage_dither;
    /* Critical sections of fragment shaders run in primitive order where fragments overlap. */
    bool fragment_interlock;
    /* Fragment shaders can read VARYING_SLOT_BARY_COORD, its linear form, and inputs of single
     * vertices. */
    bool barycentrics;
    bool conservative_raster; /* drv_rasterizer_state.conservative */
    bool viewport_mask;       /* shaders select several viewports per primitive */
    bool compute_derivatives; /* derivatives in compute shaders */
    bool half_floats;         /* uniform and storage blocks may contain half floats */
    bool bindless_textures;   /* shaders access textures and images through handles */
    bool atomic_int64;        /* 64-bit integer atomics on storage buffers and shared memory */
    /* With drv_blend_state.independent, color buffers can differ in blend_enable and colormask
     * (indep_blend_enable), and in functions and factors (indep_blend_func). */
    bool indep_blend_enable, indep_blend_func, dual_source_blend, blend_minmax;
    bool seamless_cube_map, texture_swizzle, texture_shadow, cube_map_array, texture_gather,
        texture_query_lod, texture_multisample, texture_buffer_objects, texture_rect;
    /* stream_output_pause: transform feedback can be stopped and later append to its targets. */
    bool occlusion_query, timer_query, statistics_query, conditional_render, stream_output_pause;
    /* quads_follow_provoking_vertex: flatshade_first applies to quads, too. */
    bool flatshade_first, quads_follow_provoking_vertex;
    bool shader_storage, shader_images, compute, doubles, int64, sample_shading, point_sprite;
    /* Sparse images, and shaders that determine whether texels are committed. */
    bool sparse_texture;
};

/* ------------------------------------------------------------------------------- resources --- */

/* Data that the API layer attaches to a resource, which owns it. Embed it in a larger struct.
 * `destroy` is called just before the resource is destroyed. */
struct drv_backing {
    void (*destroy)(struct drv_backing *backing);
};

/* A buffer or image. Drivers embed it as the first member of their own struct. It is
 * reference-counted with drv_resource_reference. */
struct drv_resource {
    int refcount; /* atomic */
    struct drv_screen *screen;
    enum drv_target target;
    enum drv_format format; /* buffers: DRV_FORMAT_R8_UNORM */
    uint32_t width;         /* texels of level 0; buffers: bytes */
    uint32_t height, depth; /* texels of level 0; 1 if the target lacks the dimension */
    uint32_t array_size;    /* layers, six per cube; 1 if the target is not an array */
    uint8_t last_level;     /* the levels are 0 … last_level */
    uint8_t nr_samples;     /* 0 or 1: single-sampled */
    uint32_t bind;          /* mask of enum drv_bind */
    /* True: the image is created without committed pages (page_commitment). Uncommitted texels read
     * as zeros, and writes to them are dropped. Only if the format has a sparse_page_size. */
    bool sparse;
    /* Set by the driver if `sparse` is true: number of levels, from level 0, whose pages are
     * committed one by one. The other levels are committed as a whole. */
    uint8_t sparse_levels;
    /* DRV_MAP_PERSISTENT and DRV_MAP_COHERENT: such mappings are allowed. With DRV_MAP_PERSISTENT,
     * the driver must not replace the storage. */
    uint8_t map_flags;
    struct drv_backing *backing; /* the API layer's data, or NULL; atomic */
};

/* Memory that the driver did not allocate and in which resources can be placed, for example memory
 * of the application or shared with other processes. It is reference-counted with
 * drv_memory_reference. */
struct drv_memory {
    int refcount; /* atomic */
    uint8_t *data;
    uint64_t size;                              /* bytes */
    void (*destroy)(struct drv_memory *memory); /* called when the last reference is dropped */
};

/* A region of a level in texels; for buffers, x and width are in bytes. z is the slice of a 3D
 * texture or the layer of an array; each cube face is a layer. When a multisampled image is mapped,
 * z is layer * nr_samples + sample. */
struct drv_box {
    int64_t x;
    int32_t y, z;
    int64_t width;
    int32_t height, depth;
};

/* A mapping returned by drv_context_ops.map; valid until unmap. */
struct drv_transfer {
    struct drv_resource *resource; /* referenced */
    uint8_t level;
    uint32_t flags; /* mask of enum drv_map_flags */
    struct drv_box box;
    uint32_t stride;       /* bytes between rows; compressed formats: between rows of blocks */
    uint64_t layer_stride; /* bytes between slices or layers */
};

/* ------------------------------------------------------------------------- state objects --- */
/* Descriptions that the create_* functions of drv_context_ops take. */

/* Blending, logic operation, color write masks and alpha to coverage. */
struct drv_blend_state {
    bool independent; /* true: rt[n] applies to color buffer n; false: rt[0] applies to all */
    /* Disables blending. logicop_func applies, except to float and sRGB formats, which are written
     * without blending or logic operation. */
    bool logicop_enable;
    bool alpha_to_coverage, alpha_to_one;
    /* The conversion of alpha to coverage differs between neighboring pixels. */
    bool alpha_to_coverage_dither;
    uint8_t logicop_func; /* enum drv_logic_op */
    struct drv_rt_blend {
        bool blend_enable;
        /* Functions are enum drv_blend_func, factors are enum drv_blend_factor. */
        uint8_t rgb_func, rgb_src_factor, rgb_dst_factor;
        uint8_t alpha_func, alpha_src_factor, alpha_dst_factor;
        uint8_t colormask; /* components that are written; bit 0: red, … bit 3: alpha */
    } rt[DRV_MAX_COLOR_BUFS];
};

/* State of primitive assembly, clipping and rasterization. */
struct drv_rasterizer_state {
    bool front_ccw; /* counterclockwise polygons are front-facing (window space, y up) */
    bool cull_front, cull_back;
    uint8_t fill_front, fill_back; /* enum drv_polygon_mode */
    /* Polygon offset (GL 4.6 §14.6.5). offset_point, offset_line, offset_tri: it applies to
     * polygons drawn as points, as lines, or filled. offset_scale: factor of the slope.
     * offset_clamp 0: no limit. */
    bool offset_point, offset_line, offset_tri;
    float offset_units, offset_scale, offset_clamp;
    uint16_t scissor;     /* bit n enables the scissor test for viewport n */
    bool flatshade_first; /* true: the first vertex is the provoking vertex; false: the last */
    bool multisample, line_smooth, line_stipple_enable, point_smooth, poly_stipple_enable,
        poly_smooth;
    uint16_t line_stipple_pattern;
    uint16_t line_stipple_factor; /* repeat count of each pattern bit; 0 means 1 */
    float line_width, point_size; /* pixels */
    bool point_size_per_vertex;   /* VARYING_SLOT_PSIZ, if written, replaces point_size */
    /* True: points are squares (point sprites, ES, core profile). False: GL's non-antialiased
     * points. */
    bool point_quad_rasterization;
    bool point_sprite_origin_upper_left;
    /* True: draws the part of a point inside the viewport even if its center is outside (OpenGL
     * ES). False: draws the whole point, or nothing if its center is outside. */
    bool point_clip_to_viewport;
    /* A primitive covers each pixel that it touches, and all samples of that pixel. Smoothing and
     * line stipple don't apply. Points are circles unless point_quad_rasterization is true. Only if
     * caps.conservative_raster is true. */
    bool conservative;
    /* INTEL_conservative_rasterization, only if `conservative` is true. Polygons are enlarged by
     * 1/512 pixel in x and y, and polygons without area are drawn. With sample shading,
     * gl_SampleMaskIn has all covered samples of the pixel in each invocation. */
    bool conservative_expand;
    /* Fractional bits of window x and y of conservatively rasterized primitives, in addition to
     * caps.subpixel_bits; at most caps.max_subpixel_bias. Large primitives may have fewer. */
    uint8_t subpixel_bias[2];
    bool depth_clip_near, depth_clip_far; /* false: depth is clamped instead */
    bool clip_halfz;                      /* z is clipped to [0, w] instead of [-w, w] */
    uint8_t clip_plane_enable;            /* bit n enables gl_ClipDistance[n] */
    bool rasterizer_discard;
};

/* The stencil test of one face. */
struct drv_stencil_face {
    bool enabled;
    uint8_t func;                        /* enum drv_compare_func */
    uint8_t fail_op, zfail_op, zpass_op; /* enum drv_stencil_op */
    uint8_t valuemask, writemask;
};

/* Depth, depth bounds and stencil tests. */
struct drv_depth_stencil_state {
    bool depth_enabled, depth_writemask; /* depth is written only if both are true */
    uint8_t depth_func;                  /* enum drv_compare_func */
    /* Discards samples whose stored depth is outside of [depth_bounds_min, depth_bounds_max],
     * before the stencil test. The bounds are converted like depths of fragments. */
    bool depth_bounds_test;
    float depth_bounds_min, depth_bounds_max;
    /* [0] applies to front faces, [1] to back faces. If [1] is not enabled, [0] applies to both. If
     * [0] is not enabled, there is no stencil test. */
    struct drv_stencil_face stencil[2];
};

/* How texels are selected and filtered. */
struct drv_sampler_state {
    uint8_t wrap_s, wrap_t, wrap_r; /* enum drv_tex_wrap */
    uint8_t min_filter, mag_filter; /* enum drv_tex_filter */
    uint8_t mip_filter;             /* enum drv_mip_filter */
    uint8_t reduction;              /* enum drv_tex_reduction */
    bool compare_enabled;           /* GL_COMPARE_REF_TO_TEXTURE */
    uint8_t compare_func;           /* enum drv_compare_func */
    bool unnormalized_coords;       /* coordinates are in texels (rectangle textures) */
    bool seamless_cube_map;
    /* sRGB formats are filtered without decoding; fetches by texel index decode nevertheless. */
    bool skip_srgb_decode;
    /* lod_bias, min_lod and max_lod are levels; max_anisotropy is a ratio, 1: isotropic. */
    float lod_bias, min_lod, max_lod, max_anisotropy;
    union {
        float f[4];
        int32_t i[4];
        uint32_t u[4];
    } border_color; /* R, G, B, A of the view's format, before the view's swizzle */
};

/* Where a vertex shader input is read from. */
struct drv_vertex_element {
    uint32_t src_offset;        /* bytes from the start of the vertex in its buffer */
    uint8_t vertex_buffer;      /* index into the buffers of set_vertex_buffers */
    uint8_t attrib;             /* enum vert_attrib, the data.location of the shader input */
    enum drv_format src_format; /* missing components are filled from (0, 0, 0, 1) */
    uint32_t instance_divisor;  /* number of instances that use an element; 0: one per vertex */
};

/* A view of a texture for sampling. The view references the texture. Ranges of levels and layers
 * include both ends. */
struct drv_sampler_view {
    struct drv_resource *texture;
    enum drv_format format; /* compatible with the texture's format */
    enum drv_target target; /* target of the sampler; may differ from the texture's */
    uint8_t first_level, last_level;
    uint16_t first_layer, last_layer;
    uint32_t buffer_offset, buffer_size; /* bytes; only for DRV_BUFFER */
    uint8_t swizzle[4];                  /* enum drv_swizzle for each of R, G, B, A */
    /* True: sampling a depth-stencil format returns its stencil as unsigned integers. */
    bool sample_stencil;
};

/* A render target: one level and the layers first_layer … last_layer, both included. */
struct drv_surface {
    struct drv_resource *texture; /* NULL: no buffer is attached */
    enum drv_format format;
    uint8_t level;
    uint16_t first_layer, last_layer;
};

/* Transform feedback layout: the outputs of a shader that are written, and where. */
struct drv_stream_output {
    unsigned num_outputs;
    uint16_t stride[DRV_MAX_SO_BUFFERS]; /* bytes per vertex in each target */
    struct {
        uint8_t slot; /* enum varying_slot */
        uint8_t start_component, num_components;
        uint8_t buffer, stream; /* index of the target, vertex stream */
        bool half;              /* floats are stored as half floats */
        uint16_t dst_offset;    /* bytes from the start of the vertex */
    } output[DRV_MAX_SO_OUTPUTS];
};

/* Parameters of create_shader. */
struct drv_shader_desc {
    struct nir_shader *nir; /* the driver takes ownership, even on failure */
    /* Copied by the driver. NULL if the shader has no transform feedback. */
    const struct drv_stream_output *stream_output;
};

/* ----------------------------------------------------------------------- immediate state --- */

/* The buffers that draws and clears write to. */
struct drv_framebuffer {
    uint32_t width, height; /* pixels; rendering is clipped to this size */
    uint16_t layers;        /* 0: not a layered framebuffer */
    uint8_t samples;        /* 0 or 1: single-sampled */
    bool window;            /* it belongs to a window, which shows its last row at the top */
    uint8_t nr_cbufs;       /* number of elements of cbufs in use */
    struct drv_surface cbufs[DRV_MAX_COLOR_BUFS];
    struct drv_surface zsbuf; /* depth and stencil buffer */
};

/* Viewport transform: window = scale * ndc + translate, in x, y (pixels) and z (depth). */
struct drv_viewport {
    float scale[3], translate[3];
};

/* A scissor rectangle in pixels. The maximum is exclusive, so the rectangle is empty if minx >=
 * maxx or miny >= maxy. */
struct drv_scissor {
    uint16_t minx, miny, maxx, maxy;
};

/* A buffer or client memory that vertex elements are read from. */
struct drv_vertex_buffer {
    uint32_t stride;             /* bytes between vertices; 0: all read the same element */
    uint32_t offset;             /* bytes from the start of the buffer to the first vertex */
    struct drv_resource *buffer; /* NULL: `user` is read; if that is NULL, reads yield 0, 0, 0, 1 */
    const void *user;            /* client memory at offset 0; `draw` reads it before it returns */
    size_t user_size;            /* bytes of client memory that may be read */
};

/* The contents of a uniform block. */
struct drv_constant_buffer {
    struct drv_resource *buffer; /* NULL: `user` is read; if both are NULL, there is no buffer */
    uint32_t offset, size;       /* bytes; offset from the start of `buffer` or `user` */
    /* Memory that stays valid until the slot is set again. Set the slot again after changing it. */
    const void *user;
};

/* A range of a buffer: a storage block or a transform feedback target. */
struct drv_storage_buffer {
    struct drv_resource *buffer; /* NULL: unbound */
    uint32_t offset, size;       /* bytes */
};

/* A level of a texture, or a range of a buffer, for image loads, stores and atomics. */
struct drv_image_view {
    struct drv_resource *resource; /* NULL: loads and atomics return 0, stores are ignored */
    enum drv_format format;        /* same texel size as the format of the resource */
    enum drv_target target;        /* target of the image variable */
    uint8_t level;
    uint16_t first_layer, last_layer;    /* may be only some of the resource's layers */
    uint32_t buffer_offset, buffer_size; /* bytes; only for DRV_BUFFER */
};

/* A color R, G, B, A: floats, or integers for pure integer formats. */
union drv_color {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};

/* What the draws of a multi-draw have in common. */
struct drv_draw_info {
    uint8_t mode;           /* enum drv_primitive */
    uint8_t index_size;     /* bytes per index: 0 (not indexed), 1, 2 or 4 */
    bool primitive_restart; /* an index equal to restart_index starts a new primitive */
    bool internal;          /* a draw by the API layer; only sample and fragment queries count it */
    bool compiled;          /* a draw of a display list; quads are split as in indexed draws */
    /* True for a draw of the output of mesh shaders. Statistics count its primitives as
     * DRV_STAT_MESH_PRIMITIVES, but not its submitted vertices and primitives or its vertex shader
     * invocations. DRV_QUERY_PRIMITIVES_GENERATED doesn't count its primitives. */
    bool mesh;
    /* An earlier draw belongs to the same GL command (glMultiDrawArrays …). If the driver stopped
     * the earlier draw (drv_context.stopped), it skips this draw. */
    bool continues;
    uint32_t restart_index;
    uint8_t vertices_per_patch; /* only for DRV_PRIM_PATCHES */
    uint32_t start_instance, instance_count;
    uint32_t first_draw_id; /* gl_DrawID of range 0; that of range i is larger by i */
    /* Number of views: the draw is executed once per view, and load_view_index returns the view's
     * index. 0 means 1. */
    uint32_t num_views;
    struct drv_resource *index_buffer; /* NULL: the indices are at index_user */
    const void *index_user;            /* client memory; `draw` reads it before it returns */
};

/* One draw of a multi-draw; the draws differ only in these fields. */
struct drv_draw_range {
    uint32_t start;     /* first vertex; in indexed draws, offset of the first index, in indices */
    uint32_t count;     /* vertices or indices */
    int32_t index_bias; /* added to each index (base vertex) */
};

/* A compute dispatch. */
struct drv_grid_info {
    uint32_t block[3], grid[3];    /* invocations per workgroup; numbers of workgroups */
    struct drv_resource *indirect; /* buffer with the numbers of workgroups; NULL: in `grid` */
    uint32_t indirect_offset;      /* byte offset of the three 32-bit counts in `indirect` */
    /* enum drv_statistic that counts the invocations; 0: DRV_STAT_CS_INVOCATIONS */
    uint8_t statistic;
};

struct util_conversion; /* util/format_convert.h */

/* Pixels in the caller's memory, the source of image_write or the destination of image_read.
 * Component c (R, G, B, A) of the destination gets component swizzle[c] of the source. */
struct drv_pixels {
    enum drv_format format;
    uint8_t swizzle[4]; /* enum drv_swizzle; X … W select R … A of the source format */
    /* Conversion from these pixels to texels of the view (image_write), or from texels to these
     * pixels (image_read); borrowed. NULL: `format` and `swizzle` describe it. */
    const struct util_conversion *conversion;
    void *data;           /* first texel of the box; image_write only reads from it */
    ptrdiff_t stride;     /* bytes between rows; may be negative, need not be aligned */
    int64_t layer_stride; /* bytes between slices or layers */
};

/* A box that may exceed the level and whose size may exceed 32 bits. A negative width or height
 * mirrors. */
struct drv_blit_box {
    int32_t x, y, z;
    int64_t width, height;
    int32_t depth;
};

/* A blit. The boxes determine the scale and offset in x and y, even if they exceed the levels. z is
 * not scaled: as many layers or slices are copied as the smaller depth says. Pixels of dst whose
 * center maps outside the level of src are not written. The format of dst is not compressed. */
struct drv_blit_info {
    struct {
        struct drv_resource *resource;
        uint8_t level;
        enum drv_format format;
        struct drv_blit_box box;
    } src, dst;
    uint8_t mask; /* buffers to copy: 1: color, 2: depth, 4: stencil */
    /* enum drv_tex_filter; LINEAR has an effect only on colors that are not pure integers. */
    uint8_t filter;
    bool scissor_enable;
    struct drv_scissor scissor; /* in pixels of dst */
};

/* The result of a query: b for predicates and overflow queries, u64 for all other types. */
union drv_query_result {
    uint64_t u64;
    bool b;
};

/* ------------------------------------------------------------------------------- screen --- */

/* Functions of a screen. Any thread may call them. */
struct drv_screen_ops {
    /* Destroys a screen, whose contexts and resources must be destroyed before. */
    void (*destroy)(struct drv_screen *screen);

    /* Returns whether resources of this target, format and sample count support all uses in the
     * mask `bind` (enum drv_bind). */
    bool (*is_format_supported)(struct drv_screen *screen, enum drv_format format,
                                enum drv_target target, unsigned samples, unsigned bind);

    /* Returns whether an image of this size is within the driver's limits, regardless of free
     * memory. Proxy textures use it. */
    bool (*resource_fits)(struct drv_screen *screen, const struct drv_resource *templ);
    /* Creates a resource from `templ`, in which refcount and screen are ignored. The caller gets
     * the only reference. The contents are undefined, but never data of other processes or of freed
     * memory. Returns NULL if there is no memory or the resource exceeds the limits. */
    struct drv_resource *(*resource_create)(struct drv_screen *screen,
                                            const struct drv_resource *templ);
    /* Returns the number of bytes that a resource like `templ` occupies in a struct drv_memory, or
     * 0 if it cannot be placed there. */
    uint64_t (*resource_bytes)(struct drv_screen *screen, const struct drv_resource *templ);
    /* Creates a resource that occupies resource_bytes() bytes of `memory` from the byte `offset`
     * and has their current contents. The caller gets the only reference. The offset of an image is
     * a multiple of DRV_MEMORY_ALIGNMENT. The resource references the memory and always stays in
     * it. An image has the same layout in all screens with the same device_id. Returns NULL if
     * there is no memory. */
    struct drv_resource *(*resource_create_in)(struct drv_screen *screen,
                                               const struct drv_resource *templ,
                                               struct drv_memory *memory, uint64_t offset);
    /* Stores in `size` the width, height and depth in texels of the pages of sparse images with
     * these parameters. Returns false if such images can't be sparse. The pointer is NULL without
     * caps.sparse_texture. */
    bool (*sparse_page_size)(struct drv_screen *screen, enum drv_format format,
                             enum drv_target target, unsigned samples, uint32_t size[3]);
    /* Destroys a resource; called when its last reference is dropped. Pending work keeps the
     * storage that it needs. */
    void (*resource_destroy)(struct drv_screen *screen, struct drv_resource *resource);

    /* Creates a context. Returns NULL if there is no memory. */
    struct drv_context *(*context_create)(struct drv_screen *screen);

    /* Waits up to timeout_ns nanoseconds for the fence (0: does not wait, UINT64_MAX: no timeout).
     * Returns whether the fence has been signaled. */
    bool (*fence_finish)(struct drv_screen *screen, struct drv_fence *fence, uint64_t timeout_ns);
    /* Makes *dst reference src and drops the old reference; src may be NULL. */
    void (*fence_reference)(struct drv_screen *screen, struct drv_fence **dst,
                            struct drv_fence *src);

    /* Returns the time of the device's monotonic clock in nanoseconds. */
    uint64_t (*get_timestamp)(struct drv_screen *screen);

    /* Stores the position of sample `index` of a pixel with `samples` samples: x and y in [0, 1),
     * relative to the lower left corner of the pixel. `window` selects the positions in
     * framebuffers of windows (drv_framebuffer.window), which may differ from those in other
     * framebuffers. */
    void (*sample_position)(struct drv_screen *screen, unsigned samples, unsigned index,
                            bool window, float xy[2]);

    /* Returns whether the device can run a linked shader, which remains the caller's. If the shader
     * exceeds a limit that the caps do not express, returns false and sets *error to a message that
     * the caller must free(), or to NULL if there is no memory. The pointer check_shader may be
     * NULL; the device can then run all shaders. */
    bool (*check_shader)(struct drv_screen *screen, const struct nir_shader *nir, char **error);
};

/* A device. Drivers embed it as the first member of their own struct. */
struct drv_screen {
    const struct drv_screen_ops *ops;
    const char *name;   /* device name, shown in GL_RENDERER */
    uint64_t device_id; /* identifies the device across processes; part of cache keys */
    struct drv_caps caps;
    /* Options, by stage, for the compilers that create the NIR of shaders. */
    const struct nir_shader_compiler_options *nir_options[SHADER_STAGE_COUNT];
};

/* ------------------------------------------------------------------------------ context --- */

/* Functions of a context. One thread at a time may call them. */
struct drv_context_ops {
    /* Executes the recorded work, waits for it, and destroys the context. The caller has deleted
     * the context's objects before. */
    void (*destroy)(struct drv_context *ctx);

    /* State objects. create_* copies the description and returns an opaque object, or NULL if there
     * is no memory. bind_* with NULL unbinds. The caller never deletes a bound object, but commands
     * that the driver has not executed yet may use a deleted one. */
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
    /* Sampler states and sampler views are bound to the slots first … first + count - 1 of a stage.
     * A NULL element unbinds its slot; a NULL array unbinds all of them. */
    void *(*create_sampler_state)(struct drv_context *ctx, const struct drv_sampler_state *state);
    void (*bind_sampler_states)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                                unsigned count, void *const *states);
    void (*delete_sampler_state)(struct drv_context *ctx, void *state);
    /* elements has `count` elements, one for each attribute, in any order. */
    void *(*create_vertex_elements)(struct drv_context *ctx, unsigned count,
                                    const struct drv_vertex_element *elements);
    void (*bind_vertex_elements)(struct drv_context *ctx, void *state);
    void (*delete_vertex_elements)(struct drv_context *ctx, void *state);
    /* Sampler views hold a reference to their resource. */
    void *(*create_sampler_view)(struct drv_context *ctx, const struct drv_sampler_view *view);
    void (*set_sampler_views)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                              unsigned count, void *const *views);
    void (*delete_sampler_view)(struct drv_context *ctx, void *view);

    /* Creates a shader for the stage of desc->nir. Returns NULL if there is no memory or the device
     * cannot run the shader; the driver may log the reason. bind_shader with NULL unbinds the
     * stage. */
    void *(*create_shader)(struct drv_context *ctx, const struct drv_shader_desc *desc);
    void (*bind_shader)(struct drv_context *ctx, enum shader_stage stage, void *shader);
    void (*delete_shader)(struct drv_context *ctx, enum shader_stage stage, void *shader);

    /* Immediate state. The driver copies it and references its resources while they are set. Slots
     * that a call doesn't name keep their values. */
    void (*set_framebuffer)(struct drv_context *ctx, const struct drv_framebuffer *fb);
    void (*set_viewports)(struct drv_context *ctx, unsigned first, unsigned count,
                          const struct drv_viewport *viewports);
    void (*set_scissors)(struct drv_context *ctx, unsigned first, unsigned count,
                         const struct drv_scissor *scissors);
    /* Sets the buffers 0 … count - 1 and unbinds all others. */
    void (*set_vertex_buffers)(struct drv_context *ctx, unsigned count,
                               const struct drv_vertex_buffer *buffers);
    void (*set_constant_buffer)(struct drv_context *ctx, enum shader_stage stage, unsigned index,
                                const struct drv_constant_buffer *buffer); /* NULL unbinds */
    /* Binds storage buffers to slots from `first` on. An entry with buffer NULL unbinds its slot;
     * if `buffers` is NULL, unbinds `count` slots. set_images does the same for images. */
    void (*set_storage_buffers)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                                unsigned count, const struct drv_storage_buffer *buffers);
    void (*set_images)(struct drv_context *ctx, enum shader_stage stage, unsigned first,
                       unsigned count, const struct drv_image_view *images);
    /* Make a texture with its sampler state, or an image, accessible to the shaders of the context
     * through a handle (ARB_bindless_texture). Return false if out of memory. The low 32 bits of a
     * handle are a small index, unique among the context's resident handles and not 0; the high 32
     * bits are a generation below 2^31, not 0. A shader may use any 64-bit value as a handle. A
     * handle that is not resident behaves as a texture or image without texels: it reads as 0, and
     * stores are ignored. Called only if caps.bindless_textures is true; otherwise,
     * make_texture_resident, make_image_resident and make_handle_nonresident may be NULL. */
    bool (*make_texture_resident)(struct drv_context *ctx, uint64_t handle,
                                  const struct drv_sampler_view *view,
                                  const struct drv_sampler_state *sampler);
    bool (*make_image_resident)(struct drv_context *ctx, uint64_t handle,
                                const struct drv_image_view *view);
    /* Reverses one of these functions. Commands that were recorded before keep access. */
    void (*make_handle_nonresident)(struct drv_context *ctx, uint64_t handle);
    void (*set_blend_color)(struct drv_context *ctx, const float color[4]);
    /* Sets the stencil reference values of front and back faces. */
    void (*set_stencil_ref)(struct drv_context *ctx, uint8_t front, uint8_t back);
    /* Sets the sample mask: bit i allows writes to sample i (glSampleMaski). Used only with
     * multisampling. */
    void (*set_sample_mask)(struct drv_context *ctx, uint32_t mask);
    /* If samples > 1, fragment shaders run once per sample, with inputs interpolated there.
     * Otherwise, only shaders with nir_shader_info.fs.uses_sample_shading run once per sample. */
    void (*set_min_samples)(struct drv_context *ctx, unsigned samples);
    /* Sets the positions of samples 0 to DRV_MAX_SAMPLES - 1 in every pixel: x and y relative to
     * the pixel center in units of 1/16 pixel, from -8 to 7, y up. NULL restores the positions that
     * sample_position returns. Called only if caps.sample_locations is true. */
    void (*set_sample_locations)(struct drv_context *ctx, const int8_t (*locations)[2]);
    /* Sets the stipple pattern: pattern[0] is the bottom row; the most significant bit is the
     * leftmost pixel. */
    void (*set_polygon_stipple)(struct drv_context *ctx, const uint32_t pattern[32]);
    /* Starts transform feedback to `count` targets, or stops it if count is 0. No primitive fits in
     * a target without a buffer. offsets[i] is the byte offset, relative to targets[i].offset,
     * where writing to target i starts; ~0 appends after the last vertex written. */
    void (*set_stream_output_targets)(struct drv_context *ctx, unsigned count,
                                      const struct drv_storage_buffer *targets,
                                      const uint32_t *offsets);
    /* Waits for pending draws, then stores in offsets[i] the byte offset, relative to the target's
     * offset, at which the next vertex would be written to target i. */
    void (*get_stream_output_offsets)(struct drv_context *ctx,
                                      uint32_t offsets[DRV_MAX_SO_BUFFERS]);
    /* Sets the default tessellation levels, used without a tessellation control shader. */
    void (*set_patch_levels)(struct drv_context *ctx, const float outer[4], const float inner[2]);

    /* Commands follow. The driver may execute them later and on other threads, but as if in
     * order. */

    /* Performs num_draws draws with the current state. Draws nothing unless a blend, a rasterizer
     * and a depth-stencil state, a vertex shader and a fragment shader are bound. Vertex shader
     * inputs without a vertex element are 0, 0, 0, 1. */
    void (*draw)(struct drv_context *ctx, const struct drv_draw_info *info,
                 const struct drv_draw_range *draws, unsigned num_draws);
    /* Runs the bound compute shader. Does nothing if none is bound, or if a number of workgroups is
     * 0 or, as read from info->indirect, above caps.max_compute_workgroup_count. Called only if
     * caps.compute is true. */
    void (*launch_grid)(struct drv_context *ctx, const struct drv_grid_info *info);
    /* Clears buffers of the bound framebuffer (a mask of enum drv_clear_buffers) inside `scissor`,
     * or everywhere if scissor is NULL. `color` applies to all color buffers in the mask, in the
     * member for their format; depth is in [0, 1] unless the depth buffer holds floats. Write masks
     * do not apply. */
    void (*clear)(struct drv_context *ctx, unsigned buffers, const struct drv_scissor *scissor,
                  const union drv_color *color, double depth, unsigned stencil);
    /* Copies texels, with all their samples, without conversion. The formats have the same number
     * of bytes per block, and the regions do not overlap. */
    void (*copy_region)(struct drv_context *ctx, struct drv_resource *dst, unsigned dst_level,
                        unsigned dst_x, unsigned dst_y, unsigned dst_z, struct drv_resource *src,
                        unsigned src_level, const struct drv_box *src_box);
    /* Copies with scaling, format conversion and multisample resolve (glBlitFramebuffer).
     * Conditional rendering doesn't affect it. */
    void (*blit)(struct drv_context *ctx, const struct drv_blit_info *info);
    /* Generates levels first_level + 1 … last_level from level first_level of the given layers (GL
     * 4.6 §8.14.4), of a 3D texture all slices. A texel is a linear sample at its center in the
     * previous level. `format` is the resource's format or, if that is sRGB, optionally its linear
     * equivalent, with which the encoded values are filtered. Does nothing if it is a pure integer
     * or cannot be encoded. */
    void (*generate_mipmap)(struct drv_context *ctx, struct drv_resource *resource,
                            enum drv_format format, unsigned first_level, unsigned last_level,
                            unsigned first_layer, unsigned last_layer);

    /* Maps a box of a level. Returns the address of the box's first texel in linear memory, which
     * may be a copy, and stores the layout in *transfer. Waits for pending work that uses the
     * resource unless the flags forbid it. Returns NULL if there is no memory, or if it would have
     * to wait with DRV_MAP_DONTBLOCK. */
    void *(*map)(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
                 unsigned flags, const struct drv_box *box, struct drv_transfer **transfer);
    /* Writes a box of a mapping with DRV_MAP_FLUSH_EXPLICIT to the resource. `box` is relative to
     * the box of the transfer. */
    void (*flush_region)(struct drv_context *ctx, struct drv_transfer *transfer,
                         const struct drv_box *box);
    /* Ends a mapping and frees the transfer. Writes become visible to later commands. */
    void (*unmap)(struct drv_context *ctx, struct drv_transfer *transfer);

    /* Copies pixels in client memory to a box of a level, with conversion, and returns when the
     * copy is done. `view` is the resource's format or, if that is sRGB, optionally its linear
     * equivalent; sRGB values stay encoded in both cases. Returns true on success. Returns false,
     * with nothing copied, if the image is compressed, the driver doesn't support the copy, or
     * there is no memory. The caller then maps the resource instead. */
    bool (*image_write)(struct drv_context *ctx, struct drv_resource *resource,
                        enum drv_format view, unsigned level, const struct drv_box *box,
                        const struct drv_pixels *src);
    /* Copies a box of a level to client memory. `view` and the return value are as in
     * image_write. */
    bool (*image_read)(struct drv_context *ctx, struct drv_resource *resource, enum drv_format view,
                       unsigned level, const struct drv_box *box, const struct drv_pixels *dst);

    /* Fills all samples of a box of a level with a texel of the resource's format. box.z counts
     * layers or 3D slices. Returns false as image_write does; the caller then maps the resource. */
    bool (*image_fill)(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
                       const struct drv_box *box, const uint8_t *texel);
    /* Commits or decommits the pages of a sparse image in a box, which consists of whole pages.
     * box.z counts layers or 3D slices. If `level` is at least resource->sparse_levels, ignores the
     * box, and commits or decommits all levels from sparse_levels on. The pointer is NULL without
     * caps.sparse_texture. */
    void (*page_commitment)(struct drv_context *ctx, struct drv_resource *resource, unsigned level,
                            const struct drv_box *box, bool commit);
    /* Returns whether no pending work uses the resource, so that a write doesn't have to wait. */
    bool (*image_is_idle)(struct drv_context *ctx, const struct drv_resource *resource);

    /* Makes shader writes of earlier commands visible to later commands (glMemoryBarrier). */
    void (*memory_barrier)(struct drv_context *ctx);
    /* Makes the results of earlier draws visible to later texture fetches (glTextureBarrier). */
    void (*texture_barrier)(struct drv_context *ctx);

    /* Creates a query; enum drv_query_type says what `index` is. Returns NULL if there is no
     * memory. */
    struct drv_query *(*create_query)(struct drv_context *ctx, enum drv_query_type type,
                                      unsigned index);
    /* Destroys a query, which may be active. May wait until no pending work uses it. */
    void (*destroy_query)(struct drv_context *ctx, struct drv_query *query);
    /* Starts counting from 0. Not called for timestamp queries. Returns false if there is no memory
     * or too many queries are active. */
    bool (*begin_query)(struct drv_context *ctx, struct drv_query *query);
    /* Stops counting, or records the timestamp. */
    void (*end_query)(struct drv_context *ctx, struct drv_query *query);
    /* Stores the result of an ended query. If it is not available yet, waits if `wait` is true;
     * otherwise returns false. */
    bool (*get_query_result)(struct drv_context *ctx, struct drv_query *query, bool wait,
                             union drv_query_result *result);
    /* Starts conditional rendering: later draws, dispatches and clears are skipped if the result of
     * the query is zero (`condition` false) or nonzero (`condition` true). If the result is not
     * available yet, they wait for it if `wait` is true; otherwise the driver may wait or execute
     * them. A NULL query ends conditional rendering. */
    void (*render_condition)(struct drv_context *ctx, struct drv_query *query, bool condition,
                             bool wait);
    /* Returns false if conditional rendering would skip a command. The caller asks before it
     * implements a rendering command by blits, maps or image_write, which the driver doesn't skip.
     * May wait for the query. Returns true outside of conditional rendering. */
    bool (*condition_passes)(struct drv_context *ctx);

    /* Starts all recorded work. If fence is not NULL, stores in *fence a reference to a fence that
     * is signaled when the work is done, or NULL if out of memory. The caller must release the
     * fence with fence_reference. */
    void (*flush)(struct drv_context *ctx, struct drv_fence **fence);
    /* Returns the reset that occurred since the last call, or DRV_NO_RESET. */
    enum drv_reset_status (*reset_status)(struct drv_context *ctx);
};

/* A context. Drivers embed it as the first member of their own struct. */
struct drv_context {
    const struct drv_context_ops *ops;
    struct drv_screen *screen;
    /* Set by the driver when it could not complete a draw, dispatch, clear, copy, blit or mipmap
     * generation for lack of memory; cleared by the API layer. */
    bool out_of_memory;
    /* Set by the API layer when it creates the context. True: the time limit INDIUM_TIMEOUT applies
     * to a whole draw or dispatch. False: it applies only to each call of a kernel, that is, to one
     * vector, work group or batch. */
    bool limits_commands;
    /* Set by the API layer before each draw and dispatch, for messages: the name of the GL command,
     * and the program object of each stage (0: none). */
    struct {
        const char *name;
        uint32_t program[SHADER_STAGE_COUNT];
    } command;
    /* Set by the driver when it has stopped a draw or dispatch, and by the API layer when it has
     * stopped a GL command that consists of several; cleared by reset_status. stop_message says
     * which command was stopped and why. */
    bool stopped;
    char stop_message[256];
};

/* --------------------------------------------------------------------------------- helpers --- */

/* Makes *dst reference src (may be NULL) and drops the reference to the old resource. Destroys the
 * old resource if that was its last reference. Thread-safe, but no other thread may access *dst. */
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

/* Does what drv_resource_reference does, for a struct drv_memory. */
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

/* Returns the size in texels of a dimension at `level`, at least 1, given its size at level 0. */
static inline uint32_t drv_minify(uint32_t size, unsigned level)
{
    size >>= level;
    return size ? size : 1;
}

/* Creates a screen of the CPU driver. Returns NULL if there is no memory or the CPU is not
 * supported. */
struct drv_screen *cpu_screen_create(void);
/* Creates a screen of the driver `name` ("cpu", "i965" or "noop"). Returns NULL if that driver
 * can't create one. If the name is unknown, prints a warning and creates a screen of the first
 * driver that can, or returns NULL if none can. */
struct drv_screen *drv_screen_create(const char *name);

#endif
