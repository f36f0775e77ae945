/* SPDX-License-Identifier: MIT */
/*
 * Built-in functions that consist of several operations (GLSL 4.60 §8), written as formulas with a
 * few helpers. Each step with constant operands is folded when it is created, so a call with
 * constant arguments is a constant.
 */
#include <math.h>

#include "glsl/glsl_builtin_table.h"

typedef struct hir_value *val;

/* Returns an operation with up to three operands; the type follows from them. */
static val expr(struct builtin_body *b, enum hir_op op, const struct glsl_type *type, val x, val y,
                val z)
{
    val e = b->failed ? NULL : hir_expr(b->sh, op, type, x, y, z, NULL);
    if (!e) {
        b->failed = true;
        return NULL;
    }
    struct hir_constant *c = hir_constant_value(b->sh, e);
    return c ? &c->base : e;
}

static val op1(struct builtin_body *b, enum hir_op op, val x)
{
    return expr(b, op, NULL, x, NULL, NULL);
}

static val op2(struct builtin_body *b, enum hir_op op, val x, val y)
{
    return expr(b, op, NULL, x, y, NULL);
}

static void append(struct builtin_body *b, struct hir_node *node)
{
    list_addtail(&node->link, b->instructions);
}

static void assign(struct builtin_body *b, val lhs, val rhs)
{
    const struct glsl_type *t = lhs ? lhs->type : NULL;
    if (t && rhs && glsl_type_is_16bit(t) && !glsl_type_is_16bit(rhs->type))
        rhs = expr(b, HIR_OP_CONVERT, t, rhs, NULL, NULL);
    unsigned mask = t && glsl_type_is_vector_or_scalar(t) ? BITFIELD_MASK(t->vector_elements) : 0;
    struct hir_assign *a = b->failed || !lhs ? NULL : hir_assign_create(b->sh, lhs, rhs, mask);
    if (a)
        append(b, &a->node);
    else
        b->failed = true;
}

/* Stores a value in a temporary, so that use() can refer to it any number of times. */
static val let(struct builtin_body *b, val value)
{
    if (b->failed || value->node.kind == HIR_CONSTANT)
        return value;
    struct hir_variable *var = hir_variable_create(b->sh, value->type, "t", HIR_VAR_TEMPORARY);
    val deref = var ? hir_deref_var(b->sh, var) : NULL;
    if (!deref) {
        b->failed = true;
        return value;
    }
    append(b, &var->node);
    assign(b, deref, value);
    return deref;
}

static val use(struct builtin_body *b, val held)
{
    val copy = b->failed ? NULL : hir_clone_value(b->sh, held);
    if (!copy)
        b->failed = true;
    return copy;
}

/* Returns a scalar constant with the base type of `like`. */
static val number(struct builtin_body *b, double x, const struct glsl_type *like)
{
    struct hir_constant *c = hir_const_create(b->sh, glsl_scalar_of(like));
    if (!c) {
        b->failed = true;
        return NULL;
    }
    if (like->base_type == GLSL_TYPE_DOUBLE)
        c->value[0].f64 = x;
    else
        c->value[0].f32 = (float)x;
    return &c->base;
}

static val component(struct builtin_body *b, val held, unsigned i)
{
    val v = use(b, held);
    uint8_t c = i;
    if (!v || glsl_type_is_scalar(v->type))
        return v;
    val s = hir_swizzle_of(b->sh, v, &c, 1);
    struct hir_constant *k = s ? hir_constant_value(b->sh, s) : NULL;
    return k ? &k->base : s;
}

static val dot(struct builtin_body *b, val x, val y)
{
    return op2(b, HIR_OP_DOT, x, y);
}

BUILDER(radians)
{
    return op2(b, HIR_OP_MUL, args[0], number(b, M_PI / 180, b->type));
}

BUILDER(degrees)
{
    return op2(b, HIR_OP_MUL, args[0], number(b, 180 / M_PI, b->type));
}

BUILDER(clamp)
{
    return op2(b, HIR_OP_MIN, op2(b, HIR_OP_MAX, args[0], args[1]), args[2]);
}

BUILDER(mix_bool)
{
    return expr(b, HIR_OP_SELECT, b->type, args[2], args[1], args[0]);
}

BUILDER(modf)
{
    val x = let(b, args[0]);
    val whole = let(b, op1(b, HIR_OP_TRUNC, use(b, x)));
    assign(b, args[1], use(b, whole));
    return op2(b, HIR_OP_SUB, use(b, x), use(b, whole));
}

/* The product of half floats is exact in double precision. The sum is rounded, but not to a tie
 * between two half floats unless it is one, so that the conversion to half precision is exact. */
