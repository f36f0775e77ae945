/* SPDX-License-Identifier: MIT */
/*
 * What is known about each generation of the hardware. Code asks for a fact here, never for a
 * generation's number; where encodings differ, the tables in eu/ have a column per generation.
 */
#ifndef I965_DEVICE_H
#define I965_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

struct i965_device {
    const char *name;         /* "skl": what indium-compile --target takes */
    const char *iga_platform; /* "9": what iga64 -p= takes */
    unsigned verx10;          /* 90 */
    unsigned grf_count;       /* 32-byte registers of a thread: 128 */
    unsigned max_simd;        /* widest dispatch of any stage: 32 */
    unsigned threads_per_eu;  /* 7 */
    unsigned max_cs_threads;  /* of one thread group */
    unsigned max_scratch;     /* bytes per thread */
    unsigned urb_entry_max;   /* bytes of a VS's URB entry */
    bool has_sends;           /* split send: payload in two pieces */
    bool has_64bit_float, has_64bit_int;
    bool has_pln, has_lrp; /* interpolation and lerp in one instruction */
    bool has_compaction_3src;
};

/* NULL for a name that is not known. */
const struct i965_device *i965_device_by_name(const char *name);

#endif
