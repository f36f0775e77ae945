/* SPDX-License-Identifier: MIT */
/* Splits vector phis into one phi per component and a vec after the phis. */
#include "nir.h"

#include "nir_builder.h"

static void lower_phi(nir_builder *b, nir_phi_instr *phi)
{
    nir_def *comps[NIR_MAX_VEC_COMPONENTS];
    nir_block *block = phi->instr.block;
    for (unsigned c = 0; c < phi->def.num_components; c++) {
        nir_phi_instr *scalar = nir_phi_instr_create(b->shader);
        nir_def_init(&scalar->instr, &scalar->def, 1, phi->def.bit_size);
        nir_foreach_phi_src (src, phi) {
            b->cursor = nir_after_block_before_jump(src->pred);
            nir_phi_instr_add_src(scalar, src->pred, nir_channel(b, src->src.ssa, c));
        }
        nir_instr_insert(nir_before_instr(&phi->instr), &scalar->instr);
        comps[c] = &scalar->def;
    }
    b->cursor = nir_after_phis(block);
    nir_def_replace(&phi->def, nir_vec(b, comps, phi->def.num_components));
}

bool nir_lower_phis_to_scalar(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        nir_builder b = nir_builder_create(impl);
        bool impl_progress = false;
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                if (instr->type != nir_instr_type_phi)
                    break;
                if (nir_instr_as_phi(instr)->def.num_components == 1)
                    continue;
                lower_phi(&b, nir_instr_as_phi(instr));
                impl_progress = true;
            }
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
