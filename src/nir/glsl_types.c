/* SPDX-License-Identifier: MIT */
/*
 * The built-in types are static tables indexed by their properties. Lookup by name walks the
 * tables; only the set-up of the compiler does it. Sizes saturate at UINT32_MAX, because a shader
 * may declare arrays too large for any memory; the limit checks reject these.
 */
#include "nir/glsl_types.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

/* ------------------------------------------------------------------------- built-in types --- */

static const struct glsl_type void_type = {.base_type = GLSL_TYPE_VOID, .name = "void"};
static const struct glsl_type error_type = {.base_type = GLSL_TYPE_ERROR, .name = "<error>"};
static const struct glsl_type atomic_uint_type = {.base_type = GLSL_TYPE_ATOMIC_UINT,
                                                  .name = "atomic_uint"};

#define NUMERIC(base, rows, columns, text)                                                         \
    {.base_type = (base), .vector_elements = (rows), .matrix_columns = (columns), .name = (text)}
#define VECTORS(base, scalar, vec)                                                                 \
    {NUMERIC(base, 1, 1, scalar), NUMERIC(base, 2, 1, vec "2"), NUMERIC(base, 3, 1, vec "3"),      \
     NUMERIC(base, 4, 1, vec "4")}
/* The types with `columns` columns and 2 to 4 rows. */
#define MATRICES(base, prefix, columns, n2, n3, n4)                                                \
    {NUMERIC(base, 2, columns, prefix n2), NUMERIC(base, 3, columns, prefix n3),                   \
     NUMERIC(base, 4, columns, prefix n4)}

static const struct glsl_type vector_types[][4] = {
    [GLSL_TYPE_UINT] = VECTORS(GLSL_TYPE_UINT, "uint", "uvec"),
    [GLSL_TYPE_INT] = VECTORS(GLSL_TYPE_INT, "int", "ivec"),
    [GLSL_TYPE_FLOAT] = VECTORS(GLSL_TYPE_FLOAT, "float", "vec"),
    [GLSL_TYPE_FLOAT16] = VECTORS(GLSL_TYPE_FLOAT16, "float16_t", "f16vec"),
    [GLSL_TYPE_DOUBLE] = VECTORS(GLSL_TYPE_DOUBLE, "double", "dvec"),
    [GLSL_TYPE_UINT64] = VECTORS(GLSL_TYPE_UINT64, "uint64_t", "u64vec"),
    [GLSL_TYPE_INT64] = VECTORS(GLSL_TYPE_INT64, "int64_t", "i64vec"),
    [GLSL_TYPE_BOOL] = VECTORS(GLSL_TYPE_BOOL, "bool", "bvec"),
};

static const struct glsl_type ivec2_array4_type = {.base_type = GLSL_TYPE_ARRAY,
                                                   .length = 4,
                                                   .name = "ivec2[4]",
                                                   .element = &vector_types[GLSL_TYPE_INT][1]};

static const struct glsl_type matrix_types[3][3][3] = {
    {
        MATRICES(GLSL_TYPE_FLOAT, "mat", 2, "2", "2x3", "2x4"),
        MATRICES(GLSL_TYPE_FLOAT, "mat", 3, "3x2", "3", "3x4"),
        MATRICES(GLSL_TYPE_FLOAT, "mat", 4, "4x2", "4x3", "4"),
    },
    {
        MATRICES(GLSL_TYPE_DOUBLE, "dmat", 2, "2", "2x3", "2x4"),
        MATRICES(GLSL_TYPE_DOUBLE, "dmat", 3, "3x2", "3", "3x4"),
        MATRICES(GLSL_TYPE_DOUBLE, "dmat", 4, "4x2", "4x3", "4"),
    },
    {
        MATRICES(GLSL_TYPE_FLOAT16, "f16mat", 2, "2", "2x3", "2x4"),
        MATRICES(GLSL_TYPE_FLOAT16, "f16mat", 3, "3x2", "3", "3x4"),
        MATRICES(GLSL_TYPE_FLOAT16, "f16mat", 4, "4x2", "4x3", "4"),
    },
};

