/* SPDX-License-Identifier: MIT */
/* EXT_shader_framebuffer_fetch: initializes outputs declared inout with the framebuffer's
 * contents. */
#include "nir_builder.h"
#include "nir_passes.h"

static void read_element(nir_builder *b, const nir_variable *var, nir_deref_instr *deref,
                         unsigned i)
{
    unsigned first = var->data.location == FRAG_RESULT_COLOR
                         ? 0
                         : (unsigned)(var->data.location - FRAG_RESULT_DATA0);
    unsigned count = deref->type->vector_elements;
    nir_def *last = nir_load_last_frag_data(b, nir_imm_int(b, (int)(first + i)));
    nir_def *value = nir_channels(b, last, BITFIELD_MASK(count) << var->data.location_frac);
    nir_store_deref(b, deref, value, BITFIELD_MASK(count));
}

bool nir_lower_framebuffer_fetch(nir_shader *shader)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    bool progress = false;
    if (!impl || shader->info.stage != SHADER_FRAGMENT)
        return false;
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    nir_foreach_variable_with_modes (var, shader, nir_var_shader_out) {
        if (!var->data.fb_fetch_output)
            continue;
        nir_deref_instr *deref = nir_build_deref_var(&b, var);
        unsigned length = glsl_type_is_array(var->type) ? glsl_length_of(var->type) : 0;
        for (unsigned i = 0; i < length; i++)
            read_element(&b, var, nir_build_deref_array_imm(&b, deref, i), i);
        if (!length)
            read_element(&b, var, deref, 0);
        var->data.fb_fetch_output = false;
        progress = true;
    }
    nir_progress(progress, impl, nir_metadata_control_flow);
    return progress;
}
