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
 *   ast_layout*.c     layout qualifiers; declared in ast_layout.h
 *   ast_per_vertex.c  sizes of arrays with an element per vertex
 *   ast_counter.c     offsets of atomic counters in their buffers
 *   ast_capture.c     transform feedback layout of the whole shader
 *   ast_subroutine.c  subroutine types, uniforms and functions
 *
 * A value (struct hir_value) is a tree without side effects. The translation of an expression
 * appends the side effects to the current instruction list (ast_state.list) and returns the value.
 * After an error, it returns a value with the error type (the error value), which suppresses
 * further messages about it.
 */
#ifndef AST_TO_HIR_H
#define AST_TO_HIR_H

#include "glsl/ast.h"

/* What a name declares. SYMBOL_BLOCK is the name of an interface block, not of its instance. */
enum symbol_kind { SYMBOL_VARIABLE, SYMBOL_TYPE, SYMBOL_FUNCTION, SYMBOL_BLOCK };

/* A declaration of a name in a scope. */
struct glsl_symbol {
    uint8_t kind;         /* enum symbol_kind */
    uint16_t block_modes; /* SYMBOL_BLOCK: mask of the hir_variable_modes of its blocks */
    unsigned level;       /* glsl_scope.level of its scope */
    struct glsl_atom *atom;
    struct glsl_symbol *shadowed; /* declaration of the name in an outer scope, or NULL */
    struct glsl_symbol *next_in_scope;
    union {
        struct hir_variable *var;
        const struct glsl_type *type;
        struct hir_function *function;
    };
};

/* The default precision of a type, set by a precision statement or predefined. */
struct precision_default {
    const struct glsl_type *type;
    uint8_t precision; /* enum glsl_precision */
};

/* A scope; scopes are nested. */
struct glsl_scope {
    struct glsl_scope *outer;
    struct glsl_symbol *symbols; /* linked by next_in_scope, last declaration first */
    unsigned level;              /* 0 for built-ins, 1 for globals, 2 and up in functions */
    struct precision_default *precisions;
    unsigned num_precisions, precisions_capacity;
};

/* A loop or switch that encloses the current statement. */
struct ast_loop {
    struct ast_loop *outer;
    unsigned depth; /* number of loops and switches that enclose it */
    bool is_switch;
    /* Switches only: variable that a continue inside sets to true before it leaves the switch. */
    struct hir_variable *continue_flag;
};

/* State of the translation of one shader. */
struct ast_state {
    struct glsl_compiler *c;
    struct hir_shader *sh;
    struct glsl_builtin_env env; /* for looking up built-ins */
    struct list_head *list;      /* new instructions are appended to this list */
    struct hir_signature *sig;   /* function being defined, or NULL */
    bool has_return;             /* the function has a return with a value so far */
    bool returned;               /* the function has a return, with or without a value, so far */
    /* Numbers of calls of beginInvocationInterlock and endInvocationInterlock seen so far, and the
     * location of the begin call. */
    unsigned interlock_begins, interlock_ends;
    struct glsl_loc interlock_loc;
    unsigned control_depth; /* number of enclosing ifs, loops, switches, operands of && || ?: */
    struct ast_loop *loop;  /* innermost loop or switch, or NULL */
    struct glsl_scope *scope;
    unsigned num_anonymous; /* number of structs declared so far; used to name anonymous ones */
    bool fragcoord_used, fragcoord_declared; /* gl_FragCoord was used, was redeclared */
    bool in_buffer;                          /* members of a buffer block are being declared */
    bool payload_declared;                   /* a taskPayloadSharedEXT variable was seen */
    bool per_vertex_declared;                /* `out gl_PerVertex { … };` was seen */
    unsigned frag_outputs; /* fragment shaders: mask of the enum ast_frag_output written so far */
    /* Defaults of uniform and storage blocks; packing is an enum glsl_interface_packing. */
    uint8_t default_ubo_packing, default_ssbo_packing;
    /* Set by `layout(bindless_sampler) uniform;`, `layout(bound_image) uniform;` and so on. */
    bool default_bindless_sampler, default_bindless_image;
    bool default_ubo_row_major, default_ssbo_row_major;
    unsigned xfb_buffer, stream; /* defaults for outputs */
    /* Created on first use by ast_counter.c and ast_per_vertex.c. */
    struct ast_counters *counters;
    struct ast_per_vertex *per_vertex;
};

