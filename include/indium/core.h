/* SPDX-License-Identifier: MIT */
/*
 * The interface between the core (libindium.so) and the front ends: libGL, libEGL, libGLES*, OSMesa
 * and the modules that other loaders open. Besides the gl* entry points, the core exports one
 * symbol, indium_core_interface(). It returns the table of functions that the front ends call.
 *
 * A front end owns the objects of its API (GLXContext, EGLSurface and so on) and talks to the
 * window system. The core owns contexts, their current bindings and the buffers of drawables.
 *
 * Threads: any thread may call any function. While a context is current to a thread, only that
 * thread uses it. A drawable may be current to several threads while others present it; the pixels
 * presented are then undefined.
 */
#ifndef INDIUM_CORE_H
#define INDIUM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

#define INDIUM_CORE_VERSION 9 /* incremented with every change of this header */

struct gl_context;
struct gl_drawable;
struct gl_shared_image; /* the image that an EGLImage refers to */

enum gl_api {
    GL_API_COMPAT, /* desktop GL compatibility profile; also all versions before 3.1 */
    GL_API_CORE,
    GL_API_ES1,
    GL_API_ES2, /* ES 2.0 and later */
    GL_API_COUNT,
};

/* The buffers of a drawable's default framebuffer, or of the drawables that a context is made
 * for. */
struct gl_visual {
    enum drv_format color;         /* DRV_FORMAT_NONE: no color buffer */
    enum drv_format depth_stencil; /* a depth, stencil or packed format, or DRV_FORMAT_NONE */
    uint8_t accum_bits;            /* per component, 0 or 16 */
    uint8_t samples;               /* 0 or 1: single-sampled */
    bool double_buffered;
    bool stereo;
    bool srgb_capable;
};

enum gl_reset_strategy { GL_RESET_NO_NOTIFICATION, GL_RESET_LOSE_CONTEXT };

/* Returns the image for a handle that the application passed to glEGLImageTarget…, or NULL. Front
 * ends whose handles aren't pointers to the core's images provide this callback. `data` is
 * gl_context_attribs.find_image_data. Any thread may call it. */
typedef struct gl_shared_image *(*gl_find_image)(void *data, void *handle);

struct gl_context_attribs {
    enum gl_api api;
    unsigned major, minor; /* requested version; the context gets the highest compatible one */
    bool debug, forward_compatible, robust_access, no_error;
    bool no_release_flush; /* KHR_context_flush_control: no flush when released */
    enum gl_reset_strategy reset;
    gl_find_image find_image; /* NULL: handles are pointers to the core's images */
    void *find_image_data;
    const struct gl_visual *visual; /* NULL: no config; the context works with any drawable */
    struct gl_context *share;       /* NULL, or a context to share objects with */
};

enum gl_create_error {
    GL_CREATE_OK,
    GL_CREATE_NO_MEMORY,
    GL_CREATE_BAD_API,     /* the API is not supported at all */
    GL_CREATE_BAD_VERSION, /* the API is supported, but not this version */
    GL_CREATE_BAD_SHARE,   /* cannot share objects with `share` */
    GL_CREATE_BAD_FLAG,
};

enum gl_image_error {
    GL_IMAGE_OK,
    GL_IMAGE_NO_MEMORY,
    GL_IMAGE_BAD_PARAMETER, /* no such object, or it cannot become an image */
    GL_IMAGE_BAD_MATCH,     /* the object lacks this level */
};

enum gl_yuv_space { GL_YUV_BT601, GL_YUV_BT709, GL_YUV_BT2020 };

/* Callbacks of the owner of shared memory. */
struct gl_memory_ops {
    /* Called before and after each access by the core; `write` says whether it writes. */
    void (*begin)(void *owner, bool write);
    void (*end)(void *owner, bool write);
    /* Called when the last image, texture or renderbuffer that uses the memory is gone. */
    void (*destroy)(void *owner);
};

