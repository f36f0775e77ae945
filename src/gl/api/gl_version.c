/* SPDX-License-Identifier: MIT */
/* Selects versions and extensions from the generated tables by a driver's caps. */
#include "gl/api/gl_version.h"

#include <stddef.h>

#include "gl/api/gl_core_private.h"
#include "gl_dispatch.h"
#include "gl_ext_table.h"
#include "gl_version_table.h"
#include "util/macros.h"

static bool *member(struct gl_extensions *ext, unsigned offset)
{
    return (bool *)((char *)ext + offset);
}

const struct gl_extension_row *gl_extension_rows(unsigned *count)
{
    *count = ARRAY_SIZE(extension_table);
    return extension_table;
}

/* Maps both desktop profiles to the API of their common table rows. */
static enum gl_api family(enum gl_api api)
{
    return api == GL_API_CORE ? GL_API_COMPAT : api;
}

const struct gl_version_row *gl_version_row(enum gl_api api, unsigned version)
{
    for (unsigned i = 0; i < ARRAY_SIZE(version_rows); i++)
        if (version_rows[i].api == family(api) && version_rows[i].version == version)
            return &version_rows[i];
    return NULL;
}

static bool has_commands(const struct gl_extension_row *row)
{
    for (const uint16_t *c = row->commands; *c != GL_SLOT_COUNT; c++)
        if (!gl_has_command(*c))
            return false;
    return true;
}

/* Enables the extensions that caps and commands allow, for any API. */
static void allowed_extensions(struct gl_extensions *ext, const struct drv_caps *caps)
{
    *ext = (struct gl_extensions){0};
    compute_extensions(ext, caps);
    for (unsigned i = 0; i < ARRAY_SIZE(extension_table); i++)
        if (!has_commands(&extension_table[i]))
            *member(ext, extension_table[i].offset) = false;
}

static bool row_holds(const struct gl_version_row *row, const struct drv_caps *caps,
                      struct gl_extensions *allowed)
{
    for (const uint16_t *offset = row->extensions; *offset != GL_NO_EXTENSION; offset++)
        if (!*member(allowed, *offset))
            return false;
    return row->holds(caps);
}

unsigned gl_supported_version(const struct drv_caps *caps, enum gl_api api)
{
    struct gl_extensions allowed;
    unsigned version = api == GL_API_ES1 ? 11 : 0;
    allowed_extensions(&allowed, caps);
    for (unsigned i = 0; i < ARRAY_SIZE(version_rows); i++) {
        const struct gl_version_row *row = &version_rows[i];
        if (row->api != family(api))
            continue;
        if (!row_holds(row, caps, &allowed) || gl_incomplete_versions(api) >> row->version & 1)
            break;
        version = row->version;
    }
    return api == GL_API_CORE && version < 31 ? 0 : version;
}

/* Returns whether contexts of that API and version can have the extension. */
static bool has_row(const struct gl_extension_row *row, enum gl_api api, unsigned version)
{
    return row->apis >> api & 1 && version >= row->least;
}

void gl_supported_extensions(struct gl_extensions *ext, const struct drv_caps *caps,
                             enum gl_api api, unsigned version)
{
    allowed_extensions(ext, caps);
    for (unsigned i = 0; i < ARRAY_SIZE(extension_table); i++)
        if (!has_row(&extension_table[i], api, version))
            *member(ext, extension_table[i].offset) = false;
    for (unsigned i = 0; i < ARRAY_SIZE(version_rows); i++) {
        const struct gl_version_row *row = &version_rows[i];
        if (row->api != family(api) || row->version > version)
            continue;
        for (const uint16_t *offset = row->extensions; *offset != GL_NO_EXTENSION; offset++)
            *member(ext, *offset) = true;
    }
}

void gl_imply_extensions(struct gl_extensions *ext)
{
    for (unsigned i = 0; i < ARRAY_SIZE(implied_extensions); i++)
        if (*member(ext, implied_extensions[i][0]))
            *member(ext, implied_extensions[i][1]) = true;
}
