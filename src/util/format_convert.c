/* SPDX-License-Identifier: MIT */
#include "util/format_convert.h"

#include <string.h>

#include "util/format.h"
#include "util/macros.h"

#define ALIGNED __attribute__((aligned(64)))

static const uint32_t zero[UTIL_CHUNK] ALIGNED = {0};
static const uint32_t one_float[UTIL_CHUNK] ALIGNED = {[0 ... UTIL_CHUNK - 1] = 0x3f800000};
static const uint32_t one_int[UTIL_CHUNK] ALIGNED = {[0 ... UTIL_CHUNK - 1] = 1};

/* ------------------------------------------------------------------------------------ plans --- */

static bool changes_colors(const struct util_pixel_transfer *t)
{
    for (unsigned c = 0; c < 4; c++)
        if (t->scale[c] != 1.0f || t->bias[c] != 0.0f)
            return true;
    return t->map_color;
}

static bool changes_zs(const struct util_pixel_transfer *t)
{
    return t->depth_scale != 1.0f || t->depth_bias != 0.0f || t->map_stencil || t->index_shift ||
           t->index_offset;
}

/* Returns the pixel transfer state of a conversion; NULL if it has no effect. */
static const struct util_pixel_transfer *find_transfer(const struct util_conversion_desc *d)
{
    const struct util_pixel_transfer *t = d->transfer;
    if (!t)
        return NULL;
    if (d->aspects)
        return changes_zs(t) ? t : NULL;
    return !util_format_is_pure_integer(d->dst) && changes_colors(t) ? t : NULL;
}

static bool is_normalized_unsigned(const struct util_texel_layout *l)
{
    for (unsigned i = 0; i < l->nr_channels; i++)
        if (l->channel[i].kind != UTIL_KIND_NONE && l->channel[i].kind != UTIL_KIND_UNORM &&
            l->channel[i].kind != UTIL_KIND_UNORM8 && l->channel[i].kind != UTIL_KIND_SRGB8)
            return false;
    return true;
}

/* Returns the channel of src that component c (enum drv_swizzle) of dst is read from; or
 * DRV_SWIZZLE_0 or DRV_SWIZZLE_1. */
static unsigned source_channel(const struct util_conversion *v, unsigned c)
{
    unsigned rgba = v->desc.out[c];
    unsigned component = rgba <= DRV_SWIZZLE_W ? v->desc.in[rgba] : rgba;
    return component <= DRV_SWIZZLE_W ? v->from.swizzle[component] : component;
}

/* Returns whether component c (enum drv_swizzle) of src is always 0. */
static bool is_zero(const struct util_conversion *v, unsigned c)
{
    return (c <= DRV_SWIZZLE_W ? v->from.swizzle[c] : c) == DRV_SWIZZLE_0;
}

/* Returns whether the sum of R, G and B is R + 0, and A is constant. */
static bool sums_zeros(const struct util_conversion *v)
{
    const unsigned a = v->desc.in[3];
    return is_zero(v, v->desc.in[1]) && is_zero(v, v->desc.in[2]) &&
           (a > DRV_SWIZZLE_W || v->from.swizzle[a] > DRV_SWIZZLE_W);
}

/* Lets channels be copied as bits if all channels of dst that are written from a channel of src
 * have its representation. Only called if values don't change. */
static void copy_bits(struct util_conversion *v)
{
    for (unsigned s = 0; s < v->from.nr_channels; s++) {
        const struct util_channel from = v->from.channel[s];
        bool same = from.kind != UTIL_KIND_RGB9E5 && v->to.channel[0].kind != UTIL_KIND_RGB9E5;
        for (unsigned i = 0; i < v->to.nr_channels; i++) {
            const struct util_channel *to = &v->to.channel[i];
            if (to->kind != UTIL_KIND_NONE && source_channel(v, v->to.written[i]) == s)
                same = same && to->kind == from.kind && to->bits == from.bits;
        }
        for (unsigned i = 0; same && i < v->to.nr_channels; i++)
            if (v->to.channel[i].kind != UTIL_KIND_NONE && source_channel(v, v->to.written[i]) == s)
                v->to.channel[i].kind = UTIL_KIND_BITS;
        if (same)
            v->from.channel[s].kind = UTIL_KIND_BITS;
    }
}

/* Finds the components and channels that the result depends on. */
static void find_needed(struct util_conversion *v)
{
    const struct util_conversion_desc *d = &v->desc;
    v->needed = 0;
    for (unsigned i = 0; i < v->to.nr_channels; i++)
        if (v->to.channel[i].kind != UTIL_KIND_NONE && d->out[v->to.written[i]] <= DRV_SWIZZLE_W)
            v->needed |= 1u << d->out[v->to.written[i]];
    if (v->to.channel[0].kind == UTIL_KIND_RGB9E5)
        for (unsigned c = 0; c < 3; c++)
            v->needed |= d->out[c] <= DRV_SWIZZLE_W ? 1u << d->out[c] : 0;
    if (d->luminance_sum)
        v->needed |= 7;
    for (unsigned c = 0; c < 4; c++)
        if (v->needed >> c & 1 && d->in[c] <= DRV_SWIZZLE_W &&
            v->from.swizzle[d->in[c]] <= DRV_SWIZZLE_W)
            v->decoded |= 1u << v->from.swizzle[d->in[c]];
}

