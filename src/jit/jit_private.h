/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of src/jit. */
#ifndef JIT_PRIVATE_H
#define JIT_PRIVATE_H

#include <pthread.h>

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "jit/jit.h"
#include "jit/jit_code.h"
#include "jit/jit_interpret.h"
#include "nir/nir.h"

/* Hash of everything that a kernel's code depends on: NIR, target, lanes and library build. */
struct jit_key {
    uint64_t bits[2];
};

/* Fault that tests inject into compilations with LLVM. */
enum jit_fault {
    JIT_FAULT_NONE,
    JIT_FAULT_FATAL,     /* a fatal error of LLVM's code generator */
    JIT_FAULT_INVALID,   /* a module that LLVM's verifier rejects */
    JIT_FAULT_ERROR,     /* an error that LLVM reports as a diagnostic */
    JIT_FAULT_ABORT,     /* abort() */
    JIT_FAULT_NO_MEMORY, /* an allocation that can't succeed */
};

/* Why LLVM has produced no code for a kernel. */
struct jit_failure {
    bool lasting;     /* another attempt would fail, too; false if memory was exhausted */
    bool by_size;     /* the kernel is too large for a bounded compilation */
    char reason[200]; /* for log messages */
};

/* A compiler (jit.h). Fields before `link` don't change after creation. */
struct jit_engine {
    unsigned lanes;          /* SIMD width of kernels, except those of jit_wide_kernel */
    unsigned register_lanes; /* 32-bit lanes of a vector register of the target */
    bool permutes_bytes;     /* the target has AVX-512 VBMI */
    bool interprets;         /* all kernels are interpreted */
    bool has_baseline;       /* the baseline code generator supports the target and width */
    bool baseline;           /* kernels start with baseline code */
    char description[64];    /* jit_engine_description */
    char *cpu, *features;    /* LLVM's names of the target, talloc-allocated */
    LLVMTargetRef target;
    char *triple;           /* LLVM-allocated */
    bool cacheable;         /* INDIUM_DEBUG doesn't bypass caches, and cache_seed is valid */
    const char *cache_path; /* directory; NULL if there is no cache on disk */
    uint64_t cache_seed;    /* build ID of this library, the seed of keys */
    enum jit_fault fault;   /* injected into every compilation with LLVM */
    bool no_llvm;           /* LLVM couldn't be set up */
    struct list_head link;  /* in the list of all engines */
    pthread_mutex_t lock;   /* protects the fields below; last in the lock order */
    /* Keys of kernels that LLVM can't compile; a ring whose oldest entry is replaced. */
    struct jit_key refused[64];
    unsigned num_refused;               /* keys ever added to refused */
    LLVMTargetMachineRef idle[16];      /* target machines that no compilation uses */
    unsigned num_idle;                  /* used elements of idle */
    struct jit_kernel *shared[1 << 10]; /* hash table by key of kernels that may be shared */
    struct jit_kernel *dropped;         /* list of destroyed kernels that LLVM still compiles */
};

/* State of generating LLVM IR for one kernel. Values are integers of their bit size (i1 for
 * booleans): scalars if the def is uniform, otherwise vectors of `lanes` elements. */
struct jit_builder {
    struct jit_engine *engine;
    nir_shader *nir;
    unsigned lanes; /* lanes of a vector: engine->lanes, or twice that for jit_wide_kernel */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMValueRef function, args; /* the kernel's function, and its parameter args */
    LLVMBasicBlockRef entry;     /* entry block; allocas are inserted at its start */
    LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr;
    LLVMValueRef **defs;   /* values, [nir_def.index][component] */
    LLVMValueRef **phis;   /* allocas of phis, [nir_def.index][component] */
    LLVMValueRef exec;     /* <lanes x i1>: active lanes; NULL if all are */
    struct jit_loop *loop; /* innermost loop */
    LLVMValueRef scratch;  /* alloca: [32-bit slot][lane] */
    unsigned scratch_slots;
    /* Allocas of JIT_MAX_ANGLES vectors: arguments of nir_math_reduce_*(); NULL until used. */
    LLVMValueRef angles[2];
    void *mem_ctx; /* talloc context of temporary data */
    bool failed;   /* the kernel contains something unsupported */
};

