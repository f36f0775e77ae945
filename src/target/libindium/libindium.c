/* SPDX-License-Identifier: MIT */
/* libindium.so is the rooms below src/target linked together; what it exports is in the version
 * script that src/gl generates. */
#include "indium/core.h"

_Static_assert(INDIUM_CORE_VERSION == 3, "the faces are built for this core");

/* The destructors of LLVM's static objects would be registered here. They must not run: while a
 * program exits, workers may still compile, and some are registered by a compilation itself, too
 * late for a handler of ours to come before them. The process's end frees what they would; the
 * library is not unloaded before. Handlers that rooms give to atexit() have nothing to wait for then,
 * and do not run either. */
__attribute__((visibility("hidden"))) int __cxa_atexit(void (*function)(void *), void *argument,
                                                       void *library);

int __cxa_atexit(void (*function)(void *), void *argument, void *library)
{
    return 0;
}
