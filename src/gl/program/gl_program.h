/* SPDX-License-Identifier: MIT */
/*
 * Shader and program objects, fixed-function programs, variants, uniforms.
 *
 * A program object is what the application names. Linking it creates its executable (struct
 * gl_executable): NIR per stage, uniform storage and variants. Contexts that draw with an
 * executable hold a reference, so it outlives a later link or the deletion of the program.
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

/* State that is lowered into a variant of a shader stage. Keys are compared as bytes, so clear them
 * before filling them in. A prefix names the stage that has the field; fields of other stages are
 * 0. "Last" is the last stage before rasterization. */
struct gl_variant_key {
    uint8_t alpha_func;  /* fragment: enum drv_compare_func; DRV_FUNC_ALWAYS: no alpha test */
    uint8_t clip_planes; /* last: mask of user clip planes to lower to clip distances */
    /* fragment: mask of texture coordinate sets that the point coordinate replaces */
    uint8_t coord_replace;
    uint8_t image;    /* fragment: enum gl_image_kind of the image being drawn */
    uint8_t blend;    /* fragment: enum nir_advanced_blend + 1; 0: the shader doesn't blend */
    bool blend_clamp; /* fragment: clamp colors to [0, 1] before blending */
    bool flatshade, two_side; /* fragment: flat colors; back colors for back faces */
    bool smooth;              /* fragment: multiply alpha by the coverage before the alpha test */
    bool edge_flags; /* vertex: output edge flags, because polygons are drawn as lines or points */
    /* last: without gl_ClipVertex, test gl_Position against the clip planes in eye space (GLSL 1.30
     * §7.1), not against the planes in clip space */
    bool clip_position;
    bool clamp_color; /* fragment, last: clamp the output colors to [0, 1] */
    bool last;        /* the stage is the last one; transform feedback captures its outputs */
    bool flip_y;      /* fragment: the framebuffer's rows are flipped (gl_lower_flip.h) */
    bool one_color;   /* fragment: write color 0 to all color buffers, and no other color */
    bool captured;    /* vertex: convert to a compute shader (gl_lower_capture.h) */
};

/* A vector or matrix of GL state that is copied to a variant's constants. */
struct gl_state_value {
    uint64_t dirty;      /* enum gl_dirty bits that can change the value */
    nir_state_slot slot; /* tokens of the value; for a matrix, of its first column */
    uint32_t offset;     /* bytes from the start of the constants */
    uint8_t components;  /* number of floats (STATE_NUM_SAMPLES: ints) per column */
    uint8_t columns;     /* number of consecutive matrix columns to copy; 1 for vectors */
    uint16_t stride;     /* bytes from one column to the next */
};

/* A compiled variant of a stage, used only by the context that created it. It is a talloc
 * context. */
struct gl_variant {
    struct gl_variant *next; /* next variant of the stage */
    struct gl_variant_key key;
    struct gl_owned owned;                 /* driver shader and the context that created it */
    uint64_t inputs_read, outputs_written; /* masks of locations, from the variant's NIR */
    uint8_t clip_distances;                /* mask of the clip distances that it writes */
    unsigned const_bytes; /* size of the default uniform block plus the variant's state values */
    uint8_t *constants;   /* const_bytes bytes: contents of the driver's constant buffer 0 */
    struct gl_state_value *state; /* array of num_state values, copied to `constants` */
    unsigned num_state;
    uint64_t dirty; /* union of the state values' dirty bits */
    unsigned stamp; /* gl_stage.stamp of the uniforms in `constants`; 0: all constants are stale */
};

/* A storage buffer of a stage. */
struct gl_storage_use {
    bool counters;  /* an atomic counter buffer, otherwise a storage block */
    uint16_t index; /* index into glsl->atomic_buffers if counters, otherwise into glsl->blocks */
};

/* A range of bytes in the storage of an executable. */
struct gl_byte_range {
    uint32_t start, size; /* in bytes; start: offset in gl_executable.storage */
};

