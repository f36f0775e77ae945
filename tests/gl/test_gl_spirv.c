/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V shaders (GL_ARB_gl_spirv, GL_ARB_spirv_extensions): loading, specialization, linking,
 * drawing, binaries, and errors that change nothing. The arguments are SPIR-V files: a vertex, a
 * fragment and a compute shader, a geometry shader, and two compute shaders for 64-bit atomic
 * operations and for matrices.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE      8
#define MAX_WORDS 1000

/* SpecIds of the fragment shader, and the locations of its uniforms. */
enum { RED = 7, BLUE = 8, GREEN = 2, HALF_BLUE = 3 };

static struct module {
    uint32_t words[MAX_WORDS];
    GLsizei size; /* in bytes */
} vertex, fragment, compute, geometry, int64, matrix;

static bool read_module(struct module *m, const char *name)
{
    FILE *fp = fopen(name, "rb");
    if (!fp)
        return false;
    m->size = (GLsizei)(4 * fread(m->words, 4, MAX_WORDS, fp));
    fclose(fp);
    return m->size > 20;
}

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static GLint shader_value(GLuint shader, GLenum pname)
{
    GLint value = -1;
    glGetShaderiv(shader, pname, &value);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return value;
}

static GLuint load(GLenum type, const struct module *m)
{
    GLuint shader = glCreateShader(type);
    glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V, m->words, m->size);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(shader_value(shader, GL_SPIR_V_BINARY), GL_TRUE);
    assert_int_equal(shader_value(shader, GL_COMPILE_STATUS), GL_FALSE);
    return shader;
}

static void specialize(GLuint shader, GLuint count, const GLuint *index, const GLuint *value)
{
    glSpecializeShader(shader, "main", count, index, value);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(shader_value(shader, GL_COMPILE_STATUS), GL_TRUE);
}

/* Returns a program with these specialization constants. */
static GLuint make_program(GLuint count, const GLuint *index, const GLuint *value)
{
    GLuint p = glCreateProgram();
    GLuint v = load(GL_VERTEX_SHADER, &vertex), f = load(GL_FRAGMENT_SHADER, &fragment);
    specialize(v, 0, NULL, NULL);
    specialize(f, count, index, value);
    glAttachShader(p, v);
    glAttachShader(p, f);
    glDeleteShader(v);
    glDeleteShader(f);
    gl_test_link(p);
    return p;
}

static void draw(GLuint p, float green)
{
    static const float places[] = {-1, -1, 3, -1, -1, 3};
    glUseProgram(p);
    glUniform1f(GREEN, green);
    glClear(GL_COLOR_BUFFER_BIT);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, places);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0);
}

static void test_queries(void **state)
{
    GLint formats = 0, count = 0, format[16] = {0};
    bool found = false;
    glGetIntegerv(GL_NUM_SHADER_BINARY_FORMATS, &formats);
    assert_in_range(formats, 1, 16);
    glGetIntegerv(GL_SHADER_BINARY_FORMATS, format);
    for (int i = 0; i < formats; i++)
        found |= format[i] == GL_SHADER_BINARY_FORMAT_SPIR_V;
    assert_true(found);
    glGetIntegerv(GL_NUM_SPIR_V_EXTENSIONS, &count);
    assert_true(count > 0);
    for (GLuint i = 0; i < (GLuint)count; i++)
        assert_memory_equal(glGetStringi(GL_SPIR_V_EXTENSIONS, i), "SPV_", 4);
    expect_error(GL_NO_ERROR);
    assert_null(glGetStringi(GL_SPIR_V_EXTENSIONS, (GLuint)count));
    expect_error(GL_INVALID_VALUE);
    assert_null(glGetStringi(GL_NUM_SPIR_V_EXTENSIONS, 0));
    expect_error(GL_INVALID_ENUM);
}

static void test_picture(void **state)
{
    static const GLuint index[] = {BLUE, RED};
    const float red = 0.75f;
    GLuint value[] = {1, 0}, plain = make_program(0, NULL, NULL);
    memcpy(&value[1], &red, sizeof red);
    GLuint special = make_program(2, index, value);
    draw(plain, 0.5f);
    expect(3, 3, 0.25f, 0.5f, 0);
    draw(special, 0.25f);
    expect(3, 3, 0.75f, 0.25f, 1);
    glUseProgram(plain);
    glUniform1f(HALF_BLUE, 7); /* any nonzero value of a boolean is TRUE */
    draw(plain, 0.5f);
    expect(3, 3, 0.25f, 0.5f, 0.5f);
    glDeleteProgram(plain);
    glDeleteProgram(special);
}

