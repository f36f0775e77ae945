/* SPDX-License-Identifier: MIT */
/*
 * fuzz-gl: runs sequences of calls, each in a child process, for some seconds, or one sequence
 * given by its seed. Reports each fault (crash, sanitizer error, leak, hang, excessive memory use)
 * once per place in the code. --minimize shortens the sequence.
 *
 * usage: fuzz-gl [--api core|compat|es1|es2|es3|egl|glx] [--seconds N] [--seed S [--calls N]]
 *                [--threads N] [--minimize] [--trace] [--code]
 * With --calls, runs the one sequence of seed S; otherwise sequences with seeds derived from S.
 */
#include "fuzz_gl.h"

#include <errno.h>
#include <pthread.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_CALLS    2000
#define CALLS        250 /* calls per sequence, or two, four or eight times that */
#define HANG_SECONDS 20  /* limit of CPU time per thread, plus the same per 500 calls */
#define WAIT_SECONDS 300 /* limit of wall-clock time without LEAST_WORK, for deadlocks */
#define LEAST_WORK   0.2 /* seconds of CPU time that count as progress */
#define MAX_FOUND    64
#define LOG_LINES    120 /* maximum lines printed per fault */
#define CODE_LINES   5000

/* Sanitizer options: failed allocations return NULL, so that the GL reports them; using more than
 * 2 GiB is a fault. */
#define LIMITS "allocator_may_return_null=1:hard_rss_limit_mb=2048:max_allocation_size_mb=1024"
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return LIMITS ":detect_leaks=1:handle_abort=1:detect_stack_use_after_return=0";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "halt_on_error=1:print_stacktrace=1";
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
    return LIMITS ":halt_on_error=1:exitcode=66:second_deadlock_stack=1:handle_abort=1";
}

/* --- randomness --- */

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint32_t fuzz_random(struct fuzz *f, uint32_t range)
{
    f->random += 0x9e3779b97f4a7c15u;
    return range ? (uint32_t)((mix(f->random) >> 32) * range >> 32) : 0;
}

/* --- names --- */

#define NAMES 24
static uint64_t names[FUZZ_CLASSES][NAMES]; /* atomic: shared by all threads */
static unsigned num_names[FUZZ_CLASSES];

void fuzz_name_add(enum fuzz_class object, uint64_t name)
{
    unsigned at = __atomic_fetch_add(&num_names[object], 1, __ATOMIC_RELAXED) % NAMES;
    if (name)
        __atomic_store_n(&names[object][at], name, __ATOMIC_RELAXED);
}

uint64_t fuzz_name(struct fuzz *f, enum fuzz_class object)
{
    unsigned made = __atomic_load_n(&num_names[object], __ATOMIC_RELAXED),
             what = fuzz_random(f, 100);
    if (object == FUZZ_PROGRAM && fuzz_chance(f, 10))
        object = FUZZ_SHADER; /* shaders and programs share a name space */
    if (what < 80 && made)
        return __atomic_load_n(&names[object][fuzz_random(f, made < NAMES ? made : NAMES)],
                               __ATOMIC_RELAXED);
    return what < 92 ? 0 : what < 98 ? 1 + fuzz_random(f, 8) : fuzz_random(f, UINT32_MAX);
}

/* --- a sequence --- */

struct options {
    enum gl_api api;
    const char *api_name;
    const struct fuzz_api *way; /* NULL: GL calls of the core */
    uint64_t seed;
    unsigned seconds, calls, threads;
    bool minimize, trace, code;
};

/* Shared memory in which a child reports its progress: the current call of each thread, and the
 * total number of calls. */
static struct progress {
    unsigned index[FUZZ_MAX_THREADS];
    unsigned calls;
} *progress;

static uint8_t left_out[FUZZ_MAX_THREADS][MAX_CALLS]; /* calls that the minimizer omits */
static struct fuzz workers[FUZZ_MAX_THREADS];
static const struct options *running;
static uint64_t running_seed;

