/* SPDX-License-Identifier: MIT */
/* What the generated dispatch and the core interface share. */
#ifndef GL_CORE_PRIVATE_H
#define GL_CORE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* Raises GL_INVALID_OPERATION for a command that this context's API lacks or that is not
 * implemented; returns 0. */
uintptr_t gl_missing_command(unsigned slot);

/* Whether the slot's command is implemented. */
bool gl_has_command(unsigned slot);
/* The versions of an API of which a command is not: bit 10 * major + minor. Bit 0 means nothing. */
uint64_t gl_incomplete_versions(unsigned api);

struct gl_proc {
    const char *name;
    void (*function)(void);
};
extern const struct gl_proc gl_procs[]; /* sorted by name */
extern const unsigned gl_num_procs;

#endif
