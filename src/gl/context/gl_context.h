/* SPDX-License-Identifier: MIT */
/*
 * The GL context. State lives in one struct per area, each in a header of its own; commands change
 * state and raise dirty bits; gl_update_state() turns what is dirty into driver state before a draw.
 */
#ifndef GL_CONTEXT_H
#define GL_CONTEXT_H

#include <pthread.h>

#include "gl/draw/gl_array.h"
#include "gl/fixed/gl_ati_shader.h"
#include "gl/program/gl_asm.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/context/gl_error.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/state/gl_matrix.h"
#include "gl/context/gl_names.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_state.h"
#include "gl/texture/gl_texture.h"
#include "gl/draw/gl_transform_feedback.h"
#include "gl/context/gl_types.h"
#include "gl_ext.h" /* generated from gl_extensions.py: struct gl_extensions */
#include "indium/core.h"
#include "indium/driver.h"

struct gl_dispatch;
struct gl_immediate;
struct gl_executable;
struct gl_stage;
struct gl_lists;
struct gl_evaluators;
struct gl_feedback;
struct gl_attrib_stack;
struct gl_queries;
struct gl_cso;

/* What changed since the last draw. */
enum gl_dirty {
    /* driver state objects */
    GL_DIRTY_BLEND = 1ull << 0, /* blend, color mask, logic op, dither, alpha to coverage */
    GL_DIRTY_BLEND_COLOR = 1ull << 1,
    GL_DIRTY_RASTERIZER = 1ull << 2, /* polygon, line, point, shading, clip enables, scissor test */
    GL_DIRTY_DEPTH_STENCIL = 1ull << 3, /* with references */
    GL_DIRTY_VIEWPORT = 1ull << 4,      /* with depth range */
    GL_DIRTY_SCISSOR = 1ull << 5,
    GL_DIRTY_STIPPLE = 1ull << 6,
    GL_DIRTY_SAMPLE_MASK = 1ull << 7,
    GL_DIRTY_ARRAYS = 1ull << 8,      /* vertex arrays: enables, pointers, bindings */
    GL_DIRTY_FRAMEBUFFER = 1ull << 9, /* binding, attachments, draw buffers, window size */
    GL_DIRTY_TEXTURES = 1ull << 10,   /* bindings, images, views, sampler objects */
    GL_DIRTY_PROGRAM = 1ull << 11,    /* glUseProgram, relink, sampler uniforms */
    /* what picks a variant or a fixed-function program: enables and modes of light, fog, texgen,
     * texenv, alpha test, two-side, shade model, clamping, point sprites, clip planes */
    GL_DIRTY_PROGRAM_KEY = 1ull << 12,
    GL_DIRTY_UNIFORMS = 1ull << 13, /* glUniform */
    GL_DIRTY_UNIFORM_BUFFERS = 1ull << 14,
    GL_DIRTY_STORAGE_BUFFERS = 1ull << 15,
    GL_DIRTY_IMAGES = 1ull << 16,
    /* values that state uniforms read */
    GL_DIRTY_MODELVIEW = 1ull << 17,
    GL_DIRTY_PROJECTION = 1ull << 18,
    GL_DIRTY_TEXTURE_MATRIX = 1ull << 19,
    GL_DIRTY_LIGHT = 1ull << 20, /* lights, model */
    GL_DIRTY_FOG = 1ull << 21,
    GL_DIRTY_TEXENV = 1ull << 22, /* environment colors, texgen planes */
    GL_DIRTY_CLIP = 1ull << 23,
    GL_DIRTY_POINT = 1ull << 24,
    GL_DIRTY_ALPHA_REF = 1ull << 25,
    GL_DIRTY_PROGRAM_PARAMETERS = 1ull << 26, /* of assembly programs, ATI shaders */
    GL_DIRTY_MATERIAL = 1ull << 27,
    GL_DIRTY_ALL = (1ull << 28) - 1,
};

