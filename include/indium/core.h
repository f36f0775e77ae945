/* SPDX-License-Identifier: MIT */
/*
 * The contract between the core (libindium.so) and its faces (libGL, libEGL, libGLES*, OSMesa, the
 * loaders' modules). Besides the gl* entry points the core exports one symbol,
 * indium_core_interface(); all that a face needs hangs on the struct that it returns.
 *
 * A face owns its API's objects (GLXContext, EGLSurface …) and the window system; the core owns
 * contexts, their current binding and drawables' buffers. All functions may be called by any
 * thread; a context that is current to a thread is used by that thread only. A drawable may be current
 * to several, and be shown by others: what is seen then is undefined.
 */
#ifndef INDIUM_CORE_H
#define INDIUM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

#define INDIUM_CORE_VERSION 9 /* raised with every change of this header */

struct gl_context;
struct gl_drawable;
struct gl_shared_image; /* what an EGLImage names */

enum gl_api {
    GL_API_COMPAT, /* desktop GL with everything deprecated (and all of GL before 3.1) */
    GL_API_CORE,
    GL_API_ES1,
    GL_API_ES2, /* ES 2.0 and later */
    GL_API_COUNT,
};

/* What the default framebuffer of a drawable, or of the contexts for it, consists of. */
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

/* The image that a handle names which an application gave to glEGLImageTarget…, or NULL; of faces
 * whose handles are not images of the core. data is the face's. Any thread. */
typedef struct gl_shared_image *(*gl_find_image)(void *data, void *handle);

struct gl_context_attribs {
    enum gl_api api;
    unsigned major, minor; /* asked for; the context made is the highest compatible one */
    bool debug, forward_compatible, robust_access, no_error;
    bool no_release_flush; /* KHR_context_flush_control */
    enum gl_reset_strategy reset;
    gl_find_image find_image; /* NULL: handles are images of the core */
    void *find_image_data;
    const struct gl_visual *visual; /* NULL: no config, works with every drawable */
    struct gl_context *share;       /* NULL or a context whose objects are shared */
};

enum gl_create_error {
    GL_CREATE_OK,
    GL_CREATE_NO_MEMORY,
    GL_CREATE_BAD_API,     /* the API is not supported at all */
    GL_CREATE_BAD_VERSION, /* not in this version */
    GL_CREATE_BAD_SHARE,   /* share context cannot share with it */
    GL_CREATE_BAD_FLAG,
};

enum gl_image_error {
    GL_IMAGE_OK,
    GL_IMAGE_NO_MEMORY,
    GL_IMAGE_BAD_PARAMETER, /* no such object, or one that can be no image */
    GL_IMAGE_BAD_MATCH,     /* it has no such level */
};

enum gl_yuv_space { GL_YUV_BT601, GL_YUV_BT709, GL_YUV_BT2020 };

struct gl_memory_ops {
    /* Around the core's accesses. */
    void (*begin)(void *owner, bool write);
    void (*end)(void *owner, bool write);
    /* With the last image, texture and renderbuffer that shows it. */
    void (*destroy)(void *owner);
};

/* A picture in memory that others write and read too; row 0 is what textures have at t = 0. */
struct gl_memory_image {
    int width, height;
    enum drv_format format; /* of its texels; NONE: Y'CbCr, 8 bits, drawn from but not to */
    bool opaque;            /* alpha reads as 1 */
    uint8_t *data;
    uint32_t stride; /* bytes */
    struct {
        const uint8_t *data;
        uint32_t stride;
        uint8_t step;             /* bytes between samples */
        uint8_t x_shift, y_shift; /* log2 of how many pixels share one */
    } component[3];               /* Y', Cb, Cr */
    enum gl_yuv_space space;
    bool full_range;
    const struct gl_memory_ops *ops;
    void *owner;
};

/* How the core asks its face about the window. Called by the thread that has the drawable current
 * (make_current, the first command of a frame, glViewport, flush), by several at once if it is current to
 * several. data is the face's. */
struct gl_drawable_ops {
    /* Current size in pixels; false if the window is gone (the last size then stays). */
    bool (*get_size)(void *data, int *width, int *height);
    /* Single-buffered drawables, or front-buffer rendering, were flushed: the face should call
     * drawable_resolve and show it. May be NULL (pbuffers). */
    void (*front_flushed)(void *data);
    /* What the window shows, as drawable_resolve writes it, for front buffers of double-buffered
     * drawables, which are not kept while nobody uses them. False: it cannot be read. May be NULL. */
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

struct indium_core {
    unsigned version; /* INDIUM_CORE_VERSION */
    const char *name; /* of the project, "Indium" */
    const char *release;

    /* Name of the device that draws, as GL_RENDERER shows it. */
    const char *(*renderer)(void);
    /* Highest supported version of an API as 10 * major + minor; 0: not supported. */
    unsigned (*max_version)(enum gl_api api);
    /* Whether a drawable of this visual can be made. */
    bool (*visual_supported)(const struct gl_visual *visual);
    /* Pixels along a side that drawables have at most: of larger ones no more is drawn. */
    unsigned (*max_drawable_size)(void);

