/* SPDX-License-Identifier: MIT */
/* Conditions on variables in algebraic rules; a rule writes 'a(is_byte)'. Each function returns
 * true if all components that the rule reads, swizzle[0] to swizzle[n - 1] of def, are known to
 * satisfy the condition. */
#ifndef NIR_SEARCH_HELPERS_H
#define NIR_SEARCH_HELPERS_H

#include "nir.h"
#include "nir_range_analysis.h"

/* Returns the components of a constant, or NULL if def is not constant. */
static inline const nir_const_value *const_values(const nir_def *def)
{
    if (def->parent_instr->type != nir_instr_type_load_const)
        return NULL;
    return nir_instr_as_load_const(def->parent_instr)->value;
}

/* Constant powers of two as signed integers, 1 or more. */
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

/* Constant powers of two as unsigned integers. */
static inline bool is_unsigned_power_of_two(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    const nir_const_value *v = const_values(def);
    for (unsigned i = 0; v && i < n; i++) {
        if (!util_is_power_of_two(nir_const_value_as_uint(v[swizzle[i]], def->bit_size)))
            return false;
    }
    return v != NULL;
}

/* Unsigned integers of at most 255. */
static inline bool is_byte(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (nir_unsigned_upper_bound((nir_def *)def, swizzle[i]) > 255)
            return false;
    }
    return true;
}

/* Constant floats whose absolute value is a power of two, and whose reciprocal is exact because
 * both are normal numbers. */
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

/* Returns true if all nir_float_facts in the mask `facts` are known to hold for every component. */
static inline bool all_components_are(const nir_def *def, const uint8_t *swizzle, unsigned n,
                                      unsigned facts)
{
    for (unsigned i = 0; i < n; i++) {
        if ((nir_analyze_float((nir_def *)def, swizzle[i]) & facts) != facts)
            return false;
    }
    return true;
}

/* Floats that are an integer, infinite or NaN. */
static inline bool is_integral(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return all_components_are(def, swizzle, n, NIR_FLOAT_INTEGRAL);
}

/* Floats that are finite numbers. */
static inline bool is_finite(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return all_components_are(def, swizzle, n, NIR_FLOAT_NUMBER | NIR_FLOAT_FINITE);
}

/* Finite integers. */
static inline bool is_finite_integral(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return all_components_are(def, swizzle, n,
                              NIR_FLOAT_NUMBER | NIR_FLOAT_FINITE | NIR_FLOAT_INTEGRAL);
}

/* Floats that are NaN or have a clear sign bit. */
static inline bool is_not_negative(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return all_components_are(def, swizzle, n, NIR_FLOAT_NOT_NEGATIVE);
}

/* Floats that are not NaN. */
static inline bool is_a_number(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return all_components_are(def, swizzle, n, NIR_FLOAT_NUMBER);
}

/* Floats that are not NaN and have a clear sign bit. */
static inline bool is_number_not_negative(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return all_components_are(def, swizzle, n, NIR_FLOAT_NUMBER | NIR_FLOAT_NOT_NEGATIVE);
}

/* Floats from +0 to 1. */
static inline bool is_unit_interval(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return all_components_are(def, swizzle, n,
                              NIR_FLOAT_NUMBER | NIR_FLOAT_NOT_NEGATIVE | NIR_FLOAT_AT_MOST_ONE);
}

/* Constant floats that are not NaN. */
static inline bool is_number_constant(const nir_def *def, const uint8_t *swizzle, unsigned n)
{
    return const_values(def) && all_components_are(def, swizzle, n, NIR_FLOAT_NUMBER);
}

#endif
