/* SPDX-License-Identifier: MIT */
#include "nir_builder.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/check.h"

nir_builder nir_builder_create(nir_function_impl *impl)
{
    return (nir_builder){.shader = nir_impl_shader(impl), .impl = impl};
}

nir_builder nir_builder_at(nir_cursor cursor)
{
    nir_builder b =
        nir_builder_create(nir_cf_node_get_function(&nir_cursor_current_block(cursor)->cf_node));
    b.cursor = cursor;
    return b;
}

nir_builder nir_builder_init_simple_shader(void *mem_ctx, enum shader_stage stage,
                                           const nir_shader_compiler_options *options,
                                           const char *name, ...)
{
    nir_shader *shader = nir_shader_create(mem_ctx, stage, options);
    if (name) {
        va_list args;
        va_start(args, name);
        shader->info.name = talloc_vasprintf(shader, name, args);
        va_end(args);
    }
    nir_function *function = nir_function_create(shader, "main");
    function->is_entrypoint = true;
    nir_builder b = nir_builder_create(nir_function_impl_create(function));
    b.cursor = nir_after_cf_list(&b.impl->body);
    return b;
}

void nir_builder_instr_insert(nir_builder *b, nir_instr *instr)
{
    if (b->impl)
        nir_instr_insert_in(b->impl, b->cursor, instr);
    else
        nir_instr_insert(b->cursor, instr);
    b->cursor = nir_after_instr(instr);
}

void nir_builder_default_indices(nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    unsigned bit_size = info->has_dest   ? intr->def.bit_size
                        : info->num_srcs ? intr->src[0].ssa->bit_size
                                         : 32;
    if (nir_intrinsic_has_write_mask(intr) && nir_intrinsic_write_mask(intr) == 0)
        nir_intrinsic_set_write_mask(intr, BITFIELD_MASK(intr->num_components));
    if (nir_intrinsic_has_align_mul(intr) && nir_intrinsic_align_mul(intr) == 0)
        nir_intrinsic_set_align(intr, MAX2(bit_size / 8, 1), 0);
    if (nir_intrinsic_has_range(intr) && nir_intrinsic_range(intr) == 0)
        nir_intrinsic_set_range(intr, ~0u);
}

/* --- ALU --- */

/* Inserts alu, whose sources are set, after initializing its result. */
static nir_def *insert_alu(nir_builder *b, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    unsigned num_components = info->output_size;
    unsigned bit_size = nir_alu_type_get_type_size(info->output_type);

    for (unsigned i = 0; i < info->num_inputs; i++) {
        nir_def *src = alu->src[i].src.ssa;
        if (info->input_sizes[i] == 0) {
            if (num_components == 0)
                num_components = src->num_components;
            assert(info->output_size || num_components == src->num_components);
        } else {
            assert(src->num_components >= info->input_sizes[i]);
        }
        if (nir_alu_type_get_type_size(info->input_types[i]) == 0) {
            if (bit_size == 0)
                bit_size = src->bit_size;
            assert(nir_alu_type_get_type_size(info->output_type) || bit_size == src->bit_size);
        } else {
            assert(nir_alu_type_get_type_size(info->input_types[i]) == src->bit_size);
        }
    }
    alu->exact = b->exact;
    nir_def_init(&alu->instr, &alu->def, num_components, bit_size);
    nir_builder_instr_insert(b, &alu->instr);
    return &alu->def;
}

nir_def *nir_build_alu(nir_builder *b, nir_op op, nir_def **srcs)
{
    nir_alu_instr *alu = nir_alu_instr_create(b->shader, op);
    for (unsigned i = 0; i < nir_op_infos[op].num_inputs; i++)
        alu->src[i].src = nir_src_for_ssa(srcs[i]);
    return insert_alu(b, alu);
}

/* --- Constants --- */

