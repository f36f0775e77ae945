/* SPDX-License-Identifier: MIT */
/* Multisampling: coverage, masks, shading, resolves and fetches. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE    16
#define SAMPLES 4

struct target {
    GLuint many, single; /* framebuffers with SAMPLES samples and with one */
    GLuint texture;      /* multisample texture */
};

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static struct target make_target(void)
{
    struct target t;
    GLuint rb;
    glGenFramebuffers(1, &t.single);
    glBindFramebuffer(GL_FRAMEBUFFER, t.single);
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    glGenFramebuffers(1, &t.many);
    glBindFramebuffer(GL_FRAMEBUFFER, t.many);
    glGenTextures(1, &t.texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t.texture);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, SAMPLES, GL_RGBA8, SIZE, SIZE, GL_TRUE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE,
                           t.texture, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, SIZE, SIZE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    return t;
}

static void free_target(struct target *t)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteTextures(1, &t->texture);
    glDeleteFramebuffers(1, &t->single);
    glDeleteFramebuffers(1, &t->many);
    glUseProgram(0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static void resolve(const struct target *t)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, t->many);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t->single);
    glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, t->single);
}

static void quad(void)
{
    glRectf(-1, -1, 1, 1);
}

/* Checks four pixels that a diagonal cuts: their coverage is that of the samples on its side. */
static void test_coverage(void **state)
{
    struct target t = make_target();
    float position[SAMPLES][2];
    GLint samples, buffers;
    unsigned below = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    glGetIntegerv(GL_SAMPLE_BUFFERS, &buffers);
    assert_int_equal(samples, SAMPLES);
    assert_int_equal(buffers, 1);
    for (unsigned i = 0; i < SAMPLES; i++) {
        glGetMultisamplefv(GL_SAMPLE_POSITION, i, position[i]);
        below += position[i][1] < position[i][0];
    }
    assert_true(below > 0 && below < SAMPLES);
    glColor3f(1, 1, 1);
    glBegin(GL_TRIANGLES);
    glVertex2f(-1, -1);
    glVertex2f(1, -1);
    glVertex2f(1, 1);
    glEnd();
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, position);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    resolve(&t);
    float share = (float)below / SAMPLES;
    for (int i = 0; i < SIZE; i++)
        expect(i, i, share, share, share);
    expect(5, 2, 1, 1, 1);
    expect(2, 5, 0, 0, 0);
    glGetMultisamplefv(GL_SAMPLE_POSITION, SAMPLES, position[0]);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    free_target(&t);
}

static void test_masks(void **state)
{
    struct target t = make_target();
    GLuint query, passed;
    glGenQueries(1, &query);
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 5);
    glColor4f(1, 0, 0, 1);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    quad();
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
    assert_int_equal(passed, SIZE * SIZE * 2);
    glSampleMaski(0, 8);
    glColor4f(0, 1, 0, 1);
    quad();
    glDisable(GL_SAMPLE_MASK);
    resolve(&t);
    expect(3, 3, 0.5f, 0.25f, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, t.many);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0.25f, GL_TRUE);
    glColor4f(0, 0, 1, 1);
    quad();
    glDisable(GL_SAMPLE_COVERAGE);
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE);
    glColor4f(1, 1, 1, 0.5f);
    quad();
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    resolve(&t);
    expect(9, 4, 0.5f, 0, 0.75f);
    /* Without multisampling, masks have no effect. */
    glBindFramebuffer(GL_FRAMEBUFFER, t.many);
    glDisable(GL_MULTISAMPLE);
    glEnable(GL_SAMPLE_MASK);
    glSampleMaski(0, 1);
    glColor4f(1, 1, 1, 1);
    quad();
    glDisable(GL_SAMPLE_MASK);
    glEnable(GL_MULTISAMPLE);
    resolve(&t);
    expect(9, 4, 1, 1, 1);
    glDeleteQueries(1, &query);
    free_target(&t);
}

/* Checks that the alpha test sees the alpha that GL_SAMPLE_ALPHA_TO_ONE sets, but only in
 * multisampling (GL 4.6 compatibility §17.3.1, §17.3.2). */
static void test_alpha_test(void **state)
{
    static const GLenum funcs[] = {GL_GEQUAL, GL_LESS};
    struct target t = make_target();
    glEnable(GL_ALPHA_TEST);
    glColor4f(1, 1, 1, 0.25f);
    for (unsigned i = 0; i < 8; i++) {
        const bool passes = (i >> 1 == 3) == (funcs[i & 1] == GL_GEQUAL);
        glBindFramebuffer(GL_FRAMEBUFFER, t.many);
        glAlphaFunc(funcs[i & 1], 0.5f);
        (i & 2 ? glEnable : glDisable)(GL_SAMPLE_ALPHA_TO_ONE);
        (i & 4 ? glEnable : glDisable)(GL_MULTISAMPLE);
        glClear(GL_COLOR_BUFFER_BIT);
        quad();
        resolve(&t);
        expect(5, 5, passes, passes, passes);
    }
    glDisable(GL_SAMPLE_ALPHA_TO_ONE);
    glDisable(GL_ALPHA_TEST);
    free_target(&t);
}

