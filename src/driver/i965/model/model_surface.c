/* SPDX-License-Identifier: MIT */
/* Decodes surfaces, and computes addresses of texels. */
#include "model_surface.h"

#include <inttypes.h>
#include <string.h>

#define TILE_BYTES 4096u
/* Texels between levels of 1D surfaces are aligned to this. */
#define ALIGNMENT_1D 64u

/* ------------------------------------------------------------------------------ addresses --- */

/* Returns the offset of byte x of row y in 4 KiB tiles. pitch: bytes of a row of the surface. */
static uint64_t tiled_offset(unsigned tile, uint32_t pitch, uint32_t x, uint32_t y)
{
    uint64_t number;

    switch (tile) {
    case I965_TILE_MODE_XMAJOR: /* 512 bytes by 8 rows, row after row. */
        number = (uint64_t)(y / 8) * (pitch / 512) + x / 512;
        return number * TILE_BYTES + y % 8 * 512 + x % 512;
    case I965_TILE_MODE_YMAJOR: /* 128 bytes by 32 rows, in columns of 16 bytes. */
        number = (uint64_t)(y / 32) * (pitch / 128) + x / 128;
        return number * TILE_BYTES + x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
    case I965_TILE_MODE_WMAJOR: /* 64 bytes by 64 rows, in columns of 8 bytes, 8 by 8. */
        number = (uint64_t)(y / 64) * (pitch / 64) + x / 64;
        return number * TILE_BYTES + x % 64 / 8 * 512 + y % 64 / 8 * 64 +
               ((y >> 2 & 1) << 5 | (x >> 2 & 1) << 4 | (y >> 1 & 1) << 3 | (x >> 1 & 1) << 2 |
                (y & 1) << 1 | (x & 1));
    default:
        return (uint64_t)y * pitch + x;
    }
}

/* Converts the position of a pixel to that of its sample in an interleaved surface: a 2×2 block of
 * pixels holds the samples in their order. */
void model_interleave(unsigned samples_log2, unsigned sample, uint32_t *x, uint32_t *y)
{
    uint32_t px = *x, py = *y;

    if (samples_log2 >= 3)
        *x = (px & ~1u) << 2 | (sample & 4) | (sample & 1) << 1 | (px & 1);
    else if (samples_log2)
        *x = (px & ~1u) << 1 | (sample & 1) << 1 | (px & 1);
    if (samples_log2 == 4)
        *y = (py & ~1u) << 2 | (sample & 8) >> 1 | (sample & 2) | (py & 1);
    else if (samples_log2 >= 2)
        *y = (py & ~1u) << 1 | (sample & 2) | (py & 1);
}

/* Returns the offset of an element in Yf or Ys tiles. Their inner order is not published. The model
 * stores rows of each slice one after another; all accesses of the GPU agree on it. */
static uint64_t resource_offset(const struct model_surface *s, uint32_t x, uint32_t y, uint32_t z)
{
    const unsigned w = s->tile_log2[0], h = s->tile_log2[1], d = s->tile_log2[2];
    const uint64_t across = MAX2((uint64_t)s->pitch / ((uint64_t)s->format.bytes << w), 1);
    const uint64_t number = ((uint64_t)(z >> d) * (s->qpitch >> h) + (y >> h)) * across + (x >> w);
    const uint64_t inside =
        (((z & ((1u << d) - 1)) << h | (y & ((1u << h) - 1))) << w) | (x & ((1u << w) - 1));

    return (number << s->tile_bytes_log2) + inside * s->format.bytes;
}

uint64_t model_surface_offset(const struct model_surface *s, unsigned level, uint32_t x, uint32_t y,
                              uint32_t slice, unsigned sample)
{
    level = MIN2(level, MODEL_MAX_LEVELS - 1u);
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER)
        return (uint64_t)x * s->pitch;
    if (s->interleaved)
        model_interleave(s->samples_log2, sample, &x, &y);
    else
        slice = slice << s->samples_log2 | sample;
    if (s->row)
        return ((uint64_t)slice * s->qpitch + s->level[level].x + x) * s->format.bytes;
    if (s->tile_bytes_log2 && s->tile_log2[2])
        return resource_offset(s, x / s->format.block_width + s->level[level].x,
                               y / s->format.block_height + s->level[level].y, slice);
    x = x / s->format.block_width + s->level[level].x + s->x_offset;
    y = y / s->format.block_height + s->level[level].y + s->y_offset + slice * s->qpitch;
    if (s->tile_bytes_log2)
        return resource_offset(s, x, y, 0);
    return tiled_offset(s->tile, s->pitch, x * s->format.bytes, y);
}

