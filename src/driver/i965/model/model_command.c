/* SPDX-License-Identifier: MIT */
/* The command parser: reads packets from batches and calls the function of each. */
#include <inttypes.h>
#include <string.h>

#include "model_geometry.h"
#include "model_trace.h"

#define IDLE_COMMANDS (1u << 16) /* Between two waits if none jumps: takes no noticeable time. */

bool model_unpack(struct model_context *ctx, struct model_parser *p, void *values)
{
    struct i965_packet_error error;
    if (model_unpack_dwords(ctx, p->id, p->dwords, p->count, values, &error))
        return true;
    /* The message starts with the packet's name, which model_error() adds. */
    const char *text = strchr(error.text, ':');
    return model_error(ctx, "dwords", "%s", text ? text + 2 : error.text);
}

/* Checks a packet that has no effect. */
static bool check_packet(struct model_context *ctx, const struct model_parser *p)
{
    struct i965_packet_error error;
    bool valid = ctx->model->strict
                     ? i965_check_packet(ctx->generation, p->id, p->dwords, p->count, &error)
                     : i965_check_length(ctx->generation, p->id, p->dwords, p->count, &error);
    return valid || model_error(ctx, "dwords", "%s", error.text);
}

static bool start_batch(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_batch_buffer_start start;
    if (!model_unpack(ctx, p, &start))
        return false;
    if (start.predication_enable && !model_predicate(ctx))
        return true;
    bool second =
        start.second_level_batch_buffer == I965_SECOND_LEVEL_BATCH_BUFFER_SECOND_LEVEL_BATCH;
    if (second && !p->second_level) {
        p->return_pc = p->pc;
        p->return_end = p->end;
        p->second_level = true;
    }
    p->pc = start.batch_buffer_start_address & ((UINT64_C(1) << 48) - 1);
    p->end = UINT64_MAX;
    return true;
}

/* Ends the current level. */
static void end_level(struct model_parser *p)
{
    if (!p->second_level) {
        p->done = true;
        return;
    }
    p->second_level = false;
    p->pc = p->return_pc;
    p->end = p->return_end;
}

static bool end_batch(struct model_context *ctx, struct model_parser *p)
{
    end_level(p);
    return true;
}

/* Ends the batch unless the value in memory exceeds the operand. */
static bool conditional_end(struct model_context *ctx, struct model_parser *p)
{
    struct i965_mi_conditional_batch_buffer_end end;
    uint32_t value[2];
    if (!model_unpack(ctx, p, &end) ||
        !model_read_state(ctx, "Compare Address", end.compare_address, value, sizeof value))
        return false;
    if (end.compare_mask_mode)
        value[0] &= value[1];
    if (value[0] <= end.compare_data_dword)
        end_level(p);
    return true;
}

static model_execute packet_function(enum i965_layout_id id)
{
    switch (id) {
    case I965_MI_BATCH_BUFFER_START:
        return start_batch;
    case I965_MI_BATCH_BUFFER_END:
        return end_batch;
    case I965_MI_CONDITIONAL_BATCH_BUFFER_END:
        return conditional_end;
    case I965_3DPRIMITIVE:
        return model_primitive;
    case I965_GPGPU_WALKER:
        return model_walker;
    case I965_MEDIA_OBJECT:
        return model_media_object;
    case I965_XY_COLOR_BLT:
        return model_color_blt;
    case I965_XY_SRC_COPY_BLT:
        return model_copy_blt;
    case I965_XY_FAST_COPY_BLT:
        return model_fast_copy_blt;
    default: {
        model_execute mi = model_mi_function(id);
        return mi ? mi : model_state_function(id);
    }
    }
}

/* Commands of type 0 are for all engines, 2 for the blitter, 3 for render and video. */
static bool engine_has(enum i965_ring ring, uint32_t dword)
{
    unsigned type = dword >> 29;
    return type == 0 || (type == 2 && ring == I965_RING_BLITTER) ||
           (type == 3 && ring != I965_RING_BLITTER);
}

static bool is_video(enum i965_ring ring)
{
    return ring == I965_RING_VIDEO || ring == I965_RING_VIDEO_ENHANCE;
}

/* Stores the packet that starts with a dword. Returns false if there is none. No opcode has bits
 * below 16. */
static bool find_packet(struct model_context *ctx, uint32_t dword, enum i965_layout_id *id)
{
    uint16_t *entry = &ctx->model->packet[dword >> 16];
    uint16_t known = __atomic_load_n(entry, __ATOMIC_RELAXED);
    if (!known) {
        known = i965_find_packet(ctx->generation, dword, id) ? (uint16_t)(*id + 2) : 1;
        __atomic_store_n(entry, known, __ATOMIC_RELAXED);
    }
    if (known == 1)
        return false;
    *id = (enum i965_layout_id)(known - 2);
    return true;
}

/* Allocates what commands of the 3D and media pipelines need. Contexts whose batches have none, of
 * which a program may create thousands, don't have it. */
static bool prepare_pipelines(struct model_context *ctx)
{
    return ctx->pixel || (model_geometry_create(ctx) && model_pixel_create(ctx)) ||
           model_error(ctx, "context", "memory is exhausted");
}

