/* SPDX-License-Identifier: MIT */
/*
 * Serialization of shaders. Layout: magic, checksum of the rest, then the shader. Variables,
 * functions, blocks, values and types are referred to by number. The reader verifies the checksum,
 * every count and number, and finally all rules of NIR.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_private.h"

#include "nir_blob.h"

#define MAGIC 0x314e4149u /* must change with the format and with the opcode tables */

static uint32_t magic(void)
{
    return MAGIC + nir_num_opcodes * 65536u + nir_num_intrinsics;
}

/* ------------------------------------------------------------------------------- writing --- */

struct writer {
    struct blob_writer b;
    unsigned num_vars, num_functions, num_blocks, num_defs;
};

static void write_constant(struct writer *w, const nir_constant *c)
{
    blob_write_u32(&w->b, c != NULL);
    if (!c)
        return;
    blob_write_bytes(&w->b, c->values, sizeof c->values);
    blob_write_u32(&w->b, c->is_null_constant);
    blob_write_u32(&w->b, c->num_elements);
    for (unsigned i = 0; i < c->num_elements; i++)
        write_constant(w, c->elements[i]);
}

static void write_variables(struct writer *w, const struct list_head *list)
{
    blob_write_u32(&w->b, list_length(list));
    nir_foreach_variable_in_list (var, list) {
        blob_set_number(&w->b, var, w->num_vars++);
        blob_write_type(&w->b, var->type);
        blob_write_type(&w->b, var->interface_type);
        blob_write_string(&w->b, var->name);
        blob_write_bytes(&w->b, &var->data, sizeof var->data);
        blob_write_u32(&w->b, var->num_state_slots);
        blob_write_bytes(&w->b, var->state_slots, var->num_state_slots * sizeof *var->state_slots);
        write_constant(w, var->constant_initializer);
    }
}

static void write_def(struct writer *w, const nir_def *def)
{
    blob_write_u32(&w->b, def->num_components | def->bit_size << 8 | def->divergent << 16);
    blob_set_number(&w->b, def, w->num_defs++);
}

static void write_src(struct writer *w, const nir_src *src)
{
    blob_write_u32(&w->b, blob_number_of(&w->b, src->ssa));
}

static void write_alu(struct writer *w, const nir_alu_instr *alu)
{
    blob_write_u32(&w->b, alu->op);
    blob_write_u32(&w->b, alu->exact | alu->no_signed_wrap << 1 | alu->no_unsigned_wrap << 2);
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
        write_src(w, &alu->src[s].src);
        blob_write_bytes(&w->b, &alu->src[s].swizzle, sizeof alu->src[s].swizzle);
    }
    write_def(w, &alu->def);
}

static void write_deref(struct writer *w, const nir_deref_instr *deref)
{
    blob_write_u32(&w->b, deref->deref_type);
    blob_write_u32(&w->b, deref->modes);
    blob_write_type(&w->b, deref->type);
    if (deref->deref_type == nir_deref_type_var)
        blob_write_u32(&w->b, blob_number_of(&w->b, deref->var));
    else
        write_src(w, &deref->parent);
    if (deref->deref_type == nir_deref_type_array)
        write_src(w, &deref->arr.index);
    else if (deref->deref_type == nir_deref_type_struct)
        blob_write_u32(&w->b, deref->strct.index);
    write_def(w, &deref->def);
}

static void write_intrinsic(struct writer *w, const nir_intrinsic_instr *intr)
{
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    blob_write_u32(&w->b, intr->intrinsic);
    blob_write_u32(&w->b, intr->num_components);
    blob_write_bytes(&w->b, intr->const_index, sizeof intr->const_index);
    for (unsigned s = 0; s < info->num_srcs; s++)
        write_src(w, &intr->src[s]);
    if (info->has_dest)
        write_def(w, &intr->def);
}