nir_def *nir_build_imm(nir_builder *b, unsigned num_components, unsigned bit_size,
                       const nir_const_value *value)
{
    nir_load_const_instr *load = nir_load_const_instr_create(b->shader, num_components, bit_size);
    memcpy(load->value, value, num_components * sizeof *value);
    nir_builder_instr_insert(b, &load->instr);
    return &load->def;
}

nir_def *nir_imm_floatN_t(nir_builder *b, double x, unsigned bit_size)
{
    nir_const_value v = nir_const_value_for_float(x, bit_size);
    return nir_build_imm(b, 1, bit_size, &v);
}

nir_def *nir_imm_intN_t(nir_builder *b, int64_t x, unsigned bit_size)
{
    nir_const_value v = nir_const_value_for_int(x, bit_size);
    return nir_build_imm(b, 1, bit_size, &v);
}

nir_def *nir_imm_zero(nir_builder *b, unsigned num_components, unsigned bit_size)
{
    nir_const_value v[NIR_MAX_VEC_COMPONENTS] = {0};
    return nir_build_imm(b, num_components, bit_size, v);
}

static nir_def *imm_floats(nir_builder *b, const float *x, unsigned n)
{
    nir_const_value v[NIR_MAX_VEC_COMPONENTS];
    for (unsigned i = 0; i < n; i++)
        v[i] = nir_const_value_for_float(x[i], 32);
    return nir_build_imm(b, n, 32, v);
}

static nir_def *imm_ints(nir_builder *b, const int *x, unsigned n)
{
    nir_const_value v[NIR_MAX_VEC_COMPONENTS];
    for (unsigned i = 0; i < n; i++)
        v[i] = nir_const_value_for_int(x[i], 32);
    return nir_build_imm(b, n, 32, v);
}

nir_def *nir_imm_vec2(nir_builder *b, float x, float y)
{
    return imm_floats(b, (float[]){x, y}, 2);
}

nir_def *nir_imm_vec3(nir_builder *b, float x, float y, float z)
{
    return imm_floats(b, (float[]){x, y, z}, 3);
}

nir_def *nir_imm_vec4(nir_builder *b, float x, float y, float z, float w)
{
    return imm_floats(b, (float[]){x, y, z, w}, 4);
}

nir_def *nir_imm_ivec2(nir_builder *b, int x, int y)
{
    return imm_ints(b, (int[]){x, y}, 2);
}

nir_def *nir_imm_ivec3(nir_builder *b, int x, int y, int z)
{
    return imm_ints(b, (int[]){x, y, z}, 3);
}

nir_def *nir_imm_ivec4(nir_builder *b, int x, int y, int z, int w)
{
    return imm_ints(b, (int[]){x, y, z, w}, 4);
}

nir_def *nir_undef(nir_builder *b, unsigned num_components, unsigned bit_size)
{
    nir_undef_instr *undef = nir_undef_instr_create(b->shader, num_components, bit_size);
    nir_builder_instr_insert(b, &undef->instr);
    return &undef->def;
}

/* --- Moves and swizzles --- */

nir_def *nir_mov(nir_builder *b, nir_def *src)
{
    return nir_build_alu(b, nir_op_mov, &src);
}

nir_def *nir_swizzle(nir_builder *b, nir_def *src, const unsigned *swizzle, unsigned num_components)
{
    bool identity = num_components == src->num_components;
    for (unsigned i = 0; i < num_components; i++)
        identity &= swizzle[i] == i;
    if (identity)
        return src;

    nir_alu_instr *alu = nir_alu_instr_create(b->shader, nir_op_mov);
    alu->src[0].src = nir_src_for_ssa(src);
    for (unsigned i = 0; i < num_components; i++) {
        assert(swizzle[i] < src->num_components);
        nir_alu_src_set_comp(&alu->src[0], i, swizzle[i]);
    }
    alu->exact = b->exact;
    nir_def_init(&alu->instr, &alu->def, num_components, src->bit_size);
    nir_builder_instr_insert(b, &alu->instr);
    return &alu->def;
}

