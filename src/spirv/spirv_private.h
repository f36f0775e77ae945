/* SPDX-License-Identifier: MIT */
/* Between the files of the room: ids and what they stand for, and the state of a translation. */
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

/* Limits of the translator: what a module could make it do beyond is refused. */
#define SPV_MAX_ID         4194303 /* SPIR-V §2.17 */
#define SPV_MAX_TYPE_DEPTH 64
#define SPV_MAX_TYPE_NODES 65536 /* types in a type, with an array's element counted once */
#define SPV_MAX_COPY       65536 /* scalars that a load or store of an aggregate may take apart */
#define SPV_MAX_SCALARS    (1u << 20) /* in a variable of the shader's own */
#define SPV_MAX_NESTING    256        /* constructs in constructs */
#define SPV_MAX_WORK       2000000 /* words of code, with those of functions as often as called */
#define SPV_MAX_BYTES      (1u << 28) /* of offsets, strides and arrays in blocks */

/* An instruction in the module. */
struct spv_instr {
    const uint32_t *w; /* w[0]: opcode and length */
    unsigned count;    /* words */
    uint32_t offset;   /* of w[0] in the module */
    SpvOp op;
    const struct spv_op_info *info;
};

struct spv_decoration {
    struct spv_decoration *next;
    int member; /* of a struct; -1: of the whole */
    SpvDecoration decoration;
    uint32_t offset;
    unsigned count; /* operands */
    const uint32_t *operands;
};

struct spv_type {
    SpvOp op;      /* OpTypeFloat … */
    uint8_t width; /* of numbers: 32 or 64 bits */
    bool is_signed;
    uint32_t id;
    /* vector: component; matrix: column; array, pointer: what is in it; sampled image: image;
     * function: result */
    const struct spv_type *element;
    unsigned length; /* components, columns, elements (0: runtime array), members, parameters */
    const struct spv_type **members;
    SpvStorageClass storage; /* of pointers */
    bool block, buffer_block, builtin_block;
    struct {
        SpvDim dim;
        bool depth, arrayed, multisampled;
        unsigned sampled;
        SpvImageFormat format;
        enum glsl_base_type base;
    } image;
    const struct glsl_type *plain;  /* without layout, NULL: no data and not opaque */
    const struct glsl_type *layout; /* as Offset, ArrayStride and so on say; plain if they do not */
    uint64_t size;                  /* bytes of `layout`; 0: not laid out */
    unsigned stride;                /* ArrayStride */
    unsigned depth, nodes;
    uint64_t scalars; /* in all of it, saturated */
    bool opaque;      /* is or has images, samplers */
    bool unsized;     /* is or has an array without a size */
};

enum spv_kind {
    SPV_NOTHING, /* mentioned, but not defined so far */
    SPV_STRING,
    SPV_IMPORT,
    SPV_GROUP,
    SPV_TYPE,
    SPV_CONSTANT,
    SPV_VARIABLE, /* a global or local one */
    SPV_FUNCTION,
    SPV_LABEL,
    SPV_RESULT,  /* of an instruction or a parameter */
    SPV_POINTER, /* into a variable */
    SPV_IMAGE,   /* an image or combined sampler that was loaded: where from */
    SPV_TEXEL,   /* a pointer to a texel of an image, for atomics */
};

struct spv_variable {
    const struct spv_type *type; /* of what it holds */
    SpvStorageClass storage;
    uint32_t id, offset;
    nir_variable *nir;          /* NULL: not made so far, or a block of inputs or outputs */
    nir_variable **members;     /* of such a block */
    unsigned levels;            /* array dimensions around that block */
    struct hash_table *opaques; /* name → nir_variable: members that are opaque */
    const char *name;
};

struct spv_step {
    nir_def *def;        /* an index of 32 bits; NULL: constant */
    nir_variable *saved; /* of a callee's parameter: where the index is; NULL: in def */
    unsigned index;
};

