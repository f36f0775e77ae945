/* SPDX-License-Identifier: MIT */
/*
 * The GL context. Each submodule owns a part of it: either a struct declared in gl_*_types.h, or a
 * pointer to a struct that is private to the submodule. Commands change state and set dirty bits;
 * gl_update_state() (draw/) converts dirty state to driver state before a draw.
 *
 * Conventions for functions of src/gl, unless their comments say otherwise. A function that takes a
 * context is called by a command of that context, in the thread to which it is current. If the
 * function accesses shared objects, the command is between gl_share_enter and gl_share_leave
 * (gl_share.h). Errors are raised with gl_error; `call` or `name` is the name of the command for
 * the message. The caller gets no reference to a returned object or resource, unless the function
 * creates it.
 *
 * gl_…_init creates a submodule's state when a context or share group is created. gl_…_finish frees
 * it when the context or share group is destroyed, also if gl_…_init failed.
 */
#ifndef GL_CONTEXT_H
#define GL_CONTEXT_H

#include <pthread.h>

#include "gl/context/gl_array_types.h"
#include "gl/context/gl_asm_types.h"
#include "gl/context/gl_ati_types.h"
#include "gl/context/gl_buffer_types.h"
#include "gl/context/gl_drawable_types.h"
#include "gl/context/gl_error.h"
#include "gl/context/gl_framebuffer_types.h"
#include "gl/context/gl_matrix_types.h"
#include "gl/context/gl_names.h"
#include "gl/context/gl_pixel_types.h"
#include "gl/context/gl_program_types.h"
#include "gl/context/gl_state_types.h"
#include "gl/context/gl_texture_types.h"
#include "gl/context/gl_transform_feedback_types.h"
#include "gl/context/gl_types.h"
#include "gl_ext.h" /* generated from gl_extensions.py: struct gl_extensions */
#include "indium/core.h"
#include "indium/driver.h"

struct gl_attrib_stack;
struct gl_cso;
struct gl_dispatch;
struct gl_evaluators;
struct gl_feedback;
struct gl_immediate;
struct gl_lists;
struct gl_named_strings;
struct gl_queries;

/* State that has changed since the driver state was last updated for a draw or dispatch. */
enum gl_dirty {
    /* Inputs of driver state objects. */
    GL_DIRTY_BLEND = 1ull << 0, /* blend, color mask, logic op, dither, alpha to coverage */
    GL_DIRTY_BLEND_COLOR = 1ull << 1,
    GL_DIRTY_RASTERIZER = 1ull << 2, /* polygon, line, point, shading, clip enables, scissor test */
    GL_DIRTY_DEPTH_STENCIL = 1ull << 3, /* includes stencil references */
    GL_DIRTY_VIEWPORT = 1ull << 4,      /* includes the depth range */
    GL_DIRTY_SCISSOR = 1ull << 5,
    GL_DIRTY_STIPPLE = 1ull << 6,
    GL_DIRTY_SAMPLE_MASK = 1ull << 7, /* also coverage, sample shading, sample locations */
    GL_DIRTY_ARRAYS = 1ull << 8,      /* vertex arrays: enables, pointers, bindings */
    GL_DIRTY_FRAMEBUFFER = 1ull << 9, /* bindings, attachments, draw buffers, window size */
    GL_DIRTY_TEXTURES = 1ull << 10,   /* bindings, images, views, sampler objects */
    GL_DIRTY_PROGRAM = 1ull << 11,    /* glUseProgram, relink, sampler uniforms */
    /* State that selects a shader variant or a fixed-function program: enables and modes of
     * lighting, fog, texgen, texenv, alpha test, two-sided lighting, shade model, clamping, point
     * sprites and clip planes. */
    GL_DIRTY_PROGRAM_KEY = 1ull << 12,
    GL_DIRTY_UNIFORMS = 1ull << 13, /* values of the program's own uniforms (glUniform) */
    GL_DIRTY_UNIFORM_BUFFERS = 1ull << 14,
    GL_DIRTY_STORAGE_BUFFERS = 1ull << 15,
    GL_DIRTY_IMAGES = 1ull << 16,
    /* Values that state uniforms read: gl_ModelViewMatrix …, state.lightmodel …, and uniforms that
     * variants add for lowered state. */
    GL_DIRTY_MODELVIEW = 1ull << 17,
    GL_DIRTY_PROJECTION = 1ull << 18,
    GL_DIRTY_TEXTURE_MATRIX = 1ull << 19,
    GL_DIRTY_LIGHT = 1ull << 20, /* lights and the light model */
    GL_DIRTY_FOG = 1ull << 21,
    GL_DIRTY_TEXENV = 1ull << 22, /* environment colors and texgen planes */
    GL_DIRTY_CLIP = 1ull << 23,
    GL_DIRTY_POINT = 1ull << 24, /* point size, its limits, fade threshold, attenuation */
    GL_DIRTY_ALPHA_REF = 1ull << 25,
    /* parameters and matrices of assembly programs, constants of ATI shaders */
    GL_DIRTY_PROGRAM_PARAMETERS = 1ull << 26,
    GL_DIRTY_MATERIAL = 1ull << 27,
    GL_DIRTY_ALL = (1ull << 28) - 1,
};

