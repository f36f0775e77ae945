/* SPDX-License-Identifier: MIT */
/* Checks the rules of HIR in debug builds, so that errors of ast_to_hir are found where they
 * occur. */
#include <stdlib.h>

#include "glsl/hir.h"
#include "util/hash_table.h"

#ifndef NDEBUG

struct validate {
    struct hash_table *seen; /* all nodes visited so far */
    const struct hir_signature *sig;
    unsigned loops;
};

static void fail(const struct hir_node *node, const char *rule)
{
    fprintf(stderr, "HIR broken at %u:%u(%u), node of kind %d: %s\n", node->loc.source,
            node->loc.line, node->loc.column, node->kind, rule);
    if (node->kind >= HIR_CONSTANT) {
        hir_print_value((const struct hir_value *)node, stderr);
        fputs("\n", stderr);
    }
    abort();
}

#define CHECK(node, condition)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(node, #condition);                                                                \
    } while (0)

static void check_once(struct validate *v, const struct hir_node *node)
{
    if (hash_table_search(v->seen, node))
        fail(node, "a node may only occur in one place");
    hash_table_insert(v->seen, node, NULL);
}

static void check_value(struct validate *v, const struct hir_value *value);

static void check_optional(struct validate *v, const struct hir_value *value)
{
    if (value)
        check_value(v, value);
}

static bool is_aggregate(const struct glsl_type *t)
{
    return glsl_type_is_array(t) || glsl_type_is_struct_or_ifc(t);
}

static void check_expression(struct validate *v, const struct hir_expression *e)
{
    const struct hir_node *node = &e->base.node;
    const struct hir_op_info *info = &hir_op_infos[e->op];
    CHECK(node, e->op < HIR_OP_COUNT && e->num_operands <= info->num_operands);
    CHECK(node, e->num_operands >= 1);
    for (unsigned i = 0; i < e->num_operands; i++)
        check_value(v, e->operands[i]);
    const struct glsl_type *first = e->operands[0]->type;
    bool component_wise =
        info->type_rule == HIR_OP_TYPE_SAME || info->type_rule == HIR_OP_TYPE_BOOL;
    CHECK(node, !component_wise || !is_aggregate(e->base.type));
    for (unsigned i = 1; component_wise && i < e->num_operands; i++)
        CHECK(node, e->operands[i]->type->base_type == first->base_type);
    if (info->type_rule == HIR_OP_TYPE_SAME)
        CHECK(node, e->base.type->base_type == first->base_type);
    if (info->type_rule == HIR_OP_TYPE_BOOL || info->type_rule == HIR_OP_TYPE_SCALAR_BOOL)
        CHECK(node, glsl_type_is_boolean(e->base.type));
    if (e->op == HIR_OP_SELECT)
        CHECK(node, glsl_type_is_boolean(first));
}

static void check_texture(struct validate *v, const struct hir_texture *t)
{
    CHECK(&t->base.node, t->sampler && glsl_type_is_sampler(t->sampler->type));
    CHECK(&t->base.node, hir_variable_referenced(t->sampler) ||
                             t->sampler->node.kind == HIR_EXPRESSION); /* made from a handle */
    const struct hir_value *values[] = {
        t->sampler, t->coord,  t->projector,    t->comparator, t->lod,     t->bias,   t->dPdx,
        t->dPdy,    t->offset, t->sample_index, t->component,  t->offsets, t->min_lod};
    for (unsigned i = 0; i < ARRAY_SIZE(values); i++)
        check_optional(v, values[i]);
}

static void check_value(struct validate *v, const struct hir_value *value)
{
    const struct hir_node *node = &value->node;
    check_once(v, node);
    CHECK(node, value->type);
    CHECK(node, !glsl_type_is_error(value->type));
    switch (node->kind) {
    case HIR_CONSTANT: {
        const struct hir_constant *c = (const struct hir_constant *)value;
        CHECK(node, !is_aggregate(value->type) || c->elements);
        break;
    }
    case HIR_EXPRESSION:
        check_expression(v, (const struct hir_expression *)value);
        break;
    case HIR_SWIZZLE: {
        const struct hir_swizzle *s = (const struct hir_swizzle *)value;
        check_value(v, s->value);
        CHECK(node, glsl_type_is_vector_or_scalar(s->value->type));
        for (unsigned i = 0; i < value->type->vector_elements; i++)
            CHECK(node, s->component[i] < s->value->type->vector_elements);
        break;
    }
    case HIR_DEREF_VARIABLE:
        CHECK(node, ((const struct hir_deref_variable *)value)->var->node.kind == HIR_VARIABLE);
        break;
    case HIR_DEREF_ARRAY: {
        const struct hir_deref_array *d = (const struct hir_deref_array *)value;
        check_value(v, d->value);
        check_value(v, d->index);
        CHECK(node, glsl_type_is_scalar(d->index->type) && glsl_type_is_integer(d->index->type));
        break;
    }
    case HIR_DEREF_RECORD: {
        const struct hir_deref_record *d = (const struct hir_deref_record *)value;
        check_value(v, d->value);
        CHECK(node, glsl_type_is_struct_or_ifc(d->value->type));
        CHECK(node, d->field < d->value->type->length);
        break;
    }
    case HIR_TEXTURE:
        check_texture(v, (const struct hir_texture *)value);
        break;
    default:
        fail(node, "an instruction is used as a value");
    }
}

