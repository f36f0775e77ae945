/* SPDX-License-Identifier: MIT */
/*
 * NIR: the shader IR between the GLSL compiler, the API layer and the drivers.
 *
 * A shader has variables and functions; a function's body (nir_function_impl) is a tree of control
 * flow nodes (blocks, ifs, loops, after the seed's "Control Flow") whose leaves are basic blocks
 * that also form a CFG. Values are SSA definitions (nir_def) without a type, but with a bit size
 * and a number of components; uses point to definitions and every definition lists its uses.
 * Memory is reached by deref instructions (variables, before lowering) or by intrinsics with
 * offsets (after). Where SSA has been left, registers are the intrinsics decl_reg, load_reg and
 * store_reg.
 *
 * Memory: a nir_shader is a talloc context; variables, functions and types hang under it,
 * instructions and blocks come from its arenas and are only unlinked when removed. Freeing of the
 * shader frees all. Not thread-safe per shader; different shaders are independent.
 *
 * Every pass: bool nir_xxx(nir_shader *shader, …), true on progress, preserves metadata
 * explicitly, run through NIR_PASS so that debug builds validate after it.
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

#define NIR_MAX_VEC_COMPONENTS        16
#define NIR_ALU_MAX_INPUTS            16
#define NIR_INTRINSIC_MAX_CONST_INDEX 8
#define NIR_INTRINSIC_MAX_INPUTS      11

typedef uint16_t nir_component_mask_t;

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

typedef union {
    bool b;
    float f32;
    double f64;
    int8_t i8;
    uint8_t u8;
    int16_t i16;
    uint16_t u16; /* halves too */
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64; /* the unused high bits of smaller values are zero */
} nir_const_value;

/* Of the low bit_size bits, sign- or zero-extended; a 1-bit true is 1 (as int: -1 for bit_size 1). */
uint64_t nir_const_value_as_uint(nir_const_value value, unsigned bit_size);
int64_t nir_const_value_as_int(nir_const_value value, unsigned bit_size);
double nir_const_value_as_float(nir_const_value value, unsigned bit_size);
nir_const_value nir_const_value_for_uint(uint64_t value, unsigned bit_size);
nir_const_value nir_const_value_for_int(int64_t value, unsigned bit_size);
nir_const_value nir_const_value_for_float(double value, unsigned bit_size);

/* Initializer of a variable: values of a vector, elements of an aggregate. */
typedef struct nir_constant {
    nir_const_value values[NIR_MAX_VEC_COMPONENTS];
    bool is_null_constant; /* all zero, whatever the type */
    unsigned num_elements; /* arrays, structs, matrices (columns) */
    struct nir_constant **elements;
} nir_constant;

/* ------------------------------------------------------------------------------- variables --- */

typedef enum {
    nir_var_system_value = 1 << 0,
    nir_var_uniform = 1 << 1, /* default block: data and opaque types alike */
    nir_var_shader_in = 1 << 2,
    nir_var_shader_out = 1 << 3,
    nir_var_image = 1 << 4,
    nir_var_shader_temp = 1 << 5, /* global, private to the invocation */
    nir_var_function_temp = 1 << 6,
    nir_var_mem_ubo = 1 << 7,
    nir_var_mem_ssbo = 1 << 8,
    nir_var_mem_shared = 1 << 9,
    nir_var_mem_global = 1 << 10,
    nir_num_variable_modes = 11,
    nir_var_all = (1 << 11) - 1,
} nir_variable_mode;

/* A piece of GL state that a uniform mirrors; the tokens are src/gl's and opaque here. */
#define NIR_STATE_LENGTH 5
typedef struct {
    int16_t tokens[NIR_STATE_LENGTH];
} nir_state_slot;

struct nir_variable {
    struct list_head node; /* in nir_shader.variables or nir_function_impl.locals */
    const struct glsl_type *type;
    char *name;     /* may be NULL; child of the variable */
    unsigned index; /* scratch for passes */

    /* Booleans are bits: every byte that is read from a blob is a value. */
    struct nir_variable_data {
        nir_variable_mode mode;
        unsigned read_only : 1;
        unsigned centroid : 1;
        unsigned sample : 1;
        unsigned patch : 1;
        unsigned invariant : 1;
        unsigned precise : 1;
        unsigned explicit_location : 1;
        unsigned explicit_binding : 1;
        unsigned explicit_component : 1;
        unsigned compact : 1; /* float array packed four to a slot: clip distances */
        unsigned fb_fetch_output : 1;
        unsigned always_active_io : 1; /* keep it: feedback captures it, or a block's layout */
        unsigned how_declared : 2;     /* enum nir_var_declaration */
        unsigned interpolation : 3;    /* enum glsl_interp_mode */
        unsigned precision : 2;        /* enum glsl_precision */
        unsigned access : 6;           /* enum gl_access_qualifier */
        unsigned location_frac : 2;    /* first component in its slot */
        unsigned index : 1;            /* dual-source blending: second source */
        unsigned stream : 2;           /* geometry output */
        unsigned image_format;         /* enum drv_format of an image, 0: none given */
        int location; /* vert_attrib, varying_slot, frag_result, system_value or uniform location; -1: none */
        unsigned
            driver_location; /* I/O: slot index for the driver; uniforms: bytes in the default block */
        unsigned binding;    /* UBO, SSBO, sampler, image: index in the stage's table */
        unsigned offset;     /* atomic counters, transform feedback: bytes */
        struct {
            unsigned buffer : 2, stride : 16;
            bool explicit_buffer : 1, explicit_stride : 1, explicit_offset : 1;
        } xfb;
    } data;

    unsigned num_state_slots;
    nir_state_slot *state_slots; /* built-in uniforms: one per vec4 of it */
    nir_constant *constant_initializer;
    const struct glsl_type *interface_type; /* block it belongs to; uniforms: declared; or NULL */
};

enum nir_var_declaration { nir_var_declared_normally, nir_var_declared_implicitly, nir_var_hidden };

