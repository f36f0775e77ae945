/* SPDX-License-Identifier: MIT */
/* Entry point of ast_to_hir, and default precisions. */
#include "glsl/ast_layout.h"
#include "glsl/glsl_builtins.h"

/* ------------------------------------------------------------------------------ precision --- */

/* Returns the type that holds the default precision: uint uses int's, vectors and matrices their
 * scalar type's (ESSL 3.00 §4.5.4). */
static const struct glsl_type *precision_key(const struct glsl_type *t)
{
    switch (t->base_type) {
    case GLSL_TYPE_FLOAT:
        return glsl_float_type();
    case GLSL_TYPE_INT:
    case GLSL_TYPE_UINT:
        return glsl_int_type();
    default:
        return t;
    }
}

static void set_precision(struct ast_state *st, const struct glsl_type *type,
                          enum glsl_precision precision)
{
    struct glsl_scope *scope = st->scope;
    for (unsigned i = 0; i < scope->num_precisions; i++) {
        if (scope->precisions[i].type == type) {
            scope->precisions[i].precision = precision;
            return;
        }
    }
    glsl_grow(st->c, (void **)&scope->precisions, &scope->precisions_capacity,
              scope->num_precisions, sizeof *scope->precisions);
    scope->precisions[scope->num_precisions++] = (struct precision_default){type, precision};
}

enum glsl_precision default_precision(const struct ast_state *st, const struct glsl_type *type)
{
    const struct glsl_type *key = precision_key(type);
    for (const struct glsl_scope *scope = st->scope; scope; scope = scope->outer)
        for (unsigned i = 0; i < scope->num_precisions; i++)
            if (scope->precisions[i].type == key)
                return scope->precisions[i].precision;
    return GLSL_PRECISION_NONE;
}

static void precision_statement(struct ast_state *st, const struct ast_node *n)
{
    const struct glsl_type *t = ast_resolve_type(st, n->type, NULL);
    bool fits = t == glsl_float_type() || t == glsl_int_type() || type_is_opaque(t);
    if (glsl_type_is_error(t))
        return;
    if (!st_has(st, 130, 100))
        glsl_error(st->c, n->loc, "precision statements require GLSL 1.30");
    else if (!fits)
        glsl_error(st->c, n->loc, "type %s cannot have a default precision", t->name);
    else
        set_precision(st, t, n->qualifier.precision);
}

/* Sets the predefined precisions (ESSL 1.00 §4.5.3, ESSL 3.00 §4.5.4). */
static void initial_precisions(struct ast_state *st)
{
    if (!st->c->es)
        return;
    bool fragment = st->c->stage == SHADER_FRAGMENT;
    if (!fragment)
        set_precision(st, glsl_float_type(), GLSL_PRECISION_HIGH);
    set_precision(st, glsl_int_type(), fragment ? GLSL_PRECISION_MEDIUM : GLSL_PRECISION_HIGH);
    set_precision(st, glsl_type_by_name("sampler2D"), GLSL_PRECISION_LOW);
    set_precision(st, glsl_type_by_name("samplerCube"), GLSL_PRECISION_LOW);
    const struct glsl_type *external = glsl_type_by_name("samplerExternalOES");
    if (external)
        set_precision(st, external, GLSL_PRECISION_LOW);
    set_precision(st, glsl_atomic_uint_type(), GLSL_PRECISION_HIGH);
}

/* ------------------------------------------------------------------------------ the shader --- */

bool ast_declaration(struct ast_state *st, struct ast_node *n)
{
    switch (n->kind) {
    case AST_VARIABLES:
        ast_variables(st, n);
        break;
    case AST_FUNCTION:
        ast_function(st, n);
        break;
    case AST_PRECISION:
        precision_statement(st, n);
        break;
    case AST_REQUALIFY:
        ast_requalify(st, n);
        break;
    default:
        return false;
    }
    return true;
}

static void declaration(struct ast_state *st, struct ast_node *n)
{
    if (n->kind == AST_INTERFACE)
        ast_interface(st, n);
    else if (!ast_declaration(st, n))
        ast_default_qualifier(st, n);
}

void glsl_ast_to_hir(struct glsl_compiler *c, struct hir_shader *sh, struct ast_node *shader)
{
    struct ast_state st = {
        .c = c,
        .sh = sh,
        .env = {.options = c->options,
                .stage = c->stage,
                .version = c->version,
                .es = c->es,
                .compat = c->compat || glsl_has_ext(c, GLSL_EXT_ARB_compatibility),
                .enabled_extensions = c->ext_enabled},
        .list = &sh->instructions,
        .default_ubo_packing = GLSL_PACKING_SHARED,
        .default_ssbo_packing = GLSL_PACKING_SHARED,
    };
    sh->version = c->version;
    sh->es = c->es;
    sh->invariant_all = c->pragma_invariant_all;
    scope_push(&st);
    initial_precisions(&st);
    declare_builtins(&st);
    scope_push(&st);
    sh->has_program_geometry =
        c->stage == SHADER_GEOMETRY && !c->es && glsl_has_ext(c, GLSL_EXT_ARB_geometry_shader4);
    if (glsl_has_vertices_in(&st.env))
        set_per_vertex(&st, HIR_VAR_SHADER_IN, false, glsl_vertices_in(&st.env),
                       (struct glsl_loc){0, 1, 0});
    for (struct ast_node *n = shader; n; n = n->next)
        declaration(&st, n);
    sh->converts_arguments = can_convert(&st, glsl_int_type(), glsl_float_type());
    sh->ranks_conversions = ranks_conversions(&st);
    check_captures(&st);
    hir_mark_precise(sh);
    scope_pop(&st);
    scope_pop(&st);
}
