/* SPDX-License-Identifier: MIT */
/*
 * GLSL through compiler and driver: draws shaders of one expression each to a small target and
 * checks the color.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <talloc.h>

#include "driver/cpu/kernel/cpu_nir.h"
#include "glsl/glsl.h"
#include "indium/driver.h"
#include "tool/compile_options.h"

#define SIZE 16

static const char pass_through[] = "#version 120\n"
                                   "varying vec4 v;\n"
                                   "void main() { gl_Position = gl_Vertex;\n"
                                   "    v = gl_Vertex * 0.5 + 0.5; }\n";

static struct glsl_options make_options(void)
{
    struct glsl_options options;
    compile_options_fill(&options, false, 130);
    options.nir_options[SHADER_VERTEX] = options.nir_options[SHADER_FRAGMENT] = &cpu_nir_options;
    return options;
}

struct renderer {
    struct drv_screen *screen;
    struct drv_context *ctx;
    struct drv_resource *color, *texture, *shadow;
    void *blend, *depth, *rast, *elements, *samplers[2], *views[2];
};

/* Slot 0: a 4×4 texture whose texel (x, y) is (x, y, 0, 255) / 255 * 51. Slot 1: a depth texture
 * with comparison that is 0.5 everywhere. */
static void bind_textures(struct renderer *r)
{
    const struct drv_context_ops *ops = r->ctx->ops;
    struct drv_resource templ = {.target = DRV_TEXTURE_2D,
                                 .format = DRV_FORMAT_R8G8B8A8_UNORM,
                                 .width = 4,
                                 .height = 4,
                                 .depth = 1,
                                 .array_size = 1};
    struct drv_box box = {0, 0, 0, 4, 4, 1};
    struct drv_transfer *t;
    struct drv_sampler_state sampler = {.max_lod = 100};

    r->texture = r->screen->ops->resource_create(r->screen, &templ);
    templ.format = DRV_FORMAT_Z32_FLOAT;
    r->shadow = r->screen->ops->resource_create(r->screen, &templ);
    uint8_t *p = ops->map(r->ctx, r->texture, 0, DRV_MAP_WRITE, &box, &t);
    for (unsigned i = 0; i < 16; i++)
        memcpy(p + i / 4 * t->stride + i % 4 * 4,
               (const uint8_t[]){(uint8_t)(i % 4 * 51), (uint8_t)(i / 4 * 51), 0, 255}, 4);
    ops->unmap(r->ctx, t);
    p = ops->map(r->ctx, r->shadow, 0, DRV_MAP_WRITE, &box, &t);
    for (unsigned i = 0; i < 16; i++)
        memcpy(p + i / 4 * t->stride + i % 4 * 4, &(float){0.5f}, 4);
    ops->unmap(r->ctx, t);

    for (unsigned i = 0; i < 2; i++) {
        struct drv_resource *texture = i ? r->shadow : r->texture;
        struct drv_sampler_view view = {.texture = texture,
                                        .format = texture->format,
                                        .target = DRV_TEXTURE_2D,
                                        .swizzle = {0, 1, 2, 3}};
        if (i) /* luminance, the default of GL_DEPTH_TEXTURE_MODE */
            view.swizzle[1] = view.swizzle[2] = DRV_SWIZZLE_X;
        sampler.compare_enabled = i == 1;
        sampler.compare_func = DRV_FUNC_LEQUAL;
        r->samplers[i] = ops->create_sampler_state(r->ctx, &sampler);
        r->views[i] = ops->create_sampler_view(r->ctx, &view);
    }
    for (unsigned stage = SHADER_VERTEX; stage <= SHADER_FRAGMENT; stage += SHADER_FRAGMENT) {
        ops->bind_sampler_states(r->ctx, stage, 0, 2, r->samplers);
        ops->set_sampler_views(r->ctx, stage, 0, 2, r->views);
    }
}

static void unbind_textures(struct renderer *r)
{
    const struct drv_context_ops *ops = r->ctx->ops;
    void *none[2] = {NULL, NULL};

    for (unsigned stage = SHADER_VERTEX; stage <= SHADER_FRAGMENT; stage += SHADER_FRAGMENT) {
        ops->set_sampler_views(r->ctx, stage, 0, 2, none);
        ops->bind_sampler_states(r->ctx, stage, 0, 2, none);
    }
    for (unsigned i = 0; i < 2; i++) {
        ops->delete_sampler_view(r->ctx, r->views[i]);
        ops->delete_sampler_state(r->ctx, r->samplers[i]);
    }
    drv_resource_reference(&r->texture, NULL);
    drv_resource_reference(&r->shadow, NULL);
}

