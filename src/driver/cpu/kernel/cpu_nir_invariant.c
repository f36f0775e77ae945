/* SPDX-License-Identifier: MIT */
/*
 * Code of the shader that computes the same for all vectors of a kernel's call, because it only
 * depends on constants and uniforms. It moves to the prologue, together with the loops and ifs that
 * contain nothing else and with stores to private arrays.
 *
 * LLVM hoists instructions out of the loop over vectors, too, but neither loops nor the branches
 * that large angles and other rare cases of math functions take. So this file moves loops, ifs,
 * stores, math functions, and whatever these need, and leaves other instructions to LLVM.
 *
 * Only code at the top level of the shader moves, which all vectors execute. The stores of a
 * private array in scratch memory move only together, and only if code that stays reads it after
 * all of them. Otherwise that code would read values from later in the shader or from the last
 * vector.
 */
#include "driver/cpu/kernel/cpu_nir.h"

#include "util/dynarray.h"
#include "util/hash_table.h"

enum {
    VARIES,
    INVARIANT,
    MOVES,
};

/* What moves: an instruction, or an if or loop with the phis after it. */
struct moved {
    nir_instr *instr;
    nir_cf_node *node;
};

struct finder {
    const struct cpu_kernel_builder *kb;
    /* Sets of scratch variables (by scratch_var + 1): those that stay, and those that code that
     * stays has read before the current position. */
    struct hash_table *stays, *read;
    struct hash_table *nodes;     /* set of ifs and loops that move */
    struct hash_table *unbounded; /* set of kb->unbounded_loops */
    bool changed;                 /* a variable was added to `stays` */
    bool failed;                  /* out of memory */
};

/* Limit of passes over the shader; each one after the first finds more variables that stay. */
#define MAX_PASSES 8

static void *key_of(const nir_intrinsic_instr *intr)
{
    return (void *)((uintptr_t)nir_intrinsic_scratch_var(intr) + 1);
}

static void add(struct finder *f, struct hash_table *set, void *key)
{
    f->failed |= !hash_table_insert(set, key, set);
}

static bool is_scratch_write(const nir_intrinsic_instr *intr)
{
    return intr->intrinsic == nir_intrinsic_store_scratch ||
           intr->intrinsic == nir_intrinsic_clear_scratch;
}

static bool intrinsic_may_move(const struct finder *f, const nir_intrinsic_instr *intr)
{
    switch (intr->intrinsic) {
    case nir_intrinsic_load_uniform:
    case nir_intrinsic_load_ubo:
    case nir_intrinsic_load_constant:
        return true;
    case nir_intrinsic_load_scratch:
        return nir_intrinsic_scratch_var(intr) && !hash_table_search(f->stays, key_of(intr));
    case nir_intrinsic_store_scratch:
    case nir_intrinsic_clear_scratch:
        return nir_intrinsic_scratch_var(intr) && !hash_table_search(f->stays, key_of(intr)) &&
               !hash_table_search(f->read, key_of(intr));
    default:
        return false;
    }
}

static bool may_move(const struct finder *f, nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_load_const:
    case nir_instr_type_undef:
        return true;
    case nir_instr_type_alu:
        return !(nir_op_infos[nir_instr_as_alu(instr)->op].algebraic_properties &
                 NIR_OP_IS_DERIVATIVE);
    case nir_instr_type_intrinsic:
        return intrinsic_may_move(f, nir_instr_as_intrinsic(instr));
    default:
        return false;
    }
}

static bool src_is_invariant(nir_src *src, void *unused)
{
    return src->ssa->parent_instr->pass_flags != VARIES;
}

/* Records the scratch access of an instruction that stays. */
static void leave(struct finder *f, nir_instr *instr)
{
    instr->pass_flags = VARIES;
    if (instr->type != nir_instr_type_intrinsic)
        return;
    nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    if (intr->intrinsic == nir_intrinsic_load_scratch) {
        add(f, f->read, key_of(intr));
    } else if (is_scratch_write(intr) && !hash_table_search(f->stays, key_of(intr))) {
        add(f, f->stays, key_of(intr));
        f->changed = true;
    }
}

