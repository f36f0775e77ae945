/* SPDX-License-Identifier: MIT */
/* Creation and destruction of contexts; versions, extensions and strings. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "gl/api/gl_core.h"
#include "gl/api/gl_semaphore.h"
#include "gl/api/gl_version.h"
#include "gl/buffer/gl_buffer.h"
#include "gl/buffer/gl_memory.h"
#include "gl/compat/gl_attrib_stack.h"
#include "gl/compat/gl_eval.h"
#include "gl/compat/gl_immediate.h"
#include "gl/compat/gl_lists.h"
#include "gl/context/gl_context.h"
#include "gl/context/gl_current.h"
#include "gl/context/gl_reset.h"
#include "gl/context/gl_share.h"
#include "gl/draw/gl_array.h"
#include "gl/draw/gl_draw_pixels.h"
#include "gl/draw/gl_feedback.h"
#include "gl/draw/gl_mesh.h"
#include "gl/draw/gl_query.h"
#include "gl/draw/gl_transform_feedback.h"
#include "gl/fixed/gl_ati_shader.h"
#include "gl/fixed/gl_ff.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_program.h"
#include "gl/state/gl_cso.h"
#include "gl/state/gl_matrix.h"
#include "gl/state/gl_state.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "glsl/glsl.h"
#include "util/check.h"
#include "util/options.h"
#include "util/refcount.h"
#include "util/strbuf.h"

/* --------------------------------------------------------------------------------- versions --- */

/* Returns the table row for an override like "2.1", "3.0COMPAT" or "3.3FC", or NULL if there is
 * none. */
static const struct gl_version_row *forced_row(enum gl_api api, const char *text)
{
    unsigned major, minor;
    if (!text || sscanf(text, "%u.%u", &major, &minor) != 2 || major > 9 || minor > 9)
        return NULL;
    return gl_version_row(api, 10 * major + minor);
}

/* Returns whether the override demands forward-compatible core contexts, like "3.3FC". */
static bool forces_forward_compatible(void)
{
    const char *text = util_get_options()->gl_version_override;
    return text && strstr(text, "FC");
}

/* Returns the table row of the version that contexts of the API get. Returns NULL if the API isn't
 * supported, and for ES 1. */
static const struct gl_version_row *find_context_row(enum gl_api api)
{
    const struct util_options *o = util_get_options();
    const char *text = api == GL_API_ES2 ? o->gles_version_override : o->gl_version_override;
    const struct gl_version_row *forced = forced_row(api, text);
    if (api == GL_API_COMPAT && forced && forces_forward_compatible())
        forced = NULL;
    if (forced)
        return api == GL_API_CORE && forced->version < 31 ? NULL : forced;
    return gl_version_row(api, gl_supported_version(&gl_screen()->caps, api));
}

/* by API: the result of find_context_row, which never changes: there is one screen, and options are
 * read once */
static const struct gl_version_row *context_rows[GL_API_COUNT];

static void find_context_rows(void)
{
    for (enum gl_api api = 0; api < GL_API_COUNT; api++)
        context_rows[api] = find_context_row(api);
}

/* Does the same as find_context_row, but looks the row up only once: EGL asks for the versions of
 * all APIs for each config. */
static const struct gl_version_row *context_row(enum gl_api api)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_context_rows);
    return context_rows[api];
}

unsigned gl_max_version(enum gl_api api)
{
    if (!gl_screen())
        return 0;
    if (api == GL_API_ES1)
        return 11;
    const struct gl_version_row *row = context_row(api);
    return row ? row->version : 0;
}

static unsigned glsl_version_of(enum gl_api api)
{
    const char *text = util_get_options()->glsl_version_override;
    unsigned forced = text && api <= GL_API_CORE ? strtoul(text, NULL, 10) : 0;
    const struct gl_version_row *row = context_row(api);
    return forced ? forced : row ? row->language : 100;
}

/* -------------------------------------------------------------------------------- constants --- */

