/* SPDX-License-Identifier: MIT */
/* Shaders that write memory: storage buffers, atomic counters, images. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

enum { SIZE = 16, VERTICES = 1000 };

#define HEAD                                                                                       \
    "#version 330\n"                                                                               \
    "#extension GL_ARB_shader_storage_buffer_object: require\n"                                    \
    "#extension GL_ARB_shader_atomic_counters: require\n"                                          \
    "#extension GL_ARB_shader_image_load_store: require\n"                                         \
    "#extension GL_ARB_shader_image_size: require\n"                                               \
    "#extension GL_ARB_shading_language_420pack: require\n"
/* A triangle that covers the window. */
#define COVER                                                                                      \
    HEAD "void main() { gl_Position = vec4(gl_VertexID / 2 * 4 - 1, gl_VertexID % 2 * 4 - 1,"      \
         " 0, 1); }"

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLuint make_buffer(GLenum target, GLuint index, GLsizeiptr words)
{
    static const GLuint zeros[4096];
    GLuint name;
    glGenBuffers(1, &name);
    glBindBufferBase(target, index, name);
    glBufferData(target, words * 4, zeros, GL_DYNAMIC_COPY);
    return name;
}

static GLuint word_of(GLuint buffer, unsigned index)
{
    GLuint word = 0xdead;
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferSubData(GL_COPY_READ_BUFFER, index * 4, 4, &word);
    return word;
}

static void use(const char *vs, const char *fs)
{
    GLuint program = gl_test_program(vs, fs);
    glUseProgram(program);
    glDeleteProgram(program);
}

/* Checks that each vertex of a point list is shaded once, even with rasterizer discard. */
static void test_vertices(void **state)
{
    use(HEAD "layout(std430) buffer B { uint total; uint times[]; };\n"
             "layout(binding = 2, offset = 4) uniform atomic_uint counter;\n"
             "void main() { atomicAdd(total, 2u); atomicAdd(times[gl_VertexID], 1u);\n"
             "atomicCounterIncrement(counter); gl_Position = vec4(2); }",
        HEAD "void main() {}");
    GLuint b = make_buffer(GL_SHADER_STORAGE_BUFFER, 0, 1 + VERTICES);
    GLuint counters = make_buffer(GL_ATOMIC_COUNTER_BUFFER, 2, 4);
    glEnable(GL_RASTERIZER_DISCARD);
    glDrawArrays(GL_POINTS, 0, VERTICES);
    glDisable(GL_RASTERIZER_DISCARD);
    assert_int_equal(word_of(b, 0), 2 * VERTICES);
    for (unsigned i = 0; i < VERTICES; i++)
        assert_int_equal(word_of(b, 1 + i), 1);
    assert_int_equal(word_of(counters, 0), 0);
    assert_int_equal(word_of(counters, 1), VERTICES);
    glDeleteBuffers(1, &b);
    glDeleteBuffers(1, &counters);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Counts fragments: they write memory unless discarded before; depth tests happen after the
 * shader. */
static void count_fragments(const char *qualifier, const char *before, GLuint expected)
{
    char fs[1000];
    snprintf(fs, sizeof fs,
             HEAD "%s\nlayout(binding = 0) uniform atomic_uint counter;\n"
                  "void main() { %s atomicCounterIncrement(counter); }",
             qualifier, before);
    use(COVER, fs);
    GLuint b = make_buffer(GL_ATOMIC_COUNTER_BUFFER, 0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    assert_int_equal(word_of(b, 0), expected);
    glDeleteBuffers(1, &b);
}

static void test_fragments(void **state)
{
    count_fragments("", "", SIZE * SIZE);
    count_fragments("", "if (gl_FragCoord.x < 3) discard;", (SIZE - 3) * SIZE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_NEVER);
    count_fragments("", "", SIZE * SIZE);
    count_fragments("layout(early_fragment_tests) in;", "", 0);
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_TEST);
    glScissor(1, 1, 5, 3);
    glEnable(GL_SCISSOR_TEST);
    count_fragments("", "", 15);
    glDisable(GL_SCISSOR_TEST);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that occlusion queries count before shaders with early tests. */
static void test_early_query(void **state)
{
    GLuint query, samples;
    glGenQueries(1, &query);
    for (unsigned early = 0; early < 2; early++) {
        use(COVER, early ? HEAD "layout(early_fragment_tests) in; void main() { discard; }"
                         : HEAD "void main() { discard; }");
        glBeginQuery(GL_SAMPLES_PASSED, query);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glEndQuery(GL_SAMPLES_PASSED);
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, &samples);
        assert_int_equal(samples, early ? SIZE * SIZE : 0);
    }
    glDeleteQueries(1, &query);
}

/* Checks bound ranges: reads outside return 0, writes outside are dropped. */
static void test_bounds(void **state)
{
    static const GLuint data[64] = {[15] = 7, [16] = 5, [19] = 6, [20] = 8};
    GLuint b = make_buffer(GL_SHADER_STORAGE_BUFFER, 1, 64);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof data, data, GL_DYNAMIC_COPY);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, b, 64, 16);
    use(COVER, HEAD "layout(std430, binding = 1) buffer B { uint a[]; };\n"
                    "uniform int far;\nout vec4 color;\n"
                    "void main() { a[far] = 9u; a[far - 2] = 9u; atomicAdd(a[4], 1u);\n"
                    "atomicAdd(a[far - 5], 1u);\n"
                    "color = vec4(a.length() == 4, a[0] == 5u && a[3] == 6u,\n"
                    "a[4] == 0u && a[1000000] == 0u && a[far] == 0u, 1); }");
    GLint program;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform1i(glGetUniformLocation(program, "far"), 4);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 1, 1, 1);
    assert_int_equal(word_of(b, 15), 7);
    assert_int_equal(word_of(b, 18), 9);
    assert_int_equal(word_of(b, 20), 8);
    /* The buffer is deleted, so nothing is bound. */
    glDeleteBuffers(1, &b);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 0, 0, 1);
}

