/* SPDX-License-Identifier: MIT */
/*
 * The GLSL compiler: compiles text to HIR, one shader at a time, and links shaders to a program
 * with one NIR shader per stage. It needs no GL context; all its parameters are in struct
 * glsl_options. Thread-safe: there is no state outside the talloc contexts that the caller passes.
 *
 * When out of memory, a function fails the calling thread's attempt (util/memory.h). It returns, as
 * described below, only if there is no attempt.
 */
#ifndef GLSL_H
#define GLSL_H

#include "nir/nir.h"
#include "spirv/spirv.h"

/* Extensions that affect the shading language, listed in glsl_extensions.py. */
#include "glsl_extensions.h" /* generated: enum glsl_extension, GLSL_EXT_COUNT */

struct drv_stream_output;

/* Values of the gl_Max… constants and limits that the linker checks. Most fields have the names and
 * units of a gl_Max… constant (GLSL 4.60 §7.3) or a GL_MAX_… limit (GL 4.6, chapter 23). */
struct glsl_limits {
    unsigned max_lights, max_clip_planes, max_texture_units, max_texture_coords;
    unsigned max_vertex_attribs, max_vertex_uniform_components, max_fragment_uniform_components;
    unsigned max_varying_components; /* 32-bit components passed from stage to stage */
    unsigned max_vertex_texture_image_units, max_texture_image_units;
    unsigned max_combined_texture_image_units, max_draw_buffers, max_dual_source_draw_buffers;
    unsigned max_clip_distances, max_cull_distances, max_combined_clip_and_cull_distances;
    unsigned max_uniform_locations, max_uniform_block_size; /* block size in bytes */
    unsigned max_uniform_blocks;                            /* per stage */
    unsigned max_combined_uniform_blocks, max_storage_blocks, max_images, max_atomic_counters;
    unsigned max_samples, max_viewports, max_geometry_output_vertices, max_patch_vertices;
    unsigned max_views;                              /* OVR_multiview; 0: no multiview */
    unsigned max_mesh_vertices, max_mesh_primitives; /* vertices and primitives of one mesh */
    unsigned max_task_payload;                       /* bytes */
    unsigned max_compute_workgroup_size[3], max_compute_workgroup_invocations;
    int min_program_texel_offset, max_program_texel_offset;
    int min_program_texture_gather_offset, max_program_texture_gather_offset;
    unsigned max_transform_feedback_buffers;
    unsigned max_transform_feedback_components; /* 32-bit components in one buffer */
    /* The limits below are 0 if the context lacks the feature. Components are 32 bits wide. */
    unsigned max_uniform_components[SHADER_STAGE_COUNT]; /* components of the default block */
    unsigned max_input_components[SHADER_STAGE_COUNT], max_output_components[SHADER_STAGE_COUNT];
    unsigned max_stage_samplers[SHADER_STAGE_COUNT], max_stage_images[SHADER_STAGE_COUNT];
    unsigned max_stage_uniform_blocks[SHADER_STAGE_COUNT],
        max_stage_storage_blocks[SHADER_STAGE_COUNT];
    unsigned max_stage_atomic_counters[SHADER_STAGE_COUNT],
        max_stage_atomic_buffers[SHADER_STAGE_COUNT];
    unsigned max_image_units, max_image_samples, max_combined_images;
    unsigned max_combined_shader_output_resources; /* images, storage blocks, fragment outputs */
    unsigned max_combined_atomic_counters, max_combined_atomic_buffers, max_atomic_bindings;
    unsigned max_atomic_buffer_size, max_storage_block_size; /* bytes */
    unsigned max_combined_storage_blocks, max_uniform_bindings, max_storage_bindings;
    unsigned max_tess_gen_level, max_patch_components, max_tess_ctrl_total_output_components;
    unsigned max_geometry_total_output_components, max_geometry_invocations, max_vertex_streams;
    /* max_compute_shared_memory is in bytes. */
    unsigned max_compute_workgroup_count[3], max_compute_shared_memory;
    unsigned max_subroutines, max_subroutine_uniform_locations;
    float min_interpolation_offset, max_interpolation_offset;
    unsigned interpolation_offset_bits;
    unsigned max_transform_feedback_separate_attribs, max_transform_feedback_separate_components;
};

