/* SPDX-License-Identifier: MIT */
/*
 * Built-in functions on values. Each is called with constants, which the GLSL front end folds, and
 * with variables, which NIR folds once their values are known. Both results are compared with
 * double precision.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <talloc.h>

#include "glsl_test.h"
#include "glsl/hir.h"
#include "util/strbuf.h"

struct row {
    const char *type, *name; /* return type and function */
    const char *args[4];     /* "type value" */
    double expected[4];
};

#define F1(name, x, ...)                                                                           \
    {                                                                                              \
        "float", name, {"float " #x},                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define F2(name, x, y, ...)                                                                        \
    {                                                                                              \
        "float", name, {"float " #x, "float " #y},                                                 \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define F3(name, x, y, z, ...)                                                                     \
    {                                                                                              \
        "float", name, {"float " #x, "float " #y, "float " #z},                                    \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define D1(name, x, ...)                                                                           \
    {                                                                                              \
        "double", name, {"double " #x "lf"},                                                       \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define D2(name, x, y, ...)                                                                        \
    {                                                                                              \
        "double", name, {"double " #x "lf", "double " #y "lf"},                                    \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define I1(name, x, ...)                                                                           \
    {                                                                                              \
        "int", name, {"int " #x},                                                                  \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define I2(name, x, y, ...)                                                                        \
    {                                                                                              \
        "int", name, {"int " #x, "int " #y},                                                       \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define U1(name, x, ...)                                                                           \
    {                                                                                              \
        "uint", name, {"uint " #x "u"},                                                            \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define U2(name, x, y, ...)                                                                        \
    {                                                                                              \
        "uint", name, {"uint " #x "u", "uint " #y "u"},                                            \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct row rows[] = {
    /* GLSL 4.60 §8.1 */
    F1("radians", 90.0, M_PI_2),
    F1("degrees", 2.0, 360 / M_PI),
    F1("sin", 1.25, 0.94898461935558621),
    F1("cos", 1.25, 0.31532236239526867),
    F1("tan", 1.25, 3.0095696738628313),
    F1("asin", -0.75, -0.84806207898148100),
    F1("acos", -0.75, 2.4188584057763777),
    F1("atan", -3.5, -1.2924966677897853),
    F2("atan", 2.0, -3.0, 2.5535900500422257),
    F1("sinh", 1.5, 2.1292794550948175),
    F1("cosh", 1.5, 2.3524096152432472),
    F1("tanh", 0.5, 0.46211715726000975),
    F1("asinh", 2.0, 1.4436354751788103),
    F1("acosh", 2.0, 1.3169578969248167),
    F1("atanh", 0.5, 0.54930614433405485),
    /* §8.2 */
    F2("pow", 2.5, 3.0, 15.625),
    F1("exp", 1.5, 4.4816890703380645),
    F1("log", 10.0, 2.3025850929940457),
    F1("exp2", 3.5, 11.313708498984761),
    F1("log2", 10.0, 3.3219280948873623),
    F1("sqrt", 2.0, M_SQRT2),
    F1("inversesqrt", 4.0, 0.5),
    D1("sqrt", 2.0, M_SQRT2),
    D1("inversesqrt", 16.0, 0.25),
    /* §8.3 */
    F1("abs", -2.5, 2.5),
    I1("abs", -7, 7),
    D1("abs", -2.5, 2.5),
    F1("sign", -2.5, -1),
    I1("sign", -7, -1),
    F1("floor", -2.5, -3),
    D1("floor", -2.5, -3),
    F1("trunc", -2.5, -2),
    F1("round", 3.75, 4),
    F1("roundEven", 2.5, 2),
    D1("roundEven", 3.5, 4),
    F1("ceil", -2.5, -2),
    F1("fract", -2.25, 0.75),
    D1("fract", -2.25, 0.75),
    F2("mod", -7.0, 3.0, 2),
    D2("mod", -7.0, 3.0, 2),
    F2("min", 2.0, -1.0, -1),
    I2("min", 2, -1, -1),
    U2("min", 2, 7, 2),
    D2("min", 2.0, -1.0, -1),
    F2("max", 2.0, -1.0, 2),
    I2("max", 2, -1, 2),
    U2("max", 2, 7, 7),
    F3("clamp", 2.5, 0.0, 1.0, 1),
    {"ivec2", "clamp", {"ivec2 ivec2(-5, 5)", "int -2", "int 3"}, {-2, 3}},
    {"uvec2", "clamp", {"uvec2 uvec2(1, 9)", "uint 2u", "uint 3u"}, {2, 3}},
    F3("mix", 2.0, 4.0, 0.25, 2.5),
    {"vec2", "mix", {"vec2 vec2(1, 2)", "vec2 vec2(3, 4)", "bvec2 bvec2(true, false)"}, {3, 2}},
    {"ivec2",
     "mix",
     {"ivec2 ivec2(1, 2)", "ivec2 ivec2(3, 4)", "bvec2 bvec2(false, true)"},
     {1, 4}},
    {"bvec2",
     "mix",
     {"bvec2 bvec2(true, true)", "bvec2 bvec2(false, false)", "bvec2 bvec2(false, true)"},
     {1, 0}},
    F2("step", 2.0, 1.5, 0),
    F2("step", 2.0, 2.0, 1),
    F3("smoothstep", 0.0, 2.0, 0.5, 0.15625),
    {"bool", "isnan", {"float 1.0"}, {0}},
    {"bool", "isinf", {"float 1.0"}, {0}},
    {"int", "floatBitsToInt", {"float -2.0"}, {-1073741824.0}},
    {"uint", "floatBitsToUint", {"float 1.0"}, {1065353216.0}},
    {"float", "intBitsToFloat", {"int 0x40490fdb"}, {M_PI}},
    {"float", "uintBitsToFloat", {"uint 0x3fc00000u"}, {1.5}},
    F3("fma", 2.0, 3.0, 4.0, 10),
    {"double", "fma", {"double 2.0lf", "double 3.0lf", "double 4.0lf"}, {10}},
    {"float", "ldexp", {"float 0.75", "int 4"}, {12}},
    {"double", "ldexp", {"double 0.75lf", "int -2"}, {0.1875}},
    F3("min3", 3.0, 1.0, 2.0, 1),
    F3("max3", 3.0, 1.0, 2.0, 3),
    F3("mid3", 3.0, 1.0, 2.0, 2),
    {"int", "mid3", {"int -3", "int 5", "int 0"}, {0}},
    /* §8.4 */
    {"uint", "packUnorm2x16", {"vec2 vec2(0.0, 1.0)"}, {4294901760.0}},
    {"uint", "packSnorm2x16", {"vec2 vec2(1.0, -1.0)"}, {2147581951.0}},
    {"uint", "packUnorm4x8", {"vec4 vec4(0.0, 1.0, 0.5, 0.0)"}, {0x0080ff00}},
    {"uint", "packSnorm4x8", {"vec4 vec4(1.0, -1.0, 0.0, 0.0)"}, {0x0000817f}},
    {"vec2", "unpackUnorm2x16", {"uint 0xffff0000u"}, {0, 1}},
    {"vec2", "unpackSnorm2x16", {"uint 0x80017fffu"}, {1, -1}},
    {"vec4", "unpackUnorm4x8", {"uint 0xff00ff00u"}, {0, 1, 0, 1}},
    {"vec4", "unpackSnorm4x8", {"uint 0x0000817fu"}, {1, -1, 0, 0}},
    {"uint", "packHalf2x16", {"vec2 vec2(1.0, 0.0)"}, {0x3c00}},
    {"vec2", "unpackHalf2x16", {"uint 0xc0003c00u"}, {1, -2}},
    {"double", "packDouble2x32", {"uvec2 uvec2(0u, 0x3ff80000u)"}, {1.5}},
    {"uvec2", "unpackDouble2x32", {"double 1.5lf"}, {0, 0x3ff80000}},
    /* §8.5 */
    {"float", "length", {"vec3 vec3(2, 3, 6)"}, {7}},
    {"double", "length", {"dvec3 dvec3(2, 3, 6)"}, {7}},
    {"float", "distance", {"vec2 vec2(1, 2)", "vec2 vec2(4, 6)"}, {5}},
    {"float", "dot", {"vec4 vec4(1, 2, 3, 4)", "vec4 vec4(5, 6, 7, 8)"}, {70}},
    {"double", "dot", {"dvec2 dvec2(1, 2)", "dvec2 dvec2(5, 6)"}, {17}},
    {"vec3", "cross", {"vec3 vec3(1, 2, 3)", "vec3 vec3(4, 5, 7)"}, {-1, 5, -3}},
    {"vec2", "normalize", {"vec2 vec2(3, 4)"}, {0.6, 0.8}},
    {"vec2", "faceforward", {"vec2 vec2(1, 2)", "vec2 vec2(1, 0)", "vec2 vec2(1, 0)"}, {-1, -2}},
    {"vec2", "reflect", {"vec2 vec2(1, -1)", "vec2 vec2(0, 1)"}, {1, 1}},
    {"vec2", "refract", {"vec2 vec2(0, -1)", "vec2 vec2(0, 1)", "float 0.5"}, {0, -1}},
    /* §8.6 */
    {"float", "determinant", {"mat2 mat2(1, 2, 3, 4)"}, {-2}},
    {"double", "determinant", {"dmat2 dmat2(1, 2, 3, 4)"}, {-2}},
    {"vec2", "outerProduct(vec2(1, 2), vec2(3, 4))[1] + ", {"vec2 vec2(0)"}, {4, 8}},
    {"vec2", "transpose(mat2(1, 2, 3, 4))[0] + ", {"vec2 vec2(0)"}, {1, 3}},
    {"vec2", "inverse(mat2(1, 2, 3, 4))[0] + ", {"vec2 vec2(0)"}, {-2, 1}},
    {"vec2", "matrixCompMult(mat2(1, 2, 3, 4), mat2(2))[0] + ", {"vec2 vec2(0)"}, {2, 0}},
    /* §8.7 */
    {"bvec2", "lessThan", {"vec2 vec2(1, 2)", "vec2 vec2(2, 2)"}, {1, 0}},
    {"bvec2", "lessThanEqual", {"ivec2 ivec2(1, 3)", "ivec2 ivec2(1, 2)"}, {1, 0}},
    {"bvec2", "greaterThan", {"uvec2 uvec2(1, 3)", "uvec2 uvec2(1, 2)"}, {0, 1}},
    {"bvec2", "greaterThanEqual", {"dvec2 dvec2(1, 3)", "dvec2 dvec2(1, 4)"}, {1, 0}},
    {"bvec2", "equal", {"bvec2 bvec2(true, false)", "bvec2 bvec2(true, true)"}, {1, 0}},
    {"bvec2", "notEqual", {"vec2 vec2(1, 2)", "vec2 vec2(2, 2)"}, {1, 0}},
    {"bool", "any", {"bvec2 bvec2(true, false)"}, {1}},
    {"bool", "all", {"bvec2 bvec2(true, false)"}, {0}},
    {"bvec2", "not", {"bvec2 bvec2(true, false)"}, {0, 1}},
    /* §8.8 */
    {"int", "bitfieldExtract", {"int -256", "int 4", "int 8"}, {-16}},
    {"uint", "bitfieldExtract", {"uint 0xabcdu", "int 4", "int 8"}, {0xbc}},
    {"uint", "bitfieldInsert", {"uint 0xffffu", "uint 0u", "int 4", "int 8"}, {0xf00f}},
    {"uint", "bitfieldReverse", {"uint 0x30u"}, {0x0c000000}},
    {"int", "bitCount", {"int -1"}, {32}},
    {"int", "bitCount", {"uint 0x70u"}, {3}},
    {"int", "findLSB", {"int 40"}, {3}},
    {"int", "findLSB", {"uint 0u"}, {-1}},
    {"int", "findMSB", {"int -8"}, {2}},
    {"int", "findMSB", {"uint 0x80000000u"}, {31}},
    {"int", "findMSB", {"int -1"}, {-1}},
    /* GL_INTEL_shader_integer_functions2. */
    {"uint", "countLeadingZeros", {"uint 0x00ffu"}, {24}},
    {"uint", "countLeadingZeros", {"uint 0u"}, {32}},
    {"uint", "countTrailingZeros", {"uint 0xff00u"}, {8}},
    {"uint", "countTrailingZeros", {"uint 0u"}, {32}},
    {"uvec2", "countLeadingZeros", {"uvec2 uvec2(0x00ffu, 0u)"}, {24, 32}},
    {"uvec3", "countTrailingZeros", {"uvec3 uvec3(0xff00u, 0u, 0x80000000u)"}, {8, 32, 31}},
    {"uvec2", "absoluteDifference", {"ivec2 ivec2(-3, 5)", "ivec2 ivec2(4, 2)"}, {7, 3}},
    {"uint", "absoluteDifference", {"int 0x7fffffff", "int 0x80000000"}, {4294967295.0}},
    {"uint", "absoluteDifference", {"uint 1u", "uint 0xffffffffu"}, {4294967294.0}},
    {"ivec2", "addSaturate", {"ivec2 ivec2(0x7ffffffe, 1)", "ivec2 ivec2(3, 2)"}, {2147483647, 3}},
    {"int", "addSaturate", {"int -2147483647", "int -2"}, {-2147483648.0}},
    {"uint", "addSaturate", {"uint 0xfffffffeu", "uint 3u"}, {4294967295.0}},
    {"int", "subtractSaturate", {"int 5", "int 0x80000000"}, {2147483647}},
    {"int", "subtractSaturate", {"int -5", "int 0x7fffffff"}, {-2147483648.0}},
    {"int", "subtractSaturate", {"int -1", "int 0x80000000"}, {2147483647}},
    {"uint", "subtractSaturate", {"uint 2u", "uint 3u"}, {0}},
    {"int", "average", {"int -3", "int -4"}, {-4}},
    {"int", "averageRounded", {"int -3", "int -4"}, {-3}},
    {"uint", "average", {"uint 0xffffffffu", "uint 0xfffffffeu"}, {4294967294.0}},
    {"uint", "averageRounded", {"uint 0xffffffffu", "uint 0xfffffffeu"}, {4294967295.0}},
    {"int", "multiply32x16", {"int 100000", "int 0x1ffff"}, {-100000}},
    {"uint", "multiply32x16", {"uint 3u", "uint 0x1ffffu"}, {196605}},
    /* AMD_gpu_shader_half_float: results are rounded to half precision. */
    {"float16_t", "radians", {"float16_t 90.0hf"}, {1.5703125}},
    {"float16_t", "sin", {"float16_t 1.25hf"}, {0.94921875}},
    {"float16_t", "atan", {"float16_t 2.0hf", "float16_t -3.0hf"}, {2.552734375}},
    {"float16_t", "exp", {"float16_t 1.5hf"}, {4.48046875}},
    {"float16_t", "exp2", {"float16_t 15.0hf"}, {32768}},
    {"float16_t", "pow", {"float16_t 2.5hf", "float16_t 3.0hf"}, {15.625}},
    {"float16_t", "sqrt", {"float16_t 2.0hf"}, {1.4140625}},
    {"float16_t", "inversesqrt", {"float16_t 10.0hf"}, {0.316162109375}},
    {"float16_t", "fract", {"float16_t -0.0001hf"}, {1}},
    {"float16_t", "mod", {"float16_t -2.5hf", "float16_t 4.0hf"}, {1.5}},
    {"float16_t", "round", {"float16_t 2.5hf"}, {2}},
    {"f16vec2", "clamp", {"f16vec2 f16vec2(-1, 9)", "float16_t 0.0hf", "float16_t 3.0hf"}, {0, 3}},
    {"f16vec2",
     "mix",
     {"f16vec2 f16vec2(1, 2)", "f16vec2 f16vec2(3, 4)", "bvec2 bvec2(true, false)"},
     {3, 2}},
    {"float16_t",
     "mix",
     {"float16_t 1.0hf", "float16_t 2.0hf", "float16_t 0.333hf"},
     {1.3330078125}},
    {"float16_t",
     "smoothstep",
     {"float16_t 0.0hf", "float16_t 3.0hf", "float16_t 1.0hf"},
     {0.259277343750}},
    {"float16_t", "mid3", {"float16_t 3.0hf", "float16_t 1.0hf", "float16_t 2.0hf"}, {2}},
    /* 2049 lies between two half floats; the addend is lost in single precision. */
    {"float16_t", "fma", {"float16_t 683.0hf", "float16_t 3.0hf", "float16_t 1.0e-7hf"}, {2050}},
    {"float16_t",
     "fma",
     {"float16_t 1.0009765625hf", "float16_t 1.0009765625hf", "float16_t -1.0hf"},
     {0.001953125}},
    {"float16_t", "ldexp", {"float16_t 1.5hf", "int -25"}, {5.9604644775390625e-08}},
    {"uint", "packFloat2x16", {"f16vec2 f16vec2(1, -2)"}, {0xc0003c00u}},
    {"f16vec2", "unpackFloat2x16", {"uint 0x7bff0001u"}, {5.9604644775390625e-08, 65504}},
    {"float16_t", "length", {"f16vec3 f16vec3(300, 400, 0)"}, {500}},
    {"float16_t", "dot", {"f16vec3 f16vec3(1, 2, 3)", "f16vec3 f16vec3(4, 5, 0.1hf)"}, {14.296875}},
    {"f16vec3", "cross", {"f16vec3 f16vec3(1, 0, 0)", "f16vec3 f16vec3(0, 1, 0)"}, {0, 0, 1}},
    {"f16vec2", "normalize", {"f16vec2 f16vec2(3, 4)"}, {0.60009765625, 0.7998046875}},
    {"bvec2", "lessThan", {"f16vec2 f16vec2(1, 2)", "f16vec2 f16vec2(2, 1)"}, {1, 0}},
    {"bool", "isinf", {"float16_t 70000.0hf"}, {1}},
    {"float16_t", "determinant", {"f16mat2 f16mat2(1, 2, 3, 4)"}, {-2}},
    {"float", "float", {"float16_t 0.1hf"}, {0.0999755859375}},
    {"float16_t", "float16_t", {"float 2049.0003"}, {2050}},
    {"float16_t", "float16_t", {"double 2049.0000000001lf"}, {2050}},
    {"float16_t", "float16_t", {"double 2048.9999999999lf"}, {2048}},
    {"float16_t", "float16_t", {"int64_t 2049L"}, {2048}},
    {"float16_t", "float16_t", {"bool true"}, {1}},
    {"int", "int", {"float16_t -7.9hf"}, {-7}},
};

static const char preamble[] = "#version 450 compatibility\n"
                               "#extension GL_AMD_shader_trinary_minmax: enable\n"
                               "#extension GL_INTEL_shader_integer_functions2: enable\n"
                               "#extension GL_ARB_gpu_shader_int64: enable\n"
                               "#extension GL_AMD_gpu_shader_half_float: enable\n";

static struct glsl_shader *compile(void *mem_ctx, const struct glsl_options *o, const char *text)
{
    struct glsl_shader *shader = glsl_compile(mem_ctx, o, SHADER_FRAGMENT, text, strlen(text));
    if (!shader->compiled)
        fail_msg("%s\n%s", text, shader->info_log);
    return shader;
}

static double component(const struct hir_constant *c, unsigned i)
{
    switch (c->base.type->base_type) {
    case GLSL_TYPE_DOUBLE:
        return c->value[i].f64;
    case GLSL_TYPE_FLOAT:
    case GLSL_TYPE_FLOAT16:
        return c->value[i].f32;
    case GLSL_TYPE_INT:
        return c->value[i].i32;
    case GLSL_TYPE_UINT:
        return c->value[i].u32;
    case GLSL_TYPE_BOOL:
        return c->value[i].b;
    default:
        return NAN;
    }
}

static void expect(const struct row *row, const char *how, unsigned i, double value)
{
    double e = row->expected[i];
    if (!(fabs(value - e) <= 1e-6 + fabs(e) * 1e-5))
        fail_msg("%s %s(%s …), %s: component %u is %.9g, not %.9g", row->type, row->name,
                 row->args[0], how, i, value, e);
}

/* Checks const T r = f(constants); */
static void check_folded(void *mem_ctx, const struct glsl_options *o, const struct row *row)
{
    struct strbuf sb = STRBUF_INIT(mem_ctx);
    strbuf_printf(&sb, "%sconst %s r = %s(", preamble, row->type, row->name);
    for (unsigned i = 0; i < 4 && row->args[i]; i++)
        strbuf_printf(&sb, "%s%s", i ? ", " : "", strchr(row->args[i], ' ') + 1);
    strbuf_printf(&sb, ");\nout vec4 o; void main() { %s x = r; o = vec4(x == r); }\n", row->type);
    struct glsl_shader *shader = compile(mem_ctx, o, strbuf_str(&sb));
    bool found = false;
    list_for_each_entry (struct hir_node, node, &shader->hir->instructions, link) {
        struct hir_variable *var = (struct hir_variable *)node;
        if (node->kind != HIR_VARIABLE || strcmp(var->name, "r"))
            continue;
        found = true;
        assert_non_null(var->constant_value);
        for (unsigned i = 0; i < var->type->vector_elements; i++)
            expect(row, "folded", i, component(var->constant_value, i));
    }
    assert_true(found);
}

/* Returns the constant that the only store to an output writes. */
static const nir_const_value *stored(nir_shader *nir)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic == nir_intrinsic_store_deref && nir_src_is_const(intr->src[1]))
                return nir_src_as_const_value(intr->src[1]);
        }
    }
    return NULL;
}

/* Checks T0 a = …; out = f(a, …); as folded by NIR. */
static void check_linked(void *mem_ctx, const struct glsl_options *o, const struct row *row)
{
    static const char *const conversions[] = {"vec4(r, 0, 0, 0)", "vec4(r, 0, 0)", "vec4(r, 0)",
                                              "vec4(r)"};
    unsigned n = glsl_type_by_name(row->type)->vector_elements;
    struct strbuf sb = STRBUF_INIT(mem_ctx);
    strbuf_printf(&sb, "%sout vec4 o; void main() {\n", preamble);
    for (unsigned i = 0; i < 4 && row->args[i]; i++) {
        const char *space = strchr(row->args[i], ' ');
        strbuf_printf(&sb, "%.*s a%u = %s;\n", (int)(space - row->args[i]), row->args[i], i,
                      space + 1);
    }
    strbuf_printf(&sb, "%s r = %s(", row->type, row->name);
    for (unsigned i = 0; i < 4 && row->args[i]; i++)
        strbuf_printf(&sb, "%sa%u", i ? ", " : "", i);
    strbuf_printf(&sb, ");\no = %s;\n}\n", conversions[n - 1]);
    struct glsl_shader *shader = compile(mem_ctx, o, strbuf_str(&sb));
    struct glsl_link_input input = {.shaders = &shader, .num_shaders = 1};
    struct glsl_program *p = glsl_link(mem_ctx, o, &input);
    if (!p->linked)
        fail_msg("%s\n%s", strbuf_str(&sb), p->info_log);
    const nir_const_value *v = stored(p->nir[SHADER_FRAGMENT]);
    if (!v)
        fail_msg("%s is not folded", strbuf_str(&sb));
    for (unsigned i = 0; i < n; i++)
        expect(row, "as NIR", i, v[i].f32);
}

static struct glsl_options capable_options(void)
{
    struct glsl_options o = test_options(false);
    o.max_version = 460;
    return o;
}

static void test_values(void **state)
{
    struct glsl_options o = capable_options();
    for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
        void *mem_ctx = talloc_new(NULL);
        check_folded(mem_ctx, &o, &rows[i]);
        check_linked(mem_ctx, &o, &rows[i]);
        talloc_free(mem_ctx);
    }
}

/* Functions with out parameters, and int64: each body sets `good` to true if the results are
 * right. */
static void test_statements(void **state)
{
    static const char *const bodies[] = {
        "float i; float f = modf(-2.75, i); good = f == -0.75 && i == -2.0;",
        "double i; double f = modf(2.75lf, i); good = f == 0.75lf && i == 2.0lf;",
        "int e; float s = frexp(-12.0, e); good = s == -0.75 && e == 4;",
        "int e; double s = frexp(0.375lf, e); good = s == 0.75lf && e == -1;",
        "uint c; uint s = uaddCarry(0xffffffffu, 2u, c); good = s == 1u && c == 1u;",
        "uint b; uint d = usubBorrow(1u, 2u, b); good = d == 0xffffffffu && b == 1u;",
        "uint h, l; umulExtended(0x80000000u, 6u, h, l); good = h == 3u && l == 0u;",
        "int h, l; imulExtended(-2, 3, h, l); good = h == -1 && l == -6;",
        "bvec2 n = isnan(vec2(0.0, 1.0)); good = !any(n);",
        "float16_t i; float16_t f = modf(-2.75hf, i); good = f == -0.75hf && i == -2.0hf;",
        "ivec2 e; f16vec2 s = frexp(f16vec2(-12, 0.000000059604644775390625hf), e);\n"
        "good = s == f16vec2(-0.75hf, 0.5hf) && e == ivec2(4, -23);",
        "f16vec2 v = f16vec2(1, 2); v += v.yx; v.x *= 0.1hf; v.y++;\n"
        "good = v == f16vec2(0.2998046875hf, 4) && -v.x < 0.0hf && v.x != 0.3hf;",
        "f16mat2 m = f16mat2(1, 2, 3, 4) * f16mat2(2) + 1.0hf; f16vec2 c = m * f16vec2(1, 0.5hf);\n"
        "good = m == f16mat2(3, 5, 7, 9) && c == f16vec2(6.5hf, 9.5hf) && inverse(f16mat2(4)) ==\n"
        "f16mat2(0.25hf) && transpose(m)[0] == f16vec2(3, 7) && m * 2.0hf == m + m;",
        "f16vec2 a[2] = f16vec2[2](f16vec2(0.1), f16vec2(2)); f16vec2 b[2] = a; b[1].x = 2.0hf;\n"
        "good = a == b && a[0].x == 0.1hf && float(a[0].x) != 0.1 && double(a[0].x) == a[0].y;",
        "int64_t i = -5L, m = 62L; uint64_t u = 3UL; i64vec2 v = i64vec2(-5L, 7L);\n"
        "good = i << u == -40L && i >> u == -1L && u << m == 0xc000000000000000UL\n"
        "&& v << u64vec2(1UL, m) == i64vec2(-10L, 0xc000000000000000L)\n"
        "&& v >> m == i64vec2(-1L, 0L) && 9 << u == 72 && 72u >> m - 59L == 9u;",
        "int64_t i = addSaturate(0x7fffffffffffffffL, 1L), j = subtractSaturate(-2L, i);\n"
        "good = i == 0x7fffffffffffffffL && j == -i - 1L && average(i, j) == -1L\n"
        "&& averageRounded(i, j) == 0L && absoluteDifference(i, j) == 0xffffffffffffffffUL;",
    };
    struct glsl_options o = capable_options();
    for (unsigned i = 0; i < ARRAY_SIZE(bodies); i++) {
        void *mem_ctx = talloc_new(NULL);
        char *text = talloc_asprintf(
            mem_ctx, "%sout vec4 o; void main() {\nbool good; %s\no = vec4(good);\n}\n", preamble,
            bodies[i]);
        struct glsl_shader *shader = compile(mem_ctx, &o, text);
        struct glsl_link_input input = {.shaders = &shader, .num_shaders = 1};
        struct glsl_program *p = glsl_link(mem_ctx, &o, &input);
        assert_true(p->linked);
        const nir_const_value *v = stored(p->nir[SHADER_FRAGMENT]);
        if (!v || v[0].f32 != 1)
            fail_msg("%s", bodies[i]);
        talloc_free(mem_ctx);
    }
}

/* Checks calls that glsl_builtin_rules.c rejects, and similar calls that it accepts. */
static void test_rules(void **state)
{
    static const struct {
        const char *declarations, *good, *bad;
    } rules[] = {
        {"uniform sampler2D s; uniform ivec2 o;", "textureOffset(s, vec2(0), ivec2(1))",
         "textureOffset(s, vec2(0), o)"},
        {"uniform sampler2D s;", "textureOffset(s, vec2(0), ivec2(-8))",
         "textureOffset(s, vec2(0), ivec2(-9))"},
        {"uniform sampler2D s; uniform ivec2 o;", "textureGatherOffset(s, vec2(0), o)",
         "textureLodOffset(s, vec2(0), 0, o)"},
        {"uniform sampler2D s;", "textureGatherOffset(s, vec2(0), ivec2(100))",
         "textureLodOffset(s, vec2(0), 0, ivec2(100))"},
        {"uniform sampler2D s; uniform int i;", "textureGather(s, vec2(0), 3)",
         "textureGather(s, vec2(0), i)"},
        {"uniform sampler2D s;", "textureGather(s, vec2(0), 0)", "textureGather(s, vec2(0), 4)"},
        {"in vec4 v; uniform vec4 u;", "interpolateAtCentroid(v.xy).xyxy",
         "interpolateAtCentroid(u)"},
        {"layout(r32f) readonly uniform image2D a; layout(r32f) writeonly uniform image2D b;",
         "imageLoad(a, ivec2(0))", "imageLoad(b, ivec2(0))"},
        {"buffer B { uint x; }; uint y;", "vec4(atomicAdd(x, 1u))", "vec4(atomicAdd(y, 1u))"},
        {"layout(r32ui) readonly uniform uimage2D a; layout(r32ui) uniform uimage2D b;",
         "vec4(imageAtomicAdd(b, ivec2(0), 1u))", "vec4(imageAtomicAdd(a, ivec2(0), 1u))"},
    };
    struct glsl_options o = capable_options();
    for (unsigned i = 0; i < 2 * ARRAY_SIZE(rules); i++) {
        bool good = i % 2;
        void *mem_ctx = talloc_new(NULL);
        char *text =
            talloc_asprintf(mem_ctx, "%s%s\nout vec4 o_; void main() { o_ = %s; }\n", preamble,
                            rules[i / 2].declarations, good ? rules[i / 2].good : rules[i / 2].bad);
        struct glsl_shader *shader = glsl_compile(mem_ctx, &o, SHADER_FRAGMENT, text, strlen(text));
        if (shader->compiled != good)
            fail_msg("%s\n%s", text, shader->info_log);
        talloc_free(mem_ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
