/* SPDX-License-Identifier: MIT */
/* Shared by the files of src/jit. */
#ifndef JIT_PRIVATE_H
#define JIT_PRIVATE_H

#include <pthread.h>

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include "jit/jit.h"
#include "jit/jit_code.h"
#include "jit/jit_interpret.h"
#include "nir/nir.h"

/* The hash of all that a kernel's code depends on. */
struct jit_key {
    uint64_t bits[2];
};

/* What tests have compilations end with. */
enum jit_fault {
    JIT_FAULT_NONE,
    JIT_FAULT_FATAL,     /* a fatal error of LLVM's code generator */
    JIT_FAULT_INVALID,   /* a module that LLVM's verifier refuses */
    JIT_FAULT_ERROR,     /* an error that LLVM reports as a diagnostic */
    JIT_FAULT_ABORT,     /* abort() */
    JIT_FAULT_NO_MEMORY, /* an allocation that fails for good */
};

/* Why there is no code of LLVM's. */
struct jit_failure {
    bool lasting; /* another attempt would fail, too: it wasn't for want of memory */
    char reason[200];
};

struct jit_engine {
    unsigned lanes;
    unsigned register_lanes; /* those of the instruction set it compiles for */
    bool permutes_bytes;     /* by AVX-512 VBMI */
    bool interprets;         /* there is no machine code of any kernel */
    bool has_baseline;       /* the baseline code generator knows its instruction set */
    bool baseline;           /* kernels begin with the baseline code generator's code */
    char description[64];
    char *cpu, *features; /* LLVM's names; LLVM-allocated */
    LLVMTargetRef target;
    char *triple;
    const char *cache_path; /* NULL: no cache on disk */
    uint64_t cache_seed;
    enum jit_fault fault;
    bool no_llvm;         /* LLVM can't be set up */
    pthread_mutex_t lock; /* of the rest */
    struct jit_key
        refused[64];      /* keys of kernels that LLVM can't compile; the oldest is replaced */
    unsigned num_refused; /* so far */
    LLVMTargetMachineRef idle[16]; /* target machines that no compilation uses */
    unsigned num_idle;
    struct jit_kernel *shared[1 << 10]; /* lists of kernels that may be handed out again, by key */
};

/* State of generating one kernel. Values are kept as integers of their bit size (i1 for booleans):
 * scalars if the def is uniform, else vectors of `lanes`. */
struct jit_builder {
    struct jit_engine *engine;
    nir_shader *nir;
    unsigned lanes;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    LLVMValueRef function, args;
    LLVMBasicBlockRef entry; /* allocas go to its start */
    LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr;
    LLVMValueRef **defs;   /* [nir_def.index][component] */
    LLVMValueRef **phis;   /* allocas of phis, [nir_def.index][component] */
    LLVMValueRef exec;     /* <lanes x i1> of active lanes; NULL: all of them */
    struct jit_loop *loop; /* innermost */
    LLVMValueRef scratch;  /* alloca: [slot of 32 bits][lane] */
    unsigned scratch_slots;
    LLVMValueRef work_left; /* alloca; NULL: not used yet */
    void *mem_ctx;
    bool failed; /* something that kernels may not contain */
};

struct jit_loop {
    struct jit_loop *outer;
    LLVMBasicBlockRef head, exit;
    bool divergent;
    LLVMValueRef exec;    /* where the loop is entered */
    LLVMValueRef live;    /* alloca: lanes that have not left (divergent) */
    LLVMValueRef running; /* alloca: of those, lanes that have not continued */
};

/* --- types and values --- */
LLVMTypeRef jit_int_type(struct jit_builder *jb, unsigned bit_size);
LLVMTypeRef jit_float_type(struct jit_builder *jb, unsigned bit_size);
/* The vector of `lanes` of a scalar type, or the type itself for uniform values. */
LLVMTypeRef jit_type(struct jit_builder *jb, LLVMTypeRef scalar, bool divergent);
LLVMValueRef jit_broadcast(struct jit_builder *jb, LLVMValueRef scalar);
/* The vector of `count` times a constant. */
LLVMValueRef jit_splat(LLVMValueRef constant, unsigned count);
bool jit_is_vector(LLVMValueRef value);
/* The value of a source's component; as a vector when `divergent` asks for it. */
LLVMValueRef jit_src(struct jit_builder *jb, const nir_src *src, unsigned component,
                     bool divergent);
/* The same of a source that must be uniform: a scalar. */
LLVMValueRef jit_uniform_src(struct jit_builder *jb, const nir_src *src, unsigned component);
/* An integer, or a vector with the value in each of its elements, however many it has. */
LLVMValueRef jit_const_int(struct jit_builder *jb, LLVMTypeRef type, uint64_t value);
LLVMValueRef jit_alloca(struct jit_builder *jb, LLVMTypeRef type);
/* Active lanes as a vector, all ones if exec is NULL. */
LLVMValueRef jit_exec_mask(struct jit_builder *jb);
/* i1: whether any lane of a mask is set. */
LLVMValueRef jit_any(struct jit_builder *jb, LLVMValueRef mask);
LLVMValueRef jit_call(struct jit_builder *jb, const char *intrinsic, LLVMTypeRef *types,
                      unsigned num_types, LLVMValueRef *args, unsigned num_args);

