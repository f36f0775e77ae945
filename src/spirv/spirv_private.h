/* SPDX-License-Identifier: MIT */
/* Internal declarations of the module: ids and their values, types, and the state of a
 * translation. */
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

/* Limits. The translator rejects modules that exceed them. */
#define SPV_MAX_ID         4194303 /* SPIR-V §2.17 */
#define SPV_MAX_TYPE_DEPTH 64
#define SPV_MAX_TYPE_NODES 65536      /* nested types in a type; an array has one element type */
#define SPV_MAX_COPY       65536      /* scalars in a copied aggregate, constant, input or output */
#define SPV_MAX_SCALARS    (1u << 20) /* scalars in a private, function or shared variable */
#define SPV_MAX_NESTING    256        /* depth of control flow, and of function calls */
#define SPV_MAX_WORK       2000000    /* words of code; a function counts once per call */
#define SPV_MAX_BYTES      (1u << 28) /* maximum offset, stride and array size in blocks */

/* A decoded instruction. */
struct spv_instr {
    const uint32_t *w; /* w[0] holds the opcode and the length */
    unsigned count;    /* length in words */
    uint32_t offset;   /* word index of w[0] in the module */
    SpvOp op;
    const struct spv_op_info *info;
};

struct spv_decoration {
    struct spv_decoration *next;
    int member; /* struct member index; -1: the whole value */
    SpvDecoration decoration;
    uint32_t offset; /* word offset of the OpDecorate */
    unsigned count;  /* number of operands */
    const uint32_t *operands;
};

struct spv_type {
    SpvOp op;      /* OpTypeFloat and so on */
    uint8_t width; /* int and float: 32 or 64 bits */
    bool is_signed;
    uint32_t id;
    /* Vector: component type. Matrix: column type. Array and pointer: type of the element or
     * pointee. Sampled image: the image type. Function: result type. */
    const struct spv_type *element;
    unsigned length; /* components, columns, elements (0: runtime array), members or parameters */
    const struct spv_type **members;
    SpvStorageClass storage; /* storage class of a pointer */
    bool block, buffer_block, builtin_block;
    struct {
        SpvDim dim;
        bool depth, arrayed, multisampled;
        unsigned sampled;
        SpvImageFormat format;
        enum glsl_base_type base;
    } image;
    const struct glsl_type *plain; /* type without layout; NULL: has no values (void, function) */
    /* Type with Offset, ArrayStride and so on; same as plain if there are none. */
    const struct glsl_type *layout;
    uint64_t size;   /* bytes of `layout`; 0: no layout, or a runtime array */
    unsigned stride; /* ArrayStride in bytes */
    unsigned depth, nodes;
    uint64_t scalars; /* number of scalars it contains, saturated */
    bool opaque;      /* is or contains images or samplers */
    bool unsized;     /* is or contains a runtime array */
};

enum spv_kind {
    SPV_NOTHING, /* referenced, but not defined yet */
    SPV_STRING,
    SPV_IMPORT,
    SPV_GROUP,
    SPV_TYPE,
    SPV_CONSTANT,
    SPV_VARIABLE, /* global or local */
    SPV_FUNCTION,
    SPV_LABEL,
    SPV_RESULT,  /* result of an instruction, or a parameter */
    SPV_POINTER, /* into a variable */
    SPV_IMAGE,   /* loaded image or combined sampler; the value is its pointer */
    SPV_TEXEL,   /* pointer to a texel of an image, for atomics */
};

struct spv_variable {
    const struct spv_type *type; /* type of the contents */
    SpvStorageClass storage;
    uint32_t id, offset;
    nir_variable *nir;          /* NULL: not created yet, or an input or output block */
    nir_variable **members;     /* one variable per member of an input or output block */
    unsigned levels;            /* array dimensions of that block */
    struct hash_table *opaques; /* name → nir_variable of an opaque struct member */
    const char *name;
};

struct spv_step {
    nir_def *def;        /* dynamic 32-bit index, or NULL */
    nir_variable *saved; /* variable that passes a dynamic index to a callee, or NULL */
    unsigned index;      /* constant index, if def and saved are NULL */
};

struct spv_pointer {
    struct spv_variable *var;
    const struct spv_type *type; /* type of the pointee */
    unsigned count;
    struct spv_step *steps;
};