uint8_t *model_surface_bytes(const struct model_surface *s, uint64_t offset, unsigned bytes)
{
    if (offset < s->mapped && s->mapped - offset >= bytes)
        return s->bytes + offset;
    return model_pointer(s->ctx, s->address + offset, bytes);
}

/* --------------------------------------------------------------------------------- layout --- */

static uint32_t align_up(uint32_t value, uint32_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/* Returns the size of a level in elements, without padding. */
static void level_size(const struct model_surface *s, unsigned level, uint32_t *w, uint32_t *h)
{
    static const uint8_t across[5] = {0, 1, 1, 2, 2}, down[5] = {0, 0, 1, 1, 2};
    uint32_t width = model_minify(s->width, level), height = model_minify(s->height, level);

    if (s->interleaved && across[s->samples_log2])
        width = align_up(width, 2) << across[s->samples_log2];
    if (s->interleaved && down[s->samples_log2])
        height = align_up(height, 2) << down[s->samples_log2];
    *w = (width + s->format.block_width - 1) / s->format.block_width;
    *h = (height + s->format.block_height - 1) / s->format.block_height;
}

/* Places the levels: level 1 below level 0, level 2 at the right of level 1, the others below it
 * (volume 5, "MIPLAYOUT_BELOW"). Levels of 1D surfaces follow one another. */
static void place_levels(struct model_surface *s, uint32_t i, uint32_t j)
{
    uint32_t w, h, x = 0, y = 0;

    for (unsigned level = 0; level < MODEL_MAX_LEVELS; level++) {
        s->level[level].x = x;
        s->level[level].y = y;
        level_size(s, level, &w, &h);
        if (s->row)
            x += align_up(w, ALIGNMENT_1D);
        else if (level == 1)
            x += align_up(w, i);
        else
            y += align_up(h, j);
    }
}

/* Moves the levels of the mip tail into the tile of the first one: level k of the tail has at most
 * half of the tile's width, or height in 3D tiles of 4 KiB, divided by 2^k. */
static void place_tail(struct model_surface *s)
{
    const bool down = s->tile_log2[2] && s->tile_bytes_log2 == 12;
    const unsigned size = s->tile_log2[down];

    for (unsigned level = s->tail; level < MODEL_MAX_LEVELS; level++) {
        const unsigned k = level - s->tail;
        s->level[level].x = s->level[s->tail].x & ~((1u << s->tile_log2[0]) - 1);
        s->level[level].y = s->level[s->tail].y & ~((1u << s->tile_log2[1]) - 1);
        const uint32_t first = k < size ? 1u << (size - 1 - k) : 0;
        const uint32_t second = k < size ? 0 : k - size;
        s->level[level].x += down ? second : first;
        s->level[level].y += down ? first : second;
    }
}

/* Places the levels of a surface with Yf or Ys tiles. */
static bool place_resource(struct model_surface *s, const struct i965_render_surface_state *state)
{
    /* log2 of width, height and depth of tiles of 4 KiB in elements of 1, 2, 4, 8, 16 bytes. */
    static const uint8_t flat[5][2] = {{6, 6}, {6, 5}, {5, 5}, {5, 4}, {4, 4}};
    static const uint8_t volume[5][3] = {{4, 4, 4}, {3, 4, 4}, {3, 4, 3}, {3, 3, 3}, {2, 3, 3}};
    static const uint8_t volume64[5][3] = {{6, 5, 5}, {5, 5, 5}, {5, 5, 4}, {5, 4, 4}, {4, 4, 4}};
    const bool large =
        state->tiled_resource_mode == I965_RENDER_SURFACE_STATE_TILED_RESOURCE_MODE_64KB;
    const unsigned bytes = s->format.bytes;

    if (s->samples_log2 || s->type == I965_SURFACE_TYPE_SURFTYPE_1D || !bytes ||
        bytes & (bytes - 1) || bytes > 16)
        return model_error(s->ctx, "Tiled Resource Mode",
                           "RENDER_SURFACE_STATE: not supported for this type of surface");
    const unsigned i = (unsigned)__builtin_ctz(bytes);
    for (unsigned c = 0; c < 3; c++) {
        if (s->type == I965_SURFACE_TYPE_SURFTYPE_3D)
            s->tile_log2[c] = large ? volume64[i][c] : volume[i][c];
        else
            s->tile_log2[c] = c == 2 ? 0 : flat[i][c] + (large ? 2 : 0);
    }
    s->tile_bytes_log2 = large ? 16 : 12;
    s->tail = (uint8_t)MIN2(state->mip_tail_start_lod, MODEL_MAX_LEVELS);
    place_levels(s, 1u << s->tile_log2[0], 1u << s->tile_log2[1]);
    place_tail(s);
    return true;
}

static void map_surface(struct model_surface *s)
{
    s->mapped = 0;
    s->bytes = model_find(s->ctx, s->address, &s->mapped);
    if (!s->bytes)
        s->mapped = 0;
}

/* ------------------------------------------------------------------------ surface states --- */

static bool check_type(struct model_context *ctx, const struct i965_render_surface_state *state)
{
    if (state->surface_type > I965_SURFACE_TYPE_SURFTYPE_BUFFER)
        return model_error(ctx, "Surface Type", "RENDER_SURFACE_STATE: type %u is not supported",
                           (unsigned)state->surface_type);
    if (state->tiled_resource_mode > I965_RENDER_SURFACE_STATE_TILED_RESOURCE_MODE_64KB)
        return model_error(ctx, "Tiled Resource Mode", "RENDER_SURFACE_STATE: reserved value %u",
                           (unsigned)state->tiled_resource_mode);
    if (state->number_of_multisamples > 4)
        return model_error(ctx, "Number of Multisamples", "RENDER_SURFACE_STATE: reserved value %u",
                           (unsigned)state->number_of_multisamples);
    if (state->vertical_line_stride)
        return model_error(ctx, "Vertical Line Stride", "RENDER_SURFACE_STATE: not supported");
    if (state->memory_compression_enable)
        return model_error(ctx, "Memory Compression Enable",
                           "RENDER_SURFACE_STATE: media compression is not supported");
    if (state->mip_count_lod >= MODEL_MAX_LEVELS)
        return model_error(ctx, "MIP Count / LOD", "RENDER_SURFACE_STATE: more than %u levels",
                           MODEL_MAX_LEVELS);
    return true;
}

static bool check_memory(struct model_context *ctx, const struct model_surface *s)
{
    static const uint32_t widths[4] = {1, 64, 512, 128};
    const uint32_t width =
        s->tile_bytes_log2 ? (uint32_t)s->format.bytes << s->tile_log2[0] : widths[s->tile & 3];
    const uint32_t alignment = s->tile_bytes_log2 ? 1u << s->tile_bytes_log2 : TILE_BYTES;

    if (s->tile == I965_TILE_MODE_LINEAR)
        return true;
    if (s->pitch % width || !s->pitch)
        return model_error(ctx, "Surface Pitch",
                           "RENDER_SURFACE_STATE: %u bytes are no multiple of the tile width",
                           s->pitch);
    if (s->address % alignment)
        return model_error(ctx, "Surface Base Address",
                           "RENDER_SURFACE_STATE: %#" PRIx64 " is not aligned to tiles",
                           s->address);
    if (s->format.bytes & (s->format.bytes - 1) || s->format.bytes > 16)
        return model_error(ctx, "Tile Mode",
                           "RENDER_SURFACE_STATE: elements of %u bytes must be linear",
                           s->format.bytes);
    if (s->tile == I965_TILE_MODE_WMAJOR && s->format.bytes != 1)
        return model_error(ctx, "Tile Mode",
                           "RENDER_SURFACE_STATE: elements of W tiles must have one byte");
    return true;
}

static void take_size(struct model_surface *s, const struct i965_render_surface_state *state)
{
    s->width = state->width + 1;
    s->height = state->height + 1;
    s->depth = state->depth + 1;
    s->min_element = state->minimum_array_element;
    s->extent = state->render_target_view_extent + 1;
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER) {
        s->entries =
            (state->width | (uint64_t)state->height << 7 | (uint64_t)state->depth << 21) + 1;
        s->width = (uint32_t)s->entries;
        s->height = s->depth = s->extent = 1;
    } else if (s->type == I965_SURFACE_TYPE_SURFTYPE_1D) {
        s->height = 1;
    } else if (s->type == I965_SURFACE_TYPE_SURFTYPE_CUBE) {
        s->depth *= 6;
    }
}

