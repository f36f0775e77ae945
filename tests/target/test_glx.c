/* SPDX-License-Identifier: MIT */
/* GLX in libGL on a private X server, with and without the server's GLX, with the fake core. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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
static int error_base, last_error;
static int odd_error; /* last error other than BadAccess */
static void (*clear_color)(float, float, float, float);
static void (*clear)(unsigned);
static void (*flush)(void);

static int on_error(Display *d, XErrorEvent *e)
{
    last_error = e->error_code >= error_base && e->error_code < error_base + 14
                     ? 0x100 + e->error_code - error_base
                     : e->error_code;
    if (last_error != BadAccess)
        odd_error = last_error;
    return 0;
}

/* Returns the X error since the last call: an error of X.h, or 0x100 + an error of glxproto.h. */
static int take_error(void)
{
    int e = last_error;

    last_error = 0;
    return e;
}

static void setup_screens(const char *depth, bool glx, unsigned screens)
{
    if (!xvfb_start_screens(depth, glx ? NULL : "GLX", screens))
        exit(77);
    dpy = XOpenDisplay(NULL);
    assert_non_null(dpy);
    XSetErrorHandler(on_error);
    assert_true(glXQueryExtension(dpy, &error_base, NULL));
    clear_color =
        (void (*)(float, float, float, float))glXGetProcAddress((const GLubyte *)"glClearColor");
    clear = (void (*)(unsigned))glXGetProcAddress((const GLubyte *)"glClear");
    flush = (void (*)(void))glXGetProcAddress((const GLubyte *)"glFlush");
    take_error();
}

static void setup(const char *depth, bool glx)
{
    setup_screens(depth, glx, 1);
}

static void teardown(void)
{
    assert_int_equal(take_error(), 0);
    XCloseDisplay(dpy);
    xvfb_stop();
}

static Window window(XVisualInfo *info, int width, int height)
{
    XSetWindowAttributes a = {.border_pixel = 0};
    Window w;

    a.colormap = XCreateColormap(dpy, RootWindow(dpy, info->screen), info->visual, AllocNone);
    w = XCreateWindow(dpy, RootWindow(dpy, info->screen), 0, 0, width, height, 0, info->depth,
                      InputOutput, info->visual, CWColormap | CWBorderPixel, &a);
    XMapWindow(dpy, w);
    XSync(dpy, False);
    return w;
}

static unsigned long pixel(Drawable d, int x, int y)
{
    XImage *image = XGetImage(dpy, d, x, y, 1, 1, AllPlanes, ZPixmap);
    unsigned long p;

    assert_non_null(image);
    p = XGetPixel(image, 0, 0);
    XDestroyImage(image);
    return p & 0xffffff;
}

/* Returns the number of requests sent, which increases by one with each call. */
static unsigned long requests(void)
{
    XNoOp(dpy); /* makes Xlib count requests that xcb sent */
    return XNextRequest(dpy);
}

/* Making the same objects current again, as programs do each frame, queries the size at most once
 * and applies it. */
static void check_current_again(Window w, GLXContext ctx, unsigned long red)
{
    unsigned long before;

    assert_true(glXMakeCurrent(dpy, w, ctx));
    before = requests();
    assert_true(glXMakeCurrent(dpy, w, ctx));
    clear(0x4000);
    assert_int_equal(requests() - before, 1 + 1);
    XResizeWindow(dpy, w, 90, 60);
    XSync(dpy, False);
    assert_true(glXMakeCurrent(dpy, w, ctx));
    clear_color(1, 0, 0, 1);
    clear(0x4000);
    glXSwapBuffers(dpy, w);
    assert_int_equal(pixel(w, 89, 59), red);
}

/* glXChooseVisual, a plain window, a swap, a resize. */
static void check_swap(const char *depth, bool glx, unsigned long red, unsigned long green)
{
    /* without color sizes, the smallest color buffer is chosen, that of the root */
    int attribs[] = {GLX_RGBA, GLX_DEPTH_SIZE, 1, GLX_DOUBLEBUFFER, None};
    XVisualInfo *info;
    GLXContext ctx;
    Window w;
    unsigned age;
    int value;

    setup(depth, glx);
    info = glXChooseVisual(dpy, 0, attribs);
    assert_non_null(info);
    assert_int_equal(glXGetConfig(dpy, info, GLX_DOUBLEBUFFER, &value), Success);
    assert_true(value);
    assert_int_equal(glXGetConfig(dpy, info, GLX_DEPTH_SIZE, &value), Success);
    assert_true(value >= 16);
    assert_int_equal(glXGetConfig(dpy, info, 0x7777, &value), GLX_BAD_ATTRIBUTE);
    w = window(info, 50, 40);
    ctx = glXCreateContext(dpy, info, NULL, True);
    assert_true(glXIsDirect(dpy, ctx));
    assert_true(glXMakeCurrent(dpy, w, ctx));
    assert_int_equal(glXGetCurrentDrawable(), w);
    clear_color(1, 0, 0, 1);
    clear(0x4000);
    glXQueryDrawable(dpy, w, GLX_BACK_BUFFER_AGE_EXT, &age);
    assert_int_equal(age, 0);
    glXSwapBuffers(dpy, w);
    assert_int_equal(pixel(w, 0, 0), red);
    assert_int_equal(pixel(w, 49, 39), red);
    XResizeWindow(dpy, w, 80, 70);
    XSync(dpy, False);
    clear_color(0, 1, 0, 1);
    clear(0x4000);
    glXSwapBuffers(dpy, w);
    assert_int_equal(pixel(w, 79, 69), green);
    glXQueryDrawable(dpy, w, GLX_BACK_BUFFER_AGE_EXT, &age);
    assert_int_equal(age, 1);
    clear_color(1, 0, 0, 1);
    clear(0x4000);
    glXCopySubBufferMESA(dpy, w, 0, 0, 10, 10);
    assert_int_equal(pixel(w, 9, 60), red);
    assert_int_equal(pixel(w, 9, 59), green);
    assert_int_equal(pixel(w, 10, 60), green);
    check_current_again(w, ctx, red);
    assert_true(glXMakeCurrent(dpy, None, NULL));
    age = 77;
    glXQueryDrawable(dpy, w, GLX_BACK_BUFFER_AGE_EXT, &age); /* not bound to the context */
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    glXQueryDrawable(dpy, w, 0x7777, &age);
    assert_int_equal(take_error(), BadValue);
    assert_int_equal(age, 77);
    glXDestroyContext(dpy, ctx);
    XFree(info);
    teardown();
}

