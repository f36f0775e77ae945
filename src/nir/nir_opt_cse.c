/* SPDX-License-Identifier: MIT */
/* An instruction that an equal one dominates is replaced by that. */
#include "nir_instr_set.h"

static bool opt_cse_impl(nir_function_impl *impl)
{
    bool progress = false;
    nir_metadata_require(impl, nir_metadata_dominance);
    struct hash_table *set = hash_table_create(NULL, nir_instr_hash, nir_instrs_equal);
    nir_foreach_block(block, impl) {
        nir_foreach_instr_safe(instr, block) {
            if (!nir_instr_can_be_shared(instr))
                continue;
            struct hash_entry *e = hash_table_search(set, instr);
            nir_instr *match = e ? (nir_instr *)e->key : NULL;
            if (!match || !nir_block_dominates(match->block, block)) {
                hash_table_insert(set, instr, NULL);
                continue;
            }
            if (instr->type == nir_instr_type_alu)
                nir_instr_as_alu(match)->exact |= nir_instr_as_alu(instr)->exact;
            nir_def_replace(nir_instr_def(instr), nir_instr_def(match));
            progress = true;
        }
    }
    hash_table_destroy(set);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_cse(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl(impl, shader)
        progress |= opt_cse_impl(impl);
    return progress;
}
