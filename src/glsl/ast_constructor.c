/* SPDX-License-Identifier: MIT */
/* Constructors and initializer lists (GLSL 4.60 §5.4, §4.1.11). */
#include "glsl/ast_to_hir.h"

#include "util/check.h"

/* An argument of a vector or matrix constructor, which is consumed in pieces. */
struct source {
    struct hir_value *value;
    unsigned total, taken; /* components */
    bool kept;             /* value may be used several times: it is a constant or temporary */
};

static void set_constant(struct hir_constant *c, unsigned i, const struct hir_value *element)
{
    c->elements[i] = (struct hir_constant *)element;
}

/* Returns an array or struct with these elements, which have the right types. */
static struct hir_value *aggregate(struct ast_state *st, const struct glsl_type *type,
                                   struct hir_value **elements, struct glsl_loc loc)
{
    bool constant = true;
    struct hir_constant *folded;
    for (unsigned i = 0; i < type->length; i++) {
        if (elements[i]->node.kind != HIR_CONSTANT && constant) {
            folded = hir_constant_value(st->sh, elements[i]);
            if (folded)
                elements[i] = &folded->base;
        }
        constant &= elements[i]->node.kind == HIR_CONSTANT;
    }
    if (constant) {
        struct hir_constant *c = hir_const_create(st->sh, type);
        for (unsigned i = 0; i < type->length; i++)
            set_constant(c, i, elements[i]);
        c->base.node.loc = loc;
        return &c->base;
    }
    struct hir_variable *tmp = make_temporary(st, type, "constructed");
    for (unsigned i = 0; i < type->length; i++) {
        struct hir_value *target = hir_deref_var(st->sh, tmp);
        if (glsl_type_is_array(type))
            target = hir_deref_elem(st->sh, target, &hir_const_int(st->sh, i)->base);
        else
            target = hir_deref_field(st->sh, target, i);
        emit_assign(st, target, elements[i]);
    }
    return hir_deref_var(st->sh, tmp);
}

static struct hir_value *convert_element(struct ast_state *st, struct hir_value *v,
                                         const struct glsl_type *type, struct glsl_loc loc)
{
    if (value_is_error(v))
        return NULL;
    struct hir_value *converted = convert_implicitly(st, v, type);
    if (!converted)
        glsl_error(st->c, loc, "cannot initialize a value of type %s with a value of type %s",
                   type->name, v->type->name);
    return converted;
}

/* -------------------------------------------------------------------- arrays and structs --- */

/* Returns the array type with missing sizes taken from the elements, of which `first` is one. */
static const struct glsl_type *complete_array(struct ast_state *st, const struct glsl_type *type,
                                              unsigned length, const struct hir_value *first)
{
    const struct glsl_type *element = take_sizes(st, type->element, first->type);
    return glsl_array_type(st->sh, element, type->length ? type->length : length, 0);
}

static struct hir_value *construct_array(struct ast_state *st, const struct glsl_type *type,
                                         struct ast_expr *e)
{
    if (!st_has(st, 120, 300)) {
        glsl_error(st->c, e->loc, "array constructors require GLSL 1.20 or GLSL ES 3.00");
        return error_value(st);
    }
    if (e->num_args == 0 || (type->length && type->length != e->num_args)) {
        glsl_error(st->c, e->loc, "the constructor of type %s does not take %u arguments",
                   type->name, e->num_args);
        return error_value(st);
    }
    struct hir_value **elements = glsl_alloc(st->c, e->num_args * sizeof *elements);
    struct list_head **marks = glsl_alloc(st->c, e->num_args * sizeof *marks);
    bool good = true;
    for (unsigned i = 0; i < e->num_args; i++) {
        elements[i] = ast_expr_value(st, e->args[i]);
        marks[i] = list_mark(st);
        good &= !value_is_error(elements[i]);
    }
    if (!good)
        return error_value(st);
    type = complete_array(st, type, e->num_args, elements[0]);
    if (type_is_no_value(st, type)) {
        glsl_error(st->c, e->loc, "type %s has no constructor", type->name);
        return error_value(st);
    }
    if (lacks_size(type)) {
        glsl_error(st->c, e->loc, "an array without a size cannot be an element of an array");
        return error_value(st);
    }
    for (unsigned i = 0; i < e->num_args; i++) {
        elements[i] = convert_element(st, keep_value(st, elements[i], marks[i]), type->element,
                                      e->args[i]->loc);
        if (!elements[i])
            return error_value(st);
    }
    return aggregate(st, type, elements, e->loc);
}

