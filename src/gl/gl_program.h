/* SPDX-License-Identifier: MIT */
/* Shader and program objects, fixed-function programs, variants, uniforms. */
#ifndef GL_PROGRAM_H
#define GL_PROGRAM_H

#include "gl/gl_owned.h"
#include "gl/gl_types.h"
#include "nir/nir.h"

struct glsl_program;
struct glsl_shader;

/* State lowered into a shader; compared as bytes. */
struct gl_variant_key {
    uint8_t alpha_func;       /* DRV_FUNC_ALWAYS: no test */
    uint8_t frag_colors;      /* buffers that gl_FragColor goes to */
    uint8_t clip_planes;      /* mask */
    uint8_t coord_replace;    /* mask of texture coordinates */
    uint8_t flatshade, two_side, clamp_color, sprite_flip;
};

struct gl_state_value { /* a piece of state in a constant buffer */
    nir_state_slot slot;
    uint32_t offset;     /* bytes */
    uint8_t components;
    bool integer;
};

struct gl_variant {
    struct gl_variant *next;
    struct gl_variant_key key;
    struct gl_context *ctx;
    struct gl_owned *owned;     /* the driver's shader */
    uint64_t inputs_read, outputs_written;
    uint8_t clip_distances;
    unsigned base_bytes, const_bytes; /* program's part, with the variant's state */
    uint8_t *constants;         /* const_bytes, if longer than the program's */
    struct gl_state_value *state;
    unsigned num_state;
};

struct gl_sampler_use { /* a sampler slot of a stage */
    bool used, shadow;
    uint8_t index;  /* enum gl_texture_index */
    uint8_t unit;   /* texture image unit */
};

/* One stage of a linked program, or a fixed-function program. */
struct gl_stage {
    enum shader_stage stage;
    nir_shader *nir;
    struct gl_variant *variants;
    struct gl_sampler_use sampler[DRV_MAX_SAMPLERS];
    unsigned num_samplers;
    bool may_write_fragcolor, reads_color;
};

/* All stages with their uniforms' storage. */
struct gl_executable {
    struct gl_stage *stage[SHADER_STAGES];
    uint8_t *storage;          /* default block */
    unsigned storage_bytes;
    struct gl_state_value *state;
    unsigned num_state;
    unsigned stamp;            /* raised by glUniform */
};

struct gl_shader_object { /* gl_names programs: both kinds begin alike */
    bool is_program;
    int refcount;
    GLuint name;
    bool delete_pending;
    char *label;

    GLenum type;
    char *source;
    size_t source_length;
    struct glsl_shader *compiled; /* of the last glCompileShader */
};

struct gl_bound_name {
    char *name;
    GLuint location, index;
};

struct gl_program {
    bool is_program;
    int refcount;
    GLuint name;
    bool delete_pending;
    char *label;

    struct gl_shader_object **shaders;
    unsigned num_shaders;
    struct gl_bound_name *attribs, *frag_data;
    unsigned num_attribs, num_frag_data;
    char *info_log;
    bool linked, validated, separable, retrievable;
    struct glsl_program *glsl; /* of the last successful link */
    struct gl_executable *exe;
    /* per location: where opaque uniforms live: unit number */
    int *opaque_units;
};

struct gl_ff_cache;

struct gl_program_state {
    struct gl_program *current;     /* glUseProgram; referenced */
    struct gl_owned_state owned;
    struct gl_ff_cache *ff;
    struct gl_executable *vertex, *fragment; /* what the bound stages come from */
    struct gl_variant *bound[SHADER_STAGES];
    struct gl_variant_key key[SHADER_STAGES];
    struct gl_stage *bound_stage[SHADER_STAGES];
    unsigned vertex_stamp, fragment_stamp;
    bool points;                    /* the draw is of points: sprites, attenuation */
    uint64_t fragment_inputs;       /* varying_slot bits that the fragment stage reads */
    bool two_side;                  /* the vertex stage gives back colors that count */
};

/* NULL, with the error for unknown names and for the other kind. */
struct gl_program *gl_program_lookup(struct gl_context *ctx, GLuint name, const char *call);
void gl_program_reference(struct gl_context *ctx, struct gl_program **dst, struct gl_program *src);
struct gl_executable *gl_executable_create(struct gl_context *ctx, void *mem_ctx,
                                           struct glsl_program *glsl);
/* Stage from NIR whose state uniforms have driver_locations; owns nir. NULL: no memory. */
struct gl_executable *gl_executable_from_nir(void *mem_ctx, nir_shader *nir, unsigned bytes);
void gl_executable_destroy(struct gl_context *ctx, struct gl_executable *exe);
/* Variant for a key, compiled if needed; NULL: no memory or the driver refused. */
struct gl_variant *gl_stage_variant(struct gl_context *ctx, struct gl_executable *exe,
                                    enum shader_stage stage, const struct gl_variant_key *key);
void gl_state_evaluate(struct gl_context *ctx, const nir_state_slot *slot, float v[4]);
/* Fixed-function programs of the current state; NULL: no memory. */
struct gl_executable *gl_ff_vertex(struct gl_context *ctx);
struct gl_executable *gl_ff_fragment(struct gl_context *ctx);
bool gl_ff_init(struct gl_context *ctx);
void gl_ff_finish(struct gl_context *ctx);
/* Whether units' textures are complete decides what fixed function does: enum gl_texture_index or -1. */
int gl_ff_unit_target(struct gl_context *ctx, unsigned unit);
/* A uniform of built-in state in a shader under construction: 4 components, appended at *bytes. */
nir_variable *gl_state_uniform(nir_shader *nir, unsigned *bytes, const int16_t tokens[5],
                               unsigned components);
/* Raises GL_INVALID_OPERATION if samplers of different types use a unit (GL 4.6 §11.1.3.11). */
bool gl_validate_samplers(struct gl_context *ctx, const char *name);

#endif
