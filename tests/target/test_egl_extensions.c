/* SPDX-License-Identifier: MIT */
/* Extensions of EGL in libEGL, with the fake core: config attributes, devices, queries. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define EGL_EGLEXT_PROTOTYPES
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include "xvfb.h"

#define assert_egl(call, error)                                                                    \
    do {                                                                                           \
        assert_true((call) == 0);                                                                  \
        assert_int_equal(eglGetError(), error);                                                    \
    } while (0)

static EGLDisplay surfaceless(void)
{
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);

    assert_true(eglInitialize(dpy, NULL, NULL));
    return dpy;
}

static EGLint attrib(EGLDisplay dpy, EGLConfig config, EGLint name)
{
    EGLint value = -1;

    assert_true(eglGetConfigAttrib(dpy, config, name, &value));
    return value;
}

/* Returns whether a space-separated list has a name. */
static bool listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = list; (at = strstr(at, name)); at += length) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static void test_strings(void **state)
{
    static const char *const client[] = {"EGL_EXT_explicit_device", "EGL_KHR_debug"};
    static const char *const display[] = {
        "EGL_ANDROID_blob_cache",
        "EGL_ANGLE_sync_control_rate",
        "EGL_EXT_config_select_group",
        "EGL_EXT_pixel_format_float",
        "EGL_EXT_query_reset_notification_strategy",
        "EGL_EXT_surface_compression",
        "EGL_MESA_x11_native_visual_id",
        "EGL_KHR_reusable_sync",
    };
    EGLDisplay dpy = surfaceless();

    for (unsigned i = 0; i < sizeof client / sizeof *client; i++)
        assert_true(listed(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), client[i]));
    for (unsigned i = 0; i < sizeof display / sizeof *display; i++)
        assert_true(listed(eglQueryString(dpy, EGL_EXTENSIONS), display[i]));
    assert_true(eglTerminate(dpy));
}

/* Floating-point configs must be requested, and only pbuffers have them. */
static void test_float(void **state)
{
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    const EGLint floats[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_COLOR_COMPONENT_TYPE_EXT,
                             EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT,
                             EGL_RED_SIZE,
                             16,
                             EGL_NONE};
    const EGLint both[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_COLOR_COMPONENT_TYPE_EXT,
                           EGL_DONT_CARE,    EGL_RED_SIZE,    8,
                           EGL_NONE};
    const EGLint junk[] = {EGL_COLOR_COMPONENT_TYPE_EXT, 0x7777, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
    EGLDisplay dpy = surfaceless();
    EGLConfig configs[256];
    EGLSurface surface;
    EGLContext ctx;
    EGLint n, seen = 0;

    assert_true(eglChooseConfig(dpy, any, configs, 256, &n));
    assert_true(n > 0);
    for (EGLint i = 0; i < n; i++)
        assert_int_equal(attrib(dpy, configs[i], EGL_COLOR_COMPONENT_TYPE_EXT),
                         EGL_COLOR_COMPONENT_TYPE_FIXED_EXT);
    assert_egl(eglChooseConfig(dpy, junk, configs, 256, &n), EGL_BAD_ATTRIBUTE);
    assert_true(eglChooseConfig(dpy, both, configs, 256, &n));
    for (EGLint i = 0; i < n; i++) { /* fixed-point ones come first */
        const EGLint type = attrib(dpy, configs[i], EGL_COLOR_COMPONENT_TYPE_EXT);

        assert_true(type >= seen);
        seen = type;
    }
    assert_int_equal(seen, EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT);
    assert_true(eglChooseConfig(dpy, floats, configs, 256, &n));
    assert_true(n > 0);
    assert_int_equal(attrib(dpy, configs[0], EGL_SURFACE_TYPE) & EGL_WINDOW_BIT, 0);
    surface = eglCreatePbufferSurface(dpy, configs[0], size);
    assert_non_null(surface);
    assert_true(eglBindAPI(EGL_OPENGL_API));
    ctx = eglCreateContext(dpy, configs[0], NULL, NULL);
    assert_true(eglMakeCurrent(dpy, surface, surface, ctx));
    assert_true(eglSwapBuffers(dpy, surface));
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglTerminate(dpy));
}

static void test_select_group(void **state)
{
    const EGLint named[] = {EGL_CONFIG_SELECT_GROUP_EXT, 0, EGL_NONE};
    const EGLint all[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_COLOR_COMPONENT_TYPE_EXT,
                          EGL_DONT_CARE, EGL_NONE};
    EGLDisplay dpy = surfaceless();
    EGLConfig configs[256];
    EGLint n, group = 0;

    assert_egl(eglChooseConfig(dpy, named, configs, 256, &n), EGL_BAD_ATTRIBUTE);
    assert_true(eglChooseConfig(dpy, all, configs, 256, &n));
    for (EGLint i = 0; i < n; i++) {
        const EGLint now = attrib(dpy, configs[i], EGL_CONFIG_SELECT_GROUP_EXT);

        assert_true(now >= group);
        assert_int_equal(now, attrib(dpy, configs[i], EGL_RED_SIZE) > 8);
        group = now;
    }
    assert_int_equal(group, 1);
    assert_true(eglTerminate(dpy));
}

