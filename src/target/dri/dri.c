/* SPDX-License-Identifier: MIT */
/* Screens, drawables, contexts and the extensions that loaders call. */
#include <stdlib.h>
#include <string.h>

#include "target/dri/dri_private.h"
#include "util/macros.h"

/* ---------------------------------------------------------------------------------- screens --- */

static const __DRIextension *find_extension(const __DRIextension **list, const char *name)
{
    for (; list && *list; list++) {
        if (strcmp((*list)->name, name) == 0)
            return *list;
    }
    return NULL;
}

static void destroy_screen(__DRIscreen *screen)
{
    if (screen->ws)
        screen->ws->ops->destroy(screen->ws);
    free(screen);
}

/* Creates the winsys: pixels without a device, images with one. */
static struct winsys *open_winsys(__DRIscreen *screen, const __DRIextension **extensions)
{
    const void *pixels = find_extension(extensions, __DRI_SWRAST_LOADER);
    const void *images = find_extension(extensions, __DRI_IMAGE_LOADER);

    screen->shows_images = screen->fd >= 0;
    if (screen->shows_images)
        return images ? dri_image_winsys_create(images,
                                                find_extension(extensions, __DRI_USE_INVALIDATE))
                      : NULL;
    return pixels ? dri_copy_winsys_create(pixels) : NULL;
}

/* fd: a DRM device with dumb buffers, or -1. */
static __DRIscreen *open_screen(int number, int fd, const __DRIextension **extensions,
                                const __DRIconfig ***configs, void *loader_private)
{
    const struct indium_core *core = indium_core_interface();
    __DRIscreen *screen;

    if (core->version != INDIUM_CORE_VERSION)
        return NULL;
    screen = calloc(1, sizeof *screen);
    if (!screen)
        return NULL;
    screen->core = core;
    screen->number = number;
    screen->fd = fd;
    screen->loader_private = loader_private;
    screen->lookup = (const void *)find_extension(extensions, __DRI_IMAGE_LOOKUP);
    screen->ws = open_winsys(screen, extensions);
    *configs = screen->ws ? dri_configs_create(core) : NULL;
    if (!*configs) {
        destroy_screen(screen);
        return NULL;
    }
    return screen;
}

static __DRIscreen *create_screen2(int number, const __DRIextension **loader_extensions,
                                   const __DRIextension **driver_extensions,
                                   const __DRIconfig ***configs, void *loader_private)
{
    return open_screen(number, -1, loader_extensions, configs, loader_private);
}

static __DRIscreen *create_screen(int number, const __DRIextension **loader_extensions,
                                  const __DRIconfig ***configs, void *loader_private)
{
    return open_screen(number, -1, loader_extensions, configs, loader_private);
}

static __DRIscreen *create_device_screen2(int number, int fd,
                                          const __DRIextension **loader_extensions,
                                          const __DRIextension **driver_extensions,
                                          const __DRIconfig ***configs, void *loader_private)
{
    return fd < 0 ? NULL : open_screen(number, fd, loader_extensions, configs, loader_private);
}

static __DRIscreen *create_device_screen(int number, int fd, const __DRIextension **extensions,
                                         const __DRIconfig ***configs, void *loader_private)
{
    return create_device_screen2(number, fd, extensions, NULL, configs, loader_private);
}

/* Creates a screen for DRI1 loaders, which know no device. */
static __DRIscreen *create_dri1_screen(int number, int fd, unsigned sarea,
                                       const __DRIextension **extensions,
                                       const __DRIconfig ***configs, void *loader_private)
{
    return NULL;
}

/* -------------------------------------------------------------------------------- drawables --- */

static __DRIdrawable *create_drawable(__DRIscreen *screen, const __DRIconfig *config,
                                      void *loader_private)
{
    __DRIdrawable *d = calloc(1, sizeof *d);
    const struct dri_window window = {d, loader_private, config->base.gl.double_buffered};
    struct ws_drawable *native;

    if (!d)
        return NULL;
    d->screen = screen;
    native = screen->ws->ops->drawable_create(screen->ws, (uintptr_t)&window, false, 0, 0);
    if (native)
        native->config = config->base.native;
    if (!native ||
        !tgt_surface_init(&d->surface, screen->core, TGT_WINDOW, &config->base.gl, native, 0, 0)) {
        free(d);
        return NULL;
    }
    return d;
}

