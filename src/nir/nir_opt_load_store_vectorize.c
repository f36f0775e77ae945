/* SPDX-License-Identifier: MIT */
/*
 * Merges accesses to adjacent memory within a block: loads at the position of the first, stores at
 * the position of the last.
 *
 * An offset is split into a variable and a constant part. Accesses to the same resource with the
 * same variable part are adjacent if their constants are. Merging must not reorder conflicting
 * accesses: a load doesn't move up across a store that may alias, and a store doesn't move down
 * across anything that may read or write the memory or end the invocation. Two accesses are not
 * merged if only the second one could wrap around to the start of memory.
 */
#include "nir.h"

#include "nir_builder.h"
#include "nir_mod_analysis.h"
#include "nir_range_analysis.h"

#include "util/check.h"

/* Limit of the tracked accesses; comparing each access with all of them must stay cheap. */
#define MAX_OPEN 32

/* An intrinsic that can be merged, and the indices of its sources; -1: none. */
struct kind {
    nir_intrinsic_op op;
    nir_variable_mode mode;
    int8_t value, resource;
};

static const struct kind kinds[] = {
    {nir_intrinsic_load_uniform, nir_var_uniform, -1, -1},
    {nir_intrinsic_load_ubo, nir_var_mem_ubo, -1, 0},
    {nir_intrinsic_load_ssbo, nir_var_mem_ssbo, -1, 0},
    {nir_intrinsic_store_ssbo, nir_var_mem_ssbo, 0, 1},
    {nir_intrinsic_load_shared, nir_var_mem_shared, -1, -1},
    {nir_intrinsic_store_shared, nir_var_mem_shared, 0, -1},
    {nir_intrinsic_load_scratch, nir_var_function_temp, -1, -1},
    {nir_intrinsic_store_scratch, nir_var_function_temp, 0, -1},
};

struct access {
    nir_intrinsic_instr *intr;
    const struct kind *kind;
    nir_scalar base;    /* variable part of the offset; base.def is NULL if there is none */
    int64_t start, end; /* bytes relative to base */
    unsigned bytes;     /* bytes per component */
};

struct state {
    nir_builder b;
    nir_variable_mode modes;
    unsigned max_bytes;
    struct access open[MAX_OPEN];
    unsigned num_open;
};

static const struct kind *kind_of(const nir_intrinsic_instr *intr)
{
    for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
        if (kinds[i].op == intr->intrinsic)
            return &kinds[i];
    }
    return NULL;
}

static bool is_store(const struct access *a)
{
    return a->kind->value >= 0;
}

/* Splits the offset into a variable part, which is returned, and a constant. */
static nir_scalar split_offset(nir_src src, int64_t *constant)
{
    nir_scalar s = nir_scalar_resolved(src.ssa, 0);
    for (;;) {
        if (nir_scalar_is_const(s)) {
            *constant += nir_scalar_as_const_value(s).i32;
            return (nir_scalar){NULL, 0};
        }
        if (s.def->parent_instr->type != nir_instr_type_alu)
            return s;
        nir_alu_instr *alu = nir_instr_as_alu(s.def->parent_instr);
        if (alu->op != nir_op_iadd)
            return s;
        nir_scalar sides[2];
        for (unsigned i = 0; i < 2; i++)
            sides[i] =
                nir_scalar_resolved(alu->src[i].src.ssa, nir_alu_src_comp(&alu->src[i], s.comp));
        unsigned known = nir_scalar_is_const(sides[0]) ? 0 : 1;
        if (!nir_scalar_is_const(sides[known]))
            return s;
        *constant += nir_scalar_as_const_value(sides[known]).i32;
        s = sides[!known];
    }
}

static struct access describe(nir_intrinsic_instr *intr, const struct kind *kind)
{
    struct access a = {.intr = intr, .kind = kind};
    const nir_def *value = kind->value >= 0 ? intr->src[kind->value].ssa : &intr->def;
    a.base = split_offset(*nir_get_io_offset_src(intr), &a.start);
    if (nir_intrinsic_has_base(intr))
        a.start += nir_intrinsic_base(intr);
    a.bytes = value->bit_size / 8;
    a.end = a.start + a.bytes * value->num_components;
    return a;
}