/* Returns whether the layout is an array of channels of one kind, each of whole bytes. */
static bool is_array(const struct util_texel_layout *l)
{
    for (unsigned i = 0; i < l->nr_channels; i++) {
        const struct util_channel *c = &l->channel[i];
        if (c->kind != l->channel[0].kind || c->bits != l->channel[0].bits || c->bits % 8 ||
            c->word * 32u + c->shift != i * c->bits)
            return false;
    }
    return l->channel[0].kind != UTIL_KIND_NONE && l->channel[0].kind != UTIL_KIND_RGB9E5;
}

/* Returns whether each channel of an array is converted to the same channel of another array. */
static bool is_uniform(const struct util_conversion *v, const uint8_t swizzle[4])
{
    if (v->from.nr_channels != v->to.nr_channels || !is_array(&v->from) || !is_array(&v->to))
        return false;
    for (unsigned i = 0; i < v->to.nr_channels; i++) {
        const unsigned component = swizzle[v->to.written[i]];
        if (component > DRV_SWIZZLE_W || v->from.swizzle[component] != i)
            return false;
    }
    return true;
}

static void take_first_channel(struct util_texel_layout *l)
{
    static const uint8_t only[4] = {DRV_SWIZZLE_X, DRV_SWIZZLE_0, DRV_SWIZZLE_0, DRV_SWIZZLE_1};
    l->nr_channels = l->num_words = 1;
    l->bytes = l->channel[0].bits / 8;
    l->written[0] = 0;
    memcpy(l->swizzle, only, sizeof only);
}

/* Lets the conversion treat each channel as a pixel. */
static void flatten(struct util_conversion *v)
{
    static const uint8_t same[4] = {DRV_SWIZZLE_X, DRV_SWIZZLE_Y, DRV_SWIZZLE_Z, DRV_SWIZZLE_W};
    v->elements = v->to.nr_channels;
    take_first_channel(&v->from);
    take_first_channel(&v->to);
    memcpy(v->desc.in, same, sizeof same);
    memcpy(v->desc.out, same, sizeof same);
}

/* Lets all channels be converted as fields of integers if that is possible. */
static void init_fields(struct util_conversion *v)
{
    uint8_t source[4];
    for (unsigned i = 0; i < v->to.nr_channels; i++)
        source[i] = v->to.written[i] < 4 ? source_channel(v, v->to.written[i]) : DRV_SWIZZLE_0;
    v->has_fields = util_fields_init(&v->fields, &v->to, &v->from, source, v->integer);
}

/* Lets packed channels be converted to four elements if that is possible. */
static void init_spread(struct util_conversion *v)
{
    uint8_t source[4];
    if (v->to.nr_channels != 4 || v->desc.src_swap || v->desc.dst_swap)
        return;
    for (unsigned i = 0; i < 4; i++)
        source[i] = v->to.written[i] < 4 ? source_channel(v, v->to.written[i]) : DRV_SWIZZLE_0;
    v->has_spread = util_spread_init(&v->spread, &v->to, &v->from, source);
}

/* Completes v->moves, whose byte indices are in native byte order: applies the byte swaps of the
 * description. */
static void finish_moves(struct util_conversion *v)
{
    if (v->desc.src_swap || v->desc.dst_swap)
        util_pixel_moves_swap(&v->moves, v->desc.dst_swap, v->desc.src_swap);
    util_pixel_moves_prepare(&v->moves);
    v->moves_only = true;
}

/* Makes the conversion move bytes if all fields consist of whole bytes. */
static void init_field_moves(struct util_conversion *v)
{
    const struct util_fields *f = &v->fields;
    struct util_pixel_moves *m = &v->moves;
    if (f->scaled)
        return;
    util_pixel_moves_clear(m, v->to.bytes, v->from.bytes);
    for (unsigned b = 0; b < m->dst_bytes; b++)
        m->fill[b] = f->constant >> 8 * b;
    for (unsigned i = 0; i < f->count; i++) {
        const struct util_field *field = &f->field[i];
        if (field->right % 8 || field->left % 8)
            return;
        for (unsigned b = 0; b < m->src_bytes; b++) {
            const uint8_t mask = field->mask >> 8 * b;
            const unsigned at = b - field->right / 8 + field->left / 8;
            if (mask == 0)
                continue;
            if (mask != 0xff || at >= m->dst_bytes || m->fill[at])
                return;
            m->from[at] = b;
        }
    }
    v->has_fields = false;
    finish_moves(v);
}

