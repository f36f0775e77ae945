/* SPDX-License-Identifier: MIT */
/*
 * Blocks declared in several shaders (GLSL 4.60 §4.3.9). Declarations of a uniform or storage block
 * must match in the whole program, those of an input or output block within the stage;
 * glsl_link_interface.c compares stages. All declarations together determine the sizes of unsized
 * member arrays.
 */
#include <talloc.h>

#include "glsl/glsl_link.h"

static bool is_program_wide(const struct hir_variable *var)
{
    return var->mode == HIR_VAR_UNIFORM || var->mode == HIR_VAR_BUFFER;
}

static const char *block_key(void *mem_ctx, unsigned stage, const struct hir_variable *var)
{
    return talloc_asprintf(mem_ctx, "%u %u %s", var->mode,
                           is_program_wide(var) ? SHADER_STAGE_COUNT : stage,
                           var->interface_type->name);
}

struct link_block *link_find_block(const struct linker *ln, enum shader_stage stage,
                                   const struct hir_variable *var)
{
    struct link_block *block = hash_table_get(ln->block_of, var->interface_type);
    if (block)
        return block;
    block = hash_table_get(ln->blocks, block_key(ln->tmp, stage, var));
    hash_table_insert(ln->block_of, var->interface_type, block);
    return block;
}

/* --------------------------------------------------------------------- merging declarations --- */

const struct glsl_type *link_merge_types(const struct glsl_type *a, const struct glsl_type *b)
{
    if (glsl_type_equal(a, b))
        return a;
    if (glsl_type_is_array(a) && glsl_type_is_array(b) && glsl_type_equal(a->element, b->element)) {
        if (a->length == 0)
            return b;
        if (b->length == 0)
            return a;
    }
    return NULL;
}

static bool same_qualifiers(const struct glsl_struct_field *a, const struct glsl_struct_field *b)
{
    return !strcmp(a->name, b->name) && a->location == b->location &&
           a->component == b->component && a->offset == b->offset && a->align == b->align &&
           a->interpolation == b->interpolation && a->matrix_layout == b->matrix_layout &&
           a->centroid == b->centroid && a->sample == b->sample && a->patch == b->patch;
}

/* Returns the merged type, or NULL if the declarations differ in more than unsized arrays. In ES,
 * these must be equal, too (ES 3.2 §7.4.1). */
static const struct glsl_type *merge_blocks(void *mem_ctx, bool es, const struct glsl_type *a,
                                            const struct glsl_type *b)
{
    if (a == b || glsl_type_equal(a, b))
        return a;
    if (a->length != b->length || a->packing != b->packing || a->row_major != b->row_major)
        return NULL;
    struct glsl_struct_field *fields =
        talloc_memdup(mem_ctx, a->fields, a->length * sizeof *fields);
    for (unsigned i = 0; i < a->length; i++) {
        const bool equal = glsl_type_equal(a->fields[i].type, b->fields[i].type);
        fields[i].type = link_merge_types(a->fields[i].type, b->fields[i].type);
        if (!fields[i].type || (es && !equal) || !same_qualifiers(&a->fields[i], &b->fields[i]))
            return NULL;
    }
    return glsl_interface_type(mem_ctx, fields, a->length, a->packing, a->row_major, a->name);
}

/* Returns whether the members of blocks that match have the same memory qualifiers; volatile
 * includes coherent. */
static bool same_memory_qualifiers(const struct glsl_type *a, const struct glsl_type *b)
{
    for (unsigned i = 0; i < MIN2(a->length, b->length); i++) {
        const struct glsl_struct_field *x = &a->fields[i], *y = &b->fields[i];
        if (x->readonly != y->readonly || x->writeonly != y->writeonly ||
            x->is_volatile != y->is_volatile || x->restrict_flag != y->restrict_flag ||
            (x->coherent || x->is_volatile) != (y->coherent || y->is_volatile))
            return false;
    }
    return true;
}

