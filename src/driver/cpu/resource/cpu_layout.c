/* SPDX-License-Identifier: MIT */
/*
 * Copies between tiled and linear texels. A row of a block is two pairs of texels in two quads, so
 * whole blocks are copied by pairs. Common texel sizes have separate loops with constant sizes.
 */
#include "driver/cpu/resource/cpu_layout.h"

#include "util/macros.h"
#include "util/pixel_moves.h"
#include "util/simd.h"

void cpu_layout_init(struct cpu_level_layout *l, uint32_t width, uint32_t height, uint32_t layers,
                     uint32_t samples, uint32_t texel_bytes, uint64_t *offset)
{
    *l = (struct cpu_level_layout){
        .offset = *offset,
        .width = width,
        .height = height,
        .layers = layers,
        .samples = samples,
        .tile_w = MIN2(16u, DIV_ROUND_UP(width, 4)),
        .tiles_x = DIV_ROUND_UP(width, 64),
        .tiles_y = DIV_ROUND_UP(height, 64),
    };
    uint64_t tiles = (uint64_t)l->tiles_x * l->tiles_y;
    uint64_t last_rows = height < 64 ? DIV_ROUND_UP(height, 4) : 16;
    uint64_t blocks = (tiles - 1) * 16 * l->tile_w + last_rows * l->tile_w;
    l->sample_stride = ALIGN_POT(blocks * 16 * texel_bytes, 64);
    l->layer_stride = l->sample_stride * samples;
    *offset += l->layer_stride * layers;
}

#define INLINE static inline __attribute__((always_inline))

INLINE void block_to_linear(const uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t n)
{
    for (unsigned y = 0; y < 4; y++) {
        const uint8_t *pair = block + ((y >> 1) * 8 + (y & 1) * 2) * n;
        memcpy(linear, pair, 2 * n);
        memcpy(linear + 2 * n, pair + 4 * n, 2 * n);
        linear += stride;
    }
}

INLINE void block_from_linear(uint8_t *block, const uint8_t *linear, ptrdiff_t stride, uint32_t n)
{
    for (unsigned y = 0; y < 4; y++) {
        uint8_t *pair = block + ((y >> 1) * 8 + (y & 1) * 2) * n;
        memcpy(pair, linear, 2 * n);
        memcpy(pair + 4 * n, linear + 2 * n, 2 * n);
        linear += stride;
    }
}

/* A quad of 32-bit texels is 16 bytes: two rows of a pair of texels. */
typedef uint64_t v2u64 __attribute__((vector_size(16)));

