/* SPDX-License-Identifier: MIT */
/* Extensions of GLX in libGL on a private X server, with the fake core: floating-point and deep
 * configurations, vertical blanks and swaps, contexts of other clients. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GLX_GLXEXT_PROTOTYPES
#include <GL/glx.h>
#include <X11/Xmd.h>
#include <GL/glxproto.h>
#include <X11/Xutil.h>

#include "xvfb.h"

static Display *dpy;
static int error_base, event_base, last_error;

static int on_error(Display *d, XErrorEvent *e)
{
    last_error = e->error_code >= error_base && e->error_code < error_base + 14
                     ? 0x100 + e->error_code - error_base
                     : e->error_code;
    return 0;
}

/* Returns the X error since the last call: an error of X.h, or 0x100 + an error of glxproto.h. */
static int take_error(void)
{
    int e = last_error;

    last_error = 0;
    return e;
}

static void setup(const char *depth, const char *without)
{
    if (!xvfb_start(depth, without))
        exit(77);
    dpy = XOpenDisplay(NULL);
    assert_non_null(dpy);
    XSetErrorHandler(on_error);
    assert_true(glXQueryExtension(dpy, &error_base, &event_base));
    take_error();
}

static void teardown(void)
{
    assert_int_equal(take_error(), 0);
    XCloseDisplay(dpy);
    xvfb_stop();
}

/* Creates a window and a context for the first configuration with the given buffering. */
static Window make_window(Bool double_buffered, GLXContext *ctx)
{
    const int attribs[] = {GLX_DOUBLEBUFFER, double_buffered, None};
    XSetWindowAttributes a = {.border_pixel = 0};
    int count;
    GLXFBConfig *configs = glXChooseFBConfig(dpy, 0, attribs, &count);
    XVisualInfo *info;
    Window w;

    assert_non_null(configs);
    info = glXGetVisualFromFBConfig(dpy, configs[0]);
    a.colormap = XCreateColormap(dpy, DefaultRootWindow(dpy), info->visual, AllocNone);
    w = XCreateWindow(dpy, DefaultRootWindow(dpy), 0, 0, 30, 20, 0, info->depth, InputOutput,
                      info->visual, CWColormap | CWBorderPixel, &a);
    XMapWindow(dpy, w);
    XSync(dpy, False);
    *ctx = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    assert_non_null(*ctx);
    assert_true(glXMakeCurrent(dpy, w, *ctx));
    XFree(info);
    XFree(configs);
    return w;
}

static void destroy_window(Window w, GLXContext ctx)
{
    glXMakeCurrent(dpy, None, NULL);
    glXDestroyContext(dpy, ctx);
    XDestroyWindow(dpy, w);
}

static int attrib(GLXFBConfig config, int name)
{
    int value = -1;

    assert_int_equal(glXGetFBConfigAttrib(dpy, config, name, &value), Success);
    return value;
}

/* Extension strings list whole names. */
static void test_strings(void **state)
{
    static const char *const names[] = {
        "GLX_ARB_fbconfig_float",        "GLX_ATI_pixel_format_float",
        "GLX_EXT_fbconfig_packed_float", "GLX_EXT_swap_control_tear",
        "GLX_INTEL_swap_event",          "GLX_NV_float_buffer",
        "GLX_OML_swap_method",           "GLX_OML_sync_control",
        "GLX_SGIS_multisample",          "GLX_SGI_video_sync",
        "GLX_SGIX_visual_select_group",
    };

    setup("24", NULL);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *list = glXQueryExtensionsString(dpy, 0), *at = strstr(list, names[i]);
        const char end = at ? at[strlen(names[i])] : 'x';

        assert_true(at && (at == list || at[-1] == ' '));
        assert_true(end == ' ' || end == '\0');
    }
    /* No server has contexts that can be imported. */
    assert_non_null(strstr(glXGetClientString(dpy, GLX_EXTENSIONS), "GLX_EXT_import_context"));
    assert_null(strstr(glXQueryExtensionsString(dpy, 0), "GLX_EXT_import_context"));
    assert_null(strstr(glXQueryServerString(dpy, 0, GLX_EXTENSIONS), "GLX_EXT_import_context"));
    assert_string_equal(glXQueryServerString(dpy, 0, GLX_VENDOR_NAMES_EXT), "indium");
    assert_null(glXGetClientString(dpy, GLX_VENDOR_NAMES_EXT));
    teardown();
}