#define SAMPLER(dim, sampled, shadow, array, text)                                                 \
    {.base_type = GLSL_TYPE_SAMPLER,                                                               \
     .sampler_dim = GLSL_SAMPLER_DIM_##dim,                                                        \
     .sampled_type = GLSL_TYPE_##sampled,                                                          \
     .sampler_shadow = (shadow),                                                                   \
     .sampler_array = (array),                                                                     \
     .name = (text)}
#define IMAGE(dim, sampled, array, text)                                                           \
    {.base_type = GLSL_TYPE_IMAGE,                                                                 \
     .sampler_dim = GLSL_SAMPLER_DIM_##dim,                                                        \
     .sampled_type = GLSL_TYPE_##sampled,                                                          \
     .sampler_array = (array),                                                                     \
     .name = (text)}
/* One type for each texel type: float, int, uint. */
#define SAMPLERS(dim, array, text)                                                                 \
    SAMPLER(dim, FLOAT, false, array, "sampler" text),                                             \
        SAMPLER(dim, INT, false, array, "isampler" text),                                          \
        SAMPLER(dim, UINT, false, array, "usampler" text)
#define IMAGES(dim, array, text)                                                                   \
    IMAGE(dim, FLOAT, array, "image" text), IMAGE(dim, INT, array, "iimage" text),                 \
        IMAGE(dim, UINT, array, "uimage" text)

static const struct glsl_type opaque_types[] = {
    SAMPLERS(1D, false, "1D"),
    SAMPLERS(2D, false, "2D"),
    SAMPLERS(3D, false, "3D"),
    SAMPLERS(CUBE, false, "Cube"),
    SAMPLERS(RECT, false, "2DRect"),
    SAMPLERS(BUF, false, "Buffer"),
    SAMPLERS(MS, false, "2DMS"),
    SAMPLERS(1D, true, "1DArray"),
    SAMPLERS(2D, true, "2DArray"),
    SAMPLERS(CUBE, true, "CubeArray"),
    SAMPLERS(MS, true, "2DMSArray"),
    SAMPLER(1D, FLOAT, true, false, "sampler1DShadow"),
    SAMPLER(2D, FLOAT, true, false, "sampler2DShadow"),
    SAMPLER(CUBE, FLOAT, true, false, "samplerCubeShadow"),
    SAMPLER(RECT, FLOAT, true, false, "sampler2DRectShadow"),
    SAMPLER(1D, FLOAT, true, true, "sampler1DArrayShadow"),
    SAMPLER(2D, FLOAT, true, true, "sampler2DArrayShadow"),
    SAMPLER(CUBE, FLOAT, true, true, "samplerCubeArrayShadow"),
    SAMPLER(EXTERNAL, FLOAT, false, false, "samplerExternalOES"),
    IMAGES(1D, false, "1D"),
    IMAGES(2D, false, "2D"),
    IMAGES(3D, false, "3D"),
    IMAGES(CUBE, false, "Cube"),
    IMAGES(RECT, false, "2DRect"),
    IMAGES(BUF, false, "Buffer"),
    IMAGES(MS, false, "2DMS"),
    IMAGES(1D, true, "1DArray"),
    IMAGES(2D, true, "2DArray"),
    IMAGES(CUBE, true, "CubeArray"),
    IMAGES(MS, true, "2DMSArray"),
};

const struct glsl_type *glsl_void_type(void)
{
    return &void_type;
}

const struct glsl_type *glsl_error_type(void)
{
    return &error_type;
}

const struct glsl_type *glsl_atomic_uint_type(void)
{
    return &atomic_uint_type;
}

const struct glsl_type *glsl_ivec2_array4_type(void)
{
    return &ivec2_array4_type;
}

const struct glsl_type *glsl_simple_type(enum glsl_base_type base, unsigned rows, unsigned columns)
{
    if (base > GLSL_TYPE_BOOL || rows < 1 || rows > 4 || columns < 1 || columns > 4)
        return NULL;
    if (columns == 1)
        return &vector_types[base][rows - 1];
    if (rows == 1 ||
        (base != GLSL_TYPE_FLOAT && base != GLSL_TYPE_DOUBLE && base != GLSL_TYPE_FLOAT16))
        return NULL;
    unsigned kind = base == GLSL_TYPE_FLOAT ? 0 : base == GLSL_TYPE_DOUBLE ? 1 : 2;
    return &matrix_types[kind][columns - 2][rows - 2];
}