/* Initializes moves of elements. source[i]: source element of element i, or DRV_SWIZZLE_0 or
 * DRV_SWIZZLE_1. */
static void init_moves(struct util_pixel_moves *m, enum util_element type, unsigned nr_dst,
                       unsigned nr_src, const uint8_t source[4])
{
    static const uint32_t ones[UTIL_ELEMENTS] = {
        [UTIL_ELEMENT_U8] = 0xff,        [UTIL_ELEMENT_U16] = 0xffff,
        [UTIL_ELEMENT_U32] = 0xffffffff, [UTIL_ELEMENT_S8] = 0x7f,
        [UTIL_ELEMENT_S16] = 0x7fff,     [UTIL_ELEMENT_S32] = 0x7fffffff,
        [UTIL_ELEMENT_F16] = 0x3c00,     [UTIL_ELEMENT_F32] = 0x3f800000,
    };
    const unsigned bytes = util_element_bytes(type);
    util_pixel_moves_clear(m, nr_dst * bytes, nr_src * bytes);
    for (unsigned i = 0; i < nr_dst; i++)
        for (unsigned b = 0; b < bytes; b++) {
            const bool moved = source[i] <= DRV_SWIZZLE_W;
            m->from[i * bytes + b] = moved ? source[i] * bytes + b : UTIL_MOVES_NO_BYTE;
            m->fill[i * bytes + b] = source[i] == DRV_SWIZZLE_1 ? ones[type] >> 8 * b : 0;
        }
}

/* Lets the conversion convert elements of arrays if both formats are arrays. */
static void init_elements(struct util_conversion *v)
{
    static const uint8_t same[4] = {0, 1, 2, 3};
    const struct util_conversion_desc *d = &v->desc;
    const unsigned nr_src = v->from.nr_channels, nr_dst = v->to.nr_channels;
    const enum util_element from = util_element_of(&v->from), to = util_element_of(&v->to);
    const bool before =
        nr_dst < nr_src || (nr_dst == nr_src && util_element_bytes(from) <= util_element_bytes(to));
    uint8_t source[4];
    bool ordered = nr_dst == nr_src;
    if (from == UTIL_ELEMENTS || to == UTIL_ELEMENTS)
        return;
    for (unsigned i = 0; i < nr_dst; i++) {
        source[i] = v->to.written[i] < 4 ? source_channel(v, v->to.written[i]) : DRV_SWIZZLE_0;
        ordered = ordered && source[i] == i;
    }
    v->has_elements = true;
    v->from_element = from;
    v->to_element = to;
    v->nr_elements = before ? nr_dst : nr_src;
    v->arranges_before = (before && !ordered) || d->src_swap;
    v->arranges_after = (!before && !ordered) || d->dst_swap;
    init_moves(&v->before, from, v->nr_elements, nr_src, before ? source : same);
    init_moves(&v->after, to, nr_dst, v->nr_elements, before ? same : source);
    util_pixel_moves_swap(&v->before, 0, d->src_swap);
    util_pixel_moves_swap(&v->after, d->dst_swap, 0);
    if (v->arranges_before)
        util_pixel_moves_prepare(&v->before);
    if (v->arranges_after)
        util_pixel_moves_prepare(&v->after);
}

static void init_color(struct util_conversion *v)
{
    struct util_conversion_desc *d = &v->desc;
    uint8_t swizzle[4];
    v->integer = util_format_is_pure_integer(d->dst);
    v->src_signed = util_format_is_pure_sint(d->src);
    if (d->luminance_sum && !d->transfer && is_normalized_unsigned(&v->from) &&
        is_zero(v, d->in[1]) && is_zero(v, d->in[2]))
        d->luminance_sum = false;
    if (v->integer || (!d->transfer && !d->luminance_sum && is_normalized_unsigned(&v->from)))
        d->clamp = false;
    bool changes = d->transfer || d->clamp || d->luminance_sum;
    for (unsigned c = 0; c < 4; c++)
        swizzle[c] = d->out[c] <= DRV_SWIZZLE_W ? d->in[d->out[c]] : d->out[c];
    v->moves_only = !changes && util_pixel_moves_init(&v->moves, d->dst, d->src, swizzle) &&
                    ((!d->src_swap && !d->dst_swap) ||
                     util_pixel_moves_swap(&v->moves, d->dst_swap, d->src_swap));
    if (v->moves_only) {
        util_pixel_moves_prepare(&v->moves);
        return;
    }
    if (!v->integer && !d->transfer && (!d->luminance_sum || sums_zeros(v)))
        init_elements(v);
    if (!changes && !v->has_elements)
        init_spread(v);
    if (v->has_elements || v->has_spread)
        return;
    /* bytes of packed pixels are reversed in the whole pixel */
    const bool packed =
        d->src_swap * 8 > v->from.channel[0].bits || d->dst_swap * 8 > v->to.channel[0].bits;
    if (!packed && !d->transfer && !d->luminance_sum && is_uniform(v, swizzle))
        flatten(v);
    find_needed(v);
    if (!changes && (!v->integer || v->src_signed == util_format_is_pure_sint(d->dst)))
        copy_bits(v);
    if (!changes)
        init_fields(v);
    if (v->has_fields)
        init_field_moves(v);
}

