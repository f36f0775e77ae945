/* SPDX-License-Identifier: MIT */
/*
 * Resident handles (ARB_bindless_texture). The context has an array of them, indexed by the low
 * half of a handle. For each scene that needs it, a table for kernels (struct cpu_handle) is built
 * from the array in the scene's arena.
 */
#include <stdlib.h>

#include "driver/cpu/context/cpu_context.h"
#include "util/macros.h"

/* Returns the entry of a handle, and enlarges the array if necessary. NULL: out of memory. */
static struct cpu_resident *get_entry(struct cpu_context *ctx, uint64_t handle)
{
    struct cpu_handles *h = &ctx->handles;
    uint32_t index = (uint32_t)handle;
    if (index >= h->capacity) {
        uint32_t capacity = MAX2(MAX2(2 * h->capacity, index + 1), 64);
        struct cpu_resident *entry = realloc(h->entry, capacity * sizeof *entry);
        if (!entry)
            return NULL;
        memset(entry + h->capacity, 0, (capacity - h->capacity) * sizeof *entry);
        h->entry = entry;
        h->capacity = capacity;
    }
    h->count = MAX2(h->count, index + 1);
    return &h->entry[index];
}

/* Returns the maximum of the serial numbers of the resident handles' classes; 0: there are none. */
static uint64_t newest_class(const struct cpu_context *ctx)
{
    uint64_t newest = 0;
    for (unsigned i = 0; i < CPU_HANDLE_CLASSES; i++)
        if (ctx->handles.class_uses[i])
            newest = MAX2(newest, ctx->screen->handle_classes->serial[i]);
    return newest;
}

/* Call when a handle of that class has become resident or nonresident. The handle is a user of the
 * class while it is resident. */
static void handles_changed(struct cpu_context *ctx, unsigned class, bool resident)
{
    struct cpu_handles *h = &ctx->handles;
    h->class_uses[class] += resident ? 1 : -1;
    if (h->class_uses[class])
        h->classes[class / 64] |= BITFIELD64_BIT(class % 64);
    else
        h->classes[class / 64] &= ~BITFIELD64_BIT(class % 64);
    if (!resident)
        cpu_class_release(ctx->screen->handle_classes, class);
    h->newest_class = newest_class(ctx);
    h->table = NULL;
    h->synced = h->unfenced_scene = 0;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct cpu_stage *stage = &ctx->stage[s];
        if (stage->shader && stage->shader->shader->uses_handles)
            stage->state_dirty = true;
    }
    ctx->dirty |= CPU_DIRTY_VS_KEY | CPU_DIRTY_FS_KEY;
}

static bool make_texture_resident(struct drv_context *base, uint64_t handle,
                                  const struct drv_sampler_view *view,
                                  const struct drv_sampler_state *sampler)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_sampler_key key;
    struct cpu_sampler_view *v = base->ops->create_sampler_view(base, view);
    struct cpu_resident *r = v ? get_entry(ctx, handle) : NULL;
    if (!r)
        goto fail;
    cpu_sampler_key_init(&key, sampler, &v->view);
    key.pot_w = key.pot_h = key.single_level = 0; /* fewer classes need less code */
    unsigned class = cpu_texture_class(ctx->screen->handle_classes, &key);
    if (class == CPU_NO_CLASS)
        goto fail;
    *r = (struct cpu_resident){
        .generation = handle >> 32, .class = class, .view = v, .sampler = *sampler};
    handles_changed(ctx, class, true);
    return true;
fail:
    base->ops->delete_sampler_view(base, v);
    return false;
}

static bool make_image_resident(struct drv_context *base, uint64_t handle,
                                const struct drv_image_view *view)
{
    struct cpu_context *ctx = cpu_context(base);
    const struct cpu_image_key key = {
        .format = view->format, .target = view->target, .sparse = view->resource->sparse};
    struct cpu_resident *r = get_entry(ctx, handle);
    unsigned class = r ? cpu_image_class(ctx->screen->handle_classes, &key) : CPU_NO_CLASS;
    if (class == CPU_NO_CLASS)
        return false;
    *r = (struct cpu_resident){.generation = handle >> 32, .class = class, .image = *view};
    r->image.resource = NULL;
    drv_resource_reference(&r->image.resource, view->resource);
    handles_changed(ctx, class, true);
    return true;
}

static void release(struct cpu_context *ctx, struct cpu_resident *r)
{
    if (r->view)
        ctx->base.ops->delete_sampler_view(&ctx->base, r->view);
    drv_resource_reference(&r->image.resource, NULL);
    *r = (struct cpu_resident){0};
}

static void make_handle_nonresident(struct drv_context *base, uint64_t handle)
{
    struct cpu_context *ctx = cpu_context(base);
    uint32_t index = (uint32_t)handle;
    if (index >= ctx->handles.count || ctx->handles.entry[index].generation != handle >> 32)
        return;
    unsigned class = ctx->handles.entry[index].class;
    release(ctx, &ctx->handles.entry[index]);
    while (ctx->handles.count && !ctx->handles.entry[ctx->handles.count - 1].generation)
        ctx->handles.count--;
    handles_changed(ctx, class, false);
}

void cpu_handles_finish(struct cpu_context *ctx)
{
    for (uint32_t i = 0; i < ctx->handles.count; i++) {
        struct cpu_resident *r = &ctx->handles.entry[i];
        if (r->generation)
            cpu_class_release(ctx->screen->handle_classes, r->class);
        release(ctx, r);
    }
    free(ctx->handles.entry);
    ctx->handles = (struct cpu_handles){0};
}

struct drv_resource *cpu_resident_resource(const struct cpu_resident *r)
{
    return r->view ? r->view->view.texture : r->image.resource;
}

bool cpu_handles_refer_to(const struct cpu_context *ctx, const struct drv_resource *resource)
{
    for (uint32_t i = 0; i < ctx->handles.count; i++)
        if (cpu_resident_resource(&ctx->handles.entry[i]) == resource)
            return true;
    return false;
}

void cpu_handle_init(struct drv_context_ops *ops)
{
    ops->make_texture_resident = make_texture_resident;
    ops->make_image_resident = make_image_resident;
    ops->make_handle_nonresident = make_handle_nonresident;
}
