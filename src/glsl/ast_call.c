/* SPDX-License-Identifier: MIT */
/* Function calls: overload resolution and arguments (GLSL 4.60 §6.1). */
#include "glsl/ast_to_hir.h"

struct candidate {
    const struct glsl_type *return_type;
    struct hir_signature *sig; /* user function; NULL: a built-in with this id */
    unsigned id;
    const struct glsl_type **params;
    uint8_t *modes;
};

struct call {
    struct ast_state *st;
    struct ast_expr *expr;
    const char *name;
    struct hir_value **args;
    struct list_head **marks; /* end of the instruction list after each argument */
    unsigned num_args;
    struct hir_value *subroutine; /* the subroutine variable of the call, or NULL */
    struct candidate best;
    struct candidate *convertible; /* candidates that need implicit conversions */
    unsigned num_exact, num_convertible, convertible_capacity, num_seen;
};

/* ---------------------------------------------------------------------------- overloads --- */

static bool param_matches(const struct ast_state *st, const struct glsl_type *param, unsigned mode,
                          const struct glsl_type *arg, bool *exact)
{
    if (glsl_type_equal(param, arg))
        return true;
    *exact = false;
    switch (mode) {
    case HIR_VAR_FUNCTION_OUT:
        return can_convert(st, param, arg);
    case HIR_VAR_FUNCTION_INOUT:
        return can_convert(st, param, arg) && can_convert(st, arg, param);
    case HIR_VAR_BUFFER: /* modified in place */
        return false;
    default:
        return can_convert(st, arg, param);
    }
}

bool ranks_conversions(const struct ast_state *st)
{
    return st_has(st, 400, 310) || st_ext(st, GLSL_EXT_ARB_gpu_shader5) ||
           st_ext(st, GLSL_EXT_ARB_gpu_shader_fp64) ||
           st_ext(st, GLSL_EXT_MESA_shader_integer_functions);
}

/* Returns whether a conversion is to a similar type with more bits. GL_ARB_gpu_shader_int64 adds
 * those of integers, GL_AMD_gpu_shader_half_float those of half floats. */
static bool is_widening(enum glsl_base_type from, enum glsl_base_type to)
{
    return ((from == GLSL_TYPE_FLOAT || from == GLSL_TYPE_FLOAT16) && to == GLSL_TYPE_DOUBLE) ||
           (from == GLSL_TYPE_FLOAT16 && to == GLSL_TYPE_FLOAT) ||
           (from == GLSL_TYPE_INT && to == GLSL_TYPE_INT64) ||
           (from == GLSL_TYPE_UINT && to == GLSL_TYPE_UINT64);
}

struct conversion {
    const struct glsl_type *from, *to;
};

/* Returns the conversion that a candidate needs for argument i. The value of an out parameter is
 * converted to the type of the argument. */
static struct conversion conversion_of(const struct call *call, const struct candidate *cand,
                                       unsigned i)
{
    const struct glsl_type *arg = call->args[i]->type, *param = cand->params[i];
    return cand->modes[i] == HIR_VAR_FUNCTION_OUT ? (struct conversion){param, arg}
                                                  : (struct conversion){arg, param};
}

/* Compares two conversions (GLSL 4.60 §6.1). Returns -1 if a is better, 1 if b is better, 0 if
 * neither is. */
static int compare_conversions(struct conversion a, struct conversion b)
{
    bool exact_a = glsl_type_equal(a.from, a.to), exact_b = glsl_type_equal(b.from, b.to);
    if (exact_a || exact_b)
        return exact_b - exact_a;
    bool wide_a = is_widening(a.from->base_type, a.to->base_type);
    bool wide_b = is_widening(b.from->base_type, b.to->base_type);
    if (wide_a != wide_b)
        return wide_b - wide_a;
    if (a.to->base_type == GLSL_TYPE_FLOAT && b.to->base_type == GLSL_TYPE_DOUBLE)
        return -1;
    return b.to->base_type == GLSL_TYPE_FLOAT && a.to->base_type == GLSL_TYPE_DOUBLE;
}

/* Returns whether a is a better match than b: better for some argument and worse for none. */
static bool is_better(const struct call *call, const struct candidate *a, const struct candidate *b)
{
    bool better = false;
    if (!ranks_conversions(call->st))
        return false;
    for (unsigned i = 0; i < call->num_args; i++) {
        int order = compare_conversions(conversion_of(call, a, i), conversion_of(call, b, i));
        if (order > 0)
            return false;
        better |= order < 0;
    }
    return better;
}

