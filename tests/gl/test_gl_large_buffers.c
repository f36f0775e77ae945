/* SPDX-License-Identifier: MIT */
/* Buffers of 2 to 4 GiB: every use of a buffer at offsets around and beyond 2 GiB and at the end.
 * Only the pages that a test accesses take memory. Tests are skipped if the system can't reserve
 * the address space, or if the driver has no such buffers. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gl_test.h"

#define SIZE    16
#define LARGEST 0xffffffffll /* bytes of the largest buffer */
#define STRIDE  2048         /* bytes between vertices */

enum { PLACES = 4 };

/* Offsets below, across and above 2 GiB, above 3 GiB, and close to the end; multiples of 256. */
static const GLintptr places[PLACES] = {0x7fffff00, 0x80000000, 0xc0001000, 0xfffff000};

static const float corners[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
static const float green[4] = {0, 1, 0, 1}, red[4] = {1, 0, 0, 1};

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* Returns whether the driver's buffers may exceed 2 GiB. */
static bool driver_allows(void)
{
    return !strstr((const char *)glGetString(GL_RENDERER), "i965");
}

/* Returns whether the process can allocate that much. */
static bool memory_allows(GLsizeiptr size)
{
    void *p =
        mmap(NULL, (size_t)size + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return false;
    munmap(p, (size_t)size + 8192);
    return true;
}

/* Returns a buffer of `size` bytes, which is also bound to GL_COPY_READ_BUFFER. */
static GLuint make_buffer(GLsizeiptr size)
{
    GLuint b;
    if (!driver_allows() || !memory_allows(size)) {
        print_message("buffers of %lld bytes can't be allocated\n", (long long)size);
        skip();
    }
    glGenBuffers(1, &b);
    glBindBuffer(GL_COPY_READ_BUFFER, b);
    glBufferData(GL_COPY_READ_BUFFER, size, NULL, GL_DYNAMIC_COPY);
    expect_error(GL_NO_ERROR);
    return b;
}

static void write_to(GLuint buffer, GLintptr at, const void *data, GLsizeiptr bytes)
{
    glNamedBufferSubData(buffer, at, bytes, data);
    expect_error(GL_NO_ERROR);
}

static void write_word(GLuint buffer, GLintptr at, GLuint word)
{
    write_to(buffer, at, &word, sizeof word);
}

static GLuint word_at(GLuint buffer, GLintptr at)
{
    GLuint word = 0xdead;
    glGetNamedBufferSubData(buffer, at, sizeof word, &word);
    expect_error(GL_NO_ERROR);
    return word;
}

static void expect_word(GLuint buffer, GLintptr at, GLuint want)
{
    const GLuint word = word_at(buffer, at);
    if (word != want)
        fail_msg("the word at 0x%llx is 0x%x, not 0x%x", (unsigned long long)at, word, want);
}

static void expect_color(const float color[4])
{
    expect(SIZE / 2, SIZE / 2, color[0], color[1], color[2]);
}

static GLuint link_compute(const char *text)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER, text);
    gl_test_use(p);
    return p;
}

/* ----------------------------------------------------------------------------- entry points --- */

static void expect_size(GLsizeiptr size, GLenum error)
{
    static const GLbitfield flags[] = {0, GL_SPARSE_STORAGE_BIT_ARB};
    GLuint b;
    GLint64 got = -1;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBufferData(GL_ARRAY_BUFFER, 4, NULL, GL_STATIC_DRAW);
    glBufferData(GL_ARRAY_BUFFER, size, NULL, GL_STATIC_DRAW);
    expect_error(error);
    glGetBufferParameteri64v(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &got);
    assert_int_equal(got, error ? 4 : size);
    glDeleteBuffers(1, &b);
    for (unsigned i = 0; i < 2; i++) {
        glGenBuffers(1, &b);
        glBindBuffer(GL_ARRAY_BUFFER, b);
        glBufferStorage(GL_ARRAY_BUFFER, size, NULL, flags[i]);
        expect_error(error);
        glDeleteBuffers(1, &b);
    }
}

static void test_sizes(void **state)
{
    const GLsizeiptr limit = driver_allows() ? LARGEST : INT32_MAX;
    if (memory_allows(limit)) {
        expect_size(limit - 1, GL_NO_ERROR);
        expect_size(limit, GL_NO_ERROR);
    }
    expect_size(limit + 1, GL_OUT_OF_MEMORY);
    expect_size(LARGEST + 5, GL_OUT_OF_MEMORY);
    expect_size(5ll << 30, GL_OUT_OF_MEMORY);
    expect_size(INT64_MAX, GL_OUT_OF_MEMORY);
}

