/* SPDX-License-Identifier: MIT */
/*
 * What indium-compile does with one program: its sources, from GLSL files or a piglit .shader_test,
 * go through the compiler, the linker and a driver's lowering, with checks and dumps on the way.
 */
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H

#include "glsl/glsl.h"

enum compile_target {
    TARGET_NONE,
    TARGET_CPU,
    TARGET_I965,
};

struct compile_arguments {
    bool dump_tokens, dump_ast;
    bool dump_hir, dump_nir, dump_lir; /* dump_lir: NIR after the driver's lowering */
    bool link, es, quiet, validate, check_serialize, stats, batch;
    bool expect; /* batch: the results must be those that the .shader_test files say */
    enum compile_target target;
    unsigned version; /* the highest language version; 0: 130, ES 100, of .shader_test files all */
    unsigned seconds; /* a program of a batch may take */
    const char *device; /* TARGET_I965: its name */
    const char *output; /* TARGET_I965: write the kernels, to files that begin so */
    unsigned width;     /* TARGET_I965: the widest; 0: all */
    bool no_compaction;
    bool nir_only; /* TARGET_I965: stop behind the lowering of NIR */
    const char **files;
    unsigned count;
};

struct compile_source { /* GLSL, a SPIR-V module or an ARB assembly program, which are told by
                           how they begin */
    enum shader_stage stage;
    char *text;
    size_t length;
};

struct compile_include { /* GL_ARB_shading_language_include */
    const char *location, *text;
    size_t length;
};

struct compile_unit {
    const char *name; /* of the file, for messages */
    struct compile_source *sources;
    unsigned num_sources;
    struct compile_include *includes;
    unsigned num_includes;
    const char **search; /* locations where includes are looked for */
    unsigned num_search;
    struct spirv_specialization *specializations[SHADER_STAGES];
    unsigned num_specializations[SHADER_STAGES];
    bool es, separable;        /* separable: each stage is a program of its own */
    bool separable_program;    /* or all are one that is separable */
    bool any_version;          /* .shader_test: versions are not limited */
    bool link_error;           /* .shader_test: it says that linking fails */
    const char *unsupported;   /* what the file needs that this tool does not read, or NULL */
    const char *beyond;        /* what it requires that no context of ours has, or NULL */
    struct compile_unit *next; /* another program of the same file, or NULL */
};

/* In order of how far it got. */
enum compile_result {
    COMPILE_UNREADABLE, /* no such file, or no stage */
    COMPILE_SKIPPED,    /* unit.unsupported */
    COMPILE_BEYOND,     /* errors, and unit.beyond */
    COMPILE_ERRORS,     /* the shaders have errors */
    COMPILE_LINK_ERRORS,
    COMPILE_REJECTED, /* does not link, as the file says */
    COMPILE_DONE,
    COMPILE_BROKEN,     /* compiled, but a check of ours failed */
    COMPILE_UNEXPECTED, /* other than the file says */
    COMPILE_CRASHED,
    COMPILE_TIMEOUT,
    COMPILE_NUM_RESULTS,
};

/* Reads a GLSL file (the stage is its ending) into unit. False: unreadable. */
bool compile_add_glsl_file(void *mem_ctx, struct compile_unit *unit, const char *path);
/* Reads a .shader_test. Modules of SPIR-V are assembled (spirv-as); if the file has the program in
 * GLSL as well, they are another unit behind it. */
bool compile_read_shader_test(void *mem_ctx, struct compile_unit *unit, const char *path);
bool compile_is_shader_test(const char *path);
/* The words of a module, a child of mem_ctx, of size bytes; NULL: spirv-as is missing, or said why
 * it does not assemble the text. */
char *compile_assemble_spirv(void *mem_ctx, const char *text, size_t length, size_t *size);

struct compile_stats;

/* Compiles, links, lowers, checks and prints as args say. Messages name the unit. stats: NULL, or
 * where to count. */
enum compile_result compile_unit(const struct compile_unit *unit,
                                 const struct compile_arguments *args, struct compile_stats *stats);

/* Each file is a program; they are compiled in a child process, so that none stops the rest.
 * Returns the exit code. */
int compile_batch(const struct compile_arguments *args);

#endif
