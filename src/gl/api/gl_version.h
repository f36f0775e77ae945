/* SPDX-License-Identifier: MIT */
/*
 * Versions and extensions, from the tables in gl_versions.py and gl_extensions.py. The driver's
 * caps and the set of implemented commands determine the version of contexts and the extensions
 * that they advertise. An override by the user selects another version from the same tables.
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
    enum gl_api api;   /* GL_API_COMPAT also stands for the core profile */
    uint8_t version;   /* 10 * major + minor */
    uint16_t language; /* highest version of the shading language, e.g. 460; 320 in ES 3.2 */
    /* returns whether the caps meet the requirements that `extensions` doesn't imply */
    bool (*holds)(const struct drv_caps *caps);
    /* required extensions: byte offsets in struct gl_extensions, terminated by GL_NO_EXTENSION */
    const uint16_t *extensions;
};

/* An extension that contexts can have. */
struct gl_extension_row {
    const char *name; /* including "GL_" */
    uint16_t offset;  /* byte offset of its bool in struct gl_extensions */
    uint8_t apis;     /* bit mask by enum gl_api */
    uint8_t least;    /* lowest version of a context that can have it, 10 * major + minor; 0: any */
    /* slots (enum gl_slot) of the commands that must be implemented for it, terminated by
     * GL_SLOT_COUNT */
    const uint16_t *commands;
};

/* Returns a table of all known extensions, whether advertised or not, and its length in *count. */
const struct gl_extension_row *gl_extension_rows(unsigned *count);
/* Returns the row of a version (10 * major + minor); NULL if there is no such version. ES 1 has no
 * rows. */
const struct gl_version_row *gl_version_row(enum gl_api api, unsigned version);

/* Returns the highest version of an API that a driver with these caps supports, 10 * major + minor;
 * 0: none. */
unsigned gl_supported_version(const struct drv_caps *caps, enum gl_api api);
/* Fills in *ext for contexts of an API and version. It has the API's extensions that the caps and
 * the implemented commands allow, and all extensions that the version includes. The version's
 * extensions are set even if an override forces the version, or if the API has the functionality
 * under another name. */
void gl_supported_extensions(struct gl_extensions *ext, const struct drv_caps *caps,
                             enum gl_api api, unsigned version);
/* Adds extensions that others in *ext imply: OpenGL ES names of functionality that has a desktop
 * extension. */
void gl_imply_extensions(struct gl_extensions *ext);

#endif
