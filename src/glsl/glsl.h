/* SPDX-License-Identifier: MIT */
/*
 * The GLSL compiler: text → HIR (one shader) → linked program, one NIR shader per stage.
 * It knows no GL context; everything it depends on is in struct glsl_options. Thread-safe: no
 * state outside the talloc contexts that are passed in.
 */
#ifndef GLSL_H
#define GLSL_H

#include "nir/nir.h"
#include "spirv/spirv.h"

/* Extensions with a shading-language side. The list is made from glsl_extensions.py. */
#include "glsl_extensions.h" /* generated: enum glsl_extension, GLSL_EXT_COUNT */

struct glsl_limits { /* values of the gl_Max… constants, and what the linker checks */
    unsigned max_lights, max_clip_planes, max_texture_units, max_texture_coords;
    unsigned max_vertex_attribs, max_vertex_uniform_components, max_fragment_uniform_components;
    unsigned max_varying_components; /* floats between stages */
    unsigned max_vertex_texture_image_units, max_texture_image_units;
    unsigned max_combined_texture_image_units, max_draw_buffers, max_dual_source_draw_buffers;
    unsigned max_clip_distances, max_cull_distances, max_combined_clip_and_cull_distances;
    unsigned max_uniform_locations, max_uniform_block_size, max_uniform_blocks; /* per stage */
    unsigned max_combined_uniform_blocks, max_storage_blocks, max_images, max_atomic_counters;
    unsigned max_samples, max_viewports, max_geometry_output_vertices, max_patch_vertices;
    unsigned max_compute_workgroup_size[3], max_compute_workgroup_invocations;
    int min_program_texel_offset, max_program_texel_offset;
    int min_program_texture_gather_offset, max_program_texture_gather_offset;
    unsigned max_transform_feedback_buffers, max_transform_feedback_components; /* of one buffer */
    /* The rest is 0 where the context has no such feature. Components are of 32 bits. */
    unsigned max_uniform_components[SHADER_STAGES]; /* of the default block */
    unsigned max_input_components[SHADER_STAGES], max_output_components[SHADER_STAGES];
    unsigned max_stage_samplers[SHADER_STAGES], max_stage_images[SHADER_STAGES];
    unsigned max_stage_uniform_blocks[SHADER_STAGES], max_stage_storage_blocks[SHADER_STAGES];
    unsigned max_stage_atomic_counters[SHADER_STAGES], max_stage_atomic_buffers[SHADER_STAGES];
    unsigned max_image_units, max_image_samples, max_combined_images;
    unsigned max_combined_shader_output_resources; /* images, storage blocks, fragment outputs */
    unsigned max_combined_atomic_counters, max_combined_atomic_buffers, max_atomic_bindings;
    unsigned max_atomic_buffer_size, max_storage_block_size; /* bytes */
    unsigned max_combined_storage_blocks, max_uniform_bindings, max_storage_bindings;
    unsigned max_tess_gen_level, max_patch_components, max_tess_ctrl_total_output_components;
    unsigned max_geometry_total_output_components, max_geometry_invocations, max_vertex_streams;
    unsigned max_compute_workgroup_count[3], max_compute_shared_memory; /* bytes */
    unsigned max_subroutines, max_subroutine_uniform_locations;
    float min_interpolation_offset, max_interpolation_offset;
    unsigned interpolation_offset_bits;
    unsigned max_transform_feedback_separate_attribs, max_transform_feedback_separate_components;
};

struct glsl_options {
    bool es;                  /* the context is OpenGL ES */
    bool core;                /* desktop core profile: no compatibility features */
    unsigned max_version;     /* highest desktop #version, 120 … 460 */
    unsigned max_es_version;  /* highest #version … es, 100 … 320; 0: none */
    unsigned default_version; /* without #version: 110, or 100 for ES */
    BITSET_DECLARE(extensions, GLSL_EXT_COUNT); /* supported */
    struct glsl_limits limits;
    const nir_shader_compiler_options *nir_options[SHADER_STAGES];
};

/* One compiled shader object. */
struct glsl_shader {
    enum shader_stage stage;
    bool compiled;    /* without errors; if not, only info_log is valid */
    unsigned version; /* 120, 300 … */
    bool es;
    char *info_log; /* "" when there is nothing to say */
    struct hir_shader *hir;
    nir_shader *nir; /* of a SPIR-V module, which has no hir; NULL: it is GLSL */
};

/* Compiles length bytes of text. Never NULL but for no memory. Freed by talloc_free. Any bytes are
 * accepted; errors and warnings go to info_log as "0:12(7): error: …", each with source and caret. */
