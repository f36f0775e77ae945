/* SPDX-License-Identifier: MIT */
/*
 * Memory for machine code, which is never writable and executable at once.
 *
 * Pages are written first and made executable afterwards. Where that is forbidden (PR_SET_MDWE, systemd's
 * MemoryDenyWriteExecute, seccomp), code is written through one mapping of a memfd and run through another.
 * Where that is forbidden, too, there is no machine code. Any thread.
 */
#ifndef JIT_CODE_H
#define JIT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit_code {
    void *start; /* a mapping of its own; NULL: none */
    size_t size; /* bytes, whole pages */
};

/* Writes code that will run at `run_at`, to `to`. Pure: it may be called again, with other addresses. */
typedef void jit_code_write_fn(void *to, uintptr_t run_at, void *data);

/* Maps code of `size` bytes; what write leaves is zero. False: no memory, or no page may become executable. */
bool jit_code_create(struct jit_code *code, size_t size, jit_code_write_fn *write, void *data);
void jit_code_destroy(struct jit_code *code); /* NULL code is fine */

/* Whether pages may become executable, as far as is known: forbidden once is forbidden for good. */
bool jit_code_is_allowed(void);
/* Finds out. */
void jit_code_probe(void);

#endif
