/* SPDX-License-Identifier: MIT */
/*
 * Residency of the texels that a texture access reads (ARB_sparse_texture2): the access is lowered
 * like one that reads the smallest value of its texels, which are 1.0 in committed memory and 0.0
 * elsewhere. Texels of the border are not in memory.
 */
#include "driver/cpu/kernel/cpu_nir_filter.h"

/* Returns the value of the texel with that index in the layer at `base`. */
static nir_def *texel_value(struct cpu_sample *s, nir_def *base, nir_def *texel)
{
    nir_builder *b = s->b;
    nir_def *offset = nir_imul_imm(b, texel, cpu_sample_desc(s)->block_bytes);
    nir_def *residency = cpu_address_imm(b, s->texture, offsetof(struct cpu_texture, residency));
    return nir_b2f32(b, cpu_is_resident(b, residency, base, offset));
}

/* Stores the value in all channels. */
static void set_channels(nir_def *value, nir_def *channel[4])
{
    for (unsigned c = 0; c < 4; c++)
        channel[c] = value;
}

/* Returns the value of a tap on a face of a seamless cube, which may lie on the next face. */
static nir_def *seamless_value(struct cpu_sample *s, const struct cpu_level_def *level,
                               const struct cpu_footprint *f, unsigned x, unsigned y)
{
    nir_builder *b = s->b;
    nir_def *u = f->axis[0].unclamped[x], *v = f->axis[1].unclamped[y], *face;

    cpu_cube_neighbor(b, s->face, level->width, &u, &v, &face);
    nir_def *layer = s->cube_layer ? nir_iadd(b, s->cube_layer, face) : face;
    nir_def *texel = nir_iadd(b, cpu_texel_column(b, u), cpu_texel_row(b, level, v));
    return texel_value(s, cpu_level_base(s, level, layer), texel);
}

/* Returns the value of tap x, y, z of the footprint. */
static nir_def *tap_value(struct cpu_sample *s, const struct cpu_level_def *level,
                          const struct cpu_footprint *f, unsigned x, unsigned y, unsigned z)
{
    nir_builder *b = s->b;
    const unsigned tap[3] = {x, y, z};
    nir_def *texel = f->column[x];

    if (f->axis[0].unclamped[0])
        return seamless_value(s, level, f, x, y);
    if (s->dims > 1)
        texel = nir_iadd(b, texel, f->row[y]);
    nir_def *value = texel_value(s, f->base[z], texel);
    for (unsigned a = 0; a < s->dims; a++) {
        nir_def *outside = f->axis[a].outside[tap[a]];
        if (outside)
            value = nir_bcsel(b, outside, nir_imm_float(b, 1.0f), value);
    }
    return value;
}

/* Returns the weight of tap 1 as a float. */
static nir_def *second_weight(struct cpu_sample *s, const struct cpu_axis_texels *axis)
{
    nir_builder *b = s->b;
    return axis->fixed
               ? nir_fmul_imm(b, nir_i2f32(b, nir_iand_imm(b, axis->fixed, 0xff)), 1.0 / 256.0)
               : axis->weight;
}

void cpu_residency_filter(struct cpu_sample *s, const struct cpu_level_def *level, bool linear,
                          nir_def *channel[4])
{
    struct cpu_footprint f = {{{{NULL}}}};
    nir_def *value[8];

    cpu_locate_footprint(s, level, linear, &f);
    if (!linear) {
        set_channels(tap_value(s, level, &f, 0, 0, 0), channel);
        return;
    }
    for (unsigned i = 0; i < 1u << s->dims; i++)
        value[i] = tap_value(s, level, &f, i & 1, i >> 1 & 1, i >> 2);
    for (unsigned a = 0; a < s->dims; a++) {
        nir_def *weight = second_weight(s, &f.axis[a]);
        for (unsigned i = 0; i < 1u << (s->dims - a - 1); i++)
            value[i] = cpu_sample_mix(s, value[2 * i], value[2 * i + 1], weight);
    }
    set_channels(value[0], channel);
}

void cpu_residency_gather(struct cpu_sample *s, const struct cpu_level_def *level,
                          nir_def *value[4])
{
    static const uint8_t order[4] = {2, 3, 1, 0}; /* as in cpu_sample_gather() */
    struct cpu_footprint f = {{{{NULL}}}};

    cpu_locate_footprint(s, level, true, &f);
    for (unsigned i = 0; i < 4; i++)
        value[i] = tap_value(s, level, &f, order[i] & 1, order[i] >> 1, 0);
}

void cpu_residency_fetch(struct cpu_sample *s, const struct cpu_level_def *level,
                         nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *texel = cpu_texel_column(b, s->coord[0]);

    if (s->dims > 1)
        texel = nir_iadd(b, texel, cpu_texel_row(b, level, s->coord[1]));
    nir_def *layer = s->dims > 2 ? s->coord[2] : s->layer;
    set_channels(texel_value(s, cpu_level_base(s, level, layer), texel), channel);
}
