/* SPDX-License-Identifier: MIT */
/*
 * Checks the tessellator against exact requirements of the specification: the number of points and
 * primitives, that primitives cover the domain once, and that edges are the same from both sides.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/cpu/front/cpu_tessellator.h"
#include "nir/nir.h"
#include "util/macros.h"

static struct cpu_tessellation t;

static const uint8_t spacings[] = {nir_tess_spacing_none, nir_tess_spacing_equal,
                                   nir_tess_spacing_fractional_odd,
                                   nir_tess_spacing_fractional_even};

/* Returns levels of all kinds, the same sequence for each seed. */
static float level(uint32_t *seed)
{
    static const float special[] = {0.25f, 1.0f,  1.0001f, 2.0f,  2.5f,  3.0f,
                                    5.0f,  62.9f, 63.0f,   63.5f, 64.0f, 100.0f};
    *seed = *seed * 1664525 + 1013904223;
    uint32_t r = *seed >> 8;
    return r % 3 ? special[r / 3 % ARRAY_SIZE(special)] : (float)(r / 3 % 65536) / 1024.0f + 0.01f;
}

static unsigned segments(float f, unsigned spacing)
{
    switch (spacing) {
    case nir_tess_spacing_fractional_odd: {
        unsigned n = (unsigned)ceil(fmin(fmax(f, 1), 63));
        return n % 2 ? n : n + 1;
    }
    case nir_tess_spacing_fractional_even: {
        unsigned n = (unsigned)ceil(fmin(fmax(f, 2), 64));
        return n % 2 ? n + 1 : n;
    }
    default:
        return (unsigned)ceil(fmin(fmax(f, 1), 64));
    }
}

/* Returns the segments of an inner level if anything is subdivided. */
static unsigned inner_segments(float f, unsigned spacing)
{
    unsigned n = segments(f, spacing);
    return n > 1 ? n : spacing == nir_tess_spacing_fractional_odd ? 3 : 2;
}

static void tessellate(unsigned primitive, unsigned spacing, bool ccw, bool points,
                       const float outer[4], const float inner[2])
{
    const struct cpu_tess_layout layout = {(uint8_t)primitive, (uint8_t)spacing, ccw, points};
    cpu_tessellate(&t, &layout, outer, inner);
}

/* Returns twice the area of a triangle in (u, v). Exact, because coordinates are multiples of
 * 2^-24, except for points inside a triangle. */
static double area(const uint16_t *index)
{
    const struct cpu_tess_point *a = &t.point[index[0]], *b = &t.point[index[1]],
                                *c = &t.point[index[2]];
    return ((double)b->u - a->u) * ((double)c->v - a->v) -
           ((double)c->u - a->u) * ((double)b->v - a->v);
}

/* Checks that all triangles have the same winding, that their areas add up to the domain, and that
 * they use all points. */
static void check_cover(double whole, bool ccw)
{
    static bool used[CPU_TESS_POINTS];
    double sum = 0;

    memset(used, 0, sizeof used);
    for (unsigned i = 0; i < t.num_prims; i++) {
        double a = area(&t.index[3 * i]);
        assert_true(ccw ? a >= 0 : a <= 0);
        sum += fabs(a);
        for (unsigned k = 0; k < 3; k++) {
            assert_true(t.index[3 * i + k] < t.num_points);
            used[t.index[3 * i + k]] = true;
        }
    }
    assert_true(fabs(sum - whole) < 1e-6);
    for (unsigned i = 0; i < t.num_points; i++)
        assert_true(used[i]);
}

