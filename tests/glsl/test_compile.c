/* SPDX-License-Identifier: MIT */
/* Shaders that compile, shaders that must be rejected, and the locations in error messages. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <talloc.h>

#include "glsl_test.h"
#include "util/strbuf.h"

struct test_case {
    char stage; /* v, f: vertex, fragment; V, F: the same in ES */
    const char *text;
    const char *error; /* part of the log; NULL: compiles */
};

#define MAIN(code) "void main() { " code " }\n"
#define V120       "#version 120\n"
#define V130       "#version 130\n"
#define ES3        "#version 300 es\n"
#define MEDIUM     "precision mediump float;\n"

static const struct test_case cases[] = {
    {'v', MAIN("gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;"), NULL},
    {'f', MAIN("gl_FragColor = vec4(1.0);"), NULL},
    {'F', MEDIUM MAIN("gl_FragColor = vec4(1.0);"), NULL},
    {'F', ES3 MEDIUM "out vec4 c;" MAIN("c = vec4(1.0);"), NULL},
    {'f', "", NULL},
    /* Syntax. */
    {'f', "void main() { float x = ; }", "0:1(25): error: syntax error, unexpected \";\""},
    {'f', "void main() {", "0:1(14): error: syntax error, unexpected end of the shader"},
    {'f', MAIN("goto x;"), "reserved word \"goto\""},
    {'f', "uniform double d;" MAIN(""), "reserved word \"double\""},
    {'f', V120 MAIN("int smooth = 1;"), NULL},
    {'f', V130 MAIN("int smooth = 1;"), "unexpected \"smooth\""},
    /* Implicit conversions by version. */
    {'f', MAIN("float f = 1;"), "cannot initialize"},
    {'f', V120 MAIN("float f = 1;"), NULL},
    {'f', V130 MAIN("uint u = 1;"), "cannot initialize"},
    {'F', MEDIUM MAIN("float f = 1;"), "cannot initialize"},
    /* Declarations and scopes. */
    {'f', MAIN("x = 1;"), "\"x\" is undeclared"},
    {'f', MAIN("int x; int x;"), "already declared in this scope"},
    {'f', MAIN("int x; { float x; }"), NULL},
    {'f', MAIN("int x = 1; { int x = x; }"), NULL},
    {'f', "int gl_foo;" MAIN(""), "reserved prefix"},
    {'f', MAIN("for (int i = 0; i < 3; i++) { int i; }"), "already declared"},
    {'f', MAIN("int i = 0; for (; i < 3; i++) { const int i = 2; }"), NULL},
    {'f', "struct S { float a; }; uniform S s;" MAIN("gl_FragColor = vec4(s.a);"), NULL},
    {'f', "struct S { float a; };" MAIN("float S = 1.0; S += 1.0;"), NULL},
    {'f', "const int n = 2 + 1; uniform float a[n];" MAIN("gl_FragColor = vec4(a[n]);"),
     "out of range"},
    {'f', "uniform int n;" MAIN("float a[n];"), "constant integer expression"},
    {'f', MAIN("float a[-1];"), "greater than zero"},
    {'f', "attribute vec4 a;" MAIN(""), "only allowed in vertex shaders"},
    {'v', "attribute int a;" MAIN("gl_Position = vec4(0.0);"), "vertex shader inputs"},
    {'f', V130 "in int a;" MAIN(""), "must be declared flat"},
    {'f', V130 "flat in int a;" MAIN(""), NULL},
    {'f', "varying sampler2D s;" MAIN(""), "must be uniform"},
    {'F', "float f;" MAIN(""), "no precision specified"},
    {'F', MEDIUM "float f = 1.0; float g = f;" MAIN(""), "constant expression"},
    {'v', V120 "invariant gl_Position;" MAIN("gl_Position = vec4(0.0);"), NULL},
    {'f', "varying vec4 gl_TexCoord[4];" MAIN("gl_FragColor = gl_TexCoord[3];"), NULL},
    {'f', "varying vec4 gl_TexCoord[2];" MAIN("gl_FragColor = gl_TexCoord[3];"), "out of range"},
    /* Assignment. */
    {'f', "uniform float u;" MAIN("u = 1.0;"), "read-only"},
    {'f', "varying vec4 v;" MAIN("v.x = 1.0;"), "read-only"},
    {'f', MAIN("vec4 v; v.xx = vec2(1.0);"), "repeated components"},
    {'f', MAIN("vec4 v; v.zyx.yx = vec2(1.0); v.wzyx[2] = 1.0;"), NULL},
    {'f', MAIN("vec4 v; int i = 1; v.wzyx[i] = 1.0;"), NULL},
    {'f', MAIN("float x; (x + 1.0) = 2.0;"), "not an lvalue"},
    {'f', MAIN("float x; x++ = 2.0;"), "not an lvalue"},
    {'f', MAIN("float a[2], b[2]; a = b;"), "GLSL 1.20"},
    {'f', V120 MAIN("float a[2], b[2]; a = b;"), NULL},
    {'f', MAIN("gl_FragColor = vec4(0.0); gl_FragData[0] = vec4(0.0);"), "another kind"},
    /* Operators. */
    {'f', MAIN("vec3 v = vec3(1.0) * vec2(1.0);"), "operands of '*'"},
    {'f', MAIN("bool b = 1.0 && true;"), "operands of '&&'"},
    {'f', MAIN("int x = 1 % 2;"), "GLSL 1.30"},
    {'f', V130 MAIN("int x = 1 % 2 << 3 & 7; uint u = 3u ^ 1u;"), NULL},
    {'f', MAIN("float x = true ? 1.0 : 2;"), "operands of '?:'"},
    {'f', MAIN("vec4 v = gl_FragCoord.xyzz.rgba.stpq; v += v.w;"), NULL},
    {'f', MAIN("vec4 v; v.xg = vec2(0.0);"), "invalid swizzle"},
    {'f', MAIN("mat3 m; vec3 v = m * m[1] * m * 2.0;"), NULL},
    /* Constructors. */
    {'f', MAIN("vec4 v = vec4(1.0, vec2(2.0));"), "too few components"},
    {'f', MAIN("vec2 v = vec2(vec2(1.0), 2.0);"), "too many arguments"},
    {'f', MAIN("mat3 m = mat3(vec3(1), 2, vec2(3), vec3(4)); vec4 v = vec4(1, true, vec2(2));"),
     NULL},
    {'f', MAIN("float a[2] = float[2](1.0, 2.0);"), "GLSL 1.20"},
    {'f', V120 MAIN("float a[] = float[](1.0, 2.0); int n[a.length()];"), NULL},
    {'f', "struct S { vec2 a; int b; };" MAIN("S s = S(vec2(1.0), 2, 3);"), "takes 2 arguments"},
    /* Functions. */
    {'f', "float f(float x);" MAIN("float y = f(1.0);"), NULL},
    {'f', MAIN("float y = f(1.0);"), "no function named"},
    {'f', "float f(float x) { return x; }" MAIN("float y = f(vec2(1.0));"), "no matching function"},
    {'f', "float f(float x) { return x; } float f(float y) { return y; }" MAIN(""),
     "already defined"},
    {'f', "float f() { }" MAIN(""), "no return statement"},
    {'f', "void f() { return 1; }" MAIN(""), "cannot return a value"},
    {'f', "void f(out float x) { x = 1.0; }" MAIN("f(2.0);"), "lvalue"},
    {'f', "void f(inout vec2 x) { x.y = 1.0; }" MAIN("vec4 v; f(v.wx); f(v.zz);"),
     "repeated components"},
    {'f', "int main() { return 1; }", "main() must return void"},
    {'f', V120 "void f(float a, int b) {} void f(int a, float b) {}" MAIN("f(1, 2);"), "ambiguous"},
    {'F', ES3 MEDIUM "float sin(float x) { return x; }" MAIN(""), "cannot be redeclared"},
    {'f', "float sin(float x) { return 0.0; }" MAIN("float y = sin(1.0);"), NULL},
    /* Statements. */
    {'f', MAIN("if (1) ;"), "scalar boolean"},
    {'f', MAIN("break;"), "outside of a loop"},
    {'v', MAIN("discard;"), "fragment shaders"},
    {'f', MAIN("while (bool b = true) { if (b) break; else continue; } do { } while (false);"),
     NULL},
    {'f', V130 MAIN("switch (1) { case 1: break; case 1: break; default: ; }"), "duplicate case"},
    {'f', V130 MAIN("for (int i = 0; i < 4; i++) switch (i) { case 1: continue; default: break; }"),
     NULL},
    {'f', MAIN("int i = 0; bool b = i++ > 0 && i++ > 1 || (i += 2) > 3;"), NULL},
    /* Layouts and blocks. */
    {'f', V130 "layout(location = 0) out vec4 c;" MAIN("c = vec4(0.0);"), "layout"},
    {'f',
     V130 "#extension GL_ARB_explicit_attrib_location : enable\n"
          "layout(location = 1) out vec4 c;" MAIN("c = vec4(0.0);"),
     NULL},
    {'F', ES3 MEDIUM "layout(std140) uniform B { vec4 a; mat3 m; } b; out vec4 c;" MAIN("c = b.a;"),
     NULL},
    {'f',
     "#extension GL_ARB_fragment_coord_conventions : enable\n"
     "layout(origin_upper_left) in vec4 gl_FragCoord;" MAIN("gl_FragColor = gl_FragCoord;"),
     NULL},
};