static void test_swap(void **state)
{
    check_swap("24", true, 0xff0000, 0x00ff00);
    check_swap("24", false, 0xff0000, 0x00ff00);
    check_swap("16", false, 0xf800, 0x07e0);
}

/* A single-buffered visual and a pixmap show what is flushed. */
static void test_single_buffered(void **state)
{
    int attribs[] = {GLX_RGBA, None};
    XVisualInfo *info;
    GLXContext ctx;
    GLXPixmap glx_pixmap;
    Pixmap pixmap;
    Window w;

    setup("24", false);
    info = glXChooseVisual(dpy, 0, attribs);
    assert_non_null(info);
    w = window(info, 20, 20);
    ctx = glXCreateContext(dpy, info, NULL, True);
    assert_true(glXMakeCurrent(dpy, w, ctx));
    clear_color(0, 0, 1, 1);
    clear(0x4000);
    flush();
    assert_int_equal(pixel(w, 5, 5), 0x0000ff);
    pixmap = XCreatePixmap(dpy, w, 9, 9, info->depth);
    glx_pixmap = glXCreateGLXPixmap(dpy, info, pixmap);
    assert_true(glXMakeCurrent(dpy, glx_pixmap, ctx));
    clear_color(0, 1, 0, 1);
    clear(0x4000);
    glXWaitGL();
    assert_int_equal(pixel(pixmap, 8, 8), 0x00ff00);
    glXSwapBuffers(dpy, glx_pixmap);
    glXDestroyGLXPixmap(dpy, glx_pixmap);
    glXMakeCurrent(dpy, None, NULL);
    glXDestroyContext(dpy, ctx);
    XFree(info);
    teardown();
}

static void test_choose_fbconfig(void **state)
{
    const int attribs[] = {GLX_ALPHA_SIZE, 8, GLX_DEPTH_SIZE, 1, GLX_DOUBLEBUFFER, True, None};
    const int accum[] = {GLX_ACCUM_RED_SIZE, 1, GLX_STENCIL_SIZE, 1, GLX_DEPTH_SIZE, 12, None};
    const int unknown[] = {0x7777, 1, None};
    const int too_much[] = {GLX_RED_SIZE, 20, None};
    int by_id[] = {GLX_FBCONFIG_ID, 0, GLX_RED_SIZE, 100, None};
    GLXFBConfig *configs, *one;
    int count, n, value, id, previous = 1000;

    setup("24", false);
    configs = glXChooseFBConfig(dpy, 0, attribs, &count);
    assert_non_null(configs);
    for (int i = 0; i < count; i++) {
        glXGetFBConfigAttrib(dpy, configs[i], GLX_ALPHA_SIZE, &value);
        assert_int_equal(value, 8);
        glXGetFBConfigAttrib(dpy, configs[i], GLX_DOUBLEBUFFER, &value);
        assert_true(value);
        glXGetFBConfigAttrib(dpy, configs[i], GLX_DEPTH_SIZE, &value);
        assert_true(value <= previous);
        previous = value;
    }
    assert_int_equal(glXGetFBConfigAttrib(dpy, configs[0], GLX_FBCONFIG_ID, &id), Success);
    by_id[1] = id;
    one = glXChooseFBConfig(dpy, 0, by_id, &n);
    assert_int_equal(n, 1);
    assert_ptr_equal(one[0], configs[0]);
    XFree(one);
    XFree(configs);
    configs = glXChooseFBConfig(dpy, 0, accum, &count);
    assert_non_null(configs);
    XFree(configs);
    assert_null(glXChooseFBConfig(dpy, 0, unknown, &count));
    assert_null(glXChooseFBConfig(dpy, 0, too_much, &count));
    assert_null(glXChooseFBConfig(dpy, 7, NULL, &count));
    configs = glXGetFBConfigs(dpy, 0, &count);
    for (int i = 0; i < count; i++) {
        XVisualInfo *info = glXGetVisualFromFBConfig(dpy, configs[i]);

        glXGetFBConfigAttrib(dpy, configs[i], GLX_X_RENDERABLE, &value);
        assert_int_equal(info != NULL, value);
        if (info)
            XFree(info);
    }
    XFree(configs);
    teardown();
}

