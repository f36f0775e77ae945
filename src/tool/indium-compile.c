/* SPDX-License-Identifier: MIT */
/*
 * indium-compile: compiles and links GLSL files or piglit's .shader_test files, lowers them as a
 * driver does, checks, counts, and prints on request. Exit code: 0 on success; 1 if the shaders
 * have errors (batch: if a check or crash is found); 2 for wrong usage.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
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
    fputs("usage: indium-compile [options] file.vert file.frag.spv … | file.shader_test\n"
          "  --dump-tokens      print each shader after preprocessing\n"
          "  --dump-ast         print the syntax tree of each shader\n"
          "  --dump-hir         print the typed tree of each shader\n"
          "  --dump-nir         link, print the program's interface and NIR\n"
          "  --dump-lir         print the NIR after the driver's lowering\n"
          "  --link             link\n"
          "  --optimize         link and run the driver's lowering (same as --target=cpu)\n"
          "  --target=T         driver: cpu, or an Intel GPU (prints assembly; with --batch, a\n"
          "                     line of statistics per kernel); list: print the targets\n"
          "  --decode=IMAGE     print the batch for --target in a file\n"
          "  --address=A        with --decode: GPU address of IMAGE and of its first packet\n"
          "                     (default 0)\n"
          "  --prog-data=json   Intel: print what the pipeline state needs of each shader\n"
          "  --image=FILE       Intel: write an image of GPU memory with a batch that draws with\n"
          "                     the shaders, at the address --address\n"
          "  --size=WxH         with --image: size of the render targets (default 256x256)\n"
          "  --vertices=N       with --image: vertices of an instance (default 3)\n"
          "  --instances=N      with --image: instances (default 1)\n"
          "  --depth, --blend   with --image: test depth and stencil; blend by alpha\n"
          "  --relocations=FILE with --image: list where addresses are\n"
          "  --nir-only         Intel: stop after the lowering of NIR\n"
          "  --output=P         Intel: write each kernel to a file whose name begins with P\n"
          "  --width=N          Intel: compile no kernels wider than N channels\n"
          "  --no-compaction    Intel: use native instructions only\n"
          "  --validate         validate the NIR after every pass\n"
          "  --check-serialize  check that NIR survives serialization unchanged\n"
          "  --stats            print time and progress of each pass\n"
          "  --batch            each file is a program; report crashes and continue\n"
          "  --expect           with --batch: each .shader_test must link or fail as it states\n"
          "  --list=FILE        batch of the files listed in FILE, one per line (-: stdin)\n"
          "  --timeout=S        time limit of a program in a batch, in seconds (default 30)\n"
          "  --es               compile as OpenGL ES\n"
          "  --version=N        highest language version (default 460; ES: 320)\n"
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

/* What getopt_long returns for each option. Flags and --help need no value. */
enum option_id {
    OPTION_FLAG = 0, /* getopt_long has set the flag. */
    OPTION_ADDRESS = 256,
    OPTION_DECODE,
    OPTION_IMAGE,
    OPTION_INSTANCES,
    OPTION_LIST,
    OPTION_OPTIMIZE,
    OPTION_OUTPUT,
    OPTION_PROG_DATA,
    OPTION_RELOCATIONS,
    OPTION_SIZE,
    OPTION_TARGET,
    OPTION_TIMEOUT,
    OPTION_VERSION,
    OPTION_VERTICES,
    OPTION_WIDTH,
};

/* Options without a value, which set a bool of struct compile_arguments. */
static const struct {
    const char *name;
    size_t offset;
} flags[] = {
    {"batch", offsetof(struct compile_arguments, batch)},
    {"blend", offsetof(struct compile_arguments, blend)},
    {"check-serialize", offsetof(struct compile_arguments, check_serialize)},
    {"depth", offsetof(struct compile_arguments, depth)},
    {"dump-ast", offsetof(struct compile_arguments, dump_ast)},
    {"dump-hir", offsetof(struct compile_arguments, dump_hir)},
    {"dump-lir", offsetof(struct compile_arguments, dump_lir)},
    {"dump-nir", offsetof(struct compile_arguments, dump_nir)},
    {"dump-tokens", offsetof(struct compile_arguments, dump_tokens)},
    {"es", offsetof(struct compile_arguments, es)},
    {"expect", offsetof(struct compile_arguments, expect)},
    {"link", offsetof(struct compile_arguments, link)},
    {"nir-only", offsetof(struct compile_arguments, nir_only)},
    {"no-compaction", offsetof(struct compile_arguments, no_compaction)},
    {"quiet", offsetof(struct compile_arguments, quiet)},
    {"stats", offsetof(struct compile_arguments, stats)},
    {"validate", offsetof(struct compile_arguments, validate)},
};

