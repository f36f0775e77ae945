/* SPDX-License-Identifier: MIT */
/*
 * Types of shader variables, shared by the GLSL compiler (HIR) and NIR (variables and derefs).
 *
 * Types are immutable. Built-in types (scalars, vectors, matrices, samplers, images and others) are
 * static; equal ones have equal pointers. Arrays, structs, interface blocks, subroutine types and
 * matrices with an explicit layout are allocated in a talloc context of the caller, which must live
 * as long as the type is used. Compare types with glsl_type_equal.
 */
#ifndef GLSL_TYPES_H
#define GLSL_TYPES_H

#include "util/macros.h"

/* Kinds of types; for scalars, vectors and matrices, the type of a component. */
enum glsl_base_type {
    GLSL_TYPE_UINT,
    GLSL_TYPE_INT,
    GLSL_TYPE_FLOAT,
    GLSL_TYPE_FLOAT16,
    GLSL_TYPE_DOUBLE,
    GLSL_TYPE_UINT64,
    GLSL_TYPE_INT64,
    GLSL_TYPE_BOOL,
    GLSL_TYPE_SAMPLER,
    GLSL_TYPE_IMAGE,
    GLSL_TYPE_ATOMIC_UINT,
    GLSL_TYPE_STRUCT,
    GLSL_TYPE_INTERFACE,
    GLSL_TYPE_ARRAY,
    GLSL_TYPE_SUBROUTINE,
    GLSL_TYPE_VOID,
    GLSL_TYPE_ERROR, /* type of an erroneous expression or declaration */
};

/* Texture target of a sampler or image, without array. */
enum glsl_sampler_dim {
    GLSL_SAMPLER_DIM_1D,
    GLSL_SAMPLER_DIM_2D,
    GLSL_SAMPLER_DIM_3D,
    GLSL_SAMPLER_DIM_CUBE,
    GLSL_SAMPLER_DIM_RECT,
    GLSL_SAMPLER_DIM_BUF,
    GLSL_SAMPLER_DIM_MS,
    GLSL_SAMPLER_DIM_EXTERNAL, /* GL_OES_EGL_image_external */
};

/* Memory layout of a block (GLSL 4.60 §4.4.5). */
enum glsl_interface_packing {
    GLSL_PACKING_NONE, /* built-in blocks, and blocks of SPIR-V, whose layout is explicit */
    GLSL_PACKING_STD140,
    GLSL_PACKING_STD430,
    GLSL_PACKING_SHARED,
    GLSL_PACKING_PACKED,
};

/* Returns true if blocks of this packing use the std140 layout, which aligns arrays, structs and
 * matrix columns to 16 bytes; all others use std430. GL 4.6 §7.6.2.2 leaves the layout of shared
 * and packed blocks to the implementation. */
static inline bool glsl_packing_is_std140(enum glsl_interface_packing packing)
{
    return packing == GLSL_PACKING_STD140 || packing == GLSL_PACKING_NONE;
}

/* Precision qualifiers (ESSL 3.20 §4.7). */
enum glsl_precision {
    GLSL_PRECISION_NONE,
    GLSL_PRECISION_LOW,
    GLSL_PRECISION_MEDIUM,
    GLSL_PRECISION_HIGH
};

struct glsl_type;

/* A field of a struct or interface block. Booleans are bit fields: unlike a bool, they have no
 * invalid values if a serialized shader is malformed. */
struct glsl_struct_field {
    const struct glsl_type *type;
    const char *name;
    int location;             /* layout(location), -1: none */
    int component;            /* layout(component), -1: none */
    int offset;               /* bytes in a block with a known layout; -1: not laid out */
    unsigned align;           /* layout(align) in bytes, a power of two; 0: none */
    bool explicit_offset : 1; /* offset comes from layout(offset) */
    /* Which of the xfb_ fields below come from layout(xfb_*), GLSL 4.60 §4.4.2. */
    bool explicit_xfb_buffer : 1, explicit_xfb_offset : 1, explicit_xfb_stride : 1;
    uint8_t xfb_buffer;
    uint8_t stream;                  /* vertex stream of a geometry shader output */
    unsigned xfb_offset, xfb_stride; /* bytes */
    uint8_t interpolation;           /* enum glsl_interp_mode */
    uint8_t precision;               /* enum glsl_precision */
    uint8_t matrix_layout;           /* 0: inherited, 1: column major, 2: row major */
    /* row_major: true if matrix_layout is 2 */
    bool centroid : 1, sample : 1, patch : 1, row_major : 1;
    bool readonly : 1, writeonly : 1, coherent : 1, is_volatile : 1, restrict_flag : 1;
};

