/* SPDX-License-Identifier: MIT */
/*
 * Driver module for Mesa's loaders (dri_interface.h). The loader owns windows and presents images;
 * this module implements screens, configurations, contexts, drawables and images.
 *
 * There are two kinds of screens. Without a device (DRI_SWRast), pixels are copied to the loader.
 * With a DRM device (DRI_DRI2, DRI_IMAGE_DRIVER), the loader provides and presents images, which
 * are dumb buffers of the device.
 */
#ifndef DRI_PRIVATE_H
#define DRI_PRIVATE_H

#include <GL/gl.h>

#include "target/common/tgt_memory.h"
#include "target/common/tgt_surface.h"
#include "target/dri/dri_interface.h"

/* The objects that dri_interface.h declares as opaque. */
struct __DRIconfigRec {
    struct tgt_config base;
};

struct __DRIscreenRec {
    const struct indium_core *core;
    int number; /* X screen */
    int fd;     /* DRM device, owned by the loader; -1: none */
    struct winsys *ws;
    bool shows_images; /* ws presents images (dri_image_winsys_create), not copies */
    const __DRIimageLookupExtension *lookup; /* finds EGLImages; may be NULL */
    void *loader_private;
};

struct __DRIdrawableRec {
    __DRIscreen *screen;
    struct tgt_surface surface;
};

struct __DRIcontextRec {
    __DRIscreen *screen;
    struct gl_context *gl;
};

/* An image that the loader shares with GL, or presents. Reference-counted. */
struct __DRIimageRec {
    int refs; /* atomic */
    __DRIscreen *screen;
    struct tgt_picture picture; /* fourcc is NULL for images of a texture or renderbuffer */
    struct gl_shared_image *gl; /* atomic: core image, created on demand; owned */
    void *loader_private;
};

/* A window of the loader. For both winsys, `native` of drawable_create points to this struct, which
 * is copied. */
struct dri_window {
    __DRIdrawable *drawable;
    void *loader_private;
    bool double_buffered;
};
/* dri_copy_winsys.c: creates a winsys for a loader to which frames are copied. Returns NULL if out
 * of memory. */
struct winsys *dri_copy_winsys_create(const __DRIswrastLoaderExtension *loader);
/* dri_image_winsys.c: creates a winsys for a loader that presents images. If loader_invalidates is
 * true, drawable_update requests an image from the loader only for the first frame and after
 * dri_image_winsys_invalidate; otherwise, it does so every time. Returns NULL if out of memory. */
struct winsys *dri_image_winsys_create(const __DRIimageLoaderExtension *loader,
                                       bool loader_invalidates);
/* Makes the next drawable_update request a new image. */
void dri_image_winsys_invalidate(struct ws_drawable *d);

/* dri_image.c */
extern const __DRIimageExtension dri_image_extension;
/* Returns the __DRI_IMAGE_FORMAT_* value of a format, or __DRI_IMAGE_FORMAT_NONE if DRI has no
 * value for it. */
unsigned dri_image_format(enum drv_format format);
/* Returns the core image of a DRI image, created at the first call. The DRI image owns it. Returns
 * NULL if out of memory or if the core does not support the format or size. */
struct gl_shared_image *dri_image_gl(__DRIimage *image);

/* dri_config.c: returns a NULL-terminated list of all configurations. The loader frees the list and
 * each element with free(). Returns NULL if there is no memory for the list; elements for which
 * there is none are left out. */
const __DRIconfig **dri_configs_create(const struct indium_core *core);
/* Stores the value of an attribute (__DRI_ATTRIB_*) in *value and returns 1. Returns 0, with *value
 * undefined, if the attribute is unknown. */
int dri_config_attrib(const __DRIconfig *config, unsigned attrib, unsigned *value);
/* Stores the name (__DRI_ATTRIB_*) and the value of attribute number `index`, counted from 0.
 * Returns 1, or 0 if there are no more. */
int dri_config_index(const __DRIconfig *config, int index, unsigned *attrib, unsigned *value);

/* dri_dispatch.c: makes the calling thread's gl* calls go to our functions, or to no-ops if `ours`
 * is false, through the loader's libglapi. Does nothing if there is no libglapi. */
void dri_dispatch(bool ours);

/* dri_query.c: query extensions. */
extern const __DRI2rendererQueryExtension dri_renderer_extension;
extern const __DRI2configQueryExtension dri_config_query_extension;
extern const __DRIconfigOptionsExtension dri_options_extension;

#endif
