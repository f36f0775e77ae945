/* SPDX-License-Identifier: MIT */
/*
 * Conversion out of SSA after Boissinot et al., "Revisiting Out-of-SSA Translation for Correctness,
 * Code Quality, and Efficiency" (CGO 2009).
 *
 * 1. Parallel copies at the ends of the predecessors and after the phis isolate the phis. The
 *    values of a phi web then never interfere, which avoids the lost-copy and swap problems.
 * 2. Sources and destinations of copies are coalesced into sets, inner loops first, unless their
 *    live ranges intersect. A set stores its live ranges as intervals of instructions. Adjacent
 *    intervals are merged, which keeps their number small, because a copy often starts where its
 *    source ends.
 * 3. A set that contains a phi or more than one value becomes a register. Its values are stored
 *    after their definitions and loaded before each use.
 * 4. The remaining parallel copies become sequences of stores.
 *
 * Without phi_webs_only, every other value that is used outside of its block gets a register, too.
 */
#include "nir.h"

#include <stdlib.h>
#include <talloc.h>

#include "nir_builder.h"
#include "nir_private.h"

#include "util/check.h"
#include "util/dynarray.h"

/* Values that share a register. */
struct merge_set {
    nir_def *members; /* first member; state.next links the others */
    unsigned num_members;
    bool has_phi;
    struct nir_live_range *ranges;   /* in ascending order with gaps between them */
    unsigned num_ranges, max_ranges; /* max: allocated entries */
    nir_def *reg;                    /* decl_reg, or NULL if the set is not a register */
    /* For the parallel copy that is being lowered: the pending moves that read the register, the
     * move that writes it, and a copy of its old value. */
    unsigned readers;
    struct move *writer;
    nir_def *saved;
};

struct state {
    nir_function_impl *impl;
    nir_shader *shader;
    void *mem_ctx;
    struct arena *arena;
    struct merge_set **sets; /* by nir_def.index; NULL: a set with only this value */
    nir_def **next;          /* by nir_def.index: next member of the set */
    unsigned num_defs;
    DYNARRAY(nir_parallel_copy_instr *) copies;
};

/* ----------------------------------------------------------------------- isolating the phis --- */

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
        last = last->node.prev == &block->instr_list ? NULL
                                                     : list_entry(last->node.prev, nir_instr, node);
    if (last && last->type == nir_instr_type_parallel_copy && last->pass_flags)
        return nir_instr_as_parallel_copy(last);
    nir_parallel_copy_instr *copy = copy_at(s, nir_after_block_before_jump(block));
    copy->instr.pass_flags = 1; /* not a copy after phis */
    return copy;
}

/* Adds a copy of src to the parallel copy. The destination has the size of `like`. */
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

static void isolate_phi(struct state *s, nir_phi_instr *phi, nir_parallel_copy_instr *following)
{
    nir_foreach_phi_src (src, phi) {
        nir_parallel_copy_instr *copy = copy_at_end(s, src->pred);
        nir_src_rewrite(&src->src, add_copy(s, copy, src->src.ssa, &phi->def));
    }
    nir_def *result = add_copy(s, following, &phi->def, &phi->def);
    nir_foreach_use_including_if_safe(use, &phi->def)
    {
        if (nir_src_is_if(use) || nir_src_parent_instr(use) != &following->instr)
            nir_src_rewrite(use, result);
    }
}

static bool isolate_phis(struct state *s)
{
    bool any = false;
    nir_foreach_block (block, s->impl) {
        nir_parallel_copy_instr *following = NULL;
        nir_foreach_instr_safe (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            if (!following)
                following = copy_at(s, nir_after_phis(block));
            isolate_phi(s, nir_instr_as_phi(instr), following);
            any = true;
        }
    }
    return any;
}

/* ------------------------------------------------------------------------------- coalescing --- */

