/* SPDX-License-Identifier: MIT */
/*
 * The fragment kernel processes a run of 4×4 blocks of one primitive, one vector of lanes at a
 * time: interpolation (cpu_fs_planes.c), tests, shading, output. If all fragments of a vector fail
 * a test, the rest is skipped.
 *
 * The kernel of quads packs quads of several small primitives into one vector. Values that kernels
 * of blocks load once per primitive are then loaded per quad, as scalars, and selected.
 *
 * With multisampling, each lane has a mask of samples. Depth, stencil and colors are processed in a
 * loop over the samples. The shader runs once for all samples of a pixel or, if necessary, once per
 * sample in that loop. Smooth primitives have a byte of coverage per pixel instead of a mask.
 */
#include "driver/cpu/kernel/cpu_fs_builder.h"
#include "driver/cpu/kernel/cpu_nir_format.h"
#include "util/format.h"

/* Offset in cpu_fs_builder.outputs of the second color of dual-source blending. */
#define SECOND_SOURCE 32

static nir_def *depth_at(struct cpu_fs_builder *f, nir_def *const *offset);

static nir_def *frag_coord(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    float center = f->info->fs.pixel_center_integer ? 0.0f : 0.5f;
    nir_def *x = nir_fadd(b, nir_fadd_imm(b, nir_i2f32(b, f->block_x), center), f->lane[0]);
    nir_def *y = nir_fadd(b, nir_fadd_imm(b, nir_i2f32(b, f->block_y), 0.5), f->lane[1]);

    if (f->per_sample && !f->info->fs.pixel_center_integer) {
        x = nir_fadd(b, x, f->sample_offset[0]);
        y = nir_fadd(b, y, f->sample_offset[1]);
    }
    if (f->info->fs.origin_upper_left)
        y = nir_fsub(b, FS_STATE(f, fb_height, 32), y);
    if (f->info->fs.pixel_center_integer)
        y = nir_fadd_imm(b, y, -0.5);
    return nir_vec4(b, x, y, depth_at(f, f->depth_offset), cpu_fs_pixel_inv_w(f));
}

static nir_def *target_address(struct cpu_fs_builder *f, unsigned offset, enum drv_format format);

static nir_def *color_address(struct cpu_fs_builder *f, unsigned rt)
{
    return target_address(f,
                          offsetof(struct cpu_fs_args, color) + rt * sizeof(struct cpu_target_tile),
                          f->key->color_format[rt]);
}

/* Returns the color that the color buffer contains at the fragment; zeros if there is no buffer. */
static nir_def *last_color(struct cpu_fs_builder *f, unsigned rt)
{
    nir_builder *b = &f->kb.b;
    unsigned components, size;
    nir_def *color[4];

    if (rt >= f->key->num_color_bufs || !f->key->color_format[rt])
        return nir_imm_zero(b, 4, 32);
    cpu_texel_shape(f->key->color_format[rt], &components, &size);
    cpu_nir_unpack(b, f->key->color_format[rt],
                   cpu_load_texels(b, components, size, color_address(f, rt)), color);
    return nir_vec(b, color, 4);
}

static nir_def *last_frag_data(struct cpu_fs_builder *f, nir_src index)
{
    nir_builder *b = &f->kb.b;

    if (nir_src_is_const(index))
        return last_color(f, (unsigned)nir_src_as_uint(index));
    nir_def *value = last_color(f, 0);
    for (unsigned rt = 1; rt < f->key->num_color_bufs; rt++)
        value = nir_bcsel(b, nir_ieq_imm(b, index.ssa, rt), last_color(f, rt), value);
    return value;
}

/* Returns the depth or stencil value that the buffer contains at the fragment; zero if there is
 * none. */
static nir_def *last_depth_stencil(struct cpu_fs_builder *f, bool stencil)
{
    nir_builder *b = &f->kb.b;
    enum drv_format format = f->key->zs_format;
    unsigned components, size;

    if (!format || !(stencil ? util_format_has_stencil(format) : util_format_has_depth(format)))
        return nir_imm_int(b, 0);
    cpu_texel_shape(format, &components, &size);
    nir_def *address = target_address(f, offsetof(struct cpu_fs_args, zs), format);
    nir_def *texel = cpu_load_texels(b, components, size, address);
    if (stencil)
        return cpu_nir_stencil_bits(b, format, texel);
    return cpu_nir_depth_to_float(b, format, cpu_nir_depth_bits(b, format, texel));
}

/* Returns gl_SampleMaskIn: the covered samples that this shading run handles. With
 * post_depth_coverage, which implies early tests, only those that passed. With inner_coverage, all
 * covered samples if the pixel lies inside of the polygon, otherwise none. */
