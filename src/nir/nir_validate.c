/* SPDX-License-Identifier: MIT */
/*
 * Checks every invariant that nir.h states. At the first violation it prints the shader and the
 * location and aborts; for untrusted shaders (nir_is_valid) it returns false. It doesn't trust
 * metadata: it checks the dominance of uses with a fresh analysis.
 */
#include "nir.h"

#include <setjmp.h>
#include <stdlib.h>
#include <talloc.h>

#include "nir_private.h"

#include "util/hash_table.h"
#include "util/log.h"
#include "util/options.h"

struct validator {
    nir_shader *shader;
    const char *when;
    void *mem_ctx;
    jmp_buf *broken; /* jump target on failure; NULL: abort */
    nir_function_impl *impl;
    nir_block *block;
    nir_instr *instr;
    struct hash_table *vars;      /* set of the variables that may be used */
    struct hash_table *blocks;    /* all blocks; data: a block that lists it as predecessor */
    unsigned edges, predecessors; /* number in the blocks so far */
    bitset_word *indices;         /* set of the value indices seen in the function */
};

bool nir_should_validate(void)
{
#ifdef NDEBUG
    return util_debug(DEBUG_VALIDATE);
#else
    return true;
#endif
}

static _Noreturn void fail(struct validator *v, const char *rule, int line)
{
    if (v->broken)
        longjmp(*v->broken, 1);
    nir_print_shader(v->shader, stderr);
    log_error("NIR validation failed %s: %s (nir_validate.c:%d)", v->when, rule, line);
    if (v->block)
        fprintf(stderr, "in block b%u\n", v->block->index);
    if (v->instr)
        nir_print_instr(v->instr, stderr);
    abort();
}

#define check(v, cond)                                                                             \
    do {                                                                                           \
        if (!(cond))                                                                               \
            fail(v, #cond, __LINE__);                                                              \
    } while (0)

/* --- Values --- */

static bool size_is_valid(unsigned bit_size)
{
    return bit_size == 1 || bit_size == 8 || bit_size == 16 || bit_size == 32 || bit_size == 64;
}

static bool components_are_valid(unsigned n)
{
    return (n >= 1 && n <= 5) || n == 8 || n == 16;
}

static void validate_def(struct validator *v, nir_def *def)
{
    check(v, def->parent_instr == v->instr);
    check(v, size_is_valid(def->bit_size));
    check(v, components_are_valid(def->num_components));
    check(v, def->index < v->impl->ssa_alloc);
    check(v, !bitset_test(v->indices, def->index));
    bitset_set(v->indices, def->index);
    nir_foreach_use_including_if(src, def)
    {
        check(v, src->ssa == def);
        check(v, src->use_link.next->prev == &src->use_link);
        if (nir_src_is_if(src))
            check(v, &nir_src_parent_if(src)->condition == src);
        else
            check(v, nir_src_parent_instr(src)->block != NULL);
    }
}

static bool validate_src(nir_src *src, void *data)
{
    struct validator *v = data;
    check(v, src->ssa != NULL);
    check(v, !nir_src_is_if(src) && nir_src_parent_instr(src) == v->instr);
    check(v, src->use_link.next && src->use_link.prev->next == &src->use_link);
    nir_instr *parent = src->ssa->parent_instr;
    check(v, parent->block != NULL);
    check(v, hash_table_search(v->blocks, parent->block) != NULL);
    return true;
}

static void validate_alu(struct validator *v, nir_alu_instr *alu)
{
    check(v, alu->op < nir_num_opcodes);
    const nir_op_info *info = &nir_op_infos[alu->op];
    unsigned bit_size = 0;
    unsigned out_size = nir_alu_type_get_type_size(info->output_type);
    check(v, info->output_size == 0 || info->output_size == alu->def.num_components);
    if (out_size)
        check(v, alu->def.bit_size == out_size);
    else
        bit_size = alu->def.bit_size;
    for (unsigned i = 0; i < info->num_inputs; i++) {
        nir_def *src = alu->src[i].src.ssa;
        unsigned size = nir_alu_type_get_type_size(info->input_types[i]);
        if (size) {
            check(v, src->bit_size == size);
        } else {
            check(v, bit_size == 0 || src->bit_size == bit_size);
            bit_size = src->bit_size;
        }
        if (nir_alu_type_get_base_type(info->input_types[i]) == nir_type_float && !size)
            check(v, bit_size >= 16);
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, i); c++)
            check(v, nir_alu_src_comp(&alu->src[i], c) < src->num_components);
    }
    if (nir_alu_type_get_base_type(info->output_type) == nir_type_float)
        check(v, alu->def.bit_size >= 16);
}