static const struct option value_options[] = {
    {"address", required_argument, NULL, OPTION_ADDRESS},
    {"decode", required_argument, NULL, OPTION_DECODE},
    {"image", required_argument, NULL, OPTION_IMAGE},
    {"instances", required_argument, NULL, OPTION_INSTANCES},
    {"list", required_argument, NULL, OPTION_LIST},
    {"optimize", no_argument, NULL, OPTION_OPTIMIZE},
    {"output", required_argument, NULL, OPTION_OUTPUT},
    {"prog-data", required_argument, NULL, OPTION_PROG_DATA},
    {"relocations", required_argument, NULL, OPTION_RELOCATIONS},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"target", required_argument, NULL, OPTION_TARGET},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"version", required_argument, NULL, OPTION_VERSION},
    {"vertices", required_argument, NULL, OPTION_VERTICES},
    {"width", required_argument, NULL, OPTION_WIDTH},
};

/* Stores a number of at least min. Returns false and prints a message if the text is none. */
static bool parse_number(const char *option, const char *text, uint64_t min, uint64_t max,
                         uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    if (*text && *text != '-' && !*end && !errno && *value >= min && *value <= max)
        return true;
    fprintf(stderr, "indium-compile: --%s=%s: not a number from %" PRIu64 " to %" PRIu64 "\n",
            option, text, min, max);
    return false;
}

static bool parse_unsigned(const char *option, unsigned *value)
{
    uint64_t number;
    bool ok = parse_number(option, optarg, 1, UINT_MAX, &number);
    *value = (unsigned)number;
    return ok;
}

/* Reads a size such as "640x480". Returns false and prints a message if it is none, or too
 * large. */
static bool parse_size(struct compile_arguments *args, const char *text)
{
    unsigned width, height;
    int length = 0;
    if (sscanf(text, "%5ux%5u%n", &width, &height, &length) == 2 && !text[length] && width >= 1 &&
        height >= 1 && width <= 4096 && height <= 4096) {
        args->image_size[0] = width;
        args->image_size[1] = height;
        return true;
    }
    fprintf(stderr, "indium-compile: --size=%s: not a size from 1x1 to 4096x4096\n", text);
    return false;
}

/* Prints the targets and what is known of them. */
static void print_targets(FILE *out)
{
    static const char *const names[] = {"bdw", "skl", "icl", "tgl"};
    fputs("cpu   the CPU driver\n", out);
    for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
        const struct i965_device *d = i965_device_by_name(names[i]);
        if (!d) {
            fprintf(out, "%-4s  Intel GPU: --decode only\n", names[i]);
            continue;
        }
        fprintf(out,
                "%-4s  Intel GPU, generation %u.%u: %u registers per thread, %u threads per EU, "
                "SIMD8 to SIMD%u\n",
                d->name, d->verx10 / 10, d->verx10 % 10, d->grf_count, d->threads_per_eu,
                d->max_simd);
        const struct {
            bool has;
            const char *what;
        } lacks[] = {
            {d->has_64bit_types, "doubles and 64-bit integers"},
            {d->has_target_reads, "reads of render targets"},
            {d->has_stencil_output, "stencil outputs"},
        };
        for (unsigned k = 0; k < ARRAY_SIZE(lacks); k++) {
            if (!lacks[k].has)
                fprintf(out, "      without %s in shaders\n", lacks[k].what);
        }
    }
}

/* Returns false and prints a message if there is no such target. */
static bool parse_target(struct compile_arguments *args, const char *name)
{
    enum i965_generation gen;
    if (!strcmp(name, "cpu")) {
        args->target = TARGET_CPU;
        return true;
    }
    if (i965_generation_by_target(name, &gen)) {
        args->target = TARGET_I965;
        args->device = name;
        return true;
    }
    fprintf(stderr, "indium-compile: --target=%s: no such target. Targets are:\n", name);
    print_targets(stderr);
    return false;
}

