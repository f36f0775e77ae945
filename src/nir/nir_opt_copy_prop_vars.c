/* SPDX-License-Identifier: MIT */
/*
 * Replaces a load that follows a store or load of the same deref by that value. The walk follows
 * the control flow tree. A branch starts with the values known before the if; after the if, the
 * values that neither branch changed are known. A loop starts with the values that it doesn't
 * write.
 */
#include "nir.h"

#include "util/dynarray.h"

struct entry {
    nir_deref_instr *deref;
    nir_def *value; /* all components */
};

typedef DYNARRAY(struct entry) entry_list;

/* Limit of the remembered values; comparing each deref with all of them must stay cheap. */
#define MAX_ENTRIES 64

static bool is_volatile(nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    unsigned access = nir_intrinsic_access(intr) | (var ? var->data.access : 0);
    return access & (ACCESS_VOLATILE | ACCESS_COHERENT);
}

static void remember(entry_list *entries, nir_deref_instr *deref, nir_def *value)
{
    if (entries->count == MAX_ENTRIES) {
        memmove(entries->data, entries->data + 1, (MAX_ENTRIES - 1) * sizeof *entries->data);
        entries->count--;
    }
    (void)dynarray_append(entries, ((struct entry){deref, value}));
}

/* Forgets the values that a write to deref may change. */
static void kill_aliases(entry_list *entries, nir_deref_instr *deref)
{
    for (unsigned i = entries->count; i-- > 0;) {
        if (nir_compare_derefs(entries->data[i].deref, deref) != nir_derefs_do_not_alias)
            entries->data[i] = entries->data[--entries->count];
    }
}

static void kill_modes(entry_list *entries, nir_variable_mode modes)
{
    for (unsigned i = entries->count; i-- > 0;) {
        if (entries->data[i].deref->modes & modes)
            entries->data[i] = entries->data[--entries->count];
    }
}

static struct entry *find(entry_list *entries, nir_deref_instr *deref)
{
    for (unsigned i = 0; i < entries->count; i++) {
        if (nir_compare_derefs(entries->data[i].deref, deref) & nir_derefs_equal_bit)
            return &entries->data[i];
    }
    return NULL;
}

static bool visit_load(entry_list *entries, nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    if (!deref || is_volatile(intr))
        return false;
    struct entry *e = find(entries, deref);
    if (!e) {
        remember(entries, deref, &intr->def);
        return false;
    }
    nir_def_replace(&intr->def, e->value);
    return true;
}

static bool visit_store(entry_list *entries, nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    if (!deref)
        return false;
    unsigned mask = nir_intrinsic_write_mask(intr), all = BITFIELD_MASK(intr->num_components);
    struct entry *e = is_volatile(intr) ? NULL : find(entries, deref);
    if (e && e->value == intr->src[1].ssa) {
        nir_instr_remove(&intr->instr); /* the variable has this value already */
        return true;
    }
    kill_aliases(entries, deref);
    if (mask == all && !is_volatile(intr))
        remember(entries, deref, intr->src[1].ssa);
    return false;
}

/* Returns the modes that other invocations or functions may change at this instruction. */
static nir_variable_mode modes_written_by(nir_instr *instr)
{
    nir_variable_mode shared = nir_var_mem_ssbo | nir_var_mem_shared | nir_var_mem_global |
                               nir_var_image | nir_var_shader_out;
    if (instr->type == nir_instr_type_call)
        return nir_var_all;
    if (instr->type != nir_instr_type_intrinsic)
        return 0;
    switch (nir_instr_as_intrinsic(instr)->intrinsic) {
    case nir_intrinsic_barrier:
    case nir_intrinsic_begin_invocation_interlock:
    case nir_intrinsic_end_invocation_interlock:
    case nir_intrinsic_deref_atomic:
    case nir_intrinsic_deref_atomic_swap:
    case nir_intrinsic_store_ssbo:
    case nir_intrinsic_ssbo_atomic:
    case nir_intrinsic_ssbo_atomic_swap:
    case nir_intrinsic_store_global:
    case nir_intrinsic_global_atomic:
    case nir_intrinsic_global_atomic_swap:
    case nir_intrinsic_emit_vertex:
        return shared;
    default:
        return 0;
    }
}