/* Returns the array type of the instance, or NULL if it is a single block. */
static const struct glsl_type *instance_array(const struct hir_variable *var)
{
    return var->interface_field < 0 && glsl_type_is_array(var->type) ? var->type : NULL;
}

static bool same_dimensions(const struct glsl_type *a, const struct glsl_type *b)
{
    while (a && b && glsl_type_is_array(a) && glsl_type_is_array(b)) {
        if (a->length && b->length && a->length != b->length)
            return false;
        a = a->element;
        b = b->element;
    }
    return !(a && glsl_type_is_array(a)) && !(b && glsl_type_is_array(b));
}

static void merge_block(struct linker *ln, struct link_block *block, struct hir_variable *var)
{
    const struct glsl_type *type = merge_blocks(ln->tmp, ln->es, block->type, var->interface_type);
    /* GLSL 4.60 §4.3.9: an instance has the same name in all shaders of a stage. */
    if (!type || !same_dimensions(instance_array(block->decl), instance_array(var))) {
        link_error(ln, "definitions of %s block `%s' do not match",
                   var->mode == HIR_VAR_UNIFORM  ? "uniform"
                   : var->mode == HIR_VAR_BUFFER ? "shader storage"
                                                 : "interface",
                   block->name);
        return;
    }
    /* ESSL 3.20 §9.2.1 */
    if (ln->es && var->mode == HIR_VAR_BUFFER &&
        !same_memory_qualifiers(block->type, var->interface_type))
        link_error(ln, "members of shader storage block `%s' have different memory qualifiers",
                   block->name);
    block->type = type;
    if (var->explicit_binding) {
        if (block->binding >= 0 && block->binding != var->binding)
            link_error(ln, "block `%s' has different explicit bindings in different declarations",
                       block->name);
        block->binding = var->binding;
    }
}

static void add_declaration(struct linker *ln, unsigned stage, struct hir_variable *var)
{
    const char *key = block_key(ln->tmp, stage, var);
    struct link_block *block = hash_table_get(ln->blocks, key);
    if (!block) {
        block = talloc_zero(ln->tmp, struct link_block);
        block->name = var->interface_type->name;
        block->type = var->interface_type;
        block->decl = var;
        block->binding = var->explicit_binding ? var->binding : -1;
        block->max_access = talloc_array(block, int, block->type->length + 1);
        memset(block->max_access, -1, (block->type->length + 1) * sizeof(int));
        hash_table_insert(ln->blocks, key, block);
    }
    /* GLSL 4.60 §4.3.9: members are global names in all shaders or in none. */
    if (is_program_wide(var) && (block->decl->interface_field < 0) != (var->interface_field < 0))
        link_error(ln, "block `%s' has an instance name in some shaders, but not in others",
                   block->name);
    if (block->type != var->interface_type)
        merge_block(ln, block, var);
    hash_table_insert(ln->block_of, var->interface_type, block);
    if (var->interface_field >= 0 && var->interface_field < (int)block->type->length)
        block->max_access[var->interface_field] =
            MAX2(block->max_access[var->interface_field], var->max_array_access);
}

/* --------------------------------------------- constant indices into members of instances --- */

struct accesses {
    struct linker *ln;
    enum shader_stage stage;
};

/* Records an access block.member[constant]. */
static void record_access(void *data, const struct hir_value *value, const struct hir_value *parent)
{
    const struct accesses *a = data;
    const struct hir_deref_array *d = (const struct hir_deref_array *)value;
    if (value->node.kind != HIR_DEREF_ARRAY || d->value->node.kind != HIR_DEREF_RECORD ||
        d->index->node.kind != HIR_CONSTANT)
        return;
    const struct hir_deref_record *member = (const struct hir_deref_record *)d->value;
    if (!glsl_type_is_interface(member->value->type))
        return;
    struct hir_variable *var = hir_variable_referenced(member->value);
    struct link_block *block =
        var && var->interface_type ? link_find_block(a->ln, a->stage, var) : NULL;
    int index = ((const struct hir_constant *)d->index)->value[0].i32;
    if (block && member->field < block->type->length)
        block->max_access[member->field] = MAX2(block->max_access[member->field], index);
}

