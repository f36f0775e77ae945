/* SPDX-License-Identifier: MIT */
/*
 * Texture and image handles (ARB_bindless_texture). The share group has a table of handles. The low
 * half of a handle is its index there, and the high half a generation, so that a handle of a
 * deleted texture isn't mistaken for a later one. A handle lives as long as its texture and its
 * sampler object. Residency belongs to a context, which references the objects of its resident
 * handles.
 */
#include <stdlib.h>

#include "gl/context/gl_context.h"
#include "gl/texture/gl_mirror.h"
#include "gl/texture/gl_teximage.h"
#include "gl/texture/gl_texture.h"
#include "gl_entry.h"
#include "util/format.h"

/* Maximum number of handles of a share group. */
#define MAX_HANDLES (1u << 20)
/* Generations are above 0 and below the value that marks slots in shaders (NIR_SLOT_HANDLE). */
#define MAX_GENERATION 0x7fffffffu

/* A handle of a texture, of a texture and a sampler object, or of an image. */
struct gl_handle {
    struct list_head of_texture; /* in gl_texture.handles */
    struct list_head of_sampler; /* in gl_sampler.handles, if there is a sampler object */
    struct gl_texture *texture;  /* both objects delete their handles first, so no references */
    struct gl_sampler *sampler;  /* NULL: the texture's parameters, or an image */
    struct gl_shared *shared;    /* the share group */
    uint32_t index;
    bool is_image;
    struct gl_image_unit image; /* level, layers and format of an image; texture is NULL */
};

/* An entry of the table. */
struct slot {
    struct gl_handle *handle; /* NULL: free */
    uint32_t generation;      /* generation of the handle; free slots: of the next one */
    uint32_t next_free;       /* index of the next free entry; 0: none */
};

struct gl_handle_table {
    struct slot *slot;
    uint32_t count, capacity; /* count includes entry 0, which is never used */
    uint32_t first_free;      /* 0: none */
};

/* ----------------------------------------------------------------------------------- table --- */

static uint64_t value_of(const struct gl_context *ctx, const struct gl_handle *h)
{
    return (uint64_t)ctx->shared->handles->slot[h->index].generation << 32 | h->index;
}

/* Returns NULL if the value isn't a handle of this kind. */
static struct gl_handle *find_handle(const struct gl_context *ctx, GLuint64 value, bool is_image)
{
    const struct gl_handle_table *t = ctx->shared->handles;
    uint32_t index = (uint32_t)value;
    if (!t || index >= t->count || t->slot[index].generation != value >> 32)
        return NULL;
    struct gl_handle *h = t->slot[index].handle;
    return h && h->is_image == is_image ? h : NULL;
}

/* Returns the index of a free entry; 0: out of memory or handles. */
static uint32_t reserve(struct gl_context *ctx)
{
    struct gl_handle_table *t = ctx->shared->handles;
    if (!t)
        t = ctx->shared->handles = calloc(1, sizeof *t);
    if (!t)
        return 0;
    if (t->first_free) {
        uint32_t index = t->first_free;
        t->first_free = t->slot[index].next_free;
        return index;
    }
    uint32_t count = MAX2(t->count, 1);
    if (count >= MAX_HANDLES)
        return 0;
    if (count >= t->capacity) {
        uint32_t capacity = MAX2(2 * t->capacity, 64);
        struct slot *slot = realloc(t->slot, capacity * sizeof *slot);
        if (!slot)
            return 0;
        if (!t->capacity)
            slot[0] = (struct slot){0};
        t->slot = slot;
        t->capacity = capacity;
    }
    t->slot[count] = (struct slot){.generation = 1};
    t->count = count + 1;
    return count;
}

/* Adds a handle and returns its value, or 0 if out of memory; `h` is copied. */
static uint64_t add_handle(struct gl_context *ctx, const struct gl_handle *h)
{
    struct gl_handle *copy = malloc(sizeof *copy);
    uint32_t index = copy ? reserve(ctx) : 0;
    if (!index) {
        free(copy);
        return 0;
    }
    *copy = *h;
    copy->shared = ctx->shared;
    copy->index = index;
    ctx->shared->handles->slot[index].handle = copy;
    list_addtail(&copy->of_texture, &h->texture->handles);
    h->texture->num_handles++;
    if (h->texture->store.buffer)
        h->texture->store.buffer->texture_handles++;
    if (h->sampler) {
        list_addtail(&copy->of_sampler, &h->sampler->handles);
        h->sampler->num_handles++;
    }
    return value_of(ctx, copy);
}