struct spv_pointer {
    struct spv_variable *var;
    const struct spv_type *type; /* of what it points to */
    unsigned count;
    struct spv_step *steps;
};

/* A value: a scalar or vector (n = 1), a matrix's columns, or an aggregate in a variable that nobody
 * writes any more (n = 0). */
struct spv_ssa {
    const struct spv_type *type;
    unsigned n;
    nir_def *c[4];
    nir_variable *var;
};

struct spv_block {
    uint32_t label, offset; /* of OpLabel */
    struct spv_block *next; /* in the function's order */
    struct spv_function *function;
    uint32_t merge, target; /* merge block, continue target; 0: none */
    SpvOp merge_op;         /* OpNop: none */
    uint32_t phis;          /* offset of the first OpPhi, 0: none */
    uint32_t first, end;    /* offsets: behind the phis, of the terminator */
    unsigned preds;         /* edges to it, in the module */
    uint32_t serial;        /* of the instance that emitted it */
    bool many;              /* it may be emitted in several places */
    unsigned owner;         /* spv.owner of the switch that found it in a case */
};

struct spv_function {
    uint32_t id, offset;
    const struct spv_type *type;
    DYNARRAY(uint32_t) params;
    struct spv_block *entry;
    uint32_t words;
    uint64_t work; /* with all that it calls; 0: not counted */
    bool counting;
    struct spv_instance *shared; /* of all calls; NULL: none, or there are pointers and images */
};

struct spv_value {
    uint8_t kind;                /* enum spv_kind */
    bool spec;                   /* a specialization constant, or made of such */
    uint32_t offset;             /* of the instruction that defines it */
    uint32_t serial;             /* instance in which it was defined; 0: outside of functions */
    const struct spv_type *type; /* SPV_TYPE: itself */
    struct spv_decoration *decorations;
    struct spv_decoration **members; /* of a struct type: those of each member, taken apart */
    union {
        nir_constant *constant;
        struct spv_variable *variable;
        struct spv_function *function;
        struct spv_block *block;
        struct spv_pointer *pointer; /* SPV_POINTER, SPV_IMAGE, SPV_TEXEL */
        struct spv_ssa ssa;
        bool is_glsl; /* SPV_IMPORT */
    };
    uint32_t coord, sample;  /* SPV_TEXEL: ids */
    nir_variable *storage;   /* of a constant aggregate, or of a phi */
    uint32_t storage_serial; /* of a phi: the instance it is of */
};

/* A call of a function: its body is translated once for each. */
struct spv_instance {
    struct spv_function *function;
    nir_function *nir;
    nir_variable **params; /* of values; NULL for pointers and images */
    struct spv_pointer **pointers;
    nir_variable *result;
};

struct spv_construct;

struct spv {
    const uint32_t *words;
    size_t count;
    uint32_t bound, version;
    const struct spirv_options *options;
    enum shader_stage stage;
    void *mem;     /* all that is freed at the end */
    char *message; /* of the error, a child of mem_ctx */
    void *mem_ctx;
    jmp_buf fail;
    struct spv_instr at;       /* that is at work */
    struct spv_value **values; /* by id */
    bool capabilities[SpvCapabilityShaderViewportIndexLayerEXT + 1];
    uint32_t entry_id, entry_offset;
    struct hash_table *interface; /* ids that OpEntryPoint lists; NULL before it was found */
    DYNARRAY(uint32_t) modes;     /* offsets of OpExecutionMode of the entry point */
    DYNARRAY(struct spv_variable *) globals;
    struct spv_value *workgroup_size; /* constant decorated so, or NULL */
    unsigned num_decorations;
    bool xfb;

    nir_shader *shader;
    nir_builder b;
    nir_function_impl *impl;
    struct spv_instance *instance;
    uint32_t serial;
    DYNARRAY(struct spv_instance *) pending;
    struct spv_construct *construct; /* the innermost */
    unsigned loop_depth, depth;      /* loops, ifs without construct around */
    unsigned owner;
    uint64_t work;
};

