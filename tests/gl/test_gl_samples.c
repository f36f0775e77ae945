/* SPDX-License-Identifier: MIT */
/* Multisampling with 2 samples up to the maximum. Most tests fetch every sample of the target and
 * compare each one with its expected value. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"
#include "util/macros.h"

#define MAX_SAMPLES 16
#define SIZE        20 /* width and height of most targets */
#define LARGE       72 /* more than one tile */

/* The standard sample positions in 1/16 pixel (Vulkan 1.3 §25.4). */
static const uint8_t standard[][MAX_SAMPLES][2] = {
    {{12, 12}, {4, 4}},
    {{6, 2}, {14, 6}, {2, 10}, {10, 14}},
    {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}},
    {
        {9, 9},
        {7, 5},
        {5, 10},
        {12, 7},
        {3, 6},
        {10, 13},
        {13, 11},
        {11, 3},
        {6, 14},
        {8, 1},
        {4, 2},
        {2, 12},
        {0, 8},
        {15, 4},
        {14, 15},
        {1, 0},
    },
};

static const char pass_vs[] = "#version 150 compatibility\n"
                              "void main() { gl_Position = gl_Vertex; }\n";
/* Passes the position in pixels. */
static const char pixel_vs[] = "#version 150 compatibility\n"
                               "out vec2 at;\n"
                               "void main() {\n"
                               "    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n"
                               "    at = gl_Vertex.xy;\n"
                               "}\n";

static unsigned max_samples;
static GLuint reader; /* program that copies a sample */

/* Framebuffers of the same size: `many` has a multisampled texture and a depth-stencil buffer,
 * `single` a renderbuffer without multisampling. */
struct target {
    int samples, size;
    GLuint many, single, texture, buffers[2];
};

static float value[MAX_SAMPLES][LARGE][LARGE][4]; /* set by fetch() */

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    GLint max;
    if (gl_test_setup(state, GL_API_COMPAT, &window))
        return -1;
    glGetIntegerv(GL_MAX_SAMPLES, &max);
    max_samples = (unsigned)max;
    reader = gl_test_program(pass_vs, "#version 150\n"
                                      "uniform sampler2DMS s;\n"
                                      "uniform int n;\n"
                                      "out vec4 color;\n"
                                      "void main() {\n"
                                      "    color = texelFetch(s, ivec2(gl_FragCoord), n);\n"
                                      "}\n");
    return max_samples <= MAX_SAMPLES ? 0 : -1;
}

static struct target make_target(unsigned samples, GLenum format, int size)
{
    struct target t = {.samples = (int)samples, .size = size};
    glGenRenderbuffers(2, t.buffers);
    glGenFramebuffers(1, &t.single);
    glBindFramebuffer(GL_FRAMEBUFFER, t.single);
    glBindRenderbuffer(GL_RENDERBUFFER, t.buffers[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, format, size, size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, t.buffers[0]);
    glGenFramebuffers(1, &t.many);
    glBindFramebuffer(GL_FRAMEBUFFER, t.many);
    glGenTextures(1, &t.texture);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t.texture);
    glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, t.samples, format, size, size, GL_TRUE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE,
                           t.texture, 0);
    glBindRenderbuffer(GL_RENDERBUFFER, t.buffers[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, t.samples, GL_DEPTH24_STENCIL8, size, size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              t.buffers[1]);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, size, size);
    glLoadIdentity();
    glOrtho(0, size, 0, size, -1, 1);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glColor4f(1, 1, 1, 1);
    expect_error(GL_NO_ERROR);
    return t;
}

static void free_target(const struct target *t)
{
    expect_error(GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &t->single);
    glDeleteFramebuffers(1, &t->many);
    glDeleteRenderbuffers(2, t->buffers);
    glDeleteTextures(1, &t->texture);
    glUseProgram(0);
}

/* Draws a triangle that covers the target. */
static void fill(const struct target *t)
{
    const float end = (float)(2 * t->size);
    glBegin(GL_TRIANGLES);
    glVertex2f(0, 0);
    glVertex2f(end, 0);
    glVertex2f(0, end);
    glEnd();
}

/* Stores every sample of the target in value[]. Masks and tests must be disabled. */
static void fetch(const struct target *t)
{
    GLint program;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glBindFramebuffer(GL_FRAMEBUFFER, t->single);
    glUseProgram(reader);
    for (int s = 0; s < t->samples; s++) {
        static float rows[LARGE * LARGE * 4];
        glUniform1i(glGetUniformLocation(reader, "n"), s);
        glRectf(-1, -1, 1, 1);
        glReadPixels(0, 0, t->size, t->size, GL_RGBA, GL_FLOAT, rows);
        for (int y = 0; y < t->size; y++)
            memcpy(value[s][y], rows + y * t->size * 4, (size_t)t->size * 4 * sizeof rows[0]);
    }
    glUseProgram((GLuint)program);
    glBindFramebuffer(GL_FRAMEBUFFER, t->many);
    expect_error(GL_NO_ERROR);
}

