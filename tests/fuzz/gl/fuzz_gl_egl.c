/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes EGL calls: handles of other displays and of destroyed objects, incompatible
 * configurations, invalid attributes, and several threads that make the same contexts current.
 */
#define EGL_EGLEXT_PROTOTYPES
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz_gl_window.h"

static struct fuzz_handles displays, configs, surfaces, contexts, images, syncs;

#define HANDLE(kind) ((void *)fuzz_handle(f, &kind))

static const EGLint config_names[] = {
    EGL_RED_SIZE,
    EGL_ALPHA_SIZE,
    EGL_DEPTH_SIZE,
    EGL_STENCIL_SIZE,
    EGL_SAMPLES,
    EGL_SURFACE_TYPE,
    EGL_CONFIG_ID,
    EGL_RENDERABLE_TYPE,
    EGL_BUFFER_SIZE,
    EGL_NATIVE_VISUAL_ID,
    EGL_CONFORMANT,
    EGL_COLOR_BUFFER_TYPE,
    EGL_LEVEL,
    EGL_MATCH_NATIVE_PIXMAP,
    EGL_BIND_TO_TEXTURE_RGBA,
    EGL_CONFIG_CAVEAT,
};
static const EGLint context_names[] = {
    EGL_CONTEXT_MAJOR_VERSION,
    EGL_CONTEXT_MINOR_VERSION,
    EGL_CONTEXT_OPENGL_PROFILE_MASK,
    EGL_CONTEXT_OPENGL_DEBUG,
    EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE,
    EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
    EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
    EGL_CONTEXT_FLAGS_KHR,
    EGL_CONTEXT_OPENGL_NO_ERROR_KHR,
    EGL_CONTEXT_PRIORITY_LEVEL_IMG,
    EGL_CONTEXT_RELEASE_BEHAVIOR_KHR,
    EGL_LOSE_CONTEXT_ON_RESET,
};
static const EGLint surface_names[] = {
    EGL_WIDTH,          EGL_HEIGHT,         EGL_LARGEST_PBUFFER,     EGL_TEXTURE_FORMAT,
    EGL_TEXTURE_TARGET, EGL_MIPMAP_TEXTURE, EGL_MIPMAP_LEVEL,        EGL_RENDER_BUFFER,
    EGL_GL_COLORSPACE,  EGL_SWAP_BEHAVIOR,  EGL_BUFFER_PRESERVED,    EGL_TEXTURE_2D,
    EGL_TEXTURE_RGBA,   EGL_BUFFER_AGE_EXT, EGL_MULTISAMPLE_RESOLVE, EGL_BACK_BUFFER,
};
static const EGLint image_names[] = {
    EGL_IMAGE_PRESERVED,
    EGL_GL_TEXTURE_LEVEL,
    EGL_GL_TEXTURE_ZOFFSET,
    EGL_YUV_COLOR_SPACE_HINT_EXT,
    EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
    EGL_DMA_BUF_PLANE1_OFFSET_EXT,
    EGL_DMA_BUF_PLANE1_PITCH_EXT,
    EGL_DMA_BUF_PLANE0_OFFSET_EXT,
    EGL_ITU_REC709_EXT,
};
static const EGLint sync_names[] = {
    EGL_SYNC_TYPE, EGL_SYNC_STATUS, EGL_SYNC_CONDITION, EGL_SYNC_FENCE, EGL_SIGNALED,
};

static void list_of(struct fuzz *f, EGLint *list, const EGLint *names, unsigned num_names)
{
    fuzz_attributes(f, list, names, num_names, EGL_NONE);
}
#define LIST(name, names)                                                                          \
    EGLint name[2 * FUZZ_PAIRS + 1];                                                               \
    list_of(f, name, names, ARRAY_SIZE(names))

/* --- displays --- */

/* Returns mostly the first display, so that calls combine objects of the same display. */
static EGLDisplay display_of(struct fuzz *f)
{
    return fuzz_chance(f, 85) ? (EGLDisplay)__atomic_load_n(&displays.value[0], __ATOMIC_RELAXED)
                              : HANDLE(displays);
}

