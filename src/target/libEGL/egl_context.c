/* SPDX-License-Identifier: MIT */
/* Contexts, per-thread state and current objects. */
#include <stdlib.h>

#include "target/libEGL/egl_private.h"

static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;
static __thread struct egl_thread egl_thread;

struct egl_thread *egl_thread_get(void)
{
    return &egl_thread;
}

static void context_destroy(void *object)
{
    struct egl_context *ctx = object;

    indium_core_interface()->context_destroy(ctx->gl);
    egl_waits_drop(ctx);
    free(ctx);
}

static const struct tgt_object_kind context_kind = {&egl_lock, context_destroy};

struct egl_context *egl_context_ref(struct egl_display *d, EGLContext handle)
{
    return tgt_object_ref(&context_kind, &d->contexts, handle);
}

void egl_context_unref(struct egl_context *ctx)
{
    tgt_object_unref(&context_kind, ctx);
}

void egl_contexts_close(struct egl_display *d)
{
    tgt_objects_close(&context_kind, &d->contexts);
}

/* Sets the thread to which the objects are current; each may be NULL. Requires egl_lock. */
static void own(struct egl_context *ctx, struct egl_surface *draw, struct egl_surface *read,
                struct egl_thread *owner)
{
    if (ctx)
        ctx->thread = owner;
    if (draw)
        draw->thread = owner;
    if (read)
        read->thread = owner;
}

/* Replaces the thread's current objects, which the core has already released. Takes ownership of
 * the references to the new ones and drops those to the old ones. */
static void replace_current(struct egl_thread *t, struct egl_context *ctx, struct egl_surface *draw,
                            struct egl_surface *read)
{
    const struct egl_thread old = *t;

    pthread_mutex_lock(&egl_lock);
    own(old.ctx, old.draw, old.read, NULL);
    own(ctx, draw, read, t);
    t->ctx = ctx;
    t->draw = draw;
    t->read = read;
    pthread_mutex_unlock(&egl_lock);
    egl_surface_unref(old.draw);
    egl_surface_unref(old.read);
    egl_context_unref(old.ctx);
}

/* Releases the thread's context, unless another window-system API has already replaced it. */
static void release_current(struct egl_thread *t)
{
    const struct indium_core *core = indium_core_interface();

    if (!t->ctx)
        return;
    if (core->get_current() == t->ctx->gl)
        core->make_current(NULL, NULL, NULL);
    replace_current(t, NULL, NULL, NULL);
}

static void thread_exit(void *data)
{
    release_current(data);
}