static void test_errors(void **state)
{
    const int bad_version[] = {GLX_CONTEXT_MAJOR_VERSION_ARB, 3, GLX_CONTEXT_MINOR_VERSION_ARB, 7,
                               None};
    const int bad_profile[] = {GLX_CONTEXT_MAJOR_VERSION_ARB,
                               3,
                               GLX_CONTEXT_MINOR_VERSION_ARB,
                               2,
                               GLX_CONTEXT_PROFILE_MASK_ARB,
                               3,
                               None};
    const int bad_flag[] = {GLX_CONTEXT_FLAGS_ARB, 0x100, None};
    const int bad_attrib[] = {0x7777, 1, None};
    const int bad_reset[] = {GLX_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB, 0x7777, None};
    const int bad_release[] = {GLX_CONTEXT_RELEASE_BEHAVIOR_ARB, 0x7777, None};
    const int no_error[] = {GLX_CONTEXT_OPENGL_NO_ERROR_ARB, True, None};
    const int debug_no_error[] = {GLX_CONTEXT_OPENGL_NO_ERROR_ARB, True, GLX_CONTEXT_FLAGS_ARB,
                                  GLX_CONTEXT_DEBUG_BIT_ARB, None};
    const int robust_no_error[] = {GLX_CONTEXT_OPENGL_NO_ERROR_ARB, True, GLX_CONTEXT_FLAGS_ARB,
                                   GLX_CONTEXT_ROBUST_ACCESS_BIT_ARB, None};
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 6, None};
    const int wide[] = {GLX_PBUFFER_WIDTH, 4097, GLX_PBUFFER_HEIGHT, 1, None};
    GLXFBConfig *configs, junk = (GLXFBConfig)(uintptr_t)0x1234;
    GLXContext ctx, fake = (GLXContext)(uintptr_t)0x5678;
    GLXPbuffer pbuffer;
    char text[64];
    unsigned value;
    int count;

    setup("24", false);
    configs = glXGetFBConfigs(dpy, 0, &count);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, bad_version));
    assert_int_equal(take_error(), BadMatch);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, bad_profile));
    assert_int_equal(take_error(), 0x100 + 13);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, bad_flag));
    assert_int_equal(take_error(), BadValue);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, bad_attrib));
    assert_int_equal(take_error(), BadValue);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, bad_reset));
    assert_int_equal(take_error(), BadMatch);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, bad_release));
    assert_int_equal(take_error(), BadValue);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, debug_no_error));
    assert_int_equal(take_error(), BadMatch);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], NULL, True, robust_no_error));
    assert_int_equal(take_error(), BadMatch);
    ctx = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    assert_null(glXCreateContextAttribsARB(dpy, configs[0], ctx, True, no_error));
    assert_int_equal(take_error(), BadMatch);
    glXDestroyContext(dpy, ctx);
    assert_null(glXCreateContextAttribsARB(dpy, junk, NULL, True, NULL));
    assert_int_equal(take_error(), 0x100 + GLXBadFBConfig);
    assert_null(glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, fake, True));
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    assert_null(glXCreateNewContext(dpy, configs[0], 0, NULL, True));
    assert_int_equal(take_error(), BadValue);
    glXDestroyContext(dpy, fake);
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    assert_false(glXMakeCurrent(dpy, 0x123, fake));
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    assert_false(glXMakeCurrent(dpy, 0x123, NULL));
    assert_int_equal(take_error(), BadMatch);
    ctx = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    assert_false(glXMakeCurrent(dpy, 0x123456, ctx));
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    glXSwapBuffers(dpy, 0x123456);
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    assert_int_equal(glXCreateWindow(dpy, configs[0], 0x123456, NULL), None);
    assert_int_equal(take_error(), BadWindow);
    assert_int_equal(glXCreatePixmap(dpy, configs[0], 0x123456, NULL), None);
    assert_int_equal(take_error(), BadPixmap);
    glXDestroyPbuffer(dpy, 0x123456);
    assert_int_equal(take_error(), 0x100 + GLXBadPbuffer);
    assert_int_equal(glXCreatePbuffer(dpy, configs[0], wide), None); /* the core's limit is 4096 */
    assert_int_equal(take_error(), BadAlloc);
    pbuffer = glXCreatePbuffer(dpy, configs[0], size);
    glXQueryDrawable(dpy, pbuffer, GLX_WIDTH, &value);
    assert_int_equal(value, 8);
    assert_true(glXMakeContextCurrent(dpy, pbuffer, pbuffer, ctx));
    glXDestroyContext(dpy, ctx);
    assert_int_equal(take_error(), 0);
    glXDestroyContext(dpy, ctx); /* exists while it is current */
    assert_int_equal(take_error(), 0);
    assert_true(glXMakeContextCurrent(dpy, pbuffer, pbuffer, ctx));
    assert_int_equal(take_error(), 0);
    assert_false(glXMakeContextCurrent(dpy, None, None, ctx));
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    assert_ptr_equal(glXGetCurrentContext(), ctx);
    glXDestroyPbuffer(dpy, pbuffer);
    assert_true(glXMakeContextCurrent(dpy, None, None, NULL));
    glXDestroyContext(dpy, ctx);
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    XGetErrorText(dpy, error_base + GLXBadFBConfig, text, sizeof text);
    assert_string_equal(text, "GLXBadFBConfig");
    XFree(configs);
    teardown();
}

