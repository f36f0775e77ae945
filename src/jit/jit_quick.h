/* SPDX-License-Identifier: MIT */
/* Shared by the files of the quick code generator; its ideas are told in jit_quick.c. */
#ifndef JIT_QUICK_H
#define JIT_QUICK_H

#include "jit/jit_private.h"
#include "jit/jit_x86.h"

struct hash_table;

struct quick;

/* How integers are compared; without the flags, unsigned ones. */
enum quick_comparison {
    QUICK_EQUAL,
    QUICK_LESS,
    QUICK_NOT = 4, /* the opposite of one of these */
    QUICK_SIGNED = 8,
};

/*
 * An instruction set: vectors of `lanes` words fill its registers. What is alike in both goes by the name
 * that x86 gives it (quick_op).
 *
 * The condition is what the last comparison found, or a boolean that was loaded: a mask of lanes in a register
 * of its own, for the instructions that follow at once. wide: its elements are of 64 bits, the first half
 * of the lanes.
 */
struct quick_isa {
    unsigned lanes;
    /* Registers of vectors below first_reg hold nothing from one NIR instruction to the next: 0 a result that
     * goes to memory, 1 to 3 operands from there. Of masks none does. */
    unsigned first_reg, num_regs;
    enum x86_length length; /* of a register */
    bool spreads;           /* instructions take an element in memory for all lanes (X86_EACH) */
    unsigned condition;     /* the register where comparisons of floats leave it */
    uint32_t spread[2];     /* operations: an element of 32 or 64 bits to all */
    uint32_t insert_half, extract_half;

    /* x86_evex or x86_vex. Shifts by an immediate may read from memory. */
    void (*op)(struct x86_code *code, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
               struct x86_operand rm);
    void (*spread_general)(struct quick *q, bool wide, unsigned reg, enum x86_register from);

    /* The condition = bits in memory (32 of them), or in a register; the bits of it. */
    void (*load_condition)(struct quick *q, bool wide, struct x86_operand from);
    void (*set_condition)(struct quick *q, bool wide, enum x86_register bits);
    void (*get_condition)(struct quick *q, bool wide, enum x86_register bits);
    /* A bit of words. For `choose` without zero. */
    void (*test_bit)(struct quick *q, unsigned words, unsigned bit);
    /* May use register 3. True: the condition is the opposite. */
    bool (*compare)(struct quick *q, enum quick_comparison comparison, bool wide, unsigned x,
                    struct x86_operand y);

    /* reg = the condition ? rm : reg, or 0; of words. */
    void (*choose)(struct quick *q, enum x86_length length, unsigned reg, struct x86_operand rm,
                   bool zero);
    /* reg = the condition ? rm : other */
    void (*blend)(struct quick *q, bool wide, enum x86_length length, unsigned reg, unsigned other,
                  struct x86_operand rm);
    /* The lanes of the condition, to memory. */
    void (*store)(struct quick *q, bool wide, enum x86_length length, unsigned reg,
                  struct x86_operand to);
    /* Of words, by the operation for their addresses; the condition is lost. Other lanes stay. */
    void (*gather)(struct quick *q, uint32_t op, unsigned reg, struct x86_operand from);
    /* reg's words, of the lanes in RDX, which stays, in order. RCX and RSI are lost. */
    void (*scatter)(struct quick *q, unsigned reg, struct x86_operand to);

    /* The low `bits` of each element, one behind the other. */
    void (*narrow)(struct quick *q, unsigned bits, unsigned reg, unsigned to);
    /* The same of the lanes of the condition, which is lost, to memory; register 3 is lost. */
    void (*store_narrow)(struct quick *q, unsigned bits, unsigned reg, struct x86_operand to);
    /* 1 = reg, with its first active lane's word first */
    void (*first_active)(struct quick *q, unsigned reg);
    /* reg = words of a table of two vectors. 2 and the condition are lost. */
    void (*look_up_two)(struct quick *q, unsigned reg, unsigned index, struct x86_operand low,
                        struct x86_operand high);

