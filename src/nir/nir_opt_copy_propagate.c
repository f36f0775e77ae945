/* SPDX-License-Identifier: MIT */
/* Copy propagation: uses of mov and vec read the copied values; ALU sources absorb swizzles. */
#include "nir.h"

#include "nir_private.h"

/* Returns the source of component c of the copy. */
static nir_scalar copy_component(nir_alu_instr *copy, unsigned c)
{
    if (copy->op == nir_op_mov)
        return (nir_scalar){copy->src[0].src.ssa, nir_alu_src_comp(&copy->src[0], c)};
    return (nir_scalar){copy->src[c].src.ssa, nir_alu_src_comp(&copy->src[c], 0)};
}

/* Returns the value whose components the copy contains in order, or NULL. */
static nir_def *whole_source(nir_alu_instr *copy)
{
    nir_def *def = copy_component(copy, 0).def;
    if (def->num_components != copy->def.num_components)
        return NULL;
    for (unsigned c = 0; c < copy->def.num_components; c++) {
        nir_scalar s = copy_component(copy, c);
        if (s.def != def || s.comp != c)
            return NULL;
    }
    return def;
}

static bool rewrite_alu_src(nir_alu_instr *copy, nir_src *src)
{
    nir_alu_instr *user = nir_instr_as_alu(nir_src_parent_instr(src));
    nir_alu_src *alu_src = container_of(src, nir_alu_src, src);
    unsigned n = nir_ssa_alu_instr_src_components(user, alu_src - user->src);
    nir_def *def = copy_component(copy, nir_alu_src_comp(alu_src, 0)).def;
    uint8_t swizzle[NIR_MAX_VEC_COMPONENTS];
    if (n > ARRAY_SIZE(swizzle))
        UNREACHABLE("too many components");
    for (unsigned c = 0; c < n; c++) {
        nir_scalar s = copy_component(copy, nir_alu_src_comp(alu_src, c));
        if (s.def != def)
            return false;
        swizzle[c] = s.comp;
    }
    for (unsigned c = 0; c < n; c++)
        nir_alu_src_set_comp(alu_src, c, swizzle[c]);
    nir_src_rewrite(src, def);
    return true;
}

static bool propagate(nir_alu_instr *copy)
{
    bool progress = false;
    nir_def *whole = whole_source(copy);
    nir_foreach_use_including_if_safe(src, &copy->def)
    {
        if (whole) {
            nir_src_rewrite(src, whole);
            progress = true;
        } else if (!nir_src_is_if(src) && nir_src_parent_instr(src)->type == nir_instr_type_alu) {
            progress |= rewrite_alu_src(copy, src);
        } else if (copy->def.num_components == 1 &&
                   copy_component(copy, 0).def->num_components == 1) {
            nir_src_rewrite(src, copy_component(copy, 0).def);
            progress = true;
        }
    }
    progress |= nir_def_is_unused(&copy->def);
    nir_def_remove_if_unused(&copy->def);
    return progress;
}

bool nir_copy_prop(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        bool impl_progress = false;
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                if (nir_instr_is_copy(instr))
                    impl_progress |= propagate(nir_instr_as_alu(instr));
            }
        }
        progress |= nir_progress(impl_progress, impl, nir_metadata_control_flow);
    }
    return progress;
}
