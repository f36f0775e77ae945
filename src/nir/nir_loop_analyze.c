/* SPDX-License-Identifier: MIT */
/*
 * Loop analysis: exits, trip counts and induction variables. Trip counts are found by evaluating
 * the exit conditions iteration by iteration from the initial values of the header's phis. This
 * works for any loop whose exits depend only on constants, whatever arithmetic they use.
 */
#include "nir_loop_analyze.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/hash_table.h"

/* --- Structure --- */

static bool is_lone_break(nir_block *block)
{
    return nir_block_ends_in_jump(block) &&
           nir_instr_as_jump(nir_block_last_instr(block))->type == nir_jump_break;
}

static unsigned count_jumps(struct list_head *list)
{
    unsigned n = 0;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block) {
            n += nir_block_ends_in_jump(nir_cf_node_as_block(node));
        } else if (node->type == nir_cf_node_if) {
            n += count_jumps(&nir_cf_node_as_if(node)->then_list);
            n += count_jumps(&nir_cf_node_as_if(node)->else_list);
        } else {
            /* Except for returns, jumps of an inner loop stay within it. */
            nir_loop *inner = nir_cf_node_as_loop(node);
            nir_block *following = nir_cf_node_as_block(nir_cf_node_next(node));
            for (nir_block *block = nir_loop_first_block(inner); block != following;
                 block = nir_block_cf_tree_next(block)) {
                if (nir_block_ends_in_jump(block) &&
                    nir_instr_as_jump(nir_block_last_instr(block))->type <= nir_jump_halt)
                    n++;
            }
        }
    }
    return n;
}

static bool is_terminator(nir_if *nif, bool *break_if)
{
    bool then_breaks = is_lone_break(nir_if_last_then_block(nif));
    bool else_breaks = is_lone_break(nir_if_last_else_block(nif));
    *break_if = then_breaks;
    return then_breaks != else_breaks &&
           count_jumps(&nif->then_list) + count_jumps(&nif->else_list) == 1;
}

static void find_terminators(struct nir_loop_info *info, nir_loop *loop)
{
    nir_foreach_cf_node(node, &loop->body)
    {
        bool break_if;
        if (node->type != nir_cf_node_if || !is_terminator(nir_cf_node_as_if(node), &break_if))
            continue;
        info->terminators = talloc_realloc(info, info->terminators, struct nir_loop_terminator,
                                           info->num_terminators + 1);
        info->terminators[info->num_terminators++] =
            (struct nir_loop_terminator){nir_cf_node_as_if(node), break_if, -1};
    }
    info->complex = count_jumps(&loop->body) != info->num_terminators;
}

static void count_instrs(struct nir_loop_info *info, nir_loop *loop)
{
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    for (nir_block *block = nir_loop_first_block(loop); block != following;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block) {
            info->num_instrs++;
            info->has_indirect |= instr->type == nir_instr_type_deref &&
                                  nir_instr_as_deref(instr)->deref_type == nir_deref_type_array &&
                                  !nir_src_is_const(nir_instr_as_deref(instr)->arr.index);
        }
    }
}

/* --- Size --- */

unsigned nir_instr_size(const nir_shader_compiler_options *options, const nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
        return nir_instr_as_alu(instr)->def.num_components;
    case nir_instr_type_tex:
        return options ? MAX2(options->texture_size, 1) : 1;
    case nir_instr_type_intrinsic:
    case nir_instr_type_call:
    case nir_instr_type_phi:
        return 1;
    default:
        return 0;
    }
}

/* Values that are constant in each iteration, given those of the header's phis. */
struct known_values {
    struct hash_table *defs; /* set of nir_def */
    bool known;
};

static bool check_known(nir_src *src, void *data)
{
    struct known_values *v = data;
    v->known &= src->ssa->parent_instr->type == nir_instr_type_load_const ||
                hash_table_get(v->defs, src->ssa);
    return v->known;
}

/* Returns whether all sources are known. */
static bool is_known(struct known_values *v, nir_instr *instr)
{
    v->known = true;
    nir_foreach_src(instr, check_known, v);
    return v->known;
}

static void add_known(struct known_values *v, nir_def *def)
{
    hash_table_insert(v->defs, def, def);
}

static void find_known_values(struct known_values *v, nir_loop *loop)
{
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    for (nir_block *block = nir_loop_first_block(loop); block != following;
         block = nir_block_cf_tree_next(block))
        nir_foreach_instr (instr, block)
            if (instr->type == nir_instr_type_alu && is_known(v, instr))
                add_known(v, &nir_instr_as_alu(instr)->def);
}

static nir_def *phi_source(nir_phi_instr *phi, nir_loop *loop, bool initial);

/* Adds the header's phis whose values follow from constants: starts with those whose value before
 * the loop is constant, and removes those whose next value isn't known. */
