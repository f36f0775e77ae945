/* SPDX-License-Identifier: MIT */
/*
 * What the kernel builders (cpu_vs_kernel.c, cpu_fs_kernel.c and the cpu_nir_* files) share.
 *
 * A kernel is the application's shader with loops around it. Its code is made at three places: the
 * prologue (once per call: addresses, constants of the draw and of the primitive), the head of the
 * innermost loop (per vector of lanes) and the places in the shader's body where the instructions
 * stand that are lowered. cpu_kernel_enter_prologue moves the builder to the first of them.
 */
#ifndef CPU_NIR_H
#define CPU_NIR_H

#include <stddef.h>

#include "driver/cpu/kernel/cpu_kernel.h"
#include "driver/cpu/kernel/cpu_variant.h"
#include "nir/nir_builder.h"

struct cpu_kernel_builder {
    nir_builder b;
    nir_shader *shader; /* the kernel; a clone of the application's */
    nir_function_impl *impl;
    unsigned lanes;
    bool block;         /* a vector is a block of 4×4 pixels of one primitive */
    bool near;          /* its lanes are pixels of one primitive, near each other */
    nir_cf_list body;   /* the application's code until cpu_kernel_insert_body */
    nir_instr **listed; /* intrinsics and texture instructions of the body */
    unsigned num_listed;
    struct cpu_bounded_loop *bounded; /* loops of the body that may go on for long */
    unsigned num_bounded;
    unsigned work;                     /* that they may do, see CPU_MAX_WORK */
    nir_loop *outer_loop;              /* code before it is the prologue; NULL: not there yet */
    bool in_prologue;                  /* the builder has been moved there */
    nir_def *args, *state;             /* addresses */
    const struct cpu_units_key *units; /* of a stage's key; NULL: no textures, no images */
    bool upper_row;                    /* of struct cpu_fs_key */
    /* Fragment kernels: the pixel is covered and not discarded, as a 1-bit variable; NULL else. */
    nir_variable *live;
    /* The invocation has executed a discard, for loops that may go on for long; NULL: no need. */
    nir_variable *ended;
    nir_def *quad_live; /* 1 bit: so is a pixel of its quad, before the body; or NULL */
    nir_def *texture_address[DRV_MAX_SAMPLERS]; /* memo, in the prologue */
};

/* Clones the shader, takes its body out and leaves the builder at the start of an empty function.
 * False: no memory. */
bool cpu_kernel_begin(struct cpu_kernel_builder *kb, const struct cpu_shader *shader,
                      unsigned lanes);
/* Likewise, of a shader that becomes the builder's; also on failure. */
bool cpu_kernel_begin_nir(struct cpu_kernel_builder *kb, struct nir_shader *nir, unsigned lanes);
/* Whether lanes of a batch's last vector that repeat others must be left out, lest they do something
 * twice or take part in what the invocations of a subgroup tell each other. */
static inline bool cpu_masks_idle_lanes(const nir_shader_info *info)
{
    return info->writes_memory || info->uses_subgroups;
}
/* Lists the loops that may go on for long, while the body is still whole; false: no memory. The
 * others see to it that they don't: at the body's beginning (the cursor), and in the loops. */
bool cpu_collect_bounded_loops(struct cpu_kernel_builder *kb);
void cpu_begin_work(struct cpu_kernel_builder *kb);
void cpu_bound_loops(struct cpu_kernel_builder *kb);

/* Puts the body at the builder's cursor and calls lower for each of its intrinsics and texture
 * instructions, the cursor before it. Leaves the cursor behind the body. */
void cpu_kernel_insert_body(struct cpu_kernel_builder *kb,
                            void (*lower)(void *data, nir_instr *instr), void *data);
/* The two halves of that: the first leaves the cursor behind the body, the second anywhere. */
void cpu_kernel_place_body(struct cpu_kernel_builder *kb);
void cpu_kernel_lower_body(struct cpu_kernel_builder *kb,
                           void (*lower)(void *data, nir_instr *instr), void *data);