static const struct glsl_type *find_opaque(enum glsl_base_type kind, enum glsl_sampler_dim dim,
                                           bool shadow, bool array, enum glsl_base_type sampled)
{
    for (unsigned i = 0; i < ARRAY_SIZE(opaque_types); i++) {
        const struct glsl_type *t = &opaque_types[i];
        if (t->base_type == kind && t->sampler_dim == dim && t->sampler_shadow == shadow &&
            t->sampler_array == array && t->sampled_type == sampled)
            return t;
    }
    return NULL;
}

const struct glsl_type *glsl_sampler_type(enum glsl_sampler_dim dim, bool shadow, bool array,
                                          enum glsl_base_type sampled)
{
    return find_opaque(GLSL_TYPE_SAMPLER, dim, shadow, array, sampled);
}

const struct glsl_type *glsl_image_type(enum glsl_sampler_dim dim, bool array,
                                        enum glsl_base_type sampled)
{
    return find_opaque(GLSL_TYPE_IMAGE, dim, false, array, sampled);
}

/* The names "mat2x2", "mat3x3" and "mat4x4" are aliases of the square matrices (GLSL 1.20
 * §4.1.6). */
static const struct glsl_type *square_matrix_by_name(const char *name)
{
    enum glsl_base_type base = name[0] == 'd'             ? GLSL_TYPE_DOUBLE
                               : !strncmp(name, "f16", 3) ? GLSL_TYPE_FLOAT16
                                                          : GLSL_TYPE_FLOAT;
    const char *p = name + (base == GLSL_TYPE_DOUBLE ? 1 : base == GLSL_TYPE_FLOAT16 ? 3 : 0);
    if (strncmp(p, "mat", 3) || p[3] < '2' || p[3] > '4' || p[4] != 'x' || p[5] != p[3] || p[6])
        return NULL;
    unsigned n = p[3] - '0';
    return glsl_simple_type(base, n, n);
}

static const struct glsl_type *find_name(const struct glsl_type *types, unsigned count,
                                         const char *name)
{
    for (unsigned i = 0; i < count; i++) {
        if (!strcmp(types[i].name, name))
            return &types[i];
    }
    return NULL;
}

const struct glsl_type *glsl_type_by_name(const char *name)
{
    if (!strcmp(name, "void"))
        return &void_type;
    if (!strcmp(name, "atomic_uint"))
        return &atomic_uint_type;
    const struct glsl_type *t =
        find_name(&vector_types[0][0], sizeof vector_types / sizeof **vector_types, name);
    if (!t)
        t = find_name(&matrix_types[0][0][0], sizeof matrix_types / sizeof ***matrix_types, name);
    if (!t)
        t = find_name(opaque_types, ARRAY_SIZE(opaque_types), name);
    return t ? t : square_matrix_by_name(name);
}

/* ----------------------------------------------------------------------- constructed types --- */

const struct glsl_type *glsl_subroutine_type(void *mem_ctx, const char *name)
{
    struct glsl_type *t = talloc_zero(mem_ctx, struct glsl_type);
    if (!t)
        return NULL;
    t->base_type = GLSL_TYPE_SUBROUTINE;
    t->vector_elements = t->matrix_columns = 1;
    t->name = talloc_strdup(t, name);
    if (!t->name) {
        talloc_free(t);
        return NULL;
    }
    return t;
}

/* Returns the GLSL name of an array: "S" and 2 give "S[2]"; the element "S[3]" and 2 give
 * "S[2][3]". */
static char *array_name(void *mem_ctx, const struct glsl_type *element, unsigned length)
{
    const char *bracket = strchr(element->name, '[');
    size_t stem = bracket ? (size_t)(bracket - element->name) : strlen(element->name);
    char size[16] = "";
    if (length)
        snprintf(size, sizeof size, "%u", length);
    return talloc_asprintf(mem_ctx, "%.*s[%s]%s", (int)stem, element->name, size,
                           element->name + stem);
}

