/* SPDX-License-Identifier: MIT */
/*
 * Lowering of indirectly indexed private arrays. Short arrays stay in registers as long as they
 * leave enough of them for other values; accesses become trees of ifs. The others move to scratch
 * memory, and adjacent accesses are merged.
 */
#include "from_nir.h"
#include "nir/nir_builder.h"

#include "util/hash_table.h"

enum {
    MAX_LENGTH = 16, /* Maximum length of an array that stays in registers. */
    MAX_DWORDS = 64, /* Limit for all of them: half the registers of a SIMD8 thread. */
};

/* Returns the length of the longest array that the path indexes indirectly; 0 if none. */
static unsigned indirect_length(nir_deref_instr *deref)
{
    unsigned length = 0;
    for (; deref && deref->deref_type != nir_deref_type_var;
         deref = nir_deref_instr_parent(deref)) {
        if (deref->deref_type == nir_deref_type_array && !nir_src_is_const(deref->arr.index))
            length = MAX2(length, glsl_length_of(nir_deref_instr_parent(deref)->type));
    }
    return length;
}

/* Maps each variable to the length of its longest indirectly indexed array. */
static struct hash_table *indirect_variables(nir_shader *nir, void *mem_ctx)
{
    struct hash_table *lengths = hash_table_create_pointer(mem_ctx);
    nir_foreach_block (block, nir_shader_get_entrypoint(nir)) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_deref)
                continue;
            nir_deref_instr *deref = nir_instr_as_deref(instr);
            nir_variable *var = nir_deref_instr_get_variable(deref);
            uintptr_t length = indirect_length(deref);
            if (!var || var->data.mode != nir_var_function_temp || !length)
                continue;
            length = MAX2(length, (uintptr_t)hash_table_get(lengths, var));
            hash_table_insert(lengths, var, (void *)length);
        }
    }
    return lengths;
}

/* Returns the total size in dwords of the variables whose indirectly indexed arrays are all at most
 * that long. */
static uint64_t dwords_up_to(struct hash_table *lengths, unsigned max_length)
{
    uint64_t dwords = 0;
    hash_table_foreach (lengths, e) {
        const nir_variable *var = e->key;
        if ((uintptr_t)e->data <= max_length)
            dwords += DIV_ROUND_UP(glsl_packed_size(var->type), 4);
    }
    return dwords;
}

/* --- Accesses to scratch memory --- */

/* Splits accesses at constant offsets into components, so that merging does not depend on vector
 * boundaries. */
static bool split_access(nir_builder *b, nir_intrinsic_instr *intr, void *unused)
{
    bool store = intr->intrinsic == nir_intrinsic_store_scratch;
    if ((!store && intr->intrinsic != nir_intrinsic_load_scratch) ||
        !nir_src_is_const(intr->src[store]) || intr->num_components == 1)
        return false;
    nir_def *offset = intr->src[store].ssa, *value = store ? intr->src[0].ssa : &intr->def;
    nir_def *comps[NIR_MAX_VEC_COMPONENTS];
    unsigned bytes = value->bit_size / 8;
    b->cursor = nir_before_instr(&intr->instr);
    for (unsigned i = 0; i < intr->num_components; i++) {
        unsigned base = nir_intrinsic_base(intr) + i * bytes;
        if (!store)
            comps[i] =
                nir_load_scratch(b, 1, value->bit_size, offset, .base = base, .align_mul = bytes);
        else if (nir_intrinsic_write_mask(intr) >> i & 1)
            nir_store_scratch(b, nir_channel(b, value, i), offset, .base = base, .write_mask = 1,
                              .align_mul = bytes);
    }
    if (store)
        nir_instr_remove(&intr->instr);
    else
        nir_def_replace(&intr->def, nir_vec(b, comps, intr->num_components));
    return true;
}

bool i965_join_scratch(nir_shader *nir)
{
    if (!nir->scratch_size)
        return false;
    bool progress = nir_shader_intrinsics_pass(nir, split_access, nir_metadata_control_flow, NULL);
    /* Vectors of up to 16 components, which merge to eight registers at SIMD8. */
    progress = nir_opt_load_store_vectorize(nir, nir_var_function_temp, 16) || progress;
    return nir_opt_load_store_vectorize(nir, nir_var_function_temp, 32) || progress;
}

/* --- Placement of arrays --- */

bool i965_lower_arrays(nir_shader *nir)
{
    struct hash_table *lengths = indirect_variables(nir, NULL);
    unsigned max_length = MAX_LENGTH;
    while (max_length && dwords_up_to(lengths, max_length) > MAX_DWORDS)
        max_length--;
    hash_table_destroy(lengths);
    bool progress = nir_lower_indirect_derefs(nir, nir_var_function_temp, max_length);
    progress = nir_lower_vars_to_ssa(nir) || progress;
    return nir_lower_vars_to_scratch(nir) || progress;
}
