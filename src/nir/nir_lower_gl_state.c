/* SPDX-License-Identifier: MIT */
#include "nir_lower_gl_state.h"

#include <talloc.h>

bool nir_get_io_access(nir_intrinsic_instr *intr, nir_variable_mode mode,
                       struct nir_io_access *access)
{
    if (intr->intrinsic != nir_intrinsic_load_deref && intr->intrinsic != nir_intrinsic_store_deref)
        return false;
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var || var->data.mode != mode)
        return false;

    *access = (struct nir_io_access){.var = var, .deref = deref, .location = var->data.location};
    for (; deref->deref_type != nir_deref_type_var; deref = nir_deref_instr_parent(deref)) {
        nir_deref_instr *parent = nir_deref_instr_parent(deref);
        if (!glsl_type_is_array(parent->type) || parent->deref_type != nir_deref_type_var)
            continue;
        if (nir_src_is_const(deref->arr.index))
            access->location +=
                MIN2(nir_src_as_uint(deref->arr.index), MAX2(glsl_length_of(parent->type), 1) - 1);
        else
            access->index = deref->arr.index.ssa;
    }
    return true;
}

nir_variable *nir_get_state_uniform(nir_shader *shader, const struct glsl_type *type,
                                    const int16_t tokens[NIR_STATE_LENGTH], const char *name)
{
    nir_foreach_uniform_variable(var, shader)
    {
        if (var->num_state_slots == 1 &&
            memcmp(var->state_slots[0].tokens, tokens, sizeof var->state_slots[0].tokens) == 0)
            return var;
    }
    nir_variable *var = nir_variable_create(shader, nir_var_uniform, type, name);
    var->data.how_declared = nir_var_hidden;
    var->num_state_slots = 1;
    var->state_slots = talloc_zero(var, nir_state_slot);
    memcpy(var->state_slots[0].tokens, tokens, sizeof var->state_slots[0].tokens);
    return var;
}
