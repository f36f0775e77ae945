/* SPDX-License-Identifier: MIT */
/* Shaders, functions, variables, constants, and walks over whole shaders. */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"
#include "nir_private.h"

#include "util/half.h"

/* --- Constants --- */

uint64_t nir_const_value_as_uint(nir_const_value value, unsigned bit_size)
{
    switch (bit_size) {
    case 1:
        return value.b;
    case 8:
        return value.u8;
    case 16:
        return value.u16;
    case 32:
        return value.u32;
    case 64:
        return value.u64;
    default:
        UNREACHABLE("bit size");
    }
}

int64_t nir_const_value_as_int(nir_const_value value, unsigned bit_size)
{
    switch (bit_size) {
    case 1:
        return -(int)value.b;
    case 8:
        return value.i8;
    case 16:
        return value.i16;
    case 32:
        return value.i32;
    case 64:
        return value.i64;
    default:
        UNREACHABLE("bit size");
    }
}

double nir_const_value_as_float(nir_const_value value, unsigned bit_size)
{
    switch (bit_size) {
    case 16:
        return util_half_to_float(value.u16);
    case 32:
        return value.f32;
    case 64:
        return value.f64;
    default:
        UNREACHABLE("bit size");
    }
}

nir_const_value nir_const_value_for_uint(uint64_t value, unsigned bit_size)
{
    nir_const_value v = {.u64 = 0};
    switch (bit_size) {
    case 1:
        v.b = value & 1;
        break;
    case 8:
        v.u8 = value;
        break;
    case 16:
        v.u16 = value;
        break;
    case 32:
        v.u32 = value;
        break;
    case 64:
        v.u64 = value;
        break;
    default:
        UNREACHABLE("bit size");
    }
    return v;
}

nir_const_value nir_const_value_for_int(int64_t value, unsigned bit_size)
{
    return nir_const_value_for_uint((uint64_t)value, bit_size);
}

nir_const_value nir_const_value_for_float(double value, unsigned bit_size)
{
    nir_const_value v = {.u64 = 0};
    switch (bit_size) {
    case 16:
        v.u16 = util_float_to_half((float)value);
        break;
    case 32:
        v.f32 = (float)value;
        break;
    case 64:
        v.f64 = value;
        break;
    default:
        UNREACHABLE("bit size");
    }
    return v;
}

static nir_constant *clone_constant(const nir_constant *c, void *mem_ctx)
{
    nir_constant *copy = talloc(mem_ctx, nir_constant);
    *copy = *c;
    copy->elements = talloc_array(copy, nir_constant *, c->num_elements);
    for (unsigned i = 0; i < c->num_elements; i++)
        copy->elements[i] = clone_constant(c->elements[i], copy);
    return copy;
}

/* --- Shaders and functions --- */

nir_shader *nir_shader_create(void *mem_ctx, enum shader_stage stage,
                              const nir_shader_compiler_options *options)
{
    nir_shader *shader = talloc_zero(mem_ctx, nir_shader);
    if (!shader)
        return NULL;
    shader->nodes = arena_create(shader);
    shader->instrs = arena_create(shader);
    shader->accesses = arena_create(shader);
    if (!shader->nodes || !shader->instrs || !shader->accesses) {
        talloc_free(shader);
        return NULL;
    }
    shader->options = options;
    shader->info.stage = stage;
    list_init(&shader->variables);
    list_init(&shader->functions);
    return shader;
}

void nir_shader_destroy(nir_shader *shader)
{
    talloc_free(shader);
}

nir_function *nir_function_create(nir_shader *shader, const char *name)
{
    nir_function *function = talloc_zero(shader, nir_function);
    function->shader = shader;
    function->name = talloc_strdup(function, name ? name : "");
    list_addtail(&function->node, &shader->functions);
    return function;
}