static void init_constants(struct gl_context *ctx)
{
    struct gl_constants *k = &ctx->consts;
    const struct drv_caps *c = &ctx->screen->caps;
    const struct drv_stage_caps *vs = &c->stage[SHADER_VERTEX], *fs = &c->stage[SHADER_FRAGMENT];
    unsigned layers = MIN2(c->max_texture_array_layers, 65535);

    k->max_lights = GL_MAX_LIGHTS_;
    k->max_clip_planes = ctx->api == GL_API_ES1 ? 6 : DRV_MAX_CLIP_PLANES;
    k->max_texture_coords = GL_MAX_TEXTURE_COORD_UNITS;
    k->max_texture_units = MIN2(GL_MAX_TEXTURE_COORD_UNITS, fs->max_samplers);
    k->max_vertex_attribs = 16;
    k->max_texture_image_units = MIN2(fs->max_samplers, GL_MAX_STAGE_UNITS);
    k->max_vertex_texture_image_units = MIN2(vs->max_samplers, GL_MAX_STAGE_UNITS);
    k->max_combined_texture_image_units = MIN2(6 * k->max_texture_image_units, GL_MAX_UNITS);
    k->max_texture_size = c->max_texture_2d_size;
    k->max_3d_texture_size = c->max_texture_3d_size;
    k->max_cube_texture_size = c->max_texture_cube_size;
    k->max_rect_texture_size = c->max_texture_2d_size;
    k->max_array_texture_layers = layers;
    k->max_sparse_texture_size = k->max_texture_size;
    k->max_sparse_3d_texture_size = k->max_3d_texture_size;
    k->max_sparse_array_texture_layers = layers;
    k->max_renderbuffer_size = c->max_texture_2d_size;
    k->max_texture_buffer_size = c->max_texture_buffer_texels;
    k->max_draw_buffers = k->max_color_attachments =
        MIN2(c->max_render_targets, DRV_MAX_COLOR_BUFS);
    k->max_samples = c->max_samples > 1 ? c->max_samples : 0;
    k->max_views = ctx->ext.OVR_multiview ? (GLint)ctx->screen->caps.max_views : 0;
    k->max_viewports = ctx->ext.ARB_viewport_array ? DRV_MAX_VIEWPORTS : 1;
    k->max_dual_source_draw_buffers =
        c->dual_source_blend ? c->max_dual_source_render_targets : ctx->ext.ARB_blend_func_extended;
    k->max_viewport_dims[0] = k->max_viewport_dims[1] = c->max_texture_2d_size;
    k->max_varying_floats = 4 * c->max_varyings;
    k->max_vertex_uniform_components = k->max_fragment_uniform_components =
        MIN2(vs->max_const_buffer_size / 4, 16384);
    k->max_uniform_block_size = vs->max_const_buffer_size;
    k->max_modelview_stack = k->max_projection_stack = GL_MATRIX_STACK_MAX;
    k->max_texture_stack = 10;
    k->max_attrib_stack = k->max_client_attrib_stack = 16;
    k->max_name_stack = 64;
    k->max_list_nesting = 64;
    k->max_eval_order = 30;
    k->max_elements_vertices = k->max_elements_indices = 3000;
    k->max_pixel_map_table = 256;
    k->subpixel_bits = c->subpixel_bits;
    k->point_size_range[0] = k->line_width_range[0] = 1.0f;
    k->point_size_range[1] = c->max_point_size;
    k->line_width_range[1] = c->max_line_width;
    k->point_size_granularity = k->line_width_granularity = 0.125f;
    k->max_anisotropy = c->max_anisotropy;
    k->max_lod_bias = c->max_lod_bias;
}

/* ---------------------------------------------------------------------------------- strings --- */

/* Returns the flag of an extension in *ext. */
static bool *extension_of(const struct gl_extensions *ext, const struct gl_extension_row *row)
{
    return (bool *)((char *)ext + row->offset);
}

/* Returns whether the extension string lists the extension; some rows only enable a feature of the
 * version. */
static bool is_advertised(const struct gl_extensions *ext, const struct gl_extension_row *row,
                          enum gl_api api)
{
    return *extension_of(ext, row) && row->apis >> api & 1;
}

/* Turns the extension of that name on or off. "all" selects every extension of the API. */
static void override_extension(struct gl_extensions *ext, enum gl_api api, const char *name,
                               size_t length, bool on)
{
    bool all = length == 3 && !strncmp(name, "all", 3);
    unsigned count;
    const struct gl_extension_row *rows = gl_extension_rows(&count);
    for (unsigned i = 0; i < count; i++) {
        bool named = strlen(rows[i].name) == length && !strncmp(rows[i].name, name, length);
        if (named || (all && rows[i].apis >> api & 1))
            *extension_of(ext, &rows[i]) = on;
    }
}

