/* SPDX-License-Identifier: MIT */
/*
 * Stream output: writes outputs of primitives to buffers, as whole primitives or not at all.
 * Source: Sandy Bridge PRM, volume 2 part 1, "Stream Output Logic"; Ivy Bridge added buffer
 * offsets.
 */
#include "model_geometry.h"
#include "model_strict.h"

static uint32_t buffer_pitch(const struct i965_3dstate_streamout *so, unsigned buffer)
{
    const uint32_t pitch[] = {so->buffer_0_surface_pitch, so->buffer_1_surface_pitch,
                              so->buffer_2_surface_pitch, so->buffer_3_surface_pitch};
    return pitch[buffer];
}

static unsigned read_offset(const struct i965_3dstate_streamout *so, unsigned stream)
{
    const uint32_t offset[] = {so->stream_0_vertex_read_offset, so->stream_1_vertex_read_offset,
                               so->stream_2_vertex_read_offset, so->stream_3_vertex_read_offset};
    return offset[stream] * 2;
}

bool model_stream_out_start(struct model_draw *draw)
{
    for (unsigned i = 0; i < MODEL_SO_BUFFERS; i++)
        draw->so_offset[i] = model_register_read(draw->ctx, MODEL_REG_SO_WRITE_OFFSET(i));
    return true;
}

bool model_stream_out_finish(struct model_draw *draw)
{
    for (unsigned i = 0; i < MODEL_SO_BUFFERS; i++) {
        const struct i965_3dstate_so_buffer *b = &draw->ctx->state.so_buffer[i];
        if (!model_register_write(draw->ctx, MODEL_REG_SO_WRITE_OFFSET(i), draw->so_offset[i]))
            return false;
        if (b->so_buffer_enable && b->stream_output_buffer_offset_address_enable &&
            !model_write(draw->ctx, b->stream_output_buffer_offset_address, &draw->so_offset[i], 4))
            return model_error(draw->ctx, "Stream Output Buffer Offset Address", "no memory");
    }
    return true;
}

/* Returns whether the buffers of a stream have space for some vertices. */
static bool has_space(const struct model_draw *draw, unsigned stream, unsigned vertices)
{
    const struct model_state *s = &draw->ctx->state;
    uint32_t buffers = s->so_decl_list.stream_to_buffer_selects[stream];
    for (unsigned i = 0; i < MODEL_SO_BUFFERS; i++) {
        const struct i965_3dstate_so_buffer *b = &s->so_buffer[i];
        if (!(buffers >> i & 1))
            continue;
        uint64_t size = (b->surface_size + 1ull) * 4;
        uint64_t end = draw->so_offset[i] + (uint64_t)vertices * buffer_pitch(&s->streamout, i);
        if (!b->so_buffer_enable || end > size)
            return false;
    }
    return true;
}

static bool write_vertex(struct model_draw *draw, unsigned stream, struct model_vue vue)
{
    struct model_context *ctx = draw->ctx;
    const struct i965_3dstate_so_decl_list *list = &ctx->state.so_decl_list;
    uint32_t(*slots)[4] = model_slots(ctx, vue);
    uint32_t at[MODEL_SO_BUFFERS] = {0};
    for (unsigned i = 0; i < list->num_entries[stream]; i++) {
        unsigned index = 4 * i + stream;
        if (index >= list->num_decl)
            return model_error(ctx, "3DSTATE_SO_DECL_LIST Num Entries", "%u of stream %u",
                               list->num_entries[stream], stream);
        const struct i965_so_decl *d = &list->decl[index];
        unsigned buffer = d->output_buffer_slot;
        unsigned slot = read_offset(&ctx->state.streamout, stream) + d->register_index;
        for (unsigned c = 0; c < 4; c++) {
            if (!(d->component_mask >> c & 1))
                continue;
            uint64_t address = ctx->state.so_buffer[buffer].surface_base_address +
                               draw->so_offset[buffer] + at[buffer];
            uint32_t value = slot < draw->last_slots ? slots[slot][c] : 0;
            at[buffer] += 4;
            bool inside = at[buffer] <= buffer_pitch(&ctx->state.streamout, buffer);
            if (!d->hole_flag && inside)
                model_writes(ctx, MODEL_CACHE_STREAM, address, 4);
            if (!d->hole_flag && inside && !model_write(ctx, address, &value, 4))
                return model_error(ctx, "3DSTATE_SO_BUFFER Surface Base Address", "no memory");
        }
    }
    for (unsigned i = 0; i < MODEL_SO_BUFFERS; i++) {
        if (list->stream_to_buffer_selects[stream] >> i & 1)
            draw->so_offset[i] += buffer_pitch(&ctx->state.streamout, i);
    }
    return true;
}

bool model_stream_out(struct model_draw *draw, const struct model_object *object)
{
    struct model_counters *counters = &draw->ctx->counters;
    unsigned stream = draw->has_gs ? draw->stream : 0;
    unsigned step = object->adjacency ? 2 : 1;
    unsigned first = object->adjacency && object->kind == MODEL_LINE ? 1 : 0;
    unsigned count = object->kind == MODEL_POINT ? 1 : object->kind == MODEL_LINE ? 2 : 3;
    bool statistics = draw->ctx->state.streamout.so_statistics_enable;
    if (object->kind == MODEL_LINE)
        step = 1;
    counters->so_prim_storage_needed[stream] += statistics;
    if (!has_space(draw, stream, count))
        return true;
    counters->so_prims_written[stream] += statistics;
    for (unsigned i = 0; i < count; i++) {
        if (!write_vertex(draw, stream, object->v[first + i * step]))
            return false;
    }
    return true;
}