enum gl_access_qualifier {
    ACCESS_COHERENT = 1 << 0,
    ACCESS_RESTRICT = 1 << 1,
    ACCESS_VOLATILE = 1 << 2,
    ACCESS_NON_READABLE = 1 << 3,
    ACCESS_NON_WRITEABLE = 1 << 4,
    ACCESS_CAN_REORDER = 1 << 5, /* loads may move across anything */
};

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

/* Added to the shader; name is copied (NULL is fine). */
nir_variable *nir_variable_create(nir_shader *shader, nir_variable_mode mode,
                                  const struct glsl_type *type, const char *name);
nir_variable *nir_local_variable_create(nir_function_impl *impl, const struct glsl_type *type,
                                        const char *name);
/* First variable of that mode and location, or NULL. */
nir_variable *nir_find_variable_with_location(nir_shader *shader, nir_variable_mode mode,
                                              int location);

/* -------------------------------------------------------------------- values and their uses --- */

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

struct nir_instr {
    struct list_head node; /* in nir_block.instr_list */
    nir_block *block;      /* NULL: not inserted */
    uint8_t type;          /* nir_instr_type */
    uint8_t pass_flags;    /* scratch for passes; not preserved between them */
    unsigned index;        /* nir_metadata_instr_index */
};

struct nir_def {
    nir_instr *parent_instr;
    struct list_head uses;  /* nir_src.use_link, of instructions and of ifs */
    unsigned index;         /* dense after nir_index_ssa_defs; < impl->ssa_alloc */
    uint8_t num_components; /* 1-5, 8 or 16 */
    uint8_t bit_size;       /* 1, 8, 16, 32, 64 */
    bool divergent;         /* may differ between lanes; nir_divergence_analysis, else true */
};

struct nir_src {
    uintptr_t parent;          /* of an instruction: nir_instr *; of an if: nir_if * and 1 */
    struct list_head use_link; /* in ssa->uses */
    nir_def *ssa;
};

static inline bool nir_src_is_if(const nir_src *src)
{
    return src->parent & 1;
}
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

/* Uses by instructions and by conditions of ifs: check nir_src_is_if. */
#define nir_foreach_use_including_if(src, def)                                                     \
    list_for_each_entry (nir_src, src, &(def)->uses, use_link)
#define nir_foreach_use_including_if_safe(src, def)                                                \
    list_for_each_entry_safe (nir_src, src, &(def)->uses, use_link)
#define nir_foreach_use(src, def) nir_foreach_use_including_if(src, def) if (!nir_src_is_if(src))
#define nir_foreach_use_safe(src, def)                                                             \
    nir_foreach_use_including_if_safe(src, def) if (!nir_src_is_if(src))

static inline nir_src nir_src_for_ssa(nir_def *def)
{
    nir_src src = {.ssa = def};
    return src;
}

void nir_def_init(nir_instr *instr, nir_def *def, unsigned num_components, unsigned bit_size);
/* All uses of def become uses of new_def. after: only those behind that instruction in the same
 * function (after itself excepted); it must be in new_def's block order. */
void nir_def_rewrite_uses(nir_def *def, nir_def *new_def);
void nir_def_rewrite_uses_after(nir_def *def, nir_def *new_def, nir_instr *after);
/* Rewrites all uses of def and removes its instruction. */
void nir_def_replace(nir_def *def, nir_def *new_def);
/* The same, and what only def was made for goes with it. */
void nir_def_replace_and_clean(nir_def *def, nir_def *new_def);
/* Removes the instruction of def if nobody reads it and it has no effect, then those of its sources
 * likewise: nothing behind def. Phis at the head of a loop stay, nir_opt_dce knows their cycles. */
void nir_def_remove_if_unused(nir_def *def);
nir_component_mask_t nir_def_components_read(const nir_def *def);

static inline bool nir_def_is_unused(const nir_def *def)
{
    return list_is_empty(&def->uses);
}

/* ---------------------------------------------------------------------------- instructions --- */

/* --- ALU: pure operations; the opcode table is nir_opcodes.py. --- */

