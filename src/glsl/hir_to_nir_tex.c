/* SPDX-License-Identifier: MIT */
/* Texture operations. */
#include "glsl/hir_to_nir.h"

#include "util/check.h"

struct sources {
    nir_tex_src src[16];
    unsigned count;
};

static void add_def(struct sources *s, nir_tex_src_type type, nir_def *def)
{
    NEXT_OF(s->src, s->count) = (nir_tex_src){.src = nir_src_for_ssa(def), .src_type = type};
}

static void add_value(struct h2n *h, struct sources *s, nir_tex_src_type type,
                      const struct hir_value *value)
{
    if (value)
        add_def(s, type, h2n_eval_vec(h, value));
}

static bool is_query(nir_texop op)
{
    return op == nir_texop_txs || op == nir_texop_query_levels || op == nir_texop_texture_samples;
}

/* Returns whether a sampler type has mipmap levels; multisample, buffer and rectangle textures do
 * not. */
static bool has_levels(const struct glsl_type *sampler)
{
    return sampler->sampler_dim != GLSL_SAMPLER_DIM_MS &&
           sampler->sampler_dim != GLSL_SAMPLER_DIM_BUF &&
           sampler->sampler_dim != GLSL_SAMPLER_DIM_RECT;
}

/* Sets the fields of a nir_tex_instr that describe the sampler and the result. */
static void describe(nir_tex_instr *t, const struct hir_texture *tex, nir_texop op)
{
    static const uint8_t components[] = {
        [GLSL_SAMPLER_DIM_1D] = 1,   [GLSL_SAMPLER_DIM_2D] = 2,   [GLSL_SAMPLER_DIM_3D] = 3,
        [GLSL_SAMPLER_DIM_CUBE] = 3, [GLSL_SAMPLER_DIM_RECT] = 2, [GLSL_SAMPLER_DIM_BUF] = 1,
        [GLSL_SAMPLER_DIM_MS] = 2,
    };
    const struct glsl_type *sampler = tex->sampler->type;
    t->op = op;
    /* Drivers see an external texture as a 2D texture. */
    t->sampler_dim = sampler->sampler_dim == GLSL_SAMPLER_DIM_EXTERNAL ? GLSL_SAMPLER_DIM_2D
                                                                       : sampler->sampler_dim;
    t->is_array = sampler->sampler_array;
    t->is_shadow = sampler->sampler_shadow;
    t->is_new_style_shadow = sampler->sampler_shadow && !tex->shadow_is_vec4;
    /* The coordinate of textureQueryLod has no layer. */
    if (tex->coord)
        t->coord_components = op == nir_texop_lod ? components[t->sampler_dim]
                                                  : components[t->sampler_dim] + t->is_array;
    t->is_residency = tex->residency;
    if (is_query(op) || tex->residency)
        t->dest_type = nir_type_int32;
    else if (op == nir_texop_lod || sampler->sampled_type == GLSL_TYPE_FLOAT)
        t->dest_type = nir_type_float32;
    else
        t->dest_type = sampler->sampled_type == GLSL_TYPE_INT ? nir_type_int32 : nir_type_uint32;
    if (tex->component && tex->component->node.kind == HIR_CONSTANT)
        t->component = ((const struct hir_constant *)tex->component)->value[0].u32 & 3;
}

static nir_def *fetch(struct h2n *h, const struct hir_texture *tex);

/* Returns the residency code of a gather from those of its texels. */
static nir_def *all_resident(struct h2n *h, nir_def *codes)
{
    nir_builder *b = &h->b;
    nir_def *code = nir_channel(b, codes, 0);
    for (unsigned i = 1; i < codes->num_components; i++)
        code = nir_iand(b, code, nir_channel(b, codes, i));
    return code;
}

bool h2n_has_derivatives(const struct h2n *h)
{
    return h->st->stage == SHADER_FRAGMENT ||
           (h->st->stage == SHADER_COMPUTE &&
            h->st->info.cs.derivative_group != nir_derivative_group_none);
}