/* GL 4.6 §7.3.1: there is no information on names. */
static void test_names(void **state)
{
    GLuint p = make_program(0, NULL, NULL);
    GLint uniforms = 0, length = -1, location = -1, size;
    GLenum type = 0;
    static const GLenum property = GL_LOCATION;
    char name[16] = "x";
    glGetProgramiv(p, GL_ACTIVE_UNIFORMS, &uniforms);
    assert_int_equal(uniforms, 2);
    glGetProgramResourceName(p, GL_UNIFORM, 0, sizeof name, &length, name);
    assert_int_equal(length, 0);
    assert_string_equal(name, "");
    glGetProgramResourceiv(p, GL_UNIFORM, 0, 1, &property, 1, NULL, &location);
    assert_int_equal(location, GREEN);
    glGetActiveUniform(p, 1, sizeof name, &length, &size, &type, name);
    assert_int_equal(type, GL_BOOL);
    assert_int_equal(glGetUniformLocation(p, "green"), -1);
    assert_int_equal(glGetProgramResourceIndex(p, GL_UNIFORM, "green"), GL_INVALID_INDEX);
    expect_error(GL_NO_ERROR);
    glDeleteProgram(p);
}

/* All inputs that the entry point lists are active, used or not; none is found by a name. */
static void test_inputs(void **state)
{
    GLuint p = make_program(0, NULL, NULL);
    static const GLenum interfaces[] = {GL_PROGRAM_INPUT, GL_PROGRAM_OUTPUT, GL_UNIFORM};
    GLint count = 0, located = 0;
    glGetProgramiv(p, GL_ACTIVE_ATTRIBUTES, &count);
    assert_int_equal(count, 3); /* place, gl_VertexID, gl_InstanceID */
    glGetProgramInterfaceiv(p, GL_PROGRAM_INPUT, GL_ACTIVE_RESOURCES, &count);
    assert_int_equal(count, 3);
    for (GLint i = 0; i < count; i++) {
        const GLenum property = GL_LOCATION;
        GLint location;
        glGetProgramResourceiv(p, GL_PROGRAM_INPUT, (GLuint)i, 1, &property, 1, NULL, &location);
        located += location == 0;
    }
    assert_int_equal(located, 1);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(glGetProgramResourceIndex(p, interfaces[i], ""), GL_INVALID_INDEX);
        assert_int_equal(glGetProgramResourceLocation(p, interfaces[i], ""), -1);
    }
    expect_error(GL_NO_ERROR);
    draw(p, 0.5f);
    expect(3, 3, 0.25f, 0.5f, 0);
    glDeleteProgram(p);
}

