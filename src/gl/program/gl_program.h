/* SPDX-License-Identifier: MIT */
/*
 * Shader and program objects, fixed-function programs, variants, uniforms.
 *
 * A program object is what the application names. Its executable (struct gl_executable) is the
 * result of the last successful link: NIR per stage, uniform storage and variants. Contexts that
 * draw with an executable hold a reference, so another context may relink or delete the program.
 * Fixed-function programs are executables with one stage, cached per context by state.
 */
#ifndef GL_PROGRAM_H
#define GL_PROGRAM_H

#include "gl/context/gl_get_types.h"
#include "gl/context/gl_program_types.h"
#include "gl/texture/gl_texture.h"
#include "nir/nir.h"
#include "util/hash_table.h"

struct gl_context;
struct gl_shared;
struct glsl_includes;
struct glsl_limits;
struct glsl_options;
struct glsl_program;
struct glsl_shader;
struct glsl_type;

/* State lowered into a shader variant. Keys are compared as bytes. "Last stage" is the last one
 * before rasterization. */
struct gl_variant_key {
    uint8_t alpha_func;  /* fragment: enum drv_compare_func; DRV_FUNC_ALWAYS: no test */
    uint8_t clip_planes; /* last stage: mask of user clip planes to lower to clip distances */
    /* fragment: mask of texture coordinates replaced by the point coordinate */
    uint8_t coord_replace;
    uint8_t image;            /* fragment: enum gl_image_kind of the image being drawn */
    uint8_t blend;            /* fragment: enum nir_advanced_blend + 1; 0: none */
    bool blend_clamp;         /* fragment: clamp colors to [0, 1] before blending */
    bool flatshade, two_side; /* fragment */
    bool smooth;              /* fragment: the alpha test uses alpha after coverage is applied */
    bool edge_flags; /* vertex: output edge flags, because polygons are drawn as lines or points */
    bool clip_position; /* last stage: compare gl_Position with the clip planes */
    bool clamp_color;   /* clamp the colors that the stage outputs */
    bool last;          /* is the last stage, whose outputs transform feedback captures */
    bool captured; /* vertex: compile as a compute shader for the API layer (gl_lower_capture) */
};

/* A state value that is copied to a constant buffer. */
struct gl_state_value {
    uint64_t dirty; /* enum gl_dirty bits that can change the value */
    nir_state_slot slot;
    uint32_t offset; /* bytes from the start of the constants */
    uint8_t components;
    uint8_t columns; /* matrix columns, starting at the slot's; 1 for other values */
    uint16_t stride; /* bytes between columns */
};

/* A compiled variant of a stage. It is a talloc context. */
struct gl_variant {
    struct gl_variant *next;
    struct gl_variant_key key;
    struct gl_owned owned; /* driver shader; owned.ctx is the context that created it */
    uint64_t inputs_read, outputs_written;
    uint8_t clip_distances;
    unsigned const_bytes; /* size of the default uniform block plus the variant's state values */
    uint8_t *constants;   /* const_bytes long, passed to the driver */
    struct gl_state_value *state;
    unsigned num_state;
    uint64_t dirty; /* union of the state values' dirty bits */
    unsigned stamp; /* gl_stage.stamp of the uniforms in `constants` */
};

/* A storage buffer of a stage. */
struct gl_storage_use {
    bool counters; /* index is into glsl->atomic_buffers, otherwise into glsl->blocks */
    uint16_t index;
};

/* A range of bytes. */
struct gl_byte_range {
    uint32_t start, size;
};

/* One stage of a linked program or of a fixed-function program. */
struct gl_stage {
    enum shader_stage stage;
    nir_shader *nir;
    struct gl_byte_range *ranges; /* ranges of the executable's storage that the stage reads */
    unsigned num_ranges;
    unsigned stamp; /* incremented when uniforms that the stage reads change; never 0 */
    struct gl_variant *variants; /* variants of all contexts; guarded by gl_shared.mutex */
    struct gl_sampler_use sampler[DRV_MAX_SAMPLERS];
    unsigned num_samplers;
    struct gl_image_use image[DRV_MAX_IMAGES];
    unsigned num_images;
    uint32_t uniform_block[DRV_MAX_CONSTANT_BUFFERS - 1]; /* index into glsl->blocks of each slot */
    unsigned num_uniform_blocks;
    struct gl_storage_use storage[DRV_MAX_STORAGE_BUFFERS];
    unsigned num_storage; /* storage blocks, followed by atomic counter buffers */
};

