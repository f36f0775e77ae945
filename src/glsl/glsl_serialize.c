/* SPDX-License-Identifier: MIT */
/*
 * Serializes and deserializes linked programs. Records are written field by field according to the
 * tables below, followed by the data that they point to. The reader checks that the data is
 * complete and that every index, location and offset is within the program.
 */
#include "glsl.h"

#include <string.h>

#include <talloc.h>

#include "nir/nir_blob.h"
#include "util/macros.h"
#include "util/deep_stack.h"
#include "util/memory.h"

enum field_kind { FIELD_WORD, FIELD_BYTE, FIELD_BOOL, FIELD_STRING, FIELD_TYPE };

struct field {
    uint16_t offset;
    uint8_t kind; /* enum field_kind */
    uint8_t count;
};

#define FIELD(T, member, kind) {offsetof(struct T, member), kind, 1}
#define WORD(T, member)                                                                            \
    {offsetof(struct T, member), FIELD_WORD, sizeof(((struct T *)0)->member) / sizeof(uint32_t)}
#define BYTE(T, member)   FIELD(T, member, FIELD_BYTE)
#define BOOL(T, member)   FIELD(T, member, FIELD_BOOL)
#define STRING(T, member) FIELD(T, member, FIELD_STRING)
#define TYPE(T, member)   FIELD(T, member, FIELD_TYPE)

static const struct field uniform_fields[] = {
    STRING(glsl_uniform, name),           TYPE(glsl_uniform, type),
    WORD(glsl_uniform, array_size),       WORD(glsl_uniform, location),
    WORD(glsl_uniform, offset),           WORD(glsl_uniform, array_stride),
    WORD(glsl_uniform, matrix_stride),    BOOL(glsl_uniform, row_major),
    WORD(glsl_uniform, block_index),      WORD(glsl_uniform, atomic_buffer),
    BOOL(glsl_uniform, unsized),          WORD(glsl_uniform, top_array_size),
    WORD(glsl_uniform, top_array_stride), BYTE(glsl_uniform, stages),
    BOOL(glsl_uniform, bindless),         WORD(glsl_uniform, handle_offset),
    BOOL(glsl_uniform, opaque),           WORD(glsl_uniform, opaque_index),
    WORD(glsl_uniform, binding),          BOOL(glsl_uniform, builtin),
};
static const struct field attrib_fields[] = {
    STRING(glsl_attrib, name), TYPE(glsl_attrib, type),   WORD(glsl_attrib, location),
    WORD(glsl_attrib, slot),   WORD(glsl_attrib, index),  WORD(glsl_attrib, component),
    BOOL(glsl_attrib, patch),  BYTE(glsl_attrib, stages),
};
static const struct field open_fields[] = {
    STRING(glsl_open_variable, name),   STRING(glsl_open_variable, block),
    STRING(glsl_open_variable, type),   WORD(glsl_open_variable, field),
    WORD(glsl_open_variable, location), WORD(glsl_open_variable, component),
    BOOL(glsl_open_variable, patch),
};
static const struct field block_fields[] = {
    STRING(glsl_block, name),     WORD(glsl_block, size),        WORD(glsl_block, binding),
    BYTE(glsl_block, stages),     WORD(glsl_block, stage_index), WORD(glsl_block, first_member),
    BOOL(glsl_block, is_storage), TYPE(glsl_block, type),
};
static const struct field atomic_fields[] = {
    WORD(glsl_atomic_buffer, binding),
    WORD(glsl_atomic_buffer, size),
    BYTE(glsl_atomic_buffer, stages),
    WORD(glsl_atomic_buffer, stage_index),
};
static const struct field subroutine_fields[] = {
    STRING(glsl_subroutine, name),
    WORD(glsl_subroutine, stage),
    WORD(glsl_subroutine, index),
};
static const struct field subroutine_uniform_fields[] = {
    STRING(glsl_subroutine_uniform, name),     WORD(glsl_subroutine_uniform, stage),
    WORD(glsl_subroutine_uniform, array_size), WORD(glsl_subroutine_uniform, location),
    WORD(glsl_subroutine_uniform, offset),
};
static const struct field xfb_fields[] = {
    STRING(glsl_xfb_output, name),     TYPE(glsl_xfb_output, type),
    WORD(glsl_xfb_output, array_size), BYTE(glsl_xfb_output, buffer),
    BYTE(glsl_xfb_output, stream),     WORD(glsl_xfb_output, slot),
    WORD(glsl_xfb_output, component),  WORD(glsl_xfb_output, num_components),
    WORD(glsl_xfb_output, offset),
};
static const struct field program_fields[] = {
    WORD(glsl_program, version),
    BOOL(glsl_program, es),
    WORD(glsl_program, num_active_uniforms),
    WORD(glsl_program, default_block_size),
    WORD(glsl_program, xfb_stride),
};

