/* SPDX-License-Identifier: MIT */
/* Arithmetic of opcodes whose channels are independent of each other. */
#ifndef SIM_OPS_H
#define SIM_OPS_H

#include "sim_internal.h"

/* Computes a->dst from a->src for all a->n channels. */
typedef void (*sim_op)(struct sim_alu *a);

/* The operations of an opcode on floats, doubles and integers. */
struct sim_ops {
    sim_op run_float, run_double, run_int; /* NULL if the opcode has no such form. */
};

extern const struct sim_ops sim_ops[128]; /* Indexed by enum eu_opcode. */

/* Return whether the comparison that cmod selects is true, such as x < y for EU_CMOD_L. Return
 * false if cmod is not a comparison. For EU_CMOD_U, sim_compare_real() returns whether x or y is a
 * NaN. is_unsigned64: compare x and y as uint64_t. */
bool sim_compare_real(enum eu_cmod cmod, double x, double y);
bool sim_compare_int(enum eu_cmod cmod, int64_t x, int64_t y, bool is_unsigned64);

/* Divides 32-bit integers, unsigned if type is EU_TYPE_UD, and returns the quotient, rounded toward
 * zero, or the remainder. If y is 0, either is 0xffffffff for EU_TYPE_UD, otherwise -1. */
int64_t sim_divide(int64_t x, int64_t y, enum eu_type type, bool remainder);
/* Computes a floating-point math function of a->src in the channels of a->mask, and stores it in
 * a->dst. Returns false if `function` is for integers or not supported. */
bool sim_math(enum eu_math function, struct sim_alu *a);

#endif