/* Dirty bits that can change the values of state uniforms. */
#define GL_DIRTY_CONSTANTS                                                                         \
    (GL_DIRTY_MODELVIEW | GL_DIRTY_PROJECTION | GL_DIRTY_TEXTURE_MATRIX | GL_DIRTY_LIGHT |         \
     GL_DIRTY_FOG | GL_DIRTY_TEXENV | GL_DIRTY_CLIP | GL_DIRTY_POINT | GL_DIRTY_ALPHA_REF |        \
     GL_DIRTY_VIEWPORT | GL_DIRTY_FRAMEBUFFER | GL_DIRTY_PROGRAM_PARAMETERS | GL_DIRTY_MATERIAL)

/* Dirty bits that also affect compute shaders. A draw updates only the graphics stages and a
 * dispatch only the compute stage, see draw_dirty and compute_dirty in struct gl_context. */
#define GL_DIRTY_COMPUTE                                                                           \
    (GL_DIRTY_TEXTURES | GL_DIRTY_PROGRAM | GL_DIRTY_UNIFORMS | GL_DIRTY_UNIFORM_BUFFERS |         \
     GL_DIRTY_STORAGE_BUFFERS | GL_DIRTY_IMAGES)

/* State shared by the contexts of a share group. */
struct gl_shared {
    int refcount;         /* one per context of the group; atomic */
    pthread_mutex_t lock; /* held by commands if the group has several contexts (gl_share.h) */
    /* guards the lists of gl_owned.h, gl_stage.variants, and named_strings */
    pthread_mutex_t mutex;
    /* Number of detected resets of which a context of the group was guilty. Atomic. The other
     * contexts compare it with resets_seen to detect a reset. */
    unsigned resets;
    struct drv_screen *screen;
    /* Object names. `programs` contains program and shader objects, and `assembly` contains
     * assembly programs. `framebuffers` is used by compatibility contexts only; the others don't
     * share framebuffers. */
    struct gl_names buffers, textures, renderbuffers, samplers, programs, lists, syncs, assembly,
        framebuffers;
    struct gl_handle_table *handles;        /* see gl_handle.c; NULL: none yet */
    void *texture_private;                  /* default textures, see gl_textures_init_shared */
    struct gl_named_strings *named_strings; /* see gl_named_string.c; NULL: none yet */
    struct gl_names ati_shaders, memory_objects, semaphores; /* more object names */
};

/* Limits of the context, computed from the driver's caps. They don't change after creation. */
struct gl_constants {
    unsigned version;      /* 10 * major + minor */
    unsigned glsl_version; /* highest shading language version, e.g. 460, or 320 in ES */
    /* Limits are named after the glGet enumerants and have their units. max_texture_units is the
     * number of fixed-function texture units. */
    GLint max_lights, max_clip_planes, max_texture_units, max_texture_coords;
    GLint max_vertex_attribs, max_texture_image_units, max_vertex_texture_image_units,
        max_combined_texture_image_units;
    GLint max_texture_size, max_3d_texture_size, max_cube_texture_size, max_rect_texture_size,
        max_array_texture_layers, max_renderbuffer_size, max_texture_buffer_size;
    GLint max_sparse_texture_size, max_sparse_3d_texture_size, max_sparse_array_texture_layers;
    GLint max_draw_buffers, max_color_attachments, max_samples, max_viewports, max_views,
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
    /* options of the shader compiler, which contain more limits; created by gl_programs_init */
    struct glsl_options *glsl;
};

/* Functions that submodules call in submodules above them (docs/architecture.md). The submodule
 * that implements a function sets it when it initializes its part of the context. None is NULL
 * while commands run. */
struct gl_hooks {
    /* Draws the vertices that immediate mode has queued. Between glBegin and glEnd, also draws the
     * complete part of the open primitive, which then continues. Called by FLUSH_VERTICES. */
    void (*flush_vertices)(struct gl_context *ctx);
    /* Returns whether glGet clamps colors to [0, 1] (GL 4.6 compatibility §22.2). Updates the
     * framebuffer state first. */
    bool (*get_clamps_colors)(struct gl_context *ctx);
    /* Detaches a texture that is being deleted from the bound framebuffers (GL 4.6 §9.2.8). */
    void (*detach_texture)(struct gl_context *ctx, const struct gl_texture *texture);
};

