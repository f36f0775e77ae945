/* SPDX-License-Identifier: MIT */
/*
 * Immediate mode. The vertices of consecutive primitives are collected in one store and drawn
 * together when state changes. The layout of the store is extended as new attributes are set.
 */
#ifndef GL_IMMEDIATE_H
#define GL_IMMEDIATE_H

#include "gl/draw/gl_draw.h"
#include "util/dynarray.h"

/* If at least this many vertices are stored, new attributes start a new draw instead of extending
 * the layout. */
#define GL_MAX_JOINED_VERTICES 128

/* Vertices collected by immediate mode, and the vertex being assembled. */
struct gl_immediate {
    struct gl_vertex_layout layout;
    uint32_t vertex[GL_ATTRIB_COUNT * 4]; /* next vertex, in the store's layout */
    uint32_t *store;
    size_t capacity; /* size of store in 32-bit words */
    unsigned num;    /* vertices in store */
    DYNARRAY(struct gl_prim) prims;
    /* Mask of attributes missing from the layout that were set between primitives. The next glBegin
     * adds them to the layout. If the vertices are drawn before that, they only change current
     * state. */
    uint32_t waiting;
    struct {
        uint32_t v[4];
        GLenum type;
        unsigned n;
    } next[VERT_ATTRIB_COUNT];
    bool loop_split; /* an open GL_LINE_LOOP was split into several pieces */
    /* first vertex of a split line loop, which closes it */
    uint32_t loop_first[GL_ATTRIB_COUNT * 4];
};

/* Sets an attribute (enum vert_attrib) from n 32-bit components; v has four, completed with
 * (0, 0, 1). Setting the position between glBegin and glEnd emits a vertex. Material properties
 * (GL_ATTRIB_MATERIAL + i) use the first n values. They may be set only between glBegin and glEnd,
 * or if the layout contains them and vertices are stored. */
void gl_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
               const uint32_t v[4]);
/* Appends whole primitives with num vertices; the layout has offsets. last: attribute values that
 * become current afterwards; for arrays, only its material properties do. The caller has validated
 * a draw of each mode. */
void gl_immediate_append(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                         const uint32_t *vertices, unsigned num, const struct gl_prim *prims,
                         unsigned num_prims, const uint32_t (*last)[4], bool array);
/* Assigns consecutive offsets to the attributes of a layout. */
void gl_vertex_layout_assign_offsets(struct gl_vertex_layout *layout);
/* Merges the last of count primitives into the previous one if both are lists of the same kind.
 * Returns by how much count decreases. */
unsigned gl_prims_merge_last(struct gl_prim *prims, unsigned count);
/* Returns the current value of an attribute, also between glBegin and glEnd. */
void gl_attrib_current(struct gl_context *ctx, unsigned attrib, float v[4]);
/* Converts the index of glVertexAttrib to enum vert_attrib. Returns VERT_ATTRIB_COUNT if an error
 * was raised. */
unsigned gl_generic_attrib(struct gl_context *ctx, GLuint index);
/* Like gl_attrib and gl_generic_attrib, for commands compiled into a display list. */
void gl_save_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
                    const uint32_t v[4]);
unsigned gl_save_generic_attrib(struct gl_context *ctx, GLuint index);
/* Stores the generated functions gl_save_Vertex3f … in a dispatch table. */
struct gl_dispatch;
void gl_save_attribs_install(struct gl_dispatch *table);

/* Returns whether packed attributes support the type; generic ones support more types. Otherwise
 * raises GL_INVALID_ENUM. */
bool gl_packed_type(struct gl_context *ctx, GLenum type, bool generic, const char *name);

bool gl_immediate_init(struct gl_context *ctx);
void gl_immediate_finish(struct gl_context *ctx);

#endif
