/* SPDX-License-Identifier: MIT */
/*
 * The blitter: fills and copies rectangles of linear and tiled surfaces, with raster operations.
 * Source: Skylake PRM, volume 11; tilings: volume 5, "Tiling and Walk Orders".
 */
#include <inttypes.h>

#include "model_geometry.h"

struct blit_surface {
    uint64_t base;
    unsigned tiling; /* enum i965_blt_tiling_method */
    int64_t pitch;   /* Bytes. */
};

struct blit {
    struct model_context *ctx;
    struct blit_surface dst, src;
    int x1, y1, x2, y2, src_x, src_y;
    unsigned bytes; /* Of a pixel. */
    unsigned rop;
    uint32_t color;
    bool has_source, write_rgb, write_alpha;
};

/* Returns the address of byte x in row y. */
static uint64_t blit_address(const struct blit_surface *s, int64_t x, int64_t y)
{
    uint64_t column = (uint64_t)x, row = (uint64_t)y, pitch = (uint64_t)s->pitch;
    if (s->tiling == I965_BLT_TILING_METHOD_X)
        return s->base + row / 8 * pitch * 8 + column / 512 * 4096 + row % 8 * 512 + column % 512;
    if (s->tiling == I965_BLT_TILING_METHOD_Y)
        return s->base + row / 32 * pitch * 32 + column / 128 * 4096 + column % 128 / 16 * 512 +
               row % 32 * 16 + column % 16;
    return s->base + (uint64_t)(y * s->pitch + x);
}

/* Applies a raster operation: bit 4P + 2S + D of rop is the result for bits P, S, D. */
static uint32_t raster_operation(unsigned rop, uint32_t pattern, uint32_t source, uint32_t dest)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++) {
        if (rop >> i & 1)
            result |=
                (i & 4 ? pattern : ~pattern) & (i & 2 ? source : ~source) & (i & 1 ? dest : ~dest);
    }
    return result;
}

static uint32_t write_mask(const struct blit *b)
{
    if (b->bytes != 4)
        return UINT32_MAX;
    return (b->write_rgb ? 0xffffff : 0) | (b->write_alpha ? 0xff000000 : 0);
}

static bool blit_pixel(const struct blit *b, int column, int row)
{
    uint64_t to = blit_address(&b->dst, (int64_t)(b->x1 + column) * b->bytes, b->y1 + row);
    uint8_t pixel[16] = {0};
    uint32_t source = 0, dest = 0;
    if (b->has_source &&
        !model_read_state(
            b->ctx, "Source Base Address",
            blit_address(&b->src, (int64_t)(b->src_x + column) * b->bytes, b->src_y + row), pixel,
            b->bytes))
        return false;
    if (b->bytes <= 4) {
        if (!model_read_state(b->ctx, "Destination Base Address", to, &dest, b->bytes))
            return false;
        memcpy(&source, pixel, 4);
        uint32_t mask = write_mask(b);
        uint32_t result = raster_operation(b->rop, b->color, source, dest);
        result = (result & mask) | (dest & ~mask);
        memcpy(pixel, &result, 4);
    }
    return model_write(b->ctx, to, pixel, b->bytes) ||
           model_error(b->ctx, "Destination Base Address", "no memory at %#" PRIx64, to);
}

/* Returns how many bytes from byte x of a row are at consecutive addresses. */
static int64_t blit_run(const struct blit_surface *s, int64_t x)
{
    return s->tiling == I965_BLT_TILING_METHOD_X   ? 512 - x % 512
           : s->tiling == I965_BLT_TILING_METHOD_Y ? 16 - x % 16
                                                   : INT64_MAX;
}

/* Returns whether all bits of the source replace those of the destination. */
static bool is_plain_copy(const struct blit *b)
{
    return b->has_source && b->rop == 0xcc && (b->bytes > 4 || write_mask(b) == UINT32_MAX);
}

/* Copies a row in runs of consecutive addresses. */
static bool copy_row(const struct blit *b, int row)
{
    int64_t to_x = (int64_t)b->x1 * b->bytes, from_x = (int64_t)b->src_x * b->bytes;
    int64_t left = (int64_t)(b->x2 - b->x1) * b->bytes;
    while (left) {
        uint64_t to = blit_address(&b->dst, to_x, b->y1 + row), to_bytes = 0;
        uint64_t from = blit_address(&b->src, from_x, b->src_y + row), from_bytes = 0;
        const uint8_t *source = model_find(b->ctx, from, &from_bytes);
        if (!source)
            return model_error(b->ctx, "Source Base Address", "no memory at %#" PRIx64, from);
        uint8_t *dest = model_find(b->ctx, to, &to_bytes);
        if (!dest)
            return model_error(b->ctx, "Destination Base Address", "no memory at %#" PRIx64, to);
        int64_t run = MIN2(left, MIN2(blit_run(&b->dst, to_x), blit_run(&b->src, from_x)));
        run = (int64_t)MIN2((uint64_t)run, MIN2(to_bytes, from_bytes));
        memmove(dest, source, (size_t)run);
        to_x += run;
        from_x += run;
        left -= run;
    }
    return true;
}

/* Returns whether rows, or pixels of a row, must be copied from the last to the first, because the
 * rectangles overlap. */
static bool copies_backwards(const struct blit *b)
{
    return b->has_source && b->src.base == b->dst.base &&
           (b->src_y < b->y1 || (b->src_y == b->y1 && b->src_x < b->x1));
}