struct glsl_shader *glsl_compile(void *mem_ctx, const struct glsl_options *options,
                                 enum shader_stage stage, const char *text, size_t length);

/* A SPIR-V module to make a shader of one of its entry points. */
struct glsl_module {
    enum shader_stage stage;
    const uint32_t *words; /* any are accepted, as are entry points and constants that are none */
    size_t num_words;
    const char *entry_point;
    const struct spirv_specialization *specializations;
    unsigned num_specializations;
};
/* glsl_compile for SPIR-V; the module is not needed any more behind it. */
struct glsl_shader *glsl_specialize(void *mem_ctx, const struct glsl_options *options,
                                    const struct glsl_module *module);

/* GL_ARB_shading_language_include. Paths start with '/', and have no "." or ".." in them. */
enum glsl_include_result {
    GLSL_INCLUDE_FOUND,
    GLSL_INCLUDE_NO_STRING, /* the location exists, but for what is below it */
    GLSL_INCLUDE_NOT_FOUND,
};
struct glsl_includes {
    const char *const *search; /* locations where relative paths are looked for, in this order */
    unsigned num_search;
    /* text stays valid until glsl_compile_with returns. */
    enum glsl_include_result (*find)(void *data, const char *path, const char **text,
                                     size_t *length);
    void *data;
};
/* glsl_compile with strings to include; includes NULL: none. */
struct glsl_shader *glsl_compile_with(void *mem_ctx, const struct glsl_options *options,
                                      const struct glsl_includes *includes, enum shader_stage stage,
                                      const char *text, size_t length);
/* Whether the extension's rules for paths (Appendix A) allow it. */
bool glsl_path_is_valid(const char *path, size_t length);
/* The location that a path means, seen from base; a child of mem_ctx. NULL: it is not valid, or no
 * memory. */
char *glsl_path_locate(void *mem_ctx, const char *base, const char *path, size_t length);

/* Whether path is below the location. */
bool glsl_path_is_below(const char *location, const char *path);

/* What the API set before linking. Names are as in the program. */
struct glsl_binding {
    const char *name;
    unsigned location;
    unsigned index; /* fragment outputs: 0, or 1 for the second source of blending */
};

struct glsl_link_input {
    struct glsl_shader *const *shaders; /* all compiled */
    unsigned num_shaders;
    const struct glsl_binding *attribs; /* glBindAttribLocation */
    unsigned num_attribs;
    const struct glsl_binding *frag_data; /* glBindFragDataLocation(Indexed) */
    unsigned num_frag_data;
    const char *const *xfb_varyings; /* glTransformFeedbackVaryings */
    unsigned num_xfb_varyings;
    bool xfb_separate;
    bool separable;
};

/* An active uniform of the default block (arrays are one entry, structs one per leaf), or a member
 * of a block. */
struct glsl_uniform {
    char *name;                   /* "s.f", "a[0]", as GL 4.6 §7.3.1 names active resources */
    const struct glsl_type *type; /* the element's for arrays */
    unsigned array_size;          /* 0: no array */
    int location; /* of element 0; elements follow; -1: none (block member, built-in) */
    int offset;   /* bytes: in the program's default block storage, in its block, or
                                  * in the counters' buffer */
    unsigned array_stride, matrix_stride; /* bytes */
    bool row_major;
    int block_index;   /* -1: default block */
    int atomic_buffer; /* of counters: index in atomic_buffers, else -1 */
    bool unsized;      /* storage block's last member, whose length the buffer gives */
    unsigned top_array_size,
        top_array_stride; /* of the storage block's member that it is part of, if
                                                * an array of aggregates (0: unsized), else 1, 0 */
    uint8_t stages;       /* bit of each stage that uses it */
    bool opaque;          /* sampler, image: a slot; atomic counter; no storage */
    int opaque_index
        [SHADER_STAGES];    /* first sampler (or image) slot in that stage, -1: unused there */
    int binding;            /* layout(binding): initial value, -1: none */
    const uint8_t *initial; /* packed initial value of a default-block uniform, or NULL: zeros */
    bool builtin;           /* gl_*: mirrors state, no location */
    unsigned num_state_slots;
    nir_state_slot
        *state_slots; /* one for each vec4 (array elements, matrix columns one after the other) */
};

