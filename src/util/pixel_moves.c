/* SPDX-License-Identifier: MIT */
#include "util/pixel_moves.h"

#include <string.h>

#include "util/cpu_isa.h"
#include "util/macros.h"
#include "util/simd.h"

#define NO_BYTE UTIL_MOVES_NO_BYTE

/* Returns whether all channels of the format have the same type and a size of whole bytes; stores
 * that type in *kind. */
static bool is_byte_array(const struct drv_format_desc *d, struct drv_format_channel *kind)
{
    bool found = false;
    if (d->layout != DRV_LAYOUT_PLAIN || d->colorspace != DRV_COLORSPACE_RGB)
        return false;
    for (unsigned i = 0; i < d->nr_channels; i++) {
        const struct drv_format_channel *c = &d->channel[i];
        if (c->bits % 8 || c->shift != i * c->bits || c->bits != d->channel[0].bits)
            return false;
        if (c->type == DRV_CHANNEL_VOID)
            continue;
        if (found && (c->type != kind->type || c->normalized != kind->normalized ||
                      c->pure_integer != kind->pure_integer))
            return false;
        *kind = *c;
        found = true;
    }
    return found && d->block_bytes * 8 == d->nr_channels * kind->bits;
}

/* Returns the bits of the value 1 in a channel. */
static uint64_t one_of(const struct drv_format_channel *kind)
{
    if (kind->type == DRV_CHANNEL_FLOAT)
        return kind->bits == 16 ? 0x3c00 : kind->bits == 32 ? 0x3f800000 : 0x3ff0000000000000;
    if (!kind->normalized)
        return kind->type == DRV_CHANNEL_FIXED ? 0x10000 : 1;
    return (1ull << (kind->bits - (kind->type == DRV_CHANNEL_SIGNED))) - 1;
}

/* Returns the index of the component that a channel holds, or 4 if it is padding. */
static unsigned component_of(const struct drv_format_desc *d, unsigned channel)
{
    for (unsigned c = 0; c < 4; c++)
        if (d->swizzle[c] == channel)
            return c;
    return 4;
}

static bool is_same(const struct drv_format_desc *d, const uint8_t swizzle[4])
{
    for (unsigned i = 0; i < d->nr_channels; i++) {
        unsigned c = component_of(d, i);
        if (c < 4 && (swizzle[c] > DRV_SWIZZLE_W || d->swizzle[swizzle[c]] != i))
            return false;
    }
    return true;
}

/* How a channel is made from another one. */
enum move {
    MOVE_NONE,   /* not by moving bytes */
    MOVE_BYTES,  /* the same bytes */
    MOVE_REPEAT, /* the source's only byte, repeated: v * 257 */
    MOVE_EXTEND, /* the source's bytes, followed by zeros */
};

static enum move find_move(const struct drv_format_channel *to,
                           const struct drv_format_channel *from)
{
    if (to->normalized != from->normalized || to->pure_integer != from->pure_integer)
        return MOVE_NONE;
    if (to->type == from->type && to->bits == from->bits)
        return MOVE_BYTES;
    if (from->type != DRV_CHANNEL_UNSIGNED || to->bits < from->bits)
        return MOVE_NONE;
    if (to->pure_integer)
        return to->bits > from->bits ? MOVE_EXTEND : MOVE_NONE;
    return to->type == from->type && to->normalized && to->bits == 16 && from->bits == 8
               ? MOVE_REPEAT
               : MOVE_NONE;
}

void util_pixel_moves_clear(struct util_pixel_moves *m, unsigned dst_bytes, unsigned src_bytes)
{
    m->dst_bytes = dst_bytes;
    m->src_bytes = src_bytes;
    m->same = false;
    memset(m->from, NO_BYTE, sizeof m->from);
    memset(m->fill, 0, sizeof m->fill);
}

