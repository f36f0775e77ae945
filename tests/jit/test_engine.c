/* SPDX-License-Identifier: MIT */
/*
 * Tests of engines: large kernels, large scratch memory, kernels shared by their users, replacement
 * of baseline code, wide kernels, perf's map, and fork.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <llvm-c/Analysis.h>

#include "jit_test.h"

/* --- large kernels --- */

#define LARGE_STEPS 6000
#define LARGE_ODD   1000 /* conditional steps, from LARGE_STEPS / 2 on */

/* A kernel too large for LLVM's optimizing code generator, whose long blocks must be split. One
 * block is in a divergent if, followed by a phi. Each step uses a different constant. */
static nir_def *body_large(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_variable *var = nir_local_variable_create(b->impl, glsl_float_type(), "a");
    nir_def *a = p;
    for (unsigned i = 0; i < LARGE_STEPS; i++) {
        if (i == LARGE_STEPS / 2) {
            nir_store_var(b, var, a, 1);
            nir_push_if(b, nir_ine_imm(b, nir_iand_imm(b, q, 1), 0));
        }
        nir_def *step = nir_imm_float(b, (float)i / LARGE_STEPS);
        a = nir_fadd(b, nir_fmul(b, a, q), nir_fsub(b, step, a));
        if (i == LARGE_STEPS / 2 + LARGE_ODD) {
            nir_store_var(b, var, a, 1);
            nir_pop_if(b, NULL);
            a = nir_load_var(b, var);
        }
    }
    return a;
}

/* Floats in [0, 1) and [0.25, 0.75): no step of body_large overflows. */
static void fill_fractions(void)
{
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = fui((random_word() & 0xffffff) / 16777216.0f);
        y[i] = fui(0.25f + (random_word() & 0xffffff) / 33554432.0f);
    }
}

static void test_large(void **state)
{
    fill_fractions();
    run_all(body_large, out, x, y);
    for (unsigned i = 0; i < COUNT; i++) {
        volatile float p = uif(x[i]), q = uif(y[i]), a = p;
        for (unsigned s = 0; s < LARGE_STEPS; s++) {
            bool in_if = s >= LARGE_STEPS / 2 && s <= LARGE_STEPS / 2 + LARGE_ODD;
            volatile float product = a * q, difference = (float)s / LARGE_STEPS - a;
            if (!in_if || (y[i] & 1))
                a = product + difference;
        }
        assert_int_equal(out[i], fui(a));
    }
}

enum { BIG_SCRATCH = 3 << 20, FAR = BIG_SCRATCH / 2 };

/* Stores to scratch memory that body_big_scratch reads but doesn't write. */
static nir_def *body_far_scratch(nir_builder *b, nir_def *p, nir_def *q)
{
    b->shader->scratch_size = BIG_SCRATCH;
    nir_store_scratch(b, p, nir_iand_imm(b, q, 0x3ffc), .base = FAR, .write_mask = 1,
                      .align_mul = 4);
    return p;
}

/* Returns p + 0 from scratch memory, of which it touches a small part. */
static nir_def *body_big_scratch(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_def *offset = nir_iand_imm(b, q, 0x3ffc);
    b->shader->scratch_size = BIG_SCRATCH;
    nir_store_scratch(b, p, offset, .write_mask = 1, .align_mul = 4);
    return nir_iadd(b, nir_load_scratch(b, 1, 32, offset, .align_mul = 4),
                    nir_load_scratch(b, 1, 32, offset, .base = FAR, .align_mul = 4));
}

/* Returns the number of resident kilobytes of the process; -1: unknown. */
static long resident_kb(void)
{
    char line[128];
    long kb = -1;
    FILE *file = fopen("/proc/self/smaps_rollup", "re");
    while (file && kb < 0 && fgets(line, sizeof line, file))
        (void)!sscanf(line, "Rss: %ld", &kb);
    if (file)
        fclose(file);
    return kb;
}