typedef enum {
    nir_type_invalid = 0,
    nir_type_int = 2,
    nir_type_uint = 4,
    nir_type_bool = 6,
    nir_type_float = 128,
    /* or-ed with a bit size (1, 8, 16, 32, 64) where the size is fixed */
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

#define NIR_ALU_TYPE_SIZE_MASK 0x79
static inline unsigned nir_alu_type_get_type_size(nir_alu_type type)
{
    return type & NIR_ALU_TYPE_SIZE_MASK;
}
static inline nir_alu_type nir_alu_type_get_base_type(nir_alu_type type)
{
    return (nir_alu_type)(type & ~NIR_ALU_TYPE_SIZE_MASK);
}
nir_alu_type nir_get_nir_type_for_glsl_base_type(enum glsl_base_type base);

typedef enum {
    NIR_OP_IS_2SRC_COMMUTATIVE = 1 << 0, /* in its first two sources */
    NIR_OP_IS_ASSOCIATIVE = 1 << 1,
    NIR_OP_IS_SELECTION = 1 << 2,  /* b ? c : d */
    NIR_OP_IS_DERIVATIVE = 1 << 3, /* reads the other lanes of its quad */
} nir_op_algebraic_property;

typedef struct {
    const char *name;
    uint8_t num_inputs;
    uint8_t output_size; /* components; 0: per component, as many as the instruction has */
    nir_alu_type output_type;
    uint8_t input_sizes[NIR_ALU_MAX_INPUTS]; /* the same */
    nir_alu_type input_types[NIR_ALU_MAX_INPUTS];
    unsigned algebraic_properties; /* nir_op_algebraic_property */
    bool is_conversion;
} nir_op_info;

extern const nir_op_info nir_op_infos[nir_num_opcodes];

typedef struct {
    nir_src src;
    uint64_t swizzle; /* nir_alu_src_comp: component of src.ssa for each one read; four bits each */
} nir_alu_src;

#define NIR_IDENTITY_SWIZZLE 0xfedcba9876543210ull

static inline uint64_t nir_swizzle_mask(unsigned num_components)
{
    return num_components == NIR_MAX_VEC_COMPONENTS ? UINT64_MAX : (1ull << 4 * num_components) - 1;
}
static inline unsigned nir_alu_src_comp(const nir_alu_src *src, unsigned c)
{
    return src->swizzle >> 4 * c & 15;
}
static inline void nir_alu_src_set_comp(nir_alu_src *src, unsigned c, unsigned comp)
{
    src->swizzle = (src->swizzle & ~(15ull << 4 * c)) | (uint64_t)comp << 4 * c;
}

typedef struct nir_alu_instr {
    nir_instr instr;
    nir_op op;
    bool exact; /* precise: no rewriting that changes the result's bits */
    bool no_signed_wrap, no_unsigned_wrap;
    nir_def def;
    nir_alu_src src[];
} nir_alu_instr;

/* Components that src reads: input_sizes[src], or the result's. */
unsigned nir_ssa_alu_instr_src_components(const nir_alu_instr *alu, unsigned src);
bool nir_alu_src_is_trivial_ssa(const nir_alu_instr *alu, unsigned src); /* identity swizzle, all */
void nir_alu_src_copy(nir_alu_src *dest, const nir_alu_src *src);
bool nir_alu_instrs_equal_srcs(const nir_alu_instr *a, const nir_alu_instr *b, unsigned sa,
                               unsigned sb);
bool nir_op_is_vec(nir_op op);              /* vec2 … vec16 */
nir_op nir_op_vec(unsigned num_components); /* mov for 1 */
nir_op nir_type_conversion_op(nir_alu_type from, nir_alu_type to);

/* --- Derefs --- */

typedef enum {
    nir_deref_type_var,
    nir_deref_type_array,
    nir_deref_type_array_wildcard, /* only in copies */
    nir_deref_type_struct,
    nir_deref_type_cast, /* of an address; not made by GLSL */
} nir_deref_type;

typedef struct nir_deref_instr {
    nir_instr instr;
    nir_deref_type deref_type;
    nir_variable_mode modes;
    const struct glsl_type *type;
    nir_def def;
    /* Only as much is allocated as the type of deref needs. */
    union {
        nir_variable *var; /* deref_type_var */
        nir_src parent;
    };
    union {
        struct {
            nir_src index; /* array; 32 bits */
        } arr;
        struct {
            unsigned index; /* field */
        } strct;
    };
} nir_deref_instr;

nir_deref_instr *nir_src_as_deref(nir_src src); /* NULL if it is none */
static inline nir_deref_instr *nir_deref_instr_parent(const nir_deref_instr *deref)
{
    return deref->deref_type == nir_deref_type_var ? NULL : nir_src_as_deref(deref->parent);
}
nir_variable *nir_deref_instr_get_variable(const nir_deref_instr *deref); /* NULL behind a cast */
bool nir_deref_instr_has_indirect(const nir_deref_instr *deref);
/* Removes deref and its parents as long as they have no uses. */
bool nir_deref_instr_remove_if_unused(nir_deref_instr *deref);

/* A deref chain from the variable down; path[0] is the variable's, NULL-terminated. */
typedef struct {
    nir_deref_instr *short_path[8];
    nir_deref_instr **path;
} nir_deref_path;
void nir_deref_path_init(nir_deref_path *path, nir_deref_instr *deref, void *mem_ctx);
void nir_deref_path_finish(nir_deref_path *path);
/* After modes of variables were changed: makes those of the derefs the same. */
void nir_fixup_deref_modes(nir_shader *shader);

typedef enum {
    nir_derefs_do_not_alias = 0,
    nir_derefs_equal_bit = 1 << 0,
    nir_derefs_may_alias_bit = 1 << 1,
    nir_derefs_a_contains_b_bit = 1 << 2,
    nir_derefs_b_contains_a_bit = 1 << 3,
} nir_deref_compare_result;
nir_deref_compare_result nir_compare_derefs(nir_deref_instr *a, nir_deref_instr *b);

/* --- Calls --- */

typedef struct nir_call_instr {
    nir_instr instr;
    nir_function *callee;
    unsigned num_params;
    nir_src params[]; /* values or derefs, as the callee's parameters say */
} nir_call_instr;

/* --- Intrinsics: everything that is not a pure operation; the table is nir_intrinsics.py. --- */

typedef struct nir_intrinsic_instr {
    nir_instr instr;
    nir_intrinsic_op intrinsic;
    uint8_t num_components; /* of those sources and the destination that are sized by it */
    nir_def def;            /* if the intrinsic has a destination */
    int const_index[NIR_INTRINSIC_MAX_CONST_INDEX];
    nir_src src[];
} nir_intrinsic_instr;

typedef enum {
    NIR_INTRINSIC_CAN_ELIMINATE = 1 << 0, /* if the result is unused */
    NIR_INTRINSIC_CAN_REORDER = 1 << 1,   /* result depends on the sources and indices alone */
    NIR_INTRINSIC_CROSS_LANE =
        1 << 2, /* depends on which lanes are active: do not move across control flow */
} nir_intrinsic_semantic_flag;

typedef enum {
    nir_divergence_from_sources, /* uniform if all sources are */
    nir_divergence_always,
    nir_divergence_never,
} nir_divergence_rule;

typedef struct {
    const char *name;
    uint8_t num_srcs;
    int8_t src_components[NIR_INTRINSIC_MAX_INPUTS]; /* 0: num_components, -1: any */
    bool has_dest;
    uint8_t dest_components; /* 0: num_components */
    uint8_t dest_bit_sizes;  /* or of allowed sizes; 0: any */
    bool dest_like_src;      /* the result has the bit size of the first source */
    uint8_t num_indices;
    uint8_t
        indices[NIR_INTRINSIC_MAX_CONST_INDEX]; /* nir_intrinsic_index_flag of each const_index */
    uint8_t index_map[NIR_INTRINSIC_NUM_INDEX_FLAGS]; /* position + 1 in const_index, 0: has none */
    unsigned flags;                                   /* nir_intrinsic_semantic_flag */
    uint8_t divergence;                               /* nir_divergence_rule, of the result */
    uint16_t uniform_srcs; /* bit i: source i must be the same in all lanes */
} nir_intrinsic_info;

extern const nir_intrinsic_info nir_intrinsic_infos[nir_num_intrinsics];
extern const char *const nir_intrinsic_index_names[NIR_INTRINSIC_NUM_INDEX_FLAGS];
/* nir_intrinsic_<index>(), nir_intrinsic_set_<index>(), nir_intrinsic_has_<index>() are generated
 * in nir_intrinsics_indices.h, included at the end. */

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
    nir_atomic_op_cmpxchg, /* the _swap intrinsics */
    nir_atomic_op_fmin,
    nir_atomic_op_fmax,
    nir_atomic_op_fcmpxchg, /* compares floats, in the _swap intrinsics */
} nir_atomic_op;

