/* SPDX-License-Identifier: MIT */
/*
 * Program that draws on one of EGL's platforms: x11, xcb (windows), device or surfaceless
 * (pbuffers). Linked to the usual names of the libraries, so the environment decides which
 * implementation is used. Prints GL_RENDERER. Usage: platforms PLATFORM FILE.rgba
 */
#define EGL_EGLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <X11/Xlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#include "egl_program.h"

enum { WIDTH = 200, HEIGHT = 150 };

#ifndef EGL_PLATFORM_XCB_EXT /* EGL_EXT_platform_xcb */
#define EGL_PLATFORM_XCB_EXT 0x31DC
#endif

static EGLDisplay display;
static EGLConfig config;

static void initialize(EGLenum platform, void *native, EGLint surface)
{
    const EGLint want[] = {EGL_SURFACE_TYPE, surface, EGL_RED_SIZE,        8,
                           EGL_DEPTH_SIZE,   1,       EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                           EGL_NONE};
    EGLint n;

    display = eglGetPlatformDisplay(platform, native, NULL);
    CHECK(display && eglInitialize(display, NULL, NULL));
    CHECK(eglBindAPI(EGL_OPENGL_ES_API));
    CHECK(eglChooseConfig(display, want, &config, 1, &n) && n);
}

static EGLSurface pbuffer(void)
{
    const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};

    return eglCreatePbufferSurface(display, config, size);
}

static EGLSurface on_surfaceless(void)
{
    initialize(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, EGL_PBUFFER_BIT);
    return pbuffer();
}

/* Creates a surface on the vendor's software device. */
static EGLSurface on_device(void)
{
    __typeof__(&eglQueryDevicesEXT) devices = (void *)eglGetProcAddress("eglQueryDevicesEXT");
    __typeof__(&eglQueryDeviceStringEXT) string =
        (void *)eglGetProcAddress("eglQueryDeviceStringEXT");
    EGLDeviceEXT device[8];
    EGLint n, i = 0;

    CHECK(devices && string && devices(8, device, &n) && n);
    while (i < n - 1 && !strstr(string(device[i], EGL_EXTENSIONS), "EGL_MESA_device_software"))
        i++;
    initialize(EGL_PLATFORM_DEVICE_EXT, device[i], EGL_PBUFFER_BIT);
    return pbuffer();
}

static uint8_t depth_of(const xcb_screen_t *screen, xcb_visualid_t id)
{
    xcb_depth_iterator_t d = xcb_screen_allowed_depths_iterator(screen);

    for (; d.rem; xcb_depth_next(&d)) {
        xcb_visualtype_t *v = xcb_depth_visuals(d.data);

        for (int i = 0; i < xcb_depth_visuals_length(d.data); i++) {
            if (v[i].visual_id == id)
                return d.data->depth;
        }
    }
    return 0;
}

/* Creates a surface for a window of another connection, of which EGL only gets the id. */
static EGLSurface on_window(void)
{
    xcb_connection_t *c = xcb_connect(NULL, NULL);
    EGLint id;

    CHECK(!xcb_connection_has_error(c));
    CHECK(eglGetConfigAttrib(display, config, EGL_NATIVE_VISUAL_ID, &id));
    const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
    const xcb_colormap_t map = xcb_generate_id(c);
    xcb_create_colormap(c, XCB_COLORMAP_ALLOC_NONE, map, screen->root, id);
    const xcb_window_t window = xcb_generate_id(c);
    xcb_create_window(c, depth_of(screen, id), window, screen->root, 0, 0, WIDTH, HEIGHT, 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, id, XCB_CW_BORDER_PIXEL | XCB_CW_COLORMAP,
                      (const uint32_t[]){0, map});
    xcb_map_window(c, window);
    /* waits until all requests have been processed */
    free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
    return eglCreateWindowSurface(display, config, window, NULL);
}

static EGLSurface on_x11(void)
{
    Display *x = XOpenDisplay(NULL);

    CHECK(x);
    initialize(EGL_PLATFORM_X11_KHR, x, EGL_WINDOW_BIT);
    return on_window();
}

static EGLSurface on_xcb(void)
{
    xcb_connection_t *c = xcb_connect(NULL, NULL);

    CHECK(!xcb_connection_has_error(c));
    initialize(EGL_PLATFORM_XCB_EXT, c, EGL_WINDOW_BIT);
    return on_window();
}

/* Draws two intersecting triangles in colors. */
static void draw(void)
{
    static const GLfloat vertices[][6] = {
        {-0.9f, -0.8f, -0.5f, 1, 0, 0}, {0.9f, -0.6f, 0.5f, 0, 1, 0}, {-0.2f, 0.9f, 0, 0, 0, 1},
        {0.8f, 0.8f, -0.5f, 1, 1, 0},   {-0.8f, 0.4f, 0.3f, 0, 1, 1}, {0.1f, -0.9f, 0, 1, 0, 1},
    };

    egl_program_create("attribute vec3 at, color; varying vec3 c;"
                       "void main() {"
                       "    gl_Position = vec4(at, 1.0);"
                       "    c = color;"
                       "}",
                       "precision mediump float; varying vec3 c;"
                       "void main() {"
                       "    gl_FragColor = vec4(c, 1.0);"
                       "}",
                       "at", "color");
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof vertices[0], vertices[0]);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof vertices[0], &vertices[0][3]);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0.2f, 0.2f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 6);
}

static void write_picture(const char *path)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    const uint32_t size[2] = {WIDTH, HEIGHT};
    FILE *file = fopen(path, "wb");

    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    CHECK(glGetError() == GL_NO_ERROR && file);
    CHECK(fwrite(size, sizeof size, 1, file) == 1);
    CHECK(fwrite(pixels, sizeof pixels, 1, file) == 1);
    CHECK(fclose(file) == 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        EGLSurface (*make)(void);
    } platforms[] = {
        {"x11", on_x11},
        {"xcb", on_xcb},
        {"device", on_device},
        {"surfaceless", on_surfaceless},
    };
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLSurface surface = EGL_NO_SURFACE;

    CHECK(argc == 3);
    for (unsigned i = 0; i < sizeof platforms / sizeof *platforms; i++) {
        if (strcmp(argv[1], platforms[i].name) == 0)
            surface = platforms[i].make();
    }
    CHECK(surface);
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    CHECK(context && eglMakeCurrent(display, surface, surface, context));
    printf("GL_RENDERER: %s\n", (const char *)glGetString(GL_RENDERER));
    draw();
    write_picture(argv[2]);
    CHECK(eglSwapBuffers(display, surface));
    CHECK(eglTerminate(display));
    return 0;
}
