/* SPDX-License-Identifier: MIT */
/* Fuzzes GLX calls: destroyed names and contexts, incompatible configurations, windows and pixmaps
 * that are destroyed while they are current, several threads on one connection. */
#define GLX_GLXEXT_PROTOTYPES
#include <GL/glx.h>
#include <GL/glxext.h>

#include "fuzz_gl_window.h"

static struct fuzz_handles configs, contexts, drawables;

static const int config_names[] = {
    GLX_RED_SIZE,       GLX_ALPHA_SIZE,    GLX_DEPTH_SIZE,       GLX_STENCIL_SIZE,
    GLX_DOUBLEBUFFER,   GLX_DRAWABLE_TYPE, GLX_RENDER_TYPE,      GLX_SAMPLES,
    GLX_X_RENDERABLE,   GLX_X_VISUAL_TYPE, GLX_FBCONFIG_ID,      GLX_VISUAL_ID,
    GLX_ACCUM_RED_SIZE, GLX_STEREO,        GLX_TRANSPARENT_TYPE, GLX_BIND_TO_TEXTURE_RGBA_EXT,
};
static const int context_names[] = {
    GLX_CONTEXT_MAJOR_VERSION_ARB,
    GLX_CONTEXT_MINOR_VERSION_ARB,
    GLX_CONTEXT_FLAGS_ARB,
    GLX_CONTEXT_PROFILE_MASK_ARB,
    GLX_RENDER_TYPE,
    GLX_CONTEXT_RESET_NOTIFICATION_STRATEGY_ARB,
    GLX_CONTEXT_RELEASE_BEHAVIOR_ARB,
    GLX_CONTEXT_OPENGL_NO_ERROR_ARB,
};
static const int drawable_names[] = {
    GLX_PBUFFER_WIDTH,           GLX_PBUFFER_HEIGHT,
    GLX_LARGEST_PBUFFER,         GLX_PRESERVED_CONTENTS,
    GLX_TEXTURE_FORMAT_EXT,      GLX_TEXTURE_TARGET_EXT,
    GLX_MIPMAP_TEXTURE_EXT,      GLX_WIDTH,
    GLX_BACK_BUFFER_AGE_EXT,     GLX_TEXTURE_2D_EXT,
    GLX_TEXTURE_FORMAT_RGBA_EXT,
};

#define LIST(name, names)                                                                          \
    int name[2 * FUZZ_PAIRS + 1];                                                                  \
    fuzz_attributes(f, name, names, ARRAY_SIZE(names), None)

static GLXFBConfig config_of(struct fuzz *f)
{
    return (GLXFBConfig)fuzz_handle(f, &configs);
}

static GLXContext context_of(struct fuzz *f)
{
    return (GLXContext)fuzz_handle(f, &contexts);
}

static GLXDrawable drawable_of(struct fuzz *f)
{
    return fuzz_chance(f, 60) ? fuzz_handle(f, &drawables) : fuzz_x_drawable(f);
}

static void get_configs(struct fuzz *f, Display *dpy)
{
    int count = 0;
    LIST(attribs, config_names);
    CALL("glXChooseFBConfig(%d)", attribs[0]);
    GLXFBConfig *found = fuzz_chance(f, 40)
                             ? glXGetFBConfigs(dpy, fuzz_chance(f, 95) ? 0 : 7, &count)
                             : glXChooseFBConfig(dpy, 0, attribs, &count);
    for (int i = 0; found && i < 3 && count; i++)
        fuzz_handle_add(&configs, (uintptr_t)found[fuzz_random(f, (uint32_t)count)]);
    if (found)
        XFree(found);
}

static void query_config(struct fuzz *f, Display *dpy)
{
    GLXFBConfig config = config_of(f);
    int name = fuzz_number(f, config_names, ARRAY_SIZE(config_names)), value;
    CALL("glXGetFBConfigAttrib(%p, 0x%x)", (void *)config, name);
    glXGetFBConfigAttrib(dpy, config, name, &value);
    XVisualInfo *info = glXGetVisualFromFBConfig(dpy, config);
    if (!info)
        return;
    glXGetConfig(dpy, info, name, &value);
    if (fuzz_chance(f, 50))
        fuzz_handle_add(&contexts,
                        (uintptr_t)glXCreateContext(dpy, info, context_of(f), fuzz_chance(f, 90)));
    XFree(info);
}