/* Queries saturate if the type is too small. */
static void expect_indexed(GLenum pname, GLint64 want)
{
    GLint64 wide = -1;
    GLint narrow = -1;
    glGetInteger64i_v(pname, 5, &wide);
    assert_int_equal(wide, want);
    glGetIntegeri_v(pname, 5, &narrow);
    assert_int_equal(narrow, want < INT32_MAX ? want : INT32_MAX);
}

static void test_state(void **state)
{
    GLuint b = make_buffer(LARGEST), texture;
    GLint value = -1;
    glGetNamedBufferParameteriv(b, GL_BUFFER_SIZE, &value);
    assert_int_equal(value, INT32_MAX);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 5, b, *p, 256);
        expect_indexed(GL_SHADER_STORAGE_BUFFER_START, *p);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 5, b, 256, *p);
        expect_indexed(GL_SHADER_STORAGE_BUFFER_SIZE, *p);
        glBindVertexBuffer(5, b, *p, 16);
        expect_indexed(GL_VERTEX_BINDING_OFFSET, *p);
    }
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, 0);
    glBindVertexBuffer(5, 0, 0, 16);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBufferRange(GL_TEXTURE_BUFFER, GL_R32UI, b, 0xc0000000, 256);
    glGetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, GL_TEXTURE_BUFFER_OFFSET, &value);
    assert_int_equal(value, INT32_MAX);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, b);
    glGetTexLevelParameteriv(GL_TEXTURE_BUFFER, 0, GL_TEXTURE_BUFFER_SIZE, &value);
    assert_int_equal(value, INT32_MAX);
    glDeleteTextures(1, &texture);
    glDeleteBuffers(1, &b);
    expect_error(GL_NO_ERROR);
}

static void test_data(void **state)
{
    static const GLubyte bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    GLuint b = make_buffer(LARGEST), small;
    GLubyte got[16];
    glGenBuffers(1, &small);
    glBindBuffer(GL_COPY_WRITE_BUFFER, small);
    glBufferData(GL_COPY_WRITE_BUFFER, 64, NULL, GL_STATIC_DRAW);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        const GLintptr at = *p + 248; /* the first one crosses 2 GiB */
        write_to(b, at, bytes, 16);
        glGetBufferSubData(GL_COPY_READ_BUFFER, at, 16, got);
        assert_memory_equal(got, bytes, 16);

        GLubyte *m =
            glMapBufferRange(GL_COPY_READ_BUFFER, at, 16,
                             GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
        assert_non_null(m);
        assert_memory_equal(m, bytes, 16);
        m[15] = 99;
        GLint64 offset = 0;
        glGetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_MAP_OFFSET, &offset);
        assert_int_equal(offset, at);
        glFlushMappedBufferRange(GL_COPY_READ_BUFFER, 15, 1);
        glBufferSubData(GL_COPY_READ_BUFFER, at + 8, 4, bytes); /* is mapped */
        expect_error(GL_INVALID_OPERATION);
        assert_true(glUnmapBuffer(GL_COPY_READ_BUFFER));

        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, at, 40, 16);
        glGetBufferSubData(GL_COPY_WRITE_BUFFER, 40, 16, got);
        assert_memory_equal(got, bytes, 15);
        assert_int_equal(got[15], 99);
        glCopyBufferSubData(GL_COPY_WRITE_BUFFER, GL_COPY_READ_BUFFER, 40, at + 64, 16);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, at + 64, at + 96, 16);
        glGetBufferSubData(GL_COPY_READ_BUFFER, at + 96, 15, got);
        assert_memory_equal(got, bytes, 15);

        const GLuint value = 0x12345678;
        glClearNamedBufferSubData(b, GL_R32UI, at, 8, GL_RED_INTEGER, GL_UNSIGNED_INT, &value);
        expect_word(b, at - 4, 0);
        expect_word(b, at, value);
        expect_word(b, at + 4, value);
        expect_word(b, at + 8, 0x0c0b0a09);
        glInvalidateBufferSubData(b, at, 8);
        expect_error(GL_NO_ERROR);
    }
    GLubyte *all = glMapBuffer(GL_COPY_READ_BUFFER, GL_READ_WRITE);
    assert_non_null(all);
    for (const GLintptr *p = places; p < places + PLACES; p++)
        assert_memory_equal(all + *p + 248 + 96, bytes, 15);
    all[LARGEST - 1] = 55;
    assert_true(glUnmapBuffer(GL_COPY_READ_BUFFER));
    glGetBufferSubData(GL_COPY_READ_BUFFER, LARGEST - 1, 1, got);
    assert_int_equal(got[0], 55);
    expect_word(b, 0, 0);
    expect_error(GL_NO_ERROR);

    glBufferSubData(GL_COPY_READ_BUFFER, LARGEST - 1, 2, bytes);
    expect_error(GL_INVALID_VALUE);
    glBufferSubData(GL_COPY_READ_BUFFER, LARGEST + 1, 1, bytes);
    expect_error(GL_INVALID_VALUE);
    glGetBufferSubData(GL_COPY_READ_BUFFER, INT64_MAX, 1, got);
    expect_error(GL_INVALID_VALUE);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, LARGEST - 3, 0, 4);
    expect_error(GL_INVALID_VALUE);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 0, (1ll << 31) - 1, 1ll << 31);
    expect_error(GL_INVALID_VALUE); /* the ranges overlap */
    glClearNamedBufferSubData(b, GL_R8UI, 1, LARGEST, GL_RED_INTEGER, GL_UNSIGNED_INT, bytes);
    expect_error(GL_INVALID_VALUE);
    glInvalidateBufferSubData(b, LARGEST, 1);
    expect_error(GL_INVALID_VALUE);
    assert_null(glMapBufferRange(GL_COPY_READ_BUFFER, LARGEST - 4, 5, GL_MAP_READ_BIT));
    expect_error(GL_INVALID_VALUE);
    glDeleteBuffers(1, &b);
    glDeleteBuffers(1, &small);
}

