/* SPDX-License-Identifier: MIT */
/* Deref chains: walking, comparison and removal. */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_private.h"

nir_deref_instr *nir_src_as_deref(nir_src src)
{
    if (src.ssa->parent_instr->type != nir_instr_type_deref)
        return NULL;
    return nir_instr_as_deref(src.ssa->parent_instr);
}

nir_deref_instr *nir_intrinsic_value_deref(nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_deref:
    case nir_intrinsic_store_deref:
    case nir_intrinsic_interp_deref_at_centroid:
    case nir_intrinsic_interp_deref_at_sample:
    case nir_intrinsic_interp_deref_at_offset:
        return nir_src_as_deref(intr->src[0]);
    default:
        return NULL;
    }
}

nir_variable *nir_deref_instr_get_variable(const nir_deref_instr *deref)
{
    while (deref && deref->deref_type != nir_deref_type_var) {
        if (deref->deref_type == nir_deref_type_cast)
            return NULL;
        deref = nir_deref_instr_parent(deref);
    }
    return deref ? deref->var : NULL;
}

bool nir_deref_instr_has_indirect(const nir_deref_instr *deref)
{
    for (; deref && deref->deref_type != nir_deref_type_var;
         deref = nir_deref_instr_parent(deref)) {
        if (deref->deref_type == nir_deref_type_cast)
            return true;
        if (deref->deref_type == nir_deref_type_array && !nir_src_is_const(deref->arr.index))
            return true;
    }
    return false;
}

bool nir_deref_instr_remove_if_unused(nir_deref_instr *deref)
{
    bool progress = false;
    while (deref && nir_def_is_unused(&deref->def)) {
        nir_deref_instr *parent = nir_deref_instr_parent(deref);
        nir_instr_remove(&deref->instr);
        deref = parent;
        progress = true;
    }
    return progress;
}

void nir_deref_path_init(nir_deref_path *path, nir_deref_instr *deref, void *mem_ctx)
{
    unsigned count = 0;
    for (nir_deref_instr *d = deref; d; d = nir_deref_instr_parent(d))
        count++;
    path->path = count < ARRAY_SIZE(path->short_path)
                     ? path->short_path
                     : talloc_array(mem_ctx, nir_deref_instr *, count + 1);
    path->path[count] = NULL;
    for (nir_deref_instr *d = deref; d; d = nir_deref_instr_parent(d))
        path->path[--count] = d;
}

void nir_deref_path_finish(nir_deref_path *path)
{
    if (path->path != path->short_path)
        talloc_free(path->path);
    path->path = NULL;
}

static nir_deref_compare_result compare_roots(const nir_deref_instr *a, const nir_deref_instr *b)
{
    nir_variable_mode buffers = nir_var_mem_ssbo | nir_var_mem_ubo | nir_var_mem_global;
    if (!(a->modes & b->modes))
        return nir_derefs_do_not_alias;
    if (a->deref_type != nir_deref_type_var || b->deref_type != nir_deref_type_var)
        return nir_derefs_may_alias_bit;
    if (a->var == b->var)
        return nir_derefs_equal_bit | nir_derefs_may_alias_bit | nir_derefs_a_contains_b_bit |
               nir_derefs_b_contains_a_bit;
    /* Two blocks may be bound to the same buffer. */
    if ((a->var->data.mode & buffers) &&
        !((a->var->data.access | b->var->data.access) & ACCESS_RESTRICT))
        return nir_derefs_may_alias_bit;
    return nir_derefs_do_not_alias;
}

/* Compares one step of both paths and returns the combined result. `result` says how the parents
 * compare: equal, or one contains the other through wildcards. */
