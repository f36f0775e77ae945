/* SPDX-License-Identifier: MIT */
/*
 * Dominators and dominance frontiers after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm" (2001). Except for back edges to loop headers, program order of structured control
 * flow is a reverse postorder; block indices therefore serve as the numbers of the paper. An
 * unreachable block has no immediate dominator and dominates only itself.
 */
#include "nir.h"

/* Returns the nearest common dominator of pred and dom. Marks the blocks that it passes below
 * the result; reaching a marked block ends the walk with dom, because an earlier walk has taken
 * the same path. This visits each case of a switch, whose breaks all lead to the same block,
 * only once. */
static nir_block *intersect(nir_block *pred, nir_block *dom, unsigned mark)
{
    while (pred != dom) {
        nir_block **below = pred->index > dom->index ? &pred : &dom;
        if ((*below)->dom_pre_index == mark)
            return dom;
        (*below)->dom_pre_index = mark;
        *below = (*below)->imm_dom;
    }
    return dom;
}

/* mark: unique for each call. */
static bool compute_imm_dom(nir_block *block, unsigned mark)
{
    nir_block *dom = NULL;
    for (unsigned i = 0; i < block->num_predecessors; i++) {
        nir_block *pred = block->predecessors[i];
        if (pred->imm_dom)
            dom = dom ? intersect(pred, dom, mark) : pred;
    }
    bool changed = dom != block->imm_dom;
    block->imm_dom = dom;
    return changed;
}

/* Returns the list with room for one more entry; capacities are powers of two. */
static nir_block **with_room(struct arena *arena, nir_block **list, unsigned count)
{
    if (count & (count - 1))
        return list;
    nir_block **larger = arena_alloc(arena, MAX2(2 * count, 1) * sizeof *larger);
    if (count)
        memcpy(larger, list, count * sizeof *larger);
    return larger;
}

/* Adds the member unless it is the last entry; duplicates are only added in a row. Returns false if
 * it was present. */
static bool frontier_add(struct arena *arena, nir_block *block, nir_block *member)
{
    unsigned n = block->num_dom_frontier;
    if (n && block->dom_frontier[n - 1] == member)
        return false;
    block->dom_frontier = with_room(arena, block->dom_frontier, n);
    block->dom_frontier[block->num_dom_frontier++] = member;
    return true;
}

static void add_to_frontiers(struct arena *arena, nir_block *block)
{
    if (block->num_predecessors < 2 || !block->imm_dom)
        return;
    for (unsigned i = 0; i < block->num_predecessors; i++) {
        nir_block *runner = block->predecessors[i];
        /* If the block is present here, it is also in the frontiers of the remaining dominators. */
        while (runner && runner->imm_dom && runner != block->imm_dom &&
               frontier_add(arena, runner, block))
            runner = runner->imm_dom;
    }
}

static void reset(nir_block *block)
{
    block->imm_dom = NULL;
    block->dom_children = block->dom_frontier = NULL;
    block->num_dom_children = block->num_dom_frontier = 0;
    block->dom_pre_index = 0;
}

static void add_child(struct arena *arena, nir_block *block)
{
    nir_block *parent = block->imm_dom;
    if (!parent)
        return;
    parent->dom_children = with_room(arena, parent->dom_children, parent->num_dom_children);
    parent->dom_children[parent->num_dom_children++] = block;
}

/* Assigns preorder and postorder numbers without recursion. During the walk, dom_post_index counts
 * the visited children of a block. */
static unsigned number_tree(nir_block *root, unsigned counter)
{
    nir_block *block = root;
    root->dom_pre_index = counter++;
    root->dom_post_index = 0;
    while (true) {
        if (block->dom_post_index < block->num_dom_children) {
            block = block->dom_children[block->dom_post_index++];
            block->dom_pre_index = counter++;
            block->dom_post_index = 0;
            continue;
        }
        block->dom_post_index = counter++;
        if (block == root)
            return counter;
        block = block->imm_dom;
    }
}

void nir_calc_dominance(nir_function_impl *impl)
{
    if (impl->valid_metadata & nir_metadata_dominance)
        return;
    nir_index_blocks(impl);
    nir_block *start = nir_start_block(impl);
    if (!impl->dominance)
        impl->dominance = arena_create(impl);
    arena_reset(impl->dominance);
    nir_foreach_block (block, impl)
        reset(block);
    reset(impl->end_block);

    start->imm_dom = start;
    bool changed = true;
    unsigned mark = 0;
    while (changed) {
        changed = false;
        nir_foreach_block (block, impl) {
            if (block != start)
                changed |= compute_imm_dom(block, ++mark);
        }
        changed |= compute_imm_dom(impl->end_block, ++mark);
    }

    nir_foreach_block (block, impl)
        add_to_frontiers(impl->dominance, block);
    add_to_frontiers(impl->dominance, impl->end_block);

    start->imm_dom = NULL;
    nir_foreach_block (block, impl)
        add_child(impl->dominance, block);
    add_child(impl->dominance, impl->end_block);

    unsigned counter = number_tree(start, 0);
    nir_foreach_block (block, impl) {
        if (block != start && !block->imm_dom)
            counter = number_tree(block, counter);
    }
    if (!impl->end_block->imm_dom)
        number_tree(impl->end_block, counter);
}

bool nir_block_dominates(const nir_block *parent, const nir_block *child)
{
    return parent->dom_pre_index <= child->dom_pre_index &&
           child->dom_post_index <= parent->dom_post_index;
}

nir_block *nir_dominance_lca(nir_block *a, nir_block *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    while (a && !nir_block_dominates(a, b))
        a = a->imm_dom;
    return a;
}
