/* SPDX-License-Identifier: MIT */
/*
 * Live ranges. The blocks where a value is live are found by walking from its uses up to its
 * definition (Boissinot et al., "Computing Liveness Sets for SSA-Form Programs", 2011, §5). A range
 * is computed when it is first requested, so the cost is proportional to the total length of the
 * requested ranges.
 *
 * Phi sources are live out of the predecessor, not into the block of the phi.
 */
#include "nir.h"

#include <stdlib.h>
#include <talloc.h>

#include "util/dynarray.h"

struct value_ranges {
    struct nir_live_range *ranges; /* NULL: not computed */
    unsigned count;
};

struct nir_live_ranges {
    struct value_ranges *values; /* by nir_def.index */
    struct arena *arena;         /* memory of the ranges */
    /* By block index: 1 + nir_def.index of the last value that marked the block. */
    unsigned *live_in, *live_out;
    DYNARRAY(nir_block *) stack;
    DYNARRAY(struct nir_live_range) found; /* ranges of the current value, unsorted */
};

void nir_live_defs(nir_function_impl *impl)
{
    nir_index_blocks(impl);
    nir_index_ssa_defs(impl);
    nir_index_instrs(impl);
    talloc_free(impl->live_ranges);
    struct nir_live_ranges *live = impl->live_ranges = talloc_zero(impl, struct nir_live_ranges);
    live->values = talloc_zero_array(live, struct value_ranges, impl->ssa_alloc);
    live->live_in = talloc_zero_array(live, unsigned, impl->num_blocks);
    live->live_out = talloc_zero_array(live, unsigned, impl->num_blocks);
    live->arena = arena_create(live);
    live->stack.mem_ctx = live;
    live->found.mem_ctx = live;
}

/* Adds the range of def in the block, from its definition or the start of the block up to `end`. */
static void add_range(struct nir_live_ranges *live, const nir_def *def, const nir_block *block,
                      unsigned end)
{
    const nir_instr *instr = def->parent_instr;
    unsigned first = block == instr->block ? instr->index : block->start_ip;
    (void)dynarray_append(&live->found, ((struct nir_live_range){first, end}));
}

/* Marks def live at the end of the block. */
static void mark_live_out(struct nir_live_ranges *live, const nir_def *def, nir_block *block)
{
    if (live->live_out[block->index] == def->index + 1)
        return;
    live->live_out[block->index] = def->index + 1;
    add_range(live, def, block, block->end_ip + 1);
    if (block != def->parent_instr->block)
        (void)dynarray_append(&live->stack, block);
}

/* Marks def live at the start of all blocks on the stack, and above. */
static void walk_up(struct nir_live_ranges *live, const nir_def *def)
{
    while (live->stack.count) {
        nir_block *block = live->stack.data[--live->stack.count];
        if (live->live_in[block->index] == def->index + 1)
            continue;
        live->live_in[block->index] = def->index + 1;
        for (unsigned i = 0; i < block->num_predecessors; i++)
            mark_live_out(live, def, block->predecessors[i]);
    }
}

static void visit_use(struct nir_live_ranges *live, const nir_def *def, nir_src *src)
{
    nir_block *block = nir_src_use_block(src);
    if (!nir_src_is_if(src) && nir_src_parent_instr(src)->type == nir_instr_type_phi) {
        mark_live_out(live, def, block);
    } else {
        add_range(live, def, block,
                  nir_src_is_if(src) ? block->end_ip : nir_src_parent_instr(src)->index);
        if (block != def->parent_instr->block)
            (void)dynarray_append(&live->stack, block);
    }
    walk_up(live, def);
}

static int by_first(const void *pa, const void *pb)
{
    const struct nir_live_range *a = pa, *b = pb;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Sorts the ranges and merges adjacent ones. Returns the new count. */
static unsigned join(struct nir_live_range *ranges, unsigned count)
{
    unsigned n = 0;
    qsort(ranges, count, sizeof *ranges, by_first);
    for (unsigned i = 1; i < count; i++) {
        if (ranges[i].first <= ranges[n].end)
            ranges[n].end = MAX2(ranges[n].end, ranges[i].end);
        else
            ranges[++n] = ranges[i];
    }
    return n + 1;
}

const struct nir_live_range *nir_live_ranges_of(nir_def *def, unsigned *count)
{
    nir_block *block = def->parent_instr->block;
    struct nir_live_ranges *live = nir_cf_node_get_function(&block->cf_node)->live_ranges;
    struct value_ranges *v = &live->values[def->index];
    if (!v->ranges) {
        live->found.count = 0;
        add_range(live, def, block, def->parent_instr->index + 1);
        nir_foreach_use_including_if(src, def) visit_use(live, def, src);
        v->count = join(live->found.data, live->found.count);
        v->ranges = arena_alloc(live->arena, v->count * sizeof *v->ranges);
        memcpy(v->ranges, live->found.data, v->count * sizeof *v->ranges);
    }
    *count = v->count;
    return v->ranges;
}
