/* SPDX-License-Identifier: MIT */
/*
 * NIR: the SSA-based shader IR shared by the GLSL compiler, the API layer and the drivers.
 *
 * A shader contains variables and functions. The body of a function (nir_function_impl) is a tree
 * of control flow nodes: blocks, ifs and loops. The blocks also form a CFG. Values are SSA
 * definitions (nir_def); they have a bit size and a number of components but no type. Each use
 * points to its definition, and each definition lists its uses. Before lowering, deref instructions
 * access memory through variables; after lowering, intrinsics access memory through offsets. Code
 * that has left SSA form uses the intrinsics decl_reg, load_reg and store_reg.
 *
 * Memory: a nir_shader is a talloc context that owns its variables, functions and types.
 * Instructions and blocks are allocated from the shader's arenas; removing one only unlinks it.
 * Freeing the shader frees everything. A shader must not be used by two threads at once; different
 * shaders are independent. Create and change shaders within an attempt (util/memory.h): when out
 * of memory, the attempt fails, so functions that allocate never return NULL for that reason. The
 * functions that return NULL if out of memory do so only outside of an attempt.
 *
 * Every pass has the form bool nir_xxx(nir_shader *shader, …) and returns true if it made progress.
 * It declares which metadata it preserves. Run it through NIR_PASS, so that debug builds validate
 * the shader afterwards.
 */
#ifndef NIR_H
#define NIR_H

#include <assert.h>
#include <stdio.h>

#include "indium/limits.h"
#include "indium/shader_enums.h"
#include "util/arena.h"
#include "util/bitset.h"
#include "util/list.h"
#include "util/macros.h"

#include "glsl_types.h"
#include "nir_opcodes.h"    /* generated: nir_op, nir_num_opcodes */
#include "nir_intrinsics.h" /* generated: nir_intrinsic_op, nir_intrinsic_index_flag */

/* Limits: components of a value, sources of an ALU instruction, constant indices and sources of an
 * intrinsic. */
#define NIR_MAX_VEC_COMPONENTS        16
#define NIR_ALU_MAX_INPUTS            16
#define NIR_INTRINSIC_MAX_CONST_INDEX 8
#define NIR_INTRINSIC_MAX_INPUTS      11

typedef uint16_t nir_component_mask_t; /* bit c: component c */

typedef struct nir_shader nir_shader;
typedef struct nir_function nir_function;
typedef struct nir_function_impl nir_function_impl;
typedef struct nir_cf_node nir_cf_node;
typedef struct nir_block nir_block;
typedef struct nir_if nir_if;
typedef struct nir_loop nir_loop;
typedef struct nir_instr nir_instr;
typedef struct nir_def nir_def;
typedef struct nir_src nir_src;
typedef struct nir_variable nir_variable;
typedef struct nir_builder nir_builder;

/* ------------------------------------------------------------------------------- constants --- */

/* One component of a constant, in the member for its type and bit size. The unused high bits of
 * smaller values are zero. */
typedef union {
    /* The first member, because the initializer {0} clears all of u64. An initializer that names a
     * smaller member would leave the high bits undefined. */
    uint64_t u64;
    bool b;
    float f32;
    double f64;
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16; /* also holds a 16-bit float as its bits */
    int32_t i32;
    uint32_t u32;
    int64_t i64;
} nir_const_value;

/* Returns the low bit_size bits as an unsigned integer. A true boolean is 1. */
uint64_t nir_const_value_as_uint(nir_const_value value, unsigned bit_size);
/* Returns the low bit_size bits as a signed integer. A true boolean is -1. */
int64_t nir_const_value_as_int(nir_const_value value, unsigned bit_size);
/* Returns the low bit_size bits, a float of 16, 32 or 64 bits, as a double. */
double nir_const_value_as_float(nir_const_value value, unsigned bit_size);
/* Return the value as a constant of that bit size. Integers are truncated to it. Floats are rounded
 * to nearest even: to 32 bits first, then to 16 if bit_size is 16. */
nir_const_value nir_const_value_for_uint(uint64_t value, unsigned bit_size);
nir_const_value nir_const_value_for_int(int64_t value, unsigned bit_size);
nir_const_value nir_const_value_for_float(double value, unsigned bit_size);

/* Initializer of a variable: the values of a scalar or vector, or the elements of an aggregate. */
typedef struct nir_constant {
    nir_const_value values[NIR_MAX_VEC_COMPONENTS];
    bool is_null_constant; /* all zeros, for any type; the other fields are unused */
    unsigned num_elements; /* array elements, struct fields or matrix columns; 0 for vectors */
    struct nir_constant **elements; /* one constant per element */
} nir_constant;

/* ------------------------------------------------------------------------------- variables --- */

/* Where a variable is; also used as a mask. */
typedef enum {
    nir_var_system_value = 1 << 0,
    nir_var_uniform = 1 << 1, /* default uniform block: data and opaque types */
    nir_var_shader_in = 1 << 2,
    nir_var_shader_out = 1 << 3,
    nir_var_image = 1 << 4,       /* images; GLSL and SPIR-V images have nir_var_uniform instead */
    nir_var_shader_temp = 1 << 5, /* global variable, private to the invocation */
    nir_var_function_temp = 1 << 6,
    nir_var_mem_ubo = 1 << 7,
    nir_var_mem_ssbo = 1 << 8,
    nir_var_mem_shared = 1 << 9,  /* workgroup memory */
    nir_var_mem_global = 1 << 10, /* memory accessed by 64-bit address */
    nir_num_variable_modes = 11,  /* not a mode, but the number of modes */
    nir_var_all = (1 << 11) - 1,
} nir_variable_mode;

/* Names one vec4 of GL state by five tokens, which nir_state_tokens.h defines. A built-in uniform
 * mirrors such state; src/gl evaluates the tokens to update it. */
#define NIR_STATE_LENGTH 5
typedef struct {
    int16_t tokens[NIR_STATE_LENGTH];
} nir_state_slot;

/* A variable of a shader or function. */
struct nir_variable {
    struct list_head node; /* link in nir_shader.variables or nir_function_impl.locals */
    const struct glsl_type *type;
    char *name;     /* may be NULL; talloc child of the variable */
    unsigned index; /* scratch for passes */

    /* Booleans are bit fields, so that every byte read from a blob is a valid value. */
    struct nir_variable_data {
        nir_variable_mode mode;
        unsigned read_only : 1; /* the shader can't assign it */
        unsigned centroid : 1;
        unsigned sample : 1;
        unsigned patch : 1;
        unsigned invariant : 1;
        unsigned precise : 1;
        unsigned explicit_location : 1;
        unsigned explicit_binding : 1;
        unsigned explicit_component : 1;
        unsigned compact : 1; /* float array packed four elements to a slot (clip distances) */
        unsigned fb_fetch_output : 1; /* inout: initialized from the framebuffer */
        /* Contains an array that is 0 when the function begins (nir_store_zero). */
        unsigned zero_first : 1;
        /* Never removed: captured by transform feedback or part of a block's layout. */
        unsigned always_active_io : 1;
        unsigned how_declared : 2;  /* enum nir_var_declaration */
        unsigned interpolation : 3; /* enum glsl_interp_mode */
        unsigned precision : 2;     /* enum glsl_precision */
        unsigned access : 6;        /* enum gl_access_qualifier, below ACCESS_ONE_THREAD */
        unsigned location_frac : 2; /* first component within its slot */
        unsigned index : 1;         /* dual-source blending: color index 0 or 1 */
        unsigned per_primitive : 1; /* mesh output, fragment input: perprimitiveEXT */
        unsigned payload : 1;       /* shared variable that is the payload of a task */
        unsigned stream : 2;        /* vertex stream of a geometry shader output */
        bool bindless : 1;          /* samplers and images: may be set to handles */
        unsigned image_format;      /* enum drv_format from the image's layout qualifier; 0: none */
        /* A vert_attrib, varying_slot, frag_result, system_value or uniform location; -1: none. */
        int location;
        /* Inputs and outputs: index of the first 16-byte slot. Uniforms: byte offset in the default
         * block. Shared and scratch variables: byte offset in that memory. */
        unsigned driver_location;
        unsigned binding; /* UBO, SSBO, sampler, image: index in the stage's table */
        unsigned offset;  /* byte offset of an atomic counter or a transform feedback output */
        /* Transform feedback layout of an output; `offset` above is its byte offset. */
        struct {
            unsigned buffer : 2, stride : 16; /* stride in bytes */
            bool explicit_buffer : 1, explicit_stride : 1, explicit_offset : 1;
        } xfb;
    } data;

    unsigned num_state_slots;
    nir_state_slot *state_slots;        /* built-in uniforms: one for each vec4 of the variable */
    nir_constant *constant_initializer; /* may be NULL */
    /* Type of the interface block that the variable belongs to; for uniforms outside of blocks, the
     * type as declared. May be NULL. */
    const struct glsl_type *interface_type;
    /* Type of an input or output in the shader's text if it contains half floats, which are floats
     * in `type`. Otherwise NULL. Used until linking is done. */
    const struct glsl_type *declared_type;
};

/* Origin of a variable: the shader's text, a built-in, or the compiler (invisible to the API). */
enum nir_var_declaration { nir_var_declared_normally, nir_var_declared_implicitly, nir_var_hidden };

/* Memory qualifiers (GLSL 4.60 §4.10) and other properties of accesses: a mask in the index
 * `access` of intrinsics and, except for the last two, in variables. */
