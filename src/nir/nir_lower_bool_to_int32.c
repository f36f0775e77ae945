/* SPDX-License-Identifier: MIT */
/*
 * Turns 1-bit booleans into 32-bit integers, 0 or ~0. Runs late. Lowers ALU instructions to scalar
 * ones first, because comparisons of whole vectors have no 32-bit form. Intrinsics keep 1-bit
 * results, which are widened after them, except for load_reg and intrinsics that return their
 * sources unchanged.
 */
#include "nir.h"

#include "nir_builder.h"

static nir_op op32(nir_op op)
{
    switch (op) {
#define COMPARE(name)                                                                              \
    case nir_op_##name:                                                                            \
        return nir_op_##name##32;
        COMPARE(flt)
        COMPARE(fge)
        COMPARE(feq)
        COMPARE(fneu)
        COMPARE(ilt)
        COMPARE(ige)
        COMPARE(ieq)
        COMPARE(ine)
        COMPARE(ult)
        COMPARE(uge)
#undef COMPARE
    case nir_op_bcsel:
        return nir_op_b32csel;
    default:
        return op;
    }
}

/* Converts from or to booleans; a boolean source has 32 bits already. */
static nir_def *convert(nir_builder *b, nir_alu_instr *alu)
{
    nir_def *x, *one, *zero;
    unsigned n = alu->def.num_components, size = alu->def.bit_size;
    switch (alu->op) {
    case nir_op_b2f16:
    case nir_op_b2f32:
    case nir_op_b2f64:
        one = nir_vec_broadcast(b, nir_imm_floatN_t(b, 1.0, size), n);
        break;
    case nir_op_b2i8:
    case nir_op_b2i16:
    case nir_op_b2i32:
    case nir_op_b2i64:
        one = nir_vec_broadcast(b, nir_imm_intN_t(b, 1, size), n);
        break;
    case nir_op_b2b32:
        return nir_alu_src_def(b, alu, 0);
    case nir_op_b2b1: /* the source is any integer */
        x = nir_alu_src_def(b, alu, 0);
        return nir_ine32(b, x, nir_imm_zero(b, n, 32));
    default:
        return NULL;
    }
    x = nir_alu_src_def(b, alu, 0);
    zero = nir_imm_zero(b, n, size);
    return nir_b32csel(b, x, one, zero);
}

static bool lower_alu(nir_builder *b, nir_alu_instr *alu)
{
    nir_def *def;
    nir_op op = op32(alu->op);
    b->cursor = nir_before_instr(&alu->instr);
    if ((def = convert(b, alu))) {
        nir_def_replace(&alu->def, def);
        return true;
    }
    if (alu->def.bit_size == 1)
        alu->def.bit_size = 32;
    else if (op == alu->op)
        return false;
    alu->op = op;
    return true;
}

/* The instruction that widens a 1-bit result is marked, because the walk reaches it later. */
static bool lower_result(nir_builder *b, nir_instr *instr, nir_def *def)
{
    nir_intrinsic_instr *intr;
    nir_def *wide;
    if (def->bit_size != 1)
        return false;
    switch (instr->type) {
    case nir_instr_type_load_const: {
        nir_load_const_instr *load = nir_instr_as_load_const(instr);
        for (unsigned c = 0; c < def->num_components; c++)
            load->value[c] = nir_const_value_for_int(-(int64_t)load->value[c].b, 32);
        def->bit_size = 32;
        return true;
    }
    case nir_instr_type_undef:
    case nir_instr_type_phi:
        def->bit_size = 32;
        return true;
    case nir_instr_type_intrinsic:
        intr = nir_instr_as_intrinsic(instr);
        if (intr->intrinsic == nir_intrinsic_load_reg ||
            nir_intrinsic_infos[intr->intrinsic].dest_like_src) {
            def->bit_size = 32;
            return true;
        }
        b->cursor = nir_after_instr(instr);
        wide = nir_b2b32(b, def);
        wide->parent_instr->pass_flags = 1;
        nir_def_rewrite_uses_after(def, wide, wide->parent_instr);
        return true;
    default:
        return false;
    }
}

static bool lower_instr(nir_builder *b, nir_instr *instr)
{
    if (instr->pass_flags)
        return false;
    if (instr->type == nir_instr_type_alu)
        return lower_alu(b, nir_instr_as_alu(instr));
    if (instr->type == nir_instr_type_intrinsic &&
        nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_decl_reg &&
        nir_intrinsic_bit_size(nir_instr_as_intrinsic(instr)) == 1) {
        nir_intrinsic_set_bit_size(nir_instr_as_intrinsic(instr), 32);
        return true;
    }
    nir_def *def = nir_instr_def(instr);
    return def && lower_result(b, instr, def);
}

bool nir_lower_bool_to_int32(nir_shader *shader)
{
    bool progress = nir_lower_alu_to_scalar(shader);
    nir_foreach_function_impl (impl, shader) {
        nir_builder b = nir_builder_create(impl);
        bool impl_progress = false;
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block)
                instr->pass_flags = 0;
        }
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block)
                impl_progress |= lower_instr(&b, instr);
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
