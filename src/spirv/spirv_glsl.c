/* SPDX-License-Identifier: MIT */
/* The extended instructions of GLSL.std.450. They compute the same values as the functions with
 * these names in src/glsl. */
#include <math.h>

#include "nir/nir_build_math.h"
#include "spirv/spirv_private.h"

enum operand { NUMBERS_FLOAT, NUMBERS_FLOAT_32, NUMBERS_INT };

/* An instruction with one result of the operands' type, computed by a NIR opcode or a function. */
struct simple_row {
    uint16_t op;
    uint8_t operands, kind; /* enum operand */
    nir_op nir;             /* used if build is NULL */
    nir_def *(*build)(nir_builder *b, nir_def *x);
};

static const struct simple_row simple_rows[] = {
    {GLSLstd450Round, 1, NUMBERS_FLOAT, nir_op_fround_even},
    {GLSLstd450RoundEven, 1, NUMBERS_FLOAT, nir_op_fround_even},
    {GLSLstd450Trunc, 1, NUMBERS_FLOAT, nir_op_ftrunc},
    {GLSLstd450FAbs, 1, NUMBERS_FLOAT, nir_op_fabs},
    {GLSLstd450SAbs, 1, NUMBERS_INT, nir_op_iabs},
    {GLSLstd450FSign, 1, NUMBERS_FLOAT, nir_op_fsign},
    {GLSLstd450SSign, 1, NUMBERS_INT, nir_op_isign},
    {GLSLstd450Floor, 1, NUMBERS_FLOAT, nir_op_ffloor},
    {GLSLstd450Ceil, 1, NUMBERS_FLOAT, 0, nir_build_ceil},
    {GLSLstd450Fract, 1, NUMBERS_FLOAT, nir_op_ffract},
    {GLSLstd450Sin, 1, NUMBERS_FLOAT_32, nir_op_fsin},
    {GLSLstd450Cos, 1, NUMBERS_FLOAT_32, nir_op_fcos},
    {GLSLstd450Tan, 1, NUMBERS_FLOAT_32, 0, nir_build_tan},
    {GLSLstd450Asin, 1, NUMBERS_FLOAT_32, 0, nir_build_asin},
    {GLSLstd450Acos, 1, NUMBERS_FLOAT_32, 0, nir_build_acos},
    {GLSLstd450Atan, 1, NUMBERS_FLOAT_32, 0, nir_build_atan},
    {GLSLstd450Sinh, 1, NUMBERS_FLOAT_32, 0, nir_build_sinh},
    {GLSLstd450Cosh, 1, NUMBERS_FLOAT_32, 0, nir_build_cosh},
    {GLSLstd450Tanh, 1, NUMBERS_FLOAT_32, 0, nir_build_tanh},
    {GLSLstd450Asinh, 1, NUMBERS_FLOAT_32, 0, nir_build_asinh},
    {GLSLstd450Acosh, 1, NUMBERS_FLOAT_32, 0, nir_build_acosh},
    {GLSLstd450Atanh, 1, NUMBERS_FLOAT_32, 0, nir_build_atanh},
    {GLSLstd450Atan2, 2, NUMBERS_FLOAT_32},
    {GLSLstd450Pow, 2, NUMBERS_FLOAT_32, nir_op_fpow},
    {GLSLstd450Exp, 1, NUMBERS_FLOAT_32, 0, nir_build_exp},
    {GLSLstd450Log, 1, NUMBERS_FLOAT_32, 0, nir_build_log},
    {GLSLstd450Exp2, 1, NUMBERS_FLOAT_32, nir_op_fexp2},
    {GLSLstd450Log2, 1, NUMBERS_FLOAT_32, nir_op_flog2},
    {GLSLstd450Sqrt, 1, NUMBERS_FLOAT, nir_op_fsqrt},
    {GLSLstd450InverseSqrt, 1, NUMBERS_FLOAT, nir_op_frsq},
    {GLSLstd450FMin, 2, NUMBERS_FLOAT, nir_op_fmin},
    {GLSLstd450UMin, 2, NUMBERS_INT, nir_op_umin},
    {GLSLstd450SMin, 2, NUMBERS_INT, nir_op_imin},
    {GLSLstd450FMax, 2, NUMBERS_FLOAT, nir_op_fmax},
    {GLSLstd450UMax, 2, NUMBERS_INT, nir_op_umax},
    {GLSLstd450SMax, 2, NUMBERS_INT, nir_op_imax},
    {GLSLstd450FMix, 3, NUMBERS_FLOAT, nir_op_flrp},
    {GLSLstd450Fma, 3, NUMBERS_FLOAT, nir_op_ffma},
    {GLSLstd450NMin, 2, NUMBERS_FLOAT, nir_op_fmin},
    {GLSLstd450NMax, 2, NUMBERS_FLOAT, nir_op_fmax},
    {GLSLstd450FindILsb, 1, NUMBERS_INT, nir_op_find_lsb},
    {GLSLstd450FindSMsb, 1, NUMBERS_INT, nir_op_ifind_msb},
    {GLSLstd450FindUMsb, 1, NUMBERS_INT, nir_op_ufind_msb},
};

