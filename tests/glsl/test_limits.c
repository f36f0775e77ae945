/* SPDX-License-Identifier: MIT */
/*
 * Checks that a program that exceeds a limit fails to link with a message naming the limit. Also
 * checks the lists of atomic counters, their buffers and transform feedback outputs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <talloc.h>

#include "glsl_test.h"

#define V "#version 460\n"
#define H V "#extension GL_ARB_bindless_texture: require\n"

struct limit_case {
    const char *limit; /* limit that the error names; NULL: links */
    const char *vertex, *fragment;
};

/* Limits: limited_options. */
static const struct limit_case cases[] = {
    {NULL, V "void main() { gl_Position = vec4(0); }",
     V "out vec4 c; void main() { c = vec4(0); }"},
    {"MAX_*_UNIFORM_COMPONENTS", V "uniform vec4 a[9]; void main() { gl_Position = a[8] + a[1]; }",
     V "void main() {}"},
    {"MAX_*_TEXTURE_IMAGE_UNITS",
     V "uniform sampler2D a[3]; void main() { gl_Position = texture(a[0], vec2(0)) + "
       "texture(a[1], vec2(0)) + texture(a[2], vec2(0)); }",
     V "void main() {}"},
    {NULL,
     V "uniform sampler2D a[2]; layout(rgba8) uniform image2D b[2];"
       "void main() { gl_Position = texture(a[0], vec2(0)) + texture(a[1], vec2(0)) +"
       "imageLoad(b[0], ivec2(0)) + imageLoad(b[1], ivec2(0)); }",
     V "void main() {}"},
    {"MAX_*_IMAGE_UNIFORMS",
     V "layout(rgba8) uniform image2D b[3];"
       "void main() { gl_Position = imageLoad(b[0], ivec2(0)) + imageLoad(b[2], ivec2(0)); }",
     V "void main() {}"},
    {"MAX_COMBINED_TEXTURE_IMAGE_UNITS",
     V "uniform sampler2D a, b; void main() { gl_Position = texture(a, vec2(0)) +"
       "texture(b, vec2(0)); }",
     V "uniform sampler2D a, b; out vec4 c;"
       "void main() { c = texture(a, vec2(0)) + texture(b, vec2(0)); }"},
    /* Samplers and images that may be set to handles don't count. */
    {NULL,
     H "layout(bindless_sampler) uniform sampler2D a[2];"
       "void main() { gl_Position = texture(a[0], vec2(0)) + texture(a[1], vec2(0)); }",
     H "uniform sampler2D b; layout(bindless_sampler) uniform sampler2D c; out vec4 d;"
       "void main() { d = texture(b, vec2(0)) + texture(c, vec2(0)); }"},
    {NULL,
     H "layout(bindless_image, rgba8) uniform image2D a[2];"
       "void main() { gl_Position = imageLoad(a[0], ivec2(0)) + imageLoad(a[1], ivec2(0)); }",
     H "layout(rgba8) uniform image2D b; layout(bindless_image, rgba8) uniform image2D c;"
       "out vec4 d; void main() { d = imageLoad(b, ivec2(0)) + imageLoad(c, ivec2(0)); }"},
    {"MAX_COMBINED_TEXTURE_IMAGE_UNITS",
     H "uniform sampler2D a[2];"
       "void main() { gl_Position = texture(a[0], vec2(0)) + texture(a[1], vec2(0)); }",
     H "uniform sampler2D b[2]; out vec4 d;"
       "void main() { d = texture(b[0], vec2(0)) + texture(b[1], vec2(0)); }"},
    {"MAX_COMBINED_IMAGE_UNIFORMS",
     V "layout(rgba8) uniform image2D b[2];"
       "void main() { gl_Position = imageLoad(b[0], ivec2(0)) + imageLoad(b[1], ivec2(0)); }",
     V "layout(rgba8) uniform image2D b[2]; out vec4 c;"
       "void main() { c = imageLoad(b[0], ivec2(0)) + imageLoad(b[1], ivec2(0)); }"},
    {"MAX_COMBINED_SHADER_OUTPUT_RESOURCES", V "void main() { gl_Position = vec4(0); }",
     V "layout(rgba8) uniform image2D b[2]; buffer B { vec4 x; }; out vec4 c, d;"
       "void main() { c = imageLoad(b[0], ivec2(0)) + x; d = imageLoad(b[1], ivec2(0)); }"},
    /* Arrays in buffers may be as long as the buffer. */
    {"storage block `B' is too large (134217744 > 64 bytes)",
     V "buffer B { vec4 v[8388609]; }; uniform int i; void main() { gl_Position = v[i]; }",
     V "void main() {}"},
    {"is too large to be copied",
     V "buffer A { vec4 a[4194304]; }; buffer B { vec4 b[4194304]; };"
       "void main() { a = b; gl_Position = a[0]; }",
     V "void main() {}"},
    {"is too large to be copied",
     V "buffer A { vec4 a[4194304]; }; void main() { gl_Position = vec4(a == a); }",
     V "void main() {}"},
    {"MAX_*_SHADER_STORAGE_BLOCKS",
     V "buffer B { vec4 x; } b[3]; void main() { gl_Position = b[0].x + b[1].x + b[2].x; }",
     V "void main() {}"},
    {"MAX_COMBINED_SHADER_STORAGE_BLOCKS",
     V "buffer B { vec4 x; } b[2]; void main() { gl_Position = b[0].x + b[1].x; }",
     V "buffer B { vec4 x; } b[2]; out vec4 c; void main() { c = b[0].x + b[1].x; }"},
    {"MAX_*_UNIFORM_BLOCKS",
     V "uniform B { vec4 x; } b[3]; void main() { gl_Position = b[0].x + b[1].x + b[2].x; }",
     V "void main() {}"},
    {"MAX_COMBINED_UNIFORM_BLOCKS",
     V "uniform B { vec4 x; } b[2]; void main() { gl_Position = b[0].x + b[1].x; }",
     V "uniform B { vec4 x; } b[2]; out vec4 c; void main() { c = b[0].x + b[1].x; }"},
    {"MAX_*_ATOMIC_COUNTERS",
     V "layout(binding = 0) uniform atomic_uint a[5];"
       "void main() { gl_Position = vec4(atomicCounter(a[4])); }",
     V "void main() {}"},
    {"MAX_*_ATOMIC_COUNTER_BUFFERS",
     V "layout(binding = 0) uniform atomic_uint a; layout(binding = 1) uniform atomic_uint b;"
       "void main() { gl_Position = vec4(atomicCounter(a) + atomicCounter(b)); }",
     V "void main() {}"},
    {"MAX_COMBINED_ATOMIC_COUNTERS",
     V "layout(binding = 0) uniform atomic_uint a[4];"
       "void main() { gl_Position = vec4(atomicCounter(a[3])); }",
     V "layout(binding = 0) uniform atomic_uint a[4]; out vec4 c;"
       "void main() { c = vec4(atomicCounter(a[3])); }"},
    {"MAX_ATOMIC_COUNTER_BUFFER_SIZE",
     V "layout(binding = 0, offset = 32) uniform atomic_uint a;"
       "void main() { gl_Position = vec4(atomicCounter(a)); }",
     V "void main() {}"},
    {"`a[0]' and `b' overlap",
     V "layout(binding = 0, offset = 0) uniform atomic_uint a[2];"
       "void main() { gl_Position = vec4(atomicCounter(a[1])); }",
     V "layout(binding = 0, offset = 4) uniform atomic_uint b; out vec4 c;"
       "void main() { c = vec4(atomicCounter(b)); }"},
    {"atomic counter `a' has different offsets",
     V "layout(binding = 0, offset = 0) uniform atomic_uint a;"
       "void main() { gl_Position = vec4(atomicCounter(a)); }",
     V "layout(binding = 0, offset = 4) uniform atomic_uint a; out vec4 c;"
       "void main() { c = vec4(atomicCounter(a)); }"},
    {"MAX_VARYING_COMPONENTS",
     V "out vec4 a[5]; void main() { gl_Position = vec4(0); for (int i = 0; i < 5; i++) "
       "a[i] = vec4(gl_VertexID * i); }",
     V "in vec4 a[5]; out vec4 c; uniform int i; void main() { c = a[i]; }"},
    {"is too large", V "uniform B { vec4 x[5]; }; void main() { gl_Position = x[4]; }",
     V "void main() {}"},
    {"is too large", V "buffer B { vec4 x[5]; }; void main() { gl_Position = x[4]; }",
     V "void main() {}"},
    {"no location is left for subroutine uniform",
     V "subroutine float T(); subroutine uniform T u, w, x;"
       "subroutine(T) float f() { return 1.0; }"
       "void main() { gl_Position = vec4(u() + w() + x()); }",
     V "void main() {}"},
    {"overlaps another subroutine uniform",
     V "subroutine float T(); layout(location = 1) subroutine uniform T u;"
       "layout(location = 1) subroutine uniform T w; subroutine(T) float f() { return 1.0; }"
       "void main() { gl_Position = vec4(u() + w()); }",
     V "void main() {}"},
};

