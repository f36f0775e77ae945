/* SPDX-License-Identifier: MIT */
/*
 * Control surfaces: which blocks of a surface are compressed or have the clear color.
 *
 * Texels are never compressed in memory, but programs can see the marks of compressed blocks. A
 * cleared block has the clear color of the surface state with which it is accessed, so a program
 * can change the color without another fast clear. The texels of cleared blocks get that color when
 * the surface state is decoded. Then all accesses can use the texels, and a write only has to
 * change the mark. Marks of clears exist for level 0 of 2D surfaces without an array; on other
 * levels and slices, a fast clear only writes the texels.
 *
 * Sources: Skylake PRM, volume 2d, "RENDER_SURFACE_STATE"; drm_fourcc.h,
 * I915_FORMAT_MOD_Y_TILED_CCS.
 */
#include <stdlib.h>
#include <string.h>

#include "model_surface.h"

/* A tile of a color control surface has 128×128 blocks of 32 bytes by 4 rows, with 2 bits for each.
 * Their order in it is not published. */
#define TILE       128u
#define TILE_BYTES 4096u

/* Marks of color control surfaces. A multisample control surface has an element for each pixel: all
 * bits are 1 if the pixel is cleared. */
#define MARK_CLEAR      1u
#define MARK_COMPRESSED 3u

/* Surface states whose cleared blocks have their color, so that each thread of a draw or walker can
 * rely on that once it has decoded the state. */
#define MAX_EXPANDED 256u

struct expanded {
    uint64_t address;
    uint32_t color[4];
};

struct model_clears {
    pthread_mutex_t lock;
    unsigned count;
    struct expanded expanded[MAX_EXPANDED];
};

bool model_clears_create(struct model_context *ctx)
{
    ctx->clears = calloc(1, sizeof *ctx->clears);
    if (ctx->clears)
        pthread_mutex_init(&ctx->clears->lock, NULL);
    return ctx->clears;
}

void model_clears_destroy(struct model_context *ctx)
{
    if (ctx->clears)
        pthread_mutex_destroy(&ctx->clears->lock);
    free(ctx->clears);
}

void model_clears_start(struct model_context *ctx)
{
    ctx->clears->count = 0;
}

static bool is_compressed(const struct model_surface *s)
{
    return s->aux == I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_CCS_E;
}

/* Returns the bytes of an element of a multisample control surface. */
static unsigned element_bytes(const struct model_surface *s)
{
    return s->samples_log2 == 4 ? 8 : s->samples_log2 == 3 ? 4 : 1;
}

void model_control_init(struct model_surface *s, const struct i965_render_surface_state *state)
{
    /* The same value is AUX_MCS for multisample surfaces. */
    const bool clears = s->aux == I965_RENDER_SURFACE_STATE_AUXILIARY_SURFACE_MODE_AUX_CCS_D;

    s->control = NULL;
    s->has_clears = (clears || is_compressed(s)) && s->depth == 1 && !s->interleaved &&
                    s->type == I965_SURFACE_TYPE_SURFTYPE_2D && s->format.bytes &&
                    s->format.bytes <= 16 && !s->format.compressed;
    if (!s->has_clears && (!is_compressed(s) || s->samples_log2))
        return;
    s->control_pitch = (state->auxiliary_surface_pitch + 1) * TILE;
    s->control =
        model_find(s->ctx, state->auxiliary_surface_base_address & ~4095ull, &s->control_mapped);
}

/* Returns the element of a pixel in a multisample control surface, or NULL if it is outside. */
static uint8_t *find_element(const struct model_surface *s, uint32_t x, uint32_t y)
{
    const uint32_t bytes = element_bytes(s), column = x * bytes;
    const uint64_t tile = (uint64_t)(y / 32) * (s->control_pitch / 128) + column / 128;
    const uint64_t offset = tile * TILE_BYTES + column % 128 / 16 * 512 + y % 32 * 16 + column % 16;

    return column < s->control_pitch && offset + bytes <= s->control_mapped ? s->control + offset
                                                                            : NULL;
}

/* Returns the byte with the mark of a block, and stores the mark's position in it, or NULL if the
 * block is outside. */
static uint8_t *find_mark(const struct model_surface *s, uint32_t column, uint32_t row,
                          unsigned *shift)
{
    const uint64_t tile = (uint64_t)(row / TILE) * (s->control_pitch / TILE) + column / TILE;
    const uint32_t block = row % TILE * TILE + column % TILE;
    const uint64_t offset = tile * TILE_BYTES + block / 4;

    *shift = block % 4 * 2;
    return column < s->control_pitch && offset < s->control_mapped ? s->control + offset : NULL;
}

bool model_surface_is_clear(const struct model_surface *s, uint32_t x, uint32_t y)
{
    unsigned shift;
    const uint8_t *at;

    if (!s->control || !s->has_clears)
        return false;
    if (!s->samples_log2) {
        at = find_mark(s, x * s->format.bytes / 32, y / 4, &shift);
        return at && (__atomic_load_n(at, __ATOMIC_RELAXED) >> shift & 3) == MARK_CLEAR;
    }
    at = find_element(s, x, y);
    for (unsigned i = 0; at && i < element_bytes(s); i++) {
        if (at[i] != 0xff)
            return false;
    }
    return at;
}

