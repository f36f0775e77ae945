/* SPDX-License-Identifier: MIT */
/*
 * Shaders and their variants. A variant is a shader compiled for particular state, which its key
 * describes.
 *
 * A key is assembled from parts (struct cpu_*_key) that state objects contain. Keys are compared as
 * bytes; therefore all keys are zeroed before they are filled in. Variants belong to their shader.
 * Finding a variant takes a lock only if it has to be created.
 */
#ifndef CPU_VARIANT_H
#define CPU_VARIANT_H

#include <pthread.h>

#include "driver/cpu/kernel/cpu_lower.h"
#include "driver/cpu/kernel/cpu_kernel.h"
#include "jit/jit.h"

struct cpu_external;
struct cpu_screen;

/* Part of the key for a sampler and its view. Fields without a comment are 0 or 1. */
struct cpu_sampler_key {
    /* cpu_store_format() of the view, for filters: without sRGB if the sampler skips its decoding.
     * 0: unbound. */
    uint16_t format;
    uint16_t fetch_format; /* cpu_store_format() of the view, for fetches by texel index */
    uint8_t target;        /* enum drv_target of the view */
    uint8_t swizzle[4];    /* of the view: enum drv_swizzle */
    uint8_t wrap_s, wrap_t, wrap_r, min_filter, mag_filter,
        mip_filter;       /* as in drv_sampler_state */
    uint8_t compare_func; /* 1 + enum drv_compare_func; 0: no comparison */
    uint8_t unnormalized, seamless, sample_stencil, anisotropic;
    uint8_t reduction;    /* enum drv_tex_reduction */
    uint8_t single_level; /* the view has one level, so no level of detail is computed */
    uint8_t pot_w, pot_h; /* all levels have power-of-two width (height), for wrapping by a mask */
};

/* Part of the key for an image. */
struct cpu_image_key {
    uint16_t format; /* enum drv_format of the view; 0: unbound */
    uint8_t target;  /* enum drv_target of the view */
    uint8_t sparse;  /* 1 if texels may be in uncommitted memory, else 0 */
};

/* Classes of textures and images that have handles. All textures (or images) of a class have the
 * same key, and kernels have separate code for each class. A class keeps its key while it has
 * users: resident handles, and kernels that are being built. If all classes have keys, a new key
 * replaces that of a class without users. Image classes follow the texture classes. */
#define CPU_TEXTURE_CLASSES 192
#define CPU_HANDLE_CLASSES  256
struct cpu_handle_classes {
    pthread_mutex_t mutex; /* users may read the elements of their classes without it */
    uint64_t assigned;     /* number of keys that have been assigned to classes */
    /* By class: the value of `assigned` just after its key was assigned (0: it has no key), and the
     * number of users. */
    uint64_t serial[CPU_HANDLE_CLASSES];
    uint32_t users[CPU_HANDLE_CLASSES];
    struct cpu_sampler_key texture[CPU_TEXTURE_CLASSES];
    struct cpu_image_key image[CPU_HANDLE_CLASSES - CPU_TEXTURE_CLASSES];
};
/* Return the class with that key and add a user. If no class has the key, assign it to one. Return
 * CPU_NO_CLASS if all classes have users. Any thread. */
unsigned cpu_texture_class(struct cpu_handle_classes *classes, const struct cpu_sampler_key *key);
unsigned cpu_image_class(struct cpu_handle_classes *classes, const struct cpu_image_key *key);
/* Removes a user of a class. Any thread. */
void cpu_class_release(struct cpu_handle_classes *classes, unsigned class);

/* Part of the key for the textures, images and storage buffers of a stage. */
struct cpu_units_key {
    /* Bit i: textures or images of class i are resident. Zero if the shader uses no handles. */
    uint64_t classes[CPU_HANDLE_CLASSES / 64];
    /* Maximum of cpu_handle_classes.serial of these classes; 0: none. If one of them gets another
     * key, the maximum increases, so that kernels for the old key aren't found. */
    uint64_t newest_class;
    struct cpu_sampler_key sampler[DRV_MAX_SAMPLERS]; /* zero if the shader does not use it */
    struct cpu_image_key image[DRV_MAX_IMAGES];
    uint8_t num_samplers, num_images; /* highest index that the shader uses + 1; 0: none */
    uint8_t far_storage;              /* 1 if a storage buffer may exceed 2 GiB, else 0 */
};

