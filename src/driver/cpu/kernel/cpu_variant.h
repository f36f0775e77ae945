/* SPDX-License-Identifier: MIT */
/*
 * Shaders and their variants: which state a kernel is specialized to, and how to get one.
 *
 * Each state object holds its share of the key ready (struct cpu_*_key), the pipeline's key is put
 * together from them and compared as bytes: all keys are zeroed before they are filled. Variants
 * belong to their shader; looking one up takes a lock only when it must be made.
 */
#ifndef CPU_VARIANT_H
#define CPU_VARIANT_H

#include "driver/cpu/kernel/cpu_lower.h"
#include "driver/cpu/kernel/cpu_kernel.h"
#include "jit/jit.h"

struct cpu_external;
struct cpu_screen;

/* Share of a sampler and its view. Sampled formats decide code, sizes do not. */
struct cpu_sampler_key {
    uint16_t format; /* enum drv_format of the view; 0: unbound */
    uint8_t target;  /* enum drv_target of the view */
    uint8_t swizzle[4];
    uint8_t wrap_s, wrap_t, wrap_r, min_filter, mag_filter, mip_filter;
    uint8_t compare_func; /* 1 + enum drv_compare_func, 0: no comparison */
    uint8_t unnormalized, seamless, sample_stencil, anisotropic;
    uint8_t reduction;    /* enum drv_tex_reduction */
    uint8_t single_level; /* the view has one level: no level to compute */
    uint8_t pot_w, pot_h; /* all levels' sizes are powers of two (wrap by masking) */
};

struct cpu_image_key {
    uint16_t format; /* enum drv_format of the view; 0: unbound */
    uint8_t target;  /* enum drv_target of the view */
    uint8_t pad;
};

/* Textures and images of a stage. */
struct cpu_units_key {
    struct cpu_sampler_key sampler[DRV_MAX_SAMPLERS]; /* zeros where the shader uses none */
    struct cpu_image_key image[DRV_MAX_IMAGES];
    uint8_t num_samplers, num_images; /* the last one used + 1 */
};

struct cpu_blend_key {
    struct drv_rt_blend rt[DRV_MAX_COLOR_BUFS];
    uint8_t logicop; /* 1 + enum drv_logic_op, 0: off */
    uint8_t alpha_to_coverage, alpha_to_one, pad;
};

struct cpu_zs_key {
    uint8_t depth_func; /* 1 + enum drv_compare_func, 0: no depth test */
    uint8_t depth_write;
    struct {
        uint8_t enabled, func, fail_op, zfail_op, zpass_op, pad[3];
    } stencil[2]; /* front, back; masks and references are in cpu_fs_state */
};

/* How a stage ends: the last one before rasterization transforms positions and finds clip codes
 * (cpu_nir_vertex.c). */
struct cpu_tail_key {
    uint8_t last; /* 0: the next stage reads the outputs, and the rest is 0 too */
    uint8_t clip_plane_enable, clip_halfz, depth_clip_near, depth_clip_far;
};

struct cpu_vs_key {
    struct {
        uint16_t
            format;     /* enum drv_format; 0: no element for this attribute: constant 0, 0, 0, 1 */
        uint8_t stream; /* index of the vertex element */
        uint8_t instanced;       /* has a divisor */
    } attrib[VERT_ATTRIB_COUNT]; /* only those that the shader reads */
    struct cpu_tail_key tail;
    uint8_t
        instances_share_vectors; /* each vertex has an instance of its own; else one is all vertices' */
    uint8_t far_arrays; /* vertices may lie 2 GiB behind vertex 0, which may not be there */
    struct cpu_units_key units;
};

struct cpu_tcs_key {
    uint8_t input_slot[64]; /* as in cpu_fs_key: of the vertex stage */
    struct cpu_units_key units;
};

#define CPU_PATCH_SLOTS 34 /* VARYING_SLOT_PATCH0 and on, then the two of the bounding box */

struct cpu_tes_key {
    uint8_t input_slot[64];              /* likewise: of each vertex of the patch */
    uint8_t patch_slot[CPU_PATCH_SLOTS]; /* of the patch */
    struct cpu_tail_key tail;
    struct cpu_units_key units;
};

struct cpu_gs_key {
    uint8_t input_slot[64]; /* as in cpu_fs_key: of the stage before */
    struct cpu_tail_key tail;
    struct cpu_units_key units;
};

struct cpu_cs_key {
    struct cpu_units_key units;
};

