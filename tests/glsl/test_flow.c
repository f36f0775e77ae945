/* SPDX-License-Identifier: MIT */
/* Checks the varyings that remain after the linker has optimized both sides of an interface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include <talloc.h>

#include "glsl_test.h"
#include "nir/nir.h"

#define V "#version 460\n"

struct flow_case {
    const char *vertex, *fragment;
    const char *outputs, *inputs; /* names in slot order: "a b[1] " */
    const char *says;             /* text to find in the printed fragment shader; NULL: none */
};

static const struct flow_case cases[] = {
    /* Unread elements. */
    {V "in vec4 p; out vec4 a[4]; void main() { gl_Position = p;"
       "for (int i = 0; i < 4; i++) a[i] = p * float(i + 1); }",
     V "in vec4 a[4]; out vec4 c; void main() { c = a[1] + a[3]; }", "a[1] a[3] ", "a[1] a[3] ",
     NULL},
    /* Struct members, matrix columns. */
    {V "in vec4 p; struct S { vec3 x; float y[2]; mat2 m; }; out S s;"
       "void main() { gl_Position = p; s.x = p.xyz; s.y[0] = p.x; s.y[1] = p.y; s.m = mat2(p); }",
     V "struct S { vec3 x; float y[2]; mat2 m; }; in S s; out vec4 c;"
       "void main() { c = vec4(s.y[1], s.m[1], s.x.y); }",
     "packed0.0 packed0.1 ", "packed0.0 packed0.1 ", NULL},
    /* Scalars share slots if that saves some. */
    {V "in vec4 p; out float a[5]; out vec4 b; void main() { gl_Position = p; b = p;"
       "for (int i = 0; i < 5; i++) a[i] = p.x * float(i + 1); }",
     V "in float a[5]; in vec4 b; out vec4 c; void main() { c = b * a[4];"
       "for (int i = 0; i < 4; i++) c[i] += a[i]; }",
     "b packed0.0 packed0.1 ", "b packed0.0 packed0.1 ", NULL},
    /* Two vec3s take two slots, packed or not. So do inputs with different interpolation. */
    {V "in vec4 p; out vec3 a, b; void main() { gl_Position = p; a = p.xyz; b = p.yzw; }",
     V "in vec3 a, b; out vec4 c; void main() { c = vec4(a + b, 1); }", "a b ", "a b ", NULL},
    {V "in vec4 p; out float a; noperspective out float b; void main() { gl_Position = p;"
       "a = p.x; b = p.y; }",
     V "in float a; noperspective in float b; out vec4 c; void main() { c = vec4(a + b); }", "a b ",
     "a b ", NULL},
    /* An input that is indexed with a variable is not copied. */
    {V "in vec4 p; out float a[3]; void main() { gl_Position = p;"
       "for (int i = 0; i < 3; i++) a[i] = p.x * float(i + 1); }",
     V "uniform int i; in float a[3]; out vec4 c; void main() { c = vec4(a[i]); }", "a ", "a ",
     NULL},
    /* A dynamic index keeps the whole array. */
    {V "in vec4 p; out vec4 a[3]; void main() { gl_Position = p;"
       "for (int i = 0; i < 3; i++) a[i] = p * float(i + 1); }",
     V "uniform int i; in vec4 a[3]; out vec4 c; void main() { c = a[i]; }", "a ", "a ", NULL},
    /* Constants are created where they are read, also with an index. */
    {V "in vec4 p; out vec4 a; flat out int n; out float x; void main() { gl_Position = p;"
       "a = vec4(1, 2, 3, 4); n = 77; x = p.x; }",
     V "in vec4 a; flat in int n; in float x; out vec4 c; void main() { c = a + vec4(n) * x; }",
     "x ", "x ", "77"},
    {V "in vec4 p; out float a[3]; void main() { gl_Position = p; a = float[3](1.5, 2.5, 3.5); }",
     V "uniform int i; in float a[3]; out vec4 c; void main() { c = vec4(a[i]); }", "", "", "2.5"},
    /* Values that differ between paths are not constant; equal values on all paths are. */
    {V "in vec4 p; out float a, b; void main() { gl_Position = p; b = 2.0;"
       "if (p.x > 0.0) a = 1.0; else a = 0.5; }",
     V "in float a, b; out vec4 c; void main() { c = vec4(a, b, 0, 0); }", "a ", "a ", NULL},
    /* A component that is not constant, but not read, does not matter. */
    {V "in vec4 p; out vec2 a; void main() { gl_Position = p; a = vec2(3.0, p.x); }",
     V "in vec2 a; out vec4 c; void main() { c = vec4(a.x); }", "", "", "3"},
    /* interpolateAtOffset needs the varying. */
    {V "in vec4 p; out vec2 a; void main() { gl_Position = p; a = vec2(3.0); }",
     V "in vec2 a; out vec4 c; void main() { c = vec4(interpolateAtOffset(a, vec2(0.25)), 0, 0); }",
     "a ", "a ", NULL},
    /* Explicit locations do not change. */
    {V "in vec4 p; layout(location = 3) out vec4 a[3]; void main() { gl_Position = p;"
       "for (int i = 0; i < 3; i++) a[i] = p * float(i + 1); }",
     V "layout(location = 3) in vec4 z[3]; out vec4 c; void main() { c = z[2]; }", "a[2] ", "z[2] ",
     NULL},
};

