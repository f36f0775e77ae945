/* SPDX-License-Identifier: MIT */
/* Windows, pixmaps and pbuffers: creation, queries, swapping, texturing from pixmaps. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "target/libGL/glx_private.h"
#include "winsys/x11/ws_x11_xcb.h"

#include "util/check.h"
#include "util/fork_lock.h"

/* Protects glx_drawable.image. Precedes the core's locks, because an image must not be destroyed
 * while it is bound. */
static pthread_mutex_t image_lock = PTHREAD_MUTEX_INITIALIZER;

/* Makes the lock free in the child of a fork. A drawable's image is set once it is complete. */
static void free_image_lock(void)
{
    util_fork_free_lock(&image_lock);
}

UTIL_AFTER_FORK(free_image_lock);

static struct glx_drawable *find_locked(struct glx_display *display, GLXDrawable id)
{
    list_for_each_entry (struct glx_drawable, d, &display->drawables, object.link) {
        if (d->id == id)
            return d;
    }
    return NULL;
}

static struct glx_drawable *find_ref(struct glx_display *display, GLXDrawable id)
{
    struct glx_drawable *d;

    pthread_mutex_lock(&glx_lock);
    d = id ? find_locked(display, id) : NULL;
    if (d)
        d->object.refs++;
    pthread_mutex_unlock(&glx_lock);
    return d;
}

static void drawable_destroy(void *object)
{
    struct glx_drawable *d = object;

    tgt_surface_finish(&d->surface);
    free(d);
}

static const struct tgt_object_kind drawable_kind = {&glx_lock, drawable_destroy};

void glx_drawable_unref(struct glx_drawable *d)
{
    tgt_object_unref(&drawable_kind, d);
}

/* Invalidates the id and destroys the image, which refers to the drawable. No new image is created
 * afterward. */
static void drawable_forget(struct glx_drawable *d)
{
    struct gl_shared_image *image;

    pthread_mutex_lock(&image_lock);
    image = d->image;
    d->image = NULL;
    tgt_object_forget(&drawable_kind, d);
    pthread_mutex_unlock(&image_lock);
    if (image)
        indium_core_interface()->image_destroy(image);
}

/* Detaches drawables from their windows; those still current to other threads keep their memory. */
void glx_drawables_close(struct glx_display *display)
{
    while (!list_is_empty(&display->drawables)) {
        struct glx_drawable *d =
            list_first_entry(&display->drawables, struct glx_drawable, object.link);

        if (d->object.refs > 1) { /* in use by a thread or a texture */
            tgt_surface_detach(&d->surface);
            d->config = NULL;
        }
        drawable_forget(d);
    }
}

static void destroy_native(struct ws_drawable *native)
{
    if (native)
        native->ws->ops->drawable_destroy(native);
}

/* Creates a drawable and takes ownership of native. Returns it with two references, the list's and
 * the caller's, because another thread may destroy it at once. id None: allocate an id; otherwise
 * wrap the plain window with this id. */
static struct glx_drawable *drawable_create(struct glx_display *display,
                                            struct __GLXFBConfigRec *config,
                                            enum tgt_surface_kind kind, struct ws_drawable *native,
                                            XID native_id, GLXDrawable id, int width, int height)
{
    const struct ws_xcb_api *xcb = ws_xcb_load();
    struct glx_drawable *d = calloc(1, sizeof *d);

    if (!d || !xcb) {
        destroy_native(native);
        free(d);
        return NULL;
    }
    if (!tgt_surface_init(&d->surface, display->core, kind, &config->base.gl, native, width,
                          height)) {
        free(d);
        return NULL;
    }
    d->display = display;
    d->config = config;
    d->native = native_id;
    d->implicit = id != None;
    d->id = id ? id : xcb->generate_id(xcb->get_xcb_connection(display->dpy));
    d->texture_format = GLX_TEXTURE_FORMAT_NONE_EXT;
    d->texture_target = GLX_TEXTURE_2D_EXT;
    tgt_object_list(&drawable_kind, &display->drawables, d, 2);
    return d;
}

/* Drops the caller's reference to a new drawable (may be NULL) and returns its id. */
static GLXDrawable drawable_name(struct glx_drawable *d)
{
    GLXDrawable id = d ? d->id : None;

    glx_drawable_unref(d);
    return id;
}

/* Forgets wrapped windows that were destroyed. It queries each from X, but only runs when another
 * window is wrapped. */
