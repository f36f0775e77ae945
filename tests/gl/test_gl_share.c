/* SPDX-License-Identifier: MIT */
/*
 * Contexts that share objects, on unsynchronized threads. What they read is then undefined, but
 * memory accesses are not. The test checks each thread's own results; sanitizers check the rest.
 * Then, on one thread: what contexts see of each other, that is, framebuffers, their order, and
 * what is flushed when a context is released.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "gl_test.h"

static const struct gl_test_window window = {32, 32};

enum { ROUNDS = 150 };

struct worker {
    void (*work)(unsigned round);
    struct gl_context *context;
    bool failed;
};

static void *run(void *data)
{
    struct worker *w = data;
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    struct gl_drawable *d = core->drawable_create(&visual, &ops, (void *)&window);
    w->failed = !d || !core->make_current(w->context, d, d);
    for (unsigned round = 0; round < ROUNDS && !w->failed; round++)
        w->work(round);
    glFinish();
    core->make_current(NULL, NULL, NULL);
    core->drawable_destroy(d);
    return NULL;
}

/* Runs both functions at once: the first on this thread, the second on another thread with another
 * context of the share group. */
static void together(struct gl_context *first, void (*here)(unsigned), void (*there)(unsigned))
{
    enum gl_create_error error;
    struct gl_context_attribs attribs = {
        .api = GL_API_COMPAT, .major = 1, .visual = &visual, .share = first};
    struct worker w = {.work = there, .context = core->context_create(&attribs, &error)};
    pthread_t thread;
    assert_non_null(w.context);
    assert_int_equal(pthread_create(&thread, NULL, run, &w), 0);
    for (unsigned round = 0; round < ROUNDS; round++)
        here(round);
    pthread_join(thread, NULL);
    core->context_destroy(w.context);
    assert_false(w.failed);
    while (glGetError())
        ;
    /* Checks that the context works. */
    glBindTexture(GL_TEXTURE_2D, 0);
    glDisable(GL_TEXTURE_2D);
    glUseProgram(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glDisableClientState(GL_VERTEX_ARRAY);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 1, 1);
    expect(16, 16, 0, 1, 0);
}

static void rectangle(void)
{
    glBegin(GL_TRIANGLES);
    glVertex2f(-1, -1);
    glTexCoord2f(1, 1);
    glVertex2f(1, -1);
    glTexCoord2f(0, 1);
    glVertex2f(0, 1);
    glEnd();
}

/* --- textures --- */

enum {
    TEXTURE = 77,
    BUFFER = 78,
    INDICES = 79,
    RENDERBUFFER = 80,
    SAMPLER = 81,
    FRAMEBUFFER = 82,
    PROGRAM_NAMES = 8
};

static void draw_textured(unsigned round)
{
    glBindTexture(GL_TEXTURE_2D, TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                    round & 1 ? GL_NEAREST : GL_LINEAR_MIPMAP_NEAREST);
    glEnable(GL_TEXTURE_2D);
    rectangle();
    glFlush();
}

static void delete_texture(unsigned round)
{
    const GLuint name = TEXTURE;
    draw_textured(round);
    glDeleteTextures(1, &name);
}

static void specify_texture(unsigned round)
{
    static const uint8_t texels[64 * 64 * 4];
    GLsizei size = 1 << round % 7;
    glBindTexture(GL_TEXTURE_2D, TEXTURE);
    glTexImage2D(GL_TEXTURE_2D, 0, round & 1 ? GL_RGBA : GL_LUMINANCE, size, size, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    if (round % 3 == 0)
        glGenerateMipmap(GL_TEXTURE_2D);
}

static void specify_and_draw(unsigned round)
{
    specify_texture(round);
    draw_textured(round);
}

static void test_textures(void **state)
{
    together(*state, specify_texture, delete_texture);
    together(*state, specify_and_draw, specify_texture);
    together(*state, draw_textured, specify_and_draw);
    together(*state, delete_texture, delete_texture);
}

/* --- buffers --- */

static const float triangle[512] = {-1, -1, 1, -1, 0, 1};

static void specify_buffer(unsigned round)
{
    static const uint16_t indices[300] = {0, 1, 2};
    glBindBuffer(GL_ARRAY_BUFFER, BUFFER);
    glBufferData(GL_ARRAY_BUFFER, 24 << round % 5, triangle, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, INDICES);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, round & 1 ? 6 : sizeof indices, indices, GL_STREAM_DRAW);
    if (round % 4 == 0)
        glBufferSubData(GL_ARRAY_BUFFER, 0, 8, triangle);
    void *p = round % 4 == 1 ? glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY) : NULL;
    if (p)
        glUnmapBuffer(GL_ARRAY_BUFFER);
}

