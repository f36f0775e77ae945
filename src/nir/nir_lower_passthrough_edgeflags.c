/* SPDX-License-Identifier: MIT */
/* Passes the edge flag of a vertex through the vertex shader (GL 4.6 compatibility §11.1.3). */
#include "nir_lower_gl_state.h"

bool nir_lower_passthrough_edgeflags(nir_shader *shader)
{
    if (shader->info.stage != SHADER_VERTEX)
        return false;
    nir_variable *in =
        nir_variable_create(shader, nir_var_shader_in, glsl_vec_type(1), "edge flag");
    nir_variable *out =
        nir_variable_create(shader, nir_var_shader_out, glsl_vec_type(1), "edge flag");
    in->data.location = VERT_ATTRIB_EDGEFLAG;
    out->data.location = VARYING_SLOT_EDGE;
    nir_function_impl *impl = nir_shader_get_entrypoint(shader);
    nir_builder b = nir_builder_at(nir_before_impl(impl));
    nir_store_var(&b, out, nir_load_var(&b, in), 1);
    return nir_progress(true, impl, nir_metadata_control_flow);
}
