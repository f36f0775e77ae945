/* SPDX-License-Identifier: MIT */
/* Attachments of framebuffer objects and their queries (GL 4.6 §9.2), draw and read buffers
 * (§17.4.1, §18.2.1). */
#include "gl/context/gl_context.h"
#include "gl/context/gl_get_types.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_texture.h"
#include "gl_dispatch.h"
#include "gl_entry.h"
#include "util/format.h"

struct gl_framebuffer *gl_bound_framebuffer(struct gl_context *ctx, GLenum target, const char *name)
{
    bool split = gl_is_desktop(ctx) || ctx->consts.version >= 30;
    if (target == GL_FRAMEBUFFER || (split && target == GL_DRAW_FRAMEBUFFER))
        return ctx->framebuffer.draw;
    if (split && target == GL_READ_FRAMEBUFFER)
        return ctx->framebuffer.read;
    gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", name, gl_enum_name(target));
    return NULL;
}

/* Gets the first and last attachment point that an enumerant names. False: an error was raised. */
static bool attachment_points(struct gl_context *ctx, GLenum e, unsigned *first, unsigned *last,
                              const char *name)
{
    unsigned color = e - GL_COLOR_ATTACHMENT0;
    bool many = gl_is_desktop(ctx) || ctx->consts.version >= 30;
    if (color < 32) {
        if (color >= (unsigned)ctx->consts.max_color_attachments || (!many && color)) {
            gl_error(ctx, many ? GL_INVALID_OPERATION : GL_INVALID_ENUM, "%s(attachment=%s)", name,
                     gl_enum_name(e));
            return false;
        }
        *first = *last = color;
        return true;
    }
    if (e == GL_DEPTH_ATTACHMENT) {
        *first = *last = GL_ATTACH_DEPTH;
    } else if (e == GL_STENCIL_ATTACHMENT) {
        *first = *last = GL_ATTACH_STENCIL;
    } else if (e == GL_DEPTH_STENCIL_ATTACHMENT && many) {
        *first = GL_ATTACH_DEPTH;
        *last = GL_ATTACH_STENCIL;
    } else {
        gl_error(ctx, GL_INVALID_ENUM, "%s(attachment=%s)", name, gl_enum_name(e));
        return false;
    }
    return true;
}

/* Like attachment_points; raises an error for the default framebuffer. */
static bool user_points(struct gl_context *ctx, const struct gl_framebuffer *fb, GLenum attachment,
                        unsigned *first, unsigned *last, const char *name)
{
    if (!fb->name) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(default framebuffer)", name);
        return false;
    }
    return attachment_points(ctx, attachment, first, last, name);
}

static void attach(struct gl_context *ctx, struct gl_framebuffer *fb, unsigned first, unsigned last,
                   GLenum type, void *object, unsigned level, unsigned face, unsigned layer,
                   bool layered)
{
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    for (unsigned i = first; i <= last; i++)
        gl_attachment_set(ctx, &fb->attachment[i], object ? type : GL_NONE, object, level, face,
                          layer, layered);
    gl_framebuffer_changed(ctx, fb);
}

void gl_framebuffer_renderbuffer(struct gl_context *ctx, struct gl_framebuffer *fb,
                                 GLenum attachment, GLenum rb_target, GLuint name, const char *call)
{
    unsigned first, last;
    if (!user_points(ctx, fb, attachment, &first, &last, call))
        return;
    if (rb_target != GL_RENDERBUFFER) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(renderbuffertarget=%s)", call, gl_enum_name(rb_target));
        return;
    }
    struct gl_renderbuffer *rb = gl_renderbuffer_lookup(ctx, name);
    if (name && !rb) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(renderbuffer=%u)", call, name);
        return;
    }
    attach(ctx, fb, first, last, GL_RENDERBUFFER, rb, 0, 0, 0, false);
}

