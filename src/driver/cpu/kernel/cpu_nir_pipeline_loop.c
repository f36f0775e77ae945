/* SPDX-License-Identifier: MIT */
/*
 * Software pipelining of the loop over a run's blocks. The shading of a block begins with a long
 * dependency chain: from planes to texture coordinates, levels, and the branch that depends on the
 * positions of all lanes' texels. An out-of-order CPU looks two or three blocks ahead, which is not
 * enough to hide this latency. So the chain of the next block is computed in the current iteration,
 * and a phi at the loop's head receives its results.
 *
 *     a = chain(0)
 *     loop {
 *         x = phi(a, next)
 *         next = chain(n + 1)
 *         if (covered) { rest(x) }
 *     }
 *
 * chain(n) depends only on loop invariants and on the values of planes at block n, which are known
 * before the loop (cpu_fs_planes.c).
 *
 * The chain ends at the first branch of the body whose condition depends on it. If the rest uses a
 * value of the chain only to compute another value, from nothing else that the block computes, that
 * computation belongs to the chain, too, if the first value then needn't be passed on.
 *
 * If the chain follows tests that a block may fail as a whole, computing it for a hidden block is
 * wasted work. It is then computed early only if the previous block passed the tests, otherwise in
 * its original position if the block passes:
 *
 *     if (ready) x = phi else x = chain(n)
 *
 * If a block consists of two vectors, its halves, the chain of the second half is moved before the
 * branch of the first half, so that it executes while the first half's texels are filtered.
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include <talloc.h>

#include "util/check.h"
#include "util/hash_table.h"

/* Limits of a chain's length in instructions and of the vectors that it passes on, because these
 * occupy registers. Shorter chains don't pay. */
#define MIN_CHAIN  12
#define MAX_CHAIN  192
#define MAX_VALUES 12
/* Minimum length of an iteration; the CPU overlaps several shorter ones by itself. */
#define MIN_ITERATION 200

/* Values of nir_instr.pass_flags: not in the chain, in it and the same for all blocks, or in it and
 * varying. */
enum { OUTSIDE, CONSTANT, VARYING };

struct pipeliner {
    nir_builder b;
    nir_loop *loop;
    /* Predecessors of the loop's head: before the loop, and its last block. */
    nir_block *before, *last;
    nir_block *insert_after; /* block of the body that the next chain is computed after */
    bool second;             /* the chain is that of the second half of the same block */
    /* The if around the chain: it skips blocks that fail the tests before; NULL: there is none. */
    nir_if *guard;
    nir_instr *chain[MAX_CHAIN]; /* in an order where operands come first */
    unsigned count, begun;
    unsigned left;             /* instructions of the chain that remain to be copied */
    bool has_cross_lane;       /* the chain contains a cross-lane operation */
    bool diverged;             /* the search has reached divergent control flow */
    nir_def *value[MAX_CHAIN]; /* values of the chain that the rest reads */
    nir_def *early[MAX_CHAIN]; /* the same values, computed early */
    nir_variable *variable[MAX_CHAIN];
    unsigned num_values;
};

static bool is_within(const nir_cf_node *node, const nir_cf_node *outer)
{
    while (node && node != outer)
        node = node->parent;
    return node;
}

/* Returns whether the instruction is not available where the chain is computed, and so must be part
 * of the chain. */
static bool is_inside(const struct pipeliner *a, const nir_instr *instr)
{
    if (a->second)
        return !nir_block_dominates(instr->block, a->insert_after);
    return is_within(&instr->block->cf_node, &a->loop->cf_node);
}

static nir_def *phi_value(const nir_phi_instr *phi, const nir_block *pred)
{
    nir_foreach_phi_src (src, phi)
        if (src->pred == pred)
            return src->src.ssa;
    return NULL;
}

static bool is_head_phi(const struct pipeliner *a, const nir_instr *instr)
{
    return instr->type == nir_instr_type_phi && instr->block == nir_loop_first_block(a->loop);
}

/* Returns whether the phi's value for the next block is known where that block's chain is
 * computed. */
static bool is_known_ahead(const struct pipeliner *a, const nir_phi_instr *phi)
{
    const nir_instr *next = phi_value(phi, a->last)->parent_instr;
    return !is_inside(a, next) || nir_block_dominates(next->block, a->insert_after);
}

