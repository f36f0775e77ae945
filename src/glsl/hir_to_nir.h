/* SPDX-License-Identifier: MIT */
/*
 * Internal declarations of hir_to_nir. Function parameters and results are passed in global
 * variables (GLSL has no recursion), so NIR calls have no parameters. Samplers and images are not
 * values: a function with opaque parameters is translated separately for each call, with the
 * caller's derefs substituted.
 */
#ifndef HIR_TO_NIR_H
#define HIR_TO_NIR_H

#include "glsl/glsl_link.h"
#include "nir/nir_builder.h"

/* One step of an access path: a struct field or an array element. */
struct h2n_step {
    bool is_field;
    unsigned index;        /* field index, or constant element index */
    nir_variable *dynamic; /* variable that holds the element index; NULL: constant */
};
/* The access path of an opaque argument: a uniform (root) and the steps to the opaque value. */
struct h2n_path {
    struct hir_variable *root;
    unsigned count;
    struct h2n_step *steps;
};

struct h2n_function {
    nir_function *nir;
    struct hir_signature *sig;
    nir_variable **params; /* one per parameter; NULL for parameters without data */
    /* One per parameter; NULL for parameters without opaque parts. A struct with data and opaque
     * members has an entry in both arrays. */
    struct h2n_path **paths;
    nir_variable *result; /* NULL: void */
};

struct h2n {
    struct linker *ln;
    struct link_stage *st;
    nir_shader *shader;
    void *tmp;
    nir_builder b;
    nir_function_impl *impl;
    struct h2n_function *function;
    /* hir_signature → h2n_function; only functions without opaque parameters. */
    struct hash_table *functions;
    DYNARRAY(struct h2n_function *) pending; /* functions whose bodies are not translated yet */
    struct hash_table *types;                /* glsl_type → its copy in the shader */
    /* glsl_type → its copy with bool replaced by uint, for uniforms and buffers. */
    struct hash_table *uint_types;
    /* Name → nir_variable: "s.t" for opaque members of structs and members of built-in uniforms,
     * "in Block.member" or "out Block.member" for members of input and output blocks. */
    struct hash_table *members;
    struct hash_table *constants;    /* hir_constant → nir_variable that holds it */
    struct hash_table *blocks;       /* block name → nir_variable */
    struct hash_table *subroutines;  /* hir_signature → link_subroutine */
    struct hash_table *locals;       /* current function: hir_variable → nir_variable */
    struct hash_table *aliases;      /* current function: opaque parameter → h2n_path */
    struct list_head *continue_list; /* of the innermost loop; NULL: none */
    unsigned loop_depth;
};

/* A scalar or vector (n = 1), or the columns of a matrix (n = number of columns). */
struct h2n_value {
    nir_def *c[4];
    unsigned n;
};

/* hir_to_nir_deref.c */
/* Returns the shader's copy of a type; bool_as_uint: with bool replaced by uint. */
const struct glsl_type *h2n_type(struct h2n *h, const struct glsl_type *type, bool bool_as_uint);
/* Returns whether a type is or contains a sampler, image or atomic counter. */
bool h2n_has_opaque(const struct glsl_type *t);
/* Creates variables for blocks that are active even though no code refers to them (GL 4.6 §7.6). */
void h2n_declare_blocks(struct h2n *h);
/* Returns the NIR variable of a HIR variable, and creates it on first use. */
nir_variable *h2n_variable(struct h2n *h, struct hir_variable *var);
/* Returns the type of a local variable; the indices used give the size of an unsized array. */
const struct glsl_type *h2n_local_type(struct h2n *h, const struct hir_variable *var);
nir_variable *h2n_local(struct h2n *h, const struct glsl_type *type, const char *name);
nir_deref_instr *h2n_deref(struct h2n *h, const struct hir_value *value);
/* Returns the deref of a sampler, image or counter; NULL if the linker rejected the value. */
nir_deref_instr *h2n_opaque_deref(struct h2n *h, const struct hir_value *value);
struct h2n_path *h2n_opaque_path(struct h2n *h, const struct hir_value *value);
/* Returns the index as a 32-bit value, clamped below `length` (0: not clamped). */
nir_def *h2n_index(struct h2n *h, const struct hir_value *index, unsigned length);
struct h2n_value h2n_load(struct h2n *h, nir_deref_instr *deref, const struct glsl_type *type);
/* Returns whether a value of this type is too large to copy, and reports a link error if so. */
bool h2n_too_large(struct h2n *h, const struct glsl_type *t);
/* Copies a value, except for opaque members (they are separate variables). The types are equal,
 * except that one side may have uint for bool. */
void h2n_copy(struct h2n *h, nir_deref_instr *dest, nir_deref_instr *src);
/* Stores a value of any type through an lvalue; mask is hir_assign.write_mask. */
void h2n_assign(struct h2n *h, const struct hir_value *lhs, const struct hir_value *rhs,
                unsigned mask);

/* hir_to_nir_expr.c */
struct h2n_value h2n_eval(struct h2n *h, const struct hir_value *value);
nir_def *h2n_eval_vec(struct h2n *h, const struct hir_value *value);

/* hir_to_nir_math.c: operations that have no NIR opcode */
/* Builds an operation on scalars or vectors; returns NULL if it has a NIR opcode. is_signed: the
 * operands are signed integers. */
nir_def *h2n_build_math(nir_builder *b, enum hir_op op, bool is_signed, nir_def *x, nir_def *y);
/* Builds a pack or unpack operation. */
nir_def *h2n_pack(nir_builder *b, enum hir_op op, nir_def *x);
nir_def *h2n_determinant(nir_builder *b, const struct h2n_value *m);
struct h2n_value h2n_inverse(nir_builder *b, const struct h2n_value *m);

/* hir_to_nir_intrinsic.c */
void h2n_intrinsic(struct h2n *h, const struct hir_intrinsic *intr);

/* hir_to_nir_tex.c */
nir_def *h2n_texture(struct h2n *h, const struct hir_texture *tex);

#endif