/* Implements gl_framebuffer_texture. Returns false after raising an error. */
static bool attach_texture(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum attachment,
                           unsigned dims, GLenum textarget, GLuint texture, GLint level,
                           GLint layer, const char *name)
{
    unsigned first, last, face = 0;
    if (!user_points(ctx, fb, attachment, &first, &last, name))
        return false;
    struct gl_texture *t = gl_texture_lookup(ctx, texture);
    if (!texture) {
        attach(ctx, fb, first, last, GL_NONE, NULL, 0, 0, 0, false);
        return true;
    }
    if (!t || !t->target || t->index == GL_TEXTURE_INDEX_BUFFER) {
        gl_error(ctx, dims > 3 && !t ? GL_INVALID_VALUE : GL_INVALID_OPERATION, "%s(texture=%u)",
                 name, texture);
        return false;
    }
    bool layers = t->index == GL_TEXTURE_INDEX_1D_ARRAY || t->index == GL_TEXTURE_INDEX_2D_ARRAY ||
                  t->index == GL_TEXTURE_INDEX_3D || t->index == GL_TEXTURE_INDEX_CUBE_ARRAY ||
                  t->index == GL_TEXTURE_INDEX_2D_MS_ARRAY;
    /* applications also pass arrays to attach the first layer, which other implementations allow */
    if (dims <= 3) {
        int index = gl_texture_target_index(ctx, textarget);
        bool ok_dims = dims == 1 ? textarget == GL_TEXTURE_1D || textarget == GL_TEXTURE_1D_ARRAY
                       : dims == 3
                           ? textarget == GL_TEXTURE_3D
                           : textarget == GL_TEXTURE_2D || textarget == GL_TEXTURE_RECTANGLE ||
                                 textarget == GL_TEXTURE_2D_ARRAY ||
                                 textarget == GL_TEXTURE_2D_MULTISAMPLE ||
                                 (textarget >= GL_TEXTURE_CUBE_MAP_POSITIVE_X &&
                                  textarget <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z);
        if (index < 0 || !ok_dims) {
            gl_error(ctx, index < 0 ? GL_INVALID_ENUM : GL_INVALID_OPERATION, "%s(textarget=%s)",
                     name, gl_enum_name(textarget));
            return false;
        }
        if (index != (int)t->index) {
            gl_error(ctx, GL_INVALID_OPERATION, "%s(textarget=%s, texture has %s)", name,
                     gl_enum_name(textarget), gl_enum_name(t->target));
            return false;
        }
        face = gl_face_of(textarget);
    } else if (dims == GL_ATTACH_FACE) {
        const bool is_face = textarget >= GL_TEXTURE_CUBE_MAP_POSITIVE_X &&
                             textarget <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z;
        if (!is_face || t->index != GL_TEXTURE_INDEX_CUBE) {
            gl_error(ctx, is_face ? GL_INVALID_OPERATION : GL_INVALID_ENUM,
                     "%s(face=%s, texture has %s)", name, gl_enum_name(textarget),
                     gl_enum_name(t->target));
            return false;
        }
        face = gl_face_of(textarget);
    } else if (dims == GL_ATTACH_LAYER && !layers && t->index != GL_TEXTURE_INDEX_CUBE) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture has no layers)", name);
        return false;
    }
    unsigned levels = t->immutable ? t->part.levels : gl_texture_max_levels(ctx, t->index);
    if (level < 0 || (unsigned)level >= levels ||
        (gl_is_es(ctx) && ctx->consts.version < 30 && level != 0) /* ES 2.0 §4.4.3 */) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", name, level);
        return false;
    }
    GLint max_layer = t->index == GL_TEXTURE_INDEX_3D     ? ctx->consts.max_3d_texture_size
                      : t->index == GL_TEXTURE_INDEX_CUBE ? 6
                                                          : ctx->consts.max_array_texture_layers;
    if ((dims == 3 || dims == GL_ATTACH_LAYER) && (layer < 0 || layer >= max_layer)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(layer=%d)", name, layer);
        return false;
    }
    if (dims == GL_ATTACH_LAYER && t->index == GL_TEXTURE_INDEX_CUBE) {
        face = layer;
        layer = 0;
    }
    attach(ctx, fb, first, last, GL_TEXTURE, t, level, face, layer,
           dims == GL_ATTACH_WHOLE && (layers || t->index == GL_TEXTURE_INDEX_CUBE));
    return true;
}

void gl_framebuffer_texture(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum attachment,
                            unsigned dims, GLenum textarget, GLuint texture, GLint level,
                            GLint layer, const char *name)
{
    attach_texture(ctx, fb, attachment, dims, textarget, texture, level, layer, name);
}

