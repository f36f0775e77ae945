/* SPDX-License-Identifier: MIT */
/*
 * Removes instructions whose results reach nothing that has an effect, phi cycles too.
 *
 * One walk from the end to the start does nearly all of it: when it comes to a value, all readers
 * but phis of loops are known, and those without effect are gone. A value that such a phi alone
 * reads is in doubt until the walk comes to the phi. Only if doubts remain, a second walk removes
 * what they are about.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/dynarray.h"

struct state {
    bitset_word *live;          /* by nir_def.index: reaches an effect, as far as is known */
    bitset_word *visited;       /* the walk has passed it */
    unsigned doubts;            /* visited, used, not live */
    DYNARRAY(nir_instr *) work; /* live, their sources are not marked yet */
};

/* What the walk has not come to marks its sources when it does. */
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

/* What was in doubt and is live marks its sources at once. */
static void settle(struct state *s)
{
    while (s->work.count)
        nir_foreach_src(s->work.data[--s->work.count], mark_src, s);
}

/* True if it removed instr. */
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
                nir_impl_note_instr(impl, instr);
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
