/* SPDX-License-Identifier: MIT */
/*
 * indium-info: prints version, capabilities and limits on this machine, and for each library and
 * loader whether Indium works with it and with which environment, or why not. Each is tested by a
 * separate program, indium-info-try, in the environment that a user would set.
 */
#include <GL/gl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "indium/core.h"
#include "util/cpu_isa.h"
#include "util/macros.h"
#include "util/options.h"
#include "util/thread_pool.h"

/* -------------------------------------------------------------------- libraries to test --- */

#define DRI_FILE "%s/dri/swrast_dri.so"

/* A value: the directory of GLVND's vendor libraries in an installation that has been moved. */
#define MOVED "(moved)"

/* "%s" in `value` and `file` stands for the directory of our libraries. */
static const struct candidate {
    const char *name, *kind;
    const char *library; /* as a program opens it */
    const char *file;    /* ours that it needs */
    const char *package; /* Debian's, with the library */
    struct {
        const char *name, *value;
    } env[4];
} candidates[] = {
    {"libGL.so.1, GLX", "glx", "libGL.so.1", "%s/libGL.so.1", NULL, {{"LD_LIBRARY_PATH", "%s"}}},
    {"libEGL.so.1 on X11",
     "egl-x11",
     "libEGL.so.1",
     "%s/libGL.so.1",
     NULL,
     {{"LD_LIBRARY_PATH", "%s"}}},
    {"libEGL.so.1 on Wayland",
     "egl-wayland",
     "libEGL.so.1",
     "%s/libEGL.so.1",
     NULL,
     {{"LD_LIBRARY_PATH", "%s"}}},
    {"libEGL.so.1 without a display",
     "egl",
     "libEGL.so.1",
     "%s/libEGL.so.1",
     NULL,
     {{"LD_LIBRARY_PATH", "%s"}}},
    {"libEGL.so.1 on GBM",
     "gbm",
     "libEGL.so.1",
     "%s/libgbm.so.1",
     NULL,
     {{"LD_LIBRARY_PATH", "%s"}}},
    {"libOSMesa.so.8",
     "osmesa",
     "libOSMesa.so.8",
     "%s/libOSMesa.so.8",
     NULL,
     {{"LD_LIBRARY_PATH", "%s"}}},
    {"GLVND's libGL",
     "glx",
     "libGL.so.1",
     "%s/libGL.so.1",
     "libgl1",
     {{"LD_LIBRARY_PATH", "%s/glvnd"}, {"__GLX_VENDOR_LIBRARY_NAME", "indium"}}},
    {"GLVND's libEGL on X11",
     "egl-x11",
     "libEGL.so.1",
     "%s/libGL.so.1",
     "libegl1",
     {{"__EGL_VENDOR_LIBRARY_FILENAMES", "%s/glvnd/60_indium.json"}, {"LD_LIBRARY_PATH", MOVED}}},
    {"GLVND's libEGL without a display",
     "egl",
     "libEGL.so.1",
     "%s/libEGL.so.1",
     "libegl1",
     {{"__EGL_VENDOR_LIBRARY_FILENAMES", "%s/glvnd/60_indium.json"}, {"LD_LIBRARY_PATH", MOVED}}},
    {"Mesa's libgbm and GLVND's libEGL on GBM",
     "gbm",
     "libEGL.so.1",
     "%s/gbm/indium_gbm.so",
     "libgbm1",
     {{"GBM_BACKEND", "indium"},
      {"GBM_BACKENDS_PATH", "%s/gbm"},
      {"__EGL_VENDOR_LIBRARY_FILENAMES", "%s/glvnd/60_indium.json"},
      {"LD_LIBRARY_PATH", MOVED}}},
    {"Mesa's libGLX, DRI module",
     "glx",
     "libGL.so.1",
     DRI_FILE,
     "libglx-mesa0",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"__GLX_VENDOR_LIBRARY_NAME", "mesa"}}},
    {"Mesa's libEGL on X11, DRI module",
     "egl-x11",
     "libEGL.so.1",
     DRI_FILE,
     "libegl-mesa0",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}}},
    {"Mesa's libEGL without a display, DRI module",
     "egl",
     "libEGL.so.1",
     DRI_FILE,
     "libegl-mesa0",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}}},
    {"Mesa's libEGL on GBM, DRI module",
     "gbm",
     "libEGL.so.1",
     DRI_FILE,
     "libegl-mesa0",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"MESA_LOADER_DRIVER_OVERRIDE", "indium"}}},
};

enum { PATH_SIZE = PATH_MAX + 64 };

