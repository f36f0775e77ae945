/* SPDX-License-Identifier: MIT */
/*
 * Lowers subgroup operations to the few that drivers support.
 *
 * The order of evaluation is the same for all drivers, and so are the bits of the results. A
 * reduction of a cluster combines neighbors first, then pairs of these, and so on. A scan combines
 * each lane with the lane 1 below, then with the lane 2 below, 4, and so on (Hillis and Steele,
 * "Data parallel algorithms", 1986). Inactive lanes contribute the identity of the operation.
 */
#include "nir.h"

#include "nir_build_subgroup.h"
#include "util/macros.h"

#define MAX_LANES 32

struct lowering {
    nir_builder *b;
    const nir_lower_subgroups_options *options;
    bool helpers; /* helper invocations, which count as inactive, are possible */
};

/* ----------------------------------------------------------------------------- active lanes --- */

static nir_def *is_active(struct lowering *l)
{
    nir_builder *b = l->b;
    return l->helpers ? nir_inot(b, nir_is_helper_invocation(b)) : nir_imm_true(b);
}

static nir_def *active_lanes(struct lowering *l)
{
    return nir_ballot(l->b, 1, 32, is_active(l));
}

static nir_def *first_active(struct lowering *l)
{
    return nir_find_lsb(l->b, active_lanes(l));
}

static nir_def *vote(struct lowering *l, nir_def *x, bool all)
{
    nir_builder *b = l->b;
    if (all)
        return nir_vote_all(b, l->helpers ? nir_ior(b, x, nir_is_helper_invocation(b)) : x);
    return nir_vote_any(b, l->helpers ? nir_iand(b, x, is_active(l)) : x);
}

/* -------------------------------------------------------------------------- words of values --- */

typedef nir_def *(*word_fn)(struct lowering *l, nir_def *word, nir_def *by);

/* Applies fn to each 32-bit word of a scalar; `by` is the second source of the operation. */
static nir_def *by_words(struct lowering *l, word_fn fn, nir_def *x, nir_def *by)
{
    nir_builder *b = l->b;
    if (x->bit_size == 32)
        return fn(l, x, by);
    if (x->bit_size == 1)
        return nir_ine_imm(b, fn(l, nir_b2i32(b, x), by), 0);
    if (x->bit_size < 32)
        return nir_u2uN(b, fn(l, nir_u2u32(b, x), by), x->bit_size);
    nir_def *low = fn(l, nir_unpack_64_2x32_split_x(b, x), by);
    return nir_pack_64_2x32_split(b, low, fn(l, nir_unpack_64_2x32_split_y(b, x), by));
}

static nir_def *read_word(struct lowering *l, nir_def *x, nir_def *lane)
{
    return nir_read_invocation(l->b, x, lane);
}

static nir_def *read_first_word(struct lowering *l, nir_def *x, nir_def *unused)
{
    return l->helpers ? nir_read_invocation(l->b, x, first_active(l))
                      : nir_read_first_invocation(l->b, x);
}

/* Returns the value selected by the low bits of index; n is a power of two. */
static nir_def *select_value(nir_builder *b, nir_def **values, unsigned n, nir_def *index)
{
    nir_def *v[MAX_LANES];
    memcpy(v, values, n * sizeof *v);
    for (unsigned bit = 1; n > 1; n /= 2, bit *= 2) {
        nir_def *odd = nir_ine_imm(b, nir_iand_imm(b, index, bit), 0);
        for (unsigned i = 0; i < n / 2; i++)
            v[i] = nir_bcsel(b, odd, v[2 * i + 1], v[2 * i]);
    }
    return v[0];
}

static nir_def *shuffle_word(struct lowering *l, nir_def *x, nir_def *lane)
{
    nir_builder *b = l->b;
    nir_def *value[MAX_LANES];
    if (!l->options->lower_shuffle)
        return nir_shuffle(b, x, lane);
    for (unsigned i = 0; i < l->options->size; i++)
        value[i] = nir_read_invocation(b, x, nir_imm_int(b, (int)i));
    return select_value(b, value, l->options->size, lane);
}

/* Returns the word of the lane whose index differs by a constant mask. */
static nir_def *shuffle_xor_word(struct lowering *l, nir_def *x, nir_def *mask)
{
    return nir_shuffle_xor(l->b, x, mask);
}

