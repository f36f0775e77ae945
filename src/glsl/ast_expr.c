/* SPDX-License-Identifier: MIT */
/* Expressions other than operators and calls (GLSL 4.60 §5). */
#include "glsl/ast_to_hir.h"
#include "glsl/glsl_builtins.h"

static struct hir_value *literal(struct ast_state *st, const struct ast_expr *e)
{
    static const uint8_t base_types[] = {
        [AST_INT] = GLSL_TYPE_INT,       [AST_UINT] = GLSL_TYPE_UINT,
        [AST_FLOAT] = GLSL_TYPE_FLOAT,   [AST_FLOAT16] = GLSL_TYPE_FLOAT16,
        [AST_DOUBLE] = GLSL_TYPE_DOUBLE, [AST_BOOL] = GLSL_TYPE_BOOL,
        [AST_INT64] = GLSL_TYPE_INT64,   [AST_UINT64] = GLSL_TYPE_UINT64,
    };
    struct hir_constant *c = hir_const_create(st->sh, glsl_simple_type(base_types[e->op], 1, 1));
    c->value[0] = e->value;
    return &c->base;
}

/* gl_WorkGroupSize is a constant once the local size is declared (GLSL 4.60 §7.1.7). */
static struct hir_value *work_group_size(struct ast_state *st, const struct ast_expr *e)
{
    if (!st->sh->declared.local_size) {
        glsl_error(st->c, e->loc,
                   "gl_WorkGroupSize requires a preceding declaration of a fixed local size");
        return error_value(st);
    }
    struct hir_constant *c = hir_const_create(st->sh, glsl_simple_type(GLSL_TYPE_UINT, 3, 1));
    for (unsigned i = 0; i < 3; i++)
        c->value[i].u32 = st->sh->info.cs.workgroup_size[i];
    c->base.node.loc = e->loc;
    return &c->base;
}

struct wanted {
    struct ast_state *st;
    const char *name;
    bool found;
};

static bool is_wanted(void *data, const char *name)
{
    return !strcmp(((struct wanted *)data)->name, name);
}

static void found_variable(void *data, struct hir_variable *var)
{
    struct wanted *w = data;
    w->found |= !strcmp(w->name, var->name);
}

static void ignore_type(void *data, const char *name, const struct glsl_type *type)
{
}

static bool has_variable(void *data, const bitset_word *extensions)
{
    struct wanted *w = data;
    struct glsl_builtin_env env = w->st->env;
    struct glsl_builtin_sink sink = {is_wanted, found_variable, ignore_type, w};
    env.enabled_extensions = extensions;
    w->found = false;
    glsl_builtin_variables(w->st->sh, &env, &sink);
    return w->found;
}

static void warn_builtin(struct ast_state *st, const struct ast_expr *e)
{
    struct wanted w = {.st = st, .name = e->name->text};
    glsl_warn_use(st->c, e->loc, w.name, has_variable, &w);
}

static struct hir_value *identifier(struct ast_state *st, const struct ast_expr *e)
{
    struct glsl_symbol *s = e->name->symbol;
    if (!s || s->kind != SYMBOL_VARIABLE) {
        glsl_error(st->c, e->loc, "\"%s\" is %s%s", e->name->text,
                   !s                        ? "undeclared"
                   : s->kind == SYMBOL_TYPE  ? "a type, not a variable"
                   : s->kind == SYMBOL_BLOCK ? "a block, not a variable"
                                             : "a function, not a variable",
                   s ? "" : suggest_symbol(st, e->name->text, 1 << SYMBOL_VARIABLE));
        return error_value(st);
    }
    struct hir_variable *var = s->var;
    if (glsl_type_is_error(var->type))
        return error_value(st);
    if (var->builtin && shader_stage_has_workgroups(st->c->stage) &&
        !strcmp(var->name, "gl_WorkGroupSize"))
        return work_group_size(st, e);
    if (var->builtin && !var->noncoherent && !strcmp(var->name, "gl_LastFragData") &&
        !st_ext(st, GLSL_EXT_EXT_shader_framebuffer_fetch))
        glsl_error(st->c, e->loc, "gl_LastFragData must be redeclared with layout(noncoherent)");
    use_variable(st, var);
    if (var->builtin && st->c->warns)
        warn_builtin(st, e);
    if (var->builtin && st->c->stage == SHADER_FRAGMENT && !strcmp(var->name, "gl_FragCoord"))
        st->fragcoord_used = true;
    struct hir_value *v = hir_deref_var(st->sh, var);
    v->node.loc = e->loc;
    /* Scalars, vectors and matrices are folded here, aggregates only when a part is accessed. */
    if (var->constant_value && var->type->base_type <= GLSL_TYPE_BOOL)
        return fold(st, v);
    return v;
}

