/* SPDX-License-Identifier: MIT */
/*
 * indium-compile: compiles GLSL files, links them if they make a program, and prints what was
 * asked for. The stage comes from the file's ending. Exit code: 0 success, 1 the shaders have
 * errors, 2 wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>

#include "glsl/glsl.h"
#include "glsl/hir.h"

struct arguments {
    bool dump_hir, dump_nir, link, es, quiet;
    unsigned version;  /* highest one supported */
    const char **files;
    unsigned count;
};

static const nir_shader_compiler_options nir_options = {.max_unroll_iterations = 32};

/* What a capable implementation has, so that programs are judged by the language. */
static void fill_options(struct glsl_options *o, const struct arguments *args)
{
    *o = (struct glsl_options){
        .es = args->es,
        .max_version = args->es ? 0 : args->version,
        .max_es_version = args->es ? args->version : 0,
        .default_version = args->es ? 100 : 110,
        .limits = {
            .max_lights = 8,
            .max_clip_planes = 8,
            .max_texture_units = 8,
            .max_texture_coords = 8,
            .max_vertex_attribs = 16,
            .max_vertex_uniform_components = 4096,
            .max_fragment_uniform_components = 4096,
            .max_varying_components = 128,
            .max_vertex_texture_image_units = 16,
            .max_texture_image_units = 16,
            .max_combined_texture_image_units = 48,
            .max_draw_buffers = 8,
            .max_dual_source_draw_buffers = 1,
            .max_clip_distances = 8,
            .max_uniform_locations = 1024,
            .max_uniform_block_size = 65536,
            .max_uniform_blocks = 14,
            .max_combined_uniform_blocks = 42,
            .max_samples = 4,
            .max_viewports = 16,
            .min_program_texel_offset = -8,
            .max_program_texel_offset = 7,
            .min_program_texture_gather_offset = -8,
            .max_program_texture_gather_offset = 7,
            .max_transform_feedback_buffers = 4,
            .max_transform_feedback_components = 64,
        },
    };
    for (unsigned s = 0; s < SHADER_STAGES; s++)
        o->nir_options[s] = &nir_options;
    for (unsigned i = 0; i < GLSL_EXT_COUNT; i++)
        bitset_set(o->extensions, i);
}

static enum shader_stage stage_of(const char *file)
{
    static const struct {
        const char *ending;
        enum shader_stage stage;
    } endings[] = {
        {".vert", SHADER_VERTEX},    {".frag", SHADER_FRAGMENT},  {".geom", SHADER_GEOMETRY},
        {".tesc", SHADER_TESS_CTRL}, {".tese", SHADER_TESS_EVAL}, {".comp", SHADER_COMPUTE},
    };
    const char *dot = strrchr(file, '.');
    for (unsigned i = 0; dot && i < ARRAY_SIZE(endings); i++) {
        if (!strcmp(dot, endings[i].ending))
            return endings[i].stage;
    }
    return SHADER_STAGE_NONE;
}

static char *read_file(void *mem_ctx, const char *path, size_t *length)
{
    FILE *fp = fopen(path, "rb");
    char *text = talloc_size(mem_ctx, 1);
    size_t capacity = 1, n;
    *length = 0;
    if (!fp)
        return NULL;
    do {
        if (*length + 4096 > capacity) {
            capacity = capacity * 2 + 4096;
            text = talloc_realloc_size(mem_ctx, text, capacity);
        }
        n = fread(text + *length, 1, 4096, fp);
        *length += n;
    } while (n > 0);
    fclose(fp);
    return text;
}

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
    fill_options(&options, args);
    for (unsigned i = 0; i < args->count; i++) {
        enum shader_stage stage = stage_of(args->files[i]);
        size_t length;
        char *text = stage == SHADER_STAGE_NONE ? NULL : read_file(mem_ctx, args->files[i], &length);
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
