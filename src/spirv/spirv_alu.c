/* SPDX-License-Identifier: MIT */
/* Arithmetic, logic, bit operations, conversions, linear algebra and derivatives (SPIR-V §3.32.11
 * to §3.32.16). */
#include "nir/nir_build_math.h"
#include "spirv/spirv_private.h"

enum operand_class { CLASS_FLOAT, CLASS_INT, CLASS_BOOL };
enum {
    /* Boolean result with the operands' number of components; else the operands' type. */
    RESULT_BOOL = 1 << 0,
    SWAPPED = 1 << 1,  /* the NIR opcode takes the operands in the opposite order */
    INVERTED = 1 << 2, /* negates the result of the NIR opcode */
    COUNT = 1 << 3, /* the second operand is a bit count of any width, or one for all components */
    ONLY_32 = 1 << 4,  /* requires 32-bit operands */
    FRAGMENT = 1 << 5, /* a derivative: only in fragment and compute shaders */
};

struct alu_row {
    uint16_t op;
    nir_op nir;
    uint8_t operands, kind, flags; /* kind: enum operand_class */
};

static const struct alu_row alu_rows[] = {
    {SpvOpSNegate, nir_op_ineg, 1, CLASS_INT},
    {SpvOpFNegate, nir_op_fneg, 1, CLASS_FLOAT},
    {SpvOpIAdd, nir_op_iadd, 2, CLASS_INT},
    {SpvOpFAdd, nir_op_fadd, 2, CLASS_FLOAT},
    {SpvOpISub, nir_op_isub, 2, CLASS_INT},
    {SpvOpFSub, nir_op_fsub, 2, CLASS_FLOAT},
    {SpvOpIMul, nir_op_imul, 2, CLASS_INT},
    {SpvOpFMul, nir_op_fmul, 2, CLASS_FLOAT},
    {SpvOpUDiv, nir_op_udiv, 2, CLASS_INT},
    {SpvOpSDiv, nir_op_idiv, 2, CLASS_INT},
    {SpvOpFDiv, nir_op_fdiv, 2, CLASS_FLOAT},
    {SpvOpUMod, nir_op_umod, 2, CLASS_INT},
    {SpvOpSRem, nir_op_irem, 2, CLASS_INT},
    {SpvOpSMod, nir_op_imod, 2, CLASS_INT},
    {SpvOpFRem, nir_op_frem, 2, CLASS_FLOAT},
    {SpvOpFMod, nir_op_fmod, 2, CLASS_FLOAT},
    {SpvOpShiftRightLogical, nir_op_ushr, 2, CLASS_INT, COUNT},
    {SpvOpShiftRightArithmetic, nir_op_ishr, 2, CLASS_INT, COUNT},
    {SpvOpShiftLeftLogical, nir_op_ishl, 2, CLASS_INT, COUNT},
    {SpvOpBitwiseOr, nir_op_ior, 2, CLASS_INT},
    {SpvOpBitwiseXor, nir_op_ixor, 2, CLASS_INT},
    {SpvOpBitwiseAnd, nir_op_iand, 2, CLASS_INT},
    {SpvOpNot, nir_op_inot, 1, CLASS_INT},
    {SpvOpBitReverse, nir_op_bitfield_reverse, 1, CLASS_INT, ONLY_32},
    {SpvOpBitCount, nir_op_bit_count, 1, CLASS_INT, ONLY_32},
    {SpvOpUCountLeadingZerosINTEL, nir_op_uclz, 1, CLASS_INT, ONLY_32},
    {SpvOpIAddSatINTEL, nir_op_iadd_sat, 2, CLASS_INT},
    {SpvOpUAddSatINTEL, nir_op_uadd_sat, 2, CLASS_INT},
    {SpvOpISubSatINTEL, nir_op_isub_sat, 2, CLASS_INT},
    {SpvOpUSubSatINTEL, nir_op_usub_sat, 2, CLASS_INT},
    {SpvOpLogicalEqual, nir_op_ixor, 2, CLASS_BOOL, INVERTED},
    {SpvOpLogicalNotEqual, nir_op_ixor, 2, CLASS_BOOL},
    {SpvOpLogicalOr, nir_op_ior, 2, CLASS_BOOL},
    {SpvOpLogicalAnd, nir_op_iand, 2, CLASS_BOOL},
    {SpvOpLogicalNot, nir_op_inot, 1, CLASS_BOOL},
    {SpvOpIEqual, nir_op_ieq, 2, CLASS_INT, RESULT_BOOL},
    {SpvOpINotEqual, nir_op_ine, 2, CLASS_INT, RESULT_BOOL},
    {SpvOpUGreaterThan, nir_op_ult, 2, CLASS_INT, RESULT_BOOL | SWAPPED},
    {SpvOpSGreaterThan, nir_op_ilt, 2, CLASS_INT, RESULT_BOOL | SWAPPED},
    {SpvOpUGreaterThanEqual, nir_op_uge, 2, CLASS_INT, RESULT_BOOL},
    {SpvOpSGreaterThanEqual, nir_op_ige, 2, CLASS_INT, RESULT_BOOL},
    {SpvOpULessThan, nir_op_ult, 2, CLASS_INT, RESULT_BOOL},
    {SpvOpSLessThan, nir_op_ilt, 2, CLASS_INT, RESULT_BOOL},
    {SpvOpULessThanEqual, nir_op_uge, 2, CLASS_INT, RESULT_BOOL | SWAPPED},
    {SpvOpSLessThanEqual, nir_op_ige, 2, CLASS_INT, RESULT_BOOL | SWAPPED},
    {SpvOpFOrdEqual, nir_op_feq, 2, CLASS_FLOAT, RESULT_BOOL},
    {SpvOpFUnordNotEqual, nir_op_fneu, 2, CLASS_FLOAT, RESULT_BOOL},
    {SpvOpFOrdLessThan, nir_op_flt, 2, CLASS_FLOAT, RESULT_BOOL},
    {SpvOpFUnordLessThan, nir_op_fge, 2, CLASS_FLOAT, RESULT_BOOL | INVERTED},
    {SpvOpFOrdGreaterThan, nir_op_flt, 2, CLASS_FLOAT, RESULT_BOOL | SWAPPED},
    {SpvOpFUnordGreaterThan, nir_op_fge, 2, CLASS_FLOAT, RESULT_BOOL | SWAPPED | INVERTED},
    {SpvOpFOrdLessThanEqual, nir_op_fge, 2, CLASS_FLOAT, RESULT_BOOL | SWAPPED},
    {SpvOpFUnordLessThanEqual, nir_op_flt, 2, CLASS_FLOAT, RESULT_BOOL | SWAPPED | INVERTED},
    {SpvOpFOrdGreaterThanEqual, nir_op_fge, 2, CLASS_FLOAT, RESULT_BOOL},
    {SpvOpFUnordGreaterThanEqual, nir_op_flt, 2, CLASS_FLOAT, RESULT_BOOL | INVERTED},
    {SpvOpQuantizeToF16, nir_op_fquantize2f16, 1, CLASS_FLOAT, ONLY_32},
    {SpvOpDPdx, nir_op_fddx, 1, CLASS_FLOAT, ONLY_32 | FRAGMENT},
    {SpvOpDPdy, nir_op_fddy, 1, CLASS_FLOAT, ONLY_32 | FRAGMENT},
    {SpvOpDPdxFine, nir_op_fddx_fine, 1, CLASS_FLOAT, ONLY_32 | FRAGMENT},
    {SpvOpDPdyFine, nir_op_fddy_fine, 1, CLASS_FLOAT, ONLY_32 | FRAGMENT},
    {SpvOpDPdxCoarse, nir_op_fddx_coarse, 1, CLASS_FLOAT, ONLY_32 | FRAGMENT},
    {SpvOpDPdyCoarse, nir_op_fddy_coarse, 1, CLASS_FLOAT, ONLY_32 | FRAGMENT},
};