static void run_calls(struct fuzz *f)
{
    for (unsigned i = 0; i < running->calls; i++) {
        if (left_out[f->thread][i])
            continue;
        f->random = mix(mix(mix(running_seed) + f->thread) + i);
        progress->index[f->thread] = i;
        __atomic_add_fetch(&progress->calls, 1, __ATOMIC_RELAXED);
        if (f->trace)
            fprintf(stderr, "%u: [%u]\n", f->thread, i);
        if (f->code && f->threads)
            fprintf(stderr, "/* thread %u */\n", f->thread);
        if (running->way)
            running->way->call(f);
        else if (fuzz_chance(f, 20))
            fuzz_scene(f);
        else
            fuzz_call(f);
    }
}

static void *run_thread(void *data)
{
    struct fuzz *f = data;
    fuzz_print_begin(f);
    if (running->way) {
        run_calls(f);
        running->way->leave();
        return NULL;
    }
    if (fuzz_memory_init(f) && fuzz_contexts_init(f, workers[0].context[0]))
        run_calls(f);
    fuzz_contexts_finish(f);
    return NULL;
}

/* Runs a sequence of EGL or GLX calls; this thread is the first worker. */
static int run_way(const struct options *o)
{
    pthread_t thread[FUZZ_MAX_THREADS];
    for (unsigned i = 1; i < o->threads; i++)
        pthread_create(&thread[i], NULL, run_thread, &workers[i]);
    run_thread(&workers[0]);
    for (unsigned i = 1; i < o->threads; i++)
        pthread_join(thread[i], NULL);
    o->way->finish();
    return 0;
}

static int run_sequence(const struct options *o, uint64_t seed)
{
    pthread_t thread[FUZZ_MAX_THREADS];
    running = o;
    running_seed = seed;
    bool noop = o->api != GL_API_CORE && !(mix(seed) % 3); /* faster, but lacks some features */
    setenv("INDIUM_DRIVER", noop ? "noop" : "cpu", 0);
    setenv("INDIUM_LANES", "4", 0);
    for (unsigned i = 0; i < FUZZ_MAX_THREADS; i++)
        workers[i] = (struct fuzz){.thread = i,
                                   .api = o->api,
                                   .trace = o->trace && !o->code,
                                   .code = o->code,
                                   .threads = o->threads > 1,
                                   .random = seed};
    struct fuzz *f = &workers[0];
    fuzz_print_begin(f);
    if (o->way)
        return run_way(o);
    if (!fuzz_memory_init(f) || !fuzz_contexts_init(f, NULL)) {
        fprintf(stderr, "no context\n");
        return 2;
    }
    struct gl_context *first = f->context[0];
    for (unsigned i = 1; i < o->threads; i++)
        pthread_create(&thread[i], NULL, run_thread, &workers[i]);
    run_calls(f);
    for (unsigned i = 1; i < o->threads; i++)
        pthread_join(thread[i], NULL);
    if (f->context[0] != first)
        abort();
    fuzz_contexts_finish(f);
    return 0;
}

/* --- parent --- */

struct outcome {
    bool failed;
    char where[300]; /* place of the failure, which identifies it */
    unsigned calls;
};

static double seconds_of(struct timespec t)
{
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return seconds_of(t);
}

/* Returns the CPU time of the child in seconds. */
static double processor_time(pid_t child)
{
    clockid_t clock;
    struct timespec t = {0};
    if (!clock_getcpuclockid(child, &clock))
        clock_gettime(clock, &t);
    return seconds_of(t);
}

/* SIGCHLD, which the parent blocks and waits for. */
static sigset_t child_ends;

/* Waits for the child. Returns false if it exceeded a time limit and was killed. */
static bool wait_for(pid_t child, const struct options *o, int *status)
{
    const double most = HANG_SECONDS * o->threads * (1 + o->calls / 500.0);
    const struct timespec pause = {0, 500000000};
    double worked = 0, end = now() + WAIT_SECONDS;
    while (!waitpid(child, status, WNOHANG)) {
        double used = processor_time(child);
        if (used > worked + LEAST_WORK) {
            worked = used;
            end = now() + WAIT_SECONDS;
        }
        if (now() > end || used > most) {
            kill(child, SIGABRT); /* makes sanitizers print the stack */
            nanosleep(&(struct timespec){3, 0}, NULL);
            kill(child, SIGKILL);
            waitpid(child, status, 0);
            return false;
        }
        sigtimedwait(&child_ends, NULL, &pause);
    }
    return true;
}