static void free_handle(struct gl_handle *h)
{
    struct gl_handle_table *t = h->shared->handles;
    struct slot *slot = &t->slot[h->index];
    slot->handle = NULL;
    slot->generation = slot->generation < MAX_GENERATION ? slot->generation + 1 : 1;
    slot->next_free = t->first_free;
    t->first_free = h->index;
    list_del(&h->of_texture);
    h->texture->num_handles--;
    if (h->texture->store.buffer)
        h->texture->store.buffer->texture_handles--;
    if (h->sampler) {
        list_del(&h->of_sampler);
        h->sampler->num_handles--;
    }
    free(h);
}

void gl_texture_free_handles(struct gl_texture *t)
{
    list_for_each_entry_safe (struct gl_handle, h, &t->handles, of_texture)
        free_handle(h);
}

void gl_sampler_free_handles(struct gl_sampler *s)
{
    list_for_each_entry_safe (struct gl_handle, h, &s->handles, of_sampler)
        free_handle(h);
}

void gl_handles_finish_shared(struct gl_shared *shared)
{
    if (shared->handles)
        free(shared->handles->slot);
    free(shared->handles);
    shared->handles = NULL;
}

/* ------------------------------------------------------------------------------- residency --- */

/* Returns the context's references for a handle; NULL: it isn't resident. */
static struct gl_resident *find_resident(const struct gl_context *ctx, const struct gl_handle *h)
{
    const struct gl_texture_state *s = &ctx->texture;
    return h->index < s->num_resident && s->resident[h->index].texture ? &s->resident[h->index]
                                                                       : NULL;
}

/* Makes sure that the context's array has an element for the handle. */
static bool reserve_resident(struct gl_context *ctx, const struct gl_handle *h)
{
    struct gl_texture_state *s = &ctx->texture;
    if (h->index < s->num_resident)
        return true;
    uint32_t count = MAX2(2 * s->num_resident, MAX2(h->index + 1, 64));
    struct gl_resident *resident = realloc(s->resident, count * sizeof *resident);
    if (!resident)
        return false;
    memset(resident + s->num_resident, 0, (count - s->num_resident) * sizeof *resident);
    s->resident = resident;
    s->num_resident = count;
    return true;
}

/* Passes a handle to the driver. An image that can't be accessed with its format is not passed, and
 * reads as 0. Returns false if out of memory. */
static bool make_resident(struct gl_context *ctx, struct gl_handle *h)
{
    if (h->is_image) {
        struct drv_image_view view;
        struct gl_image_unit unit = h->image;
        unit.texture = h->texture;
        if (!gl_describe_handle_image(ctx, &unit, &view))
            return true;
        if (gl_has_mirror(view.resource))
            gl_mirror_draw(ctx, view.resource);
        return ctx->drv->ops->make_image_resident(ctx->drv, value_of(ctx, h), &view);
    }
    struct drv_sampler_view view;
    struct drv_sampler_state state;
    gl_describe_handle_texture(
        ctx, h->texture, h->sampler ? &h->sampler->params : &h->texture->params, &view, &state);
    if (!view.texture)
        return true;
    if (gl_has_mirror(view.texture))
        gl_mirror_read(ctx, view.texture);
    return ctx->drv->ops->make_texture_resident(ctx->drv, value_of(ctx, h), &view, &state);
}

static void make_nonresident(struct gl_context *ctx, struct gl_handle *h)
{
    struct gl_resident held = *find_resident(ctx, h);
    ctx->drv->ops->make_handle_nonresident(ctx->drv, value_of(ctx, h));
    ctx->texture.resident[h->index] = (struct gl_resident){0};
    gl_sampler_reference(&held.sampler, NULL); /* the last reference frees the handle */
    gl_texture_reference(ctx, &held.texture, NULL);
}

void gl_texture_refresh_handles(struct gl_context *ctx, struct gl_texture *t)
{
    list_for_each_entry (struct gl_handle, h, &t->handles, of_texture) {
        if (!find_resident(ctx, h))
            continue;
        ctx->drv->ops->make_handle_nonresident(ctx->drv, value_of(ctx, h));
        make_resident(ctx, h);
    }
}

