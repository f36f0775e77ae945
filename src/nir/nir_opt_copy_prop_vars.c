/* SPDX-License-Identifier: MIT */
/*
 * A load behind a store or load of the same deref gets that value, within a block: what spans them
 * is vars_to_ssa's.
 */
#include "nir.h"

#include "nir_builder.h"

#include "util/dynarray.h"

struct entry {
    nir_deref_instr *deref;
    nir_def *value; /* all components */
};

typedef DYNARRAY(struct entry) entry_list;

/* Values remembered at a time: comparing derefs must not make compiling quadratic. */
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

/* Forgets what a write to deref may change. */
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
        nir_instr_remove(&intr->instr); /* it holds that already */
        return true;
    }
    kill_aliases(entries, deref);
    if (mask == all && !is_volatile(intr))
        remember(entries, deref, intr->src[1].ssa);
    return false;
}

/* What other invocations or functions may change at an instruction of this kind. */
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

static bool visit_block(entry_list *entries, nir_block *block)
{
    bool progress = false;
    entries->count = 0;
    nir_foreach_instr_safe(instr, block) {
        nir_variable_mode written = modes_written_by(instr);
        if (written)
            kill_modes(entries, written);
        if (instr->type != nir_instr_type_intrinsic)
            continue;
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (intr->intrinsic == nir_intrinsic_load_deref)
            progress |= visit_load(entries, intr);
        else if (intr->intrinsic == nir_intrinsic_store_deref)
            progress |= visit_store(entries, intr);
        else if (intr->intrinsic == nir_intrinsic_copy_deref)
            kill_aliases(entries, nir_src_as_deref(intr->src[0]));
    }
    return progress;
}

bool nir_opt_copy_prop_vars(nir_shader *shader)
{
    bool progress = false;
    entry_list entries = {0};
    nir_foreach_function_impl(impl, shader) {
        bool impl_progress = false;
        nir_foreach_block(block, impl)
            impl_progress |= visit_block(&entries, block);
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    dynarray_finish(&entries);
    return progress;
}
