/* SPDX-License-Identifier: MIT */
/* Textures that show what X pixmaps hold when they are drawn: GLX_EXT_texture_from_pixmap and
 * EGL_KHR_image_pixmap, on a private X server with the real core. Also GLX and EGL in one
 * thread, and single-buffered windows with multisampling. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define GL_GLEXT_PROTOTYPES
#define GLX_GLXEXT_PROTOTYPES
#define EGL_EGLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <X11/Xutil.h>

#include "xvfb.h"

enum { WIDTH = 13, HEIGHT = 7, RED = 0xff0000, GREEN = 0xff00, BLUE = 0xff };

/* GL/glext.h has it only for OpenGL ES. */
static void (*image_to_texture)(GLenum target, EGLImage image);
static Display *dpy;

static int on_error(Display *d, XErrorEvent *e)
{
    return 0;
}

static void start(const char *depth)
{
    if (!xvfb_start(depth, NULL))
        exit(77);
    dpy = XOpenDisplay(NULL);
    assert_non_null(dpy);
    XSetErrorHandler(on_error);
}

static void stop_display(void)
{
    XCloseDisplay(dpy);
    xvfb_stop();
}

/* Fills the upper rows of a pixmap with one color and the others with another. */
static void fill(Pixmap p, int rows, unsigned long upper, unsigned long lower)
{
    GC gc = XCreateGC(dpy, p, 0, NULL);

    XSetForeground(dpy, gc, upper);
    XFillRectangle(dpy, p, gc, 0, 0, WIDTH, rows);
    XSetForeground(dpy, gc, lower);
    XFillRectangle(dpy, p, gc, 0, rows, WIDTH, HEIGHT - rows);
    XFreeGC(dpy, gc);
    XSync(dpy, False);
}

/* Draws the texture to the framebuffer, its row t = 0 at the top. Returns a pixel as ARGB; y counts
 * from the top. */