static void test_reset_query(void **state)
{
    const EGLint lose[] = {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                           EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE};
    EGLDisplay dpy = surfaceless();
    EGLContext plain, lost;
    EGLint value = 0;

    assert_true(eglBindAPI(EGL_OPENGL_API));
    plain = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, NULL);
    lost = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, lose);
    assert_true(
        eglQueryContext(dpy, plain, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, &value));
    assert_int_equal(value, EGL_NO_RESET_NOTIFICATION_EXT);
    assert_true(
        eglQueryContext(dpy, lost, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, &value));
    assert_int_equal(value, EGL_LOSE_CONTEXT_ON_RESET_EXT);
    assert_true(eglTerminate(dpy));
}

/* The attributes of contexts, each with the error for OpenGL 1.0 and for OpenGL ES 1.0: those of
 * EGL 1.5, EGL_KHR_create_context and its companions. */
static void test_context_attributes(void **state)
{
    static const struct {
        EGLint name, value, gl_error, es_error;
    } rows[] = {
        {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_MAJOR_VERSION, 0, EGL_BAD_MATCH, EGL_BAD_MATCH},
        {EGL_CONTEXT_MINOR_VERSION, 1, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_MINOR_VERSION, 5, EGL_SUCCESS, EGL_BAD_MATCH},
        {EGL_CONTEXT_OPENGL_PROFILE_MASK, 1, EGL_SUCCESS, EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_OPENGL_PROFILE_MASK, 3, EGL_SUCCESS, EGL_BAD_ATTRIBUTE}, /* before 3.2 */
        {EGL_CONTEXT_FLAGS_KHR, 0, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR, EGL_SUCCESS,
         EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR, EGL_BAD_MATCH,
         EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_FLAGS_KHR, 8, EGL_BAD_ATTRIBUTE, EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_OPENGL_DEBUG, 2, EGL_BAD_ATTRIBUTE, EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, EGL_TRUE, EGL_BAD_MATCH, EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE, EGL_FALSE, EGL_SUCCESS, EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT, EGL_TRUE, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_SUCCESS,
         EGL_SUCCESS},
        {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, 0x7777, EGL_BAD_ATTRIBUTE,
         EGL_BAD_ATTRIBUTE},
        {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_NO_RESET_NOTIFICATION_EXT,
         EGL_BAD_ATTRIBUTE, EGL_SUCCESS},
        {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT,
         EGL_BAD_ATTRIBUTE, EGL_SUCCESS},
        {EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE, EGL_SUCCESS, EGL_SUCCESS},
        {EGL_CONTEXT_RELEASE_BEHAVIOR_KHR, EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR, EGL_SUCCESS,
         EGL_SUCCESS},
        {EGL_CONTEXT_RELEASE_BEHAVIOR_KHR, 0x7777, EGL_BAD_ATTRIBUTE, EGL_BAD_ATTRIBUTE},
        {EGL_WIDTH, 1, EGL_BAD_ATTRIBUTE, EGL_BAD_ATTRIBUTE},
    };
    EGLDisplay dpy = surfaceless();

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const EGLint attribs[] = {rows[i].name, rows[i].value, EGL_NONE};

        for (int es = 0; es < 2; es++) {
            const EGLint error = es ? rows[i].es_error : rows[i].gl_error;

            assert_true(eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API));
            EGLContext ctx = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
            assert_int_equal(eglGetError(), error);
            assert_int_equal(ctx != EGL_NO_CONTEXT, error == EGL_SUCCESS);
            if (ctx)
                assert_true(eglDestroyContext(dpy, ctx));
        }
    }
    assert_true(eglTerminate(dpy));
}

/* A context without a config accepts surfaces with different configs; others don't. */
static void test_configless(void **state)
{
    const EGLint with_depth[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_DEPTH_SIZE, 24, EGL_NONE};
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
    EGLDisplay dpy = surfaceless();
    EGLConfig plain, deep;
    EGLSurface draw, read;
    EGLContext ctx, strict;
    EGLint n;

    assert_true(eglBindAPI(EGL_OPENGL_API));
    assert_true(eglChooseConfig(dpy, any, &plain, 1, &n));
    assert_true(eglChooseConfig(dpy, with_depth, &deep, 1, &n));
    assert_int_equal(attrib(dpy, plain, EGL_DEPTH_SIZE), 0);
    draw = eglCreatePbufferSurface(dpy, plain, size);
    read = eglCreatePbufferSurface(dpy, deep, size);
    ctx = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, NULL);
    strict = eglCreateContext(dpy, deep, NULL, NULL);
    assert_true(eglMakeCurrent(dpy, draw, read, ctx));
    assert_true(eglMakeCurrent(dpy, read, draw, ctx));
    assert_egl(eglMakeCurrent(dpy, read, draw, strict), EGL_BAD_MATCH);
    assert_egl(eglMakeCurrent(dpy, draw, read, strict), EGL_BAD_MATCH);
    assert_ptr_equal(eglGetCurrentContext(), ctx);
    assert_true(eglMakeCurrent(dpy, read, read, strict));
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglTerminate(dpy));
}

