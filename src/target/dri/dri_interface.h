/* SPDX-License-Identifier: MIT */
/*
 * The part of the DRI driver interface that this module implements: the binary interface between
 * Mesa's loaders (Mesa 10 to 24, X servers) and driver modules. Mesa 25 removed most of it from
 * its installed header, so it is declared here. Order and types of the members, strings and values
 * are fixed by the interface; test_dri_interface.c compares them with an installed header.
 *
 * A module exports a list of extensions. An extension begins with its name and version. Later
 * versions append members; a member that a version lacks must not be read.
 */
#ifndef TARGET_DRI_INTERFACE_H
#define TARGET_DRI_INTERFACE_H

#include <stdint.h>

/* Objects of the driver, opaque to loaders. */
typedef struct __DRIscreenRec __DRIscreen;
typedef struct __DRIconfigRec __DRIconfig;
typedef struct __DRIcontextRec __DRIcontext;
typedef struct __DRIdrawableRec __DRIdrawable;
typedef struct __DRIimageRec __DRIimage;
typedef struct __DRIbufferRec __DRIbuffer;

/* Header of every extension: its name and the version that the provider implements. */
typedef struct __DRIextensionRec {
    const char *name;
    int version;
} __DRIextension;

/* Prefix of the module's entry point. An underscore and the module's name follow it. */
#define __DRI_DRIVER_GET_EXTENSIONS "__driDriverGetExtensions"

/* --- names of extensions --- */

#define __DRI_CORE            "DRI_Core"
#define __DRI_SWRAST          "DRI_SWRast"
#define __DRI_SWRAST_LOADER   "DRI_SWRastLoader"
#define __DRI_DRI2            "DRI_DRI2"
#define __DRI_IMAGE           "DRI_IMAGE"
#define __DRI_IMAGE_DRIVER    "DRI_IMAGE_DRIVER"
#define __DRI_IMAGE_LOADER    "DRI_IMAGE_LOADER"
#define __DRI_IMAGE_LOOKUP    "DRI_IMAGE_LOOKUP"
#define __DRI_USE_INVALIDATE  "DRI_UseInvalidate"
#define __DRI_COPY_SUB_BUFFER "DRI_CopySubBuffer"
#define __DRI_TEX_BUFFER      "DRI_TexBuffer"
#define __DRI_CONFIG_OPTIONS  "DRI_ConfigOptions"
#define __DRI2_FLUSH          "DRI2_Flush"
#define __DRI2_FENCE          "DRI2_Fence"
#define __DRI2_FLUSH_CONTROL  "DRI_FlushControl"
#define __DRI2_ROBUSTNESS     "DRI_Robustness"
#define __DRI2_CONFIG_QUERY   "DRI_CONFIG_QUERY"
#define __DRI2_RENDERER_QUERY "DRI_RENDERER_QUERY"

/* --- values --- */

