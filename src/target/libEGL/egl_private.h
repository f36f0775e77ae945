/* SPDX-License-Identifier: MIT */
/*
 * Objects of EGL. Handles are pointers, looked up in their display's lists before they are used, so
 * that no handle, however wrong, is followed. One mutex (egl_lock) guards lists and reference
 * counts; it is not held while the core draws. A display's connection and configs last as long as a
 * call uses it (egl_display_get); surfaces hold the connection themselves.
 */
#ifndef EGL_PRIVATE_H
#define EGL_PRIVATE_H

#define EGL_EGLEXT_PROTOTYPES
#define EGL_NO_X11 /* no Xlib headers: X types are integers and void pointers here */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <pthread.h>

#include "target/common/tgt_memory.h"
#include "target/common/tgt_object.h"
#include "target/common/tgt_surface.h"
#include "util/list.h"
#include "util/macros.h"

#define EGL_EXPORT PUBLIC

enum egl_platform {
    EGL_ON_DEFAULT, /* X11 if there is a server, else surfaceless; settled by eglInitialize */
    EGL_ON_X11,     /* native is a Display */
    EGL_ON_XCB,     /* native is an xcb_connection_t */
    EGL_ON_WAYLAND, /* native is a wl_display */
    EGL_ON_GBM,     /* native is a gbm_device of our libgbm, or NULL */
    EGL_ON_SURFACELESS,
    EGL_ON_DEVICE,
};

/* Their extensions. */
#define EGL_PLATFORM_EXTENSIONS                                                                    \
    "EGL_EXT_platform_device "                                                                     \
    "EGL_EXT_platform_wayland "                                                                    \
    "EGL_EXT_platform_x11 "                                                                        \
    "EGL_EXT_platform_xcb "                                                                        \
    "EGL_KHR_platform_gbm "                                                                        \
    "EGL_KHR_platform_wayland "                                                                    \
    "EGL_KHR_platform_x11 "                                                                        \
    "EGL_MESA_platform_gbm "                                                                       \
    "EGL_MESA_platform_surfaceless"

/* A connection to a window system, shared by a display and its native surfaces. */
struct egl_native {
    unsigned refs;
    struct winsys *ws;
    void *owned_connection; /* closed with the last reference, or NULL */
};

struct egl_config {
    struct tgt_config base; /* native_id 0: pbuffers only */
    bool can_window;
    EGLint renderable;
};

struct egl_display {
    struct list_head link;
    enum egl_platform platform;
    void *handle; /* native display as given */
    EGLint screen;
    /* read by calls that use the rest, written by eglInitialize and eglTerminate; whoever comes to
     * the gate first waits first */
    pthread_rwlock_t use;
    pthread_mutex_t gate;
    bool initialized;
    bool has_windows;
    struct egl_native *native;
    struct egl_config *configs;
    unsigned n_configs;
    struct list_head surfaces, contexts, syncs, images;
};

struct egl_surface {
    struct tgt_object object; /* first */
    struct egl_display *display;
    struct egl_config config;
    struct egl_native *native;
    struct tgt_surface surface;
    uintptr_t native_id;
    EGLint render_buffer, swap_behavior, colorspace, multisample_resolve;
    EGLint texture_format, texture_target, mipmap_texture, mipmap_level;
    EGLint largest;
    bool texture_bound;
    bool age_asked, damage_set; /* since the last swap: EGL_KHR_partial_update */
    struct egl_thread *thread;  /* to which it is current, or NULL */
};

struct egl_image {
    struct list_head link;
    struct gl_shared_image *gl; /* the handle */
    struct tgt_picture picture; /* fourcc NULL: of a texture or renderbuffer */
};

struct egl_context {
    struct tgt_object object; /* first */
    struct egl_display *display;
    struct egl_config config; /* id 0: created without one */
    struct gl_context *gl;
    EGLenum api;
    EGLint major;
    enum gl_reset_strategy reset;
    bool no_error;
    struct egl_thread *thread;
};

struct egl_thread {
    EGLint error;
    EGLenum api; /* 0 stands for EGL_OPENGL_ES_API */
    struct egl_context *ctx;
    struct egl_surface *draw, *read;
    unsigned using; /* displays in use by calls of the thread: 2 in a callback's */
};

extern pthread_mutex_t egl_lock;

/* Set the thread's error. egl_fail returns 0, for any kind of result. */
EGLBoolean egl_ok(void);
EGLBoolean egl_fail(EGLint error);

/* egl_display.c */
struct egl_display *egl_display_find(EGLDisplay dpy); /* NULL if it is none; no error set */
/* The same, initialized, and staying so until egl_display_leave; else NULL with EGL_BAD_DISPLAY or
 * EGL_NOT_INITIALIZED set. To be kept in a variable declared EGL_IN_USE, which leaves it at its end.
 * Calls nest. */
struct egl_display *egl_display_get(EGLDisplay dpy);
void egl_display_leave(struct egl_display **d); /* NULL is fine */
#define EGL_IN_USE __attribute__((cleanup(egl_display_leave)))
void egl_native_unref(struct egl_native *native); /* NULL is fine */
/* False: a pointer of the application's that leads nowhere, such as a number of X. */
bool egl_is_mapped(const void *p);

/* egl_x11.c: whether a mapped native display may be a Display of Xlib: it has a function where these do. */
bool egl_x11_is_display(const void *native);
/* Opens the X11 winsys of a display that has platform, handle and screen set. NULL if
 * there is no server or no libxcb. */
struct egl_native *egl_x11_open(struct egl_display *d, uint32_t *root_visual);

/* egl_gbm.c: whether a native display is one of some libgbm; the winsys of one of ours, and for NULL of
 * the first device that there is, else NULL. */
bool egl_gbm_is_device(const void *native);
struct winsys *egl_gbm_open(const void *device);

/* egl_config.c */
bool egl_configs_init(struct egl_display *d, uint32_t root_visual);
struct egl_config *egl_config_get(struct egl_display *d, EGLConfig config); /* NULL: not valid */
EGLint egl_max_pbuffer_size(void);                                          /* along a side */

/* egl_surface.c */
struct egl_surface *egl_surface_ref(struct egl_display *d, EGLSurface handle); /* NULL: not valid */
void egl_surface_unref(struct egl_surface *s);
void egl_surfaces_close(struct egl_display *d); /* forgets all */

/* egl_context.c */
struct egl_thread *egl_thread_get(void);
void egl_contexts_close(struct egl_display *d); /* forgets all */
struct egl_context *egl_context_ref(struct egl_display *d, EGLContext handle);
void egl_context_unref(struct egl_context *ctx);

/* egl_sync.c */
void egl_syncs_close(struct egl_display *d);

/* egl_image.c */
void egl_images_close(struct egl_display *d);
void egl_image_free(struct egl_image *image);
/* Makes it a valid handle, which it returns. */
EGLImage egl_image_list(struct egl_display *d, struct egl_image *image);
struct egl_image *egl_image_find(struct egl_display *d, EGLImage handle); /* under egl_lock */

/* egl_dmabuf.c: an image of memory; attribs are EGLAttribs (wide) or EGLints. No image: error set. */
EGLImage egl_dmabuf_image(struct egl_display *d, EGLContext ctx, EGLClientBuffer buffer,
                          const void *attribs, bool wide);

#endif
