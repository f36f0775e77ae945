/* SPDX-License-Identifier: MIT */
/*
 * Versions and extensions, from the tables of gl_versions.py and gl_extensions.py. What a driver's
 * caps and the implemented commands allow decides which version contexts have and what they
 * advertise; nothing else does, but for overrides, which pick a row of the same table.
 */
#ifndef GL_VERSION_H
#define GL_VERSION_H

#include <stdint.h>

#include "gl_ext.h" /* generated from gl_extensions.py: struct gl_extensions */
#include "indium/core.h"
#include "indium/driver.h"

#define GL_NO_EXTENSION UINT16_MAX /* ends a row's extensions */

struct gl_version_row {
    enum gl_api api;                            /* GL_API_COMPAT: of both profiles */
    uint8_t version;                            /* 10 * major + minor */
    uint16_t language;                          /* highest version of the shading language */
    bool (*holds)(const struct drv_caps *caps); /* beside the extensions */
    const uint16_t *extensions;                 /* offsets in struct gl_extensions */
};

struct gl_extension_row {
    const char *name;         /* with GL_ */
    uint16_t offset;          /* of a bool in struct gl_extensions */
    uint8_t apis;             /* bit of each enum gl_api that has it */
    uint8_t least;            /* version of these that can have it; 0: every one */
    const uint16_t *commands; /* slots that it needs, GL_SLOT_COUNT behind them */
};

/* Every known extension, advertised or not. */
const struct gl_extension_row *gl_extension_rows(unsigned *count);
/* The row of a version, or NULL: there is no such version. ES 1 has none. */
const struct gl_version_row *gl_version_row(enum gl_api api, unsigned version);

/* Highest version that a driver with these caps has; 0: none. */
unsigned gl_supported_version(const struct drv_caps *caps, enum gl_api api);
/* What contexts of that version have: the extensions of their API that caps and commands allow, and
 * what the version took in, be it allowed or forced, under another API's name too. */
void gl_supported_extensions(struct gl_extensions *ext, const struct drv_caps *caps,
                             enum gl_api api, unsigned version);
/* Turns on what the extensions that are on are other names of: OpenGL ES's names of the desktop's. */
void gl_imply_extensions(struct gl_extensions *ext);

#endif
