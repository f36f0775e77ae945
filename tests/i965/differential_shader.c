/* SPDX-License-Identifier: MIT */
/* Sources of shaders for the differential test, and their conversion to the common form. */
#include "differential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "i965_run.h"

enum {
    SYSTEM_VALUE_SLOT = 56, /* Inputs from this slot on are system values. */
};

/* ---------------------------------------------------------------------------------- random --- */

/* Math functions and quotients. */
static const nir_op math_ops[] = {
    nir_op_frcp,
    nir_op_frsq,
    nir_op_fsqrt,
    nir_op_fpow, /* of the magnitude in the hardware */
    nir_op_fdiv,
    nir_op_unpack_unorm_2x16,
    nir_op_unpack_snorm_2x16,
    nir_op_unpack_unorm_4x8,
    nir_op_unpack_snorm_4x8,
};

static bool is_in(nir_op op, const nir_op *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (list[i] == op)
            return true;
    }
    return false;
}

/* Rounded twice by their lowering or by the hardware's replacement. */
static const nir_op inexact_ops[] = {nir_op_flrp,  nir_op_fmod,  nir_op_frem, nir_op_ldexp,
                                     nir_op_fdot2, nir_op_fdot3, nir_op_fdot4};

/* Not in the shading language; some implementations lack them. */
static const nir_op foreign_ops[] = {
    nir_op_b32csel,
    nir_op_b2b32,
    nir_op_feq32,
    nir_op_fneu32,
    nir_op_flt32,
    nir_op_fge32,
    nir_op_ieq32,
    nir_op_ine32,
    nir_op_ilt32,
    nir_op_ige32,
    nir_op_ult32,
    nir_op_uge32,
    nir_op_fquantize2f16,
    nir_op_lerp_2x16,
    nir_op_umin_2x16,
    nir_op_srgb_even_2x16,
    nir_op_srgb_odd_2x16,
    nir_op_f2i32_in_range,
    nir_op_f2i32_rtne_in_range,
    nir_op_iadd_2x16,
    nir_op_share_2x16,
    nir_op_freduce_sin,
    nir_op_freduce_cos,
};

/* 64-bit operations that the compiler supports. */
static const nir_op wide_ops[] = {
    nir_op_iadd,   nir_op_isub,   nir_op_iand,  nir_op_ior,         nir_op_ixor, nir_op_inot,
    nir_op_ineg,   nir_op_imin,   nir_op_imax,  nir_op_umin,        nir_op_umax, nir_op_ishl,
    nir_op_ishr,   nir_op_ushr,   nir_op_ieq,   nir_op_ine,         nir_op_ilt,  nir_op_ige,
    nir_op_ult,    nir_op_uge,    nir_op_mov,   nir_op_bcsel,       nir_op_fadd, nir_op_fsub,
    nir_op_fmul,   nir_op_ffma,   nir_op_fneg,  nir_op_fabs,        nir_op_fmin, nir_op_fmax,
    nir_op_ftrunc, nir_op_ffloor, nir_op_fceil, nir_op_fround_even, nir_op_feq,  nir_op_fneu,
    nir_op_flt,    nir_op_fge,
};

static bool is_small(nir_alu_type type)
{
    unsigned size = nir_alu_type_get_type_size(type);
    return size == 8 || size == 16;
}

bool differential_takes(nir_op op, unsigned bits)
{
    const nir_op_info *info = &nir_op_infos[op];
    bool wide = bits == 64 || nir_alu_type_get_type_size(info->output_type) == 64;

    if (bits == 8 || bits == 16 || is_small(info->output_type) ||
        is_in(op, math_ops, ARRAY_SIZE(math_ops)) ||
        is_in(op, inexact_ops, ARRAY_SIZE(inexact_ops)) ||
        is_in(op, foreign_ops, ARRAY_SIZE(foreign_ops)))
        return false;
    for (unsigned i = 0; i < info->num_inputs; i++) {
        if (is_small(info->input_types[i]))
            return false;
        wide |= nir_alu_type_get_type_size(info->input_types[i]) == 64;
    }
    return !wide || info->is_conversion || is_in(op, wide_ops, ARRAY_SIZE(wide_ops));
}