/* Returns the channel of depth (0) or stencil (1); NULL if the format has none. */
static const struct util_channel *zs_channel(enum drv_format format,
                                             const struct util_texel_layout *l, unsigned which)
{
    if (drv_format_desc(format)->colorspace != DRV_COLORSPACE_ZS)
        return &l->channel[0]; /* a client's only component */
    return l->swizzle[which] <= DRV_SWIZZLE_W ? &l->channel[l->swizzle[which]] : NULL;
}

/* Makes the conversion move stencil indices, as a byte or as a field, if the client's integers can
 * represent all of them. */
static void init_stencil_move(struct util_conversion *v)
{
    const struct util_channel *from = zs_channel(v->desc.src, &v->from, 1);
    const struct util_channel *to = zs_channel(v->desc.dst, &v->to, 1);
    if (!from || from->kind != UTIL_KIND_UINT || from->bits > 8 ||
        !(to->kind == UTIL_KIND_UINT || (to->kind == UTIL_KIND_SINT && to->bits > 8)))
        return;
    if (from->bits == 8 && from->shift % 8 == 0) {
        util_pixel_moves_clear(&v->moves, v->to.bytes, v->from.bytes);
        v->moves.from[0] = from->word * 4 + from->shift / 8;
        finish_moves(v);
        return;
    }
    const uint8_t source[4] = {(uint8_t)(from - v->from.channel)};
    struct util_texel_layout moved_to = v->to, moved_from = v->from;
    moved_to.channel[0].kind = UTIL_KIND_BITS;
    moved_from.channel[source[0]].kind = UTIL_KIND_BITS;
    v->has_fields = util_fields_init(&v->fields, &moved_to, &moved_from, source, true);
}

/* Makes the conversion of depths one of array elements: of 16-bit depths to a client's type, and
 * between floats and a client's normalized integers or floats. Floats are clamped unless any_depth
 * is set. */
static void init_depth_elements(struct util_conversion *v)
{
    const enum util_element to = util_element_of(&v->to), from = util_element_of(&v->from);
    const bool zs = drv_format_desc(v->desc.dst)->colorspace == DRV_COLORSPACE_ZS;
    const bool depth16 = v->desc.src == DRV_FORMAT_Z16_UNORM && !zs;
    const bool clamps = from != UTIL_ELEMENTS && (from != to || from == UTIL_ELEMENT_F32);
    const bool to_float = to == UTIL_ELEMENT_F32 || to == UTIL_ELEMENT_F16;
    if (to == UTIL_ELEMENTS || !(depth16 || clamps) || v->desc.src_swap || v->desc.dst_swap ||
        v->to.nr_channels != 1 || v->from.nr_channels != 1)
        return;
    v->moves_only = v->moves.same = depth16 && to == UTIL_ELEMENT_U16;
    v->moves.src_bytes = v->moves.dst_bytes = 2;
    v->has_elements = !v->moves_only;
    v->from_element = depth16 ? UTIL_ELEMENT_U16 : from;
    v->to_element = to;
    v->nr_elements = 1;
    v->desc.clamp = !depth16 && !(to_float && v->desc.any_depth);
}

static enum util_depth_type depth_type(const struct util_channel *c, bool client)
{
    return c->kind != UTIL_KIND_DEPTH ? UTIL_DEPTH_FLOAT
           : client && c->bits == 24  ? UTIL_DEPTH_U24
                                      : UTIL_DEPTH_U32;
}

/* Returns whether unscaled depths are converted between integers without arithmetic: by taking the
 * upper bits, or repeating them. */
static bool keeps_depth_bits(const struct util_conversion *v, const struct util_channel *to,
                             const struct util_channel *from)
{
    const enum util_depth_type a = depth_type(from, v->desc.client_src),
                               b = depth_type(to, v->desc.client_dst);
    return a != UTIL_DEPTH_FLOAT && b != UTIL_DEPTH_FLOAT &&
           (b == UTIL_DEPTH_U32 || from->bits == 24);
}