bool util_pixel_moves_init(struct util_pixel_moves *m, enum drv_format dst, enum drv_format src,
                           const uint8_t swizzle[4])
{
    const struct drv_format_desc *d = drv_format_desc(dst), *s = drv_format_desc(src);
    struct drv_format_channel to, from;
    util_pixel_moves_clear(m, d->block_bytes, s->block_bytes);
    if (dst == src && d->layout != DRV_LAYOUT_COMPRESSED && d->colorspace != DRV_COLORSPACE_ZS &&
        is_same(d, swizzle)) {
        m->same = true;
        for (unsigned i = 0; i < ARRAY_SIZE(m->from); i++)
            m->from[i] = i;
        return true;
    }
    if (!is_byte_array(d, &to) || !is_byte_array(s, &from) || to.bits > 64 || d->block_bytes > 16 ||
        s->block_bytes > 16)
        return false;
    const enum move move = find_move(&to, &from);
    if (move == MOVE_NONE)
        return false;
    const unsigned bytes = to.bits / 8, from_bytes = from.bits / 8;
    const uint64_t one = one_of(&to);
    m->same = d->block_bytes == s->block_bytes;
    for (unsigned i = 0; i < d->nr_channels; i++) {
        unsigned c = component_of(d, i);
        unsigned take = c < 4 ? swizzle[c] : DRV_SWIZZLE_1; /* padding */
        if (take <= DRV_SWIZZLE_W)
            take = s->swizzle[take];
        for (unsigned b = 0; b < bytes; b++) {
            const unsigned at = i * bytes + b, byte = move == MOVE_REPEAT ? 0 : b;
            const bool moved = take <= DRV_SWIZZLE_W && byte < from_bytes;
            m->from[at] = moved ? take * from_bytes + byte : NO_BYTE;
            m->fill[at] = take == DRV_SWIZZLE_1 ? one >> 8 * b : 0;
            m->same &= c == 4 || m->from[at] == at;
        }
    }
    return true;
}

bool util_pixel_moves_swap(struct util_pixel_moves *m, unsigned dst_unit, unsigned src_unit)
{
    uint8_t from[16], fill[16];
    const unsigned dst_flip = dst_unit ? dst_unit - 1 : 0, src_flip = src_unit ? src_unit - 1 : 0;
    if (m->dst_bytes > ARRAY_SIZE(m->from))
        return false;
    memcpy(from, m->from, sizeof from);
    memcpy(fill, m->fill, sizeof fill);
    m->same = m->dst_bytes == m->src_bytes;
    for (unsigned i = 0; i < m->dst_bytes; i++) {
        m->from[i] = from[i ^ dst_flip];
        m->fill[i] = fill[i ^ dst_flip];
        if (m->from[i] != NO_BYTE)
            m->from[i] ^= src_flip;
        m->same &= m->from[i] == i;
    }
    return true;
}

static void move_bytes(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, dst += m->dst_bytes, src += m->src_bytes)
        for (unsigned b = 0; b < m->dst_bytes; b++)
            dst[b] = m->from[b] == NO_BYTE ? m->fill[b] : src[m->from[b]];
}

#if defined(__x86_64__)
#define HAS_VECTORS (util_cpu_isa() >= UTIL_ISA_SSE41)
typedef __m128i bytes16;

static inline bytes16 load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

