/* SPDX-License-Identifier: MIT */
/* Types of the samplers that use a texture image unit (GL 4.6 §7.10). */
#include <string.h>

#include "gl/program/gl_program.h"
#include "gl/texture/gl_texture.h"

const char gl_samplers_conflict[] =
    "error: samplers of different types refer to one texture image unit\n";

/* Samplers of different types must not use the same unit (GL 4.6 §7.10). */
bool gl_add_unit_sampler_types(struct gl_unit_sampler_types *types, const struct gl_stage *stage)
{
    for (unsigned i = 0; stage && i < stage->num_samplers; i++) {
        const struct gl_sampler_use *use = &stage->sampler[i];
        if (!use->used || use->has_handle)
            continue;
        uint8_t *type = &types->index[use->unit];
        if (*type != GL_UNIT_FREE && *type != use->index)
            return false;
        *type = use->index;
    }
    return true;
}

bool gl_validate_samplers(const struct gl_executable *exe, const char **why)
{
    struct gl_unit_sampler_types types;
    memset(&types, GL_UNIT_FREE, sizeof types);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        if (!gl_add_unit_sampler_types(&types, exe->stage[s])) {
            *why = gl_samplers_conflict;
            return false;
        }
    }
    return true;
}
