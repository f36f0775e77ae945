/* SPDX-License-Identifier: MIT */
/*
 * libEGL_indium.so.0: libEGL's functions as a vendor of GLVND's libEGL (glvnd/libeglabi.h).
 *
 * libEGL dispatches EGL 1.5, platforms and the device list. For every other extension function, the
 * vendor provides a stub. It calls the function of the display's or device's vendor through an
 * index assigned by libEGL.
 */
#include <string.h>

#include "target/libEGL/egl_private.h"

#include <glvnd/libeglabi.h>

static const __EGLapiExports *glvnd;

/* Result type, name, parameters, arguments. */
/* clang-format off */
#define DISPLAY_STUBS(f) \
    f(EGLImageKHR, CreateImageKHR, (EGLDisplay dpy, EGLContext ctx, EGLenum target, \
      EGLClientBuffer buffer, const EGLint *attribs), (dpy, ctx, target, buffer, attribs)) \
    f(EGLBoolean, DestroyImageKHR, (EGLDisplay dpy, EGLImageKHR image), (dpy, image)) \
    f(EGLSyncKHR, CreateSyncKHR, (EGLDisplay dpy, EGLenum type, const EGLint *attribs), (dpy, \
      type, attribs)) \
    f(EGLBoolean, DestroySyncKHR, (EGLDisplay dpy, EGLSyncKHR sync), (dpy, sync)) \
    f(EGLint, ClientWaitSyncKHR, (EGLDisplay dpy, EGLSyncKHR sync, EGLint flags, EGLTimeKHR \
      timeout), (dpy, sync, flags, timeout)) \
    f(EGLint, WaitSyncKHR, (EGLDisplay dpy, EGLSyncKHR sync, EGLint flags), (dpy, sync, flags)) \
    f(EGLBoolean, GetSyncAttribKHR, (EGLDisplay dpy, EGLSyncKHR sync, EGLint attribute, EGLint \
      *value), (dpy, sync, attribute, value)) \
    f(EGLBoolean, SwapBuffersWithDamageKHR, (EGLDisplay dpy, EGLSurface surface, const EGLint \
      *rects, EGLint n_rects), (dpy, surface, rects, n_rects)) \
    f(EGLBoolean, SwapBuffersWithDamageEXT, (EGLDisplay dpy, EGLSurface surface, const EGLint \
      *rects, EGLint n_rects), (dpy, surface, rects, n_rects)) \
    f(EGLBoolean, QueryDmaBufFormatsEXT, (EGLDisplay dpy, EGLint max, EGLint *formats, EGLint \
      *count), (dpy, max, formats, count)) \
    f(EGLBoolean, QueryDmaBufModifiersEXT, (EGLDisplay dpy, EGLint format, EGLint max, \
      EGLuint64KHR *modifiers, EGLBoolean *external_only, EGLint *count), (dpy, format, max, \
      modifiers, external_only, count)) \
    f(EGLBoolean, ExportDMABUFImageQueryMESA, (EGLDisplay dpy, EGLImageKHR image, int *fourcc, int \
      *num_planes, EGLuint64KHR *modifiers), (dpy, image, fourcc, num_planes, modifiers)) \
    f(EGLBoolean, ExportDMABUFImageMESA, (EGLDisplay dpy, EGLImageKHR image, int *fds, EGLint \
      *strides, EGLint *offsets), (dpy, image, fds, strides, offsets)) \
    f(EGLBoolean, SetDamageRegionKHR, (EGLDisplay dpy, EGLSurface surface, EGLint *rects, EGLint \
      n), (dpy, surface, rects, n)) \
    f(char *, GetDisplayDriverConfig, (EGLDisplay dpy), (dpy)) \
    f(const char *, GetDisplayDriverName, (EGLDisplay dpy), (dpy)) \
    f(EGLBoolean, QuerySupportedCompressionRatesEXT, (EGLDisplay dpy, EGLConfig config, const \
      EGLAttrib *attribs, EGLint *rates, EGLint size, EGLint *count), (dpy, config, attribs, \
      rates, size, count)) \
    f(EGLBoolean, SignalSyncKHR, (EGLDisplay dpy, EGLSyncKHR sync, EGLenum mode), (dpy, sync, mode)) \
    f(void, SetBlobCacheFuncsANDROID, (EGLDisplay dpy, EGLSetBlobFuncANDROID set, \
      EGLGetBlobFuncANDROID get), (dpy, set, get)) \
    f(EGLBoolean, GetMscRateANGLE, (EGLDisplay dpy, EGLSurface surface, EGLint *numerator, EGLint \
      *denominator), (dpy, surface, numerator, denominator))