/* A loop that is being generated. */
struct jit_loop {
    struct jit_loop *outer;
    LLVMBasicBlockRef head, exit; /* first block of the loop; block after the loop */
    bool divergent;               /* lanes may leave the loop in different iterations */
    LLVMValueRef exec;            /* active lanes at the loop's entry */
    LLVMValueRef live;    /* divergent loops: alloca of the lanes that haven't left the loop */
    LLVMValueRef running; /* divergent loops: alloca of the live lanes in this iteration */
};

/* --- types and values --- */
/* Returns the integer type of that size: 1, 8, 16, 32 or 64 bits. */
LLVMTypeRef jit_int_type(struct jit_builder *jb, unsigned bit_size);
/* Returns the floating-point type of that size: 16, 32 or 64 bits. */
LLVMTypeRef jit_float_type(struct jit_builder *jb, unsigned bit_size);
/* Returns the vector type of `lanes` scalars if divergent, otherwise the scalar type. */
LLVMTypeRef jit_type(struct jit_builder *jb, LLVMTypeRef scalar, bool divergent);
/* Returns a vector with the scalar in every lane; returns a vector unchanged. */
LLVMValueRef jit_broadcast(struct jit_builder *jb, LLVMValueRef scalar);
/* Returns a constant vector of `count` equal elements. */
LLVMValueRef jit_splat(LLVMValueRef constant, unsigned count);
/* Returns whether the value's LLVM type is a vector. */
bool jit_is_vector(LLVMValueRef value);
/* Returns a component of the source, broadcast to a vector if `divergent` and it is a scalar. */
LLVMValueRef jit_src(struct jit_builder *jb, const nir_src *src, unsigned component,
                     bool divergent);
/* Returns a component of a source that must be uniform, as a scalar. */
LLVMValueRef jit_uniform_src(struct jit_builder *jb, const nir_src *src, unsigned component);
/* Returns an integer constant; for a vector type, one with the value in all elements. */
LLVMValueRef jit_const_int(struct jit_builder *jb, LLVMTypeRef type, uint64_t value);
/* Emits an alloca in the entry block. The builder must be at the end of its block, and stays
 * there. */
LLVMValueRef jit_alloca(struct jit_builder *jb, LLVMTypeRef type);
/* Returns the active lanes as a vector of i1. */
LLVMValueRef jit_exec_mask(struct jit_builder *jb);
/* Returns an i1: whether any lane of the mask is set. */
LLVMValueRef jit_any(struct jit_builder *jb, LLVMValueRef mask);
/* Adds a string attribute of LLVM to a function. */
void jit_add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                       const char *value);
/* Marks a function as one that throws no exception, so that it has no unwind table. */
void jit_add_nounwind(LLVMContextRef context, LLVMValueRef function);
/* Emits a call of an LLVM intrinsic; types are those of its overloaded parameters. */
LLVMValueRef jit_call(struct jit_builder *jb, const char *intrinsic, LLVMTypeRef *types,
                      unsigned num_types, LLVMValueRef *args, unsigned num_args);

/* Permutes the lanes of each quad: lane i of a quad takes the value of the quad's lane pattern[i].
 * {0, 0, 2, 2} gives every pixel the value of the left pixel in its row. */
LLVMValueRef jit_quad_shuffle(struct jit_builder *jb, LLVMValueRef value,
                              const unsigned pattern[4]);

/* Returns (x * y + 0x4000) >> 15 of signed 16-bit elements (pmulhrsw): <2 × lanes × i16>. */
LLVMValueRef jit_multiply_halves(struct jit_builder *jb, LLVMValueRef x, LLVMValueRef y);
/* Decodes two sRGB bytes of each 32-bit word, 0 and 2 or, if odd, 1 and 3, to 15-bit linear values
 * (util_srgb_half). Returns words with the first value in the low 16 bits and the second in the
 * high 16 bits. */
