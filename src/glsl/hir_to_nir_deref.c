/* SPDX-License-Identifier: MIT */
/*
 * Variables and memory: translates HIR derefs to NIR derefs.
 *
 * Memory that the API fills contains no booleans: booleans in uniforms and blocks are uints here,
 * and loads compare them with zero. Opaque members of structs become separate variables: the array
 * levels on the path remain, and the field names form the variable name. Members of built-in
 * uniforms are separate variables, too. Dynamic indices are clamped to the array bounds, so later
 * passes need no check.
 */
#include <talloc.h>

#include "glsl/hir_to_nir.h"
#include "glsl/glsl_builtins.h"

#include "util/check.h"

/* ---------------------------------------------------------------------------------- types --- */

const struct glsl_type *h2n_type(struct h2n *h, const struct glsl_type *type, bool in_default_block)
{
    struct hash_table *memo = in_default_block ? h->uint_types : h->types;
    const struct glsl_type *copy = hash_table_get(memo, type);
    if (!copy) {
        copy = in_default_block ? glsl_type_bools_to_uints(h->tmp, type)
                                : glsl_type_with_handles(h->tmp, type);
        copy = glsl_type_halves_to_floats(h->tmp, copy);
        copy = glsl_type_clone(h->shader, copy);
        hash_table_insert(memo, type, (void *)copy);
    }
    return copy;
}

bool h2n_has_opaque(const struct glsl_type *t)
{
    return glsl_type_contains(t, GLSL_TYPE_SAMPLER) || glsl_type_contains(t, GLSL_TYPE_IMAGE) ||
           glsl_type_contains(t, GLSL_TYPE_ATOMIC_UINT);
}

/* ------------------------------------------------------------------------------ variables --- */

nir_variable *h2n_local(struct h2n *h, const struct glsl_type *type, const char *name)
{
    return nir_local_variable_create(h->impl, h2n_type(h, type, false), name);
}

/* GLSL 4.60 §4.1.9: the indices determine the size of an unsized array. */
const struct glsl_type *h2n_local_type(struct h2n *h, const struct hir_variable *var)
{
    const struct glsl_type *t = var->type;
    return glsl_type_is_unsized_array(t)
               ? glsl_array_type(h->tmp, t->element, MAX2(var->max_array_access + 1, 1), 0)
               : t;
}

static nir_variable_mode nir_mode(enum hir_variable_mode mode)
{
    switch (mode) {
    case HIR_VAR_UNIFORM:
        return nir_var_uniform;
    case HIR_VAR_BUFFER:
        return nir_var_mem_ssbo;
    case HIR_VAR_SHARED:
        return nir_var_mem_shared;
    case HIR_VAR_SHADER_IN:
        return nir_var_shader_in;
    case HIR_VAR_SHADER_OUT:
        return nir_var_shader_out;
    case HIR_VAR_SYSTEM_VALUE:
        return nir_var_system_value;
    default:
        return nir_var_shader_temp;
    }
}

/* Returns whether a variable is a member or the instance of an input or output block. */
static bool is_io_block(const struct hir_variable *var)
{
    return var->interface_type && !var->builtin &&
           (var->mode == HIR_VAR_SHADER_IN || var->mode == HIR_VAR_SHADER_OUT);
}

static bool is_io_instance(const struct hir_variable *var)
{
    return var->interface_type && var->interface_field < 0 &&
           (var->mode == HIR_VAR_SHADER_IN || var->mode == HIR_VAR_SHADER_OUT);
}

