/* SPDX-License-Identifier: MIT */
/*
 * The linker and the HIR library in isolation. Builds HIR by hand, calls every overload of every
 * built-in function once, and validates the linked NIR. Also tests constant folding, types and
 * state slots.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <talloc.h>

#include "glsl/glsl_builtin_table.h"
#include "nir/nir_state_tokens.h"
#include "tool/compile_options.h"
#include "util/hash_table.h"

static const nir_shader_compiler_options nir_options = {.max_unroll_iterations = 32};

struct fixture {
    void *mem_ctx;
    struct glsl_options options;
    struct glsl_builtin_env env;
    struct glsl_shader *shader;
    struct hir_shader *hir;
    struct hir_signature *main;
};

static void fixture_init(struct fixture *f, enum shader_stage stage, unsigned version)
{
    *f = (struct fixture){.mem_ctx = talloc_new(NULL)};
    compile_options_fill(&f->options, false, version);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        f->options.nir_options[s] = &nir_options;
    f->env = (struct glsl_builtin_env){.options = &f->options,
                                       .stage = stage,
                                       .version = version,
                                       .compat = true,
                                       .enabled_extensions = f->options.extensions};
    f->shader = talloc_zero(f->mem_ctx, struct glsl_shader);
    f->hir = hir_shader_create(f->shader, stage);
    f->hir->version = version;
    f->shader->stage = stage;
    f->shader->version = version;
    f->shader->compiled = true;
    f->shader->hir = f->hir;
    struct hir_function *function = hir_alloc(f->hir, sizeof *function);
    function->name = "main";
    list_init(&function->signatures);
    list_addtail(&function->link, &f->hir->functions);
    hash_table_insert(f->hir->function_table, function->name, function);
    f->main = hir_alloc(f->hir, sizeof *f->main);
    f->main->function = function;
    f->main->return_type = glsl_void_type();
    f->main->defined = true;
    list_init(&f->main->body);
    list_addtail(&f->main->link, &function->signatures);
}

static void fixture_finish(struct fixture *f)
{
    talloc_free(f->mem_ctx);
}

static struct hir_variable *add_global(struct fixture *f, const struct glsl_type *type,
                                       const char *name, enum hir_variable_mode mode)
{
    struct hir_variable *var = hir_variable_create(f->hir, type, name, mode);
    var->used = var->assigned = true;
    list_addtail(&var->node.link, &f->hir->instructions);
    return var;
}

static void add_assign(struct fixture *f, struct hir_variable *to, struct hir_value *value)
{
    const struct glsl_type *t = to->type;
    unsigned mask = glsl_type_is_vector_or_scalar(t) ? BITFIELD_MASK(t->vector_elements) : 0;
    struct hir_assign *a = hir_assign_create(f->hir, hir_deref_var(f->hir, to), value, mask);
    list_addtail(&a->node.link, &f->main->body);
}

/* --- every built-in function --- */

struct overload {
    const struct glsl_type *type, *params[8];
    enum hir_variable_mode modes[8];
    unsigned count, id;
};

struct overloads {
    struct overload list[256];
    unsigned count;
};

static void add_overload(void *data, const struct glsl_type *return_type,
                         const struct glsl_type *const *params, const enum hir_variable_mode *modes,
                         unsigned count, unsigned id)
{
    struct overloads *o = data;
    assert_true(o->count < ARRAY_SIZE(o->list));
    struct overload *n = &o->list[o->count++];
    *n = (struct overload){.type = return_type, .count = count, .id = id};
    memcpy(n->params, params, count * sizeof *params);
    memcpy(n->modes, modes, count * sizeof *modes);
}

/* Returns an argument for a parameter: a variable, or a constant where the language requires
 * one. */
static struct hir_value *argument(struct fixture *f, const struct overload *o, unsigned i)
{
    const struct glsl_type *t = o->params[i];
    enum hir_variable_mode mode = HIR_VAR_UNIFORM;
    if (glsl_type_is_array(t))
        return &hir_const_create(f->hir, t)->base;
    if (o->modes[i] == HIR_VAR_FUNCTION_OUT)
        mode = HIR_VAR_GLOBAL;
    else if (o->modes[i] == HIR_VAR_BUFFER)
        mode = HIR_VAR_SHARED;
    else if (o->modes[i] == HIR_VAR_SHADER_IN)
        mode = HIR_VAR_SHADER_IN;
    char *name = talloc_asprintf(f->mem_ctx, "u%u", i);
    return hir_deref_var(f->hir, add_global(f, t, name, mode));
}

