/* SPDX-License-Identifier: MIT */
/* Constants and member offsets of the DRI interface, as our header and as an installed header
 * declare them (dri_interface_values.c). */
#ifndef DRI_INTERFACE_VALUES_H
#define DRI_INTERFACE_VALUES_H

struct dri_value {
    const char *name;   /* NULL ends the table */
    const char *string; /* NULL for a number */
    long number;        /* value of a constant, or offset of a member in bytes */
};

/* Both have the same names in the same order. */
extern const struct dri_value dri_our_values[], dri_system_values[];

#endif
