/* SPDX-License-Identifier: MIT */
/* Sparse buffers (ARB_sparse_buffer): errors, contents of committed pages, memory of decommitted
 * pages, access to uncommitted pages by commands and shaders. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>
#include <unistd.h>

#include "gl_test.h"

#define SIZE 16

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLsizeiptr page_size(void)
{
    GLint size = 0;
    glGetIntegerv(GL_SPARSE_BUFFER_PAGE_SIZE_ARB, &size);
    assert_true(size > 0 && size <= 65536 && (size & (size - 1)) == 0);
    return size;
}

static GLuint make_sparse(GLsizeiptr size)
{
    GLuint b;
    GLint flags = 0;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBufferStorage(GL_ARRAY_BUFFER, size, "ignored",
                    GL_SPARSE_STORAGE_BIT_ARB | GL_DYNAMIC_STORAGE_BIT);
    expect_error(GL_NO_ERROR);
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_STORAGE_FLAGS, &flags);
    assert_int_equal(flags, GL_SPARSE_STORAGE_BIT_ARB | GL_DYNAMIC_STORAGE_BIT);
    return b;
}

static void test_errors(void **state)
{
    const GLsizeiptr page = page_size();
    GLuint plain, b;
    glGenBuffers(1, &plain);
    glBindBuffer(GL_ARRAY_BUFFER, plain);
    glBufferStorage(GL_ARRAY_BUFFER, page, NULL, GL_SPARSE_STORAGE_BIT_ARB | GL_MAP_READ_BIT);
    expect_error(GL_INVALID_VALUE);
    glBufferStorage(GL_ARRAY_BUFFER, page, NULL, GL_SPARSE_STORAGE_BIT_ARB | GL_MAP_WRITE_BIT);
    expect_error(GL_INVALID_VALUE);
    glBufferStorage(GL_ARRAY_BUFFER, 0, NULL, GL_SPARSE_STORAGE_BIT_ARB);
    expect_error(GL_INVALID_VALUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 0, 0, GL_TRUE); /* no storage */
    expect_error(GL_INVALID_OPERATION);
    glBufferStorage(GL_ARRAY_BUFFER, page, NULL, 0);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 0, page, GL_TRUE); /* not sparse */
    expect_error(GL_INVALID_OPERATION);

    b = make_sparse(3 * page + 100);
    glBufferPageCommitmentARB(GL_TEXTURE_2D, 0, page, GL_TRUE);
    expect_error(GL_INVALID_ENUM);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 4, page, GL_TRUE);
    expect_error(GL_INVALID_VALUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 0, page - 4, GL_TRUE);
    expect_error(GL_INVALID_VALUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, -page, page, GL_TRUE);
    expect_error(GL_INVALID_VALUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 0, -page, GL_TRUE);
    expect_error(GL_INVALID_VALUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 0, 4 * page, GL_TRUE); /* past the end */
    expect_error(GL_INVALID_VALUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 3 * page, 100, GL_TRUE); /* up to the end */
    expect_error(GL_NO_ERROR);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, page, 2 * page + 100, GL_FALSE);
    expect_error(GL_NO_ERROR);
    assert_null(glMapBuffer(GL_ARRAY_BUFFER, GL_READ_ONLY));
    expect_error(GL_INVALID_OPERATION);
    glNamedBufferPageCommitmentARB(plain, 0, page, GL_TRUE);
    expect_error(GL_INVALID_OPERATION);
    glNamedBufferPageCommitmentARB(12345, 0, page, GL_TRUE);
    expect_error(GL_INVALID_OPERATION);
    glNamedBufferPageCommitmentEXT(b, page, page, GL_TRUE);
    expect_error(GL_NO_ERROR);
    glDeleteBuffers(1, &plain);
    glDeleteBuffers(1, &b);
}