/* Makes the conversion of depths move their bytes if they keep their bits. */
static void init_depth_moves(struct util_conversion *v)
{
    const struct util_channel *to = zs_channel(v->desc.dst, &v->to, 0);
    const struct util_channel *from = zs_channel(v->desc.src, &v->from, 0);
    if (!to || !from || !keeps_depth_bits(v, to, from) || to->word || from->word || to->bits % 8 ||
        from->bits % 8 || to->shift % 8 || from->shift % 8)
        return;
    util_pixel_moves_clear(&v->moves, v->to.bytes, v->from.bytes);
    for (unsigned b = 0; b < to->bits / 8; b++) { /* from the most significant byte */
        const unsigned at = (to->shift + to->bits) / 8 - 1 - b;
        v->moves.from[at] = (from->shift + from->bits) / 8 - 1 - b % (from->bits / 8);
    }
    v->has_fields = v->has_elements = false;
    finish_moves(v);
}

/* Makes the conversion move depth and stencil if each has the same bits in both formats. */
static void init_zs_moves(struct util_conversion *v)
{
    struct util_texel_layout moved_to = v->to, moved_from = v->from;
    uint8_t source[4] = {DRV_SWIZZLE_0, DRV_SWIZZLE_0, DRV_SWIZZLE_0, DRV_SWIZZLE_0};
    for (unsigned w = 0; w < 2; w++) {
        const struct util_channel *to = zs_channel(v->desc.dst, &v->to, w);
        const struct util_channel *from = zs_channel(v->desc.src, &v->from, w);
        if (!to)
            continue;
        if (!from || from->kind != to->kind || from->bits != to->bits ||
            (w == 0 && from->kind != UTIL_KIND_DEPTH && !v->desc.any_depth))
            return;
        source[to - v->to.channel] = (uint8_t)(from - v->from.channel);
        moved_to.channel[to - v->to.channel].kind = UTIL_KIND_BITS;
        moved_from.channel[from - v->from.channel].kind = UTIL_KIND_BITS;
    }
    v->has_fields = util_fields_init(&v->fields, &moved_to, &moved_from, source, true);
    if (v->has_fields)
        init_field_moves(v);
}

static void init_zs(struct util_conversion *v)
{
    struct util_conversion_desc *d = &v->desc;
    const bool zs = drv_format_desc(d->dst)->colorspace == DRV_COLORSPACE_ZS;
    bool whole = true;
    for (unsigned w = 0; zs && w < 2; w++)
        if (zs_channel(d->dst, &v->to, w) && !(d->aspects >> w & 1))
            v->keeps = true;
    for (unsigned w = 0; w < 2; w++)
        if (zs_channel(d->dst, &v->to, w) &&
            (!zs_channel(d->src, &v->from, w) ||
             (zs_channel(d->src, &v->from, w)->kind == UTIL_KIND_FLOAT32 && !d->any_depth)))
            whole = false;
    const bool changes = d->transfer != NULL;
    if (d->aspects == UTIL_CONVERT_STENCIL && !changes && !zs)
        init_stencil_move(v);
    if (d->aspects == UTIL_CONVERT_DEPTH && !changes && !v->keeps)
        init_depth_elements(v);
    if (d->dst == d->src && zs && whole && !changes && !v->keeps && !d->src_swap && !d->dst_swap) {
        v->moves_only = v->moves.same = true;
        v->moves.src_bytes = v->moves.dst_bytes = v->from.bytes;
    } else if (zs && drv_format_desc(d->src)->colorspace == DRV_COLORSPACE_ZS && !changes &&
               !v->keeps) {
        init_zs_moves(v);
    }
    if (d->aspects == UTIL_CONVERT_DEPTH && !changes && !v->keeps && !v->moves_only)
        init_depth_moves(v);
}

bool util_conversion_init(struct util_conversion *v, const struct util_conversion_desc *desc)
{
    /* `moves` is large, so it is initialized only if it is used */
    memset(v, 0, offsetof(struct util_conversion, moves));
    v->moves.same = false;
    v->desc = *desc;
    v->desc.transfer = find_transfer(desc);
    if (!util_texel_layout_init(&v->to, desc->dst, false) ||
        !util_texel_layout_init(&v->from, desc->src, false))
        return false;
    v->src_bytes = v->from.bytes;
    v->dst_bytes = v->to.bytes;
    v->elements = 1;
    if (desc->aspects)
        init_zs(v);
    else
        init_color(v);
    return true;
}

/* Returns whether both conversions do the same. Those that depend on pixel transfer state count as
 * different, because its values may have changed. */
static bool is_same_conversion(const struct util_conversion_desc *a,
                               const struct util_conversion_desc *b)
{
    return a->dst != DRV_FORMAT_NONE && a->dst == b->dst && a->src == b->src &&
           a->aspects == b->aspects && memcmp(a->in, b->in, sizeof a->in) == 0 &&
           memcmp(a->out, b->out, sizeof a->out) == 0 && a->src_swap == b->src_swap &&
           a->dst_swap == b->dst_swap && a->clamp == b->clamp &&
           a->luminance_sum == b->luminance_sum && a->client_src == b->client_src &&
           a->client_dst == b->client_dst && !a->transfer && !b->transfer;
}