/* Invalid drawables, and drawables that don't match the context. */
static void test_odd_windows(void **state)
{
    int attribs[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None}, alpha[] = {GLX_RGBA, None};
    XSetWindowAttributes a = {0};
    XVisualInfo template = {.depth = 32}, *info, *deep;
    GLXContext ctx;
    Window input_only, w;
    Pixmap pixmap;
    int count;

    setup("24", false);
    info = glXChooseVisual(dpy, 0, attribs);
    ctx = glXCreateContext(dpy, info, NULL, True);
    input_only = XCreateWindow(dpy, DefaultRootWindow(dpy), 0, 0, 5, 5, 0, 0, InputOnly,
                               CopyFromParent, 0, &a);
    pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), 5, 5, 24);
    assert_false(glXMakeCurrent(dpy, input_only, ctx));
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    assert_false(glXMakeCurrent(dpy, pixmap, ctx));
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    deep = XGetVisualInfo(dpy, VisualDepthMask, &template, &count);
    if (deep) {
        w = window(deep, 5, 5);
        assert_false(glXMakeCurrent(dpy, w, ctx));
        assert_int_equal(take_error(), BadMatch);
        XFree(deep);
    }
    assert_null(glXGetCurrentContext());
    /* a window that was queried first takes the configuration of its first context */
    w = window(info, 5, 5);
    glXSwapBuffers(dpy, w);
    XFree(info);
    glXDestroyContext(dpy, ctx);
    info = glXChooseVisual(dpy, 0, alpha);
    ctx = glXCreateContext(dpy, info, NULL, True);
    assert_true(glXMakeCurrent(dpy, w, ctx));
    clear_color(0, 1, 0, 1);
    clear(0x4000);
    flush();
    XSync(dpy, False);
    assert_int_equal(pixel(w, 4, 4), 0x00ff00);
    XFree(info);
    teardown();
}

/* In selection and feedback mode, no other context becomes current. */
static void test_render_modes(void **state)
{
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 6, None};
    GLXPbuffer pbuffer, second;
    int (*render_mode)(unsigned);
    GLXContext ctx, other;
    GLXFBConfig *configs;
    int count;

    setup("24", false);
    render_mode = (int (*)(unsigned))glXGetProcAddress((const GLubyte *)"glRenderMode");
    configs = glXGetFBConfigs(dpy, 0, &count);
    ctx = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    other = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    pbuffer = glXCreatePbuffer(dpy, configs[0], size);
    second = glXCreatePbuffer(dpy, configs[0], size);
    for (int i = 0; i < 2; i++) {
        assert_true(glXMakeCurrent(dpy, pbuffer, ctx));
        render_mode(i ? GL_FEEDBACK : GL_SELECT);
        assert_false(glXMakeCurrent(dpy, pbuffer, other));
        assert_int_equal(take_error(), 0x100 + GLXBadContextState);
        assert_ptr_equal(glXGetCurrentContext(), ctx);
        assert_true(glXMakeCurrent(dpy, second, ctx)); /* the same context */
        render_mode(GL_RENDER);
        assert_true(glXMakeCurrent(dpy, pbuffer, other));
    }
    assert_true(glXMakeCurrent(dpy, None, NULL));
    glXDestroyContext(dpy, other);
    glXDestroyContext(dpy, ctx);
    glXDestroyPbuffer(dpy, second);
    glXDestroyPbuffer(dpy, pbuffer);
    XFree(configs);
    teardown();
}

/* Windows that are larger than any image, then smaller. */
static void test_huge_windows(void **state)
{
    static const uint16_t sizes[][2] = {{65535, 1}, {1, 65535}, {65535, 65535}};
    int attribs[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    XVisualInfo *info;
    GLXContext ctx;

    setup("24", false);
    info = glXChooseVisual(dpy, 0, attribs);
    ctx = glXCreateContext(dpy, info, NULL, True);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Window w = window(info, sizes[i][0], sizes[i][1]);

        assert_true(glXMakeCurrent(dpy, w, ctx));
        for (int frame = 0; frame < 3; frame++) {
            clear(0x4000);
            glXSwapBuffers(dpy, w);
        }
        XResizeWindow(dpy, w, 30, 20);
        XSync(dpy, False);
        assert_true(glXMakeCurrent(dpy, w, ctx));
        clear_color(0, 1, 0, 1);
        clear(0x4000);
        glXSwapBuffers(dpy, w);
        assert_int_equal(pixel(w, 29, 19), 0x00ff00);
        XDestroyWindow(dpy, w);
    }
    assert_true(glXMakeCurrent(dpy, None, NULL));
    glXDestroyContext(dpy, ctx);
    XFree(info);
    teardown();
}

/* Configurations, contexts and drawables of another connection, of a closed one, and invalid
 * ones. */