const struct glsl_type *glsl_array_type(void *mem_ctx, const struct glsl_type *element,
                                        unsigned length, unsigned explicit_stride)
{
    struct glsl_type *t = talloc_zero(mem_ctx, struct glsl_type);
    if (!t)
        return NULL;
    t->base_type = GLSL_TYPE_ARRAY;
    t->length = length;
    t->explicit_stride = explicit_stride;
    t->element = element;
    t->name = array_name(t, element, length);
    if (!t->name) {
        talloc_free(t);
        return NULL;
    }
    return t;
}

static struct glsl_type *record_type(void *mem_ctx, const struct glsl_struct_field *fields,
                                     unsigned count, const char *name)
{
    struct glsl_type *t = talloc_zero(mem_ctx, struct glsl_type);
    if (!t)
        return NULL;
    struct glsl_struct_field *copy = talloc_zero_array(t, struct glsl_struct_field, count + 1);
    t->name = talloc_strdup(t, name ? name : "");
    if (!copy || !t->name)
        goto fail;
    for (unsigned i = 0; i < count; i++) {
        copy[i] = fields[i];
        copy[i].name = talloc_strdup(copy, fields[i].name ? fields[i].name : "");
        if (!copy[i].name)
            goto fail;
    }
    t->length = count;
    t->fields = copy;
    return t;
fail:
    talloc_free(t);
    return NULL;
}

const struct glsl_type *glsl_struct_type(void *mem_ctx, const struct glsl_struct_field *fields,
                                         unsigned count, const char *name)
{
    struct glsl_type *t = record_type(mem_ctx, fields, count, name);
    if (t)
        t->base_type = GLSL_TYPE_STRUCT;
    return t;
}

const struct glsl_type *glsl_interface_type(void *mem_ctx, const struct glsl_struct_field *fields,
                                            unsigned count, enum glsl_interface_packing packing,
                                            bool row_major, const char *name)
{
    struct glsl_type *t = record_type(mem_ctx, fields, count, name);
    if (t) {
        t->base_type = GLSL_TYPE_INTERFACE;
        t->packing = packing;
        t->row_major = row_major;
    }
    return t;
}

static const struct glsl_type *clone_record(void *mem_ctx, const struct glsl_type *type)
{
    struct glsl_struct_field *fields =
        talloc_array(NULL, struct glsl_struct_field, type->length + 1);
    struct glsl_type *t = NULL;
    if (!fields)
        return NULL;
    memcpy(fields, type->fields, type->length * sizeof *fields);
    for (unsigned i = 0; i < type->length; i++) {
        fields[i].type = glsl_type_clone(mem_ctx, fields[i].type);
        if (!fields[i].type)
            goto done;
    }
    t = record_type(mem_ctx, fields, type->length, type->name);
    if (t) {
        t->base_type = type->base_type;
        t->packing = type->packing;
        t->row_major = type->row_major;
    }
done:
    talloc_free(fields);
    return t;
}

const struct glsl_type *glsl_type_clone(void *mem_ctx, const struct glsl_type *type)
{
    switch (type->base_type) {
    case GLSL_TYPE_ARRAY: {
        const struct glsl_type *element = glsl_type_clone(mem_ctx, type->element);
        return element ? glsl_array_type(mem_ctx, element, type->length, type->explicit_stride)
                       : NULL;
    }
    case GLSL_TYPE_STRUCT:
    case GLSL_TYPE_INTERFACE:
        return clone_record(mem_ctx, type);
    case GLSL_TYPE_SUBROUTINE:
        return glsl_subroutine_type(mem_ctx, type->name);
    default:
        if (type->explicit_stride)
            return glsl_explicit_matrix_type(mem_ctx, type, type->explicit_stride, type->row_major);
        return type;
    }
}

const struct glsl_type *glsl_explicit_matrix_type(void *mem_ctx, const struct glsl_type *type,
                                                  unsigned stride, bool row_major)
{
    struct glsl_type *t = talloc_memdup(mem_ctx, type, sizeof *type);
    if (!t)
        return NULL;
    t->explicit_stride = stride;
    t->row_major = row_major;
    return t;
}

