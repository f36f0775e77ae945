/* SPDX-License-Identifier: MIT */
/*
 * Shader and program objects, fixed-function programs, variants, uniforms.
 *
 * A program object is what the application names; its executable (struct gl_executable) is what the
 * last successful link made: NIR per stage, storage of uniforms, variants. Contexts that draw with
 * an executable hold a reference, so that another context may relink or delete the program.
 * Fixed-function programs are executables of one stage, cached per context by state.
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

/* State lowered into a shader; compared as bytes. */
struct gl_variant_key {
    uint8_t alpha_func;       /* fragment: enum drv_compare_func; DRV_FUNC_ALWAYS: no test */
    uint8_t clip_planes;      /* last: mask of user planes to lower to clip distances */
    uint8_t coord_replace;    /* fragment: mask of texture coordinates that are the point's */
    uint8_t image;            /* fragment: enum gl_image_kind of what is drawn */
    uint8_t blend;            /* fragment: enum nir_advanced_blend + 1; 0: none */
    bool blend_clamp;         /* fragment: colors that are blended are within 0 … 1 */
    bool flatshade, two_side; /* fragment */
    bool smooth;              /* fragment: the alpha test is of what coverage leaves of alpha */
    bool edge_flags;          /* vertex: polygons are drawn as lines or points */
    bool clip_position;       /* last: what the planes are compared with is gl_Position */
    bool clamp_color;         /* colors that the stage writes */
    bool last;                /* of the stages before rasterization: transform feedback's */
    bool captured;            /* vertex: as a compute shader, for this layer (gl_lower_capture) */
};

struct gl_state_value { /* a piece of state in a constant buffer */
    uint64_t dirty;     /* enum gl_dirty bits that it depends on */
    nir_state_slot slot;
    uint32_t offset; /* bytes */
    uint8_t components;
    uint8_t columns; /* of one matrix from the slot's on; 1: what is no matrix, too */
    uint16_t stride; /* bytes from one to the next */
};

struct gl_variant {
    struct gl_variant *next;
    struct gl_variant_key key;
    struct gl_owned owned; /* the driver's shader; owned.ctx is who made it */
    uint64_t inputs_read, outputs_written;
    uint8_t clip_distances;
    unsigned const_bytes; /* the program's default block and the variant's state */
    uint8_t *constants;   /* const_bytes; what the driver is given */
    struct gl_state_value *state;
    unsigned num_state;
    uint64_t dirty; /* union of the state's */
    unsigned stamp; /* of the stage's uniforms that constants holds */
};

struct gl_storage_use { /* a storage buffer of a stage */
    bool counters;      /* index is of glsl->atomic_buffers, else of glsl->blocks */
    uint16_t index;
};

struct gl_byte_range {
    uint32_t start, size;
};

/* One stage of a linked program, or a fixed-function program. */
struct gl_stage {
    enum shader_stage stage;
    nir_shader *nir;
    struct gl_byte_range *ranges; /* parts of the executable's storage that it reads */
    unsigned num_ranges;
    unsigned stamp;              /* raised when uniforms that it reads change; never 0 */
    struct gl_variant *variants; /* of all contexts; guarded by the share group's mutex */
    struct gl_sampler_use sampler[DRV_MAX_SAMPLERS];
    unsigned num_samplers;
    struct gl_image_use image[DRV_MAX_IMAGES];
    unsigned num_images;
    uint32_t uniform_block[DRV_MAX_CONSTANT_BUFFERS - 1]; /* which of glsl->blocks a slot is */
    unsigned num_uniform_blocks;
    struct gl_storage_use storage[DRV_MAX_STORAGE_BUFFERS];
    unsigned num_storage; /* blocks, then buffers of atomic counters */
};

/* All stages with their uniforms' storage. A talloc context. */
struct gl_executable {
    int refcount;
    struct gl_stage *stage[SHADER_STAGES];
    struct glsl_program *glsl; /* NULL: fixed function */
    uint8_t *storage;          /* default block; built-in uniforms are not kept in it */
    unsigned storage_bytes;
    int *opaque_units;      /* per location: unit of samplers and images */
    GLuint *block_bindings; /* of glsl->blocks */
    unsigned units_stamp;   /* raised when units of samplers change */
    bool separable;         /* as it was linked */
    bool reads_materials;   /* of fixed function (gl_FrontMaterial, state.material …) */
    const char *undrawable; /* what of it the driver lacks, NULL: nothing */
};

struct gl_shader_object { /* in gl_shared.programs; both kinds begin alike */
    bool is_program;
    int refcount; /* the name, until deleted, and each program that it is attached to */
    GLuint name;
    bool delete_pending;
    char *label;