/* ----------------------------------------------------------------------- vertices and draws --- */

/* Draws a triangle that covers the window. The color is attribute 3; `flat` makes a wrong provoking
 * vertex visible. */
#define COLOR_VS                                                                                   \
    "#version 430\nin vec4 weight; flat out vec4 c; void main() { c = weight;\n"                   \
    "int i = gl_VertexID % 3; gl_Position = vec4(i / 2 * 4 - 1, i % 2 * 4 - 1, 0, 1); }"
#define COLOR_FS "#version 430\nflat in vec4 c; out vec4 color; void main() { color = c; }"
#define PLACE_VS                                                                                   \
    "#version 430\nin vec2 weight; flat out vec4 c;\n"                                             \
    "void main() { c = vec4(0, 1, 0, 1); gl_Position = vec4(weight, 0, 1); }"

static void write_colors(GLuint buffer, GLintptr at, const float color[4])
{
    for (unsigned v = 0; v < 3; v++)
        write_to(buffer, at + v * STRIDE, color, 16);
}

/* Array offsets, and offsets of indices, beyond 2 GiB. */
static void test_array_offsets(void **state)
{
    static const GLuint indices[] = {7, 8, 9};
    GLuint b = make_buffer(LARGEST), program = gl_test_program(PLACE_VS, COLOR_FS);
    glUseProgram(program);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b);
    glEnableVertexAttribArray(3);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        write_to(b, *p + 16, corners, sizeof corners);
        write_to(b, *p + 64, indices, sizeof indices);
        glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, (void *)(*p + 16));
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        expect_color(green);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawElementsBaseVertex(GL_TRIANGLES, 3, GL_UNSIGNED_INT, (void *)(*p + 64), -7);
        expect_color(green);
        glBindVertexBuffer(3, b, *p - 1000, 8);
        glVertexAttribFormat(3, 2, GL_FLOAT, GL_FALSE, 1016);
        glVertexAttribBinding(3, 3);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawElementsBaseVertex(GL_TRIANGLES, 3, GL_UNSIGNED_INT, (void *)(*p + 64), -7);
        expect_color(green);
    }
    /* Indices, and an array, past the end. */
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, (void *)(LARGEST - 7));
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, (void *)(LARGEST + 65));
    glBindVertexBuffer(3, b, LARGEST + 1 + places[0], 8);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindVertexBuffer(3, b, LARGEST - 1016 - 20, 8);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect_color((const float[4]){0, 0, 0, 0});
    glDisableVertexAttribArray(3);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &b);
}

static void draw_vertices(GLint first, bool indexed)
{
    const GLuint index[] = {(GLuint)first, (GLuint)first + 1, (GLuint)first + 2};
    glClear(GL_COLOR_BUFFER_BIT);
    if (indexed)
        glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, index);
    else
        glDrawArrays(GL_TRIANGLES, first, 3);
}

/* Vertex indices times strides beyond 2 GiB. The default color of a vertex past the end is black;
 * offsets truncated to 32 bits lead to red. */
