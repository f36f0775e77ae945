/* SPDX-License-Identifier: MIT */
/* The DRI module with loaders of every version, with the real core. */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <GL/gl.h>

#include "target/dri/dri_interface.h"

enum { MOST = 64 };

/* A window: its pixels, and how they arrived. */
struct window {
    int width, height;
    uint32_t pixels[MOST * MOST];
    unsigned puts, segments;
};

static const __DRIcoreExtension *core;
static const __DRIswrastExtension *swrast;
static const __DRIdri2Extension *dri2;

static void get_info(__DRIdrawable *d, int *x, int *y, int *width, int *height, void *data)
{
    struct window *w = data;

    *x = *y = 0;
    *width = w->width;
    *height = w->height;
}

static void put2(__DRIdrawable *d, int op, int x, int y, int width, int height, int stride,
                 char *bytes, void *data)
{
    struct window *w = data;

    assert_true(x >= 0 && y >= 0 && x + width <= w->width && y + height <= w->height);
    for (int row = 0; row < height && w->width <= MOST && w->height <= MOST; row++)
        memcpy(&w->pixels[(y + row) * MOST + x], bytes + (size_t)row * stride, width * 4);
    w->puts++;
}

static void put(__DRIdrawable *d, int op, int x, int y, int width, int height, char *bytes,
                void *data)
{
    put2(d, op, x, y, width, height, width * 4, bytes, data);
}

static void put_shm(__DRIdrawable *d, int op, int x, int y, int width, int height, int stride,
                    int id, char *address, unsigned offset, void *data)
{
    ((struct window *)data)->segments++;
    put2(d, op, x, y, width, height, stride, address + offset, data);
}

static void get2(__DRIdrawable *d, int x, int y, int width, int height, int stride, char *bytes,
                 void *data)
{
    for (int row = 0; row < height; row++)
        memcpy(bytes + (size_t)row * stride, &((struct window *)data)->pixels[(y + row) * MOST + x],
               width * 4);
}

static void get(__DRIdrawable *d, int x, int y, int width, int height, char *bytes, void *data)
{
    get2(d, x, y, width, height, width * 4, bytes, data);
}

static __DRIswrastLoaderExtension loader = {
    {__DRI_SWRAST_LOADER, 0}, get_info, put, get, put2, get2, put_shm,
};

/* A window of a loader that takes images: alternates between two. */
struct image_window {
    int width, height;
    __DRIimage *images[2];
    unsigned asked, next;
};

static __DRIscreen *image_screen;
static const __DRIimageExtension *image_extension;

static int get_buffers(__DRIdrawable *d, unsigned format, uint32_t *stamp, void *data,
                       uint32_t mask, struct __DRIimageList *list)
{
    struct image_window *w = data;
    __DRIimage **image = &w->images[w->next];

    w->asked++;
    if (!*image)
        *image = image_extension->createImage(image_screen, w->width, w->height,
                                              __DRI_IMAGE_FORMAT_XRGB8888, 0, NULL);
    list->image_mask = mask;
    list->back = mask & __DRI_IMAGE_BUFFER_BACK ? *image : NULL;
    list->front = mask & __DRI_IMAGE_BUFFER_FRONT ? *image : NULL;
    return *image != NULL;
}

static void flush_front(__DRIdrawable *d, void *data)
{
}

static __DRIimageLoaderExtension image_loader = {{__DRI_IMAGE_LOADER, 2}, get_buffers, flush_front};
static __DRIuseInvalidateExtension use_invalidate = {{__DRI_USE_INVALIDATE, 1}};

static const __DRIextension *find(const __DRIextension **list, const char *name)
{
    for (; *list; list++) {
        if (!strcmp((*list)->name, name))
            return *list;
    }
    return NULL;
}

static int load(void **state)
{
    void *module = dlopen(DRI_MODULE, RTLD_NOW);
    const __DRIextension **(*get_extensions)(void);

    if (!module)
        return 1;
    get_extensions =
        (const __DRIextension **(*)(void))dlsym(module, __DRI_DRIVER_GET_EXTENSIONS "_swrast");
    assert_non_null(get_extensions);
    core = (const void *)find(get_extensions(), __DRI_CORE);
    swrast = (const void *)find(get_extensions(), __DRI_SWRAST);
    assert_non_null(core);
    dri2 = (const void *)find(get_extensions(), __DRI_DRI2);
    assert_non_null(swrast);
    assert_non_null(dri2);
    return 0;
}

