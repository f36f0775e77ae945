/* SPDX-License-Identifier: MIT */
/* Rendering contexts and current objects. */
#include <pthread.h>
#include <stdlib.h>

#include "target/libGL/glx_private.h"
#include "winsys/x11/ws_x11_xcb.h"

static struct list_head glx_contexts = {&glx_contexts, &glx_contexts}; /* requires glx_lock */
static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;
static __thread struct glx_thread glx_thread;

static void release_current(struct glx_thread *t);

/* Releases the core's context, unless another window-system API has already replaced it. */
static void release_core(const struct glx_thread *t)
{
    const struct indium_core *core = indium_core_interface();

    if (core->get_current() == t->ctx->gl)
        core->make_current(NULL, NULL, NULL);
}

static void thread_exit(void *data)
{
    struct glx_thread *t = data;

    if (t->ctx) {
        release_core(t);
        release_current(t);
    }
}

static void thread_init(void)
{
    pthread_key_create(&thread_key, thread_exit);
}

struct glx_thread *glx_thread_get(void)
{
    return &glx_thread;
}

/* Returns whether ctx is a valid context. Requires glx_lock. */
static bool context_valid(GLXContext ctx)
{
    list_for_each_entry (struct __GLXcontextRec, c, &glx_contexts, object.link) {
        if (c == ctx)
            return true;
    }
    return false;
}

/* Returns a reference to a context that was not destroyed, or NULL. */
static GLXContext context_ref_valid(GLXContext ctx)
{
    bool valid;

    pthread_mutex_lock(&glx_lock);
    valid = context_valid(ctx);
    if (valid)
        ctx->object.refs++;
    pthread_mutex_unlock(&glx_lock);
    return valid ? ctx : NULL;
}

/* Returns a reference to a context that is valid or current to the thread, or NULL. */
static GLXContext context_ref(GLXContext ctx)
{
    bool valid;

    if (!ctx)
        return NULL;
    pthread_mutex_lock(&glx_lock);
    /* GLX 1.4 §3.3.7: a destroyed context exists while it is current to this thread */
    valid = ctx == glx_thread.ctx || context_valid(ctx);
    if (valid)
        ctx->object.refs++;
    pthread_mutex_unlock(&glx_lock);
    return valid ? ctx : NULL;
}

static void context_destroy(void *object)
{
    GLXContext ctx = object;

    indium_core_interface()->context_destroy(ctx->gl);
    free(ctx);
}

static const struct tgt_object_kind context_kind = {&glx_lock, context_destroy};

static void context_unref(GLXContext ctx)
{
    tgt_object_unref(&context_kind, ctx);
}

/* Drops the thread's current objects, which the core has already released. */
static void release_current(struct glx_thread *t)
{
    struct glx_thread old = *t;

    pthread_mutex_lock(&glx_lock);
    if (old.ctx)
        old.ctx->thread = NULL;
    pthread_mutex_unlock(&glx_lock);
    *t = (struct glx_thread){0};
    glx_drawable_unref(old.draw);
    glx_drawable_unref(old.read);
    context_unref(old.ctx);
}

void glx_contexts_close(struct glx_display *display)
{
    struct glx_thread *t = &glx_thread;
    GLXContext found;

    if (t->ctx && t->ctx->display == display) {
        release_core(t);
        release_current(t);
    }
    do {
        found = NULL;
        pthread_mutex_lock(&glx_lock);
        list_for_each_entry (struct __GLXcontextRec, c, &glx_contexts, object.link) {
            if (c->display == display)
                found = c;
        }
        pthread_mutex_unlock(&glx_lock);
        if (found)
            tgt_object_forget(&context_kind, found);
    } while (found);
}

/* Returns the X error for a failed context creation. */
static int create_error(enum gl_create_error error)
{
    switch (error) {
    case GL_CREATE_NO_MEMORY:
        return BadAlloc;
    case GL_CREATE_BAD_API:
        return GLX_ERROR(GLXBadProfileARB);
    case GL_CREATE_BAD_SHARE:
    case GL_CREATE_BAD_FLAG:
        return BadMatch;
    default:
        return GLX_ERROR(GLXBadFBConfig);
    }
}

