/* SPDX-License-Identifier: MIT */
/*
 * indium-compile: compiles and links GLSL files or piglit's .shader_test files, lowers them as a
 * driver does, checks, counts, and prints on request. Exit code: 0 on success; 1 if the shaders
 * have errors (batch: if a check or crash is found); 2 for wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "compile_decode.h"
#include "compile_options.h"
#include "compile_program.h"
#include "compile_stats.h"
#include "driver/i965/i965_device.h"
#include "i965_batch.h"

/* GLSL files together form one program; each .shader_test is a separate program. */
static int run(const struct compile_arguments *args)
{
    void *mem_ctx = talloc_new(NULL);
    struct compile_stats *stats = talloc_zero(mem_ctx, struct compile_stats);
    struct compile_unit unit = {.name = args->files[0]};
    enum compile_result result;
    bool readable = true;
    if (compile_is_shader_test(args->files[0]) && args->count == 1) {
        readable = compile_read_shader_test(mem_ctx, &unit, args->files[0]);
    } else {
        for (unsigned i = 0; i < args->count && readable; i++)
            readable = compile_add_glsl_file(mem_ctx, &unit, unit.name = args->files[i]);
    }
    if (!readable || unit.unsupported) {
        fprintf(stderr, "%s: %s\n", unit.name,
                readable ? unit.unsupported : "cannot be read, or its extension names no stage");
        talloc_free(mem_ctx);
        return 2;
    }
    compile_stats_init(stats, args->validate);
    result = COMPILE_DONE;
    for (const struct compile_unit *u = &unit; u && result == COMPILE_DONE; u = u->next)
        result = compile_unit(u, args, stats);
    if (args->stats)
        compile_stats_print(stats, stdout);
    talloc_free(mem_ctx);
    return result == COMPILE_DONE ? 0 : 1;
}

static int usage(void)
{
    fputs(
        "usage: indium-compile [options] file.vert file.frag.spv … | file.shader_test\n"
        "  --dump-tokens      print each shader after preprocessing\n"
        "  --dump-ast         print the syntax tree of each shader\n"
        "  --dump-hir         print the typed tree of each shader\n"
        "  --dump-nir         link, print the program's interface and NIR\n"
        "  --dump-lir         print the NIR after the driver's lowering\n"
        "  --link             link\n"
        "  --optimize         link and run the driver's lowering (same as --target=cpu)\n"
        "  --target=T         driver: cpu, or skl (prints assembly; with --batch, a line of\n"
        "                     statistics per kernel)\n"
        "  --decode=IMAGE     print the batch in a file; --target is then bdw, skl, icl or tgl\n"
        "  --address=A        the GPU address of IMAGE, where its first packet is (default 0)\n"
        "  --nir-only         skl: stop after the lowering of NIR\n"
        "  --output=P         skl: write each kernel to a file whose name begins with P\n"
        "  --width=N          skl: compile no kernels wider than N channels\n"
        "  --no-compaction    skl: use native instructions only\n"
        "  --validate         validate the NIR after every pass\n"
        "  --check-serialize  check that NIR survives serialization unchanged\n"
        "  --stats            print time and progress of each pass\n"
        "  --batch            each file is a program; report crashes and continue\n"
        "  --expect           with --batch: each .shader_test must link or fail as it states\n"
        "  --list=FILE        batch of the files listed in FILE, one per line (-: stdin)\n"
        "  --timeout=S        time limit of a program in a batch, in seconds (default 30)\n"
        "  --es               compile as OpenGL ES\n"
        "  --version=N        highest language version (default 130; ES: 100; .shader_test: all)\n"
        "  --quiet            don't print messages of the compiler and linker\n",
        stderr);
    return 2;
}

