/* SPDX-License-Identifier: MIT */
/* Result types of the submodules' glGet functions. */
#ifndef GL_GET_TYPES_H
#define GL_GET_TYPES_H

#include "gl/context/gl_types.h"

/* Maximum number of values of a glGet query. The longest list is GL_COMPRESSED_TEXTURE_FORMATS in
 * ES. */
#define GL_GET_VALUES 96

/*
 * Type of the values of a glGet query, which determines their conversion (GL 4.6 §2.2.2).
 * GL_GET_NORMALIZED: floats in [-1, 1], which integer queries map to the whole integer range.
 *
 * The submodules' glGet functions store the type in *type and up to GL_GET_VALUES values in v. The
 * values are doubles, which represent all 32-bit integers exactly. The functions return the number
 * of values, or 0 if pname is not one of their queries, its list is empty, or an error was raised.
 */
enum gl_get_type {
    GL_GET_BOOL,
    GL_GET_INT, /* 32 bits, also masks; up to UINT32_MAX */
    GL_GET_INT64,
    GL_GET_ENUM,
    GL_GET_FLOAT,
    GL_GET_NORMALIZED,
};

#endif
