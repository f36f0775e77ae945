/* SPDX-License-Identifier: MIT */
/* Lowers forms of texture instructions that drivers need not support; see nir_lower_tex_options. */
#include "nir.h"

#include "nir_builder.h"

static nir_def *src_def(nir_tex_instr *tex, nir_tex_src_type type)
{
    int s = nir_tex_instr_src_index(tex, type);
    return s < 0 ? NULL : tex->src[s].src.ssa;
}

static void set_src(nir_tex_instr *tex, nir_tex_src_type type, nir_def *def)
{
    nir_src_rewrite(&tex->src[nir_tex_instr_src_index(tex, type)].src, def);
}

/* --- Projection, GLSL 4.60 §8.9.2: divides the coordinates and the reference, but not the layer
 * --- */

static bool lower_projector(nir_builder *b, nir_tex_instr *tex)
{
    nir_def *q = src_def(tex, nir_tex_src_projector), *coord = src_def(tex, nir_tex_src_coord);
    nir_def *comparator = src_def(tex, nir_tex_src_comparator);
    if (!q)
        return false;
    b->cursor = nir_before_instr(&tex->instr);
    unsigned n = tex->coord_components - tex->is_array;
    nir_def *comps[4];
    for (unsigned c = 0; c < tex->coord_components; c++) {
        comps[c] = nir_channel(b, coord, c);
        if (c < n)
            comps[c] = nir_fdiv(b, comps[c], q);
    }
    set_src(tex, nir_tex_src_coord, nir_vec(b, comps, tex->coord_components));
    if (comparator)
        set_src(tex, nir_tex_src_comparator, nir_fdiv(b, comparator, q));
    nir_tex_instr_remove_src(tex, nir_tex_instr_src_index(tex, nir_tex_src_projector));
    return true;
}

/* --- Size of level 0 of the sampled texture --- */

static bool src_names_texture(nir_tex_src_type type)
{
    return type == nir_tex_src_texture_deref || type == nir_tex_src_sampler_deref ||
           type == nir_tex_src_texture_offset || type == nir_tex_src_sampler_offset ||
           type == nir_tex_src_texture_handle;
}

static nir_def *texture_size(nir_builder *b, nir_tex_instr *tex)
{
    unsigned num_srcs = 1, s = 0;
    for (unsigned i = 0; i < tex->num_srcs; i++)
        num_srcs += src_names_texture(tex->src[i].src_type);
    nir_tex_instr *txs = nir_tex_instr_create(b->shader, num_srcs);
    txs->op = nir_texop_txs;
    txs->sampler_dim = tex->sampler_dim;
    txs->is_array = tex->is_array;
    txs->dest_type = nir_type_int32;
    txs->texture_index = tex->texture_index;
    txs->sampler_index = tex->sampler_index;
    for (unsigned i = 0; i < tex->num_srcs; i++) {
        if (!src_names_texture(tex->src[i].src_type))
            continue;
        txs->src[s].src = nir_src_for_ssa(tex->src[i].src.ssa);
        txs->src[s++].src_type = tex->src[i].src_type;
    }
    txs->src[s].src = nir_src_for_ssa(nir_imm_int(b, 0));
    txs->src[s].src_type = nir_tex_src_lod;
    nir_def_init(&txs->instr, &txs->def, nir_tex_instr_dest_size(txs), 32);
    nir_builder_instr_insert(b, &txs->instr);
    return nir_i2f32(b, &txs->def);
}

/* --- Rectangle textures: texel coordinates to 0 … 1 --- */

static bool lower_rect(nir_builder *b, nir_tex_instr *tex)
{
    static const nir_tex_src_type scaled[] = {nir_tex_src_coord, nir_tex_src_ddx, nir_tex_src_ddy};
    if (tex->sampler_dim != GLSL_SAMPLER_DIM_RECT)
        return false;
    b->cursor = nir_before_instr(&tex->instr);
    bool samples =
        !nir_tex_instr_is_query(tex) && tex->op != nir_texop_txf && tex->op != nir_texop_txf_ms;
    if (samples || tex->op == nir_texop_lod) {
        nir_def *size = texture_size(b, tex);
        for (unsigned i = 0; i < ARRAY_SIZE(scaled); i++) {
            nir_def *def = src_def(tex, scaled[i]);
            if (def)
                set_src(tex, scaled[i], nir_fdiv(b, def, size));
        }
    }
    tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
    if (tex->op == nir_texop_txf && nir_tex_instr_src_index(tex, nir_tex_src_lod) < 0)
        nir_tex_instr_add_src(tex, nir_tex_src_lod, nir_imm_int(b, 0));
    return true;
}

