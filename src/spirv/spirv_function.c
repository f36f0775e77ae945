/* SPDX-License-Identifier: MIT */
/*
 * Functions. Parameters and results are NIR global variables, as in src/glsl; this works because
 * SPIR-V shaders cannot recurse. A function with pointer or image parameters is translated
 * separately for each call, with the caller's variables substituted. The indices in those pointers
 * are passed in variables.
 */
#include "spirv/spirv_private.h"

static bool by_reference(const struct spv_type *t)
{
    return t->op == SpvOpTypePointer || t->opaque;
}

static bool has_references(const struct spv_function *f)
{
    for (unsigned i = 0; i < f->type->length; i++) {
        if (by_reference(f->type->members[i]))
            return true;
    }
    return false;
}

static struct spv_function *function(struct spv *p, uint32_t id)
{
    const struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_FUNCTION, "id %u is not a function", id);
    return v->function;
}

/* Returns the words of f and of all functions that it calls. Fails if f calls itself. */
static uint64_t count_work(struct spv *p, struct spv_function *f, unsigned depth)
{
    struct spv_instr at = p->at;
    spv_fail_if(p, f->counting, "function %u calls itself", f->id);
    spv_fail_if(p, depth > SPV_MAX_NESTING, "function calls are nested too deeply");
    if (f->work)
        return f->work;
    f->counting = true;
    uint64_t work = f->words;
    for (uint32_t offset = f->offset; offset < f->offset + f->words;) {
        struct spv_instr in = spv_read(p, offset);
        offset += in.count;
        if (in.op == SpvOpFunctionCall)
            work += count_work(p, function(p, in.w[3]), depth + 1);
        spv_fail_if(p, work > SPV_MAX_WORK, "the shader is too complex");
    }
    f->counting = false;
    p->at = at;
    return f->work = work;
}

/* ----------------------------------------------------------------------------------- calls --- */

/* Creates a variable for a parameter or result. */
static nir_variable *value_variable(struct spv *p, const struct spv_type *t, const char *name)
{
    spv_count_work(p, t->nodes);
    return nir_variable_create(p->shader, nir_var_shader_temp, glsl_type_clone(p->shader, t->plain),
                               name);
}

static struct spv_instance *create_instance(struct spv *p, struct spv_function *f, const char *name)
{
    struct spv_instance *instance = spv_alloc(p, sizeof *instance);
    unsigned n = f->type->length;
    instance->function = f;
    instance->nir = nir_function_create(p->shader, name);
    instance->params = spv_alloc(p, (n + 1) * sizeof *instance->params);
    instance->pointers = spv_alloc(p, (n + 1) * sizeof *instance->pointers);
    for (unsigned i = 0; i < n; i++) {
        if (!by_reference(f->type->members[i]))
            instance->params[i] = value_variable(p, f->type->members[i], "param");
    }
    if (f->type->element->op != SpvOpTypeVoid) {
        spv_fail_if(p, by_reference(f->type->element) || !f->type->element->plain,
                    "a function cannot return this type");
        instance->result = value_variable(p, f->type->element, "result");
    }
    if (!dynarray_append(&p->pending, instance))
        spv_out_of_memory(p);
    return instance;
}

/* Returns a copy of ptr whose dynamic indices are saved in variables for the callee. */
static struct spv_pointer *save_pointer(struct spv *p, const struct spv_pointer *ptr)
{
    struct spv_pointer *out = spv_alloc(p, sizeof *out);
    *out = *ptr;
    out->steps = spv_alloc(p, ptr->count * sizeof *out->steps + 1);
    for (unsigned i = 0; i < ptr->count; i++) {
        out->steps[i] = ptr->steps[i];
        if (!ptr->steps[i].def)
            continue;
        nir_variable *var =
            nir_variable_create(p->shader, nir_var_shader_temp, glsl_uint_type(), "index");
        nir_store_var(&p->b, var, ptr->steps[i].def, 1);
        out->steps[i] = (struct spv_step){.saved = var};
    }
    return out;
}

static struct spv_pointer *reference(struct spv *p, const struct spv_type *t, uint32_t id)
{
    struct spv_pointer *ptr =
        t->op == SpvOpTypePointer ? spv_use_pointer(p, id) : spv_use_image(p, id);
    const struct spv_type *type = t->op == SpvOpTypePointer ? t->element : t;
    spv_fail_if(p,
                type->opaque ? type != spv_id(p, id)->type && type != ptr->type
                             : !spv_same_type(type, ptr->type),
                "the type of argument %u does not match the parameter", id);
    return save_pointer(p, ptr);
}

