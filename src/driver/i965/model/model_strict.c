/* SPDX-License-Identifier: MIT */
#include "model_strict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PAGE         4096u
#define LINE         64u
#define BUCKETS      4096u
#define MAX_PAGES    (1u << 18) /* 1 GiB; accesses to more pages are not tracked. */
#define ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

/* The last write to a line. */
struct line {
    uint32_t time; /* 0: none. */
    uint8_t cache; /* enum model_cache */
    bool known;    /* The caller's memory was written before. */
};

struct page {
    struct page *next;
    uint64_t address;
    struct line line[PAGE / LINE];
};

struct model_strict {
    uint32_t now; /* Increases at each flush or invalidation. */
    /* Time of the last flush of each cache that holds writes, and of the last invalidation of the
     * others. */
    uint32_t synchronized[MODEL_CACHES];
    unsigned pages;
    struct page *bucket[BUCKETS];
};

static const char *const names[MODEL_CACHES] = {
    [MODEL_CACHE_COMMAND] = "command streamer", [MODEL_CACHE_RENDER] = "render target cache",
    [MODEL_CACHE_DEPTH] = "depth cache",        [MODEL_CACHE_DATA] = "data cache",
    [MODEL_CACHE_STREAM] = "stream output",     [MODEL_CACHE_TEXTURE] = "texture cache",
    [MODEL_CACHE_CONSTANT] = "constant cache",  [MODEL_CACHE_STATE] = "state cache",
    [MODEL_CACHE_VERTEX] = "vertex cache",      [MODEL_CACHE_INSTRUCTION] = "instruction cache",
};

static const char *const flushes[] = {
    [MODEL_CACHE_RENDER] = "Render Target Cache Flush Enable",
    [MODEL_CACHE_DEPTH] = "Depth Cache Flush Enable",
    [MODEL_CACHE_DATA] = "DC Flush Enable",
    [MODEL_CACHE_STREAM] = "Pipe Control Flush Enable",
    [MODEL_CACHE_TEXTURE] = "Texture Cache Invalidation Enable",
    [MODEL_CACHE_CONSTANT] = "Constant Cache Invalidation Enable",
    [MODEL_CACHE_STATE] = "State Cache Invalidation Enable",
    [MODEL_CACHE_VERTEX] = "VF Cache Invalidation Enable",
    [MODEL_CACHE_INSTRUCTION] = "Instruction Cache Invalidate Enable",
};

bool model_strict_create(struct model_context *ctx)
{
    ctx->strict = calloc(1, sizeof *ctx->strict);
    return ctx->strict;
}

static void free_pages(struct model_strict *s)
{
    for (unsigned i = 0; i < BUCKETS; i++) {
        while (s->bucket[i]) {
            struct page *page = s->bucket[i];
            s->bucket[i] = page->next;
            free(page);
        }
    }
}

void model_strict_destroy(struct model_context *ctx)
{
    if (ctx->strict)
        free_pages(ctx->strict);
    free(ctx->strict);
    ctx->strict = NULL;
}

void model_strict_start(struct model_context *ctx)
{
    free_pages(ctx->strict);
    memset(ctx->strict, 0, sizeof *ctx->strict);
    ctx->strict->now = 1;
}

void model_strict_pipe_control(struct model_context *ctx, const struct i965_pipe_control *pc)
{
    struct model_strict *s = ctx->strict;
    const bool done[MODEL_CACHES] = {
        [MODEL_CACHE_RENDER] = pc->render_target_cache_flush_enable,
        [MODEL_CACHE_DEPTH] = pc->depth_cache_flush_enable,
        [MODEL_CACHE_DATA] = pc->dc_flush_enable,
        [MODEL_CACHE_STREAM] = pc->pipe_control_flush_enable || pc->command_streamer_stall_enable,
        [MODEL_CACHE_TEXTURE] = pc->texture_cache_invalidation_enable,
        [MODEL_CACHE_CONSTANT] = pc->constant_cache_invalidation_enable,
        [MODEL_CACHE_STATE] = pc->state_cache_invalidation_enable,
        [MODEL_CACHE_VERTEX] = pc->vf_cache_invalidation_enable,
        [MODEL_CACHE_INSTRUCTION] = pc->instruction_cache_invalidate_enable,
    };

    s->now++;
    for (unsigned i = 0; i < MODEL_CACHES; i++) {
        if (done[i])
            s->synchronized[i] = s->now;
    }
}

/* Returns the line at an address, or NULL if it is not tracked. */
static struct line *find_line(struct model_strict *s, uint64_t address)
{
    const uint64_t start = address & ADDRESS_MASK & ~(uint64_t)(PAGE - 1);
    struct page **at = &s->bucket[start / PAGE * 0x9e3779b97f4a7c15u >> 52];

    while (*at && (*at)->address != start)
        at = &(*at)->next;
    if (!*at && s->pages < MAX_PAGES && (*at = calloc(1, sizeof **at))) {
        (*at)->address = start;
        s->pages++;
    }
    return *at ? &(*at)->line[address % PAGE / LINE] : NULL;
}

static bool holds_writes(enum model_cache cache)
{
    return cache >= MODEL_CACHE_RENDER && cache <= MODEL_CACHE_STREAM;
}

static void read_line(struct model_context *ctx, enum model_cache cache, uint64_t address)
{
    const struct i965_model_memory *memory = ctx->memory;
    struct model_strict *s = ctx->strict;
    struct line *line = find_line(s, address);

    if (!line)
        return;
    if (!line->time && !line->known) {
        line->known = !memory->is_written || memory->is_written(memory->vm, address);
        if (!line->known)
            model_error(ctx, "memory", "the %s reads %#" PRIx64 ", which was never written",
                        names[cache], address);
    }
    if (!line->time || line->cache == cache)
        return;
    if (holds_writes(line->cache) && s->synchronized[line->cache] <= line->time)
        model_error(ctx, "memory",
                    "the %s reads %#" PRIx64 ", which the %s wrote, without PIPE_CONTROL: %s",
                    names[cache], address, names[line->cache], flushes[line->cache]);
    else if (cache >= MODEL_CACHE_TEXTURE && s->synchronized[cache] <= line->time)
        model_error(ctx, "memory",
                    "the %s reads %#" PRIx64 ", which the %s wrote, without PIPE_CONTROL: %s",
                    names[cache], address, names[line->cache], flushes[cache]);
}

void model_strict_read(struct model_context *ctx, enum model_cache cache, uint64_t address,
                       uint64_t bytes)
{
    for (uint64_t at = address & ~(uint64_t)(LINE - 1); at < address + bytes; at += LINE)
        read_line(ctx, cache, MAX2(at, address));
}

void model_strict_write(struct model_context *ctx, enum model_cache cache, uint64_t address,
                        uint64_t bytes)
{
    for (uint64_t at = address & ~(uint64_t)(LINE - 1); at < address + bytes; at += LINE) {
        struct line *line = find_line(ctx->strict, at);
        if (line)
            *line = (struct line){ctx->strict->now, (uint8_t)cache, true};
    }
}