/* A type. Fields that don't apply to it are 0. */
struct glsl_type {
    uint8_t base_type; /* enum glsl_base_type */
    /* Components of a vector or rows of a matrix, 1 to 4; 1 for subroutine types, else 0. */
    uint8_t vector_elements;
    /* Columns of a matrix, 2 to 4; 1 for scalars, vectors and subroutine types, else 0. */
    uint8_t matrix_columns;
    uint8_t sampler_dim; /* enum glsl_sampler_dim of samplers and images */
    /* Samplers and images: base type of a texel, GLSL_TYPE_FLOAT, INT or UINT. */
    uint8_t sampled_type;
    bool sampler_shadow, sampler_array;
    /* Matrices with an explicit stride: their layout. Interface blocks: the default layout of their
     * matrices. */
    bool row_major;
    uint8_t packing; /* enum glsl_interface_packing of interface blocks */
    unsigned length; /* elements of an array (0: unsized), or fields of a struct or block */
    unsigned explicit_stride; /* bytes between elements, columns or rows; 0: not laid out */
    const char *name;         /* in GLSL syntax: "vec4", "S", "float[3]" */
    union {
        const struct glsl_type *element;        /* arrays */
        const struct glsl_struct_field *fields; /* structs, blocks */
    };
};

/* --- Built-in types, which are static, and subroutine types, which are allocated. --- */
const struct glsl_type *glsl_void_type(void);
const struct glsl_type *glsl_error_type(void);
/* Returns the scalar, vector or matrix type of a numeric or boolean base type. Returns NULL if
 * there is none, such as a matrix of int. */
const struct glsl_type *glsl_simple_type(enum glsl_base_type base, unsigned rows, unsigned columns);
/* Return the sampler or image type with these properties, or NULL if GLSL has no such type.
 * sampled: GLSL_TYPE_FLOAT, INT or UINT. */
const struct glsl_type *glsl_sampler_type(enum glsl_sampler_dim dim, bool shadow, bool array,
                                          enum glsl_base_type sampled);
const struct glsl_type *glsl_image_type(enum glsl_sampler_dim dim, bool array,
                                        enum glsl_base_type sampled);
const struct glsl_type *glsl_atomic_uint_type(void);
const struct glsl_type *glsl_ivec2_array4_type(void); /* parameter of textureGatherOffsets */
/* Creates a subroutine type in mem_ctx. Returns NULL if out of memory. */
const struct glsl_type *glsl_subroutine_type(void *mem_ctx, const char *name);
/* Returns the built-in type with that keyword ("mat3x2", "isampler2DArray"), or NULL. */
const struct glsl_type *glsl_type_by_name(const char *name);

/* Returns the type of a float (n = 1) or of a vector of n floats. */
static inline const struct glsl_type *glsl_vec_type(unsigned n)
{
    return glsl_simple_type(GLSL_TYPE_FLOAT, n, 1);
}
static inline const struct glsl_type *glsl_float_type(void)
{
    return glsl_vec_type(1);
}
static inline const struct glsl_type *glsl_vec4_type(void)
{
    return glsl_vec_type(4);
}
static inline const struct glsl_type *glsl_int_type(void)
{
    return glsl_simple_type(GLSL_TYPE_INT, 1, 1);
}
static inline const struct glsl_type *glsl_uint_type(void)
{
    return glsl_simple_type(GLSL_TYPE_UINT, 1, 1);
}
static inline const struct glsl_type *glsl_bool_type(void)
{
    return glsl_simple_type(GLSL_TYPE_BOOL, 1, 1);
}

/* --- Constructed types, allocated in mem_ctx. Fields and names are copied; field and element types
 * are referenced. The functions return NULL if out of memory. The last three, which replace types,
 * must run within an attempt (util/memory.h); they return `type` itself if it contains none of the
 * types to replace. --- */