/* Returns the first range of the set that ends at or after `at`. */
static unsigned find_range(const struct merge_set *set, unsigned at)
{
    unsigned low = 0, high = set->num_ranges;
    while (low < high) {
        unsigned mid = (low + high) / 2;
        if (set->ranges[mid].end < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void make_room(struct state *s, struct merge_set *set)
{
    if (set->num_ranges < set->max_ranges)
        return;
    struct nir_live_range *old = set->ranges;
    set->max_ranges = MAX2(2 * set->max_ranges, 4);
    set->ranges = arena_alloc(s->arena, set->max_ranges * sizeof *old);
    if (set->num_ranges)
        memcpy(set->ranges, old, set->num_ranges * sizeof *old);
}

static void add_range(struct state *s, struct merge_set *set, struct nir_live_range range)
{
    make_room(s, set);
    unsigned i = find_range(set, range.first), following = i;
    struct nir_live_range *r = set->ranges;
    while (following < set->num_ranges && r[following].first <= range.end)
        following++;
    if (following > i) {
        range.first = MIN2(range.first, r[i].first);
        range.end = MAX2(range.end, r[following - 1].end);
    }
    memmove(&r[i + 1], &r[following], (set->num_ranges - following) * sizeof *r);
    r[i] = range;
    set->num_ranges += i + 1 - following;
}

static struct merge_set *set_of(struct state *s, nir_def *def)
{
    struct merge_set *set = s->sets[def->index];
    if (set)
        return set;
    set = s->sets[def->index] = arena_zalloc(s->arena, sizeof *set);
    set->members = def;
    set->num_members = 1;
    set->has_phi = def->parent_instr->type == nir_instr_type_phi;
    unsigned count;
    const struct nir_live_range *ranges = nir_live_ranges_of(def, &count);
    for (unsigned i = 0; i < count; i++)
        add_range(s, set, ranges[i]);
    return set;
}

static bool sets_interfere(const struct merge_set *a, const struct merge_set *b)
{
    const struct merge_set *small = a->num_ranges < b->num_ranges ? a : b;
    const struct merge_set *large = small == a ? b : a;
    for (unsigned i = 0; i < small->num_ranges; i++) {
        const struct nir_live_range *r = &small->ranges[i];
        unsigned k = find_range(large, r->first + 1);
        if (k < large->num_ranges && large->ranges[k].first < r->end)
            return true;
    }
    return false;
}

static void merge(struct state *s, struct merge_set *a, struct merge_set *b)
{
    struct merge_set *small = a->num_members < b->num_members ? a : b;
    struct merge_set *large = small == a ? b : a;
    if (a == b)
        return;
    for (unsigned i = 0; i < small->num_ranges; i++)
        add_range(s, large, small->ranges[i]);
    for (nir_def *def = small->members, *next; def; def = next) {
        next = s->next[def->index];
        s->sets[def->index] = large;
        s->next[def->index] = large->members;
        large->members = def;
    }
    large->num_members += small->num_members;
    large->has_phi |= small->has_phi;
}

static void merge_phi_webs(struct state *s)
{
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            nir_phi_instr *phi = nir_instr_as_phi(instr);
            set_of(s, &phi->def);
            nir_foreach_phi_src (src, phi)
                merge(s, set_of(s, &phi->def), set_of(s, src->src.ssa));
        }
    }
}

/* It is better to create a constant again at the copy than to keep it in a register. */
static bool may_share_register(const nir_def *src, const nir_def *dst)
{
    nir_instr_type type = src->parent_instr->type;
    return type != nir_instr_type_load_const && type != nir_instr_type_undef &&
           type != nir_instr_type_deref && src->divergent == dst->divergent &&
           src->num_components == dst->num_components && src->bit_size == dst->bit_size;
}

static void coalesce(struct state *s, nir_parallel_copy_instr *copy)
{
    list_for_each_entry (nir_parallel_copy_entry, entry, &copy->entries, node) {
        if (!may_share_register(entry->src.ssa, &entry->def))
            continue;
        struct merge_set *a = set_of(s, entry->src.ssa), *b = set_of(s, &entry->def);
        if (a != b && !sets_interfere(a, b))
            merge(s, a, b);
    }
}

static unsigned loop_depth(const nir_block *block)
{
    unsigned depth = 0;
    for (nir_cf_node *node = block->cf_node.parent; node; node = node->parent)
        depth += node->type == nir_cf_node_loop;
    return depth;
}

/* A parallel copy and its sort keys: depth of the loop that contains it, and program order. */
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

/* Returns the register that holds def after its definition, or NULL if def stays an SSA value.
 * Values defined after the sets were built have no register. */
static struct merge_set *register_of(const struct state *s, const nir_def *def)
{
    struct merge_set *set = def->index < s->num_defs ? s->sets[def->index] : NULL;
    return set && set->reg ? set : NULL;
}

static void make_registers(struct state *s)
{
    for (unsigned i = 0; i < s->num_defs; i++) {
        struct merge_set *set = s->sets[i];
        if (set && !set->reg && (set->has_phi || set->num_members > 1))
            set->reg = new_reg(s->impl, set->members);
    }
}

static nir_def *load_at(nir_builder *b, nir_def *reg)
{
    nir_intrinsic_instr *decl = nir_instr_as_intrinsic(reg->parent_instr);
    nir_def *def =
        nir_load_reg(b, nir_intrinsic_num_components(decl), nir_intrinsic_bit_size(decl), reg);
    def->divergent = nir_intrinsic_divergent(decl);
    return def;
}

/* Builders with a known function: nir_builder_at searches it, which takes time in nested code. */
static nir_builder builder_at(nir_function_impl *impl, nir_cursor cursor)
{
    nir_builder b = nir_builder_create(impl);
    b.cursor = cursor;
    return b;
}

static nir_def *load(nir_function_impl *impl, nir_cursor cursor, nir_def *reg)
{
    nir_builder b = builder_at(impl, cursor);
    return load_at(&b, reg);
}

struct rewrite {
    struct state *s;
    nir_instr *instr;
    struct {
        nir_def *reg, *value;
    } loads[8]; /* loads created for this instruction, as far as they fit */
    unsigned num_loads;
};

static bool rewrite_src(nir_src *src, void *data)
{
    struct rewrite *r = data;
    struct merge_set *set = register_of(r->s, src->ssa);
    nir_def *value = NULL;
    if (!set)
        return true;
    for (unsigned i = 0; i < r->num_loads && !value; i++) {
        if (r->loads[i].reg == set->reg)
            value = r->loads[i].value;
    }
    if (!value) {
        value = load(r->s->impl, nir_before_instr(r->instr), set->reg);
        if (r->num_loads < ARRAY_SIZE(r->loads)) {
            r->loads[r->num_loads].reg = set->reg;
            NEXT_OF(r->loads, r->num_loads).value = value;
        }
    }
    nir_src_rewrite(src, value);
    return true;
}

static void rewrite_instr(struct state *s, nir_instr *instr)
{
    struct rewrite r = {.s = s, .instr = instr};
    nir_foreach_src(instr, rewrite_src, &r);
    nir_def *def = nir_instr_def(instr);
    struct merge_set *set = def ? register_of(s, def) : NULL;
    if (set) {
        nir_builder b = builder_at(s->impl, nir_after_instr(instr));
        nir_store_reg(&b, def, set->reg);
    }
}

/* -------------------------------------------------------------------------- parallel copies --- */

/* A copy of a parallel copy that is being lowered. */
struct move {
    struct merge_set *dst; /* a register */
    struct merge_set *src; /* a register, or NULL: an SSA value */
    nir_def *value;
    bool done;
};

static void start_move(struct merge_set *set)
{
    if (!set)
        return;
    set->readers = 0;
    set->writer = NULL;
    set->saved = NULL;
}

/* Emits the move. Returns the move that becomes ready because no pending move reads its destination
 * anymore, or NULL. */
static struct move *emit_move(nir_builder *b, struct move *move)
{
    struct merge_set *src = move->src;
    nir_def *value = !src ? move->value : src->saved ? src->saved : load_at(b, src->reg);
    nir_store_reg(b, value, move->dst->reg);
    move->done = true;
    if (!src || --src->readers || !src->writer || src->writer->done)
        return NULL;
    return src->writer;
}

/* Writes registers that no pending move reads. The remaining moves form cycles; each cycle is
 * broken by copying the old value of one register first. */
static void emit_moves(struct state *s, nir_builder *b, struct move *moves, unsigned n)
{
    struct move **ready = talloc_array(s->mem_ctx, struct move *, MAX2(n, 1));
    unsigned head = 0, tail = 0;
    for (unsigned i = 0; i < n; i++) {
        start_move(moves[i].dst);
        start_move(moves[i].src);
    }
    for (unsigned i = 0; i < n; i++) {
        moves[i].dst->writer = &moves[i];
        if (moves[i].src)
            moves[i].src->readers++;
    }
    for (unsigned i = 0; i < n; i++) {
        if (!moves[i].dst->readers)
            ready[tail++] = &moves[i];
    }
    for (unsigned i = 0; i < n; i++) {
        while (head < tail) {
            struct move *next = emit_move(b, ready[head++]);
            if (next)
                ready[tail++] = next;
        }
        if (moves[i].done)
            continue;
        moves[i].dst->saved = load_at(b, moves[i].dst->reg);
        ready[tail++] = &moves[i];
    }
    while (head < tail) {
        struct move *next = emit_move(b, ready[head++]);
        if (next)
            ready[tail++] = next;
    }
    talloc_free(ready);
}

static void lower_parallel_copy(struct state *s, nir_parallel_copy_instr *copy)
{
    unsigned n = 0, count = 0;
    list_for_each_entry (nir_parallel_copy_entry, entry, &copy->entries, node)
        count++;
    struct move *moves = talloc_array(s->mem_ctx, struct move, MAX2(count, 1));
    nir_builder b = builder_at(s->impl, nir_before_instr(&copy->instr));
    list_for_each_entry_safe (nir_parallel_copy_entry, entry, &copy->entries, node) {
        struct merge_set *dst = register_of(s, &entry->def), *src = register_of(s, entry->src.ssa);
        if (!dst) {
            /* The value has no register, so the load replaces it. */
            nir_def_rewrite_uses(&entry->def, src ? load_at(&b, src->reg) : entry->src.ssa);
        } else if (dst != src && !nir_src_is_undef(entry->src)) {
            moves[n++] = (struct move){dst, src, entry->src.ssa, false};
        }
    }
    emit_moves(s, &b, moves, n);
    nir_instr_remove(&copy->instr);
    talloc_free(moves);
}

/* --------------------------------------------------------------------------------- phi webs --- */

static void rewrite_blocks(struct state *s)
{
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr_safe (instr, block) {
            if (instr->type != nir_instr_type_phi && instr->type != nir_instr_type_parallel_copy)
                rewrite_instr(s, instr);
        }
        nir_if *nif = nir_block_get_following_if(block);
        struct merge_set *set = nif ? register_of(s, nif->condition.ssa) : NULL;
        if (set)
            nir_src_rewrite(&nif->condition, load(s->impl, nir_after_block(block), set->reg));
    }
}