static void choose_visual(struct fuzz *f, Display *dpy)
{
    int attribs[] = {GLX_RGBA,
                     GLX_DOUBLEBUFFER,
                     GLX_DEPTH_SIZE,
                     (int)fuzz_random(f, 33),
                     fuzz_chance(f, 50) ? GLX_STEREO : None,
                     None};
    CALL("glXChooseVisual(%d)", attribs[3]);
    XVisualInfo *info = glXChooseVisual(dpy, fuzz_chance(f, 95) ? 0 : -1, attribs);
    if (info)
        XFree(info);
}

static void create_context(struct fuzz *f, Display *dpy)
{
    GLXFBConfig config = config_of(f);
    GLXContext share = fuzz_chance(f, 50) ? context_of(f) : NULL;
    LIST(attribs, context_names);
    CALL("create context (%p, %p)", (void *)config, (void *)share);
    GLXContext made =
        fuzz_chance(f, 60)
            ? glXCreateContextAttribsARB(dpy, config, share, fuzz_chance(f, 90), attribs)
            : glXCreateNewContext(dpy, config, GLX_RGBA_TYPE, share, True);
    fuzz_handle_add(&contexts, (uintptr_t)made);
}

static void destroy_context(struct fuzz *f, Display *dpy)
{
    GLXContext ctx = context_of(f);
    CALL("glXDestroyContext(%p)", (void *)ctx);
    glXDestroyContext(dpy, ctx);
}

static void query_context(struct fuzz *f, Display *dpy)
{
    GLXContext ctx = context_of(f);
    int value;
    CALL("glXQueryContext(%p)", (void *)ctx);
    glXQueryContext(dpy, ctx, fuzz_number(f, context_names, ARRAY_SIZE(context_names)), &value);
    glXIsDirect(dpy, ctx);
    glXQueryContextInfoEXT(dpy, ctx, fuzz_number(f, context_names, ARRAY_SIZE(context_names)),
                           &value);
    glXImportContextEXT(dpy, fuzz_chance(f, 50) ? glXGetContextIDEXT(ctx) : fuzz_random(f, 99));
    glXFreeContextEXT(dpy, ctx);
    glXGetCurrentContext();
    glXGetCurrentDrawable();
    if (fuzz_chance(f, 30))
        glXCopyContext(dpy, ctx, context_of(f), ~0ul);
}

static void make_current(struct fuzz *f, Display *dpy)
{
    bool none = fuzz_chance(f, 15);
    GLXDrawable draw = none || fuzz_chance(f, 10) ? None : drawable_of(f);
    GLXDrawable read = fuzz_chance(f, 80) ? draw : drawable_of(f);
    GLXContext ctx = none ? NULL : context_of(f);
    CALL("glXMakeContextCurrent(0x%lx, 0x%lx, %p)", draw, read, (void *)ctx);
    if (fuzz_chance(f, 30))
        glXMakeCurrent(dpy, draw, ctx);
    else
        glXMakeContextCurrent(dpy, draw, read, ctx);
}

static void create_drawable(struct fuzz *f, Display *dpy)
{
    GLXFBConfig config = config_of(f);
    unsigned long id = fuzz_x_drawable(f);
    unsigned what = fuzz_random(f, 4);
    LIST(attribs, drawable_names);
    const int size[] = {GLX_PBUFFER_WIDTH, 1 + (int)fuzz_random(f, 64), GLX_PBUFFER_HEIGHT,
                        1 + (int)fuzz_random(f, 64), None};
    CALL("create drawable %u (%p, 0x%lx)", what, (void *)config, id);
    fuzz_handle_add(&drawables, what == 0 ? glXCreateWindow(dpy, config, id, NULL)
                                : what == 1
                                    ? glXCreatePixmap(dpy, config, id, attribs)
                                    : glXCreatePbuffer(dpy, config, what == 2 ? size : attribs));
}

static void destroy_drawable(struct fuzz *f, Display *dpy)
{
    GLXDrawable id = drawable_of(f);
    unsigned what = fuzz_random(f, 4);
    CALL("destroy drawable %u (0x%lx)", what, id);
    if (what == 0)
        glXDestroyWindow(dpy, id);
    else if (what == 1)
        glXDestroyPixmap(dpy, id);
    else
        glXDestroyPbuffer(dpy, id);
}

