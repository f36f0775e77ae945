/* SPDX-License-Identifier: MIT */
/*
 * GPGPU_WALKER: runs thread groups in order, or on several host threads if the kernel's results
 * don't depend on the order. The threads of a group run one after another, each until its next
 * barrier or its end. i965_abi.h describes the payload.
 * Source: Skylake PRM, volume 7, "GPGPU Thread Payload", "GPGPU_WALKER".
 */
#include <stdlib.h>

#include "model_geometry.h"
#include "model_surface.h"
#include "model_trace.h"
#include "model_worker.h"
#include "util/thread_pool.h"

#define WORK_THREAD      64u /* Work of a thread in addition to its instructions. */
#define MAX_THREADS      64u /* Of a group: 56 on Skylake GT2. */
#define DESCRIPTOR_BYTES 32u
#define MIN_PARALLEL     64u /* Threads for which it is worth waking other host threads. */

bool model_curbe_load(struct model_context *ctx, struct model_parser *p)
{
    struct i965_media_curbe_load load;
    struct model_geometry *g = ctx->geometry;
    uint64_t address;
    if (!model_unpack(ctx, p, &load))
        return false;
    if (load.curbe_total_data_length > MODEL_CURBE_BYTES)
        return model_error(ctx, "CURBE Total Data Length", "%u bytes are too many",
                           load.curbe_total_data_length);
    g->curbe_bytes = load.curbe_total_data_length;
    return model_state_address(ctx, "CURBE Data Start Address", &ctx->state.dynamic,
                               load.curbe_data_start_address, g->curbe_bytes, &address) &&
           model_read_state(ctx, "CURBE Data Start Address", address, g->curbe, g->curbe_bytes);
}

bool model_descriptor_load(struct model_context *ctx, struct model_parser *p)
{
    struct i965_media_interface_descriptor_load load;
    struct model_geometry *g = ctx->geometry;
    const char *field = "Interface Descriptor Data Start Address";
    if (!model_unpack(ctx, p, &load))
        return false;
    unsigned count = load.interface_descriptor_total_length / DESCRIPTOR_BYTES;
    if (count > MODEL_DESCRIPTORS)
        return model_error(ctx, "Interface Descriptor Total Length", "%u descriptors are too many",
                           count);
    g->num_descriptors = count;
    for (unsigned i = 0; i < count; i++) {
        uint64_t address, offset = load.interface_descriptor_data_start_address;
        if (!model_state_address(ctx, field, &ctx->state.dynamic,
                                 offset + i * (uint64_t)DESCRIPTOR_BYTES, DESCRIPTOR_BYTES,
                                 &address) ||
            !model_read_struct(ctx, field, I965_INTERFACE_DESCRIPTOR_DATA, address,
                               &g->descriptor[i]))
            return false;
    }
    return true;
}

/* A walker during its execution. */
struct dispatch {
    struct model_context *ctx;
    const struct i965_interface_descriptor_data *descriptor;
    struct i965_gpgpu_walker walker;
    const struct sim_program *program;
    struct model_kernel kernel;
    unsigned width;             /* Channels of a thread. */
    unsigned threads;           /* Of a group. */
    uint32_t first[3], last[3]; /* Group ids; last is exclusive. */
    size_t shared_size, scratch_size;
    uint8_t *shared, *scratch;
    struct model_env *env; /* An array: one for each thread of a group. */
    struct sim_thread *thread;
};

/* Returns the enabled channels of a thread: fewer at the right and lower border of the group. */
static uint32_t execution_mask(const struct dispatch *d, unsigned thread)
{
    unsigned columns = d->walker.thread_width_counter_maximum + 1u;
    unsigned rows = d->walker.thread_height_counter_maximum + 1u;
    uint32_t mask = BITFIELD_MASK(d->width);
    if (thread % columns == columns - 1)
        mask &= d->walker.right_execution_mask;
    if (thread / columns % rows == rows - 1)
        mask &= d->walker.bottom_execution_mask;
    return mask;
}