struct waiter {
    EGLDisplay dpy;
    EGLSync sync;
    EGLint result;
    pid_t thread; /* atomic; 0 until it is about to wait */
};

static void *wait_forever(void *data)
{
    struct waiter *w = data;

    __atomic_store_n(&w->thread, gettid(), __ATOMIC_RELEASE);
    w->result = eglClientWaitSyncKHR(w->dpy, w->sync, 0, EGL_FOREVER_KHR);
    return NULL;
}

/* Returns when a thread of this process sleeps. */
static void await_sleep(pid_t thread)
{
    char path[64], state = 0;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    while (state != 'S') {
        FILE *f = fopen(path, "r");

        assert_non_null(f);
        assert_int_equal(fscanf(f, "%*d (%*[^)]) %c", &state), 1);
        fclose(f);
        sched_yield();
    }
}

/* A thread that waits is released by a signal, by the destruction of the sync, and by the end of
 * the display. */
static void check_release(EGLDisplay dpy, unsigned by)
{
    struct waiter w = {dpy, eglCreateSyncKHR(dpy, EGL_SYNC_REUSABLE_KHR, NULL), 0, 0};
    pthread_t thread;

    assert_non_null(w.sync);
    assert_int_equal(pthread_create(&thread, NULL, wait_forever, &w), 0);
    while (!__atomic_load_n(&w.thread, __ATOMIC_ACQUIRE))
        sched_yield();
    await_sleep(w.thread);
    assert_true(by == 0   ? eglSignalSyncKHR(dpy, w.sync, EGL_SIGNALED_KHR)
                : by == 1 ? eglDestroySyncKHR(dpy, w.sync)
                          : eglTerminate(dpy));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(w.result, EGL_CONDITION_SATISFIED_KHR);
}

static void test_reusable_sync(void **state)
{
    const EGLint junk[] = {EGL_SYNC_STATUS_KHR, 1, EGL_NONE};
    EGLDisplay dpy = surfaceless();
    EGLContext ctx;
    EGLSync sync, fence;
    EGLint value = 77;

    assert_egl(eglCreateSyncKHR(dpy, EGL_SYNC_REUSABLE_KHR, junk), EGL_BAD_ATTRIBUTE);
    assert_egl(eglCreateSyncKHR(dpy, 0x7777, NULL), EGL_BAD_ATTRIBUTE);
    sync = eglCreateSyncKHR(dpy, EGL_SYNC_REUSABLE_KHR, NULL); /* needs no context */
    assert_non_null(sync);
    assert_true(eglGetSyncAttribKHR(dpy, sync, EGL_SYNC_TYPE_KHR, &value));
    assert_int_equal(value, EGL_SYNC_REUSABLE_KHR);
    assert_true(eglGetSyncAttribKHR(dpy, sync, EGL_SYNC_STATUS_KHR, &value));
    assert_int_equal(value, EGL_UNSIGNALED_KHR);
    value = 77;
    assert_egl(eglGetSyncAttribKHR(dpy, sync, EGL_SYNC_CONDITION_KHR, &value), EGL_BAD_MATCH);
    assert_egl(eglGetSyncAttribKHR(dpy, sync, 0x7777, &value), EGL_BAD_ATTRIBUTE);
    assert_int_equal(value, 77);
    assert_int_equal(eglClientWaitSyncKHR(dpy, sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR, 0),
                     EGL_TIMEOUT_EXPIRED_KHR);
    assert_int_equal(eglClientWaitSyncKHR(dpy, sync, 0, 3000000), EGL_TIMEOUT_EXPIRED_KHR);
    assert_egl(eglSignalSyncKHR(dpy, sync, 0x7777), EGL_BAD_PARAMETER);
    assert_true(eglSignalSyncKHR(dpy, sync, EGL_SIGNALED_KHR));
    assert_int_equal(eglClientWaitSyncKHR(dpy, sync, 0, 0), EGL_CONDITION_SATISFIED_KHR);
    assert_int_equal(eglClientWaitSyncKHR(dpy, sync, 0, EGL_FOREVER_KHR - 1),
                     EGL_CONDITION_SATISFIED_KHR);
    assert_egl(eglWaitSyncKHR(dpy, sync, 0), EGL_BAD_MATCH); /* without a context */
    assert_true(eglBindAPI(EGL_OPENGL_API));
    ctx = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, NULL);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, ctx));
    assert_true(eglWaitSyncKHR(dpy, sync, 0));
    fence = eglCreateSyncKHR(dpy, EGL_SYNC_FENCE_KHR, NULL);
    assert_egl(eglSignalSyncKHR(dpy, fence, EGL_UNSIGNALED_KHR), EGL_BAD_MATCH);
    assert_true(eglSignalSyncKHR(dpy, sync, EGL_UNSIGNALED_KHR));
    assert_int_equal(eglClientWaitSyncKHR(dpy, sync, 0, 0), EGL_TIMEOUT_EXPIRED_KHR);
    assert_true(eglDestroySyncKHR(dpy, sync));
    assert_egl(eglSignalSyncKHR(dpy, sync, EGL_SIGNALED_KHR), EGL_BAD_PARAMETER);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    for (unsigned by = 0; by < 3; by++)
        check_release(dpy, by);
}