static void validate_deref(struct validator *v, nir_deref_instr *deref)
{
    check(v, deref->type != NULL);
    check(v, !(deref->modes & ~v->impl->deref_modes));
    check(v, deref->def.num_components == 1);
    if (deref->deref_type == nir_deref_type_var) {
        check(v, hash_table_search(v->vars, deref->var) != NULL);
        check(v, deref->modes == deref->var->data.mode);
        check(v, glsl_type_equal(deref->type, deref->var->type));
        return;
    }
    if (deref->deref_type == nir_deref_type_cast)
        return;
    nir_deref_instr *parent = nir_src_as_deref(deref->parent);
    check(v, parent != NULL);
    check(v, parent->modes == deref->modes);
    switch (deref->deref_type) {
    case nir_deref_type_array:
    case nir_deref_type_array_wildcard:
        check(v, glsl_type_is_array(parent->type) || glsl_type_is_matrix(parent->type) ||
                     glsl_type_is_vector(parent->type));
        check(v, glsl_type_equal(deref->type, glsl_element_of(parent->type)));
        if (deref->deref_type == nir_deref_type_array)
            check(v, deref->arr.index.ssa->num_components == 1);
        break;
    case nir_deref_type_struct:
        check(v, glsl_type_is_struct_or_ifc(parent->type));
        check(v, deref->strct.index < parent->type->length);
        check(v, glsl_type_equal(deref->type, parent->type->fields[deref->strct.index].type));
        break;
    default:
        check(v, !"deref type");
    }
}

static void validate_call(struct validator *v, nir_call_instr *call)
{
    bool callee_is_in_shader = false;
    nir_foreach_function (function, v->shader)
        callee_is_in_shader |= function == call->callee;
    check(v, callee_is_in_shader);
    check(v, call->num_params == call->callee->num_params);
    for (unsigned i = 0; i < call->num_params; i++) {
        const nir_parameter *param = &call->callee->params[i];
        if (param->is_deref) {
            check(v, nir_src_as_deref(call->params[i]) != NULL);
        } else {
            check(v, call->params[i].ssa->num_components == param->num_components);
            check(v, call->params[i].ssa->bit_size == param->bit_size);
        }
    }
}

static void validate_deref_access(struct validator *v, nir_intrinsic_instr *intr)
{
    nir_deref_instr *deref = nir_src_as_deref(intr->src[0]);
    check(v, deref != NULL);
    if (intr->intrinsic == nir_intrinsic_load_deref) {
        check(v, glsl_type_is_vector_or_scalar(deref->type));
        check(v, intr->num_components == deref->type->vector_elements);
        check(v, intr->def.bit_size == glsl_bit_size(deref->type));
    } else if (intr->intrinsic == nir_intrinsic_store_deref) {
        check(v, glsl_type_is_vector_or_scalar(deref->type));
        check(v, intr->num_components == deref->type->vector_elements);
        check(v, intr->src[1].ssa->bit_size == glsl_bit_size(deref->type));
        check(v, !(deref->modes &
                   (nir_var_shader_in | nir_var_system_value | nir_var_uniform | nir_var_mem_ubo)));
    } else {
        nir_deref_instr *src = nir_src_as_deref(intr->src[1]);
        check(v, src != NULL);
    }
}

static void validate_intrinsic(struct validator *v, nir_intrinsic_instr *intr)
{
    check(v, intr->intrinsic < nir_num_intrinsics);
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    for (unsigned i = 0; i < info->num_srcs; i++) {
        if (info->src_components[i] >= 0)
            check(v, intr->src[i].ssa->num_components == nir_intrinsic_src_components(intr, i));
    }
    if (info->has_dest) {
        check(v, intr->def.num_components == nir_intrinsic_dest_components(intr));
        check(v, info->dest_bit_sizes == 0 || (info->dest_bit_sizes & intr->def.bit_size));
        check(v, !info->dest_like_src || intr->def.bit_size == nir_src_bit_size(intr->src[0]));
    }
    if (nir_intrinsic_has_write_mask(intr))
        check(v, !(nir_intrinsic_write_mask(intr) & ~BITFIELD_MASK(intr->num_components)));
    if (nir_intrinsic_has_align_mul(intr)) {
        check(v, util_is_power_of_two(nir_intrinsic_align_mul(intr)));
        check(v, nir_intrinsic_align_offset(intr) < nir_intrinsic_align_mul(intr));
    }
    if (intr->intrinsic == nir_intrinsic_load_deref ||
        intr->intrinsic == nir_intrinsic_store_deref || intr->intrinsic == nir_intrinsic_copy_deref)
        validate_deref_access(v, intr);
}