/* ----------------------------------------------------------------------- fields, swizzles --- */

static struct hir_value *swizzle(struct ast_state *st, struct hir_value *a,
                                 const struct ast_expr *e)
{
    static const char sets[3][5] = {"xyzw", "rgba", "stpq"};
    const char *text = e->name->text;
    unsigned count = e->name->length, set = 3;
    uint8_t component[4];
    if (glsl_type_is_scalar(a->type) && !st_has(st, 420, 0) &&
        !st_ext(st, GLSL_EXT_ARB_shading_language_420pack)) {
        glsl_error(st->c, e->loc, "cannot access field \"%s\" of a scalar", text);
        return error_value(st);
    }
    bool valid = count <= 4;
    for (unsigned i = 0; valid && i < count; i++) {
        const char *hit = NULL;
        if (i == 0) {
            for (set = 0; set < 3 && !hit; set++)
                hit = strchr(sets[set], text[i]);
            set--;
        } else {
            hit = strchr(sets[set], text[i]);
        }
        valid = hit && hit - sets[set] < a->type->vector_elements;
        if (valid)
            component[i] = hit - sets[set];
    }
    if (!valid) {
        glsl_error(st->c, e->loc, "invalid swizzle or field \"%s\" of type %s", text,
                   a->type->name);
        return error_value(st);
    }
    if (glsl_type_is_scalar(a->type) && count == 1)
        return a;
    struct hir_value *v = hir_swizzle_of(st->sh, a, component, count);
    v->node.loc = e->loc;
    return fold(st, v);
}

static const char *suggest_field(struct ast_state *st, const struct glsl_type *type,
                                 const char *wrong)
{
    struct glsl_suggestion s = {.wrong = wrong};
    for (unsigned i = 0; glsl_type_is_struct_or_ifc(type) && i < type->length; i++)
        glsl_suggest(&s, type->fields[i].name);
    return glsl_suggestion_text(st->c, &s);
}

static struct hir_value *field(struct ast_state *st, const struct ast_expr *e)
{
    struct hir_value *a = ast_lvalue_value(st, e->a);
    if (value_is_error(a))
        return a;
    if (glsl_type_is_vector_or_scalar(a->type))
        return swizzle(st, a, e);
    int index = glsl_type_is_struct_or_ifc(a->type) ? glsl_field_index(a->type, e->name->text) : -1;
    if (index < 0) {
        glsl_error(st->c, e->loc, "type %s has no field \"%s\"%s", a->type->name, e->name->text,
                   suggest_field(st, a->type, e->name->text));
        return error_value(st);
    }
    struct hir_value *v = hir_deref_field(st->sh, a, index);
    v->node.loc = e->loc;
    return fold(st, v);
}

/* ------------------------------------------------------------------------------- indices --- */

/* Records the sizes that implicitly sized arrays need. */
static void record_access(struct hir_value *a, int64_t index)
{
    if (a->node.kind != HIR_DEREF_VARIABLE)
        return;
    struct hir_variable *var = ((struct hir_deref_variable *)a)->var;
    var->max_array_access = MAX2(var->max_array_access, (int)index);
}

/* Returns the maximum size of an unsized array; 0: unlimited. */
static unsigned implicit_limit(struct ast_state *st, const struct hir_value *a)
{
    const struct hir_variable *var = hir_variable_referenced(a);
    if (!glsl_type_is_unsized_array(a->type) || !var)
        return 0;
    return array_size_limit(st, var->name);
}