/* Returns whether v is the error value. */
static inline bool value_is_error(const struct hir_value *v)
{
    return v->type->base_type == GLSL_TYPE_ERROR;
}

/* Appends an instruction to the current list. */
static inline void hir_emit(struct ast_state *st, struct hir_node *node)
{
    list_addtail(&node->link, st->list);
}

/* Returns whether the shader's version is at least `gl` if it is desktop GLSL, or at least `es` if
 * it is ESSL. A version of 0 means never. */
static inline bool st_has(const struct ast_state *st, unsigned gl, unsigned es)
{
    return glsl_is_version(st->c, gl, es);
}

/* Returns whether #extension enables the extension. */
static inline bool st_ext(const struct ast_state *st, enum glsl_extension ext)
{
    return glsl_has_ext(st->c, ext);
}

/* --- ast_to_hir.c --- */
/* Translates the tree to HIR, in sh. Reports errors, so c->num_errors is 0 on success. */
void glsl_ast_to_hir(struct glsl_compiler *c, struct hir_shader *sh, struct ast_node *shader);
/* Returns the precision that the current scope gives to a type without a precision qualifier (ESSL
 * 3.00 §4.5.4), or GLSL_PRECISION_NONE. */
enum glsl_precision default_precision(const struct ast_state *st, const struct glsl_type *type);

/* --- ast_symbols.c --- */
/* Enter and leave a scope. Leaving one gives its local unsized arrays their sizes. */
void scope_push(struct ast_state *st);
void scope_pop(struct ast_state *st);
/* Returns a copy of the name in the arena of the hir_shader; always the same copy. */
const char *atom_name(struct ast_state *st, struct glsl_atom *atom);
/* Returns `, did you mean "…"?` with the visible name most similar to `wrong`, to append to a
 * message; "" if there is none. kinds: mask with bits 1 << enum symbol_kind. */
const char *suggest_symbol(struct ast_state *st, const char *wrong, unsigned kinds);
/* Declares a name in the current scope. The caller has checked that it may be declared there, and
 * sets the union of the symbol. */
struct glsl_symbol *symbol_add(struct ast_state *st, struct glsl_atom *atom, enum symbol_kind kind);
/* Returns the declaration of the name in the current scope, or NULL. */
struct glsl_symbol *symbol_in_scope(const struct ast_state *st, const struct glsl_atom *atom);
/* Checks a name that the shader declares. Reports an error and returns false if it starts with
 * "gl_", else returns true. Warns about names that contain "__". In ESSL 3.00 and later, also
 * reports names that are too long. */
bool check_declarable(struct ast_state *st, const struct glsl_atom *atom, struct glsl_loc loc);
/* Declares in the current scope the built-in variables and structs whose names occur in the shader,
 * and the structs that these variables need. */
void declare_builtins(struct ast_state *st);
/* Marks a variable as used. Adds a built-in variable to the shader's instructions at its first
 * use. */
void use_variable(struct ast_state *st, struct hir_variable *var);

/* --- ast_type.c --- */
/* Returns the glsl_type of a type in the source. `more` (may be NULL) holds the array sizes after
 * the declared name. After an error, returns the error type. */
const struct glsl_type *ast_resolve_type(struct ast_state *st, const struct ast_type *type,
                                         const struct ast_dims *more);
/* Creates the type of a struct and declares its name, if any. */
const struct glsl_type *ast_declare_struct(struct ast_state *st, const struct ast_struct *s);
/* Evaluates a constant integer expression. Returns false after an error; messages call the
 * expression `what`. */
bool ast_constant_int(struct ast_state *st, const struct ast_expr *e, const char *what,
                      int64_t *value);
/* Returns whether values of type t can be assigned, initialized and returned. Arrays
 * cannot before GLSL 1.20 and ESSL 3.00. In ESSL 1.00, structs that contain arrays cannot, either
 * (§5.8). */
bool array_is_value(const struct ast_state *st, const struct glsl_type *t);
/* Returns whether the type is an array that lacks the size of a dimension. */
bool lacks_size(const struct glsl_type *t);
/* Returns an array type with its missing sizes taken from those of another array type. */
const struct glsl_type *take_sizes(struct ast_state *st, const struct glsl_type *type,
                                   const struct glsl_type *from);