static void write_tex(struct writer *w, const nir_tex_instr *tex)
{
    blob_write_u32(&w->b, tex->num_srcs);
    for (unsigned s = 0; s < tex->num_srcs; s++) {
        blob_write_u32(&w->b, tex->src[s].src_type);
        write_src(w, &tex->src[s].src);
    }
    blob_write_u32(&w->b, tex->op);
    blob_write_u32(&w->b, tex->sampler_dim);
    blob_write_u32(&w->b, tex->dest_type);
    blob_write_u32(&w->b, tex->coord_components | tex->is_array << 8 | tex->is_shadow << 9 |
                              tex->is_new_style_shadow << 10 | tex->is_residency << 11 |
                              tex->component << 16);
    blob_write_bytes(&w->b, tex->tg4_offsets, sizeof tex->tg4_offsets);
    blob_write_u32(&w->b, tex->texture_index);
    blob_write_u32(&w->b, tex->sampler_index);
    write_def(w, &tex->def);
}

static void write_instr(struct writer *w, const nir_instr *instr)
{
    blob_write_u32(&w->b, instr->type);
    switch (instr->type) {
    case nir_instr_type_alu:
        write_alu(w, nir_instr_as_alu(instr));
        break;
    case nir_instr_type_deref:
        write_deref(w, nir_instr_as_deref(instr));
        break;
    case nir_instr_type_call: {
        nir_call_instr *call = nir_instr_as_call(instr);
        blob_write_u32(&w->b, blob_number_of(&w->b, call->callee));
        for (unsigned i = 0; i < call->num_params; i++)
            write_src(w, &call->params[i]);
        break;
    }
    case nir_instr_type_tex:
        write_tex(w, nir_instr_as_tex(instr));
        break;
    case nir_instr_type_intrinsic:
        write_intrinsic(w, nir_instr_as_intrinsic(instr));
        break;
    case nir_instr_type_load_const: {
        nir_load_const_instr *load = nir_instr_as_load_const(instr);
        write_def(w, &load->def);
        blob_write_bytes(&w->b, load->value, load->def.num_components * sizeof load->value[0]);
        break;
    }
    case nir_instr_type_jump:
        blob_write_u32(&w->b, nir_instr_as_jump(instr)->type);
        break;
    case nir_instr_type_undef:
        write_def(w, &nir_instr_as_undef(instr)->def);
        break;
    case nir_instr_type_phi:
        /* the sources are written after the function body */
        write_def(w, &nir_instr_as_phi(instr)->def);
        break;
    default:
        UNREACHABLE("parallel copies live inside one pass alone");
    }
}

static void write_cf_list(struct writer *w, const struct list_head *list)
{
    blob_write_u32(&w->b, list_length(list));
    nir_foreach_cf_node(node, list)
    {
        blob_write_u32(&w->b, node->type);
        if (node->type == nir_cf_node_block) {
            nir_block *block = nir_cf_node_as_block(node);
            blob_set_number(&w->b, block, w->num_blocks++);
            blob_write_u32(&w->b, list_length(&block->instr_list));
            nir_foreach_instr (instr, block)
                write_instr(w, instr);
        } else if (node->type == nir_cf_node_if) {
            write_src(w, &nir_cf_node_as_if(node)->condition);
            write_cf_list(w, &nir_cf_node_as_if(node)->then_list);
            write_cf_list(w, &nir_cf_node_as_if(node)->else_list);
        } else {
            blob_write_u32(&w->b, nir_cf_node_as_loop(node)->divergent);
            write_cf_list(w, &nir_cf_node_as_loop(node)->body);
        }
    }
}

static void write_phi_srcs(struct writer *w, nir_function_impl *impl)
{
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            blob_write_u32(&w->b, list_length(&nir_instr_as_phi(instr)->srcs));
            nir_foreach_phi_src (src, nir_instr_as_phi(instr)) {
                blob_write_u32(&w->b, blob_number_of(&w->b, src->pred));
                write_src(w, &src->src);
            }
        }
    }
}

