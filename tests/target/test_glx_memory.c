/* SPDX-License-Identifier: MIT */
/*
 * GLX without memory: each call either completes or raises BadAlloc, and leaks nothing. Allocations
 * of Xlib and libxcb don't fail here, because Xlib ends the process if they do. Arguments are those
 * of test_gl_compile_memory.
 */
#define GL_GLEXT_PROTOTYPES
#define GLX_GLXEXT_PROTOTYPES
#include <GL/glx.h>
#include <GL/glxext.h>
#include <X11/Xutil.h>
#include <dlfcn.h>
#include <link.h>

#include "gl_test_memory.h"
#include "util/macros.h"
#include "xvfb.h"

static Display *dpy;
static GLXFBConfig config;
static XVisualInfo *visual_info;
static GLXContext context, other_context;
static GLXPbuffer pbuffer;
static Window window;
static Pixmap pixmap;
static Font font;
static GLuint texture;

/* --- Whose allocations fail --- */

#define MAX_LIBRARIES 16

static struct {
    uintptr_t start, end;
} of_x[MAX_LIBRARIES];
static unsigned num_of_x;

static int find_library(struct dl_phdr_info *info, size_t size, void *data)
{
    if (!strstr(info->dlpi_name, "/libX") && !strstr(info->dlpi_name, "/libxcb"))
        return 0;
    assert_true(num_of_x < MAX_LIBRARIES);
    of_x[num_of_x].start = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        of_x[num_of_x].end = MAX2(of_x[num_of_x].end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
                                                          info->dlpi_phdr[i].p_memsz);
    num_of_x++;
    return 0;
}

static bool is_of_x(const void *caller)
{
    for (unsigned i = 0; i < num_of_x; i++)
        if ((uintptr_t)caller >= of_x[i].start && (uintptr_t)caller < of_x[i].end)
            return true;
    return false;
}

/* --- Results of calls --- */

static int x_error;
static bool wrong, done;

static int on_error(Display *display, XErrorEvent *event)
{
    x_error = event->error_code;
    return 0;
}

static bool needs_memory(bool ok)
{
    XSync(dpy, False);
    wrong |= ok ? x_error != 0 : x_error != BadAlloc || !refused;
    return ok;
}

static void forget(void)
{
    x_error = 0;
    wrong = done = false;
}

static bool done_or_refused(void)
{
    return !wrong && (done || refused);
}

