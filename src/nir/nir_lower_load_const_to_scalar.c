/* SPDX-License-Identifier: MIT */
/* Splits constant vectors into a vec of constant scalars. */
#include "nir.h"

#include "nir_builder.h"

static bool lower_instr(nir_builder *b, nir_instr *instr, void *unused)
{
    if (instr->type != nir_instr_type_load_const)
        return false;
    nir_load_const_instr *load = nir_instr_as_load_const(instr);
    if (load->def.num_components == 1)
        return false;
    nir_def *comps[NIR_MAX_VEC_COMPONENTS];
    b->cursor = nir_before_instr(instr);
    for (unsigned c = 0; c < load->def.num_components; c++)
        comps[c] = nir_build_imm(b, 1, load->def.bit_size, &load->value[c]);
    nir_def_replace(&load->def, nir_vec(b, comps, load->def.num_components));
    return true;
}

bool nir_lower_load_const_to_scalar(nir_shader *shader)
{
    return nir_shader_instructions_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
