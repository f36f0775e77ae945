/* SPDX-License-Identifier: MIT */
/*
 * Keeps 8-bit and 16-bit values in 32-bit registers with zero upper bits, for drivers without
 * smaller registers. Operands are extended as their types require, and results are truncated.
 * Halves are computed as floats. Booleans keep one bit. Memory accesses don't change, because GLSL
 * has no types of these sizes in memory.
 */
#include "nir.h"

#include "nir_builder.h"

/* Returns 8 or 16 if the value is kept in 32 bits, otherwise 0. Stored in pass_flags of the
 * instruction. */
static unsigned small_bits(const nir_def *def)
{
    return def->parent_instr->pass_flags;
}

/* Replaces def by new and marks it as a value of `bits` bits. If bits is 0 and `new` is marked,
 * replaces def by a copy of `new` without a mark. */
static void replace(nir_builder *b, nir_def *def, nir_def *new, unsigned bits)
{
    if (!bits && small_bits(new))
        new = nir_mov(b, new);
    new->parent_instr->pass_flags = (uint8_t)bits;
    nir_def_replace(def, new);
}

static nir_def *half_to_float(nir_builder *b, nir_def *x)
{
    return nir_unpack_half_2x16_split_x(b, x);
}

static nir_def *float_to_half(nir_builder *b, nir_def *x)
{
    return nir_pack_half_2x16_split(b, x, nir_imm_zero(b, x->num_components, 32));
}

static nir_def *sign_extended(nir_builder *b, nir_def *x, unsigned bits)
{
    nir_def *first = nir_imm_zero(b, x->num_components, 32);
    return bits == 8 ? nir_extract_i8(b, x, first) : nir_extract_i16(b, x, first);
}

static nir_def *cut(nir_builder *b, nir_def *x, unsigned bits)
{
    return nir_iand_imm(b, x, BITFIELD_MASK(bits));
}

/* Converts a 32-bit (or 64-bit) value to 8 or 16 bits. */
static nir_def *narrowed(nir_builder *b, nir_def *x, nir_alu_type type, unsigned bits)
{
    if (nir_alu_type_get_base_type(type) == nir_type_float)
        return float_to_half(b, x->bit_size == 64 ? nir_f2f32(b, x) : x);
    return cut(b, x->bit_size == 64 ? nir_u2u32(b, x) : x, bits);
}

static nir_def *saturated(nir_builder *b, nir_def *x, unsigned bits)
{
    int64_t max = (1 << (bits - 1)) - 1;
    return nir_imax_imm(b, nir_imin_imm(b, x, max), -max - 1);
}

/* Returns true for operations that can use the 32-bit registers directly: low result bits depend
 * only on low operand bits, or zero-extension is correct. */
static bool takes_containers(nir_op op)
{
    switch (op) {
    case nir_op_mov:
    case nir_op_bcsel:
    case nir_op_iadd:
    case nir_op_isub:
    case nir_op_imul:
    case nir_op_ineg:
    case nir_op_inot:
    case nir_op_iand:
    case nir_op_ior:
    case nir_op_ixor:
    case nir_op_ishl:
    case nir_op_ieq:
    case nir_op_ine:
        return true;
    default:
        return nir_op_is_vec(op);
    }
}

static nir_def *operand(nir_builder *b, nir_alu_instr *alu, unsigned i)
{
    nir_def *x = nir_alu_src_def(b, alu, i);
    unsigned bits = small_bits(alu->src[i].src.ssa);
    if (!bits || takes_containers(alu->op))
        return x;
    switch (nir_alu_type_get_base_type(nir_op_infos[alu->op].input_types[i])) {
    case nir_type_float:
        return half_to_float(b, x);
    case nir_type_int:
        return sign_extended(b, x, bits);
    default:
        return x;
    }
}

/* Returns x rounded toward zero to a half. x has the size of the source. */
static nir_def *truncated_half(nir_builder *b, nir_def *x)
{
    nir_def *half = float_to_half(b, x->bit_size == 64 ? nir_f2f32(b, x) : x);
    nir_def *back = nir_f2fN(b, half_to_float(b, half), x->bit_size);
    nir_def *too_large = nir_flt(b, nir_fabs(b, x), nir_fabs(b, back));
    return nir_bcsel(b, too_large, nir_iadd_imm(b, half, (uint64_t)-1), half);
}

/* Converts to `bits` if that is 8 or 16, otherwise from such a size. */
static nir_def *convert(nir_builder *b, nir_op op, nir_def *x, unsigned bits)
{
    const nir_op_info *info = &nir_op_infos[op];
    nir_alu_type from = nir_alu_type_get_base_type(info->input_types[0]);
    nir_alu_type to = nir_alu_type_get_base_type(info->output_type);
    unsigned size = nir_alu_type_get_type_size(info->output_type);
    if (!bits) /* the result may already have 32 bits */
        return nir_type_convert(b, x, from | x->bit_size, to | size);
    if (op == nir_op_f2f16_rtz)
        return truncated_half(b, x);
    if (from == nir_type_float && to == nir_type_int)
        return cut(b, saturated(b, nir_f2i32(b, x), bits), bits);
    if (from == nir_type_float && to == nir_type_uint)
        return nir_umin_imm(b, nir_f2u32(b, x), BITFIELD_MASK(bits));
    if (to == nir_type_float && from != nir_type_float)
        x = nir_type_convert(b, x, from | x->bit_size, nir_type_float32);
    else if (from == nir_type_bool)
        x = nir_b2i32(b, x);
    return narrowed(b, x, info->output_type, bits);
}

