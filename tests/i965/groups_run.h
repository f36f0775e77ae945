/* SPDX-License-Identifier: MIT */
/* Runs a group of compute invocations in the NIR evaluator, in CPU driver kernels, and as threads
 * in the simulator. All use the memory in args->state and leave the shader unchanged. */
#ifndef GROUPS_RUN_H
#define GROUPS_RUN_H

#include "i965_driver.h"
#include "jit/jit.h"
#include "nir/nir_eval.h"

#define GROUPS_MAX_INVOCATIONS 128
#define GROUPS_MAX_SHARED      4096 /* In bytes. */
#define GROUPS_WIDTHS          3    /* Kernel widths: 4, 8 and 16 lanes. */

extern const char *const groups_kernel_names[GROUPS_WIDTHS];
extern const unsigned groups_subgroup_sizes[GROUPS_WIDTHS]; /* The simulator uses the last one. */

typedef bool (*groups_intrinsic)(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                                 nir_const_value *const *srcs, nir_const_value *dest);

/* Returns false if the shader does not compile or does not terminate. subgroup_size is that of the
 * kernel or threads to compare with, from groups_subgroup_sizes. */
bool groups_run_evaluator(nir_shader *nir, const struct cpu_cs_args *args, unsigned subgroup_size,
                          groups_intrinsic intrinsic, void *data);
bool groups_run_kernel(struct jit_engine *engine, const nir_shader *nir,
                       const struct cpu_cs_key *key, struct cpu_cs_args args);
/* Runs the group in the simulator, on a device that depends on the seed. */
bool groups_run_threads(const nir_shader *nir, const struct cpu_cs_args *args, uint64_t seed);

/* Evaluates the shader and copies what it leaves in memory to result. Returns false if it does not
 * terminate. */
typedef bool (*groups_evaluate)(nir_shader *nir, unsigned subgroup_size, void *result, void *data);
/* Applies random passes of the NIR fuzzer to a copy. After each pass, the shader must be valid and
 * leave the same `size` bytes. Prints the pass that fails. */
bool groups_run_passes(const nir_shader *nir, uint64_t seed, groups_evaluate evaluate, size_t size,
                       void *data);

/* Main program of the comparison, with arguments COUNT [SEED]; `count` is the default number of
 * seeds. Creates an engine for each width. run_seed prints differences and returns whether there
 * are none. Returns the exit code. */
typedef bool (*groups_run_seed)(struct jit_engine *const engines[GROUPS_WIDTHS], uint64_t seed);
int groups_main(int argc, char **argv, uint64_t count, groups_run_seed run_seed);

#endif
