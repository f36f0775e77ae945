/* SPDX-License-Identifier: MIT */
/*
 * Linker for compiled kernels: turns an ELF object file that LLVM emitted for the host
 * (jit_link_machine.h) into executable code. All sections are placed in one mapping, followed by a
 * slot for each symbol. A slot holds a jump to the symbol's address and the address itself. Calls
 * go through the jump if the function is out of the range of a branch; loads read the address.
 */
#ifndef JIT_LINK_H
#define JIT_LINK_H

#include "jit/jit_code.h"

/* A function that compiled code may call. */
struct jit_helper {
    const char *name; /* symbol by which the object file refers to it */
    uintptr_t address;
};

/* Links the object file of `size` bytes into *code. The object remains the caller's, who also frees
 * *code with jit_code_destroy(). Returns the address of `function` and stores its size in
 * *bytes. helpers[] lists the only functions outside the object that it may call; an unknown one is
 * an error. Must run within an attempt (util/memory.h). On failure, returns 0, and there is nothing
 * to free; *problem is a static message if the object can't be linked, or NULL if jit_code_create
 * failed. On success, *problem is NULL. */
uintptr_t jit_link(struct jit_code *code, const void *object, size_t size, const char *function,
                   const struct jit_helper *helpers, unsigned num_helpers, uint64_t *bytes,
                   const char **problem);

#endif