static bool start_thread(struct dispatch *d, unsigned i, const uint32_t id[3])
{
    const struct i965_interface_descriptor_data *desc = d->descriptor;
    const struct model_geometry *g = d->ctx->geometry;
    unsigned cross = desc->cross_thread_constant_data_read_length,
             own = desc->constant_urb_entry_read_length;
    uint64_t at = (uint64_t)desc->constant_urb_entry_read_offset + cross + i * (uint64_t)own;
    struct sim_thread *t = &d->thread[i];
    sim_thread_init(t, d->program, &d->env[i].base, execution_mask(d, i));
    uint32_t *r0 = sim_grf(t, 0);
    r0[1] = id[0];
    r0[6] = id[1];
    r0[7] = id[2];
    r0[3] = (uint32_t)desc->sampler_state_pointer;
    r0[4] = (uint32_t)desc->binding_table_pointer;
    r0[5] = (uint32_t)d->ctx->state.vfe_state.scratch_space_base_pointer;
    if (1 + cross + own > 128)
        return model_error(d->ctx, "Constant URB Entry Read Length", "the constants end past r127");
    if ((at + own) * 32 > g->curbe_bytes)
        return model_error(d->ctx, "Constant URB Entry Read Length", "the CURBE has only %u bytes",
                           g->curbe_bytes);
    memcpy(sim_grf(t, 1), g->curbe + desc->constant_urb_entry_read_offset * 32ul, cross * 32ul);
    memcpy(sim_grf(t, 1 + cross), g->curbe + at * 32, own * 32ul);
    d->ctx->counters.cs_invocations += (unsigned)__builtin_popcount(execution_mask(d, i));
    return true;
}

static bool run_group(struct dispatch *d, const uint32_t id[3])
{
    bool waits, ended[MAX_THREADS] = {0};
    memset(d->shared, 0, d->shared_size);
    for (unsigned i = 0; i < d->threads; i++) {
        if (!start_thread(d, i, id))
            return false;
    }
    for (unsigned left = d->threads; left;) {
        unsigned waiting = 0;
        for (unsigned i = 0; i < d->threads; i++) {
            if (ended[i])
                continue;
            if (!model_run_thread(d->ctx, &d->thread[i], "compute shader", &waits))
                return false;
            waiting += waits;
            ended[i] = !waits;
            left -= ended[i];
        }
        if (waiting && waiting != left)
            return model_error(d->ctx, "compute shader", "some threads end before a barrier");
    }
    return true;
}

/* Returns the number of groups; UINT64_MAX if it has more than 64 bits. */
static uint64_t count_groups(const struct dispatch *d)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t size = d->last[i] > d->first[i] ? d->last[i] - d->first[i] : 0;
        if (__builtin_mul_overflow(count, size, &count))
            count = UINT64_MAX;
    }
    return count;
}

/* Runs the groups whose number is `owner` modulo `owners`. Stores the number of the last one. */
static bool run_groups(struct dispatch *d, unsigned owners, unsigned owner, uint64_t *number)
{
    const uint64_t work = d->threads * WORK_THREAD + d->shared_size / 64 * MODEL_WORK_LINE;
    const uint64_t width = d->last[0] - d->first[0], height = d->last[1] - d->first[1];
    for (uint64_t i = owner, count = count_groups(d); i < count; i += owners) {
        const uint32_t id[3] = {d->first[0] + (uint32_t)(i % width),
                                d->first[1] + (uint32_t)(i / width % height),
                                d->first[2] + (uint32_t)(i / width / height)};
        *number = i;
        if (!model_spend(d->ctx, work) || !run_group(d, id))
            return false;
    }
    return true;
}

static void read_groups(struct dispatch *d)
{
    const struct i965_gpgpu_walker *w = &d->walker;
    const uint32_t first[3] = {w->thread_group_id_starting_x, w->thread_group_id_starting_y,
                               w->thread_group_id_starting_resume_z};
    uint32_t last[3] = {w->thread_group_id_x_dimension, w->thread_group_id_y_dimension,
                        w->thread_group_id_z_dimension};
    for (unsigned i = 0; i < 3 && w->indirect_parameter_enable; i++)
        last[i] = model_register_read(d->ctx, model_register_base(d->ctx) +
                                                  MODEL_REG_DISPATCH_DIM_X + 4 * i);
    memcpy(d->first, first, sizeof first);
    memcpy(d->last, last, sizeof last);
}

/* Checks the sizes of shared and scratch memory. */
static bool check_descriptor(struct dispatch *d)
{
    if (d->descriptor->shared_local_memory_size > 7)
        return model_error(d->ctx, "Shared Local Memory Size", "%u is reserved",
                           d->descriptor->shared_local_memory_size);
    if (d->ctx->state.vfe_state.per_thread_scratch_space > 11)
        return model_error(d->ctx, "Per Thread Scratch Space", "%u is reserved",
                           d->ctx->state.vfe_state.per_thread_scratch_space);
    return true;
}