static bool is_step_source(nir_src *src, void *data)
{
    return nir_src_is_const(*src) || is_head_phi(data, src->ssa->parent_instr);
}

static bool move_constant(nir_src *src, void *data)
{
    struct pipeliner *a = data;
    nir_instr *instr = src->ssa->parent_instr;
    if (nir_src_is_const(*src) && is_inside(a, instr))
        nir_instr_move(nir_after_phis(nir_loop_first_block(a->loop)), instr);
    return true;
}

/* Increments counters at the start of an iteration, so that their values in the next one are
 * known. */
static void increment_early(struct pipeliner *a)
{
    nir_block *head = nir_loop_first_block(a->loop);
    nir_foreach_instr (instr, head) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_instr *step = phi_value(nir_instr_as_phi(instr), a->last)->parent_instr;
        if (step->type != nir_instr_type_alu || step->block == head ||
            !nir_foreach_src(step, is_step_source, a))
            continue;
        nir_instr_move(nir_after_phis(head), step);
        nir_foreach_src(step, move_constant, a);
    }
}

/* Returns whether the instruction always returns the same result for the same operands. Sets
 * a->has_cross_lane for cross-lane operations. */
static bool may_repeat(struct pipeliner *a, nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return instr->type == nir_instr_type_alu || instr->type == nir_instr_type_load_const ||
               instr->type == nir_instr_type_undef;
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    unsigned flags = nir_intrinsic_infos[intr->intrinsic].flags;
    if (intr->intrinsic == nir_intrinsic_load_global_block)
        return nir_intrinsic_access(intr) & ACCESS_CAN_REORDER;
    bool is_cross_lane = flags & NIR_INTRINSIC_CROSS_LANE && flags & NIR_INTRINSIC_CAN_ELIMINATE &&
                         !nir_intrinsic_has_access(intr);
    a->has_cross_lane |= is_cross_lane;
    return is_cross_lane ||
           (nir_intrinsic_infos[intr->intrinsic].has_dest && nir_intrinsic_can_reorder(intr));
}

static bool add_source(nir_src *src, void *data);
static bool add_to_chain(struct pipeliner *a, nir_instr *instr);

/* Returns whether this is the if after the end of the first half's chain; the second half's chain
 * must not read its results. */
static bool ends_first_chain(const struct pipeliner *a, const nir_cf_node *nif)
{
    return a->second && nif == nir_cf_node_next(&a->insert_after->cf_node);
}

/* Adds the condition that selects a phi's value to the chain. It must be that of a uniform if. */
static bool add_condition(struct pipeliner *a, const nir_instr *phi)
{
    nir_cf_node *node = nir_cf_node_prev(&phi->block->cf_node);
    if (!node || node->type != nir_cf_node_if)
        return false;
    const nir_def *condition = nir_cf_node_as_if(node)->condition.ssa;
    return !condition->divergent && !ends_first_chain(a, node) &&
           add_to_chain(a, condition->parent_instr);
}

static bool is_constant(nir_src *src, void *data)
{
    const struct pipeliner *a = data;
    const nir_instr *instr = src->ssa->parent_instr;
    return instr->pass_flags != VARYING && !is_head_phi(a, instr);
}

static bool add_to_chain(struct pipeliner *a, nir_instr *instr)
{
    if (!is_inside(a, instr) || instr->pass_flags)
        return true;
    if (is_head_phi(a, instr))
        return is_known_ahead(a, nir_instr_as_phi(instr));
    if (instr->type == nir_instr_type_phi ? !add_condition(a, instr) : !may_repeat(a, instr))
        return false;
    if (++a->begun > MAX_CHAIN || !nir_foreach_src(instr, add_source, a))
        return false;
    bool varies = instr->type == nir_instr_type_phi || !nir_foreach_src(instr, is_constant, a);
    instr->pass_flags = varies ? VARYING : CONSTANT;
    NEXT_OF(a->chain, a->count) = instr;
    return true;
}

static bool add_source(nir_src *src, void *data)
{
    return add_to_chain(data, src->ssa->parent_instr);
}

/* Returns the if that contains the block, if it has no else and is nested in another if; otherwise
 * NULL. */
