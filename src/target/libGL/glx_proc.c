/* SPDX-License-Identifier: MIT */
/* Versions, strings, renderer queries, and addresses of functions. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "target/libGL/glx_private.h"

/* GLX_EXT_import_context imports contexts that live in the server. There are none, so it is only in
 * the client's list. */
#define IMPORT_CONTEXT " GLX_EXT_import_context"

static char extensions[2048], client_extensions[sizeof extensions + sizeof IMPORT_CONTEXT];
static pthread_once_t extensions_once = PTHREAD_ONCE_INIT;

static void build_extensions(void)
{
    const struct indium_core *core = indium_core_interface();

    snprintf(extensions, sizeof extensions, "%s%s%s%s",
             "GLX_ARB_context_flush_control "
             "GLX_ARB_create_context "
             "GLX_ARB_create_context_no_error "
             "GLX_ARB_create_context_profile "
             "GLX_ARB_create_context_robustness "
             "GLX_ARB_fbconfig_float "
             "GLX_ARB_get_proc_address "
             "GLX_ARB_multisample "
             "GLX_ATI_pixel_format_float "
             "GLX_EXT_buffer_age "
             "GLX_EXT_fbconfig_packed_float "
             "GLX_EXT_get_drawable_type "
             "GLX_EXT_libglvnd "
             "GLX_EXT_no_config_context "
             "GLX_EXT_swap_control "
             "GLX_EXT_swap_control_tear "
             "GLX_EXT_texture_from_pixmap "
             "GLX_EXT_visual_info "
             "GLX_EXT_visual_rating "
             "GLX_INTEL_swap_event "
             "GLX_MESA_copy_sub_buffer "
             "GLX_MESA_query_renderer "
             "GLX_MESA_swap_control "
             "GLX_NV_float_buffer "
             "GLX_OML_swap_method "
             "GLX_OML_sync_control "
             "GLX_SGIS_multisample "
             "GLX_SGIX_fbconfig "
             "GLX_SGIX_pbuffer "
             "GLX_SGIX_visual_select_group "
             "GLX_SGI_make_current_read "
             "GLX_SGI_swap_control "
             "GLX_SGI_video_sync",
             core->max_version(GL_API_ES2) ? " GLX_EXT_create_context_es2_profile" : "",
             core->max_version(GL_API_ES2) ? " GLX_EXT_create_context_es_profile" : "",
             tgt_supports_srgb(core) ? " GLX_ARB_framebuffer_sRGB GLX_EXT_framebuffer_sRGB" : "");
    snprintf(client_extensions, sizeof client_extensions, "%s" IMPORT_CONTEXT, extensions);
}

static const char *extension_string(void)
{
    pthread_once(&extensions_once, build_extensions);
    return extensions;
}

static const char *glx_string(int name)
{
    switch (name) {
    case GLX_VENDOR:
        return "Indium";
    case GLX_VERSION:
        return "1.4";
    case GLX_EXTENSIONS:
        return extension_string();
    default:
        return NULL;
    }
}

/* Always true: this library implements GLX without the server. */
GLX_EXPORT Bool glXQueryExtension(Display *dpy, int *error_base, int *event_base)
{
    struct glx_display *d = glx_display_get(dpy);

    if (!d)
        return False;
    if (error_base)
        *error_base = d->error_base;
    if (event_base)
        *event_base = d->event_base;
    return True;
}

GLX_EXPORT Bool glXQueryVersion(Display *dpy, int *major, int *minor)
{
    if (!glx_display_get(dpy))
        return False;
    if (major)
        *major = 1;
    if (minor)
        *minor = 4;
    return True;
}

GLX_EXPORT const char *glXQueryExtensionsString(Display *dpy, int screen)
{
    return glx_screen_get(dpy, screen) ? extension_string() : NULL;
}

GLX_EXPORT const char *glXQueryServerString(Display *dpy, int screen, int name)
{
    if (!glx_screen_get(dpy, screen))
        return NULL;
    return name == GLX_VENDOR_NAMES_EXT ? "indium" : glx_string(name);
}

