/* SPDX-License-Identifier: MIT */
/*
 * Between hir_to_nir's files. Functions take and give their values in global variables (GLSL has
 * no recursion), so calls in NIR have no parameters; samplers and images are no values, and a
 * function with parameters of them is made anew for each call, with the caller's derefs in it.
 */
#ifndef HIR_TO_NIR_H
#define HIR_TO_NIR_H

#include "glsl/glsl_link.h"
#include "nir/nir_builder.h"

/* What a parameter of opaque type stands for: a chain from a uniform. */
struct h2n_step {
    bool is_field;
    unsigned index;        /* field, or a constant element */
    nir_variable *dynamic; /* element: holds the index; NULL: constant */
};
struct h2n_path {
    struct hir_variable *root;
    unsigned count;
    struct h2n_step *steps;
};

struct h2n_function {
    nir_function *nir;
    struct hir_signature *sig;
    nir_variable **params;   /* one per parameter, NULL for those without data */
    struct h2n_path **paths; /* of parameters that are or have opaques, a struct may have both */
    nir_variable *result;    /* NULL for void */
};

struct h2n {
    struct linker *ln;
    struct link_stage *st;
    nir_shader *shader;
    void *tmp;
    nir_builder b;
    nir_function_impl *impl;
    struct h2n_function *function;
    struct hash_table *functions; /* hir_signature → h2n_function, without opaque parameters */
    DYNARRAY(struct h2n_function *) pending; /* bodies to make */
    struct hash_table *types;                /* glsl_type → its copy in the shader */
    struct hash_table *uint_types;  /* the same with bool as uint: memory outside the shader */
    struct hash_table *members;     /* "s.t" → nir_variable: opaque members of structs, members of
                                    * built-in uniforms and of blocks of inputs and outputs */
    struct hash_table *constants;   /* hir_constant → nir_variable that holds it */
    struct hash_table *blocks;      /* block name → nir_variable */
    struct hash_table *subroutines; /* hir_signature → link_subroutine */
    struct hash_table *locals;      /* of the function at work: hir_variable → nir_variable */
    struct hash_table *aliases;     /* of the function at work: opaque parameter → h2n_path */
    struct list_head *continue_list; /* of the innermost loop, NULL: none */
    unsigned loop_depth;
};

/* A scalar or vector (n = 1), or a matrix's columns. */
struct h2n_value {
    nir_def *c[4];
    unsigned n;
};

/* hir_to_nir_deref.c */
const struct glsl_type *h2n_type(struct h2n *h, const struct glsl_type *type, bool bool_as_uint);
/* It is a sampler, image or counter, or has one among its members. */
bool h2n_has_opaque(const struct glsl_type *t);
/* Makes variables of the blocks that are active though no code refers to them (GL 4.6 §7.6). */
void h2n_declare_blocks(struct h2n *h);
nir_variable *h2n_variable(struct h2n *h, struct hir_variable *var);
const struct glsl_type *h2n_local_type(struct h2n *h, const struct hir_variable *var);
nir_variable *h2n_local(struct h2n *h, const struct glsl_type *type, const char *name);
nir_deref_instr *h2n_deref(struct h2n *h, const struct hir_value *value);
nir_deref_instr *h2n_opaque_deref(struct h2n *h, const struct hir_value *value);
struct h2n_path *h2n_opaque_path(struct h2n *h, const struct hir_value *value);
/* The index as 32 bits, kept below `length` (0: as it is). */
nir_def *h2n_index(struct h2n *h, const struct hir_value *index, unsigned length);
struct h2n_value h2n_load(struct h2n *h, nir_deref_instr *deref, const struct glsl_type *type);
/* All but opaque members, which are variables of their own. */
bool h2n_too_large(struct h2n *h, const struct glsl_type *t);
void h2n_copy(struct h2n *h, nir_deref_instr *dest, nir_deref_instr *src);
/* Stores a value of any type through an lvalue; mask as in hir_assign. */
void h2n_assign(struct h2n *h, const struct hir_value *lhs, const struct hir_value *rhs,
                unsigned mask);

/* hir_to_nir_expr.c */
struct h2n_value h2n_eval(struct h2n *h, const struct hir_value *value);
nir_def *h2n_eval_vec(struct h2n *h, const struct hir_value *value);

/* hir_to_nir_math.c: functions that NIR has no opcode for; NULL if op is none of them. */
/* is_signed: the operands are. */
nir_def *h2n_build_math(nir_builder *b, enum hir_op op, bool is_signed, nir_def *x, nir_def *y);
nir_def *h2n_pack(nir_builder *b, enum hir_op op, nir_def *x);
nir_def *h2n_determinant(nir_builder *b, const struct h2n_value *m);
struct h2n_value h2n_inverse(nir_builder *b, const struct h2n_value *m);

/* hir_to_nir_intrinsic.c */
void h2n_intrinsic(struct h2n *h, const struct hir_intrinsic *intr);

/* hir_to_nir_tex.c */
nir_def *h2n_texture(struct h2n *h, const struct hir_texture *tex);

#endif