/* Which state uniforms can have changed. */
#define GL_DIRTY_CONSTANTS                                                                         \
    (GL_DIRTY_MODELVIEW | GL_DIRTY_PROJECTION | GL_DIRTY_TEXTURE_MATRIX | GL_DIRTY_LIGHT |         \
     GL_DIRTY_FOG | GL_DIRTY_TEXENV | GL_DIRTY_CLIP | GL_DIRTY_POINT | GL_DIRTY_ALPHA_REF |        \
     GL_DIRTY_VIEWPORT | GL_DIRTY_FRAMEBUFFER | GL_DIRTY_PROGRAM_PARAMETERS | GL_DIRTY_MATERIAL)

/* What concerns compute shaders, too. Draws and dispatches each bring their stages up to date. */
#define GL_DIRTY_COMPUTE                                                                           \
    (GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_UNIFORM_BUFFERS |         \
     GL_DIRTY_STORAGE_BUFFERS | GL_DIRTY_IMAGES)

/* What the contexts of a share group have in common. */
struct gl_shared {
    int refcount;          /* atomic */
    pthread_mutex_t lock;  /* of commands: gl_share.h */
    pthread_mutex_t mutex; /* of lists of objects that contexts own: gl_owned.h */
    unsigned resets;       /* atomic: of contexts of the group that are told of them */
    struct drv_screen *screen;
    struct gl_names buffers, textures, renderbuffers, samplers, programs /* and shaders */, lists,
        syncs, assembly /* programs */, framebuffers /* of compatibility profiles */;
    void *texture_private;                  /* default textures: gl_textures_init_shared */
    struct gl_named_strings *named_strings; /* gl_named_string.c; NULL: none yet */
    struct gl_names ati_shaders, memory_objects;
};

/* What the context can do, computed from the driver's caps and fixed for its life. */
struct gl_constants {
    unsigned version;      /* 10 * major + minor */
    unsigned glsl_version; /* 120 …; ES: 100 … */
    GLint max_lights, max_clip_planes, max_texture_units /* fixed-function */, max_texture_coords;
    GLint max_vertex_attribs, max_texture_image_units, max_vertex_texture_image_units,
        max_combined_texture_image_units;
    GLint max_texture_size, max_3d_texture_size, max_cube_texture_size, max_rect_texture_size,
        max_array_texture_layers, max_renderbuffer_size, max_texture_buffer_size;
    GLint max_draw_buffers, max_color_attachments, max_samples, max_viewports,
        max_dual_source_draw_buffers;
    GLint max_viewport_dims[2];
    GLint max_varying_floats, max_vertex_uniform_components, max_fragment_uniform_components;
    GLint max_uniform_block_size;
    GLint max_modelview_stack, max_projection_stack, max_texture_stack, max_attrib_stack,
        max_client_attrib_stack, max_name_stack, max_list_nesting, max_eval_order;
    GLint max_elements_vertices, max_elements_indices, max_pixel_map_table;
    GLint subpixel_bits;
    float point_size_range[2], line_width_range[2], line_width_granularity, point_size_granularity,
        max_anisotropy, max_lod_bias;
    struct glsl_options *glsl; /* made by gl_programs_init */
};

struct gl_context {
    /* hot: read by every command */
    uint64_t dirty;         /* enum gl_dirty */
    uint64_t draw_dirty;    /* of GL_DIRTY_COMPUTE: what a dispatch took from dirty, for draws */
    uint64_t compute_dirty; /* the reverse */
    bool need_flush;        /* immediate mode has vertices (FLUSH_VERTICES) */
    bool inside_begin_end;  /* of execution, not of list compilation */
    GLenum error;           /* pending glGetError value */

