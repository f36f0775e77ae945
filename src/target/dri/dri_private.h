/* SPDX-License-Identifier: MIT */
/*
 * Driver module for Mesa's loaders (GL/internal/dri_interface.h). The loader owns windows and
 * presents images; this module implements screens, configurations, contexts, drawables and images.
 *
 * A screen has no device (DRI_SWRast; the loader takes pixels) or has a DRM device (DRI_DRI2,
 * DRI_IMAGE_DRIVER; the loader takes images in dumb buffers of the device).
 */
#ifndef DRI_PRIVATE_H
#define DRI_PRIVATE_H

#include <GL/gl.h>
#include <GL/internal/dri_interface.h>

#include "target/common/tgt_memory.h"
#include "target/common/tgt_surface.h"

struct __DRIconfigRec {
    struct tgt_config base;
};

struct __DRIscreenRec {
    const struct indium_core *core;
    int number;
    int fd; /* DRM device, owned by the loader; -1: none */
    struct winsys *ws;
    bool shows_images;                       /* ws presents images */
    const __DRIimageLookupExtension *lookup; /* may be NULL */
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

struct __DRIimageRec {
    int refs;
    __DRIscreen *screen;
    struct tgt_picture picture; /* fourcc is NULL for images of a texture or renderbuffer */
    struct gl_shared_image *gl; /* created on demand */
    void *loader_private;
};

/* dri_copy_winsys.c: winsys for the windows of a loader that takes pixels. `native` of
 * drawable_create points to a struct dri_window, which it copies. */
struct dri_window {
    __DRIdrawable *drawable;
    void *loader_private;
    bool double_buffered;
};
struct winsys *dri_copy_winsys_create(const __DRIswrastLoaderExtension *loader);
/* dri_image_winsys.c: winsys for loaders that take images. If loader_invalidates, the loader calls
 * `invalidate` when a frame begins or a window is resized; otherwise the image is requested for
 * each frame. */
struct winsys *dri_image_winsys_create(const __DRIimageLoaderExtension *loader,
                                       bool loader_invalidates);
void dri_image_winsys_invalidate(struct ws_drawable *d);

/* dri_image.c */
extern const __DRIimageExtension dri_image_extension;
/* Returns the interface's number of a format, or __DRI_IMAGE_FORMAT_NONE. */
unsigned dri_image_format(enum drv_format format);
/* Returns the core image of a DRI image, which owns it; NULL if memory runs out. */
struct gl_shared_image *dri_image_gl(__DRIimage *image);

/* dri_config.c: returns a NULL-terminated list of configurations. The loader frees the list and
 * each element. NULL if memory runs out. */
const __DRIconfig **dri_configs_create(const struct indium_core *core);
int dri_config_attrib(const __DRIconfig *config, unsigned attrib, unsigned *value);
int dri_config_index(const __DRIconfig *config, int index, unsigned *attrib, unsigned *value);

/* dri_dispatch.c: installs our gl* functions for the calling thread in the loader's dispatch, or
 * none. */
void dri_dispatch(bool ours);

/* dri_query.c: query extensions. */
extern const __DRI2rendererQueryExtension dri_renderer_extension;
extern const __DRI2configQueryExtension dri_config_query_extension;
extern const __DRIconfigOptionsExtension dri_options_extension;

#endif