static void write_shader(struct writer *w, const nir_shader *shader)
{
    nir_shader_info info;
    memcpy(&info, &shader->info, sizeof info);
    info.name = NULL;
    blob_write_bytes(&w->b, &info, sizeof info);
    blob_write_string(&w->b, shader->info.name);
    blob_write_u32(&w->b, shader->num_uniforms);
    blob_write_u32(&w->b, shader->scratch_size);
    blob_write_u32(&w->b, shader->constant_data_size);
    blob_write_bytes(&w->b, shader->constant_data, shader->constant_data_size);
    write_variables(w, &shader->variables);

    blob_write_u32(&w->b, list_length(&shader->functions));
    nir_foreach_function (function, shader) {
        blob_set_number(&w->b, function, w->num_functions++);
        blob_write_string(&w->b, function->name);
        blob_write_u32(&w->b, function->is_entrypoint);
        blob_write_u32(&w->b, function->num_params);
        blob_write_bytes(&w->b, function->params, function->num_params * sizeof *function->params);
    }
    nir_foreach_function (function, shader) {
        blob_write_u32(&w->b, function->impl != NULL);
        if (!function->impl)
            continue;
        write_variables(w, &function->impl->locals);
        write_cf_list(w, &function->impl->body);
        write_phi_srcs(w, function->impl);
    }
}

struct blob_bytes nir_serialize(void *mem_ctx, const nir_shader *shader)
{
    struct writer w = {.b = {.bytes.mem_ctx = mem_ctx, .numbers = hash_table_create_pointer(NULL)}};
    uint64_t checksum = 0;
    blob_write_u32(&w.b, magic());
    blob_write_bytes(&w.b, &checksum, sizeof checksum);
    unsigned header = w.b.bytes.count;
    write_shader(&w, shader);
    hash_table_destroy(w.b.numbers);
    checksum = hash_data64(w.b.bytes.data + header, w.b.bytes.count - header);
    memcpy(w.b.bytes.data + sizeof(uint32_t), &checksum, sizeof checksum);
    return (struct blob_bytes){w.b.bytes.data, w.b.bytes.count};
}

/* ------------------------------------------------------------------------------- reading --- */

/* Limit of the nesting of ifs and loops, above that of the compilers. */
#define MAX_CF_DEPTH 7000

struct reader {
    struct blob_reader b;
    unsigned cf_depth; /* current nesting of ifs and loops */
    nir_shader *shader;
    nir_function_impl *impl;
    blob_numbers vars, functions, blocks, defs;
};

static nir_constant *read_constant(struct reader *r, void *mem_ctx)
{
    if (!blob_read_u32(&r->b) || r->b.failed)
        return NULL;
    if (++r->b.depth > BLOB_MAX_DEPTH)
        r->b.failed = true;
    nir_constant *c = talloc_zero(mem_ctx, nir_constant);
    blob_read_bytes(&r->b, c->values, sizeof c->values);
    c->is_null_constant = blob_read_u32(&r->b) != 0;
    c->num_elements = blob_read_count(&r->b, sizeof(uint32_t));
    c->elements = talloc_zero_array(c, nir_constant *, c->num_elements);
    for (unsigned i = 0; i < c->num_elements && !r->b.failed; i++) {
        c->elements[i] = read_constant(r, c);
        r->b.failed |= !c->elements[i];
    }
    r->b.depth--;
    return c;
}

/* Booleans must be 0 or 1, because constant folding relies on it. */
static bool are_bools(const nir_const_value *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (values[i].u8 > 1)
            return false;
    }
    return true;
}

