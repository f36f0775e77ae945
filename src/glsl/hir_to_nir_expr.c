/* SPDX-License-Identifier: MIT */
/*
 * Values: translates HIR expressions to SSA values. Matrices are split into columns; NIR has no
 * matrices.
 */
#include <talloc.h>

#include "glsl/hir_to_nir.h"

#include "util/check.h"

static struct h2n_value vector(nir_def *def)
{
    return (struct h2n_value){.c = {def}, .n = 1};
}

static unsigned nir_class(const struct glsl_type *t)
{
    switch (t->base_type) {
    case GLSL_TYPE_FLOAT:
    case GLSL_TYPE_FLOAT16:
    case GLSL_TYPE_DOUBLE:
        return 0;
    case GLSL_TYPE_INT:
    case GLSL_TYPE_INT64:
        return 1;
    case GLSL_TYPE_BOOL:
        return 3;
    default:
        return 2;
    }
}

/* ------------------------------------------------------------------------------- constants --- */

static nir_const_value const_component(const struct glsl_type *t, nir_const_value v)
{
    unsigned bits = h2n_bit_size(t);
    if (bits == 1)
        return nir_const_value_for_uint(v.b, 1);
    return nir_const_value_for_uint(bits == 64 ? v.u64 : v.u32, bits);
}

static struct h2n_value eval_constant(struct h2n *h, const struct hir_constant *c)
{
    const struct glsl_type *t = c->base.type;
    struct h2n_value v = {.n = t->matrix_columns};
    for (unsigned i = 0; i < v.n; i++) {
        nir_const_value comps[4];
        for (unsigned k = 0; k < t->vector_elements; k++)
            comps[k] = const_component(t, c->value[i * t->vector_elements + k]);
        v.c[i] = nir_build_imm(&h->b, t->vector_elements, h2n_bit_size(t), comps);
    }
    return v;
}

nir_constant *hir_constant_to_nir(void *mem_ctx, const struct hir_constant *c)
{
    nir_constant *out = talloc_zero(mem_ctx, nir_constant);
    const struct glsl_type *t = c->base.type;
    if (c->elements) {
        out->num_elements = t->length;
        out->elements = talloc_array(out, nir_constant *, t->length);
        for (unsigned i = 0; i < t->length; i++)
            out->elements[i] = hir_constant_to_nir(out, c->elements[i]);
    } else if (glsl_type_is_matrix(t)) {
        out->num_elements = t->matrix_columns;
        out->elements = talloc_array(out, nir_constant *, t->matrix_columns);
        for (unsigned i = 0; i < t->matrix_columns; i++) {
            out->elements[i] = talloc_zero(out, nir_constant);
            for (unsigned k = 0; k < t->vector_elements; k++)
                out->elements[i]->values[k] =
                    const_component(t, c->value[i * t->vector_elements + k]);
        }
    } else {
        for (unsigned k = 0; k < t->vector_elements; k++)
            out->values[k] = const_component(t, c->value[k]);
    }
    return out;
}

/* ------------------------------------------------------------------------- component-wise --- */

static nir_def *widen(struct h2n *h, nir_def *def, unsigned n)
{
    return def->num_components == n ? def : nir_vec_broadcast(&h->b, def, n);
}

/* Returns one column of an operation, using a NIR opcode or hir_to_nir_math.c. */
static nir_def *build_column(struct h2n *h, enum hir_op op, const struct glsl_type *operand_type,
                             nir_def **src, unsigned count, unsigned n)
{
    const struct hir_op_info *info = &hir_op_infos[op];
    int opcode = info->nir_op[nir_class(operand_type)];
    nir_def *srcs[4];
    if (op >= HIR_OP_DFDX && op <= HIR_OP_DFDY_FINE && !h2n_has_derivatives(h))
        return nir_imm_zero(&h->b, n, glsl_bit_size(operand_type));
    for (unsigned i = 0; i < count; i++)
        srcs[i] = widen(h, src[i], n);
    if (opcode < 0)
        return h2n_build_math(&h->b, op, nir_class(operand_type) == 1, srcs[0],
                              count > 1 ? srcs[1] : NULL);
    if (info->swap) {
        nir_def *first = srcs[0];
        srcs[0] = srcs[1];
        srcs[1] = first;
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned bits = nir_alu_type_get_type_size(nir_op_infos[opcode].input_types[i]);
        if (bits && bits != srcs[i]->bit_size) /* a bit count of a 64-bit type */
            srcs[i] = nir_u2uN(&h->b, srcs[i], bits);
    }
    return nir_build_alu(&h->b, opcode, srcs);
}

