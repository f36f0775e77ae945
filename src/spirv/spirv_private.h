/* SPDX-License-Identifier: MIT */
/* Internal declarations of the translator: the ids of a module and their values, types, and the
 * state of a translation. On an error, the functions call spv_fail or spv_out_of_memory, which do
 * not return. */
#ifndef SPIRV_PRIVATE_H
#define SPIRV_PRIVATE_H

#include <setjmp.h>

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <talloc.h>

#include "nir/nir_builder.h"
#include "spirv/spirv.h"
#include "spirv/spirv_grammar.h"
#include "util/dynarray.h"
#include "util/hash_table.h"

/* Limits. Modules that exceed them are rejected. */
#define SPV_MAX_ID         4194303    /* id bound (SPIR-V §2.17) */
#define SPV_MAX_TYPE_DEPTH 64         /* levels of nesting in a type (spv_type.depth) */
#define SPV_MAX_TYPE_NODES 65536      /* types nested in a type (spv_type.nodes) */
#define SPV_MAX_COPY       65536      /* scalars in a copied aggregate, constant, input or output */
#define SPV_MAX_SCALARS    (1u << 20) /* scalars in a private, function or shared variable */
#define SPV_MAX_NESTING    256        /* levels of control flow, and of function calls */
#define SPV_MAX_WORK       2000000    /* units of spv_count_work in a translation */
#define SPV_MAX_BYTES      (1u << 28) /* bytes of an offset or stride in a block */

/* A decoded instruction. */
struct spv_instr {
    const uint32_t *w; /* w[0] holds the opcode and the length */
    unsigned count;    /* length in words */
    uint32_t offset;   /* word offset of w[0] in the module */
    SpvOp op;
    const struct spv_op_info *info; /* its row in spv_ops; NULL: unknown opcode */
};

/* A decoration of an id or of a struct member. */
struct spv_decoration {
    struct spv_decoration *next;
    int member; /* index of the struct member; -1: decorates the id */
    SpvDecoration decoration;
    uint32_t offset;          /* word offset of the instruction that decorates */
    unsigned count;           /* number of operands */
    const uint32_t *operands; /* points into the module */
};

/* A type of the module. */
struct spv_type {
    SpvOp op;       /* OpTypeFloat and so on */
    uint8_t width;  /* bits of an int or float: 32 or 64; else 0 */
    bool is_signed; /* a signed int */
    uint32_t id;    /* id that OpType… defined */
    /* Vector: component type. Matrix: column type. Array and pointer: type of the element or
     * pointee. Image: sampled type. Sampled image: the image type. Function: result type. */
    const struct spv_type *element;
    /* Number of components, columns, elements (0: runtime array), members or parameters. */
    unsigned length;
    const struct spv_type **members; /* types of a struct's members or a function's parameters */
    SpvStorageClass storage;         /* storage class of a pointer */
    /* Structs: decorated as Block, as BufferBlock; some member is decorated as BuiltIn. */
    bool block, buffer_block, builtin_block;
    struct {
        SpvDim dim;
        bool depth, arrayed, multisampled;
        unsigned sampled; /* 1: used with a sampler; 2: storage image */
        SpvImageFormat format;
        enum glsl_base_type base; /* type of a texel component */
    } image;                      /* images and sampled images */
    /* The type in NIR for values and private variables. For a pointer, that of the pointee. NULL
     * for void and functions. */
    const struct glsl_type *plain;
    /* The type in NIR for buffers: with Offset, ArrayStride, MatrixStride and RowMajor. */
    const struct glsl_type *layout;
    uint64_t size;   /* bytes of an array or struct with explicit layout; else 0 */
    unsigned stride; /* ArrayStride in bytes; 0: none */
    /* depth: levels of arrays and structs; 0 for scalars, vectors, matrices and images. nodes:
     * number of types in it, itself included, where an array counts its element type once. A
     * pointer has the values of its pointee. */
    unsigned depth, nodes;
    /* Number of scalars in a value, at most UINT32_MAX. A runtime array counts as one element. */
    uint64_t scalars;
    bool opaque;  /* is or contains images or samplers */
    bool unsized; /* is or contains a runtime array */
};