/* Part of the key for blending and logic operations. Fields of one byte are 0 or 1 unless noted. */
struct cpu_blend_key {
    struct drv_rt_blend rt[DRV_MAX_COLOR_BUFS]; /* fields without effect are 0 */
    uint8_t logicop;                            /* 1 + enum drv_logic_op; 0: disabled */
    uint8_t alpha_to_coverage, alpha_to_coverage_dither, alpha_to_one;
};

/* Part of the key for the depth and stencil tests. */
struct cpu_zs_key {
    uint8_t depth_func;   /* 1 + enum drv_compare_func; 0: no depth test */
    uint8_t depth_write;  /* 0 or 1 */
    uint8_t depth_bounds; /* the depth bounds test is enabled; bounds are in cpu_fs_state */
    /* As in drv_depth_stencil_state: if [1] is not enabled, [0] applies to both faces. 0 where not
     * enabled. Masks and reference values are in cpu_fs_state. */
    struct {
        uint8_t enabled, func, fail_op, zfail_op, zpass_op, pad[3];
    } stencil[2];
};

/* Part of the key for the end of a vertex-processing stage. The last stage before rasterization
 * transforms positions and computes clip codes (cpu_nir_vertex.c). */
struct cpu_finish_vertices_key {
    uint8_t last; /* this is the last stage; otherwise all fields are 0 */
    uint8_t clip_plane_enable, clip_halfz, depth_clip_near, depth_clip_far; /* rasterizer state */
};

/* Key of the vertex stage. */
struct cpu_vs_key {
    struct {
        uint16_t format;         /* enum drv_format; 0: no array; the attribute is 0, 0, 0, 1 */
        uint8_t stream;          /* index of the vertex element, in cpu_vs_args.stream */
        uint8_t instanced;       /* the vertex element has a divisor */
    } attrib[VERT_ATTRIB_COUNT]; /* zero if the shader does not read it */
    struct cpu_finish_vertices_key finish_vertices;
    uint8_t instances_share_vectors; /* cpu_vs_args.instance has the instance of each vertex */
    uint8_t far_arrays;              /* offsets from vertex 0 may exceed 2 GiB */
    struct cpu_units_key units;
};

/* Keys of the tessellation, geometry and compute stages. */
struct cpu_tcs_key {
    uint8_t input_slot[64]; /* like cpu_fs_key.input_slot, for the outputs of the vertex stage */
    struct cpu_units_key units;
};

/* Slots of patch outputs: VARYING_SLOT_PATCH0 to PATCH31, then BOUNDING_BOX0 and 1. */
#define CPU_PATCH_SLOTS 34

struct cpu_tes_key {
    uint8_t input_slot[64]; /* like cpu_fs_key.input_slot, for the vertices of a patch record */
    uint8_t patch_slot[CPU_PATCH_SLOTS]; /* index of the patch's vec4 output + 1; 0: not written */
    struct cpu_finish_vertices_key finish_vertices;
    struct cpu_units_key units;
};

struct cpu_gs_key {
    uint8_t input_slot[64]; /* like cpu_fs_key.input_slot, for the outputs of the previous stage */
    struct cpu_finish_vertices_key finish_vertices;
    struct cpu_units_key units;
};

struct cpu_cs_key {
    struct cpu_units_key units;
};