enum gl_access_qualifier {
    ACCESS_COHERENT = 1 << 0,
    ACCESS_RESTRICT = 1 << 1,
    ACCESS_VOLATILE = 1 << 2,
    ACCESS_NON_READABLE = 1 << 3,
    ACCESS_NON_WRITEABLE = 1 << 4,
    ACCESS_CAN_REORDER = 1 << 5, /* loads may move across any other access */
    ACCESS_ONE_THREAD = 1 << 6,  /* only the kernel's thread accesses the memory */
    /* All readers of the stored floats treat all NaNs alike, so the bits of a NaN don't matter. */
    ACCESS_NUMBERS = 1 << 7,
};

/* Iterate over variables: of a list, with a mode in the mask `modes`, of one mode, or the
 * temporaries of a function. With _safe, the current variable may be removed. */
#define nir_foreach_variable_in_list(var, list) list_for_each_entry (nir_variable, var, list, node)
#define nir_foreach_variable_in_list_safe(var, list)                                               \
    list_for_each_entry_safe (nir_variable, var, list, node)
#define nir_foreach_variable_with_modes(var, shader, modes)                                        \
    nir_foreach_variable_in_list (var, &(shader)->variables)                                       \
        if ((var)->data.mode & (modes))
#define nir_foreach_variable_with_modes_safe(var, shader, modes)                                   \
    nir_foreach_variable_in_list_safe(var, &(shader)->variables) if ((var)->data.mode & (modes))
#define nir_foreach_shader_in_variable(var, shader)                                                \
    nir_foreach_variable_with_modes (var, shader, nir_var_shader_in)
#define nir_foreach_shader_out_variable(var, shader)                                               \
    nir_foreach_variable_with_modes (var, shader, nir_var_shader_out)
#define nir_foreach_uniform_variable(var, shader)                                                  \
    nir_foreach_variable_with_modes (var, shader, nir_var_uniform)
#define nir_foreach_function_temp_variable(var, impl)                                              \
    nir_foreach_variable_in_list (var, &(impl)->locals)

/* Creates a variable and adds it to the shader. mode is one mode, but not nir_var_function_temp
 * (see nir_local_variable_create). type is referenced and must live as long. name is copied; it may
 * be NULL. The location is -1; other fields are zero. */
nir_variable *nir_variable_create(nir_shader *shader, nir_variable_mode mode,
                                  const struct glsl_type *type, const char *name);
/* Creates a function temporary and adds it to impl->locals. Otherwise like
 * nir_variable_create(). */
nir_variable *nir_local_variable_create(nir_function_impl *impl, const struct glsl_type *type,
                                        const char *name);
/* Returns the first variable with that mode and location, or NULL. */
nir_variable *nir_find_variable_with_location(nir_shader *shader, nir_variable_mode mode,
                                              int location);

/* -------------------------------------------------------------------- values and their uses --- */

/* Kinds of instructions: nir_instr_type_alu is a nir_alu_instr, and so on. */
typedef enum {
    nir_instr_type_alu,
    nir_instr_type_deref,
    nir_instr_type_call,
    nir_instr_type_tex,
    nir_instr_type_intrinsic,
    nir_instr_type_load_const,
    nir_instr_type_jump,
    nir_instr_type_undef,
    nir_instr_type_phi,
    nir_instr_type_parallel_copy,
} nir_instr_type;

/* Common head of all instructions; `type` tells which struct contains it (nir_instr_as_*). */
struct nir_instr {
    struct list_head node; /* link in nir_block.instr_list */
    nir_block *block;      /* NULL if not inserted */
    uint8_t type;          /* nir_instr_type */
    uint8_t pass_flags;    /* scratch for passes; undefined at the start of a pass */
    unsigned index;        /* position in program order, with nir_metadata_instr_index */
};

/* An SSA value: the result of an instruction. */
struct nir_def {
    nir_instr *parent_instr; /* the instruction that computes the value */
    struct list_head uses;  /* nir_src.use_link of each use, by instructions and by if conditions */
    unsigned index;         /* less than impl->ssa_alloc; dense after nir_index_ssa_defs */
    uint8_t num_components; /* 1-5, 8 or 16 */
    uint8_t bit_size;       /* 1, 8, 16, 32, 64 */
    /* The value may differ between lanes. Computed by nir_divergence_analysis; true before. */
    bool divergent;
};

/* A use of a value, by an instruction or as the condition of an if. */
struct nir_src {
    uintptr_t parent; /* nir_instr * of the user; for an if condition, nir_if * with bit 0 set */
    struct list_head use_link; /* link in ssa->uses */
    nir_def *ssa;
};

/* Returns true if src is the condition of an if. */
static inline bool nir_src_is_if(const nir_src *src)
{
    return src->parent & 1;
}
/* Return the user of a source that is not, or is, an if condition. */
static inline nir_instr *nir_src_parent_instr(const nir_src *src)
{
    assert(!nir_src_is_if(src));
    return (nir_instr *)src->parent;
}
static inline nir_if *nir_src_parent_if(const nir_src *src)
{
    assert(nir_src_is_if(src));
    return (nir_if *)(src->parent - 1);
}

/* Iterate over all uses, by instructions and by if conditions (see nir_src_is_if). With _safe, the
 * current use may be removed. */
#define nir_foreach_use_including_if(src, def)                                                     \
    list_for_each_entry (nir_src, src, &(def)->uses, use_link)
#define nir_foreach_use_including_if_safe(src, def)                                                \
    list_for_each_entry_safe (nir_src, src, &(def)->uses, use_link)
/* Iterate over the uses by instructions only. */
#define nir_foreach_use(src, def) nir_foreach_use_including_if(src, def) if (!nir_src_is_if(src))
#define nir_foreach_use_safe(src, def)                                                             \
    nir_foreach_use_including_if_safe(src, def) if (!nir_src_is_if(src))

/* Returns a source that reads def. It is registered as a use when its instruction is inserted. */
static inline nir_src nir_src_for_ssa(nir_def *def)
{
    nir_src src = {.ssa = def};
    return src;
}

/* Initializes the definition of an instruction that is not inserted yet. */
void nir_def_init(nir_instr *instr, nir_def *def, unsigned num_components, unsigned bit_size);
/* Makes all uses of def use new_def instead. */
void nir_def_rewrite_uses(nir_def *def, nir_def *new_def);
/* Makes uses of def use new_def instead, except those by the inserted instruction `after` and by
 * non-phi instructions before it in its block. */
void nir_def_rewrite_uses_after(nir_def *def, nir_def *new_def, nir_instr *after);
/* Rewrites all uses of def to new_def and removes the instruction of def. */
void nir_def_replace(nir_def *def, nir_def *new_def);
/* Rewrites all uses of def to new_def and calls nir_def_remove_if_unused(def). */
void nir_def_replace_and_clean(nir_def *def, nir_def *new_def);
/* Removes the instruction of def if def is unused and the instruction has no side effect. Then does
 * the same for the instructions that computed its sources, and so on; all of these precede def.
 * Of these, keeps the phis of loop headers, which nir_opt_dce removes. */
void nir_def_remove_if_unused(nir_def *def);
/* Returns the mask of the components that any use of def reads. */
nir_component_mask_t nir_def_components_read(const nir_def *def);

static inline bool nir_def_is_unused(const nir_def *def)
{
    return list_is_empty(&def->uses);
}

/* ---------------------------------------------------------------------------- instructions --- */

/* --- ALU: pure operations. nir_opcodes.py defines the opcodes. --- */

/* Type of an operand of an ALU instruction: a base type, combined by OR with a bit size (1, 8, 16,
 * 32 or 64) if the size is fixed. */
typedef enum {
    nir_type_invalid = 0,
    nir_type_int = 2,
    nir_type_uint = 4,
    nir_type_bool = 6,
    nir_type_float = 128,
    /* with a bit size */
    nir_type_bool1 = nir_type_bool | 1,
    nir_type_int8 = nir_type_int | 8,
    nir_type_int16 = nir_type_int | 16,
    nir_type_int32 = nir_type_int | 32,
    nir_type_int64 = nir_type_int | 64,
    nir_type_uint8 = nir_type_uint | 8,
    nir_type_uint16 = nir_type_uint | 16,
    nir_type_uint32 = nir_type_uint | 32,
    nir_type_uint64 = nir_type_uint | 64,
    nir_type_float16 = nir_type_float | 16,
    nir_type_float32 = nir_type_float | 32,
    nir_type_float64 = nir_type_float | 64,
} nir_alu_type;

#define NIR_ALU_TYPE_SIZE_MASK 0x79 /* OR of all bit sizes */
/* Returns the bit size, or 0 if the type has none. */
static inline unsigned nir_alu_type_get_type_size(nir_alu_type type)
{
    return type & NIR_ALU_TYPE_SIZE_MASK;
}
static inline nir_alu_type nir_alu_type_get_base_type(nir_alu_type type)
{
    return (nir_alu_type)(type & ~NIR_ALU_TYPE_SIZE_MASK);
}
/* Returns the ALU type, with its bit size, of a base type: uint32 for samplers, images, atomic
 * counters and subroutines; nir_type_invalid for arrays, structs, blocks and void. */
nir_alu_type nir_get_nir_type_for_glsl_base_type(enum glsl_base_type base);

/* Bits of nir_op_info.algebraic_properties. */
typedef enum {
    NIR_OP_IS_2SRC_COMMUTATIVE = 1 << 0, /* the first two sources may be swapped */
    NIR_OP_IS_ASSOCIATIVE = 1 << 1,
    NIR_OP_IS_SELECTION = 1 << 2,  /* cond ? a : b */
    NIR_OP_IS_DERIVATIVE = 1 << 3, /* reads the other lanes of the quad */
} nir_op_algebraic_property;