static void find_known_phis(struct known_values *v, nir_loop *loop)
{
    bool removed = true;
    nir_block *header = nir_loop_first_block(loop);
    nir_foreach_instr (instr, header) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_def *init = phi_source(nir_instr_as_phi(instr), loop, true);
        if (init && init->parent_instr->type == nir_instr_type_load_const)
            add_known(v, nir_instr_def(instr));
    }
    for (unsigned round = 0; removed; round++) {
        struct known_values next = {.defs = hash_table_create_pointer(v->defs)};
        find_known_values(v, loop);
        removed = false;
        nir_foreach_instr (instr, header) {
            if (instr->type != nir_instr_type_phi)
                break;
            nir_def *def = nir_instr_def(instr);
            nir_def *update = phi_source(nir_instr_as_phi(instr), loop, false);
            bool stays = round < 3 && update && header->num_predecessors == 2 &&
                         (update->parent_instr->type == nir_instr_type_load_const ||
                          hash_table_get(v->defs, update));
            if (!hash_table_get(v->defs, def))
                continue;
            removed |= !stays;
            if (stays)
                add_known(&next, def);
        }
        if (removed)
            v->defs = next.defs;
    }
}

static bool has_known_index(struct known_values *v, nir_deref_instr *deref)
{
    const nir_variable_mode local = nir_var_function_temp | nir_var_shader_temp;
    nir_src *index = deref->deref_type == nir_deref_type_array ? &deref->arr.index : NULL;
    bool sampler = glsl_type_is_sampler(glsl_without_array(deref->type));
    return index && ((deref->modes & local) || sampler) && hash_table_get(v->defs, index->ssa);
}

static void find_size(struct nir_loop_info *info, nir_loop *loop,
                      const nir_shader_compiler_options *options)
{
    struct known_values v = {.defs = hash_table_create_pointer(NULL)};
    void *mem_ctx = v.defs;
    nir_block *following = nir_cf_node_as_block(nir_cf_node_next(&loop->cf_node));
    find_known_phis(&v, loop);
    for (nir_block *block = nir_loop_first_block(loop); block != following;
         block = nir_block_cf_tree_next(block)) {
        nir_foreach_instr (instr, block) {
            const unsigned size = nir_instr_size(options, instr);
            nir_def *def = nir_instr_def(instr);
            info->size += size;
            info->known_size += def && hash_table_get(v.defs, def) ? size : 0;
            info->has_known_index |= instr->type == nir_instr_type_deref &&
                                     has_known_index(&v, nir_instr_as_deref(instr));
        }
    }
    hash_table_destroy(mem_ctx);
}

/* --- Trip counts --- */

struct evaluator {
    nir_loop *loop;
    void *mem_ctx;
    struct hash_table *phis;  /* header phi → value in this iteration; absent: unknown */
    struct hash_table *cache; /* def → value in this iteration */
    unsigned depth;
};

struct value {
    nir_const_value comps[NIR_MAX_VEC_COMPONENTS];
};

static const struct value *evaluate(struct evaluator *e, nir_def *def);

static const struct value *evaluate_alu(struct evaluator *e, nir_alu_instr *alu)
{
    const nir_op_info *info = &nir_op_infos[alu->op];
    nir_const_value srcs[NIR_ALU_MAX_INPUTS][NIR_MAX_VEC_COMPONENTS], *ptrs[NIR_ALU_MAX_INPUTS];
    unsigned bit_size = alu->def.bit_size;
    bool sized = nir_alu_type_get_type_size(info->output_type) != 0;
    for (unsigned s = 0; s < info->num_inputs; s++) {
        const struct value *v = evaluate(e, alu->src[s].src.ssa);
        if (!v)
            return NULL;
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
            srcs[s][c] = v->comps[nir_alu_src_comp(&alu->src[s], c)];
        ptrs[s] = srcs[s];
        if (sized && nir_alu_type_get_type_size(info->input_types[s]) == 0)
            bit_size = alu->src[s].src.ssa->bit_size;
    }
    struct value *result = talloc_zero(e->mem_ctx, struct value);
    nir_eval_const_opcode(alu->op, result->comps, alu->def.num_components, bit_size, ptrs);
    return result;
}

static const struct value *evaluate(struct evaluator *e, nir_def *def)
{
    struct hash_entry *known = hash_table_search(e->cache, def);
    if (known)
        return known->data;
    const struct value *result = NULL;
    nir_instr *instr = def->parent_instr;
    if (instr->type == nir_instr_type_load_const) {
        struct value *v = talloc_zero(e->mem_ctx, struct value);
        memcpy(v->comps, nir_instr_as_load_const(instr)->value,
               def->num_components * sizeof v->comps[0]);
        result = v;
    } else if (instr->type == nir_instr_type_phi) {
        result = hash_table_get(e->phis, nir_instr_as_phi(instr));
    } else if (instr->type == nir_instr_type_alu && e->depth < 64) {
        e->depth++;
        result = evaluate_alu(e, nir_instr_as_alu(instr));
        e->depth--;
    }
    hash_table_insert(e->cache, def, (void *)result);
    return result;
}

/* Returns the source of a header phi from before the loop or from the only back edge. */
static nir_def *phi_source(nir_phi_instr *phi, nir_loop *loop, bool initial)
{
    nir_block *before = nir_cf_node_as_block(nir_cf_node_prev(&loop->cf_node));
    nir_foreach_phi_src (src, phi) {
        if ((src->pred == before) == initial)
            return src->src.ssa;
    }
    return NULL;
}

