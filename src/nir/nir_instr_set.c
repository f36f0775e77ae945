/* SPDX-License-Identifier: MIT */
#include "nir_instr_set.h"

#include <talloc.h>

#include "util/dynarray.h"

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

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return ((hash << 23 | hash >> 41) ^ value) * 0x9e3779b97f4a7c15ull;
}

static uint64_t mix_pointer(uint64_t hash, const void *p)
{
    return mix(hash, (uintptr_t)p >> 4);
}

static uint64_t hash_alu_src(uint64_t hash, const nir_alu_instr *alu, unsigned s)
{
    unsigned n = nir_op_infos[alu->op].input_sizes[s];
    if (!n)
        n = alu->def.num_components;
    return mix(mix_pointer(hash, alu->src[s].src.ssa), alu->src[s].swizzle & nir_swizzle_mask(n));
}

static uint64_t hash_alu(uint64_t hash, const nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    unsigned s = 0;
    hash = mix(hash, alu->op << 16 | alu->def.num_components << 8 | alu->def.bit_size);
    if (info->algebraic_properties & NIR_OP_IS_2SRC_COMMUTATIVE) {
        hash = mix(hash, hash_alu_src(1, alu, 0) + hash_alu_src(1, alu, 1));
        s = 2;
    }
    for (; s < info->num_inputs; s++)
        hash = hash_alu_src(hash, alu, s);
    return hash;
}

static uint64_t hash_deref(uint64_t hash, const nir_deref_instr *deref)
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

static uint64_t hash_tex(uint64_t hash, const nir_tex_instr *tex)
{
    hash = mix(hash, tex->op << 8 | tex->sampler_dim);
    hash = mix(hash, tex->texture_index << 16 | tex->sampler_index);
    for (unsigned i = 0; i < tex->num_srcs; i++)
        hash = mix_pointer(mix(hash, tex->src[i].src_type), tex->src[i].src.ssa);
    return hash;
}

static uint64_t hash_intrinsic(uint64_t hash, const nir_intrinsic_instr *intr)
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

static uint64_t hash_load_const(uint64_t hash, const nir_load_const_instr *load)
{
    hash = mix(hash, load->def.num_components << 8 | load->def.bit_size);
    for (unsigned c = 0; c < load->def.num_components; c++)
        hash = mix(hash, nir_const_value_as_uint(load->value[c], load->def.bit_size));
    return hash;
}

/* Independent of the order of the phi's sources. */
static uint64_t hash_phi(uint64_t hash, const nir_phi_instr *phi)
{
    uint64_t sum = 0;
    nir_foreach_phi_src (src, phi)
        sum += mix_pointer(mix_pointer(1, src->pred), src->src.ssa);
    return mix(hash, sum);
}

static uint32_t hash_instr(nir_instr *instr)
{
    uint64_t hash = instr->type + 1;
    switch (instr->type) {
    case nir_instr_type_alu:
        hash = hash_alu(hash, nir_instr_as_alu(instr));
        break;
    case nir_instr_type_deref:
        hash = hash_deref(hash, nir_instr_as_deref(instr));
        break;
    case nir_instr_type_tex:
        hash = hash_tex(hash, nir_instr_as_tex(instr));
        break;
    case nir_instr_type_intrinsic:
        hash = hash_intrinsic(hash, nir_instr_as_intrinsic(instr));
        break;
    case nir_instr_type_load_const:
        hash = hash_load_const(hash, nir_instr_as_load_const(instr));
        break;
    case nir_instr_type_phi:
        hash = hash_phi(hash, nir_instr_as_phi(instr));
        break;
    case nir_instr_type_undef: {
        nir_def *def = &nir_instr_as_undef(instr)->def;
        hash = mix(hash, def->num_components << 8 | def->bit_size);
        break;
    }
    default:
        UNREACHABLE("not shared");
    }
    return (uint32_t)(hash >> 32);
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
        bool crossed =
            nir_alu_instrs_equal_srcs(a, b, 0, 1) && nir_alu_instrs_equal_srcs(a, b, 1, 0);
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
        a->is_new_style_shadow != b->is_new_style_shadow || a->is_residency != b->is_residency ||
        a->component != b->component || a->texture_index != b->texture_index ||
        a->sampler_index != b->sampler_index ||
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
    nir_foreach_phi_src (sa, a) {
        nir_foreach_phi_src (sb, b) {
            if (sa->pred == sb->pred && sa->src.ssa != sb->src.ssa)
                return false;
        }
    }
    return true;
}

bool nir_instrs_equal(const nir_instr *a, const nir_instr *b)
{
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

/* --- The set --- */

struct slot {
    uint32_t hash;
    uint32_t number; /* 1 + index in set->instrs; 0: free */
};

struct nir_instr_set {
    struct slot *slots; /* open addressing with linear probing */
    uint32_t mask;      /* number of slots - 1; the number is a power of two */
    DYNARRAY(nir_instr *) instrs;
};

struct nir_instr_set *nir_instr_set_create(void *mem_ctx)
{
    struct nir_instr_set *set = talloc_zero(mem_ctx, struct nir_instr_set);
    set->mask = 63;
    set->slots = talloc_zero_array(set, struct slot, set->mask + 1);
    set->instrs.mem_ctx = set;
    return set;
}

static void grow(struct nir_instr_set *set)
{
    uint32_t mask = set->mask * 4 + 3;
    struct slot *slots = talloc_zero_array(set, struct slot, mask + 1);
    for (uint32_t i = 0; i <= set->mask; i++) {
        uint32_t k = set->slots[i].hash & mask;
        if (!set->slots[i].number)
            continue;
        while (slots[k].number)
            k = (k + 1) & mask;
        slots[k] = set->slots[i];
    }
    talloc_free(set->slots);
    set->slots = slots;
    set->mask = mask;
}

nir_instr **nir_instr_set_find_or_add(struct nir_instr_set *set, nir_instr *instr)
{
    if (set->instrs.count > set->mask / 2)
        grow(set);
    uint32_t hash = hash_instr(instr), i = hash & set->mask;
    for (; set->slots[i].number; i = (i + 1) & set->mask) {
        nir_instr **other = &set->instrs.data[set->slots[i].number - 1];
        if (set->slots[i].hash == hash && nir_instrs_equal(*other, instr))
            return other;
    }
    (void)dynarray_append(&set->instrs, instr);
    set->slots[i] = (struct slot){hash, set->instrs.count};
    return &set->instrs.data[set->instrs.count - 1];
}
