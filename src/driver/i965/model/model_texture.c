/* SPDX-License-Identifier: MIT */
/* Reads and filters texels for the sampler. */
#include "model_texture.h"
#include "model_strict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/format.h"

/* Coordinates in texels are limited to this, so that they fit into integers. */
#define MAX_COORDINATE 0x1p24f
/* Index of a texel that has the border color. */
#define BORDER (-1)

typedef union {
    float f[4];
    uint32_t u[4];
} texel_value;

/* A sampled level of a surface, with the state that all taps share. */
struct level {
    const struct model_surface *s;
    const struct model_sampler *sampler;
    struct model_block_cache *blocks;
    const struct model_position *p;
    unsigned level;
    int32_t size[3];
    uint32_t element; /* Without the face of a cube. */
    uint8_t wrap[3];  /* enum i965_texture_coordinate_mode */
};

/* ----------------------------------------------------------------------------------- faces --- */

void model_cube_project(const float d[3], struct model_cube_face *f)
{
    static const struct {
        uint8_t axis[2];
        int8_t sign[2];
    } faces[6] = {{{2, 1}, {-1, -1}}, {{2, 1}, {1, -1}}, {{0, 2}, {1, 1}},
                  {{0, 2}, {1, -1}},  {{0, 1}, {1, -1}}, {{0, 1}, {-1, -1}}};
    float x = fabsf(d[0]), y = fabsf(d[1]), z = fabsf(d[2]);

    f->major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    f->face = f->major * 2 + (d[f->major] < 0.0f);
    for (unsigned i = 0; i < 2; i++) {
        f->axis[i] = faces[f->face].axis[i];
        f->sign[i] = (float)faces[f->face].sign[i];
    }
}

/* Moves a texel next to a face to the face that it belongs to. Returns false at corners. */
static bool cross_edge(unsigned *face, int32_t at[2], int32_t size)
{
    static const float axes[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    const bool outside[2] = {at[0] < 0 || at[0] >= size, at[1] < 0 || at[1] >= size};
    struct model_cube_face f;
    double d[3];

    if (!outside[0] && !outside[1])
        return true;
    if (outside[0] && outside[1])
        return false;
    model_cube_project(axes[*face], &f);
    d[f.major] = (double)axes[*face][f.major];
    for (unsigned i = 0; i < 2; i++)
        d[f.axis[i]] = (double)f.sign[i] * ((2.0 * at[i] + 1.0) / size - 1.0);
    /* The coordinate outside of [-1, 1] is the largest one. */
    const float rounded[3] = {(float)d[0], (float)d[1], (float)d[2]};
    model_cube_project(rounded, &f);
    for (unsigned i = 0; i < 2; i++) {
        double c = (double)f.sign[i] * d[f.axis[i]] / fabs(d[f.major]);
        at[i] = MIN2(MAX2((int32_t)floor((c + 1.0) * 0.5 * size), 0), size - 1);
    }
    *face = f.face;
    return true;
}

/* ---------------------------------------------------------------------------------- texels --- */

static void load_block(const struct model_surface *s, struct model_block_cache *cache,
                       const uint8_t *source, unsigned texel, uint32_t rgba[4])
{
    unsigned i = (unsigned)((uintptr_t)source / s->format.bytes) % MODEL_CACHED_BLOCKS;

    if (cache->source[i] != source) {
        model_block_unpack(&s->format, source, &cache->block[i]);
        cache->source[i] = source;
    }
    memcpy(rgba, cache->block[i].texel[texel], 16);
}

/* Returns whether the hierarchical depth buffer says that a texel has the clear value. */
static bool is_cleared(const struct model_surface *s, unsigned level, uint32_t x, uint32_t y,
                       uint32_t slice, unsigned sample)
{
    const uint8_t *mark = model_surface_texel(s->hiz, level, x, y, slice, sample);

    return mark && *mark != MODEL_HIZ_VALUES;
}

/* Returns the clear value as the surface's format can represent it. */
static void clear_texel(const struct model_surface *s, uint32_t rgba[4])
{
    const uint32_t value[4] = {s->clear[0]};
    uint8_t bytes[16] = {0};

    model_texel_pack(&s->format, bytes, value);
    model_texel_unpack(&s->format, bytes, rgba);
}

/* Reads a texel at absolute level and slice that exist. */
static void load_texel(const struct model_surface *s, struct model_block_cache *blocks,
                       unsigned level, uint32_t x, uint32_t y, uint32_t slice, unsigned sample,
                       uint32_t rgba[4])
{
    const uint8_t *bytes = model_surface_texel(s, level, x, y, slice, sample);

    if (bytes)
        model_surface_reads(s, MODEL_CACHE_TEXTURE, bytes);
    if (!bytes)
        memset(rgba, 0, 16);
    else if (s->hiz && is_cleared(s, level, x, y, slice, sample))
        clear_texel(s, rgba);
    else if (s->format.compressed)
        load_block(s, blocks, bytes,
                   y % s->format.block_height * s->format.block_width + x % s->format.block_width,
                   rgba);
    else
        model_texel_unpack(&s->format, bytes, rgba);
}

bool model_texture_load(const struct model_surface *s, struct model_block_cache *blocks,
                        unsigned level, const int32_t at[3], uint32_t element, unsigned sample,
                        uint32_t rgba[4])
{
    level += s->first_level;
    const bool volume = s->type == I965_SURFACE_TYPE_SURFTYPE_3D;
    uint32_t x = (uint32_t)at[0], y = (uint32_t)at[1], z = volume ? (uint32_t)at[2] : element;

    if (s->type == I965_SURFACE_TYPE_SURFTYPE_1D)
        y = 0;
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_BUFFER)
        return x < s->entries && (load_texel(s, blocks, 0, x, 0, 0, 0, rgba), true);
    if (x >= model_minify(s->width, level) || y >= model_minify(s->height, level) ||
        z >= (volume ? model_minify(s->depth, level) : s->depth))
        return false;
    load_texel(s, blocks, level, x, y, volume ? z : z + s->min_element, sample, rgba);
    return true;
}