/* One stage of a linked program or of a fixed-function program. */
struct gl_stage {
    enum shader_stage stage;
    nir_shader *nir;              /* before the lowering of variants */
    struct gl_byte_range *ranges; /* ranges of the executable's storage that the stage reads */
    unsigned num_ranges;
    unsigned stamp; /* incremented when uniforms that the stage reads change; never 0 */
    /* mesh stage: executable with the vertex shader that draws the meshes; NULL: not created yet */
    struct gl_executable *mesh_vertex;
    struct gl_variant *variants; /* variants of all contexts; guarded by gl_shared.mutex */
    struct gl_sampler_use sampler[DRV_MAX_SAMPLERS]; /* by sampler slot */
    unsigned num_samplers;                     /* highest used slot + 1; slots can be unused */
    struct gl_image_use image[DRV_MAX_IMAGES]; /* by image slot */
    unsigned num_images;                       /* highest used slot + 1 */
    /* index into glsl->blocks of the stage's uniform block n, the driver's constant buffer n + 1 */
    uint32_t uniform_block[DRV_MAX_CONSTANT_BUFFERS - 1];
    unsigned num_uniform_blocks; /* highest used n + 1 */
    /* storage buffers by driver slot: storage blocks, followed by atomic counter buffers */
    struct gl_storage_use storage[DRV_MAX_STORAGE_BUFFERS];
    unsigned num_storage; /* highest used slot + 1 */
};

/* All stages of a program with their uniform storage. It is a talloc context. */
struct gl_executable {
    int refcount;
    struct gl_stage *stage[SHADER_STAGE_COUNT]; /* NULL: the program doesn't have the stage */
    struct glsl_program *glsl;                  /* NULL for fixed-function and assembly programs */
    uint8_t *storage; /* values of the default uniform block, without built-in uniforms */
    unsigned storage_bytes;
    int *opaque_units;      /* by uniform location: unit of a sampler or image */
    GLuint *block_bindings; /* binding points, by index into glsl->blocks */
    /* incremented when an element of opaque_units changes, or when a sampler or image is set to a
     * handle instead of a unit, or vice versa */
    unsigned units_stamp;
    uint8_t num_views;    /* layout(num_views) of the stages before rasterization; 0: none */
    bool separable;       /* linked with GL_PROGRAM_SEPARABLE */
    bool reads_materials; /* reads fixed-function materials (gl_FrontMaterial, state.material …) */
    /* feature that draws need and the driver lacks (gl_undrawable_reason); NULL: none */
    const char *undrawable;
};

/* A shader object. Its name is in gl_shared.programs, as are those of struct gl_program. */
struct gl_shader_object {
    bool is_program; /* false; distinguishes it from struct gl_program */
    /* one for the name until it is deleted, one per program it is attached to, and one during
     * compilation */
    int refcount;
    GLuint name;
    bool delete_pending; /* glDeleteShader was called, but the shader is still referenced */
    char *label;

    GLenum type;
    enum shader_stage stage;
    char *source;         /* NULL: not set */
    size_t source_length; /* bytes, without the terminator */
    /* Result of the last glCompileShader or glSpecializeShader, also if that failed; NULL: none. */
    struct glsl_shader *compiled;
    uint32_t *module;    /* SPIR-V module; NULL: the shader has a source instead */
    size_t module_words; /* size of the module in 32-bit words */
    bool specialized;    /* glSpecializeShader succeeded */
};

/* A variable's name that glBindAttribLocation or glBindFragDataLocationIndexed has bound to a
 * location. */
struct gl_bound_name {
    char *name;
    GLuint location, index; /* index: 0 or 1 for dual-source blending; 0 for attributes */
};

/* A program object. */
struct gl_program {
    bool is_program; /* true; the first member, as in struct gl_shader_object */
    /* One for the name until it is deleted, and one per context in which the program is current. In
     * pipelines, one per stage that uses it, and one per pipeline whose active program it is
     * (glActiveShaderProgram). */
    int refcount;
    GLuint name;
    bool delete_pending; /* glDeleteProgram was called, but the program is still in use */
    char *label;

