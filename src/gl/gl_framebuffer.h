/* SPDX-License-Identifier: MIT */
/* Framebuffer and renderbuffer objects, the default framebuffer's state. */
#ifndef GL_FRAMEBUFFER_H
#define GL_FRAMEBUFFER_H

#include "gl/gl_drawable.h"

struct gl_framebuffer_state {
    int unused;
};

#endif
