/* SPDX-License-Identifier: MIT */
/*
 * Which programs link (GL 4.6 §7.3, GLSL 4.60 §4.3), and that names of different interfaces are
 * independent. Each case is a pair or a chain of small shaders; some are drawn to check values.
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

struct stage_text {
    GLenum type;
    const char *text;
};

/* Links up to four shaders and checks whether this succeeds. Returns the program. */
static GLuint link_stages(const char *what, const struct stage_text *stages, unsigned count,
                          bool want)
{
    GLuint p = glCreateProgram();
    GLint ok;
    char log[1000] = "";
    for (unsigned i = 0; i < count; i++)
        gl_test_attach(p, stages[i].type, stages[i].text);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(p, sizeof log, NULL, log);
    if (ok != want)
        fail_msg("%s: link status is %d: %s", what, ok, log);
    return p;
}

#define LINK(what, want, ...)                                                                      \
    link_stages(what, (const struct stage_text[]){__VA_ARGS__},                                    \
                sizeof((const struct stage_text[]){__VA_ARGS__}) / sizeof(struct stage_text),      \
                want)
#define VS(text) {GL_VERTEX_SHADER, "#version 460\n" text}
#define GS(text) {GL_GEOMETRY_SHADER, "#version 460\n" text}
#define FS(text) {GL_FRAGMENT_SHADER, "#version 460\n" text}

/* Fills a buffer object with floats. */
static GLuint buffer_of(GLenum target, GLuint binding, const float *values, unsigned count)
{
    GLuint b;
    glGenBuffers(1, &b);
    glBindBufferBase(target, binding, b);
    glBufferData(target, count * sizeof *values, values, GL_STATIC_DRAW);
    return b;
}

static void draw_quad(GLuint p)
{
    GLuint vao;
    glGenVertexArrays(1, &vao);
    glBindVertexArray(vao);
    glUseProgram(p);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUseProgram(0);
    glDeleteVertexArrays(1, &vao);
}

#define CORNER "vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1)"

/* A uniform block, a storage block, an input block and an output block may all have one name. */
static void test_block_names(void **state)
{
    static const float uniforms[] = {0, 0, 0, 0, 0.25f, 0, 0, 0}, storage[] = {0.5f, 0, 0.75f, 0};
    GLuint p = LINK(
        "four blocks S", true,
        VS("uniform S { vec4 a; vec4 b; } u; layout(std430) buffer S { vec2 c; vec2 d[]; } s;"
           "out S { vec4 e; } o;"
           "void main() { o.e = vec4(u.b.x, s.c.x, s.d[0].x, 1);"
           "gl_Position = " CORNER "; }"),
        GS("layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
           "in S { vec4 e; } i[]; out S { float g; vec4 f; } o; uniform S { vec4 a; vec4 b; } u;"
           "void main() { for (int k = 0; k < 3; k++) { o.g = u.b.x * 4; o.f = i[k].e;"
           "gl_Position = gl_in[k].gl_Position; EmitVertex(); } }"),
        FS("in S { float g; vec4 f; } i; layout(std430) buffer S { vec2 c; vec2 d[]; } s;"
           "out vec4 color; void main() { color = i.f * i.g + vec4(0, 0, s.c.x - s.c.x, 0); }"));
    GLuint buffers[] = {buffer_of(GL_UNIFORM_BUFFER, 0, uniforms, 8),
                        buffer_of(GL_SHADER_STORAGE_BUFFER, 0, storage, 4)};
    draw_quad(p);
    expect(4, 4, 0.25f, 0.5f, 0.75f);
    assert_int_not_equal(glGetProgramResourceIndex(p, GL_UNIFORM, "S.b"), GL_INVALID_INDEX);
    assert_int_not_equal(glGetProgramResourceIndex(p, GL_BUFFER_VARIABLE, "S.d"), GL_INVALID_INDEX);
    assert_int_equal(glGetProgramResourceIndex(p, GL_UNIFORM, "S.c"), GL_INVALID_INDEX);
    assert_int_equal(glGetProgramResourceIndex(p, GL_UNIFORM, "S.e"), GL_INVALID_INDEX);
    glDeleteBuffers(2, buffers);
    glDeleteProgram(p);
    p = LINK("block of structs, after an output block of that name", true,
             VS("struct V { vec3 x; float y[2]; }; out T { vec4 e; } o;"
                "layout(std430) buffer T { V v[]; } b;"
                "void main() { gl_Position = o.e = vec4(b.v[gl_VertexID].x, 1); }"),
             FS("in T { vec4 e; } i; out vec4 c; void main() { c = i.e; }"));
    assert_int_not_equal(glGetProgramResourceIndex(p, GL_BUFFER_VARIABLE, "T.v[0].y"),
                         GL_INVALID_INDEX);
    glDeleteProgram(p);
    p = LINK("members without an instance name", true,
             VS("out T { vec4 e; }; uniform T { mat4 m; }; buffer T { float x; vec4 y[]; };"
                "void main() { e = y[1] * x; gl_Position = m * e; }"),
             FS("in T { vec4 e; }; uniform T { mat4 m; }; out vec4 c; void main() { c = e; }"));
    assert_int_not_equal(glGetProgramResourceIndex(p, GL_UNIFORM, "m"), GL_INVALID_INDEX);
    assert_int_not_equal(glGetProgramResourceIndex(p, GL_BUFFER_VARIABLE, "x"), GL_INVALID_INDEX);
    glDeleteProgram(p);
}