const struct util_conversion *util_conversion_find(struct util_conversion_cache *c,
                                                   const struct util_conversion_desc *desc)
{
    struct util_conversion_desc d = *desc;
    d.transfer = find_transfer(desc);
    for (unsigned i = 0; i < UTIL_CACHED_CONVERSIONS; i++)
        if (is_same_conversion(&c->desc[i], &d)) {
            /* the next call may not replace the entry */
            if (c->next == i)
                c->next = (i + 1) % UTIL_CACHED_CONVERSIONS;
            return &c->conversion[i];
        }
    const unsigned i = c->next;
    c->desc[i].dst = DRV_FORMAT_NONE;
    if (!util_conversion_init(&c->conversion[i], desc))
        return NULL;
    c->desc[i] = d;
    c->next = (i + 1) % UTIL_CACHED_CONVERSIONS;
    return &c->conversion[i];
}

/* ----------------------------------------------------------------------------------- colors --- */

/* Applies pixel transfer to a component (GL 4.6 compatibility §8.4.5.1, §8.4.5.3). */
static void transfer_plane(const struct util_pixel_transfer *t, unsigned c, float *dst,
                           const float *src, unsigned n)
{
    util_plane_scale(dst, src, t->scale[c], t->bias[c], n);
    if (!t->map_color)
        return;
    const struct util_lookup *map = &t->color_map[c];
    util_plane_clamp(dst, dst, n);
    util_plane_look_up(dst, dst, map->values, map->size, n);
}

static void sum_luminance(float *const rgb[3], float *sum, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sum[i] = rgb[0][i] + (rgb[1][i] + rgb[2][i]);
}

/* Applies the operations to the needed components. On return, rgba[] points to the results, which
 * are in `planes` if they changed. */
static void change_values(const struct util_conversion *v, const uint32_t *rgba[4],
                          struct util_planes *planes, unsigned n)
{
    const struct util_conversion_desc *d = &v->desc;
    for (unsigned c = 0; c < 4; c++)
        if (d->transfer && v->needed >> c & 1) {
            transfer_plane(d->transfer, c, (float *)planes->value[c], (const float *)rgba[c], n);
            rgba[c] = planes->value[c];
        }
    if (d->luminance_sum) {
        float *const rgb[3] = {(float *)rgba[0], (float *)rgba[1], (float *)rgba[2]};
        sum_luminance(rgb, (float *)planes->value[0], n);
        rgba[0] = planes->value[0];
    }
    for (unsigned c = 0; c < 4; c++)
        if (d->clamp && v->needed >> c & 1) {
            util_plane_clamp((float *)planes->value[c], (const float *)rgba[c], n);
            rgba[c] = planes->value[c];
        }
}

static void convert_colors(const struct util_conversion *v, const struct util_words *src,
                           struct util_words *dst, struct util_planes *decoded,
                           struct util_planes *changed, unsigned n)
{
    const struct util_conversion_desc *d = &v->desc;
    const uint32_t *one = v->integer ? one_int : one_float, *rgba[6], *source[6];
    const bool shared = v->from.channel[0].kind == UTIL_KIND_RGB9E5;
    for (unsigned i = 0; i < 4; i++)
        source[i] = decoded->value[i];
    for (unsigned i = 0; i < v->from.nr_channels; i++)
        if (shared || v->decoded >> i & 1)
            source[i] = util_decode_channel(&v->from.channel[i], src, n, decoded->value + i);
    source[DRV_SWIZZLE_0] = rgba[DRV_SWIZZLE_0] = zero;
    source[DRV_SWIZZLE_1] = rgba[DRV_SWIZZLE_1] = one;
    for (unsigned c = 0; c < 4; c++)
        rgba[c] = source[d->in[c] <= DRV_SWIZZLE_W ? v->from.swizzle[d->in[c]] : d->in[c]];
    if (d->transfer || d->luminance_sum || d->clamp)
        change_values(v, rgba, changed, n);
    if (v->to.channel[0].kind == UTIL_KIND_RGB9E5) {
        util_encode_rgb9e5((const float *)rgba[d->out[0]], (const float *)rgba[d->out[1]],
                           (const float *)rgba[d->out[2]], n, dst);
        return;
    }
    for (unsigned i = 0; i < v->to.nr_channels; i++) {
        const struct util_channel *c = &v->to.channel[i];
        if (c->kind == UTIL_KIND_NONE) /* padding, which no component is written to */
            continue;
        const uint32_t *plane = rgba[d->out[v->to.written[i]]];
        /* zeros have no bits to add to a word */
        if (plane != zero || c->first)
            util_encode_channel(&v->to, c, plane, v->src_signed, false, n, dst);
    }
}

/* ------------------------------------------------------------------------ depth and stencil --- */

