/* SPDX-License-Identifier: MIT */
/* Pixel store, pixel transfer, and conversion between client memory and resources. */
#ifndef GL_PIXEL_H
#define GL_PIXEL_H

#include "gl/context/gl_get_types.h"
#include "gl/context/gl_pixel_types.h"
#include "indium/driver.h"

struct gl_context;

/* Layout of a pixel image in client memory or in a pixel buffer. */
struct gl_pixel_layout {
    uint64_t skip;         /* bytes before the first pixel of the bottom row */
    int64_t row_stride;    /* bytes to the next row; negative: rows are stored top to bottom */
    uint64_t image_stride; /* bytes to the next image */
    uint64_t size;         /* bytes from the start to the end of the last pixel; 0: no pixels */
    unsigned pixel_bytes;  /* 0 for GL_BITMAP */
    /* Element size of the type in bytes; buffer offsets must be multiples of it. 0: no
     * restriction. */
    unsigned unit;
};

/* Returns the error that glTexImage and related commands raise for a format and type, or 0. */
GLenum gl_pixel_format_error(const struct gl_context *ctx, GLenum format, GLenum type);
unsigned gl_pixel_components(GLenum format); /* returns 0 if unknown */
bool gl_is_ycbcr_type(GLenum type);
/* Returns the bytes per element of a type; 0 for GL_BITMAP and unknown types. *packed: number of
 * components in a packed element, or 0 if an element is one component. */
unsigned gl_pixel_type_bytes(GLenum type, unsigned *packed);
bool gl_pixel_format_is_integer(GLenum format);
bool gl_pixel_format_is_color(GLenum format); /* RGBA, luminance and so on */
/* Computes the layout of a client image with these storage modes. dims is the number of dimensions
 * of the command: with fewer than three, modes for images don't apply. */
void gl_pixel_layout(const struct gl_pixel_store *store, unsigned dims, GLsizei width,
                     GLsizei height, GLsizei depth, GLenum format, GLenum type,
                     struct gl_pixel_layout *layout);
/* Maps client pixels for reading (unpack) or writing (pack): client memory or the bound pixel
 * buffer. m->pointer is NULL if there is nothing to access. client_size is the number of bytes
 * available at the client's pointer; -1: unknown. Returns false if an error was raised; otherwise,
 * call gl_pixel_unmap_client. */
struct gl_pixel_mapping {
    uint8_t *pointer;
    struct drv_transfer *transfer;
};
bool gl_pixel_map_client(struct gl_context *ctx, const struct gl_pixel_store *store,
                         const struct gl_pixel_layout *layout, const void *pixels, bool write,
                         GLsizeiptr client_size, const char *name, struct gl_pixel_mapping *m);
void gl_pixel_unmap_client(struct gl_context *ctx, struct gl_pixel_mapping *m);

/* Additional operations of a conversion. */
enum gl_pixel_ops {
    GL_PIXEL_TRANSFER = 1 << 0, /* scale, bias and maps of the context's pixel transfer state */
    GL_PIXEL_CLAMP = 1 << 1,    /* clamp to [0, 1] */
    /* convert to luminance as R + G + B (glReadPixels) instead of R */
    GL_PIXEL_LUMINANCE_SUM = 1 << 2,
};

/* Format of client pixels, independent of their location. format and type must be a valid pair
 * (gl_pixel_format_error). */
struct gl_pixel_spec {
    const struct gl_pixel_store *store;
    GLenum format, type;
    unsigned ops; /* enum gl_pixel_ops */
};

/* A box of texels in one level of a resource. */
struct gl_texels {
    struct drv_resource *resource;
    enum drv_format format; /* format to access the resource with */
    unsigned level;
    struct drv_box box;
    GLenum base;          /* base format: components that the GL sees */
    bool rows_are_layers; /* 1D arrays: client rows are layers of the box */
};

/* Converts a row of client color pixels to RGBA floats; integer formats are stored as bit patterns.
 * skip_bits applies to GL_BITMAP. */
void gl_unpack_color_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned skip_bits, unsigned count, float (*dst)[4]);
/* Convert a row of client pixels to depth or stencil values. For GL_DEPTH_STENCIL, each function
 * takes its component. */
void gl_unpack_depth_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned count, double *dst);
void gl_unpack_stencil_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                           const void *src, unsigned skip_bits, unsigned count, uint8_t *dst);

/* Converts client pixels at src to texels. Returns false if out of memory. */
bool gl_pixels_upload(struct gl_context *ctx, const struct gl_texels *dst,
                      const struct gl_pixel_spec *form, const struct gl_pixel_layout *layout,
                      const uint8_t *src);
/* Converts texels to client pixels at dst. Returns false if out of memory. */
bool gl_pixels_download(struct gl_context *ctx, const struct gl_texels *src,
                        const struct gl_pixel_spec *form, const struct gl_pixel_layout *layout,
                        uint8_t *dst);
/* Converts one pixel to a texel of format `stored` with base format `base`, without pixel
 * transfer. */
void gl_pixels_texel(struct gl_context *ctx, enum drv_format stored, GLenum base, GLenum format,
                     GLenum type, const void *pixel, uint8_t *texel);
/* Reduces RGBA values to the components of a base format and fills the others, as sampling would
 * return them. */
void gl_pixels_rebase(GLenum base, float (*rgba)[4], unsigned count, bool integer);
/* Returns GL_PIXEL_TRANSFER if the context has pixel transfer (compatibility profile), else 0. */
unsigned gl_pixel_transfer_ops(const struct gl_context *ctx);
/* Returns whether pixel transfer leaves colors unchanged. */
bool gl_pixel_transfer_is_identity(const struct gl_context *ctx);

void gl_pixels_init(struct gl_context *ctx);
/* Unpacks a 1-bit image of at most 32 columns with the unpack state and buffer. Row 0 is the bottom
 * row; bit 31 is the leftmost pixel. Returns false with an error raised if the buffer is too
 * small. */
bool gl_pixels_unpack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                             const GLubyte *bitmap, uint32_t *rows);
/* Packs a 1-bit image with the pack state and buffer. size is the number of bytes that may be
 * written; -1: unlimited. */
void gl_pixels_pack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                           const uint32_t *rows, int64_t size, GLubyte *bitmap, const char *name);
/* Returns a malloc'ed copy of client pixels for a display list, with the same format and type and
 * without row padding. Returns NULL if out of memory, for invalid enumerants, or if there is
 * nothing to copy. */
void *gl_pixels_copy(struct gl_context *ctx, unsigned dims, GLsizei width, GLsizei height,
                     GLsizei depth, GLenum format, GLenum type, const void *pixels);
/* Like gl_pixels_copy, for `size` bytes of a compressed image. */
void *gl_pixels_copy_blocks(struct gl_context *ctx, GLsizei size, const void *data);
/* Implements glGet for pixel state, see gl_get_types.h. */
unsigned gl_get_pixels(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
bool gl_base_is_depth(GLenum base);   /* GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL */
bool gl_base_is_stencil(GLenum base); /* GL_STENCIL_INDEX, GL_DEPTH_STENCIL */
bool gl_base_is_color(GLenum base);

#endif
