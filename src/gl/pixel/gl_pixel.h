/* SPDX-License-Identifier: MIT */
/* Pixel store, transfer and the conversion between client memory and resources. */
#ifndef GL_PIXEL_H
#define GL_PIXEL_H

#include "gl/context/gl_get_types.h"
#include "gl/context/gl_pixel_types.h"
#include "indium/driver.h"

struct gl_context;

/* How pixels lie in client memory or a pixel buffer. */
struct gl_pixel_layout {
    uint64_t skip;         /* bytes before the first pixel of the lowest row */
    int64_t row_stride;    /* bytes to the next row; negative: rows from top to bottom */
    uint64_t image_stride; /* bytes */
    uint64_t size;         /* bytes from the start to behind the last pixel; 0 for no pixels */
    unsigned pixel_bytes;  /* 0 for GL_BITMAP */
    unsigned unit; /* bytes of an element of the type, of which offsets are multiples; 0: any */
};

/* Error that glTexImage and friends raise for a pair of format and type, or 0. */
GLenum gl_pixel_format_error(const struct gl_context *ctx, GLenum format, GLenum type);
unsigned gl_pixel_components(GLenum format); /* 0: unknown */
bool gl_is_ycbcr_type(GLenum type);
/* Bytes of one element of a type, 0 for GL_BITMAP and unknown ones. packed: how many components of a
 * pixel the element holds, 0 where it is one component. */
unsigned gl_pixel_type_bytes(GLenum type, unsigned *packed);
bool gl_pixel_format_is_integer(GLenum format);
bool gl_pixel_format_is_color(GLenum format); /* RGBA, LUMINANCE … */
void gl_pixel_layout(const struct gl_pixel_store *store, unsigned dims, GLsizei width,
                     GLsizei height, GLsizei depth, GLenum format, GLenum type,
                     struct gl_pixel_layout *layout);
/* Client pixels for reading (unpack) or writing (pack): client memory or the bound buffer, mapped.
 * pointer: NULL where there is nothing to be read or written. client_size: bytes behind the client's
 * pointer, -1: not known. False: error raised; else end with gl_pixel_unmap_client. */
struct gl_pixel_mapping {
    uint8_t *pointer;
    struct drv_transfer *transfer;
};
bool gl_pixel_map_client(struct gl_context *ctx, const struct gl_pixel_store *store,
                         const struct gl_pixel_layout *layout, const void *pixels, bool write,
                         GLsizeiptr client_size, const char *name, struct gl_pixel_mapping *m);
void gl_pixel_unmap_client(struct gl_context *ctx, struct gl_pixel_mapping *m);

/* What conversions do besides. */
enum gl_pixel_ops {
    GL_PIXEL_TRANSFER = 1 << 0,      /* scale, bias, maps as the context's state says */
    GL_PIXEL_CLAMP = 1 << 1,         /* to [0, 1] */
    GL_PIXEL_LUMINANCE_SUM = 1 << 2, /* packing luminance: R + G + B (ReadPixels), else R */
};

/* What client pixels are, wherever they lie. format and type go together (gl_pixel_format_error). */
struct gl_pixel_form {
    const struct gl_pixel_store *store;
    GLenum format, type;
    unsigned ops; /* enum gl_pixel_ops */
};

/* Texels of a resource's level. */
struct gl_texels {
    struct drv_resource *resource;
    enum drv_format format; /* as which the resource is seen */
    unsigned level;
    struct drv_box box;
    GLenum base;          /* components that they have to the GL */
    bool rows_are_layers; /* 1D arrays: rows of client pixels are layers of the box */
};

/* Color rows: from client pixels to RGBA floats (integers: as bits), and back. */
void gl_unpack_color_row(const struct gl_context *ctx, const struct gl_pixel_form *form,
                         const void *src, unsigned skip_bits, unsigned count, float (*dst)[4]);
/* Depth as floats, stencil as integers. format may be DEPTH_STENCIL: takes its part. */
void gl_unpack_depth_row(const struct gl_context *ctx, const struct gl_pixel_form *form,
                         const void *src, unsigned count, double *dst);
void gl_unpack_stencil_row(const struct gl_context *ctx, const struct gl_pixel_form *form,
                           const void *src, unsigned skip_bits, unsigned count, uint8_t *dst);

/* Pixels at src, laid out so, into texels; false: no memory. */
bool gl_pixels_upload(struct gl_context *ctx, const struct gl_texels *dst,
                      const struct gl_pixel_form *form, const struct gl_pixel_layout *layout,
                      const uint8_t *src);
/* And the way back. */
bool gl_pixels_download(struct gl_context *ctx, const struct gl_texels *src,
                        const struct gl_pixel_form *form, const struct gl_pixel_layout *layout,
                        uint8_t *dst);
/* One texel of a format that stores base, from a pixel without transfer operations. */
void gl_pixels_texel(struct gl_context *ctx, enum drv_format stored, GLenum base, GLenum format,
                     GLenum type, const void *pixel, uint8_t *texel);
/* Drops or duplicates components as a texture of that base format does. */
void gl_pixels_rebase(GLenum base, float (*rgba)[4], unsigned count, bool integer);
/* GL_PIXEL_TRANSFER where there is any: in the compatibility profile; else 0. */
unsigned gl_pixel_transfer_ops(const struct gl_context *ctx);
/* Whether pixel transfer leaves colors as they are. */
bool gl_pixel_transfer_is_identity(const struct gl_context *ctx);

void gl_pixels_init(struct gl_context *ctx);
/* 1-bit images of at most 32 columns by the unpack state (and unpack buffer): row 0 lowest, bit 31
 * leftmost. False: the buffer does not hold it. */
bool gl_pixels_unpack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                             const GLubyte *bitmap, uint32_t *rows);
/* The other way, by the pack state (and pack buffer), of which size bytes may be written, -1: all. */
void gl_pixels_pack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                           const uint32_t *rows, int64_t size, GLubyte *bitmap, const char *name);
/* Display lists: a copy of pixels in client memory (or the unpack buffer), unpacked to rows without
 * padding in the same format and type; malloc'ed; NULL: no memory, bad enum or nothing to copy. */
void *gl_pixels_copy(struct gl_context *ctx, unsigned dims, GLsizei width, GLsizei height,
                     GLsizei depth, GLenum format, GLenum type, const void *pixels);
/* The same of a compressed image. */
void *gl_pixels_copy_blocks(struct gl_context *ctx, GLsizei size, const void *data);
unsigned gl_get_pixels(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
bool gl_base_is_depth(GLenum base);   /* GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL */
bool gl_base_is_stencil(GLenum base); /* GL_STENCIL_INDEX, GL_DEPTH_STENCIL */
bool gl_base_is_color(GLenum base);

#endif