static void test_other_displays(void **state)
{
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 6, None};
    int attribs[] = {GLX_RGBA, None};
    GLXFBConfig *ours, *theirs;
    GLXContext ctx, foreign;
    GLXPbuffer pbuffer;
    Display *other;
    int count;

    setup("24", false);
    other = XOpenDisplay(NULL);
    ours = glXGetFBConfigs(dpy, 0, &count);
    theirs = glXGetFBConfigs(other, 0, &count);
    ctx = glXCreateNewContext(dpy, ours[0], GLX_RGBA_TYPE, NULL, True);
    foreign = glXCreateNewContext(other, theirs[0], GLX_RGBA_TYPE, NULL, True);
    pbuffer = glXCreatePbuffer(other, theirs[0], size);
    assert_non_null(foreign);
    for (int closed = 0; closed < 2; closed++) {
        assert_null(glXCreateNewContext(dpy, theirs[0], GLX_RGBA_TYPE, NULL, True));
        assert_int_equal(take_error(), 0x100 + GLXBadFBConfig);
        assert_int_equal(glXCreateWindow(dpy, theirs[0], DefaultRootWindow(dpy), NULL), None);
        assert_int_equal(take_error(), 0x100 + GLXBadFBConfig);
        assert_int_equal(glXCreatePixmap(dpy, theirs[0], 1, NULL), None);
        assert_int_equal(take_error(), 0x100 + GLXBadFBConfig);
        assert_int_equal(glXCreatePbuffer(dpy, theirs[0], size), None);
        assert_int_equal(take_error(), 0x100 + GLXBadFBConfig);
        assert_false(glXMakeCurrent(dpy, None, foreign));
        assert_int_equal(take_error(), 0x100 + GLXBadContext);
        assert_false(glXMakeCurrent(dpy, pbuffer, ctx));
        assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
        if (!closed)
            XCloseDisplay(other);
    }
    glXDestroyContext(dpy, foreign);
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    assert_null(glXChooseVisual(NULL, 0, attribs));
    assert_null(glXGetFBConfigs(NULL, 0, &count));
    assert_null(glXCreateNewContext(NULL, ours[0], GLX_RGBA_TYPE, NULL, True));
    assert_null(glXQueryExtensionsString(NULL, 0));
    assert_false(glXQueryExtension(NULL, NULL, NULL));
    assert_false(glXMakeCurrent(NULL, None, NULL));
    glXSwapBuffers(NULL, pbuffer);
    glXDestroyPbuffer(NULL, pbuffer);
    glXDestroyContext(dpy, ctx);
    XFree(ours);
    XFree(theirs);
    teardown();
}

/* Returns a configuration with these properties. */
static GLXFBConfig find_config(int render_type, int depth, int stencil)
{
    int count, value[3];
    GLXFBConfig *configs = glXGetFBConfigs(dpy, 0, &count), found = NULL;

    for (int i = 0; i < count && !found; i++) {
        glXGetFBConfigAttrib(dpy, configs[i], GLX_RENDER_TYPE, &value[0]);
        glXGetFBConfigAttrib(dpy, configs[i], GLX_DEPTH_SIZE, &value[1]);
        glXGetFBConfigAttrib(dpy, configs[i], GLX_STENCIL_SIZE, &value[2]);
        if (value[0] & render_type && value[1] == depth && value[2] == stencil)
            found = configs[i];
    }
    XFree(configs);
    assert_non_null(found);
    return found;
}

/* Drawables whose buffers have other sizes than those of the context's config. */
static void test_compatibility(void **state)
{
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 6, None};
    const int no_config[] = {GLX_SCREEN, 0, None};
    XVisualInfo template = {.depth = 32}, *other;
    GLXFBConfig deep, flat, shallow, floats;
    GLXContext ctx, of_floats, any, alpha = NULL;
    GLXDrawable drawables[5], match;
    XVisualInfo *info;
    Window w;
    int count;

    setup("24", false);
    deep = find_config(GLX_RGBA_BIT, 24, 8);
    flat = find_config(GLX_RGBA_BIT, 0, 0);
    shallow = find_config(GLX_RGBA_BIT, 16, 0);
    floats = find_config(GLX_RGBA_FLOAT_BIT_ARB, 24, 8);
    ctx = glXCreateNewContext(dpy, deep, GLX_RGBA_TYPE, NULL, True);
    of_floats = glXCreateNewContext(dpy, floats, GLX_RGBA_FLOAT_TYPE_ARB, NULL, True);
    any = glXCreateContextAttribsARB(dpy, NULL, NULL, True, no_config);
    info = glXGetVisualFromFBConfig(dpy, shallow);
    drawables[0] = glXCreatePbuffer(dpy, floats, size);
    drawables[1] = glXCreatePbuffer(dpy, shallow, size);
    drawables[2] = glXCreatePixmap(
        dpy, shallow, XCreatePixmap(dpy, DefaultRootWindow(dpy), 9, 9, info->depth), NULL);
    drawables[3] = glXCreateWindow(dpy, shallow, window(info, 9, 9), NULL);
    drawables[4] = glXCreatePbuffer(dpy, flat, size);
    match = glXCreatePbuffer(dpy, deep, size);
    assert_int_equal(take_error(), 0);
    for (int i = 0; i < 5; i++) {
        const int error = i == 0 ? BadMatch : 0; /* sizes of depth buffers may differ */

        assert_int_equal(glXMakeCurrent(dpy, drawables[i], ctx), !error);
        assert_int_equal(take_error(), error);
        assert_int_equal(glXMakeContextCurrent(dpy, match, drawables[i], ctx), !error);
        assert_int_equal(take_error(), error);
        assert_int_equal(glXMakeCurrent(dpy, drawables[i], of_floats), i == 0);
        assert_int_equal(take_error(), i == 0 ? 0 : BadMatch);
        assert_true(glXMakeCurrent(dpy, drawables[i], any));
        assert_true(glXMakeCurrent(dpy, None, NULL));
    }

    /* a plain window that was current to a context of the same visual */
    w = window(info, 5, 5);
    assert_true(glXMakeCurrent(dpy, w, any));
    assert_true(glXMakeCurrent(dpy, w, ctx));
    assert_false(glXMakeCurrent(dpy, w, of_floats));
    assert_int_equal(take_error(), BadMatch);
    other = XGetVisualInfo(dpy, VisualDepthMask, &template, &count);
    if (other && info->depth != 32)
        alpha = glXCreateContext(dpy, other, NULL, True);
    take_error(); /* the visual may have no configuration */
    if (alpha) {
        assert_false(glXMakeCurrent(dpy, w, alpha));
        assert_int_equal(take_error(), BadMatch);
        glXDestroyContext(dpy, alpha);
    }
    if (other)
        XFree(other);
    assert_true(glXMakeCurrent(dpy, None, NULL));
    glXDestroyContext(dpy, any);
    glXDestroyContext(dpy, of_floats);
    glXDestroyContext(dpy, ctx);
    XFree(info);
    teardown();
}