#define DEVICE_STUBS(f) \
    f(const char *, QueryDeviceStringEXT, (EGLDeviceEXT device, EGLint name), (device, name)) \
    f(EGLBoolean, QueryDeviceAttribEXT, (EGLDeviceEXT device, EGLint attribute, EGLAttrib *value), \
      (device, attribute, value))
/* clang-format on */

enum stub {
#define INDEX(result, name, ...) STUB_##name,
    DISPLAY_STUBS(INDEX) DEVICE_STUBS(INDEX) STUB_COUNT
};

static int stub_index[STUB_COUNT]; /* assigned by libEGL */

/* Returns the vendor's function, or NULL after setting the error. */
static __eglMustCastToProperFunctionPointerType fetch(__EGLvendorInfo *vendor, enum stub stub,
                                                      EGLint error)
{
    __eglMustCastToProperFunctionPointerType function =
        vendor ? glvnd->fetchDispatchEntry(vendor, stub_index[stub]) : NULL;

    if (!function)
        glvnd->setEGLError(error);
    else if (!glvnd->setLastVendor(vendor))
        function = NULL;
    return function;
}

#define STUB(result, name, parameters, arguments, vendor, error)                                   \
    static result EGLAPIENTRY stub_##name parameters                                               \
    {                                                                                              \
        result(EGLAPIENTRY *function) parameters;                                                  \
                                                                                                   \
        glvnd->threadInit();                                                                       \
        function = (result(EGLAPIENTRY *) parameters)fetch(vendor, STUB_##name, error);            \
        return function ? function arguments : (result)0;                                          \
    }
#define DISPLAY_STUB(result, name, parameters, arguments)                                          \
    STUB(result, name, parameters, arguments, glvnd->getVendorFromDisplay(dpy), EGL_BAD_DISPLAY)
#define DEVICE_STUB(result, name, parameters, arguments)                                           \
    STUB(result, name, parameters, arguments, glvnd->getVendorFromDevice(device),                  \
         EGL_BAD_DEVICE_EXT)
DISPLAY_STUBS(DISPLAY_STUB)
DEVICE_STUBS(DEVICE_STUB)

static const struct {
    const char *name;
    void *function;
} stubs[STUB_COUNT] = {
#define ENTRY(result, name, ...) [STUB_##name] = {"egl" #name, stub_##name},
    DISPLAY_STUBS(ENTRY) DEVICE_STUBS(ENTRY)};

static int find_stub(const char *name)
{
    for (int i = 0; i < STUB_COUNT; i++) {
        if (strcmp(stubs[i].name, name) == 0)
            return i;
    }
    return -1;
}

/* EGL_NONE stands for eglGetDisplay(EGL_DEFAULT_DISPLAY). */
static EGLDisplay get_platform_display(EGLenum platform, void *native, const EGLAttrib *attribs)
{
    return platform == EGL_NONE ? eglGetDisplay(native)
                                : eglGetPlatformDisplay(platform, native, attribs);
}

static EGLBoolean supports_api(EGLenum api)
{
    return api == EGL_OPENGL_API || api == EGL_OPENGL_ES_API;
}

static const char *vendor_string(int name)
{
    return name == __EGL_VENDOR_STRING_PLATFORM_EXTENSIONS ? EGL_PLATFORM_EXTENSIONS : NULL;
}

static void *get_proc_address(const char *name)
{
    return (void *)eglGetProcAddress(name);
}

static void *get_dispatch_address(const char *name)
{
    int i = find_stub(name);

    return i < 0 ? NULL : stubs[i].function;
}

static void set_dispatch_index(const char *name, int index)
{
    int i = find_stub(name);

    if (i >= 0)
        stub_index[i] = index;
}

PUBLIC EGLBoolean __egl_Main(uint32_t version, const __EGLapiExports *exports,
                             __EGLvendorInfo *vendor, __EGLapiImports *imports)
{
    if (EGL_VENDOR_ABI_GET_MAJOR_VERSION(version) != EGL_VENDOR_ABI_MAJOR_VERSION ||
        indium_core_interface()->version != INDIUM_CORE_VERSION)
        return EGL_FALSE;
    glvnd = exports;
    for (int i = 0; i < STUB_COUNT; i++)
        stub_index[i] = -1;
    imports->getPlatformDisplay = get_platform_display;
    imports->getSupportsAPI = supports_api;
    imports->getVendorString = vendor_string;
    imports->getProcAddress = get_proc_address;
    imports->getDispatchAddress = get_dispatch_address;
    imports->setDispatchIndex = set_dispatch_index;
    return EGL_TRUE;
}