/* Replaces "%s" at the start of a text. */
static void expand(char path[PATH_SIZE], const char *text, const char *directory)
{
    const bool ours = strncmp(text, "%s", 2) == 0;

    snprintf(path, PATH_SIZE, "%s%s", ours ? directory : "", text + 2 * ours);
}

/* Returns whether this is an installation in another directory than meson installed it to, for
 * example an unpacked archive. The system doesn't find GLVND's files there. */
static bool is_moved(const char *directory)
{
    char path[PATH_SIZE], installed[PATH_MAX];

    expand(path, "%s/glvnd", directory);
    if (access(path, R_OK) == 0) /* the build tree */
        return false;
    return !realpath(LIBRARY_DIR, installed) || strcmp(installed, directory) != 0;
}

/* Finds the vendor file of a moved installation in share/ next to a parent of the libraries. Else
 * *path is the file that meson installs. */
static void find_vendor_file(char path[PATH_SIZE], const char *directory)
{
    static const char file[] = "/share/glvnd/egl_vendor.d/60_indium.json";
    char *end;

    snprintf(path, PATH_SIZE, "%s", directory);
    while ((end = strrchr(path, '/')) != NULL) {
        snprintf(end, (size_t)(path + PATH_SIZE - end), "%s", file);
        if (access(path, R_OK) == 0)
            return;
        *end = '\0';
    }
    snprintf(path, PATH_SIZE, "%s", VENDOR_FILE);
}

/* Expands the value of variable i of a candidate. Returns false if it has none. In an installation,
 * GLVND finds the vendor libraries and files without LD_LIBRARY_PATH, unless it has been moved. */
static bool variable(const struct candidate *candidate, unsigned i, const char *directory,
                     char value[PATH_SIZE])
{
    const bool moved = is_moved(directory);

    if (i >= ARRAY_SIZE(candidate->env) || !candidate->env[i].name)
        return false;
    expand(value, candidate->env[i].value, directory);
    if (strcmp(value, MOVED) != 0 && (*value != '/' || access(value, R_OK) == 0))
        return true;
    if (strstr(value, ".json") && !moved)
        snprintf(value, PATH_SIZE, "%s", VENDOR_FILE);
    else if (strstr(value, ".json"))
        find_vendor_file(value, directory);
    else if (moved)
        snprintf(value, PATH_SIZE, "%.*s", (int)(strrchr(directory, '/') - directory), directory);
    else
        *value = '\0';
    return true;
}

/* Finds the program that tests a library: next to this one, or installed with our libraries. */
static void find_tester(char path[PATH_SIZE], const char *directory)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
    char *slash;

    path[MAX2(length, 0)] = '\0';
    slash = strrchr(path, '/');
    if (slash)
        strcpy(slash + 1, "indium-info-try");
    if (!slash || access(path, X_OK) != 0)
        expand(path, "%s/indium-info-try", directory);
}

/* In the child process: sets the candidate's environment and runs the test. */
static void run_test(const struct candidate *candidate, const char *directory, int out)
{
    char value[PATH_SIZE];

    unsetenv("LD_LIBRARY_PATH");
    for (unsigned i = 0; variable(candidate, i, directory, value); i++) {
        if (*value)
            setenv(candidate->env[i].name, value, 1);
    }
    dup2(out, 1);
    dup2(open("/dev/null", O_WRONLY), 2); /* hides messages of libraries about missing displays */
    find_tester(value, directory);
    execl(value, "indium-info-try", candidate->kind, candidate->library, NULL);
    _exit(127);
}

/* Tests a candidate. Copies the last line of the test's output to text, and returns its exit status
 * (indium-info-try.c), or -1. */