/* Fills in all arguments, with constants where they are required. */
static void fill_arguments(struct fixture *f, const struct overload *o, struct hir_value **args)
{
    unsigned which;
    for (unsigned i = 0; i < o->count; i++)
        args[i] = argument(f, o, i);
    while (glsl_builtin_check(f->hir, &f->env, o->id, args, o->count, &which)) {
        assert_int_not_equal(args[which]->node.kind, HIR_CONSTANT);
        struct hir_constant *c = hir_const_create(f->hir, o->params[which]);
        /* Never a cluster size of 0. */
        c->value[0].u32 = o->params[which]->base_type == GLSL_TYPE_UINT;
        args[which] = &c->base;
    }
}

static void call_overload(struct fixture *f, const struct overload *o)
{
    struct hir_value *args[8];
    fill_arguments(f, o, args);
    struct hir_value *value = glsl_builtin_call(f->hir, &f->env, o->id, args, o->count,
                                                &f->main->body, (struct glsl_loc){0});
    assert_true(!value == glsl_type_is_void(o->type));
    if (!value)
        return;
    assert_true(glsl_type_equal(value->type, o->type));
    if (f->shader->stage == SHADER_COMPUTE) /* no outputs; side effects keep the code */
        return;
    /* Stored to an output, so that it is not removed as unused. */
    struct hir_variable *result = add_global(f, o->type, "result", HIR_VAR_GLOBAL);
    add_assign(f, result, value);
    struct hir_variable *out = add_global(f, glsl_float_type(), "out0", HIR_VAR_SHADER_OUT);
    struct hir_value *same = hir_expr(f->hir, HIR_OP_ALL_EQUAL, NULL, hir_deref_var(f->hir, result),
                                      hir_deref_var(f->hir, result), NULL, NULL);
    add_assign(f, out, hir_expr(f->hir, HIR_OP_CONVERT, glsl_float_type(), same, NULL, NULL, NULL));
}

static void test_name(const char *name, enum shader_stage stage, unsigned version)
{
    struct overloads overloads = {.count = 0};
    struct fixture probe;
    fixture_init(&probe, stage, version);
    glsl_builtin_signatures(&probe.env, name, add_overload, &overloads);
    assert_int_equal(overloads.count > 0, glsl_builtin_function_exists(&probe.env, name));
    for (unsigned i = 0; i < overloads.count; i++) {
        struct fixture f;
        fixture_init(&f, stage, version);
        if (stage == SHADER_VERTEX) {
            struct hir_variable *pos =
                add_global(&f, glsl_vec4_type(), "gl_Position", HIR_VAR_SHADER_OUT);
            pos->builtin = true;
            pos->location = VARYING_SLOT_POS;
            add_assign(&f, pos, &hir_const_create(f.hir, glsl_vec4_type())->base);
        }
        f.hir->declared.local_size = true;
        f.hir->info.cs.workgroup_size[0] = f.hir->info.cs.workgroup_size[1] =
            f.hir->info.cs.workgroup_size[2] = 1;
        call_overload(&f, &overloads.list[i]);
        hir_validate(f.hir);
        struct glsl_link_input input = {.shaders = &f.shader, .num_shaders = 1};
        struct glsl_program *p = glsl_link(f.mem_ctx, &f.options, &input);
        if (!p->linked)
            print_message("%s: %s\n", name, p->info_log);
        assert_true(p->linked);
        nir_validate_shader(p->nir[stage], name);
        fixture_finish(&f);
    }
    fixture_finish(&probe);
}

static void test_functions(void **state)
{
    for (unsigned i = 0; i < glsl_builtin_name_count; i++) {
        test_name(glsl_builtin_names[i].name, SHADER_FRAGMENT, 460);
        test_name(glsl_builtin_names[i].name, SHADER_VERTEX, 130);
        test_name(glsl_builtin_names[i].name, SHADER_COMPUTE, 460);
    }
}

/* --- constants --- */