static inline void store(uint8_t *p, bytes16 v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

/* Returns the bytes with these indices, or 0 where the index is NO_BYTE, combined with ones. */
__attribute__((target("ssse3"))) static inline bytes16 choose(bytes16 v, bytes16 indices,
                                                              bytes16 ones)
{
    return _mm_or_si128(_mm_shuffle_epi8(v, indices), ones);
}

#elif defined(__aarch64__)
#define HAS_VECTORS true
typedef uint8x16_t bytes16;

static inline bytes16 load(const uint8_t *p)
{
    return vld1q_u8(p);
}

static inline void store(uint8_t *p, bytes16 v)
{
    vst1q_u8(p, v);
}

static inline bytes16 choose(bytes16 v, bytes16 indices, bytes16 ones)
{
    return vorrq_u8(vqtbl1q_u8(v, indices), ones);
}
#endif

/* ------------------------------------------------------------------------------------ steps --- */

/* Finds the windows of a unit. Each starts at the first source byte that no previous window
 * contains. Returns the number of windows, or UTIL_MOVES_WINDOWS + 1 if there are too many. */
static unsigned find_windows(struct util_move_step *step, unsigned unit, const uint16_t *source)
{
    const unsigned bytes = step->unit_bytes;
    unsigned windows = 0;
    for (unsigned begin = 0, next; begin != UINT16_MAX; begin = next) {
        uint16_t first = UINT16_MAX;
        for (unsigned i = 0; i < bytes; i++)
            if (source[i] >= begin && source[i] < first)
                first = source[i];
        if (first == UINT16_MAX)
            break;
        if (windows == UTIL_MOVES_WINDOWS)
            return windows + 1;
        uint8_t *from = step->from + (windows * step->units + unit) * bytes;
        for (unsigned i = 0; i < bytes; i++)
            if (source[i] >= first && source[i] < first + bytes && source[i] != UINT16_MAX)
                from[i] = (uint8_t)(source[i] - first);
        step->offset[windows * step->units + unit] = first;
        step->extent = MAX2(step->extent, first + bytes);
        windows++;
        next = first + bytes;
    }
    return windows;
}

/* Prepares a step with units of unit_bytes. A unit of 64 bytes is a whole vector. Two units of 16
 * bytes form one vector if the CPU has vectors of 32 bytes. */
static void prepare_step(const struct util_pixel_moves *m, struct util_move_step *step,
                         unsigned unit_bytes)
{
    const unsigned pairs = unit_bytes == 16 ? 2 : 1;
    uint16_t source[UTIL_MOVES_BYTES]; /* of each byte stored; UINT16_MAX: constant */
    step->unit_bytes = unit_bytes;
    step->units = util_is_power_of_two(m->dst_bytes) ? pairs : 3 * pairs;
    const unsigned bytes = step->units * unit_bytes;
    if (bytes % m->dst_bytes) {
        step->units = 0;
        return;
    }
    step->texels = bytes / m->dst_bytes;
    for (unsigned t = 0, at = 0; t < step->texels; t++)
        for (unsigned b = 0; b < m->dst_bytes; b++, at++) {
            source[at] = m->from[b] == NO_BYTE ? UINT16_MAX : t * m->src_bytes + m->from[b];
            step->fill[at] = m->fill[b];
        }
    memset(step->from, NO_BYTE, sizeof step->from);
    memset(step->offset, 0, sizeof step->offset);
    step->windows = 1;
    step->extent = unit_bytes;
    for (unsigned u = 0; u < step->units; u++) {
        const unsigned windows = find_windows(step, u, source + u * unit_bytes);
        if (windows > UTIL_MOVES_WINDOWS) {
            step->units = 0;
            return;
        }
        step->windows = MAX2(step->windows, windows);
    }
    /* move_few() takes fewer instructions for these */
    if (unit_bytes == 16 && step->units > 2 && step->windows > 1)
        step->units = 0;
    step->adjacent = step->windows == 1 && pairs == 2;
    for (unsigned u = 0; u < step->units; u += 2)
        step->adjacent = step->adjacent && step->offset[u + 1] == step->offset[u] + 16;
}

void util_pixel_moves_prepare(struct util_pixel_moves *m)
{
    const unsigned s = m->src_bytes, d = m->dst_bytes;
    if (m->same)
        return;
    memset(m->few_from, NO_BYTE, sizeof m->few_from);
    memset(m->few_fill, 0, sizeof m->few_fill);
    for (unsigned t = 0; t < 16 / MAX2(s, d); t++)
        for (unsigned b = 0; b < d; b++) {
            m->few_from[t * d + b] = m->from[b] == NO_BYTE ? NO_BYTE : t * s + m->from[b];
            m->few_fill[t * d + b] = m->fill[b];
        }
#ifdef __x86_64__
    prepare_step(m, &m->step, simd_lanes() == 16 && util_cpu_has_vbmi() ? 64 : 16);
#else
    prepare_step(m, &m->step, 16);
#endif
}

#ifdef HAS_VECTORS
#ifdef __x86_64__
#define SHUFFLES __attribute__((target("ssse3")))
#else
#define SHUFFLES
#endif
#define INLINE inline __attribute__((always_inline))

/* Converts as many texels at a time as 16 bytes hold in both formats. Returns the number of texels
 * converted. A store may write past its texels, where the next store writes, but not past the
 * row. */
SHUFFLES static uint32_t move_few(const struct util_pixel_moves *m, uint8_t *dst,
                                  const uint8_t *src, uint32_t count)
{
    const unsigned s = m->src_bytes, d = m->dst_bytes, n = 16 / MAX2(s, d);
    /* stop where 16 bytes would exceed one of the rows */
    const size_t row_s = (size_t)count * s, row_d = (size_t)count * d;
    if (row_s < 16 || row_d < 16 || n == 0)
        return 0;
    const bytes16 indices = load(m->few_from), ones = load(m->few_fill);
    const size_t steps = MIN2((row_s - 16) / (n * s), (row_d - 16) / (n * d)) + 1;
    for (size_t i = 0; i < steps; i++, src += n * s, dst += n * d)
        store(dst, choose(load(src), indices, ones));
    return (uint32_t)(steps * n);
}

/* Returns the number of steps that don't read past the end of the row. */
static uint32_t count_steps(const struct util_pixel_moves *m, uint32_t count)
{
    const struct util_move_step *s = &m->step;
    const size_t row = (size_t)count * m->src_bytes, bytes = (size_t)s->texels * m->src_bytes;
    if (row < s->extent)
        return 0;
    return (uint32_t)MIN2((row - s->extent) / bytes + 1, count / s->texels);
}

/* Runs steps with 16-byte vectors. */
SHUFFLES static INLINE void run_steps(const struct util_pixel_moves *m, uint8_t *dst,
                                      const uint8_t *src, uint32_t steps, unsigned units,
                                      unsigned windows)
{
    const struct util_move_step *s = &m->step;
    const size_t advance = (size_t)s->texels * m->src_bytes;
    bytes16 index[UTIL_MOVES_UNITS * UTIL_MOVES_WINDOWS], fill[UTIL_MOVES_UNITS];
    for (unsigned i = 0; i < units * windows; i++)
        index[i] = load(s->from + 16 * i);
    for (unsigned i = 0; i < units; i++)
        fill[i] = load(s->fill + 16 * i);
    for (; steps; steps--, src += advance, dst += 16 * units)
        for (unsigned u = 0; u < units; u++) {
            bytes16 v = fill[u];
            for (unsigned w = 0; w < windows; w++)
                v = choose(load(src + s->offset[w * units + u]), index[w * units + u], v);
            store(dst + 16 * u, v);
        }
}

SHUFFLES static void move_16(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                             uint32_t steps)
{
    const struct util_move_step *s = &m->step;
    if (s->units == 2 && s->windows == 1)
        run_steps(m, dst, src, steps, 2, 1);
    else if (s->units == 2)
        run_steps(m, dst, src, steps, 2, s->windows);
    else if (s->windows == 1)
        run_steps(m, dst, src, steps, 6, 1);
    else
        run_steps(m, dst, src, steps, 6, s->windows);
}
#endif

#ifdef __x86_64__
SIMD_TARGET_8 static INLINE __m256i load_pair(const uint8_t *low, const uint8_t *high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load(low)), load(high), 1);
}

