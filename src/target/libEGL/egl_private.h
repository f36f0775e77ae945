/* SPDX-License-Identifier: MIT */
/*
 * EGL objects. Handles are pointers, but they are looked up in the display's lists before use, so
 * invalid handles are never dereferenced. egl_lock protects lists and reference counts; it is not
 * held while the core draws. A display's connection and configs stay valid during each call that
 * uses it (egl_display_get); surfaces hold a reference to the connection.
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
    EGL_ON_DEFAULT, /* X11 if there is a server, else surfaceless; decided by eglInitialize */
    EGL_ON_X11,     /* native display is a Display */
    EGL_ON_XCB,     /* native display is an xcb_connection_t */
    EGL_ON_WAYLAND, /* native display is a wl_display */
    EGL_ON_GBM,     /* native display is a gbm_device of our libgbm, or NULL */
    EGL_ON_SURFACELESS,
    EGL_ON_DEVICE,
};

/* Extension strings of the platforms. */
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

/* A connection to a window system, shared by a display and its surfaces. */
struct egl_native {
    unsigned refs;
    struct winsys *ws;
    void *owned_connection; /* connection to close with the last reference; may be NULL */
};

struct egl_config {
    struct tgt_config base; /* native_id is 0 for pbuffer-only configs */
    bool can_window;
    EGLint renderable;
};

struct egl_display {
    struct list_head link;
    enum egl_platform platform;
    void *handle; /* native display given by the application */
    EGLint screen;
    /* `use` is read-locked by calls that use the fields below, and write-locked by eglInitialize
     * and eglTerminate. `gate` makes them wait in order of arrival. */
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
    bool age_asked, damage_set; /* since the last swap (EGL_KHR_partial_update) */
    struct egl_thread *thread;  /* thread to which it is current; may be NULL */
};

struct egl_image {
    struct list_head link;
    struct gl_shared_image *gl; /* also the handle */
    struct tgt_picture picture; /* fourcc is NULL for images of a texture or renderbuffer */
};

struct egl_context {
    struct tgt_object object; /* first */
    struct egl_display *display;
    struct egl_config config; /* id is 0 if created without a config */
    struct gl_context *gl;
    EGLenum api;
    EGLint major;
    enum gl_reset_strategy reset;
    bool no_error;
    struct egl_thread *thread;
};

struct egl_thread {
    EGLint error;
    EGLenum api; /* 0 means EGL_OPENGL_ES_API */
    struct egl_context *ctx;
    struct egl_surface *draw, *read;
    unsigned using; /* number of nested calls that hold a display; 2 in a callback */
};

extern pthread_mutex_t egl_lock;

/* Set the thread's error. egl_fail returns 0 so that its result fits any return type. */
EGLBoolean egl_ok(void);
EGLBoolean egl_fail(EGLint error);

/* egl_display.c */
struct egl_display *egl_display_find(EGLDisplay dpy); /* NULL if invalid; sets no error */
/* Returns the initialized display and keeps it initialized until egl_display_leave. On failure
 * returns NULL and sets EGL_BAD_DISPLAY or EGL_NOT_INITIALIZED. Store the result in a variable
 * declared EGL_IN_USE, which calls egl_display_leave at the end of its scope. Calls nest. */
struct egl_display *egl_display_get(EGLDisplay dpy);
void egl_display_leave(struct egl_display **d); /* *d may be NULL */
#define EGL_IN_USE __attribute__((cleanup(egl_display_leave)))
void egl_native_unref(struct egl_native *native); /* may be NULL */
/* Returns false if p, a pointer from the application, is not mapped (for example an X id). */
bool egl_is_mapped(const void *p);

/* egl_x11.c: whether a mapped native display may be an Xlib Display, judged by a function pointer
 * in it. */
bool egl_x11_is_display(const void *native);
/* Opens the X11 winsys of a display whose platform, handle and screen are set. Returns NULL if
 * there is no server or no libxcb. */
struct egl_native *egl_x11_open(struct egl_display *d, uint32_t *root_visual);

/* egl_gbm.c: egl_gbm_is_device returns whether a native display is a device of any libgbm.
 * egl_gbm_open returns the winsys of a device of our libgbm (NULL: the first device of the system),
 * or NULL on failure. */
bool egl_gbm_is_device(const void *native);
struct winsys *egl_gbm_open(const void *device);

/* egl_config.c */
bool egl_configs_init(struct egl_display *d, uint32_t root_visual);
struct egl_config *egl_config_get(struct egl_display *d, EGLConfig config); /* NULL if invalid */
EGLint egl_max_pbuffer_size(void); /* side length in pixels */

/* egl_surface.c */
struct egl_surface *egl_surface_ref(struct egl_display *d, EGLSurface handle); /* NULL if invalid */
void egl_surface_unref(struct egl_surface *s);
void egl_surfaces_close(struct egl_display *d); /* forgets all surfaces */

/* egl_context.c */
struct egl_thread *egl_thread_get(void);
void egl_contexts_close(struct egl_display *d); /* forgets all contexts */
struct egl_context *egl_context_ref(struct egl_display *d, EGLContext handle);
void egl_context_unref(struct egl_context *ctx);

/* egl_sync.c */
void egl_syncs_close(struct egl_display *d);

/* egl_image.c */
void egl_images_close(struct egl_display *d);
void egl_image_free(struct egl_image *image);
/* Adds an image to the display's list and returns its handle. */
EGLImage egl_image_list(struct egl_display *d, struct egl_image *image);
struct egl_image *egl_image_find(struct egl_display *d, EGLImage handle); /* requires egl_lock */

/* egl_dmabuf.c: creates an image of a dma-buf. attribs holds EGLAttribs if `wide`, else EGLints. On
 * failure, sets the error and returns EGL_NO_IMAGE. */
EGLImage egl_dmabuf_image(struct egl_display *d, EGLContext ctx, EGLClientBuffer buffer,
                          const void *attribs, bool wide);

#endif