    struct gl_shader_object **shaders; /* attached shaders, referenced */
    unsigned num_shaders;
    /* Bindings of names for the next link. */
    struct gl_bound_name *attribs, *frag_data;
    unsigned num_attribs, num_frag_data;
    char **xfb_varyings; /* set by glTransformFeedbackVaryings for the next link */
    unsigned num_xfb_varyings;
    GLenum xfb_mode; /* GL_INTERLEAVED_ATTRIBS or GL_SEPARATE_ATTRIBS */
    /* Parameters of geometry shaders of ARB_geometry_shader4 for the next link. */
    struct {
        GLenum input, output;
        GLint vertices_out;
    } geometry;
    char *info_log;
    /* linked, validated: status of the last link and validation. separable: GL_PROGRAM_SEPARABLE
     * for the next link. */
    bool linked, validated, separable;
    /* GL_PROGRAM_BINARY_RETRIEVABLE_HINT of the last link and for the next one (GL 4.6 §7.5) */
    bool retrievable, retrievable_next;
    struct gl_executable *exe; /* result of the last link; NULL: not linked, or it failed */
    /* Result of the last successful link, with which pipelines draw (GL 4.6 §7.3); NULL: none */
    struct gl_executable *installed;
};

struct gl_pipeline; /* a program pipeline object, see gl_pipeline.c */

/* --- Objects --- */

/* Returns the program object with a name. If there is none, returns NULL after raising an error for
 * the command `call`: GL_INVALID_OPERATION if the name is a shader's, otherwise
 * GL_INVALID_VALUE. */
struct gl_program *gl_program_lookup(struct gl_context *ctx, GLuint name, const char *call);
/* Like gl_program_lookup, but also raises GL_INVALID_OPERATION and returns NULL if the program has
 * no executable. */
struct gl_program *gl_program_lookup_linked(struct gl_context *ctx, GLuint name, const char *call);
/* Frees the shader's SPIR-V module, if any, and clears the fields that describe it. Called before a
 * new source or module is set. */
void gl_shader_free_module(struct gl_shader_object *shader);
/* Returns the name of the SPIR-V extension with an index in the list of supported ones; NULL if the
 * index is not below their number. */
const char *gl_spirv_extension(const struct gl_context *ctx, GLuint index);
/* Returns the number of supported SPIR-V extensions (GL_NUM_SPIR_V_EXTENSIONS). */
GLint gl_num_spirv_extensions(const struct gl_context *ctx);
/* Like gl_program_lookup, for shader objects: raises GL_INVALID_OPERATION if the name is a
 * program's. */
struct gl_shader_object *gl_shader_lookup(struct gl_context *ctx, GLuint name, const char *call);
/* Returns the stage of a shader type such as GL_VERTEX_SHADER; SHADER_STAGE_NONE if the context
 * doesn't have the type. */
enum shader_stage gl_shader_stage(const struct gl_context *ctx, GLenum type);
/* Compiles the shader's source and replaces shader->compiled by the result, also if the source has
 * errors. includes resolves #include directives. `name` is the shader's name, for debug messages.
 * If out of memory, keeps shader->compiled and raises GL_OUT_OF_MEMORY for the command `call`.
 * Pauses the share group's lock during compilation. Another context may delete the shader
 * meanwhile; unless it is attached to a program, it is then freed before the function returns. */
void gl_shader_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                       const struct glsl_includes *includes, GLuint name, const char *call);
/* Like gl_shader_compile; #include directives refer to named strings (gl_named_string.c), which are
 * looked up in the num_search paths `search`. */
void gl_named_strings_compile(struct gl_context *ctx, struct gl_shader_object *shader,
                              const char *const *search, unsigned num_search, GLuint name,
                              const char *call);
/* Sets *dst to src and updates both reference counts. Frees the old program and its name with its
 * last reference. Locks gl_shared.programs itself. */
void gl_program_reference(struct gl_context *ctx, struct gl_program **dst, struct gl_program *src);
/* Sets *dst to src and updates both reference counts. Frees the old shader, but not its name, with
 * its last reference. */
