/* SPDX-License-Identifier: MIT */
/* Kernels and threads: decoded programs, push constants, execution with limits. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model_geometry.h"
#include "model_strict.h"
#include "model_trace.h"
#include "util/float_env.h"

#define MAX_KERNEL_BYTES (1u << 20)
#define BUCKETS          256u
#define MAX_PROGRAMS     4096u
/* Bytes of all decoded kernels of a context. Decoded, they take up to 60 times as much. */
#define MAX_PROGRAM_BYTES (16u << 20)
#define CS_DEBUG_MODE2    0x20d8u
/* Of CS_DEBUG_MODE2: constant buffer 0 has an absolute address, too. */
#define CONSTANT_ADDRESS_OFFSET_DISABLE (1u << 4)

/* A decoded kernel and the bytes that it was decoded from. */
struct program {
    struct program *next;
    uint64_t address;
    size_t size;
    uint8_t *bytes;
    struct sim_program *code;
    struct model_kernel kernel;
};

struct model_programs {
    unsigned count;
    size_t bytes; /* Of the kernels, including stale ones. */
    struct program *bucket[BUCKETS];
    struct program *stale; /* Replaced during this execution; may still be in use. */
};

bool model_programs_create(struct model_context *ctx)
{
    ctx->programs = calloc(1, sizeof *ctx->programs);
    return ctx->programs != NULL;
}

static void free_list(struct model_programs *programs, struct program **list)
{
    while (*list) {
        struct program *p = *list;
        *list = p->next;
        programs->bytes -= p->size;
        sim_program_destroy(p->code);
        free(p->bytes);
        free(p);
    }
}

void model_programs_trim(struct model_context *ctx)
{
    struct model_programs *programs = ctx->programs;
    free_list(programs, &programs->stale);
    if (programs->count < MAX_PROGRAMS && programs->bytes < MAX_PROGRAM_BYTES / 2)
        return;
    for (unsigned i = 0; i < BUCKETS; i++)
        free_list(programs, &programs->bucket[i]);
    programs->count = 0;
}

void model_programs_destroy(struct model_context *ctx)
{
    if (!ctx->programs)
        return;
    ctx->programs->count = MAX_PROGRAMS;
    model_programs_trim(ctx);
    free(ctx->programs);
}

static bool is_branch(enum eu_opcode op)
{
    return op >= EU_OPCODE_JMPI && op <= EU_OPCODE_RET;
}

/* Returns how an atomic operation accesses memory. op: enum sim_atomic, or enum
 * sim_float_atomic. */
static enum model_access atomic_access(unsigned op, bool floats, bool returns)
{
    const uint32_t ordered =
        floats ? 1u << SIM_ATOMIC_FCMPWR
               : 1u << SIM_ATOMIC_MOV | 1u << SIM_ATOMIC_REVSUB | 1u << SIM_ATOMIC_CMPWR;

    return returns || ordered >> op & 1 ? MODEL_ACCESS_ORDERED : MODEL_ACCESS_WRITE;
}

/* Returns how a message accesses memory (Skylake PRM, volume 7, "Data Port Messages"). */
static enum model_access message_access(const struct eu_inst *inst)
{
    const unsigned type = inst->desc >> 14 & 31, op = inst->desc >> 8 & 15;
    const bool returns = inst->desc >> 13 & 1;

    if (inst->desc_indirect || inst->ex_desc_indirect) {
        /* Only the binding table index of constants and textures is computed. */
        const bool reads = inst->sfid == EU_SFID_SAMPLER || inst->sfid == EU_SFID_URB ||
                           inst->sfid == EU_SFID_RENDER_CACHE ||
                           inst->sfid == EU_SFID_DATA_CONSTANT_CACHE;
        return reads && !inst->ex_desc_indirect ? MODEL_ACCESS_READ : MODEL_ACCESS_ORDERED;
    }
    if (inst->sfid == EU_SFID_DATA_CACHE0)
        return type < 16 && type & 8 ? MODEL_ACCESS_WRITE : MODEL_ACCESS_READ;
    if (inst->sfid != EU_SFID_DATA_CACHE1)
        return MODEL_ACCESS_READ;
    switch (type) {
    case 2:  /* Untyped atomic operation. */
    case 6:  /* Typed atomic operation. */
    case 18: /* Untyped atomic operation with 64-bit addresses. */
        return atomic_access(op, false, returns);
    case 27: /* Untyped float atomic operation. */
    case 29: /* The same with 64-bit addresses. */
        return atomic_access(op, true, returns);
    case 1:
    case 4:
    case 5:
    case 16: /* Messages with 64-bit addresses. */
    case 17:
    case 20:
        return MODEL_ACCESS_READ;
    default:
        return MODEL_ACCESS_WRITE;
    }
}