static nir_if *find_guard(const nir_block *block)
{
    nir_cf_node *parent = block->cf_node.parent;
    if (parent->type != nir_cf_node_if || parent->parent->type != nir_cf_node_if)
        return NULL;
    nir_if *nif = nir_cf_node_as_if(parent);
    nir_block *other = nir_if_first_else_block(nif);
    bool alone = other == nir_if_last_else_block(nif) && !nir_block_first_instr(other);
    return alone ? nif : NULL;
}

/* Returns whether this use, outside of the chain, is to be replaced by the early value. */
static bool is_use_by_rest(const struct pipeliner *a, const nir_src *src)
{
    if (!nir_src_is_if(src) && nir_src_parent_instr(src)->pass_flags)
        return false;
    return !a->guard || is_within(&nir_src_use_block(src)->cf_node, &a->guard->cf_node);
}

static bool is_available(nir_src *src, void *data)
{
    const nir_instr *instr = src->ssa->parent_instr;
    return instr->pass_flags || !is_inside(data, instr);
}

/* Returns the only reader of a value of the chain, if it is in the block that ends the chain and
 * can be computed with it; otherwise NULL. */
static nir_instr *only_reader(struct pipeliner *a, nir_def *def, const nir_block *block)
{
    nir_instr *reader = NULL;
    nir_foreach_use_including_if(src, def)
    {
        if (!is_use_by_rest(a, src))
            continue;
        if (reader || nir_src_is_if(src))
            return NULL;
        reader = nir_src_parent_instr(src);
    }
    return reader && reader->type == nir_instr_type_alu && reader->block == block &&
                   nir_foreach_src(reader, is_available, a)
               ? reader
               : NULL;
}

/* Extends the chain by instructions that are the only readers of its values and whose results are
 * as large, so that no more values are passed on. */
static void extend_chain(struct pipeliner *a, const nir_block *block)
{
    for (unsigned i = 0; i < a->count && a->count < MAX_CHAIN; i++) {
        nir_def *def = nir_instr_def(a->chain[i]);
        nir_instr *reader = a->chain[i]->pass_flags == VARYING ? only_reader(a, def, block) : NULL;
        if (!reader || nir_instr_def(reader)->bit_size != def->bit_size)
            continue;
        reader->pass_flags = VARYING;
        NEXT_OF(a->chain, a->count) = reader;
    }
}

/* Returns whether the branch after a block ends a chain: its condition depends on a cross-lane
 * operation and can be computed one block early. Then stores the instructions in a->chain. */
static bool ends_chain(struct pipeliner *a, nir_block *block, nir_if *nif)
{
    a->guard = find_guard(block);
    a->count = a->begun = 0;
    a->has_cross_lane = false;
    bool found = add_to_chain(a, nif->condition.ssa->parent_instr) && a->has_cross_lane &&
                 a->count >= MIN_CHAIN;
    for (unsigned i = 0; i < a->count && !found; i++)
        a->chain[i]->pass_flags = OUTSIDE;
    if (found)
        extend_chain(a, block);
    return found;
}

/* Finds the first chain that qualifies, before any divergent control flow. */
static bool find_chain(struct pipeliner *a, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        nir_if *nif = node->type == nir_cf_node_if ? nir_cf_node_as_if(node) : NULL;
        if (node->type == nir_cf_node_block) {
            if (list == &a->loop->body)
                a->insert_after = nir_cf_node_as_block(node);
            continue;
        }
        a->diverged |= !nif || nif->condition.ssa->divergent;
        if (a->diverged)
            return false;
        if (!is_inside(a, nif->condition.ssa->parent_instr))
            continue;
        if (ends_chain(a, nir_cf_node_as_block(nir_cf_node_prev(node)), nif) ||
            find_chain(a, &nif->then_list) || find_chain(a, &nif->else_list))
            return true;
    }
    return false;
}

/* ----------------------------------------------------------------------------------- copies --- */

static nir_def *mapped(struct hash_table *map, nir_def *def)
{
    nir_def *copy = hash_table_get(map, def);
    return copy ? copy : def;
}

static bool copy_list(struct pipeliner *a, struct list_head *list, struct hash_table *map);

static void copy_block(struct pipeliner *a, nir_block *block, struct hash_table *map)
{
    nir_foreach_instr (instr, block) {
        if (!instr->pass_flags || instr->type == nir_instr_type_phi)
            continue;
        nir_builder_instr_insert(&a->b, nir_instr_clone(a->b.shader, instr, map));
        a->left--;
    }
}

