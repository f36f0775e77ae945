/* SPDX-License-Identifier: MIT */
/*
 * Links programs with all stages: checks matching between shaders and stages, the lists of the
 * program, and that the NIR is valid. Each case is a few shaders and part of the expected error, or
 * NULL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>
#include <talloc.h>

#include "glsl_test.h"
#include "indium/driver.h"

#define V      "#version 450\n"
#define COMPAT "#version 450 compatibility\n"

struct shader_text {
    char stage; /* v, c, e, g, f, k (compute), t (task), m (mesh) */
    const char *text;
};

struct link_case {
    struct shader_text shaders[5];
    const char *error; /* part of the log; NULL: links */
};

#define FLOATS "vec4 f(float x, int y, float z) { return vec4(1.0); }"
/* Task and mesh shaders. */
#define MESH     V "#extension GL_EXT_mesh_shader : require\n"
#define GROUP    MESH "layout(local_size_x = 4) in;\n"
#define TRIANGLE GROUP "layout(triangles, max_vertices = 3, max_primitives = 1) out;\n"

#define INT_Z "vec4 f(float x, int y, int z) { return vec4(0.5); }"
#define CALL  "vec4 f(int x, int y, int z); void main() { gl_Position = f(0, 1, 2); }"

static const struct link_case cases[] = {
    /* Functions of other shaders: implicit conversions from GLSL 1.20 on, the best of several
     * candidates from 4.00 on or with GL_ARB_gpu_shader5. */
    {{{'v', "#version 110\n" FLOATS}, {'v', "#version 110\n" CALL}}, "unresolved reference"},
    {{{'v', "#version 120\n" FLOATS}, {'v', "#version 120\n" CALL}}, NULL},
    {{{'v', "#version 150\n" FLOATS INT_Z}, {'v', "#version 150\n" CALL}}, "unresolved reference"},
    {{{'v', "#version 400\n" FLOATS INT_Z}, {'v', "#version 400\n" CALL}}, NULL},
    {{{'v', "#version 400\n" FLOATS}, {'v', "#version 400\n" INT_Z}, {'v', "#version 400\n" CALL}},
     NULL},
    {{{'v', "#version 120\nvec4 f(bool x, int y, int z) { return vec4(1.0); }"},
      {'v', "#version 120\n" CALL}},
     "unresolved reference"},
    /* Struct members that match by location, and block members. */
    {{{'v', V "struct S { vec4 a; vec2 b; }; layout(location = 0) out S s;"
              "void main() { s = S(vec4(0), vec2(0)); }"},
      {'f', V "struct T { vec4 a; vec2 b; }; layout(location = 0) in T s; out vec4 c;"
              "void main() { c = s.a + s.b.xyxy; }"}},
     NULL},
    {{{'v', V "struct S { vec4 a; vec2 b; }; layout(location = 0) out S s;"
              "void main() { s = S(vec4(0), vec2(0)); }"},
      {'f', V "struct T { vec4 a; vec3 b; }; layout(location = 0) in T s; out vec4 c;"
              "void main() { c = s.a + s.b.xyxy; }"}},
     "has type"},
    {{{'v', V "struct S { vec4 a; vec2 b; }; layout(location = 0) out S s;"
              "void main() { s = S(vec4(0), vec2(0)); }"},
      {'f', V "struct T { vec4 a; vec2 d; }; layout(location = 0) in T s; out vec4 c;"
              "void main() { c = s.a + s.d.xyxy; }"}},
     "has type"},
    {{{'v', V "out B { vec4 a; } b; void main() { b.a = vec4(0); }"},
      {'f', V "in B { vec4 a; } x; out vec4 c; void main() { c = x.a; }"}},
     NULL},
    {{{'v', V "out B { vec4 a; } b; void main() { b.a = vec4(0); }"},
      {'f', V "in B { vec3 a; } b; out vec4 c; void main() { c = b.a.xyzx; }"}},
     "do not match"},
    {{{'v', V "out B { vec4 a; } b; void main() { b.a = vec4(0); }"},
      {'f', V "in B { vec4 d; } b; out vec4 c; void main() { c = b.d; }"}},
     "do not match"},
    {{{'v', V "out B { vec4 a; } b; void main() { b.a = vec4(0); }"},
      {'f', V "in B { vec4 a; vec4 d; } b; out vec4 c; void main() { c = b.a; }"}},
     "do not match"},
    {{{'v', V "out B { vec4 a; } b[2]; void main() { b[0].a = b[1].a = vec4(0); }"},
      {'f', V "in B { vec4 a; } b[3]; out vec4 c; void main() { c = b[0].a; }"}},
     "do not match"},
    /* gl_ClipVertex excludes the distances in all stages before rasterization (GLSL 4.60
     * §7.1.7). */
    {{{'v', COMPAT "void main() { gl_Position = gl_ClipVertex = gl_Vertex;"
                   " gl_ClipDistance[0] = 1.0; }"}},
     "vertex shader writes to both `gl_ClipVertex' and `gl_ClipDistance'"},
    {{{'v', COMPAT "out float gl_CullDistance[1]; void main() { gl_Position = gl_ClipVertex ="
                   " gl_Vertex; gl_CullDistance[0] = 1.0; }"}},
     "vertex shader writes to both `gl_ClipVertex' and `gl_CullDistance'"},
    {{{'v', COMPAT "void main() { gl_Position = gl_Vertex; }"},
      {'g', COMPAT "layout(points) in; layout(points, max_vertices = 1) out;"
                   "void main() { gl_Position = gl_ClipVertex = gl_in[0].gl_Position;"
                   " gl_ClipDistance[0] = 1.0; EmitVertex(); }"}},
     "geometry shader writes to both `gl_ClipVertex' and `gl_ClipDistance'"},
    /* The initializers of a uniform match in all stages (GLSL 1.20 §4.3.5). */
    {{{'v',
       V "uniform vec2 u[2] = { { 0, 1 }, { 2, 3 } }; void main() { gl_Position = u[1].xyxy; }"},
      {'f',
       V "uniform vec2 u[2] = { { 0, 1 }, { 2, 4 } }; out vec4 c; void main() { c = u[1].xyxy; }"}},
     "different initializers"},
    {{{'v',
       V "uniform vec2 u[2] = { { 0, 1 }, { 2, 3 } }; void main() { gl_Position = u[1].xyxy; }"},
      {'f',
       V "uniform vec2 u[2] = { { 0, 1 }, { 2, 3 } }; out vec4 c; void main() { c = u[1].xyxy; }"}},
     NULL},
    {{{'v', V "uniform float u = 1.0; void main() { gl_Position = vec4(u); }"},
      {'f', V "uniform float u; out vec4 c; void main() { c = vec4(u); }"}},
     NULL},
    /* A void function as the last operand of a comma (GLSL 4.60 §5.9). */
    {{{'v', V "uniform bool b; void f() { gl_Position = vec4(0); } void g() { gl_PointSize = 1.0; }"
              "void main() { int i = 0; b ? (i++, f()) : (g(), f()); (i++, g()); }"}},
     NULL},
    /* Combinations of stages. */
    {{{'g', V "layout(points) in; layout(points, max_vertices = 1) out; void main() {}"}},
     "without a vertex shader"},
    {{{'k', V "layout(local_size_x = 1) in; void main() {}"}, {'v', V "void main() {}"}},
     "cannot be linked with shaders of other stages"},
    /* Layout qualifiers of several shaders. */
    {{{'v', V "void main() {}"}, {'g', V "layout(points) in; layout(points) out; void main() {}"}},
     "max_vertices"},
    {{{'k', V "layout(local_size_x = 2) in; void main() {}"},
      {'k', V "layout(local_size_x = 3) in; void f() {}"}},
     "conflicting local sizes"},
    {{{'k', V "layout(local_size_x = 2) in; shared float s[2]; void main() { s[0] = 1.0; }"}},
     NULL},
    /* Locations. */
    {{{'v', V "layout(location = 0) out vec2 a; layout(location = 0, component = 1) out vec2 b;"
              "void main() { a = b = vec2(0); }"}},
     "overlap"},
    {{{'v', V "layout(location = 0) out vec2 a; layout(location = 0, component = 2) out ivec2 b;"
              "void main() { a = vec2(0); b = ivec2(0); }"}},
     "different types"},
    {{{'f', V "layout(location = 0) out vec2 a; layout(location = 0, component = 2) out vec2 b;"
              "void main() { a = vec2(0); b = vec2(1); }"}},
     NULL},
    {{{'v', V "layout(location = 1) out vec4 a; void main() { a = vec4(0); }"},
      {'f', V "layout(location = 2) in vec4 a; out vec4 c; void main() { c = a; }"}},
     "no matching output"},
    {{{'v', V "layout(location = 40) out vec4 a; void main() { a = vec4(0); }"}},
     "is out of range"},
    /* Per-vertex interfaces. */
    {{{'v', V "out vec4 a; void main() { a = vec4(0); gl_Position = a; }"},
      {'g', V "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; in vec4 a[];"
              "void main() { for (int i = 0; i < a.length(); i++) {"
              " gl_Position = a[i] + gl_in[i].gl_Position; EmitVertex(); } }"}},
     NULL},
    {{{'v', V "out vec3 a; void main() { a = vec3(0); }"},
      {'g', V "layout(points) in; layout(points, max_vertices = 1) out; in vec4 a[];"
              "void main() { gl_Position = a[0]; EmitVertex(); }"}},
     "has type"},
    {{{'v', V "void main() { gl_Position = vec4(0); }"},
      {'c', V "layout(vertices = 3) out; patch out vec4 p; out vec2 t[]; void main() {"
              " t[gl_InvocationID] = vec2(1); p = vec4(2); gl_TessLevelOuter[0] = 1.0; }"},
      {'e', V "layout(triangles) in; patch in vec4 p; in vec2 t[]; void main() {"
              " gl_Position = p + vec4(t[2], 0, 0); }"}},
     NULL},
    {{{'v', V "void main() {}"}, {'e', V "void main() { gl_Position = vec4(0); }"}},
     "primitive mode"},
    /* gl_PerVertex. */
    {{{'v', V "out gl_PerVertex { vec4 gl_Position; }; void main() { gl_Position = vec4(0); }"},
      {'g', V "layout(points) in; layout(points, max_vertices = 1) out;"
              "void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); }"}},
     "redeclarations of gl_PerVertex"},
    /* Blocks. */
    {{{'v', V "uniform B { vec4 a; } x; void main() { gl_Position = x.a; }"},
      {'f', V "uniform B { vec4 a, b; } y; out vec4 c; void main() { c = y.a; }"}},
     "do not match"},
    {{{'v', V "uniform A { vec4 a; } x; void main() { gl_Position = x.a; }"},
      {'f', V "uniform B { vec4 a, b; } x; out vec4 c; void main() { c = x.b; }"}},
     NULL},
    {{{'f',
       V "buffer B { float s[]; float t[]; } b; out vec4 c; void main() { c = vec4(b.t[0]); }"}},
     "last member"},
    {{{'v', V "layout(binding = 1) uniform B { vec4 a; } x; void main() { gl_Position = x.a; }"},
      {'f', V "layout(binding = 2) uniform B { vec4 a; } x; out vec4 c; void main() { c = x.a; }"}},
     "bindings"},
    /* Vertex streams. */
    {{{'v', V "void main() {}"},
      {'g', V "layout(points) in; layout(triangle_strip, max_vertices = 3) out;"
              "void main() { EmitStreamVertex(1); }"}},
     "streams"},
    /* Task and mesh shaders. */
    {{{'t', GROUP "struct P { uint n[4]; bool b; mat2 m; }; taskPayloadSharedEXT P p; void main() {"
                  " p.n[gl_LocalInvocationIndex] = gl_WorkGroupID.x; p.b = true; p.m = mat2(1.0);"
                  " EmitMeshTasksEXT(3u, 2u, 1u); }"},
      {'m', TRIANGLE "struct P { uint n[4]; bool b; mat2 m; }; taskPayloadSharedEXT P p;"
                     "out vec4 a[]; perprimitiveEXT out B { uvec2 x; float y[2]; } b[];"
                     "void main() { SetMeshOutputsEXT(3u, 1u); uint i = gl_LocalInvocationIndex;"
                     " a[i] = vec4(p.m[0], p.b, p.n[i]); gl_MeshVerticesEXT[i].gl_Position = a[i];"
                     " gl_MeshVerticesEXT[i].gl_ClipDistance[i] = 1.0; b[0].x = uvec2(i);"
                     " gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2); b[0].y[i & 1u] = 2.0;"
                     " gl_MeshPrimitivesEXT[0].gl_CullPrimitiveEXT = p.b;"
                     " gl_MeshPrimitivesEXT[0].gl_PrimitiveID = 3; }"},
      {'f', MESH "in vec4 a; perprimitiveEXT in B { uvec2 x; float y[2]; } b; out vec4 c;"
                 "void main() { c = a + vec4(b.x, b.y[0], gl_PrimitiveID); }"}},
     NULL},
    {{{'m', TRIANGLE "void main() {}"}, {'v', V "void main() {}"}}, "cannot be linked with"},
    {{{'t', GROUP "void main() {}"}}, "without a mesh shader"},
    {{{'m', GROUP "layout(points) out; void main() {}"}}, "max_vertices"},
    {{{'m', TRIANGLE "void main() { gl_PrimitiveLineIndicesEXT[0] = uvec2(0); }"}},
     "outputs other primitives"},
    {{{'m', TRIANGLE "void f(); void main() { f(); }"},
      {'m', MESH "layout(lines) out; void f() {}"}},
     "output types"},
    {{{'m', TRIANGLE "out float a[]; void main() { a[0] = 1.0; }"},
      {'f', MESH "perprimitiveEXT in float a; out vec4 c; void main() { c = vec4(a); }"}},
     "perprimitiveEXT"},
    {{{'t', GROUP "taskPayloadSharedEXT int p; void main() { p = 1; }"},
      {'m', TRIANGLE "taskPayloadSharedEXT uint p; out uint a[]; void main() { a[0] = p; }"}},
     "the payload has type"},
    /* Subroutines. */
    {{{'f', V "subroutine vec4 T(float x); subroutine uniform T u, w[2]; out vec4 c;"
              "subroutine(T) vec4 f(float x) { return vec4(x); }"
              "layout(index = 3) subroutine(T) vec4 g(float x) { return vec4(0, x, 0, 1); }"
              "void main() { c = u(1.0) + w[1](2.0); }"}},
     NULL},
};