nir_shader *differential_random(const struct i965_device *dev, uint64_t seed, unsigned size)
{
    static const struct fuzz_limits limits = {.takes = differential_takes, .narrow_places = true};

    return fuzz_generate(seed, size, &i965_nir_options, &limits);
}

/* ------------------------------------------------------------------------------------ files --- */

/* Returns whether the variable has one value per vertex of a patch. */
static bool has_vertices(const nir_shader *nir, const nir_variable *var)
{
    enum shader_stage stage = nir->info.stage;
    bool input = var->data.mode == nir_var_shader_in;

    return !var->data.patch && glsl_type_is_array(var->type) &&
           (stage == SHADER_TESS_CTRL || (stage == SHADER_TESS_EVAL && input));
}

/* Numbers inputs and outputs consecutively. Vertices overlap, one vector apart. */
static void number_slots(nir_shader *nir, nir_variable_mode mode)
{
    unsigned slot = 0;

    nir_foreach_variable_with_modes (var, nir, mode) {
        const struct glsl_type *type =
            has_vertices(nir, var) ? glsl_element_of(var->type) : var->type;
        var->data.driver_location = slot;
        slot += MAX2(glsl_count_attribute_slots(type, false), 1);
    }
}

nir_shader *differential_read(void *mem_ctx, const char *path,
                              const nir_shader_compiler_options *options)
{
    FILE *fp = fopen(path, "rb");
    long size = fp && fseek(fp, 0, SEEK_END) == 0 ? ftell(fp) : -1;
    uint8_t *bytes = size > 0 ? talloc_size(mem_ctx, (size_t)size) : NULL;
    bool ok =
        bytes && fseek(fp, 0, SEEK_SET) == 0 && fread(bytes, 1, (size_t)size, fp) == (size_t)size;

    if (fp)
        fclose(fp);
    nir_shader *nir = ok ? nir_deserialize(mem_ctx, options, bytes, (size_t)size) : NULL;
    if (nir) {
        number_slots(nir, nir_var_shader_in);
        number_slots(nir, nir_var_shader_out);
    }
    return nir;
}

/* ------------------------------------------------------------------------------ common form --- */

static nir_def *load_block(nir_builder *b, unsigned block, unsigned slot, nir_def *vectors,
                           unsigned component, unsigned components)
{
    nir_def *at = nir_iadd_imm(b, run_slot_address(b, slot), component * 4u);
    if (vectors)
        at = nir_iadd(b, at, nir_imul_imm(b, vectors, RUN_SLOT_BYTES));
    return nir_load_ssbo(b, components, 32, nir_imm_int(b, (int)block), at, .align_mul = 4);
}

static nir_def *load(nir_builder *b, unsigned slot, nir_def *vectors, unsigned component,
                     unsigned components)
{
    return load_block(b, 0, slot, vectors, component, components);
}

static void store(nir_builder *b, unsigned slot, nir_def *vectors, unsigned component,
                  nir_def *value, unsigned mask)
{
    nir_def *at = nir_iadd_imm(b, run_slot_address(b, slot), component * 4u);
    if (vectors)
        at = nir_iadd(b, at, nir_imul_imm(b, vectors, RUN_SLOT_BYTES));
    nir_store_ssbo(b, value, nir_imm_int(b, 1), at, .write_mask = mask, .align_mul = 4);
}

/* Without a condition, always stores. Remaining channels store to an unused place. */
static void store_discard(nir_builder *b, nir_def *condition)
{
    nir_def *at = run_slot_address(b, DISCARD_SLOT);
    if (condition)
        at = nir_bcsel(b, condition, at, run_slot_address(b, RUN_SLOTS - 1));
    nir_store_ssbo(b, nir_imm_int(b, 1), nir_imm_int(b, 1), at, .write_mask = 1, .align_mul = 4);
}

static bool is_system_value(const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    return info->num_srcs == 0 && info->has_dest && intr->def.bit_size == 32 &&
           intr->intrinsic != nir_intrinsic_load_local_invocation_index;
}

/* Returns vectors at the slot of a patch vertex. The vertex index may be arbitrary here, so it is
 * wrapped. */
static nir_def *vertex_vectors(nir_builder *b, const nir_intrinsic_instr *intr, unsigned vertex)
{
    nir_def *sum = nir_iadd(b, intr->src[vertex].ssa, intr->src[vertex + 1].ssa);
    return nir_iand_imm(b, sum, 7);
}

