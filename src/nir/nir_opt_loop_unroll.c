/* SPDX-License-Identifier: MIT */
/*
 * Full unrolling of loops whose trip count has a constant bound (nir_loop_analyze.c). Each copy
 * resolves the exit that bounds the loop. An exit with an unknown condition stays an if, whose
 * other branch contains the remaining copies.
 *
 * Copies are made outside of SSA: phis of the header and after the loop, and values used outside,
 * become registers, which nir_lower_regs_to_ssa removes afterwards.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_loop_analyze.h"
#include "nir_private.h"

#include "util/hash_table.h"

/* Limits for the total size of all copies but one, not counting what becomes constant in them
 * (nir_loop_info.size). The first two are for loops with an exact trip count, the others for loops
 * with an upper bound. MAX_UNROLLED_INDEXED applies if indices of local variables or samplers
 * become constant, which saves much more than the loop's overhead; MAX_UNROLLED_INDIRECT if array
 * indices become constant. */
#define MAX_UNROLLED_INDEXED  4096
#define MAX_UNROLLED          1024
#define MAX_UNROLLED_INDIRECT 1024
#define MAX_UNROLLED_COMPLEX  192
/* Functions may grow to MAX_SHADER by unrolling. Above that, only loops whose copies have a total
 * size of at most SMALL are unrolled. */
#define MAX_SHADER 32768
#define SMALL      256

/* --- Out of SSA --- */

static nir_def *new_reg(nir_function_impl *impl, const nir_def *like)
{
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    return nir_decl_reg(&b, .num_components = like->num_components, .bit_size = like->bit_size);
}

static bool is_inside(nir_cf_node *node, nir_cf_node *outer)
{
    while (node && node != outer)
        node = node->parent;
    return node != NULL;
}

static bool is_used_inside(nir_src *src, nir_loop *loop)
{
    nir_cf_node *user = nir_src_is_if(src) ? &nir_src_parent_if(src)->cf_node
                                           : &nir_src_parent_instr(src)->block->cf_node;
    return is_inside(user, &loop->cf_node);
}

/* Rebuilds derefs where they are used outside of the loop, so that only their indices leave it. */
static void copy_escaping_deref(nir_loop *loop, nir_deref_instr *deref)
{
    nir_foreach_use_including_if_safe(src, &deref->def)
    {
        if (is_used_inside(src, loop))
            continue;
        nir_builder b = nir_builder_at(nir_before_src(src));
        nir_src_rewrite(src, &nir_build_deref_chain(&b, deref)->def);
    }
}

static void escaping_def_to_reg(nir_function_impl *impl, nir_loop *loop, nir_def *def)
{
    nir_def *reg = NULL;
    nir_foreach_use_including_if_safe(src, def)
    {
        if (is_used_inside(src, loop))
            continue;
        if (!reg) {
            reg = new_reg(impl, def);
            nir_builder b = nir_builder_at(nir_after_instr_and_phis(def->parent_instr));
            nir_store_reg(&b, def, reg);
        }
        nir_builder b = nir_builder_at(nir_before_src(src));
        nir_src_rewrite(src, nir_load_reg(&b, def->num_components, def->bit_size, reg));
    }
}

static void escaping_defs_to_regs(nir_function_impl *impl, nir_loop *loop, nir_block *following)
{
    for (unsigned derefs = 2; derefs-- > 0;) {
        for (nir_block *block = nir_loop_first_block(loop); block != following;
             block = nir_block_cf_tree_next(block)) {
            nir_foreach_instr_safe (instr, block) {
                nir_def *def = nir_instr_def(instr);
                if (derefs && instr->type == nir_instr_type_deref)
                    copy_escaping_deref(loop, nir_instr_as_deref(instr));
                else if (!derefs && def)
                    escaping_def_to_reg(impl, loop, def);
            }
        }
    }
}

/* --- Copies --- */

static nir_cursor insert_copy(nir_cf_list *list, nir_cursor cursor, nir_cf_node *parent,
                              struct hash_table *remap)
{
    nir_cf_list copy;
    if (list_is_empty(&list->list))
        return cursor;
    nir_cf_list_clone(&copy, list, parent, remap);
    return nir_cf_reinsert(&copy, cursor);
}