static bool is_in_list(const nir_block *block, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (is_within(&block->cf_node, node))
            return true;
    }
    return false;
}

/* Copies an if whose phis are in the chain. Values that the rest reads and that are computed on one
 * side get a phi with an undefined value for the other side. */
static void copy_if(struct pipeliner *a, nir_if *nif, struct hash_table *map)
{
    nir_builder *b = &a->b;
    nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    nir_block *const last[2] = {nir_if_last_then_block(nif), nir_if_last_else_block(nif)};
    nir_def *undefined[MAX_CHAIN];

    for (unsigned i = 0; i < a->num_values; i++) {
        const nir_def *def = a->value[i];
        undefined[i] = is_within(&def->parent_instr->block->cf_node, &nif->cf_node)
                           ? nir_undef(b, def->num_components, def->bit_size)
                           : NULL;
    }
    nir_push_if(b, mapped(map, nif->condition.ssa));
    copy_list(a, &nif->then_list, map);
    nir_push_else(b, NULL);
    copy_list(a, &nif->else_list, map);
    nir_pop_if(b, NULL);
    nir_foreach_instr (instr, after) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        if (!instr->pass_flags)
            continue;
        hash_table_insert(map, &phi->def,
                          nir_if_phi(b, mapped(map, phi_value(phi, last[0])),
                                     mapped(map, phi_value(phi, last[1]))));
        a->left--;
    }
    for (unsigned i = 0; i < a->num_values; i++) {
        nir_def *def = a->value[i], *copy = mapped(map, def);
        if (undefined[i] && is_in_list(def->parent_instr->block, &nif->then_list))
            hash_table_insert(map, def, nir_if_phi(b, copy, undefined[i]));
        else if (undefined[i])
            hash_table_insert(map, def, nir_if_phi(b, undefined[i], copy));
    }
}

static bool begins_with_chain(nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        if (instr->pass_flags)
            return true;
    }
    return false;
}

/* Copies the instructions of the chain in a list. Returns true when all have been copied. */
static bool copy_list(struct pipeliner *a, struct list_head *list, struct hash_table *map)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block)
            copy_block(a, nir_cf_node_as_block(node), map);
        if (node->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(node);
            if (begins_with_chain(nir_cf_node_as_block(nir_cf_node_next(node))))
                copy_if(a, nif, map);
            else if (copy_list(a, &nif->then_list, map) || copy_list(a, &nif->else_list, map))
                return true;
        }
        if (!a->left)
            return true;
    }
    return false;
}

/* Copies the chain to the builder's cursor, for the block that the loop's head reaches from `pred`;
 * NULL: for the current block. Returns a map from values to copies, or NULL if out of memory. */
static struct hash_table *copy_chain(struct pipeliner *a, nir_block *pred, void *mem_ctx)
{
    struct hash_table *map = hash_table_create_pointer(mem_ctx);
    if (!map)
        return NULL;
    nir_foreach_instr (instr, nir_loop_first_block(a->loop)) {
        if (instr->type != nir_instr_type_phi || !pred)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        if (!hash_table_insert(map, &phi->def, phi_value(phi, pred)))
            return NULL;
    }
    a->left = a->count;
    copy_list(a, &a->loop->body, map);
    return map;
}

/* --------------------------------------------------------------------------------- the loop --- */

/* Returns 1 bit: the loop has another iteration after this one; true if the loop's condition is not
 * understood. */
static nir_def *has_next_iteration(struct pipeliner *a)
{
    nir_builder *b = &a->b;
    nir_if *end = nir_block_get_following_if(nir_loop_first_block(a->loop));
    nir_instr *test = end ? end->condition.ssa->parent_instr : NULL;

    if (!test || test->type != nir_instr_type_alu || nir_instr_as_alu(test)->op != nir_op_uge ||
        !nir_block_ends_in_jump(nir_if_last_then_block(end)))
        return nir_imm_true(b);
    nir_def *counter = nir_instr_as_alu(test)->src[0].src.ssa,
            *limit = nir_instr_as_alu(test)->src[1].src.ssa;
    if (!is_head_phi(a, counter->parent_instr))
        return nir_imm_true(b);
    nir_instr *step = phi_value(nir_instr_as_phi(counter->parent_instr), a->last)->parent_instr;
    if (step->type != nir_instr_type_alu || nir_instr_as_alu(step)->op != nir_op_iadd ||
        nir_instr_as_alu(step)->src[0].src.ssa != counter ||
        !nir_src_is_const(nir_instr_as_alu(step)->src[1].src))
        return nir_imm_true(b);
    unsigned by = (unsigned)nir_src_as_uint(nir_instr_as_alu(step)->src[1].src);
    return nir_ult(b, nir_iadd_imm(b, counter, by), limit);
}

