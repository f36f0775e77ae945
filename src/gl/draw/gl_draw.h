/* SPDX-License-Identifier: MIT */
/* Draws of vertex arrays, and of vertices stored by the API layer. */
#ifndef GL_DRAW_H
#define GL_DRAW_H

#include "gl/context/gl_context.h"

/* --- Draws of vertices stored by the API layer: immediate mode and display lists --- */

/* Attributes of stored vertices are numbered by enum vert_attrib. Attribute GL_ATTRIB_MATERIAL + i
 * is material property i (GL_MATERIAL_AMBIENT …), because glMaterial is allowed between glBegin and
 * glEnd (GL 4.6 compatibility §12.2.3). */
enum {
    GL_ATTRIB_MATERIAL = VERT_ATTRIB_COUNT,
    GL_ATTRIB_COUNT = VERT_ATTRIB_COUNT + GL_MATERIAL_PROPERTIES,
    /* Maximum size of a vertex in 32-bit words: four per attribute, or eight for the generic
     * attributes and the position, which may consist of doubles. */
    GL_VERTEX_WORDS = 4 * (GL_ATTRIB_COUNT + VERT_ATTRIB_COUNT - VERT_ATTRIB_GENERIC0 + 1)
};

/* Memory layout of stored vertices. */
struct gl_vertex_layout {
    uint64_t attribs; /* bit mask of attributes that the vertices contain */
    /* Size in 32-bit words: 1 to 4; GL_DOUBLE: 2 to 8; GL_UNSIGNED_INT64_ARB: 2. */
    uint8_t size[GL_ATTRIB_COUNT];
    uint8_t offset[GL_ATTRIB_COUNT]; /* in 32-bit words from the start of the vertex */
    /* GL_FLOAT, GL_INT, GL_UNSIGNED_INT, GL_DOUBLE or GL_UNSIGNED_INT64_ARB */
    GLenum type[GL_ATTRIB_COUNT];
    unsigned vertex_words; /* size of a vertex in 32-bit words */
};

_Static_assert(GL_VERTEX_WORDS <= 256, "offsets in vertices fit in 8 bits");

/* Returns the mask of material properties in a mask of attributes of stored vertices. */
static inline uint32_t gl_materials_of(uint64_t attribs)
{
    return attribs >> GL_ATTRIB_MATERIAL;
}

/* A primitive, or a piece of one: `count` vertices from `start` on. */
struct gl_prim {
    uint8_t mode;          /* primitive mode of glBegin (GL_POINTS …) */
    bool begin, end;       /* begin: the piece starts at glBegin; end: it ends at glEnd */
    bool compiled;         /* from a display list */
    unsigned start, count; /* in vertices */
};

/* Draws num_prims primitives from num vertices. The vertices are at the start of `buffer`, or in
 * client memory at `vertices` if buffer is NULL. Calls gl_validate_draw with the first primitive's
 * mode, and draws nothing after an error. May be called outside of gl_share_enter. */
void gl_draw_vertices(struct gl_context *ctx, const struct gl_vertex_layout *layout,
                      const uint32_t *vertices, struct drv_resource *buffer, unsigned num,
                      const struct gl_prim *prims, unsigned num_prims);

/* Starts a command that consists of several draws. The driver treats the draws up to
 * gl_multi_draw_end as one command (drv_draw_info.continues). Draws the buffered vertices of
 * immediate mode first. */
void gl_multi_draw_begin(struct gl_context *ctx);
/* Ends a command of several draws. Resets gl_DrawID to 0. */
void gl_multi_draw_end(struct gl_context *ctx);

/* Stores the primitive restart index for indices of index_bytes (1, 2 or 4) bytes in *index.
 * Returns false, and stores nothing, if primitive restart is disabled. */
bool gl_restart_index(const struct gl_context *ctx, unsigned index_bytes, uint32_t *index);
/* Returns whether glArrayElement(i) restarts the primitive (GL 4.6 compatibility §10.7.4). */
static inline bool gl_element_restarts(const struct gl_context *ctx, GLint i)
{
    return ctx->array.primitive_restart && (GLuint)i == ctx->array.restart_index;
}

/* Implements glDrawArraysInstancedBaseInstance and similar commands in the current context; `name`
 * is the command's name for errors. `first` must not exceed UINT32_MAX. If first, count or
 * instances is negative, raises GL_INVALID_VALUE. */
void gl_draw_arrays(GLenum mode, int64_t first, GLsizei count, GLsizei instances,
                    GLuint base_instance, const char *name);

/* Implements glDrawElementsInstancedBaseVertexBaseInstance and similar commands in the current
 * context; `name` is the command's name for errors. indices is a byte offset if an element buffer
 * is bound, otherwise a pointer to client memory. If count or instances is negative, raises
 * GL_INVALID_VALUE. */
void gl_draw_elements(GLenum mode, GLsizei count, GLenum type, const void *indices,
                      GLsizei instances, GLint base_vertex, GLuint base_instance, const char *name);

/* Checks for the errors that all draws with a mode can raise: mode, framebuffer, blending, fragment
 * shader (gl_validate_fragments), programs, views, conservative rasterization, transform feedback.
 * Returns false if an error was raised. Otherwise, the fields of ctx->program that
 * gl_validate_programs sets are valid for this draw. Stores `name`, which must be a constant
 * string, in ctx->drv->command.name. */
bool gl_validate_draw(struct gl_context *ctx, GLenum mode, const char *name);
/* Checks in compatibility contexts that there is a GLSL fragment shader if any color buffer has an
 * integer format (EXT_texture_integer). Returns false if an error was raised for the command
 * `name`. */
bool gl_validate_fragments(struct gl_context *ctx, const char *name);
/* Checks that the command `call` can read `bytes` bytes of parameters at byte offset `offset` of b:
 * b isn't NULL or mapped, and contains them. Returns false after raising GL_INVALID_OPERATION. */
bool gl_check_parameters(struct gl_context *ctx, const struct gl_buffer *b, uint64_t offset,
                         uint64_t bytes, const char *call);
/* Copies `bytes` (not 0) bytes of parameters at `offset` of a buffer, which gl_check_parameters has
 * accepted, to *to. Returns false after raising GL_OUT_OF_MEMORY. */
bool gl_read_parameters(struct gl_context *ctx, struct gl_buffer *b, uint64_t offset, size_t bytes,
                        void *to, const char *call);
/* Draws num vertices for glDrawPixels, glBitmap and similar commands. The caller binds the program,
 * framebuffer and state directly at the driver before the call, and marks them dirty afterwards.
 * attribs[i] (enum vert_attrib) is read from data[i], which has num vec4s, for i < count. Sets
 * GL_DIRTY_ARRAYS and overwrites ctx->drv->command. */
void gl_draw_internal(struct gl_context *ctx, enum drv_primitive mode, unsigned num, unsigned count,
                      const uint8_t *attribs, const float (*const *data)[4]);

#endif
