/* SPDX-License-Identifier: MIT */
/* Shader objects, which the API layer binds: a struct cpu_shader with a reference count. A scene
 * holds references to the shaders of its commands until the scene has run. */
#ifndef CPU_SHADER_OBJECT_H
#define CPU_SHADER_OBJECT_H

#include <stdint.h>

#include "indium/driver.h"
#include "util/refcount.h"

struct cpu_screen;
struct cpu_shader;

struct cpu_shader_object {
    int refcount;              /* atomic */
    uint64_t id;               /* unique in the process, unlike the address, which may be reused */
    uint64_t scene_id;         /* atomic: id of the last scene that took a reference */
    struct cpu_shader *shader; /* owned */
    struct drv_stream_output stream_output; /* num_outputs is 0 without transform feedback */
};

/* Creates an object with one reference. Takes ownership of desc->nir, also on failure. Returns NULL
 * if out of memory. Any thread. */
struct cpu_shader_object *cpu_shader_object_create(struct cpu_screen *screen,
                                                   const struct drv_shader_desc *desc);

/* Adds a reference. Any thread. */
static inline void cpu_shader_object_reference(struct cpu_shader_object *s)
{
    ref_take(&s->refcount);
}

/* Drops a reference and destroys the shader with the last one; NULL does nothing. Any thread. */
void cpu_shader_object_release(struct cpu_shader_object *s);

#endif