nir_def *nir_channel(nir_builder *b, nir_def *def, unsigned c)
{
    return nir_swizzle(b, def, &c, 1);
}

nir_def *nir_channels(nir_builder *b, nir_def *def, nir_component_mask_t mask)
{
    unsigned swizzle[NIR_MAX_VEC_COMPONENTS], n = 0;
    for (unsigned c = 0; c < def->num_components; c++) {
        if (mask & (1u << c))
            NEXT_OF(swizzle, n) = c;
    }
    return nir_swizzle(b, def, swizzle, n);
}

nir_scalar nir_get_scalar(nir_def *def, unsigned c)
{
    return (nir_scalar){def, c};
}

nir_def *nir_vec_scalars(nir_builder *b, const nir_scalar *comps, unsigned num_components)
{
    nir_alu_instr *alu = nir_alu_instr_create(b->shader, nir_op_vec(num_components));
    for (unsigned i = 0; i < num_components; i++) {
        alu->src[i].src = nir_src_for_ssa(comps[i].def);
        nir_alu_src_set_comp(&alu->src[i], 0, comps[i].comp);
    }
    alu->exact = b->exact;
    nir_def_init(&alu->instr, &alu->def, num_components, comps[0].def->bit_size);
    nir_builder_instr_insert(b, &alu->instr);
    return &alu->def;
}

nir_def *nir_vec(nir_builder *b, nir_def **comps, unsigned num_components)
{
    nir_scalar scalars[NIR_MAX_VEC_COMPONENTS];
    if (num_components == 1)
        return comps[0];
    for (unsigned i = 0; i < num_components; i++)
        scalars[i] = nir_get_scalar(comps[i], 0);
    return nir_vec_scalars(b, scalars, num_components);
}

nir_def *nir_alu_src_def(nir_builder *b, const nir_alu_instr *alu, unsigned src)
{
    unsigned swizzle[NIR_MAX_VEC_COMPONENTS], n = nir_ssa_alu_instr_src_components(alu, src);
    for (unsigned c = 0; c < n; c++)
        swizzle[c] = nir_alu_src_comp(&alu->src[src], c);
    return nir_swizzle(b, alu->src[src].src.ssa, swizzle, n);
}

nir_def *nir_vec_broadcast(nir_builder *b, nir_def *scalar, unsigned num_components)
{
    const unsigned zeros[NIR_MAX_VEC_COMPONENTS] = {0};
    return nir_swizzle(b, scalar, zeros, num_components);
}

nir_def *nir_trim_vector(nir_builder *b, nir_def *src, unsigned num_components)
{
    return nir_channels(b, src, BITFIELD_MASK(num_components));
}

nir_def *nir_vector_insert_imm(nir_builder *b, nir_def *vec, nir_def *scalar, unsigned c)
{
    nir_scalar comps[NIR_MAX_VEC_COMPONENTS];
    if (c >= vec->num_components)
        return vec;
    if (vec->num_components == 1)
        return scalar;
    for (unsigned i = 0; i < vec->num_components; i++)
        comps[i] = i == c ? nir_get_scalar(scalar, 0) : nir_get_scalar(vec, i);
    return nir_vec_scalars(b, comps, vec->num_components);
}

nir_def *nir_vector_insert(nir_builder *b, nir_def *vec, nir_def *scalar, nir_def *c)
{
    nir_def *comps[NIR_MAX_VEC_COMPONENTS];
    if (nir_src_is_const(nir_src_for_ssa(c)))
        return nir_vector_insert_imm(b, vec, scalar, nir_src_as_uint(nir_src_for_ssa(c)));
    for (unsigned i = 0; i < vec->num_components; i++)
        comps[i] = nir_bcsel(b, nir_ieq_imm(b, c, i), scalar, nir_channel(b, vec, i));
    return nir_vec(b, comps, vec->num_components);
}

