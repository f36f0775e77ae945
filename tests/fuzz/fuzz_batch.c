/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the packet tables: decodes any bytes as a batch of each generation, packs what was
 * unpacked, and packs structs with any values in their fields.
 */
#include <stdlib.h>
#include <string.h>

#include "batch_decode.h"
#include "driver/i965/i965_device.h"
#include "packet_layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t size;
};

static const uint8_t *read_input(void *data, uint64_t address, uint64_t *size)
{
    const struct input *input = data;
    if (address >= input->size)
        return NULL;
    *size = input->size - address;
    return input->data + address;
}

/* The C struct of any packet or structure. */
union values {
    char bytes[1 << 16];
    uint64_t align;
};

/* Unpacks the first packet. If it is valid, packing must give the same dwords. */
static void pack_again(enum i965_generation gen, const uint8_t *data, size_t size)
{
    static union values values;
    uint32_t in[I965_PACKET_MAX_DWORDS], out[I965_PACKET_MAX_DWORDS];
    struct i965_packet_error error;
    enum i965_layout_id id;
    unsigned count =
        size / 4 < I965_PACKET_MAX_DWORDS ? (unsigned)(size / 4) : I965_PACKET_MAX_DWORDS;
    memcpy(in, data, count * 4ull);
    if (!count || !i965_find_packet(gen, in[0], &id) ||
        !i965_unpack(gen, id, in, count, &values, &error))
        return;
    unsigned length = i965_pack(gen, id, &values, out, I965_PACKET_MAX_DWORDS, &error);
    if (length && (length != i965_packet_length(id, in[0]) || memcmp(in, out, length * 4ull)))
        abort();
}

/* Takes up to `max` bytes of the input, as a little-endian number. */
static uint64_t take(struct input *input, unsigned max)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < max && input->size; i++, input->size--)
        value |= (uint64_t)*input->data++ << 8 * i;
    return value;
}

/* Stores a value of the input in a field of a struct. */
static void set_field(const struct i965_layout *l, char *values, struct input *input)
{
    const struct i965_field *f = &l->fields[take(input, 1) % l->num_fields];
    char *member = values + f->offset + take(input, 1) % f->count * f->size;
    uint32_t count = (uint32_t)take(input, 2);
    if (f->variable)
        memcpy(values + f->count_offset, &count, sizeof count);
    if (f->kind == I965_FIELD_STRUCT) {
        set_field(i965_layout(f->layout), member, input);
        return;
    }
    uint64_t value = take(input, f->size);
    if (f->kind == I965_FIELD_BOOL)
        value &= 1;
    memcpy(member, &value, f->size);
}

/*
 * Packs a struct with any values. Unpacking the result and packing again must give the same dwords.
 * An error must name the packet.
 */
static void pack_any(enum i965_generation gen, const uint8_t *data, size_t size)
{
    static union values values;
    uint32_t first[I965_PACKET_MAX_DWORDS], second[I965_PACKET_MAX_DWORDS];
    struct i965_packet_error error = {""};
    struct input input = {data, size};
    enum i965_layout_id id = (enum i965_layout_id)(take(&input, 1) % I965_LAYOUT_COUNT);
    const struct i965_layout *l = i965_layout(id);
    memset(values.bytes, 0, l->struct_size);
    while (input.size && l->num_fields)
        set_field(l, values.bytes, &input);

    unsigned count = i965_pack(gen, id, &values, first, I965_PACKET_MAX_DWORDS, &error);
    if (!count) {
        if (strncmp(error.text, l->name, strlen(l->name)) != 0)
            abort();
        return;
    }
    if (!i965_unpack(gen, id, first, count, &values, &error) ||
        i965_pack(gen, id, &values, second, count, &error) != count ||
        memcmp(first, second, count * 4ull) != 0)
        abort();
    if (i965_pack(gen, id, &values, second, count - 1, &error))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *out;
    struct input input = {data + 1, size - 1};
    struct i965_batch_memory memory = {read_input, &input};
    if (size < 5)
        return 0;
    if (!out)
        out = fopen("/dev/null", "w");
    struct i965_decode_options options = {
        .generation = (enum i965_generation)(data[0] % I965_GENERATION_COUNT),
        .device = data[0] & 0x80 ? i965_device_by_name("skl") : NULL,
        .blitter = data[0] & 0x40,
    };
    if (data[0] & 0x20) {
        pack_any(options.generation, data + 1, size - 1);
        return 0;
    }
    i965_batch_decode(&options, &memory, out);
    pack_again(options.generation, data + 1, size - 1);
    return 0;
}
