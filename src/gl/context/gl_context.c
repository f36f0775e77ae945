/* SPDX-License-Identifier: MIT */
/* Queries of a context's properties. */
#include "gl/context/gl_context.h"

#include <string.h>

bool gl_has_extension(const struct gl_context *ctx, const char *name)
{
    for (unsigned i = 0; i < ctx->num_extensions; i++)
        if (!strcmp(ctx->extension_names[i], name))
            return true;
    return false;
}
