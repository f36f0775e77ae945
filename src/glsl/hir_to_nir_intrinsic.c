/* SPDX-License-Identifier: MIT */
/* Images, atomics, counters, barriers and subgroup operations. */
#include "glsl/hir_to_nir.h"
#include "nir/nir_build_subgroup.h"

#include "util/check.h"

/* Returns the atomic operation, given the index of its name's last word and the type of its
 * operands. */
static nir_atomic_op atomic_op(unsigned word, enum glsl_base_type base)
{
    static const nir_atomic_op ops[][3] = {
        /* uint, int, float */
        {nir_atomic_op_iadd, nir_atomic_op_iadd, nir_atomic_op_fadd},
        {nir_atomic_op_umin, nir_atomic_op_imin, nir_atomic_op_fmin},
        {nir_atomic_op_umax, nir_atomic_op_imax, nir_atomic_op_fmax},
        {nir_atomic_op_iand, nir_atomic_op_iand, nir_atomic_op_iand},
        {nir_atomic_op_ior, nir_atomic_op_ior, nir_atomic_op_ior},
        {nir_atomic_op_ixor, nir_atomic_op_ixor, nir_atomic_op_ixor},
        {nir_atomic_op_xchg, nir_atomic_op_xchg, nir_atomic_op_xchg},
        {nir_atomic_op_cmpxchg, nir_atomic_op_cmpxchg, nir_atomic_op_fcmpxchg},
    };
    bool is_signed = base == GLSL_TYPE_INT || base == GLSL_TYPE_INT64;
    return ops[word][base == GLSL_TYPE_FLOAT ? 2 : is_signed];
}

/* Inserts an intrinsic with these sources. If it has a result, it has the given components and bit
 * size. */
static nir_intrinsic_instr *create(struct h2n *h, nir_intrinsic_op op, nir_def *const *src,
                                   unsigned count, unsigned components, unsigned bits)
{
    nir_intrinsic_instr *intr = nir_intrinsic_instr_create(h->shader, op);
    for (unsigned i = 0; i < count; i++)
        intr->src[i] = nir_src_for_ssa(src[i]);
    const nir_intrinsic_info *info = &nir_intrinsic_infos[op];
    if (info->has_dest) {
        if (!info->dest_components)
            intr->num_components = components;
        nir_def_init(&intr->instr, &intr->def, components, bits);
    }
    return intr;
}

static nir_def *insert(struct h2n *h, nir_intrinsic_instr *intr)
{
    nir_builder_instr_insert(&h->b, &intr->instr);
    return nir_intrinsic_infos[intr->intrinsic].has_dest ? &intr->def : NULL;
}

/* ---------------------------------------------------------------------------------- images --- */

static nir_alu_type texel_type(const struct glsl_type *image)
{
    switch (image->sampled_type) {
    case GLSL_TYPE_INT:
        return nir_type_int32;
    case GLSL_TYPE_UINT:
        return nir_type_uint32;
    default:
        return nir_type_float32;
    }
}

/* An access to an image. */
struct image_access {
    const struct hir_intrinsic *in;
    nir_def *src[6]; /* sources of the intrinsic without the level; src[0] is set per form */
    unsigned count;
    unsigned format, access; /* the image variable's format and access */
};

