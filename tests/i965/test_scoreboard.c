/* SPDX-License-Identifier: MIT */
/* Software scoreboard information: the simulator reports each kind of missing wait, and accepts
 * each kind of wait that there is. */
#include "sim_test.h"

#include "driver/i965/eu_scoreboard.h"

#include <stdlib.h>
#include <string.h>

#define DST(n) {.file = EU_FILE_GRF, .type = EU_TYPE_F, .nr = (n), .hstride = 1}
#define SRC(n)                                                                                     \
    {.file = EU_FILE_GRF, .type = EU_TYPE_F, .nr = (n), .vstride = 8, .width = 8, .hstride = 1}
#define INST(op, s) .opcode = EU_OPCODE_##op, .exec_size = 8, .scoreboard = (s)
#define MOV(d, a, s)                                                                               \
    {                                                                                              \
        INST(MOV, s), .dst = DST(d), .src = { SRC(a) }                                             \
    }
#define MATH(d, a, s)                                                                              \
    {                                                                                              \
        INST(MATH, s), .math = EU_MATH_INV, .dst = DST(d), .src = { SRC(a) }                       \
    }
/* A message to no function reads its payload and does nothing. */
#define READ(a, s)                                                                                 \
    {                                                                                              \
        INST(SEND, s), .sfid = EU_SFID_NULL, .desc = 1u << 25,                                     \
            .dst = {.file = EU_FILE_ARF, .hstride = 1}, .src = {                                   \
                SRC(a)                                                                             \
            }                                                                                      \
    }
#define INDIRECT(a, s)                                                                             \
    {                                                                                              \
        INST(SEND, s), .sfid = EU_SFID_NULL, .desc_indirect = true,                                \
            .dst = {.file = EU_FILE_ARF, .hstride = 1}, .src = {                                   \
                SRC(a)                                                                             \
            }                                                                                      \
    }
#define SYNC(f, s) {INST(SYNC, s), .sync = EU_SYNC_##f}
#define COMPARE(a, s)                                                                              \
    {                                                                                              \
        INST(CMP, s), .cmod = EU_CMOD_Z,                                                           \
            .dst = {.file = EU_FILE_ARF, .type = EU_TYPE_F, .hstride = 1}, .src = {                \
                SRC(a),                                                                            \
                SRC(a)                                                                             \
            }                                                                                      \
    }
#define PREDICATED(d, s)                                                                           \
    {                                                                                              \
        INST(MOV, s), .predicate = EU_PREDICATE_NORMAL, .dst = DST(d), .src = { SRC(60) }          \
    }
/* With both flag registers. */
#define PREDICATED_BY_ANY(d, s)                                                                    \
    {                                                                                              \
        INST(MOV, s), .predicate = EU_PREDICATE_ANYV, .dst = DST(d), .src = { SRC(60) }            \
    }
#define COMPARE_INTO(f, a, s)                                                                      \
    {                                                                                              \
        INST(CMP, s), .cmod = EU_CMOD_Z, .flag_nr = (f),                                           \
            .dst = {.file = EU_FILE_ARF, .type = EU_TYPE_F, .hstride = 1}, .src = {                \
                SRC(a),                                                                            \
                SRC(a)                                                                             \
            }                                                                                      \
    }
/* Sets all words of a0 to 0. */
#define ADDRESS(s)                                                                                 \
    {                                                                                              \
        INST(MOV, s),                                                                              \
            .dst = {.file = EU_FILE_ARF, .nr = EU_ARF_ADDRESS, .type = EU_TYPE_UW, .hstride = 1},  \
            .src = {                                                                               \
                {.file = EU_FILE_IMM, .type = EU_TYPE_UW}                                          \
            }                                                                                      \
    }
/* Writes eight elements where a0.0 points. */
#define SCATTER(a, s)                                                                              \
    {                                                                                              \
        INST(MOV, s),                                                                              \
            .dst = {.file = EU_FILE_GRF, .type = EU_TYPE_F, .hstride = 1, .indirect = true},       \
            .src = {                                                                               \
                SRC(a)                                                                             \
            }                                                                                      \
    }
/* Adds eight elements from byte `offset` after a0.0 on to a register. */
#define ADD_ADDRESSED(d, a, offset, s)                                                             \
    {                                                                                              \
        INST(ADD, s), .dst = DST(d), .src = {                                                      \
            {.file = EU_FILE_GRF,                                                                  \
             .type = EU_TYPE_F,                                                                    \
             .indirect = true,                                                                     \
             .address_offset = (offset),                                                           \
             .vstride = 8,                                                                         \
             .width = 8,                                                                           \
             .hstride = 1},                                                                        \
            SRC(a)                                                                                 \
        }                                                                                          \
    }
#define SET_ACCUMULATOR(a, s)                                                                      \
    {                                                                                              \
        INST(MOV, s),                                                                              \
            .dst = {.file = EU_FILE_ARF,                                                           \
                    .nr = EU_ARF_ACCUMULATOR,                                                      \
                    .type = EU_TYPE_F,                                                             \
                    .hstride = 1},                                                                 \
            .src = {                                                                               \
                SRC(a)                                                                             \
            }                                                                                      \
    }