static void test_counts(void **state)
{
    uint32_t seed = 1;
    for (unsigned i = 0; i < 2000; i++) {
        unsigned s = spacings[i % 4], n[4], m, p, sum = 0;
        bool ccw = i / 4 % 2;
        float outer[4], inner[2];
        for (unsigned k = 0; k < 4; k++)
            outer[k] = level(&seed);
        for (unsigned k = 0; k < 2; k++)
            inner[k] = level(&seed);
        for (unsigned k = 0; k < 4; k++)
            sum += n[k] = segments(outer[k], s);

        tessellate(nir_tess_primitive_quads, s, ccw, false, outer, inner);
        if (sum == 4 && segments(inner[0], s) == 1 && segments(inner[1], s) == 1) {
            assert_int_equal(t.num_prims, 2);
        } else {
            m = inner_segments(inner[0], s);
            p = inner_segments(inner[1], s);
            assert_int_equal(t.num_points, sum + (m - 1) * (p - 1));
            assert_int_equal(t.num_prims, 2 * (m - 2) * (p - 2) + sum + 2 * (m - 2) + 2 * (p - 2));
        }
        check_cover(2.0, ccw);

        sum -= n[3];
        tessellate(nir_tess_primitive_triangles, s, ccw, false, outer, inner);
        m = inner_segments(inner[0], s);
        if (sum == 3 && segments(inner[0], s) == 1) {
            assert_int_equal(t.num_prims, 1);
        } else {
            /* the inner rings; a last ring with one segment is a triangle, one without segments a
             * point */
            unsigned points = sum, prims = sum;
            for (int k = (int)m - 2; k >= 0; k -= 2) {
                points += k ? 3 * (unsigned)k : 1;
                prims += k > 1 ? 6 * (unsigned)k : k ? 4 : 0;
            }
            assert_int_equal(t.num_points, points);
            assert_int_equal(t.num_prims, prims);
        }
        check_cover(1.0, ccw);
        for (unsigned k = 0; k < t.num_points; k++)
            assert_true(fabs((double)t.point[k].u + t.point[k].v + t.point[k].w - 1) < 1e-7);

        tessellate(nir_tess_primitive_isolines, s, ccw, false, outer, inner);
        unsigned lines = segments(outer[0], nir_tess_spacing_equal);
        assert_int_equal(t.prim_vertices, 2);
        assert_int_equal(t.num_prims, lines * n[1]);
        assert_int_equal(t.num_points, lines * (n[1] + 1));
    }
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

/* Stores the positions of the points along an edge of a quad, in order. Edges: 0 v = 0, 1 u = 1, 2
 * v = 1, 3 u = 0. */
static unsigned edge_points(unsigned edge, unsigned outer_points, float at[65])
{
    unsigned n = 0;
    for (unsigned i = 0; i < outer_points; i++) {
        float along = edge & 1 ? t.point[i].v : t.point[i].u;
        float across = edge & 1 ? t.point[i].u : t.point[i].v;
        if (across == (edge == 1 || edge == 2 ? 1.0f : 0.0f))
            at[n++] = along;
    }
    qsort(at, n, sizeof *at, compare);
    return n;
}

/* The points of an edge depend only on its level, not on the patch, the edge or its direction. */
static void test_edges(void **state)
{
    uint32_t seed = 7;
    for (unsigned i = 0; i < 1000; i++) {
        unsigned s = spacings[i % 4], n = 0;
        float f = level(&seed), first[65], at[65];
        for (unsigned e = 0; e < 4; e++) {
            static const uint8_t level_of_edge[] = {1, 2, 3, 0};
            float outer[4], inner[2] = {level(&seed), level(&seed)};
            unsigned total = 0;
            for (unsigned k = 0; k < 4; k++)
                outer[k] = level(&seed);
            outer[level_of_edge[e]] = f;
            for (unsigned k = 0; k < 4; k++)
                total += segments(outer[k], s);
            tessellate(nir_tess_primitive_quads, s, true, false, outer, inner);
            unsigned count = edge_points(e, total, at);
            assert_int_equal(count, segments(f, s) + 1);
            for (unsigned k = 0; k < count; k++)
                assert_true(at[k] == 1.0f - at[count - 1 - k] && 1.0f - (1.0f - at[k]) == at[k]);
            if (e == 0) {
                n = count;
                memcpy(first, at, sizeof at);
            }
            assert_int_equal(n, count);
            assert_memory_equal(first, at, count * sizeof *at);
        }
        /* A triangle's edge has the same points. Along v = 0, u goes from 0 to 1; these points
         * follow those of the edge u = 0. */
        tessellate(nir_tess_primitive_triangles, s, true, false, (float[4]){1, f, 1, 1},
                   (float[2]){3, 3});
        const struct cpu_tess_point *point = &t.point[segments(1, s)];
        assert_true(t.point[0].v == 1.0f);
        for (unsigned k = 0; k + 1 < n; k++)
            assert_true(point[k].u == first[k] && point[k].v == 0.0f &&
                        point[k].w == 1.0f - first[k]);
    }
}

/* Fractional spacing: all segments are equal except two, which mirror each other and grow with the
 * level. They stay at the same place while the number of segments does. */
static void check_spacing(unsigned spacing, unsigned count, unsigned expected)
{
    double before = 0;
    for (float f = (float)count - 1.75f; f <= (float)count; f += 0.25f) {
        tessellate(nir_tess_primitive_isolines, spacing, true, false, (float[4]){1, f, 1, 1},
                   (float[2]){1, 1});
        assert_int_equal(t.num_prims, count);
        double length[64], shortest = 2, longest = 0;
        for (unsigned i = 0; i < count; i++) {
            length[i] = (double)t.point[i + 1].u - (double)t.point[i].u;
            shortest = fmin(shortest, length[i]);
            longest = fmax(longest, length[i]);
        }
        for (unsigned i = 0; i < count; i++) {
            const bool is_short = i == expected || i == count - 1 - expected;
            assert_true(fabs(length[i] - (is_short ? shortest : longest)) < 3e-7);
        }
        assert_true(shortest / longest > before);
        before = shortest / longest;
    }
    assert_true(fabs(before - 1.0) < 2e-5);
}

/* Direct3D 11's places of the short segments. */
static void test_spacing(void **state)
{
    static const uint8_t odd[] = {0, 1, 1, 3, 1, 3, 5, 7, 1, 3, 5, 7, 9, 11, 13, 15},
                         even[] = {1, 1, 3, 1, 3, 5, 7, 1, 3, 5, 7, 9, 11, 13, 15};
    for (unsigned i = 0; i < ARRAY_SIZE(odd); i++)
        check_spacing(nir_tess_spacing_fractional_odd, 2 * i + 3, odd[i]);
    for (unsigned i = 0; i < ARRAY_SIZE(even); i++)
        check_spacing(nir_tess_spacing_fractional_even, 2 * i + 4, even[i]);
}

/* An inner level of 1, if anything else is subdivided: the inner ring lies on the edges. */
static void test_inner_one(void **state)
{
    const float outer[4] = {1, 1, 1, 1};
    for (unsigned i = 0; i < 2; i++) {
        tessellate(nir_tess_primitive_quads, nir_tess_spacing_fractional_odd, true, false, outer,
                   (float[2]){i ? 4 : 1, i ? 1 : 4});
        assert_int_equal(t.num_prims, 18);
        for (unsigned k = 0; k < t.num_points; k++) {
            const float along = i ? t.point[k].v : t.point[k].u;
            assert_true(along == 0.0f || along == 1.0f);
        }
    }
    tessellate(nir_tess_primitive_triangles, nir_tess_spacing_fractional_odd, true, false,
               (float[4]){1, 3, 1, 1}, (float[2]){1, 1});
    for (unsigned k = 0; k < t.num_points; k++)
        assert_true(t.point[k].u == 0.0f || t.point[k].v == 0.0f || t.point[k].w == 0.0f);
}

static void test_discard(void **state)
{
    static const uint8_t relevant[] = {[nir_tess_primitive_triangles] = 3,
                                       [nir_tess_primitive_quads] = 4,
                                       [nir_tess_primitive_isolines] = 2};
    static const float none[] = {0.0f, -0.0f, -3.0f, NAN, -INFINITY};
    for (unsigned p = nir_tess_primitive_triangles; p <= nir_tess_primitive_isolines; p++) {
        for (unsigned k = 0; k < 4; k++) {
            for (unsigned i = 0; i < ARRAY_SIZE(none); i++) {
                float outer[4] = {2, 2, 2, 2};
                outer[k] = none[i];
                tessellate(p, nir_tess_spacing_equal, true, false, outer, (float[2]){2, 2});
                assert_int_equal(t.num_prims == 0, k < relevant[p]);
            }
        }
        /* inner levels are only clamped, and the maximum stays the maximum */
        for (unsigned i = 0; i < ARRAY_SIZE(none); i++) {
            tessellate(p, nir_tess_spacing_equal, true, false, (float[4]){1, 1, 1, 1},
                       (float[2]){none[i], none[i]});
            assert_true(t.num_prims == (p == nir_tess_primitive_quads ? 2 : 1));
        }
        tessellate(p, nir_tess_spacing_equal, true, false,
                   (float[4]){INFINITY, INFINITY, INFINITY, INFINITY},
                   (float[2]){INFINITY, INFINITY});
        if (p == nir_tess_primitive_quads)
            assert_int_equal(t.num_prims, CPU_TESS_PRIMS);
    }
}

/* One point per vertex. Coordinates are those of the shading language. */
static void test_points(void **state)
{
    const float outer[4] = {2, 3, 4, 5}, inner[2] = {4, 3};
    tessellate(nir_tess_primitive_quads, nir_tess_spacing_equal, true, true, outer, inner);
    assert_int_equal(t.prim_vertices, 1);
    assert_int_equal(t.num_prims, 14 + 3 * 2);
    for (unsigned i = 0; i < t.num_prims; i++) {
        assert_int_equal(t.index[i], i);
        assert_true(t.point[i].w == 0.0f);
    }
    /* the first inner level subdivides along u */
    assert_true(t.point[14].u == 0.25f && fabsf(t.point[14].v - 1 / 3.0f) < 1e-7f);
    tessellate(nir_tess_primitive_triangles, nir_tess_spacing_equal, true, true,
               (float[4]){1, 1, 1, 1}, (float[2]){2, 2});
    assert_int_equal(t.num_prims, 4);
    assert_true(t.point[3].u == t.point[3].v && t.point[3].v == t.point[3].w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_edges),
        cmocka_unit_test(test_spacing), cmocka_unit_test(test_inner_one),
        cmocka_unit_test(test_discard), cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