static const struct alu_row *find_row(SpvOp op)
{
    for (unsigned i = 0; i < ARRAY_SIZE(alu_rows); i++) {
        if (alu_rows[i].op == op)
            return &alu_rows[i];
    }
    return NULL;
}

static enum operand_class class_of(const struct spv_type *t)
{
    SpvOp op = spv_scalar_of(t)->op;
    return op == SpvOpTypeFloat ? CLASS_FLOAT : op == SpvOpTypeBool ? CLASS_BOOL : CLASS_INT;
}

/* Checks the types of the operands against the row and each other. */
static void check_row(struct spv *p, const struct alu_row *row, const struct spv_type *result,
                      const struct spv_type *const *types)
{
    for (unsigned i = 0; i < row->operands; i++) {
        const struct spv_type *t = types[i];
        spv_fail_if(p, !spv_is_vector(t) || class_of(t) != row->kind,
                    "operand %u has the wrong type", i);
        const bool one_count = row->flags & COUNT && i == 1 && spv_is_scalar(t);
        spv_fail_if(p, spv_components(t) != spv_components(types[0]) && !one_count,
                    "operands have different numbers of components");
        spv_fail_if(p, !(row->flags & COUNT) && spv_bits(t) != spv_bits(types[0]),
                    "operands have different widths");
        spv_fail_if(p, row->flags & ONLY_32 && spv_bits(t) != 32,
                    "only 32-bit operands are supported");
    }
    spv_fail_if(p,
                row->flags & FRAGMENT && p->stage != SHADER_FRAGMENT && p->stage != SHADER_COMPUTE,
                "is only allowed in fragment shaders");
    enum operand_class base = row->flags & RESULT_BOOL ? CLASS_BOOL : row->kind;
    spv_fail_if(p,
                !spv_is_vector(result) || class_of(result) != base ||
                    spv_components(result) != spv_components(types[0]) ||
                    (base != CLASS_BOOL && spv_bits(result) != spv_bits(types[0])),
                "the result type does not match the operands");
}