/* Description of an ALU opcode. */
typedef struct {
    const char *name;
    uint8_t num_inputs;  /* number of sources */
    uint8_t output_size; /* result components; 0: the operation is per component */
    nir_alu_type output_type;
    /* components of each source; 0: as many as the result has */
    uint8_t input_sizes[NIR_ALU_MAX_INPUTS];
    nir_alu_type input_types[NIR_ALU_MAX_INPUTS];
    unsigned algebraic_properties; /* mask of nir_op_algebraic_property */
    bool is_conversion;            /* converts between types or bit sizes */
} nir_op_info;

extern const nir_op_info nir_op_infos[nir_num_opcodes];

/* A source of an ALU instruction: a value with a swizzle. */
typedef struct {
    nir_src src;
    /* Bits 4 * c to 4 * c + 3: the component of src.ssa that component c of the operand reads. */
    uint64_t swizzle;
} nir_alu_src;

#define NIR_IDENTITY_SWIZZLE 0xfedcba9876543210ull

/* Returns the mask of the bits of a swizzle that num_components components use. */
static inline uint64_t nir_swizzle_mask(unsigned num_components)
{
    return num_components == NIR_MAX_VEC_COMPONENTS ? UINT64_MAX : (1ull << 4 * num_components) - 1;
}
/* Return or set the component of the value that component c of the operand reads. */
static inline unsigned nir_alu_src_comp(const nir_alu_src *src, unsigned c)
{
    return src->swizzle >> 4 * c & 15;
}
static inline void nir_alu_src_set_comp(nir_alu_src *src, unsigned c, unsigned comp)
{
    src->swizzle = (src->swizzle & ~(15ull << 4 * c)) | (uint64_t)comp << 4 * c;
}

/* An ALU instruction; src has nir_op_infos[op].num_inputs elements. */
typedef struct nir_alu_instr {
    nir_instr instr;
    nir_op op;
    bool exact; /* GLSL's precise: optimizations must not change any bit of the result */
    /* The result is known not to overflow as a signed, or as an unsigned integer. */
    bool no_signed_wrap, no_unsigned_wrap;
    nir_def def;
    nir_alu_src src[];
} nir_alu_instr;

/* Returns the number of components that the instruction reads of source number src. */
unsigned nir_ssa_alu_instr_src_components(const nir_alu_instr *alu, unsigned src);
/* Returns true if source number src reads all components of its definition in order. */
bool nir_alu_src_is_trivial_ssa(const nir_alu_instr *alu, unsigned src);
/* Copies the value and the swizzle of src. dest must belong to an instruction that is not inserted
 * yet. */
void nir_alu_src_copy(nir_alu_src *dest, const nir_alu_src *src);
/* Returns true if source number sa of a and source number sb of b read the same components of the
 * same value. */
bool nir_alu_instrs_equal_srcs(const nir_alu_instr *a, const nir_alu_instr *b, unsigned sa,
                               unsigned sb);
bool nir_op_is_vec(nir_op op);              /* true for vec2 … vec16 */
nir_op nir_op_vec(unsigned num_components); /* returns nir_op_mov for 1 */
/* Returns the opcode that converts between two types, both with a bit size; mov if the conversion
 * doesn't change any bit. */
nir_op nir_type_conversion_op(nir_alu_type from, nir_alu_type to);

/* --- Derefs: instructions that form a path from a variable to a part of it. --- */

/* What a deref selects: a variable, an array element (also a column or a component), a struct
 * field. */
typedef enum {
    nir_deref_type_var,
    nir_deref_type_array,
    nir_deref_type_array_wildcard, /* all elements; only used by copy_deref */
    nir_deref_type_struct,
    nir_deref_type_cast, /* turns an address into a deref; GLSL doesn't produce it */
} nir_deref_type;

/* A step of an access path. Its value, def, is an opaque reference that derefs and intrinsics
 * use. */
typedef struct nir_deref_instr {
    nir_instr instr;
    nir_deref_type deref_type;
    nir_variable_mode modes;      /* mode of the variable; casts may have several */
    const struct glsl_type *type; /* type of the part that the deref refers to */
    nir_def def;
    /* The allocation ends after the last field that this deref_type uses. */
    union {
        nir_variable *var; /* nir_deref_type_var */
        nir_src parent;    /* other types: the deref that this one continues, or the address */
    };
    union {
        struct {
            nir_src index; /* nir_deref_type_array; 32 bits */
        } arr;
        struct {
            unsigned index; /* nir_deref_type_struct: field number */
        } strct;
    };
} nir_deref_instr;

nir_deref_instr *nir_src_as_deref(nir_src src); /* returns NULL if src is not a deref */
/* Returns the deref that this one continues; NULL for a variable or the cast of an address. */
static inline nir_deref_instr *nir_deref_instr_parent(const nir_deref_instr *deref)
{
    return deref->deref_type == nir_deref_type_var ? NULL : nir_src_as_deref(deref->parent);
}
/* Returns the variable at the root of the chain, or NULL if the chain has a cast. */
nir_variable *nir_deref_instr_get_variable(const nir_deref_instr *deref);
/* Returns true if the chain has an array index that is not constant, or a cast. */
bool nir_deref_instr_has_indirect(const nir_deref_instr *deref);
/* Removes deref if it is unused, then its parents that become unused. Returns true if it removed
 * any. */
bool nir_deref_instr_remove_if_unused(nir_deref_instr *deref);

/* The derefs of a chain, starting at its root. */
typedef struct {
    nir_deref_instr *short_path[8]; /* storage of short paths */
    nir_deref_instr **path;         /* path[0] is the root; NULL terminates the array */
} nir_deref_path;
/* Fills path for deref. Allocates long paths from mem_ctx; nir_deref_path_finish frees them. */
void nir_deref_path_init(nir_deref_path *path, nir_deref_instr *deref, void *mem_ctx);
void nir_deref_path_finish(nir_deref_path *path);
/* Updates nir_deref_instr.modes of all derefs after the mode of a variable has changed. */
void nir_fixup_deref_modes(nir_shader *shader);

/* How the memory of two derefs overlaps. */
typedef enum {
    nir_derefs_do_not_alias = 0,          /* never the same memory */
    nir_derefs_equal_bit = 1 << 0,        /* always the same memory */
    nir_derefs_may_alias_bit = 1 << 1,    /* may overlap */
    nir_derefs_a_contains_b_bit = 1 << 2, /* all memory of b is in a */
    nir_derefs_b_contains_a_bit = 1 << 3,
} nir_deref_compare_result;
/* Returns a mask of nir_deref_compare_result for two derefs in the same function. */
nir_deref_compare_result nir_compare_derefs(nir_deref_instr *a, nir_deref_instr *b);

/* --- Calls --- */

/* A call of a function. It has no result. */
typedef struct nir_call_instr {
    nir_instr instr;
    nir_function *callee;
    unsigned num_params;
    nir_src params[]; /* values or derefs, as declared by the callee */
} nir_call_instr;

/* --- Intrinsics: operations that are not pure functions of their sources. nir_intrinsics.py
 * defines them. --- */

/* An intrinsic; src has nir_intrinsic_infos[intrinsic].num_srcs elements. */
typedef struct nir_intrinsic_instr {
    nir_instr instr;
    nir_intrinsic_op intrinsic;
    /* Number of components of the sources and the result whose size in nir_intrinsics.py is 0. */
    uint8_t num_components;
    nir_def def;                                    /* only if the intrinsic has a result */
    int const_index[NIR_INTRINSIC_MAX_CONST_INDEX]; /* constant operands; use the accessors */
    nir_src src[];
} nir_intrinsic_instr;

/* Bits of nir_intrinsic_info.flags. */
typedef enum {
    NIR_INTRINSIC_CAN_ELIMINATE = 1 << 0, /* may be removed if the result is unused */
    NIR_INTRINSIC_CAN_REORDER = 1 << 1,   /* the result depends only on the sources and indices */
    /* The result depends on the set of active lanes, so the intrinsic must not move across control
     * flow. */
    NIR_INTRINSIC_CROSS_LANE = 1 << 2,
} nir_intrinsic_semantic_flag;

/* When the result of an intrinsic may differ between lanes. */
typedef enum {
    nir_divergence_from_sources, /* uniform if all sources are uniform */
    nir_divergence_always,       /* may always differ */
    nir_divergence_never,        /* is the same in all lanes */
} nir_divergence_rule;

/* Description of an intrinsic. */
typedef struct {
    const char *name;
    uint8_t num_srcs;
    /* Number of components of each source. 0: nir_intrinsic_instr.num_components; -1: any. */
    int8_t src_components[NIR_INTRINSIC_MAX_INPUTS];
    bool has_dest;
    uint8_t dest_components; /* 0: nir_intrinsic_instr.num_components */
    uint8_t dest_bit_sizes;  /* OR of the allowed bit sizes; 0: any */
    bool dest_like_src;      /* the result has the bit size of the first source */
    uint8_t num_indices;
    /* Meaning of each element of const_index: a nir_intrinsic_index_flag. */
    uint8_t indices[NIR_INTRINSIC_MAX_CONST_INDEX];
    /* For each nir_intrinsic_index_flag: 1 + its position in const_index, or 0 if it is absent. */
    uint8_t index_map[NIR_INTRINSIC_NUM_INDEX_FLAGS];
    unsigned flags;        /* mask of nir_intrinsic_semantic_flag */
    uint8_t divergence;    /* nir_divergence_rule of the result */
    uint16_t uniform_srcs; /* bit i: source i must have the same value in all lanes */
} nir_intrinsic_info;