/* The context for which shaders are compiled and linked. */
struct glsl_options {
    bool es;                  /* true: the context is OpenGL ES */
    bool core;                /* desktop core profile: no compatibility features */
    unsigned max_version;     /* highest #version of desktop GLSL, 120 … 460 */
    unsigned max_es_version;  /* highest #version of ESSL, 100 … 320; 0: none */
    unsigned default_version; /* version of shaders without #version: 110, or 100 for ES */
    /* Supported extensions of desktop shaders and of ESSL shaders. */
    BITSET_DECLARE(extensions, GLSL_EXT_COUNT);
    BITSET_DECLARE(es_extensions, GLSL_EXT_COUNT);
    /* Value of gl_VerticesIn (ARB_geometry_shader4), which depends on the program. 0: a shader is
     * compiled for all values; see glsl_shader.for_vertices. */
    unsigned vertices_in;
    struct glsl_limits limits;
    const nir_shader_compiler_options *nir_options[SHADER_STAGE_COUNT]; /* for nir_shader_create */
};

/* The most vertices of a geometry shader's input primitive. */
#define GLSL_MAX_VERTICES_IN 6

/* A compiled shader object. */
struct glsl_shader {
    enum shader_stage stage;
    bool compiled;    /* false: the shader has errors, and only info_log is valid */
    unsigned version; /* language version as in #version */
    bool es;
    char *info_log; /* "" if there are no messages */
    /* Errors that must be reported when the shader is linked (ARB_geometry_shader4: constant
     * indices of inputs that are out of range). If there are any, hir is NULL; otherwise this is
     * NULL. */
    char *link_errors;
    struct hir_shader *hir;
    /* Geometry shaders below version 150 that enable ARB_geometry_shader4; otherwise all NULL. The
     * program determines the number of vertices of the input primitive, so the shader is compiled
     * for each possible number. The index is that number; impossible ones are NULL. One element
     * points to this struct, in which `compiled` is true if any of the results has no errors. The
     * linker uses the element for the program's primitive and reports its errors. */
    struct glsl_shader *for_vertices[GLSL_MAX_VERTICES_IN + 1];
    nir_shader *nir; /* set instead of hir if the shader is a SPIR-V module */
};

/* Compiles a shader, a talloc child of mem_ctx. The text has `length` bytes, which may have any
 * values. Errors and warnings are written to info_log as "0:12(7): error: …", each with the source
 * line and a caret. Returns NULL only if there is no memory; free the result with talloc_free. */
struct glsl_shader *glsl_compile(void *mem_ctx, const struct glsl_options *options,
                                 enum shader_stage stage, const char *text, size_t length);

/* A SPIR-V module and one of its entry points. Invalid words, entry points and specialization
 * constants are reported as errors. */
struct glsl_module {
    enum shader_stage stage;
    const uint32_t *words;
    size_t num_words;
    const char *entry_point;
    const struct spirv_specialization *specializations;
    unsigned num_specializations;
};
/* Translates a SPIR-V module to NIR. Returns a shader like glsl_compile. The module is not needed
 * after the call. */
struct glsl_shader *glsl_specialize(void *mem_ctx, const struct glsl_options *options,
                                    const struct glsl_module *module);

/* Result of glsl_includes.find. */
enum glsl_include_result {
    GLSL_INCLUDE_FOUND,
    GLSL_INCLUDE_NO_STRING, /* the location exists only as a prefix of longer paths */
    GLSL_INCLUDE_NOT_FOUND,
};
/* The named strings of GL_ARB_shading_language_include. find receives absolute paths without "."
 * and ".." components. */
struct glsl_includes {
    const char *const *search; /* search locations for relative paths, in order */
    unsigned num_search;
    /* Looks up a path. If it returns GLSL_INCLUDE_FOUND, it sets *text and *length; the text must
     * stay valid until glsl_compile_with returns. `data` is the field below. */
    enum glsl_include_result (*find)(void *data, const char *path, const char **text,
                                     size_t *length);
    void *data;
};
/* Compiles like glsl_compile. `includes` provides the strings for #include; NULL means that there
 * are none. */
