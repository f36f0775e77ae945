/* SPDX-License-Identifier: MIT */
/*
 * Transforms a compute shader into a function that executes a whole work group. Code between
 * barriers becomes a region: a loop over the group's vectors. The method follows Karrenberg and
 * Hack, "Improving Performance of OpenCL on CPUs" (CC 2012).
 *
 * - Group level: ifs and loops that contain a barrier, and ifs with a jump out of such a loop. They
 *   are kept and executed once for the group. The code between two barriers, or between starts and
 *   ends of group-level nodes, is a region: `for (v = 0; v < vectors; v++) { … }`.
 * - Group values: values that are uniform in the group because of their operands (constants,
 *   uniforms, the group's index, loop counters, and values computed from them). They move before
 *   the region that contains them and are computed once. They dominate all later regions.
 *   Conditions of most ifs and loops with barriers are group values and cost nothing.
 * - Lane values that another region uses are stored in the vector's frame after their definition,
 *   and loaded at the start of each region that uses them. Cheap ones are recomputed instead.
 *   Group-level phis are slots of the frame, too, and so is scratch memory.
 * - Group-level conditions that are not group values:
 *   - If the condition is uniform in each vector and the shader has no cross-lane operations, it
 *     must be uniform in the group, as GLSL 4.60 §8.16 requires for control flow around barriers.
 *     The preceding region computes it.
 *   - Otherwise each side is executed if any invocation takes it, with its regions masked. An
 *     invocation may therefore return before a barrier that others reach. Jumps out of loops under
 *     such conditions become marks in the frame (predicate_loop): they mask the code that follows,
 *     and the loop ends when all invocations have left it.
 *
 * A group of one vector needs none of this, because its lanes execute in lockstep.
 */
#include "driver/cpu/kernel/cpu_nir_regions.h"

#include "driver/cpu/kernel/cpu_nir.h"
#include "util/check.h"
#include "util/dynarray.h"
#include "util/hash_table.h"
#include "util/macros.h"

#define MAX_REMATERIALIZE 4 /* maximum number of instructions to recompute a value */
#define MAX_MASKS         64
#define MAX_FRAME         (64u << 20) /* bytes of a vector's frame */

/* Values of nir_instr.pass_flags: whether the instruction belongs to the lanes or to the group. */
enum { LANE = 0, GROUP = 1 };

/* The condition of an if that follows a region: whether it is true, or false, for any
 * invocation. */
struct region_condition {
    nir_if *nif;
    nir_variable *any_true, *any_false;
};

/* An if around a region, which is on one of its sides. */
struct mask {
    nir_def *condition;
    bool negate;
};

struct region {
    nir_instr *start, *end; /* the region is the code between them */
    struct mask masks[MAX_MASKS];
    unsigned num_masks;
    struct region_condition condition;
    nir_loop *loop;
    nir_def *vector;   /* index of the vector */
    nir_def *index;    /* index of the lane's invocation in the group */
    nir_instr *entry;  /* values from other regions are loaded before it */
    nir_def *frame;    /* address of the vector's frame; NULL: not needed so far */
    nir_cursor header; /* after vector and index */
    struct hash_table *values;
};

struct splitter {
    nir_builder b;
    nir_shader *shader;
    nir_function_impl *impl;
    struct cpu_regions *options;
    void *mem_ctx;
    nir_def *invocations, *vectors; /* numbers of them in the group */
    nir_def *size[3];
    bool partial;        /* the last vector may have lanes without an invocation */
    bool has_cross_lane; /* the shader has cross-lane operations */
    bool failed;
    /* Set of nir_cf_node: group level; data of a region's loop: the region. */
    struct hash_table *group_nodes;
    struct hash_table *group_ifs; /* set of nir_if whose condition is uniform in the group */
    struct hash_table *slots;     /* nir_def → offset in the frame in words, plus 1 */
    unsigned words;               /* words per lane in the frame */
    DYNARRAY(struct region *) regions;
    struct mask masks[MAX_MASKS]; /* masks of the current position during the scan */
    unsigned num_masks;
};

static bool in_set(const struct hash_table *set, const void *key)
{
    return hash_table_search(set, key);
}

static void add_to(struct splitter *s, struct hash_table *set, const void *key, uintptr_t data)
{
    if (!hash_table_insert(set, key, (void *)data))
        s->failed = true;
}

/* ------------------------------------------------------------------------------ group level --- */

static bool is_barrier(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return false;
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    return intr->intrinsic == nir_intrinsic_barrier &&
           nir_intrinsic_execution_scope(intr) >= NIR_SCOPE_WORKGROUP;
}

static bool mark_barriers(struct splitter *s, struct list_head *list);

static bool node_has_barrier(struct splitter *s, nir_cf_node *node)
{
    bool found = false;
    if (node->type == nir_cf_node_block) {
        nir_foreach_instr (instr, nir_cf_node_as_block(node))
            found |= is_barrier(instr);
        return found;
    }
    if (node->type == nir_cf_node_if) {
        found = mark_barriers(s, &nir_cf_node_as_if(node)->then_list);
        found |= mark_barriers(s, &nir_cf_node_as_if(node)->else_list);
    } else {
        found = mark_barriers(s, &nir_cf_node_as_loop(node)->body);
    }
    if (found)
        add_to(s, s->group_nodes, node, 1);
    return found;
}

static bool mark_barriers(struct splitter *s, struct list_head *list)
{
    bool found = false;
    nir_foreach_cf_node(node, list) found |= node_has_barrier(s, node);
    return found;
}

/* Returns whether the list has a jump that leaves it. If `mark` is set, marks the ifs that contain
 * the jumps as group level. */