BUILDER(fma_half)
{
    val x[3];
    for (unsigned i = 0; i < 3; i++)
        x[i] =
            expr(b, HIR_OP_CONVERT, glsl_simple_type(GLSL_TYPE_DOUBLE, b->type->vector_elements, 1),
                 args[i], NULL, NULL);
    val sum = op2(b, HIR_OP_ADD, op2(b, HIR_OP_MUL, x[0], x[1]), x[2]);
    return expr(b, HIR_OP_CONVERT, glsl_simple_type(GLSL_TYPE_FLOAT16, b->type->vector_elements, 1),
                sum, NULL, NULL);
}

/* AMD_shader_trinary_minmax */
BUILDER(min3)
{
    return op2(b, HIR_OP_MIN, op2(b, HIR_OP_MIN, args[0], args[1]), args[2]);
}

BUILDER(max3)
{
    return op2(b, HIR_OP_MAX, op2(b, HIR_OP_MAX, args[0], args[1]), args[2]);
}

BUILDER(mid3)
{
    val x = let(b, args[0]), y = let(b, args[1]);
    val low = op2(b, HIR_OP_MIN, use(b, x), use(b, y));
    val high = op2(b, HIR_OP_MAX, use(b, x), use(b, y));
    return op2(b, HIR_OP_MAX, low, op2(b, HIR_OP_MIN, high, args[2]));
}

BUILDER(step)
{
    const struct glsl_type *bools = glsl_simple_type(GLSL_TYPE_BOOL, b->type->vector_elements, 1);
    val less = expr(b, HIR_OP_GEQUAL, bools, args[1], args[0], NULL);
    return expr(b, HIR_OP_CONVERT, b->type, less, NULL, NULL);
}

BUILDER(smoothstep)
{
    val e0 = let(b, args[0]);
    val up = op2(b, HIR_OP_SUB, args[2], use(b, e0));
    val range = op2(b, HIR_OP_SUB, args[1], use(b, e0));
    val q = op2(b, HIR_OP_DIV, up, range);
    q = op2(b, HIR_OP_MIN, op2(b, HIR_OP_MAX, q, number(b, 0, b->type)), number(b, 1, b->type));
    val t = let(b, q);
    val slope = op2(b, HIR_OP_SUB, number(b, 3, b->type),
                    op2(b, HIR_OP_MUL, number(b, 2, b->type), use(b, t)));
    return op2(b, HIR_OP_MUL, op2(b, HIR_OP_MUL, use(b, t), use(b, t)), slope);
}

BUILDER(bitcast)
{
    return expr(b, HIR_OP_BITCAST, b->type, args[0], NULL, NULL);
}

BUILDER(frexp)
{
    val x = let(b, args[0]);
    assign(b, args[1], op1(b, HIR_OP_FREXP_EXP, use(b, x)));
    return op1(b, HIR_OP_FREXP_SIG, use(b, x));
}

/* ------------------------------------------------------------------------------- geometry --- */

BUILDER(length)
{
    if (glsl_type_is_scalar(args[0]->type))
        return op1(b, HIR_OP_ABS, args[0]);
    val x = let(b, args[0]);
    return op1(b, HIR_OP_SQRT, dot(b, use(b, x), use(b, x)));
}

BUILDER(distance)
{
    val difference = op2(b, HIR_OP_SUB, args[0], args[1]);
    return b->failed ? NULL : glsl_build_length(b, &difference);
}

BUILDER(cross)
{
    val x = let(b, args[0]), y = let(b, args[1]);
    static const uint8_t yzx[] = {1, 2, 0}, zxy[] = {2, 0, 1};
    val product[2];
    for (unsigned i = 0; i < 2; i++) {
        val l = use(b, x), r = use(b, y);
        if (b->failed)
            return NULL;
        l = hir_swizzle_of(b->sh, l, i ? zxy : yzx, 3);
        r = hir_swizzle_of(b->sh, r, i ? yzx : zxy, 3);
        if (!l || !r) {
            b->failed = true;
            return NULL;
        }
        product[i] = op2(b, HIR_OP_MUL, l, r);
    }
    return op2(b, HIR_OP_SUB, product[0], product[1]);
}

BUILDER(normalize)
{
    if (glsl_type_is_scalar(args[0]->type))
        return op1(b, HIR_OP_SIGN, args[0]);
    val x = let(b, args[0]);
    return op2(b, HIR_OP_MUL, use(b, x), op1(b, HIR_OP_RSQ, dot(b, use(b, x), use(b, x))));
}

BUILDER(faceforward)
{
    val n = let(b, args[0]);
    val facing = op2(b, HIR_OP_LESS, dot(b, args[2], args[1]), number(b, 0, b->type));
    return expr(b, HIR_OP_SELECT, b->type, facing, use(b, n), op1(b, HIR_OP_NEG, use(b, n)));
}

