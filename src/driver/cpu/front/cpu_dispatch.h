/* SPDX-License-Identifier: MIT */
/* Dispatches of compute shaders: a scene of its own, whose jobs take groups until none is left. */
#ifndef CPU_DISPATCH_H
#define CPU_DISPATCH_H

#include "driver/cpu/kernel/cpu_kernel.h"
#include "driver/cpu/kernel/cpu_variant.h"

#define CPU_MAX_GROUPS      65535 /* of each dimension of a grid */
#define CPU_MAX_INVOCATIONS 1024  /* of a group */
#define CPU_MAX_SHARED      (32 << 10)

struct drv_context_ops;

struct cpu_dispatch {
    const struct cpu_cs_variant *cs;
    const struct cpu_stage_state *state;
    const uint32_t *overrun; /* the scene's: no more groups begin then */
    unsigned *running;       /* atomic: jobs, the scene's count */
    uint32_t grid[3], block[3];
    uint64_t next;   /* atomic: the first group, in order of x, y, z, that no job has taken */
    uint32_t chunk;  /* groups that a job takes at a time */
    unsigned jobs;   /* at most */
    uint8_t *memory; /* memory_stride bytes for each job: shared memory, then frames */
    size_t memory_stride, frames_offset;
};

/* One of the dispatch's jobs; any worker. */
void cpu_dispatch_run(void *dispatch, unsigned job);

void cpu_dispatch_init(struct drv_context_ops *ops);

#endif