void gl_framebuffer_texture_views(struct gl_context *ctx, struct gl_framebuffer *fb,
                                  GLenum attachment, GLuint texture, GLint level, GLint first_view,
                                  GLsizei num_views, const char *name)
{
    unsigned first, last;
    if (!user_points(ctx, fb, attachment, &first, &last, name))
        return;
    /* Without a texture, the other parameters are ignored, as in glFramebufferTextureLayer. */
    if (texture && (num_views < 1 || num_views > ctx->consts.max_views)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(numViews=%d)", name, num_views);
        return;
    }
    struct gl_texture *t = gl_texture_lookup(ctx, texture);
    if (texture && (!t || t->index != GL_TEXTURE_INDEX_2D_ARRAY)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u is no 2D array)", name, texture);
        return;
    }
    if (texture && (first_view < 0 ||
                    (int64_t)first_view + num_views > ctx->consts.max_array_texture_layers)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(baseViewIndex=%d, numViews=%d)", name, first_view,
                 num_views);
        return;
    }
    if (!attach_texture(ctx, fb, attachment, GL_ATTACH_LAYER, GL_NONE, texture, level, first_view,
                        name) ||
        !texture)
        return;
    for (unsigned i = first; i <= last; i++)
        fb->attachment[i].views = num_views;
    gl_framebuffer_changed(ctx, fb);
}

/* ---------------------------------------------------------------------------------- queries --- */

/* Returns whether the window has any of the buffers that e names. */
static bool window_has(const struct gl_context *ctx, GLenum e)
{
    const struct gl_visual *v = ctx->draw_drawable ? &ctx->draw_drawable->visual : &ctx->visual;
    switch (e) {
    case GL_FRONT:
    case GL_FRONT_LEFT:
    case GL_LEFT:
    case GL_FRONT_AND_BACK:
        return true;
    case GL_BACK:
        return v->double_buffered || gl_is_es(ctx);
    case GL_BACK_LEFT:
        return v->double_buffered;
    case GL_FRONT_RIGHT:
    case GL_RIGHT:
        return v->stereo;
    case GL_BACK_RIGHT:
        return v->stereo && v->double_buffered;
    default:
        return false;
    }
}

/* Queries a buffer of the default framebuffer by an enumerant of GL 4.6 §9.2.3. */
static void window_parameter(struct gl_context *ctx, GLenum attachment, GLenum pname, GLint *params,
                             const char *name)
{
    bool depth = attachment == GL_DEPTH, stencil = attachment == GL_STENCIL;
    bool color = attachment == GL_BACK;
    if (gl_is_desktop(ctx))
        color |= attachment == GL_FRONT_LEFT || attachment == GL_BACK_LEFT ||
                 attachment == GL_FRONT_RIGHT || attachment == GL_BACK_RIGHT ||
                 attachment == GL_FRONT;
    bool queryable =
        gl_is_desktop(ctx) || ctx->consts.version >= 30; /* GL_ARB_framebuffer_object */
    if (!queryable || !(depth || stencil || color)) {
        gl_error(ctx, queryable ? GL_INVALID_ENUM : GL_INVALID_OPERATION, "%s(attachment=%s)", name,
                 gl_enum_name(attachment));
        return;
    }
    const struct gl_visual *visual =
        ctx->draw_drawable ? &ctx->draw_drawable->visual : &ctx->visual;
    enum drv_format f = color ? gl_visual_format(visual) : visual->depth_stencil;
    bool exists = color   ? f != DRV_FORMAT_NONE && window_has(ctx, attachment)
                  : depth ? util_format_has_depth(f)
                          : util_format_has_stencil(f);
    if (!exists && pname != GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) {
        if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME)
            *params = 0;
        else
            gl_error(ctx, GL_INVALID_OPERATION, "%s(pname=%s, no %s buffer)", name,
                     gl_enum_name(pname), gl_enum_name(attachment));
        return;
    }
    switch (pname) {
    case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
        *params = exists ? GL_FRAMEBUFFER_DEFAULT : GL_NONE;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE:
        *params =
            color ? util_format_component_bits(f, pname - GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE) : 0;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE:
        *params = depth ? util_format_depth_bits(f) : 0;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE:
        *params = stencil ? util_format_stencil_bits(f) : 0;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE:
        *params = stencil ? GL_INDEX : GL_UNSIGNED_NORMALIZED;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING:
        *params = util_format_is_srgb(f) ? GL_SRGB : GL_LINEAR;
        return;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
    }
}

static GLenum component_type(enum drv_format f, unsigned point)
{
    if (point == GL_ATTACH_STENCIL)
        return GL_INDEX;
    if (util_format_is_pure_integer(f))
        return util_format_is_pure_sint(f) ? GL_INT : GL_UNSIGNED_INT;
    return util_format_is_float(f)   ? GL_FLOAT
           : util_format_is_snorm(f) ? GL_SIGNED_NORMALIZED
                                     : GL_UNSIGNED_NORMALIZED;
}

