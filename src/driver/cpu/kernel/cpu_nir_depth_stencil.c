/* SPDX-License-Identifier: MIT */
/* Stencil and depth tests and their updates (GL 4.6 §17.3.3, §17.3.4) for a vector of fragments. */
#include "driver/cpu/kernel/cpu_nir.h"
#include "driver/cpu/kernel/cpu_nir_format.h"
#include "util/format.h"

nir_def *cpu_nir_compare(nir_builder *b, unsigned func, nir_def *x, nir_def *y, bool is_float)
{
    switch (func) {
    case DRV_FUNC_NEVER:
        return nir_imm_false(b);
    case DRV_FUNC_LESS:
        return is_float ? nir_flt(b, x, y) : nir_ult(b, x, y);
    case DRV_FUNC_EQUAL:
        return is_float ? nir_feq(b, x, y) : nir_ieq(b, x, y);
    case DRV_FUNC_LEQUAL:
        return is_float ? nir_fge(b, y, x) : nir_uge(b, y, x);
    case DRV_FUNC_GREATER:
        return is_float ? nir_flt(b, y, x) : nir_ult(b, y, x);
    case DRV_FUNC_NOTEQUAL:
        return is_float ? nir_fneu(b, x, y) : nir_ine(b, x, y);
    case DRV_FUNC_GEQUAL:
        return is_float ? nir_fge(b, x, y) : nir_uge(b, x, y);
    default:
        return nir_imm_true(b);
    }
}

static nir_def *stencil_op(nir_builder *b, unsigned op, nir_def *s, nir_def *ref)
{
    switch (op) {
    case DRV_STENCIL_ZERO:
        return nir_imm_int(b, 0);
    case DRV_STENCIL_REPLACE:
        return ref;
    case DRV_STENCIL_INCR:
        return nir_umin(b, nir_iadd_imm(b, s, 1), nir_imm_int(b, 255));
    case DRV_STENCIL_DECR:
        return nir_imax(b, nir_iadd_imm(b, s, -1), nir_imm_int(b, 0));
    case DRV_STENCIL_INCR_WRAP:
        return nir_iand_imm(b, nir_iadd_imm(b, s, 1), 255);
    case DRV_STENCIL_DECR_WRAP:
        return nir_iand_imm(b, nir_iadd_imm(b, s, -1), 255);
    case DRV_STENCIL_INVERT:
        return nir_ixor(b, s, nir_imm_int(b, 255));
    default:
        return s;
    }
}

/* The test of one face and the three values that may be stored. */
struct stencil_face {
    nir_def *pass, *on_fail, *on_zfail, *on_zpass;
};

static struct stencil_face stencil_face(nir_builder *b, const struct cpu_zs_inputs *in,
                                        unsigned face, nir_def *stored)
{
    const struct cpu_zs_key *zs = &in->key->zs;
    unsigned func = zs->stencil[face].func, word = face * 4;
    nir_def *ref =
        in->stencil_ref
            ? nir_iand_imm(b, in->stencil_ref, 255)
            : cpu_load_const(b, 1, 32, in->fs, offsetof(struct cpu_fs_state, stencil_ref) + word);
    nir_def *valuemask =
        cpu_load_const(b, 1, 32, in->fs, offsetof(struct cpu_fs_state, stencil_valuemask) + word);
    nir_def *writemask =
        cpu_load_const(b, 1, 32, in->fs, offsetof(struct cpu_fs_state, stencil_writemask) + word);
    struct stencil_face f;
    const unsigned ops[3] = {zs->stencil[face].fail_op, zs->stencil[face].zfail_op,
                             zs->stencil[face].zpass_op};
    nir_def **results[3] = {&f.on_fail, &f.on_zfail, &f.on_zpass};

    f.pass = cpu_nir_compare(b, func, nir_iand(b, ref, valuemask), nir_iand(b, stored, valuemask),
                             false);
    for (unsigned i = 0; i < 3; i++) {
        /* the write mask selects between old and new bits */
        nir_def *value = stencil_op(b, ops[i], stored, ref);
        nir_def *change = nir_iand(b, nir_ixor(b, value, stored), writemask);
        *results[i] = ops[i] == DRV_STENCIL_KEEP ? stored : nir_ixor(b, stored, change);
    }
    return f;
}