/* Committed pages keep their contents, also if they are committed again. */
static void test_contents(void **state)
{
    const GLsizeiptr page = page_size();
    GLuint b = make_sparse(4 * page);
    uint32_t words[4] = {1, 2, 3, 4}, got[4] = {0};
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, page, 2 * page, GL_TRUE);
    glBufferSubData(GL_ARRAY_BUFFER, 2 * page - 8, sizeof words, words);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, page, 2 * page, GL_TRUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 3 * page, page, GL_TRUE);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 3 * page, page, GL_FALSE);
    glGetBufferSubData(GL_ARRAY_BUFFER, 2 * page - 8, sizeof got, got);
    assert_memory_equal(words, got, sizeof got);
    glNamedBufferPageCommitmentARB(b, 2 * page, page, GL_FALSE);
    glGetBufferSubData(GL_ARRAY_BUFFER, 2 * page - 8, 8, got);
    assert_memory_equal(words, got, 8);
    glCopyBufferSubData(GL_ARRAY_BUFFER, GL_ARRAY_BUFFER, 0, 3 * page, page); /* both uncommitted */
    expect_error(GL_NO_ERROR);
    glDeleteBuffers(1, &b);
}

/* Returns the resident memory of the process in bytes. */
static size_t resident(void)
{
    size_t pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*u %zu", &pages), 1);
    fclose(f);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* A reservation uses no memory; decommitted pages return theirs. */
static void test_memory(void **state)
{
    const GLsizeiptr all = 1 << 30, part = 64 << 20;
    size_t before = resident();
    GLuint b = make_sparse(all);
    assert_true(resident() < before + (4 << 20));
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, part, part, GL_TRUE);
    glClearBufferSubData(GL_ARRAY_BUFFER, GL_R32UI, part, part, GL_RED_INTEGER, GL_UNSIGNED_INT,
                         &(GLuint){7});
    GLuint word = 0;
    glGetBufferSubData(GL_ARRAY_BUFFER, 2 * part - 4, 4, &word);
    assert_int_equal(word, 7);
    assert_true(resident() >= before + (size_t)part);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, part, part, GL_FALSE);
    assert_true(resident() < before + (size_t)part / 2);
    expect_error(GL_NO_ERROR);
    glDeleteBuffers(1, &b);
}

/* Draws use pages that are decommitted afterwards, and pages that never were committed. */
static void test_draws(void **state)
{
    static const float corners[6][2] = {{-1, -1}, {1, -1}, {-1, 1}, {-1, 1}, {1, -1}, {1, 1}};
    const GLsizeiptr page = page_size();
    GLuint b = make_sparse(8 * page);
    GLuint p = gl_test_program("#version 430\nin vec2 at;\n"
                               "layout(std430, binding = 0) buffer B { uint words[]; };\n"
                               "flat out uint word;\n"
                               "void main() {\n"
                               "    word = words[words.length() - 1];\n"
                               "    words[words.length() - 2] = 5u;\n"
                               "    gl_Position = vec4(at, 0, 1);\n"
                               "}\n",
                               "#version 430\nflat in uint word;\nout vec4 c;\n"
                               "void main() { c = vec4(word == 9u ? 1 : 0, 1, 0, 1); }\n");
    glUseProgram(p);
    GLuint at = (GLuint)glGetAttribLocation(p, "at");
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 0, page, GL_TRUE);
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof corners, corners);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 7 * page, page, GL_TRUE);
    glBufferSubData(GL_ARRAY_BUFFER, 8 * page - 4, 4, &(GLuint){9});
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
    glVertexAttribPointer(at, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(at);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    glBufferPageCommitmentARB(GL_ARRAY_BUFFER, 0, 8 * page, GL_FALSE); /* the draw used its pages */
    expect(SIZE / 2, SIZE / 2, 1.0f, 1.0f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 6); /* its vertices are undefined */
    glVertexAttribPointer(at, 2, GL_FLOAT, GL_FALSE, 0, (const void *)(5 * page));
    glDrawArrays(GL_TRIANGLES, 0, 600);
    glFinish();
    expect_error(GL_NO_ERROR);
    glDisableVertexAttribArray(at);
    gl_test_delete_program(p);
    glDeleteBuffers(1, &b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_draws),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