/* The loop body is split into code, exit, code, exit, …, code. */
struct piece {
    nir_cf_list code;   /* code before the exit */
    nir_def *condition; /* condition of the exit */
    /* decides: it is known in each copy whether the exit is taken. */
    bool break_if, decides;
    nir_cf_list leave, stay; /* the two branches, without the break */
};

/* Moves the loop body into the pieces, one for each terminator; *tail gets the code after the last
 * exit. */
static void take_apart(nir_loop *loop, const struct nir_loop_info *info, struct piece *pieces,
                       nir_cf_list *tail)
{
    unsigned n = info->num_terminators;
    for (unsigned i = 0; i < n; i++) {
        const struct nir_loop_terminator *t = &info->terminators[i];
        struct list_head *leave = t->break_if ? &t->nif->then_list : &t->nif->else_list;
        nir_block *last = nir_cf_node_as_block(list_last_entry(leave, nir_cf_node, node));
        nir_instr_remove(nir_block_last_instr(last)); /* removes the break */
        pieces[i].condition = t->nif->condition.ssa;
        pieces[i].break_if = t->break_if;
        pieces[i].decides = t == info->limiting || info->exact_trips;
    }
    /* Backwards, so that earlier code stays in place. */
    for (unsigned i = n; i-- > 0;) {
        nir_if *nif = info->terminators[i].nif;
        struct list_head *leave = pieces[i].break_if ? &nif->then_list : &nif->else_list;
        struct list_head *stay = pieces[i].break_if ? &nif->else_list : &nif->then_list;
        nir_cf_list *rest = i + 1 < n ? &pieces[i + 1].code : tail;
        nir_cf_node *next = i + 1 < n ? &info->terminators[i + 1].nif->cf_node : NULL;
        nir_cf_extract(rest, nir_after_cf_node(&nif->cf_node),
                       next ? nir_before_cf_node(next) : nir_after_cf_list(&loop->body));
        nir_cf_extract(&pieces[i].leave, nir_before_cf_list(leave), nir_after_cf_list(leave));
        nir_cf_extract(&pieces[i].stay, nir_before_cf_list(stay), nir_after_cf_list(stay));
    }
    nir_cf_extract(&pieces[0].code, nir_before_cf_list(&loop->body),
                   nir_before_cf_node(&info->terminators[0].nif->cf_node));
}

static void delete_pieces(struct piece *pieces, unsigned n, nir_cf_list *tail)
{
    nir_cf_delete(tail);
    for (unsigned i = n; i-- > 0;) {
        nir_cf_delete(&pieces[i].stay);
        nir_cf_delete(&pieces[i].leave);
    }
}

static nir_def *remapped(struct hash_table *remap, nir_def *def)
{
    nir_def *copy = hash_table_get(remap, def);
    return copy ? copy : def;
}

/* Inserts an exit with an unknown condition. Returns the cursor in the branch that stays in the
 * loop. */
static nir_cursor insert_exit(nir_shader *shader, struct piece *p, nir_cursor cursor,
                              struct hash_table *remap)
{
    nir_if *nif = nir_if_create(shader);
    nir_builder b = nir_builder_at(cursor);
    nir_def *condition = remapped(remap, p->condition);
    nif->condition = nir_src_for_ssa(condition);
    nir_cf_node_insert(b.cursor, &nif->cf_node);
    struct list_head *leave = p->break_if ? &nif->then_list : &nif->else_list;
    struct list_head *stay = p->break_if ? &nif->else_list : &nif->then_list;
    insert_copy(&p->leave, nir_before_cf_list(leave), &nif->cf_node, remap);
    return insert_copy(&p->stay, nir_before_cf_list(stay), &nif->cf_node, remap);
}

static nir_cf_node *parent_of(nir_cursor cursor)
{
    return nir_cursor_current_block(cursor)->cf_node.parent;
}