static void draw_buffer(unsigned round)
{
    glBindBuffer(GL_ARRAY_BUFFER, BUFFER);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, INDICES);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL);
    glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_SHORT, NULL);
    if (round % 16 == 0)
        glFlush();
}

static void delete_buffer(unsigned round)
{
    static const GLuint names[] = {BUFFER, INDICES};
    specify_buffer(round);
    draw_buffer(round);
    glDeleteBuffers(2, names);
}

static void test_buffers(void **state)
{
    together(*state, specify_buffer, specify_buffer);
    together(*state, draw_buffer, specify_buffer);
    together(*state, draw_buffer, delete_buffer);
    together(*state, delete_buffer, delete_buffer);
}

/* --- renderbuffers, samplers --- */

static void use_renderbuffer(unsigned round)
{
    GLuint framebuffer;
    const GLuint name = RENDERBUFFER;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, RENDERBUFFER);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1 + (GLsizei)round % 9, 8);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, RENDERBUFFER);
    glClear(GL_COLOR_BUFFER_BIT);
    rectangle();
    glDeleteFramebuffers(1, &framebuffer);
    if (round % 5 == 0)
        glDeleteRenderbuffers(1, &name);
}

static void use_sampler(unsigned round)
{
    const GLuint name = SAMPLER;
    glBindSampler(0, SAMPLER);
    glSamplerParameteri(SAMPLER, GL_TEXTURE_MIN_FILTER, round & 1 ? GL_NEAREST : GL_LINEAR);
    draw_textured(round);
    if (round % 5 == 0)
        glDeleteSamplers(1, &name);
    glBindSampler(0, 0);
}

static void test_renderbuffers_and_samplers(void **state)
{
    GLuint first;
    glGenSamplers(1, &first);
    together(*state, use_renderbuffer, use_renderbuffer);
    together(*state, use_sampler, use_sampler);
    glDeleteSamplers(1, &first);
}

/* --- programs: each thread links what the other uses --- */

static GLuint programs[PROGRAM_NAMES];

static void make_programs(void)
{
    for (unsigned i = 0; i < PROGRAM_NAMES; i++)
        programs[i] = gl_test_program("varying vec2 v; uniform vec2 a[2];\n"
                                      "void main() { v = a[1]; gl_Position = gl_Vertex; }",
                                      "varying vec2 v; uniform vec4 color;\n"
                                      "void main() { gl_FragColor = color + v.xyxy; }");
}

static void use_program(unsigned round)
{
    GLuint program = programs[round / 4 % PROGRAM_NAMES];
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "color"), 1, 0, 0, 1);
    glUniform2fv(glGetUniformLocation(program, "a"), 2, triangle);
    rectangle();
    glFlush();
}

static void link_program(unsigned round)
{
    GLuint program = programs[round / 4 % PROGRAM_NAMES], shader[2] = {0};
    GLsizei count = 0;
    const char *text = round & 1 ? "void main() { gl_Position = gl_Vertex; }" : "}";
    glGetAttachedShaders(program, 2, &count, shader);
    if (round % 8 == 0 && count) {
        glShaderSource(shader[0], 1, &text, NULL);
        glCompileShader(shader[0]);
    }
    glLinkProgram(program);
    use_program(round);
    if (round % 50 == 49)
        glDeleteProgram(program);
}

static void test_programs(void **state)
{
    make_programs();
    together(*state, use_program, link_program);
    make_programs();
    together(*state, link_program, link_program);
}

/* --- a context that joins while another draws --- */

static void come_and_go(unsigned round)
{
    enum gl_create_error error;
    struct gl_context *self = core->get_current();
    struct gl_context_attribs attribs = {
        .api = GL_API_COMPAT, .major = 1, .visual = &visual, .share = self};
    if (round % 10 == 0)
        core->context_destroy(core->context_create(&attribs, &error));
    specify_and_draw(round);
}

static void test_contexts(void **state)
{
    together(*state, specify_and_draw, come_and_go);
}

/* --- framebuffers (EXT_framebuffer_object, issue 76) --- */

static void attach_framebuffer(unsigned round)
{
    static const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    specify_texture(round);
    glBindFramebufferEXT(GL_FRAMEBUFFER, FRAMEBUFFER);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + round % 2, GL_TEXTURE_2D,
                           round % 3 ? TEXTURE : 0, 0);
    glDrawBuffers(1 + (GLsizei)round / 2 % 2, buffers);
}