/* Stores the sanitizer's summary line without addresses in out->where. */
static void place(FILE *log, struct outcome *out, const char *otherwise)
{
    char line[400];
    snprintf(out->where, sizeof out->where, "%s", otherwise);
    rewind(log);
    while (fgets(line, sizeof line, log))
        if (!strncmp(line, "SUMMARY: ", 9) && strlen(line) < sizeof out->where) {
            strcpy(out->where, line + 9);
            out->where[strcspn(out->where, "\n")] = 0;
        }
}

static struct outcome run_child(const struct options *o, uint64_t seed, FILE *log)
{
    struct outcome out = {0};
    char otherwise[200];
    int status = 0;
    memset(progress, 0, sizeof *progress);
    fflush(NULL);
    rewind(log);
    if (ftruncate(fileno(log), 0))
        perror("ftruncate");
    pid_t child = fork();
    if (!child) {
        sigprocmask(SIG_UNBLOCK, &child_ends, NULL);
        dup2(fileno(log), STDERR_FILENO);
        dup2(fileno(log), STDOUT_FILENO);
        setvbuf(stderr, NULL, _IONBF, 0);
        exit(run_sequence(o, seed));
    }
    bool ended = wait_for(child, o, &status);
    out.calls = progress->calls;
    out.failed = !ended || status;
    if (!ended)
        snprintf(otherwise, sizeof otherwise, "hang");
    else if (WIFSIGNALED(status))
        snprintf(otherwise, sizeof otherwise, "signal %d", WTERMSIG(status));
    else
        snprintf(otherwise, sizeof otherwise, "exit status %d", WEXITSTATUS(status));
    if (out.failed)
        place(log, &out, otherwise);
    return out;
}

static void print_log(FILE *log, unsigned most)
{
    char line[600];
    unsigned lines = 0;
    rewind(log);
    while (fgets(line, sizeof line, log) && lines++ < most)
        fputs(line, stdout);
}

/* Minimizes a sequence: omits halves, quarters … of the remaining calls as long as the same fault
 * occurs. */
static void minimize(struct options *o, uint64_t seed, FILE *log, const char *where)
{
    unsigned count = o->threads * o->calls;
    for (unsigned chunk = count / 2; chunk; chunk /= 2)
        for (unsigned at = 0; at < count; at += chunk) {
            uint8_t *flags = &left_out[0][0], old[FUZZ_MAX_THREADS * MAX_CALLS];
            bool any = false;
            memcpy(old, flags, sizeof old);
            for (unsigned k = at; k < at + chunk && k < count; k++) {
                uint8_t *flag = &left_out[k / o->calls][k % o->calls];
                any |= !*flag;
                *flag = 1;
            }
            if (!any)
                continue;
            struct outcome out = run_child(o, seed, log);
            if (!out.failed || strcmp(out.where, where))
                memcpy(flags, old, sizeof old);
        }
    o->trace = true;
    run_child(o, seed, log);
    o->trace = false;
    print_log(log, LOG_LINES);
    if (!o->way) {
        printf("as C, of a first context of API %s:\n", o->api_name);
        o->code = true;
        run_child(o, seed, log);
        o->code = false;
        print_log(log, CODE_LINES);
    }
    memset(left_out, 0, sizeof left_out);
}

static void report(struct options *o, uint64_t seed, FILE *log, const struct outcome *out)
{
    printf("found: %s\n  again: fuzz-gl --api %s --threads %u --seed %llu --calls %u --trace\n",
           out->where, o->api_name, o->threads, (unsigned long long)seed, o->calls);
    for (unsigned i = 0; i < o->threads; i++)
        printf("  thread %u was at call %u\n", i, progress->index[i]);
    if (o->minimize)
        minimize(o, seed, log, out->where);
    else
        print_log(log, o->code ? CODE_LINES : LOG_LINES);
    fflush(stdout);
}

