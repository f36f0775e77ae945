/* SPDX-License-Identifier: MIT */
/* Where objects keep their KHR_debug labels. */
#include "gl/gl_context.h"

static char **program_label(struct gl_context *ctx, GLuint name, bool program)
{
    void *object = gl_names_lookup(&ctx->shared->programs, name);
    if (!object || *(const bool *)object != program) /* both kinds begin with is_program */
        return NULL;
    return program ? &((struct gl_program *)object)->label
                   : &((struct gl_shader_object *)object)->label;
}

char **gl_object_label(struct gl_context *ctx, GLenum identifier, GLuint name)
{
    switch (identifier) {
    case GL_TEXTURE: {
        struct gl_texture *t = gl_texture_lookup(ctx, name);
        return t ? &t->label : NULL;
    }
    case GL_SAMPLER: {
        struct gl_sampler *s = gl_names_lookup(&ctx->shared->samplers, name);
        return s ? &s->label : NULL;
    }
    case GL_RENDERBUFFER: {
        struct gl_renderbuffer *rb = gl_renderbuffer_lookup(ctx, name);
        return rb ? &rb->label : NULL;
    }
    case GL_FRAMEBUFFER: {
        struct gl_framebuffer *fb = gl_names_lookup(&ctx->framebuffer.names, name);
        return fb ? &fb->label : NULL;
    }
    case GL_SHADER:
    case GL_PROGRAM:
        return program_label(ctx, name, identifier == GL_PROGRAM);
    default:
        return NULL;
    }
}