/* Returns a bit count as NIR has it: 32 bits wide, with this number of components. */
static nir_def *bit_count(struct spv *p, nir_def *def, unsigned components)
{
    if (def->num_components < components)
        def = nir_swizzle(&p->b, def, (const unsigned[NIR_MAX_VEC_COMPONENTS]){0}, components);
    return def->bit_size == 32 ? def : nir_u2uN(&p->b, def, 32);
}

static void set(struct spv *p, const struct spv_instr *in, nir_def *def)
{
    spv_set(p, in, (struct spv_ssa){.type = spv_type(p, in->w[1]), .n = 1, .c = {def}});
}

static void emit_row(struct spv *p, const struct spv_instr *in, const struct alu_row *row)
{
    const struct spv_type *types[2];
    nir_def *src[2];
    for (unsigned i = 0; i < row->operands; i++) {
        struct spv_ssa v = spv_use(p, in->w[3 + i]);
        types[i] = v.type;
        src[i] = v.c[0];
    }
    check_row(p, row, spv_type(p, in->w[1]), types);
    if (row->flags & COUNT)
        src[1] = bit_count(p, src[1], src[0]->num_components);
    if (row->flags & SWAPPED) {
        nir_def *first = src[0];
        src[0] = src[1];
        src[1] = first;
    }
    bool exact = p->b.exact;
    p->b.exact |= (row->flags & INVERTED) != 0; /* keeps NaN results exact when inverted */
    nir_def *def = nir_build_alu(&p->b, row->nir, src);
    if (row->flags & INVERTED)
        def = nir_inot(&p->b, def);
    p->b.exact = exact;
    if (row->flags & FRAGMENT && p->stage == SHADER_FRAGMENT)
        p->shader->info.fs.uses_derivatives = true;
    set(p, in, def);
}

/* ------------------------------------------------------------------------------ conversions --- */

struct conversion_row {
    uint16_t op;
    uint8_t from, to; /* enum operand_class */
    nir_alu_type nir_from, nir_to;
};

static const struct conversion_row conversions[] = {
    {SpvOpConvertFToU, CLASS_FLOAT, CLASS_INT, nir_type_float, nir_type_uint},
    {SpvOpConvertFToS, CLASS_FLOAT, CLASS_INT, nir_type_float, nir_type_int},
    {SpvOpConvertSToF, CLASS_INT, CLASS_FLOAT, nir_type_int, nir_type_float},
    {SpvOpConvertUToF, CLASS_INT, CLASS_FLOAT, nir_type_uint, nir_type_float},
    {SpvOpUConvert, CLASS_INT, CLASS_INT, nir_type_uint, nir_type_uint},
    {SpvOpSConvert, CLASS_INT, CLASS_INT, nir_type_int, nir_type_int},
    {SpvOpFConvert, CLASS_FLOAT, CLASS_FLOAT, nir_type_float, nir_type_float},
};

static const struct conversion_row *find_conversion(SpvOp op)
{
    for (unsigned i = 0; i < ARRAY_SIZE(conversions); i++) {
        if (conversions[i].op == op)
            return &conversions[i];
    }
    return NULL;
}

static void check_conversion(struct spv *p, const struct conversion_row *row,
                             const struct spv_type *from, const struct spv_type *to)
{
    spv_fail_if(p,
                !spv_is_vector(from) || !spv_is_vector(to) || class_of(from) != row->from ||
                    class_of(to) != row->to || spv_components(from) != spv_components(to),
                "cannot convert between these types");
}

