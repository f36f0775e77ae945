/* SPDX-License-Identifier: MIT */
/*
 * The JIT: a NIR shader becomes a function of the host, in LLVM's hands.
 *
 * A kernel is a nir_shader whose entrypoint does all its work through memory: its arguments are
 * 64-bit addresses (load_kernel_arg), it loads and stores with load_global…, store_global… and the
 * block forms, and loops as it likes. Each value is held for `lanes` invocations at once; what
 * nir_divergence_analysis proves uniform is a scalar, uniform branches are branches, divergent ones
 * run under an execution mask. So a driver writes fetch, interpolation, depth test, blending and
 * texture filtering as NIR around the application's shader, and there is one code generator.
 *
 * What a kernel may contain: scalar and vector ALU (lowered to scalars here), ifs and loops, phis,
 * load_const, undef, and the intrinsics that jit_emit_intrinsic (jit_mem.c) knows: addresses and
 * memory (load_kernel_arg, load_ and store_global with its block and quad forms, atomics, scratch,
 * constants), lanes (load_subgroup_invocation and size, votes, ballot, read_first_invocation,
 * shuffles of words, those by xor, up and down by constants, quad swaps and broadcasts, derivatives
 * by quad) and the budget of loops (work_left). ALU instructions and what lanes read of each other
 * go by what inactive lanes hold, too: such values are computed like the others'. Lanes 4q … 4q+3
 * are quad q: upper-left, upper-right, lower-left, lower-right in order of x, then y.
 *
 * Results have the same bits at every width: operations are IEEE, transcendental functions are
 * polynomials of our own (jit_lower_math.c), and nothing is contracted or estimated. So it does not
 * matter which of the two code generators made a kernel: LLVM, or the baseline one
 * (jit_baseline.c), whose code LLVM's replaces when a kernel has done much.
 */
#ifndef JIT_H
#define JIT_H

#include <stdbool.h>
#include <stdint.h>

struct nir_shader;
struct jit_engine;
struct jit_kernel;

/* args[i] is kernel argument i. Pure in args and the memory they name; any thread. self: what the
 * interpreter runs; machine code ignores it. */
typedef void (*jit_kernel_fn)(const void *const *args, const void *self);

/* What runs a kernel now: machine code, or the interpreter. */
struct jit_function {
    jit_kernel_fn run; /* NULL: the kernel can't run */
    const void *self;
};

static inline void jit_run(struct jit_function function, const void *const *args)
{
    function.run(args, function.self);
}

/* One per screen; thread-safe. lanes: 4, 8, 16 or 0 for the host's best (INDIUM_LANES counts when
 * 0); what the host's registers do not hold takes several. NULL: no memory or LLVM cannot target
 * this machine. */
struct jit_engine *jit_engine_create(unsigned lanes);
void jit_engine_destroy(struct jit_engine *engine); /* kernels must be gone */
unsigned jit_engine_lanes(const struct jit_engine *engine);
/* "AVX-512, 16 lanes": for GL_RENDERER. */
const char *jit_engine_description(const struct jit_engine *engine);

/* nir is read only during the call (and lowered in place); it stays the caller's. name: for
 * INDIUM_DEBUG. Compiles at once, on the calling thread. NULL: no memory, or NIR that a kernel may
 * not contain. */
struct jit_kernel *jit_kernel_create(struct jit_engine *engine, struct nir_shader *nir,
                                     const char *name);
/* Has it compiled by a worker of the thread pool; called by one, or where there is but one,
 * compiles at once. nir becomes the kernel's in any case. NULL: no memory; what else goes wrong,
 * jit_kernel_function says. Where there is one of the same NIR, that is returned, to be destroyed
 * as often as it was. */
struct jit_kernel *jit_kernel_begin(struct jit_engine *engine, struct nir_shader *nir,
                                    const char *name);
/* Whether jit_kernel_function would not wait. Any thread. */
bool jit_kernel_is_ready(const struct jit_kernel *kernel);
/* Whether it is known that it cannot be compiled. Any thread. */
bool jit_kernel_has_failed(const struct jit_kernel *kernel);
/* The lowering that jit_kernel_create begins with; needs no LLVM. */
void jit_lower_nir(struct nir_shader *nir);
void jit_kernel_destroy(struct jit_kernel *kernel); /* NULL is fine; not while it runs */
/* Waits until it is compiled. A function that is NULL: it cannot be, see jit_kernel_create, or
 * kernel is NULL. Ask for it at each use: when it has run for long, better code takes its place,
 * equal in results. */
struct jit_function jit_kernel_function(struct jit_kernel *kernel);
#endif