static void clear_green(void)
{
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* --- scenes --- */

static void run_context(void)
{
    static const int attribs[] = {GLX_CONTEXT_MAJOR_VERSION_ARB, 3, GLX_CONTEXT_MINOR_VERSION_ARB,
                                  2, None};
    GLXContext made = glXCreateContextAttribsARB(dpy, config, context, True, attribs);
    done = needs_memory(made != NULL);
    if (made)
        glXDestroyContext(dpy, made);
}

static void run_old_context(void)
{
    GLXContext made = glXCreateContext(dpy, visual_info, NULL, True);
    done = needs_memory(made != NULL);
    if (made)
        glXDestroyContext(dpy, made);
}

/* Draws to a new drawable, then releases it. */
static void draw_to(GLXDrawable made)
{
    if (!needs_memory(glXMakeContextCurrent(dpy, made, made, context)))
        return;
    clear_green();
    glXCopySubBufferMESA(dpy, made, 1, 2, 3, 4);
    glXSwapBuffers(dpy, made);
    glXWaitGL();
    done = !x_error;
    wrong |= !glXMakeContextCurrent(dpy, pbuffer, pbuffer, context); /* it was current before */
}

static void run_pbuffer(void)
{
    static const int size[] = {GLX_PBUFFER_WIDTH, SIZE, GLX_PBUFFER_HEIGHT, SIZE, None};
    GLXPbuffer made = glXCreatePbuffer(dpy, config, size);
    if (!needs_memory(made != None))
        return;
    draw_to(made);
    glXDestroyPbuffer(dpy, made);
}

static void run_window(void)
{
    GLXWindow made = glXCreateWindow(dpy, config, window, NULL);
    if (!needs_memory(made != None))
        return;
    draw_to(made);
    glXDestroyWindow(dpy, made);
}

/* A window without a GLX drawable; its wrapper is destroyed with it. */
static void new_plain_window(void)
{
    XSetWindowAttributes a = {.border_pixel = 0};
    const int screen = visual_info->screen;
    if (window)
        XDestroyWindow(dpy, window);
    a.colormap = XCreateColormap(dpy, RootWindow(dpy, screen), visual_info->visual, AllocNone);
    window = XCreateWindow(dpy, RootWindow(dpy, screen), 0, 0, SIZE, SIZE, 0, visual_info->depth,
                           InputOutput, visual_info->visual, CWColormap | CWBorderPixel, &a);
    XFreeColormap(dpy, a.colormap);
    XMapWindow(dpy, window);
    XSync(dpy, False);
    forget();
}

static void run_plain_window(void)
{
    draw_to(window);
}

static void run_pixmap(void)
{
    static const int attribs[] = {GLX_TEXTURE_FORMAT_EXT, GLX_TEXTURE_FORMAT_RGB_EXT,
                                  GLX_TEXTURE_TARGET_EXT, GLX_TEXTURE_2D_EXT, None};
    GLXPixmap made = glXCreatePixmap(dpy, config, pixmap, attribs);
    if (!needs_memory(made != None))
        return;
    glXBindTexImageEXT(dpy, made, GLX_FRONT_LEFT_EXT, NULL);
    if (needs_memory(!x_error))
        glXReleaseTexImageEXT(dpy, made, GLX_FRONT_LEFT_EXT);
    x_error = 0;
    draw_to(made);
    glXDestroyPixmap(dpy, made);
}

static void run_copy(void)
{
    glXCopyContext(dpy, context, other_context, GL_ALL_ATTRIB_BITS);
    done = needs_memory(!x_error);
}

/* Out of memory is BadAlloc or, while compiling a display list, a GL error. */
static void run_font(void)
{
    GLuint lists = glGenLists(4);
    glXUseXFont(font, 'A', 4, (int)lists);
    done = needs_memory(!x_error);
    glDeleteLists(lists, 4);
}

/* These calls raise no errors. */
static void run_configs(void)
{
    int any[] = {GLX_RGBA, None}, n;
    GLXFBConfig *all = glXGetFBConfigs(dpy, visual_info->screen, &n);
    GLXFBConfig *chosen = glXChooseFBConfig(dpy, visual_info->screen, NULL, &n);
    XVisualInfo *visuals[] = {glXChooseVisual(dpy, visual_info->screen, any),
                              glXGetVisualFromFBConfig(dpy, config)};
    done = all && chosen && visuals[0] && visuals[1];
    wrong = x_error;
    XFree(all);
    XFree(chosen);
    XFree(visuals[0]);
    XFree(visuals[1]);
}

/* --- A display that GLX has not seen --- */

static Display *fresh;

static void close_display(void)
{
    if (fresh)
        XCloseDisplay(fresh);
    fresh = NULL;
}

static void open_display(void)
{
    close_display();
    fresh = XOpenDisplay(NULL);
    assert_non_null(fresh);
    forget();
}

static bool has_configs(void)
{
    int n;
    GLXFBConfig *all = glXGetFBConfigs(fresh, DefaultScreen(fresh), &n);
    XFree(all);
    return all;
}

static void run_display(void)
{
    done = has_configs();
    wrong = x_error;
}

/* Once there is memory again, the display has all configurations. */
static bool display_right(void)
{
    return done_or_refused() && has_configs();
}

static void test_calls(void **state)
{
    static const struct scene scenes[] = {
        {"a context", forget, run_context, done_or_refused, true},
        {"a context of a visual", forget, run_old_context, done_or_refused, true},
        {"a pbuffer", forget, run_pbuffer, done_or_refused, true},
        {"a window", forget, run_window, done_or_refused, true},
        {"a plain window", new_plain_window, run_plain_window, done_or_refused, true},
        {"a pixmap", forget, run_pixmap, done_or_refused, true},
        {"a copy of a context's state", forget, run_copy, done_or_refused, true},
        {"a font", forget, run_font, done_or_refused, true},
        {"configurations", forget, run_configs, done_or_refused, true},
        {"a display", open_display, run_display, display_right, true},
    };
    RUN_SCENES(scenes);
    if (!only)
        assert_true(num_of_x > 2);
}

static int setup(void **state)
{
    static const int size[] = {GLX_PBUFFER_WIDTH, SIZE, GLX_PBUFFER_HEIGHT, SIZE, None};
    static const int attribs[] = {GLX_DRAWABLE_TYPE,
                                  GLX_WINDOW_BIT | GLX_PIXMAP_BIT | GLX_PBUFFER_BIT,
                                  GLX_DOUBLEBUFFER, True, None};
    int n;
    if (!xvfb_start("24", NULL))
        exit(77);
    dpy = XOpenDisplay(NULL);
    GLXFBConfig *configs = glXChooseFBConfig(dpy, DefaultScreen(dpy), attribs, &n);
    if (!configs)
        return -1;
    config = configs[0];
    XFree(configs);
    visual_info = glXGetVisualFromFBConfig(dpy, config);
    context = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, NULL, True);
    other_context = glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, NULL, True);
    pbuffer = glXCreatePbuffer(dpy, config, size);
    pixmap = XCreatePixmap(dpy, RootWindow(dpy, visual_info->screen), SIZE, SIZE,
                           (unsigned)visual_info->depth);
    font = XLoadFont(dpy, "fixed");
    new_plain_window();
    XSetErrorHandler(on_error);
    if (!glXMakeContextCurrent(dpy, pbuffer, pbuffer, context))
        return -1;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    dl_iterate_phdr(find_library, NULL);
    spared = is_of_x;
    return 0;
}

static int teardown(void **state)
{
    glDeleteTextures(1, &texture);
    close_display();
    XFree(visual_info);
    XCloseDisplay(dpy);
    xvfb_stop();
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls)};
    memory_arguments(argc, argv, 0);
    return cmocka_run_group_tests(tests, setup, teardown);
}