static nir_def *imm_like(nir_builder *b, double x, nir_def *like)
{
    return nir_vec_broadcast(b, nir_imm_floatN_t(b, x, like->bit_size), like->num_components);
}

/* Returns an operand and checks that it has numbers of this kind. */
static struct spv_ssa use_numbers(struct spv *p, uint32_t id, enum operand kind)
{
    struct spv_ssa v = spv_use(p, id);
    SpvOp scalar = kind == NUMBERS_INT ? SpvOpTypeInt : SpvOpTypeFloat;
    spv_fail_if(p,
                !spv_is_vector(v.type) || spv_scalar_of(v.type)->op != scalar ||
                    (kind == NUMBERS_FLOAT_32 && spv_bits(v.type) != 32),
                "operand %u has the wrong type", id);
    return v;
}

/* Reads n operands of the same type into src and returns that type. */
static const struct spv_type *use_same(struct spv *p, const struct spv_instr *in, unsigned n,
                                       enum operand kind, nir_def **src)
{
    const struct spv_type *type = NULL;
    for (unsigned i = 0; i < n; i++) {
        struct spv_ssa v = use_numbers(p, in->w[5 + i], kind);
        spv_fail_if(p,
                    type && (spv_components(type) != spv_components(v.type) ||
                             spv_bits(type) != spv_bits(v.type)),
                    "the operand types differ");
        type = v.type;
        src[i] = v.c[0];
    }
    return type;
}

static void set(struct spv *p, const struct spv_instr *in, const struct spv_type *type,
                nir_def *def)
{
    const struct spv_type *said = spv_type(p, in->w[1]);
    spv_fail_if(p, spv_scalar_of(said)->op != spv_scalar_of(type)->op,
                "the result type does not match the operands");
    spv_set_vec(p, in, def);
}

static bool emit_simple(struct spv *p, const struct spv_instr *in)
{
    for (unsigned i = 0; i < ARRAY_SIZE(simple_rows); i++) {
        const struct simple_row *row = &simple_rows[i];
        if (row->op != in->w[4])
            continue;
        nir_def *src[3];
        const struct spv_type *type = use_same(p, in, row->operands, row->kind, src);
        bool bits = row->op >= GLSLstd450FindILsb && row->op <= GLSLstd450FindUMsb;
        spv_fail_if(p, bits && spv_bits(type) != 32, "only 32-bit operands are supported");
        set(p, in, type,
            row->op == GLSLstd450Atan2 ? nir_build_atan2(&p->b, src[0], src[1])
            : row->build               ? row->build(&p->b, src[0])
                                       : nir_build_alu(&p->b, row->nir, src));
        return true;
    }
    return false;
}

/* --------------------------------------------------------------------- several instructions --- */

static nir_def *dot(struct spv *p, nir_def *x, nir_def *y)
{
    return nir_fdot(&p->b, x, y);
}

static nir_def *scale(struct spv *p, nir_def *x, nir_def *scalar)
{
    return nir_fmul(&p->b, x, nir_vec_broadcast(&p->b, scalar, x->num_components));
}

static nir_def *length(struct spv *p, nir_def *x)
{
    return x->num_components == 1 ? nir_fabs(&p->b, x) : nir_fsqrt(&p->b, dot(p, x, x));
}

static nir_def *normalize(struct spv *p, nir_def *x)
{
    return x->num_components == 1 ? nir_fsign(&p->b, x)
                                  : scale(p, x, nir_frsq(&p->b, dot(p, x, x)));
}

