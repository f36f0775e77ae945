/* SPDX-License-Identifier: MIT */
/*
 * INDIUM_* environment variables and Mesa's vblank_mode. The table in options.c and
 * docs/environment.md list them; INDIUM_DEBUG=help prints the debug flags. They are read once, at
 * the first call; later changes of the environment have no effect.
 */
#ifndef UTIL_OPTIONS_H
#define UTIL_OPTIONS_H

#include "util/cpu_isa.h"
#include "util/macros.h"

enum util_debug_flag {
    DEBUG_VALIDATE = 1 << 0,   /* validate NIR after every pass, also in release builds */
    DEBUG_NIR = 1 << 1,        /* print the NIR that drivers compile */
    DEBUG_HIR = 1 << 2,        /* print HIR */
    DEBUG_LLVM = 1 << 3,       /* print LLVM IR */
    DEBUG_ASM = 1 << 4,        /* print host code */
    DEBUG_API = 1 << 5,        /* print API errors to stderr */
    DEBUG_PERF = 1 << 6,       /* name kernels for perf, report kernels without LLVM code */
    DEBUG_NO_CACHE = 1 << 7,   /* no code cache on disk */
    DEBUG_EAGER = 1 << 8,      /* compile everything with LLVM, and before its first use */
    DEBUG_GUARD = 1 << 9,      /* fault on accesses past the end of a resource's memory */
    DEBUG_THREADS = 1 << 10,   /* run INDIUM_THREADS threads even if there are fewer CPUs */
    DEBUG_FATAL = 1 << 11,     /* LLVM compilations end with a fatal error */
    DEBUG_INTERPRET = 1 << 12, /* interpret kernels */
};

struct util_options {
    const char *driver; /* INDIUM_DRIVER: "cpu" (default), "noop", … */
    int threads; /* INDIUM_THREADS: maximum number of rasterizer threads; 0: as many as CPUs */
    int lanes;   /* INDIUM_LANES: SIMD width 4, 8 or 16; 0: the host's widest */
    enum util_isa isa; /* INDIUM_ISA: highest instruction set level to use; see util_cpu_isa() */
    bool verify;       /* INDIUM_VERIFY: verify generated LLVM IR (jit_compile.c) */
    int timeout;       /* INDIUM_TIMEOUT: seconds that a draw may take; 0: unlimited */
    bool no_vblank;    /* vblank_mode=0: swaps do not wait for the vertical blank */
    unsigned debug;    /* INDIUM_DEBUG: bits of enum util_debug_flag */
    const char *cache_dir;           /* INDIUM_CACHE_DIR, or a default directory; NULL: no cache */
    const char *gl_version_override; /* INDIUM_GL_VERSION_OVERRIDE */
    const char *gles_version_override; /* INDIUM_GLES_VERSION_OVERRIDE */
    const char *glsl_version_override; /* INDIUM_GLSL_VERSION_OVERRIDE */
    const char *extension_override;    /* INDIUM_EXTENSION_OVERRIDE */
    const char *frames_dir;  /* INDIUM_FRAMES: directory for PNG frames of the headless winsys */
    const char *shaders_dir; /* INDIUM_SHADERS: directory for shaders that the i965 driver dumps */
};

/* Returns the options, never NULL, valid for the life of the process. Callable from any thread. */
const struct util_options *util_get_options(void);

static inline bool util_debug(enum util_debug_flag flag)
{
    return util_get_options()->debug & flag;
}

#endif