static struct glsl_options limited_options(void)
{
    struct glsl_options o = test_options(false);
    struct glsl_limits *l = &o.limits;
    o.max_version = 460;
    l->max_varying_components = 16;
    l->max_combined_images = l->max_combined_storage_blocks = l->max_combined_uniform_blocks = 3;
    l->max_combined_texture_image_units = 3;
    l->max_combined_shader_output_resources = 4;
    l->max_combined_atomic_counters = 6;
    l->max_atomic_buffer_size = 32;
    l->max_uniform_block_size = l->max_storage_block_size = 64;
    l->max_subroutine_uniform_locations = 2;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        l->max_uniform_components[s] = 32;
        l->max_stage_samplers[s] = l->max_stage_images[s] = 2;
        l->max_stage_uniform_blocks[s] = l->max_stage_storage_blocks[s] = 2;
        l->max_stage_atomic_counters[s] = 4;
        l->max_stage_atomic_buffers[s] = 1;
    }
    return o;
}

static struct glsl_program *link_texts(void *mem_ctx, const struct glsl_options *o,
                                       struct glsl_link_input input, const char *vertex,
                                       const char *fragment)
{
    const char *const texts[] = {vertex, fragment};
    struct glsl_shader *shaders[2];
    input.shaders = shaders;
    for (unsigned i = 0; i < 2 && texts[i]; i++) {
        struct glsl_shader *sh = glsl_compile(mem_ctx, o, i ? SHADER_FRAGMENT : SHADER_VERTEX,
                                              texts[i], strlen(texts[i]));
        if (!sh->compiled)
            print_error("%s\n%s\n", texts[i], sh->info_log);
        assert_true(sh->compiled);
        shaders[input.num_shaders++] = sh;
    }
    return glsl_link(mem_ctx, o, &input);
}

