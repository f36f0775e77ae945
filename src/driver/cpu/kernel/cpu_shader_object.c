/* SPDX-License-Identifier: MIT */
/* Reference-counted shaders (cpu_shader_object.h). */
#include "driver/cpu/kernel/cpu_shader_object.h"

#include <stdlib.h>

#include "driver/cpu/kernel/cpu_variant.h"

struct cpu_shader_object *cpu_shader_object_create(struct cpu_screen *screen,
                                                   const struct drv_shader_desc *desc)
{
    static uint64_t last_id;
    struct cpu_shader *shader = cpu_shader_create(screen, desc);
    if (!shader)
        return NULL;
    struct cpu_shader_object *s = calloc(1, sizeof *s);
    if (!s) {
        cpu_shader_destroy(shader);
        return NULL;
    }
    s->refcount = 1;
    s->id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
    s->shader = shader;
    if (desc->stream_output)
        s->stream_output = *desc->stream_output;
    return s;
}

void cpu_shader_object_release(struct cpu_shader_object *s)
{
    if (!s || !ref_drop(&s->refcount))
        return;
    cpu_shader_destroy(s->shader);
    free(s);
}
