/* SPDX-License-Identifier: MIT */
/*
 * Replaces 64-bit values that are not results of arithmetic by pairs of 32-bit values: constants,
 * undefined values, phis, vertex attributes, and the values of ballots and memory accesses. Other
 * inputs and outputs are for nir_lower_64bit_io. Together with nir_lower_doubles and
 * nir_lower_int64, these passes remove all 64-bit values from a scalar shader, except pack and
 * unpack instructions that nir_opt_algebraic and nir_opt_dce remove.
 */
#include "nir.h"

#include "nir_builder.h"

static bool lower_phi(nir_builder *b, nir_phi_instr *phi)
{
    nir_def *half[2];
    if (phi->def.bit_size != 64 || phi->def.num_components != 1)
        return false;
    for (unsigned i = 0; i < 2; i++) {
        nir_phi_instr *word = nir_phi_instr_create(b->shader);
        nir_def_init(&word->instr, &word->def, 1, 32);
        nir_foreach_phi_src (src, phi) {
            b->cursor = nir_after_block_before_jump(src->pred);
            nir_def *x = src->src.ssa;
            nir_phi_instr_add_src(word, src->pred,
                                  i ? nir_unpack_64_2x32_split_y(b, x)
                                    : nir_unpack_64_2x32_split_x(b, x));
        }
        nir_instr_insert(nir_before_instr(&phi->instr), &word->instr);
        half[i] = &word->def;
    }
    b->cursor = nir_after_phis(phi->instr.block);
    nir_def_replace(&phi->def, nir_pack_64_2x32_split(b, half[0], half[1]));
    return true;
}

static bool lower_const(nir_builder *b, nir_load_const_instr *load)
{
    if (load->def.bit_size != 64 || load->def.num_components != 1)
        return false;
    uint64_t value = load->value[0].u64;
    b->cursor = nir_before_instr(&load->instr);
    nir_def *lo = nir_imm_int(b, (int)(uint32_t)value);
    nir_def_replace(&load->def, nir_pack_64_2x32_split(b, lo, nir_imm_int(b, (int)(value >> 32))));
    return true;
}

static bool lower_undef(nir_builder *b, nir_instr *instr, nir_def *def)
{
    if (def->bit_size != 64 || def->num_components != 1)
        return false;
    b->cursor = nir_before_instr(instr);
    nir_def *word = nir_undef(b, 1, 32);
    nir_def_replace(def, nir_pack_64_2x32_split(b, word, word));
    return true;
}

/* Builds the part of an access to memory or a vertex attribute that starts 16 * i bytes after the
 * access and has n words. */
static nir_intrinsic_instr *build_part(nir_builder *b, const nir_intrinsic_instr *intr, unsigned i,
                                       unsigned n)
{
    nir_intrinsic_instr *part = nir_intrinsic_instr_create(b->shader, intr->intrinsic);
    bool attribute = intr->intrinsic == nir_intrinsic_load_input;
    part->num_components = n;
    memcpy(part->const_index, intr->const_index, sizeof part->const_index);
    for (unsigned s = 0; s < nir_intrinsic_infos[intr->intrinsic].num_srcs; s++)
        part->src[s] = nir_src_for_ssa(intr->src[s].ssa);
    if (attribute) { /* The second half of an attribute has the next number. */
        nir_intrinsic_set_base(part, nir_intrinsic_base(part) + i);
    } else if (i) {
        nir_src *offset = nir_get_io_offset_src(part);
        *offset = nir_src_for_ssa(nir_iadd_imm(b, offset->ssa, 16 * i));
    }
    if (nir_intrinsic_has_align_mul(part)) {
        unsigned mul = nir_intrinsic_align_mul(part);
        unsigned at = nir_intrinsic_align_offset(part) + 16 * i;
        nir_intrinsic_set_align_offset(part, mul ? at % mul : at);
    }
    return part;
}