/* An array of records in struct glsl_program. */
struct table {
    uint16_t array, count, record; /* offsets in struct glsl_program; record: bytes of a record */
    const struct field *fields;
    uint8_t num_fields;
};
#define TABLE(array, T, fields)                                                                    \
    {offsetof(struct glsl_program, array), offsetof(struct glsl_program, num_##array),             \
     sizeof(struct T), fields, ARRAY_SIZE(fields)}

static const struct table tables[] = {
    TABLE(uniforms, glsl_uniform, uniform_fields),
    TABLE(inputs, glsl_attrib, attrib_fields),
    TABLE(outputs, glsl_attrib, attrib_fields),
    TABLE(open_inputs, glsl_open_variable, open_fields),
    TABLE(open_outputs, glsl_open_variable, open_fields),
    TABLE(blocks, glsl_block, block_fields),
    TABLE(atomic_buffers, glsl_atomic_buffer, atomic_fields),
    TABLE(subroutines, glsl_subroutine, subroutine_fields),
    TABLE(subroutine_uniforms, glsl_subroutine_uniform, subroutine_uniform_fields),
    TABLE(xfb, glsl_xfb_output, xfb_fields),
};

/* Returns the bytes of a uniform's values in the default block. */
static uint64_t uniform_bytes(const struct glsl_uniform *u)
{
    uint64_t element = glsl_packed_size(u->type);
    return u->array_size ? (uint64_t)u->array_stride * (u->array_size - 1) + element : element;
}

/* ------------------------------------------------------------------------------- writing --- */

static void write_record(struct blob_writer *w, const void *record, const struct field *fields,
                         unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *at = (const uint8_t *)record + fields[i].offset;
        const void *pointer;
        switch (fields[i].kind) {
        case FIELD_WORD:
            blob_write_bytes(w, at, 4u * fields[i].count);
            break;
        case FIELD_BYTE:
            blob_write_u32(w, *at);
            break;
        case FIELD_BOOL:
            blob_write_u32(w, *(const bool *)at);
            break;
        default:
            memcpy(&pointer, at, sizeof pointer);
            if (fields[i].kind == FIELD_STRING)
                blob_write_string(w, pointer);
            else
                blob_write_type(w, pointer);
        }
    }
}

static void write_tables(struct blob_writer *w, const struct glsl_program *p)
{
    for (unsigned t = 0; t < ARRAY_SIZE(tables); t++) {
        const struct table *table = &tables[t];
        const uint8_t *records;
        uint32_t count;
        memcpy(&records, (const uint8_t *)p + table->array, sizeof records);
        memcpy(&count, (const uint8_t *)p + table->count, sizeof count);
        blob_write_u32(w, count);
        for (uint32_t i = 0; i < count; i++)
            write_record(w, records + (size_t)i * table->record, table->fields, table->num_fields);
    }
}

/* Writes the data that the records point to. */
static void write_values(struct blob_writer *w, const struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_uniforms; i++) {
        const struct glsl_uniform *u = &p->uniforms[i];
        blob_write_u32(w, u->initial ? (uint32_t)uniform_bytes(u) : 0);
        if (u->initial)
            blob_write_bytes(w, u->initial, uniform_bytes(u));
        blob_write_u32(w, u->num_state_slots);
        blob_write_bytes(w, u->state_slots, u->num_state_slots * sizeof *u->state_slots);
    }
    for (unsigned i = 0; i < p->num_subroutine_uniforms; i++) {
        const struct glsl_subroutine_uniform *u = &p->subroutine_uniforms[i];
        blob_write_u32(w, u->num_compatible);
        blob_write_bytes(w, u->compatible, u->num_compatible * sizeof *u->compatible);
    }
    blob_write_u32(w, p->num_locations);
    blob_write_bytes(w, p->location_to_uniform, p->num_locations * sizeof *p->location_to_uniform);
}

static bool write_stages(struct blob_writer *w, const struct glsl_program *p)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct blob_bytes nir = {0};
        if (p->nir[s]) {
            nir = nir_serialize(NULL, p->nir[s]);
            if (!nir.size)
                return false;
        }
        blob_write_u32(w, (uint32_t)nir.size);
        blob_write_bytes(w, nir.data, nir.size);
        talloc_free(nir.data);
    }
    return true;
}