/* Returns the type with map() applied to every part that is neither an array nor a struct. */
static const struct glsl_type *map_leaves(void *mem_ctx, const struct glsl_type *t,
                                          const struct glsl_type *(*map)(const struct glsl_type *t))
{
    if (glsl_type_is_array(t))
        return glsl_array_type(mem_ctx, map_leaves(mem_ctx, t->element, map), t->length,
                               t->explicit_stride);
    if (!glsl_type_is_struct_or_ifc(t))
        return map(t);
    struct glsl_struct_field *fields = talloc_array(mem_ctx, struct glsl_struct_field, t->length);
    memcpy(fields, t->fields, t->length * sizeof *fields);
    for (unsigned i = 0; i < t->length; i++)
        fields[i].type = map_leaves(mem_ctx, fields[i].type, map);
    if (glsl_type_is_interface(t))
        return glsl_interface_type(mem_ctx, fields, t->length, t->packing, t->row_major, t->name);
    return glsl_struct_type(mem_ctx, fields, t->length, t->name);
}

static const struct glsl_type *bool_to_uint(const struct glsl_type *t)
{
    if (t->base_type == GLSL_TYPE_BOOL)
        return glsl_simple_type(GLSL_TYPE_UINT, t->vector_elements, 1);
    return t->base_type == GLSL_TYPE_SUBROUTINE ? glsl_uint_type() : t; /* index of a function */
}

const struct glsl_type *glsl_type_bools_to_uints(void *mem_ctx, const struct glsl_type *t)
{
    if (!glsl_type_contains(t, GLSL_TYPE_BOOL) && !glsl_type_contains(t, GLSL_TYPE_SUBROUTINE))
        return t;
    return map_leaves(mem_ctx, t, bool_to_uint);
}

static const struct glsl_type *opaque_to_handle(const struct glsl_type *t)
{
    bool opaque = t->base_type == GLSL_TYPE_SAMPLER || t->base_type == GLSL_TYPE_IMAGE;
    return opaque ? glsl_simple_type(GLSL_TYPE_UINT64, 1, 1) : t;
}

const struct glsl_type *glsl_type_with_handles(void *mem_ctx, const struct glsl_type *t)
{
    if (!glsl_type_contains(t, GLSL_TYPE_SAMPLER) && !glsl_type_contains(t, GLSL_TYPE_IMAGE))
        return t;
    return map_leaves(mem_ctx, t, opaque_to_handle);
}

static const struct glsl_type *half_to_float(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_FLOAT16
               ? glsl_simple_type(GLSL_TYPE_FLOAT, t->vector_elements, t->matrix_columns)
               : t;
}

const struct glsl_type *glsl_type_halves_to_floats(void *mem_ctx, const struct glsl_type *t)
{
    return glsl_type_contains(t, GLSL_TYPE_FLOAT16) ? map_leaves(mem_ctx, t, half_to_float) : t;
}

/* -------------------------------------------------------------------------------- queries --- */

static bool fields_equal(const struct glsl_struct_field *a, const struct glsl_struct_field *b)
{
    return !strcmp(a->name, b->name) && a->location == b->location &&
           a->component == b->component && a->offset == b->offset &&
           a->interpolation == b->interpolation && a->matrix_layout == b->matrix_layout &&
           a->centroid == b->centroid && a->sample == b->sample && a->patch == b->patch &&
           glsl_type_equal(a->type, b->type);
}

bool glsl_type_equal(const struct glsl_type *a, const struct glsl_type *b)
{
    while (a != b) {
        if (a->base_type != b->base_type || a->vector_elements != b->vector_elements ||
            a->matrix_columns != b->matrix_columns || a->length != b->length ||
            a->explicit_stride != b->explicit_stride || a->row_major != b->row_major)
            return false;
        switch (a->base_type) {
        case GLSL_TYPE_ARRAY:
            a = a->element;
            b = b->element;
            continue;
        case GLSL_TYPE_STRUCT:
        case GLSL_TYPE_INTERFACE:
            if (strcmp(a->name, b->name) || a->packing != b->packing)
                return false;
            for (unsigned i = 0; i < a->length; i++) {
                if (!fields_equal(&a->fields[i], &b->fields[i]))
                    return false;
            }
            return true;
        case GLSL_TYPE_SUBROUTINE:
            return !strcmp(a->name, b->name);
        case GLSL_TYPE_SAMPLER:
        case GLSL_TYPE_IMAGE:
            return a->sampler_dim == b->sampler_dim && a->sampled_type == b->sampled_type &&
                   a->sampler_shadow == b->sampler_shadow && a->sampler_array == b->sampler_array;
        default:
            return true;
        }
    }
    return true;
}

