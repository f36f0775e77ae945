/* SPDX-License-Identifier: MIT */
/* Interface blocks (GLSL 4.60 §4.3.9). */
#include "glsl/ast_block.h"

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
        allowed =
            st_has(st, 150, 320) || st_ext(st, GLSL_EXT_EXT_shader_io_blocks) ||
            st_ext(st, GLSL_EXT_OES_shader_io_blocks) || st_ext(st, GLSL_EXT_OES_geometry_shader) ||
            st_ext(st, GLSL_EXT_EXT_geometry_shader) ||
            st_ext(st, GLSL_EXT_OES_tessellation_shader) ||
            st_ext(st, GLSL_EXT_EXT_tessellation_shader) || st_ext(st, GLSL_EXT_EXT_mesh_shader);
        if (allowed && ((storage == AST_IN && st->c->stage == SHADER_VERTEX) ||
                        (storage == AST_OUT && st->c->stage == SHADER_FRAGMENT) ||
                        st->c->stage == SHADER_COMPUTE || st->c->stage == SHADER_TASK ||
                        (storage == AST_IN && st->c->stage == SHADER_MESH))) {
            glsl_error(st->c, b->node->loc,
                       "interface blocks of this kind are not allowed in this stage");
            return false;
        }
        break;
    default:
        glsl_error(st->c, b->node->loc, "a block must be in, out, uniform or buffer");
        return false;
    }
    if (!allowed)
        glsl_error(st->c, b->node->loc,
                   "interface blocks of this kind require a later language version");
    return allowed;
}

/* Reports qualifiers that are not allowed on a block or its members. image: the member is an
 * image. */
static void check_qualifiers(struct block *b, const struct ast_qualifier *q, bool image,
                             struct glsl_loc loc)
{
    struct ast_state *st = b->st;
    uint32_t storage = q->flags & AST_STORAGE;
    bool flows = b->mode == HIR_VAR_SHADER_IN || b->mode == HIR_VAR_SHADER_OUT;
    /* Mesa ignores it, and programs rely on that. */
    if (storage == AST_SHARED)
        glsl_warning(st->c, loc, "\"shared\" has no meaning for a block member and is ignored");
    else if (storage && storage != (b->node->qualifier.flags & AST_STORAGE))
        glsl_error(st->c, loc, "the storage qualifier of a member must match its block");
    if (b->mode != HIR_VAR_BUFFER && q->flags & AST_MEMORY && !image)
        glsl_error(st->c, loc, "memory qualifiers are only allowed for buffer blocks");
    if (!flows && q->flags & (AST_INTERPOLATION | AST_AUXILIARY))
        glsl_error(st->c, loc, "qualifier not allowed in this block");
    if (q->flags & AST_INVARIANT && b->mode != HIR_VAR_SHADER_OUT &&
        !(b->mode == HIR_VAR_SHADER_IN && !st_has(st, 420, 300)))
        glsl_error(st->c, loc, "only outputs can be invariant");
    if (q->flags & AST_PATCH &&
        !((b->mode == HIR_VAR_SHADER_OUT && st->c->stage == SHADER_TESS_CTRL) ||
          (b->mode == HIR_VAR_SHADER_IN && st->c->stage == SHADER_TESS_EVAL)))
        glsl_error(st->c, loc, "\"patch\" is not allowed here");
    if (q->flags & AST_INTERPOLATION && (q->flags | b->node->qualifier.flags) & AST_PATCH)
        glsl_error(st->c, loc, "interpolation qualifiers are not allowed with \"patch\"");
    bool per_primitive = (b->mode == HIR_VAR_SHADER_OUT && st->c->stage == SHADER_MESH) ||
                         (b->mode == HIR_VAR_SHADER_IN && st->c->stage == SHADER_FRAGMENT);
    if (q->flags & AST_PERPRIMITIVE &&
        !(per_primitive && b->node->qualifier.flags & AST_PERPRIMITIVE))
        glsl_error(st->c, loc, "\"perprimitiveEXT\" is not allowed here");
    if (q->flags & AST_SUBROUTINE)
        glsl_error(st->c, loc, "\"subroutine\" is not allowed here");
    if (q->flags & AST_PERVERTEX &&
        (st->c->stage != SHADER_FRAGMENT || b->mode != HIR_VAR_SHADER_IN))
        glsl_error(st->c, loc, "\"pervertexNV\" is only allowed on fragment shader inputs");
}

