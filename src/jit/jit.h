/* SPDX-License-Identifier: MIT */
/*
 * JIT compiler: compiles NIR shaders ("kernels") to functions of the host CPU.
 *
 * A kernel is a nir_shader whose entrypoint does all its work through memory. Its arguments are
 * 64-bit addresses (load_kernel_arg); it reads and writes memory with load_global…, store_global…
 * and their block forms, and may contain loops. Each value is computed for `lanes` invocations at
 * once (SIMD). A value that nir_divergence_analysis proves uniform is a scalar. Uniform branches
 * become branches; divergent ones run both sides under an execution mask. A driver therefore writes
 * vertex fetch, interpolation, depth test, blending and texture filtering as NIR around the
 * application's shader, and needs no second code generator for them.
 *
 * A kernel may contain scalar and vector ALU instructions, including quad derivatives (vectors are
 * lowered to scalars here), ifs and loops, phis, load_const, undef, and the intrinsics that
 * jit_emit_intrinsic (jit_mem.c) supports, mainly:
 *  - memory: load_kernel_arg, load_global and store_global with their block, quad and bilinear
 *    forms, atomics, scratch, constant data;
 *  - lanes: load_subgroup_invocation, load_subgroup_size, votes, ballot, read_first_invocation,
 *    32-bit shuffles, shuffle_xor, _up and _down by constants, lookup_lanes, quad swaps and
 *    broadcasts;
 *  - poll_stop, which reads a word that other threads set to end loops;
 *  - barrier, an acquire and release barrier for memory that other threads access, too. Its scopes,
 *    semantics and modes have no meaning here.
 *
 * ALU instructions are computed for inactive lanes, too, and cross-lane instructions may read those
 * lanes. Lanes 4q … 4q+3 are quad q: the upper left, upper right, lower left and lower right pixel.
 *
 * Results have the same bits at every width: operations follow IEEE 754, transcendental functions
 * are polynomials (nir_lower_math), and no operation is contracted or approximated. LLVM and the
 * baseline code generator (jit_baseline.c) therefore give the same results, so LLVM's code can
 * replace the baseline code of a kernel that has run for a long time.
 */
#ifndef JIT_H
#define JIT_H

#include <stdbool.h>
#include <stdint.h>

struct nir_shader;
struct jit_engine;
struct jit_kernel;

/* Runs a kernel to its end on the calling thread. args[i] is kernel argument i; the array is read
 * only during the call. The effect depends only on args and the memory they point to; any number of
 * threads may call it at once. self is the interpreter's program; machine code ignores it. */
typedef void (*jit_kernel_fn)(const void *const *args, const void *self);

/* Current implementation of a kernel: machine code or the interpreter. It stays valid until the
 * kernel is destroyed. */
struct jit_function {
    jit_kernel_fn run; /* NULL if the kernel can't run */
    const void *self;  /* second argument of run */
};

/* Runs a function whose `run` is not NULL. */
static inline void jit_run(struct jit_function function, const void *const *args)
{
    function.run(args, function.self);
}

/* Creates a compiler; each screen has one. Any thread may use it. lanes is the SIMD width: 4, 8,
 * 16, or 0. For 0, it is INDIUM_LANES or, if that isn't set, the number of 32-bit elements of a
 * vector register at the level of util_cpu_isa(). A value that is wider than a register takes
 * several registers. Returns NULL if memory is exhausted or an x86 CPU lacks SSE4.1. The engine
 * works without LLVM, too. */
struct jit_engine *jit_engine_create(unsigned lanes);
/* Waits for LLVM if it is compiling. All kernels of the engine must have been destroyed. NULL is
 * allowed. */
void jit_engine_destroy(struct jit_engine *engine);
/* Returns the SIMD width in lanes. */
unsigned jit_engine_lanes(const struct jit_engine *engine);
/* Returns a text for GL_RENDERER such as "AVX-512, 16 lanes"; the engine owns it. */
const char *jit_engine_description(const struct jit_engine *engine);

/* Compiles nir on the calling thread, with LLVM; if LLVM can't compile the kernel, generates
 * baseline code or interprets it. nir may be lowered in place; it remains the caller's, and the
 * kernel doesn't use it afterwards. name is copied; it appears in the output of INDIUM_DEBUG.
 * Returns NULL if memory is exhausted or nir contains something that a kernel may not. */
struct jit_kernel *jit_kernel_create(struct jit_engine *engine, struct nir_shader *nir,
                                     const char *name);
/* Starts to compile nir, usually to baseline code, on a worker of the thread pool; compiles at once
 * if the caller runs a job of the pool or the pool has one thread. Takes ownership of nir, also on
 * failure; copies name. Returns NULL if memory for the kernel is exhausted; jit_kernel_function
 * reports errors of the compilation. If the engine has a kernel of the same NIR, returns that
 * kernel; every call needs its own jit_kernel_destroy. */
struct jit_kernel *jit_kernel_begin(struct jit_engine *engine, struct nir_shader *nir,
                                    const char *name);
/* Builds a second NIR for a kernel, with twice as many lanes. LLVM compiles that NIR, in which each
 * vector fills two registers, instead of the kernel's own; baseline code uses the kernel's own.
 * This hides latency, because a chain of dependent instructions takes as long for two registers as
 * for one. */
struct jit_wide_kernel {
    /* Returns NIR that has the same effect as the kernel's and processes `lanes` invocations at a
     * time. The caller owns it. Returns NULL if that isn't worth it or if out of memory. Called at
     * most once, on any thread. */
    struct nir_shader *(*build)(void *data, unsigned lanes);
    void (*destroy)(void *data); /* frees data; called once, on any thread */
    void *data;
};
/* Like jit_kernel_begin. Copies *wide and takes ownership of wide->data, also on failure. wide is
 * NULL if the kernel has no second NIR, and must be NULL if jit_engine_can_widen() returns
 * false. */
struct jit_kernel *jit_kernel_begin_wide(struct jit_engine *engine, struct nir_shader *nir,
                                         const struct jit_wide_kernel *wide, const char *name);
/* Returns whether the engine supports struct jit_wide_kernel: it has LLVM, the baseline code
 * generator supports it, and its vectors fill one register of fewer than 16 lanes. */
bool jit_engine_can_widen(const struct jit_engine *engine);
/* Returns whether jit_kernel_function would return without waiting. Any thread may call it. kernel
 * must not be NULL. */
bool jit_kernel_is_ready(const struct jit_kernel *kernel);
/* Returns whether the compilation has ended and failed; false while it is running. Any thread may
 * call it. kernel must not be NULL. */
bool jit_kernel_has_failed(const struct jit_kernel *kernel);
/* Lowers nir in place, the first step of every compilation. Needs no LLVM. Must run within an
 * attempt (util/memory.h). */
void jit_lower_nir(struct nir_shader *nir);
/* Releases a reference to the kernel. The last release waits for the first compilation and frees
 * the kernel, which must not be running. If LLVM is still compiling a replacement, the memory is
 * freed later. NULL is allowed. */
void jit_kernel_destroy(struct jit_kernel *kernel);
/* Waits for the compilation and returns the function to run; run is NULL if the kernel couldn't be
 * compiled or kernel is NULL. Call this for every use: once baseline code has run long enough, a
 * call requests LLVM's code, and a later call returns it. Both give the same results. */
struct jit_function jit_kernel_function(struct jit_kernel *kernel);
#endif