void gl_texture_evict_handles(struct gl_context *ctx, struct gl_texture *t)
{
    struct gl_texture *held = NULL;
    gl_texture_reference(ctx, &held, t); /* keeps the list's head */
    list_for_each_entry_safe (struct gl_handle, h, &t->handles, of_texture)
        if (find_resident(ctx, h))
            make_nonresident(ctx, h);
    gl_texture_reference(ctx, &held, NULL);
}

void gl_handles_finish(struct gl_context *ctx)
{
    struct gl_texture_state *s = &ctx->texture;
    for (uint32_t i = 0; i < s->num_resident; i++) {
        struct gl_handle *h = s->resident[i].texture ? ctx->shared->handles->slot[i].handle : NULL;
        if (h)
            make_nonresident(ctx, h);
    }
    free(s->resident);
    s->resident = NULL;
    s->num_resident = 0;
}

/* -------------------------------------------------------------------------------- creation --- */

/* Returns whether a border color is one of those that handles may have: components 0 or 1, with
 * equal red, green and blue. */
static bool border_allowed(const struct gl_texture *t, const struct gl_sampler_params *p)
{
    bool integer = t->index != GL_TEXTURE_INDEX_BUFFER &&
                   util_format_is_pure_integer(t->image[0][t->base_level].format);
    const uint32_t one = integer ? 1 : fui(1.0f);
    uint32_t c[4];
    memcpy(c, &p->border, sizeof c);
    return c[0] == c[1] && c[1] == c[2] && (c[0] == 0 || c[0] == one) && (c[3] == 0 || c[3] == one);
}

static bool is_complete(const struct gl_texture *t, const struct gl_sampler_params *p)
{
    return t->index == GL_TEXTURE_INDEX_BUFFER ? t->store.buffer && t->store.buffer->resource
                                               : gl_texture_is_complete(t, p);
}

/* Moves the levels to their final resource, because it can't change later. Returns false if out of
 * memory. */
static bool settle(struct gl_context *ctx, struct gl_texture *t, const struct gl_sampler_params *p)
{
    if (t->index == GL_TEXTURE_INDEX_BUFFER)
        return true;
    return gl_texture_store_rgba(ctx, t) && gl_texture_collect_readable(ctx, t, p);
}

static uint64_t texture_handle(struct gl_context *ctx, struct gl_texture *t, struct gl_sampler *s,
                               const char *call)
{
    const struct gl_sampler_params *p = s ? &s->params : &t->params;
    list_for_each_entry (struct gl_handle, h, &t->handles, of_texture)
        if (!h->is_image && h->sampler == s)
            return value_of(ctx, h);
    FLUSH_VERTICES(ctx, 0);
    if (!is_complete(t, p)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(incomplete texture %u)", call, t->name);
        return 0;
    }
    if (!border_allowed(t, p)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(border color)", call);
        return 0;
    }
    uint64_t value =
        settle(ctx, t, p) ? add_handle(ctx, &(struct gl_handle){.texture = t, .sampler = s}) : 0;
    if (!value)
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return value;
}

/* Returns the texture of a command, or NULL after an error. */
static struct gl_texture *get_texture(struct gl_context *ctx, GLuint name, const char *call)
{
    struct gl_texture *t = gl_texture_lookup(ctx, name);
    if (t && t->target)
        return t;
    gl_error(ctx, GL_INVALID_VALUE, "%s(texture=%u)", call, name);
    return NULL;
}

GLuint64 gl_GetTextureHandleARB(GLuint texture)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glGetTextureHandleARB";
    struct gl_texture *t = get_texture(ctx, texture, call);
    return t ? texture_handle(ctx, t, NULL, call) : 0;
}

GLuint64 gl_GetTextureSamplerHandleARB(GLuint texture, GLuint sampler)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glGetTextureSamplerHandleARB";
    struct gl_texture *t = get_texture(ctx, texture, call);
    struct gl_sampler *s = gl_names_lookup(&ctx->shared->samplers, sampler);
    if (t && !s)
        gl_error(ctx, GL_INVALID_VALUE, "%s(sampler=%u)", call, sampler);
    return t && s ? texture_handle(ctx, t, s, call) : 0;
}

