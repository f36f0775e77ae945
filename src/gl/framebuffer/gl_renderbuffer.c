/* SPDX-License-Identifier: MIT */
/* Renderbuffer objects (GL 4.6 §9.2.4). */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/pixel/gl_pixel.h"
#include "gl/texture/gl_format.h"
#include "gl_entry.h"
#include "util/refcount.h"

void gl_renderbuffer_reference(struct gl_renderbuffer **dst, struct gl_renderbuffer *src)
{
    struct gl_renderbuffer *dead = REF_REPLACE(dst, src);
    if (dead) {
        drv_resource_reference(&dead->resource, NULL);
        free(dead->label);
        free(dead);
    }
}

struct gl_renderbuffer *gl_renderbuffer_lookup(struct gl_context *ctx, GLuint name)
{
    return gl_names_lookup(&ctx->shared->renderbuffers, name);
}

void gl_GenRenderbuffers(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0)
        gl_error(ctx, GL_INVALID_VALUE, "glGenRenderbuffers(n=%d)", n);
    else if (!gl_names_gen(&ctx->shared->renderbuffers, n, false, names))
        gl_error(ctx, GL_OUT_OF_MEMORY, "glGenRenderbuffers");
}

GLboolean gl_IsRenderbuffer(GLuint name)
{
    GL_CONTEXT(ctx);
    return gl_renderbuffer_lookup(ctx, name) != NULL;
}

static bool make_renderbuffer(struct gl_context *ctx, GLuint name, GLenum target)
{
    struct gl_renderbuffer *rb = calloc(1, sizeof *rb);
    if (rb) {
        rb->refcount = 1;
        rb->name = name;
        rb->internal = gl_is_desktop(ctx) ? GL_RGBA : GL_RGBA4;
    }
    if (rb && gl_names_insert(&ctx->shared->renderbuffers, name, rb))
        return true;
    free(rb);
    return false;
}

void gl_CreateRenderbuffers(GLsizei n, GLuint *names)
{
    GL_CONTEXT(ctx);
    gl_names_create(ctx, &ctx->shared->renderbuffers, n, names, make_renderbuffer, 0,
                    gl_DeleteRenderbuffers, "glCreateRenderbuffers");
}

/* Creates the object of a name that is bound for the first time. any_name: accept names that
 * glGenRenderbuffers did not return (before GL 3.1). */
static struct gl_renderbuffer *create(struct gl_context *ctx, GLuint name, bool any_name,
                                      const char *call)
{
    if (!any_name && !gl_names_is_used(&ctx->shared->renderbuffers, name)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%u is not a name)", call, name);
        return NULL;
    }
    if (!make_renderbuffer(ctx, name, 0))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return gl_renderbuffer_lookup(ctx, name);
}

static struct gl_renderbuffer *get(struct gl_context *ctx, GLuint name, bool any_name,
                                   const char *call)
{
    struct gl_renderbuffer *rb = gl_renderbuffer_lookup(ctx, name);
    return rb ? rb : create(ctx, name, any_name, call);
}

struct gl_renderbuffer *gl_get_or_create_renderbuffer(struct gl_context *ctx, GLuint name,
                                                      const char *call)
{
    if (name)
        return get(ctx, name, gl_is_compat(ctx), call);
    gl_error(ctx, GL_INVALID_OPERATION, "%s(renderbuffer=0)", call);
    return NULL;
}

static void bind(GLenum target, GLuint name, bool any_name)
{
    GL_CONTEXT(ctx);
    if (target != GL_RENDERBUFFER) {
        gl_error(ctx, GL_INVALID_ENUM, "glBindRenderbuffer(target=%s)", gl_enum_name(target));
        return;
    }
    struct gl_renderbuffer *rb = NULL;
    if (name) {
        rb = get(ctx, name, any_name, "glBindRenderbuffer");
        if (!rb)
            return;
    }
    gl_renderbuffer_reference(&ctx->framebuffer.renderbuffer, rb);
}

void gl_BindRenderbuffer(GLenum target, GLuint name)
{
    GL_CONTEXT(ctx);
    bind(target, name, gl_is_es(ctx));
}

void gl_BindRenderbufferEXT(GLenum target, GLuint name)
{
    bind(target, name, true);
}

void gl_DeleteRenderbuffers(GLsizei n, const GLuint *names)
{
    GL_CONTEXT(ctx);
    if (n < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "glDeleteRenderbuffers(n=%d)", n);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    for (GLsizei i = 0; i < n; i++) {
        struct gl_renderbuffer *rb = gl_names_remove(&ctx->shared->renderbuffers, names[i]);
        if (!rb)
            continue;
        if (ctx->framebuffer.renderbuffer == rb)
            gl_renderbuffer_reference(&ctx->framebuffer.renderbuffer, NULL);
        gl_framebuffers_detach(ctx, rb);
        gl_renderbuffer_reference(&rb, NULL);
    }
}

