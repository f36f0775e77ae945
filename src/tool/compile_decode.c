/* SPDX-License-Identifier: MIT */
/* indium-compile --decode: the memory of an image or of an execbuffer dump, for the batch
 * decoder. */
#include "compile_decode.h"

#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "batch_decode.h"
#include "compile_options.h"
#include "driver/i965/i965_device.h"

#define DUMP_MAGIC   0x35313969u /* "i915" */
#define ADDRESS_MASK UINT64_C(0xffffffffffff)

/* A buffer in GPU memory. */
struct buffer {
    uint64_t address, size;
    const uint8_t *bytes;
};

struct image {
    struct buffer *buffers;
    unsigned count;
    uint64_t start; /* Address of the first packet. */
};

/* Start of an execbuffer dump. */
struct dump_header {
    uint32_t magic, count, batch, batch_start, batch_length, flags, chipset, unused;
};

/* Precedes the bytes of each buffer in a dump. Only the address and size are used. */
struct dump_buffer {
    uint64_t address, size;
    uint32_t handle, flags, relocations, unused;
};

/* Finds the buffer with an address (struct i965_batch_memory). */
static const uint8_t *read_image(void *data, uint64_t address, uint64_t *size)
{
    const struct image *image = data;
    for (unsigned i = 0; i < image->count; i++) {
        const struct buffer *b = &image->buffers[i];
        if (address >= b->address && address - b->address < b->size) {
            *size = b->size - (address - b->address);
            return b->bytes + (address - b->address);
        }
    }
    return NULL;
}

/* Reads the buffers of a dump. Returns false if the file is too short or the batch is no buffer. */
static bool parse_dump(struct image *image, const uint8_t *bytes, size_t size)
{
    struct dump_header header;
    size_t at = sizeof header;
    memcpy(&header, bytes, sizeof header);
    if (header.count > size / sizeof(struct dump_buffer) || header.batch >= header.count)
        return false;
    image->buffers = talloc_zero_array(image, struct buffer, header.count);
    for (image->count = 0; image->count < header.count; image->count++) {
        struct dump_buffer b;
        if (size - at < sizeof b)
            return false;
        memcpy(&b, bytes + at, sizeof b);
        at += sizeof b;
        if (b.size > size - at)
            return false;
        image->buffers[image->count] =
            (struct buffer){b.address & ADDRESS_MASK, b.size, bytes + at};
        at += b.size;
    }
    image->start = image->buffers[header.batch].address + header.batch_start;
    return true;
}

int compile_decode(const char *path, const char *target, uint64_t address)
{
    struct i965_decode_options options = {.device = i965_device_by_name(target)};
    struct image *image = talloc_zero(NULL, struct image);
    size_t size;
    uint32_t magic = 0;
    const uint8_t *bytes = (const uint8_t *)compile_read_file(image, path, &size);
    bool ok = bytes && size >= 4 && i965_generation_by_target(target, &options.generation);
    if (ok) {
        memcpy(&magic, bytes, sizeof magic);
        if (magic == DUMP_MAGIC && size >= sizeof(struct dump_header)) {
            ok = parse_dump(image, bytes, size);
        } else {
            image->buffers = talloc_zero(image, struct buffer);
            image->buffers[0] = (struct buffer){address & ADDRESS_MASK, size, bytes};
            image->count = 1;
            image->start = image->buffers[0].address;
        }
    }
    if (!ok) {
        fprintf(stderr, "%s: not a readable batch\n", path);
        talloc_free(image);
        return 2;
    }
    options.address = image->start;
    struct i965_batch_memory memory = {read_image, image};
    unsigned errors = i965_batch_decode(&options, &memory, stdout);
    talloc_free(image);
    return errors ? 1 : 0;
}
