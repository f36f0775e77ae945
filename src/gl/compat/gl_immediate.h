/* SPDX-License-Identifier: MIT */
/*
 * Immediate mode. Vertices between glBegin and glEnd, and of following primitives as long as no
 * state changes, are collected in one store and drawn together. The store's layout grows with the
 * attributes that come.
 */
#ifndef GL_IMMEDIATE_H
#define GL_IMMEDIATE_H

#include "gl/draw/gl_draw.h"
#include "util/dynarray.h"

/* Behind so many vertices what is new in the next ones begins a draw. */
#define GL_JOIN_VERTICES 128

struct gl_immediate {
    struct gl_vertex_layout layout;
    uint32_t vertex[GL_ATTRIB_COUNT * 4]; /* the next vertex, in the layout */
    uint32_t *store;
    size_t capacity; /* words */
    unsigned num;    /* vertices */
    DYNARRAY(struct gl_prim) prims;
    /* Attributes that the layout lacks and that were set between primitives: they enter it with the next
     * glBegin, unless the vertices are drawn before, as state that is not the vertices' changes. */
    uint32_t waiting; /* bits */
    struct {
        uint32_t v[4];
        GLenum type;
        unsigned n;
    } next[VERT_ATTRIB_COUNT];
    bool loop_split;                          /* an open GL_LINE_LOOP was split … */
    uint32_t loop_first[GL_ATTRIB_COUNT * 4]; /* … this vertex, in the layout, closes it */
};

/* Sets attribute `attrib` (enum vert_attrib) from n components of 32 bits (v has four, filled with
 * 0, 0, 1); the position, between glBegin and glEnd, gives a vertex. Or a material's property, of v's first
 * n: between glBegin and glEnd, and where the layout has it and vertices are stored. */
void gl_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
               const uint32_t v[4]);
/* Whole primitives, as between glBegin and glEnd: num vertices of a layout with offsets; last: the
 * attributes' values behind the last, which become current, of arrays the materials' alone. The caller has
 * validated a draw of each mode. */
void gl_immediate_append(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                         const uint32_t *vertices, unsigned num, const struct gl_prim *prims,
                         unsigned num_prims, const uint32_t (*last)[4], bool array);
/* Places a layout's attributes one behind the other. */
void gl_vertex_layout_place(struct gl_vertex_layout *layout);
/* Makes the last of count primitives part of the one before, if both are lists of the same kind;
 * returns by how many there are less. */
unsigned gl_prims_join(struct gl_prim *prims, unsigned count);
/* The value an attribute has now, also between glBegin and glEnd. */
void gl_attrib_current(struct gl_context *ctx, unsigned attrib, float v[4]);
/* glVertexAttrib's index → enum vert_attrib; VERT_ATTRIB_COUNT with an error raised. */
unsigned gl_generic_attrib(struct gl_context *ctx, GLuint index);
/* The same for what is being compiled into a list. */
void gl_save_attrib(struct gl_context *ctx, unsigned attrib, unsigned n, GLenum type,
                    const uint32_t v[4]);
unsigned gl_save_generic_attrib(struct gl_context *ctx, GLuint index);
/* Puts the generated gl_save_Vertex3f … into a table. */
struct gl_dispatch;
void gl_save_attribs_install(struct gl_dispatch *table);

/* Whether packed attributes have the type, generic ones more of them; raises GL_INVALID_ENUM. */
bool gl_packed_type(struct gl_context *ctx, GLenum type, bool generic, const char *name);

bool gl_immediate_init(struct gl_context *ctx);
void gl_immediate_finish(struct gl_context *ctx);

#endif
