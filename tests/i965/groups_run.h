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

extern const char *const groups_kernel_names[GROUPS_WIDTHS]; /* For messages: "a kernel of 4" … */
extern const unsigned groups_subgroup_sizes[GROUPS_WIDTHS];  /* The simulator uses the last one. */

/* Evaluates intrinsics for the evaluator: nir_eval.intrinsic. */
typedef bool (*groups_intrinsic)(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                                 nir_const_value *const *srcs, nir_const_value *dest);

/* Runs the group in the evaluator. subgroup_size is that of the kernel or threads to compare with.
 * `data` is nir_eval.data, for `intrinsic`. Returns false if the shader does not terminate. */
bool groups_run_evaluator(nir_shader *nir, const struct cpu_cs_args *args, unsigned subgroup_size,
                          groups_intrinsic intrinsic, void *data);
/* Runs the group in a kernel that the engine compiles for `key`. Returns false if that fails. */
bool groups_run_kernel(struct jit_engine *engine, const nir_shader *nir,
                       const struct cpu_cs_key *key, struct cpu_cs_args args);
/* Runs the group in the simulator, on a device that depends on the seed. Returns false if the
 * shader does not compile or a thread does not terminate. */
bool groups_run_threads(const nir_shader *nir, const struct cpu_cs_args *args, uint64_t seed);

/* Evaluates the shader and stores the final contents of its memory in result. Returns false if it
 * does not terminate. */
typedef bool (*groups_evaluate)(nir_shader *nir, unsigned subgroup_size, void *result, void *data);
/* Applies random passes of the NIR fuzzer to a copy of the shader. After each pass, the copy must
 * be valid, which nir_validate_shader() checks, and `evaluate` must store the same result of `size`
 * bytes. Otherwise prints the pass and returns false. */
bool groups_run_passes(const nir_shader *nir, uint64_t seed, groups_evaluate evaluate, size_t size,
                       void *data);

/* Compares the results for a seed. Prints differences and returns whether there are none. */
typedef bool (*groups_run_seed)(struct jit_engine *const engines[GROUPS_WIDTHS], uint64_t seed);
/* Main program of the comparison, with the arguments [COUNT [SEED]]: the number of seeds, `count`
 * by default, and the first one. Creates an engine for each width. Returns the exit code. */
int groups_main(int argc, char **argv, uint64_t count, groups_run_seed run_seed);

#endif