static void test_cases(void **state)
{
    struct glsl_options o = limited_options();
    unsigned failed = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct limit_case *c = &cases[i];
        void *mem_ctx = talloc_new(NULL);
        struct glsl_program *p =
            link_texts(mem_ctx, &o, (struct glsl_link_input){0}, c->vertex, c->fragment);
        if (p->linked != !c->limit || (c->limit && !strstr(p->info_log, c->limit))) {
            print_error("case %u: expected %s, got: %s\n", i, c->limit ? c->limit : "success",
                        p->info_log);
            failed++;
        }
        talloc_free(mem_ctx);
    }
    assert_int_equal(failed, 0);
}

static const struct glsl_uniform *find_uniform(const struct glsl_program *p, const char *name)
{
    for (unsigned i = 0; i < p->num_uniforms; i++)
        if (!strcmp(p->uniforms[i].name, name))
            return &p->uniforms[i];
    fail_msg("no uniform %s", name);
    return NULL;
}

static void test_counters(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options o = test_options(false);
    o.max_version = 460;
    struct glsl_program *p =
        link_texts(mem_ctx, &o, (struct glsl_link_input){0},
                   V "layout(binding = 3, offset = 8) uniform atomic_uint a[2][2]; uniform float f;"
                     "void main() { gl_Position = vec4(f + float(atomicCounter(a[1][0]))); }",
                   V "layout(binding = 1) uniform atomic_uint b; uniform sampler2D s; out vec4 c;"
                     "layout(binding = 3) uniform atomic_uint d; layout(rgba8) uniform image2D i;"
                     "void main() { c = texture(s, vec2(0)) + imageLoad(i, ivec2(0)) +"
                     "float(atomicCounter(b) + atomicCounter(d)); }");
    assert_string_equal(p->info_log, "");
    assert_int_equal(p->num_atomic_buffers, 2);
    const struct glsl_uniform *a = find_uniform(p, "a[1][0]"), *b = find_uniform(p, "b");
    assert_int_equal(a->offset, 16);
    assert_int_equal(a->array_stride, 4);
    assert_int_equal(a->location, -1);
    assert_int_equal(p->atomic_buffers[a->atomic_buffer].binding, 3);
    assert_int_equal(p->atomic_buffers[a->atomic_buffer].size, 24);
    assert_int_equal(p->atomic_buffers[a->atomic_buffer].stages,
                     1 << SHADER_VERTEX | 1 << SHADER_FRAGMENT);
    assert_int_equal(p->atomic_buffers[b->atomic_buffer].binding, 1);
    assert_int_equal(find_uniform(p, "s")->opaque_index[SHADER_FRAGMENT], 0);
    assert_int_equal(find_uniform(p, "i")->opaque_index[SHADER_FRAGMENT], 0);
    assert_int_equal(p->nir[SHADER_FRAGMENT]->info.num_textures, 1);
    assert_int_equal(p->nir[SHADER_FRAGMENT]->info.num_images, 1);
    talloc_free(mem_ctx);
}