static void sweep_windows(struct glx_display *display)
{
    enum { BATCH = 64 };
    struct glx_drawable *idle[BATCH];
    unsigned n = 0;

    pthread_mutex_lock(&glx_lock);
    list_for_each_entry (struct glx_drawable, d, &display->drawables, object.link) {
        if (d->implicit && d->object.refs == 1 && n < BATCH) {
            d->object.refs++;
            NEXT_OF(idle, n) = d;
        }
    }
    pthread_mutex_unlock(&glx_lock);
    for (unsigned i = 0; i < n; i++) {
        if (!tgt_surface_update(&idle[i]->surface))
            drawable_forget(idle[i]);
        glx_drawable_unref(idle[i]);
    }
}

/* Opens the winsys drawable of a plain window or pixmap on any screen. On failure returns NULL;
 * *error becomes BadAlloc, or is unchanged if there is no such window or pixmap. */
static struct ws_drawable *open_native(struct glx_display *display, XID id, bool is_pixmap,
                                       struct glx_screen **screen, int *error)
{
    for (int i = 0; i < display->n_screens; i++) {
        struct winsys *ws = display->screens[i].ws;
        bool no_memory = false;
        struct ws_drawable *native = ws ? tgt_native_open(ws, id, is_pixmap, &no_memory) : NULL;

        if (native) {
            *screen = &display->screens[i];
            return native;
        }
        if (no_memory)
            *error = BadAlloc;
    }
    return NULL;
}

static struct glx_drawable *wrap_window(struct glx_display *display, Window window, GLXContext ctx,
                                        int *error)
{
    struct __GLXFBConfigRec *config = ctx ? ctx->config : NULL;
    struct glx_screen *screen = NULL;
    struct ws_drawable *native;
    struct glx_visual *visual;
    struct glx_drawable *d;

    *error = GLX_ERROR(GLXBadDrawable);
    native = open_native(display, window, false, &screen, error);
    visual = native ? glx_visual_find(screen, native->config.native_id) : NULL;
    if (!visual) {
        if (native)
            *error = BadMatch;
        destroy_native(native);
        return NULL;
    }
    if (!config)
        config = glx_visual_config(visual);
    if (config->base.native.format != native->config.format || config->screen != screen) {
        destroy_native(native);
        *error = BadMatch;
        return NULL;
    }
    sweep_windows(display);
    d = drawable_create(display, config, TGT_WINDOW, native, window, window, 0, 0);
    *error = BadAlloc;
    return d;
}

struct glx_drawable *glx_drawable_get(struct glx_display *display, GLXDrawable id, GLXContext ctx,
                                      int *error)
{
    struct glx_drawable *d = find_ref(display, id);

    *error = GLX_ERROR(GLXBadDrawable);
    if (d && d->implicit) {
        bool stale = !tgt_surface_update(&d->surface);
        /* a window that was only queried takes the configuration of its first context */
        bool other = ctx && ctx->config && !__atomic_load_n(&d->bound, __ATOMIC_RELAXED) &&
                     d->config != ctx->config;

        if (stale || other) {
            drawable_forget(d);
            glx_drawable_unref(d);
            d = NULL;
        }
    } else if (d && d->surface.kind == TGT_WINDOW && !tgt_surface_update(&d->surface)) {
        *error = GLX_ERROR(GLXBadWindow);
        glx_drawable_unref(d);
        return NULL;
    }
    if (!d && id)
        d = wrap_window(display, id, ctx, error);
    return d;
}

/* Returns whether another GLX window, created before d, has the same window (GLX 1.4 §3.3.4).
 * Decided in the list, because threads may create GLX windows for a window at once. */
static bool is_second(struct glx_display *display, const struct glx_drawable *d)
{
    const struct glx_drawable *first = NULL;

    pthread_mutex_lock(&glx_lock);
    list_for_each_entry (struct glx_drawable, other, &display->drawables, object.link) {
        if (!first && !other->implicit && other->surface.kind == TGT_WINDOW &&
            other->native == d->native)
            first = other;
    }
    pthread_mutex_unlock(&glx_lock);
    return first && first != d;
}