static nir_block *first_block(nir_cf_node *node)
{
    return node->type == nir_cf_node_loop ? nir_loop_first_block(nir_cf_node_as_loop(node))
                                          : nir_if_first_then_block(nir_cf_node_as_if(node));
}

static nir_block *block_after(nir_cf_node *node)
{
    return nir_cf_node_as_block(nir_cf_node_next(node));
}

/* Calls cb for each block of an if or loop until a call returns false. Returns true if no call
 * returned false. */
static bool foreach_block_in(struct finder *f, nir_cf_node *node,
                             bool (*cb)(struct finder *f, nir_block *block))
{
    const nir_block *after = block_after(node);
    for (nir_block *block = first_block(node); block != after;
         block = nir_block_cf_tree_next(block)) {
        if (!cb(f, block))
            return false;
    }
    return true;
}

static bool assume_invariant(struct finder *f, nir_block *block)
{
    nir_foreach_instr (instr, block)
        instr->pass_flags = INVARIANT;
    return true;
}

static bool node_may_move(const struct finder *f, nir_cf_node *node)
{
    if (node->type == nir_cf_node_if)
        return src_is_invariant(&nir_cf_node_as_if(node)->condition, NULL);
    return !hash_table_search(f->unbounded, node);
}

static bool block_may_move(struct finder *f, nir_block *block)
{
    nir_foreach_instr (instr, block) {
        const bool flow = instr->type == nir_instr_type_phi || instr->type == nir_instr_type_jump;
        if ((!flow && !may_move(f, instr)) || !nir_foreach_src(instr, src_is_invariant, NULL))
            return false;
    }
    nir_cf_node *next = nir_cf_node_next(&block->cf_node);
    return !next || node_may_move(f, next);
}

/* Returns whether the phis at the start of the block after an if or loop that moves can move with
 * it. They may select values from before it. */
static bool phis_may_move(nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        if (!nir_foreach_src(instr, src_is_invariant, NULL))
            return false;
    }
    return true;
}

static bool leave_block(struct finder *f, nir_block *block)
{
    nir_foreach_instr (instr, block)
        leave(f, instr);
    return true;
}

static void visit_node(struct finder *f, nir_cf_node *node)
{
    foreach_block_in(f, node, assume_invariant);
    const bool moves = node_may_move(f, node) && foreach_block_in(f, node, block_may_move) &&
                       phis_may_move(block_after(node));
    if (moves)
        add(f, f->nodes, node);
    else
        foreach_block_in(f, node, leave_block);
    nir_foreach_instr (instr, block_after(node)) {
        if (instr->type != nir_instr_type_phi)
            break;
        instr->pass_flags = moves ? INVARIANT : VARIES;
    }
}

static void visit_block(struct finder *f, nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (instr->type == nir_instr_type_phi)
            continue; /* visit_node */
        if (may_move(f, instr) && nir_foreach_src(instr, src_is_invariant, NULL))
            instr->pass_flags = INVARIANT;
        else
            leave(f, instr);
    }
}

/* Sets pass_flags of all instructions to VARIES or INVARIANT, and f->nodes. Returns whether the
 * results agree with the variables that stay. */
static bool find_invariants(struct finder *f)
{
    unsigned passes = 0;
    do {
        if (f->failed || passes++ == MAX_PASSES)
            return false;
        f->changed = false;
        hash_table_clear(f->read);
        hash_table_clear(f->nodes);
        nir_foreach_cf_node(node, &f->kb->impl->body)
        {
            if (node->type == nir_cf_node_block)
                visit_block(f, nir_cf_node_as_block(node));
            else
                visit_node(f, node);
        }
    } while (f->changed);
    return !f->failed;
}

/* Returns whether an invariant instruction moves even if nothing else needs it. A load of scratch
 * memory must stay before the stores that follow it. */
static bool moves_by_itself(nir_instr *instr)
{
    if (instr->type == nir_instr_type_intrinsic) {
        const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
        return is_scratch_write(intr) || intr->intrinsic == nir_intrinsic_load_scratch;
    }
    if (instr->type != nir_instr_type_alu)
        return false;
    switch (nir_instr_as_alu(instr)->op) {
    case nir_op_fsin:
    case nir_op_fcos:
    case nir_op_fexp2:
    case nir_op_flog2:
    case nir_op_fpow:
        return true;
    default:
        return false;
    }
}