static void check_member(struct block *b, const struct ast_member *m, const struct glsl_type *type,
                         const struct ast_declarator *d)
{
    struct ast_state *st = b->st;
    check_qualifiers(b, &m->qualifier, glsl_type_is_image(glsl_without_array(type)), d->loc);
    if (type_is_no_value(st, type))
        glsl_error(st->c, d->loc, "block members cannot have type %s", type->name);
    if (glsl_type_is_void(type))
        glsl_error(st->c, d->loc, "member \"%s\" cannot be void", d->name->text);
    if (glsl_type_contains(type, GLSL_TYPE_SUBROUTINE))
        glsl_error(st->c, d->loc, "member \"%s\" cannot be a subroutine", d->name->text);
    /* This rule came with GLSL 1.40; ARB_uniform_buffer_object does not have it. */
    if (m->type->structure && glsl_is_version(st->c, 140, 100))
        glsl_error(st->c, m->type->loc, "structs cannot be defined inside a block");
    if (glsl_type_contains(type, GLSL_TYPE_BOOL) && !b->builtin && /* gl_CullPrimitiveEXT */
        (b->mode == HIR_VAR_SHADER_IN || b->mode == HIR_VAR_SHADER_OUT))
        glsl_error(st->c, d->loc, "varyings cannot have type %s", type->name);
    bool integers =
        glsl_type_contains(type, GLSL_TYPE_INT) || glsl_type_contains(type, GLSL_TYPE_UINT) ||
        glsl_type_contains(type, GLSL_TYPE_DOUBLE) || glsl_type_contains(type, GLSL_TYPE_INT64) ||
        glsl_type_contains(type, GLSL_TYPE_UINT64) || type_contains_handle(type);
    bool flat = (m->qualifier.flags | b->node->qualifier.flags) &
                (AST_FLAT | AST_PERVERTEX | AST_PERPRIMITIVE);
    if (integers && !flat && st->c->stage == SHADER_FRAGMENT && b->mode == HIR_VAR_SHADER_IN)
        glsl_error(st->c, d->loc, "inputs of type %s must be declared flat", type->name);
    /* The array of the vertices' values is that of the block. */
    if (m->qualifier.flags & AST_PERVERTEX)
        glsl_error(st->c, d->loc, "block members cannot be \"pervertexNV\"");
    if (glsl_type_is_array(type) && lacks_size(type->element)) /* GLSL 4.60 §4.1.9 */
        glsl_error(st->c, d->loc, "only the outermost array dimension of \"%s\" may be unsized",
                   d->name->text);
    else if (glsl_type_is_unsized_array(type) && st->c->es && b->mode != HIR_VAR_BUFFER)
        glsl_error(st->c, d->loc, "array member \"%s\" must have a size", d->name->text);
    for (unsigned i = 0; i < b->num_fields; i++)
        if (b->atoms[i] == d->name)
            glsl_error(st->c, d->loc, "duplicate member name \"%s\"", d->name->text);
}

static void add_member(struct block *b, const struct ast_member *m, const struct glsl_type *type,
                       const struct ast_declarator *d)
{
    struct glsl_compiler *c = b->st->c;
    const struct ast_qualifier *q = &m->qualifier;
    uint32_t memory = (q->flags | b->node->qualifier.flags) & AST_MEMORY;
    struct glsl_struct_field field = {
        .type = type,
        .name = d->name->text,
        .location = -1,
        .component = -1,
        .offset = -1,
        .interpolation =
            q->flags & AST_PERPRIMITIVE ? INTERP_MODE_FLAT : qualifier_interpolation(q),
        .precision = resolve_precision(b->st, q, type, d->loc),
        .centroid = q->flags & AST_CENTROID,
        .sample = q->flags & AST_SAMPLE,
        .patch = (q->flags | b->node->qualifier.flags) & AST_PATCH,
        .readonly = memory & AST_READONLY,
        .writeonly = memory & AST_WRITEONLY,
        .coherent = memory & AST_COHERENT,
        .is_volatile = memory & AST_VOLATILE,
        .restrict_flag = memory & AST_RESTRICT,
    };
    block_member_layout(b, m, &field, d->loc);
    glsl_grow(c, (void **)&b->fields, &b->fields_capacity, b->num_fields, sizeof *b->fields);
    glsl_grow(c, (void **)&b->locs, &b->locs_capacity, b->num_fields, sizeof *b->locs);
    glsl_grow(c, (void **)&b->atoms, &b->atoms_capacity, b->num_fields, sizeof *b->atoms);
    b->fields[b->num_fields] = field;
    b->locs[b->num_fields] = d->loc;
    b->atoms[b->num_fields++] = d->name;
}

