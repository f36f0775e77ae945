/* SPDX-License-Identifier: MIT */
/*
 * Encoders of 4×4 blocks, compiled for each vector width (simd_each.h). A lane is a block, so that
 * all widths compute the same bits. Sums over a block's texels are sums of four columns.
 */
typedef float NAME(vf) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(vi) __attribute__((vector_size(4 * LANES)));
typedef float NAME(quad) __attribute__((vector_size(16), aligned(4), may_alias));

/* Specifiers of functions, and short names of the vector types. */
#define FUNCTION TARGET static
#define INLINE   FUNCTION inline __attribute__((always_inline))
#define VF       NAME(vf)
#define VI       NAME(vi)

/* LANES blocks: [channel][texel], with channels R, G, B, A and texels in row-major order. */
struct NAME(blocks) {
    VF texel[4][16];
};

/* Returns x in all lanes. */
INLINE VF NAME(all)(float x)
{
    return (VF){0} + x;
}

/* Return a in lanes in which mask is ~0, and b in lanes in which it is 0. */
INLINE VF NAME(choose)(VI mask, VF a, VF b)
{
    return (VF)((mask & (VI)a) | (~mask & (VI)b));
}

INLINE VI NAME(choose_int)(VI mask, VI a, VI b)
{
    return (mask & a) | (~mask & b);
}

/* Returns the smaller value; b where a or b is a NaN. */
INLINE VF NAME(min)(VF a, VF b)
{
    return NAME(choose)(a < b, a, b);
}

/* Returns the larger value; b where a or b is a NaN. */
INLINE VF NAME(max)(VF a, VF b)
{
    return NAME(choose)(a > b, a, b);
}

INLINE VF NAME(clamp)(VF v, float low, float high) /* NaN becomes low */
{
    return NAME(min)(NAME(max)(v, NAME(all)(low)), NAME(all)(high));
}

/* Convert between floats and integers. to_int rounds toward zero. */
INLINE VI NAME(to_int)(VF v)
{
    return __builtin_convertvector(v, VI);
}

INLINE VF NAME(to_float)(VI v)
{
    return __builtin_convertvector(v, VF);
}

/* Returns the sum over a block from the sums of its columns. */
INLINE VF NAME(total)(const VF column[4])
{
    return (column[0] + column[1]) + (column[2] + column[3]);
}

/* Loads `count` (1 to LANES) blocks that are adjacent in a row of src; the lanes past them repeat
 * the last one. stride: texels between rows of src. */
FUNCTION void NAME(load_blocks)(struct NAME(blocks) * b, const float (*src)[4], size_t stride,
                                unsigned count)
{
    for (unsigned t = 0; t < 16; t++)
        for (unsigned k = 0; k < LANES; k += 4) {
            NAME(quad) block[4];
            for (unsigned i = 0; i < 4; i++)
                block[i] =
                    *(const NAME(quad) *)src[t / 4 * stride + t % 4 + 4 * MIN2(k + i, count - 1)];
            const NAME(quad) rg = __builtin_shufflevector(block[0], block[1], 0, 4, 1, 5),
                             rg2 = __builtin_shufflevector(block[2], block[3], 0, 4, 1, 5),
                             ba = __builtin_shufflevector(block[0], block[1], 2, 6, 3, 7),
                             ba2 = __builtin_shufflevector(block[2], block[3], 2, 6, 3, 7);
            NAME(quad) * to[4];
            for (unsigned c = 0; c < 4; c++)
                to[c] = (NAME(quad) *)((float *)&b->texel[c][t] + k);
            *to[0] = __builtin_shufflevector(rg, rg2, 0, 1, 4, 5);
            *to[1] = __builtin_shufflevector(rg, rg2, 2, 3, 6, 7);
            *to[2] = __builtin_shufflevector(ba, ba2, 0, 1, 4, 5);
            *to[3] = __builtin_shufflevector(ba, ba2, 2, 3, 6, 7);
        }
}

/* Stores the words, `words` per block, of `count` blocks that are `step` bytes apart at dst. */
FUNCTION void NAME(store_words)(uint8_t *dst, size_t step, unsigned count, const VI *word,
                                unsigned words)
{
    for (unsigned k = 0; k < count; k++, dst += step)
        for (unsigned i = 0; i < words; i++)
            memcpy(dst + 4 * i, (const int32_t *)&word[i] + k, 4);
}

/* Returns a channel of texel t, limited to [low, 1], where low is not positive, and multiplied by
 * scale. A NaN becomes 0. */
INLINE VF NAME(limited)(const struct NAME(blocks) * b, unsigned channel, unsigned t, float low,
                        float scale)
{
    VF v = b->texel[channel][t];
    if (low < 0.0f)
        v = (VF)((VI)v & (v == v));
    return NAME(clamp)(v, low, 1.0f) * scale;
}

/* Rounds a position in [0, steps] to the nearest of the equal steps between two end points. Stores
 * the step in *step and returns its code. The end points have codes 0 and 1. */
