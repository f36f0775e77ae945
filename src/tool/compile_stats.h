/* SPDX-License-Identifier: MIT */
/*
 * Statistics of indium-compile: how often each pass ran and how long it took, and how many
 * instructions the shaders have before and after optimization and after the driver's lowering. The
 * struct contains no pointers to other data, because it is in memory shared with a child process.
 */
#ifndef COMPILE_STATS_H
#define COMPILE_STATS_H

#include "nir/nir.h"

#define STATS_MAX_PASSES 192 /* passes with different names; further ones are not recorded */
#define STATS_MAX_DEPTH  16  /* levels of nested passes; deeper ones are not recorded */

struct compile_stats {
    struct {
        char name[44];
        unsigned calls, progress; /* number of calls, and of calls that changed the shader */
        uint64_t ns;              /* CPU time in nanoseconds, without nested passes */
    } passes[STATS_MAX_PASSES];
    unsigned num_passes;
    /* Number of shaders, and sums of their instructions before and after nir_optimize and after the
     * driver's lowering. */
    uint64_t shaders, instrs_before, instrs_after, instrs_lowered;
    uint64_t phis;              /* phis before the conversion from SSA to registers */
    uint64_t copies, constants; /* moves of registers and of constants after the conversion */
    uint64_t largest_before;    /* instructions of the largest shader before optimization */
    struct nir_pass_observer observer;
    bool validate;
    /* Passes that are running, outermost first. start: CPU time at the start of the pass. children:
     * CPU time of nested passes and of these statistics. Both are in nanoseconds. */
    struct {
        uint64_t start, children;
    } stack[STATS_MAX_DEPTH];
    unsigned depth; /* number of running passes; may exceed STATS_MAX_DEPTH */
};

/* Initializes stats, which must not move afterwards: the observer points to it. The observer
 * records each pass and, if `validate` is true, validates the shader after the pass. */
void compile_stats_init(struct compile_stats *stats, bool validate);
/* Clears the stack of running passes, after a child process died in a pass. */
void compile_stats_reset_stack(struct compile_stats *stats);
/* Prints a summary and a table of the passes, the most expensive first. */
void compile_stats_print(const struct compile_stats *stats, FILE *fp);
/* Returns the number of instructions of all functions of a shader. */
unsigned compile_count_instrs(const nir_shader *nir);

#endif