/* Finds the packet and its length. Returns false after model_error(). */
static bool identify(struct model_context *ctx, struct model_parser *p, uint32_t dword, bool *known)
{
    *known = engine_has(ctx->ring, dword) && !(is_video(ctx->ring) && dword >> 29) &&
             find_packet(ctx, dword, &p->id);
    if (*known) {
        p->count = i965_packet_length(p->id, dword);
        ctx->packet_name = i965_layout_name(p->id);
        return true;
    }
    ctx->packet_name = "batch";
    if (!is_video(ctx->ring) || dword >> 29 != 3)
        return model_error(ctx, "command", "%#x is unknown to this engine", dword);
    p->id = I965_LAYOUT_COUNT;
    p->count = (dword & 0xfff) + 2; /* Video commands are accepted and have no effect. */
    return true;
}

/* Packets whose trailing dwords are optional: high dwords of data, operands of atomics. */
static void pad_data(struct model_context *ctx, struct model_parser *p)
{
    static const struct {
        enum i965_layout_id id;
        unsigned shortest;
    } packets[] = {
        {I965_MI_STORE_DATA_IMM, 4}, {I965_MI_FLUSH_DW, 4},         {I965_MI_ATOMIC, 3},
        {I965_PIPE_CONTROL, 4},      {I965_STATE_BASE_ADDRESS, 16},
    };
    unsigned full = i965_layout_dwords(p->id, ctx->generation);
    for (unsigned i = 0; i < ARRAY_SIZE(packets); i++) {
        if (packets[i].id != p->id || p->count < packets[i].shortest || p->count >= full)
            continue;
        memset(p->dwords + p->count, 0, (full - p->count) * sizeof p->dwords[0]);
        p->dwords[0] += full - p->count;
        p->count = full;
    }
}

static bool run_packet(struct model_context *ctx, struct model_parser *p)
{
    bool known;
    ctx->packet_address = p->pc;
    ctx->packet_name = "batch";
    if (p->pc & 3)
        return model_error(ctx, "address", "not a multiple of 4");
    if (!model_read_state(ctx, "address", p->pc, p->dwords, 4) ||
        !identify(ctx, p, p->dwords[0], &known))
        return false;
    if (p->pc > p->end || (p->end - p->pc) / 4 < p->count)
        return model_error(ctx, "DWord Length", "the packet ends past the batch buffer");
    if (p->count > MODEL_MAX_DWORDS && known)
        return model_error(ctx, "DWord Length", "%u dwords are too many", p->count);
    uint32_t first = p->dwords[0];
    if (known && !model_read_state(ctx, "DWord Length", p->pc, p->dwords, (size_t)p->count * 4))
        return false;
    p->dwords[0] = first; /* Another thread may write to the batch. */
    p->pc += (uint64_t)p->count * 4;
    if (known && model_traces(ctx))
        model_trace_packet(ctx, p->id, p->dwords, p->count);
    if (!known)
        return true;
    pad_data(ctx, p);
    model_execute function = packet_function(p->id);
    if (p->skip && p->id != I965_MI_SET_PREDICATE && p->id != I965_MI_BATCH_BUFFER_END)
        return true;
    if (first >> 29 == 3 && !prepare_pipelines(ctx))
        return false;
    return function ? function(ctx, p) : check_packet(ctx, p);
}

/* Commands that change neither memory nor registers, at least not if they jump. */
static bool is_idle(enum i965_layout_id id)
{
    switch (id) {
    case I965_MI_NOOP:
    case I965_MI_ARB_CHECK:
    case I965_MI_ARB_ON_OFF:
    case I965_MI_USER_INTERRUPT:
    case I965_MI_BATCH_BUFFER_START:
    case I965_MI_CONDITIONAL_BATCH_BUFFER_END:
        return true;
    default:
        return false;
    }
}

bool model_wait(struct model_context *ctx, bool can_preempt)
{
    return ctx->memory->wait(ctx->memory->vm, ctx->waits++, can_preempt) ||
           model_error(ctx, "batch", "it makes no progress");
}

/* Counts the command that was executed. Waits if the batch only polls. The first jump may be one to
 * the next part of a batch. */
static bool count_command(struct model_context *ctx, const struct model_parser *p)
{
    if (!ctx->memory->wait || !is_idle(p->id)) {
        ctx->idle_commands = ctx->idle_jumps = ctx->waits = 0;
        ctx->can_preempt = false;
        return ctx->commands_left-- || model_error(ctx, "batch", "it executes too many commands");
    }
    ctx->can_preempt |= p->id == I965_MI_ARB_CHECK;
    bool waits = ++ctx->idle_commands % IDLE_COMMANDS == 0;
    if (p->id == I965_MI_BATCH_BUFFER_START)
        waits |= ++ctx->idle_jumps > 1;
    return !waits || model_wait(ctx, ctx->can_preempt);
}

bool model_run_batch(struct model_context *ctx, uint64_t address, uint64_t bytes)
{
    struct model_parser p = {
        .pc = address & ((UINT64_C(1) << 48) - 1),
        .end = UINT64_MAX,
    };
    if (bytes)
        p.end = p.pc + bytes;
    while (!p.done) {
        if (!run_packet(ctx, &p) || !count_command(ctx, &p))
            return false;
    }
    return true;
}
