/* SPDX-License-Identifier: MIT */
/*
 * Whether there is memory for work that cannot be left in the middle: compilers build graphs of small
 * pieces, LLVM's ends the process where it gets none. So before they begin, what they will need is
 * asked for at once, by an estimate, and given back.
 */
#ifndef UTIL_MEMORY_H
#define UTIL_MEMORY_H

#include <stdlib.h>

#include "util/macros.h"

/* Of compiling something small, bytes. */
#define UTIL_COMPILE_MEMORY ((size_t)2 << 20)
/* Of compiling, or linking, each character of a shader's text. */
#define UTIL_CHARACTER_MEMORY 512

/* Whether malloc would give so many bytes: of what was freed, or of what the process may still have
 * (setrlimit, strict accounting). Any thread; what others take meanwhile is not known. */
static inline bool util_memory_left(size_t bytes)
{
    void *volatile p = malloc(bytes); /* or the compiler leaves both calls out */
    bool left = p != NULL;
    free(p);
    return left;
}

#endif
