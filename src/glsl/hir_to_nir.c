/* SPDX-License-Identifier: MIT */
/*
 * Translates HIR to NIR: functions and statements. Each GLSL function that main reaches becomes a
 * NIR function; hir_to_nir.h describes how values are passed. After inlining, only main remains.
 */
#include <talloc.h>

#include "glsl/hir_to_nir.h"

static bool emit_list(struct h2n *h, const struct list_head *list);

/* ------------------------------------------------------------------------------- functions --- */

static bool has_opaque_params(const struct hir_signature *sig)
{
    for (unsigned i = 0; i < sig->num_params; i++) {
        if (h2n_has_opaque(sig->params[i]->type))
            return true;
    }
    return false;
}

/* Creates a NIR function and the variables for its parameters and result. The body is translated
 * later. */
static struct h2n_function *create_function(struct h2n *h, struct hir_signature *sig)
{
    struct h2n_function *f = talloc_zero(h->tmp, struct h2n_function);
    const char *name = sig->function ? sig->function->name : "main";
    f->sig = sig;
    f->nir = nir_function_create(h->shader, name);
    f->params = talloc_zero_array(f, nir_variable *, sig->num_params + 1);
    f->paths = talloc_zero_array(f, struct h2n_path *, sig->num_params + 1);
    for (unsigned i = 0; i < sig->num_params; i++) {
        const struct hir_variable *p = sig->params[i];
        f->params[i] = nir_variable_create(h->shader, nir_var_shader_temp,
                                           h2n_type(h, p->type, false), p->name);
    }
    if (sig->return_type && !glsl_type_is_void(sig->return_type))
        f->result = nir_variable_create(h->shader, nir_var_shader_temp,
                                        h2n_type(h, sig->return_type, false), name);
    dynarray_append(&h->pending, f);
    return f;
}

static bool receives_value(const struct hir_variable *param)
{
    return param->mode != HIR_VAR_FUNCTION_OUT;
}

static bool returns_value(const struct hir_variable *param)
{
    return param->mode == HIR_VAR_FUNCTION_OUT || param->mode == HIR_VAR_FUNCTION_INOUT;
}

/* Returns NULL if the function is not defined. */
static struct h2n_function *function_for_call(struct h2n *h, const struct hir_call *call,
                                              struct hir_signature *callee)
{
    struct hir_signature *sig = link_definition(h->st, callee);
    if (!sig)
        return NULL;
    if (!has_opaque_params(sig)) {
        struct h2n_function *f = hash_table_get(h->functions, sig);
        if (!f) {
            f = create_function(h, sig);
            hash_table_insert(h->functions, sig, f);
        }
        return f;
    }
    struct h2n_function *f = create_function(h, sig);
    for (unsigned i = 0; i < sig->num_params; i++) {
        const struct hir_variable *p = sig->params[i];
        if (!h2n_has_opaque(p->type) || returns_value(p) || p->handle_assigned ||
            !h2n_is_bound(h, call->args[i]))
            continue; /* passed as a handle, if at all */
        f->paths[i] = h2n_opaque_path(h, call->args[i]);
        if (!glsl_packed_size(p->type))
            f->params[i] = NULL;
    }
    return f;
}

/* Stores a HIR value of any type to a NIR variable. */
static void store_variable(struct h2n *h, nir_variable *var, const struct hir_value *value)
{
    nir_deref_instr *deref = nir_build_deref_var(&h->b, var);
    if (value->type->base_type > GLSL_TYPE_BOOL) {
        h2n_copy_value(h, deref, value);
        return;
    }
    struct h2n_value v = h2n_eval(h, value);
    for (unsigned i = 0; i < v.n; i++)
        nir_store_deref(&h->b, v.n == 1 ? deref : nir_build_deref_array_imm(&h->b, deref, i),
                        v.c[i], BITFIELD_MASK(v.c[i]->num_components));
}

/* Assigns the value in `var`, returned by a callee, to an lvalue, through a temporary HIR variable
 * for it. */
static void fetch_variable(struct h2n *h, const struct hir_value *lhs, nir_variable *var)
{
    struct hir_variable name = {
        .node.kind = HIR_VARIABLE, .type = lhs->type, .name = "", .mode = HIR_VAR_TEMPORARY};
    struct hir_deref_variable deref = {.base = {.node.kind = HIR_DEREF_VARIABLE, .type = lhs->type},
                                       .var = &name};
    hash_table_insert(h->locals, &name, var);
    h2n_assign(h, lhs, &deref.base, 0);
    hash_table_remove_key(h->locals, &name);
}