/* Applies INDIUM_EXTENSION_OVERRIDE, for example "+GL_foo -GL_bar" or "+all". */
static void override_extensions(struct gl_extensions *ext, enum gl_api api)
{
    const char *text = util_get_options()->extension_override;
    while (text && *text) {
        size_t n = strcspn(text, " ,");
        const char *name = text + (*text == '-' || *text == '+');
        override_extension(ext, api, name, n - (name - text), *text != '-');
        text += n + (text[n] != 0);
    }
}

/* Returns the ES version that a desktop context is compatible with; 0: none. */
static unsigned compatible_es_version(const struct gl_extensions *ext)
{
    return ext->ARB_ES3_2_compatibility   ? 32
           : ext->ARB_ES3_1_compatibility ? 31
           : ext->ARB_ES3_compatibility   ? 30
           : ext->ARB_ES2_compatibility   ? 20
                                          : 0;
}

/* Lists the extensions for ESSL shaders. Returns false if out of memory. */
static bool init_es_extensions(struct gl_context *ctx)
{
    unsigned count, version = compatible_es_version(&ctx->ext);
    const struct gl_extension_row *rows = gl_extension_rows(&count);
    struct gl_extensions ext;

    if (gl_is_es(ctx)) {
        ctx->es_extension_names = ctx->extension_names;
        ctx->num_es_extensions = ctx->num_extensions;
        return true;
    }
    if (!version)
        return true;
    ctx->es_extension_names = talloc_array(ctx, const char *, count);
    if (!ctx->es_extension_names)
        return false;
    gl_supported_extensions(&ext, &ctx->screen->caps, GL_API_ES2, version);
    override_extensions(&ext, GL_API_ES2);
    for (unsigned i = 0; i < count; i++)
        if (is_advertised(&ext, &rows[i], GL_API_ES2))
            NEXT_WITHIN(ctx->es_extension_names, ctx->num_es_extensions, count) = rows[i].name;
    return true;
}

/* Initializes the context's extensions. Returns false if out of memory. */
static bool init_extensions(struct gl_context *ctx)
{
    unsigned count;
    const struct gl_extension_row *rows = gl_extension_rows(&count);
    struct strbuf all = STRBUF_INIT(ctx);

    gl_supported_extensions(&ctx->ext, &ctx->screen->caps, ctx->api, ctx->consts.version);
    override_extensions(&ctx->ext, ctx->api);
    gl_imply_extensions(&ctx->ext);
    ctx->extension_names = talloc_array(ctx, const char *, count);
    if (!ctx->extension_names)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (!is_advertised(&ctx->ext, &rows[i], ctx->api))
            continue;
        /* programs expect a space after the last one, too */
        strbuf_printf(&all, "%s ", rows[i].name);
        NEXT_WITHIN(ctx->extension_names, ctx->num_extensions, count) = rows[i].name;
    }
    ctx->extensions_string = talloc_strdup(ctx, strbuf_str(&all));
    return ctx->extensions_string && !all.failed && init_es_extensions(ctx);
}

static bool init_strings(struct gl_context *ctx)
{
    unsigned v = ctx->consts.version, g = ctx->consts.glsl_version;
    ctx->renderer_string = talloc_asprintf(ctx, "Indium (%s)", ctx->screen->name);
    const char *es = ctx->api == GL_API_ES1   ? "OpenGL ES-CM "
                     : ctx->api == GL_API_ES2 ? "OpenGL ES "
                                              : "";
    const char *profile = v < 32                      ? ""
                          : ctx->api == GL_API_CORE   ? " (Core Profile)"
                          : ctx->api == GL_API_COMPAT ? " (Compatibility Profile)"
                                                      : "";
    ctx->version_string =
        talloc_asprintf(ctx, "%s%u.%u%s Indium " INDIUM_RELEASE, es, v / 10, v % 10, profile);
    ctx->glsl_version_string =
        ctx->api == GL_API_ES2
            ? talloc_asprintf(ctx, "OpenGL ES GLSL ES %u.%02u", g / 100, g == 100 ? 0 : g % 100)
            : talloc_asprintf(ctx, "%u.%02u", g / 100, g % 100);
    return ctx->renderer_string && ctx->version_string && ctx->glsl_version_string;
}

