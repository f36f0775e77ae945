/* SPDX-License-Identifier: MIT */
/*
 * HIR: the typed tree that ast_to_hir creates and the linker and hir_to_nir read. Values are trees
 * without side effects. Assignments, calls and control flow are instructions in lists. All names
 * are resolved and all conversions are explicit. A built-in function is an operation, a texture
 * fetch, an intrinsic, or a tree of these.
 *
 * Each node occurs in one place only, except for variables, which derefs point to. Nodes live in
 * the hir_shader's arena and are never freed individually.
 */
#ifndef HIR_H
#define HIR_H

#include <stdio.h>

#include "nir/nir.h"

struct hir_shader;
struct hir_function;
struct hir_signature;

/* Source location of a node, for messages. */
struct glsl_loc {
    uint32_t source; /* source string number */
    uint32_t line, column;
};

/* Kinds of nodes. HIR_ASSIGN is a struct hir_assign, HIR_DEREF_ARRAY a struct hir_deref_array, and
 * so on. */
enum hir_kind {
    /* instructions */
    HIR_VARIABLE, /* a declaration */
    HIR_ASSIGN,
    HIR_CALL, /* its value is stored through return_deref */
    HIR_IF,
    HIR_LOOP,
    HIR_JUMP, /* break or continue */
    HIR_RETURN,
    HIR_DISCARD,
    HIR_EMIT_VERTEX,
    HIR_END_PRIMITIVE,
    /* Call of a built-in function that has side effects or communicates between invocations. */
    HIR_INTRINSIC,
    /* values (rvalues) */
    HIR_CONSTANT,
    HIR_EXPRESSION,
    HIR_SWIZZLE,
    HIR_DEREF_VARIABLE,
    HIR_DEREF_ARRAY,  /* element of an array, column of a matrix, component of a vector */
    HIR_DEREF_RECORD, /* field of a struct or of a block instance */
    HIR_TEXTURE,
};

/* Common head of all nodes. */
struct hir_node {
    struct list_head link; /* in an instruction list; values do not use it */
    uint8_t kind;          /* enum hir_kind */
    struct glsl_loc loc;
};

/* A value. type is never NULL; the error type suppresses further messages. */
struct hir_value {
    struct hir_node node;
    const struct glsl_type *type;
};

/* Kinds of variables, by storage qualifier and scope. */
enum hir_variable_mode {
    HIR_VAR_AUTO,      /* local */
    HIR_VAR_GLOBAL,    /* global without a storage qualifier, or const */
    HIR_VAR_TEMPORARY, /* created by the compiler */
    HIR_VAR_UNIFORM,
    HIR_VAR_BUFFER, /* storage block instance or member */
    HIR_VAR_SHARED,
    HIR_VAR_SHADER_IN,
    HIR_VAR_SHADER_OUT,
    HIR_VAR_FUNCTION_IN, /* this and the next three: parameters of functions */
    HIR_VAR_FUNCTION_OUT,
    HIR_VAR_FUNCTION_INOUT,
    HIR_VAR_CONST_IN, /* const in */
    HIR_VAR_SYSTEM_VALUE,
};

struct hir_constant;

