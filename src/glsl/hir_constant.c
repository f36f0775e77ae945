/* SPDX-License-Identifier: MIT */
/*
 * Constants and values of constant expressions. hir_ops.py generates the component-wise operations;
 * the others are here. The functions return NULL if a value is not constant or there is no memory.
 */
#include <float.h>
#include <math.h>

#include "glsl/hir.h"
#include "util/check.h"
#include "util/half.h"

static const struct hir_constant *fold(struct hir_shader *sh, const struct hir_value *value);

struct hir_constant *hir_const_create(struct hir_shader *sh, const struct glsl_type *type)
{
    struct hir_constant *c = hir_alloc(sh, sizeof *c);
    if (!c)
        return NULL;
    c->base.node.kind = HIR_CONSTANT;
    c->base.type = type;
    if (!glsl_type_is_array(type) && !glsl_type_is_struct_or_ifc(type))
        return c;
    c->elements = hir_alloc(sh, sizeof *c->elements * MAX2(type->length, 1));
    if (!c->elements)
        return NULL;
    for (unsigned i = 0; i < type->length; i++) {
        const struct glsl_type *t = glsl_type_is_array(type) ? type->element : type->fields[i].type;
        if (!(c->elements[i] = hir_const_create(sh, t)))
            return NULL;
    }
    return c;
}

struct hir_constant *hir_const_int(struct hir_shader *sh, int value)
{
    struct hir_constant *c = hir_const_create(sh, glsl_int_type());
    if (c)
        c->value[0].i32 = value;
    return c;
}

struct hir_constant *hir_const_bool(struct hir_shader *sh, bool value)
{
    struct hir_constant *c = hir_const_create(sh, glsl_bool_type());
    if (c)
        c->value[0].b = value;
    return c;
}

/* --------------------------------------------------------------------- numbers by base type --- */

static double get_float(const struct glsl_type *t, nir_const_value v)
{
    switch (t->base_type) {
    case GLSL_TYPE_FLOAT:
    case GLSL_TYPE_FLOAT16:
        return v.f32;
    case GLSL_TYPE_DOUBLE:
        return v.f64;
    case GLSL_TYPE_INT:
        return v.i32;
    case GLSL_TYPE_UINT:
        return v.u32;
    case GLSL_TYPE_INT64:
        return (double)v.i64;
    case GLSL_TYPE_UINT64:
        return (double)v.u64;
    default:
        return v.b;
    }
}

static void set_float(const struct glsl_type *t, nir_const_value *v, double x)
{
    if (t->base_type == GLSL_TYPE_DOUBLE)
        v->f64 = x;
    else
        v->f32 = (float)x;
}

/* Converts with saturation, NaN to 0. C leaves these cases undefined; the result must be the same
 * everywhere. */
static uint64_t float_to_bits(double x, unsigned bits, bool is_signed)
{
    if (!(x == x))
        return 0;
    double high = ldexp(1.0, bits - is_signed);
    if (x >= high)
        return is_signed ? (1ull << (bits - 1)) - 1 : bits == 64 ? ~0ull : (1ull << bits) - 1;
    if (is_signed)
        return x <= -high ? 1ull << (bits - 1) : (uint64_t)(int64_t)x;
    return x <= 0 ? 0 : (uint64_t)x;
}

static uint64_t get_bits(const struct glsl_type *t, nir_const_value v, unsigned bits,
                         bool is_signed)
{
    switch (t->base_type) {
    case GLSL_TYPE_INT:
        return (uint64_t)(int64_t)v.i32;
    case GLSL_TYPE_UINT:
        return v.u32;
    case GLSL_TYPE_INT64:
    case GLSL_TYPE_UINT64:
        return v.u64;
    case GLSL_TYPE_BOOL:
        return v.b;
    default:
        return float_to_bits(get_float(t, v), bits, is_signed);
    }
}