nir_def *nir_vector_extract(nir_builder *b, nir_def *vec, nir_def *c)
{
    if (nir_src_is_const(nir_src_for_ssa(c))) {
        uint64_t i = nir_src_as_uint(nir_src_for_ssa(c));
        return nir_channel(b, vec, MIN2(i, vec->num_components - 1u));
    }
    nir_def *result = nir_channel(b, vec, vec->num_components - 1);
    for (int i = vec->num_components - 2; i >= 0; i--)
        result = nir_bcsel(b, nir_ieq_imm(b, c, i), nir_channel(b, vec, i), result);
    return result;
}

/* --- Operations with an immediate --- */

static nir_def *int_like(nir_builder *b, nir_def *x, uint64_t y)
{
    nir_def *imm = nir_imm_intN_t(b, y, x->bit_size);
    return nir_vec_broadcast(b, imm, x->num_components);
}

static nir_def *float_like(nir_builder *b, nir_def *x, double y)
{
    nir_def *imm = nir_imm_floatN_t(b, y, x->bit_size);
    return nir_vec_broadcast(b, imm, x->num_components);
}

static nir_def *shift_like(nir_builder *b, nir_def *x, unsigned y)
{
    return nir_vec_broadcast(b, nir_imm_int(b, y), x->num_components);
}

nir_def *nir_iadd_imm(nir_builder *b, nir_def *x, uint64_t y)
{
    return y ? nir_iadd(b, x, int_like(b, x, y)) : x;
}

nir_def *nir_isub_imm(nir_builder *b, uint64_t y, nir_def *x)
{
    return nir_isub(b, int_like(b, x, y), x);
}

nir_def *nir_imul_imm(nir_builder *b, nir_def *x, uint64_t y)
{
    if (y == 1)
        return x;
    if (y == 0)
        return nir_imm_zero(b, x->num_components, x->bit_size);
    if (util_is_power_of_two(y) && __builtin_ctzll(y) < x->bit_size)
        return nir_ishl_imm(b, x, __builtin_ctzll(y));
    return nir_imul(b, x, int_like(b, x, y));
}

nir_def *nir_udiv_imm(nir_builder *b, nir_def *x, uint64_t y)
{
    if (util_is_power_of_two(y))
        return nir_ushr_imm(b, x, __builtin_ctzll(y));
    return nir_udiv(b, x, int_like(b, x, y));
}

nir_def *nir_umod_imm(nir_builder *b, nir_def *x, uint64_t y)
{
    if (util_is_power_of_two(y))
        return nir_iand_imm(b, x, y - 1);
    return nir_umod(b, x, int_like(b, x, y));
}

nir_def *nir_iand_imm(nir_builder *b, nir_def *x, uint64_t y)
{
    return nir_iand(b, x, int_like(b, x, y));
}

nir_def *nir_ior_imm(nir_builder *b, nir_def *x, uint64_t y)
{
    return nir_ior(b, x, int_like(b, x, y));
}

nir_def *nir_ixor_imm(nir_builder *b, nir_def *x, uint64_t y)
{
    return nir_ixor(b, x, int_like(b, x, y));
}

nir_def *nir_ishl_imm(nir_builder *b, nir_def *x, unsigned y)
{
    return y ? nir_ishl(b, x, shift_like(b, x, y)) : x;
}

nir_def *nir_ishr_imm(nir_builder *b, nir_def *x, unsigned y)
{
    return y ? nir_ishr(b, x, shift_like(b, x, y)) : x;
}

nir_def *nir_ushr_imm(nir_builder *b, nir_def *x, unsigned y)
{
    return y ? nir_ushr(b, x, shift_like(b, x, y)) : x;
}

#define IMM(name, op, type, like)                                                                  \
    nir_def *name(nir_builder *b, nir_def *x, type y)                                              \
    {                                                                                              \
        return op(b, x, like(b, x, y));                                                            \
    }

