/* SPDX-License-Identifier: MIT */
#include "nir_eval_subgroup.h"

#include <string.h>

#include "nir_build_subgroup.h"
#include "util/macros.h"

bool nir_eval_is_subgroup_op(nir_intrinsic_op op)
{
    return op >= nir_intrinsic_vote_any && op <= nir_intrinsic_quad_swap_diagonal;
}

static uint32_t active_lanes(const struct nir_eval_subgroup_lane *lanes, unsigned count)
{
    uint32_t active = 0;
    for (unsigned i = 0; i < count; i++)
        active |= (uint32_t)(lanes[i].dest != NULL) << i;
    return active;
}

/* Returns the mask of active lanes whose source is true; booleans may have 1 or 32 bits. */
static uint32_t true_lanes(const nir_intrinsic_instr *intr,
                           const struct nir_eval_subgroup_lane *lanes, unsigned count)
{
    unsigned bits = nir_src_bit_size(intr->src[0]);
    uint32_t set = 0;
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].dest && nir_const_value_as_uint(*lanes[i].src[0], bits))
            set |= 1u << i;
    return set;
}

/* Returns true if all active lanes have the value of the first one. As floats, +0 equals -0 and a
 * NaN equals nothing. */
static bool all_equal(const nir_intrinsic_instr *intr, const struct nir_eval_subgroup_lane *lanes,
                      unsigned count)
{
    unsigned bits = nir_src_bit_size(intr->src[0]), first = 0;
    bool is_float = intr->intrinsic == nir_intrinsic_vote_feq, equal = true;
    while (!lanes[first].dest)
        first++;
    for (unsigned i = first; i < count; i++) {
        for (unsigned c = 0; lanes[i].dest && c < intr->num_components; c++) {
            nir_const_value x = lanes[i].src[0][c], y = lanes[first].src[0][c];
            equal &= is_float
                         ? nir_const_value_as_float(x, bits) == nir_const_value_as_float(y, bits)
                         : nir_const_value_as_uint(x, bits) == nir_const_value_as_uint(y, bits);
        }
    }
    return equal;
}

/* Returns the lane that `lane` reads, modulo the power-of-two lane count. */
static unsigned lane_read(const nir_intrinsic_instr *intr,
                          const struct nir_eval_subgroup_lane *lanes, unsigned lane, unsigned first)
{
    unsigned by = nir_intrinsic_infos[intr->intrinsic].num_srcs > 1 ? lanes[lane].src[1]->u32 : 0;
    switch (intr->intrinsic) {
    case nir_intrinsic_read_first_invocation:
        return first;
    case nir_intrinsic_shuffle_xor:
        return lane ^ by;
    case nir_intrinsic_shuffle_up:
        return lane - by;
    case nir_intrinsic_shuffle_down:
        return lane + by;
    case nir_intrinsic_quad_broadcast:
        return (lane & ~3u) | (by & 3);
    case nir_intrinsic_quad_swap_horizontal ... nir_intrinsic_quad_swap_diagonal:
        return lane ^ (1 + intr->intrinsic - nir_intrinsic_quad_swap_horizontal);
    default:
        return by;
    }
}

static void read_lanes(const nir_intrinsic_instr *intr, const struct nir_eval_subgroup_lane *lanes,
                       unsigned count, unsigned first)
{
    for (unsigned i = 0; i < count; i++) {
        if (!lanes[i].dest)
            continue;
        const struct nir_eval_subgroup_lane *from =
            &lanes[lane_read(intr, lanes, i, first) & (count - 1)];
        for (unsigned c = 0; c < intr->def.num_components; c++)
            lanes[i].dest[c] = from->dest ? from->src[0][c] : (nir_const_value){0};
    }
}

static nir_const_value combine(nir_op op, unsigned bits, nir_const_value x, nir_const_value y)
{
    nir_const_value value;
    nir_eval_const_opcode(op, &value, 1, bits, (nir_const_value *[]){&x, &y});
    return value;
}

/* Combines in the order that nir_lower_subgroups.c documents, so that float results match it bit by
 * bit. */
static void reduce_component(const nir_intrinsic_instr *intr,
                             const struct nir_eval_subgroup_lane *lanes, unsigned count, unsigned c)
{
    nir_op op = nir_intrinsic_reduction_op(intr);
    unsigned bits = intr->def.bit_size, cluster = count;
    nir_const_value v[NIR_EVAL_MAX_LANES], old[NIR_EVAL_MAX_LANES];
    bool scan = intr->intrinsic != nir_intrinsic_reduce;
    for (unsigned i = 0; i < count; i++)
        v[i] = lanes[i].dest ? lanes[i].src[0][c] : nir_reduction_identity(op, bits);
    if (!scan && nir_intrinsic_cluster_size(intr))
        cluster = MIN2(nir_intrinsic_cluster_size(intr), count);
    if (intr->intrinsic == nir_intrinsic_exclusive_scan) {
        memmove(v + 1, v, (count - 1) * sizeof *v);
        v[0] = nir_reduction_identity(op, bits);
    }
    for (unsigned d = 1; d < cluster; d *= 2) {
        memcpy(old, v, count * sizeof *v);
        for (unsigned i = scan ? d : 0; i < count; i++)
            v[i] = scan ? combine(op, bits, old[i - d], old[i])
                        : combine(op, bits, old[i & ~d], old[i | d]);
    }
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].dest)
            lanes[i].dest[c] = v[i];
}

void nir_eval_subgroup_op(const nir_intrinsic_instr *intr,
                          const struct nir_eval_subgroup_lane *lanes, unsigned count)
{
    const uint32_t active = active_lanes(lanes, count), yes = UINT32_MAX;
    uint32_t set = 0;
    unsigned first = (unsigned)__builtin_ctz(active), bits = intr->def.bit_size;
    switch (intr->intrinsic) {
    case nir_intrinsic_vote_any:
        set = true_lanes(intr, lanes, count) ? yes : 0;
        break;
    case nir_intrinsic_vote_all:
        set = true_lanes(intr, lanes, count) == active ? yes : 0;
        break;
    case nir_intrinsic_vote_feq:
    case nir_intrinsic_vote_ieq:
        set = all_equal(intr, lanes, count) ? yes : 0;
        break;
    case nir_intrinsic_ballot:
        set = true_lanes(intr, lanes, count);
        break;
    case nir_intrinsic_first_invocation:
        set = first;
        break;
    case nir_intrinsic_elect:
        break;
    case nir_intrinsic_reduce:
    case nir_intrinsic_inclusive_scan:
    case nir_intrinsic_exclusive_scan:
        for (unsigned c = 0; c < intr->def.num_components; c++)
            reduce_component(intr, lanes, count, c);
        return;
    default:
        read_lanes(intr, lanes, count, first);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        if (!lanes[i].dest)
            continue;
        memset(lanes[i].dest, 0, intr->def.num_components * sizeof *lanes[i].dest);
        lanes[i].dest[0] = nir_const_value_for_uint(
            intr->intrinsic == nir_intrinsic_elect && i == first ? yes : set, bits);
    }
}