/* Moves the beginnings of texture accesses in front of the branches of those before them. */
bool cpu_nir_lift_chains(nir_shader *shader);
/* Moves the beginning of what each turn of the loop does into the turn before it. halves: a turn's second half
 * does what its first one does, and begins early, too. */
bool cpu_nir_compute_ahead(nir_shader *shader, nir_loop *loop, bool halves);
/* Lowers what remains of variables, optimizes, and has the shader compiled, which becomes the
 * kernel's. NULL: no memory. Whether it could be compiled is known later: jit_kernel_function. */
struct jit_kernel *cpu_kernel_finish(struct cpu_kernel_builder *kb, struct jit_engine *engine,
                                     const char *name);
/* Waits for a kernel of cpu_kernel_finish. NULL, and the kernel is destroyed: it cannot be compiled.
 * NULL stays NULL. */
struct jit_kernel *cpu_kernel_checked(struct jit_kernel *kernel);

/* Moves the builder to the end of the prologue, unless it is there; leave with what it returns. */
struct cpu_place {
    nir_cursor cursor;
    bool moved;
};
struct cpu_place cpu_kernel_enter_prologue(struct cpu_kernel_builder *kb);
static inline void cpu_kernel_leave_prologue(struct cpu_kernel_builder *kb, struct cpu_place place)
{
    if (place.moved) {
        kb->b.cursor = place.cursor;
        kb->in_prologue = false;
    }
}

/* Load of constant memory at a constant offset in bytes. */
nir_def *cpu_load_const(nir_builder *b, unsigned components, unsigned bit_size, nir_def *address,
                        unsigned offset);
#define cpu_load_field(b, address, type, field, components, bit_size)                              \
    cpu_load_const(b, components, bit_size, address, offsetof(type, field))

/* base + a constant. */
nir_def *cpu_address_imm(nir_builder *b, nir_def *base, uint64_t offset);

/* A loop that counts a uniform variable. Begin leaves the builder in the body, with the counter's
 * value in *counter; end adds step and closes the loop. */
struct cpu_count_loop {
    nir_loop *loop;
    nir_variable *variable;
};
struct cpu_count_loop cpu_begin_count_loop(nir_builder *b, nir_def *limit, nir_def **counter);
void cpu_end_count_loop(nir_builder *b, struct cpu_count_loop *loop, unsigned step);

/* Lowers one instruction of the body at its place. True if it was one of theirs. */
bool cpu_lower_memory(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr);
/* Shared memory of `size` bytes at an address; what lies outside reads 0 and is not written. */
bool cpu_lower_shared(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr, nir_def *address,
                      unsigned size);
bool cpu_lower_tex(struct cpu_kernel_builder *kb, nir_tex_instr *tex);
/* Images: loads, stores, atomics, sizes. */
bool cpu_lower_image(struct cpu_kernel_builder *kb, nir_intrinsic_instr *intr);

/* Address and offset of texel (x, y) in a level whose fields are values; layer is in base. */
struct cpu_level_def {
    nir_def *base;                                      /* 64-bit address */
    nir_def *layer_stride, *sample_stride;              /* 64 bits */
    nir_def *width, *height, *depth, *tile_w, *tiles_x; /* 32 bits */
    nir_def *scale[2];                                  /* width and height in 256ths, floats */
    nir_def *rows, *columns;                            /* 64-bit addresses of tables */
};
void cpu_load_level(nir_builder *b, nir_def *address, nir_def *level, struct cpu_level_def *def);
/* Offset, in texels, of column x and of row y: texel number = column + row. */
nir_def *cpu_texel_column(nir_builder *b, nir_def *x);
nir_def *cpu_texel_row(nir_builder *b, const struct cpu_level_def *level, nir_def *y);

/* --- Per-fragment operations: cpu_nir_depth_stencil.c, cpu_nir_blend.c --- */

