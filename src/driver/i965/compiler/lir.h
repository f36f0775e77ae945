/* SPDX-License-Identifier: MIT */
/*
 * LIR, the low-level IR: EU instructions over virtual registers (VGRFs), one flat list per kernel.
 *
 * A VGRF consists of consecutive 32-byte registers. Component c of a 32-bit value is at byte
 * c * 4 * width. Control flow is represented by instructions (if, else, endif, do, while, break,
 * cont, halt), as in the hardware; lir_cfg.c derives blocks and edges. Most VGRFs hold SSA values
 * and are written once. The others are message payloads, which are written in parts, and NIR
 * registers.
 *
 * All memory belongs to lir_program, which is a talloc context. Code that uses a program runs in an
 * attempt (util/memory.h). A program must not be accessed by several threads at once.
 */
#ifndef LIR_H
#define LIR_H

#include "driver/i965/i965_compiler.h"
#include "util/bitset.h"
#include "util/dynarray.h"
#include "util/list.h"

enum { LIR_REG_SIZE = 32 }; /* bytes */

/* Where an operand is. */
enum lir_file {
    LIR_BAD, /* No operand. */
    LIR_VGRF,
    LIR_GRF, /* A payload register; read-only. */
    LIR_ARF, /* nr is enum eu_arf plus instance. */
    LIR_IMM,
};

/* An operand. */
struct lir_reg {
    uint8_t file;   /* enum lir_file */
    uint8_t type;   /* enum eu_type */
    uint8_t stride; /* Elements between channels; 0: all channels read one element. */
    bool negate, abs;
    bool region; /* Source region is <vstride;width,hstride>; stride is ignored. */
    uint8_t vstride, width, hstride;
    uint32_t nr;       /* Index of the VGRF, GRF or ARF. */
    uint32_t offset;   /* Bytes from the start of register nr. */
    uint32_t imm;      /* LIR_IMM: raw bits. */
    uint32_t imm_high; /* LIR_IMM of 64 bits: the upper half. */
};

/* Opcodes in addition to enum eu_opcode that are not EU instructions. */
enum lir_op {
    LIR_OP_DO = 0x100, /* Start of a loop; emits no code. */
    LIR_OP_UNDEF,      /* The rlen registers at dst become undefined; emits no code. */
    LIR_OP_BROADCAST, /* dst (a scalar) = src[0] of the channel whose index is src[1] (a scalar). */
    /* dst = dword (src[1] mod (8 * rlen)) of the rlen registers at src[0]. rlen is a power of two;
     * exec_size is 8. */
    LIR_OP_GATHER,
    LIR_OP_HALT_TARGET, /* Where halted channels resume. */
};

/* An instruction. Fields without a comment are those of struct eu_inst. */
struct lir_inst {
    struct list_head node; /* In lir_program.insts. */
    uint16_t op;           /* enum eu_opcode or enum lir_op */
    uint8_t exec_size, group;
    bool no_mask, saturate, predicate_inverse, eot;
    /* Messages: the message does more than return a result, so it must be kept. Other instructions
     * with cmod: they preserve the flag bits of disabled channels, which are read later. They
     * therefore count as readers of the flag. */
    bool side_effects;
    bool keeps_disabled_channels; /* The contents of dst in disabled channels are read later. */
    bool flag_is_result; /* Afterwards the flag is set in the channels where dst is not 0. */
    uint8_t predicate;   /* enum eu_predicate */
    uint8_t cmod;        /* enum eu_cmod */
    uint8_t flag;        /* Flag of the predicate and cmod: f(flag / 2).(flag % 2). */
    uint8_t math;        /* enum eu_math */
    uint8_t sfid, mlen, ex_mlen, rlen; /* Messages: shared function; lengths in registers. */
    bool header;                       /* Messages: src[0] starts with a header. */
    bool scratch; /* The instruction is a spill, a fill, or a copy to the payload of a spill. */
    bool rematerialized; /* A copy of a comparison or selection, for a reader of its result. */
    uint32_t desc;       /* Messages: function control bits only. */
    struct lir_reg dst;
    struct lir_reg src[3]; /* Messages: payload, second payload, scalar to add to desc. */
    uint32_t ip;           /* Index of the instruction; valid after lir_number(). */
    const char *comment;   /* Static or allocated under the program; NULL if none. */
};

