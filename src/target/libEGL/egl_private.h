/* SPDX-License-Identifier: MIT */
/*
 * EGL objects. Handles are pointers, but they are looked up in the display's lists before use, so
 * invalid handles are never dereferenced. egl_lock protects the lists, the reference counts, and
 * which thread an object is current to. fork() takes it, with the rules of util/fork_lock.h, so
 * nothing that takes another lock is called with egl_lock held. A display's connection and configs
 * stay valid during each call that uses the display (egl_display_get). Surfaces with a winsys
 * drawable hold a reference to the connection.
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

/* Where a display's native windows and pixmaps come from. The native display of a platform may be
 * NULL; libEGL then opens the default one. */
enum egl_platform {
    EGL_ON_DEFAULT, /* X11 if there is a server, else surfaceless; decided by eglInitialize */
    EGL_ON_X11,     /* native display is a Display */
    EGL_ON_XCB,     /* native display is an xcb_connection_t */
    EGL_ON_WAYLAND, /* native display is a wl_display */
    EGL_ON_GBM,     /* native display is a gbm_device of our libgbm or our backend */
    EGL_ON_SURFACELESS,
    EGL_ON_DEVICE,
};

/* Platforms with windows that the build has (meson options), and their client extensions. */
#if EGL_HAS_X11
#define EGL_X11_EXTENSIONS "EGL_EXT_platform_x11 EGL_EXT_platform_xcb EGL_KHR_platform_x11 "
#else
#define EGL_X11_EXTENSIONS ""
#endif
#if EGL_HAS_WAYLAND
#define EGL_WAYLAND_EXTENSIONS "EGL_EXT_platform_wayland EGL_KHR_platform_wayland "
#else
#define EGL_WAYLAND_EXTENSIONS ""
#endif
#if EGL_HAS_GBM
#define EGL_GBM_EXTENSIONS "EGL_KHR_platform_gbm EGL_MESA_platform_gbm "
#else
#define EGL_GBM_EXTENSIONS ""
#endif
#define EGL_WINDOW_PLATFORM_EXTENSIONS EGL_X11_EXTENSIONS EGL_WAYLAND_EXTENSIONS EGL_GBM_EXTENSIONS

/* Client extensions for the platforms. */
#define EGL_PLATFORM_EXTENSIONS                                                                    \
    EGL_WINDOW_PLATFORM_EXTENSIONS                                                                 \
    "EGL_EXT_platform_device "                                                                     \
    "EGL_MESA_platform_surfaceless"

/* Values of ws_config.native_id on Wayland: wl_shm formats ARGB8888 and XRGB8888. */
enum { EGL_WAYLAND_ALPHA = 0, EGL_WAYLAND_OPAQUE = 1 };

/* A connection to a window system, shared by a display and its surfaces. */
struct egl_native {
    unsigned refs; /* protected by egl_lock */
    struct winsys *ws;
    void *owned_connection; /* xcb connection that libEGL opened, else NULL */
};

/* An EGLConfig. */
struct egl_config {
    struct tgt_config base; /* native_id is 0 for pbuffer-only configs */
    bool can_window;        /* EGL_WINDOW_BIT of EGL_SURFACE_TYPE */
    EGLint select_group;    /* EGL_CONFIG_SELECT_GROUP_EXT */
    EGLint renderable;      /* EGL_RENDERABLE_TYPE */
};

/* An EGLDisplay. It exists until the process exits; eglTerminate only closes its connection. */
struct egl_display {
    struct list_head link;
    enum egl_platform platform;
    void *handle;  /* native display given by the application */
    EGLint screen; /* X screen; -1: the default */
    /* Calls that use the following fields hold `use` for reading; eglInitialize and eglTerminate
     * hold it for writing. A thread takes `gate` before it waits for `use`, so a writer is not
     * starved. */
    pthread_rwlock_t use;
    pthread_mutex_t gate;
    EGLLabelKHR debug_label; /* atomic; written under egl_lock */
    bool initialized;
    bool has_blob_cache; /* eglSetBlobCacheFuncsANDROID succeeded; protected by egl_lock */
    bool has_windows;    /* `native` is a window system; false: headless, pbuffers only */
    struct egl_native *native;
    struct egl_config *configs;
    unsigned n_configs;
    struct list_head surfaces, contexts, syncs, images;
    struct list_head pixmaps; /* egl_pixmap.link; protected by egl_lock */
};

