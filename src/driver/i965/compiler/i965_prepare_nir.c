/* SPDX-License-Identifier: MIT */
/*
 * NIR for this hardware: options for src/gl, NIR lowering, and prog_data, which determines where a
 * kernel finds its inputs and resources.
 */
#include "from_nir.h"

#include "nir/nir_builder.h"

#include "util/check.h"

#define COMMON_OPTIONS                                                                             \
    .lower_fdiv = true, .lower_fmod = true, .lower_ldexp = true, .lower_frexp = true,              \
    .lower_to_scalar = true, .vertex_id_zero_based = true, .max_unroll_iterations = 32

const nir_shader_compiler_options i965_nir_options = {COMMON_OPTIONS};

const nir_shader_compiler_options i965_nir_options_without_lerp = {COMMON_OPTIONS,
                                                                   .lower_flrp = true};

/* Minimum size of constant arrays in memory. A variable index into a smaller one becomes a tree of
 * at most 15 selections. */
enum { MIN_CONSTANT_BYTES = 65, CONSTANT_ALIGNMENT = 16 };

/* --- Passes specific to this driver --- */

/* Scales cube coordinates so that the largest is 1, as the sampler requires. */
static bool normalize_cube(nir_builder *b, nir_tex_instr *tex, void *unused)
{
    int s = nir_tex_instr_src_index(tex, nir_tex_src_coord);
    if (tex->sampler_dim != GLSL_SAMPLER_DIM_CUBE || s < 0 || tex->op == nir_texop_txf)
        return false;
    b->cursor = nir_before_instr(&tex->instr);
    nir_def *coord = tex->src[s].src.ssa, *comps[4], *largest;
    for (unsigned i = 0; i < tex->coord_components; i++)
        comps[i] = nir_channel(b, coord, i);
    largest = nir_fmax(b, nir_fmax(b, nir_fabs(b, comps[0]), nir_fabs(b, comps[1])),
                       nir_fabs(b, comps[2]));
    nir_def *scale = nir_frcp(b, largest);
    for (unsigned i = 0; i < 3; i++)
        comps[i] = nir_fmul(b, comps[i], scale);
    nir_src_rewrite(&tex->src[s].src, nir_vec(b, comps, tex->coord_components));
    return true;
}

/* Removes limits above the largest invocation id from indices. */
static bool unclamp_invocation_id(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    const nir_shader_info *info = &b->shader->info;
    unsigned count =
        info->stage == SHADER_TESS_CTRL ? info->tess.vertices_out : MAX2(info->gs.invocations, 1);
    const nir_instr *parent = alu->src[0].src.ssa->parent_instr;
    if (alu->op != nir_op_umin || !nir_src_is_const(alu->src[1].src) ||
        nir_src_comp_as_uint(alu->src[1].src, nir_alu_src_comp(&alu->src[1], 0)) + 1 < count ||
        parent->type != nir_instr_type_intrinsic ||
        nir_instr_as_intrinsic((nir_instr *)parent)->intrinsic != nir_intrinsic_load_invocation_id)
        return false;
    nir_def_replace(&alu->def, alu->src[0].src.ssa);
    return true;
}

static nir_def *id_in_variable_group(nir_builder *b, nir_def *index)
{
    nir_def *size = nir_load_workgroup_size(b);
    nir_def *width = nir_channel(b, size, 0), *height = nir_channel(b, size, 1);
    nir_def *row = nir_udiv(b, index, width);
    return nir_vec3(b, nir_umod(b, index, width), nir_umod(b, row, height),
                    nir_udiv(b, row, height));
}

/* Computes local ids from the thread's index in the group. */
static bool lower_compute_value(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    const nir_shader_info *info = &b->shader->info;
    const uint16_t *size = info->cs.workgroup_size;
    b->cursor = nir_before_instr(&intr->instr);
    if (intr->intrinsic == nir_intrinsic_load_deref) {
        nir_variable *var = nir_deref_instr_get_variable(nir_src_as_deref(intr->src[0]));
        if (!var || var->data.mode != nir_var_system_value ||
            var->data.location != SYSTEM_VALUE_LOCAL_INVOCATION_INDEX ||
            info->cs.derivative_group == nir_derivative_group_quads) /* order differs from lanes */
            return false;
        nir_def_replace(&intr->def, nir_load_local_invocation_index(b));
        return true;
    }
    if (intr->intrinsic != nir_intrinsic_load_local_invocation_id)
        return false;
    nir_def *index = nir_load_local_invocation_index(b), *id[3];
    if (info->cs.workgroup_size_variable) {
        nir_def_replace(&intr->def, id_in_variable_group(b, index));
        return true;
    }
    nir_def *row = nir_udiv_imm(b, index, size[0]);
    id[0] = size[0] == 1 ? nir_imm_int(b, 0) : nir_umod_imm(b, index, size[0]);
    id[1] = size[1] == 1 ? nir_imm_int(b, 0) : nir_umod_imm(b, row, size[1]);
    id[2] = size[2] == 1 ? nir_imm_int(b, 0) : nir_udiv_imm(b, row, size[1]);
    nir_def_replace(&intr->def, nir_vec(b, id, 3));
    return true;
}

