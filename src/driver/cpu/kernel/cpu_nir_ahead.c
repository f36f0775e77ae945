/* SPDX-License-Identifier: MIT */
/*
 * Software pipelining of the loop over a run's blocks. What a block's shader does first is a long chain: from
 * the planes to texture coordinates, levels and the branch that depends on where all lanes' texels are. A
 * processor looks two or three blocks ahead, which does not hide it. So the chain of the next block is
 * computed with the block before: a phi of the loop's head has what it gives.
 *
 *     a = chain(0)
 *     loop {                        where chain(n) depends on nothing but values of planes at block n,
 *         x = phi(a, next)          which are known before the loop (cpu_fs_kernel.c), and on values
 *         next = chain(n + 1)       that do not change in the loop
 *         if (covered) { rest(x) }
 *     }
 *
 * The chain ends at the first branch of the body whose condition depends on it. What the rest makes of one of its
 * values, and of nothing else that the block computes, is of the chain, too, if the value is then not handed on.
 *
 * Where it stands behind tests that a block may fail as a whole, a hidden one's chain is computed for nothing.
 * So it is computed ahead only if the block before got there; else at its place, if the block gets there:
 *
 *         if (ready) x = phi else x = chain(n)
 *
 * Where a block is two vectors, halves of it, the second one's chain comes before the branch of the first one's,
 * so that it is at work while the first half's texels are filtered.
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include <talloc.h>

#include "util/check.h"
#include "util/hash_table.h"

/* What is longer, or hands on more vectors, stays: it takes registers. Shorter ones do not pay. */
#define MIN_CHAIN  12
#define MAX_CHAIN  192
#define MAX_VALUES 12
#define MIN_TURN   200 /* of a shorter loop the processor sees several turns at once */

/* nir_instr.pass_flags: of the chain; the same for all blocks, or not */
enum { OUTSIDE, CONSTANT, VARYING };

struct ahead {
    nir_builder b;
    nir_loop *loop;
    nir_block *before, *last; /* the loop is entered from the one, repeated from the other */
    nir_block *place;         /* of the loop's body: behind it the next block's chain is computed */
    bool second;              /* the chain is that of the second half, for the same block */
    nir_if *late;             /* what it is in beside the if behind `place`; NULL: nothing */
    nir_instr *chain[MAX_CHAIN]; /* each behind what it depends on */
    unsigned count, begun;
    unsigned left;             /* of them, to be copied */
    bool lanes_talk;           /* something in the chain takes all lanes together */
    bool apart;                /* the search has come to where lanes may go different ways */
    nir_def *value[MAX_CHAIN]; /* of the chain, those that the rest reads */
    nir_def *here[MAX_CHAIN];  /* the same as they were computed ahead */
    nir_variable *variable[MAX_CHAIN];
    unsigned num_values;
};

static bool is_within(const nir_cf_node *node, const nir_cf_node *outer)
{
    while (node && node != outer)
        node = node->parent;
    return node;
}

/* Whether it has to be in the chain, as it is not there where the chain is computed. */
static bool is_inside(const struct ahead *a, const nir_instr *instr)
{
    if (a->second)
        return !nir_block_dominates(instr->block, a->place);
    return is_within(&instr->block->cf_node, &a->loop->cf_node);
}

static nir_def *phi_value(const nir_phi_instr *phi, const nir_block *pred)
{
    nir_foreach_phi_src (src, phi)
        if (src->pred == pred)
            return src->src.ssa;
    return NULL;
}

static bool is_of_head(const struct ahead *a, const nir_instr *instr)
{
    return instr->type == nir_instr_type_phi && instr->block == nir_loop_first_block(a->loop);
}

/* What it is for the next block is known where that block's chain is computed. */
static bool is_known_ahead(const struct ahead *a, const nir_phi_instr *phi)
{
    const nir_instr *next = phi_value(phi, a->last)->parent_instr;
    return !is_inside(a, next) || nir_block_dominates(next->block, a->place);
}