static void find_accesses(struct linker *ln)
{
    for (unsigned i = 0; i < ln->input->num_shaders; i++) {
        struct accesses a = {ln, ln->input->shaders[i]->stage};
        link_visit_values(ln->input->shaders[i]->hir, record_access, &a);
    }
}

/* ----------------------------------------------------------------------------------- sizing --- */

static bool has_unsized(const struct link_block *block)
{
    for (unsigned i = 0; i < block->type->length; i++) {
        if (glsl_type_is_unsized_array(block->type->fields[i].type))
            return true;
    }
    return false;
}

/* GLSL 4.60 §4.1.9: constant indices determine the sizes of unsized members. Only the last member
 * of a storage block may remain unsized. */
static void size_members(struct linker *ln, struct link_block *block)
{
    const struct glsl_type *t = block->type;
    struct glsl_struct_field *fields =
        talloc_memdup(ln->tmp, t->fields, t->length * sizeof *fields);
    for (unsigned i = 0; i < t->length; i++) {
        const struct glsl_type *ft = fields[i].type;
        bool runtime = block->decl->mode == HIR_VAR_BUFFER && i + 1 == t->length;
        if (!glsl_type_is_unsized_array(ft) || runtime)
            continue;
        if (block->max_access[i] < 0 && block->decl->mode == HIR_VAR_BUFFER)
            link_error(ln, "unsized array `%s' must be the last member of block `%s'",
                       fields[i].name, block->name);
        fields[i].type =
            glsl_array_type(ln->tmp, ft->element, MAX2(block->max_access[i] + 1, 1), 0);
    }
    block->type =
        glsl_interface_type(ln->tmp, fields, t->length, t->packing, t->row_major, t->name);
}

static void check_sizes(struct linker *ln, const struct link_block *block)
{
    for (unsigned i = 0; i < block->type->length; i++) {
        const struct glsl_struct_field *f = &block->type->fields[i];
        if (glsl_type_is_array(f->type) && f->type->length &&
            block->max_access[i] >= (int)f->type->length)
            link_error(ln, "`%s' of block `%s' is declared as type `%s', but is indexed with %i",
                       f->name, block->name, f->type->name, block->max_access[i]);
    }
}

void link_collect_blocks(struct linker *ln)
{
    bool accesses_known = false;
    ln->blocks = hash_table_create_string(ln->tmp);
    ln->block_of = hash_table_create_pointer(ln->tmp);
    for (unsigned i = 0; i < ln->input->num_shaders; i++) {
        struct glsl_shader *sh = ln->input->shaders[i];
        list_for_each_entry (struct hir_node, node, &sh->hir->instructions, link) {
            struct hir_variable *var = (struct hir_variable *)node;
            if (node->kind == HIR_VARIABLE && var->interface_type && !ln->failed)
                add_declaration(ln, sh->stage, var);
        }
    }
    if (ln->failed)
        return;
    hash_table_foreach (ln->blocks, entry) {
        struct link_block *block = entry->data;
        if (!has_unsized(block))
            continue;
        if (!accesses_known)
            find_accesses(ln);
        accesses_known = true;
        size_members(ln, block);
        check_sizes(ln, block);
    }
}

/* Returns `type` with its innermost element type replaced. */
static const struct glsl_type *with_element(void *mem_ctx, const struct glsl_type *type,
                                            const struct glsl_type *element)
{
    if (!glsl_type_is_array(type))
        return element;
    return glsl_array_type(mem_ctx, with_element(mem_ctx, type->element, element), type->length, 0);
}

const struct glsl_type *link_block_member_type(struct linker *ln, enum shader_stage stage,
                                               const struct hir_variable *var)
{
    const struct link_block *block = link_find_block(ln, stage, var);
    if (!block || block->type == var->interface_type)
        return var->type;
    if (var->interface_field >= 0)
        return block->type->fields[var->interface_field].type;
    return with_element(ln->tmp, var->type, block->type);
}
