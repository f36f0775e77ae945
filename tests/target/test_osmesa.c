/* SPDX-License-Identifier: MIT */
/*
 * libOSMesa with the real core. With a file name as argument, draws one image with whichever
 * libOSMesa the loader finds, writes it (width and height as 32-bit integers, then RGBA rows from
 * the bottom up), and prints the renderer.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <GL/osmesa.h>

enum { WIDTH = 40, HEIGHT = 24 };

static void draw(float angle)
{
    glClearColor(0.2f, 0.4f, 0.6f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glRotatef(angle, 0, 0, 1);
    glEnable(GL_DEPTH_TEST);
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0, 0);
    glVertex3f(-0.9f, -0.9f, 0.0f);
    glColor3f(0, 1, 0);
    glVertex3f(0.9f, -0.9f, 0.5f);
    glColor3f(0, 0, 1);
    glVertex3f(0.0f, 0.9f, -0.5f);
    glEnd();
    glFinish();
}

/* Draws the lower half red and the upper half green, with alpha 1. */
static void draw_halves(void)
{
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, WIDTH, HEIGHT / 2);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glFinish();
}

static const struct {
    GLenum format;
    const char *order;
} formats[] = {
    {OSMESA_RGBA, "rgba"}, {OSMESA_BGRA, "bgra"}, {OSMESA_ARGB, "argb"},
    {OSMESA_RGB, "rgb"},   {OSMESA_BGR, "bgr"},
};

/* Returns a component of the i-th pixel in [0, 1]. */
static float component(const void *buffer, GLenum type, size_t i)
{
    switch (type) {
    case GL_UNSIGNED_BYTE:
        return ((const uint8_t *)buffer)[i] / 255.0f;
    case GL_UNSIGNED_SHORT:
        return ((const uint16_t *)buffer)[i] / 65535.0f;
    default:
        return ((const float *)buffer)[i];
    }
}

static void check_halves(const void *buffer, GLenum type, const char *order, int stride, bool y_up)
{
    size_t channels = strlen(order);

    for (int y = 0; y < HEIGHT; y++) {
        bool red = (y < HEIGHT / 2) == y_up;

        for (int x = 0; x < WIDTH; x++) {
            for (size_t c = 0; c < channels; c++) {
                float want = order[c] == 'r'   ? red
                             : order[c] == 'g' ? !red
                             : order[c] == 'a' ? 1.0f
                                               : 0.0f;

                assert_true(component(buffer, type, ((size_t)y * stride + x) * channels + c) ==
                            want);
            }
        }
    }
}

static void test_formats(void **state)
{
    static const GLenum types[] = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_FLOAT};
    enum { STRIDE = WIDTH + 5 };
    float *buffer = malloc(STRIDE * HEIGHT * 16);

    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
        OSMesaContext c = OSMesaCreateContext(formats[f].format, NULL);
        GLint value, width, height, format;
        void *found;

        assert_non_null(c);
        assert_false(OSMesaGetColorBuffer(c, &width, &height, &format, &found));
        for (unsigned t = 0; t < sizeof types / sizeof *types; t++) {
            assert_true(OSMesaMakeCurrent(c, buffer, types[t], WIDTH, HEIGHT));
            assert_ptr_equal(OSMesaGetCurrentContext(), c);
            OSMesaGetIntegerv(OSMESA_TYPE, &value);
            assert_int_equal(value, types[t]);
            OSMesaPixelStore(OSMESA_Y_UP, 1);
            OSMesaPixelStore(OSMESA_ROW_LENGTH, 0);
            draw_halves();
            check_halves(buffer, types[t], formats[f].order, WIDTH, true);
            OSMesaPixelStore(OSMESA_Y_UP, 0);
            OSMesaPixelStore(OSMESA_ROW_LENGTH, STRIDE);
            memset(buffer, 0x55, STRIDE * HEIGHT * 16);
            draw_halves();
            check_halves(buffer, types[t], formats[f].order, STRIDE, false);
            assert_int_equal(((uint8_t *)buffer)[STRIDE * HEIGHT * 16 - 1], 0x55);
            assert_int_equal(glGetError(), GL_NO_ERROR);
        }
        assert_false(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_SHORT_5_6_5, WIDTH, HEIGHT));
        assert_true(OSMesaGetColorBuffer(c, &width, &height, &format, &found));
        assert_int_equal(width, WIDTH);
        assert_int_equal(height, HEIGHT);
        assert_int_equal(format, formats[f].format);
        assert_ptr_equal(found, buffer);
        glGetIntegerv(GL_ALPHA_BITS, &value);
        assert_int_equal(value != 0, strlen(formats[f].order) == 4);
        OSMesaDestroyContext(c);
    }
    free(buffer);
}