void gl_shader_reference(struct gl_shader_object **dst, struct gl_shader_object *src);
/* Releases a reference to a shader. With the last one, frees the shader and its name. Locks
 * gl_shared.programs itself. */
void gl_shader_release(struct gl_context *ctx, struct gl_shader_object *shader);
/* Sets *dst to src and updates both reference counts. Frees the old executable with its last
 * reference; the contexts that created its variants delete their driver shaders (gl_owned.h). */
void gl_executable_reference(struct gl_context *ctx, struct gl_executable **dst,
                             struct gl_executable *src);
/* Creates an executable from a linked program and takes ownership of glsl. The caller gets the
 * reference. If out of memory, frees glsl and returns NULL. */
struct gl_executable *gl_executable_create(struct glsl_program *glsl);
/* Returns the name of a feature that the executable needs and the driver lacks (a constant string),
 * or NULL if draws and dispatches can use the executable. */
const char *gl_undrawable_reason(const struct gl_context *ctx, const struct gl_executable *exe);
/* Creates the executable of a fixed-function or assembly program from the NIR of its only stage,
 * and takes ownership of nir. The caller gets the reference. If out of memory, frees nir and
 * returns NULL. */
struct gl_executable *gl_executable_from_nir(nir_shader *nir);
/* Returns the address of the pointer to the label of a program (identifier GL_PROGRAM) or shader
 * (GL_SHADER), so that glObjectLabel can replace it. Returns NULL if there is no such object. */
char **gl_program_label(struct gl_context *ctx, GLenum identifier, GLuint name);
/* Like gl_program_label, for a program pipeline. Returns NULL if there is no such object. */
char **gl_pipeline_label(struct gl_context *ctx, GLuint name);
/* Copies a string to out for glGet*InfoLog and similar queries, truncated to size bytes including
 * the terminator. Copies nothing if out is NULL or size is not positive. If length is not NULL,
 * stores the number of bytes copied, without the terminator, in *length. */
void gl_copy_string(GLsizei size, GLsizei *length, GLchar *out, const char *text);
/* Splits "name[12]" into the length of the base name and the index, at most 9 digits without
 * leading zeros. Returns false if there is no valid subscript. */
bool gl_split_subscript(const char *name, size_t *base, unsigned *index);
/* Implements glGetProgramiv for parameters with one value, except properties of the geometry,
 * tessellation, compute, task and mesh stages. Stores the value in *value. Returns false, without
 * raising an error, for other parameters and those that the context doesn't have; *value is
 * undefined then. */
bool gl_program_get(struct gl_context *ctx, struct gl_program *program, GLenum pname, GLint *value);
/* Returns the type enumerant (GL_FLOAT_VEC4 …) that glGetActiveUniform reports for a GLSL type. */
GLenum gl_uniform_type(const struct glsl_type *type);

/* Ends a link, or the load of a binary: replaces the program's executable by one created from glsl,
 * and takes ownership of glsl. The caller must have drawn queued vertices (FLUSH_VERTICES).
 * On success, pipelines use the new executable, and so does ctx if the program is current. Other
 * contexts keep the previous one. Fails if glsl is NULL (none was created), if it did not link, if
 * the driver rejects it, or if out of memory. The program then has no executable, and all contexts
 * and pipelines keep the previous one.
 * Sets the info log to that of glsl, or to `why` if glsl is NULL. If the driver rejects glsl or has
 * no memory to check it, appends the reason to the log and raises no error. Raises GL_OUT_OF_MEMORY
 * for the command `call` if otherwise out of memory, or if glsl and `why` are both NULL (the caller
 * was out of memory). */
void gl_program_install(struct gl_context *ctx, struct gl_program *p, struct glsl_program *glsl,
                        const char *why, const char *call);
/* Returns the size of the program's binary in bytes (gl_program_binary.c); 0 if the program is not
 * linked, if the build has no ID, if the binary would exceed INT32_MAX bytes, or if out of
 * memory. */
GLint gl_program_binary_length(struct gl_context *ctx, const struct gl_program *p);
/* The only program binary format. */
#define GL_PROGRAM_BINARY_FORMAT_INDIUM GL_PROGRAM_BINARY_FORMAT_MESA