/* Emits the intrinsic. deref: the image of the default block; NULL: `handle` is the image. */
static nir_def *emit_image(struct h2n *h, const struct image_access *a, nir_deref_instr *deref,
                           nir_def *handle)
{
#define OP(name) (deref ? nir_intrinsic_image_deref_##name : nir_intrinsic_bindless_image_##name)
    const struct hir_intrinsic *in = a->in;
    const struct glsl_type *image = in->args[0]->type;
    nir_def *src[6], *zero = nir_imm_int(&h->b, 0);
    unsigned n = a->count;
    nir_intrinsic_instr *intr;
    memcpy(src, a->src, sizeof src);
    src[0] = deref ? &deref->def : handle;
    switch (in->op) {
    case HIR_INTRINSIC_IMAGE_LOAD:
        NEXT_OF(src, n) = zero;
        intr = create(h, OP(load), src, n, 4, 32);
        nir_intrinsic_set_dest_type(intr, texel_type(image));
        break;
    case HIR_INTRINSIC_IMAGE_STORE:
        NEXT_OF(src, n) = zero;
        intr = create(h, OP(store), src, n, 0, 0);
        intr->num_components = 4;
        nir_intrinsic_set_src_type(intr, texel_type(image));
        break;
    case HIR_INTRINSIC_IMAGE_RESIDENCY:
        intr = create(h, OP(residency), src, n, 1, 32);
        break;
    case HIR_INTRINSIC_IMAGE_SIZE:
        NEXT_OF(src, n) = zero;
        intr = create(h, OP(size), src, n, in->return_deref->type->vector_elements, 32);
        break;
    case HIR_INTRINSIC_IMAGE_SAMPLES:
        intr = create(h, OP(samples), src, n, 1, 32);
        break;
    default:
        intr =
            create(h, in->op == HIR_INTRINSIC_IMAGE_ATOMIC_COMP_SWAP ? OP(atomic_swap) : OP(atomic),
                   src, n, 1, 32);
        nir_intrinsic_set_atomic_op(
            intr, atomic_op(in->op - HIR_INTRINSIC_IMAGE_ATOMIC_ADD, image->sampled_type));
    }
#undef OP
    nir_intrinsic_set_image_dim(intr, image->sampler_dim);
    nir_intrinsic_set_image_array(intr, image->sampler_array);
    nir_intrinsic_set_format(intr, a->format);
    nir_intrinsic_set_access(intr, a->access);
    return insert(h, intr);
}

static nir_def *image_intrinsic(struct h2n *h, const struct hir_intrinsic *in)
{
    const struct glsl_type *image = in->args[0]->type;
    const struct hir_variable *root = hir_variable_referenced(in->args[0]);
    bool bound = h2n_is_bound(h, in->args[0]);
    nir_deref_instr *deref = bound ? h2n_opaque_deref(h, in->args[0]) : NULL;
    nir_def *zero = nir_imm_int(&h->b, 0);
    struct image_access a = {.in = in, .count = 1};
    unsigned arg = 1;
    if (bound && !deref)
        return NULL;
    const nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    a.format = var ? var->data.image_format : 0;
    a.access = var ? var->data.access : root ? root->access : 0;
    nir_def *handle = deref ? h2n_uniform_handle(h, deref) : h2n_handle(h, in->args[0]);
    if (in->num_args > 1) {
        nir_def *coord = h2n_eval_vec(h, NEXT_OF(in->args, arg)), *comps[4];
        for (unsigned i = 0; i < 4; i++)
            comps[i] = i < coord->num_components ? nir_channel(&h->b, coord, i) : zero;
        NEXT_OF(a.src, a.count) = nir_vec(&h->b, comps, 4);
        NEXT_OF(a.src, a.count) = image->sampler_dim == GLSL_SAMPLER_DIM_MS
                                      ? h2n_eval_vec(h, NEXT_OF(in->args, arg))
                                      : zero;
    }
    while (arg < in->num_args)
        NEXT_OF(a.src, a.count) = h2n_eval_vec(h, NEXT_OF(in->args, arg));
    if (!deref || !handle)
        return emit_image(h, &a, deref, handle);
    nir_push_if(&h->b, nir_ieq_imm(&h->b, handle, 0));
    nir_def *of_unit = emit_image(h, &a, deref, NULL);
    nir_push_else(&h->b, NULL);
    nir_def *of_handle = emit_image(h, &a, NULL, handle);
    nir_pop_if(&h->b, NULL);
    return of_unit ? nir_if_phi(&h->b, of_unit, of_handle) : NULL;
}

/* --------------------------------------------------------------------------------- atomics --- */

/* Returns the deref of an atomic's memory. A swizzle to one component becomes an element of the
 * vector. */
