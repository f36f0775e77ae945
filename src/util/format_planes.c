/* SPDX-License-Identifier: MIT */
#include "util/format_planes.h"

#include <string.h>

#include "util/format.h"
#include "util/format_tables.h"
#include "util/macros.h"
#include "util/simd.h"

typedef uint32_t v4u32 __attribute__((vector_size(16), may_alias));
typedef uint8_t v16u8 __attribute__((vector_size(16), may_alias));
typedef uint16_t v8u16 __attribute__((vector_size(16), may_alias));
typedef uint32_t v4u32_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
#define LOAD4(p)     (*(const v4u32_unaligned *)(p))
#define STORE4(p, v) (*(v4u32_unaligned *)(p) = (v))

static inline uint32_t channel_mask(unsigned bits)
{
    return (uint32_t)BITFIELD64_MASK(bits);
}

/* [bits]: 1 / (2^bits - 1) as the sum of a float with 24 - bits significant bits and a float. */
static const float unorm_factors[17][2] = {
    {0.0f, 0.0f},
    {0x1p+0f, 0.0f},
    {0x1.55555p-2f, 0x1.555556p-24f},
    {0x1.24924p-3f, 0x1.24924ap-24f},
    {0x1.1111p-4f, 0x1.111112p-24f},
    {0x1.0842p-5f, 0x1.08421p-25f},
    {0x1.041p-6f, 0x1.041042p-24f},
    {0x1.0204p-7f, 0x1.020408p-28f},
    {0x1.01p-8f, 0x1.010102p-24f},
    {0x1.008p-9f, 0x1.00804p-27f},
    {0x1.004p-10f, 0x1.00401p-30f},
    {0x1.002p-11f, 0x1.002004p-33f},
    {0x1p-12f, 0x1.001002p-24f},
    {0x1p-13f, 0x1.0008p-26f},
    {0x1p-14f, 0x1.0004p-28f},
    {0x1p-15f, 0x1.0002p-30f},
    {0x1p-16f, 0x1.0001p-32f},
};

#define SIMD_FILE          "util/format_planes_lanes.h"
#define SIMD_LANES_DIVISOR 1
#include "util/simd_each.h"

/* -------------------------------------------------------------------------------- layouts --- */

/* Returns the kind of a channel; -1: none of them. */
static int kind_of(const struct drv_format_desc *d, unsigned channel, bool unscaled)
{
    const struct drv_format_channel *c = &d->channel[channel];
    const bool is_signed = c->type == DRV_CHANNEL_SIGNED;
    switch (c->type) {
    case DRV_CHANNEL_VOID:
        return UTIL_KIND_NONE;
    case DRV_CHANNEL_FLOAT:
        return c->bits == 32   ? UTIL_KIND_FLOAT32
               : c->bits == 16 ? UTIL_KIND_FLOAT16
               : c->bits < 16  ? UTIL_KIND_SMALL_FLOAT
                               : -1;
    case DRV_CHANNEL_UNSIGNED:
    case DRV_CHANNEL_SIGNED:
        break;
    default:
        return -1;
    }
    if (c->bits > 32)
        return -1;
    if (c->pure_integer || (d->colorspace == DRV_COLORSPACE_ZS && d->swizzle[1] == channel))
        return is_signed ? UTIL_KIND_SINT : UTIL_KIND_UINT;
    if (!c->normalized)
        return -1;
    if (d->colorspace == DRV_COLORSPACE_ZS && !(unscaled && c->bits <= 16))
        return UTIL_KIND_DEPTH;
    if (d->colorspace == DRV_COLORSPACE_SRGB && channel != d->swizzle[3])
        return UTIL_KIND_SRGB8;
    if (unscaled && c->bits <= 16)
        return is_signed ? UTIL_KIND_UNSCALED_SIGNED : UTIL_KIND_UNSCALED;
    if (is_signed)
        return UTIL_KIND_SNORM;
    return util_format_is_unorm8_array(d->format) ? UTIL_KIND_UNORM8 : UTIL_KIND_UNORM;
}

static unsigned component_of(const struct drv_format_desc *d, unsigned channel)
{
    for (unsigned c = 0; c < 4; c++)
        if (d->swizzle[c] == channel)
            return c;
    return 4;
}