/* length: number of elements, 0: unsized. explicit_stride: bytes between elements, 0: not laid
 * out. */
const struct glsl_type *glsl_array_type(void *mem_ctx, const struct glsl_type *element,
                                        unsigned length, unsigned explicit_stride);
/* fields has `count` elements. row_major: default layout of the matrices of the block. */
const struct glsl_type *glsl_struct_type(void *mem_ctx, const struct glsl_struct_field *fields,
                                         unsigned count, const char *name);
const struct glsl_type *glsl_interface_type(void *mem_ctx, const struct glsl_struct_field *fields,
                                            unsigned count, enum glsl_interface_packing packing,
                                            bool row_major, const char *name);
/* Returns a matrix type with an explicit layout. stride: bytes from one column to the next, or from
 * one row to the next if row_major. */
const struct glsl_type *glsl_explicit_matrix_type(void *mem_ctx, const struct glsl_type *type,
                                                  unsigned stride, bool row_major);
/* Returns the type with a std140 (if std140 is true) or std430 layout: fields get offsets, arrays
 * and matrices get strides. A field of an interface block that already has an offset
 * (layout(offset)) is placed there, or after the previous field if that ends later. layout(align)
 * raises a field's alignment. row_major: default matrix layout. */
const struct glsl_type *glsl_explicit_type(void *mem_ctx, const struct glsl_type *type,
                                           bool row_major, bool std140);
/* Returns a deep copy of the type in mem_ctx. Static types in it are not copied. */
const struct glsl_type *glsl_type_clone(void *mem_ctx, const struct glsl_type *type);
/* Returns the type with booleans and subroutines replaced by uints, which represent them in uniform
 * and buffer memory. */
const struct glsl_type *glsl_type_bools_to_uints(void *mem_ctx, const struct glsl_type *type);
/* Returns the type with float16_t and its vectors and matrices replaced by those of float. */
const struct glsl_type *glsl_type_halves_to_floats(void *mem_ctx, const struct glsl_type *type);
/* Returns the type with samplers and images replaced by uint64_t, the type of their handles
 * (ARB_bindless_texture). */
const struct glsl_type *glsl_type_with_handles(void *mem_ctx, const struct glsl_type *type);

/* --- Queries. Numbers and sizes that exceed 32 bits become UINT32_MAX. --- */
/* Returns true if the types have the same structure, names and layout. Precision, streams, memory
 * qualifiers and the transform feedback layout of fields may differ. */
bool glsl_type_equal(const struct glsl_type *a, const struct glsl_type *b);

static inline bool glsl_type_is_array(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_ARRAY;
}
static inline bool glsl_type_is_unsized_array(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_ARRAY && t->length == 0;
}
static inline bool glsl_type_is_struct(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_STRUCT;
}
static inline bool glsl_type_is_interface(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_INTERFACE;
}
static inline bool glsl_type_is_struct_or_ifc(const struct glsl_type *t)
{
    return glsl_type_is_struct(t) || glsl_type_is_interface(t);
}
static inline bool glsl_type_is_sampler(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_SAMPLER;
}
static inline bool glsl_type_is_image(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_IMAGE;
}
static inline bool glsl_type_is_error(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_ERROR;
}
static inline bool glsl_type_is_void(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_VOID;
}
/* Returns true for scalars, vectors and matrices of integers or floats of any size. */
static inline bool glsl_type_is_numeric(const struct glsl_type *t)
{
    return t->base_type <= GLSL_TYPE_INT64;
}
static inline bool glsl_type_is_boolean(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_BOOL;
}
/* Returns true for integer scalars and vectors, of 32 or 64 bits. */
static inline bool glsl_type_is_integer(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_INT || t->base_type == GLSL_TYPE_UINT ||
           t->base_type == GLSL_TYPE_INT64 || t->base_type == GLSL_TYPE_UINT64;
}
static inline bool glsl_type_is_matrix(const struct glsl_type *t)
{
    return t->matrix_columns > 1;
}
static inline bool glsl_type_is_vector(const struct glsl_type *t)
{
    return t->vector_elements > 1 && t->matrix_columns == 1 && t->base_type <= GLSL_TYPE_BOOL;
}
static inline bool glsl_type_is_scalar(const struct glsl_type *t)
{
    return t->vector_elements == 1 && t->matrix_columns == 1 && t->base_type <= GLSL_TYPE_BOOL;
}
static inline bool glsl_type_is_vector_or_scalar(const struct glsl_type *t)
{
    return t->vector_elements >= 1 && t->matrix_columns == 1 && t->base_type <= GLSL_TYPE_BOOL;
}
/* Return whether a scalar, vector or matrix has components of 64 bits, or of 16 bits. False for
 * other types. */