/* Runs steps with 32-byte vectors, of two units each. */
SIMD_TARGET_8 static INLINE void run_steps_32(const struct util_pixel_moves *m, uint8_t *dst,
                                              const uint8_t *src, uint32_t steps, unsigned vectors,
                                              unsigned windows, bool adjacent)
{
    const struct util_move_step *s = &m->step;
    const size_t advance = (size_t)s->texels * m->src_bytes;
    __m256i index[UTIL_MOVES_UNITS / 2 * UTIL_MOVES_WINDOWS], fill[UTIL_MOVES_UNITS / 2];
    for (unsigned i = 0; i < vectors * windows; i++)
        index[i] = _mm256_loadu_si256((const __m256i *)(s->from + 32 * i));
    for (unsigned i = 0; i < vectors; i++)
        fill[i] = _mm256_loadu_si256((const __m256i *)(s->fill + 32 * i));
    for (; steps; steps--, src += advance, dst += 32 * vectors)
        for (unsigned k = 0; k < vectors; k++) {
            __m256i v = fill[k];
            for (unsigned w = 0; w < windows; w++) {
                const uint16_t *offset = s->offset + (w * vectors + k) * 2;
                const __m256i from = adjacent
                                         ? _mm256_loadu_si256((const __m256i *)(src + offset[0]))
                                         : load_pair(src + offset[0], src + offset[1]);
                v = _mm256_or_si256(v, _mm256_shuffle_epi8(from, index[w * vectors + k]));
            }
            _mm256_storeu_si256((__m256i *)(dst + 32 * k), v);
        }
}