static nir_def *sample_mask_in(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    bool tested = f->info->fs.post_depth_coverage;

    if (f->key->inner_coverage) {
        nir_def *covered =
            f->covered && f->key->sample_masks ? f->covered : nir_b2i32(b, f->coverage);
        return nir_bcsel(b, f->inner, covered, nir_imm_int(b, 0));
    }
    if (!f->covered || !f->key->sample_masks)
        return nir_b2i32(b, tested ? f->live_at_start : f->coverage);
    if (f->per_sample && f->key->all_samples && !tested)
        return f->covered;
    if (f->per_sample)
        return nir_ishl(b, nir_b2i32(b, tested ? f->live_at_start : f->coverage), f->sample);
    return tested ? nir_load_var(b, f->samples) : f->covered;
}
/* ------------------------------------------------------------------------------------- body --- */

static nir_def *fs_value(struct cpu_fs_builder *f, nir_intrinsic_instr *intr)
{
    nir_builder *b = &f->kb.b;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_interpolated_input:
        return cpu_fs_interpolated_input(f, intr);
    case nir_intrinsic_load_input: {
        nir_io_semantics io = nir_intrinsic_io_semantics(intr);
        return cpu_select_slot(&f->kb, intr, intr->src[0].ssa, io.location, MAX2(io.num_slots, 1),
                               cpu_fs_read_flat, f);
    }
    case nir_intrinsic_load_input_vertex:
        return cpu_fs_input_of_vertex(f, intr);
    case nir_intrinsic_load_frag_coord:
        return frag_coord(f);
    case nir_intrinsic_load_last_frag_data:
        return last_frag_data(f, intr->src[0]);
    case nir_intrinsic_load_last_frag_depth:
        return last_depth_stencil(f, false);
    case nir_intrinsic_load_last_frag_stencil:
        return last_depth_stencil(f, true);
    case nir_intrinsic_load_point_coord:
        return nir_vec2(b, cpu_fs_point_coord(f, 0), cpu_fs_point_coord(f, 1));
    case nir_intrinsic_load_front_face:
        return f->front_facing;
    case nir_intrinsic_load_primitive_id:
        return FS_PRIM(f, primitive_id);
    case nir_intrinsic_load_sample_id:
        return f->per_sample ? f->sample : nir_imm_int(b, 0);
    case nir_intrinsic_load_sample_pos:
        if (!f->per_sample)
            return nir_imm_vec2(b, 0.5f, 0.5f);
        return nir_vec2(b, nir_fadd_imm(b, f->sample_offset[0], 0.5),
                        nir_fadd_imm(b, f->sample_offset[1], 0.5));
    case nir_intrinsic_load_sample_mask_in:
        return sample_mask_in(f);
    case nir_intrinsic_load_frag_coverage:
        return f->smooth ? f->smooth : nir_imm_float(b, 1.0f);
    case nir_intrinsic_load_helper_invocation:
        return nir_inot(b, f->coverage);
    case nir_intrinsic_is_helper_invocation:
        return nir_inot(b, nir_load_var(b, f->kb.live));
    default:
        return NULL;
    }
}

static void lower_discard(struct cpu_fs_builder *f, nir_intrinsic_instr *intr)
{
    nir_builder *b = &f->kb.b;
    bool demotes =
        intr->intrinsic == nir_intrinsic_demote || intr->intrinsic == nir_intrinsic_demote_if;
    nir_def *live = nir_imm_false(b), *ended = nir_imm_true(b);

    if (nir_intrinsic_infos[intr->intrinsic].num_srcs) {
        live = nir_iand(b, nir_load_var(b, f->kb.live), nir_inot(b, intr->src[0].ssa));
        if (f->kb.discarded)
            ended = nir_ior(b, nir_load_var(b, f->kb.discarded), intr->src[0].ssa);
    }
    nir_store_var(b, f->kb.live, live, 1);
    if (f->kb.discarded && !demotes)
        nir_store_var(b, f->kb.discarded, ended, 1);
    nir_instr_remove(&intr->instr);
}

static unsigned output_slot(nir_intrinsic_instr *intr)
{
    nir_io_semantics io = nir_intrinsic_io_semantics(intr);
    return io.location + (io.dual_source_blend_index ? SECOND_SOURCE : 0);
}

static void lower_instr(void *data, nir_instr *instr)
{
    struct cpu_fs_builder *f = data;

    if (instr->type == nir_instr_type_tex) {
        cpu_lower_common_instr(&f->kb, NULL, instr, NULL);
        return;
    }
    nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    switch (intr->intrinsic) {
    case nir_intrinsic_store_output:
        cpu_lower_store_output(&f->kb, &f->outputs, output_slot(intr), intr);
        return;
    case nir_intrinsic_load_output:
        cpu_lower_load_output(&f->kb, &f->outputs, output_slot(intr), intr);
        return;
    case nir_intrinsic_load_barycentric_pixel:
    case nir_intrinsic_load_barycentric_centroid:
    case nir_intrinsic_load_barycentric_sample:
    case nir_intrinsic_load_barycentric_at_sample:
    case nir_intrinsic_load_barycentric_at_offset:
        return; /* handled by cpu_fs_interpolated_input() */
    case nir_intrinsic_discard:
    case nir_intrinsic_discard_if:
    case nir_intrinsic_demote:
    case nir_intrinsic_demote_if:
    case nir_intrinsic_terminate:
    case nir_intrinsic_terminate_if:
        lower_discard(f, intr);
        return;
    default:
        break;
    }
    cpu_lower_common_instr(&f->kb, NULL, instr, fs_value(f, intr));
}
/* ---------------------------------------------------------------------------------- targets --- */