static void free_configs(const __DRIconfig **configs)
{
    for (unsigned i = 0; configs[i]; i++)
        free((void *)configs[i]);
    free(configs);
}

static unsigned value_of(const __DRIconfig *config, unsigned attribute)
{
    unsigned value = 0x7777;

    assert_true(core->getConfigAttrib(config, attribute, &value));
    return value;
}

static const __DRIconfig *find_config(const __DRIconfig **configs, unsigned red_mask, bool twice)
{
    for (unsigned i = 0; configs[i]; i++) {
        if (value_of(configs[i], __DRI_ATTRIB_RED_MASK) == red_mask &&
            value_of(configs[i], __DRI_ATTRIB_DOUBLE_BUFFER) == twice)
            return configs[i];
    }
    return NULL;
}

static __DRIscreen *open_screen(int version, const __DRIconfig ***configs)
{
    static const __DRIextension *extensions[] = {&loader.base, NULL};
    __DRIscreen *screen;

    loader.base.version = version;
    screen = swrast->createNewScreen(0, extensions, configs, NULL);
    assert_non_null(screen);
    return screen;
}

/* Draws the lower half red and the upper half green. */
static void draw(int width, int height)
{
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, width, height / 2);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

static void check(const struct window *w)
{
    for (int y = 0; y < w->height; y++) {
        for (int x = 0; x < w->width; x++)
            assert_int_equal(w->pixels[y * MOST + x] & 0xffffff,
                             y < w->height - w->height / 2 ? 0x00ff00 : 0xff0000);
    }
}

static void test_loaders(void **state)
{
    for (int version = 1; version <= 4; version++) {
        static struct window w;
        const __DRIconfig **configs;
        __DRIscreen *screen = open_screen(version, &configs);
        const __DRItexBufferExtension *texture =
            (const void *)find(core->getExtensions(screen), __DRI_TEX_BUFFER);
        const __DRIcopySubBufferExtension *copy =
            (const void *)find(core->getExtensions(screen), __DRI_COPY_SUB_BUFFER);

        for (int twice = 0; twice < 2; twice++) {
            const __DRIconfig *config = find_config(configs, 0xff0000, twice);
            __DRIdrawable *d;
            __DRIcontext *ctx;
            static uint32_t texels[50 * 41];

            w = (struct window){.width = 33, .height = 20};
            d = swrast->createNewDrawable(screen, config, &w);
            ctx = core->createNewContext(screen, config, NULL, NULL);
            assert_non_null(d);
            assert_non_null(ctx);
            assert_true(core->bindContext(ctx, d, d));
            draw(33, 20);
            if (twice)
                core->swapBuffers(d);
            else
                glFlush();
            assert_true(w.puts > 0);
            assert_int_equal(w.segments > 0, version >= 4);
            check(&w);
            /* another size, and a partial copy */
            w.width = 50;
            w.height = 41;
            glViewport(0, 0, 50, 41);
            draw(50, 41);
            if (twice)
                copy->copySubBuffer(d, 0, 0, 50, 41);
            else
                glFlush();
            check(&w);
            /* a texture from the window's contents, which someone else has changed (a
             * single-buffered window is flushed first) */
            w.pixels[0] = 0xff0000ff;
            texture->setTexBuffer2(ctx, GL_TEXTURE_2D, __DRI_TEXTURE_FORMAT_RGBA, d);
            glGetTexImage(GL_TEXTURE_2D, 0, GL_BGRA, GL_UNSIGNED_BYTE, texels);
            assert_int_equal(texels[0], twice ? 0xff0000ff : 0xff00ff00);
            assert_int_equal(glGetError(), GL_NO_ERROR);
            assert_true(core->unbindContext(ctx));
            core->destroyDrawable(d);
            core->destroyContext(ctx);
        }
        core->destroyScreen(screen);
        free_configs(configs);
    }
}

static int query(__DRIimage *image, int attribute)
{
    int value = -7;

    assert_true(image_extension->queryImage(image, attribute, &value));
    return value;
}

/* Checks the image of the last frame: lower half red, upper half green. */
static void check_image(__DRIcontext *ctx, __DRIimage *image, int width, int height)
{
    void *data = NULL;
    int stride = 0;
    const uint8_t *map = image_extension->mapImage(ctx, image, 0, 0, width, height,
                                                   __DRI_IMAGE_TRANSFER_READ, &stride, &data);

    assert_non_null(map);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            assert_int_equal(((const uint32_t *)(map + (size_t)y * stride))[x] & 0xffffff,
                             y < height - height / 2 ? 0x00ff00 : 0xff0000);
    }
    image_extension->unmapImage(ctx, image, data);
}

