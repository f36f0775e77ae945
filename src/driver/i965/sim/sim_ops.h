/* SPDX-License-Identifier: MIT */
/* Operations that are executed channel by channel, by opcode and execution class. */
#ifndef SIM_OPS_H
#define SIM_OPS_H

#include "sim_internal.h"

typedef void (*sim_op)(struct sim_alu *a);

struct sim_ops {
    sim_op run_float, run_double, run_int; /* NULL if the opcode has no such form. */
};

extern const struct sim_ops sim_ops[128];

/* Evaluate the conditional modifier cmod for x and y. */
bool sim_compare_real(enum eu_cmod cmod, double x, double y);
bool sim_compare_int(enum eu_cmod cmod, int64_t x, int64_t y, bool is_unsigned64);

/* Divides 32-bit integers, rounding toward zero. If y is 0, the low 32 bits returned are set. */
int64_t sim_divide(int64_t x, int64_t y, enum eu_type type, bool remainder);
/* Computes a floating-point math function. Returns false if `function` is not one. */
bool sim_math(enum eu_math function, struct sim_alu *a);

#endif
