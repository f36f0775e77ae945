/* SPDX-License-Identifier: MIT */
/*
 * Turns loads and stores of consecutive elements by the lanes of a compute kernel into vector
 * accesses. Invocations of a work group often access element i of an array, where i is a uniform
 * value plus the invocation's index. If all lanes are active and inside the buffer, which is tested
 * at run time, such an access becomes a load or store of a vector. Otherwise, it remains a gather
 * or scatter.
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include <stdlib.h>

#define MAX_ACCESSES 256 /* maximum per kernel; limits the added code */
#define MAX_DEPTH    12  /* maximum depth of the expressions that are analyzed */

/* An access whose offset is a uniform value plus the lane's number times the size of an element. */
struct access {
    nir_intrinsic_instr *intr;
    nir_def *offset;    /* the offset in bytes */
    nir_def *condition; /* 1 bit: the lane uses the offset; NULL: always */
    uint32_t bytes;     /* size of an element */
};

struct accesses {
    struct access access[MAX_ACCESSES];
    unsigned count;
};

static bool is_lane_number(nir_scalar s)
{
    const nir_instr *instr = s.def->parent_instr;
    return instr->type == nir_instr_type_intrinsic &&
           nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic ==
               nir_intrinsic_load_subgroup_invocation;
}

static nir_scalar source(nir_scalar s, const nir_alu_instr *alu, unsigned i)
{
    return nir_scalar_resolved(alu->src[i].src.ssa, nir_alu_src_comp(&alu->src[i], s.comp));
}

static bool is_inside(const nir_block *block, const nir_cf_node *loop)
{
    const nir_cf_node *node = &block->cf_node;
    while (node && node != loop)
        node = node->parent;
    return node;
}

/* Returns whether lanes may have left a loop that contains the value, but not its user, in
 * different iterations. */
static bool is_from_divergent_loop(const nir_def *def, const nir_block *user)
{
    nir_cf_node *node = &def->parent_instr->block->cf_node;
    while ((node = node->parent) && !(node->type == nir_cf_node_loop && is_inside(user, node)))
        if (node->type == nir_cf_node_loop && nir_cf_node_as_loop(node)->divergent)
            return true;
    return false;
}

/* If s, a 32-bit integer, is a uniform value plus d times the lane's number, modulo 2^32, for the
 * lanes that execute `user`, stores d in *stride and returns true. Needs divergence information. */
static bool find_stride(nir_scalar s, const nir_block *user, unsigned depth, uint32_t *stride)
{
    uint32_t a, b;

    *stride = 0;
    if (!s.def->divergent)
        return true;
    if (is_lane_number(s)) {
        *stride = 1;
        return true;
    }
    if (s.def->bit_size != 32 || depth == MAX_DEPTH ||
        s.def->parent_instr->type != nir_instr_type_alu || is_from_divergent_loop(s.def, user))
        return false;
    const nir_alu_instr *alu = nir_instr_as_alu(s.def->parent_instr);
    if (alu->op != nir_op_iadd && alu->op != nir_op_isub && alu->op != nir_op_imul &&
        alu->op != nir_op_ishl)
        return false;
    const nir_scalar x = source(s, alu, 0), y = source(s, alu, 1);
    if (!find_stride(x, user, depth + 1, &a) || !find_stride(y, user, depth + 1, &b))
        return false;
    switch (alu->op) {
    case nir_op_iadd:
        *stride = a + b;
        return true;
    case nir_op_isub:
        *stride = a - b;
        return true;
    case nir_op_ishl:
        *stride = nir_scalar_is_const(y) ? a << (nir_scalar_as_const_value(y).u32 & 31) : 0;
        return nir_scalar_is_const(y);
    default:
        if (nir_scalar_is_const(x))
            *stride = b * nir_scalar_as_const_value(x).u32;
        else if (nir_scalar_is_const(y))
            *stride = a * nir_scalar_as_const_value(y).u32;
        else
            return false;
        return true;
    }
}

