/* SPDX-License-Identifier: MIT */
/* No chip has a model yet. */
#include "gpu/gpu_model.h"

#include <stdio.h>

#include "gpu/gpu_device.h"

bool gpu_model_exists(void)
{
    static bool reported;

    if (!reported) {
        reported = true;
        fprintf(stderr, "indium gpu: %s has no model: batches complete, but nothing is executed\n",
                gpu_get_chip()->name);
    }
    return false;
}

struct gpu_model_context *gpu_model_context_create(void)
{
    return NULL;
}

void gpu_model_context_destroy(struct gpu_model_context *context)
{
}

bool gpu_model_execute(struct gpu_model_context *context,
                       uint8_t *(*find)(void *vm, uint64_t address, uint64_t *bytes), void *vm,
                       enum gpu_engine engine, uint64_t batch_address, uint64_t batch_bytes,
                       char *error, size_t error_size)
{
    return true;
}

void gpu_model_after_fork(void)
{
}
