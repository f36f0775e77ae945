/* SPDX-License-Identifier: MIT */
/*
 * Draws and dispatches that read arbitrary buffer contents, which may change meanwhile: parameters,
 * indices, vertices, offsets. Nothing outside the buffers is accessed (INDIUM_DEBUG=guard would
 * make that a fault), the errors are the specified ones, and the context still draws.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <pthread.h>

#include "gl_test.h"
#include "util/macros.h"

#define SIZE 32

static const struct gl_test_window window = {SIZE, SIZE};

static int setup(void **state)
{
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

/* --- helpers --- */

/* Creates a buffer with these bytes (NULL: zeros) and binds it to the target. */
static GLuint make_buffer(GLenum target, GLsizeiptr size, const void *data)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, size, data, GL_DYNAMIC_DRAW);
    return name;
}

static void expect_still_draws(void)
{
    glUseProgram(0);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(0, 1, 0);
    glRectf(-1, -1, 1, 1);
    expect(5, SIZE - 5, 0, 1, 0);
}

/* Uses attribute 3 per vertex, attribute 4 per instance, and all of a draw's parameters. */
static const char numbers_vs[] =
    "#version 430\n#extension GL_ARB_shader_draw_parameters: require\n"
    "layout(location = 3) in vec4 v; layout(location = 4) in uvec4 each;\n"
    "out vec4 color; uniform vec4 table[8];\n"
    "void main() { color = table[gl_VertexID] + table[gl_InstanceID] + table[gl_BaseVertexARB]\n"
    "+ table[gl_BaseInstanceARB + gl_DrawIDARB] + table[each.x]; gl_Position = v; }\n";
static const char numbers_fs[] =
    "#version 430\nin vec4 color; out vec4 o; void main() { o = color; }\n";

static const float corners[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
static const GLuint indices[] = {0, 1, 2, ~0u, 0x80000000, 3};

static GLuint vertices, instances, elements, program;

static void set_up_arrays(void)
{
    static const GLuint each[4][4] = {{~0u, 1, 2, 3}, {7}, {0x80000000}, {8}};
    program = gl_test_program(numbers_vs, numbers_fs);
    glUseProgram(program);
    vertices = make_buffer(GL_ARRAY_BUFFER, sizeof corners, corners);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    instances = make_buffer(GL_ARRAY_BUFFER, sizeof each, each);
    glVertexAttribIPointer(4, 4, GL_UNSIGNED_INT, 0, NULL);
    glVertexAttribDivisor(4, 1);
    elements = make_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices);
    glEnableVertexAttribArray(3);
    glEnableVertexAttribArray(4);
}

static void drop_arrays(void)
{
    glDisableVertexAttribArray(3);
    glDisableVertexAttribArray(4);
    glVertexAttribDivisor(4, 0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glDeleteBuffers(3, (GLuint[]){vertices, instances, elements});
    gl_test_delete_program(program);
}

/* --- parameters --- */

static const GLuint extremes[] = {0, 3, 0x7fffffff, 0x80000000, ~0u};

/* Fills a bound buffer with commands of every combination of extreme fields. Returns their
 * number. */
static unsigned make_commands(unsigned words, GLuint *buffer)
{
    static GLuint command[3125][5];
    unsigned count = 1;
    for (unsigned w = 0; w < words; w++)
        count *= ARRAY_SIZE(extremes);
    for (unsigned i = 0; i < count; i++)
        for (unsigned w = 0, rest = i; w < words; w++, rest /= ARRAY_SIZE(extremes))
            (&command[0][0])[i * words + w] = extremes[rest % ARRAY_SIZE(extremes)];
    *buffer = make_buffer(GL_DRAW_INDIRECT_BUFFER, count * words * 4, command);
    return count;
}

/* Returns whether a command ends soon even if its pixels are drawn. */
static bool is_small(unsigned number, bool indexed)
{
    GLuint count = extremes[number % ARRAY_SIZE(extremes)];
    GLuint times = extremes[number / ARRAY_SIZE(extremes) % ARRAY_SIZE(extremes)];
    return !times || !count || (times == 3 && (indexed || count == 3));
}

/* Runs all commands with rasterizer discard, and those that end soon with pixels. */
static void test_fields(void **state)
{
    set_up_arrays();
    for (unsigned indexed = 0; indexed < 2; indexed++) {
        const unsigned words = indexed ? 5 : 4;
        GLuint buffer;
        const unsigned count = make_commands(words, &buffer);
        glEnable(GL_RASTERIZER_DISCARD);
        if (indexed)
            glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, NULL, (GLsizei)count, 0);
        else
            glMultiDrawArraysIndirect(GL_TRIANGLES, NULL, (GLsizei)count, 0);
        glDisable(GL_RASTERIZER_DISCARD);
        for (uintptr_t i = 0; i < count; i++) {
            if (!is_small((unsigned)i, indexed))
                continue;
            if (indexed)
                glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, (void *)(i * words * 4));
            else
                glDrawArraysIndirect(GL_TRIANGLES, (void *)(i * words * 4));
        }
        glFinish();
        expect_error(GL_NO_ERROR);
        glDeleteBuffers(1, &buffer);
    }
    drop_arrays();
    expect_still_draws();
}

