/* SPDX-License-Identifier: MIT */
/*
 * Atomics, barriers, geometry shader output, and group operations (SPIR-V §3.32.18 to §3.32.21,
 * SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote).
 */
#include "spirv/spirv_private.h"

/* --------------------------------------------------------------------------- memory order --- */

static nir_scope scope(struct spv *p, uint32_t id)
{
    switch (spv_constant_u32(p, id)) {
    case SpvScopeCrossDevice:
    case SpvScopeDevice:
        return NIR_SCOPE_DEVICE;
    case SpvScopeWorkgroup:
        return NIR_SCOPE_WORKGROUP;
    case SpvScopeSubgroup:
        return NIR_SCOPE_SUBGROUP;
    default:
        return NIR_SCOPE_INVOCATION;
    }
}

static unsigned memory_modes(struct spv *p, uint32_t semantics)
{
    unsigned modes = 0;
    if (semantics &
        (SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsAtomicCounterMemoryMask))
        modes |= nir_var_mem_ssbo;
    if (semantics & SpvMemorySemanticsImageMemoryMask)
        modes |= nir_var_uniform;
    if (semantics & SpvMemorySemanticsWorkgroupMemoryMask && p->stage == SHADER_COMPUTE)
        modes |= nir_var_mem_shared;
    return modes;
}

/* --------------------------------------------------------------------------------- atomics --- */

struct atomic_row {
    uint16_t op;
    nir_atomic_op nir;
    nir_intrinsic_op counter;
    uint8_t value; /* index of the operand word with the value; 0: none */
    int constant;  /* value if there is no operand */
};

static const struct atomic_row atomic_rows[] = {
    {SpvOpAtomicExchange, nir_atomic_op_xchg, nir_intrinsic_atomic_counter_exchange_deref, 6},
    {SpvOpAtomicCompareExchange, nir_atomic_op_cmpxchg,
     nir_intrinsic_atomic_counter_comp_swap_deref, 7},
    {SpvOpAtomicIIncrement, nir_atomic_op_iadd, nir_intrinsic_atomic_counter_add_deref, 0, 1},
    {SpvOpAtomicIDecrement, nir_atomic_op_iadd, nir_intrinsic_atomic_counter_add_deref, 0, -1},
    {SpvOpAtomicIAdd, nir_atomic_op_iadd, nir_intrinsic_atomic_counter_add_deref, 6},
    {SpvOpAtomicISub, nir_atomic_op_iadd, nir_intrinsic_atomic_counter_add_deref, 6},
    {SpvOpAtomicSMin, nir_atomic_op_imin, nir_num_intrinsics, 6},
    {SpvOpAtomicUMin, nir_atomic_op_umin, nir_intrinsic_atomic_counter_min_deref, 6},
    {SpvOpAtomicSMax, nir_atomic_op_imax, nir_num_intrinsics, 6},
    {SpvOpAtomicUMax, nir_atomic_op_umax, nir_intrinsic_atomic_counter_max_deref, 6},
    {SpvOpAtomicAnd, nir_atomic_op_iand, nir_intrinsic_atomic_counter_and_deref, 6},
    {SpvOpAtomicOr, nir_atomic_op_ior, nir_intrinsic_atomic_counter_or_deref, 6},
    {SpvOpAtomicXor, nir_atomic_op_ixor, nir_intrinsic_atomic_counter_xor_deref, 6},
};

/* Emits an atomic operation whose result has as many bits as its operand `first`, or 32 if it has
 * none. */
static nir_def *insert(struct spv *p, nir_intrinsic_op op, nir_deref_instr *deref, nir_def *first,
                       nir_def *second, int atomic_op)
{
    nir_intrinsic_instr *intr = nir_intrinsic_instr_create(p->shader, op);
    nir_def *src[] = {&deref->def, first, second};
    for (unsigned i = 0; i < 3 && src[i]; i++)
        intr->src[i] = nir_src_for_ssa(src[i]);
    nir_def_init(&intr->instr, &intr->def, 1, first ? first->bit_size : 32);
    if (atomic_op >= 0)
        nir_intrinsic_set_atomic_op(intr, atomic_op);
    nir_builder_instr_insert(&p->b, &intr->instr);
    return &intr->def;
}

static bool is_counter(const struct spv_pointer *ptr)
{
    return ptr->var->storage == SpvStorageClassAtomicCounter;
}

/* Returns the deref of memory that invocations share. */
static nir_deref_instr *shared_deref(struct spv *p, const struct spv_pointer *ptr)
{
    nir_deref_instr *deref = spv_pointer_deref(p, ptr);
    spv_fail_if(p, !(deref->modes & (nir_var_mem_ssbo | nir_var_mem_shared)),
                "the pointer must refer to a storage block or shared memory");
    return deref;
}

