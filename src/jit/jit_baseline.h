/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of the baseline code generator; jit_baseline.c describes its
 * design. */
#ifndef JIT_BASELINE_H
#define JIT_BASELINE_H

#include "jit/jit_code_buffer.h"
#include "jit/jit_private.h"
#include "jit/jit_stack.h"

struct hash_table;

struct baseline;
struct baseline_step;

/* Type of nir_math_reduce_sines and nir_math_reduce_cosines (nir_math.h). */
typedef void baseline_reduce_fn(const float *x, float *small, unsigned count);
/* Executes an instruction for the active lanes `exec`; frame and args are those of the kernel. */
typedef void baseline_step_fn(uint8_t *frame, const struct baseline_step *s,
                              const void *const *args, uint32_t exec);

/* General registers, by their roles. On x86-64, the numbers are those of the encoding. */
enum baseline_register {
    REG_VALUE,     /* an integer or the base of an address */
    REG_OTHER,     /* a second one */
    REG_LANES,     /* a mask of lanes */
    REG_POOL,      /* address of the constants; never changes */
    REG_FRAME,     /* address of the frame; never changes */
    REG_INDEX = 6, /* for functions of the instruction sets */
    REG_ARGS,      /* the kernel's argument: an array of pointers; never changes */
};

/* Operations on a general register and memory or, except for stores, on two general registers,
 * where a load is a move. Operands have 32 bits, or 64 if `wide`; 32-bit results clear the upper
 * half. */
enum baseline_general_op {
    BASELINE_LOAD,
    BASELINE_LOAD_SIGNED, /* sign-extends 32 bits to 64; wide */
    BASELINE_LOAD_BYTE,   /* zero-extends */
    BASELINE_LOAD_HALF,
    BASELINE_AND,
    BASELINE_OR,
    BASELINE_XOR,
    BASELINE_ADD,
    BASELINE_STORE,
    BASELINE_STORE_BYTE,
    BASELINE_STORE_HALF,
    BASELINE_AND_BACK, /* memory &= register */
    BASELINE_GENERAL_OPS
};

/*
 * Operations on vector registers, with the operands reg, v, rm of baseline_op. The result is reg,
 * or rm in operations marked (rm). Unary operations have the operand rm. Elements are 32-bit words;
 * those of LONG operations have 64 bits, of HALVES 16 bits, of BYTES 8 bits. Memory that is an
 * operand has the size of a full vector, unless the comment says otherwise. Not every instruction
 * set has every operation.
 */
