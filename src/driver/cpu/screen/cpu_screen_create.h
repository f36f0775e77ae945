/* SPDX-License-Identifier: MIT */
/* Creation of screens and contexts: fills in the function tables of driver.h from all
 * submodules. */
#ifndef CPU_SCREEN_CREATE_H
#define CPU_SCREEN_CREATE_H

#include "driver/cpu/resource/cpu_screen.h"

/* Creates a screen whose shaders are run by `external`, which must outlive the screen. If it is
 * NULL, JIT kernels run them. The driver that passes `external` sets name, base.device_id, base.ops
 * and base.nir_options to its own and limits base.caps. base.ops->destroy frees the screen. Returns
 * NULL if out of memory or if the JIT cannot start. */
struct cpu_screen *cpu_screen_create_external(const struct cpu_external *external);

/* drv_screen_ops.is_format_supported */
bool cpu_is_format_supported(struct drv_screen *screen, enum drv_format format,
                             enum drv_target target, unsigned samples, unsigned bind);

/* drv_screen_ops.context_create */
struct drv_context *cpu_context_create(struct drv_screen *screen);

#endif
