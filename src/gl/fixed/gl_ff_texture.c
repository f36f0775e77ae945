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
    /* GL 2.1 §3.8.15: an incomplete texture acts as if disabled. */
    return gl_texture_is_complete(t, params) ? target : -1;
}
