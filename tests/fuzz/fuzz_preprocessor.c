/* SPDX-License-Identifier: MIT */
/* Fuzzes the GLSL preprocessor. */
#include <talloc.h>

#include "fuzz_glsl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void *mem_ctx = talloc_new(NULL);
    struct fuzz_input in = fuzz_split((const char *)data, size);
    struct glsl_options options = fuzz_options(&in);
    char *log;
    glsl_preprocess(mem_ctx, &options, in.shaders[0].stage, (const char *)data, size, &log);
    talloc_free(mem_ctx);
    return 0;
}