static enum shader_stage stage_of(char c)
{
    return c == 'v'   ? SHADER_VERTEX
           : c == 'c' ? SHADER_TESS_CTRL
           : c == 'e' ? SHADER_TESS_EVAL
           : c == 'g' ? SHADER_GEOMETRY
           : c == 'f' ? SHADER_FRAGMENT
           : c == 't' ? SHADER_TASK
           : c == 'm' ? SHADER_MESH
                      : SHADER_COMPUTE;
}

static struct glsl_options all_options(void)
{
    struct glsl_options o = test_options(false);
    struct glsl_limits *l = &o.limits;
    o.max_version = 460;
    l->max_varying_components = 128;
    l->max_patch_vertices = 32;
    l->max_vertex_streams = 4;
    l->max_geometry_output_vertices = 256;
    l->max_subroutines = 256;
    l->max_subroutine_uniform_locations = 1024;
    l->max_uniform_bindings = l->max_storage_bindings = 16;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        l->max_input_components[s] = l->max_output_components[s] = 128;
        l->max_stage_storage_blocks[s] = 8;
        l->max_compute_workgroup_size[s % 3] = 1024;
    }
    l->max_compute_workgroup_invocations = 1024;
    l->max_compute_shared_memory = 32768;
    return o;
}

static struct glsl_program *link_case(void *mem_ctx, const struct glsl_options *options,
                                      const struct link_case *c)
{
    struct glsl_shader *shaders[5];
    struct glsl_link_input input = {.shaders = shaders};
    for (; input.num_shaders < 5 && c->shaders[input.num_shaders].stage; input.num_shaders++) {
        const struct shader_text *t = &c->shaders[input.num_shaders];
        struct glsl_shader *sh =
            glsl_compile(mem_ctx, options, stage_of(t->stage), t->text, strlen(t->text));
        if (!sh->compiled)
            print_error("%s\n%s\n", t->text, sh->info_log);
        assert_true(sh->compiled);
        shaders[input.num_shaders] = sh;
    }
    return glsl_link(mem_ctx, options, &input);
}