static nir_def *smoothstep(struct spv *p, nir_def **src)
{
    nir_builder *b = &p->b;
    nir_def *q = nir_fdiv(b, nir_fsub(b, src[2], src[0]), nir_fsub(b, src[1], src[0]));
    nir_def *t = nir_fclamp(b, q, imm_like(b, 0, q), imm_like(b, 1, q));
    nir_def *slope = nir_fsub(b, imm_like(b, 3, q), nir_fmul(b, imm_like(b, 2, q), t));
    return nir_fmul(b, nir_fmul(b, t, t), slope);
}

static nir_def *cross(struct spv *p, nir_def *x, nir_def *y)
{
    static const unsigned yzx[] = {1, 2, 0}, zxy[] = {2, 0, 1};
    nir_builder *b = &p->b;
    nir_def *first = nir_fmul(b, nir_swizzle(b, x, yzx, 3), nir_swizzle(b, y, zxy, 3));
    nir_def *second = nir_fmul(b, nir_swizzle(b, x, zxy, 3), nir_swizzle(b, y, yzx, 3));
    return nir_fsub(b, first, second);
}

static nir_def *refract(struct spv *p, nir_def *i, nir_def *n, nir_def *eta)
{
    nir_builder *b = &p->b;
    nir_def *d = dot(p, n, i), *one = imm_like(b, 1, eta);
    nir_def *sine = nir_fsub(b, one, nir_fmul(b, d, d));
    nir_def *k = nir_fsub(b, one, nir_fmul(b, nir_fmul(b, eta, eta), sine));
    nir_def *along = nir_fadd(b, nir_fmul(b, eta, d), nir_fsqrt(b, k));
    nir_def *bent = nir_fsub(b, scale(p, i, eta), scale(p, n, along));
    return nir_select(b, nir_flt(b, k, imm_like(b, 0, k)), imm_like(b, 0, bent), bent);
}

static bool emit_float(struct spv *p, const struct spv_instr *in)
{
    nir_builder *b = &p->b;
    nir_def *s[3], *def;
    unsigned count = spv_glsl_ops[in->w[4]].num_operands;
    if (in->w[4] == GLSLstd450Refract) {
        const struct spv_type *type = use_same(p, in, 2, NUMBERS_FLOAT, s);
        s[2] = use_numbers(p, in->w[7], NUMBERS_FLOAT).c[0];
        spv_fail_if(p, s[2]->num_components != 1, "eta must be a scalar");
        if (s[2]->bit_size != s[0]->bit_size)
            s[2] = nir_f2fN(b, s[2], s[0]->bit_size);
        set(p, in, type, refract(p, s[0], s[1], s[2]));
        return true;
    }
    const struct spv_type *type = use_same(p, in, count, NUMBERS_FLOAT, s);
    switch ((enum GLSLstd450)in->w[4]) {
    case GLSLstd450Radians:
        def = nir_fmul_imm(b, s[0], M_PI / 180);
        break;
    case GLSLstd450Degrees:
        def = nir_fmul_imm(b, s[0], 180 / M_PI);
        break;
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
        def = nir_fclamp(b, s[0], s[1], s[2]);
        break;
    case GLSLstd450Step:
        def = nir_b2fN(b, nir_fge(b, s[1], s[0]), s[0]->bit_size);
        break;
    case GLSLstd450SmoothStep:
        def = smoothstep(p, s);
        break;
    case GLSLstd450Length:
        def = length(p, s[0]);
        break;
    case GLSLstd450Distance:
        def = length(p, nir_fsub(b, s[0], s[1]));
        break;
    case GLSLstd450Cross:
        spv_fail_if(p, s[0]->num_components != 3, "operands must have three components");
        def = cross(p, s[0], s[1]);
        break;
    case GLSLstd450Normalize:
        def = normalize(p, s[0]);
        break;
    case GLSLstd450FaceForward: {
        nir_def *facing = nir_flt_imm(b, dot(p, s[2], s[1]), 0);
        def = nir_select(b, facing, s[0], nir_fneg(b, s[0]));
        break;
    }
    case GLSLstd450Reflect: {
        nir_def *twice = nir_fmul_imm(b, dot(p, s[1], s[0]), 2);
        def = nir_fsub(b, s[0], scale(p, s[1], twice));
        break;
    }
    default:
        return false;
    }
    set(p, in, type, def);
    return true;
}