static nir_deref_instr *memory_deref(struct h2n *h, const struct hir_value *value)
{
    if (value->node.kind != HIR_SWIZZLE)
        return h2n_deref(h, value);
    const struct hir_swizzle *s = (const struct hir_swizzle *)value;
    return nir_build_deref_array_imm(&h->b, memory_deref(h, s->value), s->component[0]);
}

static nir_def *memory_atomic(struct h2n *h, const struct hir_intrinsic *in)
{
    nir_def *src[3] = {0};
    for (unsigned i = 1; i < in->num_args; i++)
        src[i] = h2n_eval_vec(h, in->args[i]);
    src[0] = &memory_deref(h, in->args[0])->def;
    nir_intrinsic_instr *intr =
        create(h, in->num_args == 3 ? nir_intrinsic_deref_atomic_swap : nir_intrinsic_deref_atomic,
               src, in->num_args, 1, glsl_bit_size(in->args[0]->type));
    nir_intrinsic_set_atomic_op(
        intr, atomic_op(in->op - HIR_INTRINSIC_ATOMIC_ADD, in->args[0]->type->base_type));
    return insert(h, intr);
}

static nir_def *counter(struct h2n *h, const struct hir_intrinsic *in)
{
    static const nir_intrinsic_op ops[] = {
        nir_intrinsic_atomic_counter_inc_deref,
        nir_intrinsic_atomic_counter_pre_dec_deref,
        nir_intrinsic_atomic_counter_read_deref,
        nir_intrinsic_atomic_counter_add_deref,
        nir_intrinsic_atomic_counter_min_deref,
        nir_intrinsic_atomic_counter_max_deref,
        nir_intrinsic_atomic_counter_and_deref,
        nir_intrinsic_atomic_counter_or_deref,
        nir_intrinsic_atomic_counter_xor_deref,
        nir_intrinsic_atomic_counter_exchange_deref,
        nir_intrinsic_atomic_counter_comp_swap_deref,
        nir_intrinsic_atomic_counter_add_deref, /* subtract */
    };
    nir_def *src[3] = {0};
    for (unsigned i = 1; i < in->num_args; i++)
        src[i] = h2n_eval_vec(h, in->args[i]);
    if (in->op == HIR_INTRINSIC_COUNTER_SUBTRACT)
        src[1] = nir_ineg(&h->b, src[1]);
    nir_deref_instr *deref = h2n_opaque_deref(h, in->args[0]);
    if (!deref)
        return NULL;
    src[0] = &deref->def;
    return insert(
        h, create(h, ops[in->op - HIR_INTRINSIC_COUNTER_INCREMENT], src, in->num_args, 1, 32));
}

/* -------------------------------------------------------------------------------- barriers --- */

/* Emits a barrier (GLSL 4.60 §8.16, §8.17). barrier() orders what the invocations of a group share:
 * outputs in tessellation control shaders, shared variables in compute shaders. */