static void test_vertex_indices(void **state)
{
    static const GLint firsts[] = {(1 << 20) - 2, 1 << 20, 1300000, (1 << 21) - 4};
    const float black[4] = {0, 0, 0, 1};
    GLuint b = make_buffer(LARGEST), program = gl_test_program(COLOR_VS, COLOR_FS);
    glUseProgram(program);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glEnableVertexAttribArray(3);
    for (unsigned start = 0; start < 2 * STRIDE; start += STRIDE) {
        glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, STRIDE, (void *)(uintptr_t)start);
        for (unsigned i = 0; i < 8; i++)
            write_to(b, i * STRIDE, red, 16);
        for (unsigned i = 0; i < sizeof firsts / sizeof *firsts; i++) {
            write_colors(b, start + (GLintptr)firsts[i] * STRIDE, green);
            for (unsigned indexed = 0; indexed < 2; indexed++) {
                draw_vertices(firsts[i], indexed);
                expect_color(green);
            }
        }
        for (unsigned indexed = 0; indexed < 2; indexed++) {
            draw_vertices(1 << 21, indexed); /* offset 2^32 */
            expect_color(black);
            draw_vertices(1 << 22, indexed); /* offset 2^33 */
            expect_color(black);
            draw_vertices(INT32_MAX - 2, indexed);
            expect_color(black);
            draw_vertices(0, indexed);
            expect_color(red);
        }
    }
    glVertexAttribDivisor(3, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, 3, 1, 1300001);
    expect_color(green);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, 3, 2, 1299999);
    expect_color(green);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLES, 0, 3, 3, (1 << 21) - 2);
    expect_color(black);
    glVertexAttribDivisor(3, 0);
    /* A small buffer, as before or after a large one. */
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexBuffer(3, b, 0, STRIDE);
    glNamedBufferData(b, 4 * STRIDE, NULL, GL_STATIC_DRAW);
    write_colors(b, 0, green);
    draw_vertices(0, true);
    expect_color(green);
    draw_vertices(1 << 20, true);
    expect_color(black);
    glDisableVertexAttribArray(3);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &b);
}

static void test_feedback(void **state)
{
    static const char *const captured[] = {"word"};
    GLuint b = make_buffer(LARGEST), program = glCreateProgram();
    gl_test_attach(program, GL_VERTEX_SHADER,
                   "#version 430\nflat out uint word;\n"
                   "void main() { word = uint(gl_VertexID) + 50u; gl_Position = vec4(0); }");
    glTransformFeedbackVaryings(program, 1, captured, GL_INTERLEAVED_ATTRIBS);
    gl_test_use(program);
    glEnable(GL_RASTERIZER_DISCARD);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b, *p + 240, 32);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, 5);
        glDrawArrays(GL_POINTS, 5, 5); /* two do not fit */
        glEndTransformFeedback();
        expect_word(b, *p + 236, 0);
        for (unsigned i = 0; i < 8; i++)
            expect_word(b, *p + 240 + 4 * i, 50 + i);
        expect_word(b, *p + 272, 0);
    }
    glDisable(GL_RASTERIZER_DISCARD);
    expect_word(b, 0, 0);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &b);
}

static void test_indirect(void **state)
{
    GLuint b = make_buffer(LARGEST), program = gl_test_program(COLOR_VS, COLOR_FS);
    const GLuint arrays[] = {3, 1, 0, 0}, elements[] = {3, 1, 0x90000000u, 0, 0},
                 groups[] = {3, 2, 1};
    const GLubyte indices[] = {0, 1, 2};
    glUseProgram(program);
    glVertexAttrib4fv(3, green);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, b);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, b);
    glBindBuffer(GL_PARAMETER_BUFFER, b);
    write_to(b, 0x90000000, indices, sizeof indices);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        const void *at = (void *)*p;
        write_to(b, *p, arrays, sizeof arrays);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArraysIndirect(GL_TRIANGLES, at);
        expect_color(green);
        write_word(b, *p + 32, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, at, *p + 32, 3, 16);
        expect_color(green);
        write_to(b, *p, elements, sizeof elements);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_BYTE, at);
        expect_color(green);
    }
    glDrawArraysIndirect(GL_TRIANGLES, (void *)(LARGEST - 11));
    expect_error(GL_INVALID_OPERATION);
    gl_test_delete_program(program);
    program = link_compute("#version 430\nlayout(local_size_x = 1) in;\n"
                           "layout(std430, binding = 0) buffer B { uint n; };\n"
                           "void main() { atomicAdd(n, 1u); }");
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, b, *p + 256, 16);
        write_word(b, *p + 256, 0);
        write_to(b, *p, groups, sizeof groups);
        glDispatchComputeIndirect(*p);
        expect_word(b, *p + 256, 6);
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    glBindBuffer(GL_PARAMETER_BUFFER, 0);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &b);
}

/* ---------------------------------------------------------------------------------- shaders --- */

#define STORAGE                                                                                    \
    "#version 430\n#extension GL_ARB_gpu_shader_int64 : enable\n"                                  \
    "layout(std430, binding = 0) buffer B { uint word[]; };\n"                                     \
    "layout(std430, binding = 1) buffer V { uvec4 vec[]; };\n"                                     \
    "layout(std430, binding = 2) buffer L { uint64_t pair[]; };\n"                                 \
    "layout(std430, binding = 3) buffer R { uint result[]; };\n"                                   \
    "uniform uint first;\n"
#define LANES 40

enum {
    STORED = LANES,
    ADDED = 2 * LANES,
    SWAPPED = 3 * LANES,
    VECTORS = 4 * LANES,
    PAIRS = 8 * LANES,
    UNIFORM = 10 * LANES,
    SUM = UNIFORM + 1,
    LENGTH = UNIFORM + 2
};