/* All stages of a program with their uniform storage. It is a talloc context. */
struct gl_executable {
    int refcount;
    struct gl_stage *stage[SHADER_STAGE_COUNT];
    struct glsl_program *glsl; /* NULL for fixed-function programs */
    uint8_t *storage;          /* values of the default uniform block, without built-in uniforms */
    unsigned storage_bytes;
    int *opaque_units;      /* per location: unit of a sampler or image */
    GLuint *block_bindings; /* binding points of glsl->blocks */
    unsigned units_stamp;   /* incremented when units of samplers change */
    bool separable;         /* linked with GL_PROGRAM_SEPARABLE */
    bool reads_materials; /* reads fixed-function materials (gl_FrontMaterial, state.material …) */
    const char *undrawable; /* feature that the driver lacks; NULL: none */
};

/* A shader object. It is stored in gl_shared.programs; is_program distinguishes it from struct
 * gl_program. */
struct gl_shader_object {
    bool is_program;
    int refcount; /* one for the name until it is deleted, and one per program it is attached to */
    GLuint name;
    bool delete_pending;
    char *label;

    GLenum type;
    enum shader_stage stage;
    char *source; /* NULL: not set */
    size_t source_length;
    struct glsl_shader *compiled; /* result of the last glCompileShader or glSpecializeShader */
    uint32_t *module;             /* SPIR-V module; NULL: the shader has a source instead */
    size_t module_words;
    bool specialized; /* glSpecializeShader succeeded */
};

/* A name bound to a location by glBindAttribLocation or glBindFragDataLocationIndexed. */
struct gl_bound_name {
    char *name;
    GLuint location, index;
};

/* A program object. is_program is the first member, as in struct gl_shader_object. */
struct gl_program {
    bool is_program;
    int refcount; /* one for the name until it is deleted, and one per context that uses it */
    GLuint name;
    bool delete_pending;
    char *label;

    struct gl_shader_object **shaders;
    unsigned num_shaders;
    struct gl_bound_name *attribs, *frag_data;
    unsigned num_attribs, num_frag_data;
    char **xfb_varyings; /* set by glTransformFeedbackVaryings for the next link */
    unsigned num_xfb_varyings;
    GLenum xfb_mode; /* GL_INTERLEAVED_ATTRIBS or GL_SEPARATE_ATTRIBS */
    char *info_log;
    bool linked, validated, separable;
    /* GL_PROGRAM_BINARY_RETRIEVABLE_HINT of the last link and for the next one (GL 4.6 §7.5) */
    bool retrievable, retrievable_next;
    struct gl_executable *exe; /* result of the last successful link; NULL: none */
};

struct gl_pipeline; /* see gl_pipeline.c */

/* --- Objects --- */

/* Returns the program of a name. Returns NULL with GL_INVALID_VALUE for unknown names and
 * GL_INVALID_OPERATION for shaders. */
struct gl_program *gl_program_lookup(struct gl_context *ctx, GLuint name, const char *call);
/* Like gl_program_lookup; raises GL_INVALID_OPERATION if the program has no executable. */
struct gl_program *gl_program_lookup_linked(struct gl_context *ctx, GLuint name, const char *call);
/* Frees the SPIR-V module. Called before a new source or module is set. */
void gl_shader_free_module(struct gl_shader_object *shader);
/* Returns the name of a SPIR-V extension by index; NULL if there is none. */
const char *gl_spirv_extension(const struct gl_context *ctx, GLuint index);
/* Returns the number of supported SPIR-V extensions. */
GLint gl_num_spirv_extensions(const struct gl_context *ctx);
/* Like gl_program_lookup, for shaders. */
struct gl_shader_object *gl_shader_lookup(struct gl_context *ctx, GLuint name, const char *call);
/* Returns the stage of a shader type like GL_VERTEX_SHADER; SHADER_STAGE_NONE if the context
 * doesn't have it. */
