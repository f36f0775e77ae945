/* SPDX-License-Identifier: MIT */
/*
 * What libgbm.so.1 has, and what libEGL asks of it. libEGL is handed pointers that another libgbm may
 * have made: a device begins with the address of the gbm_create_device that made it (as others'
 * do), whose library is asked for indium_gbm_interface.
 */
#ifndef GBM_PRIVATE_H
#define GBM_PRIVATE_H

#include <gbm.h>

#include "winsys/linear/ws_linear.h"

#define GBM_INTERFACE_VERSION 2 /* raised with every change of this struct */
#define GBM_INTERFACE_NAME    "indium_gbm_interface"

struct gbm_interface {
    unsigned version; /* GBM_INTERFACE_VERSION */

    void (*surface_size)(const struct gbm_surface *s, uint32_t *width, uint32_t *height,
                         uint32_t *format);
    /* A reference keeps a surface's name when the program destroys it, which takes its buffers. */
    void (*surface_ref)(struct gbm_surface *s);
    void (*surface_unref)(struct gbm_surface *s);
    /* The memory of the buffer to draw the next frame into, and its stride; NULL: the program holds
     * all buffers or has destroyed the surface, or no memory. The same until surface_show. */
    struct ws_linear *(*surface_next)(struct gbm_surface *s, uint32_t *stride);
    /* That buffer is what gbm_surface_lock_front_buffer gives. */
    void (*surface_show)(struct gbm_surface *s);
};

extern const struct gbm_interface indium_gbm_interface;

#endif