/* Contexts, with and without a config, accept drawables of their screen only. */
static void test_two_screens(void **state)
{
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 6, None};
    const int on_second[] = {GLX_SCREEN, 1, None};
    GLXContext contexts[2];
    GLXFBConfig *configs[2];
    GLXPbuffer pbuffers[2];
    Pixmap pixmap;
    int count;

    setup_screens("24", false, 2);
    assert_int_equal(ScreenCount(dpy), 2);
    for (int i = 0; i < 2; i++) {
        configs[i] = glXGetFBConfigs(dpy, i, &count);
        assert_non_null(configs[i]);
        pbuffers[i] = glXCreatePbuffer(dpy, configs[i][0], size);
    }
    /* a pixmap of another screen than the config's */
    pixmap = XCreatePixmap(dpy, RootWindow(dpy, 0), 9, 9, 24);
    assert_int_equal(glXCreatePixmap(dpy, configs[1][0], pixmap, NULL), None);
    assert_int_equal(take_error(), BadMatch);
    XFreePixmap(dpy, pixmap);
    contexts[0] = glXCreateNewContext(dpy, configs[1][0], GLX_RGBA_TYPE, NULL, True);
    contexts[1] = glXCreateContextAttribsARB(dpy, NULL, NULL, True, on_second);
    for (int i = 0; i < 2; i++) {
        assert_non_null(contexts[i]);
        assert_false(glXMakeCurrent(dpy, pbuffers[0], contexts[i]));
        assert_int_equal(take_error(), BadMatch);
        assert_false(glXMakeContextCurrent(dpy, pbuffers[1], pbuffers[0], contexts[i]));
        assert_int_equal(take_error(), BadMatch);
        assert_false(glXMakeCurrent(dpy, RootWindow(dpy, 0), contexts[i]));
        assert_int_equal(take_error(), BadMatch);
        assert_true(glXMakeCurrent(dpy, pbuffers[1], contexts[i]));
        assert_true(glXMakeCurrent(dpy, None, NULL));
        glXDestroyContext(dpy, contexts[i]);
    }
    for (int i = 0; i < 2; i++) {
        glXDestroyPbuffer(dpy, pbuffers[i]);
        XFree(configs[i]);
    }
    teardown();
}

/* Names of destroyed objects, and pbuffers of the smallest and the largest size. */
static void test_stale(void **state)
{
    const int empty[] = {GLX_PBUFFER_WIDTH, 0, GLX_PBUFFER_HEIGHT, 0, None};
    const int widest[] = {GLX_PBUFFER_WIDTH, 65535, GLX_PBUFFER_HEIGHT, 65535, None};
    const int largest[] = {
        GLX_PBUFFER_WIDTH, 65535, GLX_PBUFFER_HEIGHT, 7, GLX_LARGEST_PBUFFER, True, None};
    const int negative[] = {GLX_PBUFFER_WIDTH, -1, GLX_PBUFFER_HEIGHT, 7, None};
    GLXFBConfig *configs;
    XVisualInfo *info;
    GLXContext ctx, gone;
    GLXPbuffer pbuffer;
    Window x_window;
    GLXWindow w;
    GLXPixmap pixmap;
    unsigned value;
    int count;

    setup("24", false);
    configs = glXGetFBConfigs(dpy, 0, &count);
    info = glXGetVisualFromFBConfig(dpy, configs[0]);
    assert_int_equal(glXCreatePbuffer(dpy, configs[0], widest), None);
    assert_int_equal(take_error(), BadAlloc);
    assert_int_equal(glXCreatePbuffer(dpy, configs[0], negative), None);
    assert_int_equal(take_error(), BadValue);
    pbuffer = glXCreatePbuffer(dpy, configs[0], largest);
    glXQueryDrawable(dpy, pbuffer, GLX_WIDTH, &value);
    assert_int_equal(value, 4096);
    glXDestroyPbuffer(dpy, pbuffer);
    glXDestroyPbuffer(dpy, pbuffer);
    assert_int_equal(take_error(), 0x100 + GLXBadPbuffer);
    gone = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    ctx = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    glXDestroyContext(dpy, gone);
    glXDestroyContext(dpy, gone);
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    assert_false(glXMakeCurrent(dpy, pbuffer, ctx));
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    pbuffer = glXCreatePbuffer(dpy, configs[0], empty);
    assert_false(glXMakeCurrent(dpy, pbuffer, gone));
    assert_int_equal(take_error(), 0x100 + GLXBadContext);
    assert_true(glXMakeCurrent(dpy, pbuffer, ctx));
    clear(0x4000);
    glXSwapBuffers(dpy, pbuffer);
    glXDestroyPbuffer(dpy, pbuffer); /* while it is current */
    clear(0x4000);
    assert_true(glXMakeCurrent(dpy, None, NULL));
    w = glXCreateWindow(dpy, configs[0], window(info, 30, 20), NULL);
    pixmap = glXCreatePixmap(dpy, configs[0],
                             XCreatePixmap(dpy, DefaultRootWindow(dpy), 9, 9, info->depth), NULL);
    assert_int_equal(take_error(), 0);
    assert_true(glXMakeCurrent(dpy, w, ctx));
    assert_true(glXMakeCurrent(dpy, w, ctx));
    glXDestroyWindow(dpy, w); /* while it is current */
    assert_false(glXMakeCurrent(dpy, w, ctx));
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    assert_int_equal(glXGetCurrentDrawable(), w);
    assert_true(glXMakeCurrent(dpy, None, NULL));
    x_window = window(info, 30, 20);
    w = glXCreateWindow(dpy, configs[0], x_window, NULL);
    assert_int_equal(glXCreateWindow(dpy, configs[0], x_window, NULL), None); /* has one */
    assert_int_equal(take_error(), BadAlloc);
    glXDestroyPixmap(dpy, w); /* calls for another kind of drawable */
    assert_int_equal(take_error(), 0x100 + GLXBadPixmap);
    glXDestroyWindow(dpy, pixmap);
    assert_int_equal(take_error(), 0x100 + GLXBadWindow);
    glXDestroyWindow(dpy, w);
    glXDestroyPixmap(dpy, pixmap);
    assert_int_equal(take_error(), 0);
    glXSwapBuffers(dpy, w);
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    glXQueryDrawable(dpy, pixmap, GLX_WIDTH, &value);
    assert_int_equal(take_error(), 0x100 + GLXBadDrawable);
    glXDestroyContext(dpy, ctx);
    XFree(info);
    XFree(configs);
    teardown();
}

