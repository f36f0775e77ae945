/* SPDX-License-Identifier: MIT */
/* Displays, platforms, devices, initialization and string queries. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/libEGL/egl_private.h"
#include "util/fork_lock.h"
#include "util/options.h"

pthread_mutex_t egl_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list_head egl_displays = {&egl_displays, &egl_displays}; /* requires egl_lock */

/* Called in the child of a fork, with egl_lock held. The child lacks the threads that used,
 * initialized or terminated displays, or waited for syncs. */
static void reset_displays(void)
{
    egl_syncs_reset();
    if (egl_thread_get()->using) /* a callback has forked: its thread leaves the display later */
        return;
    list_for_each_entry (struct egl_display, d, &egl_displays, link) {
        pthread_mutex_init(&d->gate, NULL);
        pthread_rwlock_init(&d->use, NULL);
        if (!d->initialized) { /* what a thread has left of them isn't used again */
            d->native = NULL;
            d->configs = NULL;
            d->n_configs = 0;
        }
    }
}

UTIL_FORK_LOCK_RESET(egl_lock, reset_displays());

/* The only device; its address is the handle. */
static const char egl_device;

EGLBoolean egl_ok(void)
{
    struct egl_thread *t = egl_thread_get();

    t->error = EGL_SUCCESS;
    t->failed = false;
    return EGL_TRUE;
}

EGLBoolean egl_fail(EGLint error)
{
    struct egl_thread *t = egl_thread_get();

    t->error = error;
    t->failed = true;
    return EGL_FALSE;
}

EGL_EXPORT EGLint EGLAPIENTRY eglGetError(void)
{
    EGL_COMMAND;
    struct egl_thread *t = egl_thread_get();
    EGLint error = t->error ? t->error : EGL_SUCCESS;

    t->error = EGL_SUCCESS;
    return error;
}

struct egl_display *egl_display_find(EGLDisplay dpy)
{
    struct egl_display *found = NULL;

    pthread_mutex_lock(&egl_lock);
    list_for_each_entry (struct egl_display, d, &egl_displays, link) {
        if (d == dpy)
            found = d;
    }
    pthread_mutex_unlock(&egl_lock);
    return found;
}

struct egl_display *egl_display_get(EGLDisplay dpy)
{
    struct egl_display *d = egl_display_find(dpy);
    struct egl_thread *t = egl_thread_get();
    bool nested = t->using > 0;

    if (!d) {
        egl_fail(EGL_BAD_DISPLAY);
        return NULL;
    }
    t->object_label = __atomic_load_n(&d->debug_label, __ATOMIC_RELAXED);
    /* a thread that already holds the lock must not wait for a waiting writer */
    if (!nested)
        pthread_mutex_lock(&d->gate);
    pthread_rwlock_rdlock(&d->use);
    if (!nested)
        pthread_mutex_unlock(&d->gate);
    t->using ++;
    if (d->initialized)
        return d;
    egl_display_leave(&d);
    egl_fail(EGL_NOT_INITIALIZED);
    return NULL;
}

void egl_display_leave(struct egl_display **d)
{
    if (!*d)
        return;
    pthread_rwlock_unlock(&(*d)->use);
    egl_thread_get()->using --;
}

/* Returns the display with exclusive access until own_end, or NULL with the error set. */
static struct egl_display *own_begin(EGLDisplay dpy)
{
    struct egl_display *d = egl_display_find(dpy);

    egl_thread_get()->object_label = d ? __atomic_load_n(&d->debug_label, __ATOMIC_RELAXED) : NULL;
    if (!d || egl_thread_get()->using) { /* a callback would wait for its own call */
        egl_fail(d ? EGL_BAD_ACCESS : EGL_BAD_DISPLAY);
        return NULL;
    }
    pthread_mutex_lock(&d->gate);
    pthread_rwlock_wrlock(&d->use);
    return d;
}

static void own_end(struct egl_display *d)
{
    pthread_rwlock_unlock(&d->use);
    pthread_mutex_unlock(&d->gate);
}

bool egl_display_is_x11(const struct egl_display *d)
{
    return d->has_windows && d->platform != EGL_ON_WAYLAND && d->platform != EGL_ON_GBM;
}

bool egl_context_exists(EGLContext handle)
{
    bool found = false;

    pthread_mutex_lock(&egl_lock);
    list_for_each_entry (struct egl_display, d, &egl_displays, link) {
        list_for_each_entry (struct egl_context, ctx, &d->contexts, object.link)
            found |= ctx == handle;
    }
    pthread_mutex_unlock(&egl_lock);
    return found;
}

