/* SPDX-License-Identifier: MIT */
/* Engines (target, LLVM setup) and kernels: choice of code generator, sharing, replacement. */
#include <fcntl.h>
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
#include "nir/nir_math.h"
#include "util/deep_stack.h"
#include "util/cpu_isa.h"
#include "util/fork_lock.h"
#include "util/half.h"
#include "util/log.h"
#include "util/memory.h"
#include "util/options.h"
#include "util/os_memory.h"
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

/* Returns the instruction set level for a width: the current one, or the highest one whose
 * registers aren't wider than the lanes. A narrow width therefore runs the code of a CPU of that
 * level. */
static enum util_isa isa_for(unsigned lanes)
{
    enum util_isa isa = util_cpu_isa();
    while (util_isa_lanes(isa) > lanes)
        isa--;
    return isa;
}

/* Replaces the registration of static destructors in this library, including those of the
 * statically linked LLVM, by nothing. These destructors must not run: other threads may still
 * compile while the process exits. An exit handler can't stop them in time, because compilations
 * register destructors themselves, which then run before the handler. The end of the process frees
 * their memory; the library must not be unloaded earlier. atexit() handlers of this library don't
 * run, either. */
__attribute__((visibility("hidden"))) int __cxa_atexit(void (*function)(void *), void *argument,
                                                       void *library);

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    return 0;
}

/* --- helpers: functions that LLVM's code calls where the ISA has no instruction --- */

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
    {JIT_REDUCE_SINES, (uintptr_t)nir_math_reduce_sines},
    {JIT_REDUCE_COSINES, (uintptr_t)nir_math_reduce_cosines},
    {"memcpy", (uintptr_t)memcpy},
    {"memset", (uintptr_t)memset},
    {JIT_ZERO_MEMORY, (uintptr_t)os_memory_zero},
    {JIT_STACK_CALL_SMALL, (uintptr_t)jit_stack_call_small},
    {JIT_STACK_CALL_LARGE, (uintptr_t)jit_stack_call_large},
};

/* Bytes of the reserves for creating an engine and for linking a kernel. */
#define ENGINE_MEMORY ((size_t)16 << 20)
#define LINK_MEMORY   ((size_t)4 << 20)

/* Sets LLVM's process-wide options: disables passes that take time and don't improve kernels. Loop
 * strength reduction doesn't, because addresses are in vectors or in scalars that exist anyway. The
 * machine combiner doesn't, because it reassociates only integers and fast-math floats. LLVM knows
 * the options of the host only; an unknown one is a fatal error. */
static void set_llvm_options(void)
{
    static const char *const options[] = {
        "indium",
        "-disable-lsr",
#if defined(__x86_64__)
        "-x86-machine-combiner=0",
#endif
    };
    LLVMParseCommandLineOptions(ARRAY_SIZE(options), options, NULL);
}

/* Sets up LLVM for an engine; runs under a guard. */
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

static pthread_mutex_t engines_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_head engines = {&engines, &engines}; /* requires the lock */
UTIL_FORK_LOCK_LIST(engines_lock, engines, struct jit_engine, link, lock);

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
    pthread_mutex_lock(&engines_lock);
    list_add(&engine->link, &engines);
    pthread_mutex_unlock(&engines_lock);
    engine->lanes = lanes;
    snprintf(engine->description, sizeof engine->description, "%s, %u lanes", target->name, lanes);
    engine->register_lanes = util_isa_lanes(isa);
    engine->cpu = talloc_strdup(engine, target->cpu);
    engine->permutes_bytes = isa == UTIL_ISA_AVX512 && util_cpu_has_vbmi();
    engine->has_baseline = jit_baseline_has(lanes) && lanes == engine->register_lanes;
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

static void free_dropped(struct jit_engine *engine, bool wait);

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
    free_dropped(engine, true);
    jit_reserve_open_last();
    if (!engine->no_llvm)
        (void)jit_guard_run(drop_llvm, engine);
    jit_reserve_close_last();
    pthread_mutex_lock(&engines_lock);
    list_del(&engine->link);
    pthread_mutex_unlock(&engines_lock);
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

/* Appends a kernel's address, size and name to /tmp/perf-PID.map, from which perf reads symbols
 * (tools/perf/Documentation/jit-interface.txt in Linux). Others can create links in /tmp, too, so
 * they are not followed. */
static void add_to_perf_map(const void *start, uint64_t size, const char *symbol, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return;
    FILE *file = fdopen(fd, "a");
    if (!file) {
        close(fd);
        return;
    }
    fprintf(file, "%" PRIx64 " %" PRIx64 " %s %s\n", (uint64_t)(uintptr_t)start, size, symbol,
            name);
    fclose(file);
}

