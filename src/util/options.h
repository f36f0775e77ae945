/* SPDX-License-Identifier: MIT */
/*
 * INDIUM_* environment variables, and one of Mesa's. The list of them is the table in options.c, which
 * docs/environment.md describes; INDIUM_DEBUG=help prints the debug flags. Read once, at the first
 * call; later changes of the environment have no effect.
 */
#ifndef UTIL_OPTIONS_H
#define UTIL_OPTIONS_H

#include "util/macros.h"

enum util_debug_flag {
    DEBUG_VALIDATE = 1 << 0, /* validate NIR after every pass in release builds too */
    DEBUG_NIR = 1 << 1,      /* print the NIR that drivers compile */
    DEBUG_HIR = 1 << 2,      /* print HIR */
    DEBUG_LLVM = 1 << 3,     /* print LLVM IR */
    DEBUG_ASM = 1 << 4,      /* print host code */
    DEBUG_API = 1 << 5,      /* print API errors to stderr */
    DEBUG_PERF = 1 << 6,     /* name kernels for perf */
    DEBUG_NO_CACHE = 1 << 7, /* no code cache on disk */
    DEBUG_EAGER = 1 << 8,    /* make code at once that the background would make when wanted */
    DEBUG_GUARD = 1 << 9,    /* what reaches beyond a resource's memory faults */
    DEBUG_THREADS = 1 << 10, /* as many threads as are asked for, whatever processors there are */
};

struct util_options {
    const char *driver;    /* INDIUM_DRIVER: "cpu" (default), "noop", … */
    int threads;           /* INDIUM_THREADS: rasterizer threads, at most; 0: as many as CPUs */
    int lanes;             /* INDIUM_LANES: 4, 8, 16, or 0: the host's best */
    int timeout;           /* INDIUM_TIMEOUT: seconds that draws may take, 0: any time */
    bool no_vblank;        /* vblank_mode=0, as Mesa's GLX has it: frames wait for no blank */
    unsigned debug;        /* INDIUM_DEBUG: enum util_debug_flag, comma separated */
    const char *cache_dir; /* INDIUM_CACHE_DIR, or in the user's cache directory; NULL: none */
    const char *gl_version_override;   /* INDIUM_GL_VERSION_OVERRIDE */
    const char *gles_version_override; /* INDIUM_GLES_VERSION_OVERRIDE */
    const char *glsl_version_override; /* INDIUM_GLSL_VERSION_OVERRIDE */
    const char *extension_override;    /* INDIUM_EXTENSION_OVERRIDE */
    const char *frames_dir;  /* INDIUM_FRAMES: where the headless winsys writes PNG frames */
    const char *shaders_dir; /* INDIUM_SHADERS: where the i965 driver writes its shaders */
};

/* Never NULL; lives as long as the process. Any thread. */
const struct util_options *util_get_options(void);

static inline bool util_debug(enum util_debug_flag flag)
{
    return util_get_options()->debug & flag;
}

#endif