static void emit_conversion(struct spv *p, const struct spv_instr *in,
                            const struct conversion_row *row)
{
    const struct spv_type *to = spv_type(p, in->w[1]);
    struct spv_ssa v = spv_use(p, in->w[3]);
    check_conversion(p, row, v.type, to);
    unsigned from_bits = spv_bits(v.type), bits = spv_bits(to);
    set(p, in,
        row->from == row->to && from_bits == bits
            ? v.c[0]
            : nir_type_convert(&p->b, v.c[0], row->nir_from | from_bits, row->nir_to | bits));
}

static void emit_bitcast(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *to = spv_type(p, in->w[1]);
    struct spv_ssa v = spv_use(p, in->w[3]);
    spv_fail_if(p,
                !spv_is_vector(v.type) || !spv_is_vector(to) || spv_bits(v.type) == 1 ||
                    spv_bits(to) == 1 ||
                    spv_bits(v.type) * spv_components(v.type) != spv_bits(to) * spv_components(to),
                "cannot cast between these types");
    nir_def *comps[4], *def = v.c[0];
    unsigned n = spv_components(to);
    if (spv_bits(to) == spv_bits(v.type)) {
        set(p, in, def);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        if (spv_bits(to) == 64) {
            nir_def *pair = nir_channels(&p->b, def, 3u << 2 * i);
            comps[i] = nir_pack_64_2x32(&p->b, pair);
        } else {
            nir_def *pair = nir_unpack_64_2x32(&p->b, nir_channel(&p->b, def, i / 2));
            comps[i] = nir_channel(&p->b, pair, i & 1);
        }
    }
    set(p, in, nir_vec(&p->b, comps, n));
}

/* ------------------------------------------------------------------------- linear algebra --- */

static void check_float(struct spv *p, const struct spv_ssa *v)
{
    spv_fail_if(p, class_of(v->type) != CLASS_FLOAT || !v->n, "operands must be floats");
}

/* Returns the sum of the columns of m scaled by the components of v, added in this order. */
static nir_def *matrix_times_vector(struct spv *p, const struct spv_ssa *m, nir_def *v)
{
    nir_def *sum = NULL;
    for (unsigned i = 0; i < m->n; i++) {
        nir_def *x = nir_vec_broadcast(&p->b, nir_channel(&p->b, v, i), m->c[i]->num_components);
        nir_def *product = nir_fmul(&p->b, m->c[i], x);
        sum = sum ? nir_fadd(&p->b, sum, product) : product;
    }
    return sum;
}

static nir_def *times_scalar(struct spv *p, nir_def *x, nir_def *scalar)
{
    return nir_fmul(&p->b, x, nir_vec_broadcast(&p->b, scalar, x->num_components));
}

/* Computes the number of rows and columns of a product. Returns false if the operand shapes do not
 * match. */
static bool product_shape(const struct spv_instr *in, const struct spv_ssa *a,
                          const struct spv_ssa *b, unsigned *rows, unsigned *columns)
{
    bool ma = spv_is_matrix(a->type), mb = spv_is_matrix(b->type);
    unsigned na = a->c[0]->num_components, nb = b->c[0]->num_components;
    *rows = na;
    *columns = 1;
    switch (in->op) {
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        *columns = a->n;
        return ma == (in->op == SpvOpMatrixTimesScalar) && spv_is_scalar(b->type);
    case SpvOpVectorTimesMatrix:
        *rows = b->n;
        return !ma && mb && na == nb;
    case SpvOpMatrixTimesVector:
        return ma && !mb && a->n == nb;
    case SpvOpMatrixTimesMatrix:
        *columns = b->n;
        return ma && mb && a->n == nb;
    case SpvOpOuterProduct:
        *columns = nb;
        return !ma && !mb && na > 1 && nb > 1;
    default: /* OpDot */
        *rows = 1;
        return !ma && !mb && na == nb;
    }
}

static nir_def *product_column(struct spv *p, const struct spv_instr *in, const struct spv_ssa *a,
                               const struct spv_ssa *b, unsigned column)
{
    nir_def *comps[4];
    switch (in->op) {
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
        return times_scalar(p, a->c[column], b->c[0]);
    case SpvOpVectorTimesMatrix:
        for (unsigned k = 0; k < b->n; k++)
            comps[k] = nir_fdot(&p->b, a->c[0], b->c[k]);
        return nir_vec(&p->b, comps, b->n);
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
        return matrix_times_vector(p, a, b->c[column]);
    case SpvOpOuterProduct:
        return times_scalar(p, a->c[0], nir_channel(&p->b, b->c[0], column));
    default:
        return nir_fdot(&p->b, a->c[0], b->c[0]);
    }
}

