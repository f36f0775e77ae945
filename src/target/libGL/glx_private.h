/* SPDX-License-Identifier: MIT */
/*
 * Objects of the GLX client library. All state lives in this process; the server's GLX extension,
 * if present, only provides error and event codes.
 *
 * glx_lock protects the lists of displays, contexts and drawables. It is held for lookups only,
 * never while the core draws or an X request is made. Objects are reference-counted: the API handle
 * holds one reference and each thread to which the object is current holds one.
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

struct glx_screen;

struct __GLXFBConfigRec {
    struct tgt_config base; /* native_id is the X visual */
    struct glx_screen *screen;
    int visual_class; /* X class: TrueColor or DirectColor */
};

struct glx_visual {
    XVisualInfo info;
    /* atomic: configuration that glXGetConfig describes, see glXChooseVisual */
    struct __GLXFBConfigRec *config;
};

static inline struct __GLXFBConfigRec *glx_visual_config(const struct glx_visual *visual)
{
    return __atomic_load_n(&visual->config, __ATOMIC_RELAXED);
}

struct glx_screen {
    struct glx_display *display;
    int number;
    struct winsys *ws; /* NULL if the screen is unusable */
    struct __GLXFBConfigRec *configs;
    unsigned n_configs;
    struct glx_visual *visuals;
    unsigned n_visuals;
};

struct glx_display {
    struct list_head link;
    Display *dpy; /* NULL once closed */
    const struct indium_core *core;
    XExtCodes *hooks; /* Xlib client-side extension with close-display and error-string hooks */
    int error_base, event_base, major_opcode;
    struct list_head drawables;
    struct glx_screen *screens;
    int n_screens;
};

struct glx_drawable {
    struct tgt_object object; /* member of display->drawables */
    struct glx_display *display;
    GLXDrawable id;
    XID native;
    struct __GLXFBConfigRec *config;
    struct tgt_surface surface;
    bool implicit; /* wraps a plain window that was made current; id == native */
    bool bound;    /* atomic: has been current before */
    bool preserved, largest;
    unsigned long event_mask;
    int texture_format, texture_target; /* GLX_EXT_texture_from_pixmap */
    int threads;                        /* number of threads to which it is current */
};

struct __GLXcontextRec {
    struct tgt_object object; /* member of the list of contexts */
    struct glx_display *display;
    struct __GLXFBConfigRec *config; /* NULL if created without a config */
    struct glx_screen *screen;
    XID id;
    struct gl_context *gl;
    enum gl_api api;
    enum gl_reset_strategy reset;
    bool no_error;
    struct glx_thread *thread; /* thread to which it is current; may be NULL */
};

/* Objects that are current to a thread. */
struct glx_thread {
    Display *dpy;
    GLXContext ctx;
    struct glx_drawable *draw, *read;
};

/* glx_display.c */
extern pthread_mutex_t glx_lock;
/* Finds or creates the state of a display. Returns NULL if the display is unusable. */
struct glx_display *glx_display_get(Display *dpy);
struct glx_screen *glx_screen_get(Display *dpy, int screen);
/* Raises an X error. `code` is an error of X.h, or GLX_ERROR() of an error in glxproto.h. */
#define GLX_ERROR(code) (0x100 | (code))
void glx_error(Display *dpy, int code, XID resource, int minor_opcode);
bool glx_config_valid(Display *dpy, GLXFBConfig config);

/* glx_config.c */
bool glx_configs_init(struct glx_screen *screen);
void glx_configs_finish(struct glx_screen *screen);
struct glx_visual *glx_visual_find(struct glx_screen *screen, VisualID id);
/* Returns a status code of glXGetConfig. */
int glx_config_attrib(const struct __GLXFBConfigRec *config, int attribute, int *value);

/* glx_context.c */
struct glx_thread *glx_thread_get(void);
void glx_contexts_close(struct glx_display *display);

/* glx_drawable.c */
/* Returns a reference to a drawable. Wraps a plain window for ctx (may be NULL) if needed. On
 * failure returns NULL and stores the error code. */
struct glx_drawable *glx_drawable_get(struct glx_display *display, GLXDrawable id, GLXContext ctx,
                                      int *error);
void glx_drawable_unref(struct glx_drawable *d); /* may be NULL */
void glx_drawables_close(struct glx_display *display);

#endif
