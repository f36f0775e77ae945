/* SPDX-License-Identifier: MIT */
/*
 * Dead code elimination: removes instructions whose results reach no side effect, including phi
 * cycles.
 *
 * One walk from the end to the start does nearly all of the work. When it reaches a value, it has
 * visited all uses except phis of loop headers, and has removed dead users. A value used only by
 * such a phi is undecided until the walk reaches the phi. A second walk removes the undecided
 * values that turned out to be dead; it runs only if there are any.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/dynarray.h"

struct state {
    bitset_word *live;          /* by nir_def.index: known to reach a side effect */
    bitset_word *visited;       /* by nir_def.index: passed by the walk */
    unsigned doubts;            /* number of values visited, used, but not live */
    DYNARRAY(nir_instr *) work; /* live instructions whose sources are not marked yet */
};

/* Marks the source live. Instructions that the walk hasn't reached yet mark their sources later. */
static bool mark_src(nir_src *src, void *data)
{
    struct state *s = data;
    nir_def *def = src->ssa;
    if (bitset_test(s->live, def->index))
        return true;
    bitset_set(s->live, def->index);
    if (bitset_test(s->visited, def->index)) {
        s->doubts--;
        (void)dynarray_append(&s->work, def->parent_instr);
    }
    return true;
}

/* Marks the sources of undecided values that became live. */
static void settle(struct state *s)
{
    while (s->work.count)
        nir_foreach_src(s->work.data[--s->work.count], mark_src, s);
}

/* Returns true if it removed instr. */
static bool visit(struct state *s, nir_instr *instr)
{
    nir_def *def = nir_instr_def(instr);
    if (def)
        bitset_set(s->visited, def->index);
    if (nir_instr_has_effect(instr) || (def && bitset_test(s->live, def->index))) {
        if (def)
            bitset_set(s->live, def->index);
        nir_foreach_src(instr, mark_src, s);
        settle(s);
        return false;
    }
    if (def && !nir_def_is_unused(def)) {
        s->doubts++;
        return false;
    }
    nir_instr_remove(instr);
    return true;
}

static bool remove_dead(struct state *s, nir_function_impl *impl)
{
    bool progress = false;
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            nir_def *def = nir_instr_def(instr);
            if (def && !bitset_test(s->live, def->index)) {
                nir_instr_remove(instr);
                progress = true;
            }
        }
    }
    return progress;
}

static bool opt_dce_impl(nir_function_impl *impl)
{
    bool progress = false;
    unsigned words = BITSET_WORDS(impl->ssa_alloc);
    struct state s = {.live = talloc_zero_array(NULL, bitset_word, 2 * words)};
    s.visited = s.live + words;
    impl->instr_types = 0;
    impl->deref_modes = 0;
    impl->has_indirect_derefs = false;
    impl->has_copies = false;
    nir_foreach_block_reverse(block, impl)
    {
        nir_if *nif = nir_block_get_following_if(block);
        if (nif) {
            mark_src(&nif->condition, &s);
            settle(&s);
        }
        nir_foreach_instr_reverse_safe(instr, block)
        {
            if (visit(&s, instr))
                progress = true;
            else
                nir_impl_add_instr_kind(impl, instr);
        }
    }
    if (s.doubts)
        progress |= remove_dead(&s, impl);
    dynarray_finish(&s.work);
    talloc_free(s.live);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_dce(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= opt_dce_impl(impl);
    return progress;
}