struct cpu_fs_key {
    uint16_t color_format[DRV_MAX_COLOR_BUFS]; /* 0: none */
    uint16_t zs_format;
    uint8_t num_color_bufs;
    uint8_t flatshade_first;
    uint8_t depth_clamp;
    uint8_t viewports;         /* primitives choose one of several */
    uint8_t count_samples;     /* an occlusion query runs */
    uint8_t count_invocations; /* a query of the shader's invocations runs */
    uint8_t samples;           /* 2, 4, 8; 0: single-sampled */
    uint8_t sample_masks;      /* multisampling is on: shader and alpha may leave samples out */
    uint8_t sample_shading;    /* every sample is shaded, all inputs interpolated there */
    uint8_t smooth;            /* coverage scales alpha (GL 4.6 §17.1) */
    uint8_t point;             /* the primitive is a point: gl_PointCoord is defined */
    uint8_t point_upper_left;
    uint8_t upper_row; /* the level of detail comes from a quad's row of larger y: the first
                                row of a window's picture, as in framebuffer objects row 0 is */
    /* Where each varying_slot < 64 is among the outputs of the vertex (or geometry) stage: index of
     * the vec4 + 1, 0: not written. Only slots that the shader reads. */
    uint8_t input_slot[64];
    struct cpu_blend_key blend;
    struct cpu_zs_key zs;
    struct cpu_units_key units;
};

/* What a vertex-processing stage hands on. */
struct cpu_stage_outputs {
    uint8_t count;     /* vec4 outputs */
    uint8_t index[64]; /* of a varying_slot: index + 1, 0: not written */
};

/* Number of a slot's output, -1: not written. */
static inline int8_t cpu_output_number(const struct cpu_stage_outputs *outputs, unsigned slot)
{
    return (int8_t)(outputs->index[slot] - 1);
}

/* A compiled vertex stage. */
struct cpu_vs_variant {
    struct jit_kernel *kernel;
    void *external; /* of cpu_external.h instead of kernel; NULL: there is none */
    const struct cpu_external *runner; /* whose it is */
    struct cpu_stage_outputs outputs;
    uint8_t divided; /* lanes of the kernels that may do its work in two parts; 0: there are none */
};

/* What is in a patch's record. */
struct cpu_patch_outputs {
    struct cpu_stage_outputs vertex;
    uint8_t count;                  /* vec4 outputs of the patch itself */
    uint8_t index[CPU_PATCH_SLOTS]; /* index + 1, 0: not written */
};

/* Number of a slot among CPU_PATCH_SLOTS; -1: it is none of the patch's outputs. */
static inline int cpu_patch_slot(unsigned slot)
{
    if (slot >= VARYING_SLOT_PATCH0 && slot <= VARYING_SLOT_PATCH31)
        return (int)slot - VARYING_SLOT_PATCH0;
    if (slot == VARYING_SLOT_BOUNDING_BOX0 || slot == VARYING_SLOT_BOUNDING_BOX1)
        return 32 + (int)slot - VARYING_SLOT_BOUNDING_BOX0;
    return -1;
}

/* Words before a record's vertices. */
static inline uint32_t cpu_patch_vertex_base(const struct cpu_patch_outputs *o)
{
    return CPU_PATCH_FIRST + 4u * o->count;
}

/* A compiled tessellation control stage. */
struct cpu_tcs_variant {
    struct jit_kernel *kernel;
    void *external; /* likewise */
    const struct cpu_external *runner;
    struct cpu_patch_outputs outputs;
    bool barrier;         /* invocations of a patch wait for each other */
    uint16_t spill_words; /* see struct cpu_tcs_args */
};

/* A compiled tessellation evaluation stage. */
struct cpu_tes_variant {
    struct jit_kernel *kernel;
    void *external; /* likewise */
    const struct cpu_external *runner;
    struct jit_kernel *tail; /* as of a geometry stage, if runner runs the shader; else NULL */
    struct cpu_stage_outputs outputs;
};

#define CPU_MAX_GS_WORDS 256

/* A compiled geometry stage. */
struct cpu_gs_variant {
    struct jit_kernel *kernel;
    void *external; /* likewise */
    const struct cpu_external *runner;
    struct jit_kernel
        *tail; /* transforms what was emitted: takes a struct cpu_vs_args whose `out` it
                                reads; made by cpu_variant.c */
    struct cpu_stage_outputs outputs;
    uint16_t words;                      /* of an emitted vertex, see struct cpu_gs_args */
    uint8_t component[CPU_MAX_GS_WORDS]; /* of all but the last: output * 4 + component */
};

/* A compiled compute stage. */
struct cpu_cs_variant {
    struct jit_kernel *kernel;
    void *external; /* likewise */
    const struct cpu_external *runner;
    uint32_t lanes;
    uint32_t shared_bytes; /* of a group */
    uint32_t frame_bytes;  /* of each vector of a group, see struct cpu_cs_args */
};

struct cpu_fs_variant {
    struct jit_kernel *kernel;
    void *external; /* likewise */
    const struct cpu_external *runner;
    bool early_z; /* tests depth before shading */
    bool no_op;   /* writes nothing at all: skip the blocks */
    /* Of buffers, bit per number of a target: */
    uint16_t untouched;   /* are neither read nor written */
    uint16_t overwritten; /* get a new texel for each covered pixel, whatever was there */
    bool uniform; /* what a fragment does depends on its primitive, its depth and what the buffers
                             have, not on its place; it leaves nothing else */
    uint8_t num_inputs;
    uint8_t inputs[16];  /* vertices' components, output * 4 + c, that are read: if there
                                     are more, the first ones. To be prefetched */
    uint16_t max_blocks; /* of a call of the kernel; 0: no limit */
    uint8_t quads;       /* of several primitives, that a vector of their kernel has; 0:
                                     there is no such kernel */
};

