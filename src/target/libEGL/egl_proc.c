/* SPDX-License-Identifier: MIT */
/* eglGetProcAddress for all functions of EGL and of the client APIs. */
#include "target/libEGL/egl_private.h"

typedef __eglMustCastToProperFunctionPointerType egl_function;

EGL_EXPORT egl_function EGLAPIENTRY eglGetProcAddress(const char *name)
{
    EGL_COMMAND;
    static const struct {
        const char *name;
        egl_function function;
    } functions[] = {
#define ENTRY(f) {"egl" #f, (egl_function)egl##f}
        ENTRY(BindAPI),
        ENTRY(BindTexImage),
        ENTRY(ChooseConfig),
        ENTRY(ClientWaitSync),
        ENTRY(ClientWaitSyncKHR),
        ENTRY(CopyBuffers),
        ENTRY(CreateContext),
        ENTRY(CreateImage),
        ENTRY(CreateImageKHR),
        ENTRY(CreatePbufferFromClientBuffer),
        ENTRY(CreatePbufferSurface),
        ENTRY(CreatePixmapSurface),
        ENTRY(CreatePlatformPixmapSurface),
        ENTRY(CreatePlatformPixmapSurfaceEXT),
        ENTRY(CreatePlatformWindowSurface),
        ENTRY(CreatePlatformWindowSurfaceEXT),
        ENTRY(CreateSync),
        ENTRY(CreateSyncKHR),
        ENTRY(CreateWindowSurface),
        ENTRY(DebugMessageControlKHR),
        ENTRY(DestroyContext),
        ENTRY(DestroyImage),
        ENTRY(DestroyImageKHR),
        ENTRY(DestroySurface),
        ENTRY(DestroySync),
        ENTRY(DestroySyncKHR),
        ENTRY(ExportDMABUFImageMESA),
        ENTRY(ExportDMABUFImageQueryMESA),
        ENTRY(GetConfigAttrib),
        ENTRY(GetConfigs),
        ENTRY(GetCurrentContext),
        ENTRY(GetCurrentDisplay),
        ENTRY(GetCurrentSurface),
        ENTRY(GetDisplay),
        ENTRY(GetDisplayDriverConfig),
        ENTRY(GetDisplayDriverName),
        ENTRY(GetError),
        ENTRY(GetMscRateANGLE),
        ENTRY(GetPlatformDisplay),
        ENTRY(GetPlatformDisplayEXT),
        ENTRY(GetProcAddress),
        ENTRY(GetSyncAttrib),
        ENTRY(GetSyncAttribKHR),
        ENTRY(Initialize),
        ENTRY(LabelObjectKHR),
        ENTRY(MakeCurrent),
        ENTRY(QueryAPI),
        ENTRY(QueryContext),
        ENTRY(QueryDebugKHR),
        ENTRY(QueryDeviceAttribEXT),
        ENTRY(QueryDeviceStringEXT),
        ENTRY(QueryDevicesEXT),
        ENTRY(QueryDisplayAttribEXT),
        ENTRY(QueryDmaBufFormatsEXT),
        ENTRY(QueryDmaBufModifiersEXT),
        ENTRY(QueryString),
        ENTRY(QuerySupportedCompressionRatesEXT),
        ENTRY(QuerySurface),
        ENTRY(ReleaseTexImage),
        ENTRY(ReleaseThread),
        ENTRY(SetBlobCacheFuncsANDROID),
        ENTRY(SetDamageRegionKHR),
        ENTRY(SignalSyncKHR),
        ENTRY(SurfaceAttrib),
        ENTRY(SwapBuffers),
        ENTRY(SwapBuffersWithDamageEXT),
        ENTRY(SwapBuffersWithDamageKHR),
        ENTRY(SwapInterval),
        ENTRY(Terminate),
        ENTRY(WaitClient),
        ENTRY(WaitGL),
        ENTRY(WaitNative),
        ENTRY(WaitSync),
        ENTRY(WaitSyncKHR),
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
