/* SPDX-License-Identifier: MIT */
/*
 * From the syntax tree to HIR: names, types, every semantic rule of the language.
 *
 *   ast_to_hir.c      the shader as a whole, default precisions
 *   ast_symbols.c     scopes
 *   ast_type.c        types, array sizes, structs
 *   ast_convert.c     implicit conversions, constant folding, temporaries
 *   ast_expr.c        expressions;  ast_operator.c  their operators
 *   ast_lvalue.c      what may be assigned to, assignments
 *   ast_call.c        overloads and calls;  ast_constructor.c  constructors, initializer lists
 *   ast_statement.c   statements;  ast_switch.c  switch
 *   ast_function.c    prototypes and definitions
 *   ast_variable.c    variables and their qualifiers;  ast_redeclare.c  redeclarations
 *   ast_block.c       interface blocks
 *   ast_layout*.c     layout qualifiers: ast_layout.h
 *   ast_per_vertex.c  sizes of arrays with an element for each vertex
 *   ast_counter.c     offsets of atomic counters
 *   ast_capture.c     transform feedback layouts of the whole shader
 *   ast_subroutine.c  subroutine types, uniforms and functions
 *
 * A value is a tree without side effects: what an expression does is appended to the current
 * instruction list before the value is used. Errors give values of the error type, about which
 * nothing more is said.
 */
#ifndef AST_TO_HIR_H
#define AST_TO_HIR_H

#include "glsl/ast.h"

enum symbol_kind { SYMBOL_VARIABLE, SYMBOL_TYPE, SYMBOL_FUNCTION, SYMBOL_BLOCK };

struct glsl_symbol {
    uint8_t kind;         /* enum symbol_kind */
    uint16_t block_modes; /* of a block: bit of each enum hir_variable_mode that it has */
    unsigned level;       /* of its scope: 0 built-in, 1 global */
    struct glsl_atom *atom;
    struct glsl_symbol *shadowed; /* outer declaration of the name */
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
    struct hir_variable *continue_flag; /* of a switch in a loop: a continue was met */
};

struct ast_state {
    struct glsl_compiler *c;
    struct hir_shader *sh;
    struct glsl_builtin_env env;
    struct list_head *list;    /* instructions go to its end */
    struct hir_signature *sig; /* function being defined, or NULL */
    bool has_return;           /* a return with value was seen in it */
    bool returned;             /* any return was */
    unsigned control_depth;    /* ifs, loops and switches around */
    struct ast_loop *loop;
    struct glsl_scope *scope;
    unsigned num_anonymous; /* structs without name so far */
    bool fragcoord_used, fragcoord_declared;
    bool in_buffer;           /* members of a buffer block are declared */
    bool per_vertex_declared; /* `out gl_PerVertex { … };` was there */
    unsigned frag_outputs;    /* enum ast_frag_output: what the fragment shader wrote */
    uint8_t default_ubo_packing, default_ssbo_packing; /* enum glsl_interface_packing */
    bool default_ubo_row_major, default_ssbo_row_major;
    unsigned xfb_buffer, stream; /* of outputs that do not say */
    struct ast_counters *counters;
    struct ast_per_vertex *per_vertex; /* interface arrays with an element for each vertex */
};

static inline bool value_is_error(const struct hir_value *v)
{
    return v->type->base_type == GLSL_TYPE_ERROR;
}

static inline void hir_emit(struct ast_state *st, struct hir_node *node)
{
    list_addtail(&node->link, st->list);
}

/* The language reaches this desktop or ES version (0: never), or an extension is enabled. */
static inline bool st_has(const struct ast_state *st, unsigned gl, unsigned es)
{
    return glsl_is_version(st->c, gl, es);
}

static inline bool st_ext(const struct ast_state *st, enum glsl_extension ext)
{
    return glsl_has_ext(st->c, ext);
}

/* --- ast_to_hir.c --- */
/* Fills the shader from the tree; errors are counted in c. */
void glsl_ast_to_hir(struct glsl_compiler *c, struct hir_shader *sh, struct ast_node *shader);
/* The precision that applies to a type without qualifier (ESSL 3.00 §4.5.4), NONE: none is set. */
enum glsl_precision default_precision(const struct ast_state *st, const struct glsl_type *type);