/* What an id stands for. */
enum spv_kind {
    /* Not defined yet. The result of an instruction in a function has spv_value.offset and type
     * before it is defined. */
    SPV_NOTHING,
    SPV_STRING,
    SPV_IMPORT, /* extended instruction set */
    SPV_GROUP,  /* decoration group */
    SPV_TYPE,
    SPV_CONSTANT,
    SPV_VARIABLE, /* global or local variable, that is, a pointer to all of it */
    SPV_FUNCTION,
    SPV_LABEL,   /* block */
    SPV_RESULT,  /* result of an instruction, or a parameter */
    SPV_POINTER, /* pointer to a part of a variable */
    SPV_IMAGE,   /* loaded image or sampled image; the value is the pointer it was loaded from */
    SPV_TEXEL,   /* pointer to a texel of an image, for atomics */
};

/* A variable of the module; it may become several NIR variables. */
struct spv_variable {
    const struct spv_type *type; /* type of the contents */
    SpvStorageClass storage;
    uint32_t id, offset; /* id and word offset of OpVariable */
    nir_variable *nir;   /* NULL: not created yet, or an input or output block */
    /* Input or output blocks: one variable per member, NULL until created. NULL for other
     * variables. */
    nir_variable **members;
    unsigned levels;            /* number of array dimensions of an input or output block */
    struct hash_table *opaques; /* name → nir_variable of an opaque struct member; may be NULL */
    const char *name;           /* name of the NIR variable; NULL for local variables */
};

/* A step of an access path: an index into an array, matrix, vector or struct. */
struct spv_step {
    nir_def *def;        /* dynamic 32-bit index, or NULL */
    nir_variable *saved; /* variable that passes a dynamic index to a callee, or NULL */
    unsigned index;      /* constant index, if def and saved are NULL */
};

/* A pointer: a variable and the access path into it. */
struct spv_pointer {
    struct spv_variable *var;
    const struct spv_type *type; /* type of the pointee */
    unsigned count;              /* number of steps */
    struct spv_step *steps;
};

/* The value of an SSA id. A scalar or vector is c[0] (n = 1), a matrix is its columns (n = number
 * of columns). An array or struct is a variable that is written only once (n = 0). */
struct spv_ssa {
    const struct spv_type *type;
    unsigned n; /* number of c in use */
    nir_def *c[4];
    nir_variable *var; /* arrays and structs only */
};

/* A block of a function. */
struct spv_block {
    uint32_t label, offset; /* id and word offset of OpLabel */
    struct spv_block *next; /* next block of the function in module order */
    struct spv_function *function;
    uint32_t merge, target; /* ids of the merge block and continue target; 0: none */
    SpvOp merge_op;         /* OpSelectionMerge or OpLoopMerge; OpNop: none */
    uint32_t phis;          /* word offset of the first OpPhi; 0: none */
    uint32_t first, end;    /* word offsets: first instruction after the phis; terminator */
    unsigned preds;         /* number of branches to it */
    uint32_t serial;        /* spv.serial of the last instance that emitted it */
    bool repeatable;        /* may be emitted more than once in an instance */
    unsigned owner;         /* spv.owner of the last search that visited it */
};

/* A function of the module. */
struct spv_function {
    uint32_t id, offset;         /* id and word offset of OpFunction */
    const struct spv_type *type; /* OpTypeFunction */
    DYNARRAY(uint32_t) params;   /* ids of the parameters */
    struct spv_block *entry;     /* first block */
    uint32_t words;              /* length in words */
    uint64_t work;               /* words including those of callees; 0: not counted yet */
    bool counting;               /* work is being counted; detects recursion */
    /* The instance that all calls use. Stays NULL if a parameter is a pointer or an image, because
     * then each call has a separate instance. */
    struct spv_instance *shared;
};

