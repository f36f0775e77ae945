/* SPDX-License-Identifier: MIT */
/*
 * Out of SSA after Boissinot et al., "Revisiting Out-of-SSA Translation for Correctness, Code
 * Quality, and Efficiency" (CGO 2009).
 *
 * 1. Phis are isolated by parallel copies at the ends of the predecessors and behind the phis, so
 *    that the values of a phi web never interfere: neither lost copies nor swaps can go wrong.
 * 2. Sources and destinations of copies are coalesced, those in inner loops first, unless their
 *    live ranges intersect. Sets of values are sorted in the preorder of the dominance tree; one
 *    walk over two sets with a stack finds whether they intersect, because it is enough to look at
 *    the closest dominating value (Budimlić et al., "Fast Copy Coalescing and Live-Range
 *    Identification", PLDI 2002).
 * 3. A set with a phi or with more than one value becomes a register. Its values are stored behind
 *    their definitions and loaded before each use.
 * 4. What is left of the parallel copies becomes a sequence of stores.
 *
 * Without phi_webs_only every other value that is used outside of its block gets a register too.
 */
#include "nir.h"

#include <stdlib.h>
#include <talloc.h>

#include "nir_builder.h"
#include "nir_private.h"

#include "util/dynarray.h"

/* Larger sets than this are not made: a walk over them for each copy would not be linear. */
#define MAX_SET 512

struct merge_set {
    nir_def **defs; /* in dominance order */
    unsigned count, capacity;
    nir_def *reg;   /* decl_reg, once it is a register */
};

struct state {
    nir_function_impl *impl;
    nir_shader *shader;
    void *mem_ctx;
    struct merge_set **sets; /* by nir_def.index; NULL: a set of its own, not made */
    unsigned num_defs;
    nir_def **stack;         /* of the walk over two sets */
    DYNARRAY(nir_parallel_copy_instr *) copies;
};

/* ------------------------------------------------------------------------- isolating the phis --- */

static nir_parallel_copy_instr *copy_at(struct state *s, nir_cursor cursor)
{
    nir_parallel_copy_instr *copy = nir_parallel_copy_instr_create(s->shader);
    nir_instr_insert(cursor, &copy->instr);
    (void)dynarray_append(&s->copies, copy);
    return copy;
}

static nir_parallel_copy_instr *copy_at_end(struct state *s, nir_block *block)
{
    nir_instr *last = nir_block_last_instr(block);
    if (last && last->type == nir_instr_type_jump)
        last = last->node.prev == &block->instr_list
                   ? NULL
                   : list_entry(last->node.prev, nir_instr, node);
    if (last && last->type == nir_instr_type_parallel_copy && last->pass_flags)
        return nir_instr_as_parallel_copy(last);
    nir_parallel_copy_instr *copy = copy_at(s, nir_after_block_before_jump(block));
    copy->instr.pass_flags = 1; /* not one behind phis */
    return copy;
}

/* A copy of src; what it defines is like `like`. */
static nir_def *add_copy(struct state *s, nir_parallel_copy_instr *copy, nir_def *src,
                         const nir_def *like)
{
    nir_parallel_copy_entry *entry = arena_alloc(s->shader->instrs, sizeof *entry);
    memset(entry, 0, sizeof *entry);
    list_addtail(&entry->node, &copy->entries);
    nir_def_init(&copy->instr, &entry->def, like->num_components, like->bit_size);
    entry->def.divergent = like->divergent;
    nir_instr_init_src(&copy->instr, &entry->src, src);
    return &entry->def;
}

static void isolate_phi(struct state *s, nir_phi_instr *phi, nir_parallel_copy_instr *behind)
{
    nir_foreach_phi_src(src, phi) {
        nir_parallel_copy_instr *copy = copy_at_end(s, src->pred);
        nir_src_rewrite(&src->src, add_copy(s, copy, src->src.ssa, &phi->def));
    }
    nir_def *result = add_copy(s, behind, &phi->def, &phi->def);
    nir_foreach_use_including_if_safe(use, &phi->def) {
        if (use->is_if || use->parent_instr != &behind->instr)
            nir_src_rewrite(use, result);
    }
}