static EGLConfig config_of(struct fuzz *f)
{
    return fuzz_chance(f, 70) ? (EGLConfig)__atomic_load_n(&configs.value[0], __ATOMIC_RELAXED)
                              : HANDLE(configs);
}

static void get_display(struct fuzz *f)
{
    static const EGLenum platforms[] = {EGL_PLATFORM_SURFACELESS_MESA, EGL_PLATFORM_X11_KHR,
                                        EGL_PLATFORM_DEVICE_EXT,       EGL_PLATFORM_GBM_KHR,
                                        EGL_PLATFORM_SURFACELESS_MESA, 0x1234};
    EGLenum platform = platforms[fuzz_random(f, ARRAY_SIZE(platforms))];
    EGLDeviceEXT device = NULL;
    EGLint count;
    if (__atomic_load_n(&displays.count, __ATOMIC_RELAXED) > 2 && fuzz_chance(f, 80))
        return;
    eglQueryDevicesEXT(1, &device, &count);
    void *native = platform == EGL_PLATFORM_X11_KHR      ? fuzz_x_display()
                   : platform == EGL_PLATFORM_DEVICE_EXT ? device
                                                         : NULL;
    CALL("eglGetPlatformDisplay(0x%x, %p)", platform, native);
    fuzz_handle_add(&displays, (uintptr_t)(fuzz_chance(f, 10)
                                               ? eglGetDisplay(EGL_DEFAULT_DISPLAY)
                                               : eglGetPlatformDisplay(platform, native, NULL)));
}

static void initialize(struct fuzz *f)
{
    EGLint major, minor;
    EGLDisplay dpy = display_of(f);
    CALL("eglInitialize(%p)", dpy);
    eglInitialize(dpy, fuzz_chance(f, 50) ? &major : NULL, &minor);
}

static void terminate(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    if (fuzz_chance(f, 80))
        return;
    CALL("eglTerminate(%p)", dpy);
    eglTerminate(dpy);
}

static void query_display(struct fuzz *f)
{
    static const EGLint names[] = {EGL_VENDOR, EGL_VERSION, EGL_EXTENSIONS, EGL_CLIENT_APIS};
    EGLDisplay dpy = display_of(f);
    EGLint formats[4], count;
    EGLAttrib value;
    CALL("eglQueryString(%p) and others", dpy);
    eglQueryString(dpy, fuzz_number(f, names, ARRAY_SIZE(names)));
    eglQueryDisplayAttribEXT(dpy, EGL_DEVICE_EXT, &value);
    eglQueryDmaBufFormatsEXT(dpy, (EGLint)fuzz_random(f, 5), formats, &count);
}

static void get_configs(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLint size = (EGLint)fuzz_random(f, 30), count = 0;
    EGLConfig *found = calloc((size_t)size + 1, sizeof *found);
    LIST(attribs, config_names);
    CALL("eglChooseConfig(%p, %d)", dpy, size);
    if (fuzz_chance(f, 30)
            ? eglGetConfigs(dpy, found, size, &count)
            : eglChooseConfig(dpy, fuzz_chance(f, 80) ? attribs : NULL, found, size, &count))
        for (EGLint i = 0; i < 3 && count; i++)
            fuzz_handle_add(&configs, (uintptr_t)found[fuzz_random(f, (uint32_t)count)]);
    free(found);
}

static void query_config(struct fuzz *f)
{
    EGLint value;
    EGLDisplay dpy = display_of(f);
    EGLConfig config = config_of(f);
    CALL("eglGetConfigAttrib(%p, %p)", dpy, config);
    eglGetConfigAttrib(dpy, config, fuzz_number(f, config_names, ARRAY_SIZE(config_names)), &value);
}

/* --- contexts --- */

static void bind_api(struct fuzz *f)
{
    static const EGLint apis[] = {EGL_OPENGL_ES_API, EGL_OPENGL_API, EGL_OPENVG_API, EGL_NONE};
    EGLenum api = (EGLenum)apis[fuzz_random(f, ARRAY_SIZE(apis))];
    CALL("eglBindAPI(0x%x)", api);
    eglBindAPI(api);
    eglQueryAPI();
}

