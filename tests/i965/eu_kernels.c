/* SPDX-License-Identifier: MIT */
/*
 * eu_kernels TARGET PREFIX <list: reads kernels of indium-compile --output, one file name per line.
 * Validates each, decodes it, and checks that expansion and compaction round-trip. Writes all of
 * them, concatenated, for Intel's assembler: PREFIX.bin (as compiled), PREFIX.native.bin, and our
 * text of both, PREFIX.asm and PREFIX.native.asm. Exit code 1: an error, printed to stderr.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/i965/eu.h"

struct kernel {
    const char *name;
    uint8_t *bytes;
    size_t size;
    uint32_t *index;  /* Index of the instruction at offset · 8. */
    uint64_t *native; /* Two qwords per instruction. */
    size_t count;     /* Number of instructions. */
};

struct totals {
    unsigned kernels, instructions, compacted, bad;
};

static bool read_kernel(struct kernel *k)
{
    FILE *fp = fopen(k->name, "rb");
    long size = fp && fseek(fp, 0, SEEK_END) == 0 ? ftell(fp) : -1;

    if (size > 0 && fseek(fp, 0, SEEK_SET) == 0) {
        k->size = (size_t)size;
        k->bytes = malloc(k->size);
        k->index = calloc(k->size / 8 + 1, sizeof *k->index);
        k->native = calloc(k->size / 8 + 1, 2 * sizeof *k->native);
    }
    bool ok = k->bytes && k->index && k->native && fread(k->bytes, 1, k->size, fp) == k->size;
    if (fp)
        fclose(fp);
    if (!ok)
        fprintf(stderr, "%s: cannot be read\n", k->name);
    return ok;
}

static void finish_kernel(struct kernel *k)
{
    free(k->bytes);
    free(k->index);
    free(k->native);
}

static bool wrong(const struct kernel *k, size_t offset, const char *what)
{
    fprintf(stderr, "%s: offset %zu: %s\n", k->name, offset, what);
    return false;
}

/* Checks that a compacted instruction expands and compacts to the same bytes. */
static bool expand(const struct i965_device *dev, const struct kernel *k, size_t offset,
                   uint64_t native[2])
{
    uint64_t compact, again;

    memcpy(&compact, k->bytes + offset, 8);
    if (!eu_uncompact(dev, compact, native))
        return wrong(k, offset, "cannot be uncompacted");
    if (!eu_compact(dev, native, &again) || again != compact)
        return wrong(k, offset, "does not compact to what it was");
    return true;
}

/* Decodes an instruction in native form and checks that it encodes to the same bits. Returns its
 * size; 0 on failure. */
static unsigned decode(const struct i965_device *dev, struct kernel *k, size_t offset,
                       struct eu_inst *inst)
{
    uint64_t *native = k->native + 2 * k->count, again[2];
    const char *why = "encodes to other bytes";
    char error[128];
    unsigned length = eu_decode(dev, k->bytes, k->size, offset, inst, error, sizeof error);

    if (!length) {
        fprintf(stderr, "%s: %s\n", k->name, error);
        return 0;
    }
    if (length == 16)
        memcpy(native, k->bytes + offset, 16);
    else if (!expand(dev, k, offset, native))
        return 0;
    if (!eu_encode(dev, inst, again, &why) || memcmp(native, again, sizeof again) != 0) {
        wrong(k, offset, why);
        return 0;
    }
    k->index[offset / 8] = (uint32_t)k->count++;
    return length;
}

/* Returns a jump's distance in the native program. */
static int32_t native_jump(const struct kernel *k, size_t offset, int32_t jump)
{
    size_t target = offset + (size_t)(int64_t)jump;
    return (int32_t)(k->index[target / 8] - k->index[offset / 8]) * 16;
}