GLX_EXPORT GLXWindow glXCreateWindow(Display *dpy, GLXFBConfig config, Window window,
                                     const int *attribs)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_screen *screen = NULL;
    struct ws_drawable *native;
    struct glx_drawable *d;
    int error = BadWindow;

    if (!display)
        return None;
    if (!glx_config_valid(dpy, config)) {
        glx_error(dpy, GLX_ERROR(GLXBadFBConfig), 0, X_GLXCreateWindow);
        return None;
    }
    native = open_native(display, window, false, &screen, &error);
    if (!native) {
        glx_error(dpy, error, window, X_GLXCreateWindow);
        return None;
    }
    if (native->config.format != config->base.native.format || screen != config->screen) {
        destroy_native(native);
        glx_error(dpy, BadMatch, window, X_GLXCreateWindow);
        return None;
    }
    d = drawable_create(display, config, TGT_WINDOW, native, window, None, 0, 0);
    if (d && is_second(display, d)) {
        drawable_forget(d);
        glx_drawable_unref(d);
        d = NULL;
    }
    if (!d)
        glx_error(dpy, BadAlloc, window, X_GLXCreateWindow);
    return drawable_name(d);
}

/* Destroys the drawable of one kind with that id. */
static void destroy_named(Display *dpy, GLXDrawable id, enum tgt_surface_kind kind, int code,
                          int minor)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d = display ? find_ref(display, id) : NULL;

    if (!display)
        return;
    if (!d || d->surface.kind != kind || d->implicit) {
        glx_error(dpy, code, id, minor);
    } else {
        /* the GLX window of a destroyed X window is destroyed too */
        if (kind == TGT_WINDOW && !tgt_surface_update(&d->surface))
            glx_error(dpy, code, id, minor);
        drawable_forget(d);
    }
    glx_drawable_unref(d);
}

GLX_EXPORT void glXDestroyWindow(Display *dpy, GLXWindow window)
{
    destroy_named(dpy, window, TGT_WINDOW, GLX_ERROR(GLXBadWindow), X_GLXDestroyWindow);
}

/* Parses an attribute list. Returns 0 or the error code. */
static int parse_pixmap_attribs(struct glx_drawable *d, const int *attribs)
{
    int value;

    for (; attribs && *attribs != None; attribs += 2) {
        switch (attribs[0]) {
        case GLX_TEXTURE_FORMAT_EXT:
            if (attribs[1] < GLX_TEXTURE_FORMAT_NONE_EXT ||
                attribs[1] > GLX_TEXTURE_FORMAT_RGBA_EXT)
                return BadValue;
            d->texture_format = attribs[1];
            break;
        case GLX_TEXTURE_TARGET_EXT:
            if (attribs[1] == GLX_TEXTURE_1D_EXT)
                return GLX_ERROR(GLXBadFBConfig);
            if (attribs[1] != GLX_TEXTURE_2D_EXT && attribs[1] != GLX_TEXTURE_RECTANGLE_EXT)
                return BadValue;
            d->texture_target = attribs[1];
            break;
        case GLX_MIPMAP_TEXTURE_EXT:
            if (attribs[1])
                return GLX_ERROR(GLXBadFBConfig);
            break;
        default:
            return BadValue;
        }
    }
    glx_config_attrib(d->config, GLX_BIND_TO_TEXTURE_RGBA_EXT, &value);
    if (d->texture_format == GLX_TEXTURE_FORMAT_RGBA_EXT && !value)
        return GLX_ERROR(GLXBadFBConfig);
    return 0;
}

/* Returns whether a pixmap can belong to the configuration: it has the depth of its visual or, in
 * glXCreatePixmap(), the depth GLX_BUFFER_SIZE and the same color format. */
static bool pixmap_matches(GLXFBConfig config, const struct ws_drawable *native, int minor)
{
    int bits = 0;

    glx_config_attrib(config, GLX_BUFFER_SIZE, &bits);
    return native->config.depth == config->base.native.depth ||
           (minor == X_GLXCreatePixmap && native->config.depth == bits &&
            native->config.format == config->base.gl.color);
}

static GLXPixmap create_pixmap(Display *dpy, GLXFBConfig config, Pixmap pixmap, const int *attribs,
                               int minor)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_screen *screen = NULL;
    int error = BadPixmap;
    struct ws_drawable *native = open_native(display, pixmap, true, &screen, &error);
    struct glx_drawable *d;

    if (!native) {
        glx_error(dpy, error, pixmap, minor);
        return None;
    }
    if (screen != config->screen || !pixmap_matches(config, native, minor)) {
        destroy_native(native);
        glx_error(dpy, BadMatch, pixmap, minor);
        return None;
    }
    d = drawable_create(display, config, TGT_PIXMAP, native, pixmap, None, 0, 0);
    if (!d) {
        glx_error(dpy, BadAlloc, pixmap, minor);
        return None;
    }
    error = parse_pixmap_attribs(d, attribs);
    if (error) {
        drawable_forget(d);
        glx_drawable_unref(d);
        glx_error(dpy, error, pixmap, minor);
        return None;
    }
    return drawable_name(d);
}

