/* SPDX-License-Identifier: MIT */
#include "nir_instr_set.h"

bool nir_instr_can_be_shared(nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
    case nir_instr_type_deref:
    case nir_instr_type_tex:
    case nir_instr_type_load_const:
    case nir_instr_type_phi:
    case nir_instr_type_undef:
        return true;
    case nir_instr_type_intrinsic: {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        return (nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_ELIMINATE) &&
               nir_intrinsic_infos[intr->intrinsic].has_dest && nir_intrinsic_can_reorder(intr);
    }
    default:
        return false;
    }
}

/* --- Hash --- */

static uint32_t mix(uint32_t hash, uint64_t value)
{
    uint64_t x = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(x >> 32) ^ (uint32_t)x;
}

static uint32_t mix_pointer(uint32_t hash, const void *p)
{
    return mix(hash, (uintptr_t)p >> 4);
}

static uint32_t hash_alu_src(const nir_alu_instr *alu, unsigned s)
{
    uint32_t hash = mix_pointer(s < 2 ? 1 : s, alu->src[s].src.ssa);
    for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
        hash = mix(hash, alu->src[s].swizzle[c]);
    return hash;
}

static uint32_t hash_alu(uint32_t hash, const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    unsigned s = 0;
    hash = mix(hash, alu->op);
    hash = mix(hash, alu->def.num_components << 8 | alu->def.bit_size);
    if (info->algebraic_properties & NIR_OP_IS_2SRC_COMMUTATIVE) {
        hash = mix(hash, hash_alu_src(alu, 0) + hash_alu_src(alu, 1));
        s = 2;
    }
    for (; s < info->num_inputs; s++)
        hash = mix(hash, hash_alu_src(alu, s));
    return hash;
}

static uint32_t hash_deref(uint32_t hash, const nir_deref_instr *deref)
{
    hash = mix(hash, deref->deref_type);
    if (deref->deref_type == nir_deref_type_var)
        return mix_pointer(hash, deref->var);
    hash = mix_pointer(hash, deref->parent.ssa);
    if (deref->deref_type == nir_deref_type_array)
        hash = mix_pointer(hash, deref->arr.index.ssa);
    else if (deref->deref_type == nir_deref_type_struct)
        hash = mix(hash, deref->strct.index);
    return hash;
}

static uint32_t hash_tex(uint32_t hash, const nir_tex_instr *tex)
{
    hash = mix(hash, tex->op << 8 | tex->sampler_dim);
    hash = mix(hash, tex->texture_index << 16 | tex->sampler_index);
    for (unsigned i = 0; i < tex->num_srcs; i++)
        hash = mix_pointer(mix(hash, tex->src[i].src_type), tex->src[i].src.ssa);
    return hash;
}

static uint32_t hash_intrinsic(uint32_t hash, const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    hash = mix(hash, intr->intrinsic);
    hash = mix(hash, intr->def.num_components << 8 | intr->def.bit_size);
    for (unsigned i = 0; i < info->num_indices; i++)
        hash = mix(hash, (uint32_t)intr->const_index[i]);
    for (unsigned i = 0; i < info->num_srcs; i++)
        hash = mix_pointer(hash, intr->src[i].ssa);
    return hash;
}

uint32_t nir_instr_hash(const void *key)
{
    const nir_instr *instr = key;
    uint32_t hash = instr->type + 1;
    switch (instr->type) {
    case nir_instr_type_alu:
        return hash_alu(hash, nir_instr_as_alu(instr));
    case nir_instr_type_deref:
        return hash_deref(hash, nir_instr_as_deref(instr));
    case nir_instr_type_tex:
        return hash_tex(hash, nir_instr_as_tex(instr));
    case nir_instr_type_intrinsic:
        return hash_intrinsic(hash, nir_instr_as_intrinsic(instr));
    case nir_instr_type_load_const: {
        nir_load_const_instr *load = nir_instr_as_load_const(instr);
        hash = mix(hash, load->def.num_components << 8 | load->def.bit_size);
        for (unsigned c = 0; c < load->def.num_components; c++)
            hash = mix(hash, nir_const_value_as_uint(load->value[c], load->def.bit_size));
        return hash;
    }
    case nir_instr_type_phi:
        return mix_pointer(hash, instr->block);
    case nir_instr_type_undef: {
        nir_def *def = &nir_instr_as_undef(instr)->def;
        return mix(hash, def->num_components << 8 | def->bit_size);
    }
    default:
        UNREACHABLE("not shared");
    }
}

/* --- Equality --- */

static bool defs_have_same_shape(const nir_def *a, const nir_def *b)
{
    return a->num_components == b->num_components && a->bit_size == b->bit_size;
}

