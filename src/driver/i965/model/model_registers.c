/* SPDX-License-Identifier: MIT */
/*
 * The register file: pipeline statistics and the time, which the hardware counts, and any other
 * register as a plain 32-bit variable. Source: Skylake PRM, volume 2c.
 */
#include <stdlib.h>

#include "model_command.h"

#define FIRST_SLOTS    32u /* A power of two. */
#define MAX_USED       1024u
#define TICKS          100u /* Time between two readings. */
#define CS_DEBUG_MODE2 0x20d8u
#define TIMESTAMP      0x358u
#define TIMESTAMP_HI   0x35cu

struct slot {
    uint32_t offset; /* Plus 1; 0: unused. */
    uint32_t value;
};

/* A hash table, at most half full. */
struct model_registers {
    unsigned used;
    unsigned slots; /* 0 or a power of two. */
    struct slot *slot;
};

bool model_registers_create(struct model_context *ctx)
{
    ctx->registers = calloc(1, sizeof *ctx->registers);
    return ctx->registers != NULL;
}

void model_registers_destroy(struct model_context *ctx)
{
    if (ctx->registers)
        free(ctx->registers->slot);
    free(ctx->registers);
}

uint32_t model_register_base(const struct model_context *ctx)
{
    static const uint32_t base[] = {
        [I965_RING_RENDER] = 0x2000,
        [I965_RING_BLITTER] = 0x22000,
        [I965_RING_VIDEO] = 0x12000,
        [I965_RING_VIDEO_ENHANCE] = 0x1a000,
    };
    return base[ctx->ring];
}

uint64_t model_timestamp(struct model_context *ctx)
{
    uint64_t now = __atomic_add_fetch(&ctx->model->ticks, TICKS, __ATOMIC_RELAXED);
    return now & ((UINT64_C(1) << 36) - 1);
}

/* Returns the counter that a register is half of, and stores which half. */
static uint64_t *find_counter(struct model_context *ctx, uint32_t offset, unsigned *shift)
{
    struct model_counters *c = &ctx->counters;
    struct {
        uint32_t offset;
        uint64_t *counter;
    } const counters[] = {
        {0x2290, &c->cs_invocations}, {0x2300, &c->hs_invocations}, {0x2308, &c->ds_invocations},
        {0x2310, &c->ia_vertices},    {0x2318, &c->ia_primitives},  {0x2320, &c->vs_invocations},
        {0x2328, &c->gs_invocations}, {0x2330, &c->gs_primitives},  {0x2338, &c->cl_invocations},
        {0x2340, &c->cl_primitives},  {0x2348, &c->ps_invocations}, {0x2350, &c->ps_depth},
    };
    *shift = offset & 4 ? 32 : 0;
    if (offset >= 0x5200 && offset < 0x5220)
        return &c->so_prims_written[(offset - 0x5200) / 8];
    if (offset >= 0x5240 && offset < 0x5260)
        return &c->so_prim_storage_needed[(offset - 0x5240) / 8];
    for (unsigned i = 0; i < ARRAY_SIZE(counters); i++) {
        if (counters[i].offset == (offset & ~4u))
            return counters[i].counter;
    }
    return NULL;
}

/* Returns the register's slot, or the one to put it in. The table must have slots. */
static struct slot *find_slot(const struct model_registers *r, uint32_t offset)
{
    unsigned i = (offset / 4 * 2654435761u) >> 16 & (r->slots - 1);
    while (r->slot[i].offset && r->slot[i].offset != offset + 1)
        i = (i + 1) & (r->slots - 1);
    return &r->slot[i];
}

/* Doubles the number of slots. Returns false if memory is exhausted. */
static bool grow(struct model_registers *r)
{
    struct model_registers new = {r->used, r->slots ? r->slots * 2 : FIRST_SLOTS, NULL};

    new.slot = calloc(new.slots, sizeof *new.slot);
    if (!new.slot)
        return false;
    for (unsigned i = 0; i < r->slots; i++) {
        if (r->slot[i].offset)
            *find_slot(&new, r->slot[i].offset - 1) = r->slot[i];
    }
    free(r->slot);
    *r = new;
    return true;
}

uint32_t model_register_read(struct model_context *ctx, uint32_t offset)
{
    unsigned shift;
    const uint64_t *counter = find_counter(ctx, offset, &shift);
    if (counter)
        return (uint32_t)(*counter >> shift);
    if (offset == model_register_base(ctx) + TIMESTAMP)
        return (uint32_t)model_timestamp(ctx);
    if (offset == model_register_base(ctx) + TIMESTAMP_HI)
        return (uint32_t)(model_timestamp(ctx) >> 32);
    if (!ctx->registers->slots)
        return 0;
    const struct slot *s = find_slot(ctx->registers, offset);
    return s->offset ? s->value : 0;
}

uint64_t model_register_read64(struct model_context *ctx, uint32_t offset)
{
    uint64_t low = model_register_read(ctx, offset);
    return low | (uint64_t)model_register_read(ctx, offset + 4) << 32;
}

bool model_register_write(struct model_context *ctx, uint32_t offset, uint32_t value)
{
    unsigned shift;
    uint64_t *counter = find_counter(ctx, offset, &shift);
    if (counter) {
        *counter = (*counter & ~(UINT64_C(0xffffffff) << shift)) | (uint64_t)value << shift;
        return true;
    }
    struct model_registers *r = ctx->registers;
    if (r->used * 2 >= r->slots && r->used < MAX_USED && !grow(r))
        return model_error(ctx, "Register Address", "memory is exhausted");
    struct slot *s = find_slot(r, offset);
    if (!s->offset && r->used == MAX_USED)
        return model_error(ctx, "Register Address", "the batch uses too many registers");
    if (offset == CS_DEBUG_MODE2 && s->offset) /* The high half selects the bits to write. */
        value = (s->value & ~(value >> 16)) | (value & value >> 16);
    r->used += !s->offset;
    *s = (struct slot){offset + 1, value};
    return true;
}

bool model_register_write64(struct model_context *ctx, uint32_t offset, uint64_t value)
{
    return model_register_write(ctx, offset, (uint32_t)value) &&
           model_register_write(ctx, offset + 4, (uint32_t)(value >> 32));
}

bool model_predicate(struct model_context *ctx)
{
    return model_register_read(ctx, model_register_base(ctx) + MODEL_REG_PREDICATE_RESULT) & 1;
}