void model_surface_mark(const struct model_surface *s, uint32_t x, uint32_t y)
{
    const uint8_t value = is_compressed(s) ? MARK_COMPRESSED : 0;
    unsigned shift;

    if (!s->control || s->lod)
        return;
    if (s->samples_log2) {
        uint8_t *element = find_element(s, x, y);
        if (element && element[0] == 0xff)
            memset(element, 0, element_bytes(s));
        return;
    }
    uint8_t *at = find_mark(s, x * s->format.bytes / 32, y / 4, &shift);
    if (!at)
        return;
    uint8_t old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while ((old >> shift & 3) != value &&
           !__atomic_compare_exchange_n(at, &old,
                                        (uint8_t)((old & ~(3u << shift)) | value << shift), true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Stores the size of a block in texels. */
static void get_block(const struct model_surface *s, uint32_t *width, uint32_t *height)
{
    *width = s->samples_log2 ? 1 : MAX2(32u / MAX2(s->format.bytes, 1u), 1u);
    *height = s->samples_log2 ? 1 : 4;
}

void model_control_scale(const struct model_surface *s, uint32_t *width, uint32_t *height)
{
    get_block(s, width, height);
    *width *= s->samples_log2 ? 8 / element_bytes(s) : 8;
    *height *= s->samples_log2 ? 2 : 8;
}

/* Changes the marks of a surface's blocks in a region: those that are cleared, or all of them.
 * Returns the number of blocks. */
static uint64_t set_marks(const struct model_surface *s, const struct model_region *region,
                          bool only_clear, unsigned mark)
{
    uint32_t width, height;
    uint64_t blocks = 0;

    if (!s->control || s->lod)
        return 0;
    get_block(s, &width, &height);
    for (uint32_t y = region->y0 / height * height; y < region->y1; y += height) {
        for (uint32_t x = region->x0 / width * width; x < region->x1; x += width, blocks++) {
            unsigned shift = 0;
            uint8_t *at = s->samples_log2 ? find_element(s, x, y)
                                          : find_mark(s, x / width, y / height, &shift);
            if (!at || (only_clear && !model_surface_is_clear(s, x, y)))
                continue;
            if (s->samples_log2)
                memset(at, mark == MARK_CLEAR ? 0xff : 0, element_bytes(s));
            else
                *at = (uint8_t)((*at & ~(3u << shift)) | mark << shift);
        }
    }
    return blocks;
}

uint64_t model_surface_unmark(const struct model_surface *s, const struct model_region *region)
{
    return set_marks(s, region, false, 0);
}

uint64_t model_surface_unmark_clear(const struct model_surface *s,
                                    const struct model_region *region)
{
    return s->has_clears ? set_marks(s, region, true, 0) : 0;
}

uint64_t model_surface_mark_clear(const struct model_surface *s, const struct model_region *region)
{
    return s->has_clears ? set_marks(s, region, false, MARK_CLEAR) : 0;
}

/* Gives the texels of a block their color, unless they have it. */
static void expand_block(const struct model_surface *s, uint32_t x0, uint32_t y0, uint32_t width,
                         uint32_t height, const uint8_t *color)
{
    for (uint32_t y = y0; y < MIN2(y0 + height, s->height); y++) {
        for (uint32_t x = x0; x < MIN2(x0 + width, s->width); x++) {
            for (unsigned i = 0; i < 1u << s->samples_log2; i++) {
                uint8_t *texel = model_surface_texel(s, 0, x, y, s->min_element, i);
                if (texel)
                    memcpy(texel, color, s->format.bytes);
            }
        }
    }
}

/* Gives all cleared blocks the clear color. */
static bool expand(const struct model_surface *s)
{
    uint32_t width, height;
    uint8_t color[16];

    get_block(s, &width, &height);
    model_texel_pack(&s->format, color, s->clear);
    for (uint32_t y = 0; y < s->height; y += height) {
        if (!model_spend(s->ctx, s->width / width + 1))
            return false;
        for (uint32_t x = 0; x < s->width; x += width) {
            const uint8_t *texel;
            if (!model_surface_is_clear(s, x, y))
                continue;
            texel = model_surface_texel(s, 0, x, y, s->min_element, 0);
            if (texel && memcmp(texel, color, s->format.bytes) == 0 && !s->samples_log2)
                continue; /* A fast clear or an earlier expansion wrote it. */
            if (!model_spend(s->ctx,
                             (uint64_t)MODEL_WORK_TEXEL * width * height << s->samples_log2))
                return false;
            expand_block(s, x, y, width, height, color);
        }
    }
    return true;
}

bool model_surface_expand(const struct model_surface *s)
{
    struct model_clears *clears = s->ctx->clears;
    bool done = true;

    if (!s->control || !s->has_clears || !clears)
        return true;
    pthread_mutex_lock(&clears->lock);
    for (unsigned i = 0; i < clears->count; i++) {
        const struct expanded *e = &clears->expanded[i];
        if (e->address == s->address && memcmp(e->color, s->clear, sizeof e->color) == 0) {
            pthread_mutex_unlock(&clears->lock);
            return true;
        }
    }
    if (clears->count < MAX_EXPANDED) {
        struct expanded *e = &clears->expanded[clears->count++];
        e->address = s->address;
        memcpy(e->color, s->clear, sizeof e->color);
        done = expand(s);
    }
    pthread_mutex_unlock(&clears->lock);
    return done;
}