IMM(nir_imin_imm, nir_imin, int64_t, int_like)
IMM(nir_imax_imm, nir_imax, int64_t, int_like)
IMM(nir_umin_imm, nir_umin, uint64_t, int_like)
IMM(nir_ieq_imm, nir_ieq, uint64_t, int_like)
IMM(nir_ine_imm, nir_ine, uint64_t, int_like)
IMM(nir_ilt_imm, nir_ilt, int64_t, int_like)
IMM(nir_ige_imm, nir_ige, int64_t, int_like)
IMM(nir_ult_imm, nir_ult, uint64_t, int_like)
IMM(nir_uge_imm, nir_uge, uint64_t, int_like)
IMM(nir_fadd_imm, nir_fadd, double, float_like)
IMM(nir_fmul_imm, nir_fmul, double, float_like)
IMM(nir_fdiv_imm, nir_fdiv, double, float_like)
IMM(nir_fmin_imm, nir_fmin, double, float_like)
IMM(nir_fmax_imm, nir_fmax, double, float_like)
IMM(nir_flt_imm, nir_flt, double, float_like)
IMM(nir_fge_imm, nir_fge, double, float_like)
IMM(nir_feq_imm, nir_feq, double, float_like)

nir_def *nir_fsub_imm(nir_builder *b, double y, nir_def *x)
{
    return nir_fsub(b, float_like(b, x, y), x);
}

/* --- Conversions and reductions --- */

nir_def *nir_type_convert(nir_builder *b, nir_def *src, nir_alu_type src_type,
                          nir_alu_type dest_type)
{
    nir_alu_type src_base = nir_alu_type_get_base_type(src_type);
    if (nir_alu_type_get_base_type(dest_type) == nir_type_bool && src_base != nir_type_bool)
        return src_base == nir_type_float ? nir_f2b(b, src) : nir_i2b(b, src);
    nir_op op = nir_type_conversion_op(src_base | src->bit_size, dest_type);
    return op == nir_op_mov ? src : nir_build_alu(b, op, &src);
}

nir_def *nir_f2fN(nir_builder *b, nir_def *src, unsigned bit_size)
{
    return nir_type_convert(b, src, nir_type_float, nir_type_float | bit_size);
}

nir_def *nir_i2iN(nir_builder *b, nir_def *src, unsigned bit_size)
{
    return nir_type_convert(b, src, nir_type_int, nir_type_int | bit_size);
}

nir_def *nir_u2uN(nir_builder *b, nir_def *src, unsigned bit_size)
{
    return nir_type_convert(b, src, nir_type_uint, nir_type_uint | bit_size);
}

nir_def *nir_b2iN(nir_builder *b, nir_def *src, unsigned bit_size)
{
    return nir_type_convert(b, src, nir_type_bool, nir_type_int | bit_size);
}

nir_def *nir_b2fN(nir_builder *b, nir_def *src, unsigned bit_size)
{
    return nir_type_convert(b, src, nir_type_bool, nir_type_float | bit_size);
}

nir_def *nir_i2b(nir_builder *b, nir_def *src)
{
    return src->bit_size == 1 ? src : nir_ine_imm(b, src, 0);
}

nir_def *nir_f2b(nir_builder *b, nir_def *src)
{
    return nir_fneu(b, src, float_like(b, src, 0.0));
}

nir_def *nir_fdot(nir_builder *b, nir_def *x, nir_def *y)
{
    switch (x->num_components) {
    case 1:
        return nir_fmul(b, x, y);
    case 2:
        return nir_fdot2(b, x, y);
    case 3:
        return nir_fdot3(b, x, y);
    case 4:
        return nir_fdot4(b, x, y);
    default:
        UNREACHABLE("no dot product of so many components");
    }
}