static int start(void **state)
{
    static struct renderer r;
    r.screen = cpu_screen_create();
    r.ctx = r.screen->ops->context_create(r.screen);
    struct drv_resource templ = {.target = DRV_TEXTURE_2D,
                                 .format = DRV_FORMAT_R32G32B32A32_FLOAT,
                                 .width = SIZE,
                                 .height = SIZE,
                                 .depth = 1,
                                 .array_size = 1};
    r.color = r.screen->ops->resource_create(r.screen, &templ);
    const struct drv_context_ops *ops = r.ctx->ops;
    struct drv_blend_state blend = {.rt[0].colormask = 15};
    struct drv_depth_stencil_state depth = {0};
    struct drv_rasterizer_state rast = {.front_ccw = true,
                                        .depth_clip_near = true,
                                        .depth_clip_far = true,
                                        .line_width = 1,
                                        .point_size = 1};
    struct drv_vertex_element element = {.attrib = VERT_ATTRIB_POS,
                                         .src_format = DRV_FORMAT_R32G32_FLOAT};
    r.blend = ops->create_blend_state(r.ctx, &blend);
    r.depth = ops->create_depth_stencil_state(r.ctx, &depth);
    r.rast = ops->create_rasterizer_state(r.ctx, &rast);
    r.elements = ops->create_vertex_elements(r.ctx, 1, &element);
    ops->bind_blend_state(r.ctx, r.blend);
    ops->bind_depth_stencil_state(r.ctx, r.depth);
    ops->bind_rasterizer_state(r.ctx, r.rast);
    ops->bind_vertex_elements(r.ctx, r.elements);
    ops->set_framebuffer(r.ctx, &(struct drv_framebuffer){
                                    .width = SIZE,
                                    .height = SIZE,
                                    .nr_cbufs = 1,
                                    .cbufs[0] = {.texture = r.color, .format = r.color->format}});
    struct drv_viewport viewport = {.scale = {SIZE / 2.0f, SIZE / 2.0f, 0.5f},
                                    .translate = {SIZE / 2.0f, SIZE / 2.0f, 0.5f}};
    ops->set_viewports(r.ctx, 0, 1, &viewport);
    bind_textures(&r);
    *state = &r;
    return 0;
}

static int finish(void **state)
{
    struct renderer *r = *state;
    const struct drv_context_ops *ops = r->ctx->ops;
    unbind_textures(r);
    ops->delete_vertex_elements(r->ctx, r->elements);
    ops->delete_rasterizer_state(r->ctx, r->rast);
    ops->delete_depth_stencil_state(r->ctx, r->depth);
    ops->delete_blend_state(r->ctx, r->blend);
    drv_resource_reference(&r->color, NULL);
    ops->destroy(r->ctx);
    r->screen->ops->destroy(r->screen);
    return 0;
}

static struct glsl_program *compile(void *mem_ctx, const char *vs, const char *fs)
{
    struct glsl_options options = make_options();
    struct glsl_shader *shaders[2] = {
        glsl_compile(mem_ctx, &options, SHADER_VERTEX, vs, strlen(vs)),
        glsl_compile(mem_ctx, &options, SHADER_FRAGMENT, fs, strlen(fs))};
    for (unsigned i = 0; i < 2; i++) {
        if (!shaders[i]->compiled)
            fail_msg("%s\n%s", i ? fs : vs, shaders[i]->info_log);
    }
    struct glsl_link_input input = {.shaders = shaders, .num_shaders = 2};
    struct glsl_program *program = glsl_link(mem_ctx, &options, &input);
    if (!program->linked)
        fail_msg("%s\n%s", fs, program->info_log);
    return program;
}

static void *create(struct renderer *r, nir_shader *nir)
{
    nir = nir_shader_clone(NULL, nir);
    void *shader = r->ctx->ops->create_shader(r->ctx, &(struct drv_shader_desc){.nir = nir});
    assert_non_null(shader);
    return shader;
}

