/* SPDX-License-Identifier: MIT */
/*
 * Pointers consist of a variable and access steps; derefs are built at each use. Dynamic indices
 * are clamped to the array bounds, so later passes need no check.
 */
#include "spirv/spirv_private.h"

#include "util/check.h"

/* --------------------------------------------------------------------------------- pointers --- */

static struct spv_pointer *pointer_to(struct spv *p, struct spv_variable *v)
{
    struct spv_pointer *ptr = spv_alloc(p, sizeof *ptr);
    *ptr = (struct spv_pointer){.var = v, .type = v->type};
    return ptr;
}

struct spv_pointer *spv_use_pointer(struct spv *p, uint32_t id)
{
    const struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_VARIABLE && v->kind != SPV_POINTER, "id %u is not a pointer", id);
    spv_fail_if(p, v->serial && v->serial != p->serial, "id %u is used before it is defined", id);
    return v->kind == SPV_VARIABLE ? pointer_to(p, v->variable) : v->pointer;
}

struct spv_pointer *spv_use_image(struct spv *p, uint32_t id)
{
    const struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_IMAGE, "id %u is not an image", id);
    spv_fail_if(p, v->serial != p->serial, "id %u is used before it is defined", id);
    return v->pointer;
}

static void set_pointer(struct spv *p, const struct spv_instr *in, enum spv_kind kind,
                        struct spv_pointer *ptr)
{
    struct spv_value *v = spv_define(p, in->w[2], kind);
    v->type = spv_type(p, in->w[1]);
    v->pointer = ptr;
}

/* Returns a copy of ptr with space for `more` additional steps. */
static struct spv_pointer *extend(struct spv *p, const struct spv_pointer *ptr, unsigned more)
{
    struct spv_pointer *out = spv_alloc(p, sizeof *out);
    *out = *ptr;
    out->steps = spv_alloc(p, (ptr->count + more) * sizeof *out->steps + 1);
    if (ptr->count)
        memcpy(out->steps, ptr->steps, ptr->count * sizeof *out->steps);
    return out;
}

static void add_step(struct spv *p, struct spv_pointer *ptr, struct spv_step step)
{
    const struct spv_type *t = ptr->type;
    bool dynamic = step.def || step.saved;
    spv_fail_if(p, t->op == SpvOpTypeStruct && dynamic,
                "the index of a struct member must be a constant");
    if (!dynamic && t->op != SpvOpTypeStruct && t->op != SpvOpTypeRuntimeArray && t->length)
        step.index = MIN2(step.index, t->length - 1);
    ptr->type = spv_part_type(p, t, dynamic ? 0 : step.index);
    ptr->steps[ptr->count++] = step;
}

static struct spv_step step_of(struct spv *p, uint32_t id)
{
    const struct spv_value *v = spv_id(p, id);
    spv_fail_if(p, v->kind != SPV_CONSTANT && v->kind != SPV_RESULT,
                "id %u cannot be used as an index", id);
    spv_fail_if(p, v->type->op != SpvOpTypeInt, "id %u is not an integer scalar", id);
    if (v->kind != SPV_CONSTANT)
        return (struct spv_step){.def = spv_use_int(p, id)};
    return (struct spv_step){
        .index = (unsigned)MIN2(nir_const_value_as_uint(v->constant->values[0], v->type->width),
                                UINT32_MAX)};
}

static void emit_access_chain(struct spv *p, const struct spv_instr *in)
{
    const struct spv_pointer *base = spv_use_pointer(p, in->w[3]);
    const struct spv_type *type = spv_type(p, in->w[1]);
    spv_fail_if(p, in->count - 4 > SPV_MAX_TYPE_DEPTH + 4, "has too many indices");
    struct spv_pointer *ptr = extend(p, base, in->count - 4);
    for (unsigned i = 4; i < in->count; i++)
        add_step(p, ptr, step_of(p, in->w[i]));
    spv_fail_if(p,
                type->op != SpvOpTypePointer || type->storage != ptr->var->storage ||
                    !spv_same_type(type->element, ptr->type),
                "the result type does not match the operands");
    set_pointer(p, in, SPV_POINTER, ptr);
}

/* ----------------------------------------------------------------------------------- derefs --- */

nir_def *spv_step_index(struct spv *p, const struct spv_step *step, unsigned length)
{
    nir_def *def = step->saved ? nir_load_var(&p->b, step->saved) : step->def ? step->def : NULL;
    if (!def)
        return nir_imm_int(&p->b, (int)step->index);
    return length ? nir_umin_imm(&p->b, def, length - 1) : def;
}

static nir_deref_instr *follow(struct spv *p, nir_deref_instr *deref, const struct spv_type *t,
                               const struct spv_step *step)
{
    if (t->op == SpvOpTypeStruct)
        return nir_build_deref_struct(&p->b, deref, step->index);
    return nir_build_deref_array(&p->b, deref, spv_step_index(p, step, t->length));
}

