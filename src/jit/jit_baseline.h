/* SPDX-License-Identifier: MIT */
/* Declarations shared by the files of the baseline code generator; jit_baseline.c describes its
 * design. */
#ifndef JIT_BASELINE_H
#define JIT_BASELINE_H

#include "jit/jit_private.h"
#include "jit/jit_x86.h"

struct hash_table;

struct baseline;

/* Integer comparison: EQUAL or LESS, with flags. Without BASELINE_SIGNED it is unsigned. */
enum baseline_comparison {
    BASELINE_EQUAL,
    BASELINE_LESS,
    BASELINE_NOT = 4, /* negates the comparison */
    BASELINE_SIGNED = 8,
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
    enum x86_length length; /* length of a full register */
    bool legacy;            /* no instruction may have a VEX or EVEX prefix */
    bool spreads;           /* instructions can broadcast an element in memory (X86_BROADCAST) */
    unsigned condition;     /* register of the condition, the target of float comparisons */
    /* X86_OP encodings: broadcasts of a 32-bit and of a 64-bit element; insertion and extraction of
     * the half of a register that an immediate selects. */
    uint32_t spread[2];
    uint32_t insert_half, extract_half;

    /* Emits an instruction by x86_evex, x86_vex or x86_sse. Shifts by an immediate may have a
     * memory operand. */
    void (*op)(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
               struct x86_operand rm);
    /* Emits an instruction with an immediate byte. NULL if the byte just follows what op emits. */
    void (*op_imm)(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg,
                   unsigned v, struct x86_operand rm, unsigned immediate);
    /* Broadcasts a general register to all elements of reg. */
    void (*broadcast_general)(struct baseline *q, bool wide, unsigned reg, enum x86_register from);

    /* Sets the condition from a lane mask in memory, a 32-bit word. */
    void (*load_condition)(struct baseline *q, bool wide, struct x86_operand from);
    /* Sets the condition from a lane mask in a general register. */
    void (*set_condition)(struct baseline *q, bool wide, enum x86_register bits);
    /* Copies the condition to a general register as a lane mask. */
    void (*get_condition)(struct baseline *q, bool wide, enum x86_register bits);
    /* Sets the condition in lanes whose word in register `words` has bit number `bit` set. Only
     * blend, and choose without `zero`, may use this condition. */
    void (*test_bit)(struct baseline *q, unsigned words, unsigned bit);
    /* Sets the condition by comparing integers x and y. Returns true if it is the negated result.
     * Clobbers 3. */
    bool (*compare)(struct baseline *q, enum baseline_comparison comparison, bool wide, unsigned x,
                    struct x86_operand y);

    /* reg = condition ? rm : (zero ? 0 : reg), on 32-bit words. */
    void (*choose)(struct baseline *q, enum x86_length length, unsigned reg, struct x86_operand rm,
                   bool zero);
    /* reg = condition ? rm : other. */
    void (*blend)(struct baseline *q, bool wide, enum x86_length length, unsigned reg,
                  unsigned other, struct x86_operand rm);
    /* Stores the lanes of reg selected by the condition. With SSE4.1, clobbers RCX, RSI and, if RCX
     * is the base of `to`, RAX. */
    void (*store)(struct baseline *q, bool wide, enum x86_length length, unsigned reg,
                  struct x86_operand to);
    /* Gathers words to reg for the lanes of the condition; other lanes of reg keep their values. op
     * is the gather instruction for 32-bit or 64-bit offsets. from is X86_INDEXED; its index is a
     * vector of byte offsets. Clobbers RCX, RDX, RSI and the condition. */
    void (*gather)(struct baseline *q, uint32_t op, unsigned reg, struct x86_operand from);
    /* Scatters the words of reg, in lane order, for the lanes in the mask RDX. to is like `from` of
     * gather, with 32-bit offsets. Preserves RDX. Clobbers RCX, RSI and the condition. */
    void (*scatter)(struct baseline *q, unsigned reg, struct x86_operand to);