static void test_cases(void **state)
{
    struct glsl_options options = all_options();
    unsigned failed = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        void *mem_ctx = talloc_new(NULL);
        const char *error = cases[i].error;
        struct glsl_program *p = link_case(mem_ctx, &options, &cases[i]);
        if (p->linked == !error && (!error || strstr(p->info_log, error))) {
            for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
                if (p->nir[s] && p->linked)
                    nir_validate_shader(p->nir[s], "after linking");
        } else {
            print_error("case %u: %s\nexpected %s, got: %s\n", i, cases[i].shaders[0].text,
                        error ? error : "no error", p->info_log);
            failed++;
        }
        talloc_free(mem_ctx);
    }
    assert_int_equal(failed, 0);
}

static void test_lists(void **state)
{
    static const struct link_case c = {
        {{'v', V "uniform float a[50]; struct E { vec2 x; float y[3]; };"
                 "buffer S { vec4 head; E list[]; } s;"
                 "void main() { gl_Position = vec4(a[24]) + s.list[3].y[1] + s.head; }"}},
        NULL,
    };
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options = all_options();
    struct glsl_program *p = link_case(mem_ctx, &options, &c);
    assert_true(p->linked);
    assert_int_equal(p->num_active_uniforms, 1);
    assert_string_equal(p->uniforms[0].name, "a[0]");
    assert_int_equal(p->uniforms[0].array_size, 25);
    assert_int_equal(p->num_blocks, 1);
    assert_string_equal(p->uniforms[3].name, "S.list[0].y[0]");
    assert_int_equal(p->uniforms[3].top_array_size, 0);
    assert_true(p->uniforms[3].top_array_stride > 0);
    talloc_free(mem_ctx);
}

