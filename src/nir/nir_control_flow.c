/* SPDX-License-Identifier: MIT */
/*
 * The control flow tree and the CFG: navigation, cursors, edges, and the insertion and extraction
 * of ifs, loops and code ranges.
 *
 * The successors of a block follow from its position in the tree and its jump, so edges are never
 * edited directly: nir_relink_block computes them. A new edge adds undefined sources to the phis of
 * the successor, and removing an edge removes their sources.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/check.h"
#include "util/hash_table.h"

/* --- Navigation --- */

static nir_block *as_block(struct list_head *link)
{
    return nir_cf_node_as_block(list_entry(link, nir_cf_node, node));
}

nir_block *nir_start_block(nir_function_impl *impl)
{
    return as_block(impl->body.next);
}

nir_block *nir_impl_last_block(nir_function_impl *impl)
{
    return as_block(impl->body.prev);
}

nir_block *nir_if_first_then_block(nir_if *nif)
{
    return as_block(nif->then_list.next);
}

nir_block *nir_if_last_then_block(nir_if *nif)
{
    return as_block(nif->then_list.prev);
}

nir_block *nir_if_first_else_block(nir_if *nif)
{
    return as_block(nif->else_list.next);
}

nir_block *nir_if_last_else_block(nir_if *nif)
{
    return as_block(nif->else_list.prev);
}

nir_block *nir_loop_first_block(nir_loop *loop)
{
    return as_block(loop->body.next);
}

nir_block *nir_loop_last_block(nir_loop *loop)
{
    return as_block(loop->body.prev);
}

/* Stores the list heads of a parent and returns their number. */
static unsigned parent_lists(nir_cf_node *parent, struct list_head *lists[2])
{
    switch (parent->type) {
    case nir_cf_node_if:
        lists[0] = &nir_cf_node_as_if(parent)->then_list;
        lists[1] = &nir_cf_node_as_if(parent)->else_list;
        return 2;
    case nir_cf_node_loop:
        lists[0] = &nir_cf_node_as_loop(parent)->body;
        return 1;
    case nir_cf_node_function:
        lists[0] = &nir_cf_node_as_function(parent)->body;
        return 1;
    default:
        UNREACHABLE("a block has no children");
    }
}

static bool link_is_head(nir_cf_node *parent, const struct list_head *link)
{
    struct list_head *lists[2];
    unsigned n = parent_lists(parent, lists);
    for (unsigned i = 0; i < n; i++) {
        if (lists[i] == link)
            return true;
    }
    return false;
}

/* Returns the neighbor in the list, or NULL. The top-level nodes of extracted code have no parent;
 * NULL is returned for them. */
static nir_cf_node *neighbor(nir_cf_node *node, struct list_head *link)
{
    if (!node->parent || link_is_head(node->parent, link))
        return NULL;
    return list_entry(link, nir_cf_node, node);
}

nir_cf_node *nir_cf_node_next(nir_cf_node *node)
{
    return neighbor(node, node->node.next);
}

nir_cf_node *nir_cf_node_prev(nir_cf_node *node)
{
    return neighbor(node, node->node.prev);
}

nir_block *nir_block_cf_tree_next(nir_block *block)
{
    if (!block)
        return NULL;
    nir_cf_node *node = &block->cf_node;
    if (node->parent->type == nir_cf_node_function &&
        block == nir_cf_node_as_function(node->parent)->end_block)
        return NULL;

    nir_cf_node *next = nir_cf_node_next(node);
    if (next) {
        if (next->type == nir_cf_node_if)
            return nir_if_first_then_block(nir_cf_node_as_if(next));
        return nir_loop_first_block(nir_cf_node_as_loop(next));
    }
    if (node->parent->type == nir_cf_node_function)
        return NULL;
    if (node->parent->type == nir_cf_node_if) {
        nir_if *nif = nir_cf_node_as_if(node->parent);
        if (block == nir_if_last_then_block(nif))
            return nir_if_first_else_block(nif);
    }
    return nir_cf_node_as_block(nir_cf_node_next(node->parent));
}

