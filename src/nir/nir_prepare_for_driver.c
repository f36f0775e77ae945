/* SPDX-License-Identifier: MIT */
/*
 * The first step of a driver: reduces a shader from any front end to one function without calls,
 * early returns, variable initializers and copies of aggregates.
 */
#include "nir.h"

void nir_prepare_for_driver(nir_shader *shader)
{
    NIR_PASS_V(shader, nir_lower_variable_initializers,
               nir_var_function_temp | nir_var_shader_temp | nir_var_shader_out);
    NIR_PASS_V(shader, nir_lower_returns);
    NIR_PASS_V(shader, nir_inline_functions);
    NIR_PASS_V(shader, nir_lower_global_vars_to_local);
    NIR_PASS_V(shader, nir_split_var_copies);
    NIR_PASS_V(shader, nir_lower_var_copies);
}