/* --- ast_symbols.c --- */
void scope_push(struct ast_state *st);
void scope_pop(struct ast_state *st);
const char *atom_name(struct ast_state *st, struct glsl_atom *atom); /* in the shader's arena */
/* What to add to a message about a name that is unknown; kinds: bits of enum symbol_kind. */
const char *suggest_symbol(struct ast_state *st, const char *wrong, unsigned kinds);
struct glsl_symbol *symbol_add(struct ast_state *st, struct glsl_atom *atom, enum symbol_kind kind);
/* The name's declaration in the current scope, or NULL. */
struct glsl_symbol *symbol_in_scope(const struct ast_state *st, const struct glsl_atom *atom);
/* Errors for names that a shader may not declare: gl_*, and by version __. */
bool check_declarable(struct ast_state *st, const struct glsl_atom *atom, struct glsl_loc loc);
void declare_builtins(struct ast_state *st);
/* Puts a built-in variable into the shader when first named. */
void use_variable(struct ast_state *st, struct hir_variable *var);

/* --- ast_type.c --- */
/* Resolves a type with the declarator's own sizes; the error type after an error. */
const struct glsl_type *ast_resolve_type(struct ast_state *st, const struct ast_type *type,
                                         const struct ast_dims *more);
const struct glsl_type *ast_declare_struct(struct ast_state *st, const struct ast_struct *s);
/* A constant integer expression; false after an error. */
bool ast_constant_int(struct ast_state *st, const struct ast_expr *e, const char *what,
                      int64_t *value);
/* Whether values of the type can be assigned, initialized and returned: arrays from GLSL 1.20 and
 * ESSL 3.00 on, ESSL 1.00 §5.8 has structs with arrays without as well. */
bool array_is_value(const struct ast_state *st, const struct glsl_type *t);
/* Type named by an atom, or NULL. */
const struct glsl_type *find_type(const struct glsl_atom *atom);
bool type_is_opaque(const struct glsl_type *t); /* sampler, image, atomic counter */
bool type_contains_opaque(const struct glsl_type *t);

/* --- ast_convert.c --- */
struct hir_value *error_value(struct ast_state *st);
/* Its constant if it has one, else itself. Cheap: looks at the operands only. */
struct hir_value *fold(struct ast_state *st, struct hir_value *v);
struct hir_value *make_expr(struct ast_state *st, enum hir_op op, const struct glsl_type *type,
                            struct hir_value *a, struct hir_value *b, struct hir_value *c,
                            struct glsl_loc loc); /* folded */
/* Whether values convert implicitly, GLSL 4.60 §4.1.10; equal types do. */
bool can_convert(const struct ast_state *st, const struct glsl_type *from,
                 const struct glsl_type *to);
/* Converts implicitly; NULL if the language does not. */
struct hir_value *convert_implicitly(struct ast_state *st, struct hir_value *v,
                                     const struct glsl_type *to);
/* To another base type of the same shape, any to any. */
struct hir_value *convert_base(struct ast_state *st, struct hir_value *v, enum glsl_base_type base);
struct hir_variable *make_temporary(struct ast_state *st, const struct glsl_type *type,
                                    const char *name);
void emit_assign(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs);
/* Whether later instructions cannot change what v gives. */
bool value_is_stable(const struct hir_value *v);
/* Remembers where the list ends; if instructions came after it, keep_value computes v there. */
struct list_head *list_mark(struct ast_state *st);
struct hir_value *keep_value(struct ast_state *st, struct hir_value *v, struct list_head *mark);
unsigned type_components(const struct glsl_type *t);

/* --- ast_expr.c --- */
/* The value; statements of the expression are appended. Never NULL. */
struct hir_value *ast_expr_value(struct ast_state *st, struct ast_expr *e);
/* The same of what will only be written, or named: nothing says that it cannot be read. */
struct hir_value *ast_place_value(struct ast_state *st, struct ast_expr *e);
/* For its effects only. */
void ast_expr_discard(struct ast_state *st, struct ast_expr *e);
/* A scalar boolean condition, or the error value. */
struct hir_value *ast_condition_value(struct ast_state *st, struct ast_expr *e, const char *what);
/* Whether it is an array in gl_in or gl_out that the shader gave no size (gl_ClipDistance): its type
 * has the limit's, but it has none to the language. */
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
/* Says why e, whose value is v, cannot be written, if it cannot. */
bool check_lvalue(struct ast_state *st, const struct ast_expr *e, const struct hir_value *v);
/* Writes rhs, of lhs's type, through swizzles. */
void store_value(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs);
/* The value of the assignment, or NULL if !want_value. */
struct hir_value *ast_assign(struct ast_state *st, struct ast_expr *e, bool want_value);
struct hir_value *ast_increment(struct ast_state *st, struct ast_expr *e, bool want_value);
/* Computes the indices of a place at the mark, if instructions came after it. */
void keep_place(struct ast_state *st, struct hir_value *v, struct list_head *mark);
/* The same place with indices that later instructions cannot change. */
struct hir_value *stable_place(struct ast_state *st, struct hir_value *v);

