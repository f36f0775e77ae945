/* SPDX-License-Identifier: MIT */
/* Determines what the fragments of a variant do with the buffers, so that tiles can skip work. */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_format.h"

static bool tests_depth_stencil(const struct cpu_fs_key *key)
{
    return key->zs_format &&
           (key->zs.depth_func || key->zs.depth_bounds || key->zs.stencil[0].enabled);
}

static bool writes_color(const nir_shader_info *info, unsigned rt)
{
    return info->outputs_written &
           (BITFIELD64_BIT(FRAG_RESULT_DATA0 + rt) | BITFIELD64_BIT(FRAG_RESULT_COLOR));
}

/* Returns whether every covered fragment reaches the color buffers with full coverage. */
static bool all_pass(const nir_shader_info *info, const struct cpu_fs_key *key)
{
    return !info->fs.uses_discard && !info->fs.uses_demote && !key->blend.alpha_to_coverage &&
           !key->samples && !key->smooth && !tests_depth_stencil(key);
}

void cpu_fs_describe_targets(const struct cpu_shader *shader, const struct cpu_fs_key *key,
                             struct cpu_fs_variant *variant)
{
    const nir_shader_info *info = &shader->nir->info;
    const bool reads_depth_stencil =
        bitset_test(info->system_values_read, SYSTEM_VALUE_LAST_FRAG_DEPTH) ||
        bitset_test(info->system_values_read, SYSTEM_VALUE_LAST_FRAG_STENCIL);
    const bool reads_color = bitset_test(info->system_values_read, SYSTEM_VALUE_LAST_FRAG_DATA);
    const bool pass = all_pass(info, key);

    variant->uniform = shader->uniform && !key->smooth && !key->inner_coverage &&
                       !key->count_samples && !key->count_invocations && !reads_color &&
                       !reads_depth_stencil;
    if (reads_color) /* a shader may index them dynamically, so it reads any of them */
        return;
    variant->untouched = BITFIELD_MASK(CPU_NUM_TARGETS);
    if (tests_depth_stencil(key) || reads_depth_stencil)
        variant->untouched &= ~(1u << CPU_ZS_TARGET);
    for (unsigned i = 0; i < key->num_color_bufs; i++) {
        const struct drv_rt_blend *rt = &key->blend.rt[i];
        const unsigned stored = cpu_stored_components(key->color_format[i]);
        if (!key->color_format[i] || !writes_color(info, i) || !(rt->colormask & stored))
            continue;
        variant->untouched &= ~(1u << i);
        if (pass && !rt->blend_enable && !key->blend.logicop && (rt->colormask & stored) == stored)
            variant->overwritten |= 1u << i;
    }
}
