/* SPDX-License-Identifier: MIT */
/*
 * What indium-compile counts: for each pass calls, progress and time without the passes that it
 * calls; instructions before and after the optimization loop and after the driver's lowering.
 * Plain data: it lives in memory that a child process shares.
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
    /* Before leaving SSA; moves that are left behind it, of registers and of constants. */
    uint64_t phis, copies, constants;
    uint64_t largest_before; /* one shader's */
    struct nir_pass_observer observer;
    bool validate;
    struct {
        uint64_t start, children;
    } stack[STATS_MAX_DEPTH]; /* passes that run */
    unsigned depth;
};

/* Makes stats->observer, which counts, and validates after each pass if wanted. */
void compile_stats_init(struct compile_stats *stats, bool validate);
void compile_stats_reset_stack(struct compile_stats *stats);
void compile_stats_print(const struct compile_stats *stats, FILE *fp);
unsigned compile_count_instrs(const nir_shader *nir);

#endif