/* Configurations with floating-point colors: only pbuffers have them. */
static void check_float(int bit, int type, int red, int alpha)
{
    const int attribs[] = {
        GLX_RENDER_TYPE, bit, GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_RED_SIZE, red, None};
    const int windows[] = {GLX_RENDER_TYPE, bit, GLX_DRAWABLE_TYPE, GLX_WINDOW_BIT, None};
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 6, None};
    const int typed[] = {GLX_RENDER_TYPE, type, None};
    int count, value;
    GLXFBConfig *configs = glXChooseFBConfig(dpy, 0, attribs, &count);
    GLXContext ctx;
    GLXPbuffer p;
    Pixmap pixmap;

    assert_non_null(configs);
    while (attrib(configs[0], GLX_RED_SIZE) != red) { /* larger colors come first */
        assert_true(--count > 0);
        memmove(configs, configs + 1, count * sizeof *configs);
    }
    assert_int_equal(attrib(configs[0], GLX_ALPHA_SIZE), alpha);
    assert_int_equal(attrib(configs[0], GLX_VISUAL_ID), None);
    assert_int_equal(attrib(configs[0], GLX_X_VISUAL_TYPE), GLX_NONE);
    assert_int_equal(attrib(configs[0], GLX_X_RENDERABLE), False);
    assert_int_equal(attrib(configs[0], GLX_DRAWABLE_TYPE), GLX_PBUFFER_BIT);
    assert_int_equal(attrib(configs[0], GLX_BIND_TO_TEXTURE_RGB_EXT), False);
    assert_int_equal(attrib(configs[0], GLX_FLOAT_COMPONENTS_NV), True);
    assert_null(glXGetVisualFromFBConfig(dpy, configs[0]));
    assert_null(glXChooseFBConfig(dpy, 0, windows, &count));

    assert_null(glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True));
    assert_int_equal(take_error(), BadMatch);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, NULL));
    assert_int_equal(take_error(), BadMatch);
    ctx = glXCreateContextAttribsARB(dpy, configs[0], NULL, True, typed);
    assert_non_null(ctx);
    glXDestroyContext(dpy, ctx);
    ctx = glXCreateNewContext(dpy, configs[0], type, NULL, True);
    assert_int_equal(glXQueryContext(dpy, ctx, GLX_RENDER_TYPE, &value), Success);
    assert_int_equal(value, type);
    p = glXCreatePbuffer(dpy, configs[0], size);
    assert_true(glXMakeContextCurrent(dpy, p, p, ctx));
    glXSwapBuffers(dpy, p);
    glXMakeCurrent(dpy, None, NULL);
    assert_int_equal(glXCreateWindow(dpy, configs[0], DefaultRootWindow(dpy), NULL), None);
    assert_int_equal(take_error(), BadMatch);
    pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), 4, 4, 24);
    assert_int_equal(glXCreatePixmap(dpy, configs[0], pixmap, NULL), None);
    assert_int_equal(take_error(), 0x100 + GLXBadFBConfig);
    XFreePixmap(dpy, pixmap);
    glXDestroyPbuffer(dpy, p);
    glXDestroyContext(dpy, ctx);
    XFree(configs);
}

static void test_float(void **state)
{
    int count;
    GLXFBConfig *configs;

    setup("24", NULL);
    check_float(GLX_RGBA_FLOAT_BIT_ARB, GLX_RGBA_FLOAT_TYPE_ARB, 16, 16);
    check_float(GLX_RGBA_FLOAT_BIT_ARB, GLX_RGBA_FLOAT_TYPE_ARB, 32, 32);
    check_float(0x100, GLX_RGBA_FLOAT_TYPE_ARB, 16, 16); /* GLX_RGBA_FLOAT_ATI_BIT */
    check_float(GLX_RGBA_UNSIGNED_FLOAT_BIT_EXT, GLX_RGBA_UNSIGNED_FLOAT_TYPE_EXT, 11, 0);
    configs = glXChooseFBConfig(dpy, 0, NULL, &count);
    for (int i = 0; i < count; i++)
        assert_int_equal(attrib(configs[i], GLX_FLOAT_COMPONENTS_NV), False);
    assert_null(glXCreateNewContext(dpy, configs[0], GLX_RGBA_FLOAT_TYPE_ARB, NULL, True));
    assert_int_equal(take_error(), BadMatch);
    assert_null(glXCreateNewContext(dpy, configs[0], GLX_COLOR_INDEX_TYPE, NULL, True));
    assert_int_equal(take_error(), BadMatch);
    XFree(configs);
    teardown();
}

