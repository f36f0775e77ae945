/* SPDX-License-Identifier: MIT */
/*
 * Statistics of indium-compile. For each pass: calls, calls that made progress, and CPU time
 * without nested passes. For all shaders: instruction counts before and after the optimization
 * loop, and after the driver's lowering. Plain data, because it lives in memory shared with a child
 * process.
 */
#ifndef COMPILE_STATS_H
#define COMPILE_STATS_H

#include "nir/nir.h"

#define STATS_MAX_PASSES 192
#define STATS_MAX_DEPTH  16

struct compile_stats {
    struct {
        char name[44];
        unsigned calls, progress;
        uint64_t ns;
    } passes[STATS_MAX_PASSES];
    unsigned num_passes;
    uint64_t shaders, instrs_before, instrs_after, instrs_lowered;
    uint64_t phis;              /* before leaving SSA */
    uint64_t copies, constants; /* moves of registers, of constants that remain after it */
    uint64_t largest_before;    /* instructions of the largest shader, before optimization */
    struct nir_pass_observer observer;
    bool validate;
    struct {
        uint64_t start, children;
    } stack[STATS_MAX_DEPTH]; /* running passes */
    unsigned depth;
};

/* Initializes stats. The observer records each pass and, if `validate`, validates the shader after
 * it. */
void compile_stats_init(struct compile_stats *stats, bool validate);
/* Forgets the running passes, after a child process died in them. */
void compile_stats_reset_stack(struct compile_stats *stats);
void compile_stats_print(const struct compile_stats *stats, FILE *fp);
unsigned compile_count_instrs(const nir_shader *nir);

#endif
