/* SPDX-License-Identifier: MIT */
/* The host as LLVM sees it, and kernels: how each becomes something that can run. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <talloc.h>

#include "jit/jit_guard.h"
#include "jit/jit_link.h"
#include "jit/jit_private.h"
#include "jit/jit_reserve.h"
#include "jit/jit_stack.h"
#include "util/cpu_isa.h"
#include "util/half.h"
#include "util/log.h"
#include "util/memory.h"
#include "util/options.h"
#include "util/thread_pool.h"

/* LLVM's names for the instruction set levels. */
static const struct target {
    const char *name, *cpu, *features;
} targets[UTIL_NUM_ISAS] = {
#if defined(__x86_64__)
    [UTIL_ISA_SSE41] = {"SSE4.1", "x86-64", "+sse3,+ssse3,+sse4.1"},
    [UTIL_ISA_AVX2] = {"AVX2", "x86-64-v3", ""},
    [UTIL_ISA_AVX512] = {"AVX-512", "x86-64-v4",
                         "+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512cd"},
#else
    [UTIL_ISA_BASE] = {"128-bit vectors", "", ""},
#endif
};

/* Returns the level that a width relies on: the one in force, or a lower one whose registers hold
 * all lanes, so that a narrow width gives what a machine of that level gives. */
static enum util_isa isa_for(unsigned lanes)
{
    enum util_isa isa = util_cpu_isa();
    while (util_isa_lanes(isa) > lanes)
        isa--;
    return isa;
}

/* The destructors of LLVM's static objects would be registered here, as LLVM is linked statically.
 * They must not run: while a process exits, other threads may still compile, and some are
 * registered by a compilation itself, too late for a handler of ours to come before them. The
 * process's end frees what they would; a library with LLVM in it must not be unloaded before. No
 * handlers that such a library or program gives to atexit() run. */
__attribute__((visibility("hidden"))) int __cxa_atexit(void (*function)(void *), void *argument,
                                                       void *library);

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    return 0;
}

/* --- what LLVM calls where the ISA has no instruction: the one table of helpers --- */

#if defined(__x86_64__)
static float half_to_float(_Float16 half)
{
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return util_half_to_float(bits);
}

static _Float16 float_to_half(float value)
{
    uint16_t bits = util_float_to_half(value);
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return half;
}
#endif

static const struct jit_helper helpers[] = {
#if defined(__x86_64__)
    {"__extendhfsf2", (uintptr_t)half_to_float},
    {"__truncsfhf2", (uintptr_t)float_to_half},
#endif
    {"fma", (uintptr_t)fma},
    {"fmaf", (uintptr_t)fmaf},
    {"memcpy", (uintptr_t)memcpy},
    {"memset", (uintptr_t)memset},
    {JIT_STACK_TAKE_SMALL, (uintptr_t)jit_stack_take_small},
    {JIT_STACK_TAKE_LARGE, (uintptr_t)jit_stack_take_large},
    {JIT_STACK_GIVE_SMALL, (uintptr_t)jit_stack_give_small},
    {JIT_STACK_GIVE_LARGE, (uintptr_t)jit_stack_give_large},
};

/* Bytes that LLVM may take for an engine, and for linking a kernel. */
#define ENGINE_MEMORY ((size_t)16 << 20)
#define LINK_MEMORY   ((size_t)4 << 20)

/* LLVM's own options, of the process: without what takes time and does nothing for kernels.
 * Reducing the strength of loops' induction variables does not, as addresses are in vectors or
 * scalars that are there anyway; nor do other orders of operations (x86-machine-combiner), which
 * only integers and fast floats allow. */
static void set_llvm_options(void)
{
    static const char *const options[] = {"indium", "-disable-lsr", "-x86-machine-combiner=0"};
    LLVMParseCommandLineOptions(ARRAY_SIZE(options), options, NULL);
}