/* The border color in the form of a texel: components that the format lacks have their defaults. */
static void border_texel(const struct level *l, uint32_t rgba[4])
{
    const struct drv_format_desc *d = drv_format_desc(l->s->format.drv);
    const bool integer = l->s->format.kind == MODEL_TEXEL_INTEGER;
    texel_value one = {.f = {1.0f}};

    memcpy(rgba, l->sampler->border, 16);
    if (l->s->format.kind == MODEL_TEXEL_DEPTH || l->s->format.kind == MODEL_TEXEL_STENCIL)
        return;
    for (unsigned c = 0; c < 4; c++) {
        unsigned first = 0;
        while (first < c && d->swizzle[first] != d->swizzle[c])
            first++;
        if (d->swizzle[c] == DRV_SWIZZLE_0)
            rgba[c] = 0;
        else if (d->swizzle[c] == DRV_SWIZZLE_1)
            rgba[c] = integer ? 1 : one.u[0];
        else
            rgba[c] = l->sampler->border[first];
    }
}

/* Returns the index of a texel along an axis, or BORDER. */
static int32_t wrap_index(unsigned mode, int32_t i, int32_t size)
{
    int32_t m;

    switch (mode) {
    case I965_TEXTURE_COORDINATE_MODE_WRAP:
        m = i % size;
        return m < 0 ? m + size : m;
    case I965_TEXTURE_COORDINATE_MODE_MIRROR:
        m = i % (2 * size);
        m = m < 0 ? m + 2 * size : m;
        return m < size ? m : 2 * size - 1 - m;
    case I965_TEXTURE_COORDINATE_MODE_MIRROR_101:
        m = size > 1 ? abs(i) % (2 * size - 2) : 0;
        return m < size ? m : 2 * size - 2 - m;
    case I965_TEXTURE_COORDINATE_MODE_MIRROR_ONCE:
        return MIN2(i < 0 ? -1 - i : i, size - 1);
    case I965_TEXTURE_COORDINATE_MODE_CLAMP_BORDER:
    case I965_TEXTURE_COORDINATE_MODE_HALF_BORDER:
        return i < 0 || i >= size ? BORDER : i;
    default:
        return MIN2(MAX2(i, 0), size - 1);
    }
}