static float fold_float(struct fixture *f, const char *name, unsigned n, const double *args)
{
    struct overloads overloads = {.count = 0};
    struct list_head instructions;
    struct hir_value *values[8];
    list_init(&instructions);
    glsl_builtin_signatures(&f->env, name, add_overload, &overloads);
    for (unsigned i = 0; i < overloads.count; i++) {
        const struct overload *o = &overloads.list[i];
        bool scalar = o->count == n && o->type == glsl_float_type();
        for (unsigned k = 0; k < n && scalar; k++)
            scalar = o->params[k] == glsl_float_type();
        if (!scalar)
            continue;
        for (unsigned k = 0; k < n; k++) {
            struct hir_constant *arg = hir_const_create(f->hir, glsl_float_type());
            arg->value[0].f32 = (float)args[k];
            values[k] = &arg->base;
        }
        struct hir_value *v = glsl_builtin_call(f->hir, &f->env, o->id, values, n, &instructions,
                                                (struct glsl_loc){0});
        assert_int_equal(v->node.kind, HIR_CONSTANT);
        assert_true(list_is_empty(&instructions));
        return ((struct hir_constant *)v)->value[0].f32;
    }
    fail_msg("%s has no scalar overload", name);
    return 0;
}

static void test_folding(void **state)
{
    static const struct {
        const char *name;
        unsigned n;
        double args[3], value;
    } cases[] = {
        {"radians", 1, {180}, M_PI},
        {"sin", 1, {1}, 0.84147098},
        {"atan", 2, {1, -1}, 3 * M_PI / 4},
        {"pow", 2, {2, 10}, 1024},
        {"mod", 2, {-1, 3}, 2},
        {"clamp", 3, {5, 0, 2}, 2},
        {"mix", 3, {2, 4, 0.5}, 3},
        {"step", 2, {1, 2}, 1},
        {"smoothstep", 3, {0, 1, 0.5}, 0.5},
        {"length", 1, {-3}, 3},
        {"distance", 2, {1, 4}, 3},
        {"dot", 2, {3, 4}, 12},
        {"faceforward", 3, {1, 1, 1}, -1},
        {"reflect", 2, {1, 1}, -1},
        {"inversesqrt", 1, {4}, 0.5},
        {"fract", 1, {-0.25}, 0.75},
        {"roundEven", 1, {2.5}, 2},
        {"refract", 3, {1, 1, 0.5}, -1},
    };
    struct fixture f;
    fixture_init(&f, SHADER_FRAGMENT, 460);
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        float v = fold_float(&f, cases[i].name, cases[i].n, cases[i].args);
        if (fabs(v - cases[i].value) > 1e-5)
            fail_msg("%s gives %f, not %f", cases[i].name, v, cases[i].value);
    }
    fixture_finish(&f);
}

static struct hir_constant *make_matrix(struct fixture *f, unsigned n, const float *values)
{
    struct hir_constant *c = hir_const_create(f->hir, glsl_simple_type(GLSL_TYPE_FLOAT, n, n));
    for (unsigned i = 0; i < n * n; i++)
        c->value[i].f32 = values[i];
    return c;
}

static void test_matrices(void **state)
{
    static const float values[] = {2, 0, 1, 1, 3, 0, 0, 1, 4};
    struct fixture f;
    fixture_init(&f, SHADER_FRAGMENT, 460);
    struct hir_value *m = &make_matrix(&f, 3, values)->base;
    struct hir_value *inverse = hir_expr(f.hir, HIR_OP_INVERSE, NULL, m, NULL, NULL, NULL);
    struct hir_value *product =
        hir_expr(f.hir, HIR_OP_MUL, NULL, &make_matrix(&f, 3, values)->base, inverse, NULL, NULL);
    assert_ptr_equal(product->type, glsl_simple_type(GLSL_TYPE_FLOAT, 3, 3));
    struct hir_constant *c = hir_constant_value(f.hir, product);
    assert_non_null(c);
    for (unsigned i = 0; i < 9; i++)
        assert_true(fabsf(c->value[i].f32 - (i % 4 == 0)) < 1e-6f);
    fixture_finish(&f);
}

/* --- built-in variables --- */

static unsigned variables_seen;

static void check_variable(void *data, struct hir_variable *var)
{
    variables_seen++;
    assert_non_null(var->type);
    if (var->mode != HIR_VAR_UNIFORM)
        return;
    unsigned n = glsl_builtin_state_slots(var->name, var->type, NULL);
    nir_state_slot *slots = talloc_zero_array(NULL, nir_state_slot, n);
    assert_true(n > 0);
    assert_int_equal(glsl_builtin_state_slots(var->name, var->type, slots), n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_not_equal(slots[i].tokens[0], STATE_NONE);
        assert_true(slots[i].tokens[0] < STATE_TOKEN_COUNT);
    }
    talloc_free(slots);
}

static void check_type(void *data, const char *name, const struct glsl_type *type)
{
    assert_true(glsl_type_is_struct(type));
}

