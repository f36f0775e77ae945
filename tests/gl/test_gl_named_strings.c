/* SPDX-License-Identifier: MIT */
/* ARB_shading_language_include: named strings, and shaders that include them. On the CPU driver. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "gl_test.h"

#define SIZE 4

static int setup(void **state)
{
    static const struct gl_test_window window = {SIZE, SIZE};
    return gl_test_setup(state, GL_API_COMPAT, &window);
}

static void set(const char *name, const char *text)
{
    glNamedStringARB(GL_SHADER_INCLUDE_ARB, -1, name, -1, text);
    assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* Compiles a fragment shader with a search path of `count` entries. Copies the log to `log`. */
static GLuint compile(const char *text, GLsizei count, const char *const *path, char log[2000])
{
    GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShaderIncludeARB(shader, count, path, NULL);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glGetShaderInfoLog(shader, 2000, NULL, log);
    return shader;
}

static void expect_compiled(GLuint shader, bool good, const char *log)
{
    GLint ok;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok != good)
        fail_msg("compiled: %d\n%s", ok, log);
    glDeleteShader(shader);
}

#define HEAD "#version 330 compatibility\n#extension GL_ARB_shading_language_include : require\n"

static void test_strings(void **state)
{
    GLint v = 0;
    char text[8];
    set("/a/b", "hello");
    set("/a/c/../b", "hi"); /* the same path */
    assert_true(glIsNamedStringARB(-1, "/a/b"));
    assert_true(glIsNamedStringARB(4, "/a/bcd"));
    assert_false(glIsNamedStringARB(-1, "/a"));
    glGetNamedStringivARB(-1, "/a/b", GL_NAMED_STRING_LENGTH_ARB, &v);
    assert_int_equal(v, 3);
    glGetNamedStringivARB(-1, "/a/b", GL_NAMED_STRING_TYPE_ARB, &v);
    assert_int_equal(v, GL_SHADER_INCLUDE_ARB);
    glGetNamedStringARB(-1, "/a/b", 2, &v, text);
    assert_string_equal(text, "h");
    assert_int_equal(v, 1);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    glDeleteNamedStringARB(-1, "/a/b");
    assert_false(glIsNamedStringARB(-1, "/a/b"));
    glDeleteNamedStringARB(-1, "/a/b");
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glNamedStringARB(GL_SHADER_INCLUDE_ARB, -1, "a", -1, "");
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glNamedStringARB(GL_SHADER_INCLUDE_ARB, -1, "/a", -1, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glNamedStringARB(GL_TEXTURE_2D, -1, "/a", -1, "");
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glGetNamedStringARB(-1, "/a", 2, &v, text);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    glCompileShaderIncludeARB(4711, 0, NULL, NULL);
    assert_int_equal(glGetError(), GL_INVALID_OPERATION);
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    glCompileShaderIncludeARB(shader, 1, NULL, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glCompileShaderIncludeARB(shader, 1, (const char *const[]){"no/root"}, NULL);
    assert_int_equal(glGetError(), GL_INVALID_VALUE);
    glDeleteShader(shader);
}

/* Includes by an absolute path, relative to the including string, and by the search path in
 * order. */
static void test_paths(void **state)
{
    static const char text[] = HEAD "#include </lib/color>\n#include \"tint\"\n"
                                    "void main() { gl_FragColor = color() * TINT; }\n";
    static const char *const search[] = {"/missing", "/search", "/later"};
    char log[2000];
    set("/lib/color", "#include \"sub/value\"\nvec4 color() { return vec4(VALUE, 1.0); }\n");
    set("/lib/sub/value", "#define VALUE vec3(1.0, 0.5, 1.0)\n");
    set("/search/tint", "#define TINT vec4(0.0, 1.0, 1.0, 1.0)\n");
    set("/later/tint", "#error not this one\n");
    GLuint p = glCreateProgram(), shader = compile(text, 3, search, log);
    glAttachShader(p, shader);
    expect_compiled(shader, true, log);
    gl_test_use(p);
    glRectf(-1, -1, 1, 1);
    expect(1, 1, 0, 0.5f, 1);
    gl_test_delete_program(p);

    expect_compiled(compile(text, 1, search, log), false, log);
    assert_non_null(strstr(log, "tint"));
    expect_compiled(compile(HEAD "#include </lib>\nvoid main() {}\n", 0, NULL, log), false, log);
    /* Includes need the extension. */
    expect_compiled(
        compile("#version 330 compatibility\n#include </lib/sub/value>\nvoid main() {}\n", 0, NULL,
                log),
        false, log);
    /* An error in a string is reported with its line. */
    set("/bad", "float good;\nflot wrong;\n");
    expect_compiled(compile(HEAD "#include </bad>\nvoid main() {}\n", 0, NULL, log), false, log);
    assert_non_null(strstr(log, "/bad:2(1): error"));
    assert_non_null(strstr(log, "flot wrong;\n^\n"));
}

/* Checks that recursive inclusion ends with an error, and that guarded recursion works. */
static void test_recursion(void **state)
{
    char log[2000];
    set("/loop", "#include </loop>\n");
    set("/ping", "#include </pong>\n");
    set("/pong", "#include </ping>\n");
    set("/once", "#ifndef ONCE\n#define ONCE\n#include </once>\nfloat x;\n#endif\n");
    expect_compiled(compile(HEAD "#include </loop>\nvoid main() {}\n", 0, NULL, log), false, log);
    expect_compiled(compile(HEAD "#include </ping>\nvoid main() {}\n", 0, NULL, log), false, log);
    expect_compiled(
        compile(HEAD "#include </once>\n#include </once>\nvoid main() { x; }\n", 0, NULL, log),
        true, log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_recursion),
    };
    return cmocka_run_group_tests(tests, setup, gl_test_teardown);
}