static uint32_t drawn(GLenum target, int x, int y)
{
    const float s = target == GL_TEXTURE_2D ? 1 : WIDTH, t = target == GL_TEXTURE_2D ? 1 : HEIGHT;
    uint8_t p[4];

    glViewport(0, 0, WIDTH, HEIGHT);
    glClearColor(0.5f, 0.5f, 0.5f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(target);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBegin(GL_TRIANGLE_STRIP);
    glTexCoord2f(0, t);
    glVertex2f(-1, -1);
    glTexCoord2f(s, t);
    glVertex2f(1, -1);
    glTexCoord2f(0, 0);
    glVertex2f(-1, 1);
    glTexCoord2f(s, 0);
    glVertex2f(1, 1);
    glEnd();
    glDisable(target);
    glReadPixels(x, HEIGHT - 1 - y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return (uint32_t)p[3] << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

/* --- GLX --- */

static GLXFBConfig choose(int depth, bool alpha)
{
    const int attribs[] = {GLX_DRAWABLE_TYPE,
                           GLX_PIXMAP_BIT | GLX_PBUFFER_BIT,
                           GLX_BIND_TO_TEXTURE_RGB_EXT,
                           True,
                           GLX_RED_SIZE,
                           depth == 30 ? 10 : 8,
                           GLX_ALPHA_SIZE,
                           alpha ? 8 : 0,
                           None};
    GLXFBConfig *configs, found = NULL;
    int count;

    configs = glXChooseFBConfig(dpy, 0, attribs, &count);
    for (int i = 0; i < count && !found; i++) {
        XVisualInfo *info = glXGetVisualFromFBConfig(dpy, configs[i]);

        if (info && info->depth == depth)
            found = configs[i];
        XFree(info);
    }
    XFree(configs);
    assert_non_null(found);
    return found;
}

static GLXContext start_glx(GLXFBConfig config, GLXPbuffer *pbuffer)
{
    const int size[] = {GLX_PBUFFER_WIDTH, WIDTH, GLX_PBUFFER_HEIGHT, HEIGHT, None};
    GLXContext ctx = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, NULL, True);

    *pbuffer = glXCreatePbuffer(dpy, config, size);
    assert_true(glXMakeContextCurrent(dpy, *pbuffer, *pbuffer, ctx));
    return ctx;
}

static void stop_glx(GLXContext ctx, GLXPbuffer pbuffer)
{
    glXMakeCurrent(dpy, None, NULL);
    glXDestroyPbuffer(dpy, pbuffer);
    glXDestroyContext(dpy, ctx);
}

/* The texture follows the pixmap without another glXBindTexImageEXT, and keeps its last contents
 * when the pixmap is gone. */
static void check_glx(int depth, bool alpha, GLenum target, uint32_t opaque)
{
    const int attribs[] = {
        GLX_TEXTURE_FORMAT_EXT, alpha ? GLX_TEXTURE_FORMAT_RGBA_EXT : GLX_TEXTURE_FORMAT_RGB_EXT,
        GLX_TEXTURE_TARGET_EXT,
        target == GL_TEXTURE_2D ? GLX_TEXTURE_2D_EXT : GLX_TEXTURE_RECTANGLE_EXT, None};
    const unsigned long mark = depth == 32 ? 0x80000000 : 0;
    const uint32_t marked = depth == 32 && alpha ? 0x80000000 : opaque;
    GLXFBConfig config = choose(depth, alpha);
    GLXPbuffer pbuffer;
    GLXContext ctx = start_glx(config, &pbuffer);
    Pixmap p = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, depth);
    GLXPixmap shown = glXCreatePixmap(dpy, config, p, attribs);
    GLuint textures[2];

    glGenTextures(2, textures);
    glBindTexture(target, textures[0]);
    fill(p, 2, RED | mark, GREEN | mark);
    glXBindTexImageEXT(dpy, shown, GLX_FRONT_LEFT_EXT, NULL);
    assert_int_equal(drawn(target, 0, 0), RED | marked);
    assert_int_equal(drawn(target, WIDTH - 1, 2), GREEN | marked);
    fill(p, 4, GREEN | mark, BLUE | mark);
    glBindTexture(target, textures[1]);
    glBindTexture(target, textures[0]);
    assert_int_equal(drawn(target, 3, 1), GREEN | marked);
    assert_int_equal(drawn(target, WIDTH - 1, HEIGHT - 1), BLUE | marked);
    fill(p, 3, RED | mark, BLUE | mark);
    glFlush();
    assert_int_equal(drawn(target, 3, 2), RED | marked);
    /* two textures show one pixmap */
    glBindTexture(target, textures[1]);
    glXBindTexImageEXT(dpy, shown, GLX_FRONT_LEFT_EXT, NULL);
    fill(p, 3, BLUE | mark, RED | mark);
    glFlush();
    assert_int_equal(drawn(target, 0, 0), BLUE | marked);
    glBindTexture(target, textures[0]);
    assert_int_equal(drawn(target, 0, 0), BLUE | marked);
    glXReleaseTexImageEXT(dpy, shown, GLX_FRONT_LEFT_EXT);
    glXDestroyPixmap(dpy, shown);
    XFreePixmap(dpy, p);
    XSync(dpy, False);
    glFlush();
    assert_int_equal(drawn(target, 0, 0), BLUE | marked);
    assert_int_equal(drawn(target, 0, HEIGHT - 1), RED | marked);
    glDeleteTextures(2, textures);
    stop_glx(ctx, pbuffer);
}

static void test_glx(void **state)
{
    start("24");
    check_glx(24, false, GL_TEXTURE_2D, 0xff000000);
    check_glx(24, false, GL_TEXTURE_RECTANGLE, 0xff000000);
    check_glx(24, true, GL_TEXTURE_2D, 0xff000000);
    check_glx(32, true, GL_TEXTURE_2D, 0xff000000);
    check_glx(32, false, GL_TEXTURE_RECTANGLE, 0xff000000);
    stop_display();
}

/* Pixmaps of displays with other colors. */
static void test_glx_depths(void **state)
{
    static const struct {
        const char *name;
        int depth;
        unsigned long red, green;
    } depths[] = {{"16", 16, 0xf800, 0x07e0}, {"30", 30, 0x3ff00000, 0xffc00}};

    for (unsigned i = 0; i < 2; i++) {
        const int attribs[] = {GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT, None};
        GLXPbuffer pbuffer;
        GLXFBConfig *configs;
        GLXContext ctx;
        GLXPixmap shown;
        Pixmap p;
        int count;

        start(depths[i].name);
        configs = glXChooseFBConfig(dpy, 0, (const int[]){GLX_DOUBLEBUFFER, True, None}, &count);
        assert_non_null(configs);
        ctx = start_glx(configs[0], &pbuffer);
        p = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, depths[i].depth);
        shown = glXCreatePixmap(dpy, configs[0], p, attribs);
        fill(p, 2, depths[i].red, depths[i].green);
        glXBindTexImageEXT(dpy, shown, GLX_FRONT_LEFT_EXT, NULL);
        assert_int_equal(drawn(GL_TEXTURE_2D, 1, 1) & 0xffffff, RED);
        assert_int_equal(drawn(GL_TEXTURE_2D, 1, 2) & 0xffffff, GREEN);
        fill(p, 2, depths[i].green, depths[i].red);
        glFlush();
        assert_int_equal(drawn(GL_TEXTURE_2D, 1, 1) & 0xffffff, GREEN);
        glXDestroyPixmap(dpy, shown);
        XFree(configs);
        stop_glx(ctx, pbuffer);
        stop_display();
    }
}

