/* SPDX-License-Identifier: MIT */
/*
 * Vector loops of format_planes.c, compiled for each vector width (simd_each.h). Planes are
 * aligned, and the number of texels is a multiple of 16. Rounding is done by adding a constant
 * whose unit in the last place is 1. Products that must not be rounded are fused or computed as
 * doubles, so that all widths give the same bits.
 */

/* Vectors of LANES lanes: unsigned and signed integers, and floats. */
typedef uint32_t NAME(vu) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(vi) __attribute__((vector_size(4 * LANES)));
typedef float NAME(vf) __attribute__((vector_size(4 * LANES)));
/* Vectors in memory, of the same types, without alignment. */
typedef uint32_t NAME(words) __attribute__((vector_size(4 * LANES), aligned(1), may_alias));
typedef float NAME(floats) __attribute__((vector_size(4 * LANES), aligned(1), may_alias));
typedef int32_t NAME(signed_words) __attribute__((vector_size(4 * LANES), aligned(1), may_alias));
/* Vectors of LANES / 2 lanes: of 32 bits (hu, hi, hf) and of 64 bits (vd, vl). */
typedef uint32_t NAME(hu) __attribute__((vector_size(2 * LANES)));
typedef int32_t NAME(hi) __attribute__((vector_size(2 * LANES)));
typedef float NAME(hf) __attribute__((vector_size(2 * LANES)));
typedef double NAME(vd) __attribute__((vector_size(4 * LANES)));
typedef int64_t NAME(vl) __attribute__((vector_size(4 * LANES)));

/* Shuffle masks for two vectors: even and odd units of 1, 2 or 4 words; interleaved halves. */
#if LANES == 16
#define EVEN   0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODD    1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define EVEN_2 0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29
#define ODD_2  2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31
#define EVEN_4 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27
#define ODD_4  4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31
#define LOW    0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH   8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif LANES == 8
#define EVEN   0, 2, 4, 6, 8, 10, 12, 14
#define ODD    1, 3, 5, 7, 9, 11, 13, 15
#define EVEN_2 0, 1, 4, 5, 8, 9, 12, 13
#define ODD_2  2, 3, 6, 7, 10, 11, 14, 15
#define EVEN_4 0, 1, 2, 3, 8, 9, 10, 11
#define ODD_4  4, 5, 6, 7, 12, 13, 14, 15
#define LOW    0, 8, 1, 9, 2, 10, 3, 11
#define HIGH   4, 12, 5, 13, 6, 14, 7, 15
#else
#define EVEN   0, 2, 4, 6
#define ODD    1, 3, 5, 7
#define EVEN_2 0, 1, 4, 5
#define ODD_2  2, 3, 6, 7
#define EVEN_4 0, 1, 2, 3
#define ODD_4  4, 5, 6, 7
#define LOW    0, 4, 1, 5
#define HIGH   2, 6, 3, 7
#endif
/* Macros of the loops. FUNCTION and INLINE are specifiers of functions. V(type, p) is the vector at
 * address p. EACH loops over n texels, a vector at a time. Within it, WORD(w) is the current vector
 * of plane w. PUT(bits) clears the bits of the current words at w that are not in the mask `keep`,
 * and then sets `bits` in them. */
#if LANES == 8
#define FUNCTION static __attribute__((target("avx2,fma,f16c")))
#else
#define FUNCTION TARGET static
#endif
#define INLINE     FUNCTION inline __attribute__((always_inline))
#define V(type, p) (*(type *)(p))
#define EACH       for (unsigned i = 0; i < n; i += LANES)
#define WORD(w)    V(const NAME(words), (w) + i)
#define PUT(bits)  V(NAME(words), w + i) = (V(const NAME(words), w + i) & keep) | (bits)

/* Returns yes in lanes in which mask is ~0, and no in lanes in which it is 0. */
INLINE NAME(vu) NAME(select)(NAME(vi) mask, NAME(vu) yes, NAME(vu) no)
{
    return ((NAME(vu))mask & yes) | (~(NAME(vu))mask & no);
}

/* Returns f clamped to [lo, hi]. A NaN remains a NaN. */
INLINE NAME(vf) NAME(clampf)(NAME(vf) f, float lo, float hi)
{
    /* If an operand is NaN, or both are zeros, the instructions return the second one. */
#if LANES == 16
    return (NAME(vf))_mm512_min_ps(_mm512_set1_ps(hi),
                                   _mm512_max_ps(_mm512_set1_ps(lo), (__m512)f));
#elif LANES == 8
    return (NAME(vf))_mm256_min_ps(_mm256_set1_ps(hi),
                                   _mm256_max_ps(_mm256_set1_ps(lo), (__m256)f));
#elif defined(__x86_64__)
    return (NAME(vf))_mm_min_ps(_mm_set1_ps(hi), _mm_max_ps(_mm_set1_ps(lo), (__m128)f));
#else
    NAME(vf) low = (NAME(vf)){0} + lo, high = (NAME(vf)){0} + hi;
    NAME(vu) v = NAME(select)(f < low, (NAME(vu))low, (NAME(vu))f);
    return (NAME(vf))NAME(select)((NAME(vf))v > high, (NAME(vu))high, v);
#endif
}

/* Returns a float clamped to [2^-126, hi], for values that are then rounded to integers. NaN
 * becomes 2^-126. This lower limit, instead of 0, avoids denormals, with which CPUs compute
 * slowly. */
INLINE NAME(vf) NAME(limit)(NAME(vf) f, float hi)
{
    const float lo = 0x1p-126f;
#if LANES == 16
    return (NAME(vf))_mm512_min_ps(_mm512_max_ps((__m512)f, _mm512_set1_ps(lo)),
                                   _mm512_set1_ps(hi));
#elif LANES == 8
    return (NAME(vf))_mm256_min_ps(_mm256_max_ps((__m256)f, _mm256_set1_ps(lo)),
                                   _mm256_set1_ps(hi));
#elif defined(__x86_64__)
    return (NAME(vf))_mm_min_ps(_mm_max_ps((__m128)f, _mm_set1_ps(lo)), _mm_set1_ps(hi));
#else
    NAME(vf) low = (NAME(vf)){0} + lo, high = (NAME(vf)){0} + hi;
    f = (NAME(vf))NAME(select)(f > low, (NAME(vu))f, (NAME(vu))low);
    return (NAME(vf))NAME(select)(f > high, (NAME(vu))high, (NAME(vu))f);
#endif
}

/* Returns f, with 0 instead of NaN. */
INLINE NAME(vf) NAME(no_nan)(NAME(vf) f)
{
    return (NAME(vf))((NAME(vu))f & (NAME(vu))(f == f));
}

/* --------------------------------------------------------------------------------- doubles --- */

/* Convert floats, unsigned integers and signed integers to doubles, exactly. */
INLINE NAME(vd) NAME(widen)(NAME(hf) x)
{
    return WIDEN(x);
}

INLINE NAME(vd) NAME(widen_u32)(NAME(hu) x)
{
    NAME(hi) biased = (NAME(hi))(x ^ 0x80000000);
#if LANES == 16
    return (NAME(vd))_mm512_cvtepi32_pd((__m256i)biased) + 2147483648.0;
#elif LANES == 8
    return (NAME(vd))_mm256_cvtepi32_pd((__m128i)biased) + 2147483648.0;
#else
    return __builtin_convertvector(biased, NAME(vd)) + 2147483648.0;
#endif
}

INLINE NAME(vd) NAME(widen_i32)(NAME(hi) x)
{
#if LANES == 16
    return (NAME(vd))_mm512_cvtepi32_pd((__m256i)x);
#elif LANES == 8
    return (NAME(vd))_mm256_cvtepi32_pd((__m128i)x);
#else
    return __builtin_convertvector(x, NAME(vd));
#endif
}

/* Converts doubles to floats, rounded to nearest even. */
INLINE NAME(hf) NAME(narrow)(NAME(vd) x)
{
#if LANES == 16
    return (NAME(hf))_mm512_cvtpd_ps((__m512d)x);
#elif LANES == 8
    return (NAME(hf))_mm256_cvtpd_ps((__m256d)x);
#else
    return __builtin_convertvector(x, NAME(hf));
#endif
}

/* Returns the low 32 bits of each element. Intrinsics are used because compilers split a
 * __builtin_convertvector of this size. */
INLINE NAME(hu) NAME(low_words)(NAME(vl) x)
{
#if LANES == 16
    return (NAME(hu))_mm512_cvtepi64_epi32((__m512i)x);
#elif LANES == 8
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    return (NAME(hu))_mm256_castsi256_si128(_mm256_permutevar8x32_epi32((__m256i)x, even));
#else
    return (NAME(hu)) __builtin_convertvector(x, NAME(hi));
#endif
}

/* Returns the larger one of x and low; x is no NaN. */
INLINE NAME(hf) NAME(at_least)(NAME(hf) x, float low)
{
    NAME(hf) lows = (NAME(hf)){0} + low;
    NAME(hi) less = x < lows;
    return (NAME(hf))((less & (NAME(hi))lows) | (~less & (NAME(hi))x));
}