/* Attributes of configurations. */
enum {
    __DRI_ATTRIB_BUFFER_SIZE = 1,
    __DRI_ATTRIB_LEVEL,
    __DRI_ATTRIB_RED_SIZE,
    __DRI_ATTRIB_GREEN_SIZE,
    __DRI_ATTRIB_BLUE_SIZE,
    __DRI_ATTRIB_LUMINANCE_SIZE,
    __DRI_ATTRIB_ALPHA_SIZE,
    __DRI_ATTRIB_ALPHA_MASK_SIZE,
    __DRI_ATTRIB_DEPTH_SIZE,
    __DRI_ATTRIB_STENCIL_SIZE,
    __DRI_ATTRIB_ACCUM_RED_SIZE,
    __DRI_ATTRIB_ACCUM_GREEN_SIZE,
    __DRI_ATTRIB_ACCUM_BLUE_SIZE,
    __DRI_ATTRIB_ACCUM_ALPHA_SIZE,
    __DRI_ATTRIB_SAMPLE_BUFFERS,
    __DRI_ATTRIB_SAMPLES,
    __DRI_ATTRIB_RENDER_TYPE,
    __DRI_ATTRIB_CONFIG_CAVEAT,
    __DRI_ATTRIB_CONFORMANT,
    __DRI_ATTRIB_DOUBLE_BUFFER,
    __DRI_ATTRIB_STEREO,
    __DRI_ATTRIB_AUX_BUFFERS,
    __DRI_ATTRIB_TRANSPARENT_TYPE,
    __DRI_ATTRIB_TRANSPARENT_INDEX_VALUE,
    __DRI_ATTRIB_TRANSPARENT_RED_VALUE,
    __DRI_ATTRIB_TRANSPARENT_GREEN_VALUE,
    __DRI_ATTRIB_TRANSPARENT_BLUE_VALUE,
    __DRI_ATTRIB_TRANSPARENT_ALPHA_VALUE,
    __DRI_ATTRIB_FLOAT_MODE,
    __DRI_ATTRIB_RED_MASK,
    __DRI_ATTRIB_GREEN_MASK,
    __DRI_ATTRIB_BLUE_MASK,
    __DRI_ATTRIB_ALPHA_MASK,
    __DRI_ATTRIB_MAX_PBUFFER_WIDTH,
    __DRI_ATTRIB_MAX_PBUFFER_HEIGHT,
    __DRI_ATTRIB_MAX_PBUFFER_PIXELS,
    __DRI_ATTRIB_OPTIMAL_PBUFFER_WIDTH,
    __DRI_ATTRIB_OPTIMAL_PBUFFER_HEIGHT,
    __DRI_ATTRIB_VISUAL_SELECT_GROUP,
    __DRI_ATTRIB_SWAP_METHOD,
    __DRI_ATTRIB_MAX_SWAP_INTERVAL,
    __DRI_ATTRIB_MIN_SWAP_INTERVAL,
    __DRI_ATTRIB_BIND_TO_TEXTURE_RGB,
    __DRI_ATTRIB_BIND_TO_TEXTURE_RGBA,
    __DRI_ATTRIB_BIND_TO_MIPMAP_TEXTURE,
    __DRI_ATTRIB_BIND_TO_TEXTURE_TARGETS,
    __DRI_ATTRIB_YINVERTED,
    __DRI_ATTRIB_FRAMEBUFFER_SRGB_CAPABLE,
    __DRI_ATTRIB_MUTABLE_RENDER_BUFFER,
    __DRI_ATTRIB_RED_SHIFT,
    __DRI_ATTRIB_GREEN_SHIFT,
    __DRI_ATTRIB_BLUE_SHIFT,
    __DRI_ATTRIB_ALPHA_SHIFT,
};
/* Values of attributes of configurations. */
enum {
    __DRI_ATTRIB_RGBA_BIT = 0x01,
    __DRI_ATTRIB_TEXTURE_1D_BIT = 0x01,
    __DRI_ATTRIB_TEXTURE_2D_BIT = 0x02,
    __DRI_ATTRIB_TEXTURE_RECTANGLE_BIT = 0x04,
    __DRI_ATTRIB_SWAP_UNDEFINED = 0x8063, /* GLX_SWAP_UNDEFINED_OML */
};

/* APIs of contexts; also bit numbers of API masks. */
enum {
    __DRI_API_OPENGL,
    __DRI_API_GLES,
    __DRI_API_GLES2,
    __DRI_API_OPENGL_CORE,
    __DRI_API_GLES3,
};
/* Attributes of contexts. */
enum {
    __DRI_CTX_ATTRIB_MAJOR_VERSION,
    __DRI_CTX_ATTRIB_MINOR_VERSION,
    __DRI_CTX_ATTRIB_FLAGS,
    __DRI_CTX_ATTRIB_RESET_STRATEGY,
    __DRI_CTX_ATTRIB_PRIORITY,
    __DRI_CTX_ATTRIB_RELEASE_BEHAVIOR,
    __DRI_CTX_ATTRIB_NO_ERROR,
};
/* Values of attributes of contexts. */
enum {
    __DRI_CTX_FLAG_DEBUG = 1 << 0,
    __DRI_CTX_FLAG_FORWARD_COMPATIBLE = 1 << 1,
    __DRI_CTX_FLAG_ROBUST_BUFFER_ACCESS = 1 << 2,
    __DRI_CTX_FLAG_NO_ERROR = 1 << 3,
    __DRI_CTX_RESET_LOSE_CONTEXT = 1,
    __DRI_CTX_RELEASE_BEHAVIOR_NONE = 0,
};
/* Errors of createContextAttribs. */
enum {
    __DRI_CTX_ERROR_SUCCESS,
    __DRI_CTX_ERROR_NO_MEMORY,
    __DRI_CTX_ERROR_BAD_API,
    __DRI_CTX_ERROR_BAD_VERSION,
    __DRI_CTX_ERROR_BAD_FLAG,
    __DRI_CTX_ERROR_UNKNOWN_ATTRIBUTE,
    __DRI_CTX_ERROR_UNKNOWN_FLAG,
};

/* Format argument of setTexBuffer2. */
enum { __DRI_TEXTURE_FORMAT_RGBA = 0x20DA }; /* GLX_TEXTURE_FORMAT_RGBA_EXT */
/* `op` argument of putImage and related functions: the pixels of a presented frame. */
enum { __DRI_SWRAST_IMAGE_OP_SWAP = 3 };