struct signaler {
    EGLDisplay dpy;
    EGLSync sync;
    bool done; /* atomic */
};

static void *signal_later(void *data)
{
    struct signaler *s = data;

    nanosleep(&(struct timespec){0, 20000000}, NULL);
    __atomic_store_n(&s->done, true, __ATOMIC_RELEASE);
    eglSignalSyncKHR(s->dpy, s->sync, EGL_SIGNALED_KHR);
    return NULL;
}

/* Waits in the context for a sync that another thread signals later. Checks that a command of the
 * context, or else a new fence, waits for it. */
static void check_server_wait(EGLDisplay dpy, EGLSync sync, void (*command)(unsigned))
{
    struct signaler s = {dpy, sync, false};
    EGLSync fence = EGL_NO_SYNC;
    pthread_t thread;

    assert_true(eglSignalSyncKHR(dpy, sync, EGL_UNSIGNALED_KHR));
    assert_true(eglWaitSyncKHR(dpy, sync, 0));
    assert_int_equal(pthread_create(&thread, NULL, signal_later, &s), 0);
    if (command)
        command(0);
    else
        fence = eglCreateSyncKHR(dpy, EGL_SYNC_FENCE_KHR, NULL);
    assert_true(__atomic_load_n(&s.done, __ATOMIC_ACQUIRE));
    assert_int_equal(pthread_join(thread, NULL), 0);
    if (!command)
        assert_true(eglDestroySyncKHR(dpy, fence));
}

/* A server wait returns at once, so the thread itself may signal the sync. Only later commands of
 * the context wait. */
static void test_server_wait(void **state)
{
    void (*clear)(unsigned) = (void (*)(unsigned))eglGetProcAddress("glClear");
    EGLDisplay dpy = surfaceless();
    EGLContext ctx, other;
    EGLSync sync = eglCreateSyncKHR(dpy, EGL_SYNC_REUSABLE_KHR, NULL);

    alarm(60); /* ends a wait that lasts forever */
    assert_true(eglBindAPI(EGL_OPENGL_API));
    ctx = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, NULL);
    other = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, NULL, NULL);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, ctx));
    for (unsigned i = 0; i < 3; i++)
        assert_true(eglWaitSyncKHR(dpy, sync, 0));
    assert_true(eglMakeCurrent(dpy, NULL, NULL, other));
    clear(0); /* doesn't wait */
    assert_true(eglMakeCurrent(dpy, NULL, NULL, ctx));
    assert_true(eglSignalSyncKHR(dpy, sync, EGL_SIGNALED_KHR));
    assert_true(eglSignalSyncKHR(dpy, sync, EGL_UNSIGNALED_KHR));
    clear(0); /* the wait is over, though the sync is unsignaled again */
    check_server_wait(dpy, sync, clear);
    check_server_wait(dpy, sync, NULL);
    assert_true(eglSignalSyncKHR(dpy, sync, EGL_UNSIGNALED_KHR));
    assert_true(eglWaitSyncKHR(dpy, sync, 0));
    assert_true(eglDestroySyncKHR(dpy, sync)); /* ends the wait */
    clear(0);
    sync = eglCreateSyncKHR(dpy, EGL_SYNC_REUSABLE_KHR, NULL);
    assert_true(eglWaitSyncKHR(dpy, sync, 0));
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
    assert_true(eglDestroyContext(dpy, ctx)); /* with an unfinished wait */
    assert_true(eglTerminate(dpy));
    alarm(0);
}

static struct {
    unsigned count;
    EGLenum error;
    char command[64];
    EGLint type;
    EGLLabelKHR thread, object;
} message;

static void EGLAPIENTRY on_message(EGLenum error, const char *command, EGLint type,
                                   EGLLabelKHR thread, EGLLabelKHR object, const char *text)
{
    message.count++;
    message.error = error;
    snprintf(message.command, sizeof message.command, "%s", command);
    message.type = type;
    message.thread = thread;
    message.object = object;
    eglQueryAPI(); /* a callback may call EGL, which doesn't change the command's error */
}

static void check_message(EGLenum error, const char *command, EGLint type, EGLLabelKHR object)
{
    assert_int_equal(message.count, 1);
    assert_int_equal(message.error, error);
    assert_string_equal(message.command, command);
    assert_int_equal(message.type, type);
    assert_ptr_equal(message.thread, (EGLLabelKHR)0x71);
    assert_ptr_equal(message.object, object);
    memset(&message, 0, sizeof message);
}