/* Returns whether constant indices of the array are checked only when the program is linked, that
 * is, whether its size is gl_VerticesIn (GL_ARB_geometry_shader4, "4.3.6 Varying"). */
static bool is_checked_at_link(const struct ast_state *st, const struct hir_value *a)
{
    if (a->node.kind != HIR_DEREF_VARIABLE || !glsl_has_vertices_in(&st->env))
        return false;
    const struct hir_variable *var = ((const struct hir_deref_variable *)a)->var;
    return var->mode == HIR_VAR_SHADER_IN && glsl_type_is_array(var->type);
}

static struct hir_value *constant_index(struct ast_state *st, struct hir_value *a,
                                        struct hir_value *i, struct glsl_loc loc)
{
    const struct hir_constant *c = (const struct hir_constant *)i;
    int64_t index =
        i->type->base_type == GLSL_TYPE_INT ? (int64_t)c->value[0].i32 : c->value[0].u32;
    int64_t length = glsl_length_of(a->type);
    if (glsl_type_is_unsized_array(a->type))
        length = (1 << 20) + 1;
    if (index < 0 || index >= length) {
        st->c->num_link_errors += is_checked_at_link(st, a);
        glsl_error(st->c, loc, "index %lld is out of range for type %s", (long long)index,
                   a->type->name);
        return error_value(st);
    }
    record_access(a, index);
    unsigned most = implicit_limit(st, a);
    if (most && index >= most)
        glsl_error(st->c, loc, "index %lld is out of range (limit %u)", (long long)index, most);
    if (glsl_type_is_vector(a->type) && a->node.kind != HIR_DEREF_VARIABLE) {
        uint8_t component = index;
        return hir_swizzle_of(st->sh, a, &component, 1);
    }
    return hir_deref_elem(st->sh, a, i);
}

bool is_builtin_unsized(const struct hir_value *v)
{
    if ((v->node.kind != HIR_DEREF_RECORD && v->node.kind != HIR_DEREF_ARRAY) ||
        !glsl_type_is_array(v->type))
        return false;
    const struct hir_variable *var = hir_variable_referenced(v);
    return var && var->builtin && !var->redeclared &&
           (var->mode == HIR_VAR_SHADER_IN || var->mode == HIR_VAR_SHADER_OUT);
}

/* Checks the rules for non-constant indices. */
static bool check_dynamic_index(struct ast_state *st, struct hir_value *a, struct glsl_loc loc)
{
    const struct glsl_type *t = a->type;
    if (glsl_type_is_unsized_array(t) || is_builtin_unsized(a)) {
        struct hir_variable *var = hir_variable_referenced(a);
        /* The linker rejects unsized arrays that are not the last member of a storage block. */
        if ((var && var->mode == HIR_VAR_BUFFER) ||
            (var && var->mode == HIR_VAR_SHADER_OUT &&
             is_per_vertex(st, var->mode, var->patch, var->interpolation)))
            return true;
        glsl_error(st->c, loc, "an unsized array can only be indexed by constant expressions");
        return false;
    }
    if (glsl_type_is_array(t))
        record_access(a, (int64_t)t->length - 1);
    const struct glsl_type *element = glsl_without_array(t);
    bool gpu5 = st_has(st, 400, 320) || st_ext(st, GLSL_EXT_ARB_gpu_shader5) ||
                st_ext(st, GLSL_EXT_EXT_gpu_shader5) || st_ext(st, GLSL_EXT_OES_gpu_shader5);
    /* GLSL 1.30 §4.1.7, ESSL 3.00 §4.1.7: constant. Older versions and ESSL 1.00 allow
     * variables. */
    if (glsl_type_is_sampler(element) && st_has(st, 130, 300) && !gpu5 &&
        !st_ext(st, GLSL_EXT_ARB_bindless_texture)) {
        glsl_error(st->c, loc, "arrays of samplers must be indexed by constant expressions");
        return false;
    }
    /* ESSL 3.20 §4.1.7. Desktop GLSL allows dynamically uniform indices. */
    if (st->c->es && glsl_type_is_image(element)) {
        glsl_error(st->c, loc, "arrays of images must be indexed by constant expressions");
        return false;
    }
    const struct hir_variable *var = hir_variable_referenced(a);
    bool flows = var && (var->mode == HIR_VAR_SHADER_IN || var->mode == HIR_VAR_SHADER_OUT);
    /* ESSL 3.20 §4.3.9: gpu_shader5 does not apply to storage blocks. */
    bool fixed = !gpu5 || (st->c->es && var && var->mode == HIR_VAR_BUFFER);
    if (glsl_type_is_array(t) && glsl_type_is_interface(element) && fixed && !flows) {
        glsl_error(st->c, loc, "arrays of blocks must be indexed by constant expressions");
        return false;
    }
    /* ESSL 3.20 §7.1.5 has no such rule for gl_SampleMask. */
    if (st->c->es && st->c->version >= 300 && st->c->stage == SHADER_FRAGMENT && var &&
        var->mode == HIR_VAR_SHADER_OUT && glsl_type_is_array(t) && !var->builtin) {
        glsl_error(st->c, loc, "fragment outputs must be indexed by constant expressions");
        return false;
    }
    return true;
}