/* Returns whether a pointer refers to a whole input or output block, or an array of them, for which
 * there is no single variable. */
static bool is_whole_block(const struct spv_pointer *ptr)
{
    return ptr->var->members && ptr->count <= ptr->var->levels;
}

/* Returns the deref that a pointer refers to. *component is its final step into a vector, or
 * NULL. */
static nir_deref_instr *resolve(struct spv *p, const struct spv_pointer *ptr,
                                const struct spv_step **component)
{
    struct spv_variable *v = ptr->var;
    const struct spv_type *t = v->type;
    nir_variable *var;
    *component = NULL;
    if (v->members) {
        spv_fail_if(p, is_whole_block(ptr), "a whole block is not allowed here");
        var = spv_io_member(p, v, ptr->steps[v->levels].index);
    } else {
        var = spv_variable_nir(p, v);
    }
    nir_deref_instr *deref = nir_build_deref_var(&p->b, var);
    for (unsigned i = 0; i < ptr->count; i++) {
        const struct spv_step *step = &ptr->steps[i];
        if (t->op == SpvOpTypeVector) {
            *component = step;
            return deref;
        }
        if (!v->members || i != v->levels)
            deref = follow(p, deref, t, step);
        t = t->op == SpvOpTypeStruct ? t->members[step->index] : t->element;
    }
    return deref;
}

const struct spv_step *spv_split_component(struct spv_pointer *ptr)
{
    const struct spv_type *t = ptr->var->type;
    for (unsigned i = 0; i < ptr->count; i++) {
        if (t->op == SpvOpTypeVector) {
            ptr->count = i;
            ptr->type = t;
            return &ptr->steps[i];
        }
        t = t->op == SpvOpTypeStruct ? t->members[ptr->steps[i].index] : t->element;
    }
    return NULL;
}

nir_deref_instr *spv_pointer_deref(struct spv *p, const struct spv_pointer *ptr)
{
    const struct spv_step *component;
    nir_deref_instr *deref = resolve(p, ptr, &component);
    return component ? nir_build_deref_array(
                           &p->b, deref, spv_step_index(p, component, glsl_length_of(deref->type)))
                     : deref;
}

/* Returns the deref of an image or sampler. An opaque struct member is a separate variable, as in
 * hir_to_nir: the array levels on the path remain, and the field names form its name. */
nir_deref_instr *spv_opaque_deref(struct spv *p, const struct spv_pointer *ptr)
{
    struct spv_variable *v = ptr->var;
    const struct spv_type *t = v->type;
    unsigned lengths[SPV_MAX_TYPE_DEPTH + 8], levels = 0;
    char *name = talloc_strdup(p->mem, v->name);
    bool fields = false;
    for (unsigned i = 0; i < ptr->count; i++) {
        if (t->op == SpvOpTypeStruct) {
            fields = true;
            name = talloc_asprintf(p->mem, "%s.m%u", name, ptr->steps[i].index);
            t = t->members[ptr->steps[i].index];
        } else {
            NEXT_OF(lengths, levels) = t->length;
            t = t->element;
        }
    }
    nir_variable *var = spv_variable_nir(p, v);
    if (fields) {
        const struct glsl_type *type = t->plain;
        while (levels > 0)
            type = glsl_array_type(p->mem, type, lengths[--levels], 0);
        if (!v->opaques)
            v->opaques = hash_table_create_string(p->mem);
        var = hash_table_get(v->opaques, name);
        if (!var) {
            var = spv_create_uniform(p, v, type, name);
            var->data.location = -1;
            var->data.explicit_location = false;
            hash_table_insert(v->opaques, name, var);
        }
    }
    nir_deref_instr *deref = nir_build_deref_var(&p->b, var);
    t = v->type;
    for (unsigned i = 0; i < ptr->count; i++) {
        if (t->op == SpvOpTypeStruct) {
            t = t->members[ptr->steps[i].index];
            continue;
        }
        deref = nir_build_deref_array(&p->b, deref, spv_step_index(p, &ptr->steps[i], t->length));
        t = t->element;
    }
    return deref;
}

/* --------------------------------------------------------------------------- loads, stores --- */

static struct spv_pointer *part_pointer(struct spv *p, const struct spv_pointer *ptr, unsigned i)
{
    struct spv_pointer *part = extend(p, ptr, 1);
    add_step(p, part, (struct spv_step){.index = i});
    return part;
}

