/* SPDX-License-Identifier: MIT */
/*
 * Messages of the compiler: it reports all syntax errors of a shader and no consequential errors,
 * suggests similar names, and warns about features of extensions enabled with `warn`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <talloc.h>

#include "glsl_test.h"

/* Finds one string, /s. */
static enum glsl_include_result find_string(void *data, const char *path, const char **text,
                                            size_t *length)
{
    if (strcmp(path, "/s") != 0)
        return GLSL_INCLUDE_NOT_FOUND;
    *text = data;
    *length = strlen(data);
    return GLSL_INCLUDE_FOUND;
}

/* Returns the log of a fragment shader that may include `included` (NULL: nothing). */
static const char *compile(void *mem_ctx, const char *text, const char *included)
{
    static const char *const root[] = {"/"};
    struct glsl_includes includes = {root, 1, find_string, (void *)included};
    struct glsl_options o = test_options(false);
    o.max_version = 460;
    return glsl_compile_with(mem_ctx, &o, included ? &includes : NULL, SHADER_FRAGMENT, text,
                             strlen(text))
        ->info_log;
}

static unsigned count(const char *log, const char *what)
{
    unsigned n = 0;
    while ((log = strstr(log, what))) {
        log += strlen(what);
        n++;
    }
    return n;
}

/* The lines with errors; there must be no others. */
static const struct {
    const char *text;
    const char *lines[4];
} recoveries[] = {
    {"int a\nint b;\nint c d;\nvoid main() { int x = ; }\n", {"0:2(", "0:3(", "0:4("}},
    /* Statements. */
    {"void main()\n{\nint x = ;\nx = 1 2;\nif (x {\n}\nelse { x = 2; }\n x = 3; }",
     {"0:3(", "0:4(", "0:5("}},
    {"void main() {\nfor (int i = 0 i < 3; i++) { i; }\nfor (;;;) ;\n}\nint y = ;",
     {"0:2(", "0:3(", "0:5("}},
    {"void main() {\nvec4 a[2] = { 1, , 2 };\ndo ; while 3;\n}", {"0:2(", "0:3("}},
    /* Members. */
    {"struct S {\nint a b;\nfloat;\nint c;\n};\nvoid main() {\nS s; s.c = ;\n}",
     {"0:2(", "0:3(", "0:7("}},
    {"uniform B {\nint a\n} b;\nvoid main() { b.a; }\n int z = ;", {"0:3(", "0:5("}},
    {"strct S { int a; } s, t[2];\nvoid main() { = 1; }", {"0:1(", "0:2("}},
    /* Braces. */
    {"void main() { }\n}\nvoid f() {\n1 2;\n}", {"0:2(", "0:4("}},
    {"void main(\n{ int a; { a = 1; } }\nvoid f() {\n}\nint 3;", {"0:2(", "0:5("}},
    {"void main() {\nif (true) { ) }\n+; }", {"0:2(", "0:3("}},
    {"void main() {\nint a = (3;\na = 3);\n", {"0:2(", "0:3(", "0:4("}},
};

static void test_recovery(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(recoveries); i++) {
        void *mem_ctx = talloc_new(NULL);
        const char *log = compile(mem_ctx, recoveries[i].text, NULL);
        unsigned expected = 0;
        for (; expected < 4 && recoveries[i].lines[expected]; expected++)
            if (!strstr(log, recoveries[i].lines[expected]))
                fail_msg("%s\n--- lacks %s:\n%s", recoveries[i].text, recoveries[i].lines[expected],
                         log);
        if (count(log, "error:") != expected)
            fail_msg("%s\n--- has more:\n%s", recoveries[i].text, log);
        talloc_free(mem_ctx);
    }
}

/* The number of errors is limited. */
static void test_many(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    char *text = talloc_strdup(mem_ctx, "void main() {\n");
    for (unsigned i = 0; i < 1000; i++)
        text = talloc_strdup_append(text, "int = ;\n");
    assert_in_range(count(compile(mem_ctx, text, NULL), "error:"), 5, 20);
    talloc_free(mem_ctx);
}