typedef enum {
    NIR_SCOPE_NONE,
    NIR_SCOPE_INVOCATION,
    NIR_SCOPE_SUBGROUP,
    NIR_SCOPE_WORKGROUP,
    NIR_SCOPE_DEVICE,
} nir_scope;

typedef enum {
    NIR_MEMORY_ACQUIRE = 1 << 0,
    NIR_MEMORY_RELEASE = 1 << 1,
    NIR_MEMORY_ACQ_REL = NIR_MEMORY_ACQUIRE | NIR_MEMORY_RELEASE,
} nir_memory_semantics;

/* What a lowered I/O access is about (index IO_SEMANTICS). */
typedef struct {
    unsigned location : 7;  /* gl_varying_slot, vert_attrib, frag_result */
    unsigned num_slots : 6; /* that the access may reach, for indirect ones */
    unsigned dual_source_blend_index : 1;
    unsigned interpolation : 2; /* enum glsl_interp_mode, of fragment inputs */
    unsigned centroid : 1, sample : 1;
    unsigned gs_streams : 8; /* 2 bits a component */
    unsigned invariant : 1;
    unsigned per_patch : 1;
} nir_io_semantics;

unsigned nir_intrinsic_src_components(const nir_intrinsic_instr *intr, unsigned src);
unsigned nir_intrinsic_dest_components(const nir_intrinsic_instr *intr);
bool nir_intrinsic_can_reorder(const nir_intrinsic_instr *intr);
/* The source that is the offset of a load_/store_ intrinsic (NULL: has none), the one stored. */
nir_src *nir_get_io_offset_src(nir_intrinsic_instr *intr);

/* --- Textures --- */

typedef enum {
    nir_texop_tex, /* implicit derivatives */
    nir_texop_txb, /* and bias */
    nir_texop_txl, /* explicit level */
    nir_texop_txd, /* explicit derivatives */
    nir_texop_txf, /* texel fetch, integer coordinates */
    nir_texop_txf_ms,
    nir_texop_txs, /* size of a level */
    nir_texop_lod, /* textureQueryLod */
    nir_texop_tg4, /* gather */
    nir_texop_query_levels,
    nir_texop_texture_samples,
} nir_texop;

typedef enum {
    nir_tex_src_coord,
    nir_tex_src_projector,
    nir_tex_src_comparator,
    nir_tex_src_offset,
    nir_tex_src_bias,
    nir_tex_src_lod,
    nir_tex_src_min_lod,
    nir_tex_src_ms_index,
    nir_tex_src_ddx,
    nir_tex_src_ddy,
    nir_tex_src_texture_deref,
    nir_tex_src_sampler_deref,
    nir_tex_src_texture_offset, /* dynamically uniform, added to texture_index */
    nir_tex_src_sampler_offset,
    nir_num_tex_src_types,
} nir_tex_src_type;

typedef struct {
    nir_src src;
    nir_tex_src_type src_type;
} nir_tex_src;

typedef struct nir_tex_instr {
    nir_instr instr;
    nir_texop op;
    enum glsl_sampler_dim sampler_dim;
    nir_alu_type dest_type; /* with size */
    unsigned num_srcs;
    nir_tex_src *src;
    uint8_t coord_components; /* with the array layer, without projector and comparator */
    bool is_array, is_shadow;
    bool is_new_style_shadow; /* gives one component; old style a vec4 */
    uint8_t component;        /* tg4 */
    int8_t tg4_offsets[4][2]; /* textureGatherOffsets, all zero: none */
    unsigned texture_index;   /* after nir_lower_samplers */
    unsigned sampler_index;
    nir_def def;
} nir_tex_instr;

bool nir_tex_instr_is_query(const nir_tex_instr *tex);
bool nir_tex_instr_has_implicit_derivative(const nir_tex_instr *tex);
unsigned nir_tex_instr_dest_size(const nir_tex_instr *tex);
unsigned nir_tex_instr_src_size(const nir_tex_instr *tex, unsigned src);
int nir_tex_instr_src_index(const nir_tex_instr *tex, nir_tex_src_type type); /* -1: none */
/* Adds a source to an inserted instruction / removes source number src. */
void nir_tex_instr_add_src(nir_tex_instr *tex, nir_tex_src_type type, nir_def *def);
void nir_tex_instr_remove_src(nir_tex_instr *tex, unsigned src);

/* --- The rest --- */

typedef struct nir_load_const_instr {
    nir_instr instr;
    nir_def def;
    nir_const_value value[];
} nir_load_const_instr;

typedef struct nir_undef_instr {
    nir_instr instr;
    nir_def def;
} nir_undef_instr;

typedef enum { nir_jump_return, nir_jump_halt, nir_jump_break, nir_jump_continue } nir_jump_type;

typedef struct nir_jump_instr {
    nir_instr instr;
    nir_jump_type type;
} nir_jump_instr;

typedef struct nir_phi_src {
    struct list_head node;
    nir_block *pred;
    nir_src src;
} nir_phi_src;

/* Phis come first in a block; one source per predecessor. */
typedef struct nir_phi_instr {
    nir_instr instr;
    struct list_head srcs; /* nir_phi_src.node */
    nir_def def;
} nir_phi_instr;

#define nir_foreach_phi_src(phi_src, phi)                                                          \
    list_for_each_entry (nir_phi_src, phi_src, &(phi)->srcs, node)
#define nir_foreach_phi_src_safe(phi_src, phi)                                                     \
    list_for_each_entry_safe (nir_phi_src, phi_src, &(phi)->srcs, node)

