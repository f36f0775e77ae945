/* SPDX-License-Identifier: MIT */
/* Interface blocks, GLSL 4.60 §4.3.9. */
#include "glsl/ast_to_hir.h"

struct block {
    struct ast_state *st;
    struct ast_node *node;
    enum hir_variable_mode mode;
    enum glsl_interface_packing packing;
    bool row_major;
    struct glsl_struct_field *fields;
    struct glsl_loc *locs;
    struct glsl_atom **atoms;
    unsigned num_fields, fields_capacity, locs_capacity, atoms_capacity;
};

static bool block_allowed(struct block *b)
{
    struct ast_state *st = b->st;
    uint32_t storage = b->node->qualifier.flags & AST_STORAGE;
    bool allowed;
    switch (storage) {
    case AST_UNIFORM:
        allowed = st_has(st, 140, 300) || st_ext(st, GLSL_EXT_ARB_uniform_buffer_object);
        break;
    case AST_BUFFER:
        allowed = st_has(st, 430, 310) || st_ext(st, GLSL_EXT_ARB_shader_storage_buffer_object);
        break;
    case AST_IN:
    case AST_OUT:
        allowed = st_has(st, 150, 320) || st_ext(st, GLSL_EXT_EXT_shader_io_blocks) ||
                  st_ext(st, GLSL_EXT_OES_shader_io_blocks);
        if (allowed && ((storage == AST_IN && st->c->stage == SHADER_VERTEX) ||
                        (storage == AST_OUT && st->c->stage == SHADER_FRAGMENT))) {
            glsl_error(st->c, b->node->loc, "this stage has no such interface blocks");
            return false;
        }
        break;
    default:
        glsl_error(st->c, b->node->loc, "a block must be in, out, uniform or buffer");
        return false;
    }
    if (!allowed)
        glsl_error(st->c, b->node->loc, "interface blocks of this kind need a later version");
    return allowed;
}

static void check_member(struct block *b, const struct ast_member *m, const struct glsl_type *type,
                         const struct ast_declarator *d)
{
    struct ast_state *st = b->st;
    uint32_t storage = m->qualifier.flags & AST_STORAGE;
    if (storage && storage != (b->node->qualifier.flags & AST_STORAGE))
        glsl_error(st->c, d->loc, "a member's storage qualifier must be the block's");
    if (b->mode != HIR_VAR_BUFFER && m->qualifier.flags & AST_MEMORY)
        glsl_error(st->c, d->loc, "memory qualifiers are only allowed for buffer blocks");
    if (type_contains_opaque(type))
        glsl_error(st->c, d->loc, "members of blocks cannot be of type %s", type->name);
    if (glsl_type_is_void(type))
        glsl_error(st->c, d->loc, "member \"%s\" cannot be void", d->name->text);
    if (m->type->structure)
        glsl_error(st->c, m->type->loc, "structs cannot be defined inside a block");
    if (glsl_type_contains(type, GLSL_TYPE_BOOL) &&
        (b->mode == HIR_VAR_SHADER_IN || b->mode == HIR_VAR_SHADER_OUT))
        glsl_error(st->c, d->loc, "varyings cannot be of type %s", type->name);
    bool integers = glsl_type_contains(type, GLSL_TYPE_INT) ||
                    glsl_type_contains(type, GLSL_TYPE_UINT) ||
                    glsl_type_contains(type, GLSL_TYPE_DOUBLE);
    bool flat = (m->qualifier.flags | b->node->qualifier.flags) & AST_FLAT;
    if (integers && !flat && st->c->stage == SHADER_FRAGMENT && b->mode == HIR_VAR_SHADER_IN)
        glsl_error(st->c, d->loc, "inputs of type %s must be qualified flat", type->name);
    if (glsl_type_is_unsized_array(type) && b->mode == HIR_VAR_UNIFORM)
        glsl_error(st->c, d->loc, "array member \"%s\" needs a size", d->name->text);
    for (unsigned i = 0; i < b->num_fields; i++)
        if (b->atoms[i] == d->name)
            glsl_error(st->c, d->loc, "duplicate member name \"%s\"", d->name->text);
}

static void add_member(struct block *b, const struct ast_member *m, const struct glsl_type *type,
                       const struct ast_declarator *d)
{
    struct glsl_compiler *c = b->st->c;
    const struct ast_qualifier *q = &m->qualifier;
    enum glsl_interface_packing none = GLSL_PACKING_NONE;
    bool row_major = b->row_major;
    layout_packing(b->st, q->layout, &none, &row_major);
    if (none != GLSL_PACKING_NONE)
        glsl_error(c, d->loc, "members of a block cannot have a packing of their own");
    struct glsl_struct_field field = {
        .type = type,
        .name = d->name->text,
        .location = -1,
        .component = -1,
        .offset = -1,
        .interpolation = qualifier_interpolation(q),
        .precision = resolve_precision(b->st, q, type, d->loc),
        .matrix_layout = row_major ? 2 : 1,
        .row_major = row_major,
        .centroid = q->flags & AST_CENTROID,
        .sample = q->flags & AST_SAMPLE,
        .patch = q->flags & AST_PATCH,
        .readonly = q->flags & AST_READONLY,
        .writeonly = q->flags & AST_WRITEONLY,
        .coherent = q->flags & AST_COHERENT,
        .is_volatile = q->flags & AST_VOLATILE,
        .restrict_flag = q->flags & AST_RESTRICT,
    };
    glsl_grow(c, (void **)&b->fields, &b->fields_capacity, b->num_fields, sizeof *b->fields);
    glsl_grow(c, (void **)&b->locs, &b->locs_capacity, b->num_fields, sizeof *b->locs);
    glsl_grow(c, (void **)&b->atoms, &b->atoms_capacity, b->num_fields, sizeof *b->atoms);
    b->fields[b->num_fields] = field;
    b->locs[b->num_fields] = d->loc;
    b->atoms[b->num_fields++] = d->name;
}