/* Links a program; a NULL text means that the stage is absent. */
static struct glsl_program *link_stages(void *mem_ctx, const struct glsl_options *options,
                                        const char *const texts[SHADER_STAGE_COUNT], bool separable)
{
    struct glsl_shader *shaders[SHADER_STAGE_COUNT];
    struct glsl_link_input input = {.shaders = shaders, .separable = separable};
    struct glsl_program *p;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!texts[s])
            continue;
        struct glsl_shader *shader = glsl_compile(mem_ctx, options, s, texts[s], strlen(texts[s]));
        if (!shader->compiled)
            print_message("%s", shader->info_log);
        assert_true(shader->compiled);
        shaders[input.num_shaders++] = shader;
    }
    p = glsl_link(mem_ctx, options, &input);
    if (!p->linked)
        print_message("%s", p->info_log);
    assert_true(p->linked);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (p->nir[s])
            nir_validate_shader(p->nir[s], "after linking");
    }
    return p;
}

static struct glsl_program *link_program(void *mem_ctx, const struct glsl_options *options,
                                         const char *vertex, const char *fragment, bool separable)
{
    const char *const texts[SHADER_STAGE_COUNT] = {
        [SHADER_VERTEX] = vertex, [SHADER_FRAGMENT] = fragment};
    return link_stages(mem_ctx, options, texts, separable);
}

/* Returns the names of the user-defined varyings in slot order. */
static char *names(void *mem_ctx, const nir_shader *nir, nir_variable_mode mode)
{
    char *text = talloc_strdup(mem_ctx, "");
    for (int slot = VARYING_SLOT_VAR0; slot < VARYING_SLOT_VAR0 + 32; slot++) {
        nir_foreach_variable_with_modes (var, nir, mode) {
            if (var->data.location == slot)
                text = talloc_asprintf_append(text, "%s ", var->name);
        }
    }
    return text;
}

static void test_cases(void **state)
{
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct flow_case *c = &cases[i];
        void *mem_ctx = talloc_new(NULL);
        struct glsl_options options = test_options(false);
        options.max_version = 460;
        struct glsl_program *p = link_program(mem_ctx, &options, c->vertex, c->fragment, false);
        assert_string_equal(names(mem_ctx, p->nir[SHADER_VERTEX], nir_var_shader_out), c->outputs);
        assert_string_equal(names(mem_ctx, p->nir[SHADER_FRAGMENT], nir_var_shader_in), c->inputs);
        if (c->says) {
            char *text = NULL;
            size_t size;
            FILE *fp = open_memstream(&text, &size);
            nir_print_shader(p->nir[SHADER_FRAGMENT], fp);
            fclose(fp);
            assert_non_null(strstr(text, c->says));
            free(text);
        }
        talloc_free(mem_ctx);
    }
}

/* If there are more scalars than slots, four share a slot. */
static void test_crowded(void **state)
{
    enum { COUNT = 48 };
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    char *vertex = talloc_strdup(mem_ctx, V "in vec4 p; "), *assign = talloc_strdup(mem_ctx, "");
    char *fragment = talloc_strdup(mem_ctx, V "out vec4 c; "), *sum = talloc_strdup(mem_ctx, "0.0");
    char *packed = talloc_strdup(mem_ctx, "");

    options.max_version = 460;
    for (unsigned i = 0; i < COUNT; i++) {
        vertex = talloc_asprintf_append(vertex, "out float v%u; ", i);
        fragment = talloc_asprintf_append(fragment, "in float v%u; ", i);
        assign = talloc_asprintf_append(assign, "v%u = p.x + %u.0; ", i, i);
        sum = talloc_asprintf_append(sum, " + v%u", i);
        if (i % 4 == 0)
            packed = talloc_asprintf_append(packed, "packed0.%u ", i / 4);
    }
    vertex = talloc_asprintf_append(vertex, "void main() { gl_Position = p; %s}", assign);
    fragment = talloc_asprintf_append(fragment, "void main() { c = vec4(%s); }", sum);
    struct glsl_program *p = link_program(mem_ctx, &options, vertex, fragment, false);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_VERTEX], nir_var_shader_out), packed);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_FRAGMENT], nir_var_shader_in), packed);
    talloc_free(mem_ctx);
}