static bool check_walker(struct dispatch *d)
{
    const struct i965_gpgpu_walker *w = &d->walker;
    struct model_context *ctx = d->ctx;
    if (ctx->state.pipeline != I965_PIPELINE_SELECTION_GPGPU)
        return model_error(ctx, "PIPELINE_SELECT", "the GPGPU pipeline is not selected");
    if (w->interface_descriptor_offset >= ctx->geometry->num_descriptors)
        return model_error(ctx, "Interface Descriptor Offset", "%u of %u",
                           w->interface_descriptor_offset, ctx->geometry->num_descriptors);
    d->descriptor = &ctx->geometry->descriptor[w->interface_descriptor_offset];
    if (w->simd_size > I965_SIMD_SIZE_SIMD32)
        return model_error(ctx, "SIMD Size", "%u is reserved", w->simd_size);
    d->width = 8u << w->simd_size;
    d->threads = (w->thread_width_counter_maximum + 1) * (w->thread_height_counter_maximum + 1) *
                 (w->thread_depth_counter_maximum + 1);
    if (d->threads > MAX_THREADS)
        return model_error(ctx, "Thread Width Counter Maximum", "%u threads are too many",
                           d->threads);
    if (d->descriptor->number_of_threads_in_gpgpu_thread_group != d->threads)
        return model_error(ctx, "Number of Threads in GPGPU Thread Group", "%u, but there are %u",
                           d->descriptor->number_of_threads_in_gpgpu_thread_group, d->threads);
    return check_descriptor(d);
}

static bool allocate(struct dispatch *d)
{
    unsigned field = d->descriptor->shared_local_memory_size;
    d->shared_size = field ? (size_t)512 << field : 0;
    d->scratch_size = (size_t)1024 << d->ctx->state.vfe_state.per_thread_scratch_space;
    d->shared = calloc(1, d->shared_size + 64);
    d->scratch = calloc(d->threads, d->scratch_size);
    d->env = calloc(d->threads, sizeof *d->env);
    d->thread = aligned_alloc(64, d->threads * sizeof *d->thread);
    if (!d->shared || !d->scratch || !d->env || !d->thread)
        return model_error(d->ctx, "compute shader", "out of memory");
    for (unsigned i = 0; i < d->threads; i++) {
        if (!model_env_init(&d->env[i], d->ctx, MODEL_CS, d->descriptor->binding_table_pointer,
                            d->descriptor->sampler_state_pointer))
            return false;
        d->env[i].base.scratch = d->scratch + i * d->scratch_size;
        d->env[i].base.scratch_size = d->scratch_size;
        d->env[i].keeps_denormals = d->descriptor->denorm_mode || d->kernel.writes_control;
        d->env[i].shared = d->shared;
        d->env[i].shared_size = d->shared_size;
    }
    return true;
}

static void release(struct dispatch *d)
{
    for (unsigned i = 0; d->env && i < d->threads; i++) {
        if (d->env[i].ctx)
            model_env_finish(&d->env[i]);
    }
    free(d->shared);
    free(d->scratch);
    free(d->env);
    free(d->thread);
}

/* A walker on several host threads. */
struct parallel {
    const struct dispatch *dispatch;
    unsigned count;
    struct model_worker *worker[MODEL_MAX_WORKERS];
};

static void run_worker(void *data, unsigned index)
{
    const struct parallel *p = data;
    struct model_worker *w = p->worker[index];
    struct dispatch d = *p->dispatch;
    model_worker_begin(w, d.ctx);
    d.ctx = &w->ctx;
    w->failed = !allocate(&d) || !run_groups(&d, p->count, index, &w->at);
    release(&d);
}

static bool run_parallel(const struct dispatch *d, unsigned count)
{
    struct parallel p = {d, count, {0}};
    bool done = true;
    for (unsigned i = 0; i < count && done; i++)
        done = (p.worker[i] = malloc(sizeof *p.worker[i])) != NULL;
    if (done) {
        thread_pool_run(run_worker, &p, count);
        done = model_workers_end(d->ctx, p.worker, count);
    } else {
        model_error(d->ctx, "compute shader", "out of memory");
    }
    for (unsigned i = 0; i < count; i++)
        free(p.worker[i]);
    return done;
}

