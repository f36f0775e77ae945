/* SPDX-License-Identifier: MIT */
/*
 * EGLImages of textures and renderbuffers (EGL_KHR_image_base, EGL_KHR_gl_texture_2D_image and
 * related extensions), of native pixmaps (EGL_KHR_image_pixmap) and of dma-bufs (egl_dmabuf.c). The
 * core owns the image; a display's list records its valid handles.
 */
#include <limits.h>
#include <stdlib.h>

#include "target/libEGL/egl_private.h"
#include "util/fork_lock.h"

pthread_mutex_t egl_image_mutex = PTHREAD_MUTEX_INITIALIZER;
/* Held while a pixmap is detached, so that its owner isn't destroyed. Taken before egl_lock. */
static pthread_mutex_t detach_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Makes the mutexes free in the child of a fork. Their holders change the lists under egl_lock, and
 * pointers to images one at a time. */
static void free_mutexes(void)
{
    util_fork_free_lock(&egl_image_mutex);
    util_fork_free_lock(&detach_mutex);
}

UTIL_AFTER_FORK(free_mutexes);

/* Takes an image from the display's list. Returns NULL if there is none. */
static struct egl_image *take_image(struct egl_display *d)
{
    struct egl_image *image = NULL;

    pthread_mutex_lock(&egl_lock);
    if (!list_is_empty(&d->images)) {
        image = list_first_entry(&d->images, struct egl_image, link);
        list_del(&image->link);
    }
    pthread_mutex_unlock(&egl_lock);
    return image;
}

void egl_images_close(struct egl_display *d)
{
    struct egl_image *image;

    while ((image = take_image(d)))
        egl_image_free(image);
}

void egl_pixmap_list(struct egl_display *d, struct egl_pixmap *p)
{
    pthread_mutex_lock(&egl_lock);
    list_add(&p->link, &d->pixmaps);
    pthread_mutex_unlock(&egl_lock);
}

void egl_pixmap_forget(struct egl_pixmap *p)
{
    pthread_mutex_lock(&detach_mutex);
    pthread_mutex_lock(&egl_lock);
    if (p->link.next) /* was listed */
        list_delinit(&p->link);
    pthread_mutex_unlock(&egl_lock);
    pthread_mutex_unlock(&detach_mutex);
}

/* Takes a pixmap that is not current from the display's list. Returns NULL if there is none. */
static struct egl_pixmap *take_pixmap(struct egl_display *d)
{
    struct egl_pixmap *found = NULL;

    pthread_mutex_lock(&egl_lock);
    list_for_each_entry (struct egl_pixmap, p, &d->pixmaps, link) {
        if (!p->thread || !*p->thread) {
            found = p;
            list_delinit(&p->link);
            break;
        }
    }
    pthread_mutex_unlock(&egl_lock);
    return found;
}

/* Detaches a listed pixmap. Returns its reference to the connection, or NULL if none is left. */
static struct egl_native *detach_pixmap(struct egl_display *d)
{
    struct egl_native *native = NULL;
    struct egl_pixmap *p;

    pthread_mutex_lock(&detach_mutex);
    p = take_pixmap(d);
    if (p) {
        tgt_surface_detach(p->surface);
        native = *p->native;
        *p->native = NULL;
    }
    pthread_mutex_unlock(&detach_mutex);
    return native;
}

void egl_pixmaps_close(struct egl_display *d)
{
    struct egl_native *native;

    while ((native = detach_pixmap(d)))
        egl_native_unref(native);
}

void egl_image_free(struct egl_image *image)
{
    if (image->gl)
        indium_core_interface()->image_destroy(image->gl);
    tgt_picture_finish(&image->picture);
    free(image);
}

EGLImage egl_image_list(struct egl_display *d, struct egl_image *image)
{
    pthread_mutex_lock(&egl_lock);
    list_add(&image->link, &d->images);
    pthread_mutex_unlock(&egl_lock);
    return image->gl;
}

struct egl_image *egl_image_find(struct egl_display *d, EGLImage handle)
{
    list_for_each_entry (struct egl_image, image, &d->images, link) {
        if (image->gl == handle)
            return image;
    }
    return NULL;
}