static void emit_int_clamp(struct spv *p, const struct spv_instr *in)
{
    nir_def *s[3];
    const struct spv_type *type = use_same(p, in, 3, NUMBERS_INT, s);
    set(p, in, type,
        in->w[4] == GLSLstd450SClamp ? nir_iclamp(&p->b, s[0], s[1], s[2])
                                     : nir_uclamp(&p->b, s[0], s[1], s[2]));
}

/* --------------------------------------------------------------------------- two results --- */

static void store_to(struct spv *p, uint32_t pointer, nir_def *def, SpvOp scalar)
{
    const struct spv_pointer *ptr = spv_use_pointer(p, pointer);
    spv_fail_if(p,
                !spv_is_vector(ptr->type) || spv_scalar_of(ptr->type)->op != scalar ||
                    spv_components(ptr->type) != def->num_components ||
                    spv_bits(ptr->type) != def->bit_size,
                "the pointer has the wrong type");
    struct spv_ssa v = {.type = ptr->type, .n = 1, .c = {def}};
    spv_store(p, ptr, &v);
}

static void emit_modf(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa x = use_numbers(p, in->w[5], NUMBERS_FLOAT);
    nir_def *whole = nir_ftrunc(&p->b, x.c[0]), *part = nir_fsub(&p->b, x.c[0], whole);
    if (in->w[4] == GLSLstd450ModfStruct) {
        spv_set_pair(p, in, part, whole);
        return;
    }
    store_to(p, in->w[6], whole, SpvOpTypeFloat);
    set(p, in, x.type, part);
}

static void emit_frexp(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa x = use_numbers(p, in->w[5], NUMBERS_FLOAT);
    nir_def *significand = nir_frexp_sig(&p->b, x.c[0]);
    nir_def *exponent = nir_frexp_exp(&p->b, x.c[0]);
    if (in->w[4] == GLSLstd450FrexpStruct) {
        spv_set_pair(p, in, significand, exponent);
        return;
    }
    store_to(p, in->w[6], exponent, SpvOpTypeInt);
    set(p, in, x.type, significand);
}

static void emit_ldexp(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa x = use_numbers(p, in->w[5], NUMBERS_FLOAT);
    struct spv_ssa e = use_numbers(p, in->w[6], NUMBERS_INT);
    spv_fail_if(p, spv_bits(e.type) != 32 || spv_components(e.type) != spv_components(x.type),
                "the exponent has the wrong type");
    set(p, in, x.type, nir_ldexp(&p->b, x.c[0], e.c[0]));
}

/* -------------------------------------------------------------------------------- packing --- */

struct pack_row {
    uint16_t op;
    uint8_t components, bits; /* components of the operand, and bits of each */
    uint8_t size;             /* bits of a normalized integer; 0: none */
    bool is_signed, pack;
};

static const struct pack_row pack_rows[] = {
    {GLSLstd450PackSnorm4x8, 4, 32, 8, true, true},
    {GLSLstd450PackUnorm4x8, 4, 32, 8, false, true},
    {GLSLstd450PackSnorm2x16, 2, 32, 16, true, true},
    {GLSLstd450PackUnorm2x16, 2, 32, 16, false, true},
    {GLSLstd450PackHalf2x16, 2, 32, 0, false, true},
    {GLSLstd450PackDouble2x32, 2, 32, 0, false, true},
    {GLSLstd450UnpackSnorm2x16, 1, 32, 16, true, false},
    {GLSLstd450UnpackUnorm2x16, 1, 32, 16, false, false},
    {GLSLstd450UnpackHalf2x16, 1, 32, 0, false, false},
    {GLSLstd450UnpackSnorm4x8, 1, 32, 8, true, false},
    {GLSLstd450UnpackUnorm4x8, 1, 32, 8, false, false},
    {GLSLstd450UnpackDouble2x32, 1, 64, 0, false, false},
};