/* Flags of flush_with_flags. */
enum {
    __DRI2_FLUSH_DRAWABLE = 1 << 0,
    __DRI2_FLUSH_CONTEXT = 1 << 1,
    __DRI2_FLUSH_INVALIDATE_ANCILLARY = 1 << 2,
};
/* Why the loader calls flush_with_flags. */
enum __DRI2throttleReason {
    __DRI2_THROTTLE_SWAPBUFFER,
    __DRI2_THROTTLE_COPYSUBBUFFER,
    __DRI2_THROTTLE_FLUSHFRONT,
};

/* Formats of images, named from the most to the least significant bits. */
enum {
    __DRI_IMAGE_FORMAT_RGB565 = 0x1001,
    __DRI_IMAGE_FORMAT_XRGB8888 = 0x1002,
    __DRI_IMAGE_FORMAT_ARGB8888 = 0x1003,
    __DRI_IMAGE_FORMAT_ABGR8888 = 0x1004,
    __DRI_IMAGE_FORMAT_XBGR8888 = 0x1005,
    __DRI_IMAGE_FORMAT_R8 = 0x1006,
    __DRI_IMAGE_FORMAT_GR88 = 0x1007,
    __DRI_IMAGE_FORMAT_NONE = 0x1008,
    __DRI_IMAGE_FORMAT_XRGB2101010 = 0x1009,
    __DRI_IMAGE_FORMAT_ARGB2101010 = 0x100a,
    __DRI_IMAGE_FORMAT_ARGB1555 = 0x100c,
    __DRI_IMAGE_FORMAT_R16 = 0x100d,
    __DRI_IMAGE_FORMAT_GR1616 = 0x100e,
    __DRI_IMAGE_FORMAT_XBGR2101010 = 0x1010,
    __DRI_IMAGE_FORMAT_ABGR2101010 = 0x1011,
    __DRI_IMAGE_FORMAT_ABGR16161616 = 0x1017,
};
/* Values of __DRI_IMAGE_ATTRIB_COMPONENTS. */
enum {
    __DRI_IMAGE_COMPONENTS_RGB = 0x3001,
    __DRI_IMAGE_COMPONENTS_RGBA = 0x3002,
    __DRI_IMAGE_COMPONENTS_R = 0x3006,
    __DRI_IMAGE_COMPONENTS_RG = 0x3007,
};
/* Attributes of queryImage. __DRI_IMAGE_ATTRIB_FD returns a new descriptor, which the loader must
 * close. */
enum {
    __DRI_IMAGE_ATTRIB_STRIDE = 0x2000,
    __DRI_IMAGE_ATTRIB_HANDLE = 0x2001,
    __DRI_IMAGE_ATTRIB_FORMAT = 0x2003,
    __DRI_IMAGE_ATTRIB_WIDTH = 0x2004,
    __DRI_IMAGE_ATTRIB_HEIGHT = 0x2005,
    __DRI_IMAGE_ATTRIB_COMPONENTS = 0x2006,
    __DRI_IMAGE_ATTRIB_FD = 0x2007,
    __DRI_IMAGE_ATTRIB_FOURCC = 0x2008,
    __DRI_IMAGE_ATTRIB_NUM_PLANES = 0x2009,
    __DRI_IMAGE_ATTRIB_OFFSET = 0x200A,
    __DRI_IMAGE_ATTRIB_MODIFIER_LOWER = 0x200B,
    __DRI_IMAGE_ATTRIB_MODIFIER_UPPER = 0x200C,
};
/* Errors of functions that create images. */
enum {
    __DRI_IMAGE_ERROR_SUCCESS,
    __DRI_IMAGE_ERROR_BAD_ALLOC,
    __DRI_IMAGE_ERROR_BAD_MATCH,
    __DRI_IMAGE_ERROR_BAD_PARAMETER,
    __DRI_IMAGE_ERROR_BAD_ACCESS,
};
enum { __DRI_IMAGE_TRANSFER_READ = 1 };                 /* flag of mapImage */
enum { __BLIT_FLAG_FLUSH = 1, __BLIT_FLAG_FINISH = 2 }; /* flags of blitImage */
/* Attribute of queryDmaBufFormatModifierAttribs. */
enum { __DRI_IMAGE_FORMAT_MODIFIER_ATTRIB_PLANE_COUNT = 1 };
/* Properties of Y'CbCr images (EGL_EXT_image_dma_buf_import). */
enum __DRIYUVColorSpace {
    __DRI_YUV_COLOR_SPACE_UNDEFINED = 0,
    __DRI_YUV_COLOR_SPACE_ITU_REC601 = 0x327F,
    __DRI_YUV_COLOR_SPACE_ITU_REC709 = 0x3280,
    __DRI_YUV_COLOR_SPACE_ITU_REC2020 = 0x3281,
};
enum __DRISampleRange {
    __DRI_YUV_RANGE_UNDEFINED = 0,
    __DRI_YUV_FULL_RANGE = 0x3282,
    __DRI_YUV_NARROW_RANGE = 0x3283,
};
enum __DRIChromaSiting {
    __DRI_YUV_CHROMA_SITING_UNDEFINED = 0,
    __DRI_YUV_CHROMA_SITING_0 = 0x3284,
    __DRI_YUV_CHROMA_SITING_0_5 = 0x3285,
};
/* Buffers of a drawable, for getBuffers. */
enum __DRIimageBufferMask {
    __DRI_IMAGE_BUFFER_BACK = 1 << 0,
    __DRI_IMAGE_BUFFER_FRONT = 1 << 1,
};

