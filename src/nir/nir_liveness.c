/* SPDX-License-Identifier: MIT */
/*
 * Live definitions at the borders of blocks: backward data flow over bitsets of nir_def.index.
 * A phi's sources are live out of the predecessor they come from, not into the phi's block.
 * Undefined values are never live.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_private.h"

static bool mark_live(nir_src *src, void *live)
{
    if (!nir_src_is_undef(*src))
        bitset_set(live, src->ssa->index);
    return true;
}

/* Makes block->live_in from live_out. */
static void transfer(nir_block *block, unsigned words)
{
    memcpy(block->live_in, block->live_out, words * sizeof *block->live_in);
    nir_if *nif = nir_block_get_following_if(block);
    if (nif)
        mark_live(&nif->condition, block->live_in);
    nir_foreach_instr_reverse(instr, block) {
        nir_def *def = nir_instr_def(instr);
        if (def)
            bitset_clear(block->live_in, def->index);
        if (instr->type == nir_instr_type_parallel_copy) {
            list_for_each_entry(nir_parallel_copy_entry, entry,
                                &nir_instr_as_parallel_copy(instr)->entries, node) {
                bitset_clear(block->live_in, entry->def.index);
            }
        }
        if (instr->type != nir_instr_type_phi)
            nir_foreach_src(instr, mark_live, block->live_in);
    }
}

/* Adds to pred->live_out what block needs; true if that was news. */
static bool propagate(nir_block *pred, nir_block *block, bitset_word *tmp, unsigned words)
{
    memcpy(tmp, block->live_in, words * sizeof *tmp);
    nir_foreach_instr(instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_foreach_phi_src(src, nir_instr_as_phi(instr)) {
            if (src->pred == pred)
                mark_live(&src->src, tmp);
        }
    }
    bool changed = false;
    for (unsigned w = 0; w < words; w++) {
        changed |= (tmp[w] & ~pred->live_out[w]) != 0;
        pred->live_out[w] |= tmp[w];
    }
    return changed;
}

static void alloc_sets(nir_block *block, unsigned words)
{
    talloc_free(block->live_in);
    talloc_free(block->live_out);
    block->live_in = talloc_zero_array(block, bitset_word, words);
    block->live_out = talloc_zero_array(block, bitset_word, words);
}

void nir_live_defs(nir_function_impl *impl)
{
    nir_index_ssa_defs(impl);
    unsigned words = MAX2(BITSET_WORDS(impl->ssa_alloc), 1);
    nir_foreach_block(block, impl)
        alloc_sets(block, words);
    alloc_sets(impl->end_block, words);

    bitset_word *tmp = talloc_array(NULL, bitset_word, words);
    bool changed = true;
    while (changed) {
        changed = false;
        nir_foreach_block_reverse(block, impl) {
            transfer(block, words);
            for (unsigned i = 0; i < block->num_predecessors; i++)
                changed |= propagate(block->predecessors[i], block, tmp, words);
        }
    }
    talloc_free(tmp);
}

/* Whether def is used behind instr in its block. */
static bool used_later_in_block(nir_def *def, const nir_instr *instr)
{
    nir_foreach_use_including_if(src, def) {
        if (src->is_if) {
            nir_cf_node *prev = nir_cf_node_prev(&src->parent_if->cf_node);
            if (nir_cf_node_as_block(prev) == instr->block)
                return true;
        } else if (src->parent_instr->block == instr->block &&
                   src->parent_instr->type != nir_instr_type_phi &&
                   src->parent_instr->index > instr->index) {
            return true;
        }
    }
    return false;
}

static bool live_at(nir_def *def, const nir_instr *instr)
{
    nir_block *block = instr->block;
    if (bitset_test(block->live_out, def->index))
        return true;
    if (bitset_test(block->live_in, def->index) || def->parent_instr->block == block)
        return used_later_in_block(def, instr);
    return false;
}

/* Needs nir_metadata_live_defs, dominance and instr_index. */
bool nir_defs_interfere(nir_def *a, nir_def *b)
{
    if (a->parent_instr == b->parent_instr)
        return true;
    if (a->parent_instr->type == nir_instr_type_undef ||
        b->parent_instr->type == nir_instr_type_undef)
        return false;
    if (a->parent_instr->index < b->parent_instr->index)
        return live_at(a, b->parent_instr);
    return live_at(b, a->parent_instr);
}