/* Compares with the reference value: 0 if the sampler's function holds for texel and reference. */
static float compare(const struct level *l, float texel)
{
    float ref = l->p->reference;
    bool holds = false;

    if (l->s->format.kind == MODEL_TEXEL_DEPTH ? l->s->format.bytes == 4
                                               : !util_format_is_float(l->s->format.drv))
        ref = fminf(fmaxf(ref, 0.0f), 1.0f);
    switch ((enum i965_compare_function)l->sampler->state.shadow_function) {
    case I965_COMPARE_FUNCTION_ALWAYS:
        holds = true;
        break;
    case I965_COMPARE_FUNCTION_NEVER:
        break;
    case I965_COMPARE_FUNCTION_LESS:
        holds = texel < ref;
        break;
    case I965_COMPARE_FUNCTION_EQUAL:
        holds = texel == ref;
        break;
    case I965_COMPARE_FUNCTION_LEQUAL:
        holds = texel <= ref;
        break;
    case I965_COMPARE_FUNCTION_GREATER:
        holds = texel > ref;
        break;
    case I965_COMPARE_FUNCTION_NOTEQUAL:
        holds = texel != ref;
        break;
    case I965_COMPARE_FUNCTION_GEQUAL:
        holds = texel >= ref;
        break;
    }
    return holds ? 0.0f : 1.0f;
}

/* Reads a tap. Returns false if it is beyond a corner of a cube, where there is no texel. */
static bool load_tap(const struct level *l, const int32_t at[3], unsigned face, texel_value *out)
{
    const struct model_surface *s = l->s;
    int32_t index[3];
    bool border = false;

    memcpy(index, at, sizeof index);
    if (l->wrap[0] == I965_TEXTURE_COORDINATE_MODE_CUBE &&
        s->type == I965_SURFACE_TYPE_SURFTYPE_CUBE) {
        if (!cross_edge(&face, index, l->size[0]))
            return false;
    } else {
        for (unsigned c = 0; c < 3; c++) {
            index[c] = wrap_index(l->wrap[c], at[c], l->size[c]);
            border |= index[c] == BORDER;
        }
    }
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_CUBE)
        border |= !(s->cube_faces >> face & 1);
    if (border)
        border_texel(l, out->u);
    else
        load_texel(s, l->blocks, l->level, (uint32_t)index[0], (uint32_t)index[1],
                   s->type == I965_SURFACE_TYPE_SURFTYPE_3D ? (uint32_t)index[2]
                                                            : s->min_element + l->element + face,
                   0, out->u);
    if (l->p->compares) {
        const bool alpha = drv_format_desc(s->format.drv)->swizzle[0] == DRV_SWIZZLE_0;
        out->f[0] = compare(l, out->f[alpha ? 3 : 0]);
        out->f[1] = out->f[2] = out->f[3] = out->f[0];
    }
    return true;
}

/* --------------------------------------------------------------------------------- filters --- */

static void begin_level(struct level *l, const struct model_surface *s,
                        const struct model_sampler *sampler, struct model_block_cache *blocks,
                        const struct model_position *p, unsigned level)
{
    const bool cube = s->type == I965_SURFACE_TYPE_SURFTYPE_CUBE;
    const bool volume = s->type == I965_SURFACE_TYPE_SURFTYPE_3D;
    const uint32_t elements = cube ? s->depth / 6 : s->depth;
    const float last = (float)(elements ? elements - 1 : 0);

    level = MIN2(level + s->first_level, MODEL_MAX_LEVELS - 1u);
    *l = (struct level){.s = s, .sampler = sampler, .blocks = blocks, .p = p, .level = level};
    l->size[0] = (int32_t)model_minify(s->width, level);
    l->size[1] = (int32_t)model_minify(s->height, level);
    l->size[2] = volume ? (int32_t)model_minify(s->depth, level) : 1;
    l->element = (uint32_t)fminf(fmaxf(p->element, 0.0f), last) * (cube ? 6 : 1);
    l->wrap[0] = (uint8_t)sampler->state.tcx_address_control_mode;
    l->wrap[1] = (uint8_t)sampler->state.tcy_address_control_mode;
    l->wrap[2] = (uint8_t)sampler->state.tcz_address_control_mode;
    if (cube && sampler->state.cube_surface_control_mode == I965_CUBE_SURFACE_CONTROL_MODE_OVERRIDE)
        l->wrap[0] = I965_TEXTURE_COORDINATE_MODE_CUBE;
    if (s->type == I965_SURFACE_TYPE_SURFTYPE_1D)
        l->wrap[1] = I965_TEXTURE_COORDINATE_MODE_CLAMP;
    if (!volume)
        l->wrap[2] = I965_TEXTURE_COORDINATE_MODE_CLAMP;
}

