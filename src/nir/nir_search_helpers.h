/* SPDX-License-Identifier: MIT */
/* Conditions on variables of algebraic rules: 'a(is_not_const)'. */
#ifndef NIR_SEARCH_HELPERS_H
#define NIR_SEARCH_HELPERS_H

#include "nir.h"

static inline const nir_const_value *const_values(const nir_def *def)
{
    if (def->parent_instr->type != nir_instr_type_load_const)
        return NULL;
    return nir_instr_as_load_const(def->parent_instr)->value;
}

static inline bool is_not_const(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return !const_values(def);
}

static inline bool is_pos_power_of_two(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    const nir_const_value *v = const_values(def);
    for (unsigned i = 0; v && i < n; i++) {
        int64_t x = nir_const_value_as_int(v[swizzle[i]], def->bit_size);
        if (x <= 0 || !util_is_power_of_two(x))
            return false;
    }
    return v != NULL;
}

static inline bool is_unsigned_power_of_two(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    const nir_const_value *v = const_values(def);
    for (unsigned i = 0; v && i < n; i++) {
        if (!util_is_power_of_two(nir_const_value_as_uint(v[swizzle[i]], def->bit_size)))
            return false;
    }
    return v != NULL;
}

static inline bool is_nonzero(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    const nir_const_value *v = const_values(def);
    for (unsigned i = 0; v && i < n; i++) {
        if (nir_const_value_as_uint(v[swizzle[i]], def->bit_size) == 0)
            return false;
    }
    return v != NULL;
}

/* Floats whose reciprocal is exact: powers of two that are normal, and so is the reciprocal. */
static inline bool is_float_power_of_two(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    const nir_const_value *v = const_values(def);
    for (unsigned i = 0; v && i < n; i++) {
        double x = nir_const_value_as_float(v[swizzle[i]], def->bit_size);
        int limit = def->bit_size == 64 ? 1021 : def->bit_size == 32 ? 125 : 13;
        int exponent;
        if (__builtin_fabs(__builtin_frexp(x, &exponent)) != 0.5 || exponent > limit ||
            exponent < -limit)
            return false;
    }
    return v != NULL;
}

static inline nir_alu_instr *producer(const nir_def *def)
{
    if (def->parent_instr->type != nir_instr_type_alu)
        return NULL;
    return nir_instr_as_alu(def->parent_instr);
}

/* An integral value, as rounding gives it. */
static inline bool is_integral(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    nir_alu_instr *alu = producer(def);
    if (!alu)
        return false;
    switch (alu->op) {
    case nir_op_ffloor:
    case nir_op_fceil:
    case nir_op_ftrunc:
    case nir_op_fround_even:
    case nir_op_fsign:
    case nir_op_b2f16:
    case nir_op_b2f32:
    case nir_op_b2f64:
    case nir_op_i2f32:
    case nir_op_u2f32:
    case nir_op_i2f64:
    case nir_op_u2f64:
        return true;
    default:
        return false;
    }
}

#endif