/* Fuses an fmul used only once, by an fadd or fsub, into ffma, unless one of them is exact. GLSL
 * 4.60 §4.7.1 permits one rounding or two in a * b + c, so the result may differ from the
 * evaluator's in the last bit. §4.9 forbids it in what a precise variable is computed from; those
 * operations are exact. So are those of invariant outputs, because other uses of a product, which
 * prevent fusion, must not change the result (§4.8.1). fma() is ffma in any case. */
static bool fuse_multiply_add(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if ((alu->op != nir_op_fadd && alu->op != nir_op_fsub) || alu->exact ||
        alu->def.bit_size != 32 || alu->def.num_components != 1)
        return false;
    for (unsigned s = 0; s < 2; s++) {
        nir_instr *parent = alu->src[s].src.ssa->parent_instr;
        bool negate = s == 1 && alu->op == nir_op_fsub;
        if (parent->type != nir_instr_type_alu)
            continue;
        nir_alu_instr *mul = nir_instr_as_alu(parent);
        if (mul->op == nir_op_fneg && list_is_singular(&mul->def.uses) &&
            mul->src[0].src.ssa->parent_instr->type == nir_instr_type_alu) {
            mul = nir_instr_as_alu(mul->src[0].src.ssa->parent_instr);
            negate = !negate;
        }
        if (mul->op != nir_op_fmul || mul->exact || mul->def.num_components != 1 ||
            !list_is_singular(&mul->def.uses))
            continue;
        bool both_const = nir_src_is_const(mul->src[1].src) && nir_src_is_const(alu->src[!s].src);
        if (both_const)
            continue;
        b->cursor = nir_before_instr(&alu->instr);
        nir_def *x = nir_channel(b, mul->src[0].src.ssa, nir_alu_src_comp(&mul->src[0], 0));
        nir_def *y = nir_channel(b, mul->src[1].src.ssa, nir_alu_src_comp(&mul->src[1], 0));
        nir_def *z = nir_channel(b, alu->src[!s].src.ssa, nir_alu_src_comp(&alu->src[!s], 0));
        if (s == 0 && alu->op == nir_op_fsub)
            z = nir_fneg(b, z);
        if (negate)
            x = nir_fneg(b, x);
        nir_def_replace(&alu->def, nir_ffma(b, x, y, z));
        return true;
    }
    return false;
}

/* Repeats 64-bit inputs next to their uses. They are assembled from the payload, and would
 * otherwise occupy registers from the start of the program. */
static void repeat_input(nir_intrinsic_instr *intr)
{
    nir_foreach_use_safe (src, &intr->def) {
        if (nir_src_parent_instr(src)->type == nir_instr_type_phi)
            continue;
        nir_builder b = nir_builder_at(nir_before_instr(nir_src_parent_instr(src)));
        nir_src_rewrite(src, nir_load_input(&b, intr->def.num_components, 64, intr->src[0].ssa,
                                            .base = nir_intrinsic_base(intr),
                                            .component = nir_intrinsic_component(intr),
                                            .dest_type = nir_intrinsic_dest_type(intr),
                                            .io_semantics = nir_intrinsic_io_semantics(intr)));
    }
}

/* Returns the slots of vertices that the payload can have: three quarters of the registers. */
static unsigned max_vertex_slots(const struct i965_device *dev)
{
    return dev->grf_count * 3 / 4 / 8 * 2;
}

static void repeat_wide_inputs(nir_shader *nir, const struct i965_device *dev)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    DYNARRAY(nir_intrinsic_instr *) loads = {0};
    uint64_t inputs = 0;
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            nir_intrinsic_instr *intr =
                instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
            if (!intr || intr->intrinsic != nir_intrinsic_load_input)
                continue;
            inputs |= 1ull << (nir_intrinsic_base(intr) & 63);
            if (intr->def.bit_size == 64) {
                inputs |= 2ull << (nir_intrinsic_base(intr) & 63);
                (void)dynarray_append(&loads, intr);
            }
        }
    }
    for (unsigned i = 0; i < loads.count; i++) {
        uint64_t before = (1ull << (nir_intrinsic_base(loads.data[i]) & 63)) - 1;
        /* Others would be read with a message at each use. */
        if ((unsigned)__builtin_popcountll(inputs & before) + 1 < max_vertex_slots(dev))
            repeat_input(loads.data[i]);
    }
    if (loads.count)
        nir_metadata_preserve(impl, nir_metadata_control_flow);
    dynarray_finish(&loads);
}

/* Replaces a conversion of a number narrowed to 8 or 16 bits, which would take two shifts, by a
 * conversion of an extract. */