static v2u64 load(const uint8_t *p)
{
    v2u64 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void store(uint8_t *p, v2u64 v)
{
    memcpy(p, &v, sizeof v);
}

static void block4_to_linear(const uint8_t *block, uint8_t *linear, ptrdiff_t stride)
{
    for (unsigned half = 0; half < 2; half++, block += 32, linear += 2 * stride) {
        v2u64 left = load(block), right = load(block + 16);
        store(linear, (v2u64){left[0], right[0]});
        store(linear + stride, (v2u64){left[1], right[1]});
    }
}

static void block4_from_linear(uint8_t *block, const uint8_t *linear, ptrdiff_t stride)
{
    for (unsigned half = 0; half < 2; half++, block += 32, linear += 2 * stride) {
        v2u64 row0 = load(linear), row1 = load(linear + stride);
        store(block, (v2u64){row0[0], row1[0]});
        store(block + 16, (v2u64){row0[1], row1[1]});
    }
}

/* Texels of 1 or 2 bytes: adjacent blocks cover 16 bytes of each linear row. These functions copy
 * as many blocks as fill such rows, and return their number. */
typedef uint32_t v4u32 __attribute__((vector_size(16)));
typedef uint16_t v8u16 __attribute__((vector_size(16)));

static v4u32 load_words(const uint8_t *p)
{
    v4u32 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static void store_words(uint8_t *p, v4u32 v)
{
    memcpy(p, &v, sizeof v);
}

/* Swaps the middle pairs of each half: between the order of a block and its rows, if texels are
 * bytes. */
static v4u32 order_bytes(v4u32 v)
{
    return (v4u32)__builtin_shufflevector((v8u16)v, (v8u16)v, 0, 2, 1, 3, 4, 6, 5, 7);
}

static void transpose(v4u32 m[4])
{
    v4u32 a = __builtin_shufflevector(m[0], m[1], 0, 4, 1, 5);
    v4u32 b = __builtin_shufflevector(m[2], m[3], 0, 4, 1, 5);
    v4u32 c = __builtin_shufflevector(m[0], m[1], 2, 6, 3, 7);
    v4u32 d = __builtin_shufflevector(m[2], m[3], 2, 6, 3, 7);
    m[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
    m[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
    m[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

static uint32_t run_bytes(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                          bool read)
{
    v4u32 m[4];
    for (uint32_t i = 0; i + 4 <= count; i += 4, block += 64, linear += 16) {
        for (unsigned k = 0; k < 4; k++)
            m[k] = read ? order_bytes(load_words(block + 16 * k)) : load_words(linear + k * stride);
        transpose(m);
        for (unsigned k = 0; k < 4; k++)
            if (read)
                store_words(linear + k * stride, m[k]);
            else
                store_words(block + 16 * k, order_bytes(m[k]));
    }
    return count & ~3u;
}

/* Distance in bytes from a block to the block below it in a tile, for texels of n bytes. Code that
 * reads blocks prefetches the ones below, which are read next, because CPUs don't prefetch data
 * that is read in such pieces. */
#define NEXT_ROW(n) (16 * 16 * (n))
#define CACHE_LINE  64

/* How rows and tiles are accessed: reads from tiles, reads that also prefetch the blocks below, reads
 * with stores that bypass the caches, writes to tiles, and writes with such stores. */
enum access {
    READ,
    FETCH,
    READ_STREAM,
    WRITE,
    STREAM,
    ACCESSES,
};

static inline bool is_read(enum access access)
{
    return access <= READ_STREAM;
}

static uint32_t run_shorts(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count,
                           bool read)
{
    for (uint32_t i = 0; i + 2 <= count; i += 2, block += 64, linear += 16)
        for (unsigned half = 0; half < 2; half++) {
            uint8_t *left = block + 16 * half, *row = linear + 2 * half * stride;
            v4u32 a = load_words(read ? left : row);
            v4u32 b = load_words(read ? left + 32 : row + stride);
            if (read) {
                __builtin_prefetch(block + NEXT_ROW(2));
                store_words(row, __builtin_shufflevector(a, b, 0, 2, 4, 6));
                store_words(row + stride, __builtin_shufflevector(a, b, 1, 3, 5, 7));
            } else {
                store_words(left, __builtin_shufflevector(a, b, 0, 4, 1, 5));
                store_words(left + 32, __builtin_shufflevector(a, b, 2, 6, 3, 7));
            }
        }
    return count & ~1u;
}

/* Adjacent blocks in rows of blocks of one or more tiles, and the same texels in linear memory. */
struct strip {
    uint8_t *block, *linear; /* the first block and its first texel */
    ptrdiff_t stride;        /* bytes between rows of texels in linear memory */
    size_t row_bytes;        /* bytes between rows of blocks in a tile */
    uint32_t count;          /* blocks of each row of blocks in a tile */
    uint32_t tiles;          /* if more than 1: adjacent tiles, with `count` blocks each */
    uint32_t rows;           /* rows of blocks */
    const struct cpu_layout_moves *moves; /* of functions that move bytes */
};

typedef uint32_t strip_function(const struct strip *s);

/* Vector code for one size of texels. The functions copy the leftmost blocks in each tile and
 * return how many. Blocks are aligned to cache lines for STREAM. NULL: there is no such function. */
struct strip_functions {
    strip_function *copy[ACCESSES];
    strip_function *move[ACCESSES]; /* also move bytes */
};

#define SIMD_FILE          "driver/cpu/resource/cpu_layout_lanes.h"
#define SIMD_LANES_DIVISOR 1
#include "util/simd_each.h"

/* Returns the functions for texels of n bytes; NULL if there are none. */
static const struct strip_functions *find_functions(uint32_t n)
{
#ifdef __x86_64__
    if (n > 16 || (n & (n - 1)))
        return NULL;
    const unsigned index = __builtin_ctz(n);
    return simd_lanes() == 16  ? &strip_functions_16[index]
           : simd_lanes() == 8 ? &strip_functions_8[index]
                               : NULL;
#else
    return NULL;
#endif
}

/* Copies `count` adjacent blocks. */
INLINE void run_n(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count, bool read,
                  uint32_t n)
{
    uint32_t done = 0;
    if (n <= 2) {
        done = n == 1 ? run_bytes(block, linear, stride, count, read)
                      : run_shorts(block, linear, stride, count, read);
        block += 16 * n * done;
        linear += 4 * n * done;
    }
    for (uint32_t i = done; i < count; i++) {
        for (uint32_t k = 0; read && k < 16 * n; k += CACHE_LINE)
            __builtin_prefetch(block + NEXT_ROW(n) + k);
        if (n == 4 && read)
            block4_to_linear(block, linear, stride);
        else if (n == 4)
            block4_from_linear(block, linear, stride);
        else if (read)
            block_to_linear(block, linear, stride, n);
        else
            block_from_linear(block, linear, stride, n);
        block += 16 * n;
        linear += 4 * n;
    }
}

INLINE void run(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t count, bool read,
                uint32_t n)
{
    switch (n) {
    case 1:
        run_n(block, linear, stride, count, read, 1);
        break;
    case 2:
        run_n(block, linear, stride, count, read, 2);
        break;
    case 3:
        run_n(block, linear, stride, count, read, 3);
        break;
    case 4:
        run_n(block, linear, stride, count, read, 4);
        break;
    case 6:
        run_n(block, linear, stride, count, read, 6);
        break;
    case 8:
        run_n(block, linear, stride, count, read, 8);
        break;
    case 12:
        run_n(block, linear, stride, count, read, 12);
        break;
    case 16:
        run_n(block, linear, stride, count, read, 16);
        break;
    default:
        run_n(block, linear, stride, count, read, n);
    }
}

INLINE void partial_n(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t x0, uint32_t x1,
                      uint32_t y0, uint32_t y1, bool read, uint32_t n)
{
    for (uint32_t y = y0; y < y1; y++, linear += stride) {
        for (uint32_t x = x0; x < x1; x++) {
            uint8_t *texel = block + cpu_layout_texel_index(x, y) * n;
            uint8_t *l = linear + (x - x0) * n;
            if (read)
                memcpy(l, texel, n);
            else
                memcpy(texel, l, n);
        }
    }
}

/* Copies texels [x0, x1) × [y0, y1) of one block, in coordinates of the block. */
INLINE void partial(uint8_t *block, uint8_t *linear, ptrdiff_t stride, uint32_t x0, uint32_t x1,
                    uint32_t y0, uint32_t y1, bool read, uint32_t n)
{
    switch (n) {
    case 1:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 1);
        break;
    case 2:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 2);
        break;
    case 4:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 4);
        break;
    case 8:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 8);
        break;
    case 16:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, 16);
        break;
    default:
        partial_n(block, linear, stride, x0, x1, y0, y1, read, n);
    }
}

/* Bytes of a row of blocks in a tile, with the largest texels. */
#define STREAM_BUFFER (16 * 16 * 16)

/* Returns the function for the access to the strip, or NULL. Reads of rows that are not aligned don't
 * bypass the caches. */
static strip_function *find_function(strip_function *const functions[ACCESSES],
                                     const struct strip *s, enum access access)
{
    if (access == STREAM && (uintptr_t)s->block % CACHE_LINE)
        return NULL;
    if (access == READ_STREAM && (!functions[access] || ((uintptr_t)s->linear | s->stride) % 16))
        return functions[READ];
    return functions[access];
}

/* Copies whole blocks. f: the functions for texels of n bytes, or NULL. */
static void copy_strip(const struct strip_functions *f, const struct strip *s, uint32_t n,
                       enum access access)
{
    uint8_t buffer[STREAM_BUFFER] __attribute__((aligned(64)));
    const bool read = is_read(access), stream = access == STREAM;
    strip_function *function = f ? find_function(f->copy, s, access) : NULL;
    const uint32_t done = function ? function(s) : 0;
    const uint32_t rest = s->count - done;
    const size_t bytes = (size_t)rest * 16 * n;
    for (uint32_t i = 0; rest && i < s->rows * s->tiles; i++) {
        const uint32_t row = i / s->tiles, tile = i % s->tiles;
        uint8_t *block = s->block + row * s->row_bytes + (size_t)tile * CPU_TILE * CPU_TILE * n +
                         (size_t)done * 16 * n;
        uint8_t *linear = s->linear + (ptrdiff_t)(4 * row) * s->stride +
                          (size_t)tile * CPU_TILE * n + (size_t)done * 4 * n;
        run(stream ? buffer : block, linear, s->stride, rest, read, n);
        if (stream)
            util_stream_copy(block, buffer, bytes);
    }
}

/* Copies the part of a row of blocks whose rows of texels, [y0, y1) in coordinates of the block,
 * are not all copied. */
static void copy_partial_row(const struct cpu_level_layout *l, uint8_t *layer, uint32_t n,
                             uint32_t x, uint32_t end_x, uint32_t by, uint32_t y0, uint32_t y1,
                             uint8_t *linear, ptrdiff_t stride, bool read)
{
    for (uint32_t bx = x & ~3u; bx < end_x; bx += 4) {
        const uint32_t x0 = MAX2(bx, x), x1 = MIN2(bx + 4, end_x);
        partial(layer + cpu_layout_block_offset(l, bx, by, n), linear + (size_t)(x0 - x) * n,
                stride, x0 - bx, x1 - bx, y0, y1, read, n);
    }
}

INLINE void copy(const struct cpu_level_layout *l, uint8_t *layer, uint32_t n, uint32_t x,
                 uint32_t y, uint32_t width, uint32_t height, uint8_t *linear, ptrdiff_t stride,
                 enum access access)
{
    const bool read = is_read(access);
    const struct strip_functions *f = find_functions(n);
    const uint32_t end_x = x + width, end_y = y + height;
    const uint32_t whole_x = ALIGN_POT(x, 4), whole_end = end_x & ~3u;
    const bool narrow = x / CPU_TILE == (end_x - 1) / CPU_TILE; /* in one column of tiles */
    struct strip s = {.stride = stride, .row_bytes = (size_t)l->tile_w * 16 * n};
    for (uint32_t by = y & ~3u, rows; by < end_y; by += 4 * rows) {
        const uint32_t y0 = MAX2(by, y) - by, y1 = MIN2(by + 4, end_y) - by;
        uint8_t *row = linear + (ptrdiff_t)(by + y0 - y) * stride;
        rows = 1;
        if (y1 - y0 < 4 || whole_x >= whole_end) {
            copy_partial_row(l, layer, n, x, end_x, by, y0, y1, row, stride, read);
            continue;
        }
        /* Rows of blocks of a tile are copied together, those of several tiles one by one: memory
         * is accessed in the order of the linear rows. */
        if (narrow)
            rows = (MIN2((by | (CPU_TILE - 1)) + 1, end_y & ~3u) - by) / 4;
        s.rows = rows;
        for (uint32_t bx = whole_x, next; bx < whole_end; bx = next) {
            const uint32_t tiles = bx % CPU_TILE ? 0 : (whole_end - bx) / CPU_TILE;
            s.tiles = MAX2(tiles, 1);
            next = tiles ? bx + tiles * CPU_TILE : MIN2((bx | (CPU_TILE - 1)) + 1, whole_end);
            s.count = tiles ? CPU_TILE_BLOCKS : (next - bx) / 4;
            s.block = layer + cpu_layout_block_offset(l, bx, by, n);
            s.linear = row + (size_t)(bx - x) * n;
            copy_strip(f, &s, n, access);
        }
        for (uint32_t i = 0; i < rows; i++, row += 4 * stride) {
            if (x < whole_x)
                copy_partial_row(l, layer, n, x, whole_x, by + 4 * i, 0, 4, row, stride, read);
            if (whole_end < end_x)
                copy_partial_row(l, layer, n, whole_end, end_x, by + 4 * i, 0, 4,
                                 row + (size_t)(whole_end - x) * n, stride, read);
        }
    }
}

void cpu_layout_read(const struct cpu_level_layout *l, const uint8_t *layer, uint32_t texel_bytes,
                     uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                     ptrdiff_t stride)
{
    copy(l, (uint8_t *)layer, texel_bytes, x, y, width, height, linear, stride, READ);
}

void cpu_layout_fetch(const struct cpu_level_layout *l, const uint8_t *layer, uint32_t texel_bytes,
                      uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                      ptrdiff_t stride)
{
    copy(l, (uint8_t *)layer, texel_bytes, x, y, width, height, linear, stride, FETCH);
}

bool cpu_layout_can_stream_read(uint32_t texel_bytes, const uint8_t *linear, ptrdiff_t stride)
{
    const struct strip_functions *f = find_functions(texel_bytes);
    return f && f->copy[READ_STREAM] && ((uintptr_t)linear | stride) % 16 == 0;
}

void cpu_layout_stream_read(const struct cpu_level_layout *l, const uint8_t *layer,
                            uint32_t texel_bytes, uint32_t x, uint32_t y, uint32_t width,
                            uint32_t height, uint8_t *linear, ptrdiff_t stride)
{
    copy(l, (uint8_t *)layer, texel_bytes, x, y, width, height, linear, stride, READ_STREAM);
    util_stream_end();
}

void cpu_layout_write(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                      uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                      const uint8_t *linear, ptrdiff_t stride)
{
    copy(l, layer, texel_bytes, x, y, width, height, (uint8_t *)linear, stride, WRITE);
}

void cpu_layout_stream(const struct cpu_level_layout *l, uint8_t *layer, uint32_t texel_bytes,
                       uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                       const uint8_t *linear, ptrdiff_t stride)
{
    copy(l, layer, texel_bytes, x, y, width, height, (uint8_t *)linear, stride, STREAM);
    util_stream_end();
}

struct cpu_layout_moves cpu_layout_moves_of(const struct util_pixel_moves *m, uint32_t texel_bytes,
                                            bool read)
{
    struct cpu_layout_moves moves;
    const struct strip_functions *f = find_functions(texel_bytes);
    const uint32_t linear = read ? m->dst_bytes : m->src_bytes;
    const uint32_t unit = 16 / texel_bytes * linear, words = unit / 4;
    moves.unit = 0;
    if (!f || !f->move[READ] || linear > texel_bytes || unit % 4)
        return moves;
    moves.unit = unit;
    for (uint32_t i = 0; i < 64; i += 16) {
        memcpy(moves.from + i, m->few_from, 16);
        memcpy(moves.fill + i, m->few_fill, 16);
    }
    for (uint32_t i = 0; i < 16; i++) {
        moves.at[i] = (read ? i / words * 4 + i % words : i / 4 * words + i % 4) % simd_lanes();
        moves.mask[i] = i < simd_lanes() / 4 * words ? UINT32_MAX : 0;
    }
    return moves;
}

uint32_t cpu_layout_move(const struct cpu_level_layout *l, uint8_t *layer, uint32_t n, uint32_t x,
                         uint32_t y, uint32_t width, uint32_t height, uint8_t *linear,
                         ptrdiff_t stride, bool read, bool stream, const struct cpu_layout_moves *m)
{
    const enum access access = read ? READ : stream ? STREAM : WRITE;
    const struct strip_functions *f = find_functions(n);
    const uint32_t pixel = m->unit * n / 16;
    uint32_t end = (x + width) & ~3u;
    struct strip s = {
        .stride = stride, .row_bytes = (size_t)l->tile_w * 16 * n, .rows = height / 4, .moves = m};
    if ((x | y | height) % 4 || y / CPU_TILE != (y + height - 1) / CPU_TILE)
        return 0;
    for (uint32_t bx = x; bx < end;) {
        const uint32_t tiles = bx % CPU_TILE ? 0 : (end - bx) / CPU_TILE;
        s.tiles = MAX2(tiles, 1);
        s.count = tiles ? CPU_TILE_BLOCKS : (MIN2((bx | (CPU_TILE - 1)) + 1, end) - bx) / 4;
        s.block = layer + cpu_layout_block_offset(l, bx, y, n);
        s.linear = linear + (size_t)(bx - x) * pixel;
        strip_function *function = find_function(f->move, &s, access);
        const uint32_t done = function ? function(&s) : 0;
        bx += 4 * done * s.tiles;
        if (done < s.count)
            end = bx;
    }
    if (access == STREAM)
        util_stream_end();
    return MAX2(end, x) - x;
}
