/* SPDX-License-Identifier: MIT */
/* Contents of the window's front and back buffers around swaps. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gl_test.h"

#define WIDTH  150
#define HEIGHT 100

/* A window whose picture can be read back. Its top row is blue with a white pixel at the right,
 * which no buffer of the drawable ever contains. */
struct window {
    struct gl_test_window size;
    bool readable, watched;
    unsigned reads;
    struct gl_drawable *drawable;
    struct gl_context *ctx;
};

static bool get_size(void *data, int *width, int *height)
{
    return gl_test_get_size(&((struct window *)data)->size, width, height);
}

static void *read_corner(void *data)
{
    uint32_t texel;
    core->drawable_resolve(((struct window *)data)->drawable, GL_BUFFER_BACK_LEFT, &texel, 4, 0, 0,
                           1, 1);
    return NULL;
}

static bool read_front(void *data, void *dst, uint32_t stride, int width, int height)
{
    struct window *w = data;
    uint32_t *top = dst;
    w->reads++;
    /* Another thread without a context reads the window meanwhile; waiting for it is allowed. */
    if (w->watched) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, read_corner, w), 0);
        pthread_join(thread, NULL);
    }
    for (int y = 0; y < height; y++)
        memset((uint8_t *)dst + (size_t)y * stride, 0x80, (size_t)width * 4);
    for (int x = 0; x < width; x++)
        top[x] = 0xff0000ff;
    top[width - 1] = 0xffffffff;
    return w->readable;
}

/* Creates a context and a drawable of this visual, and makes them current. */
static void open_visual(struct window *w, const struct gl_visual *v)
{
    static const struct gl_drawable_ops ops = {.get_size = get_size, .read_front = read_front};
    enum gl_create_error error;
    core = indium_core_interface();
    *w = (struct window){.size = {WIDTH, HEIGHT}, .readable = true};
    w->ctx = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = v}, &error);
    w->drawable = core->drawable_create(v, &ops, w);
    assert_true(w->ctx && w->drawable && core->make_current(w->ctx, w->drawable, w->drawable));
}

static void open_window(struct window *w, unsigned samples)
{
    struct gl_visual v = visual;
    v.samples = samples;
    v.accum_bits = 0;
    open_visual(w, &v);
}

static void close_window(struct window *w)
{
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(w->ctx);
    core->drawable_destroy(w->drawable);
}

