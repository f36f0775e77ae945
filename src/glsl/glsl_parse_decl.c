/* SPDX-License-Identifier: MIT */
/* Qualifiers, types and declarations (GLSL 4.60 §4, §6.1, §9). */
#include "glsl/glsl_parser.h"

#define MAX_DIMENSIONS   8
#define MAX_OPEN_STRUCTS 50

/* ---------------------------------------------------------------------------- qualifiers --- */

/* Required order of qualifiers before GLSL 4.20 and ESSL 3.10. */
enum rank {
    RANK_INVARIANT,
    RANK_INTERPOLATION,
    RANK_AUXILIARY,
    RANK_STORAGE,
    RANK_PRECISION,
    RANK_ANY
};

static const struct qualifier_word {
    uint8_t rank, precision;
    uint32_t flags;
} qualifier_words[] = {
    [TOK_INVARIANT] = {RANK_INVARIANT, 0, AST_INVARIANT},
    [TOK_PRECISE] = {RANK_INVARIANT, 0, AST_PRECISE},
    [TOK_SMOOTH] = {RANK_INTERPOLATION, 0, AST_SMOOTH},
    [TOK_FLAT] = {RANK_INTERPOLATION, 0, AST_FLAT},
    [TOK_NOPERSPECTIVE] = {RANK_INTERPOLATION, 0, AST_NOPERSPECTIVE},
    [TOK_PERVERTEXNV] = {RANK_INTERPOLATION, 0, AST_PERVERTEX},
    [TOK_CENTROID] = {RANK_AUXILIARY, 0, AST_CENTROID},
    [TOK_SAMPLE] = {RANK_AUXILIARY, 0, AST_SAMPLE},
    [TOK_PATCH] = {RANK_AUXILIARY, 0, AST_PATCH},
    [TOK_PERPRIMITIVE] = {RANK_AUXILIARY, 0, AST_PERPRIMITIVE},
    [TOK_CONST] = {RANK_AUXILIARY, 0, AST_CONST},
    [TOK_ATTRIBUTE] = {RANK_STORAGE, 0, AST_ATTRIBUTE},
    [TOK_VARYING] = {RANK_STORAGE, 0, AST_VARYING},
    [TOK_UNIFORM] = {RANK_STORAGE, 0, AST_UNIFORM},
    [TOK_BUFFER] = {RANK_STORAGE, 0, AST_BUFFER},
    [TOK_SHARED] = {RANK_STORAGE, 0, AST_SHARED},
    [TOK_TASK_PAYLOAD] = {RANK_STORAGE, 0, AST_TASK_PAYLOAD},
    [TOK_IN] = {RANK_STORAGE, 0, AST_IN},
    [TOK_OUT] = {RANK_STORAGE, 0, AST_OUT},
    [TOK_INOUT] = {RANK_STORAGE, 0, AST_IN | AST_OUT},
    [TOK_SUBROUTINE] = {RANK_ANY, 0, AST_SUBROUTINE},
    [TOK_COHERENT] = {RANK_ANY, 0, AST_COHERENT},
    [TOK_VOLATILE] = {RANK_ANY, 0, AST_VOLATILE},
    [TOK_RESTRICT] = {RANK_ANY, 0, AST_RESTRICT},
    [TOK_READONLY] = {RANK_ANY, 0, AST_READONLY},
    [TOK_WRITEONLY] = {RANK_ANY, 0, AST_WRITEONLY},
    [TOK_LOWP] = {RANK_PRECISION, GLSL_PRECISION_LOW, 0},
    [TOK_MEDIUMP] = {RANK_PRECISION, GLSL_PRECISION_MEDIUM, 0},
    [TOK_HIGHP] = {RANK_PRECISION, GLSL_PRECISION_HIGH, 0},
};

struct parse_qualifiers *parse_qualifiers(struct glsl_parser *p, struct glsl_loc loc)
{
    struct parse_qualifiers *q = glsl_alloc(p->c, sizeof *q);
    q->q.loc = loc;
    return q;
}

/* Returns whether the language version requires an order of qualifiers. */
static bool is_ordered(const struct glsl_compiler *c)
{
    return !glsl_is_version(c, 420, 310) && !glsl_has_ext(c, GLSL_EXT_ARB_shading_language_420pack);
}

