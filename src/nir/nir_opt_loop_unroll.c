/* SPDX-License-Identifier: MIT */
/*
 * Full unrolling of loops that one if at the top of the body leaves, after a number of iterations
 * that follows from constants: the condition is simply evaluated, iteration by iteration, from the
 * initial values of the head's phis.
 *
 * The copies are made out of SSA: phis of the head and behind the loop and values used outside go
 * through registers, which nir_lower_regs_to_ssa removes again.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_private.h"

#include "util/hash_table.h"

/* Instructions of all copies together. */
#define MAX_UNROLLED_INSTRS 4096

struct terminator {
    nir_if *nif;
    bool break_if;    /* value of the condition that leaves */
};

/* --- Shape --- */

static bool is_lone_break(nir_block *block)
{
    return nir_block_ends_in_jump(block) &&
           nir_instr_as_jump(nir_block_last_instr(block))->type == nir_jump_break;
}

static unsigned count_jumps(struct list_head *list)
{
    unsigned n = 0;
    nir_foreach_cf_node(node, list) {
        if (node->type == nir_cf_node_block) {
            n += nir_block_ends_in_jump(nir_cf_node_as_block(node));
        } else if (node->type == nir_cf_node_if) {
            n += count_jumps(&nir_cf_node_as_if(node)->then_list);
            n += count_jumps(&nir_cf_node_as_if(node)->else_list);
        } else {
            /* Jumps of inner loops stay in them, but for returns. */
            nir_loop *inner = nir_cf_node_as_loop(node);
            nir_block *behind = nir_cf_node_as_block(nir_cf_node_next(node));
            for (nir_block *block = nir_loop_first_block(inner); block != behind;
                 block = nir_block_cf_tree_next(block)) {
                if (nir_block_ends_in_jump(block) &&
                    nir_instr_as_jump(nir_block_last_instr(block))->type <= nir_jump_halt)
                    n++;
            }
        }
    }
    return n;
}

/* The one if that leaves the loop, when nothing else jumps. */
static bool find_terminator(nir_loop *loop, struct terminator *t)
{
    if (count_jumps(&loop->body) != 1)
        return false;
    nir_foreach_cf_node(node, &loop->body) {
        if (node->type != nir_cf_node_if)
            continue;
        nir_if *nif = nir_cf_node_as_if(node);
        if (is_lone_break(nir_if_last_then_block(nif))) {
            *t = (struct terminator){nif, true};
            return true;
        }
        if (is_lone_break(nir_if_last_else_block(nif))) {
            *t = (struct terminator){nif, false};
            return true;
        }
    }
    return false;
}

static unsigned count_instrs(nir_loop *loop)
{
    unsigned n = 0;
    nir_block *behind = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    for (nir_block *block = nir_loop_first_block(loop); block != behind;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr(instr, block)
            n++;
    }
    return n;
}

/* --- Trip count --- */

struct evaluator {
    nir_loop *loop;
    void *mem_ctx;
    struct hash_table *phis;  /* phi of the head → value in this iteration; absent: unknown */
    struct hash_table *cache; /* def → value in this iteration */
    unsigned depth;
};

struct value {
    nir_const_value comps[NIR_MAX_VEC_COMPONENTS];
};

static const struct value *evaluate(struct evaluator *e, nir_def *def);

static const struct value *evaluate_alu(struct evaluator *e, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    nir_const_value srcs[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS], *ptrs[NIR_ALU_MAX_INPUTS];
    unsigned bit_size = alu->def.bit_size;
    bool sized = nir_alu_type_get_type_size(info->output_type) != 0;
    for (unsigned s = 0; s < info->num_inputs; s++) {
        const struct value *v = evaluate(e, alu->src[s].src.ssa);
        if (!v)
            return NULL;
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
            srcs[s][c] = v->comps[alu->src[s].swizzle[c]];
        ptrs[s] = srcs[s];
        if (sized && nir_alu_type_get_type_size(info->input_types[s]) == 0)
            bit_size = alu->src[s].src.ssa->bit_size;
    }
    struct value *result = talloc_zero(e->mem_ctx, struct value);
    nir_eval_const_opcode(alu->op, result->comps, alu->def.num_components, bit_size, ptrs);
    return result;
}

