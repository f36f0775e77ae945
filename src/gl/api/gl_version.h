/* SPDX-License-Identifier: MIT */
/*
 * Versions and extensions, from the tables of gl_versions.py and gl_extensions.py. The driver's
 * caps and the implemented commands determine the version of contexts and the extensions that they
 * advertise. Overrides select another row of the same tables.
 */
#ifndef GL_VERSION_H
#define GL_VERSION_H

#include <stdint.h>

#include "gl_ext.h" /* generated from gl_extensions.py: struct gl_extensions */
#include "indium/core.h"
#include "indium/driver.h"

#define GL_NO_EXTENSION UINT16_MAX /* terminates gl_version_row.extensions */

/* Requirements and properties of a version. */
struct gl_version_row {
    enum gl_api api;                            /* GL_API_COMPAT stands for both profiles */
    uint8_t version;                            /* 10 * major + minor */
    uint16_t language;                          /* highest version of the shading language */
    bool (*holds)(const struct drv_caps *caps); /* required caps in addition to the extensions */
    const uint16_t *extensions; /* required extensions: offsets in struct gl_extensions */
};

/* An extension that contexts can have. */
struct gl_extension_row {
    const char *name; /* including "GL_" */
    uint16_t offset;  /* offset of its bool in struct gl_extensions */
    uint8_t apis;     /* bit mask by enum gl_api */
    uint8_t least;    /* minimum version of a context that can have it; 0: any */
    /* slots of the commands that it requires, terminated by GL_SLOT_COUNT */
    const uint16_t *commands;
};

/* Returns all known extensions, whether advertised or not. */
const struct gl_extension_row *gl_extension_rows(unsigned *count);
/* Returns the row of a version; NULL if there is no such version. ES 1 has no rows. */
const struct gl_version_row *gl_version_row(enum gl_api api, unsigned version);

/* Returns the highest version that a driver with these caps supports; 0: none. */
unsigned gl_supported_version(const struct drv_caps *caps, enum gl_api api);
/* Sets the extensions of contexts of that version: those of the API that caps and commands allow,
 * and all that the version includes. The latter are set even if the version is forced by an
 * override or the API has the functionality under another name. */
void gl_supported_extensions(struct gl_extensions *ext, const struct drv_caps *caps,
                             enum gl_api api, unsigned version);
/* Sets the extensions implied by those already set: OpenGL ES names of desktop functionality. */
void gl_imply_extensions(struct gl_extensions *ext);

#endif
