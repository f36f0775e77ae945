/* SPDX-License-Identifier: MIT */
/* indium-compile for Intel GPUs: assembly, statistics and binaries of each dispatch width. */
#include "compile_i965.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "compile_prog_data.h"
#include "driver/i965/i965_compiler.h"
#include "nir/nir.h"

static const char *stage_name(enum shader_stage stage)
{
    static const char *const names[] = {"vs", "tcs", "tes", "gs", "fs", "cs"};
    return (unsigned)stage < ARRAY_SIZE(names) ? names[stage] : "?";
}

/* Prints: file, stage, width, instructions, loops, cycles, spills, fills, sends. */
static void print_row(const char *name, const char *stage, const struct i965_kernel *k)
{
    const char *tests = strstr(name, "tests/");
    const struct i965_stats *s = &k->stats;
    printf("%s\t%s\tSIMD%u\t%u\t%u\t%" PRIu64 "\t%u\t%u\t%u\n", tests ? tests : name, stage,
           k->width, s->instructions, s->loops, s->cycles, s->spills, s->fills, s->sends);
}

static void print_kernel(const struct i965_device *dev, const char *name, const char *stage,
                         const struct i965_program *program, const struct i965_kernel *k)
{
    const struct i965_stats *s = &k->stats;
    printf("%s %s SIMD%u: %u instructions (%u compacted, %u bytes), %u sends, %u loops, "
           "%u:%u spills:fills, %" PRIu64
           " cycles, %u registers of push constants from r%u, %u bytes of "
           "scratch\n",
           name, stage, k->width, s->instructions, s->compacted, s->bytes, s->sends, s->loops,
           s->spills, s->fills, s->cycles, program->data.curb_read_length, k->dispatch_grf_start,
           program->data.scratch_size);
    eu_disassemble(dev, k->code, k->code_size, k->comments, k->num_comments, stdout);
    printf("\n");
}

/* Writes a binary. File name: prefix, flattened shader path, stage and width. */
static bool write_kernel(const char *prefix, const char *name, const char *stage,
                         const struct i965_kernel *k)
{
    const char *tests = strstr(name, "tests/");
    char *flat = talloc_strdup(NULL, tests ? tests : name);
    for (char *c = flat; *c; c++)
        *c = *c == '/' ? '_' : *c;
    char *path = talloc_asprintf(flat, "%s%s.%s%u.bin", prefix, flat, stage, k->width);
    FILE *fp = fopen(path, "wb");
    bool ok = fp && fwrite(k->code, 1, k->code_size, fp) == k->code_size;
    ok = fp && fclose(fp) == 0 && ok;
    if (!ok)
        fprintf(stderr, "%s: cannot write\n", path);
    talloc_free(flat);
    return ok;
}

bool compile_for_i965(const char *name, const char *target, nir_shader *nir,
                      nir_shader *const stages[SHADER_STAGE_COUNT],
                      const struct compile_arguments *args)
{
    const struct i965_device *dev = i965_device_by_name(target);
    const char *error = NULL, *stage = stage_name(nir->info.stage);
    struct i965_key key = {.max_width = args->width};
    i965_key_from_program(&key, stages, nir->info.stage);
    void *mem_ctx = talloc_new(NULL);
    unsigned flags = (args->validate ? I965_COMPILE_VALIDATE : 0) |
                     (args->batch ? 0 : I965_COMPILE_COMMENTS) |
                     (args->no_compaction ? I965_COMPILE_NO_COMPACTION : 0);
    struct i965_program *program = i965_compile(mem_ctx, dev, nir, &key, flags, &error);
    bool ok = program != NULL;
    if (!program)
        fprintf(stderr, "%s: %s: %s\n", name, stage, error);
    if (program && args->prog_data)
        compile_print_prog_data(stdout, name, target, program);
    for (unsigned i = 0; program && i < ARRAY_SIZE(program->kernels); i++) {
        const struct i965_kernel *k = &program->kernels[i];
        if (!k->width)
            continue;
        if (args->batch)
            print_row(name, stage, k);
        else if (!args->quiet && !args->prog_data)
            print_kernel(dev, name, stage, program, k);
        if (args->output)
            ok = write_kernel(args->output, name, stage, k) && ok;
    }
    talloc_free(mem_ctx);
    return ok;
}