/* Returns the byte offset, in a tile of a buffer, of texel `first` of the block at block_x,
 * block_y. */
static nir_def *texel_offset(struct cpu_fs_builder *f, unsigned target, enum drv_format format,
                             nir_def *first)
{
    nir_builder *b = &f->kb.b;
    nir_def *tile_w =
        cpu_fs_load(f, f->kb.args, target + offsetof(struct cpu_target_tile, tile_w), 32);
    nir_def *column = nir_iand_imm(b, nir_ushr_imm(b, f->block_x, 2), 15);
    nir_def *row = nir_iand_imm(b, nir_ushr_imm(b, f->block_y, 2), 15);
    nir_def *block = nir_iadd(b, nir_imul(b, row, tile_w), column);
    nir_def *texel = nir_iadd(b, nir_ishl_imm(b, block, 4), first);
    return nir_imul_imm(b, texel, drv_format_desc(format)->block_bytes);
}

/* Returns the address of the vector's texels of the current sample in a buffer, for
 * cpu_load_texels(). target: offset of the buffer's struct cpu_target_tile in the arguments. */
static nir_def *target_address(struct cpu_fs_builder *f, unsigned target, enum drv_format format)
{
    nir_builder *b = &f->kb.b;
    nir_def *base = cpu_fs_load(f, f->kb.args, target + offsetof(struct cpu_target_tile, base), 64);
    struct cpu_fs_per_quad address = {{NULL}};

    if (f->sample) {
        nir_def *stride = cpu_fs_load(f, f->kb.args,
                                      target + offsetof(struct cpu_target_tile, sample_stride), 64);
        base = nir_iadd(b, base, nir_imul(b, nir_u2u64(b, f->sample), stride));
    }
    if (!f->quads)
        return nir_iadd(b, base, nir_u2u64(b, texel_offset(f, target, format, f->first_texel)));
    nir_def *offset = texel_offset(f, target, format, f->quad_texel);
    for (unsigned q = 0; q < f->quads; q++)
        address.value[q] =
            nir_iadd(b, base, nir_u2u64(b, nir_read_invocation(b, offset, nir_imm_int(b, 4 * q))));
    return cpu_fs_per_quad_vec4(f, &address);
}

/* Returns a limit of the depth range of the primitive's viewport. */
static nir_def *depth_limit(struct cpu_fs_builder *f, unsigned offset)
{
    nir_builder *b = &f->kb.b;

    if (!f->key->viewports)
        return cpu_fs_load(f, f->fs, offset, 32);
    nir_def *range =
        nir_imul_imm(b, FS_PRIM(f, viewport), sizeof(((struct cpu_fs_state *)0)->depth_range[0]));
    return nir_load_global_constant(b, 1, 32, f->fs, nir_iadd_imm(b, range, offset),
                                    .align_mul = 4);
}

static nir_def *clamp_depth(struct cpu_fs_builder *f, nir_def *z)
{
    nir_builder *b = &f->kb.b;
    nir_def *lo = nir_imm_float(b, 0.0f), *hi = nir_imm_float(b, 1.0f);

    if (f->key->depth_clamp) {
        lo = depth_limit(f, offsetof(struct cpu_fs_state, depth_range[0].min));
        hi = depth_limit(f, offsetof(struct cpu_fs_state, depth_range[0].max));
    }
    return nir_fclamp(b, z, lo, hi);
}

static nir_def *depth_at(struct cpu_fs_builder *f, nir_def *const *offset)
{
    if (!f->z)
        f->z = cpu_fs_add_plane(f, cpu_fs_load_plane(f, offsetof(struct cpu_primitive, z)));
    return clamp_depth(f, cpu_fs_plane_value(f, f->z, offset));
}

/* Tests fragments and updates the depth-stencil buffer. Returns the mask of those that passed. */
static nir_def *test_fragments(struct cpu_fs_builder *f, nir_def *mask)
{
    nir_builder *b = &f->kb.b;
    nir_def *z = cpu_output_value(b, &f->outputs, FRAG_RESULT_DEPTH, 0);
    struct cpu_zs_inputs in = {
        .fs = f->fs,
        .stencil_ref = cpu_output_value(b, &f->outputs, FRAG_RESULT_STENCIL, 0),
        .front_facing = f->front_facing,
        .mask = mask,
        .key = f->key,
    };
    if (!f->key->zs_format)
        return mask;
    in.z = z ? clamp_depth(f, z) : depth_at(f, f->sample ? f->sample_offset : f->depth_offset);
    in.address = target_address(f, offsetof(struct cpu_fs_args, zs), f->key->zs_format);
    return cpu_nir_depth_stencil(b, &in);
}