static void test_565(void **state)
{
    static uint16_t buffer[WIDTH * HEIGHT];
    OSMesaContext c = OSMesaCreateContext(OSMESA_RGB_565, NULL);

    assert_non_null(c);
    assert_false(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
    assert_true(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_SHORT_5_6_5, WIDTH, HEIGHT));
    draw_halves();
    assert_int_equal(buffer[0], 0xf800);
    assert_int_equal(buffer[WIDTH * HEIGHT - 1], 0x07e0);
    OSMesaDestroyContext(c);
}

/* Frees the old buffer and attaches a new one of another size, many times. */
static void test_resizing(void **state)
{
    OSMesaContext c = OSMesaCreateContextExt(OSMESA_RGBA, 16, 0, 0, NULL);

    for (int size = 1; size < 300; size += 37) {
        uint8_t *buffer = malloc(size * (size + 3) * 4);
        GLint width, height, bytes;
        void *depth;

        assert_true(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, size, size + 3));
        OSMesaGetIntegerv(OSMESA_HEIGHT, &height);
        assert_int_equal(height, size + 3);
        glViewport(0, 0, size, size + 3);
        glClearDepth(0.25);
        glClearColor(1, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glFinish();
        for (int i = 0; i < size * (size + 3) * 4; i++)
            assert_int_equal(buffer[i], 255);
        assert_true(OSMesaGetDepthBuffer(c, &width, &height, &bytes, &depth));
        assert_int_equal(width, size);
        assert_int_equal(height, size + 3);
        assert_int_equal(bytes, 2);
        assert_in_range(((uint16_t *)depth)[size * (size + 3) - 1], 0x3fff, 0x4000);
        glClear(GL_COLOR_BUFFER_BIT); /* not finished: the freed buffer must not be written */
        free(buffer);
    }
    OSMesaDestroyContext(c);
}