/* Scalars also share slots in arrays of blocks that a geometry shader reads with dynamic indices,
 * and in its outputs. Full vec4s and inputs of interpolateAt* are not packed. */
static void test_crowded_geometry(void **state)
{
    static const char *const texts[SHADER_STAGE_COUNT] = {
        [SHADER_VERTEX] = V "in vec4 p; out B { float f[60]; vec3 g; } o; void main() {"
                            "gl_Position = p; o.g = p.xyz;"
                            "for (int i = 0; i < 60; i++) o.f[i] = p.x * float(i); }",
        [SHADER_GEOMETRY] =
            V "layout(lines) in; layout(points, max_vertices = 2) out; uniform int n;"
              "in B { float f[60]; vec3 g; } i[]; out vec4 whole; out float x[40], at;"
              "flat out int k[3];"
              "void main() { for (int v = 0; v < 2; v++) { gl_Position = gl_in[v].gl_Position;"
              "whole = gl_Position * i[v].f[n]; at = i[v].g.y;"
              "for (int e = 0; e < 3; e++) k[e] = int(i[v].f[e]);"
              "for (int e = 0; e < 40; e++) x[e] = i[v].f[e + 2];"
              "EmitVertex(); } }",
        [SHADER_FRAGMENT] =
            V "in vec4 whole; in float x[40], at; flat in int k[3]; uniform int n; out vec4 c;"
              "void main() { c = whole * x[n] + vec4(interpolateAtOffset(at, vec2(0.25)))"
              "+ vec4(k[n]); }",
    };
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    options.max_version = 460;
    struct glsl_program *p = link_stages(mem_ctx, &options, texts, false);
    char *packed = talloc_strdup(mem_ctx, ""),
         *whole = talloc_strdup(mem_ctx, "whole at packed0.0 ");
    for (unsigned i = 0; i < 16; i++)
        packed = talloc_asprintf_append(packed, "packed0.%u ", i);
    for (unsigned i = 0; i < 10; i++)
        whole = talloc_asprintf_append(whole, "packed1.%u ", i);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_VERTEX], nir_var_shader_out), packed);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_GEOMETRY], nir_var_shader_in), packed);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_GEOMETRY], nir_var_shader_out), whole);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_FRAGMENT], nir_var_shader_in), whole);
    nir_foreach_variable_with_modes (var, p->nir[SHADER_FRAGMENT], nir_var_shader_in) {
        bool flat = !strcmp(var->name, "packed0.0");
        assert_int_equal(var->data.interpolation == INTERP_MODE_FLAT, flat);
    }
    talloc_free(mem_ctx);
}

/* Inputs become flat if all vertices have the same value. */
static void test_flat(void **state)
{
    static const struct {
        bool flat;
        const char *code; /* of the vertex shader, assigns a */
    } flat_cases[] = {
        {true, "a = u.xy;"},
        {true, "a = vec2(blk[k].x, texture(t[1], u.zw * 2.0).y);"},
        {true, "if (k > 1) a = u.xy; else a = u.zw;"},
        {true, "a = vec2(0); for (int i = 0; i < 3; i++) a += u.xy * float(i);"},
        {false, "a = p.xy;"},
        {false, "a = u.xy * float(gl_VertexID);"},
        {false, "a = u.xy; if (p.x > 0.0) a = u.zw;"},
        {false, "if (k > 1) { if (p.x > 0.0) a = u.zw; else a = u.xy; }"},
        {false, "a = texture(t[0], p.xy).xy;"},
        {false, "a = b.xy;"},
        {false, "if (p.x > 0.0) { gl_Position = p; return; } a = u.xy;"},
        {false, "imageStore(g, ivec2(0), u); a = texture(t[0], u.xy).xy;"},
    };
    static const char fragment[] =
        V "in vec2 a; in vec4 w; out vec4 c; void main() { c = vec4(a, 0, 1) + w; }";
    static const char interpolated[] =
        V "in vec2 a; in vec4 w; out vec4 c;"
          "void main() { c = interpolateAtOffset(a, vec2(0.25)).xyxy + w; }";
    struct glsl_options options = test_options(false);
    options.max_version = 460;
    for (unsigned i = 0; i <= ARRAY_SIZE(flat_cases); i++) {
        bool last = i == ARRAY_SIZE(flat_cases);
        void *mem_ctx = talloc_new(NULL);
        char *vertex =
            talloc_asprintf(mem_ctx,
                            V "in vec4 p; out vec2 a; out vec4 w; uniform vec4 u; uniform int k;"
                              "uniform sampler2D t[2]; layout(rgba8) writeonly uniform image2D g;"
                              "layout(std140) uniform B { vec4 blk[4]; }; buffer S { vec4 b; };"
                              "void main() { w = p; %s gl_Position = p; }",
                            flat_cases[last ? 0 : i].code);
        struct glsl_program *p =
            link_program(mem_ctx, &options, vertex, last ? interpolated : fragment, false);
        unsigned found = 0;
        nir_foreach_variable_with_modes (var, p->nir[SHADER_FRAGMENT], nir_var_shader_in) {
            bool flat = var->data.interpolation == INTERP_MODE_FLAT;
            found += !strcmp(var->name, "a") || !strcmp(var->name, "w");
            if (flat != (!strcmp(var->name, "a") && !last && flat_cases[i].flat))
                fail_msg("case %u: %s is %sflat", i, var->name, flat ? "" : "not ");
        }
        assert_int_equal(found, 2);
        talloc_free(mem_ctx);
    }
}