/* Returns a coordinate in texels of the level. */
static float texel_coordinate(const struct level *l, unsigned axis, float c)
{
    const float size = (float)l->size[axis];
    const unsigned mode = l->wrap[axis];

    if (l->sampler->state.non_normalized_coordinate_enable) {
        if (mode == I965_TEXTURE_COORDINATE_MODE_HALF_BORDER)
            c = fminf(fmaxf(c, 0.0f), size);
        return fminf(fmaxf(c, -MAX_COORDINATE), MAX_COORDINATE);
    }
    if (mode == I965_TEXTURE_COORDINATE_MODE_WRAP)
        c -= floorf(c);
    else if (mode == I965_TEXTURE_COORDINATE_MODE_MIRROR)
        c -= 2.0f * floorf(c * 0.5f);
    else if (mode == I965_TEXTURE_COORDINATE_MODE_HALF_BORDER)
        c = fminf(fmaxf(c, 0.0f), 1.0f);
    return fminf(fmaxf(c * size, -MAX_COORDINATE), MAX_COORDINATE);
}

/* Returns the face; replaces the direction by coordinates on it. */
static unsigned cube_coordinates(const struct level *l, float coord[3])
{
    struct model_cube_face f;
    float on_face[2];

    if (l->s->type != I965_SURFACE_TYPE_SURFTYPE_CUBE)
        return 0;
    model_cube_project(coord, &f);
    for (unsigned i = 0; i < 2; i++)
        on_face[i] = (f.sign[i] * coord[f.axis[i]] / fabsf(coord[f.major]) + 1.0f) * 0.5f;
    coord[0] = on_face[0];
    coord[1] = on_face[1];
    coord[2] = 0.0f;
    return f.face;
}

static unsigned filter_axes(const struct model_surface *s)
{
    return s->type == I965_SURFACE_TYPE_SURFTYPE_1D   ? 1
           : s->type == I965_SURFACE_TYPE_SURFTYPE_3D ? 3
                                                      : 2;
}

static void nearest(const struct level *l, const float coord[3], unsigned face, texel_value *out)
{
    int32_t at[3] = {0};

    for (unsigned c = 0; c < filter_axes(l->s); c++) {
        float u = texel_coordinate(l, c, coord[c]);
        at[c] = (int32_t)floorf(u);
        /* The end of the range belongs to the last texel. */
        if (l->wrap[c] == I965_TEXTURE_COORDINATE_MODE_HALF_BORDER ||
            l->wrap[c] == I965_TEXTURE_COORDINATE_MODE_CUBE)
            at[c] = MIN2(MAX2(at[c], 0), l->size[c] - 1);
        at[c] += l->p->offset[c];
    }
    if (!load_tap(l, at, face, out))
        memset(out, 0, sizeof *out);
}

/* Loads the taps of a linear filter: tap t is at at[c] + (bit c of t). Taps beyond a cube's corner
 * are the average of the other three. */
static void load_taps(const struct level *l, const int32_t at[3], unsigned face, texel_value tap[8])
{
    unsigned missing = 8;

    for (unsigned t = 0; t < 1u << filter_axes(l->s); t++) {
        const int32_t index[3] = {at[0] + (int)(t & 1), at[1] + (int)(t >> 1 & 1),
                                  at[2] + (int)(t >> 2)};
        if (!load_tap(l, index, face, &tap[t]))
            missing = t;
    }
    for (unsigned c = 0; c < 4 && missing < 4; c++) {
        float sum = 0.0f;
        for (unsigned t = 0; t < 4; t++)
            sum += t == missing ? 0.0f : tap[t].f[c];
        tap[missing].f[c] = sum / 3.0f;
    }
}

