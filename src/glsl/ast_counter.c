/* SPDX-License-Identifier: MIT */
/* Offsets of atomic counters in their buffers (GLSL 4.60 §4.4.6). */
#include "glsl/ast_to_hir.h"

struct counter_binding {
    unsigned binding, next;
};

struct counter_range {
    unsigned binding, offset, size;
};

struct ast_counters {
    struct counter_binding *bindings;
    struct counter_range *ranges;
    unsigned num_bindings, bindings_capacity, num_ranges, ranges_capacity;
};

static struct ast_counters *counters(struct ast_state *st)
{
    if (!st->counters)
        st->counters = glsl_alloc(st->c, sizeof *st->counters);
    return st->counters;
}

unsigned *counter_offset(struct ast_state *st, unsigned binding)
{
    struct ast_counters *a = counters(st);
    for (unsigned i = 0; i < a->num_bindings; i++)
        if (a->bindings[i].binding == binding)
            return &a->bindings[i].next;
    glsl_grow(st->c, (void **)&a->bindings, &a->bindings_capacity, a->num_bindings,
              sizeof *a->bindings);
    a->bindings[a->num_bindings] = (struct counter_binding){.binding = binding};
    return &a->bindings[a->num_bindings++].next;
}

bool counter_overlaps(struct ast_state *st, unsigned binding, unsigned offset, unsigned size)
{
    struct ast_counters *a = counters(st);
    for (unsigned i = 0; i < a->num_ranges; i++) {
        const struct counter_range *r = &a->ranges[i];
        if (r->binding == binding && offset < r->offset + r->size && r->offset < offset + size)
            return true;
    }
    glsl_grow(st->c, (void **)&a->ranges, &a->ranges_capacity, a->num_ranges, sizeof *a->ranges);
    a->ranges[a->num_ranges++] = (struct counter_range){binding, offset, size};
    return false;
}
