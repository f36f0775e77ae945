/* SPDX-License-Identifier: MIT */
/*
 * Internal declarations of the translation from HIR to NIR. Parameters and results of functions are
 * passed in global variables (GLSL has no recursion), so NIR calls have no parameters. Samplers,
 * images and atomic counters (opaque types) of the default block are not values. A function with
 * opaque parameters is therefore translated once for each call, with the caller's derefs in place
 * of the parameters. All other samplers and images are 64-bit handles (ARB_bindless_texture).
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
/* The access path of an opaque argument. It starts at a uniform and leads to the opaque value. */
struct h2n_path {
    struct hir_variable *root; /* the uniform */
    unsigned count;            /* number of steps */
    struct h2n_step *steps;
};

/* A function that is translated, or one translation of a function with opaque parameters. */
struct h2n_function {
    nir_function *nir;
    struct hir_signature *sig;
    /* Arrays with an element per parameter. params: variable for the parameter's data. paths: path
     * of its opaque parts. An element is NULL if the parameter has no such parts. */
    nir_variable **params;
    struct h2n_path **paths;
    nir_variable *result; /* receives the return value; NULL for void */
};

/* State of the translation of one stage. */
struct h2n {
    struct linker *ln;
    struct link_stage *st;
    nir_shader *shader;
    void *tmp;                     /* talloc context of temporary data */
    nir_builder b;                 /* inserts into impl */
    nir_function_impl *impl;       /* body of the current function */
    struct h2n_function *function; /* current function */
    /* hir_signature → h2n_function; only functions without opaque parameters. */
    struct hash_table *functions;
    DYNARRAY(struct h2n_function *) pending; /* functions whose bodies are not translated yet */
    struct hash_table *types;                /* glsl_type → its copy in the shader */
    /* glsl_type → its copy with bool replaced by uint, for uniforms of the default block. */
    struct hash_table *uint_types;
    /* Name → nir_variable: "s.t" for opaque members of structs and members of built-in uniforms,
     * "in Block.member" or "out Block.member" for members of blocks, "in gl_Position.gl_in" and so
     * on for those of gl_in and gl_out, "s#handle" for handles. */
    struct hash_table *members;
    struct hash_table *constants;    /* hir_constant → nir_variable that holds it */
    struct hash_table *blocks;       /* link_block of a uniform or storage block → nir_variable */
    struct hash_table *subroutines;  /* hir_signature → link_subroutine */
    struct hash_table *locals;       /* current function: hir_variable → nir_variable */
    struct hash_table *aliases;      /* current function: opaque parameter → h2n_path */
    struct list_head *continue_list; /* hir_loop.continue_list of the innermost loop, or NULL */
    unsigned loop_depth;             /* number of enclosing loops */
    nir_variable *ended;             /* task shaders: EmitMeshTasksEXT() was called */
    bool invariant; /* some output is invariant; values that calls pass are exact */
    bool data_only; /* h2n_copy_value() leaves out opaque members, which are passed as paths */
};

/* A scalar or vector (n = 1), or the columns of a matrix (n = number of columns). */
struct h2n_value {
    nir_def *c[4];
    unsigned n;
};

/* hir_to_nir_deref.c */
/* Returns a copy of a type that belongs to the shader, with half floats replaced by floats. If
 * in_default_block, bool is replaced by uint. Otherwise, samplers and images are replaced by
 * uint64_t (ARB_bindless_texture). */
const struct glsl_type *h2n_type(struct h2n *h, const struct glsl_type *type,
                                 bool in_default_block);
/* Returns whether a sampler or image, or a value that contains some, belongs to the default block:
 * it is a uniform, or a parameter that stands for one. Others are handles. */
bool h2n_is_bound(struct h2n *h, const struct hir_value *value);
/* Returns the 64-bit handle of a sampler or image. If the API has set a unit, it is the handle of
 * the slot (NIR_SLOT_HANDLE). 0 if the linker rejected the value. */
nir_def *h2n_handle(struct h2n *h, const struct hir_value *value);
/* Loads the handle of a sampler or image of the default block; it is 0 if the API has set a unit.
 * Returns NULL if the API can set only units. deref: h2n_opaque_deref() of the value. */
nir_def *h2n_uniform_handle(struct h2n *h, nir_deref_instr *deref);
/* Returns whether a type is or contains a sampler, image or atomic counter. */
bool h2n_has_opaque(const struct glsl_type *t);
/* Creates variables for blocks that are active even though no code refers to them (GL 4.6 §7.6). */
void h2n_declare_blocks(struct h2n *h);
/* Returns the NIR variable of a HIR variable. Creates it on first use. */
nir_variable *h2n_variable(struct h2n *h, struct hir_variable *var);
/* Returns the type of a local variable. An unsized array gets its size from the indices in the code
 * (GLSL 4.60 §4.1.9). */