/* Adjusts the branches of the native program; the validator has checked their targets. */
static bool fix_branches(const struct i965_device *dev, struct kernel *k)
{
    struct eu_inst inst;
    char error[128];
    const char *why = NULL;

    k->index[k->size / 8] = (uint32_t)k->count;
    for (size_t offset = 0, length; offset < k->size; offset += length) {
        length = eu_decode(dev, k->bytes, k->size, offset, &inst, error, sizeof error);
        if (!length)
            return false;
        if (inst.opcode < EU_OPCODE_JMPI || inst.opcode > EU_OPCODE_RET)
            continue;
        inst.jip = native_jump(k, offset, inst.jip);
        inst.uip = native_jump(k, offset, inst.uip);
        if (!eu_encode(dev, &inst, k->native + 2 * k->index[offset / 8], &why))
            return wrong(k, offset, why);
    }
    return true;
}

/* Checks that the native program compacts to the bytes that the compiler emitted. */
static bool compacts_back(const struct i965_device *dev, const struct kernel *k)
{
    uint8_t *copy = malloc(k->count * 16);
    bool same = copy;

    if (copy) {
        memcpy(copy, k->native, k->count * 16);
        same = eu_compact_program(dev, copy, k->count * 16) == k->size &&
               memcmp(copy, k->bytes, k->size) == 0;
    }
    free(copy);
    return same || wrong(k, 0, "the native program does not compact to these bytes");
}

static bool check_kernel(const struct i965_device *dev, struct kernel *k, struct totals *totals)
{
    struct eu_inst inst;

    if (!read_kernel(k))
        return false;
    if (eu_validate(dev, k->bytes, k->size, stderr))
        return wrong(k, 0, "breaks the hardware's rules");
    for (size_t offset = 0, length; offset < k->size; offset += length) {
        length = decode(dev, k, offset, &inst);
        if (!length)
            return false;
        totals->instructions++;
        totals->compacted += length == 8;
    }
    return fix_branches(dev, k) && compacts_back(dev, k);
}

/* A growing byte buffer. */
struct buffer {
    FILE *fp;
    char *data;
    size_t size;
};

static bool write_file(const char *prefix, const char *ending, const struct i965_device *dev,
                       const struct buffer *b, bool text)
{
    char path[4096];
    FILE *fp;
    bool ok;

    snprintf(path, sizeof path, "%s%s", prefix, ending);
    fp = fopen(path, "wb");
    if (!fp)
        return false;
    ok = text ? eu_disassemble(dev, (const uint8_t *)b->data, b->size, NULL, 0, fp)
              : fwrite(b->data, 1, b->size, fp) == b->size;
    return fclose(fp) == 0 && ok;
}

/* Writes the binary and the text of all kernels. */
static bool write_files(const char *prefix, const char *kind, const struct i965_device *dev,
                        struct buffer *b)
{
    char binary[32], text[32];

    snprintf(binary, sizeof binary, "%s.bin", kind);
    snprintf(text, sizeof text, "%s.asm", kind);
    bool ok = fclose(b->fp) == 0 && write_file(prefix, binary, dev, b, false) &&
              write_file(prefix, text, dev, b, true);
    free(b->data);
    return ok;
}

static void check_list(const struct i965_device *dev, struct buffer *emitted, struct buffer *native,
                       struct totals *totals)
{
    char name[4096];

    while (fgets(name, sizeof name, stdin)) {
        struct kernel k = {.name = name};
        name[strcspn(name, "\n")] = 0;
        totals->kernels++;
        if (check_kernel(dev, &k, totals)) {
            fwrite(k.bytes, 1, k.size, emitted->fp);
            fwrite(k.native, 16, k.count, native->fp);
        } else {
            totals->bad++;
        }
        finish_kernel(&k);
    }
}

int main(int argc, char **argv)
{
    const struct i965_device *dev = argc == 3 ? i965_device_by_name(argv[1]) : NULL;
    struct buffer emitted = {0}, native = {0};
    struct totals totals = {0};

    if (!dev)
        return 2;
    emitted.fp = open_memstream(&emitted.data, &emitted.size);
    native.fp = open_memstream(&native.data, &native.size);
    if (!emitted.fp || !native.fp)
        return 2;
    check_list(dev, &emitted, &native, &totals);
    bool written = write_files(argv[2], "", dev, &emitted);
    written = write_files(argv[2], ".native", dev, &native) && written;
    printf("%u %u %u %u\n", totals.kernels, totals.instructions, totals.compacted, totals.bad);
    return !written || totals.bad;
}
