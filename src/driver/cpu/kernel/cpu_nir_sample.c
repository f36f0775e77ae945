/* SPDX-License-Identifier: MIT */
/*
 * Lowers texture instructions: operands, level of detail (GL 4.6 §8.14), choice of filter and
 * levels, queries and texel fetches. The functions of cpu_nir_filter.h filter one level.
 */
#include "driver/cpu/kernel/cpu_nir_sample.h"

#include <math.h>

#include "util/format.h"

/* ---------------------------------------------------------------------------------- results --- */

bool cpu_sample_is_integer(const struct cpu_sample *s)
{
    return s->key->sample_stencil || util_format_is_pure_integer(s->key->format);
}

unsigned cpu_sample_channel(const struct cpu_sample *s, unsigned c)
{
    const struct drv_format_desc *desc = drv_format_desc(s->key->format);
    unsigned component = s->key->swizzle[c];

    if (component > DRV_SWIZZLE_W)
        return component;
    if (desc->colorspace == DRV_COLORSPACE_ZS)
        return component == 0 ? DRV_SWIZZLE_X : component == 3 ? DRV_SWIZZLE_1 : DRV_SWIZZLE_0;
    return desc->swizzle[component];
}

void cpu_sample_swizzle(struct cpu_sample *s, nir_def *const channel[4], nir_def *rgba[4])
{
    nir_builder *b = s->b;

    for (unsigned c = 0; c < 4; c++) {
        unsigned from = cpu_sample_channel(s, c);
        if (from <= DRV_SWIZZLE_W)
            rgba[c] = channel[from];
        else if (from == DRV_SWIZZLE_0)
            rgba[c] = nir_imm_int(b, 0);
        else
            rgba[c] = cpu_sample_is_integer(s) ? nir_imm_int(b, 1) : nir_imm_float(b, 1.0f);
    }
}

static nir_def *level_address(struct cpu_sample *s, nir_def *level)
{
    nir_builder *b = s->b;
    return nir_iadd(b, s->texture, nir_u2u64(b, nir_imul_imm(b, level, sizeof(struct cpu_level))));
}

void cpu_sample_load_level(struct cpu_sample *s, nir_def *level, struct cpu_level_def *def)
{
    if (level) {
        cpu_load_level(s->b, s->texture, level, def);
        return;
    }
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    cpu_load_level(s->b, s->texture, NULL, def);
    cpu_kernel_leave_prologue(s->kb, saved);
}

static nir_def *load_sampler_float(struct cpu_sample *s, unsigned offset)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *value = cpu_load_const(s->b, 1, 32, s->sampler, offset);
    cpu_kernel_leave_prologue(s->kb, saved);
    return value;
}
#define SAMPLER(s, field) load_sampler_float(s, offsetof(struct cpu_sampler, field))

static nir_def *load_texture_word(struct cpu_sample *s, unsigned offset)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *value = cpu_load_const(s->b, 1, 32, s->texture, offset);
    cpu_kernel_leave_prologue(s->kb, saved);
    return value;
}
#define TEXTURE(s, field) load_texture_word(s, offsetof(struct cpu_texture, field))

/* --------------------------------------------------------------------------------- operands --- */

static nir_def *tex_src(const nir_tex_instr *tex, nir_tex_src_type type)
{
    int i = nir_tex_instr_src_index(tex, type);
    return i < 0 ? NULL : tex->src[i].src.ssa;
}

static unsigned filter_dims(enum glsl_sampler_dim dim)
{
    switch (dim) {
    case GLSL_SAMPLER_DIM_1D:
    case GLSL_SAMPLER_DIM_BUF:
        return 1;
    case GLSL_SAMPLER_DIM_3D:
        return 3;
    default:
        return 2;
    }
}

static bool is_fetch(const nir_tex_instr *tex)
{
    return tex->op == nir_texop_txf || tex->op == nir_texop_txf_ms;
}

/* Returns whether the level of detail is needed. */
static bool needs_lod(const struct cpu_sample *s)
{
    bool filters_differ = s->key->min_filter != s->key->mag_filter;
    bool levels = s->key->mip_filter != DRV_MIP_NONE && !s->key->single_level;
    return s->tex->op == nir_texop_lod || filters_differ || levels || s->key->anisotropic;
}

static nir_def *upper_row_ddx(nir_builder *b, nir_def *x)
{
    return nir_fsub(b, nir_quad_broadcast(b, x, nir_imm_int(b, 3)),
                    nir_quad_broadcast(b, x, nir_imm_int(b, 2)));
}

/* Returns whether lanes form quads: in fragment shaders, and in compute shaders, which have
 * implicit derivatives only with a derivative group (NV_compute_shader_derivatives). */
static bool has_quads(const struct cpu_kernel_builder *kb)
{
    return kb->live || kb->shader->info.stage == SHADER_COMPUTE;
}

/* Computes the screen-space derivatives of the coordinates, if the instruction has or needs any. */
static void load_derivatives(struct cpu_sample *s)
{
    nir_builder *b = s->b;
    bool implicit =
        s->tex->op == nir_texop_tex || s->tex->op == nir_texop_txb || s->tex->op == nir_texop_lod;
    nir_def *ddx = tex_src(s->tex, nir_tex_src_ddx), *ddy = tex_src(s->tex, nir_tex_src_ddy);
    unsigned n = s->tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE ? 3 : s->dims;

    if (!needs_lod(s))
        return;
    if (ddx && ddy) {
        for (unsigned i = 0; i < n; i++) {
            s->ddx[i] = nir_channel(b, ddx, i);
            s->ddy[i] = nir_channel(b, ddy, i);
        }
    } else if (implicit && has_quads(s->kb)) { /* other stages use level 0 */
        for (unsigned i = 0; i < n; i++) {     /* one level for the whole quad */
            s->ddx[i] =
                s->kb->upper_row ? upper_row_ddx(b, s->coord[i]) : nir_fddx_coarse(b, s->coord[i]);
            s->ddy[i] = nir_fddy_coarse(b, s->coord[i]);
        }
        s->implicit_derivatives = true;
    }
}

/* Converts an array coordinate to the integer layer: rounded to even and clamped (GL 4.6
 * §8.14.2). */