/* --- Explicit derivatives of cube maps to a level, GL 4.6 §8.14.1 --- */

/* Returns the derivative of sc / |ma| by the quotient rule, halved because faces span -1 … 1. */
static nir_def *face_derivative(nir_builder *b, nir_def *sc, nir_def *ma, nir_def *dsc,
                                nir_def *dma)
{
    nir_def *num = nir_fsub(b, nir_fmul(b, dsc, ma), nir_fmul(b, sc, dma));
    return nir_fmul_imm(b, nir_fdiv(b, num, nir_fmul(b, ma, ma)), 0.5);
}

/* Stores the two components of v that are not the major axis, then that of the major axis. */
static void permute(nir_builder *b, nir_def *v, nir_def *x_major, nir_def *y_major, nir_def *out[3])
{
    nir_def *x = nir_channel(b, v, 0), *y = nir_channel(b, v, 1), *z = nir_channel(b, v, 2);
    out[0] = nir_bcsel(b, x_major, y, x);
    out[1] = nir_bcsel(b, x_major, z, nir_bcsel(b, y_major, z, y));
    out[2] = nir_bcsel(b, x_major, x, nir_bcsel(b, y_major, y, z));
}

static bool lower_txd_cube(nir_builder *b, nir_tex_instr *tex)
{
    if (tex->op != nir_texop_txd || tex->sampler_dim != GLSL_SAMPLER_DIM_CUBE)
        return false;
    b->cursor = nir_before_instr(&tex->instr);
    nir_def *coord = nir_trim_vector(b, src_def(tex, nir_tex_src_coord), 3);
    nir_def *abs = nir_fabs(b, coord);
    nir_def *ax = nir_channel(b, abs, 0), *ay = nir_channel(b, abs, 1),
            *az = nir_channel(b, abs, 2);
    nir_def *x_major = nir_iand(b, nir_fge(b, ax, ay), nir_fge(b, ax, az));
    nir_def *y_major = nir_iand(b, nir_inot(b, x_major), nir_fge(b, ay, az));

    static const nir_tex_src_type types[2] = {nir_tex_src_ddx, nir_tex_src_ddy};
    nir_def *p[3], *rho2 = NULL;
    permute(b, coord, x_major, y_major, p);
    for (unsigned i = 0; i < 2; i++) {
        nir_def *d[3];
        permute(b, src_def(tex, types[i]), x_major, y_major, d);
        nir_def *u = face_derivative(b, p[0], p[2], d[0], d[2]);
        nir_def *v = face_derivative(b, p[1], p[2], d[1], d[2]);
        nir_def *len2 = nir_fadd(b, nir_fmul(b, u, u), nir_fmul(b, v, v));
        rho2 = rho2 ? nir_fmax(b, rho2, len2) : len2;
    }
    nir_def *size = nir_channel(b, texture_size(b, tex), 0);
    rho2 = nir_fmul(b, rho2, nir_fmul(b, size, size));
    nir_def *lod = nir_fmul_imm(b, nir_flog2(b, rho2), 0.5);
    nir_def *min_lod = src_def(tex, nir_tex_src_min_lod);
    if (min_lod) {
        lod = nir_fmax(b, lod, min_lod);
        nir_tex_instr_remove_src(tex, nir_tex_instr_src_index(tex, nir_tex_src_min_lod));
    }
    nir_tex_instr_remove_src(tex, nir_tex_instr_src_index(tex, nir_tex_src_ddx));
    nir_tex_instr_remove_src(tex, nir_tex_instr_src_index(tex, nir_tex_src_ddy));
    nir_tex_instr_add_src(tex, nir_tex_src_lod, lod);
    tex->op = nir_texop_txl;
    return true;
}

