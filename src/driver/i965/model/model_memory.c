/* SPDX-License-Identifier: MIT */
/* Access to the memory of an address space, and error messages. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model_strict.h"
#include "model_trace.h"

#define ADDRESS_MASK ((UINT64_C(1) << 48) - 1)
#define MAX_DWORDS   64 /* Of the structures that model_read_struct() reads. */

bool model_error(struct model_context *ctx, const char *field, const char *format, ...)
{
    char reason[160];
    va_list args;

    if (ctx->error[0])
        return false;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    snprintf(ctx->error, ctx->error_size, "%#" PRIx64 ": %s: %s: %s", ctx->packet_address,
             ctx->packet_name, field, reason);
    return false;
}

uint8_t *model_find(struct model_context *ctx, uint64_t address, uint64_t *bytes)
{
    address &= ADDRESS_MASK;
    struct model_mapping *m = &ctx->mapping[(address >> 16) % MODEL_MAPPINGS];
    if (address < m->start || address >= m->end) {
        uint64_t size = 0;
        uint8_t *found = ctx->memory->find(ctx->memory->vm, address, &size);
        if (!found || !size)
            return NULL;
        *m = (struct model_mapping){address, address + MIN2(size, ADDRESS_MASK + 1 - address),
                                    found};
    }
    *bytes = m->end - address;
    return m->bytes + (address - m->start);
}

uint8_t *model_pointer(struct model_context *ctx, uint64_t address, uint64_t size)
{
    uint64_t bytes;
    uint8_t *found = model_find(ctx, address, &bytes);
    return found && bytes >= size ? found : NULL;
}

bool model_read(struct model_context *ctx, uint64_t address, void *data, size_t size)
{
    uint8_t *to = data;
    while (size) {
        uint64_t bytes;
        const uint8_t *from = model_find(ctx, address, &bytes);
        if (!from)
            return false;
        size_t part = MIN2(size, bytes);
        memcpy(to, from, part);
        to += part;
        size -= part;
        address += part;
    }
    return true;
}

bool model_write(struct model_context *ctx, uint64_t address, const void *data, size_t size)
{
    const uint8_t *from = data;
    while (size) {
        uint64_t bytes;
        uint8_t *to = model_find(ctx, address, &bytes);
        if (!to)
            return false;
        size_t part = MIN2(size, bytes);
        memcpy(to, from, part);
        from += part;
        size -= part;
        address += part;
    }
    return true;
}

bool model_read_state(struct model_context *ctx, const char *field, uint64_t address, void *data,
                      size_t size)
{
    return model_read(ctx, address, data, size) ||
           model_error(ctx, field, "no memory at %#" PRIx64, address & ADDRESS_MASK);
}

bool model_unpack_dwords(struct model_context *ctx, enum i965_layout_id id, const uint32_t *dwords,
                         unsigned count, void *values, struct i965_packet_error *error)
{
    struct i965_packet_error length_error;
    return i965_unpack(ctx->generation, id, dwords, count, values, error) ||
           (!ctx->model->strict &&
            i965_check_length(ctx->generation, id, dwords, count, &length_error));
}

bool model_read_struct(struct model_context *ctx, const char *field, enum i965_layout_id id,
                       uint64_t address, void *values)
{
    uint32_t dwords[MAX_DWORDS];
    struct i965_packet_error error;
    unsigned count = i965_layout_dwords(id, ctx->generation);

    model_reads(ctx, MODEL_CACHE_STATE, address, MIN2(count, MAX_DWORDS) * 4ull);
    if (!model_read_state(ctx, field, address, dwords, MIN2(count, MAX_DWORDS) * 4))
        return false;
    if (model_traces(ctx) && (id == I965_RENDER_SURFACE_STATE || id == I965_SAMPLER_STATE))
        model_trace_struct(ctx, id, dwords, MIN2(count, MAX_DWORDS), "at %#" PRIx64, address);
    return (model_unpack_dwords(ctx, id, dwords, MIN2(count, MAX_DWORDS), values, &error) ||
            model_error(ctx, field, "%#" PRIx64 ": %s", address & ADDRESS_MASK, error.text));
}

bool model_state_address(struct model_context *ctx, const char *field,
                         const struct model_base *base, uint64_t offset, uint64_t size,
                         uint64_t *address)
{
    *address = (base->address + offset) & ADDRESS_MASK;
    if (offset <= base->size && base->size - offset >= size)
        return true;
    return model_error(ctx, field, "offset %#" PRIx64 " is outside the state's %#" PRIx64 " bytes",
                       offset, base->size);
}
