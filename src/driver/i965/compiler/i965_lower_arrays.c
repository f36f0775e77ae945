/* SPDX-License-Identifier: MIT */
/*
 * Arrays of the invocation's own that are indexed by values: short ones stay in registers, their
 * accesses becoming trees of ifs, as long as all of them together leave room for other values; the
 * rest goes to scratch memory.
 */
#include "from_nir.h"

#include "util/hash_table.h"

enum {
    MAX_LENGTH = 16, /* elements of an array that stays in registers */
    MAX_DWORDS = 64, /* of all of them: half the registers of a SIMD8 thread */
};

/* The longest array that the path indexes by a value; 0: none. */
static unsigned indirect_length(nir_deref_instr *deref)
{
    unsigned length = 0;
    for (; deref && deref->deref_type != nir_deref_type_var; deref = nir_deref_instr_parent(deref)) {
        if (deref->deref_type == nir_deref_type_array && !nir_src_is_const(deref->arr.index))
            length = MAX2(length, glsl_length_of(nir_deref_instr_parent(deref)->type));
    }
    return length;
}

/* Variable → the longest of its arrays that is indexed by values. */
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

/* Dwords of the variables whose indexed arrays are all at most that long. */
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