/* Evaluates a component-wise operation: matrices column by column, scalars for every column. */
static struct h2n_value component_wise(struct h2n *h, const struct hir_expression *e)
{
    struct h2n_value o[4], out = {.n = e->base.type->matrix_columns};
    for (unsigned i = 0; i < e->num_operands; i++)
        o[i] = h2n_eval(h, e->operands[i]);
    for (unsigned k = 0; k < out.n; k++) {
        nir_def *src[4];
        for (unsigned i = 0; i < e->num_operands; i++)
            src[i] = o[i].c[o[i].n == 1 ? 0 : k];
        out.c[k] = build_column(h, e->op, e->operands[0]->type, src, e->num_operands,
                                e->base.type->vector_elements);
    }
    return out;
}

/* ------------------------------------------------------------------------- linear algebra --- */

/* Returns the sum of the columns of m scaled by the components of v, added in this order. */
static nir_def *matrix_times_vector(struct h2n *h, const struct h2n_value *m, nir_def *v)
{
    nir_def *sum = NULL;
    for (unsigned i = 0; i < m->n; i++) {
        nir_def *x = nir_vec_broadcast(&h->b, nir_channel(&h->b, v, i), m->c[i]->num_components);
        nir_def *product = nir_fmul(&h->b, m->c[i], x);
        sum = sum ? nir_fadd(&h->b, sum, product) : product;
    }
    return sum;
}

static nir_def *vector_times_matrix(struct h2n *h, nir_def *v, const struct h2n_value *m)
{
    nir_def *comps[4];
    for (unsigned i = 0; i < m->n; i++)
        comps[i] = nir_fdot(&h->b, v, m->c[i]);
    return nir_vec(&h->b, comps, m->n);
}

static struct h2n_value multiply(struct h2n *h, const struct hir_expression *e)
{
    const struct glsl_type *ta = e->operands[0]->type, *tb = e->operands[1]->type;
    bool ma = glsl_type_is_matrix(ta), mb = glsl_type_is_matrix(tb);
    if (!(ma && !glsl_type_is_scalar(tb)) && !(mb && !glsl_type_is_scalar(ta)))
        return component_wise(h, e);
    struct h2n_value a = h2n_eval(h, e->operands[0]), b = h2n_eval(h, e->operands[1]);
    if (!ma)
        return vector(vector_times_matrix(h, a.c[0], &b));
    struct h2n_value out = {.n = b.n};
    for (unsigned i = 0; i < b.n; i++)
        out.c[i] = matrix_times_vector(h, &a, b.c[i]);
    return out;
}

static struct h2n_value transpose(struct h2n *h, struct h2n_value m)
{
    struct h2n_value out = {.n = m.c[0]->num_components};
    for (unsigned i = 0; i < out.n; i++) {
        nir_def *comps[4];
        for (unsigned k = 0; k < m.n; k++)
            comps[k] = nir_channel(&h->b, m.c[k], i);
        out.c[i] = nir_vec(&h->b, comps, m.n);
    }
    return out;
}

/* ------------------------------------------------------------------------------- equality --- */

static nir_def *vectors_equal(struct h2n *h, nir_def *a, nir_def *b, const struct glsl_type *t)
{
    if (nir_class(t) == 0)
        return nir_ball_fequal(&h->b, a, b);
    if (t->base_type == GLSL_TYPE_BOOL)
        return nir_ball(&h->b, nir_inot(&h->b, nir_ixor(&h->b, a, b)));
    return nir_ball_iequal(&h->b, a, b);
}

static nir_def * and (struct h2n * h, nir_def *a, nir_def *b)
{
    return a ? nir_iand(&h->b, a, b) : b;
}