static void remove_phis(struct state *s)
{
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr_safe (instr, block) {
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
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block)
            instr->pass_flags = 0;
    }
    bool progress = isolate_phis(&s);
    if (progress) {
        nir_metadata_preserve(impl, nir_metadata_control_flow);
        nir_metadata_require(impl, nir_metadata_live_defs);
        s.num_defs = impl->ssa_alloc;
        s.sets = talloc_zero_array(s.mem_ctx, struct merge_set *, s.num_defs);
        s.next = talloc_zero_array(s.mem_ctx, nir_def *, s.num_defs);
        s.arena = arena_create(s.mem_ctx);
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

/* ----------------------------------------------------------------------------- other values --- */

/* Turns a phi into a register without coalescing, for passes that convert back to SSA. */
static void phi_to_reg(nir_function_impl *impl, nir_phi_instr *phi)
{
    nir_def *reg = new_reg(impl, &phi->def);
    nir_foreach_phi_src (src, phi) {
        nir_builder b = builder_at(impl, nir_after_block_before_jump(src->pred));
        if (!nir_src_is_undef(src->src))
            nir_store_reg(&b, src->src.ssa, reg);
    }
    nir_builder b = builder_at(impl, nir_after_phis(phi->instr.block));
    nir_def_replace(&phi->def, load_at(&b, reg));
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

static bool def_to_reg(nir_function_impl *impl, nir_def *def)
{
    nir_instr *instr = def->parent_instr;
    nir_def *reg = NULL;
    if (instr->type == nir_instr_type_load_const || instr->type == nir_instr_type_undef ||
        instr->type == nir_instr_type_deref ||
        (instr->type == nir_instr_type_intrinsic &&
         nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_decl_reg))
        return false;
    nir_foreach_use_including_if_safe(src, def)
    {
        if (nir_src_use_block(src) == instr->block)
            continue;
        if (!reg) {
            reg = new_reg(impl, def);
            nir_builder b = builder_at(impl, nir_after_instr(instr));
            nir_store_reg(&b, def, reg);
        }
        nir_src_rewrite(src, load(impl, nir_before_src(src), reg));
    }
    return reg != NULL;
}

bool nir_convert_from_ssa(nir_shader *shader, bool phi_webs_only)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        bool impl_progress = convert_phi_webs(impl);
        nir_foreach_block (block, impl) {
            if (phi_webs_only)
                break;
            nir_foreach_instr_safe (instr, block) {
                nir_def *def = nir_instr_def(instr);
                if (def)
                    impl_progress |= def_to_reg(impl, def);
            }
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
