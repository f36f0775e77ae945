/* SPDX-License-Identifier: MIT */
/* glShadeModel(GL_FLAT): makes color inputs without an interpolation qualifier flat. */
#include "nir.h"

static bool is_color(int location)
{
    return location == VARYING_SLOT_COL0 || location == VARYING_SLOT_COL1 ||
           location == VARYING_SLOT_BFC0 || location == VARYING_SLOT_BFC1;
}

bool nir_lower_flatshade(nir_shader *shader)
{
    bool progress = false;
    nir_variable_mode mode =
        shader->info.stage == SHADER_FRAGMENT ? nir_var_shader_in : nir_var_shader_out;
    nir_foreach_variable_with_modes (var, shader, mode) {
        if (is_color(var->data.location) && var->data.interpolation == INTERP_MODE_DEFAULT) {
            var->data.interpolation = INTERP_MODE_FLAT;
            progress = true;
        }
    }
    return progress;
}
