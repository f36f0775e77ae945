/* SPDX-License-Identifier: MIT */
/* Replaces operations on constants by their results. */
#include "nir.h"

#include "nir_builder.h"
#include "nir_private.h"

/* Returns the bit size of the types without a fixed size, or any size if there is no such type. */
static unsigned unsized_bit_size(const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    if (nir_alu_type_get_type_size(info->output_type) == 0)
        return alu->def.bit_size;
    for (unsigned i = 0; i < info->num_inputs; i++) {
        if (nir_alu_type_get_type_size(info->input_types[i]) == 0)
            return alu->src[i].src.ssa->bit_size;
    }
    return 32;
}

static bool fold_alu(nir_builder *b, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    nir_const_value values[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS],
        dest[NIR_MAX_VEC_COMPONENTS];
    nir_const_value *srcs[NIR_ALU_MAX_INPUTS];

    for (unsigned i = 0; i < info->num_inputs; i++) {
        nir_const_value *v = nir_src_as_const_value(alu->src[i].src);
        if (!v)
            return false;
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, i); c++)
            values[i][c] = v[nir_alu_src_comp(&alu->src[i], c)];
        srcs[i] = values[i];
    }
    nir_eval_const_opcode(alu->op, dest, alu->def.num_components, unsized_bit_size(alu), srcs);
    b->cursor = nir_before_instr(&alu->instr);
    nir_def *imm = nir_build_imm(b, alu->def.num_components, alu->def.bit_size, dest);
    nir_def_replace_and_clean(&alu->def, imm);
    return true;
}

static bool fold_load_constant(nir_builder *b, nir_intrinsic_instr *intr)
{
    if (!nir_src_is_const(intr->src[0]))
        return false;
    uint64_t offset = nir_src_as_uint(intr->src[0]) + (unsigned)nir_intrinsic_base(intr);
    unsigned bytes = MAX2(intr->def.bit_size / 8, 1);
    nir_const_value dest[NIR_MAX_VEC_COMPONENTS] = {0};
    for (unsigned c = 0; c < intr->num_components; c++) {
        uint64_t at = offset + c * bytes;
        if (at + bytes <= b->shader->constant_data_size)
            memcpy(&dest[c], (uint8_t *)b->shader->constant_data + at, bytes);
    }
    b->cursor = nir_before_instr(&intr->instr);
    nir_def_replace_and_clean(&intr->def,
                              nir_build_imm(b, intr->num_components, intr->def.bit_size, dest));
    return true;
}

static bool fold_intrinsic(nir_builder *b, nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_discard_if:
    case nir_intrinsic_demote_if:
    case nir_intrinsic_terminate_if:
        if (!nir_src_is_const(intr->src[0]) || nir_src_as_bool(intr->src[0]))
            return false;
        nir_instr_remove(&intr->instr);
        nir_def_remove_if_unused(intr->src[0].ssa);
        return true;
    case nir_intrinsic_load_constant:
        return fold_load_constant(b, intr);
    case nir_intrinsic_vote_any:
    case nir_intrinsic_vote_all:
    case nir_intrinsic_read_first_invocation:
    case nir_intrinsic_read_invocation:
    case nir_intrinsic_shuffle:
    case nir_intrinsic_shuffle_xor:
    case nir_intrinsic_shuffle_up:
    case nir_intrinsic_shuffle_down:
    case nir_intrinsic_quad_broadcast:
    case nir_intrinsic_quad_swap_horizontal:
    case nir_intrinsic_quad_swap_vertical:
    case nir_intrinsic_quad_swap_diagonal:
        if (!nir_src_is_const(intr->src[0]))
            return false;
        nir_def_replace_and_clean(&intr->def, intr->src[0].ssa);
        return true;
    default:
        return false;
    }
}

bool nir_fold_instr(nir_builder *b, nir_instr *instr)
{
    if (instr->type == nir_instr_type_alu)
        return fold_alu(b, nir_instr_as_alu(instr));
    if (instr->type == nir_instr_type_intrinsic)
        return fold_intrinsic(b, nir_instr_as_intrinsic(instr));
    return false;
}

static bool fold_instr(nir_builder *b, nir_instr *instr, void *unused)
{
    return nir_fold_instr(b, instr);
}

bool nir_opt_constant_folding(nir_shader *shader)
{
    return nir_shader_instructions_pass(shader, fold_instr, nir_metadata_control_flow, NULL);
}