/* Returns whether the application's pointer is a configuration of the display that pixmaps can
 * have. */
static bool pixmap_config_valid(Display *dpy, GLXFBConfig config)
{
    int types = 0;

    if (glx_config_valid(dpy, config))
        glx_config_attrib(config, GLX_DRAWABLE_TYPE, &types);
    return types & GLX_PIXMAP_BIT;
}

GLX_EXPORT GLXPixmap glXCreatePixmap(Display *dpy, GLXFBConfig config, Pixmap pixmap,
                                     const int *attribs)
{
    if (!glx_display_get(dpy))
        return None;
    if (!pixmap_config_valid(dpy, config)) {
        glx_error(dpy, GLX_ERROR(GLXBadFBConfig), 0, X_GLXCreatePixmap);
        return None;
    }
    return create_pixmap(dpy, config, pixmap, attribs, X_GLXCreatePixmap);
}

GLX_EXPORT void glXDestroyPixmap(Display *dpy, GLXPixmap pixmap)
{
    destroy_named(dpy, pixmap, TGT_PIXMAP, GLX_ERROR(GLXBadPixmap), X_GLXDestroyPixmap);
}

GLX_EXPORT GLXPixmap glXCreateGLXPixmap(Display *dpy, XVisualInfo *info, Pixmap pixmap)
{
    struct glx_screen *screen = info ? glx_screen_get(dpy, info->screen) : NULL;
    struct glx_visual *visual = screen ? glx_visual_find(screen, info->visualid) : NULL;

    if (!visual) {
        glx_error(dpy, BadValue, info ? info->visualid : 0, X_GLXCreateGLXPixmap);
        return None;
    }
    return create_pixmap(dpy, glx_visual_config(visual), pixmap, NULL, X_GLXCreateGLXPixmap);
}

GLX_EXPORT GLXPixmap glXCreateGLXPixmapWithConfigSGIX(Display *dpy, GLXFBConfigSGIX config,
                                                      Pixmap pixmap)
{
    return glXCreatePixmap(dpy, config, pixmap, NULL);
}

GLX_EXPORT void glXDestroyGLXPixmap(Display *dpy, GLXPixmap pixmap)
{
    destroy_named(dpy, pixmap, TGT_PIXMAP, GLX_ERROR(GLXBadPixmap), X_GLXDestroyGLXPixmap);
}

static GLXPbuffer create_pbuffer(Display *dpy, GLXFBConfig config, int width, int height,
                                 bool largest, bool preserved)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d;

    if (!display)
        return None;
    if (!glx_config_valid(dpy, config)) {
        glx_error(dpy, GLX_ERROR(GLXBadFBConfig), 0, X_GLXCreatePbuffer);
        return None;
    }
    if (width < 0 || height < 0) {
        glx_error(dpy, BadValue, width < 0 ? width : height, X_GLXCreatePbuffer);
        return None;
    }
    const int most = display->core->max_drawable_size();
    if (largest) {
        width = MIN2(width, most);
        height = MIN2(height, most);
    }
    d = width <= most && height <= most
            ? drawable_create(display, config, TGT_PBUFFER, NULL, None, None, width, height)
            : NULL;
    if (!d) {
        glx_error(dpy, BadAlloc, 0, X_GLXCreatePbuffer);
        return None;
    }
    d->largest = largest;
    d->preserved = preserved;
    return drawable_name(d);
}

GLX_EXPORT GLXPbuffer glXCreatePbuffer(Display *dpy, GLXFBConfig config, const int *attribs)
{
    int width = 0, height = 0;
    bool largest = false, preserved = true;

    for (; attribs && *attribs != None; attribs += 2) {
        switch (attribs[0]) {
        case GLX_PBUFFER_WIDTH:
            width = attribs[1];
            break;
        case GLX_PBUFFER_HEIGHT:
            height = attribs[1];
            break;
        case GLX_LARGEST_PBUFFER:
            largest = attribs[1];
            break;
        case GLX_PRESERVED_CONTENTS:
            preserved = attribs[1];
            break;
        default:
            glx_error(dpy, BadValue, attribs[0], X_GLXCreatePbuffer);
            return None;
        }
    }
    return create_pbuffer(dpy, config, width, height, largest, preserved);
}

