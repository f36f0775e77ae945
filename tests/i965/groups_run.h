/* SPDX-License-Identifier: MIT */
/* A group of compute invocations in the NIR evaluator, in the CPU driver's kernels, and as threads
 * in the simulator. All want the memory that args->state names, and do not write the shader. */
#ifndef GROUPS_RUN_H
#define GROUPS_RUN_H

#include "i965_driver.h"
#include "jit/jit.h"
#include "nir/nir_eval.h"

#define GROUPS_MAX_INVOCATIONS 128
#define GROUPS_MAX_SHARED      4096 /* bytes */
#define GROUPS_WIDTHS          3    /* of kernels: 4, 8 and 16 lanes */

extern const char *const groups_kernel_names[GROUPS_WIDTHS];
extern const unsigned groups_subgroup_sizes[GROUPS_WIDTHS]; /* the simulator has the last one's */

typedef bool (*groups_intrinsic)(struct nir_eval *eval, const nir_intrinsic_instr *intr,
                                 nir_const_value *const *srcs, nir_const_value *dest);

/* False: it does not compile, or run to its end. subgroup_size: of the kernel or threads that are to do
 * the same, groups_subgroup_sizes. */
bool groups_run_evaluator(nir_shader *nir, const struct cpu_cs_args *args, unsigned subgroup_size,
                          groups_intrinsic intrinsic, void *data);
bool groups_run_kernel(struct jit_engine *engine, const nir_shader *nir,
                       const struct cpu_cs_key *key, struct cpu_cs_args args);
bool groups_run_threads(const nir_shader *nir, const struct cpu_cs_args *args);

/* What the shader leaves in the evaluator, in result; false: it does not run to its end. */
typedef bool (*groups_evaluate)(nir_shader *nir, unsigned subgroup_size, void *result, void *data);
/* Random passes of the NIR fuzzer over a copy: after each it is valid and leaves the same size bytes.
 * Says which does not. */
bool groups_run_passes(const nir_shader *nir, uint64_t seed, groups_evaluate evaluate, size_t size,
                       void *data);

/* The program that compares: COUNT [SEED], count seeds where the command line names none; an engine
 * for each width. run_seed says what differs and answers whether nothing does. The exit code. */
typedef bool (*groups_run_seed)(struct jit_engine *const engines[GROUPS_WIDTHS], uint64_t seed);
int groups_main(int argc, char **argv, uint64_t count, groups_run_seed run_seed);

#endif
