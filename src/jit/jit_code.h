/* SPDX-License-Identifier: MIT */
/*
 * Memory for machine code. No mapping of it is writable and executable at once.
 *
 * Code is written to writable pages, which then become executable. Where that is forbidden
 * (PR_SET_MDWE, systemd's MemoryDenyWriteExecute, seccomp), code is written through one mapping of
 * a memfd and run through another. Where that is forbidden, too, no machine code can run. Any
 * thread may call these functions.
 */
#ifndef JIT_CODE_H
#define JIT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapping of machine code. */
struct jit_code {
    void *start; /* start of the code's mapping; NULL if there is none */
    size_t size; /* bytes, a multiple of the page size */
};

/* Writes code to `to` that will run at address `run_at`. data is the argument of jit_code_create,
 * which may call this function several times, with different addresses. The function must therefore
 * have no other side effects. */
typedef void jit_code_write_fn(void *to, uintptr_t run_at, void *data);

/* Whether threads must call jit_code_fence(); atomic. Once true, it stays true. Only jit_code.c
 * writes it, before the code's address is published with release order. */
extern bool jit_code_needs_fence;

/* Discards instructions that the CPU fetched before, if other threads can't make it do so. Call it
 * on AArch64 after loading the address of code with acquire order, before the thread runs the code.
 * Threads that get the address through a job need no call, because the thread pool executes the
 * same instruction (run_jobs in thread_pool.c). */
static inline void jit_code_fence(void)
{
#if defined(__aarch64__)
    if (__builtin_expect(__atomic_load_n(&jit_code_needs_fence, __ATOMIC_RELAXED), false))
        __asm__ volatile("isb" : : : "memory");
#endif
}

/* Maps at least `size` bytes and has `write` fill them; bytes that it doesn't write are zero. The
 * caller unmaps *code with jit_code_destroy(). Returns false, and leaves *code alone, if memory or
 * file descriptors are exhausted or no page may become executable. */
bool jit_code_create(struct jit_code *code, size_t size, jit_code_write_fn *write, void *data);
/* Returns whether the calling thread's last jit_code_create failed because the process or the
 * system has too many open files. */
bool jit_code_lacks_files(void);
/* Unmaps the code and sets code->start to NULL; does nothing if it is NULL already. */
void jit_code_destroy(struct jit_code *code);

/* Returns whether pages may become executable, as far as is known. Once false, it stays false. */
bool jit_code_is_allowed(void);
/* Maps and unmaps a page of code to find out whether pages may become executable.
 * jit_code_is_allowed() then returns the result; it still returns true if memory was exhausted. */
void jit_code_probe(void);

#endif
