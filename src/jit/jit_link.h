/* SPDX-License-Identifier: MIT */
/*
 * The linker of compiled kernels: an object file as LLVM makes it for x86-64 (ELF, System V ABI, AMD64
 * supplement) becomes code that can run. All sections lie in one mapping, followed by a slot for each symbol:
 * a jump to its address, for calls of functions that are too far away, and the address, for loads.
 */
#ifndef JIT_LINK_H
#define JIT_LINK_H

#include "jit/jit_code.h"

/* Functions that code may call. */
struct jit_helper {
    const char *name;
    uintptr_t address;
};

/* Links the object, which stays the caller's, and finds a function in it; *bytes: of the function. Within an
 * attempt. 0: no memory, or, with *problem, something that isn't known. */
uintptr_t jit_link(struct jit_code *code, const void *object, size_t size, const char *function,
                   const struct jit_helper *helpers, unsigned num_helpers, uint64_t *bytes,
                   const char **problem);

#endif