/* GL 4.6 §10.4: commands outside the buffer, and at offsets that are no multiples of four. */
static void test_offsets(void **state)
{
    static const struct {
        intptr_t offset;
        GLsizei count, stride;
        GLenum error;
    } cases[] = {
        {0, 1, 0, GL_NO_ERROR},
        {64 - 16, 1, 0, GL_NO_ERROR},
        {64 - 12, 1, 0, GL_INVALID_OPERATION},
        {64, 1, 0, GL_INVALID_OPERATION},
        {64, 0, 0, GL_NO_ERROR},
        {1 << 30, 1, 0, GL_INVALID_OPERATION},
        {INTPTR_MAX & ~3l, 1, 0, GL_INVALID_OPERATION},
        {-4, 1, 0, GL_INVALID_OPERATION},
        {-16, 2, 0, GL_INVALID_OPERATION},
        {-64, 5, 16, GL_INVALID_OPERATION},
        {2, 1, 0, GL_INVALID_VALUE},
        {0, -1, 0, GL_INVALID_VALUE},
        {0, 1, 6, GL_INVALID_VALUE},
        {0, 1, -4, GL_INVALID_VALUE},
        {0, 4, 0, GL_NO_ERROR},
        {0, 5, 0, GL_INVALID_OPERATION},
        {0, INT32_MAX, 0, GL_INVALID_OPERATION},
        {0, INT32_MAX, 4, GL_INVALID_OPERATION},
        {0, 13, 4, GL_NO_ERROR},
        {0, 14, 4, GL_INVALID_OPERATION},
        {0, 2, INT32_MAX & ~3, GL_INVALID_OPERATION},
    };
    GLuint buffer;
    set_up_arrays();
    buffer = make_buffer(GL_DRAW_INDIRECT_BUFFER, 64, NULL);
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        glMultiDrawArraysIndirect(GL_TRIANGLES, (void *)cases[i].offset, cases[i].count,
                                  cases[i].stride);
        expect_error(cases[i].error);
    }
    glDeleteBuffers(1, &buffer);
    drop_arrays();
    expect_still_draws();
}

/* ARB_indirect_parameters: any count in the buffer is clamped to the call's maximum. */
static void test_counts(void **state)
{
    static const GLuint commands[4][4] = {{3, 1, 0, 0}, {3, 1}, {~0u, ~0u, ~0u, ~0u}, {~0u}};
    static const GLuint counts[] = {0, 2, 0x80000000, ~0u};
    GLuint buffer[2];
    set_up_arrays();
    buffer[0] = make_buffer(GL_DRAW_INDIRECT_BUFFER, sizeof commands, commands);
    buffer[1] = make_buffer(GL_PARAMETER_BUFFER_ARB, sizeof counts, counts);
    for (GLintptr i = 0; i < (GLintptr)ARRAY_SIZE(counts); i++) {
        glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, 0, 4 * i, 2, 0);
        expect_error(GL_NO_ERROR);
    }
    glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, 0, 4, INT32_MAX, 0);
    expect_error(GL_NO_ERROR);
    glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, 0, 12, INT32_MAX, 0);
    expect_error(GL_INVALID_OPERATION);
    static const GLintptr beyond[] = {sizeof counts, 1 << 30, INTPTR_MAX & ~3l};
    for (unsigned i = 0; i < ARRAY_SIZE(beyond); i++) {
        glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, 0, beyond[i], 2, 0);
        expect_error(GL_INVALID_OPERATION);
    }
    static const GLintptr invalid[] = {-4, 2, INTPTR_MIN};
    for (unsigned i = 0; i < ARRAY_SIZE(invalid); i++) {
        glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, 0, invalid[i], 2, 0);
        expect_error(GL_INVALID_VALUE);
    }
    glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, 0, 0, -1, 0);
    expect_error(GL_INVALID_VALUE);
    glDeleteBuffers(2, buffer);
    drop_arrays();
    expect_still_draws();
}

/* Checks base values that overflow vertex and instance numbers for arrays in buffers, and indices
 * from outside their buffer. */