static void expect_red(int s, int x, int y, float red)
{
    const float got = value[s][y][x][0];
    if (fabsf(got - red) > 1.0f / 1024)
        fail_msg("sample %d of pixel %d,%d is %g, not %g", s, x, y, (double)got, (double)red);
}

/* Checks that the red of sample s in all pixels is red[s]. */
static void expect_samples(const struct target *t, const float red[MAX_SAMPLES])
{
    fetch(t);
    for (int i = 0; i < t->samples * t->size * t->size; i++)
        expect_red(i % t->samples, i / t->samples % t->size, i / t->samples / t->size,
                   red[i % t->samples]);
}

/* Checks that the samples of the mask are `red` in all pixels, and the others 0. */
static void expect_mask(const struct target *t, unsigned mask, float red)
{
    float want[MAX_SAMPLES];
    for (int s = 0; s < MAX_SAMPLES; s++)
        want[s] = mask >> s & 1 ? red : 0.0f;
    expect_samples(t, want);
}

/* Makes a program current; its uniform "samples", if any, is the target's number of samples. */
static void use(const struct target *t, const char *vs, const char *fs)
{
    const GLuint program = gl_test_program(vs, fs);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "samples"), t->samples);
}

static void delete_program(void)
{
    GLint program;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    gl_test_delete_program((GLuint)program);
}

#define FOR_EACH_COUNT(samples) for (unsigned samples = 2; samples <= max_samples; samples *= 2)

/* --- positions --- */

static const uint8_t (*positions_of(unsigned samples))[2]
{
    return standard[__builtin_ctz(samples) - 1];
}

static void test_limits(void **state)
{
    static const GLenum names[] = {GL_MAX_SAMPLES, GL_MAX_COLOR_TEXTURE_SAMPLES,
                                   GL_MAX_DEPTH_TEXTURE_SAMPLES, GL_MAX_INTEGER_SAMPLES,
                                   GL_MAX_FRAMEBUFFER_SAMPLES};
    static const GLenum formats[] = {GL_RGBA8, GL_RGBA32F, GL_RGBA32UI, GL_DEPTH24_STENCIL8};
    const bool broadwell = strstr((const char *)glGetString(GL_RENDERER), "bdw");
    const GLint want = broadwell ? 8 : 16;
    GLint counts[8] = {0}, n;
    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        glGetIntegerv(names[i], &n);
        assert_int_equal(n, want);
    }
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        glGetInternalformativ(GL_TEXTURE_2D_MULTISAMPLE, formats[i], GL_NUM_SAMPLE_COUNTS, 1, &n);
        assert_in_range(n, 4 - broadwell, 8);
        glGetInternalformativ(GL_RENDERBUFFER, formats[i], GL_SAMPLES, 8, counts);
        assert_int_equal(counts[0], want);
        assert_int_equal(counts[1], want / 2);
    }
    GLuint rb;
    glGenRenderbuffers(1, &rb);
    glBindRenderbuffer(GL_RENDERBUFFER, rb);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, want - 3, GL_RGBA8, 4, 4);
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &n);
    assert_int_equal(n, want);
    expect_error(GL_NO_ERROR);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, want + 1, GL_RGBA8, 4, 4);
    expect_error(GL_INVALID_OPERATION);
    glDeleteRenderbuffers(1, &rb);
}

/* Draws a rectangle of 1/16 pixel around one position per pixel: position i in pixel (1 + i, 3). */
static void mark_positions(const float (*position)[2], unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const float x = 1.0f + (float)i + position[i][0], y = 3.0f + position[i][1];
        glRectf(x - 1 / 32.0f, y - 1 / 32.0f, x + 1 / 32.0f, y + 1 / 32.0f);
    }
}

/* Checks that each rectangle of mark_positions() covers its sample and no other. */
static void expect_marks(const struct target *t)
{
    fetch(t);
    for (int s = 0; s < t->samples; s++)
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++)
                expect_red(s, x, y, y == 3 && x == 1 + s);
}

static void test_positions(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        float position[MAX_SAMPLES][2];
        for (unsigned s = 0; s < samples; s++) {
            glGetMultisamplefv(GL_SAMPLE_POSITION, s, position[s]);
            for (unsigned c = 0; c < 2; c++)
                assert_float_equal(position[s][c], positions_of(samples)[s][c] / 16.0f, 0.0f);
        }
        mark_positions(position, samples);
        expect_marks(&t);
        free_target(&t);
    }
}

/* Programmable locations: sample s is at (s, 15 - s) / 16. */
static void test_locations(void **state)
{
    struct target t = make_target(max_samples, GL_RGBA32F, SIZE);
    float location[MAX_SAMPLES][2], got[2];
    GLint table;
    for (unsigned s = 0; s < max_samples; s++) {
        location[s][0] = (float)s / 16.0f;
        location[s][1] = (float)(15 - s) / 16.0f;
    }
    glGetIntegerv(GL_PROGRAMMABLE_SAMPLE_LOCATION_TABLE_SIZE_ARB, &table);
    assert_true(table >= t.samples);
    glFramebufferSampleLocationsfvARB(GL_FRAMEBUFFER, 0, t.samples, location[0]);
    glFramebufferParameteri(GL_FRAMEBUFFER, GL_FRAMEBUFFER_PROGRAMMABLE_SAMPLE_LOCATIONS_ARB, 1);
    glGetMultisamplefv(GL_PROGRAMMABLE_SAMPLE_LOCATION_ARB, max_samples - 1, got);
    assert_float_equal(got[1], location[max_samples - 1][1], 0.0f);
    mark_positions(location, max_samples);
    expect_marks(&t);
    free_target(&t);
}

