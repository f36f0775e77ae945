/* SPDX-License-Identifier: MIT */
/* Vertex array objects and client vertex state. */
#ifndef GL_ARRAY_H
#define GL_ARRAY_H

#include "gl/buffer/gl_buffer.h"
#include "indium/shader_enums.h"

/* One attribute's format: glVertexAttribFormat's part of glVertexAttribPointer. */
struct gl_attrib_format {
    GLenum type;   /* GL_FLOAT … */
    GLenum format; /* GL_RGBA, or GL_BGRA */
    uint8_t size;  /* components, 1 … 4 */
    bool normalized, integer, doubles;
    uint8_t binding; /* index of gl_vertex_binding */
    GLuint relative_offset;
    GLsizei stride;             /* as specified, for queries */
    const void *pointer;        /* as specified, for queries; offset if the binding has a buffer */
    enum drv_format drv_format; /* what the driver reads */
    uint8_t element_bytes;
};

struct gl_vertex_binding {
    struct gl_buffer *buffer; /* NULL: user memory, or nothing */
    const void *user;         /* NULL: nothing */
    GLintptr offset;          /* bytes; means nothing without a buffer */
    GLsizei stride;           /* effective, bytes */
    GLuint divisor;
};

struct gl_vertex_array {
    int refcount;
    GLuint name;
    bool ever_bound;
    char *label;
    uint32_t enabled; /* bit of each enabled enum vert_attrib */
    struct gl_attrib_format attrib[VERT_ATTRIB_COUNT];
    struct gl_vertex_binding binding[VERT_ATTRIB_COUNT];
    struct gl_buffer *index_buffer;
};

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

/* GL_VERTEX_ARRAY …, or GL_TEXTUREi for the coordinates of that unit; GL_TEXTURE_COORD_ARRAY of unit
 * `index` (gl_enable.c). */
void gl_array_enable_client(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                            bool enable, const char *call);
void gl_array_enable_tex_coords(struct gl_context *ctx, struct gl_vertex_array *vao, GLenum array,
                                GLuint index, bool enable, const char *call);

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

struct gl_array_state {
    struct gl_vertex_array *vao;         /* the bound one, never NULL */
    struct gl_vertex_array *default_vao; /* name 0 */
    struct gl_buffer *array_buffer;      /* GL_ARRAY_BUFFER */
    GLuint client_active_texture;        /* 0 … */
    bool primitive_restart, primitive_restart_fixed;
    GLuint restart_index;
    GLuint draw_id; /* of the draw that comes, among those of one command */
    bool
        from_buffers; /* what the driver has is arrays in buffers, if GL_DIRTY_ARRAYS is not raised */
    /* GL_COMPILE'd LockArrays */
    GLint lock_first;
    GLsizei lock_count;
};

#endif
