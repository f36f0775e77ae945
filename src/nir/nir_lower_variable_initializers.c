/* SPDX-License-Identifier: MIT */
/* Turns variable initializers into stores: for globals in the entrypoint, for locals in their
 * function. */
#include "nir.h"

#include "nir_builder.h"

static void build_init(nir_builder *b, nir_deref_instr *deref, const nir_constant *c)
{
    if (glsl_type_is_vector_or_scalar(deref->type)) {
        unsigned n = deref->type->vector_elements, bit_size = glsl_bit_size(deref->type);
        nir_def *value = c && !c->is_null_constant ? nir_build_imm(b, n, bit_size, c->values)
                                                   : nir_imm_zero(b, n, bit_size);
        nir_store_deref(b, deref, value, ~0u);
        return;
    }
    bool is_struct = glsl_type_is_struct_or_ifc(deref->type);
    if (!is_struct && !glsl_type_is_array(deref->type) && !glsl_type_is_matrix(deref->type))
        return; /* opaque types have no value */
    unsigned length = is_struct ? deref->type->length : glsl_length_of(deref->type);
    for (unsigned i = 0; i < length; i++) {
        nir_deref_instr *child = is_struct ? nir_build_deref_struct(b, deref, i)
                                           : nir_build_deref_array_imm(b, deref, i);
        build_init(b, child, c && i < c->num_elements ? c->elements[i] : NULL);
    }
}

static bool lower_list(nir_builder *b, struct list_head *variables, nir_variable_mode modes)
{
    bool progress = false;
    nir_foreach_variable_in_list (var, variables) {
        if (!(var->data.mode & modes) || !var->constant_initializer)
            continue;
        if (var->constant_initializer->is_null_constant)
            nir_store_zero(b, nir_build_deref_var(b, var));
        else
            build_init(b, nir_build_deref_var(b, var), var->constant_initializer);
        var->constant_initializer = NULL;
        progress = true;
    }
    return progress;
}

bool nir_lower_variable_initializers(nir_shader *shader, nir_variable_mode modes)
{
    /* Initializers of uniforms are initial values for the API; inputs have none. */
    modes &= nir_var_shader_out | nir_var_shader_temp | nir_var_function_temp | nir_var_mem_shared;
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        nir_builder b = nir_builder_at(nir_before_impl(impl));
        bool impl_progress = false;
        if (impl->function->is_entrypoint)
            impl_progress |= lower_list(&b, &shader->variables, modes);
        impl_progress |= lower_list(&b, &impl->locals, modes);
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
