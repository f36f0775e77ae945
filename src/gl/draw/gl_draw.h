/* SPDX-License-Identifier: MIT */
/* Drawing inside this room: state objects, vertices from memory, feedback. */
#ifndef GL_DRAW_H
#define GL_DRAW_H

#include "gl/context/gl_context.h"

/* --- State objects, found by the hash of their description (zero its padding). No memory: raises
 * GL_OUT_OF_MEMORY and binds none, with which nothing is drawn. --- */
void gl_cso_bind_blend(struct gl_context *ctx, const struct drv_blend_state *state);
void gl_cso_bind_rasterizer(struct gl_context *ctx, const struct drv_rasterizer_state *state);
void gl_cso_bind_depth_stencil(struct gl_context *ctx, const struct drv_depth_stencil_state *state);
void gl_cso_bind_vertex_elements(struct gl_context *ctx, unsigned count,
                                 const struct drv_vertex_element *elements);
/* The dirty bits of the kinds of which none is bound. */
uint64_t gl_cso_missing(const struct gl_context *ctx);

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

/* --- Feedback and selection --- */
/* Draws of array vertices, and of indices in memory, while not in GL_RENDER. */
void gl_feedback_arrays(struct gl_context *ctx, GLenum mode, unsigned first, unsigned count);
void gl_feedback_elements(struct gl_context *ctx, GLenum mode, unsigned count, unsigned index_bytes,
                          const void *indices, int base_vertex);
/* The same for vertices of immediate mode and lists. */
void gl_feedback_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                          const uint32_t *vertices, const struct gl_prim *prims,
                          unsigned num_prims);
/* GL_NAME_STACK_DEPTH, GL_FEEDBACK_BUFFER_SIZE, GL_FEEDBACK_BUFFER_TYPE, GL_SELECTION_BUFFER_SIZE */
GLint gl_feedback_get(const struct gl_context *ctx, GLenum pname);
void *gl_feedback_pointer(struct gl_context *ctx, GLenum pname);

#endif
