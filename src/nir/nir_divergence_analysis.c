/* SPDX-License-Identifier: MIT */
/*
 * Divergence analysis: which values may differ between the lanes of a vector. It starts with "all
 * uniform" and adds divergence up to a fixed point.
 *
 * Control flow makes values diverge in three places:
 * - phis after an if with a divergent condition;
 * - phis of a loop header that lanes reach through different continues;
 * - values that lanes take out of a loop in different iterations: phis after the loop, and values
 *   of the loop that are used outside.
 * Loop invariants are the same in every iteration, so leaving the loop doesn't make them divergent.
 *
 * A variable in scratch memory is the same in all lanes if all of its stores are: they store a
 * uniform value at a uniform offset while all lanes are active.
 */
#include "nir.h"

#include "nir_instr_set.h"
#include "nir_private.h"

#include "util/hash_table.h"
#include "util/log.h"

struct state {
    bool changed;
    /* Numbers of the scratch variables that may differ between lanes (see SCRATCH_KEY); NULL: the
     * shader has no scratch memory. */
    struct hash_table *divergent_vars;
};

/* How control flow within the innermost loop has diverged before the current position. */
struct loop_state {
    bool masked;             /* lanes may be inactive because of control flow outside of the loop */
    bool divergent_cf;       /* under a divergent if of this loop */
    bool divergent_continue; /* some lanes have started the next iteration */
    bool divergent_break;    /* some lanes have left the loop */
};

static bool any_src_divergent(nir_src *src, void *divergent)
{
    *(bool *)divergent |= src->ssa->divergent;
    return true;
}

static bool srcs_diverge(nir_instr *instr)
{
    bool divergent = false;
    nir_foreach_src(instr, any_src_divergent, &divergent);
    return divergent;
}

static bool load_deref_diverges(nir_intrinsic_instr *intr)
{
    nir_variable_mode same_for_all = nir_var_uniform | nir_var_mem_ubo | nir_var_mem_ssbo |
                                     nir_var_mem_shared | nir_var_mem_global | nir_var_image;
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    return !deref || (deref->modes & ~same_for_all) || deref->def.divergent;
}

/* Key of a scratch variable's number in state.divergent_vars. The key of number 0 stands for all
 * variables. */
#define SCRATCH_KEY(number) ((void *)((uintptr_t)(number) + 1))

static bool load_scratch_diverges(const struct state *s, const nir_intrinsic_instr *intr)
{
    const unsigned var = nir_intrinsic_scratch_var(intr);
    return !var || !s->divergent_vars || hash_table_search(s->divergent_vars, SCRATCH_KEY(0)) ||
           hash_table_search(s->divergent_vars, SCRATCH_KEY(var)) || intr->src[0].ssa->divergent;
}

static bool lanes_are_masked(const struct loop_state *loop)
{
    return loop->masked || loop->divergent_cf || loop->divergent_continue || loop->divergent_break;
}

static void visit_store_scratch(struct state *s, const struct loop_state *loop,
                                nir_intrinsic_instr *intr)
{
    const unsigned var = nir_intrinsic_scratch_var(intr);
    if (!s->divergent_vars || (!lanes_are_masked(loop) && !srcs_diverge(&intr->instr)) ||
        hash_table_search(s->divergent_vars, SCRATCH_KEY(var)))
        return;
    hash_table_insert(s->divergent_vars, SCRATCH_KEY(var), NULL);
    s->changed = true;
}

static bool instr_diverges(const struct state *s, nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return srcs_diverge(instr);
    nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    if (intr->intrinsic == nir_intrinsic_load_deref)
        return load_deref_diverges(intr);
    if (intr->intrinsic == nir_intrinsic_load_scratch)
        return load_scratch_diverges(s, intr);
    if (intr->intrinsic == nir_intrinsic_read_invocation ||
        intr->intrinsic == nir_intrinsic_shuffle)
        return intr->src[0].ssa->divergent && intr->src[1].ssa->divergent;
    if (intr->intrinsic == nir_intrinsic_reduce && !nir_intrinsic_cluster_size(intr))
        return false;
    switch (nir_intrinsic_infos[intr->intrinsic].divergence) {
    case nir_divergence_never:
        return false;
    case nir_divergence_always:
        return true;
    default:
        return srcs_diverge(instr);
    }
}