/* All copies at once; only inside nir_convert_from_ssa. */
typedef struct nir_parallel_copy_entry {
    struct list_head node;
    bool dest_is_reg;
    nir_src src;
    nir_def def;      /* !dest_is_reg */
    nir_src dest_reg; /* dest_is_reg: the decl_reg */
} nir_parallel_copy_entry;

typedef struct nir_parallel_copy_instr {
    nir_instr instr;
    struct list_head entries;
} nir_parallel_copy_instr;

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

/* Created zeroed, sources unset, not inserted. Destinations: nir_def_init, then insert. */
nir_alu_instr *nir_alu_instr_create(nir_shader *shader, nir_op op);
nir_deref_instr *nir_deref_instr_create(nir_shader *shader, nir_deref_type type);
nir_jump_instr *nir_jump_instr_create(nir_shader *shader, nir_jump_type type);
nir_load_const_instr *nir_load_const_instr_create(nir_shader *shader, unsigned num_components,
                                                  unsigned bit_size);
nir_intrinsic_instr *nir_intrinsic_instr_create(nir_shader *shader, nir_intrinsic_op op);
nir_call_instr *nir_call_instr_create(nir_shader *shader, nir_function *callee);
nir_tex_instr *nir_tex_instr_create(nir_shader *shader, unsigned num_srcs);
nir_phi_instr *nir_phi_instr_create(nir_shader *shader);
nir_phi_src *nir_phi_instr_add_src(nir_phi_instr *phi, nir_block *pred, nir_def *def);
nir_parallel_copy_instr *nir_parallel_copy_instr_create(nir_shader *shader);
nir_undef_instr *nir_undef_instr_create(nir_shader *shader, unsigned num_components,
                                        unsigned bit_size);

nir_def *nir_instr_def(nir_instr *instr); /* NULL if it has none */
/* Calls cb on each source; false from it stops and is returned. */
bool nir_foreach_src(nir_instr *instr, bool (*cb)(nir_src *src, void *state), void *state);
/* The block that reads src: the predecessor of a phi, the one before an if. */
nir_block *nir_src_use_block(const nir_src *src);
/* For an inserted instruction / if: src uses def from now on. */
void nir_src_rewrite(nir_src *src, nir_def *def);
void nir_instr_init_src(nir_instr *instr, nir_src *src, nir_def *def);

/* Constant sources; the caller knows that it is one, in range and of what kind. */
static inline bool nir_src_is_const(nir_src src)
{
    return src.ssa->parent_instr->type == nir_instr_type_load_const;
}
static inline bool nir_src_is_undef(nir_src src)
{
    return src.ssa->parent_instr->type == nir_instr_type_undef;
}
static inline nir_const_value *nir_src_as_const_value(nir_src src) /* NULL if it is none */
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

/* One component of a def, looked through moves and vecs. */
typedef struct {
    nir_def *def;
    unsigned comp;
} nir_scalar;
nir_scalar nir_scalar_resolved(nir_def *def, unsigned comp);
bool nir_scalar_is_const(nir_scalar s);
nir_const_value nir_scalar_as_const_value(nir_scalar s);

/* ---------------------------------------------------------------------------- control flow --- */

typedef enum {
    nir_cf_node_block,
    nir_cf_node_if,
    nir_cf_node_loop,
    nir_cf_node_function,
} nir_cf_node_type;

struct nir_cf_node {
    struct list_head node; /* in the list of the parent */
    nir_cf_node_type type;
    nir_cf_node *parent; /* NULL for a function impl */
};

/* Lists of control flow nodes alternate: they begin and end with a block, and there is exactly one
 * block between two ifs or loops. */
struct nir_block {
    nir_cf_node cf_node;
    struct list_head instr_list;
    nir_block *successors[2]; /* [0] falls through or then; [1] else; the end block has none */
    unsigned index;           /* nir_metadata_block_index: program order */
    nir_block **predecessors; /* no order that means anything */
    unsigned num_predecessors, max_predecessors; /* there are, there is room for */
    nir_block *few_predecessors[2];              /* room for those of most blocks */
    struct arena *arena;                         /* the shader's, for arrays and sources of phis */

    /* nir_metadata_dominance */
    nir_block *imm_dom;
    unsigned num_dom_children;
    nir_block **dom_children;
    nir_block **dom_frontier;
    unsigned num_dom_frontier;
    unsigned dom_pre_index, dom_post_index; /* a dominates b: interval of a contains b's */

    /* nir_metadata_instr_index */
    unsigned start_ip, end_ip;
};

struct nir_if {
    nir_cf_node cf_node;
    nir_src condition; /* 1 component, 1 bit (or what a lowering makes of booleans) */
    struct list_head then_list, else_list; /* nir_cf_node.node */
};

/* Repeats until a break. A continue goes to the head. */
struct nir_loop {
    nir_cf_node cf_node;
    struct list_head body;
    struct nir_loop_info *info; /* nir_metadata_loop_analysis */
    bool divergent;             /* lanes may leave at different times */
};

typedef enum {
    nir_metadata_none = 0,
    nir_metadata_block_index = 1 << 0,
    nir_metadata_dominance = 1 << 1,
    nir_metadata_live_defs = 1 << 2,
    nir_metadata_loop_analysis = 1 << 3,
    nir_metadata_instr_index = 1 << 4,
    nir_metadata_divergence = 1 << 5,
    nir_metadata_not_properly_reset =
        1 << 6, /* debugging aid: set by NIR_PASS, cleared by preserve */
    /* what stays true when only instructions that are no jumps change */
    nir_metadata_control_flow = nir_metadata_block_index | nir_metadata_dominance,
    nir_metadata_all = ~nir_metadata_not_properly_reset,
} nir_metadata;

typedef struct {
    uint8_t num_components;
    uint8_t bit_size;
    bool is_deref;
} nir_parameter;

struct nir_function {
    struct list_head node; /* in nir_shader.functions */
    nir_shader *shader;
    const char *name;
    unsigned num_params;
    nir_parameter *params;
    nir_function_impl *impl; /* NULL: only declared */
    bool is_entrypoint;
};