static bool extract_narrowed(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    nir_instr *parent = alu->src[0].src.ssa->parent_instr;
    if (!info->is_conversion || parent->type != nir_instr_type_alu || alu->def.num_components != 1)
        return false;
    nir_alu_instr *narrow = nir_instr_as_alu(parent);
    bool bytes = narrow->op == nir_op_i2i8 || narrow->op == nir_op_u2u8;
    bool is_signed = nir_alu_type_get_base_type(info->input_types[0]) == nir_type_int;
    if ((!bytes && narrow->op != nir_op_i2i16 && narrow->op != nir_op_u2u16) ||
        narrow->src[0].src.ssa->bit_size != 32)
        return false;
    unsigned component = nir_alu_src_comp(&narrow->src[0], nir_alu_src_comp(&alu->src[0], 0));
    b->cursor = nir_before_instr(&alu->instr);
    nir_def *src[2] = {nir_channel(b, narrow->src[0].src.ssa, component), nir_imm_int(b, 0)};
    nir_op op = bytes ? (is_signed ? nir_op_extract_i8 : nir_op_extract_u8)
                      : (is_signed ? nir_op_extract_i16 : nir_op_extract_u16);
    nir_def *field = nir_build_alu(b, op, src);
    if (alu->op == nir_op_i2i32 || alu->op == nir_op_u2u32) {
        nir_def_replace(&alu->def, field);
        return true;
    }
    nir_src_rewrite(&alu->src[0].src, field);
    nir_alu_src_set_comp(&alu->src[0], 0, 0);
    return true;
}

/* Renumbers attributes as in the vertex state: two numbers per attribute, the second for 64-bit
 * components. */
static bool number_attribute(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    if (intr->intrinsic != nir_intrinsic_load_input)
        return false;
    nir_intrinsic_set_base(intr, I965_ATTRIB_SLOTS * nir_intrinsic_io_semantics(intr).location);
    return true;
}

/* Replaces residency codes of texels by 1, because the driver has no sparse images. */
static bool lower_residency(nir_builder *b, nir_instr *instr, void *unused)
{
    nir_def *one, *def = NULL;
    if (instr->type == nir_instr_type_tex && nir_instr_as_tex(instr)->is_residency)
        def = &nir_instr_as_tex(instr)->def;
    if (instr->type == nir_instr_type_intrinsic &&
        (nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_image_residency ||
         nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_image_deref_residency))
        def = &nir_instr_as_intrinsic(instr)->def;
    if (!def)
        return false;
    b->cursor = nir_before_instr(instr);
    one = nir_imm_int(b, 1);
    nir_def *ones[4] = {one, one, one, one};
    nir_def_replace(def, nir_vec(b, ones, def->num_components));
    return true;
}

/* Lowers variables, textures and stage inputs and outputs to operations of messages. */
static void lower_variables(nir_shader *nir)
{
    static const nir_lower_tex_options tex_options = {
        .lower_txp = true, .lower_txd_cube = true, .lower_tg4_offsets = true};
    static const nir_lower_subgroups_options subgroups = {
        .size = I965_SUBGROUP_SIZE, .lower_shuffle = true, .lower_quad = true};
    const nir_variable_mode io = nir_var_shader_in | nir_var_shader_out;
    enum shader_stage stage = nir->info.stage;
    /* The URB can be indexed indirectly. */
    nir_variable_mode direct = stage == SHADER_TESS_CTRL    ? 0
                               : i965_has_urb_inputs(stage) ? nir_var_shader_out
                                                            : io;

    nir_prepare_for_driver(nir);
    NIR_PASS_V(nir, nir_shader_instructions_pass, lower_residency, nir_metadata_control_flow, NULL);
    NIR_PASS_V(nir, nir_lower_indirect_derefs, direct, 64);
    if (stage == SHADER_COMPUTE)
        NIR_PASS_V(nir, nir_shader_intrinsics_pass, lower_compute_value, nir_metadata_control_flow,
                   NULL);
    NIR_PASS_V(nir, nir_lower_system_values);
    NIR_PASS_V(nir, nir_lower_subgroups, &subgroups);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    nir_optimize(nir);
    NIR_PASS_V(nir, nir_opt_tex_gradients);
    NIR_PASS_V(nir, nir_lower_samplers);
    NIR_PASS_V(nir, nir_lower_atomic_counters);
    NIR_PASS_V(nir, nir_lower_tex, &tex_options);
    NIR_PASS_V(nir, nir_lower_image);
    NIR_PASS_V(nir, nir_shader_tex_pass, normalize_cube, nir_metadata_control_flow, NULL);
    NIR_PASS_V(nir, nir_lower_io, io | nir_var_uniform);
    if (stage == SHADER_VERTEX)
        NIR_PASS_V(nir, nir_shader_intrinsics_pass, number_attribute, nir_metadata_control_flow,
                   NULL);
}