static void consider(struct call *call, const struct candidate *cand, unsigned count)
{
    call->num_seen++;
    if (count != call->num_args || call->num_exact)
        return;
    bool exact = true;
    for (unsigned i = 0; i < count; i++)
        if (!param_matches(call->st, cand->params[i], cand->modes[i], call->args[i]->type, &exact))
            return;
    if (exact) {
        call->best = *cand;
        call->num_exact++;
        return;
    }
    glsl_grow(call->st->c, (void **)&call->convertible, &call->convertible_capacity,
              call->num_convertible, sizeof *call->convertible);
    call->convertible[call->num_convertible++] = *cand;
}

/* Chooses the candidate that is better than all others. Returns false if there is none. */
static bool choose_convertible(struct call *call)
{
    unsigned best = 0;
    for (unsigned i = 1; i < call->num_convertible; i++)
        if (is_better(call, &call->convertible[i], &call->convertible[best]))
            best = i;
    for (unsigned i = 0; i < call->num_convertible; i++)
        if (i != best && !is_better(call, &call->convertible[best], &call->convertible[i]))
            return false;
    call->best = call->convertible[best];
    return true;
}

static void consider_builtin(void *data, const struct glsl_type *return_type,
                             const struct glsl_type *const *params,
                             const enum hir_variable_mode *modes, unsigned count, unsigned id)
{
    struct call *call = data;
    struct glsl_compiler *c = call->st->c;
    bool matches = count == call->num_args && !call->num_exact, exact;
    for (unsigned i = 0; matches && i < count; i++)
        matches = param_matches(call->st, params[i], modes[i], call->args[i]->type, &exact);
    if (!matches) { /* fast path: texture functions have dozens of overloads */
        call->num_seen++;
        return;
    }
    struct candidate cand = {.return_type = return_type, .id = id};
    cand.params = glsl_alloc(c, (count + 1) * sizeof *cand.params);
    cand.modes = glsl_alloc(c, count + 1);
    for (unsigned i = 0; i < count; i++) {
        cand.params[i] = params[i];
        cand.modes[i] = modes[i];
    }
    consider(call, &cand, count);
}

static void consider_signature(struct call *call, struct hir_signature *sig)
{
    struct candidate cand = {.return_type = sig->return_type, .sig = sig};
    if (sig->num_params == call->num_args) {
        cand.params = glsl_alloc(call->st->c, (sig->num_params + 1) * sizeof *cand.params);
        cand.modes = glsl_alloc(call->st->c, sig->num_params + 1);
        for (unsigned i = 0; i < sig->num_params; i++) {
            cand.params[i] = sig->params[i]->type;
            cand.modes[i] = sig->params[i]->mode;
        }
    }
    consider(call, &cand, sig->num_params);
}

static void consider_function(struct call *call, const struct hir_function *f)
{
    list_for_each_entry (struct hir_signature, sig, &f->signatures, link)
        consider_signature(call, sig);
}

static void report_no_match(struct call *call)
{
    struct strbuf sb = STRBUF_INIT(call->st->c->mem_ctx);
    for (unsigned i = 0; i < call->num_args; i++)
        strbuf_printf(&sb, "%s%s", i ? ", " : "", call->args[i]->type->name);
    glsl_error(call->st->c, call->expr->loc, "no matching function for call to %s(%.500s)",
               call->name, strbuf_str(&sb));
}

static bool has_best(void *data, const bitset_word *extensions)
{
    const struct call *call = data;
    struct glsl_builtin_env env = call->st->env;
    env.enabled_extensions = extensions;
    return glsl_builtin_has(&env, call->best.id);
}