GLuint64 gl_GetImageHandleARB(GLuint texture, GLint level, GLboolean layered, GLint layer,
                              GLenum format)
{
    GL_CONTEXT(ctx);
    static const char call[] = "glGetImageHandleARB";
    struct gl_texture *t = get_texture(ctx, texture, call);
    if (!t)
        return 0;
    struct gl_image_unit unit = {.level = level, .layered = layered, .format = format};
    unsigned layers = gl_image_handle_layers(t, level);
    GLenum class;
    if (!is_complete(t, &t->params)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(incomplete texture %u)", call, texture);
        return 0;
    }
    if (!layers) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(level=%d)", call, level);
        return 0;
    }
    if (!layered && (layer < 0 || (unsigned)layer >= layers)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(layer=%d)", call, layer);
        return 0;
    }
    if (!gl_image_unit_format(ctx, format, &class)) {
        gl_error(ctx, GL_INVALID_VALUE, "%s(format=%s)", call, gl_enum_name(format));
        return 0;
    }
    if (layered && !gl_image_has_layers(t->index)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(layered, but texture %u has no layers)", call,
                 texture);
        return 0;
    }
    unit.layer = layered ? 0 : layer;
    list_for_each_entry (struct gl_handle, h, &t->handles, of_texture)
        if (h->is_image && h->image.level == level && h->image.layered == unit.layered &&
            h->image.layer == unit.layer && h->image.format == format)
            return value_of(ctx, h);
    FLUSH_VERTICES(ctx, 0);
    uint64_t value =
        settle(ctx, t, &t->params)
            ? add_handle(ctx, &(struct gl_handle){.texture = t, .is_image = true, .image = unit})
            : 0;
    if (!value)
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
    return value;
}

/* -------------------------------------------------------------------------------- commands --- */

static void set_resident(GLuint64 value, bool is_image, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_handle *h = find_handle(ctx, value, is_image);
    if (!h || find_resident(ctx, h)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(handle 0x%llx is %s)", call,
                 (unsigned long long)value, h ? "resident already" : "invalid");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    if (!reserve_resident(ctx, h) || !make_resident(ctx, h)) {
        gl_error(ctx, GL_OUT_OF_MEMORY, "%s", call);
        return;
    }
    struct gl_resident *r = &ctx->texture.resident[h->index];
    gl_texture_reference(ctx, &r->texture, h->texture);
    gl_sampler_reference(&r->sampler, h->sampler);
}

static void set_nonresident(GLuint64 value, bool is_image, const char *call)
{
    GL_CONTEXT(ctx);
    struct gl_handle *h = find_handle(ctx, value, is_image);
    if (!h || !find_resident(ctx, h)) {
        gl_error(ctx, GL_INVALID_OPERATION, "%s(handle 0x%llx is %s)", call,
                 (unsigned long long)value, h ? "not resident" : "invalid");
        return;
    }
    FLUSH_VERTICES(ctx, 0);
    make_nonresident(ctx, h);
}

static GLboolean is_resident(GLuint64 value, bool is_image, const char *call)
{
    GL_CONTEXT(ctx);
    const struct gl_handle *h = find_handle(ctx, value, is_image);
    if (!h)
        gl_error(ctx, GL_INVALID_OPERATION, "%s(invalid handle 0x%llx)", call,
                 (unsigned long long)value);
    return h && find_resident(ctx, h);
}

void gl_MakeTextureHandleResidentARB(GLuint64 handle)
{
    set_resident(handle, false, "glMakeTextureHandleResidentARB");
}

void gl_MakeTextureHandleNonResidentARB(GLuint64 handle)
{
    set_nonresident(handle, false, "glMakeTextureHandleNonResidentARB");
}

/* Shaders may access images in any way, whatever `access` is; results of others are undefined. */
void gl_MakeImageHandleResidentARB(GLuint64 handle, GLenum access)
{
    static const char call[] = "glMakeImageHandleResidentARB";
    GL_CONTEXT(ctx);
    if (access != GL_READ_ONLY && access != GL_WRITE_ONLY && access != GL_READ_WRITE) {
        gl_error(ctx, GL_INVALID_ENUM, "%s(access=%s)", call, gl_enum_name(access));
        return;
    }
    set_resident(handle, true, call);
}

void gl_MakeImageHandleNonResidentARB(GLuint64 handle)
{
    set_nonresident(handle, true, "glMakeImageHandleNonResidentARB");
}

GLboolean gl_IsTextureHandleResidentARB(GLuint64 handle)
{
    return is_resident(handle, false, "glIsTextureHandleResidentARB");
}

GLboolean gl_IsImageHandleResidentARB(GLuint64 handle)
{
    return is_resident(handle, true, "glIsImageHandleResidentARB");
}