/* The swap method follows from buffering, and can be requested. */
static void test_swap_method(void **state)
{
    const int exchange[] = {GLX_SWAP_METHOD_OML, GLX_SWAP_EXCHANGE_OML, None};
    const int copy[] = {GLX_SWAP_METHOD_OML, GLX_SWAP_COPY_OML, None};
    const int undefined[] = {GLX_SWAP_METHOD_OML, GLX_SWAP_UNDEFINED_OML, None};
    GLXFBConfig *configs;
    int count;

    setup("24", NULL);
    assert_null(glXChooseFBConfig(dpy, 0, exchange, &count));
    configs = glXChooseFBConfig(dpy, 0, copy, &count);
    assert_non_null(configs);
    for (int i = 0; i < count; i++)
        assert_true(attrib(configs[i], GLX_DOUBLEBUFFER));
    XFree(configs);
    configs = glXChooseFBConfig(dpy, 0, undefined, &count);
    assert_non_null(configs);
    for (int i = 0; i < count; i++)
        assert_false(attrib(configs[i], GLX_DOUBLEBUFFER));
    XFree(configs);
    teardown();
}

/* Configurations are sorted by select group first; those of the root's depth are in group 0. */
static void test_select_group(void **state)
{
    const int attribs[] = {GLX_RED_SIZE, 8, None};
    GLXFBConfig *configs;
    int count, group = 0;

    setup("30", NULL);
    configs = glXChooseFBConfig(dpy, 0, attribs, &count);
    assert_non_null(configs);
    assert_int_equal(attrib(configs[0], GLX_RED_SIZE), 10);
    for (int i = 0; i < count; i++) {
        const int now = attrib(configs[i], GLX_VISUAL_SELECT_GROUP_SGIX);

        assert_true(now >= group);
        group = now;
    }
    XFree(configs);
    teardown();
}

static void check_sync(Window w)
{
    int64_t ust, msc, sbc, ust2, msc2, sbc2;
    int32_t n = 0, d = 0;
    unsigned count, count2;

    assert_true(glXGetMscRateOML(dpy, w, &n, &d));
    assert_true(n >= 10 * d && n <= 1000 * d && d > 0);
    assert_true(glXGetMscRateOML(dpy, w, NULL, NULL));
    assert_true(glXGetSyncValuesOML(dpy, w, &ust, &msc, &sbc));
    assert_true(ust > 0 && msc > 0);
    assert_int_equal(sbc, 0);
    assert_true(glXGetSyncValuesOML(dpy, w, NULL, NULL, NULL));

    assert_true(glXWaitForMscOML(dpy, w, msc + 3, 0, 0, &ust2, &msc2, &sbc2));
    assert_true(msc2 >= msc + 3); /* later if the thread was delayed */
    assert_true(ust2 > ust);
    /* a passed blank without a divisor */
    assert_true(glXWaitForMscOML(dpy, w, msc, 0, 0, &ust, &msc2, &sbc2));
    assert_true(msc2 >= msc);
    assert_true(glXWaitForMscOML(dpy, w, 0, 4, 3, NULL, &msc2, NULL));
    assert_true(msc2 > msc);

    assert_int_equal(glXSwapBuffersMscOML(dpy, w, 0, 0, 0), 1);
    assert_int_equal(glXSwapBuffersMscOML(dpy, w, 0, 2, 1), 2);
    assert_int_equal(glXSwapBuffersMscOML(dpy, w, msc2 + 5, 0, 0), 3);
    glXSwapBuffers(dpy, w);
    assert_true(glXWaitForSbcOML(dpy, w, 4, &ust, &msc, &sbc));
    assert_int_equal(sbc, 4);
    assert_true(msc >= msc2 + 5);
    assert_true(glXWaitForSbcOML(dpy, w, 0, NULL, NULL, &sbc));
    assert_int_equal(sbc, 4);

    assert_int_equal(glXGetVideoSyncSGI(&count), 0);
    assert_int_equal(glXWaitVideoSyncSGI(1, 0, &count2), 0);
    assert_true(count2 > count);
    assert_int_equal(glXWaitVideoSyncSGI(2, 1, &count), 0);
    assert_true(count > count2);
    assert_int_equal(glXWaitVideoSyncSGI(1, 7, NULL), 0); /* a remainder that never occurs */
    assert_int_equal(glXWaitVideoSyncSGI(0, 0, &count), GLX_BAD_VALUE);
    assert_int_equal(glXWaitVideoSyncSGI(2, -1, &count), GLX_BAD_VALUE);
}