/* Stores the color for a buffer. Returns false if the shader writes none. */
static bool fragment_color(struct cpu_fs_builder *f, unsigned rt, unsigned source,
                           nir_def *color[4])
{
    nir_builder *b = &f->kb.b;
    bool written = false;

    for (unsigned c = 0; c < 4; c++) {
        color[c] = cpu_output_value(b, &f->outputs, source + FRAG_RESULT_DATA0 + rt, c);
        if (!color[c])
            color[c] = cpu_output_value(b, &f->outputs, source + FRAG_RESULT_COLOR, c);
        written |= color[c] != NULL;
    }
    for (unsigned c = 0; c < 4 && written; c++) {
        if (!color[c])
            color[c] = nir_imm_float(b, c == 3 ? 1.0f : 0.0f);
    }
    return written;
}

static void write_colors(struct cpu_fs_builder *f, nir_def *mask)
{
    nir_builder *b = &f->kb.b;

    for (unsigned rt = 0; rt < f->key->num_color_bufs; rt++) {
        struct cpu_blend_inputs in = {
            .fs = f->fs,
            .mask = mask,
            .key = &f->key->blend,
            .rt = rt,
            .format = f->key->color_format[rt],
        };
        if (!in.format || !fragment_color(f, rt, 0, in.src))
            continue;
        if (!fragment_color(f, rt, SECOND_SOURCE, in.src1))
            memset(in.src1, 0, sizeof in.src1);
        if (f->key->blend.alpha_to_one && !util_format_is_pure_integer(in.format)) {
            in.src[3] = nir_imm_float(b, 1.0f);
            in.src1[3] = in.src1[3] ? in.src[3] : NULL;
        }
        if (f->smooth && !util_format_is_pure_integer(in.format))
            in.src[3] = nir_fmul(b, in.src[3], f->smooth);
        in.address = color_address(f, rt);
        cpu_nir_blend(b, &in);
    }
}

/* Returns what is added to alpha's share of the samples before it is rounded down: 0.5 or, if alpha
 * is dithered, a threshold in (0, 1) that depends on the pixel's position modulo 4 (B. E. Bayer, An
 * optimum method for two-level rendition of continuous-tone pictures, 1973). */
static nir_def *alpha_threshold(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;

    if (!f->key->blend.alpha_to_coverage_dither)
        return nir_imm_float(b, 0.5f);
    nir_def *y = nir_f2u32(b, f->lane[1]);
    nir_def *odd = nir_ixor(b, nir_f2u32(b, f->lane[0]), y);
    nir_def *bits[4] = {
        nir_ishl_imm(b, nir_iand_imm(b, odd, 1), 3),
        nir_ishl_imm(b, nir_iand_imm(b, y, 1), 2),
        nir_iand_imm(b, odd, 2),
        nir_ushr_imm(b, nir_iand_imm(b, y, 2), 1),
    };
    nir_def *rank = nir_ior(b, nir_ior(b, bits[0], bits[1]), nir_ior(b, bits[2], bits[3]));
    return nir_fmul_imm(b, nir_fadd_imm(b, nir_u2f32(b, rank), 0.5), 1.0 / 16.0);
}

/* GL 4.6 §17.3.1: returns the mask of samples that alpha covers: alpha's share of all samples, the
 * first ones. NULL: all. */
static nir_def *alpha_samples(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    nir_def *color[4];

    if (!f->key->blend.alpha_to_coverage || !fragment_color(f, 0, 0, color))
        return NULL;
    nir_def *scaled = nir_fmul_imm(b, nir_fsat(b, color[3]), f->key->samples);
    nir_def *count = nir_f2u32(b, nir_fadd(b, scaled, alpha_threshold(f)));
    return nir_iadd_imm(b, nir_ishl(b, nir_imm_int(b, 1), count), -1);
}

/* Returns the mask of samples that gl_SampleMask and alpha-to-coverage leave. Both are ignored
 * without multisampling. NULL: all. */
static nir_def *output_samples(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    nir_def *mask = cpu_output_value(b, &f->outputs, FRAG_RESULT_SAMPLE_MASK, 0);
    nir_def *alpha = alpha_samples(f);

    if (!f->key->sample_masks)
        return NULL;

    return mask && alpha ? nir_iand(b, mask, alpha) : mask ? mask : alpha;
}

static nir_variable *create_counter(struct cpu_fs_builder *f, const char *name)
{
    nir_variable *counter = nir_local_variable_create(f->kb.impl, glsl_uint_type(), name);
    nir_store_var(&f->kb.b, counter, nir_imm_int(&f->kb.b, 0), 1);
    return counter;
}