static __DRIdrawable *create_core_drawable(__DRIscreen *screen, const __DRIconfig *config,
                                           unsigned id, unsigned head, void *loader_private)
{
    return create_drawable(screen, config, loader_private);
}

static void destroy_drawable(__DRIdrawable *d)
{
    tgt_surface_finish(&d->surface);
    free(d);
}

static void swap_buffers(__DRIdrawable *d)
{
    tgt_surface_swap(&d->surface, NULL, 0);
}

/* x and y are relative to the lower left corner. */
static void copy_sub_buffer(__DRIdrawable *d, int x, int y, int width, int height)
{
    int most_x, most_y;

    tgt_surface_size(&d->surface, &most_x, &most_y);
    tgt_surface_copy_back(&d->surface, &(struct ws_rect){x, most_y - y - height, width, height});
}

/* --------------------------------------------------------------------------------- contexts --- */

/* Parses context attributes. Returns an error of __DRI_CTX_ERROR. */
static unsigned parse_attribs(struct gl_context_attribs *a, const uint32_t *attribs, unsigned n)
{
    const uint32_t flags = __DRI_CTX_FLAG_DEBUG | __DRI_CTX_FLAG_FORWARD_COMPATIBLE |
                           __DRI_CTX_FLAG_ROBUST_BUFFER_ACCESS | __DRI_CTX_FLAG_NO_ERROR;

    for (; n > 0; n--, attribs += 2) {
        uint32_t value = attribs[1];

        switch (attribs[0]) {
        case __DRI_CTX_ATTRIB_MAJOR_VERSION:
            a->major = value;
            break;
        case __DRI_CTX_ATTRIB_MINOR_VERSION:
            a->minor = value;
            break;
        case __DRI_CTX_ATTRIB_FLAGS:
            if (value & ~flags)
                return __DRI_CTX_ERROR_UNKNOWN_FLAG;
            a->debug = value & __DRI_CTX_FLAG_DEBUG;
            a->forward_compatible = value & __DRI_CTX_FLAG_FORWARD_COMPATIBLE;
            a->robust_access = value & __DRI_CTX_FLAG_ROBUST_BUFFER_ACCESS;
            a->no_error |= (value & __DRI_CTX_FLAG_NO_ERROR) != 0;
            break;
        case __DRI_CTX_ATTRIB_RESET_STRATEGY:
            a->reset = value == __DRI_CTX_RESET_LOSE_CONTEXT ? GL_RESET_LOSE_CONTEXT
                                                             : GL_RESET_NO_NOTIFICATION;
            break;
        case __DRI_CTX_ATTRIB_NO_ERROR:
            a->no_error |= value != 0;
            break;
        case __DRI_CTX_ATTRIB_PRIORITY: /* a hint */
            break;
        case __DRI_CTX_ATTRIB_RELEASE_BEHAVIOR:
            a->no_release_flush = value == __DRI_CTX_RELEASE_BEHAVIOR_NONE;
            break;
        default:
            return __DRI_CTX_ERROR_UNKNOWN_ATTRIBUTE;
        }
    }
    return __DRI_CTX_ERROR_SUCCESS;
}

/* Returns the error of __DRI_CTX_ERROR for a failed context creation. The attributes that a share
 * group must agree on are flags or similar. */
static unsigned create_error(enum gl_create_error error)
{
    switch (error) {
    case GL_CREATE_NO_MEMORY:
        return __DRI_CTX_ERROR_NO_MEMORY;
    case GL_CREATE_BAD_API:
        return __DRI_CTX_ERROR_BAD_API;
    case GL_CREATE_BAD_SHARE:
    case GL_CREATE_BAD_FLAG:
        return __DRI_CTX_ERROR_BAD_FLAG;
    default:
        return __DRI_CTX_ERROR_BAD_VERSION;
    }
}