static struct hir_value *index_value(struct ast_state *st, struct hir_value *a, struct hir_value *i,
                                     struct glsl_loc loc)
{
    if (value_is_error(a) || value_is_error(i))
        return error_value(st);
    if (!glsl_type_is_array(a->type) && !glsl_type_is_matrix(a->type) &&
        !glsl_type_is_vector(a->type)) {
        glsl_error(st->c, loc, "type %s cannot be indexed", a->type->name);
        return error_value(st);
    }
    if (!glsl_type_is_scalar(i->type) ||
        (i->type->base_type != GLSL_TYPE_INT && i->type->base_type != GLSL_TYPE_UINT)) {
        glsl_error(st->c, loc, "an array index must be a scalar integer");
        return error_value(st);
    }
    struct hir_value *v;
    if (i->node.kind == HIR_CONSTANT)
        v = constant_index(st, a, i, loc);
    else if (check_dynamic_index(st, a, loc))
        v = hir_deref_elem(st->sh, a, i);
    else
        return error_value(st);
    v->node.loc = loc;
    return fold(st, v);
}

static struct hir_value *subscript(struct ast_state *st, const struct ast_expr *e)
{
    if (!e->b) {
        glsl_error(st->c, e->loc, "missing index");
        return error_value(st);
    }
    struct hir_value *a = ast_lvalue_value(st, e->a);
    struct list_head *mark = list_mark(st);
    struct hir_value *i = ast_expr_value(st, e->b);
    /* A variable is accessed after the evaluation of all indices, with the values that these
     * had. */
    if (!value_is_error(i) && !value_is_error(a) && st->list->prev != mark) {
        if (hir_variable_referenced(a))
            keep_lvalue(st, a, mark);
        else
            a = keep_value(st, a, mark);
    }
    return index_value(st, a, i, e->loc);
}

/* ------------------------------------------------------------------------------ sequences --- */

static struct hir_value *sequence(struct ast_state *st, const struct ast_expr *e)
{
    for (unsigned i = 0; i + 1 < e->num_args; i++)
        ast_expr_discard(st, e->args[i]);
    struct hir_value *v = ast_expr_value(st, e->args[e->num_args - 1]);
    /* GLSL 1.20 §4.3.3, ESSL 3.00 §4.3.3: a comma expression is never constant. */
    if (v->node.kind == HIR_CONSTANT && st_has(st, 120, 300) && !value_is_error(v) &&
        !glsl_type_is_void(v->type)) {
        struct hir_variable *tmp = make_temporary(st, v->type, "sequence");
        emit_assign(st, hir_deref_var(st->sh, tmp), v);
        v = hir_deref_var(st->sh, tmp);
    }
    return v;
}