static void check_qualifier(struct glsl_parser *p, const struct ast_qualifier *q,
                            const struct qualifier_word *word, const struct glsl_token *t)
{
    struct glsl_compiler *c = p->c;
    /* GLSL 4.20 §4: only layout and memory qualifiers may be repeated. */
    if ((q->flags & word->flags && !(word->flags & AST_MEMORY)) ||
        (word->precision && q->precision))
        glsl_error(c, t->loc, "duplicate or conflicting qualifier %s", glsl_token_text(c, t));
    uint32_t storage = q->flags & AST_STORAGE;
    /* GL_EXT_gpu_shader4 and GL_ARB_geometry_shader4 have `varying in` and `varying out`. */
    bool both = (storage == AST_VARYING && (word->flags == AST_IN || word->flags == AST_OUT)) &&
                (glsl_has_ext(c, GLSL_EXT_EXT_gpu_shader4) ||
                 glsl_has_ext(c, GLSL_EXT_ARB_geometry_shader4));
    if ((word->flags & AST_STORAGE) && storage && !both &&
        !(storage == AST_CONST && word->flags == AST_IN) &&
        !(storage == AST_IN && word->flags == AST_CONST))
        glsl_error(c, t->loc, "more than one storage qualifier");
    if ((word->flags & AST_INTERPOLATION) && (q->flags & AST_INTERPOLATION))
        glsl_error(c, t->loc, "more than one interpolation qualifier");
    if ((word->flags & AST_AUXILIARY) && (q->flags & AST_AUXILIARY & ~word->flags))
        glsl_error(c, t->loc, "more than one auxiliary storage qualifier");
}

struct parse_qualifiers *parse_qualifier(struct glsl_parser *p, struct parse_qualifiers *q,
                                         const struct glsl_token *t)
{
    const struct qualifier_word *word = &qualifier_words[t->kind];
    unsigned rank = word->rank;
    /* GL_EXT_gpu_shader4 allows `centroid` before or after the interpolation. */
    if (word->flags & AST_CENTROID && glsl_has_ext(p->c, GLSL_EXT_EXT_gpu_shader4))
        rank = RANK_INTERPOLATION;
    if (rank != RANK_ANY) {
        if (rank < q->last_rank && is_ordered(p->c))
            glsl_error(p->c, t->loc, "qualifier %s is out of order", glsl_token_text(p->c, t));
        q->last_rank = MAX2(q->last_rank, rank);
    }
    check_qualifier(p, &q->q, word, t);
    q->q.flags |= word->flags;
    if (word->precision)
        q->q.precision = word->precision;
    return q;
}

struct parse_qualifiers *parse_subroutine(struct glsl_parser *p, struct parse_qualifiers *q,
                                          const struct glsl_token *word,
                                          struct parse_declarators types)
{
    parse_qualifier(p, q, word);
    unsigned capacity = q->q.num_subroutines;
    for (const struct ast_declarator *d = types.first; d; d = d->next) {
        glsl_grow(p->c, (void **)&q->q.subroutines, &capacity, q->q.num_subroutines,
                  sizeof *q->q.subroutines);
        q->q.subroutines[q->q.num_subroutines++] = d->name;
    }
    return q;
}

struct parse_qualifiers *parse_layout(struct glsl_parser *p, struct parse_qualifiers *q,
                                      struct glsl_loc loc, struct parse_layouts ids)
{
    if (q->last_rank > RANK_AUXILIARY && is_ordered(p->c))
        glsl_error(p->c, loc, "layout qualifiers must come before storage qualifiers");
    if (q->last_layout)
        q->last_layout->next = ids.first;
    else
        q->q.layout = ids.first;
    q->last_layout = ids.last;
    return q;
}

struct ast_layout *parse_layout_id(struct glsl_parser *p, const struct glsl_token *name,
                                   struct ast_expr *value)
{
    struct ast_layout *l = glsl_alloc(p->c, sizeof *l);
    l->loc = name->loc;
    l->name = name->atom;
    l->value = value;
    return l;
}

struct parse_layouts parse_add_layout(struct parse_layouts list, struct ast_layout *l)
{
    list.last->next = l;
    return (struct parse_layouts){list.first, l};
}

