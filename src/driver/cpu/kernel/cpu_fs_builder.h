/* SPDX-License-Identifier: MIT */
/* Interface between the two files that build fragment kernels: cpu_fs_planes.c emits the
 * interpolation of inputs, cpu_fs_kernel.c the rest. A kernel of blocks shades blocks of one
 * primitive, a kernel of quads shades quads of several primitives. */
#ifndef CPU_FS_BUILDER_H
#define CPU_FS_BUILDER_H

#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_io.h"

/* Kernels of quads load struct cpu_primitive in pieces of four words: each of a quad's four lanes
 * loads one word. */
#define PIECE_BYTES      16
#define PRIMITIVE_PIECES (sizeof(struct cpu_primitive) / PIECE_BYTES)

/* A uniform value for each quad of the vector. Kernels of blocks, which have one primitive, only
 * use value[0]. */
struct cpu_fs_per_quad {
    nir_def *value[4];
};

/* A linear function c + x * u + y * v. If barycentric is set, u and v are the linear barycentric
 * coordinates of vertices 1 and 2. Otherwise they are the pixel's distance in x and y from the
 * primitive's reference point. */
struct cpu_fs_plane {
    nir_def *c, *x, *y;
    bool barycentric;
    bool affine_only; /* only evaluated if the primitive is affine (cpu_fs_builder.affine) */
    bool read;        /* the kernel reads the plane's value */
    /* Kernels of blocks: constants that hold byte offsets in the table of planes
     * (cpu_fs_args.planes). cpu_fs_write_planes() sets their values. */
    nir_load_const_instr *blocks; /* offset of the values at the first pixel of each block */
    nir_load_const_instr *lanes;  /* offset of the increments to add for each of the 16 pixels */
};

/* All input components, depth, two barycentric coordinates and two components of gl_PointCoord. */
#define MAX_PLANES (CPU_IO_SLOTS * 4 + 5)
_Static_assert(MAX_PLANES * 2 * 16 <= CPU_PLANE_WORDS, "16 blocks and 16 lanes of each");

/* An interpolated input component, loaded on first use. */
struct cpu_fs_varying {
    struct cpu_fs_plane *plane;
    nir_def *v0, *v1;    /* values at vertices 0 and 1 */
    nir_def *change[2];  /* v1 - v0, v2 - v0 */
    nir_def *from_v1[2]; /* v0 - v1, v2 - v1, for interpolation with perspective */
    nir_def *value;      /* value at the pixel center */
};

/* State of building a fragment kernel. */
struct cpu_fs_builder {
    struct cpu_kernel_builder kb;
    const struct cpu_fs_key *key;
    const nir_shader_info *info;
    struct cpu_fs_variant *variant; /* receives the list of inputs; NULL for kernels of quads */
    unsigned quads;        /* quads per vector in a kernel of quads; 0 in a kernel of blocks */
    bool in_body;          /* the builder is in the body */
    nir_instr *body_start; /* instruction that the body follows */

    /* Values of the primitive, or of each quad's primitive: */
    nir_def *fs;                      /* address of struct cpu_fs_state */
    struct cpu_fs_per_quad primitive; /* addresses of struct cpu_primitive */
    /* Kernels of quads: pieces of struct cpu_primitive that have been loaded; NULL: not yet. */
    nir_def *primitive_words[PRIMITIVE_PIECES];
    nir_def *ref[2];                  /* x_ref, y_ref */
    struct cpu_fs_per_quad vertex[3]; /* addresses of vertex outputs */
    /* addresses of struct cpu_barycentrics and of the outputs of the vertices before clipping; only
     * if key->barycentrics, and not for points */
    struct cpu_fs_per_quad barycentrics, original[3];
    struct cpu_fs_per_quad provoking; /* addresses of the provoking vertex's outputs */
    nir_def *inv_w[3];                /* 1/w of the vertices */
    nir_def *affine;       /* 1 bit: all vertices have the same w, so no perspective is needed */
    nir_def *front_facing; /* 1 bit */