static void barrier(struct h2n *h, enum hir_intrinsic_op op)
{
    const unsigned buffers = nir_var_mem_ssbo, images = nir_var_uniform;
    const unsigned shared = nir_var_mem_shared;
    unsigned modes = buffers | images;
    nir_scope scope = NIR_SCOPE_DEVICE, execution = NIR_SCOPE_NONE;
    switch (op) {
    case HIR_INTRINSIC_BARRIER:
        execution = scope = NIR_SCOPE_WORKGROUP;
        modes = h->st->stage == SHADER_TESS_CTRL ? nir_var_shader_out : shared;
        /* The API layer turns the payload and the outputs of meshes into buffers. */
        if (h->st->stage == SHADER_TASK || h->st->stage == SHADER_MESH)
            modes |= nir_var_shader_out | buffers;
        break;
    case HIR_INTRINSIC_MEMORY_BARRIER_ATOMIC_COUNTER:
    case HIR_INTRINSIC_MEMORY_BARRIER_BUFFER:
        modes = buffers;
        break;
    case HIR_INTRINSIC_MEMORY_BARRIER_IMAGE:
        modes = images;
        break;
    case HIR_INTRINSIC_MEMORY_BARRIER_SHARED:
        modes = shared;
        break;
    case HIR_INTRINSIC_SUBGROUP_BARRIER:
        execution = NIR_SCOPE_SUBGROUP;
        /* fallthrough */
    case HIR_INTRINSIC_SUBGROUP_MEMORY_BARRIER ... HIR_INTRINSIC_SUBGROUP_MEMORY_BARRIER_SHARED:
        scope = NIR_SCOPE_SUBGROUP;
        modes = op == HIR_INTRINSIC_SUBGROUP_MEMORY_BARRIER_BUFFER   ? buffers
                : op == HIR_INTRINSIC_SUBGROUP_MEMORY_BARRIER_IMAGE  ? images
                : op == HIR_INTRINSIC_SUBGROUP_MEMORY_BARRIER_SHARED ? shared
                                                                     : buffers | images | shared;
        break;
    case HIR_INTRINSIC_GROUP_MEMORY_BARRIER:
        scope = NIR_SCOPE_WORKGROUP;
        modes |= shared;
        break;
    default:
        if (shader_stage_has_workgroups(h->st->stage))
            modes |= shared;
    }
    nir_barrier(&h->b, .execution_scope = execution, .memory_scope = scope,
                .memory_semantics = NIR_MEMORY_ACQ_REL, .memory_modes = modes);
}

/* ----------------------------------------------------------------------------- invocations --- */

/* Emits an intrinsic whose sources are the arguments. */
static nir_def *intrinsic_of_args(struct h2n *h, const struct hir_intrinsic *in,
                                  nir_intrinsic_op op)
{
    nir_def *src[2] = {0};
    for (unsigned i = 0; i < in->num_args; i++)
        src[i] = h2n_eval_vec(h, in->args[i]);
    const struct glsl_type *t = in->return_deref->type;
    nir_intrinsic_instr *intr =
        create(h, op, src, in->num_args, t->vector_elements, glsl_bit_size(t));
    if (in->num_args && nir_intrinsic_infos[op].src_components[0] == 0)
        intr->num_components = src[0]->num_components;
    return insert(h, intr);
}

/* Returns the NIR intrinsic that takes the same arguments. */
static nir_intrinsic_op subgroup_intrinsic(enum hir_intrinsic_op op)
{
    static const nir_intrinsic_op ops[] = {
        [HIR_INTRINSIC_BALLOT] = nir_intrinsic_ballot,
        [HIR_INTRINSIC_READ_INVOCATION] = nir_intrinsic_read_invocation,
        [HIR_INTRINSIC_READ_FIRST_INVOCATION] = nir_intrinsic_read_first_invocation,
        [HIR_INTRINSIC_ELECT] = nir_intrinsic_elect,
        [HIR_INTRINSIC_SHUFFLE] = nir_intrinsic_shuffle,
        [HIR_INTRINSIC_SHUFFLE_XOR] = nir_intrinsic_shuffle_xor,
        [HIR_INTRINSIC_SHUFFLE_UP] = nir_intrinsic_shuffle_up,
        [HIR_INTRINSIC_SHUFFLE_DOWN] = nir_intrinsic_shuffle_down,
        [HIR_INTRINSIC_QUAD_BROADCAST] = nir_intrinsic_quad_broadcast,
        [HIR_INTRINSIC_QUAD_SWAP_HORIZONTAL] = nir_intrinsic_quad_swap_horizontal,
        [HIR_INTRINSIC_QUAD_SWAP_VERTICAL] = nir_intrinsic_quad_swap_vertical,
        [HIR_INTRINSIC_QUAD_SWAP_DIAGONAL] = nir_intrinsic_quad_swap_diagonal,
    };
    return ops[op];
}