/* A variable or parameter. */
struct hir_variable {
    struct hir_node node; /* HIR_VARIABLE */
    const char *name;
    const struct glsl_type *type;
    uint8_t mode;          /* enum hir_variable_mode */
    uint8_t interpolation; /* enum glsl_interp_mode */
    uint8_t precision;     /* enum glsl_precision */
    bool read_only, centroid, sample, patch, invariant, precise;
    bool per_primitive; /* perprimitiveEXT */
    bool payload;       /* HIR_VAR_SHARED: taskPayloadSharedEXT */
    bool explicit_location, explicit_binding, explicit_index, explicit_component, explicit_offset;
    bool used;              /* static use: some code refers to it */
    bool assigned;          /* some code writes to it, or it has an initializer */
    bool handle_assigned;   /* some code writes to samplers or images in it */
    bool initialized;       /* an assignment of all of it follows the declaration */
    bool builtin;           /* a gl_* variable */
    bool redeclared;        /* built-in block or array of arrays that the shader redeclared */
    bool framebuffer_fetch; /* inout fragment output, whose initial value is the framebuffer's */
    bool implicit_sized;    /* unsized array that gets its size from max_array_access later */
    uint8_t access;         /* enum gl_access_qualifier */
    uint8_t depth_layout;   /* enum nir_depth_layout; gl_FragDepth only */
    uint8_t stream;         /* vertex stream of a geometry shader output */
    /* The explicit location, or the slot of a built-in: vert_attrib, varying_slot, frag_result or
     * system_value. -1: none. */
    int location;
    int index, component, binding, offset; /* valid only if their explicit_ flag is set */
    bool explicit_stream, explicit_xfb_buffer, explicit_xfb_offset, explicit_xfb_stride;
    /* Transform feedback layout (GLSL 4.60 §4.4.2); offset and stride in bytes. Without an explicit
     * buffer, xfb_buffer is the shader's default buffer. */
    unsigned xfb_buffer, xfb_offset, xfb_stride;
    bool noncoherent; /* layout(noncoherent): unordered framebuffer fetch */
    /* Default-block uniforms: samplers, or images, may be set to handles (ARB_bindless_texture). */
    bool bindless_sampler, bindless_image;
    unsigned image_format;                     /* enum drv_format of an image */
    int max_array_access;                      /* highest constant index into the array; -1: none */
    struct hir_constant *constant_value;       /* value of a const variable */
    struct hir_constant *constant_initializer; /* initial value of a uniform or global */
    /* Block type, if the variable is a block instance or a member of a block; else NULL. */
    const struct glsl_type *interface_type;
    int interface_field;      /* field index in a block without an instance name; else -1 */
    unsigned num_state_slots; /* built-in uniforms: the state that each vec4 mirrors */
    nir_state_slot *state_slots;
};

/* An assignment. */
struct hir_assign {
    struct hir_node node;
    struct hir_value *lhs; /* a deref */
    /* Has the type of lhs, or, if write_mask is not 0, one component per bit of the mask. */
    struct hir_value *rhs;
    /* Components of a scalar or vector that are written. 0 for matrices, arrays and structs, which
     * are written whole. */
    uint8_t write_mask;
};

/* A call of a user-defined function. */
struct hir_call {
    struct hir_node node;
    struct hir_signature *callee;
    struct hir_value **args; /* one per parameter; a deref for out and inout parameters */
    unsigned num_args;
    struct hir_value *return_deref; /* deref of a temporary for the return value; NULL for void */
    /* NULL for a direct call. Otherwise a deref of the subroutine uniform (or element of one) that
     * selects the function; callee is then the prototype of the subroutine type. */
    struct hir_value *subroutine;
};

/* An if statement. */
struct hir_if {
    struct hir_node node;
    struct hir_value *condition;
    struct list_head then_list, else_list; /* linked by hir_node.link */
};

/* An infinite loop. ast_to_hir turns the condition of a loop into an if with a break. */
struct hir_loop {
    struct hir_node node;
    struct list_head body;
    /* Runs after the body and on continue. Holds the step of `for` or the condition of `do`. */
    struct list_head continue_list;
};

enum hir_jump_mode { HIR_JUMP_BREAK, HIR_JUMP_CONTINUE };
/* Leaves or continues the innermost loop. */
struct hir_jump {
    struct hir_node node;
    enum hir_jump_mode mode;
};

/* Returns from the function. */
struct hir_return {
    struct hir_node node;
    struct hir_value *value; /* NULL in void functions */
};

/* Discards the fragment. */
struct hir_discard {
    struct hir_node node;
    struct hir_value *condition; /* NULL: unconditional */
};

/* EmitStreamVertex (HIR_EMIT_VERTEX) or EndStreamPrimitive (HIR_END_PRIMITIVE). */
struct hir_emit {
    struct hir_node node;
    unsigned stream;
};

/* Operations of expressions. The tables in hir_ops.py define their names, number of operands, NIR
 * opcodes and constant folding, and the enum hir_intrinsic_op. The operands of an operation have
 * equal types unless the table says otherwise; a component-wise operation may combine a scalar with
 * a vector. */
#include "hir_ops.h" /* generated: enum hir_op, enum hir_intrinsic_op */

/* A call of a built-in function with side effects, or one that accesses memory, images or other
 * invocations (GLSL 4.60 §8.10 to §8.19). */
struct hir_intrinsic {
    struct hir_node node;
    enum hir_intrinsic_op op;
    unsigned num_args;
    struct hir_value *args[5]; /* as in the prototype; a deref for memory, counters and images */
    struct hir_value *return_deref; /* as in hir_call */
};

/* A constant of any type. Scalars, vectors and matrices (in column-major order) use value; arrays
 * and structs use elements. */
struct hir_constant {
    struct hir_value base;
    nir_const_value value[16];      /* the member for the base type; .f32 for half floats */
    struct hir_constant **elements; /* base.type->length of them; NULL for other types */
};