extern const nir_intrinsic_info nir_intrinsic_infos[nir_num_intrinsics];
extern const char *const nir_intrinsic_index_names[NIR_INTRINSIC_NUM_INDEX_FLAGS];
/* nir_intrinsics_indices.h, included at the end, has the generated accessors
 * nir_intrinsic_<index>(), nir_intrinsic_set_<index>() and nir_intrinsic_has_<index>(). */

/* Operation of an atomic intrinsic on the old value and the operand. */
typedef enum {
    nir_atomic_op_iadd,
    nir_atomic_op_imin,
    nir_atomic_op_umin,
    nir_atomic_op_imax,
    nir_atomic_op_umax,
    nir_atomic_op_iand,
    nir_atomic_op_ior,
    nir_atomic_op_ixor,
    nir_atomic_op_xchg,
    nir_atomic_op_fadd,
    nir_atomic_op_cmpxchg, /* compare and exchange, in the _swap intrinsics */
    nir_atomic_op_fmin,
    nir_atomic_op_fmax,
    /* compare and exchange with a float comparison, in the _swap intrinsics */
    nir_atomic_op_fcmpxchg,
} nir_atomic_op;

/* Set of invocations that a barrier covers. */
typedef enum {
    NIR_SCOPE_NONE,
    NIR_SCOPE_INVOCATION,
    NIR_SCOPE_SUBGROUP,
    NIR_SCOPE_WORKGROUP,
    NIR_SCOPE_DEVICE,
} nir_scope;

/* Memory accesses that must not move across a barrier: the later ones (acquire), the earlier ones
 * (release), or both. */
typedef enum {
    NIR_MEMORY_ACQUIRE = 1 << 0,
    NIR_MEMORY_RELEASE = 1 << 1,
    NIR_MEMORY_ACQ_REL = NIR_MEMORY_ACQUIRE | NIR_MEMORY_RELEASE,
} nir_memory_semantics;

/* Value of the index io_semantics: the input or output that a lowered I/O intrinsic accesses. */
typedef struct {
    unsigned location : 7;  /* varying_slot, vert_attrib or frag_result */
    unsigned num_slots : 6; /* number of slots from location on that the access may reach */
    unsigned dual_source_blend_index : 1;
    unsigned interpolation : 2; /* enum glsl_interp_mode of a fragment shader input */
    unsigned centroid : 1, sample : 1;
    unsigned gs_streams : 8; /* geometry shader: stream of each component, 2 bits each */
    unsigned invariant : 1;
    unsigned per_patch : 1;
} nir_io_semantics;

/* Return the number of components of source number src, and of the result. */
unsigned nir_intrinsic_src_components(const nir_intrinsic_instr *intr, unsigned src);
unsigned nir_intrinsic_dest_components(const nir_intrinsic_instr *intr);
/* Returns true if the intrinsic may move across memory writes: its opcode has
 * NIR_INTRINSIC_CAN_REORDER, it is a load_deref of a read-only mode, or its access has
 * ACCESS_CAN_REORDER and it has no side effect and isn't NIR_INTRINSIC_CROSS_LANE. */
bool nir_intrinsic_can_reorder(const nir_intrinsic_instr *intr);
/* Returns the offset source of a load, store or atomic, or NULL if it has none. */
nir_src *nir_get_io_offset_src(nir_intrinsic_instr *intr);

/* --- Textures --- */

/* Operations of texture instructions. */
typedef enum {
    nir_texop_tex,    /* implicit derivatives */
    nir_texop_txb,    /* implicit derivatives with a bias */
    nir_texop_txl,    /* explicit level */
    nir_texop_txd,    /* explicit derivatives */
    nir_texop_txf,    /* texel fetch, integer coordinates */
    nir_texop_txf_ms, /* texel fetch from a multisample texture */
    nir_texop_txs,    /* size of a level */
    nir_texop_lod,    /* textureQueryLod */
    nir_texop_tg4,    /* gather */
    nir_texop_query_levels,
    nir_texop_texture_samples,
} nir_texop;

/* Meanings of the sources of texture instructions. */
typedef enum {
    nir_tex_src_coord,
    nir_tex_src_projector,  /* divisor of the coordinates and the comparator */
    nir_tex_src_comparator, /* reference value of a depth comparison */
    nir_tex_src_offset,     /* in texels */
    nir_tex_src_bias,       /* added to the level of detail */
    nir_tex_src_lod,        /* level of detail, or level of a fetch or query */
    nir_tex_src_min_lod,    /* lower limit of the level of detail */
    nir_tex_src_ms_index,   /* sample index */
    nir_tex_src_ddx,        /* derivatives of the coordinates in window x */
    nir_tex_src_ddy,        /* derivatives of the coordinates in window y */
    nir_tex_src_texture_deref,
    nir_tex_src_sampler_deref,
    /* Dynamically uniform value added to texture_index. */
    nir_tex_src_texture_offset,
    /* Dynamically uniform value added to sampler_index. */
    nir_tex_src_sampler_offset,
    /* 64-bit handle of texture and sampler, instead of texture_index and sampler_index. */
    nir_tex_src_texture_handle,
    nir_num_tex_src_types,
} nir_tex_src_type;

/* data.binding of samplers and images that have no slots, because they are set to handles. */
#define NIR_NO_SLOT 65536
/* High 32 bits of a handle that stands for a slot. The low 32 bits are then the index of the slot
 * in the stage's samplers or images. */
#define NIR_SLOT_HANDLE 0xffffffff00000000

typedef struct {
    nir_src src;
    nir_tex_src_type src_type;
} nir_tex_src;

/* A texture fetch or query. */
typedef struct nir_tex_instr {
    nir_instr instr;
    nir_texop op;
    enum glsl_sampler_dim sampler_dim;
    nir_alu_type dest_type; /* type of the result, with its bit size */
    unsigned num_srcs;
    nir_tex_src *src; /* in any order, at most one of each type */
    /* Number of coordinates including the array layer; projector and comparator don't count. */
    uint8_t coord_components;
    bool is_array, is_shadow;
    bool is_new_style_shadow; /* the result has one component; old style returns a vec4 */
    /* The result is not the value but an int (tg4: four, one per texel): 1 if all texels with a
     * nonzero weight are in committed memory, else 0 (ARB_sparse_texture2). */
    bool is_residency;
    uint8_t component;        /* component that tg4 gathers */
    int8_t tg4_offsets[4][2]; /* offsets of textureGatherOffsets; all zeros: none */
    unsigned texture_index;   /* index in the stage's textures; valid after nir_lower_samplers */
    unsigned sampler_index;   /* index in the stage's samplers; valid after nir_lower_samplers */
    nir_def def;
} nir_tex_instr;

/* Returns true for queries, which return no texels: sizes, counts and levels of detail. */
bool nir_tex_instr_is_query(const nir_tex_instr *tex);
/* Returns true if the level of detail depends on derivatives across the quad. */
bool nir_tex_instr_has_implicit_derivative(const nir_tex_instr *tex);
/* Returns the number of components of the result. */
unsigned nir_tex_instr_dest_size(const nir_tex_instr *tex);
/* Returns the number of components of source number src. */
unsigned nir_tex_instr_src_size(const nir_tex_instr *tex, unsigned src);
/* Returns the position in tex->src of the source of that type, or -1 if there is none. */
int nir_tex_instr_src_index(const nir_tex_instr *tex, nir_tex_src_type type);
/* Adds a source to an inserted instruction. */
void nir_tex_instr_add_src(nir_tex_instr *tex, nir_tex_src_type type, nir_def *def);
/* Removes source number src and moves the later sources down by one. */
void nir_tex_instr_remove_src(nir_tex_instr *tex, unsigned src);

/* --- Constants, undefined values, jumps, phis --- */

typedef struct nir_load_const_instr {
    nir_instr instr;
    nir_def def;
    nir_const_value value[]; /* one per component */
} nir_load_const_instr;

/* A value whose bits are undefined. */
typedef struct nir_undef_instr {
    nir_instr instr;
    nir_def def;
} nir_undef_instr;

/* Return and halt both jump to the end of the function. */
typedef enum { nir_jump_return, nir_jump_halt, nir_jump_break, nir_jump_continue } nir_jump_type;

/* A jump; it is the last instruction of its block. */
typedef struct nir_jump_instr {
    nir_instr instr;
    nir_jump_type type;
} nir_jump_instr;

/* The value of a phi for one predecessor. */
typedef struct nir_phi_src {
    struct list_head node; /* link in nir_phi_instr.srcs */
    nir_block *pred;       /* the predecessor */
    nir_src src;
} nir_phi_src;

/* Takes the value of the source whose predecessor block (pred) ran last. Phis come first in a block
 * and have one source for each predecessor. */
typedef struct nir_phi_instr {
    nir_instr instr;
    struct list_head srcs; /* nir_phi_src.node */
    nir_def def;
} nir_phi_instr;

/* Iterate over the sources of a phi. With _safe, the current one may be removed. */
#define nir_foreach_phi_src(phi_src, phi)                                                          \
    list_for_each_entry (nir_phi_src, phi_src, &(phi)->srcs, node)
#define nir_foreach_phi_src_safe(phi_src, phi)                                                     \
    list_for_each_entry_safe (nir_phi_src, phi_src, &(phi)->srcs, node)

/* One copy of a nir_parallel_copy_instr. */
typedef struct nir_parallel_copy_entry {
    struct list_head node;
    bool dest_is_reg;
    nir_src src;
    nir_def def;      /* destination if !dest_is_reg */
    nir_src dest_reg; /* destination if dest_is_reg: the decl_reg */
} nir_parallel_copy_entry;

/* Copies that all happen at once. This instruction exists only within nir_convert_from_ssa. */
typedef struct nir_parallel_copy_instr {
    nir_instr instr;
    struct list_head entries; /* nir_parallel_copy_entry.node */
} nir_parallel_copy_instr;