static void take_colors(struct model_surface *s, const struct i965_render_surface_state *state)
{
    s->swizzle[0] = (uint8_t)state->shader_channel_select_red;
    s->swizzle[1] = (uint8_t)state->shader_channel_select_green;
    s->swizzle[2] = (uint8_t)state->shader_channel_select_blue;
    s->swizzle[3] = (uint8_t)state->shader_channel_select_alpha;
    s->cube_faces =
        (uint8_t)(state->cube_face_enable_positive_x | state->cube_face_enable_negative_x << 1 |
                  state->cube_face_enable_positive_y << 2 |
                  state->cube_face_enable_negative_y << 3 |
                  state->cube_face_enable_positive_z << 4 |
                  state->cube_face_enable_negative_z << 5);
    s->clear[0] = state->red_clear_color;
    s->clear[1] = state->green_clear_color;
    s->clear[2] = state->blue_clear_color;
    s->clear[3] = state->alpha_clear_color;
}

bool model_surface_init(struct model_surface *s, struct model_context *ctx,
                        const struct i965_render_surface_state *state)
{
    static const uint8_t alignment[4] = {4, 4, 8, 16};

    memset(s, 0, sizeof *s);
    s->ctx = ctx;
    s->type = (uint8_t)state->surface_type;
    take_size(s, state);
    take_colors(s, state);
    s->format = model_format_by_number(state->surface_format);
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return true;
    if (!check_type(ctx, state))
        return false;
    if (s->format.kind == MODEL_TEXEL_NONE)
        return model_error(ctx, "Surface Format",
                           "RENDER_SURFACE_STATE: format %u is not supported",
                           (unsigned)state->surface_format);
    s->tile = (uint8_t)state->tile_mode;
    s->row = s->type == I965_SURFACE_TYPE_SURFTYPE_1D && s->tile == I965_TILE_MODE_LINEAR;
    s->samples_log2 = (uint8_t)state->number_of_multisamples;
    s->interleaved = state->multisampled_surface_storage_format && s->samples_log2;
    s->array = state->surface_array;
    s->first_level = (uint8_t)state->surface_min_lod;
    s->num_levels = (uint8_t)(state->mip_count_lod + 1);
    s->lod = (uint8_t)state->mip_count_lod;
    s->resource_min_lod = state->resource_min_lod;
    s->pitch = state->surface_pitch + 1;
    if (s->tile == I965_TILE_MODE_WMAJOR)
        s->pitch /= 2;
    s->qpitch = state->surface_qpitch * 4;
    s->x_offset = state->x_offset * 4;
    s->y_offset = state->y_offset * 4;
    s->address = state->surface_base_address;
    s->aux = (uint8_t)state->auxiliary_surface_mode;
    if (state->tiled_resource_mode) {
        if (!place_resource(s, state))
            return false;
    } else {
        place_levels(s, alignment[state->surface_horizontal_alignment],
                     alignment[state->surface_vertical_alignment]);
    }
    map_surface(s);
    model_control_init(s, state);
    return check_memory(ctx, s);
}