void egl_native_unref(struct egl_native *native)
{
    bool last;

    if (!native)
        return;
    pthread_mutex_lock(&egl_lock);
    last = --native->refs == 0;
    pthread_mutex_unlock(&egl_lock);
    if (!last)
        return;
    native->ws->ops->destroy(native->ws);
    if (native->owned_connection)
        egl_x11_close(native->owned_connection);
    free(native);
}

/* Returns the display with these properties; creates it on first use. */
static EGLDisplay display_of(enum egl_platform platform, void *handle, EGLint screen)
{
    struct egl_display *found = NULL;

    pthread_mutex_lock(&egl_lock);
    list_for_each_entry (struct egl_display, d, &egl_displays, link) {
        if (d->platform == platform && d->handle == handle && d->screen == screen)
            found = d;
    }
    if (!found && (found = calloc(1, sizeof *found))) {
        found->platform = platform;
        found->handle = handle;
        found->screen = screen;
        pthread_mutex_init(&found->gate, NULL);
        pthread_rwlock_init(&found->use, NULL);
        list_init(&found->surfaces);
        list_init(&found->contexts);
        list_init(&found->syncs);
        list_init(&found->images);
        list_init(&found->pixmaps);
        list_add(&found->link, &egl_displays);
    }
    pthread_mutex_unlock(&egl_lock);
    if (found)
        egl_ok();
    else
        egl_fail(EGL_BAD_ALLOC);
    return found;
}