/* spirv_module.c: does not return. */
_Noreturn void spv_fail(struct spv *p, const char *format, ...) PRINTFLIKE(2, 3);
_Noreturn void spv_out_of_memory(struct spv *p);
#define spv_fail_if(p, condition, ...)                                                             \
    do {                                                                                           \
        if (condition)                                                                             \
            spv_fail(p, __VA_ARGS__);                                                              \
    } while (0)
/* Counts work that a few words could make a lot of. */
void spv_spend(struct spv *p, uint64_t n);
void *spv_alloc(struct spv *p, size_t size); /* zeroed, until the end of the translation */
/* The instruction at that offset, which becomes the one at work. */
struct spv_instr spv_read(struct spv *p, uint32_t offset);
/* The same when it is first seen: checks the operands against the grammar. */
struct spv_instr spv_next(struct spv *p, uint32_t offset);
/* The value of an id, whatever it is. */
struct spv_value *spv_id(struct spv *p, uint32_t id);
/* The value that the instruction at work defines. */
struct spv_value *spv_define(struct spv *p, uint32_t id, enum spv_kind kind);
const struct spv_type *spv_type(struct spv *p, uint32_t id);
const char *spv_op_name(SpvOp op);

/* spirv_decoration.c */
void spv_decorate(struct spv *p, const struct spv_instr *in);
/* Takes the decorations of a struct's members apart, so that each is found at once. */
void spv_sort_decorations(struct spv *p, struct spv_value *v, unsigned length);
const struct spv_decoration *spv_find_decoration(const struct spv_value *v, int member,
                                                 SpvDecoration decoration);
bool spv_has_decoration(const struct spv_value *v, int member, SpvDecoration decoration);
/* Its first operand, or otherwise. */
uint32_t spv_decoration_value(const struct spv_value *v, int member, SpvDecoration decoration,
                              uint32_t otherwise);

/* spirv_type.c */
void spv_define_type(struct spv *p, const struct spv_instr *in);
bool spv_is_number(const struct spv_type *t); /* scalar: float or int */
bool spv_is_scalar(const struct spv_type *t); /* or bool */
bool spv_is_vector(const struct spv_type *t); /* scalar or vector */
bool spv_is_matrix(const struct spv_type *t);
bool spv_is_aggregate(const struct spv_type *t);                /* array or struct */
const struct spv_type *spv_scalar_of(const struct spv_type *t); /* of scalars, vectors, matrices */
unsigned spv_components(const struct spv_type *t);              /* of scalars and vectors */
unsigned spv_bits(const struct spv_type *t);                    /* of a component in NIR */
/* Equal but for ids and layout. */
bool spv_same_type(const struct spv_type *a, const struct spv_type *b);
/* Type of member, element, column or component number i; fails if there is none. */
const struct spv_type *spv_part_type(struct spv *p, const struct spv_type *t, unsigned i);

/* spirv_constant.c */
void spv_define_constant(struct spv *p, const struct spv_instr *in);
uint32_t spv_constant_u32(struct spv *p, uint32_t id); /* of an integer constant of 32 bits */
/* A tree of its own, with elements for each part. */
nir_constant *spv_constant_clone(struct spv *p, void *mem_ctx, const nir_constant *c,
                                 const struct spv_type *t);

/* spirv_variable.c */
void spv_define_variable(struct spv *p, const struct spv_instr *in);
void spv_create_globals(struct spv *p); /* NIR's variables of what the entry point uses */
/* The variable, made at the first use; not of blocks of inputs and outputs, of which members are. */
nir_variable *spv_variable_nir(struct spv *p, struct spv_variable *v);
nir_variable *spv_io_member(struct spv *p, struct spv_variable *v, unsigned member);
nir_variable *spv_create_uniform(struct spv *p, const struct spv_variable *v,
                                 const struct glsl_type *type, const char *name);
void spv_execution_modes(struct spv *p); /* shader->info */

