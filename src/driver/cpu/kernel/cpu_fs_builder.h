/* SPDX-License-Identifier: MIT */
/* What the fragment kernel's two files share: cpu_fs_planes.c interpolates, cpu_fs_kernel.c does all else. */
#ifndef CPU_FS_BUILDER_H
#define CPU_FS_BUILDER_H

#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_io.h"

/* Pieces of struct cpu_primitive that a quad's four lanes load. */
#define PIECE_BYTES      16
#define PRIMITIVE_PIECES (sizeof(struct cpu_primitive) / PIECE_BYTES)

/* A uniform value: of the primitive, or of each quad's. */
struct cpu_fs_each {
    nir_def *of[4];
};

/* c + x * at[0] + y * at[1], where at is the place in pixels from the reference point; or the weights of
 * vertices 1 and 2. */
struct cpu_fs_plane {
    nir_def *c, *x, *y;
    bool of_weights;
    bool if_affine; /* else it has no value */
    bool read;      /* somewhere */
    /* Of runs, offsets in the table: of values at blocks, and of lanes' shares. */
    nir_load_const_instr *blocks, *lanes;
};

/* Of all components, depth, weights and the point's coordinates. */
#define MAX_PLANES (CPU_IO_SLOTS * 4 + 5)
_Static_assert(MAX_PLANES * 2 * 16 <= CPU_PLANE_WORDS, "16 blocks and 16 lanes of each");

struct cpu_fs_varying { /* a component; memo */
    struct cpu_fs_plane *plane;
    nir_def *v0, *change[2]; /* v1 - v0, v2 - v0 */
    nir_def *value;          /* at the pixel's center */
};

struct cpu_fs_builder {
    struct cpu_kernel_builder kb;
    const struct cpu_fs_key *key;
    const nir_shader_info *info;
    struct cpu_fs_variant *variant; /* to be told what is read; NULL: somebody was */
    unsigned quads; /* in a vector, each with a primitive of its own; 0: blocks of one */
    bool in_body;   /* the builder is in the body, behind body_start */
    nir_instr *body_start;
    nir_def *fs;                             /* address */
    struct cpu_fs_each primitive;            /* addresses */
    nir_def *words[PRIMITIVE_PIECES];        /* of quads' primitives, see cpu_fs_primitive_word */
    nir_def *ref[2];                         /* x_ref, y_ref */
    struct cpu_fs_each vertex[3], provoking; /* addresses */
    nir_def *inv_w[3];
    nir_def *affine; /* 1 bit: 1/w is the same all over the primitive, as without perspective */
    nir_def *front_facing; /* 1 bit */
    nir_def *block_x, *block_y;
    nir_def *quad_texel;       /* number of the quad's first texel in its block; NULL: no quads */
    nir_def *lane[2];          /* floats: the lane's pixel in the block */
    nir_def *texel;            /* the lane's texel in the block */
    nir_def *first_texel;      /* the vector's, uniform */
    nir_def *delta[2];         /* of quads: their blocks' first pixel center - ref */
    nir_def *table;            /* of runs: address of planes' values */
    nir_def *block_words;      /* of runs: the block's offset there */
    nir_def *coverage;         /* 1 bit: any of the samples that are shaded at once */
    nir_def *covered;          /* samples, a bit each; NULL: single-sampled */
    nir_def *smooth;           /* how much of the pixel is covered; NULL: all */
    nir_def *entered;          /* 1 bit: live when the shader began */
    nir_variable *samples;     /* of covered, those that live */
    bool per_sample;           /* they are shaded one by one */
    nir_def *sample;           /* the one that is worked on, uniform; NULL: the pixel */
    nir_def *sample_offset[2]; /* from the pixel's center; uniform */
    struct cpu_fs_plane plane[MAX_PLANES];
    unsigned num_planes;
    struct cpu_fs_plane *weight[2]; /* of vertices 1 and 2 */
    struct cpu_fs_plane *z, *point_coord[2];
    nir_def *const *depth_offset; /* where depth is, from the pixel's center; NULL: there */
    nir_def *const *offset;       /* likewise: all inputs */
    nir_if *affine_code;          /* before the body: of inputs, if some lane is affine */
    nir_if *perspective_code;     /* behind it: if some lane is not */
    nir_def *perspective[2];      /* weights, in there */
    struct cpu_fs_varying varying[CPU_IO_SLOTS][4];
    nir_def *flat_value[CPU_IO_SLOTS][4];
    struct cpu_outputs outputs;
    nir_variable *passed, *invocations; /* fragments counted for queries */
};

