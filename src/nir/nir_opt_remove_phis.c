/* SPDX-License-Identifier: MIT */
/* Replaces phis whose sources are all the same value. Equal constants count as the same value. */
#include "nir.h"

#include "nir_builder.h"

#include "nir_instr_set.h"

static bool is_constant(const nir_def *def)
{
    return def->parent_instr->type == nir_instr_type_load_const;
}

static bool is_same(nir_def *a, nir_def *b)
{
    return a == b || (is_constant(a) && nir_instrs_equal(a->parent_instr, b->parent_instr));
}

/* Returns the only value among the sources, ignoring the phi itself and undefined values; NULL if
 * there are several. */
static nir_def *unique_source(nir_phi_instr *phi, bool *has_undef)
{
    nir_def *unique = NULL, *undef = NULL;
    *has_undef = false;
    nir_foreach_phi_src (src, phi) {
        nir_def *def = src->src.ssa;
        if (def == &phi->def || (unique && is_same(def, unique)))
            continue;
        if (nir_src_is_undef(src->src)) {
            *has_undef = true;
            undef = def;
            continue;
        }
        if (unique)
            return NULL;
        unique = def;
    }
    return unique ? unique : undef;
}

/* Creates the constant again at the start of the block. */
static nir_def *repeat(nir_block *block, const nir_def *constant)
{
    nir_builder b = nir_builder_at(nir_after_phis(block));
    return nir_build_imm(&b, constant->num_components, constant->bit_size,
                         nir_instr_as_load_const(constant->parent_instr)->value);
}

static bool opt_remove_phis_impl(nir_function_impl *impl)
{
    bool progress = false;
    nir_metadata_require(impl, nir_metadata_dominance);
    nir_foreach_block (block, impl) {
        nir_foreach_instr_safe (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            bool has_undef;
            nir_phi_instr *phi = nir_instr_as_phi(instr);
            nir_def *def = unique_source(phi, &has_undef);
            if (!def || def == &phi->def)
                continue;
            nir_block *def_block = def->parent_instr->block;
            bool dominates = def_block != block && nir_block_dominates(def_block, block);
            if (has_undef && !dominates)
                continue;
            nir_def_replace(&phi->def, dominates || !is_constant(def) ? def : repeat(block, def));
            progress = true;
        }
    }
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_opt_remove_phis(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= opt_remove_phis_impl(impl);
    return progress;
}