    enum gl_api api;
    struct gl_visual visual;
    bool has_visual, debug_context, forward_compatible, robust_access, no_error;
    bool no_release_flush;    /* KHR_context_flush_control */
    gl_find_image find_image; /* of the face, or NULL */
    void *find_image_data;
    enum gl_reset_strategy reset;
    unsigned resets_seen; /* of gl_shared.resets */
    GLenum reset_status;  /* that the application was not told yet; GL_NO_ERROR: none */
    bool lost;            /* by a reset: commands are GL_CONTEXT_LOST */
    bool ever_current;
    struct gl_constants consts;
    struct gl_extensions ext; /* bool per extension name, ARB_texture_float → ext.ARB_texture_float:
                                 it, or the same as part of the version, whatever the API */
    char *version_string, *extensions_string, *renderer_string, *glsl_version_string;
    const char **extension_names;
    unsigned num_extensions;

    struct drv_screen *screen;
    struct drv_context *drv;
    struct gl_shared *shared;
    const struct gl_dispatch *dispatch;      /* what the thread's table pointer is set to */
    const struct gl_dispatch *exec_dispatch; /* outside list compilation */
    struct gl_drawable *draw_drawable, *read_drawable; /* NULL: surfaceless; held by window */
    pthread_t thread;                                  /* that it is current to */
    struct gl_window
        window[2]; /* views of draw_drawable, and of read_drawable if that is another */
    struct gl_retired retired;
    /* gl_share.h: atomic: a command runs; atomic: the group has, or had, other contexts */
    bool share_busy, share_many;
    uint8_t share_after; /* enum gl_share_after: to be done when the command ends */
    bool current, destroy_pending;

    /* state, by attribute groups */
    struct gl_color_state color;
    struct gl_accum_state accum;
    struct gl_depth_state depth;
    struct gl_stencil_state stencil;
    struct gl_polygon_state polygon;
    uint32_t polygon_stipple[32]; /* row 0 lowest, bit 31 leftmost */
    struct gl_line_state line;
    struct gl_point_state point;
    struct gl_viewport_state viewport;
    struct gl_scissor_state scissor;
    struct gl_multisample_state multisample;
    struct gl_hint_state hint;
    struct gl_light_state light;
    struct gl_fog_state fog;
    struct gl_texenv_state texenv;
    struct gl_transform_state transform;
    struct gl_current_state current_attribs;
    struct gl_eval_state eval;
    GLuint list_base;

    struct gl_matrix_stack modelview, projection, color_matrix,
        texture_matrix[GL_MAX_TEXTURE_COORD_UNITS], program_matrix[GL_ASM_MATRICES];

    struct gl_array_state array;
    struct gl_names vertex_arrays;
    struct gl_indexed_buffer *indexed[GL_INDEXED_BUFFERS]; /* NULL: nothing was bound yet */
    struct gl_buffer *copy_read_buffer, *copy_write_buffer, *draw_indirect_buffer, *uniform_buffer,
        *texture_buffer, *shader_storage_buffer, *query_buffer, *dispatch_indirect_buffer,
        *transform_feedback_buffer, *atomic_counter_buffer, *parameter_buffer,
        *external_memory_buffer; /* AMD_pinned_memory */

    struct gl_debug_state debug;

    /* areas with structs of their own */
    struct gl_texture_state texture;
    struct gl_pixel_store pack, unpack;
    struct gl_pixel_state pixel;
    struct gl_framebuffer_state framebuffer;
    struct gl_program_state program;
    struct gl_transform_feedback_state xfb;
    struct gl_asm_state assembly;
    struct gl_immediate *immediate;
    struct gl_lists *lists;
    struct gl_evaluators *evaluators;
    struct gl_feedback *feedback;
    struct gl_attrib_stack *attrib_stack;
    struct gl_queries *queries;
    struct gl_cso *cso;

    GLenum render_mode; /* GL_RENDER, GL_SELECT, GL_FEEDBACK */

    /* results of gl_update_programs, for the vertex elements and rasterizer atoms */
    uint32_t vs_inputs; /* bit of each enum vert_attrib that the vertex shader reads */
    bool
        vs_writes_point_size; /* and it counts: GL_VERTEX_PROGRAM_POINT_SIZE, or fixed function's */
    uint8_t vs_clip_distances; /* bit per VARYING_SLOT_CLIP_DISTn component that the last vertex
                                   stage writes: gl_ClipDistance, or lowered planes */

