/* SPDX-License-Identifier: MIT */
/* The preprocessor in isolation: its output or error messages. */
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
    const char *text;
    const char *expected; /* output, or, if it starts with "0:", the start of the log */
};

static const struct test_case desktop_cases[] = {
    /* Macros, as in C. */
    {"#define A 1\nA B\n", "1 B\n"},
    {"#define F(x) (x)\nF(1) F (2) F\n", "(1) (2) F\n"},
    {"#define F(x, y) x+y\nF((1,2),3)\n", "(1,2)+3\n"},
    {"#define F() 7\nF()\n", "7\n"},
    {"#define F(x) a x b\nF()\n", "a b\n"},
    {"#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n", "2*9*g\n"},
    {"#define x x y\nx\n", "x y\n"},
    {"#define A B\n#define B A\nA\n", "A\n"},
    {"#define foo(a) a\n#define bar foo\nbar(3)\n", "3\n"},
    {"#version 130\n#define J(a, b) a##b\nJ(x, 1) J(, y)\n", "#version 130\nx1 y\n"},
    {"#version 130\n#define J(a, b) a##b a b\n#define X y\n#define Z w\nJ(X, Z)\n",
     "#version 130\nXZ y w\n"},
    {"#define A 1\n#define A 1\nA\n", "1\n"},
    {"#define A 1\n#undef A\nA\n", "A\n"},
    {"#define F(x) x\nF\n(2)\n", "2\n"},
    {"#define N(x) x\n#define M N(M\nM)\n", "M\n"},
    {"#define f(x) x + f\n#define g f(1)(g\ng)\n", "1 + f(g)\n"},
    {"#define F(x) x\nF(\n1\n)\n", "1\n"},
    /* Conditions. */
    {"#if 1 + 2 * 3 == 7 && !defined(X)\nyes\n#else\nno\n#endif\n", "yes\n"},
    {"#if 0\n#if 1\nno\n#endif\n#elif (1 << 3) == 8\nyes\n#else\nno\n#endif\n", "yes\n"},
    {"#if 1\nyes\n#elif\nno\n#endif\n", "yes\n"},
    {"#ifdef X\nno\n#else\nyes\n#endif\n", "yes\n"},
    {"#define X\n#ifdef X\nyes\n#endif\n", "yes\n"},
    {"#if 0\n@ ' \"\n#bogus\n#endif\nyes\n", "yes\n"},
    {"#if 1 || 1 / 0\nyes\n#endif\n", "yes\n"},
    {"#if undefined_name\nno\n#else\nyes\n#endif\n", "yes\n"},
    /* Comments, line continuations, numbers. */
    {"a/* b\n */c // d\n", "a\nc\n"},
    {"#define A 1 \\\n + 2\nA\n", "1 + 2\n"},
    {"a\\\nb\n", "ab\n"},
    {"1.0e+5 0x1F .5\n", "1.0e+5 0x1F .5\n"},
    {"\n\n__LINE__\n", "3\n"},
    {"#line 9\n__LINE__ __FILE__\n", "#line 9\n10 0\n"},
    {"#line 9 4\n__LINE__ __FILE__\n", "#line 9 4\n10 4\n"},
    {"#version 120\n__VERSION__\n", "#version 120\n120\n"},
    {"# \n#pragma foo bar\nx\n", "#pragma foo bar\nx\n"},
    /* Tokens that span continued lines, and their locations. */
    {"fo\\\r\no 1\\\n2 +\\\n= x\n", "foo\n12\n+=\nx\n"},
    {"#def\\\nine A 5\nA\n", "5\n"},
    {"// c \\\n still\nx\n", "x\n"},
    {"/* \\\n */ __LINE__\n", "2\n"},
    {"a\r\nb\n\rc\rd\n", "a\nb\nc\nd\n"},
    {"0x1e+5 1e+5 1.e-3.x .5.y\n", "0x1e+5 1e+5 1.e-3.x .5.y\n"},
    {"a<<=b>>=c<=d##e\n", "0:1(13): error: unexpected character '#'"},
    /* Expressions. */
    {"#if (1 << 4 | 3) == 0x13 && -7 / 2 == -3 && -7 % 2 == -1 && ~0 == -1\nyes\n#endif\n",
     "yes\n"},
    {"#if 1 ? 2 : 3\n#endif\n", "0:1(7): error: unexpected \"?\" in the expression"},
    {"#if (1\n#endif\n", "0:1(2): error: unexpected end of the expression, expected ')'"},
    {"#if 0 && 1 / 0 || 1\nyes\n#endif\n", "yes\n"},
    {"#if defined(A) == defined B\nyes\n#endif\n", "yes\n"},
    {"#if 1.0\n#endif\n", "0:1(5): error: numbers in directives must be integers"},
    {"#if 1 2\n#endif\n", "0:1(7): error: unexpected \"2\" in the expression"},
    {"#line 1 + 2 (3)\n__LINE__ __FILE__\n", "#line 1 + 2 (3)\n4 3\n"},
    {"#define A 2\n#define B 3\n#line 10 A + B * A\n__LINE__ __FILE__\n",
     "#line 10 A + B * A\n11 8\n"},
    {"#define A 2\n#line A * 5 A << 1 == 4 && A\n__LINE__ __FILE__\n",
     "#line A * 5 A << 1 == 4 && A\n11 1\n"},
    {"#line 1 2 3\n", "0:1(11): error: unexpected \"3\" in the expression"},
    {"#line\n", "0:1(2): error: unexpected end of the expression"},
    /* Pasting. */
    {"#version 130\n#define J(a, b) a##b\nJ(<, <=) J(., 5) J(1, .5) J(=, =)\n",
     "#version 130\n<<= .5 1.5 ==\n"},
    {"#version 130\n#define J(a, b) a##b\nJ(/, /)\n", "0:3(1): error: pasting \"//\""},
    {"#version 130\n#define J(a, b) a##b\nJ(+, x)\n", "0:3(1): error: pasting \"+x\""},
    /* Macros of extensions. */
    {"GL_ARB_draw_buffers\n", "1\n"},
    {"#ifdef GL_ARB_draw_buffers\nyes\n#endif\n", "yes\n"},
    {"#ifdef GL_OES_texture_3D\nno\n#endif\nyes\n", "yes\n"},
    {"#undef GL_ARB_draw_buffers\n", "0:1(2): error: built-in macro"},
    /* Errors. */
    {"\n#error some text\n", "0:2(2): error: #error some text"},
    {"#define A 1\n#define A 2\n", "0:2(9): error: redefinition of macro"},
    {"#define F(x) x\nF(1, 2)\n", "0:2(1): error: macro \"F\" takes 1 arguments, but 2 were given"},
    {"#define F(x) x\nF(1\n", "0:2(1): error: unterminated argument list"},
    {"#if 1\n", "0:1(2): error: unterminated #if"},
    {"#endif\n", "0:1(2): error: #endif without #if"},
    {"#if 1\n#else\n#else\n#endif\n", "0:3(2): error: #else after #else"},
    {"#if\n#endif\n", "0:1(2): error: #if with no expression"},
    {"#if 1 / 0\n#endif\n", "0:1(7): error: division by zero"},
    {"x\n#version 120\n", "0:2(2): error: #version must occur before"},
    {"#version 999\n", "0:1(2): error: GLSL 9.99 is not supported"},
    {"#extension GL_bogus : require\n", "0:1(2): error: extension \"GL_bogus\""},
    {"#extension all : enable\n", "0:1(2): error: \"all\" cannot be used"},
    {"#define GL_foo 1\n", "0:1(9): error: macro names starting with \"GL_\""},
    {"#define defined 1\n", "0:1(9): error: \"defined\" cannot be"},
    {"#bogus\n", "0:1(2): error: unknown directive"},
    {"#define F(a,a) a\n", "0:1(13): error: duplicate macro parameter"},
    {"#define F(a) #a\n", "0:1(14): error: the stringification operator"},
    {"#define F(a) ## a\n", "0:1(14): error: '##'"},
    {"/* never closed\n", "0:1(1): error: unterminated comment"},
    {"a\n  @\n", "0:2(3): error: unexpected character '@'"},
};