/* --- textureGatherOffsets: four gathers, each of which returns texel (i0, j0) as its last
 * component --- */

static bool has_gather_offsets(const nir_tex_instr *tex)
{
    for (unsigned i = 0; i < 4; i++) {
        if (tex->tg4_offsets[i][0] || tex->tg4_offsets[i][1])
            return true;
    }
    return false;
}

static nir_def *gather_at(nir_builder *b, nir_tex_instr *tex, unsigned i)
{
    nir_tex_instr *copy = nir_tex_instr_create(b->shader, tex->num_srcs + 1);
    nir_tex_src *srcs = copy->src;
    nir_def *offset = nir_imm_ivec2(b, tex->tg4_offsets[i][0], tex->tg4_offsets[i][1]);
    copy->op = tex->op;
    copy->sampler_dim = tex->sampler_dim;
    copy->dest_type = tex->dest_type;
    copy->coord_components = tex->coord_components;
    copy->is_array = tex->is_array;
    copy->is_shadow = tex->is_shadow;
    copy->is_new_style_shadow = tex->is_new_style_shadow;
    copy->is_residency = tex->is_residency;
    copy->component = tex->component;
    copy->texture_index = tex->texture_index;
    copy->sampler_index = tex->sampler_index;
    for (unsigned s = 0; s < tex->num_srcs; s++) {
        srcs[s].src = nir_src_for_ssa(tex->src[s].src.ssa);
        srcs[s].src_type = tex->src[s].src_type;
    }
    srcs[tex->num_srcs].src = nir_src_for_ssa(offset);
    srcs[tex->num_srcs].src_type = nir_tex_src_offset;
    nir_def_init(&copy->instr, &copy->def, nir_tex_instr_dest_size(copy), tex->def.bit_size);
    nir_builder_instr_insert(b, &copy->instr);
    return nir_channel(b, &copy->def, 3);
}

static bool lower_tg4_offsets(nir_builder *b, nir_tex_instr *tex)
{
    if (tex->op != nir_texop_tg4 || !has_gather_offsets(tex))
        return false;
    nir_def *texels[4];
    b->cursor = nir_before_instr(&tex->instr);
    for (unsigned i = 0; i < 4; i++)
        texels[i] = gather_at(b, tex, i);
    nir_def_replace(&tex->def, nir_vec(b, texels, 4));
    return true;
}

/* --- Sizes of cube map arrays, GLSL 4.60 §8.9.1: the driver counts faces --- */

static bool lower_txs_cube_array(nir_builder *b, nir_tex_instr *tex)
{
    if (tex->op != nir_texop_txs || tex->sampler_dim != GLSL_SAMPLER_DIM_CUBE || !tex->is_array)
        return false;
    tex->sampler_dim = GLSL_SAMPLER_DIM_2D;
    b->cursor = nir_after_instr(&tex->instr);
    nir_def *cubes = nir_udiv_imm(b, nir_channel(b, &tex->def, 2), 6);
    nir_def *size = nir_vector_insert_imm(b, &tex->def, cubes, 2);
    nir_def_rewrite_uses_after(&tex->def, size, size->parent_instr);
    return true;
}

static bool lower_instr(nir_builder *b, nir_tex_instr *tex, void *data)
{
    const nir_lower_tex_options *options = data;
    bool progress = false;
    if (options->lower_txp)
        progress |= lower_projector(b, tex);
    if (options->lower_rect)
        progress |= lower_rect(b, tex);
    if (options->lower_txs_cube_array)
        progress |= lower_txs_cube_array(b, tex);
    if (options->lower_txd_cube)
        progress |= lower_txd_cube(b, tex);
    if (options->lower_tg4_offsets)
        progress |= lower_tg4_offsets(b, tex); /* removes tex */
    return progress;
}

bool nir_lower_tex(nir_shader *shader, const nir_lower_tex_options *options)
{
    return nir_shader_tex_pass(shader, lower_instr, nir_metadata_control_flow, (void *)options);
}
