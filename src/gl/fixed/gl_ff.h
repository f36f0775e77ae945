/* SPDX-License-Identifier: MIT */
/* Fixed-function programs: vertex and fragment shaders generated from GL state. A key is the state
 * that determines a program; programs are cached by key. Keys are compared as bytes, so clear them
 * before filling them in. */
#ifndef GL_FF_H
#define GL_FF_H

#include "gl/context/gl_context.h"
#include "nir/nir.h"

struct gl_executable;
struct hash_table;

/* How a vertex program computes normals in eye space: it doesn't need them (GL_FF_NO_NORMAL), or it
 * transforms them and leaves the result as it is (GL_FF_NORMAL), normalizes it (GL_NORMALIZE), or
 * rescales it (GL_RESCALE_NORMAL). */
enum { GL_FF_NO_NORMAL, GL_FF_NORMAL, GL_FF_NORMALIZE, GL_FF_RESCALE };
/*
 * Fog coordinate that a vertex program outputs:
 * GL_FF_FOG_NONE: none.
 * GL_FF_FOG_DEPTH: |z| in eye space.
 * GL_FF_FOG_PLANE: z in eye space, with its sign (GL_EYE_PLANE of NV_fog_distance).
 * GL_FF_FOG_RADIAL: distance from the eye.
 * GL_FF_FOG_COORD: the fog coordinate attribute.
 */
enum { GL_FF_FOG_NONE, GL_FF_FOG_DEPTH, GL_FF_FOG_PLANE, GL_FF_FOG_RADIAL, GL_FF_FOG_COORD };

/* State that determines a fixed-function vertex program. */
struct gl_ff_vertex_key {
    bool lighting, two_side, local_viewer, separate_specular;
    bool color0, color1, clip_vertex; /* these outputs are needed */
    /* point_attenuation: the point size depends on the distance (GL_POINT_DISTANCE_ATTENUATION).
     * point_array: the point size is a vertex attribute (ES 1). */
    bool point_attenuation, point_array;
    uint8_t normal, fog; /* GL_FF_NO_NORMAL …, GL_FF_FOG_NONE … */
    /* Masks of lights; bit i is light i: enabled, at a finite position, with distance attenuation,
     * spot lights. */
    uint8_t lights, positional, attenuated, spot;
    /* Masks of material properties; bit i is property i (GL_MATERIAL_AMBIENT …). tracked:
     * properties that follow the vertex color. materials: properties that are vertex attributes.
     * The others are uniforms. */
    uint16_t tracked, materials;
    /* Masks of texture coordinate sets: outputs that are needed, and sets whose texture matrix is
     * not the identity. */
    uint8_t coords, texture_matrices;
    /* texture coordinate generation mode per component, GEN_… in gl_ff_vertex.c; 0: disabled */
    uint8_t gen[GL_MAX_TEXTURE_COORD_UNITS][4];
};

/* State that determines a fixed-function fragment program. */
struct gl_ff_fragment_key {
    uint8_t fog;    /* 0 none, 1 linear, 2 exp, 3 exp2 */
    bool color_sum; /* add the secondary color after texturing */
    bool clamp;     /* clamp results of texture environments and the color sum to [0, 1] */
    /* Texture environment of a unit. The enumerations are defined in gl_ff_fragment.c. */
    struct gl_ff_env {
        uint8_t target; /* enum gl_texture_index + 1; 0: the unit is disabled */
        bool shadow;    /* the texture compares depths */
        uint8_t mode;
        uint8_t base; /* class of the texture's base format */
        uint8_t rgb_op, alpha_op;
        uint8_t rgb_source[4], alpha_source[4], rgb_operand[4], alpha_operand[4];
        uint8_t rgb_shift, alpha_shift; /* log2 of GL_RGB_SCALE and GL_ALPHA_SCALE */
    } unit[GL_MAX_TEXTURE_COORD_UNITS];
};