static void draw_framebuffer(unsigned round)
{
    if (round % 8 == 0)
        glBindFramebufferEXT(GL_FRAMEBUFFER, FRAMEBUFFER);
    glClear(GL_COLOR_BUFFER_BIT);
    rectangle();
    glFlush();
}

static void delete_framebuffer(unsigned round)
{
    const GLuint name = FRAMEBUFFER;
    attach_framebuffer(round);
    draw_framebuffer(round);
    glDeleteFramebuffers(1, &name);
}

static void test_framebuffers_at_once(void **state)
{
    together(*state, attach_framebuffer, draw_framebuffer);
    together(*state, draw_framebuffer, delete_framebuffer);
    together(*state, delete_framebuffer, delete_framebuffer);
}

static struct gl_context *sharing(struct gl_context *first, enum gl_api api)
{
    enum gl_create_error error;
    struct gl_context *ctx = core->context_create(
        &(struct gl_context_attribs){
            .api = api, .major = api == GL_API_COMPAT ? 1 : 3, .visual = &visual, .share = first},
        &error);
    assert_non_null(ctx);
    return ctx;
}

/* Creates and binds a framebuffer of one pixel. */
static GLuint make_pixel(void)
{
    GLuint framebuffer, renderbuffer;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    return framebuffer;
}