/* What GL draws to a texture's image appears in the pixmap. */
static void check_drawing(Pixmap p, GLuint texture)
{
    GLuint fbo;
    XImage *image;

    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    assert_int_equal(glCheckFramebufferStatus(GL_FRAMEBUFFER), GL_FRAMEBUFFER_COMPLETE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(2, 1, 3, 2); /* rows 1 and 2 from the top */
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glFinish();
    image = XGetImage(dpy, p, 0, 0, WIDTH, HEIGHT, AllPlanes, ZPixmap);
    assert_non_null(image);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const bool inside = x >= 2 && x < 5 && y >= 1 && y < 3;

            assert_int_equal(XGetPixel(image, x, y) & 0xffffff, inside ? GREEN : RED);
        }
    }
    XDestroyImage(image);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &fbo);
}

/* --- EGL --- */

static void test_egl(void **state)
{
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                          EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
    const EGLint kept[] = {EGL_IMAGE_PRESERVED_KHR, EGL_TRUE, EGL_NONE};
    EGLDisplay egl, none;
    EGLConfig config;
    EGLSurface surface;
    EGLContext ctx;
    EGLImageKHR image;
    GLuint texture, other;
    EGLint n;
    Pixmap p, q;

    start("24");
    egl = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, dpy, NULL);
    assert_true(eglInitialize(egl, NULL, NULL));
    assert_non_null(strstr(eglQueryString(egl, EGL_EXTENSIONS), "EGL_KHR_image_pixmap"));
    assert_true(eglChooseConfig(egl, any, &config, 1, &n));
    assert_true(eglBindAPI(EGL_OPENGL_API));
    ctx = eglCreateContext(egl, config, NULL, NULL);
    surface = eglCreatePbufferSurface(egl, config, size);
    assert_true(eglMakeCurrent(egl, surface, surface, ctx));
    image_to_texture =
        (void (*)(GLenum, EGLImage))eglGetProcAddress("glEGLImageTargetTexture2DOES");

    p = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, 24);
    fill(p, 2, RED, GREEN);
    assert_null(eglCreateImageKHR(egl, ctx, EGL_NATIVE_PIXMAP_KHR, (EGLClientBuffer)p, NULL));
    assert_int_equal(eglGetError(), EGL_BAD_PARAMETER);
    assert_null(eglCreateImageKHR(egl, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR,
                                  (EGLClientBuffer)(uintptr_t)0x123456, NULL));
    assert_int_equal(eglGetError(), EGL_BAD_PARAMETER);
    image = eglCreateImageKHR(egl, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, (EGLClientBuffer)p, kept);
    assert_non_null(image);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    image_to_texture(GL_TEXTURE_2D, image);
    assert_int_equal(drawn(GL_TEXTURE_2D, 0, 1), 0xff000000 | RED);
    assert_int_equal(drawn(GL_TEXTURE_2D, 0, 2), 0xff000000 | GREEN);
    fill(p, 5, BLUE, RED);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindTexture(GL_TEXTURE_2D, texture);
    assert_int_equal(drawn(GL_TEXTURE_2D, 0, 4), 0xff000000 | BLUE);
    fill(p, HEIGHT, RED, RED);
    glFlush();
    check_drawing(p, texture);
    assert_true(eglDestroyImageKHR(egl, image));
    assert_int_equal(drawn(GL_TEXTURE_2D, 2, 1), 0xff000000 | GREEN);
    XFreePixmap(dpy, p);
    XSync(dpy, False);
    glFlush();
    assert_int_equal(drawn(GL_TEXTURE_2D, 2, 1), 0xff000000 | GREEN);

    none = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    assert_true(eglInitialize(none, NULL, NULL));
    assert_null(
        eglCreateImageKHR(none, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, (EGLClientBuffer)p, NULL));
    assert_int_equal(eglGetError(), EGL_BAD_PARAMETER);
    assert_true(eglTerminate(none));
    /* textures outlive the display and the connection, also those of existing pixmaps */
    q = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, 24);
    fill(q, 2, BLUE, RED);
    image = eglCreateImageKHR(egl, EGL_NO_CONTEXT, EGL_NATIVE_PIXMAP_KHR, (EGLClientBuffer)q, kept);
    assert_non_null(image);
    glGenTextures(1, &other);
    glBindTexture(GL_TEXTURE_2D, other);
    image_to_texture(GL_TEXTURE_2D, image);
    assert_int_equal(drawn(GL_TEXTURE_2D, 2, 1), 0xff000000 | BLUE);
    assert_true(eglTerminate(egl));
    fill(q, 2, GREEN, GREEN);
    glFlush();
    assert_int_equal(drawn(GL_TEXTURE_2D, 2, 1), 0xff000000 | BLUE);
    stop_display();
    for (unsigned i = 0; i < 2; i++) {
        glFlush();
        glBindTexture(GL_TEXTURE_2D, i ? texture : other);
        assert_int_equal(drawn(GL_TEXTURE_2D, 2, 1), 0xff000000 | (i ? GREEN : BLUE));
    }
    glDeleteTextures(1, &other);
    eglReleaseThread();
}

