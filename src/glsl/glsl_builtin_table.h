/* SPDX-License-Identifier: MIT */
/* The format of the table of built-in functions that glsl_builtin_expand.py generates, and the
 * functions (glsl_builtin_bodies.c) that build the bodies of some of them. */
#ifndef GLSL_BUILTIN_TABLE_H
#define GLSL_BUILTIN_TABLE_H

#include "glsl/glsl_builtins.h"

/* Encodings of types in 16 bits, used in the table. base: a GLSL_TYPE_* name; for samplers and
 * images, that of a texel component. rows: components of a column. dim: a GLSL_SAMPLER_DIM_* name.
 * shadow, array: 0 or 1. NUMERIC(FLOAT, 3, 1) is vec3, SAMPLER(2D, 0, 1, INT) isampler2DArray. */
#define NUMERIC(base, rows, columns) (GLSL_TYPE_##base << 8 | (rows) << 4 | (columns))
#define SAMPLER(dim, shadow, array, base)                                                          \
    (0x8000 | GLSL_SAMPLER_DIM_##dim << 8 | (shadow) << 5 | (array) << 4 | GLSL_TYPE_##base)
#define IMAGE(dim, array, base)                                                                    \
    (0x2000 | GLSL_SAMPLER_DIM_##dim << 8 | (array) << 4 | GLSL_TYPE_##base)
#define VOID        0x4000
#define ATOMIC_UINT 0x4001
#define OFFSETS     0x4002 /* ivec2[4] */

/* State of a builtin_build_fn, which replaces a call of a built-in function by its body. */
struct builtin_body {
    struct hir_shader *sh;
    const struct glsl_builtin_env *env;
    /* Type of the value to compute: the return type, with floats in place of half floats. The
     * caller converts the value to the return type. */
    const struct glsl_type *type;
    struct list_head *instructions; /* instructions are appended to this list */
    struct glsl_loc loc;            /* location of the call */
    bool failed;                    /* memory was exhausted */
};

/* Appends the instructions of the body to b->instructions. Returns the value of the call, or NULL
 * for void functions. If memory is exhausted, sets b->failed; the result is then meaningless. */
typedef struct hir_value *(*builtin_build_fn)(struct builtin_body *b, struct hir_value **args);

/* How a call is built: as a HIR operation, a texture operation, an intrinsic, or by a function of
 * glsl_builtin_bodies. */
enum builtin_kind { BUILTIN_OP, BUILTIN_TEX, BUILTIN_INTRINSIC, BUILTIN_BODY };

/* An overload of a built-in function. */
struct glsl_builtin_row {
    /* `type` is the encoded return type; first_param is the index of the first parameter's encoded
     * type in glsl_builtin_params. */
    uint16_t type, first_param;
    uint8_t num_params, outs; /* outs: bit i is set if parameter i is an out parameter */
    /* HIR_VAR_BUFFER or HIR_VAR_SHADER_IN if the first parameter is passed as a deref (see
     * glsl_builtin_signatures); else 0. */
    uint8_t first_param_mode;
    uint8_t condition; /* index into glsl_builtin_conditions */
    uint8_t kind;      /* enum builtin_kind */
    uint8_t op;        /* by kind: enum hir_op, nir_texop or hir_intrinsic_op; unused for bodies */
    uint8_t index;     /* BUILTIN_TEX: into glsl_builtin_roles; BUILTIN_BODY: glsl_builtin_bodies */
};

/* The overloads of a name. glsl_builtin_names is sorted by name. */
struct glsl_builtin_name {
    const char *name;
    uint16_t first, count; /* index of the first overload in glsl_builtin_rows; their number */
};

extern const struct glsl_builtin_row glsl_builtin_rows[];
extern const struct glsl_builtin_name glsl_builtin_names[];
extern const uint16_t glsl_builtin_params[]; /* encoded types */
/* Functions that return whether an overload is available in an environment
 * (glsl_builtin_row.condition). */
extern bool (*const glsl_builtin_conditions[])(const struct glsl_builtin_env *env);
extern const builtin_build_fn glsl_builtin_bodies[];
/* Strings with a letter for each argument of a texture function, as in glsl_builtin_expand.py. */
extern const char *const glsl_builtin_roles[];
extern const unsigned glsl_builtin_name_count, glsl_builtin_row_count;

/* Declares glsl_build_<name>, which builds functions declared with body('<name>') in
 * glsl_builtin_functions.py. */
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
BUILDER(fma_half);
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
BUILDER(sparse_image_load);
BUILDER(step);
BUILDER(sub_borrow);
BUILDER(texels_resident);

#endif
