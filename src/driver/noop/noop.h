/* SPDX-License-Identifier: MIT */
/*
 * Driver that draws nothing, for testing and benchmarking the API layer (INDIUM_DRIVER=noop).
 * Resources are linear memory. Maps and copies between resources work. Draws, clears and blits have
 * no effect; image_write, image_read and image_fill fail.
 */
#ifndef NOOP_H
#define NOOP_H

#include "indium/driver.h"

/* Creates a screen, which the caller destroys. Returns NULL if out of memory. */
struct drv_screen *noop_screen_create(void);

#endif