/* Looks up an image by the loader's handle. */
static struct gl_shared_image *find_image(void *data, void *handle)
{
    __DRIscreen *screen = data;
    const __DRIimageLookupExtension *lookup = screen->lookup;
    __DRIimage *image = NULL;

    if (lookup->base.version < 2)
        image = lookup->lookupEGLImage(screen, handle, screen->loader_private);
    else if (lookup->validateEGLImage(handle, screen->loader_private))
        image = lookup->lookupEGLImageValidated(handle, screen->loader_private);
    return image ? dri_image_gl(image) : NULL;
}

static __DRIcontext *create_context(__DRIscreen *screen, int api, const __DRIconfig *config,
                                    __DRIcontext *shared, unsigned n, const uint32_t *attribs,
                                    unsigned *error, void *loader_private)
{
    static const struct {
        enum gl_api api;
        unsigned major;
    } apis[] = {
        [__DRI_API_OPENGL] = {GL_API_COMPAT, 1}, [__DRI_API_GLES] = {GL_API_ES1, 1},
        [__DRI_API_GLES2] = {GL_API_ES2, 2},     [__DRI_API_OPENGL_CORE] = {GL_API_CORE, 1},
        [__DRI_API_GLES3] = {GL_API_ES2, 3},
    };
    struct gl_context_attribs a;
    enum gl_create_error created = GL_CREATE_NO_MEMORY;
    __DRIcontext *ctx;

    if (api < 0 || api >= (int)ARRAY_SIZE(apis)) {
        *error = __DRI_CTX_ERROR_BAD_API;
        return NULL;
    }
    a = (struct gl_context_attribs){
        .api = apis[api].api,
        .major = apis[api].major,
        .visual = config ? &config->base.gl : NULL,
        .share = shared ? shared->gl : NULL,
        .find_image = screen->lookup ? find_image : NULL,
        .find_image_data = screen,
    };
    *error = parse_attribs(&a, attribs, n);
    if (*error != __DRI_CTX_ERROR_SUCCESS)
        return NULL;
    if (a.api == GL_API_COMPAT)
        a.api = tgt_desktop_api(screen->core, a.major, a.minor, a.forward_compatible, false);
    ctx = calloc(1, sizeof *ctx);
    if (ctx)
        ctx->gl = screen->core->context_create(&a, &created);
    if (!ctx || !ctx->gl) {
        *error = create_error(created);
        free(ctx);
        return NULL;
    }
    ctx->screen = screen;
    return ctx;
}

static __DRIcontext *create_context_for_api(__DRIscreen *screen, int api, const __DRIconfig *config,
                                            __DRIcontext *shared, void *loader_private)
{
    unsigned error;

    return create_context(screen, api, config, shared, 0, NULL, &error, loader_private);
}

static __DRIcontext *create_plain_context(__DRIscreen *screen, const __DRIconfig *config,
                                          __DRIcontext *shared, void *loader_private)
{
    return create_context_for_api(screen, __DRI_API_OPENGL, config, shared, loader_private);
}

/* Returns 0 if a context is current where it must not be, see indium_core.context_copy. */
static int copy_context(__DRIcontext *to, __DRIcontext *from, unsigned long mask)
{
    return from->screen->core->context_copy(from->gl, to->gl, mask);
}

static int unbind_context(__DRIcontext *ctx)
{
    const struct indium_core *core = indium_core_interface();

    if (ctx && core->get_current() == ctx->gl) {
        core->make_current(NULL, NULL, NULL);
        dri_dispatch(false);
    }
    return 1;
}

static void destroy_context(__DRIcontext *ctx)
{
    unbind_context(ctx);
    ctx->screen->core->context_destroy(ctx->gl);
    free(ctx);
}

static int bind_context(__DRIcontext *ctx, __DRIdrawable *draw, __DRIdrawable *read)
{
    if (!ctx || !ctx->screen->core->make_current(ctx->gl, draw ? draw->surface.gl : NULL,
                                                 read ? read->surface.gl : NULL))
        return 0;
    dri_dispatch(true);
    return 1;
}

/* ------------------------------------------------------------------------- flushes, fences --- */

