/* SPDX-License-Identifier: MIT */
/* Vertex array objects, and the vertex array state of a context. */
#ifndef GL_ARRAY_TYPES_H
#define GL_ARRAY_TYPES_H

#include "gl/context/gl_buffer_types.h"
#include "indium/shader_enums.h"

/* Format and binding of one attribute, as set by glVertexAttribFormat or glVertexAttribPointer. */
struct gl_attrib_format {
    GLenum type;   /* GL_FLOAT … */
    GLenum format; /* GL_RGBA, or GL_BGRA */
    uint8_t size;  /* number of components, 1 to 4 */
    bool normalized, integer, doubles;
    uint8_t binding; /* index into gl_vertex_array.binding */
    GLuint relative_offset;
    GLsizei stride; /* bytes, as specified; for queries only */
    /* as specified, for queries only; byte offset if the binding has a buffer */
    const void *pointer;
    enum drv_format drv_format; /* format passed to the driver */
    uint8_t element_bytes;
};

/* A vertex buffer binding point (glBindVertexBuffer). */
struct gl_vertex_binding {
    struct gl_buffer *buffer; /* referenced; NULL: client memory, or no array */
    const void *user;         /* client memory; NULL: none */
    GLintptr offset;          /* bytes into buffer; unused without a buffer */
    GLsizei stride;           /* effective stride in bytes */
    GLuint divisor;
};

/* A vertex array object. It belongs to one context. */
struct gl_vertex_array {
    int refcount;
    GLuint name;
    bool ever_bound;
    char *label;
    uint32_t enabled; /* bit mask of enabled attributes, by enum vert_attrib */
    struct gl_attrib_format attrib[VERT_ATTRIB_COUNT];
    struct gl_vertex_binding binding[VERT_ATTRIB_COUNT];
    struct gl_buffer *index_buffer;
};

/* Vertex array state of a context. */
struct gl_array_state {
    struct gl_vertex_array *vao;         /* currently bound, never NULL */
    struct gl_vertex_array *default_vao; /* object of name 0 */
    struct gl_buffer *array_buffer;      /* GL_ARRAY_BUFFER binding */
    GLuint client_active_texture;        /* unit index, from 0 */
    bool primitive_restart, primitive_restart_fixed;
    GLuint restart_index;
    /* gl_DrawID of the next draw: its index within the current multi-draw command */
    GLuint draw_id;
    /* The vertex buffers last passed to the driver are buffer objects only, no client memory.
     * Valid while GL_DIRTY_ARRAYS is clear. */
    bool from_buffers;
    /* glLockArraysEXT range (EXT_compiled_vertex_array). */
    GLint lock_first;
    GLsizei lock_count;
};

#endif
