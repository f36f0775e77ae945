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
    /* Indices of the next two: 0 for inputs, 1 for outputs, 2 for per-primitive outputs. */
    unsigned size[3];    /* 0: not known yet */
    bool from_layout[3]; /* the size comes from a layout qualifier, so unsized arrays get it */
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
    return mode == HIR_VAR_SHADER_OUT && (stage == SHADER_TESS_CTRL || stage == SHADER_MESH);
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
    const unsigned out = var->mode != HIR_VAR_SHADER_OUT ? 0 : var->per_primitive ? 2 : 1;
    if (!glsl_type_is_array(var->type)) {
        glsl_error(st->c, loc, "\"%s\" is per-%s and must be declared as an array", var->name,
                   out == 2 ? "primitive" : "vertex");
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

/* Sets the size of the arrays that are built into mesh shaders. */
static void size_mesh_builtins(struct ast_state *st, unsigned size, bool per_primitive,
                               struct glsl_loc loc)
{
    static const char *const names[] = {
        "gl_PrimitivePointIndicesEXT",
        "gl_PrimitiveLineIndicesEXT",
        "gl_PrimitiveTriangleIndicesEXT",
        "gl_MeshPrimitivesEXT",
    };
    if (!per_primitive)
        size_builtin(st, "gl_MeshVerticesEXT", size, loc);
    for (unsigned i = 0; per_primitive && i < ARRAY_SIZE(names); i++)
        size_builtin(st, names[i], size, loc);
}

void set_per_vertex(struct ast_state *st, enum hir_variable_mode mode, bool per_primitive,
                    unsigned size, struct glsl_loc loc)
{
    struct ast_per_vertex *t = table(st);
    const unsigned out = mode != HIR_VAR_SHADER_OUT ? 0 : per_primitive ? 2 : 1;
    t->size[out] = size;
    t->from_layout[out] = true;
    for (unsigned i = 0; i < t->count; i++)
        if (t->vars[i]->mode == mode && t->vars[i]->per_primitive == per_primitive)
            check_size(st, t->vars[i], size, loc);
    if (st->c->stage == SHADER_MESH) {
        size_mesh_builtins(st, size, per_primitive, loc);
        return;
    }
    size_builtin(st, out ? "gl_out" : "gl_in", size, loc);
    if (!out)
        size_builtin(st, "gl_PositionIn", size, loc);
}