    /* NULL with *error set on failure. The context is created not current. */
    struct gl_context *(*context_create)(const struct gl_context_attribs *attribs,
                                         enum gl_create_error *error);
    /* Of a context that is current to some thread, destruction waits until it is not. */
    void (*context_destroy)(struct gl_context *ctx);
    /* draw and read are NULL for a surfaceless context (or both set); ctx NULL releases the
     * current one after flushing it. False: not compatible, current to another thread, or no
     * memory; the binding is then unchanged. */
    bool (*make_current)(struct gl_context *ctx, struct gl_drawable *draw,
                         struct gl_drawable *read);
    struct gl_context *(*get_current)(void);
    /* glFlush / glFinish of the calling thread's context, without API errors. */
    void (*flush)(bool finish);
    /* Draws what the calling thread's context holds back, for a face that is going to take a lock
     * which get_size or front_flushed take, too: after it drawable_resolve and drawable_read_depth
     * call neither, nor wait for other contexts' commands. */
    void (*flush_vertices)(void);
    /* glXCopyContext; mask is glPushAttrib's. False: dst is current, or src to another thread. */
    bool (*context_copy)(struct gl_context *src, struct gl_context *dst, unsigned long mask);
    /* Of the context's reset status and API, for the face's own queries. */
    enum gl_api (*context_api)(const struct gl_context *ctx);

    /* ops and data must outlive the drawable. Buffers are allocated when first needed. */
    struct gl_drawable *(*drawable_create)(const struct gl_visual *visual,
                                           const struct gl_drawable_ops *ops, void *data);
    void (*drawable_destroy)(struct gl_drawable *d);
    /* Finishes rendering to a buffer and writes a rectangle of it, x and y from the upper left, as
     * linear rows, top row first, in the drawable's color format into dst, which is the upper left
     * pixel of the whole (stride in bytes): pixels outside the drawable's size stay untouched. False
     * on no memory or lost context, and of a front buffer that the window alone has. */
    bool (*drawable_resolve)(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                             uint32_t stride, int x, int y, int width, int height);
    /* The same for the depth buffer, as 32-bit unsigned normalized values, bottom row first. False
     * if there is none, too. */
    bool (*drawable_read_depth)(struct gl_drawable *d, uint32_t *dst, uint32_t stride, int width,
                                int height);
    /* After the back buffer was shown: it is the front's contents, too (of a double-buffered
     * drawable; else flushes). */
    void (*drawable_swap)(struct gl_drawable *d);
    /* How many frames ago what the back buffer holds was drawn (EGL_EXT_buffer_age,
     * GLX_EXT_buffer_age): 1, or 0 if it is undefined, and of drawables without a back buffer. */
    int (*drawable_age)(struct gl_drawable *d);

    /* Copies a rectangle of the back buffer to the front buffer; pixels, from the lower left,
     * clipped to the drawable. False on no memory, or without a back buffer. */
    bool (*drawable_copy_back)(struct gl_drawable *d, int x, int y, int width, int height);

    /* The GL entry point of that name (static stub that works with any context), or NULL when gl.xml
     * does not have it. */
    void (*(*get_proc_address)(const char *name))(void);

    /* Texture from a buffer of a drawable (eglBindTexImage, glXBindTexImageEXT): makes it the base
     * level of the texture bound to target (GL enum) in the current context. False if none. */
    bool (*bind_tex_image)(struct gl_drawable *d, enum gl_buffer_index buffer, unsigned target,
                           bool with_alpha);
    void (*release_tex_image)(struct gl_drawable *d, unsigned target);

    /* An image of a level of a texture or of a renderbuffer of the context. target: GL_TEXTURE_2D,
     * GL_TEXTURE_3D, a face of cube maps or GL_RENDERBUFFER; z: the slice of 3D textures. The
     * application gives the pointer to glEGLImageTarget… as an image's handle, which may be done
     * by any context and thread until image_destroy. NULL with *error set on failure. */
    struct gl_shared_image *(*image_create)(struct gl_context *ctx, unsigned target, unsigned name,
                                            int level, int z, enum gl_image_error *error);
    /* An image of memory. What others wrote there is seen from the first draw after a glBindTexture,
     * glEGLImageTarget… or glFlush on; what the GL draws is there after glFlush. Takes the owner.
     * NULL: no memory, and the owner is still the caller's. */
    struct gl_shared_image *(*image_import)(const struct gl_memory_image *memory);
    /* Whether textures can be of that format. */
    bool (*image_format_supported)(enum drv_format format);
    /* Textures and renderbuffers that show it go on. */
    void (*image_destroy)(struct gl_shared_image *image);
};

/* The same constant struct for the life of the process. */
const struct indium_core *indium_core_interface(void);

#endif