BUILDER(reflect)
{
    val i = let(b, args[0]), n = let(b, args[1]);
    val twice = op2(b, HIR_OP_MUL, number(b, 2, b->type), dot(b, use(b, n), use(b, i)));
    return op2(b, HIR_OP_SUB, use(b, i), op2(b, HIR_OP_MUL, twice, use(b, n)));
}

BUILDER(refract)
{
    val i = let(b, args[0]), n = let(b, args[1]), eta = args[2];
    if (eta->type->base_type != b->type->base_type)
        eta = expr(b, HIR_OP_CONVERT, glsl_scalar_of(b->type), eta, NULL, NULL);
    eta = b->failed ? NULL : let(b, eta);
    val d = let(b, dot(b, use(b, n), use(b, i)));
    val one = number(b, 1, b->type);
    val sine = op2(b, HIR_OP_SUB, use(b, one), op2(b, HIR_OP_MUL, use(b, d), use(b, d)));
    val eta2 = op2(b, HIR_OP_MUL, use(b, eta), use(b, eta));
    val k = let(b, op2(b, HIR_OP_SUB, one, op2(b, HIR_OP_MUL, eta2, sine)));
    val factor = op2(b, HIR_OP_ADD, op2(b, HIR_OP_MUL, use(b, eta), use(b, d)),
                     op1(b, HIR_OP_SQRT, use(b, k)));
    val bent = op2(b, HIR_OP_SUB, op2(b, HIR_OP_MUL, use(b, eta), use(b, i)),
                   op2(b, HIR_OP_MUL, factor, use(b, n)));
    struct hir_constant *zero = hir_const_create(b->sh, b->type);
    val total = op2(b, HIR_OP_LESS, use(b, k), number(b, 0, b->type));
    return expr(b, HIR_OP_SELECT, b->type, total, zero ? &zero->base : NULL, bent);
}

struct find_transform {
    struct hir_variable *matrix, *vertex;
};

static void keep_transform(void *data, struct hir_variable *var)
{
    struct find_transform *found = data;
    if (!strcmp(var->name, "gl_ModelViewProjectionMatrix"))
        found->matrix = var;
    if (!strcmp(var->name, "gl_Vertex"))
        found->vertex = var;
}

static bool wants_transform(void *data, const char *name)
{
    return !strcmp(name, "gl_ModelViewProjectionMatrix") || !strcmp(name, "gl_Vertex");
}

static void ignore_type(void *data, const char *name, const struct glsl_type *type)
{
}

/* Uses the variables declared by earlier calls or the shader, and declares them if necessary. The
 * result is precise, because it must equal the position of fixed function, whatever else the shader
 * computes from the same factors. */
BUILDER(ftransform)
{
    struct find_transform found = {0};
    list_for_each_entry (struct hir_node, node, &b->sh->instructions, link) {
        if (node->kind == HIR_VARIABLE)
            keep_transform(&found, (struct hir_variable *)node);
    }
    if (!found.matrix || !found.vertex) {
        struct find_transform made = {0};
        struct glsl_builtin_sink sink = {wants_transform, keep_transform, ignore_type, &made};
        glsl_builtin_variables(b->sh, b->env, &sink);
        if (!found.matrix && made.matrix) {
            found.matrix = made.matrix;
            list_addtail(&made.matrix->node.link, &b->sh->instructions);
        }
        if (!found.vertex && made.vertex) {
            found.vertex = made.vertex;
            list_addtail(&made.vertex->node.link, &b->sh->instructions);
        }
    }
    if (!found.matrix || !found.vertex) {
        b->failed = true;
        return NULL;
    }
    found.matrix->used = found.vertex->used = true;
    val position = let(b, op2(b, HIR_OP_MUL, hir_deref_var(b->sh, found.matrix),
                              hir_deref_var(b->sh, found.vertex)));
    if (b->failed)
        return NULL;
    hir_variable_referenced(position)->precise = true;
    return use(b, position);
}

/* Column i is c * r[i]. */
BUILDER(outer_product)
{
    val c = let(b, args[0]), r = let(b, args[1]), columns[4] = {0};
    for (unsigned i = 0; i < b->type->matrix_columns; i++)
        columns[i] = op2(b, HIR_OP_MUL, use(b, c), component(b, r, i));
    val m = b->failed ? NULL
                      : hir_expr(b->sh, HIR_OP_MATRIX, b->type, columns[0], columns[1], columns[2],
                                 columns[3]);
    struct hir_constant *k = m ? hir_constant_value(b->sh, m) : NULL;
    return k ? &k->base : m;
}

/* ------------------------------------------------------------------------------- integers --- */

/* Returns the result of op and stores that of `overflow` in the out argument. */
static val with_overflow(struct builtin_body *b, val *args, enum hir_op op, enum hir_op overflow)
{
    val x = let(b, args[0]), y = let(b, args[1]);
    assign(b, args[2], op2(b, overflow, use(b, x), use(b, y)));
    return op2(b, op, use(b, x), use(b, y));
}

