/* SPDX-License-Identifier: MIT */
/*
 * Program pipelines: valid combinations of programs (GL 4.6 §11.1.3.11), what a link changes in the
 * current state (§7.3), and subroutine uniforms, which belong to the context (§7.10).
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

static int setup(void **state)
{
    static const struct gl_test_window window = {16, 16};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static const char vs[] = "#version 150\nout gl_PerVertex { vec4 gl_Position; };\n"
                         "void main() { gl_Position = vec4(0.0); }";
static const char gs[] = "#version 150\nlayout(points) in; layout(points, max_vertices = 1) out;\n"
                         "in gl_PerVertex { vec4 gl_Position; } gl_in[];\n"
                         "out gl_PerVertex { vec4 gl_Position; };\n"
                         "void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }";
static const char fs[] = "#version 150\nout vec4 color; void main() { color = vec4(1.0); }";

static GLuint separable(GLuint first, GLuint second)
{
    GLuint p = glCreateProgram();
    GLint ok;
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_TRUE);
    glAttachShader(p, first);
    if (second)
        glAttachShader(p, second);
    glLinkProgram(p);
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    assert_true(ok);
    return p;
}

/* Checks whether the bound pipeline validates and draws. */
static void expect_valid(GLuint pipeline, bool want)
{
    GLint valid;
    glValidateProgramPipeline(pipeline);
    glGetProgramPipelineiv(pipeline, GL_VALIDATE_STATUS, &valid);
    assert_int_equal(valid, want);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDrawArrays(GL_POINTS, 0, 1);
    assert_int_equal(glGetError(), want ? GL_NO_ERROR : GL_INVALID_OPERATION);
}

static void test_stages(void **state)
{
    GLuint v = gl_test_compile(GL_VERTEX_SHADER, vs), g = gl_test_compile(GL_GEOMETRY_SHADER, gs),
           f = gl_test_compile(GL_FRAGMENT_SHADER, fs), pipeline;
    GLuint both = separable(v, f), vertex = separable(v, 0), geometry = separable(g, 0);
    glGenProgramPipelines(1, &pipeline);
    glBindProgramPipeline(pipeline);
    glUseProgramStages(pipeline, GL_ALL_SHADER_BITS, both);
    expect_valid(pipeline, true);
    /* between the other program's stages */
    glUseProgramStages(pipeline, GL_GEOMETRY_SHADER_BIT, geometry);
    expect_valid(pipeline, false);
    /* only one of the program's stages */
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    expect_valid(pipeline, false);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, 0);
    expect_valid(pipeline, true);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, 0);
    expect_valid(pipeline, false);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    glProgramParameteri(vertex, GL_PROGRAM_SEPARABLE, GL_FALSE);
    glLinkProgram(vertex);
    expect_valid(pipeline, false);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteProgram(both);
    glDeleteProgram(vertex);
    glDeleteProgram(geometry);
    glDeleteShader(v);
    glDeleteShader(g);
    glDeleteShader(f);
}

/* Checks that bits and names of stages that the context lacks are errors. */
static void test_unknown_stages(void **state)
{
    static const struct {
        GLenum type;
        GLbitfield bit;
    } stages[] = {
        {GL_VERTEX_SHADER, GL_VERTEX_SHADER_BIT},
        {GL_FRAGMENT_SHADER, GL_FRAGMENT_SHADER_BIT},
        {GL_GEOMETRY_SHADER, GL_GEOMETRY_SHADER_BIT},
        {GL_TESS_CONTROL_SHADER, GL_TESS_CONTROL_SHADER_BIT},
        {GL_TESS_EVALUATION_SHADER, GL_TESS_EVALUATION_SHADER_BIT},
        {GL_COMPUTE_SHADER, GL_COMPUTE_SHADER_BIT},
    };
    GLuint pipeline;
    glGenProgramPipelines(1, &pipeline);
    for (unsigned i = 0; i < sizeof stages / sizeof *stages; i++) {
        GLint name;
        GLuint shader = glCreateShader(stages[i].type);
        glGetError();
        glUseProgramStages(pipeline, stages[i].bit, 0);
        assert_int_equal(glGetError(), shader ? GL_NO_ERROR : GL_INVALID_VALUE);
        glGetProgramPipelineiv(pipeline, stages[i].type, &name);
        assert_int_equal(glGetError(), shader ? GL_NO_ERROR : GL_INVALID_ENUM);
        glDeleteShader(shader);
    }
    glDeleteProgramPipelines(1, &pipeline);
}

/* Checks samplers of two types on one unit, in one program and across two. Unused array elements
 * don't count. */
