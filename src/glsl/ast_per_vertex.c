/* SPDX-License-Identifier: MIT */
/*
 * Interface variables with an element per vertex of a primitive or patch. Their outermost size is
 * determined by a layout qualifier, by the language, or by another such variable (GLSL 4.60 §4.3.4,
 * §4.3.6, §4.4.1.2, §4.4.2.1).
 */
#include "glsl/ast_to_hir.h"

struct ast_per_vertex {
    struct hir_variable **vars;
    unsigned count, capacity;
    unsigned size[2];    /* index: 0 for inputs, 1 for outputs; 0: not known yet */
    bool from_layout[2]; /* the size comes from a layout qualifier, so unsized arrays get it */
};

bool is_per_vertex(const struct ast_state *st, enum hir_variable_mode mode, bool patch,
                   unsigned interpolation)
{
    enum shader_stage stage = st->c->stage;
    if (patch)
        return false;
    if (mode == HIR_VAR_SHADER_IN && stage == SHADER_FRAGMENT)
        return interpolation == INTERP_MODE_PER_VERTEX;
    if (mode == HIR_VAR_SHADER_IN)
        return stage == SHADER_GEOMETRY || stage == SHADER_TESS_CTRL || stage == SHADER_TESS_EVAL;
    return mode == HIR_VAR_SHADER_OUT && stage == SHADER_TESS_CTRL;
}

static struct ast_per_vertex *table(struct ast_state *st)
{
    if (!st->per_vertex)
        st->per_vertex = glsl_alloc(st->c, sizeof *st->per_vertex);
    return st->per_vertex;
}

static void resize(struct ast_state *st, struct hir_variable *var, unsigned size)
{
    var->type = glsl_array_type(st->sh, var->type->element, size, 0);
    var->implicit_sized = false;
}

/* Reports an error if the size of a variable is wrong; sets it if the variable is unsized. */
static void check_size(struct ast_state *st, struct hir_variable *var, unsigned size,
                       struct glsl_loc loc)
{
    if (!size)
        return;
    if (glsl_type_is_unsized_array(var->type)) {
        if (var->max_array_access >= (int)size)
            glsl_error(st->c, loc, "\"%s\" is indexed with %d, but has %u elements", var->name,
                       var->max_array_access, size);
        resize(st, var, size);
    } else if (var->type->length != size) {
        glsl_error(st->c, loc, "\"%s\" has %u elements, but must have %u", var->name,
                   var->type->length, size);
    }
}

void add_per_vertex(struct ast_state *st, struct hir_variable *var, struct glsl_loc loc)
{
    struct ast_per_vertex *t = table(st);
    bool out = var->mode == HIR_VAR_SHADER_OUT;
    if (!glsl_type_is_array(var->type)) {
        glsl_error(st->c, loc, "\"%s\" is per-vertex and must be declared as an array", var->name);
        return;
    }
    /* NV_fragment_shader_barycentric: the vertices of a triangle */
    if (st->c->stage == SHADER_FRAGMENT) {
        check_size(st, var, 3, loc);
        return;
    }
    /* Inputs of tessellation shaders have the maximum patch size. */
    if (!out && st->c->stage != SHADER_GEOMETRY) {
        check_size(st, var, st->c->options->limits.max_patch_vertices, loc);
        return;
    }
    if (t->from_layout[out])
        check_size(st, var, t->size[out], loc);
    else if (var->type->length && t->size[out] && t->size[out] != var->type->length)
        glsl_error(st->c, loc, "\"%s\" has %u elements, but another per-vertex array has %u",
                   var->name, var->type->length, t->size[out]);
    if (var->type->length)
        t->size[out] = var->type->length;
    glsl_grow(st->c, (void **)&t->vars, &t->capacity, t->count, sizeof *t->vars);
    t->vars[t->count++] = var;
}

/* Sets the size of a built-in block array. */
static void size_builtin(struct ast_state *st, const char *name, unsigned size, struct glsl_loc loc)
{
    struct glsl_atom *atom = glsl_atom_get(st->c, name, strlen(name));
    if (atom->symbol && atom->symbol->kind == SYMBOL_VARIABLE && atom->symbol->var->builtin &&
        glsl_type_is_array(atom->symbol->var->type))
        check_size(st, atom->symbol->var, size, loc);
}

void set_per_vertex(struct ast_state *st, enum hir_variable_mode mode, unsigned size,
                    struct glsl_loc loc)
{
    struct ast_per_vertex *t = table(st);
    bool out = mode == HIR_VAR_SHADER_OUT;
    t->size[out] = size;
    t->from_layout[out] = true;
    for (unsigned i = 0; i < t->count; i++)
        if (t->vars[i]->mode == mode)
            check_size(st, t->vars[i], size, loc);
    size_builtin(st, out ? "gl_out" : "gl_in", size, loc);
    if (!out)
        size_builtin(st, "gl_PositionIn", size, loc);
}
