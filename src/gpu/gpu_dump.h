/* SPDX-License-Identifier: MIT */
/* Dumps of submitted batches. */
#ifndef GPU_DUMP_H
#define GPU_DUMP_H

struct gpu_exec;

/* If INDIUM_GPU_DUMP names a directory, writes a batch and its buffers, as they are before the
 * batch runs, to a new file PID-NUMBER.exec there. Prints errors to stderr. gpu_dump.c describes
 * the format, which `indium-compile --decode` reads. Requires the device's lock. */
void gpu_dump(const struct gpu_exec *exec);

#endif