/* GLSL 4.60 §8.9.4: component i is the texel (i0, j0) of the footprint at offset i, which is the
 * last component of a gather. */
static nir_def *gather_offsets(struct h2n *h, const struct hir_texture *tex)
{
    nir_def *comps[4];
    const struct hir_constant *offsets = (const struct hir_constant *)tex->offsets;
    for (unsigned i = 0; i < 4; i++) {
        struct hir_texture one = *tex;
        one.offsets = NULL;
        one.offset = &offsets->elements[i]->base;
        comps[i] = nir_channel(&h->b, fetch(h, &one), 3);
    }
    return nir_vec(&h->b, comps, 4);
}

nir_def *h2n_texture(struct h2n *h, const struct hir_texture *tex)
{
    const bool offsets = tex->offsets && tex->offsets->node.kind == HIR_CONSTANT;
    nir_def *value = offsets ? gather_offsets(h, tex) : fetch(h, tex);
    return tex->residency ? all_resident(h, value) : value;
}

/* Emits a texture instruction with these sources and the texture: a deref, or a handle if the deref
 * is NULL. */
static nir_def *emit_texture(struct h2n *h, const struct hir_texture *tex, nir_texop op,
                             const struct sources *sources, nir_deref_instr *deref, nir_def *handle)
{
    struct sources s = *sources;
    add_def(&s, deref ? nir_tex_src_texture_deref : nir_tex_src_texture_handle,
            deref ? &deref->def : handle);
    if (deref && !is_query(op) && op != nir_texop_txf && op != nir_texop_txf_ms)
        add_def(&s, nir_tex_src_sampler_deref, &deref->def);
    nir_tex_instr *t = nir_tex_instr_create(h->shader, s.count);
    describe(t, tex, op);
    for (unsigned i = 0; i < s.count; i++)
        t->src[i] = s.src[i];
    nir_def_init(&t->instr, &t->def, nir_tex_instr_dest_size(t),
                 nir_alu_type_get_type_size(t->dest_type));
    nir_builder_instr_insert(&h->b, &t->instr);
    return &t->def;
}

/* Emits an access to a texture. deref: the sampler of the default block; NULL: the sampler is a
 * handle. handle: the handle, or, with a deref, the one that the API may have set in the uniform;
 * NULL: it can set only units. */
static nir_def *access_texture(struct h2n *h, const struct hir_texture *tex, nir_texop op,
                               const struct sources *s, nir_deref_instr *deref, nir_def *handle)
{
    if (!deref || !handle)
        return emit_texture(h, tex, op, s, deref, handle);
    nir_push_if(&h->b, nir_ieq_imm(&h->b, handle, 0));
    nir_def *of_unit = emit_texture(h, tex, op, s, deref, NULL);
    nir_push_else(&h->b, NULL);
    nir_def *of_handle = emit_texture(h, tex, op, s, NULL, handle);
    nir_pop_if(&h->b, NULL);
    return nir_if_phi(&h->b, of_unit, of_handle);
}

