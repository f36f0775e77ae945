/* SPDX-License-Identifier: MIT */
/*
 * Lowers derefs of samplers, images and atomic counters to indices into the stage's tables:
 * data.binding plus the position within arrays and structs. Variable indices are clamped to the
 * variable.
 */
#include "nir.h"

#include "nir_builder.h"

struct place {
    unsigned index;
    bool varies;      /* has a variable index */
    nir_def *dynamic; /* variable part, added to index; or NULL */
};

/* If b is NULL, only records whether there are variable indices. */
static struct place find_place(nir_builder *b, nir_deref_instr *deref, enum glsl_base_type base,
                               unsigned each)
{
    nir_deref_path path;
    nir_deref_path_init(&path, deref, NULL);
    struct place p = {0};
    for (nir_deref_instr **step = &path.path[1]; *step; step++) {
        const struct glsl_type *parent = step[-1]->type;
        if ((*step)->deref_type == nir_deref_type_struct) {
            for (unsigned f = 0; f < (*step)->strct.index; f++)
                p.index += each * glsl_count_of_base(parent->fields[f].type, base);
            continue;
        }
        unsigned length = MAX2(glsl_length_of(parent), 1);
        unsigned stride = each * glsl_count_of_base((*step)->type, base);
        if (nir_src_is_const((*step)->arr.index)) {
            p.index += MIN2(nir_src_as_uint((*step)->arr.index), length - 1) * stride;
        } else if (!b) {
            p.varies = true;
        } else {
            nir_def *i = nir_umin_imm(b, nir_u2uN(b, (*step)->arr.index.ssa, 32), length - 1);
            i = nir_imul_imm(b, i, stride);
            p.dynamic = p.dynamic ? nir_iadd(b, p.dynamic, i) : i;
        }
    }
    nir_deref_path_finish(&path);
    return p;
}

/* --- Textures --- */

static bool lower_tex_src(nir_builder *b, nir_tex_instr *tex, nir_tex_src_type deref_type,
                          nir_tex_src_type offset_type, unsigned *index)
{
    int s = nir_tex_instr_src_index(tex, deref_type);
    if (s < 0)
        return false;
    nir_deref_instr *deref = nir_src_as_deref(tex->src[s].src);
    nir_variable *var = nir_deref_instr_get_variable(deref);
    if (!var)
        return false;
    b->cursor = nir_before_instr(&tex->instr);
    struct place p = find_place(b, deref, GLSL_TYPE_SAMPLER, 1);
    *index = var->data.binding + p.index;
    nir_tex_instr_remove_src(tex, s);
    if (p.dynamic)
        nir_tex_instr_add_src(tex, offset_type, p.dynamic);
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

static bool lower_tex(nir_builder *b, nir_tex_instr *tex)
{
    bool progress = lower_tex_src(b, tex, nir_tex_src_texture_deref, nir_tex_src_texture_offset,
                                  &tex->texture_index);
    progress |= lower_tex_src(b, tex, nir_tex_src_sampler_deref, nir_tex_src_sampler_offset,
                              &tex->sampler_index);
    return progress;
}

/* --- Images and counters --- */

static nir_intrinsic_op without_deref(nir_intrinsic_op op)
{
    switch (op) {
#define IMAGE(name)                                                                                \
    case nir_intrinsic_image_deref_##name:                                                         \
        return nir_intrinsic_image_##name;
#define COUNTER(name)                                                                              \
    case nir_intrinsic_atomic_counter_##name##_deref:                                              \
        return nir_intrinsic_atomic_counter_##name;
        IMAGE(load)
        IMAGE(store)
        IMAGE(atomic)
        IMAGE(atomic_swap)
        IMAGE(residency)
        IMAGE(size)
        IMAGE(samples)
        COUNTER(inc)
        COUNTER(pre_dec)
        COUNTER(read)
        COUNTER(add)
        COUNTER(min)
        COUNTER(max)
        COUNTER(and)
        COUNTER(or)
        COUNTER(xor)
        COUNTER(exchange)
        COUNTER(comp_swap)
#undef IMAGE
#undef COUNTER
    default:
        return nir_num_intrinsics;
    }
}

static void copy_image_indices(nir_intrinsic_instr *copy, const nir_intrinsic_instr *intr,
                               const nir_variable *var)
{
    memcpy(copy->const_index, intr->const_index, sizeof copy->const_index);
    nir_intrinsic_set_access(copy, nir_intrinsic_access(intr) | var->data.access);
    if (!nir_intrinsic_format(copy))
        nir_intrinsic_set_format(copy, var->data.image_format);
}

static bool lower_intrinsic(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_intrinsic_op op = without_deref(intr->intrinsic);
    if (op == nir_num_intrinsics)
        return false;
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var)
        return false;
    bool image = glsl_type_is_image(deref->type);
    b->cursor = nir_before_instr(&intr->instr);
    struct place p =
        find_place(b, deref, image ? GLSL_TYPE_IMAGE : GLSL_TYPE_ATOMIC_UINT, image ? 1 : 4);
    nir_def *index = nir_imm_int(b, p.index + (image ? var->data.binding : var->data.offset));
    if (p.dynamic)
        index = nir_iadd(b, p.dynamic, index);

    nir_intrinsic_instr *copy = nir_intrinsic_instr_create(b->shader, op);
    copy->num_components = intr->num_components;
    copy->src[0] = nir_src_for_ssa(index);
    for (unsigned i = 1; i < nir_intrinsic_infos[op].num_srcs; i++)
        copy->src[i] = nir_src_for_ssa(intr->src[i].ssa);
    if (image)
        copy_image_indices(copy, intr, var);
    else
        nir_intrinsic_set_base(copy, var->data.binding);
    if (nir_intrinsic_infos[op].has_dest)
        nir_def_init(&copy->instr, &copy->def, intr->def.num_components, intr->def.bit_size);
    nir_builder_instr_insert(b, &copy->instr);
    if (nir_intrinsic_infos[op].has_dest)
        nir_def_rewrite_uses(&intr->def, &copy->def);
    nir_instr_remove(&intr->instr);
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

static bool lower_slot_handle(nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    const nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var)
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    struct place p = find_place(b, deref, glsl_without_array(var->type)->base_type, 1);
    nir_def *slot = nir_imm_int(b, p.index + var->data.binding);
    if (p.dynamic)
        slot = nir_iadd(b, p.dynamic, slot);
    nir_def_replace(&intr->def,
                    nir_pack_64_2x32_split(b, slot, nir_imm_int(b, (int)(NIR_SLOT_HANDLE >> 32))));
    nir_deref_instr_remove_if_unused(deref);
    b->shader->info.uses_slot_handles = true;
    return true;
}

