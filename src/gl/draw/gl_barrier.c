/* SPDX-License-Identifier: MIT */
/*
 * Memory barriers (GL 4.6 §7.13.2). The driver orders the accesses of API commands anyway; it is
 * told which shader accesses need ordering.
 */
#include "gl/context/gl_context.h"
#include "gl_entry.h"

#define BY_REGION                                                                                  \
    (GL_ATOMIC_COUNTER_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |                                  \
     GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |                          \
     GL_TEXTURE_FETCH_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT)
#define ALL                                                                                        \
    (BY_REGION | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT |               \
     GL_COMMAND_BARRIER_BIT | GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |        \
     GL_BUFFER_UPDATE_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT |                          \
     GL_QUERY_BUFFER_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT)

static void barrier(GLbitfield barriers, GLbitfield valid, const char *call)
{
    GL_CONTEXT(ctx);
    if (barriers != GL_ALL_BARRIER_BITS && barriers & ~valid) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(barriers=0x%x)", call, barriers);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    ctx->drv->ops->memory_barrier(ctx->drv);
}

void gl_MemoryBarrier(GLbitfield barriers)
{
    barrier(barriers, ALL, "glMemoryBarrier");
}

/* Framebuffer fetch needs no barrier: the driver orders reads of color buffers, including those by
 * blending in shaders. */
void gl_FramebufferFetchBarrierEXT(void)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
}

void gl_BlendBarrier(void)
{
    GL_CONTEXT(ctx);
    FLUSH_VERTICES(ctx, 0);
}

void gl_MemoryBarrierByRegion(GLbitfield barriers)
{
    barrier(barriers, BY_REGION, "glMemoryBarrierByRegion");
}