/* Combines two values along an axis: interpolates, or reduces those with a weight. */
static float combine(const struct level *l, float a, float b, float weight)
{
    const struct i965_sampler_state *s = &l->sampler->state;

    if (s->reduction_type_enable && s->reduction_type == I965_REDUCTION_TYPE_MINIMUM)
        return weight == 0.0f ? a : fminf(a, b);
    if (s->reduction_type_enable && s->reduction_type == I965_REDUCTION_TYPE_MAXIMUM)
        return weight == 0.0f ? a : fmaxf(a, b);
    return a + (b - a) * weight;
}

static void linear(const struct level *l, const float coord[3], unsigned face, texel_value *out)
{
    const unsigned axes = filter_axes(l->s);
    texel_value tap[8] = {{{0}}};
    int32_t at[3] = {0};
    float weight[3] = {0};

    for (unsigned c = 0; c < axes; c++) {
        float u = texel_coordinate(l, c, coord[c]) - 0.5f, whole = floorf(u);
        weight[c] = u - whole;
        at[c] = (int32_t)whole + l->p->offset[c];
    }
    load_taps(l, at, face, tap);
    for (unsigned c = 0; c < axes; c++) {
        for (unsigned t = 0; t < 1u << (axes - c - 1); t++) {
            for (unsigned i = 0; i < 4; i++)
                tap[t].f[i] = combine(l, tap[2 * t].f[i], tap[2 * t + 1].f[i], weight[c]);
        }
    }
    *out = tap[0];
}

/* Filters one level: the average of the samples along the footprint's axis. */
static void filter_level(const struct level *l, const struct model_footprint *f, texel_value *out)
{
    const bool integer =
        l->s->format.kind == MODEL_TEXEL_INTEGER || l->s->format.kind == MODEL_TEXEL_STENCIL;
    texel_value sum = {{0}}, one;

    for (unsigned i = 0; i < f->samples; i++) {
        float coord[3], t = ((float)i + 0.5f) / (float)f->samples - 0.5f;
        memcpy(coord, l->p->coord, sizeof coord);
        for (unsigned c = 0; c < 2 && f->samples > 1; c++)
            coord[c] += t * f->axis[c];
        unsigned face = cube_coordinates(l, coord);
        if (f->linear && !integer)
            linear(l, coord, face, &one);
        else
            nearest(l, coord, face, &one);
        if (f->samples == 1) {
            *out = one;
            return;
        }
        for (unsigned c = 0; c < 4; c++)
            sum.f[c] += one.f[c];
    }
    for (unsigned c = 0; c < 4; c++)
        out->f[c] = sum.f[c] / (float)f->samples;
}

void model_texture_filter(const struct model_surface *s, const struct model_sampler *sampler,
                          struct model_block_cache *blocks, const struct model_position *p,
                          const struct model_footprint *f, uint32_t rgba[4])
{
    texel_value value[2];
    struct level l;

    begin_level(&l, s, sampler, blocks, p, f->level[0]);
    filter_level(&l, f, &value[0]);
    if (f->weight > 0.0f && f->level[1] != f->level[0]) {
        begin_level(&l, s, sampler, blocks, p, f->level[1]);
        filter_level(&l, f, &value[1]);
        for (unsigned c = 0; c < 4; c++)
            value[0].f[c] = combine(&l, value[0].f[c], value[1].f[c], f->weight);
    }
    memcpy(rgba, value[0].u, 16);
}

void model_texture_gather(const struct model_surface *s, const struct model_sampler *sampler,
                          struct model_block_cache *blocks, const struct model_position *p,
                          uint32_t rgba[4][4])
{
    static const uint8_t order[4] = {2, 3, 1, 0};
    texel_value tap[8] = {{{0}}};
    int32_t at[3] = {0};
    float coord[3];
    struct level l;

    begin_level(&l, s, sampler, blocks, p, 0);
    memcpy(coord, p->coord, sizeof coord);
    unsigned face = cube_coordinates(&l, coord);
    for (unsigned c = 0; c < 2; c++)
        at[c] = (int32_t)floorf(texel_coordinate(&l, c, coord[c]) - 0.5f) + p->offset[c];
    load_taps(&l, at, face, tap);
    for (unsigned i = 0; i < 4; i++)
        memcpy(rgba[i], tap[order[i]].u, 16);
}