    /* Packs the low `bits` of each element of reg into the low part of `to`. Elements have 32 bits,
     * or 64 if bits is 32. Clobbers the condition. */
    void (*narrow)(struct baseline *q, unsigned bits, unsigned reg, unsigned to);
    /* Packs like narrow and stores the lanes of the condition. May write the old contents of the
     * other lanes, too. Clobbers 3 and the condition. */
    void (*store_narrow)(struct baseline *q, unsigned bits, unsigned reg, struct x86_operand to);
    /* Sets lane 0 of register 1 to the word of reg in the first active lane; the other lanes are
     * undefined. Clobbers RAX and the condition. */
    void (*first_active)(struct baseline *q, unsigned reg);
    /* Looks up words in a table of 2 × lanes entries, `low` followed by `high`. reg and index must
     * differ. Clobbers 2 and the condition. */
    void (*look_up_two)(struct baseline *q, unsigned reg, unsigned index, struct x86_operand low,
                        struct x86_operand high);

    /* Converts unsigned words to floats. This function and the next two clobber 2, 3 and the
     * condition. */
    void (*unsigned_to_float)(struct baseline *q, enum x86_length length, unsigned reg, unsigned x);
    /* Converts floats in the range of unsigned words, truncating. */
    void (*float_to_unsigned)(struct baseline *q, enum x86_length length, unsigned reg, unsigned x);
    /* Counts leading zeros of words; the result for 0 is 32. */
    void (*count_leading_zeros)(struct baseline *q, enum x86_length length, unsigned reg,
                                unsigned x);
    bool longs; /* has 64-bit multiply, minimum, maximum and arithmetic right shift */
};

extern const struct baseline_isa baseline_sse, baseline_avx2, baseline_avx512;

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
    /* Code offset of the loop's start; chain of jumps to its end (x86_jump). */
    unsigned head, exits;
    bool divergent;
    bool left;    /* divergent loops: a break or continue has been emitted */
    int32_t exec; /* value of baseline.exec at the loop's entry */
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
    nir_shader *nir;
    void *mem_ctx;
    struct x86_code code;
    DYNARRAY(uint8_t) pool;           /* constants; RBX points to them at run time */
    struct hash_table *words, *longs; /* 32-bit and 64-bit constants: pool offset + 1 */
    DYNARRAY(int32_t) lane_constants; /* pool offsets of constants with a word per lane */
    uint32_t *first;                  /* [nir_def.index]: index of the def's first value */
    int32_t *phi; /* [value index]: frame offset where predecessors store a phi's value */
    DYNARRAY(struct baseline_value) values;
    /* Copies of block i: copy[first_copy[i]] … copy[first_copy[i + 1] - 1]. */
    struct baseline_copy *copy;
    uint32_t *first_copy;
    int32_t frame;                /* bytes allocated in the frame */
    DYNARRAY(int32_t) free_masks; /* frame offsets of masks that are no longer used */
    int32_t scratch;              /* frame offset of scratch memory, [32-bit slot][lane] */
    int32_t temporaries;          /* frame offset of temporary 0 (baseline_temporary); 0: none */
    int32_t constants;            /* pool offset of the shader's constant data, or -1 */
    int32_t exec; /* frame offset of the mask of active lanes, or BASELINE_ALL_LANES */
    struct baseline_loop *loop; /* innermost loop */
    unsigned reductions[2];     /* chains of calls (x86_call): to the sine, the cosine reduction */
    int32_t angles[2];          /* frame offsets of the reductions' operands; 0: not allocated */
    unsigned entry, end; /* code offsets of the entry point and of the end of the instructions */
    bool failed;         /* the instruction that is being emitted isn't supported */
    bool too_large;      /* the frame doesn't fit on the largest stack (JIT_STACK_LARGE) */
    /* Calls of the interpreter (jit_baseline_step.c). */
    void *steps;                  /* talloc context of their struct baseline_step, or NULL */
    const uint8_t *constant_data; /* copy of the shader's constant data in that context, or NULL */
    unsigned step_calls;          /* chain of the calls (x86_call) */
    int32_t saved;                /* frame offset of the saved registers; 0: not allocated */
};

/* --- operands --- */
/* Returns whether each component of the def is two values: a divergent 64-bit def. */
bool baseline_is_pair(const nir_def *def);
/* Returns the value of a component; half (0 or 1) selects one of a pair. */
struct baseline_value *baseline_value(struct baseline *q, const nir_def *def, unsigned component,
                                      unsigned half);