static void test_errors_of_loading(void **state)
{
    static const char *const text = "void main() {}\n";
    struct module bad = fragment;
    GLuint s = gl_test_compile(GL_FRAGMENT_SHADER, text), p = glCreateProgram(), none = 12345;
    const GLenum format = GL_SHADER_BINARY_FORMAT_SPIR_V;
    bad.words[0] ^= 1;
    glShaderBinary(-1, &s, format, fragment.words, fragment.size);
    expect_error(GL_INVALID_VALUE);
    glShaderBinary(1, &s, format, fragment.words, -4);
    expect_error(GL_INVALID_VALUE);
    glShaderBinary(1, &s, GL_RGBA, fragment.words, fragment.size);
    expect_error(GL_INVALID_ENUM);
    glShaderBinary(1, &s, format, bad.words, bad.size);
    expect_error(GL_INVALID_VALUE);
    glShaderBinary(1, &s, format, fragment.words, fragment.size - 1);
    expect_error(GL_INVALID_VALUE);
    glShaderBinary(1, &s, format, fragment.words, 0);
    expect_error(GL_INVALID_VALUE);
    glShaderBinary(1, &none, format, fragment.words, fragment.size);
    expect_error(GL_INVALID_VALUE);
    glShaderBinary(1, &p, format, fragment.words, fragment.size);
    expect_error(GL_INVALID_OPERATION);
    glShaderBinary(2, (const GLuint[]){s, p}, format, fragment.words, fragment.size);
    expect_error(GL_INVALID_OPERATION);
    /* The shader is unchanged. */
    assert_int_equal(shader_value(s, GL_SPIR_V_BINARY), GL_FALSE);
    assert_int_equal(shader_value(s, GL_COMPILE_STATUS), GL_TRUE);
    assert_int_equal(shader_value(s, GL_SHADER_SOURCE_LENGTH), strlen(text) + 1);

    /* A module replaces the source, and a source the module. */
    glShaderBinary(1, &s, format, fragment.words, fragment.size);
    assert_int_equal(shader_value(s, GL_SPIR_V_BINARY), GL_TRUE);
    assert_int_equal(shader_value(s, GL_COMPILE_STATUS), GL_FALSE);
    assert_int_equal(shader_value(s, GL_SHADER_SOURCE_LENGTH), 0);
    glCompileShader(s);
    expect_error(GL_INVALID_OPERATION);
    glShaderSource(s, 1, &text, NULL);
    assert_int_equal(shader_value(s, GL_SPIR_V_BINARY), GL_FALSE);
    glSpecializeShader(s, "main", 0, NULL, NULL);
    expect_error(GL_INVALID_OPERATION);
    glCompileShader(s);
    assert_int_equal(shader_value(s, GL_COMPILE_STATUS), GL_TRUE);
    glDeleteShader(s);
    glDeleteProgram(p);
}

static void test_errors_of_specialization(void **state)
{
    static const GLuint wrong[] = {RED, 99}, values[2] = {0};
    GLuint s = load(GL_FRAGMENT_SHADER, &fragment), v = glCreateShader(GL_VERTEX_SHADER);
    GLuint p = glCreateProgram();
    glSpecializeShader(12345, "main", 0, NULL, NULL);
    expect_error(GL_INVALID_VALUE);
    glSpecializeShader(p, "main", 0, NULL, NULL);
    expect_error(GL_INVALID_OPERATION);
    glSpecializeShader(v, "main", 0, NULL, NULL);
    expect_error(GL_INVALID_OPERATION);
    glSpecializeShader(s, "other", 0, NULL, NULL);
    expect_error(GL_INVALID_VALUE);
    glSpecializeShader(s, "main", 2, wrong, values);
    expect_error(GL_INVALID_VALUE);
    glShaderBinary(1, &v, GL_SHADER_BINARY_FORMAT_SPIR_V, fragment.words, fragment.size);
    glSpecializeShader(v, "main", 0, NULL, NULL); /* the module is for another stage */
    expect_error(GL_INVALID_OPERATION);
    assert_int_equal(shader_value(v, GL_COMPILE_STATUS), GL_FALSE);
    assert_int_equal(shader_value(s, GL_COMPILE_STATUS), GL_FALSE);
    specialize(s, 0, NULL, NULL); /* errors left it unchanged */
    glSpecializeShaderARB(s, "main", 0, NULL, NULL);
    expect_error(GL_INVALID_OPERATION);
    assert_int_equal(shader_value(s, GL_COMPILE_STATUS), GL_TRUE);
    glShaderBinary(1, &s, GL_SHADER_BINARY_FORMAT_SPIR_V, fragment.words, fragment.size);
    assert_int_equal(shader_value(s, GL_COMPILE_STATUS), GL_FALSE);
    specialize(s, 0, NULL, NULL);
    glDeleteShader(s);
    glDeleteShader(v);
    glDeleteProgram(p);
}

/* GL 4.6 §7.3: either all shaders are modules or none is, and all are specialized. */
static void test_errors_of_linking(void **state)
{
    GLuint p = glCreateProgram(), f = load(GL_FRAGMENT_SHADER, &fragment);
    GLint linked = -1;
    gl_test_attach(p, GL_VERTEX_SHADER, "void main() { gl_Position = vec4(0.0); }\n");
    specialize(f, 0, NULL, NULL);
    glAttachShader(p, f);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    assert_int_equal(linked, GL_FALSE);
    glDeleteProgram(p);
    glDeleteShader(f);

    p = glCreateProgram();
    f = load(GL_FRAGMENT_SHADER, &fragment);
    GLuint v = load(GL_VERTEX_SHADER, &vertex);
    specialize(v, 0, NULL, NULL);
    glAttachShader(p, v);
    glAttachShader(p, f);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    assert_int_equal(linked, GL_FALSE);
    specialize(f, 0, NULL, NULL);
    gl_test_link(p);
    expect_error(GL_NO_ERROR);
    glDeleteShader(f);
    glDeleteShader(v);
    glDeleteProgram(p);
}