/* What is known about an id. */
struct spv_value {
    uint8_t kind;                       /* enum spv_kind */
    bool spec;                          /* a specialization constant, or computed from one */
    uint32_t offset;                    /* word offset of the defining instruction */
    uint32_t serial;                    /* spv.serial when it was defined; 0: outside functions */
    const struct spv_type *type;        /* type of the value; for SPV_TYPE, the type itself */
    struct spv_decoration *decorations; /* list; for a struct type, without those of members */
    struct spv_decoration **members;    /* struct types: list of the decorations of each member */
    union {
        nir_constant *constant;
        struct spv_variable *variable;
        struct spv_function *function;
        struct spv_block *block;
        struct spv_pointer *pointer; /* SPV_POINTER, SPV_IMAGE, SPV_TEXEL */
        struct spv_ssa ssa;
        bool is_glsl; /* SPV_IMPORT: the set is GLSL.std.450 */
    };
    uint32_t coord, sample; /* SPV_TEXEL: ids of the coordinate and the sample index */
    nir_variable *storage;  /* variable with the value of an aggregate constant or a phi, or NULL */
    uint32_t storage_serial; /* phis: spv.serial of the instance that `storage` belongs to */
};

/* A translation of a function to a NIR function. A function with pointer or image parameters has
 * one instance per call; other functions have one. */
struct spv_instance {
    struct spv_function *function;
    nir_function *nir;
    nir_variable **params;         /* per parameter: variable with its value; NULL if in pointers */
    struct spv_pointer **pointers; /* per parameter: the caller's pointer or image, or NULL */
    nir_variable *result;          /* receives the return value; NULL for void */
};

struct spv_construct;

/* The state of a translation. */
struct spv {
    const uint32_t *words;   /* the module */
    size_t count;            /* its length in words */
    uint32_t bound, version; /* from the header: all ids are below bound */
    const struct spirv_options *options;
    enum shader_stage stage;
    void *mem;                 /* talloc context of everything that is freed at the end */
    char *message;             /* error message, a child of mem_ctx; NULL: no error, or no memory */
    void *mem_ctx;             /* talloc context of the results */
    jmp_buf fail;              /* where spv_fail jumps to */
    struct spv_instr at;       /* current instruction, for messages */
    struct spv_value **values; /* indexed by id */
    /* [capability]: it is declared. Higher capabilities aren't recorded. */
    bool capabilities[SpvCapabilityShaderViewportIndexLayerEXT + 1];
    uint32_t entry_id, entry_offset; /* id of the function, word offset of OpEntryPoint */
    struct hash_table *interface; /* set of ids that OpEntryPoint lists; NULL until it is found */
    DYNARRAY(uint32_t) modes;     /* word offsets of the entry point's OpExecutionMode */
    DYNARRAY(struct spv_variable *) globals; /* all global variables */
    struct spv_value *workgroup_size;        /* constant decorated WorkgroupSize, or NULL */
    unsigned num_decorations;                /* number of decorations of all ids */
    bool xfb;                                /* the entry point has the execution mode Xfb */

    nir_shader *shader;
    nir_builder b;                 /* inserts into impl */
    nir_function_impl *impl;       /* body of the current instance */
    struct spv_instance *instance; /* current instance */
    uint32_t serial; /* number of the current instance, from 1; 0: outside functions */
    DYNARRAY(struct spv_instance *) pending; /* all instances, in the order of their translation */
    struct spv_construct *construct;         /* innermost control-flow construct */
    /* Where blocks are emitted. loop_depth: number of enclosing loops. depth: number of enclosing
     * NIR ifs, except those of constructs. */
    unsigned loop_depth, depth;
    unsigned owner; /* number of the last search for blocks */
    uint64_t work;  /* units counted by spv_count_work */
};