INLINE VI NAME(nearest_step)(VF at, VF steps, VF *step)
{
    const VI n = NAME(to_int)(NAME(min)(NAME(max)(at, NAME(all)(0.0f)), steps) + 0.5f);
    *step = NAME(to_float)(n);
    const VI last = *step == steps;
    return NAME(choose_int)(last, (VI){0} + 1, n - (n > 0));
}

/* --------------------------------------------------------------------------- S3TC colors --- */

/* Colors of LANES blocks to encode. */
struct NAME(colors) {
    VF color[3][16]; /* [channel][texel]: R, G and B, 0 … 255 */
    VF used[16];     /* 0 for transparent texels, whose color is ignored; else 1 */
    VI three_colors; /* mask: the palette is the end points, their mean and transparent black */
    bool all_used;   /* no texel of any block is transparent; `used` is not read */
};

/* Result of fitting end points to the colors of LANES blocks. */
struct NAME(color_fit) {
    VI end[2]; /* end points in the order that the mode requires, 5:6:5 */
    VI codes;  /* two bits per texel */
    VF error;  /* sum of squared errors */
};

/* Returns value, or 0 where texel t is not used. */
INLINE VF NAME(if_used)(const struct NAME(colors) * b, unsigned t, VF value)
{
    return b->all_used ? value : value * b->used[t];
}

/* Converts a color with components 0 … 255 to the nearest 5:6:5 color. */
INLINE VI NAME(quantize_565)(const VF c[3])
{
    static const float levels[3] = {31.0f / 255.0f, 63.0f / 255.0f, 31.0f / 255.0f};
    VI q[3];
    for (unsigned i = 0; i < 3; i++)
        q[i] = NAME(to_int)(NAME(clamp)(c[i], 0.0f, 255.0f) * levels[i] + 0.5f);
    return q[0] << 11 | q[1] << 5 | q[2];
}

/* Converts a 5:6:5 color to components 0 … 255, as decoders do. */
INLINE void NAME(expand_565)(VF dst[3], VI c)
{
    const VI r = c >> 11, g = c >> 5 & 63, b = c & 31;
    dst[0] = NAME(to_float)(r << 3 | r >> 2);
    dst[1] = NAME(to_float)(g << 2 | g >> 4);
    dst[2] = NAME(to_float)(b << 3 | b >> 2);
}

/* Puts the end points fit->end in the order that the mode requires. Stores the best codes for them
 * in fit->codes and the resulting error in fit->error. The palette is on a line, so the nearest
 * color is found by projection. If `weight` is not NULL, stores the weight of end point 1 in each
 * texel in weight[0 … 15]. */
FUNCTION void NAME(choose_codes)(const struct NAME(colors) * b, struct NAME(color_fit) * fit,
                                 VF *weight)
{
    const VI three = b->three_colors;
    const VF steps = NAME(choose)(three, NAME(all)(2.0f), NAME(all)(3.0f));
    const VF part = NAME(choose)(three, NAME(all)(1.0f / 2.0f), NAME(all)(1.0f / 3.0f));
    VF end[2][3], axis[3], length = {0}, errors[4] = {{0}};
    VI codes = {0};

    const VI first = fit->end[0], second = fit->end[1];
    const VI swap = NAME(choose_int)(three, first > second, first < second);
    fit->end[0] = NAME(choose_int)(swap, second, first);
    fit->end[1] = NAME(choose_int)(swap, first, second);
    NAME(expand_565)(end[0], fit->end[0]);
    NAME(expand_565)(end[1], fit->end[1]);
    for (unsigned c = 0; c < 3; c++) {
        axis[c] = end[1][c] - end[0][c];
        length += axis[c] * axis[c];
    }
    /* Equal end points select three-color mode in DXT1; then all codes are 0. */
    const VI apart = length > 0.0f;
    const VF scale = (VF)((VI)(steps / NAME(choose)(apart, length, NAME(all)(1.0f))) & apart);
    for (unsigned t = 0; t < 16; t++) {
        const VF red = b->color[0][t] - end[0][0], green = b->color[1][t] - end[0][1],
                 blue = b->color[2][t] - end[0][2];
        VF step;
        VI code = NAME(nearest_step)((red * axis[0] + green * axis[1] + blue * axis[2]) * scale,
                                     steps, &step);
        step *= part;
        const VF dr = red - step * axis[0], dg = green - step * axis[1], db = blue - step * axis[2];
        const VF error = dr * dr + dg * dg + db * db;
        errors[t % 4] += NAME(if_used)(b, t, error);
        if (!b->all_used)
            code = NAME(choose_int)(b->used[t] != 0.0f, code, (VI){0} + 3);
        codes |= code << (int)(2 * t);
        if (weight)
            weight[t] = step;
    }
    fit->error = NAME(total)(errors);
    fit->codes = codes;
}