/* ---------------------------------------------------------------------- depth and stencil --- */

/* Takes what the depth buffer also specifies for the stencil buffer. */
static void take_depth_buffer(struct model_surface *s, struct model_context *ctx)
{
    const struct i965_3dstate_depth_buffer *d = &ctx->state.depth_buffer;

    s->ctx = ctx;
    s->type = (uint8_t)d->surface_type;
    s->width = d->width + 1;
    s->height = d->height + 1;
    s->depth = d->depth + 1;
    s->array = true;
    s->min_element = d->minimum_array_element;
    s->extent = d->render_target_view_extent + 1;
    s->lod = (uint8_t)d->lod;
    s->num_levels = 1;
    s->samples_log2 = (uint8_t)ctx->state.multisample.number_of_multisamples;
    s->interleaved = s->samples_log2 > 0;
}

static bool check_depth_type(struct model_context *ctx, struct model_surface *s)
{
    if (s->type > I965_SURFACE_TYPE_SURFTYPE_CUBE && s->type != I965_SURFACE_TYPE_SURFTYPE_NULL)
        return model_error(ctx, "Surface Type", "3DSTATE_DEPTH_BUFFER: reserved value %u", s->type);
    if (ctx->state.depth_buffer.tiled_resource_mode)
        return model_error(ctx, "Tiled Resource Mode",
                           "3DSTATE_DEPTH_BUFFER: Yf and Ys tiles are not supported");
    if (s->samples_log2 > 4)
        return model_error(ctx, "Number of Multisamples", "3DSTATE_MULTISAMPLE: reserved value %u",
                           s->samples_log2);
    if (s->lod >= MODEL_MAX_LEVELS)
        return model_error(ctx, "LOD", "3DSTATE_DEPTH_BUFFER: reserved value %u", s->lod);
    /* The layout of 1D and cube buffers is that of 2D arrays. */
    if (s->type != I965_SURFACE_TYPE_SURFTYPE_NULL && s->type != I965_SURFACE_TYPE_SURFTYPE_3D)
        s->type = I965_SURFACE_TYPE_SURFTYPE_2D;
    return true;
}

