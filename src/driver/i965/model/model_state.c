/* SPDX-License-Identifier: MIT */
/* Packets that set state: their last occurrence is kept until a 3DPRIMITIVE or GPGPU_WALKER. */
#include "model_command.h"
#include "model_geometry.h"
#include "model_pixel.h"

#define PAGE 4096u
/* A size of 0xfffff pages means the whole range of 32-bit offsets. */
#define ALL_PAGES 0xfffffu

struct place {
    uint32_t offset;
    bool stored;
};

static const struct place places[I965_LAYOUT_COUNT] = {
#define PLACE(layout, type, member) [I965_##layout] = {offsetof(struct model_state, member), true},
    MODEL_STATE_PACKETS(PLACE)
#undef PLACE
};

static void see(struct model_context *ctx, enum i965_layout_id id)
{
    ctx->state.seen[id / 32] |= 1u << id % 32;
}

static bool keep(struct model_context *ctx, struct model_parser *p)
{
    see(ctx, p->id);
    return model_unpack(ctx, p, (char *)&ctx->state + places[p->id].offset);
}

static void set_base(struct model_base *base, bool modify, uint64_t address, bool modify_size,
                     uint32_t pages)
{
    if (modify)
        base->address = address & ((UINT64_C(1) << 48) - 1);
    if (modify_size)
        base->size = (uint64_t)(pages == ALL_PAGES ? pages + 1 : pages) * PAGE;
}

static bool state_base_address(struct model_context *ctx, struct model_parser *p)
{
    struct i965_state_base_address s;
    struct model_state *state = &ctx->state;
    if (!model_unpack(ctx, p, &s))
        return false;
    see(ctx, p->id);
    set_base(&state->general, s.general_state_base_address_modify_enable,
             s.general_state_base_address, s.general_state_buffer_size_modify_enable,
             s.general_state_buffer_size);
    set_base(&state->surface, s.surface_state_base_address_modify_enable,
             s.surface_state_base_address, true, ALL_PAGES);
    set_base(&state->dynamic, s.dynamic_state_base_address_modify_enable,
             s.dynamic_state_base_address, s.dynamic_state_buffer_size_modify_enable,
             s.dynamic_state_buffer_size);
    set_base(&state->indirect, s.indirect_object_base_address_modify_enable,
             s.indirect_object_base_address, s.indirect_object_buffer_size_modify_enable,
             s.indirect_object_buffer_size);
    set_base(&state->instruction, s.instruction_base_address_modify_enable,
             s.instruction_base_address, s.instruction_buffer_size_modify_enable,
             s.instruction_buffer_size);
    set_base(&state->bindless_surface, s.bindless_surface_state_base_address_modify_enable,
             s.bindless_surface_state_base_address,
             s.bindless_surface_state_base_address_modify_enable, s.bindless_surface_state_size);
    return true;
}

static bool pipeline_select(struct model_context *ctx, struct model_parser *p)
{
    struct i965_pipeline_select s;
    if (!model_unpack(ctx, p, &s))
        return false;
    if (s.mask_bits & 3) {
        if (s.pipeline_selection > I965_PIPELINE_SELECTION_GPGPU)
            return model_error(ctx, "Pipeline Selection", "%u is reserved", s.pipeline_selection);
        ctx->state.pipeline = s.pipeline_selection;
    }
    return true;
}

static bool vertex_buffers(struct model_context *ctx, struct model_parser *p)
{
    struct i965_3dstate_vertex_buffers s;
    if (!model_unpack(ctx, p, &s))
        return false;
    for (unsigned i = 0; i < s.num_vertex_buffer_state; i++) {
        struct i965_vertex_buffer_state *b = &s.vertex_buffer_state[i];
        if (b->vertex_buffer_index >= MODEL_VERTEX_BUFFERS)
            return model_error(ctx, "Vertex Buffer Index", "%u is too large",
                               b->vertex_buffer_index);
        struct i965_vertex_buffer_state *to = &ctx->state.vertex_buffer[b->vertex_buffer_index];
        if (!b->address_modify_enable) {
            b->buffer_starting_address = to->buffer_starting_address;
            b->buffer_size = to->buffer_size;
        }
        *to = *b;
    }
    return true;
}

static bool instancing(struct model_context *ctx, struct model_parser *p)
{
    struct i965_3dstate_vf_instancing s;
    if (!model_unpack(ctx, p, &s))
        return false;
    if (s.vertex_element_index >= MODEL_VERTEX_ELEMENTS)
        return model_error(ctx, "Vertex Element Index", "%u is too large", s.vertex_element_index);
    ctx->state.instancing[s.vertex_element_index] = s;
    return true;
}

/* Sets the write offset of a stream output buffer: an immediate, or ~0 for the value in memory. */
static bool so_buffer(struct model_context *ctx, struct model_parser *p)
{
    struct i965_3dstate_so_buffer s;
    if (!model_unpack(ctx, p, &s))
        return false;
    see(ctx, p->id);
    ctx->state.so_buffer[s.so_buffer_index] = s;
    if (!s.stream_offset_write_enable)
        return true;
    uint32_t offset = s.stream_offset;
    if (offset == UINT32_MAX && s.stream_output_buffer_offset_address_enable &&
        !model_read_state(ctx, "Stream Output Buffer Offset Address",
                          s.stream_output_buffer_offset_address, &offset, sizeof offset))
        return false;
    return model_register_write(ctx, MODEL_REG_SO_WRITE_OFFSET(s.so_buffer_index), offset);
}

static bool hz_op(struct model_context *ctx, struct model_parser *p)
{
    if (!keep(ctx, p))
        return false;
    const struct i965_3dstate_wm_hz_op *s = &ctx->state.wm_hz_op;
    bool any = s->stencil_buffer_clear_enable || s->depth_buffer_clear_enable ||
               s->depth_buffer_resolve_enable || s->hierarchical_depth_buffer_resolve_enable;
    return !any || model_hz_op(ctx);
}

model_execute model_state_function(enum i965_layout_id id)
{
    switch (id) {
    case I965_STATE_BASE_ADDRESS:
        return state_base_address;
    case I965_PIPELINE_SELECT:
        return pipeline_select;
    case I965_3DSTATE_VERTEX_BUFFERS:
        return vertex_buffers;
    case I965_3DSTATE_VF_INSTANCING:
        return instancing;
    case I965_3DSTATE_SO_BUFFER:
        return so_buffer;
    case I965_3DSTATE_WM_HZ_OP:
        return hz_op;
    case I965_MEDIA_CURBE_LOAD:
        return model_curbe_load;
    case I965_MEDIA_INTERFACE_DESCRIPTOR_LOAD:
        return model_descriptor_load;
    default:
        return places[id].stored ? keep : NULL;
    }
}
