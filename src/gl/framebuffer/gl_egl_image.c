/* SPDX-License-Identifier: MIT */
/*
 * EGLImages (EGL_KHR_image_base, GL_OES_EGL_image, GL_EXT_EGL_image_storage): a texture level or
 * renderbuffer that textures and renderbuffers of other share groups can show. They share one
 * resource. A global list contains all images, so a handle passed by an application is dereferenced
 * only after it was found in the list.
 */
#include <pthread.h>
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/context/gl_current.h"
#include "gl/context/gl_share.h"
#include "gl/framebuffer/gl_drawable.h"
#include "gl/framebuffer/gl_framebuffer.h"
#include "gl/texture/gl_format.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "util/fork_lock.h"
#include "util/list.h"

struct gl_shared_image {
    struct list_head node;
    struct gl_image image; /* holds a reference to its resource */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
UTIL_FORK_LOCK(lock);
static struct list_head images = {&images, &images};

/* --------------------------------------------------------------------------------- creation --- */

/* Returns GL_IMAGE_OK if images can show the level of the texture, otherwise the error (EGL 1.5
 * §3.9). Textures that are incomplete because of missing mipmaps have only level 0. */
static enum gl_image_error check_level(const struct gl_texture *t, int level)
{
    unsigned last;

    if (!gl_texture_levels_complete(t, level > 0, &last))
        return GL_IMAGE_BAD_PARAMETER;
    if (level < (int)t->base_level || (level > 0 && level > (int)last))
        return GL_IMAGE_BAD_MATCH;
    return GL_IMAGE_OK;
}

/* Returns a level of a texture, which has storage. NULL: *error is set. */
static const struct gl_image *texture_image(struct gl_context *ctx, unsigned target, GLuint name,
                                            int level, enum gl_image_error *error)
{
    struct gl_texture *t = name ? gl_texture_lookup(ctx, name) : NULL;
    int index = gl_texture_target_index(ctx, target);

    *error = GL_IMAGE_BAD_PARAMETER;
    if (!t || !t->target || index < 0 || t->index != (enum gl_texture_index)index)
        return NULL;
    *error = t->window_image ? GL_IMAGE_BAD_MATCH : check_level(t, level);
    if (*error != GL_IMAGE_OK)
        return NULL;
    return &t->image[gl_face_of(target)][level];
}

static bool renderbuffer_image(struct gl_context *ctx, GLuint name, struct gl_image *image,
                               enum gl_image_error *error)
{
    const struct gl_renderbuffer *rb = name ? gl_renderbuffer_lookup(ctx, name) : NULL;

    *error = GL_IMAGE_BAD_PARAMETER;
    if (!rb || !rb->resource || rb->samples > 1)
        return false;
    *image = (struct gl_image){
        .internal = (GLint)rb->internal,
        .base = rb->base,
        .format = rb->format,
        .width = rb->width,
        .height = rb->height,
        .depth = 1,
        .resource = rb->resource,
    };
    *error = GL_IMAGE_OK;
    return true;
}

/* Fills in *image without a reference to its resource. */
static bool find_source(struct gl_context *ctx, unsigned target, GLuint name, int level, int z,
                        struct gl_image *image, enum gl_image_error *error)
{
    if (target == GL_RENDERBUFFER)
        return renderbuffer_image(ctx, name, image, error);
    const struct gl_image *from = texture_image(ctx, target, name, level, error);
    if (!from)
        return false;
    if (z < 0 || z >= from->depth) {
        *error = GL_IMAGE_BAD_PARAMETER;
        return false;
    }
    *image = *from;
    image->depth = 1;
    image->layer += (unsigned)z;
    return true;
}

static void enlist(struct gl_shared_image *s)
{
    pthread_mutex_lock(&lock);
    list_add(&s->node, &images);
    pthread_mutex_unlock(&lock);
}

struct gl_shared_image *gl_shared_image_create(struct gl_context *ctx, unsigned target,
                                               unsigned name, int level, int z,
                                               enum gl_image_error *error)
{
    struct gl_shared_image *s = calloc(1, sizeof *s);
    struct gl_image image;

