/* SPDX-License-Identifier: MIT */
/* imageSize of cube map arrays (GLSL 4.60 §8.12): drivers return the number of faces, so this
 * divides it by 6. The query becomes that of a 2D array image. */
#include "nir.h"

#include "nir_builder.h"

static bool lower_instr(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    if ((intr->intrinsic != nir_intrinsic_image_size &&
         intr->intrinsic != nir_intrinsic_image_deref_size &&
         intr->intrinsic != nir_intrinsic_bindless_image_size) ||
        nir_intrinsic_image_dim(intr) != GLSL_SAMPLER_DIM_CUBE || !nir_intrinsic_image_array(intr))
        return false;
    nir_intrinsic_set_image_dim(intr, GLSL_SAMPLER_DIM_2D);
    if (intr->def.num_components < 3)
        return true;
    b->cursor = nir_after_instr(&intr->instr);
    nir_def *cubes = nir_udiv_imm(b, nir_channel(b, &intr->def, 2), 6);
    nir_def *size = nir_vector_insert_imm(b, &intr->def, cubes, 2);
    nir_def_rewrite_uses_after(&intr->def, size, size->parent_instr);
    return true;
}

bool nir_lower_image(nir_shader *shader)
{
    return nir_shader_intrinsics_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
