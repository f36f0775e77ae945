/* SPDX-License-Identifier: MIT */
/*
 * Wayland windows, presented through wl_shm.
 *
 * The application owns the connection. All our events go to separate event queues, one per window,
 * so several threads may present windows and the application's listeners see none of our events. A
 * buffer (ws_buffer) consists of two to four shared images: one that is mapped, and those that the
 * compositor holds. present() attaches one and maps another one that the compositor has released.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "indium/winsys.h"
#include "util/macros.h"
#include "util/write_signals.h"
#include "winsys/common/ws_buffer.h"
#include "winsys/common/ws_socket.h"
#include "winsys/wayland/ws_wayland_client.h"

/* Redirects inline functions of the protocol headers to the pointers of ws_wayland_client.h. */
#define wl_proxy_marshal_flags (*ws_wl_proxy_marshal_flags)
#define wl_proxy_get_version   (*ws_wl_proxy_get_version)
#define wl_proxy_add_listener  (*ws_wl_proxy_add_listener)
#define wl_proxy_destroy       (*ws_wl_proxy_destroy)
#define wl_registry_interface  (*ws_wl_registry_interface)
#define wl_shm_interface       (*ws_wl_shm_interface)
#define wl_shm_pool_interface  (*ws_wl_shm_pool_interface)
#define wl_buffer_interface    (*ws_wl_buffer_interface)
#define wl_callback_interface  (*ws_wl_callback_interface)
#include <wayland-client-protocol.h>
#include <wayland-egl-backend.h>

/* wl_shm requires every compositor to support the first two formats. Formats with alpha follow
 * those without. */
static const struct ws_config all_configs[] = {
    {DRV_FORMAT_B8G8R8X8_UNORM, WL_SHM_FORMAT_XRGB8888, 24, .can_window = true},
    {DRV_FORMAT_B8G8R8A8_UNORM, WL_SHM_FORMAT_ARGB8888, 32, .can_window = true},
    {DRV_FORMAT_B10G10R10A2_UNORM, WL_SHM_FORMAT_XRGB2101010, 30, .can_window = true},
    {DRV_FORMAT_B10G10R10A2_UNORM, WL_SHM_FORMAT_ARGB2101010, 32, .can_window = true},
    {DRV_FORMAT_R10G10B10A2_UNORM, WL_SHM_FORMAT_XBGR2101010, 30, .can_window = true},
    {DRV_FORMAT_R10G10B10A2_UNORM, WL_SHM_FORMAT_ABGR2101010, 32, .can_window = true},
    {DRV_FORMAT_R16G16B16A16_FLOAT, WL_SHM_FORMAT_XBGR16161616F, 48, .can_window = true},
    {DRV_FORMAT_R16G16B16A16_FLOAT, WL_SHM_FORMAT_ABGR16161616F, 64, .can_window = true},
};
enum { REQUIRED_CONFIGS = 2 };

struct ws_wayland {
    struct winsys base;
    struct wl_display *display;
    struct ws_socket socket; /* socket of the display */
    bool owned;
    struct wl_event_queue *queue; /* for events of the registry and shm */
    struct wl_shm *shm;
    bool supported[ARRAY_SIZE(all_configs)]; /* formats that the compositor lists */
    struct ws_config configs[ARRAY_SIZE(all_configs)];
    unsigned n_configs;
};

struct wayland_window {
    struct ws_drawable base;
    struct wl_egl_window *native; /* NULL once destroyed */
    struct wl_event_queue *queue;
    struct wl_surface *surface; /* wrappers whose events go to the queue */
    struct wl_shm *shm;
    struct wl_callback *frame; /* NULL once the frame was shown */
    struct image *orphans;     /* images of destroyed buffers, still held by the compositor */
};

struct image {
    struct wl_buffer *buffer;
    uint8_t *map;
    size_t size;
    bool held; /* whether the compositor holds it */
    struct wayland_window *window;
    struct image *next; /* next in orphans */
};

/* The compositor may hold the only image until it gets another one. */
enum { MIN_IMAGES = 2, MAX_IMAGES = 4 };