/* Computes the mean of the used texels' colors, or black if no texel is used. */
FUNCTION void NAME(mean_color)(const struct NAME(colors) * b, VF mean[3])
{
    VF columns[4] = {{0}}, count = NAME(all)(16.0f);
    if (!b->all_used) {
        for (unsigned t = 0; t < 16; t++)
            columns[t % 4] += b->used[t];
        count = NAME(max)(NAME(total)(columns), NAME(all)(1.0f));
    }
    for (unsigned c = 0; c < 3; c++) {
        VF sum[4] = {{0}};
        for (unsigned t = 0; t < 16; t++)
            sum[t % 4] += NAME(if_used)(b, t, b->color[c][t]);
        mean[c] = NAME(total)(sum) / count;
    }
}

/* Computes the first eigenvector of the covariance matrix by power iteration, not normalized. */
FUNCTION void NAME(principal_axis)(const struct NAME(colors) * b, const VF mean[3], VF axis[3])
{
    VF sum[3][3][4] = {{{{0}}}}, matrix[3][3];

    for (unsigned t = 0; t < 16; t++) {
        VF d[3];
        for (unsigned c = 0; c < 3; c++)
            d[c] = NAME(if_used)(b, t, b->color[c][t] - mean[c]);
        for (unsigned r = 0; r < 3; r++)
            for (unsigned c = r; c < 3; c++)
                sum[r][c][t % 4] += d[r] * d[c];
    }
    for (unsigned r = 0; r < 3; r++)
        for (unsigned c = r; c < 3; c++)
            matrix[r][c] = matrix[c][r] = NAME(total)(sum[r][c]);
    /* start with the column of the largest variance, which is not orthogonal to the eigenvector */
    const VI red = matrix[0][0] >= matrix[1][1];
    const VI blue = matrix[2][2] > NAME(choose)(red, matrix[0][0], matrix[1][1]);
    for (unsigned c = 0; c < 3; c++)
        axis[c] = NAME(choose)(blue, matrix[2][c], NAME(choose)(red, matrix[0][c], matrix[1][c]));
    VI going = (VI){0} - 1;
    for (unsigned step = 0; step < 4; step++) {
        VF next[3], most = {0};
        for (unsigned r = 0; r < 3; r++) {
            next[r] = matrix[r][0] * axis[0] + matrix[r][1] * axis[1] + matrix[r][2] * axis[2];
            most = NAME(max)(most, NAME(max)(next[r], -next[r]));
        }
        going &= most >= 1e-6f;
        const VF scale = 1.0f / NAME(choose)(going, most, NAME(all)(1.0f));
        for (unsigned r = 0; r < 3; r++)
            axis[r] = NAME(choose)(going, next[r] * scale, axis[r]);
    }
}

/* Stores the 5:6:5 colors at the extremes along the principal axis in `end`. */
FUNCTION void NAME(range_fit)(const struct NAME(colors) * b, VI end[2])
{
    VF mean[3], axis[3], length = {0}, low = NAME(all)(INFINITY), high = NAME(all)(-INFINITY);

    NAME(mean_color)(b, mean);
    NAME(principal_axis)(b, mean, axis);
    for (unsigned c = 0; c < 3; c++)
        length += axis[c] * axis[c];
    for (unsigned t = 0; t < 16; t++) {
        VF at = {0}, least, most;
        for (unsigned c = 0; c < 3; c++)
            at += (b->color[c][t] - mean[c]) * axis[c];
        least = NAME(min)(low, at);
        most = NAME(max)(high, at);
        if (!b->all_used) {
            const VI used = b->used[t] != 0.0f;
            least = NAME(choose)(used, least, low);
            most = NAME(choose)(used, most, high);
        }
        low = least;
        high = most;
    }
    const VI none = (length < 1e-12f) | (low > high);
    low = (VF)((VI)low & ~none);
    high = (VF)((VI)high & ~none);
    length = NAME(choose)(none, NAME(all)(1.0f), length);
    for (unsigned e = 0; e < 2; e++) {
        VF color[3];
        for (unsigned c = 0; c < 3; c++)
            color[c] = mean[c] + axis[c] * (e ? low : high) / length;
        end[e] = NAME(quantize_565)(color);
    }
}

/* Computes the end points with the least squared error for the weights of end point 1 that
 * choose_codes() stored. Returns the mask of blocks whose weights determine both end points. */
