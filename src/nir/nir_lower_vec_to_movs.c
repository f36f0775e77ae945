/* SPDX-License-Identifier: MIT */
/* vecN → writes of a register's components: for machines that have write masks, after SSA. */
#include "nir.h"

#include "nir_builder.h"
#include "nir_private.h"

/* One store for all components that come from one value. */
static void store_from(nir_builder *b, nir_alu_instr *vec, unsigned first, nir_def *reg)
{
    unsigned n = vec->def.num_components, mask = 0, swizzle[NIR_MAX_VEC_COMPONENTS] = {0};
    for (unsigned c = first; c < n; c++) {
        if (vec->src[c].src.ssa != vec->src[first].src.ssa)
            continue;
        mask |= 1u << c;
        swizzle[c] = vec->src[c].swizzle[0];
    }
    nir_store_reg(b, nir_swizzle(b, vec->src[first].src.ssa, swizzle, n), reg, .write_mask = mask);
}

static bool lower_instr(nir_builder *b, nir_alu_instr *alu, void *unused)
{
    if (!nir_op_is_vec(alu->op))
        return false;
    nir_builder start = nir_builder_at(nir_before_impl(b->impl));
    nir_def *reg = nir_decl_reg(&start, .num_components = alu->def.num_components,
                                .bit_size = alu->def.bit_size, .divergent = alu->def.divergent);
    b->cursor = nir_before_instr(&alu->instr);
    for (unsigned c = 0; c < alu->def.num_components; c++) {
        bool done = nir_src_is_undef(alu->src[c].src);
        for (unsigned i = 0; i < c; i++)
            done |= alu->src[i].src.ssa == alu->src[c].src.ssa;
        if (!done)
            store_from(b, alu, c, reg);
    }
    nir_def_replace(&alu->def,
                    nir_load_reg(b, alu->def.num_components, alu->def.bit_size, reg));
    return true;
}

bool nir_lower_vec_to_movs(nir_shader *shader)
{
    return nir_shader_alu_pass(shader, lower_instr, nir_metadata_control_flow, NULL);
}