bool egl_is_mapped(const void *p)
{
    const uintptr_t page = (uintptr_t)p & -(uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char resident;

    return p && (mincore((void *)page, 1, &resident) == 0 || errno != ENOMEM);
}

/* Wayland objects start with a pointer to their interface, which starts with a pointer to its
 * name. */
static bool is_wayland_display(const void *native)
{
    const char *const *interface;

    memcpy(&interface, native, sizeof interface);
    return egl_is_mapped(interface) && egl_is_mapped(*interface) &&
           strncmp(*interface, "wl_display", sizeof "wl_display") == 0;
}

/* Returns the platform of a native display if it can be recognized; xcb connections cannot. */
static enum egl_platform platform_of(const void *native)
{
    if (!egl_is_mapped(native))
        return EGL_ON_DEFAULT;
    return egl_gbm_is_device(native)    ? EGL_ON_GBM
           : is_wayland_display(native) ? EGL_ON_WAYLAND
           : egl_x11_is_display(native) ? EGL_ON_X11
                                        : EGL_ON_XCB;
}

/* Returns the platform named by EGL_PLATFORM, or EGL_ON_DEFAULT if unset or unknown. */
static enum egl_platform platform_named(void)
{
    static const struct {
        const char *name;
        enum egl_platform platform;
    } names[] = {
        {"x11", EGL_ON_X11},
        {"xcb", EGL_ON_XCB},
        {"wayland", EGL_ON_WAYLAND},
        {"gbm", EGL_ON_GBM},
        {"drm", EGL_ON_GBM}, /* older name in Mesa */
        {"surfaceless", EGL_ON_SURFACELESS},
        {"device", EGL_ON_DEVICE},
    };
    const char *name = getenv("EGL_PLATFORM");

    for (unsigned i = 0; name && i < ARRAY_SIZE(names); i++) {
        if (strcmp(name, names[i].name) == 0)
            return names[i].platform;
    }
    return EGL_ON_DEFAULT;
}

EGL_EXPORT EGLDisplay EGLAPIENTRY eglGetDisplay(EGLNativeDisplayType native)
{
    EGL_COMMAND;
    enum egl_platform platform = platform_named();
    void *handle = (void *)native;

    if (handle) {
        const enum egl_platform its = platform_of(handle);

        if (its != EGL_ON_DEFAULT && its != EGL_ON_XCB)
            platform = its;
        else if (platform != EGL_ON_XCB)
            platform = EGL_ON_X11; /* fails later in eglInitialize */
    } else if (platform == EGL_ON_DEVICE) {
        handle = (void *)&egl_device;
    }
    return display_of(platform, handle, -1);
}

/* Returns the display for a native display of a platform, or EGL_NO_DISPLAY with the error set. */
static EGLDisplay platform_display(EGLenum platform, void *native, struct egl_attribs attribs)
{
    EGLint screen = -1;
    EGLAttrib name, value;
    bool x11 =
        EGL_HAS_X11 && (platform == EGL_PLATFORM_X11_KHR || platform == EGL_PLATFORM_XCB_EXT);

    while (egl_attribs_next(&attribs, &name, &value)) {
        bool is_screen =
            (platform == EGL_PLATFORM_X11_KHR && name == EGL_PLATFORM_X11_SCREEN_KHR) ||
            (platform == EGL_PLATFORM_XCB_EXT && name == EGL_PLATFORM_XCB_SCREEN_EXT);
        /* EGL_EXT_explicit_device; all displays use the only device anyway */
        bool is_device = platform != EGL_PLATFORM_DEVICE_EXT && name == EGL_DEVICE_EXT;

        if (is_device && value && (const void *)value != &egl_device) {
            egl_fail(EGL_BAD_DEVICE_EXT);
            return EGL_NO_DISPLAY;
        }
        if (!is_screen && !is_device) {
            egl_fail(EGL_BAD_ATTRIBUTE);
            return EGL_NO_DISPLAY;
        }
        if (is_screen && (value < 0 || value > INT_MAX)) {
            egl_fail(EGL_BAD_ATTRIBUTE);
            return EGL_NO_DISPLAY;
        }
        if (is_screen)
            screen = (EGLint)value;
    }
    if (x11)
        return display_of(platform == EGL_PLATFORM_X11_KHR ? EGL_ON_X11 : EGL_ON_XCB, native,
                          screen);
    if (EGL_HAS_WAYLAND && platform == EGL_PLATFORM_WAYLAND_KHR)
        return display_of(EGL_ON_WAYLAND, native, -1);
    if (EGL_HAS_GBM && platform == EGL_PLATFORM_GBM_KHR)
        return display_of(EGL_ON_GBM, native, -1);
    if (platform == EGL_PLATFORM_SURFACELESS_MESA && native == (void *)EGL_DEFAULT_DISPLAY)
        return display_of(EGL_ON_SURFACELESS, NULL, -1);
    if (platform == EGL_PLATFORM_DEVICE_EXT && native == &egl_device)
        return display_of(EGL_ON_DEVICE, native, -1);
    egl_fail(EGL_BAD_PARAMETER);
    return EGL_NO_DISPLAY;
}

EGL_EXPORT EGLDisplay EGLAPIENTRY eglGetPlatformDisplay(EGLenum platform, void *native,
                                                        const EGLAttrib *attribs)
{
    EGL_COMMAND;
    return platform_display(platform, native, (struct egl_attribs){attribs, true});
}

EGL_EXPORT EGLDisplay EGLAPIENTRY eglGetPlatformDisplayEXT(EGLenum platform, void *native,
                                                           const EGLint *attribs)
{
    EGL_COMMAND;
    return platform_display(platform, native, (struct egl_attribs){attribs, false});
}

/* Wraps ws and takes ownership. Returns NULL if ws is NULL or when out of memory. */
static struct egl_native *native_of(struct winsys *ws)
{
    struct egl_native *native = ws ? calloc(1, sizeof *native) : NULL;

    if (native)
        *native = (struct egl_native){.refs = 1, .ws = ws};
    else if (ws)
        ws->ops->destroy(ws);
    return native;
}

/* Creates the winsys without windows, which can write pbuffer frames to files. */
static struct egl_native *open_headless(void)
{
    struct winsys *ws = ws_headless_create(util_get_options()->frames_dir);

    return native_of(ws ? ws : ws_headless_create(NULL));
}

/* Returns whether a native display, if given, may belong to the requested platform. */
static bool handle_fits(const struct egl_display *d)
{
    switch (d->platform) {
    case EGL_ON_X11:
    case EGL_ON_XCB:
    case EGL_ON_WAYLAND:
    case EGL_ON_GBM:
        return !d->handle || platform_of(d->handle) == d->platform;
    default:
        return true;
    }
}

static struct egl_native *open_wayland(void *display)
{
#if EGL_HAS_WAYLAND
    return native_of(ws_wayland_create(display));
#else
    return NULL;
#endif
}

/* XRGB8888 in GBM. Formats without alpha come first, so that windows have none by default. */
enum { GBM_OPAQUE = 0x34325258 };

static bool display_open(struct egl_display *d)
{
    uint32_t root_visual = 0;
    bool x11 = d->platform == EGL_ON_X11 || d->platform == EGL_ON_XCB;

    if (indium_core_interface()->version != INDIUM_CORE_VERSION || !handle_fits(d))
        return false;
    if (d->platform == EGL_ON_WAYLAND) {
        d->native = open_wayland(d->handle);
        root_visual = EGL_WAYLAND_OPAQUE;
    }
    if (d->platform == EGL_ON_GBM) {
        d->native = native_of(egl_gbm_open(d->handle));
        root_visual = GBM_OPAQUE;
    }
    /* no trial connection: a server may reset when its last client disconnects */
    if (x11 || (d->platform == EGL_ON_DEFAULT && getenv("DISPLAY")))
        d->native = egl_x11_open(d, &root_visual);
    d->has_windows = d->native != NULL;
    if (!d->native && !x11 && d->platform != EGL_ON_WAYLAND && d->platform != EGL_ON_GBM)
        d->native = open_headless();
    if (!d->native)
        return false;
    if (!egl_configs_init(d, root_visual)) {
        egl_native_unref(d->native);
        d->native = NULL;
        return false;
    }
    return true;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglInitialize(EGLDisplay dpy, EGLint *major, EGLint *minor)
{
    EGL_COMMAND;
    struct egl_display *d = own_begin(dpy);
    bool ok;

    if (!d)
        return EGL_FALSE;
    if (!d->initialized)
        d->initialized = display_open(d);
    ok = d->initialized;
    own_end(d);
    if (!ok)
        return egl_fail(EGL_NOT_INITIALIZED);
    if (major)
        *major = 1;
    if (minor)
        *minor = 5;
    return egl_ok();
}

EGL_EXPORT void EGLAPIENTRY eglSetBlobCacheFuncsANDROID(EGLDisplay dpy, EGLSetBlobFuncANDROID set,
                                                        EGLGetBlobFuncANDROID get)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    bool again;

    if (!d)
        return;
    if (!set || !get) {
        egl_fail(EGL_BAD_PARAMETER);
        return;
    }
    pthread_mutex_lock(&egl_lock);
    again = d->has_blob_cache;
    d->has_blob_cache = true;
    pthread_mutex_unlock(&egl_lock);
    if (again) {
        egl_fail(EGL_BAD_PARAMETER);
        return;
    }
    indium_core_interface()->set_blob_cache(d, set, get);
    egl_ok();
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglTerminate(EGLDisplay dpy)
{
    EGL_COMMAND;
    struct egl_display *d = own_begin(dpy);

    if (!d)
        return EGL_FALSE;
    if (d->initialized) {
        d->initialized = false;
        /* EGL 1.5 §3.2: current objects stay valid until released */
        egl_syncs_close(d);
        egl_images_close(d);
        egl_surfaces_close(d);
        egl_pixmaps_close(d);
        egl_contexts_close(d);
        if (d->has_blob_cache)
            indium_core_interface()->set_blob_cache(d, NULL, NULL);
        d->has_blob_cache = false;
        free(d->configs);
        d->configs = NULL;
        d->n_configs = 0;
        egl_native_unref(d->native);
        d->native = NULL;
    }
    own_end(d);
    return egl_ok();
}

static const char client_extensions[] = "EGL_EXT_client_extensions "
                                        "EGL_EXT_device_base "
                                        "EGL_EXT_device_enumeration "
                                        "EGL_EXT_device_query "
                                        "EGL_EXT_explicit_device "
                                        "EGL_EXT_platform_base "
                                        "EGL_KHR_client_get_all_proc_addresses "
                                        "EGL_KHR_debug " EGL_PLATFORM_EXTENSIONS;

#define WAYLAND_EXTENSIONS " EGL_EXT_present_opaque"
#define X11_EXTENSIONS     " EGL_KHR_image EGL_KHR_image_pixmap EGL_NOK_texture_from_pixmap"
#define DISPLAY_EXTENSIONS                                                                         \
    "EGL_ANDROID_blob_cache "                                                                      \
    "EGL_ANGLE_sync_control_rate "                                                                 \
    "EGL_EXT_buffer_age "                                                                          \
    "EGL_EXT_config_select_group "                                                                 \
    "EGL_EXT_create_context_robustness "                                                           \
    "EGL_EXT_image_dma_buf_import "                                                                \
    "EGL_EXT_image_dma_buf_import_modifiers "                                                      \
    "EGL_EXT_pixel_format_float "                                                                  \
    "EGL_EXT_query_reset_notification_strategy "                                                   \
    "EGL_EXT_surface_compression "                                                                 \
    "EGL_EXT_swap_buffers_with_damage "                                                            \
    "EGL_KHR_config_attribs "                                                                      \
    "EGL_KHR_context_flush_control "                                                               \
    "EGL_KHR_create_context "                                                                      \
    "EGL_KHR_create_context_no_error "                                                             \
    "EGL_KHR_fence_sync "                                                                          \
    "EGL_KHR_get_all_proc_addresses "                                                              \
    "EGL_KHR_gl_renderbuffer_image "                                                               \
    "EGL_KHR_gl_texture_2D_image "                                                                 \
    "EGL_KHR_gl_texture_3D_image "                                                                 \
    "EGL_KHR_gl_texture_cubemap_image "                                                            \
    "EGL_KHR_image_base "                                                                          \
    "EGL_KHR_no_config_context "                                                                   \
    "EGL_KHR_partial_update "                                                                      \
    "EGL_KHR_reusable_sync "                                                                       \
    "EGL_KHR_surfaceless_context "                                                                 \
    "EGL_KHR_swap_buffers_with_damage "                                                            \
    "EGL_KHR_wait_sync "                                                                           \
    "EGL_MESA_configless_context "                                                                 \
    "EGL_MESA_image_dma_buf_export "                                                               \
    "EGL_MESA_query_driver "                                                                       \
    "EGL_MESA_x11_native_visual_id"

static const char *display_extensions(const struct egl_display *d)
{
#define WITH_SRGB(list) {list, list " EGL_KHR_gl_colorspace"}
    static const char *const lists[][2] = {
        WITH_SRGB(DISPLAY_EXTENSIONS),
        WITH_SRGB(DISPLAY_EXTENSIONS WAYLAND_EXTENSIONS),
        WITH_SRGB(DISPLAY_EXTENSIONS X11_EXTENSIONS),
    };

    return lists[d->platform == EGL_ON_WAYLAND ? 1
                 : egl_display_is_x11(d)       ? 2
                                               : 0][tgt_supports_srgb(indium_core_interface())];
}

EGL_EXPORT const char *EGLAPIENTRY eglQueryString(EGLDisplay dpy, EGLint name)
{
    EGL_COMMAND;
    const char *result = NULL;

    if (dpy == EGL_NO_DISPLAY && (name == EGL_EXTENSIONS || name == EGL_VERSION)) {
        egl_ok();
        return name == EGL_EXTENSIONS ? client_extensions : "1.5";
    }
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    if (!d)
        return NULL;
    switch (name) {
    case EGL_CLIENT_APIS:
        result = "OpenGL OpenGL_ES";
        break;
    case EGL_EXTENSIONS:
        result = display_extensions(d);
        break;
    case EGL_VENDOR:
        result = "Indium";
        break;
    case EGL_VERSION:
        result = "1.5";
        break;
    default:
        egl_fail(EGL_BAD_PARAMETER);
        return NULL;
    }
    egl_ok();
    return result;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQueryDevicesEXT(EGLint max, EGLDeviceEXT *devices,
                                                     EGLint *count)
{
    EGL_COMMAND;
    if (!count || (devices && max <= 0))
        return egl_fail(EGL_BAD_PARAMETER);
    if (devices)
        devices[0] = (EGLDeviceEXT)&egl_device;
    *count = 1;
    return egl_ok();
}

EGL_EXPORT const char *EGLAPIENTRY eglQueryDeviceStringEXT(EGLDeviceEXT device, EGLint name)
{
    EGL_COMMAND;
    if (device != &egl_device) {
        egl_fail(EGL_BAD_DEVICE_EXT);
        return NULL;
    }
    if (name != EGL_EXTENSIONS && name != EGL_DRM_RENDER_NODE_FILE_EXT) {
        egl_fail(EGL_BAD_PARAMETER);
        return NULL;
    }
    egl_ok();
    return name == EGL_EXTENSIONS ? "EGL_EXT_device_drm_render_node EGL_MESA_device_software"
                                  : NULL; /* there is no node */
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQueryDeviceAttribEXT(EGLDeviceEXT device, EGLint attribute,
                                                          EGLAttrib *value)
{
    EGL_COMMAND;
    return egl_fail(device == &egl_device ? EGL_BAD_ATTRIBUTE : EGL_BAD_DEVICE_EXT);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQueryDisplayAttribEXT(EGLDisplay dpy, EGLint attribute,
                                                           EGLAttrib *value)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);

    if (!d)
        return EGL_FALSE;
    if (attribute != EGL_DEVICE_EXT)
        return egl_fail(EGL_BAD_ATTRIBUTE);
    if (!value)
        return egl_fail(EGL_BAD_PARAMETER);
    *value = (EGLAttrib)&egl_device;
    return egl_ok();
}

EGL_EXPORT char *EGLAPIENTRY eglGetDisplayDriverConfig(EGLDisplay dpy)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    char *result;

    if (!d)
        return NULL;
    result = strdup("");
    if (result)
        egl_ok();
    else
        egl_fail(EGL_BAD_ALLOC);
    return result;
}

EGL_EXPORT const char *EGLAPIENTRY eglGetDisplayDriverName(EGLDisplay dpy)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);

    if (!d)
        return NULL;
    egl_ok();
    return "indium";
}
