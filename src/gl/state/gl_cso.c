/* SPDX-License-Identifier: MIT */
/* Cache of driver state objects: one per distinct description, found by hash. */
#include "gl/state/gl_cso.h"

#include <talloc.h>

#include "gl/context/gl_context.h"

enum cso_kind { CSO_BLEND, CSO_RASTERIZER, CSO_DEPTH_STENCIL, CSO_VERTEX_ELEMENTS };
#define CSO_KINDS (CSO_VERTEX_ELEMENTS + 1)

#define CSO_MAX 2048 /* objects per kind; when it is reached, all but the bound one are deleted */

struct cso_entry {
    void *object;
    uint32_t size;
    uint8_t key[];
};

struct gl_cso {
    struct hash_table *table[CSO_KINDS];
    void *bound[CSO_KINDS];
};

static uint32_t hash_entry_key(const void *key)
{
    const struct cso_entry *e = key;
    return hash_data(e->key, e->size);
}

static bool equal_entry(const void *a, const void *b)
{
    const struct cso_entry *x = a, *y = b;
    return x->size == y->size && !memcmp(x->key, y->key, x->size);
}

bool gl_cso_init(struct gl_context *ctx)
{
    ctx->cso = talloc_zero(ctx, struct gl_cso);
    if (!ctx->cso)
        return false;
    for (unsigned k = 0; k < CSO_KINDS; k++) {
        ctx->cso->table[k] = hash_table_create(ctx->cso, hash_entry_key, equal_entry);
        if (!ctx->cso->table[k])
            return false;
    }
    return true;
}

static void bind_object(struct gl_context *ctx, enum cso_kind kind, void *object)
{
    const struct drv_context_ops *ops = ctx->drv->ops;
    if (ctx->cso->bound[kind] == object)
        return;
    ctx->cso->bound[kind] = object;
    switch (kind) {
    case CSO_BLEND:
        ops->bind_blend_state(ctx->drv, object);
        break;
    case CSO_RASTERIZER:
        ops->bind_rasterizer_state(ctx->drv, object);
        break;
    case CSO_DEPTH_STENCIL:
        ops->bind_depth_stencil_state(ctx->drv, object);
        break;
    case CSO_VERTEX_ELEMENTS:
        ops->bind_vertex_elements(ctx->drv, object);
        break;
    }
}

static void delete_object(struct gl_context *ctx, enum cso_kind kind, void *object)
{
    const struct drv_context_ops *ops = ctx->drv->ops;
    switch (kind) {
    case CSO_BLEND:
        ops->delete_blend_state(ctx->drv, object);
        break;
    case CSO_RASTERIZER:
        ops->delete_rasterizer_state(ctx->drv, object);
        break;
    case CSO_DEPTH_STENCIL:
        ops->delete_depth_stencil_state(ctx->drv, object);
        break;
    case CSO_VERTEX_ELEMENTS:
        ops->delete_vertex_elements(ctx->drv, object);
        break;
    }
}

static void drop_all(struct gl_context *ctx, enum cso_kind kind)
{
    struct hash_table *table = ctx->cso->table[kind];
    bind_object(ctx, kind, NULL);
    hash_table_foreach (table, entry) {
        struct cso_entry *e = entry->data;
        delete_object(ctx, kind, e->object);
        talloc_free(e);
    }
    hash_table_clear(table);
}

void gl_cso_finish(struct gl_context *ctx)
{
    if (!ctx->cso)
        return;
    for (unsigned k = 0; k < CSO_KINDS; k++)
        if (ctx->cso->table[k])
            drop_all(ctx, k);
}

static void *create_object(struct gl_context *ctx, enum cso_kind kind, const void *desc,
                           size_t size)
{
    const struct drv_context_ops *ops = ctx->drv->ops;
    switch (kind) {
    case CSO_BLEND:
        return ops->create_blend_state(ctx->drv, desc);
    case CSO_RASTERIZER:
        return ops->create_rasterizer_state(ctx->drv, desc);
    case CSO_DEPTH_STENCIL:
        return ops->create_depth_stencil_state(ctx->drv, desc);
    case CSO_VERTEX_ELEMENTS:
        break;
    }
    return ops->create_vertex_elements(ctx->drv, size / sizeof(struct drv_vertex_element), desc);
}

static void *find_object(struct gl_context *ctx, enum cso_kind kind, const void *desc, size_t size)
{
    union {
        struct cso_entry entry;
        uint8_t bytes[sizeof(struct cso_entry) +
                      MAX2(DRV_MAX_ATTRIBS * sizeof(struct drv_vertex_element),
                           sizeof(struct drv_rasterizer_state))];
    } probe;
    probe.entry.size = size;
    memcpy(probe.entry.key, desc, size);
    struct hash_table *table = ctx->cso->table[kind];
    struct cso_entry *e = hash_table_get(table, &probe.entry);
    if (e)
        return e->object;
    if (table->entries >= CSO_MAX)
        drop_all(ctx, kind);
    e = talloc_size(ctx->cso, sizeof *e + size);
    if (e) {
        e->size = size;
        memcpy(e->key, desc, size);
        e->object = create_object(ctx, kind, desc, size);
        if (e->object && hash_table_insert(table, e, e))
            return e->object;
        if (e->object)
            delete_object(ctx, kind, e->object);
        talloc_free(e);
    }
    gl_error(ctx, GL_OUT_OF_MEMORY, "a state object for drawing");
    return NULL;
}

static void find_and_bind(struct gl_context *ctx, enum cso_kind kind, const void *desc, size_t size)
{
    bind_object(ctx, kind, find_object(ctx, kind, desc, size));
}

uint64_t gl_cso_missing(const struct gl_context *ctx)
{
    static const uint64_t dirty[CSO_KINDS] = {
        [CSO_BLEND] = GL_DIRTY_BLEND,
        [CSO_RASTERIZER] = GL_DIRTY_RASTERIZER,
        [CSO_DEPTH_STENCIL] = GL_DIRTY_DEPTH_STENCIL,
        [CSO_VERTEX_ELEMENTS] = GL_DIRTY_ARRAYS,
    };
    uint64_t missing = 0;
    for (unsigned k = 0; k < CSO_KINDS; k++)
        if (!ctx->cso->bound[k])
            missing |= dirty[k];
    return missing;
}

void gl_cso_bind_blend(struct gl_context *ctx, const struct drv_blend_state *state)
{
    find_and_bind(ctx, CSO_BLEND, state, sizeof *state);
}

void gl_cso_bind_rasterizer(struct gl_context *ctx, const struct drv_rasterizer_state *state)
{
    find_and_bind(ctx, CSO_RASTERIZER, state, sizeof *state);
}

void gl_cso_bind_depth_stencil(struct gl_context *ctx, const struct drv_depth_stencil_state *state)
{
    find_and_bind(ctx, CSO_DEPTH_STENCIL, state, sizeof *state);
}

void gl_cso_bind_vertex_elements(struct gl_context *ctx, unsigned count,
                                 const struct drv_vertex_element *elements)
{
    find_and_bind(ctx, CSO_VERTEX_ELEMENTS, elements, count * sizeof *elements);
}
