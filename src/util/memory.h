/* SPDX-License-Identifier: MIT */
/*
 * Whether there is memory for work that cannot be left in the middle: compilers build graphs of small
 * pieces, LLVM's ends the process where it gets none. So before they begin, what they will need is
 * asked for at once, by an estimate that is more than enough, and given back.
 */
#ifndef UTIL_MEMORY_H
#define UTIL_MEMORY_H

#include <sys/mman.h>

#include "util/macros.h"

/* Of compiling something small, bytes. */
#define UTIL_COMPILE_MEMORY ((size_t)8 << 20)
/* Of compiling, or linking, each character of a shader's text. */
#define UTIL_CHARACTER_MEMORY 512

/* Whether the process may have so many bytes more (setrlimit, strict accounting). Any thread; what
 * others take meanwhile is not known. */
static inline bool util_memory_left(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p != MAP_FAILED && !munmap(p, bytes);
}

#endif
