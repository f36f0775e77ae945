/* SPDX-License-Identifier: MIT */
/*
 * Runners: other drivers that execute the shaders themselves (src/driver/i965) and use this driver
 * for everything else. Such a driver creates a screen with its struct cpu_external. This driver
 * then passes it shaders, asks it for variants, and calls its run functions where it would call a
 * kernel for a batch of vertices, primitives or blocks. A kernel also contains fixed-function parts
 * (vertex fetch, viewport transform, per-fragment tests, blending). The runner gets them by
 * building kernels with cpu_build_vs() and cpu_build_fs() for small shaders that it writes itself.
 */
#ifndef CPU_EXTERNAL_H
#define CPU_EXTERNAL_H

#include "driver/cpu/kernel/cpu_variant.h"

struct nir_shader;

struct cpu_external {
    /* Returns the shader that becomes cpu_shader.external, or NULL on failure. Takes ownership of
     * nir, which has not been lowered. */
    void *(*shader_create)(const struct cpu_external *external, struct nir_shader *nir);
    void (*shader_destroy)(void *shader);

    /* The *_create functions of the stages return the value of variant->external, or NULL if out of
     * memory or if the shader exceeds a limit. They fill in the fields of the variant that the
     * comments below name; `kernel` stays NULL. shader->external is the result of shader_create.
     * The key lives as long as the variant. They run in an attempt (util/memory.h). The *_destroy
     * functions free their results. The *_run functions do what the variant's kernel would do. Any
     * thread may call all of these. The functions of tcs and tes, of gs, and of cs are NULL if the
     * runner doesn't support these stages. */

    /* Fills in outputs. */
    void *(*vs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_vs_key *key,
                       struct cpu_vs_variant *variant);
    void (*vs_destroy)(void *vs);
    void (*vs_run)(void *vs, const struct cpu_vs_args *args);

    /* Fills in outputs. Sets `barrier` if tcs_run requires that no patch straddles two vectors of
     * items. A patch with more items than lanes then starts a new vector. */
    void *(*tcs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                        struct cpu_shader *shader, const struct cpu_tcs_key *key,
                        struct cpu_tcs_variant *variant);
    void (*tcs_destroy)(void *tcs);
    void (*tcs_run)(void *tcs, const struct cpu_tcs_args *args);

    /* Fills in outputs. tes_run stores all four components of each output; variant->finish_vertices
     * computes window coordinates and clip codes. */
    void *(*tes_create)(const struct cpu_external *external, struct cpu_screen *screen,
                        struct cpu_shader *shader, const struct cpu_tes_key *key,
                        struct cpu_tes_variant *variant);
    void (*tes_destroy)(void *tes);
    void (*tes_run)(void *tes, const struct cpu_tes_args *args);

    /* Fills in outputs, words and component. shader->nir->info.gs has the numbers of vertices and
     * invocations. */
    void *(*gs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_gs_key *key,
                       struct cpu_gs_variant *variant);
    void (*gs_destroy)(void *gs);
    void (*gs_run)(void *gs, const struct cpu_gs_args *args);

    /* Fills in no fields. */
    void *(*cs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_cs_key *key,
                       struct cpu_cs_variant *variant);
    void (*cs_destroy)(void *cs);
    /* Executes args->count workgroups in x, starting at args->group. */
    void (*cs_run)(void *cs, const struct cpu_cs_args *args);

    /* Fills in what cpu_build_fs() fills in. */
    void *(*fs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_fs_key *key,
                       struct cpu_fs_variant *variant);
    void (*fs_destroy)(void *fs);
    void (*fs_run)(void *fs, const struct cpu_fs_args *args);
};

#endif
