/* SPDX-License-Identifier: MIT */
/*
 * Gives all NaNs whose bits a shader can see the same bits. IEEE 754 (2008, §6.2) doesn't specify
 * the sign and payload of a NaN: x86 sets the sign bit for an invalid operation, AArch64 clears it,
 * and the NaN of an operation with two NaNs depends on the order of its operands.
 *
 * Bits are visible if a value is stored (except in stores with ACCESS_NUMBERS), passed to another
 * intrinsic, or read as an integer, directly or after moves, selections, phis and changes of the
 * sign. Arithmetic on floats treats all NaNs alike. So the pass replaces only results of arithmetic
 * whose bits are visible. Loaded values keep their bits. nir_eval_const_opcode returns the same
 * NaNs.
 */
#include "nir.h"

#include <math.h>
#include <talloc.h>

#include "nir_builder.h"
#include "nir_range_analysis.h"

#include "util/dynarray.h"

/* How an instruction uses a source. */
enum use {
    USE_NUMBER, /* all NaNs have the same effect */
    USE_COPY,   /* the bits are visible if those of the result are */
    USE_BITS,   /* the bits are visible */
};

struct state {
    bitset_word *visible;       /* by nir_def.index */
    DYNARRAY(nir_instr *) work; /* have visible results, but their sources aren't marked yet */
};

static bool is_float(nir_alu_type type)
{
    return nir_alu_type_get_base_type(type) == nir_type_float;
}

/* Returns whether a NaN result of the opcode has the bits of a source, except for the sign. */
static bool is_copy(nir_op op)
{
    return op == nir_op_mov || nir_op_is_vec(op) || op == nir_op_bcsel || op == nir_op_b32csel ||
           op == nir_op_fneg || op == nir_op_fabs || op == nir_op_frexp_sig;
}

/* Returns whether two sources read the same components. */
static bool are_equal(const nir_alu_src *x, const nir_alu_src *y, unsigned components)
{
    for (unsigned c = 0; c < components; c++)
        if (nir_alu_src_comp(x, c) != nir_alu_src_comp(y, c))
            return false;
    return x->src.ssa == y->src.ssa;
}

/* Returns whether the instruction replaces NaNs in its last source, like those that this pass
 * inserts. */
static bool replaces_nans(const nir_alu_instr *alu)
{
    nir_instr *condition = alu->src[0].src.ssa->parent_instr;
    const unsigned n = alu->def.num_components;
    if (alu->op != nir_op_bcsel || condition->type != nir_instr_type_alu)
        return false;
    const nir_alu_instr *test = nir_instr_as_alu(condition);
    return test->op == nir_op_fneu && test->def.num_components == n &&
           are_equal(&test->src[0], &test->src[1], n) && are_equal(&test->src[0], &alu->src[2], n);
}

static enum use alu_use(const nir_alu_instr *alu, unsigned s)
{
    const bool selects = alu->op == nir_op_bcsel || alu->op == nir_op_b32csel;
    if (s == 2 && replaces_nans(alu))
        return USE_NUMBER;
    if (is_copy(alu->op))
        return selects && s == 0 ? USE_BITS : USE_COPY;
    if (alu->op == nir_op_pack_half_2x16 || alu->op == nir_op_pack_half_2x16_split)
        return USE_BITS;
    return is_float(nir_op_infos[alu->op].input_types[s]) ? USE_NUMBER : USE_BITS;
}

static bool stores_numbers(const nir_intrinsic_instr *intr)
{
    return nir_intrinsic_has_access(intr) && (nir_intrinsic_access(intr) & ACCESS_NUMBERS);
}

/* Returns how the user of a source uses it. */
static enum use use_of(const nir_src *src)
{
    if (nir_src_is_if(src))
        return USE_BITS;
    nir_instr *instr = nir_src_parent_instr(src);
    if (instr->type == nir_instr_type_phi)
        return USE_COPY;
    if (instr->type == nir_instr_type_intrinsic)
        return stores_numbers(nir_instr_as_intrinsic(instr)) ? USE_NUMBER : USE_BITS;
    if (instr->type != nir_instr_type_alu)
        return USE_BITS;
    const nir_alu_instr *alu = nir_instr_as_alu(instr);
    unsigned s = 0;
    while (&alu->src[s].src != src)
        s++;
    return alu_use(alu, s);
}

static void mark(struct state *s, nir_def *def)
{
    if (bitset_test(s->visible, def->index))
        return;
    bitset_set(s->visible, def->index);
    (void)dynarray_append(&s->work, def->parent_instr);
}

static bool mark_bits(nir_src *src, void *data)
{
    if (use_of(src) == USE_BITS)
        mark(data, src->ssa);
    return true;
}

static bool mark_copied(nir_src *src, void *data)
{
    if (use_of(src) == USE_COPY)
        mark(data, src->ssa);
    return true;
}

static bool sees_bits(const struct state *s, const nir_src *src)
{
    enum use use = use_of(src);
    return use == USE_BITS ||
           (use == USE_COPY &&
            bitset_test(s->visible, nir_instr_def(nir_src_parent_instr(src))->index));
}

/* Returns whether the instruction computes floats that may be NaN. */
static bool may_be_nan(nir_instr *instr)
{
    nir_def *def = nir_instr_def(instr);
    if (instr->type == nir_instr_type_intrinsic) {
        const nir_intrinsic_op op = nir_instr_as_intrinsic(instr)->intrinsic;
        return op == nir_intrinsic_load_global_bilinear ||
               op == nir_intrinsic_load_global_bilinear_grid;
    }
    if (instr->type != nir_instr_type_alu)
        return false;
    const nir_op op = nir_instr_as_alu(instr)->op;
    if (is_copy(op) || !is_float(nir_op_infos[op].output_type))
        return false;
    for (unsigned c = 0; c < def->num_components; c++)
        if (!(nir_analyze_float(def, c) & NIR_FLOAT_NUMBER))
            return true;
    return false;
}

static void replace_nans(nir_builder *b, const struct state *s, nir_def *def)
{
    b->cursor = nir_after_instr(def->parent_instr);
    b->exact = true; /* comparisons of NaNs must not be simplified */
    nir_def *nan =
        nir_vec_broadcast(b, nir_imm_floatN_t(b, NAN, def->bit_size), def->num_components);
    nir_def *is_nan = nir_fneu(b, def, def);
    nir_def *result = nir_bcsel(b, is_nan, nan, def);
    nir_foreach_use_safe (src, def)
        if (sees_bits(s, src))
            nir_src_rewrite(src, result);
}

static bool canonicalize_impl(nir_function_impl *impl)
{
    struct state s = {.visible =
                          talloc_zero_array(NULL, bitset_word, BITSET_WORDS(impl->ssa_alloc))};
    nir_builder b = nir_builder_create(impl);
    bool progress = false;
    nir_foreach_block (block, impl)
        nir_foreach_instr (instr, block)
            nir_foreach_src(instr, mark_bits, &s);
    while (s.work.count)
        nir_foreach_src(s.work.data[--s.work.count], mark_copied, &s);
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) { /* skips what replace_nans() inserts */
            nir_def *def = nir_instr_def(instr);
            if (def && bitset_test(s.visible, def->index) && may_be_nan(instr)) {
                replace_nans(&b, &s, def);
                progress = true;
            }
        }
    }
    dynarray_finish(&s.work);
    talloc_free(s.visible);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_canonicalize_nans(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= canonicalize_impl(impl);
    return progress;
}