enum baseline_vop {
    VOP_NONE,
    VOP_MOVE,
    VOP_STORE,          /* (rm) */
    VOP_STORE_WORD,     /* (rm) element 0 */
    VOP_STORE_LONG,     /* (rm) element 0 */
    VOP_BROADCAST,      /* element 0 of a register or of memory to all elements */
    VOP_BROADCAST_LONG, /* like VOP_BROADCAST, with 64-bit elements */
    VOP_FADD,
    VOP_FSUB,
    VOP_FMUL,
    VOP_FDIV,
    VOP_FMIN, /* v < rm ? v : rm */
    VOP_FMAX, /* v > rm ? v : rm */
    VOP_FMA,  /* reg = v * reg + rm, rounded once */
    VOP_FSQRT,
    VOP_TRUNC,
    VOP_FLOOR,
    VOP_CEIL,
    VOP_ROUND_EVEN,
    VOP_INT_TO_FLOAT, /* of signed words */
    VOP_FLOAT_TO_INT, /* truncates; 0x80000000 if the result isn't a signed word */
    VOP_ROUND_TO_INT, /* rounds to nearest even; otherwise like VOP_FLOAT_TO_INT */
    VOP_FADD_LONG,
    VOP_FSUB_LONG,
    VOP_FMUL_LONG,
    VOP_FDIV_LONG,
    VOP_FMA_LONG,
    VOP_TRUNC_LONG,
    VOP_INT_TO_LONG_FLOAT,    /* signed words in the lower half of rm; memory: half a vector */
    VOP_NARROW_FLOAT,         /* doubles to floats in the lower half of reg */
    VOP_WIDEN_FLOAT,          /* floats in the lower half of rm to doubles; memory: half a vector */
    VOP_WIDEN_HALF_FLOAT,     /* half floats in the lower half of rm to floats */
    VOP_NARROW_TO_HALF_FLOAT, /* (rm) floats to half floats in the lower half; rounds to even */
    VOP_ADD,
    VOP_SUB,
    VOP_MUL,
    VOP_AND,
    VOP_OR,
    VOP_XOR,
    VOP_SMIN,
    VOP_SMAX,
    VOP_UMIN,
    VOP_UMAX,
    VOP_ABS,
    VOP_ADD_LONG,
    VOP_SUB_LONG,
    VOP_MUL_LONG, /* only if baseline_isa.longs, like VOP_SMIN_LONG to VOP_UMAX_LONG */
    VOP_AND_LONG,
    VOP_OR_LONG,
    VOP_XOR_LONG,
    VOP_SMIN_LONG,
    VOP_SMAX_LONG,
    VOP_UMIN_LONG,
    VOP_UMAX_LONG,
    VOP_MUL_SIGNED,   /* 64-bit products of the signed lower words of 64-bit elements */
    VOP_MUL_UNSIGNED, /* like VOP_MUL_SIGNED, for unsigned words */
    VOP_ADD_HALVES,
    VOP_SUB_HALVES,
    VOP_MUL_HALVES,
    VOP_UMIN_HALVES,
    VOP_MUL_ROUND_HALVES, /* (v * rm + 0x4000) >> 15, of signed elements */
    VOP_ADD_SATURATED_BYTES,
    /* Shifts by the immediate of baseline_op_imm, below the element's size. */
    VOP_SHIFT_LEFT,
    VOP_SHIFT_RIGHT,
    VOP_SHIFT_SIGNED, /* right, arithmetic */
    VOP_SHIFT_LEFT_LONG,
    VOP_SHIFT_RIGHT_LONG,
    VOP_SHIFT_SIGNED_LONG, /* only if baseline_isa.shifts_longs */
    VOP_SHIFT_LEFT_HALVES,
    VOP_SHIFT_RIGHT_HALVES,
    VOP_SHIFT_LEFT_EACH, /* words of v by those of rm, below 32, like all _EACH operations */
    VOP_SHIFT_RIGHT_EACH,
    VOP_SHIFT_SIGNED_EACH,
    VOP_WIDEN_BYTES,   /* unsigned bytes to words; memory: a quarter of a vector */
    VOP_WIDEN_HALVES,  /* unsigned 16 bits to words; memory: half a vector */
    VOP_WIDEN_WORDS,   /* unsigned words to 64 bits; memory: half a vector */
    VOP_WIDEN_SIGNED,  /* signed words to 64 bits; memory: half a vector */
    VOP_PACK_WORDS,    /* signed words of v, then rm, to 16 bits with unsigned saturation */
    VOP_PACK_HALVES,   /* signed 16 bits of v, then rm, to bytes with unsigned saturation */
    VOP_SHUFFLE_BYTES, /* in each 16 bytes, bytes of v at the indices rm; 0 if bit 7 is set */
    VOP_PERMUTE,       /* words of rm at the indices v modulo the lanes */
    VOP_PERMUTE_FOUR,  /* in each four words of rm, those at the four 2-bit indices (immediate) */
    VOP_INSERT_HALF,   /* v, where rm's lower half replaces the half that an immediate selects */
    VOP_EXTRACT_HALF,  /* (rm) the half of reg that an immediate selects */
    VOP_INSERT_FOUR,   /* like VOP_INSERT_HALF, with four words instead of a half */
    VOP_EXTRACT_FOUR,  /* (rm) like VOP_EXTRACT_HALF, with four words instead of a half */
    VOP_COUNT
};