static void emit_product(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa a = spv_use(p, in->w[3]), b = spv_use(p, in->w[4]);
    const struct spv_type *type = spv_type(p, in->w[1]);
    struct spv_ssa out = {.type = type};
    unsigned rows;
    check_float(p, &a);
    check_float(p, &b);
    spv_fail_if(p, spv_bits(a.type) != spv_bits(b.type), "operands have different widths");
    spv_fail_if(p, !product_shape(in, &a, &b, &rows, &out.n), "the operand types do not match");
    spv_fail_if(p,
                class_of(type) != CLASS_FLOAT || spv_bits(type) != spv_bits(a.type) ||
                    (spv_is_matrix(type) ? type->length : 1) != out.n ||
                    spv_components(spv_is_matrix(type) ? type->element : type) != rows ||
                    spv_is_aggregate(type),
                "the result type does not match the operands");
    for (unsigned i = 0; i < out.n; i++)
        out.c[i] = product_column(p, in, &a, &b, i);
    spv_set(p, in, out);
}

static void emit_transpose(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa m = spv_use(p, in->w[3]);
    const struct spv_type *type = spv_type(p, in->w[1]);
    spv_fail_if(p,
                !spv_is_matrix(m.type) || !spv_is_matrix(type) ||
                    type->length != m.type->element->length ||
                    type->element->length != m.type->length || spv_bits(type) != spv_bits(m.type),
                "the types must be a matrix type and its transpose");
    struct spv_ssa out = {.type = type, .n = type->length};
    for (unsigned i = 0; i < out.n; i++) {
        nir_def *comps[4];
        for (unsigned k = 0; k < m.n; k++)
            comps[k] = nir_channel(&p->b, m.c[k], i);
        out.c[i] = nir_vec(&p->b, comps, m.n);
    }
    spv_set(p, in, out);
}

/* -------------------------------------------------------------------------------- the rest --- */

/* Stores the members in a new variable of the result's struct type. */
void spv_set_pair(struct spv *p, const struct spv_instr *in, nir_def *first, nir_def *second)
{
    const struct spv_type *type = spv_type(p, in->w[1]);
    nir_def *defs[2] = {first, second};
    spv_fail_if(p, type->op != SpvOpTypeStruct || type->length != 2,
                "the result must be a struct with two members");
    struct spv_ssa out = spv_temporary(p, type);
    for (unsigned i = 0; i < 2; i++) {
        const struct spv_type *m = type->members[i];
        spv_fail_if(p,
                    !spv_is_vector(m) || spv_components(m) != defs[i]->num_components ||
                        spv_bits(m) != defs[i]->bit_size,
                    "a member of the result has the wrong type");
        struct spv_ssa part = {.type = m, .n = 1, .c = {defs[i]}};
        spv_store_part(p, nir_build_deref_struct(&p->b, spv_aggregate_deref(p, &out), i), &part);
    }
    spv_set(p, in, out);
}

static void emit_extended_arithmetic(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa a = spv_use(p, in->w[3]), b = spv_use(p, in->w[4]);
    nir_def *x = a.c[0], *y = b.c[0], *low, *high;
    spv_fail_if(p,
                !spv_is_vector(a.type) || class_of(a.type) != CLASS_INT || !spv_is_vector(b.type) ||
                    class_of(b.type) != CLASS_INT || x->num_components != y->num_components ||
                    x->bit_size != y->bit_size,
                "operands must be integers of the same type");
    spv_fail_if(p, x->bit_size != 32, "only 32-bit operands are supported");
    switch (in->op) {
    case SpvOpIAddCarry:
        low = nir_iadd(&p->b, x, y);
        high = nir_uadd_carry(&p->b, x, y);
        break;
    case SpvOpISubBorrow:
        low = nir_isub(&p->b, x, y);
        high = nir_usub_borrow(&p->b, x, y);
        break;
    case SpvOpUMulExtended:
        low = nir_imul(&p->b, x, y);
        high = nir_umul_high(&p->b, x, y);
        break;
    default:
        low = nir_imul(&p->b, x, y);
        high = nir_imul_high(&p->b, x, y);
        break;
    }
    spv_set_pair(p, in, low, high);
}