/* Messages of commands on labeled objects. */
static void check_labels(EGLDisplay dpy)
{
    const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NONE};
    EGLLabelKHR on_dpy = (EGLLabelKHR)0x11, on_ctx = (EGLLabelKHR)0x22;
    EGLLabelKHR on_surface = (EGLLabelKHR)0x33, on_sync = (EGLLabelKHR)0x44;
    EGLContext ctx;
    EGLSurface surface;
    EGLConfig config;
    EGLSync sync;
    EGLint value;

    assert_true(eglBindAPI(EGL_OPENGL_API));
    assert_true(eglChooseConfig(dpy, any, &config, 1, &value));
    ctx = eglCreateContext(dpy, config, NULL, NULL);
    surface = eglCreatePbufferSurface(dpy, config, size);
    sync = eglCreateSyncKHR(dpy, EGL_SYNC_REUSABLE_KHR, NULL);
    assert_int_equal(eglLabelObjectKHR(dpy, EGL_OBJECT_DISPLAY_KHR, dpy, on_dpy), EGL_SUCCESS);
    assert_int_equal(eglLabelObjectKHR(dpy, EGL_OBJECT_CONTEXT_KHR, ctx, on_ctx), EGL_SUCCESS);
    assert_int_equal(eglLabelObjectKHR(dpy, EGL_OBJECT_SURFACE_KHR, surface, on_surface),
                     EGL_SUCCESS);
    assert_int_equal(eglLabelObjectKHR(dpy, EGL_OBJECT_SYNC_KHR, sync, on_sync), EGL_SUCCESS);
    assert_int_equal(message.count, 0);
    assert_egl(eglCreateSyncKHR(dpy, 0x7777, NULL), EGL_BAD_ATTRIBUTE);
    check_message(EGL_BAD_ATTRIBUTE, "eglCreateSyncKHR", EGL_DEBUG_MSG_ERROR_KHR, on_dpy);
    assert_egl(eglQueryContext(dpy, ctx, 0x7777, &value), EGL_BAD_ATTRIBUTE);
    check_message(EGL_BAD_ATTRIBUTE, "eglQueryContext", EGL_DEBUG_MSG_ERROR_KHR, on_ctx);
    assert_egl(eglQuerySurface(dpy, surface, 0x7777, &value), EGL_BAD_ATTRIBUTE);
    check_message(EGL_BAD_ATTRIBUTE, "eglQuerySurface", EGL_DEBUG_MSG_ERROR_KHR, on_surface);
    assert_egl(eglGetSyncAttribKHR(dpy, sync, 0x7777, &value), EGL_BAD_ATTRIBUTE);
    check_message(EGL_BAD_ATTRIBUTE, "eglGetSyncAttribKHR", EGL_DEBUG_MSG_ERROR_KHR, on_sync);
    assert_egl(eglMakeCurrent(dpy, surface, NULL, ctx), EGL_BAD_MATCH);
    check_message(EGL_BAD_MATCH, "eglMakeCurrent", EGL_DEBUG_MSG_ERROR_KHR, on_ctx);
    /* the object is unknown */
    assert_egl(eglDestroySurface(dpy, (EGLSurface)(uintptr_t)0x1230), EGL_BAD_SURFACE);
    check_message(EGL_BAD_SURFACE, "eglDestroySurface", EGL_DEBUG_MSG_ERROR_KHR, NULL);
    assert_int_equal(eglLabelObjectKHR(dpy, EGL_OBJECT_CONTEXT_KHR, surface, on_ctx),
                     EGL_BAD_PARAMETER);
    check_message(EGL_BAD_PARAMETER, "eglLabelObjectKHR", EGL_DEBUG_MSG_ERROR_KHR, on_dpy);
    assert_int_equal(eglLabelObjectKHR(dpy, EGL_OBJECT_STREAM_KHR, surface, on_ctx),
                     EGL_BAD_PARAMETER);
    assert_int_equal(eglLabelObjectKHR(dpy, EGL_OBJECT_DISPLAY_KHR, ctx, on_ctx),
                     EGL_BAD_PARAMETER);
    assert_int_equal(message.count, 2);
    message.count = 0;
    assert_true(eglDestroyContext(dpy, ctx));
}