static const struct test_case es_cases[] = {
    {"#ifdef GL_ES\nyes\n#endif\n", "yes\n"},
    {"#line 9\n__LINE__\n", "#line 9\n9\n"},
    {"#version 300 es\n__VERSION__\n", "#version 300 es\n300\n"},
    {"#if undefined_name\n#endif\n", "0:1(5): error: undefined macro"},
    {"#if 1 || undefined_name\nyes\n#endif\n", "yes\n"},
    {"#define J(a, b) a##b\n", "0:1(18): error: the token pasting operator"},
};

static void run(const struct test_case *cases, unsigned count, bool es)
{
    struct glsl_options options = test_options(es);
    for (unsigned i = 0; i < count; i++) {
        void *mem_ctx = talloc_new(NULL);
        const struct test_case *t = &cases[i];
        char *log;
        char *out =
            glsl_preprocess(mem_ctx, &options, SHADER_FRAGMENT, t->text, strlen(t->text), &log);
        bool error = !strncmp(t->expected, "0:", 2);
        const char *got = error ? log : out;
        if (!got || (error ? strncmp(got, t->expected, strlen(t->expected)) || out
                           : strcmp(got, t->expected)))
            fail_msg("case %u:\n%s---- expected\n%s\n---- got\n%s\n%s", i, t->text, t->expected,
                     out ? out : "(nothing)", log ? log : "");
        talloc_free(mem_ctx);
    }
}