/* Comparisons of floats. If an operand is NaN, UNORD and NE are true and the others are false;
 * otherwise UNORD is false. */
enum baseline_float_comparison {
    BASELINE_FLOAT_EQ,
    BASELINE_FLOAT_LT,
    BASELINE_FLOAT_UNORD,
    BASELINE_FLOAT_NE,
    BASELINE_FLOAT_GE,
    BASELINE_FLOAT_GT,
};

/*
 * Code generation for a CPU architecture: general registers, jumps, calls, and the sequences that
 * depend on the calling convention. Functions emit code unless the comment says otherwise.
 */
struct baseline_machine {
    /* See baseline_memory and baseline_registers. */
    void (*memory)(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                   unsigned base, int32_t disp);
    void (*registers)(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                      unsigned from);
    /* reg = element 0 of a vector register, 32 bits or, if wide, 64. */
    void (*element)(struct baseline *q, bool wide, unsigned reg, unsigned vector);
    /* Shifts a 32-bit register; the right shift is logical. */
    void (*shift_left)(struct baseline *q, unsigned reg, unsigned count);
    void (*shift_right)(struct baseline *q, unsigned reg, unsigned count);
    /* Inverts the bits of a 32-bit register. */
    void (*invert)(struct baseline *q, unsigned reg);
    /* 32-bit reg = (reg == 0) == zero ? all ones : 0. */
    void (*flag)(struct baseline *q, unsigned reg, bool zero);

    /* A forward jump. Jumps to the same target form a chain: `chain` is 0 or what the previous jump
     * of the chain returned. Returns the new chain, to be passed to `patch`. jump_if jumps if the
     * 32-bit register is zero or, if `zero` is false, if it isn't. */
    unsigned (*jump)(struct baseline *q, unsigned chain);
    unsigned (*jump_if)(struct baseline *q, unsigned reg, bool zero, unsigned chain);
    /* A forward call of code of the kernel, like jump. */
    unsigned (*call)(struct baseline *q, unsigned chain);
    /* Emits nothing; makes the jumps or calls of a chain target the end of the code. */
    void (*patch)(struct baseline *q, unsigned chain);
    /* Jumps to an earlier code offset; jump_back_if does so if the 32-bit register isn't zero. */
    void (*jump_back)(struct baseline *q, unsigned target);
    void (*jump_back_if)(struct baseline *q, unsigned reg, unsigned target);

    /* Zeroes `bytes` bytes, a multiple of 8, at frame offset `place`. Only for the start of the
     * function, when no register but REG_POOL, REG_FRAME and REG_ARGS has a value. */
    void (*clear_area)(struct baseline *q, int32_t place, uint64_t bytes);
    /* Acquire and release barrier: orders the memory accesses before and after it as other threads
     * see them, except that a load may precede an earlier store to other memory. */
    void (*barrier)(struct baseline *q);
    /* Calls the code that step_code emits later, for the instruction s. Clobbers REG_VALUE,
     * REG_OTHER, REG_LANES, REG_INDEX, the vector registers that hold no values, and the
     * condition. */
    void (*step_call)(struct baseline *q, const struct baseline_step *s);
    /* The code that all calls by step_call go to. It saves the vector registers that hold values to
     * the frame, the first one at offset `saved`, calls run and restores the registers. */
    void (*step_code)(struct baseline *q, baseline_step_fn *run, int32_t saved);
    /* The code that baseline_reduce calls for large angles. It calls `reduce` for the operands in
     * baseline.angles and preserves the vector registers that hold values, which it saves at frame
     * offset `saved`. There must be room for all vector registers there. */
    void (*reduction)(struct baseline *q, baseline_reduce_fn *reduce, int32_t saved);
    /* The kernel's entry: makes the frame, stores the start's time stamp at frame offset `since`
     * and, if the frame is on a stack of jit_stack.h, that stack's upper end at frame offset `top`.
     * Then jumps to the start of the code. Sets baseline.end. */
    void (*enter)(struct baseline *q, int32_t since, int32_t top);
    /* The kernel's end: adds the ticks since the start, at most BASELINE_CALL_TICKS, to *ticks,
     * releases the stack and returns. `since` and `top` are as for enter. The addition isn't
     * atomic: concurrent additions may be lost. */
    void (*leave)(struct baseline *q, int32_t since, int32_t top, uint64_t *ticks);
    /* Emits nothing; converts ticks of 2.5 GHz to those of the time stamps. */
    uint64_t (*ticks)(uint64_t ticks);
};