/* Appends the lines of a file to args->files. */
static bool read_list(struct compile_arguments *args, const char *path)
{
    size_t length;
    char *text = compile_read_file(args->files, strcmp(path, "-") ? path : "/dev/stdin", &length);
    if (!text)
        return false;
    text = talloc_strndup(args->files, text, length);
    for (char *save, *line = strtok_r(text, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        args->files = talloc_realloc(NULL, args->files, const char *, args->count + 1);
        args->files[args->count++] = line;
    }
    return true;
}

static bool parse_option(struct compile_arguments *args, const char *option)
{
    enum i965_generation gen;
    char *end;
    static const struct {
        const char *name;
        size_t flag;
    } flags[] = {
        {"--dump-tokens", offsetof(struct compile_arguments, dump_tokens)},
        {"--dump-ast", offsetof(struct compile_arguments, dump_ast)},
        {"--dump-hir", offsetof(struct compile_arguments, dump_hir)},
        {"--dump-nir", offsetof(struct compile_arguments, dump_nir)},
        {"--dump-lir", offsetof(struct compile_arguments, dump_lir)},
        {"--link", offsetof(struct compile_arguments, link)},
        {"--es", offsetof(struct compile_arguments, es)},
        {"--quiet", offsetof(struct compile_arguments, quiet)},
        {"--validate", offsetof(struct compile_arguments, validate)},
        {"--check-serialize", offsetof(struct compile_arguments, check_serialize)},
        {"--stats", offsetof(struct compile_arguments, stats)},
        {"--nir-only", offsetof(struct compile_arguments, nir_only)},
        {"--no-compaction", offsetof(struct compile_arguments, no_compaction)},
        {"--batch", offsetof(struct compile_arguments, batch)},
        {"--expect", offsetof(struct compile_arguments, expect)},
    };
    for (unsigned i = 0; i < ARRAY_SIZE(flags); i++) {
        if (!strcmp(option, flags[i].name)) {
            *(bool *)((char *)args + flags[i].flag) = true;
            return true;
        }
    }
    if (!strcmp(option, "--optimize") || !strcmp(option, "--target=cpu")) {
        args->target = TARGET_CPU;
        return true;
    }
    if (!strncmp(option, "--target=", 9) && i965_generation_by_target(option + 9, &gen)) {
        args->target = TARGET_I965;
        args->device = option + 9;
        return true;
    }
    if (!strncmp(option, "--decode=", 9))
        return (args->decode = option + 9)[0] != '\0';
    if (!strncmp(option, "--address=", 10)) {
        args->address = strtoull(option + 10, &end, 0);
        return option[10] && !*end;
    }
    if (!strncmp(option, "--output=", 9))
        return (args->output = option + 9)[0] != '\0';
    if (!strncmp(option, "--width=", 8))
        return (args->width = strtoul(option + 8, NULL, 10)) > 0;
    if (!strncmp(option, "--list=", 7)) {
        args->batch = true;
        return read_list(args, option + 7);
    }
    if (!strncmp(option, "--version=", 10))
        return (args->version = strtoul(option + 10, NULL, 10)) > 0;
    if (!strncmp(option, "--timeout=", 10))
        return (args->seconds = strtoul(option + 10, NULL, 10)) > 0;
    return false;
}

int main(int argc, char **argv)
{
    struct compile_arguments args = {.seconds = 30};
    bool ok = true;
    args.files = talloc_array(NULL, const char *, argc);
    for (int i = 1; i < argc && ok; i++) {
        if (argv[i][0] == '-') {
            ok = parse_option(&args, argv[i]);
            continue;
        }
        args.files = talloc_realloc(NULL, args.files, const char *, args.count + 1);
        args.files[args.count++] = argv[i];
    }
    bool decodes = args.decode && args.target == TARGET_I965 && !args.count;
    bool compiles = !args.decode && args.count &&
                    (args.target != TARGET_I965 || i965_device_by_name(args.device));
    if (!ok || (!decodes && !compiles)) {
        talloc_free(args.files);
        return usage();
    }
    if (decodes) {
        talloc_free(args.files);
        return compile_decode(args.decode, args.device, args.address);
    }
    if (args.dump_lir && args.target == TARGET_NONE)
        args.target = TARGET_CPU;
    args.link |= args.dump_nir || args.batch || args.check_serialize || args.stats ||
                 args.validate || args.target != TARGET_NONE;
    int code = args.batch ? compile_batch(&args) : run(&args);
    talloc_free(args.files);
    return code;
}