static GLXContext create_context(struct glx_display *display, struct glx_screen *screen,
                                 struct __GLXFBConfigRec *config, GLXContext share,
                                 struct gl_context_attribs *attribs, int minor)
{
    const struct ws_xcb_api *xcb = ws_xcb_load();
    enum gl_create_error error = GL_CREATE_NO_MEMORY;
    GLXContext shared = context_ref(share), ctx = NULL;
    const XID share_id = shared ? shared->id : None;
    int code = 0;

    if (share && !shared)
        code = GLX_ERROR(GLXBadContext);
    else if (shared && (shared->display != display || shared->screen != screen ||
                        shared->reset != attribs->reset || shared->no_error != attribs->no_error))
        code = BadMatch;
    if (!code) {
        ctx = calloc(1, sizeof *ctx);
        attribs->share = shared ? shared->gl : NULL;
        attribs->visual = config ? &config->base.gl : NULL;
        if (ctx)
            ctx->gl = display->core->context_create(attribs, &error);
        if (!ctx || !ctx->gl)
            code = create_error(error);
    }
    context_unref(shared);
    if (code) {
        free(ctx);
        glx_error(display->dpy, code, 0, minor);
        return NULL;
    }
    ctx->display = display;
    ctx->config = config;
    ctx->screen = screen;
    ctx->id = xcb->generate_id(xcb->get_xcb_connection(display->dpy));
    ctx->api = attribs->api;
    ctx->reset = attribs->reset;
    ctx->no_error = attribs->no_error;
    ctx->share = share_id;
    tgt_object_list(&context_kind, &glx_contexts, ctx, 1);
    return ctx;
}

static GLXContext create_legacy_context(Display *dpy, struct __GLXFBConfigRec *config,
                                        GLXContext share, int minor)
{
    struct gl_context_attribs attribs = {.api = GL_API_COMPAT, .major = 1, .minor = 0};

    return create_context(config->screen->display, config->screen, config, share, &attribs, minor);
}

GLX_EXPORT GLXContext glXCreateContext(Display *dpy, XVisualInfo *info, GLXContext share,
                                       Bool direct)
{
    struct glx_screen *screen = info ? glx_screen_get(dpy, info->screen) : NULL;
    struct glx_visual *visual = screen ? glx_visual_find(screen, info->visualid) : NULL;

    if (!visual) {
        glx_error(dpy, BadValue, info ? info->visualid : 0, X_GLXCreateContext);
        return NULL;
    }
    return create_legacy_context(dpy, glx_visual_config(visual), share, X_GLXCreateContext);
}

/* Returns 0 if contexts for the configuration can have a render type, or the error code. */
static int check_render_type(const struct __GLXFBConfigRec *config, int type)
{
    switch (type) {
    case GLX_RGBA_TYPE:
    case GLX_RGBA_FLOAT_TYPE_ARB:
    case GLX_RGBA_UNSIGNED_FLOAT_TYPE_EXT:
        return type == glx_config_render_type(config) ? 0 : BadMatch;
    case GLX_COLOR_INDEX_TYPE:
        return BadMatch;
    default:
        return BadValue;
    }
}

GLX_EXPORT GLXContext glXCreateNewContext(Display *dpy, GLXFBConfig config, int render_type,
                                          GLXContext share, Bool direct)
{
    int error;

    if (!glx_display_get(dpy))
        return NULL;
    if (!glx_config_valid(dpy, config)) {
        glx_error(dpy, GLX_ERROR(GLXBadFBConfig), 0, X_GLXCreateNewContext);
        return NULL;
    }
    error = check_render_type(config, render_type);
    if (error) {
        glx_error(dpy, error, render_type, X_GLXCreateNewContext);
        return NULL;
    }
    return create_legacy_context(dpy, config, share, X_GLXCreateNewContext);
}

GLX_EXPORT GLXContext glXCreateContextWithConfigSGIX(Display *dpy, GLXFBConfigSGIX config,
                                                     int render_type, GLXContext share, Bool direct)
{
    return glXCreateNewContext(dpy, config, render_type, share, direct);
}