static void clear_to(float r, float g)
{
    glClearColor(r, g, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void test_framebuffers(void **state)
{
    GLuint framebuffer = make_pixel(), name;
    GLint v;
    clear_to(0, 1);
    glFinish();
    struct gl_context *second = sharing(*state, GL_API_COMPAT);
    struct gl_context *third = sharing(*state, GL_API_CORE);

    /* It is the same object, and its name is not used again. */
    assert_true(core->make_current(second, drawable, drawable));
    assert_true(glIsFramebuffer(framebuffer));
    glGenFramebuffers(1, &name);
    assert_int_not_equal(name, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    expect(0, 0, 0, 1, 0);

    /* A change in one context affects draws of the other. */
    assert_true(core->make_current(*state, drawable, drawable));
    clear_to(1, 0);
    assert_true(core->make_current(second, drawable, drawable));
    glDrawBuffer(GL_NONE);
    assert_true(core->make_current(*state, drawable, drawable));
    clear_to(0, 0);
    expect(0, 0, 1, 0, 0);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);

    /* Deleted in one context, it stays bound in the other. */
    glDeleteFramebuffers(1, &framebuffer);
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &v);
    assert_int_equal(v, 0);
    assert_false(glIsFramebuffer(framebuffer));
    assert_true(core->make_current(second, drawable, drawable));
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    clear_to(0, 1);
    expect(0, 0, 0, 1, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    expect_error(GL_INVALID_OPERATION);

    /* A core profile has its own framebuffers (GL 4.6, chapter 5). */
    framebuffer = make_pixel();
    assert_true(core->make_current(third, drawable, drawable));
    assert_false(glIsFramebuffer(framebuffer));
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    expect_error(GL_INVALID_OPERATION);

    /* The framebuffers of a destroyed context stay available to the others. */
    assert_true(core->make_current(*state, drawable, drawable));
    core->context_destroy(second);
    core->context_destroy(third);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
}

/* Draws red to the whole bound framebuffer, which takes workers long. */
static void draw_slowly(void)
{
    GLuint program = glCreateProgram();
    gl_test_attach(program, GL_FRAGMENT_SHADER,
                   "uniform float step;\n"
                   "void main() {\n"
                   "    float x = gl_FragCoord.x;\n"
                   "    for (int i = 0; i < 400; i++)\n"
                   "        x = sin(x) + step;\n"
                   "    gl_FragColor = vec4(1.0, 0.0, x > 100.0 ? 1.0 : 0.0, 1.0);\n"
                   "}\n");
    gl_test_use(program);
    glRectf(-1, -1, 1, 1);
    gl_test_delete_program(program);
}

/* Checks that flushed work of one context precedes later work of another one on the same pixels. */
static void test_order(void **state)
{
    enum { SIDE = 256 };
    struct gl_context *second = sharing(*state, GL_API_COMPAT);
    GLuint framebuffer = make_pixel();
    uint8_t p[4];

    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIDE, SIDE);
    glViewport(0, 0, SIDE, SIDE);
    assert_true(core->make_current(second, drawable, drawable));
    glViewport(0, 0, SIDE, SIDE);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (unsigned round = 0; round < 8; round++) {
        assert_true(core->make_current(*state, drawable, drawable));
        draw_slowly();
        assert_true(core->make_current(second, drawable, drawable));
        if (round % 2) { /* reads what the first one drew */
            glReadPixels(SIDE - 1, SIDE - 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
            assert_int_equal(p[0], 255);
            assert_int_equal(p[1], 0);
        }
        glColor3f(0, 1, 0);
        glRectf(-1, -1, 1, 1);
        glFinish();
        assert_true(core->make_current(*state, drawable, drawable));
        glFinish();
        for (int at = 0; at < SIDE; at += 15)
            expect(at, at, 0, 1, 0);
        clear_to(0, 0);
        glFinish();
    }
    core->context_destroy(second);
}

/* --- a drawable that two threads draw to and show --- */

static struct gl_drawable *common;
static int common_size = 32, common_shown; /* atomic: size in pixels, number of flushes */

static bool get_common_size(void *data, int *width, int *height)
{
    *width = *height = __atomic_load_n(&common_size, __ATOMIC_RELAXED);
    return true;
}

static GLuint shrunk[2]; /* renderbuffers: color, depth and stencil */

/* Makes the renderbuffers smaller in another context. */
static void *shrink(void *second)
{
    core->make_current(second, NULL, NULL);
    for (unsigned i = 0; i < 2; i++) {
        glBindRenderbuffer(GL_RENDERBUFFER, shrunk[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, i ? GL_DEPTH24_STENCIL8 : GL_RGBA8, 4, 4);
    }
    glFinish();
    core->make_current(NULL, NULL, NULL);
    return NULL;
}

/* Clears parts of the texels of buffers, and draws pixels to them, after another context has made
 * them smaller. */
static void test_shrunk_buffers(void **state)
{
    enum { LARGE = 2048 };
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    struct gl_context *second = sharing(*state, GL_API_COMPAT);
    void *pixels = calloc(LARGE * LARGE, 4);
    pthread_t thread;
    GLuint framebuffer, first;
    glGenRenderbuffers(1, &first);
    glGenRenderbuffers(2, shrunk);
    glBindRenderbuffer(GL_RENDERBUFFER, first);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, LARGE, LARGE);
    glBindRenderbuffer(GL_RENDERBUFFER, shrunk[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, LARGE, LARGE);
    glBindRenderbuffer(GL_RENDERBUFFER, shrunk[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, LARGE, LARGE);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, both[0], GL_RENDERBUFFER, first);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, both[1], GL_RENDERBUFFER, shrunk[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              shrunk[1]);
    glDrawBuffers(2, both);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    glStencilMask(0x0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    assert_int_equal(pthread_create(&thread, NULL, shrink, second), 0);
    pthread_join(thread, NULL);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilMask(~0u);
    glWindowPos2i(0, 0);
    glDrawPixels(LARGE, LARGE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glFinish();
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(2, shrunk);
    glDeleteRenderbuffers(1, &first);
    core->context_destroy(second);
    free(pixels);
}

static void show_common(void *data)
{
    uint8_t pixels[64 * 64][4];
    __atomic_add_fetch(&common_shown, 1, __ATOMIC_RELAXED);
    core->drawable_resolve(common, GL_BUFFER_FRONT_LEFT, pixels, 64 * 4, 0, 0, 64, 64);
}

/* Draws, and runs each operation that accesses the drawable's buffers. No lock of a share group
 * protects these contexts from each other. */
static void draw_common(unsigned round)
{
    uint8_t pixels[64 * 64][4];
    uint32_t depth[64 * 64];
    glDrawBuffer(round % 5 ? GL_BACK : GL_FRONT);
    glReadBuffer(round % 3 ? GL_BACK : GL_FRONT);
    glViewport(0, 0, 64, 64);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | (round % 7 ? 0 : GL_ACCUM_BUFFER_BIT));
    rectangle();
    switch (round % 6) {
    case 0:
        glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        break;
    case 1:
        glAccum(GL_LOAD, 1);
        glAccum(GL_RETURN, 1);
        break;
    case 2:
        glBlitFramebuffer(0, 0, 40, 40, 60, 60, 10, 10, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        break;
    case 3:
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 48, 48, 0);
        break;
    case 4:
        core->drawable_copy_back(common, 3, 3, 50, 50);
        core->drawable_read_depth(common, depth, 64 * 4, 64, 64);
        break;
    default:
        glDrawPixels(48, 48, GL_RGBA, GL_UNSIGNED_BYTE, memset(pixels, 1, sizeof pixels));
        break;
    }
    if (round % 4 == 1)
        core->drawable_swap(common);
    else if (round % 4 == 2)
        glFlush();
    else if (round % 4 == 3)
        __atomic_store_n(&common_size, (int)(16 + round * 7 % 48), __ATOMIC_RELAXED);
    core->drawable_age(common);
}

static void *run_common(void *data)
{
    bool *ok = data;
    enum gl_create_error error;
    struct gl_context *ctx = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &visual}, &error);
    *ok = ctx && core->make_current(ctx, common, common);
    for (unsigned round = 0; round < ROUNDS && *ok; round++)
        draw_common(round + 2);
    core->make_current(NULL, NULL, NULL);
    core->context_destroy(ctx);
    return NULL;
}

static void test_drawable_at_once(void **state)
{
    static const struct gl_drawable_ops ops = {get_common_size, show_common};
    pthread_t thread;
    bool ok;
    common = core->drawable_create(&visual, &ops, NULL);
    assert_non_null(common);
    assert_int_equal(pthread_create(&thread, NULL, run_common, &ok), 0);
    assert_true(core->make_current(*state, common, common));
    for (unsigned round = 0; round < ROUNDS; round++)
        draw_common(round);
    pthread_join(thread, NULL);
    assert_true(ok);
    assert_true(common_shown > 0);

    /* Each context updates size and buffers when it begins to draw. */
    __atomic_store_n(&common_size, 48, __ATOMIC_RELAXED);
    core->drawable_swap(common);
    glDrawBuffer(GL_BACK);
    glReadBuffer(GL_BACK);
    glViewport(0, 0, 48, 48);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    expect(47, 47, 0, 1, 0);
    core->drawable_swap(common);
    uint8_t pixels[48][4] = {{0}};
    assert_true(core->drawable_resolve(common, GL_BUFFER_FRONT_LEFT, pixels, 48 * 4, 0, 0, 48, 1));
    assert_int_equal(pixels[47][1], 255);
    assert_true(core->make_current(*state, drawable, drawable));
    core->drawable_destroy(common);
}

/* Presents a multisample drawable, on a thread without a context. */
static void *show_samples(void *data)
{
    uint8_t pixels[32 * 32][4];
    bool *ok = data;
    for (unsigned round = 0; round < ROUNDS; round++) {
        *ok &= core->drawable_resolve(common, GL_BUFFER_BACK_LEFT, pixels, 32 * 4, 0, 0, 32, 32);
        core->drawable_swap(common);
    }
    return NULL;
}

static void test_samples_shown(void **state)
{
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    static const struct gl_visual with_samples = {
        .color = DRV_FORMAT_B8G8R8A8_UNORM, .double_buffered = true, .samples = 4};
    enum gl_create_error error;
    struct gl_context *ctx = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &with_samples},
        &error);
    uint8_t pixels[32 * 32][4];
    pthread_t thread;
    bool ok = true;
    common = core->drawable_create(&with_samples, &ops, (void *)&window);
    assert_true(ctx && common);
    assert_int_equal(pthread_create(&thread, NULL, show_samples, &ok), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        assert_true(core->make_current(ctx, common, common));
        clear_to(0, 1);
        assert_true(
            core->drawable_resolve(common, GL_BUFFER_BACK_LEFT, pixels, 32 * 4, 0, 0, 32, 32));
    }
    pthread_join(thread, NULL);
    assert_true(ok);
    assert_true(core->make_current(*state, drawable, drawable));
    core->context_destroy(ctx);
    core->drawable_destroy(common);
}