/* An SSA value: a scalar or vector (n = 1), the columns of a matrix (n = number of columns), or an
 * aggregate in a variable that is never written again (n = 0). */
struct spv_ssa {
    const struct spv_type *type;
    unsigned n;
    nir_def *c[4];
    nir_variable *var;
};

struct spv_block {
    uint32_t label, offset; /* id and word offset of OpLabel */
    struct spv_block *next; /* next block of the function in module order */
    struct spv_function *function;
    uint32_t merge, target; /* ids of the merge block and continue target; 0: none */
    SpvOp merge_op;         /* OpNop: none */
    uint32_t phis;          /* word offset of the first OpPhi; 0: none */
    uint32_t first, end;    /* word offsets after the phis and of the terminator */
    unsigned preds;         /* number of edges to it in the module */
    uint32_t serial;        /* spv.serial of the instance that emitted it */
    bool repeatable;        /* may be emitted more than once */
    unsigned owner;         /* spv.owner of the last switch whose search visited it */
};

struct spv_function {
    uint32_t id, offset;
    const struct spv_type *type;
    DYNARRAY(uint32_t) params;
    struct spv_block *entry;
    uint32_t words;
    uint64_t work; /* words including those of callees; 0: not counted yet */
    bool counting; /* work is being counted; detects recursion */
    /* The instance that all calls share. NULL: none yet, or each call has its own instance because
     * a parameter is a pointer or image. */
    struct spv_instance *shared;
};

struct spv_value {
    uint8_t kind;                /* enum spv_kind */
    bool spec;                   /* a specialization constant, or computed from one */
    uint32_t offset;             /* word offset of the defining instruction */
    uint32_t serial;             /* instance in which it was defined; 0: outside functions */
    const struct spv_type *type; /* SPV_TYPE: the type itself */
    struct spv_decoration *decorations;
    struct spv_decoration **members; /* struct types: decorations of each member */
    union {
        nir_constant *constant;
        struct spv_variable *variable;
        struct spv_function *function;
        struct spv_block *block;
        struct spv_pointer *pointer; /* SPV_POINTER, SPV_IMAGE, SPV_TEXEL */
        struct spv_ssa ssa;
        bool is_glsl; /* SPV_IMPORT: GLSL.std.450 */
    };
    uint32_t coord, sample;  /* SPV_TEXEL: ids of coordinate and sample */
    nir_variable *storage;   /* variable of a constant aggregate or a phi */
    uint32_t storage_serial; /* instance that the variable of a phi belongs to */
};

/* An instance of a function. The body is translated once per instance. */
struct spv_instance {
    struct spv_function *function;
    nir_function *nir;
    nir_variable **params; /* variables for values; NULL for pointers and images */
    struct spv_pointer **pointers;
    nir_variable *result;
};

struct spv_construct;

/* The state of a translation. */
struct spv {
    const uint32_t *words;
    size_t count;
    uint32_t bound, version;
    const struct spirv_options *options;
    enum shader_stage stage;
    void *mem;     /* talloc context of everything that is freed at the end */
    char *message; /* error message, a child of mem_ctx */
    void *mem_ctx;
    jmp_buf fail;
    struct spv_instr at;       /* current instruction, for messages */
    struct spv_value **values; /* indexed by id */
    bool capabilities[SpvCapabilityShaderViewportIndexLayerEXT + 1];
    uint32_t entry_id, entry_offset;
    struct hash_table *interface; /* ids that OpEntryPoint lists; NULL before it is found */
    DYNARRAY(uint32_t) modes;     /* word offsets of the entry point's OpExecutionMode */
    DYNARRAY(struct spv_variable *) globals;
    struct spv_value *workgroup_size; /* constant decorated WorkgroupSize, or NULL */
    unsigned num_decorations;
    bool xfb;

    nir_shader *shader;
    nir_builder b;
    nir_function_impl *impl;
    struct spv_instance *instance;
    uint32_t serial; /* number of the current instance, from 1; 0: outside functions */
    DYNARRAY(struct spv_instance *) pending;
    struct spv_construct *construct; /* innermost control-flow construct */
    unsigned loop_depth, depth;      /* enclosing loops, enclosing ifs without a construct */
    unsigned owner;                  /* number of switches searched for fallthroughs */
    uint64_t work;                   /* compared with SPV_MAX_WORK */
};