/* Binds the buffer, and a small one for results, for a shader with STORAGE. */
static GLuint bind_storage(GLuint buffer, GLuint program, GLuint first)
{
    GLuint result;
    glGenBuffers(1, &result);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, result);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 4096, NULL, GL_DYNAMIC_COPY);
    for (unsigned i = 0; i < 3; i++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffer);
    glUniform1ui(glGetUniformLocation(program, "first"), first);
    return result;
}

/* Words from `at` on: what the shader of test_storage reads and writes. */
static void prepare_words(GLuint buffer, GLintptr at)
{
    GLuint words[12 * LANES] = {0};
    for (unsigned i = 0; i < LANES; i++)
        words[i] = 1000 + 3 * i;
    write_to(buffer, at, words, sizeof words);
}

static void expect_words(GLuint buffer, GLintptr at, GLsizeiptr size)
{
    GLuint w[12 * LANES];
    glGetNamedBufferSubData(buffer, at, sizeof w, w);
    for (unsigned i = 0; i < LANES; i++) {
        assert_int_equal(w[i], 1000 + 3 * i);
        assert_int_equal(w[STORED + i], 2000 + 3 * i);
        assert_int_equal(w[ADDED + i], 5 + i);
        assert_int_equal(w[SWAPPED + i], 77);
        for (unsigned c = 0; c < 4; c++)
            assert_int_equal(w[VECTORS + 4 * i + c], 10 * i + c);
        assert_int_equal(w[PAIRS + 2 * i], 6 * i);
        assert_int_equal(w[PAIRS + 2 * i + 1], 2);
    }
    assert_int_equal(w[UNIFORM], 1000);
    assert_int_equal(w[SUM], LANES);
    assert_int_equal(w[LENGTH], size / 4);
    for (unsigned i = LENGTH + 1; i < 12 * LANES; i++)
        assert_int_equal(w[i], 0);
}

/* Loads, stores and atomic operations at indices that differ between invocations or not, of words,
 * vectors and 64-bit integers. */
static void test_storage(void **state)
{
    static const char text[] =
        STORAGE "layout(local_size_x = 40) in;\n"
                "void main() { uint l = gl_LocalInvocationIndex, i = first + l;\n"
                "word[i + 40u] = word[i] + 1000u;\n"
                "result[l] = atomicAdd(word[i + 80u], 5u) + atomicAdd(word[i + 80u], l);\n"
                "atomicCompSwap(word[i + 120u], 0u, 77u);\n"
                "atomicAdd(word[first + 401u], 1u);\n"
                "vec[first / 4u + 40u + l] = uvec4(l * 10u) + uvec4(0, 1, 2, 3);\n"
                "result[40u + l] = vec[first / 4u + l / 4u][l % 4u];\n"
                "pair[first / 2u + 160u + l] = (uint64_t(2) << 32) + uint64_t(6u * l);\n"
                "if (l == 0u) { word[first + 400u] = word[first];\n"
                "  word[first + 402u] = uint(word.length()); }\n"
                /* past the end: vectors of which a part exists, and words */
                "uint last = min(uint(word.length()) + l, 0x3fffffffu);\n"
                "word[last] = 9u; pair[last / 2u] = uint64_t(9); atomicAdd(word[last], 9u);\n"
                "result[80u + l] = word[last] + vec[last / 4u].x + uint(pair[last / 2u]); }\n";
    GLuint program = link_compute(text), result, word[3 * LANES];
    for (unsigned k = 0; k < 3; k++) {
        static const GLsizeiptr sizes[] = {LARGEST, 0xc0004000, 1 << 20};
        GLuint b = make_buffer(sizes[k]);
        static const GLintptr at[] = {0, 0x7fffff00, 0x80000000, 0xa0000000, 0xffffe000};
        for (unsigned i = 0; i < sizeof at / sizeof *at && at[i] + 8192 <= sizes[k] + 1; i++) {
            prepare_words(b, at[i]);
            result = bind_storage(b, program, (GLuint)(at[i] / 4));
            glDispatchCompute(1, 1, 1);
            glMemoryBarrier(GL_ALL_BARRIER_BITS);
            expect_words(b, at[i], sizes[k]);
            glGetNamedBufferSubData(result, 0, sizeof word, word);
            for (unsigned l = 0; l < LANES; l++) {
                assert_int_equal(word[l], 5);
                assert_int_equal(word[LANES + l], 1000 + 3 * l);
                assert_int_equal(word[2 * LANES + l], 0);
            }
            glDeleteBuffers(1, &result);
            write_to(b, at[i], (const GLuint[12 * LANES]){0}, 48 * LANES);
        }
        expect_word(b, 12 * LANES * 4, 0);
        expect_word(b, sizes[k] - 4, 0);
        glDeleteBuffers(1, &b);
    }
    gl_test_delete_program(program);
    expect_error(GL_NO_ERROR);
}