/* spirv_cfg.c: the body of an instance. */
void spv_find_function(struct spv *p, uint32_t *offset); /* which moves behind its end */
void spv_emit_body(struct spv *p, struct spv_instance *instance);
void spv_emit_functions(struct spv *p);
/* Everything that is no terminator, phi or merge. */
void spv_emit_instruction(struct spv *p, const struct spv_instr *in);

/* spirv_value.c */
struct spv_ssa spv_use(struct spv *p, uint32_t id); /* a value, as instruction operand */
nir_def *spv_use_vec(struct spv *p, uint32_t id);   /* scalar or vector */
nir_def *spv_use_int(struct spv *p, uint32_t id);   /* integer scalar */
void spv_set(struct spv *p, const struct spv_instr *in, struct spv_ssa value); /* w[1], w[2] */
void spv_set_vec(struct spv *p, const struct spv_instr *in, nir_def *def);
struct spv_ssa spv_undefined(struct spv *p, const struct spv_type *t);
struct spv_ssa spv_from_constant(struct spv *p, const nir_constant *c, const struct spv_type *t);
nir_deref_instr *spv_aggregate_deref(struct spv *p, const struct spv_ssa *v);
struct spv_ssa spv_temporary(struct spv *p, const struct spv_type *t); /* an aggregate to fill */
struct spv_ssa spv_load_part(struct spv *p, nir_deref_instr *deref, const struct spv_type *t);
void spv_store_part(struct spv *p, nir_deref_instr *deref, const struct spv_ssa *v);

/* spirv_memory.c */
struct spv_pointer *spv_use_pointer(struct spv *p, uint32_t id);
struct spv_pointer *spv_use_image(struct spv *p, uint32_t id);
struct spv_ssa spv_load(struct spv *p, const struct spv_pointer *ptr);
void spv_store(struct spv *p, const struct spv_pointer *ptr, const struct spv_ssa *v);
nir_deref_instr *spv_pointer_deref(struct spv *p, const struct spv_pointer *ptr);
nir_deref_instr *spv_opaque_deref(struct spv *p, const struct spv_pointer *ptr);
bool spv_emit_memory(struct spv *p, const struct spv_instr *in);
/* If the last step goes into a vector, takes it off: ptr leads to the vector then. Else NULL. */
const struct spv_step *spv_split_component(struct spv_pointer *ptr);
/* The index, kept below length (0: as it is). */
nir_def *spv_step_index(struct spv *p, const struct spv_step *step, unsigned length);

/* spirv_alu.c, spirv_composite.c, spirv_image.c, spirv_glsl.c, spirv_group.c: false: not theirs */
bool spv_emit_alu(struct spv *p, const struct spv_instr *in);
bool spv_emit_composite(struct spv *p, const struct spv_instr *in);
bool spv_emit_image(struct spv *p, const struct spv_instr *in);
bool spv_emit_group(struct spv *p, const struct spv_instr *in);
bool spv_emit_subgroup(struct spv *p, const struct spv_instr *in);
void spv_emit_extended(struct spv *p, const struct spv_instr *in); /* OpExtInst */
bool spv_emit_atomic(struct spv *p, const struct spv_instr *in);
/* Of a texel that OpImageTexelPointer named. comparator: NULL but for comparing exchanges. */
nir_def *spv_image_atomic(struct spv *p, const struct spv_value *texel, nir_atomic_op op,
                          nir_def *data, nir_def *comparator);
nir_def *spv_image_load_texel(struct spv *p, const struct spv_value *texel);
/* The result is a structure of these two. */
void spv_set_pair(struct spv *p, const struct spv_instr *in, nir_def *first, nir_def *second);
/* Of constants, for OpSpecConstantOp: NULL if the operation is none of values. */
nir_constant *spv_fold_alu(struct spv *p, SpvOp op, const struct spv_type *type,
                           const struct spv_value *const *operands, unsigned count);

#endif