/* What an engine needs of LLVM. */
static bool set_up_llvm(void *data)
{
    struct jit_engine *engine = data;
    char *message = NULL;
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    engine->triple = LLVMGetDefaultTargetTriple();
    if (LLVMGetTargetFromTriple(engine->triple, &engine->target, &message)) {
        log_error("no LLVM target for %s: %s", engine->triple, message);
        LLVMDisposeMessage(message);
        return false;
    }
    return true;
}

static bool set_up_process(void *unused)
{
    set_llvm_options();
    return true;
}

static void set_up_guarded(void)
{
    jit_guard_install();
    (void)jit_guard_run(set_up_process, NULL);
}

static struct jit_engine *create_engine(unsigned lanes)
{
    if (!lanes)
        lanes = util_get_options()->lanes;
    if (!lanes)
        lanes = util_isa_lanes(util_cpu_isa());
    const enum util_isa isa = isa_for(lanes);
    const struct target *target = &targets[isa];
    if (!target->name) {
        log_error("the JIT needs a CPU with SSE4.1");
        return NULL;
    }

    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_up_guarded);

    struct jit_engine *engine = talloc_zero(NULL, struct jit_engine);
    if (!engine)
        return NULL;
    pthread_mutex_init(&engine->lock, NULL);
    engine->lanes = lanes;
    snprintf(engine->description, sizeof engine->description, "%s, %u lanes", target->name, lanes);
    engine->register_lanes = util_isa_lanes(isa);
    engine->cpu = talloc_strdup(engine, target->cpu);
    engine->permutes_bytes = isa == UTIL_ISA_AVX512 && util_cpu_has_vbmi();
    engine->has_baseline = lanes >= 8 && lanes == engine->register_lanes;
    engine->baseline = engine->has_baseline && !util_debug(DEBUG_EAGER);
    engine->interprets = util_debug(DEBUG_INTERPRET);
    engine->fault = util_debug(DEBUG_FATAL) ? JIT_FAULT_FATAL : JIT_FAULT_NONE;
    engine->features = talloc_asprintf(engine, "%s%s", target->features,
                                       engine->permutes_bytes ? ",+avx512vbmi" : "");
    if (!engine->cpu || !engine->features) {
        jit_engine_destroy(engine);
        return NULL;
    }
    engine->no_llvm = jit_guard_run(set_up_llvm, engine) != JIT_SUCCEEDED;
    jit_cache_init(engine);
    jit_code_probe();
    return engine;
}

struct jit_engine *jit_engine_create(unsigned lanes)
{
    struct jit_reserve *reserve = jit_reserve_open(ENGINE_MEMORY);
    if (!reserve)
        return NULL;
    struct jit_engine *engine = create_engine(lanes);
    jit_reserve_close(reserve);
    return engine;
}

static bool drop_llvm(void *data)
{
    struct jit_engine *engine = data;
    jit_drop_target_machines(engine);
    LLVMDisposeMessage(engine->triple);
    return true;
}

void jit_engine_destroy(struct jit_engine *engine)
{
    if (!engine)
        return;
    jit_reserve_open_last();
    if (!engine->no_llvm)
        (void)jit_guard_run(drop_llvm, engine);
    jit_reserve_close_last();
    pthread_mutex_destroy(&engine->lock);
    talloc_free(engine);
}

unsigned jit_engine_lanes(const struct jit_engine *engine)
{
    return engine->lanes;
}

const char *jit_engine_description(const struct jit_engine *engine)
{
    return engine->description;
}

/* --- kernels --- */

/* Names a kernel for perf (tools/perf/Documentation/jit-interface.txt of Linux): a line of address,
 * size and name in /tmp/perf-PID.map. */
static void tell_perf(const void *start, uint64_t size, const char *symbol, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    FILE *file = fopen(path, "ae");
    if (!file)
        return;
    fprintf(file, "%" PRIx64 " %" PRIx64 " %s %s\n", (uint64_t)(uintptr_t)start, size, symbol,
            name);
    fclose(file);
}