static nir_deref_compare_result compare_step(nir_deref_compare_result result,
                                             const nir_deref_instr *a, const nir_deref_instr *b)
{
    if (a->deref_type == nir_deref_type_struct && b->deref_type == nir_deref_type_struct)
        return a->strct.index == b->strct.index ? result : nir_derefs_do_not_alias;

    bool a_wild = a->deref_type == nir_deref_type_array_wildcard;
    bool b_wild = b->deref_type == nir_deref_type_array_wildcard;
    bool a_array = a->deref_type == nir_deref_type_array;
    bool b_array = b->deref_type == nir_deref_type_array;
    if (!(a_wild || a_array) || !(b_wild || b_array))
        return nir_derefs_may_alias_bit;
    if (a_wild && b_wild)
        return result;
    if (a_wild)
        return result & ~(nir_derefs_b_contains_a_bit | nir_derefs_equal_bit);
    if (b_wild)
        return result & ~(nir_derefs_a_contains_b_bit | nir_derefs_equal_bit);
    if (a->arr.index.ssa == b->arr.index.ssa)
        return result;
    if (nir_src_is_const(a->arr.index) && nir_src_is_const(b->arr.index)) {
        if (nir_src_as_uint(a->arr.index) == nir_src_as_uint(b->arr.index))
            return result;
        return nir_derefs_do_not_alias;
    }
    return nir_derefs_may_alias_bit;
}

nir_deref_compare_result nir_compare_derefs(nir_deref_instr *a, nir_deref_instr *b)
{
    nir_deref_path pa, pb;
    if (a == b)
        return nir_derefs_equal_bit | nir_derefs_may_alias_bit | nir_derefs_a_contains_b_bit |
               nir_derefs_b_contains_a_bit;
    nir_deref_path_init(&pa, a, NULL);
    nir_deref_path_init(&pb, b, NULL);

    nir_deref_compare_result result = compare_roots(pa.path[0], pb.path[0]);
    bool unsure = result == nir_derefs_may_alias_bit;
    bool same_variable = !unsure;
    unsigned i = 1;
    for (; result && same_variable && pa.path[i] && pb.path[i]; i++) {
        nir_deref_compare_result step = compare_step(result, pa.path[i], pb.path[i]);
        unsure |= step == nir_derefs_may_alias_bit;
        /* A later step may still prove that the derefs don't alias, as for a[i].x and a[j].y. */
        result = step && unsure ? nir_derefs_may_alias_bit : step;
    }
    if (result && !unsure) {
        /* The shorter path contains the longer one. */
        if (pa.path[i])
            result &= ~(nir_derefs_equal_bit | nir_derefs_a_contains_b_bit);
        else if (pb.path[i])
            result &= ~(nir_derefs_equal_bit | nir_derefs_b_contains_a_bit);
    }
    nir_deref_path_finish(&pa);
    nir_deref_path_finish(&pb);
    return result;
}

nir_deref_instr *nir_build_deref_chain(nir_builder *b, nir_deref_instr *deref)
{
    if (deref->deref_type == nir_deref_type_var)
        return nir_build_deref_var(b, deref->var);
    if (deref->deref_type == nir_deref_type_cast)
        return nir_build_deref_cast(b, deref->parent.ssa, deref->modes, deref->type);
    nir_deref_instr *parent = nir_build_deref_chain(b, nir_deref_instr_parent(deref));
    return nir_build_deref_follower(b, parent, deref);
}

static void fixup_modes(nir_function_impl *impl, nir_deref_instr *deref)
{
    nir_deref_instr *parent = nir_deref_instr_parent(deref);
    if (deref->deref_type == nir_deref_type_var)
        deref->modes = deref->var->data.mode;
    else if (parent && deref->deref_type != nir_deref_type_cast)
        deref->modes = parent->modes;
    nir_impl_add_instr_kind(impl, &deref->instr);
}

void nir_fixup_deref_modes(nir_shader *shader)
{
    nir_foreach_function_impl (impl, shader) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                if (instr->type == nir_instr_type_deref)
                    fixup_modes(impl, nir_instr_as_deref(instr));
            }
        }
    }
}