/* Instance names are local to a shader: another shader of the stage may use them for something
 * else. */
static void test_instance_names(void **state)
{
#define FIRST VS("uniform A { vec4 a; } x; vec4 f(); void main() { gl_Position = x.a + f(); }")
#define LAST  FS("out vec4 c; void main() { c = vec4(1); }")
    static const struct {
        const char *what, *second, *uniform, *variable;
    } cases[] = {
        {"a storage block", "buffer B { vec4 b; } x; vec4 f() { return x.b; }", "A.a", "B.b"},
        {"a uniform block", "uniform B { vec4 b; } x; vec4 f() { return x.b; }", "B.b", NULL},
        {"a uniform", "uniform vec4 x; vec4 f() { return x; }", "x", NULL},
        {"a global", "vec4 x = vec4(2); vec4 f() { return x; }", "A.a", NULL},
        {"another instance name", "uniform A { vec4 a; } y; vec4 f() { return y.a; }", "A.a", NULL},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "#version 460\n%s", cases[i].second);
        GLuint p = LINK(cases[i].what, true, FIRST, {GL_VERTEX_SHADER, text}, LAST);
        assert_int_not_equal(glGetProgramResourceIndex(p, GL_UNIFORM, "A.a"), GL_INVALID_INDEX);
        assert_int_not_equal(glGetProgramResourceIndex(p, GL_UNIFORM, cases[i].uniform),
                             GL_INVALID_INDEX);
        if (cases[i].variable)
            assert_int_not_equal(
                glGetProgramResourceIndex(p, GL_BUFFER_VARIABLE, cases[i].variable),
                GL_INVALID_INDEX);
        glDeleteProgram(p);
    }
}

/* Only uniforms and matching varyings of two stages have one array size. */
static void test_array_names(void **state)
{
    GLint size;
    GLuint p = LINK("an attribute and a fragment output", true,
                    VS("in float a[2]; out float b[];"
                       "void main() { b[1] = 2; gl_Position = vec4(a[1]); }"),
                    FS("in float b[2]; out float a[]; void main() { a[2] = 2; a[0] = b[1]; }"));
    const GLenum prop = GL_ARRAY_SIZE;
    glGetProgramResourceiv(p, GL_PROGRAM_OUTPUT, 0, 1, &prop, 1, NULL, &size);
    assert_int_equal(size, 3);
    glDeleteProgram(p);
    glDeleteProgram(LINK("a varying array that gets its size from the next stage", true,
                         VS("out float b[]; void main() { b[1] = 1; gl_Position = vec4(1); }"),
                         FS("in float b[4]; out vec4 c; void main() { c = vec4(b[3]); }")));
    glDeleteProgram(LINK("a uniform that is longer elsewhere", true,
                         VS("uniform float u[4]; void main() { gl_Position = vec4(u[3]); }"),
                         FS("uniform float u[]; out vec4 c; void main() { c = vec4(u[1]); }")));
}