/* --- ast_call.c --- */
struct hir_value *ast_call(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_method(struct ast_state *st, struct ast_expr *e);

/* --- ast_constructor.c --- */
struct hir_value *ast_constructor(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e);
/* Initializer of a variable of that type: an expression or a list in braces. An unsized array type
 * takes the size of what is given. */
struct hir_value *ast_initializer(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e);

/* --- ast_statement.c, ast_switch.c --- */
void ast_statements(struct ast_state *st, struct ast_node *first);
void ast_switch(struct ast_state *st, struct ast_node *n);
/* if (condition) { … } at the end of the list. */
struct hir_if *emit_if(struct ast_state *st, struct hir_value *condition);
void emit_jump(struct ast_state *st, enum hir_jump_mode mode, struct glsl_loc loc);
struct hir_loop *emit_loop(struct ast_state *st, struct glsl_loc loc);

/* --- ast_function.c --- */
void ast_function(struct ast_state *st, struct ast_node *n);

/* --- ast_variable.c --- */
void ast_variables(struct ast_state *st, struct ast_node *n);
/* Mode of a variable of these qualifiers at global scope. */
enum hir_variable_mode qualifier_mode(struct ast_state *st, const struct ast_qualifier *q);
void apply_qualifier(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q);
uint8_t qualifier_interpolation(const struct ast_qualifier *q);
uint8_t qualifier_access(const struct ast_qualifier *q);
/* Precision of a declaration of that type, with the errors of ES. */
uint8_t resolve_precision(struct ast_state *st, const struct ast_qualifier *q,
                          const struct glsl_type *type, struct glsl_loc loc);

/* --- ast_redeclare.c --- */
/* Most elements of a built-in array, 0: not limited. */
unsigned array_size_limit(const struct ast_state *st, const char *name);
/* Handles a second declaration of a name at global scope: sizes of arrays, qualifiers of
 * built-ins. False: it is none of these. */
bool ast_redeclare(struct ast_state *st, struct hir_variable *old, const struct glsl_type *type,
                   const struct ast_qualifier *q, const struct ast_declarator *d);
void ast_requalify(struct ast_state *st, struct ast_node *n);
/* A declaration that may stand in functions too; false: it is none. */
bool ast_declaration(struct ast_state *st, struct ast_node *n);

/* --- ast_block.c --- */
void ast_interface(struct ast_state *st, struct ast_node *n);

/* --- ast_layout*.c: ast_layout.h --- */

/* --- ast_per_vertex.c --- */
/* Whether interface variables of that mode have an array level for the vertices of a primitive or
 * patch: geometry inputs, tessellation inputs and control outputs. */
bool is_per_vertex(const struct ast_state *st, enum hir_variable_mode mode, bool patch);
/* Checks the outermost size of a per-vertex variable or block instance, and gives it one if it is
 * known already; it gets a later one when that is declared. */
void add_per_vertex(struct ast_state *st, struct hir_variable *var, struct glsl_loc loc);
/* layout(triangles) in; or layout(vertices = 3) out; was read: the size of all of that mode. */
void set_per_vertex(struct ast_state *st, enum hir_variable_mode mode, unsigned size,
                    struct glsl_loc loc);

/* --- ast_subroutine.c --- */
/* `subroutine void name(int);` with its signature. */
void declare_subroutine_type(struct ast_state *st, struct ast_node *n, struct hir_signature *sig);
/* The types of `subroutine(a, b) void f(int) { … }`, with layout(index). */
void apply_subroutine_types(struct ast_state *st, struct ast_node *n, struct hir_signature *sig);
/* The subroutine type's declaration, NULL: it is none. */
struct hir_subroutine_type *find_subroutine(const struct ast_state *st,
                                            const struct glsl_type *type);
/* Only uniforms may be of subroutine types. */
void check_subroutine_variable(struct ast_state *st, const struct hir_variable *var,
                               const struct ast_qualifier *q, struct glsl_loc loc);

/* --- ast_capture.c --- */
/* Bytes that a value takes in a transform feedback buffer, and what it is aligned to. */
unsigned capture_align(const struct glsl_type *t);
uint64_t capture_size(const struct glsl_type *t);
/* At the end: whether outputs overlap in their buffers or go over the stride. */
void check_captures(struct ast_state *st);

/* --- ast_counter.c --- */
/* Where the next atomic counter of a binding goes. */
unsigned *counter_offset(struct ast_state *st, unsigned binding);
/* Takes bytes of a binding; whether some were taken. */
bool counter_overlaps(struct ast_state *st, unsigned binding, unsigned offset, unsigned size);

#endif