/* Attributes of glXCreateContextAttribsARB, as given. */
struct context_request {
    int major, minor, profile, flags, render_type, reset, screen, release;
    bool has_render_type, no_error;
};

/* Parses an attribute list. Returns false if an attribute or value is unknown. */
static bool parse_context_attribs(struct context_request *r, const int *attribs)
{
    *r = (struct context_request){
        .major = 1,
        .profile = GLX_CONTEXT_CORE_PROFILE_BIT_ARB,
        .render_type = GLX_RGBA_TYPE,
        .reset = GLX_NO_RESET_NOTIFICATION_ARB,
        .screen = -1,
        .release = GLX_CONTEXT_RELEASE_BEHAVIOR_FLUSH_ARB,
    };
    for (; attribs && *attribs != None; attribs += 2) {
        switch (attribs[0]) {
        case GLX_CONTEXT_MAJOR_VERSION_ARB:
            r->major = attribs[1];
            break;
        case GLX_CONTEXT_MINOR_VERSION_ARB:
            r->minor = attribs[1];
            break;
        case GLX_CONTEXT_PROFILE_MASK_ARB:
            r->profile = attribs[1];
            break;
        case GLX_CONTEXT_FLAGS_ARB:
            r->flags = attribs[1];
            break;
        case GLX_RENDER_TYPE:
            r->render_type = attribs[1];
            r->has_render_type = true;
            break;
        case GLX_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB:
            r->reset = attribs[1];
            break;
        case GLX_CONTEXT_OPENGL_NO_ERROR_ARB:
            r->no_error = attribs[1];
            break;
        case GLX_CONTEXT_RELEASE_BEHAVIOR_ARB:
            r->release = attribs[1];
            break;
        case GLX_SCREEN:
            r->screen = attribs[1];
            break;
        default:
            return false;
        }
    }
    return !(r->flags & ~(GLX_CONTEXT_DEBUG_BIT_ARB | GLX_CONTEXT_FORWARD_COMPATIBLE_BIT_ARB |
                          GLX_CONTEXT_ROBUST_ACCESS_BIT_ARB));
}

/* Converts the request to core attributes. Returns 0 or the error code. */
static int resolve_request(const struct indium_core *core, const struct context_request *r,
                           struct gl_context_attribs *a)
{
    bool forward = r->flags & GLX_CONTEXT_FORWARD_COMPATIBLE_BIT_ARB;
    bool es = r->profile == GLX_CONTEXT_ES_PROFILE_BIT_EXT;

    *a = (struct gl_context_attribs){
        .major = r->major,
        .minor = r->minor,
        .debug = r->flags & GLX_CONTEXT_DEBUG_BIT_ARB,
        .forward_compatible = forward,
        .robust_access = r->flags & GLX_CONTEXT_ROBUST_ACCESS_BIT_ARB,
        .no_error = r->no_error,
        .no_release_flush = r->release == GLX_CONTEXT_RELEASE_BEHAVIOR_NONE_ARB,
        .reset = r->reset == GLX_LOSE_CONTEXT_ON_RESET_ARB ? GL_RESET_LOSE_CONTEXT
                                                           : GL_RESET_NO_NOTIFICATION,
    };
    if (r->release != GLX_CONTEXT_RELEASE_BEHAVIOR_NONE_ARB &&
        r->release != GLX_CONTEXT_RELEASE_BEHAVIOR_FLUSH_ARB)
        return BadValue;
    /* GLX_ARB_create_context_robustness specifies no error; other drivers raise this one */
    if (r->reset != GLX_NO_RESET_NOTIFICATION_ARB && r->reset != GLX_LOSE_CONTEXT_ON_RESET_ARB)
        return BadMatch;
    if (r->profile != GLX_CONTEXT_CORE_PROFILE_BIT_ARB &&
        r->profile != GLX_CONTEXT_COMPATIBILITY_PROFILE_BIT_ARB && !es)
        return GLX_ERROR(GLXBadProfileARB);
    /* GLX_ARB_create_context_no_error: not allowed with debugging or robustness */
    if (a->no_error && (a->debug || a->robust_access))
        return BadMatch;
    if (es) {
        if (!tgt_version_defined(true, r->major, r->minor))
            return GLX_ERROR(GLXBadProfileARB);
        a->api = r->major == 1 ? GL_API_ES1 : GL_API_ES2;
        return forward ? BadMatch : 0;
    }
    if (!tgt_version_defined(false, r->major, r->minor) || (forward && r->major < 3))
        return BadMatch;
    a->api = tgt_desktop_api(core, r->major, r->minor, forward,
                             r->profile == GLX_CONTEXT_CORE_PROFILE_BIT_ARB);
    return 0;
}

