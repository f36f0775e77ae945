/* SPDX-License-Identifier: MIT */
/* Setters of state: copy the state and set dirty bits. */
#include <stdlib.h>

#include "driver/cpu/context/cpu_context.h"
#include "util/format.h"
#include "util/macros.h"
#include "util/refcount.h"

static void *copy_of(const void *data, size_t size)
{
    void *p = malloc(size);
    return p ? memcpy(p, data, size) : NULL;
}

static void delete_object(struct drv_context *base, void *state)
{
    free(state);
}

/* --- blend, rasterizer, depth-stencil --- */

static void *create_blend_state(struct drv_context *base, const struct drv_blend_state *state)
{
    struct cpu_blend_object *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->state = *state;
    cpu_blend_key_init(&b->key, state);
    return b;
}

static void bind_blend_state(struct drv_context *base, void *state)
{
    struct cpu_context *ctx = cpu_context(base);
    if (ctx->blend == state)
        return;
    ctx->blend = state;
    ctx->dirty |= CPU_DIRTY_FS_KEY;
}

static void *create_rasterizer_state(struct drv_context *base,
                                     const struct drv_rasterizer_state *state)
{
    return copy_of(state, sizeof *state);
}

static void bind_rasterizer_state(struct drv_context *base, void *state)
{
    struct cpu_context *ctx = cpu_context(base);
    if (ctx->rasterizer == state)
        return;
    ctx->rasterizer = state;
    ctx->dirty |=
        CPU_DIRTY_VS_KEY | CPU_DIRTY_FS_KEY | CPU_DIRTY_FS_STATE | CPU_DIRTY_DRAW | CPU_DIRTY_FRONT;
}

static void *create_depth_stencil_state(struct drv_context *base,
                                        const struct drv_depth_stencil_state *state)
{
    struct cpu_zs_object *z = calloc(1, sizeof *z);
    if (!z)
        return NULL;
    z->state = *state;
    cpu_zs_key_init(&z->key, state);
    return z;
}

static void bind_depth_stencil_state(struct drv_context *base, void *state)
{
    struct cpu_context *ctx = cpu_context(base);
    if (ctx->zs == state)
        return;
    ctx->zs = state;
    ctx->dirty |= CPU_DIRTY_FS_KEY | CPU_DIRTY_FS_STATE;
}

/* --- samplers and views --- */

static uint32_t stage_key_dirty(enum shader_stage stage)
{
    return stage == SHADER_FRAGMENT ? CPU_DIRTY_FS_KEY : CPU_DIRTY_VS_KEY;
}

static void *create_sampler_state(struct drv_context *base, const struct drv_sampler_state *state)
{
    return copy_of(state, sizeof *state);
}

static void bind_sampler_states(struct drv_context *base, enum shader_stage stage, unsigned first,
                                unsigned count, void *const *states)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_stage *s = &ctx->stage[stage];
    for (unsigned i = 0; i < count; i++) {
        const struct drv_sampler_state *state = states ? states[i] : NULL;
        if (s->sampler[first + i] == state)
            continue;
        s->sampler[first + i] = state;
        s->state_dirty = true;
        ctx->dirty |= stage_key_dirty(stage);
    }
}

static void *create_sampler_view(struct drv_context *base, const struct drv_sampler_view *view)
{
    struct cpu_sampler_view *v = calloc(1, sizeof *v);
    if (!v)
        return NULL;
    v->texels = cpu_resource_view(cpu_resource(view->texture), view->format);
    if (!v->texels) {
        free(v);
        return NULL;
    }
    v->view = *view;
    v->view.format = cpu_store_format(view->format);
    v->view.texture = NULL;
    drv_resource_reference(&v->view.texture, view->texture);
    return v;
}

static void set_sampler_views(struct drv_context *base, enum shader_stage stage, unsigned first,
                              unsigned count, void *const *views)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_stage *s = &ctx->stage[stage];
    for (unsigned i = 0; i < count; i++) {
        struct cpu_sampler_view *view = views ? views[i] : NULL;
        if (s->view[first + i] == view)
            continue;
        s->view[first + i] = view;
        s->texture[first + i].storage = NULL;
        s->state_dirty = true;
        ctx->dirty |= stage_key_dirty(stage);
    }
}