/* Checks that kernels with large scratch memory find it cleared, but don't touch all of it. */
static void test_big_scratch(void **state)
{
    fill_integers();
    for (unsigned w = NUM_RUNNERS * ARRAY_SIZE(widths); w--;) {
        struct jit_engine *engine = jit_engine_create(widths[w / NUM_RUNNERS]);
        assert_non_null(engine);
        engine->baseline &= w % NUM_RUNNERS == BY_BASELINE_CODE;
        engine->interprets = w % NUM_RUNNERS == BY_INTERPRETER;
        struct jit_kernel *kernel = jit_kernel_begin(engine, build(body_far_scratch), "test");
        assert_non_null(kernel);
        const void *args[] = {out, x, y};
        struct jit_function function = jit_kernel_function(kernel);
        assert_non_null(function.run);
        const long before = resident_kb();
        jit_run(function, args);
        assert_true(before < 0 || resident_kb() - before < 16 << 10);
        jit_kernel_destroy(kernel);
        run_with(engine, body_big_scratch, out, x, y);
        assert_memory_equal(out, x, sizeof out);
    }
}

/* Returns a module with a loop of one block of `count` additions, each of a different constant. */
static LLVMModuleRef build_block(LLVMContextRef context, unsigned count)
{
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", context);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMTypeRef f32 = LLVMFloatTypeInContext(context);
    LLVMValueRef f = LLVMAddFunction(module, "f", LLVMFunctionType(f32, &f32, 1, false));
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, f, "");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(context, f, "");
    LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, f, "");
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef phi = LLVMBuildPhi(b, f32, ""), sum = phi;
    for (unsigned i = 0; i < count; i++)
        sum = LLVMBuildFAdd(b, sum, LLVMConstReal(f32, i + 1), "");
    LLVMAddIncoming(phi, (LLVMValueRef[]){LLVMGetParam(f, 0), sum},
                    (LLVMBasicBlockRef[]){entry, loop}, 2);
    LLVMBuildCondBr(b, LLVMBuildFCmp(b, LLVMRealOEQ, sum, phi, ""), loop, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRet(b, sum);
    LLVMDisposeBuilder(b);
    return module;
}

/* jit_divide_large bounds the length of blocks, for linear compile time, and removes constants. */
static void test_divided(void **state)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMModuleRef module = build_block(context, 1000);
    assert_false(jit_divide_large(context, builder, module));
    LLVMDisposeModule(module);

    module = build_block(context, 100000);
    assert_true(jit_divide_large(context, builder, module));
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
        fail_msg("%s", message);
    LLVMDisposeMessage(message);
    LLVMValueRef f = LLVMGetNamedFunction(module, "f");
    unsigned adds = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        unsigned length = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            adds += LLVMGetInstructionOpcode(i) == LLVMFAdd;
            for (int k = 0; k < LLVMGetNumOperands(i); k++)
                assert_null(LLVMIsAConstantFP(LLVMGetOperand(i, (unsigned)k)));
            length++;
        }
        assert_in_range(length, 1, 600);
    }
    assert_int_equal(adds, 100000);
    LLVMDisposeBuilder(builder);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

static nir_def *body_sum(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_iadd(b, p, q);
}

static nir_def *body_difference(nir_builder *b, nir_def *p, nir_def *q)
{
    return nir_isub(b, p, q);
}

/* Kernels with the same NIR are shared as long as one of them exists. */
static void test_shared(void **state)
{
    static const body_fn bodies[] = {body_sum, body_difference, body_sum};
    struct jit_kernel *kernels[ARRAY_SIZE(bodies)];
    struct jit_engine *engine = jit_engine_create(0);
    assert_non_null(engine);
    fill_integers();
    for (unsigned i = 0; i < ARRAY_SIZE(bodies); i++) {
        kernels[i] = jit_kernel_begin(engine, build(bodies[i]), "test");
        assert_non_null(kernels[i]);
    }
    assert_ptr_equal(kernels[0], kernels[2]);
    assert_ptr_not_equal(kernels[0], kernels[1]);
    jit_kernel_destroy(kernels[0]);
    for (unsigned k = 1; k < ARRAY_SIZE(bodies); k++) {
        jit_run(jit_kernel_function(kernels[k]), (const void *[]){out, x, y});
        for (unsigned i = 0; i < COUNT; i++)
            assert_int_equal(out[i], k == 1 ? x[i] - y[i] : x[i] + y[i]);
        jit_kernel_destroy(kernels[k]);
    }
    kernels[0] = jit_kernel_begin(engine, build(body_sum), "test");
    assert_non_null(jit_kernel_function(kernels[0]).run);
    jit_kernel_destroy(kernels[0]);
    jit_engine_destroy(engine);
}

