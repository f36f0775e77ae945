/* SPDX-License-Identifier: MIT */
/*
 * Builder: inserts instructions at a cursor and moves the cursor after each one.
 *
 * nir_builder_opcodes.h is generated. It has a function for every opcode with up to four sources,
 * such as nir_fadd(b, x, y), and for every intrinsic, such as nir_load_input(b, num_components,
 * bit_size, srcs …, .base = 1, …). They return the result; functions of intrinsics without a result
 * return the instruction. The per-component sources of an ALU instruction must have the same number
 * of components, which is also that of the result; use nir_vec_broadcast to widen a scalar.
 * Functions of intrinsics have the parameters num_components and bit_size only if nir_intrinsics.py
 * doesn't fix them. Indices that are not given are 0. A write_mask of 0 means all components of the
 * value, an align_mul of 0 the size of one component, and a range of 0 an unknown range.
 */
#ifndef NIR_BUILDER_H
#define NIR_BUILDER_H

#include <stdarg.h>

#include "nir.h"

/* Where to insert, and properties of new instructions. */
struct nir_builder {
    nir_cursor cursor;
    bool exact; /* value of nir_alu_instr.exact for new instructions */
    nir_shader *shader;
    nir_function_impl *impl;
};

/* Returns a builder for the function, with an unset cursor. A builder needs no cleanup. */
nir_builder nir_builder_create(nir_function_impl *impl);
/* Returns a builder with that cursor, which must be in a function. */
nir_builder nir_builder_at(nir_cursor cursor);
/* Creates a shader under mem_ctx with an empty entrypoint "main" and sets the cursor into it. name:
 * printf format of info.name, or NULL. */
nir_builder nir_builder_init_simple_shader(void *mem_ctx, enum shader_stage stage,
                                           const nir_shader_compiler_options *options,
                                           const char *name, ...) PRINTFLIKE(4, 5);
/* Inserts the instruction at the cursor and moves the cursor after it. */
void nir_builder_instr_insert(nir_builder *b, nir_instr *instr);
/* Replaces a write_mask, align_mul or range of 0 by its default (see above). Called by generated
 * code. */
void nir_builder_default_indices(nir_intrinsic_instr *intr);

/* --- ALU --- */
/* Builds an ALU instruction. srcs has one value per source, read without a swizzle. */
nir_def *nir_build_alu(nir_builder *b, nir_op op, nir_def **srcs);
/* Returns the value of source number src of alu with its swizzle applied. */
nir_def *nir_alu_src_def(nir_builder *b, const nir_alu_instr *alu, unsigned src);

#include "nir_builder_opcodes.h"

/* --- Constants: 32 bits unless the name says otherwise or bit_size is given --- */
/* Returns a constant vector of num_components components, which are copied from value. */
nir_def *nir_build_imm(nir_builder *b, unsigned num_components, unsigned bit_size,
                       const nir_const_value *value);
/* Return a scalar. x is converted to bit_size as by nir_const_value_for_float or _for_int. */
nir_def *nir_imm_floatN_t(nir_builder *b, double x, unsigned bit_size);
nir_def *nir_imm_intN_t(nir_builder *b, int64_t x, unsigned bit_size);
/* Returns a vector of zeros. */
nir_def *nir_imm_zero(nir_builder *b, unsigned num_components, unsigned bit_size);
nir_def *nir_imm_vec2(nir_builder *b, float x, float y);
nir_def *nir_imm_vec3(nir_builder *b, float x, float y, float z);
nir_def *nir_imm_vec4(nir_builder *b, float x, float y, float z, float w);
nir_def *nir_imm_ivec2(nir_builder *b, int x, int y);
nir_def *nir_imm_ivec3(nir_builder *b, int x, int y, int z);
nir_def *nir_imm_ivec4(nir_builder *b, int x, int y, int z, int w);
/* Returns an undefined value. */
nir_def *nir_undef(nir_builder *b, unsigned num_components, unsigned bit_size);

static inline nir_def *nir_imm_float(nir_builder *b, float x)
{
    return nir_imm_floatN_t(b, x, 32);
}
static inline nir_def *nir_imm_double(nir_builder *b, double x)
{
    return nir_imm_floatN_t(b, x, 64);
}
static inline nir_def *nir_imm_int(nir_builder *b, int x)
{
    return nir_imm_intN_t(b, x, 32);
}
static inline nir_def *nir_imm_bool(nir_builder *b, bool x)
{
    return nir_imm_intN_t(b, x, 1);
}
static inline nir_def *nir_imm_true(nir_builder *b)
{
    return nir_imm_bool(b, true);
}
static inline nir_def *nir_imm_false(nir_builder *b)
{
    return nir_imm_bool(b, false);
}

/* --- Moves and swizzles --- */
nir_def *nir_mov(nir_builder *b, nir_def *src);
/* Returns a vector whose component i is component swizzle[i] of src. Returns src itself if the
 * swizzle changes nothing. */