static nir_def *derefs_equal(struct h2n *h, nir_deref_instr *a, nir_deref_instr *b,
                             const struct glsl_type *t)
{
    nir_def *result = NULL;
    if (glsl_type_is_struct_or_ifc(t)) {
        for (unsigned i = 0; i < t->length; i++)
            result = and(h, result,
                         derefs_equal(h, nir_build_deref_struct(&h->b, a, i),
                                      nir_build_deref_struct(&h->b, b, i), t->fields[i].type));
    } else if (glsl_type_is_array(t)) {
        for (unsigned i = 0; i < t->length; i++)
            result = and(h, result,
                         derefs_equal(h, nir_build_deref_array_imm(&h->b, a, i),
                                      nir_build_deref_array_imm(&h->b, b, i), t->element));
    } else {
        struct h2n_value va = h2n_load(h, a, t), vb = h2n_load(h, b, t);
        for (unsigned i = 0; i < va.n; i++)
            result = and(h, result, vectors_equal(h, va.c[i], vb.c[i], t));
    }
    return result ? result : nir_imm_true(&h->b);
}

static nir_def *equal(struct h2n *h, const struct hir_expression *e)
{
    const struct glsl_type *t = e->operands[0]->type;
    if (t->base_type > GLSL_TYPE_BOOL)
        return h2n_too_large(h, t)
                   ? nir_imm_true(&h->b)
                   : derefs_equal(h, h2n_deref(h, e->operands[0]), h2n_deref(h, e->operands[1]), t);
    struct h2n_value a = h2n_eval(h, e->operands[0]), b = h2n_eval(h, e->operands[1]);
    nir_def *result = NULL;
    for (unsigned i = 0; i < a.n; i++)
        result = and(h, result, vectors_equal(h, a.c[i], b.c[i], t));
    return result;
}

/* ------------------------------------------------------------------------ other operations --- */

/* Half floats are computed as floats. */
static nir_alu_type alu_type(const struct glsl_type *t)
{
    return glsl_type_is_16bit(t) ? nir_type_float32
                                 : nir_get_nir_type_for_glsl_base_type(t->base_type);
}

static nir_def *convert_column(struct h2n *h, nir_def *def, const struct glsl_type *from,
                               const struct glsl_type *to)
{
    if (from->base_type == to->base_type)
        return def;
    if (glsl_type_is_16bit(from) && to->base_type == GLSL_TYPE_FLOAT)
        return def;
    if (glsl_type_is_16bit(to) && nir_class(from) == 0)
        return h2n_round_to_half(&h->b, def);
    if (glsl_type_is_16bit(to) && from->base_type != GLSL_TYPE_BOOL)
        return h2n_round_to_half(
            &h->b, convert_column(h, def, from, glsl_simple_type(GLSL_TYPE_FLOAT, 1, 1)));
    if (to->base_type == GLSL_TYPE_BOOL)
        return nir_class(from) == 0 ? nir_f2b(&h->b, def) : nir_i2b(&h->b, def);
    if (from->base_type == GLSL_TYPE_BOOL)
        return nir_class(to) == 0 ? nir_b2fN(&h->b, def, h2n_bit_size(to))
                                  : nir_b2iN(&h->b, def, glsl_bit_size(to));
    if (nir_class(from) != 0 && nir_class(to) != 0)
        return glsl_bit_size(from) == glsl_bit_size(to) ? def
               : nir_class(from) == 1                   ? nir_i2iN(&h->b, def, glsl_bit_size(to))
                                                        : nir_u2uN(&h->b, def, glsl_bit_size(to));
    return nir_type_convert(&h->b, def, alu_type(from), alu_type(to));
}

static struct h2n_value convert(struct h2n *h, const struct hir_expression *e)
{
    /* The result of an operation must be exact to be rounded correctly to half precision. */
    const bool exact = h->b.exact;
    h->b.exact |= glsl_type_is_16bit(e->base.type);
    struct h2n_value v = h2n_eval(h, e->operands[0]);
    h->b.exact = exact;
    for (unsigned i = 0; i < v.n; i++)
        v.c[i] = convert_column(h, v.c[i], e->operands[0]->type, e->base.type);
    return v;
}