GLX_EXPORT GLXPbufferSGIX glXCreateGLXPbufferSGIX(Display *dpy, GLXFBConfigSGIX config,
                                                  unsigned width, unsigned height, int *attribs)
{
    bool largest = false, preserved = true;

    for (; attribs && *attribs != None; attribs += 2) {
        if (attribs[0] == GLX_LARGEST_PBUFFER_SGIX)
            largest = attribs[1];
        else if (attribs[0] == GLX_PRESERVED_CONTENTS_SGIX)
            preserved = attribs[1];
    }
    return create_pbuffer(dpy, config, MIN2(width, INT_MAX), MIN2(height, INT_MAX), largest,
                          preserved);
}

GLX_EXPORT void glXDestroyPbuffer(Display *dpy, GLXPbuffer pbuffer)
{
    destroy_named(dpy, pbuffer, TGT_PBUFFER, GLX_ERROR(GLXBadPbuffer), X_GLXDestroyPbuffer);
}

GLX_EXPORT void glXDestroyGLXPbufferSGIX(Display *dpy, GLXPbufferSGIX pbuffer)
{
    glXDestroyPbuffer(dpy, pbuffer);
}

GLX_EXPORT void glXQueryDrawable(Display *dpy, GLXDrawable id, int attribute, unsigned *value)
{
    static const unsigned types[] = {GLX_WINDOW_BIT, GLX_PIXMAP_BIT, GLX_PBUFFER_BIT};
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d;
    unsigned result = 0;
    int width, height, error;

    if (!display)
        return;
    d = glx_drawable_get(display, id, NULL, &error);
    if (!d) {
        glx_error(dpy, GLX_ERROR(GLXBadDrawable), id, X_GLXGetDrawableAttributes);
        return;
    }
    error = 0;
    switch (attribute) {
    case GLX_WIDTH:
    case GLX_HEIGHT:
        tgt_surface_update(&d->surface);
        tgt_surface_size(&d->surface, &width, &height);
        result = attribute == GLX_WIDTH ? width : height;
        break;
    case GLX_PRESERVED_CONTENTS:
        result = d->preserved;
        break;
    case GLX_LARGEST_PBUFFER:
        result = d->largest;
        break;
    case GLX_FBCONFIG_ID:
        result = d->config->base.id;
        break;
    case GLX_TEXTURE_FORMAT_EXT:
        result = d->texture_format;
        break;
    case GLX_TEXTURE_TARGET_EXT:
        result = d->texture_target;
        break;
    case GLX_MIPMAP_TEXTURE_EXT:
        break;
    case GLX_Y_INVERTED_EXT:
        result = True;
        break;
    case GLX_SWAP_INTERVAL_EXT:
        result = abs(__atomic_load_n(&d->surface.swap_interval, __ATOMIC_RELAXED));
        break;
    case GLX_LATE_SWAPS_TEAR_EXT:
        result = __atomic_load_n(&d->surface.swap_interval, __ATOMIC_RELAXED) < 0;
        break;
    case GLX_MAX_SWAP_INTERVAL_EXT:
        result = INT_MAX;
        break;
    case GLX_BACK_BUFFER_AGE_EXT:
        /* GLX_EXT_buffer_age: must be bound to the current context */
        if (glx_thread_get()->draw != d && glx_thread_get()->read != d)
            error = GLX_ERROR(GLXBadDrawable);
        else if (d->surface.kind == TGT_WINDOW)
            result = display->core->drawable_age(d->surface.gl);
        break;
    case GLX_EVENT_MASK:
        result = __atomic_load_n(&d->event_mask, __ATOMIC_RELAXED);
        break;
    case GLX_DRAWABLE_TYPE:
        result = types[d->surface.kind];
        break;
    case GLX_SCREEN:
        result = d->config->screen->number;
        break;
    default:
        error = BadValue;
    }
    glx_drawable_unref(d);
    if (error)
        glx_error(dpy, error, error == BadValue ? (XID)attribute : id, X_GLXGetDrawableAttributes);
    else if (value)
        *value = result;
}

