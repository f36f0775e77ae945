/* SPDX-License-Identifier: MIT */
/* Tables of dri_interface_values.c. */
#ifndef DRI_INTERFACE_VALUES_H
#define DRI_INTERFACE_VALUES_H

struct dri_value {
    const char *name;   /* NULL ends the table */
    const char *string; /* NULL for a number */
    long number;        /* value of a constant, or offset of a member in bytes */
};

/* Rows have the same order in both. */
extern const struct dri_value dri_our_values[], dri_system_values[];

#endif
