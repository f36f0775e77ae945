/* SPDX-License-Identifier: MIT */
#include "model_trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "model_pixel.h"

#define SCISSOR_BYTES 8u

static void print(const struct model_context *ctx, enum i965_layout_id id, const uint32_t *dwords,
                  unsigned count, unsigned indent)
{
    i965_print_fields(ctx->generation, id, dwords, count, indent, ctx->model->trace);
}

void model_trace_packet(const struct model_context *ctx, enum i965_layout_id id,
                        const uint32_t *dwords, unsigned count)
{
    flockfile(ctx->model->trace);
    fprintf(ctx->model->trace, "%#" PRIx64 ": %s\n", ctx->packet_address, i965_layout_name(id));
    print(ctx, id, dwords, count, 4);
    fflush(ctx->model->trace);
    funlockfile(ctx->model->trace);
}

void model_trace_struct(const struct model_context *ctx, enum i965_layout_id id,
                        const uint32_t *dwords, unsigned count, const char *format, ...)
{
    va_list args;

    flockfile(ctx->model->trace);
    fprintf(ctx->model->trace, "    ");
    va_start(args, format);
    vfprintf(ctx->model->trace, format, args);
    va_end(args);
    fprintf(ctx->model->trace, ": %s\n", i965_layout_name(id));
    print(ctx, id, dwords, count, 8);
    funlockfile(ctx->model->trace);
}

void model_trace_pixel(const struct model_context *ctx, const char *format, ...)
{
    va_list args;

    fprintf(ctx->model->trace, "    pixel (%d, %d): ", ctx->model->trace_pixel[0],
            ctx->model->trace_pixel[1]);
    va_start(args, format);
    vfprintf(ctx->model->trace, format, args);
    va_end(args);
    fputc('\n', ctx->model->trace);
}

void model_trace_kernel(const struct model_context *ctx, uint64_t address, const uint8_t *bytes,
                        size_t size)
{
    fprintf(ctx->model->trace, "    kernel at %#" PRIx64 ":\n", address);
    eu_disassemble(ctx->device, bytes, size, NULL, 0, ctx->model->trace);
}

/* ------------------------------------------------------------------------------------ state --- */

/* Prints the packet that sets a state to values. */
static void print_values(struct model_context *ctx, enum i965_layout_id id, const void *values)
{
    uint32_t dwords[I965_PACKET_MAX_DWORDS];
    struct i965_packet_error error;
    const unsigned count =
        i965_pack(ctx->generation, id, values, dwords, I965_PACKET_MAX_DWORDS, &error);

    fprintf(ctx->model->trace, "    %s\n", i965_layout_name(id));
    print(ctx, id, dwords, count, 8);
}

static void print_pointed(struct model_context *ctx, enum i965_layout_id id, uint64_t address)
{
    uint32_t dwords[I965_PACKET_MAX_DWORDS];
    const unsigned count = i965_layout_dwords(id, ctx->generation);

    if (!model_read(ctx, address, dwords, count * 4ull))
        fprintf(ctx->model->trace, "    no memory at %#" PRIx64 ": %s\n", address,
                i965_layout_name(id));
    else
        model_trace_struct(ctx, id, dwords, count, "at %#" PRIx64, address);
}

/* Prints the dynamic state. */
static void print_dynamic(struct model_context *ctx)
{
    const struct model_state *s = &ctx->state;
    const uint64_t base = s->dynamic.address;
    const unsigned viewports = MIN2(s->clip.maximum_vp_index + 1, 16);

    for (unsigned i = 0; i < viewports; i++) {
        if (s->sf.viewport_transform_enable)
            print_pointed(ctx, I965_SF_CLIP_VIEWPORT,
                          base + s->viewport_sf_clip.sf_clip_viewport_pointer + i * 64ull);
        if (model_seen(ctx, I965_3DSTATE_VIEWPORT_STATE_POINTERS_CC))
            print_pointed(ctx, I965_CC_VIEWPORT,
                          base + s->viewport_cc.cc_viewport_pointer + i * 8ull);
        if (s->raster.scissor_rectangle_enable)
            print_pointed(ctx, I965_SCISSOR_RECT,
                          base + s->scissor_pointer.scissor_rect_pointer + i * SCISSOR_BYTES);
    }
    if (s->blend_pointer.blend_state_pointer_valid) {
        const uint64_t blend = base + s->blend_pointer.blend_state_pointer;
        print_pointed(ctx, I965_BLEND_STATE, blend);
        print_pointed(ctx, I965_BLEND_STATE_ENTRY, blend + 4);
    }
    if (s->cc_pointer.color_calc_state_pointer_valid)
        print_pointed(ctx, I965_COLOR_CALC_STATE, base + s->cc_pointer.color_calc_state_pointer);
}

static void print_bases(struct model_context *ctx)
{
    const struct model_state *s = &ctx->state;
    const struct {
        const char *name;
        const struct model_base *base;
    } bases[] = {
        {"general state", &s->general},   {"surface state", &s->surface},
        {"dynamic state", &s->dynamic},   {"indirect object", &s->indirect},
        {"instruction", &s->instruction}, {"bindless surface state", &s->bindless_surface},
    };

    for (unsigned i = 0; i < ARRAY_SIZE(bases); i++)
        fprintf(ctx->model->trace, "    %s base: %#" PRIx64 ", %#" PRIx64 " bytes\n", bases[i].name,
                bases[i].base->address, bases[i].base->size);
}

void model_trace_state(struct model_context *ctx)
{
    static const struct {
        enum i965_layout_id id;
        uint32_t offset;
    } packets[] = {
#define PACKET(layout, type, member) {I965_##layout, offsetof(struct model_state, member)},
        MODEL_STATE_PACKETS(PACKET)
#undef PACKET
    };

    flockfile(ctx->model->trace);
    fprintf(ctx->model->trace, "  state of %s at %#" PRIx64 ":\n", ctx->packet_name,
            ctx->packet_address);
    print_bases(ctx);
    for (unsigned i = 0; i < ARRAY_SIZE(packets); i++) {
        if (model_seen(ctx, packets[i].id))
            print_values(ctx, packets[i].id, (const char *)&ctx->state + packets[i].offset);
    }
    for (unsigned i = 0; i < MODEL_VERTEX_BUFFERS; i++) {
        if (ctx->state.vertex_buffer[i].buffer_size)
            print_values(ctx, I965_VERTEX_BUFFER_STATE, &ctx->state.vertex_buffer[i]);
    }
    for (unsigned i = 0; i < MODEL_SO_BUFFERS; i++) {
        if (ctx->state.so_buffer[i].so_buffer_enable)
            print_values(ctx, I965_3DSTATE_SO_BUFFER, &ctx->state.so_buffer[i]);
    }
    print_dynamic(ctx);
    fflush(ctx->model->trace);
    funlockfile(ctx->model->trace);
}
