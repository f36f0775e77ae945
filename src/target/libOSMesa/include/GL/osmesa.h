/* SPDX-License-Identifier: MIT */
/*
 * OSMesa, off-screen rendering into the program's memory: the interface of libOSMesa.so.8, as
 * Mesa's documentation describes it. Mesa 25.1 removed the library and its header, so it is
 * declared here, for our libOSMesa, tools and tests.
 */
#ifndef INDIUM_OSMESA_H
#define INDIUM_OSMESA_H

#include <GL/gl.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct osmesa_context *OSMesaContext;
typedef void (*OSMESAproc)(void);

/* Formats of the image: the order of components in memory. OSMESA_COLOR_INDEX is not supported. */
#define OSMESA_COLOR_INDEX GL_COLOR_INDEX
#define OSMESA_RGBA        GL_RGBA
#define OSMESA_RGB         GL_RGB
#define OSMESA_BGRA        1
#define OSMESA_ARGB        2
#define OSMESA_BGR         4
#define OSMESA_RGB_565     5

/* Parameters of OSMesaPixelStore and OSMesaGetIntegerv. */
#define OSMESA_ROW_LENGTH 0x10 /* pixels from row to row; 0: the width */
#define OSMESA_Y_UP       0x11 /* whether the first row is the lowest one */
/* Parameters of OSMesaGetIntegerv. */
#define OSMESA_WIDTH      0x20
#define OSMESA_HEIGHT     0x21
#define OSMESA_FORMAT     0x22
#define OSMESA_TYPE       0x23
#define OSMESA_MAX_WIDTH  0x24
#define OSMESA_MAX_HEIGHT 0x25

/* Attributes of OSMesaCreateContextAttribs, in addition to OSMESA_FORMAT. */
#define OSMESA_DEPTH_BITS            0x30
#define OSMESA_STENCIL_BITS          0x31
#define OSMESA_ACCUM_BITS            0x32
#define OSMESA_PROFILE               0x33 /* one of the two values below */
#define OSMESA_CORE_PROFILE          0x34
#define OSMESA_COMPAT_PROFILE        0x35
#define OSMESA_CONTEXT_MAJOR_VERSION 0x36
#define OSMESA_CONTEXT_MINOR_VERSION 0x37

/* Create a context, which is current to no thread. `share` is a context to share objects with, or
 * NULL. depth, stencil and accum are minimum bits per pixel or component, but the context has no
 * more than 24, 8 and 16; 0: the buffer is not needed. Without depth and stencil, there is neither
 * buffer; with stencil, there are both. OSMesaCreateContext requests 24, 8 and 0. `attribs` is a
 * list of pairs that ends with 0; NULL or missing attributes stand for OSMESA_RGBA, a compatibility
 * profile of version 1.0, and no other buffers. Return NULL if the arguments are invalid or when
 * out of memory. */
GLAPI OSMesaContext GLAPIENTRY OSMesaCreateContext(GLenum format, OSMesaContext share);
GLAPI OSMesaContext GLAPIENTRY OSMesaCreateContextExt(GLenum format, GLint depth, GLint stencil,
                                                      GLint accum, OSMesaContext share);
GLAPI OSMesaContext GLAPIENTRY OSMesaCreateContextAttribs(const int *attribs, OSMesaContext share);
/* Destroys a context, whose buffer is no longer written. Releases it first if it is current to the
 * calling thread. One that is current to another thread is freed when that thread releases it. Does
 * nothing if the handle is invalid. */
GLAPI void GLAPIENTRY OSMesaDestroyContext(OSMesaContext context);

/* Makes a context current to the calling thread, with a buffer of width × height pixels that the
 * program owns. type is GL_UNSIGNED_SHORT_5_6_5 for OSMESA_RGB_565, otherwise GL_UNSIGNED_BYTE,
 * GL_UNSIGNED_SHORT or GL_FLOAT. glFlush and glFinish write the image to the buffer. NULL for the
 * context and the buffer releases the current context. Returns GL_FALSE, and changes nothing, if an
 * argument is invalid or the context is current to another thread. Returns GL_FALSE when out of
 * memory, too; another context that was current is then released. */
GLAPI GLboolean GLAPIENTRY OSMesaMakeCurrent(OSMesaContext context, void *buffer, GLenum type,
                                             GLsizei width, GLsizei height);
/* Returns the calling thread's current context, or NULL. */
GLAPI OSMesaContext GLAPIENTRY OSMesaGetCurrentContext(void);

/* Set and query state of the current context. OSMesaColorClamp sets whether the fragment colors of
 * GL_FLOAT buffers are clamped to [0, 1], in compatibility contexts only. Invalid names and values
 * are ignored. Without a current context, queries other than OSMESA_MAX_* return 0, and values are
 * not set. */
GLAPI void GLAPIENTRY OSMesaPixelStore(GLint name, GLint value);
GLAPI void GLAPIENTRY OSMesaGetIntegerv(GLint name, GLint *value);
GLAPI void GLAPIENTRY OSMesaColorClamp(GLboolean enable);

/* Store the size in pixels, the layout and the address of a context's buffer. format is an OSMESA_*
 * format. OSMesaGetColorBuffer first finishes drawing if the context is current. The depth buffer
 * is a copy, bottom row first, which the context owns; it is valid until the next call. Its values
 * are unsigned integers of 2 or 4 bytes, with the bits of the depth buffer as the lowest ones.
 * Pointers for results may be NULL. Return GL_FALSE, with all results 0 or NULL, if there is no
 * buffer or when out of memory. */
GLAPI GLboolean GLAPIENTRY OSMesaGetDepthBuffer(OSMesaContext context, GLint *width, GLint *height,
                                                GLint *bytes_per_value, void **buffer);
GLAPI GLboolean GLAPIENTRY OSMesaGetColorBuffer(OSMesaContext context, GLint *width, GLint *height,
                                                GLint *format, void **buffer);

/* Returns a function of GL or OSMesa by its name, or NULL. */
GLAPI OSMESAproc GLAPIENTRY OSMesaGetProcAddress(const char *name);

/* Does nothing. In Mesa, it configures a filter for the image. */
GLAPI void GLAPIENTRY OSMesaPostprocess(OSMesaContext context, const char *filter, unsigned value);

#ifdef __cplusplus
}
#endif

#endif