/* Checks that clears under masks reach every sample. */
static void test_clears(void **state)
{
    struct target t = make_target();
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    glClearColor(1, 1, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    resolve(&t);
    expect(0, 0, 1, 0, 0.5f);
    expect(SIZE - 1, SIZE - 1, 1, 0, 0.5f);
    free_target(&t);
}

/* Checks copies within an image and to another one: they reach every sample. */
static void test_copies(void **state)
{
    struct target t = make_target(), other = make_target();
    glBindFramebuffer(GL_FRAMEBUFFER, t.many);
    glEnable(GL_SCISSOR_TEST);
    glScissor(SIZE / 2, 0, SIZE / 2, SIZE);
    glClearColor(0, 1, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glCopyImageSubData(t.texture, GL_TEXTURE_2D_MULTISAMPLE, 0, SIZE / 2, 0, 0, t.texture,
                       GL_TEXTURE_2D_MULTISAMPLE, 0, 0, SIZE / 2, 0, SIZE / 2, SIZE / 2, 1);
    glCopyImageSubData(t.texture, GL_TEXTURE_2D_MULTISAMPLE, 0, 0, SIZE / 2, 0, other.texture,
                       GL_TEXTURE_2D_MULTISAMPLE, 0, 3, 2, 0, 4, 4, 1);
    resolve(&t);
    expect(0, SIZE / 2, 0, 1, 0.5f);
    expect(0, SIZE / 2 - 1, 0, 0, 0);
    resolve(&other);
    expect(3, 2, 0, 1, 0.5f);
    expect(6, 5, 0, 1, 0.5f);
    expect(7, 5, 0, 0, 0);
    free_target(&other);
    free_target(&t);
}

/* Checks a multisample window; reads from it resolve. */
static void test_window(void **state)
{
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    static struct gl_test_window size = {SIZE, SIZE};
    struct gl_visual many = visual;
    enum gl_create_error error;
    GLuint texture;
    uint8_t texel[SIZE * SIZE][4], center[4];
    many.samples = SAMPLES;
    assert_false(core->visual_supported(&many)); /* with an accumulation buffer */
    many.accum_bits = 0;
    assert_true(core->visual_supported(&many));
    struct gl_context *ctx = core->context_create(
        &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &many}, &error);
    struct gl_drawable *window = core->drawable_create(&many, &ops, &size);
    assert_non_null(ctx);
    assert_true(core->make_current(ctx, window, window));
    glClear(GL_COLOR_BUFFER_BIT);
    glBegin(GL_TRIANGLES);
    glVertex2f(-1, -1);
    glVertex2f(1, -1);
    glVertex2f(1, 1);
    glEnd();
    glReadPixels(4, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, center);
    assert_true(center[0] > 0 && center[0] < 255);
    expect(9, 2, 1, 1, 1);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, SIZE, SIZE, 0);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    assert_int_equal(texel[4 * SIZE + 4][0], center[0]);
    glWindowPos2i(0, 4);
    glCopyPixels(4, 4, 1, 1, GL_COLOR);
    float gray = (float)center[0] / 255;
    expect(0, 4, gray, gray, gray);
    glDeleteTextures(1, &texture);
    /* Conditional rendering discards blits, but not the resolve of a read (GL 4.6 §2.4). */
    GLuint query;
    glGenQueries(1, &query);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    glBlitFramebuffer(0, 8, 2, 10, 8, 0, 10, 2, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    expect(9, 2, 1, 1, 1);
    expect(9, 0, 1, 1, 1);
    glEndConditionalRender();
    glDeleteQueries(1, &query);
    expect(9, 0, 1, 1, 1);
    assert_true(core->make_current(*state, drawable, drawable));
    core->context_destroy(ctx);
    core->drawable_destroy(window);
}

/* Checks that each sample has its own depth: two planes that cross in a pixel share it. */
static void test_depth(void **state)
{
    struct target t = make_target();
    GLuint depth;
    float position[2];
    unsigned left = 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        glGetMultisamplefv(GL_SAMPLE_POSITION, i, position);
        left += position[0] < 0.5f;
    }
    glGenRenderbuffers(1, &depth);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, SAMPLES, GL_DEPTH_COMPONENT24, SIZE, SIZE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glColor3f(1, 0, 0);
    quad(); /* at depth 1/2 */
    glColor3f(0, 1, 0);
    float middle = 2 * 7.5f / SIZE - 1; /* x where the second plane has that depth */
    glBegin(GL_QUADS);
    glVertex3f(-1, -1, -1 - middle);
    glVertex3f(1, -1, 1 - middle);
    glVertex3f(1, 1, 1 - middle);
    glVertex3f(-1, 1, -1 - middle);
    glEnd();
    glDisable(GL_DEPTH_TEST);
    resolve(&t);
    expect(7, 7, 1 - (float)left / SAMPLES, (float)left / SAMPLES, 0);
    expect(6, 7, 0, 1, 0);
    expect(8, 7, 1, 0, 0);
    glDeleteRenderbuffers(1, &depth);
    free_target(&t);
}

