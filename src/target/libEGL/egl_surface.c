/* SPDX-License-Identifier: MIT */
/* Window, pixmap and pbuffer surfaces. */
#include <stdlib.h>

#include "target/common/tgt_sync.h"
#include "target/libEGL/egl_private.h"
#include "util/options.h"

enum { TEXTURE_2D = 0x0de1 /* GL_TEXTURE_2D */ };

static void surface_destroy(void *object)
{
    struct egl_surface *s = object;

    egl_pixmap_forget(&s->pixmap);
    tgt_surface_finish(&s->surface);
    egl_native_unref(s->native);
    free(s);
}

static const struct tgt_object_kind surface_kind = {&egl_lock, surface_destroy};

struct egl_surface *egl_surface_ref(struct egl_display *d, EGLSurface handle)
{
    return tgt_object_ref(&surface_kind, &d->surfaces, handle);
}

void egl_surface_unref(struct egl_surface *s)
{
    tgt_object_unref(&surface_kind, s);
}

/* Invalidates the handle and destroys the image of a pixmap, which refers to the surface. No new
 * image is created afterward. The caller holds a reference. */
static void surface_forget(struct egl_surface *s)
{
    struct gl_shared_image *image;

    pthread_mutex_lock(&egl_image_mutex);
    tgt_object_forget(&surface_kind, s);
    image = s->image;
    s->image = NULL;
    if (image)
        s->surface.core->image_destroy(image);
    pthread_mutex_unlock(&egl_image_mutex);
}

/* Returns a new reference to a surface of the display, or NULL if it has none. */
static struct egl_surface *first_surface(struct egl_display *d)
{
    struct egl_surface *s = NULL;

    pthread_mutex_lock(&egl_lock);
    if (!list_is_empty(&d->surfaces)) {
        s = list_first_entry(&d->surfaces, struct egl_surface, object.link);
        s->object.refs++; /* another thread may destroy it in the meantime */
    }
    pthread_mutex_unlock(&egl_lock);
    return s;
}

void egl_surfaces_close(struct egl_display *d)
{
    struct egl_surface *s;

    while ((s = first_surface(d))) {
        surface_forget(s);
        egl_surface_unref(s);
    }
}

/* Returns the display (to be stored in an EGL_IN_USE variable) and config for a surface creation.
 * On failure they are NULL and the error is set. */
static const struct egl_config *config_for(EGLDisplay dpy, EGLConfig handle, struct egl_display **d)
{
    const struct egl_config *config;

    *d = egl_display_get(dpy);
    if (!*d)
        return NULL;
    config = egl_config_get(*d, handle);
    if (!config)
        egl_fail(EGL_BAD_CONFIG);
    return config;
}

/* Allocates a surface with the defaults of its kind. It is not in a list yet. */
static struct egl_surface *surface_alloc(struct egl_display *d, const struct egl_config *config,
                                         enum tgt_surface_kind kind)
{
    struct egl_surface *s = calloc(1, sizeof *s);

    if (!s) {
        egl_fail(EGL_BAD_ALLOC);
        return NULL;
    }
    s->display = d;
    s->config = *config;
    s->surface.kind = kind;
    s->render_buffer = kind == TGT_PIXMAP ? EGL_SINGLE_BUFFER : EGL_BACK_BUFFER;
    /* EGL 1.5 §3.10.1: swaps only affect windows */
    s->swap_behavior = kind == TGT_WINDOW ? EGL_BUFFER_DESTROYED : EGL_BUFFER_PRESERVED;
    s->colorspace = EGL_GL_COLORSPACE_LINEAR;
    s->multisample_resolve = EGL_MULTISAMPLE_RESOLVE_DEFAULT;
    s->texture_format = EGL_NO_TEXTURE;
    s->texture_target = EGL_NO_TEXTURE;
    return s;
}

/* Returns whether another surface of the display, created before s, has the same window or
 * pixmap. */
static bool is_second(struct egl_display *d, const struct egl_surface *s)
{
    const struct egl_surface *first = NULL;

    if (s->surface.kind == TGT_PBUFFER)
        return false;
    pthread_mutex_lock(&egl_lock);
    list_for_each_entry (struct egl_surface, other, &d->surfaces, object.link) {
        if (!first && other->surface.kind != TGT_PBUFFER && other->native_id == s->native_id &&
            !tgt_surface_is_gone(&other->surface))
            first = other;
    }
    pthread_mutex_unlock(&egl_lock);
    return first && first != s;
}

/* Connects s to the core and adds it to the list, unless its window or pixmap already has a
 * surface. Takes ownership of native, and frees s on failure. */