static bool list_jumps(struct splitter *s, struct list_head *list, bool mark)
{
    bool found = false;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block) {
            found |= nir_block_ends_in_jump(nir_cf_node_as_block(node));
        } else if (node->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(node);
            bool jumps = list_jumps(s, &nif->then_list, mark);
            jumps |= list_jumps(s, &nif->else_list, mark);
            if (jumps && mark)
                add_to(s, s->group_nodes, node, 1);
            found |= jumps;
        }
    }
    return found;
}

static void mark_jumps(struct splitter *s, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block || !in_set(s->group_nodes, node))
            continue;
        if (node->type == nir_cf_node_if) {
            mark_jumps(s, &nir_cf_node_as_if(node)->then_list);
            mark_jumps(s, &nir_cf_node_as_if(node)->else_list);
            continue;
        }
        nir_loop *loop = nir_cf_node_as_loop(node);
        list_jumps(s, &loop->body, true);
        mark_jumps(s, &loop->body);
    }
}

static bool at_group_level(const struct splitter *s, const nir_block *block)
{
    const nir_cf_node *node = block->cf_node.parent;
    for (; node && node->type != nir_cf_node_function; node = node->parent)
        if (!in_set(s->group_nodes, node))
            return false;
    return true;
}

/* ----------------------------------------------------------------------------- group values --- */

static bool src_is_group(nir_src *src, void *unused)
{
    return src->ssa->parent_instr->pass_flags == GROUP;
}

static bool may_be_group(const struct splitter *s, nir_instr *instr)
{
    const nir_def *def = nir_instr_def(instr);
    if (!def || def->divergent || !at_group_level(s, instr->block))
        return false;
    switch (instr->type) {
    case nir_instr_type_load_const:
    case nir_instr_type_undef:
    case nir_instr_type_phi:
        return true;
    case nir_instr_type_alu:
        return !(nir_op_infos[nir_instr_as_alu(instr)->op].algebraic_properties &
                 NIR_OP_IS_DERIVATIVE);
    case nir_instr_type_intrinsic:
        return nir_intrinsic_can_reorder(nir_instr_as_intrinsic(instr));
    default:
        return false;
    }
}

static bool condition_diverges(const struct splitter *s, const nir_if *nif)
{
    const nir_def *c = nif->condition.ssa;
    return c->parent_instr->pass_flags != GROUP && !in_set(s->group_ifs, nif) &&
           (c->divergent || s->has_cross_lane);
}

/* Returns whether the list has a jump that leaves it and is under a divergent condition. */
static bool jumps_divergently(const struct splitter *s, struct list_head *list, bool under)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block && nir_block_ends_in_jump(nir_cf_node_as_block(node)) &&
            under)
            return true;
        if (node->type != nir_cf_node_if)
            continue;
        nir_if *nif = nir_cf_node_as_if(node);
        bool in = under || condition_diverges(s, nif);
        if (jumps_divergently(s, &nif->then_list, in) || jumps_divergently(s, &nif->else_list, in))
            return true;
    }
    return false;
}

/* Returns the node whose branches the phis of a block merge. */
static nir_cf_node *merged_node(nir_block *block)
{
    nir_cf_node *prev = nir_cf_node_prev(&block->cf_node);
    return prev ? prev : block->cf_node.parent;
}

/* Returns whether all invocations of the group reach the phi's block from the same predecessor. */
static bool phi_may_be_group(const struct splitter *s, nir_block *block)
{
    nir_cf_node *node = merged_node(block);
    if (node->type == nir_cf_node_if)
        return !condition_diverges(s, nir_cf_node_as_if(node));
    return node->type == nir_cf_node_loop &&
           !jumps_divergently(s, &nir_cf_node_as_loop(node)->body, false);
}

static bool is_group_phi_block(const struct splitter *s, nir_block *block)
{
    return at_group_level(s, block) && in_set(s->group_nodes, merged_node(block));
}

static bool demote(struct splitter *s, nir_instr *instr)
{
    if (instr->pass_flags != GROUP || instr->type == nir_instr_type_load_const ||
        instr->type == nir_instr_type_undef)
        return false;
    bool stays = nir_foreach_src(instr, src_is_group, NULL);
    if (stays && instr->type == nir_instr_type_phi)
        stays = is_group_phi_block(s, instr->block) && phi_may_be_group(s, instr->block);
    if (!stays)
        instr->pass_flags = LANE;
    return !stays;
}

/* Starts with all candidates for group values and removes those that are none until nothing
 * changes. */
static void find_group_values(struct splitter *s)
{
    nir_divergence_analysis(s->shader);
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr (instr, block) {
            instr->pass_flags = may_be_group(s, instr) ? GROUP : LANE;
            if (instr->type == nir_instr_type_intrinsic && !is_barrier(instr)) {
                nir_intrinsic_op op = nir_instr_as_intrinsic(instr)->intrinsic;
                s->has_cross_lane |= op != nir_intrinsic_barrier &&
                                     nir_intrinsic_infos[op].flags & NIR_INTRINSIC_CROSS_LANE;
                s->has_cross_lane |= op == nir_intrinsic_shader_clock;
            }
        }
    }
    for (bool again = true; again;) {
        again = false;
        nir_foreach_block (block, s->impl) {
            nir_foreach_instr (instr, block)
                again |= demote(s, instr);
        }
    }
}

/* ----------------------------------------------------------------------------------- frames --- */

static unsigned words_of(const nir_def *def)
{
    return def->num_components * (def->bit_size == 64 ? 2 : 1);
}

/* Allocates words in the frame, which is scratch memory after the shader's own. */
static unsigned take_words(struct splitter *s, unsigned words)
{
    unsigned slot = s->words;
    s->words += words;
    return slot;
}