nir_block *nir_block_cf_tree_prev(nir_block *block)
{
    if (!block)
        return NULL;
    nir_cf_node *node = &block->cf_node;
    if (node->parent->type == nir_cf_node_function &&
        block == nir_cf_node_as_function(node->parent)->end_block)
        return nir_impl_last_block(nir_cf_node_as_function(node->parent));

    nir_cf_node *prev = nir_cf_node_prev(node);
    if (prev) {
        if (prev->type == nir_cf_node_if)
            return nir_if_last_else_block(nir_cf_node_as_if(prev));
        return nir_loop_last_block(nir_cf_node_as_loop(prev));
    }
    if (node->parent->type == nir_cf_node_function)
        return NULL;
    if (node->parent->type == nir_cf_node_if) {
        nir_if *nif = nir_cf_node_as_if(node->parent);
        if (block == nir_if_first_else_block(nif))
            return nir_if_last_then_block(nif);
    }
    return nir_cf_node_as_block(nir_cf_node_prev(node->parent));
}

nir_if *nir_block_get_following_if(nir_block *block)
{
    nir_cf_node *next = nir_cf_node_next(&block->cf_node);
    return next && next->type == nir_cf_node_if ? nir_cf_node_as_if(next) : NULL;
}

nir_loop *nir_block_get_following_loop(nir_block *block)
{
    nir_cf_node *next = nir_cf_node_next(&block->cf_node);
    return next && next->type == nir_cf_node_loop ? nir_cf_node_as_loop(next) : NULL;
}

/* Returns NULL for code that is not in a function. */
nir_function_impl *nir_cf_node_get_function(nir_cf_node *node)
{
    while (node && node->type != nir_cf_node_function)
        node = node->parent;
    return node ? nir_cf_node_as_function(node) : NULL;
}

nir_instr *nir_block_first_instr(nir_block *block)
{
    return list_is_empty(&block->instr_list)
               ? NULL
               : list_first_entry(&block->instr_list, nir_instr, node);
}

nir_instr *nir_block_last_instr(nir_block *block)
{
    return list_is_empty(&block->instr_list) ? NULL
                                             : list_last_entry(&block->instr_list, nir_instr, node);
}

bool nir_block_ends_in_jump(nir_block *block)
{
    nir_instr *last = nir_block_last_instr(block);
    return last && last->type == nir_instr_type_jump;
}

/* --- Cursors --- */

nir_cursor nir_after_block_before_jump(nir_block *block)
{
    return nir_block_ends_in_jump(block) ? nir_before_instr(nir_block_last_instr(block))
                                         : nir_after_block(block);
}

nir_cursor nir_after_phis(nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            return nir_before_instr(instr);
    }
    return nir_after_block(block);
}

nir_cursor nir_after_instr_and_phis(nir_instr *instr)
{
    return instr->type == nir_instr_type_phi ? nir_after_phis(instr->block)
                                             : nir_after_instr(instr);
}

nir_cursor nir_before_src(nir_src *src)
{
    if (nir_src_is_if(src))
        return nir_after_block(
            nir_cf_node_as_block(nir_cf_node_prev(&nir_src_parent_if(src)->cf_node)));
    if (nir_src_parent_instr(src)->type == nir_instr_type_phi)
        return nir_after_block_before_jump(container_of(src, nir_phi_src, src)->pred);
    return nir_before_instr(nir_src_parent_instr(src));
}

nir_cursor nir_before_cf_node(nir_cf_node *node)
{
    if (node->type == nir_cf_node_block)
        return nir_before_block(nir_cf_node_as_block(node));
    return nir_after_block(nir_cf_node_as_block(nir_cf_node_prev(node)));
}