/* Integer comparison: EQUAL or LESS, with flags. Without BASELINE_SIGNED it is unsigned. */
enum baseline_comparison {
    BASELINE_EQUAL,
    BASELINE_LESS,
    BASELINE_NOT = 4,    /* flag: negates the comparison */
    BASELINE_SIGNED = 8, /* flag: LESS compares signed integers */
};

/*
 * Code generation for an instruction set. A register holds `lanes` 32-bit words. Instructions that
 * all instruction sets have are emitted with baseline_op; the functions below emit what differs.
 *
 * The condition is a dedicated register with a mask of lanes: the result of the last comparison or
 * a loaded boolean. Only the instructions that follow directly use it. `wide` means 64-bit
 * elements; a register then holds half of the lanes.
 *
 * "Clobbers" lists registers whose contents a function destroys; numbers are vector registers. A
 * function that an instruction set has no code for sets baseline.failed.
 */
struct baseline_isa {
    unsigned lanes;
    /* Vector registers first_reg … num_regs - 1 hold values. Lower ones are scratch within a NIR
     * instruction: 0 for a result that goes to memory, 1 to 3 for operands from memory. Mask
     * registers never hold values. */
    unsigned first_reg, num_regs;
    const struct baseline_machine *machine;
    enum code_length length; /* length of a full register */
    bool spreads;            /* instructions can broadcast an element in memory (CODE_BROADCAST) */
    const struct baseline_x86 *x86; /* encodings of x86-64, or NULL */

    /* See baseline_op and baseline_op_imm. Sets code.unsupported if there is no such operation. */
    void (*op)(struct baseline *q, enum baseline_vop op, enum code_length length, unsigned reg,
               unsigned v, struct code_operand rm);
    void (*op_imm)(struct baseline *q, enum baseline_vop op, enum code_length length, unsigned reg,
                   unsigned v, struct code_operand rm, unsigned immediate);
    /* Broadcasts the general register `from` to all elements of the vector register reg. */
    void (*broadcast_general)(struct baseline *q, bool wide, unsigned reg, unsigned from);

    /* Sets the condition from a lane mask in memory, a 32-bit word. */
    void (*load_condition)(struct baseline *q, bool wide, struct code_operand from);
    /* Sets the condition from a lane mask in the general register `bits`. */
    void (*set_condition)(struct baseline *q, bool wide, unsigned bits);
    /* Copies the condition to the general register `bits` as a lane mask. */
    void (*get_condition)(struct baseline *q, bool wide, unsigned bits);
    /* Sets the condition in lanes whose word in register `words` has bit number `bit` set. Only
     * blend, and choose without `zero`, may use this condition. */
    void (*test_bit)(struct baseline *q, unsigned words, unsigned bit);
    /* Sets the condition by comparing integers x and y. Returns true if the condition is then the
     * negation of the comparison. Clobbers 3. */
    bool (*compare)(struct baseline *q, enum baseline_comparison comparison, bool wide, unsigned x,
                    struct code_operand y);
    /* Sets the condition by comparing floats x and y; both are full vectors. */
    void (*compare_floats)(struct baseline *q, enum baseline_float_comparison comparison, bool wide,
                           unsigned x, struct code_operand y);