static bool is_read_by_rest(const struct pipeliner *a, nir_def *def)
{
    nir_foreach_use_including_if(src, def)
    {
        if (is_use_by_rest(a, src))
            return true;
    }
    return false;
}

/* Collects the values of the chain that the rest reads. Returns false if there are too many. */
static bool find_values(struct pipeliner *a)
{
    unsigned vectors = 0;
    for (unsigned i = 0; i < a->count; i++) {
        nir_def *def = nir_instr_def(a->chain[i]);
        if (a->chain[i]->pass_flags != VARYING || !is_read_by_rest(a, def))
            continue;
        if (def->bit_size != 1 && def->bit_size != 32)
            return false;
        NEXT_OF(a->value, a->num_values) = def;
        vectors += def->divergent;
    }
    return vectors <= MAX_VALUES;
}

static nir_variable *create_variable(struct pipeliner *a, unsigned components, unsigned bits)
{
    enum glsl_base_type base = bits == 1 ? GLSL_TYPE_BOOL : GLSL_TYPE_UINT;
    return nir_local_variable_create(a->b.impl, glsl_simple_type(base, components, 1), "ahead");
}

/* Emits the chain at the cursor and stores its results in the variables. Returns false if out of
 * memory. */
static bool store_chain(struct pipeliner *a, nir_block *pred, void *mem_ctx)
{
    struct hash_table *map = copy_chain(a, pred, mem_ctx);
    for (unsigned i = 0; map && i < a->num_values; i++)
        nir_store_var(&a->b, a->variable[i], mapped(map, a->value[i]),
                      BITFIELD_MASK(a->value[i]->num_components));
    return map;
}

/* Emits, in the if that contains the chain: the early values if they are ready, otherwise the
 * chain. */
static bool choose_guarded(struct pipeliner *a, nir_def *ready, void *mem_ctx)
{
    nir_builder *b = &a->b;

    b->cursor = nir_before_block(nir_if_first_then_block(a->guard));
    nir_push_if(b, ready);
    nir_push_else(b, NULL);
    struct hash_table *now = copy_chain(a, NULL, mem_ctx);
    nir_pop_if(b, NULL);
    for (unsigned i = 0; now && i < a->num_values; i++)
        a->early[i] = nir_if_phi(b, a->early[i], mapped(now, a->value[i]));
    return now;
}

static void rewrite_rest(struct pipeliner *a)
{
    for (unsigned i = 0; i < a->num_values; i++) {
        nir_foreach_use_including_if_safe(src, a->value[i])
        {
            if (is_use_by_rest(a, src))
                nir_src_rewrite(src, a->early[i]);
        }
    }
}

/* Returns false if out of memory. The code is still correct then. */
static bool carry_values(struct pipeliner *a, void *mem_ctx)
{
    nir_builder *b = &a->b;
    nir_variable *passed_tests = create_variable(a, 1, 1), *is_ready = create_variable(a, 1, 1);
    nir_def *ready = NULL, *more;

    b->cursor = nir_before_cf_node(&a->loop->cf_node);
    for (unsigned i = 0; i < a->num_values; i++)
        a->variable[i] = create_variable(a, a->value[i]->num_components, a->value[i]->bit_size);
    nir_store_var(b, passed_tests, nir_imm_true(b), 1);
    nir_store_var(b, is_ready, nir_imm_true(b), 1);
    if (!store_chain(a, a->before, mem_ctx))
        return false;
    b->cursor = nir_after_phis(nir_loop_first_block(a->loop));
    for (unsigned i = 0; i < a->num_values; i++)
        a->early[i] = nir_load_var(b, a->variable[i]);
    b->cursor = nir_after_block(a->insert_after);
    more = has_next_iteration(a);
    if (a->guard) {
        ready = nir_load_var(b, is_ready);
        more = nir_iand(b, more, nir_load_var(b, passed_tests));
        nir_store_var(b, is_ready, more, 1);
        nir_store_var(b, passed_tests, nir_imm_false(b), 1);
    }
    nir_push_if(b, more);
    bool stored = store_chain(a, a->last, mem_ctx);
    nir_pop_if(b, NULL);
    if (stored && a->guard) {
        stored = choose_guarded(a, ready, mem_ctx);
        nir_store_var(b, passed_tests, nir_imm_true(b), 1);
    }
    if (stored)
        rewrite_rest(a);
    return stored;
}

