/* SPDX-License-Identifier: MIT */
/* Functions of nir_math.h on arrays, which kernels call. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "nir_math.h"
#include "util/simd.h"

typedef const void *context;

#define SIMD_FILE          "nir_math_lanes.h"
#define SIMD_LANES_DIVISOR 1
#include "util/simd_each.h"

static void reduce_angles(const float *x, float *result, unsigned count, bool cosine)
{
    for (unsigned i = SIMD_CALL(reduce_vectors, x, result, count, cosine); i < count; i++)
        result[i] = nir_math_reduce_angle(x[i], result[i], cosine);
}

void nir_math_reduce_sines(const float *x, float *result, unsigned count)
{
    reduce_angles(x, result, count, false);
}

void nir_math_reduce_cosines(const float *x, float *result, unsigned count)
{
    reduce_angles(x, result, count, true);
}