static void create_context(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLConfig config = config_of(f);
    EGLContext share = fuzz_chance(f, 50) ? HANDLE(contexts) : EGL_NO_CONTEXT;
    LIST(attribs, context_names);
    const EGLint plain[] = {EGL_CONTEXT_MAJOR_VERSION, 1 + (EGLint)fuzz_random(f, 4), EGL_NONE};
    CALL("eglCreateContext(%p, %p, %p)", dpy, config, share);
    fuzz_handle_add(&contexts, (uintptr_t)eglCreateContext(dpy, config, share,
                                                           fuzz_chance(f, 50) ? plain : attribs));
}

/* Destroys an object. Called less often than objects are created. */
static void destroy(struct fuzz *f, const char *name, struct fuzz_handles *kind,
                    EGLBoolean(EGLAPIENTRY *call)(EGLDisplay dpy, void *object))
{
    EGLDisplay dpy = display_of(f);
    void *object = (void *)fuzz_handle(f, kind);
    if (fuzz_chance(f, 60))
        return;
    CALL("%s(%p, %p)", name, dpy, object);
    call(dpy, object);
}

static void destroy_context(struct fuzz *f)
{
    destroy(f, "eglDestroyContext", &contexts, eglDestroyContext);
}

static void query_context(struct fuzz *f)
{
    static const EGLint names[] = {EGL_CONFIG_ID, EGL_CONTEXT_CLIENT_TYPE, EGL_RENDER_BUFFER,
                                   EGL_CONTEXT_CLIENT_VERSION, EGL_CONTEXT_PRIORITY_LEVEL_IMG};
    EGLDisplay dpy = display_of(f);
    EGLContext ctx = HANDLE(contexts);
    EGLint value;
    CALL("eglQueryContext(%p, %p)", dpy, ctx);
    eglQueryContext(dpy, ctx, fuzz_number(f, names, ARRAY_SIZE(names)), &value);
    eglGetCurrentContext();
    eglGetCurrentDisplay();
    eglGetCurrentSurface(fuzz_chance(f, 50) ? EGL_DRAW : EGL_READ);
}

static void make_current(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    bool none = fuzz_chance(f, 15), nothing = fuzz_chance(f, 15);
    EGLSurface draw = none || nothing ? EGL_NO_SURFACE : HANDLE(surfaces);
    EGLSurface read = fuzz_chance(f, 80) ? draw : HANDLE(surfaces);
    EGLContext ctx = none ? EGL_NO_CONTEXT : HANDLE(contexts);
    CALL("eglMakeCurrent(%p, %p, %p, %p)", dpy, draw, read, ctx);
    eglMakeCurrent(dpy, draw, read, ctx);
}

static void release_thread(struct fuzz *f)
{
    if (fuzz_chance(f, 70))
        return;
    CALL("eglReleaseThread(%s)", "");
    eglReleaseThread();
}

static void wait_client(struct fuzz *f)
{
    CALL("eglWaitClient(%s)", "");
    eglWaitClient();
    eglWaitNative(fuzz_chance(f, 90) ? EGL_CORE_NATIVE_ENGINE : 3);
    eglGetError();
}

/* --- surfaces --- */

static void create_surface(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLConfig config = config_of(f);
    unsigned long id = fuzz_x_drawable(f);
    LIST(attribs, surface_names);
    const EGLint size[] = {EGL_WIDTH, 1 + (EGLint)fuzz_random(f, 64), EGL_HEIGHT,
                           1 + (EGLint)fuzz_random(f, 64), EGL_NONE};
    EGLSurface made = EGL_NO_SURFACE;
    unsigned what = fuzz_random(f, 5);
    CALL("create surface %u (%p, %p, 0x%lx)", what, dpy, config, id);
    if (what < 2)
        made = eglCreatePbufferSurface(dpy, config, what ? size : attribs);
    else if (what == 2)
        made = eglCreateWindowSurface(dpy, config, (EGLNativeWindowType)id, attribs);
    else if (what == 3)
        made = eglCreatePixmapSurface(dpy, config, (EGLNativePixmapType)id, attribs);
    else
        made = eglCreatePbufferFromClientBuffer(dpy, EGL_OPENVG_IMAGE, HANDLE(images), config,
                                                attribs);
    fuzz_handle_add(&surfaces, (uintptr_t)made);
}

