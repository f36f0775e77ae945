/* SPDX-License-Identifier: MIT */
/* Evaluation of the polynomials in nir_math_opcodes.h and nir_math_functions.h. The two headers
 * list what an includer must define. */
#ifndef NIR_MATH_SERIES_H
#define NIR_MATH_SERIES_H

#define MAX_POWERS 10 /* maximum number of coefficients of a polynomial */

/* Returns c[0] + c[1] x + c[2] x^2 + …, with 2 to MAX_POWERS terms. Sums pairs of terms, then pairs
 * of these sums (Estrin, "Organization of Computer Systems: The Fixed Plus Variable Structure
 * Computer", 1960), and the last three or fewer one after another (Horner). The chain of dependent
 * operations is then about half as long as with Horner's method alone, at the cost of a few more
 * operations. c[0], usually the largest term, is added last, so that the other sums have small
 * rounding errors. */
static inline value power_series(context b, value x, const double *c, unsigned count)
{
    value term[MAX_POWERS];
    for (unsigned i = 1; i < count; i++)
        term[i] = number(b, c[i]);
    term[0] = mul(b, term[1], x);
    for (unsigned i = 2; i < count; i += 2)
        term[i / 2] = i + 1 < count ? add(b, term[i], mul(b, term[i + 1], x)) : term[i];
    count = (count + 1) / 2;
    value power = count > 1 ? mul(b, x, x) : x;
    while (count > 3) {
        for (unsigned i = 0; i < count; i += 2)
            term[i / 2] = i + 1 < count ? add(b, term[i], mul(b, term[i + 1], power)) : term[i];
        count = (count + 1) / 2;
        power = mul(b, power, power);
    }
    value sum = term[count - 1];
    while (--count > 0)
        sum = add(b, term[count - 1], mul(b, sum, power));
    return add(b, sum, number(b, c[0]));
}

#endif
