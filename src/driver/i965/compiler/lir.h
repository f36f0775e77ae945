/* SPDX-License-Identifier: MIT */
/*
 * The low-level IR: EU instructions over virtual registers (VGRFs), one flat list per kernel.
 *
 * A VGRF is a number of consecutive 32-byte registers. Component c of a value of 32-bit numbers is
 * at byte c * 4 * width. Control flow is structured by instructions (if, else, endif, do, while,
 * break, cont, halt), as in the hardware; lir_cfg.c finds blocks and edges. Most VGRFs are written
 * once (they come from SSA); the others are payloads, written piece by piece, and what NIR's
 * registers became.
 *
 * All memory hangs under lir_program, a talloc context. One thread per program.
 */
#ifndef LIR_H
#define LIR_H

#include "driver/i965/i965_compiler.h"
#include "util/bitset.h"
#include "util/dynarray.h"
#include "util/list.h"

enum { LIR_REG_SIZE = 32 }; /* bytes */

enum lir_file {
    LIR_BAD, /* no operand */
    LIR_VGRF,
    LIR_GRF, /* a payload register, never written */
    LIR_ARF, /* nr: enum eu_arf + instance */
    LIR_IMM,
};

struct lir_reg {
    uint8_t file;   /* enum lir_file */
    uint8_t type;   /* enum eu_type */
    uint8_t stride; /* elements from channel to channel; 0: one for all */
    bool negate, abs;
    bool region; /* source with its own <vstride;width,hstride> instead of a stride */
    uint8_t vstride, width, hstride;
    uint32_t nr;
    uint32_t offset; /* bytes from the start of nr */
    uint32_t imm;
};

/* Opcodes that are no EU instruction, beside enum eu_opcode. */
enum lir_op {
    LIR_OP_DO = 0x100,  /* start of a loop: no code */
    LIR_OP_UNDEF,       /* the VGRF dst has no value yet: no code */
    LIR_OP_BROADCAST,   /* dst (a scalar) = src[0] of channel src[1] (a scalar) */
    LIR_OP_GATHER,      /* dst = dword src[1] (its low bits) of the rlen registers src[0]; SIMD8 */
    LIR_OP_HALT_TARGET, /* where halted channels come back */
};

struct lir_inst {
    struct list_head node;
    uint16_t op; /* enum eu_opcode or enum lir_op */
    uint8_t exec_size, group;
    bool no_mask, saturate, predicate_inverse, eot;
    /* A message that does more than to give a result; others: the flag's bits of channels that do not
     * run are read later, so that they count as read here. */
    bool side_effects;
    bool keeps_rest;   /* what dst holds for channels that do not run is read later */
    uint8_t predicate; /* enum eu_predicate */
    uint8_t cmod;      /* enum eu_cmod */
    uint8_t flag;      /* of predicate and cmod: f(flag / 2).(flag % 2) */
    uint8_t math;      /* enum eu_math */
    uint8_t sfid, mlen, ex_mlen, rlen; /* messages: registers */
    bool header;                       /* messages: src[0] begins with a header */
    bool scratch;                      /* messages: a spill or fill */
    uint32_t desc;                     /* function control alone */
    struct lir_reg dst;
    struct lir_reg src[3]; /* messages: payloads, scalar to be added to desc */
    uint32_t ip;           /* scratch: lir_number() */
    const char *comment;   /* static or under the program; NULL: none */
};

struct lir_vgrf {
    uint16_t size; /* registers */
    bool no_spill;
    uint16_t hw; /* after allocation */
};

struct lir_program {
    const struct i965_device *dev;
    enum shader_stage stage;
    unsigned width;         /* channels */
    unsigned payload_regs;  /* r0 … that hold something at the start */
    struct list_head insts; /* lir_inst.node */
    DYNARRAY(struct lir_vgrf) vgrfs;
    unsigned scratch_size; /* bytes per thread */
    unsigned spills, fills, loops, cycles;
    const char *failure; /* NULL: none so far */
};

/* --- Registers --- */

unsigned lir_type_size(unsigned type);
struct lir_reg lir_vgrf(struct lir_program *p, unsigned regs, enum eu_type type);
/* Room for n components of type for `width` channels. */
struct lir_reg lir_temp(struct lir_program *p, unsigned width, unsigned n, enum eu_type type);

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
/* A scalar at byte `offset` from GRF nr. */
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

