/* SPDX-License-Identifier: MIT */
/*
 * indium-info: prints version, capabilities and limits on this machine, and for each library and
 * loader whether Indium works with it, or why not. Each is tested in a separate process,
 * `indium-info --try KIND LIBRARY`, which draws a pixel and prints its renderer. So no library that
 * it loads affects another test.
 */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glx.h>
#include <GL/osmesa.h>
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
#include "util/macros.h"
#include "util/cpu_isa.h"
#include "util/options.h"
#include "util/thread_pool.h"

/* --------------------------------------------------------------- testing one library --- */

static int fail(const char *why)
{
    printf("%s\n", why);
    return 1;
}

static void *library;

static void *look_up(const char *name)
{
    void *found = library ? dlsym(library, name) : NULL;

    if (!found) {
        fail(name);
        _exit(1);
    }
    return found;
}

#define CALL(f) ((__typeof__(&f))look_up(#f))

/* Requires a current context. Prints the renderer. `gl` looks up a gl* function. */
static int check_renderer(void *(*gl)(const char *))
{
    const uint8_t *(*get_string)(unsigned) = gl("glGetString");
    const char *renderer = get_string ? (const char *)get_string(GL_RENDERER) : NULL;

    printf("%s\n", renderer ? renderer : "no renderer");
    return !renderer || strncmp(renderer, "Indium", 6) != 0;
}

/* Also draws and reads back a pixel. */
static int check_pixel(void *(*gl)(const char *))
{
    void (*clear_color)(float, float, float, float) = gl("glClearColor");
    void (*clear)(unsigned) = gl("glClear");
    void (*read_pixels)(int, int, int, int, unsigned, unsigned, void *) = gl("glReadPixels");
    uint8_t pixel[4] = {0};
    int result;

    if (!clear_color || !clear || !read_pixels)
        return fail("gl* functions are missing");
    clear_color(1, 0, 1, 1);
    clear(GL_COLOR_BUFFER_BIT);
    read_pixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    result = check_renderer(gl);
    if (pixel[0] != 255 || pixel[1] != 0 || pixel[2] != 255)
        return fail("clear and read back failed");
    return result;
}

static void *gl_by_glx(const char *name)
{
    return (void *)CALL(glXGetProcAddress)((const GLubyte *)name);
}

static int try_glx(void)
{
    void *x11 = dlopen("libX11.so.6", RTLD_NOW | RTLD_GLOBAL);
    Display *(*open)(const char *) = x11 ? dlsym(x11, "XOpenDisplay") : NULL;
    const int size[] = {GLX_PBUFFER_WIDTH, 8, GLX_PBUFFER_HEIGHT, 8, None};
    const int want[] = {GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, GLX_DOUBLEBUFFER, False, None};
    Display *dpy = open ? open(NULL) : NULL;
    GLXFBConfig *configs;
    GLXPbuffer pbuffer;
    GLXContext ctx;
    int n = 0;

    if (!dpy)
        return fail(!open ? "libX11 is missing" : "no X server (DISPLAY)");
    configs = CALL(glXChooseFBConfig)(dpy, 0, want, &n);
    if (!configs || n == 0)
        return fail("no framebuffer configuration");
    ctx = CALL(glXCreateNewContext)(dpy, configs[0], GLX_RGBA_TYPE, NULL, True);
    pbuffer = CALL(glXCreatePbuffer)(dpy, configs[0], size);
    if (!ctx || !CALL(glXMakeContextCurrent)(dpy, pbuffer, pbuffer, ctx))
        return fail("no context");
    return check_pixel(gl_by_glx);
}

static void *gl_by_egl(const char *name)
{
    return (void *)CALL(eglGetProcAddress)(name);
}

static const struct egl_kind {
    const char *name;
    EGLenum platform;
    const char *missing; /* message if there is no display */
} egl_kinds[] = {
    {"egl", EGL_PLATFORM_SURFACELESS_MESA, "no display"},
    {"egl-x11", EGL_PLATFORM_X11_KHR, "no X server (DISPLAY)"},
    {"egl-wayland", EGL_PLATFORM_WAYLAND_KHR, "no Wayland compositor (WAYLAND_DISPLAY)"},
};