/* Rounds to the nearest integer, ties to even; modulo 2^32. */
INLINE NAME(hu) NAME(round_double)(NAME(vd) x)
{
    return NAME(low_words)((NAME(vl))(x + 0x1.8p52));
}

/* Returns f * factor, computed as a double and then rounded to the nearest integer (ties to even),
 * modulo 2^32. */
INLINE NAME(vu) NAME(round_product)(NAME(vf) f, double factor)
{
#if LANES == 16
    const __m512d scale = _mm512_set1_pd(factor), round = _mm512_set1_pd(0x1.8p52);
    __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256((__m512)f));
    __m512d high = _mm512_cvtps_pd(_mm512_extractf32x8_ps((__m512)f, 1));
    low = _mm512_add_pd(_mm512_mul_pd(low, scale), round);
    high = _mm512_add_pd(_mm512_mul_pd(high, scale), round);
    return __builtin_shufflevector((NAME(vu))low, (NAME(vu))high, EVEN);
#elif LANES == 8
    const __m256d scale = _mm256_set1_pd(factor), round = _mm256_set1_pd(0x1.8p52);
    __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128((__m256)f));
    __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps((__m256)f, 1));
    low = _mm256_add_pd(_mm256_mul_pd(low, scale), round);
    high = _mm256_add_pd(_mm256_mul_pd(high, scale), round);
    return __builtin_shufflevector((NAME(vu))low, (NAME(vu))high, EVEN);
#else
    NAME(hf) part[2];
    NAME(hu) rounded[2];
    NAME(vu) v;
    memcpy(part, &f, sizeof part);
    for (unsigned k = 0; k < 2; k++)
        rounded[k] = NAME(round_double)(NAME(widen)(part[k]) * factor);
    memcpy(&v, rounded, sizeof v);
    return v;
#endif
}

/* Returns f * factor, rounded once to the nearest integer (ties to even). |f * factor| < 2^22. */
INLINE NAME(vu) NAME(round_scaled)(NAME(vf) f, float factor)
{
#if LANES == 16
    return (NAME(vu))_mm512_fmadd_ps((__m512)f, _mm512_set1_ps(factor), _mm512_set1_ps(0x1.8p23f)) -
           0x4b400000;
#elif LANES == 8
    return (NAME(vu))_mm256_fmadd_ps((__m256)f, _mm256_set1_ps(factor), _mm256_set1_ps(0x1.8p23f)) -
           0x4b400000;
#else
    return NAME(round_product)(f, factor); /* the double is exact */
#endif
}

/* ----------------------------------------------------------------------------------- floats --- */

/* Converts half floats, in the low 16 bits of each lane, to the bits of floats. */
INLINE NAME(vu) NAME(half_to_float)(NAME(vu) half)
{
#if LANES == 16
    return (NAME(vu))_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)half));
#elif LANES == 8
    __m256i h = (__m256i)half;
    __m128i packed = _mm_packus_epi32(_mm256_castsi256_si128(h), _mm256_extracti128_si256(h, 1));
    return (NAME(vu))_mm256_cvtph_ps(packed);
#else
    NAME(vu) sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ff;
    NAME(vu) normal = ((half & 0x7fff) << 13) + (112u << 23);
    NAME(vu) small = (NAME(vu))(__builtin_convertvector((NAME(vi))mantissa, NAME(vf)) * 0x1p-24f);
    NAME(vu) special = (NAME(vu))(mantissa != 0) & 0x400000;
    special |= 0x7f800000 | mantissa << 13;
    normal = NAME(select)(exponent == 0, small, normal);
    return sign | NAME(select)(exponent == 31, special, normal);
#endif
}

/* Converts the bits of floats to half floats, in the low 16 bits of each lane, like
 * util_float_to_half(). */
INLINE NAME(vu) NAME(float_to_half)(NAME(vu) bits)
{
#if LANES == 16
    return (NAME(vu))_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)bits, 0));
#elif LANES == 8
    return (NAME(vu))_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)bits, 0));
#else
    NAME(vu) sign = bits >> 16 & 0x8000, u = bits & 0x7fffffff;
    NAME(vu) normal = (u + 0xc8000fff + (u >> 13 & 1)) >> 13;
    NAME(vu) small = (NAME(vu))((NAME(vf))u * 0x1p24f + 0x1p23f) & 0xffff;
    normal = NAME(select)(u < 0x38800000, small, normal);
    normal = NAME(select)(u >= 0x477ff000, (NAME(vu)){0} + 0x7c00, normal);
    return sign | NAME(select)(u > 0x7f800000, 0x7e00 | (u >> 13 & 0x3ff), normal);
#endif
}

/* Converts the bits of floats to unsigned floats with 5 exponent bits (GL 4.6 §2.3.4.3, §2.3.4.4).
 * Finite values that are too large become the largest finite one, negative values become 0. */
INLINE NAME(vu) NAME(float_to_small)(NAME(vu) u, unsigned mantissa_bits)
{
    const unsigned drop = 23 - mantissa_bits;
    const uint32_t max = (31u << mantissa_bits) - 1;
    NAME(vu) normal = (u + (0xc8000000 + (1u << (drop - 1)) - 1) + (u >> drop & 1)) >> drop;
    NAME(vf) scaled = (NAME(vf))u * (float)(1u << (14 + mantissa_bits));
    NAME(vu) small = (NAME(vu))(scaled + 0x1p23f) & 0xffff;
    NAME(vu) v = NAME(select)(u < 0x38800000, small, normal);
    v = NAME(select)((NAME(vi))(v > max), (NAME(vu)){0} + max, v);
    v = NAME(select)(u == 0x7f800000, (NAME(vu)){0} + (max + 1), v);
    v &= ~(NAME(vu))((NAME(vi))u < 0);
    return NAME(select)((u & 0x7fffffff) > 0x7f800000, (NAME(vu)){0} + (max + 2), v);
}

/* Returns the 32-bit elements of a table with these indices. */
INLINE NAME(vu) NAME(gather)(const void *table, NAME(vu) index)
{
#if LANES == 16
    return (NAME(vu))_mm512_i32gather_epi32((__m512i)index, table, 4);
#elif LANES == 8
    return (NAME(vu))_mm256_i32gather_epi32(table, (__m256i)index, 4);
#else
    const uint32_t *t = table;
    return (NAME(vu)){t[index[0]], t[index[1]], t[index[2]], t[index[3]]};
#endif
}

/* Encodes linear values as sRGB bytes, see util_srgb_encode. */
INLINE NAME(vu) NAME(linear_to_srgb)(NAME(vf) f)
{
    const float first = 0x1p-13f, last = 0x1.fffffep-1f;
    NAME(vu) u = NAME(select)(f > first, (NAME(vu))f, (NAME(vu))((NAME(vf)){0} + first));
    u = NAME(select)((NAME(vf))u > last, (NAME(vu))((NAME(vf)){0} + last), u);
    NAME(vu) entry = NAME(gather)(util_srgb_encode, (u >> 16) - UTIL_SRGB_ENCODE_FIRST);
    NAME(vu) above = (NAME(vu))((NAME(vi))(u & 0xffff) >= (NAME(vi))(entry & 0x1ffff));
    return (entry >> 17) - above;
}

/* --------------------------------------------------------------------------------- decoding --- */

/* Decode channel c of n texels to the plane `out`. w: util_words.word[c->word], the words that
 * contain the channel. */

/* Decodes unsigned normalized channels of up to 16 bits. */
FUNCTION void NAME(decode_unorm)(const struct util_channel *c, const uint32_t *w, uint32_t *out,
                                 unsigned n)
{
    const unsigned shift = c->shift;
    const uint32_t mask = channel_mask(c->bits);
    /* high has so few bits that its product with a channel is exact; the sum is correctly rounded
     * for all channels of up to 16 bits */
    const float high = unorm_factors[c->bits][0], low = unorm_factors[c->bits][1];
    EACH
    {
        NAME(vf) f = __builtin_convertvector((NAME(vi))(WORD(w) >> shift & mask), NAME(vf));
        V(NAME(vf), out + i) = f * high + f * low;
    }
}

/* Decodes normalized channels of more than 16 bits. */
FUNCTION void NAME(decode_wide)(const struct util_channel *c, const uint32_t *w, uint32_t *out,
                                unsigned n)
{
    const bool is_signed = c->kind == UTIL_KIND_SNORM;
    const uint32_t mask = channel_mask(c->bits - is_signed);
    /* Quotients of 32-bit channels are so far from the middle between two floats that a product
     * with the reciprocal gives the same float. */
    const double reciprocal = 1.0 / (double)mask;
    for (unsigned i = 0; i < n && c->bits == 32; i += LANES / 2) {
        NAME(hu) v;
        memcpy(&v, w + i, sizeof v);
        NAME(vd) d = is_signed ? NAME(widen_i32)((NAME(hi))v) : NAME(widen_u32)(v);
        V(NAME(hf), out + i) = NAME(at_least)(NAME(narrow)(d * reciprocal), -1.0f);
    }
    for (unsigned i = 0; i < n && c->bits < 32; i += LANES / 2) {
        NAME(hu) v;
        memcpy(&v, w + i, sizeof v);
        v = v >> c->shift & channel_mask(c->bits);
        NAME(vd) d;
        if (is_signed) {
            NAME(hi) s = (NAME(hi))(v << (32 - c->bits)) >> (32 - c->bits);
            d = NAME(widen_u32)((NAME(hu))s ^ 0x80000000) - 2147483648.0;
            d /= (double)mask;
            NAME(vl) low = d < -1.0;
            d = (NAME(vd))((low & (NAME(vl))((NAME(vd)){0} - 1.0)) | (~low & (NAME(vl))d));
        } else {
            d = NAME(widen_u32)(v) / (double)mask;
        }
        V(NAME(hf), out + i) = NAME(narrow)(d);
    }
}

