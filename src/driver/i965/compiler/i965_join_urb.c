/* SPDX-License-Identifier: MIT */
/*
 * Merges accesses to the same slot or to adjacent slots of a URB entry, because a message transfers
 * two slots: reads of inputs of geometry and tessellation control shaders and of outputs of the
 * latter within a block, and consecutive stores to these outputs. Requires nir_lower_io. Accesses
 * at variable offsets stay as they are.
 */
#include "from_nir.h"
#include "nir/nir_builder.h"

#include "util/check.h"

enum { SLOT_DWORDS = 4, MAX_SLOTS = 2, JOINED_DWORDS = MAX_SLOTS * SLOT_DWORDS };

/* An access to part of one slot, or a merged one to two slots. */
struct slot_access {
    nir_intrinsic_instr *intr;
    const nir_def *vertex; /* NULL: of the patch. */
    unsigned slot, slots;  /* First slot, as a location plus offset, and their number. */
};

/* Returns the index of the source with the vertex, or -1 for per-patch variables. */
static int vertex_source(const nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_per_vertex_output:
        return 0;
    case nir_intrinsic_store_per_vertex_output:
        return 1;
    default:
        return -1;
    }
}

/* Returns whether the value that the access loads may change. */
static bool is_output_load(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_load_output ||
           intr->intrinsic == nir_intrinsic_load_per_vertex_output;
}

/* Returns whether the access is a load that may be merged. */
static bool is_load(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_load_per_vertex_input || is_output_load(intr);
}

/* Returns whether the access stores to an output. */
static bool is_store(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_store_output ||
           intr->intrinsic == nir_intrinsic_store_per_vertex_output;
}

/* Describes an access that can be merged. Returns false for others: built-in varyings that share a
 * slot, 64-bit values and variable offsets. */
static bool describe(nir_intrinsic_instr *intr, struct slot_access *out)
{
    int vertex = vertex_source(intr);
    const nir_src *offset = nir_get_io_offset_src(intr);
    const nir_def *value = is_store(intr) ? intr->src[0].ssa : &intr->def;
    unsigned location = nir_intrinsic_io_semantics(intr).location;
    unsigned dwords = nir_intrinsic_component(intr) + value->num_components;
    if (!nir_src_is_const(*offset) || value->bit_size != 32 || dwords > JOINED_DWORDS ||
        location == VARYING_SLOT_PSIZ || location == VARYING_SLOT_LAYER ||
        location == VARYING_SLOT_VIEWPORT)
        return false;
    /* Elements of other built-in arrays may be in slots that don't follow each other. */
    if (location < VARYING_SLOT_VAR0 && nir_src_as_uint(*offset))
        return false;
    out->intr = intr;
    out->vertex = vertex < 0 ? NULL : intr->src[vertex].ssa;
    out->slot = location + (unsigned)nir_src_as_uint(*offset);
    out->slots = DIV_ROUND_UP(dwords, SLOT_DWORDS);
    return true;
}

/* Returns whether one message can access the slots of both. Slots are in the order of their
 * locations, except for those of built-in varyings; the inner tessellation levels follow the outer
 * levels here. */
static bool can_join(const struct slot_access *a, const struct slot_access *b)
{
    unsigned first = MIN2(a->slot, b->slot);
    unsigned end = MAX2(a->slot + a->slots, b->slot + b->slots);
    static_assert(VARYING_SLOT_TESS_LEVEL_OUTER + 1 == VARYING_SLOT_TESS_LEVEL_INNER, "");
    if (a->intr->intrinsic != b->intr->intrinsic || a->vertex != b->vertex ||
        end - first > MAX_SLOTS)
        return false;
    return end - first == 1 || first >= VARYING_SLOT_VAR0 || first == VARYING_SLOT_TESS_LEVEL_OUTER;
}

/* Returns the access of the two that has the first slot. */
static const struct slot_access *lower(const struct slot_access *a, const struct slot_access *b)
{
    return a->slot <= b->slot ? a : b;
}

/* Returns the number of dwords of the access that replaces both. */
static unsigned joined_dwords(const struct slot_access *a, const struct slot_access *b)
{
    unsigned end = MAX2(a->slot + a->slots, b->slot + b->slots);
    return (end - MIN2(a->slot, b->slot)) * SLOT_DWORDS;
}

/* Returns the position of the access's first dword after the start of a slot. */
static unsigned dword_after(const struct slot_access *access, unsigned slot)
{
    return (access->slot - slot) * SLOT_DWORDS + nir_intrinsic_component(access->intr);
}

/* --- Stores --- */

/* Adds the dwords that a store writes to those of the store that replaces it, which starts at
 * `slot`. */
static void gather_dwords(nir_builder *b, const struct slot_access *store, unsigned slot,
                          nir_def *dwords[JOINED_DWORDS], unsigned *mask)
{
    unsigned first = dword_after(store, slot);
    nir_def *value = store->intr->src[0].ssa;
    for (unsigned i = 0; i < value->num_components; i++) {
        if (!(nir_intrinsic_write_mask(store->intr) >> i & 1))
            continue;
        dwords[first + i] = nir_channel(b, value, i);
        *mask |= 1u << (first + i);
    }
}