/* Returns true if the initializer matches the type; missing elements are zero. */
static bool is_constant_of(const struct glsl_type *type, const nir_constant *c)
{
    if (glsl_type_is_vector_or_scalar(type))
        return type->base_type != GLSL_TYPE_BOOL || are_bools(c->values, type->vector_elements);
    bool is_struct = glsl_type_is_struct_or_ifc(type);
    if (!is_struct && !glsl_type_is_array(type) && !glsl_type_is_matrix(type))
        return true; /* opaque types: never read */
    unsigned length = is_struct ? type->length : glsl_length_of(type);
    for (unsigned i = 0; i < MIN2(c->num_elements, length); i++) {
        if (!is_constant_of(is_struct ? type->fields[i].type : glsl_element_of(type),
                            c->elements[i]))
            return false;
    }
    return true;
}

static void read_variables(struct reader *r, struct list_head *list, bool local)
{
    uint32_t count = blob_read_count(&r->b, sizeof(struct nir_variable_data));
    for (uint32_t i = 0; i < count && !r->b.failed; i++) {
        nir_variable *var = talloc_zero(r->shader, nir_variable);
        var->type = blob_read_type(&r->b);
        var->interface_type = blob_read_type(&r->b);
        var->name = blob_read_string(&r->b, var);
        blob_read_bytes(&r->b, &var->data, sizeof var->data);
        var->num_state_slots = blob_read_count(&r->b, sizeof *var->state_slots);
        var->state_slots = talloc_array(var, nir_state_slot, var->num_state_slots);
        blob_read_bytes(&r->b, var->state_slots, var->num_state_slots * sizeof *var->state_slots);
        var->constant_initializer = read_constant(r, var);
        r->b.failed |= !var->type || !util_is_power_of_two(var->data.mode) ||
                       (var->data.mode == nir_var_function_temp) != local;
        if (!r->b.failed && var->constant_initializer)
            r->b.failed = !is_constant_of(var->type, var->constant_initializer);
        list_addtail(&var->node, list);
        (void)dynarray_append(&r->vars, var);
    }
}

static void read_def(struct reader *r, nir_instr *instr, nir_def *def)
{
    uint32_t shape = blob_read_u32(&r->b);
    unsigned n = shape & 0xff, bits = shape >> 8 & 0xff;
    bool ok = ((n >= 1 && n <= 5) || n == 8 || n == 16) &&
              (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64);
    r->b.failed |= !ok;
    nir_def_init(instr, def, ok ? n : 1, ok ? bits : 32);
    def->divergent = shape >> 16 & 1;
    (void)dynarray_append(&r->defs, def);
}

static nir_src read_src(struct reader *r)
{
    return nir_src_for_ssa(blob_read_number(&r->b, &r->defs));
}

static nir_instr *read_alu(struct reader *r)
{
    nir_alu_instr *alu = nir_alu_instr_create(r->shader, blob_read_below(&r->b, nir_num_opcodes));
    uint32_t flags = blob_read_u32(&r->b);
    alu->exact = flags & 1;
    alu->no_signed_wrap = flags >> 1 & 1;
    alu->no_unsigned_wrap = flags >> 2 & 1;
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs; s++) {
        alu->src[s].src = read_src(r);
        blob_read_bytes(&r->b, &alu->src[s].swizzle, sizeof alu->src[s].swizzle);
    }
    read_def(r, &alu->instr, &alu->def);
    for (unsigned s = 0; s < nir_op_infos[alu->op].num_inputs && !r->b.failed; s++) {
        for (unsigned c = 0; c < nir_ssa_alu_instr_src_components(alu, s); c++)
            r->b.failed |= nir_alu_src_comp(&alu->src[s], c) >= alu->src[s].src.ssa->num_components;
    }
    return &alu->instr;
}