static EGLSurface surface_finish_create(struct egl_surface *s, struct ws_drawable *native,
                                        int width, int height)
{
    struct egl_display *d = s->display;
    struct gl_visual visual = s->config.base.gl;

    visual.srgb_capable = s->colorspace == EGL_GL_COLORSPACE_SRGB;
    visual.double_buffered = s->surface.kind != TGT_PIXMAP;
    if (!tgt_surface_init(&s->surface, indium_core_interface(), s->surface.kind, &visual, native,
                          width, height)) {
        free(s);
        egl_fail(EGL_BAD_ALLOC);
        return EGL_NO_SURFACE;
    }
    if (native) {
        pthread_mutex_lock(&egl_lock);
        s->native = d->native;
        s->native->refs++;
        pthread_mutex_unlock(&egl_lock);
    }
    tgt_object_list(&surface_kind, &d->surfaces, s, 2);
    /* checked in the list, because threads may create surfaces for a window at once */
    if (is_second(d, s)) {
        surface_forget(s);
        egl_surface_unref(s);
        egl_fail(EGL_BAD_ALLOC);
        return EGL_NO_SURFACE;
    }
    egl_surface_unref(s);
    egl_ok();
    return s;
}

/* Handles attributes common to all surfaces. Returns EGL_SUCCESS, an error, or EGL_NONE for
 * attributes that the caller must handle. */
static EGLint common_attrib(struct egl_surface *s, EGLAttrib name, EGLAttrib value)
{
    switch (name) {
    case EGL_GL_COLORSPACE:
        if (!tgt_supports_srgb(indium_core_interface()) ||
            (value != EGL_GL_COLORSPACE_SRGB && value != EGL_GL_COLORSPACE_LINEAR))
            return EGL_BAD_ATTRIBUTE;
        if (value == EGL_GL_COLORSPACE_SRGB && s->config.base.bits.red != 8)
            return EGL_BAD_MATCH;
        s->colorspace = value;
        return EGL_SUCCESS;
    case EGL_VG_COLORSPACE:
        return value == EGL_VG_COLORSPACE_sRGB     ? EGL_SUCCESS
               : value == EGL_VG_COLORSPACE_LINEAR ? EGL_BAD_MATCH
                                                   : EGL_BAD_ATTRIBUTE;
    case EGL_VG_ALPHA_FORMAT:
        return value == EGL_VG_ALPHA_FORMAT_NONPRE ? EGL_SUCCESS
               : value == EGL_VG_ALPHA_FORMAT_PRE  ? EGL_BAD_MATCH
                                                   : EGL_BAD_ATTRIBUTE;
    default:
        return EGL_NONE;
    }
}

/* Returns whether a value of EGL_SURFACE_COMPRESSION_EXT is valid. */
static bool is_compression(EGLAttrib value)
{
    return value == EGL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT ||
           value == EGL_SURFACE_COMPRESSION_FIXED_RATE_DEFAULT_EXT ||
           (value >= EGL_SURFACE_COMPRESSION_FIXED_RATE_1BPC_EXT &&
            value <= EGL_SURFACE_COMPRESSION_FIXED_RATE_12BPC_EXT);
}

/* Handles an attribute of pbuffers and pixmaps that become textures. Returns EGL_SUCCESS or an
 * error.
 */
static EGLint texture_attrib(struct egl_surface *s, EGLAttrib name, EGLAttrib value)
{
    switch (name) {
    case EGL_MIPMAP_TEXTURE:
        if (value != EGL_TRUE && value != EGL_FALSE)
            return EGL_BAD_ATTRIBUTE;
        s->mipmap_texture = value;
        return EGL_SUCCESS;
    case EGL_TEXTURE_FORMAT:
        if (value != EGL_NO_TEXTURE && value != EGL_TEXTURE_RGB && value != EGL_TEXTURE_RGBA)
            return EGL_BAD_ATTRIBUTE;
        s->texture_format = value;
        return EGL_SUCCESS;
    case EGL_TEXTURE_TARGET:
        if (value != EGL_NO_TEXTURE && value != EGL_TEXTURE_2D)
            return EGL_BAD_ATTRIBUTE;
        s->texture_target = value;
        return EGL_SUCCESS;
    default:
        return EGL_BAD_ATTRIBUTE;
    }
}

/* Returns whether a texture format was given with a texture target, or neither. */
static bool texture_is_complete(const struct egl_surface *s)
{
    return (s->texture_format == EGL_NO_TEXTURE) == (s->texture_target == EGL_NO_TEXTURE);
}