GLX_EXPORT GLXContext glXCreateContextAttribsARB(Display *dpy, GLXFBConfig config, GLXContext share,
                                                 Bool direct, const int *attrib_list)
{
    struct glx_display *display = glx_display_get(dpy);
    struct gl_context_attribs attribs;
    struct context_request r;
    struct glx_screen *screen = NULL;
    int error = 0;

    if (!display)
        return NULL;
    if (config && !glx_config_valid(dpy, config))
        error = GLX_ERROR(GLXBadFBConfig);
    else if (!parse_context_attribs(&r, attrib_list))
        error = BadValue;
    else
        error = resolve_request(display->core, &r, &attribs);
    if (!error && config)
        error = check_render_type(config, r.render_type);
    if (!error) {
        screen = config ? config->screen : glx_screen_get(dpy, r.screen);
        /* GLX_EXT_no_config_context: requires a screen and forbids a render type */
        if (!screen || (!config && r.has_render_type) ||
            (config && r.screen >= 0 && r.screen != config->screen->number))
            error = BadValue;
    }
    if (error) {
        glx_error(dpy, error, 0, X_GLXCreateContextAttribsARB);
        return NULL;
    }
    return create_context(display, screen, config, share, &attribs, X_GLXCreateContextAttribsARB);
}

/* Has no effect on a context that was destroyed, but is still current to the thread. */
GLX_EXPORT void glXDestroyContext(Display *dpy, GLXContext ctx)
{
    if (!context_ref(ctx)) {
        glx_error(dpy, GLX_ERROR(GLXBadContext), 0, X_GLXDestroyContext);
        return;
    }
    tgt_object_forget(&context_kind, ctx);
    context_unref(ctx);
}

/* Returns whether a drawable (may be NULL) is a window that was destroyed. The windows of a closed
 * display don't count, because errors cannot be raised there. */
static bool window_is_gone(struct glx_drawable *d)
{
    return d && d->config && d->surface.kind == TGT_WINDOW && !tgt_surface_update(&d->surface);
}

int glx_check_current(const struct glx_thread *t)
{
    const bool gone = window_is_gone(t->draw) || (t->read != t->draw && window_is_gone(t->read));

    return gone ? GLX_ERROR(GLXBadCurrentDrawable) : 0;
}

GLX_EXPORT void glXCopyContext(Display *dpy, GLXContext src, GLXContext dst, unsigned long mask)
{
    GLXContext from = context_ref(src), to = context_ref(dst);
    int error = 0;

    if (!from || !to)
        error = GLX_ERROR(GLXBadContext);
    else if (from->screen != to->screen)
        error = BadMatch;
    else if (from == glx_thread.ctx && glx_check_current(&glx_thread))
        error = GLX_ERROR(GLXBadCurrentDrawable);
    else if (!from->display->core->context_copy(from->gl, to->gl, mask))
        error = BadAccess;
    context_unref(from);
    context_unref(to);
    if (error)
        glx_error(dpy, error, 0, X_GLXCopyContext);
}

GLX_EXPORT Bool glXIsDirect(Display *dpy, GLXContext ctx)
{
    bool valid;

    pthread_mutex_lock(&glx_lock);
    valid = context_valid(ctx);
    pthread_mutex_unlock(&glx_lock);
    if (!valid)
        glx_error(dpy, GLX_ERROR(GLXBadContext), 0, X_GLXIsDirect);
    return valid;
}

