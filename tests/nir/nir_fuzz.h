/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer: nir_fuzz_gen.c makes random valid shaders, nir_fuzz.c runs random sequences of the passes
 * of nir_fuzz_steps.c over them and compares what the evaluator says before and after each.
 *
 * A shader reads four vectors (inputs 0 … 3, as floats) and eight words (uniforms, as integers), and
 * writes floats to outputs 0 … 3 and integers to outputs 4 … 7. Numbers that are no numbers never
 * become integers, so that results are compared bit by bit but for them.
 */
#ifndef NIR_FUZZ_H
#define NIR_FUZZ_H

#include "nir_builder.h"
#include "nir_eval.h"

#define FUZZ_VECTORS 4
#define FUZZ_WORDS   8

struct fuzz_rng {
    uint64_t state;
};

static inline unsigned fuzz_random(struct fuzz_rng *rng, unsigned n)
{
    rng->state = rng->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(rng->state >> 33) % n;
}

/* What a driver takes less of than there is. */
struct fuzz_limits {
    bool (*takes)(nir_op op, unsigned bits); /* bits: of the sources and results without a size */
    bool narrow_places;                      /* variables have no 64-bit elements */
};

/* size: instructions, about. limits: NULL, none. */
nir_shader *fuzz_generate(uint64_t seed, unsigned size, const nir_shader_compiler_options *options,
                          const struct fuzz_limits *limits);

/* --- Passes --- */

struct fuzz_step {
    const char *name;
    bool (*run)(nir_shader *shader);
};

struct fuzz_steps {
    const struct fuzz_step *steps;
    unsigned count;
};

/* While there are functions and global variables; then those that end this, in order; in any order
 * without them; towards a driver, in order, and what may be between; for one kind of driver each. */
extern const struct fuzz_steps fuzz_early, fuzz_functions_away, fuzz_middle, fuzz_lowering,
    fuzz_after, fuzz_last;

/* All that a driver does; its passes are looked at one by one. */
#define FUZZ_DRIVERS 2
struct fuzz_driver {
    const char *name;
    void (*lower)(nir_shader *shader);
};
extern const struct fuzz_driver fuzz_drivers[FUZZ_DRIVERS];

/* Whether the pass of that name computes functions that have no exact results in another way. */
bool fuzz_is_approximate(const char *pass);

#endif