nir_def *nir_swizzle(nir_builder *b, nir_def *src, const unsigned *swizzle,
                     unsigned num_components);
/* Returns component c. */
nir_def *nir_channel(nir_builder *b, nir_def *def, unsigned c);
/* Returns a vector of the components in the mask, in ascending order. */
nir_def *nir_channels(nir_builder *b, nir_def *def, nir_component_mask_t mask);
/* Build a vector of scalars, or of components of vectors. */
nir_def *nir_vec(nir_builder *b, nir_def **comps, unsigned num_components);
nir_def *nir_vec_scalars(nir_builder *b, const nir_scalar *comps, unsigned num_components);
/* Returns a vector whose components all equal the scalar. */
nir_def *nir_vec_broadcast(nir_builder *b, nir_def *scalar, unsigned num_components);
/* Returns the first num_components components. */
nir_def *nir_trim_vector(nir_builder *b, nir_def *src, unsigned num_components);
/* Return vec with component c replaced by scalar; unchanged if c is out of range. */
nir_def *nir_vector_insert_imm(nir_builder *b, nir_def *vec, nir_def *scalar, unsigned c);
nir_def *nir_vector_insert(nir_builder *b, nir_def *vec, nir_def *scalar, nir_def *c);
/* Returns component c, or any component if c is out of range. */
nir_def *nir_vector_extract(nir_builder *b, nir_def *vec, nir_def *c);
/* Returns a reference to component c; builds nothing. */
nir_scalar nir_get_scalar(nir_def *def, unsigned c);

/* --- Operations on x and a constant y, which is broadcast to the components of x. y has the bit
 * size of x; shift counts have 32 bits. A simpler operation may be built, or x returned, if the
 * value is the same: x * 8 becomes x << 3. --- */
nir_def *nir_iadd_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_isub_imm(nir_builder *b, uint64_t y, nir_def *x); /* y - x */
nir_def *nir_imul_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_udiv_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_umod_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_iand_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_ior_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_ixor_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_ishl_imm(nir_builder *b, nir_def *x, unsigned y);
nir_def *nir_ishr_imm(nir_builder *b, nir_def *x, unsigned y);
nir_def *nir_ushr_imm(nir_builder *b, nir_def *x, unsigned y);
nir_def *nir_imin_imm(nir_builder *b, nir_def *x, int64_t y);
nir_def *nir_imax_imm(nir_builder *b, nir_def *x, int64_t y);
nir_def *nir_umin_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_ieq_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_ine_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_ilt_imm(nir_builder *b, nir_def *x, int64_t y);
nir_def *nir_ige_imm(nir_builder *b, nir_def *x, int64_t y);
nir_def *nir_ult_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_uge_imm(nir_builder *b, nir_def *x, uint64_t y);
nir_def *nir_fadd_imm(nir_builder *b, nir_def *x, double y);
nir_def *nir_fsub_imm(nir_builder *b, double y, nir_def *x); /* y - x */
nir_def *nir_fmul_imm(nir_builder *b, nir_def *x, double y);
nir_def *nir_fdiv_imm(nir_builder *b, nir_def *x, double y);
nir_def *nir_fmin_imm(nir_builder *b, nir_def *x, double y);
nir_def *nir_fmax_imm(nir_builder *b, nir_def *x, double y);
nir_def *nir_flt_imm(nir_builder *b, nir_def *x, double y);
nir_def *nir_fge_imm(nir_builder *b, nir_def *x, double y);
nir_def *nir_feq_imm(nir_builder *b, nir_def *x, double y);

/* --- Conversions and reductions --- */
/* Converts src to dest_type, which must have a bit size. Only the base type of src_type is used. A
 * number converted to a boolean becomes a 1-bit boolean for any bit size of dest_type. Returns src
 * itself if no bit changes. */
nir_def *nir_type_convert(nir_builder *b, nir_def *src, nir_alu_type src_type,
                          nir_alu_type dest_type);
/* Convert between bit sizes (bit_size is that of the result) or between booleans and numbers. */
nir_def *nir_f2fN(nir_builder *b, nir_def *src, unsigned bit_size);
nir_def *nir_i2iN(nir_builder *b, nir_def *src, unsigned bit_size);
nir_def *nir_u2uN(nir_builder *b, nir_def *src, unsigned bit_size);
nir_def *nir_b2iN(nir_builder *b, nir_def *src, unsigned bit_size);
nir_def *nir_b2fN(nir_builder *b, nir_def *src, unsigned bit_size);
nir_def *nir_i2b(nir_builder *b, nir_def *src);
nir_def *nir_f2b(nir_builder *b, nir_def *src);
nir_def *nir_fdot(nir_builder *b, nir_def *x, nir_def *y); /* 1 to 4 components */
/* Return whether all components of x and y are equal. */
nir_def *nir_ball_fequal(nir_builder *b, nir_def *x, nir_def *y);
nir_def *nir_ball_iequal(nir_builder *b, nir_def *x, nir_def *y);
/* Return the OR (bany) or AND (ball) of the components of a boolean vector. */
nir_def *nir_bany(nir_builder *b, nir_def *x);
nir_def *nir_ball(nir_builder *b, nir_def *x);
/* Returns min(max(x, lo), hi). A NaN becomes lo. */
nir_def *nir_fclamp(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi);
/* Return x clamped to [lo, hi], as signed or unsigned integers. */
nir_def *nir_iclamp(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi);
nir_def *nir_uclamp(nir_builder *b, nir_def *x, nir_def *lo, nir_def *hi);
/* Returns bcsel(cond, x, y); a scalar cond is broadcast. */
nir_def *nir_select(nir_builder *b, nir_def *cond, nir_def *x, nir_def *y);