static nir_def *array_layer(struct cpu_sample *s, nir_def *coord, unsigned faces)
{
    nir_builder *b = s->b;
    nir_def *layers = TEXTURE(s, num_layers);

    if (faces > 1)
        layers = nir_udiv_imm(b, layers, faces);
    nir_def *layer = is_fetch(s->tex) ? coord : nir_f2i32(b, nir_fround_even(b, coord));
    if (is_fetch(s->tex))
        return layer; /* lower_fetch() checks it against the bounds */
    layer = nir_imin(b, layer, nir_iadd_imm(b, layers, -1));
    layer = nir_imax(b, layer, nir_imm_int(b, 0));
    return faces > 1 ? nir_imul_imm(b, layer, faces) : layer;
}

static bool is_zero(nir_def *def, unsigned component)
{
    nir_src src = nir_src_for_ssa(def);
    return nir_src_is_const(src) && nir_src_comp_as_int(src, component) == 0;
}

static void load_operands(struct cpu_sample *s)
{
    nir_builder *b = s->b;
    nir_tex_instr *tex = s->tex;
    nir_def *coord = tex_src(tex, nir_tex_src_coord), *offset = tex_src(tex, nir_tex_src_offset);
    bool cube = tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE;
    unsigned n = cube ? 3 : s->dims;

    for (unsigned i = 0; coord && i < n; i++)
        s->coord[i] = nir_channel(b, coord, i);
    for (unsigned i = 0; offset && i < s->dims && i < offset->num_components; i++) {
        if (!is_zero(offset, i))
            s->offset[i] = nir_channel(b, offset, i);
    }
    load_derivatives(s);
    if (coord && tex->is_array && tex->op != nir_texop_lod)
        s->layer = array_layer(s, nir_channel(b, coord, n), cube ? 6 : 1);
    if (cube && coord) {
        cpu_cube_project(s);
        s->cube_layer = s->layer;
        s->layer = s->layer ? nir_iadd(b, s->layer, s->face) : s->face;
    }
    nir_def *compare = tex_src(tex, nir_tex_src_comparator);
    if (compare && s->key->compare_func) {
        bool fixed = !util_format_is_float(s->key->format);
        s->compare = fixed ? nir_fsat(b, compare) : compare;
    }
}

/* -------------------------------------------------------------------------- level of detail --- */

/* Compare and select: one instruction each, unlike fmin and fmax, which have to handle NaN
 * operands. If x is NaN, the result is NaN. */
static nir_def *at_least(nir_builder *b, nir_def *x, nir_def *limit)
{
    return nir_bcsel(b, nir_flt(b, x, limit), limit, x);
}

static nir_def *at_most(nir_builder *b, nir_def *x, nir_def *limit)
{
    return nir_bcsel(b, nir_flt(b, limit, x), limit, x);
}

/* EXT_texture_filter_anisotropic: places N probes along the major axis of the footprint, where N is
 * the ratio of its axes. Each probe covers 1/N of the major axis. length: squared lengths of the
 * axes in texels. Returns the squared length of a probe. */
static nir_def *place_probes(struct cpu_sample *s, nir_def *const length[2])
{
    nir_builder *b = s->b;
    nir_def *along_y = nir_flt(b, length[0], length[1]);
    nir_def *longer = nir_bcsel(b, along_y, length[1], length[0]);
    nir_def *shorter = nir_bcsel(b, along_y, length[0], length[1]);
    nir_def *one = nir_imm_float(b, 1.0f);
    nir_def *ratio = nir_fceil(b, nir_fsqrt(b, nir_fdiv(b, longer, shorter)));

    /* not more probes than texels: smaller probes find nothing new */
    ratio = nir_fmin(b, ratio, nir_fceil(b, nir_fsqrt(b, longer)));
    ratio = nir_fmin(b, ratio, nir_fmin(b, SAMPLER(s, max_anisotropy), nir_imm_float(b, 16.0f)));
    ratio = nir_ffloor(b, nir_fmax(b, ratio, one));
    s->probes = ratio;
    for (unsigned i = 0; i < 2; i++)
        s->major[i] = nir_bcsel(b, along_y, s->ddy[i], s->ddx[i]);
    return nir_fdiv(b, longer, nir_fmul(b, ratio, ratio));
}

/* Returns half of log2(x) for positive x, linearly interpolated between powers of two: the bits of
 * a float, scaled and offset. GL 4.6 §8.14.1 allows such approximations of the scale factor. */
static nir_def *half_log2_by_bits(nir_builder *b, nir_def *x)
{
    return nir_fmul_imm(b, nir_i2f32(b, nir_iadd_imm(b, x, -0x3f800000)), 0x1p-24);
}

/* Returns the derivative of a coordinate along x in the first pixel of each quad, and along y in
 * the second. */
static nir_def *quad_derivatives(struct cpu_sample *s, nir_def *coord)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lane = nir_load_subgroup_invocation(b);
    nir_def *along_y = nir_ine_imm(b, nir_iand_imm(b, lane, 1), 0), *pixel[4];
    cpu_kernel_leave_prologue(s->kb, saved);

    for (unsigned i = 0; i < 4; i++)
        pixel[i] = nir_quad_broadcast(b, coord, nir_imm_int(b, (int)i));
    if (s->kb->upper_row)
        return nir_fsub(b, nir_bcsel(b, along_y, pixel[2], pixel[3]),
                        nir_bcsel(b, along_y, pixel[0], pixel[2]));
    return nir_fsub(b, nir_bcsel(b, along_y, pixel[2], pixel[1]), pixel[0]);
}

/* Returns the squared length of a coordinate change, in texels. */
static nir_def *squared_length(struct cpu_sample *s, const struct cpu_level_def *level,
                               nir_def *const change[3])
{
    nir_builder *b = s->b;
    nir_def *const size[3] = {level->width, level->height, level->depth}, *sum = NULL;

    for (unsigned i = 0; i < s->dims; i++) {
        nir_def *texels = change[i];
        if (!s->key->unnormalized)
            texels = nir_fmul(b, texels, nir_i2f32(b, size[i]));
        nir_def *square = nir_fmul(b, texels, texels);
        sum = sum ? nir_fadd(b, sum, square) : square;
    }
    return sum;
}