/* A virtual register. */
struct lir_vgrf {
    uint16_t size; /* In 32-byte registers. */
    bool no_spill; /* Must not be spilled. */
    uint16_t hw;   /* First hardware register; valid after allocation. */
};

/* One kernel in LIR. */
struct lir_program {
    const struct i965_device *dev;
    enum shader_stage stage;
    unsigned width;         /* Channels per thread. */
    unsigned payload_regs;  /* Number of payload registers, starting at r0. */
    struct list_head insts; /* List of lir_inst.node. */
    DYNARRAY(struct lir_vgrf) vgrfs;
    unsigned scratch_size;         /* Bytes per thread. */
    unsigned spills, fills, loops; /* See struct i965_stats. */
    uint64_t cycles;               /* See struct i965_stats. */
    const char *failure;           /* First error message; NULL if none. */
};

/* --- Registers --- */

/* Returns the size in bytes of an element of an enum eu_type. The elements of the immediate vectors
 * UV and V are words, those of VF are floats. */
unsigned lir_type_size(unsigned type);
/* Creates a VGRF of `regs` registers and returns it as an operand with stride 1. */
struct lir_reg lir_vgrf(struct lir_program *p, unsigned regs, enum eu_type type);
/* Creates a VGRF that holds n components of that type for `width` channels. */
struct lir_reg lir_temp(struct lir_program *p, unsigned width, unsigned n, enum eu_type type);

/* Return operands: none, the null register, scalar element 0 of an ARF, GRF nr with stride 1, and
 * immediates. */
static inline struct lir_reg lir_bad(void)
{
    return (struct lir_reg){.file = LIR_BAD};
}
static inline struct lir_reg lir_null(enum eu_type type)
{
    return (struct lir_reg){.file = LIR_ARF, .nr = EU_ARF_NULL, .type = type, .stride = 1};
}
static inline struct lir_reg lir_arf(unsigned nr, enum eu_type type)
{
    return (struct lir_reg){.file = LIR_ARF, .nr = nr, .type = type};
}
/* Returns the scalar at byte `offset` from the start of GRF nr. */
static inline struct lir_reg lir_grf_scalar(unsigned nr, unsigned offset, enum eu_type type)
{
    return (struct lir_reg){.file = LIR_GRF, .nr = nr, .offset = offset, .type = type};
}
static inline struct lir_reg lir_grf(unsigned nr, enum eu_type type)
{
    return (struct lir_reg){.file = LIR_GRF, .nr = nr, .type = type, .stride = 1};
}
static inline struct lir_reg lir_imm(uint32_t bits, enum eu_type type)
{
    return (struct lir_reg){.file = LIR_IMM, .type = type, .imm = bits};
}
static inline struct lir_reg lir_imm_ud(uint32_t v)
{
    return lir_imm(v, EU_TYPE_UD);
}
static inline struct lir_reg lir_imm_d(int32_t v)
{
    return lir_imm((uint32_t)v, EU_TYPE_D);
}
struct lir_reg lir_imm_f(float v);

/* Returns the same bytes as another type. Doesn't convert, and keeps stride and modifiers. */
static inline struct lir_reg lir_retype(struct lir_reg r, enum eu_type type)
{
    r.type = type;
    return r;
}
/* Returns the operand that starts `bytes` bytes after r. Immediates and LIR_BAD are unchanged. */
static inline struct lir_reg lir_byte_offset(struct lir_reg r, unsigned bytes)
{
    if (r.file == LIR_VGRF || r.file == LIR_GRF || r.file == LIR_ARF)
        r.offset += bytes;
    return r;
}
/* Returns component c of a value of `width` channels in lir_temp()'s layout. */
static inline struct lir_reg lir_component(struct lir_reg r, unsigned width, unsigned c)
{
    return lir_byte_offset(r, c * width * lir_type_size(r.type));
}
/* Returns the operand that starts at channel `first` of r. */
static inline struct lir_reg lir_channels(struct lir_reg r, unsigned first)
{
    return lir_byte_offset(r, first * r.stride * lir_type_size(r.type));
}
/* Returns one element of r as a scalar that all channels read. */
static inline struct lir_reg lir_scalar(struct lir_reg r, unsigned element)
{
    r = lir_byte_offset(r, element * lir_type_size(r.type));
    r.stride = 0;
    r.region = false;
    return r;
}
/* Returns whether both operands are the same, including type, modifiers and region. */
bool lir_reg_equal(const struct lir_reg *a, const struct lir_reg *b);
/* Returns whether a write to the operand has no effect: it is the null register or absent. */
static inline bool lir_is_null(const struct lir_reg *r)
{
    return r->file == LIR_BAD || (r->file == LIR_ARF && r->nr == EU_ARF_NULL);
}