static void delete_sampler_view(struct drv_context *base, void *view)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_sampler_view *v = view;
    if (!v)
        return;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++)
        for (unsigned i = 0; i < DRV_MAX_SAMPLERS; i++)
            if (ctx->stage[s].view[i] == v)
                set_sampler_views(base, s, i, 1, NULL);
    drv_resource_reference(&v->view.texture, NULL);
    free(v);
}

/* --- vertex input --- */

static void *create_vertex_elements(struct drv_context *base, unsigned count,
                                    const struct drv_vertex_element *elements)
{
    struct cpu_vertex_elements *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->count = count;
    for (unsigned i = 0; i < count; i++) {
        e->element[i] = elements[i];
        e->element_bytes[i] = drv_format_desc(elements[i].src_format)->block_bytes;
    }
    return e;
}

static void bind_vertex_elements(struct drv_context *base, void *state)
{
    struct cpu_context *ctx = cpu_context(base);
    if (ctx->elements == state)
        return;
    ctx->elements = state;
    ctx->dirty |= CPU_DIRTY_VS_KEY;
}

/* Returns whether offsets from the buffer's first vertex may exceed 2 GiB. */
static bool is_far_array(const struct drv_vertex_buffer *vb)
{
    return vb->buffer ? vb->buffer->width > INT32_MAX : vb->user_size > INT32_MAX;
}

static void set_vertex_buffers(struct drv_context *base, unsigned count,
                               const struct drv_vertex_buffer *buffers)
{
    struct cpu_context *ctx = cpu_context(base);
    unsigned n = MAX2(count, ctx->num_vb);
    bool far = false;
    for (unsigned i = 0; i < n; i++) {
        struct drv_vertex_buffer *vb = &ctx->vb[i];
        struct drv_resource *held = vb->buffer;
        if (i < count) {
            far |= is_far_array(&buffers[i]);
            drv_resource_reference(&held, buffers[i].buffer);
            *vb = buffers[i];
        } else {
            drv_resource_reference(&held, NULL);
            *vb = (struct drv_vertex_buffer){0};
        }
        vb->buffer = held;
    }
    ctx->num_vb = count;
    if (far != ctx->far_arrays)
        ctx->dirty |= CPU_DIRTY_VS_KEY;
    ctx->far_arrays = far;
}

/* --- shaders --- */

static void *create_shader(struct drv_context *base, const struct drv_shader_desc *desc)
{
    return cpu_shader_object_create(cpu_context(base)->screen, desc);
}

static void bind_shader(struct drv_context *base, enum shader_stage stage, void *shader)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_shader_object *s = shader;
    uint64_t id = s ? s->id : 0;
    if (ctx->stage[stage].shader_id == id)
        return;
    ctx->stage[stage].shader = s;
    ctx->stage[stage].shader_id = id;
    ctx->stage[stage].state_dirty = true;
    ctx->dirty |= CPU_DIRTY_VS_KEY | CPU_DIRTY_FS_KEY | CPU_DIRTY_FRONT;
}

static void delete_shader(struct drv_context *base, enum shader_stage stage, void *shader)
{
    cpu_shader_object_release(shader);
}

/* --- plain state --- */

static void reference_surface(struct drv_surface *dst, const struct drv_surface *src)
{
    struct drv_resource *held = dst->texture;
    drv_resource_reference(&held, src->texture);
    *dst = *src;
    dst->texture = held;
}

static bool same_surface(const struct drv_surface *a, const struct drv_surface *b)
{
    return a->texture == b->texture &&
           (!a->texture || (a->format == b->format && a->level == b->level &&
                            a->first_layer == b->first_layer && a->last_layer == b->last_layer));
}

static bool same_framebuffer(const struct drv_framebuffer *a, const struct drv_framebuffer *b)
{
    if (a->width != b->width || a->height != b->height || a->layers != b->layers ||
        a->samples != b->samples || a->nr_cbufs != b->nr_cbufs || a->window != b->window ||
        !same_surface(&a->zsbuf, &b->zsbuf))
        return false;
    for (unsigned i = 0; i < a->nr_cbufs; i++)
        if (!same_surface(&a->cbufs[i], &b->cbufs[i]))
            return false;
    return true;
}

