/* SPDX-License-Identifier: MIT */
/*
 * Compilation of one program by indium-compile. The input is shader files or a piglit .shader_test.
 * It passes through the compiler, the linker and a driver's lowering, with checks and dumps in
 * between.
 */
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H

#include "glsl/glsl.h"

/* The driver whose lowering is applied. */
enum compile_target {
    TARGET_NONE,
    TARGET_CPU,
    TARGET_I965,
};

/* Command line of indium-compile. */
struct compile_arguments {
    bool dump_tokens, dump_ast;        /* print the preprocessed text; print the syntax tree */
    bool dump_hir, dump_nir, dump_lir; /* print HIR; NIR; NIR after the driver's lowering */
    /* es: compile as GLSL ES. quiet: don't print messages of the compiler and linker. validate:
     * validate the NIR after every pass. check_serialize: check that NIR survives serialization
     * unchanged. stats: print compile_stats. batch: each file is a separate program
     * (compile_batch). */
    bool link, es, quiet, validate, check_serialize, stats, batch;
    bool expect; /* batch: compare the results with what each .shader_test file expects */
    enum compile_target target;
    unsigned version;   /* highest #version; 0: no limit, and GLSL ES is accepted without `es` */
    unsigned seconds;   /* batch: time limit per program */
    const char *device; /* TARGET_I965: device name */
    const char *decode; /* File with a batch to print instead of compiling. */
    uint64_t address;   /* GPU address of the decoded batch, or of the image. */
    const char *image;  /* TARGET_I965: file to write an image of GPU memory to. */
    const char *relocations;      /* File for the image's relocations; may be NULL. */
    unsigned image_size[2];       /* Width and height of the image's render targets. */
    unsigned vertices, instances; /* Vertices and instances of the image's draw. */
    bool depth, blend;            /* Image's draw: depth and stencil test; blending. */
    const char *output; /* TARGET_I965: prefix of the files to write kernels to; may be NULL */
    unsigned width;     /* TARGET_I965: maximum dispatch width in channels; 0: no maximum */
    bool no_compaction; /* TARGET_I965: don't compact instructions */
    bool prog_data;     /* TARGET_I965: print prog_data as JSON instead of assembly */
    bool nir_only;      /* TARGET_I965: stop after the lowering of NIR */
    const char **files;
    unsigned count; /* number of files */
};

/* A GLSL shader, a SPIR-V module or an ARB assembly program; the start of the text shows which. */
struct compile_source {
    enum shader_stage stage;
    char *text;
    size_t length; /* bytes */
};

/* A named string of GL_ARB_shading_language_include. */
struct compile_include {
    const char *location, *text;
    size_t length; /* bytes of text */
};

/* A program to compile. */
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
    bool es, separable;        /* it is GLSL ES; each stage is linked as a separate program */
    bool separable_program;    /* all stages are linked as one separable program */
    bool any_version;          /* .shader_test: accept GLSL ES, too, despite args->version */
    bool link_error;           /* .shader_test: linking is expected to fail */
    const char *unsupported;   /* part of the file that this tool can't process, or NULL */
    const char *beyond;        /* feature that the file requires and Indium lacks, or NULL */
    struct compile_unit *next; /* another program of the same file, or NULL */
};

/* Results of a program. */
enum compile_result {
    COMPILE_UNREADABLE, /* a file cannot be read, or its extension is unknown */
    COMPILE_SKIPPED,    /* unit.unsupported is set */
    COMPILE_BEYOND,     /* errors that are excused because unit.beyond is set */
    COMPILE_ERRORS,     /* the shaders have errors */
    COMPILE_LINK_ERRORS,
    COMPILE_REJECTED, /* link errors, which the file expects */
    COMPILE_DONE,
    COMPILE_BROKEN,     /* compiled, but a check failed */
    COMPILE_UNEXPECTED, /* with `expect`: not what the file expects */
    COMPILE_CRASHED,
    COMPILE_TIMEOUT,
    COMPILE_NUM_RESULTS,
};

/* Adds a shader file to the unit's sources. Its extension determines the stage. The text and the
 * list are allocated in mem_ctx. Returns false if the extension is unknown or the file cannot be
 * read. */
bool compile_add_glsl_file(void *mem_ctx, struct compile_unit *unit, const char *path);
/* Reads a .shader_test into *unit, which must be zero except for its name, and assembles its SPIR-V
 * with spirv-as. Allocates in mem_ctx. If the file has the program in GLSL and in SPIR-V,
 * unit->next is the SPIR-V one. Returns false if the file cannot be read. */
bool compile_read_shader_test(void *mem_ctx, struct compile_unit *unit, const char *path);
bool compile_is_shader_test(const char *path); /* tests the name's extension, .shader_test */
/* Assembles SPIR-V text with spirv-as. Returns the module, allocated in mem_ctx, and stores its
 * size in bytes in *size. Returns NULL, with *size undefined, if spirv-as is missing or fails.
 * length: bytes of text. */
char *compile_assemble_spirv(void *mem_ctx, const char *text, size_t length, size_t *size);

struct compile_stats;

/* Compiles, links, lowers, checks and prints according to args, and adds to stats (may be NULL).
 * Prints messages that contain the unit's name. Returns COMPILE_ERRORS, COMPILE_LINK_ERRORS,
 * COMPILE_BROKEN or COMPILE_DONE; the other results are those of its callers. */
enum compile_result compile_unit(const struct compile_unit *unit,
                                 const struct compile_arguments *args, struct compile_stats *stats);

/* Compiles each file as a separate program, in child processes, so that a crash does not stop the
 * batch. Prints a summary. Returns the exit code of the tool: 0; 1 if a result is
 * COMPILE_UNREADABLE or one from COMPILE_BROKEN on; 2 if a system call fails. */
int compile_batch(const struct compile_arguments *args);

#endif