static bool parse_value(struct compile_arguments *args, int id)
{
    switch (id) {
    case OPTION_ADDRESS:
        return parse_number("address", optarg, 0, UINT64_MAX, &args->address);
    case OPTION_DECODE:
        args->decode = optarg;
        return true;
    case OPTION_IMAGE:
        args->image = optarg;
        return true;
    case OPTION_INSTANCES:
        return parse_unsigned("instances", &args->instances);
    case OPTION_LIST:
        args->batch = true;
        return read_list(args, optarg);
    case OPTION_OPTIMIZE:
        args->target = TARGET_CPU;
        return true;
    case OPTION_OUTPUT:
        args->output = optarg;
        return true;
    case OPTION_PROG_DATA:
        args->prog_data = true;
        return !strcmp(optarg, "json");
    case OPTION_RELOCATIONS:
        args->relocations = optarg;
        return true;
    case OPTION_SIZE:
        return parse_size(args, optarg);
    case OPTION_TARGET:
        return parse_target(args, optarg);
    case OPTION_TIMEOUT:
        return parse_unsigned("timeout", &args->seconds);
    case OPTION_VERSION:
        return parse_unsigned("version", &args->version);
    case OPTION_VERTICES:
        return parse_unsigned("vertices", &args->vertices);
    case OPTION_WIDTH:
        return parse_unsigned("width", &args->width);
    default:
        return false;
    }
}

/* Reads options and files. Returns false after a message if the command line is wrong. */
static bool parse_arguments(struct compile_arguments *args, int argc, char **argv)
{
    enum { FLAGS = ARRAY_SIZE(flags), VALUES = ARRAY_SIZE(value_options) };
    struct option options[FLAGS + VALUES + 1] = {0};
    int set[FLAGS] = {0}, id;
    bool ok = true;
    for (unsigned i = 0; i < FLAGS; i++)
        options[i] = (struct option){flags[i].name, no_argument, &set[i], 1};
    memcpy(options + FLAGS, value_options, sizeof value_options);
    while (ok && (id = getopt_long(argc, argv, "", options, NULL)) != -1)
        ok = id == OPTION_FLAG || parse_value(args, id);
    for (unsigned i = 0; i < FLAGS; i++)
        *(bool *)((char *)args + flags[i].offset) |= set[i] != 0;
    for (int i = optind; ok && i < argc; i++) {
        args->files = talloc_realloc(NULL, args->files, const char *, args->count + 1);
        args->files[args->count++] = argv[i];
    }
    return ok;
}

/* Returns whether the options fit together; prints a message if a target cannot do what is
 * asked. */
static bool check_arguments(const struct compile_arguments *args)
{
    if (args->decode)
        return args->target == TARGET_I965 && !args->count;
    if (args->target == TARGET_I965 && !i965_device_by_name(args->device)) {
        fprintf(stderr, "indium-compile: --target=%s: only --decode is possible for this target\n",
                args->device);
        return false;
    }
    if (args->image && (args->target != TARGET_I965 || args->batch || args->address % 4096)) {
        fputs("indium-compile: --image needs an Intel target, one program, and an address that is "
              "a multiple of "
              "4096\n",
              stderr);
        return false;
    }
    if (args->vertices > 1024) {
        fputs("indium-compile: --vertices: at most 1024\n", stderr);
        return false;
    }
    return args->count != 0;
}

int main(int argc, char **argv)
{
    struct compile_arguments args = {
        .seconds = 30, .image_size = {256, 256}, .vertices = 3, .instances = 1};
    int code = 2;
    if (argc == 2 && !strcmp(argv[1], "--target=list")) {
        print_targets(stdout);
        return 0;
    }
    args.files = talloc_array(NULL, const char *, 1);
    if (!parse_arguments(&args, argc, argv) || !check_arguments(&args)) {
        talloc_free(args.files);
        return usage();
    }
    if (args.dump_lir && args.target == TARGET_NONE)
        args.target = TARGET_CPU;
    args.link |= args.dump_nir || args.batch || args.check_serialize || args.stats ||
                 args.validate || args.target != TARGET_NONE;
    if (args.decode)
        code = compile_decode(args.decode, args.device, args.address);
    else
        code = args.batch ? compile_batch(&args) : run(&args);
    talloc_free(args.files);
    return code;
}