bool util_texel_layout_init(struct util_texel_layout *l, enum drv_format format, bool unscaled)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    unsigned filled = 0; /* bit w is set if a channel before this one is in word w */
    memset(l, 0, sizeof *l);
    if (d->layout == DRV_LAYOUT_COMPRESSED || !d->block_bytes || d->block_bytes > 16)
        return false;
    l->bytes = d->block_bytes;
    l->num_words = DIV_ROUND_UP(l->bytes, 4);
    memcpy(l->swizzle, d->swizzle, sizeof l->swizzle);
    if (d->layout == DRV_LAYOUT_RGB9E5) {
        l->nr_channels = 1;
        l->channel[0] = (struct util_channel){.kind = UTIL_KIND_RGB9E5, .bits = 32};
        return true;
    }
    l->nr_channels = d->nr_channels;
    for (unsigned i = 0; i < d->nr_channels; i++) {
        const struct drv_format_channel *c = &d->channel[i];
        int kind = kind_of(d, i, unscaled);
        if (kind < 0)
            return false;
        const unsigned word = c->shift / 32;
        const bool used = kind != UTIL_KIND_NONE;
        l->channel[i] = (struct util_channel){.kind = kind,
                                              .bits = c->bits,
                                              .word = word,
                                              .shift = c->shift % 32,
                                              .first = used && !(filled >> word & 1)};
        filled |= (unsigned)used << word;
        l->written[i] = component_of(d, i);
    }
    return true;
}

/* ---------------------------------------------------------------------------------- words --- */

static const uint32_t zeros[UTIL_CHUNK] __attribute__((aligned(64))) = {0};

void util_load_words(const struct util_texel_layout *l, const uint8_t *src, unsigned n,
                     unsigned swap, struct util_planes *buffer, struct util_words *words)
{
    words->buffer = buffer;
    for (unsigned i = 0; i < 4; i++)
        words->word[i] = buffer->value[i];
    switch (l->bytes) {
    case 3:
        SIMD_CALL(load_3, src, buffer->value[0], n);
        break;
    case 4:
        words->word[0] = (const uint32_t *)src;
        break;
    case 6:
        SIMD_CALL(load_6, src, buffer->value, n);
        break;
    case 12:
        SIMD_CALL(load_12, src, buffer->value, n);
        break;
    case 8:
    case 16:
        SIMD_CALL(load_wide, src, l->bytes, buffer->value, n);
        break;
    default:
        SIMD_CALL(load_narrow, src, l->bytes, buffer->value[0], n);
    }
    for (unsigned i = 0; swap && i < l->num_words; i++) {
        SIMD_CALL(swap, swap, words->word[i], buffer->value[i], n);
        words->word[i] = buffer->value[i];
    }
}

void util_begin_words(const struct util_texel_layout *l, uint8_t *dst, unsigned n, bool merge,
                      struct util_planes *buffer, struct util_words *words)
{
    if (merge) {
        util_load_words(l, dst, n, 0, buffer, words);
    } else {
        for (unsigned i = 0; i < 4; i++)
            words->word[i] = zeros;
    }
    words->buffer = buffer;
    words->texels = dst;
}

void util_store_words(const struct util_texel_layout *l, unsigned n, unsigned swap,
                      struct util_words *words)
{
    uint8_t *dst = words->texels;
    const uint32_t *const *word = words->word;
    for (unsigned i = 0; swap && i < l->num_words; i++) {
        SIMD_CALL(swap, swap, words->word[i], words->buffer->value[i], n);
        words->word[i] = words->buffer->value[i];
    }
    switch (l->bytes) {
    case 3:
        SIMD_CALL(store_3, dst, word[0], n);
        break;
    case 4:
        if (word[0] != (const uint32_t *)dst)
            memcpy(dst, word[0], 4 * n);
        break;
    case 6:
        SIMD_CALL(store_6, dst, word, n);
        break;
    case 12:
        SIMD_CALL(store_12, dst, word, n);
        break;
    case 8:
    case 16:
        SIMD_CALL(store_wide, dst, l->bytes, word, n);
        break;
    default:
        SIMD_CALL(store_narrow, dst, l->bytes, word[0], n);
    }
}

/* ------------------------------------------------------------------------------- channels --- */

/* Returns whether a channel's word is its plane. */
static bool is_whole_word(const struct util_channel *c)
{
    return c->bits == 32 && (c->kind == UTIL_KIND_FLOAT32 || c->kind == UTIL_KIND_BITS ||
                             c->kind == UTIL_KIND_DEPTH);
}

