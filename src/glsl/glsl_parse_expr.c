/* SPDX-License-Identifier: MIT */
/* Expressions and literals (GLSL 4.60 §4.1, §5.1). */
#include <locale.h>
#include <stdlib.h>

#include "glsl/glsl_parser.h"
#include "util/half.h"

static unsigned depth_of(const struct ast_expr *e)
{
    return e ? e->depth : 0;
}

static void set_depth(struct glsl_parser *p, struct ast_expr *e, unsigned depth)
{
    if (depth > GLSL_MAX_DEPTH)
        glsl_fatal(p->c, e->loc, "the expression is nested too deeply");
    glsl_need_levels(p->c, depth);
    e->depth = depth;
}

struct ast_expr *parse_expr(struct glsl_parser *p, enum ast_op op, struct glsl_loc loc,
                            struct ast_expr *a, struct ast_expr *b, struct ast_expr *c)
{
    struct ast_expr *e = glsl_alloc(p->c, sizeof *e);
    e->op = op;
    e->loc = loc;
    e->a = a;
    e->b = b;
    e->c = c;
    set_depth(p, e, 1 + MAX2(MAX2(depth_of(a), depth_of(b)), depth_of(c)));
    return e;
}

struct parse_args parse_add_arg(struct glsl_parser *p, struct parse_args list, struct ast_expr *arg)
{
    glsl_grow(p->c, (void **)&list.data, &list.capacity, list.count, sizeof *list.data);
    list.data[list.count++] = arg;
    return list;
}

struct parse_args parse_one_arg(struct glsl_parser *p, struct ast_expr *arg)
{
    return parse_add_arg(p, parse_no_args, arg);
}

static struct ast_expr *set_args(struct glsl_parser *p, struct ast_expr *e, struct parse_args list)
{
    e->args = list.data;
    e->num_args = list.count;
    unsigned depth = e->depth;
    for (unsigned i = 0; i < list.count; i++)
        depth = MAX2(depth, list.data[i]->depth + 1u);
    set_depth(p, e, depth);
    return e;
}

/* ------------------------------------------------------------------------------ literals --- */