static void test_samplers(void **state)
{
    static const char *const texts[] = {
        "#version 150\nuniform sampler2D s[2]; uniform sampler3D t[2]; out vec4 color;\n"
        "void main() { color = texture(s[1], vec2(0.0)) + texture(t[1], vec3(0.0)); }",
        "#version 150\nuniform sampler3D u; out gl_PerVertex { vec4 gl_Position; };\n"
        "void main() { gl_Position = textureLod(u, vec3(0.0), 0.0); }",
    };
    GLuint pipeline, f = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &texts[0]),
                     v = glCreateShaderProgramv(GL_VERTEX_SHADER, 1, &texts[1]);
    glGenProgramPipelines(1, &pipeline);
    glBindProgramPipeline(pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, v);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, f);
    glProgramUniform1i(f, glGetUniformLocation(f, "s[1]"), 1);
    glProgramUniform1i(f, glGetUniformLocation(f, "t[1]"), 1);
    expect_valid(pipeline, false);
    glProgramUniform1i(f, glGetUniformLocation(f, "t[1]"), 2);
    expect_valid(pipeline, true);
    glProgramUniform1i(v, glGetUniformLocation(v, "u"), 1);
    expect_valid(pipeline, false);
    glProgramUniform1i(v, glGetUniformLocation(v, "u"), 2);
    expect_valid(pipeline, true);
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteProgram(v);
    glDeleteProgram(f);
}

/* ------------------------------------------------------------------------------ relinking --- */

static const char corner_vs[] =
    "#version 410 core\nout gl_PerVertex { vec4 gl_Position; };\n"
    "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);"
    "}";
static const char tint_fs[] = "#version 410 core\nuniform vec4 tint; out vec4 color;\n"
                              "void main() { color = tint; }";
static const char swap_fs[] = "#version 410 core\nuniform vec4 tint; out vec4 color;\n"
                              "void main() { color = tint.bgra; }";
static const char broken_fs[] = "#version 410 core\nuniform vec4 tint; out vec4 color;\n"
                                "vec4 f(); void main() { color = tint + f(); }";

static void draw_and_expect(float r, float g, float b)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    expect(8, 8, r, g, b);
}

/* Replaces the text of an attached shader and links. */
static void relink(GLuint program, GLuint shader, const char *text, bool want)
{
    GLint ok;
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    assert_int_equal(ok, want);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

static GLint separable_status(GLuint program)
{
    GLint value;
    glGetProgramiv(program, GL_PROGRAM_SEPARABLE, &value);
    return value;
}

/* Sets the active program's uniform after a failed link; even location -1 is an error then. */
static void expect_no_locations(GLint tint)
{
    const GLfloat identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    glUniform4f(tint, 0, 0.5f, 1, 1);
    expect_error(GL_INVALID_OPERATION);
    glUniform4f(-1, 0, 0.5f, 1, 1);
    expect_error(GL_INVALID_OPERATION);
    glUniformMatrix4fv(-1, 1, GL_FALSE, identity);
    expect_error(GL_INVALID_OPERATION);
}

/* A failed link leaves a pipeline with the executable that it had, with the values of its uniforms,
 * but the program has no locations. The next successful link replaces the executable. */
static void test_relink(void **state)
{
    GLuint v = gl_test_compile(GL_VERTEX_SHADER, corner_vs),
           f = gl_test_compile(GL_FRAGMENT_SHADER, tint_fs), vertex = separable(v, 0), pipeline;
    GLuint p = glCreateProgram();
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_TRUE);
    assert_int_equal(separable_status(p), GL_FALSE); /* not linked yet */
    glAttachShader(p, f);
    relink(p, f, tint_fs, true);
    assert_int_equal(separable_status(p), GL_TRUE);
    GLint tint = glGetUniformLocation(p, "tint");
    glProgramUniform4f(p, tint, 1, 0.5f, 0, 1);
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, p);
    glActiveShaderProgram(pipeline, p);
    glBindProgramPipeline(pipeline);
    draw_and_expect(1, 0.5f, 0);
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_FALSE);
    relink(p, f, broken_fs, false);
    assert_int_equal(separable_status(p), GL_FALSE);
    draw_and_expect(1, 0.5f, 0);
    expect_no_locations(tint);
    draw_and_expect(1, 0.5f, 0);
    expect_valid(pipeline, true);
    glProgramUniform4f(p, tint, 1, 1, 1, 1);
    expect_error(GL_INVALID_OPERATION);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, p);
    expect_error(GL_INVALID_OPERATION);
    glBindProgramPipeline(0);
    glBindProgramPipeline(pipeline);
    draw_and_expect(1, 0.5f, 0);
    relink(p, f, swap_fs, true); /* not separable now */
    expect_valid(pipeline, false);
    glProgramParameteri(p, GL_PROGRAM_SEPARABLE, GL_TRUE);
    relink(p, f, swap_fs, true);
    glUniform4f(tint, 1, 0, 0, 1);
    draw_and_expect(0, 0, 1);
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteProgram(p);
    glDeleteProgram(vertex);
    glDeleteShader(v);
    glDeleteShader(f);
}