/* Returns the approximate number of machine instructions. One that loads and filters texels of each
 * lane takes hundreds. */
static unsigned instruction_cost(const nir_instr *instr)
{
    if (instr->type == nir_instr_type_intrinsic &&
        nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic ==
            nir_intrinsic_load_global_bilinear_grid)
        return MIN_ITERATION;
    return instr->type != nir_instr_type_load_const;
}

/* Returns the number of instructions of an iteration that enters all ifs, as when texels are
 * adjacent. */
static unsigned iteration_length(struct list_head *list)
{
    unsigned count = 0;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_if)
            count += iteration_length(&nir_cf_node_as_if(node)->then_list);
        if (node->type != nir_cf_node_block)
            continue;
        nir_foreach_instr (instr, nir_cf_node_as_block(node))
            count += instruction_cost(instr);
    }
    return count;
}

/* Returns whether the loop still exists; optimizations may have removed it. */
static bool is_in_body(nir_function_impl *impl, const nir_loop *loop)
{
    nir_foreach_cf_node(node, &impl->body) if (node == &loop->cf_node) return true;
    return false;
}

static struct pipeliner begin(nir_shader *shader, nir_loop *loop)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    nir_foreach_block (block, impl)
        nir_foreach_instr (instr, block)
            instr->pass_flags = OUTSIDE;
    nir_metadata_require(impl, nir_metadata_dominance);
    nir_divergence_analysis(shader);
    return (struct pipeliner){
        .b = nir_builder_create(impl),
        .loop = loop,
        .before = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node)),
        .last = nir_loop_last_block(loop),
    };
}

/* Finds the next chain after the branch that ends the first chain, which follows `insert_after`. */
static bool find_second_chain(struct pipeliner *a)
{
    nir_cf_node *node = nir_cf_node_next(&a->insert_after->cf_node);
    while ((node = nir_cf_node_next(node))) {
        nir_if *nif = node->type == nir_cf_node_if ? nir_cf_node_as_if(node) : NULL;
        if (node->type == nir_cf_node_block)
            continue;
        if (!nif || nif->condition.ssa->divergent)
            return false;
        if (is_inside(a, nif->condition.ssa->parent_instr) &&
            ends_chain(a, nir_cf_node_as_block(nir_cf_node_prev(node)), nif))
            return true;
    }
    return false;
}

static bool start_second_half_early(nir_shader *shader, nir_loop *loop, nir_block *insert_after,
                                    void *mem_ctx)
{
    struct pipeliner a = begin(shader, loop);
    a.second = true;
    a.insert_after = insert_after;
    if (!find_second_chain(&a) || !find_values(&a))
        return false;
    a.b.cursor = nir_after_block(insert_after);
    struct hash_table *map = copy_chain(&a, NULL, mem_ctx);
    for (unsigned i = 0; map && i < a.num_values; i++)
        a.early[i] = mapped(map, a.value[i]);
    if (map)
        rewrite_rest(&a);
    return map;
}

bool cpu_nir_pipeline_loop(nir_shader *shader, nir_loop *loop, bool halves)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    bool progress = false;

    if (is_in_body(impl, loop) && nir_loop_first_block(loop)->num_predecessors == 2) {
        void *mem_ctx = talloc_new(NULL);
        struct pipeliner a = begin(shader, loop);
        increment_early(&a);
        bool found = iteration_length(&loop->body) >= MIN_ITERATION && find_chain(&a, &loop->body);
        if (found && halves && !a.guard) {
            progress = start_second_half_early(shader, loop, a.insert_after, mem_ctx);
            a = begin(shader, loop); /* resets the instructions' flags */
            found = find_chain(&a, &loop->body);
        }
        progress |= found && find_values(&a) && carry_values(&a, mem_ctx);
        talloc_free(mem_ctx);
    }
    return nir_progress(progress, impl, nir_metadata_none);
}