/* Decodes signed channels: pure integers to int32_t, normalized ones of up to 16 bits and unscaled
 * ones to floats. */
FUNCTION void NAME(decode_signed)(const struct util_channel *c, const uint32_t *w, uint32_t *out,
                                  unsigned n)
{
    const unsigned left = 32 - c->shift - c->bits, right = 32 - c->bits;
    const float max = (float)channel_mask(c->bits - 1);
    if (c->kind == UTIL_KIND_SINT) {
        EACH V(NAME(vi), out + i) = (V(const NAME(signed_words), w + i) << left) >> right;
        return;
    }
    /* correctly rounded as in decode_unorm: the sign does not change it */
    const float high = c->kind == UTIL_KIND_SNORM ? unorm_factors[c->bits - 1][0] : 1.0f;
    const float rest = c->kind == UTIL_KIND_SNORM ? unorm_factors[c->bits - 1][1] : 0.0f;
    EACH
    {
        NAME(vf)
        f = __builtin_convertvector((V(const NAME(signed_words), w + i) << left) >> right,
                                    NAME(vf));
        NAME(vf) low = (NAME(vf)){0} - max;
        f = (NAME(vf))NAME(select)(f < low, (NAME(vu))low, (NAME(vu))f);
        V(NAME(vf), out + i) = f * high + f * rest;
    }
}

/* Decodes half floats and unsigned floats of 10 or 11 bits. */
FUNCTION void NAME(decode_half)(const struct util_channel *c, const uint32_t *w, uint32_t *out,
                                unsigned n)
{
    const unsigned shift = c->shift, up = c->kind == UTIL_KIND_SMALL_FLOAT ? 15 - c->bits : 0;
    const uint32_t mask = channel_mask(c->bits);
    EACH V(NAME(vu), out + i) = NAME(half_to_float)((WORD(w) >> shift & mask) << up);
}

/* Decodes RGB9E5 texels to three planes. */
FUNCTION void NAME(decode_rgb9e5)(const uint32_t *w, uint32_t (*out)[UTIL_CHUNK], unsigned n)
{
    EACH
    {
        NAME(vu) v = WORD(w);
        NAME(vf) scale = (NAME(vf))(((v >> 27) + (127 - 15 - 9)) << 23);
        for (unsigned c = 0; c < 3; c++)
            V(NAME(vf), out[c] + i) =
                __builtin_convertvector((NAME(vi))(v >> 9 * c & 0x1ff), NAME(vf)) * scale;
    }
}

/* Decodes unscaled, sRGB and depth channels. Copies the bits of channels of the other kinds. */
FUNCTION void NAME(decode_bits)(const struct util_channel *c, const uint32_t *w, uint32_t *out,
                                unsigned n)
{
    const unsigned shift = c->shift, bits = c->bits;
    const uint32_t mask = channel_mask(bits);
    switch (c->kind) {
    case UTIL_KIND_UNSCALED:
        EACH V(NAME(vf), out + i) =
            __builtin_convertvector((NAME(vi))(WORD(w) >> shift & mask), NAME(vf));
        break;
    case UTIL_KIND_SRGB8:
        EACH V(NAME(vu), out + i) = NAME(gather)(util_srgb_to_linear, WORD(w) >> shift & mask);
        break;
    case UTIL_KIND_DEPTH: /* repeat the upper bits */
        EACH
        {
            NAME(vu) v = WORD(w) >> shift & mask;
            V(NAME(vu), out + i) = bits == 32 ? v : v << (32 - bits) | v >> (2 * bits - 32);
        }
        break;
    default:
        EACH V(NAME(vu), out + i) = WORD(w) >> shift & mask;
    }
}

/* Decodes a channel of any kind: see util_decode_channel(). */
FUNCTION void NAME(decode)(const struct util_channel *c, const uint32_t *w,
                           uint32_t (*out)[UTIL_CHUNK], unsigned n)
{
    switch (c->kind) {
    case UTIL_KIND_UNORM:
    case UTIL_KIND_UNORM8:
        if (c->bits > 16)
            NAME(decode_wide)(c, w, out[0], n);
        else
            NAME(decode_unorm)(c, w, out[0], n);
        break;
    case UTIL_KIND_SNORM:
        if (c->bits > 16) {
            NAME(decode_wide)(c, w, out[0], n);
            break;
        } /* fallthrough */
    case UTIL_KIND_SINT:
    case UTIL_KIND_UNSCALED_SIGNED:
        NAME(decode_signed)(c, w, out[0], n);
        break;
    case UTIL_KIND_FLOAT16:
    case UTIL_KIND_SMALL_FLOAT:
        NAME(decode_half)(c, w, out[0], n);
        break;
    case UTIL_KIND_RGB9E5:
        NAME(decode_rgb9e5)(w, out, n);
        break;
    default:
        NAME(decode_bits)(c, w, out[0], n);
    }
}

/* --------------------------------------------------------------------------------- encoding --- */

/* Encode n values of the plane `in` as channel c and store them with PUT in the words at w. */

/* Encodes normalized channels of up to 16 bits, and unscaled channels. */
FUNCTION void NAME(encode_norm)(const struct util_channel *c, const uint32_t *in, uint32_t *w,
                                uint32_t keep, unsigned n)
{
    const unsigned shift = c->shift, bits = c->bits;
    const bool is_signed = c->kind == UTIL_KIND_SNORM || c->kind == UTIL_KIND_UNSCALED_SIGNED;
    const bool unscaled = c->kind == UTIL_KIND_UNSCALED || c->kind == UTIL_KIND_UNSCALED_SIGNED;
    const float max = (float)channel_mask(bits - is_signed), limit = unscaled ? max : 1.0f;
    const float factor = unscaled ? 1.0f : max;
    const uint32_t mask = channel_mask(bits);
    if (c->kind == UTIL_KIND_UNORM8) {
        EACH
        {
            NAME(vf) f = NAME(limit)((NAME(vf))WORD(in), 1.0f);
            PUT(((NAME(vu))(f * 255.0f + 0x1p23f) & 0xff) << shift);
        }
        return;
    }
    if (!is_signed) {
        EACH
        {
            NAME(vf) f = NAME(limit)((NAME(vf))WORD(in), limit);
            PUT(NAME(round_scaled)(f, factor) << shift);
        }
        return;
    }
    EACH
    {
        NAME(vf) f = NAME(clampf)(NAME(no_nan)((NAME(vf))WORD(in)), -limit, limit);
        PUT((NAME(round_scaled)(f, factor) & mask) << shift);
    }
}

/* Encodes normalized channels of more than 16 bits. */
FUNCTION void NAME(encode_wide)(const struct util_channel *c, const uint32_t *in, uint32_t *w,
                                uint32_t keep, unsigned n)
{
    const bool is_signed = c->kind == UTIL_KIND_SNORM;
    const double max = (double)channel_mask(c->bits - is_signed);
    const uint32_t mask = channel_mask(c->bits);
    EACH
    {
        NAME(vf) f = NAME(clampf)(NAME(no_nan)((NAME(vf))WORD(in)), is_signed ? -1.0f : 0.0f, 1.0f);
        PUT((NAME(round_product)(f, max) & mask) << c->shift);
    }
}

/* Encodes integers, clamped to the channel's range. src_signed: see util_encode_channel(). */
FUNCTION void NAME(encode_int)(const struct util_channel *c, const uint32_t *in, bool src_signed,
                               uint32_t *w, uint32_t keep, unsigned n)
{
    const unsigned shift = c->shift;
    const bool dst_signed = c->kind == UTIL_KIND_SINT;
    const uint32_t mask = channel_mask(c->bits), max = channel_mask(c->bits - dst_signed);
    EACH
    {
        NAME(vu) v = WORD(in);
        if (!src_signed) {
            v = NAME(select)((NAME(vi))(v > max), (NAME(vu)){0} + max, v);
        } else {
            NAME(vi) s = (NAME(vi))v, hi = (NAME(vi)){0} + (int32_t)(max & 0x7fffffff);
            NAME(vi) lo = dst_signed ? ~hi : (NAME(vi)){0};
            s = (NAME(vi))NAME(select)(s < lo, (NAME(vu))lo, (NAME(vu))s);
            v = NAME(select)(s > hi, (NAME(vu))hi, (NAME(vu))s);
        }
        PUT((v & mask) << shift);
    }
}

