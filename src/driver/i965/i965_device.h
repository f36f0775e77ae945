/* SPDX-License-Identifier: MIT */
/*
 * Properties of each hardware generation. Code tests these properties and never compares generation
 * numbers. Instruction encodings are not here but in the Python tables of eu/.
 */
#ifndef I965_DEVICE_H
#define I965_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

/* A hardware generation. */
struct i965_device {
    const char *name;         /* Argument of indium-compile --target, e.g. "skl". */
    const char *iga_platform; /* Argument of iga64 -p=, e.g. "9". */
    unsigned verx10;          /* Generation times ten, e.g. 90. */
    unsigned grf_count;       /* Registers per thread, 32 bytes each. */
    unsigned max_simd;        /* Widest dispatch of any stage. */
    unsigned threads_per_eu;  /* Hardware threads per EU. */
    unsigned max_cs_threads;  /* Maximum number of threads per thread group. */
    unsigned max_scratch;     /* Bytes per thread. */
    unsigned urb_entry_max;   /* Maximum size of a vertex shader's URB entry in bytes. */
    bool has_sends;           /* Split send: two payloads in separate registers. */
    bool has_64bit_float, has_64bit_int;
    bool has_pln, has_lrp; /* Plane-equation and lerp instructions. */
    bool has_compaction_3src;
};

/* Returns the device with that name (i965_device.name), or NULL if the name is unknown. */
const struct i965_device *i965_device_by_name(const char *name);

#endif