GLX_EXPORT const char *glXGetClientString(Display *dpy, int name)
{
    if (name != GLX_EXTENSIONS)
        return glx_string(name);
    pthread_once(&extensions_once, build_extensions);
    return client_extensions;
}

static bool renderer_integer(const struct indium_core *core, int attribute, unsigned *value)
{
    static const struct {
        int attribute;
        enum gl_api api;
    } versions[] = {
        {GLX_RENDERER_OPENGL_CORE_PROFILE_VERSION_MESA, GL_API_CORE},
        {GLX_RENDERER_OPENGL_COMPATIBILITY_PROFILE_VERSION_MESA, GL_API_COMPAT},
        {GLX_RENDERER_OPENGL_ES_PROFILE_VERSION_MESA, GL_API_ES1},
        {GLX_RENDERER_OPENGL_ES2_PROFILE_VERSION_MESA, GL_API_ES2},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(versions); i++) {
        if (versions[i].attribute == attribute) {
            unsigned version = core->max_version(versions[i].api);

            value[0] = version / 10;
            value[1] = version % 10;
            return true;
        }
    }
    switch (attribute) {
    case GLX_RENDERER_VENDOR_ID_MESA:
    case GLX_RENDERER_DEVICE_ID_MESA:
        *value = 0xffffffff;
        return true;
    case GLX_RENDERER_VERSION_MESA:
        value[0] = value[1] = value[2] = 0;
        sscanf(core->release, "%u.%u.%u", &value[0], &value[1], &value[2]);
        return true;
    case GLX_RENDERER_ACCELERATED_MESA:
        *value = 0;
        return true;
    case GLX_RENDERER_VIDEO_MEMORY_MESA:
        *value = (unsigned)((uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) >> 20);
        return true;
    case GLX_RENDERER_UNIFIED_MEMORY_ARCHITECTURE_MESA:
        *value = 1;
        return true;
    case GLX_RENDERER_PREFERRED_PROFILE_MESA:
        *value = core->max_version(GL_API_CORE) > core->max_version(GL_API_COMPAT)
                     ? GLX_CONTEXT_CORE_PROFILE_BIT_ARB
                     : GLX_CONTEXT_COMPATIBILITY_PROFILE_BIT_ARB;
        return true;
    default:
        return false;
    }
}

static const char *renderer_string(const struct indium_core *core, int attribute)
{
    switch (attribute) {
    case GLX_RENDERER_VENDOR_ID_MESA:
        return core->name;
    case GLX_RENDERER_DEVICE_ID_MESA:
        return core->renderer();
    default:
        return NULL;
    }
}

GLX_EXPORT Bool glXQueryRendererIntegerMESA(Display *dpy, int screen, int renderer, int attribute,
                                            unsigned *value)
{
    struct glx_screen *s = glx_screen_get(dpy, screen);

    return s && renderer == 0 && value && renderer_integer(s->display->core, attribute, value);
}

GLX_EXPORT Bool glXQueryCurrentRendererIntegerMESA(int attribute, unsigned *value)
{
    return glx_thread_get()->ctx && value &&
           renderer_integer(indium_core_interface(), attribute, value);
}

GLX_EXPORT const char *glXQueryRendererStringMESA(Display *dpy, int screen, int renderer,
                                                  int attribute)
{
    struct glx_screen *s = glx_screen_get(dpy, screen);

    return s && renderer == 0 ? renderer_string(s->display->core, attribute) : NULL;
}

GLX_EXPORT const char *glXQueryCurrentRendererStringMESA(int attribute)
{
    return glx_thread_get()->ctx ? renderer_string(indium_core_interface(), attribute) : NULL;
}