FUNCTION VI NAME(least_squares)(const struct NAME(colors) * b, const VF weight[16], VI end[2])
{
    VF vv[4] = {{0}}, vw[4] = {{0}}, ww[4] = {{0}}, vx[3][4] = {{{0}}}, wx[3][4] = {{{0}}};

    for (unsigned t = 0; t < 16; t++) {
        const unsigned i = t % 4;
        const VF w = NAME(if_used)(b, t, weight[t]),
                 v = (b->all_used ? NAME(all)(1.0f) : b->used[t]) - w;
        vv[i] += v * v;
        vw[i] += v * w;
        ww[i] += w * w;
        for (unsigned c = 0; c < 3; c++) {
            vx[c][i] += v * b->color[c][t];
            wx[c][i] += w * b->color[c][t];
        }
    }
    const VF aa = NAME(total)(vv), ab = NAME(total)(vw), bb = NAME(total)(ww);
    const VF determinant = aa * bb - ab * ab;
    const VI both = NAME(max)(determinant, -determinant) >= 1e-4f;
    const VF divisor = NAME(choose)(both, determinant, NAME(all)(1.0f));
    VF first[3], second[3];
    for (unsigned c = 0; c < 3; c++) {
        const VF ax = NAME(total)(vx[c]), bx = NAME(total)(wx[c]);
        first[c] = (ax * bb - bx * ab) / divisor;
        second[c] = (bx * aa - ax * ab) / divisor;
    }
    end[0] = NAME(quantize_565)(first);
    end[1] = NAME(quantize_565)(second);
    return both;
}

/* Fits end points, and refines them once where the error decreases. Stores the 64-bit color block
 * in word. */
FUNCTION void NAME(fit_colors)(const struct NAME(colors) * b, VI word[2])
{
    struct NAME(color_fit) fit, next;
    VF weight[16];

    NAME(range_fit)(b, fit.end);
    NAME(choose_codes)(b, &fit, weight);
    VI better = NAME(least_squares)(b, weight, next.end);
    NAME(choose_codes)(b, &next, NULL);
    better &= (fit.error > 0.0f) & (next.error < fit.error);
    for (unsigned e = 0; e < 2; e++)
        fit.end[e] = NAME(choose_int)(better, next.end[e], fit.end[e]);
    word[0] = fit.end[0] | fit.end[1] << 16;
    word[1] = NAME(choose_int)(better, next.codes, fit.codes);
}

/* Encodes the colors as 64-bit S3TC color blocks. punch_through: DXT1 with alpha; texels with alpha
 * below 0.5 become transparent. */
FUNCTION void NAME(encode_colors)(const struct NAME(blocks) * b, bool punch_through, VI word[2])
{
    struct NAME(colors) colors;

    for (unsigned c = 0; c < 3; c++)
        for (unsigned t = 0; t < 16; t++)
            colors.color[c][t] = NAME(limited)(b, c, t, 0.0f, 255.0f);
    VI clear = {0};
    for (unsigned t = 0; punch_through && t < 16; t++) {
        const VI transparent = ~(b->texel[3][t] >= 0.5f); /* also of a NaN */
        colors.used[t] = NAME(to_float)(transparent + 1);
        clear |= transparent;
    }
    colors.all_used = true;
    for (unsigned i = 0; punch_through && i < LANES; i++)
        colors.all_used &= !clear[i];
    colors.three_colors = clear;
    NAME(fit_colors)(&colors, word);
}

/* Encodes alpha as DXT3's four bits per texel, rounded to nearest, ties down. */
FUNCTION void NAME(encode_dxt3_alpha)(const struct NAME(blocks) * b, VI word[2])
{
    word[0] = word[1] = (VI){0};
    for (unsigned t = 0; t < 16; t++) {
        const VF at = NAME(limited)(b, 3, t, 0.0f, 15.0f) - 0.5f;
        const VI below = NAME(to_int)(at);
        word[t / 8] |= (below - (at > NAME(to_float)(below))) << (int)(t % 8 * 4);
    }
}

/* --------------------------------------------------------------- RGTC, LATC, DXT5's alpha --- */

/* Chooses the nearest level for each value. If a0 > a1, there are eight levels from a0 to a1.
 * Otherwise there are six from a0 to a1, and the levels min and max with the codes 6 and 7. Returns
 * the sum of squared errors. codes: three bits for each texel; codes[0] holds the first eight
 * texels. */
FUNCTION VF NAME(choose_levels)(const VF value[16], VF a0, VF a1, float min, float max, VI codes[2])
{
    const VI eight = a0 > a1, apart = a0 != a1;
    const VF steps = NAME(choose)(eight, NAME(all)(7.0f), NAME(all)(5.0f));
    const VF size = (a1 - a0) / steps;
    const VF scale = (VF)((VI)(1.0f / NAME(choose)(apart, size, NAME(all)(1.0f))) & apart);
    VF sum[4] = {{0}};

    codes[0] = codes[1] = (VI){0};
    for (unsigned t = 0; t < 16; t++) {
        const VF from = value[t] - a0;
        VF step;
        VI code = NAME(nearest_step)(from * scale, steps, &step);
        const VF d = from - step * size, low = value[t] - min, high = value[t] - max;
        VF error = d * d;
        const VI lower = (low * low < error) & ~eight;
        error = NAME(choose)(lower, low * low, error);
        const VI higher = (high * high < error) & ~eight;
        error = NAME(choose)(higher, high * high, error);
        code = NAME(choose_int)(higher, (VI){0} + 7, NAME(choose_int)(lower, (VI){0} + 6, code));
        sum[t % 4] += error;
        codes[t / 8] |= code << (int)(t % 8 * 3);
    }
    return NAME(total)(sum);
}

