/* SPDX-License-Identifier: MIT */
#include "util/options.h"

#include <pthread.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/log.h"

static const struct {
    const char *name;
    unsigned flag;
    const char *text;
} debug_flags[] = {
    {"validate", DEBUG_VALIDATE, "validate NIR after every pass"},
    {"nir", DEBUG_NIR, "print the NIR that drivers compile"},
    {"hir", DEBUG_HIR, "print the GLSL compiler's typed tree"},
    {"llvm", DEBUG_LLVM, "print LLVM IR"},
    {"asm", DEBUG_ASM, "print host code"},
    {"api", DEBUG_API, "print API errors to stderr"},
    {"perf", DEBUG_PERF,
     "name kernels for perf, in /tmp/perf-PID.map, and report those that stay slow"},
    {"nocache", DEBUG_NO_CACHE, "no code cache on disk"},
    {"eager", DEBUG_EAGER, "compile everything with LLVM, before its first use"},
    {"guard", DEBUG_GUARD, "fault when a kernel accesses memory outside of a buffer or texture"},
    {"threads", DEBUG_THREADS, "run INDIUM_THREADS threads even if there are fewer CPUs"},
    {"fatal", DEBUG_FATAL, "make each compilation by LLVM end with a fatal error"},
    {"interpret", DEBUG_INTERPRET, "interpret kernels instead of compiling them"},
};

static struct util_options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool are_read; /* atomic */

/* Returns the variable's number, or `unset` if it is unset, empty or not from `least` to `most`. */
static int env_int(const char *name, int unset, int least, int most)
{
    const char *text = getenv(name);
    if (!text || !*text)
        return unset;
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < least || value > most) {
        log_warning("%s=%s ignored: must be a number from %d to %d", name, text, least, most);
        return unset;
    }
    return value;
}

static enum util_isa parse_isa(const char *text)
{
    if (!text || !*text)
        return UTIL_ISA_AVX512;
    for (unsigned isa = UTIL_ISA_SSE41; isa < UTIL_NUM_ISAS; isa++)
        if (!strcmp(text, util_isa_name(isa)))
            return isa;
    log_warning("INDIUM_ISA=%s ignored: not sse4.1, avx2, or avx512", text);
    return UTIL_ISA_AVX512;
}

static unsigned parse_debug(const char *text)
{
    unsigned flags = 0;
    while (text && *text) {
        size_t n = strcspn(text, ",");
        bool known = n == 0;
        for (unsigned i = 0; i < ARRAY_SIZE(debug_flags); i++) {
            if (strlen(debug_flags[i].name) == n && !strncmp(debug_flags[i].name, text, n)) {
                flags |= debug_flags[i].flag;
                known = true;
            }
        }
        if (!known) {
            fprintf(stderr, "INDIUM_DEBUG flags, separated by commas:\n");
            for (unsigned i = 0; i < ARRAY_SIZE(debug_flags); i++)
                fprintf(stderr, "  %-10s %s\n", debug_flags[i].name, debug_flags[i].text);
        }
        text += n + (text[n] == ',');
    }
    return flags;
}

/* Returns "$INDIUM_CACHE_DIR", "$XDG_CACHE_HOME/indium" or "$HOME/.cache/indium", or NULL if there
 * is none. Ignores the environment in setuid programs. */
static const char *find_cache(void)
{
    static char path[PATH_MAX];
    const char *named = secure_getenv("INDIUM_CACHE_DIR");
    const char *cache = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    int length = 0;

    if (named)
        length = snprintf(path, sizeof path, "%s", named);
    else if (cache && cache[0] == '/')
        length = snprintf(path, sizeof path, "%s/indium", cache);
    else if (home && home[0] == '/')
        length = snprintf(path, sizeof path, "%s/.cache/indium", home);
    return length > 0 && length < (int)sizeof path ? path : NULL;
}

/* Returns a directory to write to, or NULL if the variable is unset or empty. Setuid programs must
 * not write where their callers tell them. */
static const char *env_directory(const char *name)
{
    const char *path = secure_getenv(name);
    return path && *path ? path : NULL;
}

static void read_environment(void)
{
    options.driver = getenv("INDIUM_DRIVER");
    options.i965_target = getenv("INDIUM_I965_TARGET");
    if (!options.driver || !*options.driver)
        options.driver = "cpu";
    options.threads = env_int("INDIUM_THREADS", 0, 1, 256);
    options.lanes = env_int("INDIUM_LANES", 0, 4, 16);
    if (options.lanes && options.lanes != 4 && options.lanes != 8 && options.lanes != 16) {
        log_warning("INDIUM_LANES ignored: must be 4, 8 or 16");
        options.lanes = 0;
    }
    options.isa = parse_isa(getenv("INDIUM_ISA"));
    options.verify = env_int("INDIUM_VERIFY", 0, 0, 1);
    options.timeout = env_int("INDIUM_TIMEOUT", 10, 0, 1000000);
    const char *vblank_mode = getenv("vblank_mode");
    options.no_vblank = vblank_mode && !strcmp(vblank_mode, "0");
    options.debug = parse_debug(getenv("INDIUM_DEBUG"));
    options.cache_dir = find_cache();
    options.gl_version_override = getenv("INDIUM_GL_VERSION_OVERRIDE");
    options.gles_version_override = getenv("INDIUM_GLES_VERSION_OVERRIDE");
    options.glsl_version_override = getenv("INDIUM_GLSL_VERSION_OVERRIDE");
    options.extension_override = getenv("INDIUM_EXTENSION_OVERRIDE");
    options.frames_dir = env_directory("INDIUM_FRAMES");
    options.shaders_dir = env_directory("INDIUM_SHADERS");
    __atomic_store_n(&are_read, true, __ATOMIC_RELEASE);
}

const struct util_options *util_get_options(void)
{
    /* fast path: draws call this several times each */
    if (unlikely(!__atomic_load_n(&are_read, __ATOMIC_ACQUIRE)))
        pthread_once(&once, read_environment);
    return &options;
}