struct wayland_buffer {
    struct ws_buffer base;
    struct wayland_window *window;
    /* MIN_IMAGES are created with the buffer, others on demand; NULL at the end */
    struct image *images[MAX_IMAGES];
    unsigned current; /* index of the mapped image */
};

/* ------------------------------------------------------------------------------- the winsys --- */

static void shm_format(void *data, struct wl_shm *shm, uint32_t format)
{
    struct ws_wayland *ws = data;

    for (unsigned i = 0; i < ARRAY_SIZE(all_configs); i++)
        ws->supported[i] |= all_configs[i].native_id == format;
}

static void list_configs(struct ws_wayland *ws)
{
    for (unsigned i = 0; i < ARRAY_SIZE(all_configs); i++) {
        if (i < REQUIRED_CONFIGS || ws->supported[i])
            ws->configs[ws->n_configs++] = all_configs[i];
    }
}

static void registry_global(void *data, struct wl_registry *registry, uint32_t name,
                            const char *interface, uint32_t version)
{
    struct ws_wayland *ws = data;

    if (strcmp(interface, "wl_shm") == 0 && !ws->shm)
        ws->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
}

static void registry_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

/* Returns false if the application has closed its connection; our objects were freed with it. */
static bool is_open(const struct winsys *ws)
{
    return ws_socket_is_open(&((const struct ws_wayland *)ws)->socket);
}

static void ws_destroy(struct winsys *base)
{
    struct ws_wayland *ws = (struct ws_wayland *)base;
    const bool open = is_open(base);

    if (open && ws->shm)
        wl_shm_destroy(ws->shm);
    if (open && ws->queue)
        ws_wl_event_queue_destroy(ws->queue);
    if (ws->owned)
        ws_wl_display_disconnect(ws->display);
    free(ws);
}

static const struct ws_config *get_configs(struct winsys *ws, unsigned *count)
{
    const struct ws_wayland *w = (const struct ws_wayland *)ws;

    *count = w->n_configs;
    return w->configs;
}

/* --------------------------------------------------------------------------------- buffers --- */

static void image_destroy(struct image *image)
{
    if (is_open(image->window->base.ws))
        wl_buffer_destroy(image->buffer);
    munmap(image->map, image->size);
    free(image);
}

static void image_released(void *data, struct wl_buffer *buffer)
{
    struct image *image = data;

    image->held = false;
    for (struct image **p = &image->window->orphans; *p; p = &(*p)->next) {
        if (*p == image) {
            *p = image->next;
            image_destroy(image);
            return;
        }
    }
}

static const struct wl_buffer_listener image_listener = {image_released};

static struct image *image_create(struct wayland_window *w, const struct ws_buffer *b)
{
    size_t size = (size_t)b->stride * b->height;
    int fd = size <= INT32_MAX ? memfd_create("indium", MFD_CLOEXEC) : -1;
    struct image *image = calloc(1, sizeof *image);
    struct wl_shm_pool *pool = NULL;

    if (fd >= 0 && image && util_set_file_size(fd, size)) {
        image->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (image->map != MAP_FAILED)
            pool = wl_shm_create_pool(w->shm, fd, size);
        if (image->map != MAP_FAILED && !pool)
            munmap(image->map, size);
    }
    if (fd >= 0)
        close(fd);
    if (!pool) {
        free(image);
        return NULL;
    }
    image->size = size;
    image->window = w;
    image->buffer = wl_shm_pool_create_buffer(pool, 0, b->width, b->height, b->stride,
                                              w->base.config.native_id);
    wl_shm_pool_destroy(pool);
    if (!image->buffer) {
        munmap(image->map, size);
        free(image);
        return NULL;
    }
    wl_buffer_add_listener(image->buffer, &image_listener, image);
    return image;
}

static void buffer_destroy(struct ws_buffer *base)
{
    struct wayland_buffer *b = (struct wayland_buffer *)base;

    if (!b)
        return;
    for (unsigned i = 0; i < MAX_IMAGES && b->images[i]; i++) {
        struct image *image = b->images[i];

        if (image->held) {
            image->next = b->window->orphans;
            b->window->orphans = image;
        } else {
            image_destroy(image);
        }
    }
    free(b);
}