static void attached_parameter(struct gl_context *ctx, const struct gl_attachment *a,
                               unsigned point, GLenum pname, GLint *params, const char *name)
{
    bool texture = a->type == GL_TEXTURE;
    const struct gl_image *image = texture ? &a->texture->image[a->face][a->level] : NULL;
    GLenum base = texture ? image->base : a->renderbuffer->base;
    enum drv_format f = texture ? image->format : a->renderbuffer->format;
    switch (pname) {
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR:
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR:
        if (!texture || !ctx->ext.OVR_multiview)
            break;
        *params = pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR ? (GLint)a->views
                  : a->views                                               ? (GLint)a->layer
                                                                           : 0;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME:
        *params = texture ? a->texture->name : a->renderbuffer->name;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE:
    case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER:
    case GL_FRAMEBUFFER_ATTACHMENT_LAYERED:
        if (!texture)
            break;
        *params = pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL   ? (GLint)a->level
                  : pname == GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER ? (GLint)a->layer
                  : pname == GL_FRAMEBUFFER_ATTACHMENT_LAYERED       ? a->layered
                  : a->texture->index == GL_TEXTURE_INDEX_CUBE && !a->layered
                      ? (GLint)(GL_TEXTURE_CUBE_MAP_POSITIVE_X + a->face)
                      : 0;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE:
    case GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE: {
        unsigned c = pname - GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE;
        *params = gl_format_bits(base, f, c < 4 ? c : c + 2);
        return;
    }
    case GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE:
        *params = f != DRV_FORMAT_NONE ? component_type(f, point) : GL_NONE;
        return;
    case GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING:
        *params = util_format_is_srgb(f) ? GL_SRGB : GL_LINEAR;
        return;
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
}

void gl_framebuffer_get_attachment(struct gl_context *ctx, const struct gl_framebuffer *fb,
                                   GLenum attachment, GLenum pname, GLint *params, const char *name)
{
    unsigned first, last;
    if (!fb->name) {
        window_parameter(ctx, attachment, pname, params, name);
        return;
    }
    if (!attachment_points(ctx, attachment, &first, &last, name))
        return;
    const struct gl_attachment *a = &fb->attachment[first];
    if (first != last && (a->texture != fb->attachment[last].texture ||
                          a->renderbuffer != fb->attachment[last].renderbuffer)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(depth and stencil differ)", name);
        return;
    }
    if (first != last && pname == GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(depth and stencil have types of their own)", name);
        return;
    }
    /* ES 2.0 raises another error and has no object name for empty attachments (ES 2.0 §6.1.13). */
    const bool es2 = gl_is_es(ctx) && ctx->consts.version < 30;
    if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) {
        *params = a->type;
    } else if (a->type == GL_NONE) {
        if (pname == GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME && !es2)
            *params = 0;
        else
            gl_error(ctx, es2 ? GL_INVALID_ENUM : GL_INVALID_OPERATION,
                     "%s(pname=%s, nothing attached)", name, gl_enum_name(pname));
    } else {
        attached_parameter(ctx, a, first, pname, params, name);
    }
}

/* ----------------------------------------------------------------- parameters, invalidation --- */

/* Returns the flag that a parameter of ARB_sample_locations sets; NULL if the name is none. The
 * default framebuffer has these parameters, too. */
static bool *location_flag(const struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname)
{
    if (!ctx->ext.ARB_sample_locations && !ctx->ext.NV_sample_locations)
        return NULL;
    return pname == GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB ? &fb->programmable_locations
           : pname == GL_FRAMEBUFFER_SAMPLE_LOCATION_PIXEL_GRID_ARB  ? &fb->location_grid
                                                                     : NULL;
}

/* Returns whether the parameter is that of MESA_framebuffer_flip_y. The default framebuffer doesn't
 * have it: *fb becomes NULL after an error. */
static bool is_flip(struct gl_context *ctx, struct gl_framebuffer **fb, GLenum pname,
                    const char *name)
{
    if (pname != GL_FRAMEBUFFER_FLIP_Y_MESA || !ctx->ext.MESA_framebuffer_flip_y)
        return false;
    if (!(*fb)->name) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(default framebuffer)", name);
        *fb = NULL;
    }
    return true;
}

void gl_framebuffer_parameter_mesa(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                                   GLint param, const char *name)
{
    if (pname == GL_FRAMEBUFFER_FLIP_Y_MESA)
        gl_framebuffer_parameter(ctx, fb, pname, param, name);
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
}