static nir_instr *read_deref(struct reader *r)
{
    nir_deref_instr *deref =
        nir_deref_instr_create(r->shader, blob_read_below(&r->b, nir_deref_type_cast + 1));
    deref->modes = blob_read_u32(&r->b);
    deref->type = blob_read_type(&r->b);
    r->b.failed |= !deref->type;
    if (deref->deref_type == nir_deref_type_var)
        deref->var = blob_read_number(&r->b, &r->vars);
    else
        deref->parent = read_src(r);
    if (deref->deref_type == nir_deref_type_array)
        deref->arr.index = read_src(r);
    else if (deref->deref_type == nir_deref_type_struct)
        deref->strct.index = blob_read_u32(&r->b);
    if (!r->b.failed && deref->deref_type == nir_deref_type_struct) {
        nir_deref_instr *parent = nir_src_as_deref(deref->parent);
        r->b.failed |= !parent || !glsl_type_is_struct_or_ifc(parent->type) ||
                       deref->strct.index >= parent->type->length;
    }
    read_def(r, &deref->instr, &deref->def);
    return &deref->instr;
}

static nir_instr *read_call(struct reader *r)
{
    nir_function *callee = blob_read_number(&r->b, &r->functions);
    if (!callee)
        return NULL;
    nir_call_instr *call = nir_call_instr_create(r->shader, callee);
    for (unsigned i = 0; i < call->num_params; i++)
        call->params[i] = read_src(r);
    return &call->instr;
}

static nir_instr *read_intrinsic(struct reader *r)
{
    nir_intrinsic_instr *intr =
        nir_intrinsic_instr_create(r->shader, blob_read_below(&r->b, nir_num_intrinsics));
    const nir_intrinsic_info *info = &nir_intrinsic_infos[intr->intrinsic];
    intr->num_components = blob_read_below(&r->b, NIR_MAX_VEC_COMPONENTS + 1);
    blob_read_bytes(&r->b, intr->const_index, sizeof intr->const_index);
    for (unsigned s = 0; s < info->num_srcs; s++) {
        intr->src[s] = read_src(r);
        if (!r->b.failed && info->src_components[s] >= 0)
            r->b.failed |=
                intr->src[s].ssa->num_components != nir_intrinsic_src_components(intr, s);
    }
    if (info->has_dest) {
        read_def(r, &intr->instr, &intr->def);
        r->b.failed |= intr->def.num_components != nir_intrinsic_dest_components(intr);
    }
    return &intr->instr;
}

static nir_instr *read_tex(struct reader *r)
{
    nir_tex_instr *tex =
        nir_tex_instr_create(r->shader, blob_read_below(&r->b, nir_num_tex_src_types + 1));
    for (unsigned s = 0; s < tex->num_srcs; s++) {
        tex->src[s].src_type = blob_read_below(&r->b, nir_num_tex_src_types);
        tex->src[s].src = read_src(r);
    }
    tex->op = blob_read_below(&r->b, nir_texop_texture_samples + 1);
    tex->sampler_dim = blob_read_below(&r->b, GLSL_SAMPLER_DIM_EXTERNAL + 1);
    tex->dest_type = blob_read_u32(&r->b);
    uint32_t bits = blob_read_u32(&r->b);
    tex->coord_components = bits & 0xff;
    tex->is_array = bits >> 8 & 1;
    tex->is_shadow = bits >> 9 & 1;
    tex->is_new_style_shadow = bits >> 10 & 1;
    tex->is_residency = bits >> 11 & 1;
    tex->component = bits >> 16 & 3;
    blob_read_bytes(&r->b, tex->tg4_offsets, sizeof tex->tg4_offsets);
    tex->texture_index = blob_read_u32(&r->b);
    tex->sampler_index = blob_read_u32(&r->b);
    read_def(r, &tex->instr, &tex->def);
    return &tex->instr;
}

static nir_instr *read_load_const(struct reader *r)
{
    nir_load_const_instr *load = nir_load_const_instr_create(r->shader, NIR_MAX_VEC_COMPONENTS, 32);
    read_def(r, &load->instr, &load->def);
    blob_read_bytes(&r->b, load->value, load->def.num_components * sizeof load->value[0]);
    r->b.failed |= load->def.bit_size == 1 && !are_bools(load->value, load->def.num_components);
    return &load->instr;
}

