/* SPDX-License-Identifier: MIT */
/*
 * Finds the array elements that code accesses by walking all values of the HIR. This determines the
 * sizes of unsized arrays in blocks and the active size of uniform arrays.
 */
#include "glsl/glsl_link.h"

struct walk {
    void (*visit)(void *data, const struct hir_value *value, const struct hir_value *parent);
    void *data;
};

static void walk_value(const struct walk *w, const struct hir_value *value,
                       const struct hir_value *parent)
{
    if (!value)
        return;
    w->visit(w->data, value, parent);
    switch (value->node.kind) {
    case HIR_EXPRESSION: {
        const struct hir_expression *e = (const struct hir_expression *)value;
        for (unsigned i = 0; i < e->num_operands; i++)
            walk_value(w, e->operands[i], value);
        break;
    }
    case HIR_SWIZZLE:
        walk_value(w, ((const struct hir_swizzle *)value)->value, value);
        break;
    case HIR_DEREF_ARRAY:
        walk_value(w, ((const struct hir_deref_array *)value)->value, value);
        walk_value(w, ((const struct hir_deref_array *)value)->index, value);
        break;
    case HIR_DEREF_RECORD:
        walk_value(w, ((const struct hir_deref_record *)value)->value, value);
        break;
    case HIR_TEXTURE: {
        const struct hir_texture *t = (const struct hir_texture *)value;
        const struct hir_value *parts[] = {t->sampler, t->coord,        t->projector, t->comparator,
                                           t->lod,     t->bias,         t->dPdx,      t->dPdy,
                                           t->offset,  t->sample_index, t->min_lod};
        for (unsigned i = 0; i < ARRAY_SIZE(parts); i++)
            walk_value(w, parts[i], value);
        break;
    }
    default:
        break;
    }
}

static void walk_args(const struct walk *w, struct hir_value *const *args, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        walk_value(w, args[i], NULL);
}

static void walk_list(const struct walk *w, const struct list_head *list)
{
    list_for_each_entry (struct hir_node, node, list, link) {
        switch (node->kind) {
        case HIR_ASSIGN:
            walk_value(w, ((struct hir_assign *)node)->lhs, NULL);
            walk_value(w, ((struct hir_assign *)node)->rhs, NULL);
            break;
        case HIR_CALL: {
            const struct hir_call *call = (const struct hir_call *)node;
            walk_args(w, call->args, call->num_args);
            walk_value(w, call->subroutine, NULL);
            break;
        }
        case HIR_INTRINSIC: {
            const struct hir_intrinsic *i = (const struct hir_intrinsic *)node;
            walk_args(w, i->args, i->num_args);
            break;
        }
        case HIR_IF:
            walk_value(w, ((struct hir_if *)node)->condition, NULL);
            walk_list(w, &((struct hir_if *)node)->then_list);
            walk_list(w, &((struct hir_if *)node)->else_list);
            break;
        case HIR_LOOP:
            walk_list(w, &((struct hir_loop *)node)->body);
            walk_list(w, &((struct hir_loop *)node)->continue_list);
            break;
        case HIR_RETURN:
            walk_value(w, ((struct hir_return *)node)->value, NULL);
            break;
        case HIR_DISCARD:
            walk_value(w, ((struct hir_discard *)node)->condition, NULL);
            break;
        default:
            break;
        }
    }
}

void link_visit_values(const struct hir_shader *sh,
                       void (*visit)(void *data, const struct hir_value *value,
                                     const struct hir_value *parent),
                       void *data)
{
    struct walk w = {visit, data};
    walk_list(&w, &sh->instructions);
    list_for_each_entry (struct hir_function, f, &sh->functions, link) {
        list_for_each_entry (struct hir_signature, s, &f->signatures, link)
            walk_list(&w, &s->body);
    }
}

/* -------------------------------------------------------------------- active uniform arrays --- */