/* Draws a quad over the whole target. uniforms: the default uniform block. */
static void render(struct renderer *r, const char *vs_text, const char *fs_text,
                   const void *uniforms, unsigned size, float pixels[SIZE][SIZE][4])
{
    static const float quad[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const struct drv_context_ops *ops = r->ctx->ops;
    void *mem_ctx = talloc_new(NULL);
    struct glsl_program *program = compile(mem_ctx, vs_text, fs_text);
    void *vs = create(r, program->nir[SHADER_VERTEX]);
    void *fs = create(r, program->nir[SHADER_FRAGMENT]);
    union drv_color black = {.f = {0, 0, 0, 0}};

    ops->bind_shader(r->ctx, SHADER_VERTEX, vs);
    ops->bind_shader(r->ctx, SHADER_FRAGMENT, fs);
    struct drv_constant_buffer constants = {.size = size, .user = uniforms};
    ops->set_constant_buffer(r->ctx, SHADER_VERTEX, 0, uniforms ? &constants : NULL);
    ops->set_constant_buffer(r->ctx, SHADER_FRAGMENT, 0, uniforms ? &constants : NULL);
    ops->set_vertex_buffers(
        r->ctx, 1,
        &(struct drv_vertex_buffer){.stride = 8, .user = quad, .user_size = sizeof quad});
    ops->clear(r->ctx, DRV_CLEAR_COLOR0, NULL, &black, 0, 0);
    struct drv_draw_info info = {.mode = DRV_PRIM_TRIANGLE_FAN, .instance_count = 1};
    ops->draw(r->ctx, &info, &(struct drv_draw_range){.count = 4}, 1);

    struct drv_box box = {0, 0, 0, SIZE, SIZE, 1};
    struct drv_transfer *t;
    const uint8_t *p = ops->map(r->ctx, r->color, 0, DRV_MAP_READ, &box, &t);
    assert_non_null(p);
    for (unsigned y = 0; y < SIZE; y++)
        memcpy(pixels[y], p + (size_t)y * t->stride, sizeof pixels[y]);
    ops->unmap(r->ctx, t);
    ops->bind_shader(r->ctx, SHADER_VERTEX, NULL);
    ops->bind_shader(r->ctx, SHADER_FRAGMENT, NULL);
    ops->delete_shader(r->ctx, SHADER_VERTEX, vs);
    ops->delete_shader(r->ctx, SHADER_FRAGMENT, fs);
    talloc_free(mem_ctx);
}

/* In the shader bodies, v is the position, which runs from 0 to 1 over the target in x and y. The
 * color is that of pixel (4, 10), where v = (4.5, 10.5) / 16. */
static const struct {
    const char *declarations, *body;
    float want[4];
} cases[] = {
    {"", "gl_FragColor = vec4(0.25, 0.5, 0.75, 1.0);", {0.25f, 0.5f, 0.75f, 1}},
    {"", "gl_FragColor = v;", {0.28125f, 0.65625f, 0.5f, 1}},
    {"", "gl_FragColor = vec4(gl_FragCoord.xy, float(gl_FrontFacing), 1.0);", {4.5f, 10.5f, 1, 1}},
    {"",
     "float s = 0.0; for (int i = 0; i < 10; i++) s += float(i); gl_FragColor = vec4(s);",
     {45, 45, 45, 45}},
    {"",
     "float s = 0.0; int n = int(v.x * 16.0); for (int i = 0; i < n; i++) s += v.y;"
     "gl_FragColor = vec4(s, n, 0, 1);",
     {2.625f, 4, 0, 1}},
    {"",
     "vec4 c = vec4(0.0); if (v.x < 0.5) { c.x = 1.0; if (v.y > 0.9) c.y = 1.0; else c.z = 0.5; }"
     "else c.w = 1.0; gl_FragColor = c;",
     {1, 0, 0.5f, 0}},
    {"float f(float x) { if (x > 0.5) return 2.0; return 3.0; }",
     "gl_FragColor = vec4(f(v.x), f(v.y), 0.0, 1.0);",
     {3, 2, 0, 1}},
    {"",
     "float a[4]; for (int i = 0; i < 4; i++) a[i] = float(i) * 2.0;"
     "gl_FragColor = vec4(a[int(v.x * 8.0)], a[3], a[0], 1.0);",
     {4, 6, 0, 1}},
    {"",
     "float a[32]; for (int i = 0; i < 32; i++) a[i] = float(i);"
     "gl_FragColor = vec4(a[int(v.y * 32.0)], a[int(v.x * 16.0)], 0.0, 1.0);",
     {21, 4, 0, 1}},
    {"",
     "mat2 m = mat2(1.0, 2.0, 3.0, 4.0); gl_FragColor = vec4(m * vec2(1.0, 2.0), 0.0, 1.0);",
     {7, 10, 0, 1}},
    {"",
     "gl_FragColor = vec4(sqrt(4.0 * v.w), pow(2.0, 3.0 * v.w), exp2(v.w), inversesqrt(4.0));",
     {2, 8, 2, 0.5f}},
    {"",
     "gl_FragColor = vec4(sin(v.x), cos(v.x), atan(v.y, v.x), log(v.y));",
     {0.27758f, 0.96071f, 1.16590f, -0.42121f}},
    {"",
     "gl_FragColor = vec4(dFdx(v.x) * 16.0, dFdy(v.y) * 16.0, fwidth(v.x) * 16.0, 1.0);",
     {1, 1, 1, 1}},
    {"", "if (v.x < 0.3) discard; gl_FragColor = vec4(1.0);", {0, 0, 0, 0}},
    {"",
     "gl_FragColor = vec4(0.0); for (int i = 0; i < 5; i++) { if (v.x * 16.0 < float(i)) break; if "
     "(i == 1) continue;"
     "gl_FragColor.x += 1.0; } gl_FragColor.yzw = vec3(0.0, 0.0, 1.0);",
     {4, 0, 0, 1}},
    {"struct S { vec2 a; float b[2]; };",
     "S s; s.a = v.xy; s.b[0] = 1.0; s.b[1] = 2.0; S t = s; gl_FragColor = vec4(t.a, t.b[1], "
     "t.b[0]);",
     {0.28125f, 0.65625f, 2, 1}},
    {"",
     "gl_FragColor = vec4(mod(7.5, 2.0 * v.w), fract(2.75 * v.w), floor(-1.5 * v.w), sign(-v.x));",
     {1.5f, 0.75f, -2, -1}},
    {"",
     "gl_FragColor = vec4(mix(1.0, 3.0, 0.5 * v.w), clamp(5.0, 0.0, v.w), step(0.5, v.y),"
     "smoothstep(0.0, 1.0, 0.5 * v.w));",
     {2, 1, 1, 0.5f}},
    {"uniform sampler2D t;", "gl_FragColor = texture2D(t, v.xy);", {0.2f, 0.4f, 0, 1}},
    {"uniform sampler2D t;",
     "gl_FragColor = texture2DProj(t, vec3(v.xy * 3.0, 3.0)) +"
     "texture2DProj(t, vec4(v.xy * 3.0, 9.0, 3.0));",
     {0.4f, 0.8f, 0, 2}},
    {"uniform sampler2D t;", "gl_FragColor = texture2D(t, v.xy + 0.5, 1.0);", {0.6f, 0, 0, 1}},
    {"uniform sampler2D t; uniform sampler2DShadow s;",
     "gl_FragColor = texture2D(t, v.xy) + shadow2D(s, vec3(v.xy, v.x)) * 4.0 +"
     "shadow2D(s, v.xyy) * 16.0;",
     {4.2f, 4.4f, 4, 5 + 16}},
    {"",
     "gl_FragColor = vec4(normalize(vec3(3.0, 0.0, 4.0) * v.w), length(vec2(3.0, 4.0)));",
     {0.6f, 0, 0.8f, 5}},
};

static void test_expressions(void **state)
{
    struct renderer *r = *state;
    static float pixels[SIZE][SIZE][4];
    unsigned failures = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        char text[2048];
        snprintf(text, sizeof text, "#version 120\nvarying vec4 v;\n%s\nvoid main() {\n%s\n}\n",
                 cases[i].declarations, cases[i].body);
        render(r, pass_through, text, NULL, 0, pixels);
        const float *got = pixels[10][4];
        bool equal = true;
        for (unsigned c = 0; c < 4; c++)
            equal &=
                fabsf(got[c] - cases[i].want[c]) <= 1e-4f * MAX2(fabsf(cases[i].want[c]), 1.0f);
        if (!equal) {
            print_error("%s\n  %g %g %g %g, not %g %g %g %g\n", cases[i].body, (double)got[0],
                        (double)got[1], (double)got[2], (double)got[3], (double)cases[i].want[0],
                        (double)cases[i].want[1], (double)cases[i].want[2],
                        (double)cases[i].want[3]);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

static void test_uniforms(void **state)
{
    struct renderer *r = *state;
    static float pixels[SIZE][SIZE][4];
    static const float block[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    void *mem_ctx = talloc_new(NULL);
    static const char fs[] = "#version 120\nvarying vec4 v; uniform vec4 a[3]; uniform float b;\n"
                             "void main() { gl_FragColor = a[int(v.y * 3.0)] + b; }\n";
    struct glsl_program *program = compile(mem_ctx, pass_through, fs);
    unsigned a = 0, b = 0;

    for (unsigned i = 0; i < program->num_uniforms; i++) {
        if (program->uniforms[i].name[0] == 'a')
            a = (unsigned)program->uniforms[i].offset / 4;
        else if (program->uniforms[i].name[0] == 'b')
            b = (unsigned)program->uniforms[i].offset / 4;
    }
    assert_true(program->default_block_size <= sizeof block);
    talloc_free(mem_ctx);
    render(r, pass_through, fs, block, sizeof block, pixels);
    for (unsigned c = 0; c < 4; c++) {
        assert_true(pixels[1][3][c] == block[a + c] + block[b]);
        assert_true(pixels[8][3][c] == block[a + 4 + c] + block[b]);
        assert_true(pixels[15][3][c] == block[a + 8 + c] + block[b]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_uniforms),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