void gl_framebuffer_get_mesa(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                             GLint *param, const char *name)
{
    if (pname == GL_FRAMEBUFFER_FLIP_Y_MESA)
        gl_framebuffer_get(ctx, fb, pname, param, name);
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
}

void gl_framebuffer_parameter(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                              GLint param, const char *name)
{
    if (is_flip(ctx, &fb, pname, name)) {
        if (!fb)
            return;
        FLUSH_VERTICES(ctx, 0);
        gl_framebuffer_changed(ctx, fb);
        fb->flip_y = param;
        return;
    }
    bool *flag = location_flag(ctx, fb, pname);
    if (flag) {
        FLUSH_VERTICES(ctx, 0);
        gl_framebuffer_changed(ctx, fb);
        *flag = param;
        return;
    }
    const struct gl_constants *k = &ctx->consts;
    const struct {
        GLenum pname;
        GLint *where, max;
    } table[] = {
        {GL_FRAMEBUFFER_DEFAULT_WIDTH, &fb->default_width, k->max_renderbuffer_size},
        {GL_FRAMEBUFFER_DEFAULT_HEIGHT, &fb->default_height, k->max_renderbuffer_size},
        {GL_FRAMEBUFFER_DEFAULT_LAYERS, &fb->default_layers, k->max_array_texture_layers},
        {GL_FRAMEBUFFER_DEFAULT_SAMPLES, &fb->default_samples, k->max_samples},
    };
    unsigned i = 0;
    while (i < ARRAY_SIZE(table) && table[i].pname != pname)
        i++;
    bool fixed = pname == GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS;
    if (i == ARRAY_SIZE(table) && !fixed) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
        return;
    }
    if (!fixed && (param < 0 || param > table[i].max)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%s=%d)", name, gl_enum_name(pname), param);
        return;
    }
    if (!fb->name) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(default framebuffer)", name);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_framebuffer_changed(ctx, fb);
    if (fixed)
        fb->default_fixed_locations = param;
    else
        *table[i].where = param;
}

void gl_framebuffer_get_buffer(struct gl_context *ctx, const struct gl_framebuffer *fb,
                               GLenum pname, GLint *param, const char *name)
{
    unsigned i = pname - GL_DRAW_BUFFER0;
    if (pname == GL_READ_BUFFER)
        *param = fb->read_buffer;
    else if (pname == GL_DRAW_BUFFER)
        *param = fb->draw_buffer[0];
    else if (i < (unsigned)ctx->consts.max_draw_buffers)
        *param = fb->draw_buffer[i];
    else
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
}

void gl_framebuffer_get(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum pname,
                        GLint *param, const char *name)
{
    const struct gl_visual *v = ctx->draw_drawable ? &ctx->draw_drawable->visual : &ctx->visual;
    unsigned samples;
    bool defaults = pname >= GL_FRAMEBUFFER_DEFAULT_WIDTH &&
                    pname <= GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS;
    if (is_flip(ctx, &fb, pname, name)) {
        if (fb)
            *param = fb->flip_y;
        return;
    }
    const bool *flag = location_flag(ctx, fb, pname);
    if (flag) {
        *param = *flag;
        return;
    }
    if (defaults && !fb->name) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(default framebuffer)", name);
        return;
    }
    switch (gl_is_es(ctx) && !defaults ? GL_NONE : pname) { /* ES 3.2 §9.2.3 */
    case GL_FRAMEBUFFER_DEFAULT_WIDTH:
        *param = fb->default_width;
        return;
    case GL_FRAMEBUFFER_DEFAULT_HEIGHT:
        *param = fb->default_height;
        return;
    case GL_FRAMEBUFFER_DEFAULT_LAYERS:
        *param = fb->default_layers;
        return;
    case GL_FRAMEBUFFER_DEFAULT_SAMPLES:
        *param = fb->default_samples;
        return;
    case GL_FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS:
        *param = fb->default_fixed_locations;
        return;
    case GL_DOUBLEBUFFER:
        *param = !fb->name && v->double_buffered;
        return;
    case GL_STEREO:
        *param = !fb->name && v->stereo;
        return;
    case GL_SAMPLES:
    case GL_SAMPLE_BUFFERS:
        samples = gl_framebuffer_samples(ctx, fb);
        *param = pname == GL_SAMPLES ? samples : samples > 0;
        return;
    case GL_IMPLEMENTATION_COLOR_READ_FORMAT:
    case GL_IMPLEMENTATION_COLOR_READ_TYPE: {
        struct gl_framebuffer *old = gl_framebuffer_swap_binding(ctx, GL_READ_FRAMEBUFFER, fb);
        ctx->exec_dispatch->GetIntegerv(pname, param);
        gl_framebuffer_swap_binding(ctx, GL_READ_FRAMEBUFFER, old);
        return;
    }
    }
    gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
}

