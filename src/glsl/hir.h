/* SPDX-License-Identifier: MIT */
/*
 * HIR: the typed tree that ast_to_hir makes and the linker and hir_to_nir read. Expressions are
 * trees without side effects but for calls and texture fetches; assignments, calls and control flow
 * are instructions in lists. Every name is resolved, every conversion explicit, every built-in
 * function an operation or a signature whose body is HIR as well.
 *
 * A node stands in one place only, except variables, which derefs point to. Nodes live in the
 * hir_shader's arena and are never freed singly.
 */
#ifndef HIR_H
#define HIR_H

#include <stdio.h>

#include "nir/nir.h"

struct hir_shader;
struct hir_function;
struct hir_signature;

/* Where a node came from, for messages. */
struct glsl_loc {
    uint32_t source; /* file-string number */
    uint32_t line, column;
};

enum hir_kind {
    /* instructions */
    HIR_VARIABLE, /* a declaration */
    HIR_ASSIGN,
    HIR_CALL, /* also used for its value through a variable: see return_deref */
    HIR_IF,
    HIR_LOOP,
    HIR_JUMP, /* break, continue */
    HIR_RETURN,
    HIR_DISCARD,
    HIR_EMIT_VERTEX,
    HIR_END_PRIMITIVE,
    HIR_INTRINSIC, /* a built-in function with effects or of other invocations */
    /* values (rvalues) */
    HIR_CONSTANT,
    HIR_EXPRESSION,
    HIR_SWIZZLE,
    HIR_DEREF_VARIABLE,
    HIR_DEREF_ARRAY,  /* element of an array, column of a matrix, component of a vector */
    HIR_DEREF_RECORD, /* field of a struct or of a block instance */
    HIR_TEXTURE,
};

struct hir_node {
    struct list_head link; /* in an instruction list; unused by values */
    uint8_t kind;          /* enum hir_kind */
    struct glsl_loc loc;
};

/* Values: type is never NULL; the error type stops further messages. */
struct hir_value {
    struct hir_node node;
    const struct glsl_type *type;
};

enum hir_variable_mode {
    HIR_VAR_AUTO,      /* local */
    HIR_VAR_GLOBAL,    /* global, neither in, out nor uniform */
    HIR_VAR_TEMPORARY, /* made by the compiler */
    HIR_VAR_UNIFORM,
    HIR_VAR_BUFFER, /* member of a storage block, or its instance */
    HIR_VAR_SHARED,
    HIR_VAR_SHADER_IN,
    HIR_VAR_SHADER_OUT,
    HIR_VAR_FUNCTION_IN,
    HIR_VAR_FUNCTION_OUT,
    HIR_VAR_FUNCTION_INOUT,
    HIR_VAR_CONST_IN,
    HIR_VAR_SYSTEM_VALUE,
};

struct hir_constant;

struct hir_variable {
    struct hir_node node; /* HIR_VARIABLE */
    const char *name;
    const struct glsl_type *type;
    uint8_t mode;          /* enum hir_variable_mode */
    uint8_t interpolation; /* enum glsl_interp_mode */
    uint8_t precision;     /* enum glsl_precision */
    bool read_only, centroid, sample, patch, invariant, precise;
    bool explicit_location, explicit_binding, explicit_index, explicit_component, explicit_offset;
    bool used; /* something refers to it (static use) */
    bool assigned;
    bool builtin;           /* gl_* */
    bool redeclared;        /* built-in block instance that the shader gave its members */
    bool framebuffer_fetch; /* inout fragment output: reads what the framebuffer has */
    bool implicit_sized;    /* unsized array whose size the linker takes from max_array_access */
    uint8_t access;         /* enum gl_access_qualifier */
    uint8_t depth_layout;   /* enum nir_depth_layout, of gl_FragDepth */
    uint8_t stream;
    int location; /* explicit, or the built-in's slot (vert_attrib, varying_slot, frag_result, system_value) */
    int index, component, binding, offset; /* where explicit */
    bool explicit_stream, explicit_xfb_buffer, explicit_xfb_offset, explicit_xfb_stride;
    unsigned xfb_buffer, xfb_offset, xfb_stride; /* GLSL 4.60 §4.4.2; buffer: also the default's */
    bool noncoherent;                    /* layout(noncoherent): framebuffer fetch without order */
    unsigned image_format;               /* enum drv_format */
    int max_array_access;                /* highest constant index used, -1 */
    struct hir_constant *constant_value; /* const variables: their value */
    struct hir_constant *constant_initializer; /* uniforms, globals: what they start with */
    const struct glsl_type *interface_type;    /* member or instance of a block */
    int interface_field;      /* member of a block without instance name: its field, else -1 */
    unsigned num_state_slots; /* built-in uniforms: state each vec4 of it mirrors */
    nir_state_slot *state_slots;
    unsigned index_scratch;
    void *scratch; /* for passes */
};

