/* SPDX-License-Identifier: MIT */
/*
 * Interpreter: runs kernels for which there is no machine code. Its results have the same bits as
 * those of machine code. It is slower by two orders of magnitude or more.
 *
 * A kernel is decoded once, to a program. Each value has an element per lane, or one element if
 * nir_divergence_analysis proves it uniform. Control flow and execution masks work as in jit_cf.c;
 * nir_eval_const_opcode evaluates ALU instructions.
 */
#ifndef JIT_INTERPRET_H
#define JIT_INTERPRET_H

#include "nir/nir.h"

#define JIT_MAX_LANES 16 /* maximum SIMD width of a kernel */

struct jit_program; /* a decoded kernel; immutable */

/* Decodes nir, as lowered by jit_lower_nir, for a SIMD width of `lanes`, at most JIT_MAX_LANES. The
 * program doesn't refer to nir afterwards; jit_program_destroy() frees it. Must run within an
 * attempt (util/memory.h). Returns NULL if memory is exhausted or an instruction isn't
 * supported. */
struct jit_program *jit_program_create(nir_shader *nir, unsigned lanes);
/* Frees a program that isn't running. program may be NULL. */
void jit_program_destroy(struct jit_program *program);
/* Runs a program; a jit_kernel_fn. self is the struct jit_program. Any number of threads may call
 * it at once; if memory for another run is exhausted, it waits until one of them ends. */
void jit_program_run(const void *const *args, const void *self);

/* --- shared by the interpreter's files --- */

/* A component of a value: lane i is jit_machine.value[at + i * stride]. */
struct jit_operand {
    uint32_t at;
    uint32_t stride; /* 0 if the value is uniform, otherwise 1 */
};

/* State of one run of a program. */
struct jit_machine {
    unsigned lanes;     /* SIMD width of the program */
    uint32_t all_lanes; /* mask of all lanes */
    const struct jit_program *program;
    const void *const *args; /* the kernel's arguments */
    nir_const_value *value;  /* elements of all values; struct jit_operand has indices into it */
    uint32_t *scratch;       /* scratch memory: [32-bit slot][lane] */
    unsigned scratch_slots;  /* number of 32-bit slots */
    const uint8_t *constant_data; /* the shader's */
    unsigned constant_size;       /* bytes */
    uint32_t exec;                /* mask of active lanes */
    struct jit_loop_masks *loop;  /* innermost loop; NULL outside of loops */
};

/* A decoded instruction. */
struct jit_step {
    void (*run)(struct jit_machine *m, const struct jit_step *step);
    uint32_t dest;  /* index in jit_machine.value of component 0 of the result, lane 0 */
    unsigned count; /* elements per component of the result: lanes, or 1 if it is uniform */
    /* Number of components of the result, and its bit size. For ALU instructions, bits is the bit
     * size to pass to nir_eval_const_opcode. */
    unsigned components, bits;
    unsigned src_bits, src_components; /* bit size and components of source 0; intrinsics only */
    unsigned op;                       /* nir_op or nir_intrinsic_op */
    /* nir_intrinsic_base. For phis: index in jit_machine.value of the copy of the result that the
     * predecessors write. */
    uint32_t base;
    unsigned write_mask; /* nir_intrinsic_write_mask; all ones if the intrinsic has none */
    /* Atomics: nir_atomic_op. Intrinsics with a dest_type: 1 if it is float16, else 0. */
    unsigned kind;
    const struct jit_operand *src[4]; /* [source][component] */
};

/* Decode an instruction: fill in all fields of a step except dest, count and src, which say where
 * values are. Return false if the interpreter doesn't support the instruction. */
bool jit_decode_alu(struct jit_step *step, const nir_alu_instr *alu);
bool jit_decode_intrinsic(struct jit_step *step, const nir_intrinsic_instr *intr);

/* Executes a step for the active lanes of m. */
typedef void jit_step_fn(struct jit_machine *m, const struct jit_step *step);
/* Returns the function that executes a memory intrinsic (jit_interpret_memory.c), or NULL. */
jit_step_fn *jit_memory_step(nir_intrinsic_op op);
/* Returns the function that executes a cross-lane intrinsic (jit_interpret_lanes.c), or NULL. */
jit_step_fn *jit_lanes_step(nir_intrinsic_op op);

/* Returns the index of the source texel that a lane of rows_of_blocks (nir_intrinsics.py) receives.
 * Indices 0 to 15 are the lanes of component 0 of the intrinsic's first source, indices 16 to 31
 * those of component 1. first_row: value of the intrinsic's second source. */
static inline unsigned jit_row_texel(unsigned first_row, unsigned lane)
{
    unsigned x = lane >> 2, y = first_row + (lane & 3);
    return (y >> 2 & 1) * 16 + (y >> 1 & 1) * 8 + (x >> 1) * 4 + (y & 1) * 2 + (x & 1);
}

/* Returns the lane of load_global_bilinear_grid's third source (nir_intrinsics.py) that holds an
 * offset for pixel `lane`. axis: 0 for the offset of a texel column, 1 for that of a texel row.
 * tap: 0 for the first, 1 for the second column or row. lanes: 8 or 16. */
static inline unsigned jit_grid_lane(unsigned lanes, unsigned axis, unsigned tap, unsigned lane)
{
    if (lanes == 8)
        return axis ? (lane & 2) + tap : (lane & 5) + 2 * tap;
    return 8 * axis + 4 * tap + (lane >> axis & 1) + (lane >> (axis + 1) & 2);
}

/* Returns the operand's value in a lane. */
static inline nir_const_value jit_get(const struct jit_machine *m, struct jit_operand o,
                                      unsigned lane)
{
    return m->value[o.at + o.stride * lane];
}

/* Returns the address of the step->count elements of a component of the result. */
static inline nir_const_value *jit_dest(struct jit_machine *m, const struct jit_step *step,
                                        unsigned component)
{
    return &m->value[step->dest + component * step->count];
}

/* Returns whether the lane is active. */
static inline bool jit_is_active(const struct jit_machine *m, unsigned lane)
{
    return m->exec >> lane & 1;
}

#endif
