/* SPDX-License-Identifier: MIT */
/* Simplifies operations on undefined values: a selection becomes the other operand, and a vector of
 * undefined components becomes undefined. */
#include "nir.h"

#include "nir_builder.h"

static bool alu_src_is_undef(const nir_alu_instr *alu, unsigned s)
{
    return nir_src_is_undef(alu->src[s].src);
}

static bool opt_select(nir_builder *b, nir_alu_instr *alu)
{
    for (unsigned s = 1; s <= 2; s++) {
        if (!alu_src_is_undef(alu, s))
            continue;
        unsigned other = 3 - s, swizzle[NIR_MAX_VEC_COMPONENTS];
        for (unsigned c = 0; c < alu->def.num_components; c++)
            swizzle[c] = nir_alu_src_comp(&alu->src[other], c);
        nir_def *value = nir_swizzle(b, alu->src[other].src.ssa, swizzle, alu->def.num_components);
        nir_def_replace_and_clean(&alu->def, value);
        return true;
    }
    return false;
}

static bool opt_vec(nir_builder *b, nir_alu_instr *alu)
{
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
        if (!alu_src_is_undef(alu, s))
            return false;
    }
    nir_def_replace_and_clean(&alu->def, nir_undef(b, alu->def.num_components, alu->def.bit_size));
    return true;
}

/* Removes components with an undefined value from the write mask. */
static bool opt_store(nir_intrinsic_instr *intr, unsigned value)
{
    nir_def *def = intr->src[value].ssa;
    unsigned mask = nir_intrinsic_write_mask(intr), old = mask;
    if (def->parent_instr->type == nir_instr_type_undef) {
        mask = 0;
    } else if (def->parent_instr->type == nir_instr_type_alu &&
               nir_op_is_vec(nir_instr_as_alu(def->parent_instr)->op)) {
        nir_alu_instr *vec = nir_instr_as_alu(def->parent_instr);
        for (unsigned c = 0; c < def->num_components; c++) {
            if (alu_src_is_undef(vec, c))
                mask &= ~(1u << c);
        }
    }
    if (mask == old)
        return false;
    if (mask)
        nir_intrinsic_set_write_mask(intr, mask);
    else
        nir_instr_remove(&intr->instr);
    return true;
}

static bool opt_instr(nir_builder *b, nir_instr *instr, void *unused)
{
    b->cursor = nir_before_instr(instr);
    if (instr->type == nir_instr_type_alu) {
        nir_alu_instr *alu = nir_instr_as_alu(instr);
        if (alu->op == nir_op_bcsel)
            return opt_select(b, alu);
        if (alu->op == nir_op_mov || nir_op_is_vec(alu->op))
            return opt_vec(b, alu);
    } else if (instr->type == nir_instr_type_intrinsic) {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (intr->intrinsic == nir_intrinsic_store_deref)
            return opt_store(intr, 1);
        if (intr->intrinsic == nir_intrinsic_store_output)
            return opt_store(intr, 0);
    }
    return false;
}

bool nir_opt_undef(nir_shader *shader)
{
    return nir_shader_instructions_pass(shader, opt_instr, nir_metadata_control_flow, NULL);
}
