/* SPDX-License-Identifier: MIT */
#include "nir_blob.h"

#include <string.h>

#include <talloc.h>

/* ------------------------------------------------------------------------------- writing --- */

void blob_write_bytes(struct blob_writer *w, const void *data, size_t size)
{
    if (size && dynarray_reserve(&w->bytes, size)) {
        memcpy(w->bytes.data + w->bytes.count, data, size);
        w->bytes.count += size;
    }
}

void blob_write_u32(struct blob_writer *w, uint32_t x)
{
    blob_write_bytes(w, &x, sizeof x);
}

void blob_write_string(struct blob_writer *w, const char *s)
{
    uint32_t size = s ? strlen(s) + 1 : 0;
    blob_write_u32(w, size);
    blob_write_bytes(w, s, size);
}

void blob_set_number(struct blob_writer *w, const void *p, unsigned number)
{
    hash_table_insert(w->numbers, p, (void *)(uintptr_t)(number + 1));
}

uint32_t blob_number_of(struct blob_writer *w, const void *p)
{
    return p ? (uint32_t)(uintptr_t)hash_table_get(w->numbers, p) : 0;
}

static void write_fields(struct blob_writer *w, const struct glsl_type *type)
{
    for (unsigned i = 0; i < type->length; i++) {
        struct glsl_struct_field f;
        memcpy(&f, &type->fields[i], sizeof f);
        f.type = NULL;
        f.name = NULL;
        blob_write_type(w, type->fields[i].type);
        blob_write_string(w, type->fields[i].name);
        blob_write_bytes(w, &f, sizeof f);
    }
}

/* Writes 0 for NULL, the number + 1 of a type that was written before, or UINT32_MAX followed by
 * the contents of a new type. */
void blob_write_type(struct blob_writer *w, const struct glsl_type *type)
{
    uint32_t known = blob_number_of(w, type);
    if (!type || known) {
        blob_write_u32(w, known);
        return;
    }
    blob_write_u32(w, UINT32_MAX);
    blob_write_u32(w, type->base_type);
    switch (type->base_type) {
    case GLSL_TYPE_ARRAY:
        blob_write_u32(w, type->length);
        blob_write_u32(w, type->explicit_stride);
        blob_write_type(w, type->element);
        break;
    case GLSL_TYPE_STRUCT:
    case GLSL_TYPE_INTERFACE:
        blob_write_u32(w, type->length);
        blob_write_u32(w, type->packing);
        blob_write_u32(w, type->row_major);
        blob_write_string(w, type->name);
        write_fields(w, type);
        break;
    case GLSL_TYPE_SAMPLER:
    case GLSL_TYPE_IMAGE:
        blob_write_u32(w, type->sampler_dim);
        blob_write_u32(w, type->sampler_shadow);
        blob_write_u32(w, type->sampler_array);
        blob_write_u32(w, type->sampled_type);
        break;
    case GLSL_TYPE_SUBROUTINE:
        blob_write_string(w, type->name);
        break;
    default:
        blob_write_u32(w, type->vector_elements);
        blob_write_u32(w, type->matrix_columns);
        blob_write_u32(w, type->explicit_stride);
        blob_write_u32(w, type->row_major);
        break;
    }
    blob_set_number(w, type, w->num_types++);
}

/* ------------------------------------------------------------------------------- reading --- */

void blob_read_bytes(struct blob_reader *r, void *data, size_t size)
{
    if (r->failed || size > (size_t)(r->end - r->next)) {
        r->failed = true;
        memset(data, 0, size);
        return;
    }
    if (size)
        memcpy(data, r->next, size);
    r->next += size;
}

uint32_t blob_read_u32(struct blob_reader *r)
{
    uint32_t x;
    blob_read_bytes(r, &x, sizeof x);
    return x;
}

uint32_t blob_read_below(struct blob_reader *r, uint32_t limit)
{
    uint32_t x = blob_read_u32(r);
    if (x >= limit) {
        r->failed = true;
        return 0;
    }
    return x;
}

uint32_t blob_read_count(struct blob_reader *r, size_t each)
{
    uint32_t n = blob_read_u32(r);
    if (r->failed || n > (size_t)(r->end - r->next) / each) {
        r->failed = true;
        return 0;
    }
    return n;
}

char *blob_read_string(struct blob_reader *r, void *mem_ctx)
{
    uint32_t size = blob_read_count(r, 1);
    if (!size)
        return NULL;
    char *s = talloc_array(mem_ctx, char, size);
    blob_read_bytes(r, s, size);
    s[size - 1] = '\0';
    return s;
}