struct nir_function_impl {
    nir_cf_node cf_node;
    nir_function *function;
    struct list_head body;   /* nir_cf_node.node */
    nir_block *end_block;    /* empty; every return goes to it */
    struct list_head locals; /* nir_variable.node */
    unsigned ssa_alloc;      /* next nir_def.index */
    unsigned num_blocks;     /* with nir_metadata_block_index */
    nir_metadata valid_metadata;
    struct arena *dominance;             /* arrays of nir_metadata_dominance */
    struct nir_live_ranges *live_ranges; /* nir_metadata_live_defs */

    /* What may be in it, so that a pass which looks for something else need not: insertion adds,
     * nir_opt_dce makes them exact. */
    unsigned instr_types;          /* 1 << nir_instr_type */
    nir_variable_mode deref_modes; /* nir_deref_instr.modes */
    bool has_indirect_derefs;      /* an index of an array that is no constant; a hint */
    bool has_copies;               /* mov and vec */
};

NIR_DEFINE_CAST(nir_cf_node_as_block, nir_cf_node, nir_block, cf_node, type, nir_cf_node_block)
NIR_DEFINE_CAST(nir_cf_node_as_if, nir_cf_node, nir_if, cf_node, type, nir_cf_node_if)
NIR_DEFINE_CAST(nir_cf_node_as_loop, nir_cf_node, nir_loop, cf_node, type, nir_cf_node_loop)
NIR_DEFINE_CAST(nir_cf_node_as_function, nir_cf_node, nir_function_impl, cf_node, type,
                nir_cf_node_function)

#define nir_foreach_cf_node(n, list)      list_for_each_entry (nir_cf_node, n, list, node)
#define nir_foreach_cf_node_safe(n, list) list_for_each_entry_safe (nir_cf_node, n, list, node)
#define nir_foreach_instr(i, block)       list_for_each_entry (nir_instr, i, &(block)->instr_list, node)
#define nir_foreach_instr_safe(i, block)                                                           \
    list_for_each_entry_safe (nir_instr, i, &(block)->instr_list, node)
#define nir_foreach_instr_reverse_safe(i, block)                                                   \
    list_for_each_entry_rev_safe(nir_instr, i, &(block)->instr_list, node)
/* Blocks in program order, without the end block. _safe: the block itself may be removed or split. */
#define nir_foreach_block(b, impl)                                                                 \
    for (nir_block *b = nir_start_block(impl); b; b = nir_block_cf_tree_next(b))