static nir_def *shuffle_up_word(struct lowering *l, nir_def *x, nir_def *delta)
{
    return nir_shuffle_up(l->b, x, delta);
}

static nir_def *shuffle_down_word(struct lowering *l, nir_def *x, nir_def *delta)
{
    return nir_shuffle_down(l->b, x, delta);
}

static nir_def *quad_word(struct lowering *l, nir_def *x, nir_def *id)
{
    return nir_quad_broadcast(l->b, x, id);
}

static nir_def *swap_horizontal_word(struct lowering *l, nir_def *x, nir_def *unused)
{
    return nir_quad_swap_horizontal(l->b, x);
}

static nir_def *swap_vertical_word(struct lowering *l, nir_def *x, nir_def *unused)
{
    return nir_quad_swap_vertical(l->b, x);
}

static nir_def *swap_diagonal_word(struct lowering *l, nir_def *x, nir_def *unused)
{
    return nir_quad_swap_diagonal(l->b, x);
}

/* ------------------------------------------------------------------------------- reductions --- */

static nir_def *combine(nir_builder *b, nir_op op, nir_def *x, nir_def *y)
{
    bool exact = b->exact;
    b->exact = true;
    nir_def *value = nir_build_alu(b, op, (nir_def *[]){x, y});
    b->exact = exact;
    return value;
}

static nir_def *reduce_in_lanes(struct lowering *l, nir_op op, nir_def *x, unsigned cluster)
{
    nir_builder *b = l->b;
    for (unsigned d = 1; d < cluster; d *= 2)
        x = combine(b, op, x, by_words(l, shuffle_xor_word, x, nir_imm_int(b, (int)d)));
    if (cluster == l->options->size)
        /* makes the result uniform for divergence analysis */
        x = by_words(l, read_word, x, nir_imm_int(b, 0));
    return x;
}

static nir_def *scan_in_lanes(struct lowering *l, nir_op op, nir_def *x, nir_def *none)
{
    nir_builder *b = l->b;
    nir_def *lane = nir_load_subgroup_invocation(b);
    if (none) {
        nir_def *before = by_words(l, shuffle_up_word, x, nir_imm_int(b, 1));
        x = nir_bcsel(b, nir_ieq_imm(b, lane, 0), none, before);
    }
    for (unsigned d = 1; d < l->options->size; d *= 2) {
        nir_def *below = by_words(l, shuffle_up_word, x, nir_imm_int(b, (int)d));
        below = combine(b, op, below, x);
        x = nir_bcsel(b, nir_ult(b, lane, nir_imm_int(b, (int)d)), x, below);
    }
    return x;
}

static nir_def *reduce_gathered(struct lowering *l, nir_op op, nir_def **v, unsigned cluster)
{
    nir_builder *b = l->b;
    unsigned n = l->options->size;
    for (unsigned d = 1; d < cluster; d *= 2) {
        n /= 2;
        for (unsigned i = 0; i < n; i++)
            v[i] = combine(b, op, v[2 * i], v[2 * i + 1]);
    }
    nir_def *lane = nir_load_subgroup_invocation(b);
    return select_value(b, v, n, nir_ushr_imm(b, lane, util_logbase2(cluster)));
}

static nir_def *scan_gathered(struct lowering *l, nir_op op, nir_def **v, nir_def *none)
{
    nir_builder *b = l->b;
    unsigned n = l->options->size;
    for (unsigned i = n - 1; none && i; i--)
        v[i] = v[i - 1];
    v[0] = none ? none : v[0];
    for (unsigned d = 1; d < n; d *= 2)
        for (unsigned i = n - 1; i >= d; i--)
            v[i] = combine(b, op, v[i - d], v[i]);
    return select_value(b, v, n, nir_load_subgroup_invocation(b));
}

