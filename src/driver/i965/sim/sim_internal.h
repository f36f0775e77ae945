/* SPDX-License-Identifier: MIT */
/* Between the files of the simulator. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

#include <string.h>

#include "sim/eu_sim.h"

#define SIM_NO_TARGET UINT32_MAX

enum sim_class { SIM_FLOAT, SIM_DOUBLE, SIM_INT };

enum sim_operand_kind {
    SIM_OPERAND_NONE,
    SIM_OPERAND_CONST,      /* an immediate, the same for all channels */
    SIM_OPERAND_VECTOR,     /* a vector immediate */
    SIM_OPERAND_SCALAR,     /* one element for all channels */
    SIM_OPERAND_CONTIGUOUS, /* elements follow each other */
    SIM_OPERAND_REGION,
    SIM_OPERAND_ALIGN16,
    SIM_OPERAND_INDIRECT,
};

struct sim_operand {
    enum sim_operand_kind kind;
    uint32_t offset; /* of the register's bytes in its file */
};

/* An instruction that is done for all channels at once (sim_vector.h). */
enum sim_vector_kind {
    SIM_VECTOR_CONTIGUOUS,
    SIM_VECTOR_SCALAR,
    SIM_VECTOR_CONSTANT,
    SIM_VECTOR_REGION, /* elements may be smaller than what is computed with */
};

struct sim_vector_operand {
    enum sim_vector_kind kind;
    uint32_t offset;          /* in the register file */
    uint64_t value;           /* of a constant */
    bool modified;            /* ((bits & keep) ^ flip) + add */
    uint64_t keep, flip, add; /* add: 1 to negate integers */
    /* region: elements of a row, bytes between rows and between elements */
    unsigned width, row_bytes, step_bytes;
    uint8_t size; /* bytes of an element */
    bool is_signed;
};

struct sim_inst;
struct sim_vector {
    void (*run)(struct sim_thread *t, const struct sim_inst *inst,
                uint32_t mask); /* NULL: is none */
    struct sim_vector_operand src[3];
    uint32_t dst;        /* bytes; unless null */
    uint32_t dst_stride; /* bytes between elements */
    bool each;           /* elements are few, or do not follow each other */
    bool null;           /* nothing is written but flags */
    bool is_unsigned;    /* what is written, as integers */
    enum eu_cmod cmod;
};

struct sim_inst {
    struct eu_inst eu;
    uint32_t offset;      /* in the program, bytes */
    enum sim_class class; /* of the execution */
    struct sim_operand src[3];
    unsigned sources;
    uint32_t jip, uip; /* instruction indices; SIM_NO_TARGET: outside of the program */
    bool target;       /* a branch comes here: channels may wait */
    struct sim_vector vector;
};

struct sim_program {
    const struct i965_device *dev;
    uint32_t count;
    struct sim_inst inst[];
};

/* Values of the channels of one instruction. */
union sim_lanes {
    float f[SIM_MAX_CHANNELS];
    double d[SIM_MAX_CHANNELS];
    int64_t i[SIM_MAX_CHANNELS];
};

struct sim_alu {
    struct sim_thread *t;
    const struct sim_inst *inst;
    unsigned n;    /* channels */
    uint32_t mask; /* that write, bit 0 is the instruction's first channel */
    union sim_lanes src[3], dst;
};

/* False: the thread has a fault. */
bool sim_execute_alu(struct sim_thread *t, const struct sim_inst *inst);
bool sim_execute_send(struct sim_thread *t, const struct sim_inst *inst);

bool sim_fault(struct sim_thread *t, const struct sim_inst *inst, const char *why);
/* Channels of the instruction that are enabled and pass its predicate. */
uint32_t sim_execution_mask(const struct sim_thread *t, const struct sim_inst *inst);
/* bit 0 of bits and mask: the instruction's first channel. */
static inline void sim_write_flags(struct sim_thread *t, const struct eu_inst *eu, uint32_t bits,
                                   uint32_t mask)
{
    unsigned shift = (eu->flag_subnr * 16u + eu->group) & 31;
    uint32_t flags;

    memcpy(&flags, t->flag + eu->flag_nr * 4, 4);
    flags = (flags & ~(mask << shift)) | (bits & mask) << shift;
    memcpy(t->flag + eu->flag_nr * 4, &flags, 4);
}
/* Only the predicate; bit 0 is the instruction's first channel. */
uint32_t sim_predicate_mask(const struct sim_thread *t, const struct eu_inst *inst);

#endif
