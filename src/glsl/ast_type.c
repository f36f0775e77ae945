/* SPDX-License-Identifier: MIT */
/* Resolves types in the syntax tree to glsl_types (GLSL 4.60 §4.1). */
#include <stdio.h>

#include "glsl/ast_layout.h"

/* Limits: length of an array, scalars in an array outside buffers, and length of an array in a
 * buffer. */
#define MAX_ARRAY_LENGTH  65536
#define MAX_ARRAY_SCALARS (1u << 22)
#define MAX_BUFFER_ARRAY  (1u << 26)

bool type_is_opaque(const struct glsl_type *t)
{
    return t->base_type == GLSL_TYPE_SAMPLER || t->base_type == GLSL_TYPE_IMAGE ||
           t->base_type == GLSL_TYPE_ATOMIC_UINT;
}

bool type_contains_opaque(const struct glsl_type *t)
{
    return glsl_type_contains(t, GLSL_TYPE_SAMPLER) || glsl_type_contains(t, GLSL_TYPE_IMAGE) ||
           glsl_type_contains(t, GLSL_TYPE_ATOMIC_UINT);
}

bool type_contains_handle(const struct glsl_type *t)
{
    return glsl_type_contains(t, GLSL_TYPE_SAMPLER) || glsl_type_contains(t, GLSL_TYPE_IMAGE);
}

bool type_is_no_value(const struct ast_state *st, const struct glsl_type *t)
{
    return st_ext(st, GLSL_EXT_ARB_bindless_texture) ? glsl_type_contains(t, GLSL_TYPE_ATOMIC_UINT)
                                                     : type_contains_opaque(t);
}

bool array_is_value(const struct ast_state *st, const struct glsl_type *t)
{
    if (st_has(st, 120, 300))
        return true;
    return !(st->c->es ? glsl_type_contains(t, GLSL_TYPE_ARRAY) : glsl_type_is_array(t));
}

bool lacks_size(const struct glsl_type *t)
{
    for (; glsl_type_is_array(t); t = t->element)
        if (glsl_type_is_unsized_array(t))
            return true;
    return false;
}

const struct glsl_type *take_sizes(struct ast_state *st, const struct glsl_type *type,
                                   const struct glsl_type *from)
{
    if (!glsl_type_is_array(type) || !glsl_type_is_array(from))
        return type;
    const struct glsl_type *element = take_sizes(st, type->element, from->element);
    if (type->length && element == type->element)
        return type;
    return glsl_array_type(st->sh, element, type->length ? type->length : from->length, 0);
}

const struct glsl_type *find_type(const struct glsl_atom *atom)
{
    return atom->symbol && atom->symbol->kind == SYMBOL_TYPE ? atom->symbol->type : NULL;
}

bool ast_constant_int(struct ast_state *st, const struct ast_expr *e, const char *what,
                      int64_t *value)
{
    /* A constant expression has no side effects; the instructions of an invalid one are
     * discarded. */
    struct list_head scrap, *list = st->list;
    list_init(&scrap);
    st->list = &scrap;
    struct hir_value *v = ast_expr_value(st, (struct ast_expr *)e);
    st->list = list;
    if (value_is_error(v))
        return false;
    struct hir_constant *c = hir_constant_value(st->sh, v);
    if (!c || !glsl_type_is_scalar(v->type) ||
        (v->type->base_type != GLSL_TYPE_INT && v->type->base_type != GLSL_TYPE_UINT)) {
        glsl_error(st->c, e->loc, "%s must be a constant integer expression", what);
        return false;
    }
    *value = v->type->base_type == GLSL_TYPE_INT ? (int64_t)c->value[0].i32 : c->value[0].u32;
    return true;
}