nir_def *nir_ball(nir_builder *b, nir_def *x)
{
    nir_def *all = nir_channel(b, x, 0);
    for (unsigned i = 1; i < x->num_components; i++)
        all = nir_iand(b, all, nir_channel(b, x, i));
    return all;
}

nir_def *nir_bany(nir_builder *b, nir_def *x)
{
    nir_def *any = nir_channel(b, x, 0);
    for (unsigned i = 1; i < x->num_components; i++)
        any = nir_ior(b, any, nir_channel(b, x, i));
    return any;
}

nir_def *nir_ball_fequal(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_ball(b, nir_feq(b, x, y));
}

nir_def *nir_ball_iequal(nir_builder *b, nir_def *x, nir_def *y)
{
    return nir_ball(b, nir_ieq(b, x, y));
}

nir_def *nir_fclamp(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi)
{
    return nir_fmin(b, nir_fmax(b, x, lo), hi);
}

nir_def *nir_iclamp(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi)
{
    return nir_imin(b, nir_imax(b, x, lo), hi);
}

nir_def *nir_uclamp(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi)
{
    return nir_umin(b, nir_umax(b, x, lo), hi);
}

nir_def *nir_select(nir_builder *b, nir_def *cond, nir_def *x, nir_def *y)
{
    if (cond->num_components == 1)
        cond = nir_vec_broadcast(b, cond, x->num_components);
    return nir_bcsel(b, cond, x, y);
}

/* --- Variables --- */

static nir_deref_instr *deref_new(nir_builder *b, nir_deref_type type, nir_deref_instr *parent,
                                  const struct glsl_type *glsl)
{
    nir_deref_instr *deref = nir_deref_instr_create(b->shader, type);
    deref->type = glsl;
    deref->modes = parent->modes;
    deref->parent = nir_src_for_ssa(&parent->def);
    nir_def_init(&deref->instr, &deref->def, 1, parent->def.bit_size);
    return deref;
}

nir_deref_instr *nir_build_deref_var(nir_builder *b, nir_variable *var)
{
    nir_deref_instr *deref = nir_deref_instr_create(b->shader, nir_deref_type_var);
    deref->type = var->type;
    deref->modes = var->data.mode;
    deref->var = var;
    nir_def_init(&deref->instr, &deref->def, 1, 32);
    nir_builder_instr_insert(b, &deref->instr);
    return deref;
}

nir_deref_instr *nir_build_deref_array(nir_builder *b, nir_deref_instr *parent, nir_def *index)
{
    nir_deref_instr *deref =
        deref_new(b, nir_deref_type_array, parent, glsl_element_of(parent->type));
    deref->arr.index = nir_src_for_ssa(index);
    nir_builder_instr_insert(b, &deref->instr);
    return deref;
}

nir_deref_instr *nir_build_deref_array_imm(nir_builder *b, nir_deref_instr *parent, int64_t index)
{
    return nir_build_deref_array(b, parent, nir_imm_intN_t(b, index, 32));
}

nir_deref_instr *nir_build_deref_array_wildcard(nir_builder *b, nir_deref_instr *parent)
{
    nir_deref_instr *deref =
        deref_new(b, nir_deref_type_array_wildcard, parent, glsl_element_of(parent->type));
    nir_builder_instr_insert(b, &deref->instr);
    return deref;
}

nir_deref_instr *nir_build_deref_struct(nir_builder *b, nir_deref_instr *parent, unsigned field)
{
    nir_deref_instr *deref =
        deref_new(b, nir_deref_type_struct, parent, parent->type->fields[field].type);
    deref->strct.index = field;
    nir_builder_instr_insert(b, &deref->instr);
    return deref;
}

nir_deref_instr *nir_build_deref_cast(nir_builder *b, nir_def *address, nir_variable_mode modes,
                                      const struct glsl_type *type)
{
    nir_deref_instr *deref = nir_deref_instr_create(b->shader, nir_deref_type_cast);
    deref->type = type;
    deref->modes = modes;
    deref->parent = nir_src_for_ssa(address);
    nir_def_init(&deref->instr, &deref->def, 1, address->bit_size);
    nir_builder_instr_insert(b, &deref->instr);
    return deref;
}