/* Returns the type that the name's visible declaration declares, or NULL if it declares none. */
const struct glsl_type *find_type(const struct glsl_atom *atom);
bool type_is_opaque(const struct glsl_type *t); /* a sampler, image or atomic counter */
bool type_contains_opaque(const struct glsl_type *t);
/* Returns whether the type is or contains an opaque type that can't be assigned or returned: an
 * atomic counter or, without ARB_bindless_texture, a sampler or image. */
bool type_is_no_value(const struct ast_state *st, const struct glsl_type *t);
/* Returns whether the type is or contains a sampler or image, which may have handles. */
bool type_contains_handle(const struct glsl_type *t);

/* --- ast_convert.c --- */
/* Returns a new value with the error type. */
struct hir_value *error_value(struct ast_state *st);
/* Returns the value of v as a constant if its operands are constants or it is part of a const
 * variable; else returns v. */
struct hir_value *fold(struct ast_state *st, struct hir_value *v);
/* Returns fold() of an expression with operands a, b and c, where unused ones are NULL. */
struct hir_value *make_expr(struct ast_state *st, enum hir_op op, const struct glsl_type *type,
                            struct hir_value *a, struct hir_value *b, struct hir_value *c,
                            struct glsl_loc loc);
/* Returns whether a value of type `from` converts implicitly to type `to` (GLSL 4.60 §4.1.10). True
 * for equal types. */
bool can_convert(const struct ast_state *st, const struct glsl_type *from,
                 const struct glsl_type *to);
/* Converts a value implicitly; returns NULL if the language does not allow it. */
struct hir_value *convert_implicitly(struct ast_state *st, struct hir_value *v,
                                     const struct glsl_type *to);
/* Converts a scalar, vector or matrix to another base type, as a constructor does. */
struct hir_value *convert_base(struct ast_state *st, struct hir_value *v, enum glsl_base_type base);
/* Creates a temporary variable and appends its declaration to the instruction list. */
struct hir_variable *make_temporary(struct ast_state *st, const struct glsl_type *type,
                                    const char *name);
/* Appends an assignment of all components of rhs to lhs, which must not be a swizzle. */
void emit_assign(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs);
/* Returns true only if later instructions cannot change the value of v. */
bool value_is_stable(const struct hir_value *v);
/* Returns the current end of the instruction list, for keep_value and keep_lvalue. */
struct list_head *list_mark(struct ast_state *st);
/* Protects v from instructions added after the mark. If there are some that could change v, inserts
 * a temporary with the value of v at the mark and returns a deref of it; else returns v. */
struct hir_value *keep_value(struct ast_state *st, struct hir_value *v, struct list_head *mark);
/* Returns the number of components of a scalar, vector or matrix. */
unsigned type_components(const struct glsl_type *t);

/* --- ast_expr.c --- */
/* Returns the value of an expression, never NULL. Its side effects are appended to the instruction
 * list. */
struct hir_value *ast_expr_value(struct ast_state *st, struct ast_expr *e);
/* Like ast_expr_value, but accepts writeonly expressions, which cannot be read. Used for
 * expressions that are written, and for operands of `.` and `[]`, of which only the selected part
 * must be readable. */
struct hir_value *ast_lvalue_value(struct ast_state *st, struct ast_expr *e);
/* Returns whether e, whose value is v, can be read. If not, reports an error. */
bool check_readable(struct ast_state *st, const struct ast_expr *e, const struct hir_value *v);
/* Evaluates an expression for its side effects only. */
void ast_expr_discard(struct ast_state *st, struct ast_expr *e);
/* Returns the value of a condition. Returns the error value and reports an error if it is not a
 * scalar boolean; the message calls it `what`. */
struct hir_value *ast_condition_value(struct ast_state *st, struct ast_expr *e, const char *what);
/* Returns whether v is a built-in array to which the shader gave no size: a member of gl_in or
 * gl_out, such as gl_ClipDistance, or an element of gl_TexCoordIn or gl_ClipDistanceIn
 * (ARB_geometry_shader4). The array is unsized in GLSL, but its glsl_type has the maximum size. */
bool is_builtin_unsized(const struct hir_value *v);

/* --- ast_operator.c --- */
/* Translate operators. Like ast_expr_value, they return a value, possibly the error value.
 * ast_logic() translates && and ||, ast_conditional() translates ?:. ast_binary_values() applies a
 * binary operator to operands that have been translated. */