struct glsl_shader *glsl_compile_with(void *mem_ctx, const struct glsl_options *options,
                                      const struct glsl_includes *includes, enum shader_stage stage,
                                      const char *text, size_t length);
/* Returns whether a path is valid by the rules of the extension (Appendix A). */
bool glsl_path_is_valid(const char *path, size_t length);
/* Makes a path absolute and removes "." and "..". A relative path starts at the location `base`.
 * Returns a string allocated in mem_ctx, or NULL if the path is invalid or there is no memory. */
char *glsl_path_locate(void *mem_ctx, const char *base, const char *path, size_t length);

/* Returns whether an absolute path is strictly below the location: "/a/b" is below "/a", but "/a"
 * and "/ab" are not. */
bool glsl_path_is_below(const char *location, const char *path);

/* A location that the API assigned to a vertex input or fragment output before linking. */
struct glsl_binding {
    const char *name; /* name in the shader */
    unsigned location;
    unsigned index; /* fragment outputs: 0, or 1 for the second source of dual-source blending */
};

/* What to link, and the parameters of the program. Everything is borrowed during the call. */
struct glsl_link_input {
    struct glsl_shader *const *shaders; /* linking fails if one is not compiled */
    unsigned num_shaders;
    const struct glsl_binding *attribs; /* from glBindAttribLocation */
    unsigned num_attribs;
    /* From glBindFragDataLocation and glBindFragDataLocationIndexed. */
    const struct glsl_binding *frag_data;
    unsigned num_frag_data;
    const char *const *xfb_varyings; /* from glTransformFeedbackVaryings */
    unsigned num_xfb_varyings;
    bool xfb_separate; /* GL_SEPARATE_ATTRIBS: one buffer per varying */
    bool separable;    /* GL_PROGRAM_SEPARABLE: other programs may provide adjacent stages */
    /* Parameters of the program for geometry shaders that have no layout qualifiers
     * (ARB_geometry_shader4): enum drv_primitive, and the maximum number of emitted vertices. */
    uint8_t geometry_input, geometry_output;
    unsigned geometry_vertices;
};

/* An active uniform of the default block, or a member of a block. An array of basic types is one
 * entry; each leaf of a struct is a separate entry. */
struct glsl_uniform {
    char *name;                   /* such as "s.f" or "a[0]" (GL 4.6 §7.3.1) */
    const struct glsl_type *type; /* for an array, the type of its elements */
    unsigned array_size;          /* 0: not an array */
    /* Location of element 0; element i has location + i. -1 for a block member, a built-in and an
     * atomic counter, which have no locations. */
    int location;
    /* Bytes from the start of the default block storage, of its block, or of the counter buffer. 0
     * for samplers and images. */
    int offset;
    unsigned array_stride, matrix_stride; /* bytes */
    bool row_major;
    int block_index;   /* index into blocks; -1: default block */
    int atomic_buffer; /* index into atomic_buffers for a counter; else -1 */
    bool unsized;      /* runtime-sized array at the end of a storage block */
    /* GL_TOP_LEVEL_ARRAY_SIZE (elements; 0: runtime-sized) and GL_TOP_LEVEL_ARRAY_STRIDE (bytes).
     * 1 and 0 if no top-level array of aggregates in a storage block contains it. */
    unsigned top_array_size, top_array_stride;
    uint8_t stages; /* mask of 1 << enum shader_stage: the stages that use it */
    bool opaque;    /* a sampler, image or atomic counter: not in the default block's storage */
    int opaque_index[SHADER_STAGE_COUNT]; /* first sampler or image slot in the stage; -1: unused */
    int binding; /* initial unit from layout(binding), or the counter's binding; -1: none */
    /* Samplers and images (ARB_bindless_texture). bindless: handles may be set. handle_offset: byte
     * offset in the default block's storage of the 64-bit handles of all elements; -1: not used by
     * the code. A handle of 0 means that the uniform has a unit instead of a handle. */
    bool bindless;
    int handle_offset;
    /* Initial value of a default-block uniform, of all its elements: 4 bytes per component, 8 for
     * 64-bit types, without padding. NULL: zero. */
    const uint8_t *initial;
    bool builtin; /* a gl_* uniform, which mirrors state and has no location */
    /* Built-in uniforms: the state that each vec4 mirrors, in order of array elements and matrix
     * columns. */
    unsigned num_state_slots;
    nir_state_slot *state_slots;
};