/* Finds the function that is called; returns false after an error. */
static bool resolve(struct call *call, const struct hir_function *user)
{
    struct ast_state *st = call->st;
    if (user)
        consider_function(call, user);
    /* ESSL 1.00 §4.2.6: user functions overload built-in functions. GLSL 4.60 §4.2.2: they hide
     * them. */
    if (!user || (st->c->es && st->c->version == 100))
        glsl_builtin_signatures(&st->env, call->name, consider_builtin, call);
    if (call->num_seen == 0) {
        glsl_error(st->c, call->expr->loc, "no function named \"%s\"%s", call->name,
                   suggest_symbol(st, call->name, 1 << SYMBOL_FUNCTION));
        return false;
    }
    if (!call->num_exact && !call->num_convertible) {
        report_no_match(call);
        return false;
    }
    if (!call->num_exact && !choose_convertible(call)) {
        glsl_error(st->c, call->expr->loc, "call to overloaded function \"%s\" is ambiguous",
                   call->name);
        return false;
    }
    if (!call->best.sig && st->c->warns)
        glsl_warn_use(st->c, call->expr->loc, call->name, has_best, call);
    return true;
}

/* ---------------------------------------------------------------------------- arguments --- */

/* Returns whether v is a variable or a part of one, but not a component of a vector. */
static bool is_plain_lvalue(const struct hir_value *v)
{
    while (v->node.kind != HIR_DEREF_VARIABLE) {
        if (v->node.kind == HIR_DEREF_ARRAY) {
            v = ((const struct hir_deref_array *)v)->value;
            if (!glsl_type_is_array(v->type))
                return false;
        } else if (v->node.kind == HIR_DEREF_RECORD) {
            v = ((const struct hir_deref_record *)v)->value;
        } else {
            return false;
        }
    }
    return true;
}

struct copy_back {
    struct copy_back *next;
    struct hir_value *lvalue;
    struct hir_variable *tmp;
};

/* Values to copy back after a call, in the order of the parameters. */
struct copies {
    struct copy_back *first, **end;
};

/* Returns the deref to pass for an out or inout parameter. Adds a copy-back if a temporary is
 * needed. Parameters after the first one with a temporary get one, too, because arguments are
 * written from left to right. */
static struct hir_value *prepare_out(struct ast_state *st, struct hir_value *arg,
                                     const struct glsl_type *param, bool in, struct copies *copies)
{
    stable_lvalue(st, arg);
    if (!copies->first && is_plain_lvalue(arg) && glsl_type_equal(arg->type, param))
        return arg;
    struct copy_back *copy = glsl_alloc(st->c, sizeof *copy);
    copy->lvalue = arg;
    copy->tmp = make_temporary(st, param, "out");
    *copies->end = copy;
    copies->end = &copy->next;
    if (in)
        emit_assign(st, hir_deref_var(st->sh, copy->tmp),
                    convert_implicitly(st, hir_clone_value(st->sh, arg), param));
    return hir_deref_var(st->sh, copy->tmp);
}

/* GLSL 4.60 §4.10: a parameter may have more memory qualifiers than its argument, but not fewer. */
static bool check_image(struct call *call, unsigned i)
{
    const struct ast_state *st = call->st;
    const struct hir_variable *var = hir_variable_referenced(call->args[i]);
    if (!call->best.sig || !var || !glsl_type_is_image(call->args[i]->type))
        return true;
    unsigned mask = ACCESS_COHERENT | ACCESS_VOLATILE | ACCESS_NON_WRITEABLE | ACCESS_NON_READABLE;
    if (!st_has(st, 440, 310)) /* 4.40 allows dropping restrict */
        mask |= ACCESS_RESTRICT;
    if (!(var->access & mask & ~call->best.sig->params[i]->access))
        return true;
    glsl_error(st->c, call->expr->args[i]->loc,
               "image \"%s\" has memory qualifiers that the parameter lacks", var->name);
    return false;
}

/* Returns whether the value of e is read from a variable or a part of one. */
static bool is_access(const struct ast_expr *e)
{
    while (e->op != AST_IDENT) {
        if (e->op == AST_FIELD || e->op == AST_INDEX)
            e = e->a;
        else if (e->op == AST_SEQUENCE)
            e = e->args[e->num_args - 1];
        else
            return false;
    }
    return true;
}

/* Protects an input argument from the side effects of later ones. The arguments of a user function
 * are read after all of them have been evaluated, except that an argument is read at once if it is
 * converted or passed to a const parameter. The specification leaves the order open; this is that
 * of glslang's SPIR-V. */