/* Returns the GL target of an EGL target. */
static unsigned gl_target(EGLenum target)
{
    static const struct {
        EGLenum egl;
        unsigned gl;
    } targets[] = {
        {EGL_GL_TEXTURE_2D, 0x0de1},
        {EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0x8515},
        {EGL_GL_TEXTURE_3D, 0x806f},
        {EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_X, 0x8516},
        {EGL_GL_RENDERBUFFER, 0x8d41},
        {EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0x8517},
        {0, 0},
        {EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0x8518},
        {0, 0},
        {EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_Z, 0x8519},
        {0, 0},
        {EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0x851a},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++) {
        if (target && targets[i].egl == target)
            return targets[i].gl;
    }
    return 0;
}

struct image_request {
    EGLint level, z;
};

/* Parses one attribute. Returns EGL_SUCCESS or the error of EGL 1.5 §3.9. */
static EGLint parse_attrib(struct image_request *r, EGLenum target, EGLAttrib name, EGLAttrib value)
{
    const bool in_range = value >= 0 && value <= INT_MAX;

    switch (name) {
    case EGL_IMAGE_PRESERVED: /* contents are always preserved */
        return value == EGL_TRUE || value == EGL_FALSE ? EGL_SUCCESS : EGL_BAD_PARAMETER;
    case EGL_WIDTH: /* for dma-bufs, but programs pass them for others, too */
    case EGL_HEIGHT:
        return EGL_SUCCESS;
    case EGL_GL_TEXTURE_LEVEL:
        if (target == EGL_GL_RENDERBUFFER || !in_range)
            return EGL_BAD_MATCH;
        r->level = (EGLint)value;
        return EGL_SUCCESS;
    case EGL_GL_TEXTURE_ZOFFSET:
        if (target != EGL_GL_TEXTURE_3D)
            return EGL_BAD_MATCH;
        if (!in_range)
            return EGL_BAD_PARAMETER;
        r->z = (EGLint)value;
        return EGL_SUCCESS;
    default:
        return EGL_BAD_PARAMETER;
    }
}

/* Parses an attribute list. Returns EGL_SUCCESS or the error. */
static EGLint parse_attribs(struct image_request *r, EGLenum target, struct egl_attribs attribs)
{
    EGLAttrib name, value;

    while (egl_attribs_next(&attribs, &name, &value)) {
        const EGLint error = parse_attrib(r, target, name, value);

        if (error != EGL_SUCCESS)
            return error;
    }
    return EGL_SUCCESS;
}

static EGLint image_error(enum gl_image_error error)
{
    switch (error) {
    case GL_IMAGE_NO_MEMORY:
        return EGL_BAD_ALLOC;
    case GL_IMAGE_BAD_MATCH:
        return EGL_BAD_MATCH;
    default:
        return EGL_BAD_PARAMETER;
    }
}

/* Creates and lists an image. Returns EGL_NO_IMAGE and sets *error on failure. */
static EGLImage make_image(struct egl_display *d, const struct egl_context *ctx, EGLenum target,
                           EGLClientBuffer buffer, const struct image_request *r, EGLint *error)
{
    const struct indium_core *core = indium_core_interface();
    struct egl_image *image = calloc(1, sizeof *image);
    enum gl_image_error failed = GL_IMAGE_NO_MEMORY;

    if (image)
        image->gl = core->image_create(ctx->gl, gl_target(target), (unsigned)(uintptr_t)buffer,
                                       r->level, r->z, &failed);
    if (!image || !image->gl) {
        free(image);
        *error = image_error(failed);
        return EGL_NO_IMAGE;
    }
    return egl_image_list(d, image);
}

/* A pixmap with an image, which owns it. */
struct pixmap {
    struct tgt_surface surface;
    struct egl_native *native; /* owns a reference */
    struct egl_pixmap listed;
};

static void pixmap_free(void *data)
{
    struct pixmap *p = data;

    egl_pixmap_forget(&p->listed);
    tgt_surface_finish(&p->surface);
    egl_native_unref(p->native);
    free(p);
}

/* Opens a native pixmap. On failure, returns NULL and sets *error. */
static struct pixmap *pixmap_open(struct egl_display *d, uintptr_t id, EGLint *error)
{
    bool no_memory = false;
    struct ws_drawable *native =
        d->has_windows ? tgt_native_open(d->native->ws, id, true, &no_memory) : NULL;
    const bool supported =
        native && indium_core_interface()->image_format_supported(native->config.format);
    struct pixmap *p = supported ? calloc(1, sizeof *p) : NULL;