static const struct value *evaluate(struct evaluator *e, nir_def *def)
{
    struct hash_entry *known = hash_table_search(e->cache, def);
    if (known)
        return known->data;
    const struct value *result = NULL;
    nir_instr *instr = def->parent_instr;
    if (instr->type == nir_instr_type_load_const) {
        struct value *v = talloc_zero(e->mem_ctx, struct value);
        memcpy(v->comps, nir_instr_as_load_const(instr)->value,
               def->num_components * sizeof v->comps[0]);
        result = v;
    } else if (instr->type == nir_instr_type_phi) {
        result = hash_table_get(e->phis, nir_instr_as_phi(instr));
    } else if (instr->type == nir_instr_type_alu && e->depth < 64) {
        e->depth++;
        result = evaluate_alu(e, nir_instr_as_alu(instr));
        e->depth--;
    }
    hash_table_insert(e->cache, def, (void *)result);
    return result;
}

/* Sources of a head's phi: from before the loop, and from the one way back. */
static nir_def *phi_source(nir_phi_instr *phi, nir_loop *loop, bool initial)
{
    nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
    nir_foreach_phi_src(src, phi) {
        if ((src->pred == before) == initial)
            return src->src.ssa;
    }
    return NULL;
}

static void enter_iteration(struct evaluator *e, bool initial)
{
    struct hash_table *next = hash_table_create_pointer(e->mem_ctx);
    nir_foreach_instr(instr, nir_loop_first_block(e->loop)) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        nir_def *def = phi_source(phi, e->loop, initial);
        const struct value *v = def ? evaluate(e, def) : NULL;
        if (v)
            hash_table_insert(next, phi, (void *)v);
    }
    e->phis = next;
    hash_table_clear(e->cache);
}

/* Iterations that are begun and not left at the terminator; -1: unknown or more than max. */
static int trip_count(nir_loop *loop, const struct terminator *t, unsigned max)
{
    struct evaluator e = {.loop = loop, .mem_ctx = talloc_new(NULL)};
    e.phis = hash_table_create_pointer(e.mem_ctx);
    e.cache = hash_table_create_pointer(e.mem_ctx);
    int count = -1;
    for (unsigned i = 0; i <= max; i++) {
        enter_iteration(&e, i == 0);
        const struct value *v = evaluate(&e, t->nif->condition.ssa);
        if (!v)
            break;
        if (v->comps[0].b == t->break_if) {
            count = i;
            break;
        }
    }
    talloc_free(e.mem_ctx);
    return count;
}

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

