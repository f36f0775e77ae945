/* SPDX-License-Identifier: MIT */
/*
 * Images in shared linear memory (pictures), with formats named by drm_fourcc.h codes. This code
 * imports dma-bufs and creates core images from them.
 */
#ifndef TGT_MEMORY_H
#define TGT_MEMORY_H

#include "indium/core.h"
#include "winsys/linear/ws_linear.h"

enum { TGT_MAX_PLANES = 4 }; /* maximum number of planes of a picture */

/* Description of a fourcc code. */
struct tgt_fourcc {
    uint32_t code;
    uint8_t planes;         /* number of planes */
    enum drv_format format; /* DRV_FORMAT_NONE for Y'CbCr */
    bool opaque;            /* the fourth channel is ignored; alpha is 1 */
    /* Y', Cb and Cr, for Y'CbCr only: index of the plane, byte offset of its first sample, bytes
     * between samples, and log2 of the number of pixels that share one sample. */
    struct {
        uint8_t plane, offset, step, x_shift, y_shift;
    } component[3];
};

/* Returns the description of a code, or NULL if it is not supported. */
const struct tgt_fourcc *tgt_fourcc_find(uint32_t code);
/* Enumerates the codes that the core supports, preferred ones first. Returns the description of
 * code number `index`, counted from 0, or NULL if there are no more. */
const struct tgt_fourcc *tgt_fourcc_get(const struct indium_core *core, unsigned index);
unsigned tgt_fourcc_bits(const struct tgt_fourcc *f); /* returns the first plane's bits per pixel */

/* An image in shared memory. */
struct tgt_picture {
    const struct tgt_fourcc *fourcc;
    int width, height; /* pixels */
    struct {
        struct ws_linear *memory; /* owns a reference */
        uint32_t stride, offset;  /* bytes between rows; bytes to the first row */
    } plane[TGT_MAX_PLANES];
    /* Y'CbCr only: the color space, and whether samples have the full range. */
    enum gl_yuv_space space;
    bool full_range;
};

/* The planes of an image to import. Strides and offsets are in bytes. The caller keeps the file
 * descriptors. */
struct tgt_planes {
    unsigned count;
    int fds[TGT_MAX_PLANES];
    int strides[TGT_MAX_PLANES], offsets[TGT_MAX_PLANES];
};

/* Result of tgt_picture_import. */
enum tgt_picture_error {
    TGT_PICTURE_OK,
    TGT_PICTURE_NO_MEMORY,     /* used by callers; tgt_picture_import doesn't return it */
    TGT_PICTURE_BAD_MATCH,     /* unsupported code */
    TGT_PICTURE_BAD_PARAMETER, /* invalid size or number of planes; import of a descriptor failed */
    TGT_PICTURE_BAD_ACCESS,    /* invalid stride or offset, or a plane exceeds its memory */
};

/* Imports the planes and initializes *p; the caller sets space and full_range. `device` is passed
 * to ws_linear_import. On failure, *p holds no references. */
enum tgt_picture_error tgt_picture_import(struct tgt_picture *p, int device, uint32_t code,
                                          int width, int height, const struct tgt_planes *planes);
/* Copies a picture to *to, which must hold no references. Both then reference the memory; the
 * caller must finish both. */
void tgt_picture_copy(struct tgt_picture *to, const struct tgt_picture *from);
/* Drops the references to the memory. Does nothing for a picture that is all zero. */
void tgt_picture_finish(struct tgt_picture *p);

/* Returns the description of a fourcc code for images in a format. Prefers one whose `opaque` has
 * the given value. Returns NULL if there is no code for the format. */
const struct tgt_fourcc *tgt_fourcc_of(enum drv_format format, bool opaque);
/* Moves a core image to new shared memory, unless it is in shared memory already, and stores its
 * description in *p, which the caller must finish. Returns false, with *p zeroed, if the image
 * cannot be shared, also for lack of memory. Only one thread at a time may call this function. */
bool tgt_picture_export(const struct indium_core *core, struct gl_shared_image *image,
                        struct tgt_picture *p);
/* Creates a core image of the picture. The image references the memory; p may be finished before
 * it. Returns NULL if out of memory or if the core doesn't support the format or size. */
struct gl_shared_image *tgt_picture_image(const struct indium_core *core,
                                          const struct tgt_picture *p);

#endif