/* A pixmap with an image. Textures may still hold the image after eglTerminate. */
struct egl_pixmap {
    struct list_head link; /* in its display's list */
    struct tgt_surface *surface;
    /* The owner's reference to the connection. egl_pixmaps_close drops it and sets it to NULL. */
    struct egl_native **native;
    /* The owner's pointer to the thread to which the pixmap is current. Either may be NULL. */
    struct egl_thread *const *thread;
};

/* An EGLSurface. */
struct egl_surface {
    struct tgt_object object; /* first */
    struct egl_display *display;
    struct egl_config config;
    struct egl_native *native; /* owns a reference; NULL without a winsys drawable */
    struct tgt_surface surface;
    uintptr_t native_id; /* window or pixmap; 0 for pbuffers */
    /* Values of the attributes with these names. */
    EGLint render_buffer, swap_behavior, colorspace, multisample_resolve;
    EGLint texture_format, texture_target, mipmap_texture, mipmap_level;
    EGLint largest;      /* EGL_LARGEST_PBUFFER */
    bool present_opaque; /* EGL_PRESENT_OPAQUE_EXT */
    bool texture_bound;  /* eglBindTexImage is in effect; atomic; written under egl_image_mutex */
    /* Image of a pixmap; NULL: none. eglBindTexImage creates it if the surface's handle is valid.
     * It holds a reference to the surface, and is destroyed when the handle becomes invalid.
     * Protected by egl_image_mutex. */
    struct gl_shared_image *image;
    struct egl_pixmap pixmap;   /* listed once it has had an image */
    bool age_asked, damage_set; /* age queried, damage set since the last swap (partial_update) */
    struct egl_thread *thread;  /* thread to which it is current; may be NULL */
    EGLLabelKHR debug_label;    /* atomic; written under egl_lock */
};

/* An EGLImage. */
struct egl_image {
    struct list_head link;
    struct gl_shared_image *gl; /* owned; its address is also the EGLImage handle */
    EGLLabelKHR debug_label;    /* atomic; written under egl_lock */
    struct tgt_picture picture; /* fourcc is NULL unless the image is in shared memory */
};

/* An EGLContext. */
struct egl_context {
    struct tgt_object object; /* first */
    struct egl_display *display;
    struct egl_config config; /* id is 0 if created without a config */
    struct gl_context *gl;
    EGLenum api;                  /* EGL_OPENGL_API or EGL_OPENGL_ES_API */
    EGLint major;                 /* major version of `gl`, which may exceed the requested one */
    enum gl_reset_strategy reset; /* share groups must agree on it */
    bool no_error;
    struct egl_wait *waits;    /* server waits that are not over (egl_sync.c) */
    struct egl_thread *thread; /* thread to which it is current; may be NULL */
    EGLLabelKHR debug_label;   /* atomic; written under egl_lock */
};

/* State of a thread. It holds references to its current objects. */
struct egl_thread {
    EGLint error; /* for eglGetError */
    EGLenum api;  /* set by eglBindAPI; 0 means EGL_OPENGL_ES_API */
    struct egl_context *ctx;
    struct egl_surface *draw, *read;
    unsigned using; /* number of nested egl_display_get; 2 if a callback calls EGL */
    /* For EGL_KHR_debug: the outermost command that runs (or NULL), whether it has failed, and the
     * labels of the thread and of the command's primary object. */
    const char *command;
    bool failed;
    EGLLabelKHR label, object_label;
};

/* The rest of an attribute list of the application, which ends with EGL_NONE. */
struct egl_attribs {
    const void *next; /* next attribute; NULL: none */
    bool wide;        /* the elements are EGLAttrib, else EGLint */
};