/* spirv_module.c */
/* Sets p->message to an error at the current instruction and ends the translation with longjmp. */
_Noreturn void spv_fail(struct spv *p, const char *format, ...) PRINTFLIKE(2, 3);
/* Ends the translation without a message. */
_Noreturn void spv_out_of_memory(struct spv *p);
/* Calls spv_fail if the condition is true. */
#define spv_fail_if(p, condition, ...)                                                             \
    do {                                                                                           \
        if (condition)                                                                             \
            spv_fail(p, __VA_ARGS__);                                                              \
    } while (0)
/* Adds n units of work, and fails if the total exceeds SPV_MAX_WORK. A unit is about one word of
 * code or one copied scalar. It limits the time and memory that small modules can cause. */
void spv_count_work(struct spv *p, uint64_t n);
/* Returns zeroed memory that lives until the end of the translation; never NULL. */
void *spv_alloc(struct spv *p, size_t size);
/* Decodes the instruction at a word offset and makes it the current one. spv_next must have checked
 * it before. */
struct spv_instr spv_read(struct spv *p, uint32_t offset);
/* Like spv_read, but for the first pass over the module: checks that the instruction ends within
 * the module and that its operands follow the grammar. */
struct spv_instr spv_next(struct spv *p, uint32_t offset);
/* Returns what is known about an id, which must be below the bound. The kind is SPV_NOTHING if it
 * is not defined yet. */
struct spv_value *spv_id(struct spv *p, uint32_t id);
/* Defines an id as the result of the current instruction. Returns its value, which the caller fills
 * in. Fails if another instruction defines the id. */
struct spv_value *spv_define(struct spv *p, uint32_t id, enum spv_kind kind);
/* Returns the type with this id; fails if the id is not a type. */
const struct spv_type *spv_type(struct spv *p, uint32_t id);
/* Returns the name of an opcode for messages, such as "OpNop". */
const char *spv_op_name(SpvOp op);

/* spirv_decoration.c */
/* Handles an instruction that decorates ids or struct members, or defines a decoration group. */
void spv_decorate(struct spv *p, const struct spv_instr *in);
/* Moves the decorations of struct members from v->decorations to v->members. length: number of
 * members. Fails if a decorated member does not exist. */
void spv_sort_decorations(struct spv *p, struct spv_value *v, unsigned length);
/* Returns a decoration of the given kind on an id (member -1) or struct member, or NULL if there is
 * none. spv_has_decoration returns whether there is one. */
const struct spv_decoration *spv_find_decoration(const struct spv_value *v, int member,
                                                 SpvDecoration decoration);
bool spv_has_decoration(const struct spv_value *v, int member, SpvDecoration decoration);
/* Returns the first operand of a decoration of an id or struct member, or `otherwise` if it does
 * not have the decoration or the decoration has no operand. */
uint32_t spv_decoration_value(const struct spv_value *v, int member, SpvDecoration decoration,
                              uint32_t otherwise);

/* spirv_type.c */
/* Handles OpType… instructions. */
void spv_define_type(struct spv *p, const struct spv_instr *in);
bool spv_is_number(const struct spv_type *t); /* int or float scalar */
bool spv_is_scalar(const struct spv_type *t); /* int, float or boolean scalar */
bool spv_is_vector(const struct spv_type *t); /* scalar or vector */
bool spv_is_matrix(const struct spv_type *t);
bool spv_is_aggregate(const struct spv_type *t); /* array or struct */
/* Returns the component type of a scalar, vector or matrix. */
const struct spv_type *spv_scalar_of(const struct spv_type *t);
/* Returns the number of components of a scalar or vector. */
unsigned spv_components(const struct spv_type *t);
/* Returns the bit size in NIR of a component of a scalar, vector or matrix; 1 for booleans. */
unsigned spv_bits(const struct spv_type *t);
/* Returns whether two types are equal, without regard to their ids and layout. An image, pointer or
 * function type is equal only to itself. */
bool spv_same_type(const struct spv_type *a, const struct spv_type *b);
/* Returns the type of member, element, column or component i; fails if there is none. */
const struct spv_type *spv_part_type(struct spv *p, const struct spv_type *t, unsigned i);

