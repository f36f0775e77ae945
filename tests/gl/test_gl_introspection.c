/* SPDX-License-Identifier: MIT */
/*
 * Program interfaces (GL 4.6 §7.3.1): names of block members, the stages that refer to a resource,
 * blocks without uses, and lookups by name. Separable programs show the interfaces of each stage.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {8, 8};
    return gl_test_setup(state, GL_API_CORE, &window);
}

static GLint property_of(GLuint p, GLenum interface, GLuint index, GLenum property)
{
    GLint value = -99;
    glGetProgramResourceiv(p, interface, index, 1, &property, 1, NULL, &value);
    return value;
}

static GLuint link_pair(const char *vs, const char *fs)
{
    GLuint p = glCreateProgram();
    gl_test_attach(p, GL_VERTEX_SHADER, vs);
    gl_test_attach(p, GL_FRAGMENT_SHADER, fs);
    gl_test_link(p);
    return p;
}

static GLuint separable(GLenum type, const char *text)
{
    GLuint p = glCreateShaderProgramv(type, 1, &text);
    GLint ok;
    char log[1000];
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(p, sizeof log, NULL, log);
    if (!ok)
        fail_msg("%s", log);
    return p;
}

/* Returns a text that lists the resources of an interface in alphabetical order, built-ins left
 * out: "name:size ", with the array size. */
