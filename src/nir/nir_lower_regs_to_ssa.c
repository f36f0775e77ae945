/* SPDX-License-Identifier: MIT */
/* Turns registers that are not arrays into SSA values. */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_phi_builder.h"

#include "util/hash_table.h"

struct state {
    void *mem_ctx;
    struct hash_table *values; /* def of decl_reg → phi builder value */
};

/* Returns true if every use of the register is a direct load or store. */
static bool reg_is_simple(nir_intrinsic_instr *decl)
{
    if (nir_intrinsic_num_array_elems(decl))
        return false;
    nir_foreach_use_including_if(src, &decl->def)
    {
        if (nir_src_is_if(src) || nir_src_parent_instr(src)->type != nir_instr_type_intrinsic)
            return false;
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(nir_src_parent_instr(src));
        bool load = intr->intrinsic == nir_intrinsic_load_reg && src == &intr->src[0];
        bool store = intr->intrinsic == nir_intrinsic_store_reg && src == &intr->src[1];
        if (!load && !store)
            return false;
    }
    return true;
}

static void add_reg(struct state *s, struct nir_phi_builder *pb, nir_intrinsic_instr *decl)
{
    struct nir_phi_builder_value *value = nir_phi_builder_add_value(
        pb, nir_intrinsic_num_components(decl), nir_intrinsic_bit_size(decl));
    nir_foreach_use (src, &decl->def) {
        nir_intrinsic_instr *intr = nir_instr_as_intrinsic(nir_src_parent_instr(src));
        if (intr->intrinsic == nir_intrinsic_store_reg)
            nir_phi_builder_add_def_block(value, intr->instr.block);
    }
    hash_table_insert(s->values, &decl->def, value);
}

static nir_def *merge(nir_builder *b, nir_intrinsic_instr *store,
                      struct nir_phi_builder_value *value)
{
    nir_def *def = store->src[0].ssa;
    unsigned mask = nir_intrinsic_write_mask(store);
    if (mask == BITFIELD_MASK(def->num_components))
        return def;
    nir_def *old = nir_phi_builder_get_block_def(value, store->instr.block);
    nir_scalar comps[NIR_MAX_VEC_COMPONENTS];
    for (unsigned c = 0; c < def->num_components; c++)
        comps[c] = nir_get_scalar(mask & (1u << c) ? def : old, c);
    b->cursor = nir_before_instr(&store->instr);
    return nir_vec_scalars(b, comps, def->num_components);
}

static void rename_access(struct state *s, nir_builder *b, nir_intrinsic_instr *intr)
{
    bool load = intr->intrinsic == nir_intrinsic_load_reg;
    struct nir_phi_builder_value *value = hash_table_get(s->values, intr->src[load ? 0 : 1].ssa);
    if (!value)
        return;
    if (load) {
        nir_def_replace(&intr->def, nir_phi_builder_get_block_def(value, intr->instr.block));
    } else {
        nir_phi_builder_set_block_def(value, intr->instr.block, merge(b, intr, value));
        nir_instr_remove(&intr->instr);
    }
}

static bool lower_impl(nir_function_impl *impl)
{
    struct state s = {.mem_ctx = talloc_new(NULL)};
    s.values = hash_table_create_pointer(s.mem_ctx);
    struct nir_phi_builder *pb = nir_phi_builder_create(impl);
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic == nir_intrinsic_decl_reg && reg_is_simple(intr))
                add_reg(&s, pb, intr);
        }
    }
    nir_builder b = nir_builder_create(impl);
    bool progress = s.values->entries > 0;
    nir_foreach_block (block, impl) {
        if (!progress)
            break;
        nir_foreach_instr_safe (instr, block) {
            if (instr->type != nir_instr_type_intrinsic)
                continue;
            nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
            if (intr->intrinsic == nir_intrinsic_load_reg ||
                intr->intrinsic == nir_intrinsic_store_reg)
                rename_access(&s, &b, intr);
        }
    }
    nir_phi_builder_finish(pb);
    hash_table_foreach (s.values, entry)
        nir_instr_remove(((nir_def *)entry->key)->parent_instr);
    talloc_free(s.mem_ctx);
    return nir_progress(progress, impl, nir_metadata_control_flow);
}

bool nir_lower_regs_to_ssa(nir_shader *shader)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= lower_impl(impl);
    return progress;
}