/* A pixmap surface as a texture (EGL_NOK_texture_from_pixmap). */
static void test_egl_surface(void **state)
{
    const EGLint any[] = {EGL_SURFACE_TYPE,
                          EGL_PIXMAP_BIT | EGL_PBUFFER_BIT,
                          EGL_RENDERABLE_TYPE,
                          EGL_OPENGL_BIT,
                          EGL_Y_INVERTED_NOK,
                          EGL_TRUE,
                          EGL_NONE};
    const EGLint flipped[] = {EGL_SURFACE_TYPE, EGL_PIXMAP_BIT, EGL_Y_INVERTED_NOK, EGL_FALSE,
                              EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
    const EGLint textured[] = {EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGB, EGL_TEXTURE_TARGET,
                               EGL_TEXTURE_2D, EGL_NONE};
    const EGLint half[] = {EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGB, EGL_NONE};
    const EGLint junk[] = {EGL_TEXTURE_FORMAT, EGL_TEXTURE_2D, EGL_NONE};
    EGLDisplay egl;
    EGLConfig config;
    EGLSurface surface, shown, plain;
    EGLContext ctx;
    GLuint texture;
    EGLint n;
    Pixmap p, q;

    start("24");
    egl = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, dpy, NULL);
    assert_true(eglInitialize(egl, NULL, NULL));
    assert_true(eglChooseConfig(egl, flipped, &config, 1, &n));
    assert_int_equal(n, 0);
    assert_true(eglChooseConfig(egl, any, &config, 1, &n));
    assert_int_equal(n, 1);
    assert_true(eglBindAPI(EGL_OPENGL_API));
    ctx = eglCreateContext(egl, config, NULL, NULL);
    surface = eglCreatePbufferSurface(egl, config, size);
    assert_true(eglMakeCurrent(egl, surface, surface, ctx));
    p = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, 24);
    q = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, 24);
    fill(p, 2, RED, GREEN);
    assert_null(eglCreatePixmapSurface(egl, config, (EGLNativePixmapType)p, half));
    assert_int_equal(eglGetError(), EGL_BAD_MATCH);
    assert_null(eglCreatePixmapSurface(egl, config, (EGLNativePixmapType)p, junk));
    assert_int_equal(eglGetError(), EGL_BAD_ATTRIBUTE);
    shown = eglCreatePixmapSurface(egl, config, (EGLNativePixmapType)p, textured);
    plain = eglCreatePixmapSurface(egl, config, (EGLNativePixmapType)q, NULL);
    assert_non_null(shown);
    assert_true(eglQuerySurface(egl, shown, EGL_TEXTURE_FORMAT, &n));
    assert_int_equal(n, EGL_TEXTURE_RGB);
    assert_false(eglBindTexImage(egl, plain, EGL_BACK_BUFFER));
    assert_int_equal(eglGetError(), EGL_BAD_MATCH);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    assert_true(eglBindTexImage(egl, shown, EGL_BACK_BUFFER));
    assert_false(eglBindTexImage(egl, shown, EGL_BACK_BUFFER));
    assert_int_equal(eglGetError(), EGL_BAD_ACCESS);
    assert_int_equal(drawn(GL_TEXTURE_2D, 0, 1), 0xff000000 | RED);
    assert_int_equal(drawn(GL_TEXTURE_2D, 0, 2), 0xff000000 | GREEN);
    fill(p, 3, BLUE, RED);
    glBindTexture(GL_TEXTURE_2D, texture);
    glFlush();
    assert_int_equal(drawn(GL_TEXTURE_2D, 0, 2), 0xff000000 | BLUE);
    assert_true(eglReleaseTexImage(egl, shown, EGL_BACK_BUFFER));
    assert_true(eglBindTexImage(egl, shown, EGL_BACK_BUFFER));
    assert_true(eglDestroySurface(egl, plain));
    XFreePixmap(dpy, p);
    XFreePixmap(dpy, q);
    assert_true(eglMakeCurrent(egl, NULL, NULL, NULL));
    assert_true(eglTerminate(egl)); /* with the texture bound */
    stop_display();
    eglReleaseThread();
}

