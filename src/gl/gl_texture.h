/* SPDX-License-Identifier: MIT */
/* Texture objects, their images and bindings. */
#ifndef GL_TEXTURE_H
#define GL_TEXTURE_H

#include "gl/gl_types.h"
#include "indium/driver.h"

struct gl_context;

/* Targets by priority of fixed-function enables, lowest first. */
enum gl_texture_index {
    GL_TEXTURE_INDEX_1D,
    GL_TEXTURE_INDEX_2D,
    GL_TEXTURE_INDEX_RECT,
    GL_TEXTURE_INDEX_3D,
    GL_TEXTURE_INDEX_CUBE,
    GL_TEXTURE_INDEX_1D_ARRAY,
    GL_TEXTURE_INDEX_2D_ARRAY,
    GL_TEXTURE_INDEX_CUBE_ARRAY,
    GL_TEXTURE_INDEX_BUFFER,
    GL_TEXTURE_INDEX_EXTERNAL,
    GL_TEXTURE_INDEX_COUNT,
};

struct gl_texture_state {
    int unused;
};

#endif
