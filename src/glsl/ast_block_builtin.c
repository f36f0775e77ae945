/* SPDX-License-Identifier: MIT */
/*
 * Redeclarations of the built-in blocks gl_PerVertex, gl_MeshPerVertexEXT and
 * gl_MeshPerPrimitiveEXT. A redeclaration may omit members, size arrays and add qualifiers (GLSL
 * 4.60 §7.1, ESSL 3.20 §7.1).
 */
#include "glsl/ast_block.h"

/* Built-in members that become unavailable if a block without an instance name does not list
 * them. */
static const char *const members[] = {
    "gl_Position",           "gl_PointSize",  "gl_ClipDistance", "gl_CullDistance",
    "gl_ClipVertex",         "gl_FrontColor", "gl_BackColor",    "gl_FrontSecondaryColor",
    "gl_BackSecondaryColor", "gl_TexCoord",   "gl_FogFragCoord",
};

bool is_per_vertex_member(const char *name)
{
    for (unsigned i = 0; i < ARRAY_SIZE(members); i++)
        if (!strcmp(members[i], name))
            return true;
    return false;
}

static bool redeclaration_allowed(const struct ast_state *st)
{
    return st_has(st, 150, 320) || st_ext(st, GLSL_EXT_ARB_separate_shader_objects) ||
           st_ext(st, GLSL_EXT_ARB_tessellation_shader) ||
           st_ext(st, GLSL_EXT_EXT_separate_shader_objects) ||
           st_ext(st, GLSL_EXT_OES_shader_io_blocks) || st_ext(st, GLSL_EXT_EXT_shader_io_blocks) ||
           st_ext(st, GLSL_EXT_OES_geometry_shader) || st_ext(st, GLSL_EXT_EXT_geometry_shader) ||
           st_ext(st, GLSL_EXT_OES_tessellation_shader) ||
           st_ext(st, GLSL_EXT_EXT_tessellation_shader) || st_ext(st, GLSL_EXT_EXT_mesh_shader);
}

/* Returns whether a redeclared type matches. Arrays may have a different size. */
static bool type_fits(const struct glsl_type *old, const struct glsl_type *type)
{
    if (glsl_type_is_array(old) && glsl_type_is_array(type))
        return glsl_type_equal(old->element, type->element);
    return glsl_type_equal(old, type);
}

static struct hir_variable *builtin_variable(const struct glsl_atom *atom)
{
    return atom->symbol && atom->symbol->kind == SYMBOL_VARIABLE && atom->symbol->var->builtin
               ? atom->symbol->var
               : NULL;
}

static void check_array_limit(struct block *b, const struct glsl_struct_field *f,
                              struct glsl_loc loc)
{
    unsigned most = array_size_limit(b->st, f->name);
    if (most && glsl_type_is_array(f->type) && f->type->length > most)
        glsl_error(b->st->c, loc, "\"%s\" cannot have more than %u elements", f->name, most);
}

/* ------------------------------------------------------------------------ gl_in, gl_out --- */

/* Copies from the old block what the new members do not specify. */
static bool take_fields(struct block *b, const struct glsl_type *old)
{
    const unsigned most = b->st->c->options->limits.max_combined_clip_and_cull_distances;
    unsigned distances = 0; /* in arrays that have a size */
    for (unsigned i = 0; i < b->num_fields; i++) {
        struct glsl_struct_field *f = &b->fields[i];
        int at = glsl_field_index(old, f->name);
        if (at < 0 || !type_fits(old->fields[at].type, f->type)) {
            glsl_error(b->st->c, b->locs[i],
                       "\"%s\" is not a built-in member of this block, or has the wrong type",
                       f->name);
            return false;
        }
        check_array_limit(b, f, b->locs[i]);
        if (glsl_type_is_array(f->type) && strstr(f->name, "Distance"))
            distances += f->type->length;
        if (glsl_type_is_unsized_array(f->type))
            f->type = old->fields[at].type;
        if (f->location < 0)
            f->location = old->fields[at].location;
        if (!f->interpolation)
            f->interpolation = old->fields[at].interpolation;
    }
    if (most && distances > most)
        glsl_error(b->st->c, b->node->loc, "more than %u clip and cull distances", most);
    return true;
}