/* Key of the fragment stage. Fields of one byte are 0 or 1 unless noted. */
struct cpu_fs_key {
    uint16_t color_format[DRV_MAX_COLOR_BUFS]; /* enum drv_format; 0: no buffer */
    uint16_t zs_format;                        /* enum drv_format; 0: no buffer */
    uint8_t num_color_bufs;                    /* elements of color_format in use */
    uint8_t flatshade_first;                   /* rasterizer state */
    uint8_t depth_clamp;                       /* rasterizer state */
    uint8_t viewports;         /* depth_clamp is set, and primitives select their viewport */
    uint8_t count_samples;     /* an occlusion query is active */
    uint8_t count_invocations; /* a query of fragment shader invocations is active */
    uint8_t samples;           /* 2, 4, 8 or 16; 0: no multisampling */
    uint8_t sample_masks;      /* multisampling is enabled: shader and alpha may mask samples */
    uint8_t sample_shading;    /* each sample is shaded, with inputs interpolated there */
    /* INTEL_conservative_rasterization. inner_coverage: gl_SampleMaskIn is 0 unless the whole pixel
     * is inside of the polygon (cpu_block.mask). all_samples: gl_SampleMaskIn has all covered
     * samples, even if each sample is shaded separately. */
    uint8_t inner_coverage, all_samples;
    uint8_t barycentrics; /* the shader reads barycentric coordinates or single vertices */
    uint8_t smooth;       /* coverage scales alpha (GL 4.6 §17.1) */
    uint8_t point;        /* the primitives are points: gl_PointCoord is defined */
    /* Implicit x derivatives of texture coordinates are computed in the second row of each quad (at
     * the larger y) instead of the first. Set for windows, where that is the upper row on the
     * screen. */
    uint8_t upper_row;
    /* [varying_slot], for slots that the shader reads: 1 + index of the vec4 among the outputs of
     * the last vertex-processing stage; 0: that stage doesn't write it. */
    uint8_t input_slot[64];
    struct cpu_blend_key blend;
    struct cpu_zs_key zs;
    struct cpu_units_key units;
};

/* Which outputs a vertex-processing stage writes, and at which indices. */
struct cpu_stage_outputs {
    uint8_t count;     /* number of vec4 outputs */
    uint8_t index[64]; /* [varying_slot]: index of the vec4 + 1; 0: not written */
    bool viewport_mask, viewport_relative_layer; /* as in nir_shader_info */
};

/* Returns the index of the vec4 output that the stage writes for a slot (enum varying_slot below
 * 64), or -1 if it writes none. */
static inline int8_t cpu_output_number(const struct cpu_stage_outputs *outputs, unsigned slot)
{
    return (int8_t)(outputs->index[slot] - 1);
}

/* A compiled vertex stage. In the variants of all stages, `kernel` is NULL if the screen has a
 * runner (cpu_external.h), which then executes the shaders. */
struct cpu_vs_variant {
    struct jit_kernel *kernel;
    /* The result of runner->vs_create(), which replaces the kernel if the screen has a runner
     * (cpu_external.h); otherwise NULL. */
    void *external;
    const struct cpu_external *runner;
    struct cpu_stage_outputs outputs;
    uint8_t divided; /* vector width of the two kernels of struct cpu_vs_parts; 0: never built */
};

/* Contents of a patch record (CPU_PATCH_FIRST). */
struct cpu_patch_outputs {
    struct cpu_stage_outputs vertex; /* outputs of each vertex */
    uint8_t count;                   /* number of vec4 outputs of the patch */
    uint8_t index[CPU_PATCH_SLOTS];  /* index of the vec4 + 1; 0: not written */
};

/* Returns the number of a varying slot among the CPU_PATCH_SLOTS patch outputs, or -1 if it is not
 * a patch output. */
static inline int cpu_patch_slot(unsigned slot)
{
    if (slot >= VARYING_SLOT_PATCH0 && slot <= VARYING_SLOT_PATCH31)
        return (int)slot - VARYING_SLOT_PATCH0;
    if (slot == VARYING_SLOT_BOUNDING_BOX0 || slot == VARYING_SLOT_BOUNDING_BOX1)
        return 32 + (int)slot - VARYING_SLOT_BOUNDING_BOX0;
    return -1;
}

/* Returns the offset, in 32-bit words, of the first vertex in a patch record. */
static inline uint32_t cpu_patch_vertex_base(const struct cpu_patch_outputs *o)
{
    return CPU_PATCH_FIRST + 4u * o->count;
}

/* A compiled tessellation control stage. */
struct cpu_tcs_variant {
    struct jit_kernel *kernel;
    void *external; /* as in cpu_vs_variant */
    const struct cpu_external *runner;
    struct cpu_patch_outputs outputs;
    bool barrier;         /* the shader has barriers */
    uint16_t spill_words; /* words per item in cpu_tcs_args.spill */
};