/* An image in memory that others read and write, too. Row 0 is at texture coordinate t = 0. */
struct gl_memory_image {
    int width, height;
    /* Texel format; DRV_FORMAT_NONE: 8-bit Y'CbCr, which can be sampled but not rendered to. */
    enum drv_format format;
    bool opaque; /* alpha reads as 1 */
    uint8_t *data;
    uint32_t stride; /* bytes between rows */
    struct {
        const uint8_t *data;
        uint32_t stride;          /* bytes between rows */
        uint8_t step;             /* bytes between samples */
        uint8_t x_shift, y_shift; /* log2 of the number of pixels that share one sample */
    } component[3];               /* Y', Cb, Cr */
    enum gl_yuv_space space;
    bool full_range;
    const struct gl_memory_ops *ops;
    void *owner;
};

/* Callbacks with which the core asks the front end about a window. The thread that has the drawable
 * current calls them in make_current, at the first command of a frame, in glViewport and on a
 * flush. If the drawable is current to several threads, they may call at once. `data` is the
 * pointer passed to drawable_create. */
struct gl_drawable_ops {
    /* Stores the current size in pixels. Returns false if the window no longer exists; the drawable
     * then keeps its last size. */
    bool (*get_size)(void *data, int *width, int *height);
    /* Called after a flush of a single-buffered drawable or of front-buffer rendering. The front
     * end calls drawable_resolve and presents the result. May be NULL (pbuffers). */
    void (*front_flushed)(void *data);
    /* Reads back what the window shows, in the layout that drawable_resolve writes. The core needs
     * it when the front buffer of a double-buffered drawable is accessed, since it keeps none until
     * then. Returns false if the window cannot be read. May be NULL. */
    bool (*read_front)(void *data, void *dst, uint32_t stride, int width, int height);
};

/* Buffers of a drawable. */
enum gl_buffer_index {
    GL_BUFFER_FRONT_LEFT,
    GL_BUFFER_BACK_LEFT,
    GL_BUFFER_FRONT_RIGHT,
    GL_BUFFER_BACK_RIGHT,
    GL_BUFFER_COUNT,
};

/* The functions of the core. */
struct indium_core {
    unsigned version;    /* INDIUM_CORE_VERSION */
    const char *name;    /* name of the project, "Indium" */
    const char *release; /* release of the project */

    /* Returns the name of the rendering device, as shown in GL_RENDERER. */
    const char *(*renderer)(void);
    /* Returns the highest supported version of an API as 10 * major + minor, or 0 if the API is not
     * supported. */
    unsigned (*max_version)(enum gl_api api);
    /* Returns whether drawables with this visual can be created. */
    bool (*visual_supported)(const struct gl_visual *visual);
    /* Returns the maximum width and height of a drawable in pixels. Nothing is rendered beyond
     * it. */
    unsigned (*max_drawable_size)(void);

    /* Creates a context, which is not current to any thread. Returns NULL and sets *error on
     * failure. */
    struct gl_context *(*context_create)(const struct gl_context_attribs *attribs,
                                         enum gl_create_error *error);
    /* Destroys a context. If it is current to a thread, it is destroyed when that thread releases
     * it. */
    void (*context_destroy)(struct gl_context *ctx);
    /* Makes ctx current to the calling thread. draw and read are both set, or both NULL for a
     * surfaceless context. ctx NULL flushes and releases the current context. Returns false, with
     * the binding unchanged, if they are incompatible, ctx is current to another thread, or there
     * is no memory. */
    bool (*make_current)(struct gl_context *ctx, struct gl_drawable *draw,
                         struct gl_drawable *read);
    struct gl_context *(*get_current)(void);
    /* Does glFlush, or glFinish if `finish`, for the current context of the calling thread. Sets no
     * GL error. */
    void (*flush)(bool finish);
    /* Submits the vertices that the calling thread's current context still buffers. A front end
     * calls it before taking a lock that get_size or front_flushed also take. Afterwards,
     * drawable_resolve and drawable_read_depth call neither of them, and they don't wait for
     * commands of other contexts. */
    void (*flush_vertices)(void);
    /* Implements glXCopyContext; `mask` is that of glPushAttrib. Returns false if dst is current to
     * any thread or src is current to another thread. */
    bool (*context_copy)(struct gl_context *src, struct gl_context *dst, unsigned long mask);
    /* Returns the API of a context. */
    enum gl_api (*context_api)(const struct gl_context *ctx);