    *error = GL_IMAGE_NO_MEMORY;
    if (!s)
        return NULL;
    bool mine = ctx == gl_current_context;
    bool outermost = mine && gl_share_enter(ctx);
    if (!mine)
        gl_share_enter_group(ctx);
    bool found = find_source(ctx, target, name, level, z, &image, error);
    if (found) {
        s->image = image;
        s->image.resource = NULL;
        /* Contexts of other groups may use it concurrently, so its storage must not be replaced
         * from now on. */
        image.resource->map_flags |= DRV_MAP_PERSISTENT;
        drv_resource_reference(&s->image.resource, image.resource);
    }
    gl_share_leave(ctx, outermost);
    if (!mine)
        gl_share_leave_group(ctx);
    if (!found) {
        free(s);
        return NULL;
    }
    enlist(s);
    return s;
}

/* Formats that textures and renderbuffers report for images in memory. */
static const struct memory_format {
    enum drv_format format;
    GLint internal;
    GLenum base;
} memory_formats[] = {
    {DRV_FORMAT_R8_UNORM, GL_R8, GL_RED},
    {DRV_FORMAT_R8G8_UNORM, GL_RG8, GL_RG},
    {DRV_FORMAT_R16_UNORM, GL_R16, GL_RED},
    {DRV_FORMAT_R16G16_UNORM, GL_RG16, GL_RG},
    {DRV_FORMAT_R16G16B16A16_UNORM, GL_RGBA16, GL_RGBA},
    {DRV_FORMAT_R16G16B16A16_FLOAT, GL_RGBA16F, GL_RGBA},
    {DRV_FORMAT_B5G6R5_UNORM, GL_RGB565, GL_RGB},
    {DRV_FORMAT_B5G5R5A1_UNORM, GL_RGB5_A1, GL_RGBA},
    {DRV_FORMAT_B10G10R10A2_UNORM, GL_RGB10_A2, GL_RGBA},
    {DRV_FORMAT_R10G10B10A2_UNORM, GL_RGB10_A2, GL_RGBA},
    {DRV_FORMAT_NONE, GL_RGBA8, GL_RGBA}, /* all other formats */
};

static struct gl_image memory_image(const struct gl_memory_image *memory)
{
    const struct memory_format *f = memory_formats;

    while (f->format && f->format != memory->format)
        f++;
    return (struct gl_image){
        .internal = memory->opaque && f->internal == GL_RGBA8 ? GL_RGB8 : f->internal,
        .base = memory->opaque ? GL_RGB : f->base,
        .width = memory->width,
        .height = memory->height,
        .depth = 1,
    };
}

struct gl_shared_image *gl_shared_image_import(const struct gl_memory_image *memory)
{
    struct drv_screen *screen = gl_screen();
    struct gl_shared_image *s = screen ? calloc(1, sizeof *s) : NULL;