    GLenum type;
    enum shader_stage stage;
    char *source; /* NULL: none set */
    size_t source_length;
    struct glsl_shader *compiled; /* of the last glCompileShader or glSpecializeShader */
    uint32_t *module;             /* SPIR-V; NULL: it has a source */
    size_t module_words;
    bool specialized; /* successfully */
};

struct gl_bound_name {
    char *name;
    GLuint location, index;
};

struct gl_program {
    bool is_program;
    int refcount; /* the name, until deleted, and each context that uses it */
    GLuint name;
    bool delete_pending;
    char *label;

    struct gl_shader_object **shaders;
    unsigned num_shaders;
    struct gl_bound_name *attribs, *frag_data;
    unsigned num_attribs, num_frag_data;
    char **xfb_varyings; /* glTransformFeedbackVaryings: for the next link */
    unsigned num_xfb_varyings;
    GLenum xfb_mode; /* GL_INTERLEAVED_ATTRIBS or GL_SEPARATE_ATTRIBS */
    char *info_log;
    bool linked, validated, separable;
    bool retrievable, retrievable_next; /* as of the last link, and for the next (GL 4.6 §7.5) */
    struct gl_executable *exe;          /* of the last successful link; NULL: none */
};

struct gl_pipeline; /* gl_pipeline.c */

/* --- Objects --- */

/* NULL, with the error: GL_INVALID_VALUE for unknown names, INVALID_OPERATION for the other kind. */
struct gl_program *gl_program_lookup(struct gl_context *ctx, GLuint name, const char *call);
/* The same, and GL_INVALID_OPERATION for programs without an executable. */
struct gl_program *gl_program_lookup_linked(struct gl_context *ctx, GLuint name, const char *call);
/* Of the next source or module; the shader has none then. */
void gl_shader_drop_module(struct gl_shader_object *shader);
/* By number, NULL: there is none. */
const char *gl_spirv_extension(const struct gl_context *ctx, GLuint index);
GLint gl_num_spirv_extensions(const struct gl_context *ctx);
struct gl_shader_object *gl_shader_lookup(struct gl_context *ctx, GLuint name, const char *call);
/* Of a type like GL_VERTEX_SHADER; SHADER_STAGE_NONE: not one of this context. */
enum shader_stage gl_shader_stage(const struct gl_context *ctx, GLenum type);
/* Compiles the shader's source; errors of the call name it. */
void gl_shader_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                       const struct glsl_includes *includes, GLuint name, const char *call);
/* The same with the named strings, found from these locations (gl_named_string.c). */
void gl_named_strings_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                              const char *const *search, unsigned num_search, GLuint name,
                              const char *call);
void gl_program_reference(struct gl_context *ctx, struct gl_program **dst, struct gl_program *src);
void gl_shader_reference(struct gl_shader_object **dst, struct gl_shader_object *src);
/* Gives a reference up; a deleted shader that was only kept by it loses its name. */
void gl_shader_drop(struct gl_context *ctx, struct gl_shader_object *shader);
/* *dst = src by reference count; the last one deletes variants in their contexts. */
void gl_executable_reference(struct gl_context *ctx, struct gl_executable **dst,
                             struct gl_executable *src);
/* Takes over glsl. NULL: no memory; glsl is freed. */
struct gl_executable *gl_executable_create(struct glsl_program *glsl);
/* What of the executable the driver lacks (not owned), NULL: it can be drawn with. */
const char *gl_undrawable_reason(const struct gl_context *ctx, const struct gl_executable *exe);
/* Fixed function: of one stage; owns nir, whose state uniforms get their places. NULL: no memory. */
struct gl_executable *gl_executable_from_nir(nir_shader *nir);
/* Where the label of a GL_PROGRAM or GL_SHADER is; NULL: no such object. */
char **gl_program_label(struct gl_context *ctx, GLenum identifier, GLuint name);
/* Where the label of a pipeline is; NULL: no such object. */
char **gl_pipeline_label(struct gl_context *ctx, GLuint name);
/* Copies a string for glGet*InfoLog and the like: *length (may be NULL) without the terminator. */
void gl_copy_string(GLsizei size, GLsizei *length, GLchar *out, const char *text);
/* glGetProgramiv of one integer; false: pname is none of this API. */
bool gl_program_get(struct gl_context *ctx, struct gl_program *program, GLenum pname, GLint *value);
/* The type as glGetActiveUniform names it. */
GLenum gl_uniform_type(const struct glsl_type *type);

/* Makes what was linked or loaded the program's; takes over glsl. NULL or not linked: `why`, or its
 * log, says why not (both NULL: no memory), and the program has no executable then. */
void gl_program_install(struct gl_context *ctx, struct gl_program *p, struct glsl_program *glsl,
                        const char *why, const char *call);