static struct ws_buffer *buffer_create(struct winsys *ws, struct ws_drawable *d, int width,
                                       int height)
{
    struct wayland_buffer *b =
        is_open(ws) ? ws_buffer_new(sizeof *b, d, width, height, 65536, 64) : NULL;

    if (!b)
        return NULL;
    b->window = (struct wayland_window *)d;
    for (unsigned i = 0; i < MIN_IMAGES; i++) {
        b->images[i] = image_create(b->window, &b->base);
        if (!b->images[i]) {
            buffer_destroy(&b->base);
            return NULL;
        }
    }
    b->base.map = b->images[0]->map;
    return &b->base;
}

/* Maps an image that the compositor does not hold. Waits for one if all are held and no more can be
 * created. Returns false if the connection is lost. */
static bool next_image(struct wayland_buffer *b)
{
    struct ws_wayland *ws = (struct ws_wayland *)b->base.ws;

    if (ws_wl_display_dispatch_queue_pending(ws->display, b->window->queue) < 0)
        return false;
    for (;;) {
        for (unsigned i = 0; i < MAX_IMAGES; i++) {
            if (!b->images[i])
                b->images[i] = image_create(b->window, &b->base);
            if (!b->images[i])
                break;
            if (!b->images[i]->held) {
                b->current = i;
                b->base.map = b->images[i]->map;
                return true;
            }
        }
        if (ws_wl_display_dispatch_queue(ws->display, b->window->queue) < 0)
            return false;
    }
}

/* --------------------------------------------------------------------------------- windows --- */

/* Listener: the application destroyed its wl_egl_window. */
static void native_destroyed(void *data)
{
    ((struct wayland_window *)data)->native = NULL;
}

static void drawable_destroy(struct ws_drawable *d)
{
    struct wayland_window *w = (struct wayland_window *)d;

    if (w->native) {
        w->native->driver_private = NULL;
        w->native->destroy_window_callback = NULL;
    }
    while (w->orphans) {
        struct image *image = w->orphans;

        w->orphans = image->next;
        image_destroy(image);
    }
    if (!is_open(d->ws)) {
        free(w);
        return;
    }
    if (w->frame)
        wl_callback_destroy(w->frame);
    if (w->surface)
        ws_wl_proxy_wrapper_destroy(w->surface);
    if (w->shm)
        ws_wl_proxy_wrapper_destroy(w->shm);
    if (w->queue)
        ws_wl_event_queue_destroy(w->queue);
    free(w);
}

static bool drawable_update(struct ws_drawable *d)
{
    struct wayland_window *w = (struct wayland_window *)d;

    if (!w->native)
        return false;
    if (w->native->width > 0 && w->native->height > 0) {
        d->width = w->native->width;
        d->height = w->native->height;
    }
    return true;
}

static struct ws_drawable *drawable_create(struct winsys *base, uintptr_t native, bool is_pixmap,
                                           int width, int height)
{
    struct ws_wayland *ws = (struct ws_wayland *)base;
    struct wl_egl_window *window = (struct wl_egl_window *)native;
    struct wayland_window *w;

    if (!is_open(base) || is_pixmap || !window || window->version != WL_EGL_WINDOW_VERSION ||
        !window->surface || window->driver_private)
        return NULL;
    w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->base = (struct ws_drawable){.ws = base, .width = 1, .height = 1};
    w->native = window;
    w->queue = ws_wl_display_create_queue(ws->display);
    w->surface = ws_wl_proxy_create_wrapper(window->surface);
    w->shm = ws_wl_proxy_create_wrapper(ws->shm);
    if (!w->queue || !w->surface || !w->shm) {
        w->native = NULL;
        drawable_destroy(&w->base);
        return NULL;
    }
    ws_wl_proxy_set_queue((struct wl_proxy *)w->surface, w->queue);
    ws_wl_proxy_set_queue((struct wl_proxy *)w->shm, w->queue);
    window->driver_private = w;
    window->destroy_window_callback = native_destroyed;
    drawable_update(&w->base);
    return &w->base;
}