SIMD_TARGET_8 static void move_32(const struct util_pixel_moves *m, uint8_t *dst,
                                  const uint8_t *src, uint32_t steps)
{
    const struct util_move_step *s = &m->step;
    if (s->units == 2 && s->adjacent)
        run_steps_32(m, dst, src, steps, 1, 1, true);
    else if (s->units == 2 && s->windows == 1)
        run_steps_32(m, dst, src, steps, 1, 1, false);
    else if (s->units == 2)
        run_steps_32(m, dst, src, steps, 1, s->windows, false);
    else if (s->windows == 1)
        run_steps_32(m, dst, src, steps, 3, 1, false);
    else
        run_steps_32(m, dst, src, steps, 3, s->windows, false);
}

#define TARGET_VBMI __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx512vbmi")))

/* Returns a mask of the first `bytes` bytes of a vector. */
static inline uint64_t first_bytes(ptrdiff_t bytes)
{
    return bytes <= 0 ? 0 : bytes >= 64 ? ~0ull : (1ull << bytes) - 1;
}

/* Runs steps with 64-byte vectors, and then converts the remaining texels. */
TARGET_VBMI static INLINE void run_steps_64(const struct util_pixel_moves *m, uint8_t *dst,
                                            const uint8_t *src, uint32_t count, unsigned units,
                                            unsigned windows)
{
    const struct util_move_step *s = &m->step;
    const size_t advance = (size_t)s->texels * m->src_bytes;
    __m512i index[3 * UTIL_MOVES_WINDOWS], fill[3];
    uint64_t used[3 * UTIL_MOVES_WINDOWS];
    for (unsigned i = 0; i < units * windows; i++) {
        index[i] = _mm512_loadu_si512(s->from + 64 * i);
        used[i] = ~_mm512_movepi8_mask(index[i]); /* NO_BYTE has the highest bit set */
    }
    for (unsigned i = 0; i < units; i++)
        fill[i] = _mm512_loadu_si512(s->fill + 64 * i);
    for (uint32_t steps = count_steps(m, count); steps; steps--, src += advance) {
        for (unsigned u = 0; u < units; u++) {
            __m512i v = fill[u];
            for (unsigned i = u; i < units * windows; i += units)
                v = _mm512_mask_permutexvar_epi8(v, used[i], index[i],
                                                 _mm512_loadu_si512(src + s->offset[i]));
            _mm512_storeu_si512(dst + 64 * u, v);
        }
        dst += 64 * units;
        count -= s->texels;
    }
    ptrdiff_t left = (ptrdiff_t)count * m->dst_bytes, readable = (ptrdiff_t)count * m->src_bytes;
    for (; left > 0; left -= 64 * units, readable -= advance, src += advance, dst += 64 * units)
        for (unsigned u = 0; u < units; u++) {
            __m512i v = fill[u];
            for (unsigned i = u; i < units * windows; i += units) {
                const __m512i from = _mm512_maskz_loadu_epi8(first_bytes(readable - s->offset[i]),
                                                             src + s->offset[i]);
                v = _mm512_mask_permutexvar_epi8(v, used[i], index[i], from);
            }
            _mm512_mask_storeu_epi8(dst + 64 * u, first_bytes(left - 64 * (ptrdiff_t)u), v);
        }
}

TARGET_VBMI static void move_64(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                                uint32_t count)
{
    const struct util_move_step *s = &m->step;
    if (s->units == 1 && s->windows == 1)
        run_steps_64(m, dst, src, count, 1, 1);
    else if (s->units == 1)
        run_steps_64(m, dst, src, count, 1, s->windows);
    else if (s->windows == 1)
        run_steps_64(m, dst, src, count, 3, 1);
    else
        run_steps_64(m, dst, src, count, 3, s->windows);
}
#endif