/* --- KHR_context_flush_control --- */

static bool is_green(void)
{
    uint8_t p[4] = {0};
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return p[1] == 255;
}

/* Returns whether the pixels become red; workers may take a while. */
static bool becomes_red(void)
{
    for (unsigned i = 0; i < 5000 && is_green(); i++)
        usleep(1000);
    return !is_green();
}

/* Draws green, then red without a flush, in a context with that release behavior, and releases it.
 * The first context then reads the pixels. */
static struct gl_context *release_with(struct gl_context *first, bool no_release_flush)
{
    enum gl_create_error error;
    struct gl_context *ctx =
        core->context_create(&(struct gl_context_attribs){.api = GL_API_COMPAT,
                                                          .major = 1,
                                                          .visual = &visual,
                                                          .share = first,
                                                          .no_release_flush = no_release_flush},
                             &error);
    GLint v;
    assert_non_null(ctx);
    assert_true(core->make_current(ctx, drawable, drawable));
    glGetIntegerv(GL_CONTEXT_RELEASE_BEHAVIOR, &v);
    assert_int_equal(v, no_release_flush ? GL_NONE : GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH);
    GLuint framebuffer = make_pixel();
    clear_to(0, 1);
    glFinish();
    clear_to(1, 0);
    assert_true(core->make_current(first, drawable, drawable));
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    return ctx;
}

