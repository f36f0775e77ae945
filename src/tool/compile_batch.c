/* SPDX-License-Identifier: MIT */
/*
 * Compiles many programs in sequence in a child process. If the child crashes or hangs, the parent
 * reports the file and starts another child at the next one. Results are in shared memory.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <talloc.h>
#include <unistd.h>

#include "compile_program.h"
#include "compile_stats.h"

struct shared {
    unsigned next; /* index of the current file, or of the next one */
    unsigned results[COMPILE_NUM_RESULTS];
    struct compile_stats stats;
};

static const char *const result_names[COMPILE_NUM_RESULTS] = {
    "unreadable",  "skipped",     "beyond our limits",
    "with errors", "not linking", "rejected as expected",
    "done",        "broken",      "unexpected",
    "crashed",     "too slow",
};

/* Combines a result with the expectation in the .shader_test. */
static enum compile_result judge(const struct compile_unit *unit,
                                 const struct compile_arguments *args, enum compile_result result)
{
    bool failed = result == COMPILE_ERRORS || result == COMPILE_LINK_ERRORS;
    if (result == COMPILE_LINK_ERRORS && unit->link_error)
        return COMPILE_REJECTED;
    if (failed && unit->beyond) {
        fprintf(stderr, "%s: requires %s\n", unit->name, unit->beyond);
        return COMPILE_BEYOND;
    }
    if (args->expect && (failed || (result == COMPILE_DONE && unit->link_error))) {
        fprintf(stderr, "%s: %s, but the test expects that it %s\n", unit->name,
                result_names[result], unit->link_error ? "does not link" : "links");
        return COMPILE_UNEXPECTED;
    }
    return result;
}

/* Compiles all programs of the unit. Returns the first result that is not COMPILE_DONE. */
static enum compile_result compile_units(const struct compile_unit *unit,
                                         const struct compile_arguments *args,
                                         struct compile_stats *stats)
{
    enum compile_result first = COMPILE_DONE;
    for (; unit; unit = unit->next) {
        enum compile_result result = judge(unit, args, compile_unit(unit, args, stats));
        if (first == COMPILE_DONE)
            first = result;
    }
    return first;
}

static enum compile_result compile_file(const struct compile_arguments *args, const char *path,
                                        struct compile_stats *stats)
{
    void *mem_ctx = talloc_new(NULL);
    struct compile_unit unit = {.name = path};
    enum compile_result result;
    bool readable = compile_is_shader_test(path) ? compile_read_shader_test(mem_ctx, &unit, path)
                                                 : compile_add_glsl_file(mem_ctx, &unit, path);
    if (!readable) {
        result = COMPILE_UNREADABLE;
    } else if (unit.unsupported) {
        fprintf(stderr, "%s: skipped: %s\n", path, unit.unsupported);
        result = COMPILE_SKIPPED;
    } else {
        result = compile_units(&unit, args, stats);
    }
    talloc_free(mem_ctx);
    return result;
}

static _Noreturn void run_child(const struct compile_arguments *args, struct shared *shared)
{
    for (; shared->next < args->count; shared->next++) {
        alarm(args->seconds);
        enum compile_result result = compile_file(
            args, args->files[shared->next], args->stats || args->validate ? &shared->stats : NULL);
        shared->results[result]++;
    }
    fflush(stdout);
    _exit(0);
}

/* Reports how the child died at file shared->next. */
static void report_death(const struct compile_arguments *args, struct shared *shared, int status)
{
    const char *path = args->files[shared->next];
    int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (sig == SIGALRM) {
        fprintf(stderr, "%s: took more than %u seconds\n", path, args->seconds);
        shared->results[COMPILE_TIMEOUT]++;
    } else {
        fprintf(stderr, "%s: crashed: %s\n", path, sig ? strsignal(sig) : "exit");
        shared->results[COMPILE_CRASHED]++;
    }
    compile_stats_reset_stack(&shared->stats);
    shared->next++;
}

static void print_results(const struct compile_arguments *args, const struct shared *shared)
{
    printf("%u programs:", args->count);
    for (unsigned i = 0; i < COMPILE_NUM_RESULTS; i++) {
        if (shared->results[i])
            printf(" %u %s", shared->results[i], result_names[i]);
    }
    printf("\n");
    if (args->stats)
        compile_stats_print(&shared->stats, stdout);
}

int compile_batch(const struct compile_arguments *args)
{
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    compile_stats_init(&shared->stats, args->validate);
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (shared->next < args->count) {
        int status;
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0)
            run_child(args, shared);
        if (pid < 0 || waitpid(pid, &status, 0) != pid) {
            perror("fork");
            munmap(shared, sizeof *shared);
            return 2;
        }
        if (shared->next < args->count)
            report_death(args, shared, status);
    }
    print_results(args, shared);
    bool ok = !shared->results[COMPILE_BROKEN] && !shared->results[COMPILE_UNEXPECTED] &&
              !shared->results[COMPILE_CRASHED] && !shared->results[COMPILE_TIMEOUT] &&
              !shared->results[COMPILE_UNREADABLE];
    munmap(shared, sizeof *shared);
    return ok ? 0 : 1;
}