static unsigned vertex_slot(const nir_intrinsic_instr *intr)
{
    return (unsigned)nir_intrinsic_base(intr) % 32;
}

/* Tessellation shaders: gives each invocation its own vertices. Returns false for
 * other intrinsics. */
static bool patch_to_memory(nir_builder *b, nir_intrinsic_instr *intr)
{
    unsigned n = intr->def.num_components;

    switch (intr->intrinsic) {
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_per_vertex_output:
        nir_def_replace(&intr->def,
                        load_block(b, intr->intrinsic == nir_intrinsic_load_per_vertex_output,
                                   vertex_slot(intr), vertex_vectors(b, intr, 0),
                                   nir_intrinsic_component(intr), n));
        return true;
    case nir_intrinsic_load_output:
        nir_def_replace(&intr->def, load_block(b, 1, (unsigned)nir_intrinsic_base(intr),
                                               intr->src[0].ssa, nir_intrinsic_component(intr), n));
        return true;
    case nir_intrinsic_store_per_vertex_output:
        store(b, vertex_slot(intr), vertex_vectors(b, intr, 1), nir_intrinsic_component(intr),
              intr->src[0].ssa, nir_intrinsic_write_mask(intr));
        nir_instr_remove(&intr->instr);
        return true;
    case nir_intrinsic_barrier:
        nir_instr_remove(&intr->instr);
        return true;
    default:
        return false;
    }
}

/* Returns whether the access has 64-bit values, which the common form lacks. */
static bool is_wide(const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    return info->has_dest ? intr->def.bit_size == 64
                          : info->num_srcs && intr->src[0].ssa->bit_size == 64;
}

static bool to_memory(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    nir_def *value;

    (void)unused;
    if (is_wide(intr))
        return false;
    b->cursor = nir_before_instr(&intr->instr);
    if (patch_to_memory(b, intr))
        return true;
    switch (intr->intrinsic) {
    case nir_intrinsic_load_last_frag_data:
        value = load(b, SYSTEM_VALUE_SLOT, nir_umin(b, intr->src[0].ssa, nir_imm_int(b, 7)), 0, 4);
        nir_def_replace(&intr->def, value);
        return true;
    case nir_intrinsic_load_input:
    case nir_intrinsic_load_interpolated_input:
        value = load(b, (unsigned)nir_intrinsic_base(intr), nir_get_io_offset_src(intr)->ssa,
                     nir_intrinsic_component(intr), intr->def.num_components);
        nir_def_replace(&intr->def, value);
        return true;
    case nir_intrinsic_store_output:
        store(b, (unsigned)nir_intrinsic_base(intr), nir_get_io_offset_src(intr)->ssa,
              nir_intrinsic_component(intr), intr->src[0].ssa, nir_intrinsic_write_mask(intr));
        break;
    case nir_intrinsic_discard:
    case nir_intrinsic_demote:
    case nir_intrinsic_terminate:
        store_discard(b, NULL);
        break;
    case nir_intrinsic_discard_if:
    case nir_intrinsic_demote_if:
    case nir_intrinsic_terminate_if:
        store_discard(b, intr->src[0].ssa);
        break;
    default:
        if (!is_system_value(intr))
            return false;
        value = load(b, SYSTEM_VALUE_SLOT, NULL, 0, intr->def.num_components);
        nir_def_replace(&intr->def, value);
        return true;
    }
    nir_instr_remove(&intr->instr);
    return true;
}

/* Replaces the texture by a color that depends on the coordinates. */
static bool replace_texture(nir_builder *b, nir_tex_instr *tex, void *unused)
{
    int s = nir_tex_instr_src_index(tex, nir_tex_src_coord);
    bool real = nir_alu_type_get_base_type(tex->dest_type) == nir_type_float;
    nir_def *color[4], *sum;

    (void)unused;
    b->cursor = nir_before_instr(&tex->instr);
    sum = nir_imm_float(b, 0.25f);
    for (unsigned i = 0; s >= 0 && tex->op != nir_texop_txf && i < tex->coord_components; i++)
        sum = nir_fadd(b, nir_fmul_imm(b, sum, 0.5), nir_channel(b, tex->src[s].src.ssa, i));
    for (unsigned i = 0; i < tex->def.num_components; i++) {
        color[i] = nir_fadd_imm(b, sum, 0.125 * i);
        if (!real)
            color[i] = nir_f2i32(b, color[i]);
    }
    nir_def_replace(&tex->def, nir_vec(b, color, tex->def.num_components));
    return true;
}

