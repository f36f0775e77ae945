/* SPDX-License-Identifier: MIT */
/* Compares the tiled layout with the formula in cpu_kernel.h, and tests copies to and from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "driver/cpu/resource/cpu_layout.h"
#include "util/macros.h"
#include "util/pixel_moves.h"
#include "util/simd.h"

static uint64_t formula(const struct cpu_level_layout *l, uint32_t x, uint32_t y, uint32_t bytes)
{
    uint64_t block = ((y >> 6) * l->tiles_x + (x >> 6)) * 16 * l->tile_w +
                     (y >> 2 & 15) * l->tile_w + (x >> 2 & 15);
    uint64_t index = (y >> 1 & 1) * 8 + (x >> 1 & 1) * 4 + (y & 1) * 2 + (x & 1);
    return (block * 16 + index) * bytes;
}

static void check_rect(uint32_t width, uint32_t height, uint32_t bytes, uint32_t x, uint32_t y,
                       uint32_t w, uint32_t h)
{
    struct cpu_level_layout l;
    uint64_t size = 0;
    cpu_layout_init(&l, width, height, 1, 1, bytes, &size);
    uint8_t *tiled = calloc(1, size);
    size_t stride = (size_t)w * bytes + 5;
    uint8_t *linear = malloc(stride * h), *back = calloc(1, stride * h);
    for (size_t i = 0; i < stride * h; i++)
        linear[i] = rand();
    cpu_layout_write(&l, tiled, bytes, x, y, w, h, linear, stride);
    for (uint32_t j = 0; j < h; j++) {
        for (uint32_t i = 0; i < w; i++) {
            uint64_t at = formula(&l, x + i, y + j, bytes);
            assert_true(at + bytes <= size);
            assert_memory_equal(tiled + at, linear + j * stride + i * bytes, bytes);
        }
    }
    /* upside down */
    cpu_layout_read(&l, tiled, bytes, x, y, w, h, back + stride * (h - 1), -(ptrdiff_t)stride);
    static const uint8_t untouched[5];
    for (uint32_t j = 0; j < h; j++) {
        const uint8_t *row = back + (h - 1 - j) * stride;
        assert_memory_equal(row, linear + j * stride, (size_t)w * bytes);
        assert_memory_equal(row + (size_t)w * bytes, untouched, sizeof untouched);
    }
    memset(back, 0, stride * h);
    cpu_layout_fetch(&l, tiled, bytes, x, y, w, h, back, (ptrdiff_t)stride);
    for (uint32_t j = 0; j < h; j++)
        assert_memory_equal(back + j * stride, linear + j * stride, (size_t)w * bytes);
    uint8_t *rows = aligned_alloc(16, 16 + (size_t)h * ALIGN_POT(w * bytes, 16));
    assert_non_null(rows);
    /* rows that are aligned, and others */
    for (uint32_t shift = 0; shift < 2; shift++) {
        const size_t pitch = ALIGN_POT(w * bytes, 16);
        cpu_layout_stream_read(&l, tiled, bytes, x, y, w, h, rows + shift, (ptrdiff_t)pitch);
        for (uint32_t j = 0; j < h; j++)
            assert_memory_equal(rows + shift + j * pitch, linear + j * stride, (size_t)w * bytes);
    }
    free(rows);
    uint8_t *streamed = aligned_alloc(64, (size + 63) & ~(uint64_t)63);
    memset(streamed, 0, size);
    cpu_layout_stream(&l, streamed, bytes, x, y, w, h, linear, stride);
    assert_memory_equal(streamed, tiled, size);
    free(streamed);
    free(tiled);
    free(linear);
    free(back);
}

static void test_round_trip(void **state)
{
    static const uint32_t bytes[] = {1, 2, 3, 4, 6, 8, 12, 16};
    for (unsigned b = 0; b < ARRAY_SIZE(bytes); b++) {
        check_rect(1, 1, bytes[b], 0, 0, 1, 1);
        check_rect(5, 3, bytes[b], 0, 0, 5, 3);
        check_rect(64, 64, bytes[b], 0, 0, 64, 64);
        check_rect(130, 70, bytes[b], 0, 0, 130, 70);
        check_rect(130, 70, bytes[b], 3, 5, 120, 62);
        check_rect(130, 140, bytes[b], 3, 5, 60, 130);
        check_rect(130, 140, bytes[b], 64, 8, 64, 64);
        check_rect(40, 140, bytes[b], 4, 0, 36, 140);
        check_rect(200, 20, bytes[b], 61, 2, 70, 9);
        check_rect(300, 20, bytes[b], 3, 1, 290, 17);
        check_rect(7, 200, bytes[b], 1, 63, 5, 100);
    }
}