static void destroy_surface(struct fuzz *f)
{
    destroy(f, "eglDestroySurface", &surfaces, eglDestroySurface);
}

static void query_surface(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLSurface surface = HANDLE(surfaces);
    EGLint name = fuzz_number(f, surface_names, ARRAY_SIZE(surface_names)), value;
    CALL("eglQuerySurface(%p, %p, 0x%x)", dpy, surface, name);
    eglQuerySurface(dpy, surface, name, &value);
    eglSurfaceAttrib(dpy, surface, name, fuzz_number(f, surface_names, ARRAY_SIZE(surface_names)));
}

static void swap(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLSurface surface = HANDLE(surfaces);
    EGLint rects[8];
    for (unsigned i = 0; i < 8; i++)
        rects[i] = fuzz_number(f, surface_names, 1);
    unsigned what = fuzz_random(f, 6);
    CALL("swap %u (%p, %p)", what, dpy, surface);
    if (what < 2)
        eglSwapBuffers(dpy, surface);
    else if (what == 2)
        eglSwapBuffersWithDamageKHR(dpy, surface, rects, (EGLint)fuzz_random(f, 4) - 1);
    else if (what == 3)
        eglSetDamageRegionKHR(dpy, surface, rects, (EGLint)fuzz_random(f, 4) - 1);
    else if (what == 4)
        eglCopyBuffers(dpy, surface, (EGLNativePixmapType)fuzz_x_drawable(f));
    else
        eglSwapInterval(dpy, fuzz_number(f, surface_names, 1));
}

static void bind_texture(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLSurface surface = HANDLE(surfaces);
    EGLint buffer = fuzz_chance(f, 90) ? EGL_BACK_BUFFER : EGL_SINGLE_BUFFER;
    CALL("eglBindTexImage(%p, %p)", dpy, surface);
    if (fuzz_chance(f, 60))
        eglBindTexImage(dpy, surface, buffer);
    else
        eglReleaseTexImage(dpy, surface, buffer);
}

/* --- images and syncs --- */

/* Imports memory given by a file descriptor, with right or wrong attributes. */
static EGLImage import(struct fuzz *f, EGLDisplay dpy, const EGLint *more)
{
    static const EGLint formats[] = {0x34325241 /* AR24 */, 0x34325258 /* XR24 */,
                                     0x36314752 /* RG16 */, 0x3231564e /* NV12 */, 0x12345678};
    EGLint width = (EGLint)fuzz_random(f, 64), height = (EGLint)fuzz_random(f, 64), n = 0;
    EGLint list[16 + 2 * FUZZ_PAIRS + 1];
    int file = memfd_create("picture", 0);
    if (ftruncate(file, (off_t)fuzz_chance(f, 70) ? 64 * 64 * 4 : fuzz_random(f, 64 * 64 * 4)))
        perror("ftruncate");
    bool right = fuzz_chance(f, 60);
    const EGLint pairs[] = {
        EGL_WIDTH,
        right ? width : fuzz_number(f, image_names, 1),
        EGL_HEIGHT,
        right ? height : fuzz_number(f, image_names, 1),
        EGL_LINUX_DRM_FOURCC_EXT,
        formats[fuzz_random(f, ARRAY_SIZE(formats))],
        EGL_DMA_BUF_PLANE0_FD_EXT,
        fuzz_chance(f, 95) ? file : fuzz_number(f, image_names, 1),
        EGL_DMA_BUF_PLANE0_OFFSET_EXT,
        right ? 0 : fuzz_number(f, image_names, 1),
        EGL_DMA_BUF_PLANE0_PITCH_EXT,
        right ? width * 4 : fuzz_number(f, image_names, 1),
        EGL_DMA_BUF_PLANE1_FD_EXT,
        file,
    };
    /* Usually omit the attribute of the second plane. */
    unsigned num_pairs = ARRAY_SIZE(pairs) - (fuzz_chance(f, 80) ? 2 : 0);
    for (unsigned i = 0; i < num_pairs; i++)
        list[n++] = pairs[i];
    bool extra = fuzz_chance(f, 30);
    for (unsigned i = 0; extra && i < 2 * FUZZ_PAIRS && more[i] != EGL_NONE; i++)
        list[n++] = more[i];
    list[n] = EGL_NONE;
    EGLImage image = eglCreateImageKHR(dpy, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, list);
    close(file);
    return image;
}