/* --- Instructions --- */

/* Allocates an instruction with that exec_size and those operands; everything else is zero. The
 * caller inserts it. */
struct lir_inst *lir_inst_create(struct lir_program *p, unsigned op, unsigned exec_size,
                                 struct lir_reg dst, struct lir_reg src0, struct lir_reg src1,
                                 struct lir_reg src2);
/* Copies an instruction; the caller inserts the copy. */
struct lir_inst *lir_inst_clone(struct lir_program *p, const struct lir_inst *inst);
/* Returns the number of sources up to the last one that isn't LIR_BAD. */
unsigned lir_num_srcs(const struct lir_inst *inst);
bool lir_is_send(const struct lir_inst *inst);         /* Whether it sends a message. */
bool lir_is_control_flow(const struct lir_inst *inst); /* Whether it begins or ends a block. */
bool lir_is_3src(const struct lir_inst *inst);         /* Whether it has the three-source format. */
/* Returns whether the instruction must be kept even if its results are not read. */
bool lir_has_side_effects(const struct lir_inst *inst);
/* Returns the size in bytes of the range that is written starting at dst.offset; 0: none. */
unsigned lir_size_written(const struct lir_inst *inst);
/* Returns the size in bytes of the range that is read starting at src[src].offset; 0: none. */
unsigned lir_size_read(const struct lir_inst *inst, unsigned src);
/* Returns whether dst keeps previous contents in some channels or in part of its registers. */
bool lir_is_partial_write(const struct lir_inst *inst);
/* Liveness divides the flags f0.0, f0.1, f1.0 and f1.1 into LIR_FLAG_PARTS parts of
 * LIR_FLAG_CHANNELS channels. */
enum { LIR_FLAG_CHANNELS = 8, LIR_FLAG_PARTS = 8 };
/* Return masks of the parts that an instruction writes or reads; bit 0 is the first of f0.0. */
unsigned lir_flags_written(const struct lir_inst *inst);
unsigned lir_flags_read(const struct lir_inst *inst);
/* Returns whether the instruction may saturate, which requires a result of type F. */
bool lir_can_saturate(const struct lir_inst *inst);
/* Returns whether source src may have negate and abs if its type is `type`. The modified
 * value of an integer may need one more bit than the source: -(-2³¹) is 2³¹. So an integer source
 * may not have them if the result saturates, is wider than the source, or is a float. */
bool lir_can_do_modifiers(const struct lir_inst *inst, unsigned src, enum eu_type type);

/* Iterate over the instructions of a program p (struct lir_program *) or of a block (struct
 * lir_block *) in order. Declare the loop variable i, a struct lir_inst *. With _safe, the current
 * instruction may be removed. */
#define lir_foreach_inst(i, p)      list_for_each_entry (struct lir_inst, i, &(p)->insts, node)
#define lir_foreach_inst_safe(i, p) list_for_each_entry_safe (struct lir_inst, i, &(p)->insts, node)
#define lir_foreach_inst_in_block(i, block)                                                        \
    for (struct lir_inst *i = (block)->first; i;                                                   \
         i = i == (block)->last ? NULL : list_entry(i->node.next, struct lir_inst, node))

/* Fills in lir_inst.ip and returns the number of instructions. */
unsigned lir_number(struct lir_program *p);
/* Prints the program as text, for debugging. */
void lir_print(const struct lir_program *p, FILE *fp);
/* Records an error message (printf style) in p->failure, unless there is one already. */
void lir_fail(struct lir_program *p, const char *message, ...) PRINTFLIKE(2, 3);

