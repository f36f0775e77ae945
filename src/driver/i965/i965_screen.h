/* SPDX-License-Identifier: MIT */
/* The i965 driver, selected by INDIUM_DRIVER=i965. It needs no GPU: kernels run in the EU
 * simulator. */
#ifndef I965_SCREEN_H
#define I965_SCREEN_H

struct drv_screen;

/* Creates a screen for the device that INDIUM_I965_TARGET names, by default "skl". If the name is
 * unknown, logs a warning and uses "skl". The caller destroys the screen with
 * drv_screen_ops.destroy. Returns NULL if out of memory or if the JIT cannot start. */
struct drv_screen *i965_screen_create(void);

#endif