enum shader_stage gl_shader_stage(const struct gl_context *ctx, GLenum type);
/* Compiles the shader's source. Errors are raised in the name of call. */
void gl_shader_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                       const struct glsl_includes *includes, GLuint name, const char *call);
/* Like gl_shader_compile, with #include of named strings relative to the search paths
 * (gl_named_string.c). */
void gl_named_strings_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                              const char *const *search, unsigned num_search, GLuint name,
                              const char *call);
/* Set *dst to src and update both reference counts. The last release frees the object. */
void gl_program_reference(struct gl_context *ctx, struct gl_program **dst, struct gl_program *src);
void gl_shader_reference(struct gl_shader_object **dst, struct gl_shader_object *src);
/* Releases a reference. If only that kept a deleted shader alive, its name is freed. */
void gl_shader_release(struct gl_context *ctx, struct gl_shader_object *shader);
/* Sets *dst to src and updates both reference counts. The last release deletes the variants in the
 * contexts that created them. */
void gl_executable_reference(struct gl_context *ctx, struct gl_executable **dst,
                             struct gl_executable *src);
/* Creates an executable and takes over glsl. Returns NULL and frees glsl if out of memory. */
struct gl_executable *gl_executable_create(struct glsl_program *glsl);
/* Returns the feature of the executable that the driver lacks (not owned), or NULL if it can be
 * drawn with. */
const char *gl_undrawable_reason(const struct gl_context *ctx, const struct gl_executable *exe);
/* Creates a fixed-function executable of one stage, takes over nir, and assigns offsets to its
 * state uniforms. Returns NULL if out of memory. */
struct gl_executable *gl_executable_from_nir(nir_shader *nir);
/* Returns the location of the label of a GL_PROGRAM or GL_SHADER; NULL if there is no such
 * object. */
char **gl_program_label(struct gl_context *ctx, GLenum identifier, GLuint name);
/* Returns the location of a pipeline's label; NULL if there is no such object. */
char **gl_pipeline_label(struct gl_context *ctx, GLuint name);
/* Copies a string for glGet*InfoLog and similar queries. *length, if not NULL, gets the length
 * without the terminator. */
void gl_copy_string(GLsizei size, GLsizei *length, GLchar *out, const char *text);
/* Implements glGetProgramiv for single integers. Returns false if the context doesn't have
 * pname. */
bool gl_program_get(struct gl_context *ctx, struct gl_program *program, GLenum pname, GLint *value);
/* Returns the type enumerant that glGetActiveUniform reports. */
GLenum gl_uniform_type(const struct glsl_type *type);

/* Makes glsl, which was linked or loaded, the program's executable and takes it over. If glsl is
 * NULL or not linked, the program has no executable then, and `why` or the log of glsl becomes its
 * info log. Both NULL means out of memory. */
void gl_program_install(struct gl_context *ctx, struct gl_program *p, struct glsl_program *glsl,
                        const char *why, const char *call);
/* Returns the size of the program's binary in bytes; 0 if it has none (gl_program_binary.c). */
GLint gl_program_binary_length(struct gl_context *ctx, const struct gl_program *p);
/* The only program binary format. */
#define GL_PROGRAM_BINARY_FORMAT_INDIUM GL_PROGRAM_BINARY_FORMAT_MESA

/* Copies the shader's log to a program that can't be linked because the shader didn't compile. */
void gl_program_copy_shader_log(struct gl_context *ctx, GLuint program, GLuint shader);

/* --- Pipelines (gl_pipeline.c) --- */

/* Returns the executable for a stage: from the current program, otherwise from the bound pipeline.
 * NULL: none. */
struct gl_executable *gl_stage_executable(const struct gl_context *ctx, enum shader_stage stage);
/* Returns whether the context has tessellation shaders, by version or extension. */
bool gl_has_tessellation(const struct gl_context *ctx);
/* Return the primitive mode that the geometry shader receives, and the mode that is rasterized.
 * Tessellation produces GL_POINTS, GL_LINES or GL_TRIANGLES. */