/* Encodes a channel with values in [0, 1], or [-1, 1] if is_signed, as a 64-bit block. */
FUNCTION void NAME(encode_channel)(const struct NAME(blocks) * b, unsigned channel, bool is_signed,
                                   VI word[2])
{
    const float scale = is_signed ? 127.0f : 255.0f, min = is_signed ? -127.0f : 0.0f;
    /* the addition rounds to an integer, to nearest even */
    const float round = 0x1.8p23f;
    VF value[16], low = NAME(all)(scale), high = NAME(all)(min), inner_low = low, inner_high = high;
    VI codes[2], six[2];

    for (unsigned t = 0; t < 16; t++) {
        VF v = NAME(limited)(b, channel, t, is_signed ? -1.0f : 0.0f, scale);
        v = (v + round) - round;
        value[t] = v;
        low = NAME(min)(low, v);
        high = NAME(max)(high, v);
        inner_low = NAME(min)(inner_low, NAME(choose)(v > min, v, inner_low));
        inner_high = NAME(max)(inner_high, NAME(choose)(v < scale, v, inner_high));
    }
    VF a0 = high, a1 = low;
    const VF error = NAME(choose_levels)(value, a0, a1, min, scale, codes);
    /* six steps can only be finer if they leave out the ends of the range */
    const VI ends = (error > 0.0f) & ((low == min) | (high == scale));
    const VI empty = inner_low > inner_high;
    inner_low = NAME(choose)(empty, low, inner_low);
    inner_high = NAME(choose)(empty, low, inner_high);
    const VI finer =
        ends & (NAME(choose_levels)(value, inner_low, inner_high, min, scale, six) < error);
    a0 = NAME(choose)(finer, inner_low, a0);
    a1 = NAME(choose)(finer, inner_high, a1);
    for (unsigned i = 0; i < 2; i++)
        codes[i] = NAME(choose_int)(finer, six[i], codes[i]);
    word[0] = (NAME(to_int)(a0) & 255) | (NAME(to_int)(a1) & 255) << 8 | codes[0] << 16;
    word[1] = (codes[0] >> 16 & 255) | codes[1] << 8;
}

/* ---------------------------------------------------------------------------------- BPTC --- */

/* Finds end points for the encoded modes, which have one subset. value is indexed by channel and
 * texel. The end points are the two texels at the ends of the block's extent along a diagonal of
 * its bounding box. The signs of the diagonal are those of the channels' correlations with the
 * channel of the largest range. */
FUNCTION void NAME(find_ends)(VF (*value)[16], unsigned channels, VF end[2][4])
{
    VF range[4], sign[4], middle[4], main_range = {0}, main_middle = {0};
    VI main = {0};
    for (unsigned c = 0; c < channels; c++) {
        VF low = value[c][0], high = low;
        for (unsigned t = 1; t < 16; t++) {
            low = NAME(min)(value[c][t], low);
            high = NAME(max)(value[c][t], high);
        }
        range[c] = high - low;
        middle[c] = (high + low) * 0.5f;
        const VI larger = c ? range[c] > main_range : (VI){0} - 1;
        main = NAME(choose_int)(larger, (VI){0} + (int)c, main);
        main_range = NAME(choose)(larger, range[c], main_range);
        main_middle = NAME(choose)(larger, middle[c], main_middle);
    }
    VF together[4][4] = {{{0}}};
    for (unsigned t = 0; t < 16; t++) {
        VF of_main = value[0][t];
        for (unsigned c = 1; c < channels; c++)
            of_main = NAME(choose)(main == (int)c, value[c][t], of_main);
        of_main -= main_middle;
        for (unsigned c = 0; c < channels; c++)
            together[c][t % 4] += (value[c][t] - middle[c]) * of_main;
    }
    for (unsigned c = 0; c < channels; c++)
        sign[c] = NAME(choose)(NAME(total)(together[c]) < 0.0f, -range[c], range[c]);
    VF low = NAME(all)(INFINITY), high = NAME(all)(-INFINITY);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned t = i % 4 * 4 + i / 4; /* the first column first */
        VF along = {0};
        for (unsigned c = 0; c < channels; c++)
            along += (value[c][t] - middle[c]) * sign[c];
        const VI lower = along<low, higher = along> high;
        low = NAME(choose)(lower, along, low);
        high = NAME(choose)(higher, along, high);
        for (unsigned c = 0; c < channels; c++) {
            end[0][c] = i ? NAME(choose)(lower, value[c][t], end[0][c]) : value[c][t];
            end[1][c] = i ? NAME(choose)(higher, value[c][t], end[1][c]) : value[c][t];
        }
    }
}

/* Chooses the nearest of the steps 0 … last between the end points for each texel; the steps are
 * taken as equal. */
