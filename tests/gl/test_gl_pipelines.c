/* SPDX-License-Identifier: MIT */
/* Program pipelines: valid combinations of programs (GL 4.6 §11.1.3.11). */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_unknown_stages),
        cmocka_unit_test(test_samplers),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
