/* SPDX-License-Identifier: MIT */
/* Buffer objects, and the indexed binding points of a context. */
#ifndef GL_BUFFER_TYPES_H
#define GL_BUFFER_TYPES_H

#include "gl/context/gl_types.h"
#include "indium/driver.h"

/* A buffer object. It is shared by the contexts of a group and reference-counted. */
struct gl_buffer {
    int refcount; /* atomic; the name has one reference until it is deleted */
    GLuint name;
    bool deleted;   /* the name was deleted; the object lives on while it is referenced */
    bool immutable; /* storage was created by glBufferStorage or glBufferStorageMemEXT */
    bool pinned;    /* storage is application memory (AMD_pinned_memory) */
    /* glBufferStorage flags, or those that glBufferData implies; 0 before there is storage */
    GLbitfield storage_flags;
    /* number of handles of its buffer textures; if not 0, the storage can't be replaced */
    unsigned texture_handles;
    GLenum usage;                  /* GL_STATIC_DRAW … */
    GLsizeiptr size;               /* bytes */
    struct drv_resource *resource; /* storage, referenced; NULL while size is 0 */
    struct drv_memory *sparse;     /* storage of a sparse buffer, referenced; NULL: not sparse */
    char *label;                   /* set by glObjectLabel, malloc'ed; NULL: none */

    /* The application's mapping. map_pointer is NULL while the buffer is not mapped. */
    void *map_pointer;
    GLintptr map_offset;               /* bytes */
    GLsizeiptr map_length;             /* bytes */
    GLbitfield map_access;             /* glMapBufferRange flags, also after glMapBuffer */
    struct drv_transfer *map_transfer; /* the driver's object for the mapping */
};

/* Kinds of indexed binding points. */
enum gl_indexed_buffers {
    GL_INDEXED_UNIFORM,
    GL_INDEXED_STORAGE,
    GL_INDEXED_ATOMIC_COUNTER,
    GL_INDEXED_TRANSFORM_FEEDBACK,
    GL_INDEXED_BUFFERS,
};

/* An indexed binding point (glBindBufferRange). */
struct gl_indexed_buffer {
    struct gl_buffer *buffer; /* referenced; NULL: none */
    GLintptr offset;          /* bytes */
    GLsizeiptr size;          /* bytes; 0: up to the end of the buffer */
};

#endif