/* Lowers the reduction or scan of a scalar with 32 or 64 bits. cluster: size for reductions. */
static nir_def *lower_reduction(struct lowering *l, nir_intrinsic_instr *intr, nir_def *x,
                                unsigned cluster)
{
    nir_builder *b = l->b;
    nir_op op = nir_intrinsic_reduction_op(intr);
    bool scan = intr->intrinsic != nir_intrinsic_reduce;
    nir_const_value none_of = nir_reduction_identity(op, x->bit_size);
    nir_def *id = nir_build_imm(b, 1, x->bit_size, &none_of);
    nir_def *active = active_lanes(l), *v[MAX_LANES];
    nir_def *none = intr->intrinsic == nir_intrinsic_exclusive_scan ? id : NULL;

    if (l->options->inactive_compute) {
        nir_def *lane = nir_load_subgroup_invocation(b);
        x = nir_bcsel(b, nir_build_ballot_bit_extract(b, active, lane), x, id);
        return scan ? scan_in_lanes(l, op, x, none) : reduce_in_lanes(l, op, x, cluster);
    }
    for (unsigned i = 0; i < l->options->size; i++) {
        nir_def *lane = nir_imm_int(b, (int)i);
        v[i] = nir_bcsel(b, nir_build_ballot_bit_extract(b, active, lane),
                         by_words(l, read_word, x, lane), id);
    }
    return scan ? scan_gathered(l, op, v, none) : reduce_gathered(l, op, v, cluster);
}

static nir_def *lower_any_reduction(struct lowering *l, nir_intrinsic_instr *intr, nir_def *x)
{
    nir_builder *b = l->b;
    unsigned size = l->options->size, cluster = size;
    if (intr->intrinsic == nir_intrinsic_reduce && nir_intrinsic_cluster_size(intr))
        cluster = MIN2(nir_intrinsic_cluster_size(intr), size);
    if (x->bit_size == 1)
        return nir_ine_imm(b, lower_reduction(l, intr, nir_b2i32(b, x), cluster), 0);
    return lower_reduction(l, intr, x, cluster);
}

/* ----------------------------------------------------------------------------- instructions --- */

/* Lowers a shuffle relative to the lane index. Constant shuffles stay if the driver supports
 * them. */
static nir_def *lower_shuffle(struct lowering *l, nir_intrinsic_instr *intr, nir_def *x)
{
    nir_builder *b = l->b;
    nir_def *by = intr->src[1].ssa, *lane = nir_load_subgroup_invocation(b);
    bool direct = l->options->inactive_compute && nir_src_is_const(intr->src[1]);
    switch (intr->intrinsic) {
    case nir_intrinsic_shuffle_xor:
        return direct ? by_words(l, shuffle_xor_word, x, by)
                      : by_words(l, shuffle_word, x, nir_ixor(b, lane, by));
    case nir_intrinsic_shuffle_up:
        return direct ? by_words(l, shuffle_up_word, x, by)
                      : by_words(l, shuffle_word, x, nir_isub(b, lane, by));
    case nir_intrinsic_shuffle_down:
        return direct ? by_words(l, shuffle_down_word, x, by)
                      : by_words(l, shuffle_word, x, nir_iadd(b, lane, by));
    default:
        return by_words(l, shuffle_word, x, by);
    }
}

static nir_def *lower_quad(struct lowering *l, nir_intrinsic_instr *intr, nir_def *x)
{
    nir_builder *b = l->b;
    bool broadcast = intr->intrinsic == nir_intrinsic_quad_broadcast;
    unsigned flip = 1 + intr->intrinsic - nir_intrinsic_quad_swap_horizontal;
    static const word_fn swaps[] = {swap_horizontal_word, swap_vertical_word, swap_diagonal_word};
    if (!l->options->lower_quad && (!broadcast || nir_src_is_const(intr->src[1])))
        return broadcast ? by_words(l, quad_word, x, intr->src[1].ssa)
                         : by_words(l, swaps[flip - 1], x, NULL);
    nir_def *lane = nir_load_subgroup_invocation(b);
    if (!broadcast)
        return by_words(l, shuffle_word, x, nir_ixor(b, lane, nir_imm_int(b, (int)flip)));
    nir_def *id = nir_iand_imm(b, intr->src[1].ssa, 3);
    return by_words(l, shuffle_word, x, nir_ior(b, nir_iand_imm(b, lane, ~3u), id));
}