nir_cursor nir_after_cf_node(nir_cf_node *node)
{
    if (node->type == nir_cf_node_block)
        return nir_after_block(nir_cf_node_as_block(node));
    return nir_after_phis(nir_cf_node_as_block(nir_cf_node_next(node)));
}

nir_cursor nir_before_cf_list(struct list_head *list)
{
    return nir_after_phis(as_block(list->next));
}

nir_cursor nir_after_cf_list(struct list_head *list)
{
    return nir_after_block_before_jump(as_block(list->prev));
}

nir_cursor nir_before_impl(nir_function_impl *impl)
{
    return nir_before_cf_list(&impl->body);
}

nir_cursor nir_after_impl(nir_function_impl *impl)
{
    return nir_after_cf_list(&impl->body);
}

nir_block *nir_cursor_current_block(nir_cursor cursor)
{
    if (cursor.option == nir_cursor_before_block || cursor.option == nir_cursor_after_block)
        return cursor.block;
    return cursor.instr->block;
}

/* Returns the instruction after the cursor, or NULL at the end of the block. */
static nir_instr *cursor_next_instr(nir_cursor cursor)
{
    switch (cursor.option) {
    case nir_cursor_before_block:
        return nir_block_first_instr(cursor.block);
    case nir_cursor_after_block:
        return NULL;
    case nir_cursor_before_instr:
        return cursor.instr;
    case nir_cursor_after_instr:
        if (cursor.instr->node.next == &cursor.instr->block->instr_list)
            return NULL;
        return list_entry(cursor.instr->node.next, nir_instr, node);
    default:
        UNREACHABLE("cursor");
    }
}

bool nir_cursors_equal(nir_cursor a, nir_cursor b)
{
    return nir_cursor_current_block(a) == nir_cursor_current_block(b) &&
           cursor_next_instr(a) == cursor_next_instr(b);
}

/* --- Blocks and edges --- */

/* Aligns nodes so that the fields that every walk reads share a cache line. */
static void *alloc_node(nir_shader *shader, size_t size)
{
    void *node = arena_alloc_aligned(shader->nodes, size, 64);
    return node ? memset(node, 0, size) : NULL;
}

nir_block *nir_block_create(nir_shader *shader)
{
    nir_block *block = alloc_node(shader, sizeof *block);
    block->cf_node.type = nir_cf_node_block;
    list_init(&block->cf_node.node);
    list_init(&block->instr_list);
    block->arena = shader->instrs;
    block->predecessors = block->inline_predecessors;
    block->max_predecessors = ARRAY_SIZE(block->inline_predecessors);
    return block;
}

static void add_pred(nir_block *block, nir_block *pred)
{
    if (block->num_predecessors == block->max_predecessors) {
        nir_block **old = block->predecessors;
        block->max_predecessors *= 2;
        block->predecessors = arena_alloc(block->arena, block->max_predecessors * sizeof *old);
        memcpy(block->predecessors, old, block->num_predecessors * sizeof *old);
    }
    NEXT_WITHIN(block->predecessors, block->num_predecessors, block->max_predecessors) = pred;
}

static void remove_pred(nir_block *block, nir_block *pred)
{
    /* the latest ones are removed most often */
    for (unsigned i = block->num_predecessors; i-- > 0;) {
        if (block->predecessors[i] == pred) {
            block->predecessors[i] = block->predecessors[--block->num_predecessors];
            return;
        }
    }
}

void nir_link_blocks(nir_block *pred, nir_block *succ0, nir_block *succ1)
{
    pred->successors[0] = succ0;
    pred->successors[1] = succ1;
    if (succ0)
        add_pred(succ0, pred);
    if (succ1)
        add_pred(succ1, pred);
}

/* Removes the edges to all successors without changing phis. */
static void unlink_successors(nir_block *block)
{
    for (unsigned i = 0; i < 2; i++) {
        if (block->successors[i])
            remove_pred(block->successors[i], block);
        block->successors[i] = NULL;
    }
}

nir_shader *nir_impl_shader(const nir_function_impl *impl)
{
    return impl->function->shader;
}

