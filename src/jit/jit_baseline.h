/* SPDX-License-Identifier: MIT */
/* Shared by the files of the baseline code generator; its ideas are told in jit_baseline.c. */
#ifndef JIT_BASELINE_H
#define JIT_BASELINE_H

#include "jit/jit_private.h"
#include "jit/jit_x86.h"

struct hash_table;

struct baseline;

/* How integers are compared; without the flags, unsigned ones. */
enum baseline_comparison {
    BASELINE_EQUAL,
    BASELINE_LESS,
    BASELINE_NOT = 4, /* the opposite of one of these */
    BASELINE_SIGNED = 8,
};

/*
 * An instruction set: vectors of `lanes` words fill its registers. What is alike in both goes by
 * the name that x86 gives it (baseline_op).
 *
 * The condition is what the last comparison found, or a boolean that was loaded: a mask of lanes in
 * a register of its own, for the instructions that follow at once. wide: its elements are of 64
 * bits, the first half of the lanes.
 */
struct baseline_isa {
    unsigned lanes;
    /* Registers of vectors below first_reg hold nothing from one NIR instruction to the next: 0 a
     * result that goes to memory, 1 to 3 operands from there. Of masks none does. */
    unsigned first_reg, num_regs;
    enum x86_length length; /* of a register */
    bool spreads;           /* instructions take an element in memory for all lanes (X86_EACH) */
    unsigned condition;     /* the register where comparisons of floats leave it */
    uint32_t spread[2];     /* operations: an element of 32 or 64 bits to all */
    uint32_t insert_half, extract_half;

    /* x86_evex or x86_vex. Shifts by an immediate may read from memory. */
    void (*op)(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
               struct x86_operand rm);
    void (*spread_general)(struct baseline *q, bool wide, unsigned reg, enum x86_register from);

    /* The condition = bits in memory (32 of them), or in a register; the bits of it. */
    void (*load_condition)(struct baseline *q, bool wide, struct x86_operand from);
    void (*set_condition)(struct baseline *q, bool wide, enum x86_register bits);
    void (*get_condition)(struct baseline *q, bool wide, enum x86_register bits);
    /* A bit of words. For `choose` without zero. */
    void (*test_bit)(struct baseline *q, unsigned words, unsigned bit);
    /* May use register 3. True: the condition is the opposite. */
    bool (*compare)(struct baseline *q, enum baseline_comparison comparison, bool wide, unsigned x,
                    struct x86_operand y);

    /* reg = the condition ? rm : reg, or 0; of words. */
    void (*choose)(struct baseline *q, enum x86_length length, unsigned reg, struct x86_operand rm,
                   bool zero);
    /* reg = the condition ? rm : other */
    void (*blend)(struct baseline *q, bool wide, enum x86_length length, unsigned reg,
                  unsigned other, struct x86_operand rm);
    /* The lanes of the condition, to memory. */
    void (*store)(struct baseline *q, bool wide, enum x86_length length, unsigned reg,
                  struct x86_operand to);
    /* Of words, by the operation for their addresses; the condition is lost. Other lanes stay. */
    void (*gather)(struct baseline *q, uint32_t op, unsigned reg, struct x86_operand from);
    /* reg's words, of the lanes in RDX, which stays, in order. RCX and RSI are lost. */
    void (*scatter)(struct baseline *q, unsigned reg, struct x86_operand to);

    /* The low `bits` of each element, one behind the other. */
    void (*narrow)(struct baseline *q, unsigned bits, unsigned reg, unsigned to);
    /* The same of the lanes of the condition, which is lost, to memory; register 3 is lost. */
    void (*store_narrow)(struct baseline *q, unsigned bits, unsigned reg, struct x86_operand to);
    /* 1 = reg, with its first active lane's word first */
    void (*first_active)(struct baseline *q, unsigned reg);
    /* reg = words of a table of two vectors. 2 and the condition are lost. */
    void (*look_up_two)(struct baseline *q, unsigned reg, unsigned index, struct x86_operand low,
                        struct x86_operand high);