static void test_bases(void **state)
{
    static const GLint bases[] = {0, 1, INT32_MAX, INT32_MIN, -1, -3};
    static const GLuint first_instances[] = {0, 3, 0x7fffffff, 0x80000000, ~0u};
    static const GLuint divisors[] = {1, 2, 0x80000000, ~0u};
    set_up_arrays();
    for (unsigned i = 0; i < ARRAY_SIZE(bases) * ARRAY_SIZE(first_instances); i++) {
        const GLint base = bases[i % ARRAY_SIZE(bases)];
        const GLuint first = first_instances[i / ARRAY_SIZE(bases)];
        for (unsigned d = 0; d < ARRAY_SIZE(divisors); d++) {
            glVertexAttribDivisor(4, divisors[d]);
            glDrawElementsInstancedBaseVertexBaseInstance(GL_TRIANGLES, ARRAY_SIZE(indices),
                                                          GL_UNSIGNED_INT, NULL, 5, base, first);
            glDrawElementsInstancedBaseVertexBaseInstance(
                GL_TRIANGLES, 100, GL_UNSIGNED_SHORT, (void *)(sizeof indices - 7), 2, base, first);
            glDrawArraysInstancedBaseInstance(GL_TRIANGLES, base < 0 ? 0 : base, 3, 5, first);
        }
    }
    glFinish();
    expect_error(GL_NO_ERROR);
    drop_arrays();
    expect_still_draws();
}

/* Draws many ranges with more than 2^32 vertices in total. */
static void test_many_ranges(void **state)
{
    enum { MANY = 10000 };
    static GLint first[MANY];
    static GLsizei count[MANY];
    static const void *offset[MANY];
    set_up_arrays();
    for (unsigned i = 0; i < MANY; i++) {
        first[i] = INT32_MAX - (GLint)i;
        count[i] = INT32_MAX - (GLint)i % 3;
        offset[i] = (void *)(INTPTR_MAX - i);
    }
    glEnable(GL_RASTERIZER_DISCARD);
    glMultiDrawArrays(GL_TRIANGLES, first, count, MANY);
    glDisable(GL_RASTERIZER_DISCARD);
    glMultiDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, offset, MANY);
    glMultiDrawElementsBaseVertex(GL_TRIANGLES, count, GL_UNSIGNED_BYTE, offset, MANY, first);
    expect_error(GL_NO_ERROR);
    count[MANY - 1] = -1;
    glMultiDrawArrays(GL_TRIANGLES, first, count, MANY);
    expect_error(GL_INVALID_VALUE);
    glMultiDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, offset, MANY);
    expect_error(GL_INVALID_VALUE);
    glMultiDrawArrays(GL_TRIANGLES, first, count, INT32_MIN);
    expect_error(GL_INVALID_VALUE);
    drop_arrays();
    expect_still_draws();
}

/* --- storage --- */

/* Checks unsized arrays in buffer ranges that end before, in and after them. */
static void test_lengths(void **state)
{
    static const struct {
        GLintptr offset;
        GLsizeiptr size;
        GLuint length;
    } ranges[] = {
        {0, 4, 0},  {0, 16, 0},   {0, 28, 0},     {0, 32, 1},
        {0, 60, 2}, {0, 512, 31}, {256, 256, 15}, {256, 4, 0},
    };
    GLuint buffer[2], result[4];
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_COMPUTE_SHADER,
                   "#version 430\nlayout(local_size_x = 1) in; uniform int k;\n"
                   "struct S { vec4 v; };\n"
                   "layout(std430, binding = 0) buffer B { vec4 head; S last[]; } b;\n"
                   "layout(std430, binding = 1) buffer R { uint length, other; float read[2]; };\n"
                   "void main() { length = uint(b.last.length()); read[0] = b.last[k].v.x;\n"
                   "b.last[k].v = vec4(1.0); b.last[b.last.length()].v.w = 2.0;\n"
                   "read[1] = b.last[b.last.length() - 1 - k].v.y; other = 7u; }");
    gl_test_use(p);
    buffer[0] = make_buffer(GL_SHADER_STORAGE_BUFFER, 512, NULL);
    buffer[1] = make_buffer(GL_SHADER_STORAGE_BUFFER, sizeof result, NULL);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer[1]);
    static const GLint ks[] = {0x7fffffff, INT32_MIN, -1, 0x0fffffff, 0x10000000, 31, 32};
    for (unsigned i = 0; i < ARRAY_SIZE(ranges) * ARRAY_SIZE(ks); i++) {
        const unsigned r = i % ARRAY_SIZE(ranges);
        glUniform1i(glGetUniformLocation(p, "k"), ks[i / ARRAY_SIZE(ranges)]);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer[0], ranges[r].offset, ranges[r].size);
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer[1]);
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof result, result);
        assert_int_equal(result[0], ranges[r].length);
        assert_int_equal(result[1], 7);
    }
    /* A buffer that shrinks below its bound range. */
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer[0]);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer[0], 256, 256);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 64, NULL, GL_DYNAMIC_DRAW);
    glDispatchCompute(1, 1, 1);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, 4, result);
    glFinish();
    expect_error(GL_NO_ERROR);
    glDeleteBuffers(2, buffer);
    gl_test_delete_program(p);
    expect_still_draws();
}

