/* SPDX-License-Identifier: MIT */
/* Writes PNG files (ISO 15948) with 8 bits per channel. */
#ifndef UTIL_PNG_H
#define UTIL_PNG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes an image of width x height pixels, both positive, to `file`, which stays open. get_row
 * stores row y, counted from the top, as width * 4 bytes R, G, B, A; `image` is passed to it.
 * Returns false if out of memory, if the compressed image has 2 GiB or more, or if the file can't
 * be written. */
bool util_png_write(FILE *file, int width, int height,
                    void (*get_row)(const void *image, int y, uint8_t *rgba), const void *image);

#endif
