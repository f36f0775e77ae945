/* SPDX-License-Identifier: MIT */
/* Reduces an angle to 45 degrees, which is exact in degrees, and evaluates power series. */
#include "util/angle.h"

#include <math.h>

#include "util/macros.h"

/* Returns the sum of c[i] x^i. */
static double double_series(const double *c, unsigned count, double x)
{
    double sum = c[count - 1];
    for (unsigned i = count - 1; i-- > 0;)
        sum = sum * x + c[i];
    return sum;
}

/* angle = 90 quarter + rest with |rest| <= 45, exactly. Returns the sine of angle + 90 add degrees
 * from the power series of sin and cos. */
static double sine_of_degrees(double angle, int add)
{
    static const double sine[] =
        {1.0,          -1.0 / 6,        1.0 / 120,        -1.0 / 5040,
         1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000},
                        cosine[] = {1.0,
                                    -1.0 / 2,
                                    1.0 / 24,
                                    -1.0 / 720,
                                    1.0 / 40320,
                                    -1.0 / 3628800,
                                    1.0 / 479001600,
                                    -1.0 / 87178291200,
                                    1.0 / 20922789888000};
    if (!isfinite(angle))
        return NAN;
    const double turn = fmod(angle, 360.0);
    const int nearest = (int)rint(turn / 90.0), quarter = (nearest + add) & 3;
    const double x = (turn - 90.0 * nearest) * (0x1.921fb54442d18p+1 / 180.0), x2 = x * x;
    const double value = quarter & 1 ? double_series(cosine, ARRAY_SIZE(cosine), x2)
                                     : x * double_series(sine, ARRAY_SIZE(sine), x2);
    return quarter & 2 ? -value : value;
}

double util_sin_degrees(double angle)
{
    return sine_of_degrees(angle, 0);
}

double util_cos_degrees(double angle)
{
    return sine_of_degrees(angle, 1);
}