/* Storage buffers of vertex and fragment shaders, one of them large, selected by an index. */
static void test_storage_stages(void **state)
{
    static const char vs[] = "#version 430\n"
                             "layout(std430, binding = 0) buffer B { uint word[]; } b[2];\n"
                             "uniform uint first; flat out vec4 c; void main() {\n"
                             "uint w = b[gl_VertexID / 3].word[first + uint(gl_VertexID % 3)];\n"
                             "c = w == 7u ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1);\n"
                             "int i = gl_VertexID % 3;\n"
                             "gl_Position = vec4(i / 2 * 4 - 1, i % 2 * 4 - 1, 0, 1); }";
    static const char fs[] = "#version 430\n"
                             "layout(std430, binding = 0) buffer B { uint word[]; } b[2];\n"
                             "uniform uint first; flat in vec4 c; out vec4 color; void main() {\n"
                             "uvec2 p = uvec2(gl_FragCoord.xy);\n"
                             "atomicAdd(b[0].word[first + 4u + p.x], 1u);\n"
                             "b[0].word[first + 20u + p.x + p.y * 16u] = p.y; color = c; }";
    GLuint b = make_buffer(LARGEST), small, program = gl_test_program(vs, fs);
    glUseProgram(program);
    glCreateBuffers(1, &small);
    glNamedBufferData(small, 4096, NULL, GL_DYNAMIC_COPY);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, small);
    for (unsigned k = 0; k < 2 + PLACES; k++) {
        /* the same draws with a small buffer, first and last */
        const bool last = k == 1 + PLACES;
        const GLuint buffer = !k || last ? small : b;
        const GLintptr at = !k || last ? 0 : places[k - 1];
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
        write_to(buffer, at, (const GLuint[600]){7, 7, 7}, 2400);
        glUniform1ui(glGetUniformLocation(program, "first"), (GLuint)(at / 4));
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        expect_color(green);
        for (unsigned x = 0; x < SIZE; x++) {
            expect_word(buffer, at + 16 + 4 * x, SIZE);
            for (unsigned y = 0; y < SIZE; y++)
                expect_word(buffer, at + 80 + 4 * (x + y * SIZE), y);
        }
        expect_word(buffer, at + 80 + 4 * SIZE * SIZE, 0);
        glDrawArrays(GL_TRIANGLES, 3, 3); /* from the small buffer */
        expect_color(at ? red : green);
    }
    gl_test_delete_program(program);
    glDeleteBuffers(1, &b);
    glDeleteBuffers(1, &small);
}

/* Uniform blocks and atomic counters far from the start. */
static void test_ranges(void **state)
{
    static const char fs[] =
        "#version 430\nlayout(std140, binding = 1) uniform U { vec4 color[4]; };\n"
        "layout(binding = 2, offset = 8) uniform atomic_uint counter; uniform int i;\n"
        "out vec4 c;\n"
        "void main() { atomicCounterIncrement(counter); c = color[2] + color[i]; }";
    static const float half_green[4] = {0, 0.5f, 0, 0.5f};
    GLuint b = make_buffer(LARGEST),
           program = gl_test_program("#version 430\nin vec4 weight; void main() {\n"
                                     "gl_Position = weight; }",
                                     fs);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "i"), 3);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, corners);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        write_to(b, *p + 32, half_green, 16);
        write_to(b, *p + 48, half_green, 16);
        glBindBufferRange(GL_UNIFORM_BUFFER, 1, b, *p, 64);
        glBindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 2, b, *p + 256, 16);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        expect_color(green);
        expect_word(b, *p + 256 + 8, SIZE * SIZE);
        glBindBufferBase(GL_UNIFORM_BUFFER, 1, b); /* reads the first 64 bytes: zeros */
        glDrawArrays(GL_TRIANGLES, 0, 3);
        expect_color((const float[4]){0, 0, 0, 0});
    }
    glDisableVertexAttribArray(3);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &b);
}