nir_def *nir_impl_undef(nir_function_impl *impl, unsigned num_components, unsigned bit_size)
{
    nir_undef_instr *undef =
        nir_undef_instr_create(nir_impl_shader(impl), num_components, bit_size);
    nir_instr_insert(nir_before_impl(impl), &undef->instr);
    return &undef->def;
}

static void phis_remove_pred(nir_block *block, nir_block *pred)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_foreach_phi_src_safe(src, nir_instr_as_phi(instr))
        {
            if (src->pred != pred)
                continue;
            if (src->src.use_link.next)
                list_del(&src->src.use_link);
            list_del(&src->node);
        }
    }
}

static void phis_rename_pred(nir_block *block, nir_block *old, nir_block *pred)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_foreach_phi_src (src, nir_instr_as_phi(instr)) {
            if (src->pred == old)
                src->pred = pred;
        }
    }
}

static bool phi_has_pred(nir_phi_instr *phi, const nir_block *pred)
{
    nir_foreach_phi_src (src, phi) {
        if (src->pred == pred)
            return true;
    }
    return false;
}

static void phis_add_undef(nir_block *block, nir_block *pred)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        if (phi_has_pred(phi, pred))
            continue;
        nir_function_impl *impl = nir_cf_node_get_function(&block->cf_node);
        nir_def *undef = nir_impl_undef(impl, phi->def.num_components, phi->def.bit_size);
        nir_phi_instr_add_src(phi, pred, undef);
    }
}

static nir_loop *enclosing_loop(nir_cf_node *node)
{
    while (node && node->type != nir_cf_node_loop)
        node = node->parent;
    return node ? nir_cf_node_as_loop(node) : NULL;
}

static nir_block *jump_target(nir_block *block, nir_jump_type type)
{
    if (type == nir_jump_return || type == nir_jump_halt) {
        nir_function_impl *impl = nir_cf_node_get_function(&block->cf_node);
        return impl ? impl->end_block : NULL;
    }
    nir_loop *loop = enclosing_loop(&block->cf_node);
    if (!loop)
        return NULL;
    if (type == nir_jump_continue)
        return nir_loop_first_block(loop);
    nir_cf_node *next = nir_cf_node_next(&loop->cf_node);
    return next ? nir_cf_node_as_block(next) : NULL;
}

/* Stores the successors of a block that doesn't end in a jump. */
static void fallthrough(nir_block *block, nir_block *succ[2])
{
    nir_cf_node *next = nir_cf_node_next(&block->cf_node), *parent = block->cf_node.parent;
    succ[0] = succ[1] = NULL;
    if (next && next->type == nir_cf_node_block) {
        succ[0] = nir_cf_node_as_block(next); /* the two halves of a split block */
    } else if (next && next->type == nir_cf_node_if) {
        succ[0] = nir_if_first_then_block(nir_cf_node_as_if(next));
        succ[1] = nir_if_first_else_block(nir_cf_node_as_if(next));
    } else if (next) {
        succ[0] = nir_loop_first_block(nir_cf_node_as_loop(next));
    } else if (parent && parent->type == nir_cf_node_if) {
        nir_cf_node *following = nir_cf_node_next(parent);
        succ[0] = following ? nir_cf_node_as_block(following) : NULL;
    } else if (parent && parent->type == nir_cf_node_loop) {
        succ[0] = nir_loop_first_block(nir_cf_node_as_loop(parent));
    } else if (parent) {
        succ[0] = nir_cf_node_as_function(parent)->end_block;
    }
}