/* Returns log2 of the footprint's length in texels: the larger of the lengths along x and y. */
static nir_def *lod_from_derivatives(struct cpu_sample *s, const struct cpu_level_def *level)
{
    nir_builder *b = s->b;
    nir_def *length[2], *both[3];

    if (s->implicit_derivatives) { /* computed once per quad, in two of its lanes */
        for (unsigned i = 0; i < s->dims; i++)
            both[i] = quad_derivatives(s, s->coord[i]);
        nir_def *lengths = squared_length(s, level, both);
        for (unsigned d = 0; d < 2; d++)
            length[d] = nir_quad_broadcast(b, lengths, nir_imm_int(b, (int)d));
    } else {
        length[0] = squared_length(s, level, s->ddx);
        length[1] = squared_length(s, level, s->ddy);
    }
    nir_def *square = s->key->anisotropic && s->dims == 2 ? place_probes(s, length)
                                                          : at_least(b, length[0], length[1]);
    bool exact = s->tex->op == nir_texop_lod;
    s->square = exact ? NULL : square;
    return exact ? nir_fmul_imm(b, nir_flog2(b, square), 0.5) : half_log2_by_bits(b, square);
}

/* Computes the limits of λ, restricted to the range of level indices. They are never NaN. */
static void level_limits(struct cpu_sample *s, nir_def *limit[2])
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    nir_def *lowest = nir_imm_float(b, 0.0f), *highest = nir_imm_float(b, 255.0f);

    limit[0] = at_most(b, SAMPLER(s, min_lod), SAMPLER(s, max_lod));
    limit[1] = SAMPLER(s, max_lod);
    for (unsigned i = 0; i < 2; i++)
        limit[i] = nir_fmin(b, nir_fmax(b, limit[i], lowest), highest);
    cpu_kernel_leave_prologue(s->kb, saved);
}

/* Converts a float to fixed point in units of 2^-24, in the prologue; clamps it to ±most. */
static nir_def *fixed_limit(struct cpu_sample *s, nir_def *x, float most)
{
    nir_builder *b = s->b;
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    x = nir_fmin(b, nir_fmax(b, x, nir_imm_float(b, -most)), nir_imm_float(b, most));
    x = nir_f2i32_in_range(b, nir_fmul_imm(b, x, 0x1p24));
    cpu_kernel_leave_prologue(s->kb, saved);
    return x;
}

/* Computes λ from the squared length in integer arithmetic, because the dependency chain from
 * derivatives to level addresses is long. The bits of the squared length are 2λ with 23 fraction
 * bits, i.e. λ in units of 2^-24. |λ| is at most 64 for finite lengths and for level indices. */
static nir_def *fixed_lod(struct cpu_sample *s, nir_def *const limit[2])
{
    nir_builder *b = s->b;
    nir_def *lod = nir_iadd_imm(b, s->square, -0x3f800000);
    lod = nir_iadd(b, lod, fixed_limit(s, SAMPLER(s, lod_bias), 32.0f));
    lod = nir_imax(b, lod, fixed_limit(s, limit[0], 64.0f));
    return nir_ishr_imm(b, nir_imin(b, lod, fixed_limit(s, limit[1], 64.0f)), 16);
}

/* Computes λ of GL 4.6 §8.14.1. *unclamped: λ' before clamping; may be NULL. */
static nir_def *compute_lod(struct cpu_sample *s, nir_def **unclamped)
{
    nir_builder *b = s->b;
    nir_def *lod = tex_src(s->tex, nir_tex_src_lod), *bias = tex_src(s->tex, nir_tex_src_bias);
    nir_def *min_lod = tex_src(s->tex, nir_tex_src_min_lod);
    struct cpu_level_def level;

    if (!lod && s->ddx[0]) {
        cpu_sample_load_level(s, NULL, &level);
        lod = lod_from_derivatives(s, &level);
    } else if (!lod) {
        lod = nir_imm_float(b, 0.0f);
    }
    nir_def *total = SAMPLER(s, lod_bias);
    if (bias)
        total = nir_fadd(b, total, bias);
    lod = nir_fadd(b, lod, total);
    if (unclamped)
        *unclamped = lod;
    if (s->levels_only) {
        nir_def *limit[2];
        level_limits(s, limit);
        if (s->square && !bias && !min_lod)
            s->fixed_lod = fixed_lod(s, limit);
        lod = nir_bcsel(b, nir_flt(b, limit[0], lod), lod, limit[0]); /* NaN becomes the limit */
        lod = at_most(b, lod, limit[1]);
    } else {
        lod = at_most(b, at_least(b, lod, SAMPLER(s, min_lod)), SAMPLER(s, max_lod));
    }
    return min_lod ? nir_fmax(b, lod, min_lod) : lod;
}

static nir_def *clamp_level(struct cpu_sample *s, nir_def *level)
{
    nir_builder *b = s->b;
    nir_def *last = nir_iadd_imm(b, TEXTURE(s, num_levels), -1);
    return nir_imax(b, nir_imin(b, level, last), nir_imm_int(b, 0));
}

/* ---------------------------------------------------------------------------------- filters --- */

static void filter_first_level(struct cpu_sample *s, bool linear, nir_def *channel[4])
{
    struct cpu_level_def def;

    cpu_sample_load_level(s, NULL, &def);
    cpu_sample_filter(s, &def, linear, channel);
}

/* Filters one level for all lanes. `level` must be uniform. */
static void filter_common_level(struct cpu_sample *s, nir_def *level, bool linear,
                                nir_def *channel[4])
{
    struct cpu_level_def def;

    cpu_load_level(s->b, level_address(s, level), NULL, &def);
    cpu_sample_filter(s, &def, linear, channel);
}

/* Filters levels that may differ between lanes. A loop takes the level of the first waiting lane,
 * whose address and size are scalars, and serves all lanes that want the same level. Usually all
 * do. Quads without live fragments are skipped: their coordinates may be far away. */