FUNCTION void NAME(choose_indices)(VF (*value)[16], unsigned channels, VF end[2][4], float last,
                                   VI index[16])
{
    VF axis[4], length = {0};
    for (unsigned c = 0; c < channels; c++) {
        axis[c] = end[1][c] - end[0][c];
        length += axis[c] * axis[c];
    }
    const VI apart = length > 0.0f;
    const VF scale = (VF)((VI)(last / NAME(choose)(apart, length, NAME(all)(1.0f))) & apart);
    for (unsigned c = 0; c < channels; c++)
        axis[c] *= scale;
    for (unsigned t = 0; t < 16; t++) {
        VF at = {0};
        for (unsigned c = 0; c < channels; c++)
            at += (value[c][t] - end[0][c]) * axis[c];
        index[t] = NAME(to_int)(NAME(clamp)(at, 0.0f, last) + 0.5f);
    }
}

/* Adds indices of four bits to the upper half of the block. The index of the first texel lacks its
 * high bit. Returns the mask of blocks whose end points must therefore be exchanged; their indices
 * are inverted when stored. */
FUNCTION VI NAME(put_indices)(const VI index[16], VI word[4])
{
    const VI flip = index[0] > 7;
    VI half[2] = {{0}};
    for (unsigned t = 0; t < 16; t++) {
        const VI stored = index[t] ^ (flip & 15); /* 15 - index */
        half[t / 8] |= t ? stored << (int)(t % 8 * 4) : stored << 1;
    }
    /* bit 64 belongs to the end points; texel 0 has the three bits after it */
    word[2] |= half[0];
    word[3] |= half[1];
    return flip;
}

/* How well decoded blocks match their texels. */
struct NAME(fit) {
    VI error; /* sum of the squared differences */
    VI most;  /* largest difference */
    VI lost;  /* number of components that differ, but are 0, 255, or constant in the block */
};

/* Compares texels and their decoded values, with indices of four bits (wide) or two. The weights of
 * table 4 of ARB_texture_compression_bptc are multiples of 64 / 15 or 64 / 3, rounded. */
FUNCTION struct NAME(fit) NAME(decoded_fit)(VF (*value)[16], unsigned channels, VF end[2][4],
                                            const VI index[16], bool wide)
{
    VI from[4], extent[4], constant[4];
    struct NAME(fit) fit = {{0}, {0}, {0}};
    for (unsigned c = 0; c < channels; c++) {
        from[c] = NAME(to_int)(end[0][c]);
        extent[c] = NAME(to_int)(end[1][c]) - from[c];
        constant[c] = (VI){0} - 1;
        for (unsigned t = 1; t < 16; t++)
            constant[c] &= value[c][t] == value[c][0];
    }
    for (unsigned t = 0; t < 16; t++) {
        /* 4370 / 65536 is 1 / 15 */
        const VI weight =
            wide ? ((index[t] * 64 + 7) * 4370) >> 16 : index[t] * 21 + (index[t] >> 1);
        for (unsigned c = 0; c < channels; c++) {
            const VI want = NAME(to_int)(value[c][t]);
            const VI d = from[c] + ((extent[c] * weight + 32) >> 6) - want;
            const VI size = NAME(choose_int)(d < 0, -d, d);
            fit.error += d * d;
            fit.most = NAME(choose_int)(size > fit.most, size, fit.most);
            fit.lost -= (d != 0) & (constant[c] | (want == 0) | (want == 255));
        }
    }
    return fit;
}

/* Returns the mask of blocks in which `a` keeps more of the components that should be exact than
 * `b`. The largest difference of `a` must be at most 1, or at most that of `b`. */
INLINE VI NAME(keeps_more)(const struct NAME(fit) * a, const struct NAME(fit) * b)
{
    return (a->lost < b->lost) & ((a->most <= b->most) | (a->most <= 1));
}

/* Quantizes a color to seven bits per component plus a low bit that all components share. In the
 * lanes of `flat`, that is alpha's low bit, so that alpha is exact. In other lanes it is the one
 * with the smaller error. Stores the seven bits in `high` and the quantized color, 0 … 255, in
 * `value`. Returns the low bit. */
INLINE VI NAME(quantize_unorm)(const VF color[4], VI flat, VI high[4], VF value[4])
{
    VI q[2][4];
    VF error[2] = {{0}};
    for (int p = 0; p < 2; p++)
        for (unsigned c = 0; c < 4; c++) {
            const VI half = (NAME(to_int)(color[c]) - p + 1) >> 1;
            q[p][c] = NAME(choose_int)(half > 127, (VI){0} + 127, half);
            const VF d = NAME(to_float)(q[p][c] << 1 | p) - color[c];
            error[p] += d * d;
        }
    const VI odd = NAME(choose_int)(flat, -(NAME(to_int)(color[3]) & 1), error[1] < error[0]);
    for (unsigned c = 0; c < 4; c++) {
        high[c] = NAME(choose_int)(odd, q[1][c], q[0][c]);
        value[c] = NAME(to_float)(high[c] << 1 | (odd & 1));
    }
    return odd & 1;
}

/* Encodes blocks of constant alpha in mode 5: colors have seven bits and four steps, and alpha has
 * eight separate bits. Blocks of one color are exact. value[c][t] and end[e][c] are 0 … 255.
 * Returns how well R, G and B match. */