static void set_framebuffer(struct drv_context *base, const struct drv_framebuffer *fb)
{
    struct cpu_context *ctx = cpu_context(base);
    if (same_framebuffer(&ctx->fb, fb))
        return;
    cpu_context_submit(ctx);
    static const struct drv_surface none;
    for (unsigned i = 0; i < DRV_MAX_COLOR_BUFS; i++)
        reference_surface(&ctx->fb.cbufs[i], i < fb->nr_cbufs ? &fb->cbufs[i] : &none);
    reference_surface(&ctx->fb.zsbuf, &fb->zsbuf);
    ctx->fb.width = fb->width;
    ctx->fb.height = fb->height;
    ctx->fb.layers = fb->layers;
    ctx->fb.samples = fb->samples;
    ctx->fb.window = fb->window;
    ctx->fb.nr_cbufs = fb->nr_cbufs;
    ctx->dirty |= CPU_DIRTY_FS_KEY | CPU_DIRTY_FS_STATE;
}

static void set_viewports(struct drv_context *base, unsigned first, unsigned count,
                          const struct drv_viewport *viewports)
{
    struct cpu_context *ctx = cpu_context(base);
    if (!count)
        return;
    memcpy(&ctx->viewport[first], viewports, count * sizeof *viewports);
    ctx->num_viewports = MAX2(ctx->num_viewports, first + count);
    ctx->dirty |= CPU_DIRTY_FS_STATE | CPU_DIRTY_FRONT;
}

static void set_scissors(struct drv_context *base, unsigned first, unsigned count,
                         const struct drv_scissor *scissors)
{
    struct cpu_context *ctx = cpu_context(base);
    if (!count)
        return;
    memcpy(&ctx->scissor[first], scissors, count * sizeof *scissors);
    ctx->dirty |= CPU_DIRTY_FRONT;
}

static void set_constant_buffer(struct drv_context *base, enum shader_stage stage, unsigned index,
                                const struct drv_constant_buffer *buffer)
{
    struct cpu_stage *s = &cpu_context(base)->stage[stage];
    struct drv_constant_buffer *c = &s->constant[index];
    struct drv_resource *held = c->buffer;
    /* the contents of user memory may have changed */
    if (buffer ? buffer->buffer && buffer->buffer == held && buffer->offset == c->offset &&
                     buffer->size == c->size
               : !(s->bound_constants >> index & 1))
        return;
    drv_resource_reference(&held, buffer ? buffer->buffer : NULL);
    *c = buffer ? *buffer : (struct drv_constant_buffer){0};
    c->buffer = held;
    if (c->buffer || c->user)
        s->bound_constants |= 1u << index;
    else
        s->bound_constants &= ~(1u << index);
    s->constants_dirty = true;
}

static void set_storage_buffers(struct drv_context *base, enum shader_stage stage, unsigned first,
                                unsigned count, const struct drv_storage_buffer *buffers)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_stage *s = &ctx->stage[stage];
    const uint32_t far = s->far_storage;
    for (unsigned i = 0; i < count; i++) {
        struct drv_storage_buffer *b = &s->storage[first + i];
        struct drv_resource *held = b->buffer;
        drv_resource_reference(&held, buffers ? buffers[i].buffer : NULL);
        *b = buffers ? buffers[i] : (struct drv_storage_buffer){0};
        b->buffer = held;
        if (b->size > INT32_MAX)
            s->far_storage |= BITFIELD_BIT(first + i);
        else
            s->far_storage &= ~BITFIELD_BIT(first + i);
    }
    s->state_dirty = true;
    if (!far != !s->far_storage)
        ctx->dirty |= stage_key_dirty(stage);
}

static void set_images(struct drv_context *base, enum shader_stage stage, unsigned first,
                       unsigned count, const struct drv_image_view *images)
{
    struct cpu_context *ctx = cpu_context(base);
    struct cpu_stage *s = &ctx->stage[stage];
    for (unsigned i = 0; i < count; i++) {
        struct drv_image_view *v = &s->image[first + i];
        struct drv_resource *held = v->resource;
        drv_resource_reference(&held, images ? images[i].resource : NULL);
        *v = images ? images[i] : (struct drv_image_view){0};
        v->resource = held;
    }
    s->state_dirty = true;
    ctx->dirty |= stage_key_dirty(stage);
}

static void set_blend_color(struct drv_context *base, const float color[4])
{
    struct cpu_context *ctx = cpu_context(base);
    memcpy(ctx->blend_color, color, sizeof ctx->blend_color);
    ctx->dirty |= CPU_DIRTY_FS_STATE;
}

static void set_stencil_ref(struct drv_context *base, uint8_t front, uint8_t back)
{
    struct cpu_context *ctx = cpu_context(base);
    ctx->stencil_ref[0] = front;
    ctx->stencil_ref[1] = back;
    ctx->dirty |= CPU_DIRTY_FS_STATE;
}

