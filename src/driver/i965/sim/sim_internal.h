/* SPDX-License-Identifier: MIT */
/* Between the files of the simulator. */
#ifndef SIM_INTERNAL_H
#define SIM_INTERNAL_H

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

struct sim_inst {
    struct eu_inst eu;
    uint32_t offset;      /* in the program, bytes */
    enum sim_class class; /* of the execution */
    struct sim_operand src[3];
    unsigned sources;
    uint32_t jip, uip; /* instruction indices; SIM_NO_TARGET: outside of the program */
    bool target;       /* a branch comes here: channels may wait */
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
/* Only the predicate; bit 0 is the instruction's first channel. */
uint32_t sim_predicate_mask(const struct sim_thread *t, const struct eu_inst *inst);

#endif