static nir_const_value convert(const struct glsl_type *from, nir_const_value v,
                               const struct glsl_type *to)
{
    nir_const_value out = {0};
    switch (to->base_type) {
    case GLSL_TYPE_FLOAT: /* 64-bit integers are rounded once */
        out.f32 = from->base_type == GLSL_TYPE_INT64    ? (float)v.i64
                  : from->base_type == GLSL_TYPE_UINT64 ? (float)v.u64
                                                        : (float)get_float(from, v);
        break;
    case GLSL_TYPE_FLOAT16: /* 64-bit integers that doubles cannot represent are infinite */
        out.f32 = util_round_to_half(get_float(from, v));
        break;
    case GLSL_TYPE_DOUBLE:
        out.f64 = get_float(from, v);
        break;
    case GLSL_TYPE_INT:
        out.u32 = (uint32_t)get_bits(from, v, 32, true);
        break;
    case GLSL_TYPE_UINT:
        out.u32 = (uint32_t)get_bits(from, v, 32, false);
        break;
    case GLSL_TYPE_INT64:
        out.u64 = get_bits(from, v, 64, true);
        break;
    case GLSL_TYPE_UINT64:
        out.u64 = get_bits(from, v, 64, false);
        break;
    default:
        out.b = get_float(from, v) != 0;
    }
    return out;
}

static bool components_equal(const struct glsl_type *t, nir_const_value a, nir_const_value b)
{
    nir_const_value src[2] = {a, b}, result = {0};
    return hir_op_eval(HIR_OP_EQUAL, t->base_type, &result, src) && result.b;
}