/* Returns a component as the rm operand of an instruction with elements of its size, 32 or 64 bits.
 * Smaller elements are zero-extended to 32 bits. half selects one value of a pair. */
struct x86_operand baseline_operand(struct baseline *q, const nir_src *src, unsigned component,
                                    unsigned half);
/* Returns a boolean's mask in memory: a 32-bit word with a bit per lane and zeros above. All lanes'
 * bits of a uniform boolean are equal. */
struct x86_operand baseline_mask(struct baseline *q, const nir_src *src, unsigned component);
/* Returns a 32-bit constant for all lanes. */
struct x86_operand baseline_constant(struct baseline *q, uint32_t word);
/* Returns a 64-bit constant for all elements. */
struct x86_operand baseline_long_constant(struct baseline *q, uint64_t value);
/* Returns a constant vector; words has one element per lane. */
struct x86_operand baseline_lanes_constant(struct baseline *q, const uint32_t *words);
/* Returns the mask of all lanes in memory, for instructions on general registers. */
struct x86_operand baseline_all_lanes(struct baseline *q);
/* Returns the mask of active lanes in memory. */
struct x86_operand baseline_active_lanes(struct baseline *q);
/* Allocates bytes, a power of two, in the frame and returns their offset, aligned to their size.
 * Sets too_large if the frame becomes too large. */
int32_t baseline_take_frame(struct baseline *q, unsigned bytes);
/* Allocates any number of bytes in the frame, aligned to 64. Sets too_large if the frame becomes
 * too large. */
int32_t baseline_take_area(struct baseline *q, uint64_t bytes);
/* Number of temporaries. The functions of baseline_isa use those from BASELINE_ISA_TEMPORARY on. */
#define BASELINE_ISA_TEMPORARY 4
#define BASELINE_TEMPORARIES   7
/* Returns the frame offset of temporary i: a full vector for use within one NIR instruction. */
int32_t baseline_temporary(struct baseline *q, unsigned i);
/* Returns the shader's constant data in memory. */
struct x86_operand baseline_constant_data(struct baseline *q);
/* Returns whether the def is a constant or undefined; stores the bits of a component in *bits. */
bool baseline_is_constant(const nir_def *def, unsigned component, uint64_t *bits);

/* --- code --- */
/* Emits a vector instruction with the operands reg, v, rm. */
void baseline_op(struct baseline *q, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
                 struct x86_operand rm);
/* Emits a vector instruction followed by an immediate byte. */
void baseline_op_imm(struct baseline *q, uint32_t op, enum x86_length length, unsigned reg,
                     unsigned v, struct x86_operand rm, unsigned immediate);
/* Returns the operand's register; loads it to `scratch` first if it is in memory. wide: 64-bit
 * elements. */
unsigned baseline_in_register(struct baseline *q, struct x86_operand operand, unsigned scratch,
                              bool wide);
/* Makes an operand usable by instructions that can't broadcast: loads an X86_BROADCAST to `scratch`
 * and returns that register; returns other operands unchanged. */
struct x86_operand baseline_whole(struct baseline *q, struct x86_operand operand, unsigned scratch);
/* Returns the words of one half of the lanes as the rm operand of a widening instruction. Clobbers
 * `scratch`. */
struct x86_operand baseline_half(struct baseline *q, struct x86_operand operand, unsigned half,
                                 unsigned scratch);
/* Returns the register to compute a value in: 0 if the value is in the frame. Call baseline_settle
 * afterwards. */
unsigned baseline_target(const struct baseline_value *value);
/* Stores register 0 to the frame if the value is there. */
void baseline_settle(struct baseline *q, const struct baseline_value *value, bool wide);
/* Sets a uniform value from a general register. */
void baseline_settle_general(struct baseline *q, const struct baseline_value *value,
                             enum x86_register reg, bool wide);
/* Sets a boolean from the mask in RAX. */
void baseline_settle_mask(struct baseline *q, const struct baseline_value *value);
/* Sets the condition from a mask in memory; half selects the lanes of one value of a pair. Clobbers
 * RAX. */
