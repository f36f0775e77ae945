/* SPDX-License-Identifier: MIT */
/* Resolving images of several samples block by block. */
#ifndef CPU_RESOLVE_H
#define CPU_RESOLVE_H

#include "driver/cpu/resource/cpu_resource.h"

struct cpu_resolve {
    struct cpu_resource *dst, *src;
    unsigned dst_level, src_level;
    struct drv_box box; /* of dst, inside of its level */
    int src_x, src_y, src_z;
};

/* Texels of dst become the mean of src's samples, rounded to nearest, halves up; both are of the
 * format. False, and nothing done: its channels are not all 8-bit normalized without sRGB encoding,
 * or the boxes are not made of whole blocks (but for the images' right and upper edges). */
bool cpu_resolve_blocks(const struct cpu_resolve *r, enum drv_format format);

#endif