static void emit_select(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa cond = spv_use(p, in->w[3]), a = spv_use(p, in->w[4]), b = spv_use(p, in->w[5]);
    spv_fail_if(p, !spv_is_vector(cond.type) || class_of(cond.type) != CLASS_BOOL,
                "the condition must be boolean");
    spv_fail_if(
        p,
        !spv_is_vector(a.type) || !spv_same_type(a.type, b.type) ||
            (!spv_is_scalar(cond.type) && spv_components(cond.type) != spv_components(a.type)),
        "the operand types do not match");
    a.c[0] = nir_select(&p->b, cond.c[0], a.c[0], b.c[0]);
    spv_set(p, in, a);
}

static void emit_bitfield(struct spv *p, const struct spv_instr *in)
{
    bool insert = in->op == SpvOpBitFieldInsert;
    struct spv_ssa base = spv_use(p, in->w[3]);
    spv_fail_if(p,
                !spv_is_vector(base.type) || class_of(base.type) != CLASS_INT ||
                    spv_bits(base.type) != 32,
                "the base must be a 32-bit integer scalar or vector");
    unsigned n = spv_components(base.type);
    nir_def *offset = nir_vec_broadcast(&p->b, spv_use_int(p, in->w[4 + insert]), n);
    nir_def *count = nir_vec_broadcast(&p->b, spv_use_int(p, in->w[5 + insert]), n);
    if (insert) {
        struct spv_ssa part = spv_use(p, in->w[4]);
        spv_fail_if(p, !spv_same_type(part.type, base.type), "the operand types do not match");
        base.c[0] = nir_bitfield_insert(&p->b, base.c[0], part.c[0], offset, count);
    } else if (in->op == SpvOpBitFieldSExtract) {
        base.c[0] = nir_ibitfield_extract(&p->b, base.c[0], offset, count);
    } else {
        base.c[0] = nir_ubitfield_extract(&p->b, base.c[0], offset, count);
    }
    spv_set(p, in, base);
}

/* Emits an ordered comparison: false if an operand is NaN. */
static void emit_compare(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa a = spv_use(p, in->w[3]), b = spv_use(p, in->w[4]);
    spv_fail_if(p,
                !spv_is_vector(a.type) || class_of(a.type) != CLASS_FLOAT ||
                    !spv_same_type(a.type, b.type),
                "operands must be floats of the same type");
    bool exact = p->b.exact;
    p->b.exact = true;
    nir_def *less = nir_flt(&p->b, a.c[0], b.c[0]), *greater = nir_flt(&p->b, b.c[0], a.c[0]);
    nir_def *differ = nir_ior(&p->b, less, greater);
    nir_def *ordered =
        nir_iand(&p->b, nir_feq(&p->b, a.c[0], a.c[0]), nir_feq(&p->b, b.c[0], b.c[0]));
    p->b.exact = exact;
    nir_def *def = in->op == SpvOpFOrdNotEqual  ? differ
                   : in->op == SpvOpFUnordEqual ? nir_inot(&p->b, differ)
                   : in->op == SpvOpOrdered     ? ordered
                                                : nir_inot(&p->b, ordered);
    spv_set_vec(p, in, def);
}

static void emit_class_test(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa v = spv_use(p, in->w[3]);
    spv_fail_if(p, !spv_is_vector(v.type) || class_of(v.type) != CLASS_FLOAT,
                "the operand must be a float scalar or vector");
    spv_set_vec(p, in,
                in->op == SpvOpIsNan ? nir_build_is_nan(&p->b, v.c[0])
                                     : nir_build_is_inf(&p->b, v.c[0]));
}

static void emit_any_all(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa v = spv_use(p, in->w[3]);
    spv_fail_if(p, !spv_is_vector(v.type) || class_of(v.type) != CLASS_BOOL,
                "the operand must be a boolean vector");
    spv_set_vec(p, in, in->op == SpvOpAny ? nir_bany(&p->b, v.c[0]) : nir_ball(&p->b, v.c[0]));
}

/* Emits OpFwidth: |d/dx| + |d/dy|. */
static void emit_width(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa v = spv_use(p, in->w[3]);
    spv_fail_if(p,
                !spv_is_vector(v.type) || class_of(v.type) != CLASS_FLOAT || spv_bits(v.type) != 32,
                "the operand must be a float scalar or vector");
    spv_fail_if(p, p->stage != SHADER_FRAGMENT, "is only allowed in fragment shaders");
    p->shader->info.fs.uses_derivatives = true;
    nir_builder *b = &p->b;
    nir_def *x = in->op == SpvOpFwidth       ? nir_fddx(b, v.c[0])
                 : in->op == SpvOpFwidthFine ? nir_fddx_fine(b, v.c[0])
                                             : nir_fddx_coarse(b, v.c[0]);
    nir_def *y = in->op == SpvOpFwidth       ? nir_fddy(b, v.c[0])
                 : in->op == SpvOpFwidthFine ? nir_fddy_fine(b, v.c[0])
                                             : nir_fddy_coarse(b, v.c[0]);
    v.c[0] = nir_fadd(b, nir_fabs(b, x), nir_fabs(b, y));
    spv_set(p, in, v);
}

