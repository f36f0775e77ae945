/* SPDX-License-Identifier: MIT */
/* Vertex array objects and client vertex array state. */
#ifndef GL_ARRAY_H
#define GL_ARRAY_H

#include "gl/context/gl_array_types.h"

struct gl_context;

/* Kind of array that a command specifies: fixed-function attributes, and generic attributes of
 * glVertexAttribPointer (GL_ARRAY_ATTRIB), …IPointer (_I) and …LPointer (_L). */
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

/* Objects that a pointer command (glVertexPointer …) refers to. */
struct gl_array_source {
    struct gl_vertex_array *vao; /* object to change */
    struct gl_buffer *buffer; /* buffer that the pointer is an offset into; NULL: client memory */
    /* The command is glVertexArray…OffsetEXT with a buffer: a negative offset raises
     * GL_INVALID_VALUE. */
    bool offset;
};

/* Sets the initial formats and strides of a vertex array object. *v must be zeroed; the rest of its
 * initial state is zero. */
void gl_vertex_array_init(struct gl_vertex_array *v);

/* --- Selectors: find the vertex array object that a command refers to. They return NULL or false
 * after raising an error for the command `call`. --- */

/* Returns the bound object. If that is the default object, raises GL_INVALID_OPERATION and returns
 * NULL, except in the compatibility profile. */
struct gl_vertex_array *gl_bound_arrays(struct gl_context *ctx, const char *call);

/* Returns the object with a name, or NULL after raising an error. In the compatibility profile, 0
 * names the default object. */
struct gl_vertex_array *gl_named_arrays(struct gl_context *ctx, GLuint name, const char *call);
/* Like gl_named_arrays, but creates the object if glGenVertexArrays returned the name and it has no
 * object yet (EXT_direct_state_access). Name 0 is an error. */
struct gl_vertex_array *gl_get_or_create_arrays(struct gl_context *ctx, GLuint name,
                                                const char *call);
/* Fills in *source from the names of a vertex array object and a buffer. `name` has the rules of
 * gl_get_or_create_arrays, and `buffer` those of gl_buffer_for_bind; 0: client memory. */
bool gl_use_source(struct gl_context *ctx, GLuint name, GLuint buffer, const char *call,
                   struct gl_array_source *source);

/* --- Core functions: commands on a given vertex array object (GL 4.6 §10.3). `call` is the
 * command's name for errors. The entry-point wrappers (gl_entry_points.py) find the object and call
 * them. --- */

/* Implements the pointer command of a kind. index is the index of a generic attribute, which the
 * function checks; or of a texture coordinate set, which the caller has checked. It is 0 for other
 * kinds. size is the number of components, or GL_BGRA. stride is in bytes. pointer is a byte offset
 * if source->buffer is set. */
void gl_array_pointer(struct gl_context *ctx, const struct gl_array_source *source,
                      enum gl_array_kind kind, GLuint index, GLint size, GLenum type,
                      bool normalized, GLsizei stride, const void *pointer, const char *call);
/* Like gl_array_pointer, for the texture coordinates of the unit that texunit (GL_TEXTUREi)
 * names. */
void gl_array_tex_coords(struct gl_context *ctx, const struct gl_array_source *source,
                         GLenum texunit, GLint size, GLenum type, GLsizei stride,
                         const void *pointer, const char *call);
/* Implements glEnableVertexAttribArray, or glDisableVertexAttribArray if `enable` is false. */
void gl_array_enable(struct gl_context *ctx, struct gl_vertex_array *vao, GLuint index, bool enable,
                     const char *call);
/* Implement glVertexAttribDivisor, glBindVertexBuffer, glBindVertexBuffers and
 * glVertexArrayElementBuffer, in this order. buffer names a buffer object; 0: none. If buffers is
 * NULL, the bindings are reset. Offsets and strides are in bytes. */
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
/* Implement glGetVertexArrayiv, glGetVertexArrayIndexediv and glGetVertexArrayIndexed64iv, in this
 * order. */
void gl_array_get(struct gl_context *ctx, const struct gl_vertex_array *vao, GLenum pname,
                  GLint *param, const char *call);
void gl_array_get_indexed(struct gl_context *ctx, const struct gl_vertex_array *vao, GLuint index,
                          GLenum pname, GLint *param, const char *call);
