/* SPDX-License-Identifier: MIT */
/* The front end's part of struct drv_context_ops: each function sets the entries that one file
 * implements. Also the limits of compute dispatches. */
#ifndef CPU_FRONT_OPS_H
#define CPU_FRONT_OPS_H

#define CPU_MAX_GROUPS      65535      /* work groups in each dimension of a grid */
#define CPU_MAX_INVOCATIONS 1024       /* invocations of a work group */
#define CPU_MAX_SHARED      (32 << 10) /* bytes of shared memory of a work group */

struct drv_context_ops;

void cpu_clear_init(struct drv_context_ops *ops);
void cpu_dispatch_init(struct drv_context_ops *ops);
void cpu_draw_init(struct drv_context_ops *ops);
void cpu_stream_output_init(struct drv_context_ops *ops);

#endif