void nir_relink_block(nir_block *block, bool with_phis)
{
    nir_block *succ[2] = {NULL, NULL};
    if (nir_block_ends_in_jump(block))
        succ[0] = jump_target(block, nir_instr_as_jump(nir_block_last_instr(block))->type);
    else
        fallthrough(block, succ);
    /* Blocks with many predecessors would take long to search for an edge that stays. */
    if (succ[0] == block->successors[0] && succ[1] == block->successors[1])
        return;

    for (unsigned i = 0; i < 2 && with_phis; i++) {
        nir_block *old = block->successors[i];
        if (old && old != succ[0] && old != succ[1])
            phis_remove_pred(old, block);
    }
    unlink_successors(block);
    nir_link_blocks(block, succ[0], succ[1]);
    for (unsigned i = 0; i < 2 && with_phis; i++) {
        if (succ[i])
            phis_add_undef(succ[i], block);
    }
}

static void impl_invalidate(nir_function_impl *impl)
{
    if (impl)
        impl->valid_metadata = nir_metadata_none;
}

void nir_handle_jump_change(nir_block *block)
{
    nir_relink_block(block, true);
    impl_invalidate(nir_cf_node_get_function(&block->cf_node));
}

/* --- Ifs and loops --- */

static nir_block *append_empty_block(nir_shader *shader, struct list_head *list,
                                     nir_cf_node *parent)
{
    nir_block *block = nir_block_create(shader);
    block->cf_node.parent = parent;
    list_addtail(&block->cf_node.node, list);
    return block;
}

nir_if *nir_if_create_bare(nir_shader *shader)
{
    nir_if *nif = alloc_node(shader, sizeof *nif);
    nif->cf_node.type = nir_cf_node_if;
    list_init(&nif->cf_node.node);
    list_init(&nif->then_list);
    list_init(&nif->else_list);
    return nif;
}

nir_if *nir_if_create(nir_shader *shader)
{
    nir_if *nif = nir_if_create_bare(shader);
    append_empty_block(shader, &nif->then_list, &nif->cf_node);
    append_empty_block(shader, &nif->else_list, &nif->cf_node);
    return nif;
}

nir_loop *nir_loop_create(nir_shader *shader)
{
    nir_loop *loop = talloc_zero(shader, nir_loop);
    loop->cf_node.type = nir_cf_node_loop;
    list_init(&loop->cf_node.node);
    list_init(&loop->body);
    loop->divergent = true;
    nir_block *body = append_empty_block(shader, &loop->body, &loop->cf_node);
    nir_link_blocks(body, body, NULL);
    return loop;
}

/* Splits the block at the cursor. Phis stay in the front block. The back block takes over the
 * successors and their phi sources; the front block keeps only its jump, if any. */
static void split_block(nir_cursor cursor, nir_block **front, nir_block **back)
{
    nir_block *block = nir_cursor_current_block(cursor);
    nir_instr *at = cursor_next_instr(cursor);
    while (at && at->type == nir_instr_type_phi) {
        at =
            at->node.next == &block->instr_list ? NULL : list_entry(at->node.next, nir_instr, node);
    }

    nir_block *following =
        nir_block_create(nir_impl_shader(nir_cf_node_get_function(&block->cf_node)));
    following->cf_node.parent = block->cf_node.parent;
    list_add(&following->cf_node.node, &block->cf_node.node);
    while (at) {
        nir_instr *next =
            at->node.next == &block->instr_list ? NULL : list_entry(at->node.next, nir_instr, node);
        list_del(&at->node);
        list_addtail(&at->node, &following->instr_list);
        at->block = following;
        at = next;
    }

    *front = block;
    *back = following;
    if (nir_block_ends_in_jump(block))
        return; /* the back block is unreachable and has no edges yet */
    nir_block *succ[2] = {block->successors[0], block->successors[1]};
    unlink_successors(block);
    nir_link_blocks(following, succ[0], succ[1]);
    for (unsigned i = 0; i < 2; i++) {
        if (succ[i])
            phis_rename_pred(succ[i], block, following);
    }
}

