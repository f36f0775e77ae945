/* SPDX-License-Identifier: MIT */
/*
 * Makes fragment shader inputs flat that have the same value at all vertices of a primitive,
 * because interpolation would not change them. These are outputs of vertex and tessellation
 * evaluation shaders that depend only on uniforms, uniform blocks, textures, constants and inputs
 * of the patch. Requires that the shader writes its outputs to temporaries and copies these to the
 * outputs at its end.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"
#include "nir/nir.h"

/* Longest chain of operands that is followed. Values with longer ones count as different. */
enum { MAX_DEPTH = 256 };

struct flat {
    struct hash_table *known; /* nir_def → same or different */
    nir_function_impl *impl;
    bool writes_memory; /* Texels may differ between vertices. */
};

static char same, different; /* Markers in flat.known. */

static bool is_same(struct flat *f, nir_def *def, unsigned depth);

static bool is_same_deref(struct flat *f, nir_deref_instr *deref, unsigned depth)
{
    switch (deref->deref_type) {
    case nir_deref_type_var:
        return deref->var->data.mode == nir_var_uniform ||
               deref->var->data.mode == nir_var_mem_ubo ||
               (deref->var->data.mode == nir_var_shader_in && deref->var->data.patch);
    case nir_deref_type_array:
        return is_same(f, deref->parent.ssa, depth) && is_same(f, deref->arr.index.ssa, depth);
    case nir_deref_type_struct:
        return is_same(f, deref->parent.ssa, depth);
    default:
        return false;
    }
}

/* Returns whether either all vertices of a primitive execute a block, or none: only ifs whose
 * condition is the same at all vertices enclose it. */
static bool is_executed_by_all(struct flat *f, const nir_cf_node *node, unsigned depth)
{
    for (node = node->parent; node->type == nir_cf_node_if; node = node->parent) {
        if (!is_same(f, nir_cf_node_as_if((nir_cf_node *)node)->condition.ssa, depth))
            return false;
    }
    return node->type == nir_cf_node_function;
}

/* Returns whether a phi follows an if, and its sources and the if's condition are the same at all
 * vertices. */
static bool is_same_phi(struct flat *f, nir_phi_instr *phi, unsigned depth)
{
    nir_cf_node *before = nir_cf_node_prev(&phi->instr.block->cf_node);
    if (!before || before->type != nir_cf_node_if ||
        !is_same(f, nir_cf_node_as_if(before)->condition.ssa, depth))
        return false;
    nir_foreach_phi_src (src, phi) {
        if (!is_same(f, src->src.ssa, depth))
            return false;
    }
    return true;
}

static bool is_same_instr(struct flat *f, nir_instr *instr, unsigned depth)
{
    switch (instr->type) {
    case nir_instr_type_load_const:
    case nir_instr_type_undef:
        return true;
    case nir_instr_type_deref:
        return is_same_deref(f, nir_instr_as_deref(instr), depth);
    case nir_instr_type_phi:
        return is_same_phi(f, nir_instr_as_phi(instr), depth);
    case nir_instr_type_intrinsic:
        return nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_load_deref &&
               is_same(f, nir_instr_as_intrinsic(instr)->src[0].ssa, depth);
    case nir_instr_type_alu: {
        nir_alu_instr *alu = nir_instr_as_alu(instr);
        for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
            if (!is_same(f, alu->src[i].src.ssa, depth))
                return false;
        }
        return true;
    }
    case nir_instr_type_tex: {
        nir_tex_instr *tex = nir_instr_as_tex(instr);
        for (unsigned i = 0; i < tex->num_srcs; i++) {
            if (!is_same(f, tex->src[i].src.ssa, depth))
                return false;
        }
        return !f->writes_memory;
    }
    default:
        return false;
    }
}

/* Returns whether a value is known to be the same at all vertices of a primitive. depth: operands
 * followed so far. */
static bool is_same(struct flat *f, nir_def *def, unsigned depth)
{
    const void *known = hash_table_get(f->known, def);
    if (known)
        return known == &same;
    bool result = depth < MAX_DEPTH && is_same_instr(f, def->parent_instr, depth + 1);
    hash_table_insert(f->known, def, result ? &same : &different);
    return result;
}

/* Returns whether a use of an output's deref stores a value that is the same at all vertices. */
static bool stores_same(struct flat *f, const nir_src *use)
{
    nir_instr *user = nir_src_is_if(use) ? NULL : nir_src_parent_instr(use);
    nir_intrinsic_instr *store =
        user && user->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(user) : NULL;
    return store && store->intrinsic == nir_intrinsic_store_deref && use == &store->src[0] &&
           is_same(f, store->src[1].ssa, 0) &&
           is_executed_by_all(f, &store->instr.block->cf_node, 0);
}