/* Stores an argument to the parameter's variable. The linker may have selected a function that
 * needs a conversion. */
static void pass_argument(struct h2n *h, nir_variable *var, const struct glsl_type *type,
                          struct hir_value *arg)
{
    struct hir_expression convert = {
        .base = {.node.kind = HIR_EXPRESSION, .type = type},
        .op = HIR_OP_CONVERT,
        .num_operands = 1,
        .operands = {arg},
    };
    bool same = type->base_type == arg->type->base_type || type->base_type > GLSL_TYPE_BOOL;
    store_variable(h, var, same ? arg : &convert.base);
}

static void emit_call_of(struct h2n *h, const struct hir_call *call, struct hir_signature *callee)
{
    struct h2n_function *f = function_for_call(h, call, callee);
    if (!f) {
        nir_end_primitive(&h->b, .stream_id = LINK_UNRESOLVED + (int)h->st->unresolved.count);
        dynarray_append(&h->st->unresolved, call->callee);
        return;
    }
    for (unsigned i = 0; i < call->num_args && i < f->sig->num_params; i++) {
        h->data_only = f->paths[i] != NULL;
        if (f->params[i] && receives_value(f->sig->params[i]))
            pass_argument(h, f->params[i], f->sig->params[i]->type, call->args[i]);
        h->data_only = false;
    }
    nir_call_instr *instr = nir_call_instr_create(h->shader, f->nir);
    nir_builder_instr_insert(&h->b, &instr->instr);
    for (unsigned i = 0; i < call->num_args && i < f->sig->num_params; i++) {
        if (f->params[i] && returns_value(f->sig->params[i]))
            fetch_variable(h, call->args[i], f->params[i]);
    }
    if (call->return_deref && f->result)
        fetch_variable(h, call->return_deref, f->result);
}

/* Emits a call through a subroutine uniform, which holds the index of a function. Invalid indices
 * call the last function. */
static void emit_subroutine_call(struct h2n *h, const struct hir_call *call)
{
    const struct glsl_type *type = glsl_without_array(call->subroutine->type);
    nir_def *index = nir_load_deref(&h->b, h2n_deref(h, call->subroutine));
    struct hir_signature *last = NULL;
    unsigned depth = 0;
    for (unsigned i = 0; i < h->st->subroutines.count; i++) {
        const struct link_subroutine *s = &h->st->subroutines.data[i];
        if (!link_is_subroutine_of(s->sig, type))
            continue;
        if (last) {
            unsigned known =
                ((struct link_subroutine *)hash_table_get(h->subroutines, last))->index;
            nir_push_if(&h->b, nir_ieq_imm(&h->b, index, known));
            emit_call_of(h, call, last);
            nir_push_else(&h->b, NULL);
            depth++;
        }
        last = s->sig;
    }
    if (last)
        emit_call_of(h, call, last);
    while (depth--)
        nir_pop_if(&h->b, NULL);
}

/* Returns whether operations are exact if nothing else says so. An invariant output may be computed
 * from the result of any function (GLSL 4.60 §4.8.1). */
static bool exact_by_default(const struct h2n *h)
{
    return h->invariant && h->function->sig != h->st->main;
}

static void emit_call(struct h2n *h, const struct hir_call *call)
{
    h->b.exact = h->invariant;
    if (call->subroutine)
        emit_subroutine_call(h, call);
    else
        emit_call_of(h, call, call->callee);
    h->b.exact = exact_by_default(h);
    if (h->ended) {
        nir_push_if(&h->b, nir_load_var(&h->b, h->ended));
        nir_jump(&h->b, nir_jump_return);
        nir_pop_if(&h->b, NULL);
    }
}

/* ------------------------------------------------------------------------------ statements --- */

static void zero_variable(struct h2n *h, nir_variable *var)
{
    nir_store_zero(&h->b, nir_build_deref_var(&h->b, var));
}

/* A variable that the shader reads before it writes it is 0. The compiler's temporaries are always
 * written first. */
static void emit_declaration(struct h2n *h, struct hir_variable *var)
{
    if (var->constant_value && (var->read_only || var->mode == HIR_VAR_GLOBAL))
        return;
    nir_variable *local = h2n_local(h, h2n_local_type(h, var), var->name);
    hash_table_insert(h->locals, var, local);
    if (var->constant_initializer)
        store_variable(h, local, &var->constant_initializer->base);
    else if (var->mode == HIR_VAR_AUTO && !var->initialized)
        zero_variable(h, local);
}

