/* SPDX-License-Identifier: MIT */
/*
 * The interface between the core (libindium.so) and the API libraries: libGL, libEGL, libGLES*,
 * OSMesa, and the modules that other loaders open. In addition to the gl* entry points, the core
 * exports one symbol, indium_core_interface(). It returns the table of functions that the API
 * libraries call.
 *
 * An API library owns the objects of its API (GLXContext, EGLSurface and so on) and talks to the
 * window system. The core owns contexts, their current bindings and the buffers of drawables.
 *
 * Threads: any thread may call any function. While a context is current to a thread, only that
 * thread may use it. A drawable may be current to several threads while others present it; the
 * presented pixels are then undefined.
 */
#ifndef INDIUM_CORE_H
#define INDIUM_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "indium/format.h"

#define INDIUM_CORE_VERSION 13 /* incremented with every change of this interface */

struct gl_context;
struct gl_drawable;
struct gl_shared_image; /* the image of an EGLImage */

/* API of a context. */
enum gl_api {
    GL_API_COMPAT, /* desktop GL compatibility profile; also all versions before 3.1 */
    GL_API_CORE,
    GL_API_ES1,
    GL_API_ES2, /* ES 2.0 and later */
    GL_API_COUNT,
};

/* Describes the buffers of a drawable, or of the drawables that a context is created for. */
struct gl_visual {
    enum drv_format color;         /* DRV_FORMAT_NONE: no color buffer */
    enum drv_format depth_stencil; /* a depth, stencil or packed format, or DRV_FORMAT_NONE */
    uint8_t accum_bits;            /* accumulation buffer: bits per component, 0 or 16 */
    uint8_t samples;               /* samples per pixel; 0 or 1: single-sampled */
    bool double_buffered;          /* there are back buffers */
    bool stereo;                   /* there are right buffers */
    bool srgb_capable;             /* GL_FRAMEBUFFER_SRGB has an effect on the color buffers */
};

/* GL_RESET_NOTIFICATION_STRATEGY: what happens to the context after a graphics reset. With
 * GL_RESET_NO_NOTIFICATION, it stays usable, and GL_OUT_OF_MEMORY is raised. With
 * GL_RESET_LOSE_CONTEXT, most commands then do nothing but raise GL_CONTEXT_LOST. */
enum gl_reset_strategy { GL_RESET_NO_NOTIFICATION, GL_RESET_LOSE_CONTEXT };

/* Returns the image for a handle that the application passed to glEGLImageTarget…, or NULL if the
 * handle is invalid. API libraries whose handles aren't pointers to the core's images provide this
 * callback. `data` is gl_context_attribs.find_image_data. The callback must be thread-safe. */
typedef struct gl_shared_image *(*gl_find_image)(void *data, void *handle);

/* Parameters of context_create, which copies them. Only the memory at find_image_data must stay
 * valid, as long as the context exists. */
struct gl_context_attribs {
    enum gl_api api;
    unsigned major, minor; /* requested version; the context has the highest compatible one */
    bool debug, forward_compatible, robust_access, no_error; /* GL_CONTEXT_FLAGS */
    bool no_release_flush; /* KHR_context_flush_control: releasing the context doesn't flush */
    enum gl_reset_strategy reset;
    gl_find_image find_image; /* NULL if handles are pointers to the core's images */
    void *find_image_data;
    const struct gl_visual *visual; /* NULL if the context works with any drawable */
    struct gl_context *share;       /* NULL, or a context to share objects with */
};

/* Results of context_create. */
enum gl_create_error {
    GL_CREATE_OK,
    GL_CREATE_NO_MEMORY,
    GL_CREATE_BAD_API,     /* the API is not supported at all */
    GL_CREATE_BAD_VERSION, /* the API is supported, but not this version */
    GL_CREATE_BAD_SHARE,   /* `share` has another reset strategy or value of no_error */
    GL_CREATE_BAD_FLAG,    /* flags that exclude each other, or that the API lacks */
};

/* Results of image_create. */
enum gl_image_error {
    GL_IMAGE_OK,
    GL_IMAGE_NO_MEMORY,
    GL_IMAGE_BAD_PARAMETER, /* no such object or slice, or it cannot become an image */
    /* The texture lacks this level, or shows an image of bind_tex_image or image_bind. */
    GL_IMAGE_BAD_MATCH,
};