/* --- Aliasing --- */

static nir_src *resource(const struct access *a)
{
    return a->kind->resource < 0 ? NULL : &a->intr->src[a->kind->resource];
}

static bool same_resource(const struct access *a, const struct access *b)
{
    nir_src *x = resource(a), *y = resource(b);
    if (!x || !y || x->ssa == y->ssa)
        return true;
    return nir_src_is_const(*x) && nir_src_is_const(*y) &&
           nir_src_as_uint(*x) == nir_src_as_uint(*y);
}

static bool same_base(const struct access *a, const struct access *b)
{
    return a->base.def == b->base.def && (!a->base.def || a->base.comp == b->base.comp);
}

static unsigned access_flags(const struct access *a)
{
    return nir_intrinsic_has_access(a->intr) ? nir_intrinsic_access(a->intr) : 0;
}

static bool may_alias(const struct access *a, const struct access *b)
{
    if (a->kind->mode != b->kind->mode)
        return false;
    if (!same_resource(a, b)) /* two blocks may share a buffer */
        return !(access_flags(a) & access_flags(b) & ACCESS_RESTRICT) ||
               !nir_src_is_const(*resource(a)) || !nir_src_is_const(*resource(b));
    return !same_base(a, b) || (a->start < b->end && b->start < a->end);
}

static void close_at(struct state *s, unsigned i)
{
    s->open[i] = s->open[--s->num_open];
}

/* Stops tracking stores, or with `loads` all accesses to writable memory. */
static void close_all(struct state *s, bool loads)
{
    for (unsigned i = s->num_open; i-- > 0;) {
        bool written = s->open[i].kind->mode & (nir_var_mem_ssbo | nir_var_mem_shared);
        if (is_store(&s->open[i]) || (loads && written))
            close_at(s, i);
    }
}

/* Stops tracking the accesses that must not be reordered with a. A later load may read other bytes
 * than the open load that it moves up to. So a store closes the open loads of the same memory,
 * whatever bytes it writes. */
static void close_aliases(struct state *s, const struct access *a)
{
    for (unsigned i = s->num_open; i-- > 0;) {
        const struct access *open = &s->open[i];
        if (!is_store(a) && !is_store(open))
            continue;
        struct access later = *open;
        if (!is_store(open)) { /* any access that may alias */
            later.start = INT64_MIN;
            later.end = INT64_MAX;
        }
        if (may_alias(a, &later))
            close_at(s, i);
    }
}

/* --- Merging --- */

static int64_t floor_div(int64_t x, int64_t y)
{
    return x >= 0 ? x / y : -((-x + y - 1) / y);
}

/* Returns true if either all or nothing of base + [start, end) wraps around: base is bounded, or
 * the range lies between two consecutive multiples of a factor of base. (An index whose product
 * wraps is out of bounds anyway.) */
static bool keeps_together(const struct access *a, int64_t start, int64_t end)
{
    if (!a->base.def)
        return start >= 0;
    if (start >= 0 &&
        nir_unsigned_upper_bound(a->base.def, a->base.comp) + (uint64_t)end <= UINT32_MAX)
        return true;
    int64_t factor = (int64_t)nir_known_factor(a->base.def, a->base.comp);
    return factor > 0 && floor_div(start, factor) == floor_div(end - 1, factor);
}

static bool can_join(const struct state *s, const struct access *a, const struct access *b)
{
    int64_t start = MIN2(a->start, b->start), end = MAX2(a->end, b->end);
    bool has_range = nir_intrinsic_has_range(a->intr) && nir_intrinsic_has_base(a->intr);
    return a->kind == b->kind && a->bytes == b->bytes && same_resource(a, b) && same_base(a, b) &&
           access_flags(a) == access_flags(b) && a->start <= b->end && b->start <= a->end &&
           (a->start - b->start) % a->bytes == 0 && end - start <= s->max_bytes &&
           (!has_range || (nir_intrinsic_base(a->intr) == nir_intrinsic_base(b->intr) &&
                           nir_intrinsic_range(a->intr) == nir_intrinsic_range(b->intr))) &&
           keeps_together(a, start, end);
}