static void keep_argument(struct call *call, unsigned i)
{
    struct hir_value *arg = call->args[i];
    bool late = call->best.sig && call->best.modes[i] == HIR_VAR_FUNCTION_IN &&
                is_access(call->expr->args[i]) && hir_variable_referenced(arg) &&
                glsl_type_equal(arg->type, call->best.params[i]);
    if (late)
        keep_lvalue(call->st, arg, call->marks[i]);
    else
        call->args[i] = keep_value(call->st, arg, call->marks[i]);
}

/* Converts the arguments to the parameter types. */
static bool prepare_args(struct call *call, struct copies *copies)
{
    struct ast_state *st = call->st;
    struct list_head *end = list_mark(st);
    for (unsigned i = 0; i < call->num_args; i++) {
        unsigned mode = call->best.modes[i];
        const struct glsl_type *param = call->best.params[i];
        bool out = mode == HIR_VAR_FUNCTION_OUT || mode == HIR_VAR_FUNCTION_INOUT;
        if (mode != HIR_VAR_FUNCTION_OUT && !check_readable(st, call->expr->args[i], call->args[i]))
            return false;
        if (!check_image(call, i))
            return false;
        if (mode == HIR_VAR_BUFFER || mode == HIR_VAR_SHADER_IN) {
            stable_lvalue(st, call->args[i]);
            if (!glsl_type_equal(call->args[i]->type, param))
                call->args[i] = convert_implicitly(st, call->args[i], param);
        } else if (out) {
            if (!check_lvalue(st, call->expr->args[i], call->args[i]))
                return false;
            if (call->marks[i] != end)
                keep_lvalue(st, call->args[i], call->marks[i]);
            call->args[i] =
                prepare_out(st, call->args[i], param, mode == HIR_VAR_FUNCTION_INOUT, copies);
        } else {
            /* Only instructions that other arguments added matter. */
            if (call->marks[i] != end)
                keep_argument(call, i);
            call->args[i] = convert_implicitly(st, call->args[i], param);
        }
    }
    return true;
}

static void finish_copies(struct ast_state *st, const struct copy_back *copies)
{
    for (; copies; copies = copies->next)
        store_value(
            st, copies->lvalue,
            convert_implicitly(st, hir_deref_var(st->sh, copies->tmp), copies->lvalue->type));
}

static struct hir_value *void_value(struct ast_state *st)
{
    return &hir_const_create(st->sh, glsl_void_type())->base;
}

static struct hir_value *call_user(struct call *call)
{
    struct ast_state *st = call->st;
    struct hir_call *hc = hir_alloc(st->sh, sizeof *hc);
    hc->node.kind = HIR_CALL;
    hc->node.loc = call->expr->loc;
    hc->callee = call->best.sig;
    hc->subroutine = call->subroutine;
    hc->num_args = call->num_args;
    hc->args = hir_alloc(st->sh, MAX2(call->num_args, 1) * sizeof *hc->args);
    memcpy(hc->args, call->args, call->num_args * sizeof *hc->args);
    struct hir_variable *result = NULL;
    if (!glsl_type_is_void(call->best.return_type)) {
        result = make_temporary(st, call->best.return_type, "returned");
        hc->return_deref = hir_deref_var(st->sh, result);
    }
    hir_emit(st, &hc->node);
    return result ? hir_deref_var(st->sh, result) : void_value(st);
}

/* Makes the result of some calls non-constant: all calls in GLSL 1.10 (§4.3.3), and noise
 * functions. */
static struct hir_value *not_constant(struct call *call, struct hir_value *value)
{
    struct ast_state *st = call->st;
    bool old = !st->c->es && st->c->version == 110;
    if (value->node.kind != HIR_CONSTANT || (!old && strncmp(call->name, "noise", 5)))
        return value;
    struct hir_variable *tmp = make_temporary(st, value->type, "called");
    emit_assign(st, hir_deref_var(st->sh, tmp), value);
    return hir_deref_var(st->sh, tmp);
}

/* Checks the rules of a built-in function for its arguments. */
static bool check_builtin(struct call *call)
{
    struct ast_state *st = call->st;
    unsigned which;
    const char *error =
        glsl_builtin_check(st->sh, &st->env, call->best.id, call->args, call->num_args, &which);
    if (error)
        glsl_error(st->c, call->num_args ? call->expr->args[which]->loc : call->expr->loc,
                   "%s(): %s", call->name, error);
    return !error;
}