struct hir_value *ast_unary(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_binary(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_binary_values(struct ast_state *st, enum ast_op op, struct hir_value *a,
                                    struct hir_value *b, struct glsl_loc loc);
struct hir_value *ast_logic(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_conditional(struct ast_state *st, struct ast_expr *e);
/* Returns the spelling of an operator, for messages. */
const char *ast_op_text(enum ast_op op);

/* --- ast_lvalue.c --- */
/* Returns whether e, whose value is v, can be written. If so, marks its variable as assigned, else
 * reports an error (not if v is the error value). */
bool check_lvalue(struct ast_state *st, const struct ast_expr *e, const struct hir_value *v);
/* Appends instructions that store rhs to lhs, which may be a swizzle. The types are equal. */
void store_value(struct ast_state *st, struct hir_value *lhs, struct hir_value *rhs);
/* Translate an assignment or ++ and --. Return the value of the expression, or NULL if
 * !want_value. */
struct hir_value *ast_assign(struct ast_state *st, struct ast_expr *e, bool want_value);
struct hir_value *ast_increment(struct ast_state *st, struct ast_expr *e, bool want_value);
/* Applies keep_value to the array indices of an lvalue, in place. */
void keep_lvalue(struct ast_state *st, struct hir_value *v, struct list_head *mark);
/* Copies the array indices of an lvalue to temporaries, in place, so that later instructions cannot
 * change them. Returns v. */
struct hir_value *stable_lvalue(struct ast_state *st, struct hir_value *v);

/* --- ast_call.c --- */
/* Return the value of a function call and of a method call (a.length()). */
struct hir_value *ast_call(struct ast_state *st, struct ast_expr *e);
struct hir_value *ast_method(struct ast_state *st, struct ast_expr *e);
/* Returns whether a call that matches several overloads by conversions selects the best one. Before
 * GLSL 4.00 and ESSL 3.10, without extensions, such a call is ambiguous. */
bool ranks_conversions(const struct ast_state *st);

/* --- ast_constructor.c --- */
/* Returns the value of the constructor call e for a type. */
struct hir_value *ast_constructor(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e);
/* Returns the value of an initializer for a variable of `type`. The value of a braced list has that
 * type, except that an unsized array gets the length of the list. The value of an expression is not
 * converted. */
struct hir_value *ast_initializer(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e);

/* --- ast_statement.c, ast_switch.c --- */
/* Translates a list of statements. Those after a jump are checked, but not appended. */
void ast_statements(struct ast_state *st, struct ast_node *first);
/* Translates a switch statement (AST_SWITCH). */
void ast_switch(struct ast_state *st, struct ast_node *n);
/* Append an empty if, a jump, or an empty loop to the instruction list. The caller fills the lists
 * of the returned node. */
struct hir_if *emit_if(struct ast_state *st, struct hir_value *condition);
void emit_jump(struct ast_state *st, enum hir_jump_mode mode, struct glsl_loc loc);
struct hir_loop *emit_loop(struct ast_state *st, struct glsl_loc loc);
/* Makes `loop`, a variable of the caller, the innermost loop or switch. The caller sets st->loop to
 * loop->outer at the end of it. Reports a fatal error if too many are nested. */
void enter_loop(struct ast_state *st, struct ast_loop *loop, struct glsl_loc loc);

/* --- ast_function.c --- */
/* Translates a prototype or definition (AST_FUNCTION). */
void ast_function(struct ast_state *st, struct ast_node *n);

/* --- ast_variable.c --- */
/* Translates a declaration of variables (AST_VARIABLES). */
void ast_variables(struct ast_state *st, struct ast_node *n);
/* Returns the mode of a variable with these qualifiers. Inside a function, it is HIR_VAR_AUTO
 * unless they contain uniform, buffer, shared, taskPayloadSharedEXT, attribute or varying. */
enum hir_variable_mode qualifier_mode(struct ast_state *st, const struct ast_qualifier *q);
/* Sets the fields of a variable that qualifiers other than layout and precision determine. */
void apply_qualifier(struct ast_state *st, struct hir_variable *var, const struct ast_qualifier *q);
/* Returns the enum glsl_interp_mode of the qualifiers. */
uint8_t qualifier_interpolation(const struct ast_qualifier *q);
/* Returns the memory qualifiers as a mask of enum gl_access_qualifier. */
uint8_t qualifier_access(const struct ast_qualifier *q);
/* Returns the precision (enum glsl_precision) of a declaration: the qualifier's or the default for
 * the type. Reports a qualifier on a type that takes none and, in ESSL, a missing default and
 * atomic counters that are not highp. */
uint8_t resolve_precision(struct ast_state *st, const struct ast_qualifier *q,
                          const struct glsl_type *type, struct glsl_loc loc);

/* --- ast_redeclare.c --- */
/* Returns the maximum size of gl_TexCoord, gl_ClipDistance or gl_CullDistance, and 0 for other
 * names. */
unsigned array_size_limit(const struct ast_state *st, const char *name);
/* Handles a redeclaration of `old` that sizes an unsized array or changes qualifiers of a built-in.
 * Returns false, without a message, if it is neither. Otherwise, and for error types, returns true,
 * even if the redeclaration has errors, which it reports. */
bool ast_redeclare(struct ast_state *st, struct hir_variable *old, const struct glsl_type *type,
                   const struct ast_qualifier *q, const struct ast_declarator *d);
/* Translates `invariant a, b;` or `precise a;` (AST_REQUALIFY). */
void ast_requalify(struct ast_state *st, struct ast_node *n);
/* Translates a declaration of a kind that is allowed both at global scope and in functions:
 * variables, functions, default precisions, or `invariant` and `precise`. Returns false, and does
 * nothing, for other nodes. */
bool ast_declaration(struct ast_state *st, struct ast_node *n);

/* --- ast_block.c --- */
/* Translates an interface block (AST_INTERFACE). */
void ast_interface(struct ast_state *st, struct ast_node *n);

/* --- ast_per_vertex.c --- */
/* Returns whether interface variables of this mode have an array dimension for the vertices of a
 * primitive or patch (geometry and tessellation inputs, control outputs, pervertexNV inputs), or
 * for the vertices or primitives of a mesh (mesh shader outputs). */
bool is_per_vertex(const struct ast_state *st, enum hir_variable_mode mode, bool patch,
                   unsigned interpolation);
/* Checks the outermost size of a per-vertex variable or block instance. If the variable is unsized
 * and the number of vertices is known, sets the size; else set_per_vertex does it later. */
void add_per_vertex(struct ast_state *st, struct hir_variable *var, struct glsl_loc loc);
/* Called when a layout declares the number of vertices, as in `layout(triangles) in;`, or, with
 * per_primitive, of primitives, as in `layout(max_primitives = 3) out;`. Gives unsized per-vertex
 * or per-primitive variables of that mode `size` elements. Reports an error for variables of
 * another size. */
void set_per_vertex(struct ast_state *st, enum hir_variable_mode mode, bool per_primitive,
                    unsigned size, struct glsl_loc loc);

/* --- ast_subroutine.c --- */
/* Handles `subroutine void name(int);`: declares `name` as a type with the prototype sig. Reports
 * errors. */
void declare_subroutine_type(struct ast_state *st, struct ast_node *n, struct hir_signature *sig);
/* Handles `subroutine(a, b) void f(int) { … }`: stores the types a and b, and layout(index), in the
 * function's signature. Reports errors. */
void apply_subroutine_types(struct ast_state *st, struct ast_node *n, struct hir_signature *sig);
/* Returns the declaration of a subroutine type; NULL if `type` is not one. */
struct hir_subroutine_type *find_subroutine(const struct ast_state *st,
                                            const struct glsl_type *type);
/* Reports an error if a variable with a subroutine type or qualifier is not a valid subroutine
 * uniform. */
void check_subroutine_variable(struct ast_state *st, const struct hir_variable *var,
                               const struct ast_qualifier *q, struct glsl_loc loc);

/* --- ast_capture.c --- */
/* Return the alignment and the size in bytes of a value in a transform feedback buffer. */
unsigned capture_align(const struct glsl_type *t);
uint64_t capture_size(const struct glsl_type *t);
/* Called at the end of the shader. Reports outputs that overlap in a transform feedback buffer or
 * extend past its stride or the limit, and strides that 64-bit outputs don't allow. */
void check_captures(struct ast_state *st);

/* --- ast_counter.c --- */
/* Returns a pointer to the offset, in bytes, of the next atomic counter of a binding. The caller
 * reads and updates it; the pointer is valid until the next call. */
unsigned *counter_offset(struct ast_state *st, unsigned binding);
/* Reserves `size` bytes at byte `offset` of a binding's buffer and returns false. If some of them
 * are already reserved, reserves nothing and returns true. */
bool counter_overlaps(struct ast_state *st, unsigned binding, unsigned offset, unsigned size);

#endif