static inline struct lir_reg lir_retype(struct lir_reg r, enum eu_type type)
{
    r.type = type;
    return r;
}
static inline struct lir_reg lir_byte_offset(struct lir_reg r, unsigned bytes)
{
    if (r.file == LIR_VGRF || r.file == LIR_GRF || r.file == LIR_ARF)
        r.offset += bytes;
    return r;
}
/* Component c of a value of `width` channels, as lir_temp lays them out. */
static inline struct lir_reg lir_component(struct lir_reg r, unsigned width, unsigned c)
{
    return lir_byte_offset(r, c * width * lir_type_size(r.type));
}
/* Channels from `first` on. */
static inline struct lir_reg lir_channels(struct lir_reg r, unsigned first)
{
    return lir_byte_offset(r, first * r.stride * lir_type_size(r.type));
}
/* The one element that all channels read. */
static inline struct lir_reg lir_scalar(struct lir_reg r, unsigned element)
{
    r = lir_byte_offset(r, element * lir_type_size(r.type));
    r.stride = 0;
    r.region = false;
    return r;
}
bool lir_reg_equal(const struct lir_reg *a, const struct lir_reg *b);
static inline bool lir_is_null(const struct lir_reg *r)
{
    return r->file == LIR_BAD || (r->file == LIR_ARF && r->nr == EU_ARF_NULL);
}

/* --- Instructions --- */

/* Zeroed but for exec_size and the operands; not inserted. */
struct lir_inst *lir_inst_create(struct lir_program *p, unsigned op, unsigned exec_size,
                                 struct lir_reg dst, struct lir_reg src0, struct lir_reg src1,
                                 struct lir_reg src2);
struct lir_inst *lir_inst_clone(struct lir_program *p, const struct lir_inst *inst);
unsigned lir_num_srcs(const struct lir_inst *inst);
bool lir_is_send(const struct lir_inst *inst);
bool lir_is_control_flow(const struct lir_inst *inst); /* ends or begins a block */
bool lir_is_3src(const struct lir_inst *inst);
bool lir_has_side_effects(const struct lir_inst *inst);
/* Bytes from dst.offset on that are written / from src[i].offset on that are read. */
unsigned lir_size_written(const struct lir_inst *inst);
unsigned lir_size_read(const struct lir_inst *inst, unsigned src);
/* Channels, or parts of the registers, keep what they held. */
bool lir_is_partial_write(const struct lir_inst *inst);
/* Bit per flag word f0.0, f0.1, f1.0, f1.1. */
unsigned lir_flags_written(const struct lir_inst *inst);
unsigned lir_flags_read(const struct lir_inst *inst);
bool lir_can_saturate(const struct lir_inst *inst);
/* Whether a source of that type may be negated there: integers of which none is beyond 32 bits, as -2³¹
 * would be where the result is not as wide as they are. */
bool lir_can_do_modifiers(const struct lir_inst *inst, unsigned src, enum eu_type type);

#define lir_foreach_inst(i, p)      list_for_each_entry (struct lir_inst, i, &(p)->insts, node)
#define lir_foreach_inst_safe(i, p) list_for_each_entry_safe (struct lir_inst, i, &(p)->insts, node)
#define lir_foreach_inst_in_block(i, block)                                                        \
    for (struct lir_inst *i = (block)->first; i;                                                   \
         i = i == (block)->last ? NULL : list_entry(i->node.next, struct lir_inst, node))

unsigned lir_number(struct lir_program *p); /* fills ip; returns the number of instructions */
void lir_print(const struct lir_program *p, FILE *fp);
void lir_fail(struct lir_program *p, const char *message, ...) PRINTFLIKE(2, 3);

/* --- Control flow (lir_cfg.c) --- */

struct lir_block {
    struct lir_inst *first, *last; /* NULL: empty */
    unsigned start, end;           /* ip of both */
    unsigned succ[2], num_succ;
    unsigned loop_depth;
    /* Sets of registers: those of all VGRFs, then the payload's. lir_liveness: */
    bitset_word *live_in, *live_out;       /* as a channel that runs there sees it */
    bitset_word *written_in, *written_out; /* may have a value */
    unsigned flags_in, flags_out;
    /* lir_find_waiting: what channels that wait elsewhere will still read; NULL: nothing. */
    const bitset_word *waiting;
};