/* Creates an access like `where` at the cursor, starting at `start`. low: the one of the two merged
 * accesses that starts there. */
static nir_intrinsic_instr *new_access(struct state *s, const struct access *where,
                                       const struct access *low, unsigned num_components)
{
    nir_intrinsic_instr *old = where->intr;
    nir_intrinsic_instr *new = nir_intrinsic_instr_create(s->b.shader, old->intrinsic);
    memcpy(new->const_index, low->intr->const_index, sizeof new->const_index);
    new->num_components = (uint8_t)num_components;
    for (unsigned i = 0; i < nir_intrinsic_infos[old->intrinsic].num_srcs; i++)
        new->src[i] = nir_src_for_ssa(old->src[i].ssa);
    if (nir_intrinsic_has_scratch_var(new)) /* the access may cover two variables */
        nir_intrinsic_set_scratch_var(new, 0);
    int64_t offset = low->start;
    if (nir_intrinsic_has_base(new))
        offset -= nir_intrinsic_base(new);
    nir_def *constant = nir_imm_int(&s->b, (int)offset);
    if (low->base.def) {
        nir_def *base = nir_channel(&s->b, low->base.def, low->base.comp);
        constant = offset ? nir_iadd(&s->b, base, constant) : base;
    }
    *nir_get_io_offset_src(new) = nir_src_for_ssa(constant);
    return new;
}

/* Returns the mask of components that access a occupies in an access starting at `start`. */
static nir_component_mask_t components_of(const struct access *a, int64_t start)
{
    unsigned first = (unsigned)(a->start - start) / a->bytes;
    unsigned count = (unsigned)(a->end - a->start) / a->bytes;
    return (nir_component_mask_t)(((1u << count) - 1) << first);
}

/* Extends *first to also read the components of `load`, which comes later. */
static void join_loads(struct state *s, struct access *first, const struct access *load)
{
    const struct access *low = first->start <= load->start ? first : load;
    struct access all = *first;
    all.start = low->start;
    all.end = MAX2(first->end, load->end);
    nir_def *value = &first->intr->def;
    if (all.start != first->start || all.end != first->end) {
        s->b.cursor = nir_before_instr(&first->intr->instr);
        all.intr = new_access(s, first, low, (unsigned)(all.end - all.start) / all.bytes);
        nir_def_init(&all.intr->instr, &all.intr->def, all.intr->num_components, value->bit_size);
        nir_builder_instr_insert(&s->b, &all.intr->instr);
        value = &all.intr->def;
        nir_def_replace(&first->intr->def,
                        nir_channels(&s->b, value, components_of(first, all.start)));
    }
    s->b.cursor = nir_after_instr(&all.intr->instr);
    nir_def_replace(&load->intr->def, nir_channels(&s->b, value, components_of(load, all.start)));
    *first = all;
}

/* Merges *first into `store`, which comes later and takes precedence where both write. */
static void join_stores(struct state *s, struct access *first, const struct access *store)
{
    const struct access *low = first->start <= store->start ? first : store;
    const struct access *parts[2] = {first, store};
    int64_t end = MAX2(first->end, store->end);
    unsigned num_components = (unsigned)(end - low->start) / low->bytes, mask = 0;
    nir_def *comps[NIR_MAX_VEC_COMPONENTS] = {NULL};
    s->b.cursor = nir_before_instr(&store->intr->instr);
    for (unsigned p = 0; p < 2; p++) {
        unsigned shift = (unsigned)(parts[p]->start - low->start) / low->bytes;
        nir_def *value = parts[p]->intr->src[parts[p]->kind->value].ssa;
        for (unsigned c = 0; c < value->num_components; c++) {
            if (!(nir_intrinsic_write_mask(parts[p]->intr) >> c & 1))
                continue;
            comps[shift + c] = nir_channel(&s->b, value, c);
            mask |= 1u << (shift + c);
        }
    }
    for (unsigned c = 0; c < num_components; c++) {
        if (!comps[c])
            comps[c] = nir_undef(&s->b, 1, low->bytes * 8);
    }
    struct access all = *store;
    all.intr = new_access(s, store, low, num_components);
    all.intr->src[all.kind->value] = nir_src_for_ssa(nir_vec(&s->b, comps, num_components));
    nir_intrinsic_set_write_mask(all.intr, mask);
    nir_builder_instr_insert(&s->b, &all.intr->instr);
    nir_instr_remove(&first->intr->instr);
    nir_instr_remove(&store->intr->instr);
    all.start = low->start;
    all.end = end;
    *first = all;
}