/* Returns whether a built-in is a float array whose elements are components of a slot. */
static bool is_compact(const char *name)
{
    static const char *const names[] = {"gl_ClipDistance", "gl_ClipDistanceIn", "gl_CullDistance",
                                        "gl_TessLevelOuter", "gl_TessLevelInner"};
    for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

static void copy_qualifiers(nir_variable *var, const struct hir_variable *decl)
{
    var->data.read_only = decl->read_only;
    var->data.centroid = decl->centroid;
    var->data.sample = decl->sample;
    var->data.patch = decl->patch;
    var->data.per_primitive = decl->per_primitive;
    var->data.payload = decl->payload;
    var->data.invariant = decl->invariant;
    var->data.precise = decl->precise;
    var->data.interpolation = decl->interpolation;
    var->data.precision = decl->precision;
    var->data.access = decl->access;
    var->data.stream = decl->stream;
    var->data.image_format = decl->image_format;
    var->data.index = decl->index;
    var->data.fb_fetch_output = decl->framebuffer_fetch;
    var->data.explicit_component = decl->explicit_component;
    if (decl->explicit_component)
        var->data.location_frac = decl->component;
}

static void set_bindless(nir_variable *var, const struct hir_variable *decl)
{
    const struct glsl_type *t = glsl_without_array(var->type);
    var->data.bindless = (glsl_type_is_sampler(t) && decl->bindless_sampler) ||
                         (glsl_type_is_image(t) && decl->bindless_image);
}

/* Returns the initializer of variables that have none in the shader. */
static nir_constant *zero_constant(nir_variable *var)
{
    nir_constant *zero = talloc_zero(var, nir_constant);
    zero->is_null_constant = true;
    return zero;
}

/* Sets the declared type of an input or output. */
static void declare_type(struct h2n *h, nir_variable *var, const struct glsl_type *type)
{
    if (var->data.mode & (nir_var_shader_in | nir_var_shader_out) &&
        glsl_type_contains(type, GLSL_TYPE_FLOAT16))
        var->declared_type = glsl_type_clone(h->shader, type);
}

/* Returns a global variable of the stage and creates it on first use. */
static nir_variable *global_variable(struct h2n *h, struct link_var *lv)
{
    struct hir_variable *decl = lv->decl;
    if (lv->nir)
        return lv->nir;
    nir_variable_mode mode = nir_mode(decl->mode);
    const struct glsl_type *type = h2n_type(h, lv->type, mode == nir_var_uniform);
    const char *name = lv->name;
    if (is_io_block(decl))
        name = talloc_asprintf(h->tmp, "%s.%s", decl->interface_type->name, lv->name);
    nir_variable *var = lv->nir = nir_variable_create(h->shader, mode, type, name);
    declare_type(h, var, lv->type);
    copy_qualifiers(var, decl);
    set_bindless(var, decl);
    var->data.location = lv->location;
    var->data.explicit_location = lv->location >= 0 && !decl->builtin;
    var->data.explicit_binding = lv->binding >= 0;
    var->data.binding = lv->binding >= 0 ? lv->binding : 0;
    var->data.offset = decl->explicit_offset ? decl->offset : 0;
    var->data.compact = decl->builtin && is_compact(lv->name);
    if (mode == nir_var_shader_temp && lv->initializer) {
        var->constant_initializer = hir_constant_to_nir(var, lv->initializer);
    } else if (mode == nir_var_shader_temp) {
        var->constant_initializer = zero_constant(var);
    }
    if (mode == nir_var_uniform && decl->builtin) {
        var->num_state_slots = glsl_builtin_state_slots(lv->name, lv->type, NULL);
        var->state_slots = talloc_array(var, nir_state_slot, var->num_state_slots);
        glsl_builtin_state_slots(lv->name, lv->type, var->state_slots);
    }
    return var;
}

/* Returns the variable of the block that `decl` is a member or the instance of. */
static nir_variable *block_variable(struct h2n *h, struct hir_variable *decl)
{
    const struct link_block *lb = link_find_block(h->ln, h->st->stage, decl);
    const struct glsl_type *block = lb ? lb->type : decl->interface_type;
    const void *key = lb ? (const void *)lb : decl->interface_type;
    nir_variable *var = hash_table_get(h->blocks, key);
    if (var)
        return var;
    bool std140 = glsl_packing_is_std140(block->packing);
    struct link_var *lv = link_var_of(h->st, decl);
    const struct glsl_type *type =
        glsl_type_bools_to_uints(h->tmp, decl->interface_field >= 0 ? block
                                         : lv                       ? lv->type
                                                                    : decl->type);
    type = glsl_type_with_handles(h->tmp, type);
    type = glsl_explicit_type(h->shader, type, glsl_without_array(type)->row_major, std140);
    type = glsl_type_clone(h->shader, type);
    nir_variable_mode mode = decl->mode == HIR_VAR_BUFFER ? nir_var_mem_ssbo : nir_var_mem_ubo;
    var = nir_variable_create(h->shader, mode, type, block->name);
    var->interface_type = glsl_without_array(type);
    var->data.read_only = mode == nir_var_mem_ubo;
    int binding = lb ? lb->binding : decl->explicit_binding ? decl->binding : -1;
    var->data.explicit_binding = binding >= 0;
    var->data.binding = MAX2(binding, 0);
    hash_table_insert(h->blocks, key, var);
    return var;
}

static bool is_block(const struct hir_variable *var)
{
    return var->interface_type && (var->mode == HIR_VAR_UNIFORM || var->mode == HIR_VAR_BUFFER);
}

static bool is_local(const struct hir_variable *var)
{
    switch (var->mode) {
    case HIR_VAR_AUTO:
    case HIR_VAR_TEMPORARY:
    case HIR_VAR_FUNCTION_IN:
    case HIR_VAR_FUNCTION_OUT:
    case HIR_VAR_FUNCTION_INOUT:
    case HIR_VAR_CONST_IN:
        return true;
    default:
        return false;
    }
}

void h2n_declare_blocks(struct h2n *h)
{
    for (unsigned i = 0; i < h->st->vars.count; i++) {
        struct link_var *lv = &h->st->vars.data[i];
        const bool unsized_instances =
            lv->decl->interface_field < 0 && glsl_type_is_unsized_array(lv->type);
        if (is_block(lv->decl) && lv->decl->interface_type->packing != GLSL_PACKING_PACKED &&
            !unsized_instances)
            block_variable(h, lv->decl)->data.always_active_io = true;
    }
}

nir_variable *h2n_variable(struct h2n *h, struct hir_variable *var)
{
    nir_variable *local = hash_table_get(h->locals, var);
    if (local)
        return local;
    struct link_var *lv = is_local(var) ? NULL : link_var_of(h->st, var);
    if (lv)
        return global_variable(h, lv);
    /* The declaration is in unreachable code. */
    local = h2n_local(h, h2n_local_type(h, var), var->name);
    local->constant_initializer = zero_constant(local);
    hash_table_insert(h->locals, var, local);
    return local;
}

/* -------------------------------------------------------------------------------- opaques --- */

static unsigned chain_length(const struct hir_value *value)
{
    unsigned n = 0;
    for (;; n++) {
        if (value->node.kind == HIR_DEREF_ARRAY)
            value = ((const struct hir_deref_array *)value)->value;
        else if (value->node.kind == HIR_DEREF_RECORD)
            value = ((const struct hir_deref_record *)value)->value;
        else
            return n;
    }
}

/* Returns the step for an array index: a constant, or a variable that holds the index for the
 * callee. */
static struct h2n_step index_step(struct h2n *h, const struct hir_deref_array *d)
{
    unsigned length = d->value->type->length;
    nir_def *index = h2n_index(h, d->index, length);
    if (index->parent_instr->type == nir_instr_type_load_const)
        return (struct h2n_step){.index =
                                     nir_instr_as_load_const(index->parent_instr)->value[0].u32};
    nir_variable *var =
        nir_variable_create(h->shader, nir_var_shader_temp, glsl_uint_type(), "sampler_index");
    nir_store_var(&h->b, var, index, 1);
    return (struct h2n_step){.dynamic = var};
}

struct h2n_path *h2n_opaque_path(struct h2n *h, const struct hir_value *value)
{
    struct hir_variable *root = hir_variable_referenced(value);
    struct h2n_path *prefix = root ? hash_table_get(h->aliases, root) : NULL;
    struct h2n_path *path = talloc_zero(h->tmp, struct h2n_path);
    unsigned before = prefix ? prefix->count : 0, n = chain_length(value);
    path->root = prefix ? prefix->root : root;
    path->count = before + n;
    path->steps = talloc_array(path, struct h2n_step, path->count + 1);
    if (prefix)
        memcpy(path->steps, prefix->steps, before * sizeof *path->steps);
    for (unsigned i = path->count; i > before; i--) {
        if (value->node.kind == HIR_DEREF_ARRAY) {
            const struct hir_deref_array *d = (const struct hir_deref_array *)value;
            path->steps[i - 1] = index_step(h, d);
            value = d->value;
        } else {
            const struct hir_deref_record *d = (const struct hir_deref_record *)value;
            path->steps[i - 1] = (struct h2n_step){.is_field = true, .index = d->field};
            value = d->value;
        }
    }
    return path;
}

static nir_def *step_index(struct h2n *h, const struct h2n_step *step)
{
    return step->dynamic ? nir_load_var(&h->b, step->dynamic) : nir_imm_int(&h->b, step->index);
}

/* Returns the name of the opaque member that a path leads to. *out_type: its type, with all array
 * levels on the path. */
static const char *member_name(struct h2n *h, const struct h2n_path *path, const char *root_name,
                               const struct glsl_type *type, const struct glsl_type **out_type)
{
    unsigned lengths[32], levels = 0;
    char *name = talloc_strdup(h->tmp, root_name);
    for (unsigned i = 0; i < path->count; i++) {
        if (path->steps[i].is_field) {
            const struct glsl_struct_field *f = &type->fields[path->steps[i].index];
            name = talloc_asprintf(h->tmp, "%s.%s", name, f->name);
            type = f->type;
        } else {
            if (levels < ARRAY_SIZE(lengths))
                NEXT_OF(lengths, levels) = type->length;
            type = type->element;
        }
    }
    while (levels > 0)
        type = glsl_array_type(h->shader, type, lengths[--levels], 0);
    *out_type = type;
    return name;
}

static bool has_field(const struct h2n_path *path)
{
    for (unsigned i = 0; i < path->count; i++) {
        if (path->steps[i].is_field)
            return true;
    }
    return false;
}

nir_deref_instr *h2n_opaque_deref(struct h2n *h, const struct hir_value *value)
{
    struct h2n_path *path = h2n_opaque_path(h, value);
    struct link_var *lv = path->root ? link_var_of(h->st, path->root) : NULL;
    if (!lv)
        return NULL;
    nir_variable *var;
    if (has_field(path)) {
        const struct glsl_type *type;
        const char *name = member_name(h, path, lv->name, lv->type, &type);
        var = hash_table_get(h->members, name);
        if (!var) {
            var = nir_variable_create(h->shader, nir_var_uniform, h2n_type(h, type, true), name);
            copy_qualifiers(var, lv->decl);
            set_bindless(var, lv->decl);
            var->data.location = -1;
            hash_table_insert(h->members, name, var);
        }
    } else {
        var = global_variable(h, lv);
    }
    nir_deref_instr *deref = nir_build_deref_var(&h->b, var);
    for (unsigned i = 0; i < path->count; i++) {
        if (!path->steps[i].is_field)
            deref = nir_build_deref_array(&h->b, deref, step_index(h, &path->steps[i]));
    }
    return deref;
}

/* --------------------------------------------------------------------------------- handles --- */

bool h2n_is_bound(struct h2n *h, const struct hir_value *value)
{
    const struct hir_variable *root = hir_variable_referenced(value);
    if (!root)
        return false;
    return root->mode == HIR_VAR_UNIFORM ? !root->interface_type
                                         : hash_table_get(h->aliases, root) != NULL;
}

/* Returns the variable with the handles of an opaque uniform. The linker places it in the default
 * block. */
static nir_variable *handle_variable(struct h2n *h, const nir_variable *opaque)
{
    const char *name = talloc_asprintf(h->tmp, "%s" LINK_HANDLES, opaque->name);
    nir_variable *var = hash_table_get(h->members, name);
    if (!var) {
        var = nir_variable_create(h->shader, nir_var_uniform,
                                  glsl_type_with_handles(h->shader, opaque->type), name);
        var->data.location = -1;
        var->data.read_only = true;
        hash_table_insert(h->members, name, var);
    }
    return var;
}

static nir_deref_instr *handle_deref(struct h2n *h, const nir_deref_instr *opaque)
{
    if (opaque->deref_type == nir_deref_type_var)
        return nir_build_deref_var(&h->b, handle_variable(h, opaque->var));
    return nir_build_deref_array(&h->b, handle_deref(h, nir_deref_instr_parent(opaque)),
                                 opaque->arr.index.ssa);
}

nir_def *h2n_uniform_handle(struct h2n *h, nir_deref_instr *deref)
{
    const nir_variable *var = nir_deref_instr_get_variable(deref);
    return var && var->data.bindless ? nir_load_deref(&h->b, handle_deref(h, deref)) : NULL;
}

nir_def *h2n_handle(struct h2n *h, const struct hir_value *value)
{
    if (value->node.kind == HIR_EXPRESSION)
        return h2n_eval_vec(h, value);
    if (!h2n_is_bound(h, value))
        return nir_load_deref(&h->b, h2n_deref(h, value));
    nir_deref_instr *deref = h2n_opaque_deref(h, value);
    if (!deref)
        return nir_imm_intN_t(&h->b, 0, 64);
    nir_def *slot = nir_load_slot_handle(&h->b, &deref->def);
    nir_def *handle = h2n_uniform_handle(h, deref);
    return handle ? nir_bcsel(&h->b, nir_ine_imm(&h->b, handle, 0), handle, slot) : slot;
}

/* ---------------------------------------------------------------------------------- derefs --- */

nir_def *h2n_index(struct h2n *h, const struct hir_value *index, unsigned length)
{
    if (index->node.kind == HIR_CONSTANT) {
        unsigned i = ((const struct hir_constant *)index)->value[0].u32;
        return nir_imm_int(&h->b, length && i >= length ? length - 1 : i);
    }
    nir_def *def = h2n_eval_vec(h, index);
    if (def->bit_size != 32)
        def = nir_u2uN(&h->b, def, 32);
    return length ? nir_umin_imm(&h->b, def, length - 1) : def;
}

/* Returns a variable with the value of a constant. */
static nir_variable *constant_variable(struct h2n *h, const struct hir_constant *c)
{
    nir_variable *var = hash_table_get(h->constants, c);
    if (!var) {
        var = nir_variable_create(h->shader, nir_var_shader_temp, h2n_type(h, c->base.type, false),
                                  "const");
        var->data.read_only = true;
        var->constant_initializer = hir_constant_to_nir(var, c);
        hash_table_insert(h->constants, c, var);
    }
    return var;
}

static nir_deref_instr *deref_variable(struct h2n *h, struct hir_variable *var)
{
    if (is_block(var)) {
        nir_deref_instr *block = nir_build_deref_var(&h->b, block_variable(h, var));
        return var->interface_field >= 0
                   ? nir_build_deref_struct(&h->b, block, var->interface_field)
                   : block;
    }
    if (var->constant_value && !hash_table_search(h->locals, var) &&
        (var->mode == HIR_VAR_GLOBAL || is_local(var)))
        return nir_build_deref_var(&h->b, constant_variable(h, var->constant_value));
    return nir_build_deref_var(&h->b, h2n_variable(h, var));
}

/* ----------------------------------------------------------------- input and output blocks --- */

/* Applies the instance indices of a block access to the variable of a member. */
static nir_deref_instr *deref_instance(struct h2n *h, nir_variable *member,
                                       const struct hir_value *value)
{
    if (value->node.kind != HIR_DEREF_ARRAY)
        return nir_build_deref_var(&h->b, member);
    const struct hir_deref_array *d = (const struct hir_deref_array *)value;
    nir_deref_instr *parent = deref_instance(h, member, d->value);
    return nir_build_deref_array(&h->b, parent, h2n_index(h, d->index, parent->type->length));
}

static const struct glsl_type *member_type(struct h2n *h, const struct glsl_type *instance,
                                           const struct glsl_type *field)
{
    if (!glsl_type_is_array(instance))
        return field;
    return glsl_array_type(h->shader, member_type(h, instance->element, field), instance->length,
                           0);
}

/* Returns the number of instances in an array of blocks, without the dimension of vertices. */
static unsigned instances_of(const struct h2n *h, const nir_variable *member,
                             const struct glsl_type *field)
{
    const struct glsl_type *type = link_vertex_type(h->st->stage, member);
    return glsl_type_is_array(type) ? glsl_aoa_size(type) / MAX2(glsl_aoa_size(field), 1) : 1;
}

/* Returns the deref of a member of an input or output block with an instance name. The member is a
 * variable "Block.member", as in a stage where the block has no instance name. Returns NULL if d is
 * not such a member. */
static nir_deref_instr *deref_io_member(struct h2n *h, const struct hir_deref_record *d)
{
    const struct glsl_type *block = d->value->type;
    struct hir_variable *root = hir_variable_referenced(d->value);
    if (!glsl_type_is_interface(block) || !root || !is_io_instance(root))
        return NULL;
    const struct link_block *lb = link_find_block(h->ln, h->st->stage, root);
    const struct glsl_struct_field *f = &(lb ? lb->type : block)->fields[d->field];
    const char *name = root->builtin ? talloc_asprintf(h->tmp, "%s.%s", f->name, root->name)
                                     : talloc_asprintf(h->tmp, "%s.%s", block->name, f->name);
    /* An input block and an output block may have the same name (GLSL 4.60 §4.3.9). */
    bool output = nir_mode(root->mode) == nir_var_shader_out;
    const char *key = talloc_asprintf(h->tmp, "%s %s", output ? "out" : "in", name);
    nir_variable *var = hash_table_get(h->members, key);
    if (!var) {
        struct link_var *lv = link_var_of(h->st, root);
        const struct glsl_type *instance = lv ? lv->type : root->type;
        const struct glsl_type *type = member_type(h, instance, h2n_type(h, f->type, false));
        var = nir_variable_create(h->shader, nir_mode(root->mode), type, name);
        declare_type(h, var, member_type(h, instance, f->type));
        copy_qualifiers(var, root);
        var->data.interpolation = root->interpolation == INTERP_MODE_PER_VERTEX || !f->interpolation
                                      ? root->interpolation
                                      : f->interpolation;
        var->data.centroid |= f->centroid;
        var->data.sample |= f->sample;
        var->data.patch |= f->patch;
        var->data.location = f->location;
        var->data.explicit_location = f->location >= 0 && !root->builtin;
        if (var->data.explicit_location) { /* the locations of all instances are consecutive */
            int base = (lb ? lb->type : block)->fields[0].location;
            var->data.location = base + (f->location - base) * instances_of(h, var, f->type);
        }
        var->data.location_frac = MAX2(f->component, 0);
        var->data.explicit_component = f->component >= 0;
        var->data.compact = root->builtin && is_compact(f->name);
        hash_table_insert(h->members, key, var);
    }
    return deref_instance(h, var, d->value);
}

/* ----------------------------------------------------------------- leaves of built-in state --- */

static bool constant_steps(const struct hir_value *value)
{
    for (;;) {
        if (value->node.kind == HIR_DEREF_ARRAY) {
            const struct hir_deref_array *d = (const struct hir_deref_array *)value;
            if (d->index->node.kind != HIR_CONSTANT)
                return false;
            value = d->value;
        } else if (value->node.kind == HIR_DEREF_RECORD) {
            value = ((const struct hir_deref_record *)value)->value;
        } else {
            return true;
        }
    }
}

/* Returns a name such as "gl_LightSource[1].diffuse"; adds the number of state slots before it to
 * *slot. */
static char *leaf_name(struct h2n *h, const struct hir_value *value, unsigned *slot)
{
    if (value->node.kind == HIR_DEREF_ARRAY) {
        const struct hir_deref_array *d = (const struct hir_deref_array *)value;
        char *base = leaf_name(h, d->value, slot);
        unsigned i = ((const struct hir_constant *)d->index)->value[0].u32;
        i = MIN2(i, d->value->type->length - 1);
        *slot += i * glsl_count_attribute_slots(d->base.type, false);
        return talloc_asprintf(h->tmp, "%s[%u]", base, i);
    }
    if (value->node.kind == HIR_DEREF_RECORD) {
        const struct hir_deref_record *d = (const struct hir_deref_record *)value;
        const struct glsl_type *t = d->value->type;
        char *base = leaf_name(h, d->value, slot);
        for (unsigned i = 0; i < d->field; i++)
            *slot += glsl_count_attribute_slots(t->fields[i].type, false);
        return talloc_asprintf(h->tmp, "%s.%s", base, t->fields[d->field].name);
    }
    return talloc_strdup(h->tmp, ((const struct hir_deref_variable *)value)->var->name);
}

/* Returns the deref of a member of a built-in struct (gl_LightSource and so on), or of an element
 * of an array of vectors or matrices, that is selected by constants only. It becomes a separate
 * uniform, so that only the state the shader reads must be updated. Returns NULL for other
 * values. */
static nir_deref_instr *deref_state(struct h2n *h, const struct hir_value *value)
{
    const struct glsl_type *t = value->type;
    struct hir_variable *root = hir_variable_referenced(value);
    if (!root || !root->builtin || root->mode != HIR_VAR_UNIFORM ||
        t->base_type != GLSL_TYPE_FLOAT || !constant_steps(value))
        return NULL;
    if (value->node.kind == HIR_DEREF_ARRAY &&
        !glsl_type_is_array(((const struct hir_deref_array *)value)->value->type))
        return NULL;
    struct link_var *lv = link_var_of(h->st, root);
    unsigned slot = 0;
    char *name = leaf_name(h, value, &slot);
    nir_variable *var = hash_table_get(h->members, name);
    if (!var) {
        unsigned total = glsl_builtin_state_slots(lv->name, lv->type, NULL);
        nir_state_slot *all = talloc_array(h->tmp, nir_state_slot, total + 1);
        glsl_builtin_state_slots(lv->name, lv->type, all);
        var = nir_variable_create(h->shader, nir_var_uniform, t, name);
        copy_qualifiers(var, root);
        var->num_state_slots = glsl_count_attribute_slots(t, false);
        if (slot + var->num_state_slots > total)
            slot = 0;
        var->state_slots =
            talloc_memdup(var, all + slot, var->num_state_slots * sizeof *var->state_slots);
        hash_table_insert(h->members, name, var);
    }
    return nir_build_deref_var(&h->b, var);
}

/* Stores a value that is not in memory to a temporary and returns its deref. */
static nir_deref_instr *deref_temporary(struct h2n *h, const struct hir_value *value)
{
    if (value->node.kind == HIR_CONSTANT)
        return nir_build_deref_var(&h->b, constant_variable(h, (const struct hir_constant *)value));
    nir_variable *var = h2n_local(h, value->type, "tmp");
    if (glsl_type_is_array(value->type) || glsl_type_is_struct_or_ifc(value->type)) {
        /* Selection is the only operation on aggregates. */
        const struct hir_expression *e = (const struct hir_expression *)value;
        if (value->node.kind == HIR_EXPRESSION && e->op == HIR_OP_SELECT) {
            nir_if *nif = nir_push_if(&h->b, h2n_eval_vec(h, e->operands[0]));
            h2n_copy(h, nir_build_deref_var(&h->b, var), h2n_deref(h, e->operands[1]));
            nir_push_else(&h->b, nif);
            h2n_copy(h, nir_build_deref_var(&h->b, var), h2n_deref(h, e->operands[2]));
            nir_pop_if(&h->b, nif);
        }
        return nir_build_deref_var(&h->b, var);
    }
    struct h2n_value v = h2n_eval(h, value);
    nir_deref_instr *deref = nir_build_deref_var(&h->b, var);
    for (unsigned i = 0; i < v.n; i++) {
        nir_deref_instr *d = v.n == 1 ? deref : nir_build_deref_array_imm(&h->b, deref, i);
        nir_store_deref(&h->b, d, v.c[i], BITFIELD_MASK(v.c[i]->num_components));
    }
    return deref;
}

nir_deref_instr *h2n_deref(struct h2n *h, const struct hir_value *value)
{
    switch (value->node.kind) {
    case HIR_DEREF_VARIABLE:
        return deref_variable(h, ((const struct hir_deref_variable *)value)->var);
    case HIR_DEREF_ARRAY: {
        const struct hir_deref_array *d = (const struct hir_deref_array *)value;
        nir_deref_instr *state = deref_state(h, value);
        if (state)
            return state;
        nir_deref_instr *parent = h2n_deref(h, d->value);
        unsigned length = glsl_length_of(parent->type);
        nir_def *index = h2n_index(h, d->index, length);
        return nir_build_deref_array(&h->b, parent, index);
    }
    case HIR_DEREF_RECORD: {
        const struct hir_deref_record *d = (const struct hir_deref_record *)value;
        nir_deref_instr *deref = deref_state(h, value);
        if (!deref)
            deref = deref_io_member(h, d);
        return deref ? deref : nir_build_deref_struct(&h->b, h2n_deref(h, d->value), d->field);
    }
    default:
        return deref_temporary(h, value);
    }
}

/* ------------------------------------------------------------------------- loads and stores --- */

static nir_def *load_vector(struct h2n *h, nir_deref_instr *deref, const struct glsl_type *type)
{
    nir_def *def = nir_load_deref(&h->b, deref);
    if (type->base_type == GLSL_TYPE_BOOL && deref->type->base_type == GLSL_TYPE_UINT)
        def = nir_ine_imm(&h->b, def, 0);
    if (deref->type->base_type == GLSL_TYPE_FLOAT16)
        return h2n_from_memory(&h->b, def);
    return h2n_is_unrounded_input(h, deref) ? h2n_round_to_half(&h->b, def) : def;
}

struct h2n_value h2n_load(struct h2n *h, nir_deref_instr *deref, const struct glsl_type *type)
{
    struct h2n_value v = {.n = MAX2(type->matrix_columns, 1)};
    if (v.n == 1) {
        v.c[0] = load_vector(h, deref, type);
        return v;
    }
    for (unsigned i = 0; i < v.n; i++)
        v.c[i] = load_vector(h, nir_build_deref_array_imm(&h->b, deref, i), glsl_element_of(type));
    return v;
}

static void store_vector(struct h2n *h, nir_deref_instr *deref, nir_def *def, unsigned mask)
{
    if (def->bit_size == 1 && deref->type->base_type == GLSL_TYPE_UINT)
        def = nir_b2iN(&h->b, def, 32);
    if (deref->type->base_type == GLSL_TYPE_FLOAT16)
        def = nir_f2f16(&h->b, def);
    nir_store_deref(&h->b, deref, def, mask);
}

/* Copying a very large array from a buffer would need too much code. */
bool h2n_too_large(struct h2n *h, const struct glsl_type *t)
{
    bool large = glsl_packed_size(t) > 8u << 22;
    if (large)
        link_error(h->ln, "%s shader: a value of type %s is too large to be copied",
                   link_stage_name(h->st->stage), t->name);
    return large;
}

void h2n_copy(struct h2n *h, nir_deref_instr *dest, nir_deref_instr *src)
{
    const struct glsl_type *t = dest->type;
    if (h2n_too_large(h, t))
        return;
    bool same =
        !glsl_type_contains(t, GLSL_TYPE_BOOL) == !glsl_type_contains(src->type, GLSL_TYPE_BOOL);
    same &= !h2n_is_unrounded_input(h, src);
    bool laid_out = src->modes & (nir_var_mem_ubo | nir_var_mem_ssbo) ||
                    dest->modes & (nir_var_mem_ubo | nir_var_mem_ssbo);
    if (glsl_type_is_vector_or_scalar(t)) {
        store_vector(h, dest, load_vector(h, src, t), BITFIELD_MASK(t->vector_elements));
    } else if (same && !laid_out) {
        nir_copy_deref(&h->b, dest, src);
    } else if (glsl_type_is_struct_or_ifc(t)) {
        for (unsigned i = 0; i < t->length; i++)
            h2n_copy(h, nir_build_deref_struct(&h->b, dest, i),
                     nir_build_deref_struct(&h->b, src, i));
    } else {
        for (unsigned i = 0; i < glsl_length_of(t); i++)
            h2n_copy(h, nir_build_deref_array_imm(&h->b, dest, i),
                     nir_build_deref_array_imm(&h->b, src, i));
    }
}

/* A part of a value: a field or an element. */
union part {
    struct hir_value base;
    struct hir_deref_array element;
    struct hir_deref_record field;
};

/* Sets *part to field or element number i of a struct or array. *index is used by it. */
static void init_part(union part *part, const struct hir_value *value, unsigned i,
                      struct hir_constant *index)
{
    const struct glsl_type *t = value->type;
    *index = (struct hir_constant){.base = {.node.kind = HIR_CONSTANT, .type = glsl_uint_type()},
                                   .value[0].u64 = i};
    if (glsl_type_is_array(t))
        part->element =
            (struct hir_deref_array){.base = {.node.kind = HIR_DEREF_ARRAY, .type = t->element},
                                     .value = (struct hir_value *)value,
                                     .index = &index->base};
    else
        part->field = (struct hir_deref_record){
            .base = {.node.kind = HIR_DEREF_RECORD, .type = t->fields[i].type},
            .value = (struct hir_value *)value,
            .field = i};
}

void h2n_copy_value(struct h2n *h, nir_deref_instr *dest, const struct hir_value *src)
{
    const struct glsl_type *t = src->type;
    if (!h2n_has_opaque(t) || !h2n_is_bound(h, src)) {
        h2n_copy(h, dest, h2n_deref(h, src));
        return;
    }
    if (glsl_type_is_sampler(t) || glsl_type_is_image(t)) {
        if (!h->data_only)
            nir_store_deref(&h->b, dest, h2n_handle(h, src), 1);
        return;
    }
    bool array = glsl_type_is_array(t);
    for (unsigned i = 0; (array || glsl_type_is_struct(t)) && i < t->length; i++) {
        union part part;
        struct hir_constant index;
        init_part(&part, src, i, &index);
        h2n_copy_value(h,
                       array ? nir_build_deref_array_imm(&h->b, dest, i)
                             : nir_build_deref_struct(&h->b, dest, i),
                       &part.base);
    }
}

/* Moves the components of value, one per bit of mask, to their positions in a vector of n
 * components. */
static nir_def *spread(struct h2n *h, nir_def *value, unsigned mask, unsigned n)
{
    if (value->num_components == n)
        return value;
    nir_def *comps[4];
    unsigned next = 0;
    nir_def *undef = nir_channel(&h->b, value, 0);
    for (unsigned i = 0; i < n; i++) {
        bool taken = mask >> i & 1 && next < value->num_components;
        comps[i] = taken ? nir_channel(&h->b, value, next++) : undef;
    }
    return nir_vec(&h->b, comps, n);
}

/* Stores through a swizzle: component i of the value is stored to component[i] of the swizzled
 * vector. */
static void store_swizzle(struct h2n *h, const struct hir_swizzle *s, nir_def *value, unsigned mask)
{
    unsigned n = s->value->type->vector_elements, out_mask = 0;
    nir_def *comps[4];
    for (unsigned i = 0; i < n; i++)
        comps[i] = nir_channel(&h->b, value, 0);
    for (unsigned i = 0; i < s->base.type->vector_elements; i++) {
        if (!(mask >> i & 1))
            continue;
        comps[s->component[i]] = nir_channel(&h->b, value, i);
        out_mask |= 1u << s->component[i];
    }
    nir_deref_instr *deref = h2n_deref(h, s->value);
    store_vector(h, deref, nir_vec(&h->b, comps, n), out_mask);
}

/* Returns whether other invocations may write adjacent components (GLSL 4.60 §4.3.6, §4.3.7,
 * §4.3.8). */
static bool is_shared(const struct h2n *h, const nir_deref_instr *deref)
{
    nir_variable_mode shared = nir_var_mem_ssbo | nir_var_mem_shared;
    if (h->st->stage == SHADER_TESS_CTRL || h->st->stage == SHADER_MESH)
        shared |= nir_var_shader_out;
    return deref->modes & shared;
}

/* Stores only the component that the index selects, with a branch per component. */
static void store_only_component(struct h2n *h, const struct hir_value *vec, nir_def *value,
                                 nir_def *index)
{
    for (unsigned i = 0; i < value->num_components; i++) {
        nir_push_if(&h->b, nir_ieq_imm(&h->b, index, i));
        if (vec->node.kind == HIR_SWIZZLE)
            store_swizzle(h, (const struct hir_swizzle *)vec, value, 1u << i);
        else
            store_vector(h, h2n_deref(h, vec), value, 1u << i);
        nir_pop_if(&h->b, NULL);
    }
}

/* Stores one component of a vector in memory; the index may be dynamic. */
static void store_component(struct h2n *h, const struct hir_deref_array *d, nir_def *scalar)
{
    unsigned n = d->value->type->vector_elements;
    nir_def *index = h2n_index(h, d->index, n);
    const struct hir_value *vec = d->value;
    if (vec->node.kind == HIR_SWIZZLE)
        vec = ((const struct hir_swizzle *)vec)->value;
    if (index->parent_instr->type != nir_instr_type_load_const && is_shared(h, h2n_deref(h, vec))) {
        store_only_component(h, d->value, nir_vec_broadcast(&h->b, scalar, n), index);
        return;
    }
    if (d->value->node.kind == HIR_SWIZZLE) {
        nir_def *changed = nir_vector_insert(&h->b, h2n_eval_vec(h, d->value), scalar, index);
        store_swizzle(h, (const struct hir_swizzle *)d->value, changed, BITFIELD_MASK(n));
        return;
    }
    nir_deref_instr *deref = h2n_deref(h, d->value);
    if (index->parent_instr->type == nir_instr_type_load_const) {
        unsigned i = nir_instr_as_load_const(index->parent_instr)->value[0].u32;
        store_vector(h, deref, nir_vec_broadcast(&h->b, scalar, n), 1u << i);
        return;
    }
    nir_def *old = load_vector(h, deref, d->value->type);
    store_vector(h, deref, nir_vector_insert(&h->b, old, scalar, index), BITFIELD_MASK(n));
}

static void store_value(struct h2n *h, const struct hir_value *lhs, struct h2n_value v,
                        unsigned mask)
{
    const struct glsl_type *t = lhs->type;
    if (v.n > 1) {
        nir_deref_instr *deref = h2n_deref(h, lhs);
        for (unsigned i = 0; i < v.n; i++)
            store_vector(h, nir_build_deref_array_imm(&h->b, deref, i), v.c[i],
                         BITFIELD_MASK(t->vector_elements));
        return;
    }
    unsigned all = BITFIELD_MASK(t->vector_elements);
    mask = mask ? mask & all : all;
    nir_def *def = spread(h, v.c[0], mask, t->vector_elements);
    if (lhs->node.kind == HIR_SWIZZLE) {
        store_swizzle(h, (const struct hir_swizzle *)lhs, def, mask);
    } else if (lhs->node.kind == HIR_DEREF_ARRAY &&
               glsl_type_is_vector(((const struct hir_deref_array *)lhs)->value->type)) {
        store_component(h, (const struct hir_deref_array *)lhs, def);
    } else {
        store_vector(h, h2n_deref(h, lhs), def, mask);
    }
}

/* Assigns a block instance, or an array of them, member by member: in NIR, the members are separate
 * variables. */
static void assign_members(struct h2n *h, const struct hir_value *lhs, const struct hir_value *rhs)
{
    const struct glsl_type *t = lhs->type;
    bool is_array = glsl_type_is_array(t);
    for (unsigned i = 0; i < t->length; i++) {
        const struct glsl_type *part = is_array ? t->element : t->fields[i].type;
        unsigned mask =
            glsl_type_is_vector_or_scalar(part) ? BITFIELD_MASK(part->vector_elements) : 0;
        struct hir_constant index[2];
        union part value[2];
        init_part(&value[0], lhs, i, &index[0]);
        init_part(&value[1], rhs, i, &index[1]);
        h2n_assign(h, &value[0].base, &value[1].base, mask);
    }
}

void h2n_assign(struct h2n *h, const struct hir_value *lhs, const struct hir_value *rhs,
                unsigned mask)
{
    const struct glsl_type *t = lhs->type;
    if (glsl_type_is_interface(glsl_without_array(t))) {
        assign_members(h, lhs, rhs);
        return;
    }
    if (t->base_type > GLSL_TYPE_BOOL) {
        if (h2n_has_opaque(t) && h2n_is_bound(h, rhs)) {
            h2n_copy_value(h, h2n_deref(h, lhs), rhs);
            return;
        }
        nir_deref_instr *src = h2n_deref(h, rhs);
        h2n_copy(h, h2n_deref(h, lhs), src);
        return;
    }
    store_value(h, lhs, h2n_eval(h, rhs), mask);
}