static void texture_from(__DRIcontext *ctx, int target, int format, __DRIdrawable *d)
{
    enum gl_api api = ctx->screen->core->context_api(ctx->gl);

    if (api == GL_API_COMPAT || api == GL_API_CORE)
        tgt_surface_to_texture(&d->surface, target, format == __DRI_TEXTURE_FORMAT_RGBA);
}

static void texture_from_rgba(__DRIcontext *ctx, int target, __DRIdrawable *d)
{
    texture_from(ctx, target, __DRI_TEXTURE_FORMAT_RGBA, d);
}

/* Nothing to do: the texture holds a copy. */
static void release_texture(__DRIcontext *ctx, int target, __DRIdrawable *d)
{
}

/* Makes the drawable's image hold everything that the loader will present. */
static void flush_drawable(__DRIdrawable *d, bool swap)
{
    enum gl_buffer_index buffer =
        d->surface.visual.double_buffered ? GL_BUFFER_BACK_LEFT : GL_BUFFER_FRONT_LEFT;

    tgt_surface_show(&d->surface, buffer, NULL, 0);
    if (swap)
        tgt_surface_end_frame(&d->surface);
}

static void flush(__DRIdrawable *d)
{
    indium_core_interface()->flush(false);
    if (d && d->screen->shows_images)
        flush_drawable(d, false);
}

/* Only image windows need this; other windows' sizes are queried each frame. */
static void invalidate(__DRIdrawable *d)
{
    if (d->screen->shows_images)
        dri_image_winsys_invalidate(d->surface.native);
}

static void flush_with_flags(__DRIcontext *ctx, __DRIdrawable *d, unsigned flags,
                             enum __DRI2throttleReason reason)
{
    if (flags & (__DRI2_FLUSH_CONTEXT | __DRI2_FLUSH_DRAWABLE))
        indium_core_interface()->flush(false);
    if (d && d->screen->shows_images && flags & __DRI2_FLUSH_DRAWABLE)
        flush_drawable(d, reason == __DRI2_THROTTLE_SWAPBUFFER &&
                              flags & __DRI2_FLUSH_INVALIDATE_ANCILLARY);
}

/* A fence needs no object: creating it finishes all drawing. */
static void *create_fence(__DRIcontext *ctx)
{
    indium_core_interface()->flush(true);
    return malloc(1);
}

static void *fence_from_cl(__DRIscreen *screen, intptr_t event)
{
    return NULL;
}

static void destroy_fence(__DRIscreen *screen, void *fence)
{
    free(fence);
}

static unsigned char client_wait(__DRIcontext *ctx, void *fence, unsigned flags, uint64_t timeout)
{
    return 1;
}

static void server_wait(__DRIcontext *ctx, void *fence, unsigned flags)
{
}

static unsigned fence_capabilities(__DRIscreen *screen)
{
    return 0;
}

/* ------------------------------------------------------------------------------- extensions --- */

static const __DRItexBufferExtension texture_extension = {
    {__DRI_TEX_BUFFER, 3},
    .setTexBuffer = texture_from_rgba,
    .setTexBuffer2 = texture_from,
    .releaseTexBuffer = release_texture,
};
static const __DRI2flushExtension flush_extension = {
    {__DRI2_FLUSH, 4},
    .flush = flush,
    .invalidate = invalidate,
    .flush_with_flags = flush_with_flags,
};
static const __DRI2fenceExtension fence_extension = {
    {__DRI2_FENCE, 2},
    .create_fence = create_fence,
    .get_fence_from_cl_event = fence_from_cl,
    .destroy_fence = destroy_fence,
    .client_wait_sync = client_wait,
    .server_wait_sync = server_wait,
    .get_capabilities = fence_capabilities,
};
static const __DRIrobustnessExtension robustness_extension = {{__DRI2_ROBUSTNESS, 1}};
static const __DRIcopySubBufferExtension copy_extension = {
    {__DRI_COPY_SUB_BUFFER, 1},
    .copySubBuffer = copy_sub_buffer,
};

static const __DRI2flushControlExtension flush_control_extension = {{__DRI2_FLUSH_CONTROL, 1}};