/* spirv_constant.c */
/* Handles instructions that define constants, and OpUndef outside of functions. */
void spv_define_constant(struct spv *p, const struct spv_instr *in);
/* Returns the value of a 32-bit integer constant; fails if the id is not one. */
uint32_t spv_constant_u32(struct spv *p, uint32_t id);
/* Returns a deep copy of a constant of type t, allocated in mem_ctx. In the copy, null constants
 * have elements, too, and no element is shared. */
nir_constant *spv_constant_clone(struct spv *p, void *mem_ctx, const nir_constant *c,
                                 const struct spv_type *t);

/* spirv_variable.c */
/* Handles OpVariable outside of functions. */
void spv_define_variable(struct spv *p, const struct spv_instr *in);
/* Creates the variables that must exist even if no code refers to them: outputs that transform
 * feedback captures or that have an initial value, and attributes that OpEntryPoint lists. */
void spv_create_globals(struct spv *p);
/* Returns the NIR variable of v, which is not an input or output block. Creates it on first use. */
nir_variable *spv_variable_nir(struct spv *p, struct spv_variable *v);
/* Returns the NIR variable of a member of the input or output block v. Creates it on first use. */
nir_variable *spv_io_member(struct spv *p, struct spv_variable *v, unsigned member);
/* Creates a NIR uniform with this type and name and the decorations of v. */
nir_variable *spv_create_uniform(struct spv *p, const struct spv_variable *v,
                                 const struct glsl_type *type, const char *name);
/* Fills in shader->info and p->xfb from the execution modes of the entry point. Fails if one that
 * the stage requires is missing. */
void spv_execution_modes(struct spv *p);

/* spirv_cfg.c, spirv_function.c */
/* Parses the function whose OpFunction, at word offset *offset, is the current instruction: defines
 * the function and its blocks. Sets *offset to the word after OpFunctionEnd. */
void spv_find_function(struct spv *p, uint32_t *offset);
/* Translates the body of an instance. */
void spv_emit_body(struct spv *p, struct spv_instance *instance);
/* Translates the entry point and the functions that it calls. */
void spv_emit_functions(struct spv *p);
/* Translates an instruction that is not a terminator, phi or merge instruction. Fails if the
 * instruction is not supported. */
void spv_emit_instruction(struct spv *p, const struct spv_instr *in);

/* spirv_value.c */
/* Return the value of an operand. spv_use accepts any value, spv_use_vec a scalar or vector, and
 * spv_use_int an integer scalar, which it converts to 32 bits. They fail for other ids, and for
 * values that are not defined yet. */
struct spv_ssa spv_use(struct spv *p, uint32_t id);
nir_def *spv_use_vec(struct spv *p, uint32_t id);
nir_def *spv_use_int(struct spv *p, uint32_t id);
/* Define the result id (in->w[2]) of an instruction as a value, or as a scalar or vector. Fail if
 * the value does not have the result type (in->w[1]). */
void spv_set(struct spv *p, const struct spv_instr *in, struct spv_ssa value);
void spv_set_vec(struct spv *p, const struct spv_instr *in, nir_def *def);
/* Returns zeros, the value of OpUndef. */
struct spv_ssa spv_undefined(struct spv *p, const struct spv_type *t);
/* Returns the value of a constant of type t. Fails if it has more than SPV_MAX_COPY scalars. */
struct spv_ssa spv_from_constant(struct spv *p, const nir_constant *c, const struct spv_type *t);
/* Builds a deref of the variable of an array or struct. */
nir_deref_instr *spv_aggregate_deref(struct spv *p, const struct spv_ssa *v);
/* Returns an array or struct in a new variable, which the caller writes. Fails if the type is
 * opaque or unsized. */
