/* SPDX-License-Identifier: MIT */
/*
 * Splits 64-bit inputs and outputs into 32-bit ones, two for each component, for drivers whose
 * slots hold four 32-bit words. Components that don't fit in the first slot continue in the next
 * (GLSL 4.60 §4.4.1). Doesn't change vertex attributes, which use one location for any bit size.
 * Runs after nir_lower_io.
 */
#include "nir.h"

#include "nir_builder.h"

/* Builds the part of an access that covers the words of one slot. */
static nir_intrinsic_instr *build_part(nir_builder *b, const nir_intrinsic_instr *whole,
                                       unsigned slot, unsigned component, nir_def *stored,
                                       unsigned num_words)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[whole->intrinsic];
    nir_intrinsic_instr *part = nir_intrinsic_instr_create(b->shader, whole->intrinsic);
    nir_src *offset = nir_get_io_offset_src((nir_intrinsic_instr *)whole);
    nir_io_semantics io = nir_intrinsic_io_semantics(whole);
    unsigned base = nir_intrinsic_base(whole);

    part->num_components = num_words;
    memcpy(part->const_index, whole->const_index, sizeof part->const_index);
    for (unsigned i = 0; i < info->num_srcs; i++)
        part->src[i] = nir_src_for_ssa(whole->src[i].ssa);
    if (stored)
        part->src[0] = nir_src_for_ssa(stored);
    if (nir_src_is_const(*offset)) {
        io.location += slot;
        base += slot;
    } else if (slot) {
        *nir_get_io_offset_src(part) = nir_src_for_ssa(nir_iadd_imm(b, offset->ssa, slot));
    }
    nir_intrinsic_set_io_semantics(part, io);
    nir_intrinsic_set_base(part, base);
    nir_intrinsic_set_component(part, component);
    return part;
}

static void lower_load(nir_builder *b, nir_intrinsic_instr *intr)
{
    unsigned first = nir_intrinsic_component(intr), words = 2 * intr->def.num_components;
    nir_def *word[2 * NIR_MAX_VEC_COMPONENTS], *value[NIR_MAX_VEC_COMPONENTS];

    for (unsigned w = 0, n; w < words; w += n) {
        unsigned component = (first + w) % 4;
        n = MIN2(words - w, 4 - component);
        nir_intrinsic_instr *part = build_part(b, intr, (first + w) / 4, component, NULL, n);
        nir_intrinsic_set_dest_type(part, nir_type_uint32);
        nir_def_init(&part->instr, &part->def, n, 32);
        nir_builder_instr_insert(b, &part->instr);
        for (unsigned i = 0; i < n; i++)
            word[w + i] = nir_channel(b, &part->def, i);
    }
    for (unsigned i = 0; i < intr->def.num_components; i++)
        value[i] = nir_pack_64_2x32_split(b, word[2 * i], word[2 * i + 1]);
    nir_def_replace(&intr->def, nir_vec(b, value, intr->def.num_components));
}

static void lower_store(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_def *value = intr->src[0].ssa, *word[2 * NIR_MAX_VEC_COMPONENTS];
    unsigned first = nir_intrinsic_component(intr), words = 2 * value->num_components;
    unsigned written = nir_intrinsic_write_mask(intr), mask = 0;

    for (unsigned i = 0; i < value->num_components; i++) {
        nir_def *channel = nir_channel(b, value, i);
        word[2 * i] = nir_unpack_64_2x32_split_x(b, channel);
        word[2 * i + 1] = nir_unpack_64_2x32_split_y(b, channel);
        mask |= (written >> i & 1) * 3u << 2 * i;
    }
    for (unsigned w = 0, n; w < words; w += n) {
        unsigned component = (first + w) % 4;
        n = MIN2(words - w, 4 - component);
        if (!(mask >> w & BITFIELD_MASK(n)))
            continue;
        nir_def *stored = nir_vec(b, &word[w], n);
        nir_intrinsic_instr *part = build_part(b, intr, (first + w) / 4, component, stored, n);
        nir_intrinsic_set_src_type(part, nir_type_uint32);
        nir_intrinsic_set_write_mask(part, mask >> w & BITFIELD_MASK(n));
        nir_builder_instr_insert(b, &part->instr);
    }
    nir_instr_remove(&intr->instr);
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    b->cursor = nir_before_instr(&intr->instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
        if (b->shader->info.stage == SHADER_VERTEX)
            return false;
        break;
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_input_vertex:
    case nir_intrinsic_load_output:
    case nir_intrinsic_load_per_vertex_output:
        break;
    case nir_intrinsic_store_output:
    case nir_intrinsic_store_per_vertex_output:
        if (intr->src[0].ssa->bit_size != 64)
            return false;
        lower_store(b, intr);
        return true;
    default:
        return false;
    }
    if (intr->def.bit_size != 64)
        return false;
    lower_load(b, intr);
    return true;
}

bool nir_lower_64bit_io(nir_shader *shader)
{
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