static void store_word(struct splitter *s, unsigned slot, nir_def *value)
{
    nir_builder *b = &s->b;
    nir_store_scratch(b, value, nir_imm_int(b, (int)slot * 4), .write_mask = 1, .align_mul = 4);
}

static void store_value(struct splitter *s, unsigned slot, nir_def *value)
{
    nir_builder *b = &s->b;
    for (unsigned c = 0; c < value->num_components; c++) {
        nir_def *x = nir_channel(b, value, c);
        if (x->bit_size == 64) {
            store_word(s, slot++, nir_unpack_64_2x32_split_x(b, x));
            store_word(s, slot++, nir_unpack_64_2x32_split_y(b, x));
        } else {
            store_word(s, slot++, x->bit_size == 1 ? nir_b2i32(b, x) : nir_u2uN(b, x, 32));
        }
    }
}

static nir_def *load_word(struct splitter *s, unsigned slot)
{
    nir_builder *b = &s->b;
    return nir_load_scratch(b, 1, 32, nir_imm_int(b, (int)slot * 4), .align_mul = 4);
}

static nir_def *load_value(struct splitter *s, unsigned slot, unsigned components, unsigned bits)
{
    nir_builder *b = &s->b;
    nir_def *value[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < components; c++) {
        nir_def *low = load_word(s, slot++);
        if (bits == 64)
            value[c] = nir_pack_64_2x32_split(b, low, load_word(s, slot++));
        else
            value[c] = bits == 1 ? nir_ine_imm(b, low, 0) : nir_u2uN(b, low, bits);
    }
    return nir_vec(b, value, components);
}

/* Returns the frame offset of a value. The first call for a value stores it after its
 * definition. */
static unsigned slot_of(struct splitter *s, nir_def *def)
{
    uintptr_t known = (uintptr_t)hash_table_get(s->slots, def);
    if (known)
        return (unsigned)known - 1;
    unsigned slot = take_words(s, words_of(def));
    add_to(s, s->slots, def, slot + 1u);
    nir_cursor cursor = s->b.cursor;
    s->b.cursor = nir_after_instr_and_phis(def->parent_instr);
    store_value(s, slot, def);
    s->b.cursor = cursor;
    return slot;
}

/* ------------------------------------------------------------------------- group-level phis --- */

static const struct glsl_type *type_of(const nir_def *def)
{
    enum glsl_base_type base = def->bit_size == 1    ? GLSL_TYPE_BOOL
                               : def->bit_size == 64 ? GLSL_TYPE_UINT64
                                                     : GLSL_TYPE_UINT;
    return glsl_simple_type(base, def->num_components, 1);
}

/* Stores a group value in a variable at the end of a block. */
static void store_group(struct splitter *s, nir_block *block, nir_variable *var, nir_def *value)
{
    nir_builder *b = &s->b;
    b->cursor = nir_after_block_before_jump(block);
    nir_deref_instr *deref = nir_build_deref_var(b, var);
    nir_store_deref(b, deref, value, BITFIELD_MASK(value->num_components));
    nir_instr *store = list_entry(deref->instr.node.next, nir_instr, node);
    deref->instr.pass_flags = store->pass_flags = GROUP;
}

static void replace_group_phi(struct splitter *s, nir_phi_instr *phi)
{
    nir_builder *b = &s->b;
    nir_variable *var = nir_local_variable_create(s->impl, type_of(&phi->def), "group");
    nir_foreach_phi_src (src, phi)
        if (!nir_src_is_undef(src->src))
            store_group(s, src->pred, var, src->src.ssa);
    b->cursor = nir_after_phis(phi->instr.block);
    nir_deref_instr *deref = nir_build_deref_var(b, var);
    nir_def *value = nir_load_deref(b, deref);
    deref->instr.pass_flags = value->parent_instr->pass_flags = GROUP;
    nir_def_replace(&phi->def, value);
}

/* The phi's slot in the frame is written at the end of the predecessors, and read by regions that
 * use the value. Nothing writes it between the phi and the value's last use. */
static void replace_lane_phi(struct splitter *s, nir_phi_instr *phi)
{
    nir_builder *b = &s->b;
    unsigned slot = take_words(s, words_of(&phi->def));
    nir_foreach_phi_src (src, phi) {
        b->cursor = nir_after_block_before_jump(src->pred);
        store_value(s, slot,
                    nir_src_is_undef(src->src)
                        ? nir_imm_zero(b, phi->def.num_components, phi->def.bit_size)
                        : src->src.ssa);
    }
    b->cursor = nir_after_phis(phi->instr.block);
    nir_def *value = load_value(s, slot, phi->def.num_components, phi->def.bit_size);
    value->divergent = true;
    /* A condition that masks regions must keep its value after one side has been executed, so it
     * gets another slot. */
    if (value->bit_size != 1)
        add_to(s, s->slots, value, slot + 1u);
    nir_def_replace(&phi->def, value);
}

static void replace_phis(struct splitter *s)
{
    DYNARRAY(nir_phi_instr *) phis = DYNARRAY_INIT(s->mem_ctx);
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi || !is_group_phi_block(s, block))
                break;
            if (!dynarray_append(&phis, nir_instr_as_phi(instr)))
                s->failed = true;
        }
    }
    /* the stores of a block read the old values of its phis, which become loads */
    for (unsigned i = 0; i < phis.count; i++) {
        if (phis.data[i]->instr.pass_flags == GROUP)
            replace_group_phi(s, phis.data[i]);
        else
            replace_lane_phi(s, phis.data[i]);
    }
}

/* -------------------------------------------------------------------------- divergent jumps --- */

/* Frame offsets of a loop's marks: the invocation has left the loop, or skips the rest of the
 * iteration. */
struct exits {
    unsigned left, skips;
};