static bool want_position(void *data, const char *name)
{
    return !strcmp(name, "gl_Position");
}

static void test_variables(void **state)
{
    static const unsigned versions[] = {110, 120, 130, 460, 100, 300, 320};
    for (unsigned i = 0; i < ARRAY_SIZE(versions); i++) {
        for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
            struct fixture f;
            fixture_init(&f, s, versions[i]);
            f.env.es = i >= 4;
            variables_seen = 0;
            struct glsl_builtin_sink sink = {NULL, check_variable, check_type, NULL};
            glsl_builtin_variables(f.hir, &f.env, &sink);
            assert_true(variables_seen > (f.env.es ? 20 : 50));
            sink.wants = want_position;
            variables_seen = 0;
            glsl_builtin_variables(f.hir, &f.env, &sink);
            bool writes = s == SHADER_VERTEX || s == SHADER_TESS_EVAL || s == SHADER_GEOMETRY;
            assert_int_equal(variables_seen, writes);
            fixture_finish(&f);
        }
    }
}

/* --- types --- */

static void test_types(void **state)
{
    void *mem_ctx = talloc_new(NULL);
    const struct glsl_type *vec3 = glsl_vec_type(3), *mat3 = glsl_type_by_name("mat3");
    struct glsl_struct_field fields[] = {
        {.type = glsl_float_type(), .name = "a", .location = -1, .component = -1, .offset = -1},
        {.type = vec3, .name = "b", .location = -1, .component = -1, .offset = -1},
        {.type = mat3, .name = "c", .location = -1, .component = -1, .offset = -1},
    };
    const struct glsl_type *s = glsl_struct_type(mem_ctx, fields, 3, "S");
    const struct glsl_type *a = glsl_array_type(mem_ctx, s, 2, 0);
    assert_ptr_equal(glsl_type_by_name("mat4x4"), glsl_type_by_name("mat4"));
    assert_ptr_equal(glsl_type_by_name("mat2x3"), glsl_simple_type(GLSL_TYPE_FLOAT, 3, 2));
    assert_string_equal(glsl_array_type(mem_ctx, a, 5, 0)->name, "S[5][2]");
    assert_int_equal(glsl_std140_size(s, false), 80);
    assert_int_equal(glsl_std140_size(glsl_array_type(mem_ctx, glsl_float_type(), 3, 0), false),
                     48);
    assert_int_equal(glsl_std430_size(glsl_array_type(mem_ctx, glsl_float_type(), 3, 0), false),
                     12);
    assert_int_equal(glsl_packed_size(a), 2 * (4 + 12 + 36));
    assert_int_equal(glsl_count_attribute_slots(a, false), 10);
    assert_true(glsl_type_equal(a, glsl_type_clone(mem_ctx, a)));
    const struct glsl_type *laid_out = glsl_explicit_type(mem_ctx, a, false, true);
    assert_int_equal(laid_out->explicit_stride, 80);
    assert_int_equal(laid_out->element->fields[2].offset, 32);
    assert_int_equal(laid_out->element->fields[2].type->explicit_stride, 16);
    /* Huge sizes saturate. */
    const struct glsl_type *huge = glsl_array_type(mem_ctx, a, 0x7fffffff, 0);
    assert_int_equal(glsl_packed_size(glsl_array_type(mem_ctx, huge, 0x7fffffff, 0)), UINT32_MAX);
    talloc_free(mem_ctx);
}

/* --- interfaces of whole programs --- */

static struct glsl_program *link_texts(struct fixture *f, const char *vs, const char *fs,
                                       struct glsl_link_input *input)
{
    struct glsl_shader *shaders[] = {
        glsl_compile(f->mem_ctx, &f->options, SHADER_VERTEX, vs, strlen(vs)),
        glsl_compile(f->mem_ctx, &f->options, SHADER_FRAGMENT, fs, strlen(fs)),
    };
    assert_true(shaders[0]->compiled && shaders[1]->compiled);
    input->shaders = shaders;
    input->num_shaders = 2;
    struct glsl_program *p = glsl_link(f->mem_ctx, &f->options, input);
    talloc_free(shaders[0]); /* the program does not need them any more */
    talloc_free(shaders[1]);
    return p;
}

static const struct glsl_uniform *uniform_named(const struct glsl_program *p, const char *name)
{
    for (unsigned i = 0; i < p->num_uniforms; i++) {
        if (!strcmp(p->uniforms[i].name, name))
            return &p->uniforms[i];
    }
    fail_msg("no uniform %s", name);
    return NULL;
}