/* Returns whether a buffer variable, or an enclosing member, is declared writeonly. */
static bool is_write_only(const struct hir_value *v)
{
    const struct hir_variable *var = hir_variable_referenced(v);
    if (!var || var->mode != HIR_VAR_BUFFER)
        return false;
    for (;;) {
        if (v->node.kind == HIR_DEREF_RECORD) {
            const struct hir_deref_record *d = (const struct hir_deref_record *)v;
            if (d->value->type->fields[d->field].writeonly)
                return true;
            v = d->value;
        } else if (v->node.kind == HIR_DEREF_ARRAY) {
            v = ((const struct hir_deref_array *)v)->value;
        } else if (v->node.kind == HIR_SWIZZLE) {
            v = ((const struct hir_swizzle *)v)->value;
        } else {
            return var->access & ACCESS_NON_READABLE;
        }
    }
}

bool check_readable(struct ast_state *st, const struct ast_expr *e, const struct hir_value *v)
{
    bool named = e->op == AST_IDENT || e->op == AST_FIELD || e->op == AST_INDEX;
    if (!named || value_is_error(v) || !is_write_only(v))
        return true;
    glsl_error(st->c, e->loc, "cannot read from a writeonly variable"); /* GLSL 4.60 §4.10 */
    return false;
}

struct hir_value *ast_expr_value(struct ast_state *st, struct ast_expr *e)
{
    struct hir_value *v = ast_lvalue_value(st, e);
    return check_readable(st, e, v) ? v : error_value(st);
}

struct hir_value *ast_lvalue_value(struct ast_state *st, struct ast_expr *e)
{
    struct hir_value *v;
    switch (e->op) {
    case AST_IDENT:
        return identifier(st, e);
    case AST_INT:
    case AST_UINT:
    case AST_INT64:
    case AST_UINT64:
    case AST_FLOAT:
    case AST_FLOAT16:
    case AST_DOUBLE:
    case AST_BOOL:
        v = literal(st, e);
        break;
    case AST_CALL:
    case AST_CONSTRUCTOR:
        v = ast_call(st, e);
        break;
    case AST_METHOD:
        v = ast_method(st, e);
        break;
    case AST_AGGREGATE:
        glsl_error(st->c, e->loc, "an initializer list is not allowed here");
        return error_value(st);
    case AST_SEQUENCE:
        return sequence(st, e);
    case AST_FIELD:
        return field(st, e);
    case AST_INDEX:
        return subscript(st, e);
    case AST_POST_INC:
    case AST_POST_DEC:
    case AST_PRE_INC:
    case AST_PRE_DEC:
        v = ast_increment(st, e, true);
        break;
    case AST_PLUS:
    case AST_NEG:
    case AST_NOT:
    case AST_BIT_NOT:
        v = ast_unary(st, e);
        break;
    case AST_AND:
    case AST_OR:
        v = ast_logic(st, e);
        break;
    case AST_CONDITIONAL:
        v = ast_conditional(st, e);
        break;
    case AST_ASSIGN:
        v = ast_assign(st, e, true);
        break;
    default:
        v = ast_binary(st, e);
        break;
    }
    v->node.loc = e->loc;
    return v;
}

void ast_expr_discard(struct ast_state *st, struct ast_expr *e)
{
    switch (e->op) {
    case AST_ASSIGN:
        ast_assign(st, e, false);
        return;
    case AST_POST_INC:
    case AST_POST_DEC:
    case AST_PRE_INC:
    case AST_PRE_DEC:
        ast_increment(st, e, false);
        return;
    case AST_SEQUENCE:
        for (unsigned i = 0; i < e->num_args; i++)
            ast_expr_discard(st, e->args[i]);
        return;
    default:
        ast_expr_value(st, e);
    }
}

struct hir_value *ast_condition_value(struct ast_state *st, struct ast_expr *e, const char *what)
{
    struct hir_value *v = ast_expr_value(st, e);
    if (value_is_error(v))
        return v;
    if (!glsl_type_is_scalar(v->type) || !glsl_type_is_boolean(v->type)) {
        glsl_error(st->c, e->loc, "%s must be a scalar boolean, not %s", what, v->type->name);
        return error_value(st);
    }
    return v;
}