static void test_depth(void **state)
{
    static uint8_t buffer[WIDTH * HEIGHT * 4];
    OSMesaContext c = OSMesaCreateContext(OSMESA_RGBA, NULL);
    OSMesaContext none = OSMesaCreateContextExt(OSMESA_RGBA, 0, 0, 0, NULL);
    GLint width, height, bytes, bits;
    uint32_t *depth;

    assert_true(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
    glGetIntegerv(GL_STENCIL_BITS, &bits);
    assert_int_equal(bits, 8);
    draw(0);
    assert_true(OSMesaGetDepthBuffer(c, &width, &height, &bytes, (void **)&depth));
    assert_int_equal(bytes, 4);
    assert_int_equal(depth[WIDTH * HEIGHT - 1], 0xffffff);
    /* the lower left corner of the triangle has depth 0.5 */
    assert_in_range(depth[2 * WIDTH + 5], 0x780000, 0x8fffff);
    assert_true(OSMesaMakeCurrent(none, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
    assert_false(OSMesaGetDepthBuffer(none, &width, &height, &bytes, (void **)&depth));
    assert_null(depth);
    assert_int_equal(width, 0);
    OSMesaDestroyContext(c);
    OSMesaDestroyContext(none);
}

static void test_attribs(void **state)
{
    static uint8_t buffer[WIDTH * HEIGHT * 4];
    const int good[] = {OSMESA_FORMAT,
                        OSMESA_BGRA,
                        OSMESA_DEPTH_BITS,
                        24,
                        OSMESA_STENCIL_BITS,
                        8,
                        OSMESA_ACCUM_BITS,
                        16,
                        OSMESA_PROFILE,
                        OSMESA_COMPAT_PROFILE,
                        OSMESA_CONTEXT_MAJOR_VERSION,
                        2,
                        OSMESA_CONTEXT_MINOR_VERSION,
                        1,
                        0};
    const int junk[] = {0x7777, 1, 0}, version[] = {OSMESA_CONTEXT_MAJOR_VERSION, 9, 0};
    const int profile[] = {OSMESA_PROFILE, 77, 0}, depth[] = {OSMESA_DEPTH_BITS, -1, 0};
    OSMesaContext c = OSMesaCreateContextAttribs(good, NULL), shared;
    GLint value;
    GLuint list;

    assert_non_null(c);
    assert_null(OSMesaCreateContextAttribs(junk, NULL));
    assert_null(OSMesaCreateContextAttribs(version, NULL));
    assert_null(OSMesaCreateContextAttribs(profile, NULL));
    assert_null(OSMesaCreateContextAttribs(depth, NULL));
    assert_null(OSMesaCreateContext(OSMESA_COLOR_INDEX, NULL));
    assert_null(OSMesaCreateContext(0x7777, NULL));
    shared = OSMesaCreateContext(OSMESA_RGBA, c);
    assert_non_null(shared);
    assert_true(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
    glGetIntegerv(GL_ACCUM_RED_BITS, &value);
    assert_int_equal(value, 16);
    glGetIntegerv(GL_DRAW_BUFFER, &value);
    assert_int_equal(value, GL_FRONT);
    list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glEndList();
    assert_true(OSMesaMakeCurrent(shared, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
    assert_true(glIsList(list));
    OSMesaColorClamp(GL_TRUE);
    OSMesaPostprocess(shared, "pp_nored", 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    OSMesaDestroyContext(c);
    assert_true(glIsList(list));
    OSMesaDestroyContext(shared);
}

static void test_garbage(void **state)
{
    static uint8_t buffer[WIDTH * HEIGHT * 4];
    OSMesaContext junk = (OSMesaContext)(uintptr_t)0x1230;
    OSMesaContext c = OSMesaCreateContext(OSMESA_RGBA, NULL);
    GLint value = 5;

    assert_false(OSMesaMakeCurrent(junk, buffer, GL_UNSIGNED_BYTE, 4, 4));
    assert_false(OSMesaMakeCurrent(NULL, buffer, GL_UNSIGNED_BYTE, 4, 4));
    assert_false(OSMesaMakeCurrent(c, NULL, GL_UNSIGNED_BYTE, 4, 4));
    assert_false(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, 0, 4));
    assert_false(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, 4, -1));
    assert_false(OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, 65535, 65535));
    assert_false(OSMesaMakeCurrent(c, buffer, GL_BITMAP, 4, 4));
    assert_null(OSMesaCreateContext(OSMESA_RGBA, junk));
    assert_false(OSMesaGetDepthBuffer(junk, NULL, NULL, NULL, NULL));
    assert_false(OSMesaGetColorBuffer(NULL, NULL, NULL, NULL, NULL));
    OSMesaGetIntegerv(0x7777, &value);
    assert_int_equal(value, 5);
    OSMesaGetIntegerv(OSMESA_MAX_WIDTH, &value);
    assert_true(value >= 4096);
    assert_null(OSMesaGetCurrentContext());
    assert_ptr_equal(OSMesaGetProcAddress("OSMesaMakeCurrent"), OSMesaMakeCurrent);
    assert_non_null(OSMesaGetProcAddress("glBegin"));
    assert_null(OSMesaGetProcAddress("glNoSuchThing"));
    assert_null(OSMesaGetProcAddress(NULL));
    OSMesaPixelStore(OSMESA_Y_UP, 0); /* nothing is current */
    OSMesaDestroyContext(c);
    OSMesaDestroyContext(c);
    OSMesaDestroyContext(junk);
    OSMesaDestroyContext(NULL);
    assert_true(OSMesaMakeCurrent(NULL, NULL, GL_UNSIGNED_BYTE, 0, 0));
}

static void *thread_draws(void *data)
{
    uint8_t *buffer = malloc(WIDTH * HEIGHT * 4);
    OSMesaContext c = OSMesaCreateContext(OSMESA_RGBA, NULL);

    for (int i = 0; i < 20; i++) {
        if (!OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT))
            return NULL;
        draw(30);
    }
    *(OSMesaContext *)data = c; /* still current: released when the thread exits */
    return buffer;
}

static void test_threads(void **state)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    OSMesaContext contexts[THREADS] = {0};
    void *pictures[THREADS];

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, thread_draws, &contexts[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &pictures[i]), 0);
        assert_non_null(pictures[i]);
        assert_memory_equal(pictures[i], pictures[0], WIDTH * HEIGHT * 4);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_true(OSMesaMakeCurrent(contexts[i], pictures[i], GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
        OSMesaDestroyContext(contexts[i]);
    }
    for (int i = 0; i < THREADS; i++)
        free(pictures[i]);
}

struct visitor {
    OSMesaContext context;
    pthread_barrier_t barrier;
    uint8_t buffer[WIDTH * HEIGHT * 4];
    bool ok;
};

/* Draws with a context that another thread destroys. */
static void *draw_destroyed(void *data)
{
    struct visitor *v = data;

    v->ok = OSMesaMakeCurrent(v->context, v->buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT);
    pthread_barrier_wait(&v->barrier); /* it is current */
    pthread_barrier_wait(&v->barrier); /* it is destroyed */
    if (v->ok) {
        draw(30);
        v->ok = OSMesaGetCurrentContext() == v->context && glGetError() == GL_NO_ERROR;
    }
    OSMesaMakeCurrent(NULL, NULL, GL_UNSIGNED_BYTE, 0, 0);
    return NULL;
}

/* A context that is destroyed while it is current to another thread. */
static void test_destroyed_elsewhere(void **state)
{
    static struct visitor v;
    static uint8_t buffer[WIDTH * HEIGHT * 4];
    pthread_t thread;

    memset(v.buffer, 0x55, sizeof v.buffer);
    v.context = OSMesaCreateContext(OSMESA_RGBA, NULL);
    assert_non_null(v.context);
    assert_int_equal(pthread_barrier_init(&v.barrier, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, draw_destroyed, &v), 0);
    pthread_barrier_wait(&v.barrier);
    assert_true(v.ok);
    assert_false(OSMesaMakeCurrent(v.context, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
    OSMesaDestroyContext(v.context);
    assert_false(OSMesaMakeCurrent(v.context, buffer, GL_UNSIGNED_BYTE, WIDTH, HEIGHT));
    OSMesaDestroyContext(v.context);
    pthread_barrier_wait(&v.barrier);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(v.ok);
    /* the program may have freed the buffer, so it is not written */
    for (size_t i = 0; i < sizeof v.buffer; i++)
        assert_int_equal(v.buffer[i], 0x55);
    pthread_barrier_destroy(&v.barrier);
}

static int write_picture(const char *path)
{
    enum { SIDE = 200 };
    static uint8_t buffer[SIDE * SIDE * 4];
    const uint32_t size[2] = {SIDE, SIDE};
    OSMesaContext c = OSMesaCreateContext(OSMESA_RGBA, NULL);
    FILE *file = fopen(path, "wb");

    if (!file || !OSMesaMakeCurrent(c, buffer, GL_UNSIGNED_BYTE, SIDE, SIDE))
        return 1;
    draw(20);
    printf("renderer string: %s\n", (const char *)glGetString(GL_RENDERER));
    fwrite(size, sizeof size, 1, file);
    fwrite(buffer, sizeof buffer, 1, file);
    OSMesaDestroyContext(c);
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),  cmocka_unit_test(test_565),
        cmocka_unit_test(test_resizing), cmocka_unit_test(test_depth),
        cmocka_unit_test(test_attribs),  cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_destroyed_elsewhere),
    };

    return argc > 1 ? write_picture(argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}