/* Copies the info log of a shader to a program, for glCreateShaderProgramv. The program is not
 * linked if the shader didn't compile, so it has no log from a link. */
void gl_program_copy_shader_log(struct gl_context *ctx, GLuint program, GLuint shader);

/* --- Pipelines (gl_pipeline.c) --- */

/* Returns the executable that draws and dispatches use for a stage, or NULL if there is none: the
 * current program's or, without a current program, that of the bound pipeline's program for the
 * stage. While meshes are drawn, ctx->program.mesh_vertex replaces the stages before rasterization.
 * Assembly programs and fixed function are not considered. */
struct gl_executable *gl_stage_executable(const struct gl_context *ctx, enum shader_stage stage);
/* Returns the name of the program object whose executable gl_stage_executable returns for the
 * stage; 0 if that is NULL. */
GLuint gl_stage_program(const struct gl_context *ctx, enum shader_stage stage);
/* Returns whether the context has tessellation shaders, by version or extension. */
bool gl_has_tessellation(const struct gl_context *ctx);
/* Returns the mode of the primitives that the geometry shader receives in a draw with mode `mode`:
 * the same, or what tessellation produces (GL_POINTS, GL_LINES or GL_TRIANGLES). */
GLenum gl_assembled_mode(const struct gl_context *ctx, GLenum mode);
/* Returns the mode of the primitives that are rasterized in a draw with mode `mode`, after
 * tessellation and geometry shaders. */
GLenum gl_rasterized_mode(const struct gl_context *ctx, GLenum mode);
/* Resets the subroutine uniforms of the stages in a mask (bit s: enum shader_stage s) to default
 * functions (GL 4.6 §7.10). Call it when the programs of these stages may have changed. If out of
 * memory, raises GL_OUT_OF_MEMORY for the command `call`. */
void gl_reset_subroutines(struct gl_context *ctx, unsigned stages, const char *call);
/* Stores the context's subroutine uniforms for a stage of exe in `constants`, the constants of a
 * variant of that stage (gl_variant.constants). */
void gl_store_subroutines(const struct gl_context *ctx, const struct gl_executable *exe,
                          enum shader_stage stage, uint8_t *constants);
/* Returns the executable whose uniforms glUniform sets. NULL: there is no active program, or its
 * last link failed, so that it has no locations (GL 4.6 §7.3, §7.3.1). */
struct gl_executable *gl_uniform_executable(const struct gl_context *ctx);
/* Returns the reason why draws with the bound pipeline must fail (a constant string). Returns NULL
 * if they may succeed, or if no pipeline is in use. */
const char *gl_pipeline_invalid(struct gl_context *ctx);
/* Returns a mask of the stages (bit s: enum shader_stage s) for which the bound pipeline uses
 * `program`. A pipeline must be bound. */
unsigned gl_pipeline_stages(const struct gl_context *ctx, const struct gl_program *program);
GLuint gl_pipeline_name(const struct gl_context *ctx); /* name of the bound pipeline; 0: none */
/* Frees the context's pipelines and their names. */
void gl_pipelines_finish(struct gl_context *ctx);

/* Maximum number of workgroups of a draw by task or mesh shaders, in each dimension and in total
 * (EXT_mesh_shader, tables 23.63 and 23.64). */
#define GL_MESH_MAX_COUNT  65535u
#define GL_MESH_MAX_GROUPS (1u << 22)

/* --- Compiler options (gl_program_limits.c) --- */

/* Fills in the compiler's limits from the context's. */
void gl_compiler_limits(const struct gl_context *ctx, struct glsl_limits *limits);
/* Fills in the extensions that shaders may enable. */
void gl_compiler_extensions(const struct gl_context *ctx, struct glsl_options *options);

/* --- Variants --- */

/* Returns ctx's variant of a stage of exe for a key, and compiles it if needed. The executable owns
 * the variant. If out of memory, or if the driver rejects the shader, raises GL_OUT_OF_MEMORY and
 * returns NULL. */