/* A driver shader object (create_shader). Owns nir. NULL: no memory. */
struct cpu_shader {
    enum shader_stage stage;
    struct nir_shader *nir; /* after the driver's lowering that no key decides */
    uint64_t inputs_read;   /* vert_attrib or varying_slot bits */
    uint64_t outputs_written;
    uint64_t linear_inputs; /* of a fragment shader: read without perspective */
    uint32_t samplers_used, images_used;
    uint8_t num_storage; /* storage buffers, with those of atomic counters */
    bool writes_memory;  /* storage buffers, images */
    bool uniform;        /* of a fragment shader: all lanes compute the same, and write no memory */
    bool reads_instance; /* gl_InstanceID */
    bool reads_flat;     /* a fragment shader: what a primitive's pixels have in common */
    void *variants;      /* of cpu_variant.c */
    void *external;      /* of cpu_external.h, if the screen has one */
    const struct cpu_external *runner;
};

/* Takes desc->nir, also where it fails. NULL: no memory. */
struct cpu_shader *cpu_shader_create(struct cpu_screen *screen, const struct drv_shader_desc *desc);
void cpu_shader_destroy(struct cpu_shader *shader);

/* The variant for key, made if it is not there; NULL: no memory. Its kernels may yet have to be
 * compiled; if that turns out to be impossible, the next call makes another. Thread-safe. The pointer
 * stays valid until the shader is destroyed. */
const struct cpu_vs_variant *cpu_vs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_vs_key *key);
const struct cpu_tcs_variant *cpu_tcs_variant_get(struct cpu_screen *screen,
                                                  struct cpu_shader *shader,
                                                  const struct cpu_tcs_key *key);
const struct cpu_tes_variant *cpu_tes_variant_get(struct cpu_screen *screen,
                                                  struct cpu_shader *shader,
                                                  const struct cpu_tes_key *key);
const struct cpu_gs_variant *cpu_gs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_gs_key *key);
const struct cpu_cs_variant *cpu_cs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_cs_key *key);
const struct cpu_fs_variant *cpu_fs_variant_get(struct cpu_screen *screen,
                                                struct cpu_shader *shader,
                                                const struct cpu_fs_key *key);

/* The kernel for quads of several primitives, which is made in the background once many primitives
 * wanted it. NULL: there is none (yet); what it does, the variant's kernel does as well. Any thread. */
struct jit_kernel *cpu_fs_variant_quads(const struct cpu_fs_variant *variant);
/* So many primitives did without. */
void cpu_fs_variant_want_quads(const struct cpu_fs_variant *variant, unsigned primitives);

/* What clipping, culling and setup read of vertices. */
#define CPU_POSITION_SLOTS                                                                         \
    (BITFIELD64_BIT(VARYING_SLOT_POS) | BITFIELD64_BIT(VARYING_SLOT_PSIZ) |                        \
     BITFIELD64_BIT(VARYING_SLOT_EDGE) | BITFIELD64_BIT(VARYING_SLOT_LAYER) |                      \
     BITFIELD64_BIT(VARYING_SLOT_VIEWPORT) | BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST0) |             \
     BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST1) | BITFIELD64_BIT(VARYING_SLOT_CULL_DIST0) |           \
     BITFIELD64_BIT(VARYING_SLOT_CULL_DIST1))

/* Kernels that do a vertex kernel's work in two steps: positions of all vertices, and the rest of
 * those that a triangle needs which was not culled. */
struct cpu_vs_parts {
    jit_kernel_fn positions, rest;
};
/* Whether a batch should be shaded by them: the last of the variant's needed few of its vertices, and
 * they were made, which is done in the background once that would have spared many. Any thread. */
bool cpu_vs_variant_parts(const struct cpu_vs_variant *variant, struct cpu_vs_parts *parts);
/* A batch of so many vertices needed some of them. */
void cpu_vs_variant_note(const struct cpu_vs_variant *variant, unsigned vertices, unsigned needed);

/* Filling shares of keys from the contract's descriptions. */
void cpu_sampler_key_init(struct cpu_sampler_key *key, const struct drv_sampler_state *sampler,
                          const struct drv_sampler_view *view);
void cpu_blend_key_init(struct cpu_blend_key *key, const struct drv_blend_state *state);
void cpu_zs_key_init(struct cpu_zs_key *key, const struct drv_depth_stencil_state *state);

/* What formats the kernels can read and write. */
bool cpu_format_can_sample(enum drv_format format);
bool cpu_format_can_render(enum drv_format format);
bool cpu_format_can_fetch(enum drv_format format); /* vertex elements */

#endif
