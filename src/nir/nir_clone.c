/* SPDX-License-Identifier: MIT */
/* Copies of shaders and of extracted control flow. */
#include "nir.h"

#include <talloc.h>

#include "nir_private.h"

#include "util/hash_table.h"

struct cloner {
    nir_shader *dst;
    bool whole_shader;        /* variables, functions and types are copied, too */
    struct hash_table *map;   /* old to new variable, function, block and def */
    struct hash_table *types; /* old to new type, by pointer */
};

static void *remap(struct cloner *c, const void *old)
{
    return hash_table_get(c->map, old);
}

/* Returns the copy of old, or old itself if it is outside of the copied code. */
static nir_def *remap_def(struct cloner *c, nir_def *old)
{
    nir_def *copy = remap(c, old);
    return copy ? copy : old;
}

static const struct glsl_type *clone_type(struct cloner *c, const struct glsl_type *type)
{
    if (!c->whole_shader || !type)
        return type;
    const struct glsl_type *copy = hash_table_get(c->types, type);
    if (!copy) {
        copy = glsl_type_clone(c->dst, type);
        hash_table_insert(c->types, type, (void *)copy);
    }
    return copy;
}

static nir_src clone_src(struct cloner *c, const nir_src *src)
{
    return nir_src_for_ssa(remap_def(c, src->ssa));
}

static void clone_def(struct cloner *c, nir_instr *instr, nir_def *copy, const nir_def *def)
{
    nir_def_init(instr, copy, def->num_components, def->bit_size);
    copy->divergent = def->divergent;
    hash_table_insert(c->map, def, copy);
}

/* --- Instructions --- */

static nir_instr *clone_alu(struct cloner *c, const nir_alu_instr *alu)
{
    nir_alu_instr *copy = nir_alu_instr_create(c->dst, alu->op);
    copy->exact = alu->exact;
    copy->no_signed_wrap = alu->no_signed_wrap;
    copy->no_unsigned_wrap = alu->no_unsigned_wrap;
    for (unsigned i = 0; i < nir_op_infos[alu->op].num_inputs; i++) {
        copy->src[i].src = clone_src(c, &alu->src[i].src);
        copy->src[i].swizzle = alu->src[i].swizzle;
    }
    clone_def(c, &copy->instr, &copy->def, &alu->def);
    return &copy->instr;
}

static nir_instr *clone_deref(struct cloner *c, const nir_deref_instr *deref)
{
    nir_deref_instr *copy = nir_deref_instr_create(c->dst, deref->deref_type);
    copy->modes = deref->modes;
    copy->type = clone_type(c, deref->type);
    if (deref->deref_type == nir_deref_type_var) {
        nir_variable *var = remap(c, deref->var);
        copy->var = var ? var : deref->var;
    } else {
        copy->parent = clone_src(c, &deref->parent);
    }
    if (deref->deref_type == nir_deref_type_array)
        copy->arr.index = clone_src(c, &deref->arr.index);
    else if (deref->deref_type == nir_deref_type_struct)
        copy->strct.index = deref->strct.index;
    clone_def(c, &copy->instr, &copy->def, &deref->def);
    return &copy->instr;
}

static nir_instr *clone_call(struct cloner *c, const nir_call_instr *call)
{
    nir_function *callee = remap(c, call->callee);
    nir_call_instr *copy = nir_call_instr_create(c->dst, callee ? callee : call->callee);
    for (unsigned i = 0; i < call->num_params; i++)
        copy->params[i] = clone_src(c, &call->params[i]);
    return &copy->instr;
}

static nir_instr *clone_intrinsic(struct cloner *c, const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    nir_intrinsic_instr *copy = nir_intrinsic_instr_create(c->dst, intr->intrinsic);
    copy->num_components = intr->num_components;
    memcpy(copy->const_index, intr->const_index, sizeof copy->const_index);
    for (unsigned i = 0; i < info->num_srcs; i++)
        copy->src[i] = clone_src(c, &intr->src[i]);
    if (info->has_dest)
        clone_def(c, &copy->instr, &copy->def, &intr->def);
    return &copy->instr;
}

static nir_instr *clone_tex(struct cloner *c, const nir_tex_instr *tex)
{
    nir_tex_instr *copy = nir_tex_instr_create(c->dst, tex->num_srcs);
    nir_tex_src *srcs = copy->src;
    nir_instr header = copy->instr;
    *copy = *tex;
    copy->instr = header;
    copy->src = srcs;
    for (unsigned i = 0; i < tex->num_srcs; i++) {
        srcs[i].src = clone_src(c, &tex->src[i].src);
        srcs[i].src_type = tex->src[i].src_type;
    }
    clone_def(c, &copy->instr, &copy->def, &tex->def);
    return &copy->instr;
}

static nir_instr *clone_load_const(struct cloner *c, const nir_load_const_instr *load)
{
    nir_load_const_instr *copy =
        nir_load_const_instr_create(c->dst, load->def.num_components, load->def.bit_size);
    memcpy(copy->value, load->value, load->def.num_components * sizeof copy->value[0]);
    clone_def(c, &copy->instr, &copy->def, &load->def);
    return &copy->instr;
}

