/* SPDX-License-Identifier: MIT */
/*
 * Executes batches on the model of a GPU:
 *   model_run [--address=A] [--blitter] [--strict] [--trace[=X,Y]] [--read=ADDRESS:SIZE:FILE]… IMAGE…
 * IMAGE is a copy of GPU memory from address A on that starts with a batch (indium-compile
 * --image), or the dump of an execbuffer (docs/i965.md). The images run one after another in one
 * context. --read writes a part of memory after the last one. --trace prints a trace, with the
 * history of pixel X,Y. Prints an error if a batch has one.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "i965_device.h"
#include "i965_model.h"

#define DUMP_MAGIC  0x35313969u
#define MAX_BUFFERS 4096u
#define MAX_READS   16u
#define ADDRESS     0xffffffffffffu

struct buffer {
    uint64_t address, size;
    uint8_t *bytes;
};

struct part {
    uint64_t address, size;
    const char *file;
};

struct memory {
    unsigned count;
    struct buffer buffer[MAX_BUFFERS];
    uint64_t batch, batch_bytes;
    uint8_t *file; /* Contents of the image, which the buffers point into. */
};

static uint8_t *find(void *vm, uint64_t address, uint64_t *bytes)
{
    const struct memory *m = vm;
    for (unsigned i = 0; i < m->count; i++) {
        const struct buffer *b = &m->buffer[i];
        if (address < b->address || address - b->address >= b->size)
            continue;
        *bytes = b->size - (address - b->address);
        return b->bytes + (address - b->address);
    }
    return NULL;
}

static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        return NULL;
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(*size + 1);
    if (bytes && fread(bytes, 1, *size, f) != *size)
        *size = 0;
    fclose(f);
    return bytes;
}

/* Returns false if the dump is truncated. */
static bool load_dump(struct memory *m, size_t size)
{
    uint32_t header[8];
    memcpy(header, m->file, sizeof header);
    size_t at = sizeof header;
    for (unsigned i = 0; i < header[1] && i < MAX_BUFFERS; i++) {
        uint64_t place[2];
        if (size - at < 32)
            return false;
        memcpy(place, m->file + at, sizeof place);
        at += 32;
        if (size - at < place[1])
            return false;
        m->buffer[m->count++] = (struct buffer){place[0] & ADDRESS, place[1], m->file + at};
        at += place[1];
    }
    if (header[2] >= m->count)
        return false;
    m->batch = m->buffer[header[2]].address + header[3];
    m->batch_bytes = header[4];
    return true;
}

static bool load(struct memory *m, const char *name, uint64_t address)
{
    size_t size = 0;
    uint32_t magic = 0;
    m->count = 0;
    m->file = read_file(name, &size);
    if (!m->file || size < 32) {
        fprintf(stderr, "%s: cannot read\n", name);
        return false;
    }
    memcpy(&magic, m->file, sizeof magic);
    if (magic == DUMP_MAGIC)
        return load_dump(m, size);
    m->buffer[m->count++] = (struct buffer){address, size, m->file};
    m->batch = address;
    m->batch_bytes = 0;
    return true;
}

static bool write_part(struct memory *m, const struct part *p)
{
    uint64_t bytes = 0;
    const uint8_t *from = find(m, p->address, &bytes);
    FILE *f = from && bytes >= p->size ? fopen(p->file, "wb") : NULL;
    if (!f) {
        fprintf(stderr, "%s: no memory at %#" PRIx64 ", or cannot write\n", p->file, p->address);
        return false;
    }
    bool done = fwrite(from, 1, p->size, f) == p->size;
    return !fclose(f) && done;
}

static bool run(struct i965_model_context *context, struct memory *m, enum i965_ring ring)
{
    char error[256];
    const struct i965_model_memory memory = {find, m};
    if (i965_model_execute(context, &memory, ring, m->batch, m->batch_bytes, error, sizeof error))
        return true;
    fprintf(stderr, "error: %s\n", error);
    return false;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"address", required_argument, NULL, 'a'}, {"blitter", no_argument, NULL, 'b'},
        {"read", required_argument, NULL, 'r'},    {"strict", no_argument, NULL, 's'},
        {"trace", optional_argument, NULL, 't'},   {0}};
    static struct memory memory;
    struct part part[MAX_READS];
    unsigned parts = 0;
    uint64_t address = 0;
    bool strict = false, trace = false;
    int x = -1, y = -1;
    enum i965_ring ring = I965_RING_RENDER;
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        char *end = optarg;
        if (o == 'a') {
            address = strtoull(optarg, NULL, 0) & ADDRESS;
        } else if (o == 'b') {
            ring = I965_RING_BLITTER;
        } else if (o == 'r' && parts < MAX_READS) {
            part[parts].address = strtoull(optarg, &end, 0) & ADDRESS;
            part[parts].size = *end ? strtoull(end + 1, &end, 0) : 0;
            part[parts++].file = *end ? end + 1 : "";
        } else if (o == 's') {
            strict = true;
        } else if (o == 't' && (!optarg || sscanf(optarg, "%d,%d", &x, &y) == 2)) {
            trace = true;
        } else {
            return 2;
        }
    }
    struct i965_model *model = i965_model_create(i965_device_by_name("skl"));
    if (model) {
        i965_model_set_strict(model, strict);
        i965_model_set_trace(model, trace ? stdout : NULL, x, y);
    }
    struct i965_model_context *context = model ? i965_model_context_create(model) : NULL;
    bool done = context != NULL;
    for (int i = optind; i < argc && done; i++) {
        free(memory.file);
        done = load(&memory, argv[i], address) && run(context, &memory, ring);
    }
    for (unsigned i = 0; i < parts && memory.file; i++)
        done = write_part(&memory, &part[i]) && done;
    i965_model_context_destroy(context);
    i965_model_destroy(model);
    free(memory.file);
    return !done;
}