nir_function_impl *nir_function_impl_create(nir_function *function)
{
    assert(!function->impl);
    nir_function_impl *impl = talloc_zero(function->shader, nir_function_impl);
    impl->cf_node.type = nir_cf_node_function;
    impl->function = function;
    function->impl = impl;
    list_init(&impl->body);
    list_init(&impl->locals);

    nir_block *start = nir_block_create(function->shader);
    impl->end_block = nir_block_create(function->shader);
    start->cf_node.parent = &impl->cf_node;
    impl->end_block->cf_node.parent = &impl->cf_node;
    list_addtail(&start->cf_node.node, &impl->body);
    nir_link_blocks(start, impl->end_block, NULL);
    return impl;
}

nir_function_impl *nir_shader_get_entrypoint(const nir_shader *shader)
{
    nir_foreach_function (function, shader) {
        if (function->is_entrypoint)
            return function->impl;
    }
    return NULL;
}

/* --- Variables --- */

static nir_variable *variable_new(nir_shader *shader, nir_variable_mode mode,
                                  const struct glsl_type *type, const char *name)
{
    nir_variable *var = talloc_zero(shader, nir_variable);
    var->type = type;
    var->name = name ? talloc_strdup(var, name) : NULL;
    var->data.mode = mode;
    var->data.location = -1;
    return var;
}

nir_variable *nir_variable_create(nir_shader *shader, nir_variable_mode mode,
                                  const struct glsl_type *type, const char *name)
{
    assert(mode != nir_var_function_temp);
    nir_variable *var = variable_new(shader, mode, type, name);
    list_addtail(&var->node, &shader->variables);
    return var;
}

nir_variable *nir_local_variable_create(nir_function_impl *impl, const struct glsl_type *type,
                                        const char *name)
{
    nir_variable *var = variable_new(impl->function->shader, nir_var_function_temp, type, name);
    list_addtail(&var->node, &impl->locals);
    return var;
}

nir_variable *nir_variable_clone(const nir_variable *var, nir_shader *shader)
{
    nir_variable *copy = talloc(shader, nir_variable);
    *copy = *var;
    list_init(&copy->node);
    copy->name = var->name ? talloc_strdup(copy, var->name) : NULL;
    copy->state_slots = NULL;
    if (var->num_state_slots)
        copy->state_slots =
            talloc_memdup(copy, var->state_slots, var->num_state_slots * sizeof *var->state_slots);
    if (var->constant_initializer)
        copy->constant_initializer = clone_constant(var->constant_initializer, copy);
    return copy;
}

nir_variable *nir_find_variable_with_location(nir_shader *shader, nir_variable_mode mode,
                                              int location)
{
    nir_foreach_variable_with_modes (var, shader, mode) {
        if (var->data.location == location)
            return var;
    }
    return NULL;
}

nir_alu_type nir_get_nir_type_for_glsl_base_type(enum glsl_base_type base)
{
    switch (base) {
    case GLSL_TYPE_BOOL:
        return nir_type_bool1;
    case GLSL_TYPE_UINT:
    case GLSL_TYPE_SAMPLER:
    case GLSL_TYPE_IMAGE:
    case GLSL_TYPE_ATOMIC_UINT:
    case GLSL_TYPE_SUBROUTINE:
        return nir_type_uint32;
    case GLSL_TYPE_INT:
        return nir_type_int32;
    case GLSL_TYPE_FLOAT:
        return nir_type_float32;
    case GLSL_TYPE_FLOAT16:
        return nir_type_float16;
    case GLSL_TYPE_DOUBLE:
        return nir_type_float64;
    case GLSL_TYPE_UINT64:
        return nir_type_uint64;
    case GLSL_TYPE_INT64:
        return nir_type_int64;
    default:
        return nir_type_invalid;
    }
}

/* --- Walks that passes share --- */

