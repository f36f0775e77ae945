/* SPDX-License-Identifier: MIT */
/* Shader objects: the lowering that no state decides, and what the pipeline asks of a shader. */
#include <stdlib.h>

#include "cpu_nir.h"
#include "cpu_shader.h"
#include "util/log.h"

const struct nir_shader_compiler_options cpu_nir_options = {
    .lower_flrp = true,
    .lower_fmod = true,
    .lower_ldexp = true,
    .lower_frexp = true,
    .lower_to_scalar = true,
    .max_unroll_iterations = 32,
};

/* Arrays up to this length that are indexed by values become trees of selections; longer ones go to
 * scratch memory. */
#define MAX_SELECTED_ARRAY 8

/* To one function whose variables are values, with explicit inputs, outputs and memory. */
static void lower_shader(nir_shader *nir)
{
    static const nir_lower_tex_options tex_options = {.lower_txp = true};

    NIR_PASS_V(nir, nir_lower_variable_initializers, nir_var_function_temp | nir_var_shader_temp |
                                                         nir_var_shader_out);
    NIR_PASS_V(nir, nir_lower_returns);
    NIR_PASS_V(nir, nir_inline_functions);
    NIR_PASS_V(nir, nir_lower_global_vars_to_local);
    NIR_PASS_V(nir, nir_split_var_copies);
    NIR_PASS_V(nir, nir_lower_var_copies);
    NIR_PASS_V(nir, nir_lower_system_values);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    nir_optimize(nir);
    NIR_PASS_V(nir, nir_lower_samplers);
    NIR_PASS_V(nir, nir_lower_tex, &tex_options);
    NIR_PASS_V(nir, nir_lower_io, nir_var_shader_in | nir_var_shader_out | nir_var_uniform,
               nir_type_size_default);
    NIR_PASS_V(nir, nir_lower_explicit_io, nir_var_mem_ubo | nir_var_mem_ssbo);
    NIR_PASS_V(nir, nir_lower_indirect_derefs, nir_var_function_temp, MAX_SELECTED_ARRAY);
    NIR_PASS_V(nir, nir_lower_vars_to_ssa);
    NIR_PASS_V(nir, nir_lower_vars_to_scratch);
    NIR_PASS_V(nir, nir_lower_alu_to_scalar);
    nir_optimize(nir);
    NIR_PASS_V(nir, nir_remove_dead_variables, nir_var_function_temp | nir_var_shader_temp);
    nir_shader_gather_info(nir);
    nir_sweep(nir);
}

/* Sampler slots that are read; an index that is not constant may reach all behind its first. */
static uint32_t samplers_used(const nir_shader *nir)
{
    uint32_t used = nir->info.textures_used;

    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_tex)
                continue;
            const nir_tex_instr *tex = nir_instr_as_tex(instr);
            unsigned end = MIN2(nir->info.num_textures, DRV_MAX_SAMPLERS);
            if (nir_tex_instr_src_index(tex, nir_tex_src_texture_offset) >= 0 &&
                tex->texture_index < end)
                used |= BITFIELD_MASK(end) & ~BITFIELD_MASK(tex->texture_index);
        }
    }
    return used;
}

struct cpu_shader *cpu_shader_create(struct cpu_screen *screen, const struct drv_shader_desc *desc)
{
    struct cpu_shader *shader = calloc(1, sizeof *shader);

    if (shader)
        shader->variants = cpu_variants_create();
    if (!shader || !shader->variants) {
        nir_shader_destroy(desc->nir);
        free(shader);
        return NULL;
    }
    lower_shader(desc->nir);
    shader->nir = desc->nir;
    shader->stage = desc->nir->info.stage;
    shader->inputs_read = desc->nir->info.inputs_read;
    shader->outputs_written = desc->nir->info.outputs_written;
    shader->samplers_used = samplers_used(desc->nir);
    shader->images_used = BITFIELD_MASK(MIN2(desc->nir->info.num_images, DRV_MAX_IMAGES));
    return shader;
}

void cpu_shader_destroy(struct cpu_shader *shader)
{
    if (!shader)
        return;
    cpu_variants_destroy(shader->variants);
    nir_shader_destroy(shader->nir);
    free(shader);
}
