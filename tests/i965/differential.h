/* SPDX-License-Identifier: MIT */
/* Shared declarations of the differential test. */
#ifndef DIFFERENTIAL_H
#define DIFFERENTIAL_H

#include "driver/i965/i965_compiler.h"
#include "nir_fuzz.h"

struct jit_engine;
struct run_data;

enum {
    TRACE_SLOT = 38,   /* Written by the code that differential_trace() adds. */
    DISCARD_SLOT = 39, /* Written by a discard. */
};

/* Properties of a shader in the common form. */
struct form {
    const char *name;
    uint64_t integer_slots; /* Bit mask of result slots that are compared bit by bit. */
    uint64_t ignored_slots; /* Result slots that aren't compared. */
    unsigned ulps;          /* Maximum difference of floats, relative to the vector's largest. */
    bool uses_math;         /* Has math functions or quotients. Set by differential_form(). */
};

/* Returns whether the i965 compiler supports the operation on values of that bit size, and all
 * implementations compute it exactly. */
bool differential_takes(nir_op op, unsigned bits);
/* Returns a random shader of the fuzzer, limited to operations that the i965 compiler supports and
 * all implementations compute exactly. */
nir_shader *differential_random(const struct i965_device *dev, uint64_t seed, unsigned size);
/* Reads a serialized shader, as a child of mem_ctx. Returns NULL if it cannot be read. */
nir_shader *differential_read(void *mem_ctx, const char *path,
                              const nir_shader_compiler_options *options);
/* Converts a shader of any stage to the compute shader of i965_run.h. Inputs, outputs and system
 * values are in memory; a discard writes a dword. Texture instructions and derivatives, which need
 * several invocations, become arithmetic. All arithmetic becomes exact. */
void differential_form(nir_shader *nir, struct form *form);

/* Changes a shader in the common form: it stores a number in TRACE_SLOT that depends on the result
 * of one arithmetic instruction. index: which one, counting only instructions with results of 1, 32
 * or 64 bits. Prints the instruction to `text`, a buffer of `size` bytes. Returns false if there
 * are fewer instructions. */
bool differential_trace(nir_shader *nir, unsigned index, char *text, size_t size);

/* Runs the shader as a JIT kernel. Returns false if the JIT does not support it. */
bool differential_run_jit(struct jit_engine *jit, const nir_shader *nir, struct run_data *d);

/* Tests each math function on many values and prints the largest errors of evaluator, JIT and
 * simulator. Returns false if an error exceeds its limit. */
bool differential_math(struct jit_engine *jit, const struct i965_device *dev);

/* Compares all integer operations on negated and absolute values in the simulator with the
 * evaluator. Returns false if a result differs. */
bool differential_modifiers(const struct i965_device *dev);

#endif
