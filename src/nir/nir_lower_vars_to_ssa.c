/* SPDX-License-Identifier: MIT */
/*
 * Promotes function temporaries to SSA values. Every path of constant steps from a variable to a
 * vector or scalar becomes a separate value, unless an access with a variable index, a copy, an
 * atomic, a call or a cast may reach it; then it stays in memory. At the start of the function,
 * values of variables with zero_first are 0, and others are undefined.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_phi_builder.h"

#include "util/dynarray.h"

/* A block that stores to a node. */
struct store {
    struct store *next;
    nir_block *block;
};

/* A variable, or a part of it that constant steps select. */
struct node {
    const struct glsl_type *type;
    struct node *parent;
    struct node **children; /* by field or element, created on demand */
    unsigned num_children;
    bool blocked;    /* this node and its children stay in memory */
    bool is_leaf;    /* accessed by a load or store */
    bool zero_first; /* nir_variable.data.zero_first */
    struct store *stores;
    struct nir_phi_builder_value *value;
};

struct state {
    void *mem_ctx;
    struct arena *arena;
    nir_function_impl *impl;
    struct node **vars; /* by nir_variable.index */
    DYNARRAY(struct node *) leaves;
};

static struct node *node_new(struct state *s, struct node *parent, const struct glsl_type *type)
{
    struct node *node = arena_zalloc(s->arena, sizeof *node);
    node->type = type;
    node->parent = parent;
    node->zero_first = parent && parent->zero_first;
    if (glsl_type_is_array(type) || glsl_type_is_struct_or_ifc(type))
        node->num_children = type->length;
    else if (glsl_type_is_matrix(type))
        node->num_children = type->matrix_columns;
    return node;
}

static struct node *node_child(struct state *s, struct node *node, uint64_t index,
                               const struct glsl_type *type)
{
    if (!node->children)
        node->children = arena_zalloc(s->arena, node->num_children * sizeof *node->children);
    if (!node->children[index])
        node->children[index] = node_new(s, node, type);
    return node->children[index];
}

/* Returns the node of deref. If a step has a variable or out-of-range index, returns the node
 * before this step and sets *direct to false. Returns NULL if the variable is not a function
 * temporary. */
static struct node *find_node(struct state *s, nir_deref_instr *deref, bool *direct)
{
    if (deref->deref_type == nir_deref_type_var) {
        if (deref->var->data.mode != nir_var_function_temp)
            return NULL;
        struct node **node = &s->vars[deref->var->index];
        if (!*node) {
            *node = node_new(s, NULL, deref->type);
            (*node)->zero_first = deref->var->data.zero_first;
        }
        return *node;
    }
    nir_deref_instr *parent = nir_deref_instr_parent(deref);
    if (!parent)
        return NULL;
    struct node *node = find_node(s, parent, direct);
    if (!node || !*direct)
        return node;
    if (deref->deref_type == nir_deref_type_struct)
        return node_child(s, node, deref->strct.index, deref->type);
    if (deref->deref_type == nir_deref_type_array && nir_src_is_const(deref->arr.index) &&
        nir_src_as_uint(deref->arr.index) < node->num_children)
        return node_child(s, node, nir_src_as_uint(deref->arr.index), deref->type);
    *direct = false;
    return node;
}

static bool is_load_or_store(nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return false;
    nir_intrinsic_op op = nir_instr_as_intrinsic(instr)->intrinsic;
    return op == nir_intrinsic_load_deref || op == nir_intrinsic_store_deref;
}

/* Returns true if the use is a further deref step, a load or a store. */
static bool use_is_simple(nir_src *src)
{
    if (nir_src_is_if(src))
        return false;
    nir_instr *user = nir_src_parent_instr(src);
    if (user->type == nir_instr_type_deref)
        return nir_instr_as_deref(user)->deref_type != nir_deref_type_cast &&
               nir_instr_as_deref(user)->deref_type != nir_deref_type_array_wildcard &&
               src == &nir_instr_as_deref(user)->parent;
    return is_load_or_store(user) && src == &nir_instr_as_intrinsic(user)->src[0];
}

static void add_store(struct state *s, struct node *node, nir_block *block)
{
    if (node->stores && node->stores->block == block)
        return;
    struct store *store = arena_alloc(s->arena, sizeof *store);
    *store = (struct store){node->stores, block};
    node->stores = store;
}