static void frame_shown(void *data, struct wl_callback *callback, uint32_t time)
{
    struct wayland_window *w = data;

    wl_callback_destroy(callback);
    w->frame = NULL;
}

static const struct wl_callback_listener frame_listener = {frame_shown};

static void damage(struct wayland_window *w, const struct ws_rect *rects, unsigned n_rects)
{
    if (n_rects == 0 || wl_surface_get_version(w->surface) < WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION)
        wl_surface_damage(w->surface, 0, 0, INT32_MAX, INT32_MAX);
    else
        for (unsigned i = 0; i < n_rects; i++)
            wl_surface_damage_buffer(w->surface, rects[i].x, rects[i].y, rects[i].width,
                                     rects[i].height);
}

static bool present(struct ws_drawable *d, struct ws_buffer *base, const struct ws_rect *rects,
                    unsigned n_rects, int interval)
{
    struct ws_wayland *ws = (struct ws_wayland *)d->ws;
    struct wayland_window *w = (struct wayland_window *)d;
    struct wayland_buffer *b = (struct wayland_buffer *)base;
    struct image *image = b->images[b->current];

    if (!is_open(d->ws))
        return false;
    /* wait until the compositor wants another frame */
    while (interval > 0 && w->frame) {
        if (ws_wl_display_dispatch_queue(ws->display, w->queue) < 0)
            return false;
    }
    if (!w->native || ws_wl_display_get_error(ws->display))
        return false;
    wl_surface_attach(w->surface, image->buffer, w->native->dx, w->native->dy);
    w->native->dx = w->native->dy = 0;
    w->native->attached_width = base->width;
    w->native->attached_height = base->height;
    damage(w, rects, n_rects);
    if (interval > 0) {
        w->frame = wl_surface_frame(w->surface);
        if (w->frame)
            wl_callback_add_listener(w->frame, &frame_listener, w);
    }
    wl_surface_commit(w->surface);
    image->held = true;
    ws_wl_display_flush(ws->display);
    return next_image(b);
}

static bool read_back(struct ws_drawable *d, struct ws_buffer *b)
{
    return false;
}

static const struct winsys_ops wayland_ops = {
    .name = "wayland",
    .destroy = ws_destroy,
    .get_configs = get_configs,
    .drawable_create = drawable_create,
    .drawable_destroy = drawable_destroy,
    .drawable_update = drawable_update,
    .buffer_create = buffer_create,
    .buffer_destroy = buffer_destroy,
    .present = present,
    .read_back = read_back,
};

struct winsys *ws_wayland_create(void *display)
{
    static const struct wl_registry_listener listener = {registry_global, registry_remove};
    static const struct wl_shm_listener shm_listener = {shm_format};
    struct ws_wayland *ws = ws_wayland_load() ? calloc(1, sizeof *ws) : NULL;
    struct wl_registry *registry = NULL;
    struct wl_display *wrapper = NULL;

    if (!ws)
        return NULL;
    ws->base.ops = &wayland_ops;
    ws->owned = display == NULL;
    ws->display = display ? display : ws_wl_display_connect(NULL);
    if (!ws->display) {
        free(ws);
        return NULL;
    }
    ws->socket = ws_socket_of(ws_wl_display_get_fd(ws->display));
    ws->queue = ws_wl_display_create_queue(ws->display);
    wrapper = ws->queue ? ws_wl_proxy_create_wrapper(ws->display) : NULL;
    if (wrapper) {
        ws_wl_proxy_set_queue((struct wl_proxy *)wrapper, ws->queue);
        registry = wl_display_get_registry(wrapper);
        ws_wl_proxy_wrapper_destroy(wrapper);
    }
    if (registry) {
        wl_registry_add_listener(registry, &listener, ws);
        ws_wl_display_roundtrip_queue(ws->display, ws->queue);
        wl_registry_destroy(registry);
    }
    if (ws->shm) {
        wl_shm_add_listener(ws->shm, &shm_listener, ws);
        ws_wl_display_roundtrip_queue(ws->display, ws->queue);
        list_configs(ws);
    }
    if (!ws->shm) {
        ws_destroy(&ws->base);
        return NULL;
    }
    return &ws->base;
}