/* The contents become undefined and may stay unchanged (GL 4.6 §17.4.4), so only errors are
 * checked. */
void gl_framebuffer_invalidate(struct gl_context *ctx, struct gl_framebuffer *fb, GLsizei n,
                               const GLenum *attachments, GLint x, GLint y, GLsizei width,
                               GLsizei height, const char *name)
{
    unsigned first, last;
    if (n < 0 || width < 0 || height < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(numAttachments=%d, %d × %d)", name, n, width, height);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        GLenum e = attachments[i];
        bool window = e == GL_COLOR || e == GL_DEPTH || e == GL_STENCIL ||
                      (gl_is_desktop(ctx) && /* ES 3.2 §15.2.4 has only those three */
                       ((e >= GL_FRONT_LEFT && e <= GL_BACK_RIGHT) || e == GL_ACCUM ||
                        (e >= GL_AUX0 && e <= GL_AUX3)));
        if (fb->name ? !attachment_points(ctx, e, &first, &last, name) : !window) {
            if (!fb->name)
                gl_error(ctx, GL_INVALID_ENUM, "%s(attachment=%s)", name, gl_enum_name(e));
            return;
        }
    }
}

/* -------------------------------------------------------------------- draw and read buffers --- */

/* Returns whether e is the API's name of buffers of the default framebuffer. ES has only GL_BACK
 * (ES 3.2 §15.2.1, §16.1.1). */
static bool is_window_buffer(const struct gl_context *ctx, GLenum e)
{
    if (gl_is_es(ctx))
        return e == GL_BACK;
    return (e >= GL_FRONT_LEFT && e <= GL_FRONT_AND_BACK) || (e >= GL_AUX0 && e <= GL_AUX3);
}

/* Returns the error for a draw or read buffer of fb; 0: none. single: for glDrawBuffer and
 * glReadBuffer. */
static GLenum buffer_error(const struct gl_context *ctx, const struct gl_framebuffer *fb, GLenum e,
                           bool single)
{
    if (e == GL_NONE)
        return 0;
    bool attachment = e >= GL_COLOR_ATTACHMENT0 && e < GL_COLOR_ATTACHMENT0 + 32;
    if (!attachment && !is_window_buffer(ctx, e))
        return GL_INVALID_ENUM;
    if (!single && gl_is_desktop(ctx) &&
        (e == GL_FRONT || e == GL_LEFT || e == GL_RIGHT || e == GL_FRONT_AND_BACK))
        return GL_INVALID_ENUM; /* may name several buffers (GL 4.6 §17.4.1) */
    if (fb->name)
        return attachment && e - GL_COLOR_ATTACHMENT0 < (unsigned)ctx->consts.max_color_attachments
                   ? 0
                   : GL_INVALID_OPERATION;
    if (attachment)
        return GL_INVALID_OPERATION;
    if (!single && e == GL_BACK) /* the front buffer if there is no back buffer (GL 4.6 §17.4.1) */
        return 0;
    return window_has(ctx, e) ? 0 : GL_INVALID_OPERATION;
}

void gl_framebuffer_draw_buffer(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer,
                                const char *name)
{
    GLenum error = buffer_error(ctx, fb, buffer, true);
    if (error) {
        gl_error(ctx, error, "%s(%s)", name, gl_enum_name(buffer));
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    gl_framebuffer_changed(ctx, fb);
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++)
        fb->draw_buffer[i] = i ? GL_NONE : buffer;
    fb->num_draw_buffers = 1;
}