GLX_EXPORT void glXQueryGLXPbufferSGIX(Display *dpy, GLXPbufferSGIX pbuffer, int attribute,
                                       unsigned *value)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d = display ? find_ref(display, pbuffer) : NULL;
    const bool valid = d && d->surface.kind == TGT_PBUFFER;

    glx_drawable_unref(d);
    if (valid)
        glXQueryDrawable(dpy, pbuffer, attribute, value);
    else
        glx_error(dpy, GLX_ERROR(GLXBadPbuffer), pbuffer, X_GLXVendorPrivateWithReply);
}

/* Returns a reference to the drawable for an event mask call; raises the error and returns NULL on
 * failure. */
static struct glx_drawable *get_event_drawable(Display *dpy, GLXDrawable id, int minor)
{
    struct glx_display *display = glx_display_get(dpy);
    int error;
    struct glx_drawable *d = display ? glx_drawable_get(display, id, NULL, &error) : NULL;

    if (d && d->surface.kind != TGT_PIXMAP)
        return d;
    if (display)
        glx_error(dpy, GLX_ERROR(GLXBadDrawable), id, minor);
    glx_drawable_unref(d);
    return NULL;
}

GLX_EXPORT void glXSelectEvent(Display *dpy, GLXDrawable id, unsigned long mask)
{
    struct glx_drawable *d = get_event_drawable(dpy, id, X_GLXChangeDrawableAttributes);

    if (d)
        __atomic_store_n(&d->event_mask,
                         mask & (GLX_PBUFFER_CLOBBER_MASK | GLX_BUFFER_SWAP_COMPLETE_INTEL_MASK),
                         __ATOMIC_RELAXED);
    glx_drawable_unref(d);
}

GLX_EXPORT void glXGetSelectedEvent(Display *dpy, GLXDrawable id, unsigned long *mask)
{
    struct glx_drawable *d = get_event_drawable(dpy, id, X_GLXGetDrawableAttributes);

    if (d && mask)
        *mask = __atomic_load_n(&d->event_mask, __ATOMIC_RELAXED);
    glx_drawable_unref(d);
}

GLX_EXPORT void glXSelectEventSGIX(Display *dpy, GLXDrawable id, unsigned long mask)
{
    glXSelectEvent(dpy, id, mask);
}

GLX_EXPORT void glXGetSelectedEventSGIX(Display *dpy, GLXDrawable id, unsigned long *mask)
{
    glXGetSelectedEvent(dpy, id, mask);
}

struct glx_drawable *glx_drawable_get_shown(Display *dpy, GLXDrawable id, int minor)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d = display ? find_ref(display, id) : NULL;
    int error;

    if (!display || d)
        return d;
    d = glx_drawable_get(display, id, NULL, &error);
    if (!d)
        glx_error(dpy, error, id, minor);
    return d;
}

GLX_EXPORT void glXSwapBuffers(Display *dpy, GLXDrawable id)
{
    struct glx_drawable *d = glx_drawable_get_shown(dpy, id, X_GLXSwapBuffers);

    if (d)
        glx_swap(dpy, d);
    glx_drawable_unref(d);
}

GLX_EXPORT void glXCopySubBufferMESA(Display *dpy, GLXDrawable id, int x, int y, int width,
                                     int height)
{
    struct glx_drawable *d = glx_drawable_get_shown(dpy, id, X_GLXVendorPrivate);

    if (!d)
        return;
    if (d->surface.kind == TGT_WINDOW && d->surface.visual.double_buffered && width > 0 &&
        height > 0) {
        /* GLX_MESA_copy_sub_buffer has its origin at the bottom */
        struct ws_rect r = {MAX2(x, 0), 0, 0, 0};
        int most_x, most_y;

        tgt_surface_size(&d->surface, &most_x, &most_y);
        r.y = CLAMP((long)most_y - y - height, 0, most_y);
        r.width = CLAMP((long)x + width, 0, most_x) - r.x;
        r.height = CLAMP((long)most_y - y, 0, most_y) - r.y;
        if (r.width > 0 && r.height > 0)
            tgt_surface_copy_back(&d->surface, &r);
    }
    glx_drawable_unref(d);
}

static void release_drawable(void *owner)
{
    glx_drawable_unref(owner);
}

/* Ensures that the drawable has an image. Requires image_lock. Returns false if out of memory, the
 * pixmap is destroyed, or another thread has destroyed the drawable. */