/* Lowers operations that depend on the operand size, `bits`. Returns NULL for all others. */
static nir_def *sized_operation(nir_builder *b, nir_op op, nir_def **x, unsigned bits)
{
    switch (op) {
    case nir_op_ishl:
    case nir_op_ishr:
    case nir_op_ushr:
        x[1] = nir_iand_imm(b, x[1], bits - 1);
        return NULL;
    case nir_op_extract_u8:
    case nir_op_extract_i8:
        x[1] = nir_iand_imm(b, x[1], bits / 8 - 1);
        return NULL;
    case nir_op_extract_u16:
    case nir_op_extract_i16:
        x[1] = nir_imm_zero(b, x[1]->num_components, 32);
        return NULL;
    case nir_op_imul_high:
        return nir_ishr_imm(b, nir_imul(b, x[0], x[1]), bits);
    case nir_op_umul_high:
        return nir_ushr_imm(b, nir_imul(b, x[0], x[1]), bits);
    case nir_op_uadd_carry:
        return nir_ushr_imm(b, nir_iadd(b, x[0], x[1]), bits);
    case nir_op_uadd_sat:
        return nir_umin_imm(b, nir_iadd(b, x[0], x[1]), BITFIELD_MASK(bits));
    case nir_op_iadd_sat:
        return saturated(b, nir_iadd(b, x[0], x[1]), bits);
    case nir_op_isub_sat:
        return saturated(b, nir_isub(b, x[0], x[1]), bits);
    default:
        return NULL;
    }
}

static nir_def *pack(nir_builder *b, nir_op op, nir_def **x)
{
    nir_def *halves[2];
    switch (op) {
    case nir_op_pack_32_2x16:
        return nir_ior(b, nir_channel(b, x[0], 0), nir_ishl_imm(b, nir_channel(b, x[0], 1), 16));
    case nir_op_pack_32_2x16_split:
        return nir_ior(b, x[0], nir_ishl_imm(b, x[1], 16));
    case nir_op_unpack_32_2x16:
        halves[0] = cut(b, x[0], 16);
        halves[1] = nir_ushr_imm(b, x[0], 16);
        return nir_vec(b, halves, 2);
    default:
        return NULL;
    }
}

static bool lower_alu(nir_builder *b, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    unsigned dest = small_bits(&alu->def), bits = dest;
    nir_def *x[NIR_ALU_MAX_INPUTS];
    for (unsigned i = 0; i < info->num_inputs; i++)
        bits = MAX2(bits, small_bits(alu->src[i].src.ssa));
    if (!bits)
        return false;
    if (alu->op == nir_op_mov || nir_op_is_vec(alu->op)) { /* of small values */
        alu->def.bit_size = 32;
        return true;
    }
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = alu->exact;
    for (unsigned i = 0; i < info->num_inputs; i++)
        x[i] = operand(b, alu, i);
    nir_def *value = pack(b, alu->op, x);
    if (!value && info->is_conversion) {
        value = convert(b, alu->op, x[0], dest);
    } else if (!value) {
        value = sized_operation(b, alu->op, x, bits);
        if (!value)
            value = nir_build_alu(b, alu->op, x);
        bool fits = nir_alu_type_get_base_type(info->output_type) == nir_type_uint;
        if (dest && !fits)
            value = narrowed(b, value, info->output_type, dest);
    }
    replace(b, &alu->def, value, dest);
    return true;
}

/* Makes registers 32 bits wide. */
static bool lower_intrinsic(nir_intrinsic_instr *intr)
{
    if (intr->intrinsic == nir_intrinsic_decl_reg && nir_intrinsic_bit_size(intr) < 32 &&
        nir_intrinsic_bit_size(intr) > 1) {
        nir_intrinsic_set_bit_size(intr, 32);
        return true;
    }
    if ((intr->intrinsic != nir_intrinsic_load_reg &&
         intr->intrinsic != nir_intrinsic_load_reg_indirect) ||
        !small_bits(&intr->def))
        return false;
    intr->def.bit_size = 32;
    return true;
}

static bool lower_instr(nir_builder *b, nir_instr *instr, void *unused)
{
    nir_def *def = nir_instr_def(instr);
    switch (instr->type) {
    case nir_instr_type_alu:
        return lower_alu(b, nir_instr_as_alu(instr));
    case nir_instr_type_intrinsic:
        return lower_intrinsic(nir_instr_as_intrinsic(instr));
    case nir_instr_type_undef: /* the upper bits are undefined, too */
        if (!small_bits(def))
            return false;
        b->cursor = nir_before_instr(instr);
        replace(b, def, nir_imm_zero(b, def->num_components, 32), small_bits(def));
        return true;
    case nir_instr_type_load_const:
    case nir_instr_type_phi:
        if (!small_bits(def))
            return false;
        def->bit_size = 32;
        return true;
    default:
        return false;
    }
}

static bool note_size(nir_builder *b, nir_instr *instr, void *unused)
{
    nir_def *def = nir_instr_def(instr);
    instr->pass_flags = def && (def->bit_size == 8 || def->bit_size == 16) ? def->bit_size : 0;
    return instr->pass_flags != 0;
}

bool nir_lower_bit_size(nir_shader *shader)
{
    if (!nir_shader_instructions_pass(shader, note_size, nir_metadata_all, NULL))
        return false;
    return nir_shader_instructions_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