static struct blob_bytes serialize(void *mem_ctx, const struct glsl_program *program)
{
    struct blob_writer w = {.bytes.mem_ctx = mem_ctx, .numbers = hash_table_create_pointer(NULL)};
    bool ok = w.numbers;
    if (ok) {
        write_record(&w, program, program_fields, ARRAY_SIZE(program_fields));
        write_tables(&w, program);
        write_values(&w, program);
        ok = write_stages(&w, program);
        hash_table_destroy(w.numbers);
    }
    if (ok)
        return (struct blob_bytes){w.bytes.data, w.bytes.count};
    dynarray_finish(&w.bytes);
    return (struct blob_bytes){0};
}

/* Parameters and result of glsl_program_serialize. */
struct write_args {
    void *mem_ctx;
    const struct glsl_program *program;
    struct blob_bytes bytes;
};

static void *serialize_deep(void *data)
{
    struct write_args *a = data;
    a->bytes = serialize(a->mem_ctx, a->program);
    return a;
}

struct blob_bytes glsl_program_serialize(void *mem_ctx, const struct glsl_program *program)
{
    struct write_args args = {mem_ctx, program, {0}};
    if (!util_deep_attempt(serialize_deep, &args))
        util_out_of_memory();
    return args.bytes;
}

/* ------------------------------------------------------------------------------- reading --- */

static void read_record(struct blob_reader *r, void *record, const struct field *fields,
                        unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint8_t *at = (uint8_t *)record + fields[i].offset;
        const void *pointer;
        switch (fields[i].kind) {
        case FIELD_WORD:
            blob_read_bytes(r, at, 4u * fields[i].count);
            break;
        case FIELD_BYTE:
            *at = (uint8_t)blob_read_below(r, 256);
            break;
        case FIELD_BOOL:
            *(bool *)at = blob_read_below(r, 2);
            break;
        default:
            pointer = fields[i].kind == FIELD_STRING ? (const void *)blob_read_string(r, r->mem_ctx)
                                                     : blob_read_type(r);
            memcpy(at, &pointer, sizeof pointer);
        }
    }
}

/* Allocates an array of *count zeroed records of `size` bytes. Each record takes at least `each`
 * bytes in the input. */
static void *read_array(struct blob_reader *r, uint32_t *count, size_t each, size_t size)
{
    *count = blob_read_count(r, each);
    void *array = *count ? talloc_zero_size(r->mem_ctx, *count * size) : NULL;
    r->failed |= *count && !array;
    *count = array ? *count : 0;
    return array;
}

static void read_tables(struct blob_reader *r, struct glsl_program *p)
{
    for (unsigned t = 0; t < ARRAY_SIZE(tables) && !r->failed; t++) {
        const struct table *table = &tables[t];
        uint32_t count;
        uint8_t *records = read_array(r, &count, 4ul * table->num_fields, table->record);
        memcpy((uint8_t *)p + table->array, &records, sizeof records);
        memcpy((uint8_t *)p + table->count, &count, sizeof count);
        for (uint32_t i = 0; i < count && !r->failed; i++)
            read_record(r, records + (size_t)i * table->record, table->fields, table->num_fields);
    }
}

static void *read_items(struct blob_reader *r, uint32_t *count, size_t size)
{
    void *items = read_array(r, count, size, size);
    if (items)
        blob_read_bytes(r, items, *count * size);
    return items;
}

static void read_values(struct blob_reader *r, struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_uniforms && !r->failed; i++) {
        struct glsl_uniform *u = &p->uniforms[i];
        uint32_t bytes;
        u->initial = read_items(r, &bytes, 1);
        u->state_slots = read_items(r, &u->num_state_slots, sizeof *u->state_slots);
        r->failed |= !u->type || (u->initial && bytes != uniform_bytes(u));
    }
    for (unsigned i = 0; i < p->num_subroutine_uniforms && !r->failed; i++) {
        struct glsl_subroutine_uniform *u = &p->subroutine_uniforms[i];
        u->compatible = read_items(r, &u->num_compatible, sizeof *u->compatible);
    }
    p->location_to_uniform = read_items(r, &p->num_locations, sizeof *p->location_to_uniform);
}

static void read_stages(struct blob_reader *r, struct glsl_program *p,
                        const struct glsl_options *options)
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT && !r->failed; s++) {
        uint32_t size = blob_read_count(r, 1);
        if (!size)
            continue;
        p->nir[s] = nir_deserialize(p, options->nir_options[s], r->next, size);
        r->next += size;
        r->failed |= !p->nir[s] || p->nir[s]->info.stage != s;
    }
}

/* ------------------------------------------------------------------------------ checking --- */

/* Returns whether i is -1 or less than the limit. */
static bool index_ok(int i, unsigned limit)
{
    return i == -1 || (i >= 0 && (unsigned)i < limit);
}

/* Upper bound of the slots in any driver. */
#define MAX_SLOTS 4096