/* In multisampled windows, positions are flipped, and a rectangle around a position covers its
 * sample. */
static void test_windows(void **state)
{
    static const struct gl_drawable_ops ops = {.get_size = gl_test_get_size};
    static struct gl_test_window size = {SIZE, SIZE};
    FOR_EACH_COUNT(samples)
    {
        struct gl_visual many = visual;
        enum gl_create_error error;
        float position[MAX_SAMPLES][2];
        many.samples = (uint8_t)samples;
        many.accum_bits = 0;
        assert_true(core->visual_supported(&many));
        struct gl_context *ctx = core->context_create(
            &(struct gl_context_attribs){.api = GL_API_COMPAT, .major = 1, .visual = &many},
            &error);
        struct gl_drawable *window = core->drawable_create(&many, &ops, &size);
        assert_true(core->make_current(ctx, window, window));
        glOrtho(0, SIZE, 0, SIZE, -1, 1);
        for (unsigned s = 0; s < samples; s++) {
            const uint8_t *p = positions_of(samples)[s];
            glGetMultisamplefv(GL_SAMPLE_POSITION, s, position[s]);
            assert_float_equal(position[s][0], p[0] / 16.0f, 0.0f);
            assert_float_equal(position[s][1], (p[1] ? 16 - p[1] : 15) / 16.0f, 0.0f);
        }
        glClear(GL_COLOR_BUFFER_BIT);
        mark_positions(position, samples);
        for (int y = 2; y < 5; y++)
            for (int x = 0; x < SIZE; x++) {
                const float share = 1.0f / (float)samples;
                const float want = y == 3 && x >= 1 && x < 1 + (int)samples ? share : 0.0f;
                expect(x, y, want, want, want);
            }
        /* A rectangle of whole pixels covers all of their samples and no others. */
        glClear(GL_COLOR_BUFFER_BIT);
        glRectf(3, 4, 7, 9);
        for (int y = 2; y < 11; y++)
            for (int x = 1; x < 9; x++) {
                const float want = x >= 3 && x < 7 && y >= 4 && y < 9;
                expect(x, y, want, want, want);
            }
        assert_true(core->make_current(*state, drawable, drawable));
        core->context_destroy(ctx);
        core->drawable_destroy(window);
    }
}

/* --- coverage --- */

/* Checks that primitives with common edges cover each sample once. */
static void test_shared_edges(void **state)
{
    static const float fan[][2] = {{7.3f, 11.8f}, {0, 0}, {SIZE, 0}, {SIZE, SIZE},
                                   {0, SIZE},     {0, 6}, {0, 0}};
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
        glBegin(GL_TRIANGLE_FAN);
        for (unsigned i = 0; i < ARRAY_SIZE(fan); i++)
            glVertex2fv(fan[i]);
        glEnd();
        glRectf(0, 0, 9, SIZE);
        glRectf(9, 0, SIZE, 5);
        glRectf(9, 5, SIZE, SIZE);
        glDisable(GL_BLEND);
        expect_mask(&t, 0xffff, 2);
        free_target(&t);
    }
}

/* Compares each sample of a triangle with exact arithmetic. No sample is on an edge. */
static void test_triangle(void **state)
{
    static const int corner[3][2] = {{613, 371}, {4783, 1249}, {1789, 4871}}; /* 1/256 pixel */
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        glBegin(GL_TRIANGLES);
        for (unsigned i = 0; i < 3; i++)
            glVertex2f((float)corner[i][0] / 256, (float)corner[i][1] / 256);
        glEnd();
        fetch(&t);
        for (unsigned i = 0; i < samples * SIZE * SIZE; i++) {
            const int s = (int)(i % samples), x = (int)(i / samples % SIZE);
            const int y = (int)(i / samples / SIZE);
            const int px = x * 256 + positions_of(samples)[s][0] * 16;
            const int py = y * 256 + positions_of(samples)[s][1] * 16;
            bool inside = true;
            for (unsigned k = 0; k < 3; k++) {
                const int *a = corner[k], *b = corner[(k + 1) % 3];
                const int e = (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
                assert_int_not_equal(e, 0);
                inside = inside && e > 0;
            }
            expect_red(s, x, y, inside);
        }
        free_target(&t);
    }
}

