/* SPDX-License-Identifier: MIT */
/*
 * RGBA8 images that are stored with blue before red, because the application uploaded them in that
 * order. Commands that access the bytes of texels must not see it.
 */
#include "gl/context/gl_context.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "util/format.h"

bool gl_format_is_reversed(enum drv_format format)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    return d->block_bytes == 4 && !util_format_is_compressed(format) &&
           util_format_component_bits(format, 0) == 8 && d->swizzle[0] == DRV_SWIZZLE_Z;
}

bool gl_image_reverse(struct gl_context *ctx, const struct gl_image *image,
                      const struct drv_box *box)
{
    struct drv_transfer *transfer;
    uint8_t *map = ctx->drv->ops->map(ctx->drv, image->resource, image->level,
                                      DRV_MAP_READ | DRV_MAP_WRITE, box, &transfer);
    if (!map)
        return false;
    for (int z = 0; z < box->depth; z++)
        for (int y = 0; y < box->height; y++)
            for (int x = 0; x < box->width; x++) {
                uint8_t *texel =
                    map + z * transfer->layer_stride + (size_t)y * transfer->stride + (size_t)x * 4;
                uint8_t first = texel[0];
                texel[0] = texel[2];
                texel[2] = first;
            }
    ctx->drv->ops->unmap(ctx->drv, transfer);
    return true;
}

/* Replaces the storage of an image by one with red first. Returns false, with the image unchanged,
 * if out of memory. */
static bool store_rgba(struct gl_context *ctx, struct gl_texture *t, unsigned face, unsigned level)
{
    struct gl_image *image = &t->image[face][level], old = *image;
    const struct drv_box whole = gl_image_whole(&old), from = gl_image_box(t, &old, &whole);
    bool ok;
    old.resource = NULL;
    drv_resource_reference(&old.resource, image->resource);
    image->format = DRV_FORMAT_R8G8B8A8_UNORM;
    ok = gl_image_alloc(ctx, t, face, level);
    if (ok) {
        const struct drv_box to = gl_image_box(t, image, &whole);
        ctx->drv->ops->copy_region(ctx->drv, image->resource, image->level, to.x, to.y, to.z,
                                   old.resource, old.level, &from);
        ok = gl_image_reverse(ctx, image, &to);
    }
    if (!ok) {
        drv_resource_reference(&image->resource, NULL);
        *image = old;
        return false;
    }
    drv_resource_reference(&old.resource, NULL);
    return true;
}

bool gl_texture_store_rgba(struct gl_context *ctx, struct gl_texture *t)
{
    bool any = false, ok = true;
    if (t->immutable || t->sibling || t->window_image)
        return true;
    t->stores_rgba = true;
    for (unsigned f = 0; f < gl_texture_faces(t->index) && ok; f++)
        for (unsigned l = 0; l < DRV_MAX_TEXTURE_LEVELS && ok; l++)
            if (t->image[f][l].resource && t->image[f][l].format == DRV_FORMAT_B8G8R8A8_UNORM) {
                ok = store_rgba(ctx, t, f, l);
                any = true;
            }
    if (any)
        gl_texture_changed(ctx, t);
    return ok;
}