static struct stencil_face stencil_test(nir_builder *b, const struct cpu_zs_inputs *in,
                                        nir_def *stored)
{
    struct stencil_face front = stencil_face(b, in, 0, stored);
    if (!in->key->zs.stencil[1].enabled)
        return front;
    struct stencil_face back = stencil_face(b, in, 1, stored);
    return (struct stencil_face){
        .pass = nir_bcsel(b, in->front_facing, front.pass, back.pass),
        .on_fail = nir_bcsel(b, in->front_facing, front.on_fail, back.on_fail),
        .on_zfail = nir_bcsel(b, in->front_facing, front.on_zfail, back.on_zfail),
        .on_zpass = nir_bcsel(b, in->front_facing, front.on_zpass, back.on_zpass),
    };
}

/* Returns whether a stored depth passes the depth bounds test (EXT_depth_bounds_test). The bounds
 * are rounded to the format, so that they equal depths that were drawn with the same value. */
static nir_def *depth_bounds_test(nir_builder *b, const struct cpu_zs_inputs *in, nir_def *stored)
{
    const enum drv_format format = in->key->zs_format;
    const bool is_float = util_format_is_float(format);
    nir_def *bound[2];

    for (unsigned i = 0; i < 2; i++)
        bound[i] = cpu_nir_quantize_depth(
            b, format,
            cpu_load_const(b, 1, 32, in->fs, offsetof(struct cpu_fs_state, depth_bounds) + i * 4));
    return nir_iand(b, cpu_nir_compare(b, DRV_FUNC_LEQUAL, bound[0], stored, is_float),
                    cpu_nir_compare(b, DRV_FUNC_LEQUAL, stored, bound[1], is_float));
}

nir_def *cpu_nir_depth_stencil(nir_builder *b, const struct cpu_zs_inputs *in)
{
    const struct cpu_zs_key *zs = &in->key->zs;
    enum drv_format format = in->key->zs_format;
    bool depth_test = zs->depth_func && util_format_has_depth(format);
    bool stencil = zs->stencil[0].enabled && util_format_has_stencil(format);
    bool depth_write = depth_test && zs->depth_write;
    bool bounds = zs->depth_bounds && util_format_has_depth(format);
    nir_def *mask = in->mask;

    if (!depth_test && !stencil && !bounds)
        return mask;

    unsigned components, size;
    cpu_texel_shape(format, &components, &size);
    nir_def *texel = cpu_load_texels(b, components, size, in->address);
    nir_def *z_pass = nir_imm_true(b), *z = NULL;
    if (bounds)
        mask = nir_iand(b, mask, depth_bounds_test(b, in, cpu_nir_depth_bits(b, format, texel)));
    if (depth_test) {
        bool is_float = util_format_is_float(format);
        z = cpu_nir_quantize_depth(b, format, in->z);
        z_pass = cpu_nir_compare(b, zs->depth_func - 1, z, cpu_nir_depth_bits(b, format, texel),
                                 is_float);
    }

    nir_def *pass = nir_iand(b, mask, z_pass), *new_stencil = NULL, *store = pass;
    if (stencil) {
        struct stencil_face s = stencil_test(b, in, cpu_nir_stencil_bits(b, format, texel));
        pass = nir_iand(b, pass, s.pass);
        new_stencil = nir_bcsel(b, s.pass, nir_bcsel(b, z_pass, s.on_zpass, s.on_zfail), s.on_fail);
        store = mask;
    }
    if (depth_write || stencil) {
        nir_def *new_z = NULL;
        if (depth_write)
            new_z = stencil ? nir_bcsel(b, pass, z, cpu_nir_depth_bits(b, format, texel)) : z;
        nir_def *result = cpu_nir_pack_depth_stencil(b, format, texel, new_z, new_stencil);
        cpu_store_texels(b, result, in->address, store);
    }
    return pass;
}