static bool lower_instr(nir_builder *b, nir_instr *instr, void *unused)
{
    if (instr->type == nir_instr_type_tex)
        return lower_tex(b, nir_instr_as_tex(instr));
    if (instr->type == nir_instr_type_intrinsic &&
        nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_load_slot_handle)
        return lower_slot_handle(b, nir_instr_as_intrinsic(instr));
    if (instr->type == nir_instr_type_intrinsic)
        return lower_intrinsic(b, nir_instr_as_intrinsic(instr));
    return false;
}

bool nir_lower_samplers(nir_shader *shader)
{
    return nir_shader_instructions_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}

/* Returns the deref of the sampler (or image) that an instruction accesses or converts to a handle,
 * or NULL. */
static nir_deref_instr *sampler_deref(nir_instr *instr)
{
    if (instr->type == nir_instr_type_tex) {
        nir_tex_instr *tex = nir_instr_as_tex(instr);
        int s = nir_tex_instr_src_index(tex, nir_tex_src_texture_deref);
        return s < 0 ? NULL : nir_src_as_deref(tex->src[s].src);
    }
    if (instr->type == nir_instr_type_intrinsic &&
        nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_load_slot_handle)
        return nir_src_as_deref(nir_instr_as_intrinsic(instr)->src[0]);
    return NULL;
}

uint32_t nir_sampled_slots(nir_shader *shader)
{
    uint32_t slots = 0;
    nir_foreach_block (block, nir_shader_get_entrypoint(shader)) {
        nir_foreach_instr (instr, block) {
            nir_deref_instr *deref = sampler_deref(instr);
            const nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
            if (!var || !glsl_type_is_sampler(glsl_without_array(var->type)))
                continue;
            struct place p = find_place(NULL, deref, GLSL_TYPE_SAMPLER, 1);
            unsigned count = p.varies ? glsl_count_of_base(var->type, GLSL_TYPE_SAMPLER) : 1;
            unsigned first = var->data.binding + (p.varies ? 0 : p.index);
            if (first < 32)
                slots |= BITFIELD_MASK(MIN2(count, 32 - first)) << first;
        }
    }
    return slots;
}
