/* SPDX-License-Identifier: MIT */
/* Sines and cosines of angles in degrees, with the same bits on every system. */
#ifndef UTIL_ANGLE_H
#define UTIL_ANGLE_H

/* Return the sine and cosine of an angle in degrees, exact for multiples of 90 degrees. The error
 * is below 3e-16. Infinities and NaN give NaN. */
double util_sin_degrees(double angle);
double util_cos_degrees(double angle);

#endif