void gl_array_get_indexed64(struct gl_context *ctx, const struct gl_vertex_array *vao, GLuint index,
                            GLenum pname, GLint64 *param, const char *call);
/* Implements glVertexAttribFormat, …IFormat and …LFormat. kind is GL_ARRAY_ATTRIB, _I or _L;
 * relativeoffset is in bytes. */
void gl_array_format(struct gl_context *ctx, struct gl_vertex_array *vao, enum gl_array_kind kind,
                     GLuint index, GLint size, GLenum type, bool normalized, GLuint relativeoffset,
                     const char *call);
/* Implement glVertexAttribBinding and glVertexBindingDivisor. */
void gl_array_attrib_binding(struct gl_context *ctx, struct gl_vertex_array *vao,
                             GLuint attribindex, GLuint bindingindex, const char *call);
void gl_array_binding_divisor(struct gl_context *ctx, struct gl_vertex_array *vao,
                              GLuint bindingindex, GLuint divisor, const char *call);

/* Queries of EXT_direct_state_access (gl_varray_get.c): in this order, they implement
 * glGetVertexArrayIntegervEXT, glGetVertexArrayIntegeri_vEXT, glGetVertexArrayPointervEXT,
 * glGetVertexArrayPointeri_vEXT and glGetPointerIndexedvEXT. */
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

bool gl_arrays_init(struct gl_context *ctx); /* returns false if out of memory */
/* Frees the vertex array objects and releases all buffer bindings of the context. */
void gl_arrays_finish(struct gl_context *ctx);
/* Implements glArrayElement(i): calls `attrib` for each enabled array of the bound object. It
 * receives the attribute and the value of element i, in n words, like gl_attrib() (gl_immediate.h).
 * Arrays with a divisor use element base_instance + instance / divisor instead. The position comes
 * last; if generic attribute 0 is enabled, it comes last instead, as VERT_ATTRIB_GENERIC0, and the
 * position is left out. Arrays that have no memory, or whose buffer can't be read there, are also
 * left out. */
void gl_array_element(struct gl_context *ctx, GLint i, GLuint base_instance, GLuint instance,
                      void (*attrib)(struct gl_context *ctx, unsigned attrib, unsigned n,
                                     GLenum type, const uint32_t *v));

/* Reads the element of an array with format f at p, in client memory or a mapped buffer. Stores it
 * in v as gl_attrib_words(*type) words, with defaults for components that the array lacks, and the
 * type of the components in *type. Returns the number of words that come from the array. */
unsigned gl_array_value(const struct gl_attrib_format *f, const uint8_t *p, uint32_t v[8],
                        GLenum *type);

/* Returns component i, 0 to 3, of a packed attribute value (glVertexP3ui …), converted to a float,
 * as a bit pattern. The context's version selects the equation for signed normalized values. */
uint32_t gl_packed_component(const struct gl_context *ctx, GLenum type, bool normalized,
                             GLuint value, unsigned i);

/* Returns the number of 32-bit words of an attribute with four components. A handle
 * (GL_UNSIGNED_INT64_ARB) uses the first two. */
static inline unsigned gl_attrib_words(GLenum type)
{
    return type == GL_DOUBLE ? 8 : 4;
}

/* Returns word i of an attribute whose components have the default values 0, 0, 0, 1. Used for
 * components that a command doesn't specify. A component of type GL_DOUBLE has two words, one of
 * another type has one. */
static inline uint32_t gl_default_component(GLenum type, unsigned i)
{
    if (type == GL_DOUBLE)
        return i == 7 ? 0x3ff00000 : 0;
    return i < 3 ? 0 : type == GL_FLOAT ? 0x3f800000 : 1;
}

/* Converts an attribute with n words of a type to `size` words of the type `to`, at most
 * gl_attrib_words(to). Missing components get their defaults. If only `to` is GL_DOUBLE, values are
 * converted to doubles. If only `type` is, they are converted to floats, even if `to` is an integer
 * type. Otherwise words are copied. */
void gl_convert_attrib(uint32_t *out, unsigned size, GLenum to, const uint32_t *v, unsigned n,
                       GLenum type);

#endif