static nir_def *not_marked(struct splitter *s, const struct exits *e, bool skips)
{
    nir_builder *b = &s->b;
    nir_def *marks = load_word(s, e->left);
    if (skips)
        marks = nir_ior(b, marks, load_word(s, e->skips));
    return nir_ieq_imm(b, marks, 0);
}

/* Puts the code between two cursors of a list into a new if, executed by invocations without marks,
 * and returns the if. */
static nir_if *wrap(struct splitter *s, nir_cursor begin, nir_cursor end, const struct exits *e,
                    bool skips)
{
    nir_builder *b = &s->b;
    nir_cf_list body;
    b->cursor = begin;
    nir_def *condition = not_marked(s, e, skips);
    nir_cf_extract(&body, nir_after_instr(condition->parent_instr), end);
    b->cursor = nir_after_instr(condition->parent_instr);
    nir_if *nif = nir_push_if(b, condition);
    nir_cf_reinsert(&body, b->cursor);
    nir_pop_if(b, nif);
    add_to(s, s->group_nodes, &nif->cf_node, 1);
    return nif;
}

/* Replaces the loop's jumps by marks. Returns whether there were any. */
static bool mark_exits(struct splitter *s, struct list_head *list, const struct exits *e)
{
    nir_builder *b = &s->b;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block && nir_block_ends_in_jump(nir_cf_node_as_block(node))) {
            nir_instr *jump = nir_block_last_instr(nir_cf_node_as_block(node));
            bool leaves = nir_instr_as_jump(jump)->type == nir_jump_break;
            b->cursor = nir_before_instr(jump);
            store_word(s, leaves ? e->left : e->skips, nir_imm_int(b, 1));
            nir_instr_remove(jump);
            return true;
        }
        if (node->type != nir_cf_node_if || !in_set(s->group_nodes, node))
            continue;
        nir_if *nif = nir_cf_node_as_if(node);
        bool marks = mark_exits(s, &nif->then_list, e);
        marks |= mark_exits(s, &nif->else_list, e);
        if (!marks)
            continue;
        nir_if *rest = wrap(s, nir_after_cf_node(node), nir_after_cf_list(list), e, true);
        mark_exits(s, &rest->then_list, e);
        return true;
    }
    return false;
}

/* Transforms a loop that invocations leave, or continue, at different times. */
static void predicate_loop(struct splitter *s, nir_loop *loop)
{
    nir_builder *b = &s->b;
    struct exits e = {take_words(s, 1), take_words(s, 1)};
    b->cursor = nir_before_cf_node(&loop->cf_node);
    store_word(s, e.left, nir_imm_int(b, 0));
    mark_exits(s, &loop->body, &e);
    b->cursor = nir_before_cf_list(&loop->body);
    store_word(s, e.skips, nir_imm_int(b, 0));
    wrap(s, b->cursor, nir_after_cf_list(&loop->body), &e, false);
    b->cursor = nir_after_cf_list(&loop->body);
    nir_if *end = nir_push_if(b, not_marked(s, &e, false));
    nir_push_else(b, end);
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, end);
    add_to(s, s->group_nodes, &end->cf_node, 1);
    add_to(s, s->group_ifs, end, 1); /* the loop continues if any invocation does */
}

static void predicate_loops(struct splitter *s, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block || !in_set(s->group_nodes, node))
            continue;
        if (node->type == nir_cf_node_if) {
            predicate_loops(s, &nir_cf_node_as_if(node)->then_list);
            predicate_loops(s, &nir_cf_node_as_if(node)->else_list);
            continue;
        }
        nir_loop *loop = nir_cf_node_as_loop(node);
        predicate_loops(s, &loop->body);
        if (jumps_divergently(s, &loop->body, false))
            predicate_loop(s, loop);
    }
}

/* -------------------------------------------------------------------- division into regions --- */

static nir_instr *insert_marker(struct splitter *s, nir_cursor cursor)
{
    s->b.cursor = cursor;
    nir_instr *instr = nir_imm_int(&s->b, 0)->parent_instr;
    instr->pass_flags = LANE;
    return instr;
}

static struct region *open_region(struct splitter *s, nir_cursor cursor)
{
    struct region *r = talloc_zero(s->mem_ctx, struct region);
    if (!r || !dynarray_append(&s->regions, r)) {
        s->failed = true;
        return NULL;
    }
    r->start = insert_marker(s, cursor);
    r->num_masks = s->num_masks;
    memcpy(r->masks, s->masks, sizeof r->masks);
    return r;
}

static struct region *close_region(struct splitter *s, struct region *r, nir_cursor cursor)
{
    if (r)
        r->end = insert_marker(s, cursor);
    return NULL;
}

static struct region *scan_block(struct splitter *s, struct region *r, nir_block *block)
{
    nir_foreach_instr_safe (instr, block) {
        if (instr->type == nir_instr_type_jump) {
            r = close_region(s, r, nir_before_instr(instr));
        } else if (is_barrier(instr)) {
            nir_intrinsic_instr *barrier = nir_instr_as_intrinsic(instr);
            r = close_region(s, r, nir_before_instr(instr));
            if (cpu_orders_threads(barrier))
                nir_intrinsic_set_execution_scope(barrier, NIR_SCOPE_NONE);
            else
                nir_instr_remove(instr);
        } else if (instr->pass_flags == GROUP) {
            if (r)
                nir_instr_move(nir_before_instr(r->start), instr);
        } else if (!r) {
            r = open_region(s, nir_before_instr(instr));
        }
        if (s->failed)
            return NULL;
    }
    return r;
}

static nir_variable *flag_variable(struct splitter *s)
{
    return nir_local_variable_create(s->impl, glsl_bool_type(), "any");
}

static void scan_list(struct splitter *s, struct list_head *list);