static int try_egl(const struct egl_kind *kind)
{
    const EGLint size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    const EGLint want[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                           EGL_OPENGL_ES2_BIT, EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLDisplay dpy = CALL(eglGetPlatformDisplay)(kind->platform, EGL_DEFAULT_DISPLAY, NULL);
    EGLSurface surface;
    EGLContext ctx;
    EGLConfig config;
    EGLint n = 0;

    if (!dpy || !CALL(eglInitialize)(dpy, NULL, NULL))
        return fail(kind->missing);
    if (!CALL(eglChooseConfig)(dpy, want, &config, 1, &n) || n == 0)
        return fail("no framebuffer configuration");
    surface = CALL(eglCreatePbufferSurface)(dpy, config, size);
    ctx = CALL(eglCreateContext)(dpy, config, NULL, version);
    if (!CALL(eglMakeCurrent)(dpy, surface, surface, ctx))
        return fail("no context");
    return check_pixel(gl_by_egl);
}

/* Tests a surfaceless EGL context on GBM, with the functions of libgbm (gbm.h). */
static int try_gbm(void)
{
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    void *libgbm = dlopen("libgbm.so.1", RTLD_NOW | RTLD_GLOBAL);
    void *(*create_device)(int) = libgbm ? dlsym(libgbm, "gbm_create_device") : NULL;
    int fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
    void *device = fd >= 0 && create_device ? create_device(fd) : NULL;
    EGLDisplay dpy;
    EGLContext ctx;

    if (!device)
        return fail(!create_device ? "libgbm is missing"
                    : fd < 0       ? "there is no /dev/dri/card0"
                                   : "libgbm rejects /dev/dri/card0");
    dpy = CALL(eglGetPlatformDisplay)(EGL_PLATFORM_GBM_KHR, device, NULL);
    if (!dpy || !CALL(eglInitialize)(dpy, NULL, NULL))
        return fail("EGL rejects the GBM device");
    ctx = CALL(eglCreateContext)(dpy, NULL, NULL, version);
    if (!CALL(eglMakeCurrent)(dpy, NULL, NULL, ctx))
        return fail("no context");
    return check_renderer(gl_by_egl);
}

static void *gl_by_osmesa(const char *name)
{
    return (void *)CALL(OSMesaGetProcAddress)(name);
}

static int try_osmesa(void)
{
    static uint8_t buffer[8 * 8 * 4];
    OSMesaContext ctx = CALL(OSMesaCreateContext)(OSMESA_RGBA, NULL);

    if (!ctx || !CALL(OSMesaMakeCurrent)(ctx, buffer, GL_UNSIGNED_BYTE, 8, 8))
        return fail("no context");
    return check_pixel(gl_by_osmesa);
}

static int try_way(const char *kind, const char *name)
{
    alarm(30); /* it may block forever */
    library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return fail(dlerror());
    if (strcmp(kind, "glx") == 0)
        return try_glx();
    if (strcmp(kind, "osmesa") == 0)
        return try_osmesa();
    if (strcmp(kind, "gbm") == 0)
        return try_gbm();
    for (unsigned i = 0; i < ARRAY_SIZE(egl_kinds); i++) {
        if (strcmp(kind, egl_kinds[i].name) == 0)
            return try_egl(&egl_kinds[i]);
    }
    return fail("unknown kind");
}

/* -------------------------------------------------------------------- libraries to test --- */

/* "%s" in `library` and `value` stands for the directory of our libraries. */
static const struct candidate {
    const char *name, *kind, *library;
    struct {
        const char *name, *value;
    } env[2];
} candidates[] = {
    {"libGL.so.1, GLX", "glx", "%s/libGL.so.1"},
    {"libEGL.so.1 on X11", "egl-x11", "%s/libEGL.so.1"},
    {"libEGL.so.1 on Wayland", "egl-wayland", "%s/libEGL.so.1"},
    {"libEGL.so.1 without a display", "egl", "%s/libEGL.so.1"},
    {"libOSMesa.so.8", "osmesa", "%s/libOSMesa.so.8"},
    {"GLVND's libGL",
     "glx",
     "libGL.so.1",
     {{"LD_LIBRARY_PATH", "%s/glvnd"}, {"__GLX_VENDOR_LIBRARY_NAME", "indium"}}},
    {"GLVND's libEGL on X11",
     "egl-x11",
     "libEGL.so.1",
     {{"__EGL_VENDOR_LIBRARY_FILENAMES", "%s/glvnd/60_indium.json"}}},
    {"GLVND's libEGL without a display",
     "egl",
     "libEGL.so.1",
     {{"__EGL_VENDOR_LIBRARY_FILENAMES", "%s/glvnd/60_indium.json"}}},
    {"Mesa's libGLX, DRI module",
     "glx",
     "libGL.so.1",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"__GLX_VENDOR_LIBRARY_NAME", "mesa"}}},
    {"Mesa's libEGL on X11, DRI module",
     "egl-x11",
     "libEGL.so.1",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}}},
    {"Mesa's libEGL without a display, DRI module",
     "egl",
     "libEGL.so.1",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}}},
    {"libEGL.so.1 on GBM", "gbm", "%s/libEGL.so.1", {{"LD_LIBRARY_PATH", "%s"}}},
    {"Mesa's libEGL on GBM, DRI module",
     "gbm",
     "libEGL.so.1",
     {{"LIBGL_DRIVERS_PATH", "%s/dri"}, {"MESA_LOADER_DRIVER_OVERRIDE", "indium"}}},
};