#define GL_FF_KEY_MAX 256 /* maximum size of a key in bytes */
_Static_assert(sizeof(struct gl_ff_vertex_key) <= GL_FF_KEY_MAX &&
                   sizeof(struct gl_ff_fragment_key) <= GL_FF_KEY_MAX,
               "keys fit the probe");

/* Attribute of fixed-function vertex programs (enum vert_attrib) with material property 0; property
 * i is attribute GL_FF_ATTRIB_MATERIAL + i. They replace generic attributes, which these programs
 * don't read. */
enum { GL_FF_ATTRIB_MATERIAL = VERT_ATTRIB_GENERIC0 + 1 };
_Static_assert(GL_FF_ATTRIB_MATERIAL + GL_MATERIAL_PROPERTIES <= VERT_ATTRIB_COUNT, "they fit");

/* Returns whether vertices are processed by fixed function: the context has it, and neither a GLSL
 * vertex shader nor an assembly program is in use. */
bool gl_ff_processes_vertices(const struct gl_context *ctx);

/* Returns whether the current draw provides this attribute of the vertex program as a material
 * property of its vertices. */
static inline bool gl_ff_is_material(const struct gl_context *ctx, unsigned attrib)
{
    return ctx->light.vertex_materials && attrib >= GL_FF_ATTRIB_MATERIAL;
}

/* Cache of a context's fixed-function programs. It is a talloc context. */
struct gl_ff_cache {
    struct hash_table *vertex, *fragment; /* key → gl_executable */
};

/* A function that builds the shader for a key. Returns a new shader, which the caller owns. Called
 * in an attempt (util/memory.h), so it need not check for out of memory. */
typedef nir_shader *(*gl_ff_build)(struct gl_context *ctx, const void *key);
/* Returns the executable for a key of `size` bytes, at most GL_FF_KEY_MAX. If it is not in the
 * table, calls build and adds the executable with a copy of the key. The table owns the executable.
 * Like gl_ff_vertex and gl_ff_fragment, returns NULL if out of memory, without raising an error. */
struct gl_executable *gl_ff_find(struct gl_context *ctx, struct hash_table *table, const void *key,
                                 size_t size, gl_ff_build build);

/* Creates a table for gl_ff_find as a talloc child of mem_ctx. Returns NULL if out of memory. */
struct hash_table *gl_ff_table(void *mem_ctx);
/* Releases the executables and frees the table, which may be NULL. */
void gl_ff_free_table(struct gl_context *ctx, struct hash_table *table);

/* Creates the cache (ctx->program.ff) of a context with fixed function. Returns false if out of
 * memory. */
bool gl_ff_init(struct gl_context *ctx);
/* Releases the cache's executables and frees the cache, if there is one. */
void gl_ff_finish(struct gl_context *ctx);
/* Returns the fixed-function vertex program for the current state; the cache owns it. outputs is
 * the mask (by enum varying_slot) of the inputs of the fragment shader. Returns NULL if out of
 * memory. */
struct gl_executable *gl_ff_vertex(struct gl_context *ctx, uint64_t outputs);
/* Returns the fixed-function fragment program for the current state, or the one of the current ATI
 * fragment shader; the cache or the shader owns it. Returns NULL if out of memory. */
struct gl_executable *gl_ff_fragment(struct gl_context *ctx);
/* Returns true if fixed-function fragment processing certainly leaves the primary color unchanged:
 * there is no texture, color sum or fog, and GL_FRAGMENT_SHADER_ATI is disabled. Otherwise returns
 * false. Doesn't check whether the application's fragment shader or program replaces it. */
bool gl_ff_keeps_colors(struct gl_context *ctx);
/* Returns the enum gl_texture_index of the texture that fixed function samples on a unit: of the
 * enabled targets, the one with the highest priority. Returns -1 if none is enabled, or if the
 * texture is incomplete, which disables the unit (GL 4.6 compatibility §16.1). An incomplete
 * external texture doesn't disable the unit; its target is returned. */
int gl_ff_unit_target(struct gl_context *ctx, unsigned unit);

#endif