/* Returns whether the context can be current without a default framebuffer: GL 3.0 and ES 2.0. */
static bool surfaceless_capable(const struct __GLXcontextRec *ctx)
{
    return ctx->api == GL_API_CORE || ctx->api == GL_API_ES2 ||
           (ctx->api == GL_API_COMPAT && ctx->display->core->max_version(GL_API_COMPAT) >= 30);
}

static bool current_elsewhere(const struct glx_thread *t, const struct __GLXcontextRec *ctx)
{
    bool elsewhere;

    pthread_mutex_lock(&glx_lock);
    elsewhere = ctx->thread && ctx->thread != t;
    pthread_mutex_unlock(&glx_lock);
    return elsewhere;
}

/* Returns whether the thread's context is in selection or feedback mode. */
static bool has_render_mode(const struct glx_thread *t)
{
    const struct indium_core *core = indium_core_interface();
    void (*get)(GLenum, GLint *);
    GLint mode = GL_RENDER;

    /* other APIs lack the modes; another window-system API may have replaced the context */
    if (!t->ctx || t->ctx->api != GL_API_COMPAT || core->get_current() != t->ctx->gl)
        return false;
    get = (void (*)(GLenum, GLint *))core->get_proc_address("glGetIntegerv");
    if (get)
        get(GL_RENDER_MODE, &mode);
    return mode == GL_SELECT || mode == GL_FEEDBACK;
}

/* Makes the objects current and, on success, takes ownership of the references. Returns 0 or the
 * error code. */
static int bind(struct glx_thread *t, Display *dpy, GLXContext ctx, struct glx_drawable *draw,
                struct glx_drawable *read)
{
    if (!ctx->display->core->make_current(ctx->gl, draw ? draw->surface.gl : NULL,
                                          read ? read->surface.gl : NULL))
        return BadAccess; /* another thread was faster */
    pthread_once(&thread_once, thread_init);
    pthread_setspecific(thread_key, t);
    if (draw)
        __atomic_store_n(&draw->bound, true, __ATOMIC_RELAXED);
    if (read)
        __atomic_store_n(&read->bound, true, __ATOMIC_RELAXED);
    release_current(t);
    pthread_mutex_lock(&glx_lock);
    ctx->thread = t;
    pthread_mutex_unlock(&glx_lock);
    *t = (struct glx_thread){dpy, ctx, draw, read};
    return 0;
}

/* Returns whether the drawable's name is still valid. */
static bool is_listed(const struct glx_drawable *d)
{
    bool listed;

    pthread_mutex_lock(&glx_lock);
    listed = !list_is_empty(&d->object.link);
    pthread_mutex_unlock(&glx_lock);
    return listed;
}

/* Returns whether the objects are already current and unchanged, and no other window-system API has
 * replaced them. Programs often make the same objects current for each frame. */
static bool stay_current(const struct glx_thread *t, const Display *dpy, GLXContext ctx,
                         GLXDrawable draw_id, GLXDrawable read_id)
{
    return t->ctx == ctx && t->dpy == dpy && t->draw && t->draw == t->read &&
           indium_core_interface()->get_current() == ctx->gl && t->draw->id == draw_id &&
           draw_id == read_id && is_listed(t->draw) && tgt_surface_is_unchanged(&t->draw->surface);
}

/* Returns whether these objects are current to the thread. */
static bool is_current(const struct glx_thread *t, GLXContext ctx, GLXDrawable draw_id,
                       GLXDrawable read_id)
{
    return t->ctx == ctx && (t->draw ? t->draw->id : None) == draw_id &&
           (t->read ? t->read->id : None) == read_id;
}

/* Returns whether a context and a drawable are compatible: same screen, same type of rendering, and
 * color buffers of the same depth (GLX 1.4 §2.1). Other buffers may differ, because programs use
 * pbuffers that they have chosen without regard to the context. A context without a config is
 * compatible with all drawables of its screen (GLX_EXT_no_config_context). */
