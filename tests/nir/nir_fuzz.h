/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer: nir_fuzz_gen.c generates random valid shaders. nir_fuzz.c runs random sequences of
 * the passes in nir_fuzz_steps.c over them and compares the evaluator's results before and after
 * each pass.
 *
 * A shader reads four vectors (inputs 0 … 3, as floats) and eight words (uniforms, as integers). It
 * writes floats to outputs 0 … 3 and integers to outputs 4 … 7. NaNs are never converted to
 * integers, so that all results except NaNs can be compared bit by bit.
 */
#ifndef NIR_FUZZ_H
#define NIR_FUZZ_H

#include "nir_builder.h"
#include "nir_eval.h"

#define FUZZ_VECTORS 4
#define FUZZ_WORDS   8

/* State of the random generator. */
struct fuzz_rng {
    uint64_t state;
};

/* Returns a random number below n, which isn't 0. */
static inline unsigned fuzz_random(struct fuzz_rng *rng, unsigned n)
{
    rng->state = rng->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(rng->state >> 33) % n;
}

/* Restrictions of a driver. */
struct fuzz_limits {
    /* Returns whether the driver supports an operation. bits: size of the types without a fixed
     * size. NULL: all are supported. */
    bool (*takes)(nir_op op, unsigned bits);
    bool narrow_places; /* variables have no 64-bit elements */
};

/* Generates a shader of about `size` instructions; the caller must destroy it. limits may be
 * NULL. */
nir_shader *fuzz_generate(uint64_t seed, unsigned size, const nir_shader_compiler_options *options,
                          const struct fuzz_limits *limits);

/* --- Passes --- */

struct fuzz_step {
    const char *name;
    bool (*run)(nir_shader *shader); /* returns whether it made progress */
};

struct fuzz_steps {
    const struct fuzz_step *steps;
    unsigned count;
};

/* Groups of passes. early: for shaders with functions and global variables. inline_functions:
 * removes both; run in order. middle: for the result, in any order. lowering: for a driver; run in
 * order. after: may run between the lowering passes. last: each for one kind of driver only. */
extern const struct fuzz_steps fuzz_early, fuzz_inline_functions, fuzz_middle, fuzz_lowering,
    fuzz_after, fuzz_last;

/* The complete lowering of a driver; the results are compared after each of its passes. */
#define FUZZ_DRIVERS 3
struct fuzz_driver {
    const char *name;
    void (*lower)(nir_shader *shader);
};
extern const struct fuzz_driver fuzz_drivers[FUZZ_DRIVERS];

/* Returns true if that pass computes functions without exact results in a different way. */
bool fuzz_is_approximate(const char *pass);

#endif