struct binder {
    EGLDisplay dpy;
    EGLContext ctx;
    EGLSurface surface; /* atomic */
    bool stop;          /* atomic */
    bool started;       /* atomic; the thread has tried to make the context current */
    bool current;       /* and succeeded */
};

static void *bind_textures(void *data)
{
    struct binder *b = data;
    GLuint texture;

    eglBindAPI(EGL_OPENGL_API);
    b->current = eglMakeCurrent(b->dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, b->ctx);
    __atomic_store_n(&b->started, true, __ATOMIC_RELEASE);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    while (b->current && !__atomic_load_n(&b->stop, __ATOMIC_RELAXED)) {
        EGLSurface surface = __atomic_load_n(&b->surface, __ATOMIC_RELAXED);

        eglBindTexImage(b->dpy, surface, EGL_BACK_BUFFER);
        eglReleaseTexImage(b->dpy, surface, EGL_BACK_BUFFER);
    }
    eglMakeCurrent(b->dpy, NULL, NULL, NULL);
    eglReleaseThread();
    return NULL;
}

/* One thread binds pixmaps that another thread destroys, also by terminating the display.
 * Sanitizers find races and surfaces that are never freed. */
static void test_egl_at_once(void **state)
{
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_PIXMAP_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                          EGL_NONE};
    const EGLint textured[] = {EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGB, EGL_TEXTURE_TARGET,
                               EGL_TEXTURE_2D, EGL_NONE};
    struct binder b = {0};
    EGLConfig config;
    pthread_t thread;
    EGLint n;
    Pixmap p;

    start("24");
    p = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, 24);
    XSync(dpy, False);
    b.dpy = eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, dpy, NULL);
    assert_true(eglInitialize(b.dpy, NULL, NULL));
    assert_true(eglBindAPI(EGL_OPENGL_API));
    b.ctx = eglCreateContext(b.dpy, EGL_NO_CONFIG_KHR, NULL, NULL);
    assert_non_null(b.ctx);
    assert_int_equal(pthread_create(&thread, NULL, bind_textures, &b), 0);
    while (!__atomic_load_n(&b.started, __ATOMIC_ACQUIRE)) /* eglTerminate deletes idle contexts */
        sched_yield();
    for (unsigned i = 0; i < 200; i++) {
        EGLSurface surface;

        assert_true(eglChooseConfig(b.dpy, any, &config, 1, &n));
        assert_int_equal(n, 1);
        surface = eglCreatePixmapSurface(b.dpy, config, (EGLNativePixmapType)p, textured);
        assert_non_null(surface);
        __atomic_store_n(&b.surface, surface, __ATOMIC_RELAXED);
        usleep(i % 20 * 10);
        if (i % 4 == 3) {
            assert_true(eglTerminate(b.dpy));
            assert_true(eglInitialize(b.dpy, NULL, NULL));
        } else {
            assert_true(eglDestroySurface(b.dpy, surface));
        }
    }
    __atomic_store_n(&b.stop, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    assert_true(b.current);
    assert_true(eglTerminate(b.dpy));
    XFreePixmap(dpy, p);
    stop_display();
    eglReleaseThread();
}