static nir_def *concatenate(struct h2n *h, const struct hir_expression *e)
{
    nir_def *comps[4];
    unsigned n = 0, size = e->base.type->vector_elements;
    for (unsigned i = 0; i < e->num_operands; i++) {
        struct h2n_value v = h2n_eval(h, e->operands[i]);
        for (unsigned c = 0; c < v.n; c++) {
            for (unsigned k = 0; k < v.c[c]->num_components && n < size; k++)
                NEXT_OF(comps, n) = nir_channel(&h->b, v.c[c], k);
        }
    }
    while (n < size)
        comps[n] = comps[n - 1], n++;
    return nir_vec(&h->b, comps, n);
}

static struct h2n_value choose(struct h2n *h, const struct hir_expression *e)
{
    nir_def *cond = h2n_eval_vec(h, e->operands[0]);
    struct h2n_value a = h2n_eval(h, e->operands[1]), b = h2n_eval(h, e->operands[2]);
    for (unsigned i = 0; i < a.n; i++)
        a.c[i] = nir_select(&h->b, cond, a.c[i], b.c[i]);
    return a;
}

static struct h2n_value columns(struct h2n *h, const struct hir_expression *e)
{
    struct h2n_value out = {.n = e->base.type->matrix_columns};
    for (unsigned i = 0; i < out.n; i++)
        out.c[i] = h2n_eval_vec(h, e->operands[MIN2(i, e->num_operands - 1)]);
    return out;
}

static nir_def *interpolate(struct h2n *h, const struct hir_expression *e)
{
    /* GLSL 4.60 §8.13.2: a component is taken from the interpolated vector. */
    const struct hir_value *input = e->operands[0];
    const struct hir_swizzle *swizzle = NULL;
    const struct hir_deref_array *component = NULL;
    if (input->node.kind == HIR_SWIZZLE) {
        swizzle = (const struct hir_swizzle *)input;
        input = swizzle->value;
    } else if (input->node.kind == HIR_DEREF_ARRAY &&
               glsl_type_is_vector(((const struct hir_deref_array *)input)->value->type)) {
        component = (const struct hir_deref_array *)input;
        input = component->value;
    }
    nir_def *deref = &h2n_deref(h, input)->def;
    unsigned n = input->type->vector_elements;
    nir_def *where = e->num_operands > 1 ? h2n_eval_vec(h, e->operands[1]) : NULL;
    nir_def *value = e->op == HIR_OP_INTERP_CENTROID ? nir_interp_deref_at_centroid(&h->b, n, deref)
                     : e->op == HIR_OP_INTERP_SAMPLE
                         ? nir_interp_deref_at_sample(&h->b, n, deref, where)
                         : nir_interp_deref_at_offset(&h->b, n, deref, where);
    if (glsl_type_is_16bit(e->base.type))
        value = h2n_round_to_half(&h->b, value);
    if (component)
        return nir_vector_extract(&h->b, value, h2n_index(h, component->index, n));
    unsigned order[4];
    for (unsigned i = 0; swizzle && i < swizzle->base.type->vector_elements; i++)
        order[i] = swizzle->component[i];
    return swizzle ? nir_swizzle(&h->b, value, order, swizzle->base.type->vector_elements) : value;
}

/* Returns the length of an array that was unsized when length() was called. */
static nir_def *array_length(struct h2n *h, const struct hir_value *array)
{
    nir_deref_instr *deref = h2n_deref(h, array);
    if (glsl_type_is_array(deref->type) && deref->type->length)
        return nir_imm_int(&h->b, deref->type->length);
    return nir_deref_buffer_array_length(&h->b, &deref->def);
}