static void test_release(void **state)
{
    struct gl_context *ctx = release_with(*state, false);
    assert_true(becomes_red());
    core->context_destroy(ctx);

    /* Not flushed until the context flushes … */
    ctx = release_with(*state, true);
    usleep(20000);
    assert_true(is_green());
    assert_true(core->make_current(ctx, drawable, drawable));
    glFlush();
    assert_true(core->make_current(*state, drawable, drawable));
    assert_true(becomes_red());
    core->context_destroy(ctx);

    /* … or is destroyed, which executes its pending commands. */
    ctx = release_with(*state, true);
    core->context_destroy(ctx);
    assert_true(becomes_red());
}

/* A context, and where the threads that release and destroy it meet. */
struct destruction {
    struct gl_context *context;
    pthread_barrier_t start;
};

static void *destroy(void *data)
{
    struct destruction *d = data;
    pthread_barrier_wait(&d->start);
    core->context_destroy(d->context);
    return NULL;
}

/* If a thread destroys a context while another thread releases it, exactly one of them frees it,
 * which executes its pending commands. */
static void test_destroyed_at_release(void **state)
{
    enum { TRIES = 50 };
    for (unsigned i = 0; i < TRIES; i++) {
        struct destruction d = {.context = release_with(*state, true)};
        pthread_t thread;
        assert_true(core->make_current(d.context, drawable, drawable));
        pthread_barrier_init(&d.start, NULL, 2);
        assert_int_equal(pthread_create(&thread, NULL, destroy, &d), 0);
        pthread_barrier_wait(&d.start);
        assert_true(core->make_current(*state, drawable, drawable));
        pthread_join(thread, NULL);
        pthread_barrier_destroy(&d.start);
        assert_true(becomes_red());
    }
}

/* --- creation and copies --- */

static void expect_refused(struct gl_context_attribs attribs, enum gl_create_error expected)
{
    enum gl_create_error error = GL_CREATE_OK;
    assert_null(core->context_create(&attribs, &error));
    assert_int_equal(error, expected);
}

/* Contexts of a group have the same reset strategy, and either all or none check for errors. */
static void test_refused(void **state)
{
    const struct gl_context_attribs plain = {
        .api = GL_API_COMPAT, .major = 1, .visual = &visual, .share = *state};
    struct gl_context_attribs attribs = plain;
    attribs.reset = GL_RESET_LOSE_CONTEXT;
    expect_refused(attribs, GL_CREATE_BAD_SHARE);
    attribs = plain;
    attribs.no_error = true;
    expect_refused(attribs, GL_CREATE_BAD_SHARE);
    attribs.share = NULL;
    attribs.debug = true;
    expect_refused(attribs, GL_CREATE_BAD_FLAG);
    attribs.debug = false;
    attribs.robust_access = true;
    expect_refused(attribs, GL_CREATE_BAD_FLAG);
    attribs = (struct gl_context_attribs){
        .api = GL_API_ES2, .major = 2, .visual = &visual, .forward_compatible = true};
    expect_refused(attribs, GL_CREATE_BAD_FLAG);
}

static GLint binding(GLenum unit, GLenum name)
{
    GLint texture;
    glActiveTexture(unit);
    glGetIntegerv(name, &texture);
    return texture;
}

static void check_bindings(const GLuint expected[2])
{
    GLint active;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    assert_int_equal(active, GL_TEXTURE3);
    assert_int_equal(binding(GL_TEXTURE3, GL_TEXTURE_BINDING_CUBE_MAP), expected[1]);
    assert_int_equal(binding(GL_TEXTURE0, GL_TEXTURE_BINDING_2D), expected[0]);
    glActiveTexture(GL_TEXTURE3);
}