static void filter_level(struct cpu_sample *s, nir_def *level, bool linear, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_function_impl *impl = s->kb->impl;
    nir_variable *waiting = nir_local_variable_create(impl, glsl_bool_type(), "waiting");
    nir_variable *value[4];

    for (unsigned c = 0; c < cpu_sample_values(s); c++) {
        value[c] = nir_local_variable_create(impl, glsl_uint_type(), "texel");
        nir_store_var(b, value[c], nir_imm_int(b, 0), 1);
    }
    nir_store_var(b, waiting, s->kb->quad_live ? s->kb->quad_live : nir_imm_true(b), 1);
    nir_loop *loop = nir_push_loop(b);
    nir_break_if(b, nir_inot(b, nir_vote_any(b, nir_load_var(b, waiting))));
    nir_push_if(b, nir_load_var(b, waiting));
    nir_def *first = nir_read_first_invocation(b, level);
    nir_push_if(b, nir_ieq(b, level, first));
    filter_common_level(s, first, linear, channel);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        nir_store_var(b, value[c], channel[c], 1);
    nir_store_var(b, waiting, nir_imm_false(b), 1);
    nir_pop_if(b, NULL);
    nir_pop_if(b, NULL);
    nir_pop_loop(b, loop);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_load_var(b, value[c]);
}

static void filter_at(struct cpu_sample *s, nir_def *level, bool linear, nir_def *channel[4])
{
    if (level)
        filter_level(s, level, linear, channel);
    else
        filter_first_level(s, linear, channel);
}

/* Returns ceil(λ + 1/2) - 1, clamped. */
static nir_def *nearest_level(struct cpu_sample *s, nir_def *lod)
{
    nir_builder *b = s->b;
    return clamp_level(s,
                       nir_iadd_imm(b, nir_f2i32(b, nir_fceil(b, nir_fadd_imm(b, lod, 0.5))), -1));
}

/* Returns the level at or below λ. *share: weight of the next level; with packed texels an integer
 * in units of 1/256, otherwise a float. *some: 1 bit, the weight is not zero. */
static nir_def *split_lod(struct cpu_sample *s, nir_def *lod, nir_def **share, nir_def **some)
{
    nir_builder *b = s->b;

    if (!s->levels_only)
        lod = nir_fmax(b, lod, nir_imm_float(b, 0.0f));
    if (s->packing) {
        if (!s->levels_only)
            lod = nir_fmin(b, lod, nir_imm_float(b, 255.0f)); /* above all levels */
        nir_def *fixed = s->fixed_lod;
        if (!fixed)
            fixed = nir_f2i32_in_range(b, nir_fmul_imm(b, lod, 256.0));
        *share = nir_iand_imm(b, fixed, 0xff);
        *some = nir_ine_imm(b, *share, 0);
        return clamp_level(s, nir_ishr_imm(b, fixed, 8));
    }
    nir_def *floor = nir_ffloor(b, lod);
    *share = nir_fsub(b, lod, floor);
    if (s->rounds_levels)
        *share = nir_fmul_imm(b, nir_ffloor(b, nir_fmul_imm(b, *share, 256.0)), 1.0 / 256.0);
    *some = nir_flt(b, nir_imm_float(b, 0.0f), *share);
    return clamp_level(s, nir_f2i32(b, floor));
}

/* Computes the first and the last level that any lane reads, both uniform. level, last: first and
 * last level of each lane. Quads without live fragments are ignored: their coordinates may be far
 * away. */
static void find_level_range(struct cpu_sample *s, nir_def *level, nir_def *last, nir_def *range[2])
{
    nir_builder *b = s->b;
    nir_def *most = nir_imm_int(b, DRV_MAX_TEXTURE_LEVELS), *above = nir_isub(b, most, last);
    nir_def *halves = nir_ior(b, nir_ishl_imm(b, level, 16), above);

    if (s->kb->quad_live)
        halves = nir_bcsel(b, s->kb->quad_live, halves, nir_imm_int(b, -1));
    halves = nir_min_2x16(b, halves);
    range[0] = nir_ushr_imm(b, halves, 16);
    range[1] = nir_isub(b, most, nir_iand_imm(b, halves, 0xffff));
}

/* Filters and interpolates two levels per lane. A loop filters each level in the lanes' range,
 * usually two, for all lanes; level index, address and size are scalars. */
static void filter_levels(struct cpu_sample *s, nir_def *level, nir_def *share, nir_def *some,
                          bool linear, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_function_impl *impl = s->kb->impl;
    nir_variable *number = nir_local_variable_create(impl, glsl_uint_type(), "level"), *value[2][4];
    nir_def *last = nir_bcsel(b, some, clamp_level(s, nir_iadd_imm(b, level, 1)), level), *range[2];
    nir_def *both[2][4];

    find_level_range(s, level, last, range);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned c = 0; c < cpu_sample_values(s); c++) {
            value[i][c] = nir_local_variable_create(impl, glsl_uint_type(), "texel");
            nir_store_var(b, value[i][c], nir_imm_int(b, 0), 1);
        }
    }
    nir_store_var(b, number, range[0], 1);
    nir_loop *loop = nir_push_loop(b);
    nir_def *here = nir_load_var(b, number);
    nir_break_if(b, nir_ilt(b, range[1], here));
    nir_def *const wanted[2] = {nir_ieq(b, level, here), nir_ieq(b, last, here)};
    nir_push_if(b, nir_vote_any(b, nir_ior(b, wanted[0], wanted[1])));
    s->levels_differ = true;
    filter_common_level(s, here, linear, channel);
    s->levels_differ = false;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned c = 0; c < cpu_sample_values(s); c++) {
            nir_def *old = nir_load_var(b, value[i][c]);
            nir_store_var(b, value[i][c], nir_bcsel(b, wanted[i], channel[c], old), 1);
        }
    }
    nir_pop_if(b, NULL);
    nir_store_var(b, number, nir_iadd_imm(b, here, 1), 1);
    nir_pop_loop(b, loop);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned c = 0; c < cpu_sample_values(s); c++)
            both[i][c] = nir_load_var(b, value[i][c]);
    cpu_sample_mix_levels(s, both[0], both[1], share, channel);
}

/* Filters and interpolates two levels per lane. All lanes have the first level in common. */
static void filter_common_levels(struct cpu_sample *s, nir_def *level, nir_def *share,
                                 nir_def *some, bool linear, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *next[4], *mixed[4];

    s->minified = true;
    filter_common_level(s, level, linear, channel);
    s->minified = false;
    nir_push_if(b, nir_vote_any(b, some));
    filter_common_level(s, clamp_level(s, nir_iadd_imm(b, level, 1)), linear, next);
    cpu_sample_mix_levels(s, channel, next, share, mixed);
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_if_phi(b, mixed[c], channel[c]);
}