void gl_framebuffer_draw_buffers(struct gl_context *ctx, struct gl_framebuffer *fb, GLsizei n,
                                 const GLenum *buffers, const char *name)
{
    if (n < 0 || n > ctx->consts.max_draw_buffers) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(n=%d)", name, n);
        return;
    }
    if (gl_is_es(ctx) && !fb->name && n != 1) { /* ES 3.2 §15.2.1 */
        gl_error(ctx, GL_INVALID_OPERATION, "%s(n=%d of the default framebuffer)", name, n);
        return;
    }
    for (GLsizei i = 0; i < n; i++) {
        GLenum error = buffer_error(ctx, fb, buffers[i], false);
        if (!error && gl_is_es(ctx) && fb->name && buffers[i] != GL_NONE &&
            buffers[i] != GL_COLOR_ATTACHMENT0 + (GLenum)i)
            error = GL_INVALID_OPERATION;
        if (!error && !fb->name && buffers[i] == GL_BACK && n != 1) /* GL 4.6 §17.4.1 */
            error = GL_INVALID_OPERATION;
        for (GLsizei k = 0; !error && k < i; k++)
            if (buffers[i] != GL_NONE && buffers[i] == buffers[k])
                error = GL_INVALID_OPERATION;
        if (error) {
            gl_error(ctx, error, "%s(buffer %d is %s)", name, i, gl_enum_name(buffers[i]));
            return;
        }
    }
    FLUSH_VERTICES(ctx, 0);
    gl_framebuffer_changed(ctx, fb);
    for (GLsizei i = 0; i < DRV_MAX_COLOR_BUFS; i++)
        fb->draw_buffer[i] = i < n ? buffers[i] : GL_NONE;
    fb->num_draw_buffers = n;
}