/* Returns the total number of scalars, saturated. */
static uint64_t type_size(const struct glsl_type *t)
{
    uint64_t size = 1;
    while (glsl_type_is_array(t)) {
        size = MIN2(size * MAX2(t->length, 1), UINT32_MAX);
        t = t->element;
    }
    if (glsl_type_is_struct_or_ifc(t)) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < t->length; i++)
            sum += type_size(t->fields[i].type);
        return MIN2(size * MIN2(sum, UINT32_MAX), UINT32_MAX);
    }
    return size * MAX2(type_components(t), 1);
}

static const struct glsl_type *array_of(struct ast_state *st, const struct glsl_type *element,
                                        const struct ast_expr *size, struct glsl_loc loc)
{
    if (glsl_type_is_error(element))
        return element;
    if (glsl_type_is_void(element)) {
        glsl_error(st->c, loc, "arrays of void are not allowed");
        return glsl_error_type();
    }
    if (glsl_type_is_array(element) && !st_has(st, 430, 310) &&
        !st_ext(st, GLSL_EXT_ARB_arrays_of_arrays) &&
        /* an input that the vertex shader declares as an array is an array of arrays here */
        !(st->c->stage == SHADER_GEOMETRY && st_ext(st, GLSL_EXT_ARB_geometry_shader4))) {
        glsl_error(st->c, loc,
                   "arrays of arrays require GLSL 4.30, GLSL ES 3.10 or "
                   "GL_ARB_arrays_of_arrays");
        return glsl_error_type();
    }
    int64_t length = 0;
    if (size) {
        if (!ast_constant_int(st, size, "array size", &length))
            return glsl_error_type();
        if (length <= 0) {
            glsl_error(st->c, size->loc, "array size must be greater than zero");
            return glsl_error_type();
        }
        bool fits = st->in_buffer ? length <= MAX_BUFFER_ARRAY &&
                                        (uint64_t)length * type_size(element) <= MAX_BUFFER_ARRAY
                                  : length <= MAX_ARRAY_LENGTH &&
                                        (uint64_t)length * type_size(element) <= MAX_ARRAY_SCALARS;
        if (!fits) {
            glsl_error(st->c, size->loc, "array is too large");
            return glsl_error_type();
        }
    }
    return glsl_array_type(st->sh, element, length, 0);
}

/* Applies array dimensions; dims is outermost first. */
static const struct glsl_type *apply_dims(struct ast_state *st, const struct glsl_type *type,
                                          const struct ast_dims *dims, struct glsl_loc loc)
{
    for (unsigned i = dims->count; i-- > 0;)
        type = array_of(st, type, dims->size[i], loc);
    return type;
}

static const struct glsl_type *resolve_name(struct ast_state *st, const struct ast_type *type)
{
    const struct glsl_type *t = find_type(type->name);
    if (t)
        return t;
    glsl_error(st->c, type->loc, "unknown type \"%s\"%s", type->name->text,
               suggest_symbol(st, type->name->text, 1 << SYMBOL_TYPE));
    return glsl_error_type();
}

const struct glsl_type *ast_resolve_type(struct ast_state *st, const struct ast_type *type,
                                         const struct ast_dims *more)
{
    const struct glsl_type *t = type->builtin     ? type->builtin
                                : type->structure ? ast_declare_struct(st, type->structure)
                                                  : resolve_name(st, type);
    if (type->dims.count && !st_has(st, 120, 100))
        glsl_error(st->c, type->loc, "the array size must follow the name before GLSL 1.20");
    if (more && more->count) {
        /* float[2] a[3] is an array of three arrays of two (GLSL 4.60 §4.1.9). */
        t = apply_dims(st, t, &type->dims, type->loc);
        return apply_dims(st, t, more, type->loc);
    }
    return apply_dims(st, t, &type->dims, type->loc);
}

/* ------------------------------------------------------------------------------- structs --- */

struct field_list {
    struct glsl_struct_field *data;
    unsigned count, capacity;
};