static bool is_compatible(const struct __GLXcontextRec *ctx, const struct glx_drawable *d)
{
    const struct tgt_config *a = ctx->config ? &ctx->config->base : NULL, *b = &d->config->base;

    if (d->config->screen != ctx->screen)
        return false;
    if (!a)
        return true;
    /* a plain window has no configuration of its own, but keeps that of its first context */
    if (d->implicit)
        return a->native.format == b->native.format;
    return glx_config_render_type(ctx->config) == glx_config_render_type(d->config) &&
           a->bits.red == b->bits.red && a->bits.green == b->bits.green &&
           a->bits.blue == b->bits.blue;
}

static Bool make_current(Display *dpy, GLXDrawable draw_id, GLXDrawable read_id, GLXContext handle,
                         int minor)
{
    struct glx_display *display = glx_display_get(dpy);
    struct glx_thread *t = &glx_thread;
    struct glx_drawable *draw = NULL, *read = NULL;
    GLXContext ctx;
    int error = 0;

    if (!display)
        return False;
    if (!handle) {
        if (draw_id || read_id) {
            glx_error(dpy, BadMatch, draw_id ? draw_id : read_id, minor);
            return False;
        }
        if (t->ctx) {
            release_core(t);
            release_current(t);
        }
        return True;
    }
    if (stay_current(t, dpy, handle, draw_id, read_id)) {
        display->core->flush(false);
        return True;
    }
    /* GLX 1.4 §3.3.7: a destroyed context cannot become current, but it can stay current */
    ctx = is_current(t, handle, draw_id, read_id) ? context_ref(handle) : context_ref_valid(handle);
    if (!ctx || ctx->display != display)
        error = GLX_ERROR(GLXBadContext);
    else if (current_elsewhere(t, ctx))
        error = BadAccess;
    else if (ctx != t->ctx && has_render_mode(t))
        error = GLX_ERROR(GLXBadContextState);
    else if (!draw_id != !read_id || (!draw_id && !surfaceless_capable(ctx)))
        error = BadMatch;
    if (!error && draw_id)
        draw = glx_drawable_get(display, draw_id, ctx, &error);
    if (draw)
        read = glx_drawable_get(display, read_id, ctx, &error);
    if (draw && read)
        error = 0;
    if (!error && draw && (!is_compatible(ctx, draw) || !is_compatible(ctx, read)))
        error = BadMatch;
    if (!error)
        error = bind(t, dpy, ctx, draw, read);
    if (!error)
        return True;
    glx_drawable_unref(draw);
    glx_drawable_unref(read);
    context_unref(ctx);
    glx_error(dpy, error, draw_id, minor);
    return False;
}

GLX_EXPORT Bool glXMakeCurrent(Display *dpy, GLXDrawable drawable, GLXContext ctx)
{
    return make_current(dpy, drawable, drawable, ctx, X_GLXMakeCurrent);
}

GLX_EXPORT Bool glXMakeContextCurrent(Display *dpy, GLXDrawable draw, GLXDrawable read,
                                      GLXContext ctx)
{
    return make_current(dpy, draw, read, ctx, X_GLXMakeContextCurrent);
}

GLX_EXPORT Bool glXMakeCurrentReadSGI(Display *dpy, GLXDrawable draw, GLXDrawable read,
                                      GLXContext ctx)
{
    return make_current(dpy, draw, read, ctx, X_GLXVendorPrivateWithReply);
}

GLX_EXPORT GLXContext glXGetCurrentContext(void)
{
    return glx_thread.ctx;
}

GLX_EXPORT GLXDrawable glXGetCurrentDrawable(void)
{
    return glx_thread.draw ? glx_thread.draw->id : None;
}

GLX_EXPORT GLXDrawable glXGetCurrentReadDrawable(void)
{
    return glx_thread.read ? glx_thread.read->id : None;
}

GLX_EXPORT GLXDrawable glXGetCurrentReadDrawableSGI(void)
{
    return glXGetCurrentReadDrawable();
}

GLX_EXPORT Display *glXGetCurrentDisplay(void)
{
    return glx_thread.dpy;
}