/* Lowers 64-bit operations that the device lacks. Returns whether it changed the shader. */
static bool lower_wide_values(nir_shader *nir, const struct i965_device *dev)
{
    bool progress = false;
    if (dev->has_64bit_types) {
        NIR_PASS(progress, nir, nir_lower_double_ops);
        NIR_PASS(progress, nir, nir_lower_int64,
                 NIR_INT64_MULTIPLY | NIR_INT64_DIVIDE | NIR_INT64_BITS);
        return progress;
    }
    NIR_PASS(progress, nir, nir_lower_64bit_io);
    NIR_PASS(progress, nir, nir_lower_doubles);
    NIR_PASS(progress, nir, nir_lower_int64, NIR_INT64_ALL);
    NIR_PASS(progress, nir, nir_lower_64bit_values);
    return progress;
}

/* Lowers memory accesses and values to what instructions support: 32-bit scalars where possible. */
static void lower_values(nir_shader *nir, const struct i965_device *dev)
{
    if (nir->info.stage == SHADER_GEOMETRY)
        NIR_PASS_V(nir, i965_lower_geometry);
    NIR_PASS_V(nir, nir_lower_explicit_io, nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_shared);
    NIR_PASS_V(nir, i965_lower_to_loops, dev);
    NIR_PASS_V(nir, nir_opt_large_constants, MIN_CONSTANT_BYTES);
    NIR_PASS_V(nir, i965_lower_arrays);
    if (nir->info.stage == SHADER_COMPUTE)
        NIR_PASS_V(nir, nir_shader_intrinsics_pass, lower_compute_value, nir_metadata_control_flow,
                   NULL);
    NIR_PASS_V(nir, nir_lower_alu);
    NIR_PASS_V(nir, nir_lower_alu_to_scalar);
    NIR_PASS_V(nir, nir_lower_large_angles);
    NIR_PASS_V(nir, nir_opt_idiv_const);
    NIR_PASS_V(nir, nir_opt_access);
    NIR_PASS_V(nir, nir_opt_barriers);
    NIR_PASS_V(nir, nir_lower_load_const_to_scalar);
    NIR_PASS_V(nir, nir_lower_phis_to_scalar);
    if (nir->info.stage == SHADER_TESS_CTRL || nir->info.stage == SHADER_GEOMETRY)
        NIR_PASS_V(nir, nir_shader_alu_pass, unclamp_invocation_id, nir_metadata_control_flow,
                   NULL);
    NIR_PASS_V(nir, nir_opt_range);
    nir_optimize(nir);
    bool again = false;
    NIR_PASS(again, nir, nir_opt_load_store_vectorize,
             nir_var_mem_ubo | nir_var_mem_ssbo | nir_var_mem_shared, 16);
    NIR_PASS(again, nir, i965_join_scratch);
    NIR_PASS(again, nir, nir_lower_bit_size);
    again |= lower_wide_values(nir, dev);
    if (again)
        nir_optimize(nir);
}

/* Runs the passes that pay only after all simplifications. */
static void optimize_late(nir_shader *nir, const struct i965_device *dev)
{
    NIR_PASS_V(nir, nir_opt_gcm);
    NIR_PASS_V(nir, nir_shader_alu_pass, fuse_multiply_add, nir_metadata_control_flow, NULL);
    NIR_PASS_V(nir, nir_opt_algebraic_late);
    NIR_PASS_V(nir, nir_lower_alu_to_scalar);
    NIR_PASS_V(nir, nir_shader_alu_pass, extract_narrowed, nir_metadata_control_flow, NULL);
    NIR_PASS_V(nir, nir_copy_prop);
    NIR_PASS_V(nir, nir_opt_dce);
    NIR_PASS_V(nir, nir_opt_cse);
    NIR_PASS_V(nir, nir_remove_dead_variables, nir_var_function_temp | nir_var_shader_temp);
    NIR_PASS_V(nir, nir_lower_bool_to_int32);
    NIR_PASS_V(nir, nir_lower_alu_to_scalar);
    NIR_PASS_V(nir, nir_opt_constant_folding);
    NIR_PASS_V(nir, nir_copy_prop);
    NIR_PASS_V(nir, nir_opt_cse);
    NIR_PASS_V(nir, nir_opt_dce);
    if (nir->info.stage == SHADER_VERTEX)
        repeat_wide_inputs(nir, dev);
    NIR_PASS_V(nir, nir_opt_dce);
}

void i965_lower_nir(nir_shader *nir, const struct i965_device *dev)
{
    lower_variables(nir);
    uint64_t outputs = nir->info.outputs_written; /* The varyings that entries have slots for. */
    lower_values(nir, dev);
    optimize_late(nir, dev);
    /* Merged accesses don't name all of their slots, so the info comes from separate ones. */
    nir_shader_gather_info(nir);
    bool joined = false;
    if (nir->info.stage == SHADER_TESS_CTRL || nir->info.stage == SHADER_GEOMETRY)
        NIR_PASS(joined, nir, i965_join_urb);
    if (joined) {
        NIR_PASS_V(nir, nir_copy_prop);
        NIR_PASS_V(nir, nir_opt_dce);
    }
    NIR_PASS_V(nir, i965_sink_loads);
    if (i965_has_urb_inputs(nir->info.stage) || nir->info.stage == SHADER_VERTEX)
        nir->info.outputs_written |= outputs;
    NIR_PASS_V(nir, nir_convert_from_ssa, true);
    nir_index_ssa_defs(nir_shader_get_entrypoint(nir));
    nir_sweep(nir);
}