FUNCTION struct NAME(fit) NAME(encode_bptc_flat)(VF (*value)[16], VF end[2][4], VI word[4])
{
    const VI alpha = NAME(to_int)(value[3][0]);
    VI q[2][3], index[16], field[6], same = (VI){0} - 1;
    VF expanded[2][4];

    for (unsigned c = 0; c < 3; c++)
        same &= end[0][c] == end[1][c];
    for (unsigned c = 0; c < 3; c++) {
        const VI color = NAME(to_int)(end[0][c]), odd = color & 1;
        q[0][c] = color >> 1;
        /* If q[0] expands to another color, index 1 is the color between it and its neighbor. */
        const VI neighbor = q[0][c] + odd + (color > 127);
        q[1][c] = NAME(choose_int)(same, neighbor, NAME(to_int)(end[1][c]) >> 1);
        for (unsigned e = 0; e < 2; e++)
            expanded[e][c] = NAME(to_float)(q[e][c] << 1 | q[e][c] >> 6);
    }
    NAME(choose_indices)(value, 3, expanded, 3.0f, index);
    for (unsigned t = 0; t < 16; t++)
        index[t] = NAME(choose_int)(same, (VI){0} + 1, index[t]);
    const VI flip = index[0] > 1;
    for (unsigned c = 0; c < 3; c++)
        for (unsigned e = 0; e < 2; e++)
            field[2 * c + e] = NAME(choose_int)(flip, q[!e][c], q[e][c]);
    word[0] = 1 << 5 | field[0] << 8 | field[1] << 15 | field[2] << 22 | field[3] << 29;
    word[1] = field[3] >> 3 | field[4] << 4 | field[5] << 11 | alpha << 18 | alpha << 26;
    word[2] = alpha >> 6;
    /* texel 0 has the bit after alpha; the indices of alpha are 0 */
    for (unsigned t = 0; t < 16; t++) {
        const VI stored = index[t] ^ (flip & 3);
        word[2] |= t ? stored << (int)(2 * t + 1) : stored << 2;
        if (t == 15)
            word[3] = stored >> 1;
    }
    return NAME(decoded_fit)(value, 3, expanded, index, false);
}

/* Encodes RGBA as BPTC blocks. Uses mode 6. Blocks of constant alpha use mode 5 if it is as good or
 * keeps more of the components that should be exact: in mode 6, all components share the low bit,
 * so with opaque alpha none can be 0. Constant alpha is exact. */
FUNCTION void NAME(encode_bptc_unorm)(const struct NAME(blocks) * b, VI word[4])
{
    VF value[4][16], end[2][4], near[2][4];
    VI high[2][4], p[2], index[16], flat = (VI){0} - 1;

    for (unsigned c = 0; c < 4; c++)
        for (unsigned t = 0; t < 16; t++)
            value[c][t] = NAME(to_float)(NAME(to_int)(NAME(limited)(b, c, t, 0.0f, 255.0f) + 0.5f));
    for (unsigned t = 1; t < 16; t++)
        flat &= value[3][t] == value[3][0];
    NAME(find_ends)(value, 4, end);
    for (unsigned e = 0; e < 2; e++) {
        const VF color[4] = {end[e][0], end[e][1], end[e][2], end[e][3]};
        p[e] = NAME(quantize_unorm)(color, flat, high[e], near[e]);
    }
    word[2] = word[3] = (VI){0};
    NAME(choose_indices)(value, 4, near, 15.0f, index);
    const VI flip = NAME(put_indices)(index, word);
    VI field[8];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned e = 0; e < 2; e++)
            field[2 * c + e] = NAME(choose_int)(flip, high[!e][c], high[e][c]);
    word[0] = 1 << 6 | field[0] << 7 | field[1] << 14 | field[2] << 21 | field[3] << 28;
    word[1] = field[3] >> 4 | field[4] << 3 | field[5] << 10 | field[6] << 17 | field[7] << 24 |
              NAME(choose_int)(flip, p[1], p[0]) << 31;
    word[2] |= NAME(choose_int)(flip, p[0], p[1]);

    bool any = false;
    for (unsigned i = 0; i < LANES; i++)
        any |= flat[i] != 0;
    if (!any)
        return;
    VI other[4];
    const struct NAME(fit) five = NAME(encode_bptc_flat)(value, end, other);
    const struct NAME(fit) six = NAME(decoded_fit)(value, 3, near, index, true);
    const VI better = flat & ~NAME(keeps_more)(&six, &five) &
                      ((five.error <= six.error) | NAME(keeps_more)(&five, &six));
    for (unsigned i = 0; i < 4; i++)
        word[i] = NAME(choose_int)(better, other[i], word[i]);
}

/* Returns the bits of the nearest half floats (ties to even) as numbers with the sign of f. Values
 * above the largest half float become it. NaN becomes 0, as do negative values unless is_signed. */