static void scan_side(struct splitter *s, struct list_head *list, nir_if *nif, bool negate)
{
    bool masked = condition_diverges(s, nif);
    if (masked && s->num_masks == MAX_MASKS) {
        s->failed = true;
        return;
    }
    if (masked)
        NEXT_OF(s->masks, s->num_masks) = (struct mask){nif->condition.ssa, negate};
    scan_list(s, list);
    if (masked)
        s->num_masks--;
}

/* If the condition is not a group value, the preceding region computes it. */
static void scan_if(struct splitter *s, struct region *r, nir_if *nif)
{
    nir_cursor before = nir_before_cf_node(&nif->cf_node);
    if (nif->condition.ssa->parent_instr->pass_flags != GROUP) {
        if (!r)
            r = open_region(s, before);
        if (!r)
            return;
        r->condition.nif = nif;
        r->condition.any_true = flag_variable(s);
        if (condition_diverges(s, nif))
            r->condition.any_false = flag_variable(s);
    }
    close_region(s, r, nir_before_cf_node(&nif->cf_node));
    scan_side(s, &nif->then_list, nif, false);
    scan_side(s, &nif->else_list, nif, true);
}

static void scan_list(struct splitter *s, struct list_head *list)
{
    struct region *r = NULL;
    nir_foreach_cf_node(node, list)
    {
        if (s->failed)
            return;
        if (node->type == nir_cf_node_block) {
            r = scan_block(s, r, nir_cf_node_as_block(node));
        } else if (!in_set(s->group_nodes, node)) {
            if (!r)
                r = open_region(s, nir_before_cf_node(node));
        } else if (node->type == nir_cf_node_if) {
            scan_if(s, r, nir_cf_node_as_if(node));
            r = NULL;
        } else {
            r = close_region(s, r, nir_before_cf_node(node));
            scan_list(s, &nir_cf_node_as_loop(node)->body);
        }
    }
    if (r)
        close_region(s, r, nir_after_cf_list(list));
}

/* ------------------------------------------------------------------ construction of regions --- */

/* Returns the lanes that execute the region; NULL: all. */
static nir_def *region_mask(struct splitter *s, const struct region *r)
{
    nir_builder *b = &s->b;
    nir_def *live = s->partial ? nir_ult(b, r->index, s->invocations) : NULL;
    for (unsigned i = 0; i < r->num_masks; i++) {
        nir_def *word = load_word(s, slot_of(s, r->masks[i].condition));
        nir_def *in = r->masks[i].negate ? nir_ieq_imm(b, word, 0) : nir_ine_imm(b, word, 0);
        live = live ? nir_iand(b, live, in) : in;
    }
    return live;
}

static void add_flag(struct splitter *s, nir_variable *var, nir_def *condition, nir_def *live)
{
    nir_builder *b = &s->b;
    if (live)
        condition = nir_iand(b, condition, live);
    nir_store_var(b, var, nir_ior(b, nir_load_var(b, var), nir_vote_any(b, condition)), 1);
}

static void collect_condition(struct splitter *s, const struct region_condition *c, nir_def *live)
{
    nir_builder *b = &s->b;
    if (!c->nif)
        return;
    nir_def *word = load_word(s, slot_of(s, c->nif->condition.ssa));
    add_flag(s, c->any_true, nir_ine_imm(b, word, 0), live);
    if (c->any_false)
        add_flag(s, c->any_false, nir_ieq_imm(b, word, 0), live);
}

/* Inserts the body at the cursor and masks its lanes. Returns the mask, or NULL. */
static nir_def *build_body(struct splitter *s, struct region *r, nir_cf_list *body)
{
    nir_builder *b = &s->b;
    nir_def *live = region_mask(s, r);
    nir_if *nif = live ? nir_push_if(b, live) : NULL;
    r->entry = insert_marker(s, b->cursor);
    /* the marker follows everything that is inserted after the body's instructions later */
    b->cursor = nir_after_instr(insert_marker(s, nir_cf_reinsert(body, nir_after_instr(r->entry))));
    if (nif)
        nir_pop_if(b, nif);
    return live;
}

static void build_region(struct splitter *s, struct region *r)
{
    nir_builder *b = &s->b;
    nir_cf_list body;
    struct cpu_count_loop loop;

    nir_cf_extract(&body, nir_after_instr(r->start), nir_before_instr(r->end));
    b->cursor = nir_after_instr(r->start);
    if (r->condition.nif) {
        nir_store_var(b, r->condition.any_true, nir_imm_false(b), 1);
        if (r->condition.any_false)
            nir_store_var(b, r->condition.any_false, nir_imm_false(b), 1);
    }
    loop = cpu_begin_count_loop(b, s->vectors, &r->vector);
    r->loop = loop.loop;
    add_to(s, s->group_nodes, r->loop, (uintptr_t)r);
    r->index =
        nir_iadd(b, nir_imul_imm(b, r->vector, s->options->lanes), nir_load_subgroup_invocation(b));
    r->header = nir_after_instr(r->index->parent_instr);
    nir_def *live = build_body(s, r, &body);
    collect_condition(s, &r->condition, live);
    cpu_end_count_loop(b, &loop, 1);
}

/* Replaces the condition by what the preceding region computed. If it diverges, both sides are
 * executed. */
static void finish_if(struct splitter *s, const struct region_condition *c)
{
    nir_builder *b = &s->b;
    nir_if *nif = c->nif;
    if (!nif)
        return;
    if (c->any_false) {
        nir_cf_list other;
        nir_cf_extract(&other, nir_before_cf_list(&nif->else_list),
                       nir_after_cf_list(&nif->else_list));
        b->cursor = nir_after_cf_node(&nif->cf_node);
        nir_if *second = nir_push_if(b, nir_load_var(b, c->any_false));
        nir_cf_reinsert(&other, b->cursor);
        nir_pop_if(b, second);
    }
    b->cursor = nir_before_cf_node(&nif->cf_node);
    nir_src_rewrite(&nif->condition, nir_load_var(b, c->any_true));
}

