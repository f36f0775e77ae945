/* SPDX-License-Identifier: MIT */
/*
 * Programmable stages that something else than the JIT's kernels runs: a driver whose shaders are
 * not host code, but whose fixed-function stages are these. It makes a screen with its own struct
 * cpu_external; the pipeline then hands it shaders, asks it for variants, and gives it batches of
 * vertices, primitives and runs of blocks where it would call a kernel. What belongs to a stage's
 * kernel (vertex fetch, viewport, tests, blending) it gets from cpu_build_vs and cpu_build_fs by
 * shaders of its own.
 */
#ifndef CPU_EXTERNAL_H
#define CPU_EXTERNAL_H

#include "driver/cpu/kernel/cpu_variant.h"

struct nir_shader;

struct cpu_external {
    /* nir as create_shader got it, before any lowering; becomes the callee's. NULL: it cannot be. */
    void *(*shader_create)(const struct cpu_external *external, struct nir_shader *nir);
    void (*shader_destroy)(void *shader);

    /* What is kept in variant->external, with variant's other fields filled in but kernel. NULL: no
     * memory, or the shader is beyond limits. shader->external is shader_create's; key lives as long
     * as what is made. */
    void *(*vs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_vs_key *key,
                       struct cpu_vs_variant *variant);
    void (*vs_destroy)(void *vs);
    /* Does what the variant's kernel would; any worker. */
    void (*vs_run)(void *vs, const struct cpu_vs_args *args);

    /* Fills in outputs and barrier. */
    void *(*tcs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                        struct cpu_shader *shader, const struct cpu_tcs_key *key,
                        struct cpu_tcs_variant *variant);
    void (*tcs_destroy)(void *tcs);
    void (*tcs_run)(void *tcs, const struct cpu_tcs_args *args);

    /* Fills in outputs. Runs leave all four components of each; variant->tail does the rest. */
    void *(*tes_create)(const struct cpu_external *external, struct cpu_screen *screen,
                        struct cpu_shader *shader, const struct cpu_tes_key *key,
                        struct cpu_tes_variant *variant);
    void (*tes_destroy)(void *tes);
    void (*tes_run)(void *tes, const struct cpu_tes_args *args);

    /* Fills in outputs, words and component. shader->nir->info.gs says how many vertices and
     * invocations there are. */
    void *(*gs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_gs_key *key,
                       struct cpu_gs_variant *variant);
    void (*gs_destroy)(void *gs);
    void (*gs_run)(void *gs, const struct cpu_gs_args *args); /* likewise */

    /* Fills in nothing. NULL with cs_run NULL: there is no compute stage. */
    void *(*cs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_cs_key *key,
                       struct cpu_cs_variant *variant);
    void (*cs_destroy)(void *cs);
    /* The groups from args->group on, args->count of them in x. */
    void (*cs_run)(void *cs, const struct cpu_cs_args *args);

    void *(*fs_create)(const struct cpu_external *external, struct cpu_screen *screen,
                       struct cpu_shader *shader, const struct cpu_fs_key *key,
                       struct cpu_fs_variant *variant);
    void (*fs_destroy)(void *fs);
    void (*fs_run)(void *fs, const struct cpu_fs_args *args);
};

#endif