/* --- prog_data --- */

struct gather {
    struct i965_prog_data *data;
    const nir_shader *nir;
    uint64_t vertex_inputs;
    uint64_t fragment_inputs[2];
    uint64_t flat[2];
    /* In bytes. */
    unsigned buffer_start[DRV_MAX_CONSTANT_BUFFERS], buffer_end[DRV_MAX_CONSTANT_BUFFERS];
    /* Numbers of textures, uniform blocks, storage blocks, images and samplers. */
    unsigned highest[5];
    bool num_work_groups;
    bool position; /* Whether x or y of the fragment position is read. */
};

static void use_constant(struct gather *g, unsigned buffer, unsigned offset, unsigned bytes)
{
    if (buffer >= DRV_MAX_CONSTANT_BUFFERS)
        return;
    unsigned start = offset & ~31u, end = ALIGN_POT(offset + bytes, 32);
    if (g->buffer_end[buffer] == 0) {
        g->buffer_start[buffer] = start;
        g->buffer_end[buffer] = end;
        return;
    }
    g->buffer_start[buffer] = MIN2(g->buffer_start[buffer], start);
    g->buffer_end[buffer] = MAX2(g->buffer_end[buffer], end);
}

static void set_bit(uint64_t set[2], unsigned i)
{
    if (i < 128)
        set[i / 64] |= 1ull << (i % 64);
}

/* Returns the number of slots that a load reads; 64-bit loads may need two. */
static unsigned slots_read(const nir_intrinsic_instr *intr)
{
    unsigned dwords = intr->def.num_components * (intr->def.bit_size == 64 ? 2 : 1);
    return DIV_ROUND_UP(nir_intrinsic_component(intr) + dwords, 4);
}

static void gather_barycentric(struct gather *g, const nir_intrinsic_instr *intr)
{
    nir_instr *parent = intr->src[0].ssa->parent_instr;
    unsigned mode;
    if (parent->type == nir_instr_type_intrinsic &&
        i965_barycentric_mode(nir_instr_as_intrinsic(parent), &mode))
        g->data->fs.barycentric_modes |= 1u << mode;
    else
        g->data->fs.pulls_barycentrics = true;
    set_bit(g->fragment_inputs, nir_intrinsic_io_semantics(intr).location);
}

static void gather_io(struct gather *g, const nir_intrinsic_instr *intr)
{
    if (g->nir->info.stage == SHADER_FRAGMENT) {
        for (unsigned i = 0; i < slots_read(intr); i++) {
            set_bit(g->fragment_inputs, nir_intrinsic_io_semantics(intr).location + i);
            set_bit(g->flat, nir_intrinsic_io_semantics(intr).location + i);
        }
        return;
    }
    unsigned base = nir_intrinsic_base(intr);
    if (nir_src_is_const(intr->src[0]))
        base += (unsigned)nir_src_as_uint(intr->src[0]);
    for (unsigned i = 0; i < slots_read(intr) && base + i < 64; i++)
        g->vertex_inputs |= 1ull << (base + i);
}

static void raise(unsigned *count, const nir_src *index)
{
    if (nir_src_is_const(*index))
        *count = MAX2(*count, (unsigned)MIN2(nir_src_as_uint(*index), 1u << 20) + 1);
}

static void gather_vertex(struct i965_prog_data *data, nir_intrinsic_op op)
{
    switch (op) {
    case nir_intrinsic_load_first_vertex:
    case nir_intrinsic_load_base_instance:
    case nir_intrinsic_load_vertex_id_zero_base:
    case nir_intrinsic_load_vertex_id:
    case nir_intrinsic_load_instance_id:
        data->vs.uses_vertex_ids = true;
        break;
    case nir_intrinsic_load_base_vertex:
        data->vs.uses_vertex_ids = data->vs.uses_draw_id = true;
        break;
    case nir_intrinsic_load_draw_id:
    case nir_intrinsic_load_view_index:
        data->vs.uses_draw_id = true;
        break;
    default:
        break;
    }
}