void baseline_load_condition(struct baseline *q, bool wide, unsigned half, struct x86_operand from);
/* Like baseline_load_condition, for the mask of active lanes. */
void baseline_load_exec(struct baseline *q, bool wide, unsigned half);
/* Emits reg >>= count, 32-bit and logical. */
void baseline_shift_right(struct baseline *q, enum x86_register reg, unsigned count);
/* Emits an instruction on a general register and an operand in memory; opcode as for x86_memory. If
 * the opcode is a load, the operand may also be a vector register, whose element 0 is loaded. */
void baseline_general(struct baseline *q, bool wide, unsigned opcode, enum x86_register reg,
                      struct x86_operand operand);
/* Opcodes for baseline_general. */
#define BASELINE_LOAD        0x8b
#define BASELINE_STORE       0x89
#define BASELINE_LOAD_SIGNED 0x63 /* sign-extends 32 bits to 64 */
#define BASELINE_AND         0x23
#define BASELINE_OR          0x0b
#define BASELINE_XOR         0x33

/* Opcodes for baseline_op and baseline_op_imm. */
#define BASELINE_MOVE      X86_OP(1, 2, 0, 0x6f) /* vmovdqu32 */
#define BASELINE_MOVE_BACK X86_OP(1, 2, 0, 0x7f) /* stores: rm = reg */
#define BASELINE_BROADCAST X86_OP(2, 1, 0, 0x58) /* vpbroadcastd */
#define BASELINE_BIT_AND   X86_OP(1, 1, 0, 0xdb) /* vpand(d) */
#define BASELINE_BIT_XOR   X86_OP(1, 1, 0, 0xef)
#define BASELINE_SHIFT     X86_OP(1, 1, 0, 0x72) /* reg 2: vpsrld, 4: vpsrad, 6: vpslld */
#define BASELINE_PERMUTE   X86_OP(2, 1, 0, 0x36) /* vpermd: words of rm at the indices v */

/* Emits a call of a C function. The stack pointer must be a multiple of 16. Clobbers what a
 * function may clobber (System V ABI, 3.2.1), which includes all vector registers. */
void baseline_emit_call(struct baseline *q, uintptr_t function);

/* --- NIR instructions; set failed if one isn't supported --- */
void baseline_emit_alu(struct baseline *q, nir_alu_instr *alu);
void baseline_emit_intrinsic(struct baseline *q, nir_intrinsic_instr *intr);
/* Emits a call of the interpreter for an ALU instruction or intrinsic. Returns false if it doesn't
 * support the instruction either. */
bool baseline_emit_step(struct baseline *q, nir_instr *instr);
/* Emits the code that all calls of the interpreter share, after the body of the function. */
void baseline_emit_step_code(struct baseline *q);

/* --- multi-instruction operations; they clobber registers 1 to 3 and the condition. `to` is the
 * vector register for the result. --- */
/* to = op(x, y) on words, or 0 where y is 0; op is idiv, udiv, irem, imod or umod. */
void baseline_divide(struct baseline *q, nir_op op, unsigned to, struct x86_operand x,
                     struct x86_operand y);
/* Computes 64-bit products of the words in one half of the lanes. */
void baseline_multiply_half(struct baseline *q, bool is_signed, unsigned to, struct x86_operand x,
                            struct x86_operand y, unsigned half);
/* Computes the upper 32 bits of 64-bit products for all lanes. */
void baseline_multiply_high(struct baseline *q, bool is_signed, unsigned to, struct x86_operand x,
                            struct x86_operand y);
/* to = op(x, y) on 64-bit elements, for targets without such instructions; op is imul, imin, imax,
 * umin or umax. */
void baseline_long_binary(struct baseline *q, nir_op op, unsigned to, unsigned x, unsigned y);
/* to = op(x, small); op is freduce_sin or freduce_cos: reduces large angles x, returns `small` for
 * other x (nir_math_reduce_angle). Clobbers RAX, RCX, RDX, RSI, R8 to R11. */
void baseline_reduce(struct baseline *q, nir_op op, unsigned to, struct x86_operand x,
                     struct x86_operand small);
/* Emits the functions that baseline_reduce calls. Call it after emitting the kernel's body. */
void baseline_emit_reductions(struct baseline *q);
/* Decodes sRGB bytes 0 and 2 or, if odd, 1 and 3 of each word, like jit_decode_srgb. */
void baseline_decode_srgb(struct baseline *q, unsigned to, struct x86_operand words, bool odd);

#endif