/* Divisions by zero are undefined, so divide by one instead. */
static void define_quotient(nir_builder *b, nir_alu_instr *alu)
{
    static const nir_op divisions[] = {nir_op_idiv, nir_op_udiv, nir_op_irem, nir_op_imod,
                                       nir_op_umod};
    nir_def *divisor[4], *by;

    if (!is_in(alu->op, divisions, ARRAY_SIZE(divisions)))
        return;
    b->cursor = nir_before_instr(&alu->instr);
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        by = nir_channel(b, alu->src[1].src.ssa, nir_alu_src_comp(&alu->src[1], c));
        divisor[c] = nir_bcsel(b, nir_ieq_imm(b, by, 0), nir_imm_intN_t(b, 1, by->bit_size), by);
        nir_alu_src_set_comp(&alu->src[1], c, c);
    }
    nir_src_rewrite(&alu->src[1].src, nir_vec(b, divisor, alu->def.num_components));
}

static bool change_alu(nir_builder *b, nir_alu_instr *alu, void *data)
{
    struct form *form = data;

    form->uses_math |= is_in(alu->op, math_ops, ARRAY_SIZE(math_ops));
    alu->exact = true;
    define_quotient(b, alu);
    if (!(nir_op_infos[alu->op].algebraic_properties & NIR_OP_IS_DERIVATIVE))
        return false;
    alu->op = nir_op_fneg;
    return true;
}

void differential_form(nir_shader *nir, struct form *form)
{
    nir_prepare_for_driver(nir);
    NIR_PASS_V(nir, nir_lower_system_values);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    NIR_PASS_V(nir, nir_lower_io, nir_var_shader_in | nir_var_shader_out | nir_var_uniform);
    NIR_PASS_V(nir, nir_shader_tex_pass, replace_texture, nir_metadata_control_flow, NULL);
    NIR_PASS_V(nir, nir_shader_alu_pass, change_alu, nir_metadata_control_flow, form);
    NIR_PASS_V(nir, nir_shader_intrinsics_pass, to_memory, nir_metadata_control_flow, NULL);
    NIR_PASS_V(nir, nir_opt_dce);
    run_set_group(nir);
    nir_shader_gather_info(nir);
}

/* --------------------------------------------------------------------------------- tracing --- */

static bool is_traced(const nir_instr *instr)
{
    if (instr->type != nir_instr_type_alu)
        return false;
    const nir_def *def = &nir_instr_as_alu((nir_instr *)instr)->def;
    return def->bit_size == 32 || def->bit_size == 64 || def->bit_size == 1;
}

static nir_def *as_word(nir_builder *b, nir_def *x)
{
    if (x->bit_size == 1)
        return nir_b2i32(b, x);
    if (x->bit_size == 32)
        return x;
    return nir_ixor(b, nir_unpack_64_2x32_split_x(b, x), nir_unpack_64_2x32_split_y(b, x));
}

/* Combines all components into one number; the value of a scalar is its bits. */
static nir_def *traced_value(nir_builder *b, nir_def *def)
{
    nir_def *sum = as_word(b, nir_channel(b, def, 0));

    for (unsigned c = 1; c < def->num_components; c++)
        sum = nir_iadd(b, nir_imul_imm(b, sum, 31), as_word(b, nir_channel(b, def, c)));
    return sum;
}

bool differential_trace(nir_shader *nir, unsigned index, char *text, size_t size)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);

    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (!is_traced(instr) || index--)
                continue;
            FILE *fp = fmemopen(text, size, "w");
            nir_print_instr(instr, fp);
            fclose(fp);
            nir_builder b = nir_builder_at(nir_after_instr(instr));
            b.exact = true;
            nir_def *value = traced_value(&b, &nir_instr_as_alu(instr)->def);
            store(&b, TRACE_SLOT, NULL, 0, value, 1);
            return true;
        }
    }
    return false;
}