static int slot_of(nir_shader *nir, nir_variable_mode mode, const char *name)
{
    nir_foreach_variable_with_modes (var, nir, mode) {
        if (!strcmp(var->name, name))
            return var->data.location;
    }
    return -1;
}

/* Links one stage as a separable program. */
static nir_shader *link_separable(void *mem_ctx, const struct glsl_options *o, char stage,
                                  const char *text)
{
    struct glsl_shader *sh = glsl_compile(mem_ctx, o, stage_of(stage), text, strlen(text));
    struct glsl_link_input input = {.shaders = &sh, .num_shaders = 1, .separable = true};
    struct glsl_program *p = glsl_link(mem_ctx, o, &input);
    assert_string_equal(sh->info_log, "");
    assert_string_equal(p->info_log, "");
    return p->nir[sh->stage];
}

static const struct glsl_attrib *find_attrib(const struct glsl_attrib *list, unsigned count,
                                             const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(list[i].name, name))
            return &list[i];
    fail_msg("no input or output %s", name);
    return NULL;
}

/* GL 4.6 §7.3.1.1: names of inputs and outputs. */
static void test_attribs(void **state)
{
    static const char text[] =
        V "layout(vertices = 3) out; in vec4 a[]; in B { vec2 y[2]; } b[]; struct S { float f; "
          "mat2 g[2]; };"
          "layout(location = 2) out S s[]; patch out vec4 p[2][3]; void main() {"
          "s[gl_InvocationID].g[1] = mat2(b[1].y[1], vec2(0)); p[1][2] = vec4(1);"
          "gl_out[gl_InvocationID].gl_Position = gl_in[0].gl_Position + a[1]; }";
    static const struct {
        const char *name;
        bool output;
        int location;
    } expected[] = {
        {"a", false, -1},
        {"B.y", false, -1},
        {"gl_PerVertex.gl_Position", false, -1},
        {"gl_InvocationID", false, -1},
        {"gl_PerVertex.gl_Position", true, -1},
        {"s[0].f", true, 2},
        {"s[2].g", true, 3},
        {"p[0][0]", true, -1},
        {"p[1][0]", true, -1},
    };
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options o = all_options();
    struct glsl_shader *sh = glsl_compile(mem_ctx, &o, SHADER_TESS_CTRL, text, strlen(text));
    struct glsl_link_input input = {.shaders = &sh, .num_shaders = 1, .separable = true};
    assert_string_equal(sh->info_log, "");
    struct glsl_program *p = glsl_link(mem_ctx, &o, &input);
    assert_string_equal(p->info_log, "");
    for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
        bool out = expected[i].output;
        const struct glsl_attrib *a = find_attrib(
            out ? p->outputs : p->inputs, out ? p->num_outputs : p->num_inputs, expected[i].name);
        assert_int_equal(a->location, expected[i].location);
    }
    talloc_free(mem_ctx);
}