struct spv_ssa spv_temporary(struct spv *p, const struct spv_type *t);
/* Load and store a value of any type. Loads convert booleans that are stored as uints. */
struct spv_ssa spv_load_part(struct spv *p, nir_deref_instr *deref, const struct spv_type *t);
void spv_store_part(struct spv *p, nir_deref_instr *deref, const struct spv_ssa *v);

/* spirv_memory.c */
/* Return an operand that is a pointer, or the pointer from which an image operand was loaded. Fail
 * for other operands. */
struct spv_pointer *spv_use_pointer(struct spv *p, uint32_t id);
struct spv_pointer *spv_use_image(struct spv *p, uint32_t id);
/* Load and store the pointee, which may be a vector component or a whole input or output block.
 * spv_load fails if the pointee is opaque or an atomic counter, spv_store if it is read-only or has
 * another type than the value. */
struct spv_ssa spv_load(struct spv *p, const struct spv_pointer *ptr);
void spv_store(struct spv *p, const struct spv_pointer *ptr, const struct spv_ssa *v);
/* Builds a deref of the pointee. */
nir_deref_instr *spv_pointer_deref(struct spv *p, const struct spv_pointer *ptr);
/* Builds a deref of an image or sampler. Each opaque member of a struct is a separate NIR
 * variable. */
nir_deref_instr *spv_opaque_deref(struct spv *p, const struct spv_pointer *ptr);
/* Translates variables, access chains, loads and stores. Returns false for other instructions. */
bool spv_emit_memory(struct spv *p, const struct spv_instr *in);
/* If the last step selects a vector component, removes that step, so that ptr refers to the vector,
 * and returns the step. Otherwise returns NULL. */
const struct spv_step *spv_split_component(struct spv_pointer *ptr);
/* Returns the index of a step as a 32-bit value. Clamps a dynamic index to length - 1, unless
 * length is 0. A constant index was clamped when the step was created. */
nir_def *spv_step_index(struct spv *p, const struct spv_step *step, unsigned length);

/* spirv_alu.c, spirv_composite.c, spirv_image.c, spirv_glsl.c, spirv_group.c, spirv_subgroup.c */
/* Each translates a class of instructions. Those that return bool return false for other
 * instructions. spv_emit_group translates barriers, the instructions of SPV_KHR_subgroup_vote and
 * SPV_KHR_shader_ballot, and those that emit vertices; spv_emit_subgroup translates
 * OpGroupNonUniform…, spv_emit_atomic OpAtomic…. */
bool spv_emit_alu(struct spv *p, const struct spv_instr *in);
bool spv_emit_composite(struct spv *p, const struct spv_instr *in);
bool spv_emit_image(struct spv *p, const struct spv_instr *in);
bool spv_emit_group(struct spv *p, const struct spv_instr *in);
bool spv_emit_subgroup(struct spv *p, const struct spv_instr *in);
void spv_emit_extended(struct spv *p, const struct spv_instr *in); /* OpExtInst */
bool spv_emit_atomic(struct spv *p, const struct spv_instr *in);
/* Emits an atomic operation on a texel (SPV_TEXEL). Returns the old value. comparator is NULL
 * unless op is a compare-exchange. */
nir_def *spv_image_atomic(struct spv *p, const struct spv_value *texel, nir_atomic_op op,
                          nir_def *data, nir_def *comparator);
/* Emits a load of the first component of a texel (SPV_TEXEL). */
nir_def *spv_image_load_texel(struct spv *p, const struct spv_value *texel);
/* Defines the result of an instruction as a struct of two values, each a scalar or vector. Fails if
 * the result type is not a struct of their types. */
void spv_set_pair(struct spv *p, const struct spv_instr *in, nir_def *first, nir_def *second);
/* Evaluates an operation on constants for OpSpecConstantOp. `type` is the result type. Returns NULL
 * if constant expressions may not contain the operation; fails if the types don't match. */
nir_constant *spv_fold_alu(struct spv *p, SpvOp op, const struct spv_type *type,
                           const struct spv_value *const *operands, unsigned count);

#endif