const struct glsl_type *glsl_without_array(const struct glsl_type *t)
{
    while (glsl_type_is_array(t))
        t = t->element;
    return t;
}

const struct glsl_type *glsl_scalar_of(const struct glsl_type *t)
{
    return t->base_type <= GLSL_TYPE_BOOL ? &vector_types[t->base_type][0] : t;
}

/* The column of a matrix with a layout is an ordinary vector; only the matrix has the stride. */
const struct glsl_type *glsl_element_of(const struct glsl_type *t)
{
    if (glsl_type_is_array(t))
        return t->element;
    if (glsl_type_is_matrix(t))
        return glsl_simple_type(t->base_type, t->vector_elements, 1);
    if (glsl_type_is_vector(t))
        return glsl_scalar_of(t);
    return &error_type;
}

static unsigned saturate(uint64_t n)
{
    return n > UINT32_MAX ? UINT32_MAX : (unsigned)n;
}

unsigned glsl_aoa_size(const struct glsl_type *t)
{
    uint64_t n = 1;
    for (; glsl_type_is_array(t); t = t->element)
        n = saturate(n * t->length);
    return (unsigned)n;
}

unsigned glsl_length_of(const struct glsl_type *t)
{
    if (glsl_type_is_array(t))
        return t->length;
    if (glsl_type_is_matrix(t))
        return t->matrix_columns;
    return glsl_type_is_vector(t) ? t->vector_elements : 0;
}

int glsl_field_index(const struct glsl_type *t, const char *name)
{
    if (!glsl_type_is_struct_or_ifc(t))
        return -1;
    for (unsigned i = 0; i < t->length; i++) {
        if (!strcmp(t->fields[i].name, name))
            return (int)i;
    }
    return -1;
}

bool glsl_type_contains(const struct glsl_type *t, enum glsl_base_type base)
{
    if (t->base_type == base)
        return true;
    if (glsl_type_is_array(t))
        return glsl_type_contains(t->element, base);
    if (glsl_type_is_struct_or_ifc(t)) {
        for (unsigned i = 0; i < t->length; i++) {
            if (glsl_type_contains(t->fields[i].type, base))
                return true;
        }
    }
    return false;
}

unsigned glsl_bit_size(const struct glsl_type *t)
{
    if (t->base_type == GLSL_TYPE_BOOL)
        return 1;
    return glsl_type_is_64bit(t) ? 64 : glsl_type_is_16bit(t) ? 16 : 32;
}

/* Returns the sum of leaf() over all elements and fields that are neither arrays nor structs. */
static unsigned sum_leaves(const struct glsl_type *t,
                           unsigned (*leaf)(const struct glsl_type *t, unsigned arg), unsigned arg)
{
    if (glsl_type_is_array(t))
        return saturate((uint64_t)t->length * sum_leaves(t->element, leaf, arg));
    if (glsl_type_is_struct_or_ifc(t)) {
        uint64_t n = 0;
        for (unsigned i = 0; i < t->length; i++)
            n += sum_leaves(t->fields[i].type, leaf, arg);
        return saturate(n);
    }
    return leaf(t, arg);
}

static unsigned leaf_components(const struct glsl_type *t, unsigned unused)
{
    return t->base_type <= GLSL_TYPE_BOOL ? t->vector_elements * t->matrix_columns : 0;
}

unsigned glsl_component_count(const struct glsl_type *t)
{
    return sum_leaves(t, leaf_components, 0);
}

static unsigned leaf_slots(const struct glsl_type *t, unsigned is_vertex_input)
{
    if (t->base_type > GLSL_TYPE_BOOL)
        return t->base_type == GLSL_TYPE_SAMPLER || t->base_type == GLSL_TYPE_IMAGE ||
               t->base_type == GLSL_TYPE_SUBROUTINE;
    bool two = glsl_type_is_64bit(t) && t->vector_elements > 2 && !is_vertex_input;
    return t->matrix_columns * (two ? 2 : 1);
}

unsigned glsl_count_attribute_slots(const struct glsl_type *t, bool is_vertex_input)
{
    return sum_leaves(t, leaf_slots, is_vertex_input);
}