/* Calls that require that the current window exists. The context is current. */
static void check_dead_current(GLXContext ctx, GLXContext other)
{
    glXWaitGL();
    assert_int_equal(take_error(), 0x100 + GLXBadCurrentDrawable);
    glXWaitX();
    assert_int_equal(take_error(), 0x100 + GLXBadCurrentDrawable);
    glXUseXFont(None, 0, 0, 0);
    assert_int_equal(take_error(), 0x100 + GLXBadCurrentDrawable);
    glXCopyContext(dpy, ctx, other, 1);
    assert_int_equal(take_error(), 0x100 + GLXBadCurrentDrawable);
    glXCopyContext(dpy, other, other, 1);
    assert_int_equal(take_error(), 0);
}

/* Drawing to destroyed windows and swapping them cause no errors and no crash. */
static void test_dead_window(void **state)
{
    int attribs[] = {GLX_RGBA, GLX_DOUBLEBUFFER, None};
    XVisualInfo *info;
    GLXContext ctx, other;
    Window w;

    setup("24", false);
    info = glXChooseVisual(dpy, 0, attribs);
    ctx = glXCreateContext(dpy, info, NULL, True);
    other = glXCreateContext(dpy, info, NULL, True);
    for (int i = 0; i < 3; i++) {
        w = window(info, 20, 20);
        assert_true(glXMakeCurrent(dpy, w, ctx));
        clear(0x4000);
        glXSwapBuffers(dpy, w);
        glXWaitGL();
        glXWaitX();
        XDestroyWindow(dpy, w);
        XSync(dpy, False);
        for (int j = 0; j < 4; j++) {
            clear(0x4000);
            glXSwapBuffers(dpy, w);
        }
        assert_int_equal(take_error(), 0);
        check_dead_current(ctx, other);
    }
    /* close the display while the context is current */
    XFree(info);
    teardown();
    assert_null(glXGetCurrentContext());
}

static void test_procs(void **state)
{
    setup("24", false);
    assert_non_null(glXGetProcAddress((const GLubyte *)"glXSwapIntervalEXT"));
    assert_null(glXGetProcAddress((const GLubyte *)"glXNoSuchFunction"));
    assert_null(glXGetProcAddress((const GLubyte *)"glNoSuchFunction"));
    assert_null(glXGetProcAddress(NULL));
    assert_string_equal(glXGetClientString(dpy, GLX_VENDOR), "Indium");
    assert_non_null(strstr(glXQueryExtensionsString(dpy, 0), "GLX_ARB_create_context "));
    assert_null(glXQueryExtensionsString(dpy, 3));
    teardown();
}

struct contender {
    GLXContext ctx;
    GLXPbuffer pbuffer;
    pthread_barrier_t *barrier;
    bool ok;
};

static void *contend(void *data)
{
    struct contender *c = data;

    pthread_barrier_wait(c->barrier);
    for (int i = 0; i < 100; i++) {
        if (glXMakeCurrent(dpy, c->pbuffer, c->ctx))
            c->ok &= glXGetCurrentContext() == c->ctx && glXMakeCurrent(dpy, None, NULL);
    }
    return NULL;
}

