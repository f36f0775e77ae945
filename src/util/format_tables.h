/* SPDX-License-Identifier: MIT */
/* Tables that format_c.py generates; for format*.c and the drivers' code generators. */
#ifndef UTIL_FORMAT_TABLES_H
#define UTIL_FORMAT_TABLES_H

#include "indium/format.h"

extern const struct drv_format_desc util_format_descs[DRV_FORMAT_COUNT];
/* Linear value of an sRGB byte. */
extern const float util_srgb_to_linear[256];
/* Linear values from util_srgb_threshold[n] on become bytes above n. */
extern const float util_srgb_threshold[255];

#endif
