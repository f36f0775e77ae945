/* SPDX-License-Identifier: MIT */
/* Cube maps: projection of directions to faces, and texels across the faces' edges (GL 4.6 §8.13,
 * table 8.19). */
#include "driver/cpu/kernel/cpu_nir_sample.h"

/* The major axis of a direction. */
struct cube_axis {
    nir_def *is_x, *is_y; /* 1 bit each; neither: z */
    nir_def *negative;
};

static struct cube_axis major_axis(nir_builder *b, nir_def *const r[3])
{
    nir_def *x = nir_fabs(b, r[0]), *y = nir_fabs(b, r[1]), *z = nir_fabs(b, r[2]);
    struct cube_axis axis;

    axis.is_x = nir_iand(b, nir_fge(b, x, y), nir_fge(b, x, z));
    axis.is_y = nir_iand(b, nir_inot(b, axis.is_x), nir_fge(b, y, z));
    nir_def *major = nir_bcsel(b, axis.is_x, r[0], nir_bcsel(b, axis.is_y, r[1], r[2]));
    axis.negative = nir_flt(b, major, nir_imm_float(b, 0.0f));
    return axis;
}

static nir_def *negate_if(nir_builder *b, nir_def *condition, nir_def *f)
{
    return nir_bcsel(b, condition, nir_fneg(b, f), f);
}

/* Computes sc, tc and |ma| of table 8.19. They are linear in v, so derivatives are transformed in
 * the same way. */
static void face_coordinates(nir_builder *b, const struct cube_axis *axis, nir_def *const v[3],
                             nir_def *out[3])
{
    nir_def *sc_x = negate_if(b, nir_inot(b, axis->negative), v[2]); /* -z, z */
    nir_def *sc_z = negate_if(b, axis->negative, v[0]);              /* x, -x */
    nir_def *tc_y = negate_if(b, axis->negative, v[2]);              /* z, -z */
    nir_def *major = nir_bcsel(b, axis->is_x, v[0], nir_bcsel(b, axis->is_y, v[1], v[2]));

    out[0] = nir_bcsel(b, axis->is_x, sc_x, nir_bcsel(b, axis->is_y, v[0], sc_z));
    out[1] = nir_bcsel(b, axis->is_y, tc_y, nir_fneg(b, v[1]));
    out[2] = negate_if(b, axis->negative, major);
}

static nir_def *face_number(nir_builder *b, const struct cube_axis *axis)
{
    nir_def *first = nir_bcsel(b, axis->is_x, nir_imm_int(b, 0),
                               nir_bcsel(b, axis->is_y, nir_imm_int(b, 2), nir_imm_int(b, 4)));
    return nir_iadd(b, first, nir_b2i32(b, axis->negative));
}

void cpu_cube_project(struct cpu_sample *s)
{
    nir_builder *b = s->b;
    struct cube_axis axis = major_axis(b, s->coord);
    nir_def *face[3], *gradient[3];

    face_coordinates(b, &axis, s->coord, face);
    nir_def *scale = nir_fdiv(b, nir_imm_float(b, 0.5f), face[2]);
    for (unsigned d = 0; d < 2 && s->ddx[0]; d++) {
        nir_def **derivative = d ? s->ddy : s->ddx;
        face_coordinates(b, &axis, derivative, gradient);
        /* (sc / ma)' / 2 = (sc' - sc / ma * ma') / (2 * ma) */
        for (unsigned i = 0; i < 2; i++) {
            nir_def *ratio = nir_fmul_imm(b, nir_fmul(b, face[i], scale), 2.0);
            nir_def *numerator = nir_fsub(b, gradient[i], nir_fmul(b, ratio, gradient[2]));
            derivative[i] = nir_fmul(b, numerator, scale);
        }
    }
    s->implicit_derivatives = false;
    s->coord[0] = nir_fadd_imm(b, nir_fmul(b, face[0], scale), 0.5);
    s->coord[1] = nir_fadd_imm(b, nir_fmul(b, face[1], scale), 0.5);
    s->face = face_number(b, &axis);
}