static bool impl_instructions_pass(nir_function_impl *impl, nir_instr_pass_cb cb,
                                   nir_metadata preserved, void *data)
{
    nir_builder b = nir_builder_create(impl);
    bool progress = false;
    nir_foreach_block_safe(block, impl)
    {
        nir_foreach_instr_safe (instr, block)
            progress |= cb(&b, instr, data);
    }
    return nir_progress(progress, impl, preserved);
}

bool nir_shader_instructions_pass(nir_shader *shader, nir_instr_pass_cb cb, nir_metadata preserved,
                                  void *data)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader)
        progress |= impl_instructions_pass(impl, cb, preserved, data);
    return progress;
}

struct typed_pass {
    nir_intrinsic_pass_cb intrinsic;
    nir_alu_pass_cb alu;
    nir_tex_pass_cb tex;
    void *data;
};

static bool typed_pass_instr(nir_builder *b, nir_instr *instr, void *data)
{
    struct typed_pass *pass = data;
    if (pass->intrinsic && instr->type == nir_instr_type_intrinsic)
        return pass->intrinsic(b, nir_instr_as_intrinsic(instr), pass->data);
    if (pass->alu && instr->type == nir_instr_type_alu)
        return pass->alu(b, nir_instr_as_alu(instr), pass->data);
    if (pass->tex && instr->type == nir_instr_type_tex)
        return pass->tex(b, nir_instr_as_tex(instr), pass->data);
    return false;
}

bool nir_shader_intrinsics_pass(nir_shader *shader, nir_intrinsic_pass_cb cb,
                                nir_metadata preserved, void *data)
{
    struct typed_pass pass = {.intrinsic = cb, .data = data};
    return nir_shader_instructions_pass(shader, typed_pass_instr, preserved, &pass);
}

bool nir_shader_alu_pass(nir_shader *shader, nir_alu_pass_cb cb, nir_metadata preserved, void *data)
{
    struct typed_pass pass = {.alu = cb, .data = data};
    return nir_shader_instructions_pass(shader, typed_pass_instr, preserved, &pass);
}

bool nir_shader_tex_pass(nir_shader *shader, nir_tex_pass_cb cb, nir_metadata preserved, void *data)
{
    struct typed_pass pass = {.tex = cb, .data = data};
    return nir_shader_instructions_pass(shader, typed_pass_instr, preserved, &pass);
}

static bool ifs_of_list(nir_builder *b, struct list_head *list, nir_if_pass_cb cb, void *data)
{
    bool progress = false;
    nir_foreach_cf_node(node, list)
    {
        if (node->type == nir_cf_node_if) {
            nir_if *nif = nir_cf_node_as_if(node);
            progress |= ifs_of_list(b, &nif->then_list, cb, data);
            progress |= ifs_of_list(b, &nif->else_list, cb, data);
            progress |= cb(b, nif, data);
        } else if (node->type == nir_cf_node_loop) {
            progress |= ifs_of_list(b, &nir_cf_node_as_loop(node)->body, cb, data);
        }
    }
    return progress;
}

bool nir_shader_ifs_pass(nir_shader *shader, nir_if_pass_cb cb, nir_metadata preserved, void *data)
{
    bool progress = false;
    nir_foreach_function_impl (impl, shader) {
        nir_builder b = nir_builder_create(impl);
        progress |= nir_progress(ifs_of_list(&b, &impl->body, cb, data), impl, preserved);
    }
    return progress;
}

/* --- Hooks around passes --- */

void nir_pass_begin(nir_shader *shader, const char *pass)
{
    const struct nir_pass_observer *o = shader->options ? shader->options->observer : NULL;
    if (o)
        o->begin(o->data, shader, pass);
}

bool nir_pass_end(nir_shader *shader, const char *pass, bool progress)
{
    const struct nir_pass_observer *o = shader->options ? shader->options->observer : NULL;
    if (o)
        o->end(o->data, shader, pass, progress);
    if (nir_should_validate()) {
        char when[80];
        snprintf(when, sizeof when, "after %s", pass);
        nir_validate_shader(shader, when);
    }
    return progress;
}