const struct glsl_type *h2n_local_type(struct h2n *h, const struct hir_variable *var);
/* Creates a local variable of type h2n_type(h, type, false) in the current function. */
nir_variable *h2n_local(struct h2n *h, const struct glsl_type *type, const char *name);
/* Builds the deref of a value. If it is not a chain of derefs, evaluates it into a variable
 * first. */
nir_deref_instr *h2n_deref(struct h2n *h, const struct hir_value *value);
/* Returns whether the stage has derivatives (hir_to_nir_tex.c). Without them, derivatives are 0 and
 * lookups with implicit level of detail use the base level. */
bool h2n_has_derivatives(const struct h2n *h);
/* Builds textureSamplesIdenticalEXT: returns a boolean that is true if all samples of the texel are
 * equal. Returns NULL if the linker rejected the sampler. In hir_to_nir_tex.c. */
nir_def *h2n_samples_identical(struct h2n *h, const struct hir_value *sampler,
                               const struct hir_value *coord);
/* Builds the deref of a sampler, image or counter. Returns NULL if the linker rejected the
 * value. */
nir_deref_instr *h2n_opaque_deref(struct h2n *h, const struct hir_value *value);
/* Returns the access path of an opaque value, starting at the uniform even if the value is a
 * parameter. Evaluates dynamic indices at the cursor and stores them to variables. The path is
 * allocated from h->tmp. */
struct h2n_path *h2n_opaque_path(struct h2n *h, const struct hir_value *value);
/* Evaluates an index to 32 bits and clamps it to length - 1, unless length is 0. */
nir_def *h2n_index(struct h2n *h, const struct hir_value *index, unsigned length);
/* Loads a scalar, vector or matrix of type `type`. */
struct h2n_value h2n_load(struct h2n *h, nir_deref_instr *deref, const struct glsl_type *type);
/* Returns whether a value of this type is too large to copy, and reports a link error if so. */
bool h2n_too_large(struct h2n *h, const struct glsl_type *t);
/* Copies a value of any type. The types are equal, except that one of them may have uint in place
 * of bool, or half floats in place of floats. Copies nothing if h2n_too_large() reports an
 * error. */
void h2n_copy(struct h2n *h, nir_deref_instr *dest, nir_deref_instr *src);
/* Like h2n_copy(), for a HIR value. Opaque members of the default block are copied as handles. */
void h2n_copy_value(struct h2n *h, nir_deref_instr *dest, const struct hir_value *src);
/* Translates the assignment of rhs, of any type, to lhs. mask: hir_assign.write_mask. */
void h2n_assign(struct h2n *h, const struct hir_value *lhs, const struct hir_value *rhs,
                unsigned mask);

/* hir_to_nir_half.c. Half floats are 32-bit floats in NIR, which always have a value that a half
 * float can represent; only uniform and storage blocks contain 16-bit ones. */
/* Returns the bit size of a component of a value of type t. */
unsigned h2n_bit_size(const struct glsl_type *t);
/* Returns the half floats nearest to floats of 32 or 64 bits, rounded once, to nearest even. */
nir_def *h2n_round_to_half(nir_builder *b, nir_def *x);
/* Converts 16-bit half floats that were loaded from a block to 32-bit floats. All arithmetic uses
 * 32-bit floats, because not all drivers support 16-bit operands. */
nir_def *h2n_from_memory(nir_builder *b, nir_def *halves);
/* Returns whether a deref leads to half floats of an input whose values must still be rounded:
 * attributes, and inputs of fragment shaders, which are interpolated. */
bool h2n_is_unrounded_input(const struct h2n *h, const nir_deref_instr *deref);

/* hir_to_nir_expr.c */
/* Evaluates a scalar, vector or matrix. */
struct h2n_value h2n_eval(struct h2n *h, const struct hir_value *value);
/* Evaluates a scalar or vector. */
nir_def *h2n_eval_vec(struct h2n *h, const struct hir_value *value);

/* hir_to_nir_math.c */
/* Builds an operation on scalars or vectors that has no NIR opcode; asserts that op is one. y is
 * NULL for unary operations. is_signed: the operands are signed integers. */
nir_def *h2n_build_math(nir_builder *b, enum hir_op op, bool is_signed, nir_def *x, nir_def *y);
/* Builds a pack or unpack operation, such as packUnorm2x16. */
nir_def *h2n_pack(nir_builder *b, enum hir_op op, nir_def *x);
/* Build the determinant and the inverse of a matrix. */
nir_def *h2n_determinant(nir_builder *b, const struct h2n_value *m);
struct h2n_value h2n_inverse(nir_builder *b, const struct h2n_value *m);

/* hir_to_nir_intrinsic.c */
/* Translates an intrinsic and stores its value to intr->return_deref, unless that is NULL. */
void h2n_intrinsic(struct h2n *h, const struct hir_intrinsic *intr);

/* hir_to_nir_tex.c */
/* Translates a texture fetch or query. Returns its value. */
nir_def *h2n_texture(struct h2n *h, const struct hir_texture *tex);

#endif