static struct hir_value *construct_struct(struct ast_state *st, const struct glsl_type *type,
                                          struct ast_expr *e)
{
    if (e->num_args != type->length) {
        glsl_error(st->c, e->loc,
                   "the constructor of struct %s takes %u arguments, but %u were given", type->name,
                   type->length, e->num_args);
        return error_value(st);
    }
    if (type_is_no_value(st, type)) {
        glsl_error(st->c, e->loc, "struct %s contains samplers and has no constructor", type->name);
        return error_value(st);
    }
    struct hir_value **elements = glsl_alloc(st->c, e->num_args * sizeof *elements);
    struct list_head **marks = glsl_alloc(st->c, e->num_args * sizeof *marks);
    for (unsigned i = 0; i < e->num_args; i++) {
        elements[i] = ast_expr_value(st, e->args[i]);
        marks[i] = list_mark(st);
    }
    bool good = true;
    for (unsigned i = 0; i < e->num_args; i++) {
        elements[i] = convert_element(st, keep_value(st, elements[i], marks[i]),
                                      type->fields[i].type, e->args[i]->loc);
        good &= elements[i] != NULL;
    }
    return good ? aggregate(st, type, elements, e->loc) : error_value(st);
}

/* ------------------------------------------------------------------- vectors and matrices --- */

/* Turns the value into one that may be used several times. */
static void keep_source(struct ast_state *st, struct source *s)
{
    if (s->kept)
        return;
    s->kept = true;
    if (s->value->node.kind == HIR_CONSTANT)
        return;
    struct hir_variable *tmp = make_temporary(st, s->value->type, "piece");
    emit_assign(st, hir_deref_var(st->sh, tmp), s->value);
    s->value = hir_deref_var(st->sh, tmp);
}

/* Takes up to `most` components from the source, as a scalar or vector. Matrices are taken column
 * by column. */
static struct hir_value *take_piece(struct ast_state *st, struct source *s, unsigned most)
{
    const struct glsl_type *t = s->value->type;
    unsigned rows = t->vector_elements;
    if (!glsl_type_is_matrix(t) && s->taken == 0 && s->total <= most) {
        s->taken = s->total;
        return s->kept ? hir_clone_value(st->sh, s->value) : s->value;
    }
    keep_source(st, s);
    struct hir_value *v = hir_clone_value(st->sh, s->value);
    unsigned first = s->taken;
    if (glsl_type_is_matrix(t)) {
        v = fold(st, hir_deref_elem(st->sh, v, &hir_const_int(st->sh, first / rows)->base));
        first %= rows;
    }
    unsigned count = MIN2(most, rows - first);
    s->taken += count;
    if (count == rows)
        return v;
    uint8_t component[4];
    for (unsigned i = 0; i < count; i++)
        component[i] = first + i;
    return fold(st, hir_swizzle_of(st->sh, v, component, count));
}

/* Concatenates pieces to a vector. */
static struct hir_value *join(struct ast_state *st, const struct glsl_type *type,
                              struct hir_value **pieces, unsigned count, struct glsl_loc loc)
{
    if (count == 1)
        return pieces[0];
    struct hir_value *v =
        hir_expr(st->sh, HIR_OP_VECTOR, type, pieces[0], count > 1 ? pieces[1] : NULL,
                 count > 2 ? pieces[2] : NULL, count > 3 ? pieces[3] : NULL);
    v->node.loc = loc;
    return fold(st, v);
}

/* Returns a value of this vector or scalar type from the next components of the sources. */
static struct hir_value *gather(struct ast_state *st, const struct glsl_type *type,
                                struct source *sources, unsigned count, unsigned *next,
                                struct glsl_loc loc)
{
    struct hir_value *pieces[4];
    unsigned n = 0, need = type->vector_elements;
    while (need && *next < count) {
        struct source *s = &sources[*next];
        struct hir_value *piece = take_piece(st, s, need);
        need -= piece->type->vector_elements;
        NEXT_OF(pieces, n) = convert_base(st, piece, type->base_type);
        if (s->taken == s->total)
            (*next)++;
    }
    return join(st, type, pieces, n, loc);
}

