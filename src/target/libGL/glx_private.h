/* SPDX-License-Identifier: MIT */
/*
 * Objects of the GLX client library. All state lives in this process; the server's GLX extension,
 * if present, only provides error and event codes.
 *
 * glx_lock protects the lists of displays, contexts and drawables, the reference counts, and which
 * thread an object is current to. It is held for lookups only, never while the core draws or an X
 * request is made. Contexts and drawables are reference-counted (tgt_object.h).
 */
#ifndef GLX_PRIVATE_H
#define GLX_PRIVATE_H

#include <X11/Xlib.h>
#include <X11/Xlibint.h>
#include <X11/Xutil.h>

#define GLX_GLXEXT_PROTOTYPES
#include <GL/glx.h>
#include <GL/glxproto.h>
#undef MIN
#undef MAX

#include "target/common/tgt_object.h"
#include "target/common/tgt_surface.h"
#include "util/list.h"
#include "util/macros.h"

#define GLX_EXPORT PUBLIC

/* Token of GLX_ATI_pixel_format_float, which glxext.h lacks. */
#define GLX_RGBA_FLOAT_ATI_BIT 0x100

struct glx_screen;

/* A GLXFBConfig. The screen owns it. */
struct __GLXFBConfigRec {
    struct tgt_config base; /* native_id is the X visual; 0: none */
    struct glx_screen *screen;
    /* Value of GLX_VISUAL_SELECT_GROUP_SGIX: red has more than 8 bits, and the depth of the visual
     * differs from that of the root window. Always true for floating-point colors. */
    bool deep;
    int visual_class; /* X class of the visual, TrueColor or DirectColor; -1 without a visual */
};

/* An X visual. */
struct glx_visual {
    XVisualInfo info;
    /* atomic: the configuration assigned to the visual. glXGetConfig and glXCreateContext use it;
     * glXChooseVisual and glXGetVisualFromFBConfig change it. */
    struct __GLXFBConfigRec *config;
};

/* Returns the configuration that is assigned to a visual; never NULL. */
static inline struct __GLXFBConfigRec *glx_visual_config(const struct glx_visual *visual)
{
    return __atomic_load_n(&visual->config, __ATOMIC_RELAXED);
}

/* A screen of a display, with its configurations and visuals, which it owns. */
struct glx_screen {
    struct glx_display *display;
    int number;
    struct winsys *ws; /* NULL if GLX cannot use the screen; there are no configs then */
    struct __GLXFBConfigRec *configs;
    unsigned n_configs;
    struct glx_visual *visuals;
    unsigned n_visuals;
};

/* GLX state of an Xlib display. */
struct glx_display {
    struct list_head link;
    Display *dpy; /* when XCloseDisplay closes it, this struct is freed */
    const struct indium_core *core;
    XExtCodes *hooks; /* our hooks in Xlib: closing the display, texts of errors; may be NULL */
    /* Codes of the server's GLX extension. Without the extension, high codes, which servers assign
     * last. */
    int error_base, event_base, major_opcode;
    struct list_head drawables;
    struct glx_screen *screens;
    int n_screens;
};

/* A GLXDrawable: window, pixmap or pbuffer. */
struct glx_drawable {
    struct tgt_object object;    /* member of display->drawables */
    struct glx_display *display; /* freed when Xlib closes the display */
    GLXDrawable id;
    XID native;                      /* X window or pixmap; None for a pbuffer */
    struct __GLXFBConfigRec *config; /* NULL once Xlib has closed the display */
    struct tgt_surface surface;
    bool implicit; /* created for an X window that was used without a GLXWindow; id == native */
    bool bound;    /* atomic: has been current to a thread at least once */
    bool preserved, largest;            /* GLX_PRESERVED_CONTENTS, GLX_LARGEST_PBUFFER */
    unsigned long event_mask;           /* atomic: set by glXSelectEvent */
    int texture_format, texture_target; /* GLX_EXT_texture_from_pixmap */
    /* Image of the pixmap, created by glXBindTexImageEXT and destroyed with the drawable's handle;
     * otherwise NULL. It holds a reference to the drawable. Protected by image_lock, which is
     * private to glx_drawable.c. */
    struct gl_shared_image *image;
};

/* A GLXContext. */
struct __GLXcontextRec {
    struct tgt_object object;        /* member of the list of contexts */
    struct glx_display *display;     /* freed when Xlib closes the display */
    struct __GLXFBConfigRec *config; /* NULL if created without a config */
    struct glx_screen *screen;
    XID id;
    struct gl_context *gl;
    enum gl_api api;
    enum gl_reset_strategy reset;
    bool no_error;
    XID share;                 /* id of the context passed to share objects with, or None */
    struct glx_thread *thread; /* thread to which it is current; may be NULL */
};