/* A texture outlives the display of its pixmap. */
static void test_glx_closed(void **state)
{
    const int attribs[] = {GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT, None};
    GLXPbuffer pbuffer;
    GLXContext ctx;
    GLXPixmap shown;
    Display *first, *second;
    GLuint texture;
    Pixmap p;

    start("24");
    first = dpy;
    second = XOpenDisplay(NULL);
    ctx = start_glx(choose(24, false), &pbuffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    dpy = second;
    p = XCreatePixmap(dpy, DefaultRootWindow(dpy), WIDTH, HEIGHT, 24);
    shown = glXCreatePixmap(dpy, choose(24, false), p, attribs);
    fill(p, 2, RED, GREEN);
    glXBindTexImageEXT(dpy, shown, GLX_FRONT_LEFT_EXT, NULL);
    assert_int_equal(drawn(GL_TEXTURE_2D, 1, 1), 0xff000000 | RED);
    XCloseDisplay(second);
    dpy = first;
    glFlush();
    assert_int_equal(drawn(GL_TEXTURE_2D, 1, 1), 0xff000000 | RED);
    glDeleteTextures(1, &texture);
    stop_glx(ctx, pbuffer);
    stop_display();
}

/* --- both --- */

static float clear_red(void)
{
    float color[4];

    glGetFloatv(GL_COLOR_CLEAR_VALUE, color);
    return color[0];
}

/* GLX and EGL replace each other's context, also if the objects are current to the API already. */
static void test_both(void **state)
{
    XSetWindowAttributes a = {.border_pixel = 0};
    GLXContext of_glx;
    GLXFBConfig config;
    EGLContext of_egl;
    XVisualInfo *info;
    EGLDisplay egl;
    Window w;

    start("24");
    config = choose(24, false);
    info = glXGetVisualFromFBConfig(dpy, config);
    a.colormap = XCreateColormap(dpy, DefaultRootWindow(dpy), info->visual, AllocNone);
    w = XCreateWindow(dpy, DefaultRootWindow(dpy), 0, 0, WIDTH, HEIGHT, 0, info->depth, InputOutput,
                      info->visual, CWColormap | CWBorderPixel, &a);
    of_glx = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, NULL, True);
    egl = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL);
    assert_true(eglInitialize(egl, NULL, NULL));
    assert_true(eglBindAPI(EGL_OPENGL_API));
    of_egl = eglCreateContext(egl, EGL_NO_CONFIG_KHR, NULL, NULL);
    assert_true(glXMakeCurrent(dpy, w, of_glx));
    glClearColor(1, 0, 0, 0);
    assert_true(eglMakeCurrent(egl, NULL, NULL, of_egl));
    glClearColor(0.5f, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        assert_true(glXMakeCurrent(dpy, w, of_glx));
        assert_true(clear_red() == 1.0f);
        assert_true(eglMakeCurrent(egl, NULL, NULL, of_egl));
        assert_true(clear_red() == 0.5f);
    }
    assert_true(glXMakeCurrent(dpy, None, NULL));
    assert_true(eglMakeCurrent(egl, NULL, NULL, NULL));
    assert_true(eglTerminate(egl));
    eglReleaseThread();
    glXDestroyContext(dpy, of_glx);
    XDestroyWindow(dpy, w);
    XFree(info);
    stop_display();
}