static bool isolate_phis(struct state *s)
{
    bool any = false;
    nir_foreach_block(block, s->impl) {
        nir_parallel_copy_instr *behind = NULL;
        nir_foreach_instr_safe(instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            if (!behind)
                behind = copy_at(s, nir_after_phis(block));
            isolate_phi(s, nir_instr_as_phi(instr), behind);
            any = true;
        }
    }
    return any;
}

/* ------------------------------------------------------------------------------- coalescing --- */

/* Order of definitions in a preorder of the dominance tree; those of one instruction are told apart
 * by their indices. */
static int compare_defs(const nir_def *a, const nir_def *b)
{
    const nir_instr *x = a->parent_instr, *y = b->parent_instr;
    if (x->block != y->block)
        return x->block->dom_pre_index < y->block->dom_pre_index ? -1 : 1;
    if (x != y)
        return x->index < y->index ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool def_dominates(const nir_def *a, const nir_def *b)
{
    if (a->parent_instr->block != b->parent_instr->block)
        return nir_block_dominates(a->parent_instr->block, b->parent_instr->block);
    return a->parent_instr->index <= b->parent_instr->index;
}

static struct merge_set *set_of(struct state *s, nir_def *def)
{
    struct merge_set *set = s->sets[def->index];
    if (!set) {
        set = s->sets[def->index] = talloc_zero(s->mem_ctx, struct merge_set);
        set->defs = talloc_array(set, nir_def *, 4);
        set->defs[0] = def;
        set->count = 1;
        set->capacity = 4;
    }
    return set;
}

/* Walks both sets in order; `stack` has the dominating values of the place. */
static bool sets_interfere(struct state *s, const struct merge_set *a, const struct merge_set *b)
{
    unsigned i = 0, j = 0, depth = 0;
    while (i < a->count || j < b->count) {
        bool from_a = j == b->count || (i < a->count && compare_defs(a->defs[i], b->defs[j]) < 0);
        nir_def *def = from_a ? a->defs[i++] : b->defs[j++];
        while (depth && !def_dominates(s->stack[depth - 1], def))
            depth--;
        if (depth && nir_defs_interfere(s->stack[depth - 1], def))
            return true;
        s->stack[depth++] = def;
    }
    return false;
}

static void merge_sets(struct state *s, struct merge_set *a, struct merge_set *b)
{
    unsigned count = a->count + b->count, i = a->count, j = b->count;
    if (count > a->capacity) {
        a->capacity = MAX2(count, 2 * a->capacity);
        a->defs = talloc_realloc(a, a->defs, nir_def *, a->capacity);
    }
    for (unsigned k = 0; k < b->count; k++)
        s->sets[b->defs[k]->index] = a;
    /* From behind, so that a's are moved before they are overwritten. */
    for (unsigned to = count; to-- > 0;) {
        bool from_a = j == 0 || (i > 0 && compare_defs(a->defs[i - 1], b->defs[j - 1]) > 0);
        a->defs[to] = from_a ? a->defs[--i] : b->defs[--j];
    }
    a->count = count;
    talloc_free(b);
}

static void merge(struct state *s, nir_def *x, nir_def *y)
{
    struct merge_set *a = set_of(s, x), *b = set_of(s, y);
    if (a == b)
        return;
    if (a->count >= b->count)
        merge_sets(s, a, b);
    else
        merge_sets(s, b, a);
}

static void merge_phi_webs(struct state *s)
{
    nir_foreach_block(block, s->impl) {
        nir_foreach_instr(instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            nir_phi_instr *phi = nir_instr_as_phi(instr);
            set_of(s, &phi->def);
            nir_foreach_phi_src(src, phi)
                merge(s, &phi->def, src->src.ssa);
        }
    }
}

/* Constants are better made where they are copied. */
static bool may_share_register(const nir_def *src, const nir_def *dst)
{
    nir_instr_type type = src->parent_instr->type;
    return type != nir_instr_type_load_const && type != nir_instr_type_undef &&
           type != nir_instr_type_deref && src->divergent == dst->divergent &&
           src->num_components == dst->num_components && src->bit_size == dst->bit_size;
}

static void coalesce(struct state *s, nir_parallel_copy_instr *copy)
{
    list_for_each_entry(nir_parallel_copy_entry, entry, &copy->entries, node) {
        if (!may_share_register(entry->src.ssa, &entry->def))
            continue;
        struct merge_set *a = set_of(s, entry->src.ssa), *b = set_of(s, &entry->def);
        if (a != b && a->count + b->count <= MAX_SET && !sets_interfere(s, a, b))
            merge(s, entry->src.ssa, &entry->def);
    }
}

static unsigned loop_depth(const nir_block *block)
{
    unsigned depth = 0;
    for (nir_cf_node *node = block->cf_node.parent; node; node = node->parent)
        depth += node->type == nir_cf_node_loop;
    return depth;
}

struct ordered_copy {
    nir_parallel_copy_instr *copy;
    unsigned depth, order;
};

static int inner_first(const void *pa, const void *pb)
{
    const struct ordered_copy *a = pa, *b = pb;
    if (a->depth != b->depth)
        return a->depth > b->depth ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static void coalesce_all(struct state *s)
{
    unsigned n = s->copies.count;
    struct ordered_copy *list = talloc_array(s->mem_ctx, struct ordered_copy, n);
    for (unsigned i = 0; i < n; i++) {
        nir_parallel_copy_instr *copy = s->copies.data[i];
        list[i] = (struct ordered_copy){copy, loop_depth(copy->instr.block), i};
    }
    qsort(list, n, sizeof *list, inner_first);
    for (unsigned i = 0; i < n; i++)
        coalesce(s, list[i].copy);
}

/* -------------------------------------------------------------------------------- registers --- */

static nir_def *new_reg(nir_function_impl *impl, const nir_def *like)
{
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    return nir_decl_reg(&b, .num_components = like->num_components, .bit_size = like->bit_size,
                        .divergent = like->divergent);
}

/* The register that holds def from its definition on, or NULL: it is a value. Definitions that came
 * after the sets have none. */
static nir_def *reg_of(const struct state *s, const nir_def *def)
{
    struct merge_set *set = def->index < s->num_defs ? s->sets[def->index] : NULL;
    return set ? set->reg : NULL;
}

static void make_registers(struct state *s)
{
    for (unsigned i = 0; i < s->num_defs; i++) {
        struct merge_set *set = s->sets[i];
        if (!set || set->reg)
            continue;
        bool has_phi = false;
        for (unsigned k = 0; k < set->count; k++)
            has_phi |= set->defs[k]->parent_instr->type == nir_instr_type_phi;
        if (has_phi || set->count > 1) {
            set->reg = new_reg(s->impl, set->defs[0]);
            /* What is made from now on has the indices behind those of the sets. */
            set->reg->index = s->num_defs;
        }
    }
}

static nir_def *load(struct state *s, nir_cursor cursor, const nir_def *like, nir_def *reg)
{
    nir_builder b = nir_builder_at(cursor);
    nir_def *def = nir_load_reg(&b, like->num_components, like->bit_size, reg);
    def->divergent = like->divergent;
    def->index = s->num_defs;
    return def;
}

struct rewrite {
    struct state *s;
    nir_instr *instr;
    struct {
        nir_def *reg, *value;
    } loads[8]; /* of this instruction, as far as there is room */
    unsigned num_loads;
};

static bool rewrite_src(nir_src *src, void *data)
{
    struct rewrite *r = data;
    nir_def *reg = reg_of(r->s, src->ssa), *value = NULL;
    if (!reg)
        return true;
    for (unsigned i = 0; i < r->num_loads && !value; i++) {
        if (r->loads[i].reg == reg)
            value = r->loads[i].value;
    }
    if (!value) {
        value = load(r->s, nir_before_instr(r->instr), src->ssa, reg);
        if (r->num_loads < ARRAY_SIZE(r->loads)) {
            r->loads[r->num_loads].reg = reg;
            r->loads[r->num_loads++].value = value;
        }
    }
    nir_src_rewrite(src, value);
    return true;
}

static void rewrite_instr(struct state *s, nir_instr *instr)
{
    struct rewrite r = {.s = s, .instr = instr};
    nir_foreach_src(instr, rewrite_src, &r);
    nir_def *def = nir_instr_def(instr), *reg = def ? reg_of(s, def) : NULL;
    if (reg) {
        nir_builder b = nir_builder_at(nir_after_instr(instr));
        nir_store_reg(&b, def, reg);
    }
}

/* ----------------------------------------------------------------------------- parallel copies --- */

struct move {
    nir_def *dst;     /* register */
    nir_def *src;     /* register or value */
    bool src_is_reg, done;
};

static bool is_source(const struct move *moves, unsigned n, const nir_def *reg)
{
    for (unsigned i = 0; i < n; i++) {
        if (!moves[i].done && moves[i].src_is_reg && moves[i].src == reg)
            return true;
    }
    return false;
}

static void emit_move(struct state *s, nir_builder *b, struct move *move)
{
    nir_def *value = move->src;
    if (move->src_is_reg) {
        nir_intrinsic_instr *decl = nir_instr_as_intrinsic(move->src->parent_instr);
        value = nir_load_reg(b, nir_intrinsic_num_components(decl), nir_intrinsic_bit_size(decl),
                             move->src);
        value->divergent = nir_intrinsic_divergent(decl);
        value->index = s->num_defs;
    }
    nir_store_reg(b, value, move->dst);
    move->done = true;
}

/* A register is written when nobody reads it any more. What is left then are cycles: the value that
 * one of them reads is kept aside. */
static void emit_moves(struct state *s, nir_builder *b, struct move *moves, unsigned n)
{
    unsigned left = n;
    while (left) {
        unsigned before = left;
        for (unsigned i = 0; i < n; i++) {
            if (!moves[i].done && !is_source(moves, n, moves[i].dst)) {
                emit_move(s, b, &moves[i]);
                left--;
            }
        }
        if (left < before || !left)
            continue;
        struct move *first = moves;
        while (first->done)
            first++;
        nir_def *reg = first->dst;
        nir_intrinsic_instr *decl = nir_instr_as_intrinsic(reg->parent_instr);
        nir_def *saved = nir_load_reg(b, nir_intrinsic_num_components(decl),
                                      nir_intrinsic_bit_size(decl), reg);
        saved->divergent = nir_intrinsic_divergent(decl);
        saved->index = s->num_defs;
        for (unsigned i = 0; i < n; i++) {
            if (!moves[i].done && moves[i].src_is_reg && moves[i].src == reg) {
                moves[i].src = saved;
                moves[i].src_is_reg = false;
            }
        }
    }
}

static void lower_parallel_copy(struct state *s, nir_parallel_copy_instr *copy)
{
    unsigned n = 0, count = 0;
    list_for_each_entry(nir_parallel_copy_entry, entry, &copy->entries, node)
        count++;
    struct move *moves = talloc_array(s->mem_ctx, struct move, MAX2(count, 1));
    list_for_each_entry_safe(nir_parallel_copy_entry, entry, &copy->entries, node) {
        nir_def *dst = reg_of(s, &entry->def), *src = entry->src.ssa, *src_reg = reg_of(s, src);
        if (!dst) {
            /* A value that shares no register: it is the load. */
            nir_def *value = src_reg ? load(s, nir_before_instr(&copy->instr), &entry->def, src_reg)
                                     : src;
            nir_def_rewrite_uses(&entry->def, value);
        } else if (dst != src_reg && !nir_src_is_undef(entry->src)) {
            moves[n++] = (struct move){dst, src_reg ? src_reg : src, src_reg != NULL, false};
        }
    }
    nir_builder b = nir_builder_at(nir_before_instr(&copy->instr));
    emit_moves(s, &b, moves, n);
    nir_instr_remove(&copy->instr);
    talloc_free(moves);
}

/* ------------------------------------------------------------------------------------ phi webs --- */

static void rewrite_blocks(struct state *s)
{
    nir_foreach_block(block, s->impl) {
        nir_foreach_instr_safe(instr, block) {
            if (instr->type != nir_instr_type_phi && instr->type != nir_instr_type_parallel_copy)
                rewrite_instr(s, instr);
        }
        nir_if *nif = nir_block_get_following_if(block);
        nir_def *reg = nif ? reg_of(s, nif->condition.ssa) : NULL;
        if (reg)
            nir_src_rewrite(&nif->condition,
                            load(s, nir_after_block(block), nif->condition.ssa, reg));
    }
}

static void remove_phis(struct state *s)
{
    nir_foreach_block(block, s->impl) {
        nir_foreach_instr_safe(instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            nir_instr_remove(instr);
        }
    }
}

static bool convert_phi_webs(nir_function_impl *impl)
{
    struct state s = {.impl = impl, .shader = nir_impl_shader(impl), .mem_ctx = talloc_new(NULL)};
    s.copies.mem_ctx = s.mem_ctx;
    nir_foreach_block(block, impl) {
        nir_foreach_instr(instr, block)
            instr->pass_flags = 0;
    }
    bool progress = isolate_phis(&s);
    if (progress) {
        nir_metadata_preserve(impl, nir_metadata_control_flow);
        nir_metadata_require(impl, nir_metadata_dominance | nir_metadata_live_defs |
                                       nir_metadata_instr_index);
        s.num_defs = impl->ssa_alloc;
        s.sets = talloc_zero_array(s.mem_ctx, struct merge_set *, s.num_defs);
        s.stack = talloc_array(s.mem_ctx, nir_def *, s.num_defs);
        merge_phi_webs(&s);
        coalesce_all(&s);
        make_registers(&s);
        rewrite_blocks(&s);
        for (unsigned i = 0; i < s.copies.count; i++)
            lower_parallel_copy(&s, s.copies.data[i]);
        remove_phis(&s);
        nir_index_ssa_defs(impl);
    }
    talloc_free(s.mem_ctx);
    return progress;
}

/* ------------------------------------------------------------------------------ other values --- */

/* A phi to a register without regard for what could share it: for passes that go back to SSA. */
static void phi_to_reg(nir_function_impl *impl, nir_phi_instr *phi)
{
    nir_def *reg = new_reg(impl, &phi->def);
    nir_foreach_phi_src(src, phi) {
        nir_builder b = nir_builder_at(nir_after_block_before_jump(src->pred));
        if (!nir_src_is_undef(src->src))
            nir_store_reg(&b, src->src.ssa, reg);
    }
    nir_builder b = nir_builder_at(nir_after_phis(phi->instr.block));
    nir_def *value = nir_load_reg(&b, phi->def.num_components, phi->def.bit_size, reg);
    value->divergent = phi->def.divergent;
    nir_def_replace(&phi->def, value);
}

bool nir_block_phis_to_regs(nir_block *block)
{
    bool progress = false;
    nir_function_impl *impl = nir_cf_node_get_function(&block->cf_node);
    nir_instr *first;
    while ((first = nir_block_first_instr(block)) && first->type == nir_instr_type_phi) {
        phi_to_reg(impl, nir_instr_as_phi(first));
        progress = true;
    }
    return progress;
}

static nir_block *use_block(nir_src *src)
{
    if (src->is_if)
        return nir_cf_node_as_block(nir_cf_node_prev(&src->parent_if->cf_node));
    return src->parent_instr->block;
}

static bool def_to_reg(nir_function_impl *impl, nir_def *def)
{
    nir_instr *instr = def->parent_instr;
    nir_def *reg = NULL;
    if (instr->type == nir_instr_type_load_const || instr->type == nir_instr_type_undef ||
        instr->type == nir_instr_type_deref ||
        (instr->type == nir_instr_type_intrinsic &&
         nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_decl_reg))
        return false;
    nir_foreach_use_including_if_safe(src, def) {
        if (use_block(src) == instr->block)
            continue;
        if (!reg) {
            reg = new_reg(impl, def);
            nir_builder b = nir_builder_at(nir_after_instr(instr));
            nir_store_reg(&b, def, reg);
        }
        nir_builder b = nir_builder_at(nir_before_src(src));
        nir_def *value = nir_load_reg(&b, def->num_components, def->bit_size, reg);
        value->divergent = def->divergent;
        nir_src_rewrite(src, value);
    }
    return reg != NULL;
}

bool nir_convert_from_ssa(nir_shader *shader, bool phi_webs_only)
{
    bool progress = false;
    nir_foreach_function_impl(impl, shader) {
        bool impl_progress = convert_phi_webs(impl);
        nir_foreach_block(block, impl) {
            if (phi_webs_only)
                break;
            nir_foreach_instr_safe(instr, block) {
                nir_def *def = nir_instr_def(instr);
                if (def)
                    impl_progress |= def_to_reg(impl, def);
            }
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