/* Kinds of dispatch tables. gl_dispatch_select() chooses one by the context's mode. */
enum gl_table {
    GL_TABLE_EXEC,      /* outside glBegin and glEnd */
    GL_TABLE_BEGIN_END, /* between them; commands not allowed there raise an error */
    GL_TABLE_SAVE,      /* while a display list is compiled, outside glBegin and glEnd */
    /* while a list is compiled, between an executed glBegin and its glEnd */
    GL_TABLE_SAVE_BEGIN_END,
    GL_TABLE_LOST, /* after a context reset (KHR_robustness) */
    GL_TABLE_COUNT,
};

/* Bits of gl_context.claims. */
enum gl_claim {
    GL_CLAIM_USED = 1 << 0,    /* current to a thread, or a thread is copying the context's state */
    GL_CLAIM_DELETED = 1 << 1, /* to be freed when it is no longer used */
};

/* A GL context. Only the thread that has set GL_CLAIM_USED uses it: the one that it is current to,
 * or one that is copying its state. */
struct gl_context {
    /* Frequently read fields come first. */
    uint64_t dirty; /* enum gl_dirty bits */
    /* GL_DIRTY_COMPUTE bits that a dispatch cleared in dirty and the next draw must handle */
    uint64_t draw_dirty;
    /* GL_DIRTY_COMPUTE bits that a draw cleared and the next dispatch must handle */
    uint64_t compute_dirty;
    bool need_flush;       /* immediate mode has queued vertices (FLUSH_VERTICES) */
    bool inside_begin_end; /* an executed glBegin is open; one only compiled into a list isn't */
    bool compiling_list;   /* between glNewList and glEndList */
    GLenum error;          /* pending glGetError value */

    enum gl_api api;
    struct gl_hooks hooks;
    struct gl_visual visual; /* as passed to context_create; zero if it was NULL (!has_visual) */
    bool has_visual, debug_context, forward_compatible, robust_access, no_error;
    /* don't flush when the context is released from a thread (KHR_context_flush_control) */
    bool no_release_flush;
    gl_find_image find_image; /* resolves EGL images, set by the loader library; may be NULL */
    void *find_image_data;    /* passed to find_image */
    enum gl_reset_strategy reset;
    unsigned resets_seen; /* value of gl_shared.resets when the context was created */
    /* status not yet returned by glGetGraphicsResetStatus; GL_NO_ERROR: none */
    GLenum reset_status;
    bool lost;         /* a reset happened: commands raise GL_CONTEXT_LOST */
    bool ever_current; /* has been current with a drawable, which set viewport and scissor */
    struct gl_constants consts;
    /* One bool per extension name, e.g. ext.ARB_texture_float: true if the context advertises the
     * extension or its version includes the functionality. It may also be true for an extension
     * that the context's API doesn't have. */
    struct gl_extensions ext;
    /* results of glGetString */
    char *version_string, *extensions_string, *renderer_string, *glsl_version_string;
    const char **extension_names; /* names of the advertised extensions, including "GL_" */
    unsigned num_extensions;
    /* Extensions that ESSL shaders may enable. In a desktop context, these are the extensions of
     * an OpenGL ES context of the highest ES version that the context is compatible with. */
    const char **es_extension_names;
    unsigned num_es_extensions;

    struct drv_screen *screen;
    struct drv_context *drv;
    struct gl_shared *shared;
    const struct gl_dispatch *tables[GL_TABLE_COUNT]; /* tables of the context's API */
    /* selected table: the thread's dispatch table while the context is current */
    const struct gl_dispatch *dispatch;
    /* table that executes commands, also while a list is compiled */
    const struct gl_dispatch *exec_dispatch;
    /* The context's drawables; NULL without one. `window` holds the references. */
    struct gl_drawable *draw_drawable, *read_drawable;
    pthread_t thread; /* thread that last made the context current */
    /* [0]: view of draw_drawable; [1]: view of read_drawable if it is another drawable */
    struct gl_window window[2];
    struct gl_retired retired; /* buffers to release when the running command ends */
    /* command_running: a command of this context is running. share_multiple: the share group has or
     * had other contexts. Both are atomic, see gl_share.h. */
    bool command_running, share_multiple;
    uint8_t after_command; /* enum gl_after_command bits: work to do when the command ends */
    unsigned claims;       /* enum gl_claim bits; atomic */