/* Filters one or two levels if all lanes have the first level in common, otherwise in a loop. */
static void filter_each_level(struct cpu_sample *s, nir_def *level, nir_def *first, nir_def *share,
                              nir_def *some, bool linear, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *common[4];

    nir_push_if(b, nir_vote_all(b, nir_ieq(b, level, first)));
    filter_common_levels(s, first, share, some, linear, common);
    nir_push_else(b, NULL);
    filter_levels(s, level, share, some, linear, channel);
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_if_phi(b, common[c], channel[c]);
}

/* Filters levels through windows. first: level of the first lane, uniform. If all lanes use it and
 * no next level, as in magnified textures, only that level is filtered; if they use the next level,
 * too, both are filtered in one piece of code. */
static void filter_windows(struct cpu_sample *s, nir_def *level, nir_def *first, nir_def *share,
                           nir_def *some, bool linear, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *one[4], *two[4], *apart[4], *differs = nir_ixor(b, level, first);
    nir_def *same = nir_vote_all(b, nir_ieq_imm(b, differs, 0));
    nir_def *const number[2] = {first, clamp_level(s, nir_iadd_imm(b, first, 1))};
    struct cpu_level_def def[2];

    nir_push_if(b, nir_iand(b, same, nir_inot(b, nir_vote_any(b, some))));
    filter_common_level(s, first, linear, one);
    nir_push_else(b, NULL);
    for (unsigned i = 0; i < 2; i++)
        cpu_load_level(b, level_address(s, number[i]), NULL, &def[i]);
    if (linear && cpu_sample_may_have_grid(s)) {
        cpu_sample_begin_two_grids(s, def, differs, share, two);
        s->not_grid = true;
        filter_each_level(s, level, first, share, some, linear, apart);
        s->not_grid = false;
    } else {
        cpu_sample_begin_two_levels(s, def, linear, differs, share, two);
        filter_levels(s, level, share, some, linear, apart);
    }
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        two[c] = nir_if_phi(b, two[c], apart[c]);
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_if_phi(b, one[c], two[c]);
}

/* Filters and interpolates two levels. Adjacent pixels usually agree on the level; only then no
 * loop is needed and windows are used. */
static void filter_trilinear(struct cpu_sample *s, nir_def *lod, bool linear, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *share, *some, *level = split_lod(s, lod, &share, &some);

    if (cpu_sample_is_integer(s)) { /* integers are not interpolated */
        filter_level(s, level, linear, channel);
        return;
    }
    if (!s->kb->adjacent_pixels || s->kb->compact) {
        filter_levels(s, level, share, some, linear, channel);
        return;
    }
    nir_def *first = nir_read_first_invocation(b, level);
    if ((s->kb->block && cpu_sample_may_use_window(s, linear) && !(s->face && s->key->seamless)) ||
        (linear && cpu_sample_may_have_grid(s))) {
        filter_windows(s, level, first, share, some, linear, channel);
        return;
    }
    filter_each_level(s, level, first, share, some, linear, channel);
}

static void filter_probe(struct cpu_sample *s, nir_def *lod, nir_def *channel[4])
{
    bool linear = s->key->min_filter == DRV_FILTER_LINEAR;
    unsigned mip = s->key->single_level ? DRV_MIP_NONE : s->key->mip_filter;

    if (mip == DRV_MIP_NONE)
        filter_at(s, NULL, linear, channel);
    else if (mip == DRV_MIP_NEAREST)
        filter_at(s, nearest_level(s, lod), linear, channel);
    else
        filter_trilinear(s, lod, linear, channel);
}

/* Computes the mean of the probes, or their minimum or maximum. Lanes with fewer probes than others
 * wait. */
static void filter_probes(struct cpu_sample *s, nir_def *lod, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_function_impl *impl = s->kb->impl;
    nir_variable *index = nir_local_variable_create(impl, glsl_float_type(), "probe");
    nir_def *center[2] = {s->coord[0], s->coord[1]};
    nir_def *inv = nir_fdiv(b, nir_imm_float(b, 1.0f), s->probes);
    nir_variable *sum[4];
    unsigned reduction = s->key->reduction;
    float none = reduction == DRV_REDUCTION_MIN ? INFINITY : reduction ? -INFINITY : 0.0f;

    for (unsigned c = 0; c < 4; c++) {
        sum[c] = nir_local_variable_create(impl, glsl_float_type(), "sum");
        nir_store_var(b, sum[c], nir_imm_float(b, none), 1);
    }
    nir_store_var(b, index, nir_imm_float(b, 0.0f), 1);
    nir_loop *loop = nir_push_loop(b);
    nir_def *i = nir_load_var(b, index), *more = nir_flt(b, i, s->probes);
    nir_break_if(b, nir_inot(b, nir_vote_any(b, more)));
    nir_push_if(b, more);
    nir_def *place = nir_fadd_imm(b, nir_fmul(b, nir_fadd_imm(b, i, 0.5), inv), -0.5);
    for (unsigned a = 0; a < 2; a++)
        s->coord[a] = nir_fadd(b, center[a], nir_fmul(b, s->major[a], place));
    filter_probe(s, lod, channel);
    for (unsigned c = 0; c < 4; c++) {
        nir_def *so_far = nir_load_var(b, sum[c]);
        nir_def *next =
            reduction ? cpu_sample_reduce(s, so_far, channel[c]) : nir_fadd(b, so_far, channel[c]);
        nir_store_var(b, sum[c], next, 1);
    }
    nir_pop_if(b, NULL);
    nir_store_var(b, index, nir_fadd_imm(b, i, 1.0), 1);
    nir_pop_loop(b, loop);
    for (unsigned a = 0; a < 2; a++)
        s->coord[a] = center[a];
    for (unsigned c = 0; c < 4; c++) {
        channel[c] = nir_load_var(b, sum[c]);
        if (!reduction)
            channel[c] = nir_fmul(b, channel[c], inv);
    }
}

static void filter_minified(struct cpu_sample *s, nir_def *lod, nir_def *channel[4])
{
    if (s->probes)
        filter_probes(s, lod, channel);
    else
        filter_probe(s, lod, channel);
}