/* Queries of the renderer. */
enum {
    __DRI2_RENDERER_VENDOR_ID = 0x0,
    __DRI2_RENDERER_DEVICE_ID = 0x1,
    __DRI2_RENDERER_VERSION = 0x2,
    __DRI2_RENDERER_ACCELERATED = 0x3,
    __DRI2_RENDERER_VIDEO_MEMORY = 0x4,
    __DRI2_RENDERER_UNIFIED_MEMORY_ARCHITECTURE = 0x5,
    __DRI2_RENDERER_PREFERRED_PROFILE = 0x6,
    __DRI2_RENDERER_OPENGL_CORE_PROFILE_VERSION = 0x7,
    __DRI2_RENDERER_OPENGL_COMPATIBILITY_PROFILE_VERSION = 0x8,
    __DRI2_RENDERER_OPENGL_ES_PROFILE_VERSION = 0x9,
    __DRI2_RENDERER_OPENGL_ES2_PROFILE_VERSION = 0xa,
    __DRI2_RENDERER_HAS_TEXTURE_3D = 0xb,
    __DRI2_RENDERER_HAS_FRAMEBUFFER_SRGB = 0xc,
    __DRI2_RENDERER_HAS_CONTEXT_PRIORITY = 0xd,
    __DRI2_RENDERER_HAS_PROTECTED_SURFACE = 0xe,
    __DRI2_RENDERER_PREFER_BACK_BUFFER_REUSE = 0xf,
    __DRI2_RENDERER_HAS_NO_ERROR_CONTEXT = 0x10,
    __DRI2_RENDERER_HAS_PROTECTED_CONTEXT = 0x20,
};

/* --- functions that several extensions have --- */

/*
 * They return NULL on failure. loader_private is a pointer of the loader, which the driver passes
 * back to the loader's functions. `loader` and `driver` are lists of extensions that end with NULL.
 * *configs is set to a list of configurations that ends with NULL; the loader frees the list and
 * its elements with free(). The loader destroys screens, drawables and contexts with the functions
 * of __DRI_CORE. `shared` is a context to share objects with, or NULL.
 */

/* Creates a screen for the DRM device fd. The loader owns the descriptor and keeps it open until it
 * has destroyed the screen. `number` is the X screen. driver: the extensions of the module. */
typedef __DRIscreen *__DRIcreateNewScreen2(int number, int fd, const __DRIextension **loader,
                                           const __DRIextension **driver,
                                           const __DRIconfig ***configs, void *loader_private);
/* Creates a drawable for a window of the loader. */
typedef __DRIdrawable *__DRIcreateNewDrawable(__DRIscreen *, const __DRIconfig *,
                                              void *loader_private);
/* Create a context: for OpenGL, for an API (__DRI_API_*), or with attributes. attribs has `count`
 * pairs of __DRI_CTX_ATTRIB_* and a value; *error is set to __DRI_CTX_ERROR_*. */
typedef __DRIcontext *__DRIcreateNewContext(__DRIscreen *, const __DRIconfig *,
                                            __DRIcontext *shared, void *loader_private);
typedef __DRIcontext *__DRIcreateNewContextForAPI(__DRIscreen *, int api, const __DRIconfig *,
                                                  __DRIcontext *shared, void *loader_private);
typedef __DRIcontext *__DRIcreateContextAttribs(__DRIscreen *, int api, const __DRIconfig *,
                                                __DRIcontext *shared, unsigned count,
                                                const uint32_t *attribs, unsigned *error,
                                                void *loader_private);
/* Returns a mask of the supported APIs; bit numbers are __DRI_API_*. */
typedef unsigned __DRIgetAPIMask(__DRIscreen *);

/* --- extensions of the driver module --- */

