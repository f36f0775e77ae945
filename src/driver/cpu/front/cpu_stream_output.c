/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback (GL 4.6 §13.3). Primitives append their vertices' outputs to buffers, before
 * clipping and in order. The calling thread therefore processes such draws alone.
 */
#include "driver/cpu/front/cpu_stream_output.h"

#include "driver/cpu/context/cpu_context.h"
#include "driver/cpu/front/cpu_batch.h"
#include "driver/cpu/front/cpu_front_ops.h"
#include "driver/cpu/resource/cpu_resource.h"
#include "util/half.h"
#include "util/macros.h"

static void set_targets(struct drv_context *base, unsigned count,
                        const struct drv_storage_buffer *targets, const uint32_t *offsets)
{
    struct cpu_context *ctx = cpu_context(base);
    ctx->captures = count > 0;
    for (unsigned i = 0; i < DRV_MAX_SO_BUFFERS; i++) {
        struct cpu_stream_target *t = &ctx->stream_target[i];
        drv_resource_reference(&t->buffer, i < count ? targets[i].buffer : NULL);
        if (i < count && offsets && offsets[i] != ~0u)
            t->position = offsets[i];
        if (!t->buffer)
            continue;
        t->offset = targets[i].offset;
        t->size = targets[i].size;
    }
}

/* Needs no synchronization: capturing draws are processed before they return. */
static void get_offsets(struct drv_context *base, uint32_t offsets[DRV_MAX_SO_BUFFERS])
{
    const struct cpu_context *ctx = cpu_context(base);
    for (unsigned i = 0; i < DRV_MAX_SO_BUFFERS; i++)
        offsets[i] = ctx->stream_target[i].position;
}

bool cpu_stream_output_begin(struct cpu_context *ctx, struct cpu_stream_output *so)
{
    const struct drv_stream_output *desc = &cpu_last_stage(ctx)->shader->stream_output;
    if (!ctx->captures || !desc->num_outputs)
        return false;
    *so = (struct cpu_stream_output){
        .desc = desc,
        .first_provokes = ctx->rasterizer->flatshade_first,
    };
    for (unsigned i = 0; i < desc->num_outputs; i++) {
        unsigned b = desc->output[i].buffer;
        struct cpu_stream_target *t = &ctx->stream_target[b];
        so->used[desc->output[i].stream] |= 1u << b;
        if (!t->buffer) /* no primitive fits */
            continue;
        const struct cpu_storage *s = cpu_resource(t->buffer)->storage;
        so->base[b] = s->data + MIN2(t->offset, s->size);
        so->size[b] = t->offset < s->size ? MIN2(t->size, s->size - t->offset) : 0;
        so->position[b] = t->position;
    }
    for (unsigned i = 0; i < desc->num_outputs; i++)
        so->index[i] = cpu_output_number(ctx->outputs, desc->output[i].slot);
    return true;
}

void cpu_stream_output_end(struct cpu_context *ctx, const struct cpu_stream_output *so)
{
    for (unsigned s = 0; s < DRV_MAX_VERTEX_STREAMS; s++) {
        for (unsigned b = 0; b < DRV_MAX_SO_BUFFERS; b++)
            if (so->used[s] >> b & 1)
                ctx->stream_target[b].position = so->position[b];
        ctx->primitives_emitted[s] += so->emitted[s];
        ctx->so_overflows[s] += so->overflows[s];
    }
}

/* Returns whether n more vertices fit in every buffer of the stream. */
static bool fits(const struct cpu_stream_output *so, unsigned n, unsigned stream)
{
    for (unsigned b = 0; b < DRV_MAX_SO_BUFFERS; b++)
        if (so->used[stream] >> b & 1 &&
            (!so->base[b] ||
             (uint64_t)so->position[b] + (uint64_t)n * so->desc->stride[b] > so->size[b]))
            return false;
    return true;
}

void cpu_stream_output_prim(struct cpu_stream_output *so, const float *out,
                            const struct cpu_batch_prim *prim, unsigned n, unsigned stream)
{
    const struct drv_stream_output *desc = so->desc;
    if (!so->used[stream])
        return;
    if (!fits(so, n, stream)) {
        so->overflows[stream]++;
        return;
    }
    /* Rotates the vertices of triangles so that they have the same provoking vertex when the
     * captured vertices are drawn with the same convention. */
    unsigned want = so->first_provokes ? 0 : n - 1, turn = 0;
    for (unsigned k = 0; n == 3 && k < n; k++)
        if (prim->v[k] == prim->provoking)
            turn = (k + n - want) % n;
    for (unsigned k = 0; k < n; k++) {
        unsigned vertex = prim->v[(k + turn) % n];
        for (unsigned i = 0; i < desc->num_outputs; i++) {
            if (desc->output[i].stream != stream)
                continue;
            unsigned b = desc->output[i].buffer;
            uint8_t *to =
                so->base[b] + so->position[b] + k * desc->stride[b] + desc->output[i].dst_offset;
            for (unsigned c = 0; c < desc->output[i].num_components; c++) {
                unsigned from = so->index[i] * 4 + desc->output[i].start_component + c;
                float value = so->index[i] < 0 ? 0.0f : out[from * CPU_BATCH_VERTICES + vertex];
                if (desc->output[i].half) {
                    const uint16_t half = util_float_to_half(value);
                    memcpy(to + 2 * c, &half, 2);
                } else {
                    memcpy(to + 4 * c, &value, 4);
                }
            }
        }
    }
    for (unsigned b = 0; b < DRV_MAX_SO_BUFFERS; b++)
        if (so->used[stream] >> b & 1)
            so->position[b] += n * desc->stride[b];
    so->emitted[stream]++;
}

void cpu_stream_output_init(struct drv_context_ops *ops)
{
    ops->set_stream_output_targets = set_targets;
    ops->get_stream_output_offsets = get_offsets;
}
