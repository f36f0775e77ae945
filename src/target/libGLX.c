/* SPDX-License-Identifier: MIT */
/* GLVND's name for the GLX half of libGL: nothing but a reference to it, for its DT_NEEDED. */
#include <GL/glx.h>

__attribute__((used)) static const char *(*const glx)(Display *, int) = glXGetClientString;