struct hir_assign {
    struct hir_node node;
    struct hir_value *lhs; /* deref; a vector's components are chosen by write_mask */
    struct hir_value
        *rhs; /* of lhs's type, or, under a write mask, with as many components as it has bits */
    uint8_t write_mask; /* vectors and scalars; 0 for aggregates and matrices: all of it */
};

struct hir_call {
    struct hir_node node;
    struct hir_signature *callee;
    struct list_head unused;
    struct hir_value *
        *args; /* one per parameter; out and inout: derefs (of the parameter's type) */
    unsigned num_args;
    struct hir_value *return_deref; /* deref of a temporary that takes the value; NULL for void */
    struct hir_value
        *subroutine; /* deref of a subroutine uniform (or of an element): which function
                                   * it is; callee is the prototype of its type. NULL: callee */
};

struct hir_if {
    struct hir_node node;
    struct hir_value *condition;
    struct list_head then_list, else_list; /* hir_node.link */
};

/* Endless; ast_to_hir turns conditions into ifs with break. For `for` and `do` the code that a
 * continue must run is in continue_list. */
struct hir_loop {
    struct hir_node node;
    struct list_head body;
    struct list_head continue_list; /* runs after the body and on continue */
};

enum hir_jump_mode { HIR_JUMP_BREAK, HIR_JUMP_CONTINUE };
struct hir_jump {
    struct hir_node node;
    enum hir_jump_mode mode;
};

struct hir_return {
    struct hir_node node;
    struct hir_value *value; /* NULL in void functions */
};

struct hir_discard {
    struct hir_node node;
    struct hir_value *condition; /* NULL: always */
};

struct hir_emit { /* HIR_EMIT_VERTEX, HIR_END_PRIMITIVE */
    struct hir_node node;
    unsigned stream;
};

/* Operations of expressions; the table hir_ops.py gives name, arity, what NIR it becomes and its
 * constant value. Operands have equal types but where the table says otherwise; component-wise
 * operations accept a scalar beside a vector. enum hir_intrinsic_op is there as well. */
#include "hir_ops.h" /* generated: enum hir_op */

/* A built-in function that is no operation of values alone: GLSL 4.60 §8.10-8.19. */
struct hir_intrinsic {
    struct hir_node node;
    enum hir_intrinsic_op op;
    unsigned num_args;
    struct hir_value *args[5]; /* as in the prototype; memory, counters and images are derefs */
    struct hir_value *return_deref; /* as in hir_call */
};

/* Constants of any type. Scalars, vectors and matrices (column major): value[]; arrays and structs:
 * elements[]. */
struct hir_constant {
    struct hir_value base;
    nir_const_value value[16];      /* .f32, .i32, .u32, .f64, .b by base type */
    struct hir_constant **elements; /* type->length of them */
};

struct hir_expression {
    struct hir_value base;
    enum hir_op op;
    unsigned num_operands;
    struct hir_value *operands[4];
};

struct hir_swizzle {
    struct hir_value base;
    struct hir_value *value;
    uint8_t component[4]; /* as many as base.type has */
};

struct hir_deref_variable {
    struct hir_value base;
    struct hir_variable *var;
};

struct hir_deref_array {
    struct hir_value base;
    struct hir_value *value; /* array, matrix or vector */
    struct hir_value *index; /* int or uint scalar */
};

struct hir_deref_record {
    struct hir_value base;
    struct hir_value *value;
    unsigned field;
};

struct hir_texture {
    struct hir_value base;
    nir_texop op;
    struct hir_value *sampler; /* deref */
    struct hir_value *coord;   /* without comparator and projector; with the array layer */
    struct hir_value *projector, *comparator, *lod, *bias, *dPdx, *dPdy, *offset, *sample_index;
    struct hir_value *component; /* gather: int constant */
    struct hir_value *offsets;   /* gather with four offsets: ivec2[4] constant */
    bool shadow_is_vec4;         /* shadow1D and kin of GLSL 1.10 give a vec4 */
};