#define nir_foreach_block_safe(b, impl)                                                            \
    for (nir_block *b = nir_start_block(impl), *b##_next = nir_block_cf_tree_next(b); b;           \
         b = b##_next, b##_next = b ? nir_block_cf_tree_next(b) : NULL)
#define nir_foreach_block_reverse(b, impl)                                                         \
    for (nir_block *b = nir_impl_last_block(impl); b; b = nir_block_cf_tree_prev(b))
#define nir_foreach_function(f, shader)                                                            \
    list_for_each_entry (nir_function, f, &(shader)->functions, node)
#define nir_foreach_function_impl(i, shader)                                                       \
    nir_foreach_function (i##_function, shader)                                                    \
        for (nir_function_impl *i = i##_function->impl; i; i = NULL)

nir_block *nir_start_block(nir_function_impl *impl);
nir_block *nir_impl_last_block(nir_function_impl *impl);
nir_block *
nir_block_cf_tree_next(nir_block *block); /* NULL after the last, and for the end block */
nir_block *nir_block_cf_tree_prev(nir_block *block);
nir_block *nir_if_first_then_block(nir_if *nif);
nir_block *nir_if_last_then_block(nir_if *nif);
nir_block *nir_if_first_else_block(nir_if *nif);
nir_block *nir_if_last_else_block(nir_if *nif);
nir_block *nir_loop_first_block(nir_loop *loop); /* the head */
nir_block *nir_loop_last_block(nir_loop *loop);
nir_cf_node *nir_cf_node_next(nir_cf_node *node); /* NULL at the end of the list */
nir_cf_node *nir_cf_node_prev(nir_cf_node *node);
nir_if *nir_block_get_following_if(nir_block *block); /* NULL if something else follows */
nir_loop *nir_block_get_following_loop(nir_block *block);
nir_function_impl *nir_cf_node_get_function(nir_cf_node *node);
nir_instr *nir_block_first_instr(nir_block *block); /* NULL if empty */
nir_instr *nir_block_last_instr(nir_block *block);
bool nir_block_ends_in_jump(nir_block *block);
bool nir_block_dominates(const nir_block *parent, const nir_block *child); /* reflexive */

/* --- Cursors: a place in the code. --- */

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
nir_cursor nir_after_block_before_jump(nir_block *block);
nir_cursor nir_after_phis(nir_block *block);
nir_cursor nir_after_instr_and_phis(nir_instr *instr);
nir_cursor nir_before_src(nir_src *src); /* phis: end of the predecessor; ifs: before the if */
nir_cursor nir_before_cf_node(nir_cf_node *node);
nir_cursor nir_after_cf_node(nir_cf_node *node);
nir_cursor nir_before_cf_list(struct list_head *list);
nir_cursor nir_after_cf_list(struct list_head *list);
nir_cursor nir_before_impl(nir_function_impl *impl);
nir_cursor nir_after_impl(nir_function_impl *impl);
nir_block *nir_cursor_current_block(nir_cursor cursor);
bool nir_cursors_equal(nir_cursor a, nir_cursor b);

/* Inserting keeps uses, CFG (jumps) and phis of abandoned successors right; removing unlinks the
 * sources. A removed instruction may be inserted again. */
void nir_instr_insert(nir_cursor cursor, nir_instr *instr);
void nir_instr_remove(nir_instr *instr);
/* Moves it; true if that changed its place. */
bool nir_instr_move(nir_cursor cursor, nir_instr *instr);

nir_if *nir_if_create(nir_shader *shader);     /* condition unset, both lists one empty block */
nir_loop *nir_loop_create(nir_shader *shader); /* body one empty block */
/* Inserts an if or loop (which is not in any list), splitting the block at the cursor. */
void nir_cf_node_insert(nir_cursor cursor, nir_cf_node *node);
/* Removes an if or loop with all it contains; the blocks around become one. */
void nir_cf_node_remove(nir_cf_node *node);

/* A piece of control flow taken out of a function, or copied. */
typedef struct {
    struct list_head list; /* nir_cf_node.node */
    nir_function_impl *impl;
} nir_cf_list;
/* [begin, end) in one list; the blocks at the ends are split as needed. */
void nir_cf_extract(nir_cf_list *extracted, nir_cursor begin, nir_cursor end);
nir_cursor nir_cf_reinsert(nir_cf_list *list, nir_cursor cursor); /* returns the cursor behind it */
void nir_cf_delete(nir_cf_list *list);
struct hash_table;
/* A copy, not inserted, of anything but a phi or jump; remap: old nir_def * → new, in and out. */
nir_instr *nir_instr_clone(nir_shader *shader, const nir_instr *instr, struct hash_table *remap);
/* Copies list for insertion under parent; remap (may be NULL): old nir_def * → new, in and out. */
void nir_cf_list_clone(nir_cf_list *dst, nir_cf_list *src, nir_cf_node *parent,
                       struct hash_table *remap);
/* The block ends in a jump now, or does no longer: finds its successors anew, with their phis'
 * sources. nir_instr_insert and nir_instr_remove do it. */
void nir_handle_jump_change(nir_block *block);

/* --------------------------------------------------------------------------- metadata --- */

/* Computes what is not valid yet. */
void nir_metadata_require(nir_function_impl *impl, nir_metadata required);
/* Says what a pass that made progress has kept. */
void nir_metadata_preserve(nir_function_impl *impl, nir_metadata preserved);
/* The usual end of a pass over an impl: progress ? preserve(kept) : preserve(all); returns progress */
bool nir_progress(bool progress, nir_function_impl *impl, nir_metadata kept);

void nir_index_blocks(nir_function_impl *impl);
void nir_index_ssa_defs(nir_function_impl *impl);
void nir_index_instrs(nir_function_impl *impl);
void nir_calc_dominance(nir_function_impl *impl);
nir_block *nir_dominance_lca(nir_block *a, nir_block *b);
/* What nir_metadata_live_defs is: of each value, where it is live, found when it is asked for. The
 * questions need it, and the code as it was when it was required. */
void nir_live_defs(nir_function_impl *impl);
struct nir_live_range {
    unsigned first, end; /* live behind instructions and starts of blocks with these numbers, up to
                          * and without `end`; numbers as nir_metadata_instr_index gives them */
};
/* In order, with gaps between them. Behind its definition def is live though nobody reads it. */
const struct nir_live_range *nir_live_ranges_of(nir_def *def, unsigned *count);
/* Fills nir_def.divergent and nir_loop.divergent; which sources are divergent follows the
 * intrinsic table. Keeps them until the next change of code. */
void nir_divergence_analysis(nir_shader *shader);
/* After nir_divergence_analysis: whether the sources that must be uniform (nir_intrinsics.py) are.
 * If not, logs the first instruction that breaks the rule. */
bool nir_sources_are_uniform(nir_shader *shader);

/* ------------------------------------------------------------------------------- shaders --- */

/* Sees every pass that NIR_PASS runs on shaders with options that name it, nested ones too. Tools
 * count, time and check with it. */
struct nir_pass_observer {
    void (*begin)(void *data, nir_shader *shader, const char *pass);
    void (*end)(void *data, nir_shader *shader, const char *pass, bool progress);
    void *data;
};

/* What a driver wants of the common passes, per stage. False: leave it as it is. */
typedef struct nir_shader_compiler_options {
    bool
        lower_fdiv; /* a / b → a * rcp(b), not of doubles; never for drivers that promise exact division */
    bool lower_flrp;
    bool lower_fsat; /* fmin, fmax */
    bool lower_fmod;
    bool lower_ldexp, lower_frexp;
    bool lower_bitfield_insert, lower_bitfield_extract;
    bool lower_idiv;
    bool lower_to_scalar; /* ALU and phis one component each */
    bool vertex_id_zero_based;
    unsigned max_unroll_iterations;
    const struct nir_pass_observer *observer; /* or NULL */
} nir_shader_compiler_options;

/* GLSL 4.60 §4.4.1.1 */
enum nir_tess_primitive {
    nir_tess_primitive_none, /* not said */
    nir_tess_primitive_triangles,
    nir_tess_primitive_quads,
    nir_tess_primitive_isolines,
};
enum nir_tess_spacing {
    nir_tess_spacing_none, /* not said: equal */
    nir_tess_spacing_equal,
    nir_tess_spacing_fractional_odd,
    nir_tess_spacing_fractional_even,
};

/* Booleans are bits: every byte that is read from a blob is a value. */
typedef struct nir_shader_info {
    enum shader_stage stage;
    char *name;               /* for people: "GLSL3", "fixed-function vs" */
    uint64_t inputs_read;     /* bit of vert_attrib or varying_slot (< 64) */
    uint64_t outputs_written; /* varying_slot or frag_result */
    uint64_t outputs_read;
    uint32_t patch_inputs_read, patch_outputs_written;
    BITSET_DECLARE(system_values_read, SYSTEM_VALUE_COUNT);
    unsigned num_textures, num_ubos, num_ssbos, num_images, num_abos;
    uint32_t textures_used;     /* by index; sampler slots of the stage */
    unsigned num_uniform_bytes; /* size of the default block */
    bool writes_memory : 1, uses_texture_gather : 1;
    bool uses_subgroups : 1; /* results depend on which invocations a subgroup has */
    uint8_t clip_distance_array_size, cull_distance_array_size;
    bool has_transform_feedback_varyings : 1;
    union {
        struct {
            bool uses_discard : 1, uses_derivatives : 1, uses_sample_shading : 1,
                early_fragment_tests : 1;
            bool uses_demote : 1, origin_upper_left : 1, pixel_center_integer : 1,
                color_is_dual_source : 1;
            bool post_depth_coverage : 1; /* sample_mask_in: those that passed early tests */
            uint8_t depth_layout;         /* enum nir_depth_layout */
            uint16_t blend_support; /* bits of enum nir_advanced_blend: what blends its output */
        } fs;
        struct {
            uint16_t vertices_out, invocations, vertices_in;
            uint8_t input_primitive, output_primitive; /* enum drv_primitive */
            uint8_t active_stream_mask;
            bool uses_end_primitive : 1;
        } gs;
        struct {
            uint8_t vertices_out;   /* of a patch that the control shader writes */
            uint8_t primitive_mode; /* enum nir_tess_primitive */
            uint8_t spacing;        /* enum nir_tess_spacing */
            bool ccw : 1, point_mode : 1;
        } tess;
        struct {
            uint16_t workgroup_size[3];
            bool workgroup_size_variable : 1;
            unsigned shared_size;
        } cs;
    };
} nir_shader_info;

enum nir_depth_layout {
    nir_depth_layout_none,
    nir_depth_layout_any,
    nir_depth_layout_greater,
    nir_depth_layout_less,
    nir_depth_layout_unchanged,
};

struct nir_shader {
    const nir_shader_compiler_options *options; /* not owned */
    nir_shader_info info;
    struct list_head variables; /* all but function temporaries */
    struct list_head functions;
    struct arena
        *nodes; /* blocks and ifs, so that those who look only at them find them together */
    struct arena *instrs;   /* instructions and phi sources */
    struct arena *accesses; /* derefs and what loads, stores and copies through them: most of it is
                               * removed early, and would leave holes between the others */
    unsigned num_uniforms;  /* bytes of the default block */
    unsigned scratch_size;  /* bytes per invocation */
    void *constant_data;    /* load_constant reads it */
    unsigned constant_data_size;
};

nir_shader *nir_shader_create(void *mem_ctx, enum shader_stage stage,
                              const nir_shader_compiler_options *options);
nir_shader *nir_shader_clone(void *mem_ctx, const nir_shader *shader);
void nir_shader_destroy(nir_shader *shader); /* talloc_free; NULL is fine */
/* Frees what removed instructions left behind; pointers into the shader become invalid. */
void nir_sweep(nir_shader *shader);
nir_function *nir_function_create(nir_shader *shader, const char *name);
nir_function_impl *nir_function_impl_create(nir_function *function);
nir_function_impl *nir_shader_get_entrypoint(const nir_shader *shader);
nir_variable *nir_variable_clone(const nir_variable *var, nir_shader *shader);

void nir_print_shader(const nir_shader *shader, FILE *fp);
void nir_print_instr(const nir_instr *instr, FILE *fp);
char *nir_shader_as_str(void *mem_ctx, const nir_shader *shader);
/* Aborts with the instruction and the rule, after printing the shader. when: the pass's name. */
void nir_validate_shader(nir_shader *shader, const char *when);
/* Whether passes are followed by validation: debug builds, or INDIUM_DEBUG=validate. */
bool nir_should_validate(void);

/* Stable bytes for cache keys and caches; deserialization of damaged bytes gives NULL. */
struct blob_bytes {
    uint8_t *data;
    size_t size;
};
struct blob_bytes nir_serialize(void *mem_ctx, const nir_shader *shader);
nir_shader *nir_deserialize(void *mem_ctx, const nir_shader_compiler_options *options,
                            const void *data, size_t size);

/* Evaluates op on constants of bit_size; dest: num_components values. */
void nir_eval_const_opcode(nir_op op, nir_const_value *dest, unsigned num_components,
                           unsigned bit_size, nir_const_value **src);

/* Around every pass: tells the observer of the shader's options, validates if wanted. */
void nir_pass_begin(nir_shader *shader, const char *pass);
bool nir_pass_end(nir_shader *shader, const char *pass, bool progress); /* returns progress */

/* progress |= pass; then validates. Use NIR_PASS(progress, shader, nir_opt_dce). */
#define NIR_PASS(progress, shader, pass, ...)                                                      \
    do {                                                                                           \
        nir_pass_begin(shader, #pass);                                                             \
        if (nir_pass_end(shader, #pass, pass(shader, ##__VA_ARGS__)))                              \
            progress = true;                                                                       \
    } while (0)
#define NIR_PASS_V(shader, pass, ...)                                                              \
    do {                                                                                           \
        nir_pass_begin(shader, #pass);                                                             \
        nir_pass_end(shader, #pass, pass(shader, ##__VA_ARGS__));                                  \
    } while (0)

/* --- Skeletons of passes --- */
typedef bool (*nir_instr_pass_cb)(nir_builder *b, nir_instr *instr, void *data);
typedef bool (*nir_intrinsic_pass_cb)(nir_builder *b, nir_intrinsic_instr *intr, void *data);
typedef bool (*nir_alu_pass_cb)(nir_builder *b, nir_alu_instr *alu, void *data);
typedef bool (*nir_tex_pass_cb)(nir_builder *b, nir_tex_instr *tex, void *data);
typedef bool (*nir_if_pass_cb)(nir_builder *b, nir_if *nif, void *data);
/* Calls cb on every instruction (that was there), which may insert around and remove it; the
 * cursor is unset. preserved: what holds on progress. */
bool nir_shader_instructions_pass(nir_shader *shader, nir_instr_pass_cb cb, nir_metadata preserved,
                                  void *data);
bool nir_shader_intrinsics_pass(nir_shader *shader, nir_intrinsic_pass_cb cb,
                                nir_metadata preserved, void *data);
bool nir_shader_alu_pass(nir_shader *shader, nir_alu_pass_cb cb, nir_metadata preserved,
                         void *data);
bool nir_shader_tex_pass(nir_shader *shader, nir_tex_pass_cb cb, nir_metadata preserved,
                         void *data);

/* Calls cb on every if, inner ones first. What it moves behind the if comes next; the if itself must
 * stay. */
bool nir_shader_ifs_pass(nir_shader *shader, nir_if_pass_cb cb, nir_metadata preserved, void *data);

#include "nir_intrinsics_indices.h" /* generated accessors */
#include "nir_passes.h"

#endif
