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
    DYNARRAY(nir_block *) work; /* worklist of nir_phi_builder_add_def_block */
    DYNARRAY(struct new_phi) phis;
    DYNARRAY(nir_def *) defs; /* values that slots refer to; the first is NULL */
};

/* State of a value in a block. There are many slots: for each variable, one for each block between
 * its assignments and its uses. */
struct slot {
    /* index in defs of the value at the end of the block, up to the current position of the walk */
    unsigned def : 30;
    bool assigned : 1;  /* the block assigns the value, possibly by a phi */
    bool needs_phi : 1; /* a phi is required and not created yet */
};

struct entry {
    unsigned block; /* block index + 1; 0: free */
    struct slot slot;
};

/* Most values occur in few blocks, and a table by block for each value would take quadratic memory.
 * Slots are hashed by block until a table by block is no larger. */
struct nir_phi_builder_value {
    struct nir_phi_builder *builder;
    unsigned num_components, bit_size;
    struct entry *entries; /* open addressing with linear probing */
    unsigned mask, count;  /* mask: capacity - 1; count: used entries */
    struct slot *by_block; /* table by block index, or NULL */
    unsigned undef;        /* index in defs, or 0 */
};

/* Returns the entry of the block, or the free entry where it belongs. */
static struct entry *find_entry(const struct nir_phi_builder_value *value, unsigned block)
{
    unsigned i = block & value->mask; /* adjacent blocks use adjacent entries */
    while (value->entries[i].block && value->entries[i].block != block + 1)
        i = (i + 1) & value->mask;
    return &value->entries[i];
}

/* Returns zeros if the value has no slot for the block. */
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

/* Adds the block's dominance frontier to the iterated dominance frontier. */
void nir_phi_builder_add_def_block(struct nir_phi_builder_value *value, nir_block *block)
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

/* Creates a phi. It is inserted at the end, when its sources are known. */
static unsigned new_phi(struct nir_phi_builder_value *value, nir_block *block)
{
    struct nir_phi_builder *pb = value->builder;
    nir_phi_instr *phi = nir_phi_instr_create(nir_impl_shader(pb->impl));
    nir_def_init(&phi->instr, &phi->def, value->num_components, value->bit_size);
    (void)dynarray_append(&pb->phis, ((struct new_phi){value, phi, block}));
    return add_def(pb, &phi->def);
}

nir_def *nir_phi_builder_get_block_def(struct nir_phi_builder_value *value, nir_block *block)
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

void nir_phi_builder_set_block_def(struct nir_phi_builder_value *value, nir_block *block,
                                   nir_def *def)
{
    slot_of(value, block)->def = add_def(value->builder, def);
}

void nir_phi_builder_finish(struct nir_phi_builder *pb)
{
    /* Looking up the sources may append more phis to the list. */
    for (unsigned i = 0; i < pb->phis.count; i++) {
        struct new_phi p = pb->phis.data[i];
        for (unsigned j = 0; j < p.block->num_predecessors; j++) {
            nir_block *pred = p.block->predecessors[j];
            nir_phi_instr_add_src(p.phi, pred, nir_phi_builder_get_block_def(p.value, pred));
        }
    }
    for (unsigned i = 0; i < pb->phis.count; i++)
        nir_instr_insert(nir_before_block(pb->phis.data[i].block), &pb->phis.data[i].phi->instr);
    talloc_free(pb);
}
