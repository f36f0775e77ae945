/* SPDX-License-Identifier: MIT */
/*
 * Program that passes invalid displays and windows to EGL, makes its window larger than any image,
 * and closes its connection to the compositor while EGL still uses it. Calls must fail without a
 * crash. Linked to the usual names of the libraries. Prints GL_RENDERER.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>
#include <wayland-egl.h>

#include "egl_program.h"

static struct wl_compositor *compositor;

static void found(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                  uint32_t version)
{
    if (strcmp(interface, "wl_compositor") == 0)
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
}

static void lost(void *data, struct wl_registry *registry, uint32_t name)
{
}

int main(void)
{
    static const struct wl_registry_listener listener = {found, lost};
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_ES2_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    struct wl_display *connection = wl_display_connect(NULL);
    struct wl_egl_window *window;
    struct wl_registry *registry;
    void *memory[8];
    EGLDisplay dpy;
    EGLSurface surface;
    EGLContext context;
    EGLConfig config;
    EGLint n;

    CHECK(connection);
    registry = wl_display_get_registry(connection);
    wl_registry_add_listener(registry, &listener, NULL);
    wl_display_roundtrip(connection);
    CHECK(compositor);
    CHECK(
        !eglInitialize(eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, connection, NULL), NULL, NULL));
    dpy = eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, connection, NULL);
    CHECK(dpy && eglInitialize(dpy, NULL, NULL));
    CHECK(eglChooseConfig(dpy, want, &config, 1, &n) && n);
    window = wl_egl_window_create(wl_compositor_create_surface(compositor), 64, 48);
    /* an X window */
    CHECK(!eglCreatePlatformWindowSurface(dpy, config, (void *)0x400001, NULL) &&
          eglGetError() == EGL_BAD_NATIVE_WINDOW);
    /* the wl_surface instead of the wl_egl_window */
    struct wl_surface *native = wl_compositor_create_surface(compositor);
    CHECK(!eglCreatePlatformWindowSurface(dpy, config, native, NULL) &&
          eglGetError() == EGL_BAD_NATIVE_WINDOW);
    CHECK(
        !eglInitialize(eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, native, NULL), NULL, NULL));
    surface = eglCreatePlatformWindowSurface(dpy, config, window, NULL);
    context = eglCreateContext(dpy, config, EGL_NO_CONTEXT, version);
    CHECK(surface && eglMakeCurrent(dpy, surface, surface, context));
    printf("GL_RENDERER: %s\n", glGetString(GL_RENDERER));
    eglSwapInterval(dpy, 0);
    /* too large, then not; a new size applies to the frame after the next swap */
    for (int huge = 1; huge >= 0; huge--) {
        wl_egl_window_resize(window, huge ? 65535 : 64, huge ? 65535 : 48, 0, 0);
        CHECK(eglSwapBuffers(dpy, surface) == huge);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    for (int i = 0; i < 3; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(eglSwapBuffers(dpy, surface));
    }
    const size_t bytes = malloc_usable_size(connection);
    wl_display_disconnect(connection);
    for (unsigned i = 0; i < 8; i++) {
        memory[i] = malloc(bytes); /* may reuse the connection's memory */
        memset(memory[i], 0x55, bytes);
    }
    for (int i = 0; i < 3; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(!eglSwapBuffers(dpy, surface) && eglGetError() == EGL_BAD_NATIVE_WINDOW);
    }
    CHECK(!eglCreatePlatformWindowSurface(dpy, config, window, NULL));
    eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    CHECK(eglDestroySurface(dpy, surface) && eglDestroyContext(dpy, context) && eglTerminate(dpy));
    wl_egl_window_destroy(window);
    for (unsigned i = 0; i < 8; i++)
        free(memory[i]);
    return 0;
}