/* Loads or stores a whole input or output block, member by member. */
static void move_block(struct spv *p, const struct spv_pointer *ptr, nir_deref_instr *other,
                       bool load)
{
    const struct spv_type *t = ptr->type;
    for (unsigned i = 0; i < t->length; i++) {
        struct spv_pointer *part = part_pointer(p, ptr, i);
        nir_deref_instr *there = t->op == SpvOpTypeStruct
                                     ? nir_build_deref_struct(&p->b, other, i)
                                     : nir_build_deref_array_imm(&p->b, other, i);
        if (is_whole_block(part)) {
            move_block(p, part, there, load);
            continue;
        }
        nir_deref_instr *here = spv_pointer_deref(p, part);
        struct spv_ssa v = spv_load_part(p, load ? here : there, part->type);
        spv_store_part(p, load ? there : here, &v);
    }
}

struct spv_ssa spv_load(struct spv *p, const struct spv_pointer *ptr)
{
    spv_fail_if(p, ptr->var->storage == SpvStorageClassAtomicCounter,
                "only atomic instructions can read atomic counters");
    spv_fail_if(p, ptr->type->opaque, "the type has no values");
    if (is_whole_block(ptr)) {
        spv_count_work(p, ptr->type->scalars);
        struct spv_ssa v = spv_temporary(p, ptr->type);
        move_block(p, ptr, spv_aggregate_deref(p, &v), true);
        return v;
    }
    const struct spv_step *component;
    nir_deref_instr *deref = resolve(p, ptr, &component);
    if (!component)
        return spv_load_part(p, deref, ptr->type);
    struct spv_pointer whole = *ptr;
    spv_split_component(&whole);
    nir_def *vec = spv_load_part(p, deref, whole.type).c[0];
    nir_def *def =
        component->def || component->saved
            ? nir_vector_extract(&p->b, vec, spv_step_index(p, component, vec->num_components))
            : nir_channel(&p->b, vec, component->index);
    return (struct spv_ssa){.type = ptr->type, .n = 1, .c = {def}};
}

/* Returns whether other invocations may write the neighboring components (GLSL 4.60 §4.3.6, §4.3.7,
 * §4.3.8). */
static bool is_shared(const struct spv *p, const nir_deref_instr *deref)
{
    nir_variable_mode shared = nir_var_mem_ssbo | nir_var_mem_shared;
    if (p->stage == SHADER_TESS_CTRL)
        shared |= nir_var_shader_out;
    return deref->modes & shared;
}

static void store_component(struct spv *p, nir_deref_instr *deref, const struct spv_step *step,
                            nir_def *scalar)
{
    unsigned n = deref->type->vector_elements;
    nir_def *all = nir_vec_broadcast(&p->b, scalar, n);
    if (!step->def && !step->saved) {
        nir_store_deref(&p->b, deref, all, 1u << step->index);
        return;
    }
    nir_def *index = spv_step_index(p, step, n);
    if (!is_shared(p, deref)) {
        nir_def *old = nir_load_deref(&p->b, deref);
        nir_store_deref(&p->b, deref, nir_vector_insert(&p->b, old, scalar, index),
                        BITFIELD_MASK(n));
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        nir_push_if(&p->b, nir_ieq_imm(&p->b, index, i));
        nir_store_deref(&p->b, deref, all, 1u << i);
        nir_pop_if(&p->b, NULL);
    }
}

static void check_writable(struct spv *p, const struct spv_pointer *ptr)
{
    SpvStorageClass s = ptr->var->storage;
    bool block = s == SpvStorageClassUniform || s == SpvStorageClassStorageBuffer;
    spv_fail_if(p,
                s == SpvStorageClassInput || s == SpvStorageClassUniformConstant ||
                    s == SpvStorageClassAtomicCounter,
                "the pointer refers to read-only memory");
    spv_fail_if(p, block && spv_variable_nir(p, ptr->var)->data.mode != nir_var_mem_ssbo,
                "a uniform block cannot be written");
}

void spv_store(struct spv *p, const struct spv_pointer *ptr, const struct spv_ssa *v)
{
    check_writable(p, ptr);
    spv_fail_if(p, !spv_same_type(ptr->type, v->type), "the value has the wrong type");
    if (is_whole_block(ptr)) {
        spv_count_work(p, ptr->type->scalars);
        move_block(p, ptr, spv_aggregate_deref(p, v), false);
        return;
    }
    const struct spv_step *component;
    nir_deref_instr *deref = resolve(p, ptr, &component);
    if (component)
        store_component(p, deref, component, v->c[0]);
    else
        spv_store_part(p, deref, v);
}

/* -------------------------------------------------------------------------- instructions --- */