static void validate_tex(struct validator *v, nir_tex_instr *tex)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < tex->num_srcs; i++) {
        nir_tex_src_type type = tex->src[i].src_type;
        check(v, !(seen & (1u << type)));
        seen |= 1u << type;
        if (type == nir_tex_src_texture_deref || type == nir_tex_src_sampler_deref)
            check(v, nir_src_as_deref(tex->src[i].src) != NULL);
        else if (type == nir_tex_src_texture_handle)
            check(v,
                  tex->src[i].src.ssa->num_components == 1 && tex->src[i].src.ssa->bit_size == 64);
        else
            check(v, tex->src[i].src.ssa->num_components == nir_tex_instr_src_size(tex, i));
    }
    check(v, tex->def.num_components == nir_tex_instr_dest_size(tex));
    check(v, nir_alu_type_get_type_size(tex->dest_type) == tex->def.bit_size);
    check(v,
          !tex->is_residency || (tex->dest_type == nir_type_int32 && !nir_tex_instr_is_query(tex)));
}

static void validate_phi(struct validator *v, nir_phi_instr *phi)
{
    unsigned count = 0;
    if (phi->instr.node.prev != &v->block->instr_list)
        check(v, list_entry(phi->instr.node.prev, nir_instr, node)->type == nir_instr_type_phi);
    nir_foreach_phi_src (src, phi) {
        check(v, src->src.ssa->num_components == phi->def.num_components);
        check(v, src->src.ssa->bit_size == phi->def.bit_size);
        check(v, src->pred && hash_table_get(v->blocks, src->pred) == v->block);
        count++;
    }
    check(v, count == v->block->num_predecessors);
}

static void validate_jump(struct validator *v, nir_jump_instr *jump)
{
    check(v, jump->instr.node.next == &v->block->instr_list);
    check(v, jump->type <= nir_jump_continue);
}

static void validate_instr(struct validator *v, nir_instr *instr)
{
    v->instr = instr;
    check(v, instr->block == v->block);
    check(v, v->impl->instr_types & (1u << instr->type));
    check(v, v->impl->has_copies || !nir_instr_is_copy(instr));
    nir_foreach_src(instr, validate_src, v);
    nir_def *def = nir_instr_def(instr);
    if (def)
        validate_def(v, def);
    switch (instr->type) {
    case nir_instr_type_alu:
        validate_alu(v, nir_instr_as_alu(instr));
        break;
    case nir_instr_type_deref:
        validate_deref(v, nir_instr_as_deref(instr));
        break;
    case nir_instr_type_call:
        validate_call(v, nir_instr_as_call(instr));
        break;
    case nir_instr_type_tex:
        validate_tex(v, nir_instr_as_tex(instr));
        break;
    case nir_instr_type_intrinsic:
        validate_intrinsic(v, nir_instr_as_intrinsic(instr));
        break;
    case nir_instr_type_phi:
        validate_phi(v, nir_instr_as_phi(instr));
        break;
    case nir_instr_type_jump:
        validate_jump(v, nir_instr_as_jump(instr));
        break;
    default:
        break;
    }
    v->instr = NULL;
}

/* --- Control flow --- */

static nir_block *block_behind(nir_cf_node *node)
{
    nir_cf_node *next = nir_cf_node_next(node);
    return next ? nir_cf_node_as_block(next) : NULL;
}

static nir_loop *loop_around(nir_cf_node *node)
{
    while (node && node->type != nir_cf_node_loop)
        node = node->parent;
    return node ? nir_cf_node_as_loop(node) : NULL;
}