static nir_def *fetch(struct h2n *h, const struct hir_texture *tex)
{
    struct sources s = {.count = 0};
    nir_texop op = tex->op;
    bool bound = h2n_is_bound(h, tex->sampler);
    nir_deref_instr *sampler = bound ? h2n_opaque_deref(h, tex->sampler) : NULL;
    if (bound && !sampler)
        return nir_undef(&h->b, tex->base.type->vector_elements, glsl_bit_size(tex->base.type));
    nir_def *handle = bound ? h2n_uniform_handle(h, sampler) : h2n_handle(h, tex->sampler);
    if (op == nir_texop_lod && !h2n_has_derivatives(h)) /* zero derivatives: constant coordinates */
        add_def(&s, nir_tex_src_coord, nir_imm_zero(&h->b, tex->coord->type->vector_elements, 32));
    else
        add_value(h, &s, nir_tex_src_coord, tex->coord);
    add_value(h, &s, nir_tex_src_projector, tex->projector);
    add_value(h, &s, nir_tex_src_comparator, tex->comparator);
    add_value(h, &s, nir_tex_src_offset, tex->offset);
    add_value(h, &s, nir_tex_src_lod, tex->lod);
    add_value(h, &s, nir_tex_src_ddx, tex->dPdx);
    add_value(h, &s, nir_tex_src_ddy, tex->dPdy);
    add_value(h, &s, nir_tex_src_ms_index, tex->sample_index);
    add_value(h, &s, nir_tex_src_min_lod, tex->min_lod);
    if ((op == nir_texop_tex || op == nir_texop_txb) && !h2n_has_derivatives(h)) {
        /* GLSL 1.30 §8.7: without implicit derivatives, the base level is sampled. */
        op = nir_texop_txl;
        add_def(&s, nir_tex_src_lod, nir_imm_float(&h->b, 0));
    } else {
        add_value(h, &s, nir_tex_src_bias, tex->bias);
    }
    if ((op == nir_texop_txf || op == nir_texop_txs) && !tex->lod && has_levels(tex->sampler->type))
        add_def(&s, nir_tex_src_lod, nir_imm_int(&h->b, 0));
    return access_texture(h, tex, op, &s, sampler, handle);
}

/* Returns a texture instruction on a multisample texture. sample: NULL for a query of the number of
 * samples. */
static nir_def *multisample_op(struct h2n *h, const struct hir_value *sampler,
                               const struct hir_value *coord_value, nir_def *coord, nir_def *sample)
{
    const struct hir_texture desc = {.sampler = (struct hir_value *)sampler,
                                     .coord = sample ? (struct hir_value *)coord_value : NULL};
    struct sources s = {.count = 0};
    bool bound = h2n_is_bound(h, sampler);
    nir_deref_instr *deref = bound ? h2n_opaque_deref(h, sampler) : NULL;
    if (bound && !deref)
        return NULL;
    if (sample) {
        add_def(&s, nir_tex_src_coord, coord);
        add_def(&s, nir_tex_src_ms_index, sample);
    }
    return access_texture(h, &desc, sample ? nir_texop_txf_ms : nir_texop_texture_samples, &s,
                          deref, deref ? h2n_uniform_handle(h, deref) : h2n_handle(h, sampler));
}

nir_def *h2n_samples_identical(struct h2n *h, const struct hir_value *sampler,
                               const struct hir_value *coord_value)
{
    nir_builder *b = &h->b;
    nir_def *coord = h2n_eval_vec(h, coord_value);
    nir_def *count = multisample_op(h, sampler, coord_value, NULL, NULL);
    if (!count)
        return NULL;
    nir_variable *same = nir_local_variable_create(b->impl, glsl_bool_type(), "same");
    nir_variable *index = nir_local_variable_create(b->impl, glsl_uint_type(), "sample");
    nir_def *first = multisample_op(h, sampler, coord_value, coord, nir_imm_int(b, 0));
    nir_store_var(b, same, nir_imm_true(b), 1);
    nir_store_var(b, index, nir_imm_int(b, 1), 1);
    nir_push_loop(b);
    nir_def *i = nir_load_var(b, index);
    nir_push_if(b, nir_ior(b, nir_inot(b, nir_load_var(b, same)), nir_uge(b, i, count)));
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, NULL);
    nir_def *equal =
        nir_ball(b, nir_ieq(b, first, multisample_op(h, sampler, coord_value, coord, i)));
    nir_store_var(b, same, equal, 1);
    nir_store_var(b, index, nir_iadd_imm(b, i, 1), 1);
    nir_pop_loop(b, NULL);
    return nir_load_var(b, same);
}
