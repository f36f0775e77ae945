/* SPDX-License-Identifier: MIT */
/*
 * The interpreter: runs kernels for which there is no machine code. It gives the bits that machine code gives,
 * for all lanes at once, some hundred times slower.
 *
 * A kernel is decoded once, to a program. Of each value a program has an element for every lane, or one where
 * nir_divergence_analysis proves it uniform. Control flow and its masks are those of jit_cf.c; ALU instructions
 * are evaluated by nir_eval_const_opcode.
 */
#ifndef JIT_INTERPRET_H
#define JIT_INTERPRET_H

#include "nir/nir.h"

#define JIT_MAX_LANES 16

struct jit_program;

/* Decodes nir, as jit_lower_nir leaves it, which isn't used afterwards. Within an attempt. NULL: no memory, or
 * an instruction that isn't known. */
struct jit_program *jit_program_create(nir_shader *nir, unsigned lanes);
void jit_program_destroy(struct jit_program *program); /* NULL is fine */
/* A jit_run_fn; self: the program. Any number of threads at once. */
void jit_program_run(const void *const *args, const void *self);

/* --- shared by the interpreter's files --- */

/* A component of a value: of lane i it is element at + i * stride. */
struct jit_operand {
    uint32_t at;
    uint32_t stride; /* 0: uniform */
};

struct jit_machine {
    unsigned lanes;
    uint32_t all_lanes;
    const struct jit_program *program;
    const void *const *args;
    nir_const_value *value; /* elements of all values */
    uint32_t *scratch;      /* [slot of 32 bits][lane] */
    unsigned scratch_slots;
    const uint8_t *constant_data;
    unsigned constant_size;
    uint32_t exec;      /* active lanes */
    uint32_t work_left; /* load_work_left */
    struct jit_loop_masks *loop;
};

/* An instruction, or what a phi does at the start of its block. */
struct jit_step {
    void (*run)(struct jit_machine *m, const struct jit_step *step);
    uint32_t dest;  /* element 0 of component 0 of the result */
    unsigned count; /* elements of a component: lanes, or 1 */
    unsigned components, bits;
    unsigned src_bits, src_components; /* of source 0 */
    unsigned op;                       /* nir_op or nir_intrinsic_op */
    uint32_t base;
    unsigned write_mask;
    unsigned kind; /* nir_atomic_op, or 1 where texels are halves */
    const struct jit_operand *src[4];
};

/* What runs an intrinsic; NULL: it isn't known. (jit_interpret_memory.c, jit_interpret_lanes.c) */
typedef void jit_step_fn(struct jit_machine *m, const struct jit_step *step);
jit_step_fn *jit_memory_step(nir_intrinsic_op op);
jit_step_fn *jit_lanes_step(nir_intrinsic_op op);

/* Where rows_of_blocks finds what it gives a lane: of the first block texels are 0 … 15, then the other's. */
static inline unsigned jit_row_texel(unsigned first_row, unsigned lane)
{
    unsigned x = lane >> 2, y = first_row + (lane & 3);
    return (y >> 2 & 1) * 16 + (y >> 1 & 1) * 8 + (x >> 1) * 4 + (y & 1) * 2 + (x & 1);
}

/* Which lane of load_global_bilinear_grid's offsets has that of a lane's first or second column or row of texels. */
static inline unsigned jit_grid_lane(unsigned lanes, unsigned axis, unsigned tap, unsigned lane)
{
    if (lanes == 8)
        return axis ? (lane & 2) + tap : (lane & 5) + 2 * tap;
    return 8 * axis + 4 * tap + (lane >> axis & 1) + (lane >> (axis + 1) & 2);
}

static inline nir_const_value jit_get(const struct jit_machine *m, struct jit_operand o,
                                      unsigned lane)
{
    return m->value[o.at + o.stride * lane];
}

static inline nir_const_value *jit_dest(struct jit_machine *m, const struct jit_step *step,
                                        unsigned component)
{
    return &m->value[step->dest + component * step->count];
}

static inline bool jit_is_active(const struct jit_machine *m, unsigned lane)
{
    return m->exec >> lane & 1;
}

#endif