    /* reg = condition ? rm : (zero ? 0 : reg), on 32-bit words. */
    void (*choose)(struct baseline *q, enum code_length length, unsigned reg,
                   struct code_operand rm, bool zero);
    /* reg = condition ? rm : other. */
    void (*blend)(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  unsigned other, struct code_operand rm);
    /* Stores the lanes of reg selected by the condition. Clobbers REG_INDEX with NEON. With SSE4.1,
     * clobbers REG_OTHER, REG_INDEX and, if REG_OTHER is the base of `to`, REG_VALUE. */
    void (*store)(struct baseline *q, bool wide, enum code_length length, unsigned reg,
                  struct code_operand to);
    /* Gathers words to reg for the lanes of the condition; other lanes of reg keep their values.
     * from is CODE_INDEXED; its index is a vector of byte offsets. These have 32 bits or, if `far`,
     * 64 bits; with `far`, only the first half of the lanes is gathered. Clobbers REG_OTHER,
     * REG_LANES, REG_INDEX and the condition. */
    void (*gather)(struct baseline *q, bool far, unsigned reg, struct code_operand from);
    /* Scatters the words of reg, in lane order, for the lanes in the mask REG_LANES. to is like
     * `from` of gather, with 32-bit offsets. Preserves REG_LANES. Clobbers REG_OTHER, REG_INDEX and
     * the condition. */
    void (*scatter)(struct baseline *q, unsigned reg, struct code_operand to);

    /* Packs the low `bits` of each element of reg into the low part of `to`. Elements have 32 bits,
     * or 64 if bits is 32. Clobbers the condition. */
    void (*narrow)(struct baseline *q, unsigned bits, unsigned reg, unsigned to);
    /* Packs like narrow, with 8 or 16 bits, and stores the lanes of the condition to `to`. May
     * write the old contents of the other lanes, too. Clobbers 3 and the condition. */
    void (*store_narrow)(struct baseline *q, unsigned bits, unsigned reg, struct code_operand to);
    /* Sets lane 0 of register 1 to the word of reg in the first active lane; the other lanes are
     * undefined. Clobbers REG_VALUE and the condition. */
    void (*first_active)(struct baseline *q, unsigned reg);
    /* Sets each word of reg to an entry of a table: the words of `low`, then those of `high`. The
     * words of register `index`, modulo 2 × lanes, are the indices of the entries. reg and index
     * must differ. Clobbers 2 and the condition. */
    void (*look_up_two)(struct baseline *q, unsigned reg, unsigned index, struct code_operand low,
                        struct code_operand high);

    /* Converts the unsigned words of x to floats in reg. This function, float_to_unsigned and
     * count_leading_zeros clobber 2, 3 and the condition. */
    void (*unsigned_to_float)(struct baseline *q, enum code_length length, unsigned reg,
                              unsigned x);
    /* Converts the floats of x to unsigned words in reg, truncating. Results are unspecified for
     * floats outside the range of unsigned words. */
    void (*float_to_unsigned)(struct baseline *q, enum code_length length, unsigned reg,
                              unsigned x);
    /* Counts the leading zeros of the words of x; the result for 0 is 32. */
    void (*count_leading_zeros)(struct baseline *q, enum code_length length, unsigned reg,
                                unsigned x);
    bool longs;        /* has 64-bit multiply, minimum and maximum */
    bool shifts_longs; /* has 64-bit arithmetic right shift */
};

extern const struct baseline_isa baseline_sse, baseline_avx2, baseline_avx512, baseline_neon;

/* Maximum number of ticks, at 2.5 GHz, that are counted for one call of a kernel: longer calls were
 * probably preempted. */
#define BASELINE_CALL_TICKS (1u << 22)

#define BASELINE_MAX_REGS 32 /* vector registers of an instruction set */

/* A component of a def. A component of a divergent 64-bit def is two values, each with half of the
 * lanes. Booleans are masks, one bit per lane. */