/* Multisampled points are round: they cover the samples within their radius. */
static void test_points(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        glPointSize(7.5f);
        glBegin(GL_POINTS);
        glVertex2f(9.25f, 8.625f);
        glEnd();
        glPointSize(1);
        fetch(&t);
        for (unsigned i = 0; i < samples * SIZE * SIZE; i++) {
            const int s = (int)(i % samples), x = (int)(i / samples % SIZE);
            const int y = (int)(i / samples / SIZE);
            const int dx = x * 16 + positions_of(samples)[s][0] - 9 * 16 - 4;
            const int dy = y * 16 + positions_of(samples)[s][1] - 8 * 16 - 10;
            expect_red(s, x, y, dx * dx + dy * dy <= 60 * 60);
        }
        free_target(&t);
    }
}

/* The stipple pattern keeps or drops all samples of a pixel. It also drops whole blocks. */
static void test_stipple(void **state)
{
    static float plain[MAX_SAMPLES][LARGE][LARGE][4];
    uint8_t pattern[32 * 4];
    for (unsigned i = 0; i < sizeof pattern; i++)
        pattern[i] = i / 4 % 8 < 4 ? 0 : i / 4 % 2 ? 0x55 : 0xf0;
    glPolygonStipple(pattern);
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        for (unsigned stippled = 0; stippled < 2; stippled++) {
            (stippled ? glEnable : glDisable)(GL_POLYGON_STIPPLE);
            glClear(GL_COLOR_BUFFER_BIT);
            glBegin(GL_TRIANGLES);
            glVertex2f(1.2f, 0.3f);
            glVertex2f(19.1f, 7.7f);
            glVertex2f(4.3f, 18.8f);
            glEnd();
            glDisable(GL_POLYGON_STIPPLE);
            fetch(&t);
            if (!stippled)
                memcpy(plain, value, sizeof plain);
        }
        for (unsigned i = 0; i < samples * SIZE * SIZE; i++) {
            const int s = (int)(i % samples), x = (int)(i / samples % SIZE);
            const int y = (int)(i / samples / SIZE);
            const bool set = y % 8 >= 4 && (y % 2 ? x & 1 : x % 8 < 4);
            expect_red(s, x, y, set ? plain[s][y][x][0] : 0);
        }
        free_target(&t);
    }
}

/* Draws that cover whole tiles, with one color and with a different color in each pixel. */
static void test_tiles(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, LARGE);
        glColor4f(0.5f, 0, 0, 1);
        fill(&t);
        expect_mask(&t, 0xffff, 0.5f);
        glClear(GL_COLOR_BUFFER_BIT);
        use(&t, pixel_vs,
            "#version 150\n"
            "in vec2 at;\n"
            "out vec4 color;\n"
            "void main() { color = vec4(floor(at.x) + 100 * floor(at.y)); }\n");
        fill(&t);
        fetch(&t);
        for (unsigned i = 0; i < samples * LARGE * LARGE; i++) {
            const int x = (int)(i / samples % LARGE), y = (int)(i / samples / LARGE);
            expect_red((int)(i % samples), x, y, (float)(x + 100 * y));
        }
        delete_program();
        free_target(&t);
    }
}

/* --- masks --- */

static unsigned bits(unsigned samples)
{
    return (1u << samples) - 1;
}

/* GL_SAMPLE_MASK, gl_SampleMask and GL_SAMPLE_COVERAGE; occlusion queries count samples. */
static void test_masks(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        const unsigned first = 0xa5c3 & bits(samples), second = 0x96f5 & bits(samples);
        GLuint query, passed;
        glGenQueries(1, &query);
        glEnable(GL_SAMPLE_MASK);
        glSampleMaski(0, 0xa5c3);
        glBeginQuery(GL_SAMPLES_PASSED, query);
        fill(&t);
        glEndQuery(GL_SAMPLES_PASSED);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
        assert_int_equal(passed, SIZE * SIZE * __builtin_popcount(first));
        glDisable(GL_SAMPLE_MASK);
        expect_mask(&t, first, 1);
        glEnable(GL_SAMPLE_MASK);
        use(&t, pixel_vs,
            "#version 150\n"
            "#extension GL_ARB_sample_shading : require\n"
            "out vec4 color;\n"
            "void main() { color = vec4(0.25); gl_SampleMask[0] = 0x96f5; }\n");
        glClear(GL_COLOR_BUFFER_BIT);
        fill(&t);
        glDisable(GL_SAMPLE_MASK);
        expect_mask(&t, first & second, 0.25f);
        delete_program();
        glEnable(GL_SAMPLE_COVERAGE);
        glSampleCoverage(0.5f, GL_TRUE);
        glClear(GL_COLOR_BUFFER_BIT);
        fill(&t);
        glDisable(GL_SAMPLE_COVERAGE);
        expect_mask(&t, bits(samples) & ~bits(samples / 2), 1);
        glDeleteQueries(1, &query);
        free_target(&t);
    }
}

/* An alpha of i / samples covers the first i samples. */
static void test_alpha_to_coverage(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        for (unsigned i = 0; i <= samples; i++) {
            glClear(GL_COLOR_BUFFER_BIT);
            glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
            glColor4f(1, 1, 1, (float)i / (float)samples);
            fill(&t);
            glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
            expect_mask(&t, bits(i), 1);
        }
        free_target(&t);
    }
}

