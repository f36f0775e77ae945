/* SPDX-License-Identifier: MIT */
/*
 * Adds phis for values that no longer dominate their uses after code motion. Derefs cannot pass
 * through phis, so they are rebuilt where they are used.
 */
#include "nir.h"

#include "nir_builder.h"
#include "nir_phi_builder.h"
#include "nir_private.h"

static bool use_is_broken(nir_src *src, nir_block *def_block, nir_block *start)
{
    nir_block *at = nir_src_use_block(src);
    if (at != start && !at->imm_dom)
        return false; /* unreachable */
    return !nir_block_dominates(def_block, at);
}

static bool repair_def(nir_function_impl *impl, struct nir_phi_builder *pb, nir_def *def)
{
    nir_block *block = def->parent_instr->block, *start = nir_start_block(impl);
    struct nir_phi_builder_value *value = NULL;
    nir_foreach_use_including_if_safe(src, def)
    {
        if (!use_is_broken(src, block, start))
            continue;
        if (!value) {
            value = nir_phi_builder_add_value(pb, def->num_components, def->bit_size);
            nir_phi_builder_add_def_block(value, block);
            nir_phi_builder_set_block_def(value, block, def);
        }
        nir_src_rewrite(src, nir_phi_builder_get_block_def(value, nir_src_use_block(src)));
    }
    return value != NULL;
}

/* Comes before the repair of values, because the rebuilt derefs use their indices in new places. */
static bool repair_deref(nir_function_impl *impl, nir_deref_instr *deref)
{
    bool progress = false;
    nir_foreach_use_including_if_safe(src, &deref->def)
    {
        if (!use_is_broken(src, deref->instr.block, nir_start_block(impl)))
            continue;
        nir_builder b = nir_builder_at(nir_before_src(src));
        nir_src_rewrite(src, &nir_build_deref_chain(&b, deref)->def);
        progress = true;
    }
    return progress;
}

static bool repair_derefs(nir_function_impl *impl)
{
    bool progress = false;
    nir_metadata_require(impl, nir_metadata_dominance);
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            if (instr->type == nir_instr_type_deref)
                progress |= repair_deref(impl, nir_instr_as_deref(instr));
        }
    }
    return progress;
}

bool nir_repair_ssa(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        bool impl_progress = repair_derefs(impl);
        struct nir_phi_builder *pb = nir_phi_builder_create(impl);
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                nir_def *def = nir_instr_def(instr);
                if (def)
                    impl_progress |= repair_def(impl, pb, def);
            }
        }
        nir_phi_builder_finish(pb);
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