/* Returns whether a type contains no opaque types, which are separate variables. */
static bool is_numeric(const struct glsl_type *type)
{
    type = glsl_without_array(type);
    if (!glsl_type_is_struct(type))
        return type->base_type <= GLSL_TYPE_BOOL;
    for (unsigned i = 0; i < type->length; i++)
        if (!is_numeric(type->fields[i].type))
            return false;
    return true;
}

/* Returns whether an array in the default block may shrink: it has no opaque elements and all its
 * indices are constants less than its length. */
static bool may_shrink(const struct link_var *lv)
{
    const struct hir_variable *d = lv->decl;
    return d->mode == HIR_VAR_UNIFORM && !d->builtin && !d->interface_type && lv->location < 0 &&
           !lv->initializer && !lv->whole && glsl_type_is_array(lv->type) && is_numeric(lv->type) &&
           lv->max_access >= 0 && lv->max_access + 1 < (int)lv->type->length;
}

/* Any use other than by a constant index keeps the whole array. */
static void record_whole_use(void *data, const struct hir_value *value,
                             const struct hir_value *parent)
{
    struct link_stage *st = data;
    if (value->node.kind != HIR_DEREF_VARIABLE || !glsl_type_is_array(value->type))
        return;
    const struct hir_variable *var = ((const struct hir_deref_variable *)value)->var;
    const struct hir_deref_array *d = (const struct hir_deref_array *)parent;
    if (var->mode != HIR_VAR_UNIFORM || (parent && parent->node.kind == HIR_DEREF_ARRAY &&
                                         d->value == value && d->index->node.kind == HIR_CONSTANT))
        return;
    struct link_var *lv = link_var_of(st, var);
    if (lv)
        lv->whole = true;
}

/* Returns the uniform of the default block with this name in a stage, or NULL. */
static struct link_var *find_uniform(const struct linker *ln, unsigned stage, const char *name)
{
    struct link_var *lv = ln->stages[stage] ? link_find_var(ln->stages[stage], name) : NULL;
    return lv && lv->decl->mode == HIR_VAR_UNIFORM && !lv->decl->interface_type ? lv : NULL;
}

/* Returns the length needed by all stages together; 0: the array keeps its length. */
static unsigned active_length(const struct linker *ln, const struct link_var *lv)
{
    unsigned length = 0;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        const struct link_var *other = find_uniform(ln, s, lv->name);
        if (!other || (!other->used && !other->nir && other->max_access < 0))
            continue;
        if (!may_shrink(other))
            return 0;
        length = MAX2(length, (unsigned)other->max_access + 1);
    }
    return length;
}

/* GL 2.1 §2.15.3: the size of an active array is the highest index used plus one. */
void link_shrink_uniforms(struct linker *ln)
{
    bool any = false;
    for (unsigned s = 0; s < SHADER_STAGE_COUNT; s++) {
        struct link_stage *st = ln->stages[s];
        bool here = false;
        for (unsigned i = 0; st && i < st->vars.count && !here; i++)
            here = may_shrink(&st->vars.data[i]);
        for (unsigned i = 0; here && i < st->shaders.count; i++)
            link_visit_values(st->shaders.data[i]->hir, record_whole_use, st);
        any |= here;
    }
    for (unsigned s = 0; any && s < SHADER_STAGE_COUNT; s++) {
        struct link_stage *st = ln->stages[s];
        for (unsigned i = 0; st && i < st->vars.count; i++) {
            struct link_var *lv = &st->vars.data[i];
            unsigned length = may_shrink(lv) ? active_length(ln, lv) : 0;
            for (unsigned o = 0; length && o < SHADER_STAGE_COUNT; o++) {
                struct link_var *other = find_uniform(ln, o, lv->name);
                if (other && other != lv)
                    other->type = glsl_array_type(ln->tmp, lv->type->element, length, 0);
            }
            if (length)
                lv->type = glsl_array_type(ln->tmp, lv->type->element, length, 0);
        }
    }
}