/* Returns whether a load's offset is a selection. Lanes outside of the buffer then load from
 * another offset, the third source of the selection. */
static bool is_selection(nir_scalar s)
{
    return s.def->parent_instr->type == nir_instr_type_alu &&
           nir_instr_as_alu(s.def->parent_instr)->op == nir_op_bcsel;
}

static void collect(nir_intrinsic_instr *intr, struct accesses *all)
{
    const bool store = intr->intrinsic == nir_intrinsic_store_global;
    if (!store && intr->intrinsic != nir_intrinsic_load_global &&
        intr->intrinsic != nir_intrinsic_load_global_constant)
        return;
    const unsigned components = intr->num_components;
    const nir_def *value = store ? intr->src[0].ssa : &intr->def;
    struct access a = {.intr = intr, .bytes = components * 4};
    uint32_t stride;

    if (value->bit_size != 32 || components > 4 || components == 3 ||
        (store && nir_intrinsic_write_mask(intr) != BITFIELD_MASK(components)) ||
        intr->src[store].ssa->divergent || all->count == MAX_ACCESSES)
        return;
    nir_scalar offset = nir_scalar_resolved(intr->src[store + 1].ssa, 0);
    if (!store && is_selection(offset)) {
        const nir_alu_instr *select = nir_instr_as_alu(offset.def->parent_instr);
        if (offset.def->num_components > 1)
            return;
        a.condition = select->src[0].src.ssa;
        if (a.condition->num_components > 1)
            return;
        offset = source(offset, select, 1);
    }
    if (offset.def->num_components > 1 || !find_stride(offset, intr->instr.block, 0, &stride) ||
        stride != a.bytes)
        return;
    a.offset = offset.def;
    all->access[all->count++] = a;
}

static void convert(nir_builder *b, const struct access *a, unsigned lanes)
{
    nir_intrinsic_instr *intr = a->intr;
    const bool store = intr->intrinsic == nir_intrinsic_store_global;

    b->cursor = nir_before_instr(&intr->instr);
    nir_def *active = nir_ballot(b, 1, 32, a->condition ? a->condition : nir_imm_true(b));
    nir_def *lane = nir_imul_imm(b, nir_load_subgroup_invocation(b), a->bytes);
    nir_push_if(b, nir_ieq_imm(b, active, (int64_t)BITFIELD64_MASK(lanes)));
    nir_def *first = nir_read_first_invocation(b, nir_isub(b, a->offset, lane));
    if (store) {
        nir_store_global_block(b, intr->src[0].ssa, intr->src[1].ssa, first, nir_imm_true(b),
                               .align_mul = 4);
        nir_push_else(b, NULL);
        nir_instr_move(b->cursor, &intr->instr);
        nir_pop_if(b, NULL);
    } else {
        nir_def *run = nir_load_global_block(b, intr->num_components, 32, intr->src[0].ssa, first,
                                             .align_mul = 4);
        nir_push_else(b, NULL);
        nir_instr_move(b->cursor, &intr->instr);
        nir_pop_if(b, NULL);
        nir_def *either = nir_if_phi(b, run, &intr->def);
        nir_def_rewrite_uses_after(&intr->def, either, either->parent_instr);
    }
}

bool cpu_nir_use_lane_runs(nir_shader *shader, unsigned lanes)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    struct accesses *all = calloc(1, sizeof *all);
    nir_builder b = nir_builder_create(impl);

    if (!all)
        return false;
    nir_divergence_analysis(shader);
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block)
            if (instr->type == nir_instr_type_intrinsic)
                collect(nir_instr_as_intrinsic(instr), all);
    }
    for (unsigned i = 0; i < all->count; i++)
        convert(&b, &all->access[i], lanes);
    const bool progress = all->count > 0;
    free(all);
    nir_metadata_preserve(impl, progress ? nir_metadata_none : nir_metadata_all);
    return progress;
}