static struct hir_value *join_columns(struct ast_state *st, const struct glsl_type *type,
                                      struct hir_value **columns, struct glsl_loc loc)
{
    unsigned n = type->matrix_columns;
    struct hir_value *v = hir_expr(st->sh, HIR_OP_MATRIX, type, columns[0], columns[1],
                                   n > 2 ? columns[2] : NULL, n > 3 ? columns[3] : NULL);
    v->node.loc = loc;
    return fold(st, v);
}

static struct hir_value *number_of(struct ast_state *st, enum glsl_base_type base, double value)
{
    struct hir_constant *c = hir_const_create(st->sh, glsl_simple_type(base, 1, 1));
    if (base == GLSL_TYPE_DOUBLE)
        c->value[0].f64 = value;
    else
        c->value[0].f32 = value;
    return &c->base;
}

/* Returns element (row i, column j) of the matrix constructed from s: an element of s, or of the
 * identity matrix. */
static struct hir_value *matrix_element(struct ast_state *st, const struct glsl_type *type,
                                        struct source *s, unsigned i, unsigned j)
{
    const struct glsl_type *t = s->value->type;
    bool scalar = glsl_type_is_scalar(t);
    if (scalar ? i != j : i >= t->vector_elements || j >= t->matrix_columns)
        return number_of(st, type->base_type, i == j);
    struct hir_value *v = hir_clone_value(st->sh, s->value);
    if (!scalar) {
        uint8_t component = i;
        v = fold(st, hir_deref_elem(st->sh, v, &hir_const_int(st->sh, j)->base));
        v = fold(st, hir_swizzle_of(st->sh, v, &component, 1));
    }
    return convert_base(st, v, type->base_type);
}

/* Constructs a matrix from a scalar (its diagonal) or from a matrix. */
static struct hir_value *resize_matrix(struct ast_state *st, const struct glsl_type *type,
                                       struct source *s, struct glsl_loc loc)
{
    struct hir_value *columns[4];
    keep_source(st, s);
    for (unsigned j = 0; j < type->matrix_columns; j++) {
        struct hir_value *pieces[4];
        for (unsigned i = 0; i < type->vector_elements; i++)
            pieces[i] = matrix_element(st, type, s, i, j);
        const struct glsl_type *column =
            glsl_simple_type(type->base_type, type->vector_elements, 1);
        columns[j] = join(st, column, pieces, type->vector_elements, loc);
    }
    return join_columns(st, type, columns, loc);
}

static struct hir_value *construct_matrix(struct ast_state *st, const struct glsl_type *type,
                                          struct source *sources, unsigned count,
                                          struct glsl_loc loc)
{
    const struct glsl_type *first = sources[0].value->type;
    if (count == 1 && glsl_type_is_matrix(first) && !st_has(st, 120, 100)) {
        glsl_error(st->c, loc, "constructing a matrix from a matrix requires GLSL 1.20");
        return error_value(st);
    }
    if (count == 1 && (glsl_type_is_scalar(first) || glsl_type_is_matrix(first)))
        return resize_matrix(st, type, &sources[0], loc);
    struct hir_value *columns[4];
    unsigned next = 0;
    const struct glsl_type *column = glsl_simple_type(type->base_type, type->vector_elements, 1);
    for (unsigned j = 0; j < type->matrix_columns; j++)
        columns[j] = gather(st, column, sources, count, &next, loc);
    return join_columns(st, type, columns, loc);
}

/* Checks that the arguments have the number of components that the type needs. */
static bool check_components(struct ast_state *st, const struct glsl_type *type,
                             const struct source *sources, unsigned count, struct glsl_loc loc)
{
    unsigned need = type_components(type), have = 0;
    if (count == 1 && glsl_type_is_scalar(sources[0].value->type))
        return true;
    if (count == 1 && glsl_type_is_matrix(type) && glsl_type_is_matrix(sources[0].value->type))
        return true;
    for (unsigned i = 0; i < count; i++) {
        if (glsl_type_is_matrix(type) && glsl_type_is_matrix(sources[i].value->type)) {
            glsl_error(st->c, loc,
                       "a matrix argument must be the only argument of a matrix constructor");
            return false;
        }
        if (have >= need) {
            glsl_error(st->c, loc, "too many arguments for the constructor of %s", type->name);
            return false;
        }
        have += sources[i].total;
    }
    if (have < need) {
        glsl_error(st->c, loc, "too few components for the constructor of %s", type->name);
        return false;
    }
    return true;
}

/* ------------------------------------------------------------------------------- handles --- */

static bool is_handle(const struct glsl_type *t)
{
    return glsl_type_is_sampler(t) || glsl_type_is_image(t);
}