/* --- transform feedback --- */

static void capture(GLsizei count, GLsizei times)
{
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArraysInstanced(GL_TRIANGLES, 0, count, times);
    glEndTransformFeedback();
}

/* Captures into buffers that are too small, shrink or are deleted, and draws from them. */
static void test_feedback(void **state)
{
    static const char *const varyings[] = {"color", "gl_Position"};
    GLuint buffer[2], feedback, query, written;
    set_up_arrays();
    glTransformFeedbackVaryings(program, 2, varyings, GL_SEPARATE_ATTRIBS);
    gl_test_use(program);
    glGenBuffers(2, buffer);
    glGenTransformFeedbacks(1, &feedback);
    glGenQueries(1, &query);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    glEnable(GL_RASTERIZER_DISCARD);
    for (unsigned i = 0; i < 2; i++) {
        glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer[i]);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 512, NULL, GL_DYNAMIC_COPY);
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, i, buffer[i], 256, i ? 96 : 256);
    }
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    capture(30, 50);
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
    assert_int_equal(written, 2); /* 96 bytes, 48 per triangle */
    /* Less than is bound; then nothing in the second buffer; then nothing at all. */
    static const GLsizeiptr sizes[][2] = {{260, 512}, {512, 257}, {4, 4}, {512, 0}, {0, 0}};
    for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
        for (unsigned k = 0; k < 2; k++) {
            glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer[k]);
            glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizes[i][k], NULL, GL_DYNAMIC_COPY);
        }
        capture(3, 5);
        while (glGetError())
            ;
    }
    /* Replaces the buffers during capture, in the capturing context. */
    for (unsigned k = 0; k < 2; k++) {
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, k, buffer[k]);
        glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 512, NULL, GL_DYNAMIC_COPY);
    }
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 16, NULL, GL_DYNAMIC_COPY);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDeleteBuffers(1, &buffer[0]);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glPauseTransformFeedback();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glDrawTransformFeedbackInstanced(GL_TRIANGLES, feedback, 0x7fffffff);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    glResumeTransformFeedback();
    glEndTransformFeedback();
    while (glGetError())
        ;
    glDrawTransformFeedbackStreamInstanced(GL_TRIANGLES, feedback, 0, 3);
    glDisable(GL_RASTERIZER_DISCARD);
    glDrawTransformFeedback(GL_TRIANGLES, feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glDeleteTransformFeedbacks(1, &feedback);
    glDeleteQueries(1, &query);
    glDeleteBuffers(2, buffer);
    drop_arrays();
    expect_still_draws();
}

/* --- buffers that change while they are read --- */

#define SHARED_WORDS 4096

/* A thread that writes words of the mapping until it is stopped: small or extreme values, depending
 * on the word's index. */
struct writer {
    pthread_t thread;
    uint32_t *word;
    bool ended; /* atomic */
};

/* The first words of the buffer are parameters with small counts. */
enum { PARAMETERS = 64 };

static void *write_on(void *data)
{
    struct writer *w = data;
    uint64_t random = 1;
    while (!__atomic_load_n(&w->ended, __ATOMIC_RELAXED)) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        unsigned at = random >> 33 & (SHARED_WORDS - 1);
        uint32_t value = extremes[(random >> 50) % ARRAY_SIZE(extremes)];
        if (random >> 60 & 1)
            value = random >> 40 & 0xff;
        if (at < PARAMETERS && at % 5 < 2) /* a count of vertices, instances or groups */
            value = random >> 40 & 0xf;
        __atomic_store_n(&w->word[at], value, __ATOMIC_RELAXED);
    }
    return NULL;
}

static const char changing_vs[] =
    "#version 430\nlayout(location = 3) in vec4 v; layout(location = 4) in uvec4 each;\n"
    "uniform usamplerBuffer t;\n"
    "layout(std140) uniform U { uvec4 u[64]; }; out vec4 color; uniform vec4 table[8];\n"
    "void main() { uint i = u[each.y & 63u].x; float local[8]; local[i & 7u] = 1.0;\n"
    "color = table[i] + table[each.x] + vec4(local[u[i].y]) + vec4(texelFetch(t, int(i)));\n"
    "gl_Position = vec4(v.xyz, 1.0); }\n";