/* Copies a kernel up to its last instruction: an end of thread that no earlier branch passes. */
static bool copy_kernel(struct model_context *ctx, const char *field, uint64_t address,
                        struct program *p)
{
    size_t capacity = 4096;
    int64_t last = 0; /* Offset of the furthest branch target. */
    p->bytes = malloc(capacity);
    for (p->size = 0; p->bytes && p->size < MAX_KERNEL_BYTES;) {
        struct eu_inst inst;
        char error[128];
        if (p->size + 16 > capacity) {
            uint8_t *more = realloc(p->bytes, capacity *= 2);
            if (!more)
                break;
            p->bytes = more;
        }
        size_t length = 8;
        if (!model_read_state(ctx, field, address + p->size, p->bytes + p->size, 8))
            return false;
        if (!(p->bytes[p->size + 3] & 0x20)) { /* Not compacted. */
            length = 16;
            if (!model_read_state(ctx, field, address + p->size + 8, p->bytes + p->size + 8, 8))
                return false;
        }
        if (eu_decode(ctx->device, p->bytes, p->size + length, p->size, &inst, error,
                      sizeof error) != length)
            return model_error(ctx, field, "kernel %#" PRIx64 ": %s", address, error);
        if (is_branch(inst.opcode)) {
            last = MAX2(last, (int64_t)p->size + inst.jip);
            last = MAX2(last, (int64_t)p->size + inst.uip);
        }
        p->size += length;
        if (inst.opcode >= EU_OPCODE_SEND && inst.opcode <= EU_OPCODE_SENDSC)
            p->kernel.access = MAX2(p->kernel.access, message_access(&inst));
        if (inst.dst.file == EU_FILE_ARF && (inst.dst.nr & 0xf0) == EU_ARF_CONTROL)
            p->kernel.writes_control = true;
        if (inst.eot && last < (int64_t)p->size)
            return true;
    }
    return model_error(ctx, field, "kernel %#" PRIx64 " has no end", address);
}

/* Returns whether memory still has the bytes of a program. */
static bool is_current(struct model_context *ctx, const struct program *p)
{
    const uint8_t *bytes = model_pointer(ctx, p->address, p->size);
    return bytes && model_spend(ctx, p->size / 64 * MODEL_WORK_LINE) &&
           !memcmp(bytes, p->bytes, p->size);
}

/* Returns whether the context may decode another kernel. */
static bool check_program(struct model_context *ctx, const char *field, size_t size)
{
    if (ctx->programs->bytes + size > MAX_PROGRAM_BYTES)
        return model_error(ctx, field, "the kernels of the batch take more than %u bytes",
                           MAX_PROGRAM_BYTES);
    return model_spend(ctx, size);
}

static struct program *decode(struct model_context *ctx, const char *field, uint64_t address)
{
    char error[128] = "out of memory";
    struct program *p = calloc(1, sizeof *p);
    if (p && copy_kernel(ctx, field, address, p) && check_program(ctx, field, p->size)) {
        p->address = address;
        if (model_traces(ctx))
            model_trace_kernel(ctx, address, p->bytes, p->size);
        p->code = sim_program_create(ctx->device, p->bytes, p->size, error, sizeof error);
        if (p->code)
            return p;
    }
    model_error(ctx, field, "kernel %#" PRIx64 ": %s", address, error);
    if (p)
        free(p->bytes);
    free(p);
    return NULL;
}

/* Returns the kernel at an address, decoded if memory still has its bytes, or NULL after
 * model_error(). */
