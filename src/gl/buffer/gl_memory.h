/* SPDX-License-Identifier: MIT */
/* Memory objects (EXT_memory_object): imported memory that buffers and textures can use as
 * storage. */
#ifndef GL_MEMORY_H
#define GL_MEMORY_H

#include "gl/context/gl_types.h"
#include "indium/driver.h"

struct gl_context;
struct gl_shared;

/* Location in a memory object, as commands specify it. */
struct gl_memory_location {
    GLuint memory;   /* name of the memory object */
    GLuint64 offset; /* bytes from the start of the memory object */
};

/* Creates a resource as described by templ, with its storage at a location in a memory object. The
 * caller gets the reference. If that is not possible, raises an error for the command `call` and
 * returns NULL. */
struct drv_resource *gl_memory_resource(struct gl_context *ctx, const struct drv_resource *templ,
                                        const struct gl_memory_location *place, const char *call);
/* Frees the memory objects and their names. Called when the share group is destroyed. */
void gl_memory_finish_shared(struct gl_shared *shared);

#endif