static bool is_step_source(nir_src *src, void *data)
{
    return nir_src_is_const(*src) || is_of_head(data, src->ssa->parent_instr);
}

static bool move_constant(nir_src *src, void *data)
{
    struct ahead *a = data;
    nir_instr *instr = src->ssa->parent_instr;
    if (nir_src_is_const(*src) && is_inside(a, instr))
        nir_instr_move(nir_after_phis(nir_loop_first_block(a->loop)), instr);
    return true;
}

/* Counters are counted up where a turn begins, so that what they are in the next is known. */
static void count_early(struct ahead *a)
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

/* Whether it gives the same for the same sources, whatever happened before. */
static bool may_repeat(struct ahead *a, nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return instr->type == nir_instr_type_alu || instr->type == nir_instr_type_load_const ||
               instr->type == nir_instr_type_undef;
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    unsigned flags = nir_intrinsic_infos[intr->intrinsic].flags;
    if (intr->intrinsic == nir_intrinsic_load_global_block)
        return nir_intrinsic_access(intr) & ACCESS_CAN_REORDER;
    bool talks = flags & NIR_INTRINSIC_CROSS_LANE && flags & NIR_INTRINSIC_CAN_ELIMINATE &&
                 !nir_intrinsic_has_access(intr);
    a->lanes_talk |= talks;
    return talks ||
           (nir_intrinsic_infos[intr->intrinsic].has_dest && nir_intrinsic_can_reorder(intr));
}

static bool add_source(nir_src *src, void *data);
static bool add_to_chain(struct ahead *a, nir_instr *instr);

/* What the first half does when its chain has ended, which the second one's must not read. */
static bool is_of_first(const struct ahead *a, const nir_cf_node *nif)
{
    return a->second && nif == nir_cf_node_next(&a->place->cf_node);
}

/* What decides which value a phi has is that of an if which all lanes go through together. */
static bool add_condition(struct ahead *a, const nir_instr *phi)
{
    nir_cf_node *node = nir_cf_node_prev(&phi->block->cf_node);
    if (!node || node->type != nir_cf_node_if)
        return false;
    const nir_def *condition = nir_cf_node_as_if(node)->condition.ssa;
    return !condition->divergent && !is_of_first(a, node) &&
           add_to_chain(a, condition->parent_instr);
}

static bool is_constant(nir_src *src, void *data)
{
    const struct ahead *a = data;
    const nir_instr *instr = src->ssa->parent_instr;
    return instr->pass_flags != VARYING && !is_of_head(a, instr);
}