static void set_sample_mask(struct drv_context *base, uint32_t mask)
{
    struct cpu_context *ctx = cpu_context(base);
    if (ctx->sample_mask == mask)
        return;
    ctx->sample_mask = mask;
    ctx->dirty |= CPU_DIRTY_FS_STATE;
}

static void set_min_samples(struct drv_context *base, unsigned samples)
{
    struct cpu_context *ctx = cpu_context(base);
    if (ctx->min_samples == samples)
        return;
    ctx->min_samples = samples;
    ctx->dirty |= CPU_DIRTY_FS_KEY;
}

static void set_sample_locations(struct drv_context *base, const int8_t (*locations)[2])
{
    struct cpu_context *ctx = cpu_context(base);
    if (!locations && !ctx->has_sample_location)
        return;
    ctx->has_sample_location = locations;
    if (locations)
        memcpy(ctx->sample_location, locations, sizeof ctx->sample_location);
    ctx->dirty |= CPU_DIRTY_FS_STATE | CPU_DIRTY_DRAW;
}

static void set_polygon_stipple(struct drv_context *base, const uint32_t pattern[32])
{
    struct cpu_context *ctx = cpu_context(base);
    memcpy(ctx->stipple, pattern, sizeof ctx->stipple);
    ctx->dirty |= CPU_DIRTY_DRAW;
}

static void set_patch_levels(struct drv_context *base, const float outer[4], const float inner[2])
{
    struct cpu_context *ctx = cpu_context(base);
    memcpy(ctx->patch_outer, outer, sizeof ctx->patch_outer);
    memcpy(ctx->patch_inner, inner, sizeof ctx->patch_inner);
}

void cpu_state_finish(struct cpu_context *ctx)
{
    static const struct drv_framebuffer no_fb;
    cpu_handles_finish(ctx);
    set_framebuffer(&ctx->base, &no_fb);
    set_vertex_buffers(&ctx->base, 0, NULL);
    ctx->base.ops->set_stream_output_targets(&ctx->base, 0, NULL, NULL);
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        for (unsigned i = 0; i < DRV_MAX_CONSTANT_BUFFERS; i++)
            set_constant_buffer(&ctx->base, s, i, NULL);
        set_storage_buffers(&ctx->base, s, 0, DRV_MAX_STORAGE_BUFFERS, NULL);
        set_images(&ctx->base, s, 0, DRV_MAX_IMAGES, NULL);
    }
}

void cpu_state_init(struct drv_context_ops *ops)
{
    ops->create_blend_state = create_blend_state;
    ops->bind_blend_state = bind_blend_state;
    ops->delete_blend_state = delete_object;
    ops->create_rasterizer_state = create_rasterizer_state;
    ops->bind_rasterizer_state = bind_rasterizer_state;
    ops->delete_rasterizer_state = delete_object;
    ops->create_depth_stencil_state = create_depth_stencil_state;
    ops->bind_depth_stencil_state = bind_depth_stencil_state;
    ops->delete_depth_stencil_state = delete_object;
    ops->create_sampler_state = create_sampler_state;
    ops->bind_sampler_states = bind_sampler_states;
    ops->delete_sampler_state = delete_object;
    ops->create_vertex_elements = create_vertex_elements;
    ops->bind_vertex_elements = bind_vertex_elements;
    ops->delete_vertex_elements = delete_object;
    ops->create_sampler_view = create_sampler_view;
    ops->set_sampler_views = set_sampler_views;
    ops->delete_sampler_view = delete_sampler_view;
    ops->create_shader = create_shader;
    ops->bind_shader = bind_shader;
    ops->delete_shader = delete_shader;
    ops->set_framebuffer = set_framebuffer;
    ops->set_viewports = set_viewports;
    ops->set_scissors = set_scissors;
    ops->set_vertex_buffers = set_vertex_buffers;
    ops->set_constant_buffer = set_constant_buffer;
    ops->set_storage_buffers = set_storage_buffers;
    ops->set_images = set_images;
    ops->set_blend_color = set_blend_color;
    ops->set_stencil_ref = set_stencil_ref;
    ops->set_sample_mask = set_sample_mask;
    ops->set_min_samples = set_min_samples;
    ops->set_sample_locations = set_sample_locations;
    ops->set_polygon_stipple = set_polygon_stipple;
    ops->set_patch_levels = set_patch_levels;
}