static void test_cases(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct test_case *t = &cases[i];
        bool es = t->stage < 'a';
        struct glsl_options options = test_options(es);
        void *mem_ctx = talloc_new(NULL);
        struct glsl_shader *s = glsl_compile(
            mem_ctx, &options, (t->stage | 32) == 'v' ? SHADER_VERTEX : SHADER_FRAGMENT, t->text,
            strlen(t->text));
        assert_non_null(s);
        if (s->compiled != !t->error || (t->error && !strstr(s->info_log, t->error)))
            fail_msg("case %u:\n%s\nexpected: %s\ngot: %s", i, t->text,
                     t->error ? t->error : "success", s->info_log);
        talloc_free(mem_ctx);
    }
}

/* ESSL 1.00 §7.2: elements of gl_FragData are draw buffers. */
static void test_one_draw_buffer(void **state)
{
    struct glsl_options options = test_options(true);
    options.limits.max_draw_buffers = 1;
    for (unsigned i = 0; i < 2; i++) {
        void *mem_ctx = talloc_new(NULL);
        char *text = talloc_asprintf(
            mem_ctx, "void main() { gl_FragData[%u] = vec4(gl_MaxDrawBuffers); }", i);
        struct glsl_shader *s =
            glsl_compile(mem_ctx, &options, SHADER_FRAGMENT, text, strlen(text));
        assert_int_equal(s->compiled, i == 0);
        talloc_free(mem_ctx);
    }
}