static void check_sync_errors(Window w)
{
    int64_t v = 77;

    assert_int_equal(glXSwapBuffersMscOML(dpy, w, -1, 0, 0), -1);
    assert_int_equal(take_error(), BadValue);
    assert_int_equal(glXSwapBuffersMscOML(dpy, w, 0, -1, 0), -1);
    assert_int_equal(take_error(), BadValue);
    assert_int_equal(glXSwapBuffersMscOML(dpy, w, 0, 2, 2), -1);
    assert_int_equal(take_error(), BadValue);
    assert_false(glXWaitForMscOML(dpy, w, 0, 2, -1, &v, &v, &v));
    assert_int_equal(take_error(), BadValue);
    assert_false(glXWaitForSbcOML(dpy, w, -1, &v, &v, &v));
    assert_int_equal(take_error(), BadValue);
    assert_false(glXGetSyncValuesOML(dpy, 0x123456, &v, &v, &v));
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    assert_int_equal(v, 77);
}

/* With the server's Present extension, and with a clock of our own. */
static void test_sync(void **state)
{
    static const char *const without[] = {NULL, "Present"};

    for (unsigned i = 0; i < 2; i++) {
        GLXContext ctx;
        int64_t v = 77;
        unsigned count = 77;
        Window w;

        setup("24", without[i]);
        w = make_window(True, &ctx);
        check_sync(w);
        check_sync_errors(w);
        glXMakeCurrent(dpy, None, NULL);
        assert_false(glXGetSyncValuesOML(dpy, w, &v, &v, &v));
        assert_int_equal(take_error(), 0x100 + GLXBadContext);
        assert_int_equal(glXSwapBuffersMscOML(dpy, w, 0, 0, 0), -1);
        assert_int_equal(take_error(), 0x100 + GLXBadContext);
        assert_int_equal(glXGetVideoSyncSGI(&count), GLX_BAD_CONTEXT);
        assert_int_equal(glXWaitVideoSyncSGI(1, 0, &count), GLX_BAD_CONTEXT);
        assert_int_equal(v, 77);
        assert_int_equal(count, 77);
        destroy_window(w, ctx);
        teardown();
    }
}

/* Single-buffered windows and pbuffers are never swapped. */
static void test_no_swaps(void **state)
{
    GLXContext ctx;
    int64_t sbc = 77;
    Window w;

    setup("24", NULL);
    w = make_window(False, &ctx);
    assert_int_equal(glXSwapBuffersMscOML(dpy, w, 0, 1, 0), 0);
    glXSwapBuffers(dpy, w);
    assert_true(glXGetSyncValuesOML(dpy, w, NULL, NULL, &sbc));
    assert_int_equal(sbc, 0);
    destroy_window(w, ctx);
    teardown();
}

/* A wait for a blank ends when the window is destroyed. */
static void test_dead_window(void **state)
{
    GLXContext ctx;
    int64_t msc;
    Window w;

    setup("24", NULL);
    w = make_window(True, &ctx);
    assert_true(glXGetSyncValuesOML(dpy, w, NULL, &msc, NULL));
    XDestroyWindow(dpy, w);
    XSync(dpy, False);
    glXWaitForMscOML(dpy, w, msc + 5, 0, 0, NULL, NULL, NULL);
    glXSwapBuffersMscOML(dpy, w, msc + 6, 0, 0);
    glXMakeCurrent(dpy, None, NULL);
    glXDestroyContext(dpy, ctx);
    take_error();
    teardown();
}

