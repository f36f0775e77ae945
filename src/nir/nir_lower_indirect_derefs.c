/* SPDX-License-Identifier: MIT */
/*
 * Replaces accesses with an index that is not constant by a tree of ifs over the index values, with
 * a direct access in each leaf. Out-of-range indices access the last element.
 */
#include "nir.h"

#include "nir_builder.h"
#include "nir_private.h"

struct state {
    nir_variable_mode modes;
    unsigned max_length;
    bool compact_only;
};

/* Returns the first step with a variable index into an array of at most max_length elements. */
static nir_deref_instr **find_indirect(const struct state *s, nir_deref_instr **step)
{
    for (; *step; step++) {
        if ((*step)->deref_type == nir_deref_type_array && !nir_src_is_const((*step)->arr.index) &&
            glsl_length_of(nir_deref_instr_parent(*step)->type) <= s->max_length)
            return step;
    }
    return NULL;
}

/* Emits the access: parent is the path so far, *step the rest. Returns the value of a load. */
static nir_def *emit(const struct state *s, nir_builder *b, nir_intrinsic_instr *intr,
                     nir_deref_instr *parent, nir_deref_instr **step);

static nir_def *emit_range(const struct state *s, nir_builder *b, nir_intrinsic_instr *intr,
                           nir_deref_instr *parent, nir_deref_instr **step, unsigned start,
                           unsigned end)
{
    if (end - start == 1)
        return emit(s, b, intr, nir_build_deref_array_imm(b, parent, start), step + 1);
    unsigned mid = start + (end - start) / 2;
    nir_def *index = (*step)->arr.index.ssa;
    nir_if *nif = nir_push_if(b, nir_ult_imm(b, index, mid));
    nir_def *low = emit_range(s, b, intr, parent, step, start, mid);
    nir_push_else(b, nif);
    nir_def *high = emit_range(s, b, intr, parent, step, mid, end);
    nir_pop_if(b, nif);
    return low ? nir_if_phi(b, low, high) : NULL;
}

static nir_def *emit(const struct state *s, nir_builder *b, nir_intrinsic_instr *intr,
                     nir_deref_instr *parent, nir_deref_instr **step)
{
    nir_deref_instr **indirect = find_indirect(s, step);
    for (; *step && step != indirect; step++)
        parent = nir_build_deref_follower(b, parent, *step);
    if (indirect)
        return emit_range(s, b, intr, parent, step, 0, glsl_length_of(parent->type));

    nir_intrinsic_instr *copy = nir_intrinsic_instr_create(b->shader, intr->intrinsic);
    copy->num_components = intr->num_components;
    memcpy(copy->const_index, intr->const_index, sizeof copy->const_index);
    copy->src[0] = nir_src_for_ssa(&parent->def);
    for (unsigned i = 1; i < nir_intrinsic_infos[intr->intrinsic].num_srcs; i++)
        copy->src[i] = nir_src_for_ssa(intr->src[i].ssa);
    bool has_dest = nir_intrinsic_infos[intr->intrinsic].has_dest;
    if (has_dest)
        nir_def_init(&copy->instr, &copy->def, intr->def.num_components, intr->def.bit_size);
    nir_builder_instr_insert(b, &copy->instr);
    return has_dest ? &copy->def : NULL;
}

static bool lower_intrinsic(const struct state *s, nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_intrinsic_value_deref(intr);
    nir_variable *var = deref ? nir_deref_instr_get_variable(deref) : NULL;
    if (!var || !(deref->modes & s->modes) || (s->compact_only && !var->data.compact))
        return false;

    nir_deref_path path;
    nir_deref_path_init(&path, deref, NULL);
    bool found = find_indirect(s, &path.path[1]) != NULL;
    if (found) {
        nir_builder b = nir_builder_at(nir_before_instr(&intr->instr));
        nir_def *value = emit(s, &b, intr, path.path[0], &path.path[1]);
        if (value)
            nir_def_rewrite_uses(&intr->def, value);
        nir_instr_remove(&intr->instr);
        nir_deref_instr_remove_if_unused(deref);
    }
    nir_deref_path_finish(&path);
    return found;
}

/* Inserting ifs splits blocks, so the walk follows the links to the next instruction. */
static bool lower_impl(const struct state *s, nir_function_impl *impl)
{
    bool progress = false;
    for (nir_block *block = nir_start_block(impl); block; block = nir_block_cf_tree_next(block)) {
        nir_instr *instr = nir_block_first_instr(block);
        while (instr) {
            nir_instr *next = instr->node.next == &block->instr_list
                                  ? NULL
                                  : list_entry(instr->node.next, nir_instr, node);
            if (instr->type == nir_instr_type_intrinsic &&
                lower_intrinsic(s, nir_instr_as_intrinsic(instr))) {
                progress = true;
                if (!next)
                    break;
                block = next->block;
            }
            instr = next;
        }
    }
    return nir_progress(progress, impl, nir_metadata_none);
}

static bool lower(nir_shader *shader, const struct state *s)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= lower_impl(s, impl);
    return progress;
}

bool nir_lower_indirect_derefs(nir_shader *shader, nir_variable_mode modes,
                               unsigned max_array_length)
{
    return lower(shader, &(struct state){.modes = modes, .max_length = max_array_length});
}

bool nir_lower_indirect_compact(nir_shader *shader, nir_variable_mode modes)
{
    return lower(shader, &(struct state){.modes = modes, .max_length = 16, .compact_only = true});
}
