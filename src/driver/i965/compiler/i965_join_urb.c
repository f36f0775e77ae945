/* SPDX-License-Identifier: MIT */
/*
 * Merges accesses to adjacent slots of a URB entry, because a message transfers
 * two slots: inputs of geometry and tessellation control shaders that a block
 * reads, and consecutive stores to outputs of tessellation control shaders.
 * Requires nir_lower_io and scalar accesses at constant offsets; others stay as
 * they are.
 */
#include "from_nir.h"
#include "nir/nir_builder.h"

#include "util/check.h"

enum { SLOT_DWORDS = 4, JOINED_DWORDS = 8 };

/* An access to part of one slot. */
struct slot_access {
    nir_intrinsic_instr *intr;
    const nir_def *vertex; /* NULL: of the patch. */
    unsigned slot;         /* Location plus offset. */
};

static bool is_input(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_load_per_vertex_input;
}

static bool is_output(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_store_output ||
           intr->intrinsic == nir_intrinsic_store_per_vertex_output;
}

/* Describes an access that can be merged. Returns false for others: built-in
 * varyings, whose slots are not in the order of their locations, 64-bit values
 * and variable offsets. */
static bool describe(nir_intrinsic_instr *intr, struct slot_access *out)
{
    bool load = is_input(intr), patch = intr->intrinsic == nir_intrinsic_store_output;
    const nir_src *offset = &intr->src[load ? 1 : patch ? 1 : 2];
    const nir_def *value = load ? &intr->def : intr->src[0].ssa;
    unsigned location = nir_intrinsic_io_semantics(intr).location;
    if (!nir_src_is_const(*offset) || value->bit_size != 32 || location < VARYING_SLOT_VAR0 ||
        nir_intrinsic_component(intr) + value->num_components > SLOT_DWORDS)
        return false;
    out->intr = intr;
    out->vertex = patch ? NULL : intr->src[load ? 0 : 1].ssa;
    out->slot = location + (unsigned)nir_src_as_uint(*offset);
    return true;
}

static bool adjacent(const struct slot_access *a, const struct slot_access *b)
{
    return a->intr->intrinsic == b->intr->intrinsic && a->vertex == b->vertex &&
           (a->slot == b->slot + 1 || b->slot == a->slot + 1);
}

/* --- Stores --- */

static void gather_dwords(nir_builder *b, const nir_intrinsic_instr *store, unsigned first,
                          nir_def *dwords[JOINED_DWORDS], unsigned *mask)
{
    unsigned component = first + nir_intrinsic_component(store);
    for (unsigned i = 0; i < store->src[0].ssa->num_components; i++) {
        if (!(nir_intrinsic_write_mask(store) >> i & 1))
            continue;
        dwords[component + i] = nir_channel(b, store->src[0].ssa, i);
        *mask |= 1u << (component + i);
    }
}

/* Replaces both stores by one at the place of the second. */
static void join_stores(const struct slot_access *first, const struct slot_access *second)
{
    nir_intrinsic_instr *low = first->slot < second->slot ? first->intr : second->intr;
    nir_intrinsic_instr *high = low == first->intr ? second->intr : first->intr;
    nir_builder b = nir_builder_at(nir_before_instr(&second->intr->instr));
    nir_def *dwords[JOINED_DWORDS], *undef = nir_undef(&b, 1, 32);
    unsigned mask = 0;
    for (unsigned i = 0; i < JOINED_DWORDS; i++)
        dwords[i] = undef;
    gather_dwords(&b, low, 0, dwords, &mask);
    gather_dwords(&b, high, SLOT_DWORDS, dwords, &mask);
    nir_def *value = nir_vec(&b, dwords, JOINED_DWORDS);
    if (first->vertex)
        nir_store_per_vertex_output(&b, value, low->src[1].ssa, low->src[2].ssa,
                                    .base = nir_intrinsic_base(low), .write_mask = mask,
                                    .src_type = nir_type_uint32,
                                    .io_semantics = nir_intrinsic_io_semantics(low));
    else
        nir_store_output(&b, value, low->src[1].ssa, .base = nir_intrinsic_base(low),
                         .write_mask = mask, .src_type = nir_type_uint32,
                         .io_semantics = nir_intrinsic_io_semantics(low));
    nir_instr_remove(&first->intr->instr);
    nir_instr_remove(&second->intr->instr);
}

