/* SPDX-License-Identifier: MIT */
/*
 * A core for tests of the API libraries. Contexts and drawables are plain structs. A drawable shows
 * the last clear color at the time of glClear. It follows the rules of core.h.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "indium/core.h"

#define EXPORT __attribute__((visibility("default")))

typedef unsigned GLenum;

struct gl_drawable {
    struct gl_visual visual;
    const struct gl_drawable_ops *ops;
    void *data;
    int width, height;
    int age;
    uint32_t color[GL_BUFFER_COUNT]; /* A, R, G, B from the high byte */
};

struct gl_context {
    enum gl_api api;
    unsigned major, minor;
    struct gl_drawable *draw, *read;
    uint32_t clear_color;
    GLenum render_mode; /* 0 until glRenderMode */
    bool current, dead;
    void (*delay)(void *data); /* what the next glClear calls first; NULL: nothing */
    void *delay_data;
};

static __thread struct gl_context *current;
static pthread_mutex_t current_lock = PTHREAD_MUTEX_INITIALIZER; /* protects gl_context.current */

static const char *renderer(void)
{
    return "fake";
}

static unsigned max_version(enum gl_api api)
{
    static const unsigned versions[GL_API_COUNT] = {46, 46, 11, 32};

    return versions[api];
}

static bool visual_supported(const struct gl_visual *v)
{
    return v->samples <= 1;
}

static unsigned max_drawable_size(void)
{
    return 4096;
}

static struct gl_context *context_create(const struct gl_context_attribs *a,
                                         enum gl_create_error *error)
{
    struct gl_context *ctx = NULL;

    *error = GL_CREATE_BAD_VERSION;
    if (a->major * 10 + a->minor > max_version(a->api))
        return NULL;
    *error = GL_CREATE_NO_MEMORY;
    ctx = calloc(1, sizeof *ctx);
    if (!ctx)
        return NULL;
    *ctx = (struct gl_context){.api = a->api, .major = a->major, .minor = a->minor};
    *error = GL_CREATE_OK;
    return ctx;
}

static void context_destroy(struct gl_context *ctx)
{
    if (ctx->current)
        ctx->dead = true;
    else
        free(ctx);
}

static bool make_current(struct gl_context *ctx, struct gl_drawable *draw, struct gl_drawable *read)
{
    pthread_mutex_lock(&current_lock);
    const bool ok = !ctx || !ctx->current || ctx == current;
    const bool dead = ok && current && current->dead && current != ctx;
    if (ok && current)
        current->current = false;
    if (ok && ctx)
        ctx->current = true;
    pthread_mutex_unlock(&current_lock);
    if (!ok)
        return false;
    if (dead)
        free(current);
    current = ctx;
    if (ctx) {
        ctx->draw = draw;
        ctx->read = read;
        if (draw)
            draw->ops->get_size(draw->data, &draw->width, &draw->height);
    }
    return true;
}

static struct gl_context *get_current(void)
{
    return current;
}

static void flush_vertices(void)
{
}

static void flush(bool finish)
{
    struct gl_drawable *d = current ? current->draw : NULL;

    if (d && !d->visual.double_buffered && d->ops->front_flushed)
        d->ops->front_flushed(d->data);
}

static void delay_commands(struct gl_context *ctx, void (*wait)(void *data), void *data)
{
    ctx->delay = wait;
    ctx->delay_data = data;
}

static bool context_copy(struct gl_context *src, struct gl_context *dst, unsigned long mask)
{
    if (dst->current)
        return false;
    dst->clear_color = src->clear_color;
    return true;
}

static enum gl_api context_api(const struct gl_context *ctx)
{
    return ctx->api;
}

static struct gl_drawable *drawable_create(const struct gl_visual *visual,
                                           const struct gl_drawable_ops *ops, void *data)
{
    struct gl_drawable *d = calloc(1, sizeof *d);

    if (d)
        *d = (struct gl_drawable){.visual = *visual, .ops = ops, .data = data};
    return d;
}

static void drawable_destroy(struct gl_drawable *d)
{
    free(d);
}

static bool drawable_resolve(struct gl_drawable *d, enum gl_buffer_index buffer, void *dst,
                             uint32_t stride, int x0, int y0, int width, int height)
{
    uint32_t c = d->color[buffer];
    uint16_t c16 = (c >> 8 & 0xf800) | (c >> 5 & 0x7e0) | (c >> 3 & 0x1f);
    bool small = d->visual.color == DRV_FORMAT_B5G6R5_UNORM;

    for (int y = y0; y < y0 + height && y < d->height; y++) {
        uint8_t *row = (uint8_t *)dst + (size_t)y * stride;

        for (int x = x0; x < x0 + width && x < d->width; x++) {
            if (small)
                memcpy(row + x * 2, &c16, 2);
            else
                memcpy(row + x * 4, &c, 4);
        }
    }
    return true;
}

static int drawable_age(struct gl_drawable *d)
{
    return d->age;
}

/* A buffer has one color, so the rest of the buffer is never shown. */
static bool drawable_copy_back(struct gl_drawable *d, int x, int y, int width, int height)
{
    d->color[GL_BUFFER_FRONT_LEFT] = d->color[GL_BUFFER_BACK_LEFT];
    return true;
}

static void drawable_swap(struct gl_drawable *d)
{
    d->color[GL_BUFFER_FRONT_LEFT] = d->color[GL_BUFFER_BACK_LEFT];
    d->age = 1;
}

