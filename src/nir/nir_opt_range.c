/* SPDX-License-Identifier: MIT */
/*
 * Uses bounds of integers (nir_range_analysis.h): removes clamps and masks without effect, and
 * replaces comparisons with a known result. Runs after lowering, which puts clamps around indices.
 */
#include "nir.h"

#include "nir_builder.h"
#include "nir_range_analysis.h"

struct bounds {
    /* Bounds of all components as unsigned integers. least is known only for constants. */
    uint64_t least, most;
    bool is_const;
};

static struct bounds bounds_of(const nir_alu_instr *alu, unsigned s)
{
    struct bounds r = {.least = ~0ull};
    r.is_const = nir_src_is_const(alu->src[s].src);
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        unsigned comp = nir_alu_src_comp(&alu->src[s], c);
        uint64_t most = nir_unsigned_upper_bound(alu->src[s].src.ssa, comp);
        r.most = MAX2(r.most, most);
        r.least = MIN2(r.least, r.is_const ? most : 0);
    }
    return r;
}

static bool is_signed_op(nir_op op)
{
    return op == nir_op_imin || op == nir_op_imax || op == nir_op_ilt || op == nir_op_ige;
}

/* Returns the index of the source that always equals the result, or -1. */
static int same_as(nir_op op, const struct bounds *a, const struct bounds *b)
{
    bool a_at_most_b = a->most <= b->least, b_at_most_a = b->most <= a->least;
    switch (op) {
    case nir_op_umin:
    case nir_op_imin:
        return a_at_most_b ? 0 : b_at_most_a ? 1 : -1;
    case nir_op_umax:
    case nir_op_imax:
        return a_at_most_b ? 1 : b_at_most_a ? 0 : -1;
    default:
        return -1;
    }
}

/* Returns the known result 0 or 1, or -1 if the result is unknown. */
static int answer(nir_op op, const struct bounds *a, const struct bounds *b)
{
    int less = a->most < b->least ? 1 : b->most <= a->least ? 0 : -1;
    switch (op) {
    case nir_op_ult:
    case nir_op_ilt:
        return less;
    case nir_op_uge:
    case nir_op_ige:
        return less < 0 ? -1 : !less;
    default:
        return -1;
    }
}

/* Returns the index of the source that always equals the result, because the other source is a
 * constant mask with all bits that the value may have. Returns -1 if there is none. */
static int masked(const nir_alu_instr *alu, const struct bounds *a, const struct bounds *b)
{
    for (unsigned s = 0; s < 2; s++) {
        const struct bounds *value = s ? b : a;
        uint64_t bits = value->most ? ~0ull >> __builtin_clzll(value->most) : 0;
        bool all = nir_src_is_const(alu->src[1 - s].src);
        for (unsigned c = 0; c < alu->def.num_components && all; c++)
            all =
                (nir_src_comp_as_uint(alu->src[1 - s].src, nir_alu_src_comp(&alu->src[1 - s], c)) &
                 bits) == bits;
        if (all)
            return (int)s;
    }
    return -1;
}

static bool opt_alu(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    switch (alu->op) {
    case nir_op_umin:
    case nir_op_umax:
    case nir_op_imin:
    case nir_op_imax:
    case nir_op_ult:
    case nir_op_uge:
    case nir_op_ilt:
    case nir_op_ige:
    case nir_op_iand:
        break;
    default:
        return false;
    }
    struct bounds x = bounds_of(alu, 0), y = bounds_of(alu, 1);
    uint64_t sign = 1ull << (nir_src_bit_size(alu->src[0].src) - 1);
    if (is_signed_op(alu->op) && (x.most >= sign || y.most >= sign))
        return false;
    int source = alu->op == nir_op_iand ? masked(alu, &x, &y) : same_as(alu->op, &x, &y);
    int truth = answer(alu->op, &x, &y);
    if (source < 0 && truth < 0)
        return false;
    b->cursor = nir_before_instr(&alu->instr);
    nir_def *value;
    if (source >= 0) {
        unsigned swizzle[NIR_MAX_VEC_COMPONENTS];
        for (unsigned c = 0; c < alu->def.num_components; c++)
            swizzle[c] = nir_alu_src_comp(&alu->src[source], c);
        value = nir_swizzle(b, alu->src[source].src.ssa, swizzle, alu->def.num_components);
    } else {
        value = nir_vec_broadcast(b, nir_imm_bool(b, truth), alu->def.num_components);
    }
    nir_def_replace(&alu->def, value);
    return true;
}

bool nir_opt_range(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, opt_alu, nir_metadata_control_flow, NULL);
}