static const struct {
    const char *text, *included, *message; /* NULL: no message */
} messages[] = {
    {"uniform vec4 colour; void main() { gl_FragColor = color; }", NULL,
     "\"color\" is undeclared, did you mean \"colour\"?"},
    {"void main() { gl_FragColor = normalise(vec4(1)); }", NULL, "did you mean \"normalize\"?"},
    {"vce4 f() { return vec4(1); } void main() {}", NULL,
     "unknown type \"vce4\", did you mean \"vec4\"?"},
    {"struct S { float height; }; uniform S s; void main() { s.hieght; }", NULL,
     "did you mean \"height\"?"},
    {"#version 330\nlayout(lcation = 0) out vec4 c; void main() {}", NULL,
     "did you mean \"location\"?"},
    {"#edif\nvoid main() {}", NULL, "did you mean \"endif\"?"},
    {"#version 150\n#extension GL_ARB_gpu_shadr5 : require\nvoid main() {}", NULL,
     "did you mean \"GL_ARB_gpu_shader5\"?"},
    {"void main() { xyzzy(1); }", NULL, "no function named \"xyzzy\"\n"},
    /* #extension with warn. */
    {"#version 330\n#extension GL_ARB_gpu_shader5 : warn\nout vec4 c;"
     "void main() { c = vec4(bitCount(1)); }",
     NULL, "warning: \"bitCount\" is only available with extension GL_ARB_gpu_shader5"},
    {"#version 330\n#extension GL_ARB_gpu_shader5 : enable\nout vec4 c;"
     "void main() { c = vec4(bitCount(1)); }",
     NULL, NULL},
    {"#version 400\n#extension GL_ARB_gpu_shader5 : warn\nout vec4 c;"
     "void main() { c = vec4(bitCount(1)); }",
     NULL, NULL},
    {"#version 330\n#extension GL_ARB_gpu_shader_fp64 : warn\nvoid main() { double d; }", NULL,
     "warning: \"double\" is only available with extension GL_ARB_gpu_shader_fp64"},
    {"#version 330\n#extension GL_ARB_sample_shading : warn\nout vec4 c;"
     "void main() { c = vec4(gl_SampleID); }",
     NULL, "warning: \"gl_SampleID\" is only available with extension GL_ARB_sample_shading"},
    {"#version 330\n#extension GL_ARB_explicit_uniform_location : warn\n"
     "layout(location = 1) uniform vec4 x; void main() {}",
     NULL, NULL}, /* GLSL 3.30 has the keyword itself */
    {"#version 150\n#extension GL_ARB_explicit_attrib_location : warn\n"
     "layout(location = 1) out vec4 x; void main() { x = vec4(1); }",
     NULL,
     "warning: \"location\" is only available with extension GL_ARB_explicit_attrib_location"},
/* #include */
#define INCLUDE "#version 330\n#extension GL_ARB_shading_language_include : enable\n"
    {INCLUDE "#include \"/s\" // why\nvoid main() {}", "int a;", NULL},
    {INCLUDE "#include /* a */ </s> /* b */ /* c */ \nvoid main() {}", "int a;", NULL},
    {INCLUDE "#include \"/s\" /* b\n*/\nvoid main() {}", "int a;", "and nothing else"},
    {INCLUDE "#include \"/s\" x\nvoid main() {}", "int a;", "and nothing else"},
    {INCLUDE "#include \"/s\nvoid main() {}", "int a;", "and nothing else"},
    {INCLUDE "#include\nvoid main() {}", "int a;", "and nothing else"},
    {INCLUDE "#include \"/s\"\nvoid main() {}", "#if 1\n", ":1(2): error: unterminated #if"},
    {INCLUDE "#if 1\n#include \"/s\"\n#endif\nvoid main() {}", "#endif\n", "#endif without #if"},
    {INCLUDE "#if 1\n#include \"/s\"\n#endif\nvoid main() {}", "#else\n", "#else without #if"},
    {INCLUDE "#if 1\n#include \"/s\"\n#endif\nvoid main() {}", "#elif 1\n", "#elif without #if"},
    {INCLUDE "#if 1\n#include \"/s\"\n#endif\nvoid main() {}", "#if 0\n#else\n#endif\n", NULL},
};

static void test_messages(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(messages); i++) {
        void *mem_ctx = talloc_new(NULL);
        const char *log = compile(mem_ctx, messages[i].text, messages[i].included);
        if (messages[i].message ? !strstr(log, messages[i].message) : *log)
            fail_msg("%s\n--- expected: %s\n--- got: %s", messages[i].text,
                     messages[i].message ? messages[i].message : "nothing", log);
        talloc_free(mem_ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