static void set_divergent(struct state *s, nir_def *def)
{
    s->changed |= !def->divergent;
    def->divergent = true;
}

static bool are_same(nir_def *a, nir_def *b)
{
    return a == b || (a->parent_instr->type == nir_instr_type_load_const &&
                      nir_instrs_equal(a->parent_instr, b->parent_instr));
}

static bool phi_srcs_differ(nir_phi_instr *phi)
{
    nir_def *first = NULL;
    nir_foreach_phi_src (src, phi) {
        if (nir_src_is_undef(src->src))
            continue;
        if (first && !are_same(first, src->src.ssa))
            return true;
        first = src->src.ssa;
    }
    return false;
}

/* Updates the phis. merges: lanes arrive from different predecessors at the same time. */
static void visit_phis(struct state *s, nir_block *block, bool merges)
{
    nir_foreach_instr (instr, block) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        if (srcs_diverge(instr) || (merges && phi_srcs_differ(phi)))
            set_divergent(s, &phi->def);
    }
}

/* Returns true if the phi has the same value for all lanes, regardless of the iteration in which
 * they leave. */
static bool is_invariant_phi(const nir_loop *loop, nir_phi_instr *phi)
{
    nir_def *value = NULL;
    bool undef = false;
    nir_foreach_phi_src (src, phi) {
        undef |= nir_src_is_undef(src->src);
        value = nir_src_is_undef(src->src) ? value : src->src.ssa;
    }
    if (phi_srcs_differ(phi) || (value && undef))
        return false;
    return !value || nir_is_loop_invariant(loop, value);
}

static void visit_block(struct state *s, struct loop_state *loop, nir_block *block)
{
    nir_foreach_instr (instr, block) {
        if (instr->type == nir_instr_type_phi)
            continue;
        nir_def *def = nir_instr_def(instr);
        if (def && instr_diverges(s, instr))
            set_divergent(s, def);
        if (instr->type == nir_instr_type_intrinsic &&
            nir_instr_as_intrinsic(instr)->intrinsic == nir_intrinsic_store_scratch)
            visit_store_scratch(s, loop, nir_instr_as_intrinsic(instr));
        if (instr->type != nir_instr_type_jump)
            continue;
        bool apart = loop->divergent_cf || loop->divergent_continue || loop->divergent_break;
        nir_jump_type type = nir_instr_as_jump(instr)->type;
        if (type == nir_jump_continue)
            loop->divergent_continue |= apart;
        else
            loop->divergent_break |= apart;
    }
}

static bool is_used_outside(nir_def *def, const nir_loop *loop)
{
    nir_foreach_use_including_if(src, def)
    {
        if (!nir_loop_contains(loop, nir_src_use_block(src)))
            return true;
    }
    return false;
}

/* Marks the values that lanes take out of a loop in different iterations: phis after the loop, and
 * values of the loop that other instructions outside use. */
static void visit_escaping_defs(struct state *s, nir_loop *loop, nir_block *after)
{
    nir_mark_loop_invariants(loop);
    nir_foreach_instr (instr, after) {
        if (instr->type != nir_instr_type_phi)
            break;
        if (!is_invariant_phi(loop, nir_instr_as_phi(instr)))
            set_divergent(s, nir_instr_def(instr));
    }
    for (nir_block *block = nir_loop_first_block(loop); block != after;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block) {
            nir_def *def = nir_instr_def(instr);
            if (def && !def->divergent && !nir_is_loop_invariant(loop, def) &&
                is_used_outside(def, loop))
                set_divergent(s, def);
        }
    }
}