static const char interface_vs[] =
    "#version 120\n"
    "struct S { float f; sampler2D s; vec3 v[2]; };\n"
    "uniform S u[2]; uniform mat3 m = mat3(2.0); uniform float unused;\n"
    "attribute vec4 first; attribute mat2 second; attribute vec3 third;\n"
    "varying vec2 a; varying vec4 b[3]; varying float never; varying vec3 lost;\n"
    "void main() {\n"
    "  gl_Position = first + vec4(second * third.xy, 0.0, 0.0) + texture2D(u[1].s, third.yz);\n"
    "  a = m[1].xy + u[1].v[1].xy; b[1] = vec4(u[0].f); b[0] = b[2] = vec4(1.0);\n"
    "  lost = vec3(1.0); gl_FrontColor = gl_LightSource[2].diffuse;\n"
    "}\n";
static const char interface_fs[] =
    "#version 120\n"
    "varying vec2 a; varying vec4 b[3]; uniform sampler2D t[2];\n"
    "void main() { gl_FragColor = texture2D(t[1], a) + b[2] + gl_Color; }\n";

static void test_interfaces(void **state)
{
    static const struct glsl_binding attribs[] = {{"third", 0, 0}, {"second", 3, 0}};
    struct fixture f;
    fixture_init(&f, SHADER_VERTEX, 120);
    struct glsl_link_input input = {.attribs = attribs, .num_attribs = 2};
    struct glsl_program *p = link_texts(&f, interface_vs, interface_fs, &input);
    assert_true(p->linked);
    for (unsigned i = 0; i < p->num_inputs; i++) {
        const struct glsl_attrib *a = &p->inputs[i];
        int expected = !strcmp(a->name, "third") ? 0 : !strcmp(a->name, "second") ? 3 : 1;
        assert_int_equal(a->location, expected);
        assert_int_equal(a->slot, VERT_ATTRIB_GENERIC0 + expected);
    }
    assert_int_equal(p->num_inputs, 3);
    assert_int_equal(uniform_named(p, "u[1].s")->opaque_index[SHADER_VERTEX], 1);
    assert_int_equal(uniform_named(p, "t[0]")->opaque_index[SHADER_FRAGMENT], 0);
    assert_int_equal(uniform_named(p, "t[0]")->array_size, 2);
    const struct glsl_uniform *v = uniform_named(p, "u[1].v[0]");
    assert_int_equal(v->offset, uniform_named(p, "u[0].f")->offset + 28 + 4);
    assert_int_equal(v->array_stride, 12);
    float initial[9];
    memcpy(initial, uniform_named(p, "m")->initial, sizeof initial);
    assert_true(initial[0] == 2 && initial[1] == 0 && initial[4] == 2 && initial[8] == 2);
    const struct glsl_uniform *light = uniform_named(p, "gl_LightSource[2].diffuse");
    assert_int_equal(light->location, -1);
    assert_int_equal(light->num_state_slots, 1);
    assert_int_equal(light->state_slots[0].tokens[0], STATE_LIGHT);
    assert_int_equal(light->state_slots[0].tokens[1], 2);
    assert_int_equal(light->state_slots[0].tokens[2], STATE_LIGHT_DIFFUSE);
    for (unsigned i = 0; i < p->num_locations; i++)
        assert_true(p->location_to_uniform[i] >= 0);
    nir_foreach_shader_out_variable(var, p->nir[SHADER_VERTEX])
        assert_string_not_equal(var->name, "lost");
    fixture_finish(&f);
}

/* Names in the program's interface refer to one object (GLSL 4.60 §4.3.9); images have one
 * format. */
