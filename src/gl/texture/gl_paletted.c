/* SPDX-License-Identifier: MIT */
/*
 * Compressed paletted textures (GL ES 1.1 §3.7.4): a palette of 16 or 256 colors, followed by
 * indices of 4 or 8 bits for the texels of level 0 and of the lower levels. Images are stored
 * expanded to colors.
 */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/texture/gl_teximage.h"

#define FIRST_FORMAT GL_PALETTE4_RGB8_OES
/* number of color types; formats are those with 4-bit, then those with 8-bit indices */
#define PALETTE_COLORS 5

/* Table 3.11. */
static const struct color {
    GLenum format, type;
    uint8_t bytes;
} colors[PALETTE_COLORS] = {
    {GL_RGB, GL_UNSIGNED_BYTE, 3},           {GL_RGBA, GL_UNSIGNED_BYTE, 4},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2},    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2},
};

bool gl_is_paletted(const struct gl_context *ctx, GLenum internal)
{
    return ctx->ext.OES_compressed_paletted_texture && internal >= FIRST_FORMAT &&
           internal < FIRST_FORMAT + 2 * PALETTE_COLORS;
}

unsigned gl_paletted_formats(const struct gl_context *ctx, GLint *out, unsigned max)
{
    unsigned n = 0;
    while (gl_is_paletted(ctx, FIRST_FORMAT + n) && n < max) {
        out[n] = FIRST_FORMAT + n;
        n++;
    }
    return n;
}

/* Converts the indices of a level to colors. Returns malloc'ed memory; NULL: out of memory. */
static uint8_t *expand(const uint8_t *palette, const uint8_t *data, size_t texels, unsigned bits,
                       unsigned color_bytes)
{
    uint8_t *out = malloc(texels * color_bytes + 1);
    for (size_t i = 0; out && i < texels; i++) {
        unsigned index = bits == 8 ? data[i] : data[i / 2] >> (i & 1 ? 0 : 4) & 15;
        memcpy(out + i * color_bytes, palette + index * color_bytes, color_bytes);
    }
    return out;
}

static size_t index_bytes(size_t texels, unsigned bits)
{
    return (texels * bits + 7) / 8;
}

static void define_levels(struct gl_context *ctx, const struct gl_image_target *place,
                          unsigned levels, const struct color *color, unsigned bits, GLsizei width,
                          GLsizei height, const uint8_t *data, const char *name)
{
    const uint8_t *palette = data;
    const struct gl_pixel_store unpack = ctx->unpack;
    if (data)
        data += color->bytes << bits;
    ctx->unpack = (struct gl_pixel_store){.alignment = 1};
    for (unsigned l = 0; l < levels; l++) {
        GLsizei w = drv_minify(width, l), h = drv_minify(height, l);
        size_t texels = (size_t)w * h;
        uint8_t *image = data ? expand(palette, data, texels, bits, color->bytes) : NULL;
        if (data && !image)
            gl_error(ctx, GL_OUT_OF_MEMORY, "%s", name);
        gl_tex_image(ctx, place, 2, l, color->format, w, h, 1, 0, color->format, color->type, image,
                     name);
        free(image);
        if (data)
            data += index_bytes(texels, bits);
    }
    ctx->unpack = unpack;
}

void gl_paletted_image(struct gl_context *ctx, const struct gl_image_target *place, GLint level,
                       GLenum internal, GLsizei width, GLsizei height, GLint border, GLsizei size,
                       const void *data, const char *name)
{
    const struct color *color = &colors[(internal - FIRST_FORMAT) % PALETTE_COLORS];
    unsigned bits = internal - FIRST_FORMAT < PALETTE_COLORS ? 4 : 8;
    GLint max = ctx->consts.max_texture_size;
    if (place->index != GL_TEXTURE_INDEX_2D || place->proxy) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(paletted, not two-dimensional)", name);
        return;
    }
    if (level > 0 || level <= -DRV_MAX_TEXTURE_LEVELS || border || width < 1 || height < 1 ||
        width > max || height > max || MAX2(width, height) >> -level == 0) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d, %d × %d, border=%d)", name, level, width,
                 height, border);
        return;
    }
    uint64_t bytes = color->bytes << bits;
    for (GLint l = 0; l <= -level; l++)
        bytes += index_bytes((size_t)drv_minify(width, l) * drv_minify(height, l), bits);
    if (size < 0 || (uint64_t)size != bytes) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(imageSize=%d)", name, size);
        return;
    }
    define_levels(ctx, place, 1 - level, color, bits, width, height, data, name);
}
