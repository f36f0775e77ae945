/* SPDX-License-Identifier: MIT */
/* A context of the model with one mapping of memory, for tests of its parts. */
#ifndef MODEL_FIXTURE_H
#define MODEL_FIXTURE_H

#include "model_private.h"

#define FIXTURE_ADDRESS 0x100000000ull
#define FIXTURE_BYTES   0x100000u

struct fixture {
    struct model_context ctx;
    struct i965_model_memory memory;
    uint8_t *bytes; /* At FIXTURE_ADDRESS. */
    char error[256];
};

/* Initializes a context that executes a packet called "TEST". */
void fixture_init(struct fixture *f);
void fixture_finish(struct fixture *f);

/* Returns the state of a 2D surface at FIXTURE_ADDRESS. format: enum i965_surface_format; tile:
 * enum i965_tile_mode; pitch in bytes. */
struct i965_render_surface_state fixture_surface(uint32_t format, uint32_t tile, uint32_t width,
                                                 uint32_t height, uint32_t pitch);

#endif