struct jit_kernel {
    struct jit_engine *engine;
    struct jit_code code;        /* LLVM's code */
    jit_kernel_fn function;      /* atomic; NULL until the compilation has succeeded */
    nir_shader *nir;             /* owned until LLVM has compiled it; NULL if the caller owns it */
    struct jit_wide_kernel wide; /* build is NULL if there is none, and after it was called */
    struct jit_baseline_code baseline;
    struct jit_program *program; /* for the interpreter; NULL if there is machine code */
    bool improved;               /* atomic: baseline code is being replaced or is final */
    struct job_group better;     /* the job that replaces baseline code */
    bool dropped;                /* atomic: the kernel is being destroyed */
    char *name;
    struct job_group group; /* the first compilation */
    struct jit_key key;
    bool has_key; /* key is valid; false if memory was exhausted */
    /* The engine's lock protects the fields below. */
    struct jit_kernel *next; /* next in the list of engine->shared */
    unsigned uses;           /* reference count */
};

static void free_kernel(struct jit_kernel *kernel);

#define SYMBOL                                                                                     \
    "kernel" /* symbol of all objects' functions, so that equal NIR gives equal object code */

static bool names(LLVMMemoryBufferRef object, const char *symbol)
{
    return memmem(LLVMGetBufferStart(object), LLVMGetBufferSize(object), symbol,
                  strlen(symbol) + 1) != NULL;
}

/* Prepares the stack pool that the object uses, if any: the object then refers to the pool's
 * function by name. Returns false if memory is exhausted. */