static void enter_iteration(struct evaluator *e, bool initial)
{
    struct hash_table *next = hash_table_create_pointer(e->mem_ctx);
    nir_foreach_instr (instr, nir_loop_first_block(e->loop)) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        nir_def *def = phi_source(phi, e->loop, initial);
        const struct value *v = def ? evaluate(e, def) : NULL;
        if (v)
            hash_table_insert(next, phi, (void *)v);
    }
    e->phis = next;
    hash_table_clear(e->cache);
}

/* Returns whether every iteration but the last runs from the first block to the last one: no
 * continue skips an exit or gives a phi another value. */
static bool runs_through(nir_loop *loop)
{
    const nir_block *header = nir_loop_first_block(loop), *last = nir_loop_last_block(loop);
    return header->num_predecessors == 2 && last->successors[0] == header;
}

/* Evaluates all exits in each iteration until one is certainly taken. An exit whose condition is
 * unknown in some iteration has no trip count. */
static void find_trips(struct nir_loop_info *info, nir_loop *loop, unsigned max)
{
    if (!runs_through(loop))
        return;
    struct evaluator e = {.loop = loop, .mem_ctx = talloc_new(NULL)};
    bool unknown = false;
    e.phis = hash_table_create_pointer(e.mem_ctx);
    e.cache = hash_table_create_pointer(e.mem_ctx);
    for (unsigned i = 0; i <= max && !info->limiting && info->num_terminators; i++) {
        unsigned known = 0;
        enter_iteration(&e, i == 0);
        for (unsigned t = 0; t < info->num_terminators && !info->limiting; t++) {
            struct nir_loop_terminator *term = &info->terminators[t];
            const struct value *v = evaluate(&e, term->nif->condition.ssa);
            unknown |= !v;
            known += v != NULL;
            if (v && v->comps[0].b == term->break_if) {
                term->trips = (int)i;
                info->limiting = term;
                info->max_trips = (int)i;
            }
        }
        if (!known && !info->limiting)
            break;
    }
    info->exact_trips = info->limiting && !unknown;
    talloc_free(e.mem_ctx);
}

/* --- Induction variables --- */

static bool constant_step(const nir_phi_instr *phi, nir_def *update, int64_t *step)
{
    if (update->parent_instr->type != nir_instr_type_alu || phi->def.num_components != 1 ||
        phi->def.bit_size > 32)
        return false;
    nir_alu_instr *alu = nir_instr_as_alu(update->parent_instr);
    if (alu->op != nir_op_iadd && alu->op != nir_op_isub)
        return false;
    unsigned self = alu->src[0].src.ssa == &phi->def ? 0 : 1, other = 1 - self;
    if (alu->src[self].src.ssa != &phi->def || !nir_src_is_const(alu->src[other].src) ||
        (alu->op == nir_op_isub && self == 1))
        return false;
    *step = nir_src_comp_as_int(alu->src[other].src, nir_alu_src_comp(&alu->src[other], 0));
    if (alu->op == nir_op_isub)
        *step = -*step;
    return true;
}

static void find_inductions(struct nir_loop_info *info, nir_loop *loop)
{
    nir_foreach_instr (instr, nir_loop_first_block(loop)) {
        if (instr->type != nir_instr_type_phi)
            break;
        nir_phi_instr *phi = nir_instr_as_phi(instr);
        struct nir_loop_induction var = {
            .phi = phi,
            .init = phi_source(phi, loop, true),
            .update = phi_source(phi, loop, false),
        };
        if (!var.init || !var.update || nir_loop_first_block(loop)->num_predecessors != 2)
            continue;
        var.has_step = constant_step(phi, var.update, &var.step);
        info->inductions = talloc_realloc(info, info->inductions, struct nir_loop_induction,
                                          info->num_inductions + 1);
        info->inductions[info->num_inductions++] = var;
    }
}

static void analyze_loop(nir_loop *loop, const nir_shader_compiler_options *options)
{
    talloc_free(loop->info);
    struct nir_loop_info *info = loop->info = talloc_zero(loop, struct nir_loop_info);
    info->max_trips = -1;
    count_instrs(info, loop);
    find_terminators(info, loop);
    find_trips(info, loop, options ? options->max_unroll_iterations : 0);
    find_inductions(info, loop);
    if (info->limiting)
        find_size(info, loop, options);
}

static void analyze_list(struct list_head *list, const nir_shader_compiler_options *options)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_if) {
            analyze_list(&nir_cf_node_as_if(node)->then_list, options);
            analyze_list(&nir_cf_node_as_if(node)->else_list, options);
        } else if (node->type == nir_cf_node_loop) {
            analyze_loop(nir_cf_node_as_loop(node), options);
            analyze_list(&nir_cf_node_as_loop(node)->body, options);
        }
    }
}

void nir_loop_analyze_impl(nir_function_impl *impl)
{
    analyze_list(&impl->body, nir_impl_shader(impl)->options);
}
