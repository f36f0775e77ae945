/* SPDX-License-Identifier: MIT */
/* A phi that always has the same value is that value. */
#include "nir.h"

/* The one value of all sources but the phi itself and undefined ones; NULL if there are more. */
static nir_def *unique_source(nir_phi_instr *phi, bool *has_undef)
{
    nir_def *unique = NULL, *undef = NULL;
    *has_undef = false;
    nir_foreach_phi_src (src, phi) {
        nir_def *def = src->src.ssa;
        if (def == &phi->def || def == unique)
            continue;
        if (nir_src_is_undef(src->src)) {
            *has_undef = true;
            undef = def;
            continue;
        }
        if (unique)
            return NULL;
        unique = def;
    }
    return unique ? unique : undef;
}

static bool opt_remove_phis_impl(nir_function_impl *impl)
{
    bool progress = false;
    nir_metadata_require(impl, nir_metadata_dominance);
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            bool has_undef;
            nir_phi_instr *phi = nir_instr_as_phi(instr);
            nir_def *def = unique_source(phi, &has_undef);
            if (!def || def == &phi->def)
                continue;
            nir_block *def_block = def->parent_instr->block;
            if (has_undef && (def_block == block || !nir_block_dominates(def_block, block)))
                continue;
            nir_def_replace(&phi->def, def);
            progress = true;
        }
    }
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_remove_phis(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= opt_remove_phis_impl(impl);
    return progress;
}