/* Returns `bytes` bytes that end before an inaccessible page. *memory, *size: what munmap()
 * needs. */
static uint8_t *guarded(size_t bytes, void **memory, size_t *size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *size = ALIGN_POT(bytes, page) + page;
    *memory = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(*memory, MAP_FAILED);
    uint8_t *end = (uint8_t *)*memory + *size - page;
    assert_int_equal(mprotect(end, page, PROT_NONE), 0);
    return end - bytes;
}

/* Reads (or writes) columns x to x + w - 1 of four rows of a tiled image, with moves that reverse
 * the bytes of a pixel. The larger texels have 255 in the byte that pixels lack. stream: write with
 * stores that bypass the caches. */
static void check_moves(uint32_t n, uint32_t pixel, uint32_t x, uint32_t w, bool read, bool stream)
{
    struct cpu_level_layout l;
    struct util_pixel_moves moves;
    uint64_t size = 0;
    cpu_layout_init(&l, 200, 8, 1, 1, n, &size);
    util_pixel_moves_clear(&moves, read ? pixel : n, read ? n : pixel);
    for (uint32_t b = 0; b < moves.dst_bytes; b++) {
        moves.from[b] = b < pixel ? pixel - 1 - b : UTIL_MOVES_NO_BYTE;
        moves.fill[b] = b < pixel ? 0 : 255;
    }
    util_pixel_moves_prepare(&moves);
    const struct cpu_layout_moves m = cpu_layout_moves_of(&moves, n, read);
    assert_int_equal(m.unit, simd_lanes() > 4 ? 16 / n * pixel : 0);
    if (!m.unit)
        return;
    void *memory;
    size_t mapped;
    const size_t stride = (size_t)w * pixel;
    uint8_t *linear = guarded(4 * stride, &memory, &mapped), *tiled = aligned_alloc(64, size);
    assert_non_null(tiled);
    for (uint64_t i = 0; i < size; i++)
        tiled[i] = read ? rand() : 0;
    for (size_t i = 0; i < 4 * stride; i++)
        linear[i] = read ? 0x5a : rand();
    const uint32_t done =
        cpu_layout_move(&l, tiled, n, x, 4, w, 4, linear, (ptrdiff_t)stride, read, stream, &m);
    if (stream && n == 2) /* its blocks are smaller than cache lines */
        assert_int_equal(done, 0);
    else
        assert_true(done <= w && w - done < 64);
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t i = 0; i < w; i++) {
            const uint8_t *texel = tiled + formula(&l, x + i, 4 + y, n);
            const uint8_t *at = linear + y * stride + (size_t)i * pixel;
            for (uint32_t b = 0; b < n; b++) {
                if (i < done && b < pixel)
                    assert_int_equal(texel[read ? pixel - 1 - b : b], at[read ? b : pixel - 1 - b]);
                else if (i < done && !read)
                    assert_int_equal(texel[b], 255);
                else if (!read)
                    assert_int_equal(texel[b], 0);
                else if (i >= done && b < pixel)
                    assert_int_equal(at[b], 0x5a);
            }
        }
    free(tiled);
    munmap(memory, mapped);
}

static void test_moves(void **state)
{
    static const uint32_t sizes[][2] = {{2, 2}, {4, 4},   {4, 3},   {4, 1}, {8, 8},
                                        {8, 6}, {16, 16}, {16, 12}, {16, 8}};
    for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
        for (unsigned kind = 0; kind < 3; kind++) {
            const bool read = kind == 0, stream = kind == 2;
            check_moves(sizes[i][0], sizes[i][1], 0, 192, read, stream);
            check_moves(sizes[i][0], sizes[i][1], 64, 136, read, stream);
            check_moves(sizes[i][0], sizes[i][1], 4, 57, read, stream);
            check_moves(sizes[i][0], sizes[i][1], 0, 3, read, stream);
        }
}

/* Each layer has a plane per sample, with the layout of a single-sampled image. */
static void test_samples(void **state)
{
    struct cpu_level_layout one, many;
    uint64_t size_one = 0, size_many = 0;
    cpu_layout_init(&one, 130, 70, 3, 1, 4, &size_one);
    cpu_layout_init(&many, 130, 70, 3, 8, 4, &size_many);
    assert_int_equal(one.sample_stride, one.layer_stride);
    assert_int_equal(many.sample_stride, one.layer_stride);
    assert_int_equal(many.layer_stride, 8 * one.layer_stride);
    assert_int_equal(size_many, 8 * size_one);
    assert_int_equal(many.tile_w, one.tile_w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_moves),
                                       cmocka_unit_test(test_samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
