/* SPDX-License-Identifier: MIT */
/* Removes instructions whose results reach nothing that has an effect, phi cycles too. */
#include "nir.h"

#include <talloc.h>

#include "util/dynarray.h"

typedef DYNARRAY(nir_instr *) worklist;

static bool has_effect(nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_call:
    case nir_instr_type_jump:
    case nir_instr_type_parallel_copy:
        return true;
    case nir_instr_type_intrinsic: {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        if (nir_intrinsic_has_access(intr) && (nir_intrinsic_access(intr) & ACCESS_VOLATILE))
            return true;
        return !(nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_ELIMINATE);
    }
    default:
        return false;
    }
}

static void mark(worklist *w, nir_instr *instr)
{
    if (instr->pass_flags)
        return;
    instr->pass_flags = 1;
    (void)dynarray_append(w, instr);
}

static bool mark_src(nir_src *src, void *w)
{
    mark(w, src->ssa->parent_instr);
    return true;
}

static bool opt_dce_impl(nir_function_impl *impl)
{
    worklist w = DYNARRAY_INIT(NULL);
    nir_foreach_block(block, impl) {
        nir_foreach_instr(instr, block)
            instr->pass_flags = 0;
    }
    nir_foreach_block(block, impl) {
        nir_foreach_instr(instr, block) {
            if (has_effect(instr))
                mark(&w, instr);
        }
        nir_if *nif = nir_block_get_following_if(block);
        if (nif)
            mark(&w, nif->condition.ssa->parent_instr);
    }
    while (w.count)
        nir_foreach_src(w.data[--w.count], mark_src, &w);
    dynarray_finish(&w);

    bool progress = false;
    nir_foreach_block(block, impl) {
        nir_foreach_instr_safe(instr, block) {
            if (!instr->pass_flags) {
                nir_instr_remove(instr);
                progress = true;
            }
        }
    }
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_dce(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl(impl, shader)
        progress |= opt_dce_impl(impl);
    return progress;
}
