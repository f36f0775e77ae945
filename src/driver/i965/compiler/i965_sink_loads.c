/* SPDX-License-Identifier: MIT */
/*
 * Moves loads that become messages down to their first uses in the block: loads of inputs, and
 * loads of scratch memory, but these not past the next store to it. Earlier passes leave many of
 * them at the start of a shader or before an emitted vertex, so their values would occupy registers
 * for long. Instructions that build vectors, which cost nothing, move along. If there are enough
 * registers, the scheduler moves messages up again. Runs after i965_join_urb() and
 * i965_join_scratch().
 */
#include "from_nir.h"

struct sink {
    /* Sort key of each instruction's position in the block, by the instruction's index. Bits 63:32:
     * index of the instruction that it was moved to, or its own. Bits 31:0: lower for those moved
     * later, which are placed first. */
    uint64_t *place;
    /* The first of the instructions that were moved to an instruction, by the latter's index. */
    nir_instr **head;
    uint32_t moved; /* Number of instructions moved. */
};

/* How an instruction may move. KIND_OTHER and KIND_SCRATCH_STORE stay. */
enum kind { KIND_OTHER, KIND_ANYWHERE, KIND_SCRATCH_LOAD, KIND_SCRATCH_STORE };

static enum kind kind_of(const nir_instr *instr)
{
    if (instr->type == nir_instr_type_alu) {
        nir_op op = nir_instr_as_alu((nir_instr *)instr)->op;
        return op == nir_op_mov || nir_op_is_vec(op) ? KIND_ANYWHERE : KIND_OTHER;
    }
    if (instr->type != nir_instr_type_intrinsic)
        return KIND_OTHER;
    switch (nir_instr_as_intrinsic((nir_instr *)instr)->intrinsic) {
    case nir_intrinsic_load_per_vertex_input:
    case nir_intrinsic_load_input:
        return KIND_ANYWHERE;
    case nir_intrinsic_load_scratch:
        return KIND_SCRATCH_LOAD;
    case nir_intrinsic_store_scratch:
    case nir_intrinsic_clear_scratch:
        return KIND_SCRATCH_STORE;
    default:
        return KIND_OTHER;
    }
}

/* Returns the first instruction in the block of `def` that uses it, or NULL. */
static nir_instr *first_use(const struct sink *s, const nir_def *def)
{
    nir_instr *first = NULL;
    nir_foreach_use_including_if(src, def)
    {
        nir_instr *user = nir_src_is_if(src) ? NULL : nir_src_parent_instr(src);
        if (user && user->block == def->parent_instr->block && user->type != nir_instr_type_phi &&
            (!first || s->place[user->index] < s->place[first->index]))
            first = user;
    }
    return first;
}

/* Moves instructions of a block, from the last to the first. Returns whether it moved one. */
static bool sink_in_block(struct sink *s, nir_block *block)
{
    nir_instr *store = NULL; /* The next scratch store. */
    bool progress = false;
    nir_foreach_instr_reverse_safe(instr, block)
    {
        enum kind kind = kind_of(instr);
        if (kind == KIND_SCRATCH_STORE)
            store = instr;
        if (kind != KIND_ANYWHERE && kind != KIND_SCRATCH_LOAD)
            continue;
        nir_instr *use = first_use(s, nir_instr_def(instr));
        if (use && store && kind == KIND_SCRATCH_LOAD &&
            s->place[store->index] < s->place[use->index])
            use = store;
        if (!use)
            continue;
        nir_instr **head = &s->head[s->place[use->index] >> 32];
        if (!nir_instr_move(nir_before_instr(*head ? *head : use), instr))
            continue;
        /* The new position is before the instructions that were moved there earlier. */
        s->place[instr->index] = (s->place[use->index] & ~(uint64_t)UINT32_MAX) | ~++s->moved;
        *head = instr;
        progress = true;
    }
    return progress;
}

bool i965_sink_loads(nir_shader *nir)
{
    nir_function_impl *impl = nir_shader_get_entrypoint(nir);
    bool progress = false;
    unsigned count = 1;
    nir_index_instrs(impl);
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block)
            count = MAX2(count, instr->index + 1);
    }
    void *tmp = talloc_new(NULL);
    struct sink s = {.place = talloc_array(tmp, uint64_t, count),
                     .head = talloc_zero_array(tmp, nir_instr *, count)};
    for (unsigned i = 0; i < count; i++)
        s.place[i] = (uint64_t)i << 32 | UINT32_MAX;
    nir_foreach_block (block, impl)
        progress |= sink_in_block(&s, block);
    talloc_free(tmp);
    if (progress)
        nir_metadata_preserve(impl, nir_metadata_control_flow);
    return progress;
}