/* Single-buffered multisample visuals: the window shows the resolved samples after glFlush. */
static void test_single_buffered_samples(void **state)
{
    start("24");
    for (int samples = 4; samples <= 16; samples *= 2) {
        int attribs[] = {GLX_RGBA, GLX_DEPTH_SIZE, 1, GLX_SAMPLES, samples, None}, value = -1;
        XVisualInfo *info = glXChooseVisual(dpy, 0, attribs);
        XSetWindowAttributes a = {.override_redirect = True};

        assert_non_null(info);
        assert_int_equal(glXGetConfig(dpy, info, GLX_DOUBLEBUFFER, &value), 0);
        assert_int_equal(value, 0);
        assert_int_equal(glXGetConfig(dpy, info, GLX_SAMPLES, &value), 0);
        assert_int_equal(value, samples);
        a.colormap = XCreateColormap(dpy, DefaultRootWindow(dpy), info->visual, AllocNone);
        Window w = XCreateWindow(dpy, DefaultRootWindow(dpy), 0, 0, WIDTH, HEIGHT, 0, info->depth,
                                 InputOutput, info->visual,
                                 CWColormap | CWBorderPixel | CWOverrideRedirect, &a);
        XMapWindow(dpy, w);
        GLXContext ctx = glXCreateContext(dpy, info, NULL, True);
        assert_true(glXMakeCurrent(dpy, w, ctx));
        glGetIntegerv(GL_SAMPLES, &value);
        assert_int_equal(value, samples);
        glClearColor(0, 0, 1, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        glColor3f(1, 0, 0);
        glOrtho(0, WIDTH, 0, HEIGHT, -1, 1);
        glRectf(0, 0, 5.5f, HEIGHT);
        glFlush();
        glXWaitGL();
        XImage *image = XGetImage(dpy, w, 0, 0, WIDTH, HEIGHT, AllPlanes, ZPixmap);
        assert_non_null(image);
        assert_int_equal(XGetPixel(image, 4, 3) & 0xffffff, RED);
        assert_int_equal(XGetPixel(image, 5, 3) & 0xffffff, 0x800080); /* half of it is covered */
        assert_int_equal(XGetPixel(image, 6, 3) & 0xffffff, BLUE);
        XDestroyImage(image);
        glXMakeCurrent(dpy, None, NULL);
        glXDestroyContext(dpy, ctx);
        XDestroyWindow(dpy, w);
        XFreeColormap(dpy, a.colormap);
        XFree(info);
    }
    stop_display();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glx),         cmocka_unit_test(test_glx_depths),
        cmocka_unit_test(test_glx_closed),  cmocka_unit_test(test_egl),
        cmocka_unit_test(test_egl_surface), cmocka_unit_test(test_egl_at_once),
        cmocka_unit_test(test_both),        cmocka_unit_test(test_single_buffered_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
