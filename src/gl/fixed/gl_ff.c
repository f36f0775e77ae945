/* SPDX-License-Identifier: MIT */
/* The cache of fixed-function programs, indexed by the bytes of their keys. */
#include "gl/fixed/gl_ff.h"

#include <talloc.h>

#include "gl/context/gl_context.h"
#include "gl/program/gl_asm.h"
#include "gl/program/gl_program.h"
#include "util/hash_table.h"
#include "util/memory.h"

struct ff_key {
    size_t size;
    uint8_t bytes[]; /* `size` bytes */
};

static uint32_t hash_key(const void *key)
{
    const struct ff_key *k = key;
    return hash_data(k->bytes, k->size);
}

static bool equal_keys(const void *a, const void *b)
{
    const struct ff_key *x = a, *y = b;
    return x->size == y->size && !memcmp(x->bytes, y->bytes, x->size);
}

struct gl_executable *gl_ff_find(struct gl_context *ctx, struct hash_table *table, const void *key,
                                 size_t size, gl_ff_build build)
{
    union {
        struct ff_key key;
        uint8_t bytes[sizeof(struct ff_key) + GL_FF_KEY_MAX];
    } probe;
    probe.key.size = size;
    memcpy(probe.key.bytes, key, size);
    struct gl_executable *exe = hash_table_get(table, &probe.key);
    if (exe)
        return exe;
    struct ff_key *copy = talloc_memdup(table, &probe, sizeof(struct ff_key) + size);
    nir_shader *nir = copy ? UTIL_ATTEMPT(build(ctx, key)) : NULL;
    exe = nir ? gl_executable_from_nir(nir) : NULL;
    if (exe && hash_table_insert(table, copy, exe))
        return exe;
    gl_executable_reference(ctx, &exe, NULL);
    talloc_free(copy);
    return NULL;
}

struct hash_table *gl_ff_table(void *mem_ctx)
{
    return hash_table_create(mem_ctx, hash_key, equal_keys);
}

bool gl_ff_processes_vertices(const struct gl_context *ctx)
{
    return gl_has_fixed_function(ctx) && !gl_stage_executable(ctx, SHADER_VERTEX) &&
           !gl_asm_executable(ctx, SHADER_VERTEX);
}

bool gl_ff_init(struct gl_context *ctx)
{
    struct gl_ff_cache *ff = ctx->program.ff = talloc_zero(ctx, struct gl_ff_cache);
    if (!ff)
        return false;
    ff->vertex = gl_ff_table(ff);
    ff->fragment = gl_ff_table(ff);
    return ff->vertex && ff->fragment;
}

void gl_ff_free_table(struct gl_context *ctx, struct hash_table *table)
{
    if (!table)
        return;
    hash_table_foreach (table, entry) {
        struct gl_executable *exe = entry->data;
        gl_executable_reference(ctx, &exe, NULL);
    }
    talloc_free(table);
}

void gl_ff_finish(struct gl_context *ctx)
{
    struct gl_ff_cache *ff = ctx->program.ff;
    if (!ff)
        return;
    gl_ff_free_table(ctx, ff->vertex);
    gl_ff_free_table(ctx, ff->fragment);
    talloc_free(ff);
    ctx->program.ff = NULL;
}
