/* SPDX-License-Identifier: MIT */
/*
 * A driver that draws nothing: resources are linear memory that can be mapped, copied and cleared
 * by maps; draws, clears and blits have no effect. To test and measure the API layer without a
 * device (INDIUM_DRIVER=noop).
 */
#ifndef NOOP_H
#define NOOP_H

#include "indium/driver.h"

/* NULL: no memory. */
struct drv_screen *noop_screen_create(void);

#endif