static nir_def *ballot_function(struct h2n *h, const struct hir_intrinsic *in)
{
    nir_builder *b = &h->b;
    nir_def *ballot = h2n_eval_vec(h, in->args[0]);
    switch (in->op) {
    case HIR_INTRINSIC_INVERSE_BALLOT:
        return nir_build_inverse_ballot(b, ballot);
    case HIR_INTRINSIC_BALLOT_BIT_EXTRACT:
        return nir_build_ballot_bit_extract(b, ballot, h2n_eval_vec(h, in->args[1]));
    case HIR_INTRINSIC_BALLOT_BIT_COUNT:
        return nir_build_ballot_bit_count(b, ballot);
    case HIR_INTRINSIC_BALLOT_BIT_COUNT_INCLUSIVE:
        return nir_build_ballot_masked_bit_count(b, ballot, SYSTEM_VALUE_SUBGROUP_LE_MASK);
    case HIR_INTRINSIC_BALLOT_BIT_COUNT_EXCLUSIVE:
        return nir_build_ballot_masked_bit_count(b, ballot, SYSTEM_VALUE_SUBGROUP_LT_MASK);
    case HIR_INTRINSIC_BALLOT_FIND_LSB:
        return nir_build_ballot_find_lsb(b, ballot);
    default:
        return nir_build_ballot_find_msb(b, ballot);
    }
}

static bool is_floating(const struct glsl_type *type)
{
    return type->base_type == GLSL_TYPE_FLOAT || type->base_type == GLSL_TYPE_DOUBLE;
}

/* Returns the operation of a reduction, given the index of its name's last word and the type of the
 * value. */
static nir_op reduction_op(unsigned word, const struct glsl_type *type)
{
    static const nir_op ops[][3] = {
        /* floating point, int, uint and bool */
        {nir_op_fadd, nir_op_iadd, nir_op_iadd}, {nir_op_fmul, nir_op_imul, nir_op_imul},
        {nir_op_fmin, nir_op_imin, nir_op_umin}, {nir_op_fmax, nir_op_imax, nir_op_umax},
        {nir_op_iand, nir_op_iand, nir_op_iand}, {nir_op_ior, nir_op_ior, nir_op_ior},
        {nir_op_ixor, nir_op_ixor, nir_op_ixor},
    };
    return ops[word][is_floating(type) ? 0 : type->base_type == GLSL_TYPE_INT ? 1 : 2];
}

static nir_def *reduction(struct h2n *h, const struct hir_intrinsic *in)
{
    nir_def *value = h2n_eval_vec(h, in->args[0]);
    unsigned word = in->op - HIR_INTRINSIC_REDUCE_ADD;
    const unsigned words = HIR_INTRINSIC_INCLUSIVE_SCAN_ADD - HIR_INTRINSIC_REDUCE_ADD;
    nir_op op = reduction_op(word % words, in->args[0]->type);
    if (in->op >= HIR_INTRINSIC_EXCLUSIVE_SCAN_ADD)
        return nir_exclusive_scan(&h->b, value, .reduction_op = op);
    if (in->op >= HIR_INTRINSIC_INCLUSIVE_SCAN_ADD)
        return nir_inclusive_scan(&h->b, value, .reduction_op = op);
    nir_def *cluster = in->num_args > 1 ? h2n_eval_vec(h, in->args[1]) : NULL;
    unsigned size =
        cluster ? (unsigned)nir_src_as_uint(nir_src_for_ssa(cluster)) : 0; /* is constant */
    return nir_reduce(&h->b, value, .reduction_op = op, .cluster_size = size);
}

static nir_def *build_clock(struct h2n *h, const struct glsl_type *type)
{
    nir_def *pair = insert(h, create(h, nir_intrinsic_shader_clock, NULL, 0, 2, 32));
    return glsl_type_is_64bit(type) ? nir_pack_64_2x32(&h->b, pair) : pair;
}