static void gather_fragment(struct gather *g, const nir_intrinsic_instr *intr)
{
    struct i965_prog_data *data = g->data;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_frag_coord: {
        unsigned read = nir_def_components_read(&intr->def);
        data->fs.uses_source_depth |= read >> 2 & 1;
        data->fs.uses_source_w |= read >> 3 & 1;
        data->fs.uses_height |= read >> 1 & 1 && g->nir->info.fs.origin_upper_left;
        g->position |= read & 3 && !g->nir->info.fs.pixel_center_integer;
        break;
    }
    case nir_intrinsic_load_point_coord:
        data->fs.barycentric_modes |= 1u << I965_BARYCENTRIC_PERSPECTIVE_PIXEL;
        set_bit(g->fragment_inputs, VARYING_SLOT_POINT_COORD);
        break;
    case nir_intrinsic_load_primitive_id:
        set_bit(g->fragment_inputs, VARYING_SLOT_PRIMITIVE_ID);
        set_bit(g->flat, VARYING_SLOT_PRIMITIVE_ID);
        break;
    case nir_intrinsic_load_sample_mask_in:
        data->fs.uses_sample_mask = true;
        break;
    case nir_intrinsic_load_frag_coverage:
        data->fs.uses_coverage = true;
        break;
    case nir_intrinsic_load_sample_id:
        data->fs.persample = true;
        break;
    case nir_intrinsic_load_sample_pos:
        data->fs.persample = data->fs.uses_position_offsets = true;
        break;
    case nir_intrinsic_load_last_frag_data:
        data->fs.persample = data->fs.reads_targets = true;
        break;
    case nir_intrinsic_load_last_frag_depth:
    case nir_intrinsic_load_last_frag_stencil:
        data->fs.persample = data->fs.reads_depth_stencil = true;
        break;
    case nir_intrinsic_discard:
    case nir_intrinsic_discard_if:
    case nir_intrinsic_demote:
    case nir_intrinsic_demote_if:
    case nir_intrinsic_terminate:
    case nir_intrinsic_terminate_if:
        data->fs.uses_discard = true;
        break;
    case nir_intrinsic_load_helper_invocation:
    case nir_intrinsic_is_helper_invocation:
    case nir_intrinsic_store_ssbo:
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
    case nir_intrinsic_image_store:
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap:
        data->fs.uses_side_effects = true;
        break;
    case nir_intrinsic_store_output:
        data->fs.dual_source |= nir_intrinsic_io_semantics(intr).dual_source_blend_index;
        break;
    default:
        break;
    }
}

static void gather_intrinsic(struct gather *g, const nir_intrinsic_instr *intr)
{
    struct i965_prog_data *data = g->data;
    bool has_dest = nir_intrinsic_infos[intr->intrinsic].has_dest;
    unsigned bytes = intr->num_components * (has_dest && intr->def.bit_size == 64 ? 8 : 4);
    switch (intr->intrinsic) {
    case nir_intrinsic_load_input:
        if (!i965_has_urb_inputs(g->nir->info.stage))
            gather_io(g, intr);
        break;
    case nir_intrinsic_load_interpolated_input:
        gather_barycentric(g, intr);
        break;
    case nir_intrinsic_load_uniform:
        if (nir_src_is_const(intr->src[0]))
            use_constant(g, 0, nir_intrinsic_base(intr) + (unsigned)nir_src_as_uint(intr->src[0]),
                         bytes);
        break;
    case nir_intrinsic_load_ubo:
        raise(&g->highest[1], &intr->src[0]);
        if (nir_src_is_const(intr->src[0]) && nir_src_is_const(intr->src[1]))
            use_constant(g, (unsigned)nir_src_as_uint(intr->src[0]) + 1,
                         (unsigned)nir_src_as_uint(intr->src[1]), bytes);
        break;
    case nir_intrinsic_load_ssbo:
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
    case nir_intrinsic_get_ssbo_size:
        raise(&g->highest[2], &intr->src[0]);
        break;
    case nir_intrinsic_store_ssbo:
        raise(&g->highest[2], &intr->src[1]);
        break;
    case nir_intrinsic_image_load:
    case nir_intrinsic_image_store:
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap:
    case nir_intrinsic_image_size:
    case nir_intrinsic_image_samples:
        raise(&g->highest[3], &intr->src[0]);
        break;
    case nir_intrinsic_load_num_workgroups:
        g->num_work_groups = true;
        break;
    case nir_intrinsic_barrier:
        if (g->nir->info.stage == SHADER_COMPUTE &&
            nir_intrinsic_execution_scope(intr) >= NIR_SCOPE_WORKGROUP)
            data->cs.uses_barrier = true;
        break;
    default:
        break;
    }
    if (g->nir->info.stage == SHADER_VERTEX)
        gather_vertex(g->data, intr->intrinsic);
    if (g->nir->info.stage == SHADER_FRAGMENT)
        gather_fragment(g, intr);
}

static void gather_shader(struct gather *g)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(g->nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type == nir_instr_type_intrinsic)
                gather_intrinsic(g, nir_instr_as_intrinsic(instr));
            if (instr->type == nir_instr_type_tex) {
                const nir_tex_instr *tex = nir_instr_as_tex(instr);
                g->highest[0] = MAX2(g->highest[0], tex->texture_index + 1);
                g->highest[4] = MAX2(g->highest[4], tex->sampler_index + 1);
                if (nir_tex_instr_src_index(tex, nir_tex_src_sampler_offset) >= 0)
                    g->highest[4] = MAX2(g->highest[4], g->nir->info.num_textures);
            }
        }
    }
}