/* One overload. A built-in's body is made when first called. */
struct hir_signature {
    struct list_head link; /* hir_function.signatures */
    struct hir_function *function;
    const struct glsl_type *return_type;
    uint8_t return_precision;     /* enum glsl_precision */
    struct hir_variable **params; /* modes FUNCTION_IN … CONST_IN */
    unsigned num_params;
    struct list_head body; /* hir_node.link */
    struct glsl_loc loc;
    bool defined;
    bool builtin; /* user functions hide built-ins of the same name (version's rules) */
    struct hir_subroutine_type **subroutine_types; /* that the function may stand for */
    unsigned num_subroutine_types;
    int subroutine_index; /* layout(index), -1: the linker chooses; of functions with types */
    unsigned index_scratch;
    void *scratch;
};

struct hir_function {
    struct list_head link; /* hir_shader.functions */
    const char *name;
    struct list_head signatures;
};

/* `subroutine vec4 name(int);`, GLSL 4.60 §6.1.2: the type of variables that stand for one of the
 * functions declared with subroutine(name). */
struct hir_subroutine_type {
    struct list_head link;           /* hir_shader.subroutine_types */
    const struct glsl_type *type;    /* of base GLSL_TYPE_SUBROUTINE, with the name */
    struct hir_signature *prototype; /* never defined */
};

/* What `layout(…) in;` and `layout(…) out;` declared; the values are in hir_shader.info. */
struct hir_declared_layout {
    bool input_primitive, output_primitive, max_vertices, invocations; /* geometry */
    bool vertices, primitive_mode, spacing, ordering, point_mode;      /* tessellation */
    bool local_size, local_size_variable;                              /* compute */
    bool post_depth_coverage;                                          /* fragment */
    uint32_t blend_support; /* KHR_blend_equation_advanced: bits in its table's order, all: ~0 */
    uint8_t xfb_strides;    /* bit of each buffer with an xfb_stride */
    unsigned xfb_stride[4]; /* bytes */
};

/* A compiled, unlinked shader. */
struct hir_shader {
    struct arena *arena; /* of all nodes; child of the hir_shader (talloc) */
    enum shader_stage stage;
    unsigned version;
    bool es;
    struct list_head
        instructions; /* globals: HIR_VARIABLE, and assignments of initializers that are no constants */
    struct list_head functions;
    struct hash_table *function_table; /* name → hir_function */
    bool uses_discard, uses_derivatives;
    bool fs_origin_upper_left, fs_pixel_center_integer, fs_early_fragment_tests;
    bool fs_redeclares_frag_coord;
    bool invariant_all; /* #pragma STDGL invariant(all) */
    bool has_precise;   /* some variable is precise or invariant */
    /* layout qualifiers of geometry, tessellation and compute shaders: the stage's part of it */
    nir_shader_info info;
    struct hir_declared_layout declared;
    struct list_head subroutine_types;      /* hir_subroutine_type.link */
    const struct glsl_type *per_vertex_out; /* gl_PerVertex as `out gl_PerVertex { … };` gave its
                                             * members, NULL: not redeclared without instance */
};

/* --- Constructors: NULL only on no memory; the type is computed where it can be. --- */
struct hir_shader *hir_shader_create(void *mem_ctx, enum shader_stage stage);
void *hir_alloc(struct hir_shader *sh, size_t size); /* zeroed */
char *hir_strdup(struct hir_shader *sh, const char *text);
struct hir_variable *hir_variable_create(struct hir_shader *sh, const struct glsl_type *type,
                                         const char *name, enum hir_variable_mode mode);
struct hir_value *hir_expr(struct hir_shader *sh, enum hir_op op, const struct glsl_type *type,
                           struct hir_value *a, struct hir_value *b, struct hir_value *c,
                           struct hir_value *d);
struct hir_value *hir_deref_var(struct hir_shader *sh, struct hir_variable *var);
struct hir_value *hir_deref_elem(struct hir_shader *sh, struct hir_value *value,
                                 struct hir_value *index);
struct hir_value *hir_deref_field(struct hir_shader *sh, struct hir_value *value, unsigned field);
struct hir_value *hir_swizzle_of(struct hir_shader *sh, struct hir_value *value,
                                 const uint8_t *component, unsigned count);
