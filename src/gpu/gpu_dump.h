/* SPDX-License-Identifier: MIT */
/* Dumps of submitted batches. */
#ifndef GPU_DUMP_H
#define GPU_DUMP_H

struct gpu_exec;

/* If INDIUM_GPU_DUMP names a directory, writes a batch and its buffers, as they are before the batch
 * runs, to a new file PROCESS-NUMBER.exec there. `indium-compile --decode` reads such files; their
 * format is in docs/i965.md. Requires the device's lock. */
void gpu_dump(const struct gpu_exec *exec);

#endif
