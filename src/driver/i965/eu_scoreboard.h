/* SPDX-License-Identifier: MIT */
/*
 * The hazards of devices whose instructions wait for others only as their scoreboard information
 * says (Tiger Lake PRM, "Software Scoreboard"). In-order instructions finish in the order of their
 * issue, but results are not forwarded; messages and math run out of order and have tokens. The
 * compiler uses this model to add the information, the simulator to check it.
 *
 * Registers have indices: 0 to 127 for GRF, then the EU_UNIT_* below.
 */
#ifndef EU_SCOREBOARD_H
#define EU_SCOREBOARD_H

#include "driver/i965/eu.h"

enum {
    EU_UNIT_FLAG = 128, /* f0, f1 */
    EU_UNIT_ADDRESS = 130,
    EU_UNIT_ACCUMULATOR,
    EU_UNIT_COUNT,
    EU_TOKENS = 16,
};

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
    unsigned distance; /* The distance-th preceding in-order instruction is done; 0: any. */
    uint16_t written;  /* Mask of tokens whose results are written, */
    uint16_t read;     /* and of tokens whose sources are read. */
};

/* The instructions in flight. All zeros: none. */
struct eu_scoreboard {
    uint32_t issued, done; /* Number of in-order instructions. */
    /* By register: number of the last in-order instruction that writes or reads it, from 1. */
    uint32_t written[EU_UNIT_COUNT], read[EU_UNIT_COUNT];
    struct eu_token {
        bool active, sources_read;
        struct eu_span sources[2], result;
    } token[EU_TOKENS];
};

/* Returns the registers that an instruction accesses. Indirect operands are not included. */
struct eu_access eu_access(const struct eu_inst *inst);
/* Adds reads to the accesses. */
void eu_access_read(struct eu_access *access, unsigned first, unsigned count);
/* Returns what an instruction has to wait for. */
struct eu_waits eu_scoreboard_needs(const struct eu_scoreboard *s, const struct eu_access *access);
/* Waits as the instruction's scoreboard information and, for sync, its function say. */
void eu_scoreboard_wait(struct eu_scoreboard *s, const struct eu_inst *inst);
/* Issues an instruction after its waits. Its token, if it takes one, is in the scoreboard
 * information. */
void eu_scoreboard_issue(struct eu_scoreboard *s, const struct eu_inst *inst,
                         const struct eu_access *access);
/* Returns whether a message or math takes a token, which must not be in use; stores it. */
bool eu_scoreboard_token(const struct eu_inst *inst, unsigned *token);

#endif