/* gl_SampleMaskIn contains the covered samples of the pixel. */
static void test_mask_in(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        use(&t, pixel_vs,
            "#version 150\n"
            "#extension GL_ARB_gpu_shader5 : require\n"
            "out vec4 color;\n"
            "void main() { color = vec4(gl_SampleMaskIn[0]); }\n");
        glBegin(GL_TRIANGLES);
        glVertex2f(1.3f, 0.7f);
        glVertex2f(18.1f, 5.2f);
        glVertex2f(4.4f, 17.6f);
        glEnd();
        fetch(&t);
        unsigned partial = 0;
        for (int i = 0; i < SIZE * SIZE; i++) {
            unsigned mask = 0;
            for (unsigned s = 0; s < samples; s++)
                mask |= (unsigned)(value[s][i / SIZE][i % SIZE][0] > 0) << s;
            for (unsigned s = 0; s < samples; s++)
                expect_red((int)s, i % SIZE, i / SIZE, mask >> s & 1 ? (float)mask : 0);
            partial += mask && mask != bits(samples);
        }
        assert_true(partial > 20);
        delete_program();
        free_target(&t);
    }
}

/* --- depth and stencil --- */

/* Sets the stencil value of sample s to s + 1. */
static void number_stencil(const struct target *t)
{
    glEnable(GL_SAMPLE_MASK);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    for (int s = 0; s < t->samples; s++) {
        glSampleMaski(0, 1u << s);
        glStencilFunc(GL_ALWAYS, s + 1, 0xff);
        fill(t);
    }
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glDisable(GL_SAMPLE_MASK);
}

static void test_stencil(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        float want[MAX_SAMPLES];
        number_stencil(&t);
        for (unsigned s = 0; s < samples; s++) {
            want[s] = (float)(s + 1) / 32;
            glStencilFunc(GL_EQUAL, (GLint)s + 1, 0xff);
            glColor4f(want[s], 0, 0, 1);
            fill(&t);
        }
        glDisable(GL_STENCIL_TEST);
        expect_samples(&t, want);
        free_target(&t);
    }
}

/* With early tests and post_depth_coverage, gl_SampleMaskIn has the samples that passed. */
static void test_early_tests(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        const unsigned limit = samples * 3 / 4;
        number_stencil(&t);
        glStencilFunc(GL_LESS, (GLint)limit, 0xff); /* limit < stencil */
        use(&t, pixel_vs,
            "#version 420 compatibility\n"
            "#extension GL_ARB_post_depth_coverage : require\n"
            "layout(early_fragment_tests) in;\n"
            "layout(post_depth_coverage) in;\n"
            "out vec4 color;\n"
            "void main() { color = vec4(gl_SampleMaskIn[0]); }\n");
        fill(&t);
        glDisable(GL_STENCIL_TEST);
        const unsigned passed = bits(samples) & ~bits(limit);
        expect_mask(&t, passed, (float)passed);
        delete_program();
        free_target(&t);
    }
}

/* Each sample has the depth at its position: a quad whose depth increases with y passes the test at
 * the samples below `middle`. */
static void test_depth(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        glEnable(GL_DEPTH_TEST);
        glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        fill(&t);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glBegin(GL_QUADS);
        const float slope = 0.9f / SIZE, middle = 9.53125f; /* no sample is at its y */
        glVertex3f(0, 0, middle * slope);
        glVertex3f(SIZE, 0, middle * slope);
        glVertex3f(SIZE, SIZE, (middle - SIZE) * slope);
        glVertex3f(0, SIZE, (middle - SIZE) * slope);
        glEnd();
        glDisable(GL_DEPTH_TEST);
        fetch(&t);
        for (unsigned i = 0; i < samples * SIZE * SIZE; i++) {
            const int s = (int)(i % samples), y = (int)(i / samples / SIZE);
            expect_red(s, (int)(i / samples % SIZE), y,
                       (float)y + positions_of(samples)[s][1] / 16.0f < middle);
        }
        free_target(&t);
    }
}

/* --- shading --- */

/* Checks that red and green of each sample are its position in the pixel times `scale`. */
static void expect_positions(const struct target *t, float scale)
{
    fetch(t);
    for (int s = 0; s < t->samples; s++)
        for (int i = 0; i < SIZE * SIZE; i++)
            for (unsigned c = 0; c < 2; c++) {
                const float got = value[s][i / SIZE][i % SIZE][c];
                const float want = positions_of((unsigned)t->samples)[s][c] / 16.0f * scale;
                if (fabsf(got - want) > 1.0f / 1024)
                    fail_msg("component %u of sample %d: %g, not %g", c, s, (double)got,
                             (double)want);
            }
}