LLVMValueRef jit_decode_srgb(struct jit_builder *jb, LLVMValueRef words, bool odd);

/* Converts half-precision numbers, given as 16-bit integers, to floats. Accepts scalars and vectors
 * of any length. */
LLVMValueRef jit_halves_to_floats(struct jit_builder *jb, LLVMValueRef halves);
/* Converts floats to half-precision numbers as 16-bit integers, rounding to nearest even. */
LLVMValueRef jit_floats_to_halves(struct jit_builder *jb, LLVMValueRef floats);

/* --- code generation and passes --- */
/* Emits LLVM IR for the instruction. Sets jb->failed if kernels may not contain it. */
void jit_emit_alu(struct jit_builder *jb, nir_alu_instr *alu);

/* Maximum number of reductions of angles that are emitted together, with a single branch for large
 * angles. */
#define JIT_MAX_ANGLES 4
/* Returns whether the instruction is freduce_sin or freduce_cos. */
bool jit_is_angle_reduction(const nir_instr *instr);
/* A NIR pass: moves independent reductions of a block next to each other, in groups of at most
 * JIT_MAX_ANGLES. Returns whether it changed the shader. */
bool jit_group_angles(nir_shader *nir);
/* Emits the reduction `first` and the reductions that directly follow it, have the same divergence
 * and don't depend on one another; at most JIT_MAX_ANGLES in total. Returns the last emitted
 * one. */
nir_instr *jit_emit_angles(struct jit_builder *jb, nir_instr *first);
/* Emit LLVM IR for an intrinsic and for a whole function. Set jb->failed like jit_emit_alu. */
void jit_emit_intrinsic(struct jit_builder *jb, nir_intrinsic_instr *intr);
void jit_emit_function(struct jit_builder *jb, nir_function_impl *impl);

/* Works around an LLVM bug that miscompiles selects of bitwise selects for AVX-512. Call it after
 * LLVM's passes. */
void jit_protect_bit_selects(LLVMContextRef context, LLVMModuleRef module);

/* Returns the LLVM pass pipeline to run on the module, in the syntax of LLVMRunPasses(), without
 * passes that would take too long. The string is static. */
const char *jit_passes(LLVMModuleRef module);
/* If LLVM's optimizing code generator would take too long for the module, prepares it for the
 * non-optimizing one: splits its blocks, moves its constants to memory, and returns true. Otherwise
 * returns false and does nothing. Call it after all passes. */
bool jit_divide_large(LLVMContextRef context, LLVMBuilderRef b, LLVMModuleRef module);

/* --- the baseline code generator (jit_baseline.c) --- */

/* Baseline code of a kernel. */
struct jit_baseline_code {
    struct jit_code code;   /* instructions, then constants */
    const void *end;        /* end of the instructions */
    jit_kernel_fn function; /* entry point */
    void *steps;            /* talloc context of data that the code refers to, or NULL */
    uint64_t ticks;         /* atomic: run time of all calls, in ticks of the CPU's time stamps */
    uint64_t much;          /* when `ticks` reaches this, LLVM compiles the kernel */
};
/* Returns whether the generator has an instruction set of the host's architecture with that many
 * lanes (4, 8 or 16) per register. The CPU may lack it. */
bool jit_baseline_has(unsigned lanes);
/* Compiles nir, as lowered by jit_lower_nir. lanes is 16 for AVX-512, 8 for AVX2, or 4 for SSE4.1
 * or NEON. The generated code counts its ticks in *code, which must therefore not move until
 * jit_baseline_free. Must run within an attempt. Returns false if memory is exhausted, if no page
 * may become executable, if nir needs too large a stack frame, or if it contains something that a
 * kernel may not. */
