/* SPDX-License-Identifier: MIT */
/*
 * Debug messages and labels (EGL_KHR_debug). A command that fails sends one message when it ends,
 * when it no longer holds locks. The callback may therefore call EGL. Types of messages other than
 * errors can be enabled, but are never sent.
 */
#include "target/libEGL/egl_private.h"
#include "util/fork_lock.h"

#define DEFAULT_TYPES (1u << 0 | 1u << 1) /* critical and error */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the following */
static EGLDEBUGPROCKHR callback;
static unsigned types = DEFAULT_TYPES; /* enabled types; bit i is EGL_DEBUG_MSG_CRITICAL_KHR + i */

UTIL_FORK_LOCK(lock);

static bool is_type(EGLAttrib value)
{
    return value >= EGL_DEBUG_MSG_CRITICAL_KHR && value <= EGL_DEBUG_MSG_INFO_KHR;
}

static unsigned type_bit(EGLAttrib type)
{
    return 1u << (type - EGL_DEBUG_MSG_CRITICAL_KHR);
}

static const char *error_name(EGLint error)
{
    static const char *const names[] = {
        "EGL_SUCCESS",       "EGL_NOT_INITIALIZED",     "EGL_BAD_ACCESS",
        "EGL_BAD_ALLOC",     "EGL_BAD_ATTRIBUTE",       "EGL_BAD_CONFIG",
        "EGL_BAD_CONTEXT",   "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY",
        "EGL_BAD_MATCH",     "EGL_BAD_NATIVE_PIXMAP",   "EGL_BAD_NATIVE_WINDOW",
        "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE",         "EGL_CONTEXT_LOST",
    };
    const unsigned index = (unsigned)error - EGL_SUCCESS;

    return index < ARRAY_SIZE(names)     ? names[index]
           : error == EGL_BAD_DEVICE_EXT ? "EGL_BAD_DEVICE_EXT"
                                         : NULL;
}

static void send_message(struct egl_thread *t)
{
    const EGLint error = t->error;
    const EGLint type = error == EGL_BAD_ALLOC || error == EGL_CONTEXT_LOST
                            ? EGL_DEBUG_MSG_CRITICAL_KHR
                            : EGL_DEBUG_MSG_ERROR_KHR;
    EGLDEBUGPROCKHR function;

    pthread_mutex_lock(&lock);
    function = types & type_bit(type) ? callback : NULL;
    pthread_mutex_unlock(&lock);
    if (!function)
        return;
    function(error, t->command, type, t->label, t->object_label, error_name(error));
    t->error = error; /* commands in the callback have set others */
}

bool egl_command_begin(const char *name)
{
    struct egl_thread *t = egl_thread_get();

    if (t->command)
        return false;
    t->command = name;
    t->failed = false;
    t->object_label = NULL;
    return true;
}

void egl_command_end(const bool *outermost)
{
    struct egl_thread *t = egl_thread_get();
    const char *const name = t->command;

    if (!*outermost)
        return;
    if (t->failed)
        send_message(t);
    if (t->command == name)
        t->command = NULL;
}

EGL_EXPORT EGLint EGLAPIENTRY eglDebugMessageControlKHR(EGLDEBUGPROCKHR function,
                                                        const EGLAttrib *attribs)
{
    EGL_COMMAND;
    unsigned on = 0, off = 0;

    for (; attribs && *attribs != EGL_NONE; attribs += 2) {
        if (!is_type(attribs[0]) || (attribs[1] != EGL_TRUE && attribs[1] != EGL_FALSE)) {
            egl_fail(EGL_BAD_ATTRIBUTE);
            return EGL_BAD_ATTRIBUTE;
        }
        on = (on & ~type_bit(attribs[0])) | (attribs[1] ? type_bit(attribs[0]) : 0);
        off = (off & ~type_bit(attribs[0])) | (attribs[1] ? 0 : type_bit(attribs[0]));
    }
    pthread_mutex_lock(&lock);
    callback = function;
    types = function ? (types | on) & ~off : DEFAULT_TYPES;
    pthread_mutex_unlock(&lock);
    egl_ok();
    return EGL_SUCCESS;
}

EGL_EXPORT EGLBoolean EGLAPIENTRY eglQueryDebugKHR(EGLint attribute, EGLAttrib *value)
{
    EGL_COMMAND;
    EGLAttrib result;

    if (attribute != EGL_DEBUG_CALLBACK_KHR && !is_type(attribute))
        return egl_fail(EGL_BAD_ATTRIBUTE);
    if (!value)
        return egl_fail(EGL_BAD_PARAMETER);
    pthread_mutex_lock(&lock);
    if (attribute == EGL_DEBUG_CALLBACK_KHR)
        result = (EGLAttrib)callback;
    else
        result = types & type_bit(attribute) ? EGL_TRUE : EGL_FALSE;
    pthread_mutex_unlock(&lock);
    *value = result;
    return egl_ok();
}

/* Labels an object of an initialized display. Returns false if the handle is invalid. */
static bool label_object(struct egl_display *d, EGLenum type, EGLObjectKHR object,
                         EGLLabelKHR label)
{
    struct egl_context *ctx = NULL;
    struct egl_surface *surface = NULL;
    struct egl_image *image = NULL;
    bool found = false;

    switch (type) {
    case EGL_OBJECT_CONTEXT_KHR:
        ctx = egl_context_ref(d, object);
        break;
    case EGL_OBJECT_SURFACE_KHR:
        surface = egl_surface_ref(d, object);
        break;
    case EGL_OBJECT_SYNC_KHR:
        return egl_sync_label(d, object, label);
    default:
        break;
    }
    pthread_mutex_lock(&egl_lock);
    if (type == EGL_OBJECT_IMAGE_KHR)
        image = egl_image_find(d, object);
    found = ctx || surface || image;
    if (ctx)
        __atomic_store_n(&ctx->debug_label, label, __ATOMIC_RELAXED);
    if (surface)
        __atomic_store_n(&surface->debug_label, label, __ATOMIC_RELAXED);
    if (image)
        __atomic_store_n(&image->debug_label, label, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&egl_lock);
    egl_context_unref(ctx);
    egl_surface_unref(surface);
    return found;
}

EGL_EXPORT EGLint EGLAPIENTRY eglLabelObjectKHR(EGLDisplay dpy, EGLenum type, EGLObjectKHR object,
                                                EGLLabelKHR label)
{
    EGL_COMMAND;
    struct egl_thread *t = egl_thread_get();
    struct egl_display *named = egl_display_find(dpy);

    if (type == EGL_OBJECT_THREAD_KHR) {
        t->label = label;
    } else if (type == EGL_OBJECT_DISPLAY_KHR) {
        if (!named || object != dpy) {
            egl_fail(EGL_BAD_PARAMETER);
            return EGL_BAD_PARAMETER;
        }
        pthread_mutex_lock(&egl_lock);
        __atomic_store_n(&named->debug_label, label, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&egl_lock);
    } else {
        EGL_IN_USE struct egl_display *d = egl_display_get(dpy);

        if (!d)
            return t->error;
        if (!label_object(d, type, object, label)) {
            egl_fail(EGL_BAD_PARAMETER);
            return EGL_BAD_PARAMETER;
        }
    }
    egl_ok();
    return EGL_SUCCESS;
}