static bool create_image(struct glx_drawable *d)
{
    bool listed;

    if (d->image)
        return true;
    pthread_mutex_lock(&glx_lock);
    listed = !list_is_empty(&d->object.link);
    if (listed)
        d->object.refs++; /* the image's reference */
    pthread_mutex_unlock(&glx_lock);
    if (!listed)
        return false;
    d->image = tgt_surface_image(&d->surface, release_drawable, d);
    if (!d->image)
        glx_drawable_unref(d);
    return d->image;
}

/* Makes the pixmap an image of the texture that is bound to the drawable's texture target. Returns
 * 0 or the error code. */
static int bind_pixmap(struct glx_drawable *d)
{
    const unsigned target =
        d->texture_target == GLX_TEXTURE_2D_EXT ? GL_TEXTURE_2D : GL_TEXTURE_RECTANGLE;
    const bool with_alpha = d->texture_format == GLX_TEXTURE_FORMAT_RGBA_EXT;
    int error = 0;

    pthread_mutex_lock(&image_lock);
    if (!create_image(d))
        error = BadAlloc;
    else if (!d->display->core->image_bind(d->image, target, with_alpha))
        error = BadMatch; /* the context lacks the target */
    pthread_mutex_unlock(&image_lock);
    return error;
}

GLX_EXPORT void glXBindTexImageEXT(Display *dpy, GLXDrawable id, int buffer, const int *attribs)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d = display ? find_ref(display, id) : NULL;
    int error = 0;

    if (!display)
        return;
    if (!d || d->surface.kind != TGT_PIXMAP)
        error = GLX_ERROR(GLXBadPixmap);
    else if (buffer != GLX_FRONT_LEFT_EXT)
        error = BadValue;
    else if (d->texture_format == GLX_TEXTURE_FORMAT_NONE_EXT)
        error = BadMatch;
    if (!error && display->core->get_current()) {
        display->core->flush(false); /* may have drawn to the pixmap */
        error = bind_pixmap(d);
    }
    glx_drawable_unref(d);
    if (error)
        glx_error(dpy, error, id, X_GLXVendorPrivate);
}

/* The texture shows the pixmap until it gets another image. */
GLX_EXPORT void glXReleaseTexImageEXT(Display *dpy, GLXDrawable id, int buffer)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d = display ? find_ref(display, id) : NULL;

    if (!display)
        return;
    if (!d || d->surface.kind != TGT_PIXMAP)
        glx_error(dpy, GLX_ERROR(GLXBadPixmap), id, X_GLXVendorPrivate);
    else if (buffer != GLX_FRONT_LEFT_EXT)
        glx_error(dpy, BadValue, buffer, X_GLXVendorPrivate);
    else if (d->texture_format == GLX_TEXTURE_FORMAT_NONE_EXT)
        glx_error(dpy, BadMatch, id, X_GLXVendorPrivate);
    glx_drawable_unref(d);
}

/* Sets the swap interval of a drawable. Returns false if d is NULL. */
static bool set_interval(struct glx_drawable *d, int interval)
{
    if (!d)
        return false;
    __atomic_store_n(&d->surface.swap_interval, interval, __ATOMIC_RELAXED);
    return true;
}

GLX_EXPORT void glXSwapIntervalEXT(Display *dpy, GLXDrawable id, int interval)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_drawable *d;
    int error;

    if (!display)
        return;
    d = glx_drawable_get(display, id, NULL, &error);
    if (!d)
        glx_error(dpy, BadWindow, id, X_GLXVendorPrivate);
    else
        set_interval(d, MAX2(interval, -INT_MAX));
    glx_drawable_unref(d);
}

GLX_EXPORT int glXSwapIntervalSGI(int interval)
{
    if (interval <= 0)
        return GLX_BAD_VALUE;
    return set_interval(glx_thread_get()->draw, interval) ? 0 : GLX_BAD_CONTEXT;
}

GLX_EXPORT int glXSwapIntervalMESA(unsigned interval)
{
    if (interval > INT_MAX)
        return GLX_BAD_VALUE;
    return set_interval(glx_thread_get()->draw, interval) ? 0 : GLX_BAD_CONTEXT;
}

GLX_EXPORT int glXGetSwapIntervalMESA(void)
{
    struct glx_drawable *d = glx_thread_get()->draw;

    return d ? abs(__atomic_load_n(&d->surface.swap_interval, __ATOMIC_RELAXED)) : 0;
}
