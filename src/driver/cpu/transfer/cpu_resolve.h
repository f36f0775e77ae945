/* SPDX-License-Identifier: MIT */
/* Multisample resolves of whole 4×4 blocks of the tiled layout (cpu_layout.h). */
#ifndef CPU_RESOLVE_H
#define CPU_RESOLVE_H

#include "driver/cpu/resource/cpu_resource.h"

/* Images and boxes of a resolve. The caller has synchronized src for reading and dst for writing
 * (cpu_context_sync()). */
struct cpu_resolve {
    struct cpu_resource *dst, *src;
    unsigned dst_level, src_level;
    struct drv_box box;      /* texels of dst to write; lies inside its level */
    int src_x, src_y, src_z; /* texel and layer of src that box starts at */
};

/* Writes to each texel of dst the mean of the samples of src, rounded to nearest; sRGB values are
 * averaged linearly. Both images have this format. Returns false, and does nothing, if the format
 * can't be averaged or the box doesn't consist of whole blocks in both images. A block cut off by
 * the right or upper edge of a level counts as whole. Uses all threads. */
bool cpu_resolve_blocks(const struct cpu_resolve *r, enum drv_format format);

#endif