static void draw_pixel(void)
{
    const GLubyte green[4] = {0, 255, 0, 255};
    glWindowPos2i(3, 3);
    glDrawPixels(1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    expect(3, 3, 0, 1, 0);
}

/* glXCopyContext: the groups of glPushAttrib, except that textures are only bound in contexts that
 * share them. */
static void test_copies(void **state)
{
    struct gl_context_attribs attribs = {.api = GL_API_COMPAT, .major = 1, .visual = &visual};
    struct gl_context *stranger = core->context_create(&attribs, NULL), *sharing;
    const GLuint none[2] = {0, 0};
    GLuint textures[2];
    GLfloat color[4];
    attribs.share = *state;
    sharing = core->context_create(&attribs, NULL);
    assert_true(sharing && stranger);
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glActiveTexture(GL_TEXTURE3);
    glBindTexture(GL_TEXTURE_CUBE_MAP, textures[1]);
    draw_pixel();
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    glBegin(GL_TRIANGLES);
    for (unsigned i = 0; i < 3; i++) {
        glColor4f(0.25f, 0.5f, (float)i, 1);
        glVertex2f(-2, -2);
    }
    glEnd();
    assert_false(core->context_copy(sharing, *state, GL_TEXTURE_BIT));
    assert_true(core->context_copy(*state, stranger, GL_ALL_ATTRIB_BITS));
    assert_true(core->context_copy(*state, sharing, GL_ALL_ATTRIB_BITS));

    assert_true(core->make_current(stranger, drawable, drawable));
    check_bindings(none);
    draw_pixel();
    assert_true(core->make_current(sharing, drawable, drawable));
    check_bindings(textures);
    glGetFloatv(GL_CURRENT_COLOR, color);
    assert_true(color[0] == 0.25f && color[1] == 0.5f && color[2] == 2);
    assert_int_equal(binding(GL_TEXTURE3, GL_CLAMP_READ_COLOR), GL_FALSE);
    draw_pixel();
    glDeleteTextures(2, textures);
    assert_true(core->make_current(*state, drawable, drawable));
    core->context_destroy(sharing);
    core->context_destroy(stranger);
    draw_pixel();
}

/* What belongs to which group: color clamps are enables, too. A read buffer is that of the
 * framebuffer it was saved with. */
static void test_attributes(void **state)
{
    GLuint framebuffer;
    glPushAttrib(GL_ENABLE_BIT);
    glClampColor(GL_CLAMP_VERTEX_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    glPopAttrib();
    assert_int_equal(binding(GL_TEXTURE0, GL_CLAMP_VERTEX_COLOR), GL_TRUE);
    assert_int_equal(binding(GL_TEXTURE0, GL_CLAMP_FRAGMENT_COLOR), GL_FIXED_ONLY);
    assert_int_equal(binding(GL_TEXTURE0, GL_CLAMP_READ_COLOR), GL_FIXED_ONLY);
    glPushAttrib(GL_COLOR_BUFFER_BIT);
    glClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);
    glPopAttrib();
    assert_int_equal(binding(GL_TEXTURE0, GL_CLAMP_READ_COLOR), GL_FIXED_ONLY);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPushAttrib(GL_PIXEL_MODE_BIT);
    glReadBuffer(GL_NONE);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_FRONT);
    glPopAttrib();
    assert_int_equal(binding(GL_TEXTURE0, GL_READ_BUFFER), GL_FRONT);
    glReadBuffer(GL_BACK);
    glDeleteFramebuffers(1, &framebuffer);
    glPushAttrib(GL_PIXEL_MODE_BIT);
    draw_pixel();
    glPopAttrib();
    draw_pixel();
}

/* What belongs to which attribute group (GL 4.6 compatibility chapter 23): flags that belong only
 * to GL_ENABLE_BIT or to no group, and state that is stored apart from the rest of its group. */
static void test_attribute_groups(void **state)
{
    static const struct {
        GLenum cap;
        GLbitfield group; /* a related group, which doesn't contain the flag */
        bool enable;      /* GL_ENABLE_BIT contains the flag */
    } caps[] = {
        {GL_VERTEX_PROGRAM_TWO_SIDE, GL_LIGHTING_BIT, true},
        {GL_PROGRAM_POINT_SIZE, GL_POINT_BIT, true},
        {GL_SAMPLE_MASK, GL_MULTISAMPLE_BIT, false},
        {GL_TEXTURE_CUBE_MAP_SEAMLESS, GL_TEXTURE_BIT, false},
        {GL_RASTERIZER_DISCARD, GL_TRANSFORM_BIT, false},
    };
    for (unsigned i = 0; i < sizeof caps / sizeof *caps; i++) {
        glPushAttrib(caps[i].group);
        glPushAttrib(GL_ENABLE_BIT);
        glEnable(caps[i].cap);
        glPopAttrib();
        assert_int_equal(glIsEnabled(caps[i].cap), !caps[i].enable);
        glEnable(caps[i].cap);
        glPopAttrib();
        assert_true(glIsEnabled(caps[i].cap));
        glDisable(caps[i].cap);
    }

    GLint value;
    GLfloat scale;
    glPushAttrib(GL_MULTISAMPLE_BIT | GL_PIXEL_MODE_BIT | GL_CURRENT_BIT);
    glSampleMaski(0, 5);
    glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 2, (const GLfloat[]){0, 1});
    glPixelTransferf(GL_RED_SCALE, 0.5f);
    glPatchParameteri(GL_PATCH_VERTICES, 7);
    glPopAttrib();
    glGetIntegeri_v(GL_SAMPLE_MASK_VALUE, 0, &value);
    assert_int_equal(value, 5);
    glGetIntegerv(GL_PIXEL_MAP_R_TO_R_SIZE, &value);
    assert_int_equal(value, 2);
    glGetFloatv(GL_RED_SCALE, &scale);
    assert_true(scale == 1);
    glGetIntegerv(GL_PATCH_VERTICES, &value);
    assert_int_equal(value, 3);
    glSampleMaski(0, ~0u);
    glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 1, (const GLfloat[]){0});

    GLuint buffer[2];
    glGenBuffers(2, buffer);
    glBindBuffer(GL_TEXTURE_BUFFER, buffer[0]);
    glPushAttrib(GL_TEXTURE_BIT);
    glBindBuffer(GL_TEXTURE_BUFFER, buffer[1]);
    glPopAttrib();
    glGetIntegerv(GL_TEXTURE_BUFFER, &value); /* GL_TEXTURE_BUFFER_BINDING has this value, too */
    assert_int_equal(value, buffer[0]);
    glPushAttrib(GL_TEXTURE_BIT);
    glDeleteBuffers(2, buffer);
    glPopAttrib();
    glGetIntegerv(GL_TEXTURE_BUFFER, &value);
    assert_int_equal(value, 0);

    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glPopClientAttrib();
    assert_false(glIsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX));
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* glPopClientAttrib doesn't bind deleted buffers, but an object keeps those that stayed attached to
 * it (GL 4.6 §5.1.3). */