/* A device without dumb buffers (/dev/null): images are memfds. */
static void test_images(void **state)
{
    static const __DRIextension *extensions[] = {&image_loader.base, &use_invalidate.base, NULL};
    static const __DRIextension *no_loader[] = {&loader.base, NULL};
    const __DRIconfig **configs, *config = NULL;
    struct image_window w = {.width = 40, .height = 30};
    const __DRI2flushExtension *flush;
    int device = open("/dev/null", O_RDWR | O_CLOEXEC), stride, offset, fd;
    __DRIdrawable *d;
    __DRIcontext *ctx;
    __DRIimage *image;
    unsigned error = 99;

    assert_null(dri2->createNewScreen2(0, device, no_loader, NULL, &configs, NULL));
    assert_null(dri2->createNewScreen2(0, -1, extensions, NULL, &configs, NULL));
    image_screen = dri2->createNewScreen2(0, device, extensions, NULL, &configs, NULL);
    assert_non_null(image_screen);
    assert_true(dri2->getAPIMask(image_screen) & 1 << __DRI_API_GLES2);
    image_extension = (const void *)find(core->getExtensions(image_screen), __DRI_IMAGE);
    flush = (const void *)find(core->getExtensions(image_screen), __DRI2_FLUSH);
    for (unsigned i = 0; configs[i] && !config; i++) {
        if (value_of(configs[i], __DRI_ATTRIB_RED_MASK) == 0xff0000 &&
            value_of(configs[i], __DRI_ATTRIB_ALPHA_SIZE) == 0 &&
            value_of(configs[i], __DRI_ATTRIB_DOUBLE_BUFFER))
            config = configs[i];
    }
    assert_non_null(config);
    d = dri2->createNewDrawable(image_screen, config, &w);
    ctx = dri2->createNewContext(image_screen, config, NULL, NULL);
    assert_non_null(d);
    assert_true(core->bindContext(ctx, d, d));
    for (unsigned frame = 0; frame < 4; frame++) {
        unsigned asked = w.asked;

        draw(w.width, w.height);
        /* during a swap, the loader already returns the next image */
        w.next = !w.next;
        flush->flush_with_flags(ctx, d, __DRI2_FLUSH_DRAWABLE | __DRI2_FLUSH_INVALIDATE_ANCILLARY,
                                __DRI2_THROTTLE_SWAPBUFFER);
        assert_in_range(w.asked - asked, 0, 1);
        check_image(ctx, w.images[!w.next], w.width, w.height);
        flush->invalidate(d);
    }
    /* exported images can be imported, with the same contents */
    image = w.images[0];
    assert_int_equal(query(image, __DRI_IMAGE_ATTRIB_WIDTH), 40);
    assert_int_equal(query(image, __DRI_IMAGE_ATTRIB_NUM_PLANES), 1);
    stride = query(image, __DRI_IMAGE_ATTRIB_STRIDE);
    offset = query(image, __DRI_IMAGE_ATTRIB_OFFSET);
    fd = query(image, __DRI_IMAGE_ATTRIB_FD);
    assert_true(fd >= 0);
    image = image_extension->createImageFromDmaBufs2(
        image_screen, 40, 30, query(image, __DRI_IMAGE_ATTRIB_FOURCC), 0, &fd, 1, &stride, &offset,
        0, 0, 0, 0, &error, NULL);
    assert_non_null(image);
    assert_int_equal(error, __DRI_IMAGE_ERROR_SUCCESS);
    check_image(ctx, image, 40, 30);
    image_extension->destroyImage(image);
    /* planes outside of the memory, invalid codes, no memory */
    stride = 1 << 20;
    assert_null(image_extension->createImageFromDmaBufs(
        image_screen, 40, 30, 0x34325258, &fd, 1, &stride, &offset, 0, 0, 0, 0, &error, NULL));
    assert_int_equal(error, __DRI_IMAGE_ERROR_BAD_ACCESS);
    assert_null(image_extension->createImageFromDmaBufs(image_screen, 40, 30, 77, &fd, 1, &stride,
                                                        &offset, 0, 0, 0, 0, &error, NULL));
    assert_int_equal(error, __DRI_IMAGE_ERROR_BAD_MATCH);
    stride = 160;
    assert_null(image_extension->createImageFromDmaBufs(
        image_screen, 40, 30, 0x34325258, &device, 1, &stride, &offset, 0, 0, 0, 0, &error, NULL));
    assert_int_equal(error, __DRI_IMAGE_ERROR_BAD_PARAMETER);
    close(fd);
    assert_true(core->unbindContext(ctx));
    core->destroyDrawable(d);
    core->destroyContext(ctx);
    image_extension->destroyImage(w.images[0]);
    image_extension->destroyImage(w.images[1]);
    core->destroyScreen(image_screen);
    free_configs(configs);
    close(device);
}