/* The same for the current program; a program that transform feedback uses can't be linked, even
 * if its last link failed. */
static void test_relink_current(void **state)
{
    GLuint v = gl_test_compile(GL_VERTEX_SHADER, corner_vs),
           f = gl_test_compile(GL_FRAGMENT_SHADER, tint_fs), p = glCreateProgram(), buffer;
    static const GLchar *const captured[] = {"gl_Position"};
    glAttachShader(p, v);
    glAttachShader(p, f);
    glTransformFeedbackVaryings(p, 1, captured, GL_INTERLEAVED_ATTRIBS);
    relink(p, f, tint_fs, true);
    glUseProgram(p);
    glUniform4f(0, 0, 1, 0, 1);
    relink(p, f, broken_fs, false);
    draw_and_expect(0, 1, 0);
    expect_no_locations(0);
    draw_and_expect(0, 1, 0);
    glUseProgram(p);
    expect_error(GL_INVALID_OPERATION);
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 64, NULL, GL_STATIC_READ);
    glBeginTransformFeedback(GL_TRIANGLES);
    glLinkProgram(p);
    expect_error(GL_INVALID_OPERATION);
    glEndTransformFeedback();
    relink(p, f, swap_fs, true);
    glUniform4f(0, 1, 0, 0, 1);
    draw_and_expect(0, 0, 1);
    glDeleteBuffers(1, &buffer);
    gl_test_delete_program(p);
    glDeleteShader(v);
    glDeleteShader(f);
}

/* ---------------------------------------------------------------------------- subroutines --- */

static const char choice_fs[] =
    "#version 410 core\n#extension GL_ARB_explicit_uniform_location : require\n"
    "subroutine vec4 pick();\n"
    "subroutine(pick) vec4 red() { return vec4(1, 0, 0, 1); }\n"
    "subroutine(pick) vec4 green() { return vec4(0, 1, 0, 1); }\n"
    "layout(location = 2) subroutine uniform pick picked[2];\n"
    "out vec4 color; void main() { color = picked[0]() * 0.25 + picked[1]() * 0.5; }";

static GLuint subroutine_value(GLint location)
{
    GLuint value = 99;
    glGetUniformSubroutineuiv(GL_FRAGMENT_SHADER, location, &value);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return value;
}

/* Each innermost array of an array of arrays is one uniform (GL 4.6 §7.3.1). */
static void test_arrays_of_subroutines(void **state)
{
    static const char arrays_fs[] =
        "#version 430 core\n"
        "subroutine vec4 pick();\n"
        "subroutine(pick) vec4 red() { return vec4(1, 0, 0, 1); }\n"
        "subroutine(pick) vec4 green() { return vec4(0, 1, 0, 1); }\n"
        "layout(location = 1) subroutine uniform pick picked[2][3];\n"
        "out vec4 color; void main() { color = picked[0][2]() * 0.25 + picked[1][1]() * 0.5; }";
    static const struct {
        const char *name;
        GLint location;
    } names[] = {
        {"picked", -1},      {"picked[0]", 1},    {"picked[1]", 4},     {"picked[2]", -1},
        {"picked[0][0]", 1}, {"picked[0][2]", 3}, {"picked[0][3]", -1}, {"picked[1][0]", 4},
        {"picked[1][1]", 5}, {"picked[1][2]", 6}, {"picked[2][0]", -1}, {"picked[0][0][0]", -1},
        {"picked[0][]", -1},
    };
    const GLuint program = gl_test_program(corner_vs, arrays_fs);
    char name[20];
    GLint length = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(glGetSubroutineUniformLocation(program, GL_FRAGMENT_SHADER, names[i].name),
                         names[i].location);
    for (unsigned i = 0; i < 2; i++) {
        glGetActiveSubroutineUniformName(program, GL_FRAGMENT_SHADER, i, sizeof name, &length,
                                         name);
        assert_string_equal(name, i ? "picked[1][0]" : "picked[0][0]");
        assert_int_equal(length, 12);
        glGetActiveSubroutineUniformiv(program, GL_FRAGMENT_SHADER, i, GL_UNIFORM_SIZE, &length);
        assert_int_equal(length, 3);
    }
    glUseProgram(program);
    const GLuint red = glGetSubroutineIndex(program, GL_FRAGMENT_SHADER, "red");
    const GLuint values[7] = {0, 1 - red, 1 - red, red, 1 - red, 1 - red, red};
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 7, values);
    draw_and_expect(0.25f, 0.5f, 0);
    gl_test_delete_program(program);
}