static nir_instr *read_instr(struct reader *r)
{
    switch (blob_read_below(&r->b, nir_instr_type_parallel_copy)) {
    case nir_instr_type_alu:
        return read_alu(r);
    case nir_instr_type_deref:
        return read_deref(r);
    case nir_instr_type_call:
        return read_call(r);
    case nir_instr_type_tex:
        return read_tex(r);
    case nir_instr_type_intrinsic:
        return read_intrinsic(r);
    case nir_instr_type_load_const:
        return read_load_const(r);
    case nir_instr_type_jump:
        return &nir_jump_instr_create(r->shader, blob_read_below(&r->b, nir_jump_continue + 1))
                    ->instr;
    case nir_instr_type_undef: {
        nir_undef_instr *undef = nir_undef_instr_create(r->shader, 1, 32);
        read_def(r, &undef->instr, &undef->def);
        return &undef->instr;
    }
    default: {
        nir_phi_instr *phi = nir_phi_instr_create(r->shader);
        read_def(r, &phi->instr, &phi->def);
        return &phi->instr;
    }
    }
}

static void read_cf_list(struct reader *r, struct list_head *list, nir_cf_node *parent);

static nir_cf_node *read_block(struct reader *r)
{
    nir_block *block = nir_block_create(r->shader);
    (void)dynarray_append(&r->blocks, block);
    uint32_t count = blob_read_count(&r->b, sizeof(uint32_t));
    for (uint32_t i = 0; i < count && !r->b.failed; i++) {
        nir_instr *instr = read_instr(r);
        r->b.failed |= instr && instr->type == nir_instr_type_jump && i + 1 != count;
        if (!r->b.failed)
            nir_instr_append_detached(block, instr);
    }
    return &block->cf_node;
}

static nir_cf_node *read_if(struct reader *r)
{
    nir_if *nif = nir_if_create_bare(r->shader);
    nif->condition = read_src(r);
    if (r->b.failed)
        return NULL;
    nir_if_link_condition(nif);
    read_cf_list(r, &nif->then_list, &nif->cf_node);
    read_cf_list(r, &nif->else_list, &nif->cf_node);
    return &nif->cf_node;
}

static nir_cf_node *read_loop(struct reader *r)
{
    nir_loop *loop = talloc_zero(r->shader, nir_loop);
    loop->cf_node.type = nir_cf_node_loop;
    loop->divergent = blob_read_u32(&r->b) != 0;
    read_cf_list(r, &loop->body, &loop->cf_node);
    return &loop->cf_node;
}

static void read_cf_list(struct reader *r, struct list_head *list, nir_cf_node *parent)
{
    list_init(list);
    uint32_t count = blob_read_count(&r->b, sizeof(uint32_t));
    if (++r->cf_depth > MAX_CF_DEPTH || count % 2 == 0)
        r->b.failed = true;
    for (uint32_t i = 0; i < count && !r->b.failed; i++) {
        uint32_t type = blob_read_below(&r->b, nir_cf_node_function);
        r->b.failed |= (type == nir_cf_node_block) != (i % 2 == 0);
        nir_cf_node *node = r->b.failed                 ? NULL
                            : type == nir_cf_node_block ? read_block(r)
                            : type == nir_cf_node_if    ? read_if(r)
                                                        : read_loop(r);
        if (!node)
            break;
        node->parent = parent;
        list_addtail(&node->node, list);
    }
    r->cf_depth--;
}

static bool has_stray_jump(nir_block *block)
{
    if (!nir_block_ends_in_jump(block))
        return false;
    nir_jump_type type = nir_instr_as_jump(nir_block_last_instr(block))->type;
    if (type == nir_jump_return || type == nir_jump_halt)
        return false;
    nir_cf_node *node = &block->cf_node;
    while (node && node->type != nir_cf_node_loop)
        node = node->parent;
    return !node;
}