/* Checks that a message shows the source line and a caret below the column, also after #line and in
 * macros. */
static void test_message(void **state)
{
    static const char text[] = "#define TWICE(x) (x + x)\n"
                               "#line 40 3\n"
                               "void main() {\n"
                               "\tfloat f = TWICE(nothing);\n"
                               "}\n";
    struct glsl_options options = test_options(false);
    void *mem_ctx = talloc_new(NULL);
    struct glsl_shader *s = glsl_compile(mem_ctx, &options, SHADER_VERTEX, text, strlen(text));
    assert_false(s->compiled);
    static const char expected[] = "3:42(18): error: \"nothing\" is undeclared\n"
                                   "\tfloat f = TWICE(nothing);\n"
                                   "\t                ^\n";
    assert_int_equal(strncmp(s->info_log, expected, strlen(expected)), 0);
    talloc_free(mem_ctx);
}

/* Checks that excessive nesting is an error. */
static void test_nesting(void **state)
{
    static const char *const pieces[] = {"(",  "-",         "{",  "if(true)",
                                         "x=", "true?1.0:", "a[", "1.0+"};
    struct glsl_options options = test_options(false);
    for (unsigned i = 0; i < ARRAY_SIZE(pieces); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct strbuf text = STRBUF_INIT(mem_ctx);
        strbuf_append(&text, "void main() { float x; ");
        for (unsigned k = 0; k < 250000; k++)
            strbuf_printf(&text, "%s ", pieces[i]);
        struct glsl_shader *s =
            glsl_compile(mem_ctx, &options, SHADER_VERTEX, text.data, text.length);
        assert_false(s->compiled);
        assert_non_null(strstr(s->info_log, "nested too deeply"));
        talloc_free(mem_ctx);
    }
}

/* Checks that array sizes of constructors count as nesting. */
static void test_nested_sizes(void **state)
{
    enum { LEVELS = 50000 };
    struct glsl_options options = test_options(false);
    void *mem_ctx = talloc_new(NULL);
    struct strbuf text = STRBUF_INIT(mem_ctx);
    strbuf_append(&text, "#version 330\nvoid main() { int x = ");
    for (unsigned k = 0; k < LEVELS; k++)
        strbuf_append(&text, "int[");
    strbuf_append(&text, "1");
    for (unsigned k = 0; k < LEVELS; k++)
        strbuf_append(&text, "](1)[0]");
    strbuf_append(&text, "; }");
    struct glsl_shader *s = glsl_compile(mem_ctx, &options, SHADER_VERTEX, text.data, text.length);
    assert_false(s->compiled);
    assert_non_null(strstr(s->info_log, "nested too deeply"));
    talloc_free(mem_ctx);
}

