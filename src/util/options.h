/* SPDX-License-Identifier: MIT */
/*
 * INDIUM_* environment variables and Mesa's vblank_mode; docs/environment.md describes them.
 * INDIUM_DEBUG=help prints the debug flags. The variables are read once, at the first call; later
 * changes of the environment have no effect.
 */
#ifndef UTIL_OPTIONS_H
#define UTIL_OPTIONS_H

#include "util/cpu_isa.h"
#include "util/macros.h"

/* Flags of INDIUM_DEBUG. */
enum util_debug_flag {
    DEBUG_VALIDATE = 1 << 0,   /* validate NIR after every pass, also in release builds */
    DEBUG_NIR = 1 << 1,        /* print the NIR that drivers compile */
    DEBUG_HIR = 1 << 2,        /* print the GLSL compiler's typed tree (HIR) */
    DEBUG_LLVM = 1 << 3,       /* print LLVM IR */
    DEBUG_ASM = 1 << 4,        /* print the machine code of kernels */
    DEBUG_API = 1 << 5,        /* print API errors to stderr */
    DEBUG_PERF = 1 << 6,       /* name kernels for perf; report those that LLVM can't compile */
    DEBUG_NO_CACHE = 1 << 7,   /* don't use the code cache on disk */
    DEBUG_EAGER = 1 << 8,      /* compile every kernel with LLVM before its first use */
    DEBUG_GUARD = 1 << 9,      /* fault on accesses past the end of a resource's memory */
    DEBUG_THREADS = 1 << 10,   /* run INDIUM_THREADS threads even if there are fewer CPUs */
    DEBUG_FATAL = 1 << 11,     /* make every LLVM compilation fail with a fatal error */
    DEBUG_INTERPRET = 1 << 12, /* interpret kernels instead of compiling them */
};

/* Values of the variables. */
struct util_options {
    const char *i965_target; /* INDIUM_I965_TARGET: GPU that the i965 driver simulates, or NULL */
    const char *driver;      /* INDIUM_DRIVER: "cpu" (default), "i965" or "noop" */
    int threads;       /* INDIUM_THREADS: maximum number of threads that run jobs; 0: one per CPU */
    int lanes;         /* INDIUM_LANES: SIMD width, 4, 8 or 16 lanes; 0: that of util_cpu_isa() */
    enum util_isa isa; /* INDIUM_ISA: highest instruction set level to use; see util_cpu_isa() */
    bool verify;       /* INDIUM_VERIFY: verify generated LLVM IR (jit_compile.c) */
    int timeout;       /* INDIUM_TIMEOUT: limit of CPU time in s (util/watchdog.h); 0: unlimited */
    bool no_vblank;    /* vblank_mode=0: swaps do not wait for the vertical blank */
    unsigned debug;    /* INDIUM_DEBUG: bits of enum util_debug_flag */
    const char *cache_dir; /* INDIUM_CACHE_DIR, or a default; NULL: no cache */
    /* Texts of the variables; NULL: not set. */
    const char *gl_version_override;   /* INDIUM_GL_VERSION_OVERRIDE */
    const char *gles_version_override; /* INDIUM_GLES_VERSION_OVERRIDE */
    const char *glsl_version_override; /* INDIUM_GLSL_VERSION_OVERRIDE */
    const char *extension_override;    /* INDIUM_EXTENSION_OVERRIDE */
    /* INDIUM_FRAMES: directory for PNG files of the headless winsys; NULL: not set. */
    const char *frames_dir;
    /* INDIUM_SHADERS: directory for shaders that the i965 driver dumps; NULL: not set. */
    const char *shaders_dir;
};

/* Returns the options, never NULL. They are valid for the life of the process and never change.
 * Thread-safe. */
const struct util_options *util_get_options(void);

/* Returns whether a flag of INDIUM_DEBUG is set. */
static inline bool util_debug(enum util_debug_flag flag)
{
    return util_get_options()->debug & flag;
}

#endif