/* Matrix between Y'CbCr and RGB (ITU-R BT.601, BT.709, BT.2020). */
enum gl_yuv_space { GL_YUV_BT601, GL_YUV_BT709, GL_YUV_BT2020 };

/* Callbacks for shared memory. `owner` is gl_memory_image.owner. Any thread may call them. */
struct gl_memory_ops {
    /* `begin` is called before and `end` after each access by the core. `write` is true if the core
     * writes. */
    void (*begin)(void *owner, bool write);
    void (*end)(void *owner, bool write);
    /* Called once the last image, texture or renderbuffer that uses the memory is destroyed. */
    void (*destroy)(void *owner);
};

/* An image in memory that other processes or devices also access. Row 0 is at texture coordinate
 * t = 0. */
struct gl_memory_image {
    int width, height; /* pixels */
    /* DRV_FORMAT_NONE means 8-bit Y'CbCr, which can be sampled but not rendered to. It is described
     * by component, space and full_range; other formats by data and stride. */
    enum drv_format format;
    bool opaque;     /* alpha reads as 1 */
    uint8_t *data;   /* address of row 0; valid as long as the owner */
    uint32_t stride; /* bytes between rows */
    struct {
        const uint8_t *data;      /* address of the first sample of row 0 */
        uint32_t stride;          /* bytes between rows */
        uint8_t step;             /* bytes between samples */
        uint8_t x_shift, y_shift; /* log2 of the number of pixels that share one sample */
    } component[3];               /* Y', Cb, Cr */
    enum gl_yuv_space space;
    bool full_range; /* Y'CbCr uses 0 to 255, not the video range (16 to 235 for Y') */
    const struct gl_memory_ops *ops;
    void *owner;
};

/* Functions of a cache that the application provides. Sizes are in bytes. gl_blob_set stores a
 * value for a key. gl_blob_get returns the size of the value for a key, or 0 if there is none; it
 * copies the value to `value` only if that size is at most value_size. */
typedef void (*gl_blob_set)(const void *key, ptrdiff_t key_size, const void *value,
                            ptrdiff_t value_size);
typedef ptrdiff_t (*gl_blob_get)(const void *key, ptrdiff_t key_size, void *value,
                                 ptrdiff_t value_size);

/* Callbacks with which the core asks the API library about a window. The core may call them in
 * make_current, flush, delay_commands, context_copy, drawable_create, drawable_swap,
 * drawable_copy_back, and GL commands of contexts that draw to or read from the drawable, and
 * wherever it draws buffered vertices (flush_vertices). Several threads may call them at once.
 * `data` is the pointer passed to drawable_create. */
struct gl_drawable_ops {
    /* Stores the current size in pixels. Returns false if the window no longer exists; the drawable
     * then keeps its last size. */
    bool (*get_size)(void *data, int *width, int *height);
    /* Called after a flush if the front buffer was drawn to. The API library must call
     * drawable_resolve and present the result. May be NULL (pbuffers). */
    void (*front_flushed)(void *data);
    /* Stores the width × height pixels that the window shows in dst, in the layout of
     * drawable_resolve. width and height are the drawable's size. The core calls it when a front
     * buffer that exists only in the window is accessed. Returns false if the window cannot be
     * read. May be NULL. */
    bool (*read_front)(void *data, void *dst, uint32_t stride, int width, int height);
};

/* Color buffers of a drawable. */
enum gl_buffer_index {
    GL_BUFFER_FRONT_LEFT,
    GL_BUFFER_BACK_LEFT,
    GL_BUFFER_FRONT_RIGHT,
    GL_BUFFER_BACK_RIGHT,
    GL_BUFFER_COUNT,
};

/* The functions of the core. */
struct indium_core {
    unsigned version;    /* INDIUM_CORE_VERSION of the core; API libraries must check it */
    const char *name;    /* name of the project, "Indium" */
    const char *release; /* version number of the project */

    /* Returns the name of the rendering device, which GL_RENDERER contains; "none" if there is no
     * driver. The string is valid for the life of the process. */
    const char *(*renderer)(void);
    /* Returns the highest supported version of an API as 10 * major + minor, or 0 if the API is not
     * supported. */
    unsigned (*max_version)(enum gl_api api);
    /* Returns whether drawables with this visual can be created. */
    bool (*visual_supported)(const struct gl_visual *visual);
    /* Returns the maximum width and height of a drawable in pixels; 0 if there is no driver. A
     * larger drawable is rendered only up to this size. */
    unsigned (*max_drawable_size)(void);

