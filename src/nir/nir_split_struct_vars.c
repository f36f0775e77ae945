/* SPDX-License-Identifier: MIT */
/*
 * Splits a variable of a struct type, or of an array of structs, into one variable per leaf field.
 * Arrays around a struct become arrays of the leaves: S s[2] with a float f in S becomes float
 * s.f[2]. Struct steps disappear from the derefs, so that only indices remain. Copies must be
 * split.
 */
#include "nir.h"

#include <talloc.h>

#include "nir_builder.h"

#include "util/hash_table.h"

struct field {
    const struct glsl_type *type; /* type of this part without the arrays around it */
    struct field *fields;         /* structs only */
    nir_variable *var;            /* leaves only */
};

struct state {
    nir_shader *shader;
    nir_function_impl *impl; /* function of function temporaries, otherwise NULL */
    void *mem_ctx;
    struct hash_table *roots; /* old variable → struct field */
};

static const struct glsl_type *wrap(void *mem_ctx, const struct glsl_type *arrays,
                                    const struct glsl_type *inner)
{
    if (!arrays || !glsl_type_is_array(arrays))
        return inner;
    const struct glsl_type *element = wrap(mem_ctx, arrays->element, inner);
    return glsl_array_type(mem_ctx, element, arrays->length, 0);
}

/* type: type of the part with its own arrays; arrays: the arrays around it, the outermost first. */
static void init_field(struct state *s, struct field *field, nir_variable *old, const char *name,
                       const struct glsl_type *type, const struct glsl_type *const *arrays,
                       unsigned num_arrays)
{
    const struct glsl_type *bare = glsl_without_array(type);
    const struct glsl_type **chain =
        talloc_array(s->mem_ctx, const struct glsl_type *, num_arrays + 1);
    for (unsigned i = 0; i < num_arrays; i++)
        chain[i] = arrays[i];
    if (glsl_type_is_array(type))
        chain[num_arrays++] = type;
    field->type = bare;
    if (glsl_type_is_struct_or_ifc(bare)) {
        field->fields = talloc_zero_array(s->mem_ctx, struct field, bare->length);
        for (unsigned i = 0; i < bare->length; i++) {
            char *child = talloc_asprintf(s->mem_ctx, "%s.%s", name, bare->fields[i].name);
            init_field(s, &field->fields[i], old, child, bare->fields[i].type, chain, num_arrays);
        }
        return;
    }
    const struct glsl_type *full = bare;
    for (unsigned i = num_arrays; i-- > 0;)
        full = wrap(s->shader, chain[i], full);
    field->var = s->impl ? nir_local_variable_create(s->impl, full, name)
                         : nir_variable_create(s->shader, old->data.mode, full, name);
    field->var->data.zero_first = old->data.zero_first;
}

static bool can_split(const nir_variable *var)
{
    return glsl_type_is_struct_or_ifc(glsl_without_array(var->type)) && !var->constant_initializer;
}

/* Returns true if all uses of the variable's derefs end in a leaf: no struct is copied or
 * passed. */
static bool uses_are_leaves(nir_deref_instr *deref)
{
    bool leaf = !glsl_type_is_struct_or_ifc(glsl_without_array(deref->type));
    nir_foreach_use_including_if(src, &deref->def)
    {
        if (nir_src_is_if(src))
            return false;
        if (leaf)
            continue;
        if (nir_src_parent_instr(src)->type != nir_instr_type_deref)
            return false;
        nir_deref_instr *child = nir_instr_as_deref(nir_src_parent_instr(src));
        if (child->deref_type == nir_deref_type_cast || !uses_are_leaves(child))
            return false;
    }
    return true;
}

static void exclude_complex(nir_function_impl *impl, struct hash_table *complex)
{
    nir_foreach_block (block, impl) {
        nir_foreach_instr (instr, block) {
            if (instr->type != nir_instr_type_deref)
                continue;
            nir_deref_instr *deref = nir_instr_as_deref(instr);
            if (deref->deref_type == nir_deref_type_var && can_split(deref->var) &&
                !uses_are_leaves(deref))
                hash_table_insert(complex, deref->var, deref->var);
        }
    }
}

static bool split_list(struct state *s, struct list_head *variables, nir_variable_mode modes,
                       struct hash_table *complex)
{
    bool progress = false;
    nir_foreach_variable_in_list_safe(var, variables)
    {
        if (!(var->data.mode & modes) || !can_split(var) || hash_table_get(complex, var))
            continue;
        struct field *root = talloc_zero(s->mem_ctx, struct field);
        init_field(s, root, var, var->name ? var->name : "", var->type, NULL, 0);
        hash_table_insert(s->roots, var, root);
        list_del(&var->node);
        progress = true;
    }
    return progress;
}

/* Rebuilds the deref of a leaf field on the new variable of that field. Ignores other derefs, and
 * array steps within a leaf. */
static bool rewrite_deref(struct state *s, nir_builder *b, nir_deref_instr *deref)
{
    nir_variable *var = nir_deref_instr_get_variable(deref);
    struct field *field = var ? hash_table_get(s->roots, var) : NULL;
    nir_deref_instr *parent = nir_deref_instr_parent(deref);
    if (!field || !parent || deref->deref_type != nir_deref_type_struct ||
        glsl_type_is_struct_or_ifc(glsl_without_array(deref->type)))
        return false;

    nir_deref_path path;
    nir_deref_path_init(&path, deref, NULL);
    for (nir_deref_instr **d = &path.path[1]; *d; d++) {
        if ((*d)->deref_type == nir_deref_type_struct)
            field = &field->fields[(*d)->strct.index];
    }
    b->cursor = nir_before_instr(&deref->instr);
    nir_deref_instr *copy = nir_build_deref_var(b, field->var);
    for (nir_deref_instr **d = &path.path[1]; *d; d++) {
        if ((*d)->deref_type != nir_deref_type_struct)
            copy = nir_build_deref_follower(b, copy, *d);
    }
    nir_deref_path_finish(&path);
    nir_def_replace(&deref->def, &copy->def);
    nir_deref_instr_remove_if_unused(parent);
    return true;
}

bool nir_split_struct_vars(nir_shader *shader, nir_variable_mode modes)
{
    struct state s = {.shader = shader, .mem_ctx = talloc_new(NULL)};
    s.roots = hash_table_create_pointer(s.mem_ctx);
    struct hash_table *complex = hash_table_create_pointer(s.mem_ctx);
    modes &= nir_var_shader_temp | nir_var_function_temp;

    nir_foreach_function_impl (impl, shader)
        exclude_complex(impl, complex);
    bool progress = split_list(&s, &shader->variables, modes, complex);
    nir_foreach_function_impl (impl, shader) {
        s.impl = impl;
        progress |= split_list(&s, &impl->locals, modes, complex);
    }
    nir_foreach_function_impl (impl, shader) {
        nir_builder b = nir_builder_create(impl);
        nir_foreach_block (block, impl) {
            nir_foreach_instr_safe (instr, block) {
                if (progress && instr->type == nir_instr_type_deref)
                    rewrite_deref(&s, &b, nir_instr_as_deref(instr));
            }
        }
        nir_progress(progress, impl, nir_metadata_control_flow);
    }
    talloc_free(s.mem_ctx);
    if (progress)
        nir_remove_dead_derefs(shader);
    return progress;
}