static void emit_variable(struct spv *p, const struct spv_instr *in)
{
    const struct spv_type *type = spv_type(p, in->w[1]);
    spv_fail_if(p,
                type->op != SpvOpTypePointer || type->storage != SpvStorageClassFunction ||
                    in->w[3] != SpvStorageClassFunction,
                "variables in functions must have the storage class Function");
    spv_fail_if(p, type->element->opaque || type->element->unsized || !type->element->plain,
                "the type has no values");
    spv_fail_if(p, type->element->scalars > SPV_MAX_SCALARS, "the variable is too large");
    spv_count_work(p, type->element->nodes);
    struct spv_variable *v = spv_alloc(p, sizeof *v);
    *v = (struct spv_variable){
        .type = type->element,
        .storage = SpvStorageClassFunction,
        .id = in->w[2],
        .offset = in->offset,
    };
    v->nir = nir_variable_create(p->shader, nir_var_shader_temp,
                                 glsl_type_clone(p->shader, v->type->plain), "local");
    struct spv_value *value = spv_define(p, in->w[2], SPV_VARIABLE);
    value->type = type;
    value->variable = v;
    if (in->count > 4) {
        struct spv_ssa init = spv_use(p, in->w[4]);
        spv_store(p, pointer_to(p, v), &init);
    } else { /* variables that are read before they are written are 0 */
        nir_store_zero(&p->b, nir_build_deref_var(&p->b, v->nir));
    }
}

static void emit_load(struct spv *p, const struct spv_instr *in)
{
    struct spv_pointer *ptr = spv_use_pointer(p, in->w[3]);
    const struct spv_type *type = spv_type(p, in->w[1]);
    if (ptr->type->opaque && !spv_is_aggregate(ptr->type)) {
        spv_fail_if(p, type != ptr->type, "the result type does not match the operands");
        set_pointer(p, in, SPV_IMAGE, ptr);
        return;
    }
    spv_set(p, in, spv_load(p, ptr));
}

static void emit_array_length(struct spv *p, const struct spv_instr *in)
{
    const struct spv_pointer *block = spv_use_pointer(p, in->w[3]);
    spv_fail_if(p,
                block->type->op != SpvOpTypeStruct || in->w[4] >= block->type->length ||
                    block->type->members[in->w[4]]->op != SpvOpTypeRuntimeArray ||
                    block->var->members,
                "member %u is not a runtime array", in->w[4]);
    nir_deref_instr *deref = spv_pointer_deref(p, part_pointer(p, block, in->w[4]));
    spv_fail_if(p, !(deref->modes & nir_var_mem_ssbo), "is only allowed for storage blocks");
    spv_set_vec(p, in, nir_deref_buffer_array_length(&p->b, &deref->def));
}

static void emit_texel_pointer(struct spv *p, const struct spv_instr *in)
{
    struct spv_pointer *image = spv_use_pointer(p, in->w[3]);
    spv_fail_if(p, image->type->op != SpvOpTypeImage || image->type->image.sampled != 2,
                "the image must be a storage image");
    struct spv_value *v = spv_define(p, in->w[2], SPV_TEXEL);
    v->type = spv_type(p, in->w[1]);
    spv_fail_if(p,
                v->type->op != SpvOpTypePointer ||
                    !spv_same_type(v->type->element, image->type->element),
                "must point to the sampled type of the image");
    v->pointer = image;
    v->coord = in->w[4];
    v->sample = in->w[5];
}

bool spv_emit_memory(struct spv *p, const struct spv_instr *in)
{
    switch (in->op) {
    case SpvOpVariable:
        emit_variable(p, in);
        return true;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        emit_access_chain(p, in);
        return true;
    case SpvOpLoad:
        emit_load(p, in);
        return true;
    case SpvOpStore: {
        struct spv_ssa v = spv_use(p, in->w[2]);
        spv_store(p, spv_use_pointer(p, in->w[1]), &v);
        return true;
    }
    case SpvOpCopyMemory: {
        struct spv_ssa v = spv_load(p, spv_use_pointer(p, in->w[2]));
        spv_store(p, spv_use_pointer(p, in->w[1]), &v);
        return true;
    }
    case SpvOpArrayLength:
        emit_array_length(p, in);
        return true;
    case SpvOpImageTexelPointer:
        emit_texel_pointer(p, in);
        return true;
    case SpvOpCopyObject: {
        const struct spv_value *v = spv_id(p, in->w[3]);
        if (v->kind == SPV_VARIABLE || v->kind == SPV_POINTER) {
            struct spv_pointer *ptr = spv_use_pointer(p, in->w[3]);
            const struct spv_type *type = spv_type(p, in->w[1]);
            spv_fail_if(p, type->op != SpvOpTypePointer || type->element != ptr->type,
                        "the result type does not match the operands");
            set_pointer(p, in, SPV_POINTER, ptr);
        } else if (v->kind == SPV_IMAGE) {
            struct spv_pointer *ptr = spv_use_image(p, in->w[3]);
            spv_fail_if(p, spv_type(p, in->w[1]) != v->type,
                        "the result type does not match the operands");
            set_pointer(p, in, SPV_IMAGE, ptr);
        } else {
            spv_set(p, in, spv_use(p, in->w[3]));
        }
        return true;
    }
    default:
        return false;
    }
}
