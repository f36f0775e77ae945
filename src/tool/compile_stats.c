/* SPDX-License-Identifier: MIT */
/* Counts passes. */
#include "compile_stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

unsigned compile_count_instrs(const nir_shader *nir)
{
    unsigned n = 0;
    nir_foreach_function_impl (impl, nir) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block)
                n++;
        }
    }
    return n;
}

/* Excludes the time of the counting itself from all running passes. */
static void exclude(struct compile_stats *stats, uint64_t since)
{
    if (stats->depth > 0 && stats->depth <= STATS_MAX_DEPTH)
        stats->stack[stats->depth - 1].children += now() - since;
}

static void begin(void *data, nir_shader *shader, const char *pass)
{
    struct compile_stats *stats = data;
    uint64_t entry = now();
    if (!strcmp(pass, "nir_optimize") && !stats->depth) {
        unsigned n = compile_count_instrs(shader);
        stats->shaders++;
        stats->instrs_before += n;
        stats->largest_before = MAX2(stats->largest_before, n);
    }
    exclude(stats, entry);
    if (stats->depth < STATS_MAX_DEPTH) {
        stats->stack[stats->depth].children = 0;
        stats->stack[stats->depth].start = now();
    }
    stats->depth++;
}

static unsigned find_pass(struct compile_stats *stats, const char *pass)
{
    unsigned i = 0;
    while (i < stats->num_passes &&
           strncmp(stats->passes[i].name, pass, sizeof stats->passes[i].name - 1) != 0)
        i++;
    if (i == stats->num_passes && i < STATS_MAX_PASSES) {
        snprintf(stats->passes[i].name, sizeof stats->passes[i].name, "%s", pass);
        stats->num_passes++;
    }
    return i;
}

static void end(void *data, nir_shader *shader, const char *pass, bool progress)
{
    struct compile_stats *stats = data;
    uint64_t exit = now();
    stats->depth--;
    if (stats->depth < STATS_MAX_DEPTH) {
        uint64_t total = exit - stats->stack[stats->depth].start;
        unsigned i = find_pass(stats, pass);
        if (i < STATS_MAX_PASSES) {
            stats->passes[i].calls++;
            stats->passes[i].progress += progress;
            stats->passes[i].ns += total - stats->stack[stats->depth].children;
        }
        if (stats->depth > 0)
            stats->stack[stats->depth - 1].children += total;
    }
    if (!strcmp(pass, "nir_optimize") && !stats->depth)
        stats->instrs_after += compile_count_instrs(shader);
    if (stats->validate) {
        char when[80];
        snprintf(when, sizeof when, "after %s", pass);
        nir_validate_shader(shader, when);
    }
    exclude(stats, exit);
}

void compile_stats_init(struct compile_stats *stats, bool validate)
{
    memset(stats, 0, sizeof *stats);
    stats->validate = validate;
    stats->observer = (struct nir_pass_observer){begin, end, stats};
}

void compile_stats_reset_stack(struct compile_stats *stats)
{
    stats->depth = 0;
}

static int by_time(const void *a, const void *b, void *data)
{
    const struct compile_stats *stats = data;
    uint64_t x = stats->passes[*(const unsigned *)a].ns, y = stats->passes[*(const unsigned *)b].ns;
    return x < y ? 1 : x > y ? -1 : 0;
}

void compile_stats_print(const struct compile_stats *stats, FILE *fp)
{
    unsigned order[STATS_MAX_PASSES];
    uint64_t sum = 0;
    for (unsigned i = 0; i < stats->num_passes; i++) {
        order[i] = i;
        sum += stats->passes[i].ns;
    }
    qsort_r(order, stats->num_passes, sizeof order[0], by_time, (void *)stats);
    fprintf(fp, "shaders: %" PRIu64 ", largest: %" PRIu64 " instructions\n", stats->shaders,
            stats->largest_before);
    fprintf(fp, "instructions: %" PRIu64 " before optimization, %" PRIu64 " after",
            stats->instrs_before, stats->instrs_after);
    if (stats->instrs_lowered)
        fprintf(fp, ", %" PRIu64 " after the driver's lowering", stats->instrs_lowered);
    fprintf(fp, "\n");
    if (stats->instrs_lowered)
        fprintf(fp,
                "out of SSA: %" PRIu64 " phis; %" PRIu64 " copies and %" PRIu64
                " constants remain\n",
                stats->phis, stats->copies, stats->constants);
    fprintf(fp, "time in passes: %.3f s\n", (double)sum / 1e9);
    for (unsigned i = 0; i < stats->num_passes; i++) {
        unsigned p = order[i];
        fprintf(fp, "%5.1f %%  %-36s %9u calls %9u progress %8.2f us/call\n",
                sum ? 100.0 * (double)stats->passes[p].ns / (double)sum : 0.0,
                stats->passes[p].name, stats->passes[p].calls, stats->passes[p].progress,
                (double)stats->passes[p].ns / 1e3 / stats->passes[p].calls);
    }
}
