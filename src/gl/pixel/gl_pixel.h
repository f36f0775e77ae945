/* SPDX-License-Identifier: MIT */
/* Pixel store, pixel transfer, and conversion between client memory and resources. */
#ifndef GL_PIXEL_H
#define GL_PIXEL_H

#include "gl/context/gl_get_types.h"
#include "gl/context/gl_pixel_types.h"
#include "indium/driver.h"
#include "util/format_convert.h"

struct gl_context;

/* Layout of client pixels in client memory or in a pixel buffer. Client pixels are one image (rows
 * of pixels), or one image per slice or layer. Offsets are relative to the command's pointer. */
struct gl_pixel_layout {
    /* byte offset of the first pixel of the bottom row of the first image; for GL_BITMAP, of the
     * byte that contains it */
    uint64_t skip;
    int64_t row_stride;    /* bytes to the next higher row; negative: top row first */
    uint64_t image_stride; /* bytes to the next image */
    /* bytes from the command's pointer to the end of the last pixel; 0: no pixels; UINT64_MAX:
     * exceeds the address space */
    uint64_t size;
    unsigned pixel_bytes; /* size of a pixel; 0 for GL_BITMAP */
    /* Offsets into pixel buffers must be multiples of this many bytes: the size of the type's
     * elements, at most 4. 0: no restriction. */
    unsigned unit;
};

/* Returns the error that glTexImage and related commands raise for a format and type of client
 * pixels; 0 if they are valid. */
GLenum gl_pixel_format_error(const struct gl_context *ctx, GLenum format, GLenum type);
/* Returns the number of components of a pixel format; 0 if it is unknown. */
unsigned gl_pixel_components(GLenum format);
/* Returns whether the type is one of MESA_ycbcr_texture (GL_UNSIGNED_SHORT_8_8_MESA,
 * …_REV_MESA). */
bool gl_is_ycbcr_type(GLenum type);
/* Returns the bytes per element of a type; 0 for GL_BITMAP and unknown types. An element is one
 * component, or a whole pixel if the type is packed. Stores the number of components of a packed
 * type in *packed, 0 for other types. */
unsigned gl_pixel_type_bytes(GLenum type, unsigned *packed);
bool gl_pixel_format_is_integer(GLenum format); /* GL_RGBA_INTEGER and similar formats */
bool gl_pixel_format_is_color(GLenum format);   /* known, and not index, depth or stencil */
/* Computes the layout of client pixels with the pixel storage modes `store`. dims is the number of
 * dimensions of the command: GL_…_IMAGE_HEIGHT and GL_…_SKIP_IMAGES apply only if it is 3. */
void gl_pixel_layout(const struct gl_pixel_store *store, unsigned dims, GLsizei width,
                     GLsizei height, GLsizei depth, GLenum format, GLenum type,
                     struct gl_pixel_layout *layout);
/* Access to client pixels. */
struct gl_pixel_mapping {
    uint8_t *pointer;              /* start of gl_pixel_layout's offsets; NULL: nothing to access */
    struct drv_transfer *transfer; /* NULL: client memory, not a pixel buffer */
};
/* Prepares reading client pixels, or, if `write`, reading and writing them. They are in the pixel
 * buffer of `store` at offset `pixels`, or in client memory at `pixels` if there is no buffer.
 * client_size is the number of bytes available in client memory; -1: unknown. Returns false, with
 * m->pointer NULL, if an error was raised for the command `name`. If it returns true, call
 * gl_pixel_unmap_client after the access; m->pointer may still be NULL. */
bool gl_pixel_map_client(struct gl_context *ctx, const struct gl_pixel_store *store,
                         const struct gl_pixel_layout *layout, const void *pixels, bool write,
                         GLsizeiptr client_size, const char *name, struct gl_pixel_mapping *m);
/* Ends the access that gl_pixel_map_client began. Does nothing for client memory. */
void gl_pixel_unmap_client(struct gl_context *ctx, struct gl_pixel_mapping *m);

/* Additional operations of a conversion. */
enum gl_pixel_ops {
    GL_PIXEL_TRANSFER = 1 << 0, /* scale, bias and maps of the context's pixel transfer state */
    GL_PIXEL_CLAMP = 1 << 1,    /* clamp to [0, 1] */
    /* convert to luminance as R + G + B (glReadPixels) instead of R */
    GL_PIXEL_LUMINANCE_SUM = 1 << 2,
};

/* Format of client pixels, and operations to apply when converting them. format and type must be a
 * valid pair (gl_pixel_format_error). */
struct gl_pixel_spec {
    const struct gl_pixel_store *store; /* storage modes of the pixels */
    GLenum format, type;
    unsigned ops; /* enum gl_pixel_ops */
};

/* A box of texels in one level of a resource. */
struct gl_texels {
    struct drv_resource *resource;
    enum drv_format format; /* format to access the resource with, may differ from its own */
    unsigned level;
    struct drv_box box;   /* in coordinates of the resource */
    GLenum base;          /* base format: the components that the GL sees */
    bool rows_are_layers; /* set for 1D arrays: client rows correspond to layers of the box */
};

/* Converts a row of count client pixels with color or color index format to RGBA floats. Integer
 * formats give integers, stored as bit patterns. Color indices are converted with the pixel maps,
 * and form->ops is ignored for them. skip_bits: bits to skip at src if the type is GL_BITMAP. */
void gl_unpack_color_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned skip_bits, unsigned count, float (*dst)[4]);
/* Converts a row of count client pixels to depth values. The format is GL_DEPTH_COMPONENT, or
 * GL_DEPTH_STENCIL, whose stencil component is ignored. */
