/* SPDX-License-Identifier: MIT */
/* Validity of the analyses of a function, and the dense numbering of its blocks, values and
 * instructions. */
#include "nir.h"

#include "nir_loop_analyze.h"

void nir_index_blocks(nir_function_impl *impl)
{
    if (impl->valid_metadata & nir_metadata_block_index)
        return;
    unsigned index = 0;
    nir_foreach_block (block, impl)
        block->index = index++;
    impl->end_block->index = index++;
    impl->num_blocks = index;
}

void nir_index_ssa_defs(nir_function_impl *impl)
{
    unsigned index = 0;
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            if (def)
                def->index = index++;
            if (instr->type != nir_instr_type_parallel_copy)
                continue;
            list_for_each_entry (nir_parallel_copy_entry, entry,
                                 &nir_instr_as_parallel_copy(instr)->entries, node) {
                entry->def.index = index++;
            }
        }
    }
    impl->ssa_alloc = index;
    impl->valid_metadata &= ~nir_metadata_live_defs;
}

void nir_index_instrs(nir_function_impl *impl)
{
    unsigned index = 0;
    nir_foreach_block (block, impl) {
        block->start_ip = index++;
        nir_foreach_instr (instr, block)
            instr->index = index++;
        block->end_ip = index++;
    }
}

void nir_metadata_require(nir_function_impl *impl, nir_metadata required)
{
    nir_metadata missing = required & ~impl->valid_metadata;
    if (missing & (nir_metadata_block_index | nir_metadata_dominance | nir_metadata_live_defs))
        nir_index_blocks(impl);
    if (missing & nir_metadata_dominance)
        nir_calc_dominance(impl);
    if (missing & nir_metadata_live_defs)
        nir_live_defs(impl);
    if (missing & nir_metadata_instr_index)
        nir_index_instrs(impl);
    if (missing & nir_metadata_loop_analysis)
        nir_loop_analyze_impl(impl);
    impl->valid_metadata |= missing;
    if (missing & (nir_metadata_dominance | nir_metadata_live_defs))
        impl->valid_metadata |= nir_metadata_block_index;
    if (missing & nir_metadata_live_defs)
        impl->valid_metadata |= nir_metadata_instr_index;
}

void nir_metadata_preserve(nir_function_impl *impl, nir_metadata preserved)
{
    impl->valid_metadata &= preserved;
}

bool nir_progress(bool progress, nir_function_impl *impl, nir_metadata kept)
{
    nir_metadata_preserve(impl, progress ? kept : nir_metadata_all);
    return progress;
}