/* GL 4.6 §7.10: each subroutine uniform needs a function of its type. */
static void test_subroutine_types(void **state)
{
#define TYPES                                                                                      \
    "subroutine vec4 one(); subroutine vec4 two(float); out vec4 c;"                               \
    "subroutine(one) vec4 f() { return vec4(1); }"
    glDeleteProgram(LINK("a function for the type", true,
                         VS("void main() { gl_Position = vec4(1); }"),
                         FS(TYPES "subroutine uniform one x; void main() { c = x(); }")));
    glDeleteProgram(LINK("no function for the second type", false,
                         VS("void main() { gl_Position = vec4(1); }"),
                         FS(TYPES "subroutine uniform one x; subroutine uniform two y[2];"
                                  "void main() { c = x() + y[1](1); }")));
}

/* GLSL 4.60 §7.1: the stages of a program redeclare gl_PerVertex in the same way, used or not. */
static void test_per_vertex(void **state)
{
    static const struct {
        const char *out, *in;
        bool match;
    } cases[] = {
        {"vec4 gl_Position;", "vec4 gl_Position;", true},
        {"vec4 gl_Position; float gl_PointSize;", "vec4 gl_Position;", false},
        {"vec4 gl_Position;", "float gl_PointSize;", false},
        {"vec4 gl_Position;", "vec4 gl_Position; float gl_ClipDistance[2];", false},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char vs[300], gs[400];
        snprintf(vs, sizeof vs,
                 "#version 410\nout gl_PerVertex { %s }; void main() { gl_Position = vec4(0); }",
                 cases[i].out);
        snprintf(gs, sizeof gs,
                 "#version 410\nlayout(points) in; layout(points, max_vertices = 1) out;\n"
                 "in gl_PerVertex { %s } gl_in[]; out gl_PerVertex { vec4 gl_Position; };\n"
                 "void main() { gl_Position = vec4(0); EmitVertex(); }",
                 cases[i].in);
        glDeleteProgram(
            LINK(cases[i].in, cases[i].match, {GL_VERTEX_SHADER, vs}, {GL_GEOMETRY_SHADER, gs}));
    }
}

/* From GLSL 1.30 on, a varying that is read but not written is undefined. */
static void test_unwritten(void **state)
{
    static const unsigned versions[] = {130, 140, 150, 330, 460};
    for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++) {
        char vs[200], fs[200];
        snprintf(
            vs, sizeof vs,
            "#version %u\nout vec2 a, b; void main() { a = vec2(1); gl_Position = vec4(a, a); }",
            versions[i]);
        snprintf(fs, sizeof fs,
                 "#version %u\nin vec2 a, b; out vec4 c; void main() { c = vec4(a, b); }",
                 versions[i]);
        glDeleteProgram(
            LINK("unwritten varying", true, {GL_VERTEX_SHADER, vs}, {GL_FRAGMENT_SHADER, fs}));
    }
}

/* Outputs per vertex of a separable tessellation control shader may be listed for transform
 * feedback, although a later stage is the one that is captured. */
static void test_captured_control(void **state)
{
    static const char *const names[][2] = {{"B.v", "p"}, {"w", "p"}, {"B.x", "p"}};
    for (unsigned i = 0; i < 3; i++) {
        GLuint p = glCreateProgram();
        GLint ok;
        glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_TRUE);
        glTransformFeedbackVaryings(p, 2, names[i], GL_INTERLEAVED_ATTRIBS);
        gl_test_attach(p, GL_TESS_CONTROL_SHADER,
                       "#version 460\nlayout(vertices = 4) out;\n"
                       "out B { vec4 v; } o[]; out vec2 w[]; patch out float p;\n"
                       "void main() { o[gl_InvocationID].v = vec4(2); w[gl_InvocationID] = vec2(1);"
                       "p = 1; gl_TessLevelOuter[0] = 1; }");
        glLinkProgram(p);
        glGetProgramiv(p, GL_LINK_STATUS, &ok);
        assert_int_equal(ok, i < 2);
        glDeleteProgram(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_names),      cmocka_unit_test(test_instance_names),
        cmocka_unit_test(test_array_names),      cmocka_unit_test(test_subroutine_types),
        cmocka_unit_test(test_per_vertex),       cmocka_unit_test(test_unwritten),
        cmocka_unit_test(test_captured_control),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
