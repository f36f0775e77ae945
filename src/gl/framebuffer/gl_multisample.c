/* SPDX-License-Identifier: MIT */
/* Where samples are (GL 4.6 §14.3.1). */
#include "gl/api/gl_context.h"
#include "gl_entry.h"

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