/* Checks that uniform blocks return their contents or 0, and buffer textures 0, outside the buffer
 * (ARB_robust_buffer_access_behavior). */
static void test_reads_beyond(void **state)
{
    static const GLint beyond[] = {4, 5, 63, 4096, 1 << 24, (1 << 27) - 1, -1};
    static const GLfloat ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    GLuint block = make_buffer(GL_UNIFORM_BUFFER, 0, 16),
           texels = make_buffer(GL_UNIFORM_BUFFER, 1, 16);
    GLuint texture;
    GLint program;
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, block);
    glBufferData(GL_UNIFORM_BUFFER, sizeof ones, ones, GL_STATIC_DRAW);
    glBindBuffer(GL_TEXTURE_BUFFER, texels);
    glBufferData(GL_TEXTURE_BUFFER, sizeof ones, ones, GL_STATIC_DRAW);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, texels);
    use(COVER, HEAD "layout(std140, binding = 0) uniform B { vec4 block[4]; };\n"
                    "uniform samplerBuffer texels;\nuniform int at;\nout vec4 color;\n"
                    "void main() { color = vec4(block[at].xy, texelFetch(texels, at).xy); }");
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    GLint at = glGetUniformLocation(program, "at");
    glUniform1i(at, 3);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(3, 3, 1, 1, 1);
    for (unsigned i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        GLubyte got[4];
        glUniform1i(at, beyond[i]);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
        assert_true(got[0] == 0 || got[0] == 255);
        assert_int_equal(got[1], got[0]);
        assert_int_equal(got[2], 0);
    }
    glDeleteTextures(1, &texture);
    glDeleteBuffers(1, &block);
    glDeleteBuffers(1, &texels);
}

static void test_binding_errors(void **state)
{
    GLint alignment, points, units, value;
    GLuint b = make_buffer(GL_SHADER_STORAGE_BUFFER, 0, 256);
    glGetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &points);
    glGetIntegerv(GL_MAX_IMAGE_UNITS, &units);
    assert_true(alignment > 1 && points >= 8 && units >= 8);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, b, alignment / 2, 16);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 0, b, 2, 16);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, points, b);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 0, &value);
    assert_int_equal(value, b);
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, points, &value);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glMemoryBarrier(1u << 30);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteBuffers(1, &b);
}

/* Checks that after a barrier, later draws see the writes of earlier draws' fragments at any
 * position. */
static void test_order(void **state)
{
    GLuint b = make_buffer(GL_SHADER_STORAGE_BUFFER, 0, SIZE * SIZE);
    for (unsigned i = 1; i <= 3; i++) {
        use(COVER,
            HEAD "layout(std430) buffer B { uint a[]; };\n"
                 "void main() { ivec2 p = ivec2(gl_FragCoord.xy); a[p.y * 16 + p.x] += 1u; }");
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        use(COVER, HEAD "layout(std430) readonly buffer B { uint a[]; };\nout vec4 color;\n"
                        "void main() { ivec2 p = 15 - ivec2(gl_FragCoord.xy);\n"
                        "color = vec4(float(a[p.y * 16 + p.x]) / 4.0); }");
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        expect(2, 9, i / 4.0f, i / 4.0f, i / 4.0f);
    }
    glDeleteBuffers(1, &b);
}

/* Draws from a vertex buffer that fragments of the same scene have written. */
static void test_vertex_source(void **state)
{
    GLuint b = make_buffer(GL_SHADER_STORAGE_BUFFER, 0, 6);
    use(COVER,
        HEAD "layout(std430) buffer B { vec2 corner[3]; };\n"
             "void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
             "if (p.y == 0 && p.x < 3) corner[p.x] = vec2(p.x / 2 * 4 - 1, p.x % 2 * 4 - 1); }");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
    use(HEAD "in vec2 weight; void main() { gl_Position = vec4(weight, 0, 1); }",
        HEAD "out vec4 color; void main() { color = vec4(0, 1, 0, 1); }");
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(3);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArray(3);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    expect(8, 8, 0, 1, 0);
    glDeleteBuffers(1, &b);
}

/* --- images --- */

static GLuint make_texture(GLenum internal, GLenum format, GLenum type)
{
    GLuint name;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, internal, SIZE, SIZE, 0, format, type, NULL);
    return name;
}