/* Stores the successors that follow from the position of the block and its jump. */
static void expected_successors(struct validator *v, nir_block *block, nir_block *succ[2])
{
    succ[0] = succ[1] = NULL;
    nir_cf_node *next = nir_cf_node_next(&block->cf_node), *parent = block->cf_node.parent;
    if (nir_block_ends_in_jump(block)) {
        nir_jump_type type = nir_instr_as_jump(nir_block_last_instr(block))->type;
        if (type == nir_jump_return || type == nir_jump_halt) {
            succ[0] = v->impl->end_block;
        } else {
            nir_loop *loop = loop_around(&block->cf_node);
            check(v, loop != NULL);
            succ[0] =
                type == nir_jump_break ? block_behind(&loop->cf_node) : nir_loop_first_block(loop);
        }
    } else if (next) {
        check(v, next->type != nir_cf_node_block);
        if (next->type == nir_cf_node_if) {
            succ[0] = nir_if_first_then_block(nir_cf_node_as_if(next));
            succ[1] = nir_if_first_else_block(nir_cf_node_as_if(next));
        } else {
            succ[0] = nir_loop_first_block(nir_cf_node_as_loop(next));
        }
    } else if (parent->type == nir_cf_node_if) {
        succ[0] = block_behind(parent);
    } else if (parent->type == nir_cf_node_loop) {
        succ[0] = nir_loop_first_block(nir_cf_node_as_loop(parent));
    } else {
        succ[0] = v->impl->end_block;
    }
}

/* Checks that each predecessor is the start of an edge and listed once. If the predecessors of all
 * blocks are as many as the edges, none is missing. */
static void validate_predecessors(struct validator *v, nir_block *block)
{
    for (unsigned i = 0; i < block->num_predecessors; i++) {
        nir_block *pred = block->predecessors[i];
        check(v, pred->successors[0] == block || pred->successors[1] == block);
        struct hash_entry *entry = hash_table_search(v->blocks, pred);
        check(v, entry && entry->data != block);
        entry->data = block;
    }
    v->predecessors += block->num_predecessors;
}

static void validate_block(struct validator *v, nir_block *block)
{
    nir_block *succ[2];
    v->block = block;
    expected_successors(v, block, succ);
    for (unsigned i = 0; i < 2; i++) {
        check(v, block->successors[i] == succ[i]);
        v->edges += succ[i] && !(i && succ[1] == succ[0]);
    }
    validate_predecessors(v, block);
    nir_foreach_instr (instr, block)
        validate_instr(v, instr);
}

static void validate_list(struct validator *v, struct list_head *list, nir_cf_node *parent)
{
    bool expect_block = true;
    check(v, !list_is_empty(list));
    nir_foreach_cf_node(node, list)
    {
        check(v, node->parent == parent);
        check(v, (node->type == nir_cf_node_block) == expect_block);
        expect_block = !expect_block;
        if (node->type == nir_cf_node_block) {
            validate_block(v, nir_cf_node_as_block(node));
        } else if (node->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(node);
            check(v, nir_src_is_if(&nif->condition) && nir_src_parent_if(&nif->condition) == nif);
            check(v, nif->condition.ssa && nif->condition.ssa->num_components == 1);
            check(v, nif->condition.use_link.next &&
                         nif->condition.use_link.prev->next == &nif->condition.use_link);
            check(v, hash_table_search(v->blocks, nif->condition.ssa->parent_instr->block));
            validate_list(v, &nif->then_list, node);
            validate_list(v, &nif->else_list, node);
        } else {
            check(v, node->type == nir_cf_node_loop);
            validate_list(v, &nir_cf_node_as_loop(node)->body, node);
        }
    }
    check(v, !expect_block);
}

static void collect_blocks(struct validator *v, struct list_head *list)
{
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_block) {
            hash_table_insert(v->blocks, nir_cf_node_as_block(node), NULL);
        } else if (node->type == nir_cf_node_if) {
            collect_blocks(v, &nir_cf_node_as_if(node)->then_list);
            collect_blocks(v, &nir_cf_node_as_if(node)->else_list);
        } else if (node->type == nir_cf_node_loop) {
            collect_blocks(v, &nir_cf_node_as_loop(node)->body);
        }
    }
}

/* --- Dominance of uses --- */

static bool validate_dominance(nir_src *src, void *data)
{
    struct validator *v = data;
    nir_instr *def = src->ssa->parent_instr, *user = v->instr;
    nir_block *at = user->block;
    if (user->type == nir_instr_type_phi)
        at = container_of(src, nir_phi_src, src)->pred;
    if (!at->imm_dom && at != nir_start_block(v->impl))
        return true; /* unreachable */
    if (def->block == at && user->type != nir_instr_type_phi)
        check(v, def->index < user->index);
    else
        check(v, nir_block_dominates(def->block, at));
    return true;
}

