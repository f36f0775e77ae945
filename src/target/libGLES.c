/* SPDX-License-Identifier: MIT */
/*
 * The libraries named after GL ES versions, and GLVND's libOpenGL, contain no code. libindium.so
 * exports the gl* functions, and the loader finds it through DT_NEEDED. This reference creates the
 * DT_NEEDED entry.
 */
#include "indium/core.h"

__attribute__((used)) static const struct indium_core *(*const core)(void) = indium_core_interface;