    /* Of words. 2, 3 and the condition are lost. */
    void (*unsigned_to_float)(struct quick *q, enum x86_length length, unsigned reg, unsigned x);
    void (*float_to_unsigned)(struct quick *q, enum x86_length length, unsigned reg,
                              unsigned x); /* of numbers in range */
    void (*count_leading_zeros)(struct quick *q, enum x86_length length, unsigned reg, unsigned x);
    bool longs; /* instructions for elements of 64 bits: products, minima, shifts of signed ones */
};

extern const struct quick_isa quick_avx2, quick_avx512;

#define QUICK_MAX_REGS 32

/* A component of a def; of 64 bits and divergent, the first or last half of the lanes of one. */
struct quick_value {
    bool vector; /* of all lanes: in `reg`, or if that is -1 in the frame */
    int8_t reg;
    int32_t place;       /* in the frame; of masks, and of what is no vector, 8 bytes */
    uint32_t start, end; /* of a vector: where it is made and last read, in the order of the code */
};

struct quick_loop {
    struct quick_loop *outer;
    unsigned head, exits; /* place in the code; chain of jumps */
    bool divergent;
    bool left;    /* divergent: there was a jump */
    int32_t exec; /* where the loop is entered */
    int32_t live,
        running; /* masks in the frame: lanes that have not left; of those, that have not continued */
};

#define QUICK_ALL_LANES (-1)

struct quick {
    const struct quick_isa *isa;
    nir_shader *nir;
    void *mem_ctx;
    struct x86_code code;
    DYNARRAY(uint8_t) pool;           /* constants; their address is in RBX */
    struct hash_table *words, *longs; /* of what is there: offsets + 1 */
    DYNARRAY(int32_t) lane_constants; /* offsets there of those with a word for each lane */
    uint32_t *first;                  /* [nir_def.index]: its first value */
    int32_t *phi; /* [value]: of phis, where predecessors leave what becomes it */
    DYNARRAY(struct quick_value) values;
    int32_t frame; /* bytes of it that are taken */
    int32_t exec;  /* mask of active lanes, in the frame; or QUICK_ALL_LANES */
    struct quick_loop *loop;
    unsigned entry, end; /* of the function: places in the code */
    bool failed;         /* something that only LLVM does */
};

/* --- operands --- */
bool quick_is_pair(const nir_def *def); /* its components are two values each */
struct quick_value *quick_value(struct quick *q, const nir_def *def, unsigned component,
                                unsigned half);
/* A component as the last operand of an instruction with elements of its size, 32 or 64 bits; what has
 * fewer is in 32, above it zeros. half: of a pair. */
struct x86_operand quick_operand(struct quick *q, const nir_src *src, unsigned component,
                                 unsigned half);
/* Where a mask is: a bit for each lane, of uniform booleans all alike, and zeros up to 32. */
struct x86_operand quick_mask(struct quick *q, const nir_src *src, unsigned component);
struct x86_operand quick_constant(struct quick *q, uint32_t word);
struct x86_operand quick_long_constant(struct quick *q, uint64_t value);
/* A word for each lane. */
struct x86_operand quick_lanes_constant(struct quick *q, const uint32_t *words);
/* The mask of all lanes, for instructions with general registers. */
struct x86_operand quick_all_lanes(struct quick *q);
struct x86_operand quick_active_lanes(struct quick *q);
int32_t quick_take_frame(struct quick *q, unsigned bytes);

/* --- code --- */
/* op's last operand is rm; with an immediate byte. */
void quick_op(struct quick *q, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
              struct x86_operand rm);
void quick_op_imm(struct quick *q, uint32_t op, enum x86_length length, unsigned reg, unsigned v,
                  struct x86_operand rm, unsigned immediate);