static void test_swap_event(void **state)
{
    static const char *const without[] = {NULL, "GLX"};

    for (unsigned i = 0; i < 2; i++) {
        GLXBufferSwapComplete e;
        unsigned long mask = 0;
        GLXContext ctx;
        int64_t msc;
        XEvent event;
        Window w;

        setup("24", without[i]);
        w = make_window(True, &ctx);
        glXSwapBuffers(dpy, w);
        assert_int_equal(XPending(dpy), 0);
        glXSelectEvent(dpy, w, GLX_BUFFER_SWAP_COMPLETE_INTEL_MASK | 1);
        glXGetSelectedEvent(dpy, w, &mask);
        assert_int_equal(mask, GLX_BUFFER_SWAP_COMPLETE_INTEL_MASK);
        assert_true(glXGetSyncValuesOML(dpy, w, NULL, &msc, NULL));
        glXSwapBuffers(dpy, w);
        glXSwapBuffersMscOML(dpy, w, msc + 2, 0, 0);
        for (int sbc = 2; sbc <= 3; sbc++) {
            assert_true(XPending(dpy) > 0);
            XNextEvent(dpy, &event);
            memcpy(&e, &event, sizeof e);
            assert_int_equal(e.type, event_base + GLX_BufferSwapComplete);
            assert_int_equal(e.event_type, GLX_COPY_COMPLETE_INTEL);
            assert_ptr_equal(e.display, dpy);
            assert_int_equal(e.drawable, w);
            assert_int_equal(e.sbc, sbc);
            assert_int_equal(e.send_event, False);
            assert_true(e.msc >= msc && e.ust > 0);
        }
        assert_true(e.msc >= msc + 2);
        assert_int_equal(XPending(dpy), 0);
        glXSelectEvent(dpy, w, 0);
        glXSwapBuffers(dpy, w);
        assert_int_equal(XPending(dpy), 0);
        destroy_window(w, ctx);
        teardown();
    }
}

static void test_swap_control_tear(void **state)
{
    unsigned interval = 77, tear = 77;
    GLXContext ctx;
    Window w;

    setup("24", NULL);
    w = make_window(True, &ctx);
    glXSwapIntervalEXT(dpy, w, -3);
    glXQueryDrawable(dpy, w, GLX_SWAP_INTERVAL_EXT, &interval);
    glXQueryDrawable(dpy, w, GLX_LATE_SWAPS_TEAR_EXT, &tear);
    assert_int_equal(interval, 3);
    assert_int_equal(tear, 1);
    assert_int_equal(glXGetSwapIntervalMESA(), 3);
    glXSwapBuffers(dpy, w);
    glXSwapIntervalEXT(dpy, w, 2);
    glXQueryDrawable(dpy, w, GLX_SWAP_INTERVAL_EXT, &interval);
    glXQueryDrawable(dpy, w, GLX_LATE_SWAPS_TEAR_EXT, &tear);
    assert_int_equal(interval, 2);
    assert_int_equal(tear, 0);
    glXSwapIntervalEXT(dpy, w, (int)0x80000000); /* has no absolute value */
    glXQueryDrawable(dpy, w, GLX_SWAP_INTERVAL_EXT, &interval);
    assert_int_equal(interval, 0x7fffffff);
    destroy_window(w, ctx);
    teardown();
}