static void filter_sample(struct cpu_sample *s, nir_def *channel[4])
{
    nir_builder *b = s->b;
    bool mag_linear = s->key->mag_filter == DRV_FILTER_LINEAR;
    nir_def *magnified[4];

    if (!needs_lod(s)) {
        filter_at(s, NULL, mag_linear, channel);
        return;
    }
    s->levels_only =
        s->key->min_filter == s->key->mag_filter && !tex_src(s->tex, nir_tex_src_min_lod);
    nir_def *lod = compute_lod(s, NULL);
    if (s->key->min_filter == s->key->mag_filter) {
        filter_minified(s, lod, channel);
        return;
    }
    /* λ = 0 separates magnification from minification for all filters since GL 4.5 and ES 3.0.1
     * (GL 4.6 §8.15). */
    nir_push_if(b, nir_fge(b, nir_imm_float(b, 0.0f), lod));
    filter_at(s, NULL, mag_linear, magnified);
    nir_push_else(b, NULL);
    filter_minified(s, lod, channel);
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < cpu_sample_values(s); c++)
        channel[c] = nir_if_phi(b, magnified[c], channel[c]);
}

static void lower_sample(struct cpu_sample *s, nir_def *channel[4])
{
    /* the mean of several probes has more than 8 bits of precision */
    s->packing = s->key->anisotropic ? CPU_UNPACKED : cpu_sample_packing(s);
    s->fixed_point_pcf = s->compare && !s->key->anisotropic && !s->key->reduction &&
                         !s->key->sample_stencil && cpu_reads_no_border(s);
    filter_sample(s, channel);
    if (s->packing)
        cpu_sample_unpack(s, channel);
}

/* ---------------------------------------------------------------------- fetches and queries --- */

/* Returns so_far (or true) and index < size. Lanes out of range are not fetched. */
static nir_def *in_range(nir_builder *b, nir_def *so_far, nir_def *index, nir_def *size)
{
    nir_def *inside = nir_ult(b, index, size);
    return so_far ? nir_iand(b, so_far, inside) : inside;
}

static nir_def *or_zero(nir_builder *b, nir_def *condition, nir_def *value)
{
    return nir_bcsel(b, condition, value, nir_imm_int(b, 0));
}

/* texelFetch: returns zeros outside the level, as robust buffer access requires. */
static void lower_fetch(struct cpu_sample *s, nir_def *channel[4])
{
    nir_builder *b = s->b;
    nir_def *lod = tex_src(s->tex, nir_tex_src_lod), *inside = NULL;
    bool buffer = s->key->target == DRV_BUFFER;
    struct cpu_level_def level;

    if (lod && !buffer &&
        !(nir_src_is_const(nir_src_for_ssa(lod)) && nir_src_as_uint(nir_src_for_ssa(lod)) == 0)) {
        inside = in_range(b, NULL, lod, TEXTURE(s, num_levels));
        cpu_sample_load_level(s, or_zero(b, inside, lod), &level);
    } else {
        cpu_sample_load_level(s, NULL, &level);
    }
    nir_def *const size[3] = {level.width, level.height, level.depth};
    for (unsigned i = 0; i < s->dims; i++) {
        if (s->offset[i])
            s->coord[i] = nir_iadd(b, s->coord[i], s->offset[i]);
        inside = in_range(b, inside, s->coord[i], size[i]);
    }
    if (s->layer)
        inside = in_range(b, inside, s->layer, TEXTURE(s, num_layers));
    nir_def *sample = tex_src(s->tex, nir_tex_src_ms_index);
    if (sample) {
        inside = in_range(b, inside, sample, TEXTURE(s, num_samples));
        s->sample = or_zero(b, inside, sample);
    }
    for (unsigned i = 0; i < s->dims; i++)
        s->coord[i] = or_zero(b, inside, s->coord[i]);
    if (s->layer)
        s->layer = or_zero(b, inside, s->layer);
    if (s->residency) {
        cpu_residency_fetch(s, &level, channel);
        channel[0] = nir_bcsel(b, inside, channel[0], nir_imm_float(b, 1.0f));
        return;
    }
    if (buffer)
        cpu_sample_fetch_buffer(s, &level, channel);
    else
        cpu_sample_fetch(s, &level, channel);
    for (unsigned c = 0; c < 4; c++)
        channel[c] = or_zero(b, inside, channel[c]);
}

static void lower_size_query(struct cpu_sample *s, nir_def *result[4])
{
    nir_builder *b = s->b;
    nir_def *lod = tex_src(s->tex, nir_tex_src_lod);
    struct cpu_level_def level;
    unsigned n = s->dims;

    cpu_sample_load_level(s, lod ? clamp_level(s, lod) : NULL, &level);
    result[0] = level.width;
    result[1] = level.height;
    result[2] = level.depth;
    result[3] = nir_imm_int(b, 0);
    if (s->tex->is_array)
        result[n] = TEXTURE(s, num_layers);
}

/* textureQueryLod: returns the level that would be accessed, and λ before it is clamped to the
 * levels. */
static void lower_lod_query(struct cpu_sample *s, nir_def *result[4])
{
    nir_builder *b = s->b;
    nir_def *unclamped, *lod = compute_lod(s, &unclamped);
    nir_def *last = nir_i2f32(b, nir_iadd_imm(b, TEXTURE(s, num_levels), -1));

    lod = nir_fmin(b, nir_fmax(b, lod, nir_imm_float(b, 0.0f)), last);
    if (s->key->mip_filter == DRV_MIP_NONE)
        lod = nir_imm_float(b, 0.0f);
    else if (s->key->mip_filter == DRV_MIP_NEAREST)
        lod = nir_fmax(b, nir_fadd_imm(b, nir_fceil(b, nir_fadd_imm(b, lod, 0.5)), -1.0),
                       nir_imm_float(b, 0.0f));
    result[0] = lod;
    result[1] = unclamped;
    result[2] = result[3] = nir_imm_int(b, 0);
}

/* -------------------------------------------------------------------------------- accesses --- */