#define MAC(d, a, s)                                                                               \
    {                                                                                              \
        INST(MAC, s), .dst = DST(d), .src = { SRC(a), SRC(a) }                                     \
    }
#define EOT(s)                                                                                     \
    {                                                                                              \
        INST(SEND, s), .eot = true, .sfid = EU_SFID_THREAD_SPAWNER, .desc = 1u << 25,              \
            .dst = {.file = EU_FILE_ARF, .hstride = 1}, .src = {                                   \
                SRC(127)                                                                           \
            }                                                                                      \
    }

enum { SET = EU_SCOREBOARD_SET, WRITTEN = EU_SCOREBOARD_WRITTEN, READ_ = EU_SCOREBOARD_READ };
enum { BOTH = EU_SCOREBOARD_DISTANCE };

static const struct {
    const char *fault; /* Part of the message; NULL: the thread ends. */
    struct eu_inst inst[6];
} programs[] = {
    /* In-order instructions. */
    {"in-order", {MOV(10, 11, 0), MOV(12, 10, 0), EOT(1)}},
    {NULL, {MOV(10, 11, 0), MOV(12, 10, 1), EOT(1)}},
    {"in-order", {MOV(10, 11, 0), MOV(13, 11, 0), MOV(12, 10, 3), EOT(1)}},
    {NULL, {MOV(10, 11, 0), MOV(13, 11, 0), MOV(12, 10, 2), EOT(1)}},
    {NULL, {MOV(10, 11, 0), MOV(13, 11, 0), MOV(12, 10, 1), EOT(1)}},
    {NULL, {MOV(10, 11, 0), MOV(10, 12, 0), MOV(11, 12, 0), EOT(1)}},
    {"in-order", {MOV(10, 11, 0), EOT(0)}},
    {NULL, {MOV(10, 11, 0), SYNC(NOP, 1), EOT(0)}},
    {"in-order", {COMPARE(10, 0), PREDICATED(12, 0), EOT(1)}},
    {NULL, {COMPARE(10, 0), PREDICATED(12, 1), EOT(1)}},
    /* Results of tokens. */
    {"no token", {MATH(10, 11, 0), EOT(0)}},
    {"not written", {MATH(10, 11, SET | 3), MOV(12, 10, 0), EOT(1)}},
    {"not written", {MATH(10, 11, SET | 3), MOV(12, 10, WRITTEN | 4), EOT(1)}},
    {"not written", {MATH(10, 11, SET | 3), MOV(12, 10, READ_ | 3), EOT(1)}},
    {"not written", {MATH(10, 11, SET | 3), MOV(10, 12, 0), EOT(1)}},
    {"not written", {MATH(10, 11, SET | 3), SYNC(ALL_READ, 0), MOV(12, 10, 0), EOT(1)}},
    {"not written", {MATH(10, 11, SET | 3), EOT(0)}},
    {NULL, {MATH(10, 11, SET | 3), MOV(12, 10, WRITTEN | 3), EOT(1)}},
    {NULL, {MATH(10, 11, SET | 3), SYNC(NOP, WRITTEN | 3), MOV(12, 10, 0), EOT(1)}},
    {NULL, {MATH(10, 11, SET | 3), SYNC(ALL_WRITTEN, 0), MOV(12, 10, 0), EOT(1)}},
    {NULL,
     {MOV(13, 11, 0),
      MATH(10, 11, SET | 3),
      {INST(ADD, BOTH | 1 << 4 | 3), .dst = DST(12), .src = {SRC(10), SRC(13)}},
      EOT(1)}},
    {"in-order",
     {MOV(13, 11, 0),
      MATH(10, 11, SET | 3),
      {INST(ADD, WRITTEN | 3), .dst = DST(12), .src = {SRC(10), SRC(13)}},
      EOT(1)}},
    {"in use", {MATH(10, 11, SET | 3), MATH(12, 13, SET | 3), EOT(0)}},
    /* Sources of tokens, and in-order instructions before them. */
    {"not read", {READ(10, SET | 1), MOV(10, 11, 0), EOT(1)}},
    {NULL, {READ(10, SET | 1), MOV(10, 11, READ_ | 1), EOT(1)}},
    {NULL, {READ(10, SET | 1), SYNC(ALL_READ, 0), MOV(10, 11, 0), EOT(1)}},
    {"not read", {READ(10, SET | 1), EOT(0)}},
    {NULL, {READ(10, SET | 1), MOV(12, 10, 0), SYNC(NOP, READ_ | 1), EOT(1)}},
    {"in-order", {MOV(10, 11, 0), READ(10, SET | 1), EOT(1)}},
    {NULL, {MOV(10, 11, 0), READ(10, BOTH | 1 << 4 | 1), SYNC(ALL_READ, 0), EOT(0)}},
    {"in-order", {MOV(10, 11, 0), MATH(11, 12, SET | 1), EOT(1)}},
    {"in-order", {MOV(10, 11, 0), INDIRECT(10, SET | 1), EOT(1)}},
    {"not read", {INDIRECT(10, SET | 1), MOV(12, 11, 0), EOT(1)}},
    /* Registers that the address register selects. */
    {"in-order", {ADDRESS(0), SCATTER(12, 0), EOT(1)}},
    {"in-order", {SCATTER(11, 0), MOV(12, 10, 0), EOT(1)}},
    {NULL, {ADDRESS(0), SCATTER(11, 1), MOV(12, 10, 1), EOT(1)}},
    {"in-order", {SCATTER(11, 0), READ(10, SET | 1), EOT(1)}},
    {"not written", {MATH(10, 11, SET | 3), SCATTER(12, 0), EOT(1)}},
    {NULL, {MATH(10, 11, SET | 3), SCATTER(12, WRITTEN | 3), EOT(1)}},
    {"not read", {READ(10, SET | 1), SCATTER(12, 0), EOT(1)}},
    {NULL, {READ(10, SET | 1), SCATTER(12, READ_ | 1), EOT(1)}},
    {"in-order", {MOV(1, 11, 0), ADD_ADDRESSED(12, 20, 16, 0), EOT(1)}},
    {NULL, {MOV(1, 11, 0), ADD_ADDRESSED(12, 20, 16, 1), EOT(1)}},
    {NULL, {MOV(2, 11, 0), ADD_ADDRESSED(12, 20, 16, 0), EOT(1)}},
    /* Implicit sources. */
    {"in-order", {COMPARE_INTO(1, 10, 0), PREDICATED_BY_ANY(12, 0), EOT(1)}},
    {NULL, {COMPARE_INTO(1, 10, 0), PREDICATED_BY_ANY(12, 1), EOT(1)}},
    {"in-order", {SET_ACCUMULATOR(10, 0), MAC(12, 11, 0), EOT(1)}},
    {NULL, {SET_ACCUMULATOR(10, 0), MAC(12, 11, 1), EOT(1)}},
};