static void test_bad_input(void **state)
{
    static const __DRIextension *none[] = {NULL};
    const uint32_t junk[] = {77, 1}, flag[] = {__DRI_CTX_ATTRIB_FLAGS, 0x8000};
    const uint32_t version[] = {__DRI_CTX_ATTRIB_MAJOR_VERSION, 9};
    const uint32_t both[] = {__DRI_CTX_ATTRIB_FLAGS,
                             __DRI_CTX_FLAG_DEBUG | __DRI_CTX_FLAG_NO_ERROR};
    const uint32_t lost[] = {__DRI_CTX_ATTRIB_RESET_STRATEGY, __DRI_CTX_RESET_LOSE_CONTEXT};
    static struct window w = {.width = 0, .height = 0}, huge = {.width = 65535, .height = 65535};
    const __DRIconfig **configs, *config;
    __DRIscreen *screen;
    __DRIdrawable *d, *big;
    __DRIcontext *ctx, *other;
    unsigned error = 99, value;

    assert_null(swrast->createNewScreen(0, none, &configs, NULL));
    assert_null(core->createNewScreen(0, -1, 0, none, &configs, NULL));
    screen = open_screen(4, &configs);
    config = find_config(configs, 0xff0000, true);
    assert_false(core->getConfigAttrib(config, 7777, &value));
    assert_false(core->indexConfigAttrib(config, -1, &value, &value));
    assert_false(core->indexConfigAttrib(config, 7777, &value, &value));
    assert_null(swrast->createContextAttribs(screen, 77, config, NULL, 0, NULL, &error, NULL));
    assert_int_equal(error, __DRI_CTX_ERROR_BAD_API);
    assert_null(swrast->createContextAttribs(screen, 0, config, NULL, 1, junk, &error, NULL));
    assert_int_equal(error, __DRI_CTX_ERROR_UNKNOWN_ATTRIBUTE);
    assert_null(swrast->createContextAttribs(screen, 0, config, NULL, 1, flag, &error, NULL));
    assert_int_equal(error, __DRI_CTX_ERROR_UNKNOWN_FLAG);
    assert_null(swrast->createContextAttribs(screen, 0, config, NULL, 1, version, &error, NULL));
    assert_int_equal(error, __DRI_CTX_ERROR_BAD_VERSION);
    assert_null(swrast->createContextAttribs(screen, 0, config, NULL, 1, both, &error, NULL));
    assert_int_equal(error, __DRI_CTX_ERROR_BAD_FLAG);
    ctx = core->createNewContext(screen, config, NULL, NULL);
    assert_null(swrast->createContextAttribs(screen, 0, config, ctx, 1, lost, &error, NULL));
    assert_int_equal(error, __DRI_CTX_ERROR_BAD_FLAG);
    d = swrast->createNewDrawable(screen, config, &w);
    big = swrast->createNewDrawable(screen, config, &huge);
    assert_false(core->bindContext(NULL, d, d));
    assert_false(core->bindContext(ctx, d, NULL));
    assert_true(core->bindContext(ctx, d, d));
    other = core->createNewContext(screen, config, NULL, NULL);
    assert_true(core->copyContext(other, ctx, GL_ALL_ATTRIB_BITS));
    assert_false(core->copyContext(ctx, other, GL_ALL_ATTRIB_BITS)); /* ctx is current */
    core->destroyContext(other);
    w.width = w.height = 1;
    draw(1, 1);
    core->swapBuffers(d);
    assert_true(core->bindContext(ctx, big, big));
    glClear(GL_COLOR_BUFFER_BIT);
    assert_true(core->bindContext(ctx, d, d));
    /* destroyed while current */
    core->destroyDrawable(d);
    glClear(GL_COLOR_BUFFER_BIT);
    glFlush();
    core->destroyContext(ctx);
    core->destroyDrawable(big);
    core->destroyScreen(screen);
    free_configs(configs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loaders),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_bad_input),
    };

    return cmocka_run_group_tests(tests, load, NULL);
}