static const struct spv_type *atomic_type(struct spv *p, const struct spv_value *v)
{
    const struct spv_type *t = v->kind == SPV_TEXEL ? v->type->element : NULL;
    spv_fail_if(p, v->kind == SPV_TEXEL && v->serial != p->serial,
                "the pointer is used before it is defined");
    if (v->kind == SPV_POINTER)
        t = v->pointer->type;
    else if (v->kind == SPV_VARIABLE)
        t = v->variable->type;
    spv_fail_if(p, !t, "the operand is not a pointer");
    const bool is_int64 = t->op == SpvOpTypeInt && t->width == 64;
    spv_fail_if(p, is_int64 && !p->capabilities[SpvCapabilityInt64Atomics],
                "64-bit atomics require the capability Int64Atomics");
    spv_fail_if(p, !spv_is_number(t) || (t->width != 32 && !is_int64),
                "must be a 32-bit number or a 64-bit integer");
    return t;
}

static nir_def *operand(struct spv *p, uint32_t id, const struct spv_type *t)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p, !spv_same_type(v.type, t), "the type of the value does not match the pointer");
    return v.c[0];
}

static nir_def *atomic_load(struct spv *p, uint32_t id)
{
    const struct spv_value *v = spv_id(p, id);
    if (v->kind == SPV_TEXEL)
        return spv_image_load_texel(p, v);
    const struct spv_pointer *ptr = spv_use_pointer(p, id);
    if (is_counter(ptr))
        return insert(p, nir_intrinsic_atomic_counter_read_deref, spv_pointer_deref(p, ptr), NULL,
                      NULL, -1);
    return spv_load(p, ptr).c[0];
}

static void atomic_store(struct spv *p, const struct spv_instr *in)
{
    const struct spv_value *v = spv_id(p, in->w[1]);
    const struct spv_type *t = atomic_type(p, v);
    nir_def *data = operand(p, in->w[4], t);
    if (v->kind == SPV_TEXEL) {
        spv_image_atomic(p, v, nir_atomic_op_xchg, data, NULL);
        return;
    }
    const struct spv_pointer *ptr = spv_use_pointer(p, in->w[1]);
    struct spv_ssa value = {.type = ptr->type, .n = 1, .c = {data}};
    if (is_counter(ptr))
        insert(p, nir_intrinsic_atomic_counter_exchange_deref, spv_pointer_deref(p, ptr), data,
               NULL, -1);
    else
        spv_store(p, ptr, &value);
}

static nir_def *modify(struct spv *p, const struct spv_instr *in, const struct atomic_row *row,
                       const struct spv_type *t)
{
    const struct spv_value *v = spv_id(p, in->w[3]);
    nir_def *data = row->value ? operand(p, in->w[row->value], t)
                               : nir_imm_intN_t(&p->b, row->constant, t->width);
    nir_def *comparator = row->nir == nir_atomic_op_cmpxchg ? operand(p, in->w[8], t) : NULL;
    spv_fail_if(p, t->op != SpvOpTypeInt && row->op != SpvOpAtomicExchange, "must be an integer");
    if (in->op == SpvOpAtomicISub)
        data = nir_ineg(&p->b, data);
    if (v->kind == SPV_TEXEL) {
        return spv_image_atomic(p, v, row->nir, data, comparator);
    }
    const struct spv_pointer *ptr = spv_use_pointer(p, in->w[3]);
    nir_def *first = comparator ? comparator : data, *second = comparator ? data : NULL;
    if (is_counter(ptr)) {
        spv_fail_if(p, row->counter == nir_num_intrinsics,
                    "atomic counters only support unsigned operations");
        return insert(p, row->counter, spv_pointer_deref(p, ptr), first, second, -1);
    }
    return insert(p, comparator ? nir_intrinsic_deref_atomic_swap : nir_intrinsic_deref_atomic,
                  shared_deref(p, ptr), first, second, row->nir);
}

/* Emits a barrier before or after an atomic operation if its memory semantics ask for one. The
 * barrier also orders the operation itself as they require. kinds: SpvMemorySemantics bits that ask
 * for this barrier. */
static void order(struct spv *p, uint32_t scope_id, uint32_t semantics_id, uint32_t kinds)
{
    const uint32_t semantics = spv_constant_u32(p, semantics_id);
    const unsigned modes = memory_modes(p, semantics);
    if (semantics & kinds && modes)
        nir_barrier(&p->b, .execution_scope = NIR_SCOPE_NONE, .memory_scope = scope(p, scope_id),
                    .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = modes);
}

#define BOTH_KINDS                                                                                 \
    (SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask)
#define BEFORE (SpvMemorySemanticsReleaseMask | BOTH_KINDS)
#define AFTER  (SpvMemorySemanticsAcquireMask | BOTH_KINDS)

