/* SPDX-License-Identifier: MIT */
/* Fixed-function programs: their keys and cache. Keys are compared as bytes: zero them first. */
#ifndef GL_FF_H
#define GL_FF_H

#include "gl/context/gl_context.h"
#include "nir/nir.h"

struct gl_executable;
struct hash_table;

enum { GL_FF_NO_NORMAL, GL_FF_NORMAL, GL_FF_NORMALIZE, GL_FF_RESCALE };
/* Where fog comes from: |z| of the eye, z, the distance from it, or the coordinate that is given. */
enum { GL_FF_FOG_NONE, GL_FF_FOG_DEPTH, GL_FF_FOG_PLANE, GL_FF_FOG_RADIAL, GL_FF_FOG_COORD };

struct gl_ff_vertex_key {
    bool lighting, two_side, local_viewer, separate_specular;
    bool color0, color1, clip_vertex; /* outputs */
    bool point_attenuation, point_array;
    uint8_t normal, fog;
    uint8_t lights, positional, attenuated, spot; /* bit per light */
    uint16_t tracked,
        materials; /* properties (gl_material_property) that follow the color, that vertices
                                  * have: bits */
    uint8_t coords, texture_matrices;           /* bit per coordinate set */
    uint8_t gen[GL_MAX_TEXTURE_COORD_UNITS][4]; /* generation mode per coordinate */
};

struct gl_ff_fragment_key {
    uint8_t fog; /* 0 none, 1 linear, 2 exp, 3 exp2 */
    bool color_sum;
    bool clamp; /* colors of environments and their sums (GL_CLAMP_FRAGMENT_COLOR) */
    struct gl_ff_env {
        uint8_t target; /* enum gl_texture_index + 1, 0: unit is off */
        bool shadow;
        uint8_t mode; /* GL_FF_MODULATE … */
        uint8_t base; /* base format's class, see gl_ff_fragment.c */
        uint8_t rgb_op, alpha_op;
        uint8_t rgb_source[4], alpha_source[4], rgb_operand[4], alpha_operand[4];
        uint8_t rgb_shift, alpha_shift;
    } unit[GL_MAX_TEXTURE_COORD_UNITS];
};

#define GL_FF_KEY_MAX 256
_Static_assert(sizeof(struct gl_ff_vertex_key) <= GL_FF_KEY_MAX &&
                   sizeof(struct gl_ff_fragment_key) <= GL_FF_KEY_MAX,
               "keys fit the probe");

/* Inputs of fixed-function vertex programs, which read no generic attributes, for the materials' properties
 * that vertices have. */
enum { GL_FF_ATTRIB_MATERIAL = VERT_ATTRIB_GENERIC0 + 1 };
_Static_assert(GL_FF_ATTRIB_MATERIAL + GL_MATERIAL_PROPERTIES <= VERT_ATTRIB_COUNT, "they fit");

/* Whether vertices are the fixed function's. */
bool gl_ff_processes_vertices(const struct gl_context *ctx);

/* Whether an input of the bound vertex program is such a property, in a draw of vertices that have some. */
static inline bool gl_ff_is_material(const struct gl_context *ctx, unsigned attrib)
{
    return ctx->light.vertex_materials && attrib >= GL_FF_ATTRIB_MATERIAL;
}

struct gl_ff_cache {                      /* a talloc context */
    struct hash_table *vertex, *fragment; /* key → executable */
};

typedef nir_shader *(*gl_ff_build)(struct gl_context *ctx, const void *key);
/* The program for a key, built if it is new; NULL: no memory. */
struct gl_executable *gl_ff_find(struct gl_context *ctx, struct hash_table *table, const void *key,
                                 size_t size, gl_ff_build build);

/* A table for gl_ff_find under a talloc context; NULL: no memory. */
struct hash_table *gl_ff_table(void *mem_ctx);
/* Releases the programs, and the table; NULL: nothing. */
void gl_ff_free_table(struct gl_context *ctx, struct hash_table *table);

bool gl_ff_init(struct gl_context *ctx); /* false: no memory */
void gl_ff_finish(struct gl_context *ctx);
/* Programs of the current state, owned by the cache; NULL: no memory. outputs: enum varying_slot
 * bits that the fragment shader reads. */
struct gl_executable *gl_ff_vertex(struct gl_context *ctx, uint64_t outputs);
struct gl_executable *gl_ff_fragment(struct gl_context *ctx);
/* enum gl_texture_index of what a unit samples: the highest enabled target, if its texture is
 * complete; else -1: the unit does nothing (GL 4.6 compatibility §16.1). */
int gl_ff_unit_target(struct gl_context *ctx, unsigned unit);

#endif
