/* SPDX-License-Identifier: MIT */
/* Removes variables that are never read, together with their stores, and derefs without uses. */
#include "nir.h"

#include "util/hash_table.h"

bool nir_remove_dead_derefs(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        bool impl_progress = false;
        nir_foreach_block_reverse(block, impl)
        {
            nir_foreach_instr_reverse_safe(instr, block)
            {
                if (instr->type == nir_instr_type_deref &&
                    nir_def_is_unused(&nir_instr_as_deref(instr)->def)) {
                    nir_instr_remove(instr);
                    impl_progress = true;
                }
            }
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}

/* Returns true if a use does more than write to the variable, directly or through longer paths. */
static bool deref_is_read(nir_deref_instr *deref)
{
    nir_foreach_use_including_if(src, &deref->def)
    {
        if (nir_src_is_if(src))
            return true;
        nir_instr *user = nir_src_parent_instr(src);
        if (user->type == nir_instr_type_deref) {
            if (src != &nir_instr_as_deref(user)->parent || deref_is_read(nir_instr_as_deref(user)))
                return true;
        } else if (user->type == nir_instr_type_intrinsic) {
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(user);
            bool writes = (intr->intrinsic == nir_intrinsic_store_deref ||
                           intr->intrinsic == nir_intrinsic_copy_deref) &&
                          src == &intr->src[0];
            if (!writes)
                return true;
        } else {
            return true;
        }
    }
    return false;
}

static void collect_live(nir_function_impl *impl, struct hash_table *live)
{
    /* Writes to variables of these modes are visible outside of the shader. */
    nir_variable_mode external = nir_var_shader_out | nir_var_mem_ssbo | nir_var_mem_shared |
                                 nir_var_mem_global | nir_var_image;
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_deref)
                continue;
            nir_deref_instr *deref = nir_instr_as_deref(instr);
            if (deref->deref_type == nir_deref_type_var &&
                ((deref->modes & external) || deref_is_read(deref)))
                hash_table_insert(live, deref->var, deref->var);
        }
    }
}

static bool remove_writes(nir_function_impl *impl, struct hash_table *live, nir_variable_mode modes)
{
    bool progress = false;
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic != nir_intrinsic_store_deref &&
                intr->intrinsic != nir_intrinsic_copy_deref)
                continue;
            nir_variable *var = nir_deref_instr_get_variable(nir_src_as_deref(intr->src[0]));
            if (var && (var->data.mode & modes) && !hash_table_get(live, var)) {
                nir_instr_remove(instr);
                progress = true;
            }
        }
    }
    return progress;
}

static bool remove_from(struct list_head *variables, struct hash_table *live,
                        nir_variable_mode modes)
{
    bool progress = false;
    nir_foreach_variable_in_list_safe(var, variables)
    {
        if (!(var->data.mode & modes) || hash_table_get(live, var) || var->data.always_active_io)
            continue;
        list_del(&var->node);
        progress = true;
    }
    return progress;
}

bool nir_remove_dead_variables(nir_shader *shader, nir_variable_mode modes)
{
    bool progress = false, wrote = false;
    struct hash_table *live = hash_table_create_pointer(NULL);
    nir_foreach_function_impl (impl, shader)
        collect_live(impl, live);
    nir_foreach_function_impl (impl, shader) {
        bool removed = remove_writes(impl, live, modes);
        wrote |= nir_progress(removed, impl, nir_metadata_control_flow);
    }
    /* Derefs of removed variables must be removed first. */
    progress |= nir_remove_dead_derefs(shader) | wrote;
    progress |= remove_from(&shader->variables, live, modes);
    nir_foreach_function_impl (impl, shader)
        progress |= remove_from(&impl->locals, live, modes);
    hash_table_destroy(live);
    return progress;
}
