/* SPDX-License-Identifier: MIT */
/*
 * Splits vector ALU operations into one operation per component and a vec. Horizontal operations
 * become chains from the first component to the last, so that results don't change by a bit.
 */
#include "nir.h"

#include "nir_builder.h"

/* Returns component c of source s. */
static nir_def *src_channel(nir_builder *b, nir_alu_instr *alu, unsigned s, unsigned c)
{
    return nir_channel(b, alu->src[s].src.ssa, nir_alu_src_comp(&alu->src[s], c));
}

static nir_def *chain(nir_builder *b, nir_alu_instr *alu, nir_op op, nir_op join)
{
    nir_def *result = NULL;
    for (unsigned c = 0; c < nir_op_infos[alu->op].input_sizes[0]; c++) {
        nir_def *srcs[2] = {src_channel(b, alu, 0, c), src_channel(b, alu, 1, c)};
        nir_def *term = nir_build_alu(b, op, srcs);
        nir_def *pair[2] = {result, term};
        result = result ? nir_build_alu(b, join, pair) : term;
    }
    return result;
}

static nir_def *pack_norm(nir_builder *b, nir_alu_instr *alu, bool is_signed, unsigned bits)
{
    unsigned n = 32 / bits;
    double limit = (1u << (bits - is_signed)) - 1;
    nir_def *result = NULL;
    for (unsigned c = 0; c < n; c++) {
        nir_def *x = src_channel(b, alu, 0, c), *i;
        if (is_signed) {
            x = nir_fmin_imm(b, nir_fmax_imm(b, x, -1.0), 1.0);
            i = nir_f2i32(b, nir_fround_even(b, nir_fmul_imm(b, x, limit)));
            i = nir_iand_imm(b, i, BITFIELD_MASK(bits));
        } else {
            i = nir_f2u32(b, nir_fround_even(b, nir_fmul_imm(b, nir_fsat(b, x), limit)));
        }
        i = nir_ishl_imm(b, i, c * bits);
        result = result ? nir_ior(b, result, i) : i;
    }
    return result;
}

static nir_def *unpack_norm(nir_builder *b, nir_alu_instr *alu, bool is_signed, unsigned bits)
{
    unsigned n = 32 / bits;
    double limit = (1u << (bits - is_signed)) - 1;
    nir_def *word = src_channel(b, alu, 0, 0), *comps[4];
    for (unsigned c = 0; c < n; c++) {
        if (is_signed) {
            nir_def *i = nir_ishr_imm(b, nir_ishl_imm(b, word, 32 - bits * (c + 1)), 32 - bits);
            comps[c] = nir_fmax_imm(b, nir_fdiv_imm(b, nir_i2f32(b, i), limit), -1.0);
        } else {
            nir_def *u = nir_iand_imm(b, nir_ushr_imm(b, word, c * bits), BITFIELD_MASK(bits));
            comps[c] = nir_fdiv_imm(b, nir_u2f32(b, u), limit);
        }
    }
    return nir_vec(b, comps, n);
}

/* Lowers opcodes with operands of a fixed size. Returns NULL for opcodes that stay. */
static nir_def *lower_sized(nir_builder *b, nir_alu_instr *alu)
{
    nir_def *x;
    switch (alu->op) {
    case nir_op_fdot2:
    case nir_op_fdot3:
    case nir_op_fdot4:
        return chain(b, alu, nir_op_fmul, nir_op_fadd);
    case nir_op_ball_fequal2:
    case nir_op_ball_fequal3:
    case nir_op_ball_fequal4:
        return chain(b, alu, nir_op_feq, nir_op_iand);
    case nir_op_bany_fnequal2:
    case nir_op_bany_fnequal3:
    case nir_op_bany_fnequal4:
        return chain(b, alu, nir_op_fneu, nir_op_ior);
    case nir_op_ball_iequal2:
    case nir_op_ball_iequal3:
    case nir_op_ball_iequal4:
        return chain(b, alu, nir_op_ieq, nir_op_iand);
    case nir_op_bany_inequal2:
    case nir_op_bany_inequal3:
    case nir_op_bany_inequal4:
        return chain(b, alu, nir_op_ine, nir_op_ior);
    case nir_op_pack_half_2x16:
        return nir_pack_half_2x16_split(b, src_channel(b, alu, 0, 0), src_channel(b, alu, 0, 1));
    case nir_op_pack_64_2x32:
        return nir_pack_64_2x32_split(b, src_channel(b, alu, 0, 0), src_channel(b, alu, 0, 1));
    case nir_op_pack_32_2x16:
        return nir_pack_32_2x16_split(b, src_channel(b, alu, 0, 0), src_channel(b, alu, 0, 1));
    case nir_op_unpack_half_2x16:
        x = src_channel(b, alu, 0, 0);
        return nir_vec2(b, nir_unpack_half_2x16_split_x(b, x), nir_unpack_half_2x16_split_y(b, x));
    case nir_op_unpack_64_2x32:
        x = src_channel(b, alu, 0, 0);
        return nir_vec2(b, nir_unpack_64_2x32_split_x(b, x), nir_unpack_64_2x32_split_y(b, x));
    case nir_op_unpack_32_2x16:
        x = src_channel(b, alu, 0, 0);
        return nir_vec2(b, nir_u2u16(b, x), nir_u2u16(b, nir_ushr_imm(b, x, 16)));
    case nir_op_pack_unorm_2x16:
        return pack_norm(b, alu, false, 16);
    case nir_op_pack_unorm_4x8:
        return pack_norm(b, alu, false, 8);
    case nir_op_pack_snorm_2x16:
        return pack_norm(b, alu, true, 16);
    case nir_op_pack_snorm_4x8:
        return pack_norm(b, alu, true, 8);
    case nir_op_unpack_unorm_2x16:
        return unpack_norm(b, alu, false, 16);
    case nir_op_unpack_unorm_4x8:
        return unpack_norm(b, alu, false, 8);
    case nir_op_unpack_snorm_2x16:
        return unpack_norm(b, alu, true, 16);
    case nir_op_unpack_snorm_4x8:
        return unpack_norm(b, alu, true, 8);
    default:
        return NULL;
    }
}

static nir_def *lower_per_component(nir_builder *b, nir_alu_instr *alu)
{
    nir_def *comps[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        nir_alu_instr *lane = nir_alu_instr_create(b->shader, alu->op);
        for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
            lane->src[s].src = nir_src_for_ssa(alu->src[s].src.ssa);
            nir_alu_src_set_comp(&lane->src[s], 0, nir_alu_src_comp(&alu->src[s], c));
        }
        lane->exact = alu->exact;
        lane->no_signed_wrap = alu->no_signed_wrap;
        lane->no_unsigned_wrap = alu->no_unsigned_wrap;
        nir_def_init(&lane->instr, &lane->def, 1, alu->def.bit_size);
        nir_builder_instr_insert(b, &lane->instr);
        comps[c] = &lane->def;
    }
    return nir_vec(b, comps, alu->def.num_components);
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    nir_def *result;
    b->cursor = nir_before_instr(&alu->instr);
    b->exact = alu->exact;
    if (nir_op_infos[alu->op].output_size == 0 && alu->op != nir_op_mov)
        result = alu->def.num_components > 1 ? lower_per_component(b, alu) : NULL;
    else
        result = lower_sized(b, alu);
    if (!result)
        return false;
    nir_def_replace(&alu->def, result);
    return true;
}

bool nir_lower_alu_to_scalar(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