/* Calls cb for every block under the node in program order. */
static void foreach_block_in(nir_cf_node *node, void (*cb)(nir_block *block, void *data),
                             void *data)
{
    if (node->type == nir_cf_node_block) {
        cb(nir_cf_node_as_block(node), data);
        return;
    }
    struct list_head *lists[2];
    unsigned n = parent_lists(node, lists);
    for (unsigned i = 0; i < n; i++) {
        nir_foreach_cf_node_safe(child, lists[i]) foreach_block_in(child, cb, data);
    }
}

/* Called once the inserted nodes between front and back are in place. */
static void relink_cb(nir_block *block, void *data)
{
    nir_relink_block(block, true);
}

void nir_cf_node_insert(nir_cursor cursor, nir_cf_node *node)
{
    nir_block *front, *back;
    assert(node->type == nir_cf_node_if || node->type == nir_cf_node_loop);
    nir_function_impl *impl = nir_cf_node_get_function(&nir_cursor_current_block(cursor)->cf_node);
    split_block(cursor, &front, &back);
    node->parent = front->cf_node.parent;
    list_add(&node->node, &front->cf_node.node);
    nir_relink_block(front, true);
    foreach_block_in(node, relink_cb, NULL);
    if (!back->successors[0])
        nir_relink_block(back, true);
    if (node->type == nir_cf_node_if)
        nir_if_link_condition(nir_cf_node_as_if(node));
    impl_invalidate(impl);
}

/* --- Extraction and insertion of code --- */

/* Replaces the remaining uses of a removed def by an undefined value. */
static void def_uses_to_undef(nir_def *def, nir_function_impl *impl)
{
    if (def && !nir_def_is_unused(def))
        nir_def_rewrite_uses(def, nir_impl_undef(impl, def->num_components, def->bit_size));
}

static void unlink_block_srcs(nir_block *block, void *data)
{
    nir_foreach_instr (instr, block)
        nir_instr_unlink_srcs(instr);
    nir_if *nif = nir_block_get_following_if(block);
    if (nif && nif->condition.use_link.next)
        list_del(&nif->condition.use_link);
}

static void drop_block(nir_block *block, void *impl)
{
    nir_foreach_instr_safe (instr, block) {
        def_uses_to_undef(nir_instr_def(instr), impl);
        list_del(&instr->node);
        instr->block = NULL;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (block->successors[i])
            phis_remove_pred(block->successors[i], block);
    }
    unlink_successors(block);
}

/* Merges two adjacent blocks; the only predecessor of `second`, if any, must be `first`. */
static void stitch_blocks(nir_block *first, nir_block *second, nir_function_impl *impl)
{
    unlink_successors(first);
    if (nir_block_ends_in_jump(first)) {
        unlink_block_srcs(second, NULL);
        drop_block(second, impl);
        list_del(&second->cf_node.node);
        nir_relink_block(first, true);
        return;
    }
    nir_foreach_instr_safe (instr, second) {
        list_del(&instr->node);
        list_addtail(&instr->node, &first->instr_list);
        instr->block = first;
    }
    nir_block *succ[2] = {second->successors[0], second->successors[1]};
    unlink_successors(second);
    nir_link_blocks(first, succ[0], succ[1]);
    for (unsigned i = 0; i < 2; i++) {
        if (succ[i])
            phis_rename_pred(succ[i], second, first);
    }
    list_del(&second->cf_node.node);
    if (!first->successors[0])
        nir_relink_block(first, true);
}

/* Moves the nodes from first to last from their list to out. */
static void take_nodes(nir_cf_list *out, nir_block *first, nir_block *last)
{
    list_init(&out->list);
    struct list_head *link = &first->cf_node.node;
    while (true) {
        struct list_head *next = link->next;
        nir_cf_node *node = list_entry(link, nir_cf_node, node);
        list_del(link);
        list_addtail(link, &out->list);
        node->parent = NULL;
        if (link == &last->cf_node.node)
            break;
        link = next;
    }
}

static void list_foreach_block(nir_cf_list *list, void (*cb)(nir_block *, void *), void *data)
{
    nir_foreach_cf_node_safe(node, &list->list) foreach_block_in(node, cb, data);
}

