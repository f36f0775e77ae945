/* SPDX-License-Identifier: MIT */
/*
 * Compilation of one program by indium-compile: GLSL files or a piglit .shader_test go through the
 * compiler, the linker and a driver's lowering, with checks and dumps in between.
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
    bool expect; /* batch: compare results with those stated in the .shader_test files */
    enum compile_target target;
    unsigned version;   /* highest language version; 0: 130, ES 100, unlimited for .shader_test */
    unsigned seconds;   /* time limit of each program of a batch */
    const char *device; /* TARGET_I965: device name */
    const char *output; /* TARGET_I965: write kernels to files with this prefix */
    unsigned width;     /* TARGET_I965: maximum dispatch width; 0: all */
    bool no_compaction;
    bool nir_only; /* TARGET_I965: stop after the lowering of NIR */
    const char **files;
    unsigned count;
};

/* GLSL, a SPIR-V module or an ARB assembly program; distinguished by how the text begins. */
struct compile_source {
    enum shader_stage stage;
    char *text;
    size_t length;
};

struct compile_include { /* GL_ARB_shading_language_include */
    const char *location, *text;
    size_t length;
};

struct compile_unit {
    const char *name; /* file name, for messages */
    struct compile_source *sources;
    unsigned num_sources;
    struct compile_include *includes;
    unsigned num_includes;
    const char **search; /* search path of includes */
    unsigned num_search;
    struct spirv_specialization *specializations[SHADER_STAGE_COUNT];
    unsigned num_specializations[SHADER_STAGE_COUNT];
    bool es, separable;        /* separable: each stage is a separate program */
    bool separable_program;    /* all stages form one separable program */
    bool any_version;          /* .shader_test: unlimited versions */
    bool link_error;           /* .shader_test: linking is expected to fail */
    const char *unsupported;   /* required feature that this tool cannot read, or NULL */
    const char *beyond;        /* required feature that no context supports, or NULL */
    struct compile_unit *next; /* another program of the same file, or NULL */
};

/* Results, ordered by how far the program got. */
enum compile_result {
    COMPILE_UNREADABLE, /* file or stage is missing */
    COMPILE_SKIPPED,    /* unit.unsupported is set */
    COMPILE_BEYOND,     /* errors, and unit.beyond is set */
    COMPILE_ERRORS,     /* the shaders have errors */
    COMPILE_LINK_ERRORS,
    COMPILE_REJECTED, /* does not link, as the file expects */
    COMPILE_DONE,
    COMPILE_BROKEN,     /* compiled, but a check failed */
    COMPILE_UNEXPECTED, /* differs from what the file expects */
    COMPILE_CRASHED,
    COMPILE_TIMEOUT,
    COMPILE_NUM_RESULTS,
};

/* Reads a GLSL file into unit; its extension determines the stage. Returns false if unreadable. */
bool compile_add_glsl_file(void *mem_ctx, struct compile_unit *unit, const char *path);
/* Reads a .shader_test and assembles its SPIR-V with spirv-as. If the file also has the program in
 * GLSL, that becomes a second unit (unit->next). */
bool compile_read_shader_test(void *mem_ctx, struct compile_unit *unit, const char *path);
bool compile_is_shader_test(const char *path);
/* Assembles SPIR-V text into a child of mem_ctx of *size bytes. Returns NULL if spirv-as is missing
 * or has printed an error. */
char *compile_assemble_spirv(void *mem_ctx, const char *text, size_t length, size_t *size);

struct compile_stats;

/* Compiles, links, lowers, checks and prints according to args. Messages contain the unit's name.
 * stats may be NULL. */
enum compile_result compile_unit(const struct compile_unit *unit,
                                 const struct compile_arguments *args, struct compile_stats *stats);

/* Compiles each file as a program in a child process, so that a crash does not stop the batch.
 * Returns the exit code. */
int compile_batch(const struct compile_arguments *args);

#endif
