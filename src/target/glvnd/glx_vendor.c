/* SPDX-License-Identifier: MIT */
/*
 * libGLX_indium.so.0: libGL's functions as a vendor of GLVND's libGLX (glvnd/libglxabi.h).
 *
 * libGLX dispatches GLX 1.4. For every extension function, the vendor provides a stub. It finds the
 * vendor of the screen, drawable, context or configuration among the arguments, and calls that
 * vendor's function through an index assigned by libGLX.
 */
#include <dlfcn.h>

#include "target/libGL/glx_private.h"

#include <glvnd/libglxabi.h>

static const __GLXapiExports *glvnd;

/* Stubs: result type, name, parameters, arguments, vendor lookup, result without a vendor. */
#define BY_SCREEN  glvnd->getDynDispatch(dpy, screen)
#define BY_CONFIG  glvnd->vendorFromFBConfig(dpy, config)
#define BY_SURFACE glvnd->vendorFromDrawable(dpy, drawable)
#define BY_CURRENT glvnd->getCurrentDynDispatch()
#define BY_CONTEXT (context ? glvnd->vendorFromContext(context) : NULL)
#define BY_VISUAL  (info ? glvnd->getDynDispatch(dpy, info->screen) : NULL)

/* clang-format off */
#define PLAIN_STUBS(f) \
    f(int, SwapIntervalSGI, (int interval), (interval), BY_CURRENT, GLX_BAD_CONTEXT) \
    f(int, SwapIntervalMESA, (unsigned interval), (interval), BY_CURRENT, GLX_BAD_CONTEXT) \
    f(int, GetSwapIntervalMESA, (void), (), BY_CURRENT, 0) \
    f(GLXDrawable, GetCurrentReadDrawableSGI, (void), (), BY_CURRENT, None) \
    f(Bool, QueryCurrentRendererIntegerMESA, (int attribute, unsigned *value), (attribute, value), \
      BY_CURRENT, False) \
    f(const char *, QueryCurrentRendererStringMESA, (int attribute), (attribute), BY_CURRENT, \
      NULL) \
    f(Bool, QueryRendererIntegerMESA, (Display *dpy, int screen, int renderer, int attribute, \
      unsigned *value), (dpy, screen, renderer, attribute, value), BY_SCREEN, False) \
    f(const char *, QueryRendererStringMESA, (Display *dpy, int screen, int renderer, int \
      attribute), (dpy, screen, renderer, attribute), BY_SCREEN, NULL) \
    f(void, SwapIntervalEXT, (Display *dpy, GLXDrawable drawable, int interval), (dpy, drawable, \
      interval), BY_SURFACE, (void)0) \
    f(void, CopySubBufferMESA, (Display *dpy, GLXDrawable drawable, int x, int y, int width, int \
      height), (dpy, drawable, x, y, width, height), BY_SURFACE, (void)0) \
    f(void, BindTexImageEXT, (Display *dpy, GLXDrawable drawable, int buffer, const int *attribs), \
      (dpy, drawable, buffer, attribs), BY_SURFACE, (void)0) \
    f(void, ReleaseTexImageEXT, (Display *dpy, GLXDrawable drawable, int buffer), (dpy, drawable, \
      buffer), BY_SURFACE, (void)0) \
    f(void, QueryGLXPbufferSGIX, (Display *dpy, GLXPbufferSGIX drawable, int attribute, unsigned \
      *value), (dpy, drawable, attribute, value), BY_SURFACE, (void)0) \
    f(void, SelectEventSGIX, (Display *dpy, GLXDrawable drawable, unsigned long mask), (dpy, \
      drawable, mask), BY_SURFACE, (void)0) \
    f(void, GetSelectedEventSGIX, (Display *dpy, GLXDrawable drawable, unsigned long *mask), (dpy, \
      drawable, mask), BY_SURFACE, (void)0) \
    f(int, GetFBConfigAttribSGIX, (Display *dpy, GLXFBConfigSGIX config, int attribute, int \
      *value), (dpy, config, attribute, value), BY_CONFIG, GLX_BAD_VISUAL) \
    f(XVisualInfo *, GetVisualFromFBConfigSGIX, (Display *dpy, GLXFBConfigSGIX config), (dpy, \
      config), BY_CONFIG, NULL) \
    f(Bool, GetSyncValuesOML, (Display *dpy, GLXDrawable drawable, int64_t *ust, int64_t *msc, \
      int64_t *sbc), (dpy, drawable, ust, msc, sbc), BY_SURFACE, False) \
    f(Bool, GetMscRateOML, (Display *dpy, GLXDrawable drawable, int32_t *n, int32_t *d), (dpy, \
      drawable, n, d), BY_SURFACE, False) \
    f(int64_t, SwapBuffersMscOML, (Display *dpy, GLXDrawable drawable, int64_t target, int64_t \
      divisor, int64_t remainder), (dpy, drawable, target, divisor, remainder), BY_SURFACE, -1) \
    f(Bool, WaitForMscOML, (Display *dpy, GLXDrawable drawable, int64_t target, int64_t divisor, \
      int64_t remainder, int64_t *ust, int64_t *msc, int64_t *sbc), (dpy, drawable, target, \
      divisor, remainder, ust, msc, sbc), BY_SURFACE, False) \
    f(Bool, WaitForSbcOML, (Display *dpy, GLXDrawable drawable, int64_t target, int64_t *ust, \
      int64_t *msc, int64_t *sbc), (dpy, drawable, target, ust, msc, sbc), BY_SURFACE, False) \
    f(int, GetVideoSyncSGI, (unsigned *count), (count), BY_CURRENT, GLX_BAD_CONTEXT) \
    f(int, WaitVideoSyncSGI, (int divisor, int remainder, unsigned *count), (divisor, remainder, \
      count), BY_CURRENT, GLX_BAD_CONTEXT) \
    f(Display *, GetCurrentDisplayEXT, (void), (), BY_CURRENT, NULL) \
    f(int, QueryContextInfoEXT, (Display *dpy, GLXContext context, int attribute, int *value), \
      (dpy, context, attribute, value), BY_CONTEXT, GLX_BAD_CONTEXT) \
    f(GLXContextID, GetContextIDEXT, (const GLXContext context), (context), BY_CONTEXT, None)