/* Defines the function `name`, which casts a pointer to a common head (in_type) to a pointer to the
 * struct that contains the head (out_type) as its member `field`. Asserts that the head's member
 * type_field has the value type_value. */
#define NIR_DEFINE_CAST(name, in_type, out_type, field, type_field, type_value)                    \
    static inline out_type *name(const in_type *parent)                                            \
    {                                                                                              \
        assert(parent && parent->type_field == type_value);                                        \
        return (out_type *)container_of(parent, out_type, field);                                  \
    }

NIR_DEFINE_CAST(nir_instr_as_alu, nir_instr, nir_alu_instr, instr, type, nir_instr_type_alu)
NIR_DEFINE_CAST(nir_instr_as_deref, nir_instr, nir_deref_instr, instr, type, nir_instr_type_deref)
NIR_DEFINE_CAST(nir_instr_as_call, nir_instr, nir_call_instr, instr, type, nir_instr_type_call)
NIR_DEFINE_CAST(nir_instr_as_tex, nir_instr, nir_tex_instr, instr, type, nir_instr_type_tex)
NIR_DEFINE_CAST(nir_instr_as_intrinsic, nir_instr, nir_intrinsic_instr, instr, type,
                nir_instr_type_intrinsic)
NIR_DEFINE_CAST(nir_instr_as_load_const, nir_instr, nir_load_const_instr, instr, type,
                nir_instr_type_load_const)
NIR_DEFINE_CAST(nir_instr_as_undef, nir_instr, nir_undef_instr, instr, type, nir_instr_type_undef)
NIR_DEFINE_CAST(nir_instr_as_jump, nir_instr, nir_jump_instr, instr, type, nir_instr_type_jump)
NIR_DEFINE_CAST(nir_instr_as_phi, nir_instr, nir_phi_instr, instr, type, nir_instr_type_phi)
NIR_DEFINE_CAST(nir_instr_as_parallel_copy, nir_instr, nir_parallel_copy_instr, instr, type,
                nir_instr_type_parallel_copy)

/* The create functions return an instruction that is not inserted, zeroed except for identity
 * swizzles. The caller sets its sources and initializes its result, if it has one, with
 * nir_def_init (not for load_const and undef). */
nir_alu_instr *nir_alu_instr_create(nir_shader *shader, nir_op op);
nir_deref_instr *nir_deref_instr_create(nir_shader *shader, nir_deref_type type);
nir_jump_instr *nir_jump_instr_create(nir_shader *shader, nir_jump_type type);
nir_load_const_instr *nir_load_const_instr_create(nir_shader *shader, unsigned num_components,
                                                  unsigned bit_size);
nir_intrinsic_instr *nir_intrinsic_instr_create(nir_shader *shader, nir_intrinsic_op op);
nir_call_instr *nir_call_instr_create(nir_shader *shader, nir_function *callee);
nir_tex_instr *nir_tex_instr_create(nir_shader *shader, unsigned num_srcs);
nir_phi_instr *nir_phi_instr_create(nir_shader *shader);
/* Adds the source for the predecessor pred, with the value def, and returns it. */
nir_phi_src *nir_phi_instr_add_src(nir_phi_instr *phi, nir_block *pred, nir_def *def);
nir_parallel_copy_instr *nir_parallel_copy_instr_create(nir_shader *shader);
nir_undef_instr *nir_undef_instr_create(nir_shader *shader, unsigned num_components,
                                        unsigned bit_size);

nir_def *nir_instr_def(nir_instr *instr); /* returns NULL if there is no result */
/* Calls cb for each source until a call returns false. Returns true if no call returned false. */
bool nir_foreach_src(nir_instr *instr, bool (*cb)(nir_src *src, void *state), void *state);
/* Returns the block in which src must be available: for a phi, the predecessor; for an if
 * condition, the block before the if. */
nir_block *nir_src_use_block(const nir_src *src);
/* Changes the value that src uses to def. src must belong to an inserted instruction or if. */
void nir_src_rewrite(nir_src *src, nir_def *def);
/* Makes the uninitialized source src of instr use def. Registers the use if instr is inserted. */
void nir_instr_init_src(nir_instr *instr, nir_src *src, nir_def *def);

/* Constant sources. nir_src_as_uint, _int, _float, _bool and nir_src_comp_as_* require a constant
 * source. They return component 0 or the given one like nir_const_value_as_*(); _bool: if not 0. */
static inline bool nir_src_is_const(nir_src src)
{
    return src.ssa->parent_instr->type == nir_instr_type_load_const;
}
static inline bool nir_src_is_undef(nir_src src)
{
    return src.ssa->parent_instr->type == nir_instr_type_undef;
}
/* Returns the components of the constant, or NULL if src is not constant. */
static inline nir_const_value *nir_src_as_const_value(nir_src src)
{
    return nir_src_is_const(src) ? nir_instr_as_load_const(src.ssa->parent_instr)->value : NULL;
}
static inline unsigned nir_src_num_components(nir_src src)
{
    return src.ssa->num_components;
}
static inline unsigned nir_src_bit_size(nir_src src)
{
    return src.ssa->bit_size;
}
uint64_t nir_src_comp_as_uint(nir_src src, unsigned component);
int64_t nir_src_comp_as_int(nir_src src, unsigned component);
double nir_src_comp_as_float(nir_src src, unsigned component);
bool nir_src_comp_as_bool(nir_src src, unsigned component);
static inline uint64_t nir_src_as_uint(nir_src src)
{
    return nir_src_comp_as_uint(src, 0);
}
static inline int64_t nir_src_as_int(nir_src src)
{
    return nir_src_comp_as_int(src, 0);
}
static inline double nir_src_as_float(nir_src src)
{
    return nir_src_comp_as_float(src, 0);
}
static inline bool nir_src_as_bool(nir_src src)
{
    return nir_src_comp_as_bool(src, 0);
}

/* One component of a definition. */
typedef struct {
    nir_def *def;
    unsigned comp;
} nir_scalar;
/* Returns the component that (def, comp) was copied from, looking through mov and vec. */
nir_scalar nir_scalar_resolved(nir_def *def, unsigned comp);
/* Returns true if s is a component of a constant. */
bool nir_scalar_is_const(nir_scalar s);
/* Returns the value of s, which must be constant. */
nir_const_value nir_scalar_as_const_value(nir_scalar s);

/* ---------------------------------------------------------------------------- control flow --- */

/* Kinds of control flow nodes: nir_block, nir_if, nir_loop and nir_function_impl. */
typedef enum {
    nir_cf_node_block,
    nir_cf_node_if,
    nir_cf_node_loop,
    nir_cf_node_function,
} nir_cf_node_type;

/* Common head of the control flow nodes; `type` tells which struct contains it. */
struct nir_cf_node {
    struct list_head node; /* link in one of the parent's lists */
    nir_cf_node_type type;
    nir_cf_node *parent; /* NULL for a function impl */
};

/* In a list of control flow nodes, blocks alternate with ifs and loops. The list starts and ends
 * with a block. */
struct nir_block {
    nir_cf_node cf_node;
    struct list_head instr_list;
    /* If the block doesn't end in a jump and an if follows, the first blocks of its then branch [0]
     * and else branch [1]. Otherwise only [0] is set: the block that the jump leads to or that runs
     * next. NULL in the end block. */
    nir_block *successors[2];
    unsigned index;           /* position in program order, with nir_metadata_block_index */
    nir_block **predecessors; /* in no particular order */
    /* Used and allocated entries of predecessors. */
    unsigned num_predecessors, max_predecessors;
    nir_block *inline_predecessors[2]; /* initial storage of predecessors */
    struct arena *arena;               /* the shader's arena, for arrays and phi sources */

    /* The following fields are valid with nir_metadata_dominance. */
    nir_block *imm_dom; /* immediate dominator */
    unsigned num_dom_children;
    nir_block **dom_children;
    nir_block **dom_frontier;
    unsigned num_dom_frontier;
    /* Block a dominates block b if the interval dom_pre_index … dom_post_index of a contains that
     * of b. */
    unsigned dom_pre_index, dom_post_index;

    /* Positions of the block's start and end, valid with nir_metadata_instr_index. start_ip is one
     * less than nir_instr.index of the first instruction, end_ip one more than that of the last. In
     * an empty block, end_ip is start_ip + 1. */
    unsigned start_ip, end_ip;
};

/* An if; the phis of its results are in the block after it. */
struct nir_if {
    nir_cf_node cf_node;
    /* One component of 1 bit; 32 bits after nir_lower_bool_to_int32. */
    nir_src condition;
    struct list_head then_list, else_list; /* nir_cf_node.node */
};

/* Infinite loop that only a break, return or halt leaves. A continue jumps to the header. */
struct nir_loop {
    nir_cf_node cf_node;
    struct list_head body;      /* nir_cf_node.node */
    struct nir_loop_info *info; /* valid with nir_metadata_loop_analysis */
    bool divergent; /* lanes may leave in different iterations; computed like nir_def.divergent */
};

/* Results of analyses that are stored in the IR. The comments name the fields that each one makes
 * valid. */
typedef enum {
    nir_metadata_none = 0,
    nir_metadata_block_index = 1 << 0,   /* nir_block.index */
    nir_metadata_dominance = 1 << 1,     /* dominator tree and dominance frontiers of the blocks */
    nir_metadata_live_defs = 1 << 2,     /* nir_live_ranges_of() */
    nir_metadata_loop_analysis = 1 << 3, /* nir_loop.info */
    nir_metadata_instr_index = 1 << 4,   /* nir_instr.index, nir_block.start_ip and end_ip */
    nir_metadata_divergence = 1 << 5,    /* nir_def.divergent, nir_loop.divergent */
    /* Never set; only used to define nir_metadata_all. */
    nir_metadata_not_properly_reset = 1 << 6,
    /* Metadata that stays valid if a pass only adds, removes or changes instructions that are not
     * jumps. */
    nir_metadata_control_flow = nir_metadata_block_index | nir_metadata_dominance,
    nir_metadata_all = ~nir_metadata_not_properly_reset,
} nir_metadata;