/* Encodes a channel of any kind except RGB9E5. */
FUNCTION void NAME(encode)(const struct util_channel *c, const uint32_t *in, bool src_signed,
                           uint32_t *w, uint32_t keep, unsigned n)
{
    const unsigned shift = c->shift, bits = c->bits;
    const uint32_t mask = channel_mask(bits);
    switch (c->kind) {
    case UTIL_KIND_UNORM:
    case UTIL_KIND_UNORM8:
    case UTIL_KIND_SNORM:
        if (bits > 16) {
            NAME(encode_wide)(c, in, w, keep, n);
            break;
        } /* fallthrough */
    case UTIL_KIND_UNSCALED:
    case UTIL_KIND_UNSCALED_SIGNED:
        NAME(encode_norm)(c, in, w, keep, n);
        break;
    case UTIL_KIND_UINT:
    case UTIL_KIND_SINT:
        NAME(encode_int)(c, in, src_signed, w, keep, n);
        break;
    case UTIL_KIND_FLOAT16:
        EACH PUT(NAME(float_to_half)(WORD(in)) << shift);
        break;
    case UTIL_KIND_SMALL_FLOAT:
        EACH PUT(NAME(float_to_small)(WORD(in), bits - 5) << shift);
        break;
    case UTIL_KIND_SRGB8:
        EACH PUT(NAME(linear_to_srgb)((NAME(vf))WORD(in)) << shift);
        break;
    case UTIL_KIND_DEPTH:
        EACH PUT(WORD(in) >> (32 - bits) << shift);
        break;
    default:
        EACH PUT((WORD(in) & mask) << shift);
    }
}

/* Encodes three planes as RGB9E5 words (GL 4.6 §8.5.2). */
FUNCTION void NAME(encode_rgb9e5)(const float *r, const float *g, const float *b, uint32_t *w,
                                  unsigned n)
{
    const float *in[3] = {r, g, b};
    EACH
    {
        NAME(vf) c[3], max = {0};
        for (unsigned k = 0; k < 3; k++) {
            c[k] = NAME(clampf)(NAME(no_nan)((NAME(vf))WORD(in[k])), 0.0f, 65408.0f);
            max = (NAME(vf))NAME(select)(c[k] > max, (NAME(vu))c[k], (NAME(vu))max);
        }
        NAME(vi) exponent = (NAME(vi))((NAME(vu))max >> 23) - 127;
        exponent = (NAME(vi))NAME(select)(exponent < -16, (NAME(vu)){0} - 16, (NAME(vu))exponent);
        exponent += 1 + 15;
        NAME(vf) scale = (NAME(vf))((127 + 15 + 9 - exponent) << 23);
        NAME(vi) over = __builtin_convertvector(max * scale + 0.5f, NAME(vi)) == 512;
        exponent -= over;
        scale = (NAME(vf))NAME(select)(over, (NAME(vu))(scale * 0.5f), (NAME(vu))scale);
        NAME(vu) word = (NAME(vu))exponent << 27;
        for (unsigned k = 0; k < 3; k++)
            word |= (NAME(vu)) __builtin_convertvector(c[k] * scale + 0.5f, NAME(vi)) << 9 * k;
        V(NAME(words), w + i) = word;
    }
}

/* ---------------------------------- operations on planes: util_plane_*() of format_planes.h --- */

FUNCTION void NAME(scale)(float *dst, const float *src, float scale, float bias, unsigned n)
{
    EACH V(NAME(vf), dst + i) = (NAME(vf))WORD(src) * scale + bias;
}

FUNCTION void NAME(clamp)(float *dst, const float *src, unsigned n)
{
    EACH V(NAME(vf), dst + i) = NAME(clampf)((NAME(vf))WORD(src), 0.0f, 1.0f);
}

FUNCTION void NAME(add)(float *dst, const float *src, float factor, unsigned n)
{
    EACH V(NAME(vf), dst + i) = (V(NAME(vf), dst + i) + (NAME(vf))WORD(src)) * factor;
}

FUNCTION void NAME(mix)(float *dst, const float *a, const float *b, float weight, unsigned n)
{
    const float rest = 1.0f - weight;
    EACH V(NAME(vf), dst + i) = (NAME(vf))WORD(a) * rest + (NAME(vf))WORD(b) * weight;
}

/* Adds the values of src that two shuffle masks select. */
#define HALVE(even, odd)                                                                           \
    EACH                                                                                           \
    {                                                                                              \
        NAME(vf) a = V(const NAME(floats), src + 2 * i);                                           \
        NAME(vf) b = V(const NAME(floats), src + 2 * i + LANES);                                   \
        V(NAME(vf), dst + i) =                                                                     \
            (__builtin_shufflevector(a, b, even) + __builtin_shufflevector(a, b, odd)) * factor;   \
    }

FUNCTION void NAME(halve)(float *dst, const float *src, unsigned size, float factor, unsigned n)
{
    if (size == 1)
        HALVE(EVEN, ODD)
    else if (size == 2)
        HALVE(EVEN_2, ODD_2)
    else
        HALVE(EVEN_4, ODD_4)
}
#undef HALVE

FUNCTION void NAME(to_floats)(uint32_t *plane, unsigned n)
{
    EACH V(NAME(vf), plane + i) =
        __builtin_convertvector((NAME(vi))V(NAME(vu), plane + i), NAME(vf));
}

FUNCTION void NAME(filter)(float *dst, const float *src, const uint32_t at[2][UTIL_CHUNK],
                           const float *weight, unsigned n)
{
    EACH
    {
        NAME(vf) a = (NAME(vf))NAME(gather)(src, WORD(at[0]));
        NAME(vf) b = (NAME(vf))NAME(gather)(src, WORD(at[1]));
        V(NAME(vf), dst + i) = a + (NAME(vf))WORD(weight) * (b - a);
    }
}

FUNCTION void NAME(pick)(float *dst, const float *src, const uint32_t *at, unsigned n)
{
    EACH V(NAME(vu), dst + i) = NAME(gather)(src, WORD(at));
}

/* last: index of the last entry of the table. */
FUNCTION void NAME(look_up)(float *dst, const float *src, const float *table, float last,
                            unsigned n)
{
    EACH
    {
        const NAME(vf) at = (NAME(vf))WORD(src) * last + 0.5f;
        const NAME(vu) index = (NAME(vu)) __builtin_convertvector(NAME(no_nan)(at), NAME(vi));
        V(NAME(vu), dst + i) = NAME(gather)(table, index);
    }
}

/* Returns floor(x + 0.5), for 0 ≤ x < 2^32. */
INLINE NAME(hu) NAME(round_up)(NAME(vd) x)
{
    NAME(vd) t = x + 0.5;
#if LANES == 16
    NAME(vd) n = (NAME(vd))_mm512_roundscale_pd((__m512d)t, _MM_FROUND_TO_NEG_INF);
#elif LANES == 8
    NAME(vd) n = (NAME(vd))_mm256_floor_pd((__m256d)t);
#else
    NAME(vd) n = t + 0x1p52 - 0x1p52;
    n -= (NAME(vd))((NAME(vl))(n > t) & (NAME(vl))((NAME(vd)){0} + 1.0));
#endif
    return NAME(low_words)((NAME(vl))(n + 0x1p52));
}

/* Returns d clamped to [0, 1]. A NaN remains a NaN. */
INLINE NAME(vd) NAME(clampd)(NAME(vd) d)
{
#if LANES == 16
    return (NAME(vd))_mm512_min_pd(_mm512_set1_pd(1.0),
                                   _mm512_max_pd(_mm512_setzero_pd(), (__m512d)d));
#elif LANES == 8
    return (NAME(vd))_mm256_min_pd(_mm256_set1_pd(1.0),
                                   _mm256_max_pd(_mm256_setzero_pd(), (__m256d)d));
#else
    NAME(vl) low = d < 0.0, high = d > 1.0;
    return (NAME(vd))((~(low | high) & (NAME(vl))d) | (high & (NAME(vl))((NAME(vd)){0} + 1.0)));
#endif
}

FUNCTION void NAME(depth)(uint32_t *dst, enum util_depth_type to, const uint32_t *src,
                          enum util_depth_type from, double scale, double bias, bool exact,
                          unsigned n)
{
    const double max = from == UTIL_DEPTH_U24 ? 16777215.0 : 4294967295.0;
    const unsigned down = from == UTIL_DEPTH_U24 ? 8 : 0;
    const bool scaled = scale != 1.0 || bias != 0.0;
    /* A product with the reciprocal gives the same float for 24-bit depths. */
    const bool multiply = !scaled && !exact && to == UTIL_DEPTH_FLOAT;
    for (unsigned i = 0; i < n; i += LANES / 2) {
        NAME(vd) d;
        NAME(hu) u;
        memcpy(&u, src + i, sizeof u);
        if (from == UTIL_DEPTH_FLOAT)
            d = NAME(widen)((NAME(hf))u);
        else if (multiply)
            d = NAME(widen_u32)(u >> down) * (1.0 / max);
        else
            d = NAME(widen_u32)(u >> down) / max;
        if (scaled)
            d = d * scale + bias;
        d = NAME(clampd)(d);
        if (to == UTIL_DEPTH_FLOAT)
            V(NAME(hf), dst + i) = NAME(narrow)(d);
        else if (to == UTIL_DEPTH_U24)
            V(NAME(hu), dst + i) = NAME(round_up)(d * 16777215.0) << 8;
        else
            V(NAME(hu), dst + i) = NAME(round_up)(d * 4294967295.0);
    }
}

