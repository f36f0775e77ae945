/* SPDX-License-Identifier: MIT */
/*
 * The libraries named after the GL ES versions (and GLVND's libOpenGL) hold nothing themselves: the
 * gl* functions are exported by libindium.so, which the loader finds through their DT_NEEDED. This
 * reference puts it there.
 */
#include "indium/core.h"

__attribute__((used)) static const struct indium_core *(*const core)(void) = indium_core_interface;