/* Every command that sets the program of a stage resets its subroutine uniforms. */
static void test_subroutines(void **state)
{
    GLuint program = gl_test_program(corner_vs, choice_fs), pipeline;
    GLuint v = gl_test_compile(GL_VERTEX_SHADER, corner_vs),
           f = gl_test_compile(GL_FRAGMENT_SHADER, choice_fs);
    GLuint vertex = separable(v, 0), fragment = separable(f, 0);
    GLuint green = glGetSubroutineIndex(program, GL_FRAGMENT_SHADER, "green");
    const GLuint first[] = {77, 77, green, 1 - green}, both[] = {77, 77, green, green};
    /* names of array elements are strict (GL 4.6 §7.3.1) */
    static const char *const unknown[] = {"picked[2]",  "picked[01]", "picked[ 1]", "picked[+1]",
                                          "picked[1x]", "picked[1]]", "picked[]",   "pick"};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(glGetSubroutineUniformLocation(program, GL_FRAGMENT_SHADER, unknown[i]),
                         -1);
    assert_int_equal(glGetSubroutineUniformLocation(program, GL_FRAGMENT_SHADER, "picked"), 2);
    assert_int_equal(glGetSubroutineUniformLocation(program, GL_FRAGMENT_SHADER, "picked[0]"), 2);
    assert_int_equal(glGetSubroutineUniformLocation(program, GL_FRAGMENT_SHADER, "picked[1]"), 3);
    /* queried names of arrays end in "[0]" */
    char name[20];
    GLint length = 0;
    glGetActiveSubroutineUniformName(program, GL_FRAGMENT_SHADER, 0, sizeof name, NULL, name);
    assert_string_equal(name, "picked[0]");
    glGetActiveSubroutineUniformiv(program, GL_FRAGMENT_SHADER, 0, GL_UNIFORM_NAME_LENGTH, &length);
    assert_int_equal(length, 10);
    glGetProgramStageiv(program, GL_FRAGMENT_SHADER, GL_ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH,
                        &length);
    assert_int_equal(length, 10);
    glGetProgramStageiv(program, GL_VERTEX_SHADER, GL_ACTIVE_SUBROUTINE_UNIFORM_MAX_LENGTH,
                        &length);
    assert_int_equal(length, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glUseProgram(program);
    GLuint start = subroutine_value(2);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, first);
    assert_int_equal(subroutine_value(2), green);
    assert_int_equal(subroutine_value(3), 1 - green);
    draw_and_expect(0.5f, 0.25f, 0);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, both);
    draw_and_expect(0, 0.75f, 0);
    glUseProgram(program);
    assert_int_equal(subroutine_value(2), start);
    assert_int_equal(subroutine_value(3), start);
    draw_and_expect(start == green ? 0 : 0.75f, start == green ? 0.75f : 0, 0);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, both);
    gl_test_link(program);
    assert_int_equal(subroutine_value(3), start);

    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, first);
    glBindProgramPipeline(pipeline); /* not in use while there is a current program */
    assert_int_equal(subroutine_value(3), 1 - green);
    glUseProgram(0);
    assert_int_equal(subroutine_value(3), start);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, both);
    draw_and_expect(0, 0.75f, 0);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex); /* another stage */
    assert_int_equal(subroutine_value(3), green);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    assert_int_equal(subroutine_value(3), start);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, both);
    glBindProgramPipeline(pipeline);
    assert_int_equal(subroutine_value(2), start);
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteProgram(program);
    glDeleteProgram(vertex);
    glDeleteProgram(fragment);
    glDeleteShader(v);
    glDeleteShader(f);
}

/* Another context of the share group has its own values for the same program. */
static void test_shared_subroutines(void **state)
{
    enum gl_create_error error;
    GLuint program = gl_test_program(corner_vs, choice_fs);
    GLuint green = glGetSubroutineIndex(program, GL_FRAGMENT_SHADER, "green");
    const GLuint all_green[] = {0, 0, green, green}, all_red[] = {0, 0, 1 - green, 1 - green};
    struct gl_context *second = core->context_create(
        &(struct gl_context_attribs){
            .api = GL_API_COMPAT, .major = 1, .visual = &visual, .share = *state},
        &error);
    assert_non_null(second);
    glUseProgram(program);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, all_green);
    assert_true(core->make_current(second, drawable, drawable));
    glUseProgram(program);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 4, all_red);
    draw_and_expect(0.75f, 0, 0);
    assert_true(core->make_current(*state, drawable, drawable));
    assert_int_equal(subroutine_value(2), green);
    draw_and_expect(0, 0.75f, 0);
    core->context_destroy(second);
    gl_test_delete_program(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),         cmocka_unit_test(test_unknown_stages),
        cmocka_unit_test(test_samplers),       cmocka_unit_test(test_relink),
        cmocka_unit_test(test_relink_current), cmocka_unit_test(test_arrays_of_subroutines),
        cmocka_unit_test(test_subroutines),    cmocka_unit_test(test_shared_subroutines),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