/* Objects that are current to a thread, which holds references to them. */
struct glx_thread {
    Display *dpy;
    GLXContext ctx;
    struct glx_drawable *draw, *read;
};

/* glx_display.c */
extern pthread_mutex_t glx_lock; /* follows the rules of util/fork_lock.h */
/* Returns the state of a display, created at the first call. Returns NULL if dpy is NULL, the core
 * has another version, or when out of memory. */
struct glx_display *glx_display_get(Display *dpy);
/* Returns a screen of a display, or NULL if there is none with this number or glx_display_get()
 * fails. */
struct glx_screen *glx_screen_get(Display *dpy, int screen);
/* Error number for glx_error that stands for a GLX error of glxproto.h. */
#define GLX_ERROR(code) (0x100 | (code))
/* Raises an X error, after those of earlier requests (XSync). `code` is an error of X.h, or
 * GLX_ERROR() of a GLX error. minor_opcode is the GLX request that failed (X_GLX*). Does nothing if
 * glx_display_get() fails. */
void glx_error(Display *dpy, int code, XID resource, int minor_opcode);
/* Returns whether `config`, a pointer from the application, is a configuration of the display. */
bool glx_config_valid(Display *dpy, GLXFBConfig config);

/* glx_config.c: creates the configurations and visuals of a screen; none if screen->ws is NULL.
 * Returns false if out of memory; the caller must call glx_configs_finish then, too. */
bool glx_configs_init(struct glx_screen *screen);
void glx_configs_finish(struct glx_screen *screen); /* frees the configurations and visuals */
/* Returns the visual with that id. Returns NULL if the screen is NULL, has no such visual, or has
 * no configuration for it. */
struct glx_visual *glx_visual_find(struct glx_screen *screen, VisualID id);
/* Returns the render type of contexts for a configuration (GLX_RGBA_TYPE …). */
int glx_config_render_type(const struct __GLXFBConfigRec *config);
/* Stores the value of a GLX attribute. Returns a status code of glXGetConfig, 0 for success. */
int glx_config_attrib(const struct __GLXFBConfigRec *config, int attribute, int *value);

/* glx_context.c: returns the calling thread's current objects; never NULL. */
struct glx_thread *glx_thread_get(void);
/* Queries the windows that are current to the thread. Returns 0 if they exist, or the code for
 * glx_error (GLXBadCurrentDrawable) if one was destroyed. Returns 0 for windows of a display that
 * Xlib has closed. */
int glx_check_current(const struct glx_thread *t);
/* Invalidates the handles of all contexts of a display. Releases the calling thread's current
 * context if it is one of them. */
void glx_contexts_close(struct glx_display *display);

/* glx_drawable.c */
/* Returns a new reference to a drawable. Updates the size of a window. If id is that of an X
 * window, creates an implicit drawable if there is none, even if the window has a GLXWindow. It has
 * the configuration of ctx or, if ctx or its configuration is NULL, that of the window's visual. It
 * replaces an implicit drawable whose window is destroyed, or which has another configuration than
 * ctx and was never current. On failure, returns NULL and stores the code for glx_error in *error;
 * on success, *error is undefined. */
struct glx_drawable *glx_drawable_get(struct glx_display *display, GLXDrawable id, GLXContext ctx,
                                      int *error);
/* Returns a new reference to a drawable that is to be presented. Unlike glx_drawable_get, doesn't
 * update the size of an existing drawable, because the frame was drawn with the old size. On
 * failure, raises the X error and returns NULL. minor: the GLX request, as in glx_error. */
struct glx_drawable *glx_drawable_get_shown(Display *dpy, GLXDrawable id, int minor);
void glx_drawable_unref(struct glx_drawable *d); /* drops a reference; may be NULL */
/* Invalidates all drawables of a display. Detaches those that a thread or texture still uses from
 * their windows, and sets their config to NULL. */
void glx_drawables_close(struct glx_display *display);

/* glx_sync.c: swaps the buffers of a drawable (tgt_surface_swap). If a double-buffered window was
 * presented and has selected the event of GLX_INTEL_swap_event, adds the event to Xlib's queue. */
void glx_swap(Display *dpy, struct glx_drawable *d);
/* Registers the function that converts the wire format of GLX_INTEL_swap_event with Xlib.
 * display->event_base must be set. */
void glx_sync_init(struct glx_display *display);

#endif