static unsigned leaf_is_base(const struct glsl_type *t, unsigned base)
{
    return t->base_type == base;
}

unsigned glsl_count_of_base(const struct glsl_type *t, enum glsl_base_type base)
{
    return sum_leaves(t, leaf_is_base, base);
}

/* -------------------------------------------------------------------------------- layouts --- */

/* Returns the size of a scalar in the default uniform block. */
static unsigned packed_bytes(const struct glsl_type *t)
{
    return glsl_type_is_64bit(t) ? 8 : 4;
}

/* Returns the size of a scalar in a block with the std140 or std430 layout. */
static unsigned scalar_bytes(const struct glsl_type *t)
{
    return glsl_type_is_16bit(t) ? 2 : packed_bytes(t);
}

unsigned glsl_largest_scalar(const struct glsl_type *t)
{
    unsigned largest = 2;
    if (glsl_type_is_array(t))
        return glsl_largest_scalar(t->element);
    if (!glsl_type_is_struct_or_ifc(t))
        return scalar_bytes(t);
    for (unsigned i = 0; i < t->length; i++)
        largest = MAX2(largest, glsl_largest_scalar(t->fields[i].type));
    return largest;
}

static unsigned align_saturated(uint64_t n, unsigned align)
{
    return saturate(ALIGN_POT(n, align));
}

unsigned glsl_packed_align(const struct glsl_type *t)
{
    t = glsl_without_array(t);
    if (!glsl_type_is_struct_or_ifc(t))
        return t->base_type <= GLSL_TYPE_BOOL ? packed_bytes(t) : 4;
    unsigned align = 4;
    for (unsigned i = 0; i < t->length; i++)
        align = MAX2(align, glsl_packed_align(t->fields[i].type));
    return align;
}

unsigned glsl_packed_size(const struct glsl_type *t)
{
    if (glsl_type_is_array(t))
        return saturate((uint64_t)t->length * glsl_packed_size(t->element));
    if (!glsl_type_is_struct_or_ifc(t))
        return t->base_type <= GLSL_TYPE_BOOL
                   ? packed_bytes(t) * t->vector_elements * t->matrix_columns
                   : 0;
    unsigned size = 0;
    for (unsigned i = 0; i < t->length; i++) {
        size = align_saturated(size, glsl_packed_align(t->fields[i].type));
        size = saturate((uint64_t)size + glsl_packed_size(t->fields[i].type));
    }
    return align_saturated(size, glsl_packed_align(t));
}

static bool field_row_major(const struct glsl_struct_field *f, bool inherited)
{
    return f->matrix_layout ? f->matrix_layout == 2 : inherited;
}

/* Rules 1-3: scalars, two-component vectors, three- and four-component vectors. */
static unsigned vector_align(const struct glsl_type *t, unsigned components)
{
    return scalar_bytes(t) * (components == 3 ? 4 : components);
}

/* Rules 5-8: the stride between the columns or rows of a matrix. */
static unsigned matrix_stride(const struct glsl_type *t, bool row_major, bool std140)
{
    unsigned stride = vector_align(t, row_major ? t->matrix_columns : t->vector_elements);
    return std140 ? ALIGN_POT(stride, 16) : stride;
}

static unsigned block_align(const struct glsl_type *t, bool row_major, bool std140);

/* layout(align) raises the alignment that the packing requires (GLSL 4.60 §4.4.5). */
static unsigned field_align(const struct glsl_struct_field *f, bool row_major, bool std140)
{
    return MAX2(f->align, block_align(f->type, row_major, std140));
}

static unsigned block_align(const struct glsl_type *t, bool row_major, bool std140)
{
    if (glsl_type_is_array(t)) {
        unsigned align = block_align(t->element, row_major, std140);
        return std140 ? ALIGN_POT(align, 16) : align;
    }
    if (glsl_type_is_struct_or_ifc(t)) {
        unsigned align = std140 ? 16 : 1;
        for (unsigned i = 0; i < t->length; i++) {
            const struct glsl_struct_field *f = &t->fields[i];
            align = MAX2(align, field_align(f, field_row_major(f, row_major), std140));
        }
        return align;
    }
    if (t->base_type > GLSL_TYPE_BOOL)
        return 8; /* size of a bindless handle */
    if (glsl_type_is_matrix(t))
        return matrix_stride(t, row_major, std140);
    return vector_align(t, t->vector_elements);
}