static void emit_return(struct h2n *h, const struct hir_return *ret)
{
    if (ret->value && h->function->result)
        store_variable(h, h->function->result, ret->value);
    nir_jump(&h->b, nir_jump_return);
}

/* Emits the code that runs at the end of a loop body or on continue. Returns true if control cannot
 * pass its end. */
static bool emit_continue_list(struct h2n *h)
{
    return h->continue_list && emit_list(h, h->continue_list);
}

static void emit_loop(struct h2n *h, struct hir_loop *loop)
{
    struct list_head *outer = h->continue_list;
    h->continue_list = &loop->continue_list;
    h->loop_depth++;
    nir_loop *nloop = nir_push_loop(&h->b);
    if (!emit_list(h, &loop->body))
        emit_continue_list(h);
    nir_pop_loop(&h->b, nloop);
    h->loop_depth--;
    h->continue_list = outer;
}

static void emit_jump(struct h2n *h, const struct hir_jump *jump)
{
    if (jump->mode == HIR_JUMP_BREAK) {
        nir_jump(&h->b, nir_jump_break);
    } else if (!emit_continue_list(h)) {
        nir_jump(&h->b, nir_jump_continue);
    }
}

static bool emit_if(struct h2n *h, const struct hir_if *node)
{
    nir_if *nif = nir_push_if(&h->b, h2n_eval_vec(h, node->condition));
    bool then_ends = emit_list(h, &node->then_list);
    nir_push_else(&h->b, nif);
    bool else_ends = emit_list(h, &node->else_list);
    nir_pop_if(&h->b, nif);
    return then_ends && else_ends;
}

/* Emits a discard. In a loop, the invocation also leaves the loop, so that it cannot loop
 * forever. */
static bool emit_discard(struct h2n *h, const struct hir_discard *discard)
{
    if (discard->condition) {
        nir_discard_if(&h->b, h2n_eval_vec(h, discard->condition));
        return false;
    }
    nir_discard(&h->b);
    if (h->loop_depth)
        nir_jump(&h->b, nir_jump_break);
    return h->loop_depth > 0;
}

/* EmitMeshTasksEXT() ends the shader (GLSL_EXT_mesh_shader, 8.X): it sets h->ended and returns, and
 * emit_call() returns from the callers. Returns true after such a call. */
static bool emit_task_end(struct h2n *h, const struct hir_intrinsic *in)
{
    if (in->op != HIR_INTRINSIC_EMIT_MESH_TASKS)
        return false;
    nir_store_var(&h->b, h->ended, nir_imm_true(&h->b), 1);
    nir_jump(&h->b, nir_jump_return);
    return true;
}

/* Emits an instruction. Returns true if control cannot pass its end. */
static bool emit_node(struct h2n *h, struct hir_node *node)
{
    switch (node->kind) {
    case HIR_VARIABLE:
        emit_declaration(h, (struct hir_variable *)node);
        return false;
    case HIR_ASSIGN: {
        struct hir_assign *a = (struct hir_assign *)node;
        const struct hir_variable *var = hir_variable_referenced(a->lhs);
        h->b.exact = (var && var->precise) || exact_by_default(h);
        h2n_assign(h, a->lhs, a->rhs, a->write_mask);
        h->b.exact = exact_by_default(h);
        return false;
    }
    case HIR_CALL:
        emit_call(h, (struct hir_call *)node);
        return false;
    case HIR_IF:
        return emit_if(h, (struct hir_if *)node);
    case HIR_LOOP:
        emit_loop(h, (struct hir_loop *)node);
        return false;
    case HIR_JUMP:
        emit_jump(h, (struct hir_jump *)node);
        return true;
    case HIR_RETURN:
        emit_return(h, (struct hir_return *)node);
        return true;
    case HIR_INTRINSIC:
        h2n_intrinsic(h, (struct hir_intrinsic *)node);
        return emit_task_end(h, (struct hir_intrinsic *)node);
    case HIR_DISCARD:
        return emit_discard(h, (struct hir_discard *)node);
    case HIR_EMIT_VERTEX:
        nir_emit_vertex(&h->b, .stream_id = ((struct hir_emit *)node)->stream);
        return false;
    case HIR_END_PRIMITIVE:
        nir_end_primitive(&h->b, .stream_id = ((struct hir_emit *)node)->stream);
        return false;
    default:
        return false;
    }
}