static __GLXextFuncPtr find_proc(const char *name)
{
    static const struct {
        const char *name;
        __GLXextFuncPtr function;
    } functions[] = {
#define ENTRY(f) {"glX" #f, (__GLXextFuncPtr)glX##f}
        ENTRY(BindTexImageEXT),
        ENTRY(ChooseFBConfig),
        ENTRY(ChooseFBConfigSGIX),
        ENTRY(ChooseVisual),
        ENTRY(CopyContext),
        ENTRY(CopySubBufferMESA),
        ENTRY(CreateContext),
        ENTRY(CreateContextAttribsARB),
        ENTRY(CreateContextWithConfigSGIX),
        ENTRY(CreateGLXPbufferSGIX),
        ENTRY(CreateGLXPixmap),
        ENTRY(CreateGLXPixmapWithConfigSGIX),
        ENTRY(CreateNewContext),
        ENTRY(CreatePbuffer),
        ENTRY(CreatePixmap),
        ENTRY(CreateWindow),
        ENTRY(DestroyContext),
        ENTRY(DestroyGLXPbufferSGIX),
        ENTRY(DestroyGLXPixmap),
        ENTRY(DestroyPbuffer),
        ENTRY(DestroyPixmap),
        ENTRY(DestroyWindow),
        ENTRY(FreeContextEXT),
        ENTRY(GetClientString),
        ENTRY(GetConfig),
        ENTRY(GetContextIDEXT),
        ENTRY(GetCurrentContext),
        ENTRY(GetCurrentDisplay),
        ENTRY(GetCurrentDisplayEXT),
        ENTRY(GetCurrentDrawable),
        ENTRY(GetCurrentReadDrawable),
        ENTRY(GetCurrentReadDrawableSGI),
        ENTRY(GetFBConfigAttrib),
        ENTRY(GetFBConfigAttribSGIX),
        ENTRY(GetFBConfigFromVisualSGIX),
        ENTRY(GetFBConfigs),
        ENTRY(GetMscRateOML),
        ENTRY(GetProcAddress),
        ENTRY(GetProcAddressARB),
        ENTRY(GetSelectedEvent),
        ENTRY(GetSelectedEventSGIX),
        ENTRY(GetSwapIntervalMESA),
        ENTRY(GetSyncValuesOML),
        ENTRY(GetVideoSyncSGI),
        ENTRY(GetVisualFromFBConfig),
        ENTRY(GetVisualFromFBConfigSGIX),
        ENTRY(ImportContextEXT),
        ENTRY(IsDirect),
        ENTRY(MakeContextCurrent),
        ENTRY(MakeCurrent),
        ENTRY(MakeCurrentReadSGI),
        ENTRY(QueryContext),
        ENTRY(QueryContextInfoEXT),
        ENTRY(QueryCurrentRendererIntegerMESA),
        ENTRY(QueryCurrentRendererStringMESA),
        ENTRY(QueryDrawable),
        ENTRY(QueryExtension),
        ENTRY(QueryExtensionsString),
        ENTRY(QueryGLXPbufferSGIX),
        ENTRY(QueryRendererIntegerMESA),
        ENTRY(QueryRendererStringMESA),
        ENTRY(QueryServerString),
        ENTRY(QueryVersion),
        ENTRY(ReleaseTexImageEXT),
        ENTRY(SelectEvent),
        ENTRY(SelectEventSGIX),
        ENTRY(SwapBuffers),
        ENTRY(SwapBuffersMscOML),
        ENTRY(SwapIntervalEXT),
        ENTRY(SwapIntervalMESA),
        ENTRY(SwapIntervalSGI),
        ENTRY(UseXFont),
        ENTRY(WaitForMscOML),
        ENTRY(WaitForSbcOML),
        ENTRY(WaitGL),
        ENTRY(WaitVideoSyncSGI),
        ENTRY(WaitX),
#undef ENTRY
    };

    for (unsigned i = 0; i < ARRAY_SIZE(functions); i++) {
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    }
    return NULL;
}

GLX_EXPORT __GLXextFuncPtr glXGetProcAddressARB(const GLubyte *procname)
{
    const char *name = (const char *)procname;

    if (!name)
        return NULL;
    if (strncmp(name, "glX", 3) == 0)
        return find_proc(name);
    return indium_core_interface()->get_proc_address(name);
}

GLX_EXPORT __GLXextFuncPtr glXGetProcAddress(const GLubyte *procname)
{
    return glXGetProcAddressARB(procname);
}