static void add_members(struct block *b)
{
    for (struct ast_member *m = b->node->members; m; m = m->next) {
        for (const struct ast_declarator *d = m->declarators; d; d = d->next) {
            const struct glsl_type *type = ast_resolve_type(b->st, m->type, &d->dims);
            check_member(b, m, type, d);
            check_declarable(b->st, d->name, d->loc);
            add_member(b, m, type, d);
        }
    }
}

static struct hir_variable *block_variable(struct block *b, const struct glsl_type *type,
                                           struct glsl_atom *name, struct glsl_loc loc)
{
    struct ast_state *st = b->st;
    struct hir_variable *var = hir_variable_create(st->sh, type, NULL, b->mode);
    var->name = atom_name(st, name);
    var->node.loc = loc;
    apply_qualifier(st, var, &b->node->qualifier, loc);
    const struct ast_layout *binding = find_layout(&b->node->qualifier, "binding");
    unsigned value;
    if (binding && layout_value(st, binding, &value)) {
        var->explicit_binding = true;
        var->binding = value;
    }
    return var;
}

static void declare(struct block *b, struct hir_variable *var, struct glsl_atom *name,
                    struct glsl_loc loc)
{
    struct ast_state *st = b->st;
    if (symbol_in_scope(st, name)) {
        glsl_error(st->c, loc, "\"%s\" is declared already in this scope", name->text);
        return;
    }
    hir_emit(st, &var->node);
    symbol_add(st, name, SYMBOL_VARIABLE)->var = var;
}

static void declare_instance(struct block *b, const struct glsl_type *type)
{
    const struct ast_declarator *d = b->node->declarators;
    struct ast_type base = {.loc = d->loc, .builtin = type};
    check_declarable(b->st, d->name, d->loc);
    const struct glsl_type *t = ast_resolve_type(b->st, &base, &d->dims);
    struct hir_variable *var = block_variable(b, t, d->name, d->loc);
    var->interface_type = type;
    if (glsl_type_is_unsized_array(t)) {
        if (b->st->c->es)
            glsl_error(b->st->c, d->loc, "array \"%s\" needs a size", d->name->text);
        var->implicit_sized = true;
    }
    declare(b, var, d->name, d->loc);
}

static void declare_members(struct block *b, const struct glsl_type *type)
{
    for (unsigned i = 0; i < b->num_fields; i++) {
        const struct glsl_struct_field *f = &b->fields[i];
        struct hir_variable *var = block_variable(b, f->type, b->atoms[i], b->locs[i]);
        var->interface_type = type;
        var->interface_field = i;
        var->precision = f->precision;
        if (f->interpolation)
            var->interpolation = f->interpolation;
        var->centroid |= f->centroid;
        var->sample |= f->sample;
        if (f->readonly)
            var->read_only = true;
        if (glsl_type_is_unsized_array(f->type))
            var->implicit_sized = true;
        declare(b, var, b->atoms[i], b->locs[i]);
    }
}

void ast_interface(struct ast_state *st, struct ast_node *n)
{
    struct block b = {.st = st, .node = n, .mode = qualifier_mode(st, &n->qualifier)};
    if (!block_allowed(&b))
        return;
    check_declarable(st, n->name, n->loc);
    struct glsl_symbol *old = symbol_in_scope(st, n->name);
    if (old && old->kind != SYMBOL_BLOCK)
        glsl_error(st->c, n->loc, "\"%s\" is declared already", n->name->text);
    else if (!old)
        symbol_add(st, n->name, SYMBOL_BLOCK);
    bool ssbo = b.mode == HIR_VAR_BUFFER;
    b.packing = ssbo ? st->default_ssbo_packing : st->default_ubo_packing;
    b.row_major = ssbo ? st->default_ssbo_row_major : st->default_ubo_row_major;
    layout_packing(st, n->qualifier.layout, &b.packing, &b.row_major);
    if (!ssbo && b.packing == GLSL_PACKING_STD430)
        glsl_error(st->c, n->loc, "std430 is only allowed for buffer blocks");
    if (!ssbo && n->qualifier.flags & AST_MEMORY)
        glsl_error(st->c, n->loc, "memory qualifiers are only allowed for buffer blocks");
    add_members(&b);
    if (st->c->num_errors)
        return;
    const struct glsl_type *type =
        glsl_interface_type(st->sh, b.fields, b.num_fields, b.packing, b.row_major, n->name->text);
    if (n->declarators)
        declare_instance(&b, type);
    else
        declare_members(&b, type);
}