/* Computes the vector of a point (sc, tc) on a face at distance ma: the inverse of table 8.19. */
static void face_vector(nir_builder *b, nir_def *face, nir_def *sc, nir_def *tc, nir_def *ma,
                        nir_def *v[3])
{
    nir_def *negative = nir_ine_imm(b, nir_iand_imm(b, face, 1), 0);
    nir_def *is_x = nir_ult_imm(b, face, 2), *is_z = nir_uge_imm(b, face, 4);
    nir_def *major = negate_if(b, negative, ma);

    v[0] = nir_bcsel(b, is_x, major, nir_bcsel(b, is_z, negate_if(b, negative, sc), sc));
    v[1] = nir_bcsel(b, nir_ior(b, is_x, is_z), nir_fneg(b, tc), major);
    v[2] = nir_bcsel(b, is_x, negate_if(b, nir_inot(b, negative), sc),
                     nir_bcsel(b, is_z, major, negate_if(b, negative, tc)));
}

/* A texel across the left or right edge lies on another face, in the row of texels closest to
 * the edge, at the same position along the edge. Its vector therefore has length 1 along the
 * crossed axis, 1 minus half a texel along the old major axis, and an unchanged component along
 * the edge. */
void cpu_cube_neighbor(nir_builder *b, nir_def *face, nir_def *size, nir_def **x, nir_def **y,
                       nir_def **new_face)
{
    nir_def *size_f = nir_i2f32(b, size), *last = nir_iadd_imm(b, size, -1);
    nir_def *one = nir_imm_float(b, 1.0f), *minus_one = nir_imm_float(b, -1.0f);
    nir_def *outside_x = nir_uge(b, *x, size);
    /* there is no texel across a corner; use the one across the vertical edge */
    nir_def *outside_y = nir_iand(b, nir_uge(b, *y, size), nir_inot(b, outside_x));
    nir_def *cy = nir_iclamp(b, *y, nir_imm_int(b, 0), last);
    nir_def *inv = nir_fdiv(b, one, size_f);
    nir_def *v[3], *coord[3];

    /* center of texel i: (2 * i + 1) / size - 1 */
#define CENTER(i)                                                                                  \
    nir_fadd_imm(b, nir_fmul(b, nir_i2f32(b, nir_iadd_imm(b, nir_ishl_imm(b, i, 1), 1)), inv), -1.0)
    nir_def *sc = CENTER(*x), *tc = CENTER(cy);
#undef CENTER
    nir_def *zero = nir_imm_int(b, 0);
    sc = nir_bcsel(b, outside_x, nir_bcsel(b, nir_ilt(b, *x, zero), minus_one, one), sc);
    tc = nir_bcsel(b, outside_y, nir_bcsel(b, nir_ilt(b, *y, zero), minus_one, one), tc);
    nir_def *ma = nir_bcsel(b, nir_ior(b, outside_x, outside_y), nir_fsub(b, one, inv), one);
    /* With size 1, the center of the only texel must still be closer to the edge than to the old
     * major axis. */
    ma = nir_bcsel(b, nir_ieq_imm(b, size, 1),
                   nir_bcsel(b, nir_ior(b, outside_x, outside_y), nir_imm_float(b, 0.5f), one), ma);

    face_vector(b, face, sc, tc, ma, v);
    struct cube_axis axis = major_axis(b, v);
    face_coordinates(b, &axis, v, coord);
    *new_face = face_number(b, &axis);
    nir_def *half = nir_fmul_imm(b, size_f, 0.5);
    nir_def **result[2] = {x, y};
    for (unsigned i = 0; i < 2; i++) {
        nir_def *t = nir_fmul(b, nir_fadd_imm(b, coord[i], 1.0), half);
        nir_def *index = nir_f2i32(b, nir_ffloor(b, t));
        *result[i] = nir_iclamp(b, index, zero, last);
    }
}