static bool emit_pack(struct spv *p, const struct spv_instr *in)
{
    for (unsigned i = 0; i < ARRAY_SIZE(pack_rows); i++) {
        const struct pack_row *row = &pack_rows[i];
        if (row->op != in->w[4])
            continue;
        nir_def *x = spv_use_vec(p, in->w[5]), *def;
        spv_fail_if(p, x->num_components != row->components || x->bit_size != row->bits,
                    "the operand has the wrong type");
        if (row->size)
            def = row->pack ? nir_build_pack_norm(&p->b, x, row->size, row->is_signed)
                            : nir_build_unpack_norm(&p->b, x, row->size, row->is_signed);
        else if (row->op == GLSLstd450PackHalf2x16)
            def = nir_pack_half_2x16(&p->b, x);
        else if (row->op == GLSLstd450UnpackHalf2x16)
            def = nir_unpack_half_2x16(&p->b, x);
        else
            def = row->pack ? nir_pack_64_2x32(&p->b, x) : nir_unpack_64_2x32(&p->b, x);
        spv_set_vec(p, in, def);
        return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------ the rest --- */

static void emit_matrix(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa m = spv_use(p, in->w[5]);
    spv_fail_if(p, !spv_is_matrix(m.type) || m.type->length != m.type->element->length,
                "the operand must be a square matrix");
    if (in->w[4] == GLSLstd450Determinant) {
        spv_set_vec(p, in, nir_build_determinant(&p->b, m.c, m.n));
        return;
    }
    struct spv_ssa out = {.type = m.type, .n = m.n};
    nir_build_inverse(&p->b, m.c, m.n, out.c);
    spv_set(p, in, out);
}

static void emit_interpolate(struct spv *p, const struct spv_instr *in)
{
    struct spv_pointer ptr = *spv_use_pointer(p, in->w[5]);
    spv_fail_if(p,
                p->stage != SHADER_FRAGMENT || ptr.var->storage != SpvStorageClassInput ||
                    !spv_is_vector(ptr.type) || spv_bits(ptr.type) != 32 ||
                    spv_scalar_of(ptr.type)->op != SpvOpTypeFloat,
                "the operand must be a floating-point input of a fragment shader");
    unsigned n = spv_components(ptr.type);
    const struct spv_step *component = spv_split_component(&ptr);
    nir_deref_instr *deref = spv_pointer_deref(p, &ptr);
    spv_fail_if(p, deref->modes != nir_var_shader_in, "the operand is not an interpolated input");
    unsigned all = spv_components(ptr.type);
    nir_def *where = in->count > 6 ? spv_use_vec(p, in->w[6]) : NULL;
    unsigned need = in->w[4] == GLSLstd450InterpolateAtOffset ? 2 : 1;
    spv_fail_if(p, where && (where->num_components != need || where->bit_size != 32),
                "the second operand has the wrong type");
    nir_def *def = !where      ? nir_interp_deref_at_centroid(&p->b, all, &deref->def)
                   : need == 1 ? nir_interp_deref_at_sample(&p->b, all, &deref->def, where)
                               : nir_interp_deref_at_offset(&p->b, all, &deref->def, where);
    if (component)
        def = nir_vector_extract(&p->b, def, spv_step_index(p, component, all));
    spv_fail_if(p, def->num_components != n, "the operand has the wrong type");
    spv_set_vec(p, in, def);
}

void spv_emit_extended(struct spv *p, const struct spv_instr *in)
{
    const struct spv_value *set = spv_id(p, in->w[3]);
    spv_fail_if(p, set->kind != SPV_IMPORT, "id %u is not an extended instruction set", in->w[3]);
    if (!set->is_glsl)
        return; /* NonSemantic instructions have no effect */
    uint32_t op = in->w[4];
    spv_fail_if(p, op >= spv_num_glsl_ops || !spv_glsl_ops[op].name,
                "unknown extended instruction %u", op);
    spv_fail_if(p, in->count - 5 != spv_glsl_ops[op].num_operands,
                "%s takes %u operands, but %u were given", spv_glsl_ops[op].name,
                spv_glsl_ops[op].num_operands, in->count - 5);
    if (emit_simple(p, in) || emit_pack(p, in))
        return;
    switch ((enum GLSLstd450)op) {
    case GLSLstd450SClamp:
    case GLSLstd450UClamp:
        emit_int_clamp(p, in);
        break;
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct:
        emit_modf(p, in);
        break;
    case GLSLstd450Frexp:
    case GLSLstd450FrexpStruct:
        emit_frexp(p, in);
        break;
    case GLSLstd450Ldexp:
        emit_ldexp(p, in);
        break;
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
        emit_matrix(p, in);
        break;
    case GLSLstd450InterpolateAtCentroid:
    case GLSLstd450InterpolateAtSample:
    case GLSLstd450InterpolateAtOffset:
        emit_interpolate(p, in);
        break;
    default:
        spv_fail_if(p, op == GLSLstd450IMix || !emit_float(p, in), "%s is not supported",
                    spv_glsl_ops[op].name);
        break;
    }
}