static nir_def *texture_address(struct cpu_kernel_builder *kb, unsigned index)
{
    if (!kb->texture_address[index]) {
        struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);
        unsigned offset = offsetof(struct cpu_stage_state, texture) + index * sizeof(void *);
        kb->texture_address[index] = cpu_load_const(&kb->b, 1, 64, kb->state, offset);
        cpu_kernel_leave_prologue(kb, saved);
    }
    return kb->texture_address[index];
}

static nir_def *sampler_address(struct cpu_kernel_builder *kb, unsigned index)
{
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(kb);
    nir_def *address = cpu_address_imm(&kb->b, kb->state,
                                       offsetof(struct cpu_stage_state, sampler) +
                                           index * sizeof(struct cpu_sampler));
    cpu_kernel_leave_prologue(kb, saved);
    return address;
}

/* Stores in result[0] an int: 1 if all texels that the access reads are in committed memory, else
 * 0. For a gather, stores one in result[] for each texel. The code is skipped if the texture is not
 * sparse. */
static void lower_residency(struct cpu_sample *s, nir_def *result[4])
{
    nir_builder *b = s->b;
    struct cpu_sampler_key key = *s->key;
    nir_def *channel[4];
    struct cpu_saved_cursor saved = cpu_kernel_enter_prologue(s->kb);
    const unsigned map =
        offsetof(struct cpu_texture, residency) + offsetof(struct cpu_residency, resident);
    nir_def *sparse = nir_ine_imm(b, cpu_load_const(b, 1, 64, s->texture, map), 0);
    cpu_kernel_leave_prologue(s->kb, saved);

    /* weights and levels are rounded as in the access itself, in lower_sample() */
    const bool filters = s->tex->op != nir_texop_tg4 && !is_fetch(s->tex) && !s->key->anisotropic;
    const bool packed = filters && cpu_sample_packing(s) != CPU_UNPACKED;
    s->rounds_levels = packed;
    s->fixed_point_pcf = packed || (filters && s->compare && !s->key->reduction &&
                                    !s->key->sample_stencil && cpu_reads_no_border(s));
    s->packing = CPU_UNPACKED;
    s->compare = NULL;
    s->residency = true;
    key.reduction = DRV_REDUCTION_MIN;
    if (is_fetch(s->tex))
        key.format = key.fetch_format;
    s->key = &key;
    nir_push_if(b, sparse);
    if (s->tex->op == nir_texop_tg4) {
        struct cpu_level_def level;
        cpu_sample_load_level(s, NULL, &level);
        cpu_residency_gather(s, &level, channel);
    } else if (is_fetch(s->tex)) {
        lower_fetch(s, channel);
    } else {
        filter_sample(s, channel);
    }
    for (unsigned c = 0; c < 4; c++)
        channel[c] = nir_b2i32(b, nir_fge(b, channel[c], nir_imm_float(b, 0.5f)));
    nir_push_else(b, NULL);
    nir_def *always = nir_imm_int(b, 1);
    nir_pop_if(b, NULL);
    for (unsigned c = 0; c < 4; c++)
        result[c] = nir_if_phi(b, channel[c], always);
}

/* Emits an access to the texture and sampler at these addresses, which have that key. */
static void access_texture(struct cpu_kernel_builder *kb, nir_tex_instr *tex,
                           const struct cpu_sampler_key *key, nir_def *texture, nir_def *sampler,
                           nir_def *result[4])
{
    nir_builder *b = &kb->b;
    struct cpu_sample s = {.kb = kb,
                           .b = b,
                           .tex = tex,
                           .dims = filter_dims(tex->sampler_dim),
                           .key = key,
                           .texture = texture,
                           .sampler = sampler};
    nir_def *channel[4];

    if (tex->is_residency && key->target == DRV_BUFFER) {
        result[0] = result[1] = result[2] = result[3] = nir_imm_int(b, 1);
        return;
    }
    switch (tex->op) {
    case nir_texop_txs:
        lower_size_query(&s, result);
        return;
    case nir_texop_query_levels:
    case nir_texop_texture_samples:
        result[0] =
            tex->op == nir_texop_query_levels ? TEXTURE(&s, num_levels) : TEXTURE(&s, num_samples);
        result[1] = result[2] = result[3] = nir_imm_int(b, 0);
        return;
    default:
        break;
    }
    load_operands(&s);
    if (tex->is_residency) {
        lower_residency(&s, result);
    } else if (tex->op == nir_texop_lod) {
        lower_lod_query(&s, result);
    } else if (tex->op == nir_texop_tg4) {
        struct cpu_level_def level;
        cpu_sample_load_level(&s, NULL, &level);
        cpu_sample_gather(&s, &level, tex->component, result);
    } else {
        struct cpu_sampler_key fetched = *s.key;
        if (is_fetch(tex)) {
            fetched.format = fetched.fetch_format;
            s.key = &fetched;
            lower_fetch(&s, channel);
        } else {
            lower_sample(&s, channel);
        }
        cpu_sample_swizzle(&s, channel, result);
        if (tex->is_shadow && tex->is_new_style_shadow)
            result[0] = channel[0];
    }
}

/* Emits an access to the texture with a constant index. */
static void sample_texture(struct cpu_kernel_builder *kb, nir_tex_instr *tex, unsigned index,
                           nir_def *result[4])
{
    nir_builder *b = &kb->b;
    bool has_slot = index < kb->units->num_samplers;
    bool bound = has_slot && kb->units->sampler[index].format;

    if (!bound && tex->is_residency) {
        result[0] = result[1] = result[2] = result[3] = nir_imm_int(b, 1);
        return;
    }
    if (!bound && !nir_tex_instr_is_query(tex)) {
        for (unsigned c = 0; c < 4; c++)
            result[c] = nir_imm_float(b, c == 3 ? 1.0f : 0.0f);
        return;
    }
    if (!has_slot) { /* NIR_NO_SLOT: the stage's state has no texture to query */
        result[0] = result[1] = result[2] = result[3] = nir_imm_int(b, 0);
        return;
    }
    static const struct cpu_sampler_key unbound = {.format = DRV_FORMAT_R8G8B8A8_UNORM,
                                                   .fetch_format = DRV_FORMAT_R8G8B8A8_UNORM};
    /* only queries read unbound slots */
    nir_def *texture = texture_address(kb, index), *sampler = sampler_address(kb, index);
    access_texture(kb, tex, bound ? &kb->units->sampler[index] : &unbound, texture, sampler,
                   result);
}

