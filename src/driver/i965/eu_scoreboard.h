/* SPDX-License-Identifier: MIT */
/*
 * Model of the hazards on devices with a software scoreboard (Tiger Lake PRM, "Software
 * Scoreboard"). There, an instruction waits for earlier ones only if its scoreboard information
 * says so. In-order instructions finish in the order in which they are issued, but an instruction
 * can start before the previous one has written its result. Messages and math run out of order and
 * have tokens. The compiler uses this model to add the information, the simulator to check it.
 *
 * Registers have indices: 0 to 127 for the GRF, then EU_UNIT_*.
 */
#ifndef EU_SCOREBOARD_H
#define EU_SCOREBOARD_H

#include "driver/i965/eu.h"

/* Indices of registers outside of the GRF, and numbers of indices and tokens. */
enum {
    EU_UNIT_FLAG = 128,    /* f0, f1 */
    EU_UNIT_ADDRESS = 130, /* a0 */
    EU_UNIT_ACCUMULATOR,   /* all accumulators */
    EU_UNIT_COUNT,         /* Number of indices. */
    EU_TOKENS = 16,        /* Number of tokens. */
};

/* Consecutive registers. */
struct eu_span {
    uint16_t first, count; /* count is 0: none */
};

/* The registers that an instruction accesses. */
struct eu_access {
    struct eu_span reads[6], writes[2];
    unsigned num_reads, num_writes;
    bool out_of_order;  /* A message or math, which takes a token. */
    bool waits_for_all; /* Control flow and the end of the thread wait for everything before. */
};

/* What must have happened before an instruction is issued. */
struct eu_waits {
    /* The distance-th preceding in-order instruction (1 to 7) must have finished; 0: no wait. */
    unsigned distance;
    uint16_t written; /* Mask of the tokens whose instructions must have written their results. */
    uint16_t read;    /* Mask of the tokens whose instructions must have read their sources. */
};

/* The instructions in flight. All zeros: none. */
struct eu_scoreboard {
    uint32_t issued, done; /* Numbers of in-order instructions issued, and known to be finished. */
    /* By register: number of the last in-order instruction that writes or reads it; 0: none. The
     * first instruction has number 1. */
    uint32_t written[EU_UNIT_COUNT], read[EU_UNIT_COUNT];
    /* By token: a message or math instruction. It is active until it has written its result. An
     * instruction without a result is active until it has read its sources. sources: the GRF
     * registers that it reads. result: the registers that it writes. */
    struct eu_token {
        bool active, sources_read;
        struct eu_span sources[2], result;
    } token[EU_TOKENS];
};

/* Returns the registers that an instruction accesses. For an indirect source, this is only the
 * address register; callers that know which registers it addresses add them. An indirect
 * destination is a write of the whole GRF. */
struct eu_access eu_access(const struct eu_inst *inst);
/* Adds a read of `count` registers, starting at index `first`, to the accesses. A read of the GRF
 * is clipped at r127. Does nothing if reads[] is full. */
void eu_access_read(struct eu_access *access, unsigned first, unsigned count);
/* Returns what an instruction with these accesses must wait for. */
struct eu_waits eu_scoreboard_needs(const struct eu_scoreboard *s, const struct eu_access *access);
/* Records that the waits which the instruction's scoreboard information requests, and those of a
 * sync instruction, are over. */
void eu_scoreboard_wait(struct eu_scoreboard *s, const struct eu_inst *inst);
/* Records the instruction as in flight, after eu_scoreboard_wait(). Messages and math take the
 * token of their scoreboard information. Does nothing for messages and math without a token, for
 * sync, and for instructions that wait for everything. */
void eu_scoreboard_issue(struct eu_scoreboard *s, const struct eu_inst *inst,
                         const struct eu_access *access);
/* Returns whether the instruction is a message or math that takes a token, and stores the token in
 * *token. Doesn't check that the token is free. If the result is false, *token is the token that
 * the instruction waits for; it is meaningless if the instruction waits for none. */
bool eu_scoreboard_token(const struct eu_inst *inst, unsigned *token);

#endif
