/* SPDX-License-Identifier: MIT */
/* Memory objects (EXT_memory_object): memory of others in which buffers and textures may lie. */
#ifndef GL_MEMORY_H
#define GL_MEMORY_H

#include "gl/context/gl_types.h"
#include "indium/driver.h"

struct gl_context;
struct gl_shared;

/* Where in a memory object something is to lie, as commands name it. */
struct gl_memory_place {
    GLuint memory;
    GLuint64 offset; /* bytes */
};

/* A resource there. NULL: error raised, call names the command. */
struct drv_resource *gl_memory_resource(struct gl_context *ctx, const struct drv_resource *templ,
                                        const struct gl_memory_place *place, const char *call);
void gl_memory_finish_shared(struct gl_shared *shared);

#endif
