/* SPDX-License-Identifier: MIT */
/* Draws: of arrays, and of vertices in memory of the API layer. */
#ifndef GL_DRAW_H
#define GL_DRAW_H

#include "gl/context/gl_context.h"

/* --- Vertices in this layer's own memory: immediate mode and display lists --- */

/* What such vertices contain: enum vert_attrib, then properties of materials (gl_material_property), which
 * the fixed function may have per vertex (GL 4.6 compatibility §12.2.3). */
enum {
    GL_ATTRIB_MATERIAL = VERT_ATTRIB_COUNT,
    GL_ATTRIB_COUNT = VERT_ATTRIB_COUNT + GL_MATERIAL_PROPERTIES
};

struct gl_vertex_layout {
    uint64_t attribs;                /* bit of each attribute that vertices contain */
    uint8_t size[GL_ATTRIB_COUNT];   /* components, 1 … 4 */
    uint8_t offset[GL_ATTRIB_COUNT]; /* 32-bit words from the vertex */
    GLenum type[GL_ATTRIB_COUNT];    /* GL_FLOAT, GL_INT, GL_UNSIGNED_INT */
    unsigned vertex_words;
};

/* Of attributes of a layout, the materials' properties. */
static inline uint32_t gl_materials_of(uint64_t attribs)
{
    return attribs >> GL_ATTRIB_MATERIAL;
}

struct gl_prim {
    uint8_t mode;    /* GL_POINTS … GL_POLYGON */
    bool begin, end; /* whether glBegin and glEnd belong to this piece */
    bool compiled;   /* of a display list */
    unsigned start, count;
};

/* Draws primitives from num vertices in user memory (or in a resource, if not NULL, at offset 0). */
void gl_draw_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                      const uint32_t *vertices, struct drv_resource *buffer, unsigned num,
                      const struct gl_prim *prims, unsigned num_prims);

/* The index that restarts a primitive in draws of indices of that many bytes; false: none does. */
bool gl_restart_index(const struct gl_context *ctx, unsigned index_bytes, uint32_t *index);
/* Whether glArrayElement(i) restarts the primitive (GL 4.6 compatibility §10.7.4). */
static inline bool gl_element_restarts(const struct gl_context *ctx, GLint i)
{
    return ctx->array.primitive_restart && (GLuint)i == ctx->array.restart_index;
}

/* glDrawArraysInstancedBaseInstance, called name; first is negative or fits 32 bits. */
void gl_draw_arrays(GLenum mode, int64_t first, GLsizei count, GLsizei instances,
                    GLuint base_instance, const char *name);

/* glDrawElementsInstancedBaseVertexBaseInstance, called name. */
void gl_draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices,
                      GLsizei instances, GLint base_vertex, GLuint base_instance, const char *name);

/* Errors that any draw can raise (framebuffer complete, program valid, mode); name for messages.
 * Updates programs and framebuffer state as far as it needs. False: error raised or nothing to draw. */
bool gl_validate_draw(struct gl_context *ctx, GLenum mode, const char *name);
/* Draws num vertices given as four-component arrays per attribute with the program, framebuffer
 * and state set up by the caller (bound directly at the driver, then marked dirty again by it).
 * attribs: enum vert_attrib of each of count arrays; data[i]: num * 4 floats. For DrawPixels,
 * Bitmap, clears by quads. */
void gl_draw_internal(struct gl_context *ctx, enum drv_primitive mode, unsigned num, unsigned count,
                      const uint8_t *attribs, const float (*const *data)[4]);

#endif