    /* Creates a context, which is not current to any thread. Returns NULL on failure. In both
     * cases, stores the result in *error, unless error is NULL. */
    struct gl_context *(*context_create)(const struct gl_context_attribs *attribs,
                                         enum gl_create_error *error);
    /* Destroys a context. If it is current to a thread, it is destroyed when that thread releases
     * it. */
    void (*context_destroy)(struct gl_context *ctx); /* ctx may be NULL */
    /* Makes ctx current to the calling thread and releases the context that was current. If ctx is
     * NULL, only releases the current context and ignores draw and read. Releasing flushes, unless
     * no_release_flush is set. If ctx is current already, flushes it. For a surfaceless context,
     * draw and read are NULL. Returns false, with the binding unchanged, if only one of draw and
     * read is NULL, or if ctx is current to another thread; otherwise true. The caller checks
     * whether the visuals are compatible. */
    bool (*make_current)(struct gl_context *ctx, struct gl_drawable *draw,
                         struct gl_drawable *read);
    struct gl_context *(*get_current)(void); /* returns the calling thread's context or NULL */
    /* Performs glFlush, or glFinish if `finish` is true, for the calling thread's current context.
     * Does nothing if there is none. May raise GL_OUT_OF_MEMORY, and the errors of drawing the
     * vertices that the context still buffers. */
    void (*flush)(bool finish);
    /* Draws the vertices that the calling thread's current context still buffers. An API library
     * must call it before it takes a lock that its get_size or front_flushed also takes. While it
     * holds the lock, it may then call drawable_resolve and drawable_read_depth: they don't call
     * these callbacks and don't wait for commands of other contexts. */
    void (*flush_vertices)(void);
    /* Makes ctx call wait(data) in the next GL command that draws or may access shared objects,
     * before it executes. Earlier commands don't wait for it; they are flushed. The core holds no
     * lock during the call. Another delay before that command replaces this one. ctx must not be
     * current to another thread. */
    void (*delay_commands)(struct gl_context *ctx, void (*wait)(void *data), void *data);
    /* Copies the state that `mask` selects, a mask of glPushAttrib, from src to dst
     * (glXCopyContext). Flushes src first if it is current to the calling thread. Returns false,
     * with nothing copied, if dst is current to any thread or src is current to another thread. */
    bool (*context_copy)(struct gl_context *src, struct gl_context *dst, unsigned long mask);
    /* Returns the API of a context. */
    enum gl_api (*context_api)(const struct gl_context *ctx);

    /* Creates a drawable. Copies *visual; ops and data must stay valid until drawable_destroy.
     * Buffers are allocated when first needed. Returns NULL if there is no memory or no driver. */
    struct gl_drawable *(*drawable_create)(const struct gl_visual *visual,
                                           const struct gl_drawable_ops *ops, void *data);
    /* Destroys a drawable; it may be NULL. Contexts to which it is current keep its buffers. */
    void (*drawable_destroy)(struct gl_drawable *d);
    /* Finishes rendering to a buffer and copies a rectangle of it to an image in memory. The origin
     * is at the top left. dst is the address of pixel (0, 0) of the image, not of the rectangle;
     * the top row comes first, rows are `stride` bytes apart, in the color format of the drawable.
     * Pixels outside the drawable are not written. Returns false if no pixel is inside, the visual
     * doesn't have the buffer, there is no memory, or the contents of the front buffer exist only
     * in the window. Also works while the current context is lost. */
    bool (*drawable_resolve)(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                             uint32_t stride, int x, int y, int width, int height);
    /* Copies the lower left width × height pixels of the depth buffer to dst, bottom row first, as
     * 32-bit unsigned normalized values. Pixels outside the drawable are not written. `stride` is
     * in bytes. Returns false if there is no depth buffer, it is multisampled, or there is no
     * memory. */
    bool (*drawable_read_depth)(struct gl_drawable *d, uint32_t *dst, uint32_t stride, int width,
                                int height);
    /* Ends a frame, after the back buffer was presented, and flushes. The front buffer gets the
     * contents of the back buffer, which keeps them. For a single-buffered drawable, only flushes.
     * Calls get_size if the drawable is current to the calling thread. */
    void (*drawable_swap)(struct gl_drawable *d);
    /* Returns the age in frames of the back buffer's contents (EGL_EXT_buffer_age,
     * GLX_EXT_buffer_age): 1, or 0 if they are undefined or there is no back buffer. */
    int (*drawable_age)(struct gl_drawable *d);

