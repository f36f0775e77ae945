/* SPDX-License-Identifier: MIT */
/*
 * Compressed resources: after any sequence of writes, copies and resolves, the texels are what all
 * blocks decode to, also for views that decode the blocks to other values, and while another thread
 * resolves the storage.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "driver/cpu/resource/cpu_resource.h"
#include "driver/cpu/resource/cpu_screen.h"
#include "util/format.h"
#include "util/macros.h"

static struct cpu_screen screen;
static uint32_t random_state = 1;

static unsigned random_below(unsigned n)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % n;
}

static struct cpu_resource *make_image(enum drv_format format, const unsigned size[3],
                                       unsigned last_level)
{
    const struct drv_resource templ = {
        .target = size[2] > 1 ? DRV_TEXTURE_2D_ARRAY : DRV_TEXTURE_2D,
        .format = format,
        .width = size[0],
        .height = size[1],
        .depth = 1,
        .array_size = size[2],
        .last_level = last_level,
    };
    struct drv_resource *r = cpu_resource_create(&screen.base, &templ);
    assert_non_null(r);
    return cpu_resource(r);
}

static void destroy_image(struct cpu_resource *r)
{
    cpu_resource_destroy(&screen.base, &r->base);
}

/* Compares a layer of texels with what the blocks of a resource decode to. */
static void check_layer(struct cpu_resource *texels, const struct cpu_resource *blocks,
                        unsigned level, unsigned z)
{
    const struct cpu_level_layout *l = &texels->level[level];
    const unsigned stride = l->width * texels->texel_bytes;
    uint8_t *want = malloc((size_t)stride * l->height), *got = malloc((size_t)stride * l->height);
    const uint8_t *from =
        blocks->blocks.data + blocks->blocks.offset[level] + z * blocks->blocks.layer_stride[level];
    const unsigned from_stride = blocks->blocks.stride[level];
    assert_non_null(want);
    assert_non_null(got);
    if (texels->texel_bytes == 16)
        assert_true(util_format_decompress_float(texels->base.format, (float *)want, stride, from,
                                                 from_stride, l->width, l->height));
    else
        assert_true(util_format_decompress_rgba8(texels->base.format, want, stride, from,
                                                 from_stride, l->width, l->height));
    cpu_layout_read(l, cpu_resource_layer(texels, level, z), texels->texel_bytes, 0, 0, l->width,
                    l->height, got, stride);
    if (memcmp(got, want, (size_t)stride * l->height) != 0)
        fail_msg("%s, level %u, layer %u", drv_format_desc(texels->base.format)->name, level, z);
    free(want);
    free(got);
}

static void check_image(struct cpu_resource *texels, const struct cpu_resource *blocks)
{
    cpu_storage_resolve(texels->storage, false);
    for (unsigned i = 0; i <= texels->base.last_level; i++)
        for (unsigned z = 0; z < texels->level[i].layers; z++)
            check_layer(texels, blocks, i, z);
}

/* Writes random blocks. */
static void write_box(struct cpu_resource *r, unsigned level, const struct drv_box *box)
{
    const size_t row = util_format_row_bytes(r->base.format, box->width);
    const unsigned rows =
        DIV_ROUND_UP((unsigned)box->height, drv_format_desc(r->base.format)->block_height);
    const size_t size = row * rows * box->depth;
    uint8_t *data = malloc(size);
    assert_non_null(data);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)random_below(256);
    cpu_resource_write(r, level, box, data, (ptrdiff_t)row, row * rows);
    free(data);
}

/* Writes all blocks of all levels. */
static void fill_image(struct cpu_resource *r)
{
    for (unsigned i = 0; i <= r->base.last_level; i++) {
        const struct cpu_level_layout *l = &r->level[i];
        const struct drv_box box = {0, 0, 0, (int)l->width, (int)l->height, (int)l->layers};
        write_box(r, i, &box);
    }
}

struct range {
    int at, length;
};

/* Chooses a range of blocks along an axis, in most cases a short one. */
static struct range random_range(unsigned size, unsigned block)
{
    const unsigned blocks = DIV_ROUND_UP(size, block), first = random_below(blocks);
    const unsigned longest = random_below(8) ? 4 : blocks, most = MIN2(blocks - first, longest);
    const unsigned end = MIN2((first + 1 + random_below(most)) * block, size);
    return (struct range){(int)(first * block), (int)(end - first * block)};
}

static struct drv_box random_box(const struct cpu_resource *r, unsigned level)
{
    const struct drv_format_desc *d = drv_format_desc(r->base.format);
    const struct cpu_level_layout *l = &r->level[level];
    const struct range x = random_range(l->width, d->block_width),
                       y = random_range(l->height, d->block_height), z = random_range(l->layers, 1);
    return (struct drv_box){x.at, y.at, z.at, x.length, y.length, z.length};
}

/* Writes and copies boxes of a, resolves and compares both images now and then. */
static void change_images(struct cpu_resource *a, struct cpu_resource *b)
{
    for (unsigned i = 0; i < 60; i++) {
        const unsigned level = random_below(a->base.last_level + 1);
        const struct drv_box box = random_box(a, level);
        if (random_below(3))
            write_box(a, level, &box);
        else
            cpu_resource_copy_blocks(b, level, (unsigned)box.x, (unsigned)box.y, (unsigned)box.z, a,
                                     level, &box);
        if (!random_below(5))
            check_image(a, a);
        if (!random_below(7))
            check_image(b, b);
        if (!random_below(9))
            cpu_resource_decode_level(a, level);
    }
    check_image(a, a);
    check_image(b, b);
}

