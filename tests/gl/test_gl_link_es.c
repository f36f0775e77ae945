/* SPDX-License-Identifier: MIT */
/*
 * Interfaces in OpenGL ES: between the programs of a pipeline (ES 3.2 §7.4.1, §11.1.3.11), whose
 * mismatches are errors at draws, and between the stages of a program (ESSL 3.20 §4.3.9, §4.5).
 */
#include <GLES3/gl32.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {8, 8};
    return gl_test_setup(state, GL_API_ES2, &window);
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

/* Checks whether a pipeline of these programs validates and draws points. */
static void check_pipeline(const char *what, const GLuint programs[3], bool want)
{
    static const GLbitfield bits[3] = {GL_VERTEX_SHADER_BIT, GL_GEOMETRY_SHADER_BIT,
                                       GL_FRAGMENT_SHADER_BIT};
    GLuint pipeline;
    GLint valid;
    glGenProgramPipelines(1, &pipeline);
    for (unsigned i = 0; i < 3; i++)
        if (programs[i])
            glUseProgramStages(pipeline, bits[i], programs[i]);
    glValidateProgramPipeline(pipeline);
    glGetProgramPipelineiv(pipeline, GL_VALIDATE_STATUS, &valid);
    if (valid != want)
        fail_msg("%s: VALIDATE_STATUS is %d", what, valid);
    glBindProgramPipeline(pipeline);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    for (unsigned i = 0; i < 2; i++) { /* the second draw uses the kept result */
        glDrawArrays(GL_POINTS, 0, 1);
        GLenum error = glGetError();
        if (error != (want ? GL_NO_ERROR : GL_INVALID_OPERATION))
            fail_msg("%s: a draw raises 0x%x", what, error);
    }
    glDeleteProgramPipelines(1, &pipeline);
}

/* Declarations of a vertex shader's outputs and a fragment shader's inputs. */
static const struct {
    const char *what, *out, *in;
    bool match;
} interfaces[] = {
    {"nothing", "", "", true},
    {"equal", "out vec3 a; flat out int b;", "in vec3 a; flat in int b;", true},
    {"another order of variables", "out vec3 a; out vec2 b;", "in vec2 b; in vec3 a;", true},
    {"an output without an input", "out vec3 a; out vec2 b;", "in vec3 a;", false},
    {"an input without an output", "out vec3 a;", "in vec3 a; in vec2 b;", false},
    {"other types", "out vec3 a;", "in vec2 a;", false},
    {"int and uint", "flat out int a;", "flat in uint a;", false},
    {"other sizes", "out float a[2];", "in float a[3];", false},
    {"other interpolation", "flat out vec2 a;", "in vec2 a;", false},
    {"the default interpolation", "smooth out vec2 a;", "in vec2 a;", true},
    {"auxiliary qualifiers", "centroid out vec2 a;", "sample in vec2 a;", true},
    {"invariance", "invariant out vec2 a;", "in vec2 a;", true},
    {"other precision", "out mediump vec2 a;", "in vec2 a;", false},
    {"other precision of integers", "flat out mediump ivec2 a;", "flat in lowp ivec2 a;", false},
    {"equal locations", "layout(location = 4) out vec2 a;", "layout(location = 4) in vec2 b;",
     true},
    {"other locations", "layout(location = 4) out vec2 a;", "layout(location = 5) in vec2 a;",
     false},
    {"a location of the output only", "layout(location = 4) out vec2 a;", "in vec2 a;", false},
    {"a location of the input only", "out vec2 a;", "layout(location = 4) in vec2 a;", false},
    {"located vectors of other sizes", "layout(location = 4) out vec3 a;",
     "layout(location = 4) in vec2 a;", false},
    {"equal structs", "struct S { vec2 x; mediump float y; }; out S a;",
     "struct S { vec2 x; mediump float y; }; in S a;", true},
    {"other members of structs", "struct S { vec2 x; float y; }; out S a;",
     "struct S { vec2 x; float z; }; in S a;", false},
    {"another order of members of structs", "struct S { float x; float y; }; out S a;",
     "struct S { float y; float x; }; in S a;", false},
    {"other precision in structs", "struct S { vec2 x; mediump float y; }; out S a;",
     "struct S { vec2 x; float y; }; in S a;", false},
    {"equal blocks", "out B { vec2 x; flat int y; } a;", "in B { vec2 x; flat int y; } b;", true},
    {"an instance name on one side", "out B { vec2 x; };", "in B { vec2 x; } b;", true},
    {"other block names", "out B { vec2 x; };", "in C { vec2 x; };", false},
    {"another order of members", "out B { float x; float y; };", "in B { float y; float x; };",
     false},
    {"fewer members", "out B { vec2 x; vec2 y; };", "in B { vec2 x; };", false},
    {"other interpolation of members", "out B { flat vec2 x; };", "in B { vec2 x; };", false},
    {"other precision of members", "out B { vec2 x; };", "in B { mediump vec2 x; };", false},
    {"a location of a block", "layout(location = 2) out B { vec2 x; };", "in B { vec2 x; };",
     false},
    {"equal numbers of blocks", "out B { vec2 x; } a[2];", "in B { vec2 x; } a[2];", true},
    {"other numbers of blocks", "out B { vec2 x; } a[2];", "in B { vec2 x; } a[3];", false},
    {"a block and a variable", "out B { vec2 x; };", "in vec2 x;", false},
};