    /* Position of the vector and of its lanes: */
    nir_def *block_x, *block_y; /* first pixel of the block */
    nir_def *quad_texel;        /* index of the quad's first texel in its block; NULL for blocks */
    nir_def *lane[2];           /* x and y of the lane's pixel in the block, floats */
    nir_def *texel;             /* index of the lane's texel in the block; only for blocks */
    nir_def *first_texel;       /* index of the vector's first texel in the block, uniform */
    nir_def *delta[2];          /* kernels of quads: result of cpu_fs_locate_block() */
    nir_def *table;             /* kernels of blocks: the address cpu_fs_args.planes */
    /* kernels of blocks: 4 * index of the block, added to cpu_fs_plane.blocks */
    nir_def *block_words;

    /* Coverage: */
    nir_def *coverage;      /* 1 bit: a sample for which the shader runs is covered */
    nir_def *inner;         /* the pixel lies inside of the polygon; only if key->inner_coverage */
    nir_def *covered;       /* mask of covered samples; NULL without multisampling */
    nir_def *smooth;        /* covered fraction of the pixel, float; NULL: not a smooth draw */
    nir_def *live_at_start; /* 1 bit: kb.live before the shader's body */
    nir_variable *samples;  /* multisampling: `covered`, or the part that passed the early tests */
    bool per_sample;        /* the shader runs once per sample */
    /* Uniform index of the current sample; NULL outside of the loop over samples. */
    nir_def *sample;
    nir_def *sample_offset[2]; /* uniform position of that sample relative to the pixel center */

    /* Interpolation: */
    struct cpu_fs_plane plane[MAX_PLANES];
    unsigned num_planes;
    struct cpu_fs_plane *weight[2]; /* linear barycentric coordinates of vertices 1 and 2 */
    struct cpu_fs_plane *z, *point_coord[2];
    /* Where depth and inputs are evaluated, relative to the pixel center; NULL: at the center. */
    nir_def *const *depth_offset, *const *offset;
    /* Ifs before the body. Their branches compute the inputs that are interpolated with
     * perspective.
     *
     * Kernels of blocks only have affine_code: its then branch is for affine primitives, its else
     * branch for others.
     *
     * In kernels of quads, a vector may have both kinds of primitives. Each if only has a then
     * branch. affine_code executes if any lane's primitive is affine; perspective_code follows it
     * and executes if any lane's primitive is not affine. */
    nir_if *affine_code, *perspective_code;
    /* Perspective-correct barycentric coordinates of vertices 0 and 2, computed in the code of
     * primitives that aren't affine. */
    nir_def *perspective[2];
    struct cpu_fs_varying varying[CPU_IO_SLOTS][4];
    nir_def *flat_value[CPU_IO_SLOTS][4];

    struct cpu_outputs outputs;
    nir_variable *passed;      /* counter of samples that passed, for occlusion queries */
    nir_variable *invocations; /* counter of shader invocations, for queries */
};

/* Loads, in the prologue, a uniform value of `bits` bits from address + offset (bytes). FS_ARG()
 * loads a field of struct cpu_fs_args, FS_STATE() a field of struct cpu_fs_state. */
nir_def *cpu_fs_load(struct cpu_fs_builder *f, nir_def *address, unsigned offset, unsigned bits);
#define FS_ARG(f, field, bits)                                                                     \
    cpu_fs_load(f, (f)->kb.args, offsetof(struct cpu_fs_args, field), bits)
#define FS_STATE(f, field, bits) cpu_fs_load(f, (f)->fs, offsetof(struct cpu_fs_state, field), bits)
/* Loads the 32-bit field at that byte offset of struct cpu_primitive; FS_PRIM() takes its name. In
 * kernels of quads, each lane gets the field of its quad's primitive. */
nir_def *cpu_fs_primitive_word(struct cpu_fs_builder *f, unsigned offset);
#define FS_PRIM(f, field) cpu_fs_primitive_word(f, offsetof(struct cpu_primitive, field))
/* Returns the values of the quads as a vec4. If there are fewer than four quads, the other
 * components are value[0]. */