/* An active input of the first stage or output of the last stage. */
struct glsl_attrib {
    char *name;
    const struct glsl_type *type;
    /* Location that the API reports: of a vertex input, a fragment output, or a varying with an
     * explicit location. -1 for built-ins and other varyings. */
    int location;
    int slot;       /* NIR location: enum vert_attrib, varying_slot, frag_result or system_value */
    int index;      /* fragment outputs: 1 for the second source of dual-source blending, else 0 */
    int component;  /* first component in the slot */
    bool patch;     /* a patch variable */
    uint8_t stages; /* 1 << enum shader_stage of its stage */
};

/* A declared input of the first stage or output of the last stage of a separable ES program, which
 * must match a declaration of the adjacent program (ES 3.2 §7.4.1). Block members are separate
 * entries; built-ins are not listed. */
struct glsl_open_variable {
    char *name;              /* name; for block members, without the block's name */
    char *block;             /* block name; "": not a block member */
    char *type;              /* text that is equal for matching types and qualifiers */
    int field;               /* index in the block */
    int location, component; /* explicit values; if there are none, -1 and 0 */
    bool patch;
};

/* A uniform or storage block; each element of a block array is a separate entry. */
struct glsl_block {
    char *name;
    unsigned size;  /* bytes */
    int binding;    /* initial binding: layout(binding), or 0 */
    uint8_t stages; /* mask of 1 << enum shader_stage: the stages that use it */
    int stage_index[SHADER_STAGE_COUNT]; /* index in the stage among its kind; -1: unused */
    /* Index into uniforms of its first member; -1 for elements of a block array other than the
     * first, which share the first element's members. */
    int first_member;
    bool is_storage;              /* a storage block, not a uniform block */
    const struct glsl_type *type; /* block type, not an array */
};

/* An atomic counter buffer: all counters of one binding, which the API can't change. In NIR, a
 * counter is a variable whose data.binding is stage_index and whose data.offset is its byte
 * offset. */
struct glsl_atomic_buffer {
    unsigned binding, size; /* size: bytes up to the end of the last counter */
    uint8_t stages;         /* mask of 1 << enum shader_stage: the stages that use it */
    int stage_index[SHADER_STAGE_COUNT]; /* index among the buffers of that stage; -1: unused */
};

/* A function that a subroutine uniform can select. */
struct glsl_subroutine {
    char *name;
    enum shader_stage stage;
    unsigned index; /* value of a subroutine uniform that selects it */
};

/* A subroutine uniform. The default block stores one uint per element, the glsl_subroutine.index of
 * the selected function. */
struct glsl_subroutine_uniform {
    char *name; /* such as "f", "a[0]" or "a[1][0]" (GL 4.6 §7.3.1) */
    enum shader_stage stage;
    unsigned array_size;  /* 0: not an array */
    unsigned location;    /* location of element 0; each stage has separate locations */
    unsigned offset;      /* bytes in the default block */
    unsigned *compatible; /* glsl_subroutine.index of each function that it may select */
    unsigned num_compatible;
};

/* An output that transform feedback captures. For the pseudo varyings gl_SkipComponents1 … 4 and
 * gl_NextBuffer, type is NULL and only name, buffer, offset and array_size (the number of skipped
 * components) are set. */
struct glsl_xfb_output {
    char *name;
    const struct glsl_type *type; /* for an array, the type of its elements */
    unsigned array_size;          /* 0: not an array */
    uint8_t buffer, stream;       /* transform feedback buffer, vertex stream */
    /* The first component: slot (enum varying_slot) and component in it. num_components: number of
     * 32-bit components of all array elements. */
    unsigned slot, component, num_components;
    unsigned offset; /* bytes from the start of the vertex in the buffer */
};

/* Returns the number of bytes that an output takes in its buffer: 2 for each half float, 4 for each
 * other component. */