/* A compiled tessellation evaluation stage. */
struct cpu_tes_variant {
    struct jit_kernel *kernel;
    void *external; /* as in cpu_vs_variant */
    const struct cpu_external *runner;
    struct jit_kernel *finish_vertices; /* as in cpu_gs_variant; NULL without a runner */
    struct cpu_stage_outputs outputs;
};

#define CPU_MAX_GS_WORDS 256 /* maximum number of words of an emitted vertex */

/* A compiled geometry stage. */
struct cpu_gs_variant {
    struct jit_kernel *kernel;
    void *external; /* as in cpu_vs_variant */
    const struct cpu_external *runner;
    /* Computes window coordinates and clip codes of emitted vertices: takes a struct cpu_vs_args
     * and reads its `out`. */
    struct jit_kernel *finish_vertices;
    struct cpu_stage_outputs outputs;
    uint16_t words;                      /* words of an emitted vertex (struct cpu_gs_args) */
    uint8_t component[CPU_MAX_GS_WORDS]; /* per word except the last: output * 4 + component */
};

/* A compiled compute stage. */
struct cpu_cs_variant {
    struct jit_kernel *kernel;
    void *external; /* as in cpu_vs_variant */
    const struct cpu_external *runner;
    uint32_t lanes;        /* invocations per vector */
    uint32_t shared_bytes; /* shared memory of a work group */
    uint32_t frame_bytes;  /* bytes that each vector needs in cpu_cs_args.frames */
    bool clear_frames;     /* the frames must be 0 when a work group begins */
};

/* A compiled fragment stage. */
struct cpu_fs_variant {
    struct jit_kernel *kernel;
    void *external; /* as in cpu_vs_variant */
    const struct cpu_external *runner;
    bool early_z; /* tests depth before shading */
    bool no_op;   /* the draw has no effect: blocks are skipped */
    /* Masks of targets: bit i is color buffer i, or depth-stencil if i is CPU_ZS_TARGET. */
    uint16_t untouched;   /* targets that are neither read nor written */
    uint16_t overwritten; /* targets whose covered texels are all replaced without being read */
    /* The values that a fragment writes depend only on its primitive, its depth, the targets'
     * texels and, if alpha is dithered, its position in the 4×4 block. It writes only to targets.
     */
    bool uniform;
    uint8_t num_inputs; /* number of elements of `inputs` in use */
    /* Vertex output components (output * 4 + c) that the kernel reads, for prefetching. Those that
     * don't fit are left out. */
    uint8_t inputs[16];
    uint16_t max_blocks; /* maximum number of blocks of a kernel call; 0: no limit */
    uint8_t quads; /* quads per vector in the kernel of quads (cpu_fs_variant_quads()); 0: none */
};

/* A shader after cpu_lower_shader(). */
struct cpu_shader {
    enum shader_stage stage;
    struct nir_shader *nir;   /* constant; shared with data of wide kernels (cpu_fs_wide.c) */
    uint32_t *nir_users;      /* atomic: number of owners of nir */
    uint64_t inputs_read;     /* mask of enum vert_attrib (vertex shader) or enum varying_slot */
    uint64_t outputs_written; /* mask of enum varying_slot or enum frag_result */
    uint64_t linear_inputs;   /* fragment shader: mask of inputs interpolated without perspective */
    uint64_t samplers_used;   /* mask of sampler indices */
    uint32_t images_used;     /* mask of image indices: all below the number of images */
    uint8_t num_storage;      /* number of storage buffers, including those of atomic counters */
    bool writes_memory;       /* writes storage buffers or images */
    bool uses_handles;        /* accesses textures or images through handles */
    struct cpu_handle_classes *classes; /* the screen's classes */
    bool uniform;   /* fragment shader: all lanes compute the same values and write no memory */
    bool has_loops; /* a call of a kernel may take long */
    bool reads_instance; /* reads gl_InstanceID */
    /* Fragment shader: reads barycentric coordinates or inputs of single vertices. */
    bool reads_barycentrics;
    bool reads_flat; /* fragment shader: reads values that are constant in a primitive */
    void *variants;  /* struct cpu_variant_list, private to cpu_variant.c */
    void *external;  /* the result of runner->shader_create(), if the screen has a runner */
    const struct cpu_external *runner;
};