/* Returns the payload size in registers at SIMD8, without push constants. */
static unsigned fixed_payload(const struct i965_prog_data *data)
{
    switch (data->stage) {
    case SHADER_VERTEX:
        return 2 + 8u * data->vs.urb_read_length;
    case SHADER_FRAGMENT:
        return 8 + 2u * (unsigned)__builtin_popcount(data->fs.barycentric_modes) +
               2u * data->fs.num_inputs;
    case SHADER_GEOMETRY:
        return 3 + data->gs.vertices_in * (1 + 8u * data->urb_read_length);
    case SHADER_TESS_CTRL:
    case SHADER_TESS_EVAL:
        return 6 + data->urb_read_length;
    default:
        return 2;
    }
}

/* Pushes constant buffer ranges read at constant offsets, the default block first, while enough
 * registers remain for computation. */
static void choose_push_ranges(const struct gather *g, const struct i965_device *dev,
                               struct i965_prog_data *data)
{
    enum { WORKING_REGISTERS = 32 };
    unsigned taken = fixed_payload(data) + WORKING_REGISTERS;
    unsigned room =
        taken < dev->grf_count ? MIN2(dev->grf_count - taken, I965_MAX_PUSH_REGISTERS) : 0;
    for (unsigned i = 0; i < DRV_MAX_CONSTANT_BUFFERS && room; i++) {
        unsigned first = g->buffer_start[i] / 32,
                 count = (g->buffer_end[i] - g->buffer_start[i]) / 32;
        if (!g->buffer_end[i] || data->num_push_ranges == I965_MAX_PUSH_RANGES || first > 0xffff)
            continue;
        count = MIN2(count, room);
        NEXT_OF(data->push_ranges, data->num_push_ranges) =
            (struct i965_push_range){(uint8_t)i, (uint16_t)first, (uint16_t)count};
        data->curb_read_length += (uint16_t)count;
        room -= count;
    }
}

static bool fill_binding_table(struct gather *g, struct i965_prog_data *data, void *mem_ctx,
                               const char **error)
{
    const nir_shader_info *info = &g->nir->info;
    bool fragment = info->stage == SHADER_FRAGMENT;
    unsigned colors = fragment ? MAX2(data->fs.num_color_outputs, 1) : 0;
    unsigned targets = colors + (fragment && data->fs.reads_depth_stencil);
    unsigned textures = MAX2(g->highest[0], info->num_textures);
    unsigned blocks = MAX2(g->highest[1], info->num_ubos) + 1;
    unsigned storage = MAX2(g->highest[2], info->num_ssbos);
    unsigned images = MAX2(g->highest[3], info->num_images);
    unsigned constants = data->constant_size > 0;
    unsigned size = targets + textures + blocks + storage + images + constants + 1;
    if (size > I965_MAX_BINDING_TABLE_ENTRIES) {
        *error = talloc_asprintf(mem_ctx, "%u surfaces, of %u that the binding table holds", size,
                                 I965_MAX_BINDING_TABLE_ENTRIES);
        return false;
    }
    data->binding_table.depth_stencil = (uint16_t)colors;
    data->binding_table.textures = (uint16_t)targets;
    data->binding_table.uniform_blocks = (uint16_t)(targets + textures);
    data->binding_table.storage_blocks = (uint16_t)(data->binding_table.uniform_blocks + blocks);
    data->binding_table.images = (uint16_t)(data->binding_table.storage_blocks + storage);
    data->binding_table.constants = (uint16_t)(data->binding_table.images + images);
    data->binding_table.num_work_groups = (uint16_t)(data->binding_table.constants + constants);
    data->binding_table.size = (uint16_t)(size - !g->num_work_groups);
    data->sampler_count = (uint8_t)MIN2(g->highest[4], 32);
    return true;
}

static void fill_fragment(const struct gather *g, const struct i965_key *key,
                          struct i965_prog_data *data)
{
    uint64_t written = g->nir->info.outputs_written;
    for (unsigned i = 0; i < VARYING_SLOT_COUNT; i++) {
        if (!(g->fragment_inputs[i / 64] >> (i % 64) & 1) || data->fs.num_inputs >= 32)
            continue;
        if (g->flat[i / 64] >> (i % 64) & 1)
            data->fs.flat_inputs |= 1u << data->fs.num_inputs;
        NEXT_OF(data->fs.inputs, data->fs.num_inputs) = (uint8_t)i;
    }
    data->fs.num_color_outputs = key->num_color_targets;
    for (unsigned t = 0; t < 8 && !key->num_color_targets; t++) {
        if (written >> (FRAG_RESULT_DATA0 + t) & 1)
            data->fs.num_color_outputs = (uint8_t)(t + 1);
    }
    if (!data->fs.num_color_outputs && written >> FRAG_RESULT_COLOR & 1)
        data->fs.num_color_outputs = 1;
    data->fs.writes_depth = written >> FRAG_RESULT_DEPTH & 1;
    data->fs.writes_stencil = written >> FRAG_RESULT_STENCIL & 1;
    data->fs.writes_sample_mask = written >> FRAG_RESULT_SAMPLE_MASK & 1;
    data->fs.persample |= key->persample;
    data->fs.uses_position_offsets |= data->fs.persample && g->position;
    data->fs.early_fragment_tests = g->nir->info.fs.early_fragment_tests;
}

