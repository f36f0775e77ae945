/* SPDX-License-Identifier: MIT */
/* Declarations shared by the generated dispatch code and the core interface. */
#ifndef GL_CORE_PRIVATE_H
#define GL_CORE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

/* Raises GL_INVALID_OPERATION for a command that the current context's API doesn't have or that is
 * not implemented. slot (enum gl_slot) is its index in dispatch tables. Returns 0, which the
 * command returns. */
uintptr_t gl_missing_command(unsigned slot);

/* Returns whether the slot's command is implemented. */
bool gl_has_command(unsigned slot);
/* Returns a mask of the versions of an API (enum gl_api) that introduced unimplemented commands.
 * Version major.minor is bit 10 * major + minor. Bit 0 has no meaning. */
uint64_t gl_incomplete_versions(unsigned api);

/* An exported command, for glXGetProcAddress and similar functions. */
struct gl_proc {
    const char *name;
    void (*function)(void);
};
extern const struct gl_proc gl_procs[]; /* sorted by name */
extern const unsigned gl_num_procs;     /* number of elements of gl_procs */

#endif