INLINE VF NAME(half_bits)(VF f, bool is_signed)
{
    const VI negative = f < 0.0f;
    const VF size = NAME(clamp)(NAME(choose)(negative, -f, f), 0.0f, 65504.0f);
    const VI bits = (VI)size;
    /* the exponent's bias is 15 instead of 127; below 2^-14, the sum's last bit is 2^-24 */
    const VI normal = ((bits + 0xfff + ((bits >> 13) & 1)) >> 13) - (112 << 10);
    const VI small = (VI)(size + 0.5f) - (VI)NAME(all)(0.5f);
    const VF half = NAME(to_float)(NAME(choose_int)(size < 0x1p-14f, small, normal));
    return NAME(choose)(negative, is_signed ? -half : NAME(all)(0.0f), half);
}

/* Returns the ten-bit endpoint that expand_half() expands nearest to the given half-float bits. */
INLINE VI NAME(quantize_half)(VF half, bool is_signed)
{
    const VI value = NAME(to_int)(half), negative = value < 0;
    const VI size = NAME(choose_int)(negative, -value, value);
    /* size / 31 for sizes below 2^15 */
    VI q = (size * 33826) >> (is_signed ? 21 : 20);
    const int most = is_signed ? 511 : 1023;
    q = NAME(choose_int)(q > most, (VI){0} + most, q);
    return NAME(choose_int)(negative, -q, q);
}

/* Returns the half-float bits of a ten-bit endpoint, as decoders compute them. */
INLINE VF NAME(expand_half)(VI q, bool is_signed)
{
    const VI negative = q < 0, size = NAME(choose_int)(negative, -q, q);
    const int most = is_signed ? 511 : 1023, limit = is_signed ? 0x7fff : 0xffff;
    VI whole = ((size << 15) + 0x4000) >> 9;
    whole = NAME(choose_int)(size >= most, (VI){0} + limit, whole) & (size != 0);
    whole = (whole * 31) >> (is_signed ? 5 : 6);
    return NAME(to_float)(NAME(choose_int)(negative, -whole, whole));
}

/* Encodes RGB as BPTC float blocks with the mode bits 00011: one subset, end points of ten bits, no
 * deltas. */
FUNCTION void NAME(encode_bptc_float)(const struct NAME(blocks) * b, bool is_signed, VI word[4])
{
    VF value[3][16], end[2][4];
    VI ten[2][3];

    for (unsigned c = 0; c < 3; c++)
        for (unsigned t = 0; t < 16; t++)
            value[c][t] = NAME(half_bits)(b->texel[c][t], is_signed);
    NAME(find_ends)(value, 3, end);
    for (unsigned e = 0; e < 2; e++)
        for (unsigned c = 0; c < 3; c++) {
            ten[e][c] = NAME(quantize_half)(end[e][c], is_signed);
            end[e][c] = NAME(expand_half)(ten[e][c], is_signed);
        }
    VI index[16], field[6];
    word[2] = word[3] = (VI){0};
    NAME(choose_indices)(value, 3, end, 15.0f, index);
    const VI flip = NAME(put_indices)(index, word);
    for (unsigned e = 0; e < 2; e++)
        for (unsigned c = 0; c < 3; c++)
            field[3 * e + c] = NAME(choose_int)(flip, ten[!e][c], ten[e][c]) & 1023;
    word[0] = 3 | field[0] << 5 | field[1] << 15 | field[2] << 25;
    word[1] = field[2] >> 7 | field[3] << 3 | field[4] << 13 | field[5] << 23;
    word[2] |= field[5] >> 9;
}

/* -------------------------------------------------------------------------------- blocks --- */

/* Encodes a part of `count` blocks that are adjacent in src, and stores it at dst, with `step`
 * bytes between blocks. stride: texels between rows of src. */
FUNCTION void NAME(encode_part)(const struct part *part, uint8_t *dst, size_t step,
                                const float (*src)[4], size_t stride, unsigned count)
{
    for (unsigned k = 0; k < count; k += LANES) {
        struct NAME(blocks) b;
        VI word[4];
        unsigned words = 2;
        NAME(load_blocks)(&b, src + 4 * k, stride, MIN2(count - k, LANES));
        switch (part->kind) {
        case PART_COLORS:
            NAME(encode_colors)(&b, part->punch_through, word);
            break;
        case PART_DXT3_ALPHA:
            NAME(encode_dxt3_alpha)(&b, word);
            break;
        case PART_CHANNEL:
            NAME(encode_channel)(&b, part->channel, part->is_signed, word);
            break;
        case PART_BPTC_UNORM:
            NAME(encode_bptc_unorm)(&b, word);
            words = 4;
            break;
        case PART_BPTC_FLOAT:
            NAME(encode_bptc_float)(&b, part->is_signed, word);
            words = 4;
            break;
        }
        NAME(store_words)(dst + k * step, step, MIN2(count - k, LANES), word, words);
    }
}

#undef FUNCTION
#undef INLINE
#undef VF
#undef VI
