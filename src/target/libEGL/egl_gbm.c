/* SPDX-License-Identifier: MIT */
/*
 * GBM platform. Windows are surfaces of our libgbm, or of our backend of Mesa's. Frames are drawn
 * to their buffers, which the program displays. Other devices are rejected.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "target/libEGL/egl_private.h"
#include "target/libgbm/gbm_backend.h"
#include "target/libgbm/gbm_private.h"
#include "winsys/common/ws_buffer.h"

struct gbm_winsys {
    struct winsys base;
    const struct gbm_interface *gbm;
};

struct gbm_window {
    struct ws_window base;
    struct gbm_surface *surface;
};

static const struct ws_config configs[] = {
    {DRV_FORMAT_B8G8R8X8_UNORM, GBM_FORMAT_XRGB8888, 24, .can_window = true},
    {DRV_FORMAT_B8G8R8A8_UNORM, GBM_FORMAT_ARGB8888, 32, .can_window = true},
    {DRV_FORMAT_R8G8B8X8_UNORM, GBM_FORMAT_XBGR8888, 24, .can_window = true},
    {DRV_FORMAT_R8G8B8A8_UNORM, GBM_FORMAT_ABGR8888, 32, .can_window = true},
    {DRV_FORMAT_B10G10R10A2_UNORM, GBM_FORMAT_ARGB2101010, 32, .can_window = true},
    {DRV_FORMAT_R10G10B10A2_UNORM, GBM_FORMAT_ABGR2101010, 32, .can_window = true},
    {DRV_FORMAT_R16G16B16A16_FLOAT, GBM_FORMAT_ABGR16161616F, 64, .can_window = true},
    {DRV_FORMAT_B5G6R5_UNORM, GBM_FORMAT_RGB565, 16, .can_window = true},
};

static void destroy(struct winsys *ws)
{
    free(ws);
}

static const struct ws_config *get_configs(struct winsys *ws, unsigned *count)
{
    *count = ARRAY_SIZE(configs);
    return configs;
}

/* Makes the surface's next buffer the target of the next frame. */
static bool next_buffer(struct gbm_window *w)
{
    const struct gbm_interface *gbm = ((struct gbm_winsys *)w->base.base.ws)->gbm;
    uint32_t stride;
    struct ws_linear *memory = gbm->surface_next(w->surface, &stride);

    if (memory)
        ws_window_set_memory(&w->base, memory, stride, 0);
    return memory;
}

static struct ws_drawable *drawable_create(struct winsys *base, uintptr_t native, bool is_pixmap,
                                           int width, int height)
{
    const struct gbm_interface *gbm = ((struct gbm_winsys *)base)->gbm;
    struct gbm_window *w;
    uint32_t size[2], format;

    if (is_pixmap || !native)
        return NULL;
    w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->surface = (struct gbm_surface *)native;
    gbm->surface_size(w->surface, &size[0], &size[1], &format);
    w->base.base = (struct ws_drawable){.ws = base, .width = (int)size[0], .height = (int)size[1]};
    for (unsigned i = 0; i < ARRAY_SIZE(configs); i++) {
        if (configs[i].native_id == format)
            w->base.base.config = configs[i];
    }
    if (w->base.base.config.format == DRV_FORMAT_NONE) {
        free(w);
        return NULL;
    }
    gbm->surface_ref(w->surface);
    return &w->base.base;
}

static void drawable_destroy(struct ws_drawable *d)
{
    ((struct gbm_winsys *)d->ws)->gbm->surface_unref(((struct gbm_window *)d)->surface);
    ws_window_destroy(d);
}

static bool drawable_update(struct ws_drawable *d)
{
    return true;
}

static struct ws_buffer *buffer_create(struct winsys *ws, struct ws_drawable *d, int width,
                                       int height)
{
    return next_buffer((struct gbm_window *)d) ? ws_window_buffer(ws, d, width, height) : NULL;
}

static bool present(struct ws_drawable *d, struct ws_buffer *b, const struct ws_rect *rects,
                    unsigned n_rects, int interval)
{
    struct gbm_window *w = (struct gbm_window *)d;

    ((struct gbm_winsys *)d->ws)->gbm->surface_show(w->surface);
    return next_buffer(w);
}

static bool read_back(struct ws_drawable *d, struct ws_buffer *b)
{
    return false;
}

static const struct winsys_ops gbm_ops = {
    .name = "gbm",
    .destroy = destroy,
    .get_configs = get_configs,
    .drawable_create = drawable_create,
    .drawable_destroy = drawable_destroy,
    .drawable_update = drawable_update,
    .buffer_create = buffer_create,
    .buffer_destroy = ws_window_buffer_destroy,
    .present = present,
    .read_back = read_back,
};

/* Finds the library that made a device, from the device's first word. */
static bool maker_of(const void *device, Dl_info *info)
{
    const void *maker;

    memcpy(&maker, device, sizeof maker);
    return maker && dladdr(maker, info) && info->dli_sname && info->dli_saddr == maker &&
           strcmp(info->dli_sname, "gbm_create_device") == 0;
}

bool egl_gbm_is_device(const void *native)
{
    Dl_info info;

    return maker_of(native, &info);
}

/* Returns the interface with that name in a library, or NULL if it is not ours. */
static const struct gbm_interface *interface_of(const char *path, int flags, const char *name)
{
    void *library = dlopen(path, RTLD_LAZY | flags);
    const struct gbm_interface *gbm = library ? dlsym(library, name) : NULL;

    if (library)
        dlclose(library); /* other references keep it loaded */
    return gbm && gbm->version == GBM_INTERFACE_VERSION ? gbm : NULL;
}

/* Returns the interface of our backend if it made this device for the libgbm at `path`. */
static const struct gbm_interface *interface_of_backend(const char *path, const void *device)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    const char *(*name_of)(const void *) =
        library ? dlsym(library, "gbm_device_get_backend_name") : NULL;
    const char *name = name_of ? name_of(device) : NULL;
    const struct backend_device *d = device;
    Dl_info info;

    if (library)
        dlclose(library);
    if (!name || strcmp(name, GBM_BACKEND_NAME) != 0 || !dladdr((const void *)d->destroy, &info))
        return NULL;
    return interface_of(info.dli_fname, RTLD_NOLOAD, GBM_BACKEND_INTERFACE_NAME);
}

/* Returns whether the default display has a device. Drawing targets surfaces of devices that the
 * program creates itself. */
static bool device_opens(void)
{
    int fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

struct winsys *egl_gbm_open(const void *device)
{
    const struct gbm_interface *gbm = NULL;
    struct gbm_winsys *ws;
    Dl_info info;

    if (!device)
        gbm = device_opens() ? interface_of("libgbm.so.1", 0, GBM_INTERFACE_NAME) : NULL;
    else if (maker_of(device, &info))
        gbm = interface_of(info.dli_fname, RTLD_NOLOAD, GBM_INTERFACE_NAME);
    if (device && !gbm && maker_of(device, &info))
        gbm = interface_of_backend(info.dli_fname, device);
    ws = gbm ? calloc(1, sizeof *ws) : NULL;
    if (!ws)
        return NULL;
    ws->base.ops = &gbm_ops;
    ws->gbm = gbm;
    return &ws->base;
}