/* Checks that 1200 loops may be nested, and no more. */
static void test_nested_loops(void **state)
{
    static const char *const pieces[] = {"for (int i = 0; i < 2; i++) ", "while (x < 3.0) "};
    struct glsl_options options = test_options(false);
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(pieces); i++) {
        const unsigned depth = 1200 + i % 2;
        void *mem_ctx = talloc_new(NULL);
        struct strbuf text = STRBUF_INIT(mem_ctx);
        strbuf_append(&text, "void main() { float x = 0.0; ");
        for (unsigned k = 0; k < depth; k++)
            strbuf_append(&text, pieces[i / 2]);
        strbuf_append(&text, "x += 1.0; }");
        struct glsl_shader *s =
            glsl_compile(mem_ctx, &options, SHADER_VERTEX, text.data, text.length);
        if (s->compiled != (depth == 1200))
            fail_msg("depth %u: %s", depth, s->info_log);
        if (!s->compiled)
            assert_non_null(strstr(s->info_log, "loops and switches are nested too deeply"));
        talloc_free(mem_ctx);
    }
}

/* Checks that a long chain of operators, a deep tree, is an error and does not overflow the
 * stack. */
static void test_chains(void **state)
{
    static const char *const pieces[] = {"+ 1.0", "* x", ", x", "? x : x",
                                         "= x",   "[0]", ".x",  "- -x"};
    struct glsl_options options = test_options(false);
    for (unsigned i = 0; i < ARRAY_SIZE(pieces); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct strbuf text = STRBUF_INIT(mem_ctx);
        strbuf_append(&text, "void main() { float x = 1.0; x");
        for (unsigned k = 0; k < 100000; k++)
            strbuf_append(&text, pieces[i]);
        strbuf_append(&text, "; }");
        struct glsl_shader *s =
            glsl_compile(mem_ctx, &options, SHADER_VERTEX, text.data, text.length);
        assert_int_equal(s->compiled, pieces[i][0] == ',');
        if (!s->compiled)
            assert_non_null(strstr(s->info_log, "nested too deeply"));
        talloc_free(mem_ctx);
    }
}

/* Checks that syntax errors name the expected tokens. */
static void test_syntax_errors(void **state)
{
    static const char *const texts[][2] = {
        {"void main() { float x = 1.0 }", "0:1(29): error: syntax error, unexpected \"}\", "
                                          "expected ',' or ';'"},
        {"void main() { if (true) }", "unexpected \"}\", expected a statement"},
        {"void main() { float x = ; }", "unexpected \";\", expected an expression"},
        {"void main() { f(1.0 2.0); }", "unexpected \"2.0\", expected ')'"},
        {"float float;", "unexpected \"float\", expected a name, ',' or ';'"},
        {"uniform 3;", "unexpected \"3\", expected"},
        {"void main() { goto x; }", "unexpected reserved word \"goto\""},
        {"void main() {", "unexpected end of the shader, expected"},
        {"void main() { while x; }", "unexpected \"x\", expected '('"},
        {"highp vec4 x;", "unexpected \"highp\", expected a declaration"},
        {"void main() { (x)(1.0); }", "unexpected \"(\", expected an operator"},
    };
    struct glsl_options options = test_options(false);
    for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct glsl_shader *s =
            glsl_compile(mem_ctx, &options, SHADER_VERTEX, texts[i][0], strlen(texts[i][0]));
        assert_false(s->compiled);
        if (!strstr(s->info_log, texts[i][1]))
            fail_msg("%s\n--- expected\n%s\n--- got\n%s", texts[i][0], texts[i][1], s->info_log);
        talloc_free(mem_ctx);
    }
}

/* Checks that any bytes are accepted as input. */
static void test_bytes(void **state)
{
    struct glsl_options options = test_options(false);
    uint32_t seed = 1;
    char text[300];
    static const char alphabet[] = "(){}[];,.+-*/%?:=<>!&|^~#\\\n \tabfxif0189eEuv\"'@$\0\377";
    for (unsigned i = 0; i < 3000; i++) {
        for (unsigned k = 0; k < sizeof text; k++) {
            seed = seed * 1664525 + 1013904223;
            text[k] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        struct glsl_shader *s = glsl_compile(NULL, &options, SHADER_FRAGMENT, text, sizeof text);
        assert_non_null(s);
        talloc_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),        cmocka_unit_test(test_one_draw_buffer),
        cmocka_unit_test(test_message),      cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_nested_sizes), cmocka_unit_test(test_nested_loops),
        cmocka_unit_test(test_chains),       cmocka_unit_test(test_syntax_errors),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