/* Creates a shader. Takes ownership of desc->nir, also on failure. Returns NULL if out of memory or
 * if the screen's runner cannot run the shader. Any thread. */
struct cpu_shader *cpu_shader_create(struct cpu_screen *screen, const struct drv_shader_desc *desc);
/* Waits for the jobs that compile the shader's kernels, then frees the shader and its variants. No
 * scene may use them. NULL does nothing. */
void cpu_shader_destroy(struct cpu_shader *shader);
/* Releases a share of the shader's nir; the last owner frees it. Any thread. */
void cpu_shader_release_nir(const struct cpu_shader *shader);

/* Return the variant of the shader for a key, and create it if necessary. Return NULL if out of
 * memory or if the screen's runner cannot run the shader. The variant's kernel may still be
 * compiling. If its compilation failed, the next call creates a new variant. Variants live until
 * the shader is destroyed. Any thread. */
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

/* Returns the kernel for quads of several primitives (struct cpu_quad), or NULL before it is
 * compiled. If its compilation has failed, its function is NULL; use the variant's kernel then. A
 * worker compiles it after cpu_fs_variant_want_quads() has reported many primitives. Any thread. */
struct jit_kernel *cpu_fs_variant_quads(const struct cpu_fs_variant *variant);
/* Reports that `primitives` small primitives were drawn without the kernel for quads. Starts its
 * compilation in the background once the total is large enough. Any thread. */
void cpu_fs_variant_want_quads(const struct cpu_fs_variant *variant, unsigned primitives);

/* The outputs that clipping, culling and setup read, as bits of enum varying_slot. */
#define CPU_POSITION_SLOTS                                                                         \
    (BITFIELD64_BIT(VARYING_SLOT_POS) | BITFIELD64_BIT(VARYING_SLOT_PSIZ) |                        \
     BITFIELD64_BIT(VARYING_SLOT_EDGE) | BITFIELD64_BIT(VARYING_SLOT_LAYER) |                      \
     BITFIELD64_BIT(VARYING_SLOT_VIEWPORT) | BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST0) |             \
     BITFIELD64_BIT(VARYING_SLOT_CLIP_DIST1) | BITFIELD64_BIT(VARYING_SLOT_CULL_DIST0) |           \
     BITFIELD64_BIT(VARYING_SLOT_CULL_DIST1))

/* Two kernels that together replace a vertex kernel. `positions` computes the outputs in
 * CPU_POSITION_SLOTS of all vertices. `rest` computes the other outputs, only of vertices of
 * triangles that were not culled. */
struct cpu_vs_parts {
    struct jit_function positions, rest;
};
/* Returns true and stores the two kernels in *parts if the next batch should use them: they are
 * compiled, and the last batch needed at most half of its vertices. Any thread. */
bool cpu_vs_variant_parts(const struct cpu_vs_variant *variant, struct cpu_vs_parts *parts);
/* Reports a batch of `vertices` vertices, of which the triangles that remained after culling used
 * `needed`. Starts the compilation of the two kernels in the background once they would have saved
 * enough work. Only for variants whose `divided` is not 0. Any thread. */
void cpu_vs_variant_note(const struct cpu_vs_variant *variant, unsigned vertices, unsigned needed);

/* Initialize parts of keys from state descriptions of driver.h. */
void cpu_sampler_key_init(struct cpu_sampler_key *key, const struct drv_sampler_state *sampler,
                          const struct drv_sampler_view *view);
void cpu_blend_key_init(struct cpu_blend_key *key, const struct drv_blend_state *state);
void cpu_zs_key_init(struct cpu_zs_key *key, const struct drv_depth_stencil_state *state);

/* Return whether kernels can sample from a format, render to it (also depth-stencil formats), or
 * fetch vertex elements in it. False for format 0. */
bool cpu_format_can_sample(enum drv_format format);
bool cpu_format_can_render(enum drv_format format);
bool cpu_format_can_fetch(enum drv_format format);

#endif
