/* SPDX-License-Identifier: MIT */
#include "nir_mod_analysis.h"

#define MAX_DEPTH 8

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns the absolute value of a constant. */
static uint64_t magnitude(nir_scalar s)
{
    int64_t value = nir_const_value_as_int(nir_scalar_as_const_value(s), s.def->bit_size);
    return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

static uint64_t factor(nir_scalar s, unsigned depth);

static uint64_t src_factor(const nir_alu_instr *alu, unsigned src, unsigned comp, unsigned depth)
{
    nir_scalar s =
        nir_scalar_resolved(alu->src[src].src.ssa, nir_alu_src_comp(&alu->src[src], comp));
    return factor(s, depth + 1);
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t result;
    return __builtin_mul_overflow(a, b, &result) ? 1 : result;
}

/* Factor of x << n. */
static uint64_t shifted(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
    nir_scalar count =
        nir_scalar_resolved(alu->src[1].src.ssa, nir_alu_src_comp(&alu->src[1], comp));
    uint64_t x = src_factor(alu, 0, comp, depth);
    if (!nir_scalar_is_const(count))
        return x;
    unsigned n = nir_scalar_as_const_value(count).u32 & (alu->def.bit_size - 1);
    return product(x, 1ull << n);
}

/* Factor of x & mask: the result has no bits below the lowest bit of the mask. */
static uint64_t masked(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
    uint64_t low = 1;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t f = src_factor(alu, i, comp, depth);
        if (f == 0)
            return 0;
        low = MAX2(low, f & -f);
    }
    return low;
}

static uint64_t alu_factor(const nir_alu_instr *alu, unsigned comp, unsigned depth)
{
    switch (alu->op) {
    case nir_op_iadd:
    case nir_op_isub:
    case nir_op_imin:
    case nir_op_imax:
    case nir_op_umin:
    case nir_op_umax:
        return gcd(src_factor(alu, 0, comp, depth), src_factor(alu, 1, comp, depth));
    case nir_op_bcsel:
        return gcd(src_factor(alu, 1, comp, depth), src_factor(alu, 2, comp, depth));
    case nir_op_imul:
        return product(src_factor(alu, 0, comp, depth), src_factor(alu, 1, comp, depth));
    case nir_op_ineg:
    case nir_op_iabs:
        return src_factor(alu, 0, comp, depth);
    case nir_op_ishl:
        return shifted(alu, comp, depth);
    case nir_op_iand:
        return masked(alu, comp, depth);
    default:
        return 1;
    }
}

static uint64_t factor(nir_scalar s, unsigned depth)
{
    if (nir_scalar_is_const(s))
        return magnitude(s);
    if (depth > MAX_DEPTH || s.def->parent_instr->type != nir_instr_type_alu)
        return 1;
    return alu_factor(nir_instr_as_alu(s.def->parent_instr), s.comp, depth);
}

uint64_t nir_known_factor(nir_def *def, unsigned component)
{
    return factor(nir_scalar_resolved(def, component), 0);
}