static inline bool glsl_type_is_64bit(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_DOUBLE || t->base_type == GLSL_TYPE_INT64 ||
           t->base_type == GLSL_TYPE_UINT64;
}

static inline bool glsl_type_is_16bit(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_FLOAT16;
}

/* Returns the innermost element type of an array of arrays, or t if t is not an array. */
const struct glsl_type *glsl_without_array(const struct glsl_type *t);
/* Returns the scalar type with the base type of a vector or matrix; other types are returned
 * unchanged. */
const struct glsl_type *glsl_scalar_of(const struct glsl_type *t);
/* Returns the column type of a matrix, the element type of an array or the scalar type of a
 * vector; the error type for all others. */
const struct glsl_type *glsl_element_of(const struct glsl_type *t);
/* Returns the total number of elements of an array of arrays; 1 if t is not an array. */
unsigned glsl_aoa_size(const struct glsl_type *t);
/* Returns the array length, the number of matrix columns or the number of vector components; 0 for
 * all other types. */
unsigned glsl_length_of(const struct glsl_type *t);
int glsl_field_index(const struct glsl_type *t, const char *name); /* returns -1 if there is none */
/* Returns true if t, or any element or field in it, has the base type. */
bool glsl_type_contains(const struct glsl_type *t, enum glsl_base_type base);
/* Returns the bit size of a component in NIR: 1 for booleans, otherwise 16, 32 or 64. */
unsigned glsl_bit_size(const struct glsl_type *t);
/* Returns the number of scalars in the type: a mat3 has 9, a double counts as one, opaque types
 * don't count. */
unsigned glsl_component_count(const struct glsl_type *t);
/* Returns the size in bytes of the largest scalar in the type in a std140 or std430 block: 2, 4 or
 * 8. Opaque types, unlike in glsl_std140_size(), count as 4. */
unsigned glsl_largest_scalar(const struct glsl_type *t);
/* Returns the number of vec4 slots that an input or output of the type uses (GLSL 4.60 §4.4.1). A
 * vector uses 1, or 2 for a dvec3 or dvec4 that is not a vertex input. Matrices use as many as
 * their column vectors, arrays and structs as many as their elements or fields. Samplers, images
 * and subroutines use 1. */
unsigned glsl_count_attribute_slots(const struct glsl_type *t, bool is_vertex_input);
/* Returns how many values of a base type the type contains, counting all array elements and fields.
 * Vectors and matrices count as one. */
unsigned glsl_count_of_base(const struct glsl_type *t, enum glsl_base_type base);

/* Size and alignment in the packed layout, which the default uniform block uses. Each scalar takes
 * 4 bytes, booleans and half floats included, or 8 bytes if it has 64 bits. Values of 64 bits are
 * aligned to 8 bytes; there is no other padding. Opaque types take no space. */
unsigned glsl_packed_size(const struct glsl_type *t);  /* in bytes */
unsigned glsl_packed_align(const struct glsl_type *t); /* in bytes: 4 or 8 */
/* Return the base alignment and the size in bytes, GL 4.6 §7.6.2.2. Opaque types have the size and
 * alignment of a bindless handle, 8. row_major: default layout of the matrices in t. */
unsigned glsl_std140_align(const struct glsl_type *t, bool row_major);
unsigned glsl_std140_size(const struct glsl_type *t, bool row_major);
unsigned glsl_std430_align(const struct glsl_type *t, bool row_major);
unsigned glsl_std430_size(const struct glsl_type *t, bool row_major);

#endif