    /* Of words. 2, 3 and the condition are lost. */
    void (*unsigned_to_float)(struct baseline *q, enum x86_length length, unsigned reg, unsigned x);
    void (*float_to_unsigned)(struct baseline *q, enum x86_length length, unsigned reg,
                              unsigned x); /* of numbers in range */
    void (*count_leading_zeros)(struct baseline *q, enum x86_length length, unsigned reg,
                                unsigned x);
    bool longs; /* instructions for elements of 64 bits: products, minima, shifts of signed ones */
};

extern const struct baseline_isa baseline_avx2, baseline_avx512;

#define BASELINE_MAX_REGS 32

/* A component of a def; of 64 bits and divergent, the first or last half of the lanes of one. */
struct baseline_value {
    bool vector; /* of all lanes: in `reg`, or if that is -1 in the frame */
    int8_t reg;
    int32_t place;       /* in the frame; of masks, and of what is no vector, 8 bytes */
    uint32_t start, end; /* of a vector: where it is made and last read, in the order of the code */
};

struct baseline_loop {
    struct baseline_loop *outer;
    unsigned head, exits; /* place in the code; chain of jumps */
    bool divergent;
    bool left;    /* divergent: there was a jump */
    int32_t exec; /* where the loop is entered */
    int32_t live,
        running; /* masks in the frame: lanes that have not left; of those, that have not continued */
};

#define BASELINE_ALL_LANES (-1)

struct baseline {
    const struct baseline_isa *isa;
    nir_shader *nir;
    void *mem_ctx;
    struct x86_code code;
    DYNARRAY(uint8_t) pool;           /* constants; their address is in RBX */
    struct hash_table *words, *longs; /* of what is there: offsets + 1 */
    DYNARRAY(int32_t) lane_constants; /* offsets there of those with a word for each lane */
    uint32_t *first;                  /* [nir_def.index]: its first value */
    int32_t *phi; /* [value]: of phis, where predecessors leave what becomes it */
    DYNARRAY(struct baseline_value) values;
    int32_t frame; /* bytes of it that are taken */
    int32_t exec;  /* mask of active lanes, in the frame; or BASELINE_ALL_LANES */
    struct baseline_loop *loop;
    unsigned entry, end; /* of the function: places in the code */
    bool failed;         /* something that only LLVM does */
};

/* --- operands --- */
bool baseline_is_pair(const nir_def *def); /* its components are two values each */
struct baseline_value *baseline_value(struct baseline *q, const nir_def *def, unsigned component,
                                      unsigned half);
/* A component as the last operand of an instruction with elements of its size, 32 or 64 bits; what
 * has fewer is in 32, above it zeros. half: of a pair. */
struct x86_operand baseline_operand(struct baseline *q, const nir_src *src, unsigned component,
                                    unsigned half);
/* Where a mask is: a bit for each lane, of uniform booleans all alike, and zeros up to 32. */
struct x86_operand baseline_mask(struct baseline *q, const nir_src *src, unsigned component);
struct x86_operand baseline_constant(struct baseline *q, uint32_t word);
struct x86_operand baseline_long_constant(struct baseline *q, uint64_t value);
/* A word for each lane. */
struct x86_operand baseline_lanes_constant(struct baseline *q, const uint32_t *words);
/* The mask of all lanes, for instructions with general registers. */
struct x86_operand baseline_all_lanes(struct baseline *q);
struct x86_operand baseline_active_lanes(struct baseline *q);
int32_t baseline_take_frame(struct baseline *q, unsigned bytes);

/* --- code --- */
/* op's last operand is rm; with an immediate byte. */
void baseline_op(struct baseline *q, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
                 struct x86_operand rm);
void baseline_op_imm(struct baseline *q, uint32_t op, enum x86_length length, unsigned reg,
                     unsigned v, struct x86_operand rm, unsigned immediate);