/* The texels of a vector, components of `size` bits each. address is uniform: that of the first, all
 * follow; or a vec4 of each quad's first. mask: which lanes are stored. */
nir_def *cpu_load_texels(nir_builder *b, unsigned components, unsigned size, nir_def *address);
void cpu_store_texels(nir_builder *b, nir_def *value, nir_def *address, nir_def *mask);

struct cpu_zs_inputs {
    nir_def *fs;           /* address of struct cpu_fs_state */
    nir_def *address;      /* of the vector's texels, see cpu_load_texels */
    nir_def *z;            /* float */
    nir_def *stencil_ref;  /* from the shader, or NULL */
    nir_def *front_facing; /* 1 bit */
    nir_def *mask;         /* fragments that are tested */
    const struct cpu_fs_key *key;
};
/* Tests, updates the buffer; returns the fragments that passed. */
nir_def *cpu_nir_depth_stencil(nir_builder *b, const struct cpu_zs_inputs *in);

struct cpu_blend_inputs {
    nir_def *fs;               /* address of struct cpu_fs_state */
    nir_def *address;          /* of the vector's texels, see cpu_load_texels */
    nir_def *mask;             /* fragments to write */
    nir_def *src[4], *src1[4]; /* 32-bit scalars; src1: second source or NULL */
    const struct cpu_blend_key *key;
    unsigned rt;
    enum drv_format format;
};
/* Blends and stores a vector of fragments. */
void cpu_nir_blend(nir_builder *b, const struct cpu_blend_inputs *in);

/* x func y, func an enum drv_compare_func; numbers that are no floats are unsigned. */
nir_def *cpu_nir_compare(nir_builder *b, unsigned func, nir_def *x, nir_def *y, bool is_float);

/* The kernels, which workers compile (cpu_kernel_finish). NULL: no memory. */
struct jit_kernel *cpu_build_vs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_vs_key *key, struct cpu_vs_variant *variant);
/* What of a vertex kernel's work: all; positions, clip codes and what else setup reads; the others,
 * of chosen vectors. */
enum cpu_vs_part { CPU_VS_WHOLE, CPU_VS_POSITIONS, CPU_VS_REST };
/* A part of a kernel that was built; of a shader that writes no memory. */
struct jit_kernel *cpu_build_vs_part(struct jit_engine *engine, const struct cpu_shader *shader,
                                     const struct cpu_vs_key *key, enum cpu_vs_part part);
struct jit_kernel *cpu_build_gs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_gs_key *key, struct cpu_gs_variant *variant);
struct jit_kernel *cpu_build_tcs(struct jit_engine *engine, const struct cpu_shader *shader,
                                 const struct cpu_tcs_key *key, struct cpu_tcs_variant *variant);
struct jit_kernel *cpu_build_tes(struct jit_engine *engine, const struct cpu_shader *shader,
                                 const struct cpu_tes_key *key, struct cpu_tes_variant *variant);
/* Window coordinates and clip codes of vertices whose outputs are there: takes a struct cpu_vs_args and
 * reads `out`, of which it has count components: output * 4 + component. */
struct jit_kernel *cpu_build_tail(struct jit_engine *engine,
                                  const struct cpu_stage_outputs *outputs, const uint8_t *component,
                                  unsigned count, const struct cpu_tail_key *key);
struct jit_kernel *cpu_build_cs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_cs_key *key, struct cpu_cs_variant *variant);
struct jit_kernel *cpu_build_fs(struct jit_engine *engine, const struct cpu_shader *shader,
                                const struct cpu_fs_key *key, struct cpu_fs_variant *variant);
/* The same for quads of any primitives, on engines with more than 4 lanes. */
struct jit_kernel *cpu_build_fs_quads(struct jit_engine *engine, const struct cpu_shader *shader,
                                      const struct cpu_fs_key *key);
/* Fills in what the variant says of targets. */
void cpu_fs_describe_targets(const struct cpu_shader *shader, const struct cpu_fs_key *key,
                             struct cpu_fs_variant *variant);

#endif