/* A word or address of constant memory, loaded in the prologue. */
nir_def *cpu_fs_load(struct cpu_fs_builder *f, nir_def *address, unsigned offset, unsigned bits);
#define FS_ARG(f, field, bits)                                                                     \
    cpu_fs_load(f, (f)->kb.args, offsetof(struct cpu_fs_args, field), bits)
#define FS_STATE(f, field, bits) cpu_fs_load(f, (f)->fs, offsetof(struct cpu_fs_state, field), bits)
/* A word of the primitive, or in each lane that of its quad's. */
nir_def *cpu_fs_primitive_word(struct cpu_fs_builder *f, unsigned offset);
#define FS_PRIM(f, field) cpu_fs_primitive_word(f, offsetof(struct cpu_primitive, field))
/* vec4; what is not there repeats the first. */
nir_def *cpu_fs_each_vec4(struct cpu_fs_builder *f, const struct cpu_fs_each *values);

/* To where code stands that is the same for all vectors of a call: the prologue, if a vector is a whole
 * block; else it stays. */
struct cpu_place cpu_fs_enter_lane_code(struct cpu_fs_builder *f);
/* Where a texel of a block is in it. */
void cpu_fs_locate_texel(nir_builder *b, nir_def *texel, nir_def *at[2]);
/* Of a block's first pixel, x and y: what its center is away from the reference point. */
void cpu_fs_locate_block(struct cpu_fs_builder *f, nir_def *x, nir_def *y, nir_def *delta[2]);

/* A plane of the primitive at an offset of struct cpu_primitive; it has values once it has been added. */
struct cpu_fs_plane cpu_fs_load_plane(struct cpu_fs_builder *f, unsigned offset);
struct cpu_fs_plane *cpu_fs_add_plane(struct cpu_fs_builder *f, struct cpu_fs_plane plane);
/* offset: 2 values to add to the pixel's position, or NULL. */
nir_def *cpu_fs_plane_value(struct cpu_fs_builder *f, struct cpu_fs_plane *p,
                            nir_def *const *offset);
/* When all planes are known: ends the prologue with the table of their values. Returns how many blocks
 * there may be. */
unsigned cpu_fs_write_planes(struct cpu_fs_builder *f, nir_def *blocks, nir_def *count);

/* What shading needs of the primitive. */
void cpu_fs_load_vertices(struct cpu_fs_builder *f);
/* Where the shader's inputs are, from the pixel's center; NULL: there. Before the body. */
void cpu_fs_place_inputs(struct cpu_fs_builder *f, nir_def *const *offset);
nir_def *cpu_fs_pixel_inv_w(struct cpu_fs_builder *f);
nir_def *cpu_fs_point_coord(struct cpu_fs_builder *f, unsigned c);
/* Component c of a flat input; data: the builder. */
nir_def *cpu_fs_read_flat(void *data, unsigned slot, unsigned c);
nir_def *cpu_fs_interpolated_input(struct cpu_fs_builder *f, nir_intrinsic_instr *intr);
/* Where sample number `index`, which may differ between lanes, is from the pixel's center. */
void cpu_fs_load_sample_offset(struct cpu_fs_builder *f, nir_def *index, nir_def *offset[2]);

#endif