const GLubyte *gl_GetString(GLenum name)
{
    GL_CONTEXT(ctx);
    switch (name) {
    case GL_PROGRAM_ERROR_STRING_ARB:
        if (ctx->ext.ARB_vertex_program)
            return (const GLubyte *)(ctx->assembly.error ? ctx->assembly.error : "");
        break;
    case GL_VENDOR:
        return (const GLubyte *)"Indium";
    case GL_RENDERER:
        return (const GLubyte *)ctx->renderer_string;
    case GL_VERSION:
        return (const GLubyte *)ctx->version_string;
    case GL_SHADING_LANGUAGE_VERSION:
        if (ctx->api == GL_API_ES1)
            break;
        return (const GLubyte *)ctx->glsl_version_string;
    case GL_EXTENSIONS:
        if (ctx->api == GL_API_CORE)
            break;
        return (const GLubyte *)ctx->extensions_string;
    }
    gl_error(ctx, GL_INVALID_ENUM, "glGetString(name=%s)", gl_enum_name(name));
    return NULL;
}

/* Shading language versions for glGetStringi: desktop GL's first, in descending order (GL 4.6
 * §22.2). */
static const struct language {
    uint16_t version;
    bool es;
    const char *core, *compat; /* NULL: not in that profile */
} languages[] = {
    {460, false, "460 core", "460 compatibility"},
    {450, false, "450 core", "450 compatibility"},
    {440, false, "440 core", "440 compatibility"},
    {430, false, "430 core", "430 compatibility"},
    {420, false, "420 core", "420 compatibility"},
    {410, false, "410 core", "410 compatibility"},
    {400, false, "400 core", "400 compatibility"},
    {330, false, "330 core", "330 compatibility"},
    {150, false, "150 core", "150 compatibility"},
    {140, false, "140", "140"},
    {130, false, NULL, "130"},
    {120, false, NULL, "120"},
    {110, false, NULL, ""},
    {320, true, "320 es", "320 es"},
    {310, true, "310 es", "310 es"},
    {300, true, "300 es", "300 es"},
    {100, true, "100", "100"},
};

/* Returns the name of supported language number `index`, or NULL past the last one. */
static const char *language(const struct gl_context *ctx, unsigned index)
{
    const struct glsl_options *o = ctx->consts.glsl;
    for (unsigned i = 0; i < ARRAY_SIZE(languages); i++) {
        const struct language *l = &languages[i];
        const char *name = ctx->api == GL_API_CORE ? l->core : l->compat;
        if (name && l->version <= (l->es ? o->max_es_version : o->max_version) && !index--)
            return name;
    }
    return NULL;
}

GLint gl_num_languages(const struct gl_context *ctx)
{
    GLint n = 0;
    while (language(ctx, n))
        n++;
    return n;
}

const GLubyte *gl_GetStringi(GLenum name, GLuint index)
{
    GL_CONTEXT(ctx);
    const char *text;
    if (name == GL_EXTENSIONS) {
        text = index < ctx->num_extensions ? ctx->extension_names[index] : NULL;
    } else if (name == GL_SHADING_LANGUAGE_VERSION && gl_is_desktop(ctx)) {
        text = language(ctx, index);
    } else if (name == GL_SPIR_V_EXTENSIONS && ctx->ext.ARB_spirv_extensions) {
        text = gl_spirv_extension(ctx, index);
    } else {
        gl_error(ctx, GL_INVALID_ENUM, "glGetStringi(name=%s)", gl_enum_name(name));
        return NULL;
    }
    if (!text)
        gl_error(ctx, GL_INVALID_VALUE, "glGetStringi(index=%u)", index);
    return (const GLubyte *)text;
}

/* ----------------------------------------------------------------------------- share groups --- */

/* Initializes a share group. Returns false if out of memory; the caller then releases it as
 * usual. */
static bool shared_init(struct gl_shared *s)
{
    return gl_names_init(&s->buffers) && gl_names_init(&s->textures) &&
           gl_names_init(&s->renderbuffers) && gl_names_init(&s->samplers) &&
           gl_names_init(&s->programs) && gl_names_init(&s->lists) && gl_names_init(&s->syncs) &&
           gl_names_init(&s->assembly) && gl_names_init(&s->ati_shaders) &&
           gl_names_init(&s->memory_objects) && gl_names_init(&s->semaphores) &&
           gl_names_init(&s->framebuffers) && gl_textures_init_shared(s);
}