/* Front colors become flat, too, unless there are back colors. So do outputs of tessellation
 * evaluation shaders that depend only on the patch. */
static void test_flat_stages(void **state)
{
    static const char *const texts[][SHADER_STAGE_COUNT] = {
        {[SHADER_VERTEX] = "#version 120\nuniform vec4 u; void main() { gl_FrontColor = u;"
                           "gl_Position = gl_Vertex; }",
         [SHADER_FRAGMENT] = "#version 120\nvoid main() { gl_FragColor = gl_Color; }"},
        {[SHADER_VERTEX] = "#version 120\nuniform vec4 u; void main() { gl_FrontColor = u;"
                           "gl_BackColor = u.wzyx; gl_Position = gl_Vertex; }",
         [SHADER_FRAGMENT] = "#version 120\nvoid main() { gl_FragColor = gl_Color; }"},
        {[SHADER_VERTEX] = V "in vec4 p; void main() { gl_Position = p; }",
         [SHADER_TESS_EVAL] = V "layout(quads) in; patch in vec4 of; out vec4 a;"
                                "void main() { a = of.wzyx; gl_Position = gl_in[0].gl_Position; }",
         [SHADER_TESS_CTRL] =
             V "layout(vertices = 4) out; patch out vec4 of;"
               "void main() { of = gl_in[0].gl_Position; gl_TessLevelOuter[0] = 2.0;"
               "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }",
         [SHADER_FRAGMENT] = V "in vec4 a; out vec4 c; void main() { c = a; }"},
        {[SHADER_VERTEX] = V "in vec4 p; void main() { gl_Position = p; }",
         [SHADER_TESS_EVAL] = V "layout(quads) in; out vec4 a; void main() {"
                                "a = gl_TessCoord.xyzx; gl_Position = gl_in[0].gl_Position; }",
         [SHADER_FRAGMENT] = V "in vec4 a; out vec4 c; void main() { c = a; }"},
    };
    static const bool flat[] = {true, false, true, false};
    struct glsl_options options = test_options(false);
    options.max_version = 460;
    for (unsigned i = 0; i < ARRAY_SIZE(texts); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct glsl_program *p = link_stages(mem_ctx, &options, texts[i], false);
        unsigned found = 0;
        nir_foreach_variable_with_modes (var, p->nir[SHADER_FRAGMENT], nir_var_shader_in) {
            assert_int_equal(var->data.interpolation == INTERP_MODE_FLAT, flat[i]);
            found++;
        }
        assert_int_equal(found, 1);
        talloc_free(mem_ctx);
    }
}

/* A separable program must not change its interface, because another program may have the other
 * stage. */
static void test_separable(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    options.max_version = 460;
    struct glsl_program *p =
        link_program(mem_ctx, &options, cases[0].vertex, cases[0].fragment, true);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_VERTEX], nir_var_shader_out), "a ");
    p = link_program(mem_ctx, &options, cases[2].vertex, cases[2].fragment, true);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_VERTEX], nir_var_shader_out), "b a ");
    talloc_free(mem_ctx);
}

/* Captured varyings must not change. */
static void test_captured(void **state)
{
    static const char *const varyings[] = {"a[2]"};
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = test_options(false);
    options.max_version = 460;
    const char *texts[] = {cases[0].vertex, cases[0].fragment};
    struct glsl_shader *shaders[] = {
        glsl_compile(mem_ctx, &options, SHADER_VERTEX, texts[0], strlen(texts[0])),
        glsl_compile(mem_ctx, &options, SHADER_FRAGMENT, texts[1], strlen(texts[1])),
    };
    struct glsl_link_input input = {
        .shaders = shaders, .num_shaders = 2, .xfb_varyings = varyings, .num_xfb_varyings = 1};
    struct glsl_program *p = glsl_link(mem_ctx, &options, &input);
    assert_true(p->linked);
    assert_string_equal(names(mem_ctx, p->nir[SHADER_VERTEX], nir_var_shader_out), "a ");
    talloc_free(mem_ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_crowded_geometry),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_flat_stages),
        cmocka_unit_test(test_separable),
        cmocka_unit_test(test_captured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