nir_deref_instr *nir_build_deref_follower(nir_builder *b, nir_deref_instr *parent,
                                          nir_deref_instr *leader)
{
    switch (leader->deref_type) {
    case nir_deref_type_array:
        return nir_build_deref_array(b, parent, leader->arr.index.ssa);
    case nir_deref_type_array_wildcard:
        return nir_build_deref_array_wildcard(b, parent);
    case nir_deref_type_struct:
        return nir_build_deref_struct(b, parent, leader->strct.index);
    default:
        UNREACHABLE("this deref has no parent of a type");
    }
}

nir_def *nir_load_deref_with_access(nir_builder *b, nir_deref_instr *deref, unsigned access)
{
    nir_intrinsic_instr *load = nir_intrinsic_instr_create(b->shader, nir_intrinsic_load_deref);
    load->num_components = deref->type->vector_elements;
    load->src[0] = nir_src_for_ssa(&deref->def);
    nir_intrinsic_set_access(load, access);
    nir_def_init(&load->instr, &load->def, load->num_components, glsl_bit_size(deref->type));
    nir_builder_instr_insert(b, &load->instr);
    return &load->def;
}

void nir_store_deref_with_access(nir_builder *b, nir_deref_instr *deref, nir_def *value,
                                 unsigned write_mask, unsigned access)
{
    nir_intrinsic_instr *store = nir_intrinsic_instr_create(b->shader, nir_intrinsic_store_deref);
    store->num_components = value->num_components;
    store->src[0] = nir_src_for_ssa(&deref->def);
    store->src[1] = nir_src_for_ssa(value);
    write_mask &= BITFIELD_MASK(value->num_components);
    nir_intrinsic_set_write_mask(store, write_mask);
    nir_intrinsic_set_access(store, access);
    nir_builder_instr_insert(b, &store->instr);
}

void nir_copy_deref(nir_builder *b, nir_deref_instr *dest, nir_deref_instr *src)
{
    nir_intrinsic_instr *copy = nir_intrinsic_instr_create(b->shader, nir_intrinsic_copy_deref);
    copy->src[0] = nir_src_for_ssa(&dest->def);
    copy->src[1] = nir_src_for_ssa(&src->def);
    nir_builder_instr_insert(b, &copy->instr);
}

/* --- Control flow --- */

static nir_cf_node *innermost(nir_builder *b, nir_cf_node_type type)
{
    nir_cf_node *node = nir_cursor_current_block(b->cursor)->cf_node.parent;
    assert(node->type == type);
    (void)type;
    return node;
}

nir_if *nir_push_if(nir_builder *b, nir_def *condition)
{
    nir_if *nif = nir_if_create(b->shader);
    nif->condition = nir_src_for_ssa(condition);
    nir_cf_node_insert(b->cursor, &nif->cf_node);
    b->cursor = nir_before_cf_list(&nif->then_list);
    return nif;
}

nir_if *nir_push_else(nir_builder *b, nir_if *nif)
{
    if (!nif)
        nif = nir_cf_node_as_if(innermost(b, nir_cf_node_if));
    b->cursor = nir_before_cf_list(&nif->else_list);
    return nif;
}

void nir_pop_if(nir_builder *b, nir_if *nif)
{
    if (!nif)
        nif = nir_cf_node_as_if(innermost(b, nir_cf_node_if));
    b->cursor = nir_after_cf_node(&nif->cf_node);
}