/* spirv_module.c */
/* Reports an error at the current instruction and leaves the translation with longjmp. */
_Noreturn void spv_fail(struct spv *p, const char *format, ...) PRINTFLIKE(2, 3);
_Noreturn void spv_out_of_memory(struct spv *p);
#define spv_fail_if(p, condition, ...)                                                             \
    do {                                                                                           \
        if (condition)                                                                             \
            spv_fail(p, __VA_ARGS__);                                                              \
    } while (0)
/* Adds n to the work counter and fails if the limit SPV_MAX_WORK is exceeded. */
void spv_count_work(struct spv *p, uint64_t n);
/* Returns zeroed memory that lives until the end of the translation. */
void *spv_alloc(struct spv *p, size_t size);
/* Decodes the instruction at a word offset and makes it the current one. */
struct spv_instr spv_read(struct spv *p, uint32_t offset);
/* Like spv_read, but also checks the bounds and, against the grammar, the operands. The first pass
 * over the module uses it; later passes use spv_read. */
struct spv_instr spv_next(struct spv *p, uint32_t offset);
/* Returns the value of an id, of any kind; creates it if necessary. */
struct spv_value *spv_id(struct spv *p, uint32_t id);
/* Defines id as the result of the current instruction and returns its value. Fails if another
 * instruction defines it. */
struct spv_value *spv_define(struct spv *p, uint32_t id, enum spv_kind kind);
const struct spv_type *spv_type(struct spv *p, uint32_t id);
const char *spv_op_name(SpvOp op);

/* spirv_decoration.c */
void spv_decorate(struct spv *p, const struct spv_instr *in);
/* Sorts the decorations of a struct's members into v->members, for constant-time lookup. */
void spv_sort_decorations(struct spv *p, struct spv_value *v, unsigned length);
const struct spv_decoration *spv_find_decoration(const struct spv_value *v, int member,
                                                 SpvDecoration decoration);
bool spv_has_decoration(const struct spv_value *v, int member, SpvDecoration decoration);
/* Returns the first operand of a decoration, or `otherwise` if the value lacks the decoration. */
uint32_t spv_decoration_value(const struct spv_value *v, int member, SpvDecoration decoration,
                              uint32_t otherwise);

/* spirv_type.c */
void spv_define_type(struct spv *p, const struct spv_instr *in);
bool spv_is_number(const struct spv_type *t); /* int or float scalar */
bool spv_is_scalar(const struct spv_type *t); /* int, float or boolean scalar */
bool spv_is_vector(const struct spv_type *t); /* scalar or vector */
bool spv_is_matrix(const struct spv_type *t);
bool spv_is_aggregate(const struct spv_type *t);                /* array or struct */
const struct spv_type *spv_scalar_of(const struct spv_type *t); /* of a scalar, vector or matrix */
unsigned spv_components(const struct spv_type *t);              /* of a scalar or vector */
unsigned spv_bits(const struct spv_type *t);                    /* bit size of a component in NIR */
/* Returns whether two types are equal, ignoring ids and layout. */
bool spv_same_type(const struct spv_type *a, const struct spv_type *b);
/* Returns the type of member, element, column or component i; fails if there is none. */
const struct spv_type *spv_part_type(struct spv *p, const struct spv_type *t, unsigned i);

/* spirv_constant.c */
void spv_define_constant(struct spv *p, const struct spv_instr *in);
uint32_t spv_constant_u32(struct spv *p, uint32_t id); /* value of a 32-bit integer constant */
/* Returns a deep copy in which each part of the type has its own element. */
nir_constant *spv_constant_clone(struct spv *p, void *mem_ctx, const nir_constant *c,
                                 const struct spv_type *t);

/* spirv_variable.c */
void spv_define_variable(struct spv *p, const struct spv_instr *in);
void spv_create_globals(struct spv *p); /* creates the variables used by the entry point */
/* Returns the NIR variable of v and creates it on first use. Not for input and output blocks. */
nir_variable *spv_variable_nir(struct spv *p, struct spv_variable *v);
/* Returns the NIR variable of one member of an input or output block. */
nir_variable *spv_io_member(struct spv *p, struct spv_variable *v, unsigned member);
nir_variable *spv_create_uniform(struct spv *p, const struct spv_variable *v,
                                 const struct glsl_type *type, const char *name);
void spv_execution_modes(struct spv *p); /* fills in shader->info */