static void convert_depth(const struct util_conversion *v, const struct util_words *src,
                          struct util_words *dst, uint32_t (*plane)[UTIL_CHUNK], unsigned n)
{
    const struct util_conversion_desc *d = &v->desc;
    const struct util_channel *from = zs_channel(d->src, &v->from, 0);
    const struct util_channel *to = zs_channel(d->dst, &v->to, 0);
    if (!to)
        return;
    if (!from) {
        util_encode_channel(&v->to, to, zero, false, v->keeps, n, dst);
        return;
    }
    const uint32_t *values = util_decode_channel(from, src, n, plane);
    const double scale = d->transfer ? d->transfer->depth_scale : 1.0;
    const double bias = d->transfer ? d->transfer->depth_bias : 0.0;
    const enum util_depth_type a = depth_type(from, d->client_src),
                               b = depth_type(to, d->client_dst);
    const bool scaled = scale != 1.0 || bias != 0.0;
    const bool floats = a == UTIL_DEPTH_FLOAT && b == UTIL_DEPTH_FLOAT;
    const bool direct = !scaled && (floats ? d->any_depth : keeps_depth_bits(v, to, from));
    if (floats && !scaled && !d->any_depth)
        util_plane_clamp((float *)plane[0], (const float *)values, n);
    else if (!direct)
        util_plane_depth(plane[0], b, values, a, scale, bias, from->bits > 24, n);
    util_encode_channel(&v->to, to, direct ? values : plane[0], false, v->keeps, n, dst);
}

/* Returns whether the plane of a channel holds floats. */
static bool is_float_kind(const struct util_channel *c)
{
    return c->kind != UTIL_KIND_UINT && c->kind != UTIL_KIND_SINT;
}

static void change_stencil(const struct util_pixel_transfer *t, uint32_t *plane, unsigned n)
{
    const int shift = t->index_shift;
    for (unsigned i = 0; i < n; i++) {
        uint32_t s = plane[i];
        s = shift >= 32 || shift <= -32 ? 0 : shift > 0 ? s << shift : s >> -shift;
        s += (uint32_t)t->index_offset;
        if (t->map_stencil)
            s = (uint32_t)(int64_t)t->stencil_map.values[s & (t->stencil_map.size - 1)];
        plane[i] = s;
    }
}

static void convert_stencil(const struct util_conversion *v, const struct util_words *src,
                            struct util_words *dst, uint32_t (*plane)[UTIL_CHUNK], unsigned n)
{
    const struct util_conversion_desc *d = &v->desc;
    const struct util_channel *from = zs_channel(d->src, &v->from, 1);
    const struct util_channel *to = zs_channel(d->dst, &v->to, 1);
    if (!to)
        return;
    struct util_channel channel = *to;
    if (!is_float_kind(to))
        channel.kind = UTIL_KIND_BITS; /* the lower bits are stored */
    if (!from) {
        util_encode_channel(&v->to, &channel, zero, false, v->keeps, n, dst);
        return;
    }
    const uint32_t *values = util_decode_channel(from, src, n, plane);
    if (values != plane[0])
        memcpy(plane[0], values, n * sizeof *values);
    for (unsigned i = 0; is_float_kind(from) && i < n; i++)
        plane[0][i] = (uint32_t)(int64_t)CLAMP(uif(plane[0][i]), -2147483648.0f, 4294967040.0f);
    if (d->transfer)
        change_stencil(d->transfer, plane[0], n);
    const bool small = !d->transfer && from->kind == UTIL_KIND_UINT && from->bits < 32;
    if (is_float_kind(to) && small)
        util_plane_to_floats(plane[0], n);
    for (unsigned i = 0; is_float_kind(to) && !small && i < n; i++)
        plane[0][i] = fui((float)plane[0][i]);
    for (unsigned i = 0; to->kind == UTIL_KIND_SINT && i < n; i++)
        plane[0][i] &= (1u << (to->bits - 1)) - 1; /* the mask of the type, GL 4.6 §18.2.8 */
    util_encode_channel(&v->to, &channel, plane[0], false, v->keeps, n, dst);
}

/* ------------------------------------------------------------------------------------- rows --- */

/* Converts n pixels whose channels are fields, see convert_chunk(). */
static void convert_fields(const struct util_conversion *v, uint8_t *dst, const uint8_t *src,
                           unsigned n)
{
    const struct util_conversion_desc *d = &v->desc;
    const bool load = d->src_swap || v->from.bytes == 3, store = d->dst_swap || v->to.bytes == 3;
    struct util_planes loaded, stored;
    struct util_words from, to = {.word = {stored.value[0]}, .buffer = &stored, .texels = dst};
    if (load)
        util_load_words(&v->from, src, n, d->src_swap, &loaded, &from);
    util_convert_fields(&v->fields, store ? (uint8_t *)stored.value : dst, store ? 4 : v->to.bytes,
                        load ? (const uint8_t *)from.word[0] : src, load ? 4 : v->from.bytes, n);
    if (store)
        util_store_words(&v->to, n, d->dst_swap, &to);
}