/* Returns true if the driver supports the intrinsic directly. */
static bool stays(const struct lowering *l, const nir_intrinsic_instr *intr)
{
    if (intr->def.num_components != 1 || intr->def.bit_size != 32)
        return false;
    switch (intr->intrinsic) {
    case nir_intrinsic_read_first_invocation:
        return !l->helpers;
    case nir_intrinsic_read_invocation:
        return true;
    case nir_intrinsic_shuffle:
        return !l->options->lower_shuffle;
    case nir_intrinsic_shuffle_xor:
    case nir_intrinsic_shuffle_up:
    case nir_intrinsic_shuffle_down:
        return l->options->inactive_compute && nir_src_is_const(intr->src[1]);
    case nir_intrinsic_quad_broadcast:
        return !l->options->lower_quad && nir_src_is_const(intr->src[1]);
    case nir_intrinsic_quad_swap_horizontal ... nir_intrinsic_quad_swap_diagonal:
        return !l->options->lower_quad;
    default:
        return false;
    }
}

/* Lowers the operation on one component. */
static nir_def *lower_component(struct lowering *l, nir_intrinsic_instr *intr, nir_def *x)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_read_first_invocation:
        return by_words(l, read_first_word, x, NULL);
    case nir_intrinsic_read_invocation:
        return by_words(l, read_word, x, intr->src[1].ssa);
    case nir_intrinsic_quad_broadcast:
    case nir_intrinsic_quad_swap_horizontal ... nir_intrinsic_quad_swap_diagonal:
        return lower_quad(l, intr, x);
    case nir_intrinsic_reduce:
    case nir_intrinsic_inclusive_scan:
    case nir_intrinsic_exclusive_scan:
        return lower_any_reduction(l, intr, x);
    default:
        return lower_shuffle(l, intr, x);
    }
}

/* Returns whether all lanes have the value of the first one. */
static nir_def *lower_vote_equal(struct lowering *l, nir_intrinsic_instr *intr)
{
    nir_builder *b = l->b;
    nir_def *same = nir_imm_true(b);
    for (unsigned c = 0; c < intr->num_components; c++) {
        nir_def *x = nir_channel(b, intr->src[0].ssa, c);
        if (x->bit_size == 1)
            x = nir_b2i32(b, x);
        nir_def *first = by_words(l, read_first_word, x, NULL);
        bool is_float = intr->intrinsic == nir_intrinsic_vote_feq;
        same = nir_iand(b, same, is_float ? nir_feq(b, x, first) : nir_ieq(b, x, first));
    }
    return vote(l, same, true);
}

static nir_def *lower(struct lowering *l, nir_intrinsic_instr *intr)
{
    nir_builder *b = l->b;
    nir_def *comps[NIR_MAX_VEC_COMPONENTS], *lane;
    switch (intr->intrinsic) {
    case nir_intrinsic_vote_any:
    case nir_intrinsic_vote_all:
        return l->helpers ? vote(l, intr->src[0].ssa, intr->intrinsic == nir_intrinsic_vote_all)
                          : NULL;
    case nir_intrinsic_vote_feq:
    case nir_intrinsic_vote_ieq:
        return lower_vote_equal(l, intr);
    case nir_intrinsic_ballot:
        return l->helpers ? nir_ballot(b, intr->def.num_components, intr->def.bit_size,
                                       nir_iand(b, intr->src[0].ssa, is_active(l)))
                          : NULL;
    case nir_intrinsic_elect:
        lane = nir_load_subgroup_invocation(b);
        return nir_ieq(b, lane, first_active(l));
    case nir_intrinsic_first_invocation:
        return first_active(l);
    case nir_intrinsic_read_first_invocation ... nir_intrinsic_quad_swap_diagonal:
        if (stays(l, intr))
            return NULL;
        for (unsigned c = 0; c < intr->def.num_components; c++)
            comps[c] = lower_component(l, intr, nir_channel(b, intr->src[0].ssa, c));
        return nir_vec(b, comps, intr->def.num_components);
    default:
        return NULL;
    }
}

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *options)
{
    struct lowering l = {b, options, b->shader->info.stage == SHADER_FRAGMENT};
    b->cursor = nir_before_instr(&intr->instr);
    nir_def *value = lower(&l, intr);
    if (!value)
        return false;
    nir_def_replace(&intr->def, value);
    return true;
}

bool nir_lower_subgroups(nir_shader *shader, const nir_lower_subgroups_options *options)
{
    assert(util_is_power_of_two(options->size) && options->size <= MAX_LANES);
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow,
                                      (void *)options);
}