static void test_binary(void **state)
{
    static const GLuint index = BLUE, value = 1;
    static uint8_t data[1 << 20];
    GLuint p = make_program(1, &index, &value), q = glCreateProgram();
    GLint length = 0, linked = 0;
    GLenum format = 0;
    GLsizei size = 0;
    glGetProgramiv(p, GL_PROGRAM_BINARY_LENGTH, &length);
    assert_in_range(length, 1, sizeof data);
    glGetProgramBinary(p, sizeof data, &size, &format, data);
    assert_int_equal(size, length);
    glProgramBinary(q, format, data, size);
    glGetProgramiv(q, GL_LINK_STATUS, &linked);
    assert_int_equal(linked, GL_TRUE);
    draw(q, 0.75f);
    expect(3, 3, 0.25f, 0.75f, 1);
    glDeleteProgram(p);
    glDeleteProgram(q);
}

/* Checks out-of-range elements of unsized arrays in blocks. SPIR-V leaves the results undefined;
 * ARB_robust_buffer_access_behavior forbids accesses outside the buffer. */
static void test_lost_elements(void **state)
{
    enum { BYTES = 16 + 3 * 32 + 8 }; /* three elements and a part of one */
    static const GLuint indices[] = {0, 2, 3, 4, 0x7ffffff, 0x8000000, 0x7fffffff, 0x80000000, ~0u};
    GLuint buffer[3], p = glCreateProgram(), s = load(GL_COMPUTE_SHADER, &compute);
    specialize(s, 0, NULL, NULL);
    glAttachShader(p, s);
    glDeleteShader(s);
    gl_test_use(p);
    glGenBuffers(3, buffer);
    for (GLuint i = 0; i < 3; i++) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffer[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, i < 2 ? BYTES : 16, NULL, GL_DYNAMIC_COPY);
    }
    for (unsigned i = 0; i < sizeof indices / sizeof *indices; i++) {
        GLuint result[4] = {indices[i]};
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer[2]);
        glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof result, result);
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof result, result);
        expect_error(GL_NO_ERROR);
        assert_int_equal(result[0], indices[i]);
        assert_int_equal(result[1], 3);
        assert_int_equal(result[2], 7);
    }
    glDeleteBuffers(3, buffer);
    gl_test_delete_program(p);
}

/* Atomic operations on 64-bit integers, which carry into the upper half. */
static void test_int64_atomics(void **state)
{
    static const uint64_t low = 0xffffffff;
    const uint64_t before[9] = {low, low, 1ull << 32, 5, 7ull << 40, 3, low << 8, 1, 2};
    const uint64_t after[9] = {
        low + 1,    low + 1 + (1ull << 40), low,        3,         1ull << 40,
        1ull << 40, 0xffull << 32,          1ull << 40, 1ull << 40};
    uint64_t values[9];
    GLuint buffer, s = load(GL_COMPUTE_SHADER, &int64);
    glSpecializeShader(s, "main", 0, NULL, NULL);
    const bool supported =
        strstr((const char *)glGetString(GL_EXTENSIONS), "GL_NV_shader_atomic_int64") != NULL;
    assert_int_equal(shader_value(s, GL_COMPILE_STATUS), supported);
    if (!supported) {
        glDeleteShader(s);
        return;
    }
    GLuint p = glCreateProgram();
    glAttachShader(p, s);
    glDeleteShader(s);
    gl_test_use(p);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof before, before, GL_DYNAMIC_COPY);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, values);
    assert_memory_equal(values, after, sizeof values);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
    expect_error(GL_NO_ERROR);
}

/* Matrices that are stored by row and by column: loads and stores of matrices, columns and
 * components. */
