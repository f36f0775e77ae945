/* SPDX-License-Identifier: MIT */
/*
 * Translates the syntax tree to HIR: resolves names, determines types and checks every semantic
 * rule of the language.
 *
 *   ast_to_hir.c      the whole shader, default precisions
 *   ast_symbols.c     scopes
 *   ast_type.c        types, array sizes, structs
 *   ast_convert.c     implicit conversions, constant folding, temporaries
 *   ast_expr.c        expressions;  ast_operator.c  their operators
 *   ast_lvalue.c      lvalues and assignments
 *   ast_call.c        overloads and calls;  ast_constructor.c  constructors, initializer lists
 *   ast_statement.c   statements;  ast_switch.c  switch
 *   ast_function.c    prototypes and definitions
 *   ast_variable.c    variables and their qualifiers;  ast_redeclare.c  redeclarations
 *   ast_block.c       interface blocks
 *   ast_layout*.c     layout qualifiers: ast_layout.h
 *   ast_per_vertex.c  sizes of arrays with an element per vertex
 *   ast_counter.c     offsets of atomic counters
 *   ast_capture.c     transform feedback layout of the whole shader
 *   ast_subroutine.c  subroutine types, uniforms and functions
 *
 * A value is a tree without side effects. The side effects of an expression are appended to the
 * current instruction list before its value is used. After an error, a value has the error type,
 * which suppresses further messages about it.
 */
#ifndef AST_TO_HIR_H
#define AST_TO_HIR_H

#include "glsl/ast.h"

enum symbol_kind { SYMBOL_VARIABLE, SYMBOL_TYPE, SYMBOL_FUNCTION, SYMBOL_BLOCK };

struct glsl_symbol {
    uint8_t kind;         /* enum symbol_kind */
    uint16_t block_modes; /* SYMBOL_BLOCK: mask of the enum hir_variable_mode that exist */
    unsigned level;       /* level of its scope: 0 for built-ins, 1 for globals */
    struct glsl_atom *atom;
    struct glsl_symbol *shadowed; /* outer declaration of the same name */
    struct glsl_symbol *next_in_scope;
    union {
        struct hir_variable *var;
        const struct glsl_type *type;
        struct hir_function *function;
    };
};

struct precision_default {
    const struct glsl_type *type;
    uint8_t precision;
};

struct glsl_scope {
    struct glsl_scope *outer;
    struct glsl_symbol *symbols;
    unsigned level;
    struct precision_default *precisions;
    unsigned num_precisions, precisions_capacity;
};

/* An enclosing loop or switch. */
struct ast_loop {
    struct ast_loop *outer;
    bool is_switch;
    struct hir_variable *continue_flag; /* switch in a loop: set at run time by continue */
};

struct ast_state {
    struct glsl_compiler *c;
    struct hir_shader *sh;
    struct glsl_builtin_env env;
    struct list_head *list;    /* new instructions are appended to this list */
    struct hir_signature *sig; /* function being defined, or NULL */
    bool has_return;           /* a return with a value was seen in that function */
    bool returned;             /* any return was seen in that function */
    unsigned control_depth;    /* number of enclosing ifs, loops and switches */
    struct ast_loop *loop;
    struct glsl_scope *scope;
    unsigned num_anonymous; /* number of structs without a name so far */
    bool fragcoord_used, fragcoord_declared;
    bool in_buffer;           /* members of a buffer block are being declared */
    bool per_vertex_declared; /* `out gl_PerVertex { … };` was seen */
    unsigned frag_outputs;    /* mask of enum ast_frag_output: what the fragment shader writes */
    uint8_t default_ubo_packing, default_ssbo_packing; /* enum glsl_interface_packing */
    bool default_ubo_row_major, default_ssbo_row_major;
    unsigned xfb_buffer, stream; /* defaults for outputs */
    struct ast_counters *counters;
    struct ast_per_vertex *per_vertex; /* interface arrays with one element per vertex */
};

