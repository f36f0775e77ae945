/* SPDX-License-Identifier: MIT */
/*
 * Immediate mode. The vertices of consecutive primitives are collected in an array, the store, and
 * drawn together when state changes. All stored vertices have the same layout. It is extended, and
 * the vertices are converted, when an attribute is set that it doesn't contain.
 */
#ifndef GL_IMMEDIATE_H
#define GL_IMMEDIATE_H

#include "gl/draw/gl_draw.h"
#include "util/dynarray.h"

/* If at least this many vertices are stored, an attribute that is set between primitives and does
 * not fit the layout starts a new draw instead of extending the layout. */
#define GL_MAX_JOINED_VERTICES 128

/* Vertices collected by immediate mode, and the vertex being assembled. */
struct gl_immediate {
    struct gl_vertex_layout layout;
    uint32_t vertex[GL_VERTEX_WORDS]; /* next vertex, in the store's layout */
    uint32_t *store;                  /* stored vertices, malloc'ed */
    size_t capacity;                  /* size of store in 32-bit words */
    unsigned num;                     /* number of vertices in store */
    DYNARRAY(struct gl_prim) prims;   /* primitives of the stored vertices; the last may be open */
    /* Mask of attributes that were set between primitives and don't fit the layout. The next
     * glBegin extends the layout. If the stored vertices are drawn before that, the attributes
     * become current values. */
    uint32_t waiting;
    /* by attribute: values of the attributes in `waiting`, as passed to gl_attrib */
    struct {
        uint32_t v[8];
        GLenum type;
        unsigned n;
    } next[VERT_ATTRIB_COUNT];
    bool loop_split; /* the open primitive is a GL_LINE_LOOP of which a piece was already drawn */
    /* first vertex of that line loop; glEnd appends it to close the loop */
    uint32_t loop_first[GL_VERTEX_WORDS];
};

/* Sets attribute `attrib` (enum vert_attrib) to n words of a type, given as bit patterns. Setting
 * the position between glBegin and glEnd emits a vertex; outside, it has no effect. If out of
 * memory, raises GL_OUT_OF_MEMORY and drops the value or vertex.
 *
 * Components of type GL_FLOAT, GL_INT and GL_UNSIGNED_INT have one word. Those of type GL_DOUBLE
 * and GL_UNSIGNED_INT64_ARB (handles) have two; only generic attributes and the position have these
 * types. v always has gl_attrib_words(type) elements: the caller sets the words from n on to their
 * defaults (gl_default_component).
 *
 * Attribute GL_ATTRIB_MATERIAL + i is material property i. It may be set only between glBegin and
 * glEnd, or if vertices are stored whose layout contains it. v then has n elements. */
void gl_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type, const uint32_t *v);
/* Draws complete primitives with num vertices, or appends them to the stored ones if they are few.
 * Call it outside glBegin and glEnd. The layout's offsets must have been assigned, and
 * gl_validate_draw called for each mode. Afterwards, the current values of the layout's attributes
 * are those in `last`, indexed by attribute. If `array` is set (array draws), draws at once, and
 * only material properties get these values. If out of memory, raises GL_OUT_OF_MEMORY and drops
 * the primitives. */
void gl_immediate_append(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                         const uint32_t *vertices, unsigned num, const struct gl_prim *prims,
                         unsigned num_prims, const uint32_t (*last)[4], bool array);
/* Sets the offsets of a layout's attributes, in the order of their indices and without gaps, and
 * vertex_words. Attributes with 64-bit components come first, so that these are aligned. */
void gl_vertex_layout_assign_offsets(struct gl_vertex_layout *layout);
/* Merges the last of count primitives into the one before it if both are lists of independent
 * points, lines, triangles or quads with the same mode, both or neither come from a display list,
 * their vertices are consecutive, and the earlier one has no incomplete line, triangle or quad.
 * Returns the number of primitives by which this shortens the array: 1 if merged, else 0. */
unsigned gl_prims_merge_last(struct gl_prim *prims, unsigned count);
/* Stores the current value of an attribute (enum vert_attrib) of type GL_FLOAT in v. May be called
 * between glBegin and glEnd. */
void gl_attrib_current(struct gl_context *ctx, unsigned attrib, float v[4]);
/* Converts the index argument of glVertexAttrib to enum vert_attrib; index 0 between glBegin and
 * glEnd is the position. Returns VERT_ATTRIB_COUNT if an error was raised. */
unsigned gl_generic_attrib(struct gl_context *ctx, GLuint index);
/* Records the setting of an attribute in the display list being compiled, and also executes it for
 * GL_COMPILE_AND_EXECUTE. The parameters are those of gl_attrib. If out of memory, raises
 * GL_OUT_OF_MEMORY and doesn't record it. */
void gl_save_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
                    const uint32_t *v);
/* Like gl_generic_attrib for a command that is compiled: index 0 is VERT_ATTRIB_GENERIC0. An error
 * is recorded in the list, and raised only for GL_COMPILE_AND_EXECUTE. */
unsigned gl_save_generic_attrib(struct gl_context *ctx, GLuint index);
struct gl_dispatch;
/* Stores the generated functions that record attribute commands (gl_save_Vertex3f …) in a dispatch
 * table. */
void gl_save_attribs_install(struct gl_dispatch *table);

/* Returns whether a type is valid for commands with packed attributes (glVertexP3ui …), or for
 * glVertexAttribP if `generic`. Otherwise raises GL_INVALID_ENUM for the command `name`. */
bool gl_packed_type(struct gl_context *ctx, GLenum type, bool generic, const char *name);

bool gl_immediate_init(struct gl_context *ctx); /* returns false if out of memory */
void gl_immediate_finish(struct gl_context *ctx);

#endif