static bool add_to_chain(struct ahead *a, nir_instr *instr)
{
    if (!is_inside(a, instr) || instr->pass_flags)
        return true;
    if (is_of_head(a, instr))
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

/* The if that the block is in, and that has nothing else, where it is in two at least; else NULL. */
static nir_if *find_late(const nir_block *block)
{
    nir_cf_node *parent = block->cf_node.parent;
    if (parent->type != nir_cf_node_if || parent->parent->type != nir_cf_node_if)
        return NULL;
    nir_if *nif = nir_cf_node_as_if(parent);
    nir_block *other = nir_if_first_else_block(nif);
    bool alone = other == nir_if_last_else_block(nif) && !nir_block_first_instr(other);
    return alone ? nif : NULL;
}

/* Whether it is a use by the rest of the loop that is to have a value computed ahead. */
static bool is_of_rest(const struct ahead *a, const nir_src *src)
{
    if (!nir_src_is_if(src) && nir_src_parent_instr(src)->pass_flags)
        return false;
    return !a->late || is_within(&nir_src_use_block(src)->cf_node, &a->late->cf_node);
}

static bool is_there(nir_src *src, void *data)
{
    const nir_instr *instr = src->ssa->parent_instr;
    return instr->pass_flags || !is_inside(data, instr);
}

/* What alone reads a value of the chain, in the block that ends it, where it can be computed with it; or NULL. */
static nir_instr *only_reader(struct ahead *a, nir_def *def, const nir_block *block)
{
    nir_instr *reader = NULL;
    nir_foreach_use_including_if(src, def)
    {
        if (!is_of_rest(a, src))
            continue;
        if (reader || nir_src_is_if(src))
            return NULL;
        reader = nir_src_parent_instr(src);
    }
    return reader && reader->type == nir_instr_type_alu && reader->block == block &&
                   nir_foreach_src(reader, is_there, a)
               ? reader
               : NULL;
}

/* Hands on what is made of values rather than these, if that is as much. */
static void lengthen(struct ahead *a, const nir_block *block)
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

/* Whether the branch behind a block ends a chain: its condition depends on what lanes have in common and
 * can be computed a block ahead. It is in a->chain then. */
static bool ends_chain(struct ahead *a, nir_block *block, nir_if *nif)
{
    a->late = find_late(block);
    a->count = a->begun = 0;
    a->lanes_talk = false;
    bool found =
        add_to_chain(a, nif->condition.ssa->parent_instr) && a->lanes_talk && a->count >= MIN_CHAIN;
    for (unsigned i = 0; i < a->count && !found; i++)
        a->chain[i]->pass_flags = OUTSIDE;
    if (found)
        lengthen(a, block);
    return found;
}

/* Finds the first chain that qualifies, as far as all lanes are together. */
static bool find_chain(struct ahead *a, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        nir_if *nif = node->type == nir_cf_node_if ? nir_cf_node_as_if(node) : NULL;
        if (node->type == nir_cf_node_block) {
            if (list == &a->loop->body)
                a->place = nir_cf_node_as_block(node);
            continue;
        }
        a->apart |= !nif || nif->condition.ssa->divergent;
        if (a->apart)
            return false;
        if (!is_inside(a, nif->condition.ssa->parent_instr))
            continue;
        if (ends_chain(a, nir_cf_node_as_block(nir_cf_node_prev(node)), nif) ||
            find_chain(a, &nif->then_list) || find_chain(a, &nif->else_list))
            return true;
    }
    return false;
}

/* --------------------------------------------------------------------------------- copies --- */

static nir_def *mapped(struct hash_table *map, nir_def *def)
{
    nir_def *copy = hash_table_get(map, def);
    return copy ? copy : def;
}

static bool copy_list(struct ahead *a, struct list_head *list, struct hash_table *map);

static void copy_block(struct ahead *a, nir_block *block, struct hash_table *map)
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

/* An if whose phis are in the chain. Where the rest reads what one side has computed, it is on that side
 * itself; the other has nothing in its place. */