EXPORT void glClearColor(float r, float g, float b, float a);
EXPORT void glClear(unsigned mask);
EXPORT void glFlush(void);
EXPORT void glLinkProgram(unsigned program);
EXPORT void glGetIntegerv(GLenum name, int *value);
EXPORT int glRenderMode(GLenum mode);
EXPORT GLenum glGetError(void);
EXPORT const unsigned char *glGetString(GLenum name);

EXPORT void glClearColor(float r, float g, float b, float a)
{
    if (current)
        current->clear_color = (uint32_t)(a * 255) << 24 | (uint32_t)(r * 255) << 16 |
                               (uint32_t)(g * 255) << 8 | (uint32_t)(b * 255);
}

EXPORT void glClear(unsigned mask)
{
    struct gl_drawable *d = current ? current->draw : NULL;
    void (*delay)(void *data) = current ? current->delay : NULL;

    if (delay) {
        current->delay = NULL;
        delay(current->delay_data);
    }
    if (!d)
        return;
    d->ops->get_size(d->data, &d->width, &d->height);
    d->color[d->visual.double_buffered ? GL_BUFFER_BACK_LEFT : GL_BUFFER_FRONT_LEFT] =
        current->clear_color;
}

EXPORT void glFlush(void)
{
    flush(false);
}

static void link_program(void);

EXPORT void glLinkProgram(unsigned program)
{
    link_program();
}

EXPORT void glGetIntegerv(GLenum name, int *value)
{
    *value = name == 0x0c40 /* GL_RENDER_MODE */ && current ? (int)current->render_mode : 0;
}

EXPORT int glRenderMode(GLenum mode)
{
    if (current)
        current->render_mode = mode;
    return 0;
}

EXPORT GLenum glGetError(void)
{
    return 0;
}

EXPORT const unsigned char *glGetString(GLenum name)
{
    return (const unsigned char *)"3.3 fake";
}

static void (*get_proc_address(const char *name))(void)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } table[] = {
        {"glClearColor", (void (*)(void))glClearColor},
        {"glClear", (void (*)(void))glClear},
        {"glFlush", (void (*)(void))glFlush},
        {"glLinkProgram", (void (*)(void))glLinkProgram},
        {"glGetString", (void (*)(void))glGetString},
        {"glGetIntegerv", (void (*)(void))glGetIntegerv},
        {"glRenderMode", (void (*)(void))glRenderMode},
    };

    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(table[i].name, name) == 0)
            return table[i].function;
    }
    return NULL;
}

static bool bind_tex_image(struct gl_drawable *d, enum gl_buffer_index buffer, unsigned target,
                           bool with_alpha)
{
    return true;
}

static void release_tex_image(struct gl_drawable *d, unsigned target)
{
}

/* Every texture except 0 has a level 0. */
static struct gl_shared_image *image_create(struct gl_context *ctx, unsigned target, unsigned name,
                                            int level, int z, enum gl_image_error *error)
{
    *error = !name ? GL_IMAGE_BAD_PARAMETER : level ? GL_IMAGE_BAD_MATCH : GL_IMAGE_OK;
    return *error == GL_IMAGE_OK ? malloc(1) : NULL;
}

/* The picture only needs to be valid; its memory is released immediately. */
static struct gl_shared_image *image_import(const struct gl_memory_image *memory)
{
    memory->ops->destroy(memory->owner);
    return malloc(1);
}

static bool image_format_supported(enum drv_format format)
{
    return true;
}

static bool image_describe(struct gl_shared_image *image, struct gl_memory_image *memory)
{
    return false;
}

static bool image_bind(struct gl_shared_image *image, unsigned target, bool with_alpha)
{
    return true;
}

static void image_destroy(struct gl_shared_image *image)
{
    free(image);
}

static const void *blob_owner;
static gl_blob_set blob_set;
static gl_blob_get blob_get;

static void set_blob_cache(const void *owner, gl_blob_set set, gl_blob_get get)
{
    if (!set && owner != blob_owner)
        return;
    blob_owner = owner;
    blob_set = set;
    blob_get = get;
}

/* Stands for the compilation of a program: stores a value and loads it again. */
static void link_program(void)
{
    char value[4] = "";

    if (blob_set)
        blob_set("key", 3, "code", 4);
    if (blob_get && blob_get("key", 3, value, 4) == 4 && memcmp(value, "code", 4) != 0)
        abort();
}

EXPORT const struct indium_core *indium_core_interface(void)
{
    static const struct indium_core core = {
        .version = INDIUM_CORE_VERSION,
        .name = "Indium",
        .release = "0.1.0",
        .renderer = renderer,
        .max_version = max_version,
        .visual_supported = visual_supported,
        .max_drawable_size = max_drawable_size,
        .context_create = context_create,
        .context_destroy = context_destroy,
        .make_current = make_current,
        .get_current = get_current,
        .flush = flush,
        .flush_vertices = flush_vertices,
        .delay_commands = delay_commands,
        .context_copy = context_copy,
        .context_api = context_api,
        .drawable_create = drawable_create,
        .drawable_destroy = drawable_destroy,
        .drawable_resolve = drawable_resolve,
        .drawable_age = drawable_age,
        .drawable_swap = drawable_swap,
        .drawable_copy_back = drawable_copy_back,
        .get_proc_address = get_proc_address,
        .bind_tex_image = bind_tex_image,
        .release_tex_image = release_tex_image,
        .image_create = image_create,
        .image_import = image_import,
        .image_format_supported = image_format_supported,
        .image_bind = image_bind,
        .image_describe = image_describe,
        .image_destroy = image_destroy,
        .set_blob_cache = set_blob_cache,
    };

    return &core;
}