/* ---------------------------------------------------------------------- words of the texels --- */

/* Load LANES bytes or 16-bit integers, zero-extended to words (widen_*), and store words truncated
 * to them (put_*). Compilers split a __builtin_convertvector of these sizes. */
INLINE NAME(vu) NAME(widen_bytes)(const uint8_t *p)
{
#if LANES == 16
    return (NAME(vu))_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p));
#elif LANES == 8
    return (NAME(vu))_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p));
#else
    return (NAME(vu)){p[0], p[1], p[2], p[3]};
#endif
}

INLINE NAME(vu) NAME(widen_shorts)(const uint8_t *p)
{
#if LANES == 16
    return (NAME(vu))_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p));
#elif LANES == 8
    return (NAME(vu))_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
#else
    uint16_t v[4];
    memcpy(v, p, sizeof v);
    return (NAME(vu)){v[0], v[1], v[2], v[3]};
#endif
}

INLINE void NAME(put_bytes)(uint8_t *p, NAME(vu) v)
{
#if LANES == 16
    _mm_storeu_si128((__m128i *)p, _mm512_cvtepi32_epi8((__m512i)v));
#elif LANES == 8
    __m256i x = _mm256_and_si256((__m256i)v, _mm256_set1_epi32(0xff));
    __m128i s = _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    _mm_storel_epi64((__m128i *)p, _mm_packus_epi16(s, s));
#else
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)v[i];
#endif
}

INLINE void NAME(put_shorts)(uint8_t *p, NAME(vu) v)
{
#if LANES == 16
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi32_epi16((__m512i)v));
#elif LANES == 8
    __m256i x = _mm256_and_si256((__m256i)v, _mm256_set1_epi32(0xffff));
    _mm_storeu_si128((__m128i *)p,
                     _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1)));
#else
    const uint16_t s[4] = {(uint16_t)v[0], (uint16_t)v[1], (uint16_t)v[2], (uint16_t)v[3]};
    memcpy(p, s, sizeof s);
#endif
}

/* Load and store n texels of 1 or 2 bytes as zero-extended words. */
FUNCTION void NAME(load_narrow)(const uint8_t *src, unsigned bytes, uint32_t *w, unsigned n)
{
    if (bytes == 1)
        EACH V(NAME(vu), w + i) = NAME(widen_bytes)(src + i);
    else
        EACH V(NAME(vu), w + i) = NAME(widen_shorts)(src + 2 * i);
}

FUNCTION void NAME(store_narrow)(uint8_t *dst, unsigned bytes, const uint32_t *w, unsigned n)
{
    if (bytes == 1)
        EACH NAME(put_bytes)(dst + i, WORD(w));
    else
        EACH NAME(put_shorts)(dst + 2 * i, WORD(w));
}

/* Splits n texels of 8 or 16 bytes into planes of words, by one or two even/odd shuffles.
 * store_wide is the inverse. */
FUNCTION void NAME(load_wide)(const uint8_t *src, unsigned bytes, uint32_t (*p)[UTIL_CHUNK],
                              unsigned n)
{
    EACH
    {
        NAME(vu) a = V(const NAME(words), src), b = V(const NAME(words), src + 4 * LANES);
        NAME(vu)
        even = __builtin_shufflevector(a, b, EVEN), odd = __builtin_shufflevector(a, b, ODD);
        src += 8 * LANES;
        if (bytes == 8) {
            V(NAME(vu), p[0] + i) = even;
            V(NAME(vu), p[1] + i) = odd;
            continue;
        }
        NAME(vu) c = V(const NAME(words), src), d = V(const NAME(words), src + 4 * LANES);
        NAME(vu)
        even2 = __builtin_shufflevector(c, d, EVEN), odd2 = __builtin_shufflevector(c, d, ODD);
        src += 8 * LANES;
        V(NAME(vu), p[0] + i) = __builtin_shufflevector(even, even2, EVEN);
        V(NAME(vu), p[1] + i) = __builtin_shufflevector(odd, odd2, EVEN);
        V(NAME(vu), p[2] + i) = __builtin_shufflevector(even, even2, ODD);
        V(NAME(vu), p[3] + i) = __builtin_shufflevector(odd, odd2, ODD);
    }
}

FUNCTION void NAME(store_wide)(uint8_t *dst, unsigned bytes, const uint32_t *const p[4], unsigned n)
{
    EACH
    {
        NAME(vu) a = V(const NAME(words), p[0] + i), b = V(const NAME(words), p[1] + i);
        if (bytes == 8) {
            V(NAME(words), dst) = __builtin_shufflevector(a, b, LOW);
            V(NAME(words), dst + 4 * LANES) = __builtin_shufflevector(a, b, HIGH);
            dst += 8 * LANES;
            continue;
        }
        NAME(vu) c = V(const NAME(words), p[2] + i), d = V(const NAME(words), p[3] + i);
        NAME(vu) ac = __builtin_shufflevector(a, c, LOW), bd = __builtin_shufflevector(b, d, LOW);
        V(NAME(words), dst) = __builtin_shufflevector(ac, bd, LOW);
        V(NAME(words), dst + 4 * LANES) = __builtin_shufflevector(ac, bd, HIGH);
        ac = __builtin_shufflevector(a, c, HIGH);
        bd = __builtin_shufflevector(b, d, HIGH);
        V(NAME(words), dst + 8 * LANES) = __builtin_shufflevector(ac, bd, LOW);
        V(NAME(words), dst + 12 * LANES) = __builtin_shufflevector(ac, bd, HIGH);
        dst += 16 * LANES;
    }
}

/* Split texels of 12 bytes into three planes of words, and join them. Four texels are three
 * vectors: a0 b0 c0 a1, b1 c1 a2 b2, c2 a3 b3 c3. */
FUNCTION void NAME(load_12)(const uint8_t *src, uint32_t (*p)[UTIL_CHUNK], unsigned n)
{
    for (unsigned i = 0; i < n; i += 4, src += 48) {
        v4u32 x = LOAD4(src), y = LOAD4(src + 16), z = LOAD4(src + 32);
        v4u32 a = __builtin_shufflevector(x, y, 0, 3, 6, 6);
        v4u32 b = __builtin_shufflevector(x, y, 1, 4, 7, 7);
        v4u32 c = __builtin_shufflevector(x, y, 2, 5, 5, 5);
        V(v4u32, p[0] + i) = __builtin_shufflevector(a, z, 0, 1, 2, 5);
        V(v4u32, p[1] + i) = __builtin_shufflevector(b, z, 0, 1, 2, 6);
        V(v4u32, p[2] + i) = __builtin_shufflevector(c, z, 0, 1, 4, 7);
    }
}

FUNCTION void NAME(store_12)(uint8_t *dst, const uint32_t *const p[4], unsigned n)
{
    for (unsigned i = 0; i < n; i += 4, dst += 48) {
        v4u32 a = LOAD4(p[0] + i), b = LOAD4(p[1] + i), c = LOAD4(p[2] + i);
        v4u32 low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        v4u32 high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        v4u32 b1_c1 = __builtin_shufflevector(low, c, 3, 5, 3, 5);
        STORE4(dst, __builtin_shufflevector(low, c, 0, 1, 4, 2));
        STORE4(dst + 16, __builtin_shufflevector(b1_c1, high, 0, 1, 4, 5));
        STORE4(dst + 32, __builtin_shufflevector(c, high, 2, 6, 7, 3));
    }
}

/* Load and store texels of 6 bytes as two planes of words, and texels of 3 bytes as words. They access
 * up to 4 bytes past the last texel. load_6 leaves the upper half of each second word unspecified,
 * load_3 the upper byte of each word. */
FUNCTION void NAME(load_6)(const uint8_t *src, uint32_t (*p)[UTIL_CHUNK], unsigned n)
{
    for (unsigned i = 0; i < n; i += 4, src += 24) {
        v8u16 v = (v8u16)LOAD4(src), w = (v8u16)LOAD4(src + 12);
        v4u32 a = (v4u32)__builtin_shufflevector(v, v, 0, 1, 3, 4, 2, 2, 5, 5);
        v4u32 b = (v4u32)__builtin_shufflevector(w, w, 0, 1, 3, 4, 2, 2, 5, 5);
        V(v4u32, p[0] + i) = __builtin_shufflevector(a, b, 0, 1, 4, 5);
        V(v4u32, p[1] + i) = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    }
}