static bool alus_equal(const nir_alu_instr *a, const nir_alu_instr *b)
{
    if (a->op != b->op || !defs_have_same_shape(&a->def, &b->def))
        return false;
    const nir_op_info *info = &nir_op_infos[a->op];
    unsigned s = 0;
    if (info->algebraic_properties & NIR_OP_IS_2SRC_COMMUTATIVE) {
        bool same = nir_alu_instrs_equal_srcs(a, b, 0, 0) && nir_alu_instrs_equal_srcs(a, b, 1, 1);
        bool crossed = nir_alu_instrs_equal_srcs(a, b, 0, 1) &&
                       nir_alu_instrs_equal_srcs(a, b, 1, 0);
        if (!same && !crossed)
            return false;
        s = 2;
    }
    for (; s < info->num_inputs; s++) {
        if (!nir_alu_instrs_equal_srcs(a, b, s, s))
            return false;
    }
    return true;
}

static bool deref_instrs_equal(const nir_deref_instr *a, const nir_deref_instr *b)
{
    if (a->deref_type != b->deref_type || a->modes != b->modes)
        return false;
    if (a->deref_type == nir_deref_type_var)
        return a->var == b->var;
    if (a->parent.ssa != b->parent.ssa)
        return false;
    switch (a->deref_type) {
    case nir_deref_type_array:
        return a->arr.index.ssa == b->arr.index.ssa;
    case nir_deref_type_struct:
        return a->strct.index == b->strct.index;
    case nir_deref_type_cast:
        return a->type == b->type;
    default:
        return true;
    }
}

static bool texs_equal(const nir_tex_instr *a, const nir_tex_instr *b)
{
    if (a->op != b->op || a->sampler_dim != b->sampler_dim || a->dest_type != b->dest_type ||
        a->num_srcs != b->num_srcs || a->coord_components != b->coord_components ||
        a->is_array != b->is_array || a->is_shadow != b->is_shadow ||
        a->is_new_style_shadow != b->is_new_style_shadow || a->component != b->component ||
        a->texture_index != b->texture_index || a->sampler_index != b->sampler_index ||
        memcmp(a->tg4_offsets, b->tg4_offsets, sizeof a->tg4_offsets) != 0)
        return false;
    for (unsigned i = 0; i < a->num_srcs; i++) {
        if (a->src[i].src_type != b->src[i].src_type || a->src[i].src.ssa != b->src[i].src.ssa)
            return false;
    }
    return true;
}

static bool intrinsics_equal(const nir_intrinsic_instr *a, const nir_intrinsic_instr *b)
{
    if (a->intrinsic != b->intrinsic || a->num_components != b->num_components ||
        !defs_have_same_shape(&a->def, &b->def))
        return false;
    const nir_intrinsic_info *info = &nir_intrinsic_infos[a->intrinsic];
    if (memcmp(a->const_index, b->const_index, info->num_indices * sizeof a->const_index[0]) != 0)
        return false;
    for (unsigned i = 0; i < info->num_srcs; i++) {
        if (a->src[i].ssa != b->src[i].ssa)
            return false;
    }
    return true;
}

static bool load_consts_equal(const nir_load_const_instr *a, const nir_load_const_instr *b)
{
    if (!defs_have_same_shape(&a->def, &b->def))
        return false;
    for (unsigned c = 0; c < a->def.num_components; c++) {
        if (nir_const_value_as_uint(a->value[c], a->def.bit_size) !=
            nir_const_value_as_uint(b->value[c], b->def.bit_size))
            return false;
    }
    return true;
}

static bool phis_equal(const nir_phi_instr *a, const nir_phi_instr *b)
{
    if (a->instr.block != b->instr.block || !defs_have_same_shape(&a->def, &b->def))
        return false;
    nir_foreach_phi_src(sa, a) {
        nir_foreach_phi_src(sb, b) {
            if (sa->pred == sb->pred && sa->src.ssa != sb->src.ssa)
                return false;
        }
    }
    return true;
}

bool nir_instrs_equal(const void *ka, const void *kb)
{
    const nir_instr *a = ka, *b = kb;
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case nir_instr_type_alu:
        return alus_equal(nir_instr_as_alu(a), nir_instr_as_alu(b));
    case nir_instr_type_deref:
        return deref_instrs_equal(nir_instr_as_deref(a), nir_instr_as_deref(b));
    case nir_instr_type_tex:
        return texs_equal(nir_instr_as_tex(a), nir_instr_as_tex(b));
    case nir_instr_type_intrinsic:
        return intrinsics_equal(nir_instr_as_intrinsic(a), nir_instr_as_intrinsic(b));
    case nir_instr_type_load_const:
        return load_consts_equal(nir_instr_as_load_const(a), nir_instr_as_load_const(b));
    case nir_instr_type_phi:
        return phis_equal(nir_instr_as_phi(a), nir_instr_as_phi(b));
    case nir_instr_type_undef:
        return defs_have_same_shape(&nir_instr_as_undef(a)->def, &nir_instr_as_undef(b)->def);
    default:
        return false;
    }
}