/* Stores the list's next attribute and its value and advances. Returns false at the end. */
static inline bool egl_attribs_next(struct egl_attribs *list, EGLAttrib *name, EGLAttrib *value)
{
    const EGLAttrib *wide = list->next;
    const EGLint *narrow = list->next;

    if (!list->next || (list->wide ? *wide : *narrow) == EGL_NONE)
        return false;
    *name = list->wide ? wide[0] : narrow[0];
    *value = list->wide ? wide[1] : narrow[1];
    list->next = list->wide ? (const void *)(wide + 2) : (const void *)(narrow + 2);
    return true;
}

extern pthread_mutex_t egl_lock;

/* egl_ok sets the calling thread's error to EGL_SUCCESS and returns EGL_TRUE. egl_fail sets it to
 * `error` and returns 0, which is the failure value of every EGL return type. Both also set whether
 * the thread's command has failed (egl_thread.failed). */
EGLBoolean egl_ok(void);
EGLBoolean egl_fail(EGLint error);

/* egl_debug.c: begin and end a command. egl_command_begin returns whether the application called
 * the command, that is, whether no other command is running in this thread. egl_command_end sends a
 * debug message if the command failed. Every command starts with the declaration EGL_COMMAND, which
 * calls both. EGL_COMMAND_NAMED passes another name than that of the function. */
bool egl_command_begin(const char *name);
void egl_command_end(const bool *outermost);
#define EGL_COMMAND EGL_COMMAND_NAMED(__func__)
#define EGL_COMMAND_NAMED(name)                                                                    \
    __attribute__((cleanup(egl_command_end))) const bool egl_outermost = egl_command_begin(name)

/* egl_display.c */
struct egl_display *egl_display_find(EGLDisplay dpy); /* NULL if invalid; sets no error */
/* Returns a display and keeps it initialized until egl_display_leave. On failure, returns NULL and
 * sets EGL_BAD_DISPLAY or EGL_NOT_INITIALIZED. Makes the display the primary object of the command
 * (egl_thread.object_label). The caller stores the result in a variable declared with EGL_IN_USE,
 * which calls egl_display_leave at the end of its scope. Calls may nest. */
struct egl_display *egl_display_get(EGLDisplay dpy);
void egl_display_leave(struct egl_display **d); /* *d may be NULL */
#define EGL_IN_USE __attribute__((cleanup(egl_display_leave)))
/* Returns whether an initialized display shows windows of an X server. */
bool egl_display_is_x11(const struct egl_display *d);
/* Returns whether any display has a context with that handle. */
bool egl_context_exists(EGLContext handle);
void egl_native_unref(struct egl_native *native); /* drops a reference; may be NULL */
/* Returns whether memory is mapped at p, a native handle from the application. X ids, for example,
 * are not addresses. */
bool egl_is_mapped(const void *p);

#if EGL_HAS_X11
/* egl_x11.c: returns whether a native display, which must be mapped, looks like an Xlib Display: a
 * certain field of it points to a function. */
bool egl_x11_is_display(const void *native);
/* Opens the X11 winsys for a display whose platform, handle and screen are set. Stores the id of
 * the screen's root visual in *root_visual. The caller owns the reference. Returns NULL, with
 * *root_visual unchanged, on failure, for example if there is no server, no such screen, or no
 * libxcb. */
struct egl_native *egl_x11_open(struct egl_display *d, uint32_t *root_visual);
/* Closes a connection that egl_x11_open() opened. */
void egl_x11_close(void *connection);
#else
/* Stubs for builds without X11. */
static inline bool egl_x11_is_display(const void *native)
{
    return false;
}
static inline struct egl_native *egl_x11_open(struct egl_display *d, uint32_t *root_visual)
{
    return NULL;
}
static inline void egl_x11_close(void *connection)
{
}
#endif

#if EGL_HAS_GBM
/* egl_gbm.c: returns whether a native display, which must be mapped, is a device of any libgbm. */
bool egl_gbm_is_device(const void *native);
/* Returns a winsys for a device that our libgbm or our backend of Mesa's libgbm has created; if
 * device is NULL, for /dev/dri/card0. Returns NULL on failure, for example for another device. */