FUNCTION void NAME(store_6)(uint8_t *dst, const uint32_t *const p[4], unsigned n)
{
    for (unsigned i = 0; i < n; i += 4, dst += 24) {
        v4u32 a = LOAD4(p[0] + i), b = LOAD4(p[1] + i);
        v8u16 v = (v8u16)__builtin_shufflevector(a, b, 0, 4, 1, 5);
        v8u16 w = (v8u16)__builtin_shufflevector(a, b, 2, 6, 3, 7);
        STORE4(dst, (v4u32)__builtin_shufflevector(v, v, 0, 1, 2, 4, 5, 6, 6, 6));
        STORE4(dst + 12, (v4u32)__builtin_shufflevector(w, w, 0, 1, 2, 4, 5, 6, 6, 6));
    }
}

FUNCTION void NAME(load_3)(const uint8_t *src, uint32_t *w, unsigned n)
{
#if LANES > 4
    for (unsigned i = 0; i < n; i += 4, src += 12) {
        v16u8 v = (v16u8)LOAD4(src);
        V(v4u32, w + i) =
            (v4u32)__builtin_shufflevector(v, v, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
    }
#else
    for (unsigned i = 0; i < n; i++, src += 3)
        memcpy(w + i, src, 4);
#endif
}

FUNCTION void NAME(store_3)(uint8_t *dst, const uint32_t *w, unsigned n)
{
#if LANES > 4
    for (unsigned i = 0; i < n; i += 4, dst += 12) {
        v16u8 v = (v16u8)LOAD4(w + i);
        STORE4(dst, (v4u32)__builtin_shufflevector(v, v, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15,
                                                   15, 15, 15));
    }
#else
    for (unsigned i = 0; i < n; i++, dst += 3)
        memcpy(dst, w + i, 4);
#endif
}

/* Stores in out the words at w with the bytes of each unit of 2 or 4 bytes reversed. */
FUNCTION void NAME(swap)(unsigned unit, const uint32_t *w, uint32_t *out, unsigned n)
{
    EACH
    {
        NAME(vu) v = WORD(w);
        v = (v & 0x00ff00ff) << 8 | (v >> 8 & 0x00ff00ff);
        V(NAME(words), out + i) = unit == 2 ? v : v << 16 | v >> 16;
    }
}

/* ---------------------------------------------------------- fields: util_convert_fields() --- */

typedef uint16_t NAME(vs) __attribute__((vector_size(4 * LANES)));
typedef uint16_t NAME(shorts) __attribute__((vector_size(4 * LANES), aligned(1), may_alias));

#define UNROLL _Pragma("GCC unroll 4") /* unrolls the loop that follows */
/* A shift count: a vector if the instruction set has shifts by vectors, because a shift by a scalar
 * takes two instructions instead of one. */
#if LANES > 4
#define COUNT(c) ((NAME(vu)){0} + (c))
#else
#define COUNT(c) (c)
#endif
#define VECTORS (16 / LANES) /* number of vectors that hold 16 texels, one per lane */

/* Converts the 16 texels in w, one per lane, in place. */
INLINE void NAME(fields)(const struct util_fields *f, NAME(vu) w[VECTORS])
{
    NAME(vu) out[VECTORS];
    UNROLL for (unsigned j = 0; j < VECTORS; j++) out[j] = (NAME(vu)){0} + f->constant;
    for (unsigned k = 0; k < f->scaled; k++) {
        const struct util_field *field = &f->field[k];
        UNROLL for (unsigned j = 0; j < VECTORS; j++)
        {
            NAME(vu) v = (w[j] & field->mask) >> COUNT(field->right);
            v = (v * field->factor + field->half) >> COUNT(field->down);
            out[j] |= v << COUNT(field->left);
        }
    }
    for (unsigned k = f->scaled; k < f->count; k++) {
        const struct util_field *field = &f->field[k];
        UNROLL for (unsigned j = 0; j < VECTORS; j++) out[j] |=
            (w[j] & field->mask) >> COUNT(field->right) << COUNT(field->left);
    }
    memcpy(w, out, sizeof out);
}

/* Load and store LANES texels of 1, 2 or 4 bytes, zero-extended to words. */
INLINE NAME(vu) NAME(load_texels)(const uint8_t *src, unsigned bytes)
{
    if (bytes == 1)
        return NAME(widen_bytes)(src);
    if (bytes == 2)
        return NAME(widen_shorts)(src);
    return V(const NAME(words), src);
}

INLINE void NAME(store_texels)(uint8_t *dst, unsigned bytes, NAME(vu) v)
{
    if (bytes == 1)
        NAME(put_bytes)(dst, v);
    else if (bytes == 2)
        NAME(put_shorts)(dst, v);
    else
        V(NAME(words), dst) = v;
}

/* Implements convert_fields for texel sizes that are constants after inlining. */
INLINE void NAME(fields_loop)(const struct util_fields *f, uint8_t *dst, unsigned dst_bytes,
                              const uint8_t *src, unsigned src_bytes, unsigned n)
{
    NAME(vu) w[VECTORS];
    for (unsigned i = 0; i < n; i += 16) {
        UNROLL for (unsigned j = 0; j < VECTORS; j++) w[j] =
            NAME(load_texels)(src + (i + j * LANES) * src_bytes, src_bytes);
        NAME(fields)(f, w);
        UNROLL for (unsigned j = 0; j < VECTORS; j++)
            NAME(store_texels)(dst + (i + j * LANES) * dst_bytes, dst_bytes, w[j]);
    }
}

/* Implements util_convert_fields(). */
FUNCTION void NAME(convert_fields)(const struct util_fields *f, uint8_t *dst, unsigned dst_bytes,
                                   const uint8_t *src, unsigned src_bytes, unsigned n)
{
#define CASE(d, s)                                                                                 \
    if (dst_bytes == d && src_bytes == s)                                                          \
    NAME(fields_loop)(f, dst, d, src, s, n)
    CASE(1, 1);
    CASE(1, 2);
    CASE(1, 4);
    CASE(2, 1);
    CASE(2, 2);
    CASE(2, 4);
    CASE(4, 1);
    CASE(4, 2);
    CASE(4, 4);
#undef CASE
}

/* Load 2 * LANES bytes, zero-extended to 16 bits, and store 16-bit integers truncated to bytes. */
INLINE NAME(vs) NAME(widen_narrow)(const uint8_t *p)
{
#if LANES == 16
    return (NAME(vs))_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)p));
#elif LANES == 8
    return (NAME(vs))_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)p));
#else
    return (NAME(vs)){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]};
#endif
}

INLINE void NAME(put_narrow)(uint8_t *p, NAME(vs) v)
{
#if LANES == 16
    _mm256_storeu_si256((__m256i *)p, _mm512_cvtepi16_epi8((__m512i)v));
#elif LANES == 8
    __m256i x = _mm256_and_si256((__m256i)v, _mm256_set1_epi16(0xff));
    _mm_storeu_si128((__m128i *)p,
                     _mm_packus_epi16(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1)));
#else
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)v[i];
#endif
}

/* Load 2 * LANES texels of 32 bits, split into their lower and upper halves, and store them. */
INLINE void NAME(load_halves)(const uint8_t *p, NAME(vs) * low, NAME(vs) * high)
{
    NAME(vu) a = V(const NAME(words), p), b = V(const NAME(words), p + 4 * LANES);
#if LANES == 16
    *low = (NAME(vs))_mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16((__m512i)a)),
                                        _mm512_cvtepi32_epi16((__m512i)b), 1);
    *high = (NAME(vs))_mm512_inserti64x4(
        _mm512_castsi256_si512(_mm512_cvtepi32_epi16((__m512i)(a >> 16))),
        _mm512_cvtepi32_epi16((__m512i)(b >> 16)), 1);
#elif LANES == 8
    __m256i l = _mm256_packus_epi32((__m256i)(a & 0xffff), (__m256i)(b & 0xffff));
    __m256i h = _mm256_packus_epi32((__m256i)(a >> 16), (__m256i)(b >> 16));
    *low = (NAME(vs))_mm256_permute4x64_epi64(l, 0xd8);
    *high = (NAME(vs))_mm256_permute4x64_epi64(h, 0xd8);
#else
    NAME(vs) x = (NAME(vs))a, y = (NAME(vs))b;
    *low = __builtin_shufflevector(x, y, 0, 2, 4, 6, 8, 10, 12, 14);
    *high = __builtin_shufflevector(x, y, 1, 3, 5, 7, 9, 11, 13, 15);
#endif
}

INLINE void NAME(store_halves)(uint8_t *p, NAME(vs) low, NAME(vs) high)
{
#if LANES == 16
    NAME(vu) a = (NAME(vu))_mm512_cvtepu16_epi32(_mm512_castsi512_si256((__m512i)low));
    NAME(vu) b = (NAME(vu))_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64((__m512i)low, 1));
    a |= (NAME(vu))_mm512_cvtepu16_epi32(_mm512_castsi512_si256((__m512i)high)) << 16;
    b |= (NAME(vu))_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64((__m512i)high, 1)) << 16;
#elif LANES == 8
    __m256i l = _mm256_unpacklo_epi16((__m256i)low, (__m256i)high);
    __m256i h = _mm256_unpackhi_epi16((__m256i)low, (__m256i)high);
    NAME(vu) a = (NAME(vu))_mm256_permute2x128_si256(l, h, 0x20);
    NAME(vu) b = (NAME(vu))_mm256_permute2x128_si256(l, h, 0x31);