/* Emits EmitMeshTasksEXT or SetMeshOutputsEXT. */
static void mesh_counts(struct h2n *h, const struct hir_intrinsic *in)
{
    nir_def *n[3];
    for (unsigned i = 0; i < in->num_args; i++)
        n[i] = h2n_eval_vec(h, in->args[i]);
    if (in->op == HIR_INTRINSIC_EMIT_MESH_TASKS)
        nir_emit_mesh_tasks(&h->b, n[0], n[1], n[2]);
    else
        nir_set_mesh_outputs(&h->b, n[0], n[1]);
}

static nir_def *build(struct h2n *h, const struct hir_intrinsic *in)
{
    switch (in->op) {
    case HIR_INTRINSIC_BARRIER ... HIR_INTRINSIC_SUBGROUP_MEMORY_BARRIER_SHARED:
        barrier(h, in->op);
        return NULL;
    case HIR_INTRINSIC_IMAGE_LOAD ... HIR_INTRINSIC_IMAGE_ATOMIC_COMP_SWAP:
        return image_intrinsic(h, in);
    case HIR_INTRINSIC_ATOMIC_ADD ... HIR_INTRINSIC_ATOMIC_COMP_SWAP:
        return memory_atomic(h, in);
    case HIR_INTRINSIC_COUNTER_INCREMENT ... HIR_INTRINSIC_COUNTER_SUBTRACT:
        return counter(h, in);
    case HIR_INTRINSIC_VOTE_ANY:
        return intrinsic_of_args(h, in, nir_intrinsic_vote_any);
    case HIR_INTRINSIC_VOTE_ALL:
        return intrinsic_of_args(h, in, nir_intrinsic_vote_all);
    case HIR_INTRINSIC_VOTE_EQUAL:
        return intrinsic_of_args(h, in,
                                 is_floating(in->args[0]->type) ? nir_intrinsic_vote_feq
                                                                : nir_intrinsic_vote_ieq);
    case HIR_INTRINSIC_BALLOT ... HIR_INTRINSIC_READ_FIRST_INVOCATION:
    case HIR_INTRINSIC_SHUFFLE ... HIR_INTRINSIC_QUAD_SWAP_DIAGONAL:
    case HIR_INTRINSIC_ELECT:
        return intrinsic_of_args(h, in, subgroup_intrinsic(in->op));
    case HIR_INTRINSIC_INVERSE_BALLOT ... HIR_INTRINSIC_BALLOT_FIND_MSB:
        return ballot_function(h, in);
    case HIR_INTRINSIC_REDUCE_ADD ... HIR_INTRINSIC_EXCLUSIVE_SCAN_XOR:
        return reduction(h, in);
    case HIR_INTRINSIC_HELPER_INVOCATION:
        return intrinsic_of_args(h, in, nir_intrinsic_is_helper_invocation);
    case HIR_INTRINSIC_EMIT_MESH_TASKS:
    case HIR_INTRINSIC_SET_MESH_OUTPUTS:
        mesh_counts(h, in);
        return NULL;
    case HIR_INTRINSIC_INTERLOCK_BEGIN:
        nir_begin_invocation_interlock(&h->b);
        return NULL;
    case HIR_INTRINSIC_INTERLOCK_END:
        nir_end_invocation_interlock(&h->b);
        return NULL;
    case HIR_INTRINSIC_SAMPLES_IDENTICAL:
        return h2n_samples_identical(h, in->args[0], in->args[1]);
    case HIR_INTRINSIC_CLOCK:
        return build_clock(h, in->return_deref->type);
    default:
        assert(!"intrinsic without a builder");
        return NULL;
    }
}

void h2n_intrinsic(struct h2n *h, const struct hir_intrinsic *in)
{
    nir_def *value = build(h, in);
    if (!in->return_deref)
        return;
    const struct glsl_type *t = in->return_deref->type;
    if (!value) /* an opaque value that the linker has rejected */
        value = nir_undef(&h->b, t->vector_elements, glsl_bit_size(t));
    nir_variable *var = h2n_variable(h, hir_variable_referenced(in->return_deref));
    nir_store_var(&h->b, var, value, BITFIELD_MASK(t->vector_elements));
}
