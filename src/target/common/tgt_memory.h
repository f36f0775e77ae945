/* SPDX-License-Identifier: MIT */
/*
 * Pictures in linear memory that others share with us, named by the four-character codes of
 * drm_fourcc.h: importing descriptors of dma-bufs, and making images of the core from them.
 */
#ifndef TGT_MEMORY_H
#define TGT_MEMORY_H

#include "indium/core.h"
#include "winsys/linear/ws_linear.h"

enum { TGT_MAX_PLANES = 4 };

/* A code. Those of the second kind, Y'CbCr, have a format of NONE. */
struct tgt_fourcc {
    uint32_t code;
    uint8_t planes;
    enum drv_format format;
    bool opaque; /* its fourth channel, if any, counts for nothing */
    struct {     /* Y, Cb, Cr */
        uint8_t plane, offset, step, x_shift, y_shift;
    } component[3];
};

/* NULL: not one of ours. */
const struct tgt_fourcc *tgt_fourcc_find(uint32_t code);
/* Those that the core draws with, in the order of preference; NULL behind the last. */
const struct tgt_fourcc *tgt_fourcc_get(const struct indium_core *core, unsigned index);
unsigned tgt_fourcc_bits(const struct tgt_fourcc *f); /* of a pixel, of the first plane */

struct tgt_picture {
    const struct tgt_fourcc *fourcc;
    int width, height;
    struct {
        struct ws_linear *memory; /* a reference */
        uint32_t stride, offset;
    } plane[TGT_MAX_PLANES];
    enum gl_yuv_space space;
    bool full_range;
};

/* As eglCreateImage has them. */
struct tgt_planes {
    unsigned count;
    int fds[TGT_MAX_PLANES];
    int strides[TGT_MAX_PLANES], offsets[TGT_MAX_PLANES];
};

enum tgt_picture_error {
    TGT_PICTURE_OK,
    TGT_PICTURE_NO_MEMORY,
    TGT_PICTURE_BAD_MATCH,     /* a code that is not ours */
    TGT_PICTURE_BAD_PARAMETER, /* too few or too many planes, no memory of that name */
    TGT_PICTURE_BAD_ACCESS,    /* a plane is not within its memory */
};

/* Fills in *p, all but space and full_range; device as of ws_linear_import. */
enum tgt_picture_error tgt_picture_import(struct tgt_picture *p, int device, uint32_t code,
                                          int width, int height, const struct tgt_planes *planes);
void tgt_picture_copy(struct tgt_picture *to, const struct tgt_picture *from);
void tgt_picture_finish(struct tgt_picture *p);

/* An image of the core that shows the picture and keeps its memory. NULL: no memory, or the core
 * cannot draw with the format. */
struct gl_shared_image *tgt_picture_image(const struct indium_core *core,
                                          const struct tgt_picture *p);

#endif