static void gather_deref(struct state *s, nir_deref_instr *deref)
{
    bool direct = true;
    struct node *node = find_node(s, deref, &direct);
    if (!node)
        return;
    if (!direct) {
        node->blocked = true;
        return;
    }
    nir_foreach_use_including_if(src, &deref->def)
    {
        if (!use_is_simple(src)) {
            node->blocked = true;
        } else if (nir_src_parent_instr(src)->type == nir_instr_type_intrinsic) {
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(nir_src_parent_instr(src));
            if (!node->is_leaf) {
                node->is_leaf = true;
                (void)dynarray_append(&s->leaves, node);
            }
            if (intr->intrinsic == nir_intrinsic_store_deref)
                add_store(s, node, intr->instr.block);
        }
    }
}

static bool leaf_is_lowered(const struct node *node)
{
    for (; node; node = node->parent) {
        if (node->blocked)
            return false;
    }
    return true;
}

/* Returns the stored value, with the old components where the write mask is clear. */
static nir_def *merge(nir_builder *b, struct node *node, nir_intrinsic_instr *store)
{
    nir_def *value = store->src[1].ssa;
    unsigned n = value->num_components, mask = nir_intrinsic_write_mask(store);
    if (mask == BITFIELD_MASK(n))
        return value;
    nir_def *old = nir_phi_builder_get_block_def(node->value, store->instr.block);
    nir_scalar comps[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < n; c++)
        comps[c] = nir_get_scalar(mask & (1u << c) ? value : old, c);
    b->cursor = nir_before_instr(&store->instr);
    return nir_vec_scalars(b, comps, n);
}

static bool rename_access(struct state *s, nir_builder *b, nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    bool direct = true;
    struct node *node = deref ? find_node(s, deref, &direct) : NULL;
    if (!node || !direct || !node->value)
        return false;
    nir_block *block = intr->instr.block;
    if (intr->intrinsic == nir_intrinsic_store_deref) {
        nir_def *value = merge(b, node, intr);
        nir_phi_builder_set_block_def(node->value, block, value);
        nir_instr_remove(&intr->instr);
    } else {
        nir_def_replace(&intr->def, nir_phi_builder_get_block_def(node->value, block));
    }
    nir_deref_instr_remove_if_unused(deref);
    return true;
}

static bool rename_all(struct state *s, struct nir_phi_builder *pb)
{
    nir_builder b = nir_builder_create(s->impl);
    bool progress = false;
    nir_foreach_block (block, s->impl) {
        nir_foreach_instr_safe (instr, block) {
            if (is_load_or_store(instr))
                progress |= rename_access(s, &b, nir_instr_as_intrinsic(instr));
        }
    }
    nir_phi_builder_finish(pb);
    return progress;
}

/* Sets the values of variables with zero_first to 0 at the start of the function. */
static void set_zeros(struct state *s)
{
    nir_builder b = nir_builder_at(nir_before_impl(s->impl));
    for (unsigned i = 0; i < s->leaves.count; i++) {
        const struct node *node = s->leaves.data[i];
        if (node->value && node->zero_first)
            nir_phi_builder_set_block_def(
                node->value, nir_start_block(s->impl),
                nir_imm_zero(&b, node->type->vector_elements, glsl_bit_size(node->type)));
    }
}

static bool lower_vars_to_ssa_impl(nir_function_impl *impl)
{
    struct state s = {.impl = impl};
    unsigned num_vars = 0;
    nir_foreach_function_temp_variable(var, impl) var->index = num_vars++;
    if (!num_vars)
        return nir_progress(false, impl, nir_metadata_all);
    s.mem_ctx = talloc_new(NULL);
    s.arena = arena_create(s.mem_ctx);
    s.vars = talloc_zero_array(s.mem_ctx, struct node *, num_vars);
    s.leaves.mem_ctx = s.mem_ctx;
    nir_metadata_require(impl, nir_metadata_dominance | nir_metadata_block_index);
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type == nir_instr_type_deref)
                gather_deref(&s, nir_instr_as_deref(instr));
        }
    }

    struct nir_phi_builder *pb = NULL;
    for (unsigned i = 0; i < s.leaves.count; i++) {
        struct node *node = s.leaves.data[i];
        if (!leaf_is_lowered(node))
            continue;
        if (!pb)
            pb = nir_phi_builder_create(impl);
        node->value =
            nir_phi_builder_add_value(pb, node->type->vector_elements, glsl_bit_size(node->type));
        for (struct store *store = node->stores; store; store = store->next)
            nir_phi_builder_add_def_block(node->value, store->block);
        if (node->zero_first)
            nir_phi_builder_add_def_block(node->value, nir_start_block(impl));
    }
    if (pb)
        set_zeros(&s);
    bool progress = pb && rename_all(&s, pb);
    talloc_free(s.mem_ctx);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_lower_vars_to_ssa(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= lower_vars_to_ssa_impl(impl);
    return progress;
}