struct hir_constant *hir_const_create(struct hir_shader *sh,
                                      const struct glsl_type *type); /* zero */
struct hir_constant *hir_const_int(struct hir_shader *sh, int value);
struct hir_constant *hir_const_bool(struct hir_shader *sh, bool value);
struct hir_assign *hir_assign_create(struct hir_shader *sh, struct hir_value *lhs,
                                     struct hir_value *rhs, unsigned write_mask);
struct hir_value *hir_clone_value(struct hir_shader *sh, const struct hir_value *value);
struct hir_constant *hir_clone_constant(struct hir_shader *sh, const struct hir_constant *c);

/* The value of a constant expression (with the values of const variables; calls of built-in
 * functions with constant arguments are folded when they are made, see below), NULL if it is none. */
struct hir_constant *hir_constant_value(struct hir_shader *sh, const struct hir_value *value);
/* The variable at the root of a deref chain (through swizzles), NULL if the value is no lvalue
 * chain. */
struct hir_variable *hir_variable_referenced(const struct hir_value *value);

/* As s-expressions. */
void hir_print(const struct hir_shader *sh, FILE *fp);
void hir_print_value(const struct hir_value *value, FILE *fp);
/* Marks all variables whose values flow into precise variables and invariant outputs as precise. */
void hir_mark_precise(struct hir_shader *sh);
/* Aborts with node and rule in debug builds. */
void hir_validate(const struct hir_shader *sh);

/* --- Built-ins: data, by version, stage and extension. --- */
struct glsl_options;
struct glsl_builtin_env { /* for whom something is looked up */
    const struct glsl_options *options;
    enum shader_stage stage;
    unsigned version;
    bool es, compat;                       /* compat: deprecated features are there */
    const bitset_word *enabled_extensions; /* enum glsl_extension, by #extension */
};

/* Who takes built-in variables and the types of built-in structs (gl_LightSourceParameters). */
struct glsl_builtin_sink {
    bool (*wants)(void *data, const char *name); /* whether the name is of use; NULL: all are */
    void (*add)(void *data, struct hir_variable *var);
    void (*add_type)(void *data, const char *name, const struct glsl_type *type);
    void *data;
};
/* Declares the built-in variables and constants of the environment (gl_Position, gl_MaxLights,
 * gl_ModelViewMatrix …) that the sink wants, allocated in sh. */
void glsl_builtin_variables(struct hir_shader *sh, const struct glsl_builtin_env *env,
                            const struct glsl_builtin_sink *sink);
/* Whether the environment has a built-in function of this name. */
bool glsl_builtin_function_exists(const struct glsl_builtin_env *env, const char *name);
/* Calls add(data, name) for each name of a built-in function of the environment. */
void glsl_builtin_function_names(const struct glsl_builtin_env *env,
                                 void (*add)(void *data, const char *name), void *data);
/* Whether the environment has the overload. */
bool glsl_builtin_has(const struct glsl_builtin_env *env, unsigned id);
/* Every overload of that name in the environment: calls add(data, return type, parameter types,
 * parameter modes, count, id); id identifies the overload for glsl_builtin_call. Beside the modes
 * of functions a first parameter has the mode HIR_VAR_BUFFER if the function changes a variable
 * where it is, HIR_VAR_SHADER_IN if it evaluates an input: such arguments are passed as derefs of
 * just the parameter's type. */
void glsl_builtin_signatures(const struct glsl_builtin_env *env, const char *name,
                             void (*add)(void *data, const struct glsl_type *return_type,
                                         const struct glsl_type *const *params,
                                         const enum hir_variable_mode *modes, unsigned count,
                                         unsigned id),
                             void *data);
/* The rule on its arguments that a call of overload id breaks, as a message for the user; NULL if
 * it keeps all. To be asked before glsl_builtin_call, with the arguments that one takes. *which is
 * the argument that is wrong. */
const char *glsl_builtin_check(struct hir_shader *sh, const struct glsl_builtin_env *env,
                               unsigned id, struct hir_value *const *args, unsigned num_args,
                               unsigned *which);
/* The value of calling overload id with converted arguments (out arguments: derefs). Appends to
 * `instructions` what must run before it. Void functions give NULL. Constant arguments give a
 * constant where the language says so. */
struct hir_value *glsl_builtin_call(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                    unsigned id, struct hir_value **args, unsigned num_args,
                                    struct list_head *instructions, struct glsl_loc loc);

#endif