const uint32_t *util_decode_channel(const struct util_channel *c, const struct util_words *words,
                                    unsigned n, uint32_t (*plane)[UTIL_CHUNK])
{
    if (is_whole_word(c))
        return words->word[c->word];
    SIMD_CALL(decode, c, words->word[c->word], plane, n);
    return plane[0];
}

void util_encode_channel(const struct util_texel_layout *l, const struct util_channel *c,
                         const uint32_t *plane, bool src_signed, bool merge, unsigned n,
                         struct util_words *words)
{
    uint32_t *to = l->bytes == 4 ? (uint32_t *)words->texels : words->buffer->value[c->word];
    if (is_whole_word(c)) {
        words->word[c->word] = plane;
        return;
    }
    uint32_t keep = merge ? ~(channel_mask(c->bits) << c->shift) : c->first ? 0 : ~0u;
    SIMD_CALL(encode, c, plane, src_signed, to, keep, n);
    words->word[c->word] = to;
}

void util_encode_rgb9e5(const float *r, const float *g, const float *b, unsigned n,
                        struct util_words *words)
{
    SIMD_CALL(encode_rgb9e5, r, g, b, (uint32_t *)words->texels, n);
    words->word[0] = (const uint32_t *)words->texels;
}

/* ------------------------------------------------------------------------------- fields --- */

static bool is_unorm(const struct util_channel *c)
{
    return c->kind == UTIL_KIND_UNORM || c->kind == UTIL_KIND_UNORM8;
}

/* Sets the scale of a field to convert unsigned normalized integers of `from` bits to `to` bits:
 * v * (2^to - 1) / (2^from - 1), rounded to nearest. There are no ties, because both are odd. The
 * results of the accepted sizes were compared for all values. Clears *narrow if the scale needs
 * more than 16 bits. */
static bool set_scale(struct util_field *f, unsigned to, unsigned from, bool *narrow)
{
    const uint64_t top = channel_mask(to), bottom = channel_mask(from);
    if (top % bottom == 0) {
        f->factor = (uint32_t)(top / bottom);
        return to <= 16;
    }
    if (from == 6 && to == 8) {
        f->factor = 259;
        f->half = 33;
        f->down = 6;
        return true;
    }
    if (from == 16 && to == 8) {
        f->factor = 255;
        f->half = 32895;
        f->down = 16;
        *narrow = false;
        return true;
    }
    if (to > 10 || from > 10)
        return false;
    const bool fits = to <= 8 && from <= 8;
    *narrow = *narrow && fits;
    f->down = fits ? 16 - to : 31 - to;
    f->factor = (uint32_t)((2 * (top << f->down) + bottom) / (2 * bottom));
    f->half = 1u << (f->down - 1);
    return true;
}

/* Adds a field that is moved, to another one that is moved as far if there is one. */
static void add_moved(struct util_fields *f, const struct util_field *moved)
{
    for (unsigned i = f->scaled; i < f->count; i++)
        if (f->field[i].right == moved->right && f->field[i].left == moved->left) {
            f->field[i].mask |= moved->mask;
            return;
        }
    f->field[f->count++] = *moved;
}

static void add_scaled(struct util_fields *f, const struct util_field *scaled)
{
    memmove(f->field + f->scaled + 1, f->field + f->scaled,
            (f->count - f->scaled) * sizeof *f->field);
    f->field[f->scaled++] = *scaled;
    f->count++;
}

static bool add_field(struct util_fields *f, const struct util_channel *to,
                      const struct util_channel *from)
{
    struct util_field field = {.mask = channel_mask(from->bits) << from->shift};
    if (to->kind == UTIL_KIND_BITS || (is_unorm(to) && is_unorm(from) && to->bits == from->bits)) {
        if (from->kind != to->kind && !is_unorm(from))
            return false;
        field.right = MAX2(from->shift, to->shift) - to->shift;
        field.left = MAX2(from->shift, to->shift) - from->shift;
        add_moved(f, &field);
        return true;
    }
    field.right = from->shift;
    field.left = to->shift;
    if (!is_unorm(to) || !is_unorm(from) || !set_scale(&field, to->bits, from->bits, &f->narrow))
        return false;
    add_scaled(f, &field);
    return true;
}