static bool run_blit(const struct blit *b)
{
    int width = b->x2 - b->x1, height = b->y2 - b->y1;
    bool backwards = copies_backwards(b);
    if (width <= 0 || height <= 0)
        return true;
    if (b->x1 < 0 || b->y1 < 0 || b->src_x < 0 || b->src_y < 0)
        return model_error(b->ctx, "Destination X1", "negative coordinates are not supported");
    const bool by_row = is_plain_copy(b) && !backwards;
    if (!model_spend(b->ctx,
                     (uint64_t)width * (uint64_t)height * (by_row ? 1 : 2 * MODEL_WORK_TEXEL)))
        return false;
    if (by_row) {
        for (int i = 0; i < height; i++) {
            if (!copy_row(b, i))
                return false;
        }
        return true;
    }
    for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
            if (!blit_pixel(b, backwards ? width - 1 - j : j, backwards ? height - 1 - i : i))
                return false;
        }
    }
    return true;
}

/* Returns the bytes of a pixel. */
static unsigned color_bytes(unsigned depth)
{
    return depth == I965_BLT_COLOR_DEPTH_8_BIT ? 1 : depth == I965_BLT_COLOR_DEPTH_32_BIT ? 4 : 2;
}

/* The pitch of tiled surfaces is in dwords. */
static struct blit_surface old_surface(uint64_t base, uint32_t pitch, bool tiled)
{
    return (struct blit_surface){
        .base = base,
        .tiling = tiled ? I965_BLT_TILING_METHOD_X : I965_BLT_TILING_METHOD_LINEAR,
        .pitch = (int64_t)(int16_t)pitch * (tiled ? 4 : 1),
    };
}

static bool check_blit(const struct blit *b, bool clipping)
{
    if (clipping)
        return model_error(b->ctx, "Clipping Enabled", "not supported");
    if (b->dst.tiling > I965_BLT_TILING_METHOD_Y || b->src.tiling > I965_BLT_TILING_METHOD_Y)
        return model_error(b->ctx, "Tiling Method", "64 KiB tiles are not supported");
    if ((b->dst.tiling && b->dst.pitch <= 0) || (b->src.tiling && b->src.pitch <= 0))
        return model_error(b->ctx, "Pitch", "it is not positive");
    return true;
}

bool model_color_blt(struct model_context *ctx, struct model_parser *p)
{
    struct i965_xy_color_blt c;
    if (!model_unpack(ctx, p, &c))
        return false;
    struct blit b = {
        .ctx = ctx,
        .dst = old_surface(c.destination_base_address, c.destination_pitch, c.tiling_enable),
        .x1 = c.destination_x1,
        .y1 = c.destination_y1,
        .x2 = c.destination_x2,
        .y2 = c.destination_y2,
        .bytes = color_bytes(c.color_depth),
        .rop = c.raster_operation,
        .color = c.solid_pattern_color,
        .write_rgb = c.write_rgb,
        .write_alpha = c.write_alpha,
    };
    return check_blit(&b, c.clipping_enabled) && run_blit(&b);
}

bool model_copy_blt(struct model_context *ctx, struct model_parser *p)
{
    struct i965_xy_src_copy_blt c;
    if (!model_unpack(ctx, p, &c))
        return false;
    struct blit b = {
        .ctx = ctx,
        .dst = old_surface(c.destination_base_address, c.destination_pitch,
                           c.destination_tiling_enable),
        .src = old_surface(c.source_base_address, c.source_pitch, c.source_tiling_enable),
        .x1 = c.destination_x1,
        .y1 = c.destination_y1,
        .x2 = c.destination_x2,
        .y2 = c.destination_y2,
        .src_x = c.source_x1,
        .src_y = c.source_y1,
        .bytes = color_bytes(c.color_depth),
        .rop = c.raster_operation,
        .has_source = true,
        .write_rgb = c.write_rgb,
        .write_alpha = c.write_alpha,
    };
    return check_blit(&b, c.clipping_enabled) && run_blit(&b);
}

bool model_fast_copy_blt(struct model_context *ctx, struct model_parser *p)
{
    static const uint8_t bytes[8] = {[I965_BLT_FAST_COLOR_DEPTH_8_BIT] = 1,
                                     [I965_BLT_FAST_COLOR_DEPTH_16_BIT] = 2,
                                     [I965_BLT_FAST_COLOR_DEPTH_32_BIT] = 4,
                                     [I965_BLT_FAST_COLOR_DEPTH_64_BIT] = 8,
                                     [I965_BLT_FAST_COLOR_DEPTH_128_BIT] = 16};
    struct i965_xy_fast_copy_blt c;
    if (!model_unpack(ctx, p, &c))
        return false;
    struct blit b = {
        .ctx = ctx,
        .dst = {c.destination_base_address, c.destination_tiling_method,
                (int64_t)c.destination_pitch * (c.destination_tiling_method ? 4 : 1)},
        .src = {c.source_base_address, c.source_tiling_method,
                (int64_t)c.source_pitch * (c.source_tiling_method ? 4 : 1)},
        .x1 = c.destination_x1,
        .y1 = c.destination_y1,
        .x2 = c.destination_x2,
        .y2 = c.destination_y2,
        .src_x = c.source_x1,
        .src_y = c.source_y1,
        .bytes = bytes[c.color_depth & 7],
        .rop = 0xcc,
        .has_source = true,
        .write_rgb = true,
        .write_alpha = true,
    };
    if (!b.bytes)
        return model_error(ctx, "Color Depth", "%u is reserved", c.color_depth);
    return check_blit(&b, false) && run_blit(&b);
}
