/* SPDX-License-Identifier: MIT */
/* The i965 driver, selected by INDIUM_DRIVER=i965. It needs no GPU: kernels run in the EU
 * simulator. */
#ifndef I965_SCREEN_H
#define I965_SCREEN_H

struct drv_screen;

/* Returns a new i965 screen, or NULL if out of memory. */
struct drv_screen *i965_screen_create(void);

#endif