bool util_fields_init(struct util_fields *f, const struct util_texel_layout *dst,
                      const struct util_texel_layout *src, const uint8_t source[4], bool integer)
{
    *f = (struct util_fields){.narrow = true};
    if (dst->bytes > 4 || src->bytes > 4)
        return false;
    for (unsigned i = 0; i < dst->nr_channels; i++) {
        const struct util_channel *to = &dst->channel[i];
        if (to->kind == UTIL_KIND_NONE)
            continue;
        if (source[i] <= DRV_SWIZZLE_W) {
            if (!add_field(f, to, &src->channel[source[i]]))
                return false;
            continue;
        }
        const bool one = source[i] == DRV_SWIZZLE_1;
        if (to->kind == UTIL_KIND_RGB9E5 || (one && !is_unorm(to) && !integer))
            return false;
        f->constant |= one ? (integer ? 1 : channel_mask(to->bits)) << to->shift : 0;
    }
    for (unsigned i = 0; i < f->count; i++) {
        const struct util_field *field = &f->field[i];
        uint64_t to = field->mask >> field->right;
        if (i < f->scaled)
            to = (to * field->factor + field->half) >> field->down;
        to <<= field->left;
        f->narrow = f->narrow && (!(field->mask & 0xffff) || !(field->mask >> 16)) &&
                    (!(to & 0xffff) || !(to >> 16));
    }
    return true;
}

void util_convert_fields(const struct util_fields *f, uint8_t *dst, unsigned dst_bytes,
                         const uint8_t *src, unsigned src_bytes, unsigned n)
{
    unsigned done = 0;
    if (f->narrow)
        done = SIMD_CALL(convert_narrow, f, dst, dst_bytes, src, src_bytes, n);
    if (done < n)
        SIMD_CALL(convert_fields, f, dst + done * dst_bytes, dst_bytes, src + done * src_bytes,
                  src_bytes, n - done);
}

/* ------------------------------------------------------------------------------- spreading --- */

bool util_spread_init(struct util_spread *s, const struct util_texel_layout *dst,
                      const struct util_texel_layout *src, const uint8_t source[4])
{
    *s = (struct util_spread){.is_float = dst->channel[0].kind == UTIL_KIND_FLOAT32};
    if (simd_lanes() == 4 || dst->nr_channels != 4 || dst->bytes != 16 || src->bytes > 4 ||
        src->bytes == 3)
        return false;
    for (unsigned i = 0; i < 16; i++) {
        const struct util_channel *to = &dst->channel[i % 4];
        const unsigned from = source[i % 4];
        if (to->kind != dst->channel[0].kind || to->bits != 32 ||
            (!s->is_float && to->kind != UTIL_KIND_UINT && to->kind != UTIL_KIND_SINT))
            return false;
        if (from > DRV_SWIZZLE_W) {
            if (from == DRV_SWIZZLE_1)
                s->constant[i] = s->is_float ? 0x3f800000 : 1;
            continue;
        }
        const struct util_channel *c = &src->channel[from];
        if (c->bits > 16 || !(s->is_float ? is_unorm(c) : c->kind == UTIL_KIND_UINT))
            return false;
        s->shift[i] = c->shift;
        s->mask[i] = channel_mask(c->bits);
        s->high[i] = unorm_factors[c->bits][0];
        s->low[i] = unorm_factors[c->bits][1];
    }
    return true;
}

void util_spread_row(const struct util_spread *s, uint8_t *dst, const uint8_t *src,
                     unsigned src_bytes, size_t n)
{
#ifdef __x86_64__
    const size_t whole = n & ~(size_t)3;
    uint8_t texels[16] = {0}, elements[64];
    if (simd_lanes() == 16)
        spread_16(s, dst, src, src_bytes, whole);
    else
        spread_8(s, dst, src, src_bytes, whole);
    if (whole == n)
        return;
    memcpy(texels, src + whole * src_bytes, (n - whole) * src_bytes);
    if (simd_lanes() == 16)
        spread_16(s, elements, texels, src_bytes, 4);
    else
        spread_8(s, elements, texels, src_bytes, 4);
    memcpy(dst + whole * 16, elements, (n - whole) * 16);
#endif
}

/* ----------------------------------------------------------------------------- elements --- */