static const char pass_vs[] = "#version 150 compatibility\n"
                              "void main() { gl_Position = gl_Vertex; }\n";

/* Runs a shader per sample, and fetches the samples with another one. */
static void test_samples(void **state)
{
    struct target t = make_target();
    GLuint writer =
        gl_test_program(pass_vs, "#version 150\n"
                                 "#extension GL_ARB_sample_shading : require\n"
                                 "out vec4 color;\n"
                                 "void main() {\n"
                                 "    color = vec4(gl_SampleID == 2, gl_SamplePosition,\n"
                                 "                 float(gl_NumSamples) / 8.0);\n"
                                 "}\n");
    GLuint reader =
        gl_test_program(pass_vs, "#version 150\n"
                                 "#extension GL_ARB_texture_multisample : require\n"
                                 "uniform sampler2DMS s;\n"
                                 "uniform int n;\n"
                                 "out vec4 color;\n"
                                 "void main() {\n"
                                 "    color = texelFetch(s, ivec2(gl_FragCoord), n);\n"
                                 "    if (textureSize(s) != ivec2(16)) color = vec4(1);\n"
                                 "}\n");
    glUseProgram(writer);
    quad();
    resolve(&t);
    glUseProgram(reader);
    for (int i = 0; i < SAMPLES; i++) {
        float at[2];
        glBindFramebuffer(GL_FRAMEBUFFER, t.many);
        glGetMultisamplefv(GL_SAMPLE_POSITION, (GLuint)i, at);
        glBindFramebuffer(GL_FRAMEBUFFER, t.single);
        glUniform1i(glGetUniformLocation(reader, "n"), i);
        quad();
        expect(3, 12, i == 2, at[0], at[1]);
    }
    glUniform1i(glGetUniformLocation(reader, "n"), SAMPLES);
    quad();
    expect(3, 12, 0, 0, 0);
    glDeleteProgram(writer);
    glDeleteProgram(reader);
    free_target(&t);
}

/* Checks that without multisampling, a fragment is shaded once and sees a single sample. */
static void test_disabled(void **state)
{
    struct target t = make_target();
    GLuint p =
        gl_test_program(pass_vs, "#version 150\n"
                                 "#extension GL_ARB_sample_shading : require\n"
                                 "#extension GL_ARB_gpu_shader5 : require\n"
                                 "out vec4 color;\n"
                                 "void main() {\n"
                                 "    color = vec4(gl_SampleMaskIn[0] == 1, gl_SampleID == 0,\n"
                                 "                 gl_SamplePosition == vec2(0.5), 1);\n"
                                 "}\n");
    glUseProgram(p);
    glDisable(GL_MULTISAMPLE);
    quad();
    glEnable(GL_MULTISAMPLE);
    glUseProgram(0);
    resolve(&t);
    expect(3, 12, 1, 1, 1);
    glDeleteProgram(p);
    free_target(&t);
}

static void test_errors(void **state)
{
    GLuint t;
    GLint v, max;
    glGetIntegerv(GL_MAX_SAMPLES, &max);
    assert_true(max >= 4);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_RGBA8, 4, 4, GL_TRUE);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, max + 1, GL_RGBA8, 4, 4, GL_TRUE);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGB9_E5, 4, 4, GL_TRUE);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glTexImage2DMultisample(GL_TEXTURE_2D, 2, GL_RGBA8, 4, 4, GL_TRUE);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_FLOAT, NULL);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BASE_LEVEL, 1);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glGenerateMipmap(GL_TEXTURE_2D_MULTISAMPLE);
    assert_int_equal(glGetError(), GL_INVALID_ENUM);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 3, GL_RGBA8, 4, 5, GL_FALSE);
    glGetTexLevelParameteriv(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_SAMPLES, &v);
    assert_int_equal(v, 4);
    glGetTexLevelParameteriv(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_FIXED_SAMPLE_LOCATIONS, &v);
    assert_int_equal(v, GL_FALSE);
    glGetTexLevelParameteriv(GL_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_HEIGHT, &v);
    assert_int_equal(v, 5);
    glTexImage2DMultisample(GL_PROXY_TEXTURE_2D_MULTISAMPLE, max + 1, GL_RGBA8, 4, 4, GL_TRUE);
    glGetTexLevelParameteriv(GL_PROXY_TEXTURE_2D_MULTISAMPLE, 0, GL_TEXTURE_WIDTH, &v);
    assert_int_equal(v, 0);
    glGetInternalformativ(GL_RENDERBUFFER, GL_RGBA8, GL_SAMPLES, 1, &v);
    assert_int_equal(v, max);
    glDeleteTextures(1, &t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage), cmocka_unit_test(test_masks),
        cmocka_unit_test(test_depth),    cmocka_unit_test(test_samples),
        cmocka_unit_test(test_disabled), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_clears),   cmocka_unit_test(test_window),
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_alpha_test),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