static inline unsigned glsl_xfb_bytes(const struct glsl_xfb_output *x)
{
    return x->num_components * (x->type && glsl_type_is_16bit(x->type) ? 2 : 4);
}

/* A linked program: a talloc context that owns everything it points to. Free it with
 * talloc_free. */
struct glsl_program {
    bool linked; /* false: only info_log is valid */
    char *info_log;
    unsigned version;
    bool es;
    /* NIR of each stage, a talloc child of the program; NULL if the program lacks the stage. */
    nir_shader *nir[SHADER_STAGE_COUNT];
    struct glsl_uniform *uniforms;
    unsigned num_uniforms;
    /* Number of active uniforms, which come first. The rest are members of storage blocks. */
    unsigned num_active_uniforms;
    /* Maps a location to an index into uniforms; -1: unused, -2: taken by an inactive uniform. */
    int *location_to_uniform;
    unsigned num_locations;
    unsigned default_block_size;          /* bytes of the default block, which all stages share */
    struct glsl_attrib *inputs, *outputs; /* inputs of the first stage, outputs of the last stage */
    unsigned num_inputs, num_outputs;
    struct glsl_open_variable *open_inputs, *open_outputs;
    unsigned num_open_inputs, num_open_outputs;
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
    unsigned xfb_stride[4]; /* bytes per vertex in each transform feedback buffer */
};

/* Converts the program's transform feedback outputs to the form that drivers take. Returns false,
 * with *out unchanged, if the program captures nothing. */
bool glsl_stream_output(const struct glsl_program *program, struct drv_stream_output *out);

/* Returns whether the outputs of the producer match the inputs of the consumer (ES 3.2 §7.4.1).
 * Both are separable ES programs, and the consumer follows the producer in a program pipeline. */
bool glsl_interfaces_match(const struct glsl_program *producer,
                           const struct glsl_program *consumer);

/* Links a program, which is a talloc child of mem_ctx. If linking fails, program->linked is false
 * and info_log has the errors. The shaders are not modified and may be linked again. The NIR of
 * each stage is optimized by nir_optimize and has no calls. Inputs and outputs are variables with
 * assigned slots. The data.driver_location of a uniform is its byte offset in the default block;
 * the data.binding of a sampler or image is its slot in the stage, with separate slots for samplers
 * and images. Returns NULL only if there is no memory. */
struct glsl_program *glsl_link(void *mem_ctx, const struct glsl_options *options,
                               const struct glsl_link_input *input);

/* Checks whether a workgroup of `size` invocations consists of whole quads (derivative groups of
 * NV_compute_shader_derivatives). group: enum nir_derivative_group. Returns NULL if it does,
 * otherwise an error message, which is static. */
const char *glsl_derivative_group_error(unsigned group, const uint16_t size[3]);
/* Serializes a linked program. Only the same build can read the bytes, which are allocated in
 * mem_ctx. Returns empty bytes if there is no memory. */
struct blob_bytes glsl_program_serialize(void *mem_ctx, const struct glsl_program *program);
/* Returns the linked program that glsl_program_serialize wrote, including the NIR of its stages, as
 * a talloc child of mem_ctx. Returns NULL if there is no memory or the bytes are corrupt. */
struct glsl_program *glsl_program_deserialize(void *mem_ctx, const struct glsl_options *options,
                                              const void *data, size_t size);

/* Returns n if `name` is "gl_SkipComponents<n>" with n from 1 to 4, a pseudo transform feedback
 * varying; else 0. */
unsigned glsl_skipped_components(const char *name);

/* Returns the preprocessed text of a shader, for tools and tests; NULL after errors. *info_log
 * receives all messages. Both strings are allocated in mem_ctx; *info_log is NULL if there is no
 * memory. */
char *glsl_preprocess(void *mem_ctx, const struct glsl_options *options, enum shader_stage stage,
                      const char *text, size_t length, char **info_log);
/* Returns a text form of the syntax tree of a shader. Otherwise like glsl_preprocess. */
char *glsl_print_ast(void *mem_ctx, const struct glsl_options *options, enum shader_stage stage,
                     const char *text, size_t length, char **info_log);

#endif
