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
    nir_block **blocks; /* by index */
    unsigned num_blocks;
    unsigned *work;      /* of place_phis: blocks */
    bitset_word *queued; /* those that were in it */
    DYNARRAY(struct new_phi) phis;
};

/* What a value is at the end of a block, as far as the walk has come. */
struct slot {
    nir_def *def; /* NULL: free */
    unsigned block;
};

/* Of many values each is in few blocks: tables by block for each would not be linear. */
struct nir_phi_builder_value {
    struct nir_phi_builder *builder;
    unsigned num_components, bit_size;
    bitset_word *needs_phi; /* by block; cleared when the phi is made */
    struct slot *slots;     /* open addressing, linear probing */
    unsigned mask, count;   /* slots - 1; slots in use */
    nir_def *undef;
};

static struct slot *find_slot(const struct nir_phi_builder_value *value, unsigned block)
{
    unsigned i = (unsigned)(block * 0x9e3779b97f4a7c15ull >> 32) & value->mask;
    while (value->slots[i].def && value->slots[i].block != block)
        i = (i + 1) & value->mask;
    return &value->slots[i];
}

static nir_def *def_at(const struct nir_phi_builder_value *value, const nir_block *block)
{
    return find_slot(value, block->index)->def;
}

static void make_slots(struct nir_phi_builder_value *value, unsigned size)
{
    value->slots = arena_zalloc(value->builder->arena, size * sizeof *value->slots);
    value->mask = size - 1;
}

static void set_def(struct nir_phi_builder_value *value, const nir_block *block, nir_def *def)
{
    struct slot *slot = find_slot(value, block->index);
    if (!slot->def && value->count++ > value->mask / 2) {
        struct slot *old = value->slots;
        unsigned old_size = value->mask + 1;
        make_slots(value, 4 * old_size);
        for (unsigned i = 0; i < old_size; i++) {
            if (old[i].def)
                *find_slot(value, old[i].block) = old[i];
        }
        slot = find_slot(value, block->index);
    }
    *slot = (struct slot){def, block->index};
}

struct nir_phi_builder *nir_phi_builder_create(nir_function_impl *impl)
{
    nir_metadata_require(impl, nir_metadata_dominance | nir_metadata_block_index);
    struct nir_phi_builder *pb = talloc_zero(NULL, struct nir_phi_builder);
    pb->impl = impl;
    pb->num_blocks = impl->num_blocks;
    pb->phis.mem_ctx = pb;
    pb->arena = arena_create(pb);
    pb->work = talloc_array(pb, unsigned, pb->num_blocks);
    pb->queued = talloc_array(pb, bitset_word, BITSET_WORDS(pb->num_blocks));
    pb->blocks = talloc_array(pb, nir_block *, pb->num_blocks);
    nir_foreach_block(block, impl)
        pb->blocks[block->index] = block;
    pb->blocks[impl->end_block->index] = impl->end_block;
    return pb;
}

/* Iterated dominance frontier of the set in value->needs_phi's work list. */
static void place_phis(struct nir_phi_builder_value *value, const bitset_word *defs)
{
    struct nir_phi_builder *pb = value->builder;
    unsigned *work = pb->work, count = 0;
    bitset_word *queued = pb->queued;
    memcpy(queued, defs, BITSET_WORDS(pb->num_blocks) * sizeof *queued);
    bitset_foreach_set(i, defs, pb->num_blocks)
        work[count++] = i;
    while (count) {
        nir_block *block = pb->blocks[work[--count]];
        for (unsigned i = 0; i < block->num_dom_frontier; i++) {
            nir_block *frontier = block->dom_frontier[i];
            if (frontier == pb->impl->end_block)
                continue;
            bitset_set(value->needs_phi, frontier->index);
            if (!bitset_test(queued, frontier->index)) {
                bitset_set(queued, frontier->index);
                work[count++] = frontier->index;
            }
        }
    }
}

struct nir_phi_builder_value *nir_phi_builder_add_value(struct nir_phi_builder *pb,
                                                        unsigned num_components,
                                                        unsigned bit_size,
                                                        const bitset_word *defs)
{
    struct nir_phi_builder_value *value = arena_zalloc(pb->arena, sizeof *value);
    value->builder = pb;
    value->num_components = num_components;
    value->bit_size = bit_size;
    value->needs_phi = arena_zalloc(pb->arena,
                                    BITSET_WORDS(pb->num_blocks) * sizeof *value->needs_phi);
    make_slots(value, 8);
    place_phis(value, defs);
    return value;
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
    bitset_clear(value->needs_phi, block->index);
    (void)dynarray_append(&pb->phis, ((struct new_phi){value, phi, block}));
    return &phi->def;
}

nir_def *nir_phi_builder_get(struct nir_phi_builder_value *value, nir_block *block)
{
    nir_block *dom = block;
    nir_def *def = NULL;
    while (dom && !(def = def_at(value, dom))) {
        if (bitset_test(value->needs_phi, dom->index)) {
            def = new_phi(value, dom);
            break;
        }
        dom = dom->imm_dom;
    }
    if (!def)
        def = value_undef(value);
    for (nir_block *b = block; b && !def_at(value, b); b = b->imm_dom) {
        set_def(value, b, def);
        if (b == dom)
            break;
    }
    return def;
}

void nir_phi_builder_set(struct nir_phi_builder_value *value, nir_block *block, nir_def *def)
{
    set_def(value, block, def);
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