struct gl_variant *gl_stage_variant(struct gl_context *ctx, struct gl_executable *exe,
                                    enum shader_stage stage, const struct gl_variant_key *key);
/* Returns a vec4 uniform of the shader that has the value of a piece of GL state, given by its
 * tokens (nir_state_tokens.h). Adds the variable if there is none with these tokens. Its offset in
 * the constants is assigned when a variant is compiled. Call this in an attempt (util/memory.h). */
nir_variable *gl_state_uniform(nir_shader *nir, const int16_t tokens[NIR_STATE_LENGTH]);

/* --- State uniforms (gl_state_param.c) --- */

/* Cache of the last evaluated matrix, for programs that use several parts of one matrix. */
struct gl_state_matrix {
    bool valid, inverted; /* inverted: m is the inverse of the matrix */
    int16_t kind, index;  /* tokens of the matrix: which one, and its index */
    float m[16];
};

/* Evaluates a state value and stores it at value->offset in `constants`. `last` caches a matrix
 * between calls; set last->valid to false before the first call after a state change. */
void gl_state_store(struct gl_context *ctx, const struct gl_state_value *value, uint8_t *constants,
                    struct gl_state_matrix *last);
/* Returns whether the slot denotes a column of a matrix. */
bool gl_state_is_matrix(const nir_state_slot *slot);
/* Returns the enum gl_dirty bits that are set when the slot's value changes. */
uint64_t gl_state_dirty(const nir_state_slot *slot);

/* --- Samplers by texture unit (gl_sampler_units.c) --- */

/* Element of gl_unit_sampler_types.index for a unit that no sampler uses. */
#define GL_UNIT_FREE 0xff
/* The texture target that samplers use on each unit. The caller initializes all elements to
 * GL_UNIT_FREE. */
struct gl_unit_sampler_types {
    uint8_t index[256]; /* by texture unit: enum gl_texture_index, or GL_UNIT_FREE */
};
/* Adds the samplers of a stage to *types, except those that are set to handles. stage may be NULL.
 * Returns false, without raising an error, if a sampler has another target than a previous sampler
 * of the same unit; draws must then raise GL_INVALID_OPERATION. */
bool gl_add_unit_sampler_types(struct gl_unit_sampler_types *types, const struct gl_stage *stage);
/* Returns false and sets *why to gl_samplers_conflict if two samplers of a program's stages use
 * different targets of one unit. Otherwise returns true. */
bool gl_validate_samplers(const struct gl_executable *exe, const char **why);
extern const char gl_samplers_conflict[]; /* message for info logs */

/* --- Lifetime of a context's and a share group's program state --- */

/* Initializes ctx->program and creates ctx->consts.glsl. Returns false if out of memory. */
bool gl_programs_init(struct gl_context *ctx);
/* Unbinds the driver's shaders, sampler views and samplers. Releases the context's programs and
 * pipelines, and deletes its shaders and sampler views at the driver (gl_owned_finish). Works also
 * after gl_programs_init failed. */
void gl_programs_finish(struct gl_context *ctx);
/* Frees the named strings of the share group. */
void gl_named_strings_finish(struct gl_shared *shared);
/* Drops the references that the names of programs and shaders hold. Called when the share group is
 * destroyed. */
void gl_programs_finish_shared(struct gl_context *ctx, struct gl_shared *shared);
/* Implements glGet for program state. gl_get_types.h describes the parameters and the result. */
unsigned gl_get_programs(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);

/* --- Transform feedback (gl_program_xfb.c) --- */

/* Returns whether a transform feedback object of the context is active and captures this
 * executable's outputs. It may be paused or not bound. */
bool gl_transform_feedback_uses(struct gl_context *ctx, const struct gl_executable *exe);
/* Stores in *out the description of the outputs of a program that transform feedback captures.
 * Returns false if there are none. */
bool gl_stream_output_of(const struct gl_executable *exe, struct drv_stream_output *out);

/* Returns whether the bound transform feedback object is active and not paused, so that draws are
 * captured. */
bool gl_transform_feedback_captures(const struct gl_context *ctx);

#endif