static void add_members(struct block *b)
{
    b->st->in_buffer = b->mode == HIR_VAR_BUFFER;
    for (struct ast_member *m = b->node->members; m; m = m->next) {
        for (const struct ast_declarator *d = m->declarators; d; d = d->next) {
            const struct glsl_type *type = ast_resolve_type(b->st, m->type, &d->dims);
            check_member(b, m, type, d);
            if (!b->builtin)
                check_declarable(b->st, d->name, d->loc);
            add_member(b, m, type, d);
        }
    }
    b->st->in_buffer = false;
    /* GLSL 4.60 §4.3.9: only the last member of a buffer block may be unsized. */
    for (unsigned i = 0; i + 1 < b->num_fields; i++)
        if (b->mode == HIR_VAR_BUFFER && b->st->c->es &&
            glsl_type_is_unsized_array(b->fields[i].type))
            glsl_error(b->st->c, b->locs[i], "array member \"%s\" must have a size",
                       b->fields[i].name);
}

/* ---------------------------------------------------------------------------- variables --- */

static struct hir_variable *block_variable(struct block *b, const struct glsl_type *type,
                                           struct glsl_atom *name, struct glsl_loc loc)
{
    struct ast_state *st = b->st;
    struct hir_variable *var = hir_variable_create(st->sh, type, NULL, b->mode);
    var->name = atom_name(st, name);
    var->node.loc = loc;
    apply_qualifier(st, var, &b->node->qualifier);
    if (layout_has(&b->layout, LAYOUT_BINDING)) {
        var->explicit_binding = true;
        var->binding = b->layout.value[LAYOUT_BINDING];
    }
    apply_xfb(st, var, &b->layout);
    return var;
}

static bool declare(struct block *b, struct hir_variable *var, struct glsl_atom *name,
                    struct glsl_loc loc)
{
    struct ast_state *st = b->st;
    if (symbol_in_scope(st, name)) {
        glsl_error(st->c, loc, "\"%s\" is already declared in this scope", name->text);
        return false;
    }
    hir_emit(st, &var->node);
    symbol_add(st, name, SYMBOL_VARIABLE)->var = var;
    return true;
}

/* Checks the dimensions of an array of blocks (GLSL 4.60 §4.3.9). Only the dimension for vertices
 * may be unsized. ESSL 3.20 §4.3.9 allows one dimension in addition to that. */
static void check_block_array(struct block *b, struct hir_variable *var,
                              const struct ast_declarator *d)
{
    const struct ast_state *st = b->st;
    bool per_vertex = is_per_vertex(st, b->mode, var->patch, var->interpolation);
    const struct glsl_type *t = var->type;
    if (per_vertex && glsl_type_is_array(t))
        t = t->element;
    if (st->c->es && glsl_type_is_array(t) && glsl_type_is_array(t->element))
        glsl_error(st->c, d->loc, "arrays of arrays of blocks are not allowed in GLSL ES");
    /* Desktop implementations accept unsized arrays of patch blocks. */
    if (!st->c->es && var->patch && glsl_type_is_array(t))
        t = t->element;
    for (; glsl_type_is_array(t); t = t->element)
        if (glsl_type_is_unsized_array(t))
            glsl_error(st->c, d->loc, "array \"%s\" must have a size", d->name->text);
    var->implicit_sized = glsl_type_is_unsized_array(var->type);
}