static bool prepare_stack(LLVMMemoryBufferRef object)
{
    return (!names(object, JIT_STACK_CALL_SMALL) || jit_stack_prepare(JIT_STACK_SMALL)) &&
           (!names(object, JIT_STACK_CALL_LARGE) || jit_stack_prepare(JIT_STACK_LARGE));
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

/* Lowers nir. Returns false if the kernel addresses a block with a divergent address. */
static bool lower(nir_shader *nir)
{
    jit_lower_nir(nir);
    NIR_PASS_V(nir, jit_group_angles);
    bool uniform = nir_sources_are_uniform(nir);
    assert(uniform);
    return uniform;
}

static void drop_wide(struct jit_kernel *kernel)
{
    if (kernel->wide.build)
        kernel->wide.destroy(kernel->wide.data);
    kernel->wide.build = NULL;
}

/* Returns the kernel's lowered NIR for vectors of two registers, which the caller owns, or NULL. */
static nir_shader *build_wide(struct jit_kernel *kernel, unsigned lanes)
{
    nir_shader *nir = kernel->wide.build ? kernel->wide.build(kernel->wide.data, lanes) : NULL;
    drop_wide(kernel);
    if (nir && UTIL_ATTEMPT(lower(nir)))
        return nir;
    if (nir)
        nir_shader_destroy(nir);
    return NULL;
}

/* Compiles the kernel for vectors of two registers. Returns NULL if it has no NIR for them, or if
 * compilation fails. */
static LLVMMemoryBufferRef make_wide_object(struct jit_kernel *kernel)
{
    const unsigned lanes = 2 * kernel->engine->lanes;
    struct jit_failure failure;
    nir_shader *nir = build_wide(kernel, lanes);
    if (!nir)
        return NULL;
    LLVMMemoryBufferRef object =
        jit_compile_object(kernel->engine, nir, lanes, SYMBOL, true, &failure);
    nir_shader_destroy(nir);
    return object;
}

/* Compiles lowered NIR with LLVM. Returns NULL and sets *failure on error. */
static LLVMMemoryBufferRef make_object(struct jit_kernel *kernel, nir_shader *nir,
                                       struct jit_failure *failure)
{
    struct jit_engine *engine = kernel->engine;
    if (engine->no_llvm || (kernel->has_key && is_refused(engine, &kernel->key))) {
        jit_fail(failure, engine->no_llvm ? "LLVM isn't there" : "it couldn't before");
        return NULL;
    }
    const bool bounded = kernel->baseline.function != NULL;
    LLVMMemoryBufferRef object = make_wide_object(kernel);
    if (!object)
        object = jit_compile_object(engine, nir, engine->lanes, SYMBOL, bounded, failure);
    if (kernel->has_key && object)
        store_object(engine, &kernel->key, object);
    else if (kernel->has_key && failure->lasting && !failure->by_size)
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

/* Links the object, which it disposes of, and publishes the function. Returns false and sets
 * *failure on error. */
static bool use_object(struct jit_kernel *kernel, LLVMMemoryBufferRef object,
                       struct jit_failure *failure)
{
    const char *problem = NULL;
    uint64_t bytes = 0;
    jit_kernel_fn function = NULL;
    *failure = (struct jit_failure){.reason = "out of memory"};
    if (prepare_stack(object))
        function = UTIL_ATTEMPT(link_object(kernel, object, &bytes, &problem));
    LLVMDisposeMemoryBuffer(object);
    if (problem || !jit_code_is_allowed())
        jit_fail(failure, problem ? problem : "no memory may become executable");
    if (!function)
        return false;
    if (util_debug(DEBUG_PERF))
        add_to_perf_map((const void *)(uintptr_t)function, bytes, SYMBOL, kernel->name);
    __atomic_store_n(&kernel->function, function, __ATOMIC_RELEASE);
    return true;
}

static bool use_baseline(struct jit_kernel *kernel, nir_shader *nir)
{
    if (!UTIL_ATTEMPT(jit_baseline_compile(nir, kernel->engine->lanes, &kernel->baseline)))
        return false;
    if (kernel->baseline.steps)
        util_attempt_keep(kernel->baseline.steps);
    if (util_debug(DEBUG_PERF))
        add_to_perf_map(kernel->baseline.code.start, kernel->baseline.code.size, "baseline",
                        kernel->name);
    __atomic_store_n(&kernel->function, kernel->baseline.function, __ATOMIC_RELEASE);
    return true;
}

static void log_failure(const struct jit_kernel *kernel, const struct jit_failure *failure,
                        const char *instead)
{
    if (util_debug(DEBUG_PERF))
        log_warning("kernel %s: LLVM can't compile it (%s): %s", kernel->name, failure->reason,
                    instead);
}

/* Links the object, or if it is NULL, compiles the kernel with LLVM first. Returns false and sets
 * *failure on error. */
static bool use_llvm(struct jit_kernel *kernel, nir_shader *nir, LLVMMemoryBufferRef object,
                     struct jit_failure *failure)
{
    if (!object)
        object = make_object(kernel, nir, failure);
    return object && use_object(kernel, object, failure);
}

/* Makes the interpreter run the kernel. Returns false if memory is exhausted or an instruction
 * isn't supported. */
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

/* Gives a kernel that LLVM can't compile permanent baseline code, or makes the interpreter run it.
 * baseline: try baseline code. */
static void fall_back(struct jit_kernel *kernel, nir_shader *nir, bool baseline,
                      const struct jit_failure *failure)
{
    if (baseline && kernel->engine->has_baseline && use_baseline(kernel, nir)) {
        kernel->improved = true;
        log_failure(kernel, failure, "baseline code runs instead");
    } else if (interpret(kernel, nir)) {
        log_failure(kernel, failure, "it is interpreted");
    }
}

static bool must_interpret(const struct jit_engine *engine)
{
    return engine->interprets || !jit_code_is_allowed();
}

/* Gives a kernel its first code: LLVM's from the cache, or baseline code if `baseline`, or code
 * compiled by LLVM now. */
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
    else if (jit_code_lacks_files() && interpret(kernel, nir))
        log_failure(kernel, &failure, "it is interpreted");
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

/* Computes the key of nir. Returns false if memory is exhausted. */
static bool find_key(struct jit_engine *engine, const nir_shader *nir, struct jit_key *key)
{
    return UTIL_ATTEMPT(jit_cache_find_key(engine, nir, key));
}

static struct jit_kernel *create_kernel(struct jit_engine *engine, const char *name)
{
    free_dropped(engine, false);
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

/* --- shared kernels: programs often have equal shaders --- */

static struct jit_kernel **list_of(struct jit_engine *engine, const struct jit_key *key)
{
    return &engine->shared[key->bits[1] % ARRAY_SIZE(engine->shared)];
}

/* Returns a new reference to the kernel of that key, or NULL. Ignores kernels whose compilation has
 * failed, because another attempt may have more memory. */
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

/* Adds the kernel to the table of shared kernels. It has been compiled, or its group's job is
 * compiling it. */
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

/* Releases a reference. Returns whether it was the last one; if so, removes the kernel from the
 * table. */
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
    drop_wide(kernel);
}

static void compile_on_deep_stack(void *data)
{
    struct jit_kernel *kernel = data;
    compile(kernel, kernel->nir, kernel->engine->baseline);
    if (!kernel->baseline.function)
        drop_nir(kernel);
}

/* The thread may be the application's, and the code generators recurse over control flow. */
static void compile_own(void *data, unsigned unused)
{
    (void)util_deep_call(compile_on_deep_stack, data);
}

/* --- replacement of baseline code that has run for long --- */

static void improve_on_deep_stack(void *data)
{
    struct jit_kernel *kernel = data;
    if (__atomic_load_n(&kernel->dropped, __ATOMIC_RELAXED))
        return;
    struct jit_reserve *reserve = jit_reserve_open(LINK_MEMORY);
    if (!reserve)
        return;
    struct jit_failure failure;
    if (!use_llvm(kernel, kernel->nir, NULL, &failure))
        log_failure(kernel, &failure, "it stays with baseline code");
    jit_reserve_close(reserve);
    drop_nir(kernel);
}

static void compile_with_llvm(void *data, unsigned unused)
{
    (void)util_deep_call(improve_on_deep_stack, data);
}

/* Submits the job that replaces baseline code if it has run for long. The baseline code remains,
 * because threads may be running it. */
static void improve(struct jit_kernel *kernel)
{
    if (kernel->baseline.function &&
        __atomic_load_n(&kernel->baseline.ticks, __ATOMIC_RELAXED) >= kernel->baseline.much &&
        !__atomic_load_n(&kernel->improved, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&kernel->improved, true, __ATOMIC_RELAXED))
        thread_pool_submit(&kernel->better, THREAD_PRIORITY_LOW, compile_with_llvm, kernel, 1);
}

bool jit_engine_can_widen(const struct jit_engine *engine)
{
    return engine->has_baseline && engine->lanes < 16 && !engine->no_llvm;
}

struct jit_kernel *jit_kernel_begin(struct jit_engine *engine, nir_shader *nir, const char *name)
{
    return jit_kernel_begin_wide(engine, nir, NULL, name);
}

struct jit_kernel *jit_kernel_begin_wide(struct jit_engine *engine, nir_shader *nir,
                                         const struct jit_wide_kernel *wide, const char *name)
{
    struct jit_key key = {0};
    bool has_key = find_key(engine, nir, &key);
    struct jit_kernel *shared = has_key ? use_shared(engine, &key) : NULL;
    struct jit_kernel *kernel = shared ? shared : create_kernel(engine, name);
    if (shared || !kernel) {
        nir_shader_destroy(nir);
        if (wide)
            wide->destroy(wide->data);
        return kernel;
    }
    util_attempt_keep(nir); /* another thread owns it from now on */
    kernel->nir = nir;
    if (wide)
        kernel->wide = *wide;
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
    struct jit_engine *engine = kernel->engine;
    thread_pool_wait(&kernel->group);
    __atomic_store_n(&kernel->dropped, true, __ATOMIC_RELAXED);
    if (thread_pool_done(&kernel->better)) {
        free_kernel(kernel);
        return;
    }
    pthread_mutex_lock(&engine->lock);
    kernel->next = engine->dropped;
    engine->dropped = kernel;
    pthread_mutex_unlock(&engine->lock);
}

/* Frees destroyed kernels that LLVM doesn't compile any longer; all of them if `wait`. */
static void free_dropped(struct jit_engine *engine, bool wait)
{
    struct jit_kernel *done = NULL;
    pthread_mutex_lock(&engine->lock);
    for (struct jit_kernel **link = &engine->dropped, *kernel; (kernel = *link);) {
        if (!wait && !thread_pool_done(&kernel->better)) {
            link = &kernel->next;
            continue;
        }
        *link = kernel->next;
        kernel->next = done;
        done = kernel;
    }
    pthread_mutex_unlock(&engine->lock);
    for (struct jit_kernel *kernel = done; kernel; kernel = done) {
        done = kernel->next;
        thread_pool_wait(&kernel->better);
        free_kernel(kernel);
    }
}

static void free_kernel(struct jit_kernel *kernel)
{
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
    const struct jit_function function = {
        __atomic_load_n(&kernel->function, __ATOMIC_ACQUIRE),
        kernel->program,
    };
    jit_code_fence();
    return function;
}

bool jit_kernel_has_failed(const struct jit_kernel *kernel)
{
    return jit_kernel_is_ready(kernel) && !__atomic_load_n(&kernel->function, __ATOMIC_RELAXED);
}

bool jit_kernel_is_baseline(const struct jit_kernel *kernel)
{
    return kernel->baseline.function != NULL;
}