struct baseline_value {
    bool vector;         /* has an element per lane; otherwise a scalar or a mask in the frame */
    int8_t reg;          /* register of a vector; -1 if it is in the frame */
    int32_t place;       /* byte offset in the frame; scalars and masks take 8 bytes */
    uint32_t start, end; /* live range: positions of the definition, and of the last use or of the
                            end of a loop around it */
};

/* A loop that is being emitted. */
struct baseline_loop {
    struct baseline_loop *outer;
    /* Code offset of the loop's start; chain of jumps to its end (baseline_machine.jump). */
    unsigned head, exits;
    bool divergent; /* lanes may leave the loop in different iterations */
    bool left;      /* divergent loops: a break or continue has been emitted */
    int32_t exec;   /* value of baseline.exec at the loop's entry */
    /* Divergent loops: frame offsets of the mask of lanes still in the loop, and of the mask of
     * those still in this iteration. */
    int32_t live, running;
};

/* Value of baseline.exec where all lanes are active. */
#define BASELINE_ALL_LANES (-1)

/* A source of a phi, which its predecessor copies. */
struct baseline_copy {
    nir_phi_instr *phi;
    nir_src *src;
};

/* State of generating one kernel. */
struct baseline {
    const struct baseline_isa *isa;
    const struct baseline_machine *machine;
    nir_shader *nir;
    void *mem_ctx; /* talloc context of temporary data */
    struct code_buffer code;
    DYNARRAY(uint8_t) pool;           /* constants; REG_POOL points to them at run time */
    struct hash_table *words, *longs; /* 32-bit and 64-bit constants → pool offset + 1 */
    DYNARRAY(int32_t)
    lane_constants;  /* pool offsets of constants with a word per lane */
    uint32_t *first; /* [nir_def.index]: index of the def's first value */
    int32_t *phi;    /* [value index]: frame offset where predecessors store a phi's value */
    DYNARRAY(struct baseline_value) values;
    /* Copies of block i: copy[first_copy[i]] … copy[first_copy[i + 1] - 1]. */
    struct baseline_copy *copy;
    uint32_t *first_copy;
    int32_t frame; /* bytes allocated in the frame */
    DYNARRAY(int32_t)
    free_masks;          /* frame offsets of masks that are no longer used */
    int32_t scratch;     /* frame offset of scratch memory, [32-bit slot][lane] */
    int32_t temporaries; /* frame offset of temporary 0 (baseline_temporary); 0: none */
    int32_t constants;   /* pool offset of the shader's constant data; -1: not in the pool yet */
    int32_t exec;        /* frame offset of the mask of active lanes, or BASELINE_ALL_LANES */
    struct baseline_loop *loop; /* innermost loop */
    unsigned reductions[2];     /* chains of calls: to the sine, the cosine reduction */
    int32_t angles[2];          /* frame offsets of the reductions' operands; 0: not allocated */
    unsigned entry, end; /* code offsets of the entry point and of the end of the instructions */
    bool failed;         /* the instruction that is being emitted isn't supported */
    bool too_large;      /* the frame doesn't fit on the largest stack (JIT_STACK_LARGE) */
    /* Calls of the interpreter (jit_baseline_step.c). */
    void *steps;                  /* talloc context of their struct baseline_step, or NULL */
    const uint8_t *constant_data; /* copy of the shader's constant data in that context, or NULL */
    unsigned step_calls;          /* chain of the calls */
    int32_t saved;                /* frame offset of the saved registers; 0: not allocated */
};

/* --- operands --- */
/* Returns whether each component of the def is two values: a divergent 64-bit def. */
bool baseline_is_pair(const nir_def *def);
/* Returns the value of a component; half (0 or 1) selects one of a pair. The def must not be a
 * constant or undefined (baseline_is_constant), because such defs have no values. */
struct baseline_value *baseline_value(struct baseline *q, const nir_def *def, unsigned component,
                                      unsigned half);
/* Returns a component as the rm operand of an instruction with elements of its size, 32 or 64 bits.
 * Smaller elements are zero-extended to 32 bits. half selects one value of a pair. */