/* --- Control flow (lir_cfg.c) --- */

/* A basic block. */
struct lir_block {
    struct lir_inst *first, *last; /* NULL if the block is empty. */
    unsigned start, end;           /* lir_inst.ip of first and of last, inclusive. */
    unsigned succ[2], num_succ;    /* Indices of the next blocks, and their number. */
    unsigned loop_depth;           /* Number of loops around the block. */
    /* Sets of register indices (see vgrf_base and grf_base). Filled by lir_liveness(): */
    bitset_word *live_in, *live_out;       /* Liveness for a channel that executes the block. */
    bitset_word *written_in, *written_out; /* Registers possibly written before start or end. */
    unsigned flags_in, flags_out;          /* Live parts of flags, as in lir_flags_read(). */
    /* Registers that must be preserved in this block for channels that are disabled in it and
     * resume later (see lir_live.c); NULL if none. Filled by lir_find_waiting(). */
    const bitset_word *waiting;
};

/* The control flow graph. lir_liveness() assigns indices to registers: VGRFs, then the payload. */
struct lir_cfg {
    struct lir_block *blocks;
    unsigned num_blocks;
    unsigned *vgrf_base; /* Index of each VGRF's first register, plus the end as last element. */
    unsigned grf_base;   /* Index of r0. */
    unsigned num_regs;   /* Number of indices. */
    struct lir_loop {
        unsigned start, end; /* lir_inst.ip of do and while. */
    } *loops;                /* Inner loops before outer ones. */
    unsigned num_loops;
};

/* Builds blocks with the edges that a single channel can take. Numbers the instructions. */
struct lir_cfg *lir_cfg_build(struct lir_program *p, void *mem_ctx);

/* --- Liveness (lir_live.c) --- */

/* Fills live_in, live_out, written_in, written_out and the flags of each block. */
void lir_liveness(struct lir_program *p, struct lir_cfg *cfg, void *mem_ctx);
/* Fills lir_block.waiting. Requires lir_liveness(). */
void lir_find_waiting(struct lir_cfg *cfg, void *mem_ctx);
/* A range of register indices; count is 0 if it is empty. */
struct lir_span {
    unsigned first, count;
};
/* Return the register indices that source src reads, or that dst writes. Require lir_liveness(). */
struct lir_span lir_regs_read(const struct lir_cfg *cfg, const struct lir_inst *inst, unsigned src);
struct lir_span lir_regs_written(const struct lir_cfg *cfg, const struct lir_inst *inst);

/* --- Validation (lir_validate.c) --- */

/* Phases of a program. Each adds rules, but LIR_PHASE_ORDERED drops the check of interference. */
enum lir_phase {
    LIR_PHASE_TRANSLATED, /* Translated from NIR. */
    LIR_PHASE_DIVIDED,    /* lir_lower_width(): at most 16 channels in SIMD32 kernels. */
    LIR_PHASE_LOWERED,    /* lir_lower_constants(): no immediates in three-source instructions. */
    LIR_PHASE_ALLOCATED,  /* lir_allocate(): every VGRF has hardware registers. */
    /* lir_schedule() after allocation: LIR_OP_UNDEF may have moved, so no interference check. */
    LIR_PHASE_ORDERED,
};
/* Returns a static string with the violated rule, or NULL if the program is valid. *broken is the
 * instruction at fault, NULL if the rule concerns the whole program. Numbers the instructions. */
const char *lir_validate(struct lir_program *p, enum lir_phase phase,
                         const struct lir_inst **broken);
/* Aborts with a message if the program is invalid and has not failed. Called after each pass, which
 * `when` names in the message. Does nothing with NDEBUG. */
void lir_check(struct lir_program *p, enum lir_phase phase, const char *when);

/* --- Passes; those of type bool return whether they changed the program --- */

