/* SPDX-License-Identifier: MIT */
/* The i965 driver: INDIUM_DRIVER=i965. Without a device its kernels run in the EU simulator. */
#ifndef I965_SCREEN_H
#define I965_SCREEN_H

struct drv_screen;

/* NULL: no memory. */
struct drv_screen *i965_screen_create(void);

#endif