static void test_import_context(void **state)
{
    GLXContext ctx, other, fake = (GLXContext)(uintptr_t)0x5678;
    GLXFBConfig *configs;
    int count, value = 77;
    GLXContextID id;
    Window w;

    setup("24", NULL);
    assert_null(glXGetCurrentDisplayEXT());
    w = make_window(True, &ctx);
    assert_ptr_equal(glXGetCurrentDisplayEXT(), dpy);
    id = glXGetContextIDEXT(ctx);
    assert_int_not_equal(id, None);
    assert_int_equal(glXGetContextIDEXT(NULL), None);
    assert_int_equal(glXQueryContextInfoEXT(dpy, ctx, GLX_SHARE_CONTEXT_EXT, &value), Success);
    assert_int_equal(value, None);
    assert_int_equal(glXQueryContextInfoEXT(dpy, ctx, GLX_SCREEN_EXT, &value), Success);
    assert_int_equal(value, 0);
    assert_int_equal(glXQueryContextInfoEXT(dpy, ctx, GLX_VISUAL_ID_EXT, &value), Success);
    assert_int_not_equal(value, None);
    assert_int_equal(glXQueryContextInfoEXT(dpy, ctx, GLX_FBCONFIG_ID_SGIX, &value), Success);
    assert_int_not_equal(value, 0);
    assert_int_equal(glXQueryContextInfoEXT(dpy, ctx, GLX_RENDER_TYPE_SGIX, &value), Success);
    assert_int_equal(value, GLX_RGBA_TYPE);
    value = 77;
    assert_int_equal(glXQueryContextInfoEXT(dpy, ctx, 0x7777, &value), GLX_BAD_ATTRIBUTE);
    assert_int_equal(glXQueryContextInfoEXT(dpy, fake, GLX_SCREEN_EXT, &value), GLX_BAD_CONTEXT);
    assert_int_equal(value, 77);
    configs = glXChooseFBConfig(dpy, 0, NULL, &count);
    other = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, ctx, True);
    assert_int_equal(glXQueryContextInfoEXT(dpy, other, GLX_SHARE_CONTEXT_EXT, &value), Success);
    assert_int_equal(value, id);
    XFree(configs);
    glXDestroyContext(dpy, other);

    assert_null(glXImportContextEXT(dpy, id)); /* a direct context */
    assert_int_equal(take_error(), 0);
    assert_null(glXImportContextEXT(dpy, 0x123456));
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    glXFreeContextEXT(dpy, ctx);
    assert_int_equal(glXGetContextIDEXT(ctx), id);
    glXFreeContextEXT(dpy, fake);
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    destroy_window(w, ctx);
    teardown();
}

/* Calls of extensions for drawables of another kind. */
static void test_kinds_of_drawables(void **state)
{
    GLXFBConfig *configs;
    XVisualInfo *info;
    unsigned value = 77;
    GLXPixmap plain;
    GLXContext ctx;
    Pixmap pixmap;
    Window w;
    int count;

    setup("24", NULL);
    w = make_window(True, &ctx);
    configs = glXChooseFBConfig(dpy, 0, NULL, &count);
    info = glXGetVisualFromFBConfig(dpy, configs[0]);
    pixmap = XCreatePixmap(dpy, w, 4, 4, info->depth);
    plain = glXCreatePixmap(dpy, configs[0], pixmap, NULL); /* without a texture format */
    assert_int_not_equal(plain, None);
    glXBindTexImageEXT(dpy, plain, GLX_FRONT_LEFT_EXT, NULL);
    assert_int_equal(take_error(), BadMatch);
    glXReleaseTexImageEXT(dpy, plain, GLX_FRONT_LEFT_EXT);
    assert_int_equal(take_error(), BadMatch);
    glXReleaseTexImageEXT(dpy, plain, 0x7777);
    assert_int_equal(take_error(), BadValue);
    glXReleaseTexImageEXT(dpy, w, GLX_FRONT_LEFT_EXT);
    assert_int_equal(take_error(), 0x100 + GLXBadPixmap);
    for (int i = 0; i < 3; i++) {
        const XID others[] = {plain, w, 0x123456};

        glXQueryGLXPbufferSGIX(dpy, others[i], GLX_WIDTH_SGIX, &value);
        assert_int_equal(take_error(), 0x100 + GLXBadPbuffer);
    }
    assert_int_equal(value, 77);
    glXDestroyPixmap(dpy, plain);
    XFreePixmap(dpy, pixmap);
    XFree(info);
    XFree(configs);
    destroy_window(w, ctx);
    teardown();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_float),
        cmocka_unit_test(test_swap_method),
        cmocka_unit_test(test_select_group),
        cmocka_unit_test(test_sync),
        cmocka_unit_test(test_no_swaps),
        cmocka_unit_test(test_dead_window),
        cmocka_unit_test(test_swap_event),
        cmocka_unit_test(test_swap_control_tear),
        cmocka_unit_test(test_import_context),
        cmocka_unit_test(test_kinds_of_drawables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
