/* SPDX-License-Identifier: MIT */
/*
 * indium-compile: compiles GLSL files, links them if they make a program, and prints what was
 * asked for. The stage comes from the file's ending. Exit code: 0 success, 1 the shaders have
 * errors, 2 wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "compile_options.h"
#include "glsl/hir.h"

struct arguments {
    bool dump_hir, dump_nir, link, es, quiet;
    unsigned version;  /* highest one supported */
    const char **files;
    unsigned count;
};

static void print_program(const struct glsl_program *p)
{
    for (unsigned i = 0; i < p->num_inputs; i++)
        printf("in %s %s: location %d, slot %d\n", p->inputs[i].type->name, p->inputs[i].name,
               p->inputs[i].location, p->inputs[i].slot);
    for (unsigned i = 0; i < p->num_outputs; i++)
        printf("out %s %s: location %d, slot %d\n", p->outputs[i].type->name, p->outputs[i].name,
               p->outputs[i].location, p->outputs[i].slot);
    for (unsigned i = 0; i < p->num_uniforms; i++) {
        const struct glsl_uniform *u = &p->uniforms[i];
        printf("uniform %s %s: location %d, offset %d, stages %x, slots %d %d, block %d\n",
               u->type->name, u->name, u->location, u->offset, u->stages,
               u->opaque_index[SHADER_VERTEX], u->opaque_index[SHADER_FRAGMENT], u->block_index);
    }
    for (unsigned i = 0; i < p->num_blocks; i++)
        printf("block %s: %u bytes\n", p->blocks[i].name, p->blocks[i].size);
    for (unsigned s = 0; s < SHADER_STAGES; s++) {
        if (p->nir[s])
            nir_print_shader(p->nir[s], stdout);
    }
}

static bool link_shaders(void *mem_ctx, const struct glsl_options *options,
                         const struct arguments *args, struct glsl_shader **shaders)
{
    struct glsl_link_input input = {.shaders = shaders, .num_shaders = args->count};
    struct glsl_program *p = glsl_link(mem_ctx, options, &input);
    if (p->info_log[0] && !args->quiet)
        printf("link:\n%s", p->info_log);
    if (p->linked && args->dump_nir)
        print_program(p);
    return p->linked;
}

static int run(const struct arguments *args)
{
    void *mem_ctx = talloc_new(NULL);
    struct glsl_options options;
    struct glsl_shader **shaders = talloc_array(mem_ctx, struct glsl_shader *, args->count);
    bool ok = true;
    compile_options_fill(&options, args->es, args->version);
    for (unsigned i = 0; i < args->count; i++) {
        enum shader_stage stage = compile_stage_of(args->files[i]);
        size_t length;
        char *text = stage == SHADER_STAGE_NONE ? NULL : compile_read_file(mem_ctx, args->files[i], &length);
        if (!text) {
            fprintf(stderr, "%s: cannot be read, or its ending names no stage\n", args->files[i]);
            talloc_free(mem_ctx);
            return 2;
        }
        shaders[i] = glsl_compile(mem_ctx, &options, stage, text, length);
        if (shaders[i]->info_log[0] && !args->quiet)
            printf("%s:\n%s", args->files[i], shaders[i]->info_log);
        ok = ok && shaders[i]->compiled;
        if (shaders[i]->compiled && args->dump_hir)
            hir_print(shaders[i]->hir, stdout);
    }
    if (ok && args->link)
        ok = link_shaders(mem_ctx, &options, args, shaders);
    talloc_free(mem_ctx);
    return ok ? 0 : 1;
}

static int usage(void)
{
    fputs("usage: indium-compile [options] file.vert file.frag …\n"
          "  --dump-hir    print the tree of each shader\n"
          "  --dump-nir    link, print the program's interface and NIR\n"
          "  --link        link\n"
          "  --es          GL ES\n"
          "  --version=N   the highest language version (130; ES: 100)\n"
          "  --quiet       no messages\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    struct arguments args = {0};
    args.files = talloc_array(NULL, const char *, argc);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--dump-hir"))
            args.dump_hir = true;
        else if (!strcmp(argv[i], "--dump-nir"))
            args.dump_nir = args.link = true;
        else if (!strcmp(argv[i], "--link"))
            args.link = true;
        else if (!strcmp(argv[i], "--es"))
            args.es = true;
        else if (!strcmp(argv[i], "--quiet"))
            args.quiet = true;
        else if (!strncmp(argv[i], "--version=", 10))
            args.version = strtoul(argv[i] + 10, NULL, 10);
        else if (argv[i][0] == '-')
            return usage();
        else
            args.files[args.count++] = argv[i];
    }
    if (!args.count)
        return usage();
    if (!args.version)
        args.version = args.es ? 100 : 130;
    int code = run(&args);
    talloc_free(args.files);
    return code;
}