/* An operation on values. */
struct hir_expression {
    struct hir_value base;
    enum hir_op op;
    unsigned num_operands;
    struct hir_value *operands[4];
};

/* Components of a scalar or vector, in any order and possibly repeated. */
struct hir_swizzle {
    struct hir_value base;
    struct hir_value *value;
    uint8_t component[4]; /* one per component of base.type */
};

/* A whole variable. */
struct hir_deref_variable {
    struct hir_value base;
    struct hir_variable *var;
};

/* An element of an array, column of a matrix or component of a vector. */
struct hir_deref_array {
    struct hir_value base;
    struct hir_value *value; /* array, matrix or vector */
    struct hir_value *index; /* int or uint scalar */
};

/* A field of a struct or block instance. */
struct hir_deref_record {
    struct hir_value base;
    struct hir_value *value; /* struct or block instance */
    unsigned field;          /* index of the field */
};

/* A texture fetch or query. Sources that the operation does not use are NULL. */
struct hir_texture {
    struct hir_value base;
    nir_texop op;
    struct hir_value *sampler; /* a deref, or an expression made from a handle */
    struct hir_value *coord;   /* includes the array layer, but not the comparator or projector */
    struct hir_value *projector, *comparator, *lod, *bias, *dPdx, *dPdy, *offset, *sample_index;
    struct hir_value *min_lod;   /* lower limit of the level of detail */
    struct hir_value *component; /* component that a gather reads, an int constant */
    struct hir_value *offsets;   /* gather with four offsets: ivec2[4] constant */
    bool residency;              /* the value is a residency code (nir_tex_instr.is_residency) */
    bool shadow_is_vec4; /* shadow comparison that returns a vec4, as in shadow1D (GLSL 1.10) */
};

/* One overload of a function. */
struct hir_signature {
    struct list_head link; /* in hir_function.signatures */
    struct hir_function *function;
    const struct glsl_type *return_type;
    uint8_t return_precision;     /* enum glsl_precision */
    struct hir_variable **params; /* modes HIR_VAR_FUNCTION_IN … HIR_VAR_CONST_IN */
    unsigned num_params;
    struct list_head body; /* linked by hir_node.link */
    struct glsl_loc loc;
    bool defined; /* it has a body */
    bool builtin; /* a built-in; whether user functions can hide it depends on the version */
    /* Subroutine types that the function implements. */
    struct hir_subroutine_type **subroutine_types;
    unsigned num_subroutine_types;
    int subroutine_index; /* layout(index); -1: the linker assigns an index */
};

/* All overloads of a function name. */
struct hir_function {
    struct list_head link; /* in hir_shader.functions */
    const char *name;
    struct list_head signatures; /* linked by hir_signature.link */
};

/* The type declared by `subroutine vec4 name(int);` (GLSL 4.60 §6.1.2). A uniform of this type
 * selects one of the functions that are declared with subroutine(name). */
struct hir_subroutine_type {
    struct list_head link;           /* in hir_shader.subroutine_types */
    const struct glsl_type *type;    /* base type GLSL_TYPE_SUBROUTINE, with the name */
    struct hir_signature *prototype; /* never defined */
};

/* The layout qualifiers that `layout(…) in;`, `layout(…) out;` and similar declarations have set. A
 * flag means that the value in hir_shader.info was declared. The other fields hold values
 * themselves. */
struct hir_declared_layout {
    bool input_primitive, output_primitive, max_vertices, invocations; /* geometry */
    bool vertices, primitive_mode, spacing, ordering, point_mode;      /* tessellation */
    bool layer, viewport_relative_layer; /* redeclarations of the output gl_Layer */
    bool local_size, local_size_variable, derivative_group; /* compute */
    bool post_depth_coverage, inner_coverage, interlock;    /* fragment */
    bool mesh_output, mesh_vertices, mesh_primitives;       /* mesh */
    unsigned views;                                         /* num_views; 0: not declared */
    /* Mask of blend equations, in the order of the table in KHR_blend_equation_advanced. */
    uint32_t blend_support;
    /* Defaults that were declared for samplers and for images (ARB_bindless_texture). Bit 0: bound,
     * bit 1: bindless. */
    uint8_t samplers, images;
    uint8_t xfb_strides;    /* mask of the buffers with an xfb_stride */
    unsigned xfb_stride[4]; /* bytes */
};