static bool stage_indices_ok(const int index[SHADER_STAGE_COUNT])
{
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        if (!index_ok(index[s], MAX_SLOTS))
            return false;
    return true;
}

static bool uniform_ok(const struct glsl_program *p, const struct glsl_uniform *u)
{
    uint64_t elements = MAX2(u->array_size, 1);
    bool stored = !u->opaque && !u->builtin && u->block_index == -1 && u->offset >= 0;
    return u->name && u->type && index_ok(u->location, p->num_locations) &&
           (u->location < 0 || u->location + elements <= p->num_locations) &&
           (!stored || u->offset + uniform_bytes(u) <= p->default_block_size) &&
           index_ok(u->block_index, p->num_blocks) &&
           index_ok(u->atomic_buffer, p->num_atomic_buffers) &&
           (!u->opaque ||
            (elements <= MAX_SLOTS && stage_indices_ok(u->opaque_index) && u->handle_offset >= -1 &&
             (u->handle_offset == -1 || u->handle_offset + 8 * elements <= p->default_block_size)));
}

static bool attribs_ok(const struct glsl_attrib *attribs, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!attribs[i].name || !attribs[i].type)
            return false;
    return true;
}

static bool blocks_ok(const struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_blocks; i++) {
        const struct glsl_block *b = &p->blocks[i];
        if (!b->name || !stage_indices_ok(b->stage_index) ||
            !index_ok(b->first_member, p->num_uniforms))
            return false;
    }
    for (unsigned i = 0; i < p->num_atomic_buffers; i++)
        if (!stage_indices_ok(p->atomic_buffers[i].stage_index))
            return false;
    return true;
}

static bool subroutines_ok(const struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_subroutines; i++)
        if (!p->subroutines[i].name || (unsigned)p->subroutines[i].stage >= SHADER_STAGE_COUNT)
            return false;
    for (unsigned i = 0; i < p->num_subroutine_uniforms; i++) {
        const struct glsl_subroutine_uniform *u = &p->subroutine_uniforms[i];
        uint64_t end = u->offset + 4ull * MAX2(u->array_size, 1);
        if (!u->name || (unsigned)u->stage >= SHADER_STAGE_COUNT || end > p->default_block_size ||
            u->location + (uint64_t)MAX2(u->array_size, 1) > UINT16_MAX)
            return false;
    }
    return true;
}

static bool xfb_ok(const struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_xfb; i++) {
        const struct glsl_xfb_output *x = &p->xfb[i];
        if (!x->name || x->buffer >= 4 || x->stream >= 4 || x->slot >= 64 || x->component >= 4)
            return false;
    }
    return true;
}

/* Returns whether the program is consistent. */
static bool program_ok(const struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_uniforms; i++)
        if (!uniform_ok(p, &p->uniforms[i]))
            return false;
    for (unsigned i = 0; i < p->num_locations; i++)
        if (p->location_to_uniform[i] != -2 &&
            !index_ok(p->location_to_uniform[i], p->num_uniforms))
            return false;
    return p->num_active_uniforms <= p->num_uniforms && attribs_ok(p->inputs, p->num_inputs) &&
           attribs_ok(p->outputs, p->num_outputs) && blocks_ok(p) && subroutines_ok(p) && xfb_ok(p);
}

static struct glsl_program *deserialize(void *mem_ctx, const struct glsl_options *options,
                                        const void *data, size_t size)
{
    struct glsl_program *p = talloc_zero(mem_ctx, struct glsl_program);
    struct blob_reader r = {.next = data, .end = (const uint8_t *)data + size, .mem_ctx = p};
    if (!p)
        return NULL;
    p->linked = true;
    p->info_log = talloc_strdup(p, "");
    read_record(&r, p, program_fields, ARRAY_SIZE(program_fields));
    read_tables(&r, p);
    read_values(&r, p);
    read_stages(&r, p, options);
    dynarray_finish(&r.types);
    if (!r.failed && r.next == r.end && p->info_log && program_ok(p))
        return p;
    talloc_free(p);
    return NULL;
}

/* Parameters and result of glsl_program_deserialize. */
struct read_args {
    void *mem_ctx;
    const struct glsl_options *options;
    const void *data;
    size_t size;
    struct glsl_program *program;
};

static void *deserialize_deep(void *data)
{
    struct read_args *a = data;
    a->program = deserialize(a->mem_ctx, a->options, a->data, a->size);
    return a;
}

struct glsl_program *glsl_program_deserialize(void *mem_ctx, const struct glsl_options *options,
                                              const void *data, size_t size)
{
    struct read_args args = {mem_ctx, options, data, size, NULL};
    if (!util_deep_attempt(deserialize_deep, &args))
        util_out_of_memory();
    return args.program;
}
