/* SPDX-License-Identifier: MIT */
/* Queries of a context's properties. */
#include "gl/context/gl_context.h"

#include <string.h>

static bool has_name(const char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

bool gl_has_extension(const struct gl_context *ctx, const char *name)
{
    return has_name(ctx->extension_names, ctx->num_extensions, name);
}

bool gl_has_es_extension(const struct gl_context *ctx, const char *name)
{
    return has_name(ctx->es_extension_names, ctx->num_es_extensions, name);
}
