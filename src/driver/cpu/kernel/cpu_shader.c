/* SPDX-License-Identifier: MIT */
/* Creates shader objects and gathers what the pipeline needs to know about a shader. */
#include <stdlib.h>

#include "driver/cpu/kernel/cpu_external.h"
#include "driver/cpu/kernel/cpu_lower.h"
#include "driver/cpu/resource/cpu_screen.h"
#include "driver/cpu/kernel/cpu_variants.h"
#include "util/memory.h"
#include "util/deep_stack.h"

/* Returns the set of sampler slots that may be read. A dynamic index may reach all slots after its
 * first. */
static uint64_t samplers_used(const nir_shader *nir)
{
    uint64_t used = nir->info.textures_used;
    if (nir->info.uses_slot_handles && nir->info.uses_texture_handles)
        used |= BITFIELD64_MASK(MIN2(nir->info.num_textures, DRV_MAX_SAMPLERS));

    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_tex)
                continue;
            const nir_tex_instr *tex = nir_instr_as_tex(instr);
            unsigned end = MIN2(nir->info.num_textures, DRV_MAX_SAMPLERS);
            if (nir_tex_instr_src_index(tex, nir_tex_src_texture_offset) >= 0 &&
                tex->texture_index < end)
                used |= BITFIELD64_MASK(end) & ~BITFIELD64_MASK(tex->texture_index);
        }
    }
    return used;
}

static bool create_external(const struct cpu_external *external, struct cpu_shader *shader,
                            const nir_shader *nir)
{
    nir_shader *clone = UTIL_ATTEMPT(nir_shader_clone(NULL, nir));

    shader->runner = external;
    shader->external = clone ? external->shader_create(external, clone) : NULL;
    return shader->external;
}

/* Records how a fragment shader's inputs are read. */
static void gather_inputs(struct cpu_shader *shader, const nir_shader *nir)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic == nir_intrinsic_load_input ||
                intr->intrinsic == nir_intrinsic_load_primitive_id)
                shader->reads_flat = true;
            shader->reads_barycentrics |= intr->intrinsic == nir_intrinsic_load_input_vertex;
            if (intr->intrinsic != nir_intrinsic_load_interpolated_input)
                continue;
            nir_io_semantics io = nir_intrinsic_io_semantics(intr);
            shader->reads_barycentrics |= io.location == VARYING_SLOT_BARY_COORD ||
                                          io.location == VARYING_SLOT_BARY_COORD_LINEAR;
            if (io.interpolation == INTERP_MODE_NOPERSPECTIVE)
                shader->linear_inputs |= BITFIELD64_MASK(MAX2(io.num_slots, 1)) << io.location;
        }
    }
}

static bool has_loops(const nir_shader *nir)
{
    nir_foreach_block (block, nir_shader_get_entrypoint(nir))
        if (nir_block_get_following_loop(block))
            return true;
    return false;
}

static bool lower(nir_shader *nir, unsigned lanes)
{
    cpu_lower_shader(nir, lanes);
    if (nir->info.stage == SHADER_FRAGMENT)
        nir_divergence_analysis(nir); /* for is_uniform() */
    return true;
}

/* The parameters of lower. */
struct lower_args {
    nir_shader *nir;
    unsigned lanes;
};

static void *lower_deep(void *data)
{
    struct lower_args *a = data;
    return lower(a->nir, a->lanes) ? a : NULL;
}

static bool try_to_lower(nir_shader *nir, unsigned lanes)
{
    struct lower_args args = {nir, lanes};
    return util_deep_attempt(lower_deep, &args) != NULL;
}

/* Returns whether all lanes of a fragment shader compute the same values. Needs divergence
 * analysis. */
static bool is_uniform(nir_shader *nir)
{
    bool uniform = !nir->info.inputs_read && !nir->info.writes_memory;
    nir_foreach_function_impl (impl, nir)
        nir_foreach_block (block, impl)
            nir_foreach_instr (instr, block) {
                const nir_def *def = nir_instr_def(instr);
                uniform = uniform && !(def && def->divergent);
            }
    return uniform;
}

struct cpu_shader *cpu_shader_create(struct cpu_screen *screen, const struct drv_shader_desc *desc)
{
    struct cpu_shader *shader = calloc(1, sizeof *shader);

    if (shader) {
        shader->variants = cpu_variant_list_create();
        shader->nir_users = malloc(sizeof *shader->nir_users);
    }
    if (shader && shader->nir_users)
        *shader->nir_users = 1;
    if (!shader || !shader->variants || !shader->nir_users) {
        nir_shader_destroy(desc->nir);
        cpu_shader_destroy(shader);
        return NULL;
    }
    if (screen->external && !create_external(screen->external, shader, desc->nir)) {
        nir_shader_destroy(desc->nir);
        cpu_shader_destroy(shader);
        return NULL;
    }
    shader->nir = desc->nir;
    if (!try_to_lower(desc->nir, jit_engine_lanes(screen->jit))) {
        cpu_shader_destroy(shader);
        return NULL;
    }
    shader->stage = desc->nir->info.stage;
    shader->inputs_read = desc->nir->info.inputs_read;
    shader->outputs_written = desc->nir->info.outputs_written;
    if (shader->stage == SHADER_FRAGMENT)
        gather_inputs(shader, desc->nir);
    shader->uniform = shader->stage == SHADER_FRAGMENT && is_uniform(desc->nir);
    shader->samplers_used = samplers_used(desc->nir);
    shader->writes_memory = desc->nir->info.writes_memory;
    shader->uses_handles =
        desc->nir->info.uses_texture_handles || desc->nir->info.uses_image_handles;
    shader->classes = screen->handle_classes;
    shader->has_loops = has_loops(desc->nir);
    shader->reads_instance =
        bitset_test(desc->nir->info.system_values_read, SYSTEM_VALUE_INSTANCE_ID);
    shader->num_storage =
        MIN2(desc->nir->info.num_ssbos + desc->nir->info.num_abos, DRV_MAX_STORAGE_BUFFERS);
    shader->images_used = BITFIELD_MASK(MIN2(desc->nir->info.num_images, DRV_MAX_IMAGES));
    return shader;
}

void cpu_shader_destroy(struct cpu_shader *shader)
{
    if (!shader)
        return;
    cpu_variant_list_destroy(shader->variants);
    if (shader->external)
        shader->runner->shader_destroy(shader->external);
    cpu_shader_release_nir(shader);
    free(shader);
}

void cpu_shader_release_nir(const struct cpu_shader *shader)
{
    if (shader->nir_users && __atomic_sub_fetch(shader->nir_users, 1, __ATOMIC_ACQ_REL))
        return;
    if (shader->nir)
        nir_shader_destroy(shader->nir);
    free(shader->nir_users);
}