static void kill_writes_of(entry_list *entries, nir_instr *instr)
{
    nir_variable_mode written = modes_written_by(instr);
    if (written)
        kill_modes(entries, written);
    if (instr->type != nir_instr_type_intrinsic)
        return;
    nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    if (intr->intrinsic != nir_intrinsic_store_deref && intr->intrinsic != nir_intrinsic_copy_deref)
        return;
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    if (deref)
        kill_aliases(entries, deref);
    else
        entries->count = 0;
}

static bool visit_block(entry_list *entries, nir_block *block)
{
    bool progress = false;
    nir_foreach_instr_safe (instr, block) {
        nir_intrinsic_op op = instr->type == nir_instr_type_intrinsic
                                  ? nir_instr_as_intrinsic(instr)->intrinsic
                                  : nir_num_intrinsics;
        if (op == nir_intrinsic_load_deref)
            progress |= visit_load(entries, nir_instr_as_intrinsic(instr));
        else if (op == nir_intrinsic_store_deref)
            progress |= visit_store(entries, nir_instr_as_intrinsic(instr));
        else
            kill_writes_of(entries, instr);
    }
    return progress;
}

static bool visit_list(entry_list *entries, struct list_head *list);

static entry_list copy_of(const entry_list *entries)
{
    entry_list copy = {0};
    if (dynarray_reserve(&copy, entries->count) && entries->count)
        memcpy(copy.data, entries->data, entries->count * sizeof *copy.data);
    copy.count = copy.data ? entries->count : 0;
    return copy;
}

/* Keeps only entries that `other` has, too. */
static void intersect(entry_list *entries, const entry_list *other)
{
    for (unsigned i = entries->count; i-- > 0;) {
        bool both = false;
        for (unsigned k = 0; k < other->count && !both; k++)
            both = entries->data[i].deref == other->data[k].deref &&
                   entries->data[i].value == other->data[k].value;
        if (!both)
            entries->data[i] = entries->data[--entries->count];
    }
}

static bool ends_in_jump(struct list_head *list)
{
    return nir_block_ends_in_jump(nir_cf_node_as_block(list_last_entry(list, nir_cf_node, node)));
}

/* A branch that ends in a jump doesn't affect the values known after the if. */
static bool visit_if(entry_list *entries, nir_if *nif)
{
    bool progress = false;
    struct list_head *branches[2] = {&nif->then_list, &nif->else_list};
    entry_list before = copy_of(entries);
    for (unsigned i = 0; i < 2; i++) {
        entry_list branch = copy_of(&before);
        progress |= visit_list(&branch, branches[i]);
        if (!ends_in_jump(branches[i]))
            intersect(entries, &branch);
        dynarray_finish(&branch);
    }
    dynarray_finish(&before);
    return progress;
}

static bool visit_loop(entry_list *entries, nir_loop *loop)
{
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    for (nir_block *block = nir_loop_first_block(loop); entries->count && block != following;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block)
            kill_writes_of(entries, instr);
    }
    entry_list body = copy_of(entries);
    bool progress = visit_list(&body, &loop->body);
    dynarray_finish(&body);
    return progress;
}

static bool visit_list(entry_list *entries, struct list_head *list)
{
    bool progress = false;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block)
            progress |= visit_block(entries, nir_cf_node_as_block(node));
        else if (node->type == nir_cf_node_if)
            progress |= visit_if(entries, nir_cf_node_as_if(node));
        else
            progress |= visit_loop(entries, nir_cf_node_as_loop(node));
    }
    return progress;
}

bool nir_opt_copy_prop_vars(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        entry_list entries = {0};
        progress |=
            nir_progress(visit_list(&entries, &impl->body), impl, nir_metadata_control_flow);
        dynarray_finish(&entries);
    }
    return progress;
}