/* Parses the attributes of a window or pixmap surface. Returns EGL_SUCCESS or the error. */
static EGLint native_attribs(struct egl_surface *s, struct egl_attribs attribs)
{
    EGLAttrib name, value;

    while (egl_attribs_next(&attribs, &name, &value)) {
        EGLint error = common_attrib(s, name, value);

        if (error == EGL_NONE && name == EGL_RENDER_BUFFER && s->surface.kind == TGT_WINDOW) {
            if (value != EGL_SINGLE_BUFFER && value != EGL_BACK_BUFFER)
                return EGL_BAD_ATTRIBUTE;
            s->render_buffer = value;
            continue;
        }
        if (error == EGL_NONE && name == EGL_PRESENT_OPAQUE_EXT && s->surface.kind == TGT_WINDOW &&
            s->display->platform == EGL_ON_WAYLAND) {
            if (value != EGL_TRUE && value != EGL_FALSE)
                return EGL_BAD_ATTRIBUTE;
            s->present_opaque = value;
            continue;
        }
        /* EGL_EXT_surface_compression: a request for a rate may be ignored */
        if (error == EGL_NONE && name == EGL_SURFACE_COMPRESSION_EXT &&
            s->surface.kind == TGT_WINDOW) {
            if (!is_compression(value))
                return EGL_BAD_ATTRIBUTE;
            continue;
        }
        if (error == EGL_NONE && s->surface.kind == TGT_PIXMAP)
            error = texture_attrib(s, name, value);
        if (error != EGL_SUCCESS)
            return error == EGL_NONE ? EGL_BAD_ATTRIBUTE : error;
    }
    return texture_is_complete(s) ? EGL_SUCCESS : EGL_BAD_MATCH;
}

/* Returns whether native windows are pointers rather than ids. */
static bool is_pointer(const struct egl_display *d)
{
    return d->platform == EGL_ON_WAYLAND || d->platform == EGL_ON_GBM;
}