/* Replaces both stores by one at the place of the second. Returns it. */
static nir_intrinsic_instr *join_stores(const struct slot_access *first,
                                        const struct slot_access *second)
{
    const struct slot_access *low = lower(first, second);
    nir_builder b = nir_builder_at(nir_before_instr(&second->intr->instr));
    nir_def *dwords[JOINED_DWORDS], *undef = nir_undef(&b, 1, 32);
    unsigned mask = 0;
    for (unsigned i = 0; i < JOINED_DWORDS; i++)
        dwords[i] = undef;
    gather_dwords(&b, first, low->slot, dwords, &mask);
    gather_dwords(&b, second, low->slot, dwords, &mask);
    nir_def *value = nir_vec(&b, dwords, joined_dwords(first, second));
    nir_intrinsic_instr *store = nir_intrinsic_instr_create(b.shader, low->intr->intrinsic);
    store->num_components = value->num_components;
    memcpy(store->const_index, low->intr->const_index, sizeof store->const_index);
    for (unsigned s = 1; s < nir_intrinsic_infos[store->intrinsic].num_srcs; s++)
        store->src[s] = nir_src_for_ssa(low->intr->src[s].ssa);
    store->src[0] = nir_src_for_ssa(value);
    nir_intrinsic_set_component(store, 0);
    nir_intrinsic_set_write_mask(store, mask);
    nir_intrinsic_set_src_type(store, nir_type_uint32);
    nir_builder_instr_insert(&b, &store->instr);
    nir_instr_remove(&first->intr->instr);
    nir_instr_remove(&second->intr->instr);
    return store;
}

/* Returns whether the first of two stores may move across the instruction. */
static bool may_cross(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return true;
    switch (nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic) {
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_constant:
    case nir_intrinsic_load_invocation_id:
    case nir_intrinsic_load_primitive_id:
        return true;
    default:
        return false;
    }
}

/* Merges the stores of a block. Returns whether it changed something. */
static bool join_outputs(nir_block *block)
{
    struct slot_access pending = {0}, access;
    bool progress = false;
    nir_foreach_instr_safe (instr, block) {
        bool store =
            instr->type == nir_instr_type_intrinsic && is_store(nir_instr_as_intrinsic(instr));
        if (!store || !describe(nir_instr_as_intrinsic(instr), &access)) {
            if (store || !may_cross(instr))
                pending.intr = NULL;
            continue;
        }
        if (pending.intr && can_join(&pending, &access)) {
            nir_intrinsic_instr *joined = join_stores(&pending, &access);
            if (!describe(joined, &pending))
                pending.intr = NULL;
            progress = true;
        } else {
            pending = access;
        }
    }
    return progress;
}

/* --- Loads --- */

/* Replaces a load by components of a merged one that starts at `slot`. */
static void replace_load(nir_builder *b, const struct slot_access *load, nir_def *joined,
                         unsigned slot)
{
    nir_def *parts[JOINED_DWORDS], *def = &load->intr->def;
    for (unsigned i = 0; i < def->num_components; i++)
        parts[i] = nir_channel(b, joined, dword_after(load, slot) + i);
    nir_def_replace(def, nir_vec(b, parts, def->num_components));
}

/* Replaces both loads by one at the place of the first. Returns it. */
static nir_intrinsic_instr *join_loads(const struct slot_access *first,
                                       const struct slot_access *second)
{
    const struct slot_access *low = lower(first, second);
    nir_builder b = nir_builder_at(nir_before_instr(&first->intr->instr));
    nir_def *offset = nir_imm_int(&b, (int)nir_src_as_uint(*nir_get_io_offset_src(low->intr)));
    nir_intrinsic_instr *load = nir_intrinsic_instr_create(b.shader, low->intr->intrinsic);
    load->num_components = (uint8_t)joined_dwords(first, second);
    memcpy(load->const_index, low->intr->const_index, sizeof load->const_index);
    if (vertex_source(load) == 0)
        load->src[0] = nir_src_for_ssa(low->intr->src[0].ssa);
    *nir_get_io_offset_src(load) = nir_src_for_ssa(offset);
    nir_intrinsic_set_component(load, 0);
    nir_intrinsic_set_dest_type(load, nir_type_uint32);
    nir_def_init(&load->instr, &load->def, load->num_components, 32);
    nir_builder_instr_insert(&b, &load->instr);
    unsigned slot = low->slot;
    replace_load(&b, first, &load->def, slot);
    replace_load(&b, second, &load->def, slot);
    return load;
}

/* Returns whether no output changes at the instruction. */
static bool keeps_outputs(const nir_instr *instr)
{
    return may_cross(instr) || is_output_load(nir_instr_as_intrinsic((nir_instr *)instr));
}

/* Merges the loads of a block. Returns whether it changed something. */
static bool join_inputs(nir_block *block)
{
    DYNARRAY(struct slot_access) loads = {0};
    struct slot_access access;
    bool progress = false;
    nir_foreach_instr_safe (instr, block) {
        if (!keeps_outputs(instr)) {
            unsigned kept = 0;
            for (unsigned i = 0; i < loads.count; i++)
                if (!is_output_load(loads.data[i].intr))
                    loads.data[kept++] = loads.data[i];
            loads.count = kept;
        }
        if (instr->type != nir_instr_type_intrinsic || !is_load(nir_instr_as_intrinsic(instr)) ||
            !describe(nir_instr_as_intrinsic(instr), &access))
            continue;
        unsigned i = loads.count;
        while (i && !can_join(&loads.data[i - 1], &access))
            i--;
        if (!i) {
            (void)dynarray_append(&loads, access);
            continue;
        }
        nir_intrinsic_instr *joined = join_loads(&loads.data[i - 1], &access);
        if (!describe(joined, &loads.data[i - 1]))
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