/* Stubs that create or destroy an object, which libGLX must record. */
#define OTHER_STUBS(f) \
    f(ChooseFBConfigSGIX) \
    f(GetFBConfigFromVisualSGIX) \
    f(CreateContextAttribsARB) \
    f(CreateContextWithConfigSGIX) \
    f(CreateGLXPixmapWithConfigSGIX) \
    f(CreateGLXPbufferSGIX) \
    f(DestroyGLXPbufferSGIX) \
    f(MakeCurrentReadSGI) \
    f(ImportContextEXT) \
    f(FreeContextEXT)
/* clang-format on */

enum stub {
#define INDEX(name)                    STUB_##name,
#define PLAIN_INDEX(result, name, ...) INDEX(name)
    PLAIN_STUBS(PLAIN_INDEX) OTHER_STUBS(INDEX) STUB_COUNT
};

static int stub_index[STUB_COUNT]; /* assigned by libGLX */

static __GLXextFuncPtr fetch(__GLXvendorInfo *vendor, enum stub stub)
{
    return vendor ? glvnd->fetchDispatchEntry(vendor, stub_index[stub]) : NULL;
}

#define PLAIN_STUB(result, name, parameters, arguments, by, none)                                  \
    static result stub_##name parameters                                                           \
    {                                                                                              \
        result(*function) parameters = (result(*) parameters)fetch(by, STUB_##name);               \
        return function ? function arguments : none;                                               \
    }
PLAIN_STUBS(PLAIN_STUB)

/* Returns a vendor's function with the type of ours. */
#define FETCH(vendor, name) ((__typeof__(&glX##name))fetch(vendor, STUB_##name))

static GLXFBConfigSGIX *stub_ChooseFBConfigSGIX(Display *dpy, int screen, int *attribs, int *count)
{
    __GLXvendorInfo *vendor = BY_SCREEN;
    __typeof__(&glXChooseFBConfigSGIX) function = FETCH(vendor, ChooseFBConfigSGIX);
    int n = 0;
    GLXFBConfigSGIX *list = function ? function(dpy, screen, attribs, &n) : NULL;

    for (int i = 0; list && i < n; i++) {
        if (glvnd->addVendorFBConfigMapping(dpy, list[i], vendor) != 0) {
            XFree(list);
            list = NULL;
            n = 0;
        }
    }
    if (count)
        *count = n;
    return list;
}

static GLXFBConfigSGIX stub_GetFBConfigFromVisualSGIX(Display *dpy, XVisualInfo *info)
{
    __GLXvendorInfo *vendor = BY_VISUAL;
    __typeof__(&glXGetFBConfigFromVisualSGIX) function = FETCH(vendor, GetFBConfigFromVisualSGIX);
    GLXFBConfigSGIX config = function ? function(dpy, info) : NULL;

    if (config && glvnd->addVendorFBConfigMapping(dpy, config, vendor) != 0)
        return NULL;
    return config;
}

/* Records a new context in libGLX; destroys it if that fails. */
static GLXContext add_context(Display *dpy, GLXContext ctx, __GLXvendorInfo *vendor)
{
    if (ctx && glvnd->addVendorContextMapping(dpy, ctx, vendor) != 0) {
        glXDestroyContext(dpy, ctx);
        return NULL;
    }
    return ctx;
}

static GLXContext stub_CreateContextWithConfigSGIX(Display *dpy, GLXFBConfigSGIX config, int type,
                                                   GLXContext share, Bool direct)
{
    __GLXvendorInfo *vendor = BY_CONFIG;
    __typeof__(&glXCreateContextWithConfigSGIX) function =
        FETCH(vendor, CreateContextWithConfigSGIX);

    return add_context(dpy, function ? function(dpy, config, type, share, direct) : NULL, vendor);
}

/* libGLX implements this one itself since version 1.3. */
static GLXContext stub_CreateContextAttribsARB(Display *dpy, GLXFBConfig config, GLXContext share,
                                               Bool direct, const int *attribs)
{
    __GLXvendorInfo *vendor = config ? BY_CONFIG : NULL;
    __typeof__(&glXCreateContextAttribsARB) function;

    for (const int *a = attribs; !config && a && *a != None; a += 2) {
        if (a[0] == GLX_SCREEN)
            vendor = glvnd->getDynDispatch(dpy, a[1]);
    }
    function = FETCH(vendor, CreateContextAttribsARB);
    return add_context(dpy, function ? function(dpy, config, share, direct, attribs) : NULL,
                       vendor);
}

static GLXDrawable add_drawable(Display *dpy, GLXDrawable drawable, __GLXvendorInfo *vendor)
{
    if (drawable)
        glvnd->addVendorDrawableMapping(dpy, drawable, vendor);
    return drawable;
}

static GLXPixmap stub_CreateGLXPixmapWithConfigSGIX(Display *dpy, GLXFBConfigSGIX config,
                                                    Pixmap pixmap)
{
    __GLXvendorInfo *vendor = BY_CONFIG;
    __typeof__(&glXCreateGLXPixmapWithConfigSGIX) function =
        FETCH(vendor, CreateGLXPixmapWithConfigSGIX);

    return add_drawable(dpy, function ? function(dpy, config, pixmap) : None, vendor);
}

static GLXPbufferSGIX stub_CreateGLXPbufferSGIX(Display *dpy, GLXFBConfigSGIX config,
                                                unsigned width, unsigned height, int *attribs)
{
    __GLXvendorInfo *vendor = BY_CONFIG;
    __typeof__(&glXCreateGLXPbufferSGIX) function = FETCH(vendor, CreateGLXPbufferSGIX);

    return add_drawable(dpy, function ? function(dpy, config, width, height, attribs) : None,
                        vendor);
}

static void stub_DestroyGLXPbufferSGIX(Display *dpy, GLXPbufferSGIX drawable)
{
    __typeof__(&glXDestroyGLXPbufferSGIX) function = FETCH(BY_SURFACE, DestroyGLXPbufferSGIX);

    glvnd->removeVendorDrawableMapping(dpy, drawable);
    if (function)
        function(dpy, drawable);
}

/* GLX_EXT_import_context. The XID doesn't tell the vendor, so the default screen's is used. */
static GLXContext stub_ImportContextEXT(Display *dpy, GLXContextID id)
{
    __GLXvendorInfo *vendor = dpy ? glvnd->getDynDispatch(dpy, DefaultScreen(dpy)) : NULL;
    __typeof__(&glXImportContextEXT) function = FETCH(vendor, ImportContextEXT);

    return add_context(dpy, function ? function(dpy, id) : NULL, vendor);
}

static void stub_FreeContextEXT(Display *dpy, GLXContext context)
{
    __GLXvendorInfo *vendor = BY_CONTEXT;
    __typeof__(&glXFreeContextEXT) function = FETCH(vendor, FreeContextEXT);

    if (function)
        function(dpy, context);
}

/* libGLX tracks what is current, so this calls the GLX 1.3 function. */
static Bool stub_MakeCurrentReadSGI(Display *dpy, GLXDrawable draw, GLXDrawable read,
                                    GLXContext ctx)
{
    void *library = dlopen("libGLX.so.0", RTLD_LAZY | RTLD_NOLOAD);
    __typeof__(&glXMakeContextCurrent) function =
        library ? dlsym(library, "glXMakeContextCurrent") : NULL;
    Bool ok = function && function(dpy, draw, read, ctx);

    if (library)
        dlclose(library);
    return ok;
}

static const struct {
    const char *name;
    void *function;
} stubs[STUB_COUNT] = {
#define ENTRY(name)                    [STUB_##name] = {"glX" #name, stub_##name},
#define PLAIN_ENTRY(result, name, ...) ENTRY(name)
    PLAIN_STUBS(PLAIN_ENTRY) OTHER_STUBS(ENTRY)};

static int find_stub(const GLubyte *name)
{
    for (int i = 0; i < STUB_COUNT; i++) {
        if (strcmp(stubs[i].name, (const char *)name) == 0)
            return i;
    }
    return -1;
}

static Bool is_screen_supported(Display *dpy, int screen)
{
    struct glx_screen *s = glx_screen_get(dpy, screen);

    return s && s->n_configs > 0;
}

static void *get_proc_address(const GLubyte *name)
{
    return (void *)glXGetProcAddressARB(name);
}

static void *get_dispatch_address(const GLubyte *name)
{
    int i = find_stub(name);

    return i < 0 ? NULL : stubs[i].function;
}

static void set_dispatch_index(const GLubyte *name, int index)
{
    int i = find_stub(name);

    if (i >= 0)
        stub_index[i] = index;
}

PUBLIC Bool __glx_Main(uint32_t version, const __GLXapiExports *exports, __GLXvendorInfo *vendor,
                       __GLXapiImports *imports)
{
    if (GLX_VENDOR_ABI_GET_MAJOR_VERSION(version) != GLX_VENDOR_ABI_MAJOR_VERSION ||
        indium_core_interface()->version != INDIUM_CORE_VERSION)
        return False;
    glvnd = exports;
    for (int i = 0; i < STUB_COUNT; i++)
        stub_index[i] = -1;
    imports->isScreenSupported = is_screen_supported;
    imports->getProcAddress = get_proc_address;
    imports->getDispatchAddress = get_dispatch_address;
    imports->setDispatchIndex = set_dispatch_index;
    return True;
}
