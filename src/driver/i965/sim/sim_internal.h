/* SPDX-License-Identifier: MIT */
/* Shared declarations of the simulator's files. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include <string.h>

#include "sim/eu_sim.h"

/* Value of sim_inst.jip and uip if no instruction starts at the target. */
#define SIM_NO_TARGET UINT32_MAX

/* How an instruction computes: in float, double or 64-bit integers. */
enum sim_class { SIM_FLOAT, SIM_DOUBLE, SIM_INT };

/* How sim_alu.c fetches an operand. */
enum sim_operand_kind {
    SIM_OPERAND_NONE,
    SIM_OPERAND_CONST,      /* An immediate, the same for all channels. */
    SIM_OPERAND_VECTOR,     /* A vector immediate. */
    SIM_OPERAND_SCALAR,     /* One element for all channels. */
    SIM_OPERAND_CONTIGUOUS, /* Consecutive elements. */
    SIM_OPERAND_REGION,     /* Any other region. */
    SIM_OPERAND_ALIGN16,    /* With a swizzle of each group of four channels. */
    SIM_OPERAND_INDIRECT,   /* Addressed by a0. */
};

/* An operand as sim_alu.c reads it. */
struct sim_operand {
    enum sim_operand_kind kind;
    uint32_t offset; /* GRF operands: byte offset of the first element. */
};

/* How the whole-vector path (sim_vector.h) fetches an operand; the kinds are those of enum
 * sim_operand_kind with these names, and CONSTANT is an immediate. */
enum sim_vector_operand_kind {
    SIM_VECTOR_CONTIGUOUS,
    SIM_VECTOR_SCALAR,
    SIM_VECTOR_CONSTANT,
    SIM_VECTOR_REGION, /* General region; elements may be narrower than the operation. */
};

/* An operand of a vector instruction. */
struct sim_vector_operand {
    enum sim_vector_operand_kind kind;
    uint32_t offset;          /* Bytes, in the GRF. */
    uint64_t value;           /* SIM_VECTOR_CONSTANT: the value. */
    bool modified;            /* Apply ((bits & keep) ^ flip) + add to each element. */
    uint64_t keep, flip, add; /* add is 1 to negate integers. */
    /* SIM_VECTOR_REGION: elements per row, bytes between rows, bytes between elements. */
    unsigned width, row_bytes, step_bytes;
    uint8_t size;   /* Bytes per element. */
    bool is_signed; /* SIM_VECTOR_REGION: narrower elements are sign-extended. */
};

struct sim_inst;

/* The prepared vector form of an instruction (sim_vector.h). */
struct sim_vector {
    /* NULL if the instruction has no vector form; sim_alu.c executes it then. */
    void (*run)(struct sim_thread *t, const struct sim_inst *inst, uint32_t mask);
    /* channels: mask of the instruction's channels. always: channels that write even when disabled:
     * all under no_mask, else none. */
    uint32_t channels, always;
    bool predicated; /* The instruction's predicate limits the writes. */
    struct sim_vector_operand src[3];
    uint32_t dst;        /* Byte offset in the GRF; unused if null. */
    uint32_t dst_stride; /* Bytes between elements. */
    /* Store element by element: there are fewer than 8 channels, or gaps between elements. */
    bool strided_store;
    bool null;        /* The destination is null; only flags are written. */
    bool is_unsigned; /* Integer results are unsigned. */
    enum eu_cmod cmod;
};

/* A decoded instruction. */
struct sim_inst {
    struct eu_inst eu;
    uint32_t offset;      /* Byte offset in the program. */
    enum sim_class class; /* Class of the execution type. */
    struct sim_operand src[3];
    unsigned sources;  /* Number of elements of src in use. */
    uint32_t jip, uip; /* Indices of the target instructions, or SIM_NO_TARGET. */
    bool target; /* Channels may wait here: a branch jumps here or precedes this instruction. */
    struct sim_vector vector;
};

/* A decoded program. */
struct sim_program {
    const struct i965_device *dev;
    uint32_t count; /* Number of instructions. */
    struct sim_inst inst[];
};

/* Values of one operand in each channel. */
union sim_lanes {
    float f[SIM_MAX_CHANNELS];
    double d[SIM_MAX_CHANNELS];
    int64_t i[SIM_MAX_CHANNELS];
};

/* One execution of an instruction by sim_alu.c. */
struct sim_alu {
    struct sim_thread *t;
    const struct sim_inst *inst;
    unsigned n;    /* Number of channels. */
    uint32_t mask; /* Channels that write; bit 0 is the instruction's first channel. */
    union sim_lanes src[3], dst;
};

/* Execute one instruction: sim_execute_send sends a message, sim_execute_alu computes. Return false
 * if the thread faults. */
bool sim_execute_alu(struct sim_thread *t, const struct sim_inst *inst);
bool sim_execute_send(struct sim_thread *t, const struct sim_inst *inst);

/* Checks that the instruction has waited for what it accesses, and records it as in flight. Returns
 * false if the thread faults. */
bool sim_check_scoreboard(struct sim_thread *t, const struct sim_inst *inst);

/* Records the fault in t->error, with the instruction's offset. Always returns false. */
bool sim_fault(struct sim_thread *t, const struct sim_inst *inst, const char *why);
/* Returns the channels that are enabled and pass the predicate; bit 0 is the instruction's first
 * channel. */
uint32_t sim_execution_mask(const struct sim_thread *t, const struct sim_inst *inst);
/* Writes the flag bits in mask; bit 0 of bits and mask is the instruction's first channel. */
static inline void sim_write_flags(struct sim_thread *t, const struct eu_inst *eu, uint32_t bits,
                                   uint32_t mask)
{
    unsigned shift = (eu->flag_subnr * 16u + eu->group) & 31;
    uint32_t flags;

    memcpy(&flags, t->flag + eu->flag_nr * 4, 4);
    flags = (flags & ~(mask << shift)) | (bits & mask) << shift;
    memcpy(t->flag + eu->flag_nr * 4, &flags, 4);
}
/* Returns the predicate without channel enables; bit 0 is the instruction's first channel. */
uint32_t sim_predicate_mask(const struct sim_thread *t, const struct eu_inst *inst);

#endif