static void copy_if(struct ahead *a, nir_if *nif, struct hash_table *map)
{
    nir_builder *b = &a->b;
    nir_block *after = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    nir_block *const last[2] = {nir_if_last_then_block(nif), nir_if_last_else_block(nif)};
    nir_def *nothing[MAX_CHAIN];

    for (unsigned i = 0; i < a->num_values; i++) {
        const nir_def *def = a->value[i];
        nothing[i] = is_within(&def->parent_instr->block->cf_node, &nif->cf_node)
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
        if (nothing[i] && is_in_list(def->parent_instr->block, &nif->then_list))
            hash_table_insert(map, def, nir_if_phi(b, copy, nothing[i]));
        else if (nothing[i])
            hash_table_insert(map, def, nir_if_phi(b, nothing[i], copy));
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

/* Copies what of the list is in the chain; true: that was all. */
static bool copy_list(struct ahead *a, struct list_head *list, struct hash_table *map)
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

/* The chain at the builder's cursor, of the block that the loop comes to from `pred`; NULL: of the one that
 * it is at. The copies of its values; NULL: no memory. */
static struct hash_table *copy_chain(struct ahead *a, nir_block *pred, void *mem_ctx)
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

/* -------------------------------------------------------------------------------- the loop --- */

/* 1 bit: the loop goes on behind this block; true if it is not seen when it ends. */
static nir_def *goes_on(struct ahead *a)
{
    nir_builder *b = &a->b;
    nir_if *end = nir_block_get_following_if(nir_loop_first_block(a->loop));
    nir_instr *test = end ? end->condition.ssa->parent_instr : NULL;

    if (!test || test->type != nir_instr_type_alu || nir_instr_as_alu(test)->op != nir_op_uge ||
        !nir_block_ends_in_jump(nir_if_last_then_block(end)))
        return nir_imm_true(b);
    nir_def *counter = nir_instr_as_alu(test)->src[0].src.ssa,
            *limit = nir_instr_as_alu(test)->src[1].src.ssa;
    if (!is_of_head(a, counter->parent_instr))
        return nir_imm_true(b);
    nir_instr *step = phi_value(nir_instr_as_phi(counter->parent_instr), a->last)->parent_instr;
    if (step->type != nir_instr_type_alu || nir_instr_as_alu(step)->op != nir_op_iadd ||
        nir_instr_as_alu(step)->src[0].src.ssa != counter ||
        !nir_src_is_const(nir_instr_as_alu(step)->src[1].src))
        return nir_imm_true(b);
    unsigned by = (unsigned)nir_src_as_uint(nir_instr_as_alu(step)->src[1].src);
    return nir_ult(b, nir_iadd_imm(b, counter, by), limit);
}

static bool is_read_by_rest(const struct ahead *a, nir_def *def)
{
    nir_foreach_use_including_if(src, def)
    {
        if (is_of_rest(a, src))
            return true;
    }
    return false;
}

/* Values of the chain that the rest reads. False: there are more than may be kept. */
static bool find_values(struct ahead *a)
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

static nir_variable *create_variable(struct ahead *a, unsigned components, unsigned bits)
{
    enum glsl_base_type base = bits == 1 ? GLSL_TYPE_BOOL : GLSL_TYPE_UINT;
    return nir_local_variable_create(a->b.impl, glsl_simple_type(base, components, 1), "ahead");
}

/* The chain at the cursor; what it gives goes into the variables. False: no memory. */
static bool store_chain(struct ahead *a, nir_block *pred, void *mem_ctx)
{
    struct hash_table *map = copy_chain(a, pred, mem_ctx);
    for (unsigned i = 0; map && i < a->num_values; i++)
        nir_store_var(&a->b, a->variable[i], mapped(map, a->value[i]),
                      BITFIELD_MASK(a->value[i]->num_components));
    return map;
}

/* In the late if: what was computed ahead, if it is ready, else the chain now. */
static bool choose_late(struct ahead *a, nir_def *ready, void *mem_ctx)
{
    nir_builder *b = &a->b;

    b->cursor = nir_before_block(nir_if_first_then_block(a->late));
    nir_push_if(b, ready);
    nir_push_else(b, NULL);
    struct hash_table *now = copy_chain(a, NULL, mem_ctx);
    nir_pop_if(b, NULL);
    for (unsigned i = 0; now && i < a->num_values; i++)
        a->here[i] = nir_if_phi(b, a->here[i], mapped(now, a->value[i]));
    return now;
}

static void rewrite_rest(struct ahead *a)
{
    for (unsigned i = 0; i < a->num_values; i++) {
        nir_foreach_use_including_if_safe(src, a->value[i])
        {
            if (is_of_rest(a, src))
                nir_src_rewrite(src, a->here[i]);
        }
    }
}

/* False: there was no memory in the middle of it, and the code is still right. */
static bool carry_values(struct ahead *a, void *mem_ctx)
{
    nir_builder *b = &a->b;
    nir_variable *got_there = create_variable(a, 1, 1), *is_ready = create_variable(a, 1, 1);
    nir_def *ready = NULL, *more;

    b->cursor = nir_before_cf_node(&a->loop->cf_node);
    for (unsigned i = 0; i < a->num_values; i++)
        a->variable[i] = create_variable(a, a->value[i]->num_components, a->value[i]->bit_size);
    nir_store_var(b, got_there, nir_imm_true(b), 1);
    nir_store_var(b, is_ready, nir_imm_true(b), 1);
    if (!store_chain(a, a->before, mem_ctx))
        return false;
    b->cursor = nir_after_phis(nir_loop_first_block(a->loop));
    for (unsigned i = 0; i < a->num_values; i++)
        a->here[i] = nir_load_var(b, a->variable[i]);
    b->cursor = nir_after_block(a->place);
    more = goes_on(a);
    if (a->late) {
        ready = nir_load_var(b, is_ready);
        more = nir_iand(b, more, nir_load_var(b, got_there));
        nir_store_var(b, is_ready, more, 1);
        nir_store_var(b, got_there, nir_imm_false(b), 1);
    }
    nir_push_if(b, more);
    bool stored = store_chain(a, a->last, mem_ctx);
    nir_pop_if(b, NULL);
    if (stored && a->late) {
        stored = choose_late(a, ready, mem_ctx);
        nir_store_var(b, got_there, nir_imm_true(b), 1);
    }
    if (stored)
        rewrite_rest(a);
    return stored;
}

/* Instructions of the processor, more or less: one that loads and filters texels of each lane is hundreds. */
static unsigned steps_of(const nir_instr *instr)
{
    if (instr->type == nir_instr_type_intrinsic &&
        nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic ==
            nir_intrinsic_load_global_bilinear_grid)
        return MIN_TURN;
    return instr->type != nir_instr_type_load_const;
}

/* Instructions that a block takes if all ifs are entered: texels are near each other then. */
static unsigned length_of_turn(struct list_head *list)
{
    unsigned count = 0;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_if)
            count += length_of_turn(&nir_cf_node_as_if(node)->then_list);
        if (node->type != nir_cf_node_block)
            continue;
        nir_foreach_instr (instr, nir_cf_node_as_block(node))
            count += steps_of(instr);
    }
    return count;
}

