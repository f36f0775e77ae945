/* SPDX-License-Identifier: MIT */
/* Result types of the submodules' glGet functions. */
#ifndef GL_GET_TYPES_H
#define GL_GET_TYPES_H

#include "gl/context/gl_types.h"

/* A glGet function writes up to GL_GET_VALUES values and returns their number, or 0 if it does not
 * know the name. A double represents every 32-bit integer exactly. */
#define GL_GET_VALUES 96 /* the longest list is GL_COMPRESSED_TEXTURE_FORMATS of OpenGL ES */
enum gl_get_type { GL_GET_BOOL, GL_GET_INT, GL_GET_ENUM, GL_GET_FLOAT, GL_GET_NORMALIZED };

#endif