    unsigned draw_stamp; /* of draw_drawable, when the framebuffer state was made */
    bool window_waits;   /* to be asked for its size when it is drawn to again: see glViewport */

    struct gl_ati_state ati; /* last: large, and few use it */
};

/* The calling thread's context; commands reach their implementation only with one. */
extern _Thread_local struct gl_context *gl_current_context
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
#define GL_CONTEXT(ctx) struct gl_context *ctx = gl_current_context

/* Draws what immediate mode holds, then raises dirty bits. Before every change of state. */
void gl_flush_vertices(struct gl_context *ctx);
#define FLUSH_VERTICES(ctx, bits)                                                                  \
    do {                                                                                           \
        if ((ctx)->need_flush)                                                                     \
            gl_flush_vertices(ctx);                                                                \
        (ctx)->dirty |= (bits);                                                                    \
    } while (0)

static inline bool gl_is_desktop(const struct gl_context *ctx)
{
    return ctx->api <= GL_API_CORE;
}

static inline bool gl_is_compat(const struct gl_context *ctx)
{
    return ctx->api == GL_API_COMPAT;
}

static inline bool gl_is_es(const struct gl_context *ctx)
{
    return ctx->api >= GL_API_ES1;
}

/* Whether fixed function exists: compatibility profile and ES 1. */
static inline bool gl_has_fixed_function(const struct gl_context *ctx)
{
    return ctx->api == GL_API_COMPAT || ctx->api == GL_API_ES1;
}

/* --- Called by the drawing commands --- */

/* Errors that any draw can raise (framebuffer complete, program valid, mode); name for messages.
 * Updates programs and framebuffer state as far as it needs. False: error raised or nothing to draw. */
bool gl_validate_draw(struct gl_context *ctx, GLenum mode, const char *name);
/* Versions of shading languages that glGetStringi names. */
GLint gl_num_languages(const struct gl_context *ctx);
/* Brings the driver's state up to date with what is dirty. False: nothing can be drawn. */
bool gl_update_state(struct gl_context *ctx);
/* The same for the compute stage, which is exe's; for dispatches. False: no memory. */
bool gl_update_compute_state(struct gl_context *ctx, struct gl_executable *exe);
/* Only what clears, blits and pixel copies need: framebuffer, scissor. */
void gl_update_framebuffer_state(struct gl_context *ctx);
/* Draws num vertices given as four-component arrays per attribute with the program, framebuffer
 * and state set up by the caller (bound directly at the driver, then marked dirty again by it).
 * attribs: enum vert_attrib of each of count arrays; data[i]: num * 4 floats. For DrawPixels,
 * Bitmap, clears by quads. */
void gl_draw_internal(struct gl_context *ctx, enum drv_primitive mode, unsigned num, unsigned count,
                      const uint8_t *attribs, const float (*const *data)[4]);

/* --- Atoms and hooks of the texture, framebuffer and program side; called in this order --- */

void gl_update_framebuffer(struct gl_context *ctx); /* drv set_framebuffer */
bool gl_update_programs(struct gl_context *ctx);    /* picks variants, binds shaders; sets vs_* */
void gl_update_textures(struct gl_context *ctx);    /* views and samplers */
void gl_update_stage_textures(struct gl_context *ctx, const struct gl_stage *stage);
void gl_update_constants(struct gl_context *ctx); /* uniforms, state uniforms, uniform blocks */
/* Size of the bound draw framebuffer, and whether it is complete (GL_FRAMEBUFFER_COMPLETE …). */
GLenum gl_framebuffer_status(struct gl_context *ctx, GLenum target);
void gl_framebuffer_size(struct gl_context *ctx, unsigned *width, unsigned *height);
/* GL_INVALID_OPERATION reasons of a draw with the current programs; false: raised. */
bool gl_validate_programs(struct gl_context *ctx, GLenum mode, const char *name);
/* make_current: the drawables changed. May be NULL. First call ever sets draw and read buffers. */
void gl_framebuffer_drawables_changed(struct gl_context *ctx);