static void test_debug(void **state)
{
    const EGLAttrib no_errors[] = {EGL_DEBUG_MSG_ERROR_KHR, EGL_FALSE, EGL_DEBUG_MSG_INFO_KHR,
                                   EGL_TRUE, EGL_NONE};
    const EGLAttrib junk[] = {EGL_DEBUG_MSG_INFO_KHR, EGL_TRUE, 0x7777, EGL_TRUE, EGL_NONE};
    const EGLAttrib junk_value[] = {EGL_DEBUG_MSG_INFO_KHR, 2, EGL_NONE};
    EGLDisplay dpy;
    EGLAttrib value = 77;

    memset(&message, 0, sizeof message);
    assert_int_equal(eglLabelObjectKHR(NULL, EGL_OBJECT_THREAD_KHR, NULL, (EGLLabelKHR)0x71),
                     EGL_SUCCESS);
    assert_int_equal(eglDebugMessageControlKHR(on_message, NULL), EGL_SUCCESS);
    assert_int_equal(eglDebugMessageControlKHR(NULL, junk), EGL_BAD_ATTRIBUTE);
    check_message(EGL_BAD_ATTRIBUTE, "eglDebugMessageControlKHR", EGL_DEBUG_MSG_ERROR_KHR, NULL);
    assert_int_equal(eglDebugMessageControlKHR(NULL, junk_value), EGL_BAD_ATTRIBUTE);
    message.count = 0;
    assert_true(eglQueryDebugKHR(EGL_DEBUG_CALLBACK_KHR, &value));
    assert_ptr_equal((void *)value, on_message);
    assert_true(eglQueryDebugKHR(EGL_DEBUG_MSG_CRITICAL_KHR, &value));
    assert_int_equal(value, EGL_TRUE);
    assert_true(eglQueryDebugKHR(EGL_DEBUG_MSG_WARN_KHR, &value));
    assert_int_equal(value, EGL_FALSE);
    assert_true(eglQueryDebugKHR(EGL_DEBUG_MSG_INFO_KHR, &value));
    assert_int_equal(value, EGL_FALSE);
    assert_egl(eglQueryDebugKHR(0x7777, &value), EGL_BAD_ATTRIBUTE);
    check_message(EGL_BAD_ATTRIBUTE, "eglQueryDebugKHR", EGL_DEBUG_MSG_ERROR_KHR, NULL);
    assert_egl(eglGetPlatformDisplay(0x7777, NULL, NULL), EGL_BAD_PARAMETER);
    check_message(EGL_BAD_PARAMETER, "eglGetPlatformDisplay", EGL_DEBUG_MSG_ERROR_KHR, NULL);
    dpy = surfaceless();
    check_labels(dpy);
    assert_int_equal(eglDebugMessageControlKHR(on_message, no_errors), EGL_SUCCESS);
    assert_true(eglQueryDebugKHR(EGL_DEBUG_MSG_INFO_KHR, &value));
    assert_int_equal(value, EGL_TRUE);
    assert_egl(eglBindAPI(0x7777), EGL_BAD_PARAMETER);
    assert_int_equal(message.count, 0);
    /* without a callback, the types get their defaults */
    assert_int_equal(eglDebugMessageControlKHR(NULL, NULL), EGL_SUCCESS);
    assert_true(eglQueryDebugKHR(EGL_DEBUG_MSG_ERROR_KHR, &value));
    assert_int_equal(value, EGL_TRUE);
    assert_egl(eglBindAPI(0x7777), EGL_BAD_PARAMETER);
    assert_int_equal(message.count, 0);
    assert_true(eglTerminate(dpy));
}

/* Fails, releases the thread's state and removes itself; none of this calls it again. */
static void EGLAPIENTRY fail_again(EGLenum error, const char *command, EGLint type,
                                   EGLLabelKHR thread, EGLLabelKHR object, const char *text)
{
    message.count++;
    assert_egl(eglBindAPI(0x7777), EGL_BAD_PARAMETER);
    assert_false(eglMakeCurrent((EGLDisplay)0x1230, NULL, NULL, NULL));
    assert_true(eglReleaseThread());
    if (message.count == 3)
        assert_int_equal(eglDebugMessageControlKHR(NULL, NULL), EGL_SUCCESS);
    assert_egl(eglBindAPI(0x7777), EGL_BAD_PARAMETER);
}

static void test_debug_recursion(void **state)
{
    EGLDisplay dpy = surfaceless();

    memset(&message, 0, sizeof message);
    assert_int_equal(eglDebugMessageControlKHR(fail_again, NULL), EGL_SUCCESS);
    for (unsigned i = 1; i <= 5; i++) {
        assert_false(eglDestroyContext(dpy, (EGLContext)0x1230));
        assert_int_equal(eglGetError(), EGL_BAD_CONTEXT);
        assert_int_equal(message.count, i < 3 ? i : 3);
    }
    assert_true(eglTerminate(dpy));
}

static unsigned blobs_set, blobs_got;

static void set_blob(const void *key, EGLsizeiANDROID key_size, const void *value,
                     EGLsizeiANDROID size)
{
    blobs_set++;
}

static EGLsizeiANDROID get_blob(const void *key, EGLsizeiANDROID key_size, void *value,
                                EGLsizeiANDROID size)
{
    blobs_got++;
    return 0;
}

static void test_blob_cache(void **state)
{
    void (*link)(unsigned) = (void (*)(unsigned))eglGetProcAddress("glLinkProgram");
    EGLDisplay dpy = surfaceless();

    eglSetBlobCacheFuncsANDROID((EGLDisplay)(uintptr_t)0x1230, set_blob, get_blob);
    assert_int_equal(eglGetError(), EGL_BAD_DISPLAY);
    eglSetBlobCacheFuncsANDROID(dpy, NULL, get_blob);
    assert_int_equal(eglGetError(), EGL_BAD_PARAMETER);
    eglSetBlobCacheFuncsANDROID(dpy, set_blob, NULL);
    assert_int_equal(eglGetError(), EGL_BAD_PARAMETER);
    link(1);
    assert_int_equal(blobs_set + blobs_got, 0);
    eglSetBlobCacheFuncsANDROID(dpy, set_blob, get_blob);
    assert_int_equal(eglGetError(), EGL_SUCCESS);
    link(1);
    assert_int_equal(blobs_set, 1);
    assert_int_equal(blobs_got, 1);
    eglSetBlobCacheFuncsANDROID(dpy, set_blob, get_blob);
    assert_int_equal(eglGetError(), EGL_BAD_PARAMETER);
    assert_true(eglTerminate(dpy));
    link(1);
    assert_int_equal(blobs_set, 1);
    surfaceless(); /* may have new functions */
    eglSetBlobCacheFuncsANDROID(dpy, set_blob, get_blob);
    assert_int_equal(eglGetError(), EGL_SUCCESS);
    assert_true(eglTerminate(dpy));
}