static void test_matrices(void **state)
{
    /* mat2x3 rows at 0, columns at 12, many[2] at 20 and 32; padding keeps its values */
    static const float after[44] = {
        /* rows: the second column is the old first column of `columns` */
        0, 12, 2, 3, 4, 13, 6, 7, 8, 14, 10, 11,
        /* columns: the old value of `rows` */
        0, 4, 8, 15, 1, 5, 9, 19,
        /* many[0]: [1][2] is the old columns[1][1] */
        20, 21, 22, 23, 24, 25, 26, 27, 28, 17, 30, 31,
        /* many[1]: the old value of `columns` */
        12, 16, 34, 35, 13, 17, 38, 39, 14, 18, 42, 43};
    float values[44];
    GLuint buffer, p = glCreateProgram(), s = load(GL_COMPUTE_SHADER, &matrix);
    specialize(s, 0, NULL, NULL);
    glAttachShader(p, s);
    glDeleteShader(s);
    gl_test_use(p);
    for (unsigned i = 0; i < 44; i++)
        values[i] = (float)i;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof values, values, GL_DYNAMIC_COPY);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof values, values);
    for (unsigned i = 0; i < 44; i++) {
        if (values[i] != after[i])
            fail_msg("float %u is %g, not %g", i, values[i], after[i]);
    }
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
    expect_error(GL_NO_ERROR);
}

/* Links a geometry shader alone. Returns the program. */
static GLuint link_geometry(const struct module *m)
{
    GLuint p = glCreateProgram(), g = load(GL_GEOMETRY_SHADER, m);
    specialize(g, 0, NULL, NULL);
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glAttachShader(p, g);
    glDeleteShader(g);
    glLinkProgram(p);
    return p;
}

/* GLSL 4.60 §7.1.1: the combined number of clip and cull distances is limited. */
static void test_distances(void **state)
{
    enum { OP_CONSTANT = 4 << 16 | 43 };
    char log[256] = "";
    GLint value = GL_TRUE;
    GLuint p = link_geometry(&geometry);
    glGetProgramiv(p, GL_LINK_STATUS, &value);
    glGetProgramInfoLog(p, sizeof log, NULL, log);
    assert_false(value);
    assert_non_null(strstr(log, "gl_CullDistance have more than 8 elements"));
    gl_test_delete_program(p);
    /* 4 + 4: the first constant 5 is the size of both arrays */
    struct module fewer = geometry;
    unsigned i = 5;
    while (fewer.words[i] != OP_CONSTANT || fewer.words[i + 3] != 5)
        i += fewer.words[i] >> 16;
    fewer.words[i + 3] = 4;
    p = link_geometry(&fewer);
    glGetProgramiv(p, GL_LINK_STATUS, &value);
    assert_true(value);
    glGetProgramiv(p, GL_GEOMETRY_VERTICES_OUT, &value);
    assert_int_equal(value, 1);
    expect_error(GL_NO_ERROR);
    gl_test_delete_program(p);
}

/* Checks modules in which any word may be damaged. */
static void test_damage(void **state)
{
    struct module bad = fragment;
    for (GLsizei i = 1; i < bad.size / 4; i += 3) {
        GLuint s = glCreateShader(GL_FRAGMENT_SHADER);
        bad.words[i] ^= 0x10003;
        glShaderBinary(1, &s, GL_SHADER_BINARY_FORMAT_SPIR_V, bad.words, bad.size);
        glSpecializeShader(s, "main", 0, NULL, NULL);
        while (glGetError()) {
        }
        shader_value(s, GL_COMPILE_STATUS);
        bad.words[i] = fragment.words[i];
        glDeleteShader(s);
    }
    GLuint p = make_program(0, NULL, NULL);
    draw(p, 0.5f);
    expect(3, 3, 0.25f, 0.5f, 0);
    glDeleteProgram(p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_errors_of_loading),
        cmocka_unit_test(test_errors_of_specialization),
        cmocka_unit_test(test_errors_of_linking),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_lost_elements),
        cmocka_unit_test(test_int64_atomics),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_damage),
    };
    if (argc != 7 || !read_module(&vertex, argv[1]) || !read_module(&fragment, argv[2]) ||
        !read_module(&compute, argv[3]) || !read_module(&geometry, argv[4]) ||
        !read_module(&int64, argv[5]) || !read_module(&matrix, argv[6]))
        return 1;
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
