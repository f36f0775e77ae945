/* SPDX-License-Identifier: MIT */
/* Versions, strings, renderer queries, and addresses of functions. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "target/libGL/glx_private.h"

static char extensions[1024];
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
             "GLX_ARB_get_proc_address "
             "GLX_ARB_multisample "
             "GLX_EXT_buffer_age "
             "GLX_EXT_get_drawable_type "
             "GLX_EXT_no_config_context "
             "GLX_EXT_swap_control "
             "GLX_EXT_texture_from_pixmap "
             "GLX_EXT_visual_info "
             "GLX_EXT_visual_rating "
             "GLX_MESA_copy_sub_buffer "
             "GLX_MESA_query_renderer "
             "GLX_MESA_swap_control "
             "GLX_SGIX_fbconfig "
             "GLX_SGIX_pbuffer "
             "GLX_SGI_make_current_read "
             "GLX_SGI_swap_control",
             core->max_version(GL_API_ES2) ? " GLX_EXT_create_context_es2_profile" : "",
             core->max_version(GL_API_ES2) ? " GLX_EXT_create_context_es_profile" : "",
             tgt_supports_srgb(core) ? " GLX_ARB_framebuffer_sRGB GLX_EXT_framebuffer_sRGB" : "");
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
    return glx_screen_get(dpy, screen) ? glx_string(name) : NULL;
}

GLX_EXPORT const char *glXGetClientString(Display *dpy, int name)
{
    return glx_string(name);
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

#define GLX_FUNCTIONS(f)                                                                           \
    f(ChooseVisual) f(CreateContext) f(DestroyContext) f(MakeCurrent) f(CopyContext)               \
        f(SwapBuffers) f(CreateGLXPixmap) f(DestroyGLXPixmap) f(QueryExtension) f(QueryVersion) f( \
            IsDirect) f(GetConfig) f(GetCurrentContext) f(GetCurrentDrawable) f(WaitGL) f(WaitX)   \
            f(UseXFont) f(QueryExtensionsString) f(QueryServerString) f(GetClientString)           \
                f(GetCurrentDisplay) f(ChooseFBConfig) f(GetFBConfigAttrib) f(GetFBConfigs) f(     \
                    GetVisualFromFBConfig) f(CreateWindow) f(DestroyWindow) f(CreatePixmap)        \
                    f(DestroyPixmap) f(CreatePbuffer) f(DestroyPbuffer) f(QueryDrawable) f(        \
                        CreateNewContext) f(MakeContextCurrent) f(GetCurrentReadDrawable)          \
                        f(QueryContext) f(SelectEvent) f(GetSelectedEvent) f(GetProcAddress) f(    \
                            GetProcAddressARB) f(CreateContextAttribsARB) f(MakeCurrentReadSGI)    \
                            f(GetCurrentReadDrawableSGI) f(SwapIntervalEXT) f(SwapIntervalSGI) f(  \
                                SwapIntervalMESA) f(GetSwapIntervalMESA) f(CopySubBufferMESA)      \
                                f(BindTexImageEXT) f(ReleaseTexImageEXT) f(GetFBConfigAttribSGIX)  \
                                    f(ChooseFBConfigSGIX) f(CreateGLXPixmapWithConfigSGIX) f(      \
                                        CreateContextWithConfigSGIX) f(GetVisualFromFBConfigSGIX)  \
                                        f(GetFBConfigFromVisualSGIX) f(CreateGLXPbufferSGIX)       \
                                            f(DestroyGLXPbufferSGIX) f(QueryGLXPbufferSGIX)        \
                                                f(SelectEventSGIX) f(GetSelectedEventSGIX)         \
                                                    f(QueryRendererIntegerMESA)                    \
                                                        f(QueryCurrentRendererIntegerMESA)         \
                                                            f(QueryRendererStringMESA)             \
                                                                f(QueryCurrentRendererStringMESA)

static __GLXextFuncPtr find_proc(const char *name)
{
    static const struct {
        const char *name;
        __GLXextFuncPtr function;
    } functions[] = {
#define ENTRY(f) {"glX" #f, (__GLXextFuncPtr)glX##f},
        GLX_FUNCTIONS(ENTRY)
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