static bool is_vector_size(unsigned num_components)
{
    return num_components <= 5 || num_components == 8 || num_components == 16;
}

/* Finds an open access that a can be merged with and removes it from the list. */
static bool take_neighbor(struct state *s, const struct access *a, struct access *found)
{
    for (unsigned i = 0; i < s->num_open; i++) {
        *found = s->open[i];
        if (!can_join(s, found, a))
            continue;
        int64_t bytes = MAX2(found->end, a->end) - MIN2(found->start, a->start);
        if (!is_vector_size((unsigned)bytes / a->bytes))
            continue;
        close_at(s, i);
        return true;
    }
    return false;
}

static bool visit_access(struct state *s, const struct access *a)
{
    struct access first;
    bool join = take_neighbor(s, a, &first);
    close_aliases(s, a);
    if (join && is_store(a))
        join_stores(s, &first, a);
    else if (join)
        join_loads(s, &first, a);
    else
        first = *a;
    if (s->num_open == MAX_OPEN)
        close_at(s, 0);
    NEXT_OF(s->open, s->num_open) = first;
    return join;
}

/* Returns true for effects that don't involve memory visible to other invocations. */
static bool is_private(const nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_store_output:
    case nir_intrinsic_store_per_vertex_output:
    case nir_intrinsic_store_scratch:
    case nir_intrinsic_store_reg:
    case nir_intrinsic_store_reg_indirect:
    case nir_intrinsic_load_output:
    case nir_intrinsic_load_per_vertex_output:
    case nir_intrinsic_load_scratch:
    case nir_intrinsic_load_reg:
    case nir_intrinsic_load_reg_indirect:
        return true;
    default:
        return false;
    }
}

static bool visit_intrinsic(struct state *s, nir_intrinsic_instr *intr)
{
    const struct kind *kind = kind_of(intr);
    unsigned flags = nir_intrinsic_infos[intr->intrinsic].flags;
    if (kind && (kind->mode & s->modes)) {
        struct access a = describe(intr, kind);
        bool vol = access_flags(&a) & ACCESS_VOLATILE;
        if (a.bytes && !vol)
            return visit_access(s, &a);
    }
    if (is_private(intr))
        return false;
    if (!(flags & NIR_INTRINSIC_CAN_ELIMINATE))
        close_all(s, true);
    else if (!nir_intrinsic_can_reorder(intr))
        close_all(s, false);
    return false;
}

static bool vectorize_impl(struct state *s, nir_function_impl *impl)
{
    bool progress = false;
    s->b = nir_builder_create(impl);
    nir_foreach_block (block, impl) {
        s->num_open = 0;
        nir_foreach_instr_safe (instr, block) {
            if (instr->type == nir_instr_type_intrinsic)
                progress |= visit_intrinsic(s, nir_instr_as_intrinsic(instr));
            else if (instr->type == nir_instr_type_call)
                close_all(s, true);
        }
    }
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_load_store_vectorize(nir_shader *shader, nir_variable_mode modes, unsigned max_bytes)
{
    struct state s = {.modes = modes, .max_bytes = max_bytes};
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= vectorize_impl(&s, impl);
    return progress;
}