/* Returns the use (DRV_BIND_…) of a renderbuffer of this base format. */
static unsigned bind_of(GLenum base)
{
    return gl_base_is_color(base) ? DRV_BIND_RENDER_TARGET : DRV_BIND_DEPTH_STENCIL;
}

/* Returns whether renderbuffers can have this format, that is, whether a format that the driver can
 * render to stores it. GL_RGB9_E5, for example, is not color-renderable (GL 4.6 §9.4). With
 * EXT_framebuffer_object, EXT_texture_shared_exponent accepts it here, but the framebuffer is
 * unsupported (issue 8). */
static bool is_renderable(const struct gl_context *ctx, GLenum internal)
{
    return gl_format_is_renderable(ctx, internal) &&
           (gl_is_compat(ctx) || gl_choose_format(ctx, internal, 0, 0, DRV_TEXTURE_2D, 0,
                                                  bind_of(gl_base_format(ctx, internal))));
}

static bool allocate(struct gl_context *ctx, struct gl_renderbuffer *rb, GLenum internal,
                     GLsizei width, GLsizei height, GLsizei wanted_samples)
{
    GLenum base = gl_base_format(ctx, internal);
    unsigned bind_flags = bind_of(base);
    unsigned samples = gl_choose_samples(ctx, internal, DRV_TEXTURE_2D, wanted_samples, bind_flags);
    enum drv_format format =
        gl_choose_format(ctx, internal, 0, 0, DRV_TEXTURE_2D, samples, bind_flags);
    struct drv_resource *r = NULL;
    if (format != DRV_FORMAT_NONE && width && height) {
        r = ctx->screen->ops->resource_create(ctx->screen, &(struct drv_resource){
                                                               .target = DRV_TEXTURE_2D,
                                                               .format = format,
                                                               .width = width,
                                                               .height = height,
                                                               .depth = 1,
                                                               .array_size = 1,
                                                               .nr_samples = samples,
                                                               .bind = bind_flags,
                                                           });
        if (!r)
            return false;
    }
    drv_resource_reference(&rb->resource, NULL);
    rb->resource = r;
    rb->internal = internal;
    rb->base = base;
    rb->format = format;
    rb->width = width;
    rb->height = height;
    rb->samples = samples;
    return true;
}

struct gl_renderbuffer *gl_bound_renderbuffer(struct gl_context *ctx, GLenum target,
                                              const char *name)
{
    struct gl_renderbuffer *rb = ctx->framebuffer.renderbuffer;
    if (target != GL_RENDERBUFFER)
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", name, gl_enum_name(target));
    else if (!rb)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(none bound)", name);
    return target == GL_RENDERBUFFER ? rb : NULL;
}

struct gl_renderbuffer *gl_named_renderbuffer(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_renderbuffer *rb = gl_renderbuffer_lookup(ctx, name);
    if (!rb)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(no renderbuffer %u)", call, name);
    return rb;
}

void gl_renderbuffer_storage(struct gl_context *ctx, struct gl_renderbuffer *rb, GLsizei samples,
                             GLenum internal, GLsizei width, GLsizei height, const char *name)
{
    GLint max = ctx->consts.max_renderbuffer_size;
    if (!is_renderable(ctx, internal)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", name, gl_enum_name(internal));
        return;
    }
    if (width < 0 || height < 0 || width > max || height > max) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(%d × %d)", name, width, height);
        return;
    }
    if (samples < 0 || samples > ctx->consts.max_samples) {
        gl_error(ctx, samples < 0 ? GL_INVALID_VALUE : GL_INVALID_OPERATION, "%s(samples=%d)", name,
                 samples);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_FRAMEBUFFER);
    if (!allocate(ctx, rb, internal, width, height, samples))
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s(%d × %d)", name, width, height);
}

void gl_renderbuffer_get(struct gl_context *ctx, const struct gl_renderbuffer *rb, GLenum pname,
                         GLint *params, const char *name)
{
    switch (pname) {
    case GL_RENDERBUFFER_WIDTH:
        *params = rb->width;
        return;
    case GL_RENDERBUFFER_HEIGHT:
        *params = rb->height;
        return;
    case GL_RENDERBUFFER_INTERNAL_FORMAT:
        *params = rb->internal;
        return;
    case GL_RENDERBUFFER_SAMPLES:
        *params = rb->samples;
        return;
    case GL_RENDERBUFFER_RED_SIZE:
    case GL_RENDERBUFFER_GREEN_SIZE:
    case GL_RENDERBUFFER_BLUE_SIZE:
    case GL_RENDERBUFFER_ALPHA_SIZE:
        *params = gl_format_bits(rb->base, rb->format, pname - GL_RENDERBUFFER_RED_SIZE);
        return;
    case GL_RENDERBUFFER_DEPTH_SIZE:
        *params = gl_format_bits(rb->base, rb->format, 6);
        return;
    case GL_RENDERBUFFER_STENCIL_SIZE:
        *params = gl_format_bits(rb->base, rb->format, 7);
        return;
    default:
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", name, gl_enum_name(pname));
    }
}