static void create_image(struct fuzz *f)
{
    static const EGLenum targets[] = {EGL_GL_TEXTURE_2D,    EGL_GL_TEXTURE_2D,
                                      EGL_GL_RENDERBUFFER,  EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                                      EGL_GL_TEXTURE_3D,    0,
                                      EGL_NATIVE_PIXMAP_KHR};
    EGLDisplay dpy = display_of(f);
    EGLContext ctx = fuzz_chance(f, 50) ? eglGetCurrentContext() : HANDLE(contexts);
    EGLenum target = targets[fuzz_random(f, ARRAY_SIZE(targets))];
    EGLImage image;
    uintptr_t name = target == EGL_NATIVE_PIXMAP_KHR ? fuzz_x_drawable(f) : fuzz_random(f, 5);
    LIST(attribs, image_names);
    if (target == EGL_NATIVE_PIXMAP_KHR && fuzz_chance(f, 90))
        ctx = EGL_NO_CONTEXT;
    CALL("eglCreateImage(%p, %p, 0x%x, %u)", dpy, ctx, target, (unsigned)name);
    image = target ? eglCreateImageKHR(dpy, ctx, target, (EGLClientBuffer)name,
                                       fuzz_chance(f, 50) ? NULL : attribs)
                   : import(f, dpy, attribs);
    fuzz_handle_add(&images, (uintptr_t)image);
}

static void destroy_image(struct fuzz *f)
{
    destroy(f, "eglDestroyImage", &images, eglDestroyImage);
}