static bool contains(const struct eu_span *spans, unsigned count, unsigned first, unsigned last)
{
    for (unsigned i = 0; i < count; i++) {
        if (spans[i].first <= first && last < spans[i].first + spans[i].count)
            return true;
    }
    return false;
}

/* Accesses of instructions that the compiler doesn't emit, or that Gen12 lacks. */
static void check_accesses(void)
{
    const struct eu_inst send = {
        .opcode = EU_OPCODE_SENDS,
        .exec_size = 8,
        .ex_desc_indirect = true,
        .desc = 1u << 25,
        .dst = {.file = EU_FILE_ARF, .hstride = 1},
        .src = {SRC(10), {.file = EU_FILE_GRF, .nr = 20, .address_subnr = 2}},
    };
    struct eu_access access = eu_access(&send);
    assert_true(contains(access.reads, access.num_reads, EU_UNIT_ADDRESS, EU_UNIT_ADDRESS));
    assert_true(contains(access.reads, access.num_reads, 10, 10));
    assert_true(contains(access.reads, access.num_reads, 20, 34)); /* Any length. */

    struct eu_inst divide = MATH(10, 11, SET);
    divide.math = EU_MATH_INT_DIV_BOTH;
    access = eu_access(&divide);
    assert_true(contains(access.writes, access.num_writes, 10, 11));

    const struct eu_inst scatter = SCATTER(11, 0);
    access = eu_access(&scatter);
    assert_true(contains(access.writes, access.num_writes, 0, EU_UNIT_FLAG - 1));
    assert_true(contains(access.reads, access.num_reads, EU_UNIT_ADDRESS, EU_UNIT_ADDRESS));
    assert_false(contains(access.writes, access.num_writes, EU_UNIT_FLAG, EU_UNIT_FLAG));
}

void test_scoreboard(void **state)
{
    const struct i965_device *dev = i965_device_by_name("tgl");
    struct sim_thread *t = aligned_alloc(64, ALIGN_POT(sizeof *t, 64));

    (void)state;
    check_accesses();
    for (unsigned i = 0; i < ARRAY_SIZE(programs); i++) {
        uint64_t words[2 * ARRAY_SIZE(programs[i].inst)];
        char error[128];
        unsigned n = 0;
        for (bool ended = false; !ended; n++) {
            const char *why = NULL;
            ended = programs[i].inst[n].eot;
            assert_true(eu_encode(dev, &programs[i].inst[n], words + 2 * n, &why));
        }
        struct sim_program *p =
            sim_program_create(dev, (const uint8_t *)words, n * 16ul, error, sizeof error);
        assert_non_null(p);
        sim_thread_init(t, p, NULL, 0xff);
        enum sim_status status = sim_thread_run(t);
        if (status != (programs[i].fault ? SIM_FAULT : SIM_DONE))
            fail_msg("program %u: %s", i, status == SIM_FAULT ? t->error : "no fault");
        if (programs[i].fault && !strstr(t->error, programs[i].fault))
            fail_msg("program %u: %s, not %s", i, t->error, programs[i].fault);
        sim_program_destroy(p);
    }
    sim_ran[EU_OPCODE_SYNC] = true;
    free(t);
}
