/* SPDX-License-Identifier: MIT */
/*
 * The driver module that Mesa's loaders open (GL/internal/dri_interface.h). A loader owns windows
 * and shows images; here are screens, configurations, contexts and drawables.
 */
#ifndef DRI_PRIVATE_H
#define DRI_PRIVATE_H

#include <GL/gl.h>
#include <GL/internal/dri_interface.h>

#include "target/common/tgt_surface.h"

struct __DRIconfigRec {
    struct tgt_config base;
};

struct __DRIscreenRec {
    const struct indium_core *core;
    int number;
    struct winsys *ws;
};

struct __DRIdrawableRec {
    __DRIscreen *screen;
    struct tgt_surface surface;
};

struct __DRIcontextRec {
    __DRIscreen *screen;
    struct gl_context *gl;
};

/* dri_winsys.c: a winsys whose drawables are the loader's, by the functions of its extension.
 * native of drawable_create is a struct dri_window, which may go when the call returns. */
struct dri_window {
    __DRIdrawable *drawable;
    void *loader_private;
};
struct winsys *dri_winsys_create(const __DRIswrastLoaderExtension *loader);

/* dri_config.c: a list that ends with NULL; list and configurations are the loader's, which frees
 * each. NULL: no memory. */
const __DRIconfig **dri_configs_create(const struct indium_core *core);
int dri_config_attrib(const __DRIconfig *config, unsigned attrib, unsigned *value);
int dri_config_index(const __DRIconfig *config, int index, unsigned *attrib, unsigned *value);

/* dri_dispatch.c: makes the loader's gl* functions ours for this thread, or nobody's. */
void dri_dispatch(bool ours);

#endif