/* spirv_cfg.c, spirv_function.c */
/* Parses the function at *offset and sets *offset to the word after its end. */
void spv_find_function(struct spv *p, uint32_t *offset);
void spv_emit_body(struct spv *p, struct spv_instance *instance);
void spv_emit_functions(struct spv *p);
/* Emits an instruction that is not a terminator, phi or merge instruction. */
void spv_emit_instruction(struct spv *p, const struct spv_instr *in);

/* spirv_value.c */
struct spv_ssa spv_use(struct spv *p, uint32_t id); /* operand as a value */
nir_def *spv_use_vec(struct spv *p, uint32_t id);   /* operand as a scalar or vector */
nir_def *spv_use_int(struct spv *p, uint32_t id);   /* operand as an integer scalar */
/* Define the result id in->w[2], of type in->w[1]. */
void spv_set(struct spv *p, const struct spv_instr *in, struct spv_ssa value);
void spv_set_vec(struct spv *p, const struct spv_instr *in, nir_def *def);
struct spv_ssa spv_undefined(struct spv *p, const struct spv_type *t);
struct spv_ssa spv_from_constant(struct spv *p, const nir_constant *c, const struct spv_type *t);
nir_deref_instr *spv_aggregate_deref(struct spv *p, const struct spv_ssa *v);
struct spv_ssa spv_temporary(struct spv *p, const struct spv_type *t); /* uninitialized aggregate */
struct spv_ssa spv_load_part(struct spv *p, nir_deref_instr *deref, const struct spv_type *t);
void spv_store_part(struct spv *p, nir_deref_instr *deref, const struct spv_ssa *v);

/* spirv_memory.c */
struct spv_pointer *spv_use_pointer(struct spv *p, uint32_t id);
struct spv_pointer *spv_use_image(struct spv *p, uint32_t id);
struct spv_ssa spv_load(struct spv *p, const struct spv_pointer *ptr);
void spv_store(struct spv *p, const struct spv_pointer *ptr, const struct spv_ssa *v);
nir_deref_instr *spv_pointer_deref(struct spv *p, const struct spv_pointer *ptr);
/* Returns the deref of an image or sampler. An opaque struct member is a separate variable. */
nir_deref_instr *spv_opaque_deref(struct spv *p, const struct spv_pointer *ptr);
/* Returns false if it does not handle the instruction. */
bool spv_emit_memory(struct spv *p, const struct spv_instr *in);
/* If the last step selects a vector component, removes that step, so that ptr refers to the vector,
 * and returns the step. Otherwise returns NULL. */
const struct spv_step *spv_split_component(struct spv_pointer *ptr);
/* Returns the index as a NIR value. Dynamic indices are clamped below length (0: not clamped);
 * constant ones were clamped when the step was created. */
nir_def *spv_step_index(struct spv *p, const struct spv_step *step, unsigned length);

/* spirv_alu.c, spirv_composite.c, spirv_image.c, spirv_glsl.c, spirv_group.c, spirv_subgroup.c. The
 * functions that return bool return false if they do not handle the instruction. */
bool spv_emit_alu(struct spv *p, const struct spv_instr *in);
bool spv_emit_composite(struct spv *p, const struct spv_instr *in);
bool spv_emit_image(struct spv *p, const struct spv_instr *in);
bool spv_emit_group(struct spv *p, const struct spv_instr *in);
bool spv_emit_subgroup(struct spv *p, const struct spv_instr *in);
void spv_emit_extended(struct spv *p, const struct spv_instr *in); /* OpExtInst */
bool spv_emit_atomic(struct spv *p, const struct spv_instr *in);
/* Emits an atomic on a texel of OpImageTexelPointer. comparator: only for compare-exchange, else
 * NULL. */
nir_def *spv_image_atomic(struct spv *p, const struct spv_value *texel, nir_atomic_op op,
                          nir_def *data, nir_def *comparator);
nir_def *spv_image_load_texel(struct spv *p, const struct spv_value *texel);
/* Sets the result to a struct of two members. */
void spv_set_pair(struct spv *p, const struct spv_instr *in, nir_def *first, nir_def *second);
/* Evaluates an operation for OpSpecConstantOp. Returns NULL if the operation is not allowed
 * there. */
nir_constant *spv_fold_alu(struct spv *p, SpvOp op, const struct spv_type *type,
                           const struct spv_value *const *operands, unsigned count);

#endif