static nir_loop *innermost_loop(nir_cf_node *node)
{
    while (node && node->type != nir_cf_node_loop)
        node = node->parent;
    return node ? nir_cf_node_as_loop(node) : NULL;
}

/* Jumps out of the extracted code keep their edges, and thus their phi sources, until the code is
 * inserted or deleted. */
void nir_cf_extract(nir_cf_list *extracted, nir_cursor begin, nir_cursor end)
{
    nir_cf_node *node = &nir_cursor_current_block(begin)->cf_node;
    extracted->impl = nir_cf_node_get_function(node);
    extracted->loop = innermost_loop(node);
    extracted->linked = true;
    if (nir_cursors_equal(begin, end)) {
        list_init(&extracted->list);
        return;
    }

    nir_block *before, *first, *last, *after;
    bool same_block = nir_cursor_current_block(begin) == nir_cursor_current_block(end);
    split_block(end, &last, &after);
    split_block(begin, &before, &first);
    if (same_block)
        last = first;

    unlink_successors(before);
    take_nodes(extracted, first, last);
    stitch_blocks(before, after, extracted->impl);
    impl_invalidate(extracted->impl);
}

static void enter_instrs_cb(nir_block *block, void *data)
{
    nir_function_impl *impl = data;
    nir_foreach_instr (instr, block) {
        nir_impl_add_instr_kind(impl, instr);
        nir_def *def = nir_instr_def(instr);
        if (def)
            def->index = impl->ssa_alloc++;
    }
}

nir_cursor nir_cf_reinsert(nir_cf_list *list, nir_cursor cursor)
{
    if (list_is_empty(&list->list))
        return cursor;

    nir_block *before, *after;
    nir_function_impl *impl = nir_cf_node_get_function(&nir_cursor_current_block(cursor)->cf_node);
    split_block(cursor, &before, &after);

    nir_block *first = as_block(list->list.next), *last = as_block(list->list.prev);
    struct list_head *at = &before->cf_node.node;
    nir_foreach_cf_node_safe(node, &list->list)
    {
        list_del(&node->node);
        list_add(&node->node, at);
        node->parent = before->cf_node.parent;
        at = &node->node;
    }
    /* Code that returns to its function and loop is moved without visiting it. */
    if (list->linked && list->impl == impl && list->loop == innermost_loop(&before->cf_node)) {
        nir_relink_block(last, true);
    } else {
        for (nir_cf_node *node = &first->cf_node; node != &after->cf_node;
             node = list_entry(node->node.next, nir_cf_node, node)) {
            foreach_block_in(node, enter_instrs_cb, impl);
            foreach_block_in(node, relink_cb, NULL);
        }
    }
    if (!after->successors[0])
        nir_relink_block(after, true);

    bool one_block = first == last;
    stitch_blocks(before, first, impl);
    if (one_block)
        last = before;
    impl_invalidate(impl);

    /* The returned cursor is between the last inserted instruction and the code after the old
     * cursor. */
    nir_instr *last_instr = nir_block_last_instr(last);
    nir_block *behind_of = last;
    stitch_blocks(last, after, impl);
    return last_instr ? nir_after_instr(last_instr) : nir_before_block(behind_of);
}

void nir_cf_delete(nir_cf_list *list)
{
    list_foreach_block(list, unlink_block_srcs, NULL);
    nir_foreach_cf_node(node, &list->list)
    {
        if (node->type == nir_cf_node_if && nir_cf_node_as_if(node)->condition.use_link.next)
            list_del(&nir_cf_node_as_if(node)->condition.use_link);
    }
    list_foreach_block(list, drop_block, list->impl);
    list_init(&list->list);
    impl_invalidate(list->impl);
}

void nir_cf_node_remove(nir_cf_node *node)
{
    nir_cf_list list;
    nir_cf_extract(&list, nir_before_cf_node(node), nir_after_cf_node(node));
    nir_cf_delete(&list);
}