static void test_shared_names(void **state)
{
    static const struct {
        const char *vs, *fs;
        bool linked;
    } cases[] = {
        {"uniform B { vec4 a; } x; void main() { gl_Position = x.a; }",
         "uniform B { vec4 a; } y; out vec4 o; void main() { o = y.a; }", true},
        {"uniform B { vec4 a; } x; void main() { gl_Position = x.a; }",
         "uniform vec4 x; out vec4 o; void main() { o = x; }", true},
        {"uniform B { vec4 a; } x; void main() { gl_Position = x.a; }",
         "uniform B { vec4 a; }; out vec4 o; void main() { o = a; }", false},
        {"uniform B { vec4 a; }; void main() { gl_Position = a; }",
         "uniform vec4 a; out vec4 o; void main() { o = a; }", false},
        {"uniform B { vec4 a; }; void main() { gl_Position = a; }",
         "uniform C { vec4 a; }; out vec4 o; void main() { o = a; }", false},
        {"layout(r32f) uniform image2D i; void main() { gl_Position = imageLoad(i, ivec2(0)); }",
         "layout(r32f) uniform image2D i; out vec4 o; void main() { o = imageLoad(i, ivec2(0)); }",
         true},
        {"layout(r32f) uniform image2D i; void main() { gl_Position = imageLoad(i, ivec2(0)); }",
         "layout(rg32f) uniform image2D i; out vec4 o; void main() { o = imageLoad(i, ivec2(0)); }",
         false},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
        struct fixture f;
        struct glsl_link_input input = {0};
        fixture_init(&f, SHADER_VERTEX, 450);
        const char *vs = talloc_asprintf(f.mem_ctx, "#version 450\n%s\n", cases[i].vs);
        const char *fs = talloc_asprintf(f.mem_ctx, "#version 450\n%s\n", cases[i].fs);
        if (link_texts(&f, vs, fs, &input)->linked != cases[i].linked)
            fail_msg("case %u", i);
        fixture_finish(&f);
    }
}

/* Uniforms that do not affect the result remain active. */
static void test_kept_uniforms(void **state)
{
    struct fixture f;
    struct glsl_link_input input = {0};
    fixture_init(&f, SHADER_VERTEX, 120);
    struct glsl_program *p = link_texts(
        &f, "#version 120\nvoid main() { gl_Position = vec4(0.0); }",
        "#version 120\n"
        "struct S { float f; sampler2D s; }; struct T { S a[2]; float f; };\n"
        "uniform T u; uniform int zero; uniform vec2 initial = vec2(1.0, 2.0); uniform float no;\n"
        "const vec4 colors[1] = vec4[1](vec4(0.0));\n"
        "vec4 inner(S s, float f) { return texture2D(s.s, vec2(f)) * s.f; }\n"
        "vec4 outer(T t) { return inner(t.a[1], t.f); }\n"
        "void main() { gl_FragColor = colors[zero] + outer(u); }",
        &input);
    assert_true(p->linked);
    assert_int_equal(uniform_named(p, "u.a[1].s")->opaque_index[SHADER_FRAGMENT], 1);
    assert_true(uniform_named(p, "u.a[1].f")->stages);
    assert_true(uniform_named(p, "u.f")->stages);
    assert_true(uniform_named(p, "zero")->location >= 0);
    assert_non_null(uniform_named(p, "initial")->initial);
    for (unsigned i = 0; i < p->num_uniforms; i++)
        assert_string_not_equal(p->uniforms[i].name, "no");
    fixture_finish(&f);
}

static void test_transform_feedback(void **state)
{
    static const char *const varyings[] = {"b[1]", "gl_SkipComponents2", "never", "gl_Position",
                                           "a"};
    struct fixture f;
    fixture_init(&f, SHADER_VERTEX, 120);
    f.options.limits.max_transform_feedback_buffers = 4;
    f.options.limits.max_transform_feedback_components = 64;
    struct glsl_link_input input = {.xfb_varyings = varyings, .num_xfb_varyings = 5};
    struct glsl_program *p = link_texts(&f, interface_vs, interface_fs, &input);
    assert_true(p->linked);
    assert_int_equal(p->num_xfb, 5);
    assert_int_equal(p->xfb[0].num_components, 4);
    assert_null(p->xfb[1].type);
    assert_int_equal(p->xfb[2].offset, 24);
    assert_in_range(p->xfb[2].slot, VARYING_SLOT_VAR0, VARYING_SLOT_VAR31);
    assert_int_equal(p->xfb[3].slot, VARYING_SLOT_POS);
    assert_int_equal(p->xfb[4].num_components, 2);
    assert_int_equal(p->xfb_stride[0], 16 + 8 + 4 + 16 + 8);
    static const char *const wrong[] = {"b[3]", "nothing", "a[0]", "b[x]", "", "b[1][2]"};
    for (unsigned i = 0; i < ARRAY_SIZE(wrong); i++) {
        input = (struct glsl_link_input){.xfb_varyings = &wrong[i], .num_xfb_varyings = 1};
        assert_false(link_texts(&f, interface_vs, interface_fs, &input)->linked);
    }
    fixture_finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_folding),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_interfaces),
        cmocka_unit_test(test_shared_names),
        cmocka_unit_test(test_kept_uniforms),
        cmocka_unit_test(test_transform_feedback),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