/* Functions for screens of all kinds and their objects. In this module, createNewScreen (DRI1)
 * returns NULL. getExtensions returns the screen's extensions, a static list that ends with NULL.
 * Functions that return int return 1, or 0 on failure. swapBuffers presents the back buffer. The
 * mask of copyContext is that of glPushAttrib. */
typedef struct __DRIcoreExtensionRec {
    __DRIextension base;
    __DRIscreen *(*createNewScreen)(int number, int fd, unsigned sarea,
                                    const __DRIextension **loader, const __DRIconfig ***configs,
                                    void *loader_private);
    void (*destroyScreen)(__DRIscreen *);
    const __DRIextension **(*getExtensions)(__DRIscreen *);
    int (*getConfigAttrib)(const __DRIconfig *, unsigned attrib, unsigned *value);
    int (*indexConfigAttrib)(const __DRIconfig *, int index, unsigned *attrib, unsigned *value);
    __DRIdrawable *(*createNewDrawable)(__DRIscreen *, const __DRIconfig *, unsigned id,
                                        unsigned head, void *loader_private);
    void (*destroyDrawable)(__DRIdrawable *);
    void (*swapBuffers)(__DRIdrawable *);
    __DRIcreateNewContext *createNewContext;
    int (*copyContext)(__DRIcontext *to, __DRIcontext *from, unsigned long mask);
    void (*destroyContext)(__DRIcontext *);
    int (*bindContext)(__DRIcontext *, __DRIdrawable *draw, __DRIdrawable *read);
    int (*unbindContext)(__DRIcontext *);
} __DRIcoreExtension;

/* Screens without a device. The driver copies frames to the loader (DRI_SWRastLoader). */
typedef struct __DRIswrastExtensionRec {
    __DRIextension base;
    __DRIscreen *(*createNewScreen)(int number, const __DRIextension **loader,
                                    const __DRIconfig ***configs, void *loader_private);
    __DRIcreateNewDrawable *createNewDrawable;
    __DRIcreateNewContextForAPI *createNewContextForAPI; /* version 2 */
    __DRIcreateContextAttribs *createContextAttribs;     /* version 3 */
    __DRIscreen *(*createNewScreen2)(int number, const __DRIextension **loader,
                                     const __DRIextension **driver, const __DRIconfig ***configs,
                                     void *loader_private); /* version 4 */
} __DRIswrastExtension;

/* Screens of a DRM device. This module doesn't support allocateBuffer, which returns NULL. */
typedef struct __DRIdri2ExtensionRec {
    __DRIextension base;
    __DRIscreen *(*createNewScreen)(int number, int fd, const __DRIextension **loader,
                                    const __DRIconfig ***configs, void *loader_private);
    __DRIcreateNewDrawable *createNewDrawable;
    __DRIcreateNewContext *createNewContext;
    __DRIgetAPIMask *getAPIMask;                         /* version 2 */
    __DRIcreateNewContextForAPI *createNewContextForAPI; /* version 2 */
    __DRIbuffer *(*allocateBuffer)(__DRIscreen *, unsigned attachment, unsigned format, int width,
                                   int height);          /* version 3 */
    void (*releaseBuffer)(__DRIscreen *, __DRIbuffer *); /* version 3 */
    __DRIcreateContextAttribs *createContextAttribs;     /* version 3 */
    __DRIcreateNewScreen2 *createNewScreen2;             /* version 4 */
} __DRIdri2Extension;

/* Screens of a DRM device whose loader provides images for drawables (DRI_IMAGE_LOADER). */
typedef struct __DRIimageDriverExtensionRec {
    __DRIextension base;
    __DRIcreateNewScreen2 *createNewScreen2;
    __DRIcreateNewDrawable *createNewDrawable;
    __DRIcreateContextAttribs *createContextAttribs;
    __DRIgetAPIMask *getAPIMask;
} __DRIimageDriverExtension;

/* Description of the driver's options in XML. */
typedef struct __DRIconfigOptionsExtensionRec {
    __DRIextension base;
    const char *xml;
    char *(*getXml)(const char *driver_name); /* version 2; the loader frees the result */
} __DRIconfigOptionsExtension;

/* --- extensions of a screen --- */

/* Presents a rectangle of the back buffer, in pixels. The origin is at the lower left. */
typedef struct __DRIcopySubBufferExtensionRec {
    __DRIextension base;
    void (*copySubBuffer)(__DRIdrawable *, int x, int y, int width, int height);
} __DRIcopySubBufferExtension;

/* setTexBuffer and setTexBuffer2 define level 0 of the texture that is bound to `target` as the
 * contents of the drawable. The texture has alpha if `format` is __DRI_TEXTURE_FORMAT_RGBA, and
 * always with setTexBuffer. In this module, the texture gets a copy, so releaseTexBuffer does
 * nothing. OpenGL ES contexts are ignored. */