static void pass_value(struct spv *p, const struct spv_type *t, nir_variable *var, uint32_t id)
{
    struct spv_ssa v = spv_use(p, id);
    spv_fail_if(p, !spv_same_type(v.type, t),
                "the type of argument %u does not match the parameter", id);
    spv_store_part(p, nir_build_deref_var(&p->b, var), &v);
}

static void emit_call(struct spv *p, const struct spv_instr *in)
{
    struct spv_function *f = function(p, in->w[3]);
    spv_fail_if(p, in->count - 4 != f->type->length,
                "the call has %u arguments, but the function has %u parameters", in->count - 4,
                f->type->length);
    spv_fail_if(p, spv_type(p, in->w[1]) != f->type->element,
                "the result type does not match the function");
    spv_count_work(p, f->work);
    struct spv_instance *instance = f->shared;
    if (!instance) {
        instance = create_instance(p, f, "function");
        f->shared = has_references(f) ? NULL : instance;
    }
    for (unsigned i = 0; i < f->type->length; i++) {
        const struct spv_type *t = f->type->members[i];
        if (by_reference(t))
            instance->pointers[i] = reference(p, t, in->w[4 + i]);
        else
            pass_value(p, t, instance->params[i], in->w[4 + i]);
    }
    nir_builder_instr_insert(&p->b, &nir_call_instr_create(p->shader, instance->nir)->instr);
    if (instance->result)
        spv_set(p, in,
                spv_load_part(p, nir_build_deref_var(&p->b, instance->result), f->type->element));
    else
        spv_define(p, in->w[2], SPV_RESULT)->ssa = (struct spv_ssa){.type = f->type->element};
}

/* ---------------------------------------------------------------------------------- bodies --- */

static void define_params(struct spv *p, const struct spv_instance *instance)
{
    const struct spv_function *f = instance->function;
    for (unsigned i = 0; i < f->params.count; i++) {
        const struct spv_type *t = f->type->members[i];
        struct spv_value *v = spv_id(p, f->params.data[i]);
        v->serial = p->serial;
        v->type = t;
        if (by_reference(t)) {
            v->kind = t->op == SpvOpTypePointer ? SPV_POINTER : SPV_IMAGE;
            v->pointer = instance->pointers[i];
        } else {
            v->kind = SPV_RESULT;
            v->ssa = spv_load_part(p, nir_build_deref_var(&p->b, instance->params[i]), t);
        }
    }
}

void spv_emit_instruction(struct spv *p, const struct spv_instr *in)
{
    p->b.exact = in->info->operands[0] == 't' &&
                 spv_has_decoration(spv_id(p, in->w[2]), -1, SpvDecorationNoContraction);
    if (in->op == SpvOpFunctionCall)
        emit_call(p, in);
    else if (in->op == SpvOpExtInst)
        spv_emit_extended(p, in);
    else if (!spv_emit_alu(p, in) && !spv_emit_memory(p, in) && !spv_emit_composite(p, in) &&
             !spv_emit_image(p, in) && !spv_emit_atomic(p, in) && !spv_emit_group(p, in) &&
             !spv_emit_subgroup(p, in))
        spv_fail(p, "is not supported");
    p->b.exact = false;
}

static void emit_instance(struct spv *p, struct spv_instance *instance)
{
    p->serial++;
    p->impl = nir_function_impl_create(instance->nir);
    p->b = nir_builder_create(p->impl);
    p->b.cursor = nir_after_impl(p->impl);
    define_params(p, instance);
    spv_emit_body(p, instance);
}

void spv_emit_functions(struct spv *p)
{
    p->at = spv_read(p, p->entry_offset);
    struct spv_function *f = function(p, p->entry_id);
    spv_fail_if(p, f->type->length || f->type->element->op != SpvOpTypeVoid,
                "the entry point has parameters or a result");
    p->work += count_work(p, f, 0);
    create_instance(p, f, "main")->nir->is_entrypoint = true;
    for (unsigned i = 0; i < p->pending.count; i++)
        emit_instance(p, p->pending.data[i]);
    NIR_PASS_V(p->shader, nir_repair_ssa);
}