static bool integer_value(const char *text, unsigned length, uint64_t *value)
{
    unsigned base = 10, i = 0;
    *value = 0;
    if (length > 1 && text[0] == '0') {
        base = (text[1] | 32) == 'x' ? 16 : 8;
        i = base == 16 ? 2 : 1;
    }
    if (i == length)
        return false;
    for (; i < length; i++) {
        char ch = text[i], lower = ch | 32;
        unsigned digit = ch >= '0' && ch <= '9'         ? ch - '0'
                         : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                        : 99;
        if (digit >= base)
            return false;
        if (*value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

static bool has_int64(const struct glsl_compiler *c)
{
    return glsl_has_ext(c, GLSL_EXT_ARB_gpu_shader_int64) ||
           glsl_has_ext(c, GLSL_EXT_AMD_gpu_shader_int64);
}

/* Parses an integer literal: digits, then u for unsigned, then l for 64 bits. */
static struct ast_expr *integer_literal(struct glsl_parser *p, const struct glsl_token *t,
                                        const char *text)
{
    struct glsl_compiler *c = p->c;
    unsigned length = t->length;
    bool is_long = length > 1 && (text[length - 1] | 32) == 'l' && has_int64(c);
    length -= is_long;
    bool is_unsigned = length > 1 && (text[length - 1] | 32) == 'u';
    length -= is_unsigned;
    uint64_t value;
    if (is_unsigned && !glsl_is_version(c, 130, 300) && !glsl_has_ext(c, GLSL_EXT_EXT_gpu_shader4))
        glsl_error(c, t->loc, "unsigned literals require GLSL 1.30 or GLSL ES 3.00");
    if (!integer_value(text, length, &value))
        glsl_fatal(c, t->loc, "malformed number \"%.100s\"", text);
    if (is_long) {
        struct ast_expr *e =
            parse_expr(p, is_unsigned ? AST_UINT64 : AST_INT64, t->loc, NULL, NULL, NULL);
        e->value.u64 = value;
        return e;
    }
    if (value > UINT32_MAX) {
        if (glsl_is_version(c, 130, 300))
            glsl_error(c, t->loc, "literal value does not fit in 32 bits");
        else
            glsl_warning(c, t->loc, "literal value does not fit in 32 bits");
    }
    struct ast_expr *e = parse_expr(p, is_unsigned ? AST_UINT : AST_INT, t->loc, NULL, NULL, NULL);
    e->value.u32 = value;
    return e;
}

static struct ast_expr *float_literal(struct glsl_parser *p, const struct glsl_token *t, char *text)
{
    struct glsl_compiler *c = p->c;
    unsigned length = t->length;
    bool is_double = false, is_half = false;
    if (length > 2 &&
        (!memcmp(text + length - 2, "lf", 2) || !memcmp(text + length - 2, "LF", 2))) {
        is_double = true;
        length -= 2;
        if (!glsl_is_version(c, 400, 0) && !glsl_has_ext(c, GLSL_EXT_ARB_gpu_shader_fp64))
            glsl_error(c, t->loc, "double literals require GLSL 4.00");
    } else if (length > 2 &&
               (!memcmp(text + length - 2, "hf", 2) || !memcmp(text + length - 2, "HF", 2))) {
        is_half = true;
        length -= 2;
        if (!glsl_has_ext(c, GLSL_EXT_AMD_gpu_shader_half_float))
            glsl_error(c, t->loc, "half float literals require GL_AMD_gpu_shader_half_float");
    } else if ((text[length - 1] | 32) == 'f') {
        length--;
    }
    text[length] = '\0';
    /* The text consists of digits, '.', 'e' and signs only, so strtod can only find a decimal
     * number. */
    if (strspn(text, "0123456789.eE+-") != length)
        glsl_fatal(c, t->loc, "malformed number \"%.100s\"", text);
    char *end;
    enum ast_op kind = is_double ? AST_DOUBLE : is_half ? AST_FLOAT16 : AST_FLOAT;
    struct ast_expr *e = parse_expr(p, kind, t->loc, NULL, NULL, NULL);
    if (is_double)
        e->value.f64 = strtod_l(text, &end, c->c_locale);
    else if (is_half)
        e->value.f32 = util_round_to_half(strtod_l(text, &end, c->c_locale));
    else
        e->value.f32 = strtof_l(text, &end, c->c_locale);
    if (*end)
        glsl_fatal(c, t->loc, "malformed number \"%.100s\"", text);
    return e;
}

struct ast_expr *parse_number(struct glsl_parser *p, const struct glsl_token *t)
{
    if (t->length > 1000)
        glsl_fatal(p->c, t->loc, "number has too many digits");
    char *text = glsl_arena_strndup(p->c, t->text, t->length);
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    bool decimal = strpbrk(text, ".eE") != NULL;
    return !hex && decimal ? float_literal(p, t, text) : integer_literal(p, t, text);
}

struct ast_expr *parse_bool(struct glsl_parser *p, struct glsl_loc loc, bool value)
{
    struct ast_expr *e = parse_expr(p, AST_BOOL, loc, NULL, NULL, NULL);
    e->value.b = value;
    return e;
}

/* ----------------------------------------------------------------------------- operators --- */

struct ast_expr *parse_name(struct glsl_parser *p, const struct glsl_token *t)
{
    struct ast_expr *e = parse_expr(p, AST_IDENT, t->loc, NULL, NULL, NULL);
    e->name = t->atom;
    return e;
}

struct ast_expr *parse_assign(struct glsl_parser *p, enum ast_op binary, struct glsl_loc loc,
                              struct ast_expr *a, struct ast_expr *b)
{
    struct ast_expr *e = parse_expr(p, AST_ASSIGN, loc, a, b, NULL);
    e->binary = binary;
    return e;
}

struct ast_expr *parse_constructor(struct glsl_parser *p, struct ast_type *type,
                                   struct parse_args args)
{
    struct ast_expr *e = parse_expr(p, AST_CONSTRUCTOR, type->loc, NULL, NULL, NULL);
    unsigned depth = e->depth;
    e->type = type;
    for (unsigned i = 0; i < type->dims.count; i++)
        depth = MAX2(depth, depth_of(type->dims.size[i]) + 1);
    set_depth(p, e, depth);
    return set_args(p, e, args);
}

/* Returns whether e can be called: `name` or `name[…][…]`. */
static bool is_callee(const struct ast_expr *e, struct glsl_loc start)
{
    while (e->op == AST_INDEX)
        e = e->a;
    return e->op == AST_IDENT && e->loc.line == start.line && e->loc.column == start.column;
}

struct ast_expr *parse_call(struct glsl_parser *p, struct glsl_loc start, struct ast_expr *callee,
                            const struct glsl_token *paren, struct parse_args args)
{
    if (!is_callee(callee, start))
        parse_fail_at(p, paren, "an operator");
    struct ast_expr *e = parse_expr(p, AST_CALL, callee->loc, callee, NULL, NULL);
    return set_args(p, e, args);
}

struct ast_expr *parse_field(struct glsl_parser *p, struct ast_expr *a,
                             const struct glsl_token *name)
{
    struct ast_expr *e = parse_expr(p, AST_FIELD, name->loc, a, NULL, NULL);
    e->name = name->atom;
    return e;
}

struct ast_expr *parse_method(struct glsl_parser *p, struct ast_expr *a,
                              const struct glsl_token *name, struct parse_args args)
{
    struct ast_expr *e = parse_expr(p, AST_METHOD, name->loc, a, NULL, NULL);
    e->name = name->atom;
    return set_args(p, e, args);
}

struct ast_expr *parse_sequence(struct glsl_parser *p, struct glsl_loc loc, struct parse_args args)
{
    return set_args(p, parse_expr(p, AST_SEQUENCE, loc, NULL, NULL, NULL), args);
}

struct ast_expr *parse_aggregate(struct glsl_parser *p, struct glsl_loc loc, struct parse_args args)
{
    return set_args(p, parse_expr(p, AST_AGGREGATE, loc, NULL, NULL, NULL), args);
}