struct winsys *egl_gbm_open(const void *device);
#else
/* Stubs for builds without GBM. */
static inline bool egl_gbm_is_device(const void *native)
{
    return false;
}
static inline struct winsys *egl_gbm_open(const void *device)
{
    return NULL;
}
#endif

/* egl_config.c: creates d->configs from the configurations of d->native, and from
 * tgt_float_natives. root_visual is the native_id of the preferred configs. Returns false if out of
 * memory. */
bool egl_configs_init(struct egl_display *d, uint32_t root_visual);
struct egl_config *egl_config_get(struct egl_display *d, EGLConfig config); /* NULL if invalid */
EGLint egl_config_surfaces(const struct egl_config *c);                     /* EGL_SURFACE_TYPE */
EGLint egl_max_pbuffer_size(void); /* side length in pixels */

/* egl_surface.c: returns a new reference to a surface, or NULL if the handle is invalid. */
struct egl_surface *egl_surface_ref(struct egl_display *d, EGLSurface handle);
void egl_surface_unref(struct egl_surface *s); /* drops a reference; may be NULL */
/* Invalidates the handles of all surfaces, and destroys the images of pixmap surfaces. */
void egl_surfaces_close(struct egl_display *d);

/* egl_context.c: returns the calling thread's state; never NULL. */
struct egl_thread *egl_thread_get(void);
void egl_contexts_close(struct egl_display *d); /* invalidates the handles of all contexts */
/* Returns a new reference to a context, or NULL if the handle is invalid. */
struct egl_context *egl_context_ref(struct egl_display *d, EGLContext handle);
void egl_context_unref(struct egl_context *ctx); /* drops a reference; may be NULL */

/* egl_sync.c: signals all syncs and invalidates their handles. */
void egl_syncs_close(struct egl_display *d);
/* Forgets the threads that wait for syncs. Called in the child of a fork, with egl_lock held. */
void egl_syncs_reset(void);
/* Blocks until the server waits of the thread's current context, if any, are over. GL commands that
 * draw or may access shared objects do so, too. The caller must hold no lock. */
void egl_waits_finish(void);
/* Drops the server waits of a context that is being destroyed, without waiting for them. */
void egl_waits_drop(struct egl_context *ctx);
/* Sets the debug label of a sync. Returns false if the handle is invalid. */
bool egl_sync_label(struct egl_display *d, EGLSync handle, EGLLabelKHR label);

/* egl_image.c: destroys all images of a display. */
void egl_images_close(struct egl_display *d);
/* Add p to the display's list, and remove it again if it is listed. The display has the same
 * connection as *p->native. */
void egl_pixmap_list(struct egl_display *d, struct egl_pixmap *p);
void egl_pixmap_forget(struct egl_pixmap *p);
/* Detaches the listed pixmaps from their native objects and drops their references to the
 * connection, unless they are current to a thread. Textures keep their last contents. */
void egl_pixmaps_close(struct egl_display *d);
/* Held by eglDestroyImage, and by other calls while they use an image. In the lock order, it comes
 * before the core's locks and egl_lock. */
extern pthread_mutex_t egl_image_mutex;
/* Destroys the core image and the picture, and frees the image, which must not be in a list. */
void egl_image_free(struct egl_image *image);
/* Adds an image to the display's list and returns its handle. */
EGLImage egl_image_list(struct egl_display *d, struct egl_image *image);
/* Returns the image with a handle, or NULL if it is invalid. The caller holds egl_lock. */
struct egl_image *egl_image_find(struct egl_display *d, EGLImage handle);

/* egl_dmabuf.c: implements eglCreateImage for EGL_LINUX_DMA_BUF_EXT, including the thread's error:
 * EGL_SUCCESS, or another one if it returns EGL_NO_IMAGE. */
EGLImage egl_dmabuf_image(struct egl_display *d, EGLContext ctx, EGLClientBuffer buffer,
                          struct egl_attribs attribs);

#endif