BUILDER(add_carry)
{
    return with_overflow(b, args, HIR_OP_ADD, HIR_OP_ADD_CARRY);
}

BUILDER(sub_borrow)
{
    return with_overflow(b, args, HIR_OP_SUB, HIR_OP_SUB_BORROW);
}

BUILDER(mul_extended)
{
    val x = let(b, args[0]), y = let(b, args[1]);
    assign(b, args[2], op2(b, HIR_OP_MUL_HIGH, use(b, x), use(b, y)));
    assign(b, args[3], op2(b, HIR_OP_MUL, use(b, x), use(b, y)));
    return NULL;
}

/* -------------------------------------------------------------------------------- streams --- */

/* Emits a stream instruction. glsl_builtin_check made sure that the stream is constant (GLSL 4.60
 * §8.15). */
static void emit(struct builtin_body *b, val stream, enum hir_kind kind)
{
    struct hir_emit *node = hir_alloc(b->sh, sizeof *node);
    if (!node) {
        b->failed = true;
        return;
    }
    node->node.kind = kind;
    node->node.loc = b->loc;
    if (stream && stream->node.kind == HIR_CONSTANT)
        node->stream = ((struct hir_constant *)stream)->value[0].u32;
    append(b, &node->node);
}

BUILDER(emit_vertex)
{
    emit(b, args[0], HIR_EMIT_VERTEX);
    return NULL;
}

BUILDER(end_primitive)
{
    emit(b, args[0], HIR_END_PRIMITIVE);
    return NULL;
}

/* --------------------------------------------------------------------------------- sparse --- */

/* Appends an image intrinsic with the first `count` arguments and returns its value, which it
 * stores in a temporary. */
static val image_intrinsic(struct builtin_body *b, enum hir_intrinsic_op op,
                           const struct glsl_type *type, val *args, unsigned count)
{
    struct hir_intrinsic *intr = b->failed ? NULL : hir_alloc(b->sh, sizeof *intr);
    struct hir_variable *var =
        intr ? hir_variable_create(b->sh, type, "r", HIR_VAR_TEMPORARY) : NULL;
    intr = var ? intr : NULL;
    if (intr) {
        intr->node.kind = HIR_INTRINSIC;
        intr->node.loc = b->loc;
        intr->op = op;
        intr->num_args = count;
        for (unsigned i = 0; i < count; i++)
            intr->args[i] = use(b, args[i]);
        intr->return_deref = hir_deref_var(b->sh, var);
    }
    if (b->failed || !intr || !intr->return_deref) {
        b->failed = true;
        return NULL;
    }
    append(b, &var->node);
    append(b, &intr->node);
    return hir_deref_var(b->sh, var);
}

/* ARB_sparse_texture2 §8.12. The last argument receives the texel. */
BUILDER(sparse_image_load)
{
    unsigned texel = 0;
    while (args[texel + 1])
        texel++;
    for (unsigned i = 1; i < texel; i++)
        args[i] = let(b, args[i]);
    val code = image_intrinsic(b, HIR_INTRINSIC_IMAGE_RESIDENCY, b->type, args, texel);
    val value = image_intrinsic(b, HIR_INTRINSIC_IMAGE_LOAD, args[texel]->type, args, texel);
    assign(b, args[texel], value);
    return code;
}

/* A residency code is 1 if all texels are committed, else 0. */
BUILDER(texels_resident)
{
    struct hir_constant *zero = hir_const_create(b->sh, args[0]->type);
    if (!zero) {
        b->failed = true;
        return NULL;
    }
    return op2(b, HIR_OP_NEQUAL, args[0], &zero->base);
}

/* ---------------------------------------------------------------------------- derivatives --- */

static val width(struct builtin_body *b, val *args, enum hir_op x, enum hir_op y)
{
    b->sh->uses_derivatives = true;
    val p = let(b, args[0]);
    return op2(b, HIR_OP_ADD, op1(b, HIR_OP_ABS, op1(b, x, use(b, p))),
               op1(b, HIR_OP_ABS, op1(b, y, use(b, p))));
}

BUILDER(fwidth)
{
    return width(b, args, HIR_OP_DFDX, HIR_OP_DFDY);
}

BUILDER(fwidth_coarse)
{
    return width(b, args, HIR_OP_DFDX_COARSE, HIR_OP_DFDY_COARSE);
}

BUILDER(fwidth_fine)
{
    return width(b, args, HIR_OP_DFDX_FINE, HIR_OP_DFDY_FINE);
}

/* GLSL 4.60 §8.15: deprecated, and defined to be zero. */
BUILDER(noise)
{
    struct hir_constant *zero = hir_const_create(b->sh, b->type);
    if (!zero)
        b->failed = true;
    return zero ? &zero->base : NULL;
}