static struct h2n_value eval_expression(struct h2n *h, const struct hir_expression *e)
{
    switch (e->op) {
    case HIR_OP_MUL:
        return multiply(h, e);
    case HIR_OP_SELECT:
        return choose(h, e);
    case HIR_OP_VECTOR:
        return vector(concatenate(h, e));
    case HIR_OP_MATRIX:
        return columns(h, e);
    case HIR_OP_CONVERT:
        return convert(h, e);
    case HIR_OP_BITCAST:
        return h2n_eval(h, e->operands[0]);
    case HIR_OP_ALL_EQUAL:
        return vector(equal(h, e));
    case HIR_OP_ANY_NEQUAL:
        return vector(nir_inot(&h->b, equal(h, e)));
    case HIR_OP_ANY:
        return vector(nir_bany(&h->b, h2n_eval_vec(h, e->operands[0])));
    case HIR_OP_ALL:
        return vector(nir_ball(&h->b, h2n_eval_vec(h, e->operands[0])));
    case HIR_OP_DOT: {
        nir_def *x = h2n_eval_vec(h, e->operands[0]);
        return vector(nir_fdot(&h->b, x, h2n_eval_vec(h, e->operands[1])));
    }
    case HIR_OP_TRANSPOSE:
        return transpose(h, h2n_eval(h, e->operands[0]));
    case HIR_OP_DETERMINANT: {
        struct h2n_value m = h2n_eval(h, e->operands[0]);
        return vector(h2n_determinant(&h->b, &m));
    }
    case HIR_OP_INVERSE: {
        struct h2n_value m = h2n_eval(h, e->operands[0]);
        return h2n_inverse(&h->b, &m);
    }
    case HIR_OP_ARRAY_LENGTH:
        return vector(array_length(h, e->operands[0]));
    case HIR_OP_INTERP_CENTROID:
    case HIR_OP_INTERP_SAMPLE:
    case HIR_OP_INTERP_OFFSET:
        return vector(interpolate(h, e));
    case HIR_OP_HANDLE: {
        nir_def *value = h2n_eval_vec(h, e->operands[0]);
        return vector(value->bit_size == 64 ? value : nir_pack_64_2x32(&h->b, value));
    }
    case HIR_OP_HANDLE_VALUE: {
        nir_def *handle = h2n_handle(h, e->operands[0]);
        return vector(glsl_type_is_64bit(e->base.type) ? handle
                                                       : nir_unpack_64_2x32(&h->b, handle));
    }
    case HIR_OP_PACK_UNORM_2X16 ... HIR_OP_UNPACK_64_2X32:
        return vector(h2n_pack(&h->b, e->op, h2n_eval_vec(h, e->operands[0])));
    default:
        return component_wise(h, e);
    }
}

/* ---------------------------------------------------------------------------------- values --- */

/* Returns a component, column or element of a vector, or of a value that is not in memory. */
static struct h2n_value eval_element(struct h2n *h, const struct hir_deref_array *d)
{
    const struct glsl_type *t = d->value->type;
    if (glsl_type_is_vector(t)) {
        nir_def *v = h2n_eval_vec(h, d->value);
        nir_def *index = h2n_index(h, d->index, t->vector_elements);
        if (index->parent_instr->type == nir_instr_type_load_const)
            return vector(
                nir_channel(&h->b, v, nir_instr_as_load_const(index->parent_instr)->value[0].u32));
        return vector(nir_vector_extract(&h->b, v, index));
    }
    return h2n_load(h, h2n_deref(h, &d->base), d->base.type);
}

struct h2n_value h2n_eval(struct h2n *h, const struct hir_value *value)
{
    switch (value->node.kind) {
    case HIR_CONSTANT:
        return eval_constant(h, (const struct hir_constant *)value);
    case HIR_EXPRESSION:
        return eval_expression(h, (const struct hir_expression *)value);
    case HIR_SWIZZLE: {
        const struct hir_swizzle *s = (const struct hir_swizzle *)value;
        unsigned swizzle[4];
        for (unsigned i = 0; i < value->type->vector_elements; i++)
            swizzle[i] = s->component[i];
        return vector(
            nir_swizzle(&h->b, h2n_eval_vec(h, s->value), swizzle, value->type->vector_elements));
    }
    case HIR_DEREF_ARRAY:
        return eval_element(h, (const struct hir_deref_array *)value);
    case HIR_TEXTURE:
        return vector(h2n_texture(h, (const struct hir_texture *)value));
    case HIR_DEREF_VARIABLE: {
        const struct hir_variable *var = ((const struct hir_deref_variable *)value)->var;
        if (var->constant_value && !hash_table_search(h->locals, var))
            return eval_constant(h, var->constant_value);
        return h2n_load(h, h2n_deref(h, value), value->type);
    }
    default:
        return h2n_load(h, h2n_deref(h, value), value->type);
    }
}

nir_def *h2n_eval_vec(struct h2n *h, const struct hir_value *value)
{
    return h2n_eval(h, value).c[0];
}
