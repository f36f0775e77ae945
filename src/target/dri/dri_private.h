/* SPDX-License-Identifier: MIT */
/*
 * The driver modules that Mesa's loaders open (GL/internal/dri_interface.h). A loader owns windows
 * and shows images; here are screens, configurations, contexts, drawables and images.
 *
 * A screen is one of two kinds: without a device (DRI_SWRast), where the loader takes pixels, or of a
 * DRM device (DRI_DRI2, DRI_IMAGE_DRIVER), where it takes images in the device's dumb buffers.
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
    int fd; /* of the device, the loader's; -1: none */
    struct winsys *ws;
    bool shows_images;                       /* ws is one of images */
    const __DRIimageLookupExtension *lookup; /* NULL: none */
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
    struct tgt_picture picture; /* fourcc NULL: of a texture or renderbuffer */
    struct gl_shared_image *gl; /* NULL: not asked for yet */
    void *loader_private;
};

/* dri_winsys.c: a winsys whose drawables are the loader's, by the functions of its extension.
 * native of drawable_create is a struct dri_window, which may go when the call returns. */
struct dri_window {
    __DRIdrawable *drawable;
    void *loader_private;
    bool double_buffered;
};
struct winsys *dri_winsys_create(const __DRIswrastLoaderExtension *loader);
/* dri_image_winsys.c: the same for loaders that take images. tells: they say (invalidate) when a
 * frame begins or a window has another size; else they are asked all the time. */
struct winsys *dri_image_winsys_create(const __DRIimageLoaderExtension *loader, bool tells);
void dri_image_winsys_invalidate(struct ws_drawable *d);

/* dri_image.c */
extern const __DRIimageExtension dri_image_extension;
/* The interface's number of a format; __DRI_IMAGE_FORMAT_NONE: it has none. */
unsigned dri_image_format(enum drv_format format);
/* The core's image of it, which lives as long; NULL: no memory. */
struct gl_shared_image *dri_image_gl(__DRIimage *image);

/* dri_config.c: a list that ends with NULL; list and configurations are the loader's, which frees
 * each. NULL: no memory. */
const __DRIconfig **dri_configs_create(const struct indium_core *core);
int dri_config_attrib(const __DRIconfig *config, unsigned attrib, unsigned *value);
int dri_config_index(const __DRIconfig *config, int index, unsigned *attrib, unsigned *value);

/* dri_dispatch.c: makes the loader's gl* functions ours for this thread, or nobody's. */
void dri_dispatch(bool ours);

/* dri_query.c: extensions that answer questions. */
extern const __DRI2rendererQueryExtension dri_renderer_extension;
extern const __DRI2configQueryExtension dri_config_query_extension;
extern const __DRIconfigOptionsExtension dri_options_extension;

#endif