    if (!s)
        return NULL;
    s->image = memory_image(memory);
    s->image.resource = gl_mirror_create(screen, memory);
    if (!s->image.resource) {
        free(s);
        return NULL;
    }
    s->image.format = s->image.resource->format;
    enlist(s);
    return s;
}

bool gl_shared_image_format_supported(enum drv_format format)
{
    struct drv_screen *screen = gl_screen();

    return screen && gl_mirror_format_supported(screen, format);
}

bool gl_shared_image_describe(struct gl_shared_image *s, struct gl_memory_image *memory)
{
    const struct gl_image *image = &s->image;
    const struct drv_resource *r = image->resource;

    if (image->level || image->layer || r->depth > 1 || r->array_size > 1 || r->nr_samples > 1 ||
        r->format != image->format)
        return false;
    if (gl_has_mirror(r)) {
        *memory = *gl_mirror_memory(r);
        return true;
    }
    *memory = (struct gl_memory_image){
        .width = (int)r->width,
        .height = (int)r->height,
        .format = r->format,
        .opaque = image->base == GL_RGB,
    };
    return true;
}

bool gl_shared_image_attach(struct gl_shared_image *s, const struct gl_memory_image *memory)
{
    struct gl_context *ctx = gl_current_context;
    struct drv_context *drv = gl_acquire_driver_context();
    const bool ok = drv && gl_mirror_attach(drv, s->image.resource, memory);

    gl_release_driver_context(drv);
    if (ctx) /* bindings of the resource must be validated again */
        ctx->dirty |= GL_DIRTY_TEXTURES | GL_DIRTY_FRAMEBUFFER | GL_DIRTY_IMAGES;
    return ok;
}

bool gl_shared_image_bind(struct gl_context *ctx, struct gl_shared_image *s, GLenum target,
                          bool with_alpha)
{
    return gl_textures_bind_image(ctx, target, s->image.resource, with_alpha);
}

void gl_shared_image_destroy(struct gl_shared_image *s)
{
    pthread_mutex_lock(&lock);
    list_del(&s->node);
    pthread_mutex_unlock(&lock);
    gl_image_clear(&s->image);
    free(s);
}

/* -------------------------------------------------------- use by textures and renderbuffers --- */

/* Copies the image of a handle to *image, with a reference. False: an error was raised. */
static bool find_image(struct gl_context *ctx, GLeglImageOES handle, struct gl_image *image,
                       const char *call)
{
    GLeglImageOES wanted = ctx->find_image ? ctx->find_image(ctx->find_image_data, handle) : handle;
    bool found = false;

    pthread_mutex_lock(&lock);
    list_for_each_entry (struct gl_shared_image, s, &images, node) {
        if ((GLeglImageOES)s != wanted)
            continue;
        *image = s->image;
        image->resource = NULL;
        drv_resource_reference(&image->resource, s->image.resource);
        found = true;
        break;
    }
    pthread_mutex_unlock(&lock);
    if (!found)
        gl_error(ctx, GL_INVALID_VALUE, "%s(image is none)", call);
    return found;
}

/* Makes the image the only image of the texture. Takes over its reference. */
static void show(struct gl_context *ctx, struct gl_texture *t, const struct gl_image *image,
                 bool immutable)
{
    FLUSH_VERTICES(ctx, GL_DIRTY_TEXTURES);
    gl_texture_free_images(t);
    t->image[0][0] = *image;
    drv_resource_reference(&t->resource, image->resource);
    t->sibling = !immutable;
    t->immutable = immutable;
    t->immutable_levels = immutable;
    t->part.first_level = image->level;
    t->part.first_layer = image->layer;
    t->part.levels = t->part.layers = 1;
    gl_texture_update_levels(t);
    gl_texture_changed(ctx, t);
}

/* Makes texture t show the image of a handle. t is NULL if an error was raised. */
static void show_handle(struct gl_context *ctx, struct gl_texture *t, GLeglImageOES handle,
                        bool immutable, const char *call)
{
    struct gl_image image;

    if (!t)
        return;
    if (gl_texture_is_fixed(t) || !t->name)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture %u)", call, t->name);
    else if (find_image(ctx, handle, &image, call))
        show(ctx, t, &image, immutable);
}

/* Returns the texture bound to a target that EGLImages support. Raises `error` for other targets
 * and returns NULL. */
static struct gl_texture *bound_texture(struct gl_context *ctx, GLenum target, GLenum error,
                                        const char *call)
{
    const int index = gl_texture_target_index(ctx, target);

    if (target == GL_TEXTURE_2D || index == GL_TEXTURE_INDEX_EXTERNAL)
        return ctx->texture.unit[ctx->texenv.active].bound[index];
    gl_error(ctx, error, "%s(target=%s)", call, gl_enum_name(target));
    return NULL;
}