/* Threads that make a context current at the same time: the others get BadAccess. */
static void test_current_race(void **state)
{
    enum { THREADS = 4 };
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 6, None};
    pthread_barrier_t barrier;
    struct contender contenders[THREADS];
    pthread_t threads[THREADS];
    GLXFBConfig *configs;
    GLXPbuffer pbuffer;
    GLXContext ctx;
    int count;

    setup("24", false);
    odd_error = 0;
    configs = glXGetFBConfigs(dpy, 0, &count);
    ctx = glXCreateNewContext(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    pbuffer = glXCreatePbuffer(dpy, configs[0], size);
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        contenders[i] = (struct contender){ctx, pbuffer, &barrier, true};
        assert_int_equal(pthread_create(&threads[i], NULL, contend, &contenders[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(contenders[i].ok);
    }
    assert_int_equal(odd_error, 0);
    take_error();
    assert_true(glXMakeCurrent(dpy, pbuffer, ctx));
    assert_true(glXMakeCurrent(dpy, None, NULL));
    pthread_barrier_destroy(&barrier);
    glXDestroyPbuffer(dpy, pbuffer);
    glXDestroyContext(dpy, ctx);
    XFree(configs);
    teardown();
}

struct creator {
    GLXFBConfig config;
    Window window;
    pthread_barrier_t *barrier;
    GLXWindow made;
};

static void *create_window(void *data)
{
    struct creator *c = data;

    pthread_barrier_wait(c->barrier);
    c->made = glXCreateWindow(dpy, c->config, c->window, NULL);
    return NULL;
}

/* Threads that create GLX windows for a window at the same time: one succeeds. */
static void test_creation_race(void **state)
{
    enum { THREADS = 4 };
    pthread_barrier_t barrier;
    struct creator creators[THREADS];
    pthread_t threads[THREADS];
    GLXFBConfig *configs;
    XVisualInfo *info;
    Window w;
    int count;

    setup("24", false);
    configs = glXGetFBConfigs(dpy, 0, &count);
    info = glXGetVisualFromFBConfig(dpy, configs[0]);
    w = window(info, 30, 20);
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (unsigned i = 0; i < 20; i++) {
        unsigned made = 0;

        for (unsigned j = 0; j < THREADS; j++) {
            creators[j] = (struct creator){configs[0], w, &barrier, None};
            assert_int_equal(pthread_create(&threads[j], NULL, create_window, &creators[j]), 0);
        }
        for (unsigned j = 0; j < THREADS; j++) {
            assert_int_equal(pthread_join(threads[j], NULL), 0);
            made += creators[j].made != None;
        }
        assert_int_equal(made, 1);
        assert_int_equal(take_error(), BadAlloc);
        for (unsigned j = 0; j < THREADS; j++) {
            if (creators[j].made)
                glXDestroyWindow(dpy, creators[j].made);
        }
    }
    pthread_barrier_destroy(&barrier);
    XFree(info);
    XFree(configs);
    teardown();
}

/* Checks a pixmap of depth 32 with a configuration whose visual has depth 24. */
static void check_deep_pixmap(GLXFBConfig config, XVisualInfo *info)
{
    Pixmap pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), 9, 9, 32);
    GLXPixmap p = glXCreatePixmap(dpy, config, pixmap, NULL);
    GLXContext ctx = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, NULL, True);

    assert_int_not_equal(p, None);
    assert_true(glXMakeCurrent(dpy, p, ctx));
    clear_color(1, 0, 0, 1);
    clear(0x4000);
    flush();
    assert_int_equal(pixel(pixmap, 8, 8), 0xff0000);
    assert_true(glXMakeCurrent(dpy, None, NULL));
    glXDestroyPixmap(dpy, p);
    assert_int_equal(take_error(), 0);
    assert_int_equal(glXCreateGLXPixmap(dpy, info, pixmap), None);
    assert_int_equal(take_error(), BadMatch);
    glXDestroyContext(dpy, ctx);
    XFreePixmap(dpy, pixmap);
}

/* Checks that a pixmap has the depth of the visual or, since GLX 1.3, the depth GLX_BUFFER_SIZE,
 * which includes alpha. */
static void test_pixmap_depths(void **state)
{
    static const int attribs[] = {
        GLX_DRAWABLE_TYPE, GLX_PIXMAP_BIT, GLX_ALPHA_SIZE, 8, GLX_DOUBLEBUFFER, False, None};
    GLXFBConfig *configs;
    unsigned deep = 0, shallow = 0;
    Pixmap pixmap;
    int count;

    setup("24", true);
    pixmap = XCreatePixmap(dpy, DefaultRootWindow(dpy), 9, 9, 24);
    configs = glXChooseFBConfig(dpy, 0, attribs, &count);
    assert_non_null(configs);
    for (int i = 0; i < count; i++) {
        XVisualInfo *info = glXGetVisualFromFBConfig(dpy, configs[i]);
        int bits = 0;
        glXGetFBConfigAttrib(dpy, configs[i], GLX_BUFFER_SIZE, &bits);
        if (info && info->depth == 24 && bits == 32) {
            check_deep_pixmap(configs[i], info);
            deep++;
        } else if (info && info->depth == 32) {
            assert_int_equal(glXCreatePixmap(dpy, configs[i], pixmap, NULL), None);
            assert_int_equal(take_error(), BadMatch);
            shallow++;
        }
        XFree(info);
    }
    assert_true(deep > 0 && shallow > 0);
    XFreePixmap(dpy, pixmap);
    XFree(configs);
    teardown();
}

int main(void)
{
    XInitThreads();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_swap),          cmocka_unit_test(test_single_buffered),
        cmocka_unit_test(test_pixmap_depths), cmocka_unit_test(test_choose_fbconfig),
        cmocka_unit_test(test_errors),        cmocka_unit_test(test_odd_windows),
        cmocka_unit_test(test_render_modes),  cmocka_unit_test(test_huge_windows),
        cmocka_unit_test(test_dead_window),   cmocka_unit_test(test_other_displays),
        cmocka_unit_test(test_stale),         cmocka_unit_test(test_two_screens),
        cmocka_unit_test(test_compatibility), cmocka_unit_test(test_current_race),
        cmocka_unit_test(test_creation_race), cmocka_unit_test(test_procs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
