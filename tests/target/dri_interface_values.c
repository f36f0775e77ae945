/* SPDX-License-Identifier: MIT */
/*
 * Strings, values and offsets of the DRI interface as a header declares them: of ours, or with
 * SYSTEM_HEADER of an installed one. Compiled once for each.
 */
#include <stddef.h>

#ifdef SYSTEM_HEADER
#include <GL/internal/dri_interface.h>
#define TABLE dri_system_values
#else
#include "target/dri/dri_interface.h"
#define TABLE dri_our_values
#endif
#include "dri_interface_values.h"

#define STRING(name)         {#name, name, 0},
#define VALUE(name)          {#name, NULL, (long)(name)},
#define MEMBER(type, member) {#type "." #member, NULL, offsetof(struct type, member)},

const struct dri_value TABLE[] = {
#include "dri_interface_table.h"
    {NULL, NULL, 0},
};