static const char changing_fs[] =
    "#version 430\nin vec4 color; out vec4 o; uniform sampler2D s;\n"
    "layout(std430, binding = 0) buffer B { uint b[]; };\n"
    "void main() { uint i = b[uint(gl_FragCoord.x)]; b[b[i]] = b[i] + b.length();\n"
    "o = color + texelFetch(s, ivec2(b[1], b[2]), int(b[3])); atomicAdd(b[b[4]], 1u); }\n";
static const char changing_cs[] =
    "#version 430\nlayout(local_size_x = 4) in; shared uint s[64];\n"
    "layout(std430, binding = 0) buffer B { uint b[]; };\n"
    "void main() { uint i = b[gl_GlobalInvocationID.x]; s[i] = b[i]; barrier();\n"
    "b[s[i & 63u]] = s[b[i]]; }\n";

/* Uses one persistent mapping for indices, parameters, vertices, uniforms, storage, texels and
 * pixels. */
static void test_changes(void **state)
{
    const GLbitfield access = GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT | GL_MAP_WRITE_BIT;
    const GLsizeiptr bytes = SHARED_WORDS * 4;
    struct writer w = {0};
    GLuint buffer, texture[2], compute = glCreateProgram();
    program = gl_test_program(changing_vs, changing_fs);
    gl_test_attach(compute, GL_COMPUTE_SHADER, changing_cs);
    gl_test_link(compute);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, bytes, NULL, access | GL_DYNAMIC_STORAGE_BIT);
    w.word = glMapBufferRange(GL_ARRAY_BUFFER, 0, bytes, access);
    assert_non_null(w.word);
    static const GLenum targets[] = {GL_ELEMENT_ARRAY_BUFFER, GL_DRAW_INDIRECT_BUFFER,
                                     GL_DISPATCH_INDIRECT_BUFFER, GL_PARAMETER_BUFFER_ARB,
                                     GL_PIXEL_UNPACK_BUFFER};
    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++)
        glBindBuffer(targets[i], buffer);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glGenTextures(2, texture);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_BUFFER, texture[1]);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, buffer);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "t"), 1);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribIPointer(4, 4, GL_UNSIGNED_INT, 0, NULL);
    glEnableVertexAttribArray(3);
    glEnableVertexAttribArray(4);
    glPrimitiveRestartIndex(~0u);
    assert_int_equal(pthread_create(&w.thread, NULL, write_on, &w), 0);
    for (unsigned i = 0; i < 300; i++) {
        const void *parameters = (const void *)(uintptr_t)(i % 8 * 20);
        (i & 1 ? glEnable : glDisable)(GL_PRIMITIVE_RESTART);
        glUseProgram(program);
        glDrawElements(i & 2 ? GL_TRIANGLES : GL_LINE_STRIP, 3000, GL_UNSIGNED_INT, NULL);
        glDrawElements(GL_TRIANGLE_STRIP, 5000, GL_UNSIGNED_SHORT, (void *)(uintptr_t)(i % 8));
        glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, parameters, 3, 20);
        glMultiDrawArraysIndirectCountARB(GL_TRIANGLES, parameters, 4 * (i % 4), 5, 20);
        glUseProgram(compute);
        glDispatchComputeIndirect((GLintptr)parameters);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, (void *)4096);
        glCompressedTexImage2D(GL_TEXTURE_2D, 1, GL_COMPRESSED_RGBA_BPTC_UNORM, 8, 8, 0, 64, NULL);
        glNewList(1, GL_COMPILE);
        glUseProgram(program);
        glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_BYTE, NULL);
        glEndList();
        glCallList(1);
        while (glGetError())
            ;
    }
    glFinish();
    __atomic_store_n(&w.ended, true, __ATOMIC_RELAXED);
    pthread_join(w.thread, NULL);
    glDisable(GL_PRIMITIVE_RESTART);
    glDisableVertexAttribArray(3);
    glDisableVertexAttribArray(4);
    glDeleteLists(1, 1);
    glDeleteTextures(2, texture);
    glDeleteProgram(compute);
    gl_test_delete_program(program);
    glDeleteBuffers(1, &buffer);
    expect_still_draws();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),      cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_counts),      cmocka_unit_test(test_bases),
        cmocka_unit_test(test_many_ranges), cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_feedback),    cmocka_unit_test(test_changes),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