nir_def *nir_if_phi(nir_builder *b, nir_def *then_def, nir_def *else_def)
{
    nir_block *block = nir_cursor_current_block(b->cursor);
    nir_if *nif = nir_cf_node_as_if(nir_cf_node_prev(&block->cf_node));
    nir_phi_instr *phi = nir_phi_instr_create(b->shader);
    /* A branch that ends in a jump doesn't reach the phi. */
    if (!nir_block_ends_in_jump(nir_if_last_then_block(nif)))
        nir_phi_instr_add_src(phi, nir_if_last_then_block(nif), then_def);
    if (!nir_block_ends_in_jump(nir_if_last_else_block(nif)))
        nir_phi_instr_add_src(phi, nir_if_last_else_block(nif), else_def);
    nir_def_init(&phi->instr, &phi->def, then_def->num_components, then_def->bit_size);
    nir_instr_insert(nir_before_block(block), &phi->instr);
    b->cursor = nir_after_phis(block);
    return &phi->def;
}

nir_loop *nir_push_loop(nir_builder *b)
{
    nir_loop *loop = nir_loop_create(b->shader);
    nir_cf_node_insert(b->cursor, &loop->cf_node);
    b->cursor = nir_before_cf_list(&loop->body);
    return loop;
}

void nir_pop_loop(nir_builder *b, nir_loop *loop)
{
    if (!loop)
        loop = nir_cf_node_as_loop(innermost(b, nir_cf_node_loop));
    b->cursor = nir_after_cf_node(&loop->cf_node);
}

void nir_jump(nir_builder *b, nir_jump_type type)
{
    nir_builder_instr_insert(b, &nir_jump_instr_create(b->shader, type)->instr);
}

void nir_break_if(nir_builder *b, nir_def *condition)
{
    nir_if *nif = nir_push_if(b, condition);
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, nif);
}

/* Arrays of at most this many bytes are cleared without a loop, so that they can become SSA
 * values. */
#define MAX_INLINE_ZEROS 512
/* Larger arrays are cleared by data.zero_first instead. Shaders touch few of their elements, and an
 * array may be larger than the machine's memory. */
#define MAX_ZEROS (512 << 10)

/* Stores 0 to all elements of an array or matrix with a loop. */
static void store_zero_loop(nir_builder *b, nir_deref_instr *deref)
{
    nir_variable *var = nir_local_variable_create(b->impl, glsl_uint_type(), "element");
    nir_store_var(b, var, nir_imm_int(b, 0), 1);
    nir_loop *loop = nir_push_loop(b);
    nir_def *i = nir_load_var(b, var);
    nir_push_if(b, nir_uge(b, i, nir_imm_int(b, (int)glsl_length_of(deref->type))));
    nir_jump(b, nir_jump_break);
    nir_pop_if(b, NULL);
    nir_store_zero(b, nir_build_deref_array(b, deref, i));
    nir_store_var(b, var, nir_iadd_imm(b, i, 1), 1);
    nir_pop_loop(b, loop);
}

void nir_store_zero(nir_builder *b, nir_deref_instr *deref)
{
    const struct glsl_type *type = deref->type;
    if (glsl_type_is_vector_or_scalar(type)) {
        nir_store_deref(b, deref, nir_imm_zero(b, type->vector_elements, glsl_bit_size(type)), ~0u);
    } else if (glsl_type_is_struct_or_ifc(type)) {
        for (unsigned i = 0; i < type->length; i++)
            nir_store_zero(b, nir_build_deref_struct(b, deref, i));
    } else if (glsl_type_is_array(type) && glsl_packed_size(type) > MAX_INLINE_ZEROS) {
        if (glsl_packed_size(type) <= MAX_ZEROS)
            store_zero_loop(b, deref);
        else if (nir_deref_instr_get_variable(deref))
            nir_deref_instr_get_variable(deref)->data.zero_first = true;
    } else if (glsl_type_is_array(type) || glsl_type_is_matrix(type)) {
        for (unsigned i = 0; i < glsl_length_of(type); i++)
            nir_store_zero(b, nir_build_deref_array_imm(b, deref, i));
    }
}