/* A parameter of a function. */
typedef struct {
    uint8_t num_components;
    uint8_t bit_size;
    bool is_deref; /* the argument is a deref, not a value */
} nir_parameter;

/* A function; calls refer to it even before it has a body. */
struct nir_function {
    struct list_head node; /* in nir_shader.functions */
    nir_shader *shader;
    const char *name; /* talloc child of the function */
    unsigned num_params;
    nir_parameter *params;   /* talloc child of the function */
    nir_function_impl *impl; /* NULL if the function is only declared */
    bool is_entrypoint;
};

/* The body of a function. */
struct nir_function_impl {
    nir_cf_node cf_node;
    nir_function *function;
    struct list_head body;               /* nir_cf_node.node */
    nir_block *end_block;                /* empty block that every return jumps to */
    struct list_head locals;             /* nir_variable.node */
    unsigned ssa_alloc;                  /* next value of nir_def.index */
    unsigned num_blocks;                 /* valid with nir_metadata_block_index */
    nir_metadata valid_metadata;         /* mask of the metadata that is valid now */
    struct arena *dominance;             /* memory of the dominance arrays */
    struct nir_live_ranges *live_ranges; /* valid with nir_metadata_live_defs */

    /* Which kinds of instructions the function may contain, so that a pass can skip a function that
     * has none of interest. Insertion of an instruction adds its kind; nir_opt_dce recomputes the
     * fields. */
    unsigned instr_types;          /* mask of 1 << nir_instr_type */
    nir_variable_mode deref_modes; /* union of nir_deref_instr.modes */
    bool has_indirect_derefs;      /* there may be derefs with a variable array index */
    bool has_copies;               /* there may be mov or vec instructions */
};

NIR_DEFINE_CAST(nir_cf_node_as_block, nir_cf_node, nir_block, cf_node, type, nir_cf_node_block)
NIR_DEFINE_CAST(nir_cf_node_as_if, nir_cf_node, nir_if, cf_node, type, nir_cf_node_if)
NIR_DEFINE_CAST(nir_cf_node_as_loop, nir_cf_node, nir_loop, cf_node, type, nir_cf_node_loop)
NIR_DEFINE_CAST(nir_cf_node_as_function, nir_cf_node, nir_function_impl, cf_node, type,
                nir_cf_node_function)

/* Iterate over the nodes of a control flow list, or the instructions of a block. With _safe, the
 * current one may be removed. With _reverse, the last one comes first. */
#define nir_foreach_cf_node(n, list)      list_for_each_entry (nir_cf_node, n, list, node)
#define nir_foreach_cf_node_safe(n, list) list_for_each_entry_safe (nir_cf_node, n, list, node)
#define nir_foreach_instr(i, block)       list_for_each_entry (nir_instr, i, &(block)->instr_list, node)
#define nir_foreach_instr_safe(i, block)                                                           \
    list_for_each_entry_safe (nir_instr, i, &(block)->instr_list, node)
#define nir_foreach_instr_reverse_safe(i, block)                                                   \
    list_for_each_entry_rev_safe(nir_instr, i, &(block)->instr_list, node)
/* Iterate over the blocks in program order (with _reverse: in the opposite order), without the end
 * block. With _safe, the current block may be removed or split. */
#define nir_foreach_block(b, impl)                                                                 \
    for (nir_block *b = nir_start_block(impl); b; b = nir_block_cf_tree_next(b))