/* GL 4.6 §7.4.1: variables with the same name have the same slot, whatever else the code uses. */
static void test_separable(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options o = all_options();
    nir_shader *vs = link_separable(
        mem_ctx, &o, 'v',
        V "out vec4 unused; out mat2 m; out vec2 z; layout(location = 0) out vec4 l;"
          "out gl_PerVertex { vec4 gl_Position; }; out B { vec3 x, y; } b;"
          "void main() { m = mat2(1); z = vec2(2); l = gl_Position = vec4(3); b.y = vec3(4); }");
    nir_shader *fs = link_separable(
        mem_ctx, &o, 'f',
        V "in vec2 z; in B { vec3 x, y; } named; in mat2 m; layout(location = 0) in vec4 other;"
          "in vec4 unused; out vec4 c; void main() { c = other + z.x + named.y.x; }");
    nir_shader *gs = link_separable(
        mem_ctx, &o, 'g',
        V "layout(points) in; layout(points, max_vertices = 1) out; in mat2 m[]; in vec2 z[];"
          "layout(location = 0) in vec4 l[]; in B { vec3 x, y; } named[]; in vec4 unused[];"
          "out gl_PerVertex { vec4 gl_Position; };"
          "void main() { gl_Position = l[0] + named[0].y.x; EmitVertex(); }");
    int z = slot_of(vs, nir_var_shader_out, "z"), y = slot_of(vs, nir_var_shader_out, "B.y");
    assert_int_equal(slot_of(vs, nir_var_shader_out, "l"), VARYING_SLOT_VAR0);
    assert_true(z > VARYING_SLOT_VAR0 && y > VARYING_SLOT_VAR0 && z != y);
    assert_int_equal(slot_of(fs, nir_var_shader_in, "z"), z);
    assert_int_equal(slot_of(fs, nir_var_shader_in, "B.y"), y);
    assert_int_equal(slot_of(gs, nir_var_shader_in, "B.y"), y);
    talloc_free(mem_ctx);
}

