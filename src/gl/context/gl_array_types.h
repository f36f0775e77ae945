/* SPDX-License-Identifier: MIT */
/* Vertex array objects, and the vertex array state of a context. */
#ifndef GL_ARRAY_TYPES_H
#define GL_ARRAY_TYPES_H

#include "gl/context/gl_buffer_types.h"
#include "indium/shader_enums.h"

/* Format and binding of one attribute, as set by glVertexAttribFormat or glVertexAttribPointer. */
struct gl_attrib_format {
    GLenum type;   /* GL_FLOAT … */
    GLenum format; /* order of the components: GL_RGBA or GL_BGRA */
    uint8_t size;  /* number of components, 1 to 4 */
    /* normalized: integers are scaled to [0, 1] or [-1, 1]. integer: they stay integers
     * (glVertexAttribIFormat). doubles: components have 64 bits (glVertexAttribLFormat: doubles, or
     * one handle). */
    bool normalized, integer, doubles;
    uint8_t binding;        /* index into gl_vertex_array.binding */
    GLuint relative_offset; /* bytes from the start of the binding's element */
    GLsizei stride;         /* stride argument of the pointer command, in bytes; for queries only */
    /* pointer argument of the pointer command (a byte offset if a buffer was bound), for queries
     * only */
    const void *pointer;
    enum drv_format drv_format; /* format passed to the driver */
    uint8_t element_bytes;      /* size of one element of the array */
};

/* A vertex buffer binding point (glBindVertexBuffer). */
struct gl_vertex_binding {
    struct gl_buffer *buffer; /* referenced; NULL: the data is in client memory at `user` */
    const void *user;         /* NULL: no data, or it is in buffer */
    GLintptr offset;          /* bytes into buffer; only queried if there is no buffer */
    GLsizei stride;           /* bytes; pointer commands replace 0 by the element size */
    GLuint divisor;           /* instances per element; 0: an element per vertex */
};

/* A vertex array object. It belongs to one context. */
struct gl_vertex_array {
    GLuint name;      /* 0: the default object */
    char *label;      /* set by glObjectLabel, malloc'ed; NULL: none */
    uint32_t enabled; /* bit mask of enabled attributes, by enum vert_attrib */
    struct gl_attrib_format attrib[VERT_ATTRIB_COUNT];
    struct gl_vertex_binding binding[VERT_ATTRIB_COUNT];
    struct gl_buffer *index_buffer; /* GL_ELEMENT_ARRAY_BUFFER, referenced; NULL: none */
};

/* Vertex array state of a context. */
struct gl_array_state {
    struct gl_vertex_array *vao;         /* currently bound, never NULL */
    struct gl_vertex_array *default_vao; /* object of name 0 */
    struct gl_buffer *array_buffer;      /* GL_ARRAY_BUFFER binding, referenced; NULL: none */
    GLuint client_active_texture;        /* glClientActiveTexture: unit index, from 0 */
    /* GL_PRIMITIVE_RESTART with restart_index, and GL_PRIMITIVE_RESTART_FIXED_INDEX, which takes
     * precedence */
    bool primitive_restart, primitive_restart_fixed;
    GLuint restart_index; /* set by glPrimitiveRestartIndex */
    /* gl_DrawID of the next draw: its index within the current multi-draw command */
    GLuint draw_id;
    /* State of the current command: GL_MULTI_DRAW_BEGUN until it draws, then GL_MULTI_DRAW_DRAWN */
    enum { GL_SINGLE_DRAW, GL_MULTI_DRAW_BEGUN, GL_MULTI_DRAW_DRAWN } multi_draw;
    /* All vertex buffers that were last passed to the driver are buffer objects: none is client
     * memory or holds current attribute values. Valid while GL_DIRTY_ARRAYS is clear. */
    bool from_buffers;
    /* Elements that glLockArraysEXT locked (EXT_compiled_vertex_array), from lock_first on.
     * lock_count is 0 while no elements are locked. Draws ignore the lock. */
    GLint lock_first;
    GLsizei lock_count;
};

#endif