static void test_pipelines(void **state)
{
    for (unsigned i = 0; i < sizeof interfaces / sizeof *interfaces; i++) {
        char vs[500], fs[500];
        snprintf(vs, sizeof vs,
                 "#version 320 es\nout gl_PerVertex { vec4 gl_Position; };\n%s\n"
                 "void main() { gl_Position = vec4(0); }",
                 interfaces[i].out);
        snprintf(fs, sizeof fs,
                 "#version 320 es\nprecision highp float; precision highp int;\n%s\n"
                 "layout(location = 0) out vec4 c; void main() { c = vec4(1); }",
                 interfaces[i].in);
        const GLuint p[3] = {separable(GL_VERTEX_SHADER, vs), 0, separable(GL_FRAGMENT_SHADER, fs)};
        check_pipeline(interfaces[i].what, p, interfaces[i].match);
        glDeleteProgram(p[0]);
        glDeleteProgram(p[2]);
    }
}

#define GEOMETRY                                                                                   \
    "#version 320 es\nlayout(points) in; layout(points, max_vertices = 1) out;\n"                  \
    "in gl_PerVertex { vec4 gl_Position; } gl_in[]; out gl_PerVertex { vec4 gl_Position; };\n"

/* Inputs per vertex match without their outermost dimension, and a new link is checked again. */
static void test_geometry(void **state)
{
    const GLuint vertex = separable(
        GL_VERTEX_SHADER, "#version 320 es\nout gl_PerVertex { vec4 gl_Position; };\n"
                          "out B { vec4 x; } o; void main() { o.x = gl_Position = vec4(0); }");
    const GLuint fragment = separable(
        GL_FRAGMENT_SHADER, "#version 320 es\nin highp vec2 t; layout(location = 0) out highp\n"
                            "vec4 c; void main() { c = t.xyxy; }");
    const char *const texts[] = {
        GEOMETRY "in B { vec4 x; } i[]; out vec2 t; void main() { t = i[0].x.xy; EmitVertex(); }",
        GEOMETRY "in B { vec3 x; } i[]; out vec2 t; void main() { t = i[0].x.xy; EmitVertex(); }",
        GEOMETRY "in B { vec4 x; } i[]; out vec3 t; void main() { t = i[0].x.xyz; EmitVertex(); }",
    };
    for (unsigned i = 0; i < 3; i++) {
        GLuint p[3] = {vertex, separable(GL_GEOMETRY_SHADER, texts[i]), fragment};
        check_pipeline("geometry shader", p, i == 0);
        glDeleteProgram(p[1]);
    }
    GLuint p = glCreateProgram(), pipeline;
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_TRUE);
    GLuint shader = gl_test_compile(GL_GEOMETRY_SHADER, texts[0]);
    glAttachShader(p, shader);
    gl_test_link(p);
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    glUseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, p);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    glBindProgramPipeline(pipeline);
    for (unsigned i = 0; i < 4; i++) {
        glShaderSource(shader, 1, &texts[i % 3], NULL);
        glCompileShader(shader);
        gl_test_link(p);
        glDrawArrays(GL_POINTS, 0, 1);
        expect_error(i % 3 ? GL_INVALID_OPERATION : GL_NO_ERROR);
    }
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteShader(shader);
    glDeleteProgram(p);
    glDeleteProgram(vertex);
    glDeleteProgram(fragment);
}

/* The declarations are part of a program's binary. */
static void test_binary(void **state)
{
    GLuint p[3] = {separable(GL_VERTEX_SHADER,
                             "#version 320 es\nout gl_PerVertex { vec4 gl_Position; };\n"
                             "struct S { vec2 x; mediump float y; }; out S s;\n"
                             "void main() { gl_Position = vec4(0); }"),
                   0, 0};
    const char *const inputs[] = {"mediump float y", "float y"};
    GLsizei length;
    GLenum format;
    static char binary[100000];
    glGetProgramBinary(p[0], sizeof binary, &length, &format, binary);
    GLuint loaded = glCreateProgram();
    glProgramBinary(loaded, format, binary, length);
    glDeleteProgram(p[0]);
    p[0] = loaded;
    for (unsigned i = 0; i < 2; i++) {
        char fs[300];
        snprintf(fs, sizeof fs,
                 "#version 320 es\nprecision highp float; struct S { vec2 x; %s; }; in S s;\n"
                 "layout(location = 0) out vec4 c; void main() { c = vec4(s.y); }",
                 inputs[i]);
        p[2] = separable(GL_FRAGMENT_SHADER, fs);
        check_pipeline("loaded program", p, i == 0);
        glDeleteProgram(p[2]);
    }
    glDeleteProgram(p[0]);
}