/* ------------------------------------------------------------------- values between regions --- */

static struct region *region_of_node(const struct splitter *s, const nir_cf_node *node)
{
    for (; node && node->type != nir_cf_node_function; node = node->parent) {
        if (node->type != nir_cf_node_loop)
            continue;
        uintptr_t data = (uintptr_t)hash_table_get(s->group_nodes, node);
        if (data > 1)
            return (struct region *)data;
    }
    return NULL;
}

static struct region *region_of_use(const struct splitter *s, nir_src *src)
{
    return region_of_node(s, nir_src_is_if(src) ? &nir_src_parent_if(src)->cf_node
                                                : &nir_src_parent_instr(src)->block->cf_node);
}

/* Returns the number of instructions to recompute the value; more than the maximum if it can't
 * be. */
static unsigned rematerialize_cost(const struct splitter *s, nir_def *def)
{
    nir_instr *instr = def->parent_instr;
    if (instr->type == nir_instr_type_load_const || instr->type == nir_instr_type_undef)
        return 0;
    if (!region_of_node(s, &instr->block->cf_node))
        return 0; /* a group value */
    if (instr->type == nir_instr_type_intrinsic) {
        nir_intrinsic_op op = nir_instr_as_intrinsic(instr)->intrinsic;
        return op == nir_intrinsic_load_local_invocation_id ||
                       op == nir_intrinsic_load_local_invocation_index ||
                       op == nir_intrinsic_load_subgroup_invocation
                   ? 0
                   : MAX_REMATERIALIZE + 1;
    }
    if (instr->type != nir_instr_type_alu)
        return MAX_REMATERIALIZE + 1;
    nir_alu_instr *alu = nir_instr_as_alu(instr);
    unsigned cost = 1;
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs && cost <= MAX_REMATERIALIZE; i++)
        cost += rematerialize_cost(s, alu->src[i].src.ssa);
    return cost;
}

static nir_def *value_in(struct splitter *s, struct region *r, nir_def *def);

static nir_def *copy_alu(struct splitter *s, struct region *r, const nir_alu_instr *alu)
{
    nir_alu_instr *copy = nir_alu_instr_create(s->shader, alu->op);
    copy->exact = alu->exact;
    copy->no_signed_wrap = alu->no_signed_wrap;
    copy->no_unsigned_wrap = alu->no_unsigned_wrap;
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
        copy->src[i].src = nir_src_for_ssa(value_in(s, r, alu->src[i].src.ssa));
        copy->src[i].swizzle = alu->src[i].swizzle;
    }
    nir_def_init(&copy->instr, &copy->def, alu->def.num_components, alu->def.bit_size);
    s->b.cursor = nir_before_instr(r->entry);
    nir_builder_instr_insert(&s->b, &copy->instr);
    return &copy->def;
}

static nir_def *rematerialize(struct splitter *s, struct region *r, nir_def *def)
{
    nir_builder *b = &s->b;
    nir_instr *instr = def->parent_instr;
    b->cursor = nir_before_instr(r->entry);
    switch (instr->type) {
    case nir_instr_type_load_const:
        return nir_build_imm(b, def->num_components, def->bit_size,
                             nir_instr_as_load_const(instr)->value);
    case nir_instr_type_undef:
        return nir_undef(b, def->num_components, def->bit_size);
    case nir_instr_type_alu:
        return copy_alu(s, r, nir_instr_as_alu(instr));
    default:
        break;
    }
    switch (nir_instr_as_intrinsic(instr)->intrinsic) {
    case nir_intrinsic_load_local_invocation_id:
        return nir_load_local_invocation_id(b);
    case nir_intrinsic_load_local_invocation_index:
        return nir_load_local_invocation_index(b);
    default:
        return nir_load_subgroup_invocation(b);
    }
}

/* Returns the value for use in a region. */
static nir_def *value_in(struct splitter *s, struct region *r, nir_def *def)
{
    struct region *home = region_of_node(s, &def->parent_instr->block->cf_node);
    if (!home || home == r)
        return def;
    nir_def *value = hash_table_get(r->values, def);
    if (value)
        return value;
    if (!hash_table_search(s->slots, def) && rematerialize_cost(s, def) <= MAX_REMATERIALIZE) {
        value = rematerialize(s, r, def);
    } else {
        unsigned slot = slot_of(s, def);
        s->b.cursor = nir_before_instr(r->entry);
        value = load_value(s, slot, def->num_components, def->bit_size);
        if (!def->divergent) /* keep it uniform */
            value = nir_read_first_invocation(&s->b, value);
    }
    if (!hash_table_insert(r->values, def, value))
        s->failed = true;
    return value;
}

static void connect_def(struct splitter *s, nir_def *def)
{
    struct region *home = region_of_node(s, &def->parent_instr->block->cf_node);
    if (!home)
        return;
    nir_foreach_use_including_if_safe(src, def)
    {
        struct region *user = region_of_use(s, src);
        if (user && user != home)
            nir_src_rewrite(src, value_in(s, user, def));
    }
}

static void connect_regions(struct splitter *s)
{
    DYNARRAY(nir_def *) defs = DYNARRAY_INIT(s->mem_ctx);
    for (unsigned i = 0; i < s->regions.count; i++)
        s->regions.data[i]->values = hash_table_create_pointer(s->mem_ctx);
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            if (def && instr->type != nir_instr_type_deref && !dynarray_append(&defs, def))
                s->failed = true;
        }
    }
    for (unsigned i = 0; i < defs.count && !s->failed; i++)
        connect_def(s, defs.data[i]);
}