static void test_sample_shading(void **state)
{
    static const char *const shaders[] = {
        "    color = vec4(gl_SamplePosition, 0, 1);\n",
        "    color = vec4(interpolateAtSample(at, gl_SampleID) - floor(gl_FragCoord.xy), 0, 1);\n",
        "    color = vec4(each - floor(gl_FragCoord.xy), 0, 1);\n",
        "    color = vec4(gl_FragCoord.xy - floor(at), gl_SampleID, 1);\n",
        ("    vec2 p = gl_SamplePosition;\n"
         "    color = vec4(gl_SampleMaskIn[0] == 1 << gl_SampleID ? p : vec2(9), 0, 1);\n"),
        "    color = vec4(gl_NumSamples == samples ? gl_SamplePosition : vec2(9), 0, 1);\n",
    };
    static const char vs[] = "#version 400 compatibility\n"
                             "out vec2 at;\n"
                             "sample out vec2 each;\n"
                             "void main() {\n"
                             "    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n"
                             "    at = each = gl_Vertex.xy;\n"
                             "}\n";
    for (unsigned i = 0; i < ARRAY_SIZE(shaders); i++) {
        char fs[600];
        snprintf(fs, sizeof fs,
                 "#version 420 compatibility\n"
                 "in vec2 at;\n"
                 "sample in vec2 each;\n"
                 "uniform int samples;\n"
                 "out vec4 color;\n"
                 "void main() {\n"
                 "%s"
                 "}\n",
                 shaders[i]);
        FOR_EACH_COUNT(samples)
        {
            struct target t = make_target(samples, GL_RGBA32F, SIZE);
            use(&t, vs, fs);
            fill(&t);
            expect_positions(&t, 1);
            delete_program();
            free_target(&t);
        }
    }
}

/* glMinSampleShading(1) shades each sample with inputs at its position. */
static void test_min_sample_shading(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        GLuint query, count;
        glGenQueries(1, &query);
        use(&t, pixel_vs,
            "#version 150\n"
            "in vec2 at;\n"
            "out vec4 color;\n"
            "void main() { color = vec4(fract(at + 1.0 / 64) - 1.0 / 64, 0, 1); }\n");
        glEnable(GL_SAMPLE_SHADING);
        glMinSampleShading(1);
        glBeginQuery(GL_FRAGMENT_SHADER_INVOCATIONS_ARB, query);
        fill(&t);
        glEndQuery(GL_FRAGMENT_SHADER_INVOCATIONS_ARB);
        glDisable(GL_SAMPLE_SHADING);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
        assert_int_equal(count, SIZE * SIZE * samples);
        expect_positions(&t, 1);
        glDeleteQueries(1, &query);
        delete_program();
        free_target(&t);
    }
}

/* A shader that runs once per pixel interpolates at the sample that its column selects. */
static void test_interpolate_at_sample(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        use(&t, pixel_vs,
            "#version 400 compatibility\n"
            "in vec2 at;\n"
            "uniform int samples;\n"
            "out vec4 color;\n"
            "void main() {\n"
            "    vec2 p = interpolateAtSample(at, int(gl_FragCoord.x) % samples);\n"
            "    p -= floor(gl_FragCoord.xy);\n"
            "    color = vec4(floor(p.x * 16 + 0.5) + 16 * floor(p.y * 16 + 0.5));\n"
            "}\n");
        fill(&t);
        fetch(&t);
        for (unsigned i = 0; i < samples * SIZE * SIZE; i++) {
            const unsigned x = i / samples % SIZE;
            const uint8_t *p = positions_of(samples)[x % samples];
            expect_red((int)(i % samples), (int)x, (int)(i / samples / SIZE),
                       (float)(p[0] + 16 * p[1]));
        }
        delete_program();
        free_target(&t);
    }
}

/* A centroid input of a partly covered pixel is evaluated at a covered sample. */
static void test_centroid(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        use(&t,
            "#version 150 compatibility\n"
            "centroid out vec2 at;\n"
            "void main() {\n"
            "    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n"
            "    at = gl_Vertex.xy;\n"
            "}\n",
            "#version 150\n"
            "centroid in vec2 at;\n"
            "out vec4 color;\n"
            "void main() { color = vec4(at, 0, 1); }\n");
        glRectf(0, 0, SIZE, 4.4f);
        fetch(&t);
        unsigned covered = 0;
        for (unsigned s = 0; s < samples; s++)
            covered |= (unsigned)(positions_of(samples)[s][1] < 0.4 * 16) << s;
        const float y = 4 + positions_of(samples)[__builtin_ctz(covered)][1] / 16.0f;
        for (unsigned s = 0; s < samples; s++) {
            const float want = covered >> s & 1 ? y : 0;
            assert_float_equal(value[s][4][7][1], want, 1.0f / 1024);
            assert_float_equal(value[s][3][7][1], 3.5f, 1.0f / 1024);
        }
        delete_program();
        free_target(&t);
    }
}

/* Without GL_MULTISAMPLE, all samples of a pixel have the value that the pixel has in a framebuffer
 * without multisampling, also for smooth primitives. */