/* Adds the number of set lanes of the mask to the counter. */
static void count_lanes(struct cpu_fs_builder *f, nir_variable *counter, nir_def *mask)
{
    nir_builder *b = &f->kb.b;
    nir_def *ballot = nir_ballot(b, 1, 32, mask);
    nir_def *sum = nir_iadd(b, nir_load_var(b, counter), nir_bit_count(b, ballot));
    nir_store_var(b, counter, sum, 1);
}

/* Adds the counter to the caller's 64-bit sum. */
static void leave_counter(struct cpu_fs_builder *f, nir_variable *counter, nir_def *address)
{
    nir_builder *b = &f->kb.b;
    nir_def *zero = nir_imm_int(b, 0);
    nir_def *sum = nir_load_global(b, 1, 64, address, zero, .align_mul = 8);
    sum = nir_iadd(b, sum, nir_u2u64(b, nir_load_var(b, counter)));
    nir_store_global(b, sum, address, zero, .align_mul = 8);
}
/* ------------------------------------------------------------------------------- the kernel --- */

static bool writes_depth_stencil(const struct cpu_fs_key *key)
{
    return key->zs_format &&
           ((key->zs.depth_func && key->zs.depth_write) || key->zs.stencil[0].enabled);
}

static bool can_test_early(const nir_shader_info *info, const struct cpu_fs_key *key)
{
    const uint64_t own = BITFIELD64_BIT(FRAG_RESULT_DEPTH) | BITFIELD64_BIT(FRAG_RESULT_STENCIL);

    if (info->fs.early_fragment_tests)
        return true;
    /* the shader must not read what its own fragment has written */
    if (writes_depth_stencil(key) &&
        (bitset_test(info->system_values_read, SYSTEM_VALUE_LAST_FRAG_DEPTH) ||
         bitset_test(info->system_values_read, SYSTEM_VALUE_LAST_FRAG_STENCIL)))
        return false;
    if (info->writes_memory || (info->outputs_written & own))
        return false;
    /* a fragment that is discarded later must not update the buffer */
    bool may_discard =
        info->fs.uses_discard || info->fs.uses_demote || key->blend.alpha_to_coverage ||
        (key->sample_masks && (info->outputs_written & BITFIELD64_BIT(FRAG_RESULT_SAMPLE_MASK)));
    return !may_discard || !writes_depth_stencil(key);
}

static void load_draw(struct cpu_fs_builder *f)
{
    f->kb.state = FS_ARG(f, state, 64);
    f->fs = FS_ARG(f, fs, 64);
    f->kb.live = nir_local_variable_create(f->kb.impl, glsl_bool_type(), "live");
    if (f->key->samples) {
        f->samples = nir_local_variable_create(f->kb.impl, glsl_uint_type(), "samples");
        /* GL 4.6 §14.3.1.1: samples are shaded separately only with multisampling */
        f->per_sample =
            f->key->sample_masks && (f->key->sample_shading || f->info->fs.uses_sample_shading);
    }
    if (f->key->count_samples)
        f->passed = create_counter(f, "passed");
    if (f->key->count_invocations)
        f->invocations = create_counter(f, "invocations");
}

/* Loads the fields of the primitive that the tests need. */
static void load_primitive(struct cpu_fs_builder *f)
{
    f->ref[0] = FS_PRIM(f, x_ref);
    f->ref[1] = FS_PRIM(f, y_ref);
    f->front_facing = nir_ine_imm(&f->kb.b, FS_PRIM(f, front_facing), 0);
}

static void locate_lanes(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    struct cpu_saved_cursor saved = cpu_fs_enter_invariant_code(f);
    f->texel = nir_load_subgroup_invocation(b);
    if (f->kb.lanes < 16)
        f->texel = nir_iadd(b, f->texel, f->first_texel);
    cpu_fs_locate_texel(b, f->texel, f->lane);
    cpu_kernel_leave_prologue(&f->kb, saved);
}

/* Returns 1 bit: the lane's quad has a live fragment. */
static nir_def *find_live_quads(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    nir_def *lanes = nir_ballot(b, 1, 32, nir_load_var(b, f->kb.live));
    nir_def *pairs = nir_ior(b, lanes, nir_ushr_imm(b, lanes, 1));
    nir_def *quads = nir_ior(b, pairs, nir_ushr_imm(b, pairs, 2));
    nir_def *all = nir_imul_imm(b, nir_iand_imm(b, quads, 0x11111111), 15);
    nir_def *lane = nir_ushr(b, all, nir_load_subgroup_invocation(b));

    return nir_ine_imm(b, nir_iand_imm(b, lane, 1), 0);
}

/* Runs the application's shader for the live fragments. */
static void run_body(struct cpu_fs_builder *f)
{
    if (f->kb.units->num_samplers || f->info->uses_texture_handles)
        f->kb.quad_live = find_live_quads(f);
    f->live_at_start = nir_load_var(&f->kb.b, f->kb.live);
    if (f->key->count_invocations)
        count_lanes(f, f->invocations, f->live_at_start);
    f->in_body = true;
    cpu_kernel_insert_body(&f->kb, lower_instr, f);
    f->in_body = false;
}