static void query_drawable(struct fuzz *f, Display *dpy)
{
    GLXDrawable id = drawable_of(f);
    unsigned value;
    unsigned long mask;
    CALL("glXQueryDrawable(0x%lx)", id);
    glXQueryDrawable(dpy, id, fuzz_number(f, drawable_names, ARRAY_SIZE(drawable_names)), &value);
    glXSelectEvent(dpy, id, fuzz_random(f, UINT32_MAX));
    glXGetSelectedEvent(dpy, id, &mask);
}

static void swap(struct fuzz *f, Display *dpy)
{
    GLXDrawable id = drawable_of(f);
    unsigned what = fuzz_random(f, 4);
    CALL("swap %u (0x%lx)", what, id);
    if (what < 2)
        glXSwapBuffers(dpy, id);
    else if (what == 2)
        glXCopySubBufferMESA(dpy, id, fuzz_number(f, drawable_names, 1),
                             fuzz_number(f, drawable_names, 1), fuzz_number(f, drawable_names, 1),
                             fuzz_number(f, drawable_names, 1));
    else
        glXSwapIntervalEXT(dpy, id, (int)fuzz_random(f, 4) - 1); /* swaps wait that long */
}

/* Waits only for near blanks. */
static void sync(struct fuzz *f, Display *dpy)
{
    GLXDrawable id = drawable_of(f);
    unsigned what = fuzz_random(f, 6);
    int64_t target = (int64_t)fuzz_random(f, 3) - 1, divisor = (int64_t)fuzz_random(f, 5) - 1;
    int64_t remainder = (int64_t)fuzz_random(f, 4) - 1, v;
    int32_t n, d;
    unsigned count;
    CALL("sync %u (0x%lx)", what, id);
    if (what == 0)
        glXGetSyncValuesOML(dpy, id, &v, &v, &v);
    else if (what == 1)
        glXGetMscRateOML(dpy, id, &n, &d);
    else if (what == 2)
        glXSwapBuffersMscOML(dpy, id, target, divisor, remainder);
    else if (what == 3)
        glXWaitForMscOML(dpy, id, target, divisor, remainder, &v, &v, &v);
    else if (what == 4)
        glXWaitForSbcOML(dpy, id, target < 1 ? target : 0, &v, &v, &v);
    else if (glXGetVideoSyncSGI(&count) == 0)
        glXWaitVideoSyncSGI((int)divisor, (int)remainder, &count);
}

static void bind_texture(struct fuzz *f, Display *dpy)
{
    GLXDrawable id = drawable_of(f);
    CALL("glXBindTexImageEXT(0x%lx)", id);
    if (fuzz_chance(f, 60))
        glXBindTexImageEXT(dpy, id, GLX_FRONT_LEFT_EXT, NULL);
    else
        glXReleaseTexImageEXT(dpy, id, GLX_FRONT_LEFT_EXT);
}

static void wait_x(struct fuzz *f, Display *dpy)
{
    CALL("glXWaitX(%s)", "");
    glXWaitX();
    glXWaitGL();
    if (fuzz_chance(f, 20))
        glXUseXFont(fuzz_random(f, 8), fuzz_number(f, drawable_names, 1), (int)fuzz_random(f, 5),
                    fuzz_number(f, drawable_names, 1));
}

static void draw(struct fuzz *f, Display *dpy)
{
    CALL("drawing%s", "");
    fuzz_draw(f);
}

static void call(struct fuzz *f)
{
    static void (*const calls[])(struct fuzz *, Display *) = {
        get_configs,
        query_config,
        choose_visual,
        create_context,
        create_context,
        destroy_context,
        query_context,
        make_current,
        make_current,
        make_current,
        create_drawable,
        create_drawable,
        create_drawable,
        destroy_drawable,
        query_drawable,
        swap,
        swap,
        sync,
        bind_texture,
        wait_x,
        draw,
        draw,
        draw,
    };
    Display *dpy = fuzz_x_display();
    if (!dpy)
        return;
    if (!__atomic_load_n(&configs.count, __ATOMIC_RELAXED))
        get_configs(f, dpy);
    calls[fuzz_random(f, ARRAY_SIZE(calls))](f, dpy);
}

static void leave(void)
{
    if (fuzz_x_display())
        glXMakeContextCurrent(fuzz_x_display(), None, None, NULL);
}

const struct fuzz_api fuzz_api_glx = {"glx", call, leave, fuzz_x_finish};