/* --- Variables --- */
/* Build a deref of a variable, or of a part of what `parent` refers to. The _array functions select
 * an element of an array, a column of a matrix or a component of a vector; `index` is a 32-bit
 * scalar. _array_wildcard selects all of them, for copies. _struct selects a field by its number.
 * _cast turns a 64-bit address into a deref of memory of that type and mode. */
nir_deref_instr *nir_build_deref_var(nir_builder *b, nir_variable *var);
nir_deref_instr *nir_build_deref_array(nir_builder *b, nir_deref_instr *parent, nir_def *index);
nir_deref_instr *nir_build_deref_array_imm(nir_builder *b, nir_deref_instr *parent, int64_t index);
nir_deref_instr *nir_build_deref_array_wildcard(nir_builder *b, nir_deref_instr *parent);
nir_deref_instr *nir_build_deref_struct(nir_builder *b, nir_deref_instr *parent, unsigned field);
nir_deref_instr *nir_build_deref_cast(nir_builder *b, nir_def *address, nir_variable_mode modes,
                                      const struct glsl_type *type);
/* Builds a deref of `parent` with the same last step (array index, wildcard or field) as leader. */
nir_deref_instr *nir_build_deref_follower(nir_builder *b, nir_deref_instr *parent,
                                          nir_deref_instr *leader);
/* Load or store the scalar or vector that deref refers to. Stores write the components in
 * write_mask. access: mask of enum gl_access_qualifier. */
nir_def *nir_load_deref_with_access(nir_builder *b, nir_deref_instr *deref, unsigned access);
void nir_store_deref_with_access(nir_builder *b, nir_deref_instr *deref, nir_def *value,
                                 unsigned write_mask, unsigned access);
/* Copies a value of any type; both types must be equal. */
void nir_copy_deref(nir_builder *b, nir_deref_instr *dest, nir_deref_instr *src);

static inline nir_def *nir_load_deref(nir_builder *b, nir_deref_instr *deref)
{
    return nir_load_deref_with_access(b, deref, 0);
}
static inline void nir_store_deref(nir_builder *b, nir_deref_instr *deref, nir_def *value,
                                   unsigned write_mask)
{
    nir_store_deref_with_access(b, deref, value, write_mask, 0);
}
static inline nir_def *nir_load_var(nir_builder *b, nir_variable *var)
{
    return nir_load_deref(b, nir_build_deref_var(b, var));
}
static inline void nir_store_var(nir_builder *b, nir_variable *var, nir_def *value,
                                 unsigned write_mask)
{
    nir_store_deref(b, nir_build_deref_var(b, var), value, write_mask);
}
static inline void nir_copy_var(nir_builder *b, nir_variable *dest, nir_variable *src)
{
    nir_copy_deref(b, nir_build_deref_var(b, dest), nir_build_deref_var(b, src));
}
/* Stores 0 to a variable or a part of one, of any type. Clears large arrays with a loop. Does
 * nothing to opaque members. For an array of more than 512 KiB, only sets data.zero_first of its
 * variable, because most of the elements are never touched. */
void nir_store_zero(nir_builder *b, nir_deref_instr *deref);

/* --- Control flow. Push functions build an if or loop, move the cursor into it and return it.
 * nir_push_else moves the cursor to the start of the else branch and returns the if. Pop functions
 * move the cursor after the if or loop. If nif or loop is NULL, they use the if or loop directly
 * around the cursor. --- */
nir_if *nir_push_if(nir_builder *b, nir_def *condition);
nir_if *nir_push_else(nir_builder *b, nir_if *nif);
void nir_pop_if(nir_builder *b, nir_if *nif);
/* Returns a phi of values from the then and else branches. Call it right after nir_pop_if. The
 * value of a branch that ends in a jump is ignored. */
nir_def *nir_if_phi(nir_builder *b, nir_def *then_def, nir_def *else_def);
nir_loop *nir_push_loop(nir_builder *b);
void nir_pop_loop(nir_builder *b, nir_loop *loop);
/* Builds a jump, which must be the last instruction of its block. */
void nir_jump(nir_builder *b, nir_jump_type type);
/* Leaves the innermost loop if the condition is true. */
void nir_break_if(nir_builder *b, nir_def *condition);

#endif
