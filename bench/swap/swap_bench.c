/* SPDX-License-Identifier: MIT */
/*
 * Measures frames presented in a window, with whichever libEGL.so.1 the loader finds:
 *
 *     swap-bench                              prints the kinds of frames
 *     swap-bench KIND WIDTH HEIGHT SECONDS    prints wall-clock and CPU milliseconds per frame; CPU
 *                                             time is that of this process
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <xcb/xcb.h>

static struct {
    __typeof__(glClear) *Clear;
    __typeof__(glClearColor) *ClearColor;
    __typeof__(glBegin) *Begin;
    __typeof__(glColor3f) *Color3f;
    __typeof__(glVertex2f) *Vertex2f;
    __typeof__(glEnd) *End;
    __typeof__(glFinish) *Finish;
} gl;

static __typeof__(eglSwapBuffers) *swap_buffers;

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "swap-bench: %s\n", what);
    exit(1);
}

/* --- kinds of frames --- */

static void draw_clear(unsigned frame)
{
    gl.ClearColor((float)(frame % 64) / 64, 0.5f, 0.25f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT);
}

/* A different color in every pixel. */
static void draw_shade(unsigned frame)
{
    float t = (float)(frame % 64) / 64;
    gl.Begin(GL_TRIANGLE_STRIP);
    gl.Color3f(t, 0, 0);
    gl.Vertex2f(-1, -1);
    gl.Color3f(0, t, 0);
    gl.Vertex2f(1, -1);
    gl.Color3f(0, 0, t);
    gl.Vertex2f(-1, 1);
    gl.Color3f(1, 1, t);
    gl.Vertex2f(1, 1);
    gl.End();
}

/* Many small strips, so that vertex processing and tiles both have work. */
static void draw_strips(unsigned frame)
{
    draw_clear(frame);
    for (int i = 0; i < 400; i++) {
        float y = (float)i / 200 - 1;
        gl.Begin(GL_TRIANGLE_STRIP);
        for (int j = 0; j <= 64; j++) {
            gl.Color3f((float)(j % 7) / 7, (float)(i % 5) / 5, 0.5f);
            gl.Vertex2f((float)j / 32 - 1, y + (float)(j % 2) / 250);
        }
        gl.End();
    }
}

static const struct kind {
    const char *name;
    void (*draw)(unsigned frame);
} kinds[] = {{"clear", draw_clear}, {"shade", draw_shade}, {"strips", draw_strips}};

enum { NUM_KINDS = sizeof kinds / sizeof kinds[0] };

/* --- a window with a context --- */

static EGLDisplay display;
static EGLSurface surface;

static xcb_window_t make_window(xcb_connection_t *c, int width, int height)
{
    xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    xcb_window_t w = xcb_generate_id(c);
    xcb_create_window(c, screen->root_depth, w, screen->root, 0, 0, width, height, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, NULL);
    xcb_map_window(c, w);
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
    return w;
}

static void open_window(int width, int height)
{
    void *lib = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    xcb_connection_t *c = xcb_connect(NULL, NULL);
    if (!lib || xcb_connection_has_error(c))
        fail(lib ? "no X server" : dlerror());
#define EGL(name) __typeof__(egl##name) *name = (__typeof__(egl##name) *)dlsym(lib, "egl" #name)
    EGL(GetProcAddress);
    EGL(GetPlatformDisplay);
    EGL(Initialize);
    EGL(BindAPI);
    EGL(ChooseConfig);
    EGL(CreateContext);
    EGL(CreatePlatformWindowSurface);
    EGL(MakeCurrent);
    EGL(SwapInterval);
#undef EGL
    swap_buffers = (__typeof__(eglSwapBuffers) *)dlsym(lib, "eglSwapBuffers");
    xcb_window_t window = make_window(c, width, height);
    const EGLint attribs[] = {EGL_RED_SIZE, 8, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    display = GetPlatformDisplay(EGL_PLATFORM_XCB_EXT, c, NULL);
    if (!Initialize(display, NULL, NULL) || !BindAPI(EGL_OPENGL_API) ||
        !ChooseConfig(display, attribs, &config, 1, &n) || !n)
        fail("no OpenGL for windows");
    EGLContext context = CreateContext(display, config, EGL_NO_CONTEXT, NULL);
    surface = CreatePlatformWindowSurface(display, config, &window, NULL);
    if (!context || !surface || !MakeCurrent(display, surface, surface, context))
        fail("no context for the window");
    SwapInterval(display, 0);
#define LOAD(name)                                                                                 \
    gl.name = (__typeof__(gl.name))GetProcAddress("gl" #name);                                     \
    if (!gl.name)                                                                                  \
        fail("no gl" #name);
    LOAD(Clear)
    LOAD(ClearColor)
    LOAD(Begin)
    LOAD(Color3f)
    LOAD(Vertex2f)
    LOAD(End)
    LOAD(Finish)
#undef LOAD
}

/* --- the clock --- */

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void measure(const struct kind *kind, double seconds)
{
    unsigned frames = 0;
    for (; frames < 8; frames++) {
        kind->draw(frames);
        swap_buffers(display, surface);
    }
    gl.Finish();
    double start = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID), elapsed = 0;
    frames = 0;
    while (elapsed < seconds) {
        kind->draw(frames++);
        if (!swap_buffers(display, surface))
            fail("eglSwapBuffers");
        elapsed = now(CLOCK_MONOTONIC) - start;
    }
    gl.Finish();
    elapsed = now(CLOCK_MONOTONIC) - start;
    used = now(CLOCK_PROCESS_CPUTIME_ID) - used;
    printf("%.5f %.5f\n", elapsed * 1e3 / frames, used * 1e3 / frames);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        for (unsigned i = 0; i < NUM_KINDS; i++)
            puts(kinds[i].name);
        return argc == 1 ? 0 : 2;
    }
    for (unsigned i = 0; i < NUM_KINDS; i++) {
        if (strcmp(kinds[i].name, argv[1]))
            continue;
        open_window(atoi(argv[2]), atoi(argv[3]));
        measure(&kinds[i], atof(argv[4]));
        return 0;
    }
    fail("no such kind");
}