/* Allocates a share group, to be initialized by shared_init(). Returns NULL if out of memory. */
static struct gl_shared *shared_create(struct drv_screen *screen)
{
    struct gl_shared *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->refcount = 1;
    s->screen = screen;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->mutex, NULL);
    return s;
}

static void shared_release(struct gl_context *ctx, struct gl_shared *s)
{
    if (!s || !ref_drop(&s->refcount))
        return;
    gl_lists_finish_shared(s);
    gl_asm_finish_shared(ctx, s);
    gl_ati_finish_shared(ctx, s);
    gl_programs_finish_shared(ctx, s);
    gl_named_strings_finish(s);
    gl_framebuffers_finish_shared(ctx, s);
    gl_textures_finish_shared(ctx, s);
    gl_buffers_finish_shared(ctx, s);
    gl_syncs_finish_shared(s);
    gl_memory_finish_shared(s);
    gl_semaphores_finish_shared(s);
    gl_names_finish(&s->buffers);
    gl_names_finish(&s->textures);
    gl_names_finish(&s->renderbuffers);
    gl_names_finish(&s->samplers);
    gl_names_finish(&s->programs);
    gl_names_finish(&s->lists);
    gl_names_finish(&s->syncs);
    pthread_mutex_destroy(&s->mutex);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* --------------------------------------------------------------------------------- contexts --- */

/* Returns GL_CREATE_OK, or why no context with these attributes exists. */
static enum gl_create_error check_attribs(const struct gl_context_attribs *a)
{
    if (a->api >= GL_API_COUNT || !gl_max_version(a->api))
        return GL_CREATE_BAD_API;
    if (10 * a->major + a->minor > gl_max_version(a->api))
        return GL_CREATE_BAD_VERSION;
    /* EGL_KHR_create_context_no_error: not with debugging or robustness. OpenGL ES has no
     * forward-compatible contexts. */
    if ((a->no_error && (a->debug || a->robust_access)) ||
        (a->forward_compatible && a->api != GL_API_COMPAT && a->api != GL_API_CORE))
        return GL_CREATE_BAD_FLAG;
    /* Contexts of a group agree on these (EGL_KHR_create_context, EGL_KHR_create_context_no_error,
     * GLX_ARB_create_context_robustness). */
    if (a->share && (a->share->reset != a->reset || a->share->no_error != a->no_error))
        return GL_CREATE_BAD_SHARE;
    return GL_CREATE_OK;
}

static bool init_submodules(struct gl_context *ctx)
{
    return init_strings(ctx) && gl_matrices_init(ctx) && gl_names_init(&ctx->vertex_arrays) &&
           gl_arrays_init(ctx) && gl_immediate_init(ctx) && gl_lists_init(ctx) &&
           gl_evaluators_init(ctx) && gl_feedback_init(ctx) && gl_attrib_stack_init(ctx) &&
           gl_queries_init(ctx) && gl_cso_init(ctx) && gl_transform_feedback_init(ctx) &&
           gl_textures_init(ctx) && gl_framebuffers_init(ctx) && gl_programs_init(ctx) &&
           (!gl_has_fixed_function(ctx) || gl_ff_init(ctx)) && gl_asm_init(ctx) && gl_ati_init(ctx);
}

struct gl_context *gl_context_new(const struct gl_context_attribs *attribs,
                                  enum gl_create_error *error)
{
    *error = check_attribs(attribs);
    if (*error != GL_CREATE_OK)
        return NULL;
    *error = GL_CREATE_NO_MEMORY;
    struct gl_context *ctx = talloc_zero(NULL, struct gl_context);
    if (!ctx)
        return NULL;
    ctx->screen = gl_screen();
    ctx->api = attribs->api;
    ctx->consts.version = gl_max_version(attribs->api);
    ctx->consts.glsl_version = glsl_version_of(ctx->api);
    ctx->debug_context = attribs->debug;
    ctx->forward_compatible =
        attribs->forward_compatible || (ctx->api == GL_API_CORE && forces_forward_compatible());
    ctx->robust_access = attribs->robust_access;
    ctx->no_error = attribs->no_error;
    ctx->no_release_flush = attribs->no_release_flush;
    ctx->find_image = attribs->find_image;
    ctx->find_image_data = attribs->find_image_data;
    ctx->reset = attribs->reset;
    if (attribs->visual) {
        ctx->visual = *attribs->visual;
        ctx->has_visual = true;
    }
    if (attribs->share) {
        gl_share_require_lock(attribs->share);
        ctx->share_multiple = true;
        ctx->shared = attribs->share->shared;
        ref_take(&ctx->shared->refcount);
        ctx->resets_seen = __atomic_load_n(&ctx->shared->resets, __ATOMIC_RELAXED);
    } else {
        ctx->shared = shared_create(ctx->screen);
        if (!ctx->shared || !shared_init(ctx->shared))
            goto fail;
    }
    ctx->drv = ctx->screen->ops->context_create(ctx->screen);
    for (unsigned t = 0; t < GL_TABLE_COUNT; t++)
        ctx->tables[t] = gl_dispatch_get(ctx->api, t);
    if (!ctx->drv || !init_extensions(ctx))
        goto fail;
    ctx->drv->limits_commands = ctx->reset == GL_RESET_LOSE_CONTEXT;
    init_constants(ctx);
    gl_context_init_state(ctx);
    gl_debug_init(ctx);
    gl_pixels_init(ctx);
    if (!init_submodules(ctx))
        goto fail;
    gl_dispatch_select(ctx);
    *error = GL_CREATE_OK;
    return ctx;
fail:
    gl_context_free(ctx);
    return NULL;
}

void gl_context_free(struct gl_context *ctx)
{
    if (!ctx)
        return;
    if (ctx->drv && ctx->shared) {
        bool outermost = gl_share_enter(ctx);
        gl_lists_finish(ctx);
        gl_immediate_finish(ctx);
        gl_evaluators_finish(ctx);
        gl_attrib_stack_finish(ctx);
        gl_queries_finish(ctx);
        gl_mesh_finish(ctx);
        gl_asm_finish(ctx);
        gl_ati_finish(ctx);
        gl_transform_feedback_finish(ctx);
        gl_ff_finish(ctx);
        gl_programs_finish(ctx);
        gl_framebuffers_finish(ctx);
        gl_textures_finish(ctx);
        gl_pixels_finish(ctx);
        gl_arrays_finish(ctx);
        gl_cso_finish(ctx);
        gl_share_leave(ctx, outermost);
    }
    gl_matrices_finish(ctx);
    gl_names_finish(&ctx->vertex_arrays);
    shared_release(ctx, ctx->shared);
    gl_windows_bind(ctx, NULL, NULL);
    gl_debug_finish(ctx);
    if (ctx->drv)
        ctx->drv->ops->destroy(ctx->drv);
    talloc_free(ctx);
}

/* ------------------------------------------------------------------------------------ flush --- */

void gl_context_flush(struct gl_context *ctx, bool finish)
{
    FLUSH_VERTICES(ctx, 0);
    gl_mirrors_flush(ctx);
    struct drv_fence *fence = NULL;
    ctx->drv->ops->flush(ctx->drv, finish ? &fence : NULL);
    if (fence) {
        ctx->screen->ops->fence_finish(ctx->screen, fence, UINT64_MAX);
        ctx->screen->ops->fence_reference(ctx->screen, &fence, NULL);
    }
    struct gl_drawable *d = ctx->draw_drawable;
    if (d && ctx->window[0].front_drawn && d->ops && d->ops->front_flushed)
        d->ops->front_flushed(d->data);
}

GLenum gl_GetGraphicsResetStatus(void)
{
    GL_CONTEXT(ctx);
    gl_check_reset(ctx, true);
    GLenum status = ctx->reset_status;
    ctx->reset_status = GL_NO_ERROR;
    return status;
}

void gl_Flush(void)
{
    GL_CONTEXT(ctx);
    gl_context_flush(ctx, false);
    gl_check_reset(ctx, false);
}

void gl_Finish(void)
{
    GL_CONTEXT(ctx);
    gl_context_flush(ctx, true);
    gl_check_reset(ctx, false);
}

/* The registry doesn't list GL_ARB_robustness's command as an alias. */
GLenum gl_GetGraphicsResetStatusARB(void)
{
    return gl_GetGraphicsResetStatus();
}