static void read_phi_srcs(struct reader *r)
{
    nir_foreach_block (block, r->impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_phi)
                break;
            uint32_t count = blob_read_count(&r->b, 2 * sizeof(uint32_t));
            r->b.failed |= count != block->num_predecessors;
            for (uint32_t i = 0; i < count && !r->b.failed; i++) {
                nir_block *pred = blob_read_number(&r->b, &r->blocks);
                nir_src src = read_src(r);
                if (!r->b.failed)
                    nir_phi_instr_add_src(nir_instr_as_phi(instr), pred, src.ssa);
            }
        }
    }
}

static void read_impl(struct reader *r, nir_function *function)
{
    r->impl = nir_function_impl_create(function);
    r->impl->end_block->num_predecessors = 0;
    read_variables(r, &r->impl->locals, true);
    read_cf_list(r, &r->impl->body, &r->impl->cf_node);
    if (r->b.failed)
        return;
    nir_foreach_block (block, r->impl) {
        r->b.failed |= has_stray_jump(block);
        if (r->b.failed)
            return;
        nir_relink_block(block, false);
        nir_foreach_instr (instr, block)
            nir_impl_add_instr_kind(r->impl, instr);
    }
    read_phi_srcs(r);
    nir_index_ssa_defs(r->impl);
}

static void read_functions(struct reader *r)
{
    uint32_t count = blob_read_count(&r->b, sizeof(uint32_t));
    for (uint32_t i = 0; i < count && !r->b.failed; i++) {
        char *name = blob_read_string(&r->b, r->shader);
        nir_function *function = nir_function_create(r->shader, name);
        function->is_entrypoint = blob_read_u32(&r->b) != 0;
        function->num_params = blob_read_count(&r->b, sizeof *function->params);
        function->params = talloc_array(function, nir_parameter, function->num_params);
        blob_read_bytes(&r->b, function->params, function->num_params * sizeof *function->params);
        (void)dynarray_append(&r->functions, function);
    }
    nir_foreach_function (function, r->shader) {
        if (!r->b.failed && blob_read_u32(&r->b))
            read_impl(r, function);
    }
}

static void read_shader(struct reader *r)
{
    nir_shader *shader = r->shader;
    blob_read_bytes(&r->b, &shader->info, sizeof shader->info);
    shader->info.name = blob_read_string(&r->b, shader);
    shader->num_uniforms = blob_read_u32(&r->b);
    shader->scratch_size = blob_read_u32(&r->b);
    shader->constant_data_size = blob_read_count(&r->b, 1);
    shader->constant_data = talloc_size(shader, shader->constant_data_size);
    blob_read_bytes(&r->b, shader->constant_data, shader->constant_data_size);
    read_variables(r, &shader->variables, false);
    read_functions(r);
    r->b.failed |= r->b.next != r->b.end;
}

nir_shader *nir_deserialize(void *mem_ctx, const nir_shader_compiler_options *options,
                            const void *data, size_t size)
{
    struct reader r = {.b = {.next = data, .end = (const uint8_t *)data + size}};
    uint64_t checksum;
    uint32_t version = blob_read_u32(&r.b);
    blob_read_bytes(&r.b, &checksum, sizeof checksum);
    if (r.b.failed || version != magic() || checksum != hash_data64(r.b.next, r.b.end - r.b.next))
        return NULL;
    r.shader = nir_shader_create(mem_ctx, SHADER_VERTEX, options);
    if (!r.shader)
        return NULL;
    r.b.mem_ctx = r.shader;
    read_shader(&r);
    dynarray_finish(&r.b.types);
    dynarray_finish(&r.vars);
    dynarray_finish(&r.functions);
    dynarray_finish(&r.blocks);
    dynarray_finish(&r.defs);
    if (r.b.failed || !nir_is_valid(r.shader)) {
        nir_shader_destroy(r.shader);
        return NULL;
    }
    return r.shader;
}