static void set_environment(const struct candidate *candidate, const char *directory)
{
    char value[PATH_MAX + 64];

    unsetenv("LD_LIBRARY_PATH");
    for (unsigned i = 0; i < ARRAY_SIZE(candidate->env) && candidate->env[i].name; i++) {
        if (strstr(candidate->env[i].value, "%s"))
            snprintf(value, sizeof value, "%s%s", directory, candidate->env[i].value + 2);
        else
            snprintf(value, sizeof value, "%s", candidate->env[i].value);
        /* an installation has the vendor files in the system's directories */
        if (strstr(value, ".json") && access(value, R_OK) != 0)
            strcpy(value, VENDOR_FILE);
        setenv(candidate->env[i].name, value, 1);
    }
}

/* Runs the test in a separate process. Copies the last line of its output to text. */
static bool candidate_works(const struct candidate *candidate, const char *directory,
                            char text[256])
{
    char name[PATH_MAX + 64], line[256];
    int out[2], status = -1;
    pid_t child;
    FILE *lines;

    strcpy(text, "the program that tries it did not start");
    if (pipe(out) != 0)
        return false;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        snprintf(name, sizeof name, "%s%s", candidate->library[0] == '%' ? directory : "",
                 candidate->library + (candidate->library[0] == '%' ? 2 : 0));
        set_environment(candidate, directory);
        dup2(out[1], 1);
        dup2(open("/dev/null", O_WRONLY),
             2); /* hides messages of libraries about missing displays */
        close(out[0]);
        execl("/proc/self/exe", "indium-info", "--try", candidate->kind, name, NULL);
        _exit(127);
    }
    close(out[1]);
    lines = fdopen(out[0], "r");
    while (lines && fgets(line, sizeof line, lines)) {
        line[strcspn(line, "\n")] = '\0';
        strcpy(text, line);
    }
    if (lines)
        fclose(lines);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (WIFSIGNALED(status))
        snprintf(text, 256, WTERMSIG(status) == SIGALRM ? "timeout" : "crash");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void print_ways(const char *directory)
{
    printf("\nLibraries and loaders (in %s):\n", directory);
    for (unsigned i = 0; i < ARRAY_SIZE(candidates); i++) {
        char text[256];
        bool works = candidate_works(&candidates[i], directory, text);

        printf("  %-44s %s%s\n", candidates[i].name, works ? "works" : "no: ", works ? "" : text);
    }
}

/* ------------------------------------------------------------ properties and limits --- */

static void print_cpu(const char *renderer)
{
    static const char *const names[] = {"sse2", "ssse3", "sse4.1", "avx",     "f16c",
                                        "fma",  "avx2",  "bmi2",   "avx512f", "avx512vl"};
    bool has[] = {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_cpu_supports("sse2"),
        __builtin_cpu_supports("ssse3"),
        __builtin_cpu_supports("sse4.1"),
        __builtin_cpu_supports("avx"),
        __builtin_cpu_supports("f16c"),
        __builtin_cpu_supports("fma"),
        __builtin_cpu_supports("avx2"),
        __builtin_cpu_supports("bmi2"),
        __builtin_cpu_supports("avx512f"),
        __builtin_cpu_supports("avx512vl"),
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

    if (argc == 4 && strcmp(argv[1], "--try") == 0)
        return try_way(argv[2], argv[3]);
    if (argc > 1) {
        fprintf(stderr, "usage: indium-info\n");
        return 2;
    }
    printf("%s %s\n\n", core->name, core->release);
    print_cpu(core->renderer());
    print_cache();
    printf("\nAPIs:\n");
    print_apis(core);
    print_limits(core, GL_API_COMPAT);
    if (!find_libraries(directory))
        return fail("cannot find the directory of the libraries");
    print_ways(directory);
    return 0;
}
