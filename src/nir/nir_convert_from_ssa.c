/* SPDX-License-Identifier: MIT */
/*
 * Out of SSA. Each phi gets a register that its predecessors write at their ends and its block
 * reads behind the phis. As the stores take SSA values and the loads come before any store of the
 * next round, neither the lost-copy nor the swap problem arises (Boissinot et al., CGO 2009, §2):
 * the loads are the copies that isolate the phis. Register allocation behind it coalesces.
 *
 * Without phi_webs_only every other value that is used outside of its block gets a register too.
 */
#include "nir.h"

#include "nir_builder.h"
#include "nir_private.h"

static nir_def *new_reg(nir_function_impl *impl, const nir_def *like)
{
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    return nir_decl_reg(&b, .num_components = like->num_components, .bit_size = like->bit_size,
                        .divergent = like->divergent);
}

static void phi_to_reg(nir_function_impl *impl, nir_phi_instr *phi)
{
    nir_def *reg = new_reg(impl, &phi->def);
    nir_foreach_phi_src(src, phi) {
        nir_builder b = nir_builder_at(nir_after_block_before_jump(src->pred));
        if (!nir_src_is_undef(src->src))
            nir_store_reg(&b, src->src.ssa, reg);
    }
    nir_builder b = nir_builder_at(nir_after_phis(phi->instr.block));
    nir_def *load = nir_load_reg(&b, phi->def.num_components, phi->def.bit_size, reg);
    load->divergent = phi->def.divergent;
    nir_def_replace(&phi->def, load);
}

bool nir_block_phis_to_regs(nir_block *block)
{
    bool progress = false;
    nir_function_impl *impl = nir_cf_node_get_function(&block->cf_node);
    nir_instr *first;
    while ((first = nir_block_first_instr(block)) && first->type == nir_instr_type_phi) {
        phi_to_reg(impl, nir_instr_as_phi(first));
        progress = true;
    }
    return progress;
}

static nir_block *use_block(nir_src *src)
{
    if (src->is_if)
        return nir_cf_node_as_block(nir_cf_node_prev(&src->parent_if->cf_node));
    return src->parent_instr->block;
}

static bool def_to_reg(nir_function_impl *impl, nir_def *def)
{
    nir_instr *instr = def->parent_instr;
    nir_def *reg = NULL;
    if (instr->type == nir_instr_type_load_const || instr->type == nir_instr_type_undef ||
        instr->type == nir_instr_type_deref ||
        (instr->type == nir_instr_type_intrinsic &&
         nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_decl_reg))
        return false;
    nir_foreach_use_including_if_safe(src, def) {
        if (use_block(src) == instr->block)
            continue;
        if (!reg) {
            reg = new_reg(impl, def);
            nir_builder b = nir_builder_at(nir_after_instr(instr));
            nir_store_reg(&b, def, reg);
        }
        nir_builder b = nir_builder_at(nir_before_src(src));
        nir_def *load = nir_load_reg(&b, def->num_components, def->bit_size, reg);
        load->divergent = def->divergent;
        nir_src_rewrite(src, load);
    }
    return reg != NULL;
}

bool nir_convert_from_ssa(nir_shader *shader, bool phi_webs_only)
{
    bool progress = false;
    nir_foreach_function_impl(impl, shader) {
        bool impl_progress = false;
        nir_foreach_block(block, impl)
            impl_progress |= nir_block_phis_to_regs(block);
        nir_foreach_block(block, impl) {
            if (phi_webs_only)
                break;
            nir_foreach_instr_safe(instr, block) {
                nir_def *def = nir_instr_def(instr);
                if (def)
                    impl_progress |= def_to_reg(impl, def);
            }
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