static EGLSurface create_native(EGLDisplay dpy, EGLConfig handle, enum tgt_surface_kind kind,
                                uintptr_t id, struct egl_attribs attribs)
{
    EGLint bad_native = kind == TGT_PIXMAP ? EGL_BAD_NATIVE_PIXMAP : EGL_BAD_NATIVE_WINDOW;
    EGL_IN_USE struct egl_display *d;
    const struct egl_config *config = config_for(dpy, handle, &d);
    struct egl_surface *s;
    struct ws_drawable *native;
    bool no_memory = false;
    EGLint error;

    /* EGL_MESA_platform_surfaceless: there are no native windows */
    if (d && !d->has_windows)
        egl_fail(bad_native);
    if (!d || !d->has_windows)
        return EGL_NO_SURFACE;
    if (!config)
        return EGL_NO_SURFACE;
    /* EGL_KHR_platform_wayland, EGL_KHR_platform_gbm: there are no pixmaps */
    if (kind == TGT_PIXMAP && is_pointer(d)) {
        egl_fail(EGL_BAD_PARAMETER);
        return EGL_NO_SURFACE;
    }
    s = surface_alloc(d, config, kind);
    if (!s)
        return EGL_NO_SURFACE;
    error = native_attribs(s, attribs);
    if (error == EGL_SUCCESS &&
        !(egl_config_surfaces(config) & (kind == TGT_PIXMAP ? EGL_PIXMAP_BIT : EGL_WINDOW_BIT)))
        error = EGL_BAD_MATCH;
    if (is_pointer(d) && !egl_is_mapped((const void *)id))
        error = bad_native;
    native = error == EGL_SUCCESS
                 ? tgt_native_open(d->native->ws, id, kind == TGT_PIXMAP, &no_memory)
                 : NULL;
    if (native && native->config.format == DRV_FORMAT_NONE)
        native->config = config->base.native; /* the window accepts any format */
    /* the compositor ignores alpha; a config with another format with alpha exists only where the
     * format without is not supported */
    if (native && s->present_opaque && native->config.native_id == EGL_WAYLAND_ALPHA)
        native->config.native_id = EGL_WAYLAND_OPAQUE;
    if (error == EGL_SUCCESS && !native)
        error = no_memory ? EGL_BAD_ALLOC : bad_native;
    else if (native && native->config.format != config->base.native.format)
        error = EGL_BAD_MATCH;
    if (error != EGL_SUCCESS) {
        if (native)
            native->ws->ops->drawable_destroy(native);
        free(s);
        egl_fail(error);
        return EGL_NO_SURFACE;
    }
    s->native_id = id;
    return surface_finish_create(s, native, 0, 0);
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglCreateWindowSurface(EGLDisplay dpy, EGLConfig config,
                                                         EGLNativeWindowType window,
                                                         const EGLint *attribs)
{
    EGL_COMMAND;
    return create_native(dpy, config, TGT_WINDOW, (uintptr_t)window,
                         (struct egl_attribs){attribs, false});
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglCreatePixmapSurface(EGLDisplay dpy, EGLConfig config,
                                                         EGLNativePixmapType pixmap,
                                                         const EGLint *attribs)
{
    EGL_COMMAND;
    return create_native(dpy, config, TGT_PIXMAP, (uintptr_t)pixmap,
                         (struct egl_attribs){attribs, false});
}

/* Returns the native id. eglCreatePlatform* functions get pointers to ids: unsigned long for Xlib,
 * 32-bit for xcb. */
static uintptr_t platform_native(EGLDisplay dpy, const void *native)
{
    const struct egl_display *d = egl_display_find(dpy);

    if (!d || !egl_is_mapped(native))
        return 0;
    if (is_pointer(d))
        return (uintptr_t)native;
    return d->platform == EGL_ON_XCB ? *(const uint32_t *)native : *(const unsigned long *)native;
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurface(EGLDisplay dpy, EGLConfig config,
                                                                 void *native,
                                                                 const EGLAttrib *attribs)
{
    EGL_COMMAND;
    return create_native(dpy, config, TGT_WINDOW, platform_native(dpy, native),
                         (struct egl_attribs){attribs, true});
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurfaceEXT(EGLDisplay dpy,
                                                                    EGLConfig config, void *native,
                                                                    const EGLint *attribs)
{
    EGL_COMMAND;
    return create_native(dpy, config, TGT_WINDOW, platform_native(dpy, native),
                         (struct egl_attribs){attribs, false});
}

/* EGL_EXT_surface_compression: no surface is compressed. The assembler name allows for versions of
 * eglext.h that declare a pointer to the config instead. */
EGL_EXPORT EGLBoolean EGLAPIENTRY egl_query_compression_rates(
    EGLDisplay dpy, EGLConfig handle, const EGLAttrib *attribs, EGLint *rates, EGLint rate_size,
    EGLint *num_rates) __asm__("eglQuerySupportedCompressionRatesEXT");

EGL_EXPORT EGLBoolean EGLAPIENTRY egl_query_compression_rates(EGLDisplay dpy, EGLConfig handle,
                                                              const EGLAttrib *attribs,
                                                              EGLint *rates, EGLint rate_size,
                                                              EGLint *num_rates)
{
    EGL_COMMAND_NAMED("eglQuerySupportedCompressionRatesEXT");
    EGL_IN_USE struct egl_display *d;
    const struct egl_config *config = config_for(dpy, handle, &d);
    struct egl_surface *s = config ? surface_alloc(d, config, TGT_WINDOW) : NULL;
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = native_attribs(s, (struct egl_attribs){attribs, true});
    free(s);
    if (error != EGL_SUCCESS)
        return egl_fail(error);
    if (!num_rates || (rates && rate_size < 0))
        return egl_fail(EGL_BAD_PARAMETER);
    *num_rates = 0;
    return egl_ok();
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurface(EGLDisplay dpy, EGLConfig config,
                                                                 void *native,
                                                                 const EGLAttrib *attribs)
{
    EGL_COMMAND;
    return create_native(dpy, config, TGT_PIXMAP, platform_native(dpy, native),
                         (struct egl_attribs){attribs, true});
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurfaceEXT(EGLDisplay dpy,
                                                                    EGLConfig config, void *native,
                                                                    const EGLint *attribs)
{
    EGL_COMMAND;
    return create_native(dpy, config, TGT_PIXMAP, platform_native(dpy, native),
                         (struct egl_attribs){attribs, false});
}

/* Parses pbuffer attributes. Returns EGL_SUCCESS or the error. */
static EGLint pbuffer_attribs(struct egl_surface *s, const EGLint *attribs, int *width, int *height)
{
    for (; attribs && *attribs != EGL_NONE; attribs += 2) {
        EGLint value = attribs[1], error = common_attrib(s, attribs[0], value);

        if (error == EGL_SUCCESS)
            continue;
        if (error != EGL_NONE)
            return error;
        switch (attribs[0]) {
        case EGL_WIDTH:
            *width = value;
            break;
        case EGL_HEIGHT:
            *height = value;
            break;
        case EGL_LARGEST_PBUFFER:
            if (value != EGL_TRUE && value != EGL_FALSE)
                return EGL_BAD_ATTRIBUTE;
            s->largest = value;
            break;
        default:
            error = texture_attrib(s, attribs[0], value);
            if (error != EGL_SUCCESS)
                return error;
        }
    }
    if (*width < 0 || *height < 0)
        return EGL_BAD_PARAMETER;
    if (!texture_is_complete(s))
        return EGL_BAD_MATCH;
    const EGLint most = egl_max_pbuffer_size();
    if (s->largest) {
        *width = MIN2(*width, most);
        *height = MIN2(*height, most);
    }
    return *width > most || *height > most ? EGL_BAD_ALLOC : EGL_SUCCESS;
}

/* Returns a drawable that writes a pbuffer's frames to files if INDIUM_FRAMES is set, else NULL. */
static struct ws_drawable *frame_writer(struct egl_display *d, const struct egl_config *config,
                                        int width, int height)
{
    struct winsys *ws = d->native->ws;
    struct ws_drawable *native;

    if (d->has_windows || !util_get_options()->frames_dir || width == 0 || height == 0 ||
        tgt_is_float(config->base.gl.color))
        return NULL;
    native = ws->ops->drawable_create(ws, 0, false, width, height);
    if (native)
        native->config = config->base.native;
    return native;
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglCreatePbufferSurface(EGLDisplay dpy, EGLConfig handle,
                                                          const EGLint *attribs)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d;
    const struct egl_config *config = config_for(dpy, handle, &d);
    struct egl_surface *s = config ? surface_alloc(d, config, TGT_PBUFFER) : NULL;
    int width = 0, height = 0;
    EGLint error;

    if (!s)
        return EGL_NO_SURFACE;
    error = pbuffer_attribs(s, attribs, &width, &height);
    if (error != EGL_SUCCESS) {
        free(s);
        egl_fail(error);
        return EGL_NO_SURFACE;
    }
    return surface_finish_create(s, frame_writer(d, config, width, height), width, height);
}

/* Always fails: only OpenVG has client buffers for pbuffers. */
EGL_EXPORT EGLSurface EGLAPIENTRY eglCreatePbufferFromClientBuffer(EGLDisplay dpy, EGLenum type,
                                                                   EGLClientBuffer buffer,
                                                                   EGLConfig config,
                                                                   const EGLint *attribs)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);

    if (d)
        egl_fail(EGL_BAD_PARAMETER);
    return EGL_NO_SURFACE;
}

/* Returns a reference to a surface, or NULL with the error set. */
static struct egl_surface *surface_for(EGLDisplay dpy, EGLSurface handle)
{
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_surface *s = d ? egl_surface_ref(d, handle) : NULL;

    if (d && !s)
        egl_fail(EGL_BAD_SURFACE);
    egl_thread_get()->object_label = s ? __atomic_load_n(&s->debug_label, __ATOMIC_RELAXED) : NULL;
    return s;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroySurface(EGLDisplay dpy, EGLSurface handle)
{
    EGL_COMMAND;
    struct egl_surface *s = surface_for(dpy, handle);

    if (!s)
        return EGL_FALSE;
    surface_forget(s);
    egl_surface_unref(s);
    return egl_ok();
}

/* Queries an attribute. Returns EGL_SUCCESS or the error. Leaves *value unchanged where EGL 1.5
 * §3.5.6 requires that. */
static EGLint query(struct egl_surface *s, EGLint attribute, EGLint *value)
{
    bool pbuffer = s->surface.kind == TGT_PBUFFER;
    bool textured = s->surface.kind != TGT_WINDOW;
    int width, height;

    switch (attribute) {
    case EGL_CONFIG_ID:
        *value = s->config.base.id;
        break;
    case EGL_WIDTH:
    case EGL_HEIGHT:
        tgt_surface_update(&s->surface);
        tgt_surface_size(&s->surface, &width, &height);
        *value = attribute == EGL_WIDTH ? width : height;
        break;
    case EGL_RENDER_BUFFER:
        *value = s->render_buffer;
        break;
    case EGL_SWAP_BEHAVIOR:
        *value = s->swap_behavior;
        break;
    case EGL_MULTISAMPLE_RESOLVE:
        *value = s->multisample_resolve;
        break;
    case EGL_GL_COLORSPACE:
        if (!tgt_supports_srgb(indium_core_interface()))
            return EGL_BAD_ATTRIBUTE;
        *value = s->colorspace;
        break;
    case EGL_VG_COLORSPACE:
        *value = EGL_VG_COLORSPACE_sRGB;
        break;
    case EGL_VG_ALPHA_FORMAT:
        *value = EGL_VG_ALPHA_FORMAT_NONPRE;
        break;
    case EGL_PRESENT_OPAQUE_EXT:
        if (s->display->platform != EGL_ON_WAYLAND)
            return EGL_BAD_ATTRIBUTE;
        if (s->surface.kind == TGT_WINDOW)
            *value = s->present_opaque;
        break;
    case EGL_SURFACE_COMPRESSION_EXT: /* unchanged for pbuffers and pixmaps */
        if (s->surface.kind == TGT_WINDOW)
            *value = EGL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT;
        break;
    case EGL_HORIZONTAL_RESOLUTION:
    case EGL_VERTICAL_RESOLUTION:
        *value = EGL_UNKNOWN;
        break;
    case EGL_PIXEL_ASPECT_RATIO:
        *value = s->surface.kind == TGT_WINDOW ? EGL_DISPLAY_SCALING : EGL_UNKNOWN;
        break;
    case EGL_BUFFER_AGE_EXT:
        /* EGL_EXT_buffer_age: must be the current draw surface */
        if (egl_thread_get()->draw != s)
            return EGL_BAD_SURFACE;
        *value = s->surface.kind == TGT_WINDOW ? s->surface.core->drawable_age(s->surface.gl) : 0;
        s->age_asked = true;
        break;
    case EGL_LARGEST_PBUFFER:
        *value = pbuffer ? s->largest : *value;
        break;
    case EGL_TEXTURE_FORMAT:
        *value = textured ? s->texture_format : *value;
        break;
    case EGL_TEXTURE_TARGET:
        *value = textured ? s->texture_target : *value;
        break;
    case EGL_MIPMAP_TEXTURE:
        *value = textured ? s->mipmap_texture : *value;
        break;
    case EGL_MIPMAP_LEVEL:
        *value = pbuffer ? s->mipmap_level : *value;
        break;
    default:
        return EGL_BAD_ATTRIBUTE;
    }
    return EGL_SUCCESS;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQuerySurface(EGLDisplay dpy, EGLSurface handle,
                                                  EGLint attribute, EGLint *value)
{
    EGL_COMMAND;
    struct egl_surface *s = surface_for(dpy, handle);
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = value ? query(s, attribute, value) : EGL_BAD_PARAMETER;
    egl_surface_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

static EGLint set_attrib(struct egl_surface *s, EGLint attribute, EGLint value)
{
    switch (attribute) {
    case EGL_MIPMAP_LEVEL:
        s->mipmap_level = value;
        return EGL_SUCCESS;
    case EGL_MULTISAMPLE_RESOLVE:
        if (value != EGL_MULTISAMPLE_RESOLVE_DEFAULT && value != EGL_MULTISAMPLE_RESOLVE_BOX)
            return EGL_BAD_PARAMETER;
        s->multisample_resolve = value;
        return EGL_SUCCESS;
    case EGL_SWAP_BEHAVIOR:
        if (value != EGL_BUFFER_PRESERVED && value != EGL_BUFFER_DESTROYED)
            return EGL_BAD_PARAMETER;
        if (value == EGL_BUFFER_PRESERVED && !s->config.can_window)
            return EGL_BAD_MATCH;
        s->swap_behavior = value;
        return EGL_SUCCESS;
    default:
        return EGL_BAD_ATTRIBUTE;
    }
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglSurfaceAttrib(EGLDisplay dpy, EGLSurface handle,
                                                   EGLint attribute, EGLint value)
{
    EGL_COMMAND;
    struct egl_surface *s = surface_for(dpy, handle);
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = set_attrib(s, attribute, value);
    egl_surface_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

/* Clips a rectangle in EGL's form to the surface and converts it to top-left origin. Returns false
 * if nothing remains. */
static bool flip_rect(const EGLint r[4], int width, int height, struct ws_rect *out)
{
    int64_t x0 = MAX2(r[0], 0), x1 = MIN2((int64_t)r[0] + r[2], width);
    int64_t y0 = MAX2(r[1], 0), y1 = MIN2((int64_t)r[1] + r[3], height);

    if (x0 >= x1 || y0 >= y1)
        return false;
    *out = (struct ws_rect){x0, height - y1, x1 - x0, y1 - y0};
    return true;
}

/* Swaps. Rectangles are in EGL's form: x, y (from the bottom), width, height. Returns EGL_SUCCESS
 * or the error. */
static EGLint swap(struct egl_surface *s, const EGLint *rects, EGLint n_rects)
{
    struct ws_rect *flipped = NULL;
    int width, height;
    EGLint n = 0;
    bool ok;

    if (egl_thread_get()->draw != s)
        return EGL_BAD_SURFACE;
    if (__atomic_load_n(&s->texture_bound, __ATOMIC_RELAXED))
        return EGL_SUCCESS;
    if (s->surface.kind == TGT_PBUFFER && s->surface.native) {
        tgt_surface_show(&s->surface, GL_BUFFER_BACK_LEFT, NULL, 0);
        return EGL_SUCCESS;
    }
    if (n_rects > 0 && s->surface.kind == TGT_WINDOW)
        flipped = malloc(n_rects * sizeof *flipped);
    tgt_surface_size(&s->surface, &width, &height);
    for (EGLint i = 0; flipped && i < n_rects; i++)
        n += flip_rect(&rects[i * 4], width, height, &flipped[n]);
    s->age_asked = s->damage_set = false;
    ok = tgt_surface_swap(&s->surface, flipped, n);
    free(flipped);
    if (ok)
        return EGL_SUCCESS;
    return tgt_surface_is_gone(&s->surface) ? EGL_BAD_NATIVE_WINDOW : EGL_BAD_ALLOC;
}

static EGLBoolean swap_buffers(EGLDisplay dpy, EGLSurface handle, const EGLint *rects,
                               EGLint n_rects)
{
    struct egl_surface *s = surface_for(dpy, handle);
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = n_rects < 0 || (n_rects > 0 && !rects) ? EGL_BAD_PARAMETER : swap(s, rects, n_rects);
    egl_surface_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglSwapBuffers(EGLDisplay dpy, EGLSurface surface)
{
    EGL_COMMAND;
    return swap_buffers(dpy, surface, NULL, 0);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglSwapBuffersWithDamageKHR(EGLDisplay dpy, EGLSurface surface,
                                                              const EGLint *rects, EGLint n_rects)
{
    EGL_COMMAND;
    return swap_buffers(dpy, surface, rects, n_rects);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglSwapBuffersWithDamageEXT(EGLDisplay dpy, EGLSurface surface,
                                                              const EGLint *rects, EGLint n_rects)
{
    EGL_COMMAND;
    return swap_buffers(dpy, surface, rects, n_rects);
}

/* Validates a damage region. Returns EGL_SUCCESS or the error. */
static EGLint set_damage(struct egl_surface *s, const EGLint *rects, EGLint n_rects)
{
    if (egl_thread_get()->draw != s || s->surface.kind != TGT_WINDOW ||
        s->swap_behavior != EGL_BUFFER_DESTROYED)
        return EGL_BAD_MATCH;
    if (s->damage_set || !s->age_asked)
        return EGL_BAD_ACCESS;
    if (n_rects < 0 || (n_rects > 0 && !rects))
        return EGL_BAD_PARAMETER;
    s->damage_set = true;
    return EGL_SUCCESS;
}

/* EGL_KHR_partial_update: promises to draw only inside the region in this frame. Validated but not
 * used: tiles without draws are free anyway. */
EGL_EXPORT EGLBoolean EGLAPIENTRY eglSetDamageRegionKHR(EGLDisplay dpy, EGLSurface handle,
                                                        EGLint *rects, EGLint n_rects)
{
    EGL_COMMAND;
    struct egl_surface *s = surface_for(dpy, handle);
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = set_damage(s, rects, n_rects);
    egl_surface_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

/* Copies the color buffer of a surface to a native pixmap. Returns EGL_SUCCESS or the error. */
static EGLint copy_to_pixmap(struct egl_surface *s, uintptr_t pixmap)
{
    struct winsys *ws = s->display->native->ws;
    bool no_memory = false;
    struct ws_drawable *target =
        s->display->has_windows ? tgt_native_open(ws, pixmap, true, &no_memory) : NULL;
    struct ws_buffer *b = NULL;
    EGLint error = EGL_SUCCESS;
    int width, height;

    if (!target)
        return no_memory ? EGL_BAD_ALLOC : EGL_BAD_NATIVE_PIXMAP;
    if (target->config.format != s->config.base.native.format) {
        error = EGL_BAD_MATCH;
    } else {
        s->surface.core->flush(false);
        tgt_surface_update(&s->surface);
        tgt_surface_size(&s->surface, &width, &height);
        b = ws->ops->buffer_create(ws, target, width, height);
        if (!b ||
            !s->surface.core->drawable_resolve(s->surface.gl,
                                               s->surface.kind == TGT_PIXMAP ? GL_BUFFER_FRONT_LEFT
                                                                             : GL_BUFFER_BACK_LEFT,
                                               b->map, b->stride, 0, 0, b->width, b->height) ||
            !ws->ops->present(target, b, NULL, 0, 0))
            error = EGL_BAD_ALLOC;
    }
    if (b)
        ws->ops->buffer_destroy(b);
    ws->ops->drawable_destroy(target);
    return error;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglCopyBuffers(EGLDisplay dpy, EGLSurface handle,
                                                 EGLNativePixmapType pixmap)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_surface *s = d ? surface_for(dpy, handle) : NULL;
    EGLint error;

    if (!s)
        return EGL_FALSE;
    /* EGL 1.5 §3.10.3: as for eglSwapBuffers */
    error = egl_thread_get()->draw == s ? copy_to_pixmap(s, (uintptr_t)pixmap) : EGL_BAD_SURFACE;
    egl_surface_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglSwapInterval(EGLDisplay dpy, EGLint interval)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_thread *t = egl_thread_get();

    if (!d)
        return EGL_FALSE;
    if (!t->ctx || t->ctx->display != dpy)
        return egl_fail(EGL_BAD_CONTEXT);
    if (!t->draw)
        return egl_fail(EGL_BAD_SURFACE);
    __atomic_store_n(&t->draw->surface.swap_interval, CLAMP(interval, 0, 1), __ATOMIC_RELAXED);
    return egl_ok();
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglGetMscRateANGLE(EGLDisplay dpy, EGLSurface handle,
                                                     EGLint *numerator, EGLint *denominator)
{
    EGL_COMMAND;
    struct egl_surface *s = surface_for(dpy, handle);
    EGLint n, d;

    if (!s)
        return EGL_FALSE;
    tgt_sync_rate(&s->surface, &n, &d);
    egl_surface_unref(s);
    if (!egl_thread_get()->ctx)
        return egl_fail(EGL_BAD_CONTEXT);
    if (!numerator || !denominator)
        return egl_fail(EGL_BAD_PARAMETER);
    *numerator = n;
    *denominator = d;
    return egl_ok();
}

/* Checks common to eglBindTexImage and eglReleaseTexImage. Returns EGL_SUCCESS or the error. */
static EGLint check_texture(const struct egl_surface *s, EGLint buffer)
{
    if (s->surface.kind == TGT_WINDOW)
        return EGL_BAD_SURFACE;
    if (s->texture_format == EGL_NO_TEXTURE)
        return EGL_BAD_MATCH;
    return buffer == EGL_BACK_BUFFER ? EGL_SUCCESS : EGL_BAD_PARAMETER;
}

static void release_surface(void *surface)
{
    egl_surface_unref(surface);
}

/* Adds a reference for the image of a surface. Returns false if the surface's handle is invalid. */
static bool reference_for_image(struct egl_surface *s)
{
    bool listed;

    pthread_mutex_lock(&egl_lock);
    listed = !list_is_empty(&s->object.link);
    if (listed)
        s->object.refs++;
    pthread_mutex_unlock(&egl_lock);
    return listed;
}

/* Makes a pixmap the image of the bound texture (EGL_NOK_texture_from_pixmap). Requires
 * egl_image_mutex. Returns EGL_SUCCESS or the error: EGL_BAD_ALLOC also if the pixmap is
 * destroyed. */
static EGLint bind_pixmap(struct egl_surface *s)
{
    const bool with_alpha = s->texture_format == EGL_TEXTURE_RGBA;

    if (!s->image) {
        if (!reference_for_image(s))
            return EGL_BAD_SURFACE;
        s->image = tgt_surface_image(&s->surface, release_surface, s);
        if (!s->image) {
            egl_surface_unref(s);
        } else if (!s->pixmap.surface) {
            s->pixmap = (struct egl_pixmap){
                .surface = &s->surface, .native = &s->native, .thread = &s->thread};
            egl_pixmap_list(s->display, &s->pixmap);
        }
    }
    return s->image && s->surface.core->image_bind(s->image, TEXTURE_2D, with_alpha)
               ? EGL_SUCCESS
               : EGL_BAD_ALLOC;
}

/* Makes a surface the image of the bound texture, if a context is current. Returns EGL_SUCCESS or
 * the error. */
static EGLint bind_texture(struct egl_surface *s)
{
    const struct indium_core *core = s->surface.core;
    const bool pixmap = s->surface.kind == TGT_PIXMAP;
    EGLint error = EGL_SUCCESS;

    if (pixmap)
        core->flush(false); /* may have drawn to the pixmap */
    else
        core->flush_vertices();
    pthread_mutex_lock(&egl_image_mutex);
    if (s->texture_bound)
        error = EGL_BAD_ACCESS;
    else if (egl_thread_get()->ctx && pixmap)
        error = bind_pixmap(s);
    else if (egl_thread_get()->ctx &&
             !core->bind_tex_image(s->surface.gl, GL_BUFFER_BACK_LEFT, TEXTURE_2D,
                                   s->texture_format == EGL_TEXTURE_RGBA))
        error = EGL_BAD_ALLOC;
    if (error == EGL_SUCCESS && egl_thread_get()->ctx)
        __atomic_store_n(&s->texture_bound, true, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&egl_image_mutex);
    return error;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglBindTexImage(EGLDisplay dpy, EGLSurface handle, EGLint buffer)
{
    EGL_COMMAND;
    egl_waits_finish();
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_surface *s = d ? surface_for(dpy, handle) : NULL;
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = check_texture(s, buffer);
    if (error == EGL_SUCCESS)
        error = bind_texture(s);
    egl_surface_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

/* Undoes bind_texture(). A texture shows a pixmap until it gets another image. */
static void release_texture(struct egl_surface *s)
{
    s->surface.core->flush_vertices();
    pthread_mutex_lock(&egl_image_mutex);
    if (s->texture_bound && s->surface.kind == TGT_PBUFFER)
        s->surface.core->release_tex_image(s->surface.gl, TEXTURE_2D);
    __atomic_store_n(&s->texture_bound, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&egl_image_mutex);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglReleaseTexImage(EGLDisplay dpy, EGLSurface handle,
                                                     EGLint buffer)
{
    EGL_COMMAND;
    egl_waits_finish();
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_surface *s = d ? surface_for(dpy, handle) : NULL;
    EGLint error;

    if (!s)
        return EGL_FALSE;
    error = check_texture(s, buffer);
    if (error == EGL_SUCCESS)
        release_texture(s);
    egl_surface_unref(s);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}
