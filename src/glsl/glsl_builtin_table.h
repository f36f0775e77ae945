/* SPDX-License-Identifier: MIT */
/* The format of the generated table of built-in functions, and the functions that build their
 * bodies. */
#ifndef GLSL_BUILTIN_TABLE_H
#define GLSL_BUILTIN_TABLE_H

#include "glsl/glsl_builtins.h"

/* Encoding of types in 16 bits. */
#define NUMERIC(base, rows, columns) (GLSL_TYPE_##base << 8 | (rows) << 4 | (columns))
#define SAMPLER(dim, shadow, array, base)                                                          \
    (0x8000 | GLSL_SAMPLER_DIM_##dim << 8 | (shadow) << 5 | (array) << 4 | GLSL_TYPE_##base)
#define IMAGE(dim, array, base)                                                                    \
    (0x2000 | GLSL_SAMPLER_DIM_##dim << 8 | (array) << 4 | GLSL_TYPE_##base)
#define VOID        0x4000
#define ATOMIC_UINT 0x4001
#define OFFSETS     0x4002 /* ivec2[4] */

/* The body of a built-in function under construction. */
struct builtin_body {
    struct hir_shader *sh;
    const struct glsl_builtin_env *env;
    const struct glsl_type *type;   /* type of the call */
    struct list_head *instructions; /* statements are appended to this list */
    struct glsl_loc loc;
    bool failed; /* out of memory */
};

/* Returns the value of the call; NULL for void functions. Sets b->failed if out of memory. */
typedef struct hir_value *(*builtin_build_fn)(struct builtin_body *b, struct hir_value **args);

enum builtin_kind { BUILTIN_OP, BUILTIN_TEX, BUILTIN_INTRINSIC, BUILTIN_BODY };

struct glsl_builtin_row {
    /* Encoded return type; index of the first parameter's type in glsl_builtin_params. */
    uint16_t type, first_param;
    uint8_t num_params, outs; /* outs: mask of the out parameters */
    /* Mode of the first parameter if it is passed as a deref: see glsl_builtin_signatures. */
    uint8_t first_param_mode;
    uint8_t condition; /* index into glsl_builtin_conditions */
    uint8_t kind;      /* enum builtin_kind */
    uint8_t op;        /* enum hir_op, nir_texop or hir_intrinsic_op */
    uint8_t index;     /* index into glsl_builtin_roles (textures) or glsl_builtin_bodies */
};

/* The overloads of a name. The table is sorted by name. */
struct glsl_builtin_name {
    const char *name;
    uint16_t first, count; /* range in glsl_builtin_rows */
};

extern const struct glsl_builtin_row glsl_builtin_rows[];
extern const struct glsl_builtin_name glsl_builtin_names[];
extern const uint16_t glsl_builtin_params[];
extern bool (*const glsl_builtin_conditions[])(const struct glsl_builtin_env *env);
extern const builtin_build_fn glsl_builtin_bodies[];
extern const char *const glsl_builtin_roles[]; /* described in glsl_builtin_expand.py */
extern const unsigned glsl_builtin_name_count, glsl_builtin_row_count;

#define BUILDER(name)                                                                              \
    struct hir_value *glsl_build_##name(struct builtin_body *b, struct hir_value **args)
BUILDER(add_carry);
BUILDER(bitcast);
BUILDER(clamp);
BUILDER(cross);
BUILDER(degrees);
BUILDER(distance);
BUILDER(emit_vertex);
BUILDER(end_primitive);
BUILDER(faceforward);
BUILDER(frexp);
BUILDER(ftransform);
BUILDER(fwidth);
BUILDER(fwidth_coarse);
BUILDER(fwidth_fine);
BUILDER(length);
BUILDER(max3);
BUILDER(mid3);
BUILDER(min3);
BUILDER(mix_bool);
BUILDER(modf);
BUILDER(mul_extended);
BUILDER(noise);
BUILDER(normalize);
BUILDER(outer_product);
BUILDER(radians);
BUILDER(reflect);
BUILDER(refract);
BUILDER(smoothstep);
BUILDER(step);
BUILDER(sub_borrow);

#endif