static void thread_init(void)
{
    pthread_key_create(&thread_key, thread_exit);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglBindAPI(EGLenum api)
{
    EGL_COMMAND;
    if (api != EGL_OPENGL_ES_API && api != EGL_OPENGL_API)
        return egl_fail(EGL_BAD_PARAMETER);
    egl_thread.api = api;
    return egl_ok();
}

EGL_EXPORT EGLenum EGLAPIENTRY eglQueryAPI(void)
{
    EGL_COMMAND;
    egl_ok();
    return egl_thread.api ? egl_thread.api : EGL_OPENGL_ES_API;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglReleaseThread(void)
{
    EGL_COMMAND;
    struct egl_thread *t = &egl_thread;

    release_current(t);
    *t = (struct egl_thread){.using = t->using, .command = t->command, .label = t->label};
    return egl_ok();
}

/* Attributes of eglCreateContext, as given. */
struct context_request {
    EGLint major, minor, profile, reset, release;
    bool debug, forward, robust, no_error;
};

static bool parse_flag(EGLint value, bool *flag)
{
    *flag = value == EGL_TRUE;
    return value == EGL_TRUE || value == EGL_FALSE;
}

/* Parses a reset strategy. Returns false if the value is invalid. */
static bool parse_reset(struct context_request *r, EGLint value)
{
    r->reset = value;
    return value == EGL_NO_RESET_NOTIFICATION || value == EGL_LOSE_CONTEXT_ON_RESET;
}

/* Parses EGL_CONTEXT_FLAGS_KHR. Returns false if a bit is unknown or not meant for the API. */
static bool parse_flags(struct context_request *r, EGLint flags, bool gl)
{
    if (flags & ~(EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR | EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR |
                  EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR))
        return false;
    /* EGL_KHR_create_context: for ES, only the debug flag */
    if (!gl && flags & ~EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR)
        return false;
    r->debug |= flags & EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR;
    r->forward |= flags & EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR;
    r->robust |= flags & EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR;
    return true;
}

/* Parses an attribute list. Returns false for EGL_BAD_ATTRIBUTE. */
static bool parse_context_attribs(struct context_request *r, const EGLint *attribs, bool gl)
{
    *r = (struct context_request){
        .major = 1,
        .profile = EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
        .reset = EGL_NO_RESET_NOTIFICATION,
        .release = EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR,
    };
    for (; attribs && *attribs != EGL_NONE; attribs += 2) {
        bool ok = true;

        switch (attribs[0]) {
        case EGL_CONTEXT_MAJOR_VERSION:
            r->major = attribs[1];
            break;
        case EGL_CONTEXT_MINOR_VERSION:
            r->minor = attribs[1];
            break;
        case EGL_CONTEXT_OPENGL_PROFILE_MASK:
            r->profile = attribs[1];
            ok = gl;
            break;
        case EGL_CONTEXT_FLAGS_KHR:
            ok = parse_flags(r, attribs[1], gl);
            break;
        case EGL_CONTEXT_OPENGL_DEBUG:
            ok = parse_flag(attribs[1], &r->debug);
            break;
        case EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE:
            ok = gl && parse_flag(attribs[1], &r->forward);
            break;
        case EGL_CONTEXT_OPENGL_ROBUST_ACCESS:
        case EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT:
            ok = parse_flag(attribs[1], &r->robust);
            break;
        case EGL_CONTEXT_OPENGL_NO_ERROR_KHR:
            ok = parse_flag(attribs[1], &r->no_error);
            break;
        case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY:
            ok = parse_reset(r, attribs[1]);
            break;
        case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT:
            /* EGL_EXT_create_context_robustness: an error for other types than OpenGL ES */
            ok = !gl && parse_reset(r, attribs[1]);
            break;
        case EGL_CONTEXT_RELEASE_BEHAVIOR_KHR:
            r->release = attribs[1];
            ok = r->release == EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR ||
                 r->release == EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR;
            break;
        default:
            ok = false;
        }
        if (!ok)
            return false;
    }
    return true;
}

/* Validates the request and fills in *a. Returns EGL_SUCCESS or the error. */
static EGLint resolve_request(const struct context_request *r, bool gl,
                              struct gl_context_attribs *a)
{
    *a = (struct gl_context_attribs){
        .major = r->major,
        .minor = r->minor,
        .debug = r->debug,
        .forward_compatible = r->forward,
        .robust_access = r->robust,
        .no_error = r->no_error,
        .no_release_flush = r->release == EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR,
        .reset = r->reset == EGL_LOSE_CONTEXT_ON_RESET ? GL_RESET_LOSE_CONTEXT
                                                       : GL_RESET_NO_NOTIFICATION,
    };
    if (!tgt_version_defined(!gl, r->major, r->minor) || (r->forward && r->major < 3) ||
        (r->no_error && (r->debug || r->robust)))
        return EGL_BAD_MATCH;
    if (!gl) {
        a->api = r->major == 1 ? GL_API_ES1 : GL_API_ES2;
    } else {
        if (r->major * 10 + r->minor >= 32 && r->profile != EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT &&
            r->profile != EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT)
            return EGL_BAD_MATCH;
        a->api = tgt_desktop_api(indium_core_interface(), r->major, r->minor, r->forward,
                                 r->profile == EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT);
    }
    return EGL_SUCCESS;
}

static bool config_renders(const struct egl_config *config, bool gl, EGLint major)
{
    EGLint bit = gl           ? EGL_OPENGL_BIT
                 : major == 1 ? EGL_OPENGL_ES_BIT
                 : major == 2 ? EGL_OPENGL_ES2_BIT
                              : EGL_OPENGL_ES3_BIT;

    return config->renderable & bit;
}

/* Creates the core context. Returns EGL_SUCCESS or the error. */
static EGLint create_gl(struct egl_context *ctx, const struct egl_context *share,
                        struct gl_context_attribs *a)
{
    enum gl_create_error error = GL_CREATE_NO_MEMORY;

    a->share = share ? share->gl : NULL;
    ctx->gl = indium_core_interface()->context_create(a, &error);
    if (ctx->gl)
        return EGL_SUCCESS;
    return error == GL_CREATE_NO_MEMORY ? EGL_BAD_ALLOC : EGL_BAD_MATCH;
}

/* OpenGL and OpenGL ES contexts can share objects. EGL 1.5 §3.7.1 specifies EGL_BAD_CONTEXT for this
 * case, but Mesa and other implementations allow it, and so does GLX. */
EGL_EXPORT EGLContext EGLAPIENTRY eglCreateContext(EGLDisplay dpy, EGLConfig handle,
                                                   EGLContext share_handle, const EGLint *attribs)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    bool gl = egl_thread.api == EGL_OPENGL_API;
    const struct egl_config *config;
    struct egl_context *share, *ctx = NULL;
    struct gl_context_attribs a;
    struct context_request r;
    EGLint error = EGL_SUCCESS;

    if (!d)
        return EGL_NO_CONTEXT;
    config = egl_config_get(d, handle);
    share = share_handle ? egl_context_ref(d, share_handle) : NULL;
    if (handle && !config)
        error = EGL_BAD_CONFIG;
    else if (share_handle && !share && egl_context_exists(share_handle))
        error = EGL_BAD_MATCH; /* belongs to another display */
    else if (share_handle && !share)
        error = EGL_BAD_CONTEXT;
    else if (!parse_context_attribs(&r, attribs, gl))
        error = EGL_BAD_ATTRIBUTE;
    else
        error = resolve_request(&r, gl, &a);
    if (error == EGL_SUCCESS &&
        ((config && !config_renders(config, gl, r.major)) ||
         (share && (share->reset != a.reset || share->no_error != a.no_error))))
        error = EGL_BAD_MATCH;
    if (error == EGL_SUCCESS) {
        ctx = calloc(1, sizeof *ctx);
        a.visual = config ? &config->base.gl : NULL;
        error = ctx ? create_gl(ctx, share, &a) : EGL_BAD_ALLOC;
    }
    egl_context_unref(share);
    if (error != EGL_SUCCESS) {
        free(ctx);
        egl_fail(error);
        return EGL_NO_CONTEXT;
    }
    ctx->display = d;
    if (config)
        ctx->config = *config;
    ctx->api = gl ? EGL_OPENGL_API : EGL_OPENGL_ES_API;
    /* contexts have the highest version of their API (indium/core.h) */
    ctx->major = (EGLint)indium_core_interface()->max_version(a.api) / 10;
    ctx->reset = a.reset;
    ctx->no_error = a.no_error;
    tgt_object_list(&context_kind, &d->contexts, ctx, 1);
    egl_ok();
    return ctx;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglDestroyContext(EGLDisplay dpy, EGLContext handle)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_context *ctx = d ? egl_context_ref(d, handle) : NULL;

    if (!d)
        return EGL_FALSE;
    if (!ctx)
        return egl_fail(EGL_BAD_CONTEXT);
    egl_thread.object_label = __atomic_load_n(&ctx->debug_label, __ATOMIC_RELAXED);
    tgt_object_forget(&context_kind, ctx);
    egl_context_unref(ctx);
    return egl_ok();
}

/* Returns whether configs have the same kinds and depths of buffers (EGL 1.5 §2.2). */
static bool configs_compatible(const struct egl_config *a, const struct egl_config *b)
{
    return !memcmp(&a->base.bits, &b->base.bits, sizeof a->base.bits) &&
           a->base.gl.samples == b->base.gl.samples;
}

/* Returns whether the context can use the surfaces (EGL 1.5 §3.7.3). A context without a config
 * accepts any surfaces (EGL_KHR_no_config_context), even if they don't match each other. */
static bool surfaces_compatible(const struct egl_context *ctx, const struct egl_surface *draw,
                                const struct egl_surface *read)
{
    return !draw || !ctx->config.base.id ||
           (configs_compatible(&ctx->config, &draw->config) &&
            configs_compatible(&ctx->config, &read->config));
}

/* Returns whether the objects are already current and unchanged, and no other window-system API has
 * replaced them. Programs often make the same objects current for each frame. */
static bool stay_current(const struct egl_thread *t, const struct egl_context *ctx,
                         const struct egl_surface *draw, const struct egl_surface *read)
{
    return t->ctx == ctx && t->draw == draw && t->read == read && draw == read &&
           indium_core_interface()->get_current() == ctx->gl &&
           (!draw || tgt_surface_is_unchanged(&t->draw->surface));
}

static bool is_others(const struct egl_thread *owner, const struct egl_thread *t)
{
    return owner && owner != t;
}

/* Assigns the objects to the thread before they become current, so that other threads see it.
 * Returns false if one is current to another thread. */
static bool claim(struct egl_thread *t, struct egl_context *ctx, struct egl_surface *draw,
                  struct egl_surface *read)
{
    pthread_mutex_lock(&egl_lock);
    const bool ok = !is_others(ctx->thread, t) && !(draw && is_others(draw->thread, t)) &&
                    !(read && is_others(read->thread, t));
    if (ok)
        own(ctx, draw, read, t);
    pthread_mutex_unlock(&egl_lock);
    return ok;
}

/* Undoes claim() for objects that did not become current. */
static void unclaim(struct egl_thread *t, struct egl_context *ctx, struct egl_surface *draw,
                    struct egl_surface *read)
{
    pthread_mutex_lock(&egl_lock);
    own(ctx, draw, read, NULL);
    own(t->ctx, t->draw, t->read, t);
    pthread_mutex_unlock(&egl_lock);
}

/* Makes claimed objects current in the core. Returns EGL_SUCCESS or the error. */
static EGLint bind_core(struct egl_context *ctx, struct egl_surface *draw, struct egl_surface *read)
{
    if ((draw && !tgt_surface_update(&draw->surface)) ||
        (read && read != draw && !tgt_surface_update(&read->surface)))
        return EGL_BAD_NATIVE_WINDOW;
    return indium_core_interface()->make_current(ctx->gl, draw ? draw->surface.gl : NULL,
                                                 read ? read->surface.gl : NULL)
               ? EGL_SUCCESS
               : EGL_BAD_MATCH;
}

/* Makes the objects current and, on success, takes ownership of the references. Returns EGL_SUCCESS
 * or the error. */
static EGLint bind(struct egl_thread *t, struct egl_context *ctx, struct egl_surface *draw,
                   struct egl_surface *read)
{
    if (!claim(t, ctx, draw, read))
        return EGL_BAD_ACCESS;
    const EGLint error = bind_core(ctx, draw, read);
    if (error != EGL_SUCCESS) {
        unclaim(t, ctx, draw, read);
        return error;
    }
    pthread_once(&thread_once, thread_init);
    pthread_setspecific(thread_key, t);
    replace_current(t, ctx, draw, read);
    return EGL_SUCCESS;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglMakeCurrent(EGLDisplay dpy, EGLSurface draw_handle,
                                                 EGLSurface read_handle, EGLContext handle)
{
    EGL_COMMAND;
    struct egl_thread *t = &egl_thread;
    EGL_IN_USE struct egl_display *d = NULL;
    struct egl_surface *draw, *read;
    struct egl_context *ctx;
    EGLint error = EGL_SUCCESS;

    if (!handle && !draw_handle && !read_handle) {
        if (!egl_display_find(dpy))
            return egl_fail(EGL_BAD_DISPLAY);
        release_current(t);
        return egl_ok();
    }
    d = egl_display_get(dpy);
    if (!d)
        return EGL_FALSE;
    ctx = egl_context_ref(d, handle);
    draw = egl_surface_ref(d, draw_handle);
    read = egl_surface_ref(d, read_handle);
    t->object_label = ctx ? __atomic_load_n(&ctx->debug_label, __ATOMIC_RELAXED) : NULL;
    if (handle && !ctx)
        error = EGL_BAD_CONTEXT;
    else if ((draw_handle && !draw) || (read_handle && !read))
        error = EGL_BAD_SURFACE;
    else if (!ctx || !draw != !read || !surfaces_compatible(ctx, draw, read))
        error = EGL_BAD_MATCH;
    else if (stay_current(t, ctx, draw, read))
        indium_core_interface()->flush(false);
    else if ((error = bind(t, ctx, draw, read)) == EGL_SUCCESS)
        return egl_ok();
    egl_surface_unref(draw);
    egl_surface_unref(read);
    egl_context_unref(ctx);
    return error == EGL_SUCCESS ? egl_ok() : egl_fail(error);
}

EGL_EXPORT EGLContext EGLAPIENTRY eglGetCurrentContext(void)
{
    EGL_COMMAND;
    egl_ok();
    return egl_thread.ctx;
}

EGL_EXPORT EGLSurface EGLAPIENTRY eglGetCurrentSurface(EGLint which)
{
    EGL_COMMAND;
    if (which != EGL_DRAW && which != EGL_READ) {
        egl_fail(EGL_BAD_PARAMETER);
        return EGL_NO_SURFACE;
    }
    egl_ok();
    return which == EGL_DRAW ? egl_thread.draw : egl_thread.read;
}

EGL_EXPORT EGLDisplay EGLAPIENTRY eglGetCurrentDisplay(void)
{
    EGL_COMMAND;
    egl_ok();
    return egl_thread.ctx ? egl_thread.ctx->display : EGL_NO_DISPLAY;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQueryContext(EGLDisplay dpy, EGLContext handle,
                                                  EGLint attribute, EGLint *value)
{
    EGL_COMMAND;
    EGL_IN_USE struct egl_display *d = egl_display_get(dpy);
    struct egl_context *ctx = d ? egl_context_ref(d, handle) : NULL;
    EGLint error = EGL_SUCCESS, result = 0;

    if (!d)
        return EGL_FALSE;
    if (!ctx)
        return egl_fail(EGL_BAD_CONTEXT);
    egl_thread.object_label = __atomic_load_n(&ctx->debug_label, __ATOMIC_RELAXED);
    switch (attribute) {
    case EGL_CONFIG_ID:
        result = ctx->config.base.id;
        break;
    case EGL_CONTEXT_CLIENT_TYPE:
        result = ctx->api;
        break;
    case EGL_CONTEXT_CLIENT_VERSION:
        result = ctx->major;
        break;
    /* EGL_EXT_query_reset_notification_strategy; EGL 1.5 has another token for the same
     * attribute */
    case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY:
    case EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT:
        result = ctx->reset == GL_RESET_LOSE_CONTEXT ? EGL_LOSE_CONTEXT_ON_RESET
                                                     : EGL_NO_RESET_NOTIFICATION;
        break;
    case EGL_RENDER_BUFFER:
        /* EGL 1.5 §3.7.4: windows always have a back buffer */
        pthread_mutex_lock(&egl_lock);
        if (!ctx->thread || ctx->thread->ctx != ctx || !ctx->thread->draw)
            result = EGL_NONE;
        else
            result =
                ctx->thread->draw->surface.kind == TGT_PIXMAP ? EGL_SINGLE_BUFFER : EGL_BACK_BUFFER;
        pthread_mutex_unlock(&egl_lock);
        break;
    default:
        error = EGL_BAD_ATTRIBUTE;
    }
    egl_context_unref(ctx);
    if (error == EGL_SUCCESS && !value)
        error = EGL_BAD_PARAMETER;
    if (error != EGL_SUCCESS)
        return egl_fail(error);
    *value = result;
    return egl_ok();
}

/* Returns whether a current surface (may be NULL) is a window that was destroyed. */
static bool window_is_gone(struct egl_surface *s)
{
    return s && s->surface.kind == TGT_WINDOW && !tgt_surface_update(&s->surface);
}

/* Ends a command that requires that the thread's current windows exist. */
static EGLBoolean finish_wait(const struct egl_thread *t)
{
    const bool gone = window_is_gone(t->draw) || (t->read != t->draw && window_is_gone(t->read));

    return gone ? egl_fail(EGL_BAD_CURRENT_SURFACE) : egl_ok();
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglWaitClient(void)
{
    EGL_COMMAND;
    if (egl_thread.ctx)
        indium_core_interface()->flush(true);
    return finish_wait(&egl_thread);
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglWaitGL(void)
{
    EGL_COMMAND;
    return eglWaitClient();
}

/* Nothing to do: native rendering never writes to our buffers. */
EGL_EXPORT EGLBoolean EGLAPIENTRY eglWaitNative(EGLint engine)
{
    EGL_COMMAND;
    return engine == EGL_CORE_NATIVE_ENGINE ? finish_wait(&egl_thread)
                                            : egl_fail(EGL_BAD_PARAMETER);
}