static void test_disabled(void **state)
{
    static const char *const shaders[] = {
        NULL,
        "#version 420 compatibility\n"
        "layout(early_fragment_tests) in;\n"
        "out vec4 color;\n"
        "void main() { color = vec4(1); }\n",
    };
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        static float single[SIZE][SIZE][4];
        glDisable(GL_MULTISAMPLE);
        for (unsigned i = 0; i < 4; i++) {
            const bool smooth = i & 1;
            if (smooth) {
                glEnable(GL_LINE_SMOOTH);
                glEnable(GL_BLEND);
                glBlendFunc(GL_SRC_ALPHA, GL_ZERO);
            }
            if (shaders[i / 2])
                use(&t, pixel_vs, shaders[i / 2]);
            for (unsigned pass = 0; pass < 2; pass++) {
                glBindFramebuffer(GL_FRAMEBUFFER, pass ? t.many : t.single);
                glClear(GL_COLOR_BUFFER_BIT);
                glBegin(smooth ? GL_LINES : GL_TRIANGLES);
                glVertex2f(1.3f, 2.1f);
                glVertex2f(17.2f, 6.8f);
                if (!smooth)
                    glVertex2f(8.7f, 16.4f);
                glEnd();
                if (!pass)
                    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, single);
            }
            if (shaders[i / 2])
                delete_program();
            glDisable(GL_LINE_SMOOTH);
            glDisable(GL_BLEND);
            fetch(&t);
            float sum = 0;
            for (unsigned k = 0; k < samples * SIZE * SIZE; k++) {
                const int x = (int)(k / samples % SIZE), y = (int)(k / samples / SIZE);
                expect_red((int)(k % samples), x, y, single[y][x][0]);
                sum += single[y][x][0];
            }
            assert_true(sum > 0);
        }
        glEnable(GL_MULTISAMPLE);
        free_target(&t);
    }
}

/* --- transfers --- */

/* Draws red[s] to sample s of all pixels. */
static void draw_values(const struct target *t, const float red[MAX_SAMPLES])
{
    glEnable(GL_SAMPLE_MASK);
    for (int s = 0; s < t->samples; s++) {
        glSampleMaski(0, 1u << s);
        glColor4f(red[s], 0, 0, 1);
        fill(t);
    }
    glDisable(GL_SAMPLE_MASK);
}

/* A resolve averages all samples, of regions that are aligned to blocks and of others. */
static void test_resolve(void **state)
{
    static const GLenum formats[] = {GL_RGBA8, GL_RGBA32F, GL_RGB10_A2, GL_SRGB8_ALPHA8};
    for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
        FOR_EACH_COUNT(samples)
        {
            struct target t = make_target(samples, formats[i], SIZE);
            float red[MAX_SAMPLES], mean = 0;
            for (unsigned s = 0; s < samples; s++) {
                red[s] = (float)((s * s * 11 + 23) % 256) / 255;
                mean += red[s] / (float)samples;
            }
            if (formats[i] == GL_RGB10_A2)
                for (unsigned s = 0; s < samples; s++)
                    red[s] = roundf(red[s] * 1023) / 1023;
            draw_values(&t, red);
            if (formats[i] != GL_SRGB8_ALPHA8) /* decoded by the fetch */
                expect_samples(&t, red);
            for (int at = 0; at < 2; at++) {
                float got[4];
                glBindFramebuffer(GL_READ_FRAMEBUFFER, t.many);
                glBindFramebuffer(GL_DRAW_FRAMEBUFFER, t.single);
                glClear(GL_COLOR_BUFFER_BIT);
                glBlitFramebuffer(at, at, SIZE - at, SIZE - at, at, at, SIZE - at, SIZE - at,
                                  GL_COLOR_BUFFER_BIT, GL_NEAREST);
                glBindFramebuffer(GL_FRAMEBUFFER, t.single);
                glReadPixels(5, 7, 1, 1, GL_RGBA, GL_FLOAT, got);
                /* sRGB values are averaged as linear values only with GL_FRAMEBUFFER_SRGB */
                assert_float_equal(got[0], mean, 0.51f / 255);
                glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, got);
                assert_float_equal(got[0], at ? 0 : mean, 0.51f / 255);
            }
            free_target(&t);
        }
    }
}

/* Blits between multisampled buffers, copies of images, and masked clears reach every sample. */
static void test_copies(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target from = make_target(samples, GL_RGBA32F, SIZE), to = from;
        float red[MAX_SAMPLES];
        for (unsigned s = 0; s < samples; s++)
            red[s] = (float)(s + 1) / 16;
        draw_values(&from, red);
        to = make_target(samples, GL_RGBA32F, SIZE);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, from.many);
        glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, to.many);
        expect_samples(&to, red);
        glClear(GL_COLOR_BUFFER_BIT);
        glCopyImageSubData(from.texture, GL_TEXTURE_2D_MULTISAMPLE, 0, 0, 0, 0, to.texture,
                           GL_TEXTURE_2D_MULTISAMPLE, 0, 0, 0, 0, SIZE, SIZE, 1);
        expect_samples(&to, red);
        glColorMask(GL_FALSE, GL_TRUE, GL_TRUE, GL_TRUE);
        glClearColor(9, 5, 5, 5);
        glClear(GL_COLOR_BUFFER_BIT);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        expect_samples(&to, red);
        for (unsigned s = 0; s < samples; s++)
            assert_float_equal(value[s][3][4][1], 5, 0);
        free_target(&from);
        free_target(&to);
    }
}

