/* SPDX-License-Identifier: MIT */
/*
 * Typed surface accesses to images of the CPU driver. Texels of all formats are converted here; the
 * data port of real hardware supports fewer formats.
 */
#include <string.h>

#include "i965_driver.h"
#include "util/format.h"
#include "util/macros.h"

const struct cpu_image *i965_env_image(const struct i965_env *env, unsigned surface)
{
    const struct i965_prog_data *d = env->data;
    unsigned first = d->binding_table.images;

    if (surface < first || surface >= d->binding_table.constants ||
        surface - first >= DRV_MAX_IMAGES)
        return NULL;
    return &env->state->image[surface - first];
}

/* Returns the address of a texel, NULL if it is outside. cpu_kernel.h describes the layout. */
static uint8_t *find_texel(const struct cpu_image *image, const struct sim_typed *a, unsigned lane)
{
    const struct cpu_level *l = &image->level;
    unsigned bytes = drv_format_desc(image->format)->block_bytes;
    unsigned layer = cpu_layer_coordinate(image->target);
    bool one_d = image->target == DRV_TEXTURE_1D || image->target == DRV_TEXTURE_1D_ARRAY;
    uint32_t x = a->coord[0][lane], y = one_d ? 0 : a->coord[1][lane];
    uint32_t z = layer ? a->coord[layer][lane] : 0, sample = a->coord[3][lane];

    if (!l->base || x >= l->width || sample >= image->num_samples)
        return NULL;
    if (image->target == DRV_BUFFER)
        return (uint8_t *)(uintptr_t)l->base + (size_t)x * bytes;
    if (y >= l->height || z >= (image->target == DRV_TEXTURE_3D ? l->depth : image->num_layers))
        return NULL;
    size_t tile = (size_t)(y / CPU_TILE) * l->tiles_x + x / CPU_TILE;
    size_t block = tile * CPU_TILE_BLOCKS * l->tile_w +
                   y / CPU_BLOCK % CPU_TILE_BLOCKS * l->tile_w + x / CPU_BLOCK % CPU_TILE_BLOCKS;
    unsigned index = (y >> 1 & 1) * 8 + (x >> 1 & 1) * 4 + (y & 1) * 2 + (x & 1);
    return (uint8_t *)(uintptr_t)l->base + z * l->layer_stride + sample * l->sample_stride +
           (block * 16 + index) * bytes;
}

/* Reads a texel. Texels outside the image are 0; missing components have the same values
 * as inside. */
static void read_texel(enum drv_format format, const uint8_t *texel, uint32_t rgba[4])
{
    static const uint8_t zeros[16];
    bool integer = util_format_is_pure_integer(format);
    union {
        float f[4];
        uint32_t u[4];
    } value;

    if (integer)
        util_format_unpack_int(format, &value.u, texel ? texel : zeros, 1);
    else
        util_format_unpack_float(format, &value.f, texel ? texel : zeros, 1);
    memcpy(rgba, value.u, sizeof value.u);
}

static void write_texel(enum drv_format format, uint8_t *texel, const uint32_t rgba[4])
{
    union {
        float f[4];
        uint32_t u[4];
    } value;

    memcpy(value.u, rgba, sizeof value.u);
    if (util_format_is_pure_integer(format))
        util_format_pack_int(format, texel, (const uint32_t(*)[4]) & value.u,
                             drv_format_desc(format)->channel[0].type == DRV_CHANNEL_SIGNED, 1);
    else
        util_format_pack_float(format, texel, (const float(*)[4]) & value.f, 1);
}

static void access_texel(const struct cpu_image *image, struct sim_typed *a, unsigned lane)
{
    uint8_t *texel = find_texel(image, a, lane);
    uint32_t rgba[4];

    for (unsigned c = 0; c < 4; c++)
        rgba[c] = a->data[c][lane];
    if (a->operation == SIM_TYPED_WRITE) {
        if (texel)
            write_texel(image->format, texel, rgba);
        return;
    }
    if (a->operation == SIM_TYPED_READ)
        read_texel(image->format, texel, rgba);
    else if (texel && drv_format_desc(image->format)->block_bytes == 4)
        rgba[0] = sim_atomic_access((uint32_t *)(void *)texel, a->atomic, false, rgba[0], rgba[1]);
    else
        rgba[0] = 0;
    for (unsigned c = 0; c < 4; c++)
        a->data[c][lane] = rgba[c];
}

bool i965_typed_access(struct sim_env *base, struct sim_typed *a)
{
    const struct cpu_image *image = i965_env_image((struct i965_env *)base, a->surface);

    if (!image)
        return false;
    for (unsigned lane = 0; lane < 8; lane++) {
        if (!(a->mask >> lane & 1))
            continue;
        if (image->format)
            access_texel(image, a, lane);
        else
            for (unsigned c = 0; c < 4; c++)
                a->data[c][lane] = 0;
    }
    return true;
}

void i965_image_size(const struct cpu_image *image, struct sim_sample *s)
{
    const struct cpu_level *l = &image->level;
    uint32_t size[3] = {l->width, l->height, l->depth};
    unsigned layer = cpu_layer_coordinate(image->target);

    if (layer && image->target != DRV_TEXTURE_3D && image->target != DRV_TEXTURE_CUBE)
        size[layer] = image->num_layers;
    for (unsigned c = 0; c < 3; c++)
        for (unsigned i = 0; i < s->channels; i++)
            s->result[c][i] = size[c];
}