struct code_operand baseline_operand(struct baseline *q, const nir_src *src, unsigned component,
                                     unsigned half);
/* Returns a boolean's mask in memory: a 32-bit word with a bit per lane and zeros above. All lanes'
 * bits of a uniform boolean are equal. */
struct code_operand baseline_mask(struct baseline *q, const nir_src *src, unsigned component);
/* Returns a 32-bit constant for all lanes, as an operand in the pool. */
struct code_operand baseline_constant(struct baseline *q, uint32_t word);
/* Returns a 64-bit constant for all elements, as an operand in the pool. */
struct code_operand baseline_long_constant(struct baseline *q, uint64_t value);
/* Returns a constant vector in the pool; words has one element per lane. */
struct code_operand baseline_lanes_constant(struct baseline *q, const uint32_t *words);
/* Returns the mask of all lanes in memory, for instructions on general registers. */
struct code_operand baseline_all_lanes(struct baseline *q);
/* Returns the mask of active lanes in memory. */
struct code_operand baseline_active_lanes(struct baseline *q);
/* Allocates bytes, a power of two, in the frame and returns their offset, aligned to their size.
 * Sets too_large if the frame becomes too large. */
int32_t baseline_take_frame(struct baseline *q, unsigned bytes);
/* Allocates any number of bytes in the frame and returns their offset, a multiple of 64. Sets
 * too_large if the frame becomes too large. */
int32_t baseline_take_area(struct baseline *q, uint64_t bytes);
#define BASELINE_ISA_TEMPORARY 4 /* this temporary and later ones are for struct baseline_isa */
#define BASELINE_TEMPORARIES   7 /* number of temporaries (baseline_temporary) */
/* Returns the frame offset of temporary i, below BASELINE_TEMPORARIES: a full vector for use within
 * one NIR instruction. */
int32_t baseline_temporary(struct baseline *q, unsigned i);
/* Returns the shader's constant data in memory. */
struct code_operand baseline_constant_data(struct baseline *q);
/* Returns whether the def is a constant or undefined. If so, stores the bits of a component in
 * *bits: 0 if the def is undefined. Otherwise leaves *bits alone. */
bool baseline_is_constant(const nir_def *def, unsigned component, uint64_t *bits);

/* --- code --- */
/* Emits a vector operation with the operands reg, v, rm; v is 0 if there is no such operand. */
void baseline_op(struct baseline *q, enum baseline_vop op, enum code_length length, unsigned reg,
                 unsigned v, struct code_operand rm);
/* Emits a vector operation with an immediate. */
void baseline_op_imm(struct baseline *q, enum baseline_vop op, enum code_length length,
                     unsigned reg, unsigned v, struct code_operand rm, unsigned immediate);
/* Returns the operation that broadcasts an element of 32 bits or, if wide, 64. */
static inline enum baseline_vop baseline_spread(bool wide)
{
    return wide ? VOP_BROADCAST_LONG : VOP_BROADCAST;
}
/* Returns the operand's register; loads it to `scratch` first if it is in memory. wide: 64-bit
 * elements. */
unsigned baseline_in_register(struct baseline *q, struct code_operand operand, unsigned scratch,
                              bool wide);
/* Makes an operand of 32-bit elements usable by instructions that can't broadcast: loads a
 * CODE_BROADCAST operand to `scratch` and returns that register; returns other operands
 * unchanged. */
struct code_operand baseline_whole(struct baseline *q, struct code_operand operand,
                                   unsigned scratch);
/* Returns the words of one half of the lanes as the rm operand of a widening instruction. Clobbers
 * `scratch`. */
struct code_operand baseline_half(struct baseline *q, struct code_operand operand, unsigned half,
                                  unsigned scratch);
/* Returns the register to compute a value in: 0 if the value is in the frame. Call baseline_settle
 * afterwards. */
