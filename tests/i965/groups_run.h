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

/* Names of the kernel widths for messages, and their subgroup sizes in invocations. The simulator's
 * subgroups have the last size. */
extern const char *const groups_kernel_names[GROUPS_WIDTHS];
extern const unsigned groups_subgroup_sizes[GROUPS_WIDTHS];

/* Evaluates an intrinsic, such as a memory access, for the evaluator (nir_eval.intrinsic). */
typedef bool (*groups_intrinsic)(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                                 nir_const_value *const *srcs, nir_const_value *dest);

/* Runs the group in the NIR evaluator, with `data` as nir_eval.data. subgroup_size is that of the
 * kernel or threads to compare with. Returns false if the evaluator stops before the shader's
 * end. */
bool groups_run_evaluator(nir_shader *nir, const struct cpu_cs_args *args, unsigned subgroup_size,
                          groups_intrinsic intrinsic, void *data);
/* Runs the group in a CPU driver kernel of the engine's width. Returns false if the shader does not
 * compile. */
bool groups_run_kernel(struct jit_engine *engine, const nir_shader *nir,
                       const struct cpu_cs_key *key, struct cpu_cs_args args);
/* Runs the group in the simulator, on a device that depends on the seed. Returns false if the
 * shader does not compile or a thread faults. */
bool groups_run_threads(const nir_shader *nir, const struct cpu_cs_args *args, uint64_t seed);

/* Evaluates the shader and stores the final contents of its memory in result. Returns false if it
 * does not terminate. */
typedef bool (*groups_evaluate)(nir_shader *nir, unsigned subgroup_size, void *result, void *data);
/* Applies random passes of the NIR fuzzer to a copy of the shader and evaluates it after each pass.
 * Returns whether all results have the same `size` bytes as the original's. Prints the pass after
 * which they differ. An invalid shader ends the process. */
bool groups_run_passes(const nir_shader *nir, uint64_t seed, groups_evaluate evaluate, size_t size,
                       void *data);

/* Compares the results of one seed's shader. Prints differences and returns whether there are
 * none. */
typedef bool (*groups_run_seed)(struct jit_engine *const engines[GROUPS_WIDTHS], uint64_t seed);
/* Main program with the arguments [COUNT [SEED]]: calls run_seed for COUNT seeds from SEED on, with
 * an engine for each width. The defaults are `count` and 1. Returns the exit code. */
int groups_main(int argc, char **argv, uint64_t count, groups_run_seed run_seed);

#endif