/* --------------------------------------------------------------------------------- handles --- */

/* Returns whether an instruction can access a texture with this target: its dimensions are those of
 * the texture, so it stays inside of it. */
static bool matches_target(const nir_tex_instr *tex, enum drv_target target)
{
    switch (target) {
    case DRV_BUFFER:
        return tex->sampler_dim == GLSL_SAMPLER_DIM_BUF;
    case DRV_TEXTURE_1D:
    case DRV_TEXTURE_1D_ARRAY:
        return tex->sampler_dim == GLSL_SAMPLER_DIM_1D &&
               tex->is_array == (target == DRV_TEXTURE_1D_ARRAY);
    case DRV_TEXTURE_2D:
    case DRV_TEXTURE_2D_ARRAY:
        return (tex->sampler_dim == GLSL_SAMPLER_DIM_2D ||
                tex->sampler_dim == GLSL_SAMPLER_DIM_MS) &&
               tex->is_array == (target == DRV_TEXTURE_2D_ARRAY);
    case DRV_TEXTURE_3D:
        return tex->sampler_dim == GLSL_SAMPLER_DIM_3D;
    case DRV_TEXTURE_CUBE:
    case DRV_TEXTURE_CUBE_ARRAY:
        return tex->sampler_dim == GLSL_SAMPLER_DIM_CUBE &&
               tex->is_array == (target == DRV_TEXTURE_CUBE_ARRAY);
    case DRV_TEXTURE_RECT:
        return tex->sampler_dim == GLSL_SAMPLER_DIM_RECT;
    default:
        return false;
    }
}

static void store_result(nir_builder *b, nir_variable *const result[4], nir_def *const value[4])
{
    for (unsigned c = 0; c < 4; c++)
        nir_store_var(b, result[c], value[c], 1);
}

/* Emits an access through a handle that is a slot (NIR_SLOT_HANDLE), with code for each slot. */
static void sample_slots(struct cpu_handle_loop *l, nir_tex_instr *tex,
                         nir_variable *const result[4])
{
    struct cpu_kernel_builder *kb = l->kb;
    nir_builder *b = &kb->b;
    nir_def *value[4];

    nir_push_if(b, nir_ieq_imm(b, l->word[1], NIR_SLOT_HANDLE >> 32));
    for (unsigned i = 0; i < kb->units->num_samplers; i++) {
        const struct cpu_sampler_key *key = &kb->units->sampler[i];
        if (!key->format || !matches_target(tex, key->target))
            continue;
        nir_push_if(b, nir_ieq_imm(b, l->word[0], i));
        nir_def *texture = cpu_load_const(
            b, 1, 64, kb->state, offsetof(struct cpu_stage_state, texture) + i * sizeof(void *));
        access_texture(kb, tex, key, texture, sampler_address(kb, i), value);
        store_result(b, result, value);
        nir_pop_if(b, NULL);
    }
    nir_pop_if(b, NULL);
}

/* Emits an access through a handle. If the handle is not that of a resident texture with the
 * instruction's target, the result is 0. */
static void sample_handle(struct cpu_kernel_builder *kb, nir_tex_instr *tex, nir_def *handle,
                          nir_def *result[4])
{
    nir_builder *b = &kb->b;
    nir_variable *var[4];
    struct cpu_handle_loop l;

    for (unsigned c = 0; c < 4; c++) {
        var[c] = nir_local_variable_create(kb->impl, glsl_uint_type(), "texel");
        nir_store_var(b, var[c], nir_imm_int(b, 0), 1);
    }
    cpu_begin_handles(kb, handle, &l);
    for (unsigned i = 0; i < CPU_TEXTURE_CLASSES; i++) {
        const struct cpu_sampler_key *key = &kb->classes->texture[i];
        nir_def *value[4];
        if (!(kb->units->classes[i / 64] >> i % 64 & 1) || !matches_target(tex, key->target))
            continue;
        nir_def *texture = cpu_begin_handle_class(&l, i, offsetof(struct cpu_handle, texture));
        nir_def *sampler = cpu_address_imm(b, l.entry, offsetof(struct cpu_handle, sampler));
        access_texture(kb, tex, key, texture, sampler, value);
        store_result(b, var, value);
        nir_pop_if(b, NULL);
    }
    if (kb->shader->info.uses_slot_handles)
        sample_slots(&l, tex, var);
    cpu_end_handles(&l);
    for (unsigned c = 0; c < 4; c++)
        result[c] = nir_load_var(b, var[c]);
}

/* -------------------------------------------------------------------------------- interface --- */

static void replace_tex(nir_builder *b, nir_tex_instr *tex, nir_def *const result[4])
{
    nir_def *value = nir_vec(b, (nir_def **)result, MIN2(tex->def.num_components, 4));
    if (value->bit_size != tex->def.bit_size)
        value = nir_f2fN(b, value, tex->def.bit_size);
    nir_def_replace(&tex->def, value);
}

bool cpu_lower_tex(struct cpu_kernel_builder *kb, nir_tex_instr *tex)
{
    nir_builder *b = &kb->b;
    nir_def *dynamic = tex_src(tex, nir_tex_src_texture_offset), *result[4];
    nir_def *handle = tex_src(tex, nir_tex_src_texture_handle);
    unsigned index = tex->texture_index;

    if (handle) {
        sample_handle(kb, tex, handle, result);
        replace_tex(b, tex, result);
        return true;
    }

    if (dynamic && nir_src_is_const(nir_src_for_ssa(dynamic))) {
        index += (unsigned)nir_src_as_uint(nir_src_for_ssa(dynamic));
        dynamic = NULL;
    }
    sample_texture(kb, tex, index, result);
    /* An array of samplers: each sampler has separate code, one of which is executed. */
    for (unsigned i = index + 1; dynamic && i < kb->units->num_samplers; i++) {
        nir_def *other[4];
        nir_push_if(b, nir_ieq_imm(b, dynamic, i - index));
        sample_texture(kb, tex, i, other);
        nir_pop_if(b, NULL);
        for (unsigned c = 0; c < 4; c++)
            result[c] = nir_if_phi(b, other[c], result[c]);
    }
    replace_tex(b, tex, result);
    return true;
}