struct jit_kernel {
    struct jit_engine *engine;
    struct jit_code code;   /* LLVM's */
    jit_kernel_fn function; /* atomic; NULL: it cannot be compiled, or group is not done */
    nir_shader *nir;        /* the kernel's own until LLVM has compiled it; NULL: the caller's */
    struct jit_baseline_code baseline;
    struct jit_program *program; /* that the interpreter runs; NULL: there is machine code */
    bool improved;               /* atomic: baseline code has run for long */
    struct job_group better;     /* what has LLVM compile it then */
    bool dropped;                /* atomic: nobody will use what LLVM would make */
    char *name;
    struct job_group group; /* what compiles it */
    struct jit_key key;
    bool has_key; /* else there was no memory for it */
    /* under the engine's lock */
    struct jit_kernel *next; /* of engine->shared */
    unsigned uses;           /* as often will it be destroyed */
};

#define SYMBOL                                                                                     \
    "kernel" /* of every object, so that the same bytes serve all kernels of the same NIR */

static bool names(LLVMMemoryBufferRef object, const char *symbol)
{
    return memmem(LLVMGetBufferStart(object), LLVMGetBufferSize(object), symbol,
                  strlen(symbol) + 1) != NULL;
}

/* A kernel that runs on a stack of its own names what gives it one. False: there is no memory for
 * it. */
static bool prepare_stack(LLVMMemoryBufferRef object)
{
    return (!names(object, JIT_STACK_TAKE_SMALL) || jit_stack_prepare(JIT_STACK_SMALL)) &&
           (!names(object, JIT_STACK_TAKE_LARGE) || jit_stack_prepare(JIT_STACK_LARGE));
}

static LLVMMemoryBufferRef load_object(struct jit_engine *engine, const struct jit_key *key)
{
    return UTIL_ATTEMPT(jit_cache_load(engine, key));
}

static void store_object(struct jit_engine *engine, const struct jit_key *key,
                         LLVMMemoryBufferRef object)
{
    (void)UTIL_ATTEMPT(jit_cache_store(engine, key, object));
}

/* --- kernels that LLVM can't compile --- */

void jit_fail(struct jit_failure *failure, const char *reason)
{
    *failure = (struct jit_failure){.lasting = true};
    strncpy(failure->reason, reason, sizeof failure->reason - 1);
    failure->reason[strcspn(failure->reason, "\n")] = '\0';
}

static bool is_refused(struct jit_engine *engine, const struct jit_key *key)
{
    bool found = false;
    pthread_mutex_lock(&engine->lock);
    unsigned count = MIN2(engine->num_refused, ARRAY_SIZE(engine->refused));
    for (unsigned i = 0; i < count && !found; i++)
        found = memcmp(&engine->refused[i], key, sizeof *key) == 0;
    pthread_mutex_unlock(&engine->lock);
    return found;
}

static void refuse(struct jit_engine *engine, const struct jit_key *key)
{
    pthread_mutex_lock(&engine->lock);
    engine->refused[engine->num_refused++ % ARRAY_SIZE(engine->refused)] = *key;
    pthread_mutex_unlock(&engine->lock);
}

/* Has LLVM compile what is lowered. NULL: see *failure. */
static LLVMMemoryBufferRef make_object(struct jit_kernel *kernel, nir_shader *nir,
                                       struct jit_failure *failure)
{
    struct jit_engine *engine = kernel->engine;
    if (engine->no_llvm || (kernel->has_key && is_refused(engine, &kernel->key))) {
        jit_fail(failure, engine->no_llvm ? "LLVM isn't there" : "it couldn't before");
        return NULL;
    }
    LLVMMemoryBufferRef object = jit_compile_object(engine, nir, SYMBOL, failure);
    if (kernel->has_key && object)
        store_object(engine, &kernel->key, object);
    else if (kernel->has_key && failure->lasting)
        refuse(engine, &kernel->key);
    return object;
}