static inline bool value_is_error(const struct hir_value *v)
{
    return v->type->base_type == GLSL_TYPE_ERROR;
}

static inline void hir_emit(struct ast_state *st, struct hir_node *node)
{
    list_addtail(&node->link, st->list);
}

/* Returns whether the language version is at least this desktop or ES version (0: never). */
static inline bool st_has(const struct ast_state *st, unsigned gl, unsigned es)
{
    return glsl_is_version(st->c, gl, es);
}

static inline bool st_ext(const struct ast_state *st, enum glsl_extension ext)
{
    return glsl_has_ext(st->c, ext);
}

/* --- ast_to_hir.c --- */
/* Translates the tree to HIR. Errors are counted in c. */
void glsl_ast_to_hir(struct glsl_compiler *c, struct hir_shader *sh, struct ast_node *shader);
/* Returns the precision of a type without a qualifier (ESSL 3.00 §4.5.4); NONE: there is no
 * default. */
enum glsl_precision default_precision(const struct ast_state *st, const struct glsl_type *type);

/* --- ast_symbols.c --- */
void scope_push(struct ast_state *st);
void scope_pop(struct ast_state *st);
const char *atom_name(struct ast_state *st, struct glsl_atom *atom); /* in the shader's arena */
/* Returns a suggestion to append to a message about an unknown name, or "". kinds: mask of enum
 * symbol_kind. */
const char *suggest_symbol(struct ast_state *st, const char *wrong, unsigned kinds);
struct glsl_symbol *symbol_add(struct ast_state *st, struct glsl_atom *atom, enum symbol_kind kind);
/* Returns the declaration of the name in the current scope, or NULL. */
struct glsl_symbol *symbol_in_scope(const struct ast_state *st, const struct glsl_atom *atom);
/* Returns false and reports an error if a shader may not declare this name (gl_*). Warns about
 * names with __. */
bool check_declarable(struct ast_state *st, const struct glsl_atom *atom, struct glsl_loc loc);
void declare_builtins(struct ast_state *st);
/* Adds a built-in variable to the shader when it is first referenced. */
void use_variable(struct ast_state *st, struct hir_variable *var);

/* --- ast_type.c --- */
/* Resolves a type with the additional array sizes of a declarator; returns the error type after an
 * error. */
const struct glsl_type *ast_resolve_type(struct ast_state *st, const struct ast_type *type,
                                         const struct ast_dims *more);
const struct glsl_type *ast_declare_struct(struct ast_state *st, const struct ast_struct *s);
/* Evaluates a constant integer expression. Returns false after an error. */
bool ast_constant_int(struct ast_state *st, const struct ast_expr *e, const char *what,
                      int64_t *value);
/* Returns whether values of this type can be assigned, initialized and returned: arrays from GLSL
 * 1.20 and ESSL 3.00 on; in ESSL 1.00, not even structs with arrays (§5.8). */
bool array_is_value(const struct ast_state *st, const struct glsl_type *t);
/* Returns the type that an atom names, or NULL. */
const struct glsl_type *find_type(const struct glsl_atom *atom);
bool type_is_opaque(const struct glsl_type *t); /* a sampler, image or atomic counter */
bool type_contains_opaque(const struct glsl_type *t);

/* --- ast_convert.c --- */
struct hir_value *error_value(struct ast_state *st);
/* Returns the constant value of v if it has one, else v. Cheap: it only looks at the operands. */
struct hir_value *fold(struct ast_state *st, struct hir_value *v);
/* Returns an expression, folded. */
struct hir_value *make_expr(struct ast_state *st, enum hir_op op, const struct glsl_type *type,
                            struct hir_value *a, struct hir_value *b, struct hir_value *c,
                            struct glsl_loc loc);
/* Returns whether a type converts implicitly to another (GLSL 4.60 §4.1.10). Equal types do. */
bool can_convert(const struct ast_state *st, const struct glsl_type *from,
                 const struct glsl_type *to);