static const struct program *find_program(struct model_context *ctx, const char *field,
                                          uint64_t offset)
{
    struct model_programs *programs = ctx->programs;
    uint64_t address;
    if (!model_state_address(ctx, field, &ctx->state.instruction, offset, 16, &address))
        return NULL;
    struct program **at = &programs->bucket[(address >> 6) % BUCKETS];
    for (; *at; at = &(*at)->next) {
        struct program *p = *at;
        if (p->address != address)
            continue;
        if (is_current(ctx, p))
            return p;
        *at = p->next;
        p->next = programs->stale;
        programs->stale = p;
        programs->count--;
        break;
    }
    struct program *p = decode(ctx, field, address);
    if (!p)
        return NULL;
    p->next = programs->bucket[(address >> 6) % BUCKETS];
    programs->bucket[(address >> 6) % BUCKETS] = p;
    programs->count++;
    programs->bytes += p->size;
    return p;
}

const struct sim_program *model_program(struct model_context *ctx, const char *field,
                                        uint64_t offset, struct model_kernel *kernel)
{
    const struct program *p = find_program(ctx, field, offset);

    if (p)
        model_reads(ctx, MODEL_CACHE_INSTRUCTION, p->address, p->size);
    if (p && kernel)
        *kernel = p->kernel;
    return p ? p->code : NULL;
}

bool model_run_thread(struct model_context *ctx, struct sim_thread *t, const char *stage,
                      bool *barrier)
{
    const bool keeps = ((const struct model_env *)t->env)->keeps_denormals;
    uint64_t before = t->steps, slow = t->slow_steps;
    t->max_steps = before + MIN2(ctx->instructions_left, SIM_MAX_INSTRUCTIONS);
    const float_env env = keeps ? float_env_enter() : float_env_enter_flush();
    enum sim_status status = sim_thread_run(t);
    float_env_leave_flush(env);
    const uint64_t work = (before ? 0 : MODEL_WORK_THREAD) + (t->steps - before) +
                          (t->slow_steps - slow) * MODEL_WORK_SLOW;
    ctx->instructions_left -= MIN2(ctx->instructions_left, work);
    if (barrier)
        *barrier = status == SIM_BARRIER;
    if (status == SIM_DONE || (status == SIM_BARRIER && barrier))
        return true;
    return model_error(ctx, stage, "%s",
                       status == SIM_BARRIER ? "a barrier without a group" : t->error);
}

/* Returns the packet with a stage's push constants. */
static const struct i965_3dstate_constant_body *constant_body(const struct model_state *s,
                                                              enum model_stage stage)
{
    switch (stage) {
    case MODEL_VS:
        return &s->constant_vs.constant_body;
    case MODEL_HS:
        return &s->constant_hs.constant_body;
    case MODEL_DS:
        return &s->constant_ds.constant_body;
    case MODEL_GS:
        return &s->constant_gs.constant_body;
    default:
        return &s->constant_ps.constant_body;
    }
}

bool model_constants_read(struct model_context *ctx, enum model_stage stage,
                          struct model_constants *constants)
{
    const struct i965_3dstate_constant_body *body = constant_body(&ctx->state, stage);
    bool absolute = model_register_read(ctx, CS_DEBUG_MODE2) & CONSTANT_ADDRESS_OFFSET_DISABLE;
    constants->registers = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned n = body->read_length[i];
        uint64_t address = body->buffer[i];
        if (!n)
            continue;
        if (n > ARRAY_SIZE(constants->data) - constants->registers)
            return model_error(ctx, "Constant Body Read Length", "more than %zu registers",
                               ARRAY_SIZE(constants->data));
        if (i == 0 && !absolute &&
            !model_state_address(ctx, "Constant Body Buffer", &ctx->state.dynamic, address,
                                 n * 32ull, &address))
            return false;
        model_reads(ctx, MODEL_CACHE_CONSTANT, address, n * 32ull);
        if (!model_read_state(ctx, "Constant Body Buffer", address,
                              constants->data[constants->registers], n * 32ull))
            return false;
        constants->registers += n;
    }
    return true;
}

bool model_push_constants(struct model_context *ctx, const struct model_constants *constants,
                          struct sim_thread *t, unsigned reg, unsigned *next)
{
    if (reg + constants->registers > 128)
        return model_error(ctx, "Dispatch GRF Start Register For URB Data",
                           "the push constants end past r127");
    memcpy(sim_grf(t, reg), constants->data, constants->registers * 32ull);
    *next = reg + constants->registers;
    return true;
}
