/* SPDX-License-Identifier: MIT */
/*
 * Interface between libgbm.so.1 and libEGL. libEGL may receive pointers made by another libgbm. A
 * gbm_device starts with the address of the gbm_create_device that made it, in other
 * implementations too; libEGL looks up indium_gbm_interface in the library that contains this
 * function.
 */
#ifndef GBM_PRIVATE_H
#define GBM_PRIVATE_H

#include <gbm.h>

#include "winsys/linear/ws_linear.h"

#define GBM_INTERFACE_VERSION 2 /* bumped with every change of the struct */
#define GBM_INTERFACE_NAME    "indium_gbm_interface"

struct gbm_interface {
    unsigned version; /* GBM_INTERFACE_VERSION */

    void (*surface_size)(const struct gbm_surface *s, uint32_t *width, uint32_t *height,
                         uint32_t *format);
    /* Take and drop references. A referenced surface stays valid when the program destroys it, but
     * loses its buffers. */
    void (*surface_ref)(struct gbm_surface *s);
    void (*surface_unref)(struct gbm_surface *s);
    /* Returns the memory and stride of the buffer for the next frame; the same buffer until
     * surface_show. Returns NULL if the program holds all buffers or has destroyed the surface, or
     * memory runs out. */
    struct ws_linear *(*surface_next)(struct gbm_surface *s, uint32_t *stride);
    /* Makes that buffer the one that gbm_surface_lock_front_buffer returns. */
    void (*surface_show)(struct gbm_surface *s);
};

extern const struct gbm_interface indium_gbm_interface;

#endif
