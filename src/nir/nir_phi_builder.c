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
};

struct slot {
    nir_block *block; /* NULL: free */
    nir_def *def;     /* at its end, as far as the walk has come */
    bool assigned;    /* the block assigns the value, by a phi at least */
    bool needs_phi;   /* until the phi is made */
};

/* Of many values each is in few blocks: tables by block for each would not be linear. */
struct nir_phi_builder_value {
    struct nir_phi_builder *builder;
    unsigned num_components, bit_size;
    struct slot *slots;   /* open addressing, linear probing */
    unsigned mask, count; /* slots - 1; slots in use */
    nir_def *undef;
};

/* The slot of block, or the free one that would be its. */
static struct slot *find_slot(const struct nir_phi_builder_value *value, const nir_block *block)
{
    unsigned i = block->index & value->mask; /* neighbours in the code are neighbours here */
    while (value->slots[i].block && value->slots[i].block != block)
        i = (i + 1) & value->mask;
    return &value->slots[i];
}

static void make_slots(struct nir_phi_builder_value *value, unsigned size)
{
    value->slots = arena_zalloc(value->builder->arena, size * sizeof *value->slots);
    value->mask = size - 1;
}

static struct slot *slot_of(struct nir_phi_builder_value *value, nir_block *block)
{
    struct slot *slot = find_slot(value, block);
    if (slot->block)
        return slot;
    if (value->count++ > value->mask / 2) {
        struct slot *old = value->slots;
        unsigned old_size = value->mask + 1;
        make_slots(value, 4 * old_size);
        for (unsigned i = 0; i < old_size; i++) {
            if (old[i].block)
                *find_slot(value, old[i].block) = old[i];
        }
        slot = find_slot(value, block);
    }
    slot->block = block;
    return slot;
}

struct nir_phi_builder *nir_phi_builder_create(nir_function_impl *impl)
{
    nir_metadata_require(impl, nir_metadata_dominance | nir_metadata_block_index);
    struct nir_phi_builder *pb = talloc_zero(NULL, struct nir_phi_builder);
    pb->impl = impl;
    pb->work.mem_ctx = pb;
    pb->phis.mem_ctx = pb;
    pb->arena = arena_create(pb);
    return pb;
}

struct nir_phi_builder_value *nir_phi_builder_add_value(struct nir_phi_builder *pb,
                                                        unsigned num_components, unsigned bit_size)
{
    struct nir_phi_builder_value *value = arena_zalloc(pb->arena, sizeof *value);
    value->builder = pb;
    value->num_components = num_components;
    value->bit_size = bit_size;
    make_slots(value, 8);
    return value;
}

static void assign(struct nir_phi_builder_value *value, struct slot *slot)
{
    if (slot->assigned)
        return;
    slot->assigned = true;
    (void)dynarray_append(&value->builder->work, slot->block);
}

/* The iterated dominance frontier grows by that of the block. */
void nir_phi_builder_add_def(struct nir_phi_builder_value *value, nir_block *block)
{
    struct nir_phi_builder *pb = value->builder;
    assign(value, slot_of(value, block));
    while (pb->work.count) {
        block = pb->work.data[--pb->work.count];
        for (unsigned i = 0; i < block->num_dom_frontier; i++) {
            if (block->dom_frontier[i] == pb->impl->end_block)
                continue;
            struct slot *slot = slot_of(value, block->dom_frontier[i]);
            slot->needs_phi = true;
            assign(value, slot);
        }
    }
}

static nir_def *value_undef(struct nir_phi_builder_value *value)
{
    if (!value->undef)
        value->undef = nir_impl_undef(value->builder->impl, value->num_components, value->bit_size);
    return value->undef;
}

/* The phi is inserted at the end, as its sources are known only then. */
static nir_def *new_phi(struct nir_phi_builder_value *value, nir_block *block)
{
    struct nir_phi_builder *pb = value->builder;
    nir_phi_instr *phi = nir_phi_instr_create(nir_impl_shader(pb->impl));
    nir_def_init(&phi->instr, &phi->def, value->num_components, value->bit_size);
    (void)dynarray_append(&pb->phis, ((struct new_phi){value, phi, block}));
    return &phi->def;
}

nir_def *nir_phi_builder_get(struct nir_phi_builder_value *value, nir_block *block)
{
    nir_block *dom = block;
    nir_def *def = NULL;
    for (; dom; dom = dom->imm_dom) {
        struct slot *slot = find_slot(value, dom);
        def = slot->def;
        if (!def && slot->needs_phi) {
            slot->needs_phi = false;
            def = new_phi(value, dom);
        }
        if (def)
            break;
    }
    if (!def)
        def = value_undef(value);
    for (nir_block *b = block; b && !find_slot(value, b)->def; b = b->imm_dom) {
        slot_of(value, b)->def = def;
        if (b == dom)
            break;
    }
    return def;
}

void nir_phi_builder_set(struct nir_phi_builder_value *value, nir_block *block, nir_def *def)
{
    slot_of(value, block)->def = def;
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
