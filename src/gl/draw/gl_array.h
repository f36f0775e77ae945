/* SPDX-License-Identifier: MIT */
/* Vertex array objects and client vertex state. */
#ifndef GL_ARRAY_H
#define GL_ARRAY_H

#include "gl/context/gl_array_types.h"

struct gl_context;

/* What the commands for arrays describe; those from GL_ARRAY_ATTRIB on have an index that is
 * checked. */
enum gl_array_kind {
    GL_ARRAY_VERTEX,
    GL_ARRAY_NORMAL,
    GL_ARRAY_COLOR,
    GL_ARRAY_SECONDARY_COLOR,
    GL_ARRAY_INDEX,
    GL_ARRAY_FOG_COORD,
    GL_ARRAY_EDGE_FLAG,
    GL_ARRAY_TEX_COORD,
    GL_ARRAY_POINT_SIZE,
    GL_ARRAY_ATTRIB,
    GL_ARRAY_ATTRIB_I,
    GL_ARRAY_ATTRIB_L,
};

/* Where a pointer command puts its array, and what the pointer counts in. */
struct gl_array_source {
    struct gl_vertex_array *vao;
    struct gl_buffer *buffer; /* NULL: user memory */
    bool offset;              /* into the buffer, which must not be negative */
};

/* The state that the arrays of a new object have; v has no buffers. */
void gl_vertex_array_init(struct gl_vertex_array *v);

/* --- Selectors: NULL: error raised --- */

/* The bound object; the core profile has none by default. */
struct gl_vertex_array *gl_bound_arrays(struct gl_context *ctx, const char *call);

struct gl_vertex_array *gl_named_arrays(struct gl_context *ctx, GLuint name, const char *call);
/* By a name of glGenVertexArrays, which becomes an object where it is none yet
 * (EXT_direct_state_access); with a buffer by its name, as if that were bound. */
struct gl_vertex_array *gl_use_arrays(struct gl_context *ctx, GLuint name, const char *call);
bool gl_use_source(struct gl_context *ctx, GLuint name, GLuint buffer, const char *call,
                   struct gl_array_source *source);

/* --- Cores: commands on a vertex array object (GL 4.6 §10.3), called by gl_entry_points.py's wrappers --- */

/* index: of texture coordinates (below the limit) and generic attributes. */
void gl_array_pointer(struct gl_context *ctx, const struct gl_array_source *source,
                      enum gl_array_kind kind, GLuint index, GLint size, GLenum type,
                      bool normalized, GLsizei stride, const void *pointer, const char *call);
/* The same of the coordinates of a texture unit, GL_TEXTUREi. */
void gl_array_tex_coords(struct gl_context *ctx, const struct gl_array_source *source,
                         GLenum texunit, GLint size, GLenum type, GLsizei stride,
                         const void *pointer, const char *call);
void gl_array_enable(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index, bool enable,
                     const char *call);
void gl_array_divisor(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index,
                      GLuint divisor, const char *call);
void gl_array_vertex_buffer(struct gl_context *ctx, struct gl_vertex_array *vao,
                            GLuint bindingindex, GLuint buffer, GLintptr offset, GLsizei stride,
                            const char *call);
void gl_array_vertex_buffers(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint first,
                             GLsizei count, const GLuint *buffers, const GLintptr *offsets,
                             const GLsizei *strides, const char *call);
void gl_array_element_buffer(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint buffer,
                             const char *call);
void gl_array_get(struct gl_context *ctx, const struct gl_vertex_array *vao, GLenum pname,
                  GLint *param, const char *call);
void gl_array_get_indexed(struct gl_context *ctx, const struct gl_vertex_array *vao, GLuint index,
                          GLenum pname, GLint *param, const char *call);
void gl_array_get_indexed64(struct gl_context *ctx, const struct gl_vertex_array *vao, GLuint index,
                            GLenum pname, GLint64 *param, const char *call);
void gl_array_format(struct gl_context *ctx, struct gl_vertex_array *vao, enum gl_array_kind kind,
                     GLuint index, GLint size, GLenum type, bool normalized, GLuint relativeoffset,
                     const char *call);
void gl_array_attrib_binding(struct gl_context *ctx, struct gl_vertex_array *vao,
                             GLuint attribindex, GLuint bindingindex, const char *call);
void gl_array_binding_divisor(struct gl_context *ctx, struct gl_vertex_array *vao,
                              GLuint bindingindex, GLuint divisor, const char *call);

/* Queries of EXT_direct_state_access (gl_varray_get.c). */
void gl_array_get_client(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum pname,
                         GLint *param, const char *call);
void gl_array_get_client_indexed(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index,
                                 GLenum pname, GLint *param, const char *call);
void gl_array_get_pointer(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum pname,
                          void **param, const char *call);
void gl_array_get_pointer_indexed(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index,
                                  GLenum pname, void **param, const char *call);
void gl_array_get_tex_coords_pointer(struct gl_context *ctx, struct gl_vertex_array *vao,
                                     GLenum pname, GLuint index, void **param, const char *call);

bool gl_arrays_init(struct gl_context *ctx); /* false: no memory */
void gl_arrays_finish(struct gl_context *ctx);
/* Calls the attribute function for each enabled array's element, position last. */
void gl_array_element(struct gl_context *ctx, GLint i,
                      void (*attrib)(struct gl_context *ctx, unsigned attrib, unsigned n,
                                     GLenum type, const uint32_t v[4]));

/* Bits of component i of a packed attribute as a float (glVertexP3ui …). */
uint32_t gl_packed_component(const struct gl_context *ctx, GLenum type, bool normalized,
                             GLuint value, unsigned i);

/* Component i, as 32 bits, of an attribute that was given fewer: 0, 0, 0, 1. */
static inline uint32_t gl_default_component(GLenum type, unsigned i)
{
    return i < 3 ? 0 : type == GL_FLOAT ? 0x3f800000 : 1;
}

#endif
