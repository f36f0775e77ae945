/* SPDX-License-Identifier: MIT */
/* Common subexpression elimination: replaces an instruction by an equal one that dominates it. */
#include "nir_instr_set.h"

#include <talloc.h>

static bool opt_cse_impl(nir_function_impl *impl)
{
    bool progress = false;
    nir_metadata_require(impl, nir_metadata_dominance);
    struct nir_instr_set *set = nir_instr_set_create(NULL);
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            if (!nir_instr_can_be_shared(instr))
                continue;
            nir_instr **place = nir_instr_set_find_or_add(set, instr), *match = *place;
            if (match == instr)
                continue;
            if (!nir_block_dominates(match->block, block)) {
                *place = instr;
                continue;
            }
            if (instr->type == nir_instr_type_alu)
                nir_instr_as_alu(match)->exact |= nir_instr_as_alu(instr)->exact;
            nir_def_replace(nir_instr_def(instr), nir_instr_def(match));
            progress = true;
        }
    }
    talloc_free(set);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_cse(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= opt_cse_impl(impl);
    return progress;
}