/* An entry holds the inputs, then the outputs. */
static void fill_vertex(const struct i965_device *dev, struct i965_prog_data *data)
{
    unsigned slots = data->vs.num_inputs + data->vs.uses_vertex_ids + data->vs.uses_draw_id;
    data->vs.urb_read_length = (uint8_t)MIN2(DIV_ROUND_UP(slots, 2), max_vertex_slots(dev) / 2);
    data->vs.urb_entry_size =
        (uint8_t)DIV_ROUND_UP(MAX2(slots, (unsigned)data->vue_map.num_slots) * 16u, 64);
}

/* Returns a message if the device lacks a message that the fragment shader needs, NULL
 * otherwise. */
static const char *missing_output(const struct i965_device *dev, const struct i965_prog_data *data)
{
    if (data->fs.writes_stencil && !dev->has_stencil_output)
        return "this hardware cannot write stencil values in a fragment shader";
    if ((data->fs.reads_targets || data->fs.reads_depth_stencil) && !dev->has_target_reads)
        return "this hardware cannot read render targets in a fragment shader";
    return NULL;
}

/* Returns whether the shader has 64-bit values. */
static bool has_wide_values(const nir_shader *nir)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            const nir_def *def = nir_instr_def(instr);
            if (def && def->bit_size == 64)
                return true;
        }
    }
    return false;
}

static const char *missing_of_intrinsic(const nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
    case nir_intrinsic_shared_atomic:
    case nir_intrinsic_shared_atomic_swap:
    case nir_intrinsic_image_atomic:
    case nir_intrinsic_image_atomic_swap:
        return intr->def.bit_size == 64
                   ? "this hardware has no atomic operations on 64-bit integers"
                   : NULL;
    case nir_intrinsic_bindless_image_load:
    case nir_intrinsic_bindless_image_store:
    case nir_intrinsic_bindless_image_atomic:
    case nir_intrinsic_bindless_image_atomic_swap:
    case nir_intrinsic_bindless_image_size:
    case nir_intrinsic_bindless_image_samples:
        return "image handles are not supported";
    default:
        return NULL;
    }
}

/* Returns a message if the shader accesses memory in a way that the compiler has no message for,
 * NULL otherwise. */
static const char *missing_access(const nir_shader *nir)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            const char *missing = NULL;
            if (instr->type == nir_instr_type_intrinsic)
                missing = missing_of_intrinsic(nir_instr_as_intrinsic(instr));
            else if (instr->type == nir_instr_type_tex &&
                     nir_tex_instr_src_index(nir_instr_as_tex(instr), nir_tex_src_texture_handle) >=
                         0)
                missing = "texture handles are not supported";
            if (missing)
                return missing;
        }
    }
    return NULL;
}

bool i965_fill_prog_data(const nir_shader *nir, const struct i965_device *dev,
                         const struct i965_key *key, struct i965_prog_data *data, void *mem_ctx,
                         const char **error)
{
    struct gather g = {.data = data, .nir = nir};
    *data = (struct i965_prog_data){.stage = nir->info.stage};
    *error = missing_access(nir);
    if (*error)
        return false;
    if (!dev->has_64bit_types && has_wide_values(nir)) {
        *error = "a 64-bit operation has no lowering for this hardware";
        return false;
    }
    gather_shader(&g);
    switch (nir->info.stage) {
    case SHADER_VERTEX:
        for (unsigned i = 0; i < 64; i++) {
            if (g.vertex_inputs >> i & 1 && data->vs.num_inputs < 32)
                NEXT_OF(data->vs.inputs, data->vs.num_inputs) = (uint8_t)i;
        }
        i965_fill_vue_map(nir->info.outputs_written | key->outputs_read, &data->vue_map);
        fill_vertex(dev, data);
        break;
    case SHADER_FRAGMENT:
        fill_fragment(&g, key, data);
        *error = missing_output(dev, data);
        if (*error)
            return false;
        break;
    case SHADER_COMPUTE:
        for (unsigned i = 0; i < 3; i++)
            data->cs.local_size[i] = nir->info.cs.workgroup_size[i];
        data->cs.shared_size = nir->info.cs.shared_size;
        data->cs.uses_num_work_groups = g.num_work_groups;
        data->cs.variable_size = nir->info.cs.workgroup_size_variable;
        break;
    default:
        if (!i965_fill_urb_data(nir, dev, key, data, mem_ctx, error))
            return false;
        break;
    }
    choose_push_ranges(&g, dev, data);
    data->constant_size = ALIGN_POT(nir->constant_data_size, CONSTANT_ALIGNMENT);
    return fill_binding_table(&g, data, mem_ctx, error);
}