bool gl_textures_init_shared(struct gl_shared *shared); /* false: no memory */
void gl_textures_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
bool gl_textures_init(struct gl_context *ctx);
void gl_textures_finish(struct gl_context *ctx);
/* Makes level 0 of the texture bound to target show a drawable's buffer; NULL: undoes it. */
bool gl_textures_bind_image(struct gl_context *ctx, GLenum target, struct drv_resource *image,
                            bool with_alpha);
bool gl_framebuffers_init(struct gl_context *ctx);
void gl_framebuffers_finish(struct gl_context *ctx);
void gl_framebuffers_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
bool gl_programs_init(struct gl_context *ctx); /* also consts.glsl */
void gl_programs_finish(struct gl_context *ctx);
void gl_named_strings_finish(struct gl_shared *shared);
void gl_programs_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
void gl_pixels_init(struct gl_context *ctx);
void gl_pixels_finish(struct gl_context *ctx);

/* glGet of the texture, pixel, framebuffer and program areas: writes up to GL_GET_VALUES values as the
 * type says and returns their number, or 0: unknown. Values as doubles hold every 32-bit integer. */
#define GL_GET_VALUES 96 /* the longest list is GL_COMPRESSED_TEXTURE_FORMATS of OpenGL ES */
enum gl_get_type { GL_GET_BOOL, GL_GET_INT, GL_GET_ENUM, GL_GET_FLOAT, GL_GET_NORMALIZED };
unsigned gl_get_textures(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
unsigned gl_get_pixels(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
/* The implementation's pair for glReadPixels; raises the error that there is no buffer to read. */
unsigned gl_get_read_pair(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
unsigned gl_get_framebuffers(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                             double *v);
unsigned gl_get_programs(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
unsigned gl_asm_get(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);

/* glPushAttrib: opaque copies of GL_TEXTURE_BIT bindings and parameters, GL_PIXEL_MODE_BIT, draw
 * buffer. push returns NULL on no memory; pop frees. */
void *gl_textures_push_attrib(struct gl_context *ctx);
void gl_textures_pop_attrib(struct gl_context *ctx, void *saved, bool restore);
/* Saves and restores glDrawBuffer state (GL_COLOR_BUFFER_BIT) and glReadBuffer (GL_PIXEL_MODE_BIT). */
struct gl_saved_buffers {
    GLuint framebuffer;
    GLenum draw[DRV_MAX_COLOR_BUFS], read;
    unsigned num_draw;
};
void gl_framebuffers_push_attrib(struct gl_context *ctx, struct gl_saved_buffers *saved);
void gl_framebuffers_pop_attrib(struct gl_context *ctx, const struct gl_saved_buffers *saved,
                                bool draw, bool read);

/* 1-bit images of at most 32 columns by the unpack state (and unpack buffer): row 0 lowest, bit 31
 * leftmost. False: the buffer does not hold it. */
bool gl_pixels_unpack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                             const GLubyte *bitmap, uint32_t *rows);

/* The other way, by the pack state (and pack buffer), of which size bytes may be written, -1: all. */
void gl_pixels_pack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                           const uint32_t *rows, int64_t size, GLubyte *bitmap, const char *name);

/* Display lists: a copy of pixels in client memory (or the unpack buffer), unpacked to rows without
 * padding in the same format and type; malloc'ed; NULL: no memory, bad enum or nothing to copy. */
void *gl_pixels_copy(struct gl_context *ctx, unsigned dims, GLsizei width, GLsizei height,
                     GLsizei depth, GLenum format, GLenum type, const void *pixels);
/* The same of a compressed image. */
void *gl_pixels_copy_blocks(struct gl_context *ctx, GLsizei size, const void *data);

#endif