/* Makes the users of a move read its source. */
bool lir_opt_copy_propagation(struct lir_program *p);
/* Removes instructions that only write registers and flags that are never read. */
bool lir_opt_dead_code(struct lir_program *p);
/* Replaces repeated computations in a block by moves. */
bool lir_opt_cse(struct lir_program *p);
/* Folds a saturating move into the instruction that computes its source. */
bool lir_opt_saturate(struct lir_program *p);
/* Folds comparisons with zero into the instruction that computes the value, as its conditional
 * modifier, and removes comparisons whose result is already in the flag. */
bool lir_opt_cmod(struct lir_program *p);
/* Computes a value directly in the register that it is moved to, and removes the move. */
bool lir_opt_coalesce(struct lir_program *p);
/* Folds a bitwise not into the logic instruction that reads its result. */
bool lir_opt_logic(struct lir_program *p);
/* Gives each message one payload instead of two. For devices without split messages. */
bool lir_join_payloads(struct lir_program *p);
/* SIMD32 kernels: splits instructions so that none but control flow has more than 16 channels. */
bool lir_lower_width(struct lir_program *p);
/* Splits VGRFs into the parts that are accessed independently. */
bool lir_split_vgrfs(struct lir_program *p);
/* Loads immediates of three-source instructions into registers first. */
bool lir_lower_constants(struct lir_program *p);
/* Joins pairs of moves that one instruction can do. */
bool lir_join_moves(struct lir_program *p);
/* Repeats all optimization passes until nothing changes, up to a fixed number of rounds. */
void lir_optimize(struct lir_program *p);

/* Whether lir_schedule() runs before or after register allocation. */
enum lir_schedule_mode { LIR_SCHEDULE_VIRTUAL, LIR_SCHEDULE_ALLOCATED };
/* Reorders the instructions of each block for low latency. LIR_SCHEDULE_VIRTUAL: minimizes register
 * pressure instead while more than max_alive registers are live. */
void lir_schedule(struct lir_program *p, enum lir_schedule_mode mode, unsigned max_alive);
/* Returns the number of cycles in the scheduler's model, at most I965_MAX_CYCLES. The body of a
 * loop counts ten times. */
uint64_t lir_count_cycles(struct lir_program *p);
/* An order of the program's instructions. */
struct lir_order;
/* Returns the current order, allocated under p. Numbers the instructions. */
struct lir_order *lir_save_order(struct lir_program *p);
/* Restores an order of lir_save_order(), which may be restored again. Instructions that were
 * inserted since are removed. Doesn't update lir_inst.ip. */
void lir_restore_order(struct lir_program *p, struct lir_order *order);

/* Assigns hardware registers to every VGRF. If they do not fit, spills if may_spill is set.
 * Otherwise, or if spilling fails, calls lir_fail() and returns false. */
bool lir_allocate(struct lir_program *p, bool may_spill);
/* Rematerializes the VGRF with that index before each read if possible; otherwise moves it to
 * scratch memory. Returns false if scratch memory is exhausted or if the VGRF has more than 64
 * registers. */
bool lir_spill(struct lir_program *p, unsigned vgrf);
/* Moves a payload register to scratch memory. Returns false if no register qualifies or scratch
 * memory is exhausted. */
bool lir_spill_payload(struct lir_program *p);
/* Returns an array, allocated under mem_ctx and indexed by VGRF: true if the VGRF holds only
 * constants that can be rematerialized. */
bool *lir_find_constants(struct lir_program *p, void *mem_ctx);
/* A sel instruction, and the comparison that writes its flag. Their sources never change. */
struct lir_selection {
    struct lir_inst *compare, *select;
};
/* Returns an array, allocated under mem_ctx and indexed by VGRF. If the VGRF can be rematerialized
 * as a selection, its element has the instructions; otherwise its pointers are NULL. constant:
 * result of lir_find_constants(). */
struct lir_selection *lir_find_selections(struct lir_program *p, const bool *constant,
                                          void *mem_ctx);

/* Generates machine code. Sets the code, the comments and the statistics of *kernel, which it
 * allocates under mem_ctx; the caller sets the other fields. p must have been through
 * lir_allocate(). flags: those of i965_compile(). If it fails or p->failure is already set, returns
 * false, with the reason in p->failure. */
bool lir_emit(struct lir_program *p, void *mem_ctx, unsigned flags, struct i965_kernel *kernel);

#endif