static void visit_list(struct state *s, struct loop_state *loop, struct list_head *list);

static void visit_if(struct state *s, struct loop_state *loop, nir_if *nif)
{
    bool divergent = nif->condition.ssa->divergent;
    struct loop_state inner = *loop;
    inner.divergent_cf |= divergent;
    struct loop_state then_state = inner, else_state = inner;
    visit_list(s, &then_state, &nif->then_list);
    visit_list(s, &else_state, &nif->else_list);
    loop->divergent_continue = then_state.divergent_continue || else_state.divergent_continue;
    loop->divergent_break = then_state.divergent_break || else_state.divergent_break;
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&nif->cf_node));
    visit_phis(s, following, divergent);
}

static void visit_loop(struct state *s, const struct loop_state *outer_state, nir_loop *loop)
{
    const bool masked = lanes_are_masked(outer_state);
    struct loop_state state = {.masked = masked, .divergent_break = loop->divergent};
    nir_block *head = nir_loop_first_block(loop);
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    bool again = true;
    while (again) {
        bool outer = s->changed;
        bool continues_apart = state.divergent_continue;
        s->changed = false;
        visit_phis(s, head, continues_apart);
        state = (struct loop_state){.masked = masked, .divergent_break = loop->divergent};
        visit_list(s, &state, &loop->body);
        again = s->changed || state.divergent_continue != continues_apart ||
                loop->divergent != state.divergent_break;
        s->changed |= outer || loop->divergent != state.divergent_break;
        loop->divergent = state.divergent_break;
    }
    visit_phis(s, following, false);
    if (loop->divergent)
        visit_escaping_defs(s, loop, following);
}

static void visit_list(struct state *s, struct loop_state *loop, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block)
            visit_block(s, loop, nir_cf_node_as_block(node));
        else if (node->type == nir_cf_node_if)
            visit_if(s, loop, nir_cf_node_as_if(node));
        else
            visit_loop(s, loop, nir_cf_node_as_loop(node));
    }
}

static void reset_list(struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_if) {
            reset_list(&nir_cf_node_as_if(node)->then_list);
            reset_list(&nir_cf_node_as_if(node)->else_list);
        } else if (node->type == nir_cf_node_loop) {
            nir_cf_node_as_loop(node)->divergent = false;
            reset_list(&nir_cf_node_as_loop(node)->body);
        } else {
            nir_foreach_instr (instr, nir_cf_node_as_block(node)) {
                nir_def *def = nir_instr_def(instr);
                if (def)
                    def->divergent = false;
            }
        }
    }
}

void nir_divergence_analysis(nir_shader *shader)
{
    nir_foreach_function_impl (impl, shader) {
        struct state s = {
            .divergent_vars = shader->scratch_size ? hash_table_create_pointer(shader) : NULL,
        };
        nir_metadata_require(impl, nir_metadata_block_index);
        reset_list(&impl->body);
        do {
            struct loop_state none = {0};
            s.changed = false;
            visit_list(&s, &none, &impl->body);
        } while (s.changed);
        hash_table_destroy(s.divergent_vars);
        impl->valid_metadata |= nir_metadata_divergence;
    }
}

static bool has_uniform_sources(nir_instr *instr)
{
    if (instr->type != nir_instr_type_intrinsic)
        return true;
    const nir_intrinsic_instr *intr = nir_instr_as_intrinsic(instr);
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    for (unsigned i = 0; i < info->num_srcs; i++) {
        if (info->uniform_srcs >> i & 1 && intr->src[i].ssa->divergent) {
            log_error("NIR: source %u of %s differs between lanes", i, info->name);
            return false;
        }
    }
    return true;
}

bool nir_sources_are_uniform(nir_shader *shader)
{
    nir_foreach_function_impl (impl, shader) {
        nir_foreach_block (block, impl) {
            nir_foreach_instr (instr, block) {
                if (!has_uniform_sources(instr))
                    return false;
            }
        }
    }
    return true;
}