static nir_instr *clone_undef(struct cloner *c, const nir_undef_instr *undef)
{
    nir_undef_instr *copy =
        nir_undef_instr_create(c->dst, undef->def.num_components, undef->def.bit_size);
    clone_def(c, &copy->instr, &copy->def, &undef->def);
    return &copy->instr;
}

/* The sources are added by fix_phis after all blocks have been copied. */
static nir_instr *clone_phi(struct cloner *c, const nir_phi_instr *phi)
{
    nir_phi_instr *copy = nir_phi_instr_create(c->dst);
    clone_def(c, &copy->instr, &copy->def, &phi->def);
    hash_table_insert(c->map, phi, copy);
    return &copy->instr;
}

static nir_instr *clone_instr(struct cloner *c, const nir_instr *instr)
{
    switch (instr->type) {
    case nir_instr_type_alu:
        return clone_alu(c, nir_instr_as_alu(instr));
    case nir_instr_type_deref:
        return clone_deref(c, nir_instr_as_deref(instr));
    case nir_instr_type_call:
        return clone_call(c, nir_instr_as_call(instr));
    case nir_instr_type_intrinsic:
        return clone_intrinsic(c, nir_instr_as_intrinsic(instr));
    case nir_instr_type_tex:
        return clone_tex(c, nir_instr_as_tex(instr));
    case nir_instr_type_load_const:
        return clone_load_const(c, nir_instr_as_load_const(instr));
    case nir_instr_type_undef:
        return clone_undef(c, nir_instr_as_undef(instr));
    case nir_instr_type_phi:
        return clone_phi(c, nir_instr_as_phi(instr));
    case nir_instr_type_jump:
        return &nir_jump_instr_create(c->dst, nir_instr_as_jump(instr)->type)->instr;
    default:
        UNREACHABLE("parallel copies live inside one pass alone");
    }
}

nir_instr *nir_instr_clone(nir_shader *shader, const nir_instr *instr,
                           struct hash_table *remap_table)
{
    struct cloner c = {.dst = shader, .map = remap_table};
    return clone_instr(&c, instr);
}

/* --- Control flow --- */

static void clone_list(struct cloner *c, struct list_head *dst, const struct list_head *src,
                       nir_cf_node *parent);

static nir_cf_node *clone_block(struct cloner *c, const nir_block *block)
{
    nir_block *copy = nir_block_create(c->dst);
    hash_table_insert(c->map, block, copy);
    nir_foreach_instr (instr, block)
        nir_instr_append_detached(copy, clone_instr(c, instr));
    return &copy->cf_node;
}

/* In unreachable code, but only there, the condition may be copied after the if. */
static nir_cf_node *clone_if(struct cloner *c, const nir_if *nif)
{
    nir_if *copy = nir_if_create_bare(c->dst);
    copy->condition = clone_src(c, &nif->condition);
    nir_if_link_condition(copy);
    clone_list(c, &copy->then_list, &nif->then_list, &copy->cf_node);
    clone_list(c, &copy->else_list, &nif->else_list, &copy->cf_node);
    return &copy->cf_node;
}

static nir_cf_node *clone_loop(struct cloner *c, const nir_loop *loop)
{
    nir_loop *copy = talloc_zero(c->dst, nir_loop);
    copy->cf_node.type = nir_cf_node_loop;
    copy->divergent = loop->divergent;
    clone_list(c, &copy->body, &loop->body, &copy->cf_node);
    return &copy->cf_node;
}

static nir_cf_node *clone_cf_node(struct cloner *c, const nir_cf_node *node)
{
    switch (node->type) {
    case nir_cf_node_block:
        return clone_block(c, nir_cf_node_as_block(node));
    case nir_cf_node_if:
        return clone_if(c, nir_cf_node_as_if(node));
    case nir_cf_node_loop:
        return clone_loop(c, nir_cf_node_as_loop(node));
    default:
        UNREACHABLE("a function is in no list");
    }
}

static void clone_list(struct cloner *c, struct list_head *dst, const struct list_head *src,
                       nir_cf_node *parent)
{
    list_init(dst);
    nir_foreach_cf_node(node, src)
    {
        nir_cf_node *copy = clone_cf_node(c, node);
        copy->parent = parent;
        list_addtail(&copy->node, dst);
    }
}

/* Adds the sources of phis, and fixes sources that were copied before their definition, which
 * happens in unreachable code only. */