/* Each lane of a quad takes the value of lane pattern[its number]: {0, 0, 2, 2} gives every pixel
 * that of the left one in its row. */
LLVMValueRef jit_quad_shuffle(struct jit_builder *jb, LLVMValueRef value,
                              const unsigned pattern[4]);

/* Of <2 × lanes × i16>: products, each rounded and shifted right by 15. */
LLVMValueRef jit_multiply_halves(struct jit_builder *jb, LLVMValueRef x, LLVMValueRef y);
/* util_srgb_half of bytes 0 and 2 of words, or of bytes 1 and 3, in halves of words. */
LLVMValueRef jit_decode_srgb(struct jit_builder *jb, LLVMValueRef words, bool odd);

/* Of halves as integers of 16 bits, and of floats; scalars or vectors of any length. */
LLVMValueRef jit_halves_to_floats(struct jit_builder *jb, LLVMValueRef halves);
/* To the nearest, ties to even. */
LLVMValueRef jit_floats_to_halves(struct jit_builder *jb, LLVMValueRef floats);

/* --- parts --- */
void jit_emit_alu(struct jit_builder *jb, nir_alu_instr *alu);
void jit_emit_intrinsic(struct jit_builder *jb, nir_intrinsic_instr *intr);
void jit_emit_function(struct jit_builder *jb, nir_function_impl *impl);
/* exp2, log2, pow, sin, cos, fmod … in terms of IEEE operations. */
bool jit_lower_math(nir_shader *nir);

/* Keeps LLVM from miscompiling selects of constant bits for AVX-512; after its passes. */
void jit_guard_bit_selects(LLVMContextRef context, LLVMModuleRef module);

/* The names of LLVM's passes for the module as it was built; of those that would take long none. */
const char *jit_passes(LLVMModuleRef module);
/* If LLVM's optimizing code generator would take long for the module, divides its blocks into small
 * ones and lays down its constants for the one that does not, and returns true; after all passes.
 * */
bool jit_divide_large(LLVMContextRef context, LLVMBuilderRef b, LLVMModuleRef module);

/* --- the baseline code generator (jit_baseline.c) --- */
struct jit_baseline_code {
    struct jit_code code;
    const void *end; /* of the instructions, which are before the constants */
    jit_kernel_fn function;
    uint64_t ticks; /* atomic: of the processor, that it has run for */
    uint64_t much;  /* ticks from which on LLVM's code would have been worth its while */
};
/* nir: as jit_lower_nir leaves it; lanes: those of the registers, 16 with AVX-512 or 8 with AVX2.
 * In an attempt. False: no memory, or something that only LLVM does. */
/* code: stays where it is until it is freed. */
bool jit_baseline_compile(nir_shader *nir, unsigned lanes, struct jit_baseline_code *code);
void jit_baseline_free(struct jit_baseline_code *code);
/* Whether the kernel, which is ready, began with such code. */
bool jit_kernel_is_baseline(const struct jit_kernel *kernel);

/* --- the cache on disk (jit_cache.c); all of it may be called by any thread --- */
/* Leaves cache_path NULL if there is no directory or INDIUM_DEBUG wants to see compilations. */
void jit_cache_init(struct jit_engine *engine);
/* nir: as jit_kernel_create gets it. False: no memory. */
bool jit_cache_find_key(struct jit_engine *engine, const nir_shader *nir, struct jit_key *key);
/* NULL: there is none, or no cache. */
LLVMMemoryBufferRef jit_cache_load(struct jit_engine *engine, const struct jit_key *key);
/* False: it is not there now. */
bool jit_cache_store(struct jit_engine *engine, const struct jit_key *key,
                     LLVMMemoryBufferRef object);

/* The names of functions of jit_stack.h in object code. */
#define JIT_STACK_TAKE_SMALL "jit_stack_take_small"
#define JIT_STACK_TAKE_LARGE "jit_stack_take_large"
#define JIT_STACK_GIVE_SMALL "jit_stack_give_small"
#define JIT_STACK_GIVE_LARGE "jit_stack_give_large"

/* Of an engine that ends. */
void jit_drop_target_machines(struct jit_engine *engine);

/* Compiles nir, as jit_lower_nir leaves it. NULL: see *failure. */
LLVMMemoryBufferRef jit_compile_object(struct jit_engine *engine, nir_shader *nir,
                                       const char *symbol, struct jit_failure *failure);
/* Stores a failure that lasts. */
void jit_fail(struct jit_failure *failure, const char *reason);

/* Under a guard: what LLVM may end the process with, for tests (jit_fault.c). */
void jit_provoke(enum jit_fault fault, LLVMModuleRef module);

#endif