/* Optimizations may have removed it. */
static bool stands_in(nir_function_impl *impl, const nir_loop *loop)
{
    nir_foreach_cf_node(node, &impl->body) if (node == &loop->cf_node) return true;
    return false;
}

static struct ahead begin(nir_shader *shader, nir_loop *loop)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    nir_foreach_block (block, impl)
        nir_foreach_instr (instr, block)
            instr->pass_flags = OUTSIDE;
    nir_metadata_require(impl, nir_metadata_dominance);
    nir_divergence_analysis(shader);
    return (struct ahead){
        .b = nir_builder_create(impl),
        .loop = loop,
        .before = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node)),
        .last = nir_loop_last_block(loop),
    };
}

/* The next chain behind the branch that ends the first one and stands behind `place`. */
static bool find_second_chain(struct ahead *a)
{
    nir_cf_node *node = nir_cf_node_next(&a->place->cf_node);
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

static bool compute_second_early(nir_shader *shader, nir_loop *loop, nir_block *place,
                                 void *mem_ctx)
{
    struct ahead a = begin(shader, loop);
    a.second = true;
    a.place = place;
    if (!find_second_chain(&a) || !find_values(&a))
        return false;
    a.b.cursor = nir_after_block(place);
    struct hash_table *map = copy_chain(&a, NULL, mem_ctx);
    for (unsigned i = 0; map && i < a.num_values; i++)
        a.here[i] = mapped(map, a.value[i]);
    if (map)
        rewrite_rest(&a);
    return map;
}

bool cpu_nir_compute_ahead(nir_shader *shader, nir_loop *loop, bool halves)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    bool progress = false;

    if (stands_in(impl, loop) && nir_loop_first_block(loop)->num_predecessors == 2) {
        void *mem_ctx = talloc_new(NULL);
        struct ahead a = begin(shader, loop);
        count_early(&a);
        bool found = length_of_turn(&loop->body) >= MIN_TURN && find_chain(&a, &loop->body);
        if (found && halves && !a.late) {
            progress = compute_second_early(shader, loop, a.place, mem_ctx);
            a = begin(shader, loop); /* which marks instructions anew */
            found = find_chain(&a, &loop->body);
        }
        progress |= found && find_values(&a) && carry_values(&a, mem_ctx);
        talloc_free(mem_ctx);
    }
    return nir_progress(progress, impl, nir_metadata_none);
}