/* A compiled, unlinked shader. */
struct hir_shader {
    struct arena *arena; /* owns all nodes; a talloc child of the hir_shader */
    enum shader_stage stage;
    unsigned version;
    bool es;
    /* Code at global scope: HIR_VARIABLE nodes, and the instructions of non-constant
     * initializers. */
    struct list_head instructions;
    struct list_head functions;        /* linked by hir_function.link */
    struct hash_table *function_table; /* name → hir_function */
    bool uses_discard, uses_derivatives;
    /* A geometry shader with ARB_geometry_shader4: if no shader of the stage has layout qualifiers
     * for the primitive types and the maximum number of vertices, parameters of the program
     * replace them. */
    bool has_program_geometry;
    bool fs_origin_upper_left, fs_pixel_center_integer, fs_early_fragment_tests;
    bool fs_redeclares_frag_coord;
    bool invariant_all; /* #pragma STDGL invariant(all) */
    bool has_precise;   /* some variable is precise or invariant */
    /* Rules for calls of functions that other shaders of the stage define. converts_arguments:
     * arguments may be converted from integers to floats. ranks_conversions: if conversions make
     * several overloads match, the best one is selected; otherwise the call is ambiguous. */
    bool converts_arguments, ranks_conversions;
    /* Values of the stage's layout qualifiers; see `declared`. Only the part for the stage is
     * used. */
    nir_shader_info info;
    struct hir_declared_layout declared;
    struct list_head subroutine_types; /* linked by hir_subroutine_type.link */
    /* Block type of a redeclaration `out gl_PerVertex { … };` without an instance name, or NULL. */
    const struct glsl_type *per_vertex_out;
    /* Block types of the redeclarations of gl_in (element 0) and gl_out (element 1), even if these
     * are unused; NULL: no redeclaration. */
    const struct glsl_type *per_vertex_array[2];
};

/* --- Constructors: they return NULL only if there is no memory. They allocate in the shader's
 * arena. A new node is in no list and has the location of an operand, or zeros. --- */
/* Returns an empty shader, a talloc child of mem_ctx. */
struct hir_shader *hir_shader_create(void *mem_ctx, enum shader_stage stage);
/* Returns zeroed memory in the shader's arena. */
void *hir_alloc(struct hir_shader *sh, size_t size);
/* Returns a copy of the text in the shader's arena. */
char *hir_strdup(struct hir_shader *sh, const char *text);
/* Creates a variable. name is copied; NULL stands for "". */
struct hir_variable *hir_variable_create(struct hir_shader *sh, const struct glsl_type *type,
                                         const char *name, enum hir_variable_mode mode);
/* Creates an expression; unused operands are NULL. If type is NULL, infers it from the operands; if
 * they don't fit the operation, it is the error type. Also returns NULL if a is NULL. For half
 * floats, most operations become operations on floats with conversions. */
struct hir_value *hir_expr(struct hir_shader *sh, enum hir_op op, const struct glsl_type *type,
                           struct hir_value *a, struct hir_value *b, struct hir_value *c,
                           struct hir_value *d);
/* Create derefs of a variable, of an element, column or component of a value, and of a field (by
 * index) of a struct or block instance. */
struct hir_value *hir_deref_var(struct hir_shader *sh, struct hir_variable *var);
struct hir_value *hir_deref_elem(struct hir_shader *sh, struct hir_value *value,
                                 struct hir_value *index);
struct hir_value *hir_deref_field(struct hir_shader *sh, struct hir_value *value, unsigned field);
/* Creates a vector of `count` components (1 to 4): component i is component[i] of value. */
struct hir_value *hir_swizzle_of(struct hir_shader *sh, struct hir_value *value,
                                 const uint8_t *component, unsigned count);
/* Returns a constant with the value zero. */
struct hir_constant *hir_const_create(struct hir_shader *sh, const struct glsl_type *type);
/* Return scalar constants. */
struct hir_constant *hir_const_int(struct hir_shader *sh, int value);
struct hir_constant *hir_const_bool(struct hir_shader *sh, bool value);
/* Creates an assignment; write_mask is hir_assign.write_mask. */
struct hir_assign *hir_assign_create(struct hir_shader *sh, struct hir_value *lhs,
                                     struct hir_value *rhs, unsigned write_mask);
/* Return deep copies; variables are shared. */
struct hir_value *hir_clone_value(struct hir_shader *sh, const struct hir_value *value);
struct hir_constant *hir_clone_constant(struct hir_shader *sh, const struct hir_constant *c);