static void export_image(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLImage image = HANDLE(images);
    int fourcc, planes, fds[4] = {-1, -1, -1, -1};
    EGLuint64KHR modifiers[4];
    EGLint strides[4], offsets[4];
    CALL("eglExportDMABUFImage(%p, %p)", dpy, image);
    if (eglExportDMABUFImageQueryMESA(dpy, image, &fourcc, &planes, modifiers))
        eglExportDMABUFImageMESA(dpy, image, fds, strides, offsets);
    for (unsigned i = 0; i < 4; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static void use_image(struct fuzz *f)
{
    static const char *const uses[][2] = {
        {"glBindTexture", "glEGLImageTargetTexture2DOES"},
        {"glBindRenderbuffer", "glEGLImageTargetRenderbufferStorageOES"},
    };
    const unsigned targets[] = {0x0de1 /* GL_TEXTURE_2D */, 0x8d41 /* GL_RENDERBUFFER */};
    EGLImage image = HANDLE(images);
    unsigned what = fuzz_chance(f, 30), target = targets[what];
    CALL("%s(%p)", uses[what][1], image);
    void (*bind)(unsigned, unsigned) =
        (void (*)(unsigned, unsigned))eglGetProcAddress(uses[what][0]);
    void (*use)(unsigned, void *) = (void (*)(unsigned, void *))eglGetProcAddress(uses[what][1]);
    bind(target, 1 + fuzz_random(f, 4));
    use(target, image);
}

static void create_sync(struct fuzz *f)
{
    static const EGLenum types[] = {EGL_SYNC_FENCE, EGL_SYNC_FENCE, EGL_SYNC_REUSABLE_KHR, 7};
    EGLDisplay dpy = display_of(f);
    EGLenum type = types[fuzz_random(f, ARRAY_SIZE(types))];
    LIST(attribs, sync_names);
    CALL("eglCreateSync(%p, 0x%x)", dpy, type);
    fuzz_handle_add(&syncs,
                    (uintptr_t)eglCreateSyncKHR(dpy, type, fuzz_chance(f, 80) ? NULL : attribs));
}

static void use_sync(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLSync sync = HANDLE(syncs);
    unsigned what = fuzz_random(f, 4);
    EGLAttrib value;
    CALL("use sync %u (%p, %p)", what, dpy, sync);
    if (what == 0)
        eglClientWaitSync(dpy, sync, (EGLint)fuzz_random(f, 3), 1000 * fuzz_random(f, 3));
    else if (what == 1) {
        eglSignalSyncKHR(dpy, sync,
                         EGL_SIGNALED_KHR); /* a wait for an unsignaled sync never ends */
        eglWaitSync(dpy, sync, fuzz_chance(f, 90) ? 0 : 1);
    } else if (what == 2)
        eglGetSyncAttrib(dpy, sync, fuzz_number(f, sync_names, ARRAY_SIZE(sync_names)), &value);
    else
        eglDestroySync(dpy, sync);
}

/* --- other extensions --- */

static void EGLAPIENTRY on_message(EGLenum error, const char *command, EGLint type,
                                   EGLLabelKHR thread, EGLLabelKHR object, const char *message)
{
    eglGetCurrentContext();
}

static void label(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLenum type = EGL_OBJECT_THREAD_KHR + fuzz_random(f, 8);
    void *object = fuzz_chance(f, 30)   ? HANDLE(contexts)
                   : fuzz_chance(f, 30) ? HANDLE(surfaces)
                   : fuzz_chance(f, 30) ? HANDLE(images)
                   : fuzz_chance(f, 50) ? HANDLE(syncs)
                                        : dpy;
    const EGLAttrib attribs[] = {EGL_DEBUG_MSG_CRITICAL_KHR + fuzz_random(f, 5), fuzz_random(f, 3),
                                 EGL_NONE};
    EGLAttrib value;
    CALL("eglLabelObjectKHR(%p, 0x%x, %p)", dpy, type, object);
    eglLabelObjectKHR(dpy, type, object, (EGLLabelKHR)(uintptr_t)fuzz_random(f, 9));
    if (fuzz_chance(f, 20))
        eglDebugMessageControlKHR(fuzz_chance(f, 50) ? on_message : NULL, attribs);
    eglQueryDebugKHR(EGL_DEBUG_CALLBACK_KHR + (EGLint)fuzz_random(f, 6), &value);
}

static void set_blob(const void *key, EGLsizeiANDROID key_size, const void *value,
                     EGLsizeiANDROID size)
{
}

static EGLsizeiANDROID get_blob(const void *key, EGLsizeiANDROID key_size, void *value,
                                EGLsizeiANDROID size)
{
    if (size >= 40)
        memset(value, 0x5a, 40);
    return 40;
}

static void query_rates(struct fuzz *f)
{
    EGLDisplay dpy = display_of(f);
    EGLSurface surface = HANDLE(surfaces);
    EGLint n, d;
    CALL("eglGetMscRateANGLE(%p, %p)", dpy, surface);
    eglGetMscRateANGLE(dpy, surface, &n, &d);
    eglSetBlobCacheFuncsANDROID(dpy, fuzz_chance(f, 90) ? set_blob : NULL, get_blob);
}

/* --- choice of calls --- */

static void call(struct fuzz *f)
{
    static void (*const calls[])(struct fuzz *) = {
        get_display,   initialize,     terminate,      query_display,   get_configs,
        query_config,  bind_api,       create_context, create_context,  destroy_context,
        query_context, make_current,   make_current,   make_current,    release_thread,
        wait_client,   create_surface, create_surface, destroy_surface, query_surface,
        swap,          swap,           bind_texture,   create_image,    create_image,
        destroy_image, export_image,   use_image,      create_sync,     use_sync,
        fuzz_draw,     fuzz_draw,      fuzz_draw,      label,           query_rates,
    };
    if (!__atomic_load_n(&displays.count, __ATOMIC_RELAXED)) {
        get_display(f);
        initialize(f);
        get_configs(f);
    }
    calls[fuzz_random(f, ARRAY_SIZE(calls))](f);
    if (f->trace)
        fprintf(stderr, "%u: error 0x%x\n", f->thread, eglGetError());
}

static void leave(void)
{
    eglReleaseThread();
}

static void finish(void)
{
    for (unsigned i = 0; i < FUZZ_HANDLES; i++)
        eglTerminate((EGLDisplay)displays.value[i]);
    fuzz_x_finish();
}

const struct fuzz_api fuzz_api_egl = {"egl", call, leave, finish};
