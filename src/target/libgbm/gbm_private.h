/* SPDX-License-Identifier: MIT */
/*
 * Interface between libgbm.so.1 and libEGL. The application may pass libEGL a gbm_device of another
 * libgbm. In every implementation, a gbm_device starts with the address of the gbm_create_device
 * function that created it. libEGL therefore looks up indium_gbm_interface in the library that
 * contains this function. If Mesa's libgbm lacks the symbol but uses our backend, libEGL looks up
 * indium_gbm_backend_interface in the backend's library, to which the device points
 * (gbm_backend.h).
 */
#ifndef GBM_PRIVATE_H
#define GBM_PRIVATE_H

#include <gbm.h>

#include "winsys/linear/ws_linear.h"

#define GBM_INTERFACE_VERSION      2 /* incremented with every change of the struct */
#define GBM_INTERFACE_NAME         "indium_gbm_interface"
#define GBM_BACKEND_INTERFACE_NAME "indium_gbm_backend_interface"
#define GBM_BACKEND_NAME           "indium" /* GBM_BACKEND=indium selects the backend */

/* Functions that libEGL calls. */
struct gbm_interface {
    unsigned version; /* GBM_INTERFACE_VERSION */

    /* Stores the size in pixels and the format (GBM_FORMAT_*) of a surface. */
    void (*surface_size)(const struct gbm_surface *s, uint32_t *width, uint32_t *height,
                         uint32_t *format);
    /* Add and drop references. If the program destroys a referenced surface, it loses its buffers
     * but stays valid. */
    void (*surface_ref)(struct gbm_surface *s);
    void (*surface_unref)(struct gbm_surface *s);
    /* Returns the memory of the buffer for the next frame and stores its stride in bytes. The
     * surface keeps ownership; the buffer is the same until surface_show. Returns NULL if the
     * program holds all buffers or has destroyed the surface, or if out of memory. */
    struct ws_linear *(*surface_next)(struct gbm_surface *s, uint32_t *stride);
    /* Ends the frame: gbm_surface_lock_front_buffer then returns the buffer of surface_next. */
    void (*surface_show)(struct gbm_surface *s);
};

extern const struct gbm_interface indium_gbm_interface;         /* exported by libgbm.so.1 */
extern const struct gbm_interface indium_gbm_backend_interface; /* exported by indium_gbm.so */

#endif
