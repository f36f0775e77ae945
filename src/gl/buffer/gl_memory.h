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
    GLuint memory;
    GLuint64 offset; /* bytes */
};

/* Creates a resource at a location in a memory object. Returns NULL with an error raised in the
 * name of call. */
struct drv_resource *gl_memory_resource(struct gl_context *ctx, const struct drv_resource *templ,
                                        const struct gl_memory_location *place, const char *call);
void gl_memory_finish_shared(struct gl_shared *shared);

#endif
