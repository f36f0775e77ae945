/* SPDX-License-Identifier: MIT */
/* Vertex array objects, and a context's client vertex state. */
#ifndef GL_ARRAY_TYPES_H
#define GL_ARRAY_TYPES_H

#include "gl/context/gl_buffer_types.h"
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
