/* SPDX-License-Identifier: MIT */
/*
 * Sparse textures (ARB_sparse_texture, ARB_sparse_texture2): checks of their storage, and
 * commitment of pages. There is one page size per format, so the page size index is always 0.
 */
#include "gl/context/gl_context.h"
#include "gl/texture/gl_texture.h"

bool gl_texture_can_be_sparse(enum gl_texture_index index)
{
    switch (index) {
    case GL_TEXTURE_INDEX_2D:
    case GL_TEXTURE_INDEX_2D_ARRAY:
    case GL_TEXTURE_INDEX_CUBE:
    case GL_TEXTURE_INDEX_CUBE_ARRAY:
    case GL_TEXTURE_INDEX_3D:
    case GL_TEXTURE_INDEX_RECT:
    case GL_TEXTURE_INDEX_2D_MS:
    case GL_TEXTURE_INDEX_2D_MS_ARRAY:
        return true;
    default:
        return false;
    }
}

bool gl_sparse_page_size(const struct gl_context *ctx, enum gl_texture_index index,
                         enum drv_format format, unsigned samples, uint32_t size[3])
{
    return ctx->ext.ARB_sparse_texture && gl_texture_can_be_sparse(index) &&
           format != DRV_FORMAT_NONE && ctx->screen->ops->sparse_page_size &&
           ctx->screen->ops->sparse_page_size(ctx->screen, format, gl_texture_drv_target(index),
                                              samples, size);
}

bool gl_check_sparse_storage(struct gl_context *ctx, const struct gl_texture *t,
                             enum gl_texture_index index, enum drv_format format, unsigned samples,
                             GLsizei width, GLsizei height, GLsizei depth, const char *call)
{
    const struct gl_constants *k = &ctx->consts;
    const bool three = index == GL_TEXTURE_INDEX_3D;
    const GLsizei most = three ? k->max_sparse_3d_texture_size : k->max_sparse_texture_size;
    const GLsizei deepest = three ? most : k->max_sparse_array_texture_layers;
    uint32_t page[3];
    if (!t->sparse)
        return true;
    if (t->page_size_index != 0 || !gl_sparse_page_size(ctx, index, format, samples, page)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(page size %d)", call, t->page_size_index);
        return false;
    }
    if (width > most || height > most || depth > deepest) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(sparse, %d × %d × %d)", call, width, height, depth);
        return false;
    }
    return true;
}

/* Returns whether pages of the texture can be committed. An immutable texture may show an image
 * that is not sparse although its parameter says so (EXT_EGL_image_storage). */
static bool is_sparse(const struct gl_texture *t)
{
    return t->immutable && t->sparse && t->resource && t->resource->sparse;
}

unsigned gl_texture_sparse_levels(const struct gl_texture *t)
{
    const unsigned first = t->part.first_level;
    if (!is_sparse(t) || t->resource->sparse_levels < first)
        return 0;
    return MIN2(t->resource->sparse_levels - first, t->part.levels);
}

/* Returns the level's number of slices, layers or faces, as glTexPageCommitment counts them: a cube
 * map has six. */
static GLsizei level_depth(const struct gl_texture *t, unsigned level)
{
    return t->index == GL_TEXTURE_INDEX_3D ? t->image[0][level].depth : (GLsizei)t->part.layers;
}

/* Checks one dimension of a box of pages. Returns the GL error, or GL_NO_ERROR. */
static GLenum check_axis(GLint offset, GLsizei size, GLsizei limit, GLsizei page)
{
    if (offset < 0 || size < 0 || offset % page)
        return GL_INVALID_VALUE;
    if ((int64_t)offset + size > limit || (size % page && offset + size != limit))
        return GL_INVALID_OPERATION;
    return GL_NO_ERROR;
}

void gl_tex_page_commitment(struct gl_context *ctx, struct gl_texture *t, GLint level,
                            GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width,
                            GLsizei height, GLsizei depth, GLboolean commit, const char *call)
{
    if (!is_sparse(t)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u is not sparse)", call, t->name);
        return;
    }
    if (level < 0 || (unsigned)level >= t->part.levels) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", call, level);
        return;
    }
    const struct gl_image *image = &t->image[0][level];
    uint32_t page[3];
    if (!ctx->screen->ops->sparse_page_size(ctx->screen, t->resource->format, t->resource->target,
                                            t->resource->nr_samples, page))
        return;
    GLenum error = check_axis(xoffset, width, image->width, (GLsizei)page[0]);
    if (error == GL_NO_ERROR)
        error = check_axis(yoffset, height, image->height, (GLsizei)page[1]);
    if (error == GL_NO_ERROR)
        error = check_axis(zoffset, depth, level_depth(t, level), (GLsizei)page[2]);
    if (error != GL_NO_ERROR) {
        gl_error(ctx, error, "%s(%d + %d, %d + %d, %d + %d; pages of %u × %u × %u)", call, xoffset,
                 width, yoffset, height, zoffset, depth, page[0], page[1], page[2]);
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    const struct drv_box box = {xoffset, yoffset, zoffset + (GLint)t->part.first_layer,
                                width,   height,  depth};
    if (width && height && depth)
        ctx->drv->ops->page_commitment(ctx->drv, t->resource, t->part.first_level + level, &box,
                                       commit);
}