static void check_list(struct validate *v, const struct list_head *list);

static void check_assign(struct validate *v, const struct hir_assign *a)
{
    const struct hir_node *node = &a->node;
    check_value(v, a->lhs);
    check_value(v, a->rhs);
    CHECK(node, hir_variable_referenced(a->lhs));
    CHECK(node, a->lhs->type->base_type == a->rhs->type->base_type);
    if (!a->write_mask) {
        CHECK(node, glsl_type_equal(a->lhs->type, a->rhs->type));
        return;
    }
    CHECK(node, glsl_type_is_vector_or_scalar(a->lhs->type));
    CHECK(node, a->write_mask < 1 << a->lhs->type->vector_elements);
    unsigned n = a->rhs->type->vector_elements;
    CHECK(node, n == a->lhs->type->vector_elements || n == __builtin_popcount(a->write_mask));
}

static void check_call(struct validate *v, const struct hir_call *c)
{
    CHECK(&c->node, c->num_args == c->callee->num_params);
    for (unsigned i = 0; i < c->num_args; i++) {
        const struct hir_variable *p = c->callee->params[i];
        check_value(v, c->args[i]);
        CHECK(&c->node, glsl_type_equal(c->args[i]->type, p->type));
        if (p->mode == HIR_VAR_FUNCTION_OUT || p->mode == HIR_VAR_FUNCTION_INOUT)
            CHECK(&c->node, hir_variable_referenced(c->args[i]));
    }
    check_optional(v, c->return_deref);
}

static void check_node(struct validate *v, struct hir_node *node)
{
    check_once(v, node);
    switch (node->kind) {
    case HIR_VARIABLE:
        CHECK(node, ((struct hir_variable *)node)->type && ((struct hir_variable *)node)->name);
        break;
    case HIR_ASSIGN:
        check_assign(v, (struct hir_assign *)node);
        break;
    case HIR_CALL:
        check_call(v, (struct hir_call *)node);
        break;
    case HIR_IF: {
        struct hir_if *i = (struct hir_if *)node;
        check_value(v, i->condition);
        CHECK(node, i->condition->type == glsl_bool_type());
        check_list(v, &i->then_list);
        check_list(v, &i->else_list);
        break;
    }
    case HIR_LOOP:
        v->loops++;
        check_list(v, &((struct hir_loop *)node)->body);
        check_list(v, &((struct hir_loop *)node)->continue_list);
        v->loops--;
        break;
    case HIR_JUMP:
        CHECK(node, v->loops > 0);
        break;
    case HIR_RETURN: {
        struct hir_return *r = (struct hir_return *)node;
        CHECK(node, v->sig);
        CHECK(node, !r->value == glsl_type_is_void(v->sig->return_type));
        check_optional(v, r->value);
        break;
    }
    case HIR_DISCARD:
        check_optional(v, ((struct hir_discard *)node)->condition);
        break;
    case HIR_EMIT_VERTEX:
    case HIR_END_PRIMITIVE:
        break;
    case HIR_INTRINSIC: {
        struct hir_intrinsic *intr = (struct hir_intrinsic *)node;
        CHECK(node, intr->op < HIR_INTRINSIC_COUNT && intr->num_args <= ARRAY_SIZE(intr->args));
        for (unsigned i = 0; i < intr->num_args; i++)
            check_value(v, intr->args[i]);
        check_optional(v, intr->return_deref);
        break;
    }
    default:
        fail(node, "a value is in an instruction list");
    }
}

static void check_list(struct validate *v, const struct list_head *list)
{
    list_for_each_entry (struct hir_node, node, list, link)
        check_node(v, node);
}

void hir_validate(const struct hir_shader *sh)
{
    struct validate v = {.seen = hash_table_create_pointer(NULL)};
    check_list(&v, &sh->instructions);
    list_for_each_entry (struct hir_function, f, &sh->functions, link) {
        list_for_each_entry (struct hir_signature, sig, &f->signatures, link) {
            v.sig = sig;
            if (sig->defined)
                check_list(&v, &sig->body);
        }
    }
    hash_table_destroy(v.seen);
}

#else

void hir_validate(const struct hir_shader *sh)
{
}

#endif
