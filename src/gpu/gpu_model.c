/* SPDX-License-Identifier: MIT */
/* Passes batches to the model of src/driver/i965/model, which knows Gen9. */
#include "gpu/gpu_model.h"

#include <i965_model.h>
#include <stdio.h>
#include <stdlib.h>

#include "driver/i965/i965_device.h"
#include "gpu/gpu_device.h"

static struct i965_model *model;
static bool is_created; /* `model` is final; NULL: there is none */

/* Applies INDIUM_GPU_STRICT, INDIUM_GPU_TRACE (a file) and INDIUM_GPU_PIXEL (X,Y). The file is
 * written until the process ends. */
static void set_options(void)
{
    const char *name = getenv("INDIUM_GPU_TRACE"), *pixel = getenv("INDIUM_GPU_PIXEL");
    FILE *out = name ? fopen(name, "we") : NULL;
    int x = -1, y = -1;

    if (name && !out)
        fprintf(stderr, "indium gpu: cannot write %s\n", name);
    if (pixel && sscanf(pixel, "%d,%d", &x, &y) != 2)
        fprintf(stderr, "indium gpu: INDIUM_GPU_PIXEL is not X,Y\n");
    i965_model_set_trace(model, out, x, y);
    i965_model_set_strict(model, getenv("INDIUM_GPU_STRICT"));
}

bool gpu_model_exists(void)
{
    const struct gpu_chip *chip = gpu_get_chip();
    const struct i965_device *device;

    if (!is_created) {
        is_created = true;
        device = chip->i965_device ? i965_device_by_name(chip->i965_device) : NULL;
        model = device ? i965_model_create(device) : NULL;
        if (model)
            set_options();
        else
            fprintf(stderr,
                    "indium gpu: %s has no model: batches complete, but nothing is executed\n",
                    chip->name);
    }
    return model != NULL;
}

struct i965_model_context *gpu_model_context_create(void)
{
    return gpu_model_exists() ? i965_model_context_create(model) : NULL;
}

void gpu_model_context_destroy(struct i965_model_context *context)
{
    i965_model_context_destroy(context);
}

bool gpu_model_execute(struct i965_model_context *context, const struct i965_model_memory *memory,
                       enum gpu_engine engine, uint64_t batch_address, uint64_t batch_bytes,
                       char *error, size_t error_size)
{
    static const enum i965_ring rings[GPU_ENGINE_COUNT] = {
        [GPU_RENDER] = I965_RING_RENDER,
        [GPU_COPY] = I965_RING_BLITTER,
        [GPU_VIDEO] = I965_RING_VIDEO,
        [GPU_VIDEO2] = I965_RING_VIDEO,
        [GPU_VIDEO_ENHANCE] = I965_RING_VIDEO_ENHANCE,
    };

    return i965_model_execute(context, memory, rings[engine], batch_address, batch_bytes, error,
                              error_size);
}

void gpu_model_after_fork(void)
{
    model = NULL; /* its threads are the parent's */
    is_created = false;
}