/* Buffer textures and images. A texture of the whole buffer has MAX_TEXTURE_BUFFER_SIZE texels. */
static void test_texels(void **state)
{
    static const char text[] =
        "#version 450\nlayout(local_size_x = 32) in; uniform usamplerBuffer words;\n"
        "layout(binding = 1) uniform samplerBuffer vectors;\n"
        "layout(binding = 2, r32ui) uniform uimageBuffer image;\n"
        "layout(std430, binding = 3) buffer R { uint result[]; };\n"
        "void main() { int l = int(gl_LocalInvocationIndex), n = textureSize(vectors);\n"
        "imageStore(image, l, uvec4(texelFetch(words, l).x + 1u));\n"
        "imageAtomicAdd(image, 32 + l, 3u);\n"
        "imageStore(image, 64 + l, uvec4(9u));\n"
        "result[l] = texelFetch(words, 64 + l).x;\n"
        "result[32 + l] = uint(texelFetch(vectors, n - 1 - l % 8).w); result[64] = uint(n); }\n";
    GLuint b = make_buffer(LARGEST), program = link_compute(text), texture[3], result, word[65];
    GLint most;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    const GLintptr end = 16ll * (most < LARGEST / 16 ? most : LARGEST / 16);
    glGenTextures(3, texture);
    result = bind_storage(0, program, 0);
    for (GLintptr l = 0; l < 8; l++)
        write_to(b, end - 16 * l - 4, (const float[]){(float)(l + 5)}, 4);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        for (unsigned l = 0; l < 32; l++)
            write_word(b, *p + 4 * l, 100 + l);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_BUFFER, texture[0]);
        glTexBufferRange(GL_TEXTURE_BUFFER, GL_R32UI, b, *p, 256);
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_BUFFER, texture[1]);
        glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, b);
        glActiveTexture(GL_TEXTURE2);
        glBindTexture(GL_TEXTURE_BUFFER, texture[2]);
        glTexBufferRange(GL_TEXTURE_BUFFER, GL_R32UI, b, *p + 256, 256);
        glBindImageTexture(2, texture[2], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
        glGetNamedBufferSubData(result, 0, sizeof word, word);
        for (unsigned l = 0; l < 32; l++) {
            expect_word(b, *p + 256 + 4 * l, 101 + l);
            expect_word(b, *p + 256 + 128 + 4 * l, 3);
            expect_word(b, *p + 512 + 4 * l, 0);
            assert_int_equal(word[l], 0);
            assert_int_equal(word[32 + l], 5 + l % 8);
        }
        assert_int_equal(word[64], end / 16);
        glTexBufferRange(GL_TEXTURE_BUFFER, GL_R32UI, b, LARGEST & ~255ll, 512);
        expect_error(GL_INVALID_VALUE);
    }
    glActiveTexture(GL_TEXTURE0);
    gl_test_delete_program(program);
    glDeleteTextures(3, texture);
    glDeleteBuffers(1, &result);
    glDeleteBuffers(1, &b);
}

/* --------------------------------------------------------------- pixels, queries and memory --- */

static void test_pixels(void **state)
{
    GLuint b = make_buffer(LARGEST), texture;
    GLubyte got[16];
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        const GLintptr at = *p + 252; /* the first one crosses 2 GiB */
        write_to(b, at, "abcdefghijklmnop", 16);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, b);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, (void *)at);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, (void *)at);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got);
        assert_memory_equal(got, "abcdefghijklabcd", 16);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, b);
        glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, (void *)(at + 40));
        glClearColor(1, 0, 1, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        glReadPixels(0, 0, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, (void *)(at + 60));
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        glGetNamedBufferSubData(b, at + 40, 16, got);
        assert_memory_equal(got, "abcdefghijklabcd", 16);
        expect_word(b, at + 60, 0xff00ff);
        expect_word(b, at + 56, 0);
    }
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, b);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 (void *)(LARGEST - 15));
    expect_error(GL_INVALID_OPERATION);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glClearColor(0, 0, 0, 0);
    glDeleteTextures(1, &texture);
    glDeleteBuffers(1, &b);
}

static void test_queries(void **state)
{
    GLuint b = make_buffer(LARGEST), query;
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glRectf(-1, -1, 1, 1);
    glEndQuery(GL_SAMPLES_PASSED);
    glBindBuffer(GL_QUERY_BUFFER, b);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        glGetQueryObjectuiv(query, GL_QUERY_RESULT, (GLuint *)(*p + 4));
        glGetQueryBufferObjectui64v(query, b, GL_QUERY_RESULT, *p + 16);
        expect_word(b, *p, 0);
        expect_word(b, *p + 4, SIZE * SIZE);
        expect_word(b, *p + 8, 0);
        expect_word(b, *p + 16, SIZE * SIZE);
        expect_word(b, *p + 20, 0);
    }
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, (GLuint *)(LARGEST - 3));
    expect_error(GL_INVALID_OPERATION);
    glBindBuffer(GL_QUERY_BUFFER, 0);
    glDeleteQueries(1, &query);
    glDeleteBuffers(1, &b);
}