static int test_candidate(const struct candidate *candidate, const char *directory, char text[512])
{
    char line[512];
    int out[2], status = -1;
    pid_t child;
    FILE *lines;

    strcpy(text, "indium-info-try did not start");
    if (pipe2(out, O_CLOEXEC) != 0)
        return -1;
    fflush(NULL);
    child = fork();
    if (child == 0)
        run_test(candidate, directory, out[1]);
    close(out[1]);
    lines = fdopen(out[0], "r");
    while (lines && fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\n")] = '\0';
        strcpy(text, line);
    }
    if (lines)
        fclose(lines);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    if (WIFSIGNALED(status))
        snprintf(text, 512, WTERMSIG(status) == SIGALRM ? "timeout" : "crash");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Prints the command line that runs a program with the candidate. */
static void print_line(const struct candidate *candidate, const char *directory)
{
    char value[PATH_SIZE];

    printf("     ");
    for (unsigned i = 0; variable(candidate, i, directory, value); i++) {
        if (*value)
            printf(" %s=%s", candidate->env[i].name, value);
    }
    printf(" PROGRAM\n");
}

/* Returns Debian's package with the library that dlopen didn't find according to its message, or
 * NULL. */
static const char *missing_package(const char *text)
{
    static const struct {
        const char *library, *package;
    } packages[] = {
        {"libEGL.so.1:", "libegl1"},     {"libGL.so.1:", "libgl1"},
        {"libGLESv2.so.2:", "libgles2"}, {"libgbm.so.1:", "libgbm1"},
        {"libX11.so.6:", "libx11-6"},    {"libX11-xcb.so.1:", "libx11-xcb1"},
        {"libxcb.so.1:", "libxcb1"},     {"libwayland-client.so.0:", "libwayland-client0"},
        {"libz.so.1:", "zlib1g"},        {"libdrm.so.2:", "libdrm2"},
    };

    if (!strstr(text, "cannot open shared object"))
        return NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(packages); i++) {
        if (strncmp(text, packages[i].library, strlen(packages[i].library)) == 0)
            return packages[i].package;
    }
    return NULL;
}

/* Prints what would make a candidate work. */
static void print_advice(const struct candidate *candidate, int status, const char *text)
{
    const bool is_module = strcmp(candidate->file, DRI_FILE) == 0;
    const char *mesa = strstr(text, " Mesa "), *package = missing_package(text);

    if (strstr(text, "DISPLAY)"))
        printf("      start one, and set the variable\n");
    else if (strstr(text, "card0"))
        printf("      this needs a device with a display\n");
    else if (package)
        printf("      apt-get install %s\n", package);
    else if (is_module && mesa && atoi(mesa + 6) >= 25)
        printf("      Mesa 25 and later open no modules; set LD_LIBRARY_PATH as for libEGL.so.1\n");
    else if (is_module && status != 0)
        printf("      apt-get install %s libgl1-mesa-dri, if they are missing\n",
               candidate->package);
    else if (candidate->package)
        printf("      set LD_LIBRARY_PATH as for libEGL.so.1, or install the Debian package\n");
}

static void print_candidate(const struct candidate *candidate, const char *directory)
{
    char text[512], file[PATH_SIZE];
    int status;

    expand(file, candidate->file, directory);
    if (access(file, R_OK) != 0) {
        printf("  %-44s no: this build has no %s\n", candidate->name, strrchr(file, '/') + 1);
        return;
    }
    status = test_candidate(candidate, directory, text);
    if (status == 0) {
        printf("  %-44s works\n", candidate->name);
        print_line(candidate, directory);
    } else {
        printf("  %-44s no: %s\n", candidate->name, text);
        print_advice(candidate, status, text);
    }
}

static void print_libraries(const char *directory)
{
    printf("\nLibraries and loaders, each with the variables that select Indium:\n");
    for (unsigned i = 0; i < ARRAY_SIZE(candidates); i++)
        print_candidate(&candidates[i], directory);
}

/* ------------------------------------------------------------ properties and limits --- */

static void print_cpu(const char *renderer)
{
    static const char *const names[] = {"sse2", "ssse3", "sse4.1", "avx",     "f16c",
                                        "fma",  "avx2",  "bmi2",   "avx512f", "avx512vl"};
    bool has[] = {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_cpu_supports("sse2"),    __builtin_cpu_supports("ssse3"),
        __builtin_cpu_supports("sse4.1"),  __builtin_cpu_supports("avx"),
        __builtin_cpu_supports("f16c"),    __builtin_cpu_supports("fma"),
        __builtin_cpu_supports("avx2"),    __builtin_cpu_supports("bmi2"),
        __builtin_cpu_supports("avx512f"), __builtin_cpu_supports("avx512vl"),
#else
        false
#endif
    };

    printf("Device:   %s\nCPU:     ", renderer);
    for (unsigned i = 0; i < ARRAY_SIZE(has); i++)
        printf("%s%s", has[i] ? " " : "", has[i] ? names[i] : "");
    printf("\nLevel:    %s", util_isa_name(util_cpu_isa()));
    if (util_cpu_isa() != util_cpu_host_isa())
        printf(" (INDIUM_ISA; the CPU has %s)", util_isa_name(util_cpu_host_isa()));
    printf("\nThreads:  %u\n", thread_pool_size());
}

