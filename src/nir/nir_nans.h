/* SPDX-License-Identifier: MIT */
/* Flags that drivers set for nir_canonicalize_nans. */
#ifndef NIR_NANS_H
#define NIR_NANS_H

/* Flag in the access of a store, in addition to those of gl_access_qualifier: all readers of the
 * stored floats treat all NaNs alike, so the bits of a NaN don't matter. */
enum { ACCESS_NUMBERS = 1 << 6 };

#endif
