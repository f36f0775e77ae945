/* SPDX-License-Identifier: MIT */
/* eglGetProcAddress for all functions of EGL and of the client APIs. */
#include "target/libEGL/egl_private.h"

typedef __eglMustCastToProperFunctionPointerType egl_function;

#define EGL_FUNCTIONS(f)                                                                           \
    f(BindAPI) f(BindTexImage) f(ChooseConfig) f(ClientWaitSync) f(ClientWaitSyncKHR)              \
        f(CopyBuffers) f(CreateContext) f(CreateImage) f(CreateImageKHR) f(                        \
            CreatePbufferFromClientBuffer) f(CreatePbufferSurface) f(CreatePixmapSurface)          \
            f(CreatePlatformPixmapSurface) f(CreatePlatformPixmapSurfaceEXT) f(                    \
                CreatePlatformWindowSurface) f(CreatePlatformWindowSurfaceEXT) f(CreateSync)       \
                f(CreateSyncKHR) f(CreateWindowSurface) f(DestroyContext) f(DestroyImage) f(       \
                    DestroyImageKHR) f(DestroySurface) f(DestroySync) f(DestroySyncKHR)            \
                    f(ExportDMABUFImageMESA) f(ExportDMABUFImageQueryMESA) f(GetConfigAttrib) f(   \
                        GetConfigs) f(GetCurrentContext) f(GetCurrentDisplay) f(GetCurrentSurface) \
                        f(GetDisplay) f(GetDisplayDriverConfig) f(GetDisplayDriverName)            \
                            f(GetError) f(GetPlatformDisplay) f(GetPlatformDisplayEXT) f(          \
                                GetProcAddress) f(GetSyncAttrib) f(GetSyncAttribKHR) f(Initialize) \
                                f(MakeCurrent) f(QueryAPI) f(QueryContext) f(QueryDeviceAttribEXT) \
                                    f(QueryDeviceStringEXT) f(QueryDevicesEXT)                     \
                                        f(QueryDisplayAttribEXT) f(QueryDmaBufFormatsEXT)          \
                                            f(QueryDmaBufModifiersEXT) f(QueryString)              \
                                                f(QuerySurface) f(ReleaseTexImage)                 \
                                                    f(ReleaseThread) f(SetDamageRegionKHR)         \
                                                        f(SurfaceAttrib) f(SwapBuffers)            \
                                                            f(SwapBuffersWithDamageEXT)            \
                                                                f(SwapBuffersWithDamageKHR)        \
                                                                    f(SwapInterval) f(Terminate)   \
                                                                        f(WaitClient) f(WaitGL)    \
                                                                            f(WaitNative)          \
                                                                                f(WaitSync)        \
                                                                                    f(WaitSyncKHR)

EGL_EXPORT egl_function EGLAPIENTRY eglGetProcAddress(const char *name)
{
    static const struct {
        const char *name;
        egl_function function;
    } functions[] = {
#define ENTRY(f) {"egl" #f, (egl_function)egl##f},
        EGL_FUNCTIONS(ENTRY)
#undef ENTRY
    };

    if (!name)
        return NULL;
    for (unsigned i = 0; i < ARRAY_SIZE(functions); i++) {
        if (strcmp(functions[i].name, name) == 0)
            return functions[i].function;
    }
    return indium_core_interface()->get_proc_address(name);
}