GLX_EXPORT int glXQueryContext(Display *dpy, GLXContext handle, int attribute, int *value)
{
    GLXContext ctx = context_ref(handle);
    int result = 0, status = Success;

    if (!ctx) {
        glx_error(dpy, GLX_ERROR(GLXBadContext), 0, X_GLXQueryContext);
        return GLX_BAD_CONTEXT;
    }
    switch (attribute) {
    case GLX_FBCONFIG_ID:
        result = ctx->config ? ctx->config->base.id : 0;
        break;
    case GLX_RENDER_TYPE:
        result = ctx->config ? glx_config_render_type(ctx->config) : (int)GLX_DONT_CARE;
        break;
    case GLX_VISUAL_ID:
        result = ctx->config ? ctx->config->base.native.native_id : None;
        break;
    case GLX_SCREEN:
        result = ctx->screen->number;
        break;
    default:
        status = GLX_BAD_ATTRIBUTE;
    }
    context_unref(ctx);
    if (value && status == Success)
        *value = result;
    return status;
}

/* GLX_EXT_import_context. All contexts are direct, so none can be imported. */
GLX_EXPORT Display *glXGetCurrentDisplayEXT(void)
{
    return glXGetCurrentDisplay();
}

GLX_EXPORT int glXQueryContextInfoEXT(Display *dpy, GLXContext handle, int attribute, int *value)
{
    GLXContext ctx = context_ref(handle);
    int result = 0, status = Success;

    if (!ctx)
        return GLX_BAD_CONTEXT;
    switch (attribute) {
    case GLX_SHARE_CONTEXT_EXT:
        result = ctx->share;
        break;
    case GLX_VISUAL_ID_EXT:
        result = ctx->config ? ctx->config->base.native.native_id : None;
        break;
    case GLX_SCREEN_EXT:
        result = ctx->screen->number;
        break;
    case GLX_FBCONFIG_ID_SGIX: /* of GLX_SGIX_fbconfig, like the following one */
        result = ctx->config ? ctx->config->base.id : 0;
        break;
    case GLX_RENDER_TYPE_SGIX:
        result = ctx->config ? glx_config_render_type(ctx->config) : (int)GLX_DONT_CARE;
        break;
    default:
        status = GLX_BAD_ATTRIBUTE;
    }
    context_unref(ctx);
    if (value && status == Success)
        *value = result;
    return status;
}

GLX_EXPORT GLXContextID glXGetContextIDEXT(const GLXContext handle)
{
    GLXContext ctx = context_ref(handle);
    const XID id = ctx ? ctx->id : None;

    context_unref(ctx);
    return id;
}

GLX_EXPORT GLXContext glXImportContextEXT(Display *dpy, GLXContextID id)
{
    struct glx_display *display = glx_display_get(dpy);
    bool found = false;

    if (!display)
        return NULL;
    pthread_mutex_lock(&glx_lock);
    list_for_each_entry (struct __GLXcontextRec, c, &glx_contexts, object.link)
        found |= c->id == id;
    pthread_mutex_unlock(&glx_lock);
    if (!found)
        glx_error(dpy, GLX_ERROR(GLXBadContext), id, X_GLXVendorPrivateWithReply);
    return NULL;
}

/* Has no effect, because no context was imported. */
GLX_EXPORT void glXFreeContextEXT(Display *dpy, GLXContext handle)
{
    GLXContext ctx = context_ref(handle);

    if (!ctx)
        glx_error(dpy, GLX_ERROR(GLXBadContext), 0, X_GLXVendorPrivate);
    context_unref(ctx);
}

GLX_EXPORT void glXWaitGL(void)
{
    int error;

    if (!glx_thread.ctx)
        return;
    indium_core_interface()->flush(true);
    error = glx_check_current(&glx_thread);
    if (error)
        glx_error(glx_thread.dpy, error, glx_thread.draw->id, X_GLXWaitGL);
}

GLX_EXPORT void glXWaitX(void)
{
    int error;

    if (!glx_thread.ctx)
        return;
    XSync(glx_thread.dpy, False);
    error = glx_check_current(&glx_thread);
    if (error)
        glx_error(glx_thread.dpy, error, glx_thread.draw->id, X_GLXWaitX);
}