static void test_device(void **state)
{
    EGLDeviceEXT device = NULL;
    EGLAttrib attribs[] = {EGL_DEVICE_EXT, 0, EGL_NONE};
    EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    EGLint n;

    assert_true(eglQueryDevicesEXT(1, &device, &n));
    assert_null(eglQueryDeviceStringEXT(device, EGL_DRM_RENDER_NODE_FILE_EXT));
    assert_int_equal(eglGetError(), EGL_SUCCESS);
    assert_egl(eglQueryDeviceStringEXT(device, EGL_DRM_DEVICE_FILE_EXT), EGL_BAD_PARAMETER);
    /* EGL_NO_DEVICE_EXT leaves the choice; there is one device */
    assert_ptr_equal(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, attribs), dpy);
    attribs[1] = (EGLAttrib)device;
    assert_ptr_equal(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, attribs), dpy);
    assert_egl(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, attribs), EGL_BAD_ATTRIBUTE);
    attribs[1] = 0x1230;
    assert_egl(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, attribs),
               EGL_BAD_DEVICE_EXT);
}

static void check_compression(EGLDisplay dpy, EGLConfig config, Window w, EGLSurface pbuffer)
{
    PFNEGLCREATEWINDOWSURFACEPROC create = eglCreateWindowSurface;
    EGLBoolean (*rates)(EGLDisplay, EGLConfig, const EGLAttrib *, EGLint *, EGLint, EGLint *) =
        (EGLBoolean(*)(EGLDisplay, EGLConfig, const EGLAttrib *, EGLint *, EGLint,
                       EGLint *))eglGetProcAddress("eglQuerySupportedCompressionRatesEXT");
    const EGLint some[] = {EGL_SURFACE_COMPRESSION_EXT, EGL_SURFACE_COMPRESSION_FIXED_RATE_4BPC_EXT,
                           EGL_NONE};
    const EGLint junk[] = {EGL_SURFACE_COMPRESSION_EXT, 0x34b3, EGL_NONE};
    const EGLAttrib wrong[] = {0x7777, 0, EGL_NONE};
    EGLSurface surface;
    EGLint value = 77, rate = 77;

    assert_egl(create(dpy, config, (EGLNativeWindowType)w, junk), EGL_BAD_ATTRIBUTE);
    surface = create(dpy, config, (EGLNativeWindowType)w, some);
    assert_non_null(surface);
    assert_true(eglQuerySurface(dpy, surface, EGL_SURFACE_COMPRESSION_EXT, &value));
    assert_int_equal(value, EGL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT);
    value = 77;
    assert_true(eglQuerySurface(dpy, pbuffer, EGL_SURFACE_COMPRESSION_EXT, &value));
    assert_int_equal(value, 77);
    assert_egl(eglCreatePbufferSurface(dpy, config, some), EGL_BAD_ATTRIBUTE);
    assert_true(rates(dpy, config, NULL, &rate, 1, &value));
    assert_int_equal(value, 0);
    assert_int_equal(rate, 77);
    assert_egl(rates(dpy, config, wrong, &rate, 1, &value), EGL_BAD_ATTRIBUTE);
    assert_egl(rates(dpy, config, NULL, &rate, 1, NULL), EGL_BAD_PARAMETER);
    assert_egl(rates(dpy, (EGLConfig)(uintptr_t)0x1230, NULL, &rate, 1, &value), EGL_BAD_CONFIG);
    assert_true(eglDestroySurface(dpy, surface));
}

static void check_rate(EGLDisplay dpy, EGLConfig config, EGLSurface pbuffer)
{
    EGLBoolean (*get_rate)(EGLDisplay, EGLSurface, EGLint *, EGLint *) = eglGetMscRateANGLE;
    EGLContext ctx;
    EGLint n = 0, d = 0;

    assert_egl(get_rate(dpy, pbuffer, &n, &d), EGL_BAD_CONTEXT);
    assert_true(eglBindAPI(EGL_OPENGL_API));
    ctx = eglCreateContext(dpy, config, NULL, NULL);
    assert_true(eglMakeCurrent(dpy, pbuffer, pbuffer, ctx));
    assert_true(get_rate(dpy, pbuffer, &n, &d));
    assert_true(d > 0 && n / d >= 10 && n / d <= 1000);
    assert_egl(get_rate(dpy, (EGLSurface)(uintptr_t)0x1230, &n, &d), EGL_BAD_SURFACE);
    assert_egl(get_rate(dpy, pbuffer, NULL, &d), EGL_BAD_PARAMETER);
    assert_true(eglMakeCurrent(dpy, NULL, NULL, NULL));
}

