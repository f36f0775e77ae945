/* SPDX-License-Identifier: MIT */
#include "nir_phi_builder.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/dynarray.h"

struct new_phi {
    struct nir_phi_builder_value *value;
    nir_phi_instr *phi;
    nir_block *block;
};

struct nir_phi_builder {
    nir_function_impl *impl;
    struct arena *arena;
    DYNARRAY(nir_block *) work; /* of nir_phi_builder_add_def */
    DYNARRAY(struct new_phi) phis;
    DYNARRAY(nir_def *) defs; /* those that slots name; the first is NULL */
};

/* What is known of a value in a block. There are many: of each of many variables, for each block on
 * the way from where it is assigned to where it is read. */
struct slot {
    unsigned def : 30;  /* at the block's end, as far as the walk has come: in defs */
    bool assigned : 1;  /* the block assigns the value, by a phi at least */
    bool needs_phi : 1; /* until the phi is made */
};

struct entry {
    unsigned block; /* index + 1; 0: free */
    struct slot slot;
};

/* Of many values each is in few blocks, tables by block for each of them would not be linear: slots
 * are hashed by block until a table by block is as small. */
struct nir_phi_builder_value {
    struct nir_phi_builder *builder;
    unsigned num_components, bit_size;
    struct entry *entries; /* open addressing, linear probing */
    unsigned mask, count;  /* entries - 1; entries in use */
    struct slot *by_block; /* or NULL */
    unsigned undef;        /* in defs, or 0 */
};

/* The entry of block, or the free one that would be its. */
static struct entry *find_entry(const struct nir_phi_builder_value *value, unsigned block)
{
    unsigned i = block & value->mask; /* neighbours in the code are neighbours here */
    while (value->entries[i].block && value->entries[i].block != block + 1)
        i = (i + 1) & value->mask;
    return &value->entries[i];
}

/* All zero if nothing is known. */
static struct slot get_slot(const struct nir_phi_builder_value *value, const nir_block *block)
{
    return value->by_block ? value->by_block[block->index] : find_entry(value, block->index)->slot;
}

static void make_entries(struct nir_phi_builder_value *value, unsigned size)
{
    value->entries = arena_zalloc(value->builder->arena, size * sizeof *value->entries);
    value->mask = size - 1;
}

static void grow(struct nir_phi_builder_value *value)
{
    struct entry *old = value->entries;
    unsigned old_size = value->mask + 1, num_blocks = value->builder->impl->num_blocks;
    if (num_blocks <= 4 * old_size)
        value->by_block = arena_zalloc(value->builder->arena, num_blocks * sizeof(struct slot));
    else
        make_entries(value, 2 * old_size);
    for (unsigned i = 0; i < old_size; i++) {
        if (old[i].block && value->by_block)
            value->by_block[old[i].block - 1] = old[i].slot;
        else if (old[i].block)
            *find_entry(value, old[i].block - 1) = old[i];
    }
}

static struct slot *slot_in_entries(struct nir_phi_builder_value *value, unsigned block)
{
    struct entry *entry = find_entry(value, block);
    if (!entry->block && value->count++ > value->mask / 2) {
        grow(value);
        if (value->by_block)
            return &value->by_block[block];
        entry = find_entry(value, block);
    }
    entry->block = block + 1;
    return &entry->slot;
}

static inline struct slot *slot_of(struct nir_phi_builder_value *value, const nir_block *block)
{
    return value->by_block ? &value->by_block[block->index] : slot_in_entries(value, block->index);
}

static unsigned add_def(struct nir_phi_builder *pb, nir_def *def)
{
    (void)dynarray_append(&pb->defs, def);
    return pb->defs.count - 1;
}

struct nir_phi_builder *nir_phi_builder_create(nir_function_impl *impl)
{
    nir_metadata_require(impl, nir_metadata_dominance | nir_metadata_block_index);
    struct nir_phi_builder *pb = talloc_zero(NULL, struct nir_phi_builder);
    pb->impl = impl;
    pb->work.mem_ctx = pb;
    pb->phis.mem_ctx = pb;
    pb->defs.mem_ctx = pb;
    pb->arena = arena_create(pb);
    add_def(pb, NULL);
    return pb;
}