/* ------------------------------------------------------------------------------- group size --- */

static void load_size(struct splitter *s)
{
    nir_builder *b = &s->b;
    const nir_shader_info *info = &s->shader->info;
    struct cpu_regions *o = s->options;
    b->cursor = nir_before_impl(s->impl);
    if (info->cs.workgroup_size_variable) {
        nir_def *size = nir_load_workgroup_size(b);
        for (unsigned i = 0; i < 3; i++)
            s->size[i] = nir_channel(b, size, i);
        s->invocations = nir_imul(b, nir_imul(b, s->size[0], s->size[1]), s->size[2]);
        s->vectors = nir_udiv_imm(b, nir_iadd_imm(b, s->invocations, o->lanes - 1), o->lanes);
        s->partial = true;
        return;
    }
    unsigned n = 1;
    for (unsigned i = 0; i < 3; i++) {
        unsigned size = MAX2(info->cs.workgroup_size[i], 1);
        s->size[i] = nir_imm_int(b, (int)size);
        n *= size;
    }
    o->vectors = DIV_ROUND_UP(n, o->lanes);
    s->invocations = nir_imm_int(b, (int)n);
    s->vectors = nir_imm_int(b, (int)o->vectors);
    s->partial = n % o->lanes != 0;
}

/* The inverse of GLSL 4.60 §7.1.7. Values that are uniform in a vector are computed from its first
 * invocation. */
static nir_def *local_id(struct splitter *s, const struct region *r)
{
    nir_builder *b = &s->b;
    const nir_shader_info *info = &s->shader->info;
    unsigned lanes = s->options->lanes, x = info->cs.workgroup_size[0];
    nir_def *id[3], *row, *first = nir_imul_imm(b, r->vector, lanes), *plane;
    bool fixed = !info->cs.workgroup_size_variable;
    if (fixed && x % lanes == 0) {
        row = nir_udiv(b, first, s->size[0]);
        id[0] = nir_iadd(b, nir_isub(b, first, nir_imul(b, row, s->size[0])),
                         nir_load_subgroup_invocation(b));
    } else {
        row = nir_udiv(b, r->index, s->size[0]);
        id[0] = nir_isub(b, r->index, nir_imul(b, row, s->size[0]));
    }
    plane = nir_udiv(b, row, s->size[1]);
    if (fixed && x * info->cs.workgroup_size[1] % lanes == 0)
        plane = nir_udiv(b, first, nir_imul(b, s->size[0], s->size[1]));
    id[1] = nir_isub(b, row, nir_imul(b, plane, s->size[1]));
    id[2] = plane;
    return nir_vec(b, id, 3);
}

/* --------------------------------------------------------------------------- frame accesses --- */

/* Returns the address of the vector's frame. */
static nir_def *frame_address(struct splitter *s, struct region *r)
{
    nir_builder *b = &s->b;
    if (r->frame)
        return r->frame;
    nir_cursor cursor = b->cursor;
    b->cursor = r->header;
    nir_def *frames =
        cpu_load_const(b, 1, 64, nir_load_kernel_arg(b, .base = 0), s->options->frames_offset);
    nir_def *offset = nir_imul_imm(b, nir_u2u64(b, r->vector), s->options->frame_bytes);
    r->frame = nir_iadd(b, frames, offset);
    b->cursor = cursor;
    return r->frame;
}

/* An access to the frame. Word w of all lanes is contiguous, one word per lane. A dynamic offset is
 * clamped to the frame. */
struct frame_access {
    nir_def *frame, *offset;
    bool constant;
    unsigned first; /* first word, if the offset is constant */
};

static struct frame_access frame_access(struct splitter *s, struct region *r,
                                        nir_intrinsic_instr *intr)
{
    nir_builder *b = &s->b;
    nir_src offset = *nir_get_io_offset_src(intr);
    unsigned base = (unsigned)nir_intrinsic_base(intr);
    struct frame_access a = {.frame = frame_address(s, r), .constant = nir_src_is_const(offset)};
    if (a.constant)
        a.first = (unsigned)(nir_src_as_uint(offset) + base) / 4;
    else
        a.offset = nir_ushr_imm(b, nir_iadd_imm(b, offset.ssa, base), 2);
    return a;
}

/* Returns the byte offset of a word: for the vector's first lane if the offset is constant,
 * otherwise for each lane. */
static nir_def *word_offset(struct splitter *s, const struct frame_access *a, unsigned word)
{
    nir_builder *b = &s->b;
    unsigned lanes = s->options->lanes;
    if (a->constant)
        return nir_imm_int(b, (int)(MIN2(a->first + word, s->words - 1) * lanes * 4));
    nir_def *at = nir_umin_imm(b, nir_iadd_imm(b, a->offset, word), s->words - 1);
    at = nir_iadd(b, nir_imul_imm(b, at, lanes), nir_load_subgroup_invocation(b));
    return nir_ishl_imm(b, at, 2);
}

static nir_def *frame_load(struct splitter *s, const struct frame_access *a, unsigned word)
{
    nir_def *at = word_offset(s, a, word);
    return a->constant ? nir_load_global_block(&s->b, 1, 32, a->frame, at, .align_mul = 4)
                       : nir_load_global(&s->b, 1, 32, a->frame, at, .align_mul = 4);
}

static void frame_store(struct splitter *s, const struct frame_access *a, unsigned word,
                        nir_def *value)
{
    nir_def *at = word_offset(s, a, word);
    if (a->constant)
        nir_store_global_block(&s->b, value, a->frame, at, nir_imm_true(&s->b), .align_mul = 4);
    else
        nir_store_global(&s->b, value, a->frame, at, .write_mask = 1, .align_mul = 4);
}