    /* Copies a rectangle of the left back buffer to the left front buffer, and flushes. It is in
     * pixels with the origin at the lower left, and is clipped to the drawable. Returns false if
     * there is no memory or no back buffer. */
    bool (*drawable_copy_back)(struct gl_drawable *d, int x, int y, int width, int height);

    /* Returns the GL entry point with this name, or NULL if neither gl.xml nor the additions to it
     * have one. The pointer stays valid and works with any context. */
    void (*(*get_proc_address)(const char *name))(void);

    /* Makes a buffer of a drawable level 0 of the texture bound to `target` in the calling thread's
     * current context (eglBindTexImage, glXBindTexImageEXT). If with_alpha is false, alpha reads
     * as 1. Returns false on the errors of image_bind, or if there is no such buffer, its contents
     * exist only in the window, or when out of memory. */
    bool (*bind_tex_image)(struct gl_drawable *d, enum gl_buffer_index buffer, unsigned target,
                           bool with_alpha);
    /* Removes level 0, whatever its contents, from the texture bound to `target` in the calling
     * thread's current context. Ignores d. Does nothing on the errors of image_bind. */
    void (*release_tex_image)(struct gl_drawable *d, unsigned target);

    /* Creates an image from a renderbuffer or from one level of a texture of ctx. `name` is the GL
     * name of the object. target is GL_TEXTURE_2D, GL_TEXTURE_3D, a face of a cube map or
     * GL_RENDERBUFFER; z is the slice of a 3D texture, else 0. The application passes the returned
     * pointer as a handle to glEGLImageTarget…, in any context and thread until image_destroy. On
     * failure, returns NULL and sets *error, which must not be NULL. */
    struct gl_shared_image *(*image_create)(struct gl_context *ctx, unsigned target, unsigned name,
                                            int level, int z, enum gl_image_error *error);
    /* Creates an image from shared memory. The core takes ownership of memory->owner and releases
     * it with memory->ops->destroy. Writes by others are visible to GL from the first draw after
     * glBindTexture, glEGLImageTarget… or glFlush. What GL has rendered is visible to others after
     * glFlush. Returns NULL if the size is not supported or when out of memory; the caller keeps
     * the owner. */
    struct gl_shared_image *(*image_import)(const struct gl_memory_image *memory);
    /* Returns whether image_import supports this format. */
    bool (*image_format_supported)(enum drv_format format);
    /* Replaces the cache of compiled kernels on disk with functions of the application, which have
     * the semantics of EGL_ANDROID_blob_cache. Any thread may call them. `owner` identifies them;
     * functions of another owner replace them. If either function is NULL, removes those of the
     * owner and waits until no other thread runs them. */
    void (*set_blob_cache)(const void *owner, gl_blob_set set, gl_blob_get get);
    /* Makes an image level 0 of the texture bound to `target` (GL_TEXTURE_2D or
     * GL_TEXTURE_RECTANGLE) in the calling thread's current context (glXBindTexImageEXT). If
     * with_alpha is false, alpha reads as 1. Returns false if there is no current context, `target`
     * is neither of these, or the texture has bindless handles. */
    bool (*image_bind)(struct gl_shared_image *image, unsigned target, bool with_alpha);
    /* Stores the size, format and opacity of an image in *memory. If the image is in shared memory
     * already, stores the description that was passed to image_import or image_attach; its owner
     * lives at least as long as the image. Otherwise memory->ops is NULL. Returns false if
     * image_attach doesn't support the image: it must be a renderbuffer or level 0 of a texture of
     * one layer. */
    bool (*image_describe)(struct gl_shared_image *image, struct gl_memory_image *memory);
    /* Copies an image for which image_describe returned true, and that is not yet in shared memory,
     * to shared memory of the same size and format. From then on, the image shares its contents
     * with that memory, like an image from image_import. Takes ownership of memory->owner. Returns
     * false if there is no memory; the caller then keeps the owner. Only one thread at a time may
     * call this function. */
    bool (*image_attach)(struct gl_shared_image *image, const struct gl_memory_image *memory);
    /* Destroys an image. Textures and renderbuffers made from it keep its contents. */
    void (*image_destroy)(struct gl_shared_image *image);
};

/* Returns the core's functions: the same constant struct for the life of the process. */
const struct indium_core *indium_core_interface(void);

#endif