void gl_framebuffer_read_buffer(struct gl_context *ctx, struct gl_framebuffer *fb, GLenum buffer,
                                const char *name)
{
    GLenum error = buffer_error(ctx, fb, buffer, true);
    if (error) {
        gl_error(ctx, error, "%s(%s)", name, gl_enum_name(buffer));
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    fb->read_buffer = buffer;
}

void gl_framebuffers_push_attrib(struct gl_context *ctx, struct gl_saved_buffers *saved)
{
    const struct gl_framebuffer *fb = ctx->framebuffer.draw;
    saved->framebuffer = fb->name;
    memcpy(saved->draw, fb->draw_buffer, sizeof saved->draw);
    saved->num_draw = fb->num_draw_buffers;
    saved->read_framebuffer = ctx->framebuffer.read->name;
    saved->read = ctx->framebuffer.read->read_buffer;
}

void gl_framebuffers_pop_attrib(struct gl_context *ctx, const struct gl_saved_buffers *saved,
                                bool draw, bool read)
{
    struct gl_framebuffer *fb = ctx->framebuffer.draw;
    FLUSH_VERTICES(ctx, 0);
    if (draw && fb->name == saved->framebuffer) {
        gl_framebuffer_changed(ctx, fb);
        memcpy(fb->draw_buffer, saved->draw, sizeof saved->draw);
        fb->num_draw_buffers = saved->num_draw;
    }
    if (read && ctx->framebuffer.read->name == saved->read_framebuffer)
        ctx->framebuffer.read->read_buffer = saved->read;
}

/* ------------------------------------------------------------------------------------ glGet --- */

static unsigned draw_bits(struct gl_context *ctx, unsigned component)
{
    struct gl_surface s[DRV_MAX_COLOR_BUFS];
    uint8_t of[DRV_MAX_COLOR_BUFS];
    if (component >= 6)
        return gl_draw_depth_surface(ctx, component == 7, &s[0])
                   ? gl_format_bits(s[0].base, s[0].drv.format, component)
                   : 0;
    unsigned n = gl_draw_surfaces(ctx, s, of);
    for (unsigned i = 0; i < n; i++)
        if (s[i].drv.texture)
            return gl_format_bits(s[i].base, s[i].drv.format, component);
    return 0;
}

/* Returns whether any draw buffer's format satisfies is_kind. */
static bool draws_to(struct gl_context *ctx, bool (*is_kind)(enum drv_format format))
{
    struct gl_surface s[DRV_MAX_COLOR_BUFS];
    uint8_t of[DRV_MAX_COLOR_BUFS];
    unsigned n = gl_draw_surfaces(ctx, s, of);

    for (unsigned i = 0; i < n; i++)
        if (s[i].drv.texture && is_kind(s[i].drv.texture->format))
            return true;
    return false;
}

bool gl_draws_to_integers(struct gl_context *ctx)
{
    return ctx->dirty & GL_DIRTY_FRAMEBUFFER ? draws_to(ctx, util_format_is_pure_integer)
                                             : ctx->framebuffer.integers;
}

/* GL_EXT_packed_float: components of the first color buffer that can be negative. */
static void get_signed_components(struct gl_context *ctx, double v[4])
{
    struct gl_surface s[DRV_MAX_COLOR_BUFS];
    uint8_t of[DRV_MAX_COLOR_BUFS];
    bool any = gl_draw_surfaces(ctx, s, of) && s[0].drv.texture;
    enum drv_format format = any ? s[0].drv.format : DRV_FORMAT_NONE;
    bool is_signed = any && format != DRV_FORMAT_R11G11B10_FLOAT &&
                     (util_format_is_float(format) || util_format_is_snorm(format) ||
                      util_format_is_pure_sint(format));
    uint8_t swizzle[4];
    gl_base_format_swizzle(any ? s[0].base : GL_RGBA, GL_LUMINANCE, swizzle);
    for (unsigned c = 0; c < 4; c++)
        v[c] = is_signed && swizzle[c] <= DRV_SWIZZLE_W;
}

static double shown_color(struct gl_context *ctx, float v)
{
    return gl_get_clamps_colors(ctx) ? CLAMP(v, 0.0f, 1.0f) : v;
}

/* Queries of colors that are clamped like the framebuffer's (GL_CLAMP_FRAGMENT_COLOR); 0: not such
 * a pname. */
static unsigned get_shown_color(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                                double *v)
{
    const struct gl_color_state *color = &ctx->color;
    *type = GL_GET_NORMALIZED;
    switch (pname) {
    case GL_BLEND_COLOR:
        for (unsigned c = 0; c < 4; c++)
            v[c] = shown_color(ctx, color->blend_color[c]);
        return 4;
    case GL_FOG_COLOR:
        for (unsigned c = 0; c < 4; c++)
            v[c] = shown_color(ctx, ctx->fog.color[c]);
        return gl_has_fixed_function(ctx) ? 4 : 0;
    case GL_ALPHA_TEST_REF:
        *v = shown_color(ctx, color->alpha_ref);
        return gl_has_fixed_function(ctx);
    case GL_COLOR_CLEAR_VALUE:
        if (color->clear_type != GL_FLOAT)
            *type = GL_GET_INT;
        for (unsigned c = 0; c < 4; c++)
            v[c] = color->clear_type == GL_FLOAT ? shown_color(ctx, color->clear.f[c])
                   : color->clear_type == GL_INT ? (double)color->clear.i[c]
                                                 : (double)color->clear.u[c];
        return 4;
    default:
        return 0;
    }
}

unsigned gl_get_framebuffers(struct gl_context *ctx, GLenum pname, enum gl_get_type *type,
                             double *v)
{
    struct gl_framebuffer *draw = ctx->framebuffer.draw;
    const struct gl_visual *visual =
        ctx->draw_drawable ? &ctx->draw_drawable->visual : &ctx->visual;
    *type = GL_GET_INT;
    switch (pname) {
    case GL_RED_BITS:
    case GL_GREEN_BITS:
    case GL_BLUE_BITS:
    case GL_ALPHA_BITS:
        *v = draw_bits(ctx, pname - GL_RED_BITS);
        return 1;
    case GL_DEPTH_BITS:
        *v = draw_bits(ctx, 6);
        return 1;
    case GL_STENCIL_BITS:
        *v = draw_bits(ctx, 7);
        return 1;
    case GL_ACCUM_RED_BITS:
    case GL_ACCUM_GREEN_BITS:
    case GL_ACCUM_BLUE_BITS:
    case GL_ACCUM_ALPHA_BITS:
        *v = draw->name ? 0 : visual->accum_bits;
        return 1;
    case GL_DOUBLEBUFFER:
        *type = GL_GET_BOOL;
        *v = !draw->name && visual->double_buffered;
        return 1;
    case GL_STEREO:
        *type = GL_GET_BOOL;
        *v = !draw->name && visual->stereo;
        return 1;
    case GL_RGBA_SIGNED_COMPONENTS_EXT:
        *type = GL_GET_BOOL;
        get_signed_components(ctx, v);
        return 4;
    case GL_RGBA_INTEGER_MODE_EXT:
        *type = GL_GET_BOOL;
        *v = draws_to(ctx, util_format_is_pure_integer);
        return 1;
    case GL_RGBA_FLOAT_MODE_ARB:
        *type = GL_GET_BOOL;
        *v = draws_to(ctx, util_format_is_float);
        return 1;
    case GL_FRAMEBUFFER_SRGB_CAPABLE_EXT:
        *type = GL_GET_BOOL;
        *v = draws_to(ctx, util_format_is_srgb);
        return 1;
    case GL_SAMPLES:
        *v = gl_framebuffer_samples(ctx, draw);
        return 1;
    case GL_SAMPLE_BUFFERS:
        *v = gl_framebuffer_samples(ctx, draw) > 0;
        return 1;
    default:
        return get_shown_color(ctx, pname, type, v);
    }
}