/* The operand in a register: its own, or `scratch`, into which it is loaded. */
unsigned baseline_in_register(struct baseline *q, struct x86_operand operand, unsigned scratch,
                              bool wide);
/* An operand of instructions that cannot spread an element: loaded if it is one. */
struct x86_operand baseline_whole(struct baseline *q, struct x86_operand operand, unsigned scratch);
/* A half of the lanes' words, as the last operand of an instruction of the whole length. */
struct x86_operand baseline_half(struct baseline *q, struct x86_operand operand, unsigned half,
                                 unsigned scratch);
/* The register to compute a value in; baseline_settle then stores it where the value is in memory.
 * */
unsigned baseline_target(const struct baseline_value *value);
void baseline_settle(struct baseline *q, const struct baseline_value *value, bool wide);
/* What is in a general register becomes the uniform value. */
void baseline_settle_general(struct baseline *q, const struct baseline_value *value,
                             enum x86_register reg, bool wide);
/* What is in RAX becomes the boolean. */
void baseline_settle_mask(struct baseline *q, const struct baseline_value *value);
/* The condition = a boolean, or active lanes; half: of the lanes, where a half of a pair is next.
 * */
void baseline_load_condition(struct baseline *q, bool wide, unsigned half, struct x86_operand from);
void baseline_load_exec(struct baseline *q, bool wide, unsigned half);
/* reg >>= count */
void baseline_shift_right(struct baseline *q, enum x86_register reg, unsigned count);
/* general register = [operand]; opcodes of x86_memory. From vector registers only those that load.
 * */
void baseline_general(struct baseline *q, bool wide, unsigned opcode, enum x86_register reg,
                      struct x86_operand operand);
#define BASELINE_LOAD        0x8b
#define BASELINE_STORE       0x89
#define BASELINE_LOAD_SIGNED 0x63 /* a word as a long */
#define BASELINE_AND         0x23
#define BASELINE_OR          0x0b
#define BASELINE_XOR         0x33

#define BASELINE_MOVE      X86_OP(1, 2, 0, 0x6f) /* vmovdqu32 */
#define BASELINE_MOVE_BACK X86_OP(1, 2, 0, 0x7f) /* rm = reg */
#define BASELINE_SPREAD    X86_OP(2, 1, 0, 0x58) /* vpbroadcastd */
#define BASELINE_BIT_AND   X86_OP(1, 1, 0, 0xdb) /* vpand(d) */
#define BASELINE_BIT_XOR   X86_OP(1, 1, 0, 0xef)
#define BASELINE_SHIFT     X86_OP(1, 1, 0, 0x72) /* by an immediate; reg: 2 right, 4 signed, 6 left */
#define BASELINE_PERMUTE   X86_OP(2, 1, 0, 0x36) /* vpermd: rm's words that v says */

/* --- parts: one instruction each --- */
void baseline_emit_alu(struct baseline *q, nir_alu_instr *alu);
void baseline_emit_intrinsic(struct baseline *q, nir_intrinsic_instr *intr);

/* --- operations of many instructions; registers 1 to 3 and the condition are lost --- */
/* to = idiv, udiv, irem, imod or umod of words. */
void baseline_divide(struct baseline *q, nir_op op, unsigned to, struct x86_operand x,
                     struct x86_operand y);
/* Products of 64 bits of a half of the lanes, and the upper words of products. */
void baseline_multiply_half(struct baseline *q, bool is_signed, unsigned to, struct x86_operand x,
                            struct x86_operand y, unsigned half);
void baseline_multiply_high(struct baseline *q, bool is_signed, unsigned to, struct x86_operand x,
                            struct x86_operand y);
/* Elements of 64 bits where there is no instruction: imul, imin, imax, umin or umax. */
void baseline_long_binary(struct baseline *q, nir_op op, unsigned to, unsigned x, unsigned y);
/* util_srgb_half of bytes 0 and 2 of words, or of bytes 1 and 3. */
void baseline_decode_srgb(struct baseline *q, unsigned to, struct x86_operand words, bool odd);

#endif