typedef struct __DRItexBufferExtensionRec {
    __DRIextension base;
    void (*setTexBuffer)(__DRIcontext *, int target, __DRIdrawable *);
    void (*setTexBuffer2)(__DRIcontext *, int target, int format, __DRIdrawable *); /* version 2 */
    void (*releaseTexBuffer)(__DRIcontext *, int target, __DRIdrawable *);          /* version 3 */
} __DRItexBufferExtension;

/* flush flushes the current context. flush_with_flags does so if flags (__DRI2_FLUSH_*) has
 * __DRI2_FLUSH_CONTEXT or __DRI2_FLUSH_DRAWABLE. The drawable may be NULL. In this module, if the
 * loader presents images, flush also writes the frame to the drawable's image, and so does
 * flush_with_flags with __DRI2_FLUSH_DRAWABLE. The latter also ends the frame if flags has
 * __DRI2_FLUSH_INVALIDATE_ANCILLARY and the reason is __DRI2_THROTTLE_SWAPBUFFER. invalidate tells
 * the driver that the drawable has other buffers or another size. */
typedef struct __DRI2flushExtensionRec {
    __DRIextension base;
    void (*flush)(__DRIdrawable *);
    void (*invalidate)(__DRIdrawable *); /* version 3 */
    void (*flush_with_flags)(__DRIcontext *, __DRIdrawable *, unsigned flags,
                             enum __DRI2throttleReason); /* version 4 */
} __DRI2flushExtension;

/* Fences, which the loader destroys. They are opaque, and NULL on failure. timeout is in
 * nanoseconds. client_wait_sync returns 1 if the fence is signaled, 0 after a timeout. In this
 * module, creating a fence finishes all drawing, so waits return at once and client_wait_sync
 * returns 1. Fences of OpenCL events and of descriptors are not supported: get_capabilities returns
 * 0, get_fence_from_cl_event returns NULL, and create_fence_fd and get_fence_fd are NULL. */
typedef struct __DRI2fenceExtensionRec {
    __DRIextension base;
    void *(*create_fence)(__DRIcontext *);
    void *(*get_fence_from_cl_event)(__DRIscreen *, intptr_t event);
    void (*destroy_fence)(__DRIscreen *, void *fence);
    unsigned char (*client_wait_sync)(__DRIcontext *, void *fence, unsigned flags,
                                      uint64_t timeout);
    void (*server_wait_sync)(__DRIcontext *, void *fence, unsigned flags);
    unsigned (*get_capabilities)(__DRIscreen *);      /* version 2 */
    void *(*create_fence_fd)(__DRIcontext *, int fd); /* version 2 */
    int (*get_fence_fd)(__DRIscreen *, void *fence);  /* version 2 */
} __DRI2fenceExtension;

/* Says that contexts support the attributes of robustness. */
typedef struct __DRIrobustnessExtensionRec {
    __DRIextension base;
} __DRIrobustnessExtension;

/* Says that contexts support __DRI_CTX_ATTRIB_RELEASE_BEHAVIOR. */
typedef struct __DRI2flushControlExtensionRec {
    __DRIextension base;
} __DRI2flushControlExtension;

/* Store the value of an option and return 0. Return another value if the option is unknown; in this
 * module, all are. */
typedef struct __DRI2configQueryExtensionRec {
    __DRIextension base;
    int (*configQueryb)(__DRIscreen *, const char *name, unsigned char *value);
    int (*configQueryi)(__DRIscreen *, const char *name, int *value);
    int (*configQueryf)(__DRIscreen *, const char *name, float *value);
    int (*configQuerys)(__DRIscreen *, const char *name, char **value); /* version 2 */
} __DRI2configQueryExtension;

/* Store the value of an attribute (__DRI2_RENDERER_*) and return 0. Return -1 if the attribute is
 * unknown. __DRI2_RENDERER_VERSION stores three integers: major, minor and patch version. The
 * *_PROFILE_VERSION attributes store two: major and minor version. VIDEO_MEMORY is in MiB, and
 * PREFERRED_PROFILE is a mask with bit numbers __DRI_API_*. queryString supports VENDOR_ID and
 * DEVICE_ID; the driver owns the strings. */
typedef struct __DRI2rendererQueryExtensionRec {
    __DRIextension base;
    int (*queryInteger)(__DRIscreen *, int attribute, unsigned *value);
    int (*queryString)(__DRIscreen *, int attribute, const char **value);
} __DRI2rendererQueryExtension;