/* Writes words to a buffer by a command and by a shader, and checks them in its memory. */
static void check_memory(GLuint b, GLsizeiptr size, const uint8_t *memory)
{
    GLuint program = link_compute(STORAGE "layout(local_size_x = 8) in; void main() {\n"
                                          "uint i = first + gl_LocalInvocationIndex;\n"
                                          "word[i] = word[i - 8u] + uint(word.length()); }");
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        if (*p + 1024 > size)
            continue;
        for (GLuint i = 0; i < 8; i++)
            write_word(b, *p + 480 + 4 * i, 3 * i);
        GLuint result = bind_storage(b, program, (GLuint)(*p / 4 + 128));
        glDispatchCompute(1, 1, 1);
        glFinish();
        for (GLuint i = 0; i < 8; i++) {
            GLuint word = 0;
            expect_word(b, *p + 512 + 4 * i, 3 * i + (GLuint)(size / 4));
            if (memory) {
                memcpy(&word, memory + *p + 512 + 4 * i, 4);
                assert_int_equal(word, 3 * i + (GLuint)(size / 4));
            }
        }
        glDeleteBuffers(1, &result);
    }
    gl_test_delete_program(program);
    expect_error(GL_NO_ERROR);
}

static void test_sparse(void **state)
{
    GLuint b = make_buffer(16);
    GLint page;
    glDeleteBuffers(1, &b);
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBufferStorage(GL_ARRAY_BUFFER, LARGEST, NULL,
                    GL_SPARSE_STORAGE_BIT_ARB | GL_DYNAMIC_STORAGE_BIT);
    glGetIntegerv(GL_SPARSE_BUFFER_PAGE_SIZE_ARB, &page);
    for (const GLintptr *p = places; p < places + PLACES; p++) {
        const GLintptr at = *p / page * page;
        glNamedBufferPageCommitmentARB(b, at, page < LARGEST - at ? page : LARGEST - at, GL_TRUE);
    }
    check_memory(b, LARGEST, NULL);
    glNamedBufferPageCommitmentARB(b, LARGEST / page * page, LARGEST % page, GL_FALSE);
    expect_error(GL_NO_ERROR);
    expect_word(b, places[3] + 512, 0);
    expect_word(b, places[2] + 516, 3 + (GLuint)(LARGEST / 4));
    glDeleteBuffers(1, &b);
}

static void test_pinned_memory(void **state)
{
    const GLsizeiptr size = 0xc0010000;
    GLuint b = make_buffer(16);
    uint8_t *memory = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(memory != MAP_FAILED);
    glBindBuffer(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, b);
    glBufferData(GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD, size, memory, GL_STREAM_DRAW);
    expect_error(GL_NO_ERROR);
    check_memory(b, size, memory);
    glDeleteBuffers(1, &b);
    glFinish();
    munmap(memory, (size_t)size);
}

static void test_memory_object(void **state)
{
    const GLsizeiptr size = 0xc0010000;
    GLuint b = make_buffer(16), object;
    int fd = memfd_create("buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(fd >= 0 && !ftruncate(fd, size));
    uint8_t *memory = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
    assert_true(memory != MAP_FAILED);
    glDeleteBuffers(1, &b);
    glCreateBuffers(1, &b);
    glCreateMemoryObjectsEXT(1, &object);
    glImportMemoryFdEXT(object, (GLuint64)size, GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
    glNamedBufferStorageMemEXT(b, size, object, 0);
    expect_error(GL_NO_ERROR);
    check_memory(b, size, memory);
    glDeleteBuffers(1, &b);
    glDeleteMemoryObjectsEXT(1, &object);
    munmap(memory, (size_t)size);
}

/* A buffer that another context replaces by a large one, and back. */
static void test_shared(void **state)
{
    enum gl_create_error error;
    GLuint b = make_buffer(LARGEST), program = gl_test_program(COLOR_VS, COLOR_FS);
    struct gl_context *other = core->context_create(
        &(struct gl_context_attribs){
            .api = GL_API_COMPAT, .major = 1, .visual = &visual, .share = *state},
        &error);
    assert_non_null(other);
    glUseProgram(program);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, STRIDE, NULL);
    for (unsigned k = 0; k < 4; k++) {
        assert_true(core->make_current(other, drawable, drawable));
        glNamedBufferData(b, k % 2 ? LARGEST : 8 * STRIDE, NULL, GL_STATIC_DRAW);
        for (unsigned i = 0; i < 6; i++)
            write_to(b, i * STRIDE, red, 16);
        if (k % 2)
            write_colors(b, 3ll << 30, green);
        assert_true(core->make_current(*state, drawable, drawable));
        draw_vertices((3ll << 30) / STRIDE, k > 1);
        expect_color(k % 2 ? green : (const float[4]){0, 0, 0, 1});
        draw_vertices(0, k > 1);
        expect_color(red);
    }
    glDisableVertexAttribArray(3);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &b);
    core->context_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_state),
        cmocka_unit_test(test_data),           cmocka_unit_test(test_array_offsets),
        cmocka_unit_test(test_vertex_indices), cmocka_unit_test(test_feedback),
        cmocka_unit_test(test_indirect),       cmocka_unit_test(test_storage),
        cmocka_unit_test(test_storage_stages), cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_texels),         cmocka_unit_test(test_pixels),
        cmocka_unit_test(test_queries),        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_pinned_memory),  cmocka_unit_test(test_memory_object),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