struct glsl_attrib {
    char *name;
    const struct glsl_type *type;
    int location; /* generic attribute, or -1 for built-in ones */
    int slot;     /* vert_attrib / frag_result */
    int index;    /* fragment outputs: dual source */
    int component;
    bool patch;
    uint8_t stages; /* bit of the stage that it belongs to */
};

struct glsl_block { /* uniform or storage block; one entry per array element */
    char *name;
    unsigned size; /* bytes */
    int binding;   /* layout(binding), 0 */
    uint8_t stages;
    int stage_index[SHADER_STAGES]; /* index in that stage's table, -1 */
    int first_member; /* in uniforms; -1: those of the array's first element stand for all */
    bool is_storage;
    const struct glsl_type *type;
};

/* All atomic counters of one binding, which nothing can change. In NIR they are variables with the
 * stage's index as data.binding, and data.offset in bytes. */
struct glsl_atomic_buffer {
    unsigned binding, size; /* size: bytes that the counters reach to */
    uint8_t stages;
    int stage_index[SHADER_STAGES]; /* number among those of that stage, -1 */
};

struct glsl_subroutine {
    char *name;
    enum shader_stage stage;
    unsigned index;
};

/* Its value in the default block is the index of a function, a uint for each element. */
struct glsl_subroutine_uniform {
    char *name; /* without "[0]" */
    enum shader_stage stage;
    unsigned array_size;  /* 0: no array */
    unsigned location;    /* of element 0; stages count apart */
    unsigned offset;      /* bytes in the default block */
    unsigned *compatible; /* indices of functions */
    unsigned num_compatible;
};

struct glsl_xfb_output {
    char *name;
    const struct glsl_type *type; /* NULL: gl_SkipComponents and gl_NextBuffer, of which only name,
                                   * buffer and array_size are set: the components left out */
    unsigned array_size;
    uint8_t buffer, stream;
    unsigned slot, component, num_components; /* varying_slot, first component, of 32 bits */
    unsigned offset;                          /* bytes in the buffer */
};

struct glsl_program {
    bool linked; /* if not, only info_log is valid */
    char *info_log;
    unsigned version;
    bool es;
    nir_shader *nir[SHADER_STAGES]; /* NULL: no such stage; children of the program */
    struct glsl_uniform *uniforms;
    unsigned num_uniforms;
    unsigned num_active_uniforms; /* the rest are variables of storage blocks */
    /* location → index in uniforms; -1: unused, -2: of a uniform that is not active */
    int *location_to_uniform;
    unsigned num_locations;
    unsigned default_block_size; /* bytes; shared by all stages: constant buffer 0 of each */
    struct glsl_attrib *inputs, *outputs; /* of the first and of the last stage */
    unsigned num_inputs, num_outputs;
    struct glsl_block *blocks;
    unsigned num_blocks;
    struct glsl_atomic_buffer *atomic_buffers;
    unsigned num_atomic_buffers;
    struct glsl_subroutine *subroutines;
    unsigned num_subroutines;
    struct glsl_subroutine_uniform *subroutine_uniforms;
    unsigned num_subroutine_uniforms;
    struct glsl_xfb_output *xfb;
    unsigned num_xfb;
    unsigned xfb_stride[4]; /* bytes */
};

/* Links. Never NULL but for no memory. The shaders are only read: they can be linked again. The
 * NIR of each stage has passed nir_optimize, I/O are variables with assigned locations (slots),
 * uniforms are variables: data.driver_location = byte offset in the default block, samplers (and,
 * counted apart, images) data.binding = slot of the stage. No calls are left. */
struct glsl_program *glsl_link(void *mem_ctx, const struct glsl_options *options,
                               const struct glsl_link_input *input);

/* A linked program as bytes, of one build: no data, no memory. And back, linked, without the
 * shaders that it was made from; NULL: no memory, or the bytes are damaged. */
struct blob_bytes glsl_program_serialize(void *mem_ctx, const struct glsl_program *program);
struct glsl_program *glsl_program_deserialize(void *mem_ctx, const struct glsl_options *options,
                                              const void *data, size_t size);

/* Of a name of transform feedback: gl_SkipComponents1-4 as the number, else 0. */
unsigned glsl_skipped_components(const char *name);

/* Preprocessed text of a shader, for tools and tests; NULL with *info_log set on errors. */
char *glsl_preprocess(void *mem_ctx, const struct glsl_options *options, enum shader_stage stage,
                      const char *text, size_t length, char **info_log);
/* The same for the syntax tree. */
char *glsl_print_ast(void *mem_ctx, const struct glsl_options *options, enum shader_stage stage,
                     const char *text, size_t length, char **info_log);

#endif
