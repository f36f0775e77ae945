/* SPDX-License-Identifier: MIT */
/* Short forms of i915's requests for tests. Functions that begin with try_ return 0 or the error
 * number; the others, except wait_for(), fail the test on errors. */
#ifndef GPU_CLIENT_H
#define GPU_CLIENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the headers above. */
#include <cmocka.h>

#include <libdrm/i915_drm.h>
#include <stdbool.h>

enum {
    PAGE = 4096,
    MI_BATCH_BUFFER_END = 0x0a << 23,
    MI_BATCH_BUFFER_START = 0x31 << 23 | 1 << 8 | 1, /* in the context's address space */
    MI_STORE_DATA_IMM = 0x20 << 23 | 2,
    SKL = 0x1912, /* PCI id of the chip "skl" */
};

/* Open the device's primary node (card0) or render node and return the file descriptor. */
int open_card(void);
int open_render(void);

int try_ioctl(int fd, unsigned long request, void *arg);
void do_ioctl(int fd, unsigned long request, void *arg);

/* Returns the handle of a new buffer of at least `size` bytes. */
uint32_t create_buffer(int fd, uint64_t size);
void close_buffer(int fd, uint32_t handle);
int try_pwrite(int fd, uint32_t handle, uint64_t offset, const void *data, uint64_t size);
int try_pread(int fd, uint32_t handle, uint64_t offset, void *data, uint64_t size);
uint32_t read_dword(int fd, uint32_t handle, uint64_t offset);
/* Returns the offset in the device file at which mmap() maps the buffer, write-back cached. */
uint64_t mmap_offset(int fd, uint32_t handle);

/* Returns the value of an I915_PARAM_…. */
int get_param(int fd, int param);
bool has_model(int fd); /* whether batches are executed */
bool has_ppgtt(int fd); /* whether contexts have address spaces of 48 bits */

/* Returns a buffer of one page that starts with these dwords. */
uint32_t create_batch(int fd, const uint32_t *dwords, unsigned count);
/* flags: of an execbuffer; context: its id. */
int try_exec(int fd, struct drm_i915_gem_exec_object2 *objects, unsigned count, uint64_t flags,
             uint32_t context);
/* Waits until no batch uses a buffer anymore. Returns 0 or the error number. */
int wait_for(int fd, uint32_t handle);

/* Tests of the other files, ended by an element without a name. */
extern const struct CMUnitTest batch_tests[], directory_tests[], engine_tests[], kms_tests[],
    shared_tests[], sync_tests[], wait_tests[];

#endif