static void redeclare_instance(struct block *b)
{
    struct ast_state *st = b->st;
    const struct ast_declarator *d = b->node->declarators;
    struct hir_variable *var = builtin_variable(d->name);
    if (!var || var->mode != b->mode || !glsl_type_is_interface(glsl_without_array(var->type)) ||
        !glsl_type_is_array(var->type)) {
        glsl_error(st->c, d->loc, "\"%s\" is not a built-in block with this storage qualifier",
                   d->name->text);
        return;
    }
    if (st->c->stage == SHADER_MESH &&
        strcmp(glsl_without_array(var->type)->name, b->node->name->text)) {
        glsl_error(st->c, b->node->loc, "\"%s\" is an instance of block \"%s\"", var->name,
                   glsl_without_array(var->type)->name);
        return;
    }
    if (var->used)
        glsl_error(st->c, d->loc, "\"%s\" is redeclared after its first use", var->name);
    if (!take_fields(b, var->type->element))
        return;
    const struct glsl_type *type = glsl_interface_type(st->sh, b->fields, b->num_fields, b->packing,
                                                       b->row_major, b->node->name->text);
    struct ast_type base = {.loc = d->loc, .builtin = type};
    const struct glsl_type *array = ast_resolve_type(st, &base, &d->dims);
    if (!glsl_type_is_array(array) || glsl_type_is_array(array->element)) {
        glsl_error(st->c, d->loc, "\"%s\" must be redeclared as an array", var->name);
        return;
    }
    unsigned length = array->length, known = var->type->length;
    if (length && known && length != known)
        glsl_error(st->c, d->loc, "\"%s\" must have %u elements, not %u", var->name, known, length);
    var->type = glsl_array_type(st->sh, type, length ? length : known, 0);
    var->interface_type = type;
    var->redeclared = true;
    if (st->c->stage != SHADER_MESH)
        st->sh->per_vertex_array[b->mode == HIR_VAR_SHADER_OUT] = type;
    if (!known)
        add_per_vertex(st, var, d->loc);
}

/* ------------------------------------------------------------------------ without instance --- */

static bool is_listed(const struct block *b, const struct glsl_atom *atom)
{
    for (unsigned i = 0; i < b->num_fields; i++)
        if (b->atoms[i] == atom)
            return true;
    return false;
}

/* Makes the members that the block does not list unavailable. */
static void hide_others(struct block *b)
{
    struct ast_state *st = b->st;
    for (unsigned i = 0; i < ARRAY_SIZE(members); i++) {
        struct glsl_atom *atom = glsl_atom_get(st->c, members[i], strlen(members[i]));
        struct hir_variable *var = builtin_variable(atom);
        if (!var || var->mode != b->mode || is_listed(b, atom) || atom->symbol->level != 0)
            continue;
        if (var->used)
            glsl_error(st->c, b->node->loc,
                       "\"%s\" is used, but it is not a member of the redeclared block", var->name);
        atom->symbol = NULL;
    }
}

static void redeclare_member(struct block *b, unsigned i)
{
    struct ast_state *st = b->st;
    const struct glsl_struct_field *f = &b->fields[i];
    struct hir_variable *var = builtin_variable(b->atoms[i]);
    if (!var || var->mode != b->mode || !type_fits(var->type, f->type)) {
        glsl_error(st->c, b->locs[i],
                   "\"%s\" is not a built-in member of this block, or has the wrong type", f->name);
        return;
    }
    check_array_limit(b, f, b->locs[i]);
    if (var->used)
        glsl_error(st->c, b->locs[i], "\"%s\" is redeclared after its first use", f->name);
    if (glsl_type_is_unsized_array(var->type) && !glsl_type_is_unsized_array(f->type)) {
        var->type = f->type;
        var->implicit_sized = false;
    }
    if (f->interpolation)
        var->interpolation = f->interpolation;
    var->explicit_xfb_buffer = f->explicit_xfb_buffer;
    var->xfb_buffer = f->xfb_buffer;
    var->explicit_xfb_offset = f->explicit_xfb_offset;
    var->xfb_offset = f->xfb_offset;
    var->stream = f->stream;
}

void block_redeclare_builtin(struct block *b, const struct glsl_type *type)
{
    struct ast_state *st = b->st;
    if (!redeclaration_allowed(st)) {
        glsl_error(st->c, b->node->loc, "built-in blocks cannot be redeclared in this version");
        return;
    }
    if (st->c->stage == SHADER_MESH && !b->node->declarators) {
        glsl_error(st->c, b->node->loc, "\"%s\" requires an instance name", b->node->name->text);
        return;
    }
    if (b->node->declarators) {
        redeclare_instance(b);
        return;
    }
    st->per_vertex_declared = true;
    if (b->mode == HIR_VAR_SHADER_OUT)
        st->sh->per_vertex_out = type;
    for (unsigned i = 0; i < type->length; i++)
        redeclare_member(b, i);
    hide_others(b);
}