static const char *perf_map(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    return path;
}

/* Returns whether perf's map contains the function. */
static bool is_named(struct jit_function function)
{
    FILE *map = fopen(perf_map(), "re");
    uintptr_t start, size;
    bool named = false;
    while (map && fscanf(map, "%" SCNxPTR " %" SCNxPTR " %*[^\n]", &start, &size) == 2)
        named |= (uintptr_t)function.run - start < size;
    if (map)
        fclose(map);
    return named;
}

/* Integer, float and divergent operations, so that code of both generators has some of each. */
static nir_def *body_several(nir_builder *b, nir_def *p, nir_def *q)
{
    nir_variable *var = nir_local_variable_create(b->impl, glsl_float_type(), "a");
    nir_def *sum = nir_fadd(b, nir_fmul(b, p, q), nir_fsub_imm(b, 1.0, p));
    nir_store_var(b, var, sum, 1);
    nir_push_if(b, nir_ine_imm(b, nir_iand_imm(b, q, 1), 0));
    nir_store_var(b, var, nir_fmul(b, sum, sum), 1);
    nir_pop_if(b, NULL);
    return nir_iadd(b, nir_load_var(b, var), nir_ishl(b, q, nir_imm_int(b, 3)));
}

/* LLVM's code replaces baseline code that runs for long, with the same results. perf's map contains
 * both. */
static void test_replaced(void **state)
{
    static uint32_t better[COUNT];
    struct jit_engine *engine = jit_engine_create(0);
    assert_non_null(engine);
    fill_fractions();
    struct jit_kernel *kernel = jit_kernel_begin(engine, build(body_several), "test");
    assert_non_null(kernel);
    struct jit_function first = jit_kernel_function(kernel), now = first;
    jit_run(first, (const void *[]){out, x, y});
    while (jit_kernel_is_baseline(kernel) && now.run == first.run) {
        jit_run(first, (const void *[]){out, x, y});
        now = jit_kernel_function(kernel);
    }
    jit_run(now, (const void *[]){better, x, y});
    assert_memory_equal(out, better, sizeof out);
    assert_true(is_named(first));
    assert_true(is_named(now));
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
}

/* --- wide kernels --- */

/* Counts calls of its functions. */
struct wide_calls {
    unsigned lanes, built, destroyed;
    bool refuses; /* builds no NIR */
};

/* Has another result than the kernel that it replaces, so that a test sees which one runs. */
static nir_shader *build_wide(void *data, unsigned lanes)
{
    struct wide_calls *calls = data;
    calls->lanes = lanes;
    calls->built++;
    return calls->refuses ? NULL : build(body_difference);
}

static void destroy_wide(void *data)
{
    struct wide_calls *calls = data;
    calls->destroyed++;
}

static struct jit_kernel *begin_wide(struct jit_engine *engine, struct wide_calls *calls)
{
    const struct jit_wide_kernel wide = {build_wide, destroy_wide, calls};
    struct jit_kernel *kernel = jit_kernel_begin_wide(engine, build(body_sum), &wide, "test");
    assert_non_null(kernel);
    return kernel;
}

/* Runs a kernel that LLVM compiles at once, and checks what it is built from. */
static void check_wide(unsigned lanes, bool refuses)
{
    struct wide_calls calls[2] = {{.refuses = refuses}};
    struct jit_engine *engine = jit_engine_create(lanes);
    assert_non_null(engine);
    engine->baseline = false;
    struct jit_kernel *kernel = begin_wide(engine, &calls[0]);
    jit_run(jit_kernel_function(kernel), (const void *[]){out, x, y});
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(out[i], refuses ? x[i] + y[i] : x[i] - y[i]);
    assert_int_equal(calls[0].lanes, 2 * lanes);
    assert_int_equal(calls[0].built, 1);
    assert_int_equal(calls[0].destroyed, 1);
    assert_ptr_equal(begin_wide(engine, &calls[1]), kernel); /* shared */
    assert_int_equal(calls[1].destroyed, 1);
    jit_kernel_destroy(kernel);
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
}