bool model_depth_surface_init(struct model_surface *s, struct model_context *ctx)
{
    const struct i965_3dstate_depth_buffer *d = &ctx->state.depth_buffer;

    memset(s, 0, sizeof *s);
    take_depth_buffer(s, ctx);
    /* Without memory, the packet only has the size of the stencil buffer. */
    if (!model_seen(ctx, I965_3DSTATE_DEPTH_BUFFER) ||
        (!d->depth_write_enable && !d->surface_pitch && !d->surface_base_address))
        s->type = I965_SURFACE_TYPE_SURFTYPE_NULL;
    if (!check_depth_type(ctx, s) || s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return s->type == I965_SURFACE_TYPE_SURFTYPE_NULL;
    switch (d->surface_format) {
    case I965_DEPTH_FORMAT_D32_FLOAT:
        s->format = model_format_by_number(I965_SURFACE_FORMAT_R32_FLOAT);
        break;
    case I965_DEPTH_FORMAT_D24_UNORM_X8_UINT:
        s->format = model_format_by_number(I965_SURFACE_FORMAT_R24_UNORM_X8_TYPELESS);
        break;
    case I965_DEPTH_FORMAT_D16_UNORM:
        s->format = model_format_by_number(I965_SURFACE_FORMAT_R16_UNORM);
        break;
    default:
        return model_error(ctx, "Surface Format", "3DSTATE_DEPTH_BUFFER: reserved value %u",
                           (unsigned)d->surface_format);
    }
    s->tile = I965_TILE_MODE_YMAJOR;
    s->pitch = d->surface_pitch + 1;
    s->qpitch = d->surface_qpitch * 4;
    s->address = d->surface_base_address;
    place_levels(s, d->surface_format == I965_DEPTH_FORMAT_D16_UNORM ? 8 : 4, 4);
    map_surface(s);
    return check_memory(ctx, s);
}

bool model_stencil_surface_init(struct model_surface *s, struct model_context *ctx)
{
    const struct i965_3dstate_stencil_buffer *b = &ctx->state.stencil_buffer;

    memset(s, 0, sizeof *s);
    take_depth_buffer(s, ctx);
    if (!model_seen(ctx, I965_3DSTATE_STENCIL_BUFFER) || !b->stencil_buffer_enable)
        s->type = I965_SURFACE_TYPE_SURFTYPE_NULL;
    if (!check_depth_type(ctx, s) || s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return s->type == I965_SURFACE_TYPE_SURFTYPE_NULL;
    s->format = model_format_by_number(I965_SURFACE_FORMAT_R8_UINT);
    s->tile = I965_TILE_MODE_WMAJOR;
    s->pitch = (b->surface_pitch + 1) / 2;
    s->qpitch = b->surface_qpitch * 4;
    s->address = b->surface_base_address;
    place_levels(s, 8, 8);
    map_surface(s);
    return check_memory(ctx, s);
}

/* Gives a hierarchical depth buffer its elements: 16 bytes for 8×4 samples. */
static void place_hiz(struct model_surface *s, uint64_t address, uint32_t pitch, uint32_t qpitch)
{
    s->format = (struct model_format){MODEL_TEXEL_RAW, 16, 8, 4};
    s->pitch = pitch;
    s->qpitch = qpitch;
    s->address = address;
    place_levels(s, 2, 2);
    map_surface(s);
}

void model_hiz_surface_init(struct model_surface *s, const struct model_surface *depth)
{
    const struct i965_3dstate_hier_depth_buffer *h = &depth->ctx->state.hier_depth_buffer;

    *s = *depth;
    if (!depth->ctx->state.depth_buffer.hierarchical_depth_buffer_enable ||
        !h->surface_base_address)
        s->type = I965_SURFACE_TYPE_SURFTYPE_NULL;
    if (s->type != I965_SURFACE_TYPE_SURFTYPE_NULL)
        place_hiz(s, h->surface_base_address, h->surface_pitch + 1, h->surface_qpitch);
}

void model_sampled_hiz_init(struct model_surface *s, const struct model_surface *depth,
                            const struct i965_render_surface_state *state)
{
    *s = *depth;
    if (depth->aux != I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_HIZ)
        s->type = I965_SURFACE_TYPE_SURFTYPE_NULL;
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_NULL)
        return;
    s->tile = I965_TILE_MODE_YMAJOR;
    s->tile_bytes_log2 = 0;
    s->x_offset = s->y_offset = 0;
    place_hiz(s, state->auxiliary_surface_base_address, (state->auxiliary_surface_pitch + 1) * 128,
              state->auxiliary_surface_qpitch);
}