/* ARB_fragment_shader_interlock: begin and end are called once each, in this order. */
static void check_interlock(const struct call *call, bool begin)
{
    struct ast_state *st = call->st;
    unsigned *calls = begin ? &st->interlock_begins : &st->interlock_ends;
    if (*calls)
        glsl_error(st->c, call->expr->loc, "%s() may only be called once", call->name);
    else if (!begin && !st->interlock_begins)
        glsl_error(st->c, call->expr->loc,
                   "%s() must follow the call that begins the critical section", call->name);
    else if (begin)
        st->interlock_loc = call->expr->loc;
    ++*calls;
}

/* Checks functions that all invocations must execute: barrier() in tessellation control shaders
 * (GLSL 4.60 §8.16), and the critical section of a fragment shader. */
static void check_convergent(const struct call *call)
{
    struct ast_state *st = call->st;
    bool begin = !strncmp(call->name, "beginInvocationInterlock", 24);
    bool end = !strncmp(call->name, "endInvocationInterlock", 22);
    bool barrier = st->c->stage == SHADER_TESS_CTRL && !strcmp(call->name, "barrier");
    if (!barrier && !begin && !end)
        return;
    const struct hir_function *function = st->sig ? st->sig->function : NULL;
    if (!function || strcmp(function->name, "main"))
        glsl_error(st->c, call->expr->loc, "%s() is only allowed in main()", call->name);
    else if (st->control_depth || st->returned)
        glsl_error(st->c, call->expr->loc, "%s() is not allowed in control flow or after a return",
                   call->name);
    else if (!barrier)
        check_interlock(call, begin);
}

static struct hir_value *finish_call(struct call *call)
{
    struct ast_state *st = call->st;
    struct copies copies = {.end = &copies.first};
    if (!prepare_args(call, &copies))
        return error_value(st);
    struct hir_value *value;
    if (call->best.sig) {
        value = call_user(call);
    } else {
        if (!check_builtin(call))
            return error_value(st);
        check_convergent(call);
        value = glsl_builtin_call(st->sh, &st->env, call->best.id, call->args, call->num_args,
                                  st->list, call->expr->loc);
        value = value ? not_constant(call, value) : void_value(st);
    }
    if (copies.first) {
        struct list_head *mark = list_mark(st);
        finish_copies(st, copies.first);
        if (!glsl_type_is_void(value->type))
            value = keep_value(st, value, mark);
    }
    return value;
}

static bool evaluate_args(struct call *call)
{
    struct ast_state *st = call->st;
    struct ast_expr *e = call->expr;
    bool good = true;
    call->num_args = e->num_args;
    call->args = glsl_alloc(st->c, (e->num_args + 1) * sizeof *call->args);
    call->marks = glsl_alloc(st->c, (e->num_args + 1) * sizeof *call->marks);
    for (unsigned i = 0; i < e->num_args; i++) {
        call->args[i] = ast_lvalue_value(st, e->args[i]); /* may be writeonly; see prepare_args */
        call->marks[i] = list_mark(st);
        good &= !value_is_error(call->args[i]);
    }
    return good;
}

/* ----------------------------------------------------------------------------------- calls --- */

/* Resolves the callee of an array constructor, such as `S[2](…)`, to a type. Returns NULL for other
 * callees. */
static const struct glsl_type *callee_type(struct ast_state *st, struct ast_expr *callee)
{
    struct ast_expr *sizes[9];
    struct ast_dims dims = {sizes, 0};
    struct ast_expr *e = callee;
    while (e->op == AST_INDEX) {
        if (dims.count == ARRAY_SIZE(sizes))
            return NULL;
        memmove(sizes + 1, sizes, dims.count * sizeof sizes[0]);
        sizes[0] = e->b;
        dims.count++;
        e = e->a;
    }
    if (e->op != AST_IDENT || !find_type(e->name))
        return NULL;
    struct ast_type type = {.loc = callee->loc, .name = e->name, .dims = dims};
    return ast_resolve_type(st, &type, NULL);
}

/* Finds the user's function; *f is NULL if there is none. Returns false if the name is not a
 * function. */
