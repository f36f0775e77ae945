/* SPDX-License-Identifier: MIT */
/* Fixed-function programs: keys and cache. Keys are compared as bytes, so clear them before filling
 * them in. */
#ifndef GL_FF_H
#define GL_FF_H

#include "gl/context/gl_context.h"
#include "nir/nir.h"

struct gl_executable;
struct hash_table;

/* How a vertex program provides normals: not at all, as given, normalized, or rescaled. */
enum { GL_FF_NO_NORMAL, GL_FF_NORMAL, GL_FF_NORMALIZE, GL_FF_RESCALE };
/* Source of the fog coordinate: |z| in eye space, z in eye space, the distance from the eye, or the
 * fog coordinate attribute. */
enum { GL_FF_FOG_NONE, GL_FF_FOG_DEPTH, GL_FF_FOG_PLANE, GL_FF_FOG_RADIAL, GL_FF_FOG_COORD };

/* State that determines a fixed-function vertex program. */
struct gl_ff_vertex_key {
    bool lighting, two_side, local_viewer, separate_specular;
    bool color0, color1, clip_vertex; /* output is needed */
    bool point_attenuation, point_array;
    uint8_t normal, fog;
    uint8_t lights, positional, attenuated, spot; /* bit masks of lights */
    /* Masks of material properties (gl_material_property). tracked: follow the vertex color.
     * materials: are vertex inputs. */
    uint16_t tracked, materials;
    uint8_t coords, texture_matrices;           /* bit masks of texture coordinate sets */
    uint8_t gen[GL_MAX_TEXTURE_COORD_UNITS][4]; /* texgen mode per component */
};

/* State that determines a fixed-function fragment program. */
struct gl_ff_fragment_key {
    uint8_t fog; /* 0 none, 1 linear, 2 exp, 3 exp2 */
    bool color_sum;
    bool clamp; /* clamp colors and sums of texture environments (GL_CLAMP_FRAGMENT_COLOR) */
    struct gl_ff_env {
        uint8_t target; /* enum gl_texture_index + 1; 0: the unit is disabled */
        bool shadow;
        uint8_t mode; /* GL_FF_MODULATE … */
        uint8_t base; /* class of the texture's base format, see gl_ff_fragment.c */
        uint8_t rgb_op, alpha_op;
        uint8_t rgb_source[4], alpha_source[4], rgb_operand[4], alpha_operand[4];
        uint8_t rgb_shift, alpha_shift;
    } unit[GL_MAX_TEXTURE_COORD_UNITS];
};

#define GL_FF_KEY_MAX 256
_Static_assert(sizeof(struct gl_ff_vertex_key) <= GL_FF_KEY_MAX &&
                   sizeof(struct gl_ff_fragment_key) <= GL_FF_KEY_MAX,
               "keys fit the probe");

/* Inputs for per-vertex material properties. They take the place of generic attributes, which
 * fixed-function vertex programs don't read. */
enum { GL_FF_ATTRIB_MATERIAL = VERT_ATTRIB_GENERIC0 + 1 };
_Static_assert(GL_FF_ATTRIB_MATERIAL + GL_MATERIAL_PROPERTIES <= VERT_ATTRIB_COUNT, "they fit");

/* Returns whether fixed function processes vertices, i.e. no vertex program is in use. */
bool gl_ff_processes_vertices(const struct gl_context *ctx);

/* Returns whether an input of the bound vertex program is a material property, in a draw whose
 * vertices contain some. */
static inline bool gl_ff_is_material(const struct gl_context *ctx, unsigned attrib)
{
    return ctx->light.vertex_materials && attrib >= GL_FF_ATTRIB_MATERIAL;
}

/* Program cache of a context. It is a talloc context. */
struct gl_ff_cache {
    struct hash_table *vertex, *fragment; /* key → gl_executable */
};

/* Builds the shader for a key. */
typedef nir_shader *(*gl_ff_build)(struct gl_context *ctx, const void *key);
/* Returns the executable for a key; builds it if it is not in the table. NULL: out of memory. */
struct gl_executable *gl_ff_find(struct gl_context *ctx, struct hash_table *table, const void *key,
                                 size_t size, gl_ff_build build);

/* Creates a table for gl_ff_find in a talloc context. NULL: out of memory. */
struct hash_table *gl_ff_table(void *mem_ctx);
/* Releases the executables and frees the table, which may be NULL. */
void gl_ff_free_table(struct gl_context *ctx, struct hash_table *table);

bool gl_ff_init(struct gl_context *ctx); /* returns false if out of memory */
void gl_ff_finish(struct gl_context *ctx);
/* Return the programs for the current state, owned by the cache. NULL: out of memory. outputs: mask
 * by enum varying_slot of what the fragment shader reads. */
struct gl_executable *gl_ff_vertex(struct gl_context *ctx, uint64_t outputs);
struct gl_executable *gl_ff_fragment(struct gl_context *ctx);
/* Returns the enum gl_texture_index that a unit samples: that of the highest-priority enabled
 * target. Returns -1 if none is enabled or the texture is incomplete, which disables the unit (GL
 * 4.6 compatibility §16.1). */
int gl_ff_unit_target(struct gl_context *ctx, unsigned unit);

#endif
