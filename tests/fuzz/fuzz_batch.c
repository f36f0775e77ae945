/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the packet tables: decodes any bytes as a batch of each generation, and packs what was
 * unpacked.
 */
#include <stdlib.h>
#include <string.h>

#include "batch_decode.h"
#include "driver/i965/i965_device.h"

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

/* Unpacks the first packet. If it is valid, packing must give the same dwords. */
static void pack_again(enum i965_generation gen, const uint8_t *data, size_t size)
{
    static union {
        unsigned char bytes[1 << 16];
        uint64_t align;
    } values;
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
    i965_batch_decode(&options, &memory, out);
    pack_again(options.generation, data + 1, size - 1);
    return 0;
}