/*
 * Images in memory that processes and devices share. The members are those of version 21; this
 * module implements version 20, without setInFenceFd. Sizes and coordinates are in pixels; strides
 * and offsets are in bytes. format is __DRI_IMAGE_FORMAT_*, fourcc a code of drm_fourcc.h, *error
 * __DRI_IMAGE_ERROR_*. Functions that create an image return NULL on failure. The caller destroys
 * the image with destroyImage, and still owns the descriptors that it passed. Functions that return
 * unsigned char return 1, or 0 on failure. In createImageFromTexture, depth is the slice of a 3D
 * texture, or the face (0 to 5) if target is GL_TEXTURE_CUBE_MAP.
 *
 * mapImage returns the address of the pixel at (x, y), or NULL on failure. It sets *stride, and
 * stores a handle of the mapping, for unmapImage, in *data. blitImage copies a rectangle; `flush`
 * is a mask of __BLIT_FLAG_*. queryDmaBufFormats stores up to `max` fourcc codes and their number
 * in *count, or, if max is 0, only the number of all codes. queryDmaBufModifiers does the same for
 * the modifiers of a code; external_only[i] is 1 if only samplerExternalOES can read such images.
 *
 * In this module, all images in memory have the linear layout. `use` and `flags` are ignored.
 * createImageFromName and createImageFromNames return NULL, and so does fromPlanar unless the image
 * has one plane. dupImage and fromPlanar may return the same image with another reference, which is
 * destroyed separately. queryImage and validateUsage return 0 for images of textures and
 * renderbuffers. blitImage only copies between rectangles of equal size and format. getCapabilities
 * returns 0.
 */
typedef struct __DRIimageExtensionRec {
    __DRIextension base;
    __DRIimage *(*createImageFromName)(__DRIscreen *, int width, int height, int format, int name,
                                       int pitch, void *loader_private);
    __DRIimage *(*createImageFromRenderbuffer)(__DRIcontext *, int renderbuffer,
                                               void *loader_private);
    void (*destroyImage)(__DRIimage *);
    __DRIimage *(*createImage)(__DRIscreen *, int width, int height, int format, unsigned use,
                               void *loader_private);
    unsigned char (*queryImage)(__DRIimage *, int attribute, int *value);
    __DRIimage *(*dupImage)(__DRIimage *, void *loader_private);
    unsigned char (*validateUsage)(__DRIimage *, unsigned use);
    __DRIimage *(*createImageFromNames)(__DRIscreen *, int width, int height, int fourcc,
                                        int *names, int count, int *strides, int *offsets,
                                        void *loader_private);
    __DRIimage *(*fromPlanar)(__DRIimage *, int plane, void *loader_private);
    __DRIimage *(*createImageFromTexture)(__DRIcontext *, int target, unsigned texture, int depth,
                                          int level, unsigned *error, void *loader_private);
    __DRIimage *(*createImageFromFds)(__DRIscreen *, int width, int height, int fourcc, int *fds,
                                      int count, int *strides, int *offsets, void *loader_private);
    __DRIimage *(*createImageFromDmaBufs)(__DRIscreen *, int width, int height, int fourcc,
                                          int *fds, int count, int *strides, int *offsets,
                                          enum __DRIYUVColorSpace, enum __DRISampleRange,
                                          enum __DRIChromaSiting horizontal,
                                          enum __DRIChromaSiting vertical, unsigned *error,
                                          void *loader_private);
    void (*blitImage)(__DRIcontext *, __DRIimage *dst, __DRIimage *src, int dst_x, int dst_y,
                      int dst_width, int dst_height, int src_x, int src_y, int src_width,
                      int src_height, int flush);
    int (*getCapabilities)(__DRIscreen *);
    void *(*mapImage)(__DRIcontext *, __DRIimage *, int x, int y, int width, int height,
                      unsigned flags, int *stride, void **data);
    void (*unmapImage)(__DRIcontext *, __DRIimage *, void *data);
    __DRIimage *(*createImageWithModifiers)(__DRIscreen *, int width, int height, int format,
                                            const uint64_t *modifiers, const unsigned count,
                                            void *loader_private);
    __DRIimage *(*createImageFromDmaBufs2)(__DRIscreen *, int width, int height, int fourcc,
                                           uint64_t modifier, int *fds, int count, int *strides,
                                           int *offsets, enum __DRIYUVColorSpace,
                                           enum __DRISampleRange, enum __DRIChromaSiting horizontal,
                                           enum __DRIChromaSiting vertical, unsigned *error,
                                           void *loader_private);
    unsigned char (*queryDmaBufFormats)(__DRIscreen *, int max, int *formats, int *count);
    unsigned char (*queryDmaBufModifiers)(__DRIscreen *, int fourcc, int max, uint64_t *modifiers,
                                          unsigned *external_only, int *count);
    unsigned char (*queryDmaBufFormatModifierAttribs)(__DRIscreen *, uint32_t fourcc,
                                                      uint64_t modifier, int attribute,
                                                      uint64_t *value);
    __DRIimage *(*createImageFromRenderbuffer2)(__DRIcontext *, int renderbuffer,
                                                void *loader_private, unsigned *error);
    __DRIimage *(*createImageFromDmaBufs3)(__DRIscreen *, int width, int height, int fourcc,
                                           uint64_t modifier, int *fds, int count, int *strides,
                                           int *offsets, enum __DRIYUVColorSpace,
                                           enum __DRISampleRange, enum __DRIChromaSiting horizontal,
                                           enum __DRIChromaSiting vertical, uint32_t flags,
                                           unsigned *error, void *loader_private);
    __DRIimage *(*createImageWithModifiers2)(__DRIscreen *, int width, int height, int format,
                                             const uint64_t *modifiers, const unsigned count,
                                             unsigned use, void *loader_private);
    __DRIimage *(*createImageFromFds2)(__DRIscreen *, int width, int height, int fourcc, int *fds,
                                       int count, uint32_t flags, int *strides, int *offsets,
                                       void *loader_private);
    void (*setInFenceFd)(__DRIimage *, int fd);
} __DRIimageExtension;