static void declare_instance(struct block *b, const struct glsl_type *type)
{
    const struct ast_declarator *d = b->node->declarators;
    struct ast_state *st = b->st;
    struct ast_type base = {.loc = d->loc, .builtin = type};
    check_declarable(st, d->name, d->loc);
    const struct glsl_type *t = ast_resolve_type(st, &base, &d->dims);
    if (glsl_type_is_error(t))
        return;
    struct hir_variable *var = block_variable(b, t, d->name, d->loc);
    var->interface_type = type;
    if (layout_has(&b->layout, LAYOUT_LOCATION) || (b->num_fields && b->fields[0].location >= 0)) {
        var->explicit_location = true;
        var->location = b->fields[0].location;
    }
    if (is_per_vertex(st, b->mode, var->patch, var->interpolation)) {
        add_per_vertex(st, var, d->loc);
    } else if (b->member_location && glsl_type_is_array(t)) {
        /* GLSL 4.60 §4.4.1 */
        glsl_error(st->c, d->loc, "members of an array of blocks cannot have locations");
    }
    block_check_binding(b, t);
    check_block_array(b, var, d);
    declare(b, var, d->name, d->loc);
}

static void declare_members(struct block *b, const struct glsl_type *type)
{
    struct ast_state *st = b->st;
    block_check_binding(b, type);
    if (is_per_vertex(st, b->mode, b->node->qualifier.flags & AST_PATCH,
                      qualifier_interpolation(&b->node->qualifier)))
        glsl_error(st->c, b->node->loc,
                   "this block is per-vertex and must be declared as an array");
    for (unsigned i = 0; i < b->num_fields; i++) {
        const struct glsl_struct_field *f = &b->fields[i];
        struct hir_variable *var = block_variable(b, f->type, b->atoms[i], b->locs[i]);
        block_member_variable(var, f);
        var->interface_type = type;
        var->interface_field = i;
        if (glsl_type_is_unsized_array(f->type) &&
            (b->mode != HIR_VAR_BUFFER || i + 1 < b->num_fields))
            var->implicit_sized = true;
        declare(b, var, b->atoms[i], b->locs[i]);
    }
}

/* Returns whether the shader may redeclare the block with this name. */
static bool is_builtin_block(const struct ast_state *st, const char *name)
{
    if (st->c->stage == SHADER_MESH)
        return !strcmp(name, "gl_MeshPerVertexEXT") || !strcmp(name, "gl_MeshPerPrimitiveEXT");
    return !strcmp(name, "gl_PerVertex");
}

void ast_interface(struct ast_state *st, struct ast_node *n)
{
    struct block b = {.st = st, .node = n, .mode = qualifier_mode(st, &n->qualifier)};
    if (!block_allowed(&b))
        return;
    b.builtin = is_builtin_block(st, n->name->text);
    if (!b.builtin)
        check_declarable(st, n->name, n->loc);
    struct glsl_symbol *old = symbol_in_scope(st, n->name);
    if (old && old->kind != SYMBOL_BLOCK)
        glsl_error(st->c, n->loc, "\"%s\" is already declared", n->name->text);
    else if (old && old->block_modes & 1u << b.mode)
        glsl_error(st->c, n->loc, "block \"%s\" is already declared", n->name->text);
    else if (!old)
        old = symbol_add(st, n->name, SYMBOL_BLOCK);
    if (old && old->kind == SYMBOL_BLOCK)
        old->block_modes |= 1u << b.mode;
    check_qualifiers(&b, &n->qualifier, false, n->loc);
    if (n->qualifier.precision) /* GLSL 4.60 §4.3.9: members have precisions, blocks don't */
        glsl_error(st->c, n->loc, "precision qualifiers are not allowed for blocks");
    block_layout(&b);
    unsigned errors = st->c->num_errors;
    add_members(&b);
    block_locations(&b);
    block_offsets(&b);
    block_captures(&b);
    if (st->c->num_errors > errors)
        return;
    const struct glsl_type *type =
        glsl_interface_type(st->sh, b.fields, b.num_fields, b.packing, b.row_major, n->name->text);
    if (b.builtin)
        block_redeclare_builtin(&b, type);
    else if (n->declarators)
        declare_instance(&b, type);
    else
        declare_members(&b, type);
}