enum util_element util_element_of(const struct util_texel_layout *l)
{
    static const struct {
        uint8_t kind, bits, type;
    } rows[] = {
        {UTIL_KIND_UNORM8, 8, UTIL_ELEMENT_U8},    {UTIL_KIND_UNORM, 16, UTIL_ELEMENT_U16},
        {UTIL_KIND_UNORM, 32, UTIL_ELEMENT_U32},   {UTIL_KIND_SNORM, 8, UTIL_ELEMENT_S8},
        {UTIL_KIND_SNORM, 16, UTIL_ELEMENT_S16},   {UTIL_KIND_SNORM, 32, UTIL_ELEMENT_S32},
        {UTIL_KIND_FLOAT16, 16, UTIL_ELEMENT_F16}, {UTIL_KIND_FLOAT32, 32, UTIL_ELEMENT_F32},
    };
    for (unsigned i = 0; i < l->nr_channels; i++) {
        const struct util_channel *c = &l->channel[i];
        if ((c->kind != l->channel[0].kind && c->kind != UTIL_KIND_NONE) ||
            c->bits != l->channel[0].bits || c->word * 32u + c->shift != i * c->bits)
            return UTIL_ELEMENTS;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
        if (rows[i].kind == l->channel[0].kind && rows[i].bits == l->channel[0].bits &&
            l->bytes * 8 == l->nr_channels * rows[i].bits)
            return rows[i].type;
    return UTIL_ELEMENTS;
}

void util_convert_elements(enum util_element to, uint8_t *dst, enum util_element from,
                           const uint8_t *src, bool add_zero, bool clamp, size_t n)
{
    const unsigned to_bytes = util_element_bytes(to), from_bytes = util_element_bytes(from);
    const size_t whole = n & ~(size_t)15, rest = n - whole;
    uint8_t in[16 * sizeof(float)] = {0}, out[16 * sizeof(float)];
    SIMD_CALL(convert_elements, to, dst, from, src, add_zero, clamp, whole);
    if (!rest)
        return;
    memcpy(in, src + whole * from_bytes, rest * from_bytes);
    SIMD_CALL(convert_elements, to, out, from, in, add_zero, clamp, 16);
    memcpy(dst + whole * to_bytes, out, rest * to_bytes);
}

void util_plane_scale(float *dst, const float *src, float scale, float bias, unsigned n)
{
    SIMD_CALL(scale, dst, src, scale, bias, n);
}

void util_plane_clamp(float *dst, const float *src, unsigned n)
{
    SIMD_CALL(clamp, dst, src, n);
}

void util_plane_look_up(float *dst, const float *src, const float *table, unsigned size, unsigned n)
{
    SIMD_CALL(look_up, dst, src, table, (float)(size - 1), n);
}

void util_plane_to_floats(uint32_t *plane, unsigned n)
{
    SIMD_CALL(to_floats, plane, n);
}

void util_plane_add(float *dst, const float *src, float factor, unsigned count)
{
    SIMD_CALL(add, dst, src, factor, ALIGN_POT(count, 16));
}

void util_plane_mix(float *dst, const float *a, const float *b, float weight, unsigned count)
{
    SIMD_CALL(mix, dst, a, b, weight, ALIGN_POT(count, 16));
}

void util_plane_halve(float *dst, const float *src, unsigned size, float factor, unsigned count)
{
    SIMD_CALL(halve, dst, src, size, factor, ALIGN_POT(count, 16));
}

void util_plane_filter(float *dst, const float *src, const uint32_t at[2][UTIL_CHUNK],
                       const float *weight, unsigned count)
{
    SIMD_CALL(filter, dst, src, at, weight, ALIGN_POT(count, 16));
}

void util_plane_pick(float *dst, const float *src, const uint32_t *at, unsigned count)
{
    SIMD_CALL(pick, dst, src, at, ALIGN_POT(count, 16));
}

void util_plane_depth(uint32_t *dst, enum util_depth_type dst_type, const uint32_t *src,
                      enum util_depth_type src_type, double scale, double bias, bool exact,
                      unsigned n)
{
    SIMD_CALL(depth, dst, dst_type, src, src_type, scale, bias, exact, n);
}

/* ------------------------------------------------------------------------- planes of texels --- */

bool util_planes_format_init(struct util_planes_format *f, enum drv_format format, bool unscaled)
{
    const struct drv_format_desc *d = drv_format_desc(format);
    memset(f, 0, sizeof *f);
    if (!util_texel_layout_init(&f->layout, format, unscaled))
        return false;
    f->zs = d->colorspace == DRV_COLORSPACE_ZS;
    if (util_is_power_of_two(f->layout.nr_channels))
        f->floats = f->layout.nr_channels;
    for (unsigned i = 0; i < f->layout.nr_channels; i++)
        if (f->layout.channel[i].kind != UTIL_KIND_FLOAT32)
            f->floats = 0;
    if (f->layout.channel[0].kind == UTIL_KIND_RGB9E5)
        f->components = 7;
    else
        for (unsigned i = 0; i < f->layout.nr_channels; i++)
            if (f->layout.channel[i].kind != UTIL_KIND_NONE && f->layout.written[i] < 4)
                f->components |= 1u << f->layout.written[i];
    return true;
}

/* Converts n texels; n is a multiple of 16. Sets plane[c] to the values of component c. */
static void to_planes(const struct util_planes_format *f, const uint8_t *src, unsigned n,
                      struct util_planes *planes)
{
    const struct util_texel_layout *l = &f->layout;
    struct util_planes buffer;
    struct util_words words;
    util_load_words(l, src, n, 0, &buffer, &words);
    for (unsigned i = 0; i < l->nr_channels; i++) {
        const struct util_channel *c = &l->channel[i];
        uint32_t *plane = planes->value[l->written[i] & 3];
        if (c->kind == UTIL_KIND_NONE)
            continue;
        const uint32_t *values =
            util_decode_channel(c, &words, n, planes->value + (l->written[i] & 3));
        if (c->kind == UTIL_KIND_DEPTH)
            util_plane_depth(plane, UTIL_DEPTH_FLOAT, values, UTIL_DEPTH_U32, 1.0, 0.0,
                             c->bits > 24, n);
        else if (values != plane)
            memcpy(plane, values, n * sizeof *plane);
    }
}

static void from_planes(const struct util_planes_format *f, uint8_t *dst, unsigned n,
                        const struct util_planes *planes)
{
    const struct util_texel_layout *l = &f->layout;
    struct util_planes buffer;
    struct util_words words;
    uint32_t depth[UTIL_CHUNK] __attribute__((aligned(64)));
    util_begin_words(l, dst, n, false, &buffer, &words);
    if (l->channel[0].kind == UTIL_KIND_RGB9E5)
        util_encode_rgb9e5((const float *)planes->value[0], (const float *)planes->value[1],
                           (const float *)planes->value[2], n, &words);
    else
        for (unsigned i = 0; i < l->nr_channels; i++) {
            const struct util_channel *c = &l->channel[i];
            const uint32_t *plane = planes->value[l->written[i] & 3];
            if (c->kind == UTIL_KIND_NONE)
                continue;
            if (c->kind == UTIL_KIND_DEPTH) {
                /* rounded to the channel's bits */
                util_plane_depth(depth, c->bits == 24 ? UTIL_DEPTH_U24 : UTIL_DEPTH_U32, plane,
                                 UTIL_DEPTH_FLOAT, 1.0, 0.0, true, n);
                plane = depth;
            }
            util_encode_channel(l, c, plane, c->kind == UTIL_KIND_SINT, false, n, &words);
        }
    util_store_words(l, n, 0, &words);
}

#define SLACK 16 /* bytes that words may be loaded and stored past the last texel */

void util_texels_to_planes(const struct util_planes_format *f, const void *src, unsigned count,
                           struct util_planes *planes)
{
    const unsigned bytes = f->layout.bytes, n = ALIGN_POT(count, 16);
    uint8_t padded[UTIL_CHUNK * 16 + SLACK];
    if (n == count && util_is_power_of_two(bytes)) {
        to_planes(f, src, n, planes);
        return;
    }
    memcpy(padded, src, (size_t)count * bytes);
    memset(padded + (size_t)count * bytes, 0, (n - count) * bytes);
    to_planes(f, padded, n, planes);
}

void util_planes_to_texels(const struct util_planes_format *f, void *dst, unsigned count,
                           const struct util_planes *planes)
{
    const unsigned bytes = f->layout.bytes, n = ALIGN_POT(count, 16);
    uint8_t padded[UTIL_CHUNK * 16 + SLACK];
    if (n == count && util_is_power_of_two(bytes)) {
        from_planes(f, dst, n, planes);
        return;
    }
    from_planes(f, padded, n, planes);
    memcpy(dst, padded, (size_t)count * bytes);
}