void *blob_read_number(struct blob_reader *r, const blob_numbers *list)
{
    uint32_t number = blob_read_u32(r);
    if (r->failed || number == 0 || number > list->count) {
        r->failed = true;
        return NULL;
    }
    return list->data[number - 1];
}

static const struct glsl_type *read_record(struct blob_reader *r, uint32_t base)
{
    uint32_t length = blob_read_count(r, sizeof(struct glsl_struct_field));
    uint32_t packing = blob_read_below(r, GLSL_PACKING_PACKED + 1), row_major = blob_read_u32(r);
    char *name = blob_read_string(r, r->mem_ctx);
    struct glsl_struct_field *fields =
        talloc_zero_array(NULL, struct glsl_struct_field, length + 1);
    for (uint32_t i = 0; i < length && !r->failed; i++) {
        const struct glsl_type *type = blob_read_type(r);
        char *field_name = blob_read_string(r, fields);
        blob_read_bytes(r, &fields[i], sizeof fields[i]);
        fields[i].type = type;
        fields[i].name = field_name ? field_name : "";
        r->failed |= !type;
    }
    const struct glsl_type *type = NULL;
    if (!r->failed)
        type = base == GLSL_TYPE_STRUCT
                   ? glsl_struct_type(r->mem_ctx, fields, length, name ? name : "")
                   : glsl_interface_type(r->mem_ctx, fields, length, packing, row_major != 0,
                                         name ? name : "");
    talloc_free(fields);
    return type;
}

static const struct glsl_type *read_array(struct blob_reader *r)
{
    uint32_t length = blob_read_u32(r), stride = blob_read_u32(r);
    const struct glsl_type *element = blob_read_type(r);
    return element ? glsl_array_type(r->mem_ctx, element, length, stride) : NULL;
}

static const struct glsl_type *read_sampler(struct blob_reader *r, uint32_t base)
{
    uint32_t dim = blob_read_below(r, GLSL_SAMPLER_DIM_EXTERNAL + 1), shadow = blob_read_u32(r);
    uint32_t array = blob_read_u32(r), sampled = blob_read_below(r, GLSL_TYPE_ERROR + 1);
    if (base == GLSL_TYPE_SAMPLER)
        return glsl_sampler_type(dim, shadow != 0, array != 0, sampled);
    return glsl_image_type(dim, array != 0, sampled);
}

static const struct glsl_type *read_simple(struct blob_reader *r, uint32_t base)
{
    uint32_t rows = blob_read_below(r, 5), columns = blob_read_below(r, 5);
    uint32_t stride = blob_read_u32(r), row_major = blob_read_u32(r);
    if (base == GLSL_TYPE_ATOMIC_UINT)
        return glsl_atomic_uint_type();
    if (base == GLSL_TYPE_VOID)
        return glsl_void_type();
    if (base == GLSL_TYPE_ERROR)
        return glsl_error_type();
    const struct glsl_type *type = glsl_simple_type(base, rows, columns);
    if (type && (stride || row_major))
        type = glsl_explicit_matrix_type(r->mem_ctx, type, stride, row_major != 0);
    return type;
}

static const struct glsl_type *read_new_type(struct blob_reader *r)
{
    uint32_t base = blob_read_below(r, GLSL_TYPE_ERROR + 1);
    switch (base) {
    case GLSL_TYPE_ARRAY:
        return read_array(r);
    case GLSL_TYPE_STRUCT:
    case GLSL_TYPE_INTERFACE:
        return read_record(r, base);
    case GLSL_TYPE_SAMPLER:
    case GLSL_TYPE_IMAGE:
        return read_sampler(r, base);
    case GLSL_TYPE_SUBROUTINE: {
        char *name = blob_read_string(r, r->mem_ctx);
        return glsl_subroutine_type(r->mem_ctx, name ? name : "");
    }
    default:
        return read_simple(r, base);
    }
}

const struct glsl_type *blob_read_type(struct blob_reader *r)
{
    uint32_t number = blob_read_u32(r);
    if (number == 0 || r->failed)
        return NULL;
    if (number != UINT32_MAX) {
        r->failed |= number > r->types.count;
        return r->failed ? NULL : r->types.data[number - 1];
    }
    if (++r->depth > BLOB_MAX_DEPTH)
        r->failed = true;
    const struct glsl_type *type = r->failed ? NULL : read_new_type(r);
    r->depth--;
    r->failed |= !type;
    (void)dynarray_append(&r->types, (void *)type);
    return type;
}