/* Returns whether handles can be converted to and from the type: uvec2 (ARB_bindless_texture
 * §5.4.1), and uint64_t if the shader has it. */
static bool holds_handle(const struct glsl_type *t)
{
    return (t->base_type == GLSL_TYPE_UINT && t->vector_elements == 2) ||
           (t->base_type == GLSL_TYPE_UINT64 && glsl_type_is_scalar(t));
}

/* Converts between a handle and a type that holds one. Returns NULL if the argument has another
 * type. */
static struct hir_value *convert_handle(struct ast_state *st, const struct glsl_type *type,
                                        struct hir_value *v, struct glsl_loc loc)
{
    bool from = is_handle(v->type) && holds_handle(type);
    if (!st_ext(st, GLSL_EXT_ARB_bindless_texture) ||
        !(from || (is_handle(type) && holds_handle(v->type))))
        return NULL;
    struct hir_value *converted =
        hir_expr(st->sh, from ? HIR_OP_HANDLE_VALUE : HIR_OP_HANDLE, type, v, NULL, NULL, NULL);
    converted->node.loc = loc;
    return converted;
}

/* Constructs a sampler or image from its handle. */
static struct hir_value *construct_handle(struct ast_state *st, const struct glsl_type *type,
                                          struct ast_expr *e)
{
    if (e->num_args != 1) {
        glsl_error(st->c, e->loc, "the constructor of type %s takes one argument", type->name);
        return error_value(st);
    }
    struct hir_value *v = ast_expr_value(st, e->args[0]);
    if (value_is_error(v))
        return v;
    struct hir_value *handle = convert_handle(st, type, v, e->loc);
    if (handle)
        return handle;
    glsl_error(st->c, e->args[0]->loc,
               "cannot construct a value of type %s from a value of type %s", type->name,
               v->type->name);
    return error_value(st);
}

static struct hir_value *construct_simple(struct ast_state *st, const struct glsl_type *type,
                                          struct ast_expr *e)
{
    if (e->num_args == 0) {
        glsl_error(st->c, e->loc, "too few components for the constructor of %s", type->name);
        return error_value(st);
    }
    struct source *sources = glsl_alloc(st->c, e->num_args * sizeof *sources);
    struct list_head **marks = glsl_alloc(st->c, e->num_args * sizeof *marks);
    bool good = true;
    for (unsigned i = 0; i < e->num_args; i++) {
        struct hir_value *v = ast_expr_value(st, e->args[i]);
        marks[i] = list_mark(st);
        sources[i].value = v;
        struct hir_value *handle =
            e->num_args == 1 && !value_is_error(v) ? convert_handle(st, type, v, e->loc) : NULL;
        if (handle)
            return handle;
        if (value_is_error(v)) {
            good = false;
        } else if (v->type->base_type > GLSL_TYPE_BOOL) {
            glsl_error(st->c, e->args[i]->loc,
                       "cannot construct a value of type %s from a value of type %s", type->name,
                       v->type->name);
            good = false;
        } else {
            sources[i].total = type_components(v->type);
        }
    }
    if (!good || !check_components(st, type, sources, e->num_args, e->loc))
        return error_value(st);
    for (unsigned i = 0; i < e->num_args; i++)
        sources[i].value = keep_value(st, sources[i].value, marks[i]);
    if (glsl_type_is_matrix(type))
        return construct_matrix(st, type, sources, e->num_args, e->loc);
    const struct glsl_type *first = sources[0].value->type;
    if (e->num_args == 1 && glsl_type_is_scalar(first) && type->vector_elements > 1) {
        static const uint8_t splat[4] = {0, 0, 0, 0};
        struct hir_value *v = convert_base(st, sources[0].value, type->base_type);
        return fold(st, hir_swizzle_of(st->sh, v, splat, type->vector_elements));
    }
    unsigned next = 0;
    return gather(st, type, sources, e->num_args, &next, e->loc);
}

struct hir_value *ast_constructor(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e)
{
    if (glsl_type_is_error(type))
        return error_value(st);
    if (glsl_type_is_array(type))
        return construct_array(st, type, e);
    if (glsl_type_is_struct(type))
        return construct_struct(st, type, e);
    if (type->base_type <= GLSL_TYPE_BOOL)
        return construct_simple(st, type, e);
    if (is_handle(type) && st_ext(st, GLSL_EXT_ARB_bindless_texture))
        return construct_handle(st, type, e);
    glsl_error(st->c, e->loc, "type %s has no constructor", type->name);
    return error_value(st);
}