/* Returns whether the extension allows the target for some EGLImages, although Indium's images
 * don't support it. */
static bool is_storage_target(const struct gl_context *ctx, GLenum target)
{
    static const GLenum targets[] = {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP,
                                     GL_TEXTURE_CUBE_MAP_ARRAY};
    for (unsigned i = 0; i < ARRAY_SIZE(targets); i++)
        if (targets[i] == target)
            return true;
    return gl_is_desktop(ctx) && (target == GL_TEXTURE_1D || target == GL_TEXTURE_1D_ARRAY);
}

void gl_EGLImageTargetTexture2DOES(GLenum target, GLeglImageOES image)
{
    GL_CONTEXT(ctx);
    const char *call = "glEGLImageTargetTexture2DOES";
    show_handle(ctx, bound_texture(ctx, target, GL_INVALID_ENUM, call), image, false, call);
}

/* GL_EXT_EGL_image_storage_compression defines the only attribute. No image has fixed-rate
 * compression, so both of its values are satisfied. */
static bool attribs_ok(struct gl_context *ctx, const GLint *attribs, const char *call)
{
    for (const GLint *a = attribs; a && *a != GL_NONE; a += 2) {
        if (*a != GL_SURFACE_COMPRESSION_EXT || !ctx->ext.EXT_EGL_image_storage_compression ||
            (a[1] != GL_SURFACE_COMPRESSION_FIXED_RATE_NONE_EXT &&
             a[1] != GL_SURFACE_COMPRESSION_FIXED_RATE_DEFAULT_EXT)) {
            gl_error(ctx, GL_INVALID_VALUE, "%s(attrib_list[%d])", call, (int)(a - attribs));
            return false;
        }
    }
    return true;
}

void gl_EGLImageTargetTexStorageEXT(GLenum target, GLeglImageOES image, const GLint *attribs)
{
    GL_CONTEXT(ctx);
    const char *call = "glEGLImageTargetTexStorageEXT";
    GLenum error = is_storage_target(ctx, target) ? GL_INVALID_OPERATION : GL_INVALID_ENUM;
    if (attribs_ok(ctx, attribs, call))
        show_handle(ctx, bound_texture(ctx, target, error, call), image, true, call);
}

void gl_EGLImageTargetTextureStorageEXT(GLuint texture, GLeglImageOES image, const GLint *attribs)
{
    GL_CONTEXT(ctx);
    const char *call = "glEGLImageTargetTextureStorageEXT";
    struct gl_texture *t = texture ? gl_texture_lookup(ctx, texture) : NULL;
    if (!attribs_ok(ctx, attribs, call))
        return;
    if (!t || t->index != GL_TEXTURE_INDEX_2D || !t->target) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(texture=%u)", call, texture);
        return;
    }
    show_handle(ctx, t, image, true, call);
}

void gl_EGLImageTargetRenderbufferStorageOES(GLenum target, GLeglImageOES handle)
{
    GL_CONTEXT(ctx);
    const char *call = "glEGLImageTargetRenderbufferStorageOES";
    struct gl_renderbuffer *rb = gl_bound_renderbuffer(ctx, target, call);
    struct gl_image image;

    if (!rb || !find_image(ctx, handle, &image, call))
        return;
    /* A renderbuffer needs a whole resource. */
    if (image.level || image.layer || !gl_format_is_renderable(ctx, (GLenum)image.internal)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(%s, level %u, layer %u)", call,
                 gl_enum_name((GLenum)image.internal), image.level, image.layer);
        gl_image_clear(&image);
        return;
    }
    FLUSH_VERTICES(ctx, GL_DIRTY_FRAMEBUFFER);
    drv_resource_reference(&rb->resource, NULL);
    rb->resource = image.resource;
    rb->internal = (GLenum)image.internal;
    rb->base = image.base;
    rb->format = image.format;
    rb->width = image.width;
    rb->height = image.height;
    rb->samples = 0;
}