static const char captured_shader[] =
    V "out float f; out vec2 a[3]; out vec4 v; struct S { float f; vec2 g[2]; }; out S s[2];"
      "out B { S s; float h; } b; void main() { gl_Position = v = vec4(1);"
      "a[0] = a[1] = a[2] = vec2(2); f = 3.0; s[1].f = b.h = 3.0; s[1].g[1] = vec2(3); }";

/* Links with transform feedback varyings and returns the program. */
static struct glsl_program *link_captured(void *mem_ctx, const char *const *names, unsigned count,
                                          bool separate)
{
    struct glsl_options o = test_options(false);
    struct glsl_link_input input = {
        .xfb_varyings = names, .num_xfb_varyings = count, .xfb_separate = separate};
    o.max_version = 460;
    o.limits.max_transform_feedback_separate_components = 4;
    o.limits.max_transform_feedback_components = 12;
    return link_texts(mem_ctx, &o, input, captured_shader, NULL);
}

static void test_transform_feedback(void **state)
{
    static const char *const names[] = {"f", "gl_SkipComponents2", "v", "gl_NextBuffer", "a[1]"};
    static const struct {
        const char *names[3];
        bool separate;
        const char *error;
    } refused[] = {
        {{"a", "a[1]"}, false, "capture the same"},
        {{"v", "v"}, false, "capture the same"},
        {{"a[0]", "a[3]"}, false, "is not an output that can be captured"},
        {{"s[1].g", "s[1].g[1]"}, false, "capture the same"},
        {{"s[1].f", "s[2].f"}, false, "is not an output that can be captured"},
        {{"s[1]"}, false, "is not an output that can be captured"},
        {{"s"}, false, "is not an output that can be captured"},
        {{"s[1].x"}, false, "is not an output that can be captured"},
        {{"B.h[0]"}, false, "is not an output that can be captured"},
        {{"a"}, true, "MAX_TRANSFORM_FEEDBACK_SEPARATE_COMPONENTS"},
        {{"v", "a", "gl_SkipComponents4"}, false, "MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS"},
        {{"v", "gl_NextBuffer"}, true, "has no buffer"},
        {{"w"}, false, "not an output"},
    };
    void *mem_ctx = talloc_new(NULL);
    struct glsl_program *p = link_captured(mem_ctx, names, ARRAY_SIZE(names), false);
    assert_string_equal(p->info_log, "");
    assert_int_equal(p->num_xfb, 5);
    assert_null(p->xfb[1].type);
    assert_int_equal(p->xfb[1].array_size, 2);
    assert_int_equal(p->xfb[2].offset, 12);
    assert_int_equal(p->xfb[3].array_size, 0);
    assert_int_equal(p->xfb[4].buffer, 1);
    assert_int_equal(p->xfb_stride[0], 28);
    assert_int_equal(p->xfb_stride[1], 8);
    static const char *const parts[] = {"s[1].g[1]", "B.s.g", "s[0].f", "B.h"};
    p = link_captured(mem_ctx, parts, ARRAY_SIZE(parts), false);
    assert_string_equal(p->info_log, "");
    assert_int_equal(p->xfb[0].slot - p->xfb[2].slot, 5);
    assert_int_equal(p->xfb[0].num_components, 2);
    assert_int_equal(p->xfb[1].array_size, 2);
    assert_int_equal(p->xfb[3].offset, 28);
    for (unsigned i = 0; i < ARRAY_SIZE(refused); i++) {
        unsigned count = refused[i].names[1] ? refused[i].names[2] ? 3 : 2 : 1;
        p = link_captured(mem_ctx, refused[i].names, count, refused[i].separate);
        assert_false(p->linked);
        if (!strstr(p->info_log, refused[i].error))
            fail_msg("case %u: %s", i, p->info_log);
    }
    talloc_free(mem_ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_transform_feedback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