/* LLVM's code may be for twice as many lanes. */
static void test_wide(void **state)
{
    struct jit_engine *widest = jit_engine_create(16);
    assert_non_null(widest);
    assert_false(jit_engine_can_widen(widest));
    jit_engine_destroy(widest);
    fill_integers();
    for (unsigned lanes = 4; lanes < 16; lanes *= 2) {
        struct jit_engine *engine = jit_engine_create(lanes);
        assert_non_null(engine);
        const bool can_widen = jit_engine_can_widen(engine);
        assert_int_equal(can_widen, engine->has_baseline);
        jit_engine_destroy(engine);
        for (unsigned refuses = 0; can_widen && refuses < 2; refuses++)
            check_wide(lanes, refuses);
    }
}

/* The wide kernel replaces baseline code that runs for long. A kernel that ends before frees what
 * it would be built from. */
static void test_replaced_by_wide(void **state)
{
    struct wide_calls calls[2] = {{0}};
    struct jit_engine *engine = jit_engine_create(4);
    assert_non_null(engine);
    fill_integers();
    struct jit_kernel *kernel = begin_wide(engine, &calls[0]);
    const struct jit_function first = jit_kernel_function(kernel);
    const bool is_baseline = jit_kernel_is_baseline(kernel);
    while (is_baseline && jit_kernel_function(kernel).run == first.run)
        jit_run(first, (const void *[]){out, x, y});
    jit_run(jit_kernel_function(kernel), (const void *[]){out, x, y});
    for (unsigned i = 0; i < COUNT; i++)
        assert_int_equal(out[i], x[i] - y[i]);
    jit_kernel_destroy(kernel);
    kernel = begin_wide(engine, &calls[1]);
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
    assert_int_equal(calls[0].built, 1);
    assert_int_equal(calls[0].destroyed, 1);
    assert_int_equal(calls[1].destroyed, 1);
    if (is_baseline)
        assert_int_equal(calls[1].built, 0);
}

/* perf's map is not written through a link, which another user may have created. */
static void test_perf_link(void **state)
{
    char target[64];
    snprintf(target, sizeof target, "/tmp/indium-perf-%d", (int)getpid());
    unlink(perf_map());
    assert_int_equal(symlink(target, perf_map()), 0);
    struct jit_engine *engine = jit_engine_create(0);
    struct jit_kernel *kernel = jit_kernel_begin(engine, build(body_several), "test");
    assert_non_null(kernel);
    jit_run(jit_kernel_function(kernel), (const void *[]){out, x, y});
    assert_int_not_equal(unlink(target), 0);
    jit_kernel_destroy(kernel);
    jit_engine_destroy(engine);
    unlink(perf_map());
}

static int remove_perf_map(void **state)
{
    return unlink(perf_map());
}

/* --- fork --- */

static _Atomic bool holds_lock;

/* Holds an engine's lock for a while. */
static void *hold_lock(void *data)
{
    struct jit_engine *engine = data;
    pthread_mutex_lock(&engine->lock);
    holds_lock = true;
    usleep(50000);
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

/* Checks that the child of a fork can take an engine's lock that another thread held. */
static void test_fork(void **state)
{
    struct jit_engine *engine = jit_engine_create(4);
    pthread_t thread;
    int status = -1;
    assert_non_null(engine);
    assert_int_equal(pthread_create(&thread, NULL, hold_lock, engine), 0);
    while (!holds_lock)
        sched_yield();
    const pid_t child = fork();
    if (!child)
        _exit(pthread_mutex_trylock(&engine->lock) != 0);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    pthread_join(thread, NULL);
    jit_engine_destroy(engine);
}

int main(void)
{
    setenv("INDIUM_CACHE_DIR", "", 1); /* kernels in the cache have no baseline code */
    setenv("INDIUM_DEBUG", "perf", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_big_scratch),
        cmocka_unit_test(test_divided),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_perf_link),
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_replaced_by_wide),
    };
    return cmocka_run_group_tests(tests, NULL, remove_perf_map);
}