static void test_writes_and_copies(void **state)
{
    static const enum drv_format formats[] = {
        DRV_FORMAT_DXT1_RGB,        DRV_FORMAT_DXT5_RGBA,       DRV_FORMAT_RGTC1_UNORM,
        DRV_FORMAT_BPTC_RGBA_UNORM, DRV_FORMAT_BPTC_RGB_UFLOAT, DRV_FORMAT_ASTC_12x12,
        DRV_FORMAT_FXT1_RGBA,       DRV_FORMAT_ETC2_RGBA8,      DRV_FORMAT_DXT1_SRGBA,
    };
    static const unsigned sizes[][3] = {{512, 256, 1}, {70, 34, 1}, {3, 1, 1}, {130, 97, 3}};
    for (unsigned f = 0; f < ARRAY_SIZE(formats); f++)
        for (unsigned s = 0; s < ARRAY_SIZE(sizes); s++) {
            const unsigned last = sizes[s][0] > 3 ? 2 : 0;
            struct cpu_resource *a = make_image(formats[f], sizes[s], last),
                                *b = make_image(formats[f], sizes[s], last);
            fill_image(a);
            fill_image(b);
            change_images(a, b);
            /* a block at the edge, with fewer texels, to the middle */
            if (s == 1 && drv_format_desc(formats[f])->block_width == 4) {
                const struct drv_box edge = {68, 32, 0, 2, 2, 1};
                cpu_resource_copy_blocks(b, 0, 8, 8, 0, a, 0, &edge);
                check_image(b, b);
            }
            const struct drv_box box = random_box(b, 0);
            write_box(b, 0, &box); /* never decoded */
            destroy_image(a);
            destroy_image(b);
        }
}

/* A scene that is not executed yet keeps the texels of a resource that is destroyed. */
static void test_destroyed_in_use(void **state)
{
    static const unsigned size[3] = {64, 64, 1};
    static const struct drv_box box = {0, 0, 0, 64, 64, 1};
    struct cpu_resource *r = make_image(DRV_FORMAT_DXT1_RGB, size, 0);
    struct cpu_storage *s = r->storage;
    uint8_t *blocks = malloc(16 * 16 * 8), *want = malloc(64 * 64 * 4), *got = malloc(64 * 64 * 4);
    const struct cpu_level_layout layout = r->level[0];
    assert_true(blocks && want && got);
    fill_image(r);
    cpu_resource_read(r, 0, &box, blocks, 16 * 8, 16 * 16 * 8);
    assert_non_null(s->undecoded);
    cpu_storage_reference(s);
    __atomic_add_fetch(&s->users, 1, __ATOMIC_RELAXED);
    destroy_image(r);
    assert_null(s->undecoded);
    assert_true(
        util_format_decompress_rgba8(DRV_FORMAT_DXT1_RGB, want, 64 * 4, blocks, 16 * 8, 64, 64));
    cpu_layout_read(&layout, s->data + layout.offset, 4, 0, 0, 64, 64, got, 64 * 4);
    assert_memory_equal(got, want, 64 * 64 * 4);
    __atomic_sub_fetch(&s->users, 1, __ATOMIC_RELAXED);
    cpu_storage_release(s);
    free(blocks);
    free(want);
    free(got);
}

static void test_views(void **state)
{
    static const enum drv_format formats[][2] = {
        {DRV_FORMAT_RGTC1_UNORM, DRV_FORMAT_RGTC1_SNORM},
        {DRV_FORMAT_BPTC_RGB_UFLOAT, DRV_FORMAT_BPTC_RGB_FLOAT},
    };
    static const unsigned size[3] = {100, 60, 1};
    for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
        struct cpu_resource *r = make_image(formats[f][0], size, 2);
        fill_image(r);
        struct cpu_resource *view = cpu_resource_view(r, formats[f][1]);
        assert_true(view && view != r);
        check_image(view, r);
        for (unsigned i = 0; i < 30; i++) {
            const unsigned level = random_below(3);
            const struct drv_box box = random_box(r, level);
            write_box(r, level, &box);
            if (!random_below(3))
                check_image(view, r);
            if (!random_below(3))
                check_image(r, r);
        }
        check_image(view, r);
        destroy_image(r);
    }
}

static bool stop; /* atomic */

static void *resolve_again(void *data)
{
    const struct cpu_resource *r = data;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        cpu_storage_resolve(r->storage, false);
    return NULL;
}

static void test_threads(void **state)
{
    static const unsigned size[3] = {512, 512, 1};
    struct cpu_resource *r = make_image(DRV_FORMAT_DXT5_RGBA, size, 3);
    pthread_t thread;
    fill_image(r);
    assert_int_equal(pthread_create(&thread, NULL, resolve_again, r), 0);
    for (unsigned i = 0; i < 300; i++) {
        const unsigned level = random_below(4);
        const struct drv_box box = random_box(r, level);
        write_box(r, level, &box);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    check_image(r, r);
    destroy_image(r);
}

static int setup(void **state)
{
    cpu_storage_cache_init(&screen.storage_cache);
    return 0;
}

static int teardown(void **state)
{
    cpu_storage_cache_finish(&screen.storage_cache);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writes_and_copies),
        cmocka_unit_test(test_destroyed_in_use),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