void gl_unpack_depth_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                         const void *src, unsigned count, float *dst);
/* Converts a row of count client pixels to stencil values (8 bits). The format is GL_STENCIL_INDEX,
 * or GL_DEPTH_STENCIL, whose depth component is ignored. skip_bits: see gl_unpack_color_row. */
void gl_unpack_stencil_row(const struct gl_context *ctx, const struct gl_pixel_spec *form,
                           const void *src, unsigned skip_bits, unsigned count, uint8_t *dst);

/* Converts client pixels to texels, and compresses these if dst is compressed; its box then
 * consists of whole blocks, except at the image's edges. src is the start of the layout's offsets.
 * Returns false if out of memory; the caller raises the error. */
bool gl_pixels_upload(struct gl_context *ctx, const struct gl_texels *dst,
                      const struct gl_pixel_spec *form, const struct gl_pixel_layout *layout,
                      const uint8_t *src);
/* Converts texels, which may be compressed, to client pixels. dst is the start of the layout's
 * offsets. Returns false if out of memory; the caller raises the error. */
bool gl_pixels_download(struct gl_context *ctx, const struct gl_texels *src,
                        const struct gl_pixel_spec *form, const struct gl_pixel_layout *layout,
                        uint8_t *dst);
/* Client pixels prepared for a driver's image_write; must stay where it was initialized. */
struct gl_client_pixels {
    struct util_conversion conversion;
    struct util_pixel_transfer transfer; /* state that `conversion` points to */
    struct drv_pixels pixels;            /* argument of image_write; points to `conversion` */
};
/* Initializes *p to describe an image of client pixels, which the driver will write as texels of
 * format `texels`. Assumes the base format GL_RGBA for color texels. src: see gl_pixels_upload.
 * Returns false for client pixels that can't be described: GL_COLOR_INDEX, GL_BITMAP, and pixels
 * without a conversion to the format. */
bool gl_pixels_describe(const struct gl_context *ctx, struct gl_client_pixels *p,
                        enum drv_format texels, const struct gl_pixel_spec *form,
                        const struct gl_pixel_layout *layout, const uint8_t *src);
/* Converts texels to texels of another image. ops is GL_PIXEL_TRANSFER or 0. The source's box has
 * one slice or layer, and the destination's box the same size. Does nothing and returns true
 * if either is compressed. Returns false if out of memory; the caller raises the error. */
bool gl_pixels_convert(struct gl_context *ctx, const struct gl_texels *dst,
                       const struct gl_texels *src, unsigned ops);
/* Converts one tightly packed client pixel to a texel of format `stored` with base format `base`,
 * without pixel transfer operations. `texel` has the size of a block of the format. */
void gl_pixels_texel(struct gl_context *ctx, enum drv_format stored, GLenum base, GLenum format,
                     GLenum type, const void *pixel, uint8_t *texel);
/* Keeps the components of count RGBA values that a base format has, and sets the others to the
 * values that sampling returns (0 or 1, or copies of luminance or intensity). integer: the values
 * are integers, stored as bit patterns. */
void gl_pixels_rebase(GLenum base, float (*rgba)[4], unsigned count, bool integer);
/* Returns GL_PIXEL_TRANSFER if the context has pixel transfer state (compatibility profile), else
 * 0. */
unsigned gl_pixel_transfer_ops(const struct gl_context *ctx);
/* Returns whether the context's pixel transfer state leaves colors unchanged. */
bool gl_pixel_transfer_is_identity(const struct gl_context *ctx);

/* Sets the initial values of pixel storage and pixel transfer state. */
void gl_pixels_init(struct gl_context *ctx);
/* Reads a 1-bit image of at most 32 columns from client pixels, with the context's unpack state and
 * buffer (glPolygonStipple). rows has `height` elements: row 0 is the bottom row; bit 31 is the
 * leftmost pixel. Rows are 0 if there are no client pixels. Returns false if an error was raised;
 * rows are then unchanged. */
bool gl_pixels_unpack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                             const GLubyte *bitmap, uint32_t *rows);
/* Writes a 1-bit image to client pixels, with the context's pack state and buffer. rows: see
 * gl_pixels_unpack_bitmap. size is the number of bytes available in client memory; -1: unknown. If
 * the client pixels are inaccessible, raises an error for the command `name`. */
void gl_pixels_pack_bitmap(struct gl_context *ctx, GLsizei width, GLsizei height,
                           const uint32_t *rows, int64_t size, GLubyte *bitmap, const char *name);
/* Reads client pixels with the context's unpack state and buffer, and sets *copy to a malloc'ed
 * copy for a display list, which the caller frees. The copy is tightly packed and in host byte
 * order, and has the same format and type. Sets *copy to NULL and returns true if there is nothing
 * to copy or an enumerant is invalid, or after raising an error because the client pixels are
 * inaccessible. Returns false, with *copy NULL and no error raised, if out of memory. */
bool gl_pixels_copy(struct gl_context *ctx, unsigned dims, GLsizei width, GLsizei height,
                    GLsizei depth, GLenum format, GLenum type, const void *pixels, void **copy);
/* Like gl_pixels_copy, for the `size` bytes of a compressed image or of a pixel map, which are
 * copied without conversion. */
bool gl_pixels_copy_blocks(struct gl_context *ctx, GLsizei size, const void *data, void **copy);
/* Implements glGet for pixel transfer and pixel storage state, see gl_get_types.h. */
unsigned gl_get_pixels(struct gl_context *ctx, GLenum pname, enum gl_get_type *type, double *v);
/* Return whether images with a base format have depth, stencil, or color components. */
bool gl_base_is_depth(GLenum base);   /* GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL */
bool gl_base_is_stencil(GLenum base); /* GL_STENCIL_INDEX, GL_DEPTH_STENCIL */
bool gl_base_is_color(GLenum base);   /* all others; false for 0 */

#endif