static jit_kernel_fn link_object(struct jit_kernel *kernel, LLVMMemoryBufferRef object,
                                 uint64_t *bytes, const char **problem)
{
    return (jit_kernel_fn)jit_link(&kernel->code, LLVMGetBufferStart(object),
                                   LLVMGetBufferSize(object), SYMBOL, helpers, ARRAY_SIZE(helpers),
                                   bytes, problem);
}

/* Links and publishes the object, which it takes. False: see *failure. */
static bool use_object(struct jit_kernel *kernel, LLVMMemoryBufferRef object,
                       struct jit_failure *failure)
{
    const char *problem = NULL;
    uint64_t bytes = 0;
    jit_kernel_fn function = NULL;
    *failure = (struct jit_failure){false, "out of memory"};
    if (prepare_stack(object))
        function = UTIL_ATTEMPT(link_object(kernel, object, &bytes, &problem));
    LLVMDisposeMemoryBuffer(object);
    if (problem || !jit_code_is_allowed())
        jit_fail(failure, problem ? problem : "no memory may become executable");
    if (!function)
        return false;
    if (util_debug(DEBUG_PERF))
        tell_perf((const void *)(uintptr_t)function, bytes, SYMBOL, kernel->name);
    __atomic_store_n(&kernel->function, function, __ATOMIC_RELEASE);
    return true;
}

/* False: the kernel would address a block by lanes. */
static bool lower(nir_shader *nir)
{
    jit_lower_nir(nir);
    bool uniform = nir_sources_are_uniform(nir);
    assert(uniform);
    return uniform;
}

static bool use_baseline(struct jit_kernel *kernel, nir_shader *nir)
{
    if (!UTIL_ATTEMPT(jit_baseline_compile(nir, kernel->engine->lanes, &kernel->baseline)))
        return false;
    if (util_debug(DEBUG_PERF))
        tell_perf(kernel->baseline.code.start, kernel->baseline.code.size, "baseline",
                  kernel->name);
    __atomic_store_n(&kernel->function, kernel->baseline.function, __ATOMIC_RELEASE);
    return true;
}

static void tell_failure(const struct jit_kernel *kernel, const struct jit_failure *failure,
                         const char *instead)
{
    if (util_debug(DEBUG_PERF))
        log_warning("kernel %s: LLVM can't compile it (%s): %s", kernel->name, failure->reason,
                    instead);
}

/* Has LLVM compile the kernel, or link what it made before. False: see *failure. */
static bool use_llvm(struct jit_kernel *kernel, nir_shader *nir, LLVMMemoryBufferRef object,
                     struct jit_failure *failure)
{
    if (!object)
        object = make_object(kernel, nir, failure);
    return object && use_object(kernel, object, failure);
}

/* False: no memory, or an instruction that isn't known. */
static bool interpret(struct jit_kernel *kernel, nir_shader *nir)
{
    struct jit_program *program = UTIL_ATTEMPT(jit_program_create(nir, kernel->engine->lanes));
    if (!program)
        return false;
    util_attempt_keep(program);
    kernel->program = program;
    __atomic_store_n(&kernel->function, jit_program_run, __ATOMIC_RELEASE);
    return true;
}

/* What runs without LLVM, for good. baseline: whether the baseline generator may know the kernel.
 * */
static void fall_back(struct jit_kernel *kernel, nir_shader *nir, bool baseline,
                      const struct jit_failure *failure)
{
    if (baseline && kernel->engine->has_baseline && use_baseline(kernel, nir)) {
        kernel->improved = true;
        tell_failure(kernel, failure, "baseline code runs instead");
    } else if (interpret(kernel, nir)) {
        tell_failure(kernel, failure, "it is interpreted");
    }
}

static bool must_interpret(const struct jit_engine *engine)
{
    return engine->interprets || !jit_code_is_allowed();
}

