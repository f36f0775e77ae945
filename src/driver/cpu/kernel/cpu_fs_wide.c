/* SPDX-License-Identifier: MIT */
/*
 * Fragment kernels for vectors of two registers.
 *
 * The speed of a loop in which each value depends on the previous one, such as ray marching, is
 * limited by the latency of its chain of instructions. A vector of two registers has two such
 * chains, which the CPU overlaps. LLVM compiles a kernel with such vectors instead of the one with
 * vectors of one register (jit_kernel_begin_wide). Until then, a struct wide_kernel shares the
 * shader's NIR.
 *
 * Texture code is written for vectors of one register: with two, texels take two gathers or
 * permutations each, and blocks rarely fit windows. So shaders that sample in a loop have no wide
 * kernel.
 */
#include <stdlib.h>

#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_variants.h"
#include "util/memory.h"

#define MAX_VALUES   6144 /* maximum number of SSA values of a shader; limits LLVM's time */
#define MAX_TEXTURES 4    /* maximum number of texture instructions, all outside of loops */

/* What a wide kernel is built from. */
struct wide_kernel {
    struct cpu_shader shader; /* a copy that shares the original's nir */
    struct cpu_fs_key key;
    unsigned max_blocks; /* cpu_fs_variant.max_blocks of the kernel that it replaces */
};

static bool is_in_loop(const nir_block *block)
{
    const nir_cf_node *node = &block->cf_node;
    while (node && node->type != nir_cf_node_loop)
        node = node->parent;
    return node;
}

/* Returns whether a wide kernel of the shader is expected to be faster. */
static bool is_worth_it(const struct cpu_shader *shader)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(shader->nir);
    unsigned textures = 0;

    if (!shader->has_loops || impl->ssa_alloc > MAX_VALUES)
        return false;
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_tex)
                continue;
            if (is_in_loop(block) || ++textures > MAX_TEXTURES)
                return false;
        }
    }
    return true;
}

static nir_shader *build(struct wide_kernel *w, unsigned lanes)
{
    struct cpu_fs_variant variant = {0};
    nir_shader *nir = cpu_build_fs_nir(lanes, &w->shader, &w->key, &variant);
    if (!nir || variant.max_blocks == w->max_blocks)
        return nir;
    nir_shader_destroy(nir);
    return NULL;
}

static nir_shader *try_to_build(void *data, unsigned lanes)
{
    return UTIL_ATTEMPT(build(data, lanes));
}

static void destroy(void *data)
{
    struct wide_kernel *w = data;
    cpu_shader_release_nir(&w->shader);
    free(w);
}

bool cpu_fs_prepare_wide(const struct cpu_shader *shader, const struct cpu_fs_key *key,
                         const struct cpu_fs_variant *variant, struct jit_wide_kernel *wide)
{
    if (shader->uses_handles || shader->nir->info.uses_subgroups || shader->writes_memory ||
        !is_worth_it(shader))
        return false;
    struct wide_kernel *w = malloc(sizeof *w);
    if (!w)
        return false;
    *w = (struct wide_kernel){*shader, *key, variant->max_blocks};
    __atomic_add_fetch(shader->nir_users, 1, __ATOMIC_RELAXED);
    *wide = (struct jit_wide_kernel){try_to_build, destroy, w};
    return true;
}