#define G4  "#version 120\n#extension GL_ARB_geometry_shader4: enable\n"
#define G15 "#version 150\n#extension GL_ARB_geometry_shader4: enable\n"

/* ARB_geometry_shader4: parameters of the program replace missing layout qualifiers. Each case: the
 * shader, the parameters, the number of vertices of an input primitive, and part of the error. */
static void test_geometry_parameters(void **state)
{
    static const char vs[] =
        "#version 120\nvarying vec4 a; void main() { a = gl_Position = gl_Vertex; }";
    static const char loop[] =
        G4 "varying in vec4 a[]; void main() { for (int i = 0; i < gl_VerticesIn; i++) {"
           "gl_Position = a[i] + gl_PositionIn[i]; EmitVertex(); } }";
    static const char three[] = G4 "varying in vec4 a[3];"
                                   "void main() { gl_Position = a[gl_VerticesIn - 1]; }";
    static const char last[] = "void main() { gl_Position = gl_in[1].gl_Position; EmitVertex(); }";
    static const struct {
        const char *text, *more;
        unsigned input, max_vertices, vertices_in;
        const char *error;
    } rows[] = {
        {loop, "", DRV_PRIM_POINTS, 1, 1, NULL},
        {loop, "", DRV_PRIM_LINES, 2, 2, NULL},
        {loop, "", DRV_PRIM_TRIANGLES, 3, 3, NULL},
        {loop, "", DRV_PRIM_LINES_ADJACENCY, 4, 4, NULL},
        {loop, "", DRV_PRIM_TRIANGLES_ADJACENCY, 6, 6, NULL},
        {loop, "", DRV_PRIM_LINES, 0, 2, "GL_GEOMETRY_VERTICES_OUT_ARB"},
        {three, "", DRV_PRIM_TRIANGLES, 1, 3, NULL},
        {three, "", DRV_PRIM_LINES, 1, 2, "0:3("},
        {G15, last, DRV_PRIM_LINES, 1, 2, NULL},
        {G15, last, DRV_PRIM_POINTS, 1, 1, "only 1 vertices"},
        {G15 "layout(triangles) in;", last, DRV_PRIM_POINTS, 1, 3, NULL},
        {"#version 150\n", last, DRV_PRIM_LINES, 1, 2, "input primitive type"},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        void *mem_ctx = talloc_new(NULL);
        struct glsl_options options = all_options();
        const char *text = talloc_asprintf(mem_ctx, "%s%s", rows[i].text, rows[i].more);
        struct glsl_shader *shaders[] = {
            glsl_compile(mem_ctx, &options, SHADER_VERTEX, vs, strlen(vs)),
            glsl_compile(mem_ctx, &options, SHADER_GEOMETRY, text, strlen(text)),
        };
        const struct glsl_link_input input = {
            .shaders = shaders,
            .num_shaders = 2,
            .geometry_input = (uint8_t)rows[i].input,
            .geometry_output = DRV_PRIM_POINTS,
            .geometry_vertices = rows[i].max_vertices,
        };
        assert_string_equal(shaders[0]->info_log, "");
        assert_string_equal(shaders[1]->info_log, "");
        assert_true(shaders[1]->compiled);
        struct glsl_program *p = glsl_link(mem_ctx, &options, &input);
        if (p->linked != !rows[i].error || !strstr(p->info_log, p->linked ? "" : rows[i].error))
            fail_msg("row %u: %s", i, p->info_log);
        if (p->linked) {
            const nir_shader_info *info = &p->nir[SHADER_GEOMETRY]->info;
            assert_int_equal(info->gs.vertices_in, rows[i].vertices_in);
            assert_int_equal(info->gs.vertices_out, rows[i].max_vertices);
        }
        talloc_free(mem_ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geometry_parameters),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_attribs),
        cmocka_unit_test(test_separable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
