/* SPDX-License-Identifier: MIT */
/* libindium.so is the rooms below src/target linked together; what it exports is in the version
 * script that src/gl generates. */
#include "indium/core.h"

_Static_assert(INDIUM_CORE_VERSION == 9, "the faces are built for this core");

/* In place of rand (the linker's --wrap) for talloc, which takes a number when it is loaded: the sequence
 * is the program's, which may have seeded it before. */
int __wrap_rand(void);
int __wrap_rand(void)
{
    return 0;
}
