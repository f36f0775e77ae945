/* SPDX-License-Identifier: MIT */
/* Removes stores that a later store in the same block overwrites before any read. */
#include "nir.h"

#include "util/dynarray.h"

struct write {
    nir_intrinsic_instr *store;
    nir_deref_instr *deref;
    nir_component_mask_t mask; /* components not overwritten yet */
};

typedef DYNARRAY(struct write) write_list;

/* Limit of the tracked stores; comparing each deref with all of them must stay cheap. */
#define MAX_WRITES 64

/* Drops the stores that a read of deref may see. */
static void forget_aliases(write_list *writes, nir_deref_instr *deref)
{
    for (unsigned i = writes->count; i-- > 0;) {
        if (!deref || nir_compare_derefs(writes->data[i].deref, deref) != nir_derefs_do_not_alias)
            writes->data[i] = writes->data[--writes->count];
    }
}

static bool overwrite(write_list *writes, nir_deref_instr *deref, nir_component_mask_t mask)
{
    bool progress = false;
    for (unsigned i = writes->count; i-- > 0;) {
        struct write *w = &writes->data[i];
        nir_deref_compare_result cmp = nir_compare_derefs(w->deref, deref);
        if (cmp & nir_derefs_equal_bit)
            w->mask &= ~mask;
        if (w->mask)
            continue;
        nir_instr_remove(&w->store->instr);
        *w = writes->data[--writes->count];
        progress = true;
    }
    return progress;
}

static bool visit_intrinsic(write_list *writes, nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    bool progress = false;
    if (intr->intrinsic == nir_intrinsic_store_deref) {
        nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
        if (!deref || (nir_intrinsic_access(intr) & ACCESS_VOLATILE)) {
            forget_aliases(writes, deref);
            return false;
        }
        progress = overwrite(writes, deref, nir_intrinsic_write_mask(intr));
        if (writes->count < MAX_WRITES)
            (void)dynarray_append(writes,
                                  ((struct write){intr, deref, nir_intrinsic_write_mask(intr)}));
        return progress;
    }
    bool any_deref = false;
    for (unsigned s = 0; s < info->num_srcs; s++) {
        nir_deref_instr *deref = nir_src_as_deref(intr->src[s]);
        if (deref) {
            forget_aliases(writes, deref);
            any_deref = true;
        }
    }
    /* Other instructions with side effects may make memory visible to other invocations. */
    if (!any_deref && !(info->flags & NIR_INTRINSIC_CAN_ELIMINATE))
        forget_aliases(writes, NULL);
    return false;
}

bool nir_opt_dead_write_vars(nir_shader *shader)
{
    bool progress = false;
    write_list writes = {0};
    nir_foreach_function_impl (impl, shader) {
        bool impl_progress = false;
        nir_foreach_block (block, impl) {
            writes.count = 0;
            nir_foreach_instr_safe (instr, block) {
                if (instr->type == nir_instr_type_intrinsic)
                    impl_progress |= visit_intrinsic(&writes, nir_instr_as_intrinsic(instr));
                else if (instr->type == nir_instr_type_call)
                    forget_aliases(&writes, NULL);
            }
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    dynarray_finish(&writes);
    return progress;
}