static void lower_load(nir_builder *b, nir_intrinsic_instr *intr)
{
    unsigned n = intr->def.num_components;
    nir_def *value[NIR_MAX_VEC_COMPONENTS];
    b->cursor = nir_before_instr(&intr->instr);
    for (unsigned i = 0; i < n; i += 2) {
        unsigned count = MIN2(n - i, 2);
        nir_intrinsic_instr *load = build_part(b, intr, i / 2, 2 * count);
        if (nir_intrinsic_has_dest_type(load))
            nir_intrinsic_set_dest_type(load, nir_type_uint32);
        nir_def_init(&load->instr, &load->def, 2 * count, 32);
        nir_builder_instr_insert(b, &load->instr);
        for (unsigned c = 0; c < count; c++)
            value[i + c] = nir_pack_64_2x32_split(b, nir_channel(b, &load->def, 2 * c),
                                                  nir_channel(b, &load->def, 2 * c + 1));
    }
    nir_def_replace(&intr->def, nir_vec(b, value, n));
}

static void lower_store(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_def *value = intr->src[0].ssa, *words[4];
    unsigned n = value->num_components, written = nir_intrinsic_write_mask(intr);
    b->cursor = nir_before_instr(&intr->instr);
    for (unsigned i = 0; i < n; i += 2) {
        unsigned count = MIN2(n - i, 2), mask = 0;
        for (unsigned c = 0; c < count; c++) {
            nir_def *x = nir_channel(b, value, i + c);
            words[2 * c] = nir_unpack_64_2x32_split_x(b, x);
            words[2 * c + 1] = nir_unpack_64_2x32_split_y(b, x);
            mask |= (written >> (i + c) & 1) * 3u << 2 * c;
        }
        if (!mask)
            continue;
        nir_intrinsic_instr *store = build_part(b, intr, i / 2, 2 * count);
        store->src[0] = nir_src_for_ssa(nir_vec(b, words, 2 * count));
        nir_intrinsic_set_write_mask(store, mask);
        nir_builder_instr_insert(b, &store->instr);
    }
    nir_instr_remove(&intr->instr);
}

/* Subgroups have at most 32 invocations. */
static void lower_ballot(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_def *value[NIR_MAX_VEC_COMPONENTS], *zero;
    b->cursor = nir_before_instr(&intr->instr);
    zero = nir_imm_int(b, 0);
    for (unsigned i = 0; i < intr->def.num_components; i++) {
        nir_def *low = i ? zero : nir_ballot(b, 1, 32, intr->src[0].ssa);
        value[i] = nir_pack_64_2x32_split(b, low, zero);
    }
    nir_def_replace(&intr->def, nir_vec(b, value, intr->def.num_components));
}

static bool lower_intrinsic(nir_builder *b, nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_ssbo:
    case nir_intrinsic_load_shared:
    case nir_intrinsic_load_scratch:
    case nir_intrinsic_load_constant:
        if (intr->def.bit_size != 64 ||
            (intr->intrinsic == nir_intrinsic_load_input && b->shader->info.stage != SHADER_VERTEX))
            return false;
        lower_load(b, intr);
        return true;
    case nir_intrinsic_store_ssbo:
    case nir_intrinsic_store_shared:
    case nir_intrinsic_store_scratch:
        if (intr->src[0].ssa->bit_size != 64)
            return false;
        lower_store(b, intr);
        return true;
    case nir_intrinsic_ballot:
        if (intr->def.bit_size != 64)
            return false;
        lower_ballot(b, intr);
        return true;
    default:
        return false;
    }
}

static bool lower_instr(nir_builder *b, nir_instr *instr, void *unused)
{
    switch (instr->type) {
    case nir_instr_type_phi:
        return lower_phi(b, nir_instr_as_phi(instr));
    case nir_instr_type_load_const:
        return lower_const(b, nir_instr_as_load_const(instr));
    case nir_instr_type_undef:
        return lower_undef(b, instr, nir_instr_def(instr));
    case nir_instr_type_intrinsic:
        return lower_intrinsic(b, nir_instr_as_intrinsic(instr));
    default:
        return false;
    }
}

bool nir_lower_64bit_values(nir_shader *shader)
{
    return nir_shader_instructions_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