struct nir_phi_builder_value *nir_phi_builder_add_value(struct nir_phi_builder *pb,
                                                        unsigned num_components, unsigned bit_size)
{
    struct nir_phi_builder_value *value = arena_zalloc(pb->arena, sizeof *value);
    value->builder = pb;
    value->num_components = num_components;
    value->bit_size = bit_size;
    make_entries(value, 8);
    return value;
}

static void assign(struct nir_phi_builder_value *value, struct slot *slot, nir_block *block)
{
    if (slot->assigned)
        return;
    slot->assigned = true;
    (void)dynarray_append(&value->builder->work, block);
}

/* The iterated dominance frontier grows by that of the block. */
void nir_phi_builder_add_def(struct nir_phi_builder_value *value, nir_block *block)
{
    struct nir_phi_builder *pb = value->builder;
    assign(value, slot_of(value, block), block);
    while (pb->work.count) {
        block = pb->work.data[--pb->work.count];
        for (unsigned i = 0; i < block->num_dom_frontier; i++) {
            if (block->dom_frontier[i] == pb->impl->end_block)
                continue;
            struct slot *slot = slot_of(value, block->dom_frontier[i]);
            slot->needs_phi = true;
            assign(value, slot, block->dom_frontier[i]);
        }
    }
}

static unsigned value_undef(struct nir_phi_builder_value *value)
{
    struct nir_phi_builder *pb = value->builder;
    if (!value->undef)
        value->undef =
            add_def(pb, nir_impl_undef(pb->impl, value->num_components, value->bit_size));
    return value->undef;
}

/* The phi is inserted at the end, as its sources are known only then. */
static unsigned new_phi(struct nir_phi_builder_value *value, nir_block *block)
{
    struct nir_phi_builder *pb = value->builder;
    nir_phi_instr *phi = nir_phi_instr_create(nir_impl_shader(pb->impl));
    nir_def_init(&phi->instr, &phi->def, value->num_components, value->bit_size);
    (void)dynarray_append(&pb->phis, ((struct new_phi){value, phi, block}));
    return add_def(pb, &phi->def);
}

nir_def *nir_phi_builder_get(struct nir_phi_builder_value *value, nir_block *block)
{
    nir_block *dom = block;
    unsigned def = 0;
    for (; dom; dom = dom->imm_dom) {
        struct slot slot = get_slot(value, dom);
        def = slot.def;
        if (!def && slot.needs_phi) {
            slot_of(value, dom)->needs_phi = false;
            def = new_phi(value, dom);
        }
        if (def)
            break;
    }
    if (!def)
        def = value_undef(value);
    for (nir_block *b = block; b; b = b->imm_dom) {
        struct slot *slot = slot_of(value, b);
        if (slot->def)
            break;
        slot->def = def;
        if (b == dom)
            break;
    }
    return value->builder->defs.data[def];
}

void nir_phi_builder_set(struct nir_phi_builder_value *value, nir_block *block, nir_def *def)
{
    slot_of(value, block)->def = add_def(value->builder, def);
}

void nir_phi_builder_finish(struct nir_phi_builder *pb)
{
    /* Asking for the sources may make more phis, behind those at hand. */
    for (unsigned i = 0; i < pb->phis.count; i++) {
        struct new_phi p = pb->phis.data[i];
        for (unsigned j = 0; j < p.block->num_predecessors; j++) {
            nir_block *pred = p.block->predecessors[j];
            nir_phi_instr_add_src(p.phi, pred, nir_phi_builder_get(p.value, pred));
        }
    }
    for (unsigned i = 0; i < pb->phis.count; i++)
        nir_instr_insert(nir_before_block(pb->phis.data[i].block), &pb->phis.data[i].phi->instr);
    talloc_free(pb);
}
