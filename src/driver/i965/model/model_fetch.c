/* SPDX-License-Identifier: MIT */
/*
 * Vertex fetch: reads the elements of a vertex from vertex buffers and converts them.
 * Source: Sandy Bridge PRM, volume 2 part 1, "Vertex Fetch (VF) Stage"; formats: "Surface Formats".
 */
#include <math.h>

#include "model_geometry.h"
#include "model_strict.h"
#include "util/half.h"

enum kind {
    NONE,
    FLOAT,       /* 16, 32 or 64 bits. */
    SMALL_FLOAT, /* Unsigned floats of 10 and 11 bits. */
    UNORM,
    SNORM,
    UINT,
    SINT,
    USCALED,
    SSCALED,
    FIXED, /* 16.16 */
    RAW,   /* Dwords. */
};

struct format {
    uint8_t kind;
    uint8_t bits[4];
    bool bgra; /* Red and blue are exchanged. */
};

#define FORMAT(name) [I965_SURFACE_FORMAT_##name]
#define ALL(prefix, ...)                                                                           \
    FORMAT(prefix##_UNORM) = {UNORM, __VA_ARGS__}, FORMAT(prefix##_SNORM) = {SNORM, __VA_ARGS__},  \
    FORMAT(prefix##_UINT) = {UINT, __VA_ARGS__}, FORMAT(prefix##_SINT) = {SINT, __VA_ARGS__},      \
    FORMAT(prefix##_USCALED) = {USCALED, __VA_ARGS__},                                             \
    FORMAT(prefix##_SSCALED) = {SSCALED, __VA_ARGS__}
#define ALL_FLOAT(prefix, ...)                                                                     \
    ALL(prefix, __VA_ARGS__), FORMAT(prefix##_FLOAT) = {FLOAT, __VA_ARGS__}
#define ALL_32(prefix, ...)                                                                        \
    ALL_FLOAT(prefix, __VA_ARGS__), FORMAT(prefix##_SFIXED) = {FIXED, __VA_ARGS__}

static const struct format formats[512] = {
    ALL_32(R32G32B32A32, {32, 32, 32, 32}),
    ALL_32(R32G32B32, {32, 32, 32}),
    ALL_32(R32G32, {32, 32}),
    ALL_32(R32, {32}),
    ALL_FLOAT(R16G16B16A16, {16, 16, 16, 16}),
    ALL_FLOAT(R16G16B16, {16, 16, 16}),
    ALL_FLOAT(R16G16, {16, 16}),
    ALL_FLOAT(R16, {16}),
    ALL(R8G8B8A8, {8, 8, 8, 8}),
    ALL(R8G8B8, {8, 8, 8}),
    ALL(R8G8, {8, 8}),
    ALL(R8, {8}),
    ALL(R10G10B10A2, {10, 10, 10, 2}),
    ALL(B10G10R10A2, {10, 10, 10, 2}, true),
    FORMAT(B8G8R8A8_UNORM) = {UNORM, {8, 8, 8, 8}, true},
    FORMAT(R11G11B10_FLOAT) = {SMALL_FLOAT, {11, 11, 10}},
    FORMAT(R64_FLOAT) = {FLOAT, {64}},
    FORMAT(R64G64_FLOAT) = {FLOAT, {64, 64}},
    FORMAT(R64G64B64_FLOAT) = {FLOAT, {64, 64, 64}},
    FORMAT(R64G64B64A64_FLOAT) = {FLOAT, {64, 64, 64, 64}},
    FORMAT(R64_PASSTHRU) = {RAW, {32, 32}},
    FORMAT(R64G64_PASSTHRU) = {RAW, {32, 32, 32, 32}},
};

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* Returns an unsigned float with 5 exponent bits as the bits of a half float. */
static float small_float(uint32_t bits, unsigned width)
{
    return util_half_to_float((uint16_t)(bits << (15 - width)));
}

static uint32_t convert(enum kind kind, uint64_t bits, unsigned width)
{
    uint64_t ones = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    int64_t number = (int64_t)(bits << (64 - width)) >> (64 - width);
    switch (kind) {
    case FLOAT:
        if (width == 64) {
            double d;
            memcpy(&d, &bits, sizeof d);
            return float_bits((float)d);
        }
        return width == 16 ? float_bits(util_half_to_float((uint16_t)bits)) : (uint32_t)bits;
    case SMALL_FLOAT:
        return float_bits(small_float((uint32_t)bits, width));
    case UNORM:
        return float_bits((float)((double)bits / (double)ones));
    case SNORM:
        return float_bits((float)fmax((double)number / (double)(ones >> 1), -1.0));
    case SINT:
        return (uint32_t)number;
    case USCALED:
        return float_bits((float)bits);
    case SSCALED:
        return float_bits((float)number);
    case FIXED:
        return float_bits((float)((double)number / 65536.0));
    default:
        return (uint32_t)bits;
    }
}

static unsigned format_bytes(const struct format *f)
{
    return (f->bits[0] + f->bits[1] + f->bits[2] + f->bits[3] + 7u) / 8;
}

/* Reads width bits that start at a bit of memory. */
static uint64_t read_bits(const uint8_t *bytes, unsigned start, unsigned width)
{
    uint64_t value = 0;
    unsigned shift = start % 8, size = (shift + width + 7) / 8;
    if (!shift) {
        memcpy(&value, bytes + start / 8, size);
    } else {
        memcpy(&value, bytes + start / 8, MIN2(size, 8));
        value >>= shift;
    }
    return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

/* Converts memory to four components; those that the format lacks become (0, 0, 0, 1). */
static void decode(const struct format *f, const uint8_t *bytes, uint32_t out[4])
{
    bool integer = f->kind == UINT || f->kind == SINT || f->kind == RAW;
    unsigned start = 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned to = f->bgra && c < 3 ? 2 - c : c;
        if (!f->bits[c]) {
            out[to] = c < 3 ? 0 : integer ? 1 : float_bits(1);
            continue;
        }
        out[to] = convert((enum kind)f->kind, read_bits(bytes, start, f->bits[c]), f->bits[c]);
        start += f->bits[c];
    }
}

bool model_fetch_check(struct model_draw *draw, unsigned *dwords)
{
    struct model_context *ctx = draw->ctx;
    const struct i965_3dstate_vertex_elements *e = &ctx->state.vertex_elements;
    const struct i965_3dstate_vf *vf = &ctx->state.vf;
    *dwords = 0;
    for (unsigned i = 0; i < e->num_element; i++) {
        const struct i965_vertex_element_state *s = &e->element[i];
        if (!s->valid)
            return model_error(ctx, "Element", "element %u is not valid", i);
        const uint32_t control[4] = {s->component_0_control, s->component_1_control,
                                     s->component_2_control, s->component_3_control};
        bool source = s->edge_flag_enable;
        for (unsigned c = 0; c < 4; c++) {
            source |= control[c] == I965_VERTEX_COMPONENT_CONTROL_STORE_SRC;
            if (control[c] > I965_VERTEX_COMPONENT_CONTROL_STORE_1_INT &&
                control[c] != I965_VERTEX_COMPONENT_CONTROL_STORE_PID)
                return model_error(ctx, "Component Control", "element %u: %u is not supported", i,
                                   control[c]);
        }
        if (source && !formats[s->source_element_format & 511].kind)
            return model_error(ctx, "Source Element Format", "element %u: %u is not supported", i,
                               s->source_element_format);
        if (source && s->vertex_buffer_index >= MODEL_VERTEX_BUFFERS)
            return model_error(ctx, "Vertex Buffer Index", "element %u: %u is too large", i,
                               s->vertex_buffer_index);
        unsigned enables = vf->component_packing_enable && i < 32
                               ? ctx->state.vf_packing.vertex_element_enables[i]
                               : 15;
        *dwords += (unsigned)__builtin_popcount(enables);
    }
    return true;
}

/* Reads the source of an element; out of bounds it is 0. */
static bool fetch_source(struct model_draw *draw, unsigned element, uint32_t index, uint32_t out[4])
{
    struct model_context *ctx = draw->ctx;
    const struct i965_vertex_element_state *e = &ctx->state.vertex_elements.element[element];
    const struct i965_vertex_buffer_state *b = &ctx->state.vertex_buffer[e->vertex_buffer_index];
    const struct i965_3dstate_vf_instancing *n = &ctx->state.instancing[element];
    const struct format *f = &formats[e->source_element_format];
    unsigned size = format_bytes(f);
    uint8_t bytes[40] = {0};

    if (n->instancing_enable)
        index = draw->start_instance +
                (n->instance_data_step_rate ? draw->instance / n->instance_data_step_rate : 0);
    else
        index += draw->indexed ? (uint32_t)draw->base_vertex : draw->start_vertex;
    uint64_t offset = (uint64_t)b->buffer_pitch * index + e->source_element_offset;
    bool inside = offset <= b->buffer_size && b->buffer_size - offset >= size;
    if (inside && !b->null_vertex_buffer)
        model_reads(ctx, MODEL_CACHE_VERTEX, b->buffer_starting_address + offset, size);
    if (inside && !b->null_vertex_buffer &&
        !model_read_state(ctx, "Buffer Starting Address", b->buffer_starting_address + offset,
                          bytes, size))
        return false;
    decode(f, bytes, out);
    if (!inside)
        memset(out, 0, 16);
    return true;
}

/* Replaces components by the vertex and instance ids. */
static void system_values(const struct model_draw *draw, unsigned element, uint32_t index,
                          uint32_t out[4])
{
    const struct i965_3dstate_vf_sgvs *s = &draw->ctx->state.vf_sgvs;
    if (s->vertexid_enable && s->vertexid_element_offset == element)
        out[s->vertexid_component_number & 3] = index;
    if (s->instanceid_enable && s->instanceid_element_offset == element)
        out[s->instanceid_component_number & 3] = draw->instance;
}

bool model_fetch_vertex(struct model_draw *draw, uint32_t index, uint32_t primitive_id,
                        uint32_t *out, bool *edge)
{
    const struct model_state *state = &draw->ctx->state;
    *edge = true;
    for (unsigned i = 0; i < state->vertex_elements.num_element; i++) {
        const struct i965_vertex_element_state *e = &state->vertex_elements.element[i];
        const uint32_t control[4] = {e->component_0_control, e->component_1_control,
                                     e->component_2_control, e->component_3_control};
        uint32_t source[4] = {0}, value[4];
        bool fetch = e->edge_flag_enable;
        for (unsigned c = 0; c < 4; c++)
            fetch |= control[c] == I965_VERTEX_COMPONENT_CONTROL_STORE_SRC;
        if (fetch && !fetch_source(draw, i, index, source))
            return false;
        if (e->edge_flag_enable)
            *edge = source[0] != 0;
        for (unsigned c = 0; c < 4; c++) {
            value[c] = control[c] == I965_VERTEX_COMPONENT_CONTROL_STORE_SRC     ? source[c]
                       : control[c] == I965_VERTEX_COMPONENT_CONTROL_STORE_1_FP  ? float_bits(1)
                       : control[c] == I965_VERTEX_COMPONENT_CONTROL_STORE_1_INT ? 1
                       : control[c] == I965_VERTEX_COMPONENT_CONTROL_STORE_PID   ? primitive_id
                                                                                 : 0;
        }
        system_values(draw, i, index, value);
        unsigned enables = state->vf.component_packing_enable && i < 32
                               ? state->vf_packing.vertex_element_enables[i]
                               : 15;
        for (unsigned c = 0; c < 4; c++) {
            if (enables >> c & 1)
                *out++ = value[c];
        }
    }
    return true;
}
