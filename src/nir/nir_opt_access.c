/* SPDX-License-Identifier: MIT */
/*
 * Sets ACCESS_CAN_REORDER on loads from storage that this shader doesn't write, so that they may be
 * moved, merged and removed like loads from uniform blocks. Writes of other invocations are visible
 * only through coherent and volatile variables (GLSL 4.60 §4.10), whose loads don't change. Two
 * blocks may share a buffer with each other, an image or atomic counters, unless a variable is
 * restrict.
 */
#include "nir.h"

/* Atomic counters are in a buffer, too. Counter intrinsics that may be eliminated only read. */
static bool writes_memory(const nir_intrinsic_instr *intr)
{
    if (nir_intrinsic_has_atomic_op(intr))
        return true;
    switch (intr->intrinsic) {
    case nir_intrinsic_store_ssbo:
    case nir_intrinsic_image_store:
    case nir_intrinsic_image_deref_store:
    case nir_intrinsic_bindless_image_store:
        return true;
    default:
        return nir_intrinsic_has_range_base(intr) &&
               !(nir_intrinsic_infos[intr->intrinsic].flags & NIR_INTRINSIC_CAN_ELIMINATE);
    }
}

static bool find_write(nir_builder *b, nir_intrinsic_instr *intr, void *any)
{
    *(bool *)any |= writes_memory(intr);
    return false;
}

static bool mark_load(nir_builder *b, nir_intrinsic_instr *intr, void *any_write)
{
    if (intr->intrinsic != nir_intrinsic_load_ssbo)
        return false;
    unsigned access = nir_intrinsic_access(intr);
    bool never_written = (access & ACCESS_RESTRICT) && (access & ACCESS_NON_WRITEABLE);
    if ((access & (ACCESS_VOLATILE | ACCESS_COHERENT | ACCESS_CAN_REORDER)) ||
        (*(bool *)any_write && !never_written))
        return false;
    nir_intrinsic_set_access(intr, access | ACCESS_CAN_REORDER);
    return true;
}

bool nir_opt_access(nir_shader *shader)
{
    bool any_write = false;
    nir_shader_intrinsics_pass(shader, find_write, nir_metadata_all, &any_write);
    return nir_shader_intrinsics_pass(shader, mark_load, nir_metadata_all, &any_write);
}
