/* SPDX-License-Identifier: MIT */
#include "fuzz_gl_window.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <X11/Xlib.h>
#include <pthread.h>

void fuzz_handle_add(struct fuzz_handles *all, uintptr_t handle)
{
    if (handle)
        __atomic_store_n(
            &all->value[__atomic_fetch_add(&all->count, 1, __ATOMIC_RELAXED) % FUZZ_HANDLES],
            handle, __ATOMIC_RELAXED);
}

/* Returns mostly one of the newest handles, which probably still exist. */
static uintptr_t known_handle(struct fuzz *f, struct fuzz_handles *all)
{
    unsigned count = __atomic_load_n(&all->count, __ATOMIC_RELAXED);
    unsigned at = count && fuzz_chance(f, 65)
                      ? (count - 1 - fuzz_random(f, count < 2 ? count : 2)) % FUZZ_HANDLES
                      : fuzz_random(f, count < FUZZ_HANDLES ? count : FUZZ_HANDLES);
    return __atomic_load_n(&all->value[at], __ATOMIC_RELAXED);
}

uintptr_t fuzz_handle(struct fuzz *f, struct fuzz_handles *all)
{
    unsigned what = fuzz_random(f, 100);
    if (what < 92)
        return known_handle(f, all);
    return what < 96 ? 0 : what < 98 ? 0x1000 : fuzz_random(f, UINT32_MAX);
}

int fuzz_number(struct fuzz *f, const int *names, unsigned num_names)
{
    static const int odd[] = {-1, 0x7fffffff, -0x7fffffff - 1, 16385, 1 << 24, 0x10000};
    unsigned what = fuzz_random(f, 100);
    return what < 55   ? (int)fuzz_random(f, 5)
           : what < 75 ? (int)fuzz_random(f, 100)
           : what < 90 ? names[fuzz_random(f, num_names)]
                       : odd[fuzz_random(f, sizeof odd / sizeof *odd)];
}

void fuzz_attributes(struct fuzz *f, int *list, const int *names, unsigned num_names, int none)
{
    unsigned pairs = fuzz_random(f, FUZZ_PAIRS + 1);
    for (unsigned i = 0; i < pairs; i++) {
        *list++ = names[fuzz_random(f, num_names)];
        *list++ = fuzz_number(f, names, num_names);
    }
    *list = none;
}

static void draw_texture(struct fuzz *f)
{
    GLuint name = 1 + fuzz_random(f, 4);
    glBindTexture(GL_TEXTURE_2D, name);
    if (fuzz_chance(f, 50))
        glTexImage2D(GL_TEXTURE_2D, (GLint)fuzz_random(f, 3), GL_RGBA,
                     1 + (GLint)fuzz_random(f, 70), 1 + (GLint)fuzz_random(f, 70), 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    else
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
}

void fuzz_draw(struct fuzz *f)
{
    uint8_t pixels[16 * 16 * 4];
    switch (fuzz_random(f, 7)) {
    case 0:
        glClearColor(0, 1, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        break;
    case 1:
        glReadPixels((GLint)fuzz_random(f, 40) - 8, (GLint)fuzz_random(f, 40) - 8, 16, 16, GL_RGBA,
                     GL_UNSIGNED_BYTE, pixels);
        break;
    case 2:
        draw_texture(f);
        break;
    case 3:
        glViewport(0, 0, (GLsizei)fuzz_random(f, 100), (GLsizei)fuzz_random(f, 100));
        glDrawArrays(GL_TRIANGLES, 0, 3);
        break;
    case 4:
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 8, 8);
        break;
    case 5:
        glFinish();
        break;
    default:
        glFlush();
        break;
    }
}

/* --- X --- */

static Display *display;
static struct fuzz_handles windows, pixmaps;

static int ignore_error(Display *dpy, XErrorEvent *event)
{
    return 0;
}

static void open_display(void)
{
    XInitThreads();
    XSetErrorHandler(ignore_error);
    display = XOpenDisplay(NULL);
}

void *fuzz_x_display(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_display);
    return display;
}

unsigned long fuzz_x_drawable(struct fuzz *f)
{
    Display *dpy = fuzz_x_display();
    if (!dpy)
        return fuzz_random(f, 10);
    Window root = DefaultRootWindow(dpy);
    unsigned what = fuzz_random(f, 100), width = 1 + fuzz_random(f, 64), depth = 24;
    unsigned long id = fuzz_handle(f, fuzz_chance(f, 70) ? &windows : &pixmaps);
    if (what < 20 || !id)
        fuzz_handle_add(&windows,
                        id = XCreateSimpleWindow(dpy, root, 0, 0, width, width + 5, 0, 0, 0));
    else if (what < 30)
        fuzz_handle_add(&pixmaps, id = XCreatePixmap(dpy, root, width, width, depth));
    else if (what < 36)
        XDestroyWindow(dpy, id);
    else if (what < 38)
        XFreePixmap(dpy, id);
    else if (what < 48)
        XResizeWindow(dpy, id, width, width);
    else if (what < 55)
        XMapWindow(dpy, id);
    XSync(dpy, False);
    return id;
}

void fuzz_x_finish(void)
{
    if (display)
        XCloseDisplay(display);
    display = NULL;
}