void util_pixel_moves_row(const struct util_pixel_moves *m, uint8_t *dst, const uint8_t *src,
                          uint32_t count)
{
    uint32_t done = 0;
    if (m->same) {
        memcpy(dst, src, (size_t)count * m->dst_bytes);
        return;
    }
#ifdef __x86_64__
    if (m->step.units && m->step.unit_bytes == 64) {
        move_64(m, dst, src, count);
        return;
    }
#endif
#ifdef HAS_VECTORS
    if (m->step.units && HAS_VECTORS) {
        const uint32_t steps = count_steps(m, count);
#ifdef __x86_64__
        if (simd_lanes() >= 8)
            move_32(m, dst, src, steps);
        else
#endif
            move_16(m, dst, src, steps);
        done = steps * m->step.texels;
    }
    if (HAS_VECTORS)
        done += move_few(m, dst + (size_t)done * m->dst_bytes, src + (size_t)done * m->src_bytes,
                         count - done);
#endif
    move_bytes(m, dst + (size_t)done * m->dst_bytes, src + (size_t)done * m->src_bytes,
               count - done);
}

#ifdef __x86_64__
void util_stream_copy(void *dst, const void *src, size_t size)
{
    uint8_t *to = dst;
    const uint8_t *from = src;
    const size_t head = MIN2(-(uintptr_t)to & 63, size); /* stores of whole cache lines */
    memcpy(to, from, head);
    to += head;
    from += head;
    size -= head;
    for (; size >= 64; size -= 64, to += 64, from += 64) {
        const __m128i a = load(from), b = load(from + 16);
        const __m128i c = load(from + 32), d = load(from + 48);
        _mm_stream_si128((__m128i *)to, a);
        _mm_stream_si128((__m128i *)(to + 16), b);
        _mm_stream_si128((__m128i *)(to + 32), c);
        _mm_stream_si128((__m128i *)(to + 48), d);
    }
    memcpy(to, from, size);
}

void util_stream_end(void)
{
    _mm_sfence();
}
#else
void util_stream_copy(void *dst, const void *src, size_t size)
{
    memcpy(dst, src, size);
}

void util_stream_end(void)
{
}
#endif

#ifdef __x86_64__
/* Fills with texels whose size divides 16, by 64 bytes. Returns the number of bytes filled. */
SIMD_TARGET_8 static size_t fill_vectors(uint8_t *dst, size_t size, const uint8_t *texel,
                                         unsigned texel_bytes)
{
    uint8_t texels[16];
    size_t done;
    for (unsigned i = 0; i < 16; i++)
        texels[i] = texel[i % texel_bytes];
    const __m256i v = _mm256_broadcastsi128_si256(load(texels));
    for (done = 0; done + 64 <= size; done += 64) {
        _mm256_storeu_si256((__m256i *)(dst + done), v);
        _mm256_storeu_si256((__m256i *)(dst + done + 32), v);
    }
    return done;
}
#endif

#ifdef __x86_64__
/* Size in bytes of the smallest fill by a string instruction, which doesn't read the cache lines
 * that it stores, but takes long to start. */
#define STRING_FILL (1u << 20)

/* Fills `size` bytes, a multiple of 8, with texels whose size divides 8. */
static void fill_string(uint8_t *dst, size_t size, const uint8_t *texel, unsigned texel_bytes)
{
    uint8_t texels[8];
    uint64_t word;
    size_t words = size / 8;
    for (unsigned i = 0; i < 8; i++)
        texels[i] = texel[i % texel_bytes];
    memcpy(&word, texels, sizeof word);
    __asm__ volatile("rep stosq" : "+D"(dst), "+c"(words) : "a"(word) : "memory");
}
#endif

void util_fill_texels(void *dst, size_t size, const void *texel, unsigned texel_bytes)
{
    /* a source that stays in the cache, of whole cache lines, so that no copy straddles them */
    const size_t most = 4096 / (64 * texel_bytes) * (64 * texel_bytes);
    uint8_t *to = dst;
#ifdef __x86_64__
    if (size >= STRING_FILL && 8 % texel_bytes == 0) {
        const size_t filled = size & ~(size_t)7;
        fill_string(to, filled, texel, texel_bytes);
        to += filled;
        size -= filled;
    } else if (simd_lanes() >= 8 && 16 % texel_bytes == 0) {
        const size_t filled = fill_vectors(to, size, texel, texel_bytes);
        to += filled;
        size -= filled;
    }
#endif
    size_t done = MIN2(texel_bytes, size);
    memcpy(to, texel, done);
    for (size_t n; done < size; done += n) {
        n = MIN2(MIN2(done, most), size - done);
        memcpy(to + done, to, n);
    }
}