    /* State by attribute group (glPushAttrib). */
    struct gl_color_state color;
    struct gl_accum_state accum;
    struct gl_depth_state depth;
    struct gl_stencil_state stencil;
    struct gl_polygon_state polygon;
    uint32_t polygon_stipple[32]; /* row 0 lowest, bit 31 leftmost */
    struct gl_line_state line;
    struct gl_point_state point;
    struct gl_viewport_state viewport;
    struct gl_conservative_state conservative;
    struct gl_scissor_state scissor;
    struct gl_multisample_state multisample;
    struct gl_hint_state hint;
    struct gl_light_state light;
    struct gl_fog_state fog;
    struct gl_texenv_state texenv;
    struct gl_transform_state transform;
    struct gl_current_state current_attribs;
    struct gl_eval_state eval;
    GLuint list_base; /* glListBase */

    struct gl_matrix_stack modelview, projection, color_matrix,
        texture_matrix[GL_MAX_TEXTURE_COORD_UNITS], program_matrix[GL_ASM_MATRICES];

    struct gl_array_state array;
    struct gl_names vertex_arrays;
    /* By enum gl_indexed_buffers: talloc array of all binding points of the kind. NULL: nothing was
     * bound yet. */
    struct gl_indexed_buffer *indexed[GL_INDEXED_BUFFERS];
    /* Buffers bound to targets, referenced; NULL: none. external_memory_buffer is the binding of
     * GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD (AMD_pinned_memory). */
    struct gl_buffer *copy_read_buffer, *copy_write_buffer, *draw_indirect_buffer, *uniform_buffer,
        *texture_buffer, *shader_storage_buffer, *query_buffer, *dispatch_indirect_buffer,
        *transform_feedback_buffer, *atomic_counter_buffer, *parameter_buffer,
        *external_memory_buffer;

    struct gl_debug_state debug;

    /* State of other submodules. */
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
    struct gl_mesh_state *mesh; /* memory for draws by mesh shaders; NULL: none was drawn */
    struct gl_cso *cso;

    GLenum render_mode; /* GL_RENDER, GL_SELECT, GL_FEEDBACK */

    /* Set by gl_update_programs(). Vertex elements and rasterizer state are computed from them. */
    uint32_t vs_inputs; /* bit mask by enum vert_attrib of the attributes the vertex shader reads */
    /* The last stage before rasterization writes the point size, and it is used: in ES, with fixed
     * function, or with GL_PROGRAM_POINT_SIZE. */
    bool vs_writes_point_size;
    /* Bit n: the last stage before rasterization writes clip distance n (gl_ClipDistance, or a user
     * clip plane that was lowered to it). */
    uint8_t vs_clip_distances;

    unsigned draw_stamp; /* draw_drawable's stamp when the framebuffer state was last updated */
    /* glViewport was called while a framebuffer object was bound: query the window's size when a
     * command next uses the window */
    bool window_size_pending;

    /* A function, and its argument. The next command that locks the share group calls it first
     * (indium_core.delay_commands). NULL: none. */
    void (*delay)(void *data);
    void *delay_data;

    struct gl_ati_state ati; /* last because it is large and rarely used */
};

/* The calling thread's current context. It is never NULL inside the implementation of a command.
 * GL_CONTEXT(ctx) declares a local variable ctx that points to it. */
extern _Thread_local struct gl_context *gl_current_context
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
#define GL_CONTEXT(ctx) struct gl_context *ctx = gl_current_context

/* Draws the vertices that immediate mode has queued, then sets the dirty bits `bits` (enum
 * gl_dirty; 0: none). Call it before every state change. Evaluates ctx several times. */
#define FLUSH_VERTICES(ctx, bits)                                                                  \
    do {                                                                                           \
        if ((ctx)->need_flush)                                                                     \
            (ctx)->hooks.flush_vertices(ctx);                                                      \
        (ctx)->dirty |= (bits);                                                                    \
    } while (0)

/* Return whether the context's API is OpenGL in any profile, OpenGL in the compatibility profile,
 * or OpenGL ES in any version. */
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

/* Returns whether the context has fixed-function state: compatibility profile and ES 1. */
static inline bool gl_has_fixed_function(const struct gl_context *ctx)
{
    return ctx->api == GL_API_COMPAT || ctx->api == GL_API_ES1;
}

/* Returns whether the context advertises the extension with a full name ("GL_ARB_…"). It is meant
 * for tables that contain names; other code tests ctx->ext. */
bool gl_has_extension(const struct gl_context *ctx, const char *name);
/* Returns whether ESSL shaders in the context may enable the extension with a full name. */
bool gl_has_es_extension(const struct gl_context *ctx, const char *name);
/* Returns whether the context's version or extensions define an enumerant that glGet, glEnable,
 * glIsEnabled, glTexParameter or glSamplerParameter accept. Returns true for enumerants that the
 * tables don't list. Generated by gl_available.py. */
bool gl_enum_available(const struct gl_context *ctx, GLenum name);

#endif
