/* SPDX-License-Identifier: MIT */
/* Operations that work channel by channel, by opcode and class of execution. */
#ifndef SIM_OPS_H
#define SIM_OPS_H

#include "sim_internal.h"

typedef void (*sim_op)(struct sim_alu *a);

struct sim_ops {
    sim_op run_float, run_double, run_int; /* NULL: the opcode has no such form */
};

extern const struct sim_ops sim_ops[128];

bool sim_compare_real(enum eu_cmod cmod, double x, double y);
bool sim_compare_int(enum eu_cmod cmod, int64_t x, int64_t y, bool is_unsigned64);

/* Division towards zero; by zero: all bits set. */
int64_t sim_divide(int64_t x, int64_t y, enum eu_type type, bool remainder);
/* The floating point functions of the math box; false: none of them. */
bool sim_math(enum eu_math function, struct sim_alu *a);

#endif