/* The operand in a register: its own, or `scratch`, into which it is loaded. */
unsigned quick_in_register(struct quick *q, struct x86_operand operand, unsigned scratch,
                           bool wide);
/* An operand of instructions that cannot spread an element: loaded if it is one. */
struct x86_operand quick_whole(struct quick *q, struct x86_operand operand, unsigned scratch);
/* A half of the lanes' words, as the last operand of an instruction of the whole length. */
struct x86_operand quick_half(struct quick *q, struct x86_operand operand, unsigned half,
                              unsigned scratch);
/* The register to compute a value in; quick_settle then stores it where the value is in memory. */
unsigned quick_target(const struct quick_value *value);
void quick_settle(struct quick *q, const struct quick_value *value, bool wide);
/* What is in a general register becomes the uniform value. */
void quick_settle_general(struct quick *q, const struct quick_value *value, enum x86_register reg,
                          bool wide);
/* What is in RAX becomes the boolean. */
void quick_settle_mask(struct quick *q, const struct quick_value *value);
/* The condition = a boolean, or active lanes; half: of the lanes, where a half of a pair is next. */
void quick_load_condition(struct quick *q, bool wide, unsigned half, struct x86_operand from);
void quick_load_exec(struct quick *q, bool wide, unsigned half);
/* reg >>= count */
void quick_shift_right(struct quick *q, enum x86_register reg, unsigned count);
/* general register = [operand]; opcodes of x86_memory. From vector registers only those that load. */
void quick_general(struct quick *q, bool wide, unsigned opcode, enum x86_register reg,
                   struct x86_operand operand);
#define QUICK_LOAD        0x8b
#define QUICK_STORE       0x89
#define QUICK_LOAD_SIGNED 0x63 /* a word as a long */
#define QUICK_AND         0x23
#define QUICK_OR          0x0b
#define QUICK_XOR         0x33

#define QUICK_MOVE      X86_OP(1, 2, 0, 0x6f) /* vmovdqu32 */
#define QUICK_MOVE_BACK X86_OP(1, 2, 0, 0x7f) /* rm = reg */
#define QUICK_SPREAD    X86_OP(2, 1, 0, 0x58) /* vpbroadcastd */
#define QUICK_BIT_AND   X86_OP(1, 1, 0, 0xdb) /* vpand(d) */
#define QUICK_BIT_XOR   X86_OP(1, 1, 0, 0xef)
#define QUICK_SHIFT     X86_OP(1, 1, 0, 0x72) /* by an immediate; reg: 2 right, 4 signed, 6 left */
#define QUICK_PERMUTE   X86_OP(2, 1, 0, 0x36) /* vpermd: rm's words that v says */

/* --- parts: one instruction each --- */
void quick_emit_alu(struct quick *q, nir_alu_instr *alu);
void quick_emit_intrinsic(struct quick *q, nir_intrinsic_instr *intr);

/* --- operations of many instructions; registers 1 to 3 and the condition are lost --- */
/* to = idiv, udiv, irem, imod or umod of words. */
void quick_divide(struct quick *q, nir_op op, unsigned to, struct x86_operand x,
                  struct x86_operand y);
/* Products of 64 bits of a half of the lanes, and the upper words of products. */
void quick_multiply_half(struct quick *q, bool is_signed, unsigned to, struct x86_operand x,
                         struct x86_operand y, unsigned half);
void quick_multiply_high(struct quick *q, bool is_signed, unsigned to, struct x86_operand x,
                         struct x86_operand y);
/* Elements of 64 bits where there is no instruction: imul, imin, imax, umin or umax. */
void quick_long_binary(struct quick *q, nir_op op, unsigned to, unsigned x, unsigned y);
/* util_srgb_half of bytes 0 and 2 of words, or of bytes 1 and 3. */
void quick_decode_srgb(struct quick *q, unsigned to, struct x86_operand words, bool odd);

#endif