/* Every TrueColor visual has a config that eglChooseConfig finds by its ID. */
static void check_visuals(Display *x, EGLDisplay dpy)
{
    XVisualInfo template = {.screen = 0, .class = TrueColor};
    EGLConfig config;
    EGLint n;
    int count, found = 0;
    XVisualInfo *infos = XGetVisualInfo(x, VisualScreenMask | VisualClassMask, &template, &count);

    assert_non_null(infos);
    for (int i = 0; i < count; i++) {
        const EGLint attribs[] = {EGL_NATIVE_VISUAL_ID, infos[i].visualid, EGL_NONE};

        assert_true(eglChooseConfig(dpy, attribs, &config, 1, &n));
        if (n == 0)
            continue;
        found++;
        assert_int_equal(attrib(dpy, config, EGL_NATIVE_VISUAL_ID), infos[i].visualid);
    }
    assert_true(found == count && count > 1);
    XFree(infos);
    const EGLint none[] = {EGL_NATIVE_VISUAL_ID, 0x123456, EGL_NONE};
    assert_true(eglChooseConfig(dpy, none, &config, 1, &n));
    assert_int_equal(n, 0);
}

static void test_x11(void **state)
{
    const EGLint opaque[] = {EGL_PRESENT_OPAQUE_EXT, EGL_TRUE, EGL_NONE};
    const EGLint floats[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_COLOR_COMPONENT_TYPE_EXT,
                             EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
    EGLDisplay dpy;
    EGLConfig config;
    EGLSurface pbuffer;
    Display *x;
    Window w;
    EGLint n;

    if (!xvfb_start("24", NULL))
        skip();
    x = XOpenDisplay(NULL);
    assert_non_null(x);
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, x, NULL);
    assert_true(eglInitialize(dpy, NULL, NULL));
    assert_true(eglChooseConfig(dpy, NULL, &config, 1, &n));
    w = XCreateSimpleWindow(x, DefaultRootWindow(x), 0, 0, 20, 10, 0, 0, 0);
    XSync(x, False);
    pbuffer = eglCreatePbufferSurface(dpy, config, size);
    check_visuals(x, dpy);
    check_compression(dpy, config, w, pbuffer);
    /* only Wayland's windows have this */
    assert_egl(eglCreateWindowSurface(dpy, config, (EGLNativeWindowType)w, opaque),
               EGL_BAD_ATTRIBUTE);
    assert_egl(eglQuerySurface(dpy, pbuffer, EGL_PRESENT_OPAQUE_EXT, &n), EGL_BAD_ATTRIBUTE);
    assert_false(listed(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_EXT_present_opaque"));
    check_rate(dpy, config, pbuffer);
    /* configs for pbuffers only; the handles of windows and pixmaps don't matter */
    assert_true(eglChooseConfig(dpy, floats, &config, 1, &n));
    assert_int_equal(n, 1);
    assert_egl(eglCreateWindowSurface(dpy, config, (EGLNativeWindowType)w, NULL), EGL_BAD_MATCH);
    assert_egl(eglCreateWindowSurface(dpy, config, (EGLNativeWindowType)0x123456, NULL),
               EGL_BAD_MATCH);
    assert_egl(eglCreatePixmapSurface(dpy, config, (EGLNativePixmapType)0x123456, NULL),
               EGL_BAD_MATCH);
    assert_true(eglTerminate(dpy));
    XCloseDisplay(x);
    xvfb_stop();
}

/* On other platforms, the ID and type of a visual are ignored, and so are transparent colors. */
static void test_visual_ignored(void **state)
{
    const EGLint attribs[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NATIVE_VISUAL_ID, 0x123456,
                              EGL_NONE};
    const EGLint type[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_NATIVE_VISUAL_TYPE, TrueColor,
                           EGL_NONE};
    const EGLint colors[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_TRANSPARENT_RED_VALUE,
                             1,
                             EGL_TRANSPARENT_GREEN_VALUE,
                             2,
                             EGL_TRANSPARENT_BLUE_VALUE,
                             3,
                             EGL_NONE};
    EGLDisplay dpy = surfaceless();
    EGLConfig config;
    EGLint n;

    assert_true(eglChooseConfig(dpy, attribs, &config, 1, &n));
    assert_int_equal(n, 1);
    assert_true(eglChooseConfig(dpy, type, &config, 1, &n));
    assert_int_equal(n, 1);
    assert_true(eglChooseConfig(dpy, colors, &config, 1, &n));
    assert_int_equal(n, 1);
    assert_true(eglTerminate(dpy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_select_group),
        cmocka_unit_test(test_reset_query),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_x11),
        cmocka_unit_test(test_visual_ignored),
        cmocka_unit_test(test_reusable_sync),
        cmocka_unit_test(test_debug),
        cmocka_unit_test(test_debug_recursion),
        cmocka_unit_test(test_blob_cache),
        cmocka_unit_test(test_configless),
        cmocka_unit_test(test_context_attributes),
        cmocka_unit_test(test_server_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