static bool emit_list(struct h2n *h, const struct list_head *list)
{
    list_for_each_entry (struct hir_node, node, list, link) {
        if (emit_node(h, node))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------- bodies --- */

/* Emits assignments at global scope, which run before main, in the order of the stage's shaders. */
static void emit_global_initializers(struct h2n *h)
{
    for (unsigned i = 0; i < h->st->shaders.count; i++) {
        struct hir_shader *sh = h->st->shaders.data[i]->hir;
        list_for_each_entry (struct hir_node, node, &sh->instructions, link) {
            struct hir_variable *var = (struct hir_variable *)node;
            bool temporary = node->kind == HIR_VARIABLE &&
                             (var->mode == HIR_VAR_TEMPORARY || var->mode == HIR_VAR_AUTO);
            if (node->kind != HIR_VARIABLE || temporary)
                emit_node(h, node);
        }
    }
}

static void emit_body(struct h2n *h, struct h2n_function *f)
{
    h->function = f;
    h->impl = nir_function_impl_create(f->nir);
    h->b = nir_builder_create(h->impl);
    h->b.cursor = nir_after_impl(h->impl);
    h->b.exact = exact_by_default(h);
    h->continue_list = NULL;
    h->loop_depth = 0;
    hash_table_clear(h->locals);
    hash_table_clear(h->aliases);
    for (unsigned i = 0; i < f->sig->num_params; i++) {
        if (f->params[i])
            hash_table_insert(h->locals, f->sig->params[i], f->params[i]);
        if (f->paths[i])
            hash_table_insert(h->aliases, f->sig->params[i], f->paths[i]);
    }
    if (f->sig == h->st->main) {
        f->nir->is_entrypoint = true;
        if (h->ended)
            nir_store_var(&h->b, h->ended, nir_imm_false(&h->b), 1);
        emit_global_initializers(h);
    }
    for (unsigned i = 0; i < f->sig->num_params; i++)
        if (f->params[i] && f->sig->params[i]->mode == HIR_VAR_FUNCTION_OUT)
            zero_variable(h, f->params[i]);
    if (f->result)
        zero_variable(h, f->result);
    emit_list(h, &f->sig->body);
}

/* Returns whether a shader of the stage has an invariant output. */
static bool has_invariant_output(const struct link_stage *st)
{
    for (unsigned i = 0; i < st->shaders.count; i++) {
        struct hir_shader *sh = st->shaders.data[i]->hir;
        if (sh->invariant_all)
            return true;
        list_for_each_entry (struct hir_node, node, &sh->instructions, link) {
            const struct hir_variable *var = (const struct hir_variable *)node;
            if (node->kind == HIR_VARIABLE && var->mode == HIR_VAR_SHADER_OUT && var->invariant)
                return true;
        }
    }
    return false;
}

nir_shader *hir_to_nir(struct linker *ln, struct link_stage *st)
{
    struct h2n *h = talloc_zero(ln->tmp, struct h2n);
    h->ln = ln;
    h->st = st;
    h->tmp = h;
    h->invariant = has_invariant_output(st);
    h->pending.mem_ctx = h;
    h->shader = nir_shader_create(ln->program, st->stage, ln->options->nir_options[st->stage]);
    h->functions = hash_table_create_pointer(h);
    h->types = hash_table_create_pointer(h);
    h->uint_types = hash_table_create_pointer(h);
    h->constants = hash_table_create_pointer(h);
    h->locals = hash_table_create_pointer(h);
    h->aliases = hash_table_create_pointer(h);
    h->members = hash_table_create_string(h);
    h->blocks = hash_table_create_pointer(h);
    h->subroutines = hash_table_create_pointer(h);
    for (unsigned i = 0; i < st->subroutines.count; i++)
        hash_table_insert(h->subroutines, st->subroutines.data[i].sig, &st->subroutines.data[i]);
    if (st->stage == SHADER_TASK)
        h->ended = nir_variable_create(h->shader, nir_var_shader_temp, glsl_bool_type(), "ended");
    h2n_declare_blocks(h);
    hash_table_insert(h->functions, st->main, create_function(h, st->main));
    for (unsigned i = 0; i < h->pending.count; i++)
        emit_body(h, h->pending.data[i]);
    nir_shader *shader = h->shader;
    talloc_free(h);
    return shader;
}