/* A fetch of a sample that doesn't exist returns 0. textureSamples() returns the number of
 * samples. */
static void test_outside(void **state)
{
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA32F, SIZE);
        float got[4];
        glClearColor(1, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glBindFramebuffer(GL_FRAMEBUFFER, t.single);
        use(&t, pass_vs,
            "#version 430 compatibility\n"
            "#extension GL_ARB_shader_texture_image_samples : require\n"
            "uniform sampler2DMS s;\n"
            "uniform int samples;\n"
            "out vec4 color;\n"
            "void main() {\n"
            "    color = vec4(texelFetch(s, ivec2(1), samples).x,\n"
            "                 texelFetch(s, ivec2(1), samples - 1).x,\n"
            "                 texelFetch(s, ivec2(1), -1).x, textureSamples(s));\n"
            "}\n");
        glRectf(-1, -1, 1, 1);
        glReadPixels(5, 5, 1, 1, GL_RGBA, GL_FLOAT, got);
        assert_float_equal(got[0], 0, 0);
        assert_float_equal(got[1], 1, 0);
        assert_float_equal(got[2], 0, 0);
        assert_float_equal(got[3], (float)samples, 0);
        delete_program();
        free_target(&t);
    }
}

/* Image stores write each sample. A store to a sample that doesn't exist has no effect. */
static void test_images(void **state)
{
    GLint image_samples;
    glGetIntegerv(GL_MAX_IMAGE_SAMPLES, &image_samples);
    assert_true(!image_samples || image_samples == (GLint)max_samples);
    for (int samples = 2; samples <= image_samples; samples *= 2) {
        struct target t = make_target((unsigned)samples, GL_RGBA32F, SIZE);
        float want[MAX_SAMPLES];
        glBindFramebuffer(GL_FRAMEBUFFER, t.single);
        use(&t, pass_vs,
            "#version 420 compatibility\n"
            "layout(rgba32f) uniform image2DMS image;\n"
            "uniform int samples;\n"
            "out vec4 color;\n"
            "void main() {\n"
            "    for (int s = 0; s <= samples; s++)\n"
            "        imageStore(image, ivec2(gl_FragCoord), s, vec4(s + 3));\n"
            "    color = imageLoad(image, ivec2(gl_FragCoord), samples - 1);\n"
            "}\n");
        glBindImageTexture(0, t.texture, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
        glRectf(-1, -1, 1, 1);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
        expect(4, 5, 1, 1, 1);
        delete_program();
        for (int s = 0; s < samples; s++)
            want[s] = (float)(s + 3);
        expect_samples(&t, want);
        free_target(&t);
    }
}

/* --- the same bytes --- */

static float next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return (float)(*seed >> 8) / (1 << 24);
}

/* Blended triangles with depth and alpha to coverage. All widths, instruction sets and numbers of
 * threads, and both drivers, must give the same bytes. */
static void test_bytes(void **state)
{
    static const uint32_t want[] = {0x97b3ec1c, 0xaaf9e702, 0x8e9318f1, 0xf0dad15b};
    FOR_EACH_COUNT(samples)
    {
        struct target t = make_target(samples, GL_RGBA8, LARGE);
        uint32_t seed = 7, hash = 2166136261u;
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
        glBegin(GL_TRIANGLES);
        for (unsigned i = 0; i < 120 * 3; i++) {
            const float size = i / 3 % 2 ? LARGE : 9, x = next_random(&seed) * size;
            const float y = next_random(&seed) * size, z = next_random(&seed);
            const float r = next_random(&seed), g = next_random(&seed), b = next_random(&seed);
            const float left = (float)(i / 3 * 7 % 60), low = (float)(i / 3 * 11 % 60);
            glColor4f(r, g, b, next_random(&seed));
            glVertex3f(size == 9 ? x + left : x, size == 9 ? y + low : y, z * 2 - 1);
        }
        glEnd();
        glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
        glDisable(GL_BLEND);
        glDisable(GL_DEPTH_TEST);
        fetch(&t);
        for (unsigned i = 0; i < samples * LARGE * LARGE; i++)
            for (unsigned c = 0; c < 4; c++) {
                const float *p = value[i % samples][i / samples / LARGE][i / samples % LARGE];
                hash = (hash ^ (uint32_t)lrintf(p[c] * 255)) * 16777619;
            }
        if (hash != want[__builtin_ctz(samples) - 1])
            fail_msg("%u samples: hash 0x%08x", samples, hash);
        free_target(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_shared_edges),
        cmocka_unit_test(test_triangle),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_stipple),
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_alpha_to_coverage),
        cmocka_unit_test(test_mask_in),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_early_tests),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_sample_shading),
        cmocka_unit_test(test_min_sample_shading),
        cmocka_unit_test(test_interpolate_at_sample),
        cmocka_unit_test(test_centroid),
        cmocka_unit_test(test_disabled),
        cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