static void fill(GLenum buffer, float r, float g, float b)
{
    glDrawBuffer(buffer);
    glClearColor(r, g, b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void expect_buffer(GLenum buffer, float r, float g, float b)
{
    glReadBuffer(buffer);
    expect(0, 0, r, g, b);
    expect(WIDTH - 1, HEIGHT - 1, r, g, b);
    glReadBuffer(GL_BACK);
}

/* Checks that a frame continues with the contents of the last one. */
static void test_back(void **state)
{
    struct window w;
    open_window(&w, 0);
    assert_int_equal(core->drawable_age(w.drawable), 0);
    fill(GL_BACK, 1, 0, 0);
    core->drawable_swap(w.drawable);
    assert_int_equal(core->drawable_age(w.drawable), 1);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 70, 70);
    fill(GL_BACK, 0, 1, 0);
    core->drawable_swap(w.drawable);
    assert_int_equal(core->drawable_age(w.drawable), 1);
    expect(69, 69, 0, 1, 0);
    expect(70, 69, 1, 0, 0);
    glScissor(20, 20, 10, 10);
    fill(GL_BACK, 0, 0, 1);
    expect(19, 19, 0, 1, 0);
    expect(20, 20, 0, 0, 1);
    w.size.width++;
    glViewport(0, 0, w.size.width, HEIGHT);
    assert_int_equal(core->drawable_age(w.drawable), 0);
    assert_int_equal(w.reads, 0);
    close_window(&w);
}

/* Checks that the front buffer has the swapped frame, whatever the back buffer contains. */
static void test_front(void **state)
{
    for (unsigned samples = 0; samples <= 4; samples += 4) {
        struct window w;
        open_window(&w, samples);
        fill(GL_BACK, 1, 0, 0);
        core->drawable_swap(w.drawable);
        expect_buffer(GL_FRONT, 1, 0, 0);
        fill(GL_BACK, 0, 1, 0);
        expect_buffer(GL_FRONT, 1, 0, 0);
        expect_buffer(GL_BACK, 0, 1, 0);
        core->drawable_swap(w.drawable);
        expect_buffer(GL_BACK, 0, 1, 0);
        fill(GL_BACK, 0, 0, 1);
        expect_buffer(GL_FRONT, 0, 1, 0); /* it was used in the frame before */
        core->drawable_swap(w.drawable);
        glReadBuffer(GL_FRONT);
        fill(GL_BACK, 1, 1, 0);
        expect_buffer(GL_FRONT, 0, 0, 1); /* it is the read buffer */
        core->drawable_swap(w.drawable);
        fill(GL_FRONT, 0, 1, 1);
        expect_buffer(GL_BACK, 1, 1, 0);
        expect_buffer(GL_FRONT, 0, 1, 1);
        core->drawable_swap(w.drawable);
        expect_buffer(GL_FRONT, 1, 1, 0);
        assert_int_equal(w.reads, 0);
        close_window(&w);
    }
}

/* Checks that a front buffer not used before the back buffer was drawn to is read from the
 * window. */
static void test_lost_front(void **state)
{
    for (unsigned samples = 0; samples <= 4; samples += 4) {
        struct window w;
        open_window(&w, samples);
        for (unsigned i = 0; i < 3; i++) {
            fill(GL_BACK, 1, 0, 0);
            core->drawable_swap(w.drawable);
        }
        fill(GL_BACK, 0, 1, 0);
        assert_int_equal(w.reads, 0);
        glReadBuffer(GL_FRONT);
        expect(0, HEIGHT - 1, 0, 0, 1);
        expect(WIDTH - 1, HEIGHT - 1, 1, 1, 1);
        expect(WIDTH - 1, HEIGHT - 2, 0x80 / 255.0f, 0x80 / 255.0f, 0x80 / 255.0f);
        expect(0, 0, 0x80 / 255.0f, 0x80 / 255.0f, 0x80 / 255.0f);
        assert_int_equal(w.reads, 1);
        expect_buffer(GL_BACK, 0, 1, 0);
        /* A front buffer that is unused for a frame is dropped. */
        for (unsigned i = 0; i < 3; i++) {
            core->drawable_swap(w.drawable);
            fill(GL_BACK, 1, 0, 1);
        }
        assert_int_equal(w.reads, 1);
        w.readable = false;
        fill(GL_FRONT, 0, 1, 1);
        assert_int_equal(w.reads, 2);
        expect_buffer(GL_FRONT, 0, 1, 1);
        expect_buffer(GL_BACK, 1, 0, 1);
        close_window(&w);
    }
}

/* Copies between both buffers, and copies a rectangle to the window. */
static void test_copies(void **state)
{
    struct window w;
    uint32_t rows[HEIGHT][WIDTH];
    open_window(&w, 0);
    fill(GL_BACK, 1, 0, 0);
    core->drawable_swap(w.drawable);
    /* The last frame into the next one. */
    fill(GL_BACK, 0, 1, 0);
    core->drawable_swap(w.drawable);
    glReadBuffer(GL_FRONT);
    fill(GL_BACK, 0, 0, 1);
    glBlitFramebuffer(0, 0, 50, 50, 10, 10, 60, 60, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glReadBuffer(GL_BACK);
    expect(9, 9, 0, 0, 1);
    expect(10, 10, 0, 1, 0);
    /* Outside the rectangle, the front buffer has the previous frame. */
    assert_true(core->drawable_copy_back(w.drawable, 5, 5, 10, 10));
    glReadBuffer(GL_FRONT);
    expect(4, 4, 0, 1, 0);
    expect(5, 5, 0, 0, 1);
    expect(14, 14, 0, 1, 0);
    memset(rows, 0x55, sizeof rows);
    assert_true(core->drawable_resolve(w.drawable, GL_BUFFER_FRONT_LEFT, rows, sizeof rows[0], 0, 0,
                                       WIDTH, HEIGHT));
    assert_int_equal(rows[HEIGHT - 1 - 5][5], 0xff0000ff);
    assert_int_equal(rows[HEIGHT - 1 - 4][4], 0xff00ff00);
    /* After a swap, the front buffer can be read from the back buffer, until that is drawn to
     * while the front buffer is unused. */
    fill(GL_BACK, 1, 1, 0);
    core->drawable_swap(w.drawable);
    assert_true(core->drawable_resolve(w.drawable, GL_BUFFER_FRONT_LEFT, rows, sizeof rows[0], 0, 0,
                                       WIDTH, HEIGHT));
    assert_int_equal(rows[0][0], 0xffffff00);
    glReadBuffer(GL_BACK);
    for (unsigned i = 0; i < 2; i++) {
        fill(GL_BACK, 0, 1, 0);
        core->drawable_swap(w.drawable);
    }
    fill(GL_BACK, 0, 0, 1);
    assert_false(core->drawable_resolve(w.drawable, GL_BUFFER_FRONT_LEFT, rows, sizeof rows[0], 0,
                                        0, WIDTH, HEIGHT));
    assert_int_equal(w.reads, 0);
    close_window(&w);
}

/* Checks that draws to the front and the back buffer store color 0 in both, with the blend function
 * and the color mask of draw buffer 0. */
static void test_both_buffers(void **state)
{
#define VERSION "#version 330 compatibility\n"
    static const char *const shaders[] = {
        VERSION "out vec4 c; void main() { c = vec4(0, 1, 0, 1); }",
        VERSION "out vec4 c[2]; void main() { c[1] = vec4(1); c[0] = vec4(0, 1, 0, 1); }",
        VERSION "layout(location = 0) out vec2 c; layout(location = 1) out vec4 other;\n"
                "void main() { other = vec4(0, 0, 1, 1); c = other.xz; }",
    };
    struct window w;
    open_window(&w, 0);
    glViewport(0, 0, WIDTH, HEIGHT);
    for (unsigned i = 0; i < sizeof shaders / sizeof *shaders; i++) {
        GLuint p = gl_test_program(VERSION "void main() { gl_Position = gl_Vertex; }", shaders[i]);
        fill(GL_FRONT_AND_BACK, 1, 0, 0);
        glUseProgram(p);
        glColorMask(GL_TRUE, GL_TRUE, GL_FALSE, GL_TRUE); /* the last shader writes no blue */
        glRectf(-1, -1, 1, 1);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        expect_buffer(GL_FRONT, 0, 1, 0);
        expect_buffer(GL_BACK, 0, 1, 0);
        gl_test_delete_program(p);
    }
    fill(GL_FRONT_AND_BACK, 1, 0, 0);
    glEnablei(GL_BLEND, 0);
    glBlendFunci(0, GL_ONE, GL_ONE);
    glColorMaski(0, GL_TRUE, GL_TRUE, GL_FALSE, GL_TRUE);
    glColor3f(0, 1, 1);
    glRectf(-1, -1, 1, 1);
    expect_buffer(GL_FRONT, 1, 1, 0);
    expect_buffer(GL_BACK, 1, 1, 0);

    /* KHR_blend_equation_advanced blends only with one buffer. */
    GLuint p = gl_test_program(VERSION "void main() { gl_Position = gl_Vertex; }",
                               VERSION "#extension GL_KHR_blend_equation_advanced : require\n"
                                       "layout(blend_support_multiply) out;\n"
                                       "out vec4 c; void main() { c = vec4(1); }");
    glUseProgram(p);
    glBlendEquation(GL_MULTIPLY_KHR);
    glDrawBuffer(GL_LEFT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect_error(GL_INVALID_OPERATION);
    glDrawBuffer(GL_BACK);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect_error(GL_NO_ERROR);
    gl_test_delete_program(p);
    close_window(&w);
}

/* Checks that failed conditional rendering discards blits, but not the resolves of other
 * commands. */
static void test_conditional_resolves(void **state)
{
    struct window w;
    uint32_t texel[2] = {0};
    GLuint query;
    open_window(&w, 4);
    fill(GL_FRONT, 0, 0, 1);
    fill(GL_BACK, 0, 1, 0);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glEndQuery(GL_SAMPLES_PASSED);
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    expect(0, 0, 0, 1, 0);
    assert_true(core->drawable_resolve(w.drawable, GL_BUFFER_BACK_LEFT, texel, 4, 0, 0, 1, 1));
    assert_int_equal(texel[0] & 0xffffff, 0x00ff00);
    glReadBuffer(GL_FRONT);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glEndConditionalRender();
    expect_buffer(GL_BACK, 0, 1, 0);
    glDeleteQueries(1, &query);
    close_window(&w);
}

/* Checks the rules of blits from a multisample window to another window. */
static void test_blit_windows(void **state)
{
    static const struct gl_drawable_ops ops = {.get_size = get_size};
    struct gl_visual v = visual;
    struct window w;
    open_window(&w, 0);
    v.samples = 4;
    v.accum_bits = 0;
    struct gl_drawable *other = core->drawable_create(&v, &ops, &w);
    assert_true(other && core->make_current(w.ctx, other, other));
    fill(GL_BACK, 0, 1, 0);
    assert_true(core->make_current(w.ctx, w.drawable, other));
    fill(GL_BACK, 1, 0, 0);
    glBlitFramebuffer(0, 0, 10, 10, 0, 0, 20, 20, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect_error(GL_INVALID_OPERATION);
    glBlitFramebuffer(0, 0, 10, 10, 20, 20, 30, 30, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect_error(GL_NO_ERROR);
    assert_true(core->make_current(w.ctx, w.drawable, w.drawable));
    expect(0, 0, 1, 0, 0);
    expect(20, 20, 0, 1, 0);
    core->drawable_destroy(other);
    close_window(&w);
}

/* Returns a parameter of a buffer of the default framebuffer; -1: it could not be queried. */
static GLint buffer_value(GLenum buffer, GLenum pname)
{
    GLint v = -1;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, buffer, pname, &v);
    return v;
}

/* Checks a window with only a front buffer: queries of missing buffers (GL 4.6 §9.2.3), and
 * GL_BACK, which glDrawBuffers accepts (§17.4.1). */
static void test_single_buffer(void **state)
{
    static const GLenum missing[] = {GL_FRONT_RIGHT, GL_BACK,  GL_BACK_LEFT,
                                     GL_BACK_RIGHT,  GL_DEPTH, GL_STENCIL};
    static const GLenum back[] = {GL_BACK};
    struct gl_visual v = visual;
    struct window w;
    v.double_buffered = false;
    v.depth_stencil = DRV_FORMAT_NONE;
    v.accum_bits = 0;
    open_visual(&w, &v);
    for (unsigned i = 0; i < sizeof missing / sizeof *missing; i++) {
        assert_int_equal(buffer_value(missing[i], GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), GL_NONE);
        assert_int_equal(buffer_value(missing[i], GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), 0);
        expect_error(GL_NO_ERROR);
        buffer_value(missing[i], GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE);
        expect_error(GL_INVALID_OPERATION);
    }
    assert_int_equal(buffer_value(GL_FRONT, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE),
                     GL_FRAMEBUFFER_DEFAULT);
    assert_int_equal(buffer_value(GL_FRONT_LEFT, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE), 8);
    glDrawBuffer(GL_BACK);
    expect_error(GL_INVALID_OPERATION);
    glDrawBuffers(1, back);
    expect_error(GL_NO_ERROR);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadBuffer(GL_FRONT);
    expect(0, 0, 0, 1, 0);
    close_window(&w);
}

/* Checks that while one thread reads the window, another one may request its buffers, both without
 * a context. */
static void test_two_readers(void **state)
{
    struct window w;
    open_window(&w, 0);
    fill(GL_BACK, 0, 1, 0);
    core->make_current(NULL, NULL, NULL);
    w.watched = true;
    assert_true(core->drawable_copy_back(w.drawable, 0, 0, 10, 10));
    assert_int_equal(w.reads, 1);
    close_window(&w);
}

static bool count_sizes(void *data, int *width, int *height)
{
    struct window *w = data;
    w->reads++;
    return get_size(data, width, height);
}

/* Checks that viewports of a texture don't query the window's size; drawing to the window does. */
static void test_viewports_of_textures(void **state)
{
    static const struct gl_drawable_ops ops = {.get_size = count_sizes};
    struct window w;
    GLuint texture, object;
    open_window(&w, 0);
    struct gl_drawable *counted = core->drawable_create(&visual, &ops, &w);
    assert_true(counted && core->make_current(w.ctx, counted, counted));
    fill(GL_BACK, 0, 1, 0);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &object);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    unsigned before = w.reads;
    w.size = (struct gl_test_window){WIDTH + 7, HEIGHT + 9};
    for (unsigned i = 0; i < 3; i++) {
        glViewport(0, 0, 16, 16);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    assert_int_equal(w.reads, before);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    fill(GL_BACK, 0, 0, 1);
    assert_int_equal(w.reads, before + 1);
    expect(WIDTH + 6, HEIGHT + 8, 0, 0, 1);
    glBindFramebuffer(GL_FRAMEBUFFER, object);
    glViewport(0, 0, 16, 16);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    before = w.reads;
    w.size = (struct gl_test_window){WIDTH, HEIGHT};
    glViewport(0, 0, WIDTH, HEIGHT);
    assert_int_equal(w.reads, before + 1);
    fill(GL_BACK, 1, 0, 0);
    expect(WIDTH - 1, HEIGHT - 1, 1, 0, 0);
    glDeleteFramebuffers(1, &object);
    glDeleteTextures(1, &texture);
    assert_true(core->make_current(w.ctx, w.drawable, w.drawable));
    core->drawable_destroy(counted);
    close_window(&w);
}

static bool stop_reading; /* atomic */

/* Reads a window, without a context, until told to stop. */
static void *read_often(void *data)
{
    while (!__atomic_load_n(&stop_reading, __ATOMIC_SEQ_CST))
        read_corner(data);
    return NULL;
}

/* A child can read a window without a context, even if another thread did so during the fork. */
static void test_fork(void **state)
{
    struct window w, other;
    pthread_t thread;
    open_window(&other, 0);
    open_window(&w, 0);
    fill(GL_BACK, 0, 1, 0);
    glFinish();
    core->make_current(NULL, NULL, NULL);
    read_corner(&w); /* creates the context that threads without one use */
    read_corner(&other);
    assert_int_equal(pthread_create(&thread, NULL, read_often, &w), 0);
    for (unsigned i = 0; i < 10; i++) {
        int status;
        alarm(60); /* ends a fork() that waits forever */
        pid_t child = fork();
        if (!child) {
            alarm(30);
            read_corner(&other);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    alarm(0);
    __atomic_store_n(&stop_reading, true, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    close_window(&w);
    close_window(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_back),
        cmocka_unit_test(test_front),
        cmocka_unit_test(test_lost_front),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_two_readers),
        cmocka_unit_test(test_viewports_of_textures),
        cmocka_unit_test(test_both_buffers),
        cmocka_unit_test(test_single_buffer),
        cmocka_unit_test(test_conditional_resolves),
        cmocka_unit_test(test_blit_windows),
        cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
