/* SPDX-License-Identifier: MIT */
/* Writes PNG files with fast compression and without filters. */
#include "util/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void put_be32(uint8_t *p, uint32_t v)
{
    p[0] = v >> 24;
    p[1] = v >> 16;
    p[2] = v >> 8;
    p[3] = v;
}

/* Writes a PNG chunk (ISO 15948 §5.3): length, type, data, CRC of type and data. */
static bool write_chunk(FILE *file, const char *type, const uint8_t *data, uint32_t size)
{
    uint8_t head[8], crc[4];

    put_be32(head, size);
    memcpy(head + 4, type, 4);
    put_be32(crc, crc32_z(crc32(0, head + 4, 4), data, size));
    return fwrite(head, 1, 8, file) == 8 && fwrite(data, 1, size, file) == size &&
           fwrite(crc, 1, 4, file) == 4;
}

bool util_png_write(FILE *file, int width, int height,
                    void (*get_row)(const void *image, int y, uint8_t *rgba), const void *image)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {[8] = 8 /* bits */, [9] = 6 /* RGBA */};
    size_t row = (size_t)width * 4 + 1; /* starts with the filter byte 0 (none) */
    uLong raw_size = row * height, size = compressBound(raw_size);
    uint8_t *raw = calloc(raw_size, 1), *packed = malloc(size);
    bool ok = raw && packed;

    for (int y = 0; ok && y < height; y++)
        get_row(image, y, raw + y * row + 1);
    put_be32(header, width);
    put_be32(header + 4, height);
    ok = ok && compress2(packed, &size, raw, raw_size, 1) == Z_OK && size <= INT32_MAX &&
         fwrite(signature, 1, 8, file) == 8 && write_chunk(file, "IHDR", header, sizeof header) &&
         write_chunk(file, "IDAT", packed, size) && write_chunk(file, "IEND", packed, 0);
    free(raw);
    free(packed);
    return ok;
}