static const char *list(GLuint p, GLenum interface)
{
    static char text[6000];
    static char names[50][100];
    GLint count;
    unsigned n = 0;
    glGetProgramInterfaceiv(p, interface, GL_ACTIVE_RESOURCES, &count);
    assert_in_range(count, 0, 50);
    for (GLint i = 0; i < count; i++) {
        char name[80], entry[100];
        glGetProgramResourceName(p, interface, (GLuint)i, sizeof name, NULL, name);
        if (!strncmp(name, "gl_", 3))
            continue;
        snprintf(entry, sizeof entry, "%s:%d", name,
                 property_of(p, interface, (GLuint)i, GL_ARRAY_SIZE));
        unsigned at = n++;
        for (; at > 0 && strcmp(names[at - 1], entry) > 0; at--)
            strcpy(names[at], names[at - 1]);
        strcpy(names[at], entry);
    }
    text[0] = '\0';
    for (unsigned i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s ", names[i]);
    return text;
}

static void check_list(GLenum type, GLenum interface, const char *shader, const char *want)
{
    GLuint p = separable(type, shader);
    assert_string_equal(list(p, interface), want);
    glDeleteProgram(p);
}

/* A member is "Block.member" if the block has an instance name, else "member". The instances of an
 * array of blocks, and the vertices of a primitive, are not listed. */
static void test_member_names(void **state)
{
    static const char fs[] =
        "#version 460\nstruct S { vec2 p; float q[2]; };\n"
        "in A { vec4 a; S s; }; in B { vec4 b; vec2 c[3]; } i; in C { vec3 d; } j[2]; out vec4 o;\n"
        "void main() { o = a + s.q[1] + i.b + i.c[2].xyxy + j[1].d.xyzz; }";
    check_list(GL_FRAGMENT_SHADER, GL_PROGRAM_INPUT, fs,
               "B.b:1 B.c[0]:3 C.d:1 a:1 s.p:1 s.q[0]:2 ");
    static const char vs[] =
        "#version 460\nout gl_PerVertex { vec4 gl_Position; }; out A { vec4 a; float r[2]; };\n"
        "out B { vec4 b; } i; out C { vec3 d; } j[2]; void main() { gl_Position = a = i.b =\n"
        "vec4(1); r[0] = 1; j[1].d = vec3(1); }";
    check_list(GL_VERTEX_SHADER, GL_PROGRAM_OUTPUT, vs, "B.b:1 C.d:1 a:1 r[0]:2 ");
    static const char gs[] =
        "#version 460\nlayout(triangles) in; layout(points, max_vertices = 1) out;\n"
        "struct S { vec2 p; float q[2]; }; in A { vec4 a; S s; } i[]; in B { vec4 b; } j[3];\n"
        "out C { vec4 c; }; void main() { c = i[0].a + i[1].s.q[0] + j[2].b; EmitVertex(); }";
    check_list(GL_GEOMETRY_SHADER, GL_PROGRAM_INPUT, gs, "A.a:1 A.s.p:1 A.s.q[0]:2 B.b:1 ");
    check_list(GL_GEOMETRY_SHADER, GL_PROGRAM_OUTPUT, gs, "c:1 ");
    static const char control[] =
        "#version 460\nlayout(vertices = 4) out; out A { vec4 a; float r[2]; } o[];\n"
        "patch out P { vec4 p; vec2 q[2]; } x[2]; patch out Q { vec4 t; };\n"
        "void main() { o[gl_InvocationID].a = vec4(1); o[gl_InvocationID].r[1] = 1;\n"
        "x[0].p = x[1].p = t = vec4(1); x[1].q[1] = vec2(1); gl_TessLevelOuter[0] = 1; }";
    check_list(GL_TESS_CONTROL_SHADER, GL_PROGRAM_OUTPUT, control,
               "A.a:1 A.r[0]:2 P.p:1 P.q[0]:2 t:1 ");
    static const char evaluation[] =
        "#version 460\nlayout(quads) in; in A { vec4 a; float r[2]; } i[];\n"
        "out gl_PerVertex { vec4 gl_Position; };\n"
        "patch in P { vec4 p; vec2 q[2]; } x[2]; patch in Q { vec4 t; };\n"
        "void main() { gl_Position = i[3].a + i[0].r[1] + x[1].p + x[0].q[1].xyxy + t; }";
    check_list(GL_TESS_EVALUATION_SHADER, GL_PROGRAM_INPUT, evaluation,
               "A.a:1 A.r[0]:2 P.p:1 P.q[0]:2 t:1 ");
}

/* Checks which of two stages refer to a resource. */
static void check_stages(GLuint p, GLenum interface, const char *name, bool vertex, bool fragment)
{
    GLuint index = glGetProgramResourceIndex(p, interface, name);
    if (index == GL_INVALID_INDEX)
        fail_msg("%s is not active", name);
    GLint v = property_of(p, interface, index, GL_REFERENCED_BY_VERTEX_SHADER);
    GLint f = property_of(p, interface, index, GL_REFERENCED_BY_FRAGMENT_SHADER);
    if (v != vertex || f != fragment)
        fail_msg("%s: referenced by vertex shader %d, by fragment shader %d", name, v, f);
    assert_false(property_of(p, interface, index, GL_REFERENCED_BY_GEOMETRY_SHADER));
    assert_false(property_of(p, interface, index, GL_REFERENCED_BY_COMPUTE_SHADER));
}

static void test_references(void **state)
{
#define DECLARATIONS                                                                               \
    "#version 460\nstruct S { float f; vec2 g; };\n"                                               \
    "layout(std140) uniform U { S s; float t[2]; } u; layout(std430) buffer B { S s; float t[]; }" \
    "b; layout(std140) uniform N { vec4 x; vec4 y[2]; vec4 z; };"                                  \
    "layout(std140, binding = 4) uniform A { vec4 a; } a[3];"                                      \
    "layout(std140) uniform V { vec4 only_vertex; } v; layout(std140) uniform O { vec4 o; };"
    GLuint p = link_pair(DECLARATIONS "void main() { gl_Position = vec4(u.t[1] + b.t[0]) + x +"
                                      "a[0].a + v.only_vertex; }",
                         DECLARATIONS "out vec4 c; uniform int i; void main() {"
                                      "c = vec4(u.s.f + b.s.g.x) + y[1] + a[1].a; }");
    check_stages(p, GL_UNIFORM, "U.s.f", true, true);
    check_stages(p, GL_UNIFORM, "U.t", true, true);
    check_stages(p, GL_UNIFORM_BLOCK, "U", true, true);
    check_stages(p, GL_BUFFER_VARIABLE, "B.s.g", true, true);
    check_stages(p, GL_BUFFER_VARIABLE, "B.t[0]", true, true);
    check_stages(p, GL_SHADER_STORAGE_BLOCK, "B", true, true);
    check_stages(p, GL_UNIFORM, "x", true, false);
    check_stages(p, GL_UNIFORM, "y[0]", false, true);
    check_stages(p, GL_UNIFORM, "z", false, false);
    check_stages(p, GL_UNIFORM_BLOCK, "N", true, true);
    check_stages(p, GL_UNIFORM, "A.a", true, true);
    check_stages(p, GL_UNIFORM_BLOCK, "A[0]", true, false);
    check_stages(p, GL_UNIFORM_BLOCK, "A[1]", false, true);
    check_stages(p, GL_UNIFORM_BLOCK, "A[2]", false, false);
    check_stages(p, GL_UNIFORM, "V.only_vertex", true, false);
    check_stages(p, GL_UNIFORM_BLOCK, "V", true, false);
    check_stages(p, GL_UNIFORM_BLOCK, "O", false, false);
    GLint value;
    glGetActiveUniformBlockiv(p, glGetUniformBlockIndex(p, "V"),
                              GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER, &value);
    assert_false(value);
    glDeleteProgram(p);
    /* A dynamic index refers to all instances. */
    p = link_pair("#version 460\nuniform int i; layout(std140) uniform A { vec4 a; } a[2][2];\n"
                  "void main() { gl_Position = a[i][1].a; }",
                  "#version 460\nlayout(std140) uniform A { vec4 a; } a[2][2]; out vec4 c;\n"
                  "void main() { c = a[1][0].a; }");
    check_stages(p, GL_UNIFORM_BLOCK, "A[0][0]", false, false);
    check_stages(p, GL_UNIFORM_BLOCK, "A[0][1]", true, false);
    check_stages(p, GL_UNIFORM_BLOCK, "A[1][0]", false, true);
    check_stages(p, GL_UNIFORM_BLOCK, "A[1][1]", true, false);
    glDeleteProgram(p);
}

/* Blocks with layout shared, std140 or std430 are active without uses. */
static void test_unused_blocks(void **state)
{
    static const char *const layouts[] = {"shared", "std140", "std430"};
    static const char *const members[] = {"float m[];", "float m;", "vec2 n; float m[];",
                                          "float m[3];"};
    for (unsigned i = 0; i < 3 * 4 * 2; i++) {
        char text[300], name[20];
        bool instance = i & 1;
        snprintf(text, sizeof text,
                 "#version 460\nlayout(local_size_x = 1) in; layout(%s) buffer B { %s }%s;\n"
                 "void main() { }",
                 layouts[i / 8], members[i / 2 % 4], instance ? " b" : "");
        GLuint p = separable(GL_COMPUTE_SHADER, text);
        snprintf(name, sizeof name, "%sm", instance ? "B." : "");
        if (glGetProgramResourceIndex(p, GL_SHADER_STORAGE_BLOCK, "B") == GL_INVALID_INDEX ||
            glGetProgramResourceIndex(p, GL_BUFFER_VARIABLE, name) == GL_INVALID_INDEX)
            fail_msg("not active: %s", text);
        glDeleteProgram(p);
    }
}

/* A name also matches if "[0]" has to be appended to it. */
static void test_block_indices(void **state)
{
    GLuint p = separable(
        GL_COMPUTE_SHADER,
        "#version 460\nlayout(local_size_x = 1) in; layout(std140) uniform U { float f; } u[2];\n"
        "layout(std140, binding = 3) uniform V { float f; } v[2][2];\n"
        "layout(std430) buffer B { float f[]; } b[3]; layout(std140) uniform W { float f; } w;\n"
        "void main() { b[1].f[0] = u[0].f + u[1].f + v[1][1].f + w.f; }");
    assert_int_equal(glGetUniformBlockIndex(p, "U"), glGetUniformBlockIndex(p, "U[0]"));
    assert_int_not_equal(glGetUniformBlockIndex(p, "U"), GL_INVALID_INDEX);
    assert_int_not_equal(glGetUniformBlockIndex(p, "U[1]"), glGetUniformBlockIndex(p, "U"));
    assert_int_equal(glGetUniformBlockIndex(p, "V"), GL_INVALID_INDEX);
    assert_int_equal(glGetUniformBlockIndex(p, "V[1]"), glGetUniformBlockIndex(p, "V[1][0]"));
    assert_int_not_equal(glGetUniformBlockIndex(p, "V[1]"), GL_INVALID_INDEX);
    assert_int_equal(glGetProgramResourceIndex(p, GL_SHADER_STORAGE_BLOCK, "B"),
                     glGetProgramResourceIndex(p, GL_SHADER_STORAGE_BLOCK, "B[0]"));
    assert_int_equal(glGetUniformBlockIndex(p, "W[0]"), GL_INVALID_INDEX);
    assert_int_equal(glGetUniformBlockIndex(p, "U["), GL_INVALID_INDEX);
    assert_int_equal(glGetUniformBlockIndex(p, "U[2]"), GL_INVALID_INDEX);
    glDeleteProgram(p);
}

/* Checks a property, or that the interface does not have it (want = -99). */
static void check_property(GLuint p, GLenum interface, const char *name, GLenum property,
                           GLint want)
{
    GLuint index = glGetProgramResourceIndex(p, interface, name);
    assert_int_not_equal(index, GL_INVALID_INDEX);
    GLint value = property_of(p, interface, index, property);
    GLenum error = glGetError();
    if (value != want || error != (want == -99 ? GL_INVALID_OPERATION : GL_NO_ERROR))
        fail_msg("property 0x%x of %s is %d, error 0x%x", property, name, value, error);
}

/* Which properties an interface has (GL 4.6 table 7.2). */
static void test_properties(void **state)
{
    GLuint p = link_pair(
        "#version 460\nlayout(location = 2) in vec4 i; void main() { gl_Position = i; }",
        "#version 460\nstruct S { float f; float g[2]; }; uniform vec4 u;\n"
        "layout(std140) uniform U { vec4 b; }; layout(binding = 1) uniform atomic_uint n;\n"
        "layout(std430) buffer B { S s[3]; float r[]; }; layout(location = 0, index = 1) out vec4 "
        "c;"
        "void main() { c = u + b + s[1].g[0] + r[2] + float(atomicCounter(n)); }");
    check_property(p, GL_UNIFORM, "u", GL_TOP_LEVEL_ARRAY_SIZE, -99);
    check_property(p, GL_UNIFORM, "b", GL_TOP_LEVEL_ARRAY_STRIDE, -99);
    check_property(p, GL_UNIFORM, "n", GL_ATOMIC_COUNTER_BUFFER_INDEX, 0);
    check_property(p, GL_UNIFORM, "b", GL_ATOMIC_COUNTER_BUFFER_INDEX, -1);
    check_property(p, GL_UNIFORM, "n", GL_LOCATION, -1);
    check_property(p, GL_BUFFER_VARIABLE, "s[0].g", GL_TOP_LEVEL_ARRAY_SIZE, 3);
    check_property(p, GL_BUFFER_VARIABLE, "s[0].g", GL_TOP_LEVEL_ARRAY_STRIDE, 12);
    check_property(p, GL_BUFFER_VARIABLE, "r", GL_LOCATION, -99);
    check_property(p, GL_BUFFER_VARIABLE, "r", GL_ATOMIC_COUNTER_BUFFER_INDEX, -99);
    check_property(p, GL_BUFFER_VARIABLE, "r", GL_ARRAY_SIZE, 0);
    check_property(p, GL_PROGRAM_INPUT, "i", GL_LOCATION_INDEX, -99);
    check_property(p, GL_PROGRAM_INPUT, "i", GL_LOCATION, 2);
    check_property(p, GL_PROGRAM_OUTPUT, "c", GL_LOCATION_INDEX, 1);
    /* errors don't change results (§2.3.1) */
    static const GLenum wrong[2][2] = {{GL_TYPE, GL_LOCATION_INDEX}, {GL_TYPE, GL_TEXTURE_2D}};
    for (unsigned i = 0; i < 2; i++) {
        GLint values[2] = {-99, -99};
        GLsizei length = -99;
        glGetProgramResourceiv(p, GL_PROGRAM_INPUT,
                               glGetProgramResourceIndex(p, GL_PROGRAM_INPUT, "i"), 2, wrong[i], 2,
                               &length, values);
        assert_int_equal(glGetError(), i ? GL_INVALID_ENUM : GL_INVALID_OPERATION);
        assert_true(values[0] == -99 && values[1] == -99 && length == -99);
    }
    glDeleteProgram(p);
    p = separable(GL_VERTEX_SHADER, "#version 460\nout gl_PerVertex { vec4 gl_Position; };\n"
                                    "layout(location = 3) out vec2 o; void main() { o = vec2(1);"
                                    "gl_Position = vec4(1); }");
    check_property(p, GL_PROGRAM_OUTPUT, "o", GL_LOCATION, 3);
    check_property(p, GL_PROGRAM_OUTPUT, "o", GL_LOCATION_INDEX, -1);
    glDeleteProgram(p);
}

/* Every location up to the limit can be used. */
static void test_uniform_locations(void **state)
{
    GLint most;
    glGetIntegerv(GL_MAX_UNIFORM_LOCATIONS, &most);
    char text[200];
    snprintf(text, sizeof text,
             "#version 460\nlayout(location = %d) uniform float u; out vec4 c;\n"
             "void main() { c = vec4(u); }",
             most - 1);
    GLuint p = separable(GL_FRAGMENT_SHADER, text);
    assert_int_equal(glGetUniformLocation(p, "u"), most - 1);
    assert_int_equal(glGetUniformLocation(p, "u[0]"), most - 1); /* like Mesa */
    assert_int_equal(glGetUniformLocation(p, "u[1]"), -1);
    glDeleteProgram(p);
    snprintf(text, sizeof text,
             "#version 460\nlayout(location = 1) uniform float u[%d]; out vec4 c;\n"
             "void main() { c = vec4(u[0]); }",
             most - 1);
    glDeleteShader(gl_test_compile(GL_FRAGMENT_SHADER, text));
}

/* Checks the locations of elements of arrays, and that indices that don't fit in 32 bits name no
 * element. */
static void test_elements(void **state)
{
    GLuint p = link_pair("#version 460\nlayout(location = 2) in mat3 m[2];"
                         "layout(location = 8) in dvec3 d[2]; layout(location = 10) in float f[3];"
                         "layout(location = 0) out vec4 v; uniform float u[3]; void main() {"
                         "gl_Position = vec4(m[1][0] + vec3(d[1]), f[2] + u[2]); v = vec4(1); }",
                         "#version 460\nlayout(location = 0) in vec4 v;"
                         "layout(location = 1) out vec4 c[3]; void main() { c[2] = v; }");
    static const struct {
        GLenum interface;
        const char *name;
        GLint location; /* -2: any but -1 */
    } rows[] = {
        {GL_PROGRAM_INPUT, "m", 2},     {GL_PROGRAM_INPUT, "m[0]", 2},
        {GL_PROGRAM_INPUT, "m[1]", 5},  {GL_PROGRAM_INPUT, "m[2]", -1},
        {GL_PROGRAM_INPUT, "d[1]", 9},  {GL_PROGRAM_INPUT, "f[2]", 12},
        {GL_PROGRAM_OUTPUT, "c[2]", 3}, {GL_PROGRAM_OUTPUT, "c[4294967296]", -1},
        {GL_UNIFORM, "u[2]", -2},       {GL_UNIFORM, "u[4294967296]", -1},
        {GL_UNIFORM, "u[00]", -1},      {GL_UNIFORM, "u[]", -1},
        {GL_UNIFORM, "u[0", -1},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const GLint location = glGetProgramResourceLocation(p, rows[i].interface, rows[i].name);
        if (rows[i].location == -2 ? location < 0 : location != rows[i].location)
            fail_msg("%s: %d", rows[i].name, location);
    }
    assert_int_equal(glGetProgramResourceIndex(p, GL_UNIFORM, "u[4294967296]"), GL_INVALID_INDEX);
    assert_int_equal(glGetAttribLocation(p, "m[1]"), 5);
    glDeleteProgram(p);

    /* outputs of a vertex shader: three-component doubles use two locations */
    p = separable(
        GL_VERTEX_SHADER,
        "#version 460\nlayout(location = 3) out mat2 m[2];"
        "layout(location = 8) flat out dvec3 d[2]; out gl_PerVertex { vec4 gl_Position; };"
        "void main() { gl_Position = vec4(0); m[1] = mat2(1); d[1] = dvec3(1); }");
    assert_int_equal(glGetProgramResourceLocation(p, GL_PROGRAM_OUTPUT, "m[1]"), 5);
    assert_int_equal(glGetProgramResourceLocation(p, GL_PROGRAM_OUTPUT, "d[1]"), 10);
    glDeleteProgram(p);
    expect_error(GL_NO_ERROR);
}

/* Checks the names of subroutines with explicit indices: those of unused indices are empty. */
static void test_subroutine_names(void **state)
{
    static const char *const names[6] = {"a", "", "", "c", "", "b"};
    GLuint p = link_pair("#version 430\nvoid main() { gl_Position = vec4(0); }",
                         "#version 430\nsubroutine vec4 F();"
                         "layout(index = 0) subroutine(F) vec4 a() { return vec4(0); }"
                         "layout(index = 5) subroutine(F) vec4 b() { return vec4(1); }"
                         "layout(index = 3) subroutine(F) vec4 c() { return vec4(2); }"
                         "subroutine uniform F f; out vec4 o; void main() { o = f(); }");
    for (GLuint i = 0; i < 6; i++) {
        char name[8] = "old";
        GLsizei length = -1;
        glGetActiveSubroutineName(p, GL_FRAGMENT_SHADER, i, sizeof name, &length, name);
        assert_string_equal(name, names[i]);
        assert_int_equal(length, strlen(names[i]));
        expect_error(GL_NO_ERROR);
        if (*names[i])
            assert_int_equal(glGetSubroutineIndex(p, GL_FRAGMENT_SHADER, names[i]), i);
    }
    glGetActiveSubroutineName(p, GL_FRAGMENT_SHADER, 6, 0, NULL, NULL);
    expect_error(GL_INVALID_VALUE);
    glDeleteProgram(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_member_names),      cmocka_unit_test(test_references),
        cmocka_unit_test(test_unused_blocks),     cmocka_unit_test(test_block_indices),
        cmocka_unit_test(test_uniform_locations), cmocka_unit_test(test_properties),
        cmocka_unit_test(test_elements),          cmocka_unit_test(test_subroutine_names),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