bool spv_emit_atomic(struct spv *p, const struct spv_instr *in)
{
    if (in->op == SpvOpAtomicStore) {
        order(p, in->w[2], in->w[3], BEFORE);
        atomic_store(p, in);
        /* A later sequentially consistent load must not be moved before the store. */
        order(p, in->w[2], in->w[3], SpvMemorySemanticsSequentiallyConsistentMask);
        return true;
    }
    const struct atomic_row *row = NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(atomic_rows); i++) {
        if (atomic_rows[i].op == in->op)
            row = &atomic_rows[i];
    }
    if (!row && in->op != SpvOpAtomicLoad)
        return false;
    const struct spv_type *t = atomic_type(p, spv_id(p, in->w[3]));
    order(p, in->w[4], in->w[5], BEFORE);
    nir_def *def = row ? modify(p, in, row, t) : atomic_load(p, in->w[3]);
    order(p, in->w[4], in->w[5], AFTER);
    spv_set(p, in, (struct spv_ssa){.type = t, .n = 1, .c = {def}});
    return true;
}

/* -------------------------------------------------------------------------------- barriers --- */

static void emit_barrier(struct spv *p, const struct spv_instr *in)
{
    bool control = in->op == SpvOpControlBarrier;
    nir_scope memory = scope(p, in->w[control ? 2 : 1]), execution = NIR_SCOPE_NONE;
    unsigned modes = memory_modes(p, spv_constant_u32(p, in->w[control ? 3 : 2]));
    if (control) {
        execution = scope(p, in->w[1]);
        spv_fail_if(p,
                    p->stage != SHADER_COMPUTE && p->stage != SHADER_TESS_CTRL &&
                        execution != NIR_SCOPE_SUBGROUP,
                    "is only allowed in compute and tessellation control shaders");
        spv_fail_if(p, execution != NIR_SCOPE_WORKGROUP && execution != NIR_SCOPE_SUBGROUP,
                    "the execution scope must be Workgroup or Subgroup");
        if (p->stage == SHADER_TESS_CTRL && execution == NIR_SCOPE_WORKGROUP) {
            modes |= nir_var_shader_out;
            memory = NIR_SCOPE_WORKGROUP;
        }
    }
    nir_barrier(&p->b, .execution_scope = execution, .memory_scope = memory,
                .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = modes);
}

/* ---------------------------------------------------------------------------------- groups --- */

static nir_def *boolean(struct spv *p, uint32_t id)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p, v.type->op != SpvOpTypeBool, "the operand must be boolean");
    return v.c[0];
}

static nir_def *vote(struct spv *p, const struct spv_instr *in)
{
    nir_def *value = boolean(p, in->w[3]);
    if (in->op == SpvOpSubgroupAllKHR)
        return nir_vote_all(&p->b, value);
    if (in->op == SpvOpSubgroupAnyKHR)
        return nir_vote_any(&p->b, value);
    return nir_vote_ieq(&p->b, value);
}

static void emit_read(struct spv *p, const struct spv_instr *in)
{
    struct spv_ssa v = spv_use(p, in->w[3]);
    spv_fail_if(p, !spv_is_vector(v.type) || spv_bits(v.type) != 32,
                "the operand must be a 32-bit number");
    v.c[0] = in->op == SpvOpSubgroupFirstInvocationKHR
                 ? nir_read_first_invocation(&p->b, v.c[0])
                 : nir_read_invocation(&p->b, v.c[0], spv_use_int(p, in->w[4]));
    spv_set(p, in, v);
}

static void emit_vertex(struct spv *p, const struct spv_instr *in)
{
    bool streams = in->op == SpvOpEmitStreamVertex || in->op == SpvOpEndStreamPrimitive;
    unsigned stream = streams ? spv_constant_u32(p, in->w[1]) : 0;
    nir_shader_info *info = &p->shader->info;
    spv_fail_if(p, p->stage != SHADER_GEOMETRY, "is only allowed in geometry shaders");
    spv_fail_if(p, stream > 3, "stream %u is too large (maximum 3)", stream);
    if (in->op == SpvOpEmitVertex || in->op == SpvOpEmitStreamVertex) {
        info->gs.active_stream_mask |= 1u << stream;
        nir_emit_vertex(&p->b, .stream_id = (int)stream);
    } else {
        info->gs.uses_end_primitive = true;
        nir_end_primitive(&p->b, .stream_id = (int)stream);
    }
}

bool spv_emit_group(struct spv *p, const struct spv_instr *in)
{
    switch (in->op) {
    case SpvOpControlBarrier:
    case SpvOpMemoryBarrier:
        emit_barrier(p, in);
        return true;
    case SpvOpSubgroupAllKHR:
    case SpvOpSubgroupAnyKHR:
    case SpvOpSubgroupAllEqualKHR:
        spv_set_vec(p, in, vote(p, in));
        return true;
    case SpvOpSubgroupBallotKHR:
        spv_set_vec(p, in, nir_ballot(&p->b, 4, 32, boolean(p, in->w[3])));
        return true;
    case SpvOpSubgroupFirstInvocationKHR:
    case SpvOpSubgroupReadInvocationKHR:
        emit_read(p, in);
        return true;
    case SpvOpEmitVertex:
    case SpvOpEndPrimitive:
    case SpvOpEmitStreamVertex:
    case SpvOpEndStreamPrimitive:
        emit_vertex(p, in);
        return true;
    default:
        return false;
    }
}
