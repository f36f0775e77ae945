/* SPDX-License-Identifier: MIT */
/* What drivers tell nir_canonicalize_nans. */
#ifndef NIR_NANS_H
#define NIR_NANS_H

/* In the access of a store, with the flags of gl_access_qualifier: all readers of the stored floats
 * treat all NaNs alike, so that the bits of a NaN don't matter. */
enum { ACCESS_NUMBERS = 1 << 6 };

#endif