static int run_many(struct options *o, FILE *log)
{
    static char found[MAX_FOUND][sizeof((struct outcome *)0)->where];
    unsigned num_found = 0, sequences = 0, failures = 0;
    uint64_t calls = 0;
    double end = now() + o->seconds;
    while (now() < end) {
        uint64_t seed = mix(o->seed) % 1000000 * 100000 + sequences++;
        o->calls = CALLS << mix(seed) % 4;
        struct outcome out = run_child(o, seed, log);
        bool known = false;
        calls += out.calls;
        failures += out.failed;
        for (unsigned i = 0; i < num_found; i++)
            known |= !strcmp(found[i], out.where);
        if (!out.failed || known)
            continue;
        if (num_found < MAX_FOUND)
            strcpy(found[num_found++], out.where);
        report(o, seed, log, &out);
    }
    printf("%s: %u sequences, %llu calls, %u failed at %u places\n", o->api_name, sequences,
           (unsigned long long)calls, failures, num_found);
    return failures != 0;
}

static bool parse(struct options *o, int argc, char **argv)
{
    static const struct {
        const char *name, *version;
        enum gl_api api;
        const struct fuzz_api *way;
    } apis[] = {{"compat", NULL, GL_API_COMPAT},
                {"core", NULL, GL_API_CORE},
                {"es1", NULL, GL_API_ES1},
                {"es2", "2.0", GL_API_ES2},
                {"es3", NULL, GL_API_ES2},
                {"egl", NULL, GL_API_ES2, &fuzz_api_egl},
                {"glx", NULL, GL_API_COMPAT, &fuzz_api_glx}};
    const char *api = "compat";
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--minimize")) {
            o->minimize = true;
            continue;
        } else if (!strcmp(argv[i], "--trace")) {
            o->trace = true;
            continue;
        } else if (!strcmp(argv[i], "--code")) {
            o->code = true;
            continue;
        } else if (!strcmp(argv[i], "--api"))
            api = value;
        else if (!strcmp(argv[i], "--seconds"))
            o->seconds = strtoul(value, NULL, 0);
        else if (!strcmp(argv[i], "--seed"))
            o->seed = strtoull(value, NULL, 0);
        else if (!strcmp(argv[i], "--calls"))
            o->calls = strtoul(value, NULL, 0);
        else if (!strcmp(argv[i], "--threads"))
            o->threads = strtoul(value, NULL, 0);
        else
            return false;
        i++;
    }
    for (unsigned i = 0; i < sizeof apis / sizeof apis[0]; i++)
        if (!strcmp(api, apis[i].name)) {
            o->api = apis[i].api;
            o->api_name = api;
            o->way = apis[i].way;
            if (apis[i].version)
                setenv("INDIUM_GLES_VERSION_OVERRIDE", apis[i].version, 0);
        }
    return o->api_name && o->calls <= MAX_CALLS && o->threads - 1 < FUZZ_MAX_THREADS;
}

int main(int argc, char **argv)
{
    struct options o = {.seconds = 60, .threads = 1, .seed = (uint64_t)time(NULL)};
    FILE *log = tmpfile();
    if (!parse(&o, argc, argv) || !log) {
        fprintf(stderr,
                "usage: fuzz-gl [--api core|compat|es1|es2|es3|egl|glx] [--seconds N] [--seed S "
                "[--calls N]] [--threads N] [--minimize] [--trace] [--code]\n");
        return 2;
    }
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return 2;
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, NULL);
    if (!o.calls)
        return run_many(&o, log);
    struct outcome out = run_child(&o, o.seed, log);
    if (out.failed)
        report(&o, o.seed, log, &out);
    else if (o.trace || o.code)
        print_log(log, CODE_LINES);
    return out.failed;
}