/* Emits the instructions of SPV_INTEL_shader_integer_functions2 that have no NIR opcode. */
static void emit_integers(struct spv *p, const struct spv_instr *in)
{
    bool one = in->op == SpvOpUCountTrailingZerosINTEL;
    bool words = in->op == SpvOpIMul32x16INTEL || in->op == SpvOpUMul32x16INTEL;
    const struct alu_row row = {
        .operands = one ? 1 : 2, .kind = CLASS_INT, .flags = one || words ? ONLY_32 : 0};
    struct spv_ssa x = spv_use(p, in->w[3]), y = spv_use(p, in->w[one ? 3 : 4]);
    const struct spv_type *types[2] = {x.type, y.type};
    nir_builder *b = &p->b;
    nir_def *def;
    check_row(p, &row, spv_type(p, in->w[1]), types);
    switch (in->op) {
    case SpvOpUCountTrailingZerosINTEL:
        def = nir_build_count_trailing_zeros(b, x.c[0]);
        break;
    case SpvOpAbsISubINTEL:
    case SpvOpAbsUSubINTEL:
        def = nir_build_abs_difference(b, x.c[0], y.c[0], in->op == SpvOpAbsISubINTEL);
        break;
    case SpvOpIAverageINTEL:
    case SpvOpUAverageINTEL:
        def = nir_build_average(b, x.c[0], y.c[0], in->op == SpvOpIAverageINTEL, false);
        break;
    case SpvOpIAverageRoundedINTEL:
    case SpvOpUAverageRoundedINTEL:
        def = nir_build_average(b, x.c[0], y.c[0], in->op == SpvOpIAverageRoundedINTEL, true);
        break;
    default:
        def = nir_build_mul_32x16(b, x.c[0], y.c[0], in->op == SpvOpIMul32x16INTEL);
    }
    set(p, in, def);
}

static const struct {
    uint16_t op;
    void (*emit)(struct spv *p, const struct spv_instr *in);
} others[] = {
    {SpvOpUCountTrailingZerosINTEL, emit_integers},
    {SpvOpAbsISubINTEL, emit_integers},
    {SpvOpAbsUSubINTEL, emit_integers},
    {SpvOpIAverageINTEL, emit_integers},
    {SpvOpUAverageINTEL, emit_integers},
    {SpvOpIAverageRoundedINTEL, emit_integers},
    {SpvOpUAverageRoundedINTEL, emit_integers},
    {SpvOpIMul32x16INTEL, emit_integers},
    {SpvOpUMul32x16INTEL, emit_integers},
    {SpvOpBitcast, emit_bitcast},
    {SpvOpVectorTimesScalar, emit_product},
    {SpvOpMatrixTimesScalar, emit_product},
    {SpvOpVectorTimesMatrix, emit_product},
    {SpvOpMatrixTimesVector, emit_product},
    {SpvOpMatrixTimesMatrix, emit_product},
    {SpvOpOuterProduct, emit_product},
    {SpvOpDot, emit_product},
    {SpvOpTranspose, emit_transpose},
    {SpvOpIAddCarry, emit_extended_arithmetic},
    {SpvOpISubBorrow, emit_extended_arithmetic},
    {SpvOpUMulExtended, emit_extended_arithmetic},
    {SpvOpSMulExtended, emit_extended_arithmetic},
    {SpvOpSelect, emit_select},
    {SpvOpBitFieldInsert, emit_bitfield},
    {SpvOpBitFieldSExtract, emit_bitfield},
    {SpvOpBitFieldUExtract, emit_bitfield},
    {SpvOpFOrdNotEqual, emit_compare},
    {SpvOpFUnordEqual, emit_compare},
    {SpvOpOrdered, emit_compare},
    {SpvOpUnordered, emit_compare},
    {SpvOpIsNan, emit_class_test},
    {SpvOpIsInf, emit_class_test},
    {SpvOpAny, emit_any_all},
    {SpvOpAll, emit_any_all},
    {SpvOpFwidth, emit_width},
    {SpvOpFwidthFine, emit_width},
    {SpvOpFwidthCoarse, emit_width},
};