/* --------------------------------------------------------------------------------- types --- */

struct parse_args parse_add_dim(struct glsl_parser *p, struct parse_args dims,
                                struct ast_expr *size, struct glsl_loc loc)
{
    if (dims.count == MAX_DIMENSIONS)
        glsl_fatal(p->c, loc, "too many array dimensions");
    return parse_add_arg(p, dims, size);
}

static struct ast_dims to_dims(struct parse_args list)
{
    return (struct ast_dims){list.data, list.count};
}

static struct ast_type *make_type(struct glsl_parser *p, struct glsl_loc loc,
                                  struct parse_args dims)
{
    struct ast_type *type = glsl_alloc(p->c, sizeof *type);
    type->loc = loc;
    type->dims = to_dims(dims);
    return type;
}

struct ast_type *parse_builtin_type(struct glsl_parser *p, const struct glsl_token *name,
                                    struct parse_args dims)
{
    struct ast_type *type = make_type(p, name->loc, dims);
    struct glsl_atom *atom = name->atom;
    if (!atom->type)
        atom->type = glsl_type_by_name(atom->text);
    if (!atom->type)
        glsl_fatal(p->c, name->loc, "type \"%s\" is not supported", atom->text);
    type->builtin = atom->type;
    return type;
}

struct ast_type *parse_unsigned_type(struct glsl_parser *p, struct glsl_loc loc,
                                     const struct glsl_token *name, struct parse_args dims)
{
    if (strcmp(name->atom->text, "int"))
        parse_fail_at(p, name, "int");
    struct ast_type *type = make_type(p, loc, dims);
    type->builtin = glsl_uint_type();
    return type;
}

struct ast_type *parse_named_type(struct glsl_parser *p, const struct glsl_token *name,
                                  struct parse_args dims)
{
    struct ast_type *type = make_type(p, name->loc, dims);
    type->name = name->atom;
    return type;
}

struct ast_type *parse_struct_type(struct glsl_parser *p, struct ast_struct *s,
                                   struct parse_args dims)
{
    struct ast_type *type = make_type(p, s->loc, dims);
    type->structure = s;
    return type;
}

void parse_enter_struct(struct glsl_parser *p, struct glsl_loc loc)
{
    if (++p->structs > MAX_OPEN_STRUCTS)
        glsl_fatal(p->c, loc, "structs are nested too deeply here");
}

struct ast_struct *parse_struct(struct glsl_parser *p, struct glsl_loc loc,
                                const struct glsl_token *name, struct parse_members members)
{
    p->structs--;
    struct ast_struct *s = glsl_alloc(p->c, sizeof *s);
    s->loc = loc;
    s->name = name ? name->atom : NULL;
    if (name)
        name->atom->names_struct = true;
    s->members = members.first;
    if (!s->members && !p->num_errors)
        glsl_error(p->c, loc, "a struct must have at least one member");
    return s;
}

struct parse_members parse_add_member(struct parse_members list, struct ast_member *m)
{
    if (!list.first)
        return (struct parse_members){m, m};
    list.last->next = m;
    return (struct parse_members){list.first, m};
}

struct ast_member *parse_member(struct glsl_parser *p, const struct parse_qualifiers *q,
                                struct ast_type *type, struct parse_declarators declarators)
{
    struct ast_member *m = glsl_alloc(p->c, sizeof *m);
    m->qualifier = q ? q->q : (struct ast_qualifier){.loc = type->loc};
    m->type = type;
    m->declarators = declarators.first;
    return m;
}

struct parse_declarators parse_add_declarator(struct parse_declarators list,
                                              struct ast_declarator *d)
{
    list.last->next = d;
    return (struct parse_declarators){list.first, d};
}

struct ast_declarator *parse_declarator(struct glsl_parser *p, const struct glsl_token *name,
                                        struct parse_args dims, struct ast_expr *init)
{
    struct ast_declarator *d = glsl_alloc(p->c, sizeof *d);
    d->loc = name->loc;
    d->name = name->atom;
    d->dims = to_dims(dims);
    d->init = init;
    return d;
}

struct parse_declarators parse_one_name(struct glsl_parser *p, const struct glsl_token *name)
{
    struct ast_declarator *d = parse_declarator(p, name, parse_no_args, NULL);
    return (struct parse_declarators){d, d};
}