/* Converts a value implicitly; returns NULL if the language does not allow it. */
struct hir_value *convert_implicitly(struct ast_state *st, struct hir_value *v,
                                     const struct glsl_type *to);
/* Converts a value to another base type with the same shape, without restrictions. */
struct hir_value *convert_base(struct ast_state *st, struct hir_value *v, enum glsl_base_type base);
struct hir_variable *make_temporary(struct ast_state *st, const struct glsl_type *type,
                                    const char *name);
void emit_assign(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs);
/* Returns whether later instructions cannot change the value of v. */
bool value_is_stable(const struct hir_value *v);
/* Returns the current end of the instruction list. If instructions were added after it, keep_value
 * evaluates v at that position. */
struct list_head *list_mark(struct ast_state *st);
struct hir_value *keep_value(struct ast_state *st, struct hir_value *v, struct list_head *mark);
unsigned type_components(const struct glsl_type *t);

/* --- ast_expr.c --- */
/* Returns the value of an expression, never NULL. Its side effects are appended to the instruction
 * list. */
struct hir_value *ast_expr_value(struct ast_state *st, struct ast_expr *e);
/* Does the same for an expression that is only written or named, so that a missing read access is
 * no error. */
struct hir_value *ast_lvalue_value(struct ast_state *st, struct ast_expr *e);
/* Evaluates an expression for its side effects only. */
void ast_expr_discard(struct ast_state *st, struct ast_expr *e);
/* Returns a scalar boolean condition, or the error value. */
struct hir_value *ast_condition_value(struct ast_state *st, struct ast_expr *e, const char *what);
/* Returns whether v is an array in gl_in or gl_out that the shader left unsized (gl_ClipDistance).
 * Its type has the maximum size, but in the language it has none. */
bool is_builtin_unsized(const struct hir_value *v);