struct lir_cfg {
    struct lir_block *blocks;
    unsigned num_blocks;
    unsigned *vgrf_base; /* of each VGRF, its first register's number; one more, the end */
    unsigned grf_base;   /* the number of r0 */
    unsigned num_regs;
    struct lir_loop {
        unsigned start, end; /* ip of do and while */
    } * loops;               /* inner ones before outer ones */
    unsigned num_loops;
};

/* Blocks and edges as each channel sees them; numbers the instructions. */
struct lir_cfg *lir_cfg_build(struct lir_program *p, void *mem_ctx);

/* Liveness (lir_live.c) */
void lir_liveness(struct lir_program *p, struct lir_cfg *cfg, void *mem_ctx);
void lir_find_waiting(struct lir_cfg *cfg, void *mem_ctx); /* after lir_liveness */
/* Numbers of the registers that an operand touches; count 0: none. After lir_liveness. */
struct lir_span {
    unsigned first, count;
};
struct lir_span lir_regs_read(const struct lir_cfg *cfg, const struct lir_inst *inst, unsigned src);
struct lir_span lir_regs_written(const struct lir_cfg *cfg, const struct lir_inst *inst);

/* --- Validation (lir_validate.c) --- */

/* What a program is like after which pass; each adds to the rules of those before. */
enum lir_phase {
    LIR_PHASE_TRANSLATED, /* from NIR */
    LIR_PHASE_DIVIDED,    /* lir_lower_width: at most 16 channels */
    LIR_PHASE_LOWERED,    /* lir_lower_constants: no immediates in three-source instructions */
    LIR_PHASE_ALLOCATED,  /* lir_allocate: VGRFs have places */
    LIR_PHASE_ORDERED,    /* lir_schedule after it: where an undef stands says nothing any more */
};
/* The rule that the program breaks, static text, and the instruction that does (NULL: all of it
 * together). NULL: the program is valid. Numbers the instructions. */
const char *lir_validate(struct lir_program *p, enum lir_phase phase,
                         const struct lir_inst **broken);
/* After each pass: aborts if the program is broken and has not failed. Nothing with NDEBUG. */
void lir_check(struct lir_program *p, enum lir_phase phase, const char *when);

/* --- Passes; true: changed something --- */

bool lir_opt_copy_propagation(struct lir_program *p);
bool lir_opt_dead_code(struct lir_program *p);
bool lir_opt_cse(struct lir_program *p);
bool lir_opt_saturate(struct lir_program *p);
bool lir_opt_cmod(struct lir_program *p);
bool lir_opt_coalesce(struct lir_program *p);
/* No instruction but control flow has more than 16 channels afterwards. */
bool lir_lower_width(struct lir_program *p);
/* VGRFs fall into the pieces that are written and read apart. */
bool lir_split_vgrfs(struct lir_program *p);
/* Immediates in three-source instructions become scalars of registers that are loaded first. */
bool lir_lower_constants(struct lir_program *p);
void lir_optimize(struct lir_program *p);

/* Orders each block's instructions, before allocation or after it: for latency, but before it for few
 * registers where more than max_alive of them are alive. */
enum lir_schedule_mode { LIR_SCHEDULE_VIRTUAL, LIR_SCHEDULE_ALLOCATED };
void lir_schedule(struct lir_program *p, enum lir_schedule_mode mode, unsigned max_alive);
/* That the model counts for the code in its order, loops taken ten times. */
unsigned lir_count_cycles(struct lir_program *p);
/* The order of the instructions, to come back to it; under p. */
struct lir_order;
struct lir_order *lir_save_order(struct lir_program *p);
void lir_restore_order(struct lir_program *p, struct lir_order *order);

/* Every VGRF to a place. False: it does not fit; with may_spill it spills until it does. */
bool lir_allocate(struct lir_program *p, bool may_spill);
/* The VGRF lives in scratch memory, or is made again where it is read. False: no memory is left. */
bool lir_spill(struct lir_program *p, unsigned vgrf);
/* A register of the payload does: false: none can. */
bool lir_spill_payload(struct lir_program *p);
/* By VGRF, under mem_ctx: it holds constants that can be made again for each reader. */
bool *lir_find_constants(struct lir_program *p, void *mem_ctx);

/* Machine code under mem_ctx; p is allocated. False after lir_fail. */
bool lir_emit(struct lir_program *p, void *mem_ctx, unsigned flags, struct i965_kernel *kernel);

#endif