static void escaping_defs_to_regs(nir_function_impl *impl, nir_loop *loop, nir_block *behind)
{
    for (nir_block *block = nir_loop_first_block(loop); block != behind;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr_safe(instr, block) {
            nir_def *def = nir_instr_def(instr), *reg = NULL;
            if (!def)
                continue;
            nir_foreach_use_including_if_safe(src, def) {
                nir_cf_node *user = src->is_if ? &src->parent_if->cf_node
                                               : &src->parent_instr->block->cf_node;
                if (is_inside(user, &loop->cf_node))
                    continue;
                if (!reg) {
                    reg = new_reg(impl, def);
                    nir_builder b = nir_builder_at(nir_after_instr_and_phis(instr));
                    nir_store_reg(&b, def, reg);
                }
                nir_builder b = nir_builder_at(nir_before_src(src));
                nir_src_rewrite(src, nir_load_reg(&b, def->num_components, def->bit_size, reg));
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

static void unroll(nir_function_impl *impl, nir_loop *loop, struct terminator *t, unsigned trips)
{
    nir_block *behind = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    nir_block_phis_to_regs(behind); /* first: their sources are read inside of the loop */
    escaping_defs_to_regs(impl, loop, behind);
    nir_block_phis_to_regs(nir_loop_first_block(loop));

    struct list_head *leave = t->break_if ? &t->nif->then_list : &t->nif->else_list;
    struct list_head *stay = t->break_if ? &t->nif->else_list : &t->nif->then_list;
    nir_block_phis_to_regs(nir_cf_node_as_block(nir_cf_node_next(&t->nif->cf_node)));

    /* The break goes; the loop is removed with what is left of it. */
    nir_block *last = nir_cf_node_as_block(list_last_entry(leave, nir_cf_node, node));
    nir_instr_remove(nir_block_last_instr(last));
    nir_cf_list head, leave_list, stay_list, tail;
    nir_cf_node *node = &t->nif->cf_node;
    nir_cf_extract(&tail, nir_after_cf_node(node), nir_after_cf_list(&loop->body));
    nir_cf_extract(&leave_list, nir_before_cf_list(leave), nir_after_cf_list(leave));
    nir_cf_extract(&stay_list, nir_before_cf_list(stay), nir_after_cf_list(stay));
    nir_cf_extract(&head, nir_before_cf_list(&loop->body), nir_before_cf_node(node));

    nir_cursor cursor = nir_before_cf_node(&loop->cf_node);
    nir_cf_node *parent = loop->cf_node.parent;
    struct hash_table *remap = hash_table_create_pointer(NULL);
    for (unsigned i = 0; i <= trips; i++) {
        hash_table_clear(remap);
        cursor = insert_copy(&head, cursor, parent, remap);
        if (i == trips) {
            cursor = insert_copy(&leave_list, cursor, parent, remap);
            break;
        }
        cursor = insert_copy(&stay_list, cursor, parent, remap);
        cursor = insert_copy(&tail, cursor, parent, remap);
    }
    hash_table_destroy(remap);
    nir_cf_delete(&tail);
    nir_cf_delete(&stay_list);
    nir_cf_delete(&leave_list);
    nir_cf_node_remove(&loop->cf_node);
    nir_cf_delete(&head);
}

static bool try_loop(nir_function_impl *impl, nir_loop *loop, unsigned max)
{
    struct terminator t;
    if (!find_terminator(loop, &t))
        return false;
    unsigned instrs = MAX2(count_instrs(loop), 1);
    int trips = trip_count(loop, &t, MIN2(max, MAX_UNROLLED_INSTRS / instrs));
    if (trips < 0)
        return false;
    unroll(impl, loop, &t, trips);
    return true;
}

/* Inner loops first. The copies come behind the block before the loop, where the walk goes on. */
static bool unroll_list(nir_function_impl *impl, struct list_head *list, unsigned max)
{
    bool progress = false;
    for (struct list_head *link = list->next; link != list; link = link->next) {
        nir_cf_node *node = list_entry(link, nir_cf_node, node);
        if (node->type == nir_cf_node_if) {
            progress |= unroll_list(impl, &nir_cf_node_as_if(node)->then_list, max);
            progress |= unroll_list(impl, &nir_cf_node_as_if(node)->else_list, max);
        } else if (node->type == nir_cf_node_loop) {
            struct list_head *before = link->prev;
            progress |= unroll_list(impl, &nir_cf_node_as_loop(node)->body, max);
            if (try_loop(impl, nir_cf_node_as_loop(node), max)) {
                progress = true;
                link = before;
            }
        }
    }
    return progress;
}

bool nir_opt_loop_unroll(nir_shader *shader)
{
    unsigned max = shader->options ? shader->options->max_unroll_iterations : 0;
    bool progress = false;
    nir_foreach_function_impl(impl, shader) {
        bool impl_progress = max && unroll_list(impl, &impl->body, max);
        progress |= nir_progress(impl_progress, impl, nir_metadata_none);
    }
    if (progress)
        nir_lower_regs_to_ssa(shader);
    return progress;
}