    /* Creates a drawable. ops and data must outlive it. Buffers are allocated when first needed. */
    struct gl_drawable *(*drawable_create)(const struct gl_visual *visual,
                                           const struct gl_drawable_ops *ops, void *data);
    void (*drawable_destroy)(struct gl_drawable *d);
    /* Finishes rendering to a buffer and copies a rectangle of it to dst. x and y count from the
     * top left. dst is the address of the top left pixel of the whole image, top row first,
     * `stride` bytes apart, in the color format of the drawable. Pixels outside the drawable are
     * not written. Returns false if there is no memory, the context is lost, or the contents of the
     * front buffer exist only in the window. */
    bool (*drawable_resolve)(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                             uint32_t stride, int x, int y, int width, int height);
    /* Does the same for the depth buffer, from the bottom row up, as 32-bit unsigned normalized
     * values. Also returns false if the drawable has no depth buffer. */
    bool (*drawable_read_depth)(struct gl_drawable *d, uint32_t *dst, uint32_t stride, int width,
                                int height);
    /* Called after the back buffer was presented: its contents become those of the front buffer,
     * too. For a single-buffered drawable, just flushes. */
    void (*drawable_swap)(struct gl_drawable *d);
    /* Returns the age in frames of the back buffer's contents (EGL_EXT_buffer_age,
     * GLX_EXT_buffer_age): 1, or 0 if they are undefined or there is no back buffer. */
    int (*drawable_age)(struct gl_drawable *d);

    /* Copies a rectangle of the back buffer to the front buffer. Pixels, origin at the lower left,
     * clipped to the drawable. Returns false if there is no memory or no back buffer. */
    bool (*drawable_copy_back)(struct gl_drawable *d, int x, int y, int width, int height);

    /* Returns the GL entry point with this name, or NULL if gl.xml has none. The function is static
     * and works with any context. */
    void (*(*get_proc_address)(const char *name))(void);

    /* Makes a buffer of a drawable the base level of the texture that is bound to `target` (a GL
     * enum) in the current context (eglBindTexImage, glXBindTexImageEXT). Returns false if there is
     * no such buffer or no current context. */
    bool (*bind_tex_image)(struct gl_drawable *d, enum gl_buffer_index buffer, unsigned target,
                           bool with_alpha);
    void (*release_tex_image)(struct gl_drawable *d, unsigned target);

    /* Creates an image of one level of a texture or of a renderbuffer of ctx. target is
     * GL_TEXTURE_2D, GL_TEXTURE_3D, a face of a cube map or GL_RENDERBUFFER; z is the slice of a 3D
     * texture. The application passes the returned pointer to glEGLImageTarget… as a handle; any
     * context and thread may do so until image_destroy. Returns NULL and sets *error on failure. */
    struct gl_shared_image *(*image_create)(struct gl_context *ctx, unsigned target, unsigned name,
                                            int level, int z, enum gl_image_error *error);
    /* Creates an image of shared memory and takes over its owner. GL sees the writes of others from
     * the first draw after glBindTexture, glEGLImageTarget… or glFlush. Others see what GL rendered
     * after glFlush. Returns NULL if there is no memory; the owner then remains the caller's. */
    struct gl_shared_image *(*image_import)(const struct gl_memory_image *memory);
    /* Returns whether textures can have this format. */
    bool (*image_format_supported)(enum drv_format format);
    /* Destroys an image. Textures and renderbuffers made from it keep its contents. */
    void (*image_destroy)(struct gl_shared_image *image);
};

/* Returns the same constant struct for the life of the process. */
const struct indium_core *indium_core_interface(void);

#endif