static void fix_phis(struct cloner *c, const struct list_head *src)
{
    nir_foreach_cf_node(node, src)
    {
        if (node->type == nir_cf_node_if) {
            fix_phis(c, &nir_cf_node_as_if(node)->then_list);
            fix_phis(c, &nir_cf_node_as_if(node)->else_list);
            continue;
        }
        if (node->type == nir_cf_node_loop) {
            fix_phis(c, &nir_cf_node_as_loop(node)->body);
            continue;
        }
        nir_foreach_instr (instr, nir_cf_node_as_block(node)) {
            if (instr->type != nir_instr_type_phi)
                break;
            nir_phi_instr *copy = remap(c, nir_instr_as_phi(instr));
            nir_foreach_phi_src (phi_src, nir_instr_as_phi(instr)) {
                nir_block *pred = remap(c, phi_src->pred);
                nir_phi_instr_add_src(copy, pred ? pred : phi_src->pred,
                                      remap_def(c, phi_src->src.ssa));
            }
        }
    }
}

static bool fix_src(nir_src *src, void *data)
{
    nir_def *copy = remap(data, src->ssa);
    if (copy)
        nir_src_rewrite(src, copy);
    return true;
}

void nir_cf_list_clone(nir_cf_list *dst, nir_cf_list *src, nir_cf_node *parent,
                       struct hash_table *remap_table)
{
    dst->impl = nir_cf_node_get_function(parent);
    dst->loop = NULL;
    dst->linked = false;
    struct cloner c = {
        .dst = nir_impl_shader(dst->impl),
        .map = remap_table ? remap_table : hash_table_create_pointer(NULL),
    };
    clone_list(&c, &dst->list, &src->list, NULL);
    fix_phis(&c, &src->list);
    if (!remap_table)
        hash_table_destroy(c.map);
}

/* --- Shaders --- */

static void clone_variable(struct cloner *c, const nir_variable *var, struct list_head *list)
{
    nir_variable *copy = nir_variable_clone(var, c->dst);
    copy->type = clone_type(c, var->type);
    copy->interface_type = clone_type(c, var->interface_type);
    copy->declared_type = clone_type(c, var->declared_type);
    hash_table_insert(c->map, var, copy);
    list_addtail(&copy->node, list);
}

static void clone_impl(struct cloner *c, const nir_function_impl *impl, nir_function *function)
{
    nir_function_impl *copy = nir_function_impl_create(function);
    nir_foreach_function_temp_variable(var, impl) clone_variable(c, var, &copy->locals);
    hash_table_insert(c->map, impl->end_block, copy->end_block);

    copy->end_block->num_predecessors = 0;
    clone_list(c, &copy->body, &impl->body, &copy->cf_node);
    fix_phis(c, &impl->body);
    nir_foreach_block (block, copy) {
        nir_relink_block(block, false);
        nir_foreach_instr (instr, block) {
            nir_foreach_src(instr, fix_src, c);
            nir_impl_add_instr_kind(copy, instr);
            nir_def *def = nir_instr_def(instr);
            if (def)
                def->index = copy->ssa_alloc++;
        }
    }
    copy->valid_metadata = nir_metadata_none;
}

static void clone_function(struct cloner *c, const nir_function *function)
{
    nir_function *copy = nir_function_create(c->dst, function->name);
    copy->num_params = function->num_params;
    copy->params =
        talloc_memdup(copy, function->params, function->num_params * sizeof *function->params);
    copy->is_entrypoint = function->is_entrypoint;
    hash_table_insert(c->map, function, copy);
}

nir_shader *nir_shader_clone(void *mem_ctx, const nir_shader *shader)
{
    nir_shader *copy = nir_shader_create(mem_ctx, shader->info.stage, shader->options);
    if (!copy)
        return NULL;
    struct cloner c = {.dst = copy, .whole_shader = true};
    c.map = hash_table_create_pointer(NULL);
    c.types = hash_table_create_pointer(c.map);

    copy->info = shader->info;
    copy->info.name = shader->info.name ? talloc_strdup(copy, shader->info.name) : NULL;
    copy->num_uniforms = shader->num_uniforms;
    copy->scratch_size = shader->scratch_size;
    copy->constant_data_size = shader->constant_data_size;
    if (shader->constant_data_size)
        copy->constant_data =
            talloc_memdup(copy, shader->constant_data, shader->constant_data_size);

    nir_foreach_variable_in_list (var, &shader->variables)
        clone_variable(&c, var, &copy->variables);
    nir_foreach_function (function, shader)
        clone_function(&c, function);
    nir_foreach_function (function, shader) {
        if (function->impl)
            clone_impl(&c, function->impl, remap(&c, function));
    }
    hash_table_destroy(c.map);
    return copy;
}

/* Clones the shader and moves the clone's contents into the old nir_shader. The clone stays as the
 * talloc owner of these contents. */
void nir_sweep(nir_shader *shader)
{
    nir_shader *copy = nir_shader_clone(NULL, shader);
    if (!copy)
        return;
    talloc_free_children(shader);
    *shader = *copy;
    list_init(&shader->variables);
    list_init(&shader->functions);
    list_splicetail(&copy->variables, &shader->variables);
    list_splicetail(&copy->functions, &shader->functions);
    nir_foreach_function (function, shader)
        function->shader = shader;
    talloc_steal(shader, copy);
}
