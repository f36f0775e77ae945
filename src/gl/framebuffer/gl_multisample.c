/* SPDX-License-Identifier: MIT */
/* Where samples are (GL 4.6 §14.3.1), and how many images may have (§22.3). */
#include "gl/api/gl_context.h"
#include "gl/texture/gl_format.h"
#include "gl_entry.h"

#define MAX_COUNTS 8 /* different numbers of samples */

void gl_GetMultisamplefv(GLenum pname, GLuint index, GLfloat *val)
{
    GL_CONTEXT(ctx);
    if (pname != GL_SAMPLE_POSITION) {
        gl_error(ctx, GL_INVALID_ENUM, "glGetMultisamplefv(pname=%s)", gl_enum_name(pname));
        return;
    }
    unsigned samples = gl_framebuffer_samples(ctx, ctx->framebuffer.draw);
    if (index >= samples) {
        gl_error(ctx, GL_INVALID_VALUE, "glGetMultisamplefv(index=%u of %u)", index, samples);
        return;
    }
    ctx->screen->ops->sample_position(ctx->screen, samples, index, val);
}

/* Numbers of samples for a format, largest first; returns how many. */
static unsigned sample_counts(const struct gl_context *ctx, enum drv_target target, GLenum internal,
                              GLint counts[MAX_COUNTS])
{
    unsigned bind = gl_base_is_color(gl_base_format(ctx, internal)) ? DRV_BIND_RENDER_TARGET
                                                                    : DRV_BIND_DEPTH_STENCIL;
    unsigned n = 0;
    for (GLint i = ctx->consts.max_samples; i > 1 && n < MAX_COUNTS; i--)
        if (gl_choose_format(ctx, internal, 0, 0, target, i, bind) != DRV_FORMAT_NONE)
            counts[n++] = i;
    return n;
}

void gl_GetInternalformativ(GLenum target, GLenum internalformat, GLenum pname, GLsizei count,
                            GLint *params)
{
    GL_CONTEXT(ctx);
    bool textures = ctx->ext.ARB_texture_multisample;
    bool array = target == GL_TEXTURE_2D_MULTISAMPLE_ARRAY;
    GLint counts[MAX_COUNTS];
    const char *call = "glGetInternalformativ";
    if (target != GL_RENDERBUFFER &&
        !(textures && (array || target == GL_TEXTURE_2D_MULTISAMPLE))) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(target=%s)", call, gl_enum_name(target));
        return;
    }
    if (!gl_base_format(ctx, internalformat) || !gl_format_is_renderable(ctx, internalformat)) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(internalformat=%s)", call, gl_enum_name(internalformat));
        return;
    }
    if (pname != GL_SAMPLES && pname != GL_NUM_SAMPLE_COUNTS) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(pname=%s)", call, gl_enum_name(pname));
        return;
    }
    if (count < 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(count=%d)", call, count);
        return;
    }
    unsigned n =
        sample_counts(ctx, array ? DRV_TEXTURE_2D_ARRAY : DRV_TEXTURE_2D, internalformat, counts);
    if (pname == GL_NUM_SAMPLE_COUNTS && count > 0)
        params[0] = (GLint)n;
    for (unsigned i = 0; pname == GL_SAMPLES && i < MIN2(n, (unsigned)count); i++)
        params[i] = counts[i];
}