static bool run_walker(struct dispatch *d)
{
    const uint64_t groups = count_groups(d);
    const unsigned workers = (unsigned)MIN2(model_worker_count(d->ctx), groups);
    uint64_t last;
    if (workers > 1 && d->kernel.access != MODEL_ACCESS_ORDERED &&
        groups >= MIN_PARALLEL / d->threads)
        return run_parallel(d, workers);
    bool done = allocate(d) && run_groups(d, 1, 0, &last);
    release(d);
    return done;
}

bool model_walker(struct model_context *ctx, struct model_parser *p)
{
    struct dispatch d = {.ctx = ctx};
    if (!model_unpack(ctx, p, &d.walker))
        return false;
    if (d.walker.predicate_enable && !model_predicate(ctx))
        return true;
    if (!check_walker(&d) || !model_spend(ctx, MODEL_WORK_DRAW))
        return false;
    read_groups(&d);
    model_clears_start(ctx);
    if (model_traces(ctx))
        model_trace_state(ctx);
    d.program =
        model_program(ctx, "Kernel Start Pointer", d.descriptor->kernel_start_pointer, &d.kernel);
    return d.program && run_walker(&d);
}

/* --- Media threads --- */

/* Fills in the payload: r0, constants, inline and indirect data, each from a new register on.
 * Source: Skylake PRM, volume 7, "Media Thread Payload". */
static bool put_media_payload(struct dispatch *d, const struct i965_media_object *o)
{
    const struct i965_interface_descriptor_data *desc = d->descriptor;
    const struct model_geometry *g = d->ctx->geometry;
    struct sim_thread *t = d->thread;
    unsigned constants = desc->constant_urb_entry_read_length;
    unsigned inlined = (o->num_inline_data + 7u) / 8,
             indirect = (o->indirect_data_length + 31) / 32;
    uint32_t *r0 = sim_grf(t, 0);
    uint64_t address;
    if (1 + constants + inlined + indirect > 128)
        return model_error(d->ctx, "Inline Data", "the payload ends past r127");
    if ((desc->constant_urb_entry_read_offset + (uint64_t)constants) * 32 > g->curbe_bytes)
        return model_error(d->ctx, "Constant URB Entry Read Length", "the CURBE has only %u bytes",
                           g->curbe_bytes);
    r0[1] = o->scoreboard_x | o->scoreboard_y << 16;
    r0[3] = (uint32_t)desc->sampler_state_pointer;
    r0[4] = (uint32_t)desc->binding_table_pointer;
    r0[5] = (uint32_t)d->ctx->state.vfe_state.scratch_space_base_pointer;
    memcpy(sim_grf(t, 1), g->curbe + desc->constant_urb_entry_read_offset * 32ul, constants * 32ul);
    memcpy(sim_grf(t, 1 + constants), o->inline_data, o->num_inline_data * 4ul);
    return !indirect ||
           (model_state_address(d->ctx, "Indirect Data Start Address", &d->ctx->state.indirect,
                                o->indirect_data_start_address, o->indirect_data_length,
                                &address) &&
            model_read_state(d->ctx, "Indirect Data Start Address", address,
                             sim_grf(t, 1 + constants + inlined), o->indirect_data_length));
}

static bool run_media_thread(struct dispatch *d, const struct i965_media_object *o)
{
    sim_thread_init(d->thread, d->program, &d->env->base, UINT32_MAX);
    return model_spend(d->ctx, MODEL_WORK_DRAW) && put_media_payload(d, o) &&
           model_run_thread(d->ctx, d->thread, "media kernel", NULL);
}

bool model_media_object(struct model_context *ctx, struct model_parser *p)
{
    struct i965_media_object o;
    struct dispatch d = {.ctx = ctx, .threads = 1};
    if (!model_unpack(ctx, p, &o))
        return false;
    if (ctx->state.pipeline != I965_PIPELINE_SELECTION_MEDIA)
        return model_error(ctx, "PIPELINE_SELECT", "the media pipeline is not selected");
    if (o.interface_descriptor_offset >= ctx->geometry->num_descriptors)
        return model_error(ctx, "Interface Descriptor Offset", "%u of %u",
                           o.interface_descriptor_offset, ctx->geometry->num_descriptors);
    d.descriptor = &ctx->geometry->descriptor[o.interface_descriptor_offset];
    if (!check_descriptor(&d))
        return false;
    model_clears_start(ctx);
    if (model_traces(ctx))
        model_trace_state(ctx);
    d.program =
        model_program(ctx, "Kernel Start Pointer", d.descriptor->kernel_start_pointer, &d.kernel);
    bool done = d.program && allocate(&d) && run_media_thread(&d, &o);
    release(&d);
    return done;
}
