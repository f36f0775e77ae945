/* SPDX-License-Identifier: MIT */
/* GLVND's name for the GLX half of libGL. Only a reference to libGL, for the DT_NEEDED entry. */
#include <GL/glx.h>

__attribute__((used)) static const char *(*const glx)(Display *, int) = glXGetClientString;
