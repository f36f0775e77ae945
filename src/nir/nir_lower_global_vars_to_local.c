/* SPDX-License-Identifier: MIT */
/* Turns global temporaries that only one function uses into locals of it. */
#include "nir.h"

#include "util/hash_table.h"

/* Table entries point to the only function that uses a variable, or to several_functions if there
 * are several. */
static char several_functions;

static void note_use(struct hash_table *users, nir_variable *var, nir_function_impl *impl)
{
    struct hash_entry *e = hash_table_search(users, var);
    if (!e)
        hash_table_insert(users, var, impl);
    else if (e->data != impl)
        e->data = &several_functions;
}

bool nir_lower_global_vars_to_local(nir_shader *shader)
{
    struct hash_table *users = hash_table_create_pointer(NULL);
    nir_foreach_function_impl (impl, shader) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                if (instr->type == nir_instr_type_deref &&
                    nir_instr_as_deref(instr)->deref_type == nir_deref_type_var)
                    note_use(users, nir_instr_as_deref(instr)->var, impl);
            }
        }
    }
    bool progress = false;
    nir_foreach_variable_with_modes_safe(var, shader, nir_var_shader_temp)
    {
        nir_function_impl *impl = hash_table_get(users, var);
        /* An initializer runs once per shader, not at each call. */
        if (!impl || (void *)impl == &several_functions ||
            (var->constant_initializer && !impl->function->is_entrypoint))
            continue;
        list_del(&var->node);
        var->data.mode = nir_var_function_temp;
        list_addtail(&var->node, &impl->locals);
        progress = true;
    }
    hash_table_destroy(users);
    if (progress)
        nir_fixup_deref_modes(shader);
    nir_foreach_function_impl (impl, shader)
        nir_progress(progress, impl, nir_metadata_control_flow);
    return progress;
}