GLenum gl_assembled_mode(const struct gl_context *ctx, GLenum mode);
GLenum gl_rasterized_mode(const struct gl_context *ctx, GLenum mode);
/* Returns the executable whose uniforms glUniform sets; NULL: none. */
struct gl_executable *gl_uniform_executable(const struct gl_context *ctx);
/* Returns why the bound pipeline, if it is used, can't draw; NULL if it can. */
const char *gl_pipeline_invalid(struct gl_context *ctx);
GLuint gl_pipeline_name(const struct gl_context *ctx); /* name of the bound pipeline; 0: none */
void gl_pipelines_finish(struct gl_context *ctx);

/* --- Compiler options (gl_program_limits.c) --- */

/* Fill in the limits and extensions of the context for the compiler. */
void gl_compiler_limits(const struct gl_context *ctx, struct glsl_limits *limits);
void gl_compiler_extensions(const struct gl_context *ctx, struct glsl_options *options);

/* --- Variants --- */

/* Returns the variant for a key and compiles it if needed. NULL: out of memory, or the driver
 * rejected the shader. */
struct gl_variant *gl_stage_variant(struct gl_context *ctx, struct gl_executable *exe,
                                    enum shader_stage stage, const struct gl_variant_key *key);
/* Returns a vec4 uniform that mirrors a piece of state; equal tokens give the same variable. Its
 * offset is assigned later, by gl_executable_from_nir or for the variant. */
nir_variable *gl_state_uniform(nir_shader *nir, const int16_t tokens[NIR_STATE_LENGTH]);

/* --- State uniforms (gl_state_param.c) --- */

/* The last evaluated matrix. It is kept because a program may use several parts of one matrix. */
struct gl_state_matrix {
    bool valid, inverted;
    int16_t kind, index; /* first tokens of the slot */
    float m[16];
};

/* Writes a state value's current value to its offset in the constants. Pass last->valid = false for
 * the first value after a state change. */
void gl_state_store(struct gl_context *ctx, const struct gl_state_value *value, uint8_t *constants,
                    struct gl_state_matrix *last);
/* Returns whether the slot is a column of a matrix. */
bool gl_state_is_matrix(const nir_state_slot *slot);
/* Returns the enum gl_dirty bits that announce changes of the slot's value. */
uint64_t gl_state_dirty(const nir_state_slot *slot);

/* --- Samplers by texture unit (gl_sampler_units.c) --- */

/* Texture type by texture unit: enum gl_texture_index, or GL_UNIT_FREE if no sampler uses the
 * unit. */
#define GL_UNIT_FREE 0xff
struct gl_unit_sampler_types {
    uint8_t index[256];
};
/* Adds the samplers of a stage. Returns false if one has another type than a previous sampler of
 * its unit; draws then raise GL_INVALID_OPERATION. */
bool gl_add_unit_sampler_types(struct gl_unit_sampler_types *types, const struct gl_stage *stage);
/* Checks the samplers of all stages of a program against each other. Sets *why if it returns
 * false. */
bool gl_validate_samplers(const struct gl_executable *exe, const char **why);
extern const char gl_samplers_conflict[]; /* reason that gl_validate_samplers reports */

/* --- Lifetime of a context's and a share group's program state --- */

/* also creates consts.glsl; returns false if out of memory */
bool gl_programs_init(struct gl_context *ctx);
void gl_programs_finish(struct gl_context *ctx);
void gl_named_strings_finish(struct gl_shared *shared);
void gl_programs_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
/* Implements glGet for program state, see gl_get_types.h. */
unsigned gl_get_programs(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
/* Returns whether any transform feedback object, even if not bound or paused, is active with this
 * executable. */
bool gl_transform_feedback_uses(struct gl_context *ctx, const struct gl_executable *exe);
/* Describes the outputs of a program that transform feedback captures. Returns false if there are
 * none. */
bool gl_stream_output_of(const struct gl_executable *exe, struct drv_stream_output *out);

/* Returns whether primitives are being captured: transform feedback is active and not paused. */
bool gl_transform_feedback_captures(const struct gl_context *ctx);

#endif