/* What LLVM made of it once, or baseline code, or what LLVM makes now. */
static void compile_first(struct jit_kernel *kernel, nir_shader *nir, bool baseline)
{
    struct jit_engine *engine = kernel->engine;
    struct jit_failure failure = {0};
    LLVMMemoryBufferRef object =
        kernel->has_key && !must_interpret(engine) ? load_object(engine, &kernel->key) : NULL;
    if (util_debug(DEBUG_NIR)) {
        fprintf(stderr, "kernel %s:\n", kernel->name);
        nir_print_shader(nir, stderr);
    }
    if (object && use_llvm(kernel, nir, object, &failure))
        return;
    if (!UTIL_ATTEMPT(lower(nir)))
        return;
    if (baseline && !must_interpret(engine) && use_baseline(kernel, nir))
        return;
    if (must_interpret(engine) && interpret(kernel, nir))
        return;
    if (!object && use_llvm(kernel, nir, NULL, &failure))
        return;
    if (failure.lasting)
        fall_back(kernel, nir, !baseline, &failure);
    if (!kernel->function)
        log_error("kernel %s cannot be compiled: %s", kernel->name, failure.reason);
}

static void compile(struct jit_kernel *kernel, nir_shader *nir, bool baseline)
{
    struct jit_reserve *reserve = jit_reserve_open(LINK_MEMORY);
    if (!reserve)
        return;
    compile_first(kernel, nir, baseline);
    jit_reserve_close(reserve);
}

/* False: no memory for it. */
static bool find_key(struct jit_engine *engine, const nir_shader *nir, struct jit_key *key)
{
    return UTIL_ATTEMPT(jit_cache_find_key(engine, nir, key));
}

static struct jit_kernel *create_kernel(struct jit_engine *engine, const char *name)
{
    struct jit_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    kernel->engine = engine;
    kernel->uses = 1;
    kernel->name = strdup(name);
    if (kernel->name)
        return kernel;
    free(kernel);
    return NULL;
}

struct jit_kernel *jit_kernel_create(struct jit_engine *engine, nir_shader *nir, const char *name)
{
    struct jit_kernel *kernel = create_kernel(engine, name);
    if (!kernel)
        return NULL;
    kernel->has_key = find_key(engine, nir, &kernel->key);
    compile(kernel, nir, false);
    if (kernel->function)
        return kernel;
    jit_kernel_destroy(kernel);
    return NULL;
}

/* --- kernels that are alike are one: programs often share a stage --- */

static struct jit_kernel **list_of(struct jit_engine *engine, const struct jit_key *key)
{
    return &engine->shared[key->bits[1] % ARRAY_SIZE(engine->shared)];
}

/* Another use of the kernel of that key; NULL: there is none. One of which it is known that it
 * cannot be compiled is not found: another attempt may have more memory. */
static struct jit_kernel *use_shared(struct jit_engine *engine, const struct jit_key *key)
{
    pthread_mutex_lock(&engine->lock);
    struct jit_kernel *kernel = *list_of(engine, key);
    while (kernel && (memcmp(&kernel->key, key, sizeof *key) != 0 || jit_kernel_has_failed(kernel)))
        kernel = kernel->next;
    if (kernel)
        kernel->uses++;
    pthread_mutex_unlock(&engine->lock);
    return kernel;
}

/* From now on others may find it: it is compiled, or its group does that. */
static void share(struct jit_kernel *kernel)
{
    struct jit_engine *engine = kernel->engine;
    struct jit_kernel **list = list_of(engine, &kernel->key);
    if (!kernel->has_key)
        return;
    pthread_mutex_lock(&engine->lock);
    kernel->next = *list;
    *list = kernel;
    pthread_mutex_unlock(&engine->lock);
}

/* Whether it was the last one; then nobody finds the kernel any more. */
static bool end_use(struct jit_kernel *kernel)
{
    struct jit_engine *engine = kernel->engine;
    pthread_mutex_lock(&engine->lock);
    bool last = !--kernel->uses;
    struct jit_kernel **link = list_of(engine, &kernel->key);
    while (last && *link && *link != kernel)
        link = &(*link)->next;
    if (last && *link)
        *link = kernel->next;
    pthread_mutex_unlock(&engine->lock);
    return last;
}

