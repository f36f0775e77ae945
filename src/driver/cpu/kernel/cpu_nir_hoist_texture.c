/* SPDX-License-Identifier: MIT */
/*
 * Hoists the beginning of texture accesses. An access begins with a long chain of instructions,
 * from the coordinates to the minimum over all lanes that locates the texels (min_2x16), and
 * continues in branches. An out-of-order CPU looks ahead a few hundred instructions. Chains of
 * independent accesses therefore overlap only if they are adjacent. This pass moves each chain
 * before the branches of the preceding access, if its operands are available there.
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include "util/check.h"
#include "util/hash_table.h"

/* Maximum length of a chain. Longer ones are not moved, because results that are computed early
 * occupy registers. */
#define MAX_CHAIN 96

struct chain {
    const nir_block *block;
    nir_instr *instrs[MAX_CHAIN]; /* in an order where operands come first */
    unsigned count, begun;
    bool stays; /* the chain is too long, or depends on values computed in the branches */
};

static bool may_move(const nir_instr *instr)
{
    if (instr->type == nir_instr_type_intrinsic) {
        const nir_intrinsic_instr *intr = nir_instr_as_intrinsic((nir_instr *)instr);
        return intr->intrinsic == nir_intrinsic_min_2x16 ||
               intr->intrinsic == nir_intrinsic_quad_broadcast ||
               (nir_intrinsic_infos[intr->intrinsic].has_dest && nir_intrinsic_can_reorder(intr));
    }
    return instr->type == nir_instr_type_alu || instr->type == nir_instr_type_load_const ||
           instr->type == nir_instr_type_undef;
}

static bool add_source(nir_src *src, void *data);

static void add_to_chain(struct chain *chain, nir_instr *instr)
{
    for (unsigned i = 0; i < chain->count; i++)
        if (chain->instrs[i] == instr)
            return;
    chain->stays |= ++chain->begun > MAX_CHAIN || !may_move(instr);
    if (!chain->stays && nir_foreach_src(instr, add_source, chain))
        NEXT_OF(chain->instrs, chain->count) = instr;
}

static bool add_source(nir_src *src, void *data)
{
    struct chain *chain = data;
    nir_instr *instr = src->ssa->parent_instr;
    if (instr->block == chain->block)
        add_to_chain(chain, instr);
    return !chain->stays;
}

/* Returns the ifs that contain a jump, without those whose jumps are in a loop inside the if: they
 * leave that loop for all lanes. The caller destroys the table. Returns NULL if out of memory. */
static struct hash_table *ifs_with_jumps(nir_function_impl *impl)
{
    struct hash_table *ifs = hash_table_create_pointer(NULL);
    nir_foreach_block (block, impl) {
        nir_cf_node *node = ifs && nir_block_ends_in_jump(block) ? block->cf_node.parent : NULL;
        /* all ifs around one in the table, up to a loop, are in it too */
        while (node && node->type == nir_cf_node_if && !hash_table_search(ifs, node)) {
            if (!hash_table_insert(ifs, node, NULL)) {
                hash_table_destroy(ifs);
                return NULL;
            }
            node = node->parent;
        }
    }
    return ifs;
}

static bool is_minimum(const nir_instr *instr)
{
    return instr->type == nir_instr_type_intrinsic &&
           nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic == nir_intrinsic_min_2x16;
}

/* Moves the chains of a block before the preceding if. jumps: see ifs_with_jumps. */
static bool lift_in_block(nir_block *block, const struct hash_table *jumps)
{
    nir_cf_node *nif = nir_cf_node_prev(&block->cf_node);
    bool progress = false;
    if (!nif || nif->type != nir_cf_node_if || hash_table_search(jumps, nif))
        return false;
    nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(nif));
    nir_foreach_instr_safe (instr, block) {
        if (!is_minimum(instr))
            continue;
        struct chain chain = {.block = block};
        add_to_chain(&chain, instr);
        for (unsigned i = 0; i < chain.count && !chain.stays; i++)
            progress |= nir_instr_move(nir_after_block(before), chain.instrs[i]);
    }
    return progress;
}

/* Lets accesses in a block share a minimum if they differ only in their offsets. Such accesses
 * usually follow each other. */
static bool share_minima(nir_block *block)
{
    nir_intrinsic_instr *last = NULL;
    bool progress = false;
    nir_foreach_instr_safe (instr, block) {
        if (!is_minimum(instr))
            continue;
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (!last || intr->src[0].ssa != last->src[0].ssa) {
            last = intr;
            continue;
        }
        nir_def_replace(&intr->def, &last->def);
        progress = true;
    }
    return progress;
}

/* Blocks are visited from the last to the first, so that a chain can move further. */
bool cpu_nir_hoist_texture_addresses(nir_shader *shader)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    struct hash_table *jumps = ifs_with_jumps(impl);
    bool progress = false;
    if (!jumps)
        return false;
    nir_foreach_block_reverse(block, impl) progress |= lift_in_block(block, jumps);
    nir_foreach_block (block, impl)
        progress |= share_minima(block);
    nir_metadata_preserve(impl, nir_metadata_control_flow);
    hash_table_destroy(jumps);
    return progress;
}