bool jit_baseline_compile(nir_shader *nir, unsigned lanes, struct jit_baseline_code *code);
/* Unmaps the code, which must not be running, and frees its steps. */
void jit_baseline_free(struct jit_baseline_code *code);
/* Returns whether the first code of the kernel, which must be ready, was baseline code. */
bool jit_kernel_is_baseline(const struct jit_kernel *kernel);

/* --- caches of object code (jit_cache.c): the application's (util/blob_cache.h) or, if it provides
 * none, the one on disk; any thread may call these functions --- */
/* Sets cacheable, cache_seed and cache_path. Creates the directory if necessary. Leaves cache_path
 * NULL if there is no safe directory, INDIUM_DEBUG bypasses caches, or the library has no build
 * ID. */
void jit_cache_init(struct jit_engine *engine);
/* Computes the key of nir, which must not have been lowered yet. Must run within an attempt.
 * Returns false if memory is exhausted. */
bool jit_cache_find_key(struct jit_engine *engine, const nir_shader *nir, struct jit_key *key);
/* Returns the object code of that key, which the caller owns; NULL if there is none or memory is
 * exhausted. Must run within an attempt. */
LLVMMemoryBufferRef jit_cache_load(struct jit_engine *engine, const struct jit_key *key);
/* Stores object code, which remains the caller's. Returns whether it has been stored, or passed to
 * the application, which may discard it. Must run within an attempt. */
bool jit_cache_store(struct jit_engine *engine, const struct jit_key *key,
                     LLVMMemoryBufferRef object);

/* Symbols by which object code calls functions of jit_stack.h. */
#define JIT_STACK_CALL_SMALL "jit_stack_call_small"
#define JIT_STACK_CALL_LARGE "jit_stack_call_large"

/* Symbol by which object code calls os_memory_zero. */
#define JIT_ZERO_MEMORY "jit_zero_memory"
/* Emits a call of os_memory_zero(pointer, bytes). bytes is an i64. */
void jit_zero_memory(struct jit_builder *jb, LLVMValueRef pointer, LLVMValueRef bytes);

/* Emits the operation of an atomic intrinsic at the pointer `place` for one lane. a and value are
 * integers with the lane's sources; value is NULL except for _swap intrinsics, which store it if
 * the contents equal a. Returns the old contents. */
LLVMValueRef jit_emit_atomic(struct jit_builder *jb, nir_intrinsic_instr *intr, LLVMValueRef place,
                             LLVMValueRef a, LLVMValueRef value);

/* Maximum bytes of scratch memory that a kernel clears itself. For larger sizes, it calls
 * os_memory_zero(), whose cost depends on the number of pages that the previous run on the same
 * stack has touched, not on the size. */
#define JIT_FEW_SCRATCH ((uint64_t)256 << 10)

/* Symbols by which object code calls nir_math_reduce_sines and nir_math_reduce_cosines. */
#define JIT_REDUCE_SINES   "jit_reduce_sines"
#define JIT_REDUCE_COSINES "jit_reduce_cosines"

/* Disposes of the engine's idle target machines, before the engine is destroyed. Must run under a
 * guard (jit_guard.h). */
void jit_drop_target_machines(struct jit_engine *engine);

/* Compiles nir, as lowered by jit_lower_nir, for vectors of `lanes` lanes to object code that
 * defines `symbol`. The caller owns it. If `bounded`, gives up on kernels whose compilation would
 * take LLVM too long. Returns NULL and sets *failure on error. */
LLVMMemoryBufferRef jit_compile_object(struct jit_engine *engine, nir_shader *nir, unsigned lanes,
                                       const char *symbol, bool bounded,
                                       struct jit_failure *failure);
/* Sets *failure to a lasting failure with a copy of reason, cut at its first newline. */
void jit_fail(struct jit_failure *failure, const char *reason);

/* Injects a fault into the compilation of the module, for tests (jit_fault.c). Must run under a
 * guard. */
void jit_inject_fault(enum jit_fault fault, LLVMModuleRef module);

#endif