#else
    NAME(vs) a = __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
    NAME(vs) b = __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
#endif
    V(NAME(words), p) = (NAME(vu))a;
    V(NAME(words), p + 4 * LANES) = (NAME(vu))b;
}

/* Load and store 2 * LANES texels of 1, 2 or 4 bytes, with 16 bits per lane. half[0] has the lower
 * 16 bits; half[1] has the upper 16 bits, and is unused unless bytes is 4. */
INLINE void NAME(load_narrow_texels)(const uint8_t *p, unsigned bytes, NAME(vs) half[2])
{
    if (bytes == 4)
        NAME(load_halves)(p, &half[0], &half[1]);
    else if (bytes == 2)
        half[0] = V(const NAME(shorts), p);
    else
        half[0] = NAME(widen_narrow)(p);
}

INLINE void NAME(store_narrow_texels)(uint8_t *p, unsigned bytes, NAME(vs) half[2])
{
    if (bytes == 4)
        NAME(store_halves)(p, half[0], half[1]);
    else if (bytes == 2)
        V(NAME(shorts), p) = half[0];
    else
        NAME(put_narrow)(p, half[0]);
}

/* Converts in vectors with 16-bit lanes, 4 * LANES texels at a time. Leaves out the last
 * n % (4 * LANES) texels. Returns the number of texels converted. */
INLINE unsigned NAME(narrow_loop)(const struct util_fields *f, uint8_t *dst, unsigned dst_bytes,
                                  const uint8_t *src, unsigned src_bytes, unsigned n)
{
    const NAME(vs) none = {0};
    unsigned i;
    for (i = 0; i + 4 * LANES <= n; i += 4 * LANES) {
        NAME(vs) w[2][2], out[2][2]; /* [vector][half] */
        UNROLL for (unsigned j = 0; j < 2; j++)
        {
            NAME(load_narrow_texels)(src + (i + j * 2 * LANES) * src_bytes, src_bytes, w[j]);
            out[j][0] = none + (uint16_t)f->constant;
            out[j][1] = none + (uint16_t)(f->constant >> 16);
        }
        for (unsigned k = 0; k < f->count; k++) {
            const struct util_field *field = &f->field[k];
            const bool from_high = src_bytes == 4 && field->mask >> 16;
            const bool to_high =
                dst_bytes == 4 &&
                (k < f->scaled ? field->left >= 16
                               : field->mask >> field->right << field->left >> 16 != 0);
            const uint16_t mask = (uint16_t)(from_high ? field->mask >> 16 : field->mask);
            const int shift =
                (int)field->left - (int)field->right + (from_high ? 16 : 0) - (to_high ? 16 : 0);
            const unsigned right = from_high ? field->right - 16 : field->right;
            const unsigned left = to_high ? field->left - 16 : field->left;
            UNROLL for (unsigned j = 0; j < 2; j++)
            {
                NAME(vs) v = (from_high ? w[j][1] : w[j][0]) & mask;
                if (k < f->scaled)
                    v = ((v >> right) * (uint16_t)field->factor + (uint16_t)field->half) >>
                        field->down << left;
                else
                    v = shift > 0 ? v << shift : v >> -shift;
                if (to_high)
                    out[j][1] |= v;
                else
                    out[j][0] |= v;
            }
        }
        UNROLL for (unsigned j = 0; j < 2; j++)
            NAME(store_narrow_texels)(dst + (i + j * 2 * LANES) * dst_bytes, dst_bytes, out[j]);
    }
    return i;
}

/* Converts like convert_fields, but with 16 bits per lane. Requires f->narrow. Returns the number
 * of texels converted; the caller converts the rest. */
FUNCTION unsigned NAME(convert_narrow)(const struct util_fields *f, uint8_t *dst,
                                       unsigned dst_bytes, const uint8_t *src, unsigned src_bytes,
                                       unsigned n)
{
#define CASE(d, s)                                                                                 \
    if (dst_bytes == d && src_bytes == s)                                                          \
    return NAME(narrow_loop)(f, dst, d, src, s, n)
    CASE(1, 1);
    CASE(1, 2);
    CASE(1, 4);
    CASE(2, 1);
    CASE(2, 2);
    CASE(2, 4);
    CASE(4, 1);
    CASE(4, 2);
    CASE(4, 4);
#undef CASE
    return 0;
}

#undef UNROLL
#undef COUNT
#undef VECTORS
/* ------------------------------------------------------ elements: util_convert_elements() --- */

/* Load LANES signed bytes or 16-bit integers as floats with the same values. */
INLINE NAME(vf) NAME(signed_bytes)(const uint8_t *p)
{
#if LANES == 16
    return (NAME(vf))_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)p)));
#elif LANES == 8
    return (NAME(vf))_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)p)));
#else
    return (NAME(vf)){(int8_t)p[0], (int8_t)p[1], (int8_t)p[2], (int8_t)p[3]};
#endif
}

INLINE NAME(vf) NAME(signed_shorts)(const uint8_t *p)
{
    NAME(vu) v = NAME(widen_shorts)(p);
    return __builtin_convertvector((NAME(vi))(v << 16) >> 16, NAME(vf));
}

#if LANES > 4
/* Loads 32-bit unsigned normalized integers v and returns them as floats. The result equals
 * v / (2^32 - 1) computed as a double and then rounded to a float, but needs no doubles:
 *  - v / (2^32 - 1) is slightly larger than v / 2^32. The difference matters only if v is midway
 *    between two floats, where it makes the result round up. Adding 2^-8 to v has the same effect.
 *  - If v itself is a float, the sum rounds to v again, because 2^-8 is at most half of the
 *    distance to the next float. Below 2^16, nothing is added.
 *  - For the last 1024 values, the double is (v + 1) / 2^32, which may itself be midway between two
 *    floats. There, 1 is added instead of 2^-8. */
INLINE NAME(vf) NAME(normalize_unsigned)(const uint8_t *p)
{
    const NAME(vu) v = V(const NAME(words), p);
    const NAME(vi) high = (NAME(vi))(v >> 16), low = (NAME(vi))(v & 0xffff);
    const NAME(vf) h = __builtin_convertvector(high, NAME(vf));
    const NAME(vu) bits = (NAME(vu))(high > 0) & 0x3b800000; /* of 2^-8 */
    const NAME(vf) addend =
        (NAME(vf))NAME(select)(v >= 0xfffffc00, (NAME(vu)){0} + 0x3f800000, bits);
    const NAME(vf) l = __builtin_convertvector(low, NAME(vf)) + addend;
#if LANES == 16
    const NAME(vf) f = (NAME(vf))_mm512_fmadd_ps((__m512)h, _mm512_set1_ps(0x1p16f), (__m512)l);
#else
    const NAME(vf) f = (NAME(vf))_mm256_fmadd_ps((__m256)h, _mm256_set1_ps(0x1p16f), (__m256)l);
#endif
    return f * 0x1p-32f;
}
#endif

/* Returns 32-bit normalized integers as floats, see decode_wide. The quotient of -2^31 rounds to
 * -1. */
INLINE NAME(vf) NAME(normalize_words)(const uint8_t *p, bool is_signed)
{
    const double reciprocal = is_signed ? 1.0 / 2147483647.0 : 1.0 / 4294967295.0;
    NAME(hf) part[2];
#if LANES > 4
    if (!is_signed)
        return NAME(normalize_unsigned)(p);
#endif
    for (unsigned k = 0; k < 2; k++) {
        NAME(hu) v;
        memcpy(&v, p + k * sizeof v, sizeof v);
        NAME(vd) d = is_signed ? NAME(widen_i32)((NAME(hi))v) : NAME(widen_u32)(v);
        part[k] = NAME(narrow)(d * reciprocal);
    }
#if LANES == 16
    return (NAME(vf))_mm512_insertf32x8(_mm512_castps256_ps512((__m256)part[0]), (__m256)part[1],
                                        1);
#elif LANES == 8
    return (NAME(vf))_mm256_set_m128((__m128)part[1], (__m128)part[0]);
#else
    NAME(vf) f;
    memcpy(&f, part, sizeof f);
    return f;
#endif
}

/* Loads LANES elements of a type as floats. */
INLINE NAME(vf) NAME(load_elements)(enum util_element type, const uint8_t *p)
{
    const float *factor = unorm_factors[type == UTIL_ELEMENT_U8    ? 8
                                        : type == UTIL_ELEMENT_S8  ? 7
                                        : type == UTIL_ELEMENT_U16 ? 16
                                                                   : 15];
    NAME(vf) f;
    switch (type) {
    case UTIL_ELEMENT_U8:
        f = __builtin_convertvector((NAME(vi))NAME(widen_bytes)(p), NAME(vf));
        break;
    case UTIL_ELEMENT_U16:
        f = __builtin_convertvector((NAME(vi))NAME(widen_shorts)(p), NAME(vf));
        break;
    case UTIL_ELEMENT_S8:
        f = NAME(clampf)(NAME(signed_bytes)(p), -127.0f, 127.0f);
        break;
    case UTIL_ELEMENT_S16:
        f = NAME(clampf)(NAME(signed_shorts)(p), -32767.0f, 32767.0f);
        break;
    case UTIL_ELEMENT_U32:
    case UTIL_ELEMENT_S32:
        return NAME(normalize_words)(p, type == UTIL_ELEMENT_S32);
    case UTIL_ELEMENT_F16:
        return (NAME(vf))NAME(half_to_float)(NAME(widen_shorts)(p));
    default:
        return V(const NAME(floats), p);
    }
    return f * factor[0] + f * factor[1];
}