/* --------------------------------------------------------------------- initializer lists --- */

/* An element of a list, and the end of the instruction list after its evaluation. */
struct list_element {
    struct hir_value *value;
    struct list_head *mark;
};

/* Sets *element to the value v of e, converted to a type. Returns false after an error. */
static bool set_element(struct ast_state *st, struct hir_value *v, const struct glsl_type *type,
                        const struct ast_expr *e, struct list_element *element)
{
    element->mark = list_mark(st);
    element->value = value_is_error(v) ? NULL : convert_element(st, v, type, e->loc);
    return element->value != NULL;
}

/* Stores the values to `values`, protected from the side effects of later elements. */
static void keep_elements(struct ast_state *st, const struct list_element *elements, unsigned count,
                          struct hir_value **values)
{
    for (unsigned i = 0; i < count; i++)
        values[i] = keep_value(st, elements[i].value, elements[i].mark);
}

static struct hir_value *list_array(struct ast_state *st, const struct glsl_type *type,
                                    struct ast_expr *e)
{
    struct list_element *elements = glsl_alloc(st->c, e->num_args * sizeof *elements);
    struct hir_value **values = glsl_alloc(st->c, e->num_args * sizeof *values);
    const struct glsl_type *element = type->element;
    for (unsigned i = 0; i < e->num_args; i++) {
        struct hir_value *v = ast_initializer(st, element, e->args[i]);
        if (i == 0) /* the first element provides sizes that the type lacks */
            element = take_sizes(st, element, v->type);
        if (!set_element(st, v, element, e->args[i], &elements[i]))
            return error_value(st);
    }
    keep_elements(st, elements, e->num_args, values);
    return aggregate(st, glsl_array_type(st->sh, element, e->num_args, 0), values, e->loc);
}

static struct hir_value *list_struct(struct ast_state *st, const struct glsl_type *type,
                                     struct ast_expr *e)
{
    struct list_element *elements = glsl_alloc(st->c, e->num_args * sizeof *elements);
    struct hir_value **values = glsl_alloc(st->c, e->num_args * sizeof *values);
    for (unsigned i = 0; i < e->num_args; i++)
        if (!set_element(st, ast_initializer(st, type->fields[i].type, e->args[i]),
                         type->fields[i].type, e->args[i], &elements[i]))
            return error_value(st);
    keep_elements(st, elements, e->num_args, values);
    return aggregate(st, type, values, e->loc);
}

/* Builds a vector from scalars, or a matrix from columns. */
static struct hir_value *list_simple(struct ast_state *st, const struct glsl_type *type,
                                     struct ast_expr *e)
{
    struct list_element elements[4];
    struct hir_value *values[4];
    const struct glsl_type *element = glsl_element_of(type);
    for (unsigned i = 0; i < e->num_args; i++)
        if (!set_element(st, ast_initializer(st, element, e->args[i]), element, e->args[i],
                         &elements[i]))
            return error_value(st);
    keep_elements(st, elements, e->num_args, values);
    return glsl_type_is_matrix(type) ? join_columns(st, type, values, e->loc)
                                     : join(st, type, values, e->num_args, e->loc);
}

struct hir_value *ast_initializer(struct ast_state *st, const struct glsl_type *type,
                                  struct ast_expr *e)
{
    if (e->op != AST_AGGREGATE)
        return ast_expr_value(st, e);
    if (!st_has(st, 420, 0) && !st_ext(st, GLSL_EXT_ARB_shading_language_420pack)) {
        glsl_error(st->c, e->loc, "initializer lists require GLSL 4.20");
        return error_value(st);
    }
    unsigned need = glsl_type_is_array(type)                                 ? type->length
                    : glsl_type_is_struct(type)                              ? type->length
                    : glsl_type_is_vector(type) || glsl_type_is_matrix(type) ? glsl_length_of(type)
                                                                             : 0;
    if (need == 0 ? !glsl_type_is_array(type) : need != e->num_args) {
        glsl_error(st->c, e->loc,
                   "an initializer list of %u elements cannot initialize a value of type %s",
                   e->num_args, type->name);
        return error_value(st);
    }
    if (glsl_type_is_array(type))
        return list_array(st, type, e);
    if (glsl_type_is_struct(type))
        return list_struct(st, type, e);
    return list_simple(st, type, e);
}