unsigned baseline_target(const struct baseline_value *value);
/* Stores register 0 to the frame if the value is there: all elements of a vector, or element 0 for
 * a uniform value, which has 64 bits if `wide`, else 32. Otherwise emits nothing. */
void baseline_settle(struct baseline *q, const struct baseline_value *value, bool wide);
/* Sets a value from a general register, of which it uses 64 bits if `wide`, else 32; broadcasts it
 * if the value is a vector. */
void baseline_settle_general(struct baseline *q, const struct baseline_value *value, unsigned reg,
                             bool wide);
/* Sets a boolean from the mask in REG_VALUE. */
void baseline_settle_mask(struct baseline *q, const struct baseline_value *value);
/* Sets the condition from a mask in memory. half: 0, or 1 for the upper half of the lanes (the
 * second value of a pair). Clobbers REG_VALUE. */
void baseline_load_condition(struct baseline *q, bool wide, unsigned half,
                             struct code_operand from);
/* Like baseline_load_condition, for the mask of active lanes. */
void baseline_load_exec(struct baseline *q, bool wide, unsigned half);
/* Emits an operation on a general register and memory at [base + disp]. */
void baseline_memory(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                     unsigned base, int32_t disp);
/* Emits an operation on two general registers. */
void baseline_registers(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                        unsigned from);
/* Emits an operation on a general register and an operand in memory. If it is a load, the operand
 * may also be a vector register, whose element 0 is loaded. */
void baseline_general(struct baseline *q, bool wide, enum baseline_general_op op, unsigned reg,
                      struct code_operand operand);
/* Returns the stack that the frame needs. */
enum jit_stack baseline_stack(const struct baseline *q);

/* --- NIR instructions; set failed if one isn't supported --- */
void baseline_emit_alu(struct baseline *q, nir_alu_instr *alu);
void baseline_emit_intrinsic(struct baseline *q, nir_intrinsic_instr *intr);
/* Emits a call of the interpreter for an ALU instruction or intrinsic. Returns false if it doesn't
 * support the instruction either. */
bool baseline_emit_step(struct baseline *q, nir_instr *instr);
/* Emits the code that all calls of the interpreter share, after the body of the function. */
void baseline_emit_step_code(struct baseline *q);

/* --- multi-instruction operations; they clobber vector registers 1 to 3 and the condition. `to` is
 * the vector register for the result. --- */
/* to = op(x, y) on words, or 0 where y is 0; op is idiv, udiv, irem, imod or umod. */
void baseline_divide(struct baseline *q, nir_op op, unsigned to, struct code_operand x,
                     struct code_operand y);
/* Computes 64-bit products of the words in one half of the lanes. */
void baseline_multiply_half(struct baseline *q, bool is_signed, unsigned to, struct code_operand x,
                            struct code_operand y, unsigned half);
/* Computes the upper 32 bits of 64-bit products for all lanes. */
void baseline_multiply_high(struct baseline *q, bool is_signed, unsigned to, struct code_operand x,
                            struct code_operand y);
/* to = op(x, y) on 64-bit elements, for targets without such instructions; op is imul, imin, imax,
 * umin or umax. */
void baseline_long_binary(struct baseline *q, nir_op op, unsigned to, unsigned x, unsigned y);
/* to = op(x, small); op is freduce_sin or freduce_cos: reduces large angles x, returns `small` for
 * other x (nir_math_reduce_angle). Clobbers REG_VALUE, REG_OTHER, REG_LANES, REG_INDEX and, on
 * x86-64, R8 to R11. */
void baseline_reduce(struct baseline *q, nir_op op, unsigned to, struct code_operand x,
                     struct code_operand small);
/* Emits the functions that baseline_reduce calls. Call it after emitting the kernel's body. */
void baseline_emit_reductions(struct baseline *q);
/* Decodes sRGB bytes 0 and 2 or, if odd, 1 and 3 of each word, like jit_decode_srgb. */
void baseline_decode_srgb(struct baseline *q, unsigned to, struct code_operand words, bool odd);

#endif