/* GL 4.6 §14.9: with early tests, occlusion queries count before shading, too. */
static bool counts_early(const struct cpu_fs_builder *f)
{
    return f->key->count_samples && f->info->fs.early_fragment_tests;
}

/* Emits the work after the shader, for one fragment per lane. */
static void finish_fragments(struct cpu_fs_builder *f, nir_def *mask, bool tested)
{
    if (!tested)
        mask = test_fragments(f, mask);
    if (f->key->count_samples && !counts_early(f))
        count_lanes(f, f->passed, mask);
    write_colors(f, mask);
}

/* Tests fragments of one sample before shading and returns those that passed. */
static nir_def *test_early(struct cpu_fs_builder *f, nir_def *mask)
{
    mask = test_fragments(f, mask);
    if (counts_early(f))
        count_lanes(f, f->passed, mask);
    return mask;
}

static void shade_pixels(struct cpu_fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;

    cpu_fs_set_input_offset(f, NULL);
    run_body(f);
    finish_fragments(f, nir_load_var(b, f->kb.live), early);
}
/* --- several samples --- */

static struct cpu_count_loop begin_samples(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;
    struct cpu_count_loop loop =
        cpu_begin_count_loop(b, nir_imm_int(b, f->key->samples), &f->sample);
    cpu_fs_load_sample_offset(f, f->sample, f->sample_offset);
    return loop;
}

static void end_samples(struct cpu_fs_builder *f, struct cpu_count_loop *loop)
{
    cpu_end_count_loop(&f->kb.b, loop, 1);
    f->sample = NULL;
}

/* Returns 1 bit: the current sample is in the mask. */
static nir_def *has_sample(struct cpu_fs_builder *f, nir_def *samples)
{
    nir_builder *b = &f->kb.b;
    return nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, samples, f->sample), 1), 0);
}

/* Sets f->samples to the samples that pass the early tests. */
static void test_samples(struct cpu_fs_builder *f)
{
    nir_builder *b = &f->kb.b;

    nir_store_var(b, f->samples, nir_imm_int(b, 0), 1);
    struct cpu_count_loop loop = begin_samples(f);
    nir_def *pass = nir_b2i32(b, test_early(f, has_sample(f, f->covered)));
    nir_def *passed = nir_ior(b, nir_load_var(b, f->samples), nir_ishl(b, pass, f->sample));
    nir_store_var(b, f->samples, passed, 1);
    end_samples(f, &loop);
}

/* Runs the shader once for all samples of a pixel. */
static void shade_pixels_of_samples(struct cpu_fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;

    cpu_fs_set_input_offset(f, NULL);
    run_body(f);
    nir_def *samples =
        nir_bcsel(b, nir_load_var(b, f->kb.live), nir_load_var(b, f->samples), nir_imm_int(b, 0));
    nir_def *output = output_samples(f);
    if (output)
        samples = nir_iand(b, samples, output);
    struct cpu_count_loop loop = begin_samples(f);
    finish_fragments(f, has_sample(f, samples), early);
    end_samples(f, &loop);
}

static void shade_each_sample(struct cpu_fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    struct cpu_count_loop loop = begin_samples(f);
    nir_def *live = has_sample(f, nir_load_var(b, f->samples));

    nir_push_if(b, nir_vote_any(b, live));
    f->coverage = has_sample(f, f->covered);
    f->depth_offset = f->sample_offset;
    nir_store_var(b, f->kb.live, live, 1);
    cpu_fs_set_input_offset(f, f->key->sample_shading ? f->sample_offset : NULL);
    run_body(f);
    nir_def *mask = nir_load_var(b, f->kb.live), *output = output_samples(f);
    if (output)
        mask = nir_iand(b, mask, has_sample(f, output));
    finish_fragments(f, mask, early);
    nir_pop_if(b, NULL);
    end_samples(f, &loop);
}

/* Skips the code up to end_if_any() if no lane's condition is set, unless `matters` is false. */
static void begin_if_any(struct cpu_fs_builder *f, nir_def *condition, bool matters)
{
    if (matters)
        nir_push_if(&f->kb.b, nir_vote_any(&f->kb.b, condition));
}

static void end_if_any(struct cpu_fs_builder *f, bool matters)
{
    if (matters)
        nir_pop_if(&f->kb.b, NULL);
}