/* Converts n pixels; n is a multiple of 16, and both rows may be accessed past their ends as words
 * are loaded and stored. */
static void convert_chunk(const struct util_conversion *v, uint8_t *dst, const uint8_t *src,
                          unsigned n)
{
    const struct util_conversion_desc *d = &v->desc;
    struct util_planes buffer[4];
    struct util_words from, to;
    if (v->has_fields) {
        convert_fields(v, dst, src, n);
        return;
    }
    util_load_words(&v->from, src, n, d->src_swap, &buffer[0], &from);
    util_begin_words(&v->to, dst, n, v->keeps, &buffer[1], &to);
    if (!d->aspects)
        convert_colors(v, &from, &to, &buffer[2], &buffer[3], n);
    /* channels are encoded in the order of the layout */
    const bool stencil_first = v->to.swizzle[1] < v->to.swizzle[0];
    if (d->aspects & UTIL_CONVERT_STENCIL && stencil_first)
        convert_stencil(v, &from, &to, buffer[3].value, n);
    if (d->aspects & UTIL_CONVERT_DEPTH)
        convert_depth(v, &from, &to, buffer[2].value, n);
    if (d->aspects & UTIL_CONVERT_STENCIL && !stencil_first)
        convert_stencil(v, &from, &to, buffer[3].value, n);
    util_store_words(&v->to, n, d->dst_swap, &to);
}

#define STEP 16 /* texels; the planes' kernels handle multiples of it */

/* Converts fewer than UTIL_CHUNK pixels through buffers with room for full vectors. */
static void convert_padded(const struct util_conversion *v, uint8_t *dst, const uint8_t *src,
                           unsigned count)
{
    uint8_t from[(UTIL_CHUNK + 1) * 16] ALIGNED, to[(UTIL_CHUNK + 1) * 16] ALIGNED;
    const unsigned n = ALIGN_POT(count, STEP);
    memcpy(from, src, count * v->from.bytes);
    memset(from + count * v->from.bytes, 0, (n - count) * v->from.bytes);
    if (v->keeps) {
        memcpy(to, dst, count * v->to.bytes);
        memset(to + count * v->to.bytes, 0, (n - count) * v->to.bytes);
    }
    convert_chunk(v, to, from, n);
    memcpy(dst, to, count * v->to.bytes);
}

/* Returns whether loads and stores don't extend past the last pixel. */
static bool is_exact(unsigned bytes)
{
    return bytes != 3 && bytes != 6;
}

/* Converts pixels that are arrays. */
static void convert_arrays(const struct util_conversion *v, uint8_t *dst, const uint8_t *src,
                           size_t count)
{
    uint8_t before[UTIL_CHUNK * 16] ALIGNED, after[UTIL_CHUNK * 16] ALIGNED;
    const size_t most = v->arranges_before || v->arranges_after ? UTIL_CHUNK : count;
    for (size_t n; count; count -= n) {
        n = MIN2(count, most);
        if (v->arranges_before)
            util_pixel_moves_row(&v->before, before, src, (uint32_t)n);
        util_convert_elements(v->to_element, v->arranges_after ? after : dst, v->from_element,
                              v->arranges_before ? before : src, v->desc.luminance_sum,
                              v->desc.clamp, n * v->nr_elements);
        if (v->arranges_after)
            util_pixel_moves_row(&v->after, dst, after, (uint32_t)n);
        src += n * v->src_bytes;
        dst += n * v->dst_bytes;
    }
}

void util_convert_row(const struct util_conversion *v, void *dst, const void *src, size_t count)
{
    const uint8_t *from = src;
    uint8_t *to = dst;
    if (v->moves_only) {
        util_pixel_moves_row(&v->moves, dst, src, (uint32_t)count);
        return;
    }
    if (v->has_elements) {
        convert_arrays(v, to, from, count);
        return;
    }
    if (v->has_spread) {
        util_spread_row(&v->spread, to, from, v->src_bytes, count);
        return;
    }
    count *= v->elements;
    const size_t slack = is_exact(v->from.bytes) && is_exact(v->to.bytes) ? 0 : 16;
    while (count) {
        size_t n = MIN2(count, UTIL_CHUNK);
        /* leave as few pixels as possible to convert_padded() */
        if (count - n < slack && count >= STEP + slack)
            n = count - slack;
        if (n >= STEP)
            n &= ~(size_t)(STEP - 1);
        if (n >= STEP && count - n >= slack)
            convert_chunk(v, to, from, (unsigned)n);
        else
            convert_padded(v, to, from, (unsigned)n);
        to += n * v->to.bytes;
        from += n * v->from.bytes;
        count -= n;
    }
}