/* --- ast_operator.c --- */
struct hir_value *ast_unary(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_binary(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_binary_values(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                    struct hir_value *b, struct glsl_loc loc);
struct hir_value *ast_logic(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_conditional(struct ast_state *st, struct ast_expr *e);
const char *ast_op_text(enum ast_op op);

/* --- ast_lvalue.c --- */
/* Reports an error if e, whose value is v, cannot be written. */
bool check_lvalue(struct ast_state *st, const struct ast_expr *e, const struct hir_value *v);
/* Writes rhs, which has the type of lhs, through swizzles. */
void store_value(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs);
/* Returns the value of the assignment, or NULL if !want_value. */
struct hir_value *ast_assign(struct ast_state *st, struct ast_expr *e, bool want_value);
struct hir_value *ast_increment(struct ast_state *st, struct ast_expr *e, bool want_value);
/* If instructions were added after the mark, evaluates the indices of an lvalue at the mark. */
void keep_lvalue(struct ast_state *st, struct hir_value *v, struct list_head *mark);
/* Returns the same lvalue with indices that later instructions cannot change. */
struct hir_value *stable_lvalue(struct ast_state *st, struct hir_value *v);

/* --- ast_call.c --- */
struct hir_value *ast_call(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_method(struct ast_state *st, struct ast_expr *e);

/* --- ast_constructor.c --- */
struct hir_value *ast_constructor(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e);
/* Returns the value of an initializer, an expression or a braced list, for a variable of this type.
 * An unsized array type takes the size of the initializer. */
struct hir_value *ast_initializer(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e);

/* --- ast_statement.c, ast_switch.c --- */
void ast_statements(struct ast_state *st, struct ast_node *first);
void ast_switch(struct ast_state *st, struct ast_node *n);
/* Appends if (condition) { … } to the instruction list. */
struct hir_if *emit_if(struct ast_state *st, struct hir_value *condition);
void emit_jump(struct ast_state *st, enum hir_jump_mode mode, struct glsl_loc loc);
struct hir_loop *emit_loop(struct ast_state *st, struct glsl_loc loc);

/* --- ast_function.c --- */
void ast_function(struct ast_state *st, struct ast_node *n);

/* --- ast_variable.c --- */
void ast_variables(struct ast_state *st, struct ast_node *n);
/* Returns the mode of a global variable with these qualifiers. */
enum hir_variable_mode qualifier_mode(struct ast_state *st, const struct ast_qualifier *q);
void apply_qualifier(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q);
uint8_t qualifier_interpolation(const struct ast_qualifier *q);
uint8_t qualifier_access(const struct ast_qualifier *q);
/* Returns the precision of a declaration of this type and reports the errors of ES. */
uint8_t resolve_precision(struct ast_state *st, const struct ast_qualifier *q,
                          const struct glsl_type *type, struct glsl_loc loc);

/* --- ast_redeclare.c --- */
/* Returns the maximum number of elements of a built-in array; 0: unlimited. */
unsigned array_size_limit(const struct ast_state *st, const char *name);
/* Handles a redeclaration of a global name: array sizes, qualifiers of built-ins. Returns false if
 * it is none of these. */
bool ast_redeclare(struct ast_state *st, struct hir_variable *old, const struct glsl_type *type,
                   const struct ast_qualifier *q, const struct ast_declarator *d);
void ast_requalify(struct ast_state *st, struct ast_node *n);
/* Handles a declaration that may also be in a function; returns false for other declarations. */
bool ast_declaration(struct ast_state *st, struct ast_node *n);

/* --- ast_block.c --- */
void ast_interface(struct ast_state *st, struct ast_node *n);

/* --- ast_layout*.c: ast_layout.h --- */

/* --- ast_per_vertex.c --- */
/* Returns whether interface variables of this mode have an array dimension for the vertices of a
 * primitive or patch: geometry inputs, tessellation inputs, tessellation control outputs. */
bool is_per_vertex(const struct ast_state *st, enum hir_variable_mode mode, bool patch);
/* Checks the outermost size of a per-vertex variable or block instance. Sets the size if it is
 * known already, else set_per_vertex does so later. */
void add_per_vertex(struct ast_state *st, struct hir_variable *var, struct glsl_loc loc);
/* Called for layout(triangles) in; or layout(vertices = 3) out;. Sets the size of all per-vertex
 * variables of that mode. */
void set_per_vertex(struct ast_state *st, enum hir_variable_mode mode, unsigned size,
                    struct glsl_loc loc);

/* --- ast_subroutine.c --- */
/* Declares a type with `subroutine void name(int);` and its signature. */
void declare_subroutine_type(struct ast_state *st, struct ast_node *n, struct hir_signature *sig);
/* Applies the types of `subroutine(a, b) void f(int) { … }` and layout(index). */
void apply_subroutine_types(struct ast_state *st, struct ast_node *n, struct hir_signature *sig);
/* Returns the declaration of a subroutine type; NULL if `type` is not one. */
struct hir_subroutine_type *find_subroutine(const struct ast_state *st,
                                            const struct glsl_type *type);
/* Reports an error for variables of subroutine type that are not uniforms. */
void check_subroutine_variable(struct ast_state *st, const struct hir_variable *var,
                               const struct ast_qualifier *q, struct glsl_loc loc);

/* --- ast_capture.c --- */
/* Returns the alignment and size in bytes of a value in a transform feedback buffer. */
unsigned capture_align(const struct glsl_type *t);
uint64_t capture_size(const struct glsl_type *t);
/* At the end of the shader, checks for outputs that overlap in their buffers or exceed the
 * stride. */
void check_captures(struct ast_state *st);

/* --- ast_counter.c --- */
/* Returns a pointer to the offset of the next atomic counter of a binding. */
unsigned *counter_offset(struct ast_state *st, unsigned binding);
/* Reserves bytes of a binding. Returns whether some were already reserved. */
bool counter_overlaps(struct ast_state *st, unsigned binding, unsigned offset, unsigned size);

#endif