/* Returns the set of output variables that have an access other than stores_same(). */
static struct hash_table *find_different(struct flat *f)
{
    struct hash_table *found = hash_table_create_pointer(f);
    nir_foreach_block (block, f->impl) {
        nir_foreach_instr (instr, block) {
            nir_deref_instr *deref =
                instr->type == nir_instr_type_deref ? nir_instr_as_deref(instr) : NULL;
            if (!deref || deref->deref_type != nir_deref_type_var)
                continue;
            nir_foreach_use_including_if(use, &deref->def)
            {
                if (!stores_same(f, use))
                    hash_table_insert(found, deref->var, deref->var);
            }
        }
    }
    return found;
}

/* Returns whether the function has an early exit, so that some vertices may not execute its end. */
static bool has_returns(nir_function_impl *impl)
{
    nir_foreach_block (block, impl) {
        nir_instr *last = nir_block_last_instr(block);
        if (last && last->type == nir_instr_type_jump &&
            (nir_instr_as_jump(last)->type == nir_jump_return ||
             nir_instr_as_jump(last)->type == nir_jump_halt))
            return true;
    }
    return false;
}

/* Returns whether the function may write memory other than its variables and outputs. */
static bool writes_memory(nir_function_impl *impl)
{
    const nir_variable_mode own = nir_var_function_temp | nir_var_shader_temp | nir_var_shader_out;
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            bool stores = intr->intrinsic == nir_intrinsic_store_deref ||
                          intr->intrinsic == nir_intrinsic_copy_deref;
            if (stores
                    ? !(nir_src_as_deref(intr->src[0])->modes & own)
                    : !(nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_ELIMINATE))
                return true;
        }
    }
    return false;
}

/* Returns whether an output is user-defined, or a front color without a back color that would
 * replace it. */
static bool has_one_source(nir_shader *producer, const nir_variable *out)
{
    if (strncmp(out->name, "gl_", 3))
        return true;
    int back = out->data.location - VARYING_SLOT_COL0 + VARYING_SLOT_BFC0;
    return (out->data.location == VARYING_SLOT_COL0 || out->data.location == VARYING_SLOT_COL1) &&
           !nir_find_variable_with_location(producer, nir_var_shader_out, back);
}

/* Returns whether the interface allows an input and its output to become flat. */
static bool may_be_flat(nir_shader *producer, const nir_variable *in, const nir_variable *out)
{
    return in && in->data.interpolation != INTERP_MODE_FLAT &&
           in->data.interpolation != INTERP_MODE_PER_VERTEX && !out->data.always_active_io &&
           !out->data.compact && has_one_source(producer, out) &&
           glsl_type_is_vector_or_scalar(out->type) && !glsl_type_is_64bit(out->type);
}

/* Returns whether interpolateAt* reads an input. */
static bool is_interpolated_at(nir_shader *nir, const nir_variable *var)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            nir_intrinsic_instr *intr =
                instr->type == nir_instr_type_intrinsic ? nir_instr_as_intrinsic(instr) : NULL;
            if (intr &&
                (intr->intrinsic == nir_intrinsic_interp_deref_at_centroid ||
                 intr->intrinsic == nir_intrinsic_interp_deref_at_sample ||
                 intr->intrinsic == nir_intrinsic_interp_deref_at_offset) &&
                nir_deref_instr_get_variable(nir_src_as_deref(intr->src[0])) == var)
                return true;
        }
    }
    return false;
}

void link_flatten_varyings(struct linker *ln, struct link_stage *producer,
                           struct link_stage *consumer)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(producer->nir);
    if ((producer->stage != SHADER_VERTEX && producer->stage != SHADER_TESS_EVAL) ||
        consumer->stage != SHADER_FRAGMENT || has_returns(impl))
        return;
    struct flat *f = talloc_zero(ln->tmp, struct flat);
    f->impl = impl;
    f->known = hash_table_create_pointer(f);
    f->writes_memory = writes_memory(impl);
    struct hash_table *differing = find_different(f);
    nir_foreach_variable_with_modes (out, producer->nir, nir_var_shader_out) {
        nir_variable *in = link_partner(producer, consumer, out, nir_var_shader_in);
        if (!may_be_flat(producer->nir, in, out) || hash_table_get(differing, out) ||
            is_interpolated_at(consumer->nir, in))
            continue;
        in->data.interpolation = out->data.interpolation = INTERP_MODE_FLAT;
        in->data.centroid = in->data.sample = out->data.centroid = out->data.sample = false;
    }
    talloc_free(f);
}