static void test_image_store(void **state)
{
    GLubyte pixels[SIZE][SIZE][4];
    GLuint t = make_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
    glBindImageTexture(1, t, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
    use(COVER, HEAD "layout(rgba8, binding = 1) uniform image2D image;\n"
                    "void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
                    "imageStore(image, p, vec4(p, imageSize(image).x, 255) / 255.0);\n"
                    "imageStore(image, p + 16, vec4(1)); imageStore(image, p - 16, vec4(1)); }");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            const GLubyte want[4] = {x, y, SIZE, 255};
            assert_memory_equal(pixels[y][x], want, 4);
        }
    /* The same texels as unsigned integers. */
    glBindImageTexture(1, t, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
    use(COVER,
        HEAD "layout(r32ui, binding = 1) uniform uimage2D image;\nout vec4 color;\n"
             "void main() { uint v = imageLoad(image, ivec2(5, 6)).x;\n"
             "color = vec4(v == 0xff100605u, imageLoad(image, ivec2(16, 0)).x == 0u, 0, 1); }");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(0, 0, 1, 1, 0);
    glDeleteTextures(1, &t);
}

/* Checks that atomic operations return a different value to each fragment. */
static void test_image_atomic(void **state)
{
    GLuint texels[SIZE * SIZE], sum = 0;
    GLuint counter = make_texture(GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT);
    memset(texels, 0, sizeof texels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RED_INTEGER, GL_UNSIGNED_INT, texels);
    GLuint order = make_texture(GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT);
    glBindImageTexture(0, counter, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    glBindImageTexture(2, order, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32UI);
    use(COVER, HEAD "layout(r32ui, binding = 0) uniform uimage2D counter;\n"
                    "layout(binding = 2) writeonly uniform uimage2D order;\n"
                    "void main() { uint n = imageAtomicAdd(counter, ivec2(3, 4), 1u);\n"
                    "imageStore(order, ivec2(gl_FragCoord.xy), uvec4(n)); }");
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, texels);
    for (unsigned i = 0; i < SIZE * SIZE; i++)
        sum += texels[i];
    assert_int_equal(sum, SIZE * SIZE * (SIZE * SIZE - 1) / 2);
    glDeleteTextures(1, &counter);
    glDeleteTextures(1, &order);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Checks that image units that don't match the shader's declaration read zeros and drop writes. */
static void test_invalid_units(void **state)
{
    GLuint t = make_texture(GL_RGBA32F, GL_RGBA, GL_FLOAT);
    GLint value;
    use(COVER, HEAD "layout(rgba8, binding = 3) uniform image2D image;\nout vec4 color;\n"
                    "void main() { imageStore(image, ivec2(0), vec4(1));\n"
                    "color = vec4(1, imageLoad(image, ivec2(0)).w, imageSize(image).x, 1); }");
    glDrawArrays(GL_TRIANGLES, 0, 3); /* nothing bound */
    expect(1, 1, 1, 0, 0);
    /* texels of a different size */
    glBindImageTexture(3, t, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(1, 1, 1, 0, 0);
    glBindImageTexture(3, t, 1, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F); /* no such level */
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(1, 1, 1, 0, 0);
    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, 3, &value);
    assert_int_equal(value, t);
    glDeleteTextures(1, &t);
    glGetIntegeri_v(GL_IMAGE_BINDING_NAME, 3, &value);
    assert_int_equal(value, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(1, 1, 1, 0, 0);
}

static void test_image_errors(void **state)
{
    GLint units;
    GLuint t = make_texture(GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE), name = 4711;
    glGetIntegerv(GL_MAX_IMAGE_UNITS, &units);
    const struct {
        GLuint unit, texture;
        GLint level, layer;
        GLenum access, format;
    } bad[] = {
        {units, t, 0, 0, GL_READ_ONLY, GL_RGBA8}, {0, name, 0, 0, GL_READ_ONLY, GL_RGBA8},
        {0, t, -1, 0, GL_READ_ONLY, GL_RGBA8},    {0, t, 0, -1, GL_READ_ONLY, GL_RGBA8},
        {0, t, 0, 0, GL_RGBA, GL_RGBA8},          {0, t, 0, 0, GL_READ_ONLY, GL_RGB8},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        glBindImageTexture(bad[i].unit, bad[i].texture, bad[i].level, GL_FALSE, bad[i].layer,
                           bad[i].access, bad[i].format);
        assert_int_equal(glGetError(), GL_INVALID_VALUE);
    }
    glBindImageTextures(units - 1, 2, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBindImageTextures(0, 1, &name);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glBindImageTextures(0, 1, &t);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteTextures(1, &t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vertices),      cmocka_unit_test(test_fragments),
        cmocka_unit_test(test_early_query),   cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_reads_beyond),  cmocka_unit_test(test_binding_errors),
        cmocka_unit_test(test_order),         cmocka_unit_test(test_vertex_source),
        cmocka_unit_test(test_image_store),   cmocka_unit_test(test_image_atomic),
        cmocka_unit_test(test_invalid_units), cmocka_unit_test(test_image_errors),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