/* Emits the processing of one vector of fragments. */
static void shade_vector(struct cpu_fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    /* Half a block rarely has no fragment, and without branches between the halves the CPU overlaps
     * them. */
    const bool half = f->kb.adjacent_pixels && f->kb.lanes == 8 && !f->covered;
    const bool may_fail = early && (f->covered || f->key->zs.depth_func ||
                                    f->key->zs.depth_bounds || f->key->zs.stencil[0].enabled);

    begin_if_any(f, f->coverage, !half);
    if (f->quads)
        cpu_fs_locate_block(f, f->block_x, f->block_y, f->delta);
    nir_def *live = f->coverage;
    if (f->covered && early) {
        test_samples(f);
        live = nir_ine_imm(b, nir_load_var(b, f->samples), 0);
    } else if (f->covered) {
        nir_store_var(b, f->samples, f->covered, 1);
    } else if (early) {
        live = test_early(f, live);
    }
    nir_store_var(b, f->kb.live, live, 1);
    begin_if_any(f, live, may_fail);
    cpu_fs_load_vertices(f);
    if (f->per_sample)
        shade_each_sample(f, early);
    else if (f->covered)
        shade_pixels_of_samples(f, early);
    else
        shade_pixels(f, early);
    end_if_any(f, may_fail);
    end_if_any(f, !half);
}

/* Returns a byte per pixel of the vector from the array of struct cpu_block_samples, starting at a
 * byte offset. */
static nir_def *load_sample_bytes(struct cpu_fs_builder *f, nir_def *offset)
{
    nir_builder *b = &f->kb.b;
    return nir_u2u32(
        b, nir_load_global_block(b, 1, 8, FS_ARG(f, block_samples, 64), offset, .align_mul = 1));
}

/* Loads the sample masks, or the coverage bytes, of the vector's pixels in block i. */
static void load_samples(struct cpu_fs_builder *f, nir_def *i)
{
    nir_builder *b = &f->kb.b;
    nir_def *block = nir_imul_imm(b, i, sizeof(struct cpu_block_samples));
    nir_def *offset = nir_iadd(b, block, f->first_texel), *bytes = load_sample_bytes(f, offset);

    f->covered = bytes;
    if (f->key->samples > CPU_LOW_SAMPLES && !f->key->smooth) {
        const uint64_t high = CPU_HIGH_SAMPLES * sizeof(struct cpu_block_samples);
        nir_def *more = load_sample_bytes(f, nir_iadd_imm(b, offset, high));
        f->covered = nir_ior(b, bytes, nir_ishl_imm(b, more, CPU_LOW_SAMPLES));
    }
    if (f->key->smooth) {
        f->smooth = nir_fmul_imm(b, nir_u2f32(b, bytes), 1.0 / 255.0);
        f->covered =
            nir_bcsel(b, nir_ine_imm(b, bytes, 0),
                      nir_imm_int(b, (1 << MAX2(f->key->samples, 1)) - 1), nir_imm_int(b, 0));
    }
    if (f->key->samples)
        f->covered = nir_iand(b, f->covered, FS_STATE(f, sample_mask, 32));
    f->coverage = nir_ine_imm(b, f->covered, 0);
    if (!f->key->samples)
        f->covered = NULL;
}

static void loop_over_blocks(struct cpu_fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    nir_def *blocks = FS_ARG(f, block, 64), *count = FS_ARG(f, count, 32), *i;
    struct cpu_count_loop vectors;

    f->primitive.value[0] = FS_ARG(f, primitive, 64);
    f->table = FS_ARG(f, planes, 64);
    load_primitive(f);
    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &i);
    f->kb.outer_loop = loop.loop;
    f->block_words = nir_ishl_imm(b, i, 2);
    nir_def *offset = nir_ishl_imm(b, i, 3);
    nir_def *xy = nir_load_global_constant(b, 1, 32, blocks, offset, .align_mul = 4);
    nir_def *mask =
        nir_load_global_constant(b, 1, 32, blocks, nir_iadd_imm(b, offset, 4), .align_mul = 4);
    f->block_x = nir_iand_imm(b, xy, 0xffff);
    f->block_y = nir_ushr_imm(b, xy, 16);
    f->first_texel = nir_imm_int(b, 0);
    if (f->kb.lanes < 16)
        vectors = cpu_begin_count_loop(b, nir_imm_int(b, 16), &f->first_texel);
    locate_lanes(f);
    if (f->key->inner_coverage)
        f->inner =
            nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, mask, nir_iadd_imm(b, f->texel, 16)), 1), 0);
    if (f->key->samples || f->key->smooth)
        load_samples(f, i);
    else
        f->coverage = nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, mask, f->texel), 1), 0);
    shade_vector(f, early);
    if (f->kb.lanes < 16)
        cpu_end_count_loop(b, &vectors, f->kb.lanes);
    cpu_end_count_loop(b, &loop, 1);
    f->variant->max_blocks = (uint16_t)cpu_fs_write_planes(f, blocks, count);
}