static bool find_user_function(struct ast_state *st, struct ast_expr *callee,
                               const struct hir_function **f)
{
    *f = NULL;
    /* GLSL 1.10 §4.2: functions have a separate name space. */
    if (!st->c->es && st->c->version == 110) {
        *f = hash_table_get(st->sh->function_table, callee->name->text);
        return true;
    }
    struct glsl_symbol *s = callee->name->symbol;
    if (!s)
        return true;
    if (s->kind != SYMBOL_FUNCTION) {
        glsl_error(st->c, callee->loc, "\"%s\" is not a function", callee->name->text);
        return false;
    }
    *f = s->function;
    return true;
}

/* Returns whether the callee is a subroutine variable or an element of an array of them. */
static bool is_subroutine(const struct ast_expr *callee)
{
    while (callee->op == AST_INDEX)
        callee = callee->a;
    const struct glsl_symbol *s = callee->op == AST_IDENT ? callee->name->symbol : NULL;
    return s && s->kind == SYMBOL_VARIABLE &&
           glsl_without_array(s->var->type)->base_type == GLSL_TYPE_SUBROUTINE;
}

static struct hir_value *call_subroutine(struct ast_state *st, struct ast_expr *e)
{
    struct call call = {.st = st, .expr = e};
    call.subroutine = ast_expr_value(st, e->a);
    struct hir_subroutine_type *t = find_subroutine(st, call.subroutine->type);
    if (!t) {
        if (!value_is_error(call.subroutine))
            glsl_error(st->c, e->loc, "this is not a function");
        return error_value(st);
    }
    call.name = t->type->name;
    struct list_head *mark = list_mark(st);
    if (!evaluate_args(&call))
        return error_value(st);
    keep_lvalue(st, call.subroutine, mark);
    consider_signature(&call, t->prototype);
    if (!call.num_exact && !call.num_convertible) {
        report_no_match(&call);
        return error_value(st);
    }
    if (!call.num_exact)
        call.best = call.convertible[0];
    return finish_call(&call);
}

struct hir_value *ast_call(struct ast_state *st, struct ast_expr *e)
{
    if (e->op == AST_CALL && is_subroutine(e->a))
        return call_subroutine(st, e);
    const struct glsl_type *type =
        e->op == AST_CONSTRUCTOR ? ast_resolve_type(st, e->type, NULL) : callee_type(st, e->a);
    if (type)
        return ast_constructor(st, type, e);
    const struct hir_function *user;
    if (e->a->op != AST_IDENT) {
        glsl_error(st->c, e->loc, "this is not a function");
        return error_value(st);
    }
    struct call call = {.st = st, .expr = e, .name = e->a->name->text};
    if (!find_user_function(st, e->a, &user) || !evaluate_args(&call) || !resolve(&call, user))
        return error_value(st);
    return finish_call(&call);
}

struct hir_value *ast_method(struct ast_state *st, struct ast_expr *e)
{
    struct hir_value *a = ast_lvalue_value(st, e->a);
    if (value_is_error(a))
        return a;
    if (strcmp(e->name->text, "length")) {
        glsl_error(st->c, e->loc, "unknown method \"%s\"", e->name->text);
        return error_value(st);
    }
    if (!st_has(st, 120, 300)) {
        glsl_error(st->c, e->loc, "length() requires GLSL 1.20 or GLSL ES 3.00");
        return error_value(st);
    }
    if (e->num_args) {
        glsl_error(st->c, e->loc, "length() takes no arguments");
        return error_value(st);
    }
    bool any = st_has(st, 420, 0) || st_ext(st, GLSL_EXT_ARB_shading_language_420pack);
    if (glsl_type_is_unsized_array(a->type) || is_builtin_unsized(a)) {
        struct hir_variable *var = hir_variable_referenced(a);
        bool implicit = st_has(st, 430, 0) || st_ext(st, GLSL_EXT_ARB_shader_storage_buffer_object);
        if (var && (var->mode == HIR_VAR_BUFFER || (var->implicit_sized && implicit)))
            return hir_expr(st->sh, HIR_OP_ARRAY_LENGTH, glsl_int_type(), a, NULL, NULL, NULL);
        glsl_error(st->c, e->loc, "length() cannot be applied to an unsized array");
        return error_value(st);
    }
    if (!glsl_type_is_array(a->type) &&
        !(any && (glsl_type_is_vector(a->type) || glsl_type_is_matrix(a->type)))) {
        glsl_error(st->c, e->loc, "length() cannot be applied to type %s", a->type->name);
        return error_value(st);
    }
    return &hir_const_int(st->sh, glsl_length_of(a->type))->base;
}