nir_def *cpu_fs_per_quad_vec4(struct cpu_fs_builder *f, const struct cpu_fs_per_quad *values);

/* Moves the builder to the prologue if each vector is a whole block; otherwise leaves it where it
 * is. Use it for code whose result, if vectors are whole blocks, depends only on the lane. Pass the
 * result to cpu_kernel_leave_prologue(), which moves the builder back. */
struct cpu_saved_cursor cpu_fs_enter_invariant_code(struct cpu_fs_builder *f);
/* Computes the column at[0] and the row at[1], as floats, of the texel with index `texel` in its
 * block. */
void cpu_fs_locate_texel(nir_builder *b, nir_def *texel, nir_def *at[2]);
/* Computes the distance in pixels, as floats, of the center of pixel x, y (integers) from the
 * primitive's reference point: delta[0] in x, delta[1] in y. */
void cpu_fs_locate_block(struct cpu_fs_builder *f, nir_def *x, nir_def *y, nir_def *delta[2]);

/* Loads the struct cpu_plane at a byte offset in struct cpu_primitive. */
struct cpu_fs_plane cpu_fs_load_plane(struct cpu_fs_builder *f, unsigned offset);
/* Adds a plane to f->plane, so that it can be evaluated, and returns it. At most MAX_PLANES. */
struct cpu_fs_plane *cpu_fs_add_plane(struct cpu_fs_builder *f, struct cpu_fs_plane plane);
/* Returns the plane's value at the pixel center plus offset (two floats, in pixels; may be
 * NULL). */
nir_def *cpu_fs_plane_value(struct cpu_fs_builder *f, struct cpu_fs_plane *p,
                            nir_def *const *offset);
/* Emits the code at the end of the prologue that fills in the table of plane values. Call it when
 * all planes have been added. blocks: address of the struct cpu_block array; count: number of
 * blocks. Returns the maximum number of blocks of a kernel call. */
unsigned cpu_fs_write_planes(struct cpu_fs_builder *f, nir_def *blocks, nir_def *count);

/* Loads the data of the primitive's vertices that interpolation needs: the fields from `vertex` to
 * `affine`, and `weight`. Call it before inputs are evaluated. */
void cpu_fs_load_vertices(struct cpu_fs_builder *f);
/* Sets where inputs are evaluated by default, relative to the pixel center: an array of two floats
 * in pixels, which must live as long as the builder, or NULL for the center. Sets body_start, and
 * creates affine_code and, with quads, perspective_code. Call it before the body. */
void cpu_fs_set_input_offset(struct cpu_fs_builder *f, nir_def *const *offset);
/* Returns 1/w at the position that cpu_fs_set_input_offset() has set. */
nir_def *cpu_fs_pixel_inv_w(struct cpu_fs_builder *f);
/* Returns a component of gl_PointCoord. Components 2 and 3 are 0 and 1. For lines and triangles,
 * components 0 and 1 are 0. */
nir_def *cpu_fs_point_coord(struct cpu_fs_builder *f, unsigned c);
/* Returns component c of a flat input. data: the struct cpu_fs_builder. A callback for
 * cpu_select_slot(). */
nir_def *cpu_fs_read_flat(void *data, unsigned slot, unsigned c);
/* Returns the value of a load_input_vertex. */
nir_def *cpu_fs_input_of_vertex(struct cpu_fs_builder *f, nir_intrinsic_instr *intr);
/* Returns the value of a load_interpolated_input. */
nir_def *cpu_fs_interpolated_input(struct cpu_fs_builder *f, nir_intrinsic_instr *intr);
/* Loads the position of a sample relative to the pixel center, in pixels: offset[0] is x, offset[1]
 * y. `index` may differ between lanes; indices out of range select the last sample. */
void cpu_fs_load_sample_offset(struct cpu_fs_builder *f, nir_def *index, nir_def *offset[2]);

#endif
