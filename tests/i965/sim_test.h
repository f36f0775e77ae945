/* SPDX-License-Identifier: MIT */
/* Shared by the simulator's tests: short programs, threads, values. */
#ifndef SIM_TEST_H
#define SIM_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/eu_sim.h"
#include "util/macros.h"

extern const struct i965_device *sim_dev; /* set by sim_find_device() */
extern bool sim_ran[128];                 /* By opcode: whether a program that ran had it. */
int sim_find_device(void **state);        /* Setup function of the test group. */

uint32_t rnd(void); /* Returns a pseudorandom number. */

/* A program. */
struct code {
    uint64_t word[64]; /* Two for each instruction. */
    unsigned count;    /* Number of instructions. */
};

/* Encodes an instruction and appends it. Fails the test if it cannot be encoded. */
void emit(struct code *c, struct eu_inst inst);
void end(struct code *c); /* Appends the end of the thread. */
/* Runs the code in a prepared thread, which keeps its registers. */
enum sim_status run(struct sim_thread *t, const struct code *c);
/* Runs a program of one instruction. Fails the test if the thread doesn't end normally. */
void run_one(struct sim_thread *t, struct eu_inst inst);
void start(struct sim_thread *t); /* Prepares a thread with 16 channels. */

/* Return an operand: eight consecutive elements of register nr, or an immediate value. */
struct eu_reg grf(unsigned nr, enum eu_type type);
struct eu_reg imm(enum eu_type type, uint64_t bits);
/* Returns an instruction of eight channels: r20 = op r10 r12 r14. */
struct eu_inst alu(enum eu_opcode op, enum eu_type type);
/* Returns a SEND of eight channels with the payload in register src and the result in dst. */
struct eu_inst message(enum eu_sfid sfid, uint32_t desc, unsigned dst, unsigned src);
/* Returns a branch of 16 channels. jip and uip are distances in uncompacted instructions. */
struct eu_inst branch(enum eu_opcode op, int jip, int uip, bool predicate);

/* Convert between a float and its bits. */
float as_float(uint32_t u);
uint32_t as_bits(float f);
bool is_real(enum eu_type t); /* a floating-point type */
bool is_signed_type(enum eu_type t);
/* Converts a value to long double, which represents all types exactly. */
long double value_of(enum eu_type type, uint64_t bits);
/* Returns the bits of a random value, preferring special cases. */
uint64_t interesting(enum eu_type type);
/* Returns whether the condition holds for the comparison of x with y. */
bool holds(enum eu_cmod c, long double x, long double y);
/* Fills registers 10 to 15 with random elements of values[] and some random words. */
void fill(struct sim_thread *t, const uint32_t *values, unsigned count);

#define SIM_NUM_INTEGERS 22
#define SIM_NUM_FLOATS   18
/* Operands of tests, including special cases. */
extern const uint32_t integers[SIM_NUM_INTEGERS];
extern const float floats[SIM_NUM_FLOATS];

/* Tests, by file. */
void test_opcodes(void **state);
void test_math(void **state);
void test_accumulator(void **state);
void test_conversions(void **state);
void test_immediates(void **state);
void test_regions(void **state);
void test_indirect(void **state);
void test_predicates(void **state);
void test_conditions(void **state);
void test_loop(void **state);
void test_halt(void **state);
void test_jump(void **state);
void test_untyped(void **state);
void test_typed(void **state);
void test_a64(void **state);
void test_a64_atomics(void **state);
void test_a64_scattered(void **state);
void test_render_read(void **state);
void test_blocks_and_urb(void **state);
void test_render_target(void **state);
void test_split_payload(void **state);
void test_barrier(void **state);
void test_faults(void **state);
void test_corrupt(void **state);
void test_align16(void **state);
void test_not_modelled(void **state);
void test_no_end(void **state);
void test_scoreboard(void **state);
void test_all_ran(void **state); /* Must be the last test. */

#endif