/* Loads the quads of a vector from an array. Each lane of a quad loads one word of its struct. */
static void load_quads(struct cpu_fs_builder *f, nir_def *quads, nir_def *first)
{
    _Static_assert(sizeof(struct cpu_quad) == 16, "a word for each lane");
    nir_builder *b = &f->kb.b;
    nir_def *start = nir_imul_imm(b, first, sizeof(struct cpu_quad));
    nir_def *words = nir_load_global_block(b, 1, 32, quads, start, .align_mul = 8);

    for (unsigned q = 0; q < f->quads; q++)
        f->primitive.value[q] = nir_load_global_constant(
            b, 1, 64, quads, nir_iadd_imm(b, start, q * sizeof(struct cpu_quad)), .align_mul = 8);
    nir_def *xy = nir_quad_broadcast(b, words, nir_imm_int(b, offsetof(struct cpu_quad, x) / 4));
    nir_def *mask =
        nir_quad_broadcast(b, words, nir_imm_int(b, offsetof(struct cpu_quad, mask) / 4));
    nir_def *x = nir_iand_imm(b, xy, 0xffff), *y = nir_ushr_imm(b, xy, 16);
    nir_def *lane = nir_load_subgroup_invocation(b);
    nir_def *right = nir_iand_imm(b, x, 2), *upper = nir_iand_imm(b, y, 2);
    f->block_x = nir_iand_imm(b, x, ~3u);
    f->block_y = nir_iand_imm(b, y, ~3u);
    f->quad_texel = nir_iadd(b, nir_ishl_imm(b, right, 1), nir_ishl_imm(b, upper, 2));
    f->lane[0] = nir_i2f32(b, nir_iadd(b, right, nir_iand_imm(b, lane, 1)));
    f->lane[1] = nir_i2f32(b, nir_iadd(b, upper, nir_iand_imm(b, nir_ushr_imm(b, lane, 1), 1)));
    nir_def *bit = nir_iand_imm(b, lane, 3);
    f->coverage = nir_ine_imm(b, nir_iand_imm(b, nir_ushr(b, mask, bit), 1), 0);
}

static void loop_over_quads(struct cpu_fs_builder *f, bool early)
{
    nir_builder *b = &f->kb.b;
    nir_def *quads = FS_ARG(f, quad, 64), *count = FS_ARG(f, count, 32), *i;

    struct cpu_count_loop loop = cpu_begin_count_loop(b, count, &i);
    f->kb.outer_loop = loop.loop;
    load_quads(f, quads, i);
    load_primitive(f);
    shade_vector(f, early);
    cpu_end_count_loop(b, &loop, f->quads);
}

/* Returns whether any color buffer is written. */
static bool writes_color(const struct cpu_fs_key *key)
{
    for (unsigned i = 0; i < key->num_color_bufs; i++) {
        if (key->color_format[i] && key->blend.rt[i].colormask)
            return true;
    }
    return false;
}

static nir_shader *build(unsigned lanes, const struct cpu_shader *shader,
                         const struct cpu_fs_key *key, struct cpu_fs_variant *variant, bool quads)
{
    struct cpu_fs_builder f = {.key = key, .info = &shader->nir->info, .variant = variant};
    bool early = can_test_early(f.info, key);

    if (!cpu_kernel_begin(&f.kb, shader, lanes))
        return NULL;
    f.quads = quads ? f.kb.lanes / 4 : 0;
    f.kb.adjacent_pixels = !quads;
    f.kb.block = f.kb.lanes == 16 && !quads;
    f.kb.units = &key->units;
    f.kb.upper_row = key->upper_row;

    load_draw(&f);
    if (quads)
        loop_over_quads(&f, early);
    else
        loop_over_blocks(&f, early);
    if (key->count_samples)
        leave_counter(&f, f.passed, FS_ARG(&f, samples_passed, 64));
    if (key->count_invocations)
        leave_counter(&f, f.invocations, FS_ARG(&f, invocations, 64));
    return cpu_kernel_finish_nir(&f.kb);
}

nir_shader *cpu_build_fs_nir(unsigned lanes, const struct cpu_shader *shader,
                             const struct cpu_fs_key *key, struct cpu_fs_variant *variant)
{
    return build(lanes, shader, key, variant, false);
}

static const char *name_of(const struct cpu_shader *shader)
{
    return shader->nir->info.name ? shader->nir->info.name : "fs";
}

struct jit_kernel *cpu_build_fs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_fs_key *key, struct cpu_fs_variant *variant)
{
    const nir_shader_info *info = &shader->nir->info;
    struct jit_wide_kernel wide;

    variant->early_z = can_test_early(info, key);
    variant->no_op = !writes_color(key) && !writes_depth_stencil(key) && !key->count_samples &&
                     !key->count_invocations && !info->writes_memory;
    nir_shader *nir = build(jit_engine_lanes(engine), shader, key, variant, false);
    if (!nir)
        return NULL;
    const bool has_wide =
        jit_engine_can_widen(engine) && cpu_fs_prepare_wide(shader, key, variant, &wide);
    return jit_kernel_begin_wide(engine, nir, has_wide ? &wide : NULL, name_of(shader));
}

struct jit_kernel *cpu_build_fs_quads(struct jit_engine *engine, const struct cpu_shader *shader,
                                      const struct cpu_fs_key *key)
{
    nir_shader *nir = build(jit_engine_lanes(engine), shader, key, NULL, true);
    return nir ? jit_kernel_begin(engine, nir, name_of(shader)) : NULL;
}