/* GLSL 4.60 §4.4.6.2: an image without a format must be writeonly. */
static void check_image_field(struct ast_state *st, const struct ast_member *m,
                              const struct ast_declarator *d, const struct glsl_type *type)
{
    struct layout l;
    layout_read(st, &m->qualifier, layout_context(LAYOUT_OF_VARIABLE, AST_UNIFORM), &l);
    if (l.given & ~BITFIELD64_BIT(LAYOUT_FORMAT))
        glsl_error(st->c, m->qualifier.loc, "this layout qualifier is not allowed here");
    else
        check_image_format(st, &l, type, qualifier_access(&m->qualifier), d->name->text, d->loc);
}

static void check_field(struct ast_state *st, const struct ast_member *m,
                        const struct ast_declarator *d, const struct glsl_type *type)
{
    if (glsl_type_is_void(type) || glsl_type_contains(type, GLSL_TYPE_SUBROUTINE))
        glsl_error(st->c, d->loc, "field \"%s\" cannot have type %s", d->name->text, type->name);
    if (glsl_type_is_image(glsl_without_array(type)) && st_ext(st, GLSL_EXT_ARB_bindless_texture) &&
        !(m->qualifier.flags & ~AST_MEMORY))
        check_image_field(st, m, d, type);
    else if (m->qualifier.flags || m->qualifier.layout)
        glsl_error(st->c, m->qualifier.loc, "qualifiers are not allowed on struct members");
    if (lacks_size(type))
        glsl_error(st->c, d->loc, "array field \"%s\" must have a size", d->name->text);
    /* ESSL 1.00 and GLSL 1.20 §4.1.8: no definition inside a definition. */
    if (m->type->structure && (st->c->es || (st->c->version >= 120 && st->c->version < 460)))
        glsl_error(st->c, m->type->loc, "embedded struct definitions are not allowed");
}

static void add_fields(struct ast_state *st, struct field_list *list, const struct ast_member *m)
{
    const struct glsl_type *embedded =
        m->type->structure ? ast_declare_struct(st, m->type->structure) : NULL;
    struct ast_type type = *m->type;
    if (embedded) {
        type.structure = NULL;
        type.builtin = embedded;
    }
    for (const struct ast_declarator *d = m->declarators; d; d = d->next) {
        const struct glsl_type *t = ast_resolve_type(st, &type, &d->dims);
        check_field(st, m, d, t);
        check_declarable(st, d->name, d->loc);
        for (unsigned i = 0; i < list->count; i++)
            if (!strcmp(list->data[i].name, d->name->text))
                glsl_error(st->c, d->loc, "duplicate field name \"%s\"", d->name->text);
        glsl_grow(st->c, (void **)&list->data, &list->capacity, list->count, sizeof *list->data);
        list->data[list->count++] = (struct glsl_struct_field){
            .type = t,
            .name = d->name->text,
            .location = -1,
            .component = -1,
            .offset = -1,
            .precision = resolve_precision(st, &m->qualifier, t, d->loc),
        };
    }
}

const struct glsl_type *ast_declare_struct(struct ast_state *st, const struct ast_struct *s)
{
    struct field_list list = {0};
    for (const struct ast_member *m = s->members; m; m = m->next)
        add_fields(st, &list, m);
    char anonymous[32];
    snprintf(anonymous, sizeof anonymous, "#anonymous%u", st->num_anonymous++);
    const struct glsl_type *type =
        glsl_struct_type(st->sh, list.data, list.count, s->name ? s->name->text : anonymous);
    if (!s->name || !check_declarable(st, s->name, s->loc))
        return type;
    struct glsl_symbol *old = symbol_in_scope(st, s->name);
    bool is_function =
        st->scope->level == 1 && hash_table_get(st->sh->function_table, s->name->text) != NULL;
    if (old || is_function) {
        glsl_error(st->c, s->loc, "\"%s\" is already declared in this scope", s->name->text);
        return type;
    }
    symbol_add(st, s->name, SYMBOL_TYPE)->type = type;
    return type;
}