/* -------------------------------------------------------------------------- declarations --- */

struct ast_node *parse_typed(struct glsl_parser *p, struct glsl_loc loc,
                             const struct parse_qualifiers *q, struct ast_type *type)
{
    struct ast_node *n = parse_node(p, AST_VARIABLES, loc);
    n->qualifier = q ? q->q : (struct ast_qualifier){.loc = loc};
    n->type = type;
    return n;
}

struct ast_node *parse_variables(struct ast_node *typed, struct ast_declarator *declarators)
{
    typed->declarators = declarators;
    for (const struct ast_declarator *d = declarators; d; d = d->next)
        if (d->init)
            typed->depth = MAX2(typed->depth, d->init->depth);
    return typed;
}

struct parse_params parse_add_param(struct parse_params list, struct ast_param *param)
{
    list.last->next = param;
    return (struct parse_params){list.first, param};
}

struct parse_params parse_params_end(struct parse_params list)
{
    const struct ast_param *one = list.first;
    bool is_void = !one->next && !one->name && one->type->builtin == glsl_void_type() &&
                   !one->type->dims.count && !one->qualifier.flags;
    return is_void ? (struct parse_params){0} : list;
}

struct ast_param *parse_param(struct glsl_parser *p, const struct parse_qualifiers *q,
                              struct ast_type *type, const struct glsl_token *name,
                              struct parse_args dims)
{
    struct ast_param *param = glsl_alloc(p->c, sizeof *param);
    param->loc = name ? name->loc : q ? q->q.loc : type->loc;
    param->qualifier = q ? q->q : (struct ast_qualifier){.loc = type->loc};
    param->type = type;
    param->name = name ? name->atom : NULL;
    param->dims = to_dims(dims);
    return param;
}

struct ast_node *parse_prototype(struct ast_node *typed, const struct glsl_token *name,
                                 struct ast_param *params)
{
    typed->kind = AST_FUNCTION;
    typed->loc = name->loc;
    typed->name = name->atom;
    typed->params = params;
    return typed;
}

struct ast_node *parse_body(struct glsl_parser *p, struct ast_node *prototype,
                            struct ast_node *body)
{
    prototype->body = body;
    parse_set_depth(p, prototype);
    return prototype;
}

struct ast_node *parse_nested_function(struct glsl_parser *p, struct ast_node *prototype,
                                       struct ast_node *body)
{
    glsl_error(p->c, prototype->loc, "function definitions are not allowed inside functions");
    return parse_body(p, prototype, body);
}

struct ast_node *parse_precision(struct glsl_parser *p, struct glsl_loc loc,
                                 const struct glsl_token *t, struct ast_type *type)
{
    const struct qualifier_word *word = &qualifier_words[t->kind];
    if (!word->precision)
        parse_fail_at(p, t, "lowp, mediump or highp");
    struct ast_node *n = parse_node(p, AST_PRECISION, loc);
    n->qualifier.precision = word->precision;
    n->type = type;
    return n;
}

struct ast_node *parse_default_qualifier(struct glsl_parser *p, struct glsl_loc loc,
                                         const struct parse_qualifiers *q)
{
    struct ast_node *n = parse_node(p, AST_DEFAULT_QUALIFIER, loc);
    n->qualifier = q->q;
    return n;
}

struct ast_node *parse_requalification(struct glsl_parser *p, struct glsl_loc loc,
                                       const struct parse_qualifiers *q,
                                       struct parse_declarators names)
{
    struct ast_node *n = parse_node(p, AST_REQUALIFY, loc);
    n->qualifier = q->q;
    n->declarators = names.first;
    return n;
}

struct ast_node *parse_interface(struct glsl_parser *p, const struct parse_qualifiers *q,
                                 const struct glsl_token *name, struct parse_members members,
                                 struct ast_declarator *instance)
{
    struct ast_node *n = parse_node(p, AST_INTERFACE, name->loc);
    n->qualifier = q->q;
    n->name = name->atom;
    n->members = members.first;
    n->declarators = instance;
    if (!n->members && !p->num_errors)
        glsl_error(p->c, n->loc, "an interface block must have at least one member");
    return n;
}