/* Compares the metadata that is marked valid with a fresh analysis. */
static void validate_metadata(struct validator *v)
{
    nir_metadata saved = v->impl->valid_metadata;
    unsigned count = 0, i = 0;
    nir_foreach_block (block, v->impl)
        count++;
    struct {
        unsigned index;
        nir_block *imm_dom;
    } *old = talloc_size(v->mem_ctx, count * sizeof *old);
    nir_foreach_block (block, v->impl) {
        old[i].index = block->index;
        old[i++].imm_dom = block->imm_dom;
    }
    v->impl->valid_metadata &= ~(nir_metadata_block_index | nir_metadata_dominance);
    nir_calc_dominance(v->impl);
    v->impl->valid_metadata = saved;
    i = 0;
    nir_foreach_block (block, v->impl) {
        v->block = block;
        if (saved & nir_metadata_block_index)
            check(v, old[i].index == block->index);
        if (saved & nir_metadata_dominance)
            check(v, old[i].imm_dom == block->imm_dom);
        i++;
    }
    talloc_free(old);
}

static void validate_uses(struct validator *v)
{

    unsigned index = 0;
    nir_foreach_block (block, v->impl) {
        nir_foreach_instr (instr, block)
            instr->index = index++;
    }
    v->impl->valid_metadata &= ~(nir_metadata_instr_index | nir_metadata_live_defs);
    nir_foreach_block (block, v->impl) {
        v->block = block;
        nir_foreach_instr (instr, block) {
            v->instr = instr;
            nir_foreach_src(instr, validate_dominance, v);
        }
        v->instr = NULL;
        nir_if *nif = nir_block_get_following_if(block);
        if (nif && (block->imm_dom || block == nir_start_block(v->impl)))
            check(v, nir_block_dominates(nif->condition.ssa->parent_instr->block, block));
    }
}

static void validate_impl(struct validator *v, nir_function_impl *impl)
{
    void *mem_ctx = talloc_new(v->mem_ctx);
    v->impl = impl;
    v->block = NULL;
    v->blocks = hash_table_create_pointer(mem_ctx);
    v->indices = talloc_zero_array(mem_ctx, bitset_word, BITSET_WORDS(impl->ssa_alloc));
    check(v, impl->cf_node.parent == NULL);
    check(v, list_is_empty(&impl->end_block->instr_list));
    nir_foreach_function_temp_variable(var, impl)
    {
        check(v, var->data.mode == nir_var_function_temp);
        hash_table_insert(v->vars, var, NULL);
    }
    collect_blocks(v, &impl->body);
    v->edges = v->predecessors = 0;
    validate_list(v, &impl->body, &impl->cf_node);
    validate_predecessors(v, impl->end_block);
    check(v, v->edges == v->predecessors);
    v->block = NULL;
    validate_metadata(v);
    validate_uses(v);
    v->impl = NULL;
    v->block = NULL;
    talloc_free(mem_ctx);
}

static void validate(struct validator *v)
{
    nir_shader *shader = v->shader;
    v->vars = hash_table_create_pointer(v->mem_ctx);
    nir_foreach_variable_in_list (var, &shader->variables) {
        check(v, var->type != NULL);
        check(v, util_is_power_of_two(var->data.mode));
        check(v, var->data.mode != nir_var_function_temp);
        hash_table_insert(v->vars, var, NULL);
    }
    nir_foreach_function (function, shader) {
        check(v, function->shader == shader);
        if (function->impl) {
            check(v, function->impl->function == function);
            validate_impl(v, function->impl);
        }
    }
}

void nir_validate_shader(nir_shader *shader, const char *when)
{
    struct validator v = {.shader = shader, .when = when, .mem_ctx = talloc_new(NULL)};
    validate(&v);
    talloc_free(v.mem_ctx);
}

static bool validates(struct validator *v)
{
    jmp_buf broken;
    v->broken = &broken;
    if (setjmp(broken))
        return false;
    validate(v);
    return true;
}

bool nir_is_valid(nir_shader *shader)
{
    struct validator v = {.shader = shader, .mem_ctx = talloc_new(NULL)};
    bool valid = validates(&v);
    talloc_free(v.mem_ctx);
    return valid;
}