bool spv_emit_alu(struct spv *p, const struct spv_instr *in)
{
    const struct alu_row *row = find_row(in->op);
    if (row) {
        emit_row(p, in, row);
        return true;
    }
    const struct conversion_row *conversion = find_conversion(in->op);
    if (conversion) {
        emit_conversion(p, in, conversion);
        return true;
    }
    for (unsigned i = 0; i < ARRAY_SIZE(others); i++) {
        if (others[i].op != in->op)
            continue;
        others[i].emit(p, in);
        return true;
    }
    return false;
}

/* ----------------------------------------------------------------------------- of constants --- */

static nir_constant *evaluate(struct spv *p, nir_op op, unsigned n, unsigned bits,
                              const struct spv_value *const *operands, unsigned count, bool swap)
{
    nir_constant *out = spv_alloc(p, sizeof *out);
    nir_const_value *src[3], values[3][NIR_MAX_VEC_COMPONENTS];
    for (unsigned i = 0; i < count; i++) {
        const nir_constant *c = operands[swap ? count - 1 - i : i]->constant;
        memset(values[i], 0, sizeof values[i]);
        if (!c->is_null_constant)
            memcpy(values[i], c->values, sizeof values[i]);
        src[i] = values[i];
    }
    nir_eval_const_opcode(op, out->values, n, bits, src);
    return out;
}

/* Does the same as bit_count for a constant. */
static nir_constant *constant_count(struct spv *p, const struct spv_value *count,
                                    unsigned components)
{
    nir_constant *out = spv_alloc(p, sizeof *out);
    const nir_constant *c = count->constant;
    const bool scalar = spv_is_scalar(count->type);
    for (unsigned i = 0; i < components && !c->is_null_constant; i++)
        out->values[i].u32 =
            (uint32_t)nir_const_value_as_uint(c->values[scalar ? 0 : i], spv_bits(count->type));
    return out;
}

static nir_constant *fold_select(struct spv *p, const struct spv_type *type,
                                 const struct spv_value *const *operands)
{
    const struct spv_type *cond = operands[0]->type;
    nir_constant *out = spv_alloc(p, sizeof *out);
    spv_fail_if(p,
                !spv_is_vector(cond) || class_of(cond) != CLASS_BOOL || !spv_is_vector(type) ||
                    !spv_same_type(operands[1]->type, type) ||
                    !spv_same_type(operands[2]->type, type) ||
                    (!spv_is_scalar(cond) && spv_components(cond) != spv_components(type)),
                "the operand types do not match");
    for (unsigned i = 0; i < spv_components(type); i++) {
        bool which = operands[0]->constant->values[spv_is_scalar(cond) ? 0 : i].b;
        out->values[i] = operands[which ? 1 : 2]->constant->values[i];
    }
    return out;
}

nir_constant *spv_fold_alu(struct spv *p, SpvOp op, const struct spv_type *type,
                           const struct spv_value *const *operands, unsigned count)
{
    const struct alu_row *row = find_row(op);
    const struct conversion_row *conversion = find_conversion(op);
    const struct spv_type *types[3];
    for (unsigned i = 0; i < MIN2(count, 3); i++)
        types[i] = operands[i]->type;
    if (op == SpvOpSelect && count == 3)
        return fold_select(p, type, operands);
    if (row && count == row->operands && !(row->flags & FRAGMENT)) {
        check_row(p, row, type, types);
        struct spv_value count_value;
        const struct spv_value *both[2] = {operands[0], &count_value};
        if (row->flags & COUNT) {
            count_value = *operands[1];
            count_value.constant = constant_count(p, operands[1], spv_components(type));
            operands = both;
        }
        nir_constant *c = evaluate(p, row->nir, spv_components(type), spv_bits(types[0]), operands,
                                   count, row->flags & SWAPPED);
        for (unsigned i = 0; i < spv_components(type) && row->flags & INVERTED; i++)
            c->values[i] = nir_const_value_for_uint(!c->values[i].b, 1);
        return c;
    }
    if (conversion && count == 1) {
        check_conversion(p, conversion, types[0], type);
        unsigned from = spv_bits(types[0]), to = spv_bits(type);
        nir_op convert =
            conversion->from == conversion->to && from == to
                ? nir_op_mov
                : nir_type_conversion_op(conversion->nir_from | from, conversion->nir_to | to);
        return evaluate(p, convert, spv_components(type), from, operands, 1, false);
    }
    return NULL;
}