static void unroll(nir_function_impl *impl, nir_loop *loop)
{
    const struct nir_loop_info *info = loop->info;
    unsigned n = info->num_terminators, trips = (unsigned)info->max_trips;
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    nir_block_phis_to_regs(
        following); /* first, because their sources are read inside of the loop */
    escaping_defs_to_regs(impl, loop, following);
    nir_block_phis_to_regs(nir_loop_first_block(loop));
    for (unsigned i = 0; i < n; i++)
        nir_block_phis_to_regs(
            nir_cf_node_as_block(nir_cf_node_next(&info->terminators[i].nif->cf_node)));

    unsigned last = (unsigned)(info->limiting - info->terminators);
    struct piece *pieces = talloc_zero_array(NULL, struct piece, n);
    nir_cf_list tail;
    take_apart(loop, info, pieces, &tail);
    nir_cursor cursor = nir_before_cf_node(&loop->cf_node);
    struct hash_table *remap = hash_table_create_pointer(NULL);
    for (unsigned i = 0; i <= trips; i++) {
        hash_table_clear(remap);
        for (unsigned t = 0; t < n; t++) {
            cursor = insert_copy(&pieces[t].code, cursor, parent_of(cursor), remap);
            bool leaves = i == trips && t == last;
            if (leaves) {
                insert_copy(&pieces[t].leave, cursor, parent_of(cursor), remap);
                break;
            }
            if (pieces[t].decides)
                cursor = insert_copy(&pieces[t].stay, cursor, parent_of(cursor), remap);
            else
                cursor = insert_exit(nir_impl_shader(impl), &pieces[t], cursor, remap);
        }
        if (i < trips)
            cursor = insert_copy(&tail, cursor, parent_of(cursor), remap);
    }
    hash_table_destroy(remap);
    nir_cf_node_remove(&loop->cf_node);
    delete_pieces(pieces, n, &tail);
    for (unsigned i = n; i-- > 0;)
        nir_cf_delete(&pieces[i].code);
    talloc_free(pieces);
}

/* State of the pass. */
struct unrolling {
    nir_function_impl *impl;
    uint64_t size; /* size of the function, with the copies made so far */
};

static bool try_loop(struct unrolling *u, nir_loop *loop)
{
    const struct nir_loop_info *info = loop->info;
    const nir_shader_compiler_options *options = nir_impl_shader(u->impl)->options;
    if (!info || info->complex || !info->limiting ||
        (unsigned)info->max_trips > options->max_unroll_iterations)
        return false;
    unsigned limit = info->exact_trips
                         ? (info->has_known_index ? MAX_UNROLLED_INDEXED : MAX_UNROLLED)
                     : info->has_indirect ? MAX_UNROLLED_INDIRECT
                                          : MAX_UNROLLED_COMPLEX;
    const uint64_t copies = info->max_trips ? (unsigned)info->max_trips - 1 : 0;
    const uint64_t size = copies * (info->size - info->known_size);
    if (size > limit || (size > SMALL && u->size + size > MAX_SHADER))
        return false;
    unroll(u->impl, loop);
    u->size += size;
    return true;
}

/* Unrolls inner loops first. The copies are inserted after the block before the loop, where the
 * walk continues. Loops in the copies have no info; the next run handles them. */
static bool unroll_list(struct unrolling *u, struct list_head *list)
{
    bool progress = false;
    for (struct list_head *link = list->next; link != list; link = link->next) {
        nir_cf_node *node = list_entry(link, nir_cf_node, node);
        if (node->type == nir_cf_node_if) {
            progress |= unroll_list(u, &nir_cf_node_as_if(node)->then_list);
            progress |= unroll_list(u, &nir_cf_node_as_if(node)->else_list);
        } else if (node->type == nir_cf_node_loop) {
            struct list_head *before = link->prev;
            /* Unrolling an inner loop invalidates the analysis of the outer one. */
            if (unroll_list(u, &nir_cf_node_as_loop(node)->body)) {
                progress = true;
            } else if (try_loop(u, nir_cf_node_as_loop(node))) {
                progress = true;
                link = before;
            }
        }
    }
    return progress;
}

static uint64_t function_size(nir_function_impl *impl)
{
    uint64_t size = 0;
    nir_foreach_block (block, impl)
        nir_foreach_instr (instr, block)
            size += nir_instr_size(nir_impl_shader(impl)->options, instr);
    return size;
}

bool nir_opt_loop_unroll(nir_shader *shader)
{
    const bool unrolls = shader->options && shader->options->max_unroll_iterations;
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        struct unrolling u = {.impl = impl};
        bool impl_progress = false;
        if (unrolls) {
            nir_metadata_require(impl, nir_metadata_loop_analysis);
            u.size = function_size(impl);
            impl_progress = unroll_list(&u, &impl->body);
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_none);
    }
    if (progress)
        nir_lower_regs_to_ssa(shader);
    return progress;
}
