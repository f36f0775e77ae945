/* SPDX-License-Identifier: MIT */
/* Between the files of the differential test. */
#ifndef DIFFERENTIAL_H
#define DIFFERENTIAL_H

#include "driver/i965/i965_compiler.h"
#include "nir_fuzz.h"

struct jit_engine;
struct run_data;

enum {
    TRACE_SLOT = 38,   /* differential_trace */
    DISCARD_SLOT = 39, /* what a discard writes */
};

/* What is known of a shader in the common form. */
struct form {
    const char *name;
    uint64_t integer_slots; /* of the results: compared bit by bit */
    uint64_t ignored_slots;
    unsigned ulps; /* that floats may differ by */
    bool uses_math;
};

/* A shader of the fuzzer's, of what the i965 compiler takes and all compute exactly. */
nir_shader *differential_random(const struct i965_device *dev, uint64_t seed, unsigned size);
/* A serialized shader; a child of mem_ctx, NULL: it cannot be read. */
nir_shader *differential_read(void *mem_ctx, const char *path,
                              const nir_shader_compiler_options *options);
/* Makes any stage's shader the compute shader of i965_run.h: inputs, outputs and system values are
 * memory, discards are a word that is written; texture instructions and derivatives, which need more
 * than one invocation, are arithmetic. All arithmetic becomes exact. */
void differential_form(nir_shader *nir, struct form *form);

/* Makes the shader, in the common form, write the result of its arithmetic instruction of that number;
 * text says which that is. False: there are not as many. */
bool differential_trace(nir_shader *nir, unsigned index, char *text, size_t size);

/* False: the JIT does not take it. */
bool differential_run_jit(struct jit_engine *jit, const nir_shader *nir, struct run_data *d);

/* Each function of the math box over many values; prints the largest errors of evaluator, JIT and
 * simulator. False: one is larger than it may be. */
bool differential_math(struct jit_engine *jit, const struct i965_device *dev);

#endif