static void test_pop_deleted_buffers(void **state)
{
    static const GLenum bindings[] = {GL_ARRAY_BUFFER_BINDING, GL_VERTEX_ARRAY_BUFFER_BINDING,
                                      GL_ELEMENT_ARRAY_BUFFER_BINDING, GL_PIXEL_PACK_BUFFER_BINDING,
                                      GL_PIXEL_UNPACK_BUFFER_BINDING};
    GLuint buffer[4], vao;
    GLint value;
    glGenBuffers(4, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[1]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer[2]);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer[3]);
    glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
    glDeleteBuffers(4, buffer);
    glPopClientAttrib();
    for (unsigned i = 0; i < sizeof bindings / sizeof *bindings; i++) {
        glGetIntegerv(bindings[i], &value);
        assert_int_equal(value, 0);
    }

    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    glGenBuffers(1, buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glBindVertexArray(0);
    glDeleteBuffers(1, buffer);
    glPopClientAttrib();
    glGetIntegerv(GL_VERTEX_ARRAY_BUFFER_BINDING, &value);
    assert_int_equal(value, buffer[0]);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &value);
    assert_int_equal(value, 0);
    glBindVertexArray(0);
    glDeleteVertexArrays(1, &vao);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static unsigned waits;

static void count_wait(void *data)
{
    waits += *(const unsigned *)data;
}

/* Only the next command that draws or may access shared objects calls the function of
 * delay_commands, and only once. */
static void test_delay(void **state)
{
    enum gl_create_error error;
    unsigned one = 1;
    GLuint textures[2];
    struct gl_context *other = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &visual}, &error);
    assert_non_null(other);
    waits = 0;
    draw_pixel();
    core->delay_commands(*state, count_wait, &one);
    glFlush();
    glFinish();
    glEnable(GL_DITHER);
    assert_int_equal(waits, 0);
    glGenTextures(1, &textures[0]);
    assert_int_equal(waits, 1);
    glGenTextures(1, &textures[1]);
    assert_int_equal(waits, 1);
    core->delay_commands(*state, count_wait, &one);
    draw_pixel();
    glFinish();
    assert_int_equal(waits, 2);
    glDeleteTextures(2, textures);
    /* other contexts don't wait, nor does one that is destroyed */
    assert_true(core->make_current(other, drawable, drawable));
    core->delay_commands(other, count_wait, &one);
    assert_true(core->make_current(*state, drawable, drawable));
    draw_pixel();
    core->context_destroy(other);
    assert_int_equal(waits, 2);
}

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_textures, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_buffers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_renderbuffers_and_samplers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_programs, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_contexts, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_framebuffers_at_once, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_framebuffers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_shrunk_buffers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_order, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_drawable_at_once, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_samples_shown, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_release, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_destroyed_at_release, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_copies, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_attributes, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_attribute_groups, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_pop_deleted_buffers, setup, gl_test_teardown),
        cmocka_unit_test_setup_teardown(test_delay, setup, gl_test_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
