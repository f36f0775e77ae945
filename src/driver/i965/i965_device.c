/* SPDX-License-Identifier: MIT */
/* Table of the supported hardware generations. */
#include "driver/i965/i965_device.h"

#include <stddef.h>
#include <string.h>

#include "util/macros.h"

static const struct i965_device devices[] = {
    {
        .name = "skl",
        .iga_platform = "9",
        .verx10 = 90,
        .grf_count = 128,
        .max_simd = 32,
        .threads_per_eu = 7,
        .max_cs_threads = 64,
        .max_scratch = 2 << 20,
        .urb_entry_max = 64 * 64,
        .has_sends = true,
        .has_64bit_float = true,
        .has_64bit_int = true,
        .has_pln = true,
        .has_lrp = true,
        .has_compaction_3src = true,
    },
};

const struct i965_device *i965_device_by_name(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(devices); i++) {
        if (!strcmp(devices[i].name, name))
            return &devices[i];
    }
    return NULL;
}