static unsigned block_size(const struct glsl_type *t, bool row_major, bool std140)
{
    if (glsl_type_is_array(t)) {
        unsigned stride = align_saturated(block_size(t->element, row_major, std140),
                                          block_align(t, row_major, std140));
        return saturate((uint64_t)stride * t->length);
    }
    if (glsl_type_is_struct_or_ifc(t)) {
        unsigned size = 0;
        for (unsigned i = 0; i < t->length; i++) {
            const struct glsl_struct_field *f = &t->fields[i];
            bool rm = field_row_major(f, row_major);
            if (f->offset >= 0 && glsl_type_is_interface(t))
                size = MAX2(size, (unsigned)f->offset);
            size = align_saturated(size, field_align(f, rm, std140));
            size = saturate((uint64_t)size + block_size(f->type, rm, std140));
        }
        return align_saturated(size, block_align(t, row_major, std140));
    }
    if (t->base_type > GLSL_TYPE_BOOL)
        return 8;
    if (glsl_type_is_matrix(t))
        return matrix_stride(t, row_major, std140) *
               (row_major ? t->vector_elements : t->matrix_columns);
    return scalar_bytes(t) * t->vector_elements;
}

unsigned glsl_std140_align(const struct glsl_type *t, bool row_major)
{
    return block_align(t, row_major, true);
}

unsigned glsl_std140_size(const struct glsl_type *t, bool row_major)
{
    return block_size(t, row_major, true);
}

unsigned glsl_std430_align(const struct glsl_type *t, bool row_major)
{
    return block_align(t, row_major, false);
}

unsigned glsl_std430_size(const struct glsl_type *t, bool row_major)
{
    return block_size(t, row_major, false);
}

/* Returns the record with offsets and with the layout of all its fields. */
static const struct glsl_type *explicit_record(void *mem_ctx, const struct glsl_type *t,
                                               bool row_major, bool std140)
{
    struct glsl_struct_field *fields = talloc_array(NULL, struct glsl_struct_field, t->length + 1);
    if (!fields)
        return NULL;
    struct glsl_type *out = NULL;
    unsigned offset = 0;
    memcpy(fields, t->fields, t->length * sizeof *fields);
    for (unsigned i = 0; i < t->length; i++) {
        struct glsl_struct_field *f = &fields[i];
        bool rm = field_row_major(f, row_major);
        if (f->offset >= 0 && glsl_type_is_interface(t))
            offset = MAX2(offset, (unsigned)f->offset);
        offset = align_saturated(offset, field_align(f, rm, std140));
        unsigned size = block_size(f->type, rm, std140);
        f->offset = (int)MIN2(offset, (unsigned)INT32_MAX);
        f->row_major = rm;
        f->matrix_layout = rm ? 2 : 1;
        f->type = glsl_explicit_type(mem_ctx, f->type, rm, std140);
        if (!f->type)
            goto done;
        offset = saturate((uint64_t)offset + size);
    }
    out = record_type(mem_ctx, fields, t->length, t->name);
    if (out) {
        out->base_type = t->base_type;
        out->packing = t->packing;
        out->row_major = t->row_major;
    }
done:
    talloc_free(fields);
    return out;
}

const struct glsl_type *glsl_explicit_type(void *mem_ctx, const struct glsl_type *t, bool row_major,
                                           bool std140)
{
    if (glsl_type_is_array(t)) {
        const struct glsl_type *element =
            glsl_explicit_type(mem_ctx, t->element, row_major, std140);
        unsigned stride = align_saturated(block_size(t->element, row_major, std140),
                                          block_align(t, row_major, std140));
        return element ? glsl_array_type(mem_ctx, element, t->length, stride) : NULL;
    }
    if (glsl_type_is_struct_or_ifc(t))
        return explicit_record(mem_ctx, t, row_major, std140);
    if (glsl_type_is_matrix(t))
        return glsl_explicit_matrix_type(mem_ctx, t, matrix_stride(t, row_major, std140),
                                         row_major);
    return t;
}