#define nir_foreach_block_safe(b, impl)                                                            \
    for (nir_block *b = nir_start_block(impl), *b##_next = nir_block_cf_tree_next(b); b;           \
         b = b##_next, b##_next = b ? nir_block_cf_tree_next(b) : NULL)
#define nir_foreach_block_reverse(b, impl)                                                         \
    for (nir_block *b = nir_impl_last_block(impl); b; b = nir_block_cf_tree_prev(b))
/* Iterate over the functions, or over the bodies of those that have one. */
#define nir_foreach_function(f, shader)                                                            \
    list_for_each_entry (nir_function, f, &(shader)->functions, node)
#define nir_foreach_function_impl(i, shader)                                                       \
    nir_foreach_function (i##_function, shader)                                                    \
        for (nir_function_impl *i = i##_function->impl; i; i = NULL)

/* Return the first block of the body and the last one, not the end block. */
nir_block *nir_start_block(nir_function_impl *impl);
nir_block *nir_impl_last_block(nir_function_impl *impl);
/* Returns the next block in program order; NULL after the last block and for the end block. */
nir_block *nir_block_cf_tree_next(nir_block *block);
/* Returns the previous block in program order: NULL before the first block, and the last block of
 * the body for the end block. */
nir_block *nir_block_cf_tree_prev(nir_block *block);
/* Return the first or last block of a branch or of a loop's body. */
nir_block *nir_if_first_then_block(nir_if *nif);
nir_block *nir_if_last_then_block(nir_if *nif);
nir_block *nir_if_first_else_block(nir_if *nif);
nir_block *nir_if_last_else_block(nir_if *nif);
nir_block *nir_loop_first_block(nir_loop *loop); /* the loop header */
nir_block *nir_loop_last_block(nir_loop *loop);
/* Return the neighbor of a node in its list, the if or loop right after a block, and the function
 * that contains a node. All are NULL for the top-level nodes of code outside of functions. */
nir_cf_node *nir_cf_node_next(nir_cf_node *node);         /* returns NULL at the end of the list */
nir_cf_node *nir_cf_node_prev(nir_cf_node *node);         /* returns NULL at the start */
nir_if *nir_block_get_following_if(nir_block *block);     /* returns NULL if no if follows */
nir_loop *nir_block_get_following_loop(nir_block *block); /* returns NULL if no loop follows */
nir_function_impl *nir_cf_node_get_function(nir_cf_node *node); /* NULL if there is none */
nir_instr *nir_block_first_instr(nir_block *block);             /* returns NULL if empty */
nir_instr *nir_block_last_instr(nir_block *block);              /* returns NULL if empty */
bool nir_block_ends_in_jump(nir_block *block);
/* Returns true if parent dominates child, also if they are the same block. Requires
 * nir_metadata_dominance. */
bool nir_block_dominates(const nir_block *parent, const nir_block *child);

/* --- Cursors: a position between two instructions. --- */

/* What a cursor is relative to. Before a block means before its first instruction, phis
 * included. */
typedef enum {
    nir_cursor_before_block,
    nir_cursor_after_block,
    nir_cursor_before_instr,
    nir_cursor_after_instr,
} nir_cursor_option;

typedef struct {
    nir_cursor_option option;
    union {
        nir_block *block;
        nir_instr *instr;
    };
} nir_cursor;

/* Return the position at the start or end of a block, or next to an instruction. */
static inline nir_cursor nir_before_block(nir_block *block)
{
    return (nir_cursor){.option = nir_cursor_before_block, .block = block};
}
static inline nir_cursor nir_after_block(nir_block *block)
{
    return (nir_cursor){.option = nir_cursor_after_block, .block = block};
}
static inline nir_cursor nir_before_instr(nir_instr *instr)
{
    return (nir_cursor){.option = nir_cursor_before_instr, .instr = instr};
}
static inline nir_cursor nir_after_instr(nir_instr *instr)
{
    return (nir_cursor){.option = nir_cursor_after_instr, .instr = instr};
}
/* Returns the position before the jump at the end of the block, or after the block if it has
 * none. */
nir_cursor nir_after_block_before_jump(nir_block *block);
/* Returns the position after the phis of the block, which may have none. */
nir_cursor nir_after_phis(nir_block *block);
/* Returns the position after the phis if instr is a phi, otherwise the one after instr. */
nir_cursor nir_after_instr_and_phis(nir_instr *instr);
/* Returns the position where src is read: for a phi, the end of the predecessor, before its jump;
 * for an if condition, the end of the block before the if. */
nir_cursor nir_before_src(nir_src *src);
/* Return the position right before or after a node. For an if or loop, it is the end of the block
 * before it, or the position after the phis of the block after it. */
nir_cursor nir_before_cf_node(nir_cf_node *node);
nir_cursor nir_after_cf_node(nir_cf_node *node);
/* Return the position at the start or end of a list or function. The start follows the phis of the
 * first block, if it has any. The end precedes the jump of the last block, if it has one. */
nir_cursor nir_before_cf_list(struct list_head *list);
nir_cursor nir_after_cf_list(struct list_head *list);
nir_cursor nir_before_impl(nir_function_impl *impl);
nir_cursor nir_after_impl(nir_function_impl *impl);
/* Returns the block that contains the position. */
nir_block *nir_cursor_current_block(nir_cursor cursor);
/* Returns true if both cursors are at the same position, however they were specified. */
bool nir_cursors_equal(nir_cursor a, nir_cursor b);

/* Inserts instr at the cursor and registers its sources as uses. Invalidates
 * nir_metadata_instr_index and nir_metadata_live_defs. If instr is a jump, updates the CFG and the
 * phis of the old and new successors, and invalidates all metadata. */
void nir_instr_insert(nir_cursor cursor, nir_instr *instr);
/* Removes instr from its block and its sources from the uses of their values. instr may be inserted
 * again. Uses of its result remain. If instr is a jump, updates the CFG and the phis as
 * nir_instr_insert does, and invalidates all metadata. */
void nir_instr_remove(nir_instr *instr);
/* Moves an inserted instr to the cursor. Invalidates metadata as nir_instr_insert does. Returns
 * true, or false if instr is there already. */
bool nir_instr_move(nir_cursor cursor, nir_instr *instr);

/* The functions below that change a function's control flow invalidate all of its metadata. */

/* Creates an if that is not inserted and has no condition. Each list has one empty block. */
nir_if *nir_if_create(nir_shader *shader);
/* Creates a loop that is not inserted. Its body is one empty block. */
nir_loop *nir_loop_create(nir_shader *shader);
/* Inserts an if, whose condition must be set, or a loop. Splits the block at the cursor. */
void nir_cf_node_insert(nir_cursor cursor, nir_cf_node *node);
/* Removes an if or loop with its contents and the phis of the block after it, and merges the blocks
 * around it. Remaining uses of the removed values become undefined. */
void nir_cf_node_remove(nir_cf_node *node);

/* Control flow that was extracted from a function, or a copy of it. */
typedef struct {
    struct list_head list;   /* nir_cf_node.node */
    nir_function_impl *impl; /* function that the code came from */
    nir_loop *loop;          /* innermost loop that contained it, or NULL */
    bool linked;             /* CFG edges and value indices are still those from impl */
} nir_cf_list;
/* Extracts the code from begin to end, which must be in the same list. Splits the blocks at both
 * ends if necessary, but after their phis at the earliest. */
void nir_cf_extract(nir_cf_list *extracted, nir_cursor begin, nir_cursor end);
/* Inserts the list at the cursor and returns the cursor after it. If the list ends in a jump,
 * deletes the rest of the block; remaining uses of its values become undefined. */
nir_cursor nir_cf_reinsert(nir_cf_list *list, nir_cursor cursor);
/* Deletes extracted code; remaining uses of its values become undefined. */
void nir_cf_delete(nir_cf_list *list);
struct hash_table;
/* Returns a copy of instr that is not inserted. instr must not be a phi or a jump. remap maps old
 * to new nir_def pointers; sources are looked up in it and results are added. */
nir_instr *nir_instr_clone(nir_shader *shader, const nir_instr *instr, struct hash_table *remap);
/* Copies the list src to dst, for insertion under parent. remap is as in nir_instr_clone, but may
 * be NULL. */
void nir_cf_list_clone(nir_cf_list *dst, nir_cf_list *src, nir_cf_node *parent,
                       struct hash_table *remap);
/* Updates the successors of the block, and the phis in them, after a jump at the end of the block
 * was added or removed. nir_instr_insert and nir_instr_remove call it. */
void nir_handle_jump_change(nir_block *block);

/* --------------------------------------------------------------------------- metadata --- */

/* Computes the required metadata that is not valid. `required` must not contain
 * nir_metadata_divergence, which nir_divergence_analysis computes. nir_metadata_live_defs also
 * renumbers values (nir_index_ssa_defs). */
void nir_metadata_require(nir_function_impl *impl, nir_metadata required);
/* Called at the end of a pass that changed impl: invalidates all metadata except `preserved`. */
void nir_metadata_preserve(nir_function_impl *impl, nir_metadata preserved);
/* Called at the end of a pass over impl. If the pass made progress, invalidates all metadata except
 * `kept`. Returns progress. */
bool nir_progress(bool progress, nir_function_impl *impl, nir_metadata kept);

/* Computes nir_metadata_block_index. Passes call nir_metadata_require instead, which skips valid
 * metadata and marks what it computes as valid. */
void nir_index_blocks(nir_function_impl *impl);
/* Not metadata: renumbers nir_def.index in program order without gaps and sets impl->ssa_alloc.
 * Invalidates nir_metadata_live_defs. */
void nir_index_ssa_defs(nir_function_impl *impl);
/* Computes nir_metadata_instr_index; see nir_index_blocks. */
void nir_index_instrs(nir_function_impl *impl);
/* Computes nir_metadata_dominance; see nir_index_blocks. */
void nir_calc_dominance(nir_function_impl *impl);
/* Returns the closest common dominator of two blocks, or NULL if there is none, because one of them
 * is unreachable. If one is NULL, returns the other. Requires nir_metadata_dominance. */
nir_block *nir_dominance_lca(nir_block *a, nir_block *b);
/* Sets up nir_metadata_live_defs, and renumbers blocks, values and instructions. The ranges of a
 * definition are computed when nir_live_ranges_of() first requests them; the code must not change
 * between the two calls. */
void nir_live_defs(nir_function_impl *impl);
/* A range of points at which a value is live. */
struct nir_live_range {
    /* The value is live at the points first to end - 1. Point n is right after the instruction with
     * nir_instr.index n, or at the start of the block with start_ip n. */
    unsigned first, end;
};
/* Returns the live ranges of def, in ascending order and not adjacent, and stores their number in
 * *count. The array is valid until nir_live_defs() runs again. An unused definition is live only at
 * the point right after its instruction. */
const struct nir_live_range *nir_live_ranges_of(nir_def *def, unsigned *count);
/* Fills nir_def.divergent and nir_loop.divergent by the rules of nir_intrinsics.py
 * (nir_metadata_divergence). */
void nir_divergence_analysis(nir_shader *shader);
/* Returns true if all sources that nir_intrinsics.py requires to be uniform are uniform; otherwise
 * logs the first instruction that breaks this rule. Requires nir_divergence_analysis. */
bool nir_sources_are_uniform(nir_shader *shader);

/* ------------------------------------------------------------------------------- shaders --- */

/* Callbacks before and after each NIR_PASS, for shaders whose options point to the observer. Passes
 * that run inside other passes are reported, too. Tools use it to count, time and check passes. */
struct nir_pass_observer {
    void (*begin)(void *data, nir_shader *shader, const char *pass);
    void (*end)(void *data, nir_shader *shader, const char *pass, bool progress);
    void *data; /* passed to the callbacks */
};

/* What a driver requires of the common passes. A lower_* option that is false keeps the
 * operation. */
typedef struct nir_shader_compiler_options {
    /* a / b → a * rcp(b), except for doubles. Must be false if division must be exact. */
    bool lower_fdiv;
    bool lower_flrp;                                    /* to fsub, fmul and fadd */
    bool lower_fsat;                                    /* to fmin and fmax */
    bool lower_fmod;                                    /* fmod and frem, to fdiv and rounding */
    bool lower_ldexp, lower_frexp;                      /* to integer operations (nir_lower_alu) */
    bool lower_bitfield_insert, lower_bitfield_extract; /* to shifts and masks */
    bool lower_idiv;                                    /* signed to unsigned division */
    bool lower_to_scalar;                               /* scalarize ALU instructions and phis */
    bool vertex_id_zero_based;      /* lowers vertex_id to vertex_id_zero_base + first_vertex */
    unsigned max_unroll_iterations; /* loops that may run longer are not unrolled */
    /* Number of ALU instructions that a texture instruction counts as in limits of code size; 0
     * means 1. */
    unsigned texture_size;
    const struct nir_pass_observer *observer; /* not owned; may be NULL */
} nir_shader_compiler_options;

/* Layout qualifiers of tessellation evaluation shaders, GLSL 4.60 §4.4.1.1. */
enum nir_tess_primitive {
    nir_tess_primitive_none, /* not specified */
    nir_tess_primitive_triangles,
    nir_tess_primitive_quads,
    nir_tess_primitive_isolines,
};
/* See nir_tess_primitive. */
enum nir_tess_spacing {
    nir_tess_spacing_none, /* not specified: equal spacing */
    nir_tess_spacing_equal,
    nir_tess_spacing_fractional_odd,
    nir_tess_spacing_fractional_even,
};

/* Booleans are bit fields, so that every byte read from a blob is a valid value. */
typedef struct nir_shader_info {
    enum shader_stage stage;
    char *name; /* for messages and dumps, such as "GLSL3"; talloc child of the shader, or NULL */
    uint64_t inputs_read;     /* mask of vert_attrib or varying_slot below 64 */
    uint64_t outputs_written; /* mask of varying_slot below 64 or frag_result */
    uint64_t outputs_read;    /* outputs that the shader reads back */
    uint32_t patch_inputs_read, patch_outputs_written; /* bit i: VARYING_SLOT_PATCH0 + i */
    BITSET_DECLARE(system_values_read, SYSTEM_VALUE_COUNT);
    /* Numbers of entries in the stage's tables of resources. abos: atomic counter buffers. */
    unsigned num_textures, num_ubos, num_ssbos, num_images, num_abos;
    uint64_t textures_used; /* mask of the stage's sampler slots */
    /* writes_memory: writes storage blocks, images, counters or memory by address. */
    bool writes_memory : 1, uses_texture_gather : 1;
    /* Textures or images are accessed through handles (ARB_bindless_texture). */
    bool uses_texture_handles : 1, uses_image_handles : 1;
    /* Handles may be slots (NIR_SLOT_HANDLE). Set by nir_lower_samplers. */
    bool uses_slot_handles : 1;
    /* Results depend on how invocations are grouped into subgroups. */
    bool uses_subgroups : 1;
    /* NV_viewport_array2. viewport_mask: VARYING_SLOT_VIEWPORT is a mask of the viewports to which
     * each primitive is drawn. viewport_relative_layer: the index of the viewport is added to
     * VARYING_SLOT_LAYER. */
    bool viewport_mask : 1, viewport_relative_layer : 1;
    uint8_t clip_distance_array_size, cull_distance_array_size; /* elements; 0: not used */
    bool has_transform_feedback_varyings : 1;
    uint8_t num_views; /* stages before rasterization: layout(num_views); 0: not declared */
    union {
        struct {
            bool uses_discard : 1, uses_derivatives : 1, uses_sample_shading : 1,
                early_fragment_tests : 1;
            bool uses_demote : 1, origin_upper_left : 1, pixel_center_integer : 1,
                color_is_dual_source : 1;
            /* gl_SampleMaskIn contains only samples that passed the early tests. */
            bool post_depth_coverage : 1;
            /* gl_SampleMaskIn contains only samples of fragments that lie inside of the polygon, if
             * rasterization is conservative. */
            bool inner_coverage : 1;
            uint8_t depth_layout; /* enum nir_depth_layout */
            uint8_t interlock;    /* enum nir_interlock */
            /* Mask of enum nir_advanced_blend: the equations that the shader declares
             * (blend_support_*). */
            uint16_t blend_support;
        } fs;
        struct {
            /* max_vertices of the output layout, invocations, vertices of an input primitive */
            uint16_t vertices_out, invocations, vertices_in;
            uint8_t input_primitive, output_primitive; /* enum drv_primitive */
            uint8_t active_stream_mask; /* bit s: some code emits to vertex stream s */
            bool uses_end_primitive : 1;
        } gs;
        struct {
            uint8_t vertices_out;   /* vertices per output patch of the control shader */
            uint8_t primitive_mode; /* enum nir_tess_primitive */
            uint8_t spacing;        /* enum nir_tess_spacing */
            bool ccw : 1, point_mode : 1;
        } tess;
        struct {
            uint16_t workgroup_size[3];
            bool workgroup_size_variable : 1; /* ARB_compute_variable_group_size */
            uint8_t derivative_group;         /* enum nir_derivative_group */
            unsigned shared_size;             /* bytes */
            /* Mesh shaders: max_vertices and max_primitives of the output layout. */
            uint16_t mesh_vertices, mesh_primitives;
            uint8_t mesh_output; /* enum drv_primitive of the output primitives */
        } cs;                    /* also task and mesh shaders */
    };
} nir_shader_info;

/* Redeclaration of gl_FragDepth (GLSL 4.60 §4.4.2.3): how the stored depth compares with the
 * interpolated one. */
enum nir_depth_layout {
    nir_depth_layout_none, /* not declared */
    nir_depth_layout_any,
    nir_depth_layout_greater,
    nir_depth_layout_less,
    nir_depth_layout_unchanged,
};

/* Which invocations of a compute shader form a quad (NV_compute_shader_derivatives). */
enum nir_derivative_group {
    nir_derivative_group_none,   /* there are no quads, and no derivatives */
    nir_derivative_group_quads,  /* 2×2 invocations in x and y */
    nir_derivative_group_linear, /* four invocations with consecutive local indices */
};

/* Order of critical sections (ARB_fragment_shader_interlock). */
enum nir_interlock {
    nir_interlock_pixel_ordered,
    nir_interlock_pixel_unordered,
    nir_interlock_sample_ordered,
    nir_interlock_sample_unordered,
};

struct nir_shader {
    const nir_shader_compiler_options *options; /* not owned */
    nir_shader_info info;
    struct list_head variables; /* all except function temporaries */
    struct list_head functions;
    /* Blocks and ifs. They are kept together, because many passes visit nothing else. */
    struct arena *nodes;
    struct arena *instrs; /* instructions and phi sources */
    /* Derefs and the instructions that access memory through them. Most of them are removed early
     * and would leave holes among the other instructions. */
    struct arena *accesses;
    unsigned num_uniforms; /* size of the default uniform block in bytes */
    unsigned scratch_size; /* bytes per invocation */
    void *constant_data;   /* bytes that load_constant reads */
    unsigned constant_data_size;
};

/* Creates an empty shader as a talloc child of mem_ctx. Returns NULL if out of memory. options may
 * be NULL and must outlive the shader. */
nir_shader *nir_shader_create(void *mem_ctx, enum shader_stage stage,
                              const nir_shader_compiler_options *options);
/* Returns a deep copy of the shader as a talloc child of mem_ctx, or NULL if out of memory. */
nir_shader *nir_shader_clone(void *mem_ctx, const nir_shader *shader);
void nir_shader_destroy(nir_shader *shader); /* NULL is allowed */
/* Frees the memory of removed instructions by copying everything else. All pointers into the shader
 * become invalid, except that to the nir_shader. Does nothing if out of memory. */
void nir_sweep(nir_shader *shader);
/* Adds a function without a body to the shader. name is copied; NULL stands for "". */
nir_function *nir_function_create(nir_shader *shader, const char *name);
/* Adds an empty body to the function. */
nir_function_impl *nir_function_impl_create(nir_function *function);
/* Returns the body of the entrypoint, or NULL if the shader has none. */
nir_function_impl *nir_shader_get_entrypoint(const nir_shader *shader);
/* Returns a copy of var that is a talloc child of shader, but in no list. It shares var's types,
 * which must live as long. */
nir_variable *nir_variable_clone(const nir_variable *var, nir_shader *shader);

/* Print the text form of a shader or instruction, for dumps and tests. */
void nir_print_shader(const nir_shader *shader, FILE *fp);
void nir_print_instr(const nir_instr *instr, FILE *fp);
/* Returns the text form as a string allocated from mem_ctx. */
char *nir_shader_as_str(void *mem_ctx, const nir_shader *shader);
/* Checks the invariants of the IR. On failure, prints the shader, the instruction and the violated
 * rule, and aborts. when: name of the pass that ran last, for the message. */
void nir_validate_shader(nir_shader *shader, const char *when);
/* Returns true if NIR_PASS validates: in debug builds, or with INDIUM_DEBUG=validate. */
bool nir_should_validate(void);

/* A shader in serialized form, for caches and cache keys. Equal shaders have equal bytes. */
struct blob_bytes {
    uint8_t *data;
    size_t size; /* bytes */
};
/* Returns the serialized shader; data is allocated from mem_ctx. */
struct blob_bytes nir_serialize(void *mem_ctx, const nir_shader *shader);
/* Returns the shader as a talloc child of mem_ctx. Returns NULL if the bytes are not a valid
 * shader. */
nir_shader *nir_deserialize(void *mem_ctx, const nir_shader_compiler_options *options,
                            const void *data, size_t size);

/* Evaluates op on constants and stores the num_components components of the result in dest. src[i]
 * points to the components of source i. bit_size: bit size of the operands whose type has no fixed
 * size. */
void nir_eval_const_opcode(nir_op op, nir_const_value *dest, unsigned num_components,
                           unsigned bit_size, nir_const_value **src);

/* Called by NIR_PASS before a pass: notifies the observer. */
void nir_pass_begin(nir_shader *shader, const char *pass);
/* Called by NIR_PASS after a pass: notifies the observer, then validates the shader if
 * nir_should_validate(). */
bool nir_pass_end(nir_shader *shader, const char *pass, bool progress); /* returns progress */

/* Runs pass(shader, …) and validates the shader. Sets the variable `progress` to true if the pass
 * made progress, otherwise leaves it alone. Example: NIR_PASS(progress, shader, nir_opt_dce). */
#define NIR_PASS(progress, shader, pass, ...)                                                      \
    do {                                                                                           \
        nir_pass_begin(shader, #pass);                                                             \
        if (nir_pass_end(shader, #pass, pass(shader, ##__VA_ARGS__)))                              \
            progress = true;                                                                       \
    } while (0)
/* The same for a pass whose progress doesn't matter. */
#define NIR_PASS_V(shader, pass, ...)                                                              \
    do {                                                                                           \
        nir_pass_begin(shader, #pass);                                                             \
        nir_pass_end(shader, #pass, pass(shader, ##__VA_ARGS__));                                  \
    } while (0)

/* --- Walks that passes share. Callbacks return true if they made progress. --- */
typedef bool (*nir_instr_pass_cb)(nir_builder *b, nir_instr *instr, void *data);
typedef bool (*nir_intrinsic_pass_cb)(nir_builder *b, nir_intrinsic_instr *intr, void *data);
typedef bool (*nir_alu_pass_cb)(nir_builder *b, nir_alu_instr *alu, void *data);
typedef bool (*nir_tex_pass_cb)(nir_builder *b, nir_tex_instr *tex, void *data);
typedef bool (*nir_if_pass_cb)(nir_builder *b, nir_if *nif, void *data);
/* Calls cb for every instruction and returns whether any call made progress. cb must set the
 * builder's cursor before it builds code. It may remove the instruction and insert others next to
 * it, but no ifs or loops. cb is not called for the inserted instructions. preserved: metadata
 * still valid after progress. */
bool nir_shader_instructions_pass(nir_shader *shader, nir_instr_pass_cb cb, nir_metadata preserved,
                                  void *data);
/* Do the same for the instructions of one type. */
bool nir_shader_intrinsics_pass(nir_shader *shader, nir_intrinsic_pass_cb cb,
                                nir_metadata preserved, void *data);
bool nir_shader_alu_pass(nir_shader *shader, nir_alu_pass_cb cb, nir_metadata preserved,
                         void *data);
bool nir_shader_tex_pass(nir_shader *shader, nir_tex_pass_cb cb, nir_metadata preserved,
                         void *data);

/* Calls cb for every if, inner ifs first, and returns whether any call made progress. cb must not
 * remove the if. It may move code to after the if; the walk continues there. */
bool nir_shader_ifs_pass(nir_shader *shader, nir_if_pass_cb cb, nir_metadata preserved, void *data);

#include "nir_intrinsics_indices.h" /* generated accessors */
#include "nir_passes.h"

#endif