/* Evaluates a constant expression, which may refer to const variables. Returns `value` itself if it
 * is a constant node, else a new constant, or NULL if the value is not constant or there is no
 * memory. Built-in calls need no evaluation here, because glsl_builtin_call folds those with
 * constant arguments. */
struct hir_constant *hir_constant_value(struct hir_shader *sh, const struct hir_value *value);
/* Returns the variable at the root of a chain of derefs and swizzles, or NULL if value is not such
 * a chain. */
struct hir_variable *hir_variable_referenced(const struct hir_value *value);

/* Print a shader and a value as s-expressions to fp, for tools and debugging. */
void hir_print(const struct hir_shader *sh, FILE *fp);
void hir_print_value(const struct hir_value *value, FILE *fp);
/* Marks variables as precise: all invariant outputs and, within each function, the variables from
 * which a precise variable is computed. */
void hir_mark_precise(struct hir_shader *sh);
/* Checks the rules of HIR in debug builds. If one is broken, prints the node and the rule, and
 * aborts. */
void hir_validate(const struct hir_shader *sh);

/* --- Built-in functions and variables --- */
struct glsl_options;
/* The language for which built-ins are looked up. A built-in is "in the environment" if the
 * version, stage and extensions provide it. */
struct glsl_builtin_env {
    const struct glsl_options *options;
    enum shader_stage stage;
    unsigned version;
    bool es, compat; /* compat: deprecated features are available */
    /* Extensions enabled by #extension (enum glsl_extension). */
    const bitset_word *enabled_extensions;
};

/* Receives built-in variables and the types of built-in structs (gl_LightSourceParameters). */
struct glsl_builtin_sink {
    /* Returns whether a built-in with this name is needed. NULL: all are. */
    bool (*wants)(void *data, const char *name);
    /* Receive a variable and a struct type. */
    void (*add)(void *data, struct hir_variable *var);
    void (*add_type)(void *data, const char *name, const struct glsl_type *type);
    void *data;
};
/* Declares the built-in variables and constants (gl_Position, gl_MaxLights, gl_ModelViewMatrix and
 * so on) that exist in the environment and that the sink wants. Also declares the built-in structs
 * that the sink wants or that these variables need. They are allocated in sh. */
void glsl_builtin_variables(struct hir_shader *sh, const struct glsl_builtin_env *env,
                            const struct glsl_builtin_sink *sink);
/* Returns whether a built-in function with this name is in the environment. */
bool glsl_builtin_function_exists(const struct glsl_builtin_env *env, const char *name);
/* Calls add(data, name) for the name of each built-in function in the environment. Leaves out names
 * whose first overload in the table is not available. */
void glsl_builtin_function_names(const struct glsl_builtin_env *env,
                                 void (*add)(void *data, const char *name), void *data);
/* Returns whether the overload with this id (see glsl_builtin_signatures) is in the environment. */
bool glsl_builtin_has(const struct glsl_builtin_env *env, unsigned id);
/* Calls add for every overload of `name` in the environment. `id` identifies the overload for the
 * functions below. modes are HIR_VAR_FUNCTION_IN or HIR_VAR_FUNCTION_OUT, except that the first
 * parameter may be HIR_VAR_BUFFER (the function modifies a variable in memory) or HIR_VAR_SHADER_IN
 * (it evaluates an input at another position). Its argument is then a deref of exactly the
 * parameter's type. */
void glsl_builtin_signatures(const struct glsl_builtin_env *env, const char *name,
                             void (*add)(void *data, const struct glsl_type *return_type,
                                         const struct glsl_type *const *params,
                                         const enum hir_variable_mode *modes, unsigned count,
                                         unsigned id),
                             void *data);
/* Checks the rules for the arguments of an overload other than their types. Returns NULL if they
 * are met. Otherwise returns a message for the user and sets *which to the index of the argument.
 * Must be called before glsl_builtin_call, with the same arguments. */
const char *glsl_builtin_check(struct hir_shader *sh, const struct glsl_builtin_env *env,
                               unsigned id, struct hir_value *const *args, unsigned num_args,
                               unsigned *which);
/* Builds a call of an overload. The arguments have the types of the parameters; out arguments are
 * derefs. Appends the instructions that the call needs to `instructions` and returns its value,
 * which is a constant if the call is a constant expression. Returns NULL for void functions, and
 * for other functions if there is no memory. */
struct hir_value *glsl_builtin_call(struct hir_shader *sh, const struct glsl_builtin_env *env,
                                    unsigned id, struct hir_value **args, unsigned num_args,
                                    struct list_head *instructions, struct glsl_loc loc);

#endif