/* Links a program of up to three shaders. */
static void check_link(const char *what, bool separable_program, const char *vs, GLenum type,
                       const char *between, const char *fs, bool want)
{
    GLuint p = glCreateProgram();
    GLint ok;
    char log[1000];
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, separable_program);
    gl_test_attach(p, GL_VERTEX_SHADER, vs);
    gl_test_attach(p, type, between);
    gl_test_attach(p, GL_FRAGMENT_SHADER, fs);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    glGetProgramInfoLog(p, sizeof log, NULL, log);
    if (ok != want)
        fail_msg("%s: link status is %d: %s", what, ok, log);
    glDeleteProgram(p);
}

static void test_stages(void **state)
{
    static const char fs[] = "#version 320 es\nin highp vec4 u; out highp vec4 c;\n"
                             "void main() { c = u; }";
    static const char plain_fs[] =
        "#version 320 es\nout highp vec4 c; void main() { c = vec4(1); }";
    static const struct {
        const char *out, *in;
        bool match;
    } qualifiers[] = {
        {"out", "in", true},       {"smooth out", "in", true}, {"flat out", "flat in", true},
        {"flat out", "in", false}, {"out", "flat in", false},  {"centroid out", "in", true},
    };
    for (unsigned i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
        char vs[300], gs[500];
        snprintf(vs, sizeof vs,
                 "#version 320 es\n%s highp vec4 t; void main() { t = gl_Position = vec4(1); }",
                 qualifiers[i].out);
        snprintf(gs, sizeof gs,
                 "#version 320 es\nlayout(points) in; layout(points, max_vertices = 1) out;\n"
                 "%s highp vec4 t[]; out highp vec4 u;\n"
                 "void main() { u = t[0]; gl_Position = t[0]; EmitVertex(); }",
                 qualifiers[i].in);
        check_link(qualifiers[i].out, false, vs, GL_GEOMETRY_SHADER, gs, fs, qualifiers[i].match);
    }
    /* The built-in gl_PerVertex serves a separable program, too. */
    check_link("no gl_PerVertex", true, "#version 320 es\nvoid main() { gl_Position = vec4(0); }",
               GL_TESS_CONTROL_SHADER,
               "#version 320 es\nlayout(vertices = 3) out; void main() {\n"
               "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }",
               plain_fs, true);
    /* Arrays match if both have a size, or neither. */
    static const char *const layouts[] = {"std430", "std140", "shared"};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned same = 0; same < 2; same++) {
            char vs[300], other_fs[300];
            snprintf(vs, sizeof vs,
                     "#version 320 es\nlayout(%s, binding = 0) buffer B { highp vec4 a; highp\n"
                     "float r[]; } b; void main() { gl_Position = b.a; }",
                     layouts[i]);
            snprintf(other_fs, sizeof other_fs,
                     "#version 320 es\nlayout(%s, binding = 0) buffer B { highp vec4 a; highp\n"
                     "float r[%s]; } b; out highp vec4 c; void main() { c = b.a; }",
                     layouts[i], same ? "" : "4");
            check_link(layouts[i], false, vs, 0, NULL, other_fs, same);
        }
    /* So do the memory qualifiers of members (ESSL 3.20 §9.2.1); those of the block apply to all
     * members, and volatile includes coherent. */
    static const struct {
        const char *block[2], *member[2];
        bool match;
    } memory[] = {
        {{"", ""}, {"readonly", "readonly"}, true},
        {{"", ""}, {"readonly", ""}, false},
        {{"", ""}, {"restrict", ""}, false},
        {{"", ""}, {"coherent readonly", "readonly"}, false},
        {{"", ""}, {"volatile", "coherent volatile"}, true},
        {{"readonly", ""}, {"", "readonly"}, true},
        {{"readonly", ""}, {"", ""}, false},
    };
    for (unsigned i = 0; i < sizeof memory / sizeof *memory; i++) {
        char vs[300], other_fs[300];
        snprintf(vs, sizeof vs,
                 "#version 320 es\nlayout(binding = 0) %s buffer B { %s highp vec4 a; } b;\n"
                 "void main() { gl_Position = b.a; }",
                 memory[i].block[0], memory[i].member[0]);
        snprintf(other_fs, sizeof other_fs,
                 "#version 320 es\nlayout(binding = 0) %s buffer B { %s highp vec4 a; } b;\n"
                 "out highp vec4 c; void main() { c = b.a; }",
                 memory[i].block[1], memory[i].member[1]);
        check_link("memory qualifiers", false, vs, 0, NULL, other_fs, memory[i].match);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pipelines),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_stages),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