static void test_desktop(void **state)
{
    run(desktop_cases, ARRAY_SIZE(desktop_cases), false);
}

static void test_es(void **state)
{
    run(es_cases, ARRAY_SIZE(es_cases), true);
}

/* Long chains need no stack; excessive nesting is an error. */
static void test_expressions(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    char *log;
    struct strbuf chain = STRBUF_INIT(mem_ctx), nest = STRBUF_INIT(mem_ctx);
    strbuf_append(&chain, "#if 1");
    for (unsigned i = 0; i < 100000; i++)
        strbuf_append(&chain, " + 1");
    strbuf_append(&chain, " == 100001\nyes\n#endif\n");
    char *out = glsl_preprocess(mem_ctx, &options, SHADER_VERTEX, chain.data, chain.length, &log);
    assert_string_equal(out, "yes\n");
    strbuf_append(&nest, "#if ");
    for (unsigned i = 0; i < 5000; i++)
        strbuf_append_char(&nest, i % 2 ? '(' : '!');
    assert_null(glsl_preprocess(mem_ctx, &options, SHADER_VERTEX, nest.data, nest.length, &log));
    assert_non_null(strstr(log, "nested too deeply"));
    talloc_free(mem_ctx);
}

/* The line after #error is not part of it. */
static void test_error(void **state)
{
    static const char text[] = "#if 1\n#error x\n#endif\n";
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    char *log;
    assert_null(glsl_preprocess(mem_ctx, &options, SHADER_VERTEX, text, sizeof text - 1, &log));
    assert_non_null(strstr(log, "#error x"));
    assert_null(strstr(log, "unterminated"));
    talloc_free(mem_ctx);
}

/* NUL bytes are ordinary invalid characters, and do not slow down comments. */
static void test_nul_bytes(void **state)
{
    enum { LENGTH = 1 << 20 };
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    char *log, *text = talloc_zero_size(mem_ctx, LENGTH);
    memcpy(text, "a //", 4);
    memcpy(text + LENGTH / 2, "\nb /*", 5);
    memcpy(text + LENGTH - 4, "*/c", 3);
    char *out = glsl_preprocess(mem_ctx, &options, SHADER_VERTEX, text, LENGTH - 1, &log);
    assert_string_equal(out, "a\nb c\n");
    memcpy(text, "#error x\0y", 10);
    assert_null(glsl_preprocess(mem_ctx, &options, SHADER_VERTEX, text, 10, &log));
    assert_null(glsl_preprocess(mem_ctx, &options, SHADER_VERTEX, "a\0b", 3, &log));
    assert_non_null(strstr(log, "0:1(2): error: unexpected character '?' (0x00)"));
    talloc_free(mem_ctx);
}

/* Macro expansion without bound ends with an error. */
static void test_bomb(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    char *text = talloc_strdup(mem_ctx, "#define a0 x\n"), *log;
    for (unsigned i = 0; i < 40; i++)
        text = talloc_asprintf_append(text, "#define a%u a%u a%u\n", i + 1, i, i);
    text = talloc_asprintf_append(text, "a40\n");
    assert_null(glsl_preprocess(mem_ctx, &options, SHADER_VERTEX, text, strlen(text), &log));
    assert_non_null(strstr(log, "too many tokens"));
    talloc_free(mem_ctx);
}

static void test_paths(void **state)
{
    (void)state;
    assert_true(glsl_path_is_below("/a", "/a/b"));
    assert_true(glsl_path_is_below("/", "/a"));
    assert_false(glsl_path_is_below("/", "/"));
    assert_false(glsl_path_is_below("/a", "/a"));
    assert_false(glsl_path_is_below("/a", "/ab"));
    assert_false(glsl_path_is_below("/a/b", "/a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_desktop),     cmocka_unit_test(test_es),
        cmocka_unit_test(test_expressions), cmocka_unit_test(test_error),
        cmocka_unit_test(test_nul_bytes),   cmocka_unit_test(test_bomb),
        cmocka_unit_test(test_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
