/* SPDX-License-Identifier: MIT */
/*
 * Images in shared linear memory, with formats named by drm_fourcc.h codes: imports dma-bufs and
 * creates core images from them.
 */
#ifndef TGT_MEMORY_H
#define TGT_MEMORY_H

#include "indium/core.h"
#include "winsys/linear/ws_linear.h"

enum { TGT_MAX_PLANES = 4 };

/* Description of a fourcc code. Y'CbCr codes have the format DRV_FORMAT_NONE. */
struct tgt_fourcc {
    uint32_t code;
    uint8_t planes;
    enum drv_format format;
    bool opaque; /* ignore the fourth channel */
    struct {     /* for Y'CbCr: Y, Cb, Cr */
        uint8_t plane, offset, step, x_shift, y_shift;
    } component[3];
};

/* Returns the description of a code, or NULL if it is not supported. */
const struct tgt_fourcc *tgt_fourcc_find(uint32_t code);
/* Returns the index-th supported code that the core can draw with, best first; NULL past the
 * end. */
const struct tgt_fourcc *tgt_fourcc_get(const struct indium_core *core, unsigned index);
unsigned tgt_fourcc_bits(const struct tgt_fourcc *f); /* bits per pixel of the first plane */

struct tgt_picture {
    const struct tgt_fourcc *fourcc;
    int width, height;
    struct {
        struct ws_linear *memory; /* owns a reference */
        uint32_t stride, offset;
    } plane[TGT_MAX_PLANES];
    enum gl_yuv_space space;
    bool full_range;
};

/* Planes as described by eglCreateImage attributes. */
struct tgt_planes {
    unsigned count;
    int fds[TGT_MAX_PLANES];
    int strides[TGT_MAX_PLANES], offsets[TGT_MAX_PLANES];
};

enum tgt_picture_error {
    TGT_PICTURE_OK,
    TGT_PICTURE_NO_MEMORY,
    TGT_PICTURE_BAD_MATCH,     /* unsupported code */
    TGT_PICTURE_BAD_PARAMETER, /* wrong number of planes, or invalid descriptor */
    TGT_PICTURE_BAD_ACCESS,    /* a plane exceeds its memory */
};

/* Initializes *p except space and full_range. `device` is as for ws_linear_import. */
enum tgt_picture_error tgt_picture_import(struct tgt_picture *p, int device, uint32_t code,
                                          int width, int height, const struct tgt_planes *planes);
void tgt_picture_copy(struct tgt_picture *to, const struct tgt_picture *from);
void tgt_picture_finish(struct tgt_picture *p);

/* Returns a core image of the picture, which keeps its memory alive. Returns NULL if memory runs
 * out or the core cannot use the format. */
struct gl_shared_image *tgt_picture_image(const struct indium_core *core,
                                          const struct tgt_picture *p);

#endif