/* Whether the first of two stores may move across the instruction. */
static bool may_cross(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return true;
    switch (nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic) {
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_invocation_id:
    case nir_intrinsic_load_primitive_id:
        return true;
    default:
        return false;
    }
}

static bool join_outputs(nir_block *block)
{
    struct slot_access pending = {0}, access;
    bool progress = false;
    nir_foreach_instr_safe (instr, block) {
        bool store =
            instr->type == nir_instr_type_intrinsic && is_output(nir_instr_as_intrinsic(instr));
        if (!store || !describe(nir_instr_as_intrinsic(instr), &access)) {
            if (store || !may_cross(instr))
                pending.intr = NULL;
            continue;
        }
        if (pending.intr && adjacent(&pending, &access)) {
            join_stores(&pending, &access);
            pending.intr = NULL;
            progress = true;
        } else {
            pending = access;
        }
    }
    return progress;
}

/* --- Loads --- */

static void replace_load(nir_builder *b, nir_intrinsic_instr *load, nir_def *joined, unsigned first)
{
    nir_def *parts[SLOT_DWORDS];
    for (unsigned i = 0; i < load->def.num_components; i++)
        parts[i] = nir_channel(b, joined, first + nir_intrinsic_component(load) + i);
    nir_def_replace(&load->def, nir_vec(b, parts, load->def.num_components));
}

/* Replaces both loads by one at the place of the first. */
static void join_loads(const struct slot_access *first, const struct slot_access *second)
{
    nir_intrinsic_instr *low = first->slot < second->slot ? first->intr : second->intr;
    nir_intrinsic_instr *high = low == first->intr ? second->intr : first->intr;
    nir_builder b = nir_builder_at(nir_before_instr(&first->intr->instr));
    nir_def *offset = nir_imm_int(&b, (int)nir_src_as_uint(low->src[1]));
    nir_def *joined = nir_load_per_vertex_input(
        &b, JOINED_DWORDS, 32, low->src[0].ssa, offset, .base = nir_intrinsic_base(low),
        .dest_type = nir_type_uint32, .io_semantics = nir_intrinsic_io_semantics(low));
    replace_load(&b, low, joined, 0);
    replace_load(&b, high, joined, SLOT_DWORDS);
}

static bool join_inputs(nir_block *block)
{
    DYNARRAY(struct slot_access) loads = {0};
    struct slot_access access;
    bool progress = false;
    nir_foreach_instr_safe (instr, block) {
        if (instr->type != nir_instr_type_intrinsic || !is_input(nir_instr_as_intrinsic(instr)) ||
            !describe(nir_instr_as_intrinsic(instr), &access))
            continue;
        unsigned i = loads.count;
        while (i && !adjacent(&loads.data[i - 1], &access))
            i--;
        if (!i) {
            (void)dynarray_append(&loads, access);
            continue;
        }
        join_loads(&loads.data[i - 1], &access);
        loads.data[i - 1] = loads.data[--loads.count];
        progress = true;
    }
    dynarray_finish(&loads);
    return progress;
}

bool i965_join_urb(nir_shader *nir)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    bool progress = false, patch = nir->info.stage == SHADER_TESS_CTRL;
    nir_foreach_block (block, impl) {
        if (patch)
            progress |= join_outputs(block);
        progress |= join_inputs(block);
    }
    if (progress)
        nir_metadata_preserve(impl, nir_metadata_control_flow);
    return progress;
}