/* Bytes of the program's binary; 0: it has none (gl_program_binary.c). */
GLint gl_program_binary_length(struct gl_context *ctx, const struct gl_program *p);
/* The one format of binaries. */
#define GL_PROGRAM_BINARY_FORMAT_INDIUM GL_PROGRAM_BINARY_FORMAT_MESA

/* The log of a program that cannot be linked since its shader did not compile. */
void gl_program_copy_shader_log(struct gl_context *ctx, GLuint program, GLuint shader);

/* --- Pipelines (gl_pipeline.c) --- */

/* What draws a stage: of the current program, else of the bound pipeline; NULL: nothing. */
struct gl_executable *gl_stage_executable(const struct gl_context *ctx, enum shader_stage stage);
/* Whether there are tessellation shaders, by version or extension. */
bool gl_has_tessellation(const struct gl_context *ctx);
/* What a draw's mode becomes in front of the geometry shader (GL_POINTS, GL_LINES, GL_TRIANGLES where
 * tessellation makes them), and what rasterization gets. */
GLenum gl_assembled_mode(const struct gl_context *ctx, GLenum mode);
GLenum gl_rasterized_mode(const struct gl_context *ctx, GLenum mode);
/* What glUniform sets; NULL: nothing. */
struct gl_executable *gl_uniform_executable(const struct gl_context *ctx);
/* Why the bound pipeline, if it counts, cannot draw; NULL: it can. */
const char *gl_pipeline_invalid(struct gl_context *ctx);
GLuint gl_pipeline_name(const struct gl_context *ctx); /* of the bound one, 0: none */
void gl_pipelines_finish(struct gl_context *ctx);

/* --- What the compiler is told (gl_program_limits.c) --- */

void gl_compiler_limits(const struct gl_context *ctx, struct glsl_limits *limits);
void gl_compiler_extensions(const struct gl_context *ctx, struct glsl_options *options);

/* --- Variants --- */

/* For a key, compiled if needed; NULL: no memory or the driver refused. */
struct gl_variant *gl_stage_variant(struct gl_context *ctx, struct gl_executable *exe,
                                    enum shader_stage stage, const struct gl_variant_key *key);
/* A vec4 that mirrors state, without a place yet (gl_executable_from_nir and variants
 * give one); the same tokens give the same variable. */
nir_variable *gl_state_uniform(nir_shader *nir, const int16_t tokens[NIR_STATE_LENGTH]);

/* --- State uniforms (gl_state_param.c) --- */

/* The matrix that was evaluated last: a program may have it in several pieces. */
struct gl_state_matrix {
    bool valid, inverted;
    int16_t kind, index; /* the slot's first tokens */
    float m[16];
};

/* Writes the value that it has in the context to its place among the constants. *last is not valid for the
 * first one after the state changed. */
void gl_state_store(struct gl_context *ctx, const struct gl_state_value *value, uint8_t *constants,
                    struct gl_state_matrix *last);
/* Whether the slot is a column of a matrix. */
bool gl_state_is_matrix(const nir_state_slot *slot);
/* enum gl_dirty bits that announce its changes. */
uint64_t gl_state_dirty(const nir_state_slot *slot);

/* --- Samplers by texture unit (gl_sampler_units.c) --- */

/* What samples the texture units: enum gl_texture_index, GL_UNIT_FREE: nothing. */
#define GL_UNIT_FREE 0xff
struct gl_unit_types {
    uint8_t index[256];
};
/* Adds a stage's samplers. False: one is of another type than what is on its unit, and draws are
 * GL_INVALID_OPERATION. */
bool gl_add_unit_types(struct gl_unit_types *types, const struct gl_stage *stage);
/* The same of all stages of a program, by themselves; *why: the reason. */
bool gl_validate_samplers(const struct gl_executable *exe, const char **why);
extern const char gl_samplers_conflict[]; /* that reason */

/* --- Of the context, and of the share group --- */

bool gl_programs_init(struct gl_context *ctx); /* also consts.glsl; false: no memory */
void gl_programs_finish(struct gl_context *ctx);
void gl_named_strings_finish(struct gl_shared *shared);
void gl_programs_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
unsigned gl_get_programs(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
/* Whether any object is active with this executable, bound and paused or not. */
bool gl_transform_feedback_uses(struct gl_context *ctx, const struct gl_executable *exe);
/* What the driver is to capture of a program's outputs; false: nothing. */
bool gl_stream_output_of(const struct gl_executable *exe, struct drv_stream_output *out);

/* Whether primitives are captured now: active and not paused. */
bool gl_transform_feedback_captures(const struct gl_context *ctx);

#endif
