/* SPDX-License-Identifier: MIT */
/* indium-compile --decode: prints a batch for an Intel GPU. */
#ifndef COMPILE_DECODE_H
#define COMPILE_DECODE_H

#include <stdint.h>

/*
 * Prints the batch in a file to stdout. The file is either a copy of the GPU memory from `address`
 * on, which starts with the first packet, or a dump of an execbuffer (magic number "i915";
 * docs/i965.md). A dump contains the addresses of its buffers, so `address` is ignored. target:
 * "bdw", "skl", "icl" or "tgl". Returns the exit code: 0, 1 if the batch has errors, or 2, after a
 * message, if the file is not a readable batch or the target is unknown.
 */
int compile_decode(const char *path, const char *target, uint64_t address);

#endif