static void print_cache(void)
{
    const char *path = util_get_options()->cache_dir;
    struct stat st;

    if (!path || util_debug(DEBUG_NO_CACHE))
        printf("Cache:    none\n");
    else
        printf("Cache:    %s%s\n", path, stat(path, &st) ? " (not created yet)" : "");
}

static void print_apis(const struct indium_core *core)
{
    static const struct {
        enum gl_api api;
        const char *name;
    } apis[] = {
        {GL_API_COMPAT, "OpenGL (compatibility)"},
        {GL_API_CORE, "OpenGL (core)"},
        {GL_API_ES1, "OpenGL ES 1"},
        {GL_API_ES2, "OpenGL ES"},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(apis); i++) {
        unsigned version = core->max_version(apis[i].api);

        if (version)
            printf("  %-23s %u.%u\n", apis[i].name, version / 10, version % 10);
        else
            printf("  %-23s not supported\n", apis[i].name);
    }
}

static bool no_size(void *data, int *width, int *height)
{
    *width = *height = 1;
    return true;
}

/* Prints limits and extensions of a context of the API. */
static void print_limits(const struct indium_core *core, enum gl_api api)
{
    static const struct {
        GLenum name;
        const char *text;
    } limits[] = {
        {GL_MAX_TEXTURE_SIZE, "texture size"},
        {0x8073 /* GL_MAX_3D_TEXTURE_SIZE */, "3D texture size"},
        {0x851C /* GL_MAX_CUBE_MAP_TEXTURE_SIZE */, "cube map size"},
        {0x8872 /* GL_MAX_TEXTURE_IMAGE_UNITS */, "texture units per stage"},
        {0x8869 /* GL_MAX_VERTEX_ATTRIBS */, "vertex attributes"},
        {0x8824 /* GL_MAX_DRAW_BUFFERS */, "draw buffers"},
        {0x8D57 /* GL_MAX_SAMPLES */, "samples"},
    };
    static const struct gl_drawable_ops ops = {no_size};
    const struct gl_visual visual = {.color = DRV_FORMAT_R8G8B8A8_UNORM, .double_buffered = true};
    const struct gl_context_attribs attribs = {.api = api, .major = 1, .visual = &visual};
    void (*get)(GLenum, GLint *) =
        (void (*)(GLenum, GLint *))core->get_proc_address("glGetIntegerv");
    const GLubyte *(*text)(GLenum) =
        (const GLubyte *(*)(GLenum))core->get_proc_address("glGetString");
    GLenum (*error)(void) = (GLenum(*)(void))core->get_proc_address("glGetError");
    enum gl_create_error why;
    struct gl_context *ctx = core->context_create(&attribs, &why);
    struct gl_drawable *d = core->drawable_create(&visual, &ops, NULL);

    if (ctx && d && core->make_current(ctx, d, d)) {
        const char *list = (const char *)text(GL_EXTENSIONS);

        printf("\nLimits:\n");
        for (unsigned i = 0; i < ARRAY_SIZE(limits); i++) {
            GLint value = 0;

            get(limits[i].name, &value);
            if (error() == GL_NO_ERROR)
                printf("  %-23s %d\n", limits[i].text, value);
        }
        printf("\nExtensions (compatibility):\n");
        while (list && *list) {
            size_t length = strcspn(list, " ");

            printf("  %.*s\n", (int)length, list);
            list += length + strspn(list + length, " ");
        }
        core->make_current(NULL, NULL, NULL);
    }
    if (d)
        core->drawable_destroy(d);
    if (ctx)
        core->context_destroy(ctx);
}

/* Finds the directory of our libraries from the path of a loaded one. */
static bool find_libraries(char directory[PATH_MAX])
{
    Dl_info info;
    char *slash;

    if (!dladdr((const void *)indium_core_interface, &info) || !info.dli_fname ||
        !realpath(info.dli_fname, directory))
        return false;
    slash = strrchr(directory, '/');
    *slash = '\0';
    return true;
}

int main(int argc, char **argv)
{
    const struct indium_core *core = indium_core_interface();
    char directory[PATH_MAX];
    bool found;

    if (argc > 1) {
        fprintf(stderr, "usage: indium-info\n");
        return 2;
    }
    printf("%s %s\n\n", core->name, core->release);
    print_cpu(core->renderer());
    printf("LLVM:     %s\n", LLVM);
    print_cache();
    printf("\nAPIs:\n");
    print_apis(core);
    print_limits(core, GL_API_COMPAT);
    found = find_libraries(directory);
    if (!found)
        fprintf(stderr, "indium-info: cannot find the directory of the libraries\n");
    else
        print_libraries(directory);
    return !found;
}