/* --- extensions of the loader --- */

/* Windows of a loader to which frames are copied. getDrawableInfo stores a window's position and
 * size; the put functions write pixels to the window, and the get functions read its pixels to
 * `data`. Coordinates and sizes are in pixels, with the origin at the top left. stride is in bytes;
 * functions without it pad rows to multiples of 4 bytes. putImageShm reads at byte `offset` of the
 * System V shared memory segment with id `shm`, which is mapped at `address`. */
typedef struct __DRIswrastLoaderExtensionRec {
    __DRIextension base;
    void (*getDrawableInfo)(__DRIdrawable *, int *x, int *y, int *width, int *height,
                            void *loader_private);
    void (*putImage)(__DRIdrawable *, int op, int x, int y, int width, int height, char *data,
                     void *loader_private);
    void (*getImage)(__DRIdrawable *, int x, int y, int width, int height, char *data,
                     void *loader_private);
    void (*putImage2)(__DRIdrawable *, int op, int x, int y, int width, int height, int stride,
                      char *data, void *loader_private); /* version 2 */
    void (*getImage2)(__DRIdrawable *, int x, int y, int width, int height, int stride, char *data,
                      void *loader_private); /* version 3 */
    void (*putImageShm)(__DRIdrawable *, int op, int x, int y, int width, int height, int stride,
                        int shm, char *address, unsigned offset,
                        void *loader_private); /* version 4 */
} __DRIswrastLoaderExtension;

/* Images of a drawable; image_mask says which are set. */
struct __DRIimageList {
    uint32_t image_mask; /* enum __DRIimageBufferMask */
    __DRIimage *back;
    __DRIimage *front;
};

/* Windows of a loader that provides images. getBuffers stores the images that `mask` (enum
 * __DRIimageBufferMask) selects, and returns 1, or 0 on failure. The loader owns the images; the
 * next call may return others. format is __DRI_IMAGE_FORMAT_*. This module doesn't use *stamp.
 * flushFrontBuffer presents the front buffer; it may be NULL. */
typedef struct __DRIimageLoaderExtensionRec {
    __DRIextension base;
    int (*getBuffers)(__DRIdrawable *, unsigned format, uint32_t *stamp, void *loader_private,
                      uint32_t mask, struct __DRIimageList *images);
    void (*flushFrontBuffer)(__DRIdrawable *, void *loader_private);
} __DRIimageLoaderExtension;

/* lookupEGLImage returns the image of an EGLImage handle, or NULL if the handle is invalid. From
 * version 2 on, validateEGLImage returns whether a handle is valid (1 or 0), and
 * lookupEGLImageValidated returns the image of a valid handle. */
typedef struct __DRIimageLookupExtensionRec {
    __DRIextension base;
    __DRIimage *(*lookupEGLImage)(__DRIscreen *, void *image, void *loader_private);
    unsigned char (*validateEGLImage)(void *image, void *loader_private);      /* version 2 */
    __DRIimage *(*lookupEGLImageValidated)(void *image, void *loader_private); /* version 2 */
} __DRIimageLookupExtension;

/* Says that the loader calls __DRI2flushExtension.invalidate. */
typedef struct __DRIuseInvalidateExtensionRec {
    __DRIextension base;
} __DRIuseInvalidateExtension;

#endif