static void drop_nir(struct jit_kernel *kernel)
{
    if (kernel->nir)
        nir_shader_destroy(kernel->nir);
    kernel->nir = NULL;
}

static void compile_own(void *data, unsigned unused)
{
    struct jit_kernel *kernel = data;
    compile(kernel, kernel->nir, kernel->engine->baseline);
    if (!kernel->baseline.function)
        drop_nir(kernel);
}

/* --- baseline code that does much gives way to LLVM's --- */

static void compile_better(void *data, unsigned unused)
{
    struct jit_kernel *kernel = data;
    if (__atomic_load_n(&kernel->dropped, __ATOMIC_RELAXED))
        return;
    struct jit_reserve *reserve = jit_reserve_open(LINK_MEMORY);
    if (!reserve)
        return;
    struct jit_failure failure;
    if (!use_llvm(kernel, kernel->nir, NULL, &failure))
        tell_failure(kernel, &failure, "it stays with baseline code");
    jit_reserve_close(reserve);
    drop_nir(kernel);
}

/* Threads may still run the baseline code, which stays. */
static void improve(struct jit_kernel *kernel)
{
    if (kernel->baseline.function &&
        __atomic_load_n(&kernel->baseline.ticks, __ATOMIC_RELAXED) >= kernel->baseline.much &&
        !__atomic_load_n(&kernel->improved, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&kernel->improved, true, __ATOMIC_RELAXED))
        thread_pool_submit(&kernel->better, THREAD_PRIORITY_LOW, compile_better, kernel, 1);
}

struct jit_kernel *jit_kernel_begin(struct jit_engine *engine, nir_shader *nir, const char *name)
{
    struct jit_key key = {0};
    bool has_key = find_key(engine, nir, &key);
    struct jit_kernel *shared = has_key ? use_shared(engine, &key) : NULL;
    struct jit_kernel *kernel = shared ? shared : create_kernel(engine, name);
    if (shared || !kernel) {
        nir_shader_destroy(nir);
        return kernel;
    }
    util_attempt_keep(nir); /* another thread has it from now on */
    kernel->nir = nir;
    kernel->key = key;
    kernel->has_key = has_key;
    if (thread_pool_inside() || thread_pool_size() == 1)
        compile_own(kernel, 0);
    else
        thread_pool_submit(&kernel->group, THREAD_PRIORITY_NORMAL, compile_own, kernel, 1);
    share(kernel);
    return kernel;
}

bool jit_kernel_is_ready(const struct jit_kernel *kernel)
{
    return thread_pool_done(&kernel->group);
}

void jit_kernel_destroy(struct jit_kernel *kernel)
{
    if (!kernel || !end_use(kernel))
        return;
    thread_pool_wait(&kernel->group);
    __atomic_store_n(&kernel->dropped, true, __ATOMIC_RELAXED);
    thread_pool_wait(&kernel->better);
    drop_nir(kernel);
    jit_baseline_free(&kernel->baseline);
    jit_program_destroy(kernel->program);
    jit_code_destroy(&kernel->code);
    free(kernel->name);
    free(kernel);
}

struct jit_function jit_kernel_function(struct jit_kernel *kernel)
{
    if (!kernel)
        return (struct jit_function){0};
    thread_pool_wait(&kernel->group);
    improve(kernel);
    return (struct jit_function){
        __atomic_load_n(&kernel->function, __ATOMIC_ACQUIRE),
        kernel->program,
    };
}

bool jit_kernel_has_failed(const struct jit_kernel *kernel)
{
    return jit_kernel_is_ready(kernel) && !__atomic_load_n(&kernel->function, __ATOMIC_RELAXED);
}

bool jit_kernel_is_baseline(const struct jit_kernel *kernel)
{
    return kernel->baseline.function != NULL;
}