    *error = supported || no_memory ? EGL_BAD_ALLOC : EGL_BAD_PARAMETER;
    if (native && !p)
        native->ws->ops->drawable_destroy(native);
    if (!p)
        return NULL;
    const struct gl_visual visual = {.color = native->config.format};
    if (!tgt_surface_init(&p->surface, indium_core_interface(), TGT_PIXMAP, &visual, native, 0,
                          0)) {
        free(p);
        return NULL;
    }
    pthread_mutex_lock(&egl_lock);
    p->native = d->native;
    p->native->refs++;
    pthread_mutex_unlock(&egl_lock);
    p->listed = (struct egl_pixmap){.surface = &p->surface, .native = &p->native};
    egl_pixmap_list(d, &p->listed);
    return p;
}

/* Creates and lists an image of a native pixmap (EGL_KHR_image_pixmap). Returns EGL_NO_IMAGE and
 * sets *error on failure. */
static EGLImage pixmap_image(struct egl_display *d, EGLClientBuffer buffer, EGLint *error)
{
    struct pixmap *p = pixmap_open(d, (uintptr_t)buffer, error);
    struct egl_image *image = p ? calloc(1, sizeof *image) : NULL;

    if (image)
        image->gl = tgt_surface_image(&p->surface, pixmap_free, p);
    if (!image || !image->gl) {
        free(image);
        if (p)
            pixmap_free(p);
        return EGL_NO_IMAGE;
    }
    return egl_image_list(d, image);
}

static EGLImage create_image(EGLDisplay dpy, EGLContext handle, EGLenum target,
                             EGLClientBuffer buffer, struct egl_attribs attribs)
{
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct image_request r = {0};
    struct egl_context *ctx;
    EGLImage image = EGL_NO_IMAGE;
    EGLint error = EGL_BAD_PARAMETER;

    if (!d)
        return EGL_NO_IMAGE;
    if (target == EGL_LINUX_DMA_BUF_EXT)
        return egl_dmabuf_image(d, handle, buffer, attribs);
    ctx = egl_context_ref(d, handle);
    if (target == EGL_NATIVE_PIXMAP_KHR && egl_display_is_x11(d)) {
        if (!handle) /* attributes are ignored */
            image = pixmap_image(d, buffer, &error);
    } else if (gl_target(target) && !ctx) {
        error = EGL_BAD_CONTEXT;
    } else if (gl_target(target) && (uintptr_t)buffer <= UINT_MAX) { /* a name of GL */
        error = parse_attribs(&r, target, attribs);
        if (error == EGL_SUCCESS)
            image = make_image(d, ctx, target, buffer, &r, &error);
    }
    egl_context_unref(ctx);
    if (image)
        egl_ok();
    else
        egl_fail(error);
    return image;
}

EGL_EXPORT EGLImage EGLAPIENTRY eglCreateImage(EGLDisplay dpy, EGLContext ctx, EGLenum target,
                                               EGLClientBuffer buffer, const EGLAttrib *attribs)
{
    EGL_COMMAND;
    return create_image(dpy, ctx, target, buffer, (struct egl_attribs){attribs, true});
}

EGL_EXPORT EGLImageKHR EGLAPIENTRY eglCreateImageKHR(EGLDisplay dpy, EGLContext ctx, EGLenum target,
                                                     EGLClientBuffer buffer, const EGLint *attribs)
{
    EGL_COMMAND;
    return create_image(dpy, ctx, target, buffer, (struct egl_attribs){attribs, false});
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroyImage(EGLDisplay dpy, EGLImage handle)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_image *found;

    if (!d)
        return EGL_FALSE;
    pthread_mutex_lock(&egl_image_mutex);
    pthread_mutex_lock(&egl_lock);
    found = egl_image_find(d, handle);
    if (found)
        list_del(&found->link);
    pthread_mutex_unlock(&egl_lock);
    if (found)
        egl_image_free(found);
    pthread_mutex_unlock(&egl_image_mutex);
    return found ? egl_ok() : egl_fail(EGL_BAD_PARAMETER);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroyImageKHR(EGLDisplay dpy, EGLImageKHR image)
{
    EGL_COMMAND;
    return eglDestroyImage(dpy, image);
}