static bool src_moves(nir_src *src, void *unused)
{
    src->ssa->parent_instr->pass_flags = MOVES;
    return true;
}

static bool block_moves(struct finder *f, nir_block *block)
{
    nir_foreach_instr (instr, block)
        nir_foreach_src(instr, src_moves, NULL);
    nir_if *nif = nir_block_get_following_if(block);
    if (nif)
        src_moves(&nif->condition, NULL);
    return true;
}

static void phis_move(nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_foreach_src(instr, src_moves, NULL);
    }
}

/* Sets pass_flags of what moves from the blocks of the top level to MOVES. Walks in reverse order,
 * because sources precede their users. Ifs and loops of f->nodes move in any case. */
static void choose(struct finder *f)
{
    nir_cf_node *node = &nir_impl_last_block(f->kb->impl)->cf_node;
    for (; node; node = nir_cf_node_prev(node)) {
        if (node->type != nir_cf_node_block) {
            if (!hash_table_search(f->nodes, node))
                continue;
            phis_move(block_after(node));
            foreach_block_in(f, node, block_moves);
            if (node->type == nir_cf_node_if)
                src_moves(&nir_cf_node_as_if(node)->condition, NULL);
            continue;
        }
        nir_foreach_instr_reverse_safe(instr, nir_cf_node_as_block(node))
        {
            if (instr->pass_flags == INVARIANT && moves_by_itself(instr))
                instr->pass_flags = MOVES;
            if (instr->pass_flags == MOVES)
                nir_foreach_src(instr, src_moves, NULL);
        }
    }
}

/* Moves what was chosen to before the marker, in the same order. Returns false if out of memory. */
static bool move(struct finder *f, nir_instr *marker)
{
    DYNARRAY(struct moved) list = DYNARRAY_INIT(f->kb->shader);
    nir_foreach_cf_node(node, &f->kb->impl->body)
    {
        if (node->type != nir_cf_node_block) {
            if (hash_table_search(f->nodes, node) &&
                !dynarray_append(&list, ((struct moved){.node = node})))
                return false;
            continue;
        }
        nir_foreach_instr (instr, nir_cf_node_as_block(node)) {
            if (instr->pass_flags == MOVES && instr->type != nir_instr_type_phi &&
                instr != marker && !dynarray_append(&list, ((struct moved){.instr = instr})))
                return false;
        }
    }
    for (unsigned i = 0; i < list.count; i++) {
        const struct moved *m = &list.data[i];
        nir_cf_list part;
        if (m->instr) {
            nir_instr_move(nir_before_instr(marker), m->instr);
            continue;
        }
        nir_cf_extract(&part, nir_before_cf_node(m->node), nir_after_phis(block_after(m->node)));
        nir_cf_reinsert(&part, nir_before_instr(marker));
    }
    return true;
}

bool cpu_extract_invariants(struct cpu_kernel_builder *kb)
{
    nir_function_impl *impl = kb->impl;
    struct finder f = {
        .kb = kb,
        .stays = hash_table_create_pointer(kb->shader),
        .read = hash_table_create_pointer(kb->shader),
        .nodes = hash_table_create_pointer(kb->shader),
        .unbounded = hash_table_create_pointer(kb->shader),
    };
    bool done = f.stays && f.read && f.nodes && f.unbounded;
    for (unsigned i = 0; done && i < kb->num_unbounded_loops; i++)
        add(&f, f.unbounded, &kb->unbounded_loops[i]->cf_node);
    if (done && find_invariants(&f)) {
        nir_builder b = nir_builder_at(nir_before_impl(impl));
        nir_instr *marker = nir_imm_int(&b, 0)->parent_instr;
        marker->pass_flags = VARIES;
        choose(&f);
        done = move(&f, marker);
        nir_cf_extract(&kb->invariants, nir_before_impl(impl), nir_before_instr(marker));
        nir_instr_remove(marker);
        kb->has_invariants = true;
    }
    done = done && !f.failed;
    hash_table_destroy(f.stays);
    hash_table_destroy(f.read);
    hash_table_destroy(f.nodes);
    hash_table_destroy(f.unbounded);
    return done;
}