static const __DRIextension **get_extensions(__DRIscreen *screen)
{
    static const __DRIextension *extensions[] = {
        &texture_extension.base,
        &flush_extension.base,
        &fence_extension.base,
        &dri_renderer_extension.base,
        &dri_config_query_extension.base,
        &dri_image_extension.base,
        &flush_control_extension.base,
        &robustness_extension.base,
        &copy_extension.base,
        NULL,
    };

    return extensions;
}

static const __DRIcoreExtension core_extension = {
    {__DRI_CORE, 2},
    .createNewScreen = create_dri1_screen,
    .destroyScreen = destroy_screen,
    .getExtensions = get_extensions,
    .getConfigAttrib = dri_config_attrib,
    .indexConfigAttrib = dri_config_index,
    .createNewDrawable = create_core_drawable,
    .destroyDrawable = destroy_drawable,
    .swapBuffers = swap_buffers,
    .createNewContext = create_plain_context,
    .copyContext = copy_context,
    .destroyContext = destroy_context,
    .bindContext = bind_context,
    .unbindContext = unbind_context,
};
static const __DRIswrastExtension swrast_extension = {
    {__DRI_SWRAST, 4},
    .createNewScreen = create_screen,
    .createNewDrawable = create_drawable,
    .createNewContextForAPI = create_context_for_api,
    .createContextAttribs = create_context,
    .createNewScreen2 = create_screen2,
};

static unsigned api_mask(__DRIscreen *screen)
{
    static const struct {
        enum gl_api api;
        unsigned least, bit;
    } apis[] = {
        {GL_API_COMPAT, 10, __DRI_API_OPENGL}, {GL_API_CORE, 31, __DRI_API_OPENGL_CORE},
        {GL_API_ES1, 10, __DRI_API_GLES},      {GL_API_ES2, 20, __DRI_API_GLES2},
        {GL_API_ES2, 30, __DRI_API_GLES3},
    };
    unsigned mask = 0;

    for (unsigned i = 0; i < ARRAY_SIZE(apis); i++) {
        if (screen->core->max_version(apis[i].api) >= apis[i].least)
            mask |= 1u << apis[i].bit;
    }
    return mask;
}

/* DRI2's shared buffers, named across processes, are not supported. */
static __DRIbuffer *allocate_buffer(__DRIscreen *screen, unsigned attachment, unsigned format,
                                    int width, int height)
{
    return NULL;
}

static void release_buffer(__DRIscreen *screen, __DRIbuffer *buffer)
{
}

static const __DRIdri2Extension dri2_extension = {
    {__DRI_DRI2, 4},
    .createNewScreen = create_device_screen,
    .createNewDrawable = create_drawable,
    .createNewContext = create_plain_context,
    .getAPIMask = api_mask,
    .createNewContextForAPI = create_context_for_api,
    .allocateBuffer = allocate_buffer,
    .releaseBuffer = release_buffer,
    .createContextAttribs = create_context,
    .createNewScreen2 = create_device_screen2,
};
static const __DRIimageDriverExtension image_driver_extension = {
    {__DRI_IMAGE_DRIVER, 1},
    .createNewScreen2 = create_device_screen2,
    .createNewDrawable = create_drawable,
    .createContextAttribs = create_context,
    .getAPIMask = api_mask,
};

/* Loaders from before 2013 look up this list by name. */
PUBLIC extern const __DRIextension *__driDriverExtensions[];
const __DRIextension *__driDriverExtensions[] = {
    &core_extension.base,
    &swrast_extension.base,
    &dri2_extension.base,
    &image_driver_extension.base,
    &copy_extension.base,
    &dri_options_extension.base,
    NULL,
};

/* One entry point per name under which a loader opens this module. */
#define GET_EXTENSIONS(name)                                                                       \
    PUBLIC const __DRIextension **__driDriverGetExtensions_##name(void);                           \
    const __DRIextension **__driDriverGetExtensions_##name(void)                                   \
    {                                                                                              \
        return __driDriverExtensions;                                                              \
    }

GET_EXTENSIONS(swrast)
GET_EXTENSIONS(kms_swrast)
GET_EXTENSIONS(indium)