static bool constants_equal(const struct hir_constant *a, const struct hir_constant *b)
{
    const struct glsl_type *t = a->base.type;
    if (a->elements) {
        for (unsigned i = 0; i < t->length; i++) {
            if (!constants_equal(a->elements[i], b->elements[i]))
                return false;
        }
        return true;
    }
    for (unsigned i = 0; i < glsl_component_count(t); i++) {
        if (!components_equal(t, a->value[i], b->value[i]))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------- matrices --- */

/* The operations have the precision and the order of those that hir_to_nir_expr.c and
 * nir_build_math.c build, so the results have the same bits. */
static nir_const_value calculate(enum hir_op op, const struct glsl_type *t, nir_const_value a,
                                 nir_const_value b)
{
    const nir_const_value src[2] = {a, b};
    nir_const_value result = {0};
    CHECK(hir_op_eval(op, t->base_type, &result, src));
    return result;
}

/* Returns the dot product of vectors whose components are `stride_a` and 1 values apart. */
static nir_const_value sum_of_products(const struct glsl_type *t, const nir_const_value *a,
                                       unsigned stride_a, const nir_const_value *b, unsigned count)
{
    nir_const_value sum = calculate(HIR_OP_MUL, t, a[0], b[0]);
    for (unsigned i = 1; i < count; i++)
        sum = calculate(HIR_OP_ADD, t, sum, calculate(HIR_OP_MUL, t, a[i * stride_a], b[i]));
    return sum;
}

/* A vector is treated as a one-column matrix; a row vector as a one-row matrix. */
static void multiply(const struct hir_constant *a, const struct hir_constant *b,
                     struct hir_constant *out)
{
    const struct glsl_type *ta = a->base.type, *tb = b->base.type;
    bool row = !glsl_type_is_matrix(ta);
    unsigned rows = row ? 1 : ta->vector_elements;
    unsigned inner = row ? ta->vector_elements : ta->matrix_columns;
    for (unsigned j = 0; j < tb->matrix_columns; j++) {
        for (unsigned i = 0; i < rows; i++)
            out->value[j * rows + i] =
                sum_of_products(ta, &a->value[i], rows, &b->value[j * tb->vector_elements], inner);
    }
}

/* Returns the minor of the rows and columns in the masks, which have the same number of bits. */
static nir_const_value minor(const struct hir_constant *m, unsigned columns, unsigned rows)
{
    const struct glsl_type *t = m->base.type;
    const nir_const_value *column = &m->value[__builtin_ctz(columns) * t->vector_elements];
    const unsigned others = columns & (columns - 1);
    nir_const_value sum = column[__builtin_ctz(rows)];
    enum hir_op op = HIR_OP_ADD;
    for (unsigned rest = others ? rows : 0; rest; rest &= rest - 1) {
        const unsigned row = __builtin_ctz(rest);
        nir_const_value product =
            calculate(HIR_OP_MUL, t, column[row], minor(m, others, rows & ~(1u << row)));
        sum = rest == rows ? product : calculate(op, t, sum, product);
        op = rest == rows || op == HIR_OP_ADD ? HIR_OP_SUB : HIR_OP_ADD;
    }
    return sum;
}

static nir_const_value determinant(const struct hir_constant *m)
{
    const unsigned all = BITFIELD_MASK(m->base.type->matrix_columns);
    return minor(m, all, all);
}

/* Computes the adjugate times the reciprocal of the determinant. */
static bool fold_inverse(const struct hir_constant *m, struct hir_constant *out)
{
    const struct glsl_type *t = m->base.type;
    const unsigned n = t->matrix_columns, all = BITFIELD_MASK(n);
    const nir_const_value none = {0}, scale = calculate(HIR_OP_RCP, t, determinant(m), none);
    for (unsigned i = 0; i < n * n; i++) {
        const unsigned c = i / n, r = i % n;
        nir_const_value cofactor = minor(m, all & ~(1u << r), all & ~(1u << c));
        if ((r + c) & 1)
            cofactor = calculate(HIR_OP_NEG, t, cofactor, none);
        out->value[i] = calculate(HIR_OP_MUL, t, cofactor, scale);
    }
    return true;
}

/* -------------------------------------------------------------------------------- packing --- */

static double unpack_norm(uint32_t bits, unsigned size, bool is_signed)
{
    if (!is_signed)
        return bits / (double)((1u << size) - 1);
    int32_t v = (int32_t)(bits << (32 - size)) >> (32 - size);
    return fmax(-1.0, v / (double)((1u << (size - 1)) - 1));
}

/* In single precision, like the NIR opcodes: ties are rounded to even. */
static uint32_t pack_norm(float x, unsigned size, bool is_signed)
{
    float low = is_signed ? -1.0f : 0.0f;
    x = x > low ? (x < 1.0f ? x : 1.0f) : low;
    float scale = (float)((1u << (size - is_signed)) - 1);
    return (uint32_t)(int32_t)rintf(x * scale) & ((1ull << size) - 1);
}

/* Evaluates pack* and unpack* functions; for each packing, both directions. */
static bool fold_packing(enum hir_op op, const struct hir_constant *a, struct hir_constant *out)
{
    bool half = op == HIR_OP_PACK_HALF_2X16 || op == HIR_OP_UNPACK_HALF_2X16;
    bool bytes = op == HIR_OP_PACK_UNORM_4X8 || op == HIR_OP_PACK_SNORM_4X8 ||
                 op == HIR_OP_UNPACK_UNORM_4X8 || op == HIR_OP_UNPACK_SNORM_4X8;
    bool is_signed = op == HIR_OP_PACK_SNORM_2X16 || op == HIR_OP_PACK_SNORM_4X8 ||
                     op == HIR_OP_UNPACK_SNORM_2X16 || op == HIR_OP_UNPACK_SNORM_4X8;
    unsigned size = bytes ? 8 : 16, n = 32 / size;
    if (out->base.type->base_type == GLSL_TYPE_FLOAT) {
        for (unsigned i = 0; i < n; i++) {
            uint32_t bits = a->value[0].u32 >> (i * size) & BITFIELD_MASK(size);
            out->value[i].f32 =
                half ? util_half_to_float(bits) : (float)unpack_norm(bits, size, is_signed);
        }
    } else {
        for (unsigned i = 0; i < n; i++) {
            uint32_t bits = half ? util_float_to_half(a->value[i].f32)
                                 : pack_norm(a->value[i].f32, size, is_signed);
            out->value[0].u32 |= bits << (i * size);
        }
    }
    return true;
}

/* ---------------------------------------------------------------------------- expressions --- */

static void concatenate(const struct hir_constant *const *o, unsigned count,
                        struct hir_constant *out)
{
    unsigned n = 0;
    for (unsigned k = 0; k < count; k++) {
        unsigned m = glsl_component_count(o[k]->base.type);
        for (unsigned i = 0; i < m && n < 16; i++)
            NEXT_OF(out->value, n) = o[k]->value[i];
    }
}

/* Evaluates component by component; a scalar operand is used for every component. */
static bool fold_component_wise(enum hir_op op, const struct hir_constant *const *o, unsigned count,
                                struct hir_constant *out)
{
    unsigned n = glsl_component_count(out->base.type);
    bool single[4] = {0};
    for (unsigned k = 0; k < count; k++)
        single[k] = glsl_component_count(o[k]->base.type) == 1;
    for (unsigned i = 0; i < n; i++) {
        nir_const_value src[4] = {0};
        for (unsigned k = 0; k < count; k++)
            src[k] = o[k]->value[single[k] ? 0 : i];
        if (!hir_op_eval(op, o[0]->base.type->base_type, &out->value[i], src))
            return false;
    }
    return true;
}

static bool fold_bits(const struct hir_expression *e, const struct hir_constant *const *o,
                      struct hir_constant *out)
{
    bool is_signed = e->base.type->base_type == GLSL_TYPE_INT;
    bool insert = e->op == HIR_OP_BITFIELD_INSERT;
    int offset = o[insert ? 2 : 1]->value[0].i32, bits = o[insert ? 3 : 2]->value[0].i32;
    if (offset < 0 || bits < 0 || offset > 32 || bits > 32 - offset)
        return true;
    uint32_t mask = BITFIELD_MASK(bits);
    for (unsigned i = 0; i < e->base.type->vector_elements; i++) {
        uint32_t v = o[0]->value[i].u32;
        if (bits == 0) {
            out->value[i].u32 = insert ? v : 0;
        } else if (insert) {
            out->value[i].u32 = (v & ~(mask << offset)) | (o[1]->value[i].u32 & mask) << offset;
        } else {
            v = v >> offset & mask;
            out->value[i].u32 =
                is_signed ? (uint32_t)((int32_t)(v << (32 - bits)) >> (32 - bits)) : v;
        }
    }
    return true;
}

static bool fold_ldexp(const struct hir_expression *e, const struct hir_constant *const *o,
                       struct hir_constant *out)
{
    for (unsigned i = 0; i < e->base.type->vector_elements; i++) {
        int exponent = 0;
        const struct glsl_type *t = o[0]->base.type;
        double x = get_float(t, o[0]->value[i]);
        if (e->op == HIR_OP_LDEXP) {
            double r = ldexp(x, o[1]->value[i].i32);
            /* Flushes denormal results, as GLSL 4.60 §4.7.1 allows and programs expect. */
            if (t->base_type == GLSL_TYPE_FLOAT && fabs(r) < FLT_MIN)
                r = copysign(0.0, r);
            set_float(t, &out->value[i], r);
            continue;
        }
        double significand = isfinite(x) ? frexp(x, &exponent) : x;
        if (e->op == HIR_OP_FREXP_SIG)
            set_float(t, &out->value[i], significand);
        else
            out->value[i].i32 = exponent;
    }
    return true;
}

static bool fold_any_all(const struct hir_expression *e, const struct hir_constant *a,
                         struct hir_constant *out)
{
    bool any = false, all = true;
    for (unsigned i = 0; i < a->base.type->vector_elements; i++) {
        any |= a->value[i].b;
        all &= a->value[i].b;
    }
    out->value[0].b = e->op == HIR_OP_ANY ? any : all;
    return true;
}

static bool fold_select(const struct hir_constant *const *o, struct hir_constant *out)
{
    if (o[1]->elements)
        return false;
    bool scalar = glsl_type_is_scalar(o[0]->base.type);
    for (unsigned i = 0; i < glsl_component_count(out->base.type); i++)
        out->value[i] = o[o[0]->value[scalar ? 0 : i].b ? 1 : 2]->value[i];
    return true;
}

static bool fold_transpose(const struct hir_constant *a, struct hir_constant *out)
{
    unsigned rows = a->base.type->vector_elements, columns = a->base.type->matrix_columns;
    for (unsigned i = 0; i < rows * columns; i++)
        out->value[i % rows * columns + i / rows] = a->value[i];
    return true;
}

static bool fold_operation(const struct hir_expression *e, const struct hir_constant *const *o,
                           struct hir_constant *out)
{
    switch (e->op) {
    case HIR_OP_VECTOR:
    case HIR_OP_MATRIX:
        concatenate(o, e->num_operands, out);
        return true;
    case HIR_OP_CONVERT:
        for (unsigned i = 0; i < glsl_component_count(e->base.type); i++)
            out->value[i] = convert(o[0]->base.type, o[0]->value[i], e->base.type);
        return true;
    case HIR_OP_BITCAST:
        memcpy(out->value, o[0]->value, sizeof out->value);
        return true;
    case HIR_OP_SELECT:
        return fold_select(o, out);
    case HIR_OP_ALL_EQUAL:
    case HIR_OP_ANY_NEQUAL:
        out->value[0].b = constants_equal(o[0], o[1]) == (e->op == HIR_OP_ALL_EQUAL);
        return true;
    case HIR_OP_ANY:
    case HIR_OP_ALL:
        return fold_any_all(e, o[0], out);
    case HIR_OP_DOT:
        out->value[0] = sum_of_products(o[0]->base.type, o[0]->value, 1, o[1]->value,
                                        o[0]->base.type->vector_elements);
        return true;
    case HIR_OP_TRANSPOSE:
        return fold_transpose(o[0], out);
    case HIR_OP_DETERMINANT:
        out->value[0] = determinant(o[0]);
        return true;
    case HIR_OP_INVERSE:
        return fold_inverse(o[0], out);
    case HIR_OP_BITFIELD_EXTRACT:
    case HIR_OP_BITFIELD_INSERT:
        return fold_bits(e, o, out);
    case HIR_OP_LDEXP:
    case HIR_OP_FREXP_SIG:
    case HIR_OP_FREXP_EXP:
        return fold_ldexp(e, o, out);
    case HIR_OP_PACK_UNORM_2X16 ... HIR_OP_UNPACK_HALF_2X16:
        return fold_packing(e->op, o[0], out);
    case HIR_OP_PACK_64_2X32:
        out->value[0].u64 = o[0]->value[0].u32 | (uint64_t)o[0]->value[1].u32 << 32;
        return true;
    case HIR_OP_UNPACK_64_2X32:
        out->value[0].u32 = (uint32_t)o[0]->value[0].u64;
        out->value[1].u32 = (uint32_t)(o[0]->value[0].u64 >> 32);
        return true;
    case HIR_OP_MUL:
        if ((glsl_type_is_matrix(o[0]->base.type) && !glsl_type_is_scalar(o[1]->base.type)) ||
            (glsl_type_is_matrix(o[1]->base.type) && !glsl_type_is_scalar(o[0]->base.type))) {
            multiply(o[0], o[1], out);
            return true;
        }
        return fold_component_wise(e->op, o, e->num_operands, out);
    default:
        return hir_op_infos[e->op].component_wise &&
               fold_component_wise(e->op, o, e->num_operands, out);
    }
}

static const struct hir_constant *fold_expression(struct hir_shader *sh,
                                                  const struct hir_expression *e)
{
    const struct hir_constant *o[4] = {0};
    if (glsl_type_is_error(e->base.type))
        return NULL;
    for (unsigned i = 0; i < e->num_operands; i++) {
        if (!(o[i] = fold(sh, e->operands[i])))
            return NULL;
    }
    struct hir_constant *out = hir_const_create(sh, e->base.type);
    return out && fold_operation(e, o, out) ? out : NULL;
}

static const struct hir_constant *fold_element(struct hir_shader *sh,
                                               const struct hir_deref_array *d)
{
    const struct hir_constant *index = fold(sh, d->index);
    if (!index)
        return NULL;
    const struct hir_constant *whole = fold(sh, d->value);
    unsigned i = index->value[0].u32;
    if (!whole || i >= glsl_length_of(d->value->type))
        return NULL;
    if (whole->elements)
        return whole->elements[i];
    struct hir_constant *out = hir_const_create(sh, d->base.type);
    unsigned n = glsl_component_count(d->base.type);
    if (out)
        memcpy(out->value, &whole->value[i * n], n * sizeof out->value[0]);
    return out;
}

static const struct hir_constant *fold(struct hir_shader *sh, const struct hir_value *value)
{
    switch (value->node.kind) {
    case HIR_CONSTANT:
        return (const struct hir_constant *)value;
    case HIR_DEREF_VARIABLE:
        return ((const struct hir_deref_variable *)value)->var->constant_value;
    case HIR_DEREF_ARRAY:
        return fold_element(sh, (const struct hir_deref_array *)value);
    case HIR_DEREF_RECORD: {
        const struct hir_deref_record *d = (const struct hir_deref_record *)value;
        const struct hir_constant *whole = fold(sh, d->value);
        return whole && whole->elements ? whole->elements[d->field] : NULL;
    }
    case HIR_SWIZZLE: {
        const struct hir_swizzle *s = (const struct hir_swizzle *)value;
        const struct hir_constant *inner = fold(sh, s->value);
        struct hir_constant *out = inner ? hir_const_create(sh, value->type) : NULL;
        for (unsigned i = 0; out && i < value->type->vector_elements; i++)
            out->value[i] = inner->value[s->component[i]];
        return out;
    }
    case HIR_EXPRESSION:
        return fold_expression(sh, (const struct hir_expression *)value);
    default:
        return NULL;
    }
}

struct hir_constant *hir_constant_value(struct hir_shader *sh, const struct hir_value *value)
{
    if (value->node.kind == HIR_CONSTANT)
        return (struct hir_constant *)value;
    const struct hir_constant *c = fold(sh, value);
    struct hir_constant *copy = c ? hir_clone_constant(sh, c) : NULL;
    if (copy)
        copy->base.node.loc = value->node.loc;
    return copy;
}
