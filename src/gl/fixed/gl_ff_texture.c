/* SPDX-License-Identifier: MIT */
/* Selects the texture that a fixed-function unit samples. */
#include "gl/context/gl_context.h"
#include "gl/fixed/gl_ff.h"
#include "gl/texture/gl_texture.h"

int gl_ff_unit_target(struct gl_context *ctx, unsigned u)
{
    uint32_t enabled = ctx->texenv.unit[u].enabled;
    const struct gl_texture_unit *unit = &ctx->texture.unit[u];
    if (!enabled)
        return -1;
    int target = (int)util_logbase2(enabled); /* indices are in order of priority */
    const struct gl_texture *t = unit->bound[target];
    const struct gl_sampler_params *params = unit->sampler ? &unit->sampler->params : &t->params;
    /* An external texture without an image reads as (0, 0, 0, 1) (OES_EGL_image_external, section
     * 3.7.14). Any other incomplete texture acts as if disabled (GL 2.1 §3.8.15). */
    return target == GL_TEXTURE_INDEX_EXTERNAL || gl_texture_is_complete(t, params) ? target : -1;
}