static void lower_load_scratch(struct splitter *s, struct region *r, nir_intrinsic_instr *intr)
{
    nir_builder *b = &s->b;
    struct frame_access a = frame_access(s, r, intr);
    nir_def *value[NIR_MAX_VEC_COMPONENTS];
    unsigned word = 0, bits = intr->def.bit_size;
    for (unsigned c = 0; c < intr->def.num_components; c++) {
        nir_def *low = frame_load(s, &a, word++);
        value[c] = bits == 64 ? nir_pack_64_2x32_split(b, low, frame_load(s, &a, word++))
                              : nir_u2uN(b, low, bits);
        if (!intr->def.divergent) /* keep it uniform */
            value[c] = nir_read_first_invocation(b, value[c]);
    }
    nir_def_replace(&intr->def, nir_vec(b, value, intr->def.num_components));
}

static void lower_store_scratch(struct splitter *s, struct region *r, nir_intrinsic_instr *intr)
{
    nir_builder *b = &s->b;
    struct frame_access a = frame_access(s, r, intr);
    nir_def *value = intr->src[0].ssa;
    unsigned each = value->bit_size == 64 ? 2 : 1;
    for (unsigned c = 0; c < value->num_components; c++) {
        nir_def *x = nir_channel(b, value, c);
        if (!(nir_intrinsic_write_mask(intr) >> c & 1))
            continue;
        if (each == 1) {
            frame_store(s, &a, c, nir_u2uN(b, x, 32));
            continue;
        }
        frame_store(s, &a, c * 2, nir_unpack_64_2x32_split_x(b, x));
        frame_store(s, &a, c * 2 + 1, nir_unpack_64_2x32_split_y(b, x));
    }
    nir_instr_remove(&intr->instr);
}

/* Lowers intrinsics that depend on the region: invocation indices and, if there are several
 * regions, accesses to the frame. */
static bool lower_intrinsic(nir_builder *b, nir_intrinsic_instr *intr, void *data)
{
    struct splitter *s = data;
    struct region *r = region_of_node(s, &intr->instr.block->cf_node);
    if (!r)
        return false;
    s->b.cursor = nir_before_instr(&intr->instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_load_local_invocation_index:
        nir_def_replace(&intr->def, r->index);
        return true;
    case nir_intrinsic_load_local_invocation_id:
        nir_def_replace(&intr->def, local_id(s, r));
        return true;
    case nir_intrinsic_load_scratch:
        if (s->options->frame_bytes)
            lower_load_scratch(s, r, intr);
        return true;
    case nir_intrinsic_store_scratch:
        if (s->options->frame_bytes)
            lower_store_scratch(s, r, intr);
        return true;
    case nir_intrinsic_clear_scratch: /* executed once, at the start */
        if (s->options->frame_bytes) {
            s->options->clear_frames = true;
            nir_instr_remove(&intr->instr);
        }
        return true;
    default:
        return false;
    }
}

/* --------------------------------------------------------------------------------- the pass --- */

static bool has_barriers(const struct splitter *s)
{
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr (instr, block)
            if (is_barrier(instr))
                return true;
    }
    return false;
}

/* Makes the whole shader one region. */
static void build_one_region(struct splitter *s)
{
    struct region *r = open_region(s, nir_after_instr(s->vectors->parent_instr));
    if (!r)
        return;
    close_region(s, r, nir_after_impl(s->impl));
    build_region(s, r);
}

static void build_regions(struct splitter *s)
{
    s->words = DIV_ROUND_UP(s->shader->scratch_size, 4);
    nir_convert_to_lcssa(s->shader);
    mark_barriers(s, &s->impl->body);
    mark_jumps(s, &s->impl->body);
    find_group_values(s);
    replace_phis(s);
    predicate_loops(s, &s->impl->body);
    scan_list(s, &s->impl->body);
    for (unsigned i = 0; i < s->regions.count && !s->failed; i++)
        build_region(s, s->regions.data[i]);
    for (unsigned i = 0; i < s->regions.count && !s->failed; i++)
        finish_if(s, &s->regions.data[i]->condition);
    if (!s->failed)
        connect_regions(s);
    uint64_t frame = (uint64_t)MAX2(s->words, 1) * 4 * s->options->lanes;
    s->failed |= frame > MAX_FRAME;
    s->options->frame_bytes = s->failed ? 0 : ALIGN_POT((unsigned)frame, 64);
    s->shader->scratch_size = 0;
}

bool cpu_split_regions(nir_shader *shader, struct cpu_regions *options)
{
    struct splitter s = {.shader = shader, .options = options, .mem_ctx = talloc_new(NULL)};

    s.impl = nir_shader_get_entrypoint(shader);
    s.b = nir_builder_create(s.impl);
    s.group_nodes = hash_table_create_pointer(s.mem_ctx);
    s.group_ifs = hash_table_create_pointer(s.mem_ctx);
    s.slots = hash_table_create_pointer(s.mem_ctx);
    if (!s.mem_ctx || !s.group_nodes || !s.group_ifs || !s.slots) {
        talloc_free(s.mem_ctx);
        return false;
    }
    s.regions.mem_ctx = s.mem_ctx;
    options->frame_bytes = options->vectors = 0;
    options->clear_frames = false;
    load_size(&s);
    if (options->vectors == 1 || !has_barriers(&s))
        build_one_region(&s);
    else
        build_regions(&s);
    if (!s.failed) {
        nir_metadata_preserve(s.impl, nir_metadata_none);
        nir_shader_intrinsics_pass(shader, lower_intrinsic, nir_metadata_none, &s);
        nir_repair_ssa(shader);
        NIR_PASS_V(shader, nir_lower_vars_to_ssa);
    }
    talloc_free(s.mem_ctx);
    return !s.failed;
}