/* Converts f to elements of a type, in the low bits of words. f was loaded from elements of type
 * `from`; it is clamped only if such elements can be out of the range of `type`. */
INLINE NAME(vu) NAME(encode_elements)(enum util_element type, enum util_element from, NAME(vf) f)
{
    const bool bounded = from != UTIL_ELEMENT_F16 && from != UTIL_ELEMENT_F32;
    const bool positive =
        from == UTIL_ELEMENT_U8 || from == UTIL_ELEMENT_U16 || from == UTIL_ELEMENT_U32;
    if (type == UTIL_ELEMENT_U8 || type == UTIL_ELEMENT_U16)
        f = positive ? f : NAME(limit)(f, 1.0f);
    else if (type < UTIL_ELEMENT_F16 && !bounded)
        f = NAME(clampf)(NAME(no_nan)(f), type == UTIL_ELEMENT_U32 ? 0.0f : -1.0f, 1.0f);
    else if (type == UTIL_ELEMENT_U32 && !positive)
        f = NAME(clampf)(f, 0.0f, 1.0f);
    switch (type) {
    case UTIL_ELEMENT_U8:
        return (NAME(vu))(f * 255.0f + 0x1p23f) & 0xff;
    case UTIL_ELEMENT_U16:
        return NAME(round_scaled)(f, 65535.0f);
    case UTIL_ELEMENT_U32:
        return NAME(round_product)(f, 4294967295.0);
    case UTIL_ELEMENT_S8:
        return NAME(round_scaled)(f, 127.0f) & 0xff;
    case UTIL_ELEMENT_S16:
        return NAME(round_scaled)(f, 32767.0f) & 0xffff;
    case UTIL_ELEMENT_S32:
        return NAME(round_product)(f, 2147483647.0);
    case UTIL_ELEMENT_F16:
        return NAME(float_to_half)((NAME(vu))f);
    default:
        return (NAME(vu))f;
    }
}

/* Loads LANES elements and returns them converted to another type, in the low bits of words. */
INLINE NAME(vu) NAME(convert_vector)(enum util_element to, enum util_element from,
                                     const uint8_t *src, bool add_zero, bool clamp)
{
    NAME(vf) f = NAME(load_elements)(from, src);
    if (add_zero)
        f = f + 0.0f;
    if (clamp)
        f = NAME(clampf)(f, 0.0f, 1.0f);
    return NAME(encode_elements)(to, from, f);
}

/* Stores four vectors of words as bytes, or two as 16-bit words. This takes fewer instructions than
 * storing one vector at a time. */
#if LANES == 8
INLINE void NAME(put_packed)(uint8_t *p, unsigned bytes, const NAME(vu) v[4])
{
    __m256i packed = _mm256_packus_epi32((__m256i)v[0], (__m256i)v[1]);
    if (bytes == 2) {
        packed = _mm256_permute4x64_epi64(packed, 0xd8);
    } else {
        packed = _mm256_packus_epi16(packed, _mm256_packus_epi32((__m256i)v[2], (__m256i)v[3]));
        packed = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    }
    _mm256_storeu_si256((__m256i *)p, packed);
}
#endif

/* Implements convert_elements for types that are constants after inlining. */
INLINE void NAME(elements_loop)(enum util_element to, uint8_t *dst, enum util_element from,
                                const uint8_t *src, bool add_zero, bool clamp, size_t n)
{
    const unsigned to_bytes = util_element_bytes(to), from_bytes = util_element_bytes(from);
    size_t i = 0;
#if LANES == 8
    const unsigned vectors = 4 / to_bytes;
    NAME(vu) v[4];
    for (; to_bytes < 4 && i + vectors * LANES <= n; i += vectors * LANES) {
        for (unsigned k = 0; k < vectors; k++)
            v[k] =
                NAME(convert_vector)(to, from, src + (i + k * LANES) * from_bytes, add_zero, clamp);
        NAME(put_packed)(dst + i * to_bytes, to_bytes, v);
    }
#endif
    for (; i < n; i += LANES)
        NAME(store_texels)(dst + i * to_bytes, to_bytes,
                           NAME(convert_vector)(to, from, src + i * from_bytes, add_zero, clamp));
}

/* Implements util_convert_elements() for n that is a multiple of 16. Does nothing if both are the
 * same unsigned type: callers move the bytes instead. */
FUNCTION void NAME(convert_elements)(enum util_element to, uint8_t *dst, enum util_element from,
                                     const uint8_t *src, bool add_zero, bool clamp, size_t n)
{
#define CASE(d, s)                                                                                 \
    case UTIL_ELEMENT_##d *UTIL_ELEMENTS + UTIL_ELEMENT_##s:                                       \
        if (UTIL_ELEMENT_##d != UTIL_ELEMENT_##s || UTIL_ELEMENT_##d >= UTIL_ELEMENT_S8)           \
            NAME(elements_loop)(UTIL_ELEMENT_##d, dst, UTIL_ELEMENT_##s, src, add_zero, clamp, n); \
        break;
#define CASES(d)                                                                                   \
    CASE(d, U8)                                                                                    \
    CASE(d, U16) CASE(d, U32) CASE(d, S8) CASE(d, S16) CASE(d, S32) CASE(d, F16) CASE(d, F32)
    switch (to * UTIL_ELEMENTS + from) {
        CASES(U8)
        CASES(U16)
        CASES(U32)
        CASES(S8)
        CASES(S16)
        CASES(S32)
        CASES(F16)
        CASES(F32)
    }
#undef CASE
#undef CASES
}

#if LANES > 4
/* Loads LANES / 4 texels of 1, 2 or 4 bytes. Each is repeated in four lanes. */
INLINE NAME(vu) NAME(repeat_texels)(const uint8_t *src, unsigned bytes)
{
#if LANES == 16
    const __m512i at = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m128i texels = bytes == 4   ? _mm_loadu_si128((const __m128i *)src)
                           : bytes == 2 ? _mm_cvtepu16_epi32(_mm_loadu_si64(src))
                                        : _mm_cvtepu8_epi32(_mm_loadu_si32(src));
    return (NAME(vu))_mm512_permutexvar_epi32(at, _mm512_castsi128_si512(texels));
#else
    const __m256i at = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    const __m128i texels = bytes == 4   ? _mm_loadu_si64(src)
                           : bytes == 2 ? _mm_cvtepu16_epi32(_mm_loadu_si32(src))
                                        : _mm_cvtepu8_epi32(_mm_loadu_si16(src));
    return (NAME(vu))_mm256_permutevar8x32_epi32(_mm256_castsi128_si256(texels), at);
#endif
}

/* Implements `spread` for a texel size and an element type that are constants after inlining. */
INLINE void NAME(spread_loop)(const struct util_spread *s, uint8_t *dst, const uint8_t *src,
                              unsigned src_bytes, bool floats, size_t n)
{
    const NAME(vu) shift = V(const NAME(words), s->shift), mask = V(const NAME(words), s->mask);
    const NAME(vu) constant = V(const NAME(words), s->constant);
    const NAME(vf) high = V(const NAME(floats), s->high), low = V(const NAME(floats), s->low);
    for (size_t i = 0; i < n; i += LANES / 4) {
        NAME(vu) v = NAME(repeat_texels)(src + i * src_bytes, src_bytes) >> shift & mask;
        const NAME(vf) f = __builtin_convertvector((NAME(vi))v, NAME(vf));
        if (floats)
            v = (NAME(vu))(f * high + f * low); /* as in decode_unorm */
        V(NAME(words), dst + i * 16) = v | constant;
    }
}

/* Implements util_spread_row() for n that is a multiple of 4. */
FUNCTION void NAME(spread)(const struct util_spread *s, uint8_t *dst, const uint8_t *src,
                           unsigned src_bytes, size_t n)
{
#define CASE(bytes, floats)                                                                        \
    if (src_bytes == bytes && s->is_float == floats)                                               \
    NAME(spread_loop)(s, dst, src, bytes, floats, n)
    CASE(1, false);
    CASE(1, true);
    CASE(2, false);
    CASE(2, true);
    CASE(4, false);
    CASE(4, true);
#undef CASE
}
#endif

#undef FUNCTION
#undef INLINE
#undef V
#undef EACH
#undef WORD
#undef PUT
#undef EVEN
#undef ODD
#undef EVEN_2
#undef ODD_2
#undef EVEN_4
#undef ODD_4
#undef LOW
#undef HIGH
